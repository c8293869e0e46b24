"""Which endgame tables this process looks into: those of four pieces, or those of five.

Tables of four pieces are made, in seconds, when they are first needed. Those of five take about a
minute and 151 MB of disk, once; commands that play make them ready (`make_ready`) or have a process
of low priority make them while the game goes on (`start`). Until then, and in all that must not
depend on what is in the cache (self-play, data sets, experiments), four pieces are the most.
`CLAUSEBOARD_ENDGAME_PIECES=4` forbids the tables of five pieces.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from clauseboard.game import Ending, Outcome
from clauseboard.games.checkers import endgame_tables
from clauseboard.games.checkers.endgame_tables import (
    EndgameTables,
    TableError,
    TableVerdict,
    open_tables,
    share_made,
    table_path,
)
from clauseboard.games.checkers.rules import Checkers, CheckersPosition
from clauseboard.games.solving import Progress, TablesStatus, won_words
from clauseboard.kernels.compiler import JIT_DISABLED

SMALL, LARGE = 4, 5
"""The most pieces of the tables that are always used, and of those used when they are ready."""

SETTING = "CLAUSEBOARD_ENDGAME_PIECES"
LOOK_AGAIN = 1.0
"""Seconds after which a process looks again whether another one has made the tables."""
LOW_PRIORITY = 10
SECONDS_TO_END = 2.0


def most_pieces() -> int:
    """The most pieces that tables may have, by the setting in the environment."""
    text = os.environ.get(SETTING) or "5"
    if text not in ("4", "5"):
        raise ValueError(f"{SETTING}={text!r} must be 4 or 5, the most pieces in the tables.")
    return SMALL if text == "4" else LARGE


# ---- what searches and players look into


def tables_in_use() -> EndgameTables:
    """The tables of five pieces if they were asked for and are ready, or else those of four."""
    return _large.tables or small_tables()


def small_tables() -> EndgameTables:
    """The tables of four pieces, made if they are not there."""
    return _opened(SMALL, endgame_tables.tables_folder())


@functools.lru_cache(maxsize=2)
def _opened(pieces: int, folder: Path) -> EndgameTables:
    return open_tables(pieces, folder)


def known_tables(pieces: int) -> EndgameTables | None:
    """Tables of so many pieces that are there already; nothing is made, and nothing waited for."""
    if _large.tables is not None:
        return _large.tables
    for most in (SMALL, LARGE):
        may_open = most == SMALL or (most_pieces() == LARGE and not _large.is_busy)
        if (
            pieces <= most
            and may_open
            and table_path(endgame_tables.tables_folder(), most).exists()
        ):
            with contextlib.suppress(OSError, TableError):
                return _found(most, endgame_tables.tables_folder())
    return None


@functools.lru_cache(maxsize=2)
def _found(pieces: int, folder: Path) -> EndgameTables:
    return open_tables(pieces, folder, rebuild=False)


def exact_end(position: CheckersPosition) -> Outcome | None:
    """How a position ends with best play, if a look into a table tells; as `exact_words`."""
    verdict = _verdict(position)
    if verdict is None:
        return None
    return Outcome(verdict.winner(position), "by the endgame tables", Ending.SOLVED, joined=True)


def _verdict(position: CheckersPosition) -> TableVerdict | None:
    """What a table that is there says of a position."""
    n_pieces = (position.board[0] | position.board[1]).bit_count()
    if position.game.blocked != "loss" or n_pieces > LARGE or position.outcome() is not None:
        return None
    tables = known_tables(n_pieces)
    return None if tables is None else tables.probe(position)


def exact_words(position: CheckersPosition) -> str | None:
    """How a position ends with best play, in a sentence, if a look into a table tells.

    A win is counted in the winner's own moves. See `games.solving.exact_words`.
    """
    game, verdict = position.game, _verdict(position)
    if verdict is None:
        return None
    winner = verdict.winner(position)
    if winner is None or verdict.plies is None:
        return "Drawn with best play."
    sentence = won_words(winner, (verdict.plies + 1) // 2).rstrip(".")
    # The count may be set back on the way: then it is a win all the same.
    quiet, most = game.quiet_moves, game.max_moves
    if quiet is not None and position.quiet + verdict.plies > 2 * quiet:
        return f"{sentence}, unless {quiet} moves without progress make it a draw before."
    if most is not None and position.played + verdict.plies > most:
        return f"{sentence}, too late: the game is drawn after {most} moves."
    return f"{sentence}."


# ---- the tables of five pieces


class LargeTables:
    """The tables of five pieces in this process: not asked for, being made ready, or open."""

    def __init__(self) -> None:
        self.tables: EndgameTables | None = None
        self.trouble: str | None = None
        """Why there are none, in a sentence."""
        self._thread: threading.Thread | None = None
        self._builder: subprocess.Popen[bytes] | None = None
        self._folder = Path()
        self._stopped = threading.Event()
        self._starting = threading.Lock()

    @property
    def is_busy(self) -> bool:
        """Whether a thread is making them ready."""
        return self._thread is not None and self._thread.is_alive()

    def open(self, progress: Progress | None) -> None:
        """Make them ready now, and wait for it."""

        def tell(done: int, total: int) -> None:
            if progress is not None:
                progress(done / total)

        if self.tables is None and self._are_allowed():
            try:
                self.tables = open_tables(LARGE, progress=tell)
            except (OSError, ValueError) as error:
                self.trouble = _sentence(error)

    def start(self, build: bool) -> None:
        """Make them ready in the background; without `build`, wait until another process has."""
        if self.tables is None and not self.is_busy and self._are_allowed():
            self._folder = endgame_tables.tables_folder()
            self._stopped.clear()
            self._thread = threading.Thread(target=self._make_ready, args=(build,), daemon=True)
            self._thread.start()
            atexit.register(self.stop)

    def stop(self) -> None:
        """End what was started; tables that are half made are continued another time."""
        atexit.unregister(self.stop)
        with self._starting:
            self._stopped.set()
            builder, self._builder = self._builder, None
        if builder is not None and builder.stdin is not None:
            builder.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                builder.wait(SECONDS_TO_END)
        if self._thread is not None:
            self._thread.join(SECONDS_TO_END)

    def forget(self) -> None:
        """Stop, and use the tables of four pieces again."""
        self.stop()
        self.tables = self.trouble = self._thread = None

    def status(self) -> TablesStatus:
        """How far they are."""
        if self.tables is None and self.is_busy:
            share = share_made(LARGE, self._folder)
            return TablesStatus(
                False, share, f"Endgame tables of five pieces: {round(100 * share)} % made."
            )
        return TablesStatus(self.tables is not None, None, self.trouble or "")

    def _are_allowed(self) -> bool:
        if JIT_DISABLED:
            self.trouble = _sentence("The endgame tables of five pieces need compiled kernels.")
            return False
        return most_pieces() == LARGE

    def _make_ready(self, build: bool) -> None:
        tried = False
        while not self._stopped.is_set():
            try:
                self.tables = open_tables(LARGE, self._folder, rebuild=False)
                return
            except FileNotFoundError:
                pause = LOOK_AGAIN
            except (OSError, ValueError):
                pause = 10 * LOOK_AGAIN  # it takes a while to find out that a file is damaged
            if build:
                if tried or not self._build_elsewhere():
                    return
                tried = True
            else:
                self._stopped.wait(pause)

    def _build_elsewhere(self) -> bool:
        """Have another process make them; whether it did."""
        code = "from clauseboard.games.checkers.endgames import build_for_parent as b, sys; "
        code += "b(int(sys.argv[1]), sys.argv[2])"
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with self._starting:
            if self._stopped.is_set():
                return False
            try:
                self._builder = builder = subprocess.Popen(
                    [sys.executable, "-P", "-c", code, str(LARGE), str(self._folder)],
                    env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                )  # fmt: skip
            except OSError as error:
                self.trouble = _sentence(error)
                return False
        assert builder.stderr is not None
        with builder.stderr as errors:
            text = errors.read().decode("utf-8", "replace").strip()
        if builder.wait() != 0 and not self._stopped.is_set():
            last = text.splitlines()[-1] if text else "The process that made them has ended."
            self.trouble = _sentence(last)
        return builder.returncode == 0


_large = LargeTables()


def _sentence(trouble: object) -> str:
    return f"{trouble} The endgame tables of four pieces are used instead."


def build_for_parent(pieces: int, folder: str) -> None:
    """Make tables for the process at the other end of the standard input.

    However that one ends, the input ends with it, and so does this process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the game
    if hasattr(os, "nice"):
        os.nice(LOW_PRIORITY)

    def end_with_parent() -> None:
        # Unlike `sys.stdin` this may be left waiting when Python ends.
        os.read(0, 1)
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        open_tables(pieces, folder)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(1)


def make_ready(game: Checkers, progress: Progress | None = None) -> str | None:
    """Make the tables of five pieces if need be, and use them; a sentence if that cannot be."""
    if game.blocked == "loss":
        _large.open(progress)
    return None if _large.tables is not None else _large.trouble


def start(game: Checkers, build: bool = True) -> None:
    """Have the tables of five pieces made in the background, and use them once they are ready."""
    if game.blocked == "loss":
        _large.start(build)


def stop() -> None:
    """End the making of tables; it is continued another time."""
    _large.stop()


def release() -> None:
    """Forget what was looked up in the tables of five pieces."""
    if _large.tables is not None:
        _large.tables.release()


def status() -> TablesStatus:
    """How far the tables of five pieces are; a `ValueError` if the setting is wrong."""
    most_pieces()
    return _large.status()
