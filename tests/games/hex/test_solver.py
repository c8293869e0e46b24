"""The Hex solver, held against trying everything and against results known for whole boards."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.compiled import JIT_DISABLED
from clauseboard.game import load_game
from clauseboard.games.hex import SWAP, connections, rules
from clauseboard.games.hex.boards import boards_of, random_games
from clauseboard.games.hex.solver import Solver, best_move, solver_for
from naive import hex_solver as naive

FEW = settings(max_examples=10 if JIT_DISABLED else 150, deadline=None)
compiled_only = pytest.mark.skipif(JIT_DISABLED, reason="takes too long as plain Python")


def few(count):
    return max(count // 50, 3) if JIT_DISABLED else count


def position_of(cells, size, to_move):
    """The position of a string of ".", "R" and "B"; the counts of stones may be any."""
    red, blue = (sum(1 << at for at, c in enumerate(cells) if c == letter) for letter in "RB")
    return rules.HexPosition(load_game("hex", size=size), red, blue, to_move)


def numbers(moves, size):
    return [move.row * size + move.column for move in moves]


def random_position(size, stones, rng):
    """A position with so many stones that nobody has won."""
    game = load_game("hex", size=size)
    while True:
        cells = rng.sample(range(size**2), stones)
        red, blue = (sum(1 << cell for cell in cells[first::2]) for first in (0, 1))
        if not rules.connected(red, "red", size) and not rules.connected(blue, "blue", size):
            return game.position(red, blue, ("red", "blue")[stones % 2])


# ---- against trying everything


@pytest.mark.parametrize("size", [1, 2, 3])
def test_every_position_with_any_number_of_stones(size):
    """The winner and all winning moves; also positions that no game comes to."""
    solver = Solver(size, 2**10)
    boards = list(itertools.product(".RB", repeat=size**2))
    if JIT_DISABLED and size == 3:
        boards = random.Random(1).sample(boards, 150)
    seen = 0
    for board in boards:
        cells = "".join(board)
        if any(naive.has_won(cells, size, letter) for letter in "RB"):
            continue
        for to_move, letter in (("red", "R"), ("blue", "B")):
            position = position_of(cells, size, to_move)
            wins = naive.winning_moves(cells, size, letter)
            assert numbers(solver.winning_moves(position), size) == wins, position
            assert (solver.solve(position).winner == to_move) == bool(wins), position
            seen += 1
    assert seen > (100 if size == 3 else 1)


@compiled_only
def test_positions_of_size_4_with_a_winner_by_trying_everything():
    rng = random.Random(4)
    solver = Solver(4)
    for n in range(800):
        position = random_position(4, 6 + n % 8, rng)
        cells = position.game.write_position(position).split()[0].replace("/", "")
        wins = naive.winning_moves(cells, 4, position.to_move[0].upper())
        assert numbers(solver.winning_moves(position), 4) == wins, position


@pytest.mark.long
@compiled_only
def test_every_position_of_size_4():
    """Every position that a game comes to, from full boards back to the empty one."""
    size, n_cells = 4, 16
    game = load_game("hex", size=size)
    red_has, blue_has = (
        [rules.connected(stones, colour, size) for stones in range(2**n_cells)]
        for colour in ("red", "blue")
    )
    solver = Solver(size)
    red_wins_next = {}
    for stones in range(n_cells, -1, -1):
        red_wins, boards = {}, []
        to_move = stones % 2
        for taken in itertools.combinations(range(n_cells), stones):
            free = [1 << cell for cell in range(n_cells) if cell not in taken]
            both = sum(1 << cell for cell in taken)
            for reds in itertools.combinations(taken, (stones + 1) // 2):
                red = sum(1 << cell for cell in reds)
                blue, key = both ^ red, red << n_cells | both ^ red
                if red_has[red] or blue_has[blue]:
                    red_wins[key] = red_has[red]
                    continue
                if to_move == 0:
                    red_wins[key] = any(red_wins_next[key | bit << n_cells] for bit in free)
                else:
                    red_wins[key] = all(red_wins_next[key | bit] for bit in free)
                boards.append((red, blue, not red_wins[key]))
        if boards:
            table = np.array(boards, np.uint64)
            words = np.ascontiguousarray(table[:, :2].reshape(-1, 2, 1))
            labels = solver.label(game, words, np.full(len(words), to_move, np.int8))
            assert np.array_equal(labels, table[:, 2].astype(np.int8)), stones
        red_wins_next = red_wins
    assert red_wins_next == {0: True}


# ---- known results


def openings_won(size):
    game = load_game("hex", size=size)
    return {str(move) for move in Solver(size).winning_moves(game.start())}


def half_turned(names, size):
    return {f"{'abcdefgh'[size - 1 - 'abcdefgh'.index(n[0])]}{size + 1 - int(n[1])}" for n in names}


@compiled_only
def test_openings_of_size_5():
    won = openings_won(5)
    assert half_turned(won, 5) == won
    assert "c3" in won
    assert not won & {"a1", "b1", "c1", "d1"}


@pytest.mark.long
@compiled_only
def test_24_openings_win_on_size_6():
    won = openings_won(6)
    assert len(won) == 24
    assert half_turned(won, 6) == won


@compiled_only
def test_the_first_player_wins_on_sizes_up_to_6():
    for size in range(1, 7):
        solution = Solver(size).solve(load_game("hex", size=size).start())
        assert solution.winner == "red"


# ---- what is always true


@FEW
@given(st.integers(2, 5), st.integers(0, 2**32))
def test_mirrored_positions_have_mirrored_solutions(size, seed):
    rng = random.Random(seed)
    position = random_position(size, rng.randrange(size**2 // 3, size**2 // 2 + 1), rng)
    solver = Solver(size, 2**12)
    won = solver.winning_moves(position)
    last = size - 1
    turned = {rules.HexMove(last - move.row, last - move.column) for move in won}
    assert set(Solver(size, 2**12).winning_moves(position.half_turned())) == turned
    reverse = {rules.HexMove(move.column, move.row) for move in won}
    assert set(Solver(size, 2**12).winning_moves(position.reversed())) == reverse


@FEW
@given(st.integers(2, 5), st.integers(0, 2**32))
def test_the_winner_wins_within_the_carrier_and_in_time(size, seed):
    """Give the loser every cell outside the carrier: the winner still wins."""
    rng = random.Random(seed)
    position = random_position(size, rng.randrange(size**2 // 3, size**2 // 2 + 1), rng)
    solver = Solver(size, 2**12)
    solution = solver.solve(position)
    carrier = sum(1 << cell.row * size + cell.column for cell in solution.carrier)
    free = (1 << size**2) - 1 & ~(position.red | position.blue)
    assert carrier & ~free == 0
    red, blue, outside = position.red, position.blue, free & ~carrier
    if solution.winner == "red":
        blue |= outside
    else:
        red |= outside
    harder = rules.HexPosition(position.game, red, blue, position.to_move)
    assert Solver(size, 2**12).solve(harder).winner == solution.winner
    if len(solution.carrier) < 9:
        assert fewest(harder, solution.winner, solution.moves_at_most)


def fewest(position, winner, stones):
    """Whether the winner connects with so many more stones, by trying everything."""
    if position.winner is not None:
        return position.winner == winner
    if stones == 0:
        return False
    if position.to_move == winner:
        return any(fewest(position.play(m), winner, stones - 1) for m in position.moves())
    # The loser may also play elsewhere, which is no help.
    return all(fewest(position.play(m), winner, stones) for m in position.moves())


@pytest.mark.parametrize("entries", [1, 2, 64])
def test_a_small_table_changes_nothing(entries):
    size = 3 if JIT_DISABLED else 4
    rng = random.Random(entries)
    small, large = Solver(size, entries), Solver(size)
    for _ in range(few(200)):
        position = random_position(size, rng.randrange(2, 6), rng)
        assert small.winning_moves(position) == large.winning_moves(position)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_labels_are_the_winners(size):
    game, rng = load_game("hex", size=size), random.Random(size)
    positions = [random_position(size, rng.randrange(size**2 // 2), rng) for _ in range(few(150))]
    positions = [p for p in positions if JIT_DISABLED is False or bin(p.red).count("1") > 1]
    sides = np.array([p.to_move == "blue" for p in positions], np.int8)
    labels = Solver(size).label(game, boards_of(game, positions), sides)
    solver = Solver(size)
    assert [("red", "blue")[n] for n in labels] == [solver.solve(p).winner for p in positions]


def test_boards_that_are_won_are_labelled_so():
    game = load_game("hex", size=4)
    games = random_games(game, few(200), 1)
    sides = (1 - games.winners).astype(np.int8)
    assert np.array_equal(Solver(4).label(game, games.boards, sides), games.winners)


@pytest.mark.parametrize("size", [1, 2, 5, 6, 7, 8])
def test_turning_and_reflecting_words(size):
    rng = random.Random(size)
    for _ in range(20):
        cells = {(rng.randrange(size), rng.randrange(size)) for _ in range(size)}
        word = np.uint64(sum(1 << 8 * r + c for r, c in cells))
        flat = sum(1 << size * r + c for r, c in cells)
        back = rules.half_turned(flat, size)
        turned = {(n // size, n % size) for n in range(size**2) if back >> n & 1}
        found = call(connections.turned, word, size)
        assert found == sum(1 << 8 * r + c for r, c in turned)
        assert call(connections.reflected, word) == sum(1 << 8 * c + r for r, c in cells)


def call(helper, *arguments):
    return int(getattr(helper, "py_func", helper)(*arguments))


# ---- play


@pytest.mark.parametrize("size", [2, 3] if JIT_DISABLED else [3, 4, 5])
def test_the_winner_wins_against_random_play_whoever_moves(size):
    solver, rng = Solver(size), random.Random(size)
    for seed in range(few(100)):
        position = random_position(size, rng.randrange(1, size + 1), rng)
        winner = solver.solve(position).winner
        while position.outcome() is None:
            if position.to_move == winner:
                position = position.play(solver.best_move(position, seed))
            else:
                position = position.play(rng.choice(position.moves()))
        assert position.winner == winner


def test_a_win_in_one_is_played():
    position = load_game("hex", size=4).read_position("RB../RB../.BB./R... red")
    assert str(Solver(4).best_move(position)) == "a3"


def test_the_seed_decides_between_equal_moves():
    position, solver = load_game("hex", size=2).start(), Solver(2)
    moves = {str(solver.best_move(position, seed)) for seed in range(40)}
    assert moves == {"b1", "a2"}
    assert solver.best_move(position, 7) == Solver(2).best_move(position, 7)


def test_a_line_goes_to_the_end_and_its_first_move_is_the_best():
    position = load_game("hex", size=3).start()
    line = list(Solver(3).principal_line(position, 1))
    assert line[0] == Solver(3).best_move(position, 1) == best_move(position, 1)
    for move in line:
        position = position.play(move)
    assert position.winner == "red"
    assert list(Solver(3).principal_line(position)) == []
    assert solver_for(3) is solver_for(3)


def test_swaps_are_taken_when_they_win():
    game = load_game("hex", size=3, swap=True)
    solver = Solver(3)
    assert solver.solve(game.start()).winner == "blue"
    assert solver.winning_moves(game.start()) == ()
    without = load_game("hex", size=3)
    strong = set(solver.winning_moves(without.start()))
    for move in without.start().moves():
        position = game.start().play(move)
        won = solver.winning_moves(position)
        assert solver.solve(position).winner == "blue"
        assert (SWAP in won) == (move in strong)
        stones = solver.winning_moves(without.start().play(move))
        assert tuple(m for m in won if m != SWAP) == stones
        assert solver.best_move(position) in won
    one = load_game("hex", size=1, swap=True).start()
    assert solver_for(1).solve(one).winner == "red"


# ---- errors


def test_sizes_and_tables_that_do_not_exist():
    for size in (0, 9):
        with pytest.raises(ValueError, match=f"size 1 to 8, not {size}"):
            Solver(size)
    for entries in (0, 3, -4):
        with pytest.raises(ValueError, match=f"power of 2 of entries, not {entries}"):
            Solver(3, entries)


def test_positions_of_another_size():
    with pytest.raises(ValueError, match="size 3, not 4"):
        Solver(3).solve(load_game("hex", size=4).start())
    game = load_game("hex", size=4)
    with pytest.raises(ValueError, match="size 3, not 4"):
        Solver(3).label(game, boards_of(game, [game.start()]), np.zeros(1, np.int8))


@pytest.mark.parametrize("sides", [[2], [-1], [0, 1], []])
def test_sides_to_move_that_do_not_fit(sides):
    game = load_game("hex", size=3)
    with pytest.raises(ValueError, match="0 or 1 for each of 1 boards"):
        Solver(3).label(game, boards_of(game, [game.start()]), np.array(sides, np.int8))


def test_no_move_after_the_end():
    position = load_game("hex", size=2).read_position("RB/R. blue")
    assert Solver(2).solve(position).moves_at_most == 0
    assert Solver(2).winning_moves(position) == ()
    with pytest.raises(ValueError, match="no move any more: red wins"):
        best_move(position)
