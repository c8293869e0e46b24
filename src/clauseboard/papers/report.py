"""A page of figures as text for the terminal, Markdown and HTML."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clauseboard.papers.experiment import called

DIGITS = 2
NOTHING = "none"
"""Stands where there is no figure of ours."""

HEADS = ("", "", "published", "ours", "difference", "honest", "epochs")

STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
padding: 0 1rem } table { border-collapse: collapse } td, th { padding: .2rem .8rem;
border-bottom: 1px solid #ccc; text-align: right } td:first-child, td:nth-child(2) {
text-align: left } figure { display: inline-block; margin: .5rem; max-width: 18rem }
.first { background: #fff3c4; padding: .5rem 1rem } img { max-width: 100% }"""


def first_line(page: Mapping[str, Any]) -> str:
    """What boards the figures are from; generated ones are told first of all."""
    generated = [d["kind"] for d in page["data"] if d["generated"]]
    given = [f"{d['kind']} from {d['source']}" for d in page["data"] if not d["generated"]]
    if generated and given:
        return f"GENERATED DATA for {', '.join(generated)}; data of a file for {', '.join(given)}."
    if generated:
        sources = {d["source"] for d in page["data"]}
        if all(d.get("alike") for d in page["data"]):
            return (
                "GENERATED DATA, made in the way of the published, which are not at hand: "
                f"{', '.join(sorted(sources))}."
            )
        return (
            f"GENERATED DATA, not the published: {', '.join(sorted(sources))}. The figures cannot "
            "be compared with the published ones."
        )
    if given:
        return f"Data: {', '.join(given)}."
    return "No data set was needed."


def size_line(page: Mapping[str, Any]) -> str:
    """How much was done."""
    size = page["size"]
    if size["name"] == "full":
        return "Size: full, as published."
    parts = []
    if page["data"]:
        most = "all boards" if size["boards"] is None else f"{size['boards']:,} boards at the most"
        parts = [
            most,
            f"{size['folds']} folds at the most",
            f"{100 * size['share_of_clauses']:g} % of the clauses",
            f"{size['epochs']} epochs at the most",
        ]
    if size.get("games"):
        parts.append(f"{size['games']:,} games a match at the most")
    return f"Size: {size['name']}, not as published: {', '.join(parts) or 'less of all'}."


