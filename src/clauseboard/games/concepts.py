"""Concepts and features: what players of a game count on a board.

A concept is a number that either side has: kings, safe moves, the steps to the crown. Bits say how
large it is. All are seen by one side, "we" against "they":

    >>> CONCEPT = Concept("kings", "material", "has {n} {king|kings}", levels=(1, 2), leads=(1,))
    >>> [bit.name for bit in concept_bits((CONCEPT,))]  # doctest: +NORMALIZE_WHITESPACE
    ['we: kings >= 1', 'we: kings >= 2', 'they: kings >= 1', 'they: kings >= 2',
     'we lead: kings >= 1', 'they lead: kings >= 1']
    >>> bit = concept_bits((CONCEPT,))[1]
    >>> bit.sentence("black", "white", True), bit.sentence("black", "white", False)
    ('black has at least two kings', '')

A game offers its concepts in `games/<game>/concepts.py` (`plugins.ConceptsPlugin`); clauses over
these bits judge boards (`learners.tsetlin.concept_evaluator`).

A feature is what one side has more of than the other: it is 0 on even boards, and changes its sign
when the colours are exchanged. Since it is a sum over bits, a weighted sum of features is one, too.
A game has them in `games/<game>/board_features.py`: `FEATURES`, what each counts for a piece of
the first colour, and `SETS`, features by the name of the set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import known_name
from clauseboard.game import Bit, Game
from clauseboard.games.plugins import FEATURES
from clauseboard.games.squares import mover_source

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip

AT_LEAST = "at least "

WE, THEY, LEAD = 0, 1, 2
"""What a count is about: what we have of a concept, what they have, or our lead."""

_CHOICE = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


def number_word(n: int) -> str:
    """A number as people write it in a sentence.

    >>> number_word(2), number_word(30)
    ('two', '30')
    """
    return NUMBERS[n] if 0 <= n < len(NUMBERS) else str(n)


def filled_in(template: str, n: int, before: str = "", **words: str) -> str:
    """A sentence for a number: `{n}` is the number, with a word before it, `{man|men}` a choice.

    >>> filled_in("has {n} {man|men}", 1), filled_in("has {n} {man|men}", 3)
    ('has one man', 'has three men')
    """
    text = _CHOICE.sub(lambda found: found[1 if n == 1 else 2], template)
    return text.format(n=f"{before}{number_word(n)}", **words)


def listed(words: Sequence[str]) -> str:
    """Words in a row.

    >>> listed(["26", "30", "31"])
    '26, 30 and 31'
    """
    *before, last = words or ("",)
    return f"{', '.join(before)} and {last}" if before else last


@dataclass(frozen=True)
class Concept:
    """Something that either side has a number of.

    `line` is the line of an account that it belongs to. `has` says that a side has so many; `none`,
    that it has none, where people say that; `ahead`, that it leads by so many (by default `has`
    with "two more"). `fact` is the sentence of an account, about the numbers on a real board,
    with {side} and {other}, {n} and {m} for what the two have, {lead} and {cells}; without one it
    is "black has five safe moves, white two".

    There are bits for the `levels` of either side's number, and for the `leads`. `exact` concepts
    are there or not: they need no "at least". `good` is 1 if it is good to have much of it, -1 if
    it is bad, 0 if it only says when something counts. So may the levels of `context` concepts. A
    `shared` number is that of the board, the same for both sides, with these words for it.
    """

    name: str
    line: str
    has: str
    none: str = ""
    ahead: str = ""
    fact: str = ""
    levels: tuple[int, ...] = ()
    leads: tuple[int, ...] = ()
    exact: bool = False
    good: int = 0
    context: bool = False
    shared: str = ""

    def at_least(self, side: str, n: int) -> str:
        """A side has so many or more."""
        if self.shared:
            text = filled_in(self.shared, n)
            return text if self.exact else f"{text} or more are left"
        return f"{side} {filled_in(self.has, n, '' if self.exact else AT_LEAST)}"

    def at_most(self, side: str, n: int) -> str:
        """A side has so many or fewer; empty where people say nothing of the kind."""
        if self.shared:
            return self.none if self.exact else f"{filled_in(self.shared, n)} or fewer are left"
        return f"{side} {self.none}" if n == 0 and self.none else ""

    def leads_by(self, side: str, n: int) -> str:
        """A side has so many more than the other."""
        ahead = self.ahead or self.has.replace("{n}", "{n} more")
        return f"{side} {filled_in(ahead, n, AT_LEAST)}"

    def on_board(self, side: str, other: str, n: int, m: int, cells: Sequence[str]) -> str:
        """What is so on a board on which a side has `n` and the other, which has fewer, `m`."""
        if not self.fact:
            rest = f", {other} {number_word(m)}" if m else ""
            return f"{side} {filled_in(self.has, n)}{rest}"
        return filled_in(
            self.fact,
            n - m if "{lead}" in self.fact else n,
            side=side,
            other=other,
            m=number_word(m),
            lead=number_word(n - m),
            cells=listed(cells),
        )


def line_sentence(
    concepts: Sequence[Concept],
    line: str,
    side: str,
    other: str,
    ours: NDArray[np.int64],
    theirs: NDArray[np.int64],
    told: Callable[[Concept, str, str, int, int], str],
) -> str:
    """The first sentence of a line that its numbers bear out for a side; empty if there is none.

    A side is spoken for where it has more of what is good, or the other one of what is bad.
    `told` puts a concept into words: the side that has more, the other one, and their numbers;
    what it has no words for is passed over.
    """
    for concept, n, m in zip(concepts, ours.tolist(), theirs.tolist(), strict=True):
        if concept.line != line:
            continue
        words = ""
        if concept.good <= 0 and m > n:
            words = told(concept, other, side, m, n)
        elif concept.good >= 0 and n > m:
            words = told(concept, side, other, n, m)
        if words:
            return words
    return ""


@dataclass(frozen=True)
class ConceptBit:
    """Whether a number of one side, or a lead, reaches a level."""

    concept: Concept
    index: int
    """The place of the concept among those of the game."""
    kind: int
    level: int

    @property
    def name(self) -> str:
        """The name of the bit in the files of machines."""
        if self.kind == LEAD:
            who = "we lead" if self.level > 0 else "they lead"
        else:
            who = "we" if self.kind == WE else "they"
        return f"{who}: {self.concept.name} >= {abs(self.level)}"

    def sentence(self, we: str, they: str, holds: bool) -> str:
        """The bit, or the opposite of it, in words; empty where that is nothing people say."""
        if self.kind == LEAD:
            side = we if self.level > 0 else they
            return self.concept.leads_by(side, abs(self.level)) if holds else ""
        side = we if self.kind == WE else they
        if holds:
            return self.concept.at_least(side, self.level)
        return self.concept.at_most(side, self.level - 1)

    @property
    def is_context(self) -> bool:
        """Whether it may say when something counts, instead of what."""
        return self.concept.context and self.kind != LEAD

    @property
    def is_ours(self) -> bool:
        """Whether it is about what we have, or our lead."""
        return self.level > 0 if self.kind == LEAD else self.kind == WE

    @property
    def good(self) -> int:
        """1 if it speaks for us, -1 for them, 0 for neither."""
        return self.concept.good if self.is_ours else -self.concept.good

    def reached(self, ours: NDArray[np.int64], theirs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """On which boards the bit is set, given what either side has of the concept."""
        if self.kind == WE:
            return ours >= self.level
        if self.kind == THEY:
            return theirs >= self.level
        lead = ours - theirs
        return lead >= self.level if self.level > 0 else lead <= self.level


def concept_bits(concepts: Sequence[Concept]) -> list[ConceptBit]:
    """The bits of some concepts, in the order in which machines have them."""
    bits = []
    for index, concept in enumerate(concepts):
        for kind in (WE,) if concept.shared else (WE, THEY):
            bits += [ConceptBit(concept, index, kind, level) for level in concept.levels]
        for sign in (1, -1):
            bits += [ConceptBit(concept, index, LEAD, sign * lead) for lead in concept.leads]
    return bits


def bits_of_counts(
    bits: Sequence[ConceptBit], ours: NDArray[np.int64], theirs: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Counts (boards × concepts) as bits: boards × bits, seen by the side whose counts are `ours`.

    >>> kings = Concept("kings", "material", "has {n} {king|kings}", levels=(1,), leads=(1,))
    >>> bits_of_counts(concept_bits((kings,)), np.array([[2]]), np.array([[1]])).tolist()
    [[1, 1, 1, 0]]
    """
    rows = np.empty((len(ours), len(bits)), np.uint8)
    for column, bit in enumerate(bits):
        rows[:, column] = bit.reached(ours[:, bit.index], theirs[:, bit.index])
    return rows


