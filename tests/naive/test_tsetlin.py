"""The textbook machine itself, worked out by hand rule by rule; see `by_hand` for its states."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import tsetlin
from naive.by_hand import BITS, NO, YES, classifier
from naive.tsetlin import ForcedDraws

# ------------------------------------------------------------------ automata and clauses


@pytest.mark.parametrize(("state_bits", "first", "last"), [(1, 0, 1), (3, 3, 7), (8, 127, 255)])
def test_an_automaton_starts_just_excluded_and_stops_at_its_ends(state_bits, first, last):
    state = np.array([tsetlin.initial_state(state_bits)])
    everywhere = np.array([True])
    assert state[0] == first
    assert not tsetlin.included(state, state_bits)[0]
    assert tsetlin.included(tsetlin.raised(state, everywhere, state_bits), state_bits)[0]
    assert tsetlin.raised(np.array([last]), everywhere, state_bits)[0] == last
    assert tsetlin.lowered(np.array([0]), everywhere)[0] == 0


def test_literals_are_the_bits_and_then_their_negations():
    assert tsetlin.literals_of(np.array([1, 0, 0])).tolist() == [1, 0, 0, 0, 1, 1]


@pytest.mark.parametrize(
    ("states", "features", "output"),
    [
        ([4, 3, 3, 3], [1, 0], 1),  # "a"
        ([4, 3, 3, 3], [0, 0], 0),
        ([7, 0, 0, 4], [1, 0], 1),  # "a and not b"
        ([7, 0, 0, 4], [1, 1], 0),
        ([4, 0, 4, 0], [1, 0], 0),  # "a and not a" is never true
    ],
)
@pytest.mark.parametrize("predicting", [True, False])
def test_a_clause_is_the_and_of_its_included_literals(states, features, output, predicting):
    literals = tsetlin.literals_of(np.array(features))
    assert tsetlin.clause_output(np.array(states), literals, predicting, BITS) == output


def test_an_empty_clause_fires_while_training_only():
    states, literals = np.array([3, 3]), np.array([True, False])
    assert tsetlin.clause_output(states, literals, False, BITS) == 1
    assert tsetlin.clause_output(states, literals, True, BITS) == 0


# ------------------------------------------------------------------ Type I and Type II

STATES = np.array([3, 3, 7, 3, 3, 0])
LITERALS = np.array([1, 1, 1, 0, 0, 0], dtype=bool)
MASK = np.array([0, 1, 0, 0, 1, 1], dtype=bool)


def test_type_one_to_a_clause_that_fired():
    moved = tsetlin.type_one(STATES, LITERALS, 1, MASK, boost=False, state_bits=BITS)
    # true: raised where the draw is 0, up to 7; false: lowered where it is 1, down to 0
    assert moved.tolist() == [4, 3, 7, 3, 2, 0]


def test_boost_raises_every_true_literal():
    moved = tsetlin.type_one(STATES, LITERALS, 1, MASK, boost=True, state_bits=BITS)
    assert moved.tolist() == [4, 4, 7, 3, 2, 0]


@pytest.mark.parametrize("boost", [True, False])
def test_type_one_to_a_silent_clause_forgets_where_drawn(boost):
    moved = tsetlin.type_one(STATES, LITERALS, 0, MASK, boost, BITS)
    assert moved.tolist() == [3, 2, 7, 3, 2, 0]
    assert moved.tolist() == tsetlin.type_one_silent(STATES, MASK).tolist()


def test_type_two_raises_false_literals_that_are_excluded():
    states = np.array([3, 5, 3, 0, 4, 7])
    literals = np.array([1, 1, 0, 0, 0, 0], dtype=bool)
    assert tsetlin.type_two(states, literals, BITS).tolist() == [3, 5, 4, 1, 4, 7]


def test_narrow_states_do_not_wrap_round():
    ends = np.array([0, 255], dtype=np.uint8)
    both = np.array([True, True])
    assert tsetlin.type_one_silent(ends, both).tolist() == [0, 254]
    assert tsetlin.type_one(ends, both, 1, both, True, 8).tolist() == [1, 255]
    assert tsetlin.type_two(ends, ~both, 8).tolist() == [1, 255]


def test_rules_leave_the_arrays_they_are_given_alone():
    before = STATES.copy()
    tsetlin.type_one(STATES, LITERALS, 1, MASK, True, BITS)
    tsetlin.type_one_silent(STATES, MASK)
    tsetlin.type_two(STATES, LITERALS, BITS)
    assert np.array_equal(STATES, before)


def one_automaton(kind, state, true, drawn, boost, bits):
    """The tables of Granmo 2018, one automaton at a time."""
    step = 0
    if kind == "type one, fired":
        if true and (boost or not drawn):
            step = 1
        if not true and drawn:
            step = -1
    elif kind == "type one, silent":
        step = -1 if drawn else 0
    elif not true and state < 2 ** (bits - 1):
        step = 1
    return min(max(state + step, 0), 2**bits - 1)


@given(data=st.data(), bits=st.integers(1, 9), boost=st.booleans())
@settings(max_examples=60)
def test_whole_rows_follow_the_tables_automaton_by_automaton(data, bits, boost):
    cell = st.tuples(st.integers(0, 2**bits - 1), st.booleans(), st.booleans())
    cells = data.draw(st.lists(cell, min_size=1, max_size=10))
    states, true, drawn = (np.array(column) for column in zip(*cells, strict=True))
    moved = {
        "type one, fired": tsetlin.type_one(states, true, 1, drawn, boost, bits),
        "type one, silent": tsetlin.type_one_silent(states, drawn),
        "type two": tsetlin.type_two(states, true, bits),
    }
    for kind, row in moved.items():
        assert row.tolist() == [one_automaton(kind, *c, boost, bits) for c in cells]


def test_weights_rise_by_one_and_fall_by_one_but_not_below_one():
    assert tsetlin.weight_after_type_one(4, output=1) == 5
    assert tsetlin.weight_after_type_one(4, output=0) == 4
    assert tsetlin.weight_after_type_two(4, output=1) == 3
    assert tsetlin.weight_after_type_two(4, output=0) == 4
    assert tsetlin.weight_after_type_two(1, output=1) == 1


@pytest.mark.parametrize(("budget", "may_grow"), [(None, True), (3, True), (2, True), (1, False)])
def test_a_clause_of_two_literals_may_grow_unless_over_the_budget(budget, may_grow):
    assert tsetlin.within_budget(np.array([4, 7, 3, 0]), budget, BITS) == may_grow


# ------------------------------------------------------------------ who gets feedback


@pytest.mark.parametrize(
    ("votes", "target", "probability"),
    [
        (0, 1, 0.5),
        (0, 0, 0.5),
        (5, 1, 0.25),
        (5, 0, 0.75),
        (-10, 1, 1.0),
        (-10, 0, 0.0),
        (99, 1, 0.0),  # votes beyond T are clipped
        (99, 0, 1.0),
        (-99, 1, 1.0),
        (-99, 0, 0.0),
    ],
)
def test_feedback_is_likelier_the_further_the_votes_are_from_the_target(votes, target, probability):
    assert tsetlin.feedback_probability(votes, 10, target) == probability


def test_type_one_goes_to_the_clauses_that_ought_to_fire():
    assert [tsetlin.gets_type_one(c, target=1) for c in range(4)] == [True, False, True, False]
    assert [tsetlin.gets_type_one(c, target=0) for c in range(4)] == [False, True, False, True]


def test_one_update_by_hand():
    # Every clause is empty and fires: 1 - 1 = 0 votes, so the probability is 1/2 throughout.
    draws = ForcedDraws(feedback=[0.4, 0.5, 0.0, 0.49], literals=[[0, 1], [1, 0]])
    machine = classifier(draws)
    machine.update(np.array([1]), 0)
    assert draws.feedback_asked == [0.5] * 4
    assert draws.literals_asked == [0.5, 0.5]
    assert draws.used_up()
    assert machine.states[0].tolist() == [
        [4, 2],  # for its own class, Type I: true is raised, false lowered
        [3, 3],  # 0.5 is not below 0.5: no feedback
    ]
    assert machine.states[1].tolist() == [
        [3, 4],  # for the other class, Type II: the false literal is raised
        [3, 3],  # against it, Type I: the draws say "not this time" twice
    ]


def test_the_next_update_counts_votes_with_what_was_learned():
    draws = ForcedDraws(feedback=[YES, YES, 0.2, 0.3])
    machine = classifier(draws)
    machine.states[0, 0] = [4, 2]  # "a", which is false here
    machine.states[1, 0] = [3, 4]  # "not a", which is true here
    machine.weights[1, 0] = 3  # so 3 - 1 = 2 votes, which is T
    machine.update(np.array([0]), 1)
    # own class 1 has T votes: nobody learns; class 0 has -1: (2 - 1) / 4
    assert draws.feedback_asked == [0.0, 0.0, 0.25, 0.25]
    assert machine.states[1].tolist() == [[3, 4], [3, 3]]
    # clause 0 of class 0 gets Type II, but did not fire: nothing, and no draw
    assert machine.states[0].tolist() == [[4, 2], [3, 3]]
    assert draws.used_up()


def test_a_silent_clause_forgets():
    draws = ForcedDraws(feedback=[YES, NO, NO, NO], literals=[[1, 0]])
    machine = classifier(draws, weighted=True)
    machine.states[0, 0] = [4, 2]
    machine.update(np.array([0]), 0)
    assert machine.states[0, 0].tolist() == [3, 2]
    assert machine.weights.tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize(("label", "pick", "other"), [(1, 0, 0), (1, 1, 2), (0, 0, 1), (2, 1, 1)])
def test_one_other_class_is_drawn(label, pick, other):
    draws = ForcedDraws(feedback=[NO, NO, YES, NO], picks=[pick])
    machine = classifier(draws, n_classes=3)
    machine.update(np.array([1]), label)
    assert draws.picks_asked == [2]
    changed = [k for k in range(3) if machine.states[k].tolist() != [[3, 3], [3, 3]]]
    assert changed == [other]


@pytest.mark.parametrize(
    ("weighted", "weights"), [(True, [[6, 4], [4, 6]]), (False, [[5] * 2] * 2)]
)
def test_weights_move_only_where_asked(weighted, weights):
    draws = ForcedDraws(feedback=[YES] * 4, literals=[[1, 0]] * 2)
    machine = classifier(draws, weighted=weighted)
    machine.weights[:] = 5
    machine.update(np.array([1]), 0)
    assert machine.weights.tolist() == weights


@pytest.mark.parametrize(
    ("max_literals", "states", "weight"),
    [
        (None, [5, 5, 2, 2], 2),
        (2, [5, 5, 2, 2], 2),  # two literals are within a budget of two
        (1, [4, 4, 2, 2], 1),  # over it: as if silent, and the weight stays
    ],
)
def test_a_clause_over_its_budget_only_forgets(max_literals, states, weight):
    draws = ForcedDraws(feedback=[YES, NO, NO, NO], literals=[[0, 0, 1, 1]])
    machine = classifier(draws, n_features=2, weighted=True, max_literals=max_literals)
    machine.states[0, 0] = [4, 4, 3, 3]
    machine.update(np.array([1, 1]), 0)
    assert machine.states[0, 0].tolist() == states
    assert machine.weights[0, 0] == weight


def test_a_clause_over_its_budget_forgets_true_literals_too():
    draws = ForcedDraws(feedback=[YES, NO, NO, NO], literals=[[1, 0, 1, 0]])
    machine = classifier(draws, n_features=2, max_literals=1, boost_true_positive=True)
    machine.states[0, 0] = [4, 4, 3, 3]
    machine.update(np.array([1, 1]), 0)
    assert machine.states[0, 0].tolist() == [3, 4, 2, 3]


def test_votes_and_prediction_by_hand():
    machine = classifier(ForcedDraws(), n_clauses=4, n_classes=3)
    machine.states[0, 0] = [4, 3]  # class 0: "a" for, 5 votes, above T = 2: not clipped
    machine.weights[0, 0] = 5
    machine.states[1, 1] = [4, 3]  # class 1: "a" against, "not a" for
    machine.states[1, 2] = [3, 4]
    X = np.array([[1], [0]])  # the clauses of class 2 are empty
    assert machine.votes(X).tolist() == [[5, -1, 0], [0, 1, 0]]
    assert machine.predict(X).tolist() == [0, 1]


def test_equal_votes_go_to_the_first_class():
    assert classifier(ForcedDraws(), n_classes=3).predict(np.array([[1]])).tolist() == [0]
