"""Random games of Go with answers: shapes and weights against slow twins, and by hand."""

import dataclasses
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.games.go import compiled_rules, kernels, move_features, shape_playouts
from clauseboard.games.go.board import neighbours
from clauseboard.games.go.rules import GoMove, regions
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
    own = move_features._place_of(
        size, np.int64(state[kernels.INFO, move_features.MOVE_BEFORE]) - 1
    )
    if last == 0:
        return -1
    place, _ = shape_playouts.answer_to(state, last, own, scratch, weights, places, shapes, counter)
    return -1 if place == 0 else place - place // (size + 1) - size - 1


@kernel("boolean(int16[:,::1], int64, int64[::1])")
def loses_itself(state, place, scratch):
    """Whether a stone of the side to move at a place is lost for nothing."""
    return shape_playouts.loses_itself(state, place, state[kernels.INFO, kernels.SIDE], scratch)


@kernel("int64(int16[:,::1], int64, int64, int64[::1], int64[::1])")
def vital_point(state, place, owner, scratch, room):
    """The place of the vital point of an eye space of a colour around a place, or 0."""
    return shape_playouts.vital_point(state, place, owner, scratch, room)


ONE_EYED = {
    frozenset(shape)
    for drawn in (
        "x", "xx", "xxx", "xx/x.", "xxx/.x.", "xx/xx", ".x./xxx/.x.", "xxx/xx.", ".x./xxx/.xx",
    )
    for rows in [enumerate(drawn.split("/"))]
    for points in [[(y, x) for y, row in rows for x, c in enumerate(row) if c == "x"]]
    for turned in [points, [(y, -x) for y, x in points]]
    for shape in (
        [(y, x) for y, x in turned], [(x, -y) for y, x in turned],
        [(-y, -x) for y, x in turned], [(-x, y) for y, x in turned],
    )
}  # fmt: skip
"""Shapes in which the other side, if it begins, leaves one eye; drawn by hand."""


def is_one_eyed(points, size):
    """Whether points of a board have one of these shapes."""
    cells = [divmod(point, size) for point in points]
    return any(
        len(shape) == len(cells)
        and any(
            {(y - y0 + y1, x - x0 + x1) for y, x in shape} == set(cells)
            for y0, x0 in list(shape)[:1]
            for y1, x1 in cells
        )
        for shape in ONE_EYED
    )


def naive_loses_itself(position, point):
    """The same as the kernel says, from the rules and the shapes above."""
    size, mine = position.game.size, position.colour
    board, taken, lost = position.after(point)
    assert not lost
    if taken:
        return False
    after = dataclasses.replace(position, board=board)
    chain = after.chains[point]
    if len(chain.liberties) > 1 or len(chain.stones) == 1:
        return False
    threatened = [
        p
        for p in neighbours(size)[point]
        if board[p] == 3 - mine and len(after.chains[p].liberties) == 1
    ]
    return not (threatened and is_one_eyed(chain.stones, size))


def naive_vital(position, point, owner):
    """The point of an eye space with most of its points beside it, if it has one eye then."""
    size = position.game.size
    region = next(r for _, r in regions(position.board, size) if point in r)
    around = {position.board[p] for q in region for p in neighbours(size)[q]} - {0}
    if not around <= {owner} or len(region) > 6:
        return None
    beside = {p: len(region.intersection(neighbours(size)[p])) for p in region}
    square = len(region) == 4 and set(beside.values()) == {2}
    if len(region) < 3 or square or not is_one_eyed(region, size):
        return None
    best = max(beside.values())
    return {p for p, count in beside.items() if count == best}


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
    tactics = weights[shape_playouts.TACTICS] != 0
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
    takes, saves = shape_playouts.TAKES, shape_playouts.SAVES
    for beside in neighbours(size)[last]:
        if position.board[beside] == mine and len(position.chains[beside].liberties) == 1:
            [point] = position.chains[beside].liberties
            board, *_ = position.after(point)
            after = dataclasses.replace(position, board=board)
            joined = after.chains[point].liberties if board[point] == mine else ()
            # What taking gives is counted as taking, and not as liberties of its own.
            free = {q for q in joined if position.board[q] == 0}
            if not tactics or len(free) > 1:
                deeds[point] = deeds.get(point, 0) | saves
            for stone in position.chains[beside].stones if tactics else ():
                for other in neighbours(size)[stone]:
                    chain = position.chains.get(other)
                    if position.board[other] == 3 - mine and len(chain.liberties) == 1:
                        [taking] = chain.liberties
                        deeds[taking] = deeds.get(taking, 0) | takes | saves
    before = position.last[1]
    if tactics and before is not None and before < size * size and position.board[before] == mine:
        for beside in neighbours(size)[before]:
            chain = position.chains.get(beside)
            if position.board[beside] == 3 - mine and len(chain.liberties) == 1:
                [taking] = chain.liberties
                deeds[taking] = deeds.get(taking, 0) | takes
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


