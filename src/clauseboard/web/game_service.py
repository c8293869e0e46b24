"""All games of a server: they are begun and kept here, and their opponents made to think.

Everything here runs in one thread, the server's; only the thinking is done elsewhere (`pool`).
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import secrets
import time
from collections import OrderedDict
from concurrent.futures import Future
from typing import Any

from clauseboard.play.clock import Clock
from clauseboard.player import Choice
from clauseboard.web import board_view
from clauseboard.web.asking import QUICK, WorkerClient
from clauseboard.web.errors import ApiError, refused
from clauseboard.web.events import EventHub
from clauseboard.web.judging import GameJudge
from clauseboard.web.models import NewGame, PositionRequest
from clauseboard.web.opponents import Opponent, Opponents
from clauseboard.web.settings import USUAL_SECONDS, Settings
from clauseboard.web.store import GameStore
from clauseboard.web.web_game import WebGame, colour_of
from clauseboard.web.worker_pool import Job, JobCancelledError, WorkerError

MOST_IN_MEMORY = 2000
"""Games that are kept ready; the others are in the file."""
TICK = 0.2
"""Seconds after which who listens is told how far the opponent is with its thinking."""


class GameService:
    """The games of one server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.opponents = Opponents(settings.players)
        self.store = open_store(settings)
        self.asker = WorkerClient(settings)
        self.pool = self.asker.pool
        self.judging = GameJudge(self.asker, self._changed)
        self.listeners = EventHub()
        self._tables: OrderedDict[str, WebGame] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._prepared: dict[tuple[str, str], Future[Any]] = {}

    async def close(self) -> None:
        """End all that goes on; every game is in the file already."""
        self.listeners.close()
        for timer in self._timers.values():
            timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.to_thread(self.pool.close)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.store.close()

    @property
    def closing(self) -> bool:
        """Whether the program ends."""
        return self.listeners.closing

    async def end_thinking(self) -> None:
        """Let go of everybody who listens, and answer all who wait, so that the server can end."""
        self.listeners.close()
        await asyncio.to_thread(self.pool.close)

    # ---- games

    async def create(self, wish: NewGame) -> WebGame:
        """Begin a game."""
        game = refused(lambda: board_view.game_of(wish.game, wish.settings))
        record = None if wish.record is None else await self._read_record(wish.record, game)
        rules = game if record is None else record[0]
        if wish.opponent is None:
            opponent = self.opponents.of(rules)[0]
        else:
            named = wish.opponent
            opponent = refused(lambda: self.opponents.get(rules, named))
        table = WebGame(
            secrets.token_urlsafe(9),
            rules,
            opponent,
            refused(lambda: colour_of(rules, wish.colour)),
            judge=self._judge(rules, wish.judge, opponent),
            seconds=wish.seconds or USUAL_SECONDS,
            marks=wish.marks,
        )
        if record is not None:
            table.go_on(*record)
        elif wish.position is not None:
            table.restart(self._set_up(rules, wish.position))
        if wish.clock is not None:
            table.clock = Clock.fresh(rules.colours, wish.clock.minutes, wish.clock.increment)
            if table.outcome is None:
                table.clock.turn(table.position.to_move, time.monotonic())
        self._keep(table)
        self.store.prune(self.settings.most_games)
        self._changed(table)
        return table

    def get(self, id: str) -> WebGame:
        """A game by its id, from the file if need be; 404 if there is none."""
        table = self._tables.get(id)
        if table is None:
            kept = self.store.load(id)
            if kept is None:
                raise ApiError(404, "There is no such game any more.")
            try:
                table = self._restored(id, kept)
            except (ValueError, KeyError, TypeError):
                raise ApiError(
                    404, "This game was kept by another version and cannot be read any more."
                ) from None
            self._keep(table)
            self._go_on(table)
        self._tables.move_to_end(id)
        return table

    def delete(self, id: str) -> None:
        """Forget a game."""
        table = self.get(id)
        self._stop(table)
        self._tables.pop(id, None)
        self.store.delete(id)
        if id in self._timers:
            self._timers.pop(id).cancel()
        self.listeners.dismiss(table)

    def _judge(self, game: Any, named: str | None, opponent: Opponent) -> Opponent | None:
        if named is None:
            return self.opponents.judge_for(game, opponent)
        judge = refused(lambda: self.opponents.get(game, named))
        if judge.is_person:
            raise ApiError(422, "A person cannot be asked to judge; name a player.")
        return judge

    def _restored(self, id: str, kept: dict[str, Any]) -> WebGame:
        game = board_view.game_of(kept["game"], kept["settings"])
        found = {one.id: one for one in self.opponents.of(game)}
        opponent = found.get(kept["opponent"]) or _gone(kept["opponent"])
        judge = found.get(kept["judge"])
        return WebGame.restored(id, kept, opponent, judge)

    def _keep(self, table: WebGame) -> None:
        self._tables[table.id] = table
        if len(self._tables) > MOST_IN_MEMORY:
            for id, old in self._tables.items():
                if old.thinking is None and old not in self.listeners and old is not table:
                    del self._tables[id]
                    break

    # ---- what is done with a game

    def play(self, table: WebGame, text: str, version: int | None) -> None:
        """A person's move."""
        self._check(table, version)
        if table.outcome is not None:
            raise ApiError(409, f"The game is over: {table.outcome}.")
        if table.opponents_turn:
            raise ApiError(409, f"It is {table.opponent.title}'s turn.")
        refused(lambda: table.play(text))
        self._changed(table)
        if not table.opponents_turn:
            self._mark(table)

    def undo(self, table: WebGame, version: int | None) -> None:
        """Take a move back."""
        self._check(table, version)
        self._stop(table)
        try:
            refused(table.undo, 409)
        finally:
            self._changed(table)

    def resign(self, table: WebGame, version: int | None) -> None:
        """A person gives up."""
        self._check(table, version)
        if table.outcome is not None:
            raise ApiError(409, f"The game is over already: {table.outcome}.")
        self._stop(table)
        table.resign()
        self._changed(table)

    def retry(self, table: WebGame) -> None:
        """Let an opponent that failed think again."""
        if not table.opponents_turn or table.thinking is not None:
            raise ApiError(409, "There is nothing to try again: nobody has failed.")
        table.error = None
        self._changed(table)

    def set_dead(self, table: WebGame, cells: list[str]) -> None:
        """Name the dead stones."""
        refused(lambda: table.set_dead(cells), 422 if table.is_counted else 409)
        table.version += 1
        self._changed(table)

    def restart(self, table: WebGame, wish: PositionRequest) -> None:
        """Begin anew from a board that was set up."""
        position = self._set_up(table.game, wish)
        self._stop(table)
        table.restart(position)
        self._changed(table)

    async def load(self, table: WebGame, text: str) -> None:
        """Go on with a record."""
        rules, positions, moves, end = await self._read_record(text, table.game)
        if rules != table.game:
            opponent = table.opponent
            table.opponent = refused(lambda: self.opponents.get(rules, opponent.id))
            table.judge = self._judge(rules, None, table.opponent)
        self._stop(table)
        table.go_on(rules, positions, moves, end)
        self._changed(table)

    async def _read_record(self, text: str, game: Any) -> Any:
        return await self.asker.asked("read_record", {"text": text, "game": game}, 0.0)

    def _set_up(self, game: Any, wish: PositionRequest) -> Any:
        pieces = None if wish.pieces is None else [(one.cell, one.piece) for one in wish.pieces]
        return refused(lambda: board_view.set_up(game, wish.text, pieces, wish.to_move))

    def _check(self, table: WebGame, version: int | None) -> None:
        """Refuse what was meant for an earlier board."""
        if table.run_out():
            self._changed(table)
            raise ApiError(409, f"The game is over: {table.outcome}.")
        if version is not None and version < table.moved:
            raise ApiError(409, "The game has gone on meanwhile; look at the board again.")

    # ---- thinking

    def _changed(self, table: WebGame) -> None:
        """After every change: keep the game, let the opponent think, tell who listens."""
        self._go_on(table)
        self._save(table)
        self._tell(table)

    def _save(self, table: WebGame) -> None:
        self.store.save(table.id, table.kept(), table.summary())

    def _go_on(self, table: WebGame) -> None:
        """Begin what is to be done in a game that nobody has to ask for."""
        if table.opponents_turn and table.thinking is None and table.error is None:
            table.thinking = job = self.asker.job(
                "choose",
                {"line": table.opponent.line, "position": table.position},
                self._time_for(table),
            )
            self._start(self._think(table, job))
        if table.is_counted and not (table.dead or table.dead_suggested or table.dead_named):
            table.dead_suggested = True
            self._start(self._suggest_dead(table))
        self._set_timer(table)

    def _time_for(self, table: WebGame) -> float:
        """The seconds for a move; a clock that runs out leaves less."""
        if table.clock is None:
            return table.seconds
        left = table.clock.left(table.position.to_move, time.monotonic())
        return max(0.05, min(table.seconds, left / 20))

    async def _think(self, table: WebGame, job: Job) -> None:
        """Have the opponent's move chosen, and play it, if it is still wanted."""
        if not table.opponent.line:
            self._fail(table, f"{table.opponent.title} is not here any more; undo, or begin anew.")
            return
        started = time.monotonic()
        ticking = self._start(self._tick(table, job, started))
        try:
            await self._preparation(table)
            if table.thinking is not job:
                return
            choice: Choice = await self.asker.result(job)
            if table.thinking is not job:
                return
            table.thinking = None
            if table.run_out():
                self._changed(table)
                return
            self._tell_done(table, choice, started)
            table.accept(choice)
        except JobCancelledError:
            return
        except (WorkerError, ValueError) as error:
            if table.thinking is job:
                self._fail(table, f"{table.opponent.title} could not move: {error}")
            return
        finally:
            ticking.cancel()
        self._changed(table)
        self._mark(table)

    def _mark(self, table: WebGame) -> None:
        """Have the person's last move judged, now that it has been answered."""
        if table.wants_marks and table.judge is not None and table.judge.judges:
            self._start(self.judging.mark(table))

    def _fail(self, table: WebGame, sentence: str) -> None:
        table.thinking, table.error = None, sentence
        table.version += 1
        self._changed(table)

    def _stop(self, table: WebGame) -> None:
        """Stop the opponent's thinking: its result is not wanted any more."""
        job, table.thinking = table.thinking, None
        if job is not None and not (job.quick and job.process):
            # It may take a second to end a process.
            self._start(asyncio.to_thread(self.pool.stop, job))

    def prepare(self, game: Any) -> None:
        """Get a game's usual opponent ready while the person still chooses.

        The first time on a machine, kernels are compiled by that, which takes a while.
        """
        line = self.opponents.of(game)[0].line
        if line and (line, game.name) not in self._prepared:
            job = self.asker.job("prepare", {"line": line, "game": game}, 0.0, awaited=False)
            with contextlib.suppress(WorkerError):
                self._prepared[line, game.name] = self.pool.submit(job)

    def _prepares(self, table: WebGame, job: Job) -> bool:
        """Whether the opponent is being got ready; it may also wait for a process to be free."""
        under_way = self._prepared.get((table.opponent.line, table.game.name))
        waits_for_it = under_way is not None and not under_way.done()
        return not job.ready and (waits_for_it or job.process is not None)

    async def _preparation(self, table: WebGame) -> None:
        """Wait while the opponent is got ready: a second process would compile the same kernels."""
        under_way = self._prepared.get((table.opponent.line, table.game.name))
        if under_way is not None and not under_way.done():
            with contextlib.suppress(WorkerError):
                await asyncio.wrap_future(under_way)

    async def _suggest_dead(self, table: WebGame) -> None:
        moved = table.moved
        with contextlib.suppress(WorkerError, ValueError):
            cells = await self.asker.result(
                self.asker.job("find_dead", {"position": table.position}, QUICK)
            )
            if table.moved == moved and not (table.dead or table.dead_named):
                table.set_dead(cells, suggested=True)
                table.version += 1
                self._changed(table)

    # ---- clocks

    def _set_timer(self, table: WebGame) -> None:
        """Look at the clock when it would run out."""
        old = self._timers.pop(table.id, None)
        if old is not None:
            old.cancel()
        if table.clock is None or table.clock.running is None:
            return
        left = table.clock.left(table.clock.running, time.monotonic())
        loop = asyncio.get_running_loop()
        self._timers[table.id] = loop.call_later(left + 0.01, self._look_at_clock, table)

    def _look_at_clock(self, table: WebGame) -> None:
        if self.closing:
            return
        if table.run_out():
            self._stop(table)
            self._changed(table)
        else:
            self._set_timer(table)

    # ---- telling

    def _tell(self, table: WebGame) -> None:
        if table in self.listeners:
            self.listeners.tell(table, "state", table.state_text())

    def _tell_done(self, table: WebGame, choice: Choice, started: float) -> None:
        if table not in self.listeners:
            return
        told = {"limit": table.seconds, "preparing": False, **_thought(table, choice)}
        told["seconds"] = round(time.monotonic() - started, 3)
        self.listeners.tell(table, "thinking", json.dumps(told))

    async def _tick(self, table: WebGame, job: Job, started: float) -> None:
        """Tell who listens how long the opponent has been thinking, and what it thinks so far."""
        was_ready = False
        while table.thinking is job:
            now = time.monotonic()
            if job.ready and not was_ready:
                was_ready, started = True, now
            if table in self.listeners:
                told = {} if job.thought is None else _thought(table, job.thought)
                told |= {"seconds": round(now - started, 1), "limit": table.seconds}
                told["preparing"] = self._prepares(table, job)
                self.listeners.tell(table, "thinking", json.dumps(told))
            await asyncio.sleep(TICK)

    def _start(self, work: Any) -> asyncio.Task[Any]:
        """Let something go on by itself."""
        task: asyncio.Task[Any] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _thought(table: WebGame, choice: Choice) -> dict[str, Any]:
    """What a choice has cost, what it is worth to who makes it, and the line it expects."""
    moves = () if choice.resigns else choice.line or (choice.move,)
    line = board_view.texts_of(table.position, moves)
    return {**dataclasses.asdict(choice.cost), "value": choice.value, "line": line}


def open_store(settings: Settings) -> GameStore:
    """The file of the games, in a folder that is made if need be."""
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"{settings.data} cannot be the folder of the games: {error.strerror}; name another."
        ) from None
    return GameStore(settings.data / "games.sqlite")


def _gone(id: str) -> Opponent:
    """An opponent that was there when the game began."""
    return Opponent(id, id, "It is not here any more.")
