"""Section 7 of the swarm thesis: a network trained by a swarm, and one by gradient descent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clauseboard.papers.learned import against_random, options_of
from clauseboard.papers.machines import loaded
from clauseboard.papers.matches import match_figures
from clauseboard.papers.materials import Materials
from clauseboard.papers.swarm_tables import (
    NO_NUMBERS,
    SIZES,
    SOURCE,
    descent_tasks,
    swarm_tasks,
)
from clauseboard.papers.table import Done, Figure, Size, Table, Task, Told, Values

SWARM, DESCENT = "swarm", "gradient descent"
OPENING = 4
"""Random moves at the start of a game between two networks, which would always be the same."""

SEARCHES = {"one move ahead": "", "three moves ahead": ",search=alpha_beta,depth=3"}


def plan(size: Size, materials: Materials) -> list[Figure]:
    """Both against random moves, and against each other."""
    n_games = size.games or 400
    ways = {SWARM: swarm_tasks(size), DESCENT: descent_tasks(size)}
    figures = []
    for ahead, search in SEARCHES.items():
        for way, learned in ways.items():
            line, machines = f"swarm:network={{0}}{search}", [(one,) for one in learned]
            tasks = against_random("checkers", line, machines, n_games)
            row = f"{way} against random moves, {ahead}"
            settings = options_of(learned[0])
            figures += match_figures(row, ("wins", "losses"), None, tasks, settings, of=100)
    pairs = tuple(
        Task(compare, {"games": n_games, "seed": 1}, needs=pair)
        for pair in zip(ways[SWARM], ways[DESCENT], strict=True)
    )
    row = f"{SWARM} against {DESCENT}, one move ahead"
    for name in ("wins", "losses", "draws"):
        figures.append(Figure(row, name, None, pairs, share(name), digits=0))
    return figures


def share(name: str) -> Values:
    """A function that reads off how many games of a hundred ended so."""

    def values(done: Sequence[Done]) -> list[float]:
        return [100 * one.result[name] / sum(one.result.values()) for one in done]

    return values


def compare(tasks: Sequence[Task], told: Told, device: str) -> list[Mapping[str, Any]]:
    """Games between two networks: how many the first one wins, loses and draws."""
    return [_compared(task) for task in tasks]


def _compared(task: Task) -> dict[str, int]:
    from clauseboard.learners.swarm.games import play
    from clauseboard.learners.swarm.network import load_network

    first, second = (loaded(result, load_network) for result in task.given)
    n_games, seed = task.settings["games"], task.settings["seed"]
    own = np.arange(n_games) % 2
    counters = np.random.default_rng(seed).integers(0, 2**64, n_games, np.uint64)
    played = play(
        first.shape.stack(first.weights).beside(second.shape.stack(second.weights)),
        np.stack([own, 1 - own], axis=1),
        counters,
        opening=OPENING,
    )
    scores = played.scores(own)
    return {
        "wins": int((scores > 0).sum()),
        "losses": int((scores < 0).sum()),
        "draws": int((scores == 0).sum()),
    }


TABLE = Table(
    source=SOURCE,
    number="section 7",
    where="section 7, requirements analysis: one implementation with gradient descent, and a "
    "second with particle swarm optimisation",
    title="swarm against gradient descent",
    plan=plan,
    headline=(f"{SWARM} against {DESCENT}, one move ahead", "wins"),
    notes=(
        NO_NUMBERS,
        "Games of a hundred, half of them with either colour. The two ways get their usual games "
        "to learn from, or the same part of them: the swarm's are about twenty times as many.",
        "Gradient descent learns from random games what boards are worth, a swarm how to play one "
        "move ahead; further ahead the swarm's networks are not made for.",
    ),
    sizes=SIZES,
)
