"""Why not this move? Two boards compared, reason by reason, for the side that had the choice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clauseboard.explaining.account import Account
from clauseboard.explaining.merging import Argument, join, key_of, merge, with_votes


@dataclass(frozen=True)
class Comparison:
    """What speaks on one board and not on the other.

    The votes of `only_first`, less those of `only_second`, and the votes of `changed`, are the
    difference of the votes of the two boards, for each end of the game. `changed` has what speaks
    on both, with different votes (two machines may judge them): the difference of these. If the
    game is over on one of the boards, the rules judge it, and there is nothing to set side by side.
    """

    first: Account
    second: Account
    only_first: list[Argument]
    only_second: list[Argument]
    changed: list[Argument]
    terms: list[tuple[str, float, float]]
    """For judges without clauses, the terms that differ: their amounts on the two boards."""

    @property
    def colour(self) -> str:
        """The side that had the choice."""
        return self.first.value_for

    @property
    def lead(self) -> int:
        """By how many votes its lead is greater on the first board; 0 if the rules judge one."""
        if self.settled:
            return 0
        colour = self.colour
        return self.first.explanation.lead(colour) - self.second.explanation.lead(colour)

    def effect(self, argument: Argument, sign: int = 1) -> int:
        """What an argument adds to that difference; `sign` is -1 for those of `only_second`."""
        if argument.about is None:
            return 0
        return sign * argument.votes * (1 if argument.about == self.colour else -1)

    def parts(self) -> list[tuple[int, str, Argument]]:
        """What each argument adds to the difference, and on which board; the greatest first."""
        first, second = self.names
        # A judge of moves speaks of what is around each; others, of the boards after them.
        where = "only after" if self.first.explanation.move is None else "around"
        found = [(self.effect(one), f"{where} {first}", one) for one in self.only_first]
        found += [(self.effect(one, -1), f"{where} {second}", one) for one in self.only_second]
        found += [(self.effect(one), "more or less, on both", one) for one in self.changed]
        return sorted(found, key=lambda part: -abs(part[0]))

    def account_of(self, argument: Argument) -> Account:
        """The one of the two that an argument belongs to; the first, if it is on both boards."""
        return self.second if any(one is argument for one in self.only_second) else self.first

    @property
    def settled(self) -> tuple[Account, ...]:
        """Those of the two on whose board the game is over."""
        both = (self.first, self.second)
        return tuple(one for one in both if one.explanation.position.outcome() is not None)

    def silence(self) -> str:
        """Why there is nothing to set side by side, where there is not."""
        if not self.settled:
            return "The judge gives no reasons, or the same ones for both."
        told = " and ".join(f"after {one.line[0]}, {one.explanation.judge}" for one in self.settled)
        return f"There are no reasons where the game is over: {told}."

    @property
    def names(self) -> tuple[str, str]:
        """The two moves."""
        return self.first.move, self.second.move


def compare(first: Account, second: Account) -> Comparison:
    """Compare what two moves lead to; both have been asked about in one position."""
    if first.asked is None or first.asked != second.asked:
        raise ValueError("Two moves are compared in one position, which both were asked about in.")
    if not first.move or not second.move:
        raise ValueError("Two moves are compared, but one of the two boards has none before it.")
    blank = Comparison(first, second, [], [], [], [])
    if blank.settled:
        return blank
    mine, theirs = (
        {key_of(reason): reason for reason in merge(account.explanation.reasons)}
        for account in (first, second)
    )
    game = first.game
    changed = [
        with_votes(reason, reason.votes - theirs[key].votes)
        for key, reason in mine.items()
        if key in theirs and theirs[key].votes != reason.votes
    ]
    return Comparison(
        first,
        second,
        join((reason for key, reason in mine.items() if key not in theirs), game),
        join((reason for key, reason in theirs.items() if key not in mine), game),
        join(changed, game),
        _terms(first, second),
    )


def _terms(first: Account, second: Account) -> list[tuple[str, float, float]]:
    colour = first.value_for

    def amounts(account: Account) -> dict[str, float]:
        sign = 1 if account.explanation.position.to_move == colour else -1
        return _summed((t.text, sign * t.amount) for t in account.explanation.terms)

    one, two = amounts(first), amounts(second)
    rows = [(text, one.get(text, 0.0), two.get(text, 0.0)) for text in one | two]
    return sorted((row for row in rows if row[1] != row[2]), key=lambda row: -abs(row[1] - row[2]))


def _summed(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    totals: dict[str, float] = {}
    for text, amount in pairs:
        totals[text] = totals.get(text, 0.0) + amount
    return totals
