"""The work of tables about learners that teach themselves: a trainer's steps, and what it made.

What comes out has the trainer's figures after each step and the file that it saved, so that players
of a match (see `matches`) can be made of it as of a machine.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from clauseboard.papers.experiment import EpochCallback, ReadValues, Task, TaskResult
from clauseboard.papers.matches import Pairing
from clauseboard.papers.training import as_text


def learning_task(
    trainer: str, game: str, options: Mapping[str, Any], *, untrained: bool = False
) -> Task:
    """Train by a trainer of `clauseboard train`; `untrained`: keep what it begins with."""
    settings = {
        "trainer": trainer,
        "game": game,
        "options": dict(options),
        "seed": options.get("seed", 1),
        "untrained": untrained,
    }
    return Task(learn, settings)


def options_of(task: Task) -> str:
    """What a trainer was told, in words; all else is as usual.

    >>> options_of(learning_task("swarm", "checkers", {"rounds": 3, "rejudge": False}))
    'rounds 3, rejudge False'
    """
    return ", ".join(f"{name} {value}" for name, value in task.settings["options"].items())


def learn(tasks: Sequence[Task], told: EpochCallback, device: str) -> list[Mapping[str, Any]]:
    """Do such tasks."""
    return [_learned(task) for task in tasks]


def _learned(task: Task) -> dict[str, Any]:
    from clauseboard.game import load_game
    from clauseboard.learners.training import load_trainer, make_options

    settings = task.settings
    kind = load_trainer(settings["trainer"])
    trainer = kind.begin(load_game(settings["game"]), make_options(kind, settings["options"]))
    steps: list[dict[str, float]] = []
    notes: list[str] = []
    if not settings["untrained"]:
        for progress in trainer.steps():
            steps.append(dict(progress.figures))
            notes += progress.notes
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "learned"
        trainer.save(path)
        return {"steps": steps, "notes": notes, "machine": as_text(path)}


def against_random(
    game: str, line: str, machines: Iterable[tuple[Task, ...]], n_games: int
) -> tuple[Task, ...]:
    """Games of a player against random moves, half with either colour; so many a machine."""
    return tuple(
        task
        for needs in machines
        for task in Pairing(game, line, "random", machines=needs, swap=True).tasks(n_games)
    )


def figure_after(name: str, step: int, scale: float = 1.0) -> ReadValues:
    """A function that reads a trainer's figure after a step, counted from 0, or -1 for the last."""
    return lambda done: [scale * one.result["steps"][step][name] for one in done]


def curve(done: TaskResult, name: str, scale: float = 1.0) -> list[float]:
    """A trainer's figure after each step."""
    return [scale * step[name] for step in done.result["steps"]]
