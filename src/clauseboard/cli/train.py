"""`clauseboard train` and `demo`: train a learner, with a progress bar; Ctrl-C saves the model."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import json
import signal
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console

from clauseboard.array_file import PAGE
from clauseboard.cli.common import GAMES, AsJson, ProgressBar, check_writable, read_parameters
from clauseboard.datasets import DataSet, load_dataset
from clauseboard.game import load_game
from clauseboard.learners import (
    StepReport,
    Trainer,
    load_trainer,
    make_options,
    trainer_names,
)

if TYPE_CHECKING:
    from clauseboard.tsetlin import Clause

KEEP_EVERY = 60.0
"""Seconds after which what was learned is saved in the midst of training, if there is a file."""

BAR_FIGURES = 2
"""Figures beside the bar, the first ones; more would leave no room for it."""


def train(
    learner: Annotated[
        str, typer.Argument(help="The learner; `clauseboard train` alone lists them.")
    ] = "",
    game: Annotated[str, typer.Argument(help=f"One of {GAMES}; not needed with --resume.")] = "",
    out: Annotated[Path | None, typer.Option(help="The model file to write.")] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Training data, for learners that need it: a data set from "
            "`clauseboard data build`, or a file as described by --options."
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(help="Continue training this file; it is overwritten unless --out is given."),
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="An option of the learner or a parameter of the game, such as seed=2 or size=5; "
            "may be repeated.",
        ),
    ] = None,
    options: Annotated[
        bool, typer.Option("--options", help="List the learner's options and exit.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Train a learner. Ctrl-C stops after the current step and saves the model.

    Example: clauseboard train swarm checkers --set rounds=50 --out network.npz

    Example: clauseboard train tsetlin hex --data boards.npz --out hex.tm
    """
    if not learner:
        print(f"Learners: {', '.join(trainer_names())}.")
        return
    kind = load_trainer(learner)
    if options:
        print(describe(kind))
        return
    where = out or resume
    if where is None:
        raise ValueError("Give the model file: --out FILE.")
    check_writable(where, "the model")
    values = read_parameters(parameter or [])
    trainer = (
        _resumed(kind, resume, game, data, values) if resume else _begun(kind, game, data, values)
    )
    started = time.perf_counter()
    bar = ProgressBar(kind.step_name, counted=True, patience=0, quiet=as_json)
    with _Stop() as stop, bar:
        if not as_json:
            print("Training; Ctrl-C stops and saves the model.", file=sys.stderr, flush=True)
        last = run(trainer, where, stop, functools.partial(_tell, bar))
    seconds = time.perf_counter() - started
    _report(learner, trainer, where, data, last, stop.asked, seconds, as_json)


def run(trainer: Trainer, where: Path, stop: _Stop, tell: Any) -> StepReport | None:
    """Train until the end, or until it is asked to stop; save then, and now and then before."""
    last = None
    kept = time.monotonic()
    for progress in trainer.steps():
        last = progress
        tell(progress)
        if stop.asked:
            break
        if time.monotonic() - kept > KEEP_EVERY:
            trainer.save(where)
            kept = time.monotonic()
    if last is not None:
        trainer.save(where)
    return last


def describe(kind: type[Trainer]) -> str:
    """What can be set of a trainer, one a line."""
    fields = dataclasses.fields(kind.Options)
    width = max(len(f"{field.name}={field.default}") for field in fields)
    lines = [
        f"  {f'{field.name}={field.default}':<{width}}  {field.metadata.get('help', '')}"
        + (" (can be changed with --resume)" if field.name in kind.changeable else "")
        for field in fields
    ]
    if kind.data_help is not None:
        lines.append(f"  --data FILE: {kind.data_help}")
    return "\n".join(lines)


def _begun(kind: type[Trainer], game: str, data: Path | None, values: dict[str, Any]) -> Trainer:
    if not game:
        raise ValueError(f"Give a game: one of {GAMES}.")
    _check_data(kind, data)
    boards = _dataset(data)
    rules = load_game(game) if boards is None else boards.game
    if rules.name != game:
        raise ValueError(f"{data} has boards of {rules!r}, not of {game}.")
    parameters = {field.name for field in dataclasses.fields(rules)}  # type: ignore[arg-type]
    given = {name: values[name] for name in parameters & values.keys()}
    rules = dataclasses.replace(rules, **given)  # type: ignore[type-var]
    own = {name: value for name, value in values.items() if name not in parameters}
    if boards is not None and boards.bits != rules.bits():
        raise ValueError(
            f"{data} has boards of {boards.game!r} with {len(boards.bits)} bits each, which are "
            f"not those of {rules!r}."
        )
    with _arrays(data, boards) as arrays:
        return kind.begin(rules, make_options(kind, own), arrays)


