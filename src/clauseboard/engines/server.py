"""A server of the Go Text Protocol: other programs play against a player of ours, in any game.

A session has the commands that all games share; `analysis.py` has those that show what the player
thinks, and a game's `gtp.py` adds its own. Only `quit` ends it: a command that cannot be done is
answered with `?` and the reason. Input is read while a command runs, so that a line `# interrupt`
ends the thinking, as GoGui wants it, and any line ends an analysis.

    1 play black b2
    =1

    genmove white
    = a3
"""

from __future__ import annotations

import inspect
import math
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from clauseboard import __version__
from clauseboard.engines import (
    Command,
    CommandReader,
    analysis,
    dialect_of,
    exchanges,
    read_command,
    write_reply,
)
from clauseboard.evaluation import Limit
from clauseboard.explanation import Explanation
from clauseboard.files import read_bytes
from clauseboard.game import Game, IllegalMoveError, Move, NotationError, Position
from clauseboard.games.plugins import GTP_SWAP
from clauseboard.player import Choice, Listener, Player

LEAST = 0.05
"""Seconds that a move may take though there is no time left."""
MOVES_TO_GO = 30
"""Over how many moves the main time is spread, unless the game says otherwise."""
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

    def seconds_for_a_move(self, moves_to_go: int = MOVES_TO_GO) -> float:
        """How long the next move may take; the main time is spread over `moves_to_go` moves."""
        if self.moves:
            return max(LEAST, SHARE * self.left / self.moves)
        later = self.period / self.period_moves if self.period_moves else 0.0
        return max(LEAST, SHARE * (self.left / moves_to_go + later))

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


class EarlyStop:
    """Saves the rest of a move's time once no other move can catch up with the best one.

    It listens to a player that thinks, passes on what it hears, and is asked whether to stop: when
    another listener says so, or when the best move has more visits ahead of the second than there
    are simulations to come at the speed so far.
    """

    def __init__(
        self, seconds: float, listener: Listener | None, is_stopped: Callable[[], bool] | None
    ) -> None:
        self.seconds, self._listener, self._is_stopped = seconds, listener, is_stopped
        self._decided = False

    def hear(self, choice: Choice) -> None:
        """Look at the best choice so far."""
        visits = sorted((one.visits for one in choice.candidates), reverse=True)
        spent = choice.cost.seconds
        if len(visits) > 1 and spent > 0:
            to_come = choice.cost.simulations / spent * max(self.seconds - spent, 0.0)
            self._decided = visits[0] - visits[1] > to_come
        if self._listener is not None:
            self._listener(choice)

    def is_stopped(self) -> bool:
        """Whether the player is to choose now."""
        return self._decided or (self._is_stopped is not None and self._is_stopped())


LARGEST_RECORD = 1 << 20
"""Bytes of a file that `loadsgf` reads."""


def no_heat(explanation: Explanation, asked: Position) -> tuple[str, Mapping[str, float]]:
    """The judge, and no colours, where nothing reads an explanation."""
    return explanation.judge, {}


def value_and_judge(explanation: Explanation, asked: Position) -> str:
    """An explanation in one line, where nothing writes it at length."""
    return f"{explanation.value_for(asked.to_move):+.3f} for {asked.to_move}: {explanation.judge}"


