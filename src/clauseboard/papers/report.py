"""Reports: the page of a run as text, Markdown and HTML, and its plots.

A page is the JSON of a run (see `runner.run_table`). `stored_results` has those that the project
keeps.
"""

from __future__ import annotations

import base64
import datetime
import functools
import html
import importlib.metadata
import importlib.util
import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clauseboard import __version__, html_parts
from clauseboard.arena.ratings import score_interval
from clauseboard.papers import (
    FUTURE_WORK,
    JsonObject,
    label,
)

DIGITS = 2
NOTHING = "none"
"""Stands where there is no figure of ours."""

HEADS = ("", "", "published", "ours", "difference", "honest", "epochs")

STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
padding: 0 1rem } table { border-collapse: collapse } td, th { padding: .2rem .8rem;
border-bottom: 1px solid #ccc; text-align: right } td:first-child, td:nth-child(2) {
text-align: left } figure { display: inline-block; margin: .5rem; max-width: 18rem }
.first { background: #fff3c4; padding: .5rem 1rem } img { max-width: 100% }"""

ON_GPU = "GPU "
"""How the names of places begin that are GPUs."""

PACKAGES = ("numpy", "numba", "scikit-learn", "joblib")

# ---- parts of a report


def first_line(page: JsonObject) -> str:
    """Where the boards come from; whether they were generated is said first of all."""
    generated = [d["kind"] for d in page["data"] if d["generated"]]
    given = [f"{d['kind']} from {d['source']}" for d in page["data"] if not d["generated"]]
    if generated and given:
        return f"GENERATED DATA for {', '.join(generated)}; data of a file for {', '.join(given)}."
    if generated:
        sources = ", ".join(sorted({d["source"] for d in page["data"]}))
        if all(d.get("alike") for d in page["data"]):
            return (
                "GENERATED DATA, made in the same way as the published data, which are not "
                f"available: {sources}."
            )
        return (
            f"GENERATED DATA, not the published data: {sources}. The figures cannot be compared "
            "with the published ones."
        )
    if given:
        return f"Data: {', '.join(given)}."
    return "No data set was needed."


def size_line(page: JsonObject) -> str:
    """How much was done."""
    size = page["size"]
    if size["name"] == "full":
        return "Size: full, as published."
    parts = []
    if page["data"]:
        parts = [
            "all boards" if size["boards"] is None else f"up to {size['boards']:,} boards",
            f"up to {size['folds']} folds",
            f"{100 * size['share_of_clauses']:g} % of the clauses",
            f"up to {size['epochs']} epochs",
        ]
    if size.get("games"):
        parts.append(f"up to {size['games']:,} games a match")
    return f"Size: {size['name']}, not as published: {', '.join(parts) or 'less of everything'}."


def comparable(page: JsonObject) -> bool:
    """Whether its figures can be set against the published ones.

    They can on the published data, and on data that were made in the same way.
    """
    return all(data.get("alike") or not data["generated"] for data in page["data"])


STAND_INS = "not compared: others stand in for the opponents"


def verdict(page: JsonObject) -> str:
    """Whether our figures agree with the published ones, where they can be compared.

    A figure agrees if it is within two standard deviations of ours or of the published figure,
    whichever is larger; where there is neither, a share of games within two standard deviations of
    the difference of two such shares by chance, a count of boards within 1 %, any other figure
    within 2 %.
    """
    if not comparable(page):
        return "other data"
    if page["size"]["name"] != "full":
        return "smaller size"
    published = [figure for figure in page["figures"] if figure["published"] is not None]
    pairs = [figure for figure in published if figure["ours"] is not None]
    if published and not pairs:
        return STAND_INS
    if not pairs:
        return "nothing published to compare"
    n_agree = sum(map(_agrees, pairs))
    if n_agree == len(pairs):
        return "agrees"
    word = "mostly agrees" if 10 * n_agree >= 9 * len(pairs) else "differs"
    return f"{word}: {n_agree} of {len(pairs)} figures agree"


def _agrees(figure: JsonObject) -> bool:
    ours, published = figure["ours"]["mean"], figure["published"]
    spreads = [figure["ours"]["spread"], figure.get("published_spread")]
    known = [2 * spread for spread in spreads if spread is not None]
    digits = figure.get("digits", DIGITS)
    rounding = 0.5 * 10**-digits
    if known:
        allowed = max(known)
    elif "games" in figure:
        share = (ours + published) / 200
        chance = share * (1 - share) * sum(1 / n for n in figure["games"].values())
        allowed = 200 * chance**0.5
    else:
        allowed = (0.02 if digits else 0.01) * abs(published)
    return abs(ours - published) <= max(allowed, rounding)


def table_rows(page: JsonObject) -> list[tuple[str, ...]]:
    """The figures as cells; a row's name stands where it begins.

    On other data than the published, a difference would mean nothing, and there is none.
    """
    rows: list[tuple[str, ...]] = []
    last = None
    same_data = comparable(page)
    for figure in page["figures"]:
        digits = figure.get("digits", DIGITS)
        rows.append(
            (
                "" if figure["row"] == last else _row_name(page, figure),
                figure["name"],
                _published(figure),
                _ours(figure),
                f"{figure['difference']:+.{digits}f}"
                if same_data and figure["difference"] is not None
                else "",
                "" if figure["honest"] is None else _value(figure["honest"], digits),
                "" if figure["epochs"] is None else f"{figure['epochs']:g}",
            )
        )
        last = figure["row"]
    return rows


def _value(summary: JsonObject | None, digits: int) -> str:
    if summary is None:
        return NOTHING
    spread = "" if summary["spread"] is None else f" ± {summary['spread']:.{digits}f}"
    return f"{summary['mean']:,.{digits}f}{spread}"


def _ours(figure: JsonObject) -> str:
    """Our figure, with its spread; or with a 95 % interval, if it is one of games or boards."""
    summary, digits = figure["ours"], figure.get("digits", DIGITS)
    text = _value(summary, digits)
    if figure.get("interval"):
        low, high = figure["interval"]
        return f"{text} ({low:,.{digits}f} to {high:,.{digits}f})"
    if summary is None or summary["spread"] is not None or "games" not in figure:
        return text
    n_games = figure["games"]["ours"]
    n_counted = round(summary["mean"] * n_games / 100)
    share = score_interval(n_counted, 0, n_games - n_counted)
    return f"{text} ({100 * share.low:.0f} to {100 * share.high:.0f})"


def _published(figure: JsonObject) -> str:
    if figure["published"] is None:
        return ""
    summary = {"mean": figure["published"], "spread": figure.get("published_spread")}
    return _value(summary, figure.get("digits", DIGITS))


def headline(page: JsonObject) -> str:
    """The most important figure, in a line."""
    figure = page["headline"]
    digits = figure.get("digits", DIGITS)
    published = honest = ""
    if figure["published"] is not None:
        published = f" (published{'' if comparable(page) else ', on other data:'} "
        published += f"{_published(figure)})"
    if figure["honest"] is not None:
        honest = f", honest {_value(figure['honest'], digits)}"
    return f"{_row_name(page, figure)}, {figure['name']}: {_ours(figure)}{published}{honest}"


def _row_name(page: JsonObject, figure: JsonObject) -> str:
    """The published name of a row, and how many clauses its machines had if those were fewer."""
    clauses = re.match(r"[\d,]+ clauses", figure["settings"])
    if clauses is None or page["size"].get("share_of_clauses", 1.0) == 1.0:
        return str(figure["row"])
    return f"{figure['row']} (here {clauses[0]})"


def _title(page: JsonObject) -> str:
    name = label(page["table"])
    return f"{name[0].upper()}{name[1:]} of the {page['source']}: {page['title']}"


def _remarks(page: JsonObject) -> list[str]:
    origin = "Asked for" if page["source"] == FUTURE_WORK.replace("_", " ") else "Published"
    remarks = [f"{origin}: {page['where']}."]
    if any(figure["ours"] and figure["ours"]["spread"] is not None for figure in page["figures"]):
        over = page.get("over") or ("folds" if page["data"] else "seeds")
        remarks.append(f"Ours are means over {over}, ± the standard deviation between them.")
    elif any("games" in figure for figure in page["figures"]):
        remarks.append("In brackets: the 95 % interval of a share of so many games.")
    if any(figure.get("interval") for figure in page["figures"]):
        remarks.append(
            "In brackets: the 95 % interval, by drawing the games, test boards or seeds again."
        )
    if missing := missing_rows(page):
        remarks.append(f"Not run: {', '.join(missing)}.")
    return [*remarks, *page["notes"], *_run_before(page)]


def _run_before(page: JsonObject) -> list[str]:
    """Which rows, or single figures of a row, are kept from an earlier run."""
    dates: dict[str, set[str | None]] = {}
    for figure in page["figures"]:
        dates.setdefault(figure["row"], set()).add(figure.get("date"))
    kept: dict[str, list[str]] = {}
    for figure in page["figures"]:
        row, date = figure["row"], figure.get("date")
        if date is not None:
            name = row if len(dates[row]) == 1 else f"{figure['name']} of {row}"
            kept.setdefault(date, []).append(name)
    return [f"Run before, on {d}: {', '.join(dict.fromkeys(kept[d]))}." for d in sorted(kept)]


def row_settings(page: JsonObject) -> dict[str, str]:
    """The settings of each row, and of each figure of a row whose figures have different ones.

    Files that its tasks made have no names, but numbers.
    """
    rows: dict[str, dict[str, str]] = {}
    for figure in page["figures"]:
        text = re.sub(r"\{(\d)\}", lambda n: f"machine{int(n[1]) + 1}", figure["settings"])
        rows.setdefault(figure["row"], {})[figure["name"]] = text
    settings = {}
    for row, texts in rows.items():
        names: dict[str, list[str]] = {}
        for name, text in texts.items():
            names.setdefault(text, []).append(name)
        parts = {text: f"{', '.join(some)}: {text}" for text, some in names.items() if text}
        settings[row] = "; ".join(parts if len(names) == 1 else parts.values())
    return {row: text for row, text in settings.items() if text}


def made_with(page: JsonObject) -> list[str]:
    """Data, size, seeds, work, versions and machine of a page."""
    lines = [
        f"{d['kind']}: {d['boards']:,} boards of {d['bits']} bits in {d['folds']} folds, "
        + ", ".join(f"{share:g} % {name}" for name, share in d["share"].items())
        + f"; {d['source']}; SHA-256 {d['sha256'][:16]}…"
        for d in page["data"]
    ]
    size = ", ".join(f"{name} {value}" for name, value in page["size"].items())
    seeds = page["seeds"]
    seed_text = f"{seeds[0]} to {seeds[-1]} ({len(seeds)} of them)" if seeds else "none"
    return [
        *lines,
        f"size: {size}",
        f"seeds: {seed_text}",
        f"{page['tasks']} tasks, {page['seconds']:.1f} seconds of work in all{_by_place(page)}",
        *environment_lines(page),
    ]


def _by_place(page: JsonObject) -> str:
    """The part of the work of each processor and GPU, where that is known."""
    parts = [
        f"{part['tasks']} on {part['place'] or 'a machine that was not noted'}, "
        f"{part['seconds']:.1f} s"
        for part in page.get("work", ())
    ]
    return f" ({'; '.join(parts)})" if parts else ""


def missing_rows(page: JsonObject, only_published: bool = False) -> list[str]:
    """The rows of the table that were not run; or, where some were published, those of them."""
    there = {figure["row"] for figure in page["figures"]}
    rows = page.get("rows", {})
    all_count = not only_published or not any(rows.values())
    return [row for row, published in rows.items() if row not in there and (published or all_count)]


# ---- one page in three formats


def as_text(page: JsonObject) -> str:
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


def as_markdown(page: JsonObject, pictures: Sequence[str] = ()) -> str:
    """The report as a document; `pictures` are the names of files beside it."""
    lines = [first_line(page), "", size_line(page), "", f"# {_title(page)}", ""]
    lines += markdown_table(page, pictures)
    lines += ["## Settings", "", *markdown_settings(page)]
    lines += ["", "## Made with", "", *(f"- {line}" for line in made_with(page)), ""]
    return "\n".join(lines)


def markdown_table(page: JsonObject, pictures: Sequence[str]) -> list[str]:
    """The figures of a page, its remarks, pictures and drawings."""
    heads = ("row", "figure", *HEADS[2:])
    lines = [f"| {' | '.join(heads)} |", "|---|---|" + "---:|" * (len(heads) - 2)]
    lines += [f"| {' | '.join(row)} |" for row in table_rows(page)]
    lines += ["", *(f"{remark}\n" for remark in _remarks(page))]
    lines += [f"![{Path(name).stem}]({name})\n" for name in pictures]
    for drawing in page.get("drawings", ()):
        lines += [f"{drawing['title']}\n", f"```\n{drawing['text']}\n```\n"]
    return lines


def markdown_settings(page: JsonObject) -> list[str]:
    """The settings of the rows of a page."""
    rows = [f"| {row} | {text} |" for row, text in row_settings(page).items()]
    return ["| row | settings |", "|---|---|", *rows]


class TablePage(dict[str, Any]):
    """The page of a table that was run, which shows itself in notebooks."""

    def _repr_html_(self) -> str:
        heads = ("row", "figure", *(f"# {head}" for head in HEADS[2:]))
        lines = [f"<p>{html.escape(line)}</p>" for line in (first_line(self), size_line(self))]
        remarks = [f"<p>{html.escape(remark)}</p>" for remark in _remarks(self)]
        title = f"<h3>{html.escape(_title(self))}</h3>"
        rows = html_parts.table(heads, table_rows(self))
        return html_parts.notebook_part([title, *lines, rows, *remarks])


def as_html(page: JsonObject, pictures: Sequence[Path] = ()) -> str:
    """The report as one file with its pictures in it."""
    escape = html.escape
    rows = "\n".join(_html_row("td", row) for row in table_rows(page))
    settings = "\n".join(_html_row("td", item) for item in row_settings(page).items())
    remarks = "\n".join(f"<p>{escape(remark)}</p>" for remark in _remarks(page))
    made = "\n".join(f"<li>{escape(line)}</li>" for line in made_with(page))
    plots = "\n".join(
        f'<p><img alt="{escape(path.stem)}" src="data:image/png;base64,'
        f'{base64.b64encode(path.read_bytes()).decode()}"></p>'
        for path in pictures
    )
    boards = "\n".join(
        f"<figure>{d['svg'] or '<pre>' + escape(d['text']) + '</pre>'}"
        f"<figcaption>{escape(d['title'])}</figcaption></figure>"
        for d in page.get("drawings", ())
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(_title(page))}</title>
<style>{STYLE}</style></head><body>
<p class="first">{escape(first_line(page))}<br>{escape(size_line(page))}</p>
<h1>{escape(_title(page))}</h1>
<table>{_html_row("th", ("row", "figure", *HEADS[2:]))}
{rows}</table>
{remarks}
{plots}
{boards}
<h2>Settings</h2><table>{settings}</table>
<h2>Made with</h2><ul>{made}</ul>
</body></html>
"""


def _html_row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"


# ---- plots


def can_draw() -> bool:
    """Whether Matplotlib (the extra `plots`) is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def plot_files(page: JsonObject, folder: Path, name: str) -> list[Path]:
    """The PNG files of a page's plots, named after the experiment."""
    return [folder / f"{name}_{plot['name']}.png" for plot in page["pictures"]]


def draw(page: JsonObject, folder: Path, name: str) -> list[Path]:
    """Draw a page's plots into PNG files; return their paths."""
    files = plot_files(page, folder, name)
    if not files:
        return []
    from matplotlib.figure import Figure

    for plot, path in zip(page["pictures"], files, strict=True):
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.add_subplot()
        for number, (curve, values) in enumerate(plot["curves"].items()):
            # The thesis's own colours: accuracies in orange, where training stopped in blue.
            colour = "tab:orange" if number == 0 else f"C{number + 1}"
            start = plot.get("start", 1)
            axes.plot(range(start, start + len(values)), values, color=colour, label=curve)
        for number, (line, level) in enumerate(plot["levels"].items()):
            styles = ("-", "--", ":")
            axes.axhline(level, color="tab:blue", linestyle=styles[number % 3], label=line)
        axes.set(title=plot["title"], xlabel=plot["x_label"], ylabel=plot["y_label"])
        axes.legend()
        axes.grid(alpha=0.3)
        figure.savefig(path, dpi=120, metadata={"Software": None})
    return files


# ---- where and when a result was made


def environment() -> dict[str, object]:
    """Date, versions and machine, for the foot of a report."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "versions": {
            "clauseboard": __version__,
            "python": platform.python_version(),
            **{name: _version(name) for name in PACKAGES},
        },
        "machine": {
            "cpu": processor(),
            "cores": os.cpu_count(),
            "system": f"{platform.system()} {platform.machine()}",
        },
    }


def environment_lines(page: JsonObject) -> list[str]:
    """Versions, machine and date of a page."""
    versions = ", ".join(f"{name} {version}" for name, version in page["versions"].items())
    machine = page["machine"]
    return [
        f"versions: {versions}",
        f"machine: {machine['cpu']}, {machine['cores']} cores, {machine['system']}",
        f"date: {page['date']}",
    ]


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


@functools.cache
def on_gpu() -> str:
    """The GPU, as the place where a task was done."""
    import cupy

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"]
    return f"{ON_GPU}{name.decode()}"


@functools.cache
def processor() -> str:
    """The model of the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
