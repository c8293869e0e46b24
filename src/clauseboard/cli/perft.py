"""`clauseboard perft`: count move sequences (perft), to check rules and measure speed."""

from __future__ import annotations

import json
import time
from typing import Annotated

import typer

from clauseboard.cli.options import AsJson, GameName, Parameter, read_parameters
from clauseboard.game import load_game


def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(min=0, help="Length of the longest sequences.")] = 6,
    position: Annotated[
        str | None, typer.Option(help="Starting position in the game's notation.")
    ] = None,
    parameter: Parameter = None,
    as_json: AsJson = False,
) -> None:
    """Count the move sequences of a game, depth by depth.

    Example: clauseboard perft checkers --depth 8
    """
    rules = load_game(game, **read_parameters(parameter or []))
    begin = rules.start() if position is None else rules.read_position(position)
    # The first count would have the compiling in it.
    rules.perft(begin, min(depth, 1))
    rows = []
    if not as_json:
        print(f"{'depth':>5} {'sequences':>18} {'seconds':>9} {'a second':>14}")
    for moves in range(1, depth + 1):
        start = time.perf_counter()
        count = rules.perft(begin, moves)
        seconds = time.perf_counter() - start
        rows.append({"depth": moves, "sequences": count, "seconds": round(seconds, 6)})
        if not as_json:
            print(f"{moves:>5} {count:>18,} {seconds:>9.3f} {count / max(seconds, 1e-9):>14,.0f}")
    if as_json:
        print(json.dumps({"game": repr(rules), "position": repr(begin), "perft": rows}))
