"""Endgame tables of five pieces: made whole, proved, and used by a search; all of it takes long."""

import os
import random
import signal

import numpy as np
import pytest
from checkers_endings import SUMS, check_play, summed, wait_until

from clauseboard.evaluation import Limit
from clauseboard.games.checkers import Checkers, endgame_tables, endgames
from clauseboard.games.checkers.endgame_tables import share_made, table_path
from clauseboard.games.solving import exact_words, start_tables, stop_tables, tables_status
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.players import load_player
from clauseboard.search.alpha_beta import AlphaBeta

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(JIT_DISABLED, reason="too long without the compiler"),
]

GAME = Checkers()


@pytest.fixture(scope="module")
def five(tmp_path_factory):
    """The tables of five pieces, in use; their making is killed once on the way."""
    folder = tmp_path_factory.mktemp("five")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(endgame_tables, "tables_folder", lambda: folder)
        patch.setenv(endgames.SETTING, "5")
        start_tables(GAME)
        wait_until(lambda: share_made(5, folder) > 0.2)
        os.kill(endgames._large._builder.pid, signal.SIGKILL)
        wait_until(lambda: not endgames._large.is_busy)
        text = tables_status(GAME).text
        assert text.endswith("The endgame tables of four pieces are used instead.")
        assert not table_path(folder, 5).exists()
        stop_tables(GAME)
        start_tables(GAME)
        wait_until(lambda: share_made(5, folder) > 0.25)
        stop_tables(GAME)  # as when the game is left
        start_tables(GAME)
        wait_until(lambda: tables_status(GAME).ready)
        yield endgames.tables_in_use()
        endgames._large.forget()


def test_they_are_right(five):
    assert five.pieces == 5
    assert five.count_faults() == 0
    assert summed(five, 5) == SUMS[5]
    assert check_play(five, 5, 300) > 80


def test_they_are_small_enough():
    assert endgame_tables.n_values(5) < 152_000_000


def play(search, position, limit):
    """Play to the end, both sides by the search: the outcome, and the number of moves."""
    evaluators = load_player("material", GAME).evaluators
    n_moves = 0
    while position.outcome() is None:
        choice = search.find(position, evaluators[position.to_move], limit)
        position = position.play(choice.move)
        n_moves += 1
    return position.outcome(), n_moves


# Won for the side that is named; three kings against two; men on both sides; a lone piece.
ENDINGS = [
    ("W:W11,12:BK6,K21,K29", "black"),
    ("W:WK1,K2,K3:BK28,K32", "white"),
    ("B:W21,22:B5,K12,K30", "black"),
    ("W:W21,K25,K30:BK4,8", "white"),
]


@pytest.mark.parametrize(("text", "winner"), ENDINGS)
def test_a_won_ending_is_won_the_shortest_way_and_a_lost_one_dragged_out(five, text, winner):
    position = GAME.read_position(text)
    verdict = five.probe(position)
    assert verdict.value == (1 if winner == position.to_move else -1)
    assert exact_words(position).startswith(f"{winner.capitalize()} wins in ")
    for depth in (1, 3):
        outcome, n_moves = play(AlphaBeta(), position, Limit(depth=depth))
        assert (outcome.winner, n_moves) == (winner, verdict.plies)
    outcome, n_moves = play(AlphaBeta(), position, Limit(seconds=0.02))
    assert (outcome.winner, n_moves) == (winner, verdict.plies)


def longest(five, material):
    """A board of some material whose win takes longest."""
    start = five.offsets[material.code]
    values = five.values[start : start + material.size]
    wins = np.where((values % 2 == 0) & (values < endgame_tables.NO_BOARD), values, 0)
    return int(wins.max()) - 1


def test_three_kings_beat_two_within_the_forty_moves(five):
    kings = endgame_tables.Material(0, 3, 0, 2)
    assert longest(five, kings) == 67 < 2 * GAME.quiet_moves
    rng, won = random.Random(3), 0
    while won < 10:
        squares = rng.sample(range(1, 33), 5)
        names = [f"K{square}" for square in squares]
        position = GAME.read_position(f"W:W{','.join(names[:3])}:B{','.join(names[3:])}")
        verdict = five.probe(position)
        if verdict.value == 1 and verdict.plies > 30:
            outcome, n_moves = play(AlphaBeta(), position, Limit(depth=2))
            assert (outcome.winner, n_moves) == ("white", verdict.plies)
            won += 1


def test_wins_longer_than_forty_quiet_moves_are_won(five):
    """Men move, or pieces are taken, on the way, so that the count begins again."""
    rng, won = random.Random(4), 0
    while won < 10:
        men = rng.sample(range(13, 29), 3)
        kings = rng.sample([n for n in range(1, 33) if n not in men], 2)
        text = f"W:W{','.join(map(str, men))}:B{','.join(f'K{n}' for n in kings)}"
        position = GAME.read_position(text)
        verdict = five.probe(position)
        if verdict.value == 1 and verdict.plies > 2 * GAME.quiet_moves:
            assert "unless 40 moves without progress make it a draw" in exact_words(position)
            outcome, _ = play(AlphaBeta(), position, Limit(depth=2))
            assert outcome.winner == "white"
            won += 1


def test_a_search_sees_them_from_afar(five):
    """A jump from six pieces, 15x6, leads into an ending that only these tables know."""
    position = GAME.read_position("B:W10,11,12:BK15,K21,K29")
    evaluator = load_player("material", GAME).evaluators["black"]
    assert AlphaBeta().find(position, evaluator, Limit(depth=1)).value == 1.0
    assert AlphaBeta(endgames=False).find(position, evaluator, Limit(depth=1)).value < 1
