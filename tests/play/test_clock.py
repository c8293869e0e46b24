"""Clocks of a game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.play import GameClock


def test_the_time_of_the_side_to_move_runs():
    clock = GameClock.fresh(("red", "blue"), 1, 0)
    assert (clock.left("red", 5.0), clock.expired(1e9)) == (60.0, None)
    clock.turn("red", 10.0)
    assert (clock.left("red", 25.0), clock.left("blue", 25.0)) == (45.0, 60.0)
    assert clock.expired(69.9) is None
    assert clock.expired(70.0) == "red"
    assert clock.left("red", 100.0) == 0.0


@pytest.mark.parametrize("increment", [0, 2, 10.5])
def test_who_has_moved_is_given_the_increment(increment):
    clock = GameClock.fresh(("red", "blue"), 1, increment)
    clock.turn("red", 0.0)
    clock.turn("blue", 10.0)
    assert clock.remaining["red"] == 50 + increment
    clock.turn("red", 11.0, earned=False)
    assert clock.remaining["blue"] == 59
    clock.turn(None, 12.0)
    assert clock.left("red", 1e9) == 49 + increment


def test_what_is_kept_does_not_run_on():
    clock = GameClock.fresh(("red", "blue"), 1, 3)
    clock.turn("red", 0.0)
    kept = clock.saved(20.0)
    assert kept == {"remaining": {"red": 40.0, "blue": 60.0}, "increment": 3}
    assert GameClock(**kept).left("red", 1e9) == 40.0


@given(st.lists(st.floats(0, 20), max_size=20))
def test_nothing_is_lost_but_time_that_has_passed(waits):
    clock, now, side = GameClock.fresh(("red", "blue"), 10, 0), 0.0, "red"
    clock.turn(side, now)
    for wait in waits:
        now += wait
        side = "blue" if side == "red" else "red"
        clock.turn(side, now)
    total = clock.left("red", now) + clock.left("blue", now)
    assert total == pytest.approx(1200 - now)
