"""The rules in plain Python, held against the slow twin, and case by case."""

import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import IllegalMoveError, load_game
from clauseboard.games.go import PASS, GoMove
from clauseboard.games.go.board import handicap_points, names, symmetries
from naive import go as naive


def play(game, text):
    position = game.start()
    for move in text.split():
        position = position.play(position.read_move(move))
    return position


def legal_points(position):
    return [move.point for move in position.moves() if not move.is_pass]


def against_the_twin(size, seed, most, **options):
    """Play a random game in both, and compare everything after every move."""
    rng = random.Random(seed)
    position = load_game("go", size=size, max_moves=most, **options).start()
    twin = naive.Game(size, **options)
    repeats = 0
    while position.outcome() is None:
        points = legal_points(position)
        assert points == twin.legal()
        assert position.moves()[-1] == PASS
        # Few passes, so that games get long and boards get full.
        point = rng.choice(points) if points and rng.random() < 0.95 else None
        repeats += point is not None and position.after(point)[0] in map(bytes_of, twin.boards)
        position, _ = position.play(GoMove(point)), twin.play(point)
        assert naive.from_bytes(position.board, size) == twin.lines
        assert position.to_move[0] == twin.side
        assert position.passes == twin.passes
        assert position.prisoners == (twin.taken["b"], twin.taken["w"])
    black, white = naive.area(twin.lines)
    assert f", {black} to {white} and komi 7" in position.outcome().reason
    margin = black - white - 7
    assert position.outcome().winner == (
        None if margin == 0 else "black" if margin > 0 else "white"
    )
    return repeats


def bytes_of(lines):
    return bytes(".bw".index(letter) for letter in naive.flat(lines))


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("superko", [False, True])
@pytest.mark.parametrize(("size", "most", "games"), [(2, 60, 12), (3, 90, 12), (5, 120, 3)])
def test_random_games_go_as_in_the_twin(size, most, games, superko, suicide):
    repeats = [
        against_the_twin(size, seed, most, superko=superko, suicide=suicide)
        for seed in range(games)
    ]
    # The games must be such that the rules against repeats matter.
    assert size > 3 or (sum(repeats) > 0) != superko


@pytest.mark.parametrize(
    ("size", "seed", "most"),
    [
        (9, 0, 60),
        (13, 1, 20),
        pytest.param(9, 0, 160, marks=pytest.mark.long),
        pytest.param(13, 1, 40, marks=pytest.mark.long),
    ],
)
def test_larger_random_games_go_as_in_the_twin(size, seed, most):
    against_the_twin(size, seed, most)


@pytest.mark.long
@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("superko", [False, True])
@pytest.mark.parametrize(("size", "most", "games"), [(2, 90, 300), (4, 200, 60), (7, 250, 10)])
def test_many_random_games_go_as_in_the_twin(size, most, games, superko, suicide):
    for seed in range(games):
        against_the_twin(size, 1000 + seed, most, superko=superko, suicide=suicide)


# ------------------------------------------------------------------ cases by hand


def test_a_chain_without_liberties_is_taken():
    game = load_game("go", size=4)
    position = play(game, "B4 A4 D1 A3 B3 D4 A2")
    assert game.write_position(position) == ".b.w/.b../b.../...b white moves=7 prisoners=2,0"


def test_ko_is_forbidden_at_once_and_allowed_later():
    game = load_game("go", size=5)
    position = play(game, "B5 C5 A4 D4 B3 C3 C4 B4")
    # White at B4 took C4; to take back at once would restore the board.
    assert position.ko == names(5).index("C4")
    with pytest.raises(IllegalMoveError, match="ko rule"):
        position.read_move("C4")
    later = position.play(position.read_move("A1")).play(position.read_move("E1"))
    assert later.ko is None
    retaken = later.play(later.read_move("C4"))
    assert retaken.prisoners == (1, 1)
    with pytest.raises(IllegalMoveError, match="ko rule"):
        retaken.read_move("B4")
    # A pass lifts the ko as any other move does.
    passed = retaken.play(PASS).play(PASS)
    assert passed.ko is None


def test_taking_two_stones_back_is_no_ko():
    game = load_game("go", size=4)
    position = game.read_position("bb.b/wwb./.wb./.... white")
    position = position.play(position.read_move("C4"))
    assert position.prisoners == (0, 2)
    assert position.ko is None
    # Black takes one stone back: two points were emptied, so the board is another.
    position = position.play(position.read_move("B4"))
    assert position.prisoners == (1, 2)
    assert position.ko is None


