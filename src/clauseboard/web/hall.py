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
from collections.abc import AsyncIterator
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.player import Choice
from clauseboard.players.searcher import explain_end
from clauseboard.web import boards
from clauseboard.web.clock import Clock
from clauseboard.web.models import NewGame, SetUp, WhyNotWish, WhyWish
from clauseboard.web.opponents import NOT_MEASURED, Opponent, Opponents
from clauseboard.web.pool import Job, Pool, StoppedError, ThinkingError
from clauseboard.web.settings import USUAL_SECONDS, Settings
from clauseboard.web.store import GameStore
from clauseboard.web.table import Table, colour_of, who

QUICK = 2.0
"""Seconds up to which an answer counts as quick."""
MARKING = 1.0
"""Seconds for each of the two questions that tell whether a move was a mistake, at most."""
MOST_TABLES = 2000
"""Games that are kept ready; the others are in the file."""
MOST_LISTENERS = 1000
HEARTBEAT = 15.0
TICK = 0.5


class RefusedError(Exception):
    """What cannot be done: the status of the answer, and a sentence."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


class Hall:
    """The games of one server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.opponents = Opponents(settings.players)
        self.store = open_store(settings)
        self.pool = Pool(settings.workers, settings.preparing)
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._listeners: dict[str, set[asyncio.Queue[Any]]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._prepared: set[tuple[str, str]] = set()
        self.closing = False

    async def close(self) -> None:
        """End all that goes on; every game is in the file already."""
        self.end_streams()
        for timer in self._timers.values():
            timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.to_thread(self.pool.close)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.store.close()

    def end_streams(self) -> None:
        """Let go of everybody who listens, so that the server can end."""
        self.closing = True
        for listeners in self._listeners.values():
            for queue in listeners:
                _put(queue, None)

    # ---- games

    async def create(self, wish: NewGame) -> Table:
        """Begin a game."""
        game = _refused(lambda: boards.game_of(wish.game, wish.settings))
        record = None if wish.record is None else await self._read_record(wish.record, game)
        rules = game if record is None else record[0]
        if wish.opponent is None:
            opponent = self.opponents.of(rules)[0]
        else:
            named = wish.opponent
            opponent = _refused(lambda: self.opponents.get(rules, named))
        table = Table(
            secrets.token_urlsafe(9),
            rules,
            opponent,
            _refused(lambda: colour_of(rules, wish.colour)),
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

    def get(self, id: str) -> Table:
        """A game by its id, from the file if need be; 404 if there is none."""
        table = self._tables.get(id)
        if table is None:
            kept = self.store.load(id)
            if kept is None:
                raise RefusedError(404, "There is no such game any more.")
            table = self._restored(id, kept)
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
        for queue in self._listeners.get(id, ()):
            _put(queue, None)

    def _judge(self, game: Any, named: str | None, opponent: Opponent) -> Opponent | None:
        if named is None:
            return self.opponents.judge_for(game, opponent)
        judge = _refused(lambda: self.opponents.get(game, named))
        if judge.is_person:
            raise RefusedError(422, "A person cannot be asked to judge; name a player.")
        return judge

    def _restored(self, id: str, kept: dict[str, Any]) -> Table:
        game = boards.game_of(kept["game"], kept["settings"])
        found = {one.id: one for one in self.opponents.of(game)}
        opponent = found.get(kept["opponent"]) or _gone(kept["opponent"])
        judge = found.get(kept["judge"])
        return Table.restored(id, kept, opponent, judge)

    def _keep(self, table: Table) -> None:
        self._tables[table.id] = table
        if len(self._tables) > MOST_TABLES:
            for id, old in self._tables.items():
                if old.thinking is None and not self._listeners.get(id) and old is not table:
                    del self._tables[id]
                    break

    # ---- what is done with a game

    def play(self, table: Table, text: str, version: int | None) -> None:
        """A person's move."""
        self._check(table, version)
        if table.outcome is not None:
            raise RefusedError(409, f"The game is over: {table.outcome}.")
        if table.opponents_turn:
            raise RefusedError(409, f"It is {table.opponent.title}'s turn.")
        _refused(lambda: table.play(text))
        self._changed(table)
        if not table.opponents_turn:
            self._mark_later(table)

    def undo(self, table: Table, version: int | None) -> None:
        """Take a move back."""
        self._check(table, version)
        self._stop(table)
        try:
            _refused(table.undo, 409)
        finally:
            self._changed(table)

    def resign(self, table: Table, version: int | None) -> None:
        """A person gives up."""
        self._check(table, version)
        if table.outcome is not None:
            raise RefusedError(409, f"The game is over already: {table.outcome}.")
        self._stop(table)
        table.resign()
        self._changed(table)

    def retry(self, table: Table) -> None:
        """Let an opponent that failed think again."""
        if not table.opponents_turn or table.thinking is not None:
            raise RefusedError(409, "There is nothing to try again: nobody has failed.")
        table.error = None
        self._changed(table)

    def set_dead(self, table: Table, cells: list[str]) -> None:
        """Name the dead stones."""
        _refused(lambda: table.set_dead(cells), 422 if table.is_counted else 409)
        table.version += 1
        self._changed(table)

    def restart(self, table: Table, wish: SetUp) -> None:
        """Begin anew from a board that was set up."""
        position = self._set_up(table.game, wish)
        self._stop(table)
        table.restart(position)
        self._changed(table)

    async def load(self, table: Table, text: str) -> None:
        """Go on with a record."""
        rules, positions, moves, end = await self._read_record(text, table.game)
        if rules != table.game:
            opponent = table.opponent
            table.opponent = _refused(lambda: self.opponents.get(rules, opponent.id))
            table.judge = self._judge(rules, None, table.opponent)
        self._stop(table)
        table.go_on(rules, positions, moves, end)
        self._changed(table)

    async def _read_record(self, text: str, game: Any) -> Any:
        return await self._asked("read_record", {"text": text, "game": game}, 0.0)

    def _set_up(self, game: Any, wish: SetUp) -> Any:
        pieces = None if wish.pieces is None else [(one.cell, one.piece) for one in wish.pieces]
        return _refused(lambda: boards.set_up(game, wish.text, pieces, wish.to_move))

    def _check(self, table: Table, version: int | None) -> None:
        """Refuse what was meant for an earlier board."""
        if table.run_out():
            self._changed(table)
            raise RefusedError(409, f"The game is over: {table.outcome}.")
        if version is not None and version < table.moved:
            raise RefusedError(409, "The game has gone on meanwhile; look at the board again.")

    # ---- thinking

    def _changed(self, table: Table) -> None:
        """After every change: keep the game, let the opponent think, tell who listens."""
        self._go_on(table)
        self._save(table)
        self._tell(table)

    def _save(self, table: Table) -> None:
        self.store.save(table.id, table.kept(), table.summary())

    def _go_on(self, table: Table) -> None:
        """Begin what is to be done in a game that nobody has to ask for."""
        if table.opponents_turn and table.thinking is None and table.error is None:
            table.thinking = job = self._job(
                "choose",
                {"line": table.opponent.line, "position": table.position},
                self._time_for(table),
            )
            self._start(self._think(table, job))
        if table.is_counted and not table.dead and not table.dead_suggested:
            table.dead_suggested = True
            self._start(self._suggest_dead(table))
        self._set_timer(table)

    def _time_for(self, table: Table) -> float:
        """The seconds for a move; a clock that runs out leaves less."""
        if table.clock is None:
            return table.seconds
        left = table.clock.left(table.position.to_move, time.monotonic())
        return max(0.05, min(table.seconds, left / 20))

    def _job(
        self, task: str, arguments: dict[str, Any], seconds: float, awaited: bool = True
    ) -> Job:
        """Work for a player, within these seconds and some grace."""
        limited = task in ("choose", "why", "why_not")
        if limited:
            arguments = {**arguments, "limit": Limit(seconds=seconds)}
        # To explain takes a search or two, and pictures.
        times = 1 if task == "choose" else 3
        within = times * seconds + self.settings.grace
        return Job(task, arguments, within, quick=seconds <= QUICK, awaited=awaited)

    async def _think(self, table: Table, job: Job) -> None:
        """Have the opponent's move chosen, and play it, if it is still wanted."""
        if not table.opponent.line:
            self._fail(table, f"{table.opponent.title} is not here any more; undo, or begin anew.")
            return
        started = time.monotonic()
        ticking = self._start(self._tick(table, job, started))
        try:
            choice: Choice = await self._result(job)
            if table.thinking is not job:
                return
            table.thinking = None
            if table.run_out():
                self._changed(table)
                return
            self._tell_done(table, choice, started)
            table.accept(choice)
        except StoppedError:
            return
        except (ThinkingError, ValueError) as error:
            if table.thinking is job:
                self._fail(table, f"{table.opponent.title} could not move: {error}")
            return
        finally:
            ticking.cancel()
        self._changed(table)
        self._mark_later(table)

    def _fail(self, table: Table, sentence: str) -> None:
        table.thinking, table.error = None, sentence
        table.version += 1
        self._changed(table)

    def _stop(self, table: Table) -> None:
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
            self._prepared.add((line, game.name))
            job = self._job("prepare", {"line": line, "game": game}, 0.0, awaited=False)
            with contextlib.suppress(ThinkingError):
                self.pool.submit(job)

    async def _suggest_dead(self, table: Table) -> None:
        moved = table.moved
        with contextlib.suppress(ThinkingError, ValueError):
            cells = await self._result(self._job("find_dead", {"position": table.position}, QUICK))
            if table.moved == moved and not table.dead:
                table.set_dead(cells, suggested=True)
                table.version += 1
                self._changed(table)

    # ---- judging

    async def hint(self, table: Table) -> dict[str, Any]:
        """What the judge would play."""
        from clauseboard.web.reasons import candidates_of, paths_of, texts_of

        if table.outcome is not None:
            raise RefusedError(409, f"The game is over: {table.outcome}.")
        if table.opponents_turn:
            raise RefusedError(409, f"It is {table.opponent.title}'s turn.")
        judge, position, ply = self._judge_of(table), table.position, table.ply
        choice = await self._judged(table, ply)
        colour = position.to_move
        move = None if choice.resigns else position.write_move(choice.move)
        path = [] if move is None else boards.path_of(table.game, choice.move)
        line = () if choice.resigns else choice.line or (choice.move,)
        worth = "" if choice.value is None else f", worth {choice.value:+.2f} to {colour}"
        said = "would give up." if move is None else f"would play {move}{worth}."
        return {
            "judge": who(judge),
            "move": move,
            "path": path,
            "kind": "resign" if move is None else boards.kind_of(move, path),
            "value": choice.value,
            "colour": colour,
            "line": texts_of(position, line),
            "line_paths": paths_of(position, line),
            "candidates": candidates_of(position, choice),
            "resigns": choice.resigns,
            "text": f"{judge.title} {said}",
        }

    async def why(self, table: Table, wish: WhyWish) -> dict[str, Any]:
        """Why a move, or a board, is judged as it is."""
        judge, ply = self._judge_of(table), self._ply_of(table, wish)
        position = table.session.positions[ply]
        move = None if wish.about == "position" else table.session.moves[ply]
        colour = position.to_move
        self._check_answered(table, ply, colour, wish.study)
        if position.outcome() is not None:
            raise RefusedError(409, "The game is over there; ask about the move before.")
        asked = {"line": judge.line, "position": position, "move": move}
        asked["choice"] = self._known(table, ply)
        found = await self._asked("why", asked, table.seconds)
        about = {
            "ply": ply,
            "move": None if move is None else position.write_move(move),
            "path": [] if move is None else boards.path_of(table.game, move),
            "colour": colour,
        }
        return {"judge": who(judge), "about": about, **found}

    async def why_not(self, table: Table, wish: WhyNotWish) -> dict[str, Any]:
        """Why not this move."""
        judge = self._judge_of(table)
        ply = table.ply if wish.ply is None else wish.ply
        if ply > table.ply:
            raise RefusedError(404, f"{table.ply} moves have been played; there is no board {ply}.")
        position = table.session.positions[ply]
        self._check_answered(table, ply, position.to_move, wish.study)
        if position.outcome() is not None:
            raise RefusedError(409, "The game is over there.")
        move = _refused(lambda: position.read_move(wish.move))
        asked = {"line": judge.line, "position": position, "move": move}
        asked["choice"] = self._known(table, ply)
        return await self._asked("why_not", asked, table.seconds)

    def _known(self, table: Table, ply: int) -> Choice | None:
        """What the judge has chosen on this board, so that it does not contradict itself."""
        own = table.session.choices.get(ply) if table.judge is table.opponent else None
        return own or table.judged.get(ply)

    def _judge_of(self, table: Table) -> Opponent:
        if table.judge is None:
            raise RefusedError(409, "There is nobody who could judge in this game.")
        return table.judge

    def _ply_of(self, table: Table, wish: WhyWish) -> int:
        """The move that is asked about, or the board."""
        people = table.session.people
        if wish.about == "position":
            ply = table.ply if wish.ply is None else wish.ply
            if ply > table.ply:
                raise RefusedError(404, f"There is no board after {ply} moves in this game.")
            return ply
        own = wish.about == "own"
        fitting = [n for n in range(table.ply) if (table.mover(n) in people) == own]
        whose = "yours" if own else table.opponent.title
        if not fitting:
            raise RefusedError(409, f"There is no move of {whose} yet.")
        if wish.ply is None:
            return fitting[-1]
        if wish.ply not in fitting:
            raise RefusedError(404, f"Move {wish.ply} is no move of {whose}.")
        return wish.ply

    def _check_answered(self, table: Table, ply: int, colour: str, study: bool) -> None:
        """In play, the machine's moves are judged only after the person has answered."""
        machine = colour not in table.session.people
        if machine and not study and not table.is_answered(ply):
            raise RefusedError(
                409, "Answer first: in play, a move is judged when you have answered it."
            )

    async def _judged(self, table: Table, ply: int, awaited: bool = True) -> Choice:
        """What the judge would play after so many moves; it is asked once a board."""
        if ply not in table.judged:
            judge, moved = self._judge_of(table), table.moved
            position = table.session.positions[ply]
            asked = {"line": judge.line, "position": position}
            seconds = table.seconds if awaited else min(table.seconds, MARKING)
            choice = await self._asked("choose", asked, seconds, awaited)
            if table.moved != moved and table.session.positions[ply : ply + 1] != [position]:
                return choice
            table.judged[ply] = choice
        return table.judged[ply]

    def _mark_later(self, table: Table) -> None:
        """Judge the person's last move once it has been answered."""
        if table.wants_marks and table.judge is not None and table.judge.judges:
            self._start(self._mark(table))

    async def _mark(self, table: Table) -> None:
        people = table.session.people
        plies = [n for n in range(table.ply) if table.mover(n) in people]
        if not plies:
            return
        ply, moved = plies[-1], table.moved
        if ply in table.marks:
            return
        with contextlib.suppress(RefusedError, ValueError):
            best = await self._judged(table, ply, awaited=False)
            worth = await self._worth_after(table, ply)
            if worth is not None and ply < table.ply and table.moved >= moved:
                before = dict(table.marks)
                table.mark(ply, best, worth)
                if table.marks != before:
                    table.version += 1
                    self._changed(table)

    async def _worth_after(self, table: Table, ply: int) -> float | None:
        """What the board after a move is worth to who made it."""
        before, after = table.session.positions[ply : ply + 2]
        sign = 1 if after.to_move == before.to_move else -1
        if after.outcome() is not None:
            return sign * explain_end(after, ()).value
        reply = table.session.choices.get(ply + 1) if table.judge is table.opponent else None
        if reply is None:
            reply = await self._judged(table, ply + 1, awaited=False)
        return None if reply.value is None else sign * reply.value

    async def _asked(
        self, task: str, arguments: dict[str, Any], seconds: float, awaited: bool = True
    ) -> Any:
        """What comes of a question, or a refusal with its sentence."""
        try:
            return await self._result(self._job(task, arguments, seconds, awaited))
        except StoppedError as error:
            raise RefusedError(503, str(error)) from None
        except ThinkingError as error:
            raise RefusedError(422 if error.by_player else 503, str(error)) from None

    async def _result(self, job: Job) -> Any:
        return await asyncio.wrap_future(self.pool.submit(job))

    # ---- clocks

    def _set_timer(self, table: Table) -> None:
        """Look at the clock when it would run out."""
        old = self._timers.pop(table.id, None)
        if old is not None:
            old.cancel()
        if table.clock is None or table.clock.running is None:
            return
        left = table.clock.left(table.clock.running, time.monotonic())
        loop = asyncio.get_running_loop()
        self._timers[table.id] = loop.call_later(left + 0.01, self._look_at_clock, table)

    def _look_at_clock(self, table: Table) -> None:
        if self.closing:
            return
        if table.run_out():
            self._stop(table)
            self._changed(table)
        else:
            self._set_timer(table)

    # ---- telling

    def _tell(self, table: Table) -> None:
        if self._listeners.get(table.id):
            self._publish(table, "state", table.state_text())

    def _tell_done(self, table: Table, choice: Choice, started: float) -> None:
        from clauseboard.web.reasons import texts_of

        if not self._listeners.get(table.id):
            return
        cost = dataclasses.asdict(choice.cost)
        cost["seconds"] = round(time.monotonic() - started, 3)
        line = [] if choice.resigns else texts_of(table.position, choice.line or (choice.move,))
        about = {"limit": table.seconds, "preparing": False, "value": choice.value, "line": line}
        self._publish(table, "thinking", json.dumps({**cost, **about}))

    async def _tick(self, table: Table, job: Job, started: float) -> None:
        """Tell who listens how long the opponent has been thinking."""
        while table.thinking is job:
            told = {"seconds": round(time.monotonic() - started, 1), "limit": table.seconds}
            said = json.dumps({**told, "preparing": not job.ready})
            self._publish(table, "thinking", said)
            await asyncio.sleep(TICK)

    def _publish(self, table: Table, kind: str, content: str) -> None:
        listeners = self._listeners.get(table.id)
        if listeners:
            head = f"id: {table.version}\n" if kind == "state" else ""
            event = f"event: {kind}\n{head}data: {content}\n\n"
            for queue in listeners:
                _put(queue, event)

    def listen(self, table: Table) -> AsyncIterator[str]:
        """The events of a game, its state first."""
        if sum(map(len, self._listeners.values())) >= MOST_LISTENERS:
            raise RefusedError(503, "Too many pages listen at once; close some.")
        queue: asyncio.Queue[Any] = asyncio.Queue(maxsize=100)
        self._listeners.setdefault(table.id, set()).add(queue)
        return self._events(table, queue)

    async def _events(self, table: Table, queue: asyncio.Queue[Any]) -> AsyncIterator[str]:
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
            listeners = self._listeners.get(table.id, set())
            listeners.discard(queue)
            if not listeners:
                self._listeners.pop(table.id, None)

    def _start(self, work: Any) -> asyncio.Task[Any]:
        """Let something go on by itself."""
        task: asyncio.Task[Any] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def open_store(settings: Settings) -> GameStore:
    """The file of the games, in a folder that is made if need be."""
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"{settings.data} cannot be the folder of the games: {error.strerror}; name another."
        ) from None
    return GameStore(settings.data / "games.sqlite")


def _refused(work: Any, status: int = 422) -> Any:
    """What some work gives; a `ValueError` becomes a refusal with the same sentence."""
    try:
        return work()
    except ValueError as error:
        raise RefusedError(status, str(error)) from None


def _gone(id: str) -> Opponent:
    """An opponent that was there when the game began."""
    return Opponent(id, id, "It is not here any more.", "", NOT_MEASURED)


def _put(queue: asyncio.Queue[Any], event: Any) -> None:
    """Give an event to who listens; who does not keep up misses the oldest ones."""
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(event)
