"""The games of a server: they begin, are saved and loaded here, and their opponents think.

Everything here runs in the server's thread; only the thinking is done in workers.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable
from typing import Any, ClassVar

from fastapi.sse import ServerSentEvent

from clauseboard.files import make_private
from clauseboard.game import Game, line_texts
from clauseboard.games.solving import start_tables, stop_tables, tables_status
from clauseboard.play import GameClock, SavedGame
from clauseboard.player import Choice, chance_of
from clauseboard.players import read_spec
from clauseboard.players.levels import ADAPTIVE
from clauseboard.sqlite_store import DAMAGE, Database
from clauseboard.web import board_view
from clauseboard.web.judging import GameJudge
from clauseboard.web.models import NewGame, PositionRequest, Summary, TablesLine, Thinking
from clauseboard.web.opponents import Opponent, Opponents, adapted
from clauseboard.web.responses import ApiError, EventHub, checked
from clauseboard.web.settings import USUAL_SECONDS, Settings
from clauseboard.web.web_game import NEXT_AROUND, Analysis, WebGame, colour_of
from clauseboard.web.worker_pool import QUICK, Job, JobCancelledError, WorkerClient, WorkerError

MOST_IN_MEMORY = 300
"""Games that are kept in memory, up to a megabyte each, and up to four with a record of 20,000
variations; the others are in the file."""
IDLE = 300.0
"""Seconds after which a game that no page follows is only in the file."""
TABLES_TICK = 1.0
"""Seconds between two events about endgame tables that are being made."""
TICK = 0.2
"""Seconds between two events about the opponent's thinking."""
MOVED_ON = "The game has moved on; look at the board again."


class GameChangedError(Exception):
    """A game that another program has changed or deleted."""


class GameStore(Database):
    """Games by their ids, each as JSON; the table is also the list of the newest."""

    tables: ClassVar[str] = (
        "CREATE TABLE IF NOT EXISTS games ("
        "id TEXT PRIMARY KEY, changed REAL NOT NULL, content TEXT NOT NULL, summary TEXT NOT NULL);"
        "CREATE INDEX IF NOT EXISTS games_changed ON games (changed);"
    )
    mark: ClassVar[int] = 0x636C7767
    version: ClassVar[int] = 1
    content: ClassVar[str] = "games"
    patience: ClassVar[float] = 1.0  # every game waits meanwhile

    _last: float | None = None
    """When a game was last changed; a clock that is set back must not make the newest one old."""

    def save(
        self, id: str, content: dict[str, Any], summary: dict[str, Any], since: float | None = None
    ) -> float:
        """Save a game as it stands, and return when.

        A `GameChangedError` if another program has changed or deleted it since it was saved.
        """
        if self._last is None:
            (found,) = self._rows("SELECT MAX(changed) FROM games WHERE typeof(changed) = 'real'")
            self._last = found[0] or 0.0
        self._last = max(time.time(), max(self._last, since or 0.0) + 1e-6)
        values = (self._last, json.dumps(content), json.dumps(summary), id)
        if since is None:
            self._run(
                "INSERT OR REPLACE INTO games (changed, content, summary, id) VALUES (?, ?, ?, ?)",
                values,
            )
        elif not self._run(
            "UPDATE games SET changed = ?, content = ?, summary = ? WHERE id = ? AND changed = ?",
            (*values, since),
        ).rowcount:
            raise GameChangedError
        return self._last

    def load(self, id: str) -> tuple[dict[str, Any], float] | None:
        """A game by its id, and when it was saved."""
        rows = self._rows("SELECT content, changed FROM games WHERE id = ?", (id,))
        with self._undamaged():
            return (dict(json.loads(rows[0][0])), float(rows[0][1])) if rows else None

    def newest(self, most: int) -> list[Summary]:
        """The games that were changed last, without those that cannot be read."""
        rows = self._rows(
            "SELECT id, changed, summary FROM games ORDER BY changed DESC LIMIT ?", (most,)
        )
        found = []
        for id, changed, summary in rows:
            with contextlib.suppress(*DAMAGE):
                found.append(Summary(id=id, changed=changed, **json.loads(summary)))
        return found

    def next_around(self, game: str) -> str | None:
        """The level around which the opponent that adapts plays next, by its last game that ended.

        None if there is none.
        """
        rows = self._rows(
            "SELECT content FROM games WHERE instr(content, ?) ORDER BY changed DESC",
            (NEXT_AROUND,),
        )
        for (content,) in rows:
            with contextlib.suppress(*DAMAGE):
                saved = json.loads(content)
                if saved["game"] == game and NEXT_AROUND in saved:
                    return str(saved[NEXT_AROUND])
        return None

    def delete(self, id: str) -> bool:
        """Delete a game; False if there is none."""
        return self._run("DELETE FROM games WHERE id = ?", (id,)).rowcount > 0

    def prune(self, most: int) -> None:
        """Delete the oldest games beyond `most`."""
        self._run(
            "DELETE FROM games WHERE id IN "
            "(SELECT id FROM games ORDER BY changed DESC LIMIT -1 OFFSET ?)",
            (most,),
        )


