"""Limits, judgements, and evaluators as data."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.evaluation import (
    BitEvaluator,
    Evaluator,
    Judgements,
    Limit,
    byte_sums,
    linear,
    sides_of,
)
from clauseboard.game import load_game


class Alternating(Evaluator):
    game = load_game("hex", size=3)

    def judge(self, positions):
        return Judgements(np.array([0.5 if p.to_move == "red" else -0.5 for p in positions]))


class CountsBits(BitEvaluator):
    game = load_game("hex", size=3)

    def judge_bits(self, bits, sides):
        ones = np.unpackbits(bits, axis=1).sum(axis=1)
        return Judgements(ones / 18 * np.where(sides == 0, 1, -1))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seconds": 0}, "seconds=0 must be a number > 0"),
        ({"seconds": math.inf}, "seconds=inf"),
        ({"seconds": math.nan}, "seconds=nan"),
        ({"seconds": True}, "seconds=True"),
        ({"seconds": "1"}, "seconds='1'"),
        ({"depth": 0}, "depth=0 must be an integer >= 1"),
        ({"nodes": 2.0}, "nodes=2.0"),
        ({"simulations": True}, "simulations=True"),
    ],
)
def test_what_is_no_limit_is_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        Limit(**settings)


def test_what_a_limit_leaves_open_comes_from_the_other():
    ours, theirs = Limit(seconds=1, nodes=5), Limit(seconds=2, depth=3, simulations=7)
    assert ours.or_else(theirs) == Limit(seconds=1, depth=3, nodes=5, simulations=7)
    assert Limit().or_else(theirs) == theirs == theirs.or_else(Limit())
    assert repr(Limit()) == "Limit()"
    assert eval(repr(theirs), {"Limit": Limit}) == theirs


def test_votes_are_read_by_winner():
    votes = np.array([[3, 5, 4], [9, 9, 0]])
    judged = Judgements(np.zeros(2), votes, ("black", None, "white"))
    assert judged.margins("black").tolist() == [-1, 9]
    assert judged.margins("white").tolist() == [1, -9]
    assert judged.predicted().tolist() == [1, 0]
    assert len(judged) == 2


def test_votes_that_are_not_there_are_missed():
    with pytest.raises(ValueError, match="values and no votes"):
        Judgements(np.zeros(1)).predicted()


def test_an_evaluator_without_reasons_says_its_value_only():
    position = Alternating.game.start()
    explanation = Alternating().explain(position)
    assert (explanation.value, explanation.reasons, explanation.votes) == (0.5, (), {})
    assert Alternating().compiled() is None
    assert Alternating().priors([position]) is None
    assert Alternating().compiled_priors() is None


def test_an_evaluator_of_bits_judges_positions():
    start = CountsBits.game.start()
    after = start.play(start.read_move("b2"))
    assert sides_of(CountsBits.game, [start, after]).tolist() == [0, 1]
    assert CountsBits().judge([start, after]).values.tolist() == [0, -1 / 18]


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=30), st.data())
def test_sums_by_bytes_are_sums_by_bits(weights, data):
    bits = np.array(
        data.draw(st.lists(st.integers(0, 1), min_size=len(weights), max_size=len(weights)))
    )
    sums = byte_sums(np.array(weights)[:, None])
    packed = np.packbits(bits.astype(np.uint8), bitorder="little")
    total = sum(sums[256 * byte + pattern, 0] for byte, pattern in enumerate(packed.tolist()))
    assert total == pytest.approx(np.dot(weights, bits))


def test_linear_takes_settings():
    assert linear([1, 2], scale=4, view="mover").arguments()[:5] == (2, 1, 4.0, 0.0, 1)


def test_seconds_are_those_of_the_clock_unless_the_processor_s_are_wanted(monkeypatch):
    from clauseboard import evaluation

    monkeypatch.setattr(evaluation.time, "thread_time", lambda: 123.0)
    before = evaluation.seconds_now()
    with evaluation.processor_time():
        assert evaluation.seconds_now() == 123.0
    assert evaluation.seconds_now() >= before


@pytest.mark.parametrize(("name", "spec"), [("checkers", "material"), ("hex", "rollouts")])
def test_a_search_by_processor_time_ends_when_the_processor_has_worked_long_enough(
    monkeypatch, name, spec
):
    """The clock stands still; only the processor's time goes on."""
    import itertools

    from clauseboard import evaluation
    from clauseboard.game import load_game
    from clauseboard.players import read_player

    ticks = itertools.count()
    monkeypatch.setattr(evaluation.time, "thread_time", lambda: next(ticks) / 4)
    game = load_game(name)
    player = read_player(spec, game)
    with evaluation.processor_time():
        choice = player.choose(game.start(), evaluation.Limit(seconds=1.0))
    assert choice.move in game.start().moves()
    assert next(ticks) >= 4
    assert choice.cost.seconds >= 1.0


def test_a_match_by_processor_time_is_another_match():
    from clauseboard.arena.match import Match
    from clauseboard.game import load_game

    plan = Match(load_game("hex", size=3), ("random", "random"), 2)
    assert "processor_time" not in plan.settings()
    other = Match(plan.game, plan.players, 2, processor_time=True)
    assert other.id != plan.id
    assert other.settings()["processor_time"] is True
