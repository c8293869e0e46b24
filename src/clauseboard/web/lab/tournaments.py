"""Tournaments that are begun on the page: one at a time, in a process of its own.

`python -m clauseboard.web.lab.tournaments` is that process. The first line of its input is the
plan, as JSON; the end of the input (the server has ended) ends it. Every game is in the file as
soon as it is over, so that stopping the process loses one game at most.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import threading
import time
from asyncio.subprocess import Process
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from clauseboard.files import make_private, write_text
from clauseboard.game import Game, load_game
from clauseboard.web.board_view import settings_of
from clauseboard.web.models import TournamentRequest
from clauseboard.web.opponents import Opponent
from clauseboard.web.responses import ApiError

MOST_FILES = 200
"""Tournaments that are kept."""
NICE = 5


class TournamentPlan(BaseModel):
    """What the process gets, as JSON."""

    game: str
    settings: dict[str, Any]
    players: list[str]
    games: int
    seconds: float
    seed: int
    path: str


@dataclass(eq=False)
class RunningTournament:
    """A tournament that is being played."""

    path: Path
    of: int
    process: Process | None = None
    text: str = ""
    """What went wrong."""
    over: bool = False
    stopped: bool = False


class TournamentRunner:
    """Plays the tournaments of a server, and keeps them in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.last: RunningTournament | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self, game: Game, asked: TournamentRequest, opponents: list[Opponent]) -> Path:
        """Begin a tournament; the file that its games are kept in."""
        if self.last is not None and not self.last.over:
            raise ApiError(409, "A tournament is being played already; stop it first.")
        named = {opponent.id: opponent for opponent in opponents if opponent.line}
        for id in asked.players:
            if id not in named:
                listed = ", ".join(map(repr, named))
                raise ApiError(422, f"There is no player {id!r} in this game; there are {listed}.")
        if len(set(asked.players)) < len(asked.players):
            raise ApiError(422, "A player can be in a tournament once only.")
        players = [named[id] for id in asked.players]
        path = self._new_file(game)
        pairs = len(players) * (len(players) - 1) // 2
        # Beside the games: how many there will be, and what people call the players.
        titles = {player.line: player.title for player in players}
        about = {"of": pairs * asked.games, "titles": titles}
        write_text(path.with_suffix(".json"), json.dumps(about, indent=1))
        plan = TournamentPlan(
            game=game.name,
            settings=settings_of(game),
            players=[player.line for player in players],
            games=asked.games,
            seconds=asked.seconds,
            seed=time.time_ns() % 2**31,
            path=str(path),
        )
        _play([], plan)  # the file is there at once, so that it can be listed
        self.last = RunningTournament(path, pairs * asked.games)
        self._task = asyncio.ensure_future(self._run(self.last, plan))
        return path

    def running(self, path: Path) -> RunningTournament | None:
        """The tournament of a file, if it is the last one that was begun."""
        return self.last if self.last is not None and self.last.path == path else None

    def stop(self, path: Path) -> None:
        """Stop a tournament; its games stay."""
        found = self.running(path)
        if found is None or found.over:
            raise ApiError(409, "This tournament is not being played.")
        found.stopped = True
        _end(found)

    def delete(self, path: Path) -> None:
        """Delete a tournament, and stop it if it is being played."""
        if path.parent != self.folder:
            raise ApiError(403, "Only tournaments that were begun here can be deleted.")
        found = self.running(path)
        if found is not None and not found.over:
            raise ApiError(409, "This tournament is being played; stop it first.")
        for suffix in (".sqlite", ".json"):
            path.with_suffix(suffix).unlink(missing_ok=True)

    async def close(self) -> None:
        """Stop what is being played; the games stay."""
        if self.last is not None:
            _end(self.last)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _new_file(self, game: Game) -> Path:
        make_private(self.folder)
        if len(list(self.folder.glob("*.sqlite"))) >= MOST_FILES:
            raise ApiError(503, f"{MOST_FILES} tournaments are kept already; delete one first.")
        day = time.strftime("%Y-%m-%d")
        names = (f"{day} {game.name} {n}" for n in range(1, MOST_FILES + 2))
        paths = (self.folder / f"{name}.sqlite" for name in names)
        return next(path for path in paths if not path.exists())

    async def _run(self, found: RunningTournament, plan: TournamentPlan) -> None:
        """Play a tournament to its end, whatever the end is."""
        try:
            # In a session of its own, Ctrl-C at the terminal is for the server only.
            found.process = process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "clauseboard.web.lab.tournaments",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                start_new_session=True,
            )  # fmt: skip
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(plan.model_dump_json().encode() + b"\n")
            if found.stopped:
                _end(found)
            failed = (await process.stdout.read()).decode(errors="replace").strip()
            status = await process.wait()
            if failed and not found.stopped:
                found.text = failed
            elif status and not found.stopped:
                found.text = f"The process that plays the games ended with status {status}."
        except OSError as error:
            found.text = f"The tournament failed: {error}."
        finally:
            _end(found)
            found.over = True


def _end(found: RunningTournament) -> None:
    process = found.process
    if process is not None and process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


def _play(players: list[str], plan: TournamentPlan) -> None:
    """Play the games of all pairs of some players; without players the file is only made."""
    from clauseboard.arena.match import Match, round_robin, run_matches
    from clauseboard.arena.playing import MatchStore
    from clauseboard.evaluation import Limit

    with MatchStore(plan.path) as store:
        if not players:
            return
        game = load_game(plan.game, **plan.settings)
        limit = Limit(seconds=plan.seconds)
        pairing = Match(game, ("", ""), plan.games, plan.seed, limit)
        run_matches(round_robin(pairing, players), store=store)


def main() -> None:
    """Play as the first line of the input says."""
    if hasattr(os, "nice"):
        os.nice(NICE)  # games on the page go first
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    plan = TournamentPlan.model_validate_json(sys.stdin.readline())

    def wait_for_the_end() -> None:
        sys.stdin.read()
        os._exit(3)

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    try:
        _play(plan.players, plan)
    except (ValueError, OSError, RuntimeError) as error:
        output.write(str(error))
        output.flush()


if __name__ == "__main__":
    main()
