"""The kernels, held against the rules, the slow twin and the published counts."""

import itertools
import json
import random
from pathlib import Path

import numpy as np
import pytest
from checkers_boards import ENDLESS, as_naive, random_position, random_positions, words
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.games.checkers import Checkers, kernels
from clauseboard.games.checkers.rules import CELLS, SQUARES, WHITE, column, row
from clauseboard.kernels.compiler import JIT_DISABLED
from naive import checkers as naive

FEW = settings(max_examples=20 if JIT_DISABLED else 200)
HERE = Path(__file__).parent

# Numbers of ways to play n moves, where ways round a ring that leave the same board count each.
PUBLISHED = [1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128]
PUBLISHED += [388623673, 1766623630]


def after_each_move(position):
    """The boards after each move, by the kernel."""
    boards = np.zeros((kernels.MOST_MOVES, 3), np.uint64)
    n = kernels.successors(*words(position), boards)
    return [tuple(int(word) for word in board) for board in boards[:n]]


def perft(position, depth, each_path=False):
    return kernels.perft(*words(position), depth, each_path)


@FEW
@given(st.integers(0, 2**32))
def test_successors_are_what_the_rules_say(seed):
    position = random_position(random.Random(seed))
    found = after_each_move(position)
    assert len(found) == len(position.possible_moves)
    assert sorted(found) == sorted(position.after(move).board for move in position.possible_moves)


def test_successors_in_many_random_games():
    for seed in range(2 if JIT_DISABLED else 60):
        rng = random.Random(seed)
        position = ENDLESS.start()
        for _ in range(100):
            found = sorted(after_each_move(position))
            assert found == sorted(position.after(move).board for move in position.possible_moves)
            if not position.moves():
                break
            position = position.play(rng.choice(position.moves()))


@pytest.mark.parametrize("depth", range(5 if JIT_DISABLED else 12))
def test_the_published_counts(depth):
    assert perft(ENDLESS.start(), depth, each_path=True) == PUBLISHED[depth]


@pytest.mark.long
@pytest.mark.parametrize("depth", [12, 13])
def test_the_published_counts_further_on(depth):
    assert perft(ENDLESS.start(), depth, each_path=True) == PUBLISHED[depth]


def cases():
    return json.loads((HERE / "perft.json").read_text("utf-8"))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["position"])
def test_counts_of_other_positions(case):
    """`perft.json` was made by the twin; the kernel must say the same, and so must the twin."""
    position = ENDLESS.read_position(case["position"])
    for name, each_path in (("moves", False), ("paths", True)):
        for depth, count in enumerate(case[name], 1):
            if count <= (2000 if JIT_DISABLED else 10**9):
                assert perft(position, depth, each_path) == count
            if count <= 2000:
                assert naive.perft(as_naive(position), position.to_move, depth, each_path) == count


def test_the_positions_in_the_file_tell_moves_from_paths():
    assert any(case["moves"] != case["paths"] for case in cases())
    assert sum("K" in case["position"] for case in cases()) >= 5


def test_no_board_has_more_moves_than_there_is_room_for():
    """One piece has at most 16 ways to jump: all sets of men round it are tried."""
    jumps = {
        s: [
            (CELLS[row(s) + y, column(s) + x], CELLS[row(s) + 2 * y, column(s) + 2 * x])
            for y in (-1, 1)
            for x in (-1, 1)
            if (row(s) + 2 * y, column(s) + 2 * x) in CELLS
        ]
        for s in SQUARES
    }

    def ways(at, left):
        further = [(near, far) for near, far in jumps[at] if near in left]
        return sum(ways(far, left - {near}) for near, far in further) if further else 1

    most = 0
    for start in (10, 14) if JIT_DISABLED else SQUARES:
        reached, waiting = {start}, [start]
        while waiting:
            new = {far for _, far in jumps[waiting.pop()]} - reached
            reached |= new
            waiting += new
        over = sorted({near for s in reached for near, _ in jumps[s]})
        assert len(over) <= 9
        most = max(
            most,
            *(
                ways(start, frozenset(men))
                for n in range(len(over) + 1)
                for men in itertools.combinations(over, n)
            ),
        )
    assert most == 16
    assert 12 * most < kernels.MOST_MOVES


