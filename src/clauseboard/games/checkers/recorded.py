"""Games of checkers from PDN, as `games.recorded` wants them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clauseboard.games.checkers.archive import AS_PLAYED, Archive
from clauseboard.games.recorded import Recorded
from clauseboard.games.report import Report


def read_games(path: Path, report: Report) -> Iterator[Recorded]:
    """The games of a file that can be replayed."""
    archive = Archive(path)
    for record in archive:
        tags = {colour: record.tags.get(colour.capitalize(), "?") for colour in AS_PLAYED.colours}
        yield Recorded(AS_PLAYED, tuple(record.positions()), record.moves, record.outcome, tags)
    report.add(archive.report)
