"""Records that a person uploads or pastes: PDN or SGF, read with limits."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from clauseboard.games.records import read_recorded
from clauseboard.terminal.saving import rules_in, suffixes_of

MOST_MOVES = 2000
"""Moves of a game that is taken over; the longest that people play have some hundreds."""


def read_record(text: str, game: Any) -> tuple[Any, list[Any], list[Any], Any]:
    """The rules, positions, moves and noted end of the first game in a text of PDN or SGF."""
    if not text.strip():
        raise ValueError("There is nothing to read: the record is empty.")
    with tempfile.TemporaryDirectory(prefix="clauseboard-") as folder:
        path = Path(folder) / f"record{suffixes_of(game)[0]}"
        path.write_text(text, "utf-8", errors="replace")
        record = read_recorded(path, game=game.name, called="The record")
    if len(record.moves) > MOST_MOVES:
        raise ValueError(f"The record has {len(record.moves)} moves; {MOST_MOVES} is the most.")
    noted = rules_in(text)
    rules = noted if noted is not None and noted.name == record.game.name else record.game
    if rules == record.game:
        return rules, list(record.positions), list(record.moves), record.outcome
    start = record.positions[0]
    positions = [rules.read_position(record.game.write_position(start))]
    if start == record.game.start():
        positions = [rules.start()]
    for number, move in enumerate(record.moves, 1):
        try:
            positions.append(positions[-1].play(move))
        except ValueError as error:
            raise ValueError(f"Move {number} of the record: {error}") from None
    return rules, positions, list(record.moves), record.outcome
