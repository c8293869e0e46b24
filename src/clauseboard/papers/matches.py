"""The work of tables of matches: games between players, some of whom were trained for it.

A player is a line as the command line takes it; `{0}` in it stands for the file of the machine that
came out of the first of the tasks that the match needs, `{1}` for that of the second. Colours are
not swapped unless a table asks for it: it is part of what was published who began.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clauseboard.papers.machines import kept_machine
from clauseboard.papers.table import Done, Figure, Task, Told, Values

GAMES_A_TASK = 10
"""So that several processes share a match, and a run that is stopped loses no more than these."""

DRAWS = "draws"

FIRST_MOVES = 6
"""Of each game, that are kept."""


@dataclass(frozen=True)
class Pairing:
    """Two players, the first of whom begins, and what they play."""

    game: str
    first: str
    second: str
    machines: tuple[Task, ...] = ()
    """Tasks of machines that are kept, which the players' lines name by number."""
    swap: bool = False
    """Whether the second player begins in the second half of the games."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Of the game."""
    most_moves: int = 2000
    """After which a game that the rules do not end is a draw."""
    seed: int = 1

    def tasks(self, n_games: int) -> tuple[Task, ...]:
        """The tasks that play so many games; longer matches begin with the games of shorter ones.

        (Where players swap, the half-way mark is another one.)
        """
        return tuple(
            Task(
                play,
                {
                    "game": self.game,
                    "parameters": dict(self.parameters),
                    "players": [self.first, self.second],
                    "numbers": [begin, min(begin + GAMES_A_TASK, n_games)],
                    "swapped_from": (n_games + 1) // 2 if self.swap else None,
                    "most_moves": self.most_moves,
                    "seed": self.seed,
                },
                needs=self.machines,
            )
            for begin in range(0, n_games, GAMES_A_TASK)
        )


def needs_machine(line: str) -> bool:
    """Whether a player's line has a place for a machine.

    >>> needs_machine("tsetlin:machine={0}"), needs_machine("material:depth=3")
    (True, False)
    """
    return "{" in line


def play(tasks: Sequence[Task], told: Told, device: str) -> list[Mapping[str, Any]]:
    """Do such tasks: play some games of a match each."""
    return [{"games": _games(task)} for task in tasks]


def _games(task: Task) -> list[dict[str, Any]]:
    """Who won each game (0, 1 or None for a draw), why, how long it was, and how it began."""
    from clauseboard.arena.playing import derived_seed, play_game
    from clauseboard.game import load_game
    from clauseboard.players import read_player

    settings = task.settings
    game = load_game(settings["game"], **settings["parameters"])
    found = []
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
                found.append(
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
    return found


def games_of(done: Sequence[Done]) -> list[Mapping[str, Any]]:
    """The games of a match, out of all its tasks."""
    return [game for one in done for game in one.result["games"]]


Counted = Callable[[Mapping[str, Any]], bool]
"""Whether a game counts."""


def number_of(counts: Counted, of: int) -> Values:
    """A function that counts games, as if as many had been played as were published."""

    def values(done: Sequence[Done]) -> list[float]:
        games = games_of(done)
        return [of * sum(map(counts, games)) / len(games)]

    return values


def won_by(player: int | None) -> Counted:
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
    """Wins of both players and draws; ours as if as many games had been played as published."""
    of = of if published is None else sum(published)
    if of is None:
        raise ValueError("Say of how many games: nothing is published to tell it.")
    results: tuple[tuple[str, int | None], ...] = ((names[0], 0), (names[1], 1), (DRAWS, None))
    return [
        Figure(
            row,
            name,
            None if published is None else published[place],
            tasks,
            number_of(won_by(player), of),
            settings=settings,
            digits=0,
        )
        for place, (name, player) in enumerate(results)
    ]
