"""An explanation made ready to be read: what every way of writing it down begins with."""

from __future__ import annotations

import functools
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from clauseboard.explaining.headline import (
    EVEN_GAME,
    details,
    headline,
    headline_cells,
    lost_headline,
    won_headline,
)
from clauseboard.explaining.lines import EVEN, MOST_LINES, Verdict, chance_of, folded, lines_for
from clauseboard.explaining.reasons import Argument, join, pattern_text, sentence, votes_text
from clauseboard.explanation import UNIT, Explanation, Line, Term, percent
from clauseboard.game import Game, Position, line_texts
from clauseboard.html_parts import notebook_part


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign, which a zero has, too, but never a minus.

    >>> signed(-0.0001), signed(0.25, 2)
    ('+0.000', '+0.25')
    """
    return f"{round(value, digits) + 0.0:+.{digits}f}"


Shares = dict[str | None, Fraction]
"""The votes of reasons, each split evenly over the cells that the reason mentions.

They are fractions so that they add up exactly. None stands for reasons that mention no cell.
"""


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

    A judge with concepts marks the cells of its lines, one without reasons those of its terms.
    Where it is known who owns the cells in the end, that is shown.
    """
    found: dict[str | None, float] = {}
    sign = 1 if colour == explanation.position.to_move else -1
    if explanation.owners:
        return {cell: sign * share for cell, share in explanation.owners.items() if share}
    if any(line.cells for line in explanation.lines):
        for line in explanation.lines:
            for cell in line.cells:
                found[cell] = found.get(cell, 0.0) + sign * line.votes / len(line.cells)
    elif explanation.reasons:
        found = {cell: float(share) for cell, share in lead_shares(explanation, colour).items()}
    else:
        for term in explanation.terms:
            found[term.cell] = found.get(term.cell, 0.0) + sign * term.amount
    most = max((abs(share) for cell, share in found.items() if cell is not None), default=0.0)
    return {cell: share / most for cell, share in found.items() if cell is not None and share}


LINES_ALONE = 4
"""The lines of a board by itself; those of the search are more important."""

OPPOSITE, APART = 0.15, 0.3
"""So far apart two verdicts are said to differ: for different sides, or for the same one."""

MOST_RINGS = 4
"""A concept of more cells than these is shown by heat alone."""


