"""Tables of matches: games between players, some of whom are trained first.

A player is a line as the command line takes it; `{0}` in it stands for the file of the machine from
the first of the tasks that the match needs, `{1}` for that of the second. Colours are not swapped
unless a table asks for it: who began is part of what was published.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from clauseboard.arena.playing import derived_seed, play_game
from clauseboard.game import load_game
from clauseboard.learners import load_trainer, make_options
from clauseboard.papers import (
    Contents,
    Figure,
    JsonObject,
    ReadValues,
    RunSize,
    Task,
    TaskResult,
    of_each,
    one_by_one,
)
from clauseboard.papers.boards import Run
from clauseboard.papers.training import as_text, kept_machine
from clauseboard.players import read_player

GAMES_PER_TASK = 10
"""So that several processes share a match, and a run that is stopped loses no more than these."""

DRAWS = "draws"

FIRST_MOVES = 6
"""Moves of each game that are kept."""


@dataclass(frozen=True)
class Pairing:
    """Two players, the first of whom begins, and the game they play."""

    game: str
    first: str
    second: str
    machines: tuple[Task, ...] = ()
    """Tasks with `keep`, whose machines the players' lines name by number."""
    swap: bool = False
    """Whether the second player begins in the second half of the games."""
    parameters: Mapping[str, int | None] = field(default_factory=dict)
    """Of the game."""
    most_moves: int = 2000
    """A game that the rules do not end is a draw after these."""
    seed: int = 1

    def tasks(self, n_games: int) -> tuple[Task, ...]:
        """Tasks that play the games; longer matches begin with the games of shorter ones.

        (Where players swap, the half-way mark differs.)
        """
        return tuple(
            Task(
                play,
                {
                    "game": self.game,
                    "parameters": dict(self.parameters),
                    "players": [self.first, self.second],
                    "numbers": [begin, min(begin + GAMES_PER_TASK, n_games)],
                    "swapped_from": (n_games + 1) // 2 if self.swap else None,
                    "most_moves": self.most_moves,
                    "seed": self.seed,
                },
                needs=self.machines,
            )
            for begin in range(0, n_games, GAMES_PER_TASK)
        )


def needs_machine(line: str) -> bool:
    """Whether a player's line has a place for a machine.

    >>> needs_machine("tsetlin:machine={0}"), needs_machine("material:depth=3")
    (True, False)
    """
    return "{" in line


@one_by_one("matches.play")
def play(task: Task) -> JsonObject:
    """Play some games: winner (0, 1 or None for a draw), reason, length and first moves of each."""
    settings = task.settings
    game = load_game(settings["game"], **settings["parameters"])
    games = []
    with tempfile.TemporaryDirectory() as folder:
        files = [
            kept_machine(result, Path(folder) / f"{n}.tm") for n, result in enumerate(task.given)
        ]
        players = [read_player(line.format(*files), game) for line in settings["players"]]
        try:
            for number in range(*settings["numbers"]):
                swapped_from = settings["swapped_from"]
                swapped = swapped_from is not None and number >= swapped_from
                record = play_game(
                    game,
                    players[::-1] if swapped else players,
                    seed=derived_seed(settings["seed"], number),
                    most_moves=settings["most_moves"],
                )
                winner = None if record.winner is None else game.colours.index(record.winner)
                games.append(
                    {
                        "winner": winner if winner is None else winner ^ swapped,
                        "reason": record.reason,
                        "ending": record.ending,
                        "moves": len(record.moves),
                        "begins": list(record.moves[:FIRST_MOVES]),
                    }
                )
        finally:
            for player in players:
                player.close()
    return {"games": games}


# ---- counting games


def games_of(done: Sequence[TaskResult]) -> list[JsonObject]:
    """The games of a match, out of all its tasks."""
    return [game for task in done for game in task.result["games"]]


GameTest = Callable[[JsonObject], bool]
"""Whether a game counts."""


def number_of(counts: GameTest, of: int) -> ReadValues:
    """The number of games that count, scaled to as many games as were published."""

    def values(done: Sequence[TaskResult]) -> list[float]:
        games = games_of(done)
        return [of * sum(map(counts, games)) / len(games)]

    return values


def won_by(player: int | None) -> GameTest:
    """Whether a game was won by the first player (0), by the second (1), or by none."""
    return lambda game: game["winner"] == player


