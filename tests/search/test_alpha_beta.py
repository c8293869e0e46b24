"""Alpha-beta, compiled and plain, held against minimax by the book."""

import math
import random

import numpy as np
import pytest

from clauseboard.compiled import JIT_DISABLED, specialised
from clauseboard.evaluation import (
    BitEvaluator,
    Compiled,
    Evaluator,
    Judgements,
    Limit,
    linear,
    network,
)
from clauseboard.game import load_game
from clauseboard.games.checkers import Checkers, CheckersPosition
from clauseboard.games.checkers.board import BLACK, CROWNS, SQUARES, WHITE, WORD
from clauseboard.search import alpha_beta, plain_alpha_beta
from clauseboard.search.alpha_beta import AlphaBeta, value_of
from clauseboard.search.base import load_search, search_names
from clauseboard.search.board import searching_of
from clauseboard.voting import TILE_WORDS, fill_table
from naive import alpha_beta as naive

ROUNDING = 1e-6
N = 9 if JIT_DISABLED else 60
TABLES = not JIT_DISABLED
"""Endgame tables take hours to make without the compiler."""


# ------------------------------------------------------------------ evaluators


class Bits(BitEvaluator):
    """An evaluator that is data, beside a plain function of the bits that says the same."""

    def __init__(self, game, compiled, value, hidden=False):
        self.game, self.data, self.value, self.hidden = game, compiled, value, hidden
        self.view = compiled.view

    def judge_bits(self, bits, sides):
        rows = np.unpackbits(bits, axis=1, bitorder="little")[:, : len(self.game.bits())]
        values = np.clip([self.value(row) for row in rows], -1, 1)
        return Judgements(np.where(sides == 1, -values, values) if self.view == "board" else values)

    def compiled(self):
        return None if self.hidden else (self.data, self.data)


def weighted(game, seed, view="board", hidden=False):
    weights = np.random.default_rng(seed).normal(0, 0.1, len(game.bits()))
    return Bits(game, linear(weights, view=view), lambda row: row @ weights, hidden)


def hashing(game, seed, hidden=False):
    """A network of large random weights: boards that differ in one piece have unlike values."""
    rng = np.random.default_rng(seed)
    hidden_layer, bias = rng.normal(0, 5, (len(game.bits()), 8)), rng.normal(0, 5, 8)
    out = rng.normal(0, 1, 8)

    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    def value(row):
        return 2 * sigmoid(sigmoid(row @ hidden_layer + bias) @ out + 0.1) - 1

    return Bits(game, network(hidden_layer, bias, out, 0.1, view="mover"), value, hidden)


