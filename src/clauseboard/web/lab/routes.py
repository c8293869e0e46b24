"""The requests of the lab: machines and their clauses, trainings, tournaments and reports."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from clauseboard.game import Game
from clauseboard.web import models
from clauseboard.web.board_view import game_of
from clauseboard.web.game_service import GameService
from clauseboard.web.lab import training
from clauseboard.web.lab.reports import (
    POLICY,
    ReportFile,
    ReportFolder,
    keep_report,
    tournament,
)
from clauseboard.web.lab.tournaments import TournamentRunner
from clauseboard.web.lab.training_queue import (
    SavedMachines,
    Training,
    TrainingQueue,
    training_event,
)
from clauseboard.web.opponents import BUILT_IN, Opponent
from clauseboard.web.responses import (
    ApiError,
    EventHub,
    Queue,
    checked,
    problems,
    stream,
    text_answer,
)
from clauseboard.web.routes import EVENTS, SETTINGS, Id, queried_game
from clauseboard.web.settings import Settings
from clauseboard.web.worker_pool import Job

READING = 5.0
"""Seconds in which a report must be ready."""
COUNTING = 60.0
"""Seconds in which the clauses of a machine must be counted."""
MOST_STREAMS = 100


class Lab:
    """The lab of a server."""

    def __init__(self, settings: Settings, games: GameService) -> None:
        self.games = games
        self.data = settings.data
        self.machines = SavedMachines(settings.data)
        self.hub = EventHub(MOST_STREAMS)
        self.trainings = TrainingQueue(self.machines, self.hub)
        data = Path(os.path.realpath(settings.data))
        self.tournaments = TournamentRunner(data / "tournaments")
        self.own_reports = data / "reports"
        self.reports = ReportFolder(settings.folder, self.tournaments.folder, self.own_reports)
        games.opponents.sources.append(self.machines.opponents)

    async def close(self) -> None:
        """End all trainings and streams."""
        self.hub.close()
        await self.tournaments.close()
        await self.trainings.close()

    def readable(self, game: Game) -> list[Opponent]:
        """The players of a game whose clauses can be read."""
        plain = {opponent.line for opponent in BUILT_IN}
        opponents = self.games.opponents.of(game)
        return [player for player in opponents if player.readable and player.line not in plain]


router = APIRouter()


async def lab_of(request: Request) -> Lab:
    """The lab of this server."""
    lab: Lab = request.app.state.lab
    return lab


ThisLab = Annotated[Lab, Depends(lab_of)]


async def training_by_id(id: Id, lab: ThisLab) -> Training:
    """The training that a request is about."""
    return lab.trainings.get(id)


ThisTraining = Annotated[Training, Depends(training_by_id)]


# ---- machines


@router.get("/machines", responses=problems(422), openapi_extra=SETTINGS)
async def machines(request: Request, game: models.Name, lab: ThisLab) -> list[models.Machine]:
    """The players of a game whose clauses can be read."""
    return [
        models.Machine.model_validate(opponent)
        for opponent in lab.readable(queried_game(request, game))
    ]


@router.get("/machines/{id}/clauses", responses=problems(404, 422, 503), openapi_extra=SETTINGS)
async def clauses(
    request: Request,
    id: Id,
    game: models.Name,
    lab: ThisLab,
    sort: models.Sort = "weight",
    about: models.Name | None = None,
    favours: models.Favours | None = None,
    cell: models.Name | None = None,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> models.Gallery:
    """Twelve clauses of a machine; 422 if the player does not judge by clauses.

    `sort` is by weight, votes in all, how often right or wrong, support, or the shortest.
    """
    asked = {"sort": sort, "about": about, "favours": favours, "cell": cell, "page": page}
    rules = queried_game(request, game, *asked)
    machine = next((opponent for opponent in lab.readable(rules) if opponent.id == id), None)
    if machine is None:
        raise ApiError(404, "There is no such machine in this game.")
    arguments: dict[str, Any] = {
        "line": machine.line,
        "game": rules,
        "machine": models.Machine.model_validate(machine),
        "own_boards": lab.machines.boards(machine.id),
        "folder": str(lab.data),
        "asked": asked,
    }
    return await lab.games.client.answer(Job("clauses", arguments, COUNTING, quick=False))


@router.delete("/machines/{id}", status_code=204, responses=problems(403, 404, 422))
async def delete_machine(id: Id, lab: ThisLab) -> Response:
    """Delete a saved machine."""
    if not lab.machines.delete(id):
        raise ApiError(404, "There is no such machine among the saved ones.")
    return Response(status_code=204)


# ---- trainings


@router.get("/trainings/choices", responses=problems(422), openapi_extra=SETTINGS)
async def choices(request: Request, game: models.Name, lab: ThisLab) -> models.Choices:
    """The options of a training of a game."""
    rules = queried_game(request, game)
    return await asyncio.to_thread(training.choices, rules, lab.games.opponents.of(rules))


@router.get("/trainings", responses=problems())
async def trainings(lab: ThisLab) -> list[models.TrainingState]:
    """All trainings, the newest first."""
    return [
        lab.trainings.state(training) for training in reversed(lab.trainings.trainings.values())
    ]


@router.post("/trainings", status_code=201, responses=problems(403, 413, 422, 503))
async def train(body: models.TrainingRequest, lab: ThisLab) -> models.TrainingState:
    """Begin a training. One runs at a time; up to four more wait, a fifth is refused (503)."""
    game = checked(lambda: game_of(body.game, body.settings))
    opponents = lab.games.opponents.of(game)
    try:
        # Loading a learner takes a second or two, the first time.
        planned = await asyncio.to_thread(training.plan, game, body, opponents)
    except ValueError as error:
        raise ApiError(422, str(error)) from None
    return lab.trainings.state(lab.trainings.start(game, *planned))


@router.get("/trainings/{id}", responses=problems(404, 422))
async def training_state(training: ThisTraining, lab: ThisLab) -> models.TrainingState:
    """A training as it stands."""
    return lab.trainings.state(training)


@router.get("/trainings/{id}/clauses", responses=problems(404, 422))
async def training_clauses(training: ThisTraining) -> models.LearningClauses:
    """The strongest clauses of a machine that is being trained."""
    return training.clauses


async def _followed(training: ThisTraining, lab: ThisLab) -> AsyncIterator[Queue]:
    with lab.hub.subscribe(training.id) as queue:
        yield queue


@router.get(
    "/trainings/{id}/events",
    response_class=EventSourceResponse,
    responses=text_answer(EVENTS, "Server-sent events: training, clauses, gone.", 404, 422, 503),
)
async def training_events(
    training: ThisTraining, lab: ThisLab, queue: Annotated[Queue, Depends(_followed)]
) -> AsyncIterator[ServerSentEvent]:
    """The events of a training, its state and clauses first."""
    state = training_event(lab.trainings.state(training))
    async for event in stream(queue, state, training_event(training.clauses)):
        yield event


CHANGE = problems(403, 404, 409, 413, 422)


@router.post("/trainings/{id}/stop", responses=CHANGE)
async def stop(training: ThisTraining, lab: ThisLab) -> models.TrainingState:
    """Stop a training after the current step."""
    lab.trainings.stop(training)
    return lab.trainings.state(training)


@router.post("/trainings/{id}/keep", responses=CHANGE)
async def keep(
    training: ThisTraining, body: models.SaveMachineRequest, lab: ThisLab
) -> models.TrainingState:
    """Save the machine of a training that is over, as an opponent; 409 if there is none yet."""
    lab.trainings.save(training, body.title)
    return lab.trainings.state(training)


@router.delete("/trainings/{id}", status_code=204, responses=problems(403, 404, 422))
async def delete_training(training: ThisTraining, lab: ThisLab) -> Response:
    """Delete a training, and end it if it runs."""
    lab.trainings.delete(training)
    return Response(status_code=204)


# ---- tournaments and reports


@router.get("/tournaments", responses=problems())
async def tournaments(lab: ThisLab) -> list[models.FileEntry]:
    """The tournaments that were begun here, and those in the server's folder."""
    return await _listed(lab, "tournament")


