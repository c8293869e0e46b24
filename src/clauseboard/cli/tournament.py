"""`clauseboard tournament`: a round robin, and the players' ratings."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from clauseboard.cli.match import GamesTo, Openings, Report, Save, match_of, play_matches
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

if TYPE_CHECKING:
    from clauseboard.arena.reporting import ReportTable


def tournament(
    game: GameName,
    players: Annotated[
        list[str],
        typer.Argument(
            help="Two players or more: name, or name:option=value,...; `clauseboard players` "
            "lists them."
        ),
    ],
    games: Annotated[int, typer.Option(min=1, help="Games for each pair of players.")] = 20,
    itself: Annotated[
        bool, typer.Option("--itself", help="Every player also plays against itself.")
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
    """Play a round robin, and rate the players.

    Example: clauseboard tournament hex random rollouts solver --set size=4 --openings all
    """
    from clauseboard.arena.reporting import (
        tournament_notes,
        tournament_page,
        tournament_tables,
        tournament_title,
    )
    from clauseboard.arena.tournament import round_robin, standings

    check_writable(report, "the report")
    check_writable(games_to, "the games")
    started = time.perf_counter()
    pairing = match_of(
        game, ("", ""), games, openings, (seconds, depth, nodes, simulations), seed, parameter
    )
    results = play_matches(round_robin(pairing, players, itself), jobs, save, games_to, as_json)
    found = standings(players, results)
    seconds = time.perf_counter() - started
    title, notes = tournament_title(found), tournament_notes(found)
    if as_json:
        print(json.dumps(tournament_page(found, seconds)))
    else:
        print(f"{title} in {seconds:.2f} seconds")
        _show(tournament_tables(found), notes)
    if report is not None:
        tables = [line for table in tournament_tables(found) for line in table.as_markdown()]
        report.write_text("\n".join([f"# {title}", "", *tables, "```", *notes, "```", ""]), "utf-8")


def _show(tables: Sequence[ReportTable], notes: Sequence[str]) -> None:
    """The tables on the terminal."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False)
    for table in tables:
        shown = Table(title=table.title, title_justify="left", title_style="bold")
        for column, head in enumerate(table.heads):
            # Names that are too long go on in the next line: cut off, two could look alike.
            shown.add_column(head, justify="right" if column else "left", overflow="fold")
        for row in table.rows:
            shown.add_row(*row)
        console.print()
        console.print(shown)
    console.print()
    for line in notes:
        console.print(line, soft_wrap=True)
