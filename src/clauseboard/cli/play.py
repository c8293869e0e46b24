"""`clauseboard play`: a person against a player, on a page or at the terminal."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import typer

from clauseboard.cli.common import (
    GAMES,
    Depth,
    Nodes,
    Parameter,
    Seconds,
    Simulations,
    read_parameters,
)
from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.kernels.compiler import on_compile
from clauseboard.play import read_game, usual_player
from clauseboard.player import Player
from clauseboard.terminal.game import TerminalGame
from clauseboard.terminal.loop import Loop
from clauseboard.terminal.screen import (
    BoardInput,
    Screen,
    choose_colour,
    choose_game,
    choose_opponent,
    edit_lines,
    read_colour,
    read_opponent,
)


def play(
    game: Annotated[
        str | None,
        typer.Argument(help=f"One of {GAMES}; the program asks if it is omitted."),
    ] = None,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play at the terminal instead of on a page.")
    ] = False,
    host: Annotated[
        str,
        typer.Option(help="The address of the page; any but this machine's own needs a token."),
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port of the page; 0 picks a free one.")
    ] = None,
    no_browser: Annotated[
        bool,
        typer.Option(
            "--no-browser", help="Print the address of the page without opening a browser."
        ),
    ] = False,
    data: Annotated[
        Path | None, typer.Option(help="The folder for the page's games and saved machines.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="The folder with tournaments and reports to show on the page."),
    ] = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            help="Your opponent, as in `clauseboard players`; at the terminal also `person`."
        ),
    ] = None,
    colour: Annotated[
        str | None, typer.Option(help="Your side: a colour of the game, or random.")
    ] = None,
    hints: Annotated[
        str | None,
        typer.Option(help="The player that gives hints; default: the opponent, if it can judge."),
    ] = None,
    seconds: Seconds = None,
    depth: Depth = None,
    nodes: Nodes = None,
    simulations: Simulations = None,
    parameter: Parameter = None,
    input_: Annotated[
        Literal["move", "board"],
        typer.Option("--input", help="Type moves, or paste the whole board after your move."),
    ] = "move",
    load: Annotated[
        Path | None, typer.Option(help="Continue the first game of a PDN or SGF file.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Random seed; omit it for a new game each time.")
    ] = None,
) -> None:
    """Play on a page in your browser, or with --terminal right here.

    The options from --host to --opponent are for the page, the others for the terminal. At the
    terminal, the program asks for the game, the opponent and the colour if you omit them.

    Example: clauseboard play hex --terminal --set size=7 --opponent rollouts --colour red
    """
    if not terminal:
        for option, given in (
            ("--colour", colour), ("--hints", hints), ("--seconds", seconds), ("--depth", depth),
            ("--nodes", nodes), ("--simulations", simulations), ("--set", parameter),
            ("--input", None if input_ == "move" else input_), ("--load", load), ("--seed", seed),
        ):  # fmt: skip
            if given is not None:
                raise ValueError(f"{option} is for the terminal; add --terminal, or leave it out.")
        _open_page(game, opponent, host, port, not no_browser, data, folder)
        return

    _replace_unknown_characters()
    interactive = sys.stdin.isatty()
    screen = Screen()
    limit = Limit(seconds, depth, nodes, simulations)
    seed = random.SystemRandom().getrandbits(32) if seed is None else seed
    try:
        parameters = read_parameters(parameter or [])
        saved = None if load is None else read_game(load.expanduser(), game, **parameters)
        if saved is None:
            if game is None and not interactive:
                raise ValueError(f"Name the game: {GAMES}.")
            rules = load_game(game or choose_game(screen, input), **parameters)
        else:
            rules = saved.game
            noted_opponent, noted_colour = saved.opponent_and_colour
            opponent, colour = opponent or noted_opponent, colour or noted_colour
        boards = BoardInput(rules) if input_ == "board" else None
        player: Player | None
        if opponent is not None:
            player = read_opponent(opponent, rules)
        elif interactive:
            player = choose_opponent(rules, screen, input)
        else:
            player = usual_player(rules)
        if colour is None and interactive and player is not None:
            colour = choose_colour(rules, screen, input)
        side = read_colour(colour or rules.colours[0], rules, seed)
        adviser = None if hints is None else read_opponent(hints, rules)
        session = TerminalGame(rules, player, side, limit=limit, seed=seed, adviser=adviser)
        if saved is not None:
            assert load is not None
            session.continue_game(saved, load.expanduser())
    except (EOFError, KeyboardInterrupt):
        screen.show("")
        return
    loop = Loop(session, screen, input if interactive else _echoed, boards, interactive)
    on_compile(loop.compiling)
    if interactive:
        edit_lines(loop.words, complete=boards is None)
    sides = "You play both sides" if player is None else f"You play {side} against {player}"
    action = "Type a move" if boards is None else "Paste the board after your move"
    screen.say(f"{sides}. {action}, or type help.")
    try:
        loop.run()
    finally:
        session.close()


def _open_page(
    game: str | None,
    opponent: str | None,
    host: str,
    port: int | None,
    browser: bool,
    data: Path | None,
    folder: Path | None,
) -> None:
    """Serve the page until the person ends it."""
    if game is not None:
        load_game(game)  # a wrong name is an error before a browser opens
    try:
        from clauseboard.web import server
        from clauseboard.web.settings import PORT, Settings, kept_token, usual_data
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("clauseboard"):
            raise
        raise ValueError(
            f"The page needs {error.name}, which is not installed: install clauseboard[web], "
            "or play with --terminal."
        ) from None
    data = usual_data() if data is None else data
    settings = Settings(
        host,
        PORT if port is None else port,
        kept_token(data),
        data=data,
        folder=folder,
        players=() if opponent is None else (opponent,),
    )
    server.serve(settings, browser, "/" if game is None else f"/?game={game}")


def _echoed(prompt: str) -> str:
    """A line of the input, printed as a terminal would show it."""
    line = input(prompt)
    print(line)
    return line


def _replace_unknown_characters() -> None:
    """Let no character that the terminal cannot show, and no invalid byte, end a game."""
    for stream in (sys.stdin, sys.stdout):
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
