"""`clauseboard data generate`: play games and build a data set from them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

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
from clauseboard.game import Game, load_game

if TYPE_CHECKING:
    from clauseboard.arena.match import Match
    from clauseboard.games.datasets import Composition

RANDOM = "random"


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
    from clauseboard.arena.match import Match, read_openings
    from clauseboard.datasets.generating import random_openings, usual_player
    from clauseboard.evaluation import Limit
    from clauseboard.players.spec import write_spec

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
    from clauseboard.games.datasets import compositions, load_composition

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
    from clauseboard.datasets.building import build
    from clauseboard.datasets.generating import write_records
    from clauseboard.games.plugins import RECORDS
    from clauseboard.games.records import Report

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
