"""What a search for good settings found, as text for the terminal and as Markdown."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from clauseboard.papers.reporting import surrounding_lines
from clauseboard.papers.tuning import DONE, STUDY

NAMES = {
    "thirds": "one setting at a time, from a third to three times as much, moving on while it "
    "gets better",
    "doubling": "one setting at a time, halved and doubled, moving on while it gets better",
    STUDY: "Optuna, trials broken off that fall behind",
}


def first_lines(page: Mapping[str, Any]) -> list[str]:
    """What was searched, how, and what was found."""
    best, data = page["best"], page["data"]
    stopped = "" if page["stop"] is None else f", adaptive epochs version {page['stop']}"
    return [
        f"Best of {len(page['trials'])}: {best['machine']}.",
        f"{best['mean']:.2f} % on {page['folds']} inner folds, {best['tested']:.2f} % on fold "
        f"{page['test_fold']}, which was kept from the search and looked at once.",
        f"Found by {NAMES[page['by']]}; guess: {page['guess']}.",
        f"Data: {data['kind']} from {data['source']}, {data['boards']:,} boards; "
        f"{page['epochs']} epochs at the most{stopped}.",
    ]


def trial_rows(page: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """A row of cells for each of the settings tried, below a row of heads."""
    names = list(page["best"]["settings"])
    rows: list[tuple[str, ...]] = [("", *names, "accuracy, %", "epochs", "seconds", "")]
    for number, trial in enumerate(page["trials"], 1):
        spread = "" if trial["spread"] is None else f" ± {trial['spread']:.2f}"
        best = trial["state"] == DONE and trial["settings"] == page["best"]["settings"]
        rows.append(
            (
                str(number),
                *(f"{trial['settings'][name]:,g}" for name in names),
                f"{trial['mean']:.2f}{spread}",
                f"{trial['epochs']:g}",
                f"{trial['seconds']:.1f}",
                "best" if best else "" if trial["state"] == DONE else trial["state"],
            )
        )
    return rows


def as_text(page: Mapping[str, Any]) -> str:
    """The report for the terminal."""
    rows = trial_rows(page)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([*first_lines(page), "", *lines])


def as_markdown(page: Mapping[str, Any], pictures: Sequence[str] = ()) -> str:
    """The report as a document; `pictures` are the names of files beside it."""
    heads, *rows = trial_rows(page)
    return "\n".join(
        [
            "# Settings for a machine",
            "",
            *(f"{line}\n" for line in first_lines(page)),
            *(f"![history]({name})\n" for name in pictures),
            f"| {' | '.join(heads)} |",
            "|---:" * (len(heads) - 1) + "|---|",
            *(f"| {' | '.join(row)} |" for row in rows),
            "",
            f"- SHA-256 of the boards: {page['data']['sha256']}",
            *(f"- {line}" for line in surrounding_lines(page)),
            "",
        ]
    )


def history(page: Mapping[str, Any]) -> dict[str, Any]:
    """The picture of the search, for `pictures.draw`: every trial, and the best so far."""
    means = [trial["mean"] for trial in page["trials"]]
    counted = [trial["mean"] if trial["state"] == DONE else 0.0 for trial in page["trials"]]
    best = [value or None for value in itertools.accumulate(counted, max)]
    return {
        "name": "history",
        "title": f"Settings tried, {page['by']}",
        "x_label": "settings tried",
        "y_label": "accuracy on inner folds, %",
        "curves": {"each": means, "best so far": best},
        "levels": {"on the boards kept for the test": page["best"]["tested"]},
    }
