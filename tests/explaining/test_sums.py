"""Reasons, arguments and shares add up to the votes of thousands of boards, exactly."""

from fractions import Fraction

import pytest
from explained import (
    GAMES,
    KINDS,
    boards_of,
    explanations_of,
    judge_of,
    regressor_of,
    totals,
    without_zeros,
)

from clauseboard.explaining import join, merge, shares
from clauseboard.explaining.account import heat, lead_shares
from clauseboard.explanation import Explanation, Reason, Term
from clauseboard.kernels.compiler import JIT_DISABLED
from naive.machines import names_on, slow_votes

every = pytest.mark.parametrize("name", GAMES)
kinds = pytest.mark.parametrize("kind", KINDS)


@every
@kinds
def test_reasons_add_up_to_the_votes_that_searches_see(name, kind):
    judge, found = judge_of(name, kind), explanations_of(name, kind)
    judgements = judge.judge([explanation.position for explanation in found])
    for row, explanation in enumerate(found):
        counted = dict(zip(judgements.winners, judgements.votes[row].tolist(), strict=True))
        assert explanation.votes == counted
        assert totals(explanation.reasons) == without_zeros(counted)
        assert explanation.value == judgements.values[row]


@every
@kinds
def test_merged_and_joined_they_still_do(name, kind):
    for explanation in explanations_of(name, kind):
        votes = without_zeros(explanation.votes)
        assert totals(merge(explanation.reasons)) == votes
        arguments = join(explanation.reasons, explanation.position.game)
        assert totals(arguments) == votes
        weights = [abs(argument.votes) for argument in arguments]
        assert weights == sorted(weights, reverse=True)
        assert all(weights)


@every
@kinds
def test_shares_do_exactly(name, kind):
    for explanation in explanations_of(name, kind):
        for end, votes in explanation.votes.items():
            found = shares(explanation, end)
            assert all(isinstance(share, Fraction) for share in found.values())
            assert sum(found.values()) == votes
        for colour in explanation.position.game.colours:
            lead = lead_shares(explanation, colour)
            assert sum(lead.values()) == explanation.lead(colour)
            other = explanation.position.game.other(colour)
            assert explanation.lead(colour) == -explanation.lead(other)


def test_all_this_is_thousands_of_boards_of_every_game():
    for name in GAMES:
        found = sum(len(explanations_of(name, kind)) for kind in KINDS)
        assert found > (60 if JIT_DISABLED else 2000)


@every
@kinds
def test_votes_are_those_of_clauses_counted_by_their_names(name, kind):
    """The slow way: each clause is read as words, and the board as the names of its bits."""
    judge = judge_of(name, kind)
    for explanation in explanations_of(name, kind)[::30]:
        position = explanation.position
        side = position.game.colours.index(position.to_move)
        machine = judge.judges[side].machine
        if machine.window is not None:
            continue
        there = names_on(position.game, position, "mover" if kind == "mover" else "board")
        ends = dict(zip(machine.classes_, judge.judges[side].ends, strict=True))
        seen = position.game.colours
        if kind == "mover" and side == 1:
            seen = seen[::-1]
        counted = {}
        for class_, end in ends.items():
            about = (*seen, None)[end]
            counted[about] = counted.get(about, 0) + slow_votes(machine, class_, there)
        assert counted == dict(explanation.votes)


@every
def test_a_regressor_has_one_sum(name):
    judge = regressor_of(name)
    for position in boards_of(name)[:50]:
        explanation = judge.explain(position)
        ((end, votes),) = explanation.votes.items()
        assert sum(shares(explanation, end).values()) == votes


def bit_of(name, place):
    game = boards_of(name)[0].game
    return game.bits()[place]


def test_a_share_worked_out_by_hand():
    position = boards_of("hex")[0]
    one, two, three = (bit_of("hex", n) for n in (0, 1, 16))  # red a1, red b1, blue a1
    reasons = (
        Reason((one,), (two,), 7, True, "red"),
        Reason((), (one, three), 2, False, "red"),  # one cell, named twice
        Reason((), (), 3, True, "red"),
        Reason((two,), (), 5, True, "blue"),
    )
    explanation = Explanation(position, 0.0, "", {"red": 8, "blue": 5}, reasons)
    assert shares(explanation, "red") == {
        "a1": Fraction(7, 2) - 2, "b1": Fraction(7, 2), None: Fraction(3)
    }  # fmt: skip
    assert lead_shares(explanation, "blue") == {
        "b1": 5 - Fraction(7, 2), "a1": 2 - Fraction(7, 2), None: Fraction(-3)
    }  # fmt: skip
    assert shares(explanation, None) == {}
    assert heat(explanation, "red") == {"a1": 1.0, "b1": -1.0}


def test_heat_of_terms_is_for_the_colour_asked():
    position = boards_of("hex")[0]
    terms = (Term("a", 2.0, "a1"), Term("b", -1.0, "b1"), Term("c", 9.0), Term("d", 1.0, "b1"))
    explanation = Explanation(position, 0.5, "", terms=terms)
    assert heat(explanation, position.to_move) == {"a1": 1.0}
    assert heat(explanation, position.game.other(position.to_move)) == {"a1": -1.0}
    assert explanation.value_for(position.to_move) == 0.5
    assert explanation.value_for(position.game.other(position.to_move)) == -0.5


def test_without_reasons_there_is_no_heat():
    assert heat(Explanation(boards_of("hex")[0], 0.0, ""), "red") == {}