@router.post("/tournaments", status_code=201, responses=problems(403, 409, 413, 422, 503))
async def begin_tournament(body: models.TournamentRequest, lab: ThisLab) -> models.Tournament:
    """Begin a tournament; one is played at a time."""
    game = checked(lambda: game_of(body.game, body.settings))
    path = lab.tournaments.start(game, body, lab.games.opponents.of(game))
    files = await asyncio.to_thread(lab.reports.files, "tournament")
    return await _shown(lab, next(file for file in files if file.path == path))


@router.get("/tournaments/{id}", responses=problems(404, 422, 503))
async def show_tournament(id: Id, lab: ThisLab) -> models.Tournament:
    """The ratings and tables of a tournament, as far as it is played."""
    return await _shown(lab, await _file(lab, "tournament", id))


@router.post("/tournaments/{id}/stop", responses=problems(403, 404, 409, 413, 422, 503))
async def stop_tournament(id: Id, lab: ThisLab) -> models.Tournament:
    """Stop a tournament; the games that are over stay."""
    file = await _file(lab, "tournament", id)
    lab.tournaments.stop(file.path)
    return await _shown(lab, file)


@router.delete("/tournaments/{id}", status_code=204, responses=problems(403, 404, 409, 422, 503))
async def delete_tournament(id: Id, lab: ThisLab) -> Response:
    """Delete a tournament that was begun here."""
    lab.tournaments.delete((await _file(lab, "tournament", id)).path)
    return Response(status_code=204)