def _resumed(
    kind: type[Trainer], path: Path, game: str, data: Path | None, values: dict[str, Any]
) -> Trainer:
    if game:
        raise ValueError(f"{path} knows its game; leave the game out with --resume.")
    _check_data(kind, data)
    with _arrays(data, _dataset(data)) as arrays:
        return kind.load(path, arrays, **values)


def _check_data(kind: type[Trainer], data: Path | None) -> None:
    if data is not None and kind.data_help is None:
        raise ValueError("This learner learns from its own games and takes no --data.")


def _dataset(data: Path | None) -> DataSet | None:
    """The data set that a file is; None if it is no such file, but perhaps one of arrays."""
    if data is None or not data.is_file():
        return None
    try:
        with zipfile.ZipFile(data) as archive:
            if PAGE not in archive.namelist():
                return None
    except (OSError, zipfile.BadZipFile):
        return None
    return load_dataset(data)


@contextlib.contextmanager
def _arrays(data: Path | None, boards: DataSet | None) -> Iterator[Path | None]:
    """The data as trainers read them, with `X` and `y`: a data set is written down so for them."""
    if boards is None:
        yield data
        return

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "boards.npz"
        np.savez(path, X=boards.packed, y=_labels(boards))
        try:
            yield path
        except ValueError as error:
            raise ValueError(str(error).replace(str(path), str(data))) from None


def _labels(boards: DataSet) -> Any:
    """Who wins, by name; where the boards are shown as the side to move sees them, so is this."""
    if boards.view != "mover":
        return boards.y
    own = np.where(boards.labels == boards.to_move, "win", "loss")
    return np.where(boards.labels == 2, "draw", own)


def _report(
    learner: str,
    trainer: Trainer,
    where: Path,
    data: Path | None,
    last: StepReport | None,
    stopped: bool,
    seconds: float,
    as_json: bool,
) -> None:
    if as_json:
        page = {
            "learner": learner,
            "step": last and last.step,
            "of": last and last.of,
            "stopped": stopped,
            "seconds": round(seconds, 3),
            "figures": dict(last.figures) if last else {},
            "file": str(where),
        }
        print(json.dumps(page))
        return
    if last is None:
        print(f"Training was already complete; {where} is unchanged.")
        return
    print(f"{last.step} of {last.of} {trainer.step_name}s in {seconds:.1f} seconds.")
    print(f"{shown(last.figures)}\nSaved to {where}.")
    if last.step < last.of:
        again = f" --data {data}" if data is not None else ""
        print(f"Continue with: clauseboard train {learner} --resume {where}{again}")


def shown(figures: Mapping[str, float]) -> str:
    """Figures in one line.

    >>> shown({"fitness": 3.5, "drawn": 20.0})
    'fitness 3.5, drawn 20'
    """
    return ", ".join(f"{name} {value:.4g}" for name, value in figures.items())


