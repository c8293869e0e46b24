"""Games of Hex from SGF, as `games.recorded` wants them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clauseboard.games.hex.archive import read_archive
from clauseboard.games.recorded import Recorded
from clauseboard.games.report import Report


def read_games(path: Path, report: Report) -> Iterator[Recorded]:
    """The games of a file that can be replayed."""
    for record in read_archive(path, report):
        players = {colour: record.players.get(colour, "?") for colour in record.game.colours}
        yield Recorded(
            record.game, tuple(record.positions()), record.moves, record.outcome, players
        )
