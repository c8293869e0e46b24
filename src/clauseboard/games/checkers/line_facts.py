"""What a line of moves brings in checkers: men and kings won or lost, crownings, the end.

>>> from clauseboard.game import load_game
>>> position = load_game("checkers").read_position("B:W22,26,30:B13,2,3")
>>> line, board = [], position
>>> for text in ("13-17", "22x13", "2-6"):
...     line.append(board.read_move(text))
...     board = board.play(line[-1])
>>> line_fact(position, line)
'loses a man to 22x13'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from clauseboard.game import Ending, Outcome
from clauseboard.games.checkers.board_features import WORTH
from clauseboard.games.checkers.concepts import cells
from clauseboard.games.checkers.rules import (
    KING,
    MAN,
    SQUARES,
    WHITE,
    WORD,
    CheckersMove,
    CheckersPosition,
    row,
)
from clauseboard.games.checkers.vocabulary import PLURALS
from clauseboard.games.vocabulary import counted, in_words

LAST_ROW = 7

SOON = 3
"""An exchange that begins within so many moves is one that the first move offers."""


def line_fact(position: CheckersPosition, line: Sequence[CheckersMove]) -> str | None:
    """What a line brings the side that makes its first move, as the rest of a sentence."""
    boards = [position]
    for move in line:
        boards.append(boards[-1].play(move))
    outcome, colour = boards[-1].outcome(), position.to_move
    if outcome is not None:
        return _end(outcome, position, len(line))
    facts = [_material(boards, line), _crowning(boards, line, colour)]
    return " and ".join(text for _, text in sorted(fact for fact in facts if fact)) or None


def _end(outcome: Outcome, position: CheckersPosition, plies: int) -> str:
    """How the line ends the game."""
    colour = position.to_move
    other = position.game.other(colour)
    when = "" if plies <= 2 else f" in {in_words((plies + 1) // 2)} moves"
    if outcome.winner is None:
        return f"draws{when}: {outcome.reason}"
    if outcome.winner == colour:
        if outcome.ending is Ending.BLOCKED:
            return f"leaves {other.capitalize()} without a move{when}"
        return f"takes the last {other} piece{when}"
    if outcome.ending is Ending.BLOCKED:
        return f"loses: {colour.capitalize()} is left without a move{when}"
    return f"loses the last {colour} piece{when}"


def standing(position: CheckersPosition, side: str) -> str:
    """The race to crown, this side first, where both have a runaway man and as many pieces.

    What both have cancels in a judgement, so that no line may speak of it. Elsewhere it is empty:
    the biggest line says more.

    >>> from clauseboard.game import load_game
    >>> standing(load_game("checkers").read_position("B:W11,32:B21,1"), "white")
    "White's man on 11 crowns in two, Black's man on 21 in two"
    """
    black, white, _ = position.board
    if black.bit_count() != white.bit_count():
        return ""
    told = []
    for one in (side, position.game.other(side)):
        runners = cells(position, "runaway", one)
        if not runners:
            return ""
        n_rows = row(int(runners[0]))
        steps = in_words(n_rows if one == WHITE else LAST_ROW - n_rows)
        told.append((f"{one.capitalize()}'s man on {runners[0]}", steps))
    (first, n), (second, m) = told
    return f"{first} crowns in {n}, {second} in {m}"


Fact = tuple[int, str]
"""The move of a line at which something happens, counted from 0, and what."""


def _material(boards: Sequence[CheckersPosition], line: Sequence[CheckersMove]) -> Fact | None:
    """What is taken on a line: "loses a man to 22x13", "wins two men for one".

    Who was behind wins men back, up to as many as the other side has; who was ahead gives them
    back where others are taken for them.
    """
    colour = boards[0].to_move
    won: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    balances = [0.0]
    for before, move in zip(boards, line, strict=False):
        taken = Counter(_kind(before, square) for square in move.captured)
        (won if before.to_move == colour else lost).update(taken)
        balances.append(_worth(won) - _worth(lost))
    if not won and not lost:
        return None
    balance = balances[-1]
    first = next(n for n, move in enumerate(line) if move.captured)
    if balance == 0:
        if first >= SOON:
            return None
        what = _listed(won) if won == lost else f"{_listed(lost)} for {_listed(won)}"
        return first, f"exchanges {what}"
    behind = _behind(boards[0]) if set(won + lost) == {MAN} else 0.0
    if balance > 0:
        if behind >= balance and not line[0].captured:
            return first, f"wins back {_net(won, lost)}"
        verb = "takes" if line[0].captured else "wins"
        return first, f"{verb} {_for(won, lost)}"
    # The capture from which on the balance stays below what it was at first; that it is as before
    # in the midst of an exchange does not count.
    quiet = [n for n, move in enumerate(line) if not move.captured]
    last = max((n for n in quiet if balances[n] >= 0), default=0)
    ply = next(n for n, move in enumerate(line) if n >= last and move.captured)
    by = f" to {boards[ply].write_move(line[ply])}" if not won else ""
    later = "" if ply < 3 else f" {counted(ply // 2, 'move', 'moves')} later"
    gives_back = won and behind <= balance
    what = f"gives back {_net(lost, won)}" if gives_back else f"loses {_for(lost, won)}{by}"
    return ply, f"{what}{',' if later and ',' in what else ''}{later}"


def _crowning(
    boards: Sequence[CheckersPosition], line: Sequence[CheckersMove], colour: str
) -> Fact | None:
    """The first man that becomes a king."""
    for ply, (before, move) in enumerate(zip(boards, line, strict=False)):
        if _kind(before, move.start) == MAN and _kind(boards[ply + 1], move.end) == KING:
            moves = ply // 2 + 1
            when = "" if moves == 1 else f" in {in_words(moves)} moves"
            if before.to_move != colour:
                return ply, f"lets {before.to_move.capitalize()} crown{when}"
            first = _first_square(line[: ply + 1])
            whom = "" if first == line[0].start else f" the man on {first}"
            return ply, f"crowns{whom}{when}"
    return None


def _first_square(line: Sequence[CheckersMove]) -> int:
    """Where the piece of the last move stood before the line."""
    square = line[-1].start
    for move in reversed(line[:-1]):
        if move.end == square:
            square = move.start
    return square


def _net(more: Counter[str], less: Counter[str]) -> str:
    """Men taken, less those that they cost: "a man, two for one"."""
    rest = f", {in_words(more.total())} for {in_words(less.total())}" if less else ""
    return counted(more.total() - less.total(), MAN, PLURALS[MAN]) + rest


def _behind(position: CheckersPosition) -> float:
    """What the side to move has less than the other."""
    ours, theirs = (
        Counter(_kind(position, n) for n in SQUARES if position.pieces(side) & WORD[n])
        for side in (position.to_move, position.game.other(position.to_move))
    )
    return _worth(theirs) - _worth(ours)


def _kind(position: CheckersPosition, square: int) -> str:
    return KING if position.kings & WORD[square] else MAN


def _worth(pieces: Mapping[str, int]) -> float:
    return sum(WORTH[kind] * number for kind, number in pieces.items())


def _for(more: Counter[str], less: Counter[str]) -> str:
    """What is taken, and what for: "two men for one", "a man, three for two"."""
    if not less:
        return _listed(more)
    if set(more + less) == {MAN} and less[MAN] > 1:
        return _net(more, less)
    if set(more) == set(less) == {MAN} or set(more) == set(less) == {KING}:
        return f"{_listed(more)} for {in_words(less.total())}"
    return f"{_listed(more)} for {_listed(less)}"


def _listed(pieces: Mapping[str, int]) -> str:
    """Pieces in words: "a king and two men"."""
    return " and ".join(
        counted(pieces[kind], kind, PLURALS[kind]) for kind in (KING, MAN) if pieces.get(kind)
    )
