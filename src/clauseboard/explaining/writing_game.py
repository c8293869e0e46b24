"""The report of a whole game: as HTML with its value curve and boards, text, Markdown and JSON."""

from __future__ import annotations

from html import escape
from typing import Any

from clauseboard.explaining.account import signed
from clauseboard.explaining.comparing import Comparison
from clauseboard.explaining.game_report import GameReport, Turn
from clauseboard.explaining.writing_html import comparison_section, page
from clauseboard.explaining.writing_json import comparison_page
from clauseboard.explaining.writing_markdown import comparison_markdown
from clauseboard.explaining.writing_text import USUAL_MOST, comparison_text
from clauseboard.games.drawing import FORBIDDEN, Svg

WIDE, HIGH, MARGIN = 720.0, 220.0, 34.0


def curve(report: GameReport) -> str:
    """The value after each move, for the first colour, as SVG; turning points are ringed."""
    values = report.values
    first, second = report.recorded.game.colours
    svg = Svg(WIDE, HIGH, f"The value for {first}, move by move")
    wide, high = WIDE - 2 * MARGIN, HIGH - 2 * MARGIN

    def at(n: int, value: float) -> tuple[float, float]:
        return MARGIN + wide * n / max(len(values) - 1, 1), MARGIN + high * (1 - value) / 2

    for value, opacity in ((1.0, 0.2), (0.0, 0.6), (-1.0, 0.2)):
        y = at(0, value)[1]
        svg.add("line", x1=MARGIN, y1=y, x2=WIDE - MARGIN, y2=y, stroke="currentColor",
                stroke_opacity=opacity, stroke_width=1)  # fmt: skip
        svg.letters(MARGIN / 2, y, f"{value:+.0f}" if value else "0", 12, "currentColor")
    svg.letters(WIDE / 2, MARGIN / 2, f"{first} wins", 12, "currentColor")
    svg.letters(WIDE / 2, HIGH - 7, f"{second} wins", 12, "currentColor")
    for n in range(0, len(values), max(1, 10 * round(len(values) / 80))):
        svg.letters(at(n, 0)[0], HIGH - MARGIN + 11, str(n), 11, "currentColor")
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(n, v) for n, v in enumerate(values)))
    svg.add("polyline", points=points, fill="none", stroke="#2166ac", stroke_width=2,
            stroke_linejoin="round")  # fmt: skip
    for turn, _ in report.turning_points:
        x, y = at(turn.number + 1, values[turn.number + 1])
        svg.add("circle", cx=x, cy=y, r=5, fill="none", stroke=FORBIDDEN, stroke_width=2.5)
        svg.letters(x, y - 12 if y > HIGH / 2 else y + 14, turn.text, 11, "currentColor")
    return str(svg)


def game_page(report: GameReport, most: int = USUAL_MOST) -> str:
    """The report as one HTML file."""
    recorded = report.recorded
    names = [f"{recorded.players.get(colour, '?')} ({colour})" for colour in recorded.game.colours]
    ended = "no result was noted" if recorded.outcome is None else str(recorded.outcome)
    body = [
        f'<p class="soft">{escape(ended)}. Judged by {escape(report.player)}.</p>',
        f'<div class="curve">{curve(report)}</div>',
    ]
    for colour in recorded.game.colours:
        cost = sum(turn.cost for turn in report.turns if turn.colour == colour)
        body.append(
            f"<p>{escape(colour)} gave away {cost:.2f} by its {_moves(report, colour)} moves.</p>"
        )
    if report.turning_points:
        body.append("<h2>Where it turned</h2><ul>")
        body += [f'<li><a href="#m{turn.number + 1}">{escape(turn.sentence)}</a></li>'
                 for turn, _ in report.turning_points]  # fmt: skip
        body.append("</ul>")
    else:
        body.append("<p>No move cost enough to be called a turning point.</p>")
    for turn, comparison in report.turning_points:
        body += [
            f'<h2 id="m{turn.number + 1}">{escape(turn.sentence)}</h2>',
            *_why(turn, comparison, most),
        ]
    body += ["<h2>All moves</h2>", '<ol class="moves">']
    for turn in report.turns:
        bad = ' class="bad"' if turn.cost >= 0.1 else ""
        body.append(
            f"<li{bad}>{escape(turn.text)} <small>{signed(turn.value_played, 2)}</small></li>"
        )
    body += [
        "</ol>",
        '<p class="soft">Beside each move is its value for the side that made it; '
        "those that cost 0.1 or more are red.</p>",
    ]
    return page(" against ".join(names), body)


def game_text(report: GameReport, most: int = USUAL_MOST) -> str:
    """The report as text: how it went, and at each turning point why another move was better."""
    told = [
        f"Move {turn.number + 1}: {comparison_text(comparison, most)}"
        for turn, comparison in report.turning_points
        if comparison is not None
    ]
    return "\n\n".join([report.summary(), *told])


def game_markdown(report: GameReport, most: int = USUAL_MOST) -> str:
    """The same as Markdown, where each line of the summary is a paragraph of its own."""
    told = [
        comparison_markdown(comparison, most).replace("## ", f"## Move {turn.number + 1}: ", 1)
        for turn, comparison in report.turning_points
        if comparison is not None
    ]
    return "\n\n".join([report.summary().replace("\n", "\n\n"), *told])


def report_page(report: GameReport) -> dict[str, Any]:
    """The report in JSON's types."""
    recorded = report.recorded
    return {
        "game": repr(recorded.game),
        "players": dict(recorded.players),
        "outcome": None if recorded.outcome is None else str(recorded.outcome),
        "judge": report.player,
        "value_for": recorded.game.colours[0],
        "values": list(report.values),
        "moves": [{"move": t.text, "colour": t.colour, "best": t.best_text, "value": t.value_played,
                   "value_best": t.value_best, "cost": t.cost} for t in report.turns],
        "turning_points": [
            {"move": turn.number + 1,
             "comparison": None if comparison is None else comparison_page(comparison)}
            for turn, comparison in report.turning_points
        ],
    }  # fmt: skip


def _why(turn: Turn, comparison: Comparison | None, most: int) -> list[str]:
    drawn = turn.position.game.draw(turn.position)
    before = f"<div>{drawn}<p>Before the move</p></div>"
    if comparison is None:
        return [f'<div class="pair">{before}</div>', "<p>The judge gives no reasons.</p>"]
    _, *section = comparison_section(comparison, most)
    opened, *rest = section
    return [opened, before, *rest]


def _moves(report: GameReport, colour: str) -> int:
    return sum(turn.colour == colour for turn in report.turns)
