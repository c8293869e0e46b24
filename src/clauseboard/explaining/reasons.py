"""Reasons as they are shown: equal ones merged, symmetric ones joined.

Nothing is lost on the way: the votes of the arguments add up to the votes of the reasons.

Their sentences say what the clauses say, no less and no more, of every board that the rules allow.
What follows from the rules is left out: where a black man must be, no white one needs to be ruled
out, and a man on the last row is a king.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.explanation import Reason
from clauseboard.game import Bit, Game
from clauseboard.games.vocabulary import Vocabulary, vocabulary_of

Pattern = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of the bits that are needed, and of those that are forbidden."""


@dataclass(frozen=True)
class Argument:
    """Reasons that are shown as one, the strongest first.

    `pictures` says for each of the others how it comes from the first: "its mirror image".
    """

    reasons: tuple[Reason, ...]
    pictures: tuple[str, ...] = ()

    @property
    def votes(self) -> int:
        """What all of them vote, negative if they vote against."""
        return sum(reason.votes for reason in self.reasons)

    @property
    def first(self) -> Reason:
        """The strongest of them."""
        return self.reasons[0]

    @property
    def about(self) -> str | None:
        """The end of the game that they vote on: a win of this colour, or None for a draw."""
        return self.first.about


def merge(reasons: Iterable[Reason]) -> list[Reason]:
    """Equal reasons as one, their votes added, the strongest first; what cancels is left out.

    >>> one = Reason((), (), 3, True, "red")
    >>> [reason.votes for reason in merge([one, one, Reason((), (), 4, False, "red")])]
    [2]
    """
    totals: dict[Any, int] = {}
    first: dict[Any, Reason] = {}
    for reason in reasons:
        key = key_of(reason)
        first.setdefault(key, reason)
        totals[key] = totals.get(key, 0) + reason.votes
    merged = [with_votes(first[key], total) for key, total in totals.items() if total]
    return sorted(merged, key=lambda reason: -reason.weight)


def key_of(reason: Reason) -> Hashable:
    """What equal reasons share: the end of the game that they speak of, and their bits."""
    return reason.about, frozenset(reason.needed), frozenset(reason.forbidden)


def with_votes(reason: Reason, votes: int) -> Reason:
    """The same reason with other votes, negative if they are against."""
    return dataclasses.replace(reason, weight=abs(votes), favours=votes > 0)


def join(reasons: Iterable[Reason], game: Game) -> list[Argument]:
    """Reasons as arguments, the strongest first: equal ones merged, symmetrical ones joined.

    Only reasons that vote on the same end, and the same way, are joined; so a symmetry that
    exchanges the colours joins none.
    """
    turns = _turns(game)
    numbers = {bit: n for n, bit in enumerate(game.bits())}
    groups: dict[Any, list[tuple[Reason, Pattern | None]]] = {}
    for reason in merge(reasons):
        pattern = _pattern(reason, numbers)
        alike = (
            reason if pattern is None else min([pattern, *(_moved(pattern, t) for _, t in turns)])
        )
        groups.setdefault((reason.about, reason.favours, alike), []).append((reason, pattern))
    arguments = [
        Argument(
            tuple(reason for reason, _ in group),
            tuple(_picture(group[0][1], pattern, turns) for _, pattern in group[1:]),
        )
        for group in groups.values()
    ]
    return sorted(arguments, key=lambda argument: -abs(argument.votes))


def _turns(game: Game) -> list[tuple[str, NDArray[np.intp]]]:
    """The names of the symmetries that keep the colours, and where each puts every bit."""
    pictures = [picture for picture in vocabulary_of(game).pictures if not picture.exchanges]
    return [(picture.name, np.argsort(picture.source)) for picture in pictures]


def _pattern(reason: Reason, numbers: dict[Any, int]) -> Pattern | None:
    """The bits of a reason by their numbers; None if it has others than the board's."""
    bits = (*reason.needed, *reason.forbidden)
    if not all(bit in numbers for bit in bits):
        return None
    needed, forbidden = (
        tuple(sorted(numbers[bit] for bit in part)) for part in (reason.needed, reason.forbidden)
    )
    return needed, forbidden