def test_the_busiest_boards_fit():
    if JIT_DISABLED:
        pytest.skip("too long without the compiler")
    for position in random_positions(5, 3000):
        assert len(after_each_move(position)) == len(position.possible_moves)


# ------------------------------------------------------------------ random games


class Stream:
    """SplitMix64 in plain integers."""

    def __init__(self, counter):
        self.counter = counter

    def next(self):
        mask = 2**64 - 1
        self.counter = (self.counter + 0x9E3779B97F4A7C15) & mask
        z = ((self.counter ^ (self.counter >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)


def playout(position, counter):
    game = position.game
    return kernels.playout(
        np.array([*position.history, position.board], np.uint64),
        int(position.to_move == WHITE),
        position.quiet,
        position.played,
        game.blocked == "loss",
        2 * (game.quiet_moves or 0),
        game.repetitions or 0,
        game.max_moves or 0,
        np.uint64(counter),
    )


WINNERS = {"black": 0, "white": 1, None: 2}


def follow(position, counter):
    """The same random game by the rules: how it ends, after how many moves, and the stream."""
    stream, followed = Stream(counter), 0
    while position.outcome() is None:
        boards = after_each_move(position)
        chosen = boards[(stream.next() >> 32) * len(boards) >> 32]
        position = next(
            after for move in position.moves() if (after := position.play(move)).board == chosen
        )
        followed += 1
    return position.outcome(), followed, stream


PARAMETERS = [
    {},
    {"blocked": "draw"},
    {"quiet_moves": 2},
    {"quiet_moves": 10, "repetitions": None},
    {"repetitions": 2},
    {"repetitions": 4, "quiet_moves": None},
    {"max_moves": 30},
    {"max_moves": 500, "repetitions": None, "quiet_moves": None},
]


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_a_random_game_can_be_followed_move_by_move(parameters):
    """With the same draws, and the kernel's order of moves, the rules end at the same place."""
    game = Checkers(**parameters)
    ended = set()
    for seed in range(2 if JIT_DISABLED else 40):
        position = game.start()
        rng = random.Random(seed)
        # Begin somewhere on the way, so that there is a history to be taken along.
        for _ in range(rng.randrange(60)):
            if position.moves():
                position = position.play(rng.choice(position.moves()))
        winner, n_moves, counter = playout(position, seed)
        outcome, followed, stream = follow(position, seed)
        assert followed == n_moves
        assert stream.counter == int(counter)
        assert winner == WINNERS[outcome.winner]
        ended.add(winner)
    assert JIT_DISABLED or len(ended) > 1 or "max_moves" in parameters


def test_a_game_that_is_over_is_not_played():
    over = [("W:W:B1", 0), ("B:W:B1", 0), ("W:W12:B8,3", 0), ("B:W32:B", 1)]
    for text, winner in over:
        assert playout(Checkers().read_position(text), 7) == (winner, 0, 7)
    assert playout(Checkers(blocked="draw").read_position("W:W12:B8,3"), 7) == (2, 0, 7)


@pytest.mark.parametrize("repetitions", [None, 6])
def test_a_long_history_finds_room(repetitions):
    """More boards without progress than there is room for at first."""
    position = Checkers(quiet_moves=None, repetitions=repetitions).read_position("B:WK1:BK32")
    lengths = []
    for seed in range(20):
        winner, n_moves, _ = playout(position, seed)
        outcome, followed, _ = follow(position, seed)
        assert (winner, n_moves) == (WINNERS[outcome.winner], followed)
        lengths.append(n_moves)
    assert max(lengths) > 2 * kernels.ROOM_AT_FIRST
