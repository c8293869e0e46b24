"""Moves and positions as text.

A cell is a letter for its column and a number for its row; a1 is the sharp corner at the top
left. A position is its rows from the top, each cell `R`, `B` or `.`, and the side to move:

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=3).read_position("B../.R./... red")
    >>> print(position)
      a b c
    1 B . .
     2 . R .
      3 . . .
    red to move
"""

from __future__ import annotations

import re

from clauseboard.game import IllegalMoveError, UnreadableError
from clauseboard.games.hex.rules import BLUE, RED, SWAP, Hex, HexMove, HexPosition, Swap

_CELL = re.compile(r"([a-z])([1-9][0-9]?)", re.ASCII | re.IGNORECASE)


def read_cell(text: str, size: int) -> HexMove:
    """The cell that a text such as "c2" names on a board of this size."""
    match = _CELL.fullmatch(text.strip())
    if match is None:
        raise UnreadableError(
            f"{text!r} is not a Hex move; write a column and a row, such as 'c2', or 'swap'."
        )
    row, column = int(match[2]) - 1, ord(match[1].lower()) - ord("a")
    if row >= size or column >= size:
        last = HexMove(size - 1, size - 1)
        raise UnreadableError(
            f"There is no cell {text!r} on a board of size {size}: it goes from a1 to {last}."
        )
    return HexMove(row, column)


def read_move(position: HexPosition, text: str) -> HexMove | Swap:
    """The legal move that a text means in a position."""
    if text.strip().lower() == "swap":
        move: HexMove | Swap = SWAP
    else:
        try:
            move = read_cell(text, position.game.size)
        except UnreadableError as error:
            raise UnreadableError(error.reason, position=write_position(position)) from None
    try:
        position.play(move)
    except IllegalMoveError as error:
        problem = f"{text!r} is not legal: {error.reason}"
        raise IllegalMoveError(problem, position=error.position) from None
    return move


def write_move(position: HexPosition, move: HexMove | Swap) -> str:
    """A move as text that `read_move` takes back."""
    return str(move)


def write_position(position: HexPosition) -> str:
    """A position as one line."""
    return f"{'/'.join(board_rows(position))} {position.to_move}"


def board_rows(position: HexPosition) -> list[str]:
    """The rows of the board from the top, a letter or a dot for each cell."""
    size = position.game.size
    marks = [".RB"[(position.red >> n & 1) + 2 * (position.blue >> n & 1)] for n in range(size**2)]
    return ["".join(marks[size * row : size * (row + 1)]) for row in range(size)]


def read_position(game: Hex, text: str) -> HexPosition:
    """The position that one line describes; an `UnreadableError` says what is wrong with it."""
    example = "/".join(["." * game.size] * game.size) + " red"
    wanted = f"{game.size} rows of {game.size} cells and the side to move, such as {example!r}"
    match = re.fullmatch(rf"([RB./]+)\s+({RED}|{BLUE})", text.strip(), re.IGNORECASE)
    if match is None:
        raise UnreadableError(f"{text!r} is no Hex position; write {wanted}.")
    rows = match[1].upper().split("/")
    if [len(row) for row in rows] != [game.size] * game.size:
        shape = ", ".join(str(len(row)) for row in rows)
        raise UnreadableError(f"{text!r} has rows of {shape} cells; write {wanted}.")
    cells = "".join(rows)
    red, blue = (sum(1 << n for n, cell in enumerate(cells) if cell == mark) for mark in "RB")
    try:
        return game.position(red, blue, match[2].lower())
    except ValueError as error:
        raise UnreadableError(f"{text!r} is not a position of a game: {error}") from None
