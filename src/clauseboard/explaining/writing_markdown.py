"""Reasons as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clauseboard.explaining.account import Account, signed
from clauseboard.explaining.comparing import Comparison
from clauseboard.explaining.writing_text import USUAL_MOST


def account_markdown(account: Account, most: int = USUAL_MOST) -> str:
    """An explanation as a page of Markdown, with the board as text."""
    found = account.explanation
    lines = [
        f"## {_plain(account.heading())}",
        "",
        f"Judged by {_plain(found.judge)}: **{signed(account.value)}** for {account.value_for}.",
        "",
        "```text",
        account.game.text(found.position, heat=account.heat),
        "```",
    ]
    if found.votes:
        rows: list[Sequence[str]] = [
            (account.told(end), f"{votes:+,}") for end, votes in found.votes.items()
        ]
        if found.move is None:
            rows.append((f"lead of {account.value_for}", f"{found.lead(account.value_for):+,}"))
        lines += ["", *table(("for", "votes"), rows)]
    for head, arguments in account.sides():
        rows = [
            (f"{one.votes:+,} {account.told(one.about).removeprefix('a ')}", account.pattern(one))
            for one in arguments[:most]
        ]
        if left := arguments[most:]:
            rows.append(
                (f"{sum(abs(one.votes) for one in left):,}", f"{len(left):,} weaker reasons")
            )
        lines += ["", f"### {head}", "", *table(("votes", "because"), rows)]
    if found.terms:
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
