"""`clauseboard data`: data sets, built from records of games and shown.

Files named `data_*.py` beside this one are further commands, each a function of the name that
stands behind `data_`.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import pkgutil
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from clauseboard import cli
from clauseboard.cli.options import AsJson, read_parameters
from clauseboard.cli.waiting import Bar
from clauseboard.games.datasets import (
    Composition,
    compositions,
    load_composition,
)
from clauseboard.games.plugins import DATASETS
from clauseboard.games.records import Report

app = typer.Typer(
    help="Data sets: boards of games as bits, who won, and folds.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class WithSwitches(TyperCommand):
    """A command that takes switches of its own subject: `--name`, which it does not know itself.

    They come as its option `--switch`, since which of them are right hangs on its arguments.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the command line."""
        # Words behind `--` are no options.
        own = {word for one in self.get_params(ctx) for word in (*one.opts, *one.secondary_opts)}
        end = args.index("--") if "--" in args else len(args)
        switches = [
            f"--switch={word}" if word.startswith("--") and word.partition("=")[0] not in own
            else word
            for word in args[:end]
        ]  # fmt: skip
        return super().parse_args(ctx, [*switches, *args[end:]])


@app.command("build", cls=WithSwitches)
def build_data(
    game: Annotated[str, typer.Argument(help=f"One of {', '.join(DATASETS.games())}.")],
    composition: Annotated[
        str | None, typer.Argument(help="What the boards are; without it those there are.")
    ] = None,
    sources: Annotated[
        list[Path] | None, typer.Argument(help="Files or folders of records of games.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The file to write, named *.npz.")] = None,
    unique: Annotated[
        bool,
        typer.Option("--unique", help="Keep one of boards that are the same, with its result."),
    ] = False,
    draws: Annotated[bool, typer.Option("--draws/--no-draws", help="Also drawn games.")] = True,
    folds: Annotated[int, typer.Option(help="Folds of whole games.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="One number, the same folds.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Processes; the data set is the same.")] = 1,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="An option of the composition, as name=value; repeatable. For what is true or "
            "false there are switches, too, which `data build GAME` lists.",
        ),
    ] = None,
    switch: Annotated[list[str] | None, typer.Option("--switch", hidden=True)] = None,
    drops: Annotated[
        Path | None, typer.Option(help="A file for the games left out: a line each, and why.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a data set of recorded games, in folds, with a manifest.

    Example: clauseboard data build checkers end-to-eight oca.pdn --unique --out eight.npz
    Example: clauseboard data build hex doubled --as-published --out 35k.npz
    """
    if composition is None:
        _list_compositions(game)
        return
    from clauseboard.datasets.building import build
    from clauseboard.datasets.showing import dataset_page, dataset_text

    kind = compositions(game).get(composition)
    options = read_parameters(option or [])
    options |= {} if kind is None else read_switches(kind, switch or [])
    made_of = load_composition(game, composition, **options)
    if out is None:
        raise ValueError("The data set needs a file to go to: --out FILE.npz.")
    if out.suffix != ".npz":
        raise ValueError(f"{out} is no name for a data set; they are named *.npz.")
    for path in (out, drops):
        if path is not None and not path.parent.is_dir():
            raise ValueError(f"{path} cannot be written: there is no folder {path.parent}.")
    flags = [*(["--unique"] if unique else []), *([] if draws else ["--no-draws"])]
    flags += switch or []
    numbers = [f"--folds={folds}"] * (folds != 10) + [f"--seed={seed}"] * (seed != 1)
    settings = [f"--set={text}" for text in option or []]
    # Folders are left out: the data set is the same wherever it is made.
    names = [path.name for path in sources or []]
    words = [game, composition, *names, *flags, *numbers, *settings, "--out", out.name]
    report = Report()
    try:
        with Bar("reading games") as bar:
            data = build(
                made_of, sources or [], unique=unique, draws=draws, n_folds=folds, seed=seed,
                jobs=jobs, command=shlex.join(["clauseboard", "data", "build", *words]),
                report=report, told=bar.tell,
            )  # fmt: skip
    finally:
        if drops is not None:
            drops.write_text("".join(f"{drop}\n" for drop in report.drops), "utf-8")
    data.save(out)
    page = dataset_page(data, data.game.colours[0])
    print(json.dumps(page) if as_json else f"{dataset_text(page)}\n\nWritten to {out}.")


@app.command("show")
def show_data(
    file: Annotated[Path, typer.Argument(help="A data set.")],
    boards: Annotated[int, typer.Option(min=0, help="How many boards to draw.")] = 3,
    side: Annotated[
        str | None, typer.Option(help="Whose wins are wins; the side that begins without it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what is in a data set, where it is from and what was left out, and draw some boards.

    Example: clauseboard data show eight.npz --boards 5
    """
    from clauseboard.datasets.dataset import load_dataset
    from clauseboard.datasets.showing import boards_text, dataset_page, dataset_text

    data = load_dataset(file)
    page = dataset_page(data, data.game.colours[0] if side is None else side)
    if as_json:
        print(json.dumps(page))
        return
    print(dataset_text(page))
    if boards and len(data):
        print(f"\n{boards_text(data, boards)}")


def _list_compositions(game: str) -> None:
    kinds = compositions(game)
    width = max(map(len, kinds))
    print(f"Of {game} there are:")
    for name, kind in kinds.items():
        listed = "".join(f"; {switch}" for switch in switches_of(kind))
        print(f"  {name:<{width}}  {kind.text}{listed}")


def switches_of(kind: type[Composition]) -> dict[str, tuple[str, bool]]:
    """The switches of a composition: each sets one of its options that are true or false.

    >>> switches_of(compositions("hex")["doubled"])
    {'--as-published': ('as_published', True)}
    """
    found = {}
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        if isinstance(field.default, bool):
            no = "no-" if field.default else ""
            found[f"--{no}{field.name.replace('_', '-')}"] = (field.name, not field.default)
    return found


def read_switches(kind: type[Composition], words: list[str]) -> dict[str, bool]:
    """What switches on the command line mean for a composition."""
    known = switches_of(kind)
    for word in words:
        if word not in known:
            listed = ", ".join(known) or "none"
            raise ValueError(f"There is no option {word}; of its own {kind.name} has {listed}.")
    return dict(known[word] for word in words)


def _add_commands() -> None:
    """Take in the commands that have a file of their own."""
    for found in pkgutil.iter_modules(cli.__path__):
        if found.name.startswith("data_"):
            name = found.name.removeprefix("data_")
            module: Any = importlib.import_module(f"{cli.__name__}.{found.name}")
            app.command(name)(getattr(module, name))


_add_commands()
