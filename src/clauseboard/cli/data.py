"""`clauseboard data`: build data sets from game records, show them, fetch archives."""

from __future__ import annotations

import dataclasses
import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from clauseboard.cli.common import AsJson, Jobs, Parameter, ProgressBar, Seed, read_parameters
from clauseboard.cli.data_generate import generate
from clauseboard.files import write_text
from clauseboard.games.datasets import Composition, compositions, load_composition
from clauseboard.games.plugins import DATASETS
from clauseboard.games.records import Report

if TYPE_CHECKING:
    from clauseboard.datasets.dataset import DataSet

GAMES_HELP = f"One of {', '.join(DATASETS.games())}."

app = typer.Typer(
    help="Data sets: positions as bits, results and folds.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("generate")(generate)


class WithSwitches(TyperCommand):
    """A command that takes switches of its own subject: `--name`, which it does not know itself.

    They come as its option `--switch`, since which of them are right hangs on its arguments.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the command line."""
        # Words behind `--` are no options.
        own = {
            word
            for option in self.get_params(ctx)
            for word in (*option.opts, *option.secondary_opts)
        }
        end = args.index("--") if "--" in args else len(args)
        switches = [
            f"--switch={word}" if word.startswith("--") and word.partition("=")[0] not in own
            else word
            for word in args[:end]
        ]  # fmt: skip
        return super().parse_args(ctx, [*switches, *args[end:]])


@app.command("build", cls=WithSwitches)
def build_data(
    game: Annotated[str, typer.Argument(help=GAMES_HELP)],
    composition: Annotated[
        str | None, typer.Argument(help="The composition; omit it to list them.")
    ] = None,
    sources: Annotated[
        list[Path] | None, typer.Argument(help="Files or folders of game records.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Output file (*.npz).")] = None,
    unique: Annotated[bool, typer.Option("--unique", help="Keep one of equal boards.")] = False,
    draws: Annotated[bool, typer.Option("--draws/--no-draws", help="Include drawn games.")] = True,
    folds: Annotated[int, typer.Option(help="Number of folds; a game is never split.")] = 10,
    seed: Annotated[
        int, typer.Option(min=0, help="Random seed: the same seed gives the same folds.")
    ] = 1,
    jobs: Jobs = 1,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="An option of the composition, as name=value; repeatable. Boolean options are "
            "also switches; `data build GAME` lists them.",
        ),
    ] = None,
    switch: Annotated[list[str] | None, typer.Option("--switch", hidden=True)] = None,
    drops: Annotated[
        Path | None, typer.Option(help="A file that lists the games left out, with the reason.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build a data set from game records, with folds and a manifest.

    Example: clauseboard data build checkers end-to-eight oca.pdn --unique --out eight.npz
    Example: clauseboard data build hex doubled --as-published --out 35k.npz
    """
    if composition is None:
        _list_compositions(game)
        return
    from clauseboard.datasets.building import build

    kind = compositions(game).get(composition)
    options = read_parameters(option or [])
    options |= {} if kind is None else read_switches(kind, switch or [])
    made_of = load_composition(game, composition, **options)
    if out is None:
        raise ValueError("Give the output file: --out FILE.npz.")
    _check_output(out, drops)
    flags = [*(["--unique"] if unique else []), *([] if draws else ["--no-draws"])]
    flags += switch or []
    numbers = [f"--folds={folds}"] * (folds != 10) + [f"--seed={seed}"] * (seed != 1)
    settings = [f"--set={text}" for text in option or []]
    # Folders are left out: the data set is the same wherever it is made.
    names = [path.name for path in sources or []]
    words = [game, composition, *names, *flags, *numbers, *settings, "--out", out.name]
    report = Report()
    try:
        with ProgressBar("reading games") as bar:
            data = build(
                made_of, sources or [], unique=unique, draws=draws, n_folds=folds, seed=seed,
                jobs=jobs, command=shlex.join(["clauseboard", "data", "build", *words]),
                report=report, progress=bar.tell,
            )  # fmt: skip
    finally:
        if drops is not None:
            write_text(drops, "".join(f"{drop}\n" for drop in report.drops))
    _save(data, out, as_json)


@app.command("import")
def import_data(
    source: Annotated[
        Path,
        typer.Argument(
            help="A folder with a text file for each test fold (0test….data, 1test….data, …), or "
            "an .npz file with the arrays boards, result and fold."
        ),
    ],
    composition: Annotated[
        str, typer.Argument(help="standard-end, end-second-third, end-to-eight or metadata.")
    ],
    out: Annotated[Path, typer.Option(help="Output file (*.npz).")],
    unique: Annotated[
        bool, typer.Option("--unique", help="The author removed duplicates from these files.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Import checkers boards as the author of the checkers thesis publishes them.

    Rows, results and folds stay as they are. The thesis names the repository; its folder
    data/NoDupeCheck has the sets with duplicates, data/data those without.

    Example: clauseboard data import NoDupeCheck/StandardEnd standard-end --out standard-end.npz
    """
    from clauseboard.datasets.importing import import_folds

    _check_output(out)
    # Folders are left out: the data set is the same wherever it is made.
    words = [source.name, composition, *(["--unique"] if unique else []), "--out", out.name]
    command = shlex.join(["clauseboard", "data", "import", *words])
    _save(import_folds(source, composition, unique=unique, command=command), out, as_json)


def _check_output(out: Path, *more: Path | None) -> None:
    if out.suffix != ".npz":
        raise ValueError(f"{out} is not a data set name; use a name that ends in .npz.")
    for path in (out, *more):
        if path is not None and not path.parent.is_dir():
            raise ValueError(f"Cannot write {path}: there is no folder {path.parent}.")


def _save(data: DataSet, out: Path, as_json: bool) -> None:
    """Write a data set and print what it holds."""
    from clauseboard.datasets.manifest import dataset_page, dataset_text

    data.save(out)
    page = dataset_page(data, data.game.colours[0])
    print(json.dumps(page) if as_json else f"{dataset_text(page)}\n\nWritten to {out}.")


@app.command("show")
def show_data(
    file: Annotated[Path, typer.Argument(help="A data set.")],
    boards: Annotated[int, typer.Option(min=0, help="Number of boards to draw.")] = 3,
    side: Annotated[
        str | None,
        typer.Option(help="The colour whose wins count as wins; default: the side that begins."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a data set contains, where it comes from, what was left out, and some boards.

    Example: clauseboard data show eight.npz --boards 5
    """
    from clauseboard.datasets.dataset import load_dataset
    from clauseboard.datasets.manifest import boards_text, dataset_page, dataset_text

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
    print(f"Compositions for {game}:")
    for name, kind in kinds.items():
        listed = "".join(f"; {switch}" for switch in switches_of(kind))
        print(f"  {name:<{width}}  {kind.text}{listed}")


def switches_of(kind: type[Composition]) -> dict[str, tuple[str, bool]]:
    """The switches of a composition: each sets one of its options that are true or false.

    >>> switches_of(compositions("hex")["doubled"])
    {'--as-published': ('as_published', True)}
    """
    switches = {}
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        if isinstance(field.default, bool):
            no = "no-" if field.default else ""
            switches[f"--{no}{field.name.replace('_', '-')}"] = (field.name, not field.default)
    return switches


def read_switches(kind: type[Composition], words: list[str]) -> dict[str, bool]:
    """What switches on the command line mean for a composition."""
    switches = switches_of(kind)
    for word in words:
        if word not in switches:
            listed = ", ".join(switches) or "none"
            raise ValueError(f"There is no option {word}; {kind.name} has {listed}.")
    return dict(switches[word] for word in words)


@app.command("fetch")
def fetch(
    archive: Annotated[str, typer.Argument(help="oca: the Open Checkers Archive 2.0.")],
    out: Annotated[
        Path | None, typer.Option(help="Output file; default: in the current folder.")
    ] = None,
    address: Annotated[str | None, typer.Option(help="Another download address.")] = None,
    sha256: Annotated[str | None, typer.Option(help="The SHA-256 that the file must have.")] = None,
    as_json: AsJson = False,
) -> None:
    """Download a published archive of games and check it.

    An existing file is only checked.

    Example: clauseboard data fetch oca
    """
    from clauseboard.datasets import fetching

    with ProgressBar("downloading") as bar:
        fetched = fetching.fetch(archive, out, address=address, sha256=sha256, progress=bar.tell)
    if as_json:
        print(json.dumps(asdict(fetched) | {"path": str(fetched.path)}))
        return
    title = fetching.published(archive).title
    how = "downloaded" if fetched.downloaded else "was there already"
    print(
        f"{title} {how}: {fetched.path}, {fetched.games:,} games, of which {fetched.kept:,} can be "
        f"replayed.\nIts SHA-256 is {fetched.sha256}."
    )


@app.command("search")
def search(
    player: Annotated[
        str, typer.Argument(help="The player that scores boards: name:option=value,...")
    ],
    out: Annotated[Path | None, typer.Option(help="Output folder.")] = None,
    iterations: Annotated[int, typer.Option(min=1, help="Number of files to write in all.")] = 27,
    boards: Annotated[int, typer.Option(min=1, help="Random boards per iteration.")] = 100,
    top: Annotated[int, typer.Option(min=1, help="Boards kept from each iteration.")] = 100,
    depth: Annotated[int, typer.Option(min=1, help="Search depth in moves, an odd number.")] = 3,
    fewest: Annotated[int, typer.Option(min=1, help="Fewest stones of a random board.")] = 2,
    most: Annotated[int, typer.Option(min=1, help="Most stones of a random board.")] = 15,
    seed: Seed = 1,
    jobs: Jobs = 1,
    parameter: Parameter = None,
    as_json: AsJson = False,
) -> None:
    """Search random Hex boards (6 × 6) and write the best ones found, labelled by the solver.

    Run the same command again to continue after an interruption.

    Example: clauseboard data search tsetlin:red=red.tm,blue=blue.tm --out searched
    """
    from clauseboard.datasets.searching import SearchPlan, search_boards
    from clauseboard.game import load_game
    from clauseboard.games.hex import Hex

    if out is None:
        raise ValueError("Give the output folder: --out FOLDER.")
    rules = load_game("hex", **({"size": 6} | read_parameters(parameter or [])))
    assert isinstance(rules, Hex)
    plan = SearchPlan(rules, player, boards, fewest, most, depth, top, seed)
    with ProgressBar("searching") as bar:
        files = search_boards(plan, out, iterations, jobs, bar.tell)
    page = {"files": len(files), "folder": str(out), "boards": iterations * boards}
    if as_json:
        print(json.dumps(page))
        return
    print(
        f"{len(files)} files in {out}, made from {iterations * boards:,} random boards. "
        f"Build a data set from them: clauseboard data build hex searched {out} --out FILE.npz"
    )
