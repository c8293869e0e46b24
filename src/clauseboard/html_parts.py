"""Parts of HTML: a whole page, a table, and what an object shows of itself in a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fdfcf9; --soft: #6b665c;
  --line: #ddd8cc; --card: #f5f2ea; --good: #1f5fae; --bad: #b04e00; --mark: #2166ac; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e6df; --paper: #17181a; --soft: #a29d92;
  --line: #3a3b3e; --card: #212326; --good: #7db4f5; --bad: #f5a65b; --mark: #7db4e6; } }
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


WIDTH = 360
"""Width of a board in a notebook, in pixels."""


def sized(svg: str) -> str:
    """A picture with a width, which it needs where nothing around it sets one.

    >>> sized('<svg viewBox="0 0 9 9"></svg>')
    '<svg width="360" viewBox="0 0 9 9"></svg>'
    """
    return svg.replace("<svg ", f'<svg width="{WIDTH}" ', 1)


def notebook_part(body: Iterable[str]) -> str:
    """A part of a page for a notebook: it looks as on a page, and changes nothing around it."""
    return "\n".join([f'<div class="clauseboard"><style>{_scoped(STYLE)}</style>', *body, "</div>"])


def _scoped(style: str) -> str:
    """Rules of style that hold within a part of class "clauseboard" only."""

    def within(match: re.Match[str]) -> str:
        selectors = [each.strip() for each in match[1].split(",")]
        if selectors[0].startswith("@"):
            return match[0]
        whole = (":root", "body")
        names = [".clauseboard" if s in whole else f".clauseboard {s}" for s in selectors]
        return f"\n{', '.join(names)} {{"

    return re.sub(r"([^{}]+)\{", within, style).replace("margin: 0 auto; padding: 1.2rem;", "")
