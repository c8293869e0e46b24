"""`clauseboard tune`: good settings for a Tsetlin Machine on a data set."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from clauseboard.cli.experiment import need_gpu, tasks_bar, tell, told_how_to_go_on, write_texts
from clauseboard.cli.options import AsJson


def tune(
    data: Annotated[Path, typer.Argument(help="A data set with folds (clauseboard data build).")],
    by: Annotated[
        str,
        typer.Option(
            help="thirds or doubling: one setting at a time, as the theses do; optuna: by Optuna."
        ),
    ] = "thirds",
    clauses: Annotated[int, typer.Option(min=2, help="A guess: clauses a class.")] = 1000,
    threshold: Annotated[int, typer.Option(min=1, help="A guess: the threshold T.")] = 2000,
    specificity: Annotated[float, typer.Option(min=1, help="A guess: the specificity s.")] = 9.0,
    weighted: Annotated[bool, typer.Option(help="Whether clauses have weights.")] = True,
    boost: Annotated[bool, typer.Option(help="Whether true positives are boosted.")] = True,
    most_clauses: Annotated[int, typer.Option(min=2, help="No more clauses than these.")] = 20_000,
    boards: Annotated[
        int | None, typer.Option(min=1, help="Boards at the most; all unless told.")
    ] = None,
    folds: Annotated[int, typer.Option(min=1, help="Inner folds to compare settings on.")] = 3,
    test_fold: Annotated[
        int, typer.Option(min=1, help="The fold that is kept from the search.")
    ] = 1,
    epochs: Annotated[int, typer.Option(min=1, help="Epochs at the most.")] = 30,
    rounds: Annotated[
        int, typer.Option(min=1, help="Rounds over all settings at the most, one at a time.")
    ] = 3,
    trials: Annotated[int, typer.Option(min=1, help="Trials of Optuna in all.")] = 40,
    seed: Annotated[int, typer.Option(min=0, help="What Optuna draws by.")] = 1,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes; as many as cores unless told.")
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
    """Find good settings for a Tsetlin Machine; the same command goes on after a stop.

    Example: clauseboard tune ends.npz --by doubling --clauses 500 --threshold 1000
    """
    from clauseboard.papers.boards import read_boards
    from clauseboard.papers.training import MachineParameters
    from clauseboard.tuning.optuna_study import tune_by_study
    from clauseboard.tuning.problem import CHOICES, STUDY, TuningProblem, tune_by_steps

    if by not in CHOICES:
        raise ValueError(f"--by {by} is none of {', '.join(CHOICES)}.")
    if by == STUDY and cluster is not None:
        raise ValueError(
            "Optuna needs no --cluster: give the same --out to as many commands as you like."
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
    with told_how_to_go_on(out), tasks_bar(as_json) as bar:
        if by == STUDY:
            page = tune_by_study(
                problem, record, out / "study.sqlite", trials=trials, seed=seed, jobs=workers,
                device=device, heard=bar.tell,
            )  # fmt: skip
        else:
            page = tune_by_steps(
                problem, record, way=by, rounds=rounds, jobs=workers, cluster=cluster,
                device=device, heard=bar.tell,
            )  # fmt: skip
    _report(page, out, f"{data.stem}_{by}", as_json)


def _report(page: dict[str, Any], out: Path, name: str, as_json: bool) -> None:
    from clauseboard.papers.pictures import can_draw, draw
    from clauseboard.tuning.problem import as_markdown, as_text, history

    drawn = draw({"pictures": [history(page)]}, out, name) if can_draw() else []
    if not drawn:
        print("No picture: it needs Matplotlib, pip install 'clauseboard[plots]'.", file=sys.stderr)
    markdown = as_markdown(page, [path.name for path in drawn])
    files = write_texts(page, out, name, {".md": markdown})
    tell(page, as_text(page), [*files, *drawn], as_json)
