"""Another program as a player, by the Go Text Protocol: `engine:command='gnugo --mode gtp'`.

The program is started when it is needed, and asked with a deadline. One that hangs, dies, answers
nonsense or offers an illegal move is an `EngineError`, whose text is the reason, and is ended at
once; with the next game it is started anew.

A player is shown positions, and other programs want moves: `moves_between` finds the moves that
were made, most often the one of the opponent.
"""

from __future__ import annotations

import contextlib
import math
import shlex
import time
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from clauseboard.checks import positive_number
from clauseboard.engines import EngineError, dialect_of, exchanges, word_for
from clauseboard.engines.process import EngineProcess, find_program
from clauseboard.evaluation import Limit
from clauseboard.game import Game, Move, NotationError, Position
from clauseboard.games.plugins import GTP_SWAP
from clauseboard.player import Choice, Cost, Player

MOST_TRIED = 20_000
"""Positions that are tried before the search for moves is given up."""


def moves_between(before: Position, after: Position, most: int = 1) -> list[Any] | None:
    """Moves that lead from one position to another, `most` at most; None if none are found."""
    if before == after:
        return []
    lines: list[tuple[Any, list[Any]]] = [(before, [])]
    tried = 0
    for _ in range(most):
        longer = []
        for position, moves in lines:
            for move in position.moves():
                tried += 1
                following = position.play(move)
                if following == after:
                    return [*moves, move]
                if tried == MOST_TRIED:
                    return None
                longer.append((following, [*moves, move]))
        lines = longer
    return None


def taken_back(positions: list[Position], wanted: Any) -> tuple[int, list[Any]] | None:
    """How to get from the last of these positions to a wanted one: undo so many, then play these.

    None if there is no way by taking back moves and playing one.
    """
    for undone, position in enumerate(reversed(positions)):
        moves = moves_between(position, wanted)
        if moves is not None:
            return undone, moves
    return None


