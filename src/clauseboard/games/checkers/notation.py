"""Moves and positions as text, as PDN (portable draughts notation) writes them.

A move is the squares that a piece stands on: "11-15", "15x24"; of a chain of jumps the first and
the last are enough where no other chain goes from there to there, "1x10x19" says the whole way.
Real records are careless with "-" and "x" and with spaces, so either sign is taken for the other.

A position is a FEN: whose turn it is, and the pieces, "B:W18,24,K27:B1,2,K3" (K: a king).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from clauseboard.game import AmbiguousMoveError, IllegalMoveError, UnreadableError
from clauseboard.games.checkers.board import BLACK, WHITE, WORD, fault, squares
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition

SIGN = r"[-xX:\u00d7\u2013]"
"""What stands between two squares: also a real times sign, and a dash."""
MOVE = re.compile(rf"\d{{1,2}}(?:\s*{SIGN}\s*\d{{1,2}})+")
_COLOURS = {"B": BLACK, "W": WHITE}


def read_path(text: str) -> tuple[int, ...]:
    """The squares that a text names as a move.

    >>> read_path("5x 14")
    (5, 14)
    """
    if not MOVE.fullmatch(text.strip()):
        raise UnreadableError(
            f"{text!r} is not a move: write its squares, such as '11-15', '15x24' or '1x10x19'."
        )
    path = tuple(int(number) for number in re.findall(r"\d+", text))
    for square in path:
        if square not in WORD:
            raise UnreadableError(f"{text!r} is not a move: squares are 1 to 32, not {square}.")
    return path


def read_move(position: CheckersPosition, text: str) -> CheckersMove:
    """The legal move that a text means in a position.

    >>> start = Checkers().start()
    >>> read_move(start, "11-15")
    CheckersMove(path=(11, 15), captured=())
    >>> read_move(start, "11-20")
    Traceback (most recent call last):
        ...
    clauseboard.game.IllegalMoveError: '11-20' is not legal: the black man on 11 may play 11-15, \
