"""`clauseboard experiment`: the published tables, run again."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from clauseboard.cli.options import AsJson
from clauseboard.cli.progress import ProgressBar

app = typer.Typer(
    help="The published tables, run again beside the published figures.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list")
def list_experiments(as_json: AsJson = False) -> None:
    """List the tables there are.

    Example: clauseboard experiment list
    """
    from clauseboard.papers.loading import experiment_names, load_experiment
    from clauseboard.papers.table import called

    tables = {name: load_experiment(name) for name in experiment_names()}
    if as_json:
        page = [
            {"name": name, "source": table.source, "table": table.number, "title": table.title,
             "where": table.where}
            for name, table in tables.items()
        ]  # fmt: skip
        print(json.dumps(page))
        return
    width = max(map(len, tables), default=0)
    for name, table in tables.items():
        print(f"{name:<{width}}  {table.source}, {called(table.number)}: {table.title}")


@app.command("run")
def run_experiment(
    name: Annotated[str, typer.Argument(help="A table, such as checkers_5_6.")],
    quick: Annotated[bool, typer.Option("--quick", help="Seconds, to see that it works.")] = False,
    full: Annotated[bool, typer.Option("--full", help="As published; may take days.")] = False,
    data: Annotated[
        list[Path] | None,
        typer.Option(help="A data set to take boards from; may be repeated, one a composition."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes; as many as cores unless told.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler, such as tcp://HOST:8786.")
    ] = None,
    device: Annotated[str, typer.Option(help="cpu or gpu.")] = "cpu",
    row: Annotated[
        list[str] | None,
        typer.Option(help="Only rows with this in their names; may be repeated."),
    ] = None,
    out: Annotated[
        Path, typer.Option(help="A folder for the record of the run and the report.")
    ] = Path("experiments"),
    as_json: AsJson = False,
) -> None:
    """Run a table and report it beside the published one; the same command goes on after a stop.

    Example: clauseboard experiment run checkers_5_6 --quick
    """
    from clauseboard.papers.loading import experiment_name, load_experiment
    from clauseboard.papers.materials import Materials
    from clauseboard.papers.reporting import as_text
    from clauseboard.papers.running import run_table

    name = experiment_name(name)
    table = load_experiment(name)
    if quick and full:
        raise ValueError("Choose one of --quick and --full.")
    if device == "gpu":
        need_gpu()
    size = table.sizes["quick" if quick else "full" if full else "default"]
    out.mkdir(parents=True, exist_ok=True)
    workers = jobs or os.cpu_count() or 1
    materials = Materials(data or [], size.boards, out, workers)
    with told_how_to_go_on(out), tasks_bar(as_json) as bar:
        page = run_table(
            table, size, materials, out / "runs.sqlite", jobs=workers,
            cluster=cluster, device=device, rows=row or (), heard=bar.tell,
        )  # fmt: skip
    for file in materials.unused():
        print(f"{file} was not needed: no row takes boards of its kind.", file=sys.stderr)
    tell(page, as_text(page), _write(page, out, name), as_json)


def need_gpu() -> None:
    """Refuse to begin where there is no GPU."""
    from clauseboard.tsetlin import gpu

    try:
        gpu.chosen("gpu")
    except RuntimeError as error:
        raise ValueError(str(error)) from error


def _write(page: dict[str, Any], out: Path, name: str) -> list[Path]:
    """The report as JSON, Markdown and HTML, with pictures where they can be drawn."""
    from clauseboard.papers.pictures import can_draw, draw
    from clauseboard.papers.reporting import as_html, as_markdown

    drawn = []
    if page["pictures"]:
        if can_draw():
            drawn = draw(page, out, name)
        else:
            print(
                "No pictures: they need Matplotlib, pip install 'clauseboard[plots]'.",
                file=sys.stderr,
            )
    markdown = as_markdown(page, [path.name for path in drawn])
    return write_texts(page, out, name, {".md": markdown, ".html": as_html(page, drawn)})


def write_texts(page: dict[str, Any], out: Path, name: str, texts: dict[str, str]) -> list[Path]:
    """Write a page as JSON, and what it says in texts, by the endings of their files."""
    files = []
    for suffix, text in {".json": json.dumps(page, indent=1) + "\n", **texts}.items():
        path = out / f"{name}{suffix}"
        path.write_text(text, "utf-8")
        files.append(path)
    return files


def tell(page: dict[str, Any], text: str, files: list[Path], as_json: bool) -> None:
    """Print what came out, for programs or for people; the latter are told of the files, too."""
    if as_json:
        print(json.dumps(page))
    else:
        print(text)
        print(f"\nKept in {', '.join(map(str, files))}.")


def tasks_bar(quiet: bool) -> ProgressBar:
    """A bar that counts tasks; the first of them may take long."""
    return ProgressBar("tasks", counted=True, patience=0, quiet=quiet)


@contextlib.contextmanager
def told_how_to_go_on(out: Path) -> Iterator[None]:
    """Say after Ctrl-C that nothing that has ended is lost."""
    try:
        yield
    except KeyboardInterrupt:
        print(
            f"\nWhat has ended is kept in {out}; the same command goes on from there.",
            file=sys.stderr,
        )
        raise