class GtpSession:
    """A game with a program: the positions so far, the clocks, and the player that answers.

    `make_player` makes a player for a game, since the program may ask for another board; it raises
    a `ValueError` if it has none for that. `limit` holds where the program sets no time.
    `write_account` writes an explanation of a choice that was made in a position; `read_heat` gives
    a sentence about it, and what each cell adds for the side to move there, from -1 to 1.
    """

    def __init__(
        self,
        game: Game,
        make_player: Callable[[Any], Player],
        limit: Limit | None = None,
        seed: int = 0,
        write_account: Callable[[Explanation, Any], str] = value_and_judge,
        read_heat: Callable[[Explanation, Any], tuple[str, Mapping[str, float]]] = no_heat,
    ) -> None:
        self.make_player, self.limit, self.seed = make_player, limit or Limit(), seed
        self.write_account, self.read_heat = write_account, read_heat
        self.dialect = dialect_of(game)
        self.commands = {**COMMANDS, **self.dialect.COMMANDS}
        self.over = False
        self._reader: CommandReader | None = None
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
        parts: list[str] = []
        self._reply(line, parts.append)
        return "".join(parts)

    def _reply(self, line: str, write: Callable[[str], None]) -> None:
        """Write the reply to a line, all at once or line by line."""
        command = read_command(line)
        if command is None:
            return
        try:
            run = self.commands.get(command.name)
            if run is None:
                raise ValueError("unknown command")
            _check_arguments(command, run)
            said = run(self, *command.arguments)
        except Exception as error:  # a player may fail in ways of its own
            write(write_reply(_told(error), command.number, succeeded=False))
            return
        if isinstance(said, str):
            write(write_reply(said, command.number))
            return
        write(f"={command.number}\n")
        try:
            said(lambda text: write(f"{text}\n"))
        except OSError:  # there is nobody to write to
            raise
        except Exception as error:  # it is too late for a "?"
            print(f"clauseboard: {command.name}: {_told(error)}", file=sys.stderr, flush=True)
        write("\n")

    def serve(self, lines: Iterable[str], out: TextIO) -> None:
        """Answer line after line, until `quit` or until there are no more."""

        def write(text: str) -> None:
            out.write(text)
            out.flush()

        self._reader = CommandReader(lines)
        try:
            for line in self._reader:
                self._reply(line, write)
                if self.over:
                    break
        finally:
            self._reader = None
            self.close()

    def is_interrupted(self) -> bool:
        """Whether the player is to choose now."""
        return self._reader is not None and self._reader.is_interrupted()

    def is_awaited(self) -> bool:
        """Whether an analysis is to end: something was sent, or nothing can be."""
        return self._reader is None or self._reader.is_awaited()

    def close(self) -> None:
        """Let go of the player."""
        self.player.close()

    # ---- what commands do, also those of a game

    def begin(self, game: Game, start: Any = None) -> None:
        """Begin a new game, perhaps from a given position."""
        self.use(game)
        self.positions = [game.start() if start is None else start]
        self.choice = None
        self.last_by_player = False
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
        self.last_by_player = False

    def _append(self, after: Position, move: Move) -> None:
        swapped = exchanges(self.game, move)
        self.positions.append(GTP_SWAP.of(self.game).exchanged(after) if swapped else after)

    def check_going_on(self, colour: str) -> None:
        """A `ValueError` if this colour has no move to make here."""
        outcome = self.dialect.turned(self.position, colour).outcome()
        if outcome is not None:
            raise ValueError(f"the game is over: {outcome}")

    def limit_for(self, colour: str) -> Limit:
        """What the next move of a colour may take."""
        clock = self.clocks.get(colour)
        if clock is None:
            return self.limit
        to_go = getattr(self.dialect, "moves_to_go", None)
        moves = MOVES_TO_GO if to_go is None else to_go(self.position)
        return Limit(seconds=clock.seconds_for_a_move(moves)).or_else(self.limit)

    def judge(
        self,
        colour: str,
        limit: Limit | None = None,
        is_stopped: Callable[[], bool] | None = None,
        listener: Listener | None = None,
    ) -> Choice:
        """What the player would choose for a colour; nothing is played."""
        self.check_going_on(colour)
        position = self.dialect.turned(self.position, colour)
        if colour not in self._begun:
            self.player.begin(self.game, colour, self.seed)
            self._begun.add(colour)
        if is_stopped is None and self._reader is not None:
            is_stopped = self.is_interrupted
        within = limit or self.limit_for(colour)
        if limit is None and colour in self.clocks and within.seconds is not None:
            early = EarlyStop(within.seconds, listener, is_stopped)
            is_stopped, listener = early.is_stopped, early.hear
        self.player.is_stopped, self.player.listener = is_stopped, listener
        try:
            self.choice = self.player.choose(position, within)
        finally:
            self.player.is_stopped = self.player.listener = None
        self.asked = position
        return self.choice

    def judged_here(self, colour: str = "") -> tuple[Choice, Any]:
        """What the player would choose here, and the position; it thinks if it has not yet."""
        colour = colour or self.position.to_move
        if self.choice is None or self.asked != self.dialect.turned(self.position, colour):
            self.judge(colour, self.limit)  # the clock is for moves
        assert self.choice is not None
        return self.choice, self.asked

    def judged(self, colour: str = "") -> tuple[Choice, Any]:
        """The move that the player made last, if nothing was played since; or `judged_here`."""
        if self.last_by_player and not colour and self.choice is not None:
            return self.choice, self.asked
        return self.judged_here(colour)

    def words_of(self, position: Position) -> Callable[[Sequence[Move]], list[str]]:
        """Writes lines of moves from a position; after a swap there is nothing more to write."""

        def write(line: Sequence[Move]) -> list[str]:
            here, words = position, []
            for move in line:
                words.append(self.dialect.write_move(here, move))
                if exchanges(self.game, move):
                    break
                here = here.play(move)
            return words

        return write

    def ownership(self, position: Position, choice: Choice) -> Sequence[float] | None:
        """How much each point will be the mover's, from -1 to 1, where the game tells it."""
        tell = getattr(self.dialect, "ownership", None)
        owned: Sequence[float] | None = None if tell is None else tell(position, choice)
        return owned

    def choose(self, colour: str) -> str:
        """Let the player choose a move for a colour; the word for it."""
        return self._word(self.judge(colour))

    def _word(self, choice: Choice) -> str:
        return "resign" if choice.resigns else self.dialect.write_move(self.asked, choice.move)

    def take(self, colour: str, choice: Choice, seconds: float) -> str:
        """Play what the player chose in so many seconds, unless it resigns; the word for it."""
        word = "resign" if choice.ends_game else self._word(choice)
        if colour in self.clocks:
            self.clocks[colour].spend(seconds)
        if not choice.ends_game:
            self.play(colour, word)
            self.last_by_player = True
        return word

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
            raise ValueError(f"syntax error: {word!r} is not a colour; there are {words}")
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
        """An integer >= 0."""
        if not (word.isascii() and word.isdigit()) or len(word) > 9:
            raise ValueError(f"syntax error: {word!r} must be an integer from 0 to 999999999")
        return int(word)

    @staticmethod
    def seconds(word: str) -> float:
        """A number of seconds; whole in the standard, but some programs send more."""
        try:
            value = float(word)
        except ValueError:
            value = -1.0
        if not 0 <= value < math.inf:
            raise ValueError(f"syntax error: {word!r} must be a number of seconds")
        return value


