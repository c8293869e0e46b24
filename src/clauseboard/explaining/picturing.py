"""A reason on an empty board: what must be there, and what must not."""

from __future__ import annotations

from collections.abc import Sequence

from clauseboard.explanation import Reason
from clauseboard.game import Bit, Game


def on_board(game: Game, reason: Reason) -> tuple[list[Bit], list[Bit]]:
    """The bits that a reason needs, and those that it forbids, of those that the board has."""
    known = set(game.bits())
    needed, forbidden = (
        [bit for bit in part if bit in known] for part in (reason.needed, reason.forbidden)
    )
    return needed, forbidden


def reason_picture(game: Game, reason: Reason, ringed: Sequence[str] = ()) -> str:
    """A reason as SVG, with a ring around some cells; nothing if there is nothing to be drawn."""
    needed, forbidden = on_board(game, reason)
    if not needed and not forbidden and not ringed:
        return ""
    return game.draw(needed=needed, forbidden=forbidden, ringed=ringed)
