"""A server of the Go Text Protocol: other programs play against a player of ours, in any game.

A session has the commands that all games share; a game's `gtp.py` adds its own. Only `quit` ends
it: a command that cannot be done is answered with `?` and the reason.

    1 play black b2
    =1

    genmove white
    = a3
"""

from __future__ import annotations

import inspect
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from clauseboard import __version__
from clauseboard.engines.protocol import Command, dialect_of, exchanges, read_command, write_reply
from clauseboard.evaluation import Limit
from clauseboard.explanation import Explanation
from clauseboard.files import read_bytes
from clauseboard.game import Game, IllegalMoveError, Move, NotationError
from clauseboard.games.plugins import GTP_SWAP
from clauseboard.player import Choice, Player

LEAST = 0.05
"""Seconds that a move may take though there is no time left."""
MOVES_TO_GO = 30
"""Over how many moves the main time is spread."""
LARGEST_RECORD = 1 << 20
"""Bytes of a file that `loadsgf` reads."""
SHARE = 0.9
"""What is used of the time of a move; the rest is for the way there and back."""


@dataclass
class GtpClock:
    """One side's time: `left` seconds in all, or for `moves` moves if that is not 0.

    As the protocol has it, the main time comes first, then so many moves in each period.

    >>> clock = GtpClock.settings(main=300, period=30, moves=5)
    >>> round(clock.seconds_for_a_move(), 1)
    14.4
    >>> clock.spend(400)
    >>> clock.left, clock.moves
    (30, 5)
    """

    left: float
    moves: int
    period: float
    period_moves: int

    @classmethod
    def settings(cls, main: float, period: float, moves: int) -> GtpClock | None:
        """The clock of `time_settings`; None if there is no limit, which "0 1 0" means."""
        if period > 0 and moves == 0:
            return None
        return cls(main, 0, period, moves) if main > 0 else cls(period, moves, period, moves)

    def seconds_for_a_move(self) -> float:
        """How long the next move may take."""
        if self.moves:
            return max(LEAST, SHARE * self.left / self.moves)
        later = self.period / self.period_moves if self.period_moves else 0.0
        return max(LEAST, SHARE * (self.left / MOVES_TO_GO + later))

    def spend(self, seconds: float) -> None:
        """Take the time of a move off; a new period begins where one is over."""
        self.left = max(0.0, self.left - seconds)
        if self.moves:
            self.moves -= 1
            over = self.moves == 0
        else:
            over = self.left == 0
        if over and self.period_moves:
            self.left, self.moves = self.period, self.period_moves


def value_and_judge(explanation: Explanation, asked: Any) -> str:
    """An explanation in one line, where nothing writes it at length."""
    return f"{explanation.value_for(asked.to_move):+.3f} for {asked.to_move}: {explanation.judge}"


