"""The textbook machine itself, worked out by hand rule by rule, then on problems it must learn.

In the hand-worked tests automata have 3 bits: states 0 to 7, included from 4 on, starting at 3.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import tsetlin
from naive.problems import (
    multiclass_xor,
    noisy_xor,
    planted_boards,
    shows_pattern,
    stepped_values,
)
from naive.tsetlin import (
    ForcedDraws,
    GeneratorDraws,
    NaiveTsetlinMachine,
    NaiveTsetlinRegressor,
)

BITS = 3
YES, NO = 0.0, 1.0


def classifier(draws, **changes):
    """A machine of 2 clauses a class that sees one bit, unless told otherwise."""
    plain = {
        "n_clauses": 2,
        "threshold": 2,
        "specificity": 2.0,
        "n_classes": 2,
        "n_features": 1,
        "state_bits": BITS,
    }
    return NaiveTsetlinMachine(draws=draws, **(plain | changes))


def regressor(draws, **changes):
    """A regressor of 2 clauses that sees one bit; 0 to 8 is 0 to 4 votes."""
    plain = {
        "n_clauses": 2,
        "threshold": 4,
        "specificity": 2.0,
        "n_features": 1,
        "state_bits": BITS,
        "y_min": 0.0,
        "y_max": 8.0,
    }
    return NaiveTsetlinRegressor(draws=draws, **(plain | changes))


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
@settings(max_examples=60, deadline=None)
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


# ------------------------------------------------------------------ convolution


def test_patches_of_a_board_with_two_planes_by_hand():
    board = np.array([[[1, 0], [0, 1]], [[1, 1], [0, 0]]])  # 2 rows, 2 columns, 2 planes
    seen = tsetlin.patches(board.reshape(-1), (2, 2, 2), (1, 2))
    # "row > 0", no bit for the only column, then the row's two cells
    assert seen.astype(int).tolist() == [[0, 1, 0, 0, 1], [1, 1, 1, 0, 0]]


def test_patches_go_row_by_row_and_say_where_they_are():
    seen = tsetlin.patches(np.arange(6) == 5, (2, 3, 1), (1, 1)).astype(int)
    # row > 0, column > 0, column > 1, the cell
    assert seen.tolist() == [
        [0, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 1, 1, 0],
        [1, 0, 0, 0],
        [1, 1, 0, 0],
        [1, 1, 1, 1],
    ]


def diagonal_machine(draws, label):
    """2 × 2 boards seen cell by cell; clause 0 of class 0 is "this cell is set"."""
    machine = classifier(draws, n_features=4, board_shape=(2, 2, 1), window=(1, 1))
    machine.states[0, 0] = [3, 3, 4, 3, 3, 3]  # row > 0, column > 0, cell, and the negations
    machine.update(np.array([1, 0, 0, 1]), label)
    return machine.states[0, 0].tolist()


@pytest.mark.parametrize(
    ("pick", "states"), [(0, [2, 2, 5, 4, 4, 2]), (1, [4, 4, 5, 2, 2, 2])], ids=["first", "last"]
)
def test_type_one_looks_at_one_of_the_patches_where_the_clause_fires(pick, states):
    # The mask is 1 for the literals that are false on the picked patch, 0 for the others.
    mask = [1, 1, 0, 0, 0, 1] if pick == 0 else [0, 0, 0, 1, 1, 1]
    draws = ForcedDraws(feedback=[YES, NO, NO, NO], literals=[mask], picks=[pick])
    assert diagonal_machine(draws, label=0) == states
    assert draws.picks_asked == [2]


@pytest.mark.parametrize(
    ("pick", "states"), [(0, [4, 4, 4, 3, 3, 4]), (1, [3, 3, 4, 4, 4, 4])], ids=["first", "last"]
)
def test_type_two_looks_at_one_of_the_patches_where_the_clause_fires(pick, states):
    draws = ForcedDraws(feedback=[NO, NO, YES, NO], picks=[pick])
    assert diagonal_machine(draws, label=1) == states
    assert draws.picks_asked == [2]


def test_an_empty_clause_learns_from_any_patch():
    draws = ForcedDraws(feedback=[NO, YES, NO, NO], picks=[3])
    machine = classifier(draws, n_features=4, board_shape=(2, 2, 1), window=(1, 1))
    machine.update(np.array([1, 0, 0, 0]), 0)
    assert draws.picks_asked == [4]
    assert machine.states[0, 1].tolist() == [3, 3, 4, 4, 4, 3]


def test_no_patch_is_drawn_for_a_clause_that_only_forgets():
    for states, budget in (([4, 4, 4, 4, 3, 3], None), ([3, 3, 4, 3, 3, 3], 0)):
        draws = ForcedDraws(feedback=[YES, NO, NO, NO], literals=[[1] * 6])
        machine = classifier(
            draws, n_features=4, board_shape=(2, 2, 1), window=(1, 1), max_literals=budget
        )
        machine.states[0, 0] = states
        machine.update(np.array([1, 0, 0, 1]), 0)
        assert machine.states[0, 0].tolist() == [s - 1 for s in states]
        assert draws.picks_asked == []


def test_a_window_of_the_whole_board_is_no_convolution():
    X, y = noisy_xor(np.random.default_rng(1), 40, n_features=6)
    shape = {"n_clauses": 6, "n_features": 6, "threshold": 4}
    flat = classifier(GeneratorDraws(np.random.default_rng(2)), **shape)
    whole = classifier(
        GeneratorDraws(np.random.default_rng(2)), **shape, board_shape=(1, 3, 2), window=(1, 3)
    )
    flat.fit(X, y, epochs=2)
    whole.fit(X, y, epochs=2)
    assert np.array_equal(flat.states, whole.states)
    assert np.array_equal(flat.votes(X), whole.votes(X))


# ------------------------------------------------------------------ regression


def test_values_and_votes_by_hand():
    assert tsetlin.regression_target(25.0, 10.0, 40.0, 60) == 30.0
    assert tsetlin.regression_error(50, 60, target=30.0) == -20.0
    assert tsetlin.regression_error(99, 60, target=30.0) == -30.0
    assert tsetlin.regression_feedback_probability(-30.0, 60) == 0.5
    assert tsetlin.regression_prediction(30, 10.0, 40.0, 60) == 25.0
    assert tsetlin.regression_prediction(99, 10.0, 40.0, 60) == 40.0


def test_too_few_votes_give_type_one_to_every_clause():
    # y 6 is 3 votes; both clauses are empty and fire: 2 votes, error 1, probability 1/4
    draws = ForcedDraws(feedback=[0.2, 0.25], literals=[[0, 1]])
    machine = regressor(draws, weighted=True)
    machine.update(np.array([1]), 6.0)
    assert draws.feedback_asked == [0.25, 0.25]
    assert machine.states[0].tolist() == [[4, 2], [3, 3]]
    assert machine.weights.tolist() == [[2, 1]]


def test_too_many_votes_give_type_two_to_every_clause():
    draws = ForcedDraws(feedback=[YES, YES])
    machine = regressor(draws, weighted=True)
    machine.states[0, 0] = [4, 2]  # "a" with 3 votes, and an empty clause: 4 votes for 1
    machine.weights[0, 0] = 3
    machine.update(np.array([1]), 2.0)
    assert draws.feedback_asked == [0.75, 0.75]
    assert machine.states[0].tolist() == [[4, 3], [3, 4]]
    assert machine.weights.tolist() == [[2, 1]]


def test_a_regressor_that_is_right_learns_nothing():
    draws = ForcedDraws(feedback=[YES, YES])
    machine = regressor(draws)
    machine.update(np.array([1]), 4.0)
    assert draws.feedback_asked == [0.0, 0.0]
    assert machine.states[0].tolist() == [[3, 3], [3, 3]]


def test_a_regressor_predicts_within_its_range():
    machine = regressor(ForcedDraws())
    machine.states[0] = [[4, 3], [3, 3]]
    machine.weights[0] = [3, 9]  # the empty clause says nothing
    assert machine.votes(np.array([[1], [0]])).tolist() == [3, 0]
    assert machine.predict(np.array([[1], [0]])).tolist() == [6.0, 0.0]
    machine.weights[0, 0] = 7
    assert machine.predict(np.array([[1]])).tolist() == [8.0]


# ------------------------------------------------------------------ draws and wrong use


def test_forced_draws_say_when_they_do_not_fit():
    with pytest.raises(ValueError, match="no forced draws are left in 'feedback'"):
        ForcedDraws().feedback(0.5)
    with pytest.raises(ValueError, match="2 literals; 3 were asked for"):
        ForcedDraws(literals=[[0, 1]]).bernoulli_literals(3, 0.5)
    with pytest.raises(ValueError, match="pick is 2; 0 to 1"):
        ForcedDraws(picks=[2]).pick(2)
    assert ForcedDraws().pick(1) == 0


@pytest.mark.parametrize("probability", [0.0, 0.1, 1.0])
def test_generator_draws_have_the_probability_asked_for(probability):
    draws = GeneratorDraws(np.random.default_rng(3))
    mask = draws.bernoulli_literals(20_000, probability)
    assert abs(mask.mean() - probability) < 0.01
    fed = [draws.feedback(probability) for _ in range(20_000)]
    assert abs(np.mean(fed) - probability) < 0.01
    assert {draws.pick(3) for _ in range(100)} == {0, 1, 2}


def test_one_seed_gives_one_machine():
    X, y = noisy_xor(np.random.default_rng(4), 30)
    trained = [
        classifier(GeneratorDraws(np.random.default_rng(seed)), n_features=12).fit(X, y, epochs=2)
        for seed in (5, 5, 6)
    ]
    assert np.array_equal(trained[0].states, trained[1].states)
    assert not np.array_equal(trained[0].states, trained[2].states)


def test_what_makes_no_machine_is_refused():
    with pytest.raises(ValueError, match="n_classes is 1"):
        classifier(ForcedDraws(), n_classes=1)
    with pytest.raises(ValueError, match="convolution needs both"):
        classifier(ForcedDraws(), window=(1, 1))


# ------------------------------------------------------------------ problems


def test_the_problems_are_what_they_say():
    rng = np.random.default_rng(7)
    X, y = noisy_xor(rng, 2000, noise=0.1)
    assert X.shape == (2000, 12)
    assert 0.07 < np.mean(y != X[:, 0] ^ X[:, 1]) < 0.13
    X, y = multiclass_xor(rng, 2000, noise=0.1)
    assert set(y.tolist()) == {0, 1, 2}
    assert 0.07 < np.mean(y != (X[:, 0] ^ X[:, 1]) + (X[:, 2] ^ X[:, 3])) < 0.13
    X, y = planted_boards(rng, 200, rows=3, columns=5)
    assert [shows_pattern(x.reshape(3, 5)) for x in X] == y.astype(bool).tolist()
    X, y = stepped_values(rng, 200, noise=1.0)
    assert y.min() >= 10.0
    assert y.max() <= 40.0


@pytest.mark.parametrize(
    "changes",
    [{}, {"weighted": True, "boost_true_positive": True}, {"max_literals": 2}],
    ids=["plain", "weighted and boosted", "two literals"],
)
def test_learns_noisy_xor(changes):
    rng = np.random.default_rng(1)
    machine = classifier(
        GeneratorDraws(rng),
        n_clauses=20,
        threshold=15,
        specificity=3.9,
        n_features=12,
        state_bits=8,
        **changes,
    )
    machine.fit(*noisy_xor(rng, 1000, noise=0.1), epochs=8)
    X, y = noisy_xor(rng, 500)
    assert np.mean(machine.predict(X) == y) >= 0.95


def test_a_literal_budget_makes_shorter_clauses():
    mean_length = {}
    for budget in (None, 2):
        rng = np.random.default_rng(1)
        machine = classifier(
            GeneratorDraws(rng),
            n_clauses=20,
            threshold=15,
            specificity=10.0,  # clauses grow to four literals where nothing holds them back
            n_features=12,
            state_bits=8,
            max_literals=budget,
        )
        machine.fit(*noisy_xor(rng, 500, noise=0.1), epochs=4)
        mean_length[budget] = tsetlin.included(machine.states, 8).sum(axis=2).mean()
    assert mean_length[2] < mean_length[None] - 0.25


def test_learns_three_classes():
    rng = np.random.default_rng(2)
    machine = classifier(
        GeneratorDraws(rng),
        n_clauses=40,
        threshold=35,
        specificity=8.0,
        n_classes=3,
        n_features=8,
        state_bits=8,
        weighted=True,
        boost_true_positive=True,
    )
    machine.fit(*multiclass_xor(rng, 600), epochs=12)
    X, y = multiclass_xor(rng, 300)
    assert np.mean(machine.predict(X) == y) >= 0.9


def test_finds_a_planted_pattern_wherever_it_is():
    rng = np.random.default_rng(1)
    machine = classifier(
        GeneratorDraws(rng),
        n_clauses=20,
        threshold=20,
        specificity=8.0,
        n_features=16,
        state_bits=8,
        weighted=True,
        boost_true_positive=True,
        board_shape=(4, 4, 1),
        window=(2, 2),
    )
    machine.fit(*planted_boards(rng, 300), epochs=12)
    X, y = planted_boards(rng, 200)
    assert np.mean(machine.predict(X) == y) >= 0.9


@pytest.mark.parametrize(("weighted", "n_clauses"), [(False, 60), (True, 30)])
def test_learns_a_value(weighted, n_clauses):
    rng = np.random.default_rng(0)
    machine = regressor(
        GeneratorDraws(rng),
        n_clauses=n_clauses,
        threshold=60,
        specificity=2.0,
        n_features=6,
        state_bits=8,
        weighted=weighted,
        y_min=10.0,
        y_max=40.0,
    )
    machine.fit(*stepped_values(rng, 400), epochs=15)
    X, y = stepped_values(rng, 200)
    # The mean value is off by 10 on average, and the steps are 10 apart.
    assert np.mean(np.abs(machine.predict(X) - y)) < 2.0
