"""The requests that the server answers, one short function each."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from clauseboard import __version__
from clauseboard.game import load_game
from clauseboard.games.page import games_with_page, page_of
from clauseboard.play.saved_games import suffixes_of
from clauseboard.web import board_view, models
from clauseboard.web.errors import ApiError, refused
from clauseboard.web.game_service import GameService
from clauseboard.web.settings import SECONDS, USUAL_SECONDS
from clauseboard.web.web_game import WebGame

MOST_LISTED = 50
EVENTS = "text/event-stream"

PROBLEMS: dict[int, str] = {
    400: "The request is none of this server's.",
    401: "A token is needed.",
    403: "The request does not come from this page.",
    404: "There is no such thing.",
    409: "Not now; the sentence says why.",
    413: "The request is too large.",
    422: "Against the rules of the game, or of this interface.",
    429: "Too many requests at a time.",
    503: "Busy, or a player failed; it may be tried again.",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """How requests may fail, for the description."""
    always = (400, 401, 429)
    return {
        status: {"model": models.Problem, "description": PROBLEMS[status]}
        for status in sorted({*always, *statuses})
    }


def written(kind: str, description: str, *statuses: int) -> dict[int | str, dict[str, Any]]:
    """An answer that is text of a kind and no JSON, and how it may fail, for the description."""
    content = {kind: {"schema": {"type": "string"}}}
    return {**problems(*statuses), 200: {"description": description, "content": content}}


def streamed(events: AsyncIterator[str]) -> Response:
    """Server-sent events, as they come."""
    return StreamingResponse(events, media_type=f"{EVENTS}; charset=utf-8")


CHANGE = (403, 404, 409, 413, 422, 503)
"""How a change of a game may fail."""

Id = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Ply = Annotated[int, Path(ge=0, le=100_000)]

router = APIRouter()

SETTINGS = {
    "parameters": [
        {
            "name": "settings",
            "in": "query",
            "description": "The game's parameters, each by its own name: size=9&superko=true.",
            "style": "form",
            "explode": True,
            "schema": {
                "type": "object",
                "additionalProperties": {"type": ["string", "number", "boolean"]},
                "maxProperties": 20,
            },
        }
    ]
}


def hall_of(request: Request) -> GameService:
    """The games of the server that is asked."""
    hall: GameService = request.app.state.hall
    return hall


def game_asked(request: Request, name: str, *others: str) -> Any:
    """The game of a query; all parameters but `others` are the game's own."""
    apart = {"game", *others}
    given = {key: text for key, text in request.query_params.items() if key not in apart}
    return refused(lambda: board_view.game_of(name, given))


def _json(content: Any, status: int = 200) -> Response:
    # The models describe it; tests compare, so that it need not be checked at each answer.
    return JSONResponse(content, status)


def _state(table: WebGame, status: int = 200) -> Response:
    return Response(table.state_text(), status, media_type="application/json")


# ---- what there is


@router.get("/about", response_model=models.About, responses=problems())
async def about(request: Request) -> Response:
    """The games, and what can be chosen."""
    return _json(
        {
            "version": __version__,
            "quit": request.app.state.quit is not None,
            "seconds": list(SECONDS),
            "usual_seconds": USUAL_SECONDS,
            "games": [_kind(name) for name in games_with_page()],
        }
    )


def _kind(name: str) -> dict[str, Any]:
    page, game = page_of(name), load_game(name)
    return {
        "name": name,
        "title": page.TITLE,
        "colours": list(game.colours),
        "settings": [
            {
                "name": one.name,
                "title": one.title,
                "kind": one.kind,
                "choices": [{"value": value, "title": title} for value, title in one.choices],
                "least": one.least,
                "most": one.most,
                "default": one.default,
            }
            for one in page.SETTINGS
        ],
        "record": {"suffix": suffixes_of(game)[0], "name": page.RECORD},
        "counted": hasattr(page, "count"),
    }


@router.get(
    "/opponents",
    response_model=list[models.OpponentLine],
    responses=problems(422),
    openapi_extra=SETTINGS,
)
async def opponents(request: Request, game: models.Name) -> Response:
    """Who can play a game, the usual one first."""
    hall, chosen = hall_of(request), game_asked(request, game)
    hall.prepare(chosen)
    found = hall.opponents.of(chosen)
    return _json(
        [
            {
                "id": one.id,
                "title": one.title,
                "about": one.about,
                "strength": one.strength,
                "readable": one.readable,
                "judges": one.judges,
                "hints": one.hints,
                "usual": one.usual,
                "person": one.is_person,
            }
            for one in found
        ]
    )


@router.get(
    "/board", response_model=models.BoardShape, responses=problems(422), openapi_extra=SETTINGS
)
async def board(request: Request, game: models.Name) -> Response:
    """The geometry of a board."""
    return _json(board_view.shape_of(game_asked(request, game)))


# ---- games


@router.post(
    "/games",
    response_model=models.State,
    status_code=201,
    responses=problems(403, 413, 422, 503),
)
async def create(request: Request, wish: models.NewGame) -> Response:
    """Begin a game."""
    table = await hall_of(request).create(wish)
    return _state(table, 201)


