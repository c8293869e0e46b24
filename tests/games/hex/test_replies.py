"""Replies to threats: which are left, which only put the question off, and that none helps."""

import random

import pytest

from clauseboard.game import load_game
from clauseboard.games.hex.line_facts import lost_fact
from clauseboard.games.hex.replies import must_answer, refuted, replies_to
from clauseboard.games.hex.side_view import seen
from clauseboard.games.hex.solving import solver_for
from clauseboard.kernels.compiler import JIT_DISABLED
from hex_positions import random_position

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="a stone on every cell takes too long")


def threatened(seed, count):
    """Positions in which the side that is not to move threatens to connect, and that side."""
    rng = random.Random(seed)
    while count:
        position = random_position(rng, 6, 6, 18)
        side = position.game.other(position.to_move)
        view = seen(position, side)
        if view.own.half and not view.own.is_won:
            count -= 1
            yield position, side


def connects(position, side):
    view = seen(position, side)
    return view.own.is_won or bool(view.connecting)


def test_every_other_reply_lets_the_side_connect_at_once():
    named = 0
    for position, side in threatened(1, 25):
        left = {reply.cell for reply in replies_to(position, side) if not reply.at_once}
        for move in position.moves():
            after = position.play(move)
            if after.outcome() is None:
                assert connects(after, side) == (move not in left), (position, move)
        named += len(left)
    assert named > 20


def test_moves_that_win_are_among_the_answers_that_are_told():
    intrusions = won = 0
    for position, side in threatened(2, 40):
        real, others = must_answer(position, side)
        winning = set(solver_for(6).winning_moves(position))
        assert winning <= {*real, *others}, position
        assert not winning or winning & {*real, *others}
        intrusions += bool(others)
        won += bool(winning)
    assert intrusions > 5
    assert won > 5


def test_what_is_refuted_is_lost_and_each_answer_wins():
    told, by_solver = 0, 0
    for position, side in threatened(3, 40):
        known = refuted(position, side)
        if known is None:
            continue
        told += 1
        assert solver_for(6).solve(position).winner == side
        for reply in replies_to(position, side):
            after = position.play(reply.cell)
            by_solver += not reply.at_once
            assert set(reply.answers) <= set(solver_for(6).winning_moves(after)), position
        said, _, cells = lost_fact(position)
        assert said == known.whole
        assert set(cells) == set(map(str, known.cells))
    assert told > 5
    assert by_solver > 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            ".R..../....../...B../..BR../..RB../...... red",
            "all replies but f2, b3 and a5 let Blue connect at once, and b2 meets each of these",
        ),
        (
            "....../.....R/.BB.../....../RB..../RB..R. red",
            "all replies but e4 let Blue connect at once, and f1 meets that one",
        ),
    ],
)
def test_why_every_move_loses_is_told_by_the_replies(text, said):
    """ "The search has refuted each; for one, ..." told one line of idle moves."""
    assert lost_fact(load_game("hex", size=6).read_position(text))[0] == said


def test_nothing_is_said_where_nothing_is_threatened():
    position = load_game("hex", size=6).start()
    assert refuted(position, "blue") is None
    assert replies_to(position, "blue") == ()
    assert lost_fact(position) is None
