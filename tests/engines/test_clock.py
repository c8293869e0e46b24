"""Time for a game: worked out by hand, and never less than nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.engines.clock import LEAST, MOVES_TO_GO, SHARE, GtpClock


@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        ((300, 0, 0), SHARE * 300 / MOVES_TO_GO),
        ((300, 30, 5), SHARE * (300 / MOVES_TO_GO + 6)),
        ((0, 30, 5), SHARE * 6),
        ((0, 10, 1), SHARE * 10),
        ((0, 0, 0), LEAST),
    ],
)
def test_seconds_for_the_first_move(settings, seconds):
    clock = GtpClock.settings(*settings)
    assert clock is not None
    assert clock.seconds_for_a_move() == pytest.approx(seconds)


@pytest.mark.parametrize("main", [0, 10, 100])
def test_moves_without_number_mean_no_limit(main):
    assert GtpClock.settings(main, 1, 0) is None


def test_main_time_goes_over_into_periods_and_these_begin_anew():
    clock = GtpClock.settings(10, 6, 2)
    clock.spend(4)
    assert (clock.left, clock.moves) == (6, 0)
    clock.spend(7)
    assert (clock.left, clock.moves) == (6, 2)
    clock.spend(5)
    assert (clock.left, clock.moves) == (1, 1)
    clock.spend(0.5)
    assert (clock.left, clock.moves) == (6, 2)


def test_time_that_is_used_up_without_periods_stays_used_up():
    clock = GtpClock.settings(10, 0, 0)
    clock.spend(11)
    assert clock.left == 0
    assert clock.seconds_for_a_move() == LEAST


@given(
    st.floats(0, 1000),
    st.floats(0, 100),
    st.integers(0, 5),
    st.lists(st.floats(0, 50), max_size=20),
)
def test_whoever_keeps_to_it_is_never_late(main, period, moves, shares):
    clock = GtpClock.settings(main, period, moves)
    if clock is None:
        return
    for _ in shares:
        seconds = clock.seconds_for_a_move()
        assert seconds >= LEAST
        room = clock.left if clock.moves or not moves else clock.left + period / moves
        assert seconds <= max(LEAST, room)
        clock.spend(seconds)
        assert clock.left >= 0
