"""`clauseboard data fetch`: an archive that someone else publishes."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from clauseboard.cli.options import AsJson


def fetch(
    archive: Annotated[str, typer.Argument(help="oca: the Open Checkers Archive 2.0.")],
    out: Annotated[
        Path | None, typer.Option(help="The file of games; in this folder without it.")
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="Another address to download it from.")
    ] = None,
    sha256: Annotated[
        str | None, typer.Option(help="The hash that the file of games must have.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Download an archive of games from its author's site, and check it.

    A file that is there already is checked only.

    Example: clauseboard data fetch oca
    """
    from clauseboard.cli.waiting import Bar
    from clauseboard.datasets import fetching

    with Bar("downloading") as bar:
        found = fetching.fetch(archive, out, address=address, sha256=sha256, told=bar.tell)
    if as_json:
        print(json.dumps(asdict(found) | {"path": str(found.path)}))
        return
    title = fetching.published(archive).title
    how = "downloaded" if found.downloaded else "was there already"
    print(
        f"{title} {how}: {found.path}, {found.games:,} games, of which {found.kept:,} can be "
        f"replayed.\nIts SHA-256 is {found.sha256}."
    )
