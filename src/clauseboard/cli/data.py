"""`clauseboard data`: build data sets from game records, show them, fetch archives."""

from __future__ import annotations

import dataclasses
import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from clauseboard.arena.match import Match, read_openings
from clauseboard.cli.common import (
    AsJson,
    Depth,
    GameName,
    Jobs,
    Nodes,
    Parameter,
    ProgressBar,
    Seconds,
    Seed,
    Simulations,
    read_parameters,
)
from clauseboard.cli.match import play_matches
from clauseboard.datasets import build, importing
from clauseboard.datasets.dataset import (
    DataSet,
    boards_text,
    dataset_page,
    dataset_text,
    load_dataset,
)
from clauseboard.datasets.generating import (
    SearchPlan,
    random_openings,
    search_boards,
    usual_player,
    write_records,
)
from clauseboard.evaluation import Limit
from clauseboard.files import write_text
from clauseboard.game import Game, load_game
from clauseboard.games.datasets import Composition, compositions, load_composition
from clauseboard.games.hex import Hex
from clauseboard.games.plugins import DATASETS, RECORDS
from clauseboard.games.records import Report
from clauseboard.players import write_spec

GAMES_HELP = f"One of {', '.join(DATASETS.games())}."

app = typer.Typer(
    add_completion=False,
    help="Data sets: positions as bits, results and folds.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


RANDOM = "random"


@app.command()
def generate(
    game: GameName,
    first: Annotated[
        str | None, typer.Argument(help="A player: name, or name:option=value,...")
    ] = None,
    second: Annotated[
        str | None, typer.Argument(help="The opponent; default: the same player.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Output folder for games.sqlite, the records and the data set."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Number of games in all.")] = 1000,
    engine: Annotated[
        str | None,
        typer.Option(help="The command line of a GTP engine that plays instead."),
    ] = None,
    openings: Annotated[
        str,
        typer.Option(
            help="'random', or as `clauseboard match` has them: all, none, a number, a file."
        ),
    ] = RANDOM,
    opening_moves: Annotated[
        int, typer.Option(min=0, help="Number of moves in a random opening.")
    ] = 4,
    composition: Annotated[
        str | None,
        typer.Option(help="Composition of the data set; default: the first that reads records."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", help="An option of the composition, as name=value; repeatable."),
    ] = None,
    folds: Annotated[int, typer.Option(help="Number of folds; a game is never split.")] = 10,
    seconds: Seconds = None,
    depth: Depth = None,
    nodes: Nodes = None,
    simulations: Simulations = None,
    seed: Seed = 1,
    jobs: Jobs = 1,
    parameter: Parameter = None,
    as_json: AsJson = False,
) -> None:
    """Play games from varied openings and build a data set from them.

    Run the same command again to continue after an interruption; raise --games to add more.

    Example: clauseboard data generate go --engine "gnugo --mode gtp" --games 500 --out games
    """
    rules = load_game(game, **read_parameters(parameter or []))
    if out is None:
        raise ValueError("Give the output folder: --out FOLDER.")
    made_of, words = _composition(rules, composition, option)
    if engine is not None:
        if second is not None:
            raise ValueError("With --engine, give at most one other player.")
        program = write_spec("engine", {"command": engine})
        players = (program, first or program)
    else:
        chosen = first or usual_player(rules)
        players = (chosen, second or chosen)
    plan = Match(
        game=rules,
        players=players,
        n_games=games,
        seed=seed,
        limit=Limit(seconds, depth, nodes, simulations),
        openings=(
            tuple(random_openings(rules, opening_moves, seed))
            if openings == RANDOM
            else read_openings(rules, openings, seed)
        ),
    )
    out.mkdir(parents=True, exist_ok=True)
    page = _play(plan, made_of, words, out, jobs, folds, as_json)
    print(json.dumps(page) if as_json else _text(page))


def _composition(
    rules: Game, name: str | None, options: list[str] | None
) -> tuple[Composition, list[str]]:
    """The composition that is asked for, of boards of these rules, and the words that name it."""
    if name is None:
        kinds = compositions(rules.name).values()
        name = next(kind.name for kind in kinds if kind.from_files)
    given = read_parameters(options or [])
    usual = load_composition(rules.name, name).options()
    if "size" in usual and hasattr(rules, "size"):
        given = {"size": rules.size} | given
    made_of = load_composition(rules.name, name, **given)
    if not made_of.from_files:
        raise ValueError(f"{name} generates its own games; use `clauseboard data build`.")
    settings = [f"--set={key}={value}" for key, value in given.items()]
    return made_of, [rules.name, name, *settings]


def _play(
    plan: Match,
    made_of: Composition,
    words: list[str],
    out: Path,
    jobs: int,
    folds: int,
    as_json: bool,
) -> dict[str, Any]:
    """Play what is not yet played, write the records, build the data set; what came of it."""
    (result,) = play_matches([plan], jobs, out / "games.sqlite", None, as_json)
    records = write_records(result, out / f"games{RECORDS.of(plan.game).SUFFIXES[0]}")
    name = f"{made_of.name}.npz"
    words = [*words, records.path.name, *([f"--folds={folds}"] if folds != 10 else [])]
    report = Report()
    with ProgressBar("reading games") as bar:
        data = build(
            made_of, [records.path], n_folds=folds, jobs=jobs,
            report=report, progress=bar.tell,
            command=shlex.join(["clauseboard", "data", "build", *words, "--out", name]),
        )  # fmt: skip
    data.save(out / name)
    return {
        "game": repr(plan.game),
        "players": list(plan.players),
        "openings": len(plan.openings),
        "games": len(result.games),
        "left_out": dict(records.left_out),
        "repeats": records.repeats,
        "records": str(records.path),
        "dropped": dict(report.reasons),
        "data_set": str(out / name),
        "boards": len(data),
        "classes": data.manifest["boards"]["classes"],
    }


def _text(page: dict[str, Any]) -> str:
    def counted(counts: dict[str, int]) -> str:
        return ", ".join(f"{count:,} {what}" for what, count in counts.items())

    lines = [
        f"{page['games']:,} games of {' against '.join(page['players'])}, from "
        f"{page['openings']:,} openings."
    ]
    if page["left_out"]:
        lines.append(f"Left out: {counted(page['left_out'])}.")
    if page["repeats"]:
        lines.append(
            f"{page['repeats']:,} of them repeat an earlier game move by move; raise "
            "--opening-moves to make them differ."
        )
    lines.append(f"Records: {page['records']}.")
    if page["dropped"]:
        lines.append(f"Dropped of these: {counted(page['dropped'])}.")
    lines.append(
        f"Data set: {page['data_set']}, {page['boards']:,} boards ({counted(page['classes'])})."
    )
    return "\n".join(lines)


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
    _check_output(out)
    # Folders are left out: the data set is the same wherever it is made.
    words = [source.name, composition, *(["--unique"] if unique else []), "--out", out.name]
    command = shlex.join(["clauseboard", "data", "import", *words])
    _save(importing.import_folds(source, composition, unique=unique, command=command), out, as_json)


def _check_output(out: Path, *more: Path | None) -> None:
    if out.suffix != ".npz":
        raise ValueError(f"{out} is not a data set name; use a name that ends in .npz.")
    for path in (out, *more):
        if path is not None and not path.parent.is_dir():
            raise ValueError(f"Cannot write {path}: there is no folder {path.parent}.")


def _save(data: DataSet, out: Path, as_json: bool) -> None:
    """Write a data set and print what it holds."""
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
    with ProgressBar("downloading") as bar:
        fetched = importing.fetch(archive, out, address=address, sha256=sha256, progress=bar.tell)
    if as_json:
        print(json.dumps(asdict(fetched) | {"path": str(fetched.path)}))
        return
    title = importing.published(archive).title
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
