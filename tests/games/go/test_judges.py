"""Other people's Go: OpenSpiel's rules and results, and sgfmill's boards.

OpenSpiel plays with the simple ko rule, without suicide, ends a game after twice as many moves as
there are points, and calls it a draw as soon as a stone repeats an earlier board. So its legal
moves are ours without superko, and with superko ours are those of its moves that do not end the
game in that way.
"""

import random

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.games.go import PASS, GoMove, kernels
from clauseboard.games.go.board import handicap_points
from clauseboard.games.go.rules import score


def move_of(action, size):
    """OpenSpiel counts points from the bottom left corner."""
    return PASS if action == size * size else GoMove(point_of(action, size))


def point_of(action, size):
    return (size - 1 - action // size) * size + action % size


def returns_of(outcome):
    signs = {None: [0, 0], "black": [1, -1], "white": [-1, 1]}
    return signs[outcome.winner]


def rules_against_open_spiel(pyspiel, size, seed, komi=7.0):
    """One random game; whether it ended by a repeat."""
    rng = random.Random(seed)
    theirs = pyspiel.load_game(f"go(board_size={size},komi={komi})")
    state = theirs.new_initial_state()
    position = load_game("go", size=size, komi=komi, max_moves=theirs.max_game_length()).start()
    seen = set()
    while True:
        seen.add(position.board)
        actions = state.legal_actions()
        assert {move_of(action, size) for action in actions} == set(position.moves())
        action = rng.choice(actions)
        state.apply_action(action)
        position = position.play(move_of(action, size))
        if action != size * size and position.board in seen:
            assert state.is_terminal()
            assert state.returns() == [0, 0]
            return True
        assert state.is_terminal() == (position.outcome() is not None)
        if state.is_terminal():
            assert state.returns() == returns_of(position.outcome())
            return False


@pytest.mark.parametrize(
    ("size", "games"), [(2, 400), (3, 400), (4, 200), (5, 100), (7, 50), (9, 20), (13, 4), (19, 1)]
)
def test_rules_and_results_are_those_of_open_spiel(size, games):
    pyspiel = pytest.importorskip("pyspiel")
    repeats = [rules_against_open_spiel(pyspiel, size, seed) for seed in range(games)]
    assert not all(repeats)
    assert size > 2 or any(repeats)


@pytest.mark.parametrize("komi", [0.0, 0.5, 6.0])
def test_komi_counts_as_in_open_spiel(komi):
    pyspiel = pytest.importorskip("pyspiel")
    for seed in range(30):
        rules_against_open_spiel(pyspiel, 4, 500 + seed, komi)


@pytest.mark.parametrize(("size", "games"), [(2, 60), (3, 60)])
def test_superko_forbids_the_moves_that_end_a_game_of_open_spiel_in_a_draw(size, games):
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"go(board_size={size},komi=0.5)")
    forbidden = 0
    for seed in range(games):
        rng = random.Random(seed)
        state = theirs.new_initial_state()
        position = load_game("go", size=size, superko=True).start()
        while not state.is_terminal() and position.moves_played < theirs.max_game_length() - 1:
            allowed = set()
            for action in state.legal_actions():
                after = state.child(action)
                # With half a point of komi only a repeat is a draw.
                if not (after.is_terminal() and after.returns() == [0, 0]):
                    allowed.add(move_of(action, size))
                else:
                    forbidden += 1
            assert set(position.moves()) == allowed
            move = rng.choice(position.moves())
            point = size * size if move.is_pass else move.point
            state.apply_action(point if move.is_pass else point_of(point, size))
            position = position.play(move)
    assert forbidden > 0


