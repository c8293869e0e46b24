"""Section 10.3 of the swarm thesis: how a swarm of networks gets better, round by round."""

from __future__ import annotations

import statistics

from clauseboard.papers.experiment import Figure, PaperTable, Plot, ResultLookup, RunSize
from clauseboard.papers.learned import curve, figure_after, options_of
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.swarm_tables import NO_NUMBERS, SIZES, SOURCE, SWARMS, swarm_tasks

CHANCE = "against chance"
"""The trainer's own word for the share of games won against random moves."""

WINS = "games won against random moves, %"


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Wins against random moves and fitness, after the first round and after the last."""
    figures = []
    for swarm, changes in SWARMS.items():
        tasks = swarm_tasks(size, **changes)
        settings = options_of(tasks[0])
        for step, when in ((0, "first"), (-1, "last")):
            row = f"{swarm}, after the {when} round"
            figures += [
                Figure(row, WINS, None, tasks, figure_after(CHANCE, step, 100), settings=settings),
                Figure(row, "mean fitness", None, tasks, figure_after("mean fitness", step)),
            ]
    return figures


def pictures(size: RunSize, source: BoardSource, look: ResultLookup) -> list[Plot]:
    """The training curves: a mean over the seeds."""
    curves = {
        swarm: [
            statistics.fmean(values)
            for values in zip(
                *(curve(look(task), CHANCE, 100) for task in swarm_tasks(size, **changes)),
                strict=True,
            )
        ]
        for swarm, changes in SWARMS.items()
    }
    return [Plot("training", "Training by a swarm", curves, {}, "round", WINS)]


TABLE = PaperTable(
    source=SOURCE,
    number="section 10.3",
    where="section 10.3, particle swarm optimization: velocity, place and fitness",
    title="training curve",
    plan=plan,
    headline=("our swarm, after the last round", WINS),
    notes=(
        NO_NUMBERS,
        "After each round the leader plays 40 games against random moves; nothing is learned from "
        "those. Fitness is 1 for a win, -2 for a loss, 0 for a draw, against others of the swarm.",
        "The thesis's swarm has inertia 1, no limit to velocities, a best that stands for good, no "
        "captures played out, and no random moves but the first four of a game, without which all "
        "games would be one.",
    ),
    pictures=pictures,
    sizes=SIZES,
)
