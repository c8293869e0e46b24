"""A process in which players think: it keeps them ready, and does one task after another.

`python -m clauseboard.web.worker` is such a process. Tasks and results are pickled; they only
travel between processes of one program.
"""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import os
import pickle
import secrets
import signal
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any

from clauseboard.engines.process import end_with_parent

if TYPE_CHECKING:
    from clauseboard.evaluation import Limit
    from clauseboard.game import Game, Outcome, Position
    from clauseboard.kernels.compiler import Progress
    from clauseboard.play import SavedGame
    from clauseboard.player import Choice, Player
    from clauseboard.web.lab.reports import ReportFile
    from clauseboard.web.models import Gallery, Why, WhyNot

READY, COMPILING, THOUGHT, DONE, FAILED = "ready", "compiling", "thought", "done", "failed"
"""The kinds of messages: time runs from now on, a kernel is compiled, the choice so far, the
result, or a sentence that says what failed."""
NICE = 3
"""How much a worker yields to the server, so that no request waits for a search."""
MOST_PLAYERS = 8
"""Players that a process keeps ready."""
MOST_NODES = 1_000_000
"""Nodes of a tree of Monte-Carlo search, 49 bytes each: with them a worker stays below 300 MB. Go
has so many after two seconds or more."""

Send = Callable[[tuple[str, Any]], None]

_malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
"""What has the C library give unused memory back to the system, where it can."""


def send(stream: IO[bytes], message: Any) -> None:
    """Send a message to another process of this program."""
    pickle.dump(message, stream)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """The next message; an `EOFError` at the end."""
    return pickle.load(stream)


def main() -> None:
    """Do the tasks that arrive at the standard input until it is closed."""
    end_with_parent()  # or else a long search would outlive a server that was killed
    if hasattr(os, "nice"):
        os.nice(NICE)
    # What players print must not come between the messages.
    results = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin.buffer, results)


def serve(tasks: IO[bytes], results: IO[bytes]) -> None:
    """Do one task after another."""
    players = PlayerCache(functools.partial(send, results))
    try:
        _import_players()
        from clauseboard.kernels.compiler import compile_elsewhere, on_compile

        on_compile(players.compiling)
        compile_elsewhere()
        # From here on there are players to close; an interrupted import prints an error.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        while True:
            task, arguments = receive(tasks)
            send(results, _result(players, task, arguments))
            players.rest()
    except (EOFError, OSError):
        # Where the process is killed at once, the players' programs are killed with it.
        players.close()


def _import_players() -> None:
    """Import what players need, so that no task waits for it."""
    import clauseboard.explaining
    import clauseboard.players  # noqa: F401


def _result(players: PlayerCache, task: str, arguments: dict[str, Any]) -> tuple[str, Any]:
    try:
        return DONE, TASKS[task](players, **arguments)
    except (ValueError, OSError, RuntimeError) as error:
        return FAILED, str(error)
    except Exception as error:  # a player may be another's program: the process lives on
        return FAILED, f"That failed with {type(error).__name__}: {error}"


class PlayerCache:
    """The players of a process, by their lines and games; the last used ones are kept.

    `send` tells the server how far a task is.
    """

    def __init__(self, send: Send) -> None:
        self.send = send
        self._players: OrderedDict[Any, Player] = OrderedDict()

    def ready(self, line: str, game: Game) -> Player:
        """The player of this line, ready for the game; its time runs from now on."""
        player = self.player(line, game)
        self.send((READY, None))
        return player

    def player(self, line: str, game: Game) -> Player:
        """The player of this line, made if need be."""
        from clauseboard.games.solving import start_tables
        from clauseboard.players import SearchPlayer, read_player
        from clauseboard.search.mcts import MonteCarlo

        key = line, game
        if key not in self._players:
            player = read_player(line, game)
            if isinstance(player, SearchPlayer) and isinstance(player.search, MonteCarlo):
                most = min(player.search.most_nodes, MOST_NODES)
                player.search = dataclasses.replace(player.search, most_nodes=most)
            for colour in game.colours:
                player.begin(game, colour, secrets.randbits(63))
            self._players[key] = player
            if player.uses_tables:
                start_tables(game, build=False)  # the server has them made
            while len(self._players) > MOST_PLAYERS:
                self._players.popitem(last=False)[1].close()
        self._players.move_to_end(key)
        return self._players[key]

    def compiling(self, progress: Progress) -> None:
        """Tell the server which kernel is being compiled."""
        self.send((COMPILING, progress))

    def thought(self, choice: Choice) -> None:
        """Tell the server the choice so far, without the other candidates."""
        self.send((THOUGHT, dataclasses.replace(plain_choice(choice), candidates=())))

    def forget(self, line: str, game: Game) -> None:
        """Make a player anew the next time."""
        player = self._players.pop((line, game), None)
        if player is not None:
            player.close()

    def rest(self) -> None:
        """Give memory back between two tasks: trees of Monte-Carlo search have 100 MB each.

        The next move of a game is mostly another process's task, so that to keep them helps little.
        """
        from clauseboard.games.solving import release_tables
        from clauseboard.kernels.compiler_process import end_compiler_processes
        from clauseboard.players.searcher import SearchPlayer

        end_compiler_processes()
        for player in self._players.values():
            if isinstance(player, SearchPlayer):
                player.release()
                release_tables(player.game)
        if _malloc_trim is not None:
            _malloc_trim(0)

    def close(self) -> None:
        """Close all players."""
        while self._players:
            self._players.popitem()[1].close()


