"""Accounts and comparisons as text, Markdown and JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clauseboard.explaining.account import Account, shares, signed
from clauseboard.explaining.questions import Comparison
from clauseboard.explaining.reasons import Argument
from clauseboard.explanation import UNIT, Explanation, Line, LineClause, Reason
from clauseboard.game import Position
from clauseboard.games.drawing import heat_digit

USUAL_MOST = 8
BAR = 10
"""The length of the longest bar, in letters."""


def points(votes: int) -> str:
    """Votes of a line as points.

    >>> points(-25), points(0)
    ('-0.25', '+0.00')
    """
    return f"{votes / UNIT:+.2f}"


def account_text(account: Account, most: int | None = None, colour: bool = False) -> str:
    """An account as text: the headline, the verdict, the lines, and the board with their cells.

    What has no room in the headline, such as the links of a connection, follows after the lines.

    With `most`, the level below: so many clauses of each line, or reasons of each side, and the
    sum of what is left out, so that the numbers add up.
    """
    explanation = account.explanation
    marks = _marks(account, colour)
    lines = [account.headline, f"{account.standing_text}.", ""]
    lines += _lines_text(account, most)
    lines += ["", *account.details] if account.details else []
    if account.alone is not None:
        lines += ["", account.alone_text(), "", *_lines_text(account.alone, most)]
    lines += [
        "",
        f"{account.heading()}, judged by {explanation.judge}:",
        "",
        account.game.text(explanation.position, colour=colour, **marks),
    ]
    if account.heat and not colour:
        where = "headline and its details speak" if account.details else "headline speaks"
        stars = f", {STAR}: what the {where} of" if marks["text"] else ""
        lines.append(
            f"(+9: what speaks most for {account.value_for}, -9: what speaks most against{stars})"
        )
    if most is not None:
        lines += _below(account, most)
    return "\n".join(lines)


def _lines_text(account: Account, most: int | None) -> list[str]:
    """The lines with a bar each; with `most`, so many clauses of each."""
    width = max((len(line.concept) for line in account.lines), default=0)
    lines = []
    for line in account.lines:
        lines.append(
            f"  {points(line.votes):>6} {account.bar(line, BAR):{BAR}}  "
            f"{line.concept:{width}}  {account.told(line)}"
        )
        if account.explanation.lines and most is not None:
            clauses = [(clause.votes, clause.listed) for clause in line.clauses]
            lines += [f"        {amount}  {text}" for amount, text in listed_clauses(clauses, most)]
    return lines


STAR = "*"
"""The mark of a cell that the headline names."""


def _marks(account: Account, colour: bool = False) -> dict[str, Any]:
    """The heat of the cells, in digits without what would be a zero; and the headline's cells."""
    shown = account.heat.items()
    heat = {cell: value for cell, value in shown if colour or heat_digit(value)[-1] != "0"}
    stars = [cell for cell in account.named if colour or cell not in heat]
    return {"heat": heat, "text": dict.fromkeys(stars, STAR)}


def listed_clauses(clauses: Sequence[tuple[int, str]], most: int) -> list[tuple[str, str]]:
    """The points and texts of the strongest clauses, and of the others together."""
    strongest = sorted(clauses, key=lambda clause: -abs(clause[0]))
    rows = [(f"{points(votes):>6}", text) for votes, text in strongest[:most]]
    if left := strongest[most:]:
        rows.append((f"{points(sum(votes for votes, _ in left)):>6}", f"in {len(left):,} more"))
    return rows


def _below(account: Account, most: int) -> list[str]:
    """The votes and the strongest reasons of each side, or the terms of a sum."""
    explanation, lines = account.explanation, []
    if explanation.votes:
        lines += ["", f"Votes: {account.votes_line()}.{account.lead_text()}"]
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
    return lines


def brief_text(explanation: Explanation, asked: Position) -> str:
    """An account in a few lines: the headline, the verdict, the board that is judged, the lines."""
    account = Account(explanation, asked)
    verdict = account.standing_text
    lines = [account.headline, f"{verdict}, judged by {explanation.judge}"]
    if account.line:
        lines.append(f"after {' '.join(account.line)}:")
        lines.append(account.game.write_position(explanation.position))
    lines += [f"{points(line.votes)} {line.concept}: {line.text}" for line in account.lines]
    return "\n".join(lines)


def headline_and_heat(explanation: Explanation, asked: Position) -> tuple[str, Mapping[str, float]]:
    """The headline, and what each cell adds for the side to move where it was asked."""
    account = Account(explanation, asked)
    return f"{account.headline} {account.standing_text}.", account.heat


