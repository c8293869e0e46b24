"""What the protocol's words mean in a game: the module `gtp` in the game's folder.

In it are:

- `COLOURS`: the colours of the game by the words for them, in small letters; of the words for one
  colour the first is the one that is sent;
- `read_move(position, word)` and `write_move(position, move)`: the words for moves;
- `turned(position, colour)`: the position with this colour to move, if it can be; or else a
  `ValueError`. The protocol lets a colour move twice in a row, and play on after two passes;
- `emptied(game)`: the game that `clear_board` begins;
- `final_score(position)`: how the game ended, as `B+3.5`, `W+` or `0`;
- `commands_to(position)`: the commands that bring an engine to a position from nowhere;
- `exchanges(move)`, if any move does: whether the players take each other's colour with this move
  over there, as in MoHex's swap. `exchanged(position)` and `exchanged_move(move)` then tell what
  the board and the moves look like there from then on;
- `COMMANDS`: commands that other games do not have, or have otherwise. Each is a function of the
  session (see `server.Session`) and of the arguments, whose text is the reply.
"""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType
from typing import Any

from clauseboard.game import Game


def dialect_of(game: Game) -> ModuleType:
    """The words of a game."""
    name = f"clauseboard.games.{game.name}.gtp"
    if importlib.util.find_spec(name) is None:
        raise ValueError(f"{game.name} cannot be played with other programs: it has no gtp.py.")
    return importlib.import_module(name)


def word_for(dialect: Any, colour: str) -> str:
    """The word for a colour that is sent."""
    return next(word for word, meant in dialect.COLOURS.items() if meant == colour)


def exchanges(dialect: Any, move: Any) -> bool:
    """Whether the players take each other's colour over there with this move."""
    return hasattr(dialect, "exchanges") and dialect.exchanges(move)