def test_superko_forbids_what_ko_alone_allows():
    # Black's stone at A2 takes three, and stands alone as it did after the first move.
    moves = "A2 B2 A1 B1 A2 A1"
    ko = play(load_game("go", size=2), moves)
    assert ko.ko is None
    after = ko.play(ko.read_move("A2"))
    assert after.board == play(ko.game, "A2").board
    superko = play(load_game("go", size=2, superko=True), moves)
    assert set(ko.moves()) - set(superko.moves()) == {GoMove(0)}
    with pytest.raises(IllegalMoveError, match="repeat an earlier board"):
        superko.read_move("A2")
    # A position that was read has no past, so that nothing is a repeat.
    read = superko.game.read_position(superko.game.write_position(superko))
    assert GoMove(0) in read.moves()


def test_suicide_is_forbidden_unless_allowed():
    text = ".b../b.../..../.... white"
    strict, free = load_game("go", size=4), load_game("go", size=4, suicide=True)
    with pytest.raises(IllegalMoveError, match="suicide"):
        strict.read_position(text).read_move("A4")
    position = free.read_position(text)
    after = position.play(position.read_move("A4"))
    # One stone: the board stays as it was, and black has a prisoner more.
    assert after.board == position.board
    assert after.prisoners == (1, 0)
    assert after.to_move == "black"
    # With superko that is a repeat.
    both = load_game("go", size=4, suicide=True, superko=True)
    with pytest.raises(IllegalMoveError, match="repeat"):
        both.read_position(text).read_move("A4")


def test_suicide_of_many_stones_takes_them_all():
    text = "wwb./.b../b.../.... white"
    with pytest.raises(IllegalMoveError, match="suicide"):
        load_game("go", size=4).read_position(text).read_move("A3")
    position = load_game("go", size=4, suicide=True).read_position(text)
    after = position.play(position.read_move("A3"))
    assert position.game.write_position(after) == "..b./.b../b.../.... black moves=1 prisoners=3,0"


def test_a_stone_that_takes_is_no_suicide():
    game = load_game("go", size=3)
    position = game.read_position(".wb/wb./bb. black")
    assert GoMove(0) in position.moves()
    assert game.write_position(position.play(GoMove(0))).startswith("b.b/.b./bb. white")


@pytest.mark.parametrize(
    ("komi", "winner", "reason"),
    [
        (None, "black", "two passes, 9 to 0 and komi 7"),
        (9.0, None, "two passes, 9 to 0 and komi 9"),
        (9.5, "white", "two passes, 9 to 0 and komi 9.5"),
        (-3, "black", "two passes, 9 to 0 and komi -3"),
    ],
)
def test_two_passes_end_the_game_by_area(komi, winner, reason):
    position = play(load_game("go", size=3, komi=komi), "B2 pass pass")
    outcome = position.outcome()
    assert (outcome.winner, outcome.reason) == (winner, reason)
    assert str(outcome).startswith("draw" if winner is None else f"{winner} wins")
    assert position.moves() == ()
    with pytest.raises(IllegalMoveError, match="the game is over"):
        position.play(PASS)


@pytest.mark.parametrize("most", [1, 2, 70])
def test_max_moves_end_the_game_by_area(most):
    rng = random.Random(most)
    position = load_game("go", size=9, max_moves=most).start()
    while position.outcome() is None:
        position = position.play(rng.choice(position.moves()[:-1]))
    assert position.moves_played == most
    assert position.outcome().reason.startswith(f"{most} moves were played, ")


@pytest.mark.parametrize("stones", [0, *range(2, 10)])
def test_handicap_stones_are_there_and_white_begins(stones):
    start = load_game("go", size=9, handicap=stones).start()
    assert start.board.count(1) == stones
    assert start.board.count(2) == 0
    assert start.to_move == ("white" if stones else "black")
    assert start.moves_played == 0
    assert start.game.points_for_white == (0.5 if stones else 7.0)
    assert load_game("go", size=9, handicap=stones, komi=3).points_for_white == 3.0


