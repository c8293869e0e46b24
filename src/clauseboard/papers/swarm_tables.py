"""What the tables of the swarm thesis share: its swarm, ours, and gradient descent.

Daniel Boonzaaier, *Training a Neural Network for Checkers*, University of the Western Cape 2017. It
describes how networks are to be trained and judged, and prints one result: figure 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from clauseboard.papers import experiment as table
from clauseboard.papers.experiment import RunSize, Task
from clauseboard.papers.learned import learning_task

SOURCE = "swarm thesis"

SIZES = {
    "quick": replace(table.SIZES["quick"], games=4),
    "default": replace(table.SIZES["default"], share=1 / 10, runs=3, games=100),
    "full": replace(table.SIZES["full"], runs=3, games=400),
}
"""`share` is that of the games learned from, `runs` how many seeds there are."""

NO_NUMBERS = (
    "The document plans this and prints no numbers of it, so that there are none to compare. Those "
    "that it does not tell of, such as how many networks and games, are ours."
)

THESIS = {
    "inertia": 1.0, "max_speed": 0.0, "rejudge": False, "explore": 0.0, "captures": False,
    "balanced": False,
}  # fmt: skip
"""The formula of the thesis; only its openings are not all the same, as they would be there."""

SWARMS: dict[str, dict[str, Any]] = {"our swarm": {}, "the thesis's swarm": THESIS}


def player_line(options: Mapping[str, Any]) -> str:
    """The player of a network that was trained with some options: it looks as far ahead."""
    if options.get("captures", True):
        return "swarm:network={0}"
    return "swarm:network={0},search=alpha_beta,depth=1,quiescence=false,endgames=false"


def swarm_options(size: RunSize, seed: int, **changes: Any) -> dict[str, Any]:
    """The options of a swarm, with a part of the rounds and games of the usual one."""
    if size.name == "quick":
        small = {"rounds": 3, "particles": 4, "games": 4, "hidden": 2}
    else:
        # A tenth of the games is less than a third of both.
        part = size.share**0.5
        small = {"rounds": round(100 * part), "games": round(200 * part)}
    return {"seed": seed, **small, **changes}


def descent_options(size: RunSize, seed: int) -> dict[str, Any]:
    """The options of gradient descent, with a part of the usual games."""
    if size.name == "quick":
        return {"seed": seed, "rounds": 3, "games": 20, "hidden": 2}
    return {"seed": seed, "games": round(1000 * min(1.0, 2 * size.share))}


def swarm_tasks(size: RunSize, *, untrained: bool = False, **changes: Any) -> tuple[Task, ...]:
    """A swarm for each seed."""
    return tuple(
        learning_task(
            "swarm", "checkers", swarm_options(size, seed, **changes), untrained=untrained
        )
        for seed in range(1, size.runs + 1)
    )


def descent_tasks(size: RunSize) -> tuple[Task, ...]:
    """A network by gradient descent for each seed."""
    return tuple(
        learning_task("swarm-descent", "checkers", descent_options(size, seed))
        for seed in range(1, size.runs + 1)
    )
