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


def percent_of(counts: GameTest, groups: int = 1) -> ReadValues:
    """The percentage of games that count; one for each group, where several play as many games."""

    def values(done: Sequence[TaskResult]) -> list[float]:
        size = len(done) // groups
        matches = [games_of(done[first : first + size]) for first in range(0, len(done), size)]
        return [100 * sum(map(counts, games)) / len(games) for games in matches]

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
    groups: int = 1,
) -> list[Figure]:
    """Wins of both players and draws, in percent of the games; `published` are numbers of games.

    `groups` is the number of seeds, or of pairs of machines, that play as many games each.
    """
    of = None if published is None else sum(published)
    shares = [None] * 3 if of is None else [100 * number / of for number in published or ()]
    results: tuple[tuple[str, int | None], ...] = ((names[0], 0), (names[1], 1), (DRAWS, None))
    return [
        Figure(row, f"{name}, %", shares[place], tasks, percent_of(won_by(player), groups),
               settings=settings, digits=1, published_games=of)
        for place, (name, player) in enumerate(results)
    ]  # fmt: skip


# ---- a table of one match


class MatchSide(NamedTuple):
    """One side of a match: its name in the table, and the player's line; None: not available."""

    name: str
    line: str | None


@dataclass(frozen=True)
class DrawRule:
    """When a game that nobody wins is over."""

    name: str
    """As it stands in the name of a row."""
    parameters: Mapping[str, int | None] = field(default_factory=dict)
    """Of the game."""
    most_moves: int = 2000


OUR_RULE = DrawRule("by our draw rule")


@dataclass(frozen=True)
class MatchTable(Contents):
    """Wins of both sides and draws, of one pair of machines or of several.

    If a side is not available here, its row has no figures of ours; `stand_ins` are rows of matches
    with others in its place, for which nothing is published.
    """

    game: str
    sides: tuple[MatchSide, MatchSide]
    published: tuple[int, int, int]
    """Numbers of games."""
    machines: Callable[[Run], Sequence[tuple[Task, ...]]]
    """Tasks that train the machines of the players' lines; the tasks of each pair of machines."""
    machine_text: Callable[[RunSize], str]
    """The settings of those machines, in words."""
    swap: bool = False
    stand_ins: Mapping[str, tuple[MatchSide, MatchSide]] = field(default_factory=dict)
    rules: tuple[DrawRule, ...] = (OUR_RULE,)
    """The first is that of the document, as far as it is known."""
    games: int | None = None
    """Games of each pair; None: as many as were published."""
    seed: int = 1

    @property
    def published_row(self) -> str:
        """The name of the row as published."""
        first, second = self.sides
        return f"{first.name} against {second.name}"

    @property
    def rows(self) -> dict[str, tuple[MatchSide, MatchSide]]:
        """The sides by the name of their row."""
        return {self.published_row: self.sides, **self.stand_ins}

    def with_opponent(self, line: str | None) -> dict[str, tuple[MatchSide, MatchSide]]:
        """The rows, and one in which a given player has the side that is not at hand."""
        missing = [side.line is None for side in self.sides]
        if line is None or sum(missing) != 1:
            return self.rows
        given = MatchSide(line, line)
        first, second = (
            given if absent else side for side, absent in zip(self.sides, missing, strict=True)
        )
        return {**self.rows, f"in its place: {line}": (first, second)}

    @staticmethod
    def needs_machines(sides: tuple[MatchSide, MatchSide]) -> bool:
        """Whether one of the sides plays with a machine."""
        return any(side.line is not None and needs_machine(side.line) for side in sides)

    def figures(self, run: Run) -> list[Figure]:
        """Three figures for each row."""
        figures: list[Figure] = []
        for row, sides in self.with_opponent(run.opponent).items():
            names, lines = (sides[0].name, sides[1].name), (sides[0].line, sides[1].line)
            published = self.published if row == self.published_row else None
            if lines[0] is None or lines[1] is None:
                figures += match_figures(row, names, published, (), "not at hand")
                continue
            for rule in self.rules:
                groups, tasks, settings = self.played(run, (lines[0], lines[1]), rule)
                figures += match_figures(
                    row if rule is self.rules[0] else f"{row}, {rule.name}",
                    names,
                    published if rule is self.rules[0] else None,
                    tasks,
                    settings,
                    groups,
                )
        return figures

    def played(
        self, run: Run, lines: tuple[str, str], rule: DrawRule
    ) -> tuple[int, tuple[Task, ...], str]:
        """The number of pairs of machines, the games of all of them, and the match in words."""
        with_machines = any(map(needs_machine, lines))
        pairs = self.machines(run) if with_machines else [()]
        n_games = run.size.games_of(self.games or sum(self.published))
        tasks = tuple(
            task
            for machines in pairs
            for task in Pairing(
                self.game, *lines, machines, self.swap, rule.parameters, rule.most_moves, self.seed
            ).tasks(n_games)
        )
        text = f"{n_games} games of {lines[0]} against {lines[1]}"
        if with_machines:
            text += f" by each of {len(pairs)} pairs of machines" if len(pairs) > 1 else ""
            text += self.machine_text(run.size)
        return len(pairs), tasks, text


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


def options_of(tasks: Sequence[Task]) -> str:
    """The options given to a trainer, in words; the tasks differ by their seeds.

    >>> options_of([learning_task("swarm", "checkers", {"rounds": 3, "seed": n}) for n in (1, 2)])
    'rounds 3, seeds 1 to 2'
    """
    options = {
        name: value for name, value in tasks[0].settings["options"].items() if name != "seed"
    }
    seeds = [task.settings["seed"] for task in tasks]
    told = f"seeds {seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"seed {seeds[0]}"
    return ", ".join([*(f"{name} {value}" for name, value in options.items()), told])


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
