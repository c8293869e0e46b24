"""Reports: the page of a run as text, Markdown and HTML, and the stored results of the documents.

A page is the JSON of a run (see `runner.run_table`). The results that the project keeps are one
JSON file for each document, `docs/results/<document>.json`, with a page for each of its tables. The
pages for readers are generated from them (`clauseboard experiment pages`).
"""

from __future__ import annotations

import base64
import datetime
import functools
import html
import importlib.metadata
import importlib.util
import json
import os
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clauseboard import __version__, html_parts
from clauseboard.arena.ratings import score_interval
from clauseboard.papers import (
    DOCUMENTS,
    FUTURE_WORK,
    JsonObject,
    PaperTable,
    document_tables,
    label,
    load_experiment,
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
    before: dict[str, list[str]] = {}
    for figure in page["figures"]:
        if figure.get("date"):
            before.setdefault(figure["date"], []).append(figure["row"])
    kept = [f"Run before, on {d}: {', '.join(dict.fromkeys(before[d]))}." for d in sorted(before)]
    return [*remarks, *page["notes"], *kept]


def _settings(page: JsonObject) -> dict[str, str]:
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


def _made_with(page: JsonObject) -> list[str]:
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
    lines += _markdown_table(page, pictures)
    lines += ["## Settings", "", *_markdown_settings(page)]
    lines += ["", "## Made with", "", *(f"- {line}" for line in _made_with(page)), ""]
    return "\n".join(lines)


def _markdown_table(page: JsonObject, pictures: Sequence[str]) -> list[str]:
    heads = ("row", "figure", *HEADS[2:])
    lines = [f"| {' | '.join(heads)} |", "|---|---|" + "---:|" * (len(heads) - 2)]
    lines += [f"| {' | '.join(row)} |" for row in table_rows(page)]
    lines += ["", *(f"{remark}\n" for remark in _remarks(page))]
    lines += [f"![{Path(name).stem}]({name})\n" for name in pictures]
    for drawing in page.get("drawings", ()):
        lines += [f"{drawing['title']}\n", f"```\n{drawing['text']}\n```\n"]
    return lines


def _markdown_settings(page: JsonObject) -> list[str]:
    rows = [f"| {row} | {text} |" for row, text in _settings(page).items()]
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
    settings = "\n".join(_html_row("td", item) for item in _settings(page).items())
    remarks = "\n".join(f"<p>{escape(remark)}</p>" for remark in _remarks(page))
    made = "\n".join(f"<li>{escape(line)}</li>" for line in _made_with(page))
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


# ---- the stored results of the documents

GENERATED = "Generated by `clauseboard experiment pages`; do not edit."

STATES = """A table is

- *done* when its full size has been run on published data, or on data made in the same way as the
  published (*partly done*: for some of its rows; rows of our own that are still missing are named),
- *own data* when its full size has been run, but on data that were generated in another way,
- *small* when only a smaller size has been run,
- *ready* when `clauseboard experiment run NAME` computes it, but no result is stored yet.

*Work* is the time of all tasks of a table, added up, on the machine that its page names; tables
that share tasks share the time. Numbers are ours, mean ± standard deviation over folds; *honest*
ones are those of machines that were not stopped by their test boards. The *verdict* of a table that
is done: a figure agrees if it is within two standard deviations of the published one (ours or the
published, whichever is larger); where there is neither, a share of games within two standard
deviations of the difference of two such shares by chance, a count of boards within 1 %, any other
figure within 2 %."""


def stored_pages(docs: Path, document: str) -> dict[str, JsonObject]:
    """The pages of a document by experiment, from its file of results; none without a file."""
    file = docs / "results" / f"{document}.json"
    if not file.is_file():
        return {}
    stored: dict[str, JsonObject] = json.loads(file.read_text("utf-8"))["tables"]
    return stored


def add_results(docs: Path, files: Iterable[Path]) -> None:
    """Store the pages of runs, `NAME.json` each, in the results of their documents."""
    for file in files:
        table = load_experiment(file.stem)
        document = DOCUMENTS[table.name.split("_")[0]]
        pages = stored_pages(docs, document)
        page = json.loads(file.read_text("utf-8"))
        pages[table.name] = with_rows_of(page, pages.get(table.name, {}), table.headline)
        ordered = {name: pages[name] for name in document_tables(document) if name in pages}
        text = json.dumps({"document": table.document, "tables": ordered}, indent=1)
        (docs / "results" / f"{document}.json").write_text(text + "\n", "utf-8")
        for path in plot_files(pages[table.name], docs / "results", table.name):
            path.unlink(missing_ok=True)


def missing_rows(page: JsonObject, only_published: bool = False) -> list[str]:
    """The rows of the table that were not run; or, where some were published, those of them."""
    there = {figure["row"] for figure in page["figures"]}
    rows = page.get("rows", {})
    all_count = not only_published or not any(rows.values())
    return [row for row, published in rows.items() if row not in there and (published or all_count)]


def with_rows_of(page: JsonObject, stored: JsonObject, headline: tuple[str, str]) -> JsonObject:
    """A page of some rows, with the other rows of a stored page of the same size.

    Figures of the latter have the `date` of their run.
    """
    if not missing_rows(page) or not stored or page["size"] != stored["size"]:
        return page
    there = {figure["row"] for figure in page["figures"]}
    others = [
        {"date": stored["date"][:10], **figure}
        for figure in stored["figures"]
        if figure["row"] not in there and figure["row"] in page["rows"]
    ]
    if not others:
        return page
    order = list(page["rows"])
    figures = sorted([*page["figures"], *others], key=lambda figure: order.index(figure["row"]))
    kinds = {data["kind"] for data in page["data"]}
    first = [figure for figure in figures if (figure["row"], figure["name"]) == headline]
    return {
        **page,
        "figures": figures,
        "headline": [*first, page["headline"]][0],
        "data": [*page["data"], *(d for d in stored["data"] if d["kind"] not in kinds)],
        "seeds": sorted({*page["seeds"], *stored["seeds"]}),
        "tasks": page["tasks"] + stored["tasks"],
        "seconds": round(page["seconds"] + stored["seconds"], 3),
        "work": [*_work(page), *_work(stored)],
    }


def _work(page: JsonObject) -> list[JsonObject]:
    """Number and seconds of tasks by place; "" where that was not noted."""
    unknown = {"place": "", "tasks": page["tasks"], "seconds": page["seconds"]}
    return list(page.get("work", [unknown]))


TIMES = Path(__file__).with_name("times.json")
"""How long the stored results of a size took, by experiment: what a run of all is told from."""


class Times(NamedTuple):
    """The seconds of work of tables."""

    gpu: float
    cores: float
    """One core's; several share it."""

    def minutes(self, n_cores: int) -> float:
        """How long it takes with one GPU and some cores, if each of them is always busy."""
        return (self.gpu + self.cores / n_cores) / 60


def times_of(page: JsonObject) -> Times:
    """The work of a page. Trainings of which no place is noted count as those of a GPU."""
    trained = any(figure["epochs"] for figure in page["figures"])
    gpu = sum(
        part["seconds"]
        for part in _work(page)
        if part["place"].startswith(ON_GPU) or (trained and not part["place"])
    )
    return Times(round(gpu, 3), round(page["seconds"] - gpu, 3))


def added_times(times: Mapping[str, Times]) -> Times:
    """The work of some experiments; once, where tables of a document took exactly the same.

    >>> added_times({"go_8_2": Times(1, 60), "go_8_3": Times(1, 60), "go_8_7": Times(0, 30)})
    Times(gpu=1, cores=90)
    """
    different = {(name.split("_")[0], each) for name, each in times.items()}
    return Times(sum(each.gpu for _, each in different), sum(each.cores for _, each in different))


def measured_times(size: str) -> dict[str, Times]:
    """The work by experiment, of those whose stored result has this size."""
    times = json.loads(TIMES.read_text("utf-8"))
    return {
        name: Times(entry["gpu"], entry["cores"])
        for name, entry in times.items()
        if entry["size"] == size
    }


def _times_page(docs: Path) -> str:
    """The text of `TIMES`."""
    times = {
        name: {"size": page["size"]["name"], **times_of(page)._asdict()}
        for document in DOCUMENTS.values()
        for name, page in stored_pages(docs, document).items()
    }
    return json.dumps(times, indent=1) + "\n"


N_CORES = 16
"""The cores of the machine that the whole is reckoned for."""

LONG = 60
"""Seconds of work from which on a table has its own row among those of what each took."""


def _times_table(docs: Path) -> list[str]:
    """What each full table took, the longest first; and all of them together."""
    pages = {
        name: page
        for document in DOCUMENTS.values()
        for name, page in stored_pages(docs, document).items()
        if page["size"]["name"] == "full"
    }
    if not pages:
        return []
    times = {name: times_of(page) for name, page in pages.items()}
    alike: dict[tuple[str, Times], list[str]] = {}
    for name, each in times.items():
        alike.setdefault((name.split("_")[0], each), []).append(name)
    rows, short = [], []
    for (_, each), names in sorted(alike.items(), key=lambda item: -sum(item[0][1])):
        if sum(each) < LONG:
            short += names
            continue
        page = pages[names[0]]
        places = {part["place"] for part in _work(page)} - {""}
        machine = page["machine"]
        where = ", ".join(sorted(places)) or f"{machine['cpu']}, {machine['cores']} cores"
        title = load_experiment(names[0]).document
        numbers = ", ".join(load_experiment(name).number for name in names)
        tables = f"{title[0].upper()}{title[1:]}: {numbers}"
        rows.append(f"| {tables} | {each.gpu:,.0f} | {each.cores:,.0f} | {where} |")
    rest, whole = added_times({name: times[name] for name in short}), added_times(times)
    rows.append(
        f"| {len(short)} others | {rest.gpu:,.0f} | {rest.cores:,.0f} | as on their pages |"
    )
    rows.append(f"| all {len(pages)} | {whole.gpu:,.0f} | {whole.cores:,.0f} | |")
    return [
        "",
        "## What each took",
        "",
        "Seconds of work of the tables that have been run at full size (rows that are missing are "
        "not in it): of a GPU, on which tasks run side by side, and of single cores, many of which "
        "work at once. Tables in one row share all tasks; what tables share in part is counted for "
        "each. Trainings of which no place was noted count as those of a GPU.",
        "",
        "| tables | GPU, s | cores, s | done on |",
        "|---|---:|---:|---|",
        *rows,
        "",
        f"With one GPU and {N_CORES} cores that are always busy, all take "
        f"{whole.minutes(N_CORES):.0f} minutes.",
    ]


def generated_pages(docs: Path) -> dict[Path, str]:
    """The text of every generated page, by file: one for each document, and the overview."""
    pages = {
        docs / "results" / f"{document}.md": _document_page(docs, document)
        for document in DOCUMENTS.values()
    }
    pages[docs / "tables.md"] = _overview_page(docs)
    # The docs of a checkout also say what its own program tells.
    if (times := docs.resolve().parent / "src/clauseboard/papers" / TIMES.name).is_file():
        pages[times] = _times_page(docs)
    return pages


def write_pages(docs: Path) -> list[Path]:
    """Write all generated pages, and draw plots that are missing."""
    for document in DOCUMENTS.values():
        for name, page in stored_pages(docs, document).items():
            if not all(path.is_file() for path in plot_files(page, docs / "results", name)):
                draw(page, docs / "results", name)
    pages = generated_pages(docs)
    for path, text in pages.items():
        path.write_text(text, "utf-8")
    return list(pages)


def _document_page(docs: Path, document: str) -> str:
    """All stored tables of a document."""
    tables, stored = document_tables(document), stored_pages(docs, document)
    title = next(iter(tables.values())).document
    lines = [f"# Results of the {title}", "", f"{GENERATED} [All documents](../tables.md)", ""]
    lines += [f"- [{_short_title(table)}](#{name})" for name, table in tables.items()]
    for name, table in tables.items():
        lines += ["", f'<a id="{name}"></a>', "", f"## {_short_title(table)}", ""]
        if name not in stored:
            lines.append(f"No result is stored; `clauseboard experiment run {name}` computes it.")
            continue
        page = stored[name]
        pictures = [path.name for path in plot_files(page, docs / "results", name)]
        lines += [first_line(page), "", size_line(page), "", *_markdown_table(page, pictures)]
        lines += ["<details><summary>Settings, data and machine</summary>", ""]
        lines += [*_markdown_settings(page), ""] if _settings(page) else []
        lines += [*(f"- {line}" for line in _made_with(page)), "", "</details>"]
    return "\n".join([*lines, ""])


def _short_title(table: PaperTable) -> str:
    name = label(table.number)
    return f"{name[0].upper()}{name[1:]}: {table.title}"


STATE_NAMES = ("done", "partly done", "own data", "small", "ready")


def _overview_page(docs: Path) -> str:
    """How many tables are in which state; then every table, its state and its last numbers."""
    counts: list[tuple[str, list[int]]] = []
    lines: list[str] = []
    reasons: dict[tuple[str, str], list[str]] = {}
    for document in DOCUMENTS.values():
        tables, stored = document_tables(document), stored_pages(docs, document)
        title = next(iter(tables.values())).document
        title = f"{title[0].upper()}{title[1:]}"
        lines += ["", f"## {title}", ""]
        lines.append("| table | shows | experiment | state | verdict | last numbers | work |")
        lines.append("|---|---|---|---|---|---|---:|")
        states = []
        for name, table in tables.items():
            link = f"[{table.number}](results/{document}.md#{name})"
            state, *cells = _state(stored.get(name), table.difference)
            cells = [link, table.title, f"`{name}`", state, *cells]
            lines.append(f"| {' | '.join(cells)} |")
            states.append(state)
            if state != "done" and document != FUTURE_WORK:
                reasons.setdefault((title, table.obstacle), []).append(table.number)
        if document != FUTURE_WORK:
            counts.append((title, [states.count(state) for state in STATE_NAMES]))
    sums = [sum(column) for column in zip(*(row for _, row in counts), strict=True)]
    counts.append(("all", sums))
    overview = [f"| document | tables | {' | '.join(STATE_NAMES)} |", "|---|" + "---:|" * 6]
    for title, row in counts:
        overview.append(f"| {title} | {sum(row)} | {' | '.join(map(str, row))} |")
    head = ["# Every published table", "", GENERATED, ""]
    why = ["", "## Why the others are not done", "", "| tables | why |", "|---|---|"]
    why += [
        f"| {title}: {', '.join(numbers)} | {obstacle} |"
        for (title, obstacle), numbers in reasons.items()
    ]
    done_on = ["", *_done_on(docs, dict(zip(STATE_NAMES, sums, strict=True))), ""]
    return "\n".join([*head, *overview, *done_on, STATES, *why, *lines, *_times_table(docs), ""])


def _done_on(docs: Path, counts: Mapping[str, int]) -> list[str]:
    """How many tables have been run at full size, and on which data."""
    kinds = dict.fromkeys(("published data", "data made in the same way", "no data set at all"), 0)
    n_stand_ins = 0
    for document in DOCUMENTS.values():
        for page in stored_pages(docs, document).values():
            if document == FUTURE_WORK or _state(page, "")[0] != "done":
                continue
            generated = any(data["generated"] for data in page["data"])
            kinds[list(kinds)[1 if generated else 0 if page["data"] else 2]] += 1
            n_stand_ins += verdict(page) == STAND_INS
    text = ", ".join(f"{number} on {kind}" for kind, number in kinds.items())
    n_done, n_other, n_partly = (counts[name] for name in ("done", "own data", "partly done"))
    return [
        f"{n_done + n_other} of the {sum(counts.values())} have been run whole at their full size: "
        f"{n_done} as published ({text}), which is what *done* means, and {n_other} on other data, "
        "whose figures are not compared with the published ones. "
        f"{n_partly} more have been run at full size for some of their rows.",
        "",
        f"Of the {n_done} that are done, {n_stand_ins} are matches against others than the "
        "published opponents, who are not at hand.",
    ]


def _state(page: JsonObject | None, difference: str) -> tuple[str, str, str, str]:
    """The state of a table, its verdict, its last numbers, and the time that it took."""
    if page is None:
        return "ready", "", "", ""
    generated = any(data["generated"] for data in page["data"])
    size = page["size"]["name"]
    missing = missing_rows(page)
    partly = bool(missing_rows(page, only_published=True))
    state = "small"
    if size == "full":
        state = "own data" if not comparable(page) else "partly done" if partly else "done"
    done = f"{size} size{', some data generated' if generated else ''}"
    done += f", without {', '.join(missing)}" if missing else ""
    numbers = f"{headline(page)}; {done}, {page['date'][:10]}"
    judged = verdict(page)
    why = f": {difference}" if difference and "agree" in judged and judged != "agrees" else ""
    return state, f"{judged}{why}", numbers, _time(page["seconds"])


def _time(seconds: float) -> str:
    """A time as a reader wants it.

    >>> _time(0.4), _time(75), _time(4000)
    ('0.4 s', '75 s', '67 min')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 600 else f"{seconds / 60:.0f} min"
