"""The kernels, held against the slow twin and against the rules in plain Python."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.games.go import GoMove, kernels, rules
from clauseboard.kernels.compiler import JIT_DISABLED
from naive import go as naive

FEW = settings(max_examples=5 if JIT_DISABLED else 40)
SIZES = [2, 3, 5] if JIT_DISABLED else [2, 3, 5, 9, 19]


@pytest.fixture(autouse=True, scope="module")
def _words_may_wrap_round():
    """Without the compiler NumPy would warn of what is meant."""
    with np.errstate(over="ignore"):
        yield


def start(size, side=1):
    state = kernels.new_state(size)
    kernels.set_up(state, np.zeros(size * size, np.uint8), side, -1, 0)
    return state


def board_of(state):
    size = int(state[kernels.INFO, kernels.SIZE])
    board = np.empty(size * size, np.uint8)
    kernels.read_board(state, board)
    return board


def lines_of(state):
    return naive.from_bytes(board_of(state), int(state[kernels.INFO, kernels.SIZE]))


def legal_points(state, suicide=False):
    mask = np.empty(int(state[kernels.INFO, kernels.SIZE]) ** 2, np.uint8)
    kernels.legal(state, suicide, mask)
    return np.flatnonzero(mask).tolist()


def check_inside(state):
    """The rows of a state must tell the same story, which is worked out from the colours here."""
    size = int(state[kernels.INFO, kernels.SIZE])
    lines = lines_of(state)
    place = {(y, x): (y + 1) * (size + 1) + x + 1 for y in range(size) for x in range(size)}
    empty = {place[y, x] for y, x in place if lines[y][x] == "."}
    count = state[kernels.INFO, kernels.EMPTIES]
    assert set(state[kernels.EMPTY, :count].tolist()) == empty
    assert count == len(empty)
    for i in range(count):
        assert state[kernels.WHERE, state[kernels.EMPTY, i]] == i
    for y, x in place:
        if lines[y][x] == ".":
            assert state[kernels.CHAIN, place[y, x]] == 0
            continue
        stones = naive.same(lines, y, x)
        head = state[kernels.CHAIN, place[y, x]]
        assert head in [place[stone] for stone in stones]
        assert state[kernels.STONES, head] == len(stones)
        pairs = sum(lines[b][a] == "." for v, u in stones for b, a in naive.around(lines, v, u))
        assert state[kernels.LIBERTIES, head] == pairs
        ring, at = set(), head
        while at not in ring:
            ring.add(at)
            at = state[kernels.NEXT, at]
        assert ring == {place[stone] for stone in stones}


LENGTHS = [(2, 60), (3, 80), (5, 80), (9, 60), (19, 25), (9, 150)]
"""Sizes of boards, and how many moves of a game to compare."""


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize(
    ("size", "n_moves"),
    [
        pytest.param(size, n_moves, marks=[pytest.mark.long] if n_moves == 150 else [])
        for size, n_moves in LENGTHS
        if size in SIZES
    ],
)
def test_random_games_go_as_in_the_twin(size, n_moves, suicide):
    rng = random.Random(size)
    for _ in range({2: 10, 3: 10, 5: 2, 9: 1, 19: 1}[size]):
        state, twin = start(size), naive.Game(size, suicide=suicide)
        for number in range(n_moves):
            points = legal_points(state, suicide)
            assert points == twin.legal()
            point = rng.choice(points) if points and rng.random() < 0.97 else None
            kernels.play(state, -1 if point is None else point)
            twin.play(point)
            assert lines_of(state) == twin.lines
            assert state[kernels.INFO, kernels.PASSES] == twin.passes
            assert "-bw"[state[kernels.INFO, kernels.SIDE]] == twin.side
            if number % 10 == 9:
                check_inside(state)


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_random_games_go_as_in_the_rules(size, suicide):
    rng = random.Random(size)
    position = load_game("go", size=size, suicide=suicide).start()
    state = start(size)
    most = 40 if JIT_DISABLED else 600
    while position.outcome() is None and position.moves_played < most:
        moves = [move.point for move in position.moves()[:-1]]
        assert legal_points(state, suicide) == moves
        # Set up from the position alone, the state must know the same moves, ko included.
        anew = rules.state_of(position)
        assert legal_points(anew, suicide) == moves
        assert np.array_equal(anew[kernels.INFO, :5], state[kernels.INFO, :5])
        point = rng.choice(moves) if moves and rng.random() < 0.98 else None
        taken = position.prisoners
        position = position.play(GoMove(point))
        kernels.play(state, -1 if point is None else point)
        assert board_of(state).tobytes() == position.board
        assert state[kernels.INFO, kernels.CAPTURED] == sum(position.prisoners) - sum(taken)
    owners = np.empty(size * size, np.uint8)
    black, white = rules.score(position).area
    assert kernels.area(state, owners) == black - white


@FEW
@given(st.integers(2, 5), st.integers(0, 10**6), st.integers(0, 60))
def test_a_state_set_up_from_any_board_is_sound(size, seed, length):
    state = start(size)
    kernels.playout(state, length, np.uint64(seed))
    check_inside(state)
    anew = kernels.new_state(size)
    kernels.set_up(anew, board_of(state), 1, -1, 0)
    check_inside(anew)
    assert legal_points(anew, True) == np.flatnonzero(board_of(state) == 0).tolist()


@FEW
@given(st.integers(2, 5), st.integers(0, 10**6), st.booleans())
def test_replay_stops_at_the_first_move_that_is_not_legal(size, seed, suicide):
    rng = random.Random(seed)
    points = [rng.randrange(-1, size * size) for _ in range(30)]
    twin, played = naive.Game(size, suicide=suicide), 0
    for point in points:
        if twin.passes == 2 or (point >= 0 and point not in twin.legal()):
            break
        twin.play(None if point < 0 else point)
        played += 1
    state = start(size)
    assert kernels.replay(state, np.array(points, np.int16), suicide) == played
    assert lines_of(state) == twin.lines


@FEW
@given(st.integers(2, 6), st.integers(0, 10**6), st.integers(0, 40))
def test_areas_are_the_twins(size, seed, length):
    rng = np.random.default_rng(seed)
    # Any board, also with chains that have no liberty: counting needs none.
    board = rng.choice(3, size * size, p=[0.7, 0.15, 0.15]).astype(np.uint8)
    if length % 4 == 0:
        board[:] = 0
        board[0] = length % 3
    state = kernels.new_state(size)
    kernels.set_up(state, board, 1, -1, 0)
    owners = np.empty(size * size, np.uint8)
    lines = naive.from_bytes(board, size)
    black, white = naive.area(lines)
    assert kernels.area(state, owners) == black - white
    expected = [naive.owner(lines, *divmod(point, size)) for point in range(size * size)]
    assert [".bw."[owner] for owner in owners] == expected


# ------------------------------------------------------------------ playouts


def wanted(lines, side, ko):
    """The points that a playout may choose from, by the twin's rules; ko is a point or None."""
    size = len(lines)
    found = []
    for point in range(size * size):
        y, x = divmod(point, size)
        if lines[y][x] != "." or point == ko or naive.is_eye(lines, side, y, x):
            continue
        if naive.put(lines, side, y, x)[2] == 0:
            found.append(point)
    return found


