"""The regressor as a user meets it; what it shares with the classifier is tested there."""

from __future__ import annotations

import doctest
import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from clauseboard.tsetlin import ThermometerEncoder, TsetlinMachineRegressor
from clauseboard.tsetlin import regressor as module
from naive.problems import planted_boards, stepped_values
from naive.tsetlin import GeneratorDraws, NaiveTsetlinRegressor

X, Y = stepped_values(np.random.default_rng(0), 400, noise=2.0)
X_NEW, Y_NEW = stepped_values(np.random.default_rng(1), 400)


def machine(**changes):
    """A small machine that learns `X, Y` well within a few milliseconds.

    With weights, votes swing far when 64 boards at a time push them; so the threshold is high.
    """
    plain = {"n_clauses": 100, "specificity": 2.0, "epochs": 20, "random_state": 0}
    if changes.get("weighted", True):
        plain["threshold"] = 20 * changes.get("n_clauses", 100)
    return TsetlinMachineRegressor(**(plain | changes))


def same(one, other):
    """Are two machines equal bit for bit?"""
    return (
        np.array_equal(one.banks_.automata, other.banks_.automata)
        and np.array_equal(one.banks_.weights, other.banks_.weights)
        and np.array_equal(one.banks_.streams, other.banks_.streams)
        and one.banks_.shuffler.bit_generator.state == other.banks_.shuffler.bit_generator.state
    )


def test_examples_in_the_docstrings():
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


# ------------------------------------------------------------------ what it learns


@pytest.mark.parametrize("block_size", [1, 8, 64])
def test_learns_steps(block_size):
    assert machine(block_size=block_size).fit(X, Y).score(X_NEW, Y_NEW) >= 0.95


def numbers(seed, n):
    """Boards of two encoded numbers, and the one number plus 1 where the other is high."""
    uniform = np.random.default_rng(seed).uniform(size=(n, 2))
    return ThermometerEncoder().fit_transform(uniform), uniform[:, 0] + (uniform[:, 1] > 0.5)


@pytest.mark.parametrize("settings", [{"block_size": 8}, {"threshold": 20_000}, {}], ids=str)
def test_learns_numbers(settings):
    scores = []
    for seed in range(4):
        boards, values = numbers(seed, 1000)
        plain = {"n_clauses": 1000, "specificity": 2.0, "random_state": seed}
        fitted = TsetlinMachineRegressor(**plain, **settings).fit(boards[:500], values[:500])
        scores.append(fitted.score(boards[500:], values[500:]))
    assert np.mean(scores) >= 0.75


@pytest.mark.parametrize(("weighted", "boosted"), list(product([False, True], repeat=2)))
def test_every_combination_learns(weighted, boosted):
    fitted = machine(weighted=weighted, boost_true_positive=boosted).fit(X, Y)
    assert fitted.score(X_NEW, Y_NEW) >= (0.9 if weighted else 0.5)
    assert (fitted.banks_.weights.max() > 1) == weighted


@pytest.mark.parametrize("boosted", [False, True])
def test_learns_through_a_window(boosted):
    rng = np.random.default_rng(2)
    boards, shown = planted_boards(rng, 1500)
    settings = {"board_shape": (4, 4, 1), "window": (2, 2), "specificity": 5.0}
    fitted = machine(boost_true_positive=boosted, **settings).fit(boards[:1000], shown[:1000])
    assert fitted.score(boards[1000:], shown[1000:]) >= 0.4


@pytest.mark.parametrize("block_size", [1, 64])
def test_learns_as_well_as_its_naive_twin(block_size):
    rng = np.random.default_rng(0)
    settings = {"n_clauses": 30, "threshold": 600, "specificity": 2.0, "weighted": True}
    naive = NaiveTsetlinRegressor(
        n_features=6, y_min=10.0, y_max=40.0, draws=GeneratorDraws(rng), **settings
    )
    naive.fit(X[:300], Y[:300], epochs=12)
    naive_error = np.abs(naive.predict(X_NEW) - Y_NEW).mean()
    errors = [
        np.abs(
            machine(random_state=seed, boost_true_positive=False, block_size=block_size, **settings)
            .fit(X, Y)
            .predict(X_NEW)
            - Y_NEW
        ).mean()
        for seed in range(5)
    ]
    assert np.mean(errors) == pytest.approx(naive_error, abs=2.0)