def comparison_text(comparison: Comparison, most: int = USUAL_MOST) -> str:
    """Why one move and not the other, as text."""
    first, second = comparison.names
    colour = comparison.colour
    accounts = (comparison.first, comparison.second)
    chances = " and ".join(account.verdict.percent for account in accounts)
    lines = [f"{first} or {second}? {chances} for {colour}."]
    lines += [f"  {account.heading()}. {account.headline}" for account in accounts]
    if comparison.lines:
        lines.append(f"What makes the difference of {points(comparison.votes)}, for {colour}:")
        lines += [
            f"  {points(line.votes):>6}  {line.concept}: {line.text(comparison.names)}"
            for line in comparison.lines
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
            lines.append(f"  {'':17}  in {len(left_terms):,} more")
    if comparison.is_silent:
        lines.append(comparison.silence())
    return "\n".join(lines)


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


# Reasons as Markdown.


def account_markdown(account: Account, most: int | None = None) -> str:
    """An account as a page of Markdown, with the board as text; `most` as in `account_text`."""
    explanation = account.explanation
    lines = [
        f"## {_plain(account.heading())}",
        "",
        f"**{_plain(account.headline)}** "
        f"{_plain(account.standing_text)}, judged by "
        f"{_plain(explanation.judge)}.",
        "",
        *_lines_markdown(account),
        *(["", *(f"{_plain(said)} " for said in account.details)] if account.details else []),
        "",
        "```text",
        account.game.text(explanation.position, **_marks(account)),
        "```",
    ]
    if account.alone is not None:
        lines += ["", _plain(account.alone_text()), "", *_lines_markdown(account.alone)]
    if most is not None:
        lines += _markdown_below(account, most)
    return "\n".join([*lines, ""])


def _lines_markdown(account: Account) -> list[str]:
    """The lines as a table, with their sum."""
    rows: list[Sequence[str]] = [
        (points(line.votes), line.concept, account.told(line)) for line in account.lines
    ]
    rows.append((points(account.votes_in_all), "", "in all"))
    return table(("points", "concept", "because"), rows)


def _markdown_below(account: Account, most: int) -> list[str]:
    """The clauses of each line, the votes and reasons of each side, and the terms of a sum."""
    explanation = account.explanation
    lines: list[str] = []
    rows: list[Sequence[str]]
    for line in account.lines if explanation.lines else ():
        if line.clauses:
            clauses = [(clause.votes, clause.listed) for clause in line.clauses]
            head = f"### {_plain(line.concept)}: {_plain(line.text)}"
            lines += ["", head, "", *table(("points", "clause"), listed_clauses(clauses, most))]
    if explanation.votes:
        rows = [(account.subject(end), f"{votes:+,}") for end, votes in explanation.votes.items()]
        if explanation.move is None:
            lead = f"{explanation.lead(account.value_for):+,}"
            rows.append((f"lead of {account.value_for}", lead))
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
    return lines


def comparison_markdown(comparison: Comparison, most: int = USUAL_MOST) -> str:
    """Why one move and not the other, as Markdown."""
    first, second = comparison.names
    accounts = (comparison.first, comparison.second)
    chances = " and ".join(account.verdict.percent for account in accounts)
    lines = [
        f"## {_plain(first)} or {_plain(second)}?",
        "",
        f"{chances} for {comparison.colour}. "
        + " ".join(_plain(account.headline) for account in accounts),
    ]
    rows: list[Sequence[str]]
    if comparison.lines:
        rows = [
            (points(line.votes), line.concept, line.first, line.second) for line in comparison.lines
        ]
        rows.append((points(comparison.votes), "in all", "", ""))
        lines += ["", *table(("points", "concept", f"after {first}", f"after {second}"), rows)]
    parts = comparison.parts()
    if parts:
        rows = [
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
    if comparison.is_silent:
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
    """An account in JSON's types. Nothing is left out.

    The points of the lines are for the side to move where it was asked, and add up to the total.
    """
    explanation = account.explanation
    game = account.game
    verdict = account.verdict
    return {
        "game": repr(game),
        "verdict": {"chance": verdict.chance, "total": verdict.total, "words": verdict.words},
        "headline": account.headline,
        "details": list(account.details),
        "lines": [line_page(line) for line in account.lines],
        "move": account.move,
        "asked": None if account.asked is None else game.write_position(account.asked),
        "line": list(account.line),
        "ahead": list(account.expected[len(account.line) :]),
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
        "alone": None if account.alone is None else account_page(account.alone),
    }


def line_page(line: Line) -> dict[str, Any]:
    """A line in JSON's types, with its clauses."""
    clauses = [_clause_of_line(clause) for clause in line.clauses]
    return {
        "concept": line.concept,
        "text": line.text,
        "points": line.points,
        "cells": list(line.cells),
        "clauses": clauses,
    }


def _clause_of_line(clause: LineClause) -> dict[str, Any]:
    return {
        "text": clause.text,
        "points": clause.votes / UNIT,
        "cells": list(clause.cells),
        **({} if clause.source is None else {"source": clause.source}),
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
        "lines": [
            {
                "concept": line.concept,
                "first": line.first,
                "second": line.second,
                "points": line.points,
                "cells": list(line.cells),
            }
            for line in comparison.lines
        ],
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
