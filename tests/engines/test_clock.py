"""Time for a game: worked out by hand, and never less than nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.engines.server import LEAST, MOVES_TO_GO, SHARE, EarlyStop, GtpClock
from clauseboard.player import Candidate, Choice, Cost


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


def test_a_long_game_leaves_time_for_its_moves():
    clock = GtpClock.settings(300, 0, 0)
    assert clock.seconds_for_a_move(100) == pytest.approx(SHARE * 3)


def so_far(visits, simulations, seconds):
    """A choice that a search tells on its way."""
    candidates = tuple(Candidate(n, 0.0, visits=v) for n, v in enumerate(visits))
    return Choice(0, candidates=candidates, cost=Cost(seconds, simulations=simulations))


@pytest.mark.parametrize(
    ("visits", "stops"),
    [((700, 100, 200), False), ((900, 50, 50), False), ((4500, 400, 100), True), ((5000,), False)],
)
def test_a_move_that_cannot_be_caught_up_with_is_played_at_once(visits, stops):
    heard = []
    early = EarlyStop(2.0, heard.append, None)
    assert not early.is_stopped()
    choice = so_far(visits, sum(visits), 1.0 if sum(visits) < 2000 else 1.5)
    early.hear(choice)
    assert early.is_stopped() == stops
    assert heard == [choice]


def test_whoever_else_stops_a_player_still_does():
    assert EarlyStop(2.0, None, lambda: True).is_stopped()
    assert not EarlyStop(2.0, None, lambda: False).is_stopped()