# ------------------------------------------------------------------ parameters


@pytest.mark.parametrize(
    "settings",
    [
        {"n_clauses": 1},
        {"n_clauses": 7},
        {"specificity": 3},
        {"state_bits": 4},
        {"state_bits": 16},
        {"max_literals": 1},
        {"threshold": 1.5},
        {"threshold": 10**9},
        {"block_size": 5},
        {"epochs": 1},
    ],
    ids=str,
)
def test_parameters_at_their_ends_work(settings):
    fitted = machine(**settings).fit(X, Y)
    predicted = fitted.predict(X_NEW)
    assert np.isfinite(predicted).all()
    assert fitted.lowest_ <= predicted.min()
    assert predicted.max() <= fitted.highest_
    assert fitted.banks_.weights.min() >= 1
    counted = [sum(vote.clause.votes for vote in fitted.explain(x).cast) for x in X[:50]]
    assert fitted.votes(X[:50]).tolist() == counted


def test_the_default_threshold_is_the_one_that_is_documented():
    assert same(machine(threshold=None).fit(X, Y), machine(threshold=500).fit(X, Y))
    plain = machine(weighted=False).fit(X, Y)
    assert same(plain, machine(weighted=False, threshold=100).fit(X, Y))


def test_no_votes_are_the_lowest_value_and_threshold_votes_the_highest():
    fitted = machine().fit(X, Y)
    share = np.clip(fitted.votes(X_NEW), 0, 2000) / 2000
    expected = Y.min() + share * (Y.max() - Y.min())
    assert fitted.predict(X_NEW) == pytest.approx(expected)
    assert fitted.votes(X_NEW).dtype == np.int64
    assert fitted.votes(X_NEW).min() >= 0


def test_all_clauses_vote_for():
    fitted = machine().fit(X, Y)
    assert all(clause.favours and clause.class_ is None for clause in fitted.clauses())
    assert all(rule.votes > 0 for rule in fitted.rules())


@pytest.mark.parametrize("scale", [1e-9, -3.0, 1e9])
def test_the_unit_of_the_values_does_not_matter(scale):
    scaled = machine().fit(X, scale * Y)
    assert scaled.score(X_NEW, scale * Y_NEW) >= 0.9


def test_a_constant_is_learned():
    fitted = machine().fit(X, np.full(400, 7))
    assert set(fitted.predict(X_NEW)) == {7.0}


@pytest.mark.parametrize(
    "values", [Y.astype(np.float32), Y.tolist(), pd.Series(Y)], ids=["float32", "list", "series"]
)
def test_values_of_any_type(values):
    fitted = machine().fit(X, values)
    assert fitted.predict(X_NEW).dtype == np.float64
    assert fitted.score(X_NEW, Y_NEW) >= 0.9
    whole = machine().fit(X, np.round(Y).astype(int))
    assert whole.predict(X_NEW) == pytest.approx(machine().fit(X, np.round(Y)).predict(X_NEW))


# ------------------------------------------------------------------ one seed, one machine


def test_one_seed_gives_one_machine_on_any_number_of_threads():
    trained = [machine(n_jobs=n_jobs).fit(X, Y) for n_jobs in (1, 2, 3)]
    assert same(trained[0], trained[1])
    assert same(trained[0], trained[2])
    assert not same(trained[0], machine(random_state=1).fit(X, Y))
    many = np.tile(X, (8, 1))
    assert np.array_equal(trained[0].votes(many), trained[2].votes(many))


def test_no_random_state_is_fine():
    assert machine(random_state=None).fit(X, Y).score(X_NEW, Y_NEW) >= 0.9


