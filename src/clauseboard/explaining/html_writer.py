"""Reasons as one HTML file: nothing from elsewhere, dark or light as the reader's system is."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from clauseboard.explaining.account import Account, signed
from clauseboard.explaining.questions import Comparison
from clauseboard.explaining.reasons import Argument, reason_picture
from clauseboard.explaining.writers import USUAL_MOST, listed_clauses, points
from clauseboard.games.plugins import PAGE
from clauseboard.html_parts import page, table

PICTURES = 4
"""Reasons of each side that are drawn, too."""


def account_page(
    account: Account, most: int = USUAL_MOST, others: Sequence[Comparison] = ()
) -> str:
    """An explanation as an HTML file, with comparisons below it, if there are any."""
    body = account_section(account, most)
    for comparison in others:
        body += comparison_section(comparison, most)
    title = f"Why {account.move}?" if account.move else "What is made of this board"
    return page(title, body)


def account_section(account: Account, most: int = USUAL_MOST) -> list[str]:
    """An account as a part of a page: headline, verdict, lines beside the board; then clauses."""
    side = account.value_for
    return [
        f"<p><strong>{escape(account.headline)}</strong></p>",
        f"<p>{escape(account.standing_text)}</p>",
        '<div class="two"><div class="board">',
        account.draw(),
        f'<p class="soft">{escape(account.heading())}, judged by '
        f"{escape(account.explanation.judge)}. Blue cells speak for {account.subject(side)}, "
        "orange ones against it; the strongest is darkest.</p></div><div>",
        _lines(account, most),
        *(f"<p>{escape(said)}</p>" for said in account.details),
        "</div></div>",
        *([] if account.alone is None else _alone(account, account.alone, most)),
        *_below(account, most),
    ]


def _alone(account: Account, alone: Account, most: int) -> list[str]:
    """The board after the move by a judge that does not search."""
    return [f"<p>{escape(account.alone_text())}</p>", _lines(alone, most)]


def _lines(account: Account, most: int) -> str:
    """The lines as a table with a bar each; the clauses of a concept open with a click."""
    biggest = max((abs(line.votes) for line in account.lines), default=0) or 1
    rows = ["<table><tbody>"]
    for line in account.lines:
        way, width = "good" if line.votes > 0 else "bad", 100 * abs(line.votes) / biggest
        text = escape(account.told(line))
        if account.explanation.lines and line.clauses:
            clauses = [(clause.votes, clause.listed) for clause in line.clauses]
            shown = table(("# points", "clause"), listed_clauses(clauses, most))
            text = f"<details><summary>{text}</summary>{shown}</details>"
        rows.append(
            f'<tr><td class="k soft">{escape(line.concept)}</td><td>{text}'
            f'<span class="bar {way}" style="width:{width:.1f}%"></span></td>'
            f'<td class="n">{points(line.votes)}</td></tr>'
        )
    rows.append(
        f'<tr><td></td><td class="soft">in all</td><td class="n">'
        f"{points(account.votes_in_all)}</td></tr></tbody></table>"
    )
    return "".join(rows)


def _below(account: Account, most: int) -> list[str]:
    """The votes and reasons of a judge that has clauses, or its terms; to be opened by a click."""
    explanation, side = account.explanation, account.value_for
    if not explanation.votes and not explanation.terms:
        return []
    lines = ["<details><summary>Votes and clauses</summary>"]
    if explanation.votes:
        rows = [
            [f"for {account.subject(end)}", f"{votes:+,}"]
            for end, votes in explanation.votes.items()
        ]
        if explanation.move is None:
            rows.append([f"lead of {side}", f"{explanation.lead(side):+,}"])
        lines.append(table(("votes", "#"), rows))
    if explanation.terms:
        terms = [[str(term), signed(term.amount)] for term in account.terms[:most]]
        if rest := account.rest_of_terms(most):
            terms.append([rest[1], rest[0]])
        lines += [f"<p>{escape(account.about_terms())}</p>", table(("term", "#"), terms)]
    for head, arguments in account.sides():
        subject = account.subject(side)
        good = {f"For {subject}": "good", f"Against {subject}": "bad"}.get(head, "")
        lines += [
            f'<h3 class="{good}">{escape(head)}</h3>',
            _reasons(account, arguments, most, good),
        ]
    for head, arguments in account.sides():
        cards = [_card(account, one) for one in arguments[:PICTURES]]
        if any(cards):
            lines += [f"<h3>{escape(head)}: the strongest, drawn</h3>", '<div class="cards">']
            lines += [*cards, "</div>"]
    return [*lines, "</details>"]


def comparison_section(comparison: Comparison, most: int = USUAL_MOST) -> list[str]:
    """Why one move and not the other, as a part of a page: both boards, and what differs."""
    first, second = comparison.names
    colour = comparison.colour
    lines = [f"<h2>{escape(first)} or {escape(second)}?</h2>", '<div class="pair">']
    for account in (comparison.first, comparison.second):
        lines += [
            f"<div>{account.draw()}<p><strong>{escape(account.headline)}</strong> "
            f"{account.verdict.percent} for {colour}.</p>"
            f'<p class="soft">{escape(account.heading())}</p></div>'
        ]
    lines.append("</div>")
    if comparison.lines:
        rows = [
            [points(line.votes), line.concept, line.first, line.second] for line in comparison.lines
        ]
        rows.append([points(comparison.votes), "in all", "", ""])
        head = ("# points", "= concept", f"after {first}", f"after {second}")
        lines.append(table(head, rows))
    parts = comparison.parts()
    if parts:
        rows = [
            [f"{effect:+,}", where, comparison.account_of(one).sentence(one)]
            for effect, where, one in parts[:most]
        ]
        if left := parts[most:]:
            rows.append([f"{sum(e for e, _, _ in left):+,}", "", f"{len(left):,} more"])
        rows.append([f"{comparison.lead:+,}", "", f"in all, after {first}"])
        lines.append(table((f"# lead of {colour}", "= where", "because"), rows))
    if comparison.terms:
        differing = [[text, signed(one), signed(two)] for text, one, two in comparison.terms[:most]]
        lines.append(table(("what", f"# after {first}", f"# after {second}"), differing))
    if comparison.is_silent:
        lines.append(f"<p>{escape(comparison.silence())}</p>")
    return lines


def _reasons(account: Account, arguments: Sequence[Argument], most: int, good: str) -> str:
    """Arguments as a table, with a bar for the votes of each."""
    greatest = max(abs(one.votes) for one in account.arguments)
    lines = ["<table><tbody>"]
    for one in arguments[:most]:
        width = 100 * abs(one.votes) / greatest
        bar = f'<span class="bar {good}" style="width:{width:.1f}%"></span>' if good else ""
        lines.append(
            f"<tr><td>{escape(account.pattern(one))}{bar}</td>"
            f'<td class="n">{escape(account.votes(one))}</td></tr>'
        )
    if left := arguments[most:]:
        votes = sum(abs(one.votes) for one in left)
        lines.append(
            f'<tr><td class="soft">{len(left):,} weaker</td><td class="n">{votes:,}</td></tr>'
        )
    return "".join([*lines, "</tbody></table>"])


def _card(account: Account, argument: Argument) -> str:
    """The clause itself, drawn on an empty board; nothing if it is on no cell."""
    drawn = clause_picture(account, argument)
    if not drawn:
        return ""
    text, votes = escape(account.pattern(argument)), escape(account.votes(argument))
    return f'<div class="card">{drawn}<b>{votes}</b>{text}</div>'


def clause_picture(account: Account, argument: Argument) -> str:
    """What an argument needs and forbids, on an empty board, as SVG; nothing if it has no cell.

    If it is about a move, there is a ring where that is made.
    """
    move = account.explanation.move
    ringed = [] if move is None else PAGE.of(account.game).path(account.game, move)
    return reason_picture(account.game, argument.first, ringed)