def table_rows(page: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The figures as cells; a row's name stands where it begins."""
    rows: list[tuple[str, ...]] = []
    last = None
    for figure in page["figures"]:
        digits = figure.get("digits", DIGITS)
        rows.append(
            (
                "" if figure["row"] == last else figure["row"],
                figure["name"],
                _published(figure),
                _value(figure["ours"], digits),
                "" if figure["difference"] is None else f"{figure['difference']:+.{digits}f}",
                "" if figure["honest"] is None else _value(figure["honest"], digits),
                "" if figure["epochs"] is None else f"{figure['epochs']:g}",
            )
        )
        last = figure["row"]
    return rows


def _value(found: Mapping[str, Any] | None, digits: int) -> str:
    if found is None:
        return NOTHING
    spread = "" if found["spread"] is None else f" ± {found['spread']:.{digits}f}"
    return f"{_number(found['mean'], digits)}{spread}"


def _published(figure: Mapping[str, Any]) -> str:
    if figure["published"] is None:
        return ""
    found = {"mean": figure["published"], "spread": figure.get("published_spread")}
    return _value(found, figure.get("digits", DIGITS))


def _number(value: float, digits: int) -> str:
    return f"{value:,.{digits}f}"


def headline(page: Mapping[str, Any]) -> str:
    """The figure that tells most, in a line."""
    figure = page["headline"]
    digits = figure.get("digits", DIGITS)
    published = honest = ""
    if figure["published"] is not None:
        published = f" (published {_published(figure)})"
    if figure["honest"] is not None:
        honest = f", honest {_value(figure['honest'], digits)}"
    return f"{figure['row']}, {figure['name']}: {_value(figure['ours'], digits)}{published}{honest}"


def as_text(page: Mapping[str, Any]) -> str:
    """The report for the terminal."""
    rows = [HEADS, *table_rows(page)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(HEADS))]
    lines = [first_line(page), size_line(page), "", _title(page), ""]
    for row in rows:
        left = [cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True)]
        right = [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
        lines.append("  ".join([*left, *right]).rstrip())
    drawings = [f"\n{d['title']}\n\n{d['text']}" for d in page.get("drawings", ())]
    return "\n".join([*lines, "", *_remarks(page), *drawings])


def as_markdown(page: Mapping[str, Any], pictures: Sequence[str] = ()) -> str:
    """The report as a document; `pictures` are the names of files beside it."""
    heads = ("row", "figure", *HEADS[2:])
    lines = [first_line(page), "", size_line(page), "", f"# {_title(page)}", ""]
    lines += [f"| {' | '.join(heads)} |", "|---|---|" + "---:|" * (len(heads) - 2)]
    lines += [f"| {' | '.join(row)} |" for row in table_rows(page)]
    lines += ["", *(f"{remark}\n" for remark in _remarks(page))]
    lines += [f"![{Path(name).stem}]({name})\n" for name in pictures]
    for drawing in page.get("drawings", ()):
        lines += [f"{drawing['title']}\n", f"```\n{drawing['text']}\n```\n"]
    lines += ["## Settings", "", "| row | settings |", "|---|---|"]
    lines += [f"| {row} | {text} |" for row, text in _settings(page).items()]
    lines += ["", "## Made with", "", *(f"- {line}" for line in _made_with(page)), ""]
    return "\n".join(lines)


def as_html(page: Mapping[str, Any], pictures: Sequence[Path] = ()) -> str:
    """The report as one file with its pictures in it."""
    told = html.escape
    rows = "\n".join(_html_row("td", row) for row in table_rows(page))
    settings = "\n".join(_html_row("td", item) for item in _settings(page).items())
    remarks = "\n".join(f"<p>{told(remark)}</p>" for remark in _remarks(page))
    made = "\n".join(f"<li>{told(line)}</li>" for line in _made_with(page))
    drawn = "\n".join(
        f'<p><img alt="{told(path.stem)}" src="data:image/png;base64,'
        f'{base64.b64encode(path.read_bytes()).decode()}"></p>'
        for path in pictures
    )
    boards = "\n".join(
        f"<figure>{d['svg'] or '<pre>' + told(d['text']) + '</pre>'}"
        f"<figcaption>{told(d['title'])}</figcaption></figure>"
        for d in page.get("drawings", ())
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{told(_title(page))}</title>
<style>{STYLE}</style></head><body>
<p class="first">{told(first_line(page))}<br>{told(size_line(page))}</p>
<h1>{told(_title(page))}</h1>
<table>{_html_row("th", ("row", "figure", *HEADS[2:]))}
{rows}</table>
{remarks}
{drawn}
{boards}
<h2>Settings</h2><table>{settings}</table>
<h2>Made with</h2><ul>{made}</ul>
</body></html>
"""


def _html_row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _title(page: Mapping[str, Any]) -> str:
    what = called(page["table"])
    return f"{what[0].upper()}{what[1:]} of the {page['source']}: {page['title']}"


def _remarks(page: Mapping[str, Any]) -> list[str]:
    remarks = [f"Published: {page['where']}."]
    if any(figure["ours"] and figure["ours"]["spread"] is not None for figure in page["figures"]):
        over = "folds" if page["data"] else "seeds"
        remarks.append(f"Ours are means over {over}, ± the standard deviation between them.")
    return [*remarks, *page["notes"]]


def _settings(page: Mapping[str, Any]) -> dict[str, str]:
    return {figure["row"]: figure["settings"] for figure in page["figures"] if figure["settings"]}


def _made_with(page: Mapping[str, Any]) -> list[str]:
    lines = [
        f"{d['kind']}: {d['boards']:,} boards of {d['bits']} bits in {d['folds']} folds, "
        + ", ".join(f"{share:g} % {name}" for name, share in d["share"].items())
        + f"; {d['source']}; SHA-256 {d['sha256'][:16]}…"
        for d in page["data"]
    ]
    size = ", ".join(f"{name} {value}" for name, value in page["size"].items())
    seeds = page["seeds"]
    told = f"{seeds[0]} to {seeds[-1]} ({len(seeds)} of them)" if seeds else "none"
    return [
        *lines,
        f"size: {size}",
        f"seeds: {told}",
        f"{page['tasks']} tasks, {page['seconds']:.1f} seconds of work in all",
        *surrounding_lines(page),
    ]


def surrounding_lines(page: Mapping[str, Any]) -> list[str]:
    """With what, where and when a page was made."""
    versions = ", ".join(f"{name} {version}" for name, version in page["versions"].items())
    machine = page["machine"]
    return [
        f"versions: {versions}",
        f"machine: {machine['cpu']}, {machine['cores']} cores, {machine['system']}",
        f"date: {page['date']}",
    ]
