"""`clauseboard experiment` and `tune`: published tables again, and good settings for a machine."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from clauseboard import tuning
from clauseboard.checks import one_of
from clauseboard.cli.common import AsJson, ProgressBar
from clauseboard.files import write_text
from clauseboard.papers import (
    experiment_names,
    label,
    load_experiment,
    named_experiments,
)
from clauseboard.papers.boards import Run, read_boards
from clauseboard.papers.report import as_html, as_markdown, as_text, can_draw, draw
from clauseboard.papers.runner import TimeUpError, run_table
from clauseboard.papers.stored_results import add_results, added_times, measured_times, write_pages
from clauseboard.papers.training import MachineParameters

app = typer.Typer(
    add_completion=False,
    help="Recompute the published tables and compare the figures.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Page = Mapping[str, object]
"""The JSON of a report."""


@app.command("list")
def list_experiments(as_json: AsJson = False) -> None:
    """List the tables.

    Example: clauseboard experiment list
    """
    tables = {name: load_experiment(name) for name in experiment_names()}
    if as_json:
        page = [
            {"name": name, "source": table.document, "table": table.number, "title": table.title,
             "where": table.where}
            for name, table in tables.items()
        ]  # fmt: skip
        print(json.dumps(page))
        return
    width = max(map(len, tables), default=0)
    for name, table in tables.items():
        print(f"{name:<{width}}  {table.document}, {label(table.number)}: {table.title}")


@app.command("run")
def run_experiment(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...",
            help="Tables, such as checkers_5_6; checkers, go, hex, swarm or temporal for all "
            "tables of a document; or all.",
        ),
    ],
    quick: Annotated[bool, typer.Option("--quick", help="A few seconds, to test it.")] = False,
    full: Annotated[bool, typer.Option("--full", help="As published; may take days.")] = False,
    data: Annotated[
        list[Path] | None,
        typer.Option(help="A data set to take boards from; may be repeated, one per composition."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Number of processes; default: one for each core.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler, such as tcp://HOST:8786.")
    ] = None,
    device: Annotated[str, typer.Option(help="cpu or gpu.")] = "cpu",
    row: Annotated[
        list[str] | None,
        typer.Option(help="Only rows whose names contain this text; may be repeated."),
    ] = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            help="A player that takes the place of a published opponent that is not at hand "
            "(checkers_6_7 to 6_11), such as an engine."
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(min=0, help="Stop after so many minutes; the same command resumes the run."),
    ] = None,
    out: Annotated[
        Path, typer.Option(help="A folder for the record of the run and the report.")
    ] = Path("experiments"),
    as_json: AsJson = False,
) -> None:
    """Compute tables, in the order given, and report them beside the published ones.

    After an interruption, the same command resumes the run.

    Example: clauseboard experiment run checkers_5_6 --quick

    Example: clauseboard experiment run checkers_5_1 hex --full --device gpu --minutes 10
    """
    names = list(dict.fromkeys(each for name in names for each in named_experiments(name)))
    if quick and full:
        raise ValueError("Choose one of --quick and --full.")
    if device == "gpu":
        need_gpu()
    size = "quick" if quick else "full" if full else "default"
    out.mkdir(parents=True, exist_ok=True)
    workers = jobs or os.cpu_count() or 1
    until = None if minutes is None else time.monotonic() + 60 * minutes
    if len(names) > 1:
        print(time_estimate(names, size, workers, device), file=sys.stderr)
    used: set[Path] = set()
    for number, each in enumerate(names, 1):
        table = load_experiment(each)
        run = Run(table.sizes[size], data or [], out, workers, device, opponent)
        if len(names) > 1:
            print(f"{number} of {len(names)}: {each}", file=sys.stderr)
        try:
            with resume_hint(out), tasks_bar(as_json) as bar:
                page = run_table(
                    table, run, out / "runs.sqlite", jobs=workers, cluster=cluster, device=device,
                    rows=row or (), progress=bar.tell, until=until,
                )  # fmt: skip
        except TimeUpError as error:
            print(f"{error} The same command resumes from there.", file=sys.stderr)
            return
        used |= set(data or []) - set(run.unused())
        plots = draw_plots(page, out, table.name)
        markdown = as_markdown(page, [path.name for path in plots])
        texts = {".md": markdown, ".html": as_html(page, plots)}
        print_report(page, as_text(page), write_files(page, out, table.name, texts), as_json)
    for file in [file for file in data or [] if file not in used]:
        print(f"{file} was not needed: no row uses such boards.", file=sys.stderr)


def time_estimate(names: Sequence[str], size: str, jobs: int, device: str) -> str:
    """How long a run of several tables may take, as far as that has been measured."""
    known = {name: times for name, times in measured_times(size).items() if name in names}
    text = f"{len(names)} tables at {size} size."
    if known:
        times = added_times(known)
        text += (
            f" For {len(known)} of them the stored results took {times.gpu / 60:,.0f} minutes of a "
            f"GPU and {times.cores / 60:,.0f} minutes of single cores, on the machines that they "
            f"name: with {jobs} cores {times.minutes(jobs):,.0f} minutes or more"
        )
        text += "." if device == "gpu" or not times.gpu else ", and far more without a GPU."
    if len(known) < len(names):
        text += f" {len(names) - len(known)} have not been run at this size before."
    return text


@app.command("pages")
def write_result_pages(
    docs: Annotated[
        Path, typer.Argument(help="The folder with results/ in it; pages are written there.")
    ] = Path("docs"),
    add: Annotated[
        list[Path] | None,
        typer.Option(help="The JSON report of a run to store first; may be repeated."),
    ] = None,
) -> None:
    """Generate the pages of all stored results, one per document, and the overview of all tables.

    Example: clauseboard experiment pages docs --add experiments/checkers_5_6.json
    """
    if not (docs / "results").is_dir():
        raise ValueError(f"There is no folder {docs / 'results'}; name the folder above it.")
    add_results(docs, add or ())
    for path in write_pages(docs):
        print(path)


def need_gpu() -> None:
    """Fail early where there is no GPU."""
    from clauseboard.tsetlin import gpu  # scikit-learn takes seconds, and lists need none

    try:
        gpu.chosen("gpu")
    except RuntimeError as error:
        raise ValueError(str(error)) from error


def draw_plots(page: Page, out: Path, name: str) -> list[Path]:
    """Draw the plots of a page, if Matplotlib is installed."""
    if page["pictures"] and not can_draw():
        print("No plots: they need Matplotlib, pip install 'clauseboard[plots]'.", file=sys.stderr)
        return []
    return draw(page, out, name)


def write_files(page: Page, out: Path, name: str, texts: Mapping[str, str]) -> list[Path]:
    """Write a page as JSON, and its texts by the endings of their files."""
    files = []
    for suffix, text in {".json": json.dumps(page, indent=1) + "\n", **texts}.items():
        path = out / f"{name}{suffix}"
        write_text(path, text)
        files.append(path)
    return files


def print_report(page: Page, text: str, files: list[Path], as_json: bool) -> None:
    """Print a page as JSON, or as text with the names of its files."""
    if as_json:
        print(json.dumps(page))
    else:
        print(text)
        print(f"\nSaved in {', '.join(map(str, files))}.")


def tasks_bar(quiet: bool) -> ProgressBar:
    """A bar that counts tasks; the first of them may take long."""
    return ProgressBar("tasks", counted=True, patience=0, quiet=quiet)


@contextlib.contextmanager
def resume_hint(out: Path) -> Iterator[None]:
    """Say after Ctrl-C that finished tasks are not lost."""
    try:
        yield
    except KeyboardInterrupt:
        print(
            f"\nFinished tasks are saved in {out}; the same command resumes from there.",
            file=sys.stderr,
        )
        raise


# ------------------------------------------------------------------ tune


def tune(
    data: Annotated[Path, typer.Argument(help="A data set with folds (clauseboard data build).")],
    by: Annotated[
        str,
        typer.Option(
            help="thirds or doubling: one setting at a time, as in the theses; optuna: by Optuna."
        ),
    ] = "thirds",
    clauses: Annotated[int, typer.Option(min=2, help="First guess: clauses per class.")] = 1000,
    threshold: Annotated[int, typer.Option(min=1, help="First guess: the threshold T.")] = 2000,
    specificity: Annotated[
        float, typer.Option(min=1, help="First guess: the specificity s.")
    ] = 9.0,
    weighted: Annotated[bool, typer.Option(help="Whether clauses have weights.")] = True,
    boost: Annotated[bool, typer.Option(help="Whether true positives are boosted.")] = True,
    most_clauses: Annotated[
        int, typer.Option(min=2, help="Highest number of clauses to try.")
    ] = 20_000,
    boards: Annotated[
        int | None, typer.Option(min=1, help="Highest number of boards; default: all.")
    ] = None,
    folds: Annotated[int, typer.Option(min=1, help="Inner folds to compare settings on.")] = 3,
    test_fold: Annotated[
        int, typer.Option(min=1, help="The fold that is held out of the search.")
    ] = 1,
    epochs: Annotated[int, typer.Option(min=1, help="Highest number of epochs.")] = 30,
    rounds: Annotated[
        int, typer.Option(min=1, help="Highest number of rounds over all settings.")
    ] = 3,
    trials: Annotated[int, typer.Option(min=1, help="Number of trials of Optuna.")] = 40,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of Optuna.")] = 1,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Number of processes; default: one for each core.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler; not with optuna.")
    ] = None,
    device: Annotated[str, typer.Option(help="cpu or gpu.")] = "cpu",
    out: Annotated[
        Path, typer.Option(help="A folder for the record of the search and the report.")
    ] = Path("tuning"),
    as_json: AsJson = False,
) -> None:
    """Find good settings for a Tsetlin Machine on a data set.

    After an interruption, the same command resumes the search.

    Example: clauseboard tune ends.npz --by doubling --clauses 500 --threshold 1000
    """
    one_of("by", by, tuning.CHOICES)
    if by == tuning.STUDY and cluster is not None:
        raise ValueError(
            "Optuna needs no --cluster: start several commands with the same --out instead."
        )
    if device == "gpu":
        need_gpu()
    problem = tuning.TuningProblem(
        read_boards(data).at_most(boards),
        MachineParameters(clauses, threshold, specificity, weighted=weighted, boost=boost),
        epochs=epochs,
        n_folds=folds,
        test_fold=test_fold - 1,
        most_clauses=most_clauses,
    )
    out.mkdir(parents=True, exist_ok=True)
    record, workers = out / "runs.sqlite", jobs or os.cpu_count() or 1
    with resume_hint(out), tasks_bar(as_json) as bar:
        if by == tuning.STUDY:
            page = tuning.tune_by_study(
                problem, record, out / "study.sqlite", trials=trials, seed=seed, jobs=workers,
                device=device, progress=bar.tell,
            )  # fmt: skip
        else:
            page = tuning.tune_by_steps(
                problem, record, way=by, rounds=rounds, jobs=workers, cluster=cluster,
                device=device, progress=bar.tell,
            )  # fmt: skip
    _report(page, out, f"{data.stem}_{by}", as_json)


def _report(page: Mapping[str, object], out: Path, name: str, as_json: bool) -> None:
    plots = draw_plots({"pictures": [tuning.history(page)]}, out, name)
    markdown = tuning.as_markdown(page, [path.name for path in plots])
    files = write_files(page, out, name, {".md": markdown})
    print_report(page, tuning.as_text(page), [*files, *plots], as_json)
