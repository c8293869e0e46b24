"""What a player sees around a move before it is made: bits with names, alike for every move.

A game that can tell it has a file `move_features.py` in its folder, with

- `NAMES`: the bits' names, and `N_CELLS`: the first so many of them are own stones on cells
  around the move, and the next so many are the other side's stones on the same cells;
- `WAYS`: for each way in which a board may lie, the bit that is seen as each bit;
- `IMPLIES`: pairs of names; where the first is set, the second is set, too;
- `SAID`: for the other names, what it says of a move that the bit is set, and that it is not; and
  `BEYOND`: what it says that an own or the other's stone is beyond an edge;
- `cell_seen(size, side, code, step)`: which cell of the board is the one of that number;
- `write_move_features`, `N_BYTES`: the helper for kernels, which its `searching` module has as
  `write_move_features` and `MOVE_FEATURE_BYTES`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Bit, Game
from clauseboard.games.plugins import MOVE_FEATURES, MoveFeaturesPlugin
from clauseboard.kernels.compiler import specialised
from clauseboard.search.compiled_rules import CompiledRules, compiled_rules_of


@dataclass(frozen=True, eq=False)
class MoveFeatures:
    """The bits around the moves of a game. Made by `move_features_of`."""

    game: Game
    names: tuple[str, ...]
    ways: NDArray[np.intp]
    _plugin: MoveFeaturesPlugin
    _rules: CompiledRules

    @functools.cached_property
    def implied(self) -> NDArray[np.bool_]:
        """For every two bits whether the first, where it is set, says the second as well."""
        place = {name: n for n, name in enumerate(self.names)}
        implied = np.zeros((len(place), len(place)), np.bool_)
        for first, second in self._plugin.IMPLIES:
            implied[place[first], place[second]] = True
        for between in range(len(place)):  # what follows from what follows
            implied |= implied[:, between, None] & implied[None, between]
        return implied

    def rows(self, position: Any) -> NDArray[np.uint8]:
        """Packed bits, a row for each of `position.moves()`."""
        kernels = specialised("clauseboard.search.board_template", self._rules)
        codes = [self._rules.code_of(position, move) for move in position.moves()]
        rows = np.empty((len(codes), self._plugin.N_BYTES), np.uint8)
        kernels.write_move_rows(
            self._rules.state_of(position),
            self._rules.settings_of(self.game),
            self._rules.new_scratch(self.game),
            np.array(codes, np.int64),
            rows,
        )
        return rows

    def bits(self, position: Any, move: Any) -> tuple[Bit, ...]:
        """The bits around a move as the board has them: stones with their colours and cells.

        What is on no cell of the board has a few words for its name, and no cell. It goes without
        saying that a stone is not beyond an edge.
        """
        side = self.game.colours.index(position.to_move)
        code = self._rules.code_of(position, move)
        on_board = len(self.game.bits()) // 2
        n_cells, bits = self._plugin.N_CELLS, []
        size: int = vars(self.game)["size"]
        for n, name in enumerate(self.names):
            if n >= 2 * n_cells:
                said, denied = self._plugin.SAID[name]
                bits.append(Bit(said, None, "", denied))
                continue
            theirs = n >= n_cells
            cell = None
            if code < on_board:
                cell = self._plugin.cell_seen(size, side, code, n % n_cells)
            if cell is None:
                bits.append(Bit(self._plugin.BEYOND[theirs] or name, None, "", ""))
            else:
                bits.append(self.game.bits()[(side ^ theirs) * on_board + cell])
        return tuple(bits)


def unpacked(rows: NDArray[np.uint8], n_bits: int) -> NDArray[np.uint8]:
    """Packed rows as 0 and 1.

    >>> unpacked(np.array([[5]], np.uint8), 3).tolist()
    [[1, 0, 1]]
    """
    return np.unpackbits(rows, axis=-1, count=n_bits, bitorder="little")


def move_features_of(game: Game) -> MoveFeatures:
    """What is seen around the moves of a game; a `ValueError` if it does not tell.

    >>> from clauseboard.game import load_game
    >>> game = load_game("hex", size=3)
    >>> seen = move_features_of(game)
    >>> len(seen.rows(game.start())), len(seen.names)
    (9, 57)
    """
    plugin = MOVE_FEATURES.find(game)
    rules = None if plugin is None else compiled_rules_of(game)
    if plugin is None or rules is None:
        raise ValueError(f"{game.name} does not tell what is around a move; Go and Hex do.")
    return MoveFeatures(game, plugin.NAMES, plugin.WAYS, plugin, rules)
