"""What the tables of the temporal report share: a training with its memory of boards.

William Melicher, *The Implementation of Machine Learning in the Game of Checkers*, 2009.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from clauseboard.papers import experiment as table
from clauseboard.papers.experiment import EpochCallback, RunSize, Task
from clauseboard.papers.training import as_text

SOURCE = "temporal report"

GAMES = 20
"""After about so many the report sees little change."""

WEIGHTS = ("piece difference", "kings", "side")
"""The report's weights number 1, 2 and 3."""

SIZES = {
    "quick": replace(table.SIZES["quick"], games=2, runs=1),
    "default": replace(table.SIZES["default"], games=60, runs=3),
    "full": replace(table.SIZES["full"], games=200, runs=5),
}
"""`runs` is how many trainings there are; `games` those of a match."""


def training_tasks(size: RunSize) -> tuple[Task, ...]:
    """Trainings with the report's three features, twice as long as it tells of; one a seed."""
    small = {"games": 4, "depth": 1, "longest": 40, "check_games": 2, "check": 2}
    usual = {"games": 2 * GAMES}
    options = small if size.name == "quick" else usual
    return tuple(
        Task(train, {"options": {**options, "seed": seed}, "seed": seed})
        for seed in range(1, size.runs + 1)
    )


def train(tasks: Sequence[Task], told: EpochCallback, device: str) -> list[Mapping[str, Any]]:
    """Do such tasks: weights after each change, and how large what was learned is on disk."""
    return [_trained(task) for task in tasks]


def _trained(task: Task) -> dict[str, Any]:
    from clauseboard.game import load_game
    from clauseboard.learners.temporal.memory import Memory
    from clauseboard.learners.temporal.trainer import TemporalOptions, TemporalTrainer

    game = load_game("checkers")
    with tempfile.TemporaryDirectory() as folder:
        memory, boards, path = (Path(folder) / name for name in ("memory", "boards.txt", "weights"))
        options = TemporalOptions(**task.settings["options"], memory=str(memory))
        trainer = TemporalTrainer.begin(game, options)
        notes = [note for progress in trainer.steps() for note in progress.notes]
        trainer.save(path)
        with Memory(memory, game, create=False) as kept:
            kept.export(boards)
            n_boards = len(kept)
        # The report's file has the weights and no more; ours has what it needs to go on, too.
        weights = dict(zip(trainer.features.names, trainer.weights.tolist(), strict=True))
        return {
            "names": trainer.features.names,
            "history": trainer.history.tolist(),
            "first_game": trainer.first_game.tolist(),
            "notes": notes,
            "boards": n_boards,
            "memory_bytes": memory.stat().st_size,
            "list_bytes": boards.stat().st_size,
            "weights_bytes": len(json.dumps(weights)),
            "options": {k: v for k, v in asdict(options).items() if k not in ("memory",)},
            "machine": as_text(path),
        }
