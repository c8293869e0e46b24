"""The tables of the swarm thesis.

Daniel Boonzaaier, *Training a Neural Network for Checkers*, University of the Western Cape 2017. It
describes how networks are to be trained and judged, and prints one result: figure 1.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from clauseboard.learners.swarm.network import load_network, play
from clauseboard.papers import (
    Computed,
    Figure,
    JsonObject,
    PaperTable,
    Plot,
    ReadValues,
    ResultLookup,
    RunSize,
    Task,
    TaskResult,
    of_each,
    one_by_one,
    sizes,
)
from clauseboard.papers.boards import Run
from clauseboard.papers.matches import (
    Pairing,
    against_random,
    curve,
    figure_after,
    learning_task,
    match_figures,
    options_of,
)
from clauseboard.papers.shapes import mean_curve
from clauseboard.papers.training import loaded

table = partial(PaperTable, "swarm thesis")

SIZES = sizes({"games": 4}, {"share": 1 / 10, "runs": 3, "games": 100}, {"runs": 10, "games": 400})
"""`share` is that of the games learned from, `runs` the number of seeds."""

NO_NUMBERS = (
    "The document plans this and prints no numbers of it, so that there are none to compare. Those "
    "that it does not tell of, such as how many networks and games, are ours."
)

# ---- figure 1: random against random

GAMES = 1000
RESULTS = (425, 393, 182)
"""Games that black wins, that white wins, and draws."""

SECONDS = 22.05
MOST_MOVES = {"100 moves in all are a draw": 100, "100 moves of each side are": 200}

NO_OTHER_DRAWS = {"repetitions": None, "quiet_moves": None}
"""The thesis knows no other draws."""


def plan_random(run: Run) -> list[Figure]:
    """The results of random games, for both meanings of a hundred moves."""
    figures = []
    for row, most in MOST_MOVES.items():
        pairing = Pairing(
            "checkers", "random", "random", parameters=NO_OTHER_DRAWS, most_moves=most
        )
        tasks = pairing.tasks(run.size.games_of(GAMES))
        figures += match_figures(row, ("black wins", "white wins"), RESULTS, tasks)
        figures.append(Figure(row, "seconds", SECONDS, tasks, seconds))
    return figures


def seconds(done: Sequence[TaskResult]) -> list[float]:
    """The time for a thousand games."""
    n_games = sum(len(task.result["games"]) for task in done)
    return [GAMES * sum(task.seconds for task in done) / n_games]


# ---- training

THESIS: dict[str, float] = {
    "inertia": 1.0, "max_speed": 0.0, "rejudge": False, "explore": 0.0, "captures": False,
    "balanced": False, "biases": False,
}  # fmt: skip
"""The formula of the thesis; only its openings are not all the same, as they would be there."""

SWARMS: dict[str, dict[str, float]] = {"our swarm": {}, "the thesis's swarm": THESIS}


def player_line(options: JsonObject) -> str:
    """The player of a network: it looks as far ahead as in training with these options."""
    if options.get("captures", True):
        return "swarm:network={0}"
    return "swarm:network={0},search=alpha_beta,depth=1,quiescence=false,endgames=false"


def swarm_options(size: RunSize, seed: int, changes: Mapping[str, float]) -> dict[str, float]:
    """The options of a swarm, with a part of the rounds and games of the usual one."""
    if size.name == "quick":
        small = {"rounds": 3, "particles": 4, "games": 4, "hidden": 2}
    else:
        # A tenth of the games is less than a third of both.
        part = size.share**0.5
        small = {"rounds": round(100 * part), "games": round(200 * part)}
    return {"seed": seed, **small, **changes}


def swarm_tasks(
    size: RunSize, changes: Mapping[str, float] | None = None, untrained: bool = False
) -> tuple[Task, ...]:
    """A swarm for each seed."""
    return tuple(
        learning_task(
            "swarm", "checkers", swarm_options(size, seed, changes or {}), untrained=untrained
        )
        for seed in range(1, size.runs + 1)
    )


def descent_tasks(size: RunSize) -> tuple[Task, ...]:
    """A network by gradient descent for each seed, with a part of the usual games."""
    if size.name == "quick":
        options = {"rounds": 3, "games": 20, "hidden": 2}
    else:
        options = {"games": round(1000 * min(1.0, 2 * size.share))}
    return tuple(
        learning_task("swarm-descent", "checkers", {"seed": seed, **options})
        for seed in range(1, size.runs + 1)
    )


# ---- section 7: swarm against gradient descent

OPENING = 4
"""Random moves at the start of a game between two networks, which would always be the same."""

SEARCHES = {"one move ahead": "", "three moves ahead": ",search=alpha_beta,depth=3"}


def plan_ways(run: Run) -> list[Figure]:
    """Both ways of training against random moves, and against each other."""
    n_games = run.size.games or 400
    ways = {"swarm": swarm_tasks(run.size), "gradient descent": descent_tasks(run.size)}
    figures = []
    for ahead, search in SEARCHES.items():
        for way, learned in ways.items():
            line, machines = f"swarm:network={{0}}{search}", [(task,) for task in learned]
            tasks = against_random("checkers", line, machines, n_games)
            figures += match_figures(
                f"{way} against random moves, {ahead}", ("wins", "losses"), None, tasks,
                options_of(learned), len(learned),
            )  # fmt: skip
    pairs = tuple(
        Task(compare, {"games": n_games, "seed": 1}, needs=pair)
        for pair in zip(*ways.values(), strict=True)
    )
    row = "swarm against gradient descent, one move ahead"
    return figures + [
        Figure(row, f"{name}, %", None, pairs, share(name), digits=1)
        for name in ("wins", "losses", "draws")
    ]


def share(name: str) -> ReadValues:
    """The percentage of games that ended so."""
    return of_each(lambda result: 100 * result[name] / sum(result.values()))


@one_by_one("swarm_section_7.compare")
def compare(task: Task) -> JsonObject:
    """Games between two networks: how many the first one wins, loses and draws."""
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


# ---- section 10: strength and training curve


def plan_strength(run: Run) -> list[Figure]:
    """Games against random moves, before training and after."""
    figures = []
    for (swarm, changes), untrained in itertools.product(SWARMS.items(), (True, False)):
        learned = swarm_tasks(run.size, changes, untrained)
        machines = [(task,) for task in learned]
        tasks = against_random("checkers", player_line(changes), machines, run.size.games or 400)
        figures += match_figures(
            f"{swarm}, {'before' if untrained else 'after'} training", ("wins", "losses"), None,
            tasks, options_of(learned), len(learned),
        )  # fmt: skip
    return figures


CHANCE = "against chance"
"""The trainer's own name of the share of games won against random moves."""

