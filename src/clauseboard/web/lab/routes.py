"""The machine room: what a machine has learned, trainings, tournaments and reports.

`router` answers the requests; `Lab` has what they are about. `app` makes one for each server.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response, StreamingResponse

from clauseboard.game import Game
from clauseboard.web import board_view as boards
from clauseboard.web import models
from clauseboard.web.errors import ApiError, refused
from clauseboard.web.game_service import GameService
from clauseboard.web.lab import models as room_models
from clauseboard.web.lab.reports import POLICY, ReportFolder, report_page, tournament
from clauseboard.web.lab.saved_machines import PREFIX, SavedMachines
from clauseboard.web.lab.training_options import bounded, described, title_of, usual_options
from clauseboard.web.lab.training_queue import Training, TrainingQueue
from clauseboard.web.opponents import BUILT_IN, Opponent
from clauseboard.web.routes import EVENTS, SETTINGS, Id, game_asked, problems, streamed, written
from clauseboard.web.settings import Settings
from clauseboard.web.worker_pool import Job

COUNTING = 60.0
"""Seconds in which the clauses of a machine must be counted."""
LEAST_GAMES, MOST_GAMES, USUAL_GAMES = 20, 2000, 300


class Lab:
    """The machine room of a server."""

    def __init__(self, settings: Settings, hall: GameService) -> None:
        self.hall = hall
        self.data = settings.data
        self.kept = SavedMachines(settings.data)
        self.desk = TrainingQueue(self.kept)
        self.shelf = ReportFolder(settings.folder)
        hall.opponents.sources.append(self.kept.opponents)

    async def close(self) -> None:
        """End what goes on here."""
        await self.desk.close()

    def machines(self, game: Game) -> list[Opponent]:
        """The players of a game that learned something that can be read."""
        plain = {one.line for one in BUILT_IN}
        return [
            one for one in self.hall.opponents.of(game) if one.readable and one.line not in plain
        ]

    async def clauses(self, machine: Opponent, game: Game, wish: dict[str, Any]) -> Any:
        """A page of a machine's clauses, which a process counts and draws."""
        asked = {
            "line": machine.line,
            "game": game,
            "own_boards": self.kept.boards(machine.id),
            "folder": str(self.data),
            "wish": wish,
        }
        return await self.hall.asker.answer(Job("clauses", asked, COUNTING, quick=False))

    def sources(self, game: Game) -> list[dict[str, Any]]:
        """Where boards of a game can come from; `line` and `composition` stay here."""
        from clauseboard.web.lab.training_boards import solved

        found: list[dict[str, Any]] = [
            {
                "id": f"solved-{one.name}",
                "title": f"Solved games: {one.name}",
                "about": one.text,
                "games": False,
                "composition": one.name,
                "line": "",
            }
            for one in solved(game)
        ]
        players = [one for one in self.hall.opponents.of(game) if one.line]
        # Quick ones first: a thousand games of chance are played while others play one.
        players.sort(key=lambda one: one.line != "random")
        found += [
            {
                "id": one.id,
                "title": f"{one.title} against itself",
                "about": one.about,
                "games": True,
                "composition": None,
                "line": one.line,
            }
            for one in players
        ]
        return found

    async def start(self, game: Game, wish: room_models.TrainingRequest) -> Training:
        """Begin a training, if it is one that can be."""
        # To load a learner takes a second or two, the first time.
        plan, title, step_name = await asyncio.to_thread(self._plan, game, wish)
        return self.desk.start(game, plan, title, step_name)

    def _plan(
        self, game: Game, wish: room_models.TrainingRequest
    ) -> tuple[dict[str, Any], str, str]:
        """What the process that trains is told, its title, and what a step is called."""
        from clauseboard.learners.training import load_trainer, make_options

        try:
            kind = load_trainer(wish.learner)
            kind.check(game)
            options = {**usual_options(kind), **wish.options}
            for name, value in options.items():
                options[name] = bounded(kind, name, value)
            make_options(kind, options)
        except ValueError as error:
            raise ApiError(422, str(error)) from None
        source = None
        if kind.data_help is not None:
            source = self._source(game, wish.source)
        taught_by = "its own games" if source is None else source["title"]
        title = f"{title_of(wish.learner)}, {taught_by}"
        plan = {
            "game": game.name,
            "settings": boards.settings_of(game),
            "learner": wish.learner,
            "options": options,
            "source": source,
            "games": wish.games,
            "seed": int(options.get("seed", 1)),
        }
        return plan, title, kind.step_name

    def _source(self, game: Game, id: str | None) -> dict[str, Any]:
        found = self.sources(game)
        for one in found:
            if id is None or one["id"] == id:
                return one
        listed = ", ".join(repr(one["id"]) for one in found)
        raise ApiError(422, f"There are no boards from {id!r}; there are {listed}.")