async def _shown(lab: Lab, file: ReportFile) -> models.Tournament:
    try:
        found = await asyncio.to_thread(tournament, file)
    except (ValueError, OSError) as error:
        raise ApiError(503, f"{file.title} cannot be shown: {error}") from None
    playing = lab.tournaments.running(file.path)
    running = playing is not None and not (playing.over or playing.stopped)
    text = f"{found.games:,} game{'' if found.games == 1 else 's'}"
    if found.of is not None and found.games < found.of:
        text = f"{found.games:,} of {found.of:,} games"
    text += " so far." if running else "."
    if playing is not None and playing.text:
        text += f" It ended early: {playing.text}"
    return found.model_copy(update={"running": running, "text": text})


@router.get("/reports", responses=problems())
async def reports(lab: ThisLab) -> list[models.FileEntry]:
    """The reports that were kept here, and those in the server's folder."""
    return await _listed(lab, "report")


@router.post("/reports", status_code=201, responses=problems(403, 413, 422, 503))
async def keep_a_report(body: models.ReportRequest, lab: ThisLab) -> models.FileEntry:
    """Keep a report."""
    path = checked(lambda: keep_report(lab.own_reports, body.title, body.kind, body.text), 503)
    files = await asyncio.to_thread(lab.reports.files, "report")
    return models.FileEntry.model_validate(next(file for file in files if file.path == path))


@router.delete("/reports/{id}", status_code=204, responses=problems(403, 404, 422, 503))
async def delete_report(id: Id, lab: ThisLab) -> Response:
    """Delete a report that was kept here."""
    file = await _file(lab, "report", id)
    if not file.own:
        raise ApiError(403, "Only reports that were kept here can be deleted.")
    file.path.unlink(missing_ok=True)
    return Response(status_code=204)


@router.get(
    "/reports/{id}",
    response_class=Response,
    responses=text_answer("text/html", "The report, without scripts.", 404, 422, 503),
)
async def report(id: Id, lab: ThisLab) -> Response:
    """A report for a sandboxed frame; its policy lets no script run."""
    file = await _file(lab, "report", id)
    text = await lab.games.client.answer(Job("report", {"file": file}, READING))
    return HTMLResponse(text, headers={"content-security-policy": POLICY})


async def _listed(lab: Lab, kind: str) -> list[models.FileEntry]:
    files = await asyncio.to_thread(lab.reports.files, kind)
    return [models.FileEntry.model_validate(file) for file in files]


async def _file(lab: Lab, kind: str, id: str) -> ReportFile:
    for file in await asyncio.to_thread(lab.reports.files, kind):
        if file.id == id:
            return file
    raise ApiError(404, f"There is no such {kind}.")