class GtpSession:
    """A game with a program: the positions so far, the clocks, and the player that answers.

    `make_player` makes a player for a game, since the program may ask for another board; it raises
    a `ValueError` if it has none for that. `limit` holds where the program sets no time.
    `write_account` writes an explanation of a choice that was made in a position.
    """

    def __init__(
        self,
        game: Game,
        make_player: Callable[[Any], Player],
        limit: Limit | None = None,
        seed: int = 0,
        write_account: Callable[[Explanation, Any], str] = value_and_judge,
    ) -> None:
        self.make_player, self.limit, self.seed = make_player, limit or Limit(), seed
        self.write_account = write_account
        self.dialect = dialect_of(game)
        self.commands = {**COMMANDS, **self.dialect.COMMANDS}
        self.over = False
        self.time: tuple[float, float, int] | None = None
        self.choice: Choice | None = None
        self.asked: Any = None
        """The position in which the choice was made."""
        self.game = game
        self.player = make_player(game)
        self.begin(game)

    @property
    def position(self) -> Any:
        """The position on the board."""
        return self.positions[-1]

    # ---- the wire

    def answer(self, line: str) -> str:
        """The reply to a line; nothing if the line is empty."""
        command = read_command(line)
        if command is None:
            return ""
        try:
            run = self.commands.get(command.name)
            if run is None:
                raise ValueError("unknown command")
            _check_arguments(command, run)
            return write_reply(run(self, *command.arguments), command.number)
        except Exception as error:  # a player may fail in ways of its own
            text = str(error) or type(error).__name__
            return write_reply(" ".join(text.split()), command.number, succeeded=False)

    def serve(self, lines: Iterable[str], out: TextIO) -> None:
        """Answer line after line, until `quit` or until there are no more."""
        try:
            for line in lines:
                reply = self.answer(line)
                if reply:
                    out.write(reply)
                    out.flush()
                if self.over:
                    break
        finally:
            self.close()

    def close(self) -> None:
        """Let go of the player."""
        self.player.close()

    # ---- what commands do, also those of a game

    def begin(self, game: Game, start: Any = None) -> None:
        """Begin a new game, perhaps from a given position."""
        self.use(game)
        self.positions = [game.start() if start is None else start]
        self.choice = None
        self._begun: set[str] = set()
        self.seed += 1
        self.set_clocks()

    def use(self, game: Game) -> None:
        """Have a player for this game from now on; nothing changes if there is none."""
        if game != self.game:
            player = self.make_player(game)
            self.close()
            self.player, self.game = player, game
            self._begun = set()

    def play(self, colour: str, word: str) -> None:
        """Play a move that a word means."""
        try:
            position = self.dialect.turned(self.position, colour)
            move = self.dialect.read_move(position, word)
            after = position.play(move)
        except IllegalMoveError as error:
            raise ValueError(f"illegal move: {error}") from None
        except NotationError as error:
            raise ValueError(f"syntax error: {error}") from None
        self._append(after, move)

    def _append(self, after: Any, move: Move) -> None:
        swapped = exchanges(self.game, move)
        self.positions.append(GTP_SWAP.of(self.game).exchanged(after) if swapped else after)

    def choose(self, colour: str) -> str:
        """Let the player choose a move for a colour; the word for it."""
        position = self.dialect.turned(self.position, colour)
        outcome = position.outcome()
        if outcome is not None:
            raise ValueError(f"the game is over: {outcome}")
        if colour not in self._begun:
            self.player.begin(self.game, colour, self.seed)
            self._begun.add(colour)
        clock = self.clocks.get(colour)
        limit = self.limit
        if clock is not None:
            limit = Limit(seconds=clock.seconds_for_a_move()).or_else(limit)
        self.asked, self.choice = position, self.player.choose(position, limit)
        if self.choice.resigns:
            return "resign"
        return self.dialect.write_move(position, self.choice.move)

    def load(self, file: str, number: str | None, read: Callable[[bytes], tuple[Any, Any]]) -> str:
        """Begin with the record of a file, as it was before the move of this number."""
        most = None if number is None else self.whole(number)
        if most == 0:
            raise ValueError("syntax error: moves are counted from 1")
        try:
            start, moves = read(read_bytes(Path(file), LARGEST_RECORD))
        except (OSError, ValueError) as error:
            raise ValueError(f"cannot load file: {error}") from None
        self.begin(start.game, start)
        swapped = False
        for noted in moves if most is None else moves[: most - 1]:
            move = GTP_SWAP.of(self.game).exchanged_move(noted) if swapped else noted
            self._append(self.position.play(move), move)
            swapped = swapped or exchanges(self.game, move)
        return ""

    def colour(self, word: str) -> str:
        """The colour that a word means."""
        colour = self.dialect.COLOURS.get(word.lower())
        if colour is None:
            words = ", ".join(self.dialect.COLOURS)
            raise ValueError(f"syntax error: {word!r} is no colour; there are {words}")
        return colour

    def set_clocks(self) -> None:
        """Give both sides the time of a new game, if there is a limit."""
        self.clocks: dict[str, GtpClock] = {}
        for colour in self.game.colours:
            clock = None if self.time is None else GtpClock.settings(*self.time)
            if clock is not None:
                self.clocks[colour] = clock

    def set_time_left(self, colour: str, left: str, moves: str) -> str:
        """Set a clock: so many seconds, in all or for so many moves."""
        clock = self.clocks.get(colour) or GtpClock(0.0, 0, 0.0, 0)
        clock.left, clock.moves = self.seconds(left), self.whole(moves)
        self.clocks[colour] = clock
        return ""

    # ---- arguments

    @staticmethod
    def whole(word: str) -> int:
        """A whole number from 0 on."""
        if not (word.isascii() and word.isdigit()) or len(word) > 9:
            raise ValueError(f"syntax error: {word!r} is no whole number from 0 to 999999999")
        return int(word)

    @staticmethod
    def seconds(word: str) -> float:
        """A number of seconds; whole in the standard, but some programs send more."""
        try:
            value = float(word)
        except ValueError:
            value = -1.0
        if not 0 <= value < math.inf:
            raise ValueError(f"syntax error: {word!r} is no number of seconds")
        return value


