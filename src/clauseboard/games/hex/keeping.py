"""How a game that was played, or has been begun, is written into a file: as SGF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clauseboard.game import Outcome
from clauseboard.games.hex.records import Record, write_sgf
from clauseboard.games.hex.rules import Hex, HexMove, HexPosition, Swap

SUFFIXES = (".sgf", ".hsgf")


def write_game(
    game: Hex,
    moves: Sequence[HexMove | Swap],
    outcome: Outcome | None,
    players: Mapping[str, str],
    event: str,
    number: int,
    start: HexPosition | None = None,
) -> str:
    """A game with its players by colour, the event and its number there, and its end if any."""
    if start is not None and start != game.start():
        raise ValueError("A record of Hex begins with the empty board, not with one set up.")
    notes = {"EV": event, "RO": str(number)}
    notes |= {} if outcome is None else {"GC": str(outcome)}
    return write_sgf(Record(game, tuple(moves), outcome, players, notes))
