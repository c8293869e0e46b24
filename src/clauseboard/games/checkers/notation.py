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
from clauseboard.games.checkers.rules import (
    BLACK,
    SQUARES,
    WHITE,
    WORD,
    Board,
    Checkers,
    CheckersMove,
    CheckersPosition,
    fault,
    squares,
)

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
        problem = _one_square(position, text.strip()) or error.reason
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
    start, end = legal.start, legal.end
    short = len(position.moves_between(start, end)) == 1
    return str(CheckersMove((start, end), legal.captured) if short else legal)


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
            problem = f"{item!r} is not a square from 1 to 32, nor K and a square."
            raise UnreadableError(_no_position(text, problem))
        if ends[-1] < ends[0]:
            problem = f"the range {item!r} runs backwards; it would be {ends[-1]}-{ends[0]}."
            raise UnreadableError(_no_position(text, problem))
        found += [(bool(match[1]), square) for square in range(ends[0], ends[-1] + 1)]
    return found


def _no_position(text: str, problem: str) -> str:
    shown = text if len(text) <= 120 else f"{text[:117]}..."
    return f"{shown!r} is not a position of checkers: {problem}"


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


# ---- whole boards typed or pasted as text, each one move after the last
# A board is eight rows of four digits, staggered as the squares are: 0 is an empty square, 1 a
# black man, 2 a black king, 3 a white man, 4 a white king; an x before a digit marks a square
# that has changed. Or it is a FEN, as CheckerBoard copies it: `B:W21,22,...:B1,2,...`. A board
# that is not one legal move after the last is refused with the reason.

DIGITS = {None: "0", "black man": "1", "black king": "2", "white man": "3", "white king": "4"}
_PIECES = {digit: piece for piece, digit in DIGITS.items()}


def write_digits(position: CheckersPosition, before: CheckersPosition | None = None) -> str:
    """A board in digits, with the squares marked that have changed since another position.

    >>> from clauseboard.game import load_game
    >>> start = load_game("checkers").start()
    >>> after = start.play(start.read_move("11-15"))
    >>> print("\\n".join(write_digits(after, start).splitlines()[1:5]))
    1  1  1  1
     1  1  x0  1
    0  0  x1  0
     0  0  0  0
    """
    rows = []
    for line in range(8):
        cells = []
        for square in range(4 * line + 1, 4 * line + 5):
            piece = position.piece_on(square)
            mark = "x" if before is not None and before.piece_on(square) != piece else ""
            cells.append(mark + DIGITS[piece])
        rows.append(("" if line % 2 else " ") + "  ".join(cells))
    return "\n".join(rows)


def read_digits(text: str) -> Board:
    """The three words of a board in digits; how it is spaced does not matter."""
    rows = [re.findall(r"\S+", line) for line in text.splitlines() if line.strip()]
    if len(rows) != 8:
        raise UnreadableError(_no_board(f"it has {len(rows)} rows, not 8."))
    black = white = kings = 0
    for number, cells in enumerate(rows):
        digits = re.findall(r"[xX]?(\d)", "".join(cells))
        if not re.fullmatch(r"([xX]?[0-4]){4}", "".join(cells)):
            raise UnreadableError(_no_board(f"row {number + 1} is not four digits from 0 to 4."))
        for square, digit in enumerate(digits, 4 * number + 1):
            piece = _PIECES[digit] or ""
            black |= WORD[square] if piece.startswith("black") else 0
            white |= WORD[square] if piece.startswith("white") else 0
            kings |= WORD[square] if piece.endswith("king") else 0
    wrong = fault(black, white, kings)
    if wrong:
        raise UnreadableError(_no_board(wrong))
    return black, white, kings


def read_next_board(position: CheckersPosition, text: str) -> CheckersMove:
    """The move that leads from a position to a board, in digits or as FEN."""
    ours, theirs = position.to_move, position.game.other(position.to_move)
    here = write_position(position)
    try:
        after = (
            read_position(position.game, text)
            if ":" in text
            else CheckersPosition(position.game, *read_digits(text), to_move=theirs)
        )
    except UnreadableError as error:
        raise UnreadableError(error.reason, position=here) from None
    if after.board != position.board and after.to_move == ours:
        raise IllegalMoveError(
            f"After {ours}'s move it is {theirs}'s turn, but {text.strip()!r} says {ours}'s.",
            position=here,
        )
    for move in position.moves():
        if position.after(move).board == after.board:
            return move
    raise IllegalMoveError(_why_no_move(position, after.board), position=here)


def changed_squares(before: Board, after: Board) -> list[int]:
    """The squares that differ between two boards."""
    changed = 0
    for one, other in zip(before, after, strict=True):
        changed |= one ^ other
    return [square for square in SQUARES if changed & WORD[square]]


def _why_no_move(position: CheckersPosition, board: Board) -> str:
    """Why a board is not one legal move away."""
    ours = position.to_move
    outcome = position.outcome()
    if outcome is not None:
        return f"The game is over ({outcome}); there is no board after this one."
    changed = changed_squares(position.board, board)
    if not changed:
        return f"Nothing has changed on the board, and it is {ours}'s turn."
    where = f"The board differs on {', '.join(map(str, changed))}"
    allowed = ", ".join(position.write_move(move) for move in position.moves())
    for move in (*position.steps(), *position.jumps(unfinished=True)):
        if position.after(move).board == board:
            must = "the jump must go on" if move.captured else f"{ours} must jump"
            return f"{where}, as after {move}, but {must}: {allowed}."
    theirs = CheckersPosition(
        position.game, *position.board, to_move=position.game.other(position.to_move)
    )
    for move in theirs.possible_moves:
        if theirs.after(move).board == board:
            return f"{where}, as after {theirs.to_move}'s {move}, but it is {ours}'s turn."
    return f"{where}, which no move of {ours} does; it may play {allowed}."


def _no_board(problem: str) -> str:
    return f"This is not a board of checkers: {problem}"
