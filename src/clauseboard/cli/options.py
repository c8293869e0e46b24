"""Options shared by several commands, and the parser of game parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from clauseboard.game import game_names

GAMES = ", ".join(game_names())
"""For help texts: Typer evaluates annotations at every start, and some of them twice."""

GameName = Annotated[str, typer.Argument(help=f"One of {GAMES}.")]
Seconds = Annotated[float | None, typer.Option(help="Seconds per move.")]
Depth = Annotated[int | None, typer.Option(help="Search depth in moves.")]
Nodes = Annotated[int | None, typer.Option(help="Positions searched per move.")]
Simulations = Annotated[int | None, typer.Option(help="Simulations per move.")]
Seed = Annotated[int, typer.Option(min=0, help="Random seed: the same seed gives the same games.")]
Jobs = Annotated[
    int, typer.Option(min=1, help="Number of processes; the result does not depend on it.")
]
Parameter = Annotated[
    list[str] | None,
    typer.Option("--set", help="A parameter of the game, such as size=7; may be repeated."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


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
            raise ValueError(f"{text!r} is not a parameter; write name=value, for example size=7.")
        parameters[name] = read_value(value)
    return parameters


def check_writable(path: Path | None, what: str) -> None:
    """Check that a file can be written before hours of work, not after them."""
    if path is None:
        return
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give a file name for {what}.")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"There is no folder {path.parent} for {what}.")
