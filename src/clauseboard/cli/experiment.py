"""`clauseboard experiment`: the published tables, computed again."""

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

from clauseboard.cli.common import AsJson, ProgressBar
from clauseboard.files import write_text
from clauseboard.papers import (
    experiment_names,
    label,
    load_experiment,
    named_experiments,
)
from clauseboard.papers.boards import Run
from clauseboard.papers.report import (
    add_results,
    as_html,
    as_markdown,
    as_text,
    can_draw,
    draw,
    measured_times,
    write_pages,
)
from clauseboard.papers.runner import TimeUpError, run_table

app = typer.Typer(
    add_completion=False,
    help="Compute published tables again, beside the published figures.",
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
        typer.Option(help="A data set to take boards from; may be repeated, one a composition."),
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
        print(time_estimate(names, size), file=sys.stderr)
    used: set[Path] = set()
    for number, each in enumerate(names, 1):
        table = load_experiment(each)
        run = Run(table.sizes[size], data or [], out, workers, device)
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


def time_estimate(names: Sequence[str], size: str) -> str:
    """How long a run of several tables may take, as far as that has been measured."""
    known = [seconds for name, seconds in measured_times(size).items() if name in names]
    text = f"{len(names)} tables at {size} size."
    if known:
        text += (
            f" For {len(known)} of them the stored results took {sum(known) / 60:,.0f} minutes of "
            "work in all, on the machines that they name; tables that share tasks share the time."
        )
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
    """Generate the pages of all stored results, one a document, and the overview of all tables.

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
