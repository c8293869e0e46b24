"""Fuzzy-pattern clauses: some literals may fail, and a clause then votes less."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.tsetlin import (
    CastVote,
    Clause,
    TsetlinMachineClassifier,
    TsetlinMachineRegressor,
)
from naive import tsetlin as naive

NAMES = ["sun", "wind", "rain", "snow", "hail", "fog", "dew"]


def boards(seed=0, n=300):
    rng = np.random.default_rng(seed)
    X = rng.integers(2, size=(n, len(NAMES)), dtype=np.uint8)
    return X, np.where(X[:, :5].sum(axis=1) > 2, "most", "few")


def machine(**settings):
    known = {"n_clauses": 12, "threshold": 30, "specificity": 3.0, "max_misses": 2, "epochs": 4}
    return TsetlinMachineClassifier(**({"random_state": 1} | known | settings))


GRIDS = {
    "few patches": {"board_shape": (4, 3, 2), "window": (2, 2)},
    "many patches": {"board_shape": (10, 9, 1), "window": (2, 1)},
    "more patches": {"board_shape": (18, 17, 1), "window": (2, 2)},
}
"""Windows of 6, 81 and 272 patches: in part of a word, in two, and in two groups of four."""


def grids(shape, n=120, seed=0):
    """Grids with a corner of four cells somewhere, or not, all with much noise."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n, *shape)) < 0.2).astype(np.uint8)
    y = rng.integers(2, size=n)
    for x, there in zip(X, y, strict=True):
        row, column = rng.integers(shape[0] - 1), rng.integers(shape[1] - 1)
        x[row : row + 2, column : column + 2, 0] |= np.uint8(there)
    return X.reshape(n, -1), y


def slow_votes(fitted, X):
    """The votes by the textbook: literal by literal, patch by patch, clause by clause."""
    include = fitted.banks_.include
    n_literals = 2 * fitted.banks_.view.n_features
    signed = fitted.banks_.signed_weights(fitted.both_signs)
    votes = np.zeros((len(X), len(include)), np.int64)
    for i, x in enumerate(X):
        seen = x[np.newaxis]
        if fitted.window is not None:
            seen = naive.patches(x, fitted.board_shape, fitted.window)
        literals = naive.literals_of(seen)
        for bank in range(len(include)):
            bits = np.unpackbits(include[bank].view(np.uint8), axis=1, bitorder="little")
            for clause, there in enumerate(bits[:, :n_literals]):
                _, degree = naive.best_patches(there, literals, True, 1, fitted.max_misses)
                votes[i, bank] += signed[bank, clause] * degree
    return votes


@pytest.mark.parametrize("max_misses", [1, 3, 50])
@pytest.mark.parametrize("block_size", [1, 16, "auto"])
def test_votes_are_the_textbooks(max_misses, block_size):
    X, y = boards()
    fitted = machine(max_misses=max_misses, block_size=block_size).fit(X, y)
    assert fitted.votes(X[:60]).tolist() == slow_votes(fitted, X[:60]).tolist()
    # Seven bits are too few for fifty misses.
    assert max_misses == 50 or fitted.score(*boards(1)) >= 0.85


def test_a_regressor_votes_as_the_textbook_does():
    X, _ = boards()
    fitted = TsetlinMachineRegressor(
        20, 60, 2.0, max_literals=3, max_misses=3, random_state=0, epochs=5
    )
    fitted.fit(X, X[:, :4].sum(axis=1))
    assert fitted.votes(X[:40]).tolist() == slow_votes(fitted, X[:40])[:, 0].tolist()
    assert fitted.score(X, X[:, :4].sum(axis=1)) >= 0.8


def test_threads_change_nothing():
    X, y = boards()
    one, two = (machine(n_clauses=80, n_jobs=n).fit(X, y) for n in (1, 2))
    assert one.banks_.automata.tobytes() == two.banks_.automata.tobytes()
    many = np.tile(X, (10, 1))
    assert one.votes(many).tolist() == two.votes(many).tolist()


@given(seed=st.integers(0, 1000))
def test_reasons_add_up_to_the_votes_and_say_what_failed(seed):
    fitted = TRAINED
    x = np.random.default_rng(seed).integers(2, size=len(NAMES), dtype=np.uint8)
    tally = fitted.explain(x)
    assert list(tally.votes.values()) == fitted.votes([x])[0].tolist()
    there = {name for name, bit in zip(NAMES, x, strict=True) if bit}
    for class_, total in tally.votes.items():
        assert sum(vote.votes for vote in tally.of(class_)) == total
    for vote in tally.cast:
        assert vote.failed == vote.clause.failed_on(there)
        assert len(vote.failed) <= vote.clause.max_misses
    told = json.loads(tally.to_json())
    assert [vote["votes"] for vote in told["cast"]] == [vote.votes for vote in tally.cast]


TRAINED = machine().fit(*boards(), bit_names=NAMES)


def test_a_reason_in_words():
    clause = Clause("walk", True, 5, ("sun", "dew"), ("wind",), max_misses=2)
    assert clause.votes == 15
    assert str(clause) == "+15 walk, 5 less for each that fails: sun, dew, not wind"
    vote = CastVote(clause, failed=clause.failed_on({"sun", "wind"}))
    assert vote.votes == 5
    assert str(vote) == "+5 walk: 1 of 3 conditions hold: sun; but not: dew, not wind"


