"""The Hex solver, held against trying everything and against results known for whole boards."""

import itertools
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.games import squares
from clauseboard.games.hex import SWAP, connections, rules, solving
from clauseboard.games.hex.encoding import boards_of, random_games
from clauseboard.games.hex.solving import Solver, solver_for
from clauseboard.games.solving import solve
from clauseboard.kernels.compiler import JIT_DISABLED
from naive import hex_solver as naive

FEW = settings(max_examples=10 if JIT_DISABLED else 150)
LONG = pytest.mark.long
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


@pytest.mark.parametrize(
    ("size", "n_boards"),
    [(1, 3), (2, 81), (3, 150 if JIT_DISABLED else 4000), pytest.param(3, 19_683, marks=LONG)],
)
def test_every_position_with_any_number_of_stones(size, n_boards):
    """The winner and all winning moves; also positions that no game comes to."""
    solver = Solver(size, 2**10)
    boards = list(itertools.product(".RB", repeat=size**2))
    boards = random.Random(1).sample(boards, n_boards)
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
@pytest.mark.parametrize("n_positions", [150, pytest.param(800, marks=LONG)])
def test_positions_of_size_4_with_a_winner_by_trying_everything(n_positions):
    rng = random.Random(4)
    solver = Solver(4)
    for n in range(n_positions):
        position = random_position(4, 6 + n % 8, rng)
        cells = position.game.write_position(position).split()[0].replace("/", "")
        wins = naive.winning_moves(cells, 4, position.to_move[0].upper())
        assert numbers(solver.winning_moves(position), 4) == wins, position


@compiled_only
@pytest.mark.parametrize(
    ("every", "fewest", "positions"),
    [(50, 14, None), pytest.param(1, 0, 8_188_705, marks=pytest.mark.long)],
)
def test_winning_moves_of_positions_of_size_4(every, fewest, positions):
    """All positions that a game comes to, from full boards back to the empty one; or a part."""
    size, n_cells = 4, 16
    game, solver = load_game("hex", size=size), Solver(size)
    seen = 0
    for red, blue, to_move, wins in naive.all_boards(n_cells, chains(size), fewest):
        chosen = slice(0, None, every)
        seen += len(red[chosen])
        boards = np.stack([red, blue], axis=1).astype(np.uint64)[chosen, :, None]
        sides = np.full(len(boards), to_move, np.int8)
        found = solver.label_moves(game, boards, sides)
        assert np.array_equal(found, wins[chosen].astype(np.uint64))
        mover_wins = solver.label(game, boards, sides) == to_move
        assert np.array_equal(mover_wins, wins[chosen] != 0)
    assert seen == positions or (positions is None and seen > 1000)


def chains(size):
    """For each set of cells whether it joins red's edges, and whether it joins blue's."""
    return tuple(
        np.array([rules.connected(stones, colour, size) for stones in range(2**size**2)])
        for colour in ("red", "blue")
    )


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


@compiled_only
def test_24_openings_win_on_size_6():
    won = openings_won(6)
    assert len(won) == 24
    assert half_turned(won, 6) == won


@pytest.mark.long
@compiled_only
def test_27_openings_win_on_size_7():
    won = openings_won(7)
    assert len(won) == 27
    assert half_turned(won, 7) == won


@compiled_only
def test_openings_of_size_6_solved_one_by_one():
    """With nothing learnt before, so that a half turn is searched in another order."""
    game = load_game("hex", size=6)
    openings = {str(move): game.start().play(move) for move in game.start().moves()}
    red = {n for n, begun in openings.items() if Solver(6, 2**16).solve(begun).winner == "red"}
    assert len(red) == 24
    assert half_turned(red, 6) == red
    blue = {
        n for n, begun in openings.items() if solver_for(6).solve(begun.reversed()).winner == "blue"
    }
    assert blue == red


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
        assert call(squares.reflected, word) == sum(1 << 8 * c + r for r, c in cells)


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


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_fewest_moves_of_every_position(size):
    """And best moves are those that win soonest or lose latest, each of them for some seed."""
    solver, rng = Solver(size, 2**12), random.Random(size)
    boards = list(itertools.product(".RB", repeat=size**2))
    if size == 3:
        boards = rng.sample(boards, few(1000))
    for board in boards:
        cells = "".join(board)
        for to_move, letter in (("red", "R"), ("blue", "B")):
            if not any(naive.has_won(cells, size, c) for c in "RB"):
                check_fewest(solver, cells, size, to_move, letter)