@dataclass(frozen=True)
class Account:
    """An explanation, and the position that was asked about; without one, the board explained.

    `chosen`: it is about the move that the player thinks best. `lost`: the search is certain that
    every move there loses, and chose this one. `won`: it is certain that this one wins. `most` are
    the lines that it may have.
    """

    explanation: Explanation
    asked: Position | None = None
    chosen: bool = False
    lost: bool = False
    won: bool = False
    most: int = MOST_LINES

    @property
    def game(self) -> Game:
        """The game that is played."""
        game: Game = self.explanation.position.game
        return game

    @property
    def value_for(self) -> str:
        """The colour whose value and lead are told: whose turn it was when it was asked."""
        position = self.explanation.position if self.asked is None else self.asked
        colour: str = position.to_move
        return colour

    @property
    def value(self) -> float:
        """The value for that colour."""
        return self.explanation.value_for(self.value_for)

    @functools.cached_property
    def lines(self) -> tuple[Line, ...]:
        """The concepts, with votes for that colour, biggest first; `most` at most."""
        lines = lines_for(self.explanation, self.value_for, self.arguments)
        return tuple(folded(lines, self.most))

    @functools.cached_property
    def verdict(self) -> Verdict:
        """How that colour stands; the points of the lines add up to its total."""
        chance = chance_of(self.explanation)
        if self.explanation.position.to_move != self.value_for:
            chance = 1 - chance
        return Verdict(chance, self.votes_in_all / UNIT, self.explanation.unit)

    @functools.cached_property
    def alone(self) -> Account | None:
        """The board after the move by a judge that does not search, if one was asked."""
        alone = self.explanation.alone
        return None if alone is None else Account(alone, self.asked, most=LINES_ALONE)

    def alone_text(self) -> str:
        """What that judge says; its lines add up to it."""
        if self.alone is None:
            return ""
        said = self.alone.verdict.sentence(self.value_for)
        text = f"By what is counted on the board, without a search: {said}."
        alone, found = self.alone.verdict.chance, self.verdict.chance
        is_opposite = (alone - 0.5) * (found - 0.5) < 0
        if abs(alone - found) < (OPPOSITE if is_opposite else APART):
            return text
        sees = "sees it the other way round" if is_opposite else f"gives {percent(found)}"
        contrast = self.alone.explanation.contrast
        cause = f": {contrast}" if contrast else "; what makes the difference is not known"
        return f"{text} The search, which chooses the move, {sees}{cause}."

    @functools.cached_property
    def headline(self) -> str:
        """What matters most, in one sentence: a fact of the line, or else the verdict."""
        asked = self.explanation.position if self.asked is None else self.asked
        if self.lost and len(asked.moves()) > 1:
            return lost_headline(self.explanation, asked)
        said = headline(self.explanation, asked, self.verdict, self.lines, self.chosen)
        return won_headline(said, self.move, self.explanation) if self.won else said

    @property
    def standing_text(self) -> str:
        """How that colour stands, with the total, as it is said below the headline."""
        return self.below_headline(self.verdict.sentence(self.value_for))

    def below_headline(self, text: str) -> str:
        """How a side stands, without what the headline says already."""
        said = EVEN_GAME in self.headline
        return text.removeprefix(f"{EVEN}: ") if said else text

    @functools.cached_property
    def named(self) -> tuple[str, ...]:
        """The cells that the headline names, where the game says which these are."""
        asked = self.explanation.position if self.asked is None else self.asked
        return headline_cells(self.explanation, asked, self.lost)

    @functools.cached_property
    def details(self) -> tuple[str, ...]:
        """What belongs to the headline and had no room there, as sentences of the level below."""
        asked = self.explanation.position if self.asked is None else self.asked
        if self.lost and len(asked.moves()) <= 1:
            return ()
        said = details(self.explanation, asked, self.lost)
        return tuple(text for text in said if not self._is_told(text))

    def _is_told(self, sentence: str) -> bool:
        """Whether what stands behind the colon of a sentence is in a line, too."""
        rest = sentence.partition(": ")[2].rstrip(".")
        return bool(rest) and any(rest in line.text for line in self.lines)

    def told(self, line: Line) -> str:
        """The sentence of a line, without details that the headline has told already."""
        said, _, rest = line.text.partition(": ")
        return said if rest and rest in self.headline else line.text

    @functools.cached_property
    def line(self) -> tuple[str, ...]:
        """The moves that lead to the board explained, as text."""
        if self.asked is None:
            return tuple(str(move) for move in self.explanation.line)
        return tuple(line_texts(self.asked, self.explanation.line))

    @property
    def expected(self) -> tuple[str, ...]:
        """The whole line that the search expects: it may go on beyond the board explained."""
        explanation = self.explanation
        return (*self.line, *line_texts(explanation.position, explanation.ahead))

    @property
    def move(self) -> str:
        """The move that was asked about, as text; empty if it was a board."""
        if self.line:
            return self.line[0]
        explanation = self.explanation
        if explanation.move is None:
            return ""
        text: str = explanation.position.write_move(explanation.move)
        return text

    @functools.cached_property
    def arguments(self) -> list[Argument]:
        """The reasons, merged and joined, strongest first."""
        reasons = self.explanation.reasons
        return join(reasons, self.game) if reasons else []

    @functools.cached_property
    def heat(self) -> dict[str, float]:
        """What each cell adds to the lead of that colour, from -1 to 1."""
        return heat(self.explanation, self.value_for)

    @property
    def terms(self) -> list[Term]:
        """The terms, the greatest first."""
        return sorted(self.explanation.terms, key=lambda term: -abs(term.amount))

    def speaks_for(self, argument: Argument) -> bool | None:
        """Whether an argument speaks for the colour or against it; None: it is about a draw."""
        if argument.about is None:
            return None
        return (argument.votes > 0) == (argument.about == self.value_for)

    def subject(self, about: str | None) -> str:
        """What votes are for: a colour, a draw, or a move if the evaluator judges moves."""
        if self.explanation.move is not None:
            return self.move
        return "a draw" if about is None else about

    def sides(self) -> list[tuple[str, list[Argument]]]:
        """The arguments by what they speak for, under headings; those without any are left out."""
        heads = {
            True: f"For {self.subject(self.value_for)}",
            False: f"Against {self.subject(self.value_for)}",
            None: "About a draw",
        }
        grouped = {
            head: [argument for argument in self.arguments if self.speaks_for(argument) is way]
            for way, head in heads.items()
        }
        return [(head, arguments) for head, arguments in grouped.items() if arguments]

    def sentence(self, argument: Argument) -> str:
        """An argument in the words of the game, with its votes."""
        return sentence(argument, self.game, self.subject(argument.about))

    def pattern(self, argument: Argument) -> str:
        """What an argument says of the board, without its votes."""
        also = "".join(f", and {picture}" for picture in argument.pictures)
        return pattern_text(argument.first, self.game) + also

    def votes(self, argument: Argument) -> str:
        """How an argument votes."""
        return votes_text(argument, self.subject(argument.about))

    def votes_line(self) -> str:
        """The votes by class: "12 for black, -3 for white"."""
        votes = self.explanation.votes.items()
        return ", ".join(f"{n:+,} for {self.subject(end)}" for end, n in votes)

    def lead_text(self) -> str:
        """The lead of the colour, after a space; nothing where votes are about a move."""
        if self.explanation.move is not None:
            return ""
        return f" Lead of {self.value_for}: {self.explanation.lead(self.value_for):+,}."

    def heading(self) -> str:
        """What is explained: the board itself, one at the end of a line, or a move."""
        if not self.line:
            return f"The move {self.move}" if self.move else "This board"
        if len(self.line) == 1 or self.explanation.ahead:
            return f"The board after {' '.join(self.line)}"
        return f"The board at the end of the expected line {' '.join(self.line)}"

    @property
    def votes_in_all(self) -> int:
        """The votes of all lines."""
        return sum(line.votes for line in self.lines)

    def bar(self, line: Line, longest: int) -> str:
        """The votes of a line as a bar: the biggest line has the longest one."""
        biggest = max((abs(one.votes) for one in self.lines), default=0)
        return "█" * round(longest * abs(line.votes) / biggest) if biggest else ""

    def rest_of_terms(self, most: int) -> tuple[str, str] | None:
        """What the terms after so many add up to, if that means anything, and how many they are."""
        left = self.terms[most:]
        if not left:
            return None
        amount = signed(sum(term.amount for term in left))
        return (amount if self.explanation.terms_add_up else ""), f"{len(left):,} more"

    def about_terms(self) -> str:
        """What the terms are, as far as their judge says it, and what they add up to."""
        if self.explanation.about_terms:
            return self.explanation.about_terms
        total = sum(term.amount for term in self.explanation.terms)
        mover = self.explanation.position.to_move
        if abs(total - self.explanation.value) < 1e-9:
            return f"They add up to the value for {mover}, {signed(total)}."
        return f"They add up to {signed(total)}, which is not the value for {mover} itself."

    def text(self, most: int | None = None, colour: bool = False) -> str:
        """The account as text; with `most`, so many clauses or reasons below the lines, too."""
        from clauseboard.explaining.writers import account_text

        return account_text(self, most, colour)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """The account, for notebooks."""
        from clauseboard.explaining.html_writer import account_section

        return notebook_part(account_section(self))

    def draw(self, **marks: Any) -> str:
        """The board explained as SVG: the cells' shares as heat.

        The cells that the headline names have rings, or else those of the top concept.
        """
        if self.explanation.lines:
            few = (line.cells for line in self.lines if 0 < len(line.cells) <= MOST_RINGS)
            marks.setdefault("ringed", self.named or next(few, ()))
        return self.game.draw(self.explanation.position, heat=self.heat, **marks)
