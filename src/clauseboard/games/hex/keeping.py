"""How a game that was just played is written into a file: as SGF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clauseboard.game import Outcome
from clauseboard.games.hex.records import Record, write_sgf
from clauseboard.games.hex.rules import Hex, HexMove, Swap

SUFFIXES = (".sgf", ".hsgf")


def write_game(
    game: Hex,
    moves: Sequence[HexMove | Swap],
    outcome: Outcome,
    players: Mapping[str, str],
    event: str,
    number: int,
) -> str:
    """A game with its players by colour, the event and its number there, and how it ended."""
    notes = {"EV": event, "RO": str(number), "GC": str(outcome)}
    return write_sgf(Record(game, tuple(moves), outcome, players, notes))
