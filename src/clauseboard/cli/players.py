"""`clauseboard players`, `export` and `engine`: players listed, and for other programs."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from clauseboard.arena.reporting import strength_text
from clauseboard.cli.common import AsJson, GameName, Parameter, read_parameters
from clauseboard.engines.server import GtpSession
from clauseboard.evaluation import Limit
from clauseboard.explaining.writers import brief_text, headline_and_heat
from clauseboard.game import Game, load_game
from clauseboard.games.solving import start_tables
from clauseboard.players import describe_players, read_player
from clauseboard.players.shipped import TITLE, cards
from clauseboard.search import search_names


def players(
    game: Annotated[str | None, typer.Argument(help="List only the players of this game.")] = None,
    parameter: Parameter = None,
    as_json: AsJson = False,
) -> None:
    """List the players and their options.

    Example: clauseboard players hex --set size=6
    """
    if game is None and parameter:
        raise ValueError("--set is for a game's parameters; name the game, too.")
    rules = None if game is None else load_game(game, **read_parameters(parameter or []))
    kinds = describe_players(rules)
    if as_json:
        print(json.dumps([dataclasses.asdict(kind) for kind in kinds]))
        return
    width = max(len(kind.name) for kind in kinds)
    for kind in kinds:
        if kind.refuses:
            continue
        print(f"{kind.name:<{width}}  {kind.text}")
        options = [*kind.options, *(["search ..."] if kind.searches else [])]
        if options:
            print(f"{'':<{width}}    options: {', '.join(options)}")
    print(
        f"\nA `search` ({', '.join(search_names())}) also takes its own parameters, and the "
        "limits seconds, depth, nodes and simulations.\n"
        "Write a player as name:key=value,key=value, such as tsetlin:machine=black.tm,search=mcts."
    )
    _show_shipped(rules)
    for kind in kinds:
        if kind.refuses:
            print(f"Not here: {kind.name}. {kind.refuses}")


def _show_shipped(game: Game | None) -> None:
    """The shipped players, with their strength."""
    here = [card for card in cards() if game is None or card.fits(game)]
    if here:
        print(f"\nShipped players (`shipped`; on the page: {TITLE}):")
        for card in here:
            print(f"  {card.board}: {card.n_clauses:,} clauses")
            for line in (*map(strength_text, card.measured), *card.also):
                print(f"    {line}")


def export(
    game: GameName,
    web: Annotated[Path, typer.Option(help="The folder for the files; it may be there already.")],
    player: Annotated[str, typer.Option(help="The player, as in `clauseboard match`.")] = "shipped",
    parameter: Parameter = None,
) -> None:
    """Write a player that plays and explains itself in a browser, without Python or a server.

    Open index.html of the folder, or put the folder on any web page.

    Example: clauseboard export hex --set size=6 --set swap=true --web hex-player
    """
    from clauseboard.web.static_export import export_player

    rules = load_game(game, **read_parameters(parameter or []))
    files = export_player(rules, read_player(player, rules), web)
    size = sum(path.stat().st_size for path in files)
    print(f"{len(files)} files, {size / 1000:.0f} kB. Open {web / 'index.html'} in a browser.")


LONGEST_LINE = 1 << 16
"""Bytes of a line of standard input that are read."""


def engine(
    game: GameName,
    player: Annotated[str, typer.Option(help="The player, as in `clauseboard match`.")] = "random",
    parameter: Parameter = None,
    seconds: Annotated[
        float | None, typer.Option(help="Seconds per move, unless the other program sets a time.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
) -> None:
    """Answer the Go Text Protocol on standard input and output, until `quit`.

    A front end such as GoGui, Sabaki or HexGui starts this command as its engine.

    Example: clauseboard engine go --player random --set size=9
    """
    rules = load_game(game, **read_parameters(parameter or []))
    limit = Limit(seconds=seconds)
    out = sys.stdout
    # Whatever else is printed must not come between the replies.
    with contextlib.redirect_stdout(sys.stderr):

        def make_player(rules: Any) -> Any:
            made = read_player(player, rules)
            if made.uses_tables:
                start_tables(rules)
            return made

        session = GtpSession(rules, make_player, limit, seed, brief_text, headline_and_heat)
        try:
            session.serve(_lines(), out)
        except BrokenPipeError:
            # The front end is gone; nor can what is left be written when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())


def _lines() -> Iterator[str]:
    """The lines of standard input, up to a length; bytes that are no text are replaced.

    They are read by a thread that may still wait for one when the program ends. So it reads without
    Python's buffer, whose lock would be waited for in vain then.
    """
    stream = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    begun, passing_over = b"", False
    while part := stream.read(LONGEST_LINE):
        *whole, begun = (begun + part).split(b"\n")
        for line in whole:
            if not passing_over:
                yield line[:LONGEST_LINE].decode("utf-8", "replace")
            passing_over = False
        if passing_over:
            begun = b""
        elif len(begun) >= LONGEST_LINE:
            yield begun[:LONGEST_LINE].decode("utf-8", "replace")
            begun, passing_over = b"", True  # the rest of it
    if begun:
        yield begun.decode("utf-8", "replace")
