"""Reading archives of Go games; `sgf_files` says what an archive may be."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator

from clauseboard.games.go.records import GoRecord, read_sgf
from clauseboard.games.report import Report
from clauseboard.games.sgf_files import read_games


def read_archive(
    path: str | os.PathLike[str],
    report: Report | None = None,
    *,
    superko: bool = False,
    suicide: bool = False,
) -> Iterator[GoRecord]:
    """The games of an archive one by one; the report grows with them.

    `path` is a folder (its .sgf files, also in folders below, in the order of their names), a tar,
    compressed or not, or else a file of one or more games.
    """
    counts = Report() if report is None else report
    yield from read_games(
        path, counts, functools.partial(read_sgf, superko=superko, suicide=suicide)
    )
