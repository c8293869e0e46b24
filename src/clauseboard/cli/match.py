"""`clauseboard match` and `clauseboard tournament`: games between two players, or a round robin."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from clauseboard.arena.match import (
    Match,
    MatchResult,
    read_openings,
    round_robin,
    run_matches,
    standings,
)
from clauseboard.arena.playing import GameRecord, MatchStore
from clauseboard.arena.reporting import (
    ReportTable,
    match_page,
    match_table,
    match_text,
    tournament_notes,
    tournament_page,
    tournament_tables,
    tournament_title,
)
from clauseboard.cli.common import (
    AsJson,
    Cluster,
    Depth,
    GameName,
    Jobs,
    Nodes,
    Parameter,
    ProgressBar,
    Seconds,
    Seed,
    Simulations,
    check_writable,
    player_with_tables,
    read_parameters,
)
from clauseboard.evaluation import Limit
from clauseboard.files import write_text
from clauseboard.game import load_game

# What the commands `match` and `tournament` share.
Openings = Annotated[
    str,
    typer.Option(
        help="Openings, each played with both colours: all of the game's, none, a number of them "
        "at random, or a file with one per line."
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(help="SQLite file for the games; the same command resumes from it."),
]
GamesTo = Annotated[Path | None, typer.Option(help="PDN or SGF file for the games.")]
ProcessorTime = Annotated[
    bool,
    typer.Option(
        "--processor-time",
        help="Count --seconds by the processor's time, so that other work on the machine does not "
        "matter; other programs still go by the clock.",
    ),
]
Report = Annotated[Path | None, typer.Option(help="Markdown file for the result.")]


def match(
    game: GameName,
    first: Annotated[
        str,
        typer.Argument(
            help="A player: name, or name:option=value,...; `clauseboard players` lists them."
        ),
    ],
    second: Annotated[str, typer.Argument(help="The opponent.")],
    games: Annotated[int, typer.Option(min=1, help="Number of games in all.")] = 100,
    openings: Openings = "none",
    seconds: Seconds = None,
    processor_time: ProcessorTime = False,
    depth: Depth = None,
    nodes: Nodes = None,
    simulations: Simulations = None,
    seed: Seed = 1,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    parameter: Parameter = None,
    save: Save = None,
    games_to: GamesTo = None,
    report: Report = None,
    as_json: AsJson = False,
) -> None:
    """Play a match between two players, who swap colours after each game.

    Example: clauseboard match checkers random random --games 1000
    """
    check_writable(report, "the report")
    check_writable(games_to, "the games")
    started = time.perf_counter()
    planned = match_of(
        game, (first, second), games, openings, (seconds, depth, nodes, simulations), seed,
        parameter, processor_time,
    )  # fmt: skip
    (result,) = play_matches([planned], jobs, save, games_to, as_json, cluster)
    taken = time.perf_counter() - started
    text = match_text(result, taken)
    print(json.dumps(match_page(result, taken)) if as_json else text)
    if report is not None:
        table = "\n".join(match_table(result).as_markdown())
        write_text(report, f"# {first} against {second}\n\n{table}\n```\n{text}\n```\n")


def match_of(
    game: str,
    players: tuple[str, str],
    games: int,
    openings: str,
    limits: tuple[float | None, int | None, int | None, int | None],
    seed: int,
    parameter: Sequence[str] | None,
    processor_time: bool = False,
) -> Match:
    """The match that the options of a command describe."""
    rules = load_game(game, **read_parameters(list(parameter or [])))
    return Match(
        game=rules,
        players=players,
        n_games=games,
        seed=seed,
        limit=Limit(*limits),
        openings=read_openings(rules, openings, seed),
        processor_time=processor_time,
    )


def play_matches(
    matches: Sequence[Match],
    jobs: int,
    save: Path | None,
    games_to: Path | None,
    as_json: bool = False,
    cluster: str | None = None,
) -> list[MatchResult]:
    """Play matches with a progress bar; Ctrl-C prints how to resume."""
    with contextlib.ExitStack() as open_files:
        store = None if save is None else open_files.enter_context(MatchStore(save))
        score = _Score(matches)
        open_files.enter_context(score.bar)
        if as_json:  # what a person is shown must not come before the JSON
            open_files.enter_context(contextlib.redirect_stdout(sys.stderr))
        try:
            return run_matches(
                matches,
                jobs,
                store,
                games_to,
                make=player_with_tables,
                on_game=score.add,
                cluster=cluster,
            )
        except KeyboardInterrupt:
            score.bar.stop()
            print(f"\n{_how_to_go_on(score.ended, save)}", file=sys.stderr)
            raise


def _how_to_go_on(ended: int, save: Path | None) -> str:
    if save is None:
        return f"{ended:,} games were played and not kept; --save FILE.sqlite keeps them."
    return f"{ended:,} games of this run are kept in {save}; the same command resumes from there."


class _Score:
    """Counts the games that ended; a bar on a terminal shows the score so far."""

    def __init__(self, matches: Sequence[Match]) -> None:
        self.matches = matches
        self.ended, self.points = 0, 0.0
        self.bar = ProgressBar("playing", sum(match.n_games for match in matches), counted=True)

    def add(self, index: int, game: GameRecord) -> None:
        """A game has ended."""
        self.ended += 1
        points = game.points(self.matches[index].game.colours)
        self.points += 1 - points if game.swapped else points
        alone = len(self.matches) == 1
        text = f"{self.points:g}-{self.ended - self.points:g}" if alone else "playing"
        self.bar.tell(self.ended, text=text)


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
    processor_time: ProcessorTime = False,
    depth: Depth = None,
    nodes: Nodes = None,
    simulations: Simulations = None,
    seed: Seed = 1,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    parameter: Parameter = None,
    save: Save = None,
    games_to: GamesTo = None,
    report: Report = None,
    as_json: AsJson = False,
) -> None:
    """Play a round robin, and rate the players.

    Example: clauseboard tournament hex random rollouts solver --set size=4 --openings all
    """
    check_writable(report, "the report")
    check_writable(games_to, "the games")
    started = time.perf_counter()
    pairing = match_of(
        game, ("", ""), games, openings, (seconds, depth, nodes, simulations), seed, parameter,
        processor_time,
    )  # fmt: skip
    results = play_matches(
        round_robin(pairing, players, itself), jobs, save, games_to, as_json, cluster
    )
    ranked = standings(players, results)
    seconds = time.perf_counter() - started
    title, notes = tournament_title(ranked), tournament_notes(ranked)
    if as_json:
        print(json.dumps(tournament_page(ranked, seconds)))
    else:
        print(f"{title} in {seconds:.2f} seconds")
        _show(tournament_tables(ranked), notes)
    if report is not None:
        tables = [line for table in tournament_tables(ranked) for line in table.as_markdown()]
        write_text(report, "\n".join([f"# {title}", "", *tables, "```", *notes, "```", ""]))


def _show(tables: Sequence[ReportTable], notes: Sequence[str]) -> None:
    """The tables on the terminal."""
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
