"""Alpha-beta, compiled and plain, held against minimax by the book."""

import math

import pytest
from alpha_beta_judges import (
    KINDS,
    ROUNDING,
    TABLES,
    Material,
    N,
    assert_same,
    hex_positions,
    judged,
    positions,
    weighted,
)

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.games.checkers import Checkers
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.search.alpha_beta import AlphaBeta
from naive import alpha_beta as naive


@pytest.mark.parametrize("quiescence", [True, False])
@pytest.mark.parametrize("table_bits", [0, 4, 16])
@pytest.mark.parametrize("kind", KINDS)
def test_checkers_is_minimax(kind, table_bits, quiescence):
    evaluator = KINDS[kind](Checkers(), 3)
    search = AlphaBeta(table_bits=table_bits, quiescence=quiescence, endgames=False)
    for n, position in enumerate(positions(1, N)):
        depth = 1 + n % 3
        expected = naive.each_move(position, depth, judged(evaluator), quiescence=quiescence)
        assert_same(search.find(position, evaluator, Limit(depth=depth), seed=n), expected)


@pytest.mark.parametrize("hidden", [False, True])
def test_checkers_is_minimax_further_on(hidden):
    evaluator = weighted(Checkers(), 5, "mover", hidden)
    search = AlphaBeta(endgames=False)
    for n, position in enumerate(positions(2, 1 if JIT_DISABLED else 6, most=2)):
        expected = naive.each_move(position, 4, judged(evaluator))
        assert_same(search.find(position, evaluator, Limit(depth=4), seed=n), expected)


@pytest.mark.long
def test_checkers_is_minimax_on_many_boards():
    for kind, make in KINDS.items():
        evaluator = make(Checkers(), 9)
        search = AlphaBeta(endgames=False, table_bits=10)
        for n, position in enumerate(positions(kind, 150)):
            depth = 1 + n % 4
            expected = naive.each_move(position, depth, judged(evaluator))
            assert_same(search.find(position, evaluator, Limit(depth=depth), seed=n), expected)


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_hex_is_minimax(kind, hidden):
    evaluator = KINDS[kind](load_game("hex", size=3), 4, hidden=hidden)
    search = AlphaBeta(table_bits=8)
    for n, position in enumerate(hex_positions(1, 2 if JIT_DISABLED else 8)):
        depth = 1 + n % (2 if JIT_DISABLED else 4)
        expected = naive.each_move(position, depth, judged(evaluator))
        assert_same(search.find(position, evaluator, Limit(depth=depth)), expected)


@pytest.mark.parametrize("hidden", [False, True])
def test_every_move_gets_its_exact_value(hidden):
    evaluator = weighted(Checkers(), 6, hidden=hidden)
    search = AlphaBeta(every_move=True, endgames=False)
    for position in positions(3, N // 3, most=5):
        expected = naive.each_move(position, 3, judged(evaluator))
        choice = search.find(position, evaluator, Limit(depth=3))
        assert_same(choice, expected)
        assert {one.move for one in choice.candidates} == set(position.moves())
        for one in choice.candidates:
            exact = min(max(expected[one.move], -1), 1)
            assert one.value == pytest.approx(exact, abs=ROUNDING)


@pytest.mark.parametrize("grain", [0.0, 0.01, 0.3])
@pytest.mark.parametrize("hidden", [False, True])
def test_values_are_rounded_to_a_grain(grain, hidden):
    evaluator = weighted(Checkers(), 6, hidden=hidden)
    search = AlphaBeta(grain=grain, endgames=False)

    def rounded(position):
        value = judged(evaluator)(position)
        return value if grain == 0 else math.floor(value / grain + 0.5) * grain

    for position in positions(12, N // 3, most=5):
        expected = naive.each_move(position, 3, rounded)
        assert_same(search.find(position, evaluator, Limit(depth=3)), expected)


@pytest.mark.parametrize("draw", [-0.5, 0.0, 1.0])
@pytest.mark.parametrize("hidden", [False, True])
def test_what_a_draw_is_worth(draw, hidden):
    """Near the end of a game that is soon drawn by counting."""
    game = Checkers(quiet_moves=2, max_moves=9)
    evaluator = weighted(game, 7, hidden=hidden)
    search = AlphaBeta(draw_score=draw, endgames=False, table_bits=10)
    for position in positions(4, N // 4 + 1, most=3, game=game, plies=4):
        expected = naive.each_move(position, 3, judged(evaluator), draw=draw)
        assert_same(search.find(position, evaluator, Limit(depth=3)), expected)


def test_plain_and_compiled_find_the_same():
    for position in positions(6, N // 2, most=6):
        found = [
            AlphaBeta(endgames=TABLES).find(
                position, weighted(Checkers(), 8, hidden=hidden), Limit(depth=3), seed=5
            )
            for hidden in (False, True)
        ]
        assert found[0].value == pytest.approx(found[1].value, abs=ROUNDING)


def test_a_plain_function_of_positions():
    evaluator = Material(Checkers())
    for position in positions(7, N // 4 + 1):
        expected = naive.each_move(position, 2, Material.one)
        choice = AlphaBeta(endgames=False).find(position, evaluator, Limit(depth=2))
        assert_same(choice, expected)


def test_go_can_be_searched():
    game = load_game("go", size=3)
    for hidden in (False, True):
        evaluator = weighted(game, 1, hidden=hidden)
        choice = AlphaBeta().find(game.start(), evaluator, Limit(depth=2))
        expected = naive.each_move(game.start(), 2, judged(evaluator))
        assert_same(choice, expected)
