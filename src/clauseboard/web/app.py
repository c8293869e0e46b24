"""The server as an application: `create_app(settings)`; what it says is in docs/web-api.md."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from importlib import resources
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from clauseboard import __version__
from clauseboard.web import routes
from clauseboard.web.errors import ApiError
from clauseboard.web.game_service import GameService
from clauseboard.web.lab import routes as room
from clauseboard.web.security import SecurityMiddleware
from clauseboard.web.settings import Settings


def create_app(settings: Settings | None = None, quit: Callable[[], None] | None = None) -> FastAPI:
    """An application with its own games and processes; `quit` ends the program around it."""
    chosen = settings or Settings()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.hall = GameService(chosen)
        app.state.room = room.Lab(chosen, app.state.hall)
        try:
            yield
        finally:
            await app.state.room.close()
            await app.state.hall.close()

    app = FastAPI(
        title="Clauseboard",
        version=__version__,
        description="Board-game players whose every judgement can be read.",
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,  # they load scripts from elsewhere
        redoc_url=None,
    )
    app.state.settings = chosen
    app.state.quit = quit if chosen.is_local else None
    app.add_middleware(SecurityMiddleware, settings=chosen)
    app.add_exception_handler(ApiError, _refused)
    app.add_exception_handler(RequestValidationError, _unfit)
    app.add_exception_handler(HTTPException, _failed)
    app.include_router(routes.router, prefix="/api")
    app.include_router(room.router, prefix="/api")
    static = resources.files("clauseboard.web") / "static"
    app.mount("/", StaticFiles(directory=str(static), html=True, check_dir=False), name="page")
    return app


def _told(status: int, sentence: str, headers: Any = None) -> Response:
    return JSONResponse({"detail": sentence}, status, headers=headers)


def _refused(request: Request, error: Any) -> Response:
    return _told(error.status, error.detail)


def _failed(request: Request, error: Any) -> Response:
    return _told(error.status_code, f"{error.detail}.", error.headers)


def _unfit(request: Request, error: Any) -> Response:
    """A request that is not as docs/web-api.md has it: the first fault, in a sentence."""
    fault = error.errors()[0]
    where = ".".join(str(part) for part in fault["loc"] if part not in ("body", "query", "path"))
    said = str(fault["msg"]).removeprefix("Value error, ")
    return _told(422, f"{where}: {said}." if where else f"{said}.")
