"""Trainings of a server: one at a time in a process of its own, the others wait their turn.

Everything here runs in the server's thread; the training itself is in `room_training`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clauseboard.game import Game
from clauseboard.web.board_view import settings_of
from clauseboard.web.errors import ApiError
from clauseboard.web.events import HEARTBEAT
from clauseboard.web.lab.saved_machines import PREFIX, SavedMachines
from clauseboard.web.opponents import NOT_MEASURED

MOST_WAITING = 4
MOST_TRAININGS = 20
"""Trainings that are remembered; the oldest that are over go."""
MOST_LISTENERS = 100
LONGEST_LINE = 1 << 24
LOOK = 1.0
"""Seconds after which who listens looks whether the program ends."""
ACTIVE = ("boards", "training", "measuring")
OVER = ("done", "stopped", "failed")


@dataclass(eq=False)
class Training:
    """A training: what was wished, and how far it is."""

    id: str
    game: Game
    wish: dict[str, Any]
    title: str
    step_name: str
    folder: Path
    phase: str = "waiting"
    text: str = ""
    share: float = 0.0
    of: int = 0
    boards: dict[str, Any] | None = None
    steps: list[dict[str, Any]] = field(default_factory=list)
    clauses: dict[str, Any] = field(
        default_factory=lambda: {"step": 0, "since": 0, "count": 0, "clauses": []}
    )
    measured: str = ""
    """What came of its games after the training."""
    kept: str | None = None
    begun: float = field(default_factory=time.time)
    stopping: bool = False
    process: Any = None
    listeners: set[asyncio.Queue[None]] = field(default_factory=set)

    @property
    def can_keep(self) -> bool:
        """Whether something was learned that nobody has kept yet."""
        return self.phase in OVER and bool(self.steps) and self.kept is None

    @property
    def strength(self) -> str:
        """What was measured of the machine at the end, in a line."""
        if not self.steps:
            return NOT_MEASURED
        name, value = next(iter(self.steps[-1]["figures"].items()), ("", 0.0))
        shown = f"{value:.1%}" if "accuracy" in name else f"{value:.4g}"
        games = self.measured or "no games measured"
        return f"{games}; {name} {shown}" if name else games


class TrainingQueue:
    """The trainings, and the machines that were kept of them."""

    def __init__(self, kept: SavedMachines) -> None:
        self.kept = kept
        self.trainings: OrderedDict[str, Training] = OrderedDict()
        self.closing = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._folder = Path(tempfile.mkdtemp(prefix="clauseboard-training-"))

    async def close(self) -> None:
        """End all trainings; what was not kept is gone."""
        self.closing = True
        for one in self.trainings.values():
            _end(one)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    # ---- what a person does

    def start(self, game: Game, wish: dict[str, Any], title: str, step_name: str) -> Training:
        """Begin a training, or let it wait for those before it."""
        if len(self._waiting()) >= MOST_WAITING:
            raise ApiError(503, f"{MOST_WAITING} trainings wait already; stop one first.")
        id = secrets.token_urlsafe(9)
        folder = self._folder / secrets.token_hex(8)
        folder.mkdir()
        training = Training(id, game, {**wish, "folder": str(folder)}, title, step_name, folder)
        self.trainings[id] = training
        self._forget_old()
        self._next()
        return training

    def get(self, id: str) -> Training:
        """A training by its id."""
        if id not in self.trainings:
            raise ApiError(404, "There is no such training any more.")
        return self.trainings[id]

    def stop(self, training: Training) -> None:
        """End a training after its step; one that waits is not begun."""
        if training.phase in OVER:
            raise ApiError(409, "This training is over already.")
        training.stopping = True
        if training.phase == "waiting":
            training.phase, training.text = "stopped", "It was stopped before it began."
        elif training.process is not None:
            with contextlib.suppress(OSError, RuntimeError):
                training.process.stdin.write(b"stop\n")
        self._tell(training)

    def keep(self, training: Training, title: str) -> str:
        """Keep the machine of a training that is over; its id among the opponents."""
        if not training.can_keep:
            if training.kept is not None:
                raise ApiError(409, "This machine is kept already.")
            raise ApiError(409, "There is nothing to keep yet: stop the training first.")
        done = training.steps[-1]["step"]
        plural = "" if done == 1 else "s"
        about = f"{training.title}: trained here, {done} {training.step_name}{plural}."
        try:
            card = self.kept.keep(
                training.folder, title or training.title, training.game,
                training.wish["learner"], about, training.strength,
            )  # fmt: skip
        except (ValueError, OSError) as error:
            raise ApiError(409, str(error)) from None
        training.kept = f"{PREFIX}{card.name}"
        self._tell(training)
        return training.kept

    def delete(self, training: Training) -> None:
        """Forget a training, and end it if it goes on."""
        del self.trainings[training.id]
        _end(training)
        training.phase = "stopped"
        self._tell(training)
        self._next()

    # ---- how it goes on

    def _waiting(self) -> list[Training]:
        return [one for one in self.trainings.values() if one.phase == "waiting"]

    def _next(self) -> None:
        """Begin the next training, if none goes on."""
        if self.closing or any(one.phase in ACTIVE for one in self.trainings.values()):
            return
        waiting = self._waiting()
        if waiting:
            waiting[0].phase, waiting[0].text = "boards", "The process that trains gets ready."
            task = asyncio.ensure_future(self._run(waiting[0]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        for one in waiting:
            self._tell(one)

    async def _run(self, training: Training) -> None:
        """A training from its beginning to its end, whatever that is."""
        try:
            # In a session of its own, Ctrl-C at the terminal is for the server only.
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "clauseboard.web.lab.training_process",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE, start_new_session=True,
            )  # fmt: skip
            training.process = process
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(training.wish).encode() + b"\n")
            if training.stopping:
                process.stdin.write(b"stop\n")
            async for line in process.stdout:
                self._heard(training, json.loads(line))
                self._tell(training)
            status = await process.wait()
            if training.phase not in OVER:
                training.phase, training.text = "failed", _killed(training, status)
        except (OSError, ValueError) as error:
            training.phase, training.text = "failed", f"The training cannot go on: {error}."
        finally:
            _end(training)
            training.process = None
        self._tell(training)
        self._next()

    def _heard(self, training: Training, said: dict[str, Any]) -> None:
        kind = said.pop("kind")
        if training.phase in OVER:
            return
        if kind == "phase":
            training.phase, training.text = said["phase"], said["text"]
        elif kind == "share":
            training.share = said["share"]
        elif kind == "boards":
            training.boards, training.share = said, 1.0
        elif kind == "step":
            training.of = said.pop("of")
            said["figures"] = {k: v for k, v in said["figures"].items() if math.isfinite(v)}
            training.steps.append(said)
        elif kind == "clauses":
            training.clauses = {"step": training.steps[-1]["step"], **said}
        elif kind == "measured":
            training.measured = said["text"]
        elif kind == "failed":
            training.phase, training.text = "failed", said["text"]
        elif kind == "done":
            training.phase = "stopped" if said["stopped"] else "done"
            training.text = ""

    def _forget_old(self) -> None:
        over = [one for one in self.trainings.values() if one.phase in OVER]
        for one in over[: max(0, len(self.trainings) - MOST_TRAININGS)]:
            del self.trainings[one.id]
            shutil.rmtree(one.folder, ignore_errors=True)

    # ---- telling

    def state(self, training: Training) -> dict[str, Any]:
        """A training as the page knows it, without its clauses."""
        waiting = self._waiting()
        place = waiting.index(training) + 1 if training in waiting else 0
        return {
            "id": training.id,
            "game": training.game.name,
            "settings": settings_of(training.game),
            "title": training.title,
            "learner": training.wish["learner"],
            "step_name": training.step_name,
            "phase": training.phase,
            "place": place,
            "stopping": training.stopping and training.phase not in OVER,
            "text": _told(training, place),
            "share": training.share,
            "of": training.of,
            "boards": training.boards,
            "steps": training.steps,
            "strength": training.strength if training.phase in OVER else NOT_MEASURED,
            "can_keep": training.can_keep,
            "kept": training.kept,
            "begun": training.begun,
        }

    def _tell(self, training: Training) -> None:
        for queue in training.listeners:
            if queue.empty():
                queue.put_nowait(None)

    def listen(self, training: Training, ends: Any) -> AsyncIterator[str]:
        """The events of a training; `ends()` tells whether the program does."""
        if sum(len(one.listeners) for one in self.trainings.values()) >= MOST_LISTENERS:
            raise ApiError(503, "Too many pages listen at once; close some.")
        return self._events(training, ends)

    async def _events(self, training: Training, ends: Any) -> AsyncIterator[str]:
        queue: asyncio.Queue[None] = asyncio.Queue()
        training.listeners.add(queue)
        queue.put_nowait(None)
        shown, spoken = -1, time.monotonic()
        try:
            yield "retry: 1000\n\n"
            while not (ends() or self.closing or training.id not in self.trainings):
                try:
                    await asyncio.wait_for(queue.get(), LOOK)
                except TimeoutError:
                    if time.monotonic() - spoken > HEARTBEAT:
                        spoken = time.monotonic()
                        yield ": still here\n\n"
                    continue
                spoken = time.monotonic()
                yield f"event: training\ndata: {json.dumps(self.state(training))}\n\n"
                if training.clauses["step"] != shown:
                    shown = training.clauses["step"]
                    yield f"event: clauses\ndata: {json.dumps(training.clauses)}\n\n"
            yield "event: gone\ndata: {}\n\n"
        finally:
            training.listeners.discard(queue)


def _end(training: Training) -> None:
    """End the process of a training; it is not needed any more."""
    process = training.process
    if process is not None and process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


def _killed(training: Training, status: int) -> str:
    how = f"with status {status}"
    if status < 0:
        how = f"by {signal.Signals(-status).name}"
    if not training.steps:
        return f"The process that trained was ended {how} before it had learned anything."
    done = f"{training.step_name} {training.steps[-1]['step']}"
    return f"The process that trained was ended {how}; what it learned up to {done} can be kept."


def _told(training: Training, place: int) -> str:
    """A sentence about how far it is."""
    if training.phase == "waiting":
        return f"It waits for its turn: number {place} in the queue."
    if training.phase == "training" and training.steps:
        name = training.step_name
        return f"{name.capitalize()} {training.steps[-1]['step']} of {training.of}."
    if training.phase == "training":
        return f"The first {training.step_name}; kernels may have to be compiled, once."
    if training.phase in ("done", "stopped") and not training.text:
        name, n = training.step_name, len(training.steps)
        how = "Done" if training.phase == "done" else "Stopped"
        return f"{how} after {n} {name}{'' if n == 1 else 's'}."
    return training.text
