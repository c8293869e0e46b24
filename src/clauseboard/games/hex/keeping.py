"""How a game that was played, or has been begun, is written into a file: as SGF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clauseboard.game import Outcome
from clauseboard.games.hex.records import Record, write_sgf
from clauseboard.games.hex.rules import Hex, HexMove, Swap

SUFFIXES = (".sgf", ".hsgf")


def write_game(
    game: Hex,
    moves: Sequence[HexMove | Swap],
    outcome: Outcome | None,
    players: Mapping[str, str],
    event: str,
    number: int,
) -> str:
    """A game with its players by colour, the event and its number there, and its end if any."""
    notes = {"EV": event, "RO": str(number)}
    notes |= {} if outcome is None else {"GC": str(outcome)}
    return write_sgf(Record(game, tuple(moves), outcome, players, notes))