def _moved(pattern: Pattern, turn: NDArray[np.intp]) -> Pattern:
    needed, forbidden = (tuple(sorted(turn[list(part)].tolist())) for part in pattern)
    return needed, forbidden


def _picture(
    first: Pattern | None, other: Pattern | None, turns: list[tuple[str, NDArray[np.intp]]]
) -> str:
    """How the other pattern comes from the first."""
    if first is None or other is None:
        return "the same"
    return next(name for name, turn in turns if _moved(first, turn) == other)


# ------------------------------------------------------------------ sentences

IMPOSSIBLE = "what no board can show"
ALWAYS = "always"


@dataclass(frozen=True)
class Condition:
    """Something said of a board, and the bits that it is about: these 1, and those 0."""

    subject: str
    """The colour that "has" it; empty where the text stands for itself."""
    text: str
    needed: tuple[Bit, ...] = ()
    forbidden: tuple[Bit, ...] = ()

    def holds(self, names: set[str]) -> bool:
        """Whether it is true of a board, given by the names of its bits that are 1."""
        there = all(bit.name in names for bit in self.needed)
        return there and not any(bit.name in names for bit in self.forbidden)


def sentence(argument: Argument | Reason, game: Game, about: str | None = None) -> str:
    """What an argument says of the board, and how it votes; `about` as in `votes_text`."""
    if isinstance(argument, Reason):
        argument = Argument((argument,))
    also = "".join(f", and {picture}" for picture in argument.pictures)
    note = f" ({argument.first.note})" if argument.first.note else ""
    return f"{pattern_text(argument.first, game)}{also}{note}: {votes_text(argument, about)}"


def votes_text(argument: Argument | Reason, about: str | None = None) -> str:
    """How an argument votes: "31 votes for white", "1 vote against a draw"; `about` is told instead
    of who wins, where that is not what it votes about."""
    weight = abs(argument.votes)
    way = "for" if argument.votes > 0 else "against"
    if about is None:
        about = "a draw" if argument.about is None else argument.about
    return f"{weight:,} vote{'' if weight == 1 else 's'} {way} {about}"


def pattern_text(reason: Reason, game: Game) -> str:
    """What a reason says of the board."""
    found = conditions(reason, game)
    if found is None:
        return IMPOSSIBLE
    if not found:
        return ALWAYS
    by_subject: defaultdict[str, list[str]] = defaultdict(list)
    for condition in found:
        if condition.text not in by_subject[condition.subject]:
            by_subject[condition.subject].append(condition.text)
    parts = [
        f"{subject} has {_listed(texts, 'and')}" for subject, texts in by_subject.items() if subject
    ]
    return ", and ".join([*parts, *by_subject.get("", [])])


def conditions(reason: Reason, game: Game) -> list[Condition] | None:
    """A reason as conditions, which together say the same; None if no board can fulfil them."""
    words, colours = vocabulary_of(game), game.colours
    placed = _Placed(reason, game, words)
    if placed.impossible:
        return None
    found: list[Condition] = []
    for colour in colours:
        for piece, (whose, one, many) in words.pieces.items():
            bits = placed.needed.get(piece, [])
            if whose == colour and bits:
                cells = [bit.cell or "" for bit in bits]
                what = f"a {one}" if len(cells) == 1 else many
                where = _places(cells, colour, words, "and")
                found.append(Condition(colour, f"{what} {words.at} {where}", tuple(bits)))
        for kind, bits in placed.lacking(colour).items():
            cells = list(dict.fromkeys(bit.cell or "" for bit in bits))
            where = _places(cells, colour, words, "or")
            text = f"{kind} {words.at} {where}"
            found.append(Condition(colour, text, forbidden=tuple(bits)))
    if placed.empty:
        cells = list(dict.fromkeys(bit.cell or "" for bit in placed.empty))
        text = f"{_listed(cells, 'and')} {'is' if len(cells) == 1 else 'are'} empty"
        found.append(Condition("", text, forbidden=tuple(placed.empty)))
    found += [Condition("", bit.name, needed=(bit,)) for bit in placed.others[0]]
    for bit in placed.others[1]:
        text = f"not {bit.name}" if bit.denied is None else bit.denied
        if text:
            found.append(Condition("", text, forbidden=(bit,)))
    return found


