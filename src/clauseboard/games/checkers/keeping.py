"""How a game that was played, or has been begun, is written into a file: as PDN."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clauseboard.game import Outcome
from clauseboard.games.checkers.records import Record, write_record
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition

SUFFIXES = (".pdn",)


def write_game(
    game: Checkers,
    moves: Sequence[CheckersMove],
    outcome: Outcome | None,
    players: Mapping[str, str],
    event: str,
    number: int,
    start: CheckersPosition | None = None,
) -> str:
    """A game from its start, with its players by colour, the event and its number there.

    How it ended, if it did, stands in a comment after the last move.
    """
    tags = {"Event": event, "Round": str(number)}
    tags |= {colour.capitalize(): name for colour, name in players.items()}
    said = () if outcome is None else ((len(moves), str(outcome)),)
    return write_record(Record(start or game.start(), tuple(moves), outcome, tags, said)) + "\n"
