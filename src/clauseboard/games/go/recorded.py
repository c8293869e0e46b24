"""Games of Go from SGF, as `games.recorded` wants them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clauseboard.game import IllegalMoveError
from clauseboard.games import sgf_files
from clauseboard.games.go.records import GoRecord, read_sgf
from clauseboard.games.recorded import Recorded
from clauseboard.games.report import Report


def read_games(path: Path, report: Report) -> Iterator[Recorded]:
    """The games of a file that can be replayed."""
    for record in sgf_files.read_games(path, report, _read):
        players = {
            colour: record.texts.get(f"P{colour[0].upper()}", "?") for colour in record.game.colours
        }
        yield Recorded(
            record.game, tuple(record.positions()), record.moves, record.outcome, players
        )


def _read(text: bytes) -> GoRecord:
    """A game, with suicide allowed if it happens there: SGF has no place for that rule."""
    try:
        return read_sgf(text)
    except IllegalMoveError:
        return read_sgf(text, suicide=True)
