"""Whole boards typed or pasted instead of moves, as the thesis on checkers has it.

A game that can be played so has in its `notation.py`: `write_digits(position, before)` shows a
board and marks what has changed, `read_next_board(position, text)` finds the move to a board.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from clauseboard.game import Game
from clauseboard.games.plugins import BOARD_INPUT
from clauseboard.terminal.game import TerminalGame
from clauseboard.terminal.screen import Screen

ROWS = 8
_ROW = re.compile(r"\s*[xX]?\d[xX\d\s]*")
_BEGINS = re.compile(r"\s*[xX]?\d")
_FEN = re.compile(r"\s*[\"']?[BW]:", re.IGNORECASE)


class BoardInput:
    """Reads boards as they are pasted, and shows the turns in the same form."""

    help = (
        f"Paste the board after your move: {ROWS} rows of digits (0 empty, 1 black man, 2 black "
        "king, 3 white man, 4 white king; an x before a digit is ignored), or one line as "
        "CheckerBoard copies it (W:W21,...:B1,...). An empty line discards the rows typed so far. "
        "Moves in the game's notation work as well."
    )

    def __init__(self, game: Game) -> None:
        form = BOARD_INPUT.find(game)
        if form is None:
            listed = ", ".join(BOARD_INPUT.games())
            raise ValueError(
                f"Boards cannot be pasted in {game.name}, only in {listed}. "
                "Type moves instead: --input move."
            )
        self._form = form
        self._announced = -1  # the turn that was announced last

    def read(self, session: TerminalGame, screen: Screen, ask: Callable[[str], str]) -> str:
        """A board, a command or a move."""
        if self._announced != session.ply:
            self._announced = session.ply
            self._head(session, screen, session.ply)
        screen.show("Paste the board")
        rows: list[str] = []
        while True:
            line = ask("")
            if not (_BEGINS.match(line) if rows else _ROW.fullmatch(line)):
                # Rows end with an empty line; any other line stands by itself.
                return line if line.strip() else "\n".join(rows)
            rows.append(line)
            if len(rows) == ROWS:
                return "\n".join(rows)

    def is_board(self, text: str) -> bool:
        """Whether a text is meant as a board, even a bad one."""
        return "\n" in text or bool(_FEN.match(text) or _ROW.fullmatch(text))

    def move(self, position: Any, text: str) -> Any:
        """The move from a position to a board; a `NotationError` says why there is none."""
        return self._form.read_next_board(position, text)

    def show_turn(self, session: TerminalGame, screen: Screen) -> None:
        """Show the board, with what the last move has changed."""
        screen.show(self._form.write_digits(session.position, session.before))
        self._announced = -1

    def show_change(self, session: TerminalGame, screen: Screen) -> None:
        """Show what a move at the terminal has changed."""
        self.show_turn(session, screen)
        screen.show("")

    def show_reply(self, session: TerminalGame, screen: Screen, seconds: float) -> None:
        """Show the opponent's turn: its number, the board, and the time it took."""
        self._head(session, screen, session.ply - 1)
        self.show_change(session, screen)
        screen.show(f"Time elapsed this turn: {seconds:.2f} seconds")

    def _head(self, session: TerminalGame, screen: Screen, ply: int) -> None:
        side = session.game.colours.index(session.mover(ply))
        screen.show(f"Turn number {ply + 1}\nPlayer {side + 1}'s turn")
