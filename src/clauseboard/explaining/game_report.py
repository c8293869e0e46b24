"""A whole game, judged move by move: where it turned, and what would have been better.

A player is asked before every move. What the move played cost is the value of its best move, less
what it thinks of the position that came instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.explaining.account import Account, signed
from clauseboard.explaining.html_writer import comparison_section
from clauseboard.explaining.questions import Comparison, compare, explain_choice, explain_reply
from clauseboard.explaining.writers import (
    USUAL_MOST,
    comparison_markdown,
    comparison_page,
    comparison_text,
)
from clauseboard.explanation import Explanation, percent
from clauseboard.game import Move, Position
from clauseboard.games.drawing import FORBIDDEN, Svg
from clauseboard.games.records import Recorded
from clauseboard.html_parts import notebook_part, page
from clauseboard.player import Choice, Player, expectation
from clauseboard.players.searcher import explain_end

LEAST_POINTS = 0.5
"""Fewer points are not worth a word."""


@dataclass(frozen=True)
class Turn:
    """A move of the game: what the mover's best was worth, and what the move played was worth."""

    number: int
    """Moves before it."""
    position: Position
    played: Move
    best: Move
    value_best: float
    value_played: float
    points: float = 0.0
    """The points that were given away, in a game that has some."""

    @property
    def colour(self) -> str:
        """Who moved."""
        colour: str = self.position.to_move
        return colour

    @property
    def text(self) -> str:
        """The move played, as the game writes it."""
        written: str = self.position.game.write_move(self.position, self.played)
        return written

    @property
    def best_text(self) -> str:
        """The better move."""
        written: str = self.position.game.write_move(self.position, self.best)
        return written

    @property
    def sentence(self) -> str:
        """What was played and what would have been better, with their values."""
        return (
            f"Move {self.number + 1}: {self.colour} played {self.text} "
            f"({signed(self.value_played, 2)}); better was {self.best_text} "
            f"({signed(self.value_best, 2)}{self._points})"
        )

    @property
    def _points(self) -> str:
        return f", and {self.points:.1f} points more" if self.points >= LEAST_POINTS else ""

    @property
    def cost(self) -> float:
        """What was lost by the move; 0 if it was the best, or turned out better than that."""
        return 0.0 if self.played == self.best else max(0.0, self.value_best - self.value_played)


@dataclass(frozen=True)
class GameReport:
    """A game and what a player thinks of it.

    `values` has one number for each position, for the game's first colour. `turning_points` are
    the costliest moves in the order of play, each with the comparison of the better move with it,
    or None where the player gives values only.
    """

    recorded: Recorded
    player: str
    values: tuple[float, ...]
    turns: tuple[Turn, ...]
    turning_points: tuple[tuple[Turn, Comparison | None], ...]
    slides: tuple[tuple[Slide, Turn], ...] = ()
    """Chances that were lost bit by bit, each with the costliest move of that side meanwhile."""

    @property
    def slide_sentences(self) -> list[str]:
        """What is said of each slide."""
        return [
            f"{slide.sentence(turn.colour)} Its costliest move was {turn.text} (move "
            f"{turn.number + 1}), where {turn.best_text} was better."
            for slide, turn in self.slides
        ]

    def summary(self) -> str:
        """The report in a few lines of text."""
        colours = self.recorded.game.colours
        lines = [
            f"{len(self.turns)} moves, judged by {self.player}: {signed(self.values[0], 2)} for "
            f"{colours[0]} at the start, {signed(self.values[-1], 2)} at the end."
        ]
        for colour in colours:
            cost = sum(turn.cost for turn in self.turns if turn.colour == colour)
            lines.append(f"{colour} gave away {cost:.2f} by its moves.")
        for turn, _ in self.turning_points:
            lines.append(f"{turn.sentence}.")
        return "\n".join([*lines, *self.slide_sentences])

    def _repr_html_(self) -> str:
        """The report, for notebooks."""
        return notebook_part(_game_section(self))


