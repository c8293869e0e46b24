"""The page that lists every table of the five documents, its state and its last numbers.

It is made from the experiments there are and from the results that are kept (`docs/results`):

    python -m clauseboard.papers.tables docs/results docs/tables.md
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clauseboard.papers.loading import experiment_names, load_experiment
from clauseboard.papers.report import headline

PUBLISHED: dict[str, dict[str, str]] = {
    "checkers thesis": {
        "4.1": "what StandardEnd holds, without dupe check",
        "4.2": "what StandardEnd holds, with dupe check",
        "4.3": "what StandardEnd holds, without dupe check",
        "4.4": "what EndSecondThird holds, with dupe check",
        "4.5": "what EndSecondThird holds, without dupe check",
        "4.6": "what EndToEight holds, with dupe check",
        "4.7": "what EndToEight holds, without dupe check",
        "4.8": "what StandardPureMetaData holds, with dupe check",
        "4.9": "what StandardPureMetaData holds, without dupe check",
        "4.10": "precision, recall and F of the predictor for black",
        "4.11": "precision, recall and F of the predictor for white",
        "5.1": "by how much the accuracy varies",
        "5.2": "adaptive epochs against a fixed number, with figures 5.2 to 5.4",
        "5.3": "what adaptive epochs gain over a fixed number",
        "5.4": "eight configurations of the machine",
        "5.6": "accuracy on each of ten folds",
        "5.7": "accuracy on every data set composition",
        "5.8": "precision, recall and F for wins",
        "5.9": "precision, recall and F for losses",
        "5.10": "precision, recall and F for draws",
        "6.1": "a thousand games of self-play",
        "6.2": "the two predictors against each other",
        "6.3": "against random moves",
        "6.4": "against the inverted predictor for black",
        "6.5": "against a predictor that always says win",
        "6.6": "without sure wins and losses",
        "6.7": "against Kingsrow, strong",
        "6.8": "against Kingsrow, weak",
        "6.9": "a person against 247 Checkers",
        "6.10": "against 247 Checkers",
        "6.11": "against a person",
        "7.1": "the machine beside other learners",
    },
    "Go thesis": {
        "4.1": "results of the games",
        "4.2": "data sets by moves played, and their duplicates",
        "6.1": "clauses",
        "6.2": "thresholds",
        "6.3": "values of s",
        "6.4": "windows of the convolutional machine",
        "7.1": "moves played",
        "7.2": "clauses, after 90 of 100 moves",
        "8.1": "the data set of the tree search",
        "8.2": "prediction against the end result, by depth",
        "8.3": "board score against the end result, by depth",
        "8.4": "board score without komi, by depth",
        "8.5": "precision, recall and F, by depth",
        "8.6": "the machines of self-play",
        "8.7": "self-play after 70 moves, with figures 8.28 to 8.45",
        "figure 8.6": "a search with captures and without (figures 8.6 and 8.7)",
        "figure 8.8": "clauses that weigh and vote most in the search (figures 8.8 to 8.27)",
    },
    "Hex thesis": {
        "4.1": "classes of the data set of 17k boards",
        "4.2": "classes of the data set of 287k boards",
        "5.1": "clauses, 17k boards",
        "5.2": "thresholds and s, 17k boards",
        "5.3": "clauses, 35k boards",
        "5.4": "thresholds and s, 35k boards",
        "5.5": "classes of the dual machines",
        "5.6": "clauses, machine for black, 287k boards",
        "5.7": "thresholds and s, machine for black, 287k boards",
        "figure 5.1": "accuracy by the number of stones",
        "figure 5.2": "recall and precision of the top k boards, with figures 5.3 to 5.9",
        "5.8": "the players of the tournament",
        "5.9": "the tournament",
        "5.10": "average number of stones",
        "figure 5.16": "first moves",
        "figure 5.17": "clause patterns, with figures 5.18 to 5.21",
    },
    "swarm thesis": {
        "figure 1": "random against random",
        "section 7": "swarm against gradient descent",
        "section 10.2": "strength against random moves",
        "section 10.3": "training curve",
    },
    "temporal report": {
        "section 4": "weights over a game",
        "section 5": "weights over games, strength before and after, size of the memory",
    },
}
"""Tables by document and number, and what each shows; those not made yet are listed, too."""

NOT_YET = "not yet"


def tables_page(results: Path) -> str:
    """The page as Markdown, from the experiments and a folder of their results as JSON."""
    known = {(t.source, t.number): (name, t) for name, t in _experiments()}
    lines = [
        "# Every published table",
        "",
        "Made by `python -m clauseboard.papers.tables docs/results docs/tables.md`; do not",
        "change it by hand. A table is *done* when its full size has been run on published data",
        "(*partly done*: for some of its rows), "
        "*small* when only less has; *ready* means `clauseboard experiment run NAME` makes it, and",
        "that no result is kept here yet. Numbers are ours, mean ± spread over folds; *honest* are",
        "those of machines that were not stopped by their test boards.",
    ]
    for source, tables in PUBLISHED.items():
        more = {n: t.title for (s, n), (_, t) in known.items() if s == source and n not in tables}
        lines += [
            "",
            f"## {source[0].upper()}{source[1:]}",
            "",
            "| table | shows | experiment | state | last numbers |",
        ]
        lines += ["|---|---|---|---|---|"]
        for number, title in {**tables, **more}.items():
            name = known[source, number][0] if (source, number) in known else None
            state, numbers = _state(name, results)
            told = "" if name is None else f"`{name}`"
            lines.append(f"| {number} | {title} | {told} | {state} | {numbers} |")
    return "\n".join([*lines, ""])


def _experiments() -> Iterator[tuple[str, Any]]:
    return ((name, load_experiment(name)) for name in experiment_names())


def _state(name: str | None, results: Path) -> tuple[str, str]:
    if name is None:
        return NOT_YET, ""
    file = results / f"{name}.json"
    if not file.is_file():
        return "ready", ""
    page = json.loads(file.read_text("utf-8"))
    generated = any(data["generated"] for data in page["data"])
    size = page["size"]["name"]
    partly = "only_rows" in page
    state = "small" if size != "full" or generated else "partly done" if partly else "done"
    told = f"{size} size{', some data generated' if generated else ''}"
    told += f", rows with {' or '.join(map(repr, page['only_rows']))}" if partly else ""
    return state, f"{headline(page)}; {told}, {page['date'][:10]}"


def main(arguments: list[str]) -> int:
    """Write the page."""
    if len(arguments) != 2:
        print("Name the folder of results and the page: docs/results docs/tables.md")
        return 2
    Path(arguments[1]).write_text(tables_page(Path(arguments[0])), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