def test_fits_in_several_threads_at_once():
    def train(seed):
        return machine(random_state=seed, n_jobs=2, epochs=5).fit(X, Y)

    alone = [train(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as executor:
        assert all(map(same, alone, executor.map(train, range(4))))


def test_fit_starts_afresh_and_partial_fit_goes_on():
    stepwise = machine()
    for _ in range(20):
        assert stepwise.partial_fit(X, Y) is stepwise
    assert same(stepwise, machine().fit(X, -Y).fit(X, Y))
    assert len(stepwise.history_) == 20
    assert not same(stepwise.partial_fit(X, Y), machine().fit(X, Y))


def test_the_range_is_that_of_the_first_call_or_the_one_given():
    given = machine().partial_fit(X[:10], Y[:10], value_range=(0, 100))
    assert (given.lowest_, given.highest_) == (0.0, 100.0)
    for _ in range(30):
        given.partial_fit(X, Y)
    assert given.score(X_NEW, Y_NEW) >= 0.8
    first = machine().partial_fit(X, np.clip(Y, 15, 25))
    for _ in range(10):
        first.partial_fit(X, Y)  # values outside count as the ends
    assert first.predict(X_NEW).min() >= 15
    assert first.predict(X_NEW).max() <= 25


@pytest.mark.parametrize("value_range", [(2, 1), (np.nan, 1), (0, np.inf), (0, 1, 2)])
def test_a_bad_range_is_refused(value_range):
    with pytest.raises(ValueError, match="value_range"):
        machine().partial_fit(X, Y, value_range=value_range)


# ------------------------------------------------------------------ validation, callback, weights


def test_history_has_the_fit_on_the_validation_data():
    fitted = machine().fit(X, Y, validation=(X_NEW, Y_NEW))
    assert fitted.history_[-1].score == pytest.approx(fitted.score(X_NEW, Y_NEW))
    assert len(fitted.history_) == 20
    assert same(fitted, machine().fit(X, Y))


def test_the_callback_may_end_training():
    fitted = machine().fit(X, Y, callback=lambda epoch: epoch.number == 3)
    assert len(fitted.history_) == 3
    assert same(fitted, machine(epochs=3).fit(X, Y))


def test_an_interrupt_leaves_a_machine_that_can_be_used():
    def interrupt(epoch):
        raise KeyboardInterrupt

    learner = machine()
    with pytest.raises(KeyboardInterrupt):
        learner.fit(X, Y, callback=interrupt)
    assert same(learner, machine(epochs=1).fit(X, Y))
    assert learner.predict(X_NEW).shape == (400,)


def test_the_progress_bar_names_its_score(capsys):
    machine(epochs=2).fit(X, Y, validation=(X_NEW, Y_NEW), progress=True)
    assert "R²" in capsys.readouterr().err


def test_weights_decide_between_boards_that_disagree():
    X2, y2 = np.concatenate([X, X]), np.concatenate([Y, 50 - Y])
    weight = np.repeat([1.0, 0.0], 400)
    assert machine().fit(X2, y2, sample_weight=weight).score(X_NEW, Y_NEW) >= 0.7
    assert machine().fit(X2, y2, sample_weight=1 - weight).score(X_NEW, 50 - Y_NEW) >= 0.7
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        machine().fit(X, Y, sample_weight=-np.ones(400))
    with pytest.raises(ValueError, match="weight"):
        machine().fit(X, Y, sample_weight=np.zeros(400))


# ------------------------------------------------------------------ boards and names


@pytest.mark.parametrize(
    "boards",
    [X.astype(bool), X.astype(float), X.tolist(), sp.csr_array(X), np.asfortranarray(X)],
    ids=["bool", "float", "list", "sparse", "Fortran"],
)
def test_bits_of_any_type_are_the_same_bits(boards):
    fitted = machine(epochs=3).fit(boards, Y)
    assert same(fitted, machine(epochs=3).fit(X, Y))
    assert np.array_equal(fitted.predict(boards), fitted.predict(X))


@pytest.mark.parametrize("wrong", [0.5, 2, -1])
def test_what_is_not_a_bit_is_refused(wrong):
    with pytest.raises(ValueError, match="ThermometerEncoder"):
        machine().fit(np.where(X, wrong, 0), Y)
    with pytest.raises(ValueError, match="ThermometerEncoder"):
        machine().fit(X, Y).predict(np.where(X, wrong, 0))


@pytest.mark.filterwarnings("error::UserWarning")
def test_columns_of_a_frame_become_bit_names():
    frame = pd.DataFrame(X, columns=list("abcdef"))
    fitted = machine().fit(frame, Y, validation=(frame, Y))
    assert fitted.bit_names_ == list("abcdef")
    assert np.array_equal(fitted.predict(frame), machine().fit(X, Y).predict(X))
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(frame[list("fedcba")])
    with pytest.raises(ValueError, match="same name twice"):
        fitted.clauses(["a"] * 6)


def test_one_board_gives_one_value_and_many_give_many():
    fitted = machine(n_jobs=2).fit(X, Y)
    boards = np.resize(X_NEW, (5000, 6))
    assert fitted.predict(boards).shape == fitted.votes(boards).shape == (5000,)
    assert fitted.predict(boards[:1]).shape == (1,)
    assert [fitted.predict(x[None])[0] for x in boards[:50]] == fitted.predict(boards)[:50].tolist()


# ------------------------------------------------------------------ wrong use


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (None, "requires y"),
        (Y[:7], r"400 samples.*7"),
        (np.where(X[:, 0], "a", "b"), "convert"),
        (np.stack([Y, Y], axis=1), "1d"),
        (np.where(X[:, 0], np.nan, Y), "NaN"),
        (np.where(X[:, 0], np.inf, Y), "infinity"),
    ],
)
def test_bad_values_are_refused(values, words):
    with pytest.raises(ValueError, match=words):
        machine().fit(X, values)