def voting(game, seed, hidden=False):
    """Clauses of three literals each, most of them negated ones."""
    n_bits, n_clauses = len(game.bits()), 70
    rng = np.random.default_rng(seed)
    clauses = [
        rng.choice(n_bits, 3, replace=False) + n_bits * (rng.random(3) < 0.8)
        for _ in range(n_clauses)
    ]
    weights = rng.integers(-30, 31, n_clauses)
    include = np.zeros((n_clauses, -(-2 * n_bits // 64)), np.uint64)
    for n, clause in enumerate(clauses):
        for literal in clause:
            include[n, literal // 64] |= np.uint64(1) << np.uint64(literal % 64)
    table = np.zeros((1, 16 * -(-n_bits // 4), TILE_WORDS), np.uint64)
    out = np.full((1, 1, TILE_WORDS), ~np.uint64(0))
    fill_table(include, np.arange(n_clauses), n_bits, table, out)
    places = np.zeros(64 * TILE_WORDS, np.int64)
    places[:n_clauses] = weights
    owners = np.zeros(TILE_WORDS, np.int64)
    data = Compiled(
        Compiled.CLAUSES, scale=300, offset=7, table=table, out=out, weights=places, owners=owners
    )

    def value(row):
        literals = np.concatenate([row, 1 - row])
        return (
            sum(w for c, w in zip(clauses, weights, strict=True) if literals[c].all()) - 7
        ) / 300

    return Bits(game, data, value, hidden)


KINDS = {"linear": weighted, "network": hashing, "clauses": voting}


class Material(Evaluator):
    """A plain function of positions."""

    def __init__(self, game):
        self.game = game

    def judge(self, positions):
        return Judgements(np.array([self.one(position) for position in positions]))

    @staticmethod
    def one(position):
        black, white = position.black.bit_count(), position.white.bit_count()
        balance = (black - white) / 24
        return balance if position.to_move == BLACK else -balance


# ------------------------------------------------------------------ positions


def thrown(rng, most, game):
    """A few pieces thrown on the board, in a game that goes on."""
    while True:
        words, kings = {BLACK: 0, WHITE: 0}, 0
        for n, square in enumerate(rng.sample(list(SQUARES), rng.randint(2, 2 * most))):
            colour = (BLACK, WHITE)[n % 2]
            words[colour] |= WORD[square]
            if WORD[square] & CROWNS[colour] or rng.random() < 0.4:
                kings |= WORD[square]
        to_move = rng.choice((BLACK, WHITE))
        position = CheckersPosition(game, words[BLACK], words[WHITE], kings, to_move)
        if position.outcome() is None:
            return position


def positions(seed, count, most=4, game=None, plies=6):
    """Positions that came about by some moves, so that boards can come up again."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        position = thrown(rng, most, game or Checkers())
        for _ in range(rng.randrange(plies + 1)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.moves()))
        if position.outcome() is None:
            found.append(position)
    return found


def hex_positions(seed, count, size=3):
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        position = load_game("hex", size=size).start()
        for _ in range(rng.randrange(size * size - 3)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.moves()))
        if position.outcome() is None:
            found.append(position)
    return found


def judged(evaluator):
    return lambda position: float(evaluator.judge([position]).values[0])


def assert_same(choice, expected):
    """The choice is the best of the expected scores, and its value is the same."""
    best = max(expected.values())
    assert expected[choice.move] == pytest.approx(best, abs=ROUNDING)
    assert choice.value == pytest.approx(min(max(best, -1), 1), abs=ROUNDING)
    assert choice.candidates[0].move == choice.move == choice.line[0]
    for candidate in choice.candidates:
        # Exact, or what the move cannot be better than.
        assert candidate.value >= min(max(expected[candidate.move], -1), 1) - ROUNDING
        assert candidate.value <= choice.value


# ------------------------------------------------------------------ as minimax


@pytest.mark.parametrize("quiescence", [True, False])
@pytest.mark.parametrize("table_bits", [0, 4, 16])
@pytest.mark.parametrize("kind", KINDS)
def test_checkers_is_minimax(kind, table_bits, quiescence):
    evaluator = KINDS[kind](Checkers(), 3)
    search = AlphaBeta(table_bits=table_bits, quiescence=quiescence, endgames=False)
    for n, position in enumerate(positions(1, N)):
        depth = 1 + n % 3
        expected = naive.each_move(position, depth, judged(evaluator), quiescence=quiescence)
        assert_same(search.find(position, evaluator, Limit(depth=depth), seed=n), expected)


@pytest.mark.parametrize("hidden", [False, True])
def test_checkers_is_minimax_further_on(hidden):
    evaluator = weighted(Checkers(), 5, "mover", hidden)
    search = AlphaBeta(endgames=False)
    for n, position in enumerate(positions(2, 1 if JIT_DISABLED else 6, most=2)):
        expected = naive.each_move(position, 4, judged(evaluator))
        assert_same(search.find(position, evaluator, Limit(depth=4), seed=n), expected)


@pytest.mark.long
def test_checkers_is_minimax_on_many_boards():
    for kind, make in KINDS.items():
        evaluator = make(Checkers(), 9)
        search = AlphaBeta(endgames=False, table_bits=10)
        for n, position in enumerate(positions(kind, 150)):
            depth = 1 + n % 4
            expected = naive.each_move(position, depth, judged(evaluator))
            assert_same(search.find(position, evaluator, Limit(depth=depth), seed=n), expected)


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_hex_is_minimax(kind, hidden):
    evaluator = KINDS[kind](load_game("hex", size=3), 4, hidden=hidden)
    search = AlphaBeta(table_bits=8)
    for n, position in enumerate(hex_positions(1, 2 if JIT_DISABLED else 8)):
        depth = 1 + n % (2 if JIT_DISABLED else 4)
        expected = naive.each_move(position, depth, judged(evaluator))
        assert_same(search.find(position, evaluator, Limit(depth=depth)), expected)


@pytest.mark.parametrize("hidden", [False, True])
def test_every_move_gets_its_exact_value(hidden):
    evaluator = weighted(Checkers(), 6, hidden=hidden)
    search = AlphaBeta(every_move=True, endgames=False)
    for position in positions(3, N // 3, most=5):
        expected = naive.each_move(position, 3, judged(evaluator))
        choice = search.find(position, evaluator, Limit(depth=3))
        assert_same(choice, expected)
        assert {one.move for one in choice.candidates} == set(position.moves())
        for one in choice.candidates:
            exact = min(max(expected[one.move], -1), 1)
            assert one.value == pytest.approx(exact, abs=ROUNDING)


@pytest.mark.parametrize("grain", [0.0, 0.01, 0.3])
@pytest.mark.parametrize("hidden", [False, True])
def test_values_are_rounded_to_a_grain(grain, hidden):
    evaluator = weighted(Checkers(), 6, hidden=hidden)
    search = AlphaBeta(grain=grain, endgames=False)

    def rounded(position):
        value = judged(evaluator)(position)
        return value if grain == 0 else math.floor(value / grain + 0.5) * grain

    for position in positions(12, N // 3, most=5):
        expected = naive.each_move(position, 3, rounded)
        assert_same(search.find(position, evaluator, Limit(depth=3)), expected)


@pytest.mark.parametrize("draw", [-0.5, 0.0, 1.0])
@pytest.mark.parametrize("hidden", [False, True])
def test_what_a_draw_is_worth(draw, hidden):
    """Near the end of a game that is soon drawn by counting."""
    game = Checkers(quiet_moves=2, max_moves=9)
    evaluator = weighted(game, 7, hidden=hidden)
    search = AlphaBeta(draw_score=draw, endgames=False, table_bits=10)
    for position in positions(4, N // 4 + 1, most=3, game=game, plies=4):
        expected = naive.each_move(position, 3, judged(evaluator), draw=draw)
        assert_same(search.find(position, evaluator, Limit(depth=3)), expected)


def test_plain_and_compiled_find_the_same():
    for position in positions(6, N // 2, most=6):
        found = [
            AlphaBeta(endgames=TABLES).find(
                position, weighted(Checkers(), 8, hidden=hidden), Limit(depth=3), seed=5
            )
            for hidden in (False, True)
        ]
        assert found[0].value == pytest.approx(found[1].value, abs=ROUNDING)


def test_a_plain_function_of_positions():
    evaluator = Material(Checkers())
    for position in positions(7, N // 4 + 1):
        expected = naive.each_move(position, 2, Material.one)
        choice = AlphaBeta(endgames=False).find(position, evaluator, Limit(depth=2))
        assert_same(choice, expected)


def test_go_can_be_searched():
    game = load_game("go", size=3)
    for hidden in (False, True):
        evaluator = weighted(game, 1, hidden=hidden)
        choice = AlphaBeta().find(game.start(), evaluator, Limit(depth=2))
        expected = naive.each_move(game.start(), 2, judged(evaluator))
        assert_same(choice, expected)


# ------------------------------------------------------------------ lines


def test_the_end_of_the_line_has_the_value():
    evaluator = hashing(Checkers(), 2)
    search = AlphaBeta(endgames=False)
    for position in positions(8, N, most=6):
        choice = search.find(position, evaluator, Limit(depth=3))
        here = position
        for move in choice.line:
            assert move in here.moves()
            here = here.play(move)
        sign = 1 if here.to_move == position.to_move else -1
        if here.outcome() is None and abs(choice.value) < 1 and choice.value != 0:
            assert len(choice.line) >= 3
            value = sign * judged(evaluator)(here)
            assert choice.value == pytest.approx(value, abs=ROUNDING)


@pytest.mark.parametrize("table_bits", [1, 4, 8])
def test_lines_can_be_played_though_the_table_forgets(table_bits):
    """A move that looked better at first, but not when looked at once more, has no line."""
    game = Checkers()
    evaluator = hashing(game, 5)
    search = AlphaBeta(table_bits=table_bits, endgames=False)
    rng = random.Random(table_bits)
    for _ in range(1 if JIT_DISABLED else 20):
        position = thrown(rng, 6, game)
        search.begin()
        for _ in range(2 if JIT_DISABLED else 25):
            if position.outcome() is not None:
                break
            choice = search.find(position, evaluator, Limit(depth=3 if JIT_DISABLED else 6))
            for candidate in choice.candidates:
                here = position
                for move in candidate.line:
                    assert move in here.moves()
                    here = here.play(move)
            position = position.play(choice.move)


def test_the_quickest_win_is_taken():
    game = Checkers(quiet_moves=None, repetitions=None)
    position = game.read_position("B:W22,14:BK18,K5")
    choice = AlphaBeta(endgames=False).find(position, weighted(game, 1), Limit(depth=5))
    assert choice.value == 1.0
    expected = naive.each_move(position, 5, lambda _: 0.0)
    plies = round((10 - max(expected.values())) * naive.LONG)
    assert len(choice.line) == plies


# ------------------------------------------------------------------ repetition and endgames


def test_a_board_that_comes_up_again_is_a_draw():
    """Black is two kings down: to shuffle back to a board of the game is the best it has."""
    game = Checkers(repetitions=3)
    position = game.read_position("W:WK32,K31,K15:BK1")
    for text in ("32-27", "1-5", "27-32"):
        position = position.play(position.read_move(text))
    evaluator = Bits(game, linear(np.repeat([0.1, 0.1, -0.1, -0.1], 32)), None)
    search = AlphaBeta(endgames=False)
    choice = search.find(position, evaluator, Limit(depth=1))
    assert str(choice.move) == "5-1"
    assert choice.value == 0.0


@pytest.mark.skipif(not TABLES, reason="too long without the compiler")
def test_endgames_are_known():
    from clauseboard.games.checkers.endgames import open_tables

    game = Checkers(quiet_moves=None, repetitions=None)
    tables = open_tables(4)
    evaluator = weighted(game, 1)

    def probe(position):
        verdict = tables.probe(position)
        return None if verdict is None else (verdict.value, verdict.plies or 0)

    for n, position in enumerate(positions(9, 40, most=3, game=game)):
        expected = naive.each_move(position, 2, judged(evaluator), probe=probe)
        hidden = weighted(game, 1, hidden=True)
        for one in (evaluator, hidden):
            assert_same(AlphaBeta().find(position, one, Limit(depth=2), seed=n), expected)


@pytest.mark.skipif(not TABLES, reason="too long without the compiler")
@pytest.mark.parametrize("seed", range(3))
def test_won_endings_are_won(seed):
    """Against the best defence, in as many moves as the tables tell and not one more."""
    from clauseboard.games.checkers.endgames import open_tables

    game, tables = Checkers(), open_tables(4)
    rng = random.Random(seed)
    evaluator = weighted(game, 1)
    search = AlphaBeta()
    won = 0
    while won < 12:
        position = thrown(rng, 2, game)
        verdict = tables.probe(position)
        if verdict.value != 1 or not 5 <= verdict.plies <= 70:
            continue
        winner, moves = position.to_move, 0
        while position.outcome() is None:
            if position.to_move == winner:
                choice = search.find(position, evaluator, Limit(depth=1 + won % 3))
                assert choice.value == 1.0
                move = choice.move
            else:
                move = rng.choice(tables.best_moves(position))
            position = position.play(move)
            moves += 1
        assert position.outcome().winner == winner
        assert moves == verdict.plies
        won += 1


@pytest.mark.skipif(not TABLES, reason="too long without the compiler")
@pytest.mark.parametrize("text", ["B:W24,30:B17,23", "W:W6,27:B3,11", "B:W22,29:B8,25"])
@pytest.mark.parametrize("hidden", [False, True])
def test_wins_longer_than_forty_quiet_moves_are_won(text, hidden):
    """Men have to move for them, so that the count of quiet moves begins again."""
    from clauseboard.games.checkers.endgames import open_tables

    game, tables = Checkers(), open_tables(4)
    position = game.read_position(text)
    assert tables.probe(position).plies > 2 * game.quiet_moves
    winner, search, evaluator = position.to_move, AlphaBeta(), weighted(game, 1, hidden=hidden)
    assert 0.99 < search.find(position, evaluator, Limit(depth=3)).value < 1
    rng = random.Random(1)
    while position.outcome() is None:
        move = rng.choice(tables.best_moves(position))
        if position.to_move == winner:
            move = search.find(position, evaluator, Limit(depth=2)).move
        position = position.play(move)
    assert position.outcome().winner == winner
    soon = Checkers(max_moves=90).read_position(text)
    assert search.find(soon, weighted(soon.game, 1, hidden=hidden), Limit(depth=3)).value < 0.99


@pytest.mark.skipif(not TABLES, reason="too long without the compiler")
def test_tables_are_not_believed_where_the_game_is_drawn_before():
    game = Checkers(quiet_moves=2)
    position = game.read_position("W:WK32,K31,K15:BK1")
    choice = AlphaBeta().find(position, weighted(game, 1), Limit(depth=6))
    assert choice.value < 1
    blocked = Checkers(blocked="draw")
    position = blocked.read_position("B:W9:BK14")
    assert AlphaBeta().find(position, weighted(blocked, 1), Limit(depth=2)).value <= 1


# ------------------------------------------------------------------ limits


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("nodes", [1, 2, 17, 500])
def test_no_more_nodes_than_allowed(nodes, hidden):
    evaluator = weighted(Checkers(), 1, hidden=hidden)
    start = Checkers().start()
    choices = [
        AlphaBeta(endgames=False).find(start, evaluator, Limit(nodes=nodes), seed=3)
        for _ in range(2)
    ]
    assert choices[0] == choices[1]
    assert choices[0].cost.nodes == nodes
    assert choices[0].move in start.moves()
    assert (choices[0].value is None) == (nodes == 1)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_depth_is_kept(depth):
    evaluator = weighted(Checkers(), 1)
    start = Checkers().start()
    for choice in (
        AlphaBeta(depth=depth, endgames=False).find(start, evaluator),
        AlphaBeta(endgames=False).find(start, evaluator, Limit(depth=depth)),
    ):
        assert choice.cost.depth == depth
        assert len(choice.line) >= depth


class Clock:
    """A clock that goes on by a thousandth of a second whenever it is looked at."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        self.now += 0.001
        return self.now


@pytest.mark.parametrize("seconds", [0.02, 0.05, 0.2])
@pytest.mark.parametrize("hidden", [False, True])
def test_a_search_ends_when_its_time_is_up(hidden, seconds, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(alpha_beta, "time", clock)
    monkeypatch.setattr(alpha_beta, "SLICE", 0.0)
    monkeypatch.setattr(plain_alpha_beta, "time", clock)
    evaluator = weighted(Checkers(), 1, hidden=hidden)
    start = Checkers().start()
    choice = AlphaBeta(endgames=False).find(start, evaluator, Limit(seconds=seconds))
    assert choice.move in start.moves()
    assert choice.value is not None
    assert seconds <= choice.cost.seconds <= seconds + 0.01


def test_a_search_in_slices_is_the_same_search(monkeypatch):
    """Stopped every 37 nodes and taken up again, it finds what it finds in one go."""
    evaluator = hashing(Checkers(), 1)
    for position in positions(11, N // 4 + 1, most=6):
        whole = AlphaBeta(endgames=False).find(position, evaluator, Limit(depth=4))
        with monkeypatch.context() as patch:
            patch.setattr(alpha_beta, "FIRST_SLICE", 37)
            patch.setattr(alpha_beta, "SLICE", 0.0)
            limit = Limit(depth=4, seconds=1000)
            sliced = AlphaBeta(endgames=False).find(position, evaluator, limit)
        if len(position.moves()) > 1:
            assert sliced == whole
            assert sliced.cost.nodes == whole.cost.nodes


def test_one_move_needs_no_thinking():
    position = Checkers().read_position("B:W6,31,32:B1,3")
    assert len(position.moves()) == 1
    limit = Limit(seconds=1000)
    choice = AlphaBeta(endgames=False).find(position, weighted(Checkers(), 1), limit)
    assert (choice.move, choice.cost.depth) == (position.moves()[0], 1)


# ------------------------------------------------------------------ seeds, memory, parameters


def test_equally_good_moves_are_drawn_by_the_seed():
    game = Checkers()
    nothing = Bits(game, Compiled(Compiled.NOTHING), lambda row: 0.0)
    search = AlphaBeta(endgames=False)
    found = [search.find(game.start(), nothing, Limit(depth=1), seed=n).move for n in range(40)]
    assert len(set(found)) == 7
    again = [search.find(game.start(), nothing, Limit(depth=1), seed=n).move for n in range(40)]
    assert found == again


def test_what_is_remembered_changes_no_value():
    """One search for a whole game, and a fresh one for each of its moves."""
    game = Checkers()
    evaluator = voting(game, 2)
    kept = AlphaBeta(table_bits=12, endgames=False)
    position, rng = game.start(), random.Random(1)
    for _ in range(4 if JIT_DISABLED else 30):
        if position.outcome() is not None:
            break
        fresh = AlphaBeta(table_bits=12, endgames=False).find(position, evaluator, Limit(depth=3))
        assert kept.find(position, evaluator, Limit(depth=3)).value == fresh.value
        position = position.play(rng.choice(position.moves()))


def test_a_table_changes_nothing():
    """Men only, so that no board comes up again: the search finds the same without a table."""
    evaluator = hashing(Checkers(), 4)
    rng = random.Random(2)
    for _ in range(4 if JIT_DISABLED else 40):
        position = Checkers().start()
        for _ in range(rng.randrange(2, 12)):
            position = position.play(rng.choice(position.moves()))
        limit = Limit(depth=5 if JIT_DISABLED else 6)
        found, expected = (
            AlphaBeta(table_bits=bits, endgames=False).find(position, evaluator, limit)
            for bits in (14, 0)
        )
        assert found.value == expected.value
        assert len(found.line) >= limit.depth


def test_what_the_table_keeps():
    """The same board at another distance from the root: its win is as far from it as before."""
    kernels = specialised(alpha_beta.TEMPLATE, searching_of(Checkers()))
    for at_root, ply, below in ((0, 7, 0), (1_999_980, 3, 1_999_977), (-1_999_980, 3, -1_999_977)):
        assert kernels.from_root(at_root, ply) == below
        assert kernels.from_root(below, -ply) == at_root
    table = np.zeros((4, 2), np.uint64)

    def keep(key, depth, age):
        kernels.store(table, np.uint64(key), depth, kernels.LOWER, -5, 77, age)

    keep(8, 3, 1)
    keep(12, 4, 1)
    assert [kernels.find_entry(table, np.uint64(key)) >= 0 for key in (8, 12, 16)] == [1, 1, 0]
    word = int(table[kernels.find_entry(table, np.uint64(8)), 1])
    assert (word & 0xFFFF, word >> 16 & 255, word >> 24 & 63) == (77, 3, 1)
    assert (word >> 30 & 3, (word >> 32) - alpha_beta.INFINITE) == (kernels.LOWER, -5)
    keep(16, 1, 1)  # the less deep of the two goes
    assert [kernels.find_entry(table, np.uint64(key)) >= 0 for key in (8, 12, 16)] == [0, 1, 1]
    keep(12, 9, 1)  # the same board stays where it is
    keep(20, 1, 2)
    keep(24, 1, 2)  # those of an earlier move go first, however deep they are
    assert [kernels.find_entry(table, np.uint64(key)) >= 0 for key in (12, 20, 24)] == [0, 1, 1]


def test_another_evaluator_or_game_has_its_own_table():
    game = Checkers()
    position = positions(12, 1, most=6)[0]
    search = AlphaBeta(endgames=False)
    for seed in (1, 2, 1):
        evaluator = weighted(game, seed)
        alone = AlphaBeta(endgames=False).find(position, evaluator, Limit(depth=3))
        assert search.find(position, evaluator, Limit(depth=3)) == alone
    search.begin()
    assert search.find(position, evaluator, Limit(depth=3)) == alone
    other = load_game("hex", size=3).start()
    assert search.find(other, weighted(other.game, 1), Limit(depth=2)).move in other.moves()


def test_a_parameter_that_is_changed_counts_at_once():
    evaluator = weighted(Checkers(), 1)
    position = positions(13, 1, most=6)[0]
    search = AlphaBeta(endgames=False)
    search.find(position, evaluator, Limit(depth=2))
    search.every_move = True
    candidates = search.find(position, evaluator, Limit(depth=2)).candidates
    fresh = AlphaBeta(endgames=False, every_move=True)
    assert candidates == fresh.find(position, evaluator, Limit(depth=2)).candidates


def test_it_is_found_by_its_name():
    assert "alpha_beta" in search_names()
    search = load_search("alpha-beta", depth=3, draw_score=0.1)
    assert repr(search) == "AlphaBeta(depth=3, draw_score=0.1)"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"depth": 0}, "depth=0 is no whole number from 1 to 100."),
        ({"depth": True}, "depth=True is no whole number"),
        ({"depth": 2.5}, "depth=2.5 is no whole number"),
        ({"table_bits": -1}, "table_bits=-1 is no whole number from 0 to 28."),
        ({"table_bits": 29}, "table_bits=29"),
        ({"quiescence": 1}, "quiescence=1 is neither True nor False."),
        ({"endgames": "yes"}, "endgames='yes' is neither"),
        ({"every_move": None}, "every_move=None is neither"),
        ({"draw_score": 1.5}, "draw_score=1.5 is no number from -1 to 1."),
        ({"draw_score": True}, "draw_score=True is no number"),
        ({"grain": -0.1}, "grain=-0.1 is no number from 0 to 1."),
        ({"grain": "fine"}, "grain='fine' is no number from 0 to 1."),
    ],
)
def test_wrong_parameters(wrong, sentence):
    with pytest.raises(ValueError, match=sentence.replace(".", r"\.")):
        AlphaBeta(**wrong)


def test_a_finished_game_has_no_move():
    over = (
        Checkers().read_position("B:W6:BK1").play(Checkers().read_position("B:W6:BK1").moves()[0])
    )
    with pytest.raises(ValueError, match="There is no move to find: the game is over, black wins"):
        AlphaBeta().find(over, weighted(Checkers(), 1))


def test_scores_as_values():
    assert [value_of(score) for score in (0, 250_000, -1_000_000)] == [0.0, 0.25, -1.0]
    assert [value_of(score) for score in (1_999_990, -1_999_001)] == [1.0, -1.0]
