"""One setting at a time: the best of landscapes that are known, and no question asked twice."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.tuning import WAYS, OneAtATimeSearch, Parameter

X, Y = Parameter("x", 1, 10**9), Parameter("y", 1, 10**9)


def hill(x, y):
    """Highest where both are as told; in each direction it goes down from there."""
    return lambda some: [-abs(math.log(one["x"] / x)) - abs(math.log(one["y"] / y)) for one in some]


@pytest.mark.parametrize("way", WAYS)
@given(x=st.integers(1, 10**6), y=st.integers(1, 10**6))
@settings(max_examples=40)
def test_the_top_of_a_hill_is_found_within_a_step(way, x, y):
    search = OneAtATimeSearch(hill(x, y), (X, Y), way, rounds=10)
    best = search.run({"x": 1000, "y": 1000})
    step = WAYS[way][-1]
    assert 1 / step <= best["x"] / x <= step
    assert 1 / step <= best["y"] / y <= step
    assert search.score(best) == max(tried.score for tried in search.tried)


def test_a_landscape_by_hand():
    asked = []

    def ask(some):
        asked.append([one["x"] for one in some])
        return [-abs(one["x"] - 3500) for one in some]

    search = OneAtATimeSearch(ask, (X,), "doubling", rounds=3)
    assert search.run({"x": 500}) == {"x": 4000}
    # The guess; its half and double; on from 1000 while it gets better, and one more to see.
    assert asked == [[500], [250, 1000], [2000], [4000], [8000]]
    assert [tried.focus for tried in search.tried] == ["", *["x"] * 5]


def test_thirds_go_down_as_far():
    asked = []

    def ask(some):
        asked.append([one["x"] for one in some])
        return [-abs(one["x"] - 10) for one in some]

    assert OneAtATimeSearch(ask, (X,), "thirds", rounds=1).run({"x": 900}) == {"x": 11}
    assert asked == [[900], [300, 450, 1800, 2700], [100], [33], [11], [4]]


def ridge(pull):
    """Highest at x = y = 64, along a ridge on which x and y are the same."""

    def ask(some):
        pairs = [(math.log2(one["x"]), math.log2(one["y"])) for one in some]
        return [-((x - y) ** 2) - pull * (x - 6) ** 2 for x, y in pairs]

    return ask


@pytest.mark.parametrize(("rounds", "found"), [(1, 32), (2, 64), (9, 64)])
def test_settings_that_depend_on_each_other_take_several_rounds(rounds, found):
    best = OneAtATimeSearch(ridge(1.2), (X, Y), "doubling", rounds).run({"x": 8, "y": 16})
    assert best == {"x": found, "y": found}


def test_on_a_narrow_ridge_it_stops_too_early():
    # Section 5.1 of the checkers thesis says so: it matters how settings go together.
    best = OneAtATimeSearch(ridge(0.1), (X, Y), "doubling", rounds=9).run({"x": 8, "y": 16})
    assert best == {"x": 16, "y": 16}


def test_nothing_is_asked_twice_and_a_flat_land_ends_it():
    seen = []

    def flat(some):
        seen.extend(tuple(one.items()) for one in some)
        return [1.0] * len(some)

    search = OneAtATimeSearch(flat, (X, Y), "thirds", rounds=5)
    assert search.run({"x": 90, "y": 90, "other": 7}) == {"x": 90, "y": 90, "other": 7}
    assert len(seen) == len(set(seen)) == 1 + 4 + 4


@pytest.mark.parametrize(("least", "most"), [(400, 600), (1, 1000), (1000, 1000)])
def test_values_stay_between_their_ends(least, most):
    parameter = Parameter("x", least, most, even=True)
    search = OneAtATimeSearch(lambda some: [one["x"] for one in some], (parameter,), "doubling")
    assert search.run({"x": 1000}) == {"x": most}
    assert all(least <= one.settings["x"] <= most for one in search.tried)
    assert all(one.settings["x"] % 2 == 0 for one in search.tried)


@pytest.mark.parametrize(
    ("parameter", "value", "rounded"),
    [
        (Parameter("a", 1), 2.6, 3),
        (Parameter("a", 2, even=True), 0.1, 2),
        (Parameter("a", 2, even=True), 333.4, 334),
        (Parameter("a", 1, whole=False), 9 / 2, 4.5),
        (Parameter("a", 1, whole=False), 0.2, 1.0),
        (Parameter("a", 1, whole=False), 27.123, 27.1),
    ],
)
def test_rounding(parameter, value, rounded):
    assert parameter.rounded(value) == rounded


def test_wrong_wishes():
    with pytest.raises(ValueError, match="'upwards' must be one of 'thirds', 'doubling'"):
        OneAtATimeSearch(lambda some: [], (X,), "upwards")
    for rounds in (0, -1, True, 1.5):
        with pytest.raises(ValueError, match="must be an integer"):
            OneAtATimeSearch(lambda some: [], (X,), rounds=rounds)