def report_game(
    recorded: Recorded,
    player: Player,
    limit: Limit | None = None,
    *,
    most: int = 5,
    least: float = 0.1,
    progress: Callable[[float], None] | None = None,
) -> GameReport:
    """Ask a player about every position of a game.

    At most `most` turning points are told, none of which cost less than `least`.
    """
    if most < 0 or least < 0:
        raise ValueError(f"most={most} and least={least} must be >= 0.")
    if not recorded.moves:
        raise ValueError("The game has no moves to judge.")
    game = recorded.game
    for colour in game.colours:
        player.begin(game, colour, 0)
    choices: list[Choice | None] = []
    for done, position in enumerate(recorded.positions):
        over = position.outcome() is not None
        choices.append(None if over else _asked(player, position, limit))
        if progress is not None:
            progress((done + 1) / len(recorded.positions))
    worth = [_worth(p, c) for p, c in zip(recorded.positions, choices, strict=True)]
    turns = []
    for n, (position, move) in enumerate(zip(recorded.positions, recorded.moves, strict=False)):
        choice = choices[n]
        if choice is None:
            break
        after = recorded.positions[n + 1]
        sign = 1 if after.to_move == position.to_move else -1
        reply = choices[n + 1]
        best, came = choice.points, None if reply is None else reply.points
        lost = 0.0
        if best is not None and came is not None and move != choice.move:
            lost = best - sign * came
        turns.append(Turn(n, position, move, choice.move, worth[n], sign * worth[n + 1], lost))
    costly = [t for t in turns if t.cost and is_mistake(t.cost, least, t.points, t.value_best)]
    costly = sorted(costly, key=lambda t: -t.cost)[:most]
    told = []
    for turn in sorted(costly, key=lambda turn: turn.number):
        told.append((turn, _why(player, turn, choices)))
    first = game.colours[0]
    values = tuple(
        value if position.to_move == first else -value
        for position, value in zip(recorded.positions, worth, strict=True)
    )
    slides = _slides(game.colours, values, turns, {turn.number for turn in costly})
    return GameReport(recorded, str(player), values, tuple(turns), tuple(told), slides)


def _slides(
    colours: tuple[str, str], values: Sequence[float], turns: Sequence[Turn], marked: set[int]
) -> tuple[tuple[Slide, Turn], ...]:
    """Where a side's chance fell bit by bit, in the order of play; see `find_slide`.

    Where each of its moves was the best, only the player's opinion has changed.
    """
    found = []
    for colour, sign in zip(colours, (1, -1), strict=True):
        chances = {n: (1 + sign * value) / 2 for n, value in enumerate(values)}
        told = 0
        for turn in turns:
            if turn.colour != colour:
                continue
            if turn.number in marked:
                told = turn.number + 1
                continue
            slide = find_slide(chances, turn.number + 1, told)
            if slide is not None:
                told = slide.last
                own = [t for t in turns[slide.first : slide.last] if t.colour == colour]
                worst = max(own, key=lambda t: t.cost)
                found += [(slide, worst)] if worst.cost else []
    return tuple(sorted(found, key=lambda pair: pair[0].last))


def _asked(player: Player, position: Position, limit: Limit | None) -> Choice:
    choice = player.choose(position, limit)
    if choice.value is None:
        raise ValueError(
            f"The player {player} gives no values; a report needs a player with an evaluator."
        )
    return choice


def _worth(position: Position, choice: Choice | None) -> float:
    """The result from -1 to 1 that is expected for the side to move."""
    if choice is None:
        return explain_end(position, ()).value
    return float(expectation(choice) or 0.0)


def _why(player: Player, turn: Turn, choices: list[Choice | None]) -> Comparison | None:
    choice, reply = choices[turn.number], choices[turn.number + 1]
    if choice is None or choice.explain is None:
        return None
    better = explain_choice(player, turn.position, choice)
    if reply is None:
        ended: Explanation = explain_end(turn.position.play(turn.played), (turn.played,))
        return compare(better, Account(ended, turn.position))
    return compare(better, explain_reply(player, turn.position, turn.played, reply))


# The report of a whole game: as HTML with its value curve and boards, text, Markdown and JSON.

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
    players, colours = report.recorded.players, report.recorded.game.colours
    names = [f"{players.get(colour, '?')} ({colour})" for colour in colours]
    return page(" against ".join(names), _game_section(report, most))


def _game_section(report: GameReport, most: int = USUAL_MOST) -> list[str]:
    """The report as a part of a page: the curve, the turning points, and all moves."""
    recorded = report.recorded
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
    body += [f"<p>{escape(sentence)}</p>" for sentence in report.slide_sentences]
    for turn, comparison in report.turning_points:
        body += [
            f'<h2 id="m{turn.number + 1}">{escape(turn.sentence)}</h2>',
            *_reasons_text(turn, comparison, most),
        ]
    body += ["<h2>All moves</h2>", '<ol class="moves">']
    for turn in report.turns:
        bad, mark = (' class="bad"', "?") if turn.cost >= 0.1 else ("", "")
        body.append(
            f"<li{bad}>{escape(turn.text)}{mark} <small>{signed(turn.value_played, 2)}</small></li>"
        )
    body += [
        "</ol>",
        '<p class="soft">Beside each move is its value for the side that made it; '
        "those that cost 0.1 or more have a question mark.</p>",
    ]
    return body


