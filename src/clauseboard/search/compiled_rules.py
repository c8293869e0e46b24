"""A game as compiled searches see it: states in arrays, moves as numbers.

A game that can be searched by kernels has a module `compiled_rules` in its folder, which is handed
to the templates of kernels as `rules` (see `kernels.compiler.specialised`). What is in it:

For Python:

- `STATE`, `SCRATCH`: the types of the two arrays below, as in the signature of a kernel;
- `new_state(game)`, `new_scratch(game)`: arrays for a state, and room for what `list_moves` has
  to remember; `state_of(position)`: the state of a position;
- `settings_of(game)`: the game's parameters as an array of int64, which every function gets;
- `most_moves(game)`: room that is enough for the moves of any state;
- `n_codes(game)`: codes are 0 to `n_codes(game) - 1`;
- `code_of(position, move)` and `move_of(position, code)`;
- `keys_before(position)`: the keys of earlier boards of the game that may come up again.

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
  (`judging.BOARD` or `MOVER`) into `features[0, 0]`;
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
  seen around a move (`search.move_features`) as packed bits into `features[0, 0]`, and how many
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
- `is_settled(position, owners)`, `passing_is_right(position, owners, value)`, for Python: whether
  nothing is left to be played for, and whether the side to move, whose best move has this value,
  loses nothing by a pass, both by the owners that random games found (as `Candidate` has them);
  `played_on(position)`: the position to search where a pass would end the game.

`repeating(settings)` says what a move is worth that brings an earlier board back; without it, 0.

Five more let `mcts` judge by concepts in its kernels, and may be left out together:

- `CONCEPT_ROOM`, `new_concept_room(game)`: room to count in, and its type; `counts_concepts(game)`:
  whether the concepts of this game, with its parameters, can be counted so;
- `count_state(state, settings, room, counts)`, `N_CONCEPTS`: the numbers of both sides;
- `settled(state, settings, counts)`: what these prove for the side to move: -1, 1, or 2 for open;
- `worth_trying(state, settings, room, codes, count)`: keep the moves that have to be searched at
  the front of `codes`; how many these are. What is left out changes nothing of who wins.

Codes are int64. States may leave out what only a whole game knows: superko and threefold
repetition.
"""

from __future__ import annotations

from clauseboard.game import Game, Move, Position
from clauseboard.games.plugins import COMPILED_RULES, CompiledRulesPlugin

CompiledRules = CompiledRulesPlugin[Game, Position, Move]

DRAW = 2
"""The result of a drawn game, beside 0 and 1 for the side that has won."""


def compiled_rules_of(game: Game) -> CompiledRules | None:
    """The game as compiled searches see it, or None if it is to be searched by its positions."""
    return COMPILED_RULES.find(game)


def stack_of(array: str) -> str:
    """The type of an array with one more dimension: `STATE` of many states.

    >>> stack_of("int16[:,::1]")
    'int16[:,:,::1]'
    """
    return array.replace("[", "[:,", 1)