router = APIRouter()


def room_of(request: Request) -> Lab:
    """The machine room of the server that is asked."""
    room: Lab = request.app.state.room
    return room


# ---- machines


@router.get(
    "/machines",
    response_model=list[room_models.Machine],
    responses=problems(422),
    openapi_extra=SETTINGS,
)
async def machines(request: Request, game: models.Name) -> Response:
    """The players of a game whose knowledge can be looked at."""
    found = room_of(request).machines(game_asked(request, game))
    return JSONResponse([_machine(one) for one in found])


def _machine(one: Opponent) -> dict[str, Any]:
    return {
        "id": one.id,
        "title": one.title,
        "about": one.about,
        "strength": one.strength,
        "kept": one.id.startswith(PREFIX),
    }


_CLAUSES = ("sort", "about", "favours", "cell", "page")


@router.get(
    "/machines/{id}/clauses",
    response_model=room_models.Gallery,
    responses=problems(404, 422, 503),
    openapi_extra=SETTINGS,
)
async def clauses(
    request: Request,
    id: Id,
    game: models.Name,
    sort: room_models.Sort = "weight",
    about: models.Name | None = None,
    favours: room_models.Favours | None = None,
    cell: models.Name | None = None,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """A page of the clauses of a machine."""
    room = room_of(request)
    chosen = game_asked(request, game, *_CLAUSES)
    machine = next((one for one in room.machines(chosen) if one.id == id), None)
    if machine is None:
        raise ApiError(404, "There is no such machine in this game.")
    wish = {"sort": sort, "about": about, "favours": favours, "cell": cell, "page": page}
    found = await room.clauses(machine, chosen, wish)
    return JSONResponse({"machine": _machine(machine), **found})


@router.delete("/machines/{id}", status_code=204, responses=problems(403, 404, 422))
async def delete_machine(request: Request, id: Id) -> Response:
    """Forget a machine that was kept."""
    if not room_of(request).kept.delete(id):
        raise ApiError(404, "There is no such machine among those that were kept.")
    return Response(status_code=204)


# ---- trainings


@router.get(
    "/trainings/choices",
    response_model=room_models.Choices,
    responses=problems(422),
    openapi_extra=SETTINGS,
)
async def choices(request: Request, game: models.Name) -> Response:
    """What a training of a game can be made of."""
    room, chosen = room_of(request), game_asked(request, game)
    kinds, sources = await asyncio.to_thread(lambda: (_learners(chosen), room.sources(chosen)))
    # Those that learn from boards can be read clause by clause, and come first.
    ordered = sorted(kinds, key=lambda name: (kinds[name].data_help is None, name))
    shown = ("id", "title", "about", "games")
    return JSONResponse(
        {
            "learners": [described(name, kinds[name]) for name in ordered],
            "sources": [{key: one[key] for key in shown} for one in sources],
            "least_games": LEAST_GAMES,
            "most_games": MOST_GAMES,
            "usual_games": USUAL_GAMES,
        }
    )


def _learners(game: Game) -> dict[str, Any]:
    """The trainers that can learn a game, by their names."""
    from clauseboard.learners.training import load_trainer, trainer_names

    found = {}
    for name in trainer_names():
        kind = load_trainer(name)
        with contextlib.suppress(ValueError):
            kind.check(game)
            found[name] = kind
    return found


@router.get("/trainings", response_model=list[room_models.TrainingState], responses=problems())
async def trainings(request: Request) -> Response:
    """All trainings, the newest first."""
    desk = room_of(request).desk
    return JSONResponse([desk.state(one) for one in reversed(desk.trainings.values())])


@router.post(
    "/trainings",
    response_model=room_models.TrainingState,
    status_code=201,
    responses=problems(403, 413, 422, 503),
)
async def train(request: Request, wish: room_models.TrainingRequest) -> Response:
    """Begin a training; it waits, if another one goes on."""
    room = room_of(request)
    game = refused(lambda: boards.game_of(wish.game, wish.settings))
    return JSONResponse(room.desk.state(await room.start(game, wish)), 201)


@router.get(
    "/trainings/{id}", response_model=room_models.TrainingState, responses=problems(404, 422)
)
async def training(request: Request, id: Id) -> Response:
    """A training as it stands."""
    desk = room_of(request).desk
    return JSONResponse(desk.state(desk.get(id)))


@router.get(
    "/trainings/{id}/clauses",
    response_model=room_models.LearningClauses,
    responses=problems(404, 422),
)
async def training_clauses(request: Request, id: Id) -> Response:
    """The strongest clauses of a machine that learns."""
    return JSONResponse(room_of(request).desk.get(id).clauses)


@router.get(
    "/trainings/{id}/events",
    response_class=StreamingResponse,
    responses=written(EVENTS, "Server-sent events: training, clauses, gone.", 404, 422, 503),
)
async def training_events(request: Request, id: Id) -> Response:
    """What happens in a training, as it happens."""
    room = room_of(request)
    return streamed(room.desk.listen(room.desk.get(id), lambda: room.hall.closing))


@router.post(
    "/trainings/{id}/stop",
    response_model=room_models.TrainingState,
    responses=problems(403, 404, 409, 413, 422),
)
async def stop(request: Request, id: Id) -> Response:
    """Stop a training after the step at hand."""
    desk = room_of(request).desk
    training = desk.get(id)
    desk.stop(training)
    return JSONResponse(desk.state(training))


@router.post(
    "/trainings/{id}/keep",
    response_model=room_models.TrainingState,
    responses=problems(403, 404, 409, 413, 422),
)
async def keep(request: Request, id: Id, wish: room_models.SaveMachineRequest) -> Response:
    """Keep what was learned: it is an opponent from now on."""
    desk = room_of(request).desk
    training = desk.get(id)
    desk.keep(training, wish.title)
    return JSONResponse(desk.state(training))


@router.delete("/trainings/{id}", status_code=204, responses=problems(403, 404, 422))
async def delete_training(request: Request, id: Id) -> Response:
    """Forget a training, and end it if it goes on."""
    desk = room_of(request).desk
    desk.delete(desk.get(id))
    return Response(status_code=204)


# ---- tournaments and reports


@router.get("/tournaments", response_model=list[room_models.FileEntry], responses=problems())
async def tournaments(request: Request) -> Response:
    """The files of games in the server's folder."""
    return JSONResponse(await _listed(room_of(request), "tournament"))


@router.get(
    "/tournaments/{id}",
    response_model=room_models.Tournament,
    responses=problems(404, 422, 503),
)
async def show_tournament(request: Request, id: Id) -> Response:
    """Ratings and tables of the games in a file."""
    entry = await _entry(room_of(request), "tournament", id)
    try:
        found = await asyncio.to_thread(tournament, entry)
    except (ValueError, TypeError, KeyError, SyntaxError, OSError) as error:
        raise ApiError(503, f"{entry.title} cannot be shown: {error}") from None
    return JSONResponse({"id": entry.id, "title": entry.title, **found})


@router.get("/reports", response_model=list[room_models.FileEntry], responses=problems())
async def reports(request: Request) -> Response:
    """The reports in the server's folder."""
    return JSONResponse(await _listed(room_of(request), "report"))


@router.get(
    "/reports/{id}",
    response_class=Response,
    responses=written("text/html", "The report, without scripts.", 404, 422, 503),
)
async def report(request: Request, id: Id) -> Response:
    """A report, to be shown in a frame."""
    entry = await _entry(room_of(request), "report", id)
    try:
        text = await asyncio.to_thread(report_page, entry)
    except OSError as error:
        raise ApiError(503, f"{entry.title} cannot be read: {error.strerror}.") from None
    return HTMLResponse(text, headers={"content-security-policy": POLICY})


async def _listed(room: Lab, kind: str) -> list[dict[str, Any]]:
    entries = await asyncio.to_thread(room.shelf.entries, kind)
    return [{"id": one.id, "title": one.title, "changed": one.changed} for one in entries]


async def _entry(room: Lab, kind: str, id: str) -> Any:
    try:
        return await asyncio.to_thread(room.shelf.get, kind, id)
    except LookupError as error:
        raise ApiError(404, str(error.args[0])) from None
