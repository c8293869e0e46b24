"""A chart (SVG) of the ratings over the rounds."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from clauseboard.arena.ratings import Rating

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 360, 60, 40, 20, 40


def ratings_chart(ratings: Sequence[Rating], accepted: Sequence[bool], title: str) -> str:
    """A point a round with its interval, joined where a player replaced its predecessor.

    >>> chart = ratings_chart([Rating(0, -50, 50), Rating(100, 40, 160)], [True, True], "hex")
    >>> chart.count("<circle")
    2
    """
    low = min(min(r.low for r in ratings), 0.0)
    high = max(max(r.high for r in ratings), 1.0)

    def x(n: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * n / max(len(ratings) - 1, 1)

    def y(elo: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - elo) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24">{escape(title)}</text>',
    ]
    for tick in _ticks(low, high):
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" '
            f'stroke="#dddddd"/><text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">'
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
            f'<text x="{x(n):.1f}" y="{HEIGHT - 14}" text-anchor="middle">{n}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers, some five of them, from low to high."""
    step = 10.0
    while (high - low) / step > 6:
        step *= 2.5 if str(step)[0] == "2" else 2
    first = -(-low // step) * step
    return [first + k * step for k in range(int((high - first) // step) + 1)]