WINS = "games won against random moves, %"


def plan_curve(run: Run) -> list[Figure]:
    """Wins against random moves and fitness, after the first round and after the last."""
    figures = []
    for swarm, changes in SWARMS.items():
        tasks = swarm_tasks(run.size, changes)
        for step, when in ((0, "first"), (-1, "last")):
            row = f"{swarm}, after the {when} round"
            figures += [
                Figure(row, name, None, tasks, read, settings=options_of(tasks))
                for name, read in (
                    (WINS, figure_after(CHANCE, step, 100)),
                    ("mean fitness", figure_after("mean fitness", step)),
                )
            ]
    return figures


def plot_curve(run: Run, results: ResultLookup) -> list[Plot]:
    """The training curves: a mean over the seeds."""
    curves = {
        swarm: mean_curve(
            curve(results(task), CHANCE, 100) for task in swarm_tasks(run.size, changes)
        )
        for swarm, changes in SWARMS.items()
    }
    return [Plot("training", "Training by a swarm", curves, {}, "round", WINS)]


TABLES = (
    table(
        "figure 1",
        "section 8.1, figure 1: example of output for checkers games played",
        "random against random",
        Computed(plan_random),
        headline=(next(iter(MOST_MOVES)), "draws, %"),
        notes=(
            "White's wins cannot be read in the figure; they are what is left of a thousand games. "
            "All are shown in percent.",
            "The thesis calls a game a draw after a hundred moves and does not say whether those "
            "of one side or of both; both are there.",
            "Seconds are those of a thousand games on the machine at hand.",
        ),
        difference="the first row agrees but for its seconds, on another machine; so a hundred "
        "moves are those of both sides",
        sizes=sizes(
            {"games": 20},
            {"boards": None, "folds": 10, "share": 1.0, "epochs": 500, "games": GAMES},
        ),
    ),
    table(
        "section 7",
        "section 7, requirements analysis: one implementation with gradient descent, and a "
        "second with particle swarm optimisation",
        "swarm against gradient descent",
        Computed(plan_ways),
        headline=("swarm against gradient descent, one move ahead", "wins, %"),
        notes=(
            NO_NUMBERS,
            "Percent of games, half of them with either colour. The two ways get their usual "
            "games to learn from, or the same part of them: the swarm's are about twenty times as "
            "many.",
            "Gradient descent learns from random games what boards are worth, a swarm how to play "
            "one move ahead; further ahead the swarm's networks are not made for.",
        ),
        sizes=SIZES,
    ),
    table(
        "section 10.2",
        "section 10.2: at minimum the neural network should play better than a game played "
        "against that of randomly chosen moves",
        "strength against random moves",
        Computed(plan_strength),
        headline=("our swarm, after training", "wins, %"),
        notes=(
            NO_NUMBERS,
            "Percent of games against random moves, half of them with either colour. The network "
            "looks one move ahead; ours plays captures out before it judges. What the thesis asks "
            "for is more wins than losses.",
        ),
        sizes=SIZES,
    ),
    table(
        "section 10.3",
        "section 10.3, particle swarm optimization: velocity, place and fitness",
        "training curve",
        Computed(plan_curve, plot_curve),
        headline=("our swarm, after the last round", WINS),
        notes=(
            NO_NUMBERS,
            "After each round the leader plays 40 games against random moves; nothing is learned "
            "from those. Fitness is 1 for a win, -2 for a loss, 0 for a draw, against others of "
            "the swarm.",
            "The thesis's swarm has inertia 1, no limit to velocities, a best that stands for "
            "good, no biases, no captures played out, and no random moves but the first four of a "
            "game, without which all games would be one.",
        ),
        sizes=SIZES,
    ),
)
