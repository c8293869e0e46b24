"""What is seen around a move: against a slow twin, on turned boards, for both sides."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.games.plugins import MOVE_FEATURES
from clauseboard.kernels.compiler import JIT_DISABLED, specialised
from clauseboard.search.compiled_rules import compiled_rules_of, move_features_of, unpacked
from naive.around import go_around, hex_around

NAIVE = {"hex": hex_around, "go": go_around}
EXAMPLES = 8 if JIT_DISABLED else 60


def played(game, draws, n_moves):
    """A position some moves into a random game."""
    position = game.start()
    for _ in range(n_moves):
        after = position.play(draws.draw(st.sampled_from(position.moves())))
        if after.outcome() is not None:
            break
        position = after
    return position


def some_position(name, draws, size, n_moves):
    """The same in a game of this name; Hex with the swap or without."""
    options = {"swap": draws.draw(st.booleans())} if name == "hex" else {}
    return played(load_game(name, size=size, **options), draws, n_moves)


def names_around(position):
    seen = move_features_of(position.game)
    rows = unpacked(seen.rows(position), len(seen.names))
    return {
        move: {name for name, bit in zip(seen.names, row, strict=True) if bit}
        for move, row in zip(position.moves(), rows, strict=True)
    }


@pytest.mark.parametrize("name", ["hex", "go"])
@given(draws=st.data(), size=st.integers(2, 7), n_moves=st.integers(0, 40))
@settings(max_examples=EXAMPLES)
def test_bits_are_those_of_the_slow_twin(name, draws, size, n_moves):
    position = some_position(name, draws, size, n_moves)
    for move, names in names_around(position).items():
        assert names == NAIVE[name](position, move), (position, move)


@pytest.mark.parametrize("name", ["hex", "go"])
@given(draws=st.data(), size=st.integers(2, 7), n_moves=st.integers(0, 40))
@settings(max_examples=EXAMPLES)
def test_what_a_bit_implies_is_there(name, draws, size, n_moves):
    position = some_position(name, draws, size, n_moves)
    for move, names in names_around(position).items():
        for one, other in MOVE_FEATURES.of(position.game).IMPLIES:
            assert one not in names or other in names, (position, move)


@pytest.mark.parametrize(
    ("name", "one", "others"),
    [
        ("go", "edge 1 up", {f"line {n} or lower" for n in (1, 2, 3, 4)}),
        ("go", "saves a chain", {"2 liberties or more"}),
        ("hex", "makes two bridges", {"makes a bridge"}),
        ("hex", "own edge within 3", {"own edge within 4"}),
    ],
)
def test_what_follows_follows_all_the_way(name, one, others):
    seen = move_features_of(load_game(name))
    row = seen.implied[seen.names.index(one)]
    assert {other for other, follows in zip(seen.names, row, strict=True) if follows} == others
    assert not seen.implied.diagonal().any(), "nothing is said in a circle"


@pytest.mark.parametrize("name", ["hex", "go"])
@given(draws=st.data(), n_moves=st.integers(0, 30))
@settings(max_examples=EXAMPLES)
def test_states_played_by_kernels_see_the_same(name, draws, n_moves):
    """The last moves are known in a tree as they are in a game."""
    position = played(load_game(name, size=5), draws, n_moves)
    rules = compiled_rules_of(position.game)
    game = position.game
    kernels = specialised("clauseboard.search.board_template", rules)
    move = draws.draw(st.sampled_from(position.moves()))
    after = position.play(move)
    if after.outcome() is not None:
        return
    state, scratch = rules.state_of(position), rules.new_scratch(game)
    codes = np.zeros(rules.most_moves(game), np.int64)
    settings_ = rules.settings_of(game)
    kernels.play(state, settings_, scratch, codes, rules.code_of(position, move))
    moves = np.array([rules.code_of(after, one) for one in after.moves()], np.int64)
    rows = np.empty((len(moves), rules.MOVE_FEATURE_BYTES), np.uint8)
    kernels.write_move_rows(state, settings_, scratch, moves, rows)
    assert np.array_equal(rows, move_features_of(game).rows(after))


@given(draws=st.data(), size=st.integers(3, 6), n_moves=st.integers(0, 20))
@settings(max_examples=EXAMPLES)
def test_hex_turned_by_half_a_turn_and_seen_by_the_other_side(draws, size, n_moves):
    game = load_game("hex", size=size)
    position = played(game, draws, n_moves)
    seen = move_features_of(game)
    rows = unpacked(seen.rows(position), len(seen.names))
    # A board that was turned knows no last move.
    plain = game.read_position(game.write_position(position))
    assert plain.last is None
    assert plain == position
    rows[:, [n for n, name in enumerate(seen.names) if name.startswith("last move")]] = 0
    other = unpacked(seen.rows(plain.reversed()), len(seen.names))
    at = {(m.column, m.row): n for n, m in enumerate(position.moves())}
    for n, move in enumerate(plain.reversed().moves()):
        assert np.array_equal(other[n], rows[at[move.row, move.column]])
    turned = game.position(
        *(int(f"{stones:0{size * size}b}"[::-1], 2) for stones in (plain.red, plain.blue)),
        plain.to_move,
    )
    half = unpacked(seen.rows(turned), len(seen.names))
    at = {(size - 1 - m.row, size - 1 - m.column): n for n, m in enumerate(position.moves())}
    for n, move in enumerate(turned.moves()):
        assert np.array_equal(half[n], rows[at[move.row, move.column]][seen.ways[1]])


@given(draws=st.data(), n_moves=st.integers(0, 30))
@settings(max_examples=EXAMPLES)
def test_go_in_eight_ways(draws, n_moves):
    game = load_game("go", size=5)
    moves, position = [], game.start()
    for _ in range(n_moves):
        move = draws.draw(st.sampled_from(position.moves()[:-1] or position.moves()))
        after = position.play(move)
        if after.outcome() is not None:
            break
        moves.append(move)
        position = after
    seen = move_features_of(game)
    rows = unpacked(seen.rows(position), len(seen.names))
    before = {m.point: n for n, m in enumerate(position.moves())}
    grid = np.arange(25).reshape(5, 5)
    matched = set()
    for turn in range(4):
        for reflected in (False, True):
            lies = np.rot90(grid, turn)
            lies = (lies[:, ::-1] if reflected else lies).reshape(-1)  # where each point came from
            to = {int(source): n for n, source in enumerate(lies)} | {None: None}
            other = game.start()
            for move in moves:
                other = other.play(type(move)(to[move.point]))
            shown = unpacked(seen.rows(other), len(seen.names))
            order = [before[None if m.point is None else int(lies[m.point])] for m in other.moves()]
            fits = [k for k in range(8) if np.array_equal(shown, rows[order][:, seen.ways[k]])]
            assert fits
            matched |= set(fits)
    assert len({tuple(way) for way in seen.ways.tolist()}) == 8
    if n_moves == 0:
        assert matched == set(range(8)), matched


def test_bridges_by_hand():
    position = load_game("hex", size=5).read_position("...../..R../.B.../.R.../....B red")
    c3 = position.read_move("c3")
    assert {"joins own stones", "touches other's stone"} <= names_around(position)[c3]
    assert "saves a bridge" in names_around(position)[c3]
    blue = load_game("hex", size=5).read_position("...../..R../...../.R.../....B blue")
    assert "breaks a bridge" in names_around(blue)[blue.read_move("c3")]


def test_what_a_stone_does_by_hand():
    position = load_game("go", size=5).read_position(".b.../bwb../...../...../..... black")
    names = names_around(position)[position.read_move("B3")]
    assert {"takes a chain", "4 liberties or more"} <= names
    assert "takes two stones or more" not in names
    eye = load_game("go", size=5).read_position(".b.../bb.../...../...../...ww black")
    assert "fills an own eye" in names_around(eye)[eye.read_move("A5")]


def test_bits_have_cells_of_the_board():
    game = load_game("hex", size=4)
    position = game.read_position("..../.R../..B./.... blue")
    seen = move_features_of(game)
    move = position.read_move("b3")
    names = names_around(position)[move]
    told = {bit for bit, name in zip(seen.bits(position, move), seen.names, strict=True)
            if name in names and bit.cell}  # fmt: skip
    assert {(bit.name, bit.cell) for bit in told} == {
        ("red stone at b2", "b2"), ("blue stone at c3", "c3"),
    }  # fmt: skip
    edge = seen.bits(position, position.read_move("a1"))
    text = "it is on line 2 from an own edge or nearer"
    assert any(bit.name == text and bit.cell is None for bit in edge)


@pytest.mark.parametrize("name", ["hex", "go"])
def test_what_is_on_no_cell_is_said_in_words(name):
    game = load_game(name, size=5)
    seen, around = move_features_of(game), MOVE_FEATURES.of(game)
    assert around.SAID.keys() == set(around.NAMES[2 * around.N_CELLS :])
    assert all(said != denied for said, denied in around.SAID.values())
    for move in game.start().moves():
        for bit in seen.bits(game.start(), move):
            assert (bit.cell is None) == (bit.denied is not None)


def test_words_of_go():
    said = MOVE_FEATURES.of("go").SAID
    assert said["edge 2 left"] == (
        "the edge is 2 steps to the left", "the edge is not 2 steps to the left",
    )  # fmt: skip
    assert said["line 3 or lower"] == ("it is on line 3 or lower", "it is above line 3")
    assert said["4 liberties or more"] == (
        "it has 4 liberties or more", "it has fewer than 4 liberties",
    )  # fmt: skip
    assert said["last move within 2"][1] == "it is not beside the last move"
    assert said["move before within 6"][0] == "it is within 6 of the move before"


@pytest.mark.parametrize("name", ["hex", "go"])
def test_names_are_different_and_ways_are_permutations(name):
    around = MOVE_FEATURES.of(name)
    assert len(set(around.NAMES)) == len(around.NAMES) == around.N_BITS
    for way in around.WAYS:
        assert sorted(way) == list(range(around.N_BITS))
    assert list(around.WAYS[0]) == list(range(around.N_BITS))


def test_a_game_that_does_not_tell():
    with pytest.raises(ValueError, match="checkers does not tell what is around a move"):
        move_features_of(load_game("checkers"))
