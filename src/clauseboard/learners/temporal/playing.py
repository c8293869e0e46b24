"""Judges boards by weighted features, as `clauseboard train temporal` learns them."""

from __future__ import annotations

import math
from typing import Any

from clauseboard.evaluation import Evaluator
from clauseboard.game import Game
from clauseboard.learners.temporal import files
from clauseboard.learners.temporal.evaluator import USUAL_TRUST, HeuristicEvaluator
from clauseboard.learners.temporal.heuristic import USUAL_LEAD, FeatureSet, Heuristic
from clauseboard.learners.temporal.memory import Memory

SEARCH = "alpha_beta"

OPTIONS = {
    "weights": "the file of weights; without one every weight is 1.0: who has learned nothing",
    "features": "without a file: the set of features, 'three' (the usual) or 'full'",
    "memory": "the file of boards seen, whose results count, too; slower, since no array",
    "trust": "a board seen so often counts half by its results, half by the heuristic (10)",
}


def evaluator(
    game: Game,
    *,
    weights: Any = None,
    features: Any = None,
    memory: Any = None,
    trust: Any = None,
) -> Evaluator:
    """The evaluator that some options mean."""
    if weights is not None and features is not None:
        raise ValueError("A file of weights tells its features; name only one of the two.")
    if trust is not None and memory is None:
        raise ValueError("trust is how much a memory counts; name the memory, too.")
    usual = USUAL_TRUST if trust is None else trust
    if isinstance(usual, bool) or not isinstance(usual, int | float) or not 0 < usual < math.inf:
        raise ValueError(f"trust={trust!r} is no number above 0.")
    heuristic = _untrained(game, features or "three") if weights is None else _read(game, weights)
    kept = None if memory is None else Memory(memory, game, create=False)
    return HeuristicEvaluator(heuristic, kept, float(usual))


def _untrained(game: Game, features: str) -> Heuristic:
    found = FeatureSet(game, features)
    return Heuristic(found, found.equal_weights(), lead=USUAL_LEAD)


def _read(game: Game, path: Any) -> Heuristic:
    """The heuristic of a file; the rules may differ in what makes a draw, but not the boards."""
    kept = files.load(path).heuristic
    trained_on = kept.features.game
    if game == trained_on:
        return kept
    if game.name != trained_on.name or game.bits() != trained_on.bits():
        raise ValueError(f"{path} was trained on {trained_on!r}, not on {game!r}.")
    return Heuristic(FeatureSet(game, kept.features.name), kept.weights, kept.lead)
