"""Each cell's share of the votes: a reason's votes, split evenly over the cells it speaks of.

Shares are fractions, so that they add up to the votes exactly. What is on no cell (a clause that
asks for nothing, or for something about the board as a whole) is the share of None.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from clauseboard.explanation import Explanation

Shares = dict[str | None, Fraction]


def shares(explanation: Explanation, about: str | None) -> Shares:
    """The share of each cell in the votes about one end of the game; they add up to these votes."""
    # First whole votes by the number of cells they are split over: fractions are slow to add.
    sums: defaultdict[tuple[str | None, int], int] = defaultdict(int)
    for reason in explanation.reasons:
        if reason.about == about:
            cells = reason.cells
            for cell in cells:
                sums[cell, len(cells)] += reason.votes
    found: Shares = {}
    for (cell, split), votes in sums.items():
        found[cell] = found.get(cell, Fraction(0)) + Fraction(votes, split)
    return found


def lead_shares(explanation: Explanation, colour: str) -> Shares:
    """The share of each cell in the lead of a colour: votes for its win less those for a loss."""
    found = shares(explanation, colour)
    for cell, share in shares(explanation, explanation.position.game.other(colour)).items():
        found[cell] = found.get(cell, Fraction(0)) - share
    return found


def heat(explanation: Explanation, colour: str) -> dict[str, float]:
    """The cells from -1 to 1 for a picture: what speaks most for or against a colour is 1 or -1.

    Of a judge without reasons, the terms that tell of a cell.
    """
    found: dict[str | None, float]
    if explanation.reasons:
        found = {cell: float(share) for cell, share in lead_shares(explanation, colour).items()}
    else:
        found = {}
        sign = 1 if colour == explanation.position.to_move else -1
        for term in explanation.terms:
            found[term.cell] = found.get(term.cell, 0.0) + sign * term.amount
    most = max((abs(share) for cell, share in found.items() if cell is not None), default=0.0)
    return {cell: share / most for cell, share in found.items() if cell is not None and share}
