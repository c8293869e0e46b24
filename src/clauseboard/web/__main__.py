"""`python -m clauseboard.web`: the page without the rest of the command."""

from __future__ import annotations

import argparse
from pathlib import Path

from clauseboard.web.server import serve
from clauseboard.web.settings import LOOPBACK, PORT, Settings, kept_token, usual_data


def main(arguments: list[str] | None = None) -> None:
    """Serve the page."""
    parser = argparse.ArgumentParser(prog="python -m clauseboard.web", description=__doc__)
    parser.add_argument("--host", default=LOOPBACK)
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--data", type=Path, help="the folder of games and saved machines")
    parser.add_argument("--folder", type=Path, help="the folder with reports and tournaments")
    parser.add_argument("--player", action="append", default=[], help="one more opponent")
    parser.add_argument("--name", action="append", default=[], help="one more name of this machine")
    parser.add_argument("--workers", type=int, help="the number of worker processes")
    parser.add_argument("--no-browser", action="store_true")
    given = parser.parse_args(arguments)
    data = given.data or usual_data()
    try:
        settings = Settings(
            given.host,
            given.port,
            kept_token(data),
            data=data,
            folder=given.folder,
            players=tuple(given.player),
            names=tuple(given.name),
            **({} if given.workers is None else {"workers": given.workers}),
        )
        serve(settings, browser=not given.no_browser)
    except (ValueError, OSError) as error:
        parser.exit(2, f"clauseboard: {error}\n")


if __name__ == "__main__":
    main()
