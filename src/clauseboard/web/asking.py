"""Asking players, who think in other processes: how long they may, and what comes of it."""

from __future__ import annotations

import asyncio
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.web.errors import ApiError
from clauseboard.web.settings import Settings
from clauseboard.web.worker_pool import Job, WorkerError, WorkerPool

QUICK = 2.0
"""Seconds up to which an answer counts as quick."""


class WorkerClient:
    """Gives work to the processes of a server, and waits for it without holding anybody up."""

    def __init__(self, settings: Settings) -> None:
        self.grace = settings.grace
        self.pool = WorkerPool(settings.workers, settings.preparing)

    def job(
        self, task: str, arguments: dict[str, Any], seconds: float, awaited: bool = True
    ) -> Job:
        """Work for a player, within these seconds and some grace."""
        limited = task in ("choose", "why", "why_not")
        if limited:
            arguments = {**arguments, "limit": Limit(seconds=seconds)}
        # To explain takes a search or two, and pictures.
        times = 1 if task == "choose" else 3
        within = times * seconds + self.grace
        return Job(task, arguments, within, quick=seconds <= QUICK, awaited=awaited)

    async def asked(
        self, task: str, arguments: dict[str, Any], seconds: float, awaited: bool = True
    ) -> Any:
        """What comes of a question, or a refusal with its sentence."""
        return await self.answer(self.job(task, arguments, seconds, awaited))

    async def answer(self, job: Job) -> Any:
        """What comes of a job, or a refusal with its sentence."""
        try:
            return await self.result(job)
        except WorkerError as error:
            raise ApiError(422 if error.by_player else 503, str(error)) from None

    async def result(self, job: Job) -> Any:
        """What comes of a job; a `WorkerError` if it fails."""
        return await asyncio.wrap_future(self.pool.submit(job))
