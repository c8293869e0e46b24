"""Options that several commands have, and how a game's parameters are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from clauseboard.game import game_names

GameName = Annotated[str, typer.Argument(help=f"One of {', '.join(game_names())}.")]
Seconds = Annotated[float | None, typer.Option(help="Time for a move.")]
Depth = Annotated[int | None, typer.Option(help="Moves to look ahead.")]
Nodes = Annotated[int | None, typer.Option(help="Positions to visit for a move.")]
Simulations = Annotated[int | None, typer.Option(help="Simulations for a move.")]
Seed = Annotated[int, typer.Option(min=0, help="One number, the same games.")]
Jobs = Annotated[int, typer.Option(min=1, help="Processes to play in; the games are the same.")]
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
            raise ValueError(f"{text!r} is no parameter; write it as name=value, such as size=7.")
        parameters[name] = read_value(value)
    return parameters


def check_writable(path: Path | None, what: str) -> None:
    """Refuse a file that cannot be written, before hours of work and not after them."""
    if path is None:
        return
    if path.is_dir():
        raise ValueError(f"{path} is a folder; name a file for {what}.")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"There is no folder {path.parent} for {what}.")
