"""Go moves and positions as text: "D5", "pass", and one line for a whole position.

A position is its lines from the top, `.` empty, `b` black, `w` white, with `/` between them; the
side to move; and, where they are not nothing, `ko=D5` (the point at which the ko rule forbids to
play), `passes=1` (passes in a row just before), `moves=34` (moves played), `prisoners=2,0` (stones
that black has taken, and white). Boards before this one are not written, so superko begins anew.

    .bw./b.bw/.bw./.... white ko=B3 moves=7 prisoners=1,0

Records of whole games are in `records`.
"""

from __future__ import annotations

import re
from typing import Any

from clauseboard.game import IllegalMoveError, UnreadableError
from clauseboard.games.go.board import LETTERS, names, neighbours, numbers
from clauseboard.games.go.rules import PASS, Go, GoMove, GoPosition, chains

STONES = ".bw"
"""The letters of an empty point, a black and a white stone."""

LAYOUT = ".bw./b.bw/.bw./.... white ko=B3 moves=7 prisoners=1,0"
"""A position of size 4, to show how one is written."""


def read_move(position: GoPosition, text: str) -> GoMove:
    """The legal move that a text means in a position.

    >>> from clauseboard.game import load_game
    >>> read_move(load_game("go", size=9).start(), "a9")
    GoMove(point=0)
    """
    size = position.game.size
    written = text.strip().upper()
    if written == "PASS":
        move = PASS
    elif written in numbers(size):
        move = GoMove(numbers(size)[written])
    else:
        raise UnreadableError(
            f"{text!r} is not a move on a {size}x{size} board: write a column A to "
            f"{LETTERS[size - 1]}{' (there is no I)' if size > 8 else ''} and a line 1 to {size}, "
            f"such as {names(size)[1]!r}, or 'pass'.",
            position=write_position(position),
        )
    reason = position.why_not(move)
    if reason is not None:
        raise IllegalMoveError(
            f"{text!r} is not legal for {position.to_move}: {reason}.",
            position=write_position(position),
        )
    return move


def write_move(position: GoPosition, move: GoMove) -> str:
    """A move as "D5" or "pass"."""
    return "pass" if move.point is None else names(position.game.size)[move.point]


def write_position(position: GoPosition) -> str:
    """A position as one line.

    >>> from clauseboard.game import load_game
    >>> write_position(load_game("go", size=3).start())
    '.../.../... black'
    """
    size = position.game.size
    points = "".join(STONES[stone] for stone in position.board)
    words = ["/".join(points[i : i + size] for i in range(0, size * size, size)), position.to_move]
    if position.ko is not None:
        words.append(f"ko={names(size)[position.ko]}")
    if position.passes:
        words.append(f"passes={position.passes}")
    if position.moves_played:
        words.append(f"moves={position.moves_played}")
    if position.prisoners != (0, 0):
        words.append("prisoners={},{}".format(*position.prisoners))
    return " ".join(words)


def read_position(game: Go, text: str) -> GoPosition:
    """The position that a line describes; it must be one that the rules allow."""
    words = text.split()
    if len(words) < 2:
        raise _unreadable(text, "it has no board and side to move")
    board = _read_board(game.size, text, words[0])
    if words[1] not in game.colours:
        raise _unreadable(text, f"the side to move is 'black' or 'white', not {words[1]!r}")
    rest = _read_rest(game.size, text, words[2:])
    for point, chain in chains(board, game.size).items():
        if not chain.liberties:
            raise _unreadable(text, f"the stone at {names(game.size)[point]} has no liberty")
    position = game.position(board, words[1], **rest)
    if position.ko is not None and (position.passes or not _is_ko(position, position.ko)):
        raise _unreadable(
            text, f"no stone can just have been taken at {names(game.size)[position.ko]}"
        )
    if position.passes > position.moves_played:
        raise _unreadable(text, "there are more passes than moves")
    return position


def _unreadable(text: str, reason: str) -> UnreadableError:
    return UnreadableError(
        f"{text!r} is not a position: {reason}. One of size 4 looks like {LAYOUT!r}."
    )


def _read_board(size: int, text: str, rows: str) -> bytes:
    lines = rows.split("/")
    if len(lines) != size or any(len(line) != size for line in lines):
        raise _unreadable(text, f"the board has to have {size} lines of {size} points")
    for letter in "".join(lines):
        if letter not in STONES:
            raise _unreadable(text, f"points are '.', 'b' or 'w', not {letter!r}")
    return bytes(STONES.index(letter) for letter in "".join(lines))


def _read_rest(size: int, text: str, words: list[str]) -> dict[str, Any]:
    rest: dict[str, Any] = {}
    keys: set[str] = set()
    for word in words:
        key, _, value = word.partition("=")
        if key in keys:
            raise _unreadable(text, f"{key!r} is given twice")
        keys.add(key)
        if key == "ko" and value in numbers(size):
            rest["ko"] = numbers(size)[value]
        elif key == "passes" and value in ("0", "1", "2"):
            rest["passes"] = int(value)
        elif key == "moves" and re.fullmatch(r"[0-9]{1,9}", value):
            rest["moves_played"] = int(value)
        elif key == "prisoners" and re.fullmatch(r"[0-9]{1,9},[0-9]{1,9}", value):
            black, white = value.split(",")
            rest["prisoners"] = (int(black), int(white))
        else:
            raise _unreadable(text, f"{word!r} has no meaning")
    return rest


def _is_ko(position: GoPosition, point: int) -> bool:
    """Whether the side to move would take exactly one stone there, with only enemies around."""
    beside = neighbours(position.game.size)[point]
    if position.board[point] or any(position.board[p] != 3 - position.colour for p in beside):
        return False
    taken = {position.chains[p].stones for p in beside if position.chains[p].liberties == {point}}
    return len(taken) == 1 and len(taken.pop()) == 1
