"""A whole game, judged move by move: where it turned, and what would have been better.

A player is asked before every move. What the move played cost is the value of its best move, less
what it thinks of the position that came instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.explaining.account import Account, signed
from clauseboard.explaining.asking import explain_choice, explain_reply
from clauseboard.explaining.comparing import Comparison, compare
from clauseboard.explanation import Explanation
from clauseboard.games.records import Recorded
from clauseboard.player import Choice, Player
from clauseboard.players.searcher import explain_end


@dataclass(frozen=True)
class Turn:
    """A move of the game: what the mover's best was worth, and what the move played was worth."""

    number: int
    """Moves before it."""
    position: Any
    played: Any
    best: Any
    value_best: float
    value_played: float

    @property
    def colour(self) -> str:
        """Who moved."""
        colour: str = self.position.to_move
        return colour

    @property
    def text(self) -> str:
        """The move played, as the game writes it."""
        written: str = self.position.game.write_move(self.position, self.played)
        return written

    @property
    def best_text(self) -> str:
        """The better move."""
        written: str = self.position.game.write_move(self.position, self.best)
        return written

    @property
    def sentence(self) -> str:
        """What was played and what would have been better, with their values."""
        return (
            f"Move {self.number + 1}: {self.colour} played {self.text} "
            f"({signed(self.value_played, 2)}); better was {self.best_text} "
            f"({signed(self.value_best, 2)})"
        )

    @property
    def cost(self) -> float:
        """What was lost by the move; 0 if it was the best, or turned out better than that."""
        return 0.0 if self.played == self.best else max(0.0, self.value_best - self.value_played)


@dataclass(frozen=True)
class GameReport:
    """A game and what a player thinks of it.

    `values` has one number for each position, for the game's first colour. `turning_points` are
    the costliest moves in the order of play, each with the comparison of the better move with it,
    or None where the player gives values only.
    """

    recorded: Recorded
    player: str
    values: tuple[float, ...]
    turns: tuple[Turn, ...]
    turning_points: tuple[tuple[Turn, Comparison | None], ...]

    def summary(self) -> str:
        """The report in a few lines of text."""
        colours = self.recorded.game.colours
        lines = [
            f"{len(self.turns)} moves, judged by {self.player}: {signed(self.values[0], 2)} for "
            f"{colours[0]} at the start, {signed(self.values[-1], 2)} at the end."
        ]
        for colour in colours:
            cost = sum(turn.cost for turn in self.turns if turn.colour == colour)
            lines.append(f"{colour} gave away {cost:.2f} by its moves.")
        for turn, _ in self.turning_points:
            lines.append(f"{turn.sentence}.")
        return "\n".join(lines)


def report_game(
    recorded: Recorded,
    player: Player,
    limit: Limit | None = None,
    *,
    most: int = 5,
    least: float = 0.1,
    told: Callable[[float], None] | None = None,
) -> GameReport:
    """Ask a player about every position of a game.

    At most `most` turning points are told, none of which cost less than `least`.
    """
    if most < 0 or least < 0:
        raise ValueError(f"most={most} and least={least} are numbers from 0 on.")
    if not recorded.moves:
        raise ValueError("The game has no moves to judge.")
    game = recorded.game
    for colour in game.colours:
        player.begin(game, colour, 0)
    choices: list[Choice | None] = []
    for done, position in enumerate(recorded.positions):
        over = position.outcome() is not None
        choices.append(None if over else _asked(player, position, limit))
        if told is not None:
            told((done + 1) / len(recorded.positions))
    worth = [_worth(p, c) for p, c in zip(recorded.positions, choices, strict=True)]
    turns = []
    for n, (position, move) in enumerate(zip(recorded.positions, recorded.moves, strict=False)):
        choice = choices[n]
        if choice is None:
            break
        after = recorded.positions[n + 1]
        sign = 1 if after.to_move == position.to_move else -1
        turns.append(Turn(n, position, move, choice.move, worth[n], sign * worth[n + 1]))
    costly = sorted((t for t in turns if t.cost and t.cost >= least), key=lambda t: -t.cost)[:most]
    points = []
    for turn in sorted(costly, key=lambda turn: turn.number):
        points.append((turn, _why(player, turn, choices)))
    first = game.colours[0]
    values = tuple(
        value if position.to_move == first else -value
        for position, value in zip(recorded.positions, worth, strict=True)
    )
    return GameReport(recorded, str(player), values, tuple(turns), tuple(points))


def _asked(player: Player, position: Any, limit: Limit | None) -> Choice:
    choice = player.choose(position, limit)
    if choice.value is None:
        raise ValueError(f"The player {player} says no values; a report needs one that judges.")
    return choice


def _worth(position: Any, choice: Choice | None) -> float:
    """The value for the side to move."""
    if choice is None:
        return explain_end(position, ()).value
    return float(choice.value or 0.0)


def _why(player: Player, turn: Turn, choices: list[Choice | None]) -> Comparison | None:
    choice, reply = choices[turn.number], choices[turn.number + 1]
    if choice is None or choice.explain is None:
        return None
    better = explain_choice(player, turn.position, choice)
    if reply is None:
        ended: Explanation = explain_end(turn.position.play(turn.played), (turn.played,))
        return compare(better, Account(ended, turn.position))
    return compare(better, explain_reply(player, turn.position, turn.played, reply))
