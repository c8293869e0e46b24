"""One game between two players, whatever they do (break the rules, fail, resign, take too long),
and its record.

>>> record = GameRecord(0, ("ann", "bob"), seed=7, moves=("b2", "a1"), winner="red", reason="won")
>>> record.points(("red", "blue"))
1.0
>>> GameRecord.read(record.write()) == record
True

A match resumes from an SQLite file; other programs read PDN or SGF. Each game is written as it
ends.
In the SQLite file it has its match and its number, so that no game is counted twice: not after a
run that was killed, nor when two runs write to one file. How a game is written for other programs
is in `games/<game>/records.py`.
"""

from __future__ import annotations

import dataclasses
import errno
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from clauseboard.evaluation import Limit, seconds_now
from clauseboard.files import replaced
from clauseboard.game import Ending, Game, NotationError, Outcome, Position
from clauseboard.games.plugins import COUNTING, RANDOM_GAMES, RECORDS
from clauseboard.kernels.bits import STREAM_STEP, mixed_number
from clauseboard.player import Choice, Player
from clauseboard.players.simple import RandomPlayer
from clauseboard.sqlite_store import Database

MOST_MOVES = 2000
"""Moves after which a game that the rules do not end is called a draw."""


@dataclass(frozen=True)
class Thought:
    """A player's value of its move, from -1 to 1 for itself, and what the move took."""

    value: float | None = None
    seconds: float = 0.0
    nodes: int = 0
    simulations: int = 0
    depth: int = 0

    @classmethod
    def of(cls, choice: Choice, seconds: float) -> Thought:
        """The thought behind a choice that took so long."""
        value = None if choice.value is None else float(choice.value)
        cost = map(int, (choice.cost.nodes, choice.cost.simulations, choice.cost.depth))
        return cls(value, round(seconds, 6), *cost)