class _Stop:
    """Notes the first Ctrl-C (or a polite request to end), so that a step is never cut in half.

    The second Ctrl-C ends at once; the file then holds what was saved last.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> _Stop:
        with contextlib.suppress(ValueError):  # in another thread than the first
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        print("\nStopping after this step; Ctrl-C again to stop at once.", file=sys.stderr)


def _tell(bar: ProgressBar, progress: StepReport) -> None:
    """Show a step that was done: with the bar on a terminal, and with its notes everywhere."""
    figures = dict(itertools.islice(progress.figures.items(), BAR_FIGURES))
    bar.tell(progress.step, progress.of, note=shown(figures))
    for note in progress.notes:
        print(note, file=sys.stderr)


# ------------------------------------------------------------------ demo

# The boards of the demo are noughts and crosses, filled at random; the question is whether X has
# three in a row. Some of the answers that the machine is told are wrong. It is told nothing of
# rows, columns or diagonals: those are what its clauses should turn out to be.
CELLS = [f"{column}{row}" for row in (3, 2, 1) for column in "abc"]
LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip
BIT_NAMES = [f"{stone} on {cell}" for stone in "XO" for cell in CELLS]


def demo(
    boards: Annotated[int, typer.Option(min=100, help="Boards to learn from.")] = 5000,
    clauses: Annotated[int, typer.Option(min=2, help="Clauses per class.")] = 200,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the boards.")] = 15,
    noise: Annotated[
        float, typer.Option(min=0.0, max=0.4, help="Share of wrong labels in the training data.")
    ] = 0.1,
    seed: Annotated[
        int, typer.Option(min=0, help="Random seed: the same seed gives the same machine.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the clauses as JSON.")] = False,
) -> None:
    """Train a small Tsetlin Machine on generated boards and print its clauses.

    Example: clauseboard demo --boards 2000 --noise 0.2
    """
    from clauseboard.tsetlin import TsetlinMachineClassifier

    console = Console(stderr=as_json, highlight=False)
    rng = np.random.default_rng(seed)
    X, y = made_up_boards(rng, boards)
    labels = np.where(rng.random(boards) < noise, np.where(y == "line", "none", "line"), y)
    unseen = made_up_boards(rng, 2000)

    console.print(
        f"\n{boards:,} boards of noughts and crosses, {100 * noise:.0f} % of the answers wrong. "
        "Does X have three in a row?\n"
    )
    console.print(_pictures([_board(row) for row in X[:6]], list(labels[:6])))
    machine = TsetlinMachineClassifier(
        n_clauses=clauses,
        threshold=20 * clauses,
        specificity=15.0,
        max_literals=6,
        block_size=64,
        epochs=epochs,
        random_state=seed,
    )

    def show(epoch: Any) -> None:
        bar = "█" * round(40 * epoch.score)
        console.print(
            f"epoch {epoch.number:3d}  {bar:40s} {100 * epoch.score:5.1f} % of unseen boards"
        )

    machine.fit(X, labels, validation=unseen, callback=show, progress=False, bit_names=BIT_NAMES)
    rules = machine.rules()
    if as_json:
        sys.stdout.write(rules.to_json() + "\n")
        return
    for class_, title in (("line", "X has three in a row"), ("none", "X has not")):
        best = [rule for rule in rules if rule.class_ == class_ and rule.favours][:6]
        console.print(f"\nThe strongest clauses that say: {title}  (votes below)\n")
        console.print(_pictures([_drawn(rule) for rule in best], [f"{r.votes:+d}" for r in best]))
    console.print("X O  must be there     -x -o  must not be there     ·  does not matter\n")
    index = int(np.flatnonzero(unseen[1] == "line")[0])
    tally = machine.explain(unseen[0][index])
    console.print("One unseen board, and the votes on it:\n")
    console.print(_pictures([_board(unseen[0][index])], [""]))
    for label, total in tally.votes.items():
        cast = tally.of(label)
        console.print(
            f"{total:+5d} votes for '{label}', cast by {len(cast)} clauses; the strongest:"
        )
        for vote in cast[:3]:
            console.print(f"        {vote.clause}", soft_wrap=True)
    console.print("\nThe same in Python: see the README.")


def made_up_boards(
    rng: np.random.Generator, n_boards: int
) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Random boards as 18 bits, X first, and whether X has a line; about half of them do."""
    stones = rng.choice(3, size=(8 * n_boards, 9), p=[0.3, 0.4, 0.3])
    cross, nought = stones == 1, stones == 2
    line = np.any([cross[:, list(cells)].all(axis=1) for cells in LINES], axis=0)
    half = n_boards // 2
    chosen = np.concatenate([np.flatnonzero(line)[:half], np.flatnonzero(~line)[: n_boards - half]])
    chosen = rng.permutation(chosen)
    X = np.concatenate([cross, nought], axis=1).astype(np.uint8)
    return X[chosen], np.where(line[chosen], "line", "none")


def _board(bits: NDArray[np.uint8]) -> list[str]:
    return [" X" if bits[k] else " O" if bits[9 + k] else " ·" for k in range(9)]


def _drawn(clause: Clause) -> list[str]:
    cells = []
    for cell in CELLS:
        signs = [stone for stone in "XO" if f"{stone} on {cell}" in clause.required]
        nots = [stone.lower() for stone in "XO" if f"{stone} on {cell}" in clause.forbidden]
        if signs:
            cells.append(" " + signs[0])
        elif len(nots) == 2:
            cells.append("-#")
        else:
            cells.append("-" + nots[0] if nots else " ·")
    return cells


def _pictures(boards: list[list[str]], captions: list[str]) -> str:
    """Boards side by side, each with a caption below."""
    lines = [
        "     ".join(" ".join(board[3 * row : 3 * row + 3]) for board in boards) for row in range(3)
    ]
    lines.append("     ".join(f"{caption:^8s}" for caption in captions))
    return "\n".join("   " + line.rstrip() for line in lines) + "\n"
