"""Whole boards typed or pasted instead of moves, as the thesis on checkers has it.

A game that can be played so has a file `textboards.py`: `write_digits(position, before)` shows a
board and marks what has changed, `read_next_board(position, text)` finds the move to a board.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from clauseboard.game import Game
from clauseboard.games.plugins import BOARD_INPUT
from clauseboard.terminal.screen import Screen
from clauseboard.terminal.session import Session

ROWS = 8
_ROW = re.compile(r"\s*[xX]?\d[xX\d\s]*")
_BEGINS = re.compile(r"\s*[xX]?\d")
_FEN = re.compile(r"\s*[\"']?[BW]:", re.IGNORECASE)


class BoardInput:
    """Reads boards as they are pasted, and shows the turns in the same form."""

    help = (
        f"Paste the board after your move: {ROWS} rows of digits (0 empty, 1 black man, 2 black "
        "king, 3 white man, 4 white king; an x before a digit does not matter), or one line as "
        "CheckerBoard copies it (W:W21,...:B1,...). An empty line ends rows that went wrong. Moves "
        "in the game's notation are taken as well."
    )

    def __init__(self, game: Game) -> None:
        offered = BOARD_INPUT.find(game)
        if offered is None:
            listed = ", ".join(BOARD_INPUT.games())
            raise ValueError(
                f"There are no boards to paste in {game.name}; there are in {listed}. "
                "Type moves instead: --input move."
            )
        self._form = offered
        self._told = -1  # the turn that was announced last

    def read(self, session: Session, screen: Screen, ask: Callable[[str], str]) -> str:
        """A board, a command or a move."""
        if self._told != len(session.moves):
            self._told = len(session.moves)
            self._head(session, screen, len(session.moves))
        screen.show("Paste the board")
        rows: list[str] = []
        while True:
            line = ask("")
            if not (_BEGINS.match(line) if rows else _ROW.fullmatch(line)):
                # Rows end with an empty line; any other words are meant by themselves.
                return line if line.strip() else "\n".join(rows)
            rows.append(line)
            if len(rows) == ROWS:
                return "\n".join(rows)

    def is_board(self, text: str) -> bool:
        """Whether a text is meant as a board, be it a bad one."""
        return "\n" in text or bool(_FEN.match(text) or _ROW.fullmatch(text))

    def move(self, position: Any, text: str) -> Any:
        """The move from a position to a board; a `NotationError` says why there is none."""
        return self._form.read_next_board(position, text)

    def show_turn(self, session: Session, screen: Screen) -> None:
        """Show the board, with what the last move has changed."""
        screen.show(self._form.write_digits(session.position, session.before))
        self._told = -1

    def show_change(self, session: Session, screen: Screen) -> None:
        """Show what a move at the terminal has changed."""
        self.show_turn(session, screen)
        screen.show("")

    def show_reply(self, session: Session, screen: Screen, seconds: float) -> None:
        """Show the opponent's turn: its number, the board, and how long it took."""
        self._head(session, screen, len(session.moves) - 1)
        self.show_change(session, screen)
        screen.show(f"Time elapsed this turn: {seconds:.2f} seconds")

    def _head(self, session: Session, screen: Screen, number: int) -> None:
        side = session.game.colours.index(session.positions[number].to_move)
        screen.show(f"Turn number {number + 1}\nPlayer {side + 1}'s turn")
