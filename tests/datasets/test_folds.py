"""Folds: whole games, the same share of every result, and the slow twin of the dealing."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.datasets import deal, draw, make_folds
from clauseboard.kernels.compiler import JIT_DISABLED
from naive import datasets as naive

MOST = 30 if JIT_DISABLED else 200
LABELS = st.lists(st.integers(0, 2), min_size=10, max_size=MOST)


def tables(labels, folds, n_folds):
    """Boards by result and fold."""
    return np.array(
        [[np.sum((folds == f) & (labels == c)) for f in range(n_folds)] for c in (0, 1, 2)]
    )


@given(LABELS, st.integers(2, 10), st.integers(0, 2**64 - 1))
@settings(max_examples=40)
def test_games_of_one_board_are_spread_as_evenly_as_can_be(labels, n_folds, seed):
    labels = np.array(labels, np.uint8)
    folds = make_folds(labels, np.arange(len(labels)), n_folds, seed)
    table = tables(labels, folds, n_folds)
    assert (np.ptp(table, axis=1) <= 1).all()
    assert np.ptp(table.sum(axis=0)) <= 1


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(1, 9)), min_size=10, max_size=MOST // 2),
    st.integers(2, 10),
)
@settings(max_examples=40)
def test_no_game_is_in_two_folds_and_results_are_spread(games, n_folds):
    labels = np.repeat([label for label, _ in games], [n for _, n in games]).astype(np.uint8)
    numbers = np.repeat(np.arange(len(games)), [n for _, n in games])
    folds = make_folds(labels, numbers, n_folds)
    found = defaultdict(set)
    for number, fold in zip(numbers.tolist(), folds.tolist(), strict=True):
        found[number].add(fold)
    assert all(len(of_game) == 1 for of_game in found.values())
    # Large games first: no fold has more than another by more than the largest game.
    assert (np.ptp(tables(labels, folds, n_folds), axis=1) <= 9).all()


def test_a_fold_does_not_depend_on_the_order_of_the_boards():
    rng = np.random.default_rng(3)
    games = rng.integers(0, 50, 300)
    labels = (games % 3).astype(np.uint8)
    folds = make_folds(labels, games)
    order = rng.permutation(300)
    assert make_folds(labels[order], games[order]).tolist() == folds[order].tolist()


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_the_seed_decides(seed):
    labels, games = np.zeros(60, np.uint8), np.arange(60)
    folds = make_folds(labels, games, seed=seed)
    assert folds.tolist() == make_folds(labels, games, seed=seed).tolist()
    assert folds.tolist() != make_folds(labels, games, seed=17).tolist()


@pytest.mark.parametrize("n_folds", [2, 10, 255])
def test_so_many_folds(n_folds):
    folds = make_folds(np.zeros(300, np.uint8), np.arange(300), n_folds)
    assert sorted(set(folds.tolist())) == list(range(n_folds))


@given(
    st.lists(st.tuples(*[st.integers(0, 6)] * 3).filter(any), min_size=1, max_size=40),
    st.integers(2, 6),
    st.randoms(use_true_random=False),
)
@settings(max_examples=40)
def test_dealing_is_that_of_the_slow_twin(counts, n_folds, rng):
    order = list(range(len(counts)))
    rng.shuffle(order)
    folds = np.empty(len(counts), np.uint8)
    held = np.zeros((n_folds, 4), np.int64)
    deal(np.array(counts, np.int64), np.array(order, np.int64), folds, held)
    assert folds.tolist() == naive.dealt(counts, order, n_folds)
    assert held[:, 3].sum() == sum(map(sum, counts))


def test_words_are_drawn_by_game():
    drawn = np.empty(3, np.uint64)
    draw(np.array([5, 6, 5]), np.uint64(1), drawn)
    assert drawn[0] == drawn[2] != drawn[1]
    other = np.empty(1, np.uint64)
    draw(np.array([5]), np.uint64(2), other)
    assert other[0] != drawn[0]


def test_against_the_usual_splitter():
    """Not worse than scikit-learn's in the shares of the results."""
    from sklearn.model_selection import StratifiedGroupKFold

    rng = np.random.default_rng(1)
    sizes = rng.integers(1, 10, 200)
    games = np.repeat(np.arange(200), sizes)
    labels = np.repeat(rng.choice(3, 200, p=(0.2, 0.2, 0.6)), sizes).astype(np.uint8)
    theirs = np.empty(len(games), np.uint8)
    splitter = StratifiedGroupKFold(10, shuffle=True, random_state=1)
    for fold, (_, test) in enumerate(splitter.split(labels, labels, games)):
        theirs[test] = fold
    ours = make_folds(labels, games)
    spread = [np.std(tables(labels, folds, 10), axis=1).sum() for folds in (ours, theirs)]
    assert spread[0] <= spread[1]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"n_folds": 1}, "n_folds=1 must be an integer from 2 to 255"),
        ({"n_folds": 256}, "n_folds=256"),
        ({"n_folds": True}, "n_folds=True"),
        ({"n_folds": 2.0}, "n_folds=2.0"),
        ({"seed": -1}, "seed=-1 must be an integer from 0"),
        ({"seed": "x"}, "seed='x'"),
        ({"n_folds": 11}, "10 games are too few for 11 folds"),
    ],
)
def test_wrong_options(options, told):
    with pytest.raises(ValueError, match=told):
        make_folds(np.zeros(10, np.uint8), np.arange(10), **options)


def test_numbers_that_do_not_fit():
    with pytest.raises(ValueError, match="3 results do not fit 2 numbers of games"):
        make_folds(np.zeros(3, np.uint8), np.arange(2))
