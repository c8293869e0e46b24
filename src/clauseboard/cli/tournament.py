"""`clauseboard tournament`: every player against every other one, and their ratings."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import typer

from clauseboard.cli.match import GamesTo, Openings, Report, Save, make_plan, play_plans
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
)


def tournament(
    game: GameName,
    players: Annotated[
        list[str],
        typer.Argument(
            help="Two players or more: name, or name:option=value,...; `clauseboard players` "
            "lists them."
        ),
    ],
    games: Annotated[int, typer.Option(min=1, help="Games for every two players.")] = 20,
    itself: Annotated[
        bool, typer.Option("--itself", help="Every player plays against itself, too.")
    ] = False,
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
    """Let every player play every other one, and rate them all.

    Example: clauseboard tournament hex random rollouts solver --set size=4 --openings all
    """
    from clauseboard.arena.reporting import (
        as_markdown,
        game_text,
        tournament_notes,
        tournament_page,
        tournament_tables,
    )
    from clauseboard.arena.tournament import round_robin, standings

    check_writable(report, "the report")
    check_writable(games_to, "the games")
    started = time.perf_counter()
    plan = make_plan(
        game, ("", ""), games, openings, (seconds, depth, nodes, simulations), seed, parameter
    )
    results = play_plans(round_robin(plan, players, itself), jobs, save, games_to, as_json)
    page = tournament_page(standings(players, results), time.perf_counter() - started)
    if as_json:
        print(json.dumps(page))
    else:
        head = f"{page['games']:,} games of {game_text(page['game'])}"
        print(f"{head} in {page['seconds']:.2f} seconds")
        _show(tournament_tables(page), tournament_notes(page))
    if report is not None:
        lines = [f"# {page['games']:,} games of {game_text(page['game'])}", ""]
        for table in tournament_tables(page):
            lines += as_markdown(table)
        report.write_text("\n".join([*lines, "```", *tournament_notes(page), "```", ""]), "utf-8")


def _show(tables: list[Any], notes: list[str]) -> None:
    """The tables on the terminal."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False)
    for table in tables:
        shown = Table(title=table.title, title_justify="left", title_style="bold")
        for column, head in enumerate(table.heads):
            # Names that are too long go on in the next line: cut off, two could look alike.
            justify: Any = "right" if column else "left"
            shown.add_column(head, justify=justify, overflow="fold")
        for row in table.rows:
            shown.add_row(*row)
        console.print()
        console.print(shown)
    console.print()
    for line in notes:
        console.print(line, soft_wrap=True)
