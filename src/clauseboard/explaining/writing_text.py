"""Reasons for the terminal."""

from __future__ import annotations

from clauseboard.explaining.account import Account, signed
from clauseboard.explaining.comparing import Comparison

USUAL_MOST = 8


def account_text(account: Account, most: int = USUAL_MOST, colour: bool = False) -> str:
    """An explanation as text: the board with each cell's share, the votes, the strongest reasons.

    What is left out is summed up, so that the numbers add up.
    """
    found = account.explanation
    lines = [
        f"{account.heading()}, judged by {found.judge}: {signed(account.value)} for "
        f"{account.value_for}.",
        "",
        account.game.text(found.position, colour=colour, heat=account.heat),
    ]
    if found.votes:
        lines += [
            "",
            f"Votes: {account.votes_line()}.{account.lead_text()}",
        ]
    for head, arguments in account.sides():
        total = sum(abs(one.votes) for one in arguments)
        lines += ["", f"{head}, {_counted(total, 'vote')} by {_counted(len(arguments), 'reason')}:"]
        lines += [f"  {account.sentence(one)}" for one in arguments[:most]]
        left = arguments[most:]
        if left:
            votes = sum(abs(one.votes) for one in left)
            lines.append(f"  and {len(left):,} weaker: {_counted(votes, 'vote')}")
    if found.terms:
        lines += ["", account.about_terms()]
        lines += [f"  {signed(term.amount):>9}  {term}" for term in account.terms[:most]]
        if rest := account.rest_of_terms(most):
            lines.append(f"  {rest[0]:>9}  in {rest[1]}")
    if silence := account.silence():
        lines += ["", silence]
    return "\n".join(lines)


def comparison_text(comparison: Comparison, most: int = USUAL_MOST) -> str:
    """Why one move and not the other, as text."""
    first, second = comparison.names
    colour = comparison.colour
    lines = [
        f"{first} or {second}? {signed(comparison.first.value)} and "
        f"{signed(comparison.second.value)} for {colour}.",
        *(f"  {account.heading()}." for account in (comparison.first, comparison.second)),
    ]
    parts = comparison.parts()
    if parts:
        lead = f"{abs(comparison.lead):,} votes {'less' if comparison.lead < 0 else 'more'}"
        lines.append(f"The lead of {colour} is {lead} after {first}:")
        lines += [
            f"  {effect:+7,}  {where}: {comparison.account_of(argument).sentence(argument)}"
            for effect, where, argument in parts[:most]
        ]
        if left := parts[most:]:
            lines.append(f"  {sum(effect for effect, _, _ in left):+7,}  in {len(left):,} more")
    if comparison.terms:
        lines.append(f"What differs, for {colour} ({first}, {second}):")
        lines += [
            f"  {signed(one):>8} {signed(two):>8}  {text}"
            for text, one, two in comparison.terms[:most]
        ]
        if left_terms := comparison.terms[most:]:
            one, two = sum(row[1] for row in left_terms), sum(row[2] for row in left_terms)
            summed = f"{signed(one):>8} {signed(two):>8}"
            if not comparison.first.explanation.terms_add_up:
                summed = ""
            lines.append(f"  {summed:17}  in {len(left_terms):,} more")
    if not parts and not comparison.terms:
        lines.append(comparison.silence())
    return "\n".join(lines)


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"
