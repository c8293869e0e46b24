"""`clauseboard perft`: count the sequences of moves of a game, to compare rules and speed."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import typer

from clauseboard.game import game_names, load_game


def perft(
    game: Annotated[str, typer.Argument(help=f"One of {', '.join(game_names())}.")],
    depth: Annotated[int, typer.Option(min=0, help="Moves of the longest sequences.")] = 6,
    position: Annotated[
        str | None, typer.Option(help="Where to begin, as the game writes positions.")
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option("--set", help="A parameter of the game, such as size=7; may be repeated."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Count the sequences of moves of a game, depth by depth.

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


def read_parameters(texts: list[str]) -> dict[str, Any]:
    """Parameters as name=value, the value as Python writes it or a plain word.

    >>> read_parameters(["size=7", "swap=true", "blocked=draw"])
    {'size': 7, 'swap': True, 'blocked': 'draw'}
    """
    from clauseboard.players.spec import read_value

    parameters: dict[str, Any] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator or not name.isidentifier():
            raise ValueError(f"{text!r} is no parameter; write it as name=value, such as size=7.")
        parameters[name] = read_value(value)
    return parameters
