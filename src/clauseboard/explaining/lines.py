"""The verdict of an account and its lines, for any judge: points that add up exactly.

A point is a factor of e in the odds of winning, so that the points of all lines, added up, are the
logarithm of the odds. A judge that has concepts gives its lines itself. For others they are
derived: the votes of clauses, or the terms of a sum, scaled to the points of the verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clauseboard.explaining.reasons import Argument, pattern_text
from clauseboard.explanation import (
    UNIT,
    Explanation,
    Line,
    LineClause,
    Term,
    chance_of_votes,
    percent,
    split,
    votes_of,
)
from clauseboard.games.vocabulary import counted, in_words, vocabulary_of

MOST_LINES = 12
TOLD_APART = 2
"""So many lines at the top are not a sum of small ones, as long as there is room."""
OTHER = "other"
"""The concept of the line that sums up the smallest ones."""

EVEN = "Even"
"""How the sentence about a side begins in a game that is even."""
STEPS = ((0.95, "winning", "losing"),
         (0.70, "clearly better", "clearly worse"),
         (0.55, "slightly better", "slightly worse"))  # fmt: skip
"""The words for chances above a number, and for the chances of the other side there."""


@dataclass(frozen=True)
class Verdict:
    """How a side stands: its chance of winning, a draw being half a win, and its points.

    >>> Verdict(0.5, 0.0).words, Verdict(0.8, 1.39).words, Verdict(0.4, -0.41).words
    ('even', 'clearly better', 'slightly worse')
    """

    chance: float
    total: float
    unit: str = ""
    """What the total counts, where that is something that players count, such as points."""

    @property
    def words(self) -> str:
        """The chance in words; equal percentages have equal words."""
        shown = round(100 * self.chance)
        for above, better, worse in STEPS:
            if shown > 100 * above:
                return better
            if 100 - shown > 100 * above:
                return worse
        return "even"

    @property
    def percent(self) -> str:
        """The chance as it is written."""
        return percent(self.chance)

    def standing(self, colour: str) -> str:
        """How the colour stands: "White is clearly better: 86 %"."""
        if self.words == "even":
            return f"{EVEN}: {self.percent} for {colour}"
        return f"{colour.capitalize()} is {self.words}: {self.percent}"

    def sentence(self, colour: str) -> str:
        """The same with the total.

        >>> print(Verdict(0.86, 1.8).sentence("white"))
        White is clearly better: 86 % (+1.80)
        >>> print(Verdict(0.31, -4.25, "points").sentence("black"))
        Black is slightly worse: 31 %, 4.2 points behind on average over the games
        >>> print(Verdict(0.16, 3.9, "points").sentence("white"))
        White is clearly worse: 16 %, though 3.9 points ahead on average over the games
        """
        if self.unit:
            way = "ahead" if self.total >= 0 else "behind"
            points = f"{abs(self.total):.1f} {self.unit} {way} on average over the games"
            # A few games that are won by much can outweigh many that are lost by little.
            if (round(100 * self.chance) - 50) * self.total < 0:
                points = f"though {points}"
            return f"{self.standing(colour)}, {points}"
        return f"{self.standing(colour)} ({self.total + 0.0:+.2f})"


def chance_of(explanation: Explanation) -> float:
    """The chance of the side to move on the board explained."""
    if explanation.chance is not None:
        return explanation.chance
    if explanation.lines:
        return chance_of_votes(sum(line.votes for line in explanation.lines))
    return (1 + explanation.value) / 2


def lines_for(
    explanation: Explanation, colour: str, arguments: Sequence[Argument] = ()
) -> list[Line]:
    """All lines of an explanation, with votes for this colour; `arguments` are its clauses."""
    lines = list(explanation.lines) or _derived(explanation, arguments)
    sign = 1 if explanation.position.to_move == colour else -1
    return [_turned(line, sign) for line in lines]


# ---- lines of judges without concepts


@dataclass(frozen=True)
class _DerivedLine:
    """A line to be, and what its clauses add to the sum; without clauses, what it adds itself."""

    line: Line
    amounts: list[float]

    def with_votes(self, votes: int, scale: float) -> Line:
        """The line with its votes, which its clauses share."""
        if not self.line.clauses:
            return replace(self.line, votes=votes)
        shares = split(votes, [scale * amount for amount in self.amounts])
        clauses = zip(self.line.clauses, shares, strict=True)
        shared = tuple(replace(clause, votes=share) for clause, share in clauses)
        return replace(self.line, votes=votes, clauses=shared)


def _derived(explanation: Explanation, arguments: Sequence[Argument]) -> list[Line]:
    """The clauses or terms of a judge as lines; one line with its value if it has neither."""
    chance = chance_of(explanation)
    wanted = votes_of(chance)
    if arguments and explanation.move is None:
        parts = _of_clauses(explanation, arguments)
    elif explanation.terms and explanation.terms_add_up:
        parts = _of_terms(explanation)
    else:
        judge, side = explanation.judge or "the judge", explanation.position.to_move
        text = f"{judge}: {percent(chance)} for {side}"
        if not round(wanted):
            text = "what counts is equal on both sides"
        return [Line("judgement", text, round(wanted))]
    amounts = [sum(part.amounts) for part in parts]
    scale = None
    if wanted * sum(amounts) > 0:
        scale = wanted / sum(amounts)
    elif not round(wanted) and explanation.terms and not explanation.about_terms:
        scale = 2.0 * UNIT  # near even odds, for terms that add up to the value itself
    if scale is not None:
        votes = split(round(wanted), [scale * amount for amount in amounts])
        return [part.with_votes(n, scale) for part, n in zip(parts, votes, strict=True)]
    # They cancel out, or something else decides.
    return [Line("judgement", "the reasons for both sides cancel out", round(wanted))]


def _of_clauses(explanation: Explanation, arguments: Sequence[Argument]) -> list[_DerivedLine]:
    """Each argument that counts for one of the sides, with its votes for the side to move."""
    game, mover = explanation.position.game, explanation.position.to_move
    parts = []
    for argument in arguments:
        if argument.about is not None:
            text = pattern_text(argument.first, game)
            text += "".join(f", and {picture}" for picture in argument.pictures)
            clauses = tuple(
                LineClause(pattern_text(reason, game), 0, _named(reason.cells))
                for reason in argument.reasons
            )
            cells = tuple(dict.fromkeys(cell for clause in clauses for cell in clause.cells))
            sign = 1 if argument.about == mover else -1
            votes = [float(sign * reason.votes) for reason in argument.reasons]
            parts.append(_DerivedLine(Line("clause", text, 0, cells, clauses), votes))
    return parts


def _of_terms(explanation: Explanation) -> list[_DerivedLine]:
    """Each term; or, where every term is a piece, the pieces of each kind."""
    position = explanation.position
    bits = {bit.name: bit for bit in position.game.bits()}
    terms = [term for term in explanation.terms if term.amount]
    if any(term.text not in bits for term in terms):
        return [
            _DerivedLine(Line(term.text, str(term), 0, _named((term.cell,))), [term.amount])
            for term in terms
        ]
    pieces = vocabulary_of(position.game).pieces
    kinds: dict[str, list[Term]] = {}
    for term in terms:
        kinds.setdefault(pieces[bits[term.text].piece][2], []).append(term)
    parts = []
    for plural, group in kinds.items():
        owners = [pieces[bits[term.text].piece] for term in group]
        text, ahead = _ahead(plural, owners, position.game.colours)
        owned = zip(group, owners, strict=True)
        cells = _named(term.cell for term, owner in owned if owner[0] in ahead)
        clauses = tuple(LineClause(term.text, 0, _named((term.cell,))) for term in group)
        parts.append(
            _DerivedLine(Line(plural, text, 0, cells, clauses), [term.amount for term in group])
        )
    return parts


def _ahead(
    plural: str, owners: Sequence[tuple[str, str, str]], colours: Sequence[str]
) -> tuple[str, Sequence[str]]:
    """Who is ahead in pieces of a kind, in words, and the colours ahead: both, if none is."""
    first, second = (sum(owner[0] == colour for owner in owners) for colour in colours)
    if first == second:
        return f"{in_words(first)} {owners[0][1] if first == 1 else plural} each", colours
    colour, lead = colours[first < second], abs(first - second)
    return f"{colour} is {counted(lead, owners[0][1], plural)} ahead", (colour,)


# ---- lines made fewer, and turned to a side


def folded(lines: Iterable[Line], most: int = MOST_LINES) -> list[Line]:
    """Equal sentences as one, biggest first; the smallest of more than `most` as one line.

    If these together count more than all lines but one, more lines are told by themselves.
    """
    by_text: dict[str, Line] = {}
    for line in lines:
        before = by_text.get(line.text)
        by_text[line.text] = line if before is None else _joined(before, line)
    merged = sorted(by_text.values(), key=lambda line: -line.weight)
    kept = [line for line in merged if line.weight] or merged[:1]
    while len(kept) > most:
        small = kept[most - 1 :]
        clauses = tuple(LineClause(line.text, line.votes, line.cells) for line in small)
        votes = sum(line.votes for line in small)
        other = Line(OTHER, f"{in_words(len(small))} small things", votes, (), clauses)
        told = sorted([*kept[: most - 1], other], key=lambda line: -line.weight)
        if other not in told[:TOLD_APART] or most >= MOST_LINES:
            return told
        most += 1
    return kept


def _joined(first: Line, second: Line) -> Line:
    cells = tuple(dict.fromkeys((*first.cells, *second.cells)))
    clauses = (*first.clauses, *second.clauses)
    return replace(first, votes=first.votes + second.votes, cells=cells, clauses=clauses)


def _turned(line: Line, sign: int) -> Line:
    """A line as the side to move sees it (1), or as the other side does (-1)."""
    clauses = tuple(replace(clause, votes=sign * clause.votes) for clause in line.clauses)
    return replace(line, votes=sign * line.votes, clauses=clauses)


def _named(cells: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(cell for cell in cells if cell is not None)
