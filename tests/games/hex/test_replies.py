"""Replies to threats: which are left, which only put the question off, and that none helps."""

import random

import pytest

from clauseboard.game import load_game
from clauseboard.games.hex.line_facts import lost_fact
from clauseboard.games.hex.replies import longest_resistance, must_answer, refuted, replies_to
from clauseboard.games.hex.side_view import seen
from clauseboard.games.hex.solving import Solver, solver_for
from clauseboard.kernels.compiler import JIT_DISABLED
from hex_positions import random_position
from naive import hex_solver as naive

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


# ---- which reply of a lost side lasts longest


def lost_positions(size, count, empty, seed):
    """Positions with few empty cells in which every move loses, with the letters of the cells."""
    rng, game = random.Random(seed), load_game("hex", size=size)
    while count:
        position = random_position(rng, size, size**2 - empty, size**2 - empty + 3)
        letters = game.write_position(position).split()[0].replace("/", "")
        if not naive.mover_wins(letters, size, position.to_move[0].upper()):
            count -= 1
            yield position, letters


def naive_lengths(position, letters):
    """For each move how many stones the winner needs after it, by trying everything."""
    mover, winner = position.to_move[0].upper(), "RB"[position.to_move == "red"]
    size, lengths = position.game.size, {}
    for move in position.moves():
        at = move.row * size + move.column
        after = letters[:at] + mover + letters[at + 1 :]
        lengths[move] = naive.stones_needed(after, size, winner, winner)
    return lengths


def naive_answers(position, letters, move):
    at = move.row * position.game.size + move.column
    after = letters[:at] + position.to_move[0].upper() + letters[at + 1 :]
    return len(naive.winning_moves(after, position.game.size, "RB"[position.to_move == "red"]))


@pytest.mark.parametrize(("size", "count", "empty"), [(3, 10, 6), (4, 30, 8), (5, 8, 8)])
def test_the_moves_that_hold_out_longest_are_those_of_a_search_of_everything(size, count, empty):
    several = 0
    for position, letters in lost_positions(size, count, empty, seed=size):
        lengths, known = naive_lengths(position, letters), longest_resistance(position)
        most = max(lengths.values())
        longest = {move for move, n in lengths.items() if n == most}
        assert known.is_exact
        assert (set(known.moves), known.left) == (longest, most), position
        answers = {move: naive_answers(position, letters, move) for move in longest}
        assert known.answers == min(answers.values())
        assert set(known.best) == {move for move, n in answers.items() if n == known.answers}
        several += len(known.best) < len(known.moves)
    assert several > 2


def test_without_the_solver_moves_hold_out_nearly_as_long():
    """And where no reply is found that connects the other side, it needs as many moves as is said.

    The solver, which counts here, is held against a search of everything elsewhere.
    """
    rng, solver, held, best, average, unseen = random.Random(15), Solver(5), 0, 0, 0.0, 0
    for _ in range(100):
        position = random_position(rng, 5, 3, 12)
        if solver.winning_moves(position):
            continue
        lengths = {move: solver.fewest_moves(position.play(move)) for move in position.moves()}
        known = longest_resistance(position, False)
        assert not known.is_exact
        held += lengths[known.best[0]]
        best += max(lengths.values())
        average += sum(lengths.values()) / len(lengths)
        if not known.is_seen:
            unseen += 1
            assert all(lengths[move] >= known.left for move in known.moves), position
    assert held >= 0.9 * best
    assert held > 1.1 * average
    assert unseen > 1


def test_how_long_is_said_in_half_a_sentence():
    game = load_game("hex", size=4)
    position = game.read_position("..../..R./.R../.B.. blue")
    said = {}
    for move in map(position.read_move, ("a4", "c1", "a1")):
        said[str(move)], *_ = lost_fact(position, [move])
    needs = "Red still needs four moves"
    assert said == {
        "a4": f"no move holds out longer than a4: {needs}",
        "c1": f"no move holds out longer than c1: {needs}",
        "a1": f"a4 would hold out longest: {needs}",
    }
    _, (why, rest), cells = lost_fact(position, [position.read_move("a4")])
    assert why.startswith("Red is connected from top to bottom: the top to c2 by ")
    assert rest == "Three moves hold out as long; a4 leaves Red one answer, the fewest."
    assert set(cells) <= {str(move) for move in position.moves()}


def test_larger_boards_have_bounds():
    rows = ["..........."] * 11
    rows[2], rows[5], rows[8] = "......R....", "....R.B....", "..BR......."
    text = "/".join(rows) + " blue"
    position = load_game("hex", size=11).read_position(text)
    known = longest_resistance(position)
    assert not known.is_exact
    said, *_ = lost_fact(position, [known.best[0]])
    assert f"{known.best[0]}" in said
    assert "Red still needs at least " in said


def test_nothing_is_counted_where_a_swap_may_come():
    start = load_game("hex", size=4, swap=True).start()
    assert longest_resistance(start) is None
    assert longest_resistance(start.play(start.read_move("b2"))) is None
    large = load_game("hex", size=16).start()
    assert longest_resistance(large) is None
    assert lost_fact(large) is None