def match_figures(
    row: str,
    names: tuple[str, str],
    published: tuple[int, int, int] | None,
    tasks: tuple[Task, ...],
    settings: str = "",
    of: int | None = None,
) -> list[Figure]:
    """Wins of both players and draws, scaled to as many games as were published, or to `of`."""
    of = of if published is None else sum(published)
    if of is None:
        raise ValueError("Say of how many games: nothing is published to tell it.")
    results: tuple[tuple[str, int | None], ...] = ((names[0], 0), (names[1], 1), (DRAWS, None))
    return [
        Figure(row, name, None if published is None else published[place], tasks,
               number_of(won_by(player), of), settings=settings, digits=0)
        for place, (name, player) in enumerate(results)
    ]  # fmt: skip


# ---- a table of one match


class MatchSide(NamedTuple):
    """One side of a match: its name in the table, and the player's line; None: not available."""

    name: str
    line: str | None


@dataclass(frozen=True)
class MatchTable(Contents):
    """Wins of both sides and draws.

    If a side is not available here, its row has no figures of ours; `stand_ins` are rows of matches
    with others in its place, for which nothing is published.
    """

    game: str
    sides: tuple[MatchSide, MatchSide]
    published: tuple[int, int, int]
    machines: Callable[[Run], tuple[Task, ...]]
    """Tasks that train the machines of the players' lines."""
    machine_text: Callable[[RunSize], str]
    """The settings of those machines, in words."""
    swap: bool = False
    stand_ins: Mapping[str, tuple[MatchSide, MatchSide]] = field(default_factory=dict)

    @property
    def rows(self) -> dict[str, tuple[MatchSide, MatchSide]]:
        """The sides by the name of their row."""
        first, second = self.sides
        return {f"{first.name} against {second.name}": self.sides, **self.stand_ins}

    @staticmethod
    def needs_machines(sides: tuple[MatchSide, MatchSide]) -> bool:
        """Whether one of the sides plays with a machine."""
        return any(side.line is not None and needs_machine(side.line) for side in sides)

    def figures(self, run: Run) -> list[Figure]:
        """Three figures for each row."""
        n_games = sum(self.published)
        figures: list[Figure] = []
        for row, (first, second) in self.rows.items():
            tasks: tuple[Task, ...] = ()
            settings = "not at hand"
            if first.line is not None and second.line is not None:
                lines = first.line, second.line
                tasks = self.tasks(run, lines, n_games)
                settings = self.describe(run.size, lines, n_games)
            published = self.published if row not in self.stand_ins else None
            names = first.name, second.name
            figures += match_figures(row, names, published, tasks, settings, n_games)
        return figures

    def tasks(self, run: Run, lines: tuple[str, str], n_games: int) -> tuple[Task, ...]:
        """The games of a match, or as many of them as the size has."""
        machines = self.machines(run) if any(map(needs_machine, lines)) else ()
        pairing = Pairing(self.game, *lines, machines=machines, swap=self.swap)
        return pairing.tasks(run.size.games_of(n_games))

    def describe(self, size: RunSize, lines: tuple[str, str], n_games: int) -> str:
        """A match in words."""
        games = f"{size.games_of(n_games)} games of {lines[0]} against {lines[1]}"
        return games + (self.machine_text(size) if any(map(needs_machine, lines)) else "")


# ---- learners that teach themselves


def learning_task(trainer: str, game: str, options: JsonObject, *, untrained: bool = False) -> Task:
    """Train by a trainer of `clauseboard train`; `untrained`: keep its initial state."""
    settings = {
        "trainer": trainer,
        "game": game,
        "options": dict(options),
        "seed": options.get("seed", 1),
        "untrained": untrained,
    }
    return Task(learn, settings)


def options_of(task: Task) -> str:
    """The options given to a trainer, in words.

    >>> options_of(learning_task("swarm", "checkers", {"rounds": 3, "rejudge": False}))
    'rounds 3, rejudge False'
    """
    return ", ".join(f"{name} {value}" for name, value in task.settings["options"].items())


@one_by_one("learned.learn")
def learn(task: Task) -> JsonObject:
    """Run a trainer: its figures after each step, its notes and the file it saves.

    Players of a match can use the file as they use a machine.
    """
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
    """Games of a player against random moves, half with either colour, `n_games` per machine."""
    return tuple(
        task
        for needs in machines
        for task in Pairing(game, line, "random", machines=needs, swap=True).tasks(n_games)
    )


def figure_after(name: str, step: int, scale: float = 1.0) -> ReadValues:
    """A trainer's figure after a step, counted from 0; -1 is the last."""
    return of_each(lambda result: scale * result["steps"][step][name])


def curve(done: TaskResult, name: str, scale: float = 1.0) -> list[float]:
    """A trainer's figure after each step."""
    return [scale * step[name] for step in done.result["steps"]]
