"""How strong the players that come with the package are, in words, from the matches on their cards.

>>> match = Measured("random", "depth 2", (60, 0, 20), zero=(30, 20, 30))
>>> print(strength_text(match))
75.0 % (65 to 83) of 80 games, +191 Elo, against random, depth 2; without votes 50.0 % (41 to 59) of 80
"""  # noqa: E501

from __future__ import annotations

import math

from clauseboard.arena.ratings import Score, elo_difference, gain, score_interval
from clauseboard.players.shipped import Games, Measured


def strength_text(match: Measured) -> str:
    """A match in one line, with what the search came to alone."""
    return played_text(match) + (f"; without votes {without_votes(match)}" if match.zero else "")


def played_text(match: Measured) -> str:
    """A match in one line."""
    against = f"against {match.against}, {match.how}"
    return f"{share_text(match.games)} games, {elo_text(match.games)}, {against}"


def share_text(games: Games) -> str:
    """The share of the points with its interval, and of how many games."""
    found = score_interval(*games)
    return (
        f"{100 * found.score:.1f} % ({100 * found.low:.0f} to {100 * found.high:.0f}) "
        f"of {sum(games):,}"
    )


def counts_text(games: Games) -> str:
    """Games won, drawn and lost; those of which there are none are left out."""
    told = [f"{n:,} {what}" for n, what in zip(games, ("won", "drawn", "lost"), strict=True) if n]
    return "all won" if games[0] == sum(games) else ", ".join(told)


def elo_text(games: Games) -> str:
    """How many Elo points that is, or, if every game was won or lost, what it is at least."""
    found = elo_difference(*games)
    if found.elo == math.inf:
        return f"more than {found.low:+.0f} Elo"
    return f"less than {found.high:+.0f} Elo" if found.elo == -math.inf else f"{found.elo:+.0f} Elo"


def without_votes(match: Measured) -> str:
    """What the same search came to without votes; nothing if that was not measured."""
    return "" if match.zero is None else share_text(match.zero)


def gain_of(match: Measured) -> Score | None:
    """What votes add to the share of the points; None if the search was not measured alone."""
    if match.zero is None:
        return None
    return gain(score_interval(*match.games), score_interval(*match.zero))
