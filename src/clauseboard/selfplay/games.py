"""A game of a player against itself, with its value of every move.

The first moves are random: one of the game's openings, where it has some, and a few random moves
after it, so that hardly two games are the same and some are unbalanced, from which a learner sees
what an advantage is worth. After that the player chooses every move, but for a share of random ones
(`noise`). In some games another player takes one side (`sparring`): otherwise the learner never
meets moves it would not play itself. Where an endgame table knows the result, the game ends; and,
if the learner judges by concepts, where these prove it.

A *round* of self-play is one turn of the loop: games of the best player so far, a machine made of
them, and a match of the new one against the old one. `LearningStore` keeps it all in an SQLite
file, where everything is written at once and is there after any crash; what a round still lacks is
seen from what it has.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from clauseboard.arena.match import NO_OPENINGS, Opening
from clauseboard.arena.playing import GameRecord, derived_seed
from clauseboard.evaluation import Limit
from clauseboard.game import Ending, Game, Outcome, Position
from clauseboard.games.plugins import CONCEPTS
from clauseboard.games.solving import known_end
from clauseboard.learners.tsetlin.concept_evaluator import known_winner
from clauseboard.player import Choice, Player
from clauseboard.sqlite_store import Database

VisitCounts = tuple[tuple[int, int], ...]
"""Moves and how often a search visited them: places in `position.moves()`, and visits."""

MOST_STARTS = 1000
"""Openings that are tried, with random moves after them, until one leaves a game to be played."""

SELDOM = 0.1
"""Moves that were visited less often than this share of the most visited one are not kept."""


@dataclass(frozen=True)
class SelfPlayGame:
    """A game of a player against itself.

    The first `n_given` moves were random. For each of the others `values` has the player's value,
    from -1 to 1 for the side that moved, and `counts` its search's visits, if there are any.
    `astray` are the turns, counted from there, at which a random move replaced the chosen one.
    """

    moves: tuple[str, ...]
    n_given: int
    winner: str | None
    reason: str
    values: tuple[float, ...]
    counts: tuple[VisitCounts, ...]
    astray: tuple[int, ...] = ()

    def write(self) -> str:
        """The game as JSON."""
        page = {**vars(self), "moves": " ".join(self.moves)}
        return json.dumps(page, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> SelfPlayGame:
        """A game from what `write` wrote; an error for what it never wrote."""
        page = json.loads(text)
        page["moves"] = tuple(page["moves"].split())
        for name in {"values", "astray"} & set(page):
            page[name] = tuple(page[name])
        page["counts"] = tuple(
            tuple((place, visits) for place, visits in turn) for turn in page["counts"]
        )
        game = cls(**page)
        turns = len(game.moves) - game.n_given
        if not (
            0 <= turns <= len(game.moves)
            and len(game.values) == len(game.counts) == turns
            and all(math.isfinite(value) for value in game.values)
            and all(0 <= turn < turns for turn in game.astray)
            and all(min(place, visits) >= 0 for turn in game.counts for place, visits in turn)
            and isinstance(game.winner, str | None)
        ):
            raise ValueError("a game has numbers that do not fit its moves")
        return game


def play_self_game(
    game: Game,
    player: Player,
    seed: int,
    *,
    openings: Sequence[Opening] = NO_OPENINGS,
    random_moves: int = 6,
    noise: float = 0.0,
    sparring: Player | None = None,
    most_moves: int = 400,
    limit: Limit | None = None,
    concepts: bool = False,
) -> SelfPlayGame:
    """Play a game: an opening, up to `random_moves`, and then the player on both sides.

    `noise` is the share of random moves after that. A `sparring` partner takes one of the sides, at
    random. With `concepts` the game ends where the game's concepts prove who wins.

    >>> from clauseboard.game import load_game
    >>> from clauseboard.players import load_player
    >>> game = load_game("hex", size=3)
    >>> played = play_self_game(game, load_player("random", game), seed=1, random_moves=2)
    >>> played.winner in game.colours, SelfPlayGame.read(played.write()) == played
    (True, True)
    """
    draws = random.Random(seed)
    position, moves = _random_start(game, draws, openings, random_moves, concepts)
    n_given = len(moves)
    seats = dict.fromkeys(game.colours, player)
    if sparring is not None:
        seats[draws.choice(game.colours)] = sparring
    for side, colour in enumerate(game.colours):
        seats[colour].begin(game, colour, derived_seed(seed, side))
    values: list[float] = []
    counts: list[VisitCounts] = []
    astray: list[int] = []
    while (ended := _end(game, position, concepts)) is None and len(moves) < most_moves:
        choice = seats[position.to_move].choose(position, limit)
        move = choice.move
        if noise and draws.random() < noise:
            move = draws.choice(position.moves())
        if move != choice.move:
            astray.append(len(values))
        values.append(round(float(choice.value or 0.0), 4))
        counts.append(_counts(position, choice))
        moves.append(position.write_move(move))
        position = position.play(move)
    return SelfPlayGame(
        moves=tuple(moves),
        n_given=n_given,
        winner=None if ended is None else ended.winner,
        reason=f"{most_moves} moves played, and no end" if ended is None else ended.reason,
        values=tuple(values),
        counts=tuple(counts),
        astray=tuple(astray),
    )


def _random_start(
    game: Game,
    draws: random.Random,
    openings: Sequence[Opening],
    random_moves: int,
    concepts: bool,
) -> tuple[Position, list[str]]:
    """A position in which the game goes on, and the moves that lead there."""
    for _ in range(MOST_STARTS):
        position, moves = game.start(), []
        for text in draws.choice(openings):
            moves.append(text)
            position = position.play(position.read_move(text))
        for _ in range(draws.randint(0, random_moves)):
            if position.outcome() is not None:
                break
            move = draws.choice(position.moves())
            moves.append(position.write_move(move))
            position = position.play(move)
        if _end(game, position, concepts) is None:
            return position, moves
    such = " ".join(moves) or "the start"
    raise ValueError(f"{game!r} is over after every opening, such as {such}; give others.")


def _end(game: Game, position: Position, concepts: bool) -> Outcome | None:
    """How the game ended, or will end by what is proven."""
    ended = known_end(game, position)
    plugin = CONCEPTS.find(game) if concepts and ended is None else None
    proven = None if plugin is None else known_winner(plugin, position)
    return ended if proven is None else Outcome(*proven, Ending.SOLVED)


def _counts(position: Position, choice: Choice) -> VisitCounts:
    seldom = SELDOM * max((candidate.visits for candidate in choice.candidates), default=0)
    visits = {c.move: c.visits for c in choice.candidates if c.visits > seldom}
    return tuple((place, visits[m]) for place, m in enumerate(position.moves()) if m in visits)


# ------------------------------------------------------------------ the file

_TABLES = """
CREATE TABLE IF NOT EXISTS plan (
    place INTEGER PRIMARY KEY CHECK (place = 0),
    settings TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS games (
    round INTEGER NOT NULL,
    number INTEGER NOT NULL,
    player INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (round, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS generations (
    round INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL,
    machine BLOB NOT NULL,
    moves BLOB,
    figures TEXT NOT NULL,
    accepted INTEGER
);
CREATE TABLE IF NOT EXISTS matches (
    round INTEGER NOT NULL,
    number INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (round, number)
) WITHOUT ROWID;
"""

_LATER = "later"
"""Beside the settings of the first round: those of later ones that differ, by round."""


@dataclass(frozen=True)
class Generation:
    """A machine that was made in a round: of whose games, with what figures, and whether it won.

    `parent` is the round of the player whose games it learned from last, 0 for the first player;
    `accepted` is None as long as the match against it goes on. `moves` is the machine for moves.
    A machine without content is none: the player's values come from random games.
    """

    round: int
    parent: int
    machine: bytes
    moves: bytes | None
    figures: Mapping[str, float]
    accepted: bool | None


class LearningStore(Database):
    """A file of one player's life. Close it, or use it in a `with`."""

    tables: ClassVar[str] = _TABLES
    mark: ClassVar[int] = 0x436C_624C  # "ClbL"
    version: ClassVar[int] = 1
    content: ClassVar[str] = "games and machines"

    def plans(self) -> dict[int, dict[str, object]]:
        """The settings by the round from which they hold; nothing in a new file."""
        rows = self._rows("SELECT settings FROM plan")
        if not rows:
            return {}
        with self._undamaged():
            first = dict(json.loads(rows[0][0]))
            later = first.pop(_LATER, {})
            if not isinstance(first.get("game"), str):
                raise ValueError("the settings name no game")
            return {1: first, **{int(round_): dict(kept) for round_, kept in later.items()}}

    def set_plan(self, settings: Mapping[str, object], first_round: int = 1) -> None:
        """Keep the settings that hold from a round on; those of the rounds before it stay."""
        plans = {**self.plans(), first_round: dict(settings)}
        later = {str(round_): plans[round_] for round_ in sorted(plans) if round_ > 1}
        kept = {**plans[1], **({_LATER: later} if later else {})}
        self._run("INSERT OR REPLACE INTO plan VALUES (0, ?)", (json.dumps(kept),))

    # ---- games

    def add_game(self, round_: int, number: int, player: int, game: SelfPlayGame) -> None:
        """Keep a game of a round, once."""
        row = (round_, number, player, game.write())
        self._run("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?)", row)

    def game_numbers(self, round_: int) -> set[int]:
        """The games of a round that were played."""
        rows = self._rows("SELECT number FROM games WHERE round = ?", (round_,))
        return {number for (number,) in rows}

    def games(self, first: int, last: int) -> list[SelfPlayGame]:
        """The games of some rounds."""
        rows = self._rows(
            "SELECT record FROM games WHERE round BETWEEN ? AND ? ORDER BY round, number",
            (first, last),
        )
        with self._undamaged():
            return [SelfPlayGame.read(text) for (text,) in rows]

    # ---- machines

    def add_generation(self, made: Generation) -> None:
        """Keep a machine."""
        row = (
            *(made.round, made.parent, made.machine, made.moves),
            *(json.dumps(dict(made.figures)), made.accepted),
        )
        self._run("INSERT INTO generations VALUES (?, ?, ?, ?, ?, ?)", row)

    def decide(self, round_: int, accepted: bool) -> None:
        """Say whether a machine takes the place of the one before it."""
        self._run("UPDATE generations SET accepted = ? WHERE round = ?", (accepted, round_))

    def set_machine(self, round_: int, machine: bytes) -> None:
        """Keep a calibrated machine in place of the one of a round."""
        self._run("UPDATE generations SET machine = ? WHERE round = ?", (machine, round_))

    def generation(self, round_: int) -> Generation | None:
        """The machine of a round, if it was made."""
        rows = self._rows("SELECT * FROM generations WHERE round = ?", (round_,))
        with self._undamaged():
            return _generation(rows[0]) if rows else None

    def generations(self) -> list[Generation]:
        """All machines, in the order of their rounds."""
        rows = self._rows("SELECT * FROM generations ORDER BY round")
        with self._undamaged():
            made = [_generation(row) for row in rows]
            if [each.round for each in made] != list(range(1, len(made) + 1)):
                raise ValueError("a round is missing")
            return made

    def best(self) -> int:
        """The round of the best player so far; 0 is the one that there was before any round."""
        rows = self._rows("SELECT MAX(round) FROM generations WHERE accepted = 1")
        return rows[0][0] or 0

    def decided(self) -> int:
        """The last round that is over."""
        rows = self._rows("SELECT MAX(round) FROM generations WHERE accepted IS NOT NULL")
        return rows[0][0] or 0

    def next_machine(self) -> int:
        """The first round that has no machine yet."""
        rows = self._rows("SELECT MAX(round) FROM generations")
        return 1 + (rows[0][0] or 0)

    # ---- matches

    def add_match_game(self, round_: int, record: GameRecord) -> None:
        """Keep a game of the match of a round, once."""
        row = (round_, record.number, record.write())
        self._run("INSERT OR IGNORE INTO matches VALUES (?, ?, ?)", row)

    def match_games(self, round_: int) -> list[GameRecord]:
        """The games of the match of a round."""
        rows = self._rows("SELECT record FROM matches WHERE round = ? ORDER BY number", (round_,))
        with self._undamaged():
            return [GameRecord.read(text) for (text,) in rows]


def _generation(row: Any) -> Generation:
    round_, parent, machine, moves, figures, accepted = row
    if not (
        isinstance(round_, int)
        and isinstance(parent, int)
        and 0 <= parent < round_
        and isinstance(machine, bytes)
        and isinstance(moves, bytes | None)
    ):
        raise ValueError("a machine has no place among the others")
    won = None if accepted is None else bool(accepted)
    return Generation(round_, parent, machine, moves, dict(json.loads(figures)), won)