@dataclass(frozen=True)
class GameRecord:
    """A game of a match. `players` are the names of the one who began and the one who replied.

    The first `n_given` moves are the opening. `thoughts` has one entry for each move after it,
    unless the players do not think. `late` counts, for both players, the moves that took far longer
    than allowed. `swapped` says that the match's second player began. `dead` are the stones that
    were taken off before the game was counted. `replays` is how many games before this one were
    broken off, so that it was played instead of them.
    """

    number: int
    players: tuple[str, str]
    seed: int
    moves: tuple[str, ...]
    winner: str | None
    reason: str
    n_given: int = 0
    swapped: bool = False
    thoughts: tuple[Thought, ...] = ()
    late: tuple[int, int] = (0, 0)
    ending: Ending = Ending.UNKNOWN
    dead: tuple[str, ...] = ()
    replays: int = 0

    @property
    def is_broken_off(self) -> bool:
        """Whether a player failed or broke the rules, so that nobody knows who would have won."""
        return self.ending in (Ending.FAILURE, Ending.ILLEGAL_MOVE)

    @property
    def outcome(self) -> Outcome:
        """How the game ended."""
        return Outcome(self.winner, self.reason, self.ending)

    def points(self, colours: tuple[str, str]) -> float:
        """What the player who began scored: 1, 0.5 for a draw, or 0."""
        return 0.5 if self.winner is None else float(self.winner == colours[0])

    def write(self) -> str:
        """The record as JSON."""
        page = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        page["moves"] = " ".join(self.moves)
        page["thoughts"] = [dataclasses.astuple(thought) for thought in self.thoughts]
        return json.dumps(page, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> GameRecord:
        """A record from what `write` wrote."""
        page: dict[str, Any] = json.loads(text)
        page["thoughts"] = tuple(Thought(*values) for values in page["thoughts"])
        page["moves"] = tuple(page["moves"].split())
        page["ending"] = Ending.noted(page.get("ending"), page["reason"])
        for name in ("players", "late", "dead"):
            page[name] = tuple(page.get(name, ()))
        return cls(**page)


def derived_seed(seed: int, n: int) -> int:
    """The n-th seed below a seed: 63 bits, and of a few thousand hardly two the same (SplitMix64).

    The numbers 0, 1, 2 of one seed and those of the next have nothing in common.

    >>> derived_seed(1, 0), derived_seed(1, 1)
    (6915206964022700985, 3434723083292333347)
    """
    counter = mixed_number(seed % 2**64) + (n + 1) * int(STREAM_STEP)
    return mixed_number(counter % 2**64) >> 1


def play_game(
    game: Game,
    players: Sequence[Player],
    seed: int = 0,
    limit: Limit | None = None,
    opening: Sequence[str] = (),
    number: int = 0,
    swapped: bool = False,
    most_moves: int = MOST_MOVES,
) -> GameRecord:
    """Play a game; the first player has the game's first colour.

    The players go on after the moves of `opening`. A player that offers an illegal move, raises an
    error or resigns has lost, with that for a reason. Two players that play at random are not asked
    move by move if the game knows a faster way to the same game.

    Where a player says which stones are dead (`Player.dead_stones`), these are taken off before the
    game is counted. Players who disagree play on once, without their two passes.
    """
    position = game.start()
    try:
        for text in opening:
            position = position.play(position.read_move(text))
    except NotationError as error:
        raise ValueError(f"The opening {' '.join(opening)!r} cannot be played: {error}") from None
    moves, late = list(opening), [0, 0]
    thoughts: list[Thought] = []
    positions, resumed = [position], False
    dead: tuple[str, ...] = ()
    at_random = [p for p in players if isinstance(p, RandomPlayer) and p.plays_at_random]
    fast = RANDOM_GAMES.find(game) if len(at_random) == 2 else None
    ended = _begin(game, players, seed)
    if ended is None and fast is not None:
        pickers = [p.picker(c) for p, c in zip(at_random, game.colours, strict=True)]
        chosen, ended = fast.random_game(position, pickers, max(most_moves - len(moves), 0))
        moves += chosen
    elif ended is None:
        while True:
            ended = position.outcome()
            if ended is not None:
                may_resume = not resumed and len(thoughts) > 1
                counted = _counted(players, position, ended, may_resume)
                if counted is not None:
                    ended, dead = counted
                    break
                resumed, position = True, positions[-3]
                del positions[-2:], moves[-2:], thoughts[-2:]
            if len(moves) >= most_moves:
                break
            side = game.colours.index(position.to_move)
            turn = _take_turn(players[side], position, limit)
            if isinstance(turn, Outcome):
                ended = turn
                break
            text, position, thought = turn
            positions.append(position)
            moves.append(text)
            thoughts.append(thought)
            if limit and limit.seconds and thought.seconds > _far_over(limit.seconds):
                late[side] += 1
    if ended is None:
        ended = Outcome(None, f"{most_moves} moves played, and no end", Ending.UNFINISHED)
    return GameRecord(
        number=number,
        players=(players[0].name, players[1].name),
        seed=seed,
        moves=tuple(moves),
        winner=ended.winner,
        reason=ended.reason,
        ending=ended.ending,
        n_given=len(opening),
        swapped=swapped,
        thoughts=tuple(thoughts),
        late=(late[0], late[1]),
        dead=dead,
    )


def _begin(game: Game, players: Sequence[Player], seed: int) -> Outcome | None:
    """Tell both players that a game begins; the outcome, if one of them fails at that."""
    for side, colour in enumerate(game.colours):
        try:
            players[side].begin(game, colour, derived_seed(seed, side))
        except Exception as error:
            return _lost(game, colour, _failed(error), Ending.FAILURE)
    return None


def _take_turn(
    player: Player, position: Position, limit: Limit | None
) -> tuple[str, Position, Thought] | Outcome:
    """A player's move as text, the position after it and the thought; the outcome, if it loses."""
    game, colour = position.game, position.to_move
    started = seconds_now()
    try:
        choice = player.choose(position, limit)
        # Another program takes its time elsewhere, and says how much.
        seconds = max(seconds_now() - started, choice.cost.seconds)
        if choice.ends_game:
            return _lost(game, colour, "gave up", Ending.RESIGNATION)
        move = choice.move
    except Exception as error:
        return _lost(game, colour, _failed(error), Ending.FAILURE)
    try:
        text, after = position.write_move(move), position.play(move)
    except Exception as error:
        why = error if isinstance(error, NotationError) else _failed(error)
        offered = f"offered an illegal move, {move!s:.80}: {why}"
        return _lost(game, colour, offered, Ending.ILLEGAL_MOVE)
    return text, after, Thought.of(choice, seconds)


def _counted(
    players: Sequence[Player], position: Position, ended: Outcome, may_resume: bool
) -> tuple[Outcome, tuple[str, ...]] | None:
    """The outcome without dead stones, and these; None if the players are to play on.

    A player without a view of its own has the one that the game suggests, if the other has one. If
    they may not play on, the stones that both call dead are taken off.
    """
    game, counting = position.game, COUNTING.find(position.game)
    if counting is None or ended.ending is not Ending.SCORE:
        return ended, ()
    views: list[set[str] | None] = []
    for player, colour in zip(players, game.colours, strict=True):
        try:
            stones = player.dead_stones(position)
            # The count knows whole chains, where a player may name one stone of each.
            count = None if stones is None else counting.count(position, stones)
        except Exception as error:
            return _lost(game, colour, _failed(error), Ending.FAILURE), ()
        views.append(None if count is None else set(count.dead))
    if views == [None, None]:
        return ended, ()
    suggested = set(counting.find_dead(position)) if None in views else set()
    first, second = (suggested if view is None else view for view in views)
    if first != second and may_resume:
        for player, colour in zip(players, game.colours, strict=True):
            try:
                player.resume()
            except Exception as error:
                return _lost(game, colour, _failed(error), Ending.FAILURE), ()
        return None
    count = counting.count(position, sorted(first & second))
    assert count is not None
    return Outcome(count.winner, count.text, Ending.SCORE), count.dead


def _lost(game: Game, colour: str, how: str, ending: Ending) -> Outcome:
    return Outcome(game.other(colour), f"{colour} {how}", ending)


def _failed(error: Exception) -> str:
    return f"failed with {type(error).__name__}: {error!s:.200}"


def _far_over(seconds: float) -> float:
    """More than this is not explained by a busy machine."""
    return 2 * seconds + 0.5


# ------------------------------------------------------------------ files of games

if TYPE_CHECKING:
    from clauseboard.arena.match import Match

_TABLES = """
CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY,
    settings TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    match TEXT NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    winner TEXT,
    reason TEXT NOT NULL,
    n_moves INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
"""


class MatchStore(Database):
    """An SQLite file of matches. Close it, or use it in a `with`."""

    tables: ClassVar[str] = _TABLES
    mark: ClassVar[int] = 0x436C_6264  # "Clbd"
    version: ClassVar[int] = 1
    content: ClassVar[str] = "games"

    def add_match(self, match: str, settings: Mapping[str, object]) -> None:
        """Keep the settings of a match; twice is the same as once."""
        self._run("INSERT OR IGNORE INTO matches VALUES (?, ?)", (match, json.dumps(settings)))

    def matches(self) -> dict[str, dict[str, object]]:
        """The settings of every match in the file, by its id."""
        rows = self._rows("SELECT id, settings FROM matches")
        with self._undamaged():
            return {match: dict(json.loads(settings)) for match, settings in rows}

    def add(self, match: str, record: GameRecord) -> bool:
        """Keep a game; False if there is one with its number already."""
        row = (
            *(match, record.number, *record.players, record.winner, record.reason),
            *(len(record.moves), record.write()),
        )
        done = self._run("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return done.rowcount == 1

    def games(self, match: str) -> list[GameRecord]:
        """The games of a match, by their numbers."""
        rows = self._rows("SELECT record FROM games WHERE match = ? ORDER BY number", (match,))
        with self._undamaged():
            return [GameRecord.read(text) for (text,) in rows]

    def game(self, match: str, number: int) -> GameRecord:
        """One game of a match, which must be there."""
        (row,) = self._rows(
            "SELECT record FROM games WHERE match = ? AND number = ?", (match, number)
        )
        with self._undamaged():
            return GameRecord.read(row[0])


class GameFile:
    """A PDN or SGF file to which games are added as they end.

    It begins with the games that an earlier run has kept. An existing file is overwritten only if
    it holds games of these matches and no others, so that a typing error costs nobody an archive.
    """

    def __init__(self, path: str | Path, kept: Iterable[tuple[Match, list[GameRecord]]]) -> None:
        self.path = Path(path)
        kept = list(kept)
        for match, _ in kept:
            suffixes = RECORDS.of(match.game).SUFFIXES
            if self.path.suffix.lower() not in suffixes:
                listed = " or ".join(suffixes)
                raise ValueError(f"Games of {match.game.name} go to a file named *{listed}.")
        self._refuse_other_games([event_of(match) for match, _ in kept])
        with replaced(self.path) as file:
            for match, records in kept:
                file.writelines(written_game(match, record).encode() for record in records)
        self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115

    def _refuse_other_games(self, ours: list[str]) -> None:
        if not self.path.exists() or self.path.stat().st_size == 0:
            return
        text = self.path.read_text("utf-8", "replace")
        starts = max(text.count("[Event "), text.count("(;"))
        if not starts or starts != sum(text.count(event) for event in ours):
            raise ValueError(
                f"{self.path} has other games than those of this match; name another file."
            )

    def add(self, match: Match, record: GameRecord) -> None:
        """Add a game; it is in the file, whole, when this returns."""
        game, end = written_game(match, record).encode(), self._file.seek(0, os.SEEK_END)
        try:
            n_written = self._file.write(game)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None
        if n_written < len(game):
            self._file.truncate(end)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def written_game(match: Match, record: GameRecord) -> str:
    """A game of a match in the notation of other programs; its event names the match."""
    position, moves = match.game.start(), []
    for text in record.moves:
        moves.append(position.read_move(text))
        position = position.play(moves[-1])
    return RECORDS.of(match.game).write_game(
        match.game,
        moves,
        None if record.is_broken_off else record.outcome,
        dict(zip(match.game.colours, record.players, strict=True)),
        event_of(match),
        record.number + 1,
    )


def event_of(match: Match) -> str:
    """The event that the games of a match have."""
    return f"Clauseboard match {match.id}"