def open_store(settings: Settings) -> GameStore:
    """The file of the games, in a folder that is made if need be."""
    try:
        make_private(settings.data)
        settings.data.chmod(0o700)
    except OSError as error:
        raise ValueError(
            f"{settings.data} cannot be the folder of the games: {error.strerror}; name another."
        ) from None
    return GameStore(settings.data / "games.sqlite")


class GameService:
    """The games of one server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.opponents = Opponents(settings.players)
        self.store = open_store(settings)
        self.client = WorkerClient(settings)
        self.judge = GameJudge(self.client, self._changed)
        self.hub = EventHub()
        self._games: OrderedDict[str, WebGame] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._preparations: dict[tuple[str, str], Job] = {}
        self._with_tables: dict[str, Game] = {}
        """Games whose endgame tables are made, by name."""

    async def stop_thinking(self) -> None:
        """End all streams, and answer all requests that wait, so that the server can stop."""
        self.hub.close()
        await asyncio.to_thread(self.client.pool.close)

    async def close(self) -> None:
        """End everything; every game is in the file already."""
        for timer in self._timers.values():
            timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        for rules in self._with_tables.values():
            await asyncio.to_thread(stop_tables, rules)
        await self.stop_thinking()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.store.close()

    # ---- games

    async def create(self, request: NewGame) -> WebGame:
        """Begin a game."""
        rules = checked(lambda: board_view.game_of(request.game, request.settings))
        record = None if request.record is None else await self._read_record(request.record, rules)
        if record is not None:
            rules = record.game
        if request.opponent is None:
            opponent = self.opponents.of(rules)[0]
        else:
            opponent = self._named(rules, request.opponent)
        if opponent.level == ADAPTIVE:
            opponent = adapted(opponent, rules, self.store.next_around(rules.name))
        game = WebGame(
            secrets.token_urlsafe(9),
            rules,
            opponent,
            checked(lambda: colour_of(rules, request.colour)),
            judge=self._judge(rules, request.judge, opponent),
            seconds=request.seconds or USUAL_SECONDS,
            marks=request.marks,
        )
        if record is not None:
            game.take_over(record)
        elif request.position is not None:
            game.restart(self._position(rules, request.position))
        if request.clock is not None:
            game.clock = GameClock.fresh(
                rules.colours, request.clock.minutes, request.clock.increment
            )
            if game.outcome is None:
                game.clock.turn(game.position.to_move, time.monotonic())
        self._remember(game)
        self._changed(game)
        if record is not None:
            self._analyse_if_judged(game)
        with contextlib.suppress(OSError):  # the next game tries again
            self.store.prune(self.settings.most_games)
        return game

    def get(self, id: str) -> WebGame:
        """A game by its id, from the file if need be; 404 if there is none."""
        game = self._games.get(id)
        if game is None:
            try:
                game = self._restored(id)
            except DAMAGE:
                raise ApiError(
                    404, "This game was saved by another version and cannot be read."
                ) from None
            if game is None:
                raise ApiError(404, "There is no such game.")
            self._remember(game)
            self._continue(game)
        self._games.move_to_end(id)
        game.used = time.monotonic()
        return game

    def delete(self, id: str) -> None:
        """Delete a game."""
        game = self._games.get(id)
        if not self.store.delete(id) and game is None:
            raise ApiError(404, "There is no such game.")
        if game is not None:
            self._stop(game)
            del self._games[id]
        if id in self._timers:
            self._timers.pop(id).cancel()
        self.hub.publish(id, None)

    def _named(self, rules: Game, id: str) -> Opponent:
        return checked(lambda: self.opponents.get(rules, id))

    def _judge(self, rules: Game, id: str | None, opponent: Opponent) -> Opponent | None:
        if id is None:
            return self.opponents.judge_for(rules, opponent)
        judge = self._named(rules, id)
        if judge.person:
            raise ApiError(422, "A person cannot be the judge; name a player.")
        return judge

    def _restored(self, id: str) -> WebGame | None:
        """A game from the file, if it is there."""
        loaded = self.store.load(id)
        if loaded is None:
            return None
        saved, when = loaded
        rules = board_view.game_of(saved["game"], saved["settings"])
        opponents = {opponent.id: opponent for opponent in self.opponents.of(rules)}
        name = saved["opponent"]
        opponent = opponents.get(name) or Opponent(name, name, "It is not available any more.")
        opponent = adapted(opponent, rules, saved.get("around"))
        game = WebGame.restored(id, saved, opponent, opponents.get(saved["judge"]))
        game.stored = when
        return game

    def _remember(self, game: WebGame) -> None:
        self._games[game.id] = game
        self._make_tables(game.game)
        for id, old in list(self._games.items()):  # the one that was used longest ago first
            if len(self._games) <= MOST_IN_MEMORY and time.monotonic() - old.used < IDLE:
                break
            ticking = old.clock is not None and old.clock.running is not None
            needed = old is game or old.thinking is not None or ticking
            if not needed and not self.hub.has_followers(id):
                del self._games[id]

    # ---- changes of a game

    def play(self, game: WebGame, text: str, version: int | None) -> None:
        """A person's move."""
        self._check(game, version)
        if game.outcome is not None:
            raise ApiError(409, f"The game is over: {game.outcome}.")
        if game.opponents_turn:
            raise ApiError(409, f"It is {game.opponent.title}'s turn.")
        checked(lambda: game.play(text))
        self._changed(game)
        if not game.opponents_turn:
            self._mark(game)

    def undo(self, game: WebGame, version: int | None) -> None:
        """Take a move back."""
        self._check(game, version)
        self._stop(game)
        try:
            checked(game.undo, 409)
        finally:
            self._changed(game)

    def resign(self, game: WebGame, version: int | None) -> None:
        """A person resigns."""
        self._check(game, version)
        self._stop(game)
        checked(game.resign, 409)
        self._changed(game)

    def retry(self, game: WebGame) -> None:
        """Let an opponent that failed think again."""
        if not game.opponents_turn or game.thinking is not None:
            raise ApiError(409, "There is nothing to try again: no player has failed.")
        game.error = None
        self._changed(game)

    def set_dead(self, game: WebGame, cells: list[str]) -> None:
        """Name the dead stones."""
        checked(lambda: game.set_dead(cells), 422 if game.is_counted else 409)
        game.version += 1
        self._changed(game)

    def restart(self, game: WebGame, request: PositionRequest) -> None:
        """Begin again from a position that was set up."""
        position = self._position(game.game, request)
        self._stop(game)
        game.restart(position)
        self._changed(game)

    async def load(self, game: WebGame, text: str) -> None:
        """Continue a record."""
        record = await self._read_record(text, game.game)
        if record.game != game.game:
            opponent = self._named(record.game, game.opponent.id)
            game.opponent = adapted(opponent, record.game, game.opponent.around)
            game.judge = self._judge(record.game, None, game.opponent)
        self._stop(game)
        game.take_over(record)
        self._changed(game)
        self._analyse_if_judged(game)

    def analyse(self, game: WebGame) -> None:
        """Judge every position of a game, in the background."""
        if game.judge is None or not game.judge.judges:
            raise ApiError(409, "No player can judge this game.")
        if not game.ply:
            raise ApiError(409, "There is no move to analyse yet.")
        if game.analysis is None or not game.analysis.running:
            game.analysis = Analysis()
            self._publish_change(game)
            self._start(self.judge.analyse(game, game.analysis))

    def stop_analysis(self, game: WebGame) -> None:
        """Stop the analysis of a game; what was found is kept."""
        if game.analysis is not None and game.analysis.running:
            game.analysis.running = False
            self._publish_change(game)

    def _analyse_if_judged(self, game: WebGame) -> None:
        with contextlib.suppress(ApiError):
            self.analyse(game)

    def _publish_change(self, game: WebGame) -> None:
        game.version += 1
        self._changed(game)

    async def _read_record(self, text: str, rules: Game) -> SavedGame:
        return await self.client.ask("read_record", {"text": text, "game": rules}, 0.0)

    def _position(self, rules: Game, request: PositionRequest) -> Any:
        pieces = None
        if request.pieces is not None:
            pieces = [(placed.cell, placed.piece) for placed in request.pieces]
        return checked(
            lambda: board_view.read_position(rules, request.text, pieces, request.to_move)
        )

    def _check(self, game: WebGame, version: int | None) -> None:
        """Refuse a change that was meant for an earlier position."""
        if game.end_on_time():
            self._changed(game)
            raise ApiError(409, f"The game is over: {game.outcome}.")
        if version is not None and version < game.moved:
            raise ApiError(409, MOVED_ON)

    # ---- thinking

    def _changed(self, game: WebGame) -> None:
        """After every change: save the game, let the opponent think, tell the pages.

        An `ApiError` if the game cannot be saved; it stands as it is in the file then.
        """
        if self._games.get(game.id) is not game:
            raise ApiError(409, MOVED_ON)  # deleted, or read from the file again
        try:
            game.stored = self.store.save(game.id, game.saved(), game.summary(), game.stored)
        except GameChangedError:
            self._read_again(game)
            raise ApiError(409, MOVED_ON) from None
        except OSError as error:
            sentence = f"The game could not be saved. {error}"
            self._read_again(game, sentence)
            raise ApiError(503, sentence) from None
        self._continue(game)
        self._publish(game)

    def _read_again(self, game: WebGame, error: str | None = None) -> None:
        """Put a game that could not be saved back to what is in the file, and tell the pages."""
        self._stop(game)
        del self._games[game.id]
        try:
            restored = self._restored(game.id)
        except DAMAGE:
            restored = None
        if restored is None:
            self.hub.publish(game.id, None)
            return
        self._games[game.id] = restored
        restored.error = error
        if error is None:
            self._continue(restored)
        self._set_timer(restored)
        self._publish(restored)

    def _publish(self, game: WebGame) -> None:
        if self.hub.has_followers(game.id):
            self.hub.publish(game.id, state_event(game))

    def _continue(self, game: WebGame) -> None:
        """Begin the work that no request has to ask for."""
        if game.opponents_turn and game.thinking is None and game.error is None:
            judges = game.judge is game.opponent
            arguments = {"line": game.opponent.line, "position": game.position, "solve": judges}
            game.thinking = job = self.client.job("choose", arguments, self._time_for(game))
            job.is_move = True
            self._start(self._think(game, job))
        if game.is_counted and not (game.dead or game.dead_suggested or game.dead_named):
            game.dead_suggested = True
            self._start(self._suggest_dead(game))
        self._set_timer(game)

    def _time_for(self, game: WebGame) -> float:
        """The seconds for a move; less when the clock runs out."""
        if game.clock is None:
            return game.seconds
        left = game.clock.left(game.position.to_move, time.monotonic())
        return max(0.05, min(game.seconds, left / 20))

    async def _think(self, game: WebGame, job: Job) -> None:
        """Have the opponent choose a move, and play it if it is still needed."""
        if not game.opponent.line:
            self._fail(game, f"{game.opponent.title} is not available any more; undo, or restart.")
            return
        started = time.monotonic()
        ticking = self._start(self._tick(game, job, started))
        try:
            # A second process would compile the same kernels.
            preparation = self._preparation(game)
            if preparation is not None:
                with contextlib.suppress(WorkerError):
                    await asyncio.wrap_future(preparation.result)
            if game.thinking is not job:
                return
            choice: Choice = await self.client.result(job)
            if game.thinking is not job:
                return
            game.thinking = None
            if game.end_on_time():
                self._changed(game)
                return
            if self.hub.has_followers(game.id):
                seconds = round(time.monotonic() - started, 3)
                self._publish_thinking(game, choice, seconds=seconds)
            ply, position = game.ply, game.position
            game.accept(choice)
            if game.judge is game.opponent:
                game.note_chance(ply, position, chance_of(choice))
                game.note_best(ply, position, choice)
                game.note_end(ply, position, choice.end)
        except JobCancelledError:
            return
        except (WorkerError, ValueError) as error:
            if game.thinking is job:
                self._fail(game, f"{game.opponent.title} could not move: {error}")
            return
        finally:
            ticking.cancel()
        self._changed(game)
        self._mark(game)

    def _mark(self, game: WebGame) -> None:
        """Judge the person's last move, now that it has been answered."""
        if game.wants_marks and game.judge is not None and game.judge.judges:
            self._start(self._judge_moves(game))

    async def _judge_moves(self, game: WebGame) -> None:
        """Mark the last move, then look at the board as it is now."""
        await self.judge.mark(game)
        await self.judge.look(game)

    def _fail(self, game: WebGame, sentence: str) -> None:
        game.thinking, game.error = None, sentence
        game.version += 1
        self._changed(game)

    def _stop(self, game: WebGame) -> None:
        """Stop the opponent's thinking."""
        job, game.thinking = game.thinking, None
        if job is not None and not (job.quick and job.process):
            # It may take a second to end a process.
            self._start(asyncio.to_thread(self.client.pool.cancel, job))

    def prepare(self, game: Game) -> None:
        """Make a game's usual opponent ready while the person still chooses.

        The first time on a machine this compiles kernels, which takes a while.
        """
        line = self.opponents.of(game)[0].line
        if line and _compiled_for(line, game) not in self._preparations:
            job = self.client.job("prepare", {"line": line, "game": game}, 0.0, awaited=False)
            with contextlib.suppress(WorkerError):
                self.client.pool.submit(job)
                self._preparations[_compiled_for(line, game)] = job
        self._make_tables(game)

    def _make_tables(self, game: Game) -> None:
        """Have the game's large endgame tables made in the background, once."""
        if game.name not in self._with_tables and tables_status(game) is not None:
            self._with_tables[game.name] = game
            self._start(self._follow_tables(game))

    async def _follow_tables(self, game: Game) -> None:
        """Start the making of tables, and tell the pages how far it is until it ends."""
        for job in list(self._preparations.values()):
            with contextlib.suppress(WorkerError):  # it compiles the same kernels
                await asyncio.wrap_future(job.result)
        # An opponent that thinks may need the smaller tables: it must not wait for a process of
        # low priority that makes them.
        while any(each.thinking and each.game.name == game.name for each in self._games.values()):
            await asyncio.sleep(TABLES_TICK)
        start_tables(game)
        told = ""
        while True:
            status = tables_status(game)
            text = "" if status is None else status.text
            if text != told:
                told = text
                for id, other in list(self._games.items()):
                    if other.game.name == game.name and self.hub.has_followers(id):
                        self.hub.publish(id, tables_event(text))
            if status is None or status.share is None:
                return
            await asyncio.sleep(TABLES_TICK)

    def _preparation(self, game: WebGame) -> Job | None:
        """The job that makes the opponent ready, if it is not done."""
        if not game.opponent.line:
            return None
        job = self._preparations.get(_compiled_for(game.opponent.line, game.game))
        return None if job is None or job.result.done() else job

    async def _suggest_dead(self, game: WebGame) -> None:
        moved = game.moved
        with contextlib.suppress(WorkerError, ValueError):
            job = self.client.job("find_dead", {"position": game.position}, QUICK)
            cells = await self.client.result(job)
            if game.moved == moved and not (game.dead or game.dead_named):
                game.set_dead(cells, suggested=True)
                game.version += 1
                self._changed(game)

    async def _tick(self, game: WebGame, job: Job, started: float) -> None:
        """Tell the pages how long the opponent has been thinking, and its choice so far."""
        was_ready = False
        while game.thinking is job:
            now = time.monotonic()
            if job.ready and not was_ready:
                was_ready, started = True, now
            if self.hub.has_followers(game.id):
                preparation = self._preparation(game)
                preparing = not job.ready and (preparation is not None or job.process is not None)
                self._publish_thinking(
                    game,
                    job.thought,
                    seconds=round(now - started, 1),
                    preparing=preparing,
                    compiling=(preparation or job).compiling if preparing else None,
                )
            await asyncio.sleep(TICK)

    def _publish_thinking(
        self, game: WebGame, choice: Choice | None, preparing: bool = False, **content: Any
    ) -> None:
        """Tell the pages about the opponent's thinking: its cost, value and expected line."""
        if choice is not None:
            moves = () if choice.resigns else choice.line or (choice.move,)
            cost = dataclasses.asdict(choice.cost)
            content = {**cost, **content, "value": choice.value, "chance": chance_of(choice)}
            content["line"] = line_texts(game.position, moves)
        thinking = Thinking(limit=game.seconds, preparing=preparing, **content)
        text = thinking.model_dump_json(exclude_unset=True)
        self.hub.publish(game.id, ServerSentEvent(event="thinking", raw_data=text))

    # ---- clocks

    def _set_timer(self, game: WebGame) -> None:
        """Look at the clock when it will run out."""
        old = self._timers.pop(game.id, None)
        if old is not None:
            old.cancel()
        if game.clock is None or game.clock.running is None:
            return
        left = game.clock.left(game.clock.running, time.monotonic())
        loop = asyncio.get_running_loop()
        self._timers[game.id] = loop.call_later(left + 0.01, self._look_at_clock, game)

    def _look_at_clock(self, game: WebGame) -> None:
        if self.hub.closing:
            return
        if game.end_on_time():
            self._stop(game)
            with contextlib.suppress(ApiError):  # the pages have been told
                self._changed(game)
        else:
            self._set_timer(game)

    def _start(self, work: Awaitable[Any]) -> asyncio.Task[Any]:
        """Run something in the background; the pages are told when a game cannot be saved."""

        async def run() -> Any:
            with contextlib.suppress(ApiError):
                return await work

        task: asyncio.Task[Any] = asyncio.ensure_future(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if asyncio.iscoroutine(work):  # it may be cancelled before it begins
            task.add_done_callback(lambda _: work.close())
        return task


def _compiled_for(line: str, game: Game) -> tuple[str, str]:
    """What the kernels of a player are compiled for: all levels of a player share them."""
    return read_spec(line)[0], game.name


def tables_event(text: str) -> ServerSentEvent:
    """How far the endgame tables are, as an event."""
    return ServerSentEvent(event="tables", raw_data=TablesLine(text=text).model_dump_json())


def state_event(game: WebGame) -> ServerSentEvent:
    """The state of a game as an event."""
    return ServerSentEvent(event="state", id=str(game.version), raw_data=game.state_text())
