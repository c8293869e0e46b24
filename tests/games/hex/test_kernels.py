"""The kernels of Hex, held against the rules and the slow twin; also run without the compiler."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.games.hex import kernels, rules
from clauseboard.games.hex.encoding import boards_of, words_of
from clauseboard.kernels.compiler import JIT_DISABLED, kernel
from naive import hex as naive

FEW = settings(max_examples=15 if JIT_DISABLED else 200)
SIZES = [1, 2, 3, 5, 8, 9, 13] if JIT_DISABLED else list(range(1, 20))
"""A board of size 8 fills a word; on 9 and 13 rows lie across two; 19 takes six words."""

all_sizes = pytest.mark.parametrize("size", SIZES)
some_sizes = st.sampled_from(SIZES)
seeds = st.integers(0, 2**64 - 1)


def few(count):
    """A number of repetitions, cut down where kernels are plain Python."""
    return max(count // 20, 3) if JIT_DISABLED else count


def random_stones(size, seed):
    """Stones of both colours anywhere, as the arrays of the kernels and of the twin."""
    rng = random.Random(seed)
    share = rng.random()
    stones = {
        cell: rng.choice([naive.RED, naive.BLUE])
        for cell in naive.neighbours(size)
        if rng.random() < share
    }
    return words(stones, size), stones


def words(stones, size):
    board = np.zeros((2, words_of(size)), np.uint64)
    for (row, column), colour in stones.items():
        cell = row * size + column
        board[int(colour == naive.BLUE), cell // 64] |= np.uint64(1 << cell % 64)
    return board


def one_connects(stones, size):
    """The twin's winner, where stones put down anywhere cannot make both win."""
    return {naive.RED: kernels.RED, naive.BLUE: kernels.BLUE, None: kernels.NOBODY}[
        naive.winner_of(stones, size)
    ]


def winner(board, size):
    result = np.empty(1, np.int8)
    kernels.winners(board[None], size, result)
    return result[0]


# ---- who has won


@all_sizes
def test_winners_are_those_of_the_twin(size):
    for seed in range(few(60 if size < 10 else 12)):
        board, stones = random_stones(size, seed)
        assert winner(board, size) == one_connects(stones, size)


@all_sizes
def test_full_boards_have_the_winner_of_the_rules(size):
    rng = random.Random(size)
    boards, expected = [], []
    cells = list(range(size**2))
    game = load_game("hex", size=size)
    for _ in range(few(200)):
        rng.shuffle(cells)
        red, blue = (sum(1 << cell for cell in cells[first::2]) for first in (0, 1))
        won = rules.connected(red, "red", size)
        assert won != rules.connected(blue, "blue", size)
        boards.append(rules.HexPosition(game, red, blue, "red"))
        expected.append(kernels.RED if won else kernels.BLUE)
    found = np.empty(len(boards), np.int8)
    kernels.winners(boards_of(game, boards), size, found)
    assert found.tolist() == expected


