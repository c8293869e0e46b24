"""The training kernels, held against the textbook's rules one by one, with the same draws.

A stream of random numbers is a counter, so whoever knows where it starts knows every draw. The
tests draw the same numbers again in Python's integers, look up which masks of forgets they
stand for, hand these to the textbook's rules, and want the same automata, bit for bit.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.kernels.simd import LANES
from clauseboard.tsetlin import feedback, kernels, random_masks
from clauseboard.tsetlin.packing import View
from naive import tsetlin as naive
from naive.streams import (
    FEW,
    MANY_PATCHES,
    MOST_PATCHES,
    N_FEATURES,
    SEED,
    STATE_BITS,
    WINDOWED,
    Block,
    Draws,
    all_state_bits,
    automata_of,
    bits_of,
    either_size,
    layouts_of,
    lone_clause,
    random_boards,
    random_pool,
    random_states,
    rules_of,
    sparse_states,
    states_of,
    view_of,
    with_and_without_boost,
)

pytestmark = pytest.mark.usefixtures("words_may_wrap_round")


# ------------------------------------------------------------------ blocks and clauses


@pytest.mark.parametrize("view", [view_of(5), view_of(130)], ids=str)
@pytest.mark.parametrize(("first", "size"), [(0, 64), (3, 20), (69, 1)])
def test_a_block_is_its_boards_and_their_columns(view, first, size):
    rng = np.random.default_rng(first)
    rows = view.pack_literals(random_boards(rng, view, 30))
    order = rng.integers(30, size=70)
    block_rows = np.full((64, 1, view.n_words), 77, np.uint64)
    columns = np.full((1, 64 * view.n_words, 1), 77, np.uint64)
    kernels.load_block(rows, order, first, size, feedback.BY_COLUMNS, block_rows, columns)
    expected = rows[order[first : first + size]]
    assert np.array_equal(block_rows[:size], expected)
    turned = bits_of(columns)[0]
    assert np.array_equal(turned[:, :size], bits_of(expected)[:, 0].T)
    assert not turned[:, size:].any()
    words = np.full((view.n_words, 1, 64), 77, np.uint64)
    kernels.load_block(rows, order, first, size, feedback.BY_WORDS, block_rows, words)
    assert np.array_equal(words[:, 0, :size], expected[:, 0].T)


WINDOWS = [WINDOWED, MANY_PATCHES, MOST_PATCHES, View.of(8, (2, 2, 2), (1, 2))]


@pytest.mark.parametrize("view", WINDOWS, ids=str)
@pytest.mark.parametrize("size", [1, 20, 64])
def test_the_places_of_boards_with_patches_tell_where_these_are(view, size):
    boards = random_boards(np.random.default_rng(size), view, size)
    block = Block.of(view, boards)
    rows, groups, words, patches = block.places.astype(object)
    for board, seen in enumerate(block.seen):
        if view.n_patches > 64:
            n_groups = len(block.packed) // size
            found = block.packed[board * n_groups :][:n_groups].transpose(1, 0, 2)
            bits = bits_of(found.reshape(1, len(seen[0]), -1))[0]
            assert groups[board] == board * n_groups
        else:
            assert rows[board] == board
            word = block.columns[feedback.BY_COLUMNS][groups[board], :, words[board]]
            shift = (patches[board] & -patches[board]).bit_length() - 1
            bits = bits_of(word[: len(seen[0]), np.newaxis])[:, shift:]
            assert patches[board] == (2**view.n_patches - 1) << shift
            others = [i for i in range(size) if i != board]
            here = (groups[board], words[board])
            together = [i for i in others if (groups[i], words[i]) == here]
            assert not any(patches[i] & patches[board] for i in together)
        assert np.array_equal(bits[:, : view.n_patches], seen.T)


@pytest.mark.parametrize("size", [1, 20, 64])
def test_tables_have_the_patches_where_any_four_literals_are_true(size):
    view = WINDOWED
    block = Block.of(view, random_boards(np.random.default_rng(size), view, size))
    tables = block.columns[feedback.BY_TABLES]
    for board, seen in enumerate(block.seen):
        _, group, word, patches = block.places[:, board].astype(int).tolist()
        for literal in range(0, 2 * view.n_features, 4):
            four = seen[:, literal : literal + 4]
            for which in range(2 ** four.shape[1]):
                asked = [k for k in range(4) if which >> k & 1]
                true = four[:, asked].all(axis=1)
                found = int(tables[0, group, 4 * (4 * literal + which) + word]) & patches
                expected = sum(1 << k for k, is_true in enumerate(true) if is_true)
                assert found == expected * (patches & -patches)


@pytest.mark.parametrize("view", WINDOWS, ids=str)
def test_the_literals_of_a_patch_are_gathered(view):
    block = Block.of(view, random_boards(np.random.default_rng(0), view, 9))
    for board, seen in enumerate(block.seen):
        for patch in range(0, view.n_patches, 1 + view.n_patches // 9):
            feedback.gather_row(block.laid_out(feedback.BY_COLUMNS), view.n_patches, board, patch)
            bits = bits_of(block.rows)[0, 0]
            assert np.array_equal(bits[: 2 * view.n_features], seen[patch])
            assert not bits[2 * view.n_features :].any()


@pytest.mark.parametrize("view", [view_of(5), view_of(130), *WINDOWS], ids=str)
@pytest.mark.parametrize("size", [1, 20, 64])
def test_evaluate_is_the_textbooks_clause_output(view, size):
    rng = np.random.default_rng(size)
    block = Block.of(view, random_boards(rng, view, size))
    states = sparse_states(rng, (12, 2 * view.n_features), 8)
    states[0] = 0
    automata = automata_of(states, 8)
    for clause, clause_states in enumerate(states):
        expected = sum(
            1 << i
            for i, seen in enumerate(block.seen)
            if any(naive.clause_output(clause_states, patch, False, 8) for patch in seen)
        )
        # Asked about some of the boards, it tells of these and no others.
        some = int(rng.integers(2**64, dtype=np.uint64)) & int(block.boards)
        for layout in layouts_of(view):
            assert block.evaluate(automata, clause, layout, int(block.boards)) == expected
            assert block.evaluate(automata, clause, layout, some) == expected & some
        if view.n_patches == 1:
            assert feedback.fires_on(automata, clause, block.rows, 0) == expected % 2


@pytest.mark.parametrize("view", [view_of(5), *WINDOWS], ids=str)
@pytest.mark.parametrize("size", [1, 7, 64])
def test_an_empty_clause_fires_on_every_board_while_training(view, size):
    block = Block.of(view, random_boards(np.random.default_rng(0), view, size))
    automata = automata_of(np.full((1, 2 * view.n_features), 127), 8)
    for layout in layouts_of(view):
        assert block.evaluate(automata, 0, layout, int(block.boards)) == 2**size - 1


@pytest.mark.parametrize("view", [view_of(5), *WINDOWS], ids=str)
def test_no_boards_no_fires(view):
    block = Block.of(view, np.zeros((2, view.n_bits), np.uint8))
    automata = automata_of(np.zeros((1, 2 * view.n_features), np.int64), 8)
    for layout in layouts_of(view):
        assert block.evaluate(automata, 0, layout, 0) == 0


@pytest.mark.parametrize("weight", [1, -3, 2**31 - 1])
@pytest.mark.parametrize("size", [64, 62, 3])
def test_votes_are_cast_where_a_clause_fired(weight, size):
    votes = np.zeros((3, 2, 64), np.int64)
    votes[:, 0] = np.arange(64)
    last = size - 1
    kernels.cast_votes(votes, 1, size, np.uint64(1 | 1 << 1 | 1 << last), weight)
    kernels.cast_votes(votes, 1, size, np.uint64(1 << 1), weight)
    expected = np.arange(64)
    expected[[0, 1, last]] += weight
    expected[1] += weight
    assert votes[1, 0].tolist() == expected.tolist()
    assert votes[[0, 2]].tolist() == [[np.arange(64).tolist(), [0] * 64]] * 2
    # Clauses that fire on a board, and boards on which these fire in all.
    crowds = votes[1, 1]
    assert (crowds // kernels.CROWD)[[0, 1, last]].tolist() == [1, 2, 1]
    assert (crowds % kernels.CROWD)[[0, 1, last]].tolist() == [3, 4, 3]
    assert np.count_nonzero(crowds) == 3


@either_size
def test_literals_are_counted(n_features):
    rng = np.random.default_rng(1)
    states = random_states(rng, (5, 2 * n_features), 8)
    automata = automata_of(states, 8)
    for clause, clause_states in enumerate(states):
        expected = int(naive.included(clause_states, 8).sum())
        assert feedback.count_literals(automata, clause) == expected


@pytest.mark.parametrize("size", [0, 1, 5, 63, 64])
def test_lowest_ones(size):
    assert kernels.lowest_ones(size) == 2**size - 1


# ------------------------------------------------------------------ one feedback


@given(SEED)
@FEW
def test_a_draw_is_a_place_in_the_pool_and_a_turn(seed):
    ours = Draws(seed % 2**32)
    draws, place, turn = random_masks.draw_place(np.uint64(seed % 2**32))
    draw = ours.next()
    assert (int(draws), int(place), int(turn)) == (draw, (draw >> 19) % 256, draw >> 27)
    assert int(random_masks.next_draw(draws)) == ours.next()


@either_size
@all_state_bits
@pytest.mark.parametrize("times", [1, 3, 15])
def test_forgetting_at_one_go_is_forgetting_time_after_time(n_features, state_bits, times):
    rng = np.random.default_rng(times)
    pool = random_pool(times)
    states = random_states(rng, (3, 2 * n_features), state_bits)
    automata = automata_of(states, state_bits)
    for clause in range(3):
        seed = int(rng.integers(2**32))
        ours = Draws(seed)
        counts = ours.forgets(pool, times, 2 * n_features)
        assert counts.max() <= times
        expected = states.copy()
        for time in range(times):
            expected[clause] = naive.type_one_silent(expected[clause], counts > time)
        draws = feedback.forget(automata, clause, times, pool, np.uint64(seed))
        assert np.array_equal(states_of(automata, 2 * n_features), expected)
        assert int(draws) == ours.state
        states = expected


@either_size
@all_state_bits
@pytest.mark.parametrize("times", [1, 4, 15])
def test_forgetting_stops_where_a_literal_is_dropped(n_features, state_bits, times):
    rng = np.random.default_rng(times)
    pool = random_pool(times, chance=0.1)
    ends = set()
    for _ in range(25 if JIT_DISABLED else 60):
        lone = lone_clause(rng, view_of(n_features), state_bits=state_bits, pool=pool)
        lone.states = sparse_states(rng, (1, 2 * n_features), state_bits)[0]
        automata = automata_of(lone.states[np.newaxis], state_bits)
        draws, done, dropped = feedback.forget_until_drop(
            automata, 0, times, pool, np.uint64(lone.draws.state)
        )
        assert lone.forget_until_drop(times) == (done, dropped)
        assert np.array_equal(states_of(automata, 2 * n_features)[0], lone.states)
        assert int(draws) == lone.draws.state
        ends.add((done < times, bool(dropped)))
    assert (False, False) in ends
    assert {dropped for _, dropped in ends} == {False, True}


@either_size
@pytest.mark.parametrize("clause_states", ["bottom", "just included", "top"])
def test_forgetting_everything_fifteen_times(n_features, clause_states):
    start = {"bottom": 3, "just included": 130, "top": 255}[clause_states]
    automata = automata_of(np.full((1, 2 * n_features), start), 8)
    pool = np.full((15, 4, random_masks.POOL_WORDS + LANES), ~np.uint64(0))
    _, _, dropped = feedback.forget_until_drop(automata.copy(), 0, 15, pool, np.uint64(5))
    assert dropped == (clause_states == "just included")
    feedback.forget(automata, 0, 15, pool, np.uint64(5))
    assert (states_of(automata, 2 * n_features) == max(start - 15, 0)).all()


@either_size
@all_state_bits
@with_and_without_boost
@pytest.mark.parametrize("kind", ["I", "II"])
def test_the_response_of_a_clause_that_fired(n_features, state_bits, boost, kind):
    rng = np.random.default_rng(state_bits)
    view, pool = view_of(n_features), random_pool(2)
    block = Block.of(view, random_boards(rng, view, 4))
    states = random_states(rng, (2, 2 * n_features), state_bits)
    automata = automata_of(states, state_bits)
    for board, seen in enumerate(block.seen):
        seed = int(rng.integers(2**32))
        ours = Draws(seed)
        mask = ours.forgets(pool, 1, 2 * n_features)
        if kind == "I":
            states[1] = naive.type_one(states[1], seen[0], 1, mask, boost, state_bits)
        else:
            states[1] = naive.type_two(states[1], seen[0], state_bits)
        draws = feedback.respond(
            automata,
            1,
            block.rows,
            board,
            np.uint64(kind == "I"),
            rules_of(view, pool, boost=boost),
            np.uint64(seed),
        )
        assert np.array_equal(states_of(automata, 2 * n_features), states)
        assert int(draws) == ours.state


FORGET = st.tuples(st.just("forget"), st.integers(1, 15))
TYPE_ONE = st.tuples(st.just("I"), st.integers(0, 3), st.booleans())
TYPE_TWO = st.tuples(st.just("II"), st.integers(0, 3))


@FEW
@given(
    SEED,
    st.sampled_from(N_FEATURES),
    st.sampled_from(STATE_BITS),
    st.lists(st.one_of(FORGET, TYPE_ONE, TYPE_TWO), min_size=1, max_size=12),
)
def test_any_feedback_in_any_order_is_the_textbooks(seed, n_features, state_bits, steps):
    rng = np.random.default_rng(seed)
    view, pool = view_of(n_features), random_pool(3, 0.5)
    block = Block.of(view, random_boards(rng, view, 4))
    states = random_states(rng, (1, 2 * n_features), state_bits)
    automata = automata_of(states, state_bits)
    ours, draws, (states,) = Draws(seed), np.uint64(seed), states
    for kind, number, *boost in steps:
        times = number if kind == "forget" else 1
        counts = ours.forgets(pool, times, 2 * n_features)
        if kind == "forget":
            for time in range(times):
                states = naive.type_one_silent(states, counts > time)
            draws = feedback.forget(automata, 0, times, pool, draws)
        else:
            seen = block.seen[number][0]
            if kind == "I":
                states = naive.type_one(states, seen, 1, counts, boost[0], state_bits)
            else:
                states = naive.type_two(states, seen, state_bits)
            draws = feedback.respond(
                automata,
                0,
                block.rows,
                number,
                np.uint64(kind == "I"),
                rules_of(view, pool, boost=kind == "I" and boost[0]),
                draws,
            )
        draws = np.uint64(draws)
        assert np.array_equal(states_of(automata, 2 * n_features)[0], states)
    assert int(draws) == ours.state


# ------------------------------------------------------------------ which patch


GRIDS = [(7, 1, 1), (13, 7, 1), (20, 15, 1)]
"""Seven patches of one cell, 91 in two words, and 300 in two groups of words."""


def patch_block(grid: tuple[int, int, int], firing: list[int]) -> tuple[np.ndarray, Block]:
    """A clause that needs the cell to be set, and two boards; on the second some cells are."""
    view = View.of(grid[0] * grid[1], grid, (1, 1))
    boards = np.zeros((2, view.n_bits), np.uint8)
    boards[1, firing] = 1
    states = np.zeros((1, 2 * view.n_features), np.int64)
    states[0, view.n_features - 1] = 255
    return automata_of(states, 8), Block.of(view, boards)


def patch_of(automata: np.ndarray, block: Block, draws: int, board: int = 1) -> tuple[int, int]:
    """The draws and the patch, which are the same in every layout."""
    found = set()
    for layout in block.columns:
        draws_left, patch = feedback.firing_patch(
            automata,
            0,
            block.laid_out(layout),
            feedback.Kind(block.n_patches, layout, 1),
            board,
            np.uint64(draws),
        )
        found.add((int(draws_left), int(patch)))
    (only,) = found
    return only


@pytest.mark.parametrize("grid", GRIDS)
def test_no_patch_fires(grid):
    assert patch_of(*patch_block(grid, []), 9) == (9, -1)
    assert patch_of(*patch_block(grid, [1, 2]), 9, board=0) == (9, -1)


@pytest.mark.parametrize(
    ("grid", "patch"), [(grid, k) for grid in GRIDS for k in (0, 3, grid[0] * grid[1] - 1)]
)
def test_the_only_patch_that_fires_is_taken_without_a_draw(grid, patch):
    assert patch_of(*patch_block(grid, [patch]), 9) == (9, patch)


@pytest.mark.parametrize("grid", GRIDS)
def test_an_empty_clause_fires_on_all_patches(grid):
    _, block = patch_block(grid, [])
    automata = automata_of(np.zeros((1, 2 * (grid[0] + grid[1] - 1)), np.int64), 8)
    ours, n_patches = Draws(4), grid[0] * grid[1]
    taken = ours.pick(n_patches)
    assert patch_of(automata, block, 4) == (ours.state, taken)


@pytest.mark.parametrize(
    ("grid", "firing"),
    [
        (GRIDS[0], [1, 4]),
        (GRIDS[0], [0, 2, 3, 6]),
        (GRIDS[0], [0, 1, 2, 3, 4, 5, 6]),
        (GRIDS[1], [3, 63, 64, 90]),
        (GRIDS[2], [0, 64, 200, 255, 256, 299]),
    ],
)
def test_the_firing_patches_are_taken_equally_often(grid, firing):
    automata, block = patch_block(grid, firing)
    n, draws, taken = 400 if JIT_DISABLED else 20_000, 17, []
    ours = Draws(17)
    for _ in range(n):
        draws, patch = patch_of(automata, block, draws)
        taken.append(patch)
    assert taken[:50] == [firing[ours.pick(len(firing))] for _ in range(50)]
    share = 1 / len(firing)
    counts = np.bincount(taken, minlength=grid[0] * grid[1])
    assert not np.delete(counts, firing).any()
    assert (abs(counts[firing] - n * share) < 5 * (n * share * (1 - share)) ** 0.5).all()
