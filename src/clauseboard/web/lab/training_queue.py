"""The trainings of a server: one at a time in a process of its own, the others wait.

Everything here runs in the server's thread; the training itself is in `training_process`.

Machines that are saved have a file and a card each, in the data folder. The server makes up the
names of the files; the person's title is in the card. Each machine is an opponent in the games that
it fits.
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
import time
from asyncio.subprocess import Process
from collections import OrderedDict
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fastapi.sse import ServerSentEvent

from clauseboard.files import ProcessFolder, read_bytes, write_text
from clauseboard.game import Game
from clauseboard.players import write_spec
from clauseboard.sqlite_store import DAMAGE
from clauseboard.web.board_view import settings_of
from clauseboard.web.lab.training import TrainingPlan
from clauseboard.web.models import (
    LearningClauses,
    MeasuredStep,
    Phase,
    TrainingBoards,
    TrainingState,
)
from clauseboard.web.opponents import NOT_MEASURED, Opponent
from clauseboard.web.responses import ApiError, EventHub

MOST_WAITING = 4
MOST_TRAININGS = 20
"""Trainings that are remembered; the oldest that are over are deleted."""
LONGEST_LINE = 1 << 24
OVER = ("done", "stopped", "failed")


@dataclass(eq=False)
class Training:
    """A training: its plan, and how far it is."""

    id: str
    game: Game
    plan: TrainingPlan
    title: str
    step_name: str
    folder: Path
    phase: Phase = "waiting"
    text: str = ""
    share: float = 0.0
    of: int = 0
    boards: TrainingBoards | None = None
    steps: list[MeasuredStep] = field(default_factory=list)
    clauses: LearningClauses = field(
        default_factory=lambda: LearningClauses(step=0, since=0, count=0, clauses=[])
    )
    measured: str = ""
    """The results of its games after the training."""
    kept: str | None = None
    begun: float = field(default_factory=time.time)
    stopping: bool = False
    process: Process | None = None

    @property
    def can_keep(self) -> bool:
        """Whether there is a machine that is not saved yet."""
        return self.phase in OVER and bool(self.steps) and self.kept is None

    @property
    def strength(self) -> str:
        """What was measured of the machine at the end, in a line."""
        if not self.steps:
            return NOT_MEASURED
        name, value = next(iter(self.steps[-1].figures.items()), ("", 0.0))
        shown = f"{100 * value:.1f} %" if "accuracy" in name else f"{value:.4g}"
        games = self.measured or "no games measured"
        return f"{games}; {name} {shown}" if name else games


class TrainingQueue:
    """The trainings of a server."""

    def __init__(self, machines: SavedMachines, hub: EventHub) -> None:
        self.machines, self.hub = machines, hub
        self.trainings: OrderedDict[str, Training] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._running: Training | None = None
        self._folder = ProcessFolder("clauseboard-training-")

    async def close(self) -> None:
        """End all trainings; unsaved machines are lost."""
        for training in self.trainings.values():
            _end(training)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._folder.remove()

    @property
    def folder(self) -> Path:
        """Where each training has a folder."""
        return self._folder.path

    # ---- requests

    def start(self, game: Game, plan: TrainingPlan, title: str, step_name: str) -> Training:
        """Begin a training, or let it wait for those before it."""
        if len(self._waiting()) >= MOST_WAITING:
            raise ApiError(503, f"{MOST_WAITING} trainings are waiting already; stop one first.")
        id = secrets.token_urlsafe(9)
        folder = self.folder / secrets.token_hex(8)
        folder.mkdir()
        plan = plan.model_copy(update={"folder": str(folder)})
        training = Training(id, game, plan, title, step_name, folder)
        self.trainings[id] = training
        self._forget_old()
        self._next()
        return training

    def get(self, id: str) -> Training:
        """A training by its id."""
        if id not in self.trainings:
            raise ApiError(404, "There is no such training.")
        return self.trainings[id]

    def stop(self, training: Training) -> None:
        """End a training after its step, or before it has begun."""
        if training.phase in OVER:
            raise ApiError(409, "This training is over already.")
        training.stopping = True
        if training.phase == "waiting":
            training.phase, training.text = "stopped", "It was stopped before it began."
        elif training.process is not None and training.process.stdin is not None:
            with contextlib.suppress(OSError, RuntimeError):
                training.process.stdin.write(b"stop\n")
        self._publish(training)

    def save(self, training: Training, title: str) -> None:
        """Save the machine of a training that is over, as an opponent."""
        if training.kept is not None:
            raise ApiError(409, "This machine is saved already.")
        if not training.can_keep:
            raise ApiError(409, "There is nothing to save yet: stop the training first.")
        done = training.steps[-1].step
        plural = "" if done == 1 else "s"
        about = f"{training.title}: trained here, {done} {training.step_name}{plural}."
        try:
            training.kept = self.machines.save(
                training.folder,
                title or training.title,
                training.game,
                training.plan.learner,
                about,
                training.strength,
            )
        except ValueError as error:
            raise ApiError(409, str(error)) from None
        self._publish(training)

    def delete(self, training: Training) -> None:
        """Delete a training, and end it if it runs."""
        del self.trainings[training.id]
        _end(training)
        training.phase = "stopped"
        if training is not self._running:
            shutil.rmtree(training.folder, ignore_errors=True)
        self.hub.publish(training.id, None)

    # ---- running

    def _waiting(self) -> list[Training]:
        return [training for training in self.trainings.values() if training.phase == "waiting"]

    def _next(self) -> None:
        """Begin the next training, if none runs."""
        if self.hub.closing or self._running is not None:
            return
        waiting = self._waiting()
        if waiting:
            self._running = waiting[0]
            waiting[0].phase, waiting[0].text = "boards", "The training process starts."
            task = asyncio.ensure_future(self._run(waiting[0]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        for training in waiting:
            self._publish(training)

    async def _run(self, training: Training) -> None:
        """Run a training from beginning to end, whatever the end is."""
        try:
            # In a session of its own, Ctrl-C at the terminal is for the server only.
            process = training.process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "clauseboard.web.lab.training_process",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE, start_new_session=True,
            )  # fmt: skip
            assert process.stdin is not None
            assert process.stdout is not None
            if training.id in self.trainings:  # or it was deleted while the process started
                process.stdin.write(training.plan.model_dump_json().encode() + b"\n")
            else:
                _end(training)
            if training.stopping:
                process.stdin.write(b"stop\n")
            async for line in process.stdout:
                self._receive(training, **json.loads(line))
                self._publish(training)
            status = await process.wait()
            if training.phase not in OVER:
                training.phase, training.text = "failed", _killed(training, status)
        except (OSError, ValueError) as error:
            training.phase, training.text = "failed", f"The training failed: {error}."
        finally:
            await _ended(training)
            self._running = None
        if training.id not in self.trainings:
            shutil.rmtree(training.folder, ignore_errors=True)
        self._publish(training)
        self._next()

    def _receive(self, training: Training, kind: str, **content: Any) -> None:
        """Note an event of the training process."""
        if training.phase in OVER:
            return
        if kind == "phase":
            training.phase, training.text = content["phase"], content["text"]
        elif kind == "share":
            training.share = content["share"]
        elif kind == "boards":
            training.boards, training.share = TrainingBoards(**content), 1.0
        elif kind == "step":
            training.of = content.pop("of")
            finite = {k: v for k, v in content["figures"].items() if math.isfinite(v)}
            training.steps.append(MeasuredStep(**{**content, "figures": finite}))
        elif kind == "clauses":
            training.clauses = LearningClauses(**content)
            self.hub.publish(training.id, training_event(training.clauses))
        elif kind == "measured":
            training.measured = content["text"]
        elif kind == "failed":
            training.phase, training.text = "failed", content["text"]
        elif kind == "done":
            training.phase = "stopped" if content["stopped"] else "done"
            training.text = ""

    def _forget_old(self) -> None:
        over = [training for training in self.trainings.values() if training.phase in OVER]
        for training in over[: max(0, len(self.trainings) - MOST_TRAININGS)]:
            del self.trainings[training.id]
            shutil.rmtree(training.folder, ignore_errors=True)

    # ---- answers

    def state(self, training: Training) -> TrainingState:
        """A training as it stands, without its clauses."""
        waiting = self._waiting()
        place = waiting.index(training) + 1 if training in waiting else 0
        over = training.phase in OVER
        return TrainingState(
            id=training.id,
            game=training.game.name,
            settings=settings_of(training.game),
            title=training.title,
            learner=training.plan.learner,
            step_name=training.step_name,
            phase=training.phase,
            place=place,
            stopping=training.stopping and not over,
            text=_text(training, place),
            share=training.share,
            of=training.of,
            boards=training.boards,
            steps=training.steps,
            strength=training.strength if over else NOT_MEASURED,
            can_keep=training.can_keep,
            kept=training.kept,
            begun=training.begun,
        )

    def _publish(self, training: Training) -> None:
        if self.hub.has_followers(training.id):
            self.hub.publish(training.id, training_event(self.state(training)))


def training_event(content: TrainingState | LearningClauses) -> ServerSentEvent:
    """The state or the clauses of a training as an event."""
    kind = "training" if isinstance(content, TrainingState) else "clauses"
    return ServerSentEvent(event=kind, raw_data=content.model_dump_json())


def _end(training: Training) -> None:
    process = training.process
    if process is not None and process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


async def _ended(training: Training) -> None:
    """Wait until the process of a training, if there is one, has ended."""
    _end(training)
    if training.process is not None:
        await training.process.wait()
        training.process = None


def _killed(training: Training, status: int) -> str:
    how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
    if not training.steps:
        return f"The training process ended {how} before it had learned anything."
    step = f"{training.step_name} {training.steps[-1].step}"
    return f"The training process ended {how}; what it learned up to {step} can be saved."


def _text(training: Training, place: int) -> str:
    """How far the training is, in a sentence."""
    name, steps = training.step_name, training.steps
    if training.phase == "waiting":
        return f"Waiting: number {place} in the queue."
    if training.phase == "training" and steps:
        return f"{name.capitalize()} {steps[-1].step} of {training.of}."
    if training.phase == "training":
        return f"The first {name}; the very first time, kernels are compiled."
    if training.phase in ("done", "stopped") and not training.text:
        how = "Done" if training.phase == "done" else "Stopped"
        return f"{how} after {len(steps)} {name}{'' if len(steps) == 1 else 's'}."
    return training.text


# ------------------------------------------------------------------ saved machines

PREFIX = "kept-"
MOST = 200
"""Machines that can be saved."""
MOST_BYTES = 1 << 20
"""Bytes of a card."""
MACHINE, HELD_OUT = "machine", "held-out.npz"
"""The files in the folder of a training: the machine, and boards that it did not learn from."""


@dataclass(frozen=True)
class SavedMachine:
    """The card of a saved machine."""

    name: str
    title: str
    game: str
    settings: dict[str, Any]
    learner: str
    about: str
    strength: str

    def __post_init__(self) -> None:
        texts = (self.title, self.game, self.learner, self.about, self.strength)
        if not all(isinstance(text, str) for text in texts) or not isinstance(self.settings, dict):
            raise TypeError("A card has texts, and settings by their names.")
        player_of(self.learner)


class SavedMachines:
    """The machines of a folder."""

    def __init__(self, data: Path) -> None:
        self.folder = data / "machines"
        self.cards: dict[str, SavedMachine] = {}
        for path in sorted(self.folder.glob("*.json")):
            with contextlib.suppress(OSError, *DAMAGE):  # it is not one of our cards
                card = SavedMachine(name=path.stem, **json.loads(read_bytes(path, MOST_BYTES)))
                self.cards[card.name] = card

    def opponents(self, game: Game) -> list[Opponent]:
        """The machines that play a game, the newest first."""
        settings = settings_of(game)
        return [
            Opponent(
                f"{PREFIX}{card.name}",
                card.title,
                card.about,
                player_line(card.learner, self.file(card.name)),
                card.strength,
                judges=True,
                readable=True,
                kept=True,
            )
            for card in reversed(self.cards.values())
            if card.game == game.name and card.settings == settings
        ]

    def file(self, name: str) -> Path:
        """The file of a machine, by the server's name for it."""
        return (self.folder / f"{name}.machine").resolve()

    def boards(self, id: str) -> str | None:
        """The boards that a machine did not learn from, if they were saved with it."""
        path = self.file(id.removeprefix(PREFIX)).with_suffix(".npz")
        return str(path) if id.startswith(PREFIX) and path.is_file() else None

    def save(
        self, folder: Path, title: str, game: Game, learner: str, about: str, strength: str
    ) -> str:
        """Save the machine in the folder of a training; its id as an opponent."""
        if len(self.cards) >= MOST:
            raise ValueError(f"{MOST} machines are saved already; delete one first.")
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"{game.name}-{time.strftime('%Y%m%d')}-{secrets.token_hex(3)}"
        card = SavedMachine(name, title, game.name, settings_of(game), learner, about, strength)
        file = self.file(name)
        content = {key: value for key, value in asdict(card).items() if key != "name"}
        try:
            shutil.copyfile(folder / MACHINE, file)
            if (folder / HELD_OUT).is_file():
                shutil.copyfile(folder / HELD_OUT, file.with_suffix(".npz"))
            # The card comes last: only with it the machine is complete.
            write_text(file.with_suffix(".json"), json.dumps(content, indent=1))
        except OSError:
            self._remove_files(name)
            raise
        self.cards[name] = card
        return f"{PREFIX}{name}"

    def delete(self, id: str) -> bool:
        """Delete a machine; False if there is none of this id."""
        card = self.cards.pop(id.removeprefix(PREFIX), None) if id.startswith(PREFIX) else None
        if card is None:
            return False
        self._remove_files(card.name)
        return True

    def _remove_files(self, name: str) -> None:
        for suffix in (".json", ".machine", ".npz"):
            self.file(name).with_suffix(suffix).unlink(missing_ok=True)


def player_of(learner: str) -> str:
    """The player of a trainer; "swarm-descent" is another way to train "swarm"."""
    from clauseboard.learners import learner_of_trainer

    return learner_of_trainer(learner).__name__.rpartition(".")[2].replace("_", "-")


def player_options(learner: str, path: Path) -> dict[str, Any]:
    """The options of the player of a file: the first one of every learner is its file."""
    from clauseboard.learners import learner_of_trainer

    names = list(learner_of_trainer(learner).OPTIONS)
    return {names[0]: str(path), **({"view": "mover"} if "view" in names else {})}


def player_line(learner: str, path: Path) -> str:
    """The player of a file, as one line."""
    return write_spec(player_of(learner), player_options(learner, path))
