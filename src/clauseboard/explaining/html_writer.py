"""Reasons as one HTML file: nothing from elsewhere, dark or light as the reader's system is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from clauseboard.explaining.account import Account, signed
from clauseboard.explaining.questions import Comparison
from clauseboard.explaining.reasons import Argument
from clauseboard.explaining.sentences import reason_picture
from clauseboard.explaining.writers import USUAL_MOST, listed_clauses, points
from clauseboard.games.plugins import PAGE

PICTURES = 4
"""Reasons of each side that are drawn, too."""

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fdfcf9; --soft: #6b665c;
  --line: #ddd8cc; --card: #f5f2ea; --good: #1b7837; --bad: #b2182b; --mark: #2166ac; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e6df; --paper: #17181a; --soft: #a29d92;
  --line: #3a3b3e; --card: #212326; --good: #6cc088; --bad: #ef8a80; --mark: #7db4e6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem; max-width: 62rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.25rem; margin-top: 2.2rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
p.soft, .soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); }
.two { display: grid; gap: 1.4rem; grid-template-columns: minmax(14rem, 20rem) minmax(0, 1fr); }
.pair { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); }
.pair > div { max-width: 20rem; }
@media (max-width: 42rem) { .two { grid-template-columns: 1fr; } .board { max-width: 22rem; } }
.board svg, .cards svg, .pair svg { width: 100%; height: auto; display: block; border-radius: 4px; }
table { border-collapse: collapse; width: 100%; }
td, th { padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; overflow-wrap: normal; }
td.k { white-space: nowrap; }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td details { margin: 0; } .wide { overflow-x: auto; }
.bar { display: block; height: .3rem; border-radius: 2px; min-width: 1px; margin-top: .2rem; }
.bar.good { background: var(--good); } .bar.bad { background: var(--bad); }
.cards { display: grid; gap: .8rem; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr));
  margin: .8rem 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .6rem;
  font-size: .85rem; line-height: 1.35; }
.card svg { background: #fff; } .card b { display: block; margin: .4rem 0 .2rem; }
.board svg, .pair svg { background: #fff; }
@media (min-width: 42rem) { .two > .board { position: sticky; top: 1rem; align-self: start; } }
.curve { color: var(--ink); } .curve svg { width: 100%; height: auto; }
ol.moves { columns: 9rem; padding-left: 1.8rem; font-variant-numeric: tabular-nums; }
a { color: var(--mark); } details { margin: .6rem 0; } summary { cursor: pointer; }
"""


def page(title: str, body: Iterable[str]) -> str:
    """A whole HTML file around a body."""
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8"/>',
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            f"<h1>{escape(title)}</h1>",
            *body,
            "</body>",
            "</html>",
            "",
        ]
    )


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
        f"<p>{escape(account.verdict.sentence(side))}</p>",
        '<div class="two"><div class="board">',
        account.draw(),
        f'<p class="soft">{escape(account.heading())}, judged by '
        f"{escape(account.explanation.judge)}. Green cells speak for {account.subject(side)}, red "
        "ones against it; the strongest is darkest.</p></div><div>",
        _lines(account, most),
        "</div></div>",
        *_below(account, most),
    ]


def _lines(account: Account, most: int) -> str:
    """The lines as a table with a bar each; the clauses of a concept open with a click."""
    biggest = max((abs(line.votes) for line in account.lines), default=0) or 1
    rows = ["<table><tbody>"]
    for line in account.lines:
        way, width = "good" if line.votes > 0 else "bad", 100 * abs(line.votes) / biggest
        text = escape(line.text)
        if account.explanation.lines and line.clauses:
            clauses = [(clause.votes, clause.text) for clause in line.clauses]
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


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; columns whose heading begins with # are numbers, with = words kept on one line."""
    classes = {"#": ' class="n"', "=": ' class="k"'}
    kinds = [classes.get(name[:1], "") for name in head]
    cells = [
        f"<th{kind}>{escape(name.lstrip('#= '))}</th>"
        for kind, name in zip(kinds, head, strict=True)
    ]
    lines = ['<div class="wide"><table><thead><tr>', *cells, "</tr></thead><tbody>"]
    for row in rows:
        lines.append("<tr>")
        lines += [f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)]
        lines.append("</tr>")
    return "".join([*lines, "</tbody></table></div>"])


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
