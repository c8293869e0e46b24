"""`clauseboard tune`: good settings for a Tsetlin Machine on a data set."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from clauseboard.cli.common import AsJson
from clauseboard.cli.experiment import (
    draw_plots,
    need_gpu,
    print_report,
    resume_hint,
    tasks_bar,
    write_files,
)
from clauseboard.papers.boards import read_boards
from clauseboard.papers.training import MachineParameters
from clauseboard.tuning import (
    CHOICES,
    STUDY,
    TuningProblem,
    as_markdown,
    as_text,
    history,
    tune_by_steps,
    tune_by_study,
)


def tune(
    data: Annotated[Path, typer.Argument(help="A data set with folds (clauseboard data build).")],
    by: Annotated[
        str,
        typer.Option(
            help="thirds or doubling: one setting at a time, as in the theses; optuna: by Optuna."
        ),
    ] = "thirds",
    clauses: Annotated[int, typer.Option(min=2, help="First guess: clauses a class.")] = 1000,
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
    if by not in CHOICES:
        raise ValueError(f"--by {by} is none of {', '.join(CHOICES)}.")
    if by == STUDY and cluster is not None:
        raise ValueError(
            "Optuna needs no --cluster: start several commands with the same --out instead."
        )
    if device == "gpu":
        need_gpu()
    problem = TuningProblem(
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
        if by == STUDY:
            page = tune_by_study(
                problem, record, out / "study.sqlite", trials=trials, seed=seed, jobs=workers,
                device=device, progress=bar.tell,
            )  # fmt: skip
        else:
            page = tune_by_steps(
                problem, record, way=by, rounds=rounds, jobs=workers, cluster=cluster,
                device=device, progress=bar.tell,
            )  # fmt: skip
    _report(page, out, f"{data.stem}_{by}", as_json)


def _report(page: Mapping[str, object], out: Path, name: str, as_json: bool) -> None:
    plots = draw_plots({"pictures": [history(page)]}, out, name)
    markdown = as_markdown(page, [path.name for path in plots])
    files = write_files(page, out, name, {".md": markdown})
    print_report(page, as_text(page), [*files, *plots], as_json)