@pytest.mark.parametrize("size", [2, 3])
def test_winners_of_every_position(size):
    """Each cell empty, red or blue; also those that no game comes to."""
    for number in range(3 ** (size * size) if not JIT_DISABLED or size == 2 else 500):
        digits = [number // 3**n % 3 for n in range(size * size)]
        stones = {
            (n // size, n % size): (naive.RED, naive.BLUE)[digit - 1]
            for n, digit in enumerate(digits)
            if digit
        }
        assert winner(words(stones, size), size) == one_connects(stones, size)


@all_sizes
def test_a_straight_line_wins_and_one_with_a_gap_does_not(size):
    for across in range(size):
        line = {(along, across): naive.RED for along in range(size)}
        turned = {(across, along): naive.BLUE for along in range(size)}
        assert winner(words(line, size), size) == kernels.RED
        assert winner(words(turned, size), size) == kernels.BLUE
        for gap in range(size):
            for stones, cell in ((line, (gap, across)), (turned, (across, gap))):
                less = {other: colour for other, colour in stones.items() if other != cell}
                assert winner(words(less, size), size) == kernels.NOBODY


def test_a_long_way_round_is_found():
    """A chain that winds up and down through the whole board."""
    snake = ["R......", "RRRRRR.", ".....R.", ".RRRR.R", ".R..R.R", ".R..R.R", ".R...R."]
    size = 7
    red = {(r, c): naive.RED for r in range(size) for c in range(size) if snake[r][c] == "R"}
    assert winner(words(red, size), size) == one_connects(red, size) != kernels.NOBODY
    for cell in red:
        less = {other: naive.RED for other in red if other != cell}
        assert winner(words(less, size), size) == one_connects(less, size)


@FEW
@given(some_sizes, seeds)
def test_mirrored_boards_have_mirrored_winners(size, seed):
    board, stones = random_stones(size, seed)
    other = {naive.RED: naive.BLUE, naive.BLUE: naive.RED}
    last = size - 1
    turned = {(last - r, last - c): colour for (r, c), colour in stones.items()}
    reverse = {(c, r): other[colour] for (r, c), colour in stones.items()}
    won = winner(board, size)
    assert winner(words(turned, size), size) == won
    assert winner(words(reverse, size), size) == (won if won == kernels.NOBODY else 1 - won)


# ---- moves one by one


@kernel("int64(uint64[:,::1], int16[::1], int64, int64, int16[::1])")
def play_cells(stones, links, size, to_move, cells):
    """Play cells in turn until a side connects; return how many were played."""
    for n in range(cells.size):
        if kernels.place(stones, links, size, to_move, cells[n]):
            return n + 1
        to_move = 1 - to_move
    return cells.size


@all_sizes
def test_moves_one_by_one_end_when_the_rules_say_so(size):
    """Incremental union-find against the chains of the whole board after every move."""
    game = load_game("hex", size=size)
    rng = random.Random(size)
    for _ in range(few(20 if size < 12 else 4)):
        cells = list(range(size**2))
        rng.shuffle(cells)
        position, played = game.start(), 0
        while position.winner is None:
            position = position.play(rules.cells_of(size)[cells[played]])
            played += 1
        board, links = np.zeros((2, words_of(size)), np.uint64), start_links(size)
        count = play_cells(board, links, size, kernels.RED, np.array(cells, np.int16))
        assert count == played
        assert np.array_equal(board, boards_of(game, [position])[0])


def start_links(size):
    return np.arange(size**2 + kernels.N_SIDES, dtype=np.int16)


@FEW
@given(some_sizes, seeds)
def test_a_copy_takes_moves_back(size, seed):
    """Playing on from a copy is playing on from the position, whoever is to move."""
    cells = list(range(size**2))
    random.Random(seed).shuffle(cells)
    half = np.array(cells[: len(cells) // 2], np.int16)
    rest = np.array(cells[len(cells) // 2 :], np.int16)
    board, links = np.zeros((2, words_of(size)), np.uint64), start_links(size)
    if play_cells(board, links, size, kernels.RED, half) < half.size:
        return
    if half.size and winner(board, size) != kernels.NOBODY:
        return
    to_move = half.size % 2
    kept = board.copy(), links.copy()
    count = play_cells(board, links, size, to_move, rest)
    assert winner(board, size) == (to_move + count - 1) % 2
    board, links = kept
    assert winner(board, size) == kernels.NOBODY
    assert play_cells(board, links, size, to_move, rest) == count


# ---- games played out


@kernel("uint64(uint64[:,:,::1], int8[::1], int64, uint64, uint64[:,:,::1], int8[::1])")
def fill_boards(boards, to_move, size, stream, full, result):
    """Play each board out once, write the full board and its winner; return the stream."""
    rows = np.empty(size + 2, np.uint64)
    for i in range(boards.shape[0]):
        result[i], stream = kernels.play_out(boards[i], to_move[i], size, full[i], rows, stream)
    return stream


def bits_of(words):
    return np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little")


@all_sizes
def test_a_game_played_out_shares_the_empty_cells(size):
    n_cells = size**2
    boards = np.stack([random_stones(size, seed)[0] for seed in range(few(40))])
    to_move = (np.arange(len(boards)) % 2).astype(np.int8)
    full, won = np.empty_like(boards), np.empty(len(boards), np.int8)
    fill_boards(boards, to_move, size, np.uint64(size), full, won)
    for before, mover, after, side in zip(boards, to_move, full, won, strict=True):
        old, new = [bits_of(b) for b in before], [bits_of(b) for b in after]
        assert all(np.all(new[colour] >= old[colour]) for colour in (0, 1))
        assert np.array_equal(new[0] + new[1], np.arange(new[0].size) < n_cells)
        empty = n_cells - int(old[0].sum() + old[1].sum())
        given = [int((new[colour] - old[colour]).sum()) for colour in (0, 1)]
        assert given[mover] == (empty + 1) // 2
        assert given[1 - mover] == empty // 2
        assert side == winner(after, size)


@pytest.mark.parametrize(("size", "games"), [(3, 20_000), (9, 2_000), (19, 400)])
def test_every_cell_is_as_likely_as_the_others(size, games):
    games = few(games)
    boards = np.zeros((games, 2, words_of(size)), np.uint64)
    full, won = np.empty_like(boards), np.empty(games, np.int8)
    to_move = np.zeros(games, np.int8)
    fill_boards(boards, to_move, size, np.uint64(1), full, won)
    red = np.unpackbits(full[:, 0].view(np.uint8), axis=1, bitorder="little")[:, : size**2]
    chance = (size**2 + 1) // 2 / size**2
    deviation = (red.mean(axis=0) - chance) * np.sqrt(games / (chance * (1 - chance)))
    assert np.abs(deviation).max() < 5
    # Neighbours in the order of the cells go together no more often than any two.
    both = (red[:, 1:] & red[:, :-1]).mean(axis=1)
    expected = chance * ((size**2 + 1) // 2 - 1) / (size**2 - 1)
    assert abs(both.mean() - expected) < 5 * both.std() / np.sqrt(games)


def test_all_ways_to_share_four_cells_are_as_likely():
    games = few(30_000)
    boards = np.zeros((games, 2, 1), np.uint64)
    full, won = np.empty_like(boards), np.empty(games, np.int8)
    fill_boards(boards, np.zeros(games, np.int8), 2, np.uint64(7), full, won)
    ways, counts = np.unique(full[:, 0, 0], return_counts=True)
    assert len(ways) == 6
    chi_squared = ((counts - games / 6) ** 2 / (games / 6)).sum()
    assert chi_squared < 25.7  # one in ten thousand for five degrees of freedom


@pytest.mark.parametrize("to_move", [kernels.RED, kernels.BLUE])
def test_wins_are_as_frequent_as_among_all_ways_to_go_on(to_move):
    """The share of wins, exactly: by the twin over every way to share out the empty cells."""
    size, taken = 3, {(0, 2): naive.RED, (1, 0): naive.BLUE}
    empty = [cell for cell in naive.neighbours(size) if cell not in taken]
    share = (len(empty) + 1) // 2 if to_move == kernels.RED else len(empty) // 2
    ways = [
        taken | {cell: naive.RED if cell in some else naive.BLUE for cell in empty}
        for some in itertools.combinations(empty, share)
    ]
    exact = np.mean([naive.winner_of(way, size) == naive.RED for way in ways])
    games = few(40_000)
    wins, stream = kernels.playouts(words(taken, size), to_move, size, games, np.uint64(3))
    assert abs(wins / games - exact) < 5 * np.sqrt(exact * (1 - exact) / games)
    assert stream != np.uint64(3)


@all_sizes
def test_one_stream_gives_the_same_games_in_one_call_or_in_two(size):
    board = np.zeros((2, words_of(size)), np.uint64)
    games = few(100)
    wins, end = kernels.playouts(board, kernels.RED, size, 2 * games, np.uint64(5))
    first, between = kernels.playouts(board, kernels.RED, size, games, np.uint64(5))
    second, end_again = kernels.playouts(board, kernels.RED, size, games, between)
    assert (first + second, end_again) == (wins, end)
    assert not board.any()


@all_sizes
def test_random_games_end_with_the_move_that_connects(size):
    games = few(20 if size < 12 else 4)
    cells = np.empty((games, size**2), np.int16)
    lengths = np.empty(games, np.int16)
    boards = np.empty((games, 2, words_of(size)), np.uint64)
    kernels.random_games(size, np.uint64(9), cells, lengths, boards)
    game = load_game("hex", size=size)
    for order, length, board in zip(cells, lengths, boards, strict=True):
        assert sorted(order) == list(range(size**2))
        position = game.start()
        for cell in order[:length]:
            position = position.play(rules.cells_of(size)[cell])
        assert position.winner == ("blue", "red")[length % 2]
        assert np.array_equal(boards_of(game, [position])[0], board)
    if size > 2:
        assert len({order.tobytes() for order in cells}) == games


# ---- bits


@all_sizes
def test_packed_boards_are_numpy_packed_rows(size):
    made = [random_stones(size, seed)[0] for seed in range(few(30))]
    made += [words({cell: naive.RED}, size) for cell in naive.neighbours(size)]
    boards = np.stack(made)
    packed = np.empty((len(boards), -(-2 * size**2 // 64)), np.uint64)
    kernels.pack_boards(boards, size, packed)
    for board, row in zip(boards, packed, strict=True):
        expected = np.zeros(64 * len(row), np.uint8)
        expected[: 2 * size**2] = np.concatenate([bits_of(half)[: size**2] for half in board])
        assert np.array_equal(bits_of(row), expected)
