"""Openings, and the search for material that makes the deck of them."""

import json
from pathlib import Path

import numpy as np
import pytest
from checkers_boards import ENDLESS, random_positions, words

from clauseboard.games.checkers import Checkers
from clauseboard.games.checkers.kernels import KING, LOST, MAN, balance, best_balance
from clauseboard.games.checkers.selfplay import (
    balance_ahead,
    openings,
    three_move_deck,
    two_move_deck,
)
from clauseboard.kernels.compiler import JIT_DISABLED


def count(position):
    """The side to move's men and kings, less the other's, piece by piece."""
    total = 0
    for square in range(1, 33):
        piece = position.piece_on(square)
        if piece:
            worth = KING if piece.endswith("king") else MAN
            total += worth if piece.startswith(position.to_move) else -worth
    return total


def minimax(position, depth):
    """The same search without a bound: every line to its end."""
    moves = position.possible_moves
    if depth <= 0 and not (moves and moves[0].captured):
        return count(position)
    if not moves:
        return -LOST
    return max(-minimax(position.after(move), depth - 1) for move in moves)


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_the_search_finds_what_trying_everything_finds(depth):
    n = 5 if JIT_DISABLED else 60
    for position in [ENDLESS.start(), *random_positions(depth, n)]:
        assert best_balance(*words(position), depth) == minimax(position, depth)


def test_pieces_are_counted():
    with np.errstate(over="ignore"):
        for position in random_positions(7, 30):
            if JIT_DISABLED:
                assert balance(*words(position)) == count(position)
            if not list(position.jumps()):
                assert best_balance(*words(position), 0) == count(position)


def test_a_man_is_seen_to_be_lost():
    # 13-17 gives a man away: white jumps, and nothing can be taken back.
    start = Checkers().start()
    for text in ("9-13", "24-19", "13-17"):
        start = start.play(start.read_move(text))
    assert balance_ahead(start) == MAN
    with pytest.raises(ValueError, match="depth=-1 must be an integer >= 0"):
        balance_ahead(start, -1)


@pytest.mark.parametrize(("n_moves", "number"), [(1, 7), (2, 49), (3, 216)])
def test_openings_lead_to_different_positions(n_moves, number):
    found = openings(n_moves)
    assert len(found) == number
    assert len({opening.position.board for opening in found}) == number
    for opening in found:
        assert len(opening.moves) == n_moves
        here = Checkers().start()
        for text in str(opening).split():
            here = here.play(here.read_move(text))
        assert here == opening.position


def test_openings_keep_the_rules_they_are_asked_for():
    game = Checkers(max_moves=50)
    assert openings(2, game)[0].position.game == game
    assert openings(2, game)[0].position.played == 2


@pytest.mark.parametrize("n_moves", [0, 4, "3"])
def test_openings_of_other_lengths(n_moves):
    with pytest.raises(ValueError, match="Openings have 1, 2 or 3 moves, not"):
        openings(n_moves)


@pytest.mark.skipif(JIT_DISABLED, reason="too long without the compiler")
def test_the_deck_of_two_moves_leaves_out_two():
    game = Checkers(max_moves=50)
    kept = two_move_deck(game)
    out = [opening for opening in openings(2, game) if opening not in kept]
    assert [str(opening) for opening in out] == ["9-14 21-17", "10-14 21-17"]
    assert len(kept) == 47
    for opening in out:
        # White has put a man where it is taken for nothing.
        assert [balance_ahead(opening.position, depth) for depth in (3, 8, 12)] == [MAN] * 3


@pytest.mark.skipif(JIT_DISABLED, reason="too long without the compiler")
def test_the_deck_is_that_of_the_tournaments_with_the_barred_ones():
    """The 174 positions that players know, of which they play 156 and bar 18 by long analysis."""
    draughts = pytest.importorskip("draughts")
    file = Path(draughts.__file__).parent / "ballot_files" / "3move_english.json"
    if not file.exists():
        pytest.skip("pydraughts is not here")
    known = json.loads(file.read_text("utf-8"))["all"]
    theirs = {ENDLESS.read_position(text).board for text in known.values()}
    assert {opening.position.board for opening in three_move_deck()} == theirs
    assert len(theirs) == 174
