"""The training kernels: a block's feedback to a clause, as the textbook gives it."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.kernels.simd import LANES
from clauseboard.tsetlin import feedback, random_masks
from clauseboard.tsetlin.packing import View
from naive.streams import (
    FEW,
    MANY_PATCHES,
    MOST_PATCHES,
    SEED,
    STATE_BITS,
    WINDOWED,
    Block,
    Draws,
    Lone,
    automata_of,
    layouts_of,
    lone_clause,
    random_boards,
    random_pool,
    rules_of,
    seen_literals,
    sparse_states,
    states_of,
    view_of,
    with_and_without_boost,
    with_and_without_weights,
)

pytestmark = pytest.mark.usefixtures("words_may_wrap_round")


# ------------------------------------------------------------------ the feedback of a block


def check_feedback(lone: Lone, view: View, boards: np.ndarray, kinds: list[int]) -> None:
    """Give the clause the feedback of a block, in every layout."""
    before = copy.deepcopy(lone)
    for layout in layouts_of(view):
        again = copy.deepcopy(before)
        check_feedback_of(again, view, boards, kinds, layout)
    vars(lone).update(vars(again))


def check_feedback_of(
    lone: Lone, view: View, boards: np.ndarray, kinds: list[int], layout: int
) -> None:
    block = Block.of(view, boards)
    automata = automata_of(lone.states[np.newaxis], lone.state_bits)
    weights = np.array([lone.weight], np.int32)
    fired = [bool(lone.firing(seen)) for seen in block.seen]
    draws = feedback.feed_back(
        automata,
        weights,
        0,
        kernels_word(fired),
        kernels_word([kind == 1 for kind in kinds]),
        kernels_word([kind == 2 for kind in kinds]),
        block.laid_out(layout),
        feedback.Kind(block.n_patches, layout, 1),
        rules_of(
            view,
            lone.pool,
            boost=lone.boost,
            weighted=lone.weighted,
            most_literals=-1 if lone.budget is None else lone.budget,
        ),
        np.uint64(lone.draws.state),
    )
    lone.take_block(kinds, fired, block.seen)
    assert np.array_equal(states_of(automata, lone.states.size)[0], lone.states)
    assert weights.tolist() == [lone.weight]
    assert int(draws) == lone.draws.state


def kernels_word(answers: list[bool]) -> np.uint64:
    return np.uint64(sum(1 << i for i, answer in enumerate(answers) if answer))


@with_and_without_boost
@with_and_without_weights
@pytest.mark.parametrize("budget", [None, 1])
@pytest.mark.parametrize("view", [view_of(5), WINDOWED], ids=str)
@pytest.mark.parametrize("kind", [1, 2])
def test_feedback_from_one_board(boost, weighted, budget, view, kind):
    rng = np.random.default_rng(kind)
    lone = lone_clause(rng, view, boost=boost, weighted=weighted, budget=budget)
    changes = set()
    for _ in range(10 if JIT_DISABLED else 40):
        before = lone.weight
        board = random_boards(rng, view, 1)
        fires = bool(lone.firing(seen_literals(view, board[0])))
        check_feedback(lone, view, board, [kind])
        changes.add((fires, lone.weight - before))
        lone.states = sparse_states(rng, (1, 2 * view.n_features), 8)[0]
    # Nothing is learned of weights from a board on which the clause is silent.
    assert {change for fires, change in changes if not fires} <= {0}
    assert {change for fires, change in changes if fires} <= ({0, 1} if kind == 1 else {0, -1})
    assert lone.weight >= 1
    assert weighted or all(change == 0 for _, change in changes)


def test_weights_go_up_by_one_and_down_to_one():
    view = view_of(5)
    board, rng = np.ones((1, 5), np.uint8), np.random.default_rng(0)
    lone = lone_clause(rng, view, states=np.zeros(10, np.int64), weight=1)
    weights = []
    for kind in [1, 1, 2, 2, 2, 2, 1]:
        lone.states = np.zeros(10, np.int64)
        check_feedback(lone, view, board, [kind])
        weights.append(lone.weight)
    assert weights == [2, 3, 2, 1, 1, 1, 2]


@pytest.mark.parametrize("n_literals", [1, 2, 3])
def test_a_clause_over_its_budget_only_forgets(n_literals):
    view, board = view_of(5), np.ones((1, 5), np.uint8)
    states = np.full(10, 100)
    states[:n_literals] = 140
    lone = lone_clause(np.random.default_rng(0), view, states=states, weight=2, budget=2)
    check_feedback(lone, view, board, [1])
    grew = n_literals <= 2
    assert lone.weight == 2 + grew
    assert (lone.states > states).any() == grew


@pytest.mark.parametrize("kinds", [[0] * 64, [2] * 64])
def test_no_feedback_and_type_two_to_a_silent_clause_cost_nothing(kinds):
    view = view_of(5)
    states = np.full(10, 255)
    draws = Draws(12)
    lone = lone_clause(np.random.default_rng(0), view, states=states, draws=draws, weight=3)
    check_feedback(lone, view, random_boards(np.random.default_rng(1), view, 64), kinds)
    assert (lone.states == 255).all()
    assert (lone.weight, draws.state) == (3, 12)


def test_a_clause_silent_on_64_boards_forgets_64_times():
    view = view_of(130)
    states = np.full(260, 255)
    everything = np.zeros((15, 4, random_masks.POOL_WORDS + LANES), np.uint64)
    for times in range(1, 16):
        for plane in range(4):
            everything[times - 1, plane] = np.uint64(2**64 - 1 if times >> plane & 1 else 0)
    lone = lone_clause(np.random.default_rng(0), view, states=states, pool=everything)
    check_feedback(lone, view, random_boards(np.random.default_rng(1), view, 64), [1] * 64)
    assert (lone.states == 255 - 64).all()


@FEW
@given(
    seed=SEED,
    view=st.sampled_from([view_of(5), view_of(130), WINDOWED, MANY_PATCHES, MOST_PATCHES]),
    state_bits=st.sampled_from(STATE_BITS),
    size=st.integers(1, 64),
    boost=st.booleans(),
    weighted=st.booleans(),
    budget=st.sampled_from([None, 1, 3]),
)
def test_feedback_from_a_block(seed, view, state_bits, size, boost, weighted, budget):
    rng = np.random.default_rng(seed)
    lone = lone_clause(
        rng,
        view,
        states=sparse_states(rng, (1, 2 * view.n_features), state_bits)[0],
        state_bits=state_bits,
        boost=boost,
        weighted=weighted,
        budget=budget,
    )
    for _ in range(3):
        check_feedback(
            lone, view, random_boards(rng, view, size), rng.integers(3, size=size).tolist()
        )


@with_and_without_boost
@with_and_without_weights
@pytest.mark.parametrize("budget", [-1, 1])
@pytest.mark.parametrize("both_signs", [False, True])
def test_clauses_that_learn_together_learn_as_each_alone(boost, weighted, budget, both_signs):
    rng = np.random.default_rng(budget + 9)
    view, n_clauses, first = view_of(100), 21, 3
    block = Block.of(view, random_boards(rng, view, 60))
    states = sparse_states(rng, (n_clauses, 2 * view.n_features), 8)
    alone, together = automata_of(states, 8), automata_of(states, 8)
    weights = rng.integers(1, 4, n_clauses, dtype=np.int32)
    weights_alone = weights.copy()
    rules = rules_of(
        view,
        random_pool(11, 0.2),
        boost=boost,
        weighted=weighted,
        most_literals=budget,
        both_signs=both_signs,
    )
    laid_out = block.laid_out(feedback.BY_WORDS)
    kind = feedback.Kind(1, feedback.BY_WORDS, 1)
    chosen = rng.integers(2**60, size=(2, n_clauses - first), dtype=np.uint64)
    chosen[0] %= np.uint64(2**32)
    chosen[1, ::3] &= np.uint64(2**9 - 1)  # some with few samples, one with none
    chosen[1, 6] = 0
    upward = np.uint64(rng.integers(2**60))
    fires = np.array(
        [block.evaluate(alone, c, feedback.BY_WORDS, block.boards) for c in range(n_clauses)],
        np.uint64,
    )
    for clause in range(first, n_clauses):
        rewarded = ~upward if both_signs and clause % 2 == 1 else upward
        feedback.feed_back(
            alone,
            weights_alone,
            clause,
            fires[clause],
            chosen[1, clause - first] & rewarded,
            chosen[1, clause - first] & ~rewarded,
            laid_out,
            kind,
            rules,
            chosen[0, clause - first],
        )
    feedback.feed_back_together(
        together,
        weights,
        first,
        n_clauses,
        fires,
        chosen,
        upward,
        laid_out,
        kind,
        rules,
        first,
        np.full((7, n_clauses), 77, np.uint64),
    )
    assert not np.array_equal(alone, automata_of(states, 8))
    assert np.array_equal(together, alone)
    assert weights.tolist() == weights_alone.tolist()