@given(
    draws=st.data(), size=st.integers(2, 7), n_moves=st.integers(0, 40), seed=st.integers(0, 99),
    tactics=st.booleans(),
)  # fmt: skip
@settings(max_examples=EXAMPLES)
def test_answers_are_drawn_as_they_weigh(draws, size, n_moves, seed, tactics):
    position = played(draws, size, n_moves)
    weights = (
        np.random.default_rng(seed).integers(0, 50, shape_playouts.N_WEIGHTS).astype(np.uint16)
    )
    weights[shape_playouts.TACTICS] = tactics
    wanted = naive_answers(position, weights)
    last = position.last[0]
    if tactics and last is not None and last < size * size:
        vital = [
            naive_vital(position, p, 3 - position.colour)
            for p in neighbours(size)[last]
            if position.board[p] == 0
        ]
        wanted |= {point: 1 for points in vital if points for point in points}
    state, scratch = compiled_rules.state_of(position), compiled_rules.new_scratch(position.game)
    noted = {}
    legal = {move.point for move in position.moves()}
    for number in range(60):
        point = int(first_answer(state, scratch, weights, np.uint64(number * 7919)))
        noted[point] = noted.get(point, 0) + 1
    for point in noted.keys() - {-1}:
        assert wanted[point] > 0
        assert point in legal
        assert not tactics or not naive_loses_itself(position, point)
    total = sum(wanted.values()) + int(weights[shape_playouts.FAR]) * position.board.count(0)
    for point, weight in wanted.items():
        if not tactics and weight > 0.5 * total and noted.get(point, 0) == 0:
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


@pytest.mark.parametrize(("tactics", "seen"), [(0, 466341383), (1, 2120110400)])
def test_random_games_of_a_seed_stay_the_same(tactics, seen):
    """What is played was written down before answers and tactics were made faster."""
    game = load_game("go", size=9)
    weights = np.random.default_rng(5).integers(0, 300, shape_playouts.N_WEIGHTS).astype(np.uint16)
    weights[shape_playouts.TACTICS] = tactics
    scratch, noted = compiled_rules.new_scratch(game), np.full(82, -1, np.int8)
    found = 0
    for board in (
        "........./........./........./........./..b.w..../........./........./........./.........",
        "..www..../.wbbwbb../.bwbbwww./..wb...../.bbwww.b./..bw..b../.wwwb.b../.bbb....w/.........",
        "w.w.b..../wwwwwb.b./.wbwbbbw./wwbb..bw./.w.bbbwbb/wbw.bwwww/bb..bwbbb/....bwww./.........",
    ):
        for seed in range(2):
            state = compiled_rules.state_of(game.read_position(f"{board} black"))
            counter = shape_playouts.playout(state, 240, np.uint64(seed), noted, weights, scratch)
            played_out = state[kernels.COLOUR].tobytes() + int(counter).to_bytes(8)
            found = zlib.crc32(played_out, found)
    assert found == seen


@given(draws=st.data(), size=st.integers(3, 6), n_moves=st.integers(5, 60))
@settings(max_examples=2 * EXAMPLES)
def test_stones_that_lose_themselves_are_those_of_the_slow_twin(draws, size, n_moves):
    position = played(draws, size, n_moves)
    state, scratch = compiled_rules.state_of(position), compiled_rules.new_scratch(position.game)
    for move in position.moves():
        if move.point is not None:
            place = move.point + move.point // size + size + 2
            told = bool(loses_itself(state, place, scratch))
            assert told == naive_loses_itself(position, move.point)


@pytest.mark.parametrize(
    ("board", "vital"),
    [
        (".../bbb", "B2"),
        ("..b/.bb/bbb", "A3"),
        ("..../bbbb", None),
        (".b./.../bbb", None),
        ("..bb/..bb/bbbb", None),
        ("b.bb/...b/bbbb", "B2"),
        ("..bb/...b/bbbb", "B2"),
        ("b.bb/...b/b.bb/bbbb", "B3"),
        ("b.bb/...b/b..b/bbbb", "B3"),
        ("..wb/bbbb", None),
    ],
)
def test_the_vital_point_of_an_eye_space(board, vital):
    rows = board.split("/")
    size = max(len(rows), len(rows[0]), 4)
    rows = [row.ljust(size, "b") for row in rows] + ["b" * size] * (size - len(rows))
    rows[-1] = rows[-1][:-1] + "."
    position = load_game("go", size=size).read_position("/".join(rows) + " white")
    point = next(p for p, stone in enumerate(position.board) if stone == 0)
    state, scratch = compiled_rules.state_of(position), compiled_rules.new_scratch(position.game)
    place = point + point // size + size + 2
    found = int(vital_point(state, place, 1, scratch, np.zeros(shape_playouts.MOST, np.int64)))
    point = None if found == 0 else found - found // (size + 1) - size - 1
    wanted = naive_vital(position, next(p for p, s in enumerate(position.board) if s == 0), 1)
    assert (point is None) == (wanted is None)
    assert wanted is None or point in wanted
    named = None if point is None else position.game.write_move(position, GoMove(point))
    assert named == (vital and shifted(vital, size, len(board.split("/"))))


def shifted(name, size, n_rows):
    """A point named on the drawing above, on the board that it is put onto."""
    return f"{name[0]}{int(name[1:]) + size - n_rows}"


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
    assert table[-2:].tolist() == [shape_playouts.ELSEWHERE, 0]
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
