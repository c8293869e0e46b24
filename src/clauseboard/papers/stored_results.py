"""The stored results of the documents, and the pages that are generated from them.

The results that the project keeps are one JSON file for each document,
`docs/results/<document>.json`, with the page of a run for each of its tables (see `report`). The
pages for readers are generated from them (`clauseboard experiment pages`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from clauseboard.papers import (
    DOCUMENTS,
    FUTURE_WORK,
    JsonObject,
    PaperTable,
    document_tables,
    label,
    load_experiment,
)
from clauseboard.papers.report import (
    ON_GPU,
    STAND_INS,
    comparable,
    draw,
    first_line,
    headline,
    made_with,
    markdown_settings,
    markdown_table,
    missing_rows,
    plot_files,
    row_settings,
    size_line,
    verdict,
)

# ---- the results of a document


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


# ---- what each took

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


# ---- generated pages

GENERATED = "Generated by `clauseboard experiment pages`; do not edit."

STATES = """A table is

- *done* when its full size has been run on published data, or on data made in the same way as the
  published (*partly done*: for some of its rows; rows of our own that are still missing are named),
- *own data* when its full size has been run, but on data that were generated in another way,
- *small* when only a smaller size has been run,
- *ready* when `clauseboard experiment run NAME` computes it, but no result is stored yet.

*Work* is the time of all tasks of a table, added up, on the machine that its page names; tables
that share tasks share the time. Numbers are ours, mean ± standard deviation over folds; *honest*
ones are those of machines that were not stopped by their test boards. In brackets are 95 %
intervals; a figure with neither is a count of a data set, or one number of a run that did not
note its games or boards one by one. The *verdict* of a table that
is done: a figure agrees if it is within two standard deviations of the published one (ours or the
published, whichever is larger); where there is neither, a share of games within two standard
deviations of the difference of two such shares by chance, a count of boards within 1 %, any other
figure within 2 %."""


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
        lines += [first_line(page), "", size_line(page), "", *markdown_table(page, pictures)]
        lines += ["<details><summary>Settings, data and machine</summary>", ""]
        lines += [*markdown_settings(page), ""] if row_settings(page) else []
        lines += [*(f"- {line}" for line in made_with(page)), "", "</details>"]
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
