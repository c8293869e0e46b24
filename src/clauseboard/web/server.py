"""The server: the application, its address, the browser, and a clean end."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from importlib import resources
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from clauseboard import __version__
from clauseboard.games.plugins import ENDGAMES
from clauseboard.web import routes
from clauseboard.web.game_service import GameService, open_store
from clauseboard.web.lab import routes as lab_routes
from clauseboard.web.opponents import Opponents
from clauseboard.web.responses import add_error_handlers
from clauseboard.web.security import MOST_CONNECTIONS, BoundedProtocol, SecurityMiddleware
from clauseboard.web.settings import PORT, Settings

BACKLOG = 512
SHUTDOWN = 3
"""Seconds that open requests have to end when the program ends."""


def create_app(settings: Settings | None = None, quit: Callable[[], None] | None = None) -> FastAPI:
    """An application with its own games and workers; `quit` ends the program around it."""
    chosen = settings or Settings()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.games = GameService(chosen)
        app.state.lab = lab_routes.Lab(chosen, app.state.games)
        try:
            yield
        finally:
            await app.state.lab.close()
            await app.state.games.close()

    app = FastAPI(
        title="Clauseboard",
        version=__version__,
        description="Board-game players whose every judgement can be read.",
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages load scripts from other sites
        redoc_url=None,
    )
    app.state.settings = chosen
    app.state.quit = quit if chosen.is_local else None
    app.add_middleware(SecurityMiddleware, settings=chosen)
    add_error_handlers(app)
    app.include_router(routes.router, prefix="/api")
    app.include_router(lab_routes.router, prefix="/api")
    static = resources.files("clauseboard.web") / "static"
    app.mount("/", StaticFiles(directory=str(static), html=True, check_dir=False), name="page")
    return app


def serve(settings: Settings, browser: bool = True, start: str = "/") -> None:
    """Serve the page until Ctrl-C, a SIGTERM, or Quit on the page.

    `start` is the page that the browser opens. If the usual port is in use, a free one is taken.
    """
    os.umask(0o077)  # what it writes is for this user alone
    _allow_connections()
    # Errors in the settings are reported before the server starts.
    Opponents(settings.players)
    for game in ENDGAMES.games():
        ENDGAMES.of(game).status()
    open_store(settings).close()
    listening = _listen(settings)
    once = secrets.token_urlsafe(24)
    settings = dataclasses.replace(settings, port=listening.getsockname()[1], once=once)

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: Any = None) -> None:
            # Streams would stay open for ever, and requests wait long for a player.
            games = getattr(app.state, "games", None)
            if games is not None:
                await games.stop_thinking()
                app.state.lab.hub.close()
            await super().shutdown(sockets)

    def end() -> None:
        server.should_exit = True

    app = create_app(settings, quit=end)
    server = Server(server_config(app))
    address = address_of(settings, start)
    print(f"Clauseboard is at {address}", flush=True)
    print("Press Ctrl-C, or Quit on the page, to end it.", flush=True)
    if browser and _has_browser():
        address = address_of(dataclasses.replace(settings, token=once), start)
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
    print("Clauseboard has ended.", flush=True)


def server_config(app: FastAPI) -> uvicorn.Config:
    """How uvicorn serves the application."""
    return uvicorn.Config(
        app,
        http=BoundedProtocol,
        ws="none",  # these would have none of the bounds
        log_level="error",  # a request that is no HTTP is a warning: anyone could fill a disk
        access_log=False,
        timeout_graceful_shutdown=SHUTDOWN,
        timeout_keep_alive=75,  # a connection must not be closed as a page begins to use it
        server_header=False,
        proxy_headers=False,
    )


def address_of(settings: Settings, start: str = "/") -> str:
    """The address for a browser, with the token."""
    anywhere = settings.host in ("0.0.0.0", "::", "")
    host = socket.gethostname() if anywhere else settings.host
    host = f"[{host}]" if ":" in host else host
    address = f"http://{host}:{settings.port}{start}"
    return f"{address}{'&' if '?' in start else '?'}token={settings.token}"


def _listen(settings: Settings) -> socket.socket:
    """A socket at the address; at a free port, if the usual one is taken."""
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
        "Name another --port, or --port 0 for a free one."
    )


def _allow_connections() -> None:
    """Let this process have as many open files as it may have connections, if the system does."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_CONNECTIONS + 500
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))


def _has_browser() -> bool:
    """Whether there is a screen to show a browser on."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
