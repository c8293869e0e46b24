"""A page of figures as text for the terminal, Markdown and HTML."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HEADS = ("", "", "published", "ours", "difference", "honest", "epochs")

STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
padding: 0 1rem } table { border-collapse: collapse } td, th { padding: .2rem .8rem;
border-bottom: 1px solid #ccc; text-align: right } td:first-child, td:nth-child(2) {
text-align: left } .first { background: #fff3c4; padding: .5rem 1rem } img { max-width: 100% }"""


def first_line(page: Mapping[str, Any]) -> str:
    """What boards the figures are from; generated ones are told first of all."""
    generated = [d["kind"] for d in page["data"] if d["generated"]]
    given = [f"{d['kind']} from {d['source']}" for d in page["data"] if not d["generated"]]
    if generated and given:
        return f"GENERATED DATA for {', '.join(generated)}; data of a file for {', '.join(given)}."
    if generated:
        sources = {d["source"] for d in page["data"]}
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
    most = "all boards" if size["boards"] is None else f"{size['boards']:,} boards at the most"
    return (
        f"Size: {size['name']}, not as published: {most}, {size['folds']} folds at the most, "
        f"{100 * size['share_of_clauses']:g} % of the clauses, {size['epochs']} epochs at the most."
    )


def table_rows(page: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The figures as cells; a row's name stands where it begins."""
    rows: list[tuple[str, ...]] = []
    last = None
    for figure in page["figures"]:
        rows.append(
            (
                "" if figure["row"] == last else figure["row"],
                figure["name"],
                "" if figure["published"] is None else f"{figure['published']:.2f}",
                _value(figure["ours"]),
                "" if figure["difference"] is None else f"{figure['difference']:+.2f}",
                "" if figure["honest"] is None else _value(figure["honest"]),
                "" if figure["epochs"] is None else f"{figure['epochs']:g}",
            )
        )
        last = figure["row"]
    return rows


def _value(found: Mapping[str, Any]) -> str:
    spread = "" if found["spread"] is None else f" ± {found['spread']:.2f}"
    return f"{found['mean']:.2f}{spread}"


def headline(page: Mapping[str, Any]) -> str:
    """The figure that tells most, in a line."""
    figure = page["headline"]
    published = "" if figure["published"] is None else f" (published {figure['published']:.2f})"
    honest = "" if figure["honest"] is None else f", honest {_value(figure['honest'])}"
    return f"{figure['row']}, {figure['name']}: {_value(figure['ours'])}{published}{honest}"


def as_text(page: Mapping[str, Any]) -> str:
    """The report for the terminal."""
    rows = [HEADS, *table_rows(page)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(HEADS))]
    lines = [first_line(page), size_line(page), "", _title(page), ""]
    for row in rows:
        left = [cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True)]
        right = [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
        lines.append("  ".join([*left, *right]).rstrip())
    return "\n".join([*lines, "", *_remarks(page)])


def as_markdown(page: Mapping[str, Any], pictures: Sequence[str] = ()) -> str:
    """The report as a document; `pictures` are the names of files beside it."""
    heads = ("row", "figure", *HEADS[2:])
    lines = [first_line(page), "", size_line(page), "", f"# {_title(page)}", ""]
    lines += [f"| {' | '.join(heads)} |", "|---|---|" + "---:|" * (len(heads) - 2)]
    lines += [f"| {' | '.join(row)} |" for row in table_rows(page)]
    lines += ["", *(f"{remark}\n" for remark in _remarks(page))]
    lines += [f"![{Path(name).stem}]({name})\n" for name in pictures]
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
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{told(_title(page))}</title>
<style>{STYLE}</style></head><body>
<p class="first">{told(first_line(page))}<br>{told(size_line(page))}</p>
<h1>{told(_title(page))}</h1>
<table>{_html_row("th", ("row", "figure", *HEADS[2:]))}
{rows}</table>
{remarks}
{drawn}
<h2>Settings</h2><table>{settings}</table>
<h2>Made with</h2><ul>{made}</ul>
</body></html>
"""


def _html_row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _title(page: Mapping[str, Any]) -> str:
    return f"Table {page['table']} of the {page['source']}: {page['title']}"


def _remarks(page: Mapping[str, Any]) -> list[str]:
    spread = "Ours are means over folds, ± the standard deviation between them."
    return [f"Published: {page['where']}.", spread, *page["notes"]]


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
    versions = ", ".join(f"{name} {version}" for name, version in page["versions"].items())
    machine = page["machine"]
    return [
        *lines,
        f"size: {size}",
        f"seeds: {told}",
        f"{page['tasks']} tasks, {page['seconds']:.1f} seconds of work in all",
        f"versions: {versions}",
        f"machine: {machine['cpu']}, {machine['cores']} cores, {machine['system']}",
        f"date: {page['date']}",
    ]