def test_rules_vote_as_the_machine_does():
    X, y = boards()
    votes = {class_: np.zeros(len(X), np.int64) for class_ in TRAINED.classes_}
    for rule in TRAINED.rules(X=X, y=y):
        fired = 0
        for i, x in enumerate(X):
            there = {name for name, bit in zip(NAMES, x, strict=True) if bit}
            cast = CastVote(rule, failed=rule.failed_on(there)).votes
            votes[rule.class_][i] += cast
            fired += cast != 0
        assert rule.coverage == pytest.approx(fired / len(X))
    assert np.array_equal(np.transpose(list(votes.values())), TRAINED.votes(X))


def test_a_saved_machine_votes_the_same_and_learns_on(tmp_path):
    X, y = boards()
    fitted = machine().fit(X, y)
    fitted.save(tmp_path / "fuzzy.tm")
    loaded = TsetlinMachineClassifier.load(tmp_path / "fuzzy.tm")
    assert loaded.max_misses == 2
    assert loaded.votes(X).tolist() == fitted.votes(X).tolist()
    assert np.array_equal(
        loaded.partial_fit(X, y).banks_.automata, fitted.partial_fit(X, y).banks_.automata
    )


@pytest.mark.parametrize("max_misses", [-1, 1.5])
def test_what_cannot_be_fuzzy_is_refused(max_misses):
    with pytest.raises(ValueError, match="max_misses"):
        machine(max_misses=max_misses).fit(*boards())


@pytest.mark.parametrize("name", GRIDS)
@pytest.mark.parametrize("block_size", [1, 64])
def test_with_a_window_the_best_patch_counts(name, block_size):
    settings = GRIDS[name]
    X, y = grids(settings["board_shape"])
    fitted = machine(**settings, block_size=block_size, max_misses=3, epochs=2).fit(X, y)
    assert (fitted.banks_.weights > 1).any()
    assert fitted.votes(X[:8]).tolist() == slow_votes(fitted, X[:8]).tolist()


def test_with_a_window_reasons_name_the_best_patches():
    settings = GRIDS["few patches"]
    X, y = grids(settings["board_shape"])
    fitted = machine(**settings).fit(X, y)
    view, names = fitted.banks_.view, fitted._names(None)
    for x, votes in zip(X[:20], fitted.votes(X[:20]).tolist(), strict=True):
        tally = fitted.explain(x)
        assert list(tally.votes.values()) == votes
        for class_, total in tally.votes.items():
            assert sum(vote.votes for vote in tally.of(class_)) == total
        for vote in tally.cast:
            failed = {}
            for k, bits in enumerate(view.patches(x[np.newaxis])[0]):
                there = {name for name, bit in zip(names, bits, strict=True) if bit}
                failed[k // 2, k % 2] = vote.clause.failed_on(there)
            fewest = min(map(len, failed.values()))
            assert vote.patches == tuple(k for k, each in failed.items() if len(each) == fewest)
            assert vote.failed == failed[vote.patches[0]]
            assert str(vote).endswith(f"  at {', '.join(map(str, vote.patches))}")


def test_with_a_window_a_machine_is_saved_and_learns_on(tmp_path):
    settings = GRIDS["few patches"]
    X, y = grids(settings["board_shape"])
    fitted = machine(**settings, n_jobs=2, n_clauses=70).fit(X, y)
    alone = machine(**settings, n_clauses=70).fit(X, y)
    assert alone.banks_.automata.tobytes() == fitted.banks_.automata.tobytes()
    fitted.save(tmp_path / "fuzzy.tm")
    loaded = TsetlinMachineClassifier.load(tmp_path / "fuzzy.tm")
    assert loaded.votes(X).tolist() == fitted.votes(X).tolist()
    again = [each.partial_fit(X, y).banks_.automata for each in (loaded, fitted)]
    assert np.array_equal(*again)


def test_a_corner_under_noise_is_found_by_few_clauses():
    def mean_score(max_misses):
        settings = {**GRIDS["few patches"], "n_clauses": 2, "max_misses": max_misses, "epochs": 20}
        X, y = grids(settings["board_shape"], 600)
        known, asked = slice(400), slice(400, None)
        return np.mean(
            [
                machine(**settings, threshold=10 * (max_misses + 1), random_state=seed)
                .fit(X[known], y[known])
                .score(X[asked], y[asked])
                for seed in range(5)
            ]
        )

    print(mean_score(0), mean_score(2))
    assert mean_score(2) >= 0.8


def test_there_is_no_table_for_searches():
    with pytest.raises(ValueError, match="max_misses=2"):
        TRAINED.vote_table()


def test_few_clauses_tell_much():
    X, y = boards(n=600)
    strict, fuzzy = (
        np.mean(
            [
                machine(n_clauses=2, max_misses=m, random_state=s).fit(X, y).score(X, y)
                for s in range(5)
            ]
        )
        for m in (0, 3)
    )
    assert fuzzy > strict + 0.1
