"""Every game's `compiled_rules` module against its rules: random games, side by side."""

import random

import numpy as np
import pytest

from clauseboard.evaluation import VIEWS
from clauseboard.game import game_names, load_game
from clauseboard.kernels.compiler import JIT_DISABLED, specialised
from clauseboard.search.compiled_rules import DRAW, compiled_rules_of

PARAMETERS = {
    "checkers": [
        {},
        {"repetitions": None},
        {"quiet_moves": 2, "repetitions": 2},
        {"quiet_moves": None, "max_moves": 30},
        {"blocked": "draw", "repetitions": None, "max_moves": 70},
    ],
    "go": [
        {"size": 2, "max_moves": 60},
        {"size": 3, "komi": 0, "suicide": True, "max_moves": 80},
        {"size": 4, "komi": 2.25, "max_moves": 9},
        {"size": 5, "komi": -3, "superko": True},
        {"size": 9, "handicap": 4},
        {"size": 19, "max_moves": 40},
        {"size": 2, "komi": 1e300, "max_moves": 100_000},
    ],
    "hex": [
        {"size": 1, "swap": True},
        {"size": 2, "swap": True},
        {"size": 3},
        {"size": 6, "swap": True},
        {"size": 8},
        {"size": 11, "swap": True},
        {"size": 19},
    ],
}
GAMES = [
    load_game(name, **parameters)
    for name in game_names()
    if compiled_rules_of(load_game(name)) is not None
    for parameters in PARAMETERS.get(name, [{}])
    if not (JIT_DISABLED and parameters.get("size") == 19)  # too slow without the compiler
]
N_GAMES = 1 if JIT_DISABLED else 2
MOST_PLIES = 30 if JIT_DISABLED else 120


