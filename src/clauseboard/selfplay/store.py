"""Where a player's life is kept: its games, its machines and the matches between them (SQLite).

A *round* is one turn of the loop: games of the best player so far, a machine made of them, and a
match of the new one against the old one. Everything is written at once and is there after any
crash; what a round still lacks is seen from what it has.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from clauseboard.arena.playing import GameRecord
from clauseboard.selfplay.games import SelfPlayGame
from clauseboard.sqlite_store import Database

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