def _told(error: Exception) -> str:
    """An error in one line."""
    return " ".join((str(error) or type(error).__name__).split())


def _check_arguments(command: Command, run: Callable[..., object]) -> None:
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
    side = session.colour(colour)
    if move.lower() != "resign":  # is told, but changes no board
        session.play(side, move)
    return ""


def _genmove(session: GtpSession, colour: str) -> str:
    side, start = session.colour(colour), time.monotonic()
    return session.take(side, session.judge(side), time.monotonic() - start)


def _undo(session: GtpSession, moves: str = "1") -> str:
    number = session.whole(moves)
    if not 1 <= number < len(session.positions):
        raise ValueError("cannot undo")
    del session.positions[-number:]
    session.last_by_player = False
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


def _position(session: GtpSession, *words: str) -> str:
    """Without words tell the position as one line; with them begin there."""
    if not words:
        return session.game.write_position(session.position)
    game = session.dialect.emptied(session.game)
    session.begin(game, game.read_position(" ".join(words)))
    return ""


COMMANDS: dict[str, Callable[..., str | analysis.Stream]] = {
    **analysis.COMMANDS,
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
    "undo": lambda session: _undo(session),
    "gg-undo": _undo,
    "time_settings": _time_settings,
    "time_left": _time_left,
    "final_score": lambda session: session.dialect.final_score(session.position),
    "showboard": lambda session: f"\n{session.position}",
    "all_legal": _all_legal,
    "clauseboard-position": _position,
}
"""Each takes the session and the arguments of the command, and returns the text of the reply; or,
if that comes line by line, what writes it."""
