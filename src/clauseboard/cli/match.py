"""`clauseboard match`: two players against each other, many times."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clauseboard.cli.options import (
    AsJson,
    Depth,
    GameName,
    Jobs,
    Nodes,
    Parameter,
    Seconds,
    Seed,
    Simulations,
    check_writable,
    read_parameters,
)
from clauseboard.cli.progress import ProgressBar
from clauseboard.game import load_game

if TYPE_CHECKING:
    from clauseboard.arena.game_record import GameRecord
    from clauseboard.arena.match import Match, Result

# What the commands `match` and `tournament` share.
Openings = Annotated[
    str,
    typer.Option(
        help="Each is played with both colours: all of the game's, none, a number of them drawn "
        "by the seed, or a file with one a line."
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(help="An SQLite file to keep the games in; the same command goes on from there."),
]
GamesTo = Annotated[
    Path | None, typer.Option(help="A file for the games as other programs read them: PDN or SGF.")
]
Report = Annotated[Path | None, typer.Option(help="A Markdown file for the result.")]


def match(
    game: GameName,
    first: Annotated[
        str,
        typer.Argument(
            help="A player: name, or name:option=value,...; `clauseboard players` lists them."
        ),
    ],
    second: Annotated[str, typer.Argument(help="Another player, or the same.")],
    games: Annotated[int, typer.Option(min=1, help="Games to play, in all.")] = 100,
    openings: Openings = "none",
    seconds: Seconds = None,
    depth: Depth = None,
    nodes: Nodes = None,
    simulations: Simulations = None,
    seed: Seed = 1,
    jobs: Jobs = 1,
    parameter: Parameter = None,
    save: Save = None,
    games_to: GamesTo = None,
    report: Report = None,
    as_json: AsJson = False,
) -> None:
    """Let two players play many games, each as often with either colour.

    Example: clauseboard match checkers random random --games 1000
    """
    from clauseboard.arena.reporting import as_markdown, match_page, match_table, match_text

    check_writable(report, "the report")
    check_writable(games_to, "the games")
    started = time.perf_counter()
    plan = make_plan(
        game, (first, second), games, openings, (seconds, depth, nodes, simulations), seed,
        parameter,
    )  # fmt: skip
    (result,) = play_plans([plan], jobs, save, games_to, as_json)
    page = match_page(result, time.perf_counter() - started)
    text = match_text(page)
    print(json.dumps(page) if as_json else text)
    if report is not None:
        table = "\n".join(as_markdown(match_table(page, list(page["colours"]))))
        report.write_text(f"# {first} against {second}\n\n{table}\n```\n{text}\n```\n", "utf-8")


def make_plan(
    game: str,
    players: tuple[str, str],
    games: int,
    openings: str,
    limits: tuple[float | None, int | None, int | None, int | None],
    seed: int,
    parameter: Sequence[str] | None,
) -> Match:
    """The match that the options of a command describe."""
    from clauseboard.arena.match import Match
    from clauseboard.arena.openings import read_openings
    from clauseboard.evaluation import Limit

    rules = load_game(game, **read_parameters(list(parameter or [])))
    return Match(
        game=rules,
        players=players,
        n_games=games,
        seed=seed,
        limit=Limit(*limits),
        openings=read_openings(rules, openings, seed),
    )


def play_plans(
    plans: Sequence[Match],
    jobs: int,
    save: Path | None,
    games_to: Path | None,
    as_json: bool = False,
) -> list[Result]:
    """Play matches with a progress bar; who presses Ctrl-C is told how to go on."""
    from clauseboard.arena.running import run_matches
    from clauseboard.arena.store import Store

    with contextlib.ExitStack() as open_things:
        store = None if save is None else open_things.enter_context(Store(save))
        score = _Score(plans)
        open_things.enter_context(score.bar)
        if as_json:  # what a person is shown must not come before the JSON
            open_things.enter_context(contextlib.redirect_stdout(sys.stderr))
        try:
            return run_matches(plans, jobs, store, games_to, told=score.tell)
        except KeyboardInterrupt:
            score.bar.stop()
            print(f"\n{_how_to_go_on(score.ended, save)}", file=sys.stderr)
            raise


def _how_to_go_on(ended: int, save: Path | None) -> str:
    if save is None:
        return f"{ended:,} games were played, and none kept: --save FILE.sqlite would keep them."
    return f"{ended:,} games of this run are kept in {save}; the same command goes on from there."


class _Score:
    """Counts the games that ended; a bar on a terminal shows the score so far."""

    def __init__(self, plans: Sequence[Match]) -> None:
        self.plans = plans
        self.ended, self.points = 0, 0.0
        self.bar = ProgressBar("playing", sum(plan.n_games for plan in plans), counted=True)

    def tell(self, place: int, game: GameRecord) -> None:
        """A game has ended."""
        self.ended += 1
        points = game.points(self.plans[place].game.colours)
        self.points += 1 - points if game.swapped else points
        alone = len(self.plans) == 1
        text = f"{self.points:g}-{self.ended - self.points:g}" if alone else "playing"
        self.bar.tell(self.ended, text=text)
