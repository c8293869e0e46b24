"""Section 10.2 of the swarm thesis: a trained network is to be better than random moves."""

from __future__ import annotations

import itertools

from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.learned import against_random, options_of
from clauseboard.papers.matches import match_figures
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.swarm_tables import (
    NO_NUMBERS,
    SIZES,
    SOURCE,
    SWARMS,
    player_line,
    swarm_tasks,
)

WINS, LOSSES = "wins", "losses"


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Games against random moves, of a hundred, before training and after."""
    n_games = size.games or 400
    figures = []
    for (swarm, changes), untrained in itertools.product(SWARMS.items(), (True, False)):
        learned = swarm_tasks(size, untrained=untrained, **changes)
        machines = [(one,) for one in learned]
        tasks = against_random("checkers", player_line(changes), machines, n_games)
        row = f"{swarm}, {'before' if untrained else 'after'} training"
        settings = options_of(learned[0])
        figures += match_figures(row, (WINS, LOSSES), None, tasks, settings, of=100)
    return figures


TABLE = PaperTable(
    source=SOURCE,
    number="section 10.2",
    where="section 10.2: at minimum the neural network should play better than a game played "
    "against that of randomly chosen moves",
    title="strength against random moves",
    plan=plan,
    headline=("our swarm, after training", WINS),
    notes=(
        NO_NUMBERS,
        "Games of a hundred against random moves, half of them with either colour. The network "
        "looks one move ahead; ours plays captures out before it judges. What the thesis asks for "
        "is more wins than losses.",
    ),
    sizes=SIZES,
)