class _Placed:
    """The bits of a reason by piece and cell, without what the rules say anyway."""

    def __init__(self, reason: Reason, game: Game, words: Vocabulary) -> None:
        known = {bit: n for n, bit in enumerate(game.bits())}
        self.words = words
        self.others = [[bit for bit in part if bit not in known]
                       for part in (reason.needed, reason.forbidden)]  # fmt: skip
        needed = sorted((bit for bit in reason.needed if bit in known), key=known.__getitem__)
        taken = {bit.cell: bit for bit in needed}
        forbidden = [bit for bit in reason.forbidden if bit in known]
        self.impossible = (
            len(taken) < len(set(needed))
            or any(bit in forbidden for bit in needed)
            or any(bit.name in words.never for bit in needed)
        )
        self.needed: defaultdict[str, list[Bit]] = defaultdict(list)
        for bit in dict.fromkeys(needed):
            self.needed[bit.piece].append(bit)
        # For each cell that may be taken otherwise: what may be on it, and what must not.
        may_be: defaultdict[str | None, list[Bit]] = defaultdict(list)
        for bit in game.bits():
            if bit.name not in words.never:
                may_be[bit.cell].append(bit)
        self.may_be = may_be
        self.refused: defaultdict[str | None, list[Bit]] = defaultdict(list)
        # Cells stand in the order of the board, whatever is refused on them.
        places = {cell: n for n, cell in enumerate(may_be)}
        for bit in sorted(set(forbidden), key=lambda bit: (places.get(bit.cell, 0), known[bit])):
            if bit.cell not in taken and bit.name not in words.never:
                self.refused[bit.cell].append(bit)
        self.empty = [
            bit
            for cell, bits in self.refused.items()
            if len(bits) == len(may_be[cell])
            for bit in bits
        ]

    def lacking(self, colour: str) -> dict[str, list[Bit]]:
        """What a colour must not have: the kind, or "nothing", and the bits."""
        found: defaultdict[str, list[Bit]] = defaultdict(list)
        for cell, bits in self.refused.items():
            if len(bits) == len(self.may_be[cell]):
                continue
            own = [bit for bit in bits if self.words.pieces[bit.piece][0] == colour]
            all_own = [b for b in self.may_be[cell] if self.words.pieces[b.piece][0] == colour]
            if len(own) > 1 and len(own) == len(all_own):
                found["nothing"] += own
            else:
                for bit in own:
                    found[f"no {self.words.pieces[bit.piece][1]}"].append(bit)
        return dict(found)


def _places(cells: Sequence[str], colour: str, words: Vocabulary, last: str) -> str:
    """Cells as a list, in which those that have a name together are called by it."""
    left, parts = list(cells), []
    for region in sorted(words.regions, key=lambda region: -len(region.cells)):
        if not region.cells <= set(left):
            continue
        inside = [cell for cell in left if cell in region.cells]
        left = [cell for cell in left if cell not in region.cells]
        whose = {None: "the", colour: "its"}.get(region.owner, f"{region.owner}'s")
        if len(inside) == 1:
            parts.append(f"{whose} {region.name} {inside[0]}")
        else:
            parts.append(f"{whose} {region.name} ({_listed(inside, last)})")
    return _listed([*left, *parts], last)


def _listed(parts: Iterable[str], last: str) -> str:
    """Vocabulary in a row: "14, 18 and 21".

    >>> _listed(["14", "18", "21"], "or")
    '14, 18 or 21'
    """
    *before, end = parts
    return f"{', '.join(before)} {last} {end}" if before else end


# A reason on an empty board: what must be there, and what must not.


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