class EnginePlayer(Player):
    """A program that speaks the Go Text Protocol, in its dialect for the game.

    - `command`: how to start it, as in a shell, or as a list of words;
    - `setup`: commands to be sent before every game, such as "param_mohex max_time 5";
    - `timeout`: seconds in which it must answer; for a move those of the limit come on top;
    - `limit`: holds where `choose` is given none; of a limit only the seconds can be sent.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        setup: str | Sequence[str] = (),
        timeout: float = 60.0,
        limit: Limit | None = None,
    ) -> None:
        positive_number("timeout", timeout)
        try:
            words = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise ValueError(
                f"command={command!r} cannot be read as in a shell: {error}."
            ) from None
        if not words:
            raise ValueError("command is empty; write how to start the engine, as in a shell.")
        self.command, self.timeout, self.limit = words, timeout, limit or Limit()
        self.setup = tuple(setup.split(";")) if isinstance(setup, str) else tuple(setup)
        self.name = self._program = PurePath(words[0]).name
        self._process: EngineProcess | None = None
        self._positions: list[Any] = []
        self._exchanged: list[bool] = []
        """For each position, whether the players have taken each other's colour there."""
        self._seconds: int | None = None
        self._cleans_up = False

    def begin(self, game: Game, colour: str, seed: int) -> None:
        """Start the program, if it does not run, and give it an empty board."""
        self._cleans_up = False
        self._set_up(game.start())

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """Ask the program for a move; an `EngineError` says how it failed."""
        start = time.monotonic()
        self._follow(position)
        seconds = (limit or Limit()).or_else(self.limit).seconds
        if seconds is not None:
            self._tell_time(seconds)
        dialect, there = dialect_of(position.game), self._there()
        command = "kgs-genmove_cleanup" if self._cleans_up else "genmove"
        asked = f"{command} {word_for(dialect, there.to_move)}"
        said = self._ask(asked, self.timeout + (seconds or 0.0))
        cost = Cost(seconds=time.monotonic() - start)
        if said.lower() == "resign":
            return Choice(None, cost=cost, resigns=True)
        try:
            move = dialect.read_move(there, said)
            if self._exchanged[-1]:
                move = GTP_SWAP.of(position.game).exchanged_move(move)
            self._append(position.play(move), move)
        except NotationError as error:
            self.close()
            raise EngineError(f"{self._program}: it offered {said[:80]!r}: {error}") from None
        return Choice(move, line=(move,), cost=cost)

    def dead_stones(self, position: Position) -> Sequence[str] | None:
        """The stones that the program calls dead; None if it does not say."""
        self._follow(position)
        if not self.knows("final_status_list"):
            return None
        return self.ask("final_status_list dead").split()

    def resume(self) -> None:
        """Have the program take dead stones off the board by moves, if it knows how to."""
        self._cleans_up = self.knows("kgs-genmove_cleanup")

    def ask(self, command: str) -> str:
        """Send any command to the program and return what it says."""
        return self._ask(command, self.timeout)

    def knows(self, command: str) -> bool:
        """Whether the program has a command."""
        return self._ask(f"known_command {command}", self.timeout).lower() == "true"

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.close()
        self._process = None
        self._positions = []

    # ---- the same board on both sides

    def _follow(self, position: Position) -> None:
        """Bring the program's board to a position."""
        way = taken_back(self._positions, position)
        if way is None:
            self._set_up(position)
            return
        undone, moves = way
        for _ in range(undone):
            self._ask("undo", self.timeout)
            self._positions.pop()
            self._exchanged.pop()
        dialect = dialect_of(position.game)
        for move in moves:
            there = self._there()
            seen = GTP_SWAP.of(position.game).exchanged_move(move) if self._exchanged[-1] else move
            word = word_for(dialect, there.to_move)
            self._ask(f"play {word} {dialect.write_move(there, seen)}", self.timeout)
            self._append(self._positions[-1].play(move), move)

    def _there(self) -> Any:
        """The last position as the program sees it."""
        position = self._positions[-1]
        return GTP_SWAP.of(position.game).exchanged(position) if self._exchanged[-1] else position

    def _append(self, position: Position, move: Move) -> None:
        swaps = exchanges(position.game, move)
        self._positions.append(position)
        self._exchanged.append(self._exchanged[-1] or swaps)

    def _set_up(self, position: Position) -> None:
        """Bring the program to a position, whatever was before."""
        self._positions, self._exchanged, self._seconds = [], [], None
        commands = dialect_of(position.game).commands_to(position)
        for command in (*self.setup, *commands):
            if command.strip():
                self._ask(command.strip(), self.timeout)
        self._positions, self._exchanged = [position], [False]

    def _tell_time(self, seconds: float) -> None:
        """Say how long each move may take, to a program that wants to know."""
        whole = math.ceil(seconds)
        if whole != self._seconds and self.knows("time_settings"):
            self._ask(f"time_settings 0 {whole} 1", self.timeout)
        self._seconds = whole

    def _ask(self, command: str, seconds: float) -> str:
        """What the program says to a command; an `EngineError` if it fails or refuses."""
        try:
            if self._process is None:
                self._process = EngineProcess(self.command)
            reply = self._process.ask(command, seconds)
        except EngineError as error:
            self._process, self._positions = None, []
            raise EngineError(f"{self._program}: {error}") from None
        if not reply.succeeded:
            raise EngineError(f"{self._program}: it refused {command!r}: {reply.text[:200]!r}")
        return reply.text

    def __enter__(self) -> EnginePlayer:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(EngineError):
            self.close()


def engine(
    game: Game,
    *,
    command: str = "",
    setup: str = "",
    timeout: float = 60.0,
    seconds: float | None = None,
) -> EnginePlayer:
    """Another program, which speaks the Go Text Protocol; `command` starts it, as in a shell.

    `setup` has commands for it, separated by ";", that are sent before every game. It must answer
    within `timeout` seconds plus the time for a move; `seconds` is that time, where a match has no
    limit of its own.
    """
    dialect_of(game)
    if not command:
        raise ValueError(
            "The player 'engine' needs a command, such as engine:command='gnugo --mode gtp'."
        )
    player = EnginePlayer(command, setup=setup, timeout=timeout, limit=Limit(seconds=seconds))
    # Checked now: a typing error should not lose a match of a hundred games.
    if find_program(player.command[0]) is None:
        raise ValueError(
            f"{player.command[0]!r} cannot be started: there is no such program on this machine, "
            "or it may not be run; write its whole path, or install it."
        )
    return player


check = dialect_of
PLAYERS = {"engine": engine}