@pytest.mark.filterwarnings("ignore:invalid value encountered in reduce")  # scikit-learn's own
def test_values_as_far_apart_as_floats_go():
    fitted = machine().fit(X, np.where(X[:, 0], -1e308, 1e308))
    assert np.isfinite(fitted.predict(X)).all()


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("n_clauses", 0), ("threshold", 0.5), ("specificity", 0), ("epochs", 0), ("state_bits", 2)],
)
def test_bad_parameters_are_named(parameter, value):
    with pytest.raises(ValueError, match=rf"{parameter}={value} must be"):
        machine(**{parameter: value}).fit(X, Y)


def test_validation_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"400 samples.*3 values"):
        machine().fit(X, Y, validation=(X_NEW, Y_NEW[:3]))
    with pytest.raises(ValueError, match="5 features"):
        machine().fit(X, Y, validation=(X_NEW[:, :5], Y_NEW))


def test_a_fit_that_is_refused_leaves_the_machine_as_it_was():
    fitted = machine().fit(X, Y)
    before = fitted.predict(X_NEW)
    with pytest.raises(ValueError, match="validation"):
        fitted.fit(X, 2 * Y, validation=(X_NEW, Y_NEW[:3]))
    assert np.array_equal(fitted.predict(X_NEW), before)


@pytest.mark.parametrize(
    "use",
    [
        lambda m: m.predict(X),
        lambda m: m.votes(X),
        lambda m: m.clauses(),
        lambda m: m.rules(),
        lambda m: m.explain(X[0]),
        lambda m: m.save("nowhere"),
    ],
)
def test_nothing_works_before_fit(use):
    with pytest.raises(NotFittedError, match="not fitted"):
        use(machine())


# ------------------------------------------------------------------ scikit-learn's tools


def test_clone_and_pickle():
    fitted = machine().fit(X, Y)
    assert same(clone(fitted).fit(X, Y), fitted)
    copy = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(copy.predict(X_NEW), fitted.predict(X_NEW))
    assert same(copy.partial_fit(X, Y), fitted.partial_fit(X, Y))


def test_pipeline_grid_search_and_cross_validation():
    rng = np.random.default_rng(3)
    numbers = rng.uniform(size=(500, 2))
    values = numbers[:, 0] + (numbers[:, 1] > 0.5)
    pipeline = make_pipeline(ThermometerEncoder(n_bits=8), machine())
    assert pipeline.fit(numbers, values).score(numbers, values) >= 0.8
    assert cross_val_score(machine(), X, Y, cv=3).mean() >= 0.6
    search = GridSearchCV(machine(), {"n_clauses": [1, 100]}, cv=3, n_jobs=2).fit(X, Y)
    assert search.best_params_ == {"n_clauses": 100}