def choose(
    players: PlayerCache, line: str, position: Position, limit: Limit, solve: bool = False
) -> Choice:
    """A player's choice, without the parts that cannot be pickled; how the game ends, if known.

    `solve`: the solver of the game is asked as well, on a board that it solves in a moment.
    """
    from clauseboard.games.solving import solved_end

    player = players.ready(line, position.game)

    def thought(choice: Choice) -> None:
        value = choice.value
        chance = None if value is None else player.chance(position.to_move, float(value))
        players.thought(dataclasses.replace(choice, chance=chance))

    player.listener = thought
    try:
        choice = plain_choice(player.choose(position, limit))
        end = (solved_end(position) if solve else None) or _proven_end(position, choice)
        return dataclasses.replace(choice, end=end)
    except Exception:
        players.forget(line, position.game)
        raise
    finally:
        player.listener = None


def plain_choice(choice: Choice) -> Choice:
    """A choice without its explanation, and with plain numbers."""
    value = None if choice.value is None else float(choice.value)
    return dataclasses.replace(choice, explain=None, value=value)


def _proven_end(position: Position, choice: Choice) -> Outcome | None:
    """What a search has proven: a win of either side."""
    from clauseboard.game import Ending, Outcome
    from clauseboard.games.solving import won_words

    if not choice.proven or choice.value not in (-1.0, 1.0):
        return None
    mover = position.to_move
    winner = mover if choice.value == 1.0 else position.game.other(mover)
    return Outcome(winner, won_words(winner), Ending.SOLVED)


def explain(
    players: PlayerCache, question: str, line: str, position: Position, **arguments: Any
) -> Why | WhyNot:
    """The reasons of a player; `question` is "why" or "why_not", see `reasons`."""
    from clauseboard.web import reasons

    player = players.ready(line, position.game)
    return getattr(reasons, question)(player, position, **arguments)


def find_dead(players: PlayerCache, position: Position) -> list[str]:
    """The dead stones, as far as the game itself finds them."""
    from clauseboard.games.plugins import COUNTING

    return list(COUNTING.of(position.game).find_dead(position))


def read_record(players: PlayerCache, text: str, game: Game) -> SavedGame:
    """A game from PDN or SGF."""
    from clauseboard.play import read_text

    players.send((READY, None))
    return read_text(text, game)


def clauses(players: PlayerCache, line: str, game: Game, **arguments: Any) -> Gallery:
    """A page of a machine's clauses; see `lab.clauses`."""
    from clauseboard.web.lab.clauses import gallery

    return gallery(players.ready(line, game), game, **arguments)


def report(players: PlayerCache, file: ReportFile) -> str:
    """A report as HTML; see `lab.reports`."""
    from clauseboard.web.lab.reports import report_page

    players.send((READY, None))
    return report_page(file)


def prepare(players: PlayerCache, line: str, game: Game) -> None:
    """Make a player, and compile its kernels by a first choice, so that its move comes soon."""
    from clauseboard.evaluation import Limit
    from clauseboard.players.searcher import SearchPlayer

    player = players.player(line, game)
    if isinstance(player, SearchPlayer):
        player.choose(game.start(), Limit(seconds=0.01))


TASKS: dict[str, Callable[..., Any]] = {
    "choose": choose,
    "why": functools.partial(explain, question="why"),
    "why_not": functools.partial(explain, question="why_not"),
    "find_dead": find_dead,
    "clauses": clauses,
    "prepare": prepare,
    "report": report,
    "read_record": read_record,
}

if __name__ == "__main__":
    main()
