"""`clauseboard play`: a person against a player, on a page or at the terminal."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from clauseboard.cli.options import Depth, Nodes, Parameter, Seconds, Simulations, read_parameters
from clauseboard.game import game_names, load_game


def play(
    game: Annotated[
        str | None,
        typer.Argument(help=f"One of {', '.join(game_names())}; asked for if it is not given."),
    ] = None,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play at the terminal instead of on a page.")
    ] = False,
    host: Annotated[
        str,
        typer.Option(help="The address to serve the page at; others than your own ask a token."),
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port of the page; 0 is any free one.")
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address of the page and open nothing.")
    ] = False,
    data: Annotated[
        Path | None, typer.Option(help="The folder of the page's games and kept machines.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(help="Where the page looks for tournaments and reports.")
    ] = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            help="Who plays against you, as in `clauseboard players`; at the terminal, or person."
        ),
    ] = None,
    colour: Annotated[
        str | None, typer.Option(help="Your side: a colour of the game, or random.")
    ] = None,
    hints: Annotated[
        str | None, typer.Option(help="Who gives hints; the opponent, if it can judge.")
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
        Path | None, typer.Option(help="Go on with the first game of a PDN or SGF file.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="What is random is drawn from it; else it differs.")
    ] = None,
) -> None:
    """Play on a page in your browser, or with --terminal right here.

    What is not given is asked for. Only what is named here from --host to --opponent is for the
    page; the other options are for the terminal.

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
    from clauseboard.evaluation import Limit
    from clauseboard.play.session import Session
    from clauseboard.terminal.board_input import BoardInput
    from clauseboard.terminal.editing import edit_lines
    from clauseboard.terminal.loop import Loop
    from clauseboard.terminal.prompts import read_colour
    from clauseboard.terminal.screen import Screen

    _take_any_letters()
    interactive = sys.stdin.isatty()
    screen = Screen()
    limit = Limit(seconds, depth, nodes, simulations)
    seed = random.SystemRandom().getrandbits(32) if seed is None else seed
    try:
        setup = _Setup(game, read_parameters(parameter or []), load, screen, interactive)
        boards = BoardInput(setup.rules) if input_ == "board" else None
        other = setup.opponent(opponent)
        side = read_colour(setup.colour(colour, other), setup.rules, seed)
        adviser = None if hints is None else setup.player(hints)
        session = Session(setup.rules, other, side, limit=limit, seed=seed, adviser=adviser)
        if setup.record is not None:
            assert load is not None
            session.take_over(setup.rules, setup.record, load.expanduser())
    except (EOFError, KeyboardInterrupt):
        screen.show("")
        return
    ask = input if interactive else _echoed
    loop = Loop(session, screen, ask, boards, interactive)
    if interactive:
        edit_lines(loop.words, complete=boards is None)
    who = "Both sides are yours" if other is None else f"You play {side} against {other}"
    what = "Type a move" if boards is None else "Paste the board after your move"
    screen.say(f"{who}. {what}, or type help.")
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
    """Serve the page until it is ended."""
    if game is not None:
        load_game(game)  # a wrong name is told before a browser opens
    try:
        from clauseboard.web import server
        from clauseboard.web.app import create_app  # noqa: F401 - needs FastAPI
        from clauseboard.web.settings import PORT, Settings, usual_data
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("clauseboard"):
            raise
        raise ValueError(
            f"The page needs {error.name}, which is not installed: install clauseboard[web], "
            "or play with --terminal."
        ) from None
    settings = Settings(
        host,
        PORT if port is None else port,
        data=usual_data() if data is None else data,
        folder=folder,
        players=() if opponent is None else (opponent,),
    )
    server.serve(settings, browser, "/" if game is None else f"/?game={game}")


class _Setup:
    """The game, the opponent and the colour: from options, from a file, or asked for."""

    def __init__(
        self,
        game: str | None,
        parameters: dict[str, Any],
        load: Path | None,
        screen: Any,
        interactive: bool,
    ) -> None:
        from clauseboard.play import saved_games
        from clauseboard.play.session import players_in
        from clauseboard.terminal import prompts as choosing

        self.choosing, self.screen, self.interactive = choosing, screen, interactive
        self.record = None
        self.noted: tuple[str | None, str | None] = (None, None)
        if load is not None:
            self.rules, self.record = saved_games.read_game(load.expanduser(), game)
            if parameters:
                self.rules = load_game(self.rules.name, **parameters)
            self.noted = players_in(self.record)
        else:
            if game is None:
                self._need(f"Name the game: {', '.join(game_names())}.")
                game = choosing.choose_game(screen, input)
            self.rules = load_game(game, **parameters)

    def opponent(self, given: str | None) -> Any:
        """Who plays against the person."""
        given = given or self.noted[0]
        if given is None and self.interactive:
            return self.choosing.choose_opponent(self.rules, self.screen, input)
        if given is None:
            from clauseboard.play.session import usual_player

            return usual_player(self.rules)
        return self.player(given)

    def player(self, given: str) -> Any:
        """A player from one line."""
        return self.choosing.read_opponent(given, self.rules)

    def colour(self, given: str | None, opponent: Any) -> str:
        """The person's colour, or "random"."""
        given = given or self.noted[1]
        if given is None and self.interactive and opponent is not None:
            return self.choosing.choose_colour(self.rules, self.screen, input)
        return given or self.rules.colours[0]

    def _need(self, sentence: str) -> None:
        if not self.interactive:
            raise ValueError(sentence)


def _echoed(prompt: str) -> str:
    """A line of a file, shown where a terminal would show what is typed."""
    line = input(prompt)
    print(line)
    return line


def _take_any_letters() -> None:
    """Let no letter that the terminal cannot show, and no byte that is none, end a game."""
    for stream in (sys.stdin, sys.stdout):
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
