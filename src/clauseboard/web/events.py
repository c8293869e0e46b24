"""Who listens to which game, and what they are told: server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from clauseboard.web.errors import ApiError
from clauseboard.web.web_game import WebGame

MOST = 1000
"""Pages that may listen at once."""
HEARTBEAT = 15.0
"""Seconds after which a line is sent, so that nobody takes the connection for dead."""
WAITING = 100
"""Events that wait for a page that does not keep up; the oldest are left out then."""


class EventHub:
    """The pages that listen, game by game."""

    def __init__(self) -> None:
        self._queues: dict[str, set[asyncio.Queue[Any]]] = {}
        self.closing = False

    def __contains__(self, table: WebGame) -> bool:
        """Whether anybody listens to a game."""
        return bool(self._queues.get(table.id))

    def tell(self, table: WebGame, kind: str, content: str) -> None:
        """Send an event, whose content is JSON, to all who listen to a game."""
        head = f"id: {table.version}\n" if kind == "state" else ""
        for queue in self._queues.get(table.id, ()):
            _put(queue, f"event: {kind}\n{head}data: {content}\n\n")

    def dismiss(self, table: WebGame) -> None:
        """Say that a game is gone."""
        for queue in self._queues.get(table.id, ()):
            _put(queue, None)

    def close(self) -> None:
        """Let go of everybody, so that the server can end."""
        self.closing = True
        for queues in self._queues.values():
            for queue in queues:
                _put(queue, None)

    def listen(self, table: WebGame) -> AsyncIterator[str]:
        """The events of a game, its state first."""
        if sum(map(len, self._queues.values())) >= MOST:
            raise ApiError(503, "Too many pages listen at once; close some.")
        queue: asyncio.Queue[Any] = asyncio.Queue(WAITING)
        self._queues.setdefault(table.id, set()).add(queue)
        return self._events(table, queue)

    async def _events(self, table: WebGame, queue: asyncio.Queue[Any]) -> AsyncIterator[str]:
        try:
            state = table.state_text()
            yield f"retry: 1000\nevent: state\nid: {table.version}\ndata: {state}\n\n"
            while not self.closing:
                try:
                    event = await asyncio.wait_for(queue.get(), HEARTBEAT)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if event is None:
                    break
                yield event
            yield "event: gone\ndata: {}\n\n"
        finally:
            queues = self._queues[table.id]
            queues.discard(queue)
            if not queues:
                del self._queues[table.id]


def _put(queue: asyncio.Queue[Any], event: Any) -> None:
    """Give an event to who listens; who does not keep up misses the oldest ones."""
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(event)
