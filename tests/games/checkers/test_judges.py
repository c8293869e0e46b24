"""Other programs as judges: OpenSpiel and pydraughts play the same random games."""

import random

import pytest
from checkers_boards import ENDLESS, random_positions

from clauseboard.games.checkers import Checkers
from clauseboard.games.checkers.rules import BLACK, SQUARES, column, row

pyspiel = pytest.importorskip("pyspiel")

CHARACTERS = {None: ".", "black man": "o", "black king": "8", "white man": "+", "white king": "*"}


def spiel_name(square):
    """OpenSpiel's first player, our black, is at the bottom of its board: half a turn."""
    return f"{'abcdefgh'[7 - column(square)]}{row(square) + 1}"


def spiel_moves(state, path=()):
    """The moves of the side to move, with its jumps, which are turns of their own there, joined.

    Yields what the squares are called, and the state after the move.
    """
    player = state.current_player()
    for action in state.legal_actions():
        text = state.action_to_string(player, action)
        start, end = text[:2], text[2:4]
        after = state.child(action)
        so_far = (*path, end) if path else (start, end)
        if not after.is_terminal() and after.current_player() == player:
            yield from spiel_moves(after, so_far)
        else:
            yield so_far, after


def assert_same_board(position, state):
    lines = str(state).splitlines()
    for square in SQUARES:
        shown = lines[7 - row(square)][1 + 7 - column(square)]
        assert shown == CHARACTERS[position.piece_on(square)], (square, str(state), str(position))


def play_beside_spiel(seed):
    rng = random.Random(seed)
    state = pyspiel.load_game("checkers").new_initial_state()
    position = ENDLESS.start()
    moves = without_capture = 0
    while not state.is_terminal():
        assert_same_board(position, state)
        assert (position.to_move == BLACK) == (state.current_player() == 0)
        theirs = {}
        for path, after in spiel_moves(state):
            theirs[path] = after
        ours = {
            tuple(map(spiel_name, jump.path))
            for jump in (position.jumps() if position.moves()[0].captured else position.moves())
        }
        assert ours == set(theirs)
        move = rng.choice(position.moves())
        state = theirs[tuple(map(spiel_name, move.path))]
        position = position.play(move)
        moves += 1
        without_capture = 0 if move.captured else without_capture + 1
    outcome = position.outcome()
    if outcome is None:
        # Its own rule: a draw after forty turns without a jump, whatever men have moved.
        assert without_capture == 40
        assert state.returns() == [0.0, 0.0]
    else:
        assert state.returns() == ([1.0, -1.0] if outcome.winner == BLACK else [-1.0, 1.0])
    return moves, outcome


def test_random_games_with_openspiel():
    played = [play_beside_spiel(seed) for seed in range(250)]
    assert sum(moves for moves, _ in played) > 8_000
    assert {outcome and outcome.winner for _, outcome in played} == {"black", "white", None}


@pytest.mark.long
def test_many_random_games_with_openspiel():
    for seed in range(1000, 6000):
        play_beside_spiel(seed)


def draughts_moves(position):
    """The moves by pydraughts, as paths with what they take."""
    core = pytest.importorskip("draughts.core.game", reason="pydraughts is not here")
    game = core.Game(variant="english", fen=position.game.write_position(position))
    moves, captures = game.legal_moves()
    return sorted(
        ((move[0][0], *(step[1] for step in move)), tuple(sorted(filter(None, taken or ()))))
        for move, taken in zip(moves, captures or [()] * len(moves), strict=True)
    )


def assert_like_pydraughts(positions):
    for position in positions:
        if position.moves():
            ours = position.jumps() if position.moves()[0].captured else position.moves()
            assert sorted((move.path, move.captured) for move in ours) == draughts_moves(position)


def test_boards_full_of_kings_with_pydraughts():
    assert_like_pydraughts(random_positions(1, 60))


@pytest.mark.long
def test_many_boards_full_of_kings_with_pydraughts():
    assert_like_pydraughts(random_positions(2, 3000))


def test_the_usual_rules_are_the_default():
    assert Checkers() == Checkers(blocked="loss", quiet_moves=40, repetitions=3, max_moves=None)