@FEW
@given(st.integers(2, 5), st.integers(0, 2**64 - 1))
def test_each_move_of_a_playout_is_one_it_may_choose(size, seed):
    state, counter = start(size), np.uint64(seed)
    for _ in range(40):
        if state[kernels.INFO, kernels.PASSES] == 2:
            break
        ko = int(state[kernels.INFO, kernels.KO])
        ko = None if ko == 0 else (ko // (size + 1) - 1) * size + ko % (size + 1) - 1
        side = "-bw"[state[kernels.INFO, kernels.SIDE]]
        before, choices = lines_of(state), wanted(lines_of(state), side, ko)
        counter = kernels.playout(state, 1, counter)
        passed = state[kernels.INFO, kernels.PASSES] > 0
        assert passed == (not choices)
        if not passed:
            boards = [naive.put(before, side, *divmod(point, size))[0] for point in choices]
            assert lines_of(state) in boards
    check_inside(state)


@pytest.mark.parametrize(
    ("lines", "choices"),
    [
        # In the middle, one enemy at a corner leaves an eye, two do not.
        (["wbb.", "b.bw", "bbb.", ".w.w"], {3, 11, 12, 14}),
        (["wbb.", "b.bw", "wbb.", ".w.w"], {3, 5, 11, 12, 14}),
        # At the edge and in the corner, one enemy is enough.
        (["b.bw", "bbb.", "bb.b", ".bb."], {7}),
        (["b.bw", "bbw.", ".b.b", "bbb."], {1, 7, 10}),
        ([".bw.", "bbw.", "wwww", "...."], {3, 7, 12, 13, 14, 15}),
        ([".bw.", "bww.", "..ww", "...."], {0, 3, 7, 8, 9, 12, 13, 14, 15}),
    ],
)
def test_playouts_fill_no_eyes(lines, choices):
    board = naive_board(*lines)
    assert set(wanted(naive.from_bytes(board, 4), "b", None)) == choices
    assert drawn(board, side=1) == choices


def drawn(board, side, ko=-1):
    """The points that playouts choose first, over many seeds; None for a pass."""
    found = set()
    for seed in range(150):
        state = kernels.new_state(4)
        kernels.set_up(state, board, side, ko, 0)
        kernels.playout(state, 1, np.uint64(seed))
        new = np.flatnonzero((board_of(state) == side) & (board != side))
        found.add(int(new[0]) if new.size else None)
    return found


def test_playouts_obey_ko():
    # Black took at B3; white may not take back.
    board = naive_board(".bw.", "b.bw", ".bw.", "....")
    assert 5 in drawn(board, side=2)
    assert 5 not in drawn(board, side=2, ko=5)
    assert drawn(board, side=2) - drawn(board, side=2, ko=5) == {5}


def test_playouts_choose_evenly():
    size, draws = 4, 200 if JIT_DISABLED else 20_000
    board = naive_board("bbw.", "b.w.", "..bw", "....")
    choices = wanted(naive.from_bytes(board, size), "w", None)
    seen = dict.fromkeys(choices, 0)
    for seed in range(draws):
        state = kernels.new_state(size)
        kernels.set_up(state, board, 2, -1, 0)
        kernels.playout(state, 1, np.uint64(seed))
        (point,) = np.flatnonzero((board_of(state) == 2) & (board != 2))
        seen[int(point)] += 1
    expected = draws / len(choices)
    chi_squared = sum((count - expected) ** 2 / expected for count in seen.values())
    # The mean is one less than the number of choices, 7; 40 is less likely than 1 in 100,000.
    assert 7 <= len(choices) <= 10
    assert chi_squared < 40


def naive_board(*lines):
    return np.array([".bw".index(letter) for line in lines for letter in line], np.uint8)


@pytest.mark.parametrize(
    "size", [pytest.param(n, marks=[pytest.mark.long] if n == 19 else []) for n in SIZES]
)
def test_playouts_end_with_nothing_left_to_play(size):
    state = start(size)
    kernels.playout(state, 10 * size * size, np.uint64(7))
    if size > 2:
        assert state[kernels.INFO, kernels.PASSES] == 2
        for side in "bw":
            # Whoever passed first could still have been given a ko by the other's last move.
            assert len(wanted(lines_of(state), side, None)) <= 1
    check_inside(state)


def test_many_playouts_are_playouts_one_by_one():
    size = 5
    state = start(size)
    kernels.play(state, 12)
    before = state.copy()
    scores, owned = np.empty(20, np.int16), np.zeros((25, 2), np.int32)
    kernels.playouts(state, 75, np.uint64(3), scores, owned)
    assert np.array_equal(state, before)
    assert len(set(scores.tolist())) > 3
    again = np.empty(20, np.int16)
    kernels.playouts(state, 75, np.uint64(3), again, np.zeros((0, 2), np.int32))
    assert np.array_equal(scores, again)
    kernels.playouts(state, 75, np.uint64(4), again, np.zeros((0, 2), np.int32))
    assert not np.array_equal(scores, again)
    assert owned[:, 0].sum() - owned[:, 1].sum() == scores.sum()
    assert owned.sum(axis=1).max() <= 20


@pytest.mark.parametrize("limit", [0, 1, 30])
def test_a_playout_stops_at_its_limit(limit):
    state = start(9)
    kernels.playout(state, limit, np.uint64(1))
    moves = 81 - state[kernels.INFO, kernels.EMPTIES]
    assert moves <= limit
    assert moves == limit or limit == 30
    assert state[kernels.INFO, kernels.SIDE] == 1 + limit % 2
