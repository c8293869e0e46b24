"""The requests about games, one short function each."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Request
from fastapi.responses import PlainTextResponse, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from clauseboard import __version__
from clauseboard.game import load_game
from clauseboard.games.plugins import COUNTING, PAGE
from clauseboard.games.solving import tables_status
from clauseboard.play import suffixes_of
from clauseboard.web import models
from clauseboard.web.board_view import game_of, openings_of, shape_of
from clauseboard.web.game_service import GameService, state_event, tables_event
from clauseboard.web.judging import position_at
from clauseboard.web.responses import ApiError, Queue, checked, problems, stream, text_answer
from clauseboard.web.settings import SECONDS, USUAL_SECONDS
from clauseboard.web.web_game import WebGame

MOST_LISTED = 50
EVENTS = "text/event-stream"
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
CHANGE = problems(403, 404, 409, 413, 422, 503)
"""The errors of a change of a game."""
STATE: dict[str, Any] = {"response_model": models.State, "responses": CHANGE}


async def service_of(request: Request) -> GameService:
    """The games of this server."""
    service: GameService = request.app.state.games
    return service


Service = Annotated[GameService, Depends(service_of)]


async def game_by_id(id: Id, service: Service) -> WebGame:
    """The game that a request is about."""
    return service.get(id)


Game = Annotated[WebGame, Depends(game_by_id)]


def queried_game(request: Request, name: str, *others: str) -> Any:
    """The game of a query; all parameters but `others` are the game's own."""
    apart = {"game", *others}
    settings = {key: text for key, text in request.query_params.items() if key not in apart}
    return checked(lambda: game_of(name, settings))


def _state(game: WebGame, status: int = 200) -> Response:
    # The text is made once for all pages.
    return Response(game.state_text(), status, media_type="application/json")


# ---- games, opponents and boards


@router.get("/about", responses=problems())
async def about(request: Request) -> models.About:
    """The games, and their settings."""
    return models.About(
        version=__version__,
        quit=request.app.state.quit is not None,
        seconds=list(SECONDS),
        usual_seconds=USUAL_SECONDS,
        games=[_kind(name) for name in PAGE.games()],
    )


def _kind(name: str) -> models.GameKind:
    page, game = PAGE.of(name), load_game(name)
    return models.GameKind(
        name=name,
        title=page.TITLE,
        colours=list(game.colours),
        settings=[
            models.GameSetting.model_validate(
                asdict(setting)
                | {"choices": [{"value": v, "title": title} for v, title in setting.choices]}
            )
            for setting in page.SETTINGS
        ],
        record=models.RecordKind(suffix=suffixes_of(game)[0], name=page.RECORD),
        counted=COUNTING.find(game) is not None,
        openings=openings_of(game),
        training=dict(getattr(page, "TRAINING", {})),
    )


@router.get("/opponents", responses=problems(422), openapi_extra=SETTINGS)
async def opponents(
    request: Request, game: models.Name, service: Service
) -> list[models.OpponentLine]:
    """The opponents in a game, the usual one first."""
    rules = queried_game(request, game)
    service.prepare(rules)
    return [
        models.OpponentLine.model_validate(opponent) for opponent in service.opponents.of(rules)
    ]


@router.get("/board", responses=problems(422), openapi_extra=SETTINGS)
async def board(request: Request, game: models.Name) -> models.BoardShape:
    """The geometry of a board."""
    return shape_of(queried_game(request, game))


# ---- a game


@router.post(
    "/games",
    response_model=models.State,
    status_code=201,
    responses=problems(403, 413, 422, 503),
)
async def create(service: Service, body: models.NewGame) -> Response:
    """Begin a game."""
    return _state(await service.create(body), 201)


@router.get("/games", responses=problems())
async def games(service: Service) -> list[models.Summary]:
    """The newest 50 games."""
    return service.store.newest(MOST_LISTED)


@router.get("/games/{id}", response_model=models.State, responses=problems(404, 422))
async def game(game: Game) -> Response:
    """A game as it stands."""
    return _state(game)


@router.delete("/games/{id}", status_code=204, responses=problems(403, 404, 422))
async def delete(id: Id, service: Service) -> Response:
    """Delete a game."""
    service.delete(id)
    return Response(status_code=204)


@router.post("/games/{id}/moves", **STATE)
async def move(game: Game, service: Service, body: models.MoveRequest) -> Response:
    """Play a move; 409 if the version is old, 422 with the rule that forbids the move."""
    service.play(game, body.move, body.version)
    return _state(game)


OptionalVersion = Annotated[models.VersionRequest, Body(default_factory=models.VersionRequest)]