@compiled_only
@pytest.mark.parametrize("n_positions", [60, pytest.param(300, marks=LONG)])
def test_the_fewest_moves_of_positions_of_size_4(n_positions):
    solver, rng = Solver(4), random.Random(7)
    for n in range(n_positions):
        position = random_position(4, 7 + n % 6, rng)
        cells = position.game.write_position(position).split()[0].replace("/", "")
        check_fewest(solver, cells, 4, position.to_move, position.to_move[0].upper())


def check_fewest(solver, cells, size, to_move, letter):
    position = position_of(cells, size, to_move)
    stones, best = naive.fewest_stones(cells, size, letter)
    assert solver.fewest_moves(position) == stones, position
    found = {numbers([solver.best_move(position, seed)], size)[0] for seed in range(6)}
    assert found <= set(best), position


@compiled_only
def test_lines_of_size_5_last_as_long_as_was_said():
    rng = random.Random(5)
    for _ in range(10):
        position = random_position(5, rng.randrange(4, 9), rng)
        solution = solve(position)
        assert len(solution.line) == solution.plies
        for move in solution.line:
            position = position.play(move)
        assert position.winner == solution.winner


@compiled_only
@pytest.mark.parametrize("effort", [0, pytest.param(1, marks=LONG), 2000])
def test_too_little_effort_still_wins(effort):
    game, solver = load_game("hex", size=6), Solver(6)
    position = game.start()
    exact = solver.fewest_moves(position, effort)
    assert exact is None
    while position.outcome() is None:
        position = position.play(solver.best_move(position, 1, effort))
    assert position.winner == "red"


def test_an_effort_below_zero():
    position = load_game("hex", size=3).start()
    with pytest.raises(ValueError, match="effort=-1 must be"):
        Solver(3).fewest_moves(position, -1)


@compiled_only
def test_threads_share_a_solver():
    rng = random.Random(3)
    positions = [random_position(5, 4 + n % 6, rng) for n in range(200)]
    shared, alone = Solver(5, 2**8), Solver(5)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(shared.winning_moves, positions))
        counts = list(pool.map(shared.fewest_moves, positions))
    assert found == [alone.winning_moves(position) for position in positions]
    assert counts == [alone.fewest_moves(position) for position in positions]


def test_the_seed_decides_between_equal_moves():
    position, solver = load_game("hex", size=2).start(), Solver(2)
    moves = {str(solver.best_move(position, seed)) for seed in range(40)}
    assert moves == {"b1", "a2"}
    assert solver.best_move(position, 7) == Solver(2).best_move(position, 7)


def test_a_line_goes_to_the_end_and_its_first_move_is_the_best():
    position = load_game("hex", size=3).start()
    line = list(Solver(3).principal_line(position, 1))
    assert line[0] == Solver(3).best_move(position, 1) == solving.best_move(position, 1)[0]
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
        with pytest.raises(ValueError, match=f"size={size} must be an integer from 1 to 8"):
            Solver(size)
    for entries in (0, 3, -4):
        with pytest.raises(ValueError, match=f"entries={entries} must be a power of 2"):
            Solver(3, entries)


def test_positions_of_another_size():
    with pytest.raises(ValueError, match="size 3, not 4"):
        Solver(3).solve(load_game("hex", size=4).start())
    game = load_game("hex", size=4)
    with pytest.raises(ValueError, match="size 3, not 4"):
        Solver(3).label(game, boards_of(game, [game.start()]), np.zeros(1, np.int8))


def test_solving_says_what_it_cannot_take():
    large = load_game("hex", size=9).start()
    for ask in (solve, solving.best_move, lambda position: solving.check(position.game)):
        with pytest.raises(ValueError, match="size 1 to 8, not 9"):
            ask(large) if ask is not solving.best_move else ask(large, 0)


@pytest.mark.parametrize("sides", [[2], [-1], [0, 1], []])
def test_sides_to_move_that_do_not_fit(sides):
    game = load_game("hex", size=3)
    with pytest.raises(ValueError, match="0 or 1 for each of 1 boards"):
        Solver(3).label(game, boards_of(game, [game.start()]), np.array(sides, np.int8))


def test_no_move_after_the_end():
    position = load_game("hex", size=2).read_position("RB/R. blue")
    assert Solver(2).solve(position).moves_at_most == 0
    assert Solver(2).winning_moves(position) == ()
    with pytest.raises(ValueError, match="The game is over: red wins"):
        Solver(2).best_move(position)
