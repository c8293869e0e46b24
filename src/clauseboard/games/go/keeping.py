"""How a game that was played, or has been begun, is written into a file: as SGF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clauseboard.game import Outcome
from clauseboard.games.go.records import GoRecord, result_text, write_sgf
from clauseboard.games.go.rules import Go, GoMove, GoPosition

SUFFIXES = (".sgf",)


def write_game(
    game: Go,
    moves: Sequence[GoMove],
    outcome: Outcome | None,
    players: Mapping[str, str],
    event: str,
    number: int,
    start: GoPosition | None = None,
) -> str:
    """A game with its players by colour, the event and its number there, and its end if any."""
    start = start or game.start()
    *_, last = GoRecord(start, tuple(moves)).positions()
    result = result_text(last)
    if not result and outcome is not None:
        how = "R" if outcome.reason.endswith("gave up") else "F"
        result = "0" if outcome.winner is None else f"{outcome.winner[0].upper()}+{how}"
    texts = {"EV": event, "RO": str(number)}
    texts |= {} if outcome is None else {"GC": str(outcome)}
    texts |= {f"P{colour[0].upper()}": name for colour, name in players.items()}
    return write_sgf(GoRecord(start, tuple(moves), result, texts))
