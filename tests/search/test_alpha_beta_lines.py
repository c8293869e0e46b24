"""The lines that alpha-beta plays: to their value, past repetitions, and into known endgames."""

import random

import numpy as np
import pytest
from alpha_beta_judges import (
    ROUNDING,
    TABLES,
    Bits,
    N,
    assert_same,
    hashing,
    judged,
    positions,
    thrown,
    weighted,
)

from clauseboard.evaluation import Limit, linear
from clauseboard.games.checkers import Checkers
from clauseboard.games.checkers.endgame_tables import open_tables
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.search.alpha_beta import AlphaBeta
from naive import alpha_beta as naive

# ------------------------------------------------------------------ lines


def test_the_end_of_the_line_has_the_value():
    evaluator = hashing(Checkers(), 2)
    search = AlphaBeta(endgames=False)
    for position in positions(8, N, most=6):
        choice = search.find(position, evaluator, Limit(depth=3))
        here = position
        for move in choice.line:
            assert move in here.moves()
            here = here.play(move)
        sign = 1 if here.to_move == position.to_move else -1
        if here.outcome() is None and abs(choice.value) < 1 and choice.value != 0:
            assert len(choice.line) >= 3
            value = sign * judged(evaluator)(here)
            assert choice.value == pytest.approx(value, abs=ROUNDING)


@pytest.mark.parametrize("table_bits", [1, 4, 8])
def test_lines_can_be_played_though_the_table_forgets(table_bits):
    """A move that looked better at first, but not when looked at once more, has no line."""
    game = Checkers()
    evaluator = hashing(game, 5)
    search = AlphaBeta(table_bits=table_bits, endgames=False)
    rng = random.Random(table_bits)
    for _ in range(1 if JIT_DISABLED else 20):
        position = thrown(rng, 6, game)
        search.begin()
        for _ in range(2 if JIT_DISABLED else 25):
            if position.outcome() is not None:
                break
            choice = search.find(position, evaluator, Limit(depth=3 if JIT_DISABLED else 6))
            for candidate in choice.candidates:
                here = position
                for move in candidate.line:
                    assert move in here.moves()
                    here = here.play(move)
            position = position.play(choice.move)


def test_the_quickest_win_is_taken():
    game = Checkers(quiet_moves=None, repetitions=None)
    position = game.read_position("B:W22,14:BK18,K5")
    choice = AlphaBeta(endgames=False).find(position, weighted(game, 1), Limit(depth=5))
    assert choice.value == 1.0
    expected = naive.each_move(position, 5, lambda _: 0.0)
    plies = round((10 - max(expected.values())) * naive.LONG)
    assert len(choice.line) == plies


# ------------------------------------------------------------------ repetition and endgames


def test_a_board_that_comes_up_again_is_a_draw():
    """Black is two kings down: to shuffle back to a board of the game is the best it has."""
    game = Checkers(repetitions=3)
    position = game.read_position("W:WK32,K31,K15:BK1")
    for text in ("32-27", "1-5", "27-32"):
        position = position.play(position.read_move(text))
    evaluator = Bits(game, linear(np.repeat([0.1, 0.1, -0.1, -0.1], 32)), None)
    search = AlphaBeta(endgames=False)
    choice = search.find(position, evaluator, Limit(depth=1))
    assert str(choice.move) == "5-1"
    assert choice.value == 0.0


@pytest.mark.skipif(not TABLES, reason="too long without the compiler")
def test_endgames_are_known():
    game = Checkers(quiet_moves=None, repetitions=None)
    tables = open_tables(4)
    evaluator = weighted(game, 1)

    def probe(position):
        verdict = tables.probe(position)
        return None if verdict is None else (verdict.value, verdict.plies or 0)

    for n, position in enumerate(positions(9, 40, most=3, game=game)):
        expected = naive.each_move(position, 2, judged(evaluator), probe=probe)
        hidden = weighted(game, 1, hidden=True)
        for one in (evaluator, hidden):
            assert_same(AlphaBeta().find(position, one, Limit(depth=2), seed=n), expected)


@pytest.mark.skipif(not TABLES, reason="too long without the compiler")
@pytest.mark.parametrize("seed", range(3))
def test_won_endings_are_won(seed):
    """Against the best defence, in as many moves as the tables tell and not one more."""
    game, tables = Checkers(), open_tables(4)
    rng = random.Random(seed)
    evaluator = weighted(game, 1)
    search = AlphaBeta()
    won = 0
    while won < 12:
        position = thrown(rng, 2, game)
        verdict = tables.probe(position)
        if verdict.value != 1 or not 5 <= verdict.plies <= 70:
            continue
        winner, moves = position.to_move, 0
        while position.outcome() is None:
            if position.to_move == winner:
                choice = search.find(position, evaluator, Limit(depth=1 + won % 3))
                assert choice.value == 1.0
                move = choice.move
            else:
                move = rng.choice(tables.best_moves(position))
            position = position.play(move)
            moves += 1
        assert position.outcome().winner == winner
        assert moves == verdict.plies
        won += 1


