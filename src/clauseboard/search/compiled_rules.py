"""A game as compiled searches see it: states in arrays, moves as numbers.

A game that can be searched by kernels has a module `compiled_rules` in its folder, which is handed
to the templates of kernels as `rules` (see `kernels.compiler.specialised`).

`CompiledRulesPlugin` says what Python calls. Every function gets the settings: the parameters of
the game as an array of int64.

For kernels, helpers all of them:

- `side_to_move(state)`: 0 for the first colour, 1 for the second;
- `list_moves(state, settings, scratch, codes)`: write the codes of the legal moves in the order
  of `position.moves()`; how many there are, 0 if the game is over;
- `result(state, settings, scratch)`: after `list_moves` has found none: the side that has won, or
  `DRAW`;
- `play(state, settings, scratch, code)`: make a move, in place. If `PLAY_NEEDS_MOVES`, the moves
  of this state must have been listed into this scratch before;
- `is_quiet(state, settings, scratch)`: after `list_moves`: whether no capture is on;
- `at_rest(state, settings)`: whether it is plain, without a list of moves, that the game goes on
  and no capture is on; False where only a list would tell;
- `write_bits(state, settings, view, features)`: the packed bits of the board in a view
  (`evaluators.BOARD` or `MOVER`) into `features[0, 0]`;
- `key(state)`: a hash of the board and the side to move. Where `REPEATS`, boards may come up
  again, and a search has to see to it;
- `play_out(state, settings, scratch, counter)`: play random moves to the end, in place: the result
  and the counter of random numbers;
- `exact_value(state, settings, knowledge)`: what is known for certain without a search: (whether
  anything is, the value for the side to move: -1, 0 or 1, the moves to the end). `KNOWLEDGE` is
  the type of `knowledge`, and `knowledge_of(game)` gives it: the same object as long as what is
  known stays the same.

`KERNELS` may list the kernels that these functions call at a first move, for `prepare`, and
`CONCEPT_KERNELS` those that only counting concepts needs.

Three more names are looked for by `alpha_beta`, and may be left out:

- `MUST_CAPTURE`: whether a side that can capture has to, so that captures can be played out to a
  quiet board before it is judged;
- `table_key(state, settings)`: like `key`, but boards with the same one also have the same future
  (ko, passes, moves left), so that what was found for one holds for the other;
- `no_knowledge(game)`: what takes the place of `knowledge_of(game)` where it is not wanted.

Three more are for priors and random games of `mcts`, and may be left out:

- `write_move_features(state, settings, scratch, code, features)`, `MOVE_FEATURE_BYTES`: what is
  seen around a move (`MoveFeatures`) as packed bits into `features[0, 0]`, and how many
  bytes these are;
- `play_out_noting(state, settings, scratch, counter, noted)`: like `play_out`; and `noted[code]`,
  all -1 before, becomes the side that made the move of this code first;
- `play_out_answering(state, settings, scratch, counter, noted, answers)`: the same, where moves are
  drawn as `Evaluator.compiled_answers` says, from a file `shape_playouts.py` of the game. The last
  of these numbers is whether they know tactics, too.

Games that are won by points may have four more for `mcts`:

- `margin_share(state, settings)`, after `result`: by how much the first colour has won, -1 to 1;
- `note_owners(state, settings, owned)`, `n_owned(game)`: whose each point is at the end of a random
  game, and how many points there are;
- `passing_is_right(position, owners, value)`, for Python: whether the side to move, whose best move
  has this value, may pass by the owners that random games found (as `Candidate` has them);
  `loses_nothing(position, owners, after, owners_after)`: whether the board stays as it is after the
  pass; `played_on(position)`: the position to search where a pass would end the game.

`repeating(settings)` says what a move is worth that brings an earlier board back; without it, 0.

Five more let `mcts` judge by concepts in its kernels, and may be left out together:

- `CONCEPT_ROOM`, `new_concept_room(game)`: room to count in, and its type; `counts_concepts(game)`:
  whether the concepts of this game, with its parameters, can be counted so; `new_quick_room(game)`
  may be there, too: room in which they are counted less exactly and faster, for a judge of boards
  beside random games;
- `count_state(state, settings, room, counts)`, `N_CONCEPTS`: the numbers of both sides;
- `settled(state, settings, counts)`: what these prove for the side to move: -1, 1, or 2 for open;
- `worth_trying(state, settings, room, codes, count)`: keep the moves that have to be searched at
  the front of `codes`; how many these are. What is left out changes nothing of who wins.

`holding_out(position)`, for Python, may be there, too: of a position in which every move loses, the
moves that hold out longest; none where that is not counted. And `hurrying(position)`: of a position
that the side to move has won, the moves that win soonest. `counting_kernels(game)` are the kernels
that these two call.

Codes are int64. States may leave out what only a whole game knows: superko and threefold
repetition.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Bit, Game, Move, Position
from clauseboard.games.plugins import (
    COMPILED_RULES,
    MOVE_FEATURES,
    CompiledRulesPlugin,
    MoveFeaturesPlugin,
)
from clauseboard.kernels.compiler import specialised

CompiledRules = CompiledRulesPlugin[Game, Position, Move]

WITHOUT_CONCEPTS = "concepts"
"""What templates leave out for evaluators that count none (`specialised`)."""

DRAW = 2
"""The result of a drawn game, beside 0 and 1 for the side that has won."""


compiled_rules_of = COMPILED_RULES.find
"""The game as compiled searches see it, or None if it is to be searched by its positions."""


def stack_of(array: str) -> str:
    """The type of an array with one more dimension: `STATE` of many states.

    >>> stack_of("int16[:,::1]")
    'int16[:,:,::1]'
    """
    return array.replace("[", "[:,", 1)


@dataclass(frozen=True, eq=False)
class MoveFeatures:
    """What a player sees around a move before it is made: bits with names, alike for every move.

    Made by `move_features_of`, of what the game's file `move_features.py` says
    (`plugins.MoveFeaturesPlugin`).
    """

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

    def rows(self, position: Position) -> NDArray[np.uint8]:
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

    def bits(self, position: Position, move: Move) -> tuple[Bit, ...]:
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
