"""What a checkers player sees at a glance, as named bits.

Clauses over single squares have to find out by themselves that a side is a man ahead, or that a
king is shut in. Here such things are counted (`MEASURES`) for black, for white, and for black
against white; and a bit is whether a number reaches a level: "black has 3 men or more", "black is 1
or more ahead in kings". Black is the side to move in the view "mover", as with all bits.

    >>> from clauseboard.games.checkers.encoding import board_words
    >>> from clauseboard.games.checkers.rules import Checkers
    >>> seen = columns(board_words([Checkers().start()]))[0]
    >>> [name for name, bit in zip(names(Checkers()), seen, strict=True) if bit][:2]
    ['black has 1 man or more', 'black has 2 men or more']

Nothing here looks ahead: for that see `foresight`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Bit
from clauseboard.games.checkers.board import BLACK, WHITE, column, row
from clauseboard.games.checkers.encoding import Words, filled, unpacked
from clauseboard.games.checkers.rules import Checkers
from clauseboard.games.features import Feature


@dataclass(frozen=True)
class Measure:
    """Something that a side has a number of: in words, one and many, and the levels told apart.

    There are bits for up to `most`, at every number or at every second one; and for how far one
    side may be ahead of the other, up to `leads`.
    """

    one: str
    many: str
    most: int
    leads: int
    by: int = 1

    @property
    def levels(self) -> range:
        """The numbers for which there is a bit, for one side."""
        return range(self.by, self.most + 1, self.by)

    def count(self, n: int) -> str:
        """So many of them, in words."""
        return f"{n} {self.one if n == 1 else self.many}"


MEASURES = (
    Measure("man", "men", 12, 4),
    Measure("king", "kings", 6, 4),
    Measure("piece", "pieces", 12, 4),
    Measure("step to make", "steps to make", 16, 8),
    Measure("safe step", "safe steps", 12, 8),
    Measure("man that can step", "men that can step", 8, 4),
    Measure("king that can step", "kings that can step", 4, 3),
    Measure("king shut in", "kings shut in", 2, 1),
    Measure("piece that can jump", "pieces that can jump", 2, 1),
    *(Measure(f"man on its row {n}", f"men on its row {n}", 4 if n < 6 else 3, 2)
      for n in range(1, 8)),
    Measure("row gone by its men", "rows gone by its men", 30, 8, by=2),
    Measure("free man", "free men", 4, 2),
    Measure("row gone by its foremost free man", "rows gone by its foremost free man", 6, 5),
    Measure("piece on the side edges", "pieces on the side edges", 5, 3),
    Measure("piece in the centre", "pieces in the centre", 5, 4),
    Measure("king in the centre", "kings in the centre", 3, 2),
    Measure("king in a double corner", "kings in a double corner", 2, 2),
    Measure("piece in its own double corner", "pieces in its own double corner", 2, 2),
    Measure("king in the other's double corner", "kings in the other's double corner", 2, 1),
    Measure("king on the long diagonal", "kings on the long diagonal", 2, 2),
    Measure("king on an edge", "kings on an edge", 3, 2),
)  # fmt: skip
"""What is counted, in the order of the kernels.

A step is a move without a jump, counted whether or not there is something to jump; it is safe if
no jump over the piece can follow at once. A side's rows count from its own first one, and
a man there has gone none. A man is free if no piece of the other side stands on a square
that it could come to by steps. The long diagonal is that from 4 to 29; the centre are the eight
squares two steps from every edge.
"""

MOVE = "would have the move, if it were to move"
"""The opposition: an odd number of pieces stands on the columns of the side's own first row."""


def _told() -> Iterator[tuple[range, list[Bit]]]:
    """For each number that the kernels count, the levels at which it has a bit, and the bits."""
    for colour in (BLACK, WHITE):
        for measure in MEASURES:
            levels = measure.levels
            texts = [f"{colour} has {measure.count(level)} or more" for level in levels]
            yield levels, [Bit(text, None, measure.many) for text in texts]
    for measure in MEASURES:
        leads = range(1 - measure.leads, measure.leads + 1)
        texts = [f"{BLACK} is {_lead(lead)} in {measure.many}" for lead in leads]
        yield leads, [Bit(text, None, measure.many) for text in texts]
    for colour in (BLACK, WHITE):
        yield range(1, 2), [Bit(f"{colour} {MOVE}", None, "the move")]


