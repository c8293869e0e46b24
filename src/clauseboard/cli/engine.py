"""`clauseboard engine`: a player as a Go Text Protocol (GTP) engine."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from clauseboard.cli.common import GameName, Parameter, read_parameters
from clauseboard.evaluation import Limit
from clauseboard.game import load_game

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
    from clauseboard.engines.server import GtpSession
    from clauseboard.explaining.writers import brief_text, headline_and_heat
    from clauseboard.games.solving import start_tables
    from clauseboard.players import read_player

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