@pytest.mark.skipif(not TABLES, reason="too long without the compiler")
@pytest.mark.parametrize("text", ["B:W24,30:B17,23", "W:W6,27:B3,11", "B:W22,29:B8,25"])
@pytest.mark.parametrize("hidden", [False, True])
def test_wins_longer_than_forty_quiet_moves_are_won(text, hidden):
    """Men have to move for them, so that the count of quiet moves begins again."""
    game, tables = Checkers(), open_tables(4)
    position = game.read_position(text)
    assert tables.probe(position).plies > 2 * game.quiet_moves
    winner, search, evaluator = position.to_move, AlphaBeta(), weighted(game, 1, hidden=hidden)
    assert 0.99 < search.find(position, evaluator, Limit(depth=3)).value < 1
    rng = random.Random(1)
    while position.outcome() is None:
        move = rng.choice(tables.best_moves(position))
        if position.to_move == winner:
            move = search.find(position, evaluator, Limit(depth=2)).move
        position = position.play(move)
    assert position.outcome().winner == winner
    soon = Checkers(max_moves=90).read_position(text)
    assert search.find(soon, weighted(soon.game, 1, hidden=hidden), Limit(depth=3)).value < 0.99


@pytest.mark.skipif(not TABLES, reason="too long without the compiler")
def test_tables_are_not_believed_where_the_game_is_drawn_before():
    game = Checkers(quiet_moves=2)
    position = game.read_position("W:WK32,K31,K15:BK1")
    choice = AlphaBeta().find(position, weighted(game, 1), Limit(depth=6))
    assert choice.value < 1
    blocked = Checkers(blocked="draw")
    position = blocked.read_position("B:W9:BK14")
    assert AlphaBeta().find(position, weighted(blocked, 1), Limit(depth=2)).value <= 1


def played_out(position, search, evaluator, depth):
    """A game to its end, both sides by one search: the outcome, and the number of moves."""
    n_moves = 0
    while position.outcome() is None:
        position = position.play(search.find(position, evaluator, Limit(depth=depth)).move)
        n_moves += 1
    return position.outcome(), n_moves


@pytest.mark.skipif(not TABLES, reason="too long without the compiler")
def test_lost_endings_are_dragged_out():
    """With both sides by the search a game lasts as long as the tables tell, not one move less."""
    game, tables, rng = Checkers(), open_tables(4), random.Random(8)
    played = 0
    while played < 12:
        position = thrown(rng, 2, game)
        verdict = tables.probe(position)
        if verdict.value != -1 or not 4 <= verdict.plies <= 70:
            continue
        outcome, n_moves = played_out(position, AlphaBeta(), weighted(game, 1), 1 + played % 3)
        assert outcome.winner == game.other(position.to_move)
        assert n_moves == verdict.plies
        played += 1


@pytest.mark.skipif(not TABLES, reason="too long without the compiler")
def test_a_win_that_takes_pieces_on_the_way_may_be_longer_than_the_count():
    """To take a piece sets the count back; against a lone king nothing does."""
    position = Checkers(quiet_moves=None).read_position("W:WK5,K23:BK2,K29")
    plies = open_tables(4).probe(position).plies
    assert plies == 17
    for quiet_moves, least, most in ((plies, 1, 1), (3, 0.99, 0.999999)):
        game = Checkers(quiet_moves=quiet_moves)
        short = game.read_position("W:WK5,K23:BK2,K29")
        value = AlphaBeta().find(short, weighted(game, 1), Limit(depth=1)).value
        assert least <= value <= most
    lone = Checkers(quiet_moves=3)
    position = lone.read_position("W:WK32,K31:BK1")
    assert AlphaBeta().find(position, weighted(lone, 1), Limit(depth=1)).value < 0.99


@pytest.mark.skipif(not TABLES, reason="too long without the compiler")
@pytest.mark.parametrize("endgames", [True, False])
def test_no_draw_by_repetition_is_taken_when_ahead(endgames):
    """The move that would make the board be there for the third time is not played."""
    game = Checkers()
    position = game.read_position("W:WK22,K32:BK1")
    for text in ("22-18", "1-5", "18-22", "5-1", "22-18", "1-5", "18-23", "5-1"):
        position = position.play(position.read_move(text))
    again = position.read_move("23-18")
    assert position.play(again).outcome().winner is None
    fresh = game.read_position(game.write_position(position))
    evaluator = Bits(game, linear(np.repeat([0.1, 0.2, -0.1, -0.2], 32)), None)
    search, chosen = AlphaBeta(endgames=endgames), set()
    for seed in range(10):
        chosen.add(search.find(fresh, evaluator, Limit(depth=2), seed).move)
        choice = search.find(position, evaluator, Limit(depth=2), seed)
        assert choice.move != again
        assert choice.value == 1.0 if endgames else choice.value > 0
    assert again in chosen  # without the moves before it is as good as any
