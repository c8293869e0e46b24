"""Random games of Go with answers: shapes and weights against slow twins, and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.games.go import compiled_rules, kernels, move_features, shape_playouts
from clauseboard.games.go.board import neighbours
from clauseboard.kernels.compiler import JIT_DISABLED, kernel

EXAMPLES = 5 if JIT_DISABLED else 40


@kernel("int64(int16[:,::1], int64[::1], uint16[::1], uint64)")
def first_answer(state, scratch, weights, counter):
    """The point of one answer to the last move, drawn by weights; -1: play elsewhere."""
    size = np.int64(state[kernels.INFO, kernels.SIZE])
    room = scratch.shape[0] - 2 * shape_playouts.MOST
    places, shapes = (
        scratch[room : room + shape_playouts.MOST],
        scratch[room + shape_playouts.MOST :],
    )
    last = move_features._place_of(size, np.int64(state[kernels.INFO, move_features.LAST_MOVE]) - 1)
    if last == 0:
        return -1
    place, _ = shape_playouts.answer_to(state, last, scratch, weights, places, shapes, counter)
    return -1 if place == 0 else place - place // (size + 1) - size - 1


def naive_shape(position, point):
    """The shape around a point, from the board."""
    size, shape, bits = position.game.size, 0, 0
    line, column = divmod(point, size)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if down or right:
                y, x = line + down, column + right
                inside = y in range(size) and x in range(size)
                shape |= (position.board[y * size + x] if inside else 3) << bits
                bits += 2
    return shape


def naive_answers(position, weights):
    """Each point that may answer the last move, and what it weighs."""
    size, mine, last = position.game.size, position.colour, position.last[0]
    if last is None or last == size * size:
        return {}
    line, column = divmod(last, size)
    deeds = {}
    for y in range(max(line - 1, 0), min(line + 2, size)):
        for x in range(max(column - 1, 0), min(column + 2, size)):
            if position.board[y * size + x] == 0:
                deeds[y * size + x] = 0
    if position.board[last] == 3 - mine and len(position.chains[last].liberties) == 1:
        [point] = position.chains[last].liberties
        deeds[point] = deeds.get(point, 0) | shape_playouts.TAKES
    for beside in neighbours(size)[last]:
        if position.board[beside] == mine and len(position.chains[beside].liberties) == 1:
            [point] = position.chains[beside].liberties
            deeds[point] = deeds.get(point, 0) | shape_playouts.SAVES
    first = (mine - 1) * shape_playouts.N_SHAPES
    return {p: int(weights[first + (naive_shape(position, p) | deed)]) for p, deed in deeds.items()}


def played(draws, size, n_moves):
    position = load_game("go", size=size).start()
    for _ in range(n_moves):
        after = position.play(draws.draw(st.sampled_from(position.moves())))
        if after.outcome() is not None:
            break
        position = after
    return position


@given(draws=st.data(), size=st.integers(2, 7), n_moves=st.integers(0, 40), seed=st.integers(0, 99))
@settings(max_examples=EXAMPLES)
def test_answers_are_drawn_as_they_weigh(draws, size, n_moves, seed):
    position = played(draws, size, n_moves)
    weights = (
        np.random.default_rng(seed).integers(0, 50, shape_playouts.N_WEIGHTS).astype(np.uint16)
    )
    wanted = naive_answers(position, weights)
    state, scratch = compiled_rules.state_of(position), compiled_rules.new_scratch(position.game)
    noted = {}
    legal = {move.point for move in position.moves()}
    for number in range(60):
        point = int(first_answer(state, scratch, weights, np.uint64(number * 7919)))
        noted[point] = noted.get(point, 0) + 1
    for point in noted.keys() - {-1}:
        assert wanted[point] > 0
        assert point in legal
    total = sum(wanted.values()) + int(weights[-1]) * position.board.count(0)
    for point, weight in wanted.items():
        if weight > 0.5 * total and noted.get(point, 0) == 0:
            assert point not in legal or point == position.ko or _is_eye(position, point)


def _is_eye(position, point):
    beside = neighbours(position.game.size)[point]
    return all(position.board[p] == position.colour for p in beside)


@given(draws=st.data(), size=st.integers(2, 6), n_moves=st.integers(0, 30), seed=st.integers(0, 9))
@settings(max_examples=EXAMPLES)
def test_where_nothing_weighs_a_game_is_as_random_as_ever(draws, size, n_moves, seed):
    position = played(draws, size, n_moves)
    nothing = np.zeros(shape_playouts.N_WEIGHTS, np.uint16)
    plain, other = (compiled_rules.state_of(position) for _ in range(2))
    limit, counter = 3 * size * size, np.uint64(seed)
    end = kernels.playout(plain, limit, counter)
    noted = np.full(size * size + 1, -1, np.int8)
    scratch = compiled_rules.new_scratch(position.game)
    assert shape_playouts.playout(other, limit, counter, noted, nothing, scratch) == end
    assert np.array_equal(plain, other)
    # Whoever stands on a point that was empty was noted there, unless stones were taken first.
    for point, side in enumerate(noted[:-1]):
        place = point + point // size + size + 2
        if side >= 0:
            assert position.board[point] == 0 or other[kernels.COLOUR, place] != 3
        elif position.board[point] == 0:
            assert other[kernels.COLOUR, place] == 0


@given(draws=st.data(), seed=st.integers(0, 9))
@settings(max_examples=EXAMPLES)
def test_games_with_answers_come_to_an_end(draws, seed):
    position = played(draws, 5, 10)
    weights = (
        np.random.default_rng(seed).integers(0, 500, shape_playouts.N_WEIGHTS).astype(np.uint16)
    )
    state, scratch = compiled_rules.state_of(position), compiled_rules.new_scratch(position.game)
    noted = np.full(26, -1, np.int8)
    shape_playouts.playout(state, 400, np.uint64(seed), noted, weights, scratch)
    board = np.zeros(25, np.uint8)
    kernels.read_board(state, board)
    for chain in load_game("go", size=5).position(bytes(board), "black").chains.values():
        assert chain.liberties


def test_a_stone_that_can_be_taken_is_taken():
    """Only taking weighs, so that it is what happens."""
    game = load_game("go", size=5)
    position = game.start()
    for text in ("A2", "A1", "B2", "A5", "E5", "B1"):  # A1 and B1 have one liberty left
        position = position.play(position.read_move(text))
    weights = np.zeros(shape_playouts.N_WEIGHTS, np.uint16)
    shapes = np.arange(shape_playouts.N_SHAPES)
    weights[: shape_playouts.N_SHAPES][shapes & shape_playouts.TAKES != 0] = 9
    wanted = naive_answers(position, weights)
    found = first_answer(
        compiled_rules.state_of(position), compiled_rules.new_scratch(game), weights, np.uint64(3)
    )
    taking = [point for point, weight in wanted.items() if weight]
    assert [int(found)] == taking == [position.read_move("C1").point]


def test_shapes_as_bits():
    bits = shape_playouts.shape_bits()
    names = np.array(move_features.NAMES)
    shape = 1 | 2 << 2 | 3 << 8 | shape_playouts.SAVES  # own up left, other's up, edge on the right
    told = set(names[bits[shape] == 1])
    assert {"own stone 1 up 1 left", "other's stone 1 up", "edge 1 right", "saves a chain"} <= told
    assert {"line 1 or lower", "last move within 3"} <= told
    assert not {"takes a chain", "last move within 2", "own stone 1 down"} & told
    assert set(names[shape_playouts.elsewhere_bits()[0] == 1]) == {
        "line 3 or lower", "line 4 or lower",
        "2 liberties or more", "3 liberties or more", "4 liberties or more",
    }  # fmt: skip


def test_white_sees_the_colours_exchanged():
    logs = np.random.default_rng(1).normal(size=shape_playouts.N_SHAPES)
    table = shape_playouts.weights_of(logs, 0.0)
    assert len(table) == shape_playouts.N_WEIGHTS
    assert table[-1] == shape_playouts.ELSEWHERE
    for shape in (0, 1, 2, 3, 0b1101, shape_playouts.TAKES | 0b0110, shape_playouts.SAVES | 0xFFFF):
        pairs = [(shape >> (2 * n)) & 3 for n in range(8)]
        other = sum({0: 0, 1: 2, 2: 1, 3: 3}[pair] << (2 * n) for n, pair in enumerate(pairs))
        other |= shape & ~0xFFFF
        assert table[shape] == table[shape_playouts.N_SHAPES + other]
        assert table[shape] == round(32 * np.exp(logs[shape]))


@pytest.mark.parametrize("log", [-100.0, 0.0, 100.0])
def test_weights_stay_within_their_room(log):
    table = shape_playouts.weights_of(np.full(shape_playouts.N_SHAPES, log), 0.0)
    assert table[0] == {-100.0: 0, 0.0: 32, 100.0: 65535}[log]
