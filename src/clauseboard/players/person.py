"""A person at a terminal, who is shown the board and asked for moves."""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

from clauseboard.evaluation import Limit
from clauseboard.game import Game, NotationError
from clauseboard.player import Choice, Cost, Player
from clauseboard.players.searcher import check_game, check_going_on

RESIGN, MOVES, HELP = "resign", "moves", "help"


class Person(Player):
    """A person at the terminal, who is asked for moves in the game's notation.

    Where the input ends the person resigns.
    """

    needs_terminal = True
    """So that an arena asks for moves in its own process, and in no other one."""

    def __init__(self, game: Game) -> None:
        self.name = "person"
        self.game = game
        self.input: TextIO | None = None
        """Where moves are read from; None is the standard input."""
        self.output: TextIO | None = None
        """Where the board is shown; None is the standard output."""

    def begin(self, game: Game, colour: str, seed: int) -> None:
        """Tell the person which side is theirs."""
        check_game(self, self.game, game)
        self._say(f"You play {colour}. Type a move, or {HELP!r}.")

    def choose(self, position: Any, limit: Limit | None = None) -> Choice:
        """Ask until there is a legal move."""
        check_going_on(position)
        start = time.perf_counter()
        self._say(f"\n{position}")
        while True:
            self._say(f"{position.to_move}> ", end="")
            text = self._read()
            if text is None or text.lower() == RESIGN:
                self._say("" if text else f"\n{position.to_move} resigns.")
                return Choice(None, cost=_cost(start), resigns=True)
            if text.lower() == MOVES:
                self._say(", ".join(position.write_move(move) for move in position.moves()))
            elif text.lower() in (HELP, "?"):
                example = position.write_move(position.moves()[0])
                self._say(f"A move is written like {example}; or type {MOVES!r} or {RESIGN!r}.")
            elif text:
                try:
                    move = position.read_move(text)
                except NotationError as error:
                    self._say(f"Invalid move. {error}")
                else:
                    return Choice(move, line=(move,), cost=_cost(start))

    def _read(self) -> str | None:
        """A line; None where there are no more."""
        line = (self.input or sys.stdin).readline()
        return line.strip() if line else None

    def _say(self, text: str, end: str = "\n") -> None:
        print(text, end=end, file=self.output or sys.stdout, flush=True)


def _cost(start: float) -> Cost:
    return Cost(seconds=time.perf_counter() - start)


PLAYER = Person
