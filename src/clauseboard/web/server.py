"""Running the page: the server, its address, the browser, and an end that leaves nothing behind."""

from __future__ import annotations

import argparse
import dataclasses
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Any

from clauseboard.web.settings import LOOPBACK, PORT, Settings

BACKLOG = 512
PARTING = 3
"""Seconds that open requests have to end, when the program does."""


def serve(settings: Settings, browser: bool = True, start: str = "/") -> None:
    """Serve the page until Ctrl-C, a SIGTERM, or Quit on the page.

    `start` is where the browser goes first. A port that is in use is no hindrance, unless it was
    asked for: the next free one is taken.
    """
    import uvicorn

    from clauseboard.web.app import create_app
    from clauseboard.web.game_service import open_store
    from clauseboard.web.opponents import Opponents

    # What cannot be is told here, in a sentence.
    Opponents(settings.players)
    open_store(settings).close()
    listening = _listen(settings)
    settings = dataclasses.replace(settings, port=listening.getsockname()[1])

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: Any = None) -> None:
            # Those who listen would listen for ever, and those who asked a player wait for long.
            hall = getattr(app.state, "hall", None)
            if hall is not None:
                await hall.end_thinking()
            await super().shutdown(sockets)

    def end() -> None:
        server.should_exit = True

    app = create_app(settings, quit=end)
    server = Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=PARTING,
            timeout_keep_alive=75,  # a connection must not be closed as a page begins to use it
            server_header=False,
            proxy_headers=False,
        )
    )
    address = address_of(settings, start)
    print(f"Clauseboard is at {address}", flush=True)
    print("Ctrl-C, or Quit on the page, ends it.", flush=True)
    if browser and _has_browser():
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
    print("Clauseboard has ended.", flush=True)


def address_of(settings: Settings, start: str = "/") -> str:
    """What to type into a browser, with the token, if one is needed."""
    anywhere = settings.host in ("0.0.0.0", "::", "")
    host = socket.gethostname() if anywhere else settings.host
    host = f"[{host}]" if ":" in host else host
    address = f"http://{host}:{settings.port}{start}"
    if settings.token is None:
        return address
    return f"{address}{'&' if '?' in start else '?'}token={settings.token}"


def _listen(settings: Settings) -> socket.socket:
    """A socket at the address; at any free port, if the usual one is taken."""
    ports = [settings.port, 0] if settings.port == PORT else [settings.port]
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    trouble: OSError | None = None
    for port in ports:
        # With the protocol named, answers are sent at once (TCP_NODELAY), not 40 ms later.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if os.name == "posix":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((settings.host, port))
            listening.listen(BACKLOG)
            listening.set_inheritable(False)
            return listening
        except OSError as error:
            trouble = error
            listening.close()
    why = trouble.strerror if trouble is not None and trouble.strerror else trouble
    raise ValueError(
        f"The page cannot be served at {settings.host}, port {settings.port}: {why}. "
        "Name another --port, or --port 0 for any that is free."
    )


def _has_browser() -> bool:
    """Whether there is a screen to show a browser on."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def main(arguments: list[str] | None = None) -> None:
    """`python -m clauseboard.web`."""
    parser = argparse.ArgumentParser(prog="python -m clauseboard.web", description=__doc__)
    parser.add_argument("--host", default=LOOPBACK)
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--data", type=Path, help="the folder of games and kept machines")
    parser.add_argument("--folder", type=Path, help="where reports and tournaments are looked for")
    parser.add_argument("--player", action="append", default=[], help="one more opponent")
    parser.add_argument("--name", action="append", default=[], help="one more name of this machine")
    parser.add_argument("--workers", type=int, help="processes that think")
    parser.add_argument("--no-browser", action="store_true")
    given = parser.parse_args(arguments)
    more = {name: getattr(given, name) for name in ("data", "workers")}
    more = {name: value for name, value in more.items() if value is not None}
    try:
        settings = Settings(
            given.host,
            given.port,
            folder=given.folder,
            players=tuple(given.player),
            names=tuple(given.name),
            **more,
        )
        serve(settings, browser=not given.no_browser)
    except (ValueError, OSError) as error:
        parser.exit(2, f"clauseboard: {error}\n")
