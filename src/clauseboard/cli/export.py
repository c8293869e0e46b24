"""`clauseboard export`: a player as a folder of files for a browser, without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clauseboard.cli.common import GameName, Parameter, read_parameters
from clauseboard.game import load_game


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
    from clauseboard.players import read_player
    from clauseboard.web.static_export import export_player

    rules = load_game(game, **read_parameters(parameter or []))
    files = export_player(rules, read_player(player, rules), web)
    size = sum(path.stat().st_size for path in files)
    print(f"{len(files)} files, {size / 1000:.0f} kB. Open {web / 'index.html'} in a browser.")
