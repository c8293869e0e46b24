"""Hex as compiled searches see it; `search.compiled_rules` says what has to be here.

A state has three rows of words: red's stones, blue's stones, and one whose first word has whose
turn it is as its lowest bit and, from bit 8 on, the cell of the last stone plus 1 (0: not known).
The code of a move is its cell, `size * size` is the swap.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.hex import concept_kernels, kernels, move_features
from clauseboard.games.hex.cell_sets import LARGEST, common, is_empty, load, meet, one_cell, union
from clauseboard.games.hex.concept_kernels import (
    BLUE_PLANS,
    BOARD,
    CAPTURED,
    N_CONCEPTS,
    NEEDS,
    RED_PLANS,
)
from clauseboard.games.hex.encoding import SIDES, boards_of, words_of
from clauseboard.games.hex.h_search import (
    CONNECTED,
    FULL,
    FULL_COUNTS,
    HALF,
    HALF_COUNTS,
    N_ANCHORS,
    find_plans,
    free_cells,
)
from clauseboard.games.hex.kernels import BLUE, RED
from clauseboard.games.hex.remaining_moves import longest_resistance, soonest_wins
from clauseboard.games.hex.rules import SWAP, Hex, HexMove, HexPosition, Swap
from clauseboard.games.hex.shortest_win import forced
from clauseboard.games.hex.solving import LARGEST as LARGEST_SOLVED
from clauseboard.kernels.bits import ONE, STREAM_STEP, ZERO, count_ones, lowest_one, mixed
from clauseboard.kernels.compiler import helper
from clauseboard.kernels.evaluators import MOVER

STATE = "uint64[:,::1]"
SCRATCH = "uint64[:,::1]"
KNOWLEDGE = "int64[::1]"
PLAY_NEEDS_MOVES = False
REPEATS = False

_TURN = 2
"""The row of a state whose first word tells whose turn it is, and the last move."""
_8 = np.uint64(8)
_ROWS = 2
"""The row of the scratch that is room for the rows of the board; those above hold full boards."""

SIZE, MAY_SWAP = 0, 1
"""The settings."""

CONCEPT_ROOM = concept_kernels.SCRATCH
"""The type of the room in which concepts are counted and connections are found."""

OPEN = 2
"""What is not known to be won or lost."""

MOVE_FEATURE_BYTES = move_features.N_BYTES
write_move_features = move_features.write_move_features


# ---- for Python


def new_state(game: Hex) -> NDArray[np.uint64]:
    """Room for a state."""
    return np.zeros((3, words_of(game.size)), np.uint64)


def new_scratch(game: Hex) -> NDArray[np.uint64]:
    """Room for a full board and for its rows with the sides of the board around them."""
    return np.zeros((3, game.size + 2), np.uint64)


def new_concept_room(game: Hex) -> tuple[NDArray[Any], ...]:
    """Room to count concepts in."""
    return concept_kernels.new_scratch(game.size)


def counts_concepts(game: Hex) -> bool:
    """Whether the board is small enough for them."""
    return game.size <= LARGEST


def state_of(position: HexPosition) -> NDArray[np.uint64]:
    """The state of a position."""
    state = new_state(position.game)
    state[:_TURN] = boards_of(position.game, [position])[0]
    last = 0 if position.last is None else position.last + 1
    state[_TURN, 0] = SIDES.index(position.to_move) | last << 8
    return state


def settings_of(game: Hex) -> NDArray[np.int64]:
    """The size of the board, and whether there are swaps."""
    return np.array([game.size, game.swap], np.int64)


def most_moves(game: Hex) -> int:
    """Every cell, and the swap."""
    return game.size**2 + 1


def n_codes(game: Hex) -> int:
    """Every cell, and the swap."""
    return game.size**2 + 1


def code_of(position: HexPosition, move: HexMove | Swap) -> int:
    """The code of a move."""
    size = position.game.size
    return size * size if isinstance(move, Swap) else move.row * size + move.column


def move_of(position: HexPosition, code: int) -> HexMove | Swap:
    """The move of a code."""
    size = position.game.size
    return SWAP if code == size * size else HexMove(*divmod(int(code), size))


def keys_before(position: HexPosition) -> NDArray[np.uint64]:
    """None: stones stay for good, so that no board comes up again."""
    return np.zeros(0, np.uint64)


def holding_out(position: HexPosition) -> tuple[HexMove, ...]:
    """Of moves that all lose those that hold out longest and leave the fewest answers."""
    known = longest_resistance(position)
    return () if known is None else known.best


def hurrying(position: HexPosition) -> tuple[HexMove, ...]:
    """Of moves that win those after which the fewest are left to the end."""
    return soonest_wins(position)


def counting_kernels(game: Hex) -> tuple[Any, ...]:
    """Those by which the moves that are left are counted on small boards."""
    return (forced,) if game.size <= LARGEST_SOLVED else ()


_NOTHING = np.zeros(0, np.int64)


def knowledge_of(game: Hex) -> NDArray[np.int64]:
    """Nothing."""
    return _NOTHING


# ---- for kernels


@helper
def side_to_move(state):
    """0 for red, 1 for blue."""
    return np.int64(state[_TURN, 0] & ONE)


@helper
def _may_swap(state, settings) -> bool:
    """Whether this is the first reply, and there are swaps."""
    if settings[MAY_SWAP] == 0 or state[_TURN, 0] & ONE == ZERO:
        return False
    red, blue = 0, 0
    for word in range(state.shape[1]):
        red += count_ones(state[RED, word])
        blue += count_ones(state[BLUE, word])
    return red == 1 and blue == 0


@helper
def list_moves(state, settings, scratch, codes) -> int:
    """Write the empty cells row by row, then the swap; how many moves there are."""
    size = settings[SIZE]
    # Only the side that has just moved can have connected.
    if kernels.has_connected(state, 1 - side_to_move(state), size, scratch[_ROWS]):
        return 0
    count = 0
    for word in range(state.shape[1]):
        free = ~(state[RED, word] | state[BLUE, word]) & kernels.board_word(size, word)
        while free != ZERO:
            codes[count] = 64 * word + lowest_one(free)
            free &= free - ONE
            count += 1
    if _may_swap(state, settings):
        codes[count] = size * size
        count += 1
    return count


@helper
def result(state, settings, scratch) -> int:
    """The side that has won, once there are no moves."""
    return 1 - side_to_move(state)


@helper
def play(state, settings, scratch, code: int) -> None:
    """Put a stone on a cell, or swap: the red stone becomes a blue one, reflected."""
    size, side = settings[SIZE], side_to_move(state)
    if code == size * size:
        for word in range(state.shape[1]):
            if state[RED, word] != ZERO:
                code = 64 * word + lowest_one(state[RED, word])
                state[RED, word] = ZERO
        code = code % size * size + code // size
    kernels.add_stone(state, side, code)
    state[_TURN, 0] = np.uint64(1 - side) | (np.uint64(code + 1) << _8)


@helper
def is_quiet(state, settings, scratch) -> bool:
    """Always: there are no captures."""
    return True


@helper
def at_rest(state, settings) -> bool:
    """Whether it is plain, without a list of moves, that the game goes on: it never is."""
    return False


@helper
def write_bits(state, settings, view: int, features) -> None:
    """Red's cells and then blue's; for the mover, blue's reflected and then red's if it is blue."""
    size = settings[SIZE]
    n_cells = size * size
    reverse = view == MOVER and state[_TURN, 0] & ONE != ZERO
    for byte in range(features.shape[2]):
        features[0, 0, byte] = 0
    for half in range(2):
        side = 1 - half if reverse else half
        for word in range(state.shape[1]):
            left = state[side, word]
            while left != ZERO:
                cell = 64 * word + lowest_one(left)
                left &= left - ONE
                if reverse:
                    cell = cell % size * size + cell // size
                bit = half * n_cells + cell
                features[0, 0, bit >> 3] |= np.uint8(1 << (bit & 7))


@helper
def key(state):
    """A hash of the stones and the side to move."""
    board_hash = mixed((state[_TURN, 0] & ONE) + STREAM_STEP)
    for word in range(state.shape[1]):
        board_hash = mixed(board_hash ^ state[RED, word]) + STREAM_STEP
        board_hash = mixed(board_hash ^ state[BLUE, word]) + STREAM_STEP
    return board_hash


@helper
def play_out(state, settings, scratch, counter) -> tuple[int, Any]:
    """Fill the board at random; who has connected then, and the counter of random numbers."""
    size = settings[SIZE]
    side = side_to_move(state)
    rows = scratch[_ROWS]
    winner, counter = kernels.play_out(state, side, size, scratch, rows, counter)
    for word in range(state.shape[1]):
        state[RED, word] = scratch[RED, word]
        state[BLUE, word] = scratch[BLUE, word]
    state[_TURN, 0] = np.uint64(1 - winner)
    return winner, counter


@helper
def play_out_noting(state, settings, scratch, counter, noted) -> tuple[int, Any]:
    """The same, and write who got each of the cells that were empty."""
    size = settings[SIZE]
    winner, counter = kernels.play_out(
        state, side_to_move(state), size, scratch, scratch[_ROWS], counter
    )
    for side in range(2):
        for word in range(state.shape[1]):
            left = scratch[side, word] & ~(state[RED, word] | state[BLUE, word])
            while left != ZERO:
                noted[64 * word + lowest_one(left)] = side
                left &= left - ONE
    return winner, counter


@helper
def exact_value(state, settings, knowledge) -> tuple[bool, int, int]:
    """Nothing is known without a search."""
    return False, 0, 0


# ---- concepts and connections


@helper
def count_state(state, settings, room, counts) -> None:
    """Fill `counts` with the concepts of both sides."""
    concept_kernels.count_concepts(state, settings[SIZE], side_to_move(state), room, counts)


@helper
def settled(state, settings, counts) -> int:
    """1 if the side to move has won by its connections, -1 if it has lost; else OPEN."""
    side = side_to_move(state)
    if _may_swap(state, settings):
        return OPEN
    if counts[(1 - side) * N_CONCEPTS + NEEDS] == 0:
        return -1
    return 1 if counts[side * N_CONCEPTS + NEEDS] <= 1 else OPEN


@helper
def plans_of(connected: int, memory, captured, side: int, n_cells: int):
    """The smallest plan that connects a side, first or second to move: its cells, and the kind.

    The kind is 2 for a full plan, 1 for a half one and 0 for none.
    """
    mine = load(captured, side)
    if connected == CONNECTED:
        return mine, 2
    last = memory[N_ANCHORS][0] - 1
    if memory[FULL_COUNTS][last, n_cells] > 0:
        return union(mine, load(memory[FULL][last, n_cells], 0)), 2
    if memory[HALF_COUNTS][n_cells] > 0:
        return load(memory[HALF][n_cells], 0), 1
    return mine, 0


@helper
def worth_trying(state, settings, room, codes, count: int) -> int:
    """Keep the moves that a search has to look at, at the front of `codes`; how many these are.

    A side that connects by a plan looks at its cells, and one that has lost at those of the other
    side's; else dead and captured cells are left out, and what does not answer all threats.
    """
    size, side = settings[SIZE], side_to_move(state)
    if size > LARGEST or _may_swap(state, settings):
        return count
    red_plans, blue_plans, board = room[RED_PLANS], room[BLUE_PLANS], room[BOARD]
    captured, n_cells = room[CAPTURED], size * size
    red, blue = find_plans(state, size, board, captured, red_plans, blue_plans)
    cells, kind = plans_of(red, red_plans, captured, 0, n_cells)
    theirs, their_kind = plans_of(blue, blue_plans, captured, 1, n_cells)
    if side == 1:
        cells, theirs = theirs, cells
        kind, their_kind = their_kind, kind
    if kind == 0:
        cells = theirs
        if their_kind != 2:
            cells = free_cells(board, size)
            for n in range((blue_plans if side == 0 else red_plans)[HALF_COUNTS][n_cells]):
                plan = load((blue_plans if side == 0 else red_plans)[HALF][n_cells], n)
                cells = common(cells, plan)
    if is_empty(cells):
        return count
    kept = 0
    for n in range(count):
        if codes[n] >= n_cells or meet(cells, one_cell(codes[n])):
            codes[kept] = codes[n]
            kept += 1
    return kept if kept > 0 else count


CONCEPT_KERNELS = find_plans, concept_kernels.count_concepts