@router.get("/games", response_model=list[models.Summary], responses=problems())
async def games(request: Request) -> Response:
    """The newest games."""
    return _json(hall_of(request).store.newest(MOST_LISTED))


@router.get("/games/{id}", response_model=models.State, responses=problems(404, 422))
async def game(request: Request, id: Id) -> Response:
    """A game as it stands."""
    return _state(hall_of(request).get(id))


@router.delete("/games/{id}", status_code=204, responses=problems(403, 404, 422))
async def delete(request: Request, id: Id) -> Response:
    """Forget a game."""
    hall_of(request).delete(id)
    return Response(status_code=204)


@router.post("/games/{id}/moves", response_model=models.State, responses=problems(*CHANGE))
async def move(request: Request, id: Id, wish: models.MoveRequest) -> Response:
    """Play a move."""
    hall = hall_of(request)
    table = hall.get(id)
    hall.play(table, wish.move, wish.version)
    return _state(table)


Maybe = Annotated[models.VersionRequest, Body(default_factory=models.VersionRequest)]


@router.post("/games/{id}/undo", response_model=models.State, responses=problems(*CHANGE))
async def undo(request: Request, id: Id, wish: Maybe) -> Response:
    """Take the person's last move back, and what followed."""
    hall = hall_of(request)
    table = hall.get(id)
    hall.undo(table, wish.version)
    return _state(table)


@router.post("/games/{id}/resign", response_model=models.State, responses=problems(*CHANGE))
async def resign(request: Request, id: Id, wish: Maybe) -> Response:
    """Give up."""
    hall = hall_of(request)
    table = hall.get(id)
    hall.resign(table, wish.version)
    return _state(table)


@router.post("/games/{id}/retry", response_model=models.State, responses=problems(*CHANGE))
async def retry(request: Request, id: Id) -> Response:
    """Let an opponent that failed think again."""
    hall = hall_of(request)
    table = hall.get(id)
    hall.retry(table)
    return _state(table)


@router.post("/games/{id}/dead", response_model=models.State, responses=problems(*CHANGE))
async def dead(request: Request, id: Id, wish: models.DeadStonesRequest) -> Response:
    """Name the dead stones of a finished game."""
    hall = hall_of(request)
    table = hall.get(id)
    hall.set_dead(table, wish.cells)
    return _state(table)


@router.post("/games/{id}/position", response_model=models.State, responses=problems(*CHANGE))
async def position(request: Request, id: Id, wish: models.PositionRequest) -> Response:
    """Begin anew from a board that was set up."""
    hall = hall_of(request)
    table = hall.get(id)
    hall.restart(table, wish)
    return _state(table)


@router.post("/games/{id}/record", response_model=models.State, responses=problems(*CHANGE))
async def load_record(request: Request, id: Id, wish: models.RecordRequest) -> Response:
    """Go on with a game that is given as PDN or SGF."""
    hall = hall_of(request)
    table = hall.get(id)
    await hall.load(table, wish.text)
    return _state(table)


@router.get(
    "/games/{id}/record",
    response_class=Response,
    responses=written("text/plain", "The record, as an attachment.", 404, 409, 422),
)
async def record(request: Request, id: Id) -> Response:
    """The game as a file."""
    text, name = refused(lambda: hall_of(request).get(id).record(), 409)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(text, headers=headers)


@router.get("/games/{id}/at/{ply}", response_model=models.BoardAt, responses=problems(404, 422))
async def at(request: Request, id: Id, ply: Ply) -> Response:
    """An earlier board."""
    try:
        return _json(hall_of(request).get(id).at(ply))
    except LookupError as error:
        raise ApiError(404, str(error)) from None


@router.get(
    "/games/{id}/events",
    response_class=StreamingResponse,
    responses=written(EVENTS, "Server-sent events: state, thinking, gone.", 404, 422, 503),
)
async def events(request: Request, id: Id) -> Response:
    """What happens in a game, as it happens."""
    hall = hall_of(request)
    return streamed(hall.listeners.listen(hall.get(id)))


# ---- judging


@router.post("/games/{id}/hint", response_model=models.Hint, responses=problems(*CHANGE))
async def hint(request: Request, id: Id) -> Response:
    """What the judge would play."""
    hall = hall_of(request)
    return _json(await hall.judging.hint(hall.get(id)))


@router.post("/games/{id}/why", response_model=models.Why, responses=problems(*CHANGE))
async def why(request: Request, id: Id, wish: models.WhyRequest) -> Response:
    """Why a move, or a board, is judged as it is."""
    hall = hall_of(request)
    return _json(await hall.judging.why(hall.get(id), wish))


@router.post("/games/{id}/why-not", response_model=models.WhyNot, responses=problems(*CHANGE))
async def why_not(request: Request, id: Id, wish: models.WhyNotRequest) -> Response:
    """What speaks against a move."""
    hall = hall_of(request)
    return _json(await hall.judging.why_not(hall.get(id), wish))


# ---- the program


@router.post("/quit", status_code=202, responses=problems(403, 413))
async def quit(request: Request) -> Response:
    """End the program."""
    end = request.app.state.quit
    if end is None:
        raise ApiError(403, "This program is ended where it was started.")
    end()
    return _json({"detail": "The program ends."}, 202)