@router.post("/games/{id}/undo", **STATE)
async def undo(game: Game, service: Service, body: OptionalVersion) -> Response:
    """Take back the person's last move, and what followed."""
    service.undo(game, body.version)
    return _state(game)


@router.post("/games/{id}/resign", **STATE)
async def resign(game: Game, service: Service, body: OptionalVersion) -> Response:
    """Resign."""
    service.resign(game, body.version)
    return _state(game)


@router.post("/games/{id}/retry", **STATE)
async def retry(game: Game, service: Service) -> Response:
    """Let an opponent that failed think again."""
    service.retry(game)
    return _state(game)


@router.post("/games/{id}/dead", **STATE)
async def dead(game: Game, service: Service, body: models.DeadStonesRequest) -> Response:
    """Name the dead stones of a finished game."""
    service.set_dead(game, body.cells)
    return _state(game)


@router.post("/games/{id}/position", **STATE)
async def position(game: Game, service: Service, body: models.PositionRequest) -> Response:
    """Begin again from a position that was set up."""
    service.restart(game, body)
    return _state(game)


@router.post("/games/{id}/record", **STATE)
async def load_record(game: Game, service: Service, body: models.RecordRequest) -> Response:
    """Continue a game that is given as PDN or SGF."""
    await service.load(game, body.text)
    return _state(game)


@router.get(
    "/games/{id}/record",
    response_class=Response,
    responses=text_answer("text/plain", "The record, as an attachment.", 404, 409, 422),
)
async def record(game: Game, verdicts: bool = False) -> Response:
    """The game as a file; with `verdicts`, what the judge found stands in comments."""
    text, name = checked(lambda: game.download(verdicts), 409)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(text, headers=headers)


@router.get("/games/{id}/at/{ply}", responses=problems(404, 422))
async def at(game: Game, ply: Ply) -> models.BoardAt:
    """An earlier position."""
    position_at(game, ply)
    return game.at(ply)


async def _followed(game: Game, service: Service) -> AsyncIterator[Queue]:
    with service.hub.subscribe(game.id) as queue:
        yield queue


@router.get(
    "/games/{id}/events",
    response_class=EventSourceResponse,
    responses=text_answer(EVENTS, "Server-sent events: state, thinking, gone.", 404, 422, 503),
)
async def events(
    game: Game, queue: Annotated[Queue, Depends(_followed)]
) -> AsyncIterator[ServerSentEvent]:
    """The events of a game, its state first."""
    status = tables_status(game.game)
    first = [state_event(game)]
    if status is not None and status.text:
        first.append(tables_event(status.text))
    async for event in stream(queue, *first):
        yield event


# ---- judging


@router.post("/games/{id}/analysis", **STATE)
async def analyse(game: Game, service: Service) -> Response:
    """Judge all positions of the game in the background; 409 if no player can."""
    service.analyse(game)
    return _state(game)


@router.delete("/games/{id}/analysis", **STATE)
async def stop_analysis(game: Game, service: Service) -> Response:
    """Stop the analysis of the game; what was found is kept."""
    service.stop_analysis(game)
    return _state(game)


@router.post("/games/{id}/try", responses=CHANGE)
async def try_move(game: Game, service: Service, body: models.TryRequest) -> models.Tried:
    """Compare a move with the one that was played there, and with the judge's."""
    return await service.judge.try_move(game, body)


OptionalHint = Annotated[models.HintRequest, Body(default_factory=models.HintRequest)]


@router.post("/games/{id}/hint", responses=CHANGE)
async def hint(game: Game, service: Service, body: OptionalHint) -> models.Hint:
    """The move that the judge would play."""
    return await service.judge.hint(game, body.idea)


@router.post("/games/{id}/why", responses=CHANGE)
async def why(game: Game, service: Service, body: models.WhyRequest) -> models.Why:
    """Why a move or a position is judged as it is."""
    return await service.judge.why(game, body)


@router.post("/games/{id}/why-not", responses=CHANGE)
async def why_not(game: Game, service: Service, body: models.WhyNotRequest) -> models.WhyNot:
    """Why the judge's move is better; 422 if it is the same, or the judge gives no reasons."""
    return await service.judge.why_not(game, body)


# ---- the program


@router.post("/quit", status_code=202, responses=problems(403, 413))
async def quit(request: Request) -> models.Problem:
    """End the program; 403 unless it listens on this machine alone."""
    end = request.app.state.quit
    if end is None:
        raise ApiError(403, "This program can only be ended where it was started.")
    end()
    return models.Problem(detail="The program is shutting down.")