11-16. The position is 'B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12'.
    """
    try:
        path = read_path(text)
    except UnreadableError as error:
        problem = _one_square(position, text.strip()) or error.problem
        raise UnreadableError(problem, position=write_position(position)) from None
    outcome = position.outcome()
    if outcome is not None:
        raise _not_legal(text, position, f"the game is over ({outcome}).")
    legal = position.moves()
    found = _fitting(path, position.jumps() if legal[0].captured else legal)
    moves = [move for move in legal if _same_move(move, found)] if legal[0].captured else found
    if not moves:
        raise _not_legal(text, position, position.why_not(path))
    if len(moves) > 1:
        raise _ambiguous(text, moves, position)
    return moves[0]


def read_move_loosely(position: CheckersPosition, text: str) -> CheckersMove:
    """The move that a text means, if need be one that ignores the duty to jump, and to go on.

    Pieces, turns, directions and what is jumped are still checked; records of real games have moves
    at which both players overlooked a jump.
    """
    try:
        return read_move(position, text)
    except IllegalMoveError:
        path = read_path(text)
        found = [*_fitting(path, position.steps()), *_fitting(path, position.jumps(True))]
        if not found:
            raise
        if len({(move.start, move.end, move.captured) for move in found}) > 1:
            raise _ambiguous(text, found, position) from None
        return min(found)


def _one_square(position: CheckersPosition, text: str) -> str | None:
    """What is wrong where only the square to move from is named."""
    square = int(text) if text.isdecimal() else 0
    if square not in WORD:
        return None
    piece = position.piece_on(square)
    if piece is None:
        return f"{text!r} is not a move: there is no piece on {square}."
    colour, kind = piece.split()
    if colour != position.to_move:
        return f"That is {colour.title()}'s {kind}; you play {position.to_move.title()}."
    return f"{text!r} is not a move: write where the {kind} goes, such as '{square}-{square + 4}'."


def _not_legal(text: str, position: CheckersPosition, why: str) -> IllegalMoveError:
    return IllegalMoveError(f"{text!r} is not legal: {why}", position=write_position(position))


def _ambiguous(
    text: str, moves: list[CheckersMove], position: CheckersPosition
) -> AmbiguousMoveError:
    choices = " or ".join(map(str, moves))
    problem = f"{text!r} may be {choices}; write the whole path."
    return AmbiguousMoveError(problem, position=write_position(position))


def _fitting(path: tuple[int, ...], moves: Iterable[CheckersMove]) -> list[CheckersMove]:
    """The move with just this path; or else those with its ends that come by its other squares."""
    found = []
    for move in moves:
        if move.path == path:
            return [move]
        rest = iter(move.path[1:-1])
        if (move.start, move.end) == (path[0], path[-1]) and all(s in rest for s in path[1:-1]):
            found.append(move)
    return found


def _same_move(move: CheckersMove, others: list[CheckersMove]) -> bool:
    """Whether a move leaves the same board as one of the others."""
    key = (move.start, move.end, move.captured)
    return any(key == (other.start, other.end, other.captured) for other in others)


def write_move(position: CheckersPosition, move: CheckersMove) -> str:
    """A legal move, short where no other has the same ends."""
    legal = position.canonical(move)
    if legal is None:
        raise _not_legal(str(move), position, position.why_not(move.path))
    alike = [m for m in position.possible_moves if (m.start, m.end) == (legal.start, legal.end)]
    short = CheckersMove((legal.start, legal.end), legal.captured)
    return str(legal if len(alike) > 1 else short)


def read_position(game: Checkers, text: str) -> CheckersPosition:
    """The position that a FEN describes.

    It may be in quotes or in a whole tag, `[FEN "..."]`, end in a dot, and have ranges of squares.

    >>> read_position(Checkers(), "W:W21-32:B1-12.").to_move
    'white'
    """
    inner = text.strip().removeprefix("[FEN").removesuffix("]").strip().strip('"').rstrip(". ")
    parts = [part.strip() for part in inner.split(":")]
    if len(parts) != 3 or parts[0].upper() not in _COLOURS:
        raise UnreadableError(_no_position(text, "it must be like 'B:W18,24,K27:B1,2,K3'."))
    words = {BLACK: 0, WHITE: 0}
    kings = 0
    named = []
    for part in parts[1:]:
        colour = _COLOURS.get(part[:1].upper())
        if colour is None or colour in named:
            raise UnreadableError(_no_position(text, "it must have one list W and one list B."))
        named.append(colour)
        for king, square in _read_squares(text, part[1:]):
            if (words[BLACK] | words[WHITE]) & WORD[square]:
                raise UnreadableError(_no_position(text, f"square {square} is named twice."))
            words[colour] |= WORD[square]
            kings |= WORD[square] if king else 0
    wrong = fault(words[BLACK], words[WHITE], kings)
    if wrong:
        raise UnreadableError(_no_position(text, wrong))
    return CheckersPosition(game, words[BLACK], words[WHITE], kings, _COLOURS[parts[0].upper()])


def _read_squares(text: str, listed: str) -> list[tuple[bool, int]]:
    """What a list like "18,K24,27-29" names: whether it is a king, and its square."""
    found = []
    for item in filter(None, (item.strip() for item in listed.split(","))):
        match = re.fullmatch(r"([Kk]?)(\d{1,2})(?:-(\d{1,2}))?", item)
        ends = [int(end) for end in match.groups()[1:] if end] if match else []
        if not match or any(end not in WORD for end in ends):
            problem = f"{item!r} is no square from 1 to 32, nor K and a square."
            raise UnreadableError(_no_position(text, problem))
        if ends[-1] < ends[0]:
            problem = f"the range {item!r} runs backwards; it would be {ends[-1]}-{ends[0]}."
            raise UnreadableError(_no_position(text, problem))
        found += [(bool(match[1]), square) for square in range(ends[0], ends[-1] + 1)]
    return found


def _no_position(text: str, problem: str) -> str:
    shown = text if len(text) <= 120 else f"{text[:117]}..."
    return f"{shown!r} is no position of checkers: {problem}"


def write_position(position: CheckersPosition) -> str:
    """A position as FEN."""
    lists = [
        letter
        + ",".join(
            f"{'K' if position.kings & WORD[square] else ''}{square}"
            for square in squares(position.pieces(colour))
        )
        for letter, colour in (("W", WHITE), ("B", BLACK))
    ]
    return ":".join([position.to_move[0].upper(), *lists])
