"""How much stronger one player is than another, and how sure that is.

A draw counts as half a win. Elo's scale: 400 points more are odds of ten to one.

    >>> found = score_interval(wins=6, draws=2, losses=2)
    >>> f"{found.score:.2f}, from {found.low:.2f} to {found.high:.2f}"
    '0.70, from 0.42 to 0.87'
    >>> round(elo_of(0.75))
    191
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import whole_number

Z_95 = 1.959963984540054
"""Standard deviations to either side that hold 95 % of a normal distribution."""

ELO = 400 / math.log(10)
"""Elo points for each unit of the logarithm of the odds."""


@dataclass(frozen=True)
class ScoreInterval:
    """A share of the points, and an interval that holds the true one 95 times in a hundred."""

    score: float
    low: float
    high: float


@dataclass(frozen=True)
class Rating:
    """A rating in Elo points, and its interval of 95 %."""

    elo: float
    low: float
    high: float


def score_interval(wins: int, draws: int, losses: int, z: float = Z_95) -> ScoreInterval:
    """The share of the points, with Wilson's interval made for games that may be drawn.

    It has those true scores m in it for which (score - m)² <= z² (m (1 - m) - d / 4) / n, since
    that is the variance of a game when a share d of games is drawn. The share is taken a little
    low, draws / (n + z²), or else a few games, all drawn, would leave no doubt.
    """
    for name, count in (("wins", wins), ("draws", draws), ("losses", losses)):
        whole_number(name, count)
    n = wins + draws + losses
    if n == 0:
        return ScoreInterval(0.5, 0.0, 1.0)
    score, drawn, a = (wins + draws / 2) / n, draws / (n + z * z), z * z / n
    middle = score + a / 2
    spread = math.sqrt(a * max(score * (1 - score) - drawn / 4 + a * (1 - drawn) / 4, 0.0))
    low, high = (middle - spread) / (1 + a), (middle + spread) / (1 + a)
    # Rounding must not put 0 or 1 outside, where every game was lost or won.
    return ScoreInterval(score, min(max(low, 0.0), score), max(min(high, 1.0), score))


def gain(first: ScoreInterval, second: ScoreInterval) -> ScoreInterval:
    """How much more of the points one has than another, who played other games.

    The interval is made of those of both (Newcombe's way): each end of it is as far from the
    difference as the two scores may be off together.
    """
    difference = first.score - second.score
    return ScoreInterval(
        difference,
        difference - math.hypot(first.score - first.low, second.high - second.score),
        difference + math.hypot(first.high - first.score, second.score - second.low),
    )


def elo_of(score: float) -> float:
    """The difference in Elo points that makes a score likely; infinite for 0 and 1."""
    if not 0 <= score <= 1:
        raise ValueError(f"A score is a share from 0 to 1, not {score!r}.")
    if score in (0, 1):
        return math.inf if score else -math.inf
    return ELO * math.log(score / (1 - score))


def elo_difference(wins: int, draws: int, losses: int) -> Rating:
    """How many points the first player is ahead; who won every game is so without bound."""
    interval = score_interval(wins, draws, losses)
    return Rating(elo_of(interval.score), elo_of(interval.low), elo_of(interval.high))


def bradley_terry(
    points: Sequence[Sequence[float]] | NDArray[np.float64], prior: float = 1.0
) -> list[Rating]:
    """Ratings under which the results of many players are likeliest; their average is 0.

    `points[i][j]` is what i scored against j, a draw being half a point for both. `prior` is a
    number of games that each player is taken to have drawn with an average one: without it (0),
    players who won or lost everything would be infinitely far from the others, which is refused.
    The intervals come from the information in the games (Fisher's), with draws as half-known wins,
    so that they are rather too wide where many games are drawn.

    >>> [round(rating.elo, 1) for rating in bradley_terry([[0, 3], [1, 0]], prior=0)]
    [95.4, -95.4]
    """
    scored = np.array(points, np.float64)
    n = len(scored)
    if scored.ndim != 2 or scored.shape != (n, n) or n < 1:
        raise ValueError("points is a square table with a row and a column for each player.")
    if not np.isfinite(scored).all() or (scored < 0).any() or not 0 <= prior < math.inf:
        raise ValueError("Points and the prior must be numbers >= 0.")
    np.fill_diagonal(scored, 0.0)
    if prior == 0 and not _all_reach_all(scored):
        raise ValueError(
            "Some players never scored against the others, so that their distance has no bound; "
            "give a prior above 0."
        )
    games = scored + scored.T
    strength = np.zeros(n)
    for _ in range(200):
        slope, bend = _likelihood(strength, scored, games, prior)
        # The likelihood is the same for all ratings moved alike, if there is no prior.
        step = np.linalg.lstsq(bend, slope, rcond=1e-12)[0]
        longest = np.abs(step).max()
        strength += step * min(1.0, 1.0 / longest) if longest else step
        if longest < 1e-12:
            break
    centre = np.eye(n) - 1 / n
    _, bend = _likelihood(strength, scored, games, prior)
    covariance = centre @ np.linalg.pinv(bend, rcond=1e-12) @ centre
    spread = Z_95 * np.sqrt(np.clip(np.diag(covariance), 0.0, None))
    ratings = centre @ strength
    return [
        Rating(ELO * float(r), ELO * float(r - s), ELO * float(r + s))
        for r, s in zip(ratings, spread, strict=True)
    ]


def _likelihood(
    strength: NDArray[np.float64],
    scored: NDArray[np.float64],
    games: NDArray[np.float64],
    prior: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The slope of the log-likelihood, and how it bends: the information."""
    chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    average = 1 / (1 + np.exp(-strength))
    slope = (scored - games * chance).sum(axis=1) + prior * (0.5 - average)
    weight = games * chance * (1 - chance)
    bend = np.diag(weight.sum(axis=1) + prior * average * (1 - average)) - weight
    return slope, bend


def _all_reach_all(scored: NDArray[np.float64]) -> bool:
    """Whether from each player a chain of points leads to every other one."""
    reached = (scored > 0) | np.eye(len(scored), dtype=bool)
    for _ in range(len(scored).bit_length()):
        reached = reached @ reached
    return bool(reached.all())


def ratings_chart(ratings: Sequence[Rating], accepted: Sequence[bool], title: str) -> str:
    """A chart (SVG): each round with its interval, joined where a player replaced another.

    >>> chart = ratings_chart([Rating(0, -50, 50), Rating(100, 40, 160)], [True, True], "hex")
    >>> chart.count("<circle")
    2
    """
    width, height, left, top, right, bottom = 720, 360, 60, 40, 20, 40
    low = min(min(r.low for r in ratings), 0.0)
    high = max(max(r.high for r in ratings), 1.0)

    def x(n: int) -> float:
        return left + (width - left - right) * n / max(len(ratings) - 1, 1)

    def y(elo: float) -> float:
        return top + (height - top - bottom) * (high - elo) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{left}" y="24">{escape(title)}</text>',
    ]
    for tick in _ticks(low, high):
        parts.append(
            f'<line x1="{left}" x2="{width - right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" '
            f'stroke="#dddddd"/><text x="{left - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">'
            f"{tick:g}</text>"
        )
    way = [(n, r) for n, r in enumerate(ratings) if accepted[n]]
    points = " ".join(f"{x(n):.1f},{y(r.elo):.1f}" for n, r in way)
    parts.append(f'<polyline points="{points}" fill="none" stroke="#1f6f4a" stroke-width="2"/>')
    for n, rating in enumerate(ratings):
        colour = "#1f6f4a" if accepted[n] else "#b0b0b0"
        parts.append(
            f'<line x1="{x(n):.1f}" x2="{x(n):.1f}" y1="{y(rating.low):.1f}" '
            f'y2="{y(rating.high):.1f}" stroke="{colour}"/>'
            f'<circle cx="{x(n):.1f}" cy="{y(rating.elo):.1f}" r="4" fill="{colour}">'
            f"<title>round {n}: {rating.elo:.0f}</title></circle>"
            f'<text x="{x(n):.1f}" y="{height - 14}" text-anchor="middle">{n}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers, some five of them, from low to high."""
    step = 10.0
    while (high - low) / step > 6:
        step *= 2.5 if str(step)[0] == "2" else 2
    first = -(-low // step) * step
    return [first + k * step for k in range(int((high - first) // step) + 1)]
