"""The games of matches as a file that other programs read: PDN or SGF, whichever the game has.

`games/<game>/records.py` writes them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from clauseboard.arena.game_record import GameRecord
from clauseboard.arena.match import Match
from clauseboard.games.plugins import RECORDS


def written_game(match: Match, record: GameRecord) -> str:
    """A game of a match in the notation of other programs; its event names the match."""
    position, moves = match.game.start(), []
    for text in record.moves:
        moves.append(position.read_move(text))
        position = position.play(moves[-1])
    return RECORDS.of(match.game).write_game(
        match.game,
        moves,
        record.outcome,
        dict(zip(match.game.colours, record.players, strict=True)),
        event_of(match),
        record.number + 1,
    )


def event_of(match: Match) -> str:
    """What the games of a match have as their event."""
    return f"Clauseboard match {match.id}"


class Archive:
    """A file to which games are added as they end.

    It begins with the games that a run before has kept. A file is written over only if it has
    games of these matches and no others, so that a slip of the pen costs nobody an archive.
    """

    def __init__(self, path: str | Path, known: Iterable[tuple[Match, list[GameRecord]]]) -> None:
        self.path = Path(path)
        known = list(known)
        for match, _ in known:
            suffixes = RECORDS.of(match.game).SUFFIXES
            if self.path.suffix.lower() not in suffixes:
                listed = " or ".join(suffixes)
                raise ValueError(f"Games of {match.game.name} go to a file named *{listed}.")
        self._refuse_other_games([event_of(match) for match, _ in known])
        begun = self.path.with_name(self.path.name + ".new")
        with open(begun, "w", encoding="utf-8") as file:
            for match, records in known:
                file.writelines(written_game(match, record) for record in records)
        os.replace(begun, self.path)
        self._file = open(self.path, "a", encoding="utf-8")  # noqa: SIM115

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
        """Add a game; it is in the file when this returns."""
        self._file.write(written_game(match, record))
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