def _lead(lead: int) -> str:
    if lead > 0:
        return f"{lead} or more ahead"
    return f"at most {-lead} behind" if lead < 0 else "not behind"


BITS = tuple(bit for _, bits in _told() for bit in bits)
"""The bits, in the order of `columns`."""


def _ladders() -> NDArray[np.int64]:
    made, place = [], 0
    for levels, bits in _told():
        made.append((place, len(bits), levels[0], levels.step.bit_length() - 1))
        place += len(bits)
    return np.array(made, np.int64)


LADDERS = _ladders()
"""Where the bits of each number are, and when they are set: see `knowledge_kernels.put_ladders`."""


def names(game: Checkers) -> list[str]:
    """The names of the bits."""
    return [bit.name for bit in BITS]


def packed(boards: Words, turn: Any = False) -> Words:
    """The bits of an array of boards (see `encoding`), packed, the first bit lowest."""
    from clauseboard.games.checkers.board_feature_kernels import pack_knowledge

    def fill(shown: Words, turns: NDArray[np.bool_], rows: Words) -> None:
        pack_knowledge(shown, turns, LADDERS, rows)

    return filled(fill, boards, turn, -(-len(BITS) // 64), np.uint64)


def columns(boards: Words, turn: Any = False) -> NDArray[np.uint8]:
    """The bits of an array of boards (see `encoding`) as 0 and 1, boards × bits.

    Where `turn` says so, a board is seen from white's side, and "black" in the names means white.
    """
    return unpacked(packed(boards, turn))[:, : len(BITS)]


# ---- features that evaluators weigh (`games.features`)
# Squares are black's, which begin at the low numbers; white's are those of the board turned round.

HOME = 0
"""The row of black's that white's men want to reach."""

CENTRE = frozenset({10, 11, 14, 15, 18, 19, 22, 23})
"""Two steps or more from every edge."""

DOUBLE_CORNERS = frozenset({1, 5, 28, 32})
"""Where a king can step to and fro between two squares, and is hard to catch."""

BRIDGE = frozenset({1, 3})
"""With men on both, white cannot get past black's first row."""


def _square(bit: Bit) -> int:
    assert bit.cell is not None
    return int(bit.cell)


def _is_king(bit: Bit) -> bool:
    return bit.piece.endswith("king")


def _is_man(bit: Bit) -> bool:
    return not _is_king(bit)


FEATURES: tuple[Feature, ...] = (
    Feature("piece difference", "pieces", lambda bit: 1.0, good=True),
    Feature("kings", "kings", lambda bit: float(_is_king(bit)), good=True),
    Feature(
        "side",
        "pieces on the left and the right edge",
        lambda bit: float(column(_square(bit)) in (0, 7)),
    ),
    Feature(
        "back row",
        "men that have stayed on their first row",
        lambda bit: float(_is_man(bit) and row(_square(bit)) == HOME),
    ),
    Feature(
        "bridge",
        "men on the two squares of the bridge, 1 and 3 (white: 32 and 30)",
        lambda bit: float(_is_man(bit) and _square(bit) in BRIDGE),
    ),
    Feature(
        "centre", "pieces in the eight squares of the centre",
        lambda bit: float(_square(bit) in CENTRE),
    ),
    Feature(
        "tempo",
        "rows that men have gone ahead, in parts of the seven to the last one",
        lambda bit: row(_square(bit)) / 7 if _is_man(bit) else 0.0,
    ),
    Feature(
        "near crowning",
        "men with one or two steps to go",
        lambda bit: float(_is_man(bit) and row(_square(bit)) >= 5),
    ),
    Feature(
        "kings in the centre",
        "kings in the eight squares of the centre",
        lambda bit: float(_is_king(bit) and _square(bit) in CENTRE),
    ),
    Feature(
        "double corner",
        "kings in a double corner",
        lambda bit: float(_is_king(bit) and _square(bit) in DOUBLE_CORNERS),
    ),
)  # fmt: skip

SETS = {
    "three": ("piece difference", "kings", "side"),
    "full": tuple(feature.name for feature in FEATURES),
}
"""Those of the report on temporal differences that this player is from, and all."""
