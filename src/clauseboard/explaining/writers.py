"""Accounts and comparisons as text, Markdown and JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from clauseboard.explaining.account import Account, signed
from clauseboard.explaining.questions import Comparison
from clauseboard.explaining.reasons import Argument, shares
from clauseboard.explanation import Reason

USUAL_MOST = 8


def account_text(account: Account, most: int = USUAL_MOST, colour: bool = False) -> str:
    """An explanation as text: the board with each cell's share, the votes, the strongest reasons.

    What is left out is summed up, so that the numbers add up.
    """
    explanation = account.explanation
    lines = [
        f"{account.heading()}, judged by {explanation.judge}: {signed(account.value)} for "
        f"{account.value_for}.",
        "",
        account.game.text(explanation.position, colour=colour, heat=account.heat),
    ]
    if explanation.votes:
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
    if explanation.terms:
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


# Reasons as Markdown.


def account_markdown(account: Account, most: int = USUAL_MOST) -> str:
    """An explanation as a page of Markdown, with the board as text."""
    explanation = account.explanation
    lines = [
        f"## {_plain(account.heading())}",
        "",
        f"Judged by {_plain(explanation.judge)}: **{signed(account.value)}** for "
        f"{account.value_for}.",
        "",
        "```text",
        account.game.text(explanation.position, heat=account.heat),
        "```",
    ]
    if explanation.votes:
        rows: list[Sequence[str]] = [
            (account.subject(end), f"{votes:+,}") for end, votes in explanation.votes.items()
        ]
        if explanation.move is None:
            rows.append(
                (f"lead of {account.value_for}", f"{explanation.lead(account.value_for):+,}")
            )
        lines += ["", *table(("for", "votes"), rows)]
    for head, arguments in account.sides():
        rows = [
            (
                f"{one.votes:+,} {account.subject(one.about).removeprefix('a ')}",
                account.pattern(one),
            )
            for one in arguments[:most]
        ]
        if left := arguments[most:]:
            rows.append(
                (f"{sum(abs(one.votes) for one in left):,}", f"{len(left):,} weaker reasons")
            )
        lines += ["", f"### {head}", "", *table(("votes", "because"), rows)]
    if explanation.terms:
        rows = [(signed(term.amount), str(term)) for term in account.terms[:most]]
        if rest := account.rest_of_terms(most):
            rows.append(rest)
        lines += ["", _plain(account.about_terms()), "", *table(("amount", "what"), rows)]
    if silence := account.silence():
        lines += ["", silence]
    return "\n".join([*lines, ""])


def comparison_markdown(comparison: Comparison, most: int = USUAL_MOST) -> str:
    """Why one move and not the other, as Markdown."""
    first, second = comparison.names
    lines = [
        f"## {_plain(first)} or {_plain(second)}?",
        "",
        f"{signed(comparison.first.value)} and {signed(comparison.second.value)} for "
        f"{comparison.colour}.",
    ]
    parts = comparison.parts()
    if parts:
        rows: list[Sequence[str]] = [
            (f"{effect:+,}", where, comparison.account_of(one).sentence(one))
            for effect, where, one in parts[:most]
        ]
        if left := parts[most:]:
            rows.append((f"{sum(effect for effect, _, _ in left):+,}", "", f"{len(left):,} more"))
        rows.append((f"{comparison.lead:+,}", "", "in all"))
        lines += ["", *table((f"lead of {comparison.colour}", "where", "because"), rows)]
    if comparison.terms:
        rows = [(signed(one), signed(two), text) for text, one, two in comparison.terms[:most]]
        lines += ["", *table((f"after {first}", f"after {second}", "what"), rows)]
    if not parts and not comparison.terms:
        lines += ["", _plain(comparison.silence())]
    return "\n".join([*lines, ""])


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table of Markdown, line by line.

    >>> table(("a",), [("1|2",)])
    ['| a |', '|---|', '| 1\\\\|2 |']
    """
    lines = [_row(head), f"|{'---|' * len(head)}"]
    return lines + [_row(row) for row in rows]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_plain(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _plain(text: str) -> str:
    """Text on one line that is no markup."""
    for sign in ("\\", "*", "_", "`", "<", "["):
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


# Reasons as JSON, for programs. Shares are exact, as fractions written "numerator/denominator".


def account_page(account: Account) -> dict[str, Any]:
    """An explanation in JSON's types. Nothing is left out."""
    explanation = account.explanation
    game = account.game
    return {
        "game": repr(game),
        "asked": None if account.asked is None else game.write_position(account.asked),
        "line": list(account.line),
        "position": game.write_position(explanation.position),
        "judge": explanation.judge,
        "value": account.value,
        "value_for": account.value_for,
        "votes": [{"winner": end, "votes": votes} for end, votes in explanation.votes.items()],
        "reasons": [argument_page(account, argument) for argument in account.arguments],
        "shares": [
            {
                "winner": end,
                "cells": [
                    {"cell": cell, "share": str(share), "votes": float(share)}
                    for cell, share in shares(explanation, end).items()
                ],
            }
            for end in explanation.votes
        ],
        "terms": [dataclasses.asdict(term) for term in account.terms],
        "about_terms": account.about_terms() if explanation.terms else "",
    }


def argument_page(account: Account, argument: Argument) -> dict[str, Any]:
    """An argument in JSON's types."""
    return {
        "text": account.sentence(argument),
        "winner": argument.about,
        "votes": argument.votes,
        "pictures": list(argument.pictures),
        "clauses": [_clause_page(reason) for reason in argument.reasons],
    }


def comparison_page(comparison: Comparison) -> dict[str, Any]:
    """Why one move and not the other, in JSON's types."""
    first = comparison.first
    return {
        "first": account_page(first),
        "second": account_page(comparison.second),
        "colour": comparison.colour,
        "lead": comparison.lead,
        "only_first": [argument_page(first, one) for one in comparison.only_first],
        "only_second": [argument_page(first, one) for one in comparison.only_second],
        "changed": [argument_page(first, one) for one in comparison.changed],
        "terms": [
            {"text": text, "first": one, "second": two} for text, one, two in comparison.terms
        ],
    }


def _clause_page(reason: Reason) -> dict[str, Any]:
    return {
        "needed": [bit.name for bit in reason.needed],
        "forbidden": [bit.name for bit in reason.forbidden],
        "votes": reason.votes,
    }