def game_text(report: GameReport, most: int = USUAL_MOST) -> str:
    """The report as text: how it went, and at each turning point why another move was better."""
    comparisons = [
        f"Move {turn.number + 1}: {comparison_text(comparison, most)}"
        for turn, comparison in report.turning_points
        if comparison is not None
    ]
    return "\n\n".join([report.summary(), *comparisons])


def game_markdown(report: GameReport, most: int = USUAL_MOST) -> str:
    """The same as Markdown, where each line of the summary is a paragraph of its own."""
    comparisons = [
        comparison_markdown(comparison, most).replace("## ", f"## Move {turn.number + 1}: ", 1)
        for turn, comparison in report.turning_points
        if comparison is not None
    ]
    return "\n\n".join([report.summary().replace("\n", "\n\n"), *comparisons])


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
                   "value_best": t.value_best, "cost": t.cost, "points": t.points}
                  for t in report.turns],
        "turning_points": [
            {"move": turn.number + 1,
             "comparison": None if comparison is None else comparison_page(comparison)}
            for turn, comparison in report.turning_points
        ],
        "slides": [{"colour": turn.colour, "first": slide.first + 1, "last": slide.last,
                    "chance_before": slide.before, "chance_after": slide.now,
                    "costliest": turn.number + 1} for slide, turn in report.slides],
    }  # fmt: skip


def _reasons_text(turn: Turn, comparison: Comparison | None, most: int) -> list[str]:
    drawn = turn.position.game.draw(turn.position)
    before = f"<div>{drawn}<p>Before the move</p></div>"
    if comparison is None:
        return [f'<div class="pair">{before}</div>', "<p>The judge gives no reasons.</p>"]
    _, *section = comparison_section(comparison, most)
    opened, *rest = section
    return [opened, before, *rest]


def _moves(report: GameReport, colour: str) -> int:
    return sum(turn.colour == colour for turn in report.turns)


# ------------------------------------------------------------------ mistakes and slides

POINTS = 5.0
"""So many points given away are a mistake in a game that is open."""
DECIDED = 0.9
"""A game is decided if its result, from -1 to 1, is expected to be so far from even."""
LONGEST = 40
"""Moves of both sides over which chances are compared."""
FALL = 0.2
"""A chance of winning that falls by so much is told of."""


def is_mistake(loss: float, least: float, points: float, best: float) -> bool:
    """Whether a move costs too much: `least` of the result, which is from -1 to 1, or `POINTS`.

    `points` are those that it gives away, and `best` is what the best move was worth. Points of a
    game that is decided are no mistake, nor are those of a move that is as good as the best.

    >>> is_mistake(0.05, 0.3, 7.5, best=0.4), is_mistake(0.05, 0.3, 7.5, best=0.95)
    (True, False)
    """
    return loss >= least or (points >= POINTS and loss > 0 and abs(best) < DECIDED)


@dataclass(frozen=True)
class Slide:
    """How the chance of a side fell: from the one after `first` moves to that after `last`."""

    first: int
    last: int
    before: float
    now: float

    def sentence(self, colour: str) -> str:
        """What happened, in words."""
        return (
            f"Between moves {self.first + 1} and {self.last} {colour}'s chance of winning fell "
            f"from {percent(self.before)} to {percent(self.now)}."
        )


def find_slide(chances: Mapping[int, float], last: int, after: int = 0) -> Slide | None:
    """How far a side's chance has fallen after `last` moves from its best shortly before.

    `chances` has the side's chances by the number of moves played, as far as they are known; what
    was before `after` moves does not count, since something was said of it already. None if the
    chance has not fallen by `FALL`.

    >>> chances = dict(enumerate([0.6, 0.55, 0.56, 0.5, 0.49, 0.41, 0.42, 0.33]))
    >>> slide = find_slide(chances, last=7)
    >>> slide.first, slide.last, slide.sentence("black")
    (0, 7, "Between moves 1 and 7 black's chance of winning fell from 60 % to 33 %.")
    >>> find_slide(chances, last=7, after=3) is None
    True
    """
    known = [n for n in chances if max(after, last - LONGEST) <= n < last]
    if last not in chances or not known:
        return None
    first = max(known, key=lambda n: (chances[n], n))
    if chances[first] - chances[last] < FALL:
        return None
    return Slide(first, last, chances[first], chances[last])