class Board:
    """A state and the arrays that go with it."""

    def __init__(self, position):
        self.game = position.game
        self.rules = compiled_rules_of(self.game)
        self.kernels = specialised("clauseboard.search.board_template", self.rules)
        self.settings = self.rules.settings_of(self.game)
        self.scratch = self.rules.new_scratch(self.game)
        self.room = np.zeros(self.rules.most_moves(self.game), np.int64)
        self.state = self.rules.state_of(position)

    def look(self):
        count, result = self.kernels.list_moves(self.state, self.settings, self.scratch, self.room)
        return self.room[:count].tolist(), result

    def is_quiet(self):
        return self.kernels.is_quiet(self.state, self.settings, self.scratch, self.room)

    def at_rest(self):
        return self.kernels.at_rest(self.state, self.settings)

    def play(self, code):
        self.kernels.play(self.state, self.settings, self.scratch, self.room, code)

    def bits(self, view):
        n_bits = len(self.game.bits())
        features = np.full((1, 1, -(-n_bits // 8)), 255, np.uint8)
        self.kernels.write_bits(self.state, self.settings, VIEWS.index(view), features)
        return features[0]

    def key(self):
        return int(self.kernels.key(self.state))

    def play_out(self, counter):
        result, counter = self.kernels.play_out(
            self.state, self.settings, self.scratch, np.uint64(counter)
        )
        return int(result), int(counter)


def random_games(game, n_games=N_GAMES):
    """Positions of random games, each with the board that was played along with it.

    And the keys of the boards that came before it in its game.
    """
    for seed in range(n_games):
        rng = random.Random(seed)
        position = game.start()
        board = Board(position)
        seen = {board.key()}
        yield position, board, seen
        for _ in range(MOST_PLIES):
            moves = position.moves()
            if not moves:
                break
            move = rng.choice(moves)
            board.play(board.rules.code_of(position, move))
            position = position.play(move)
            yield position, board, seen
            seen.add(board.key())


def some_positions(game, step):
    """Every so-manyth position of random games."""
    return [position for position, _, _ in random_games(game)][::step]


@pytest.fixture(params=GAMES, ids=repr)
def game(request):
    return request.param


def test_every_game_is_here():
    assert {game.name for game in GAMES} >= {"go", "hex"}


def test_draw_is_the_same_number_everywhere():
    for game in GAMES:
        rules = compiled_rules_of(game)
        assert getattr(rules, "DRAW", DRAW) == DRAW


def test_moves_and_results_are_those_of_the_rules(game):
    for position, board, seen in random_games(game):
        codes, result = board.look()
        legal = [board.rules.code_of(position, move) for move in position.moves()]
        assert board.kernels.side_to_move(board.state) == game.colours.index(position.to_move)
        assert len(set(codes)) == len(codes)
        assert all(0 <= code < board.rules.n_codes(game) for code in codes)
        if codes == legal:
            if not codes:
                winner = None if result == DRAW else game.colours[result]
                assert position.outcome().winner == winner
            continue
        # The rules may know of repetitions, and the state may not.
        assert board.rules.REPEATS
        if not legal:
            assert position.outcome().winner is None
            assert board.key() in seen
        else:
            assert [code for code in codes if code in legal] == legal
            assert game.superko


def test_superko_hides_only_moves_that_repeat_a_board():
    game = load_game("go", size=2, superko=True, komi=0)
    hidden = 0
    for position, board, _ in random_games(game, n_games=10):
        codes, _ = board.look()
        legal = {board.rules.code_of(position, move) for move in position.moves()}
        for code in set(codes) - legal if legal else ():
            assert position.after(code)[0] in position.earlier
            hidden += 1
        if legal:
            keys = board.rules.keys_before(position)
            assert len(set(keys.tolist())) == 2 * (len(position.earlier) - 1)
    assert hidden > 0


def test_codes_round_trip(game):
    for position, board, _ in random_games(game):
        for move in position.moves():
            code = board.rules.code_of(position, move)
            assert board.rules.move_of(position, code) == move
            assert isinstance(code, int)


def test_a_state_played_is_the_state_of_the_position(game):
    for position, board, _ in random_games(game):
        fresh = Board(position)
        assert fresh.state.shape == board.rules.new_state(game).shape
        assert fresh.state.dtype == board.rules.new_state(game).dtype
        assert fresh.look() == board.look()
        assert fresh.key() == board.key()


@pytest.mark.parametrize("view", VIEWS)
def test_bits_are_those_of_the_game(game, view):
    for position, board, _ in random_games(game):
        row = game.encode([position], view=view)
        expected = np.packbits(row, axis=1, bitorder="little")
        assert np.array_equal(board.bits(view), expected)


def test_keys_are_equal_exactly_when_board_and_side_are(game):
    found = {}
    for position, board, _ in random_games(game):
        shown = (game.encode([position]).tobytes(), position.to_move)
        assert found.setdefault(board.key(), shown) == shown
    assert len(set(found.values())) == len(found)


def test_quiet_means_that_nothing_can_be_taken(game):
    bits = game.bits()
    for position in some_positions(game, 7):
        board = Board(position)
        enemy = game.other(position.to_move)
        theirs = np.array([bit.piece.startswith(enemy) for bit in bits])
        before = game.encode([position])[0][theirs].sum()
        moves = [move for move in position.moves() if str(move) != "swap"]
        if not moves:
            continue
        after = game.encode([position.play(move) for move in moves])[:, theirs].sum(axis=1)
        assert board.is_quiet() == (after >= before).all()


def test_at_rest_means_that_a_list_would_show_quiet_moves(game):
    for position, board, _ in random_games(game):
        if board.at_rest():
            codes, _ = Board(position).look()
            assert codes
            assert Board(position).is_quiet()


@pytest.mark.parametrize("parameters", PARAMETERS["checkers"], ids=repr)
def test_in_checkers_rest_is_always_seen(parameters):
    seen = set()
    for position, board, _ in random_games(load_game("checkers", **parameters)):
        codes, _ = Board(position).look()
        assert board.at_rest() == (bool(codes) and Board(position).is_quiet())
        seen.add(bool(board.at_rest()))
    assert seen == {False, True}


def test_playouts_end_the_game(game):
    for position in some_positions(game, 5):
        ended = Board(position)
        codes, known = ended.look()
        result, counter = ended.play_out(7)
        assert result in (0, 1, DRAW)
        assert ended.look() == ([], result)
        if not codes:
            assert result == known
        again = Board(position)
        assert again.play_out(7) == (result, counter)
        assert np.array_equal(again.state, ended.state)


def test_playouts_leave_what_cannot_change():
    game = load_game("hex", size=5)
    for position, _, _ in random_games(game):
        ended = Board(position)
        before = ended.state[:2].copy()
        ended.play_out(3)
        after = ended.state[:2]
        assert np.array_equal(after & before, before)
        red, blue = (sum(int(word).bit_count() for word in side) for side in after)
        if position.outcome() is None:
            first = position.to_move == "red"
            owed = position.red.bit_count() - position.blue.bit_count()
            assert red + blue == 25
            assert red - blue in (owed, owed + (1 if first else -1))


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("checkers", {}), ("go", {"size": 5, "komi": 0.5}), ("hex", {"size": 4})],
)
def test_both_sides_win_playouts(name, parameters):
    game = load_game(name, **parameters)
    results, counter = set(), 1
    for _ in range(20 if JIT_DISABLED else 200):
        result, after = Board(game.start()).play_out(counter)
        assert after != counter
        counter = after
        results.add(result)
    assert results >= {0, 1}


def test_what_is_known_is_a_value(game):
    for position in some_positions(game, 9):
        board = Board(position)
        knowledge = board.rules.knowledge_of(game)
        sure, value, moves = board.kernels.exact_value(board.state, board.settings, knowledge)
        if sure:
            assert value in (-1, 0, 1)
            assert moves >= 0


def test_a_go_limit_on_moves_beyond_the_counter_is_no_limit():
    rules = compiled_rules_of(load_game("go"))
    start = load_game("go", size=2, max_moves=100_000).start()
    assert rules.state_of(start)[8, rules.LEFT] == rules.MANY
    assert rules.state_of(load_game("go", size=2).start())[8, rules.LEFT] == rules.MANY
    few = load_game("go", size=2, max_moves=5).start()
    assert rules.state_of(few)[8, rules.LEFT] == 5


def test_a_game_without_the_module_is_searched_by_its_positions():
    class Nim:
        name = "nim_that_is_not_there"

    assert compiled_rules_of(Nim()) is None
