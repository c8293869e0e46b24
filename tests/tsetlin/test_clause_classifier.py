"""`ClauseClassifier`: clauses from any finder, as many as asked for, that vote and can be read."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from clauseboard.tsetlin import ClauseClassifier, ThermometerEncoder, TsetlinMachineClassifier
from clauseboard.tsetlin.clause_finders import (
    MachineSearch,
    TreeSearch,
    machine_clauses,
    tree_clauses,
    written_clauses,
)
from clauseboard.tsetlin.joint_weights import fires, single_literals

NAMES = [f"bit {k}" for k in range(6)]
QUICK = {"inner_folds": 0, "penalty": 1.0, "random_state": 1}


def some_boards(n=800, n_bits=6, seed=0):
    return np.random.default_rng(seed).integers(2, size=(n, n_bits)).astype(np.uint8)


def outcomes(boards):
    """A loss unless a bit is set; then a win if two others differ, and else a draw."""
    rest = np.where(boards[:, 1] != boards[:, 2], "win", "draw")
    return np.where(boards[:, 0], rest, "loss")


@pytest.mark.parametrize("finder", ["machines", "trees", "both"])
def test_it_learns_what_single_bits_cannot_tell(finder):
    boards, other = some_boards(), some_boards(seed=1)
    classifier = ClauseClassifier(20, finder=finder, random_state=0).fit(boards, outcomes(boards))
    assert classifier.classes_.tolist() == ["draw", "loss", "win"]
    assert classifier.score(other, outcomes(other)) == 1.0
    alone = ClauseClassifier(20, finder=None, clauses=[f"x{k}" for k in range(6)], **QUICK)
    assert alone.fit(boards, outcomes(boards)).score(other, outcomes(other)) < 0.8


def test_rules_typed_by_hand_are_weighed():
    boards = some_boards()
    typed = [("bit 1", "not bit 2"), ("bit 2", "not bit 1"), "bit 0"]
    classifier = ClauseClassifier(5, finder=None, clauses=typed, **QUICK)
    classifier.fit(boards, outcomes(boards), bit_names=NAMES)
    assert classifier.score(boards, outcomes(boards)) == 1.0
    read = {clause.literals for clause in classifier.rules()}
    assert {("bit 1", "not bit 2"), ("bit 2", "not bit 1"), ("bit 0",)} <= read
    # Clauses that were read may be given back.
    again = ClauseClassifier(5, finder=None, clauses=list(classifier.rules()), **QUICK)
    again.fit(boards, outcomes(boards), bit_names=NAMES)
    assert (again.predict(boards) == outcomes(boards)).all()


def test_any_function_finds_clauses():
    boards, seen = some_boards(), []

    def finder(bits, labels):
        seen.append((bits.shape, labels.max()))
        return written_clauses([("x1", "not x2"), ("x2", "not x1")], [f"x{k}" for k in range(6)])

    classifier = ClauseClassifier(8, finder=finder, **QUICK).fit(boards, outcomes(boards))
    assert seen == [((800, 6), 2)]
    assert classifier.score(boards, outcomes(boards)) == 1.0


@pytest.mark.parametrize("most", [3, 8, 30])
def test_no_more_clauses_and_literals_than_wanted(most):
    boards = some_boards(n_bits=8)
    told = outcomes(boards)
    for literals in (1, 2, 5):
        classifier = ClauseClassifier(most, literals, **QUICK).fit(boards, told)
        read = {clause.literals for clause in classifier.rules()}
        assert 0 < len(read) <= most
        assert max(map(len, read)) <= literals


def test_answers_are_those_of_the_machine_and_add_up(tmp_path):
    boards = some_boards()
    classifier = ClauseClassifier(20, **QUICK).fit(boards, outcomes(boards), bit_names=NAMES)
    votes = classifier.votes(boards[:50])
    assert votes.dtype == np.int64
    for row, counts in zip(boards[:50], votes, strict=True):
        assert list(classifier.explain(row).votes.values()) == counts.tolist()
    source = {}
    exec(classifier.export("python"), source)
    assert [source["votes"](row) for row in boards[:50]] == votes.tolist()
    assert "bit 0" in str(classifier.rules())
    assert {clause.class_ for clause in classifier.clauses_of("win")} == {"win"}
    classifier.save(tmp_path / "some.tm")
    loaded = TsetlinMachineClassifier.load(tmp_path / "some.tm")
    assert (loaded.votes(boards) == classifier.votes(boards)).all()
    assert np.allclose(loaded.predict_proba(boards), classifier.predict_proba(boards))


def test_one_seed_gives_one_classifier():
    boards = some_boards(n_bits=9)
    told = np.where(np.random.default_rng(4).random(800) < 0.2, "loss", outcomes(boards))
    votes = [
        ClauseClassifier(30, inner_folds=0, random_state=seed, n_jobs=jobs)
        .fit(boards, told)
        .votes(boards)
        for seed, jobs in ((1, 1), (1, 2), (2, 1))
    ]
    assert (votes[0] == votes[1]).all()
    assert (votes[0] != votes[2]).any()


def test_shorter_clauses_say_the_same_in_fewer_words():
    boards = some_boards()
    boards[:, 5] = boards[:, 1] | boards[:, 2]
    told = outcomes(boards)
    long = [("x0", "x1", "not x2", "x5"), ("x0", "x2", "not x1", "x5"), ("x0",)]
    classifier = ClauseClassifier(6, finder=None, clauses=long, **QUICK).fit(boards, told)
    assert classifier.score(boards, told) == 1.0
    assert max(len(clause.literals) for clause in classifier.rules()) == 3
    rough = ClauseClassifier(6, finder=None, clauses=long, shorten=0.5, **QUICK)
    assert max(len(clause.literals) for clause in rough.fit(boards, told).rules()) < 3


def test_how_often_classes_are_is_known_without_any_clause():
    boards = some_boards(400)
    told = np.where(np.arange(400) % 4 == 0, 1, 0)
    classifier = ClauseClassifier(5, inner_folds=0, penalty=1e6, random_state=0).fit(boards, told)
    assert (classifier.predict(boards) == 0).all()
    assert classifier.predict_proba(boards)[:, 1].mean() == pytest.approx(0.25, abs=0.01)


def test_the_penalty_is_chosen_on_inner_folds_and_noise_wants_a_high_one():
    boards = some_boards(600, 10)
    noise = np.random.default_rng(0).integers(2, size=600)
    assert ClauseClassifier(20, inner_folds=3, random_state=0).fit(boards, noise).penalty_ == 100.0
    clear = ClauseClassifier(10, random_state=0).fit(boards, boards[:, 0] & boards[:, 1])
    assert clear.penalty_ == 1.0
    assert ClauseClassifier(10, penalty=7.0).fit(boards, boards[:, 0]).penalty_ == 7.0


def test_probabilities_are_true_on_new_samples():
    draws = np.random.default_rng(0)
    X = some_boards(3000, 12)
    chance = np.where(X[:, 0] & X[:, 1], 0.8, np.where(X[:, 2], 0.6, 0.3))
    y = (draws.random(3000) < chance).astype(int)
    classifier = ClauseClassifier(60, inner_folds=3, random_state=0).fit(X[:1000], y[:1000])
    told = classifier.predict_proba(X[1000:])[:, 1]
    right = np.where(y[1000:] == 1, told, 1 - told)
    truth = np.where(y[1000:] == 1, chance[1000:], 1 - chance[1000:])
    assert -np.log(right).mean() < -np.log(truth).mean() + 0.05


def test_copies_of_a_sample_stay_in_one_inner_fold():
    X = some_boards(150, 10)
    y = np.random.default_rng(1).integers(2, size=150)
    twice, groups = np.tile(np.arange(150), 4), np.tile(np.arange(150), 4)
    quick = {"finder": "machines", "inner_folds": 2, "random_state": 0}
    leaky = ClauseClassifier(60, **quick).fit(X[twice], y[twice])
    sound = ClauseClassifier(60, **quick).fit(X[twice], y[twice], groups=groups)
    assert sound.penalty_ > leaky.penalty_
    with pytest.raises(ValueError, match="groups has shape"):
        leaky.fit(X, y, groups=groups)


@pytest.mark.parametrize("how", ["sample_weight", "class_weight", "balanced"])
def test_a_rare_class_may_count_more(how):
    X = some_boards(2000)
    y = ((X[:, 0] & X[:, 1]) & (np.random.default_rng(0).random(2000) < 0.3)).astype(int)
    plain = ClauseClassifier(6, **QUICK).fit(X, y)
    assert plain.predict(X).max() == 0
    weight = {"class_weight": {0: 1, 1: 12}, "balanced": "balanced"}.get(how)
    other = ClauseClassifier(6, class_weight=weight, **QUICK)
    other.fit(X, y, np.where(y, 12.0, 1.0) if how == "sample_weight" else None)
    assert (other.predict(X) == (X[:, 0] & X[:, 1])).mean() > 0.99


@pytest.mark.parametrize("y", [["a"] * 20, list("ab") + ["a"] * 18, list("abcd") * 5])
def test_few_samples_and_few_classes_are_no_problem(y):
    X = some_boards(20)
    classifier = ClauseClassifier(5, random_state=0).fit(X, y)
    assert classifier.classes_.tolist() == sorted(set(y))
    assert classifier.predict_proba(X).sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_clauses": 2}, "max_clauses"),
        ({"max_literals": 0}, "max_literals"),
        ({"finder": "ants"}, "'machines', 'trees', 'both'"),
        ({"finder": None}, "needs clauses"),
        ({"inner_folds": 1}, "inner_folds=1"),
        ({"penalty": 0.0}, "penalty"),
        ({"shorten": 2.0}, "shorten"),
        ({"clauses": ["bit 9"]}, "'bit 9', which is no bit"),
        ({"clauses": [("x1", "not x1")]}, "can never fire"),
        ({"clauses": [()]}, "can never fire"),
        ({"finder": lambda bits, labels: bits}, "finder must return booleans"),
        ({"device": "abacus"}, "device"),
    ],
)
def test_what_cannot_be_is_refused(given, message):
    boards = some_boards(50)
    with pytest.raises(ValueError, match=message):
        ClauseClassifier(**given).fit(boards, outcomes(boards))


def test_it_fits_scikit_learn():
    data = load_breast_cancer(as_frame=True)
    pipeline = make_pipeline(
        ThermometerEncoder(4).set_output(transform="pandas"),
        ClauseClassifier(30, max_literals=3, **QUICK),
    )
    assert cross_val_score(pipeline, data.data, data.target, cv=2).mean() > 0.92
    classifier = clone(pipeline).fit(data.data, data.target)[-1]
    assert "worst" in str(classifier.rules())
    assert classifier.feature_names_in_.tolist() == classifier.bit_names_


# ---- finders


def test_machines_find_clauses_that_can_fire_each_once():
    boards = some_boards()
    clauses = machine_clauses(boards, outcomes(boards), MachineSearch(30, 3, 3.0, 5))
    assert len(np.unique(clauses, axis=0)) == len(clauses) > 0
    assert not (clauses[:, :6] & clauses[:, 6:]).any()


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_paths_of_trees_are_as_long_as_trees_are_deep(depth):
    boards = some_boards(n_bits=12)
    labels = np.unique(outcomes(boards), return_inverse=True)[1]
    clauses = tree_clauses(boards, labels, TreeSearch(10, depth, fewest=5))
    assert clauses.sum(axis=1).max() == depth
    assert not (clauses[:, :12] & clauses[:, 12:]).any()
    assert fires(boards, clauses).sum(axis=0).min() >= 5
    none = tree_clauses(boards, labels, TreeSearch(10, depth, fewest=500))
    assert none.shape == (0, 24)


def test_later_trees_look_at_what_earlier_ones_left_open():
    # The second condition tells nothing until the first is known to the sums.
    boards = some_boards(4000, 8)
    labels = (boards[:, 0] + 2 * (boards[:, 1] & boards[:, 2])).astype(np.intp)
    found = tree_clauses(boards, labels, TreeSearch(30, 2))
    pair = np.zeros(16, bool)
    pair[[1, 2]] = True
    assert (found == pair).all(axis=1).any()


def test_weights_of_samples_count_in_trees():
    boards = some_boards(1000)
    labels = np.where(np.arange(1000) < 500, boards[:, 0], boards[:, 3]).astype(np.intp)
    first = (np.arange(1000) < 500).astype(float)
    stumps = TreeSearch(12, 1)
    seen = [tree_clauses(boards, labels, stumps, each) for each in (first, 1 - first)]
    wanted = single_literals(6)[[0, 3]]
    for clauses, ours in zip(seen, wanted, strict=True):
        assert (clauses == ours).all(axis=1).any()