def _check_arguments(command: Command, run: Callable[..., str]) -> None:
    """Refuse a command that has more or fewer arguments than its function."""
    signature = inspect.signature(run)
    try:
        signature.bind(None, *command.arguments)
    except TypeError:
        _, *parameters = signature.parameters.values()
        words = [p.name if p.default is p.empty else f"[{p.name}]" for p in parameters]
        usage = " ".join([command.name, *words])
        raise ValueError(f"syntax error: it is written {usage!r}") from None


# ---- the commands of all games


def _quit(session: GtpSession) -> str:
    session.over = True
    return ""


def _clear_board(session: GtpSession) -> str:
    session.begin(session.dialect.emptied(session.game))
    return ""


def _play(session: GtpSession, colour: str, move: str) -> str:
    session.play(session.colour(colour), move)
    return ""


def _genmove(session: GtpSession, colour: str) -> str:
    side, start = session.colour(colour), time.monotonic()
    chosen = session.choose(side)
    if side in session.clocks:
        session.clocks[side].spend(time.monotonic() - start)
    if chosen != "resign":
        session.play(side, chosen)
    return chosen


def _undo(session: GtpSession) -> str:
    if len(session.positions) == 1:
        raise ValueError("cannot undo")
    session.positions.pop()
    return ""


def _time_settings(session: GtpSession, main: str, period: str, moves: str) -> str:
    session.time = session.seconds(main), session.seconds(period), session.whole(moves)
    session.set_clocks()
    return ""


def _time_left(session: GtpSession, colour: str, left: str, moves: str = "0") -> str:
    return session.set_time_left(session.colour(colour), left, moves)


def _all_legal(session: GtpSession, colour: str = "") -> str:
    position = session.position
    if colour:
        position = session.dialect.turned(position, session.colour(colour))
    return " ".join(session.dialect.write_move(position, move) for move in position.moves())


def _explain(session: GtpSession) -> str:
    if session.choice is None:
        raise ValueError("no move has been chosen yet: genmove comes first")
    explanation = session.choice.explanation
    if explanation is None:
        raise ValueError(f"{session.player} gives no reasons")
    return session.write_account(explanation, session.asked)


def _position(session: GtpSession, *words: str) -> str:
    """Without words tell the position as one line; with them begin there."""
    if not words:
        return session.game.write_position(session.position)
    game = session.dialect.emptied(session.game)
    session.begin(game, game.read_position(" ".join(words)))
    return ""


COMMANDS: dict[str, Callable[..., str]] = {
    "protocol_version": lambda session: "2",
    "name": lambda session: f"Clauseboard ({session.player})",
    "version": lambda session: __version__,
    "known_command": lambda session, name: "true" if name in session.commands else "false",
    "list_commands": lambda session: "\n".join(sorted(session.commands)),
    "quit": _quit,
    "clear_board": _clear_board,
    "play": _play,
    "genmove": _genmove,
    "reg_genmove": lambda session, colour: session.choose(session.colour(colour)),
    "undo": _undo,
    "time_settings": _time_settings,
    "time_left": _time_left,
    "final_score": lambda session: session.dialect.final_score(session.position),
    "showboard": lambda session: f"\n{session.position}",
    "all_legal": _all_legal,
    "clauseboard-explain": _explain,
    "clauseboard-position": _position,
}
"""Each takes the session and the arguments of the command, and returns the text of the reply."""
