"""Judges boards by weighted features, as `clauseboard train temporal` learns them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from clauseboard.checks import positive_number
from clauseboard.game import Game

if TYPE_CHECKING:
    from clauseboard.evaluation import Evaluator
    from clauseboard.learners import Trainer

OPTIONS: Mapping[str, str] = {
    "weights": "the file of weights; without one every weight is 1.0",
    "features": "without a file: the set of features, 'three' (the usual) or 'full'",
    "memory": "the file of boards seen, whose results count, too; slower, since no array",
    "trust": "a board seen so often counts half by its results, half by the heuristic (10)",
}
SEARCH = "alpha_beta"
USUAL: Mapping[str, object] = {}
TRAINERS: Sequence[str] = ("temporal",)


def make_evaluator(
    game: Game,
    *,
    weights: str | Path | None = None,
    features: str | None = None,
    memory: str | Path | None = None,
    trust: float | None = None,
) -> Evaluator:
    """The evaluator for a player's options."""
    from clauseboard.learners.temporal.heuristic import (
        USUAL_LEAD,
        USUAL_TRUST,
        FeatureSet,
        Heuristic,
        HeuristicEvaluator,
        load_heuristic,
    )
    from clauseboard.learners.temporal.memory import Memory

    if weights is not None and features is not None:
        raise ValueError("A file of weights tells its features; name only one of the two.")
    if trust is not None and memory is None:
        raise ValueError("trust is how much a memory counts; name the memory, too.")
    usual = USUAL_TRUST if trust is None else positive_number("trust", trust)
    if weights is None:
        chosen = FeatureSet(game, features or "three")
        heuristic = Heuristic(chosen, chosen.equal_weights(), lead=USUAL_LEAD)
    else:
        heuristic = load_heuristic(weights).heuristic.on(game, weights)
    experience = None if memory is None else Memory(memory, game, create=False)
    return HeuristicEvaluator(heuristic, experience, usual)


def load_trainer(name: str) -> type[Trainer]:
    """The way to train the weights."""
    from clauseboard.learners.temporal.trainer import TemporalTrainer

    return TemporalTrainer
