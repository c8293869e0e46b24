"""Errors and event streams: the two kinds of answers that are no models."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.sse import ServerSentEvent
from starlette.exceptions import HTTPException

from clauseboard.game import NotationError
from clauseboard.web.models import Problem

MOST_STREAMS = 1000
"""Streams that may be open at once."""
MOST_EVENTS = 100
"""Events that wait for a slow page; then the oldest are dropped."""

PROBLEMS: dict[int, str] = {
    400: "The request is malformed.",
    401: "The request needs a token.",
    403: "The request does not come from this page.",
    404: "There is no such thing.",
    409: "Not possible now; the sentence says why.",
    413: "The request is too large.",
    422: "Against the rules of the game, or of this interface.",
    429: "Too many requests at a time.",
    503: "Busy, the disk is full, or a player failed; try again.",
}

T = TypeVar("T")


class ApiError(Exception):
    """An error for the client: the status of the answer, and a sentence for the person."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


def checked(work: Callable[[], T], status: int = 422) -> T:
    """The result of `work`; its `ValueError` becomes an `ApiError` with the same sentence."""
    try:
        return work()
    except ValueError as error:
        # The page shows the position, which the whole text of the error quotes.
        shown = error.reason if isinstance(error, NotationError) else str(error)
        raise ApiError(status, shown) from None


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of a request, for its description; some are possible for all."""
    return {
        status: {"model": Problem, "description": PROBLEMS[status]}
        for status in sorted({400, 401, 429, *statuses})
    }


def text_answer(kind: str, description: str, *statuses: int) -> dict[int | str, dict[str, Any]]:
    """An answer that is no JSON, and its errors, for the description of a request."""
    # Named here, for an error is JSON whatever the kind of the answer.
    problem = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    errors = {
        status: {"description": error["description"], "content": problem}
        for status, error in problems(*statuses).items()
    }
    content = {kind: {"schema": {"type": "string"}}}
    return {**errors, 200: {"description": description, "content": content}}


def add_error_handlers(app: FastAPI) -> None:
    """Answer every error with a `Problem`."""

    def api_error(request: Request, error: Any) -> Response:
        return _problem(error.status, error.detail)

    def http_error(request: Request, error: Any) -> Response:
        return _problem(error.status_code, f"{error.detail}.", error.headers)

    def system_error(request: Request, error: Any) -> Response:
        # A full disk, a file that cannot be read: the person can mend it, and try again.
        return _problem(503, f"{error.strerror}." if error.strerror else str(error))

    def validation_error(request: Request, error: Any) -> Response:
        first = error.errors()[0]
        place = [str(part) for part in first["loc"] if part not in ("body", "query", "path")]
        message = f"{first['msg']}."
        return _problem(422, f"{'.'.join(place)}: {message}" if place else message)

    app.add_exception_handler(ApiError, api_error)
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(OSError, system_error)
    app.add_exception_handler(RequestValidationError, validation_error)


def _problem(status: int, detail: str, headers: Any = None) -> Response:
    return JSONResponse(Problem(detail=detail).model_dump(), status, headers=headers)


Queue = asyncio.Queue[ServerSentEvent | None]


class EventHub:
    """Sends events to the pages that follow a game or a training, by its id."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self.most = most
        self.closing = False
        self._queues: dict[str, set[Queue]] = {}

    def has_followers(self, id: str) -> bool:
        """Whether any page follows a game or training."""
        return bool(self._queues.get(id))

    def publish(self, id: str, event: ServerSentEvent | None) -> None:
        """Send an event to all pages that follow `id`; None ends their streams."""
        for queue in self._queues.get(id, ()):
            _put(queue, event)

    def close(self) -> None:
        """End all streams, so that the server can stop."""
        self.closing = True
        for id in self._queues:
            self.publish(id, None)

    @contextlib.contextmanager
    def subscribe(self, id: str) -> Iterator[Queue]:
        """A queue of the events of `id`; a 503 if there are too many streams."""
        if sum(map(len, self._queues.values())) >= self.most:
            raise ApiError(503, "Too many pages are open at once; close some.")
        queue: Queue = asyncio.Queue(MOST_EVENTS)
        if self.closing:
            _put(queue, None)
        queues = self._queues.setdefault(id, set())
        queues.add(queue)
        try:
            yield queue
        finally:
            queues.discard(queue)
            if not queues:
                self._queues.pop(id, None)


async def stream(queue: Queue, *first: ServerSentEvent) -> AsyncIterator[ServerSentEvent]:
    """The events of a queue, after the `first` ones; the last is `gone`."""
    yield ServerSentEvent(comment="reconnect after a second", retry=1000)
    for event in first:
        yield event
    while (sent := await queue.get()) is not None:
        yield sent
    yield ServerSentEvent(event="gone", raw_data="{}")


def _put(queue: Queue, event: ServerSentEvent | None) -> None:
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(event)
