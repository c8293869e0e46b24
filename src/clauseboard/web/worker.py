"""What is done in a process that thinks: players are made there, kept ready, and asked.

`python -m clauseboard.web.worker` is such a process; questions and answers are pickled, which only
ever travels between processes of one program.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import pickle
import secrets
import signal
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from clauseboard.engines.tying import end_with_parent

READY, THOUGHT, DONE, FAILED = "ready", "thought", "done", "failed"
"""What an answer is: the clock may start, the choice so far, the result, or a sentence."""
MOST_PLAYERS = 8
"""Players that a process keeps ready."""


Said = Callable[[Any], None]


class ProgressReporter:
    """What a task says before it is done."""

    def __init__(self, say: Said) -> None:
        self._say = say

    def ready(self) -> None:
        """The player is there, and its time may run."""
        self._say((READY, None))

    def thought(self, choice: Any) -> None:
        """What the player would choose so far; of other moves nobody wants to know yet."""
        self._say((THOUGHT, dataclasses.replace(plain_choice(choice), candidates=())))


def send(stream: Any, message: Any) -> None:
    """Send a message to another process of ours, as Python's pickle."""
    pickle.dump(message, stream)
    stream.flush()


def receive(stream: Any) -> Any:
    """The next message; an `EOFError` if there is none any more."""
    return pickle.load(stream)


def main() -> None:
    """Do what comes through the standard input until it is closed."""
    end_with_parent()  # else a server that was killed would be outlived by a long search
    # What players print must not come between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin.buffer, answers)


def serve(questions: Any, answers: Any) -> None:
    """Answer one question after another."""
    crew = PlayerCache()
    try:
        import clauseboard.explaining
        import clauseboard.players  # noqa: F401 - a second that nobody waits for later

        # Until now there was nothing to clear up; an import that is broken off complains.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        while True:
            task, arguments = receive(questions)
            send(answers, _answer(crew, functools.partial(send, answers), task, arguments))
    except (EOFError, OSError):
        # Where the process is told to end at once, the programs of players are killed with it.
        crew.close()


def _answer(crew: PlayerCache, say: Said, task: str, arguments: dict[str, Any]) -> tuple[str, Any]:
    try:
        return DONE, TASKS[task](crew, ProgressReporter(say), **arguments)
    except (ValueError, OSError, RuntimeError) as error:
        return FAILED, str(error)
    except Exception as error:  # a player may be another's program: the process lives on
        return FAILED, f"That failed with {type(error).__name__}: {error}"


class PlayerCache:
    """The players of a process, by their lines and games; those asked last are kept."""

    def __init__(self) -> None:
        self._players: OrderedDict[Any, Any] = OrderedDict()

    def player(self, line: str, game: Any) -> Any:
        """The player of this line, ready for the game."""
        from clauseboard.players import read_player

        key = line, game
        if key not in self._players:
            player = read_player(line, game)
            for colour in game.colours:
                player.begin(game, colour, secrets.randbits(63))
            self._players[key] = player
            while len(self._players) > MOST_PLAYERS:
                self._players.popitem(last=False)[1].close()
        self._players.move_to_end(key)
        return self._players[key]

    def forget(self, line: str, game: Any) -> None:
        """Have a player made anew the next time."""
        player = self._players.pop((line, game), None)
        if player is not None:
            player.close()

    def close(self) -> None:
        """Let go of all players."""
        while self._players:
            self._players.popitem()[1].close()


def choose(crew: PlayerCache, voice: ProgressReporter, line: str, position: Any, limit: Any) -> Any:
    """A player's choice, without what cannot travel."""
    player = crew.player(line, position.game)
    voice.ready()
    player.listener = voice.thought
    try:
        return plain_choice(player.choose(position, limit))
    except Exception:
        crew.forget(line, position.game)
        raise
    finally:
        player.listener = None


def plain_choice(choice: Any) -> Any:
    """A choice without its explanation, and with plain numbers."""
    value = None if choice.value is None else float(choice.value)
    return dataclasses.replace(choice, explain=None, value=value)


def why(crew: PlayerCache, voice: ProgressReporter, **asked: Any) -> dict[str, Any]:
    """Why a move, or a board; see `reasons`."""
    from clauseboard.web import reasons

    player = crew.player(asked.pop("line"), asked["position"].game)
    voice.ready()
    return reasons.why(player, **asked)


def why_not(crew: PlayerCache, voice: ProgressReporter, **asked: Any) -> dict[str, Any]:
    """Why not a move; see `reasons`."""
    from clauseboard.web import reasons

    player = crew.player(asked.pop("line"), asked["position"].game)
    voice.ready()
    return reasons.why_not(player, **asked)


def find_dead(crew: PlayerCache, voice: ProgressReporter, position: Any) -> list[str]:
    """The stones that the game's own count finds dead."""
    from clauseboard.games.plugins import COUNTING

    return list(COUNTING.of(position.game).find_dead(position))


def read_record(crew: PlayerCache, voice: ProgressReporter, text: str, game: Any) -> Any:
    """A game from a text; see `records`."""
    from clauseboard.web import records

    voice.ready()
    return records.read_record(text, game)


def clauses(crew: PlayerCache, voice: ProgressReporter, line: str, **asked: Any) -> dict[str, Any]:
    """A page of a machine's clauses; see `lab.clauses`."""
    from clauseboard.web.lab.clauses import gallery

    player = crew.player(line, asked["game"])
    voice.ready()
    return gallery(player, **asked)


def prepare(crew: PlayerCache, voice: ProgressReporter, line: str, game: Any) -> None:
    """Make a player, so that its first move comes soon."""
    crew.player(line, game)


TASKS: dict[str, Callable[..., Any]] = {
    "choose": choose,
    "why": why,
    "why_not": why_not,
    "find_dead": find_dead,
    "clauses": clauses,
    "prepare": prepare,
    "read_record": read_record,
}

if __name__ == "__main__":
    main()
