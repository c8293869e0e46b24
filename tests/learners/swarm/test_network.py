"""The network: inputs, weights, forward, and the same as compiled data."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.games.squares import mover_source
from clauseboard.kernels.evaluators import values_of
from clauseboard.learners.swarm.network import NetworkShape, forward, sigmoid, worths_of
from naive import swarm as naive

GAMES = [
    load_game("checkers"),
    load_game("hex", size=3),
    load_game("hex", size=5),
    load_game("go", size=5),
]


def some_positions(game, seed, n):
    rng = np.random.default_rng(seed)
    positions, position = [], game.start()
    while len(positions) < n:
        moves = position.moves()
        position = position.play(moves[rng.integers(len(moves))]) if moves else game.start()
        if position.outcome() is None:
            positions.append(position)
    return positions


def test_inputs_of_the_first_board():
    game = load_game("checkers")
    shape = NetworkShape(game, 2, worths_of(game))
    row = game.encode([game.start()], view="mover")[0]
    assert (row @ shape.inputs_of_bits()).tolist() == [1.0] * 12 + [0.0] * 8 + [-1.0] * 12
    assert shape.cells == tuple(map(str, range(1, 33)))


def test_a_king_counts_for_what_it_is_worth():
    game = load_game("checkers")
    position = game.read_position("W:WK32,31:BK1,2")
    shape = NetworkShape(game, 1, worths_of(game, {"king": 2.5}))
    numbers = game.encode([position], view="mover")[0] @ shape.inputs_of_bits()
    # White is to move and sees the board turned: 32 is 1, 31 is 2.
    assert numbers[[0, 1, 31, 30]].tolist() == [2.5, 1.0, -2.5, -1.0]
    assert np.count_nonzero(numbers) == 4


@pytest.mark.parametrize("hidden", [1, 4, 40])
def test_parts_are_views_of_one_vector(hidden):
    shape = NetworkShape(load_game("checkers"), hidden)
    weights = np.arange(float(shape.size))
    to_hidden, biases, output, bias = shape.parts(weights)
    assert to_hidden.shape == (32, hidden)
    assert biases.shape == output.shape == (hidden,)
    assert bias == shape.size - 1
    assert np.concatenate([to_hidden.ravel(), biases, output, [bias]]).tolist() == weights.tolist()
    output[0] = -1
    assert weights[33 * hidden] == -1


@pytest.mark.parametrize("game", GAMES, ids=repr)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32 - 1), hidden=st.sampled_from([1, 3, 8]))
def test_three_ways_to_the_same_value(game, seed, hidden):
    """Forward in NumPy, the shared kernel on compiled data, and plain sums agree."""
    shape = NetworkShape(game, hidden, worths_of(game))
    weights = 3 * shape.random_weights(np.random.default_rng(seed))
    positions = some_positions(game, seed, 4)
    rows = game.encode(positions, view="mover")
    _, outputs = forward(shape, weights, rows @ shape.inputs_of_bits())
    compiled = shape.compiled(weights)
    packed = np.packbits(rows, axis=1, bitorder="little")
    sides = np.array([game.colours.index(p.to_move) for p in positions])
    values = values_of((compiled, compiled), packed, sides)
    slow = [naive.output(weights, hidden, naive.inputs(p, dict(shape.worth))) for p in positions]
    np.testing.assert_allclose(outputs, slow, rtol=1e-12)
    np.testing.assert_allclose(values, 2 * outputs - 1, atol=1e-12)


def test_sigmoid_does_not_overflow():
    assert sigmoid(np.array([-1e9, 0.0, 1e9])).tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({"queen": 1}, "no kind of piece 'queen'; there are 'king', 'man'"),
        ({"king": "two"}, "worth of a king is a number, not 'two'"),
        ({"king": float("nan")}, "worth of a king is a number, not nan"),
        ({"king": True}, "is a number, not True"),
        (1.5, "worth=1.5 does not say"),
    ],
)
def test_wrong_worths_are_refused(own, said):
    with pytest.raises(ValueError, match=said):
        worths_of(load_game("checkers"), own)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_balanced_board_is_worth_to_one_side_what_it_costs_the_other(game):
    shape = NetworkShape(game, 3, worths_of(game), balanced=True)
    weights = np.random.default_rng(3).normal(size=shape.size)
    source = mover_source(game)
    rows = np.random.default_rng(4).integers(0, 2, (50, len(game.bits())))
    hidden, biases, output, bias = shape.on_bits(weights)

    def total(bits):
        return sigmoid(bits @ hidden + biases) @ output + bias

    np.testing.assert_allclose(total(rows), -total(rows[:, source]), atol=1e-12)
    assert np.abs(total(rows)).max() > 0.1
    # The units themselves are those of the network that is not balanced.
    plain = dataclasses.replace(shape, balanced=False).on_bits(weights)
    assert np.array_equal(hidden[:, :3], plain[0])
    assert np.array_equal(output[:3], plain[2])
    stack = shape.stack(weights)
    assert np.array_equal(stack.hidden[0, : len(game.bits())], hidden)
    assert np.array_equal(stack.top[0, 1], [*output, bias])


def test_networks_of_different_shapes_stand_beside_each_other():
    """Padded with units that lead nowhere, each gives for every board what it gave alone."""
    game = load_game("hex", size=3)
    rng = np.random.default_rng(1)
    shapes = [
        NetworkShape(game, 2, worths_of(game)),
        NetworkShape(game, 3, worths_of(game), balanced=True),
    ]
    alone = [shape.stack(rng.normal(size=shape.size)) for shape in shapes]
    both = alone[0].beside(alone[1])
    assert both.hidden.shape[2] == 6
    rows = game.encode(some_positions(game, 2, 20), view="mover")

    def output(stack, n):
        units = sigmoid(rows @ stack.hidden[n, : rows.shape[1]] + stack.top[n, 0, :-1])
        return units @ stack.top[n, 1, :-1] + stack.top[n, 1, -1]

    for n, one in enumerate(alone):
        assert output(both, n) == pytest.approx(output(one, 0))
    larger = NetworkShape(load_game("hex", size=4), 2, worths_of(game))
    with pytest.raises(ValueError, match="share no board"):
        both.beside(larger.stack(np.zeros(larger.size)))