def kernels_against_open_spiel(pyspiel, size, seed):
    rng = random.Random(seed)
    theirs = pyspiel.load_game(f"go(board_size={size},komi=7.0)").new_initial_state()
    state, mask = kernels.new_state(size), np.empty(size * size, np.uint8)
    kernels.set_up(state, np.zeros(size * size, np.uint8), 1, -1, 0)
    board, seen, repeated, moves = np.zeros(size * size, np.uint8), set(), False, 0
    while not theirs.is_terminal():
        assert not repeated
        seen.add(board.tobytes())
        actions = theirs.legal_actions()
        kernels.legal(state, False, mask)
        assert np.count_nonzero(mask) == len(actions) - 1
        assert all(mask[point_of(action, size)] for action in actions[:-1])
        # Few passes, which would end most games early.
        action = rng.choice(actions[:-1] or actions) if rng.random() < 0.99 else actions[-1]
        theirs.apply_action(action)
        kernels.play(state, -1 if action == size * size else point_of(action, size))
        kernels.read_board(state, board)
        repeated = action != size * size and board.tobytes() in seen
        moves += 1
    assert repeated or state[kernels.INFO, kernels.PASSES] == 2 or moves == 2 * size * size
    margin = kernels.area(state, np.empty(size * size, np.uint8)) - 7
    assert theirs.returns()[0] == (0 if repeated else np.sign(margin))
    return moves


@pytest.mark.parametrize(("size", "games"), [(3, 1000), (5, 1000), (9, 300), (19, 30)])
def test_kernels_are_those_of_open_spiel(size, games):
    pyspiel = pytest.importorskip("pyspiel")
    moves = sum(kernels_against_open_spiel(pyspiel, size, seed) for seed in range(games))
    assert moves > games * size * size


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "games"), [(2, 20_000), (4, 20_000), (9, 10_000), (13, 1000), (19, 500)]
)
def test_many_games_of_the_kernels_are_those_of_open_spiel(size, games):
    pyspiel = pytest.importorskip("pyspiel")
    for seed in range(games):
        kernels_against_open_spiel(pyspiel, size, 10_000 + seed)


@pytest.mark.long
@pytest.mark.parametrize(("size", "games"), [(2, 5000), (3, 5000), (5, 2000), (9, 500)])
def test_many_games_of_the_rules_are_those_of_open_spiel(size, games):
    pyspiel = pytest.importorskip("pyspiel")
    for seed in range(games):
        rules_against_open_spiel(pyspiel, size, 10_000 + seed)


@pytest.mark.parametrize("stones", range(2, 10))
def test_handicap_stones_lie_where_open_spiel_puts_them(stones):
    pyspiel = pytest.importorskip("pyspiel")
    state = pyspiel.load_game(f"go(board_size=19,handicap={stones})").new_initial_state()
    free = {point_of(action, 19) for action in state.legal_actions()[:-1]}
    assert set(range(361)) - free == set(handicap_points(19, stones))
    assert state.current_player() == 1


@pytest.mark.parametrize(("size", "games"), [(3, 20), (9, 8), (19, 2)])
def test_boards_and_areas_are_those_of_sgfmill(size, games):
    boards = pytest.importorskip("sgfmill.boards")
    for seed in range(games):
        rng = random.Random(seed)
        position = load_game("go", size=size, suicide=seed % 2 == 1).start()
        theirs = boards.Board(size)
        while position.outcome() is None and position.moves_played < 3 * size * size:
            ko = None
            points = position.moves()[:-1] if rng.random() < 0.98 else ()
            move = rng.choice(points or (PASS,))
            if not move.is_pass:
                y, x = divmod(move.point, size)
                ko = theirs.play(size - 1 - y, x, position.to_move[0])
            position = position.play(move)
            expected = None if position.ko is None else divmod(position.ko, size)
            assert ko == (None if expected is None else (size - 1 - expected[0], expected[1]))
            for colour, (y, x) in theirs.list_occupied_points():
                assert position.board[(size - 1 - y) * size + x] == "-bw".index(colour)
            assert len(theirs.list_occupied_points()) == size * size - position.board.count(0)
        black, white = score(position).area
        assert theirs.area_score() == black - white
