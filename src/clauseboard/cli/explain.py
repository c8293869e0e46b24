"""`clauseboard explain`: why a player likes a move, a whole game judged, and what clauses did."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clauseboard.cli.options import (
    AsJson,
    Depth,
    Nodes,
    Parameter,
    Seconds,
    Simulations,
    read_parameters,
)
from clauseboard.evaluation import Limit
from clauseboard.game import game_names, load_game

if TYPE_CHECKING:
    from clauseboard.explaining.account import Account
    from clauseboard.explaining.comparing import Comparison
    from clauseboard.game import Game
    from clauseboard.player import Player

FORMATS = ("text", "svg", "html", "markdown", "json")
ENDINGS = {".svg": "svg", ".html": "html", ".htm": "html", ".md": "markdown", ".json": "json"}


def explain(
    game: Annotated[
        str | None, typer.Argument(help=f"One of {', '.join(game_names())}; --game knows it.")
    ] = None,
    player: Annotated[
        str, typer.Option(help="Whom to ask: name, or name:option=value,...")
    ] = "material",
    position: Annotated[
        str | None, typer.Option(help="As the game writes positions; the start without it.")
    ] = None,
    why_not: Annotated[
        list[str] | None, typer.Option(help="A move to compare with the one chosen; repeatable.")
    ] = None,
    board: Annotated[
        bool, typer.Option("--board", help="Explain the board as it is, without a search.")
    ] = False,
    record: Annotated[
        Path | None, typer.Option("--game", help="Judge a whole game instead: a PDN or SGF file.")
    ] = None,
    number: Annotated[int, typer.Option(min=1, help="Which game of that file.")] = 1,
    data: Annotated[
        Path | None,
        typer.Option(help="Tell instead what each clause did on the boards of a data set."),
    ] = None,
    most: Annotated[int, typer.Option(min=0, help="Reasons to list; the rest is summed up.")] = 8,
    seconds: Seconds = None,
    depth: Depth = None,
    nodes: Nodes = None,
    simulations: Simulations = None,
    parameter: Parameter = None,
    form: Annotated[
        str | None, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="A file to write to; its ending says the format.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say why a player likes a move, reason by reason.

    Example: clauseboard explain checkers --player material:depth=5 --why-not 12-16
    """
    chosen = _format("json" if as_json else form, out)
    limit = Limit(seconds, depth, nodes, simulations)
    asked = [("--position", position), ("--why-not", why_not), ("--board", board)]
    if record is not None and data is not None:
        raise ValueError("--game and --data ask for two different things; name one of them.")
    if record is not None or data is not None:
        for option, value in asked:
            if value:
                raise ValueError(f"{option} asks about one position; leave it out here.")
    if record is not None:
        if parameter:
            raise ValueError("--set is not for --game: the rules stand in the file.")
        text = _whole_game(record, number, game, player, limit, most, chosen)
    elif game is None:
        raise ValueError(f"Name a game, one of {', '.join(game_names())}, or a file by --game.")
    elif data is not None:
        rules = load_game(game, **read_parameters(parameter or []))
        text = _clauses(rules, player, data, most, chosen)
    else:
        rules = load_game(game, **read_parameters(parameter or []))
        begin = rules.start() if position is None else rules.read_position(position)
        text = _one_position(rules, player, begin, why_not or [], board, limit, most, chosen)
    if out is None:
        print(text)
    else:
        out.write_text(text if text.endswith("\n") else f"{text}\n", "utf-8")


def _format(form: str | None, out: Path | None) -> str:
    """The format asked for, or else that of the file's ending, or text."""
    if form is None:
        return ENDINGS.get(out.suffix.lower(), "text") if out is not None else "text"
    if form not in FORMATS:
        raise ValueError(f"--format {form!r} is none of {', '.join(FORMATS)}.")
    return form