# ---- features: numbers that evaluators weigh


@dataclass(frozen=True)
class Feature:
    """What is counted: `worth` of each piece of the first colour, told by its bit.

    `good`: no player who wants to win has less of it, other things being equal. A learner that
    comes to think otherwise has gone wrong.
    """

    name: str
    text: str
    worth: Callable[[Bit], float]
    good: bool = False

    def over_bits(self, game: Game) -> NDArray[np.float64]:
        """A number for each bit of a board; their sum is the feature, for the first colour."""
        first = game.colours[0]
        own = [self.worth(b) if b.piece.startswith(first) else 0.0 for b in game.bits()]
        ours = np.array(own, np.float64)
        theirs = np.zeros_like(ours)
        theirs[mover_source(game)] = ours
        return ours - theirs


def features_of(game: Game, which: str) -> tuple[Feature, ...]:
    """The features of a set.

    >>> from clauseboard.game import load_game
    >>> [feature.name for feature in features_of(load_game("checkers"), "three")]
    ['piece difference', 'kings', 'side']
    >>> features_of(load_game("hex"), "three")
    Traceback (most recent call last):
        ...
    ValueError: hex has no features; games that have: checkers.
    """
    offered = FEATURES.of(game)
    known_name(f"{game.name} has no set of features", which, offered.SETS)
    by_name = {feature.name: feature for feature in offered.FEATURES}
    return tuple(by_name[name] for name in offered.SETS[which])
