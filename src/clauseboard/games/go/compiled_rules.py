"""Go as compiled searches see it; `search.compiled_rules` says what has to be here.

A state is that of `kernels.py`, with four more numbers: how many moves are left to play, the last
two moves, and the area in the end. The code of a move is its point, `size * size` is the pass. A
state knows nothing of superko; searches compare the keys of boards.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.go import (
    concept_kernels,
    kernels,
    move_features,
    rules,
    shape_playouts,
    tactics,
)
from clauseboard.games.go.concept_kernels import N_CONCEPTS  # noqa: F401 (for searches)
from clauseboard.games.go.kernels import (
    BLACK,
    CAPTURED,
    CHAIN,
    COLOUR,
    EMPTIES,
    EMPTY,
    INFO,
    KO,
    LIBERTIES,
    NOTHING,
    PASSES,
    REACH,
    SIDE,
    WHITE,
)
from clauseboard.games.go.move_features import LAST_MOVE, MOVE_BEFORE
from clauseboard.games.go.rules import PASS, Go, GoMove, GoPosition
from clauseboard.games.go.settling import (  # noqa: F401 (for searches)
    loses_nothing,
    passing_is_right,
    played_on,
)
from clauseboard.kernels.bits import STREAM_STEP, ZERO, mixed
from clauseboard.kernels.compiler import helper, kernel
from clauseboard.kernels.evaluators import MOVER

STATE = "int16[:,::1]"
SCRATCH = "int64[::1]"
KNOWLEDGE = "int64[::1]"
PLAY_NEEDS_MOVES = False
REPEATS = True

DRAW = 2
"""A drawn game, as in `search.compiled_rules`."""

LEFT = CAPTURED + 1
"""One more number in `INFO`: how many moves may still be played, or `MANY`."""
AREA = MOVE_BEFORE + 1
"""Another one: black's area less white's, once `result` has counted it."""
MANY = 32767
"""So many moves, or more, are no limit for a search."""

SIZE, SUICIDE, KOMI, SUPERKO = range(4)
"""The settings; the komi is doubled, and made odd if it is no whole number."""

CONCEPT_ROOM = concept_kernels.SCRATCH
"""The type of the room in which concepts are counted."""

MOVE_FEATURE_BYTES = move_features.N_BYTES
write_move_features = move_features.write_move_features

_2 = np.uint64(2)


# ---- for Python


def new_state(game: Go) -> Any:
    """Room for a state."""
    return kernels.new_state(game.size)


def new_scratch(game: Go) -> NDArray[np.int64]:
    """The mark that counts and marks for every place (`around`), and room for `answers`."""
    return np.zeros(1 + new_state(game).shape[1] + 2 * shape_playouts.MOST, np.int64)


def new_concept_room(game: Go) -> tuple[Any, ...]:
    """Room to count concepts in."""
    return concept_kernels.new_scratch(game.size)


def new_quick_room(game: Go) -> tuple[Any, ...]:
    """The same, where chains are not read as far."""
    return concept_kernels.new_scratch(game.size, concept_kernels.QUICK_LIFE_NODES)


def counts_concepts(game: Go) -> bool:
    """Whether boards have concepts: all do."""
    return True


def state_of(position: GoPosition) -> NDArray[np.int16]:
    """The state of a position."""
    state = rules.state_of(position)
    most = position.game.max_moves
    left = MANY if most is None else most - position.moves_played
    state[INFO, LEFT] = min(max(left, 0), MANY)
    for number, code in zip((LAST_MOVE, MOVE_BEFORE), position.last, strict=True):
        state[INFO, number] = 0 if code is None else code + 1
    return state


def settings_of(game: Go) -> NDArray[np.int64]:
    """The size of the board, whether suicide is allowed, the komi, and whether superko holds."""
    komi = min(max(game.points_for_white, -1000.0), 1000.0)  # more than any board has points
    whole = math.floor(komi)
    doubled = 2 * whole + (komi != whole)
    return np.array([game.size, game.suicide, doubled, game.superko], np.int64)


def most_moves(game: Go) -> int:
    """Every point, and the pass."""
    return game.size**2 + 1


def n_codes(game: Go) -> int:
    """Every point, and the pass."""
    return game.size**2 + 1


def n_owned(game: Go) -> int:
    """Every point has an owner in the end, or none."""
    return game.size**2


def code_of(position: GoPosition, move: GoMove) -> int:
    """The code of a move."""
    return position.game.size**2 if move.point is None else move.point


def move_of(position: GoPosition, code: int) -> GoMove:
    """The move of a code."""
    return PASS if code == position.game.size**2 else GoMove(int(code))


def keys_before(position: GoPosition) -> NDArray[np.uint64]:
    """The keys of the boards that there were, with either side to move; only superko keeps them."""
    boards = sorted(position.earlier - {position.board})
    keys = np.empty((len(boards), 2), np.uint64)
    for row, board in zip(keys, boards, strict=True):
        for side in range(2):
            state = new_state(position.game)
            kernels.set_up(state, np.frombuffer(board, np.uint8).copy(), side + 1, -1, 0)
            row[side] = _key_of(state)
    return keys.reshape(-1)


_NOTHING = np.zeros(0, np.int64)


def knowledge_of(game: Go) -> NDArray[np.int64]:
    """Nothing."""
    return _NOTHING


# ---- for kernels


@helper
def side_to_move(state):
    """0 for black, 1 for white."""
    return np.int64(state[INFO, SIDE]) - 1


@helper
def list_moves(state, settings, scratch, codes) -> int:
    """Write the points at which a stone may be played, then the pass; how many moves there are."""
    if state[INFO, PASSES] >= 2 or state[INFO, LEFT] <= 0:
        return 0
    side, ko = state[INFO, SIDE], state[INFO, KO]
    size, suicide = settings[SIZE], settings[SUICIDE] != 0
    count, point = 0, 0
    for line in range(1, size + 1):
        first = line * (size + 1) + 1
        for place in range(first, first + size):
            if (
                state[COLOUR, place] == NOTHING
                and place != ko
                and (suicide or kernels.may_play(state, place, side))
            ):
                codes[count] = point
                count += 1
            point += 1
    codes[count] = point
    return count + 1


@helper
def result(state, settings, scratch) -> int:
    """The side that has more area, the komi counted, or `DRAW`."""
    area = kernels.area_of(state)
    state[INFO, AREA] = area
    margin = 2 * area - settings[KOMI]
    if margin == 0:
        return DRAW
    return 0 if margin > 0 else 1


@helper
def margin_share(state, settings) -> float:
    """By how much black has won, after `result`: 1 for as many points as the board has, or more."""
    points = np.float64(settings[SIZE] * settings[SIZE])
    return min(max((state[INFO, AREA] - 0.5 * settings[KOMI]) / points, -1.0), 1.0)


@helper
def repeating(settings) -> int:
    """What a move is worth that brings back an earlier board: superko forbids it."""
    return -1 if settings[SUPERKO] != 0 else 0


@helper
def play(state, settings, scratch, code: int) -> None:
    """Play a stone, or pass."""
    size = settings[SIZE]
    if code == size * size:
        kernels.pass_turn(state)
    else:
        kernels.put_stone(state, code + code // size + size + 2)
    state[INFO, MOVE_BEFORE] = state[INFO, LAST_MOVE]
    state[INFO, LAST_MOVE] = code + 1
    if state[INFO, LEFT] < MANY:
        state[INFO, LEFT] -= 1


@helper
def is_quiet(state, settings, scratch) -> bool:
    """Whether no stone would take another one."""
    enemy = 3 - state[INFO, SIDE]
    takes = False
    for i in range(state[INFO, EMPTIES]):
        place = state[EMPTY, i]
        if place == state[INFO, KO]:
            continue
        # The stone takes a pseudo-liberty from all its neighbours; see `kernels.may_play`.
        for beside in kernels.around(state, place):
            state[LIBERTIES, state[CHAIN, beside]] -= 1
        for beside in kernels.around(state, place):
            if state[COLOUR, beside] == enemy:
                takes |= state[LIBERTIES, state[CHAIN, beside]] == 0
        for beside in kernels.around(state, place):
            state[LIBERTIES, state[CHAIN, beside]] += 1
    return not takes


@helper
def at_rest(state, settings) -> bool:
    """Whether it is plain, without a list of moves, that the game goes on: it never is."""
    return False


@helper
def write_bits(state, settings, view: int, features) -> None:
    """Black's stones and then white's; for the mover, its own first."""
    size = settings[SIZE]
    points = size * size
    own = np.int64(state[INFO, SIDE]) if view == MOVER else 1
    for byte in range(features.shape[2]):
        features[0, 0, byte] = 0
    point = 0
    for line in range(1, size + 1):
        first = line * (size + 1) + 1
        for place in range(first, first + size):
            colour = np.int64(state[COLOUR, place])
            if colour != NOTHING:
                bit = point if colour == own else points + point
                features[0, 0, bit >> 3] |= np.uint8(1 << (bit & 7))
            point += 1


@helper
def key(state):
    """A hash of the stones and the side to move."""
    board_hash = mixed(np.uint64(state[INFO, SIDE]) + STREAM_STEP)
    size = np.int64(state[INFO, kernels.SIZE])
    word = ZERO
    for line in range(1, size + 1):
        first = line * (size + 1) + 1
        # A line has at most 19 points, two bits each.
        for place in range(first, first + size):
            word = (word << _2) | np.uint64(state[COLOUR, place])
        board_hash = mixed(board_hash ^ word) + STREAM_STEP
        word = ZERO
    return board_hash


@helper
def table_key(state, settings):
    """A hash of all that the value of a state hangs on: passes, ko and the moves left as well."""
    more = np.int64(state[INFO, PASSES]) * 1024 + np.int64(state[INFO, KO]) + 1
    return key(state) ^ mixed(np.uint64(more * 65536 + np.int64(state[INFO, LEFT])))


@helper
def play_out(state, settings, scratch, counter) -> tuple[int, Any]:
    """Play random moves to the end, at most three a point; the result, and the counter."""
    limit = min(3 * settings[SIZE] * settings[SIZE], np.int64(state[INFO, LEFT]))
    counter = kernels.play_on(state, limit, counter)
    state[INFO, LEFT] = 0
    return result(state, settings, scratch), counter


@helper
def play_out_noting(state, settings, scratch, counter, noted) -> tuple[int, Any]:
    """The same, and write who played at a point first."""
    limit = min(3 * settings[SIZE] * settings[SIZE], np.int64(state[INFO, LEFT]))
    counter = kernels.play_on_noting(state, limit, counter, noted)
    state[INFO, LEFT] = 0
    return result(state, settings, scratch), counter


@helper
def play_out_answering(state, settings, scratch, counter, noted, weights) -> tuple[int, Any]:
    """The same, with answers by weights (`answers`)."""
    limit = min(3 * settings[SIZE] * settings[SIZE], np.int64(state[INFO, LEFT]))
    counter = shape_playouts.play_on_answering(state, limit, counter, noted, weights, scratch)
    state[INFO, LEFT] = 0
    return result(state, settings, scratch), counter


@helper
def note_owners(state, settings, owned) -> None:
    """Add 1 for every point that is black's, and -1 for white's, after `result`; and one game."""
    size = settings[SIZE]
    point = 0
    for line in range(1, size + 1):
        first = line * (size + 1) + 1
        for place in range(first, first + size):
            owner = state[COLOUR, place]
            if owner == NOTHING:
                owner = state[REACH, place]
            if owner == BLACK:
                owned[point] += 1
            elif owner == WHITE:
                owned[point] -= 1
            point += 1
    owned[point] += 1


@helper
def count_state(state, settings, room, counts) -> None:
    """Fill `counts` with the concepts of both sides."""
    concept_kernels.count_concepts(state, settings[KOMI], room, counts)


@helper
def exact_value(state, settings, knowledge) -> tuple[bool, int, int]:
    """Nothing is known without a search."""
    return False, 0, 0


@kernel(f"uint64({STATE})")
def _key_of(state):
    """The key of a state, for Python."""
    return key(state)


KERNELS = (kernels.set_up,)
"""What `state_of` calls."""
CONCEPT_KERNELS = concept_kernels.count_concepts, tactics.lives_locally, tactics.run_ladder
