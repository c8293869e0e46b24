"""A gallery of a machine's clauses: each drawn, said in a sentence, and with what it did."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from clauseboard.explaining.merging import Argument
from clauseboard.explaining.picturing import reason_picture
from clauseboard.explaining.sentences import pattern_text, votes_text
from clauseboard.explaining.statistics import ClauseCount
from clauseboard.explaining.writing_html import page
from clauseboard.explaining.writing_markdown import table
from clauseboard.game import Game

KINDS = {
    "TP": "votes for, rightly",
    "FP": "votes for, wrongly",
    "TN": "votes against, rightly",
    "FN": "votes against, wrongly",
}


def strongest(counts: Sequence[ClauseCount], kind: str, most: int = 12) -> list[ClauseCount]:
    """The clauses with most weighted votes of a kind: TP, FP, TN or FN."""
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r} is none of {', '.join(map(repr, KINDS))}.")
    found = [one for one in counts if one.weighted[kind]]
    return sorted(found, key=lambda one: -one.weighted[kind])[:most]


def gallery_page(game: Game, counts: Sequence[ClauseCount], title: str, most: int = 12) -> str:
    """The strongest clauses of each kind as an HTML file."""
    boards = max((one.boards for one in counts), default=0)
    body = [
        f'<p class="soft">{len(counts):,} clauses that can fire, on {boards:,} boards. Votes are '
        "boards times weight. A ring is a piece that must be there, a cross one that must not.</p>"
    ]
    for kind, meaning in KINDS.items():
        chosen = strongest(counts, kind, most)
        if not chosen:
            continue
        body += [f"<h2>{escape(meaning.capitalize())} ({kind})</h2>", '<div class="cards">']
        body += [_card(game, one, kind) for one in chosen]
        body.append("</div>")
    return page(title, body)


def gallery_text(game: Game, counts: Sequence[ClauseCount], most: int = 12) -> str:
    """The strongest clauses of each kind as text."""
    lines = []
    for kind, meaning in KINDS.items():
        lines.append(f"{meaning.capitalize()} ({kind}):")
        for one in strongest(counts, kind, most):
            lines.append(f"  {one.weighted[kind]:>9,} votes  {_told(game, one)}")
    return "\n".join(lines)


def gallery_markdown(game: Game, counts: Sequence[ClauseCount], most: int = 12) -> str:
    """The strongest clauses of each kind as Markdown."""
    lines = []
    for kind, meaning in KINDS.items():
        rows = [
            (f"{one.weighted[kind]:,}", pattern_text(one.reason, game), votes_text(one.reason),
             _precision(one), f"{one.support:.1%}")
            for one in strongest(counts, kind, most)
        ]  # fmt: skip
        head = ("votes", "clause", "weight", "precision", "support")
        lines += [f"### {meaning.capitalize()} ({kind})", "", *table(head, rows), ""]
    return "\n".join(lines)


def counts_page(counts: Sequence[ClauseCount]) -> list[dict[str, Any]]:
    """What every clause did, in JSON's types."""
    return [
        {
            "winner": one.reason.about, "clause": one.index, "votes": one.reason.votes,
            "needed": [bit.name for bit in one.reason.needed],
            "forbidden": [bit.name for bit in one.reason.forbidden],
            "boards": one.boards, "fired": one.fired, **one.kinds,
            "precision": one.precision, "support": one.support,
        }
        for one in counts
    ]  # fmt: skip


def _card(game: Game, one: ClauseCount, kind: str) -> str:
    return (
        f'<div class="card">{reason_picture(game, one.reason)}<b>{one.weighted[kind]:,} votes</b>'
        f"{escape(_told(game, one))}</div>"
    )


def _told(game: Game, one: ClauseCount) -> str:
    text = votes_text(Argument((one.reason,)))
    return (
        f"{pattern_text(one.reason, game)}: {text}; fired on {one.fired:,} boards "
        f"({one.support:.1%}), right on {_precision(one)}"
    )


def _precision(one: ClauseCount) -> str:
    return "none" if one.precision is None else f"{one.precision:.1%}"
