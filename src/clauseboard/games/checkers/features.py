"""What checkers players look at on a board, as features: see `games.features`.

Squares are those of black, which begins at the low numbers; white's are the same ones on the board
turned round.
"""

from __future__ import annotations

from clauseboard.game import Bit
from clauseboard.games.checkers.board import column, row
from clauseboard.games.features import Feature

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


FEATURES = (
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