@pytest.mark.parametrize(
    ("size", "stones", "cells"),
    [
        (7, 4, "C3 E5 C5 E3"),
        (8, 2, "C3 F6"),
        (9, 6, "C3 G7 C7 G3 C5 G5"),
        (13, 9, "D4 K10 D10 K4 D7 K7 G4 G10 G7"),
        (19, 5, "D4 Q16 D16 Q4 K10"),
        (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
        (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
    ],
)
def test_handicap_stones_are_on_the_usual_points(size, stones, cells):
    assert [names(size)[point] for point in handicap_points(size, stones)] == cells.split()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"size": 1}, "size=1 must be an integer from 2 to 19"),
        ({"size": 20}, "size=20 must be an integer from 2 to 19"),
        ({"size": 9.0}, "size=9.0 must be an integer from 2 to 19"),
        ({"size": True}, "size=True must be an integer from 2 to 19"),
        ({"komi": "7"}, "komi='7' must be a number"),
        ({"komi": float("nan")}, "komi=nan must be a number"),
        ({"komi": float("inf")}, "komi=inf must be a number"),
        ({"komi": True}, "komi=True must be a number"),
        ({"handicap": 1}, "The handicap is 0 or 2 to 9 stones, not 1"),
        ({"handicap": 10}, "handicap=10 must be an integer from 0 to 9"),
        ({"handicap": "2"}, "handicap='2' must be an integer from 0 to 9"),
        ({"size": 6, "handicap": 2}, "6x6 board is too small for star points"),
        ({"size": 8, "handicap": 5}, "8x8 board has star points for 4 stones at most"),
        ({"superko": 1}, "superko=1 must be True or False"),
        ({"suicide": None}, "suicide=None must be True or False"),
        ({"max_moves": 0}, "max_moves=0 must be an integer >= 1"),
        ({"max_moves": 2.5}, "max_moves=2.5 must be an integer >= 1"),
    ],
)
def test_wrong_parameters_say_what_is_right(parameters, message):
    with pytest.raises(ValueError, match=message):
        load_game("go", **parameters)


@pytest.mark.parametrize("point", [-1, 81, 1000])
def test_points_off_the_board_are_refused(point):
    with pytest.raises(IllegalMoveError, match="numbered 0 to 80"):
        load_game("go").start().play(GoMove(point))


def test_playing_by_the_rules_needs_no_compiler():
    program = (
        "import sys; from clauseboard.game import load_game; p = load_game('go').start(); "
        "p.play(p.moves()[0]); print([m for m in ('numba', 'sgfmill') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.strip() == "[]"


# ------------------------------------------------------------------ what is always true


def random_position(game, seed, length):
    rng = random.Random(seed)
    position = game.start()
    for _ in range(length):
        moves = position.moves()
        if not moves:
            break
        position = position.play(rng.choice(moves))
    return position


@settings(max_examples=30)
@given(st.integers(2, 6), st.integers(0, 10**6), st.integers(0, 40), st.integers(0, 7))
def test_a_turned_board_has_turned_moves(size, seed, length, way):
    game = load_game("go", size=size)
    position = random_position(game, seed, length)
    if position.outcome() is not None or position.ko is not None:
        return
    turn = symmetries(size)[way]
    board = np.frombuffer(position.board, np.uint8)[turn].tobytes()
    turned = game.position(board, position.to_move)
    expected = {point for point in range(size * size) if turn[point] in legal_points(position)}
    assert set(legal_points(turned)) == expected


@settings(max_examples=30)
@given(st.integers(2, 6), st.integers(0, 10**6), st.integers(0, 60))
def test_every_chain_has_a_liberty_and_a_legal_move_leaves_it_so(size, seed, length):
    position = random_position(load_game("go", size=size), seed, length)
    assert all(chain.liberties for chain in position.chains.values())
    stones = size * size - position.board.count(0)
    for move in position.moves()[:-1]:
        after = position.play(move)
        assert all(chain.liberties for chain in after.chains.values())
        taken = sum(after.prisoners) - sum(position.prisoners)
        assert size * size - after.board.count(0) == stones + 1 - taken


@settings(max_examples=20)
@given(st.integers(2, 4), st.integers(0, 10**6))
def test_with_superko_no_board_comes_twice_by_a_stone(size, seed):
    rng = random.Random(seed)
    position = load_game("go", size=size, superko=True, max_moves=150).start()
    seen = {position.board}
    while position.outcome() is None:
        move = rng.choice(position.moves())
        position = position.play(move)
        assert move.is_pass or position.board not in seen
        seen.add(position.board)
    assert position.earlier == seen


def test_numbers_of_numpy_become_plain_ones():
    game = load_game(
        "go", size=np.int64(5), komi=np.float64(0.5), handicap=np.int8(0), max_moves=np.int64(9)
    )
    assert repr(game) == "load_game('go', size=5, komi=0.5, max_moves=9)"
    assert type(game.size) is type(game.max_moves) is int


def test_games_are_equal_by_the_komi_that_counts():
    assert load_game("go") == load_game("go", komi=7)
    assert load_game("go", handicap=2) == load_game("go", handicap=2, komi=0.5)
    assert len({load_game("go"), load_game("go", komi=7.0), load_game("go", komi=6.5)}) == 2
    assert load_game("go", handicap=2) != load_game("go", handicap=2, komi=7)
    assert load_game("go") != "go"