def _one_position(
    rules: Game, player: str, position: Any, others: list[str], board: bool, limit: Limit,
    most: int, form: str,
) -> str:  # fmt: skip
    """Why a move, and why not others."""
    from clauseboard.explaining.asking import explain_board, explain_choice, explain_move
    from clauseboard.explaining.comparing import compare
    from clauseboard.players import read_player
    from clauseboard.players.searcher import check_going_on

    moves = [position.read_move(text) for text in others]
    asked = read_player(player, rules)
    try:
        if board:
            if moves:
                raise ValueError("--board explains no move, so that --why-not has no place.")
            return _written(explain_board(asked, position), [], most, form)
        check_going_on(position)
        _begin(asked, rules)
        choice = asked.choose(position, limit)
        account = explain_choice(asked, position, choice)
        for text, move in zip(others, moves, strict=True):
            if move == choice.move:
                raise ValueError(f"{text} is the move that {asked} chooses; name another one.")
        comparisons = [
            compare(account, explain_move(asked, position, move, choice, limit)) for move in moves
        ]
        return _written(account, comparisons, most, form)
    finally:
        asked.close()


def _written(account: Account, others: list[Comparison], most: int, form: str) -> str:
    """An account and comparisons in a format."""
    from clauseboard.explaining import writing_html, writing_json, writing_markdown, writing_text

    if form == "svg":
        return account.draw()
    if form == "html":
        return writing_html.account_page(account, most, others)
    if form == "json":
        page = writing_json.account_page(account)
        page["why_not"] = [writing_json.comparison_page(one) for one in others]
        return json.dumps(page)
    if form == "markdown":
        parts = [writing_markdown.account_markdown(account, most)]
        parts += [writing_markdown.comparison_markdown(one, most) for one in others]
        return "\n".join(parts)
    parts = [writing_text.account_text(account, most, colour=sys.stdout.isatty())]
    parts += [writing_text.comparison_text(one, most) for one in others]
    return "\n\n".join(parts)


def _whole_game(
    path: Path, number: int, game: str | None, player: str, limit: Limit, most: int, form: str
) -> str:
    """A game of a file, judged move by move."""
    from rich.console import Console
    from rich.progress import Progress

    from clauseboard.explaining.game_report import report_game
    from clauseboard.explaining.writing_game import curve, game_page, report_page
    from clauseboard.games.recorded import read_recorded
    from clauseboard.players import read_player

    recorded = read_recorded(path, number, game)
    asked = read_player(player, recorded.game)
    quiet = not sys.stderr.isatty()
    try:
        with Progress(console=Console(stderr=True), disable=quiet, transient=True) as bar:
            task = bar.add_task("judging", total=1.0)
            report = report_game(
                recorded, asked, limit, told=lambda share: bar.update(task, completed=share)
            )
    finally:
        asked.close()
    if form == "html":
        return game_page(report, most)
    if form == "svg":
        return curve(report)
    if form == "json":
        return json.dumps(report_page(report))
    # As Markdown, each line is a paragraph of its own.
    return report.summary().replace("\n", "\n\n" if form == "markdown" else "\n")


def _clauses(rules: Game, player: str, data: Path, most: int, form: str) -> str:
    """What each clause of a player did on a data set."""
    from clauseboard.datasets import load_dataset
    from clauseboard.explaining import gallery
    from clauseboard.explaining.statistics import count_clauses
    from clauseboard.players import SearchPlayer, read_player

    if form == "svg":
        raise ValueError("What clauses did is no one picture: choose html, text, markdown or json.")
    boards = load_dataset(data)
    asked = read_player(player, rules)
    if not isinstance(asked, SearchPlayer):
        raise ValueError(f"The player {asked} has no clauses to count; name a Tsetlin Machine.")
    judge: Any = asked.evaluators[rules.colours[0]]
    if boards.game.bits() != rules.bits() or boards.bits != rules.bits():
        raise ValueError(
            f"{data} has boards of {boards.game!r}, or other bits than the game's own."
        )
    if boards.view != getattr(judge, "view", "board"):
        raise ValueError(
            f"{data} shows boards as {boards.view!r}, but the machine sees them as "
            f"{getattr(judge, 'view', 'board')!r}."
        )
    counts = count_clauses(judge, boards.packed, boards.to_move, boards.labels)
    if form == "html":
        return gallery.gallery_page(rules, counts, f"What the clauses of {asked} say", most)
    if form == "json":
        return json.dumps(gallery.counts_page(counts))
    if form == "markdown":
        return gallery.gallery_markdown(rules, counts, most)
    return gallery.gallery_text(rules, counts, most)


def _begin(player: Player, rules: Game) -> None:
    for colour in rules.colours:
        player.begin(rules, colour, 0)
