"""The rules of Hex, held against a slow twin, against OpenSpiel, and against what must be true."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import Ending, IllegalMoveError, Outcome, load_game
from clauseboard.games.hex import SWAP, Hex, HexMove, HexPosition, Swap, rules
from clauseboard.games.hex.notation import board_rows
from naive import hex as naive

FEW = settings(max_examples=100)
sizes = st.integers(1, 9)
seeds = st.integers(0, 2**32)


def random_positions(game, seed, moves=None):
    """The positions of a random game, up to a number of moves."""
    rng = random.Random(seed)
    positions = [game.start()]
    while positions[-1].outcome() is None and (moves is None or len(positions) <= moves):
        positions.append(positions[-1].play(rng.choice(positions[-1].moves())))
    return positions


def random_full_board(game, seed):
    """All cells shared out, half each."""
    rng = random.Random(seed)
    cells = list(range(game.size**2))
    rng.shuffle(cells)
    red, blue = (sum(1 << cell for cell in cells[first::2]) for first in (0, 1))
    return red, blue


def stones_of(red, blue, size):
    """The twin's stones."""
    return {
        (cell // size, cell % size): naive.RED if red >> cell & 1 else naive.BLUE
        for cell in range(size**2)
        if (red | blue) >> cell & 1
    }


# ---- judges


def play_against_twin(size, swap, seed):
    rng = random.Random(seed)
    position, twin = load_game("hex", size=size, swap=swap).start(), naive.HexGame(size, swap)
    while True:
        assert position.winner == twin.winner
        assert position.to_move == twin.to_move
        assert position.game.write_position(position) == twin.text()
        assert {position.write_move(move) for move in position.moves()} == twin.moves()
        if twin.winner:
            return
        move = rng.choice(sorted(twin.moves()))
        position = position.play(position.read_move(move))
        twin.play(move)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize(("size", "games"), [(1, 2), (2, 50), (3, 200), (5, 60), (7, 20), (11, 4)])
def test_games_go_as_with_the_slow_twin(size, games, swap):
    for seed in range(games):
        play_against_twin(size, swap, seed)


def play_against_open_spiel(pyspiel, size, swap, seed):
    """One random game; OpenSpiel calls red 0 and x.

    Not on a board of one cell, where its games never end.
    """
    rng = random.Random(seed)
    judge = pyspiel.load_game("hex", {"board_size": size, "swap": swap}).new_initial_state()
    position = load_game("hex", size=size, swap=swap).start()
    while not judge.is_terminal():
        assert position.outcome() is None
        assert position.to_move == ("red", "blue")[judge.current_player()]
        board = "".join(str(judge).split()).translate(str.maketrans("xo", "RB"))
        assert "".join(board_rows(position)) == board
        legal = {judge.action_to_string(action): action for action in judge.legal_actions()}
        assert {str(move) for move in position.moves()} == set(legal)
        move = rng.choice(position.moves())
        judge.apply_action(legal[str(move)])
        position = position.play(move)
    winner = "red" if judge.returns()[0] > 0 else "blue"
    assert position.outcome().winner == winner


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize(("size", "games"), [(2, 100), (3, 300), (5, 300), (8, 100), (11, 100)])
def test_games_go_as_with_open_spiel(size, games, swap):
    pyspiel = pytest.importorskip("pyspiel")
    for seed in range(games):
        play_against_open_spiel(pyspiel, size, swap, seed)


@pytest.mark.long
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize(("size", "games"), [(2, 1000), (4, 3000), (6, 2000), (11, 500), (19, 50)])
def test_many_games_go_as_with_open_spiel(size, games, swap):
    pyspiel = pytest.importorskip("pyspiel")
    for seed in range(games):
        play_against_open_spiel(pyspiel, size, swap, seed)


# ---- the end of a game


def test_every_filling_of_a_small_board_has_exactly_one_winner():
    for size in (1, 2, 3):
        cells = range(size**2)
        for some in itertools.chain.from_iterable(
            itertools.combinations(cells, n) for n in range(size**2 + 1)
        ):
            red = sum(1 << cell for cell in some)
            blue = (1 << size**2) - 1 ^ red
            won = [rules.connected(red, "red", size), rules.connected(blue, "blue", size)]
            assert sum(won) == 1
            expected = naive.winner_of(stones_of(red, blue, size), size)
            assert expected == ("red" if won[0] else "blue")


@FEW
@given(sizes, seeds)
def test_a_full_board_has_exactly_one_winner(size, seed):
    game = load_game("hex", size=size)
    red, blue = random_full_board(game, seed)
    assert rules.connected(red, "red", size) != rules.connected(blue, "blue", size)


@FEW
@given(sizes, seeds)
def test_the_winning_chain_joins_the_sides(size, seed):
    game = load_game("hex", size=size)
    red, blue = random_full_board(game, seed)
    won = "red" if rules.connected(red, "red", size) else "blue"
    position = HexPosition(game, red, blue, "blue" if won == "red" else "red")
    chain = rules.winning_chain(position)
    along = [cell.row if won == "red" else cell.column for cell in chain]
    assert (along[0], along[-1]) == (0, size - 1)
    stones = red if won == "red" else blue
    assert all(stones >> cell.row * size + cell.column & 1 for cell in chain)
    for one, other in itertools.pairwise(chain):
        step = other.row - one.row, other.column - one.column
        assert step in {(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)}
    assert len(set(chain)) == len(chain)
    assert rules.winning_chain(game.start()) == ()


@pytest.mark.parametrize("size", [1, 3, 19])
@pytest.mark.parametrize("column", [0, -1])
def test_a_straight_line_connects_and_a_gap_does_not(size, column):
    column %= size
    line = sum(1 << row * size + column for row in range(size))
    assert rules.connected(line, "red", size)
    assert rules.connected(rules.transposed(line, size), "blue", size)
    for row in range(size):
        assert not rules.connected(line ^ 1 << row * size + column, "red", size)
    if size > 1:
        assert not rules.connected(line, "blue", size)


def test_the_two_diagonals_are_not_alike():
    game = load_game("hex", size=3)
    connected = game.read_position("BBR/.R./R.. blue")
    assert connected.outcome() == Outcome("red", "red connected top and bottom", Ending.CONNECTED)
    apart = game.read_position("RB./.R./B.R blue")
    assert apart.outcome() is None
    blue = game.read_position("R.B/RB./B.R red")
    assert blue.outcome() == Outcome("blue", "blue connected left and right", Ending.CONNECTED)
    assert str(blue.outcome()) == "blue wins: blue connected left and right"
    assert blue.moves() == ()


# ---- symmetries


@FEW
@given(sizes, seeds, st.integers(0, 81))
def test_a_mirrored_position_has_mirrored_moves_and_winners(size, seed, moves):
    position = random_positions(load_game("hex", size=size), seed, moves)[-1]
    turned, reverse = position.half_turned(), position.reversed()
    assert turned.winner == position.winner
    assert reverse.winner == (position.winner and position.game.other(position.winner))
    assert turned.half_turned() == position
    assert reverse.reversed() == position
    assert turned.reversed() == reverse.half_turned()
    last = size - 1
    assert set(turned.moves()) == {HexMove(last - m.row, last - m.column) for m in position.moves()}
    assert set(reverse.moves()) == {HexMove(m.column, m.row) for m in position.moves()}
    for move in position.moves()[:5]:
        mirrored = HexMove(move.column, move.row)
        assert reverse.play(mirrored) == position.play(move).reversed()
        mirrored = HexMove(last - move.row, last - move.column)
        assert turned.play(mirrored) == position.play(move).half_turned()


# ---- the swap


@pytest.mark.parametrize("size", [3, 4])
def test_a_swap_is_worth_what_the_board_is_worth_to_the_other_side(size):
    """After it the game is the one that there was without it, with the colours exchanged."""
    game = load_game("hex", size=size, swap=True)
    for move in game.start().moves():
        position = game.start().play(move)
        unswapped = position.unswapped()
        assert unswapped.moves() == position.moves()[:-1]
        swapped = position.play(SWAP)
        mirrored = unswapped.reversed()
        assert (swapped.red, swapped.blue, swapped.to_move) == (
            mirrored.red,
            mirrored.blue,
            mirrored.to_move,
        )
        assert swapped.unswapped() is None
    assert game.start().unswapped() is None
    assert load_game("hex", size=size).start().play(move).unswapped() is None


@pytest.mark.parametrize("size", [2, 4, 11])
def test_a_swap_reflects_the_stone_and_gives_red_the_turn(size):
    game = load_game("hex", size=size, swap=True)
    for move in game.start().moves():
        position = game.start().play(move)
        swapped = position.play(position.read_move("swap"))
        assert (swapped.red, swapped.to_move) == (0, "red")
        assert swapped.blue == 1 << move.column * size + move.row
        # Nobody has gained anything by it.
        assert swapped == position.reversed()
        # And it cannot be done again.
        assert SWAP not in swapped.moves()
        assert SWAP not in swapped.play(swapped.moves()[0]).moves()


@pytest.mark.parametrize("swap", [False, True])
def test_the_swap_is_for_the_first_reply_only(swap):
    position = load_game("hex", size=3, swap=swap).start()
    may = []
    for move in ("a2", "b2", "c3"):
        may.append(SWAP in position.moves())
        position = position.play(position.read_move(move))
    assert may == [False, swap, False]
    with pytest.raises(IllegalMoveError, match=r"swap is not possible here; only blue's first"):
        position.play(Swap())


def test_there_is_nothing_to_swap_on_an_empty_board_whoever_begins():
    position = load_game("hex", size=3, swap=True).start().reversed()
    assert position.to_move == "blue"
    assert SWAP not in position.moves()


def test_there_is_no_swap_once_the_game_is_over():
    position = load_game("hex", size=1, swap=True).start().play(HexMove(0, 0))
    assert position.winner == "red"
    assert position.moves() == ()
    with pytest.raises(IllegalMoveError, match="swap is not possible: red wins"):
        position.play(SWAP)


# ---- what is refused


@pytest.mark.parametrize("size", [0, 20, -1, 2.0, True, "11", None])
def test_sizes_that_are_none(size):
    with pytest.raises(ValueError, match="must be an integer from 1 to 19"):
        Hex(size=size)


@pytest.mark.parametrize("swap", [1, 0, "yes", None])
def test_swap_is_yes_or_no(swap):
    with pytest.raises(ValueError, match=r"swap=.* must be True or False"):
        Hex(swap=swap)


@pytest.mark.parametrize("size", [1, 11, 19])
def test_every_size_has_its_cells(size):
    assert len(Hex(size=size).start().moves()) == size**2
    assert len(Hex(size=size).bits()) == 2 * size**2


def test_moves_that_are_not_legal_say_why():
    position = load_game("hex", size=3).read_position("B../.R./... red")
    with pytest.raises(
        IllegalMoveError, match=r"a1 has a blue stone already. The position is 'B../.R./... red'"
    ):
        position.play(HexMove(0, 0))
    with pytest.raises(IllegalMoveError, match=r"b2 has a red stone already"):
        position.play(HexMove(1, 1))
    for outside in (HexMove(3, 0), HexMove(0, 3), HexMove(-1, 0), HexMove(0, -1)):
        with pytest.raises(IllegalMoveError, match="is not on a board of size 3"):
            position.play(outside)


@pytest.mark.parametrize(
    ("red", "blue", "to_move", "message"),
    [
        (0, 0, "green", "the turn of 'red' or 'blue', not of 'green'"),
        (1 << 9, 0, "blue", "a stone outside the board of size 3"),
        (0b11, 0b10, "blue", "b1 cannot have a red stone and a blue one"),
        (0b11, 0, "blue", "cannot be blue's turn with 2 red and 0 blue stones"),
        (0b1, 0, "red", "cannot be red's turn with 1 red and 0 blue stones"),
        (
            0b001001001,
            0b110010,
            "red",
            "cannot be red's turn, since red has connected top and bottom",
        ),
    ],
)
def test_positions_that_cannot_come_up(red, blue, to_move, message):
    with pytest.raises(ValueError, match=message):
        load_game("hex", size=3).position(red, blue, to_move)


# ---- values


def test_positions_and_moves_are_values():
    game = load_game("hex", size=4)
    one, other = game.start(), game.start()
    for move in ("a1", "b2", "c3"):
        one = one.play(one.read_move(move))
    for move in ("c3", "b2", "a1"):
        other = other.play(other.read_move(move))
    assert one == other
    assert hash(one) == hash(other)
    assert one != one.reversed()
    assert one != load_game("hex", size=4, swap=True).position(one.red, one.blue, one.to_move)
    assert HexMove(1, 2) != (1, 2)
    assert Swap() == SWAP
    assert str(HexMove(18, 18)) == "s19"
    assert isinstance(one, HexPosition)


def test_importing_the_rules_needs_no_compiler():
    import subprocess
    import sys

    program = (
        "import sys; from clauseboard.game import load_game; g = load_game('hex', size=3);"
        "p = g.start(); p = p.play(p.read_move('b2')); str(p); g.encode([p]); g.draw(p);"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.strip() == "False"


def test_numbers_of_numpy_become_plain_ones():
    game = load_game("hex", size=np.int64(5))
    assert repr(game) == "load_game('hex', size=5)"
    assert type(game.size) is int
