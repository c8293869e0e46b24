"""Whole games by the kernel, against the slow twin that plays them with plain positions."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.learners.swarm.network import (
    NetworkEvaluator,
    NetworkShape,
    play,
    searchable,
    wins_against_chance,
    worths_of,
)
from clauseboard.search import load_search
from clauseboard.search.compiled_rules import DRAW
from naive import swarm as naive

GAMES = [
    load_game("checkers"),
    load_game("checkers", repetitions=2),
    load_game("checkers", repetitions=None),
    load_game("hex", size=3),
    load_game("hex", size=3, swap=True),
    load_game("go", size=3),
]
MOVES = 20 if JIT_DISABLED else 60


def two(shape, seed):
    rng = np.random.default_rng(seed)
    return np.stack([4 * shape.random_weights(rng) for _ in range(2)])


def no_opinion(game):
    """A network that likes all boards alike."""
    shape = NetworkShape(game, 1)
    return shape.stack(np.zeros(shape.size))


@pytest.mark.parametrize("game", GAMES, ids=repr)
@settings(max_examples=8)
@given(
    seed=st.integers(0, 2**64 - 1),
    opening=st.sampled_from([0, 2, 5]),
    explore=st.sampled_from([(0.0, 0.0), (0.3, 0.0), (0.0, 1.0)]),
    longest=st.sampled_from([1, 7, MOVES]),
    captures=st.booleans(),
)
def test_games_are_those_of_the_slow_twin(game, seed, opening, explore, longest, captures):
    shape = NetworkShape(game, 3, worths_of(game))
    weights = two(shape, seed)
    played = play(
        shape.stack(weights), [(0, 1)], [seed], longest=longest, opening=opening,
        explore=explore, captures=captures, record=True,
    )  # fmt: skip
    winner, moves, boards = naive.play(
        game, weights, 3, dict(shape.worth), seed, longest, opening, explore, captures
    )
    expected = DRAW if winner is None else game.colours.index(winner)
    assert (played.results[0], played.lengths[0]) == (expected, moves)
    rows = np.packbits(game.encode(boards, view="mover"), axis=1, bitorder="little")
    assert played.boards.tolist() == rows.tolist()
    gains = [0 if winner is None else 1 if b.to_move == winner else -1 for b in boards]
    assert played.gains.tolist() == gains


def test_games_hang_on_their_own_seed_only():
    game = load_game("hex", size=4)
    shape = NetworkShape(game, 4)
    networks = shape.stack(two(shape, 5))
    together = play(networks, (0, 1), [11, 22, 33], opening=3)
    alone = [play(networks, (0, 1), [seed], opening=3) for seed in (11, 22, 33)]
    assert together.results.tolist() == [one.results[0] for one in alone]
    assert together.lengths.tolist() == [one.lengths[0] for one in alone]


def test_each_game_has_its_own_pair_and_its_own_share_of_chance():
    game = load_game("hex", size=4)
    shape = NetworkShape(game, 4)
    networks = shape.stack(two(shape, 6))
    pairs, explore = [(0, 1), (1, 0), (1, 1)], [(0.0, 0.0), (0.5, 0.0), (0.0, 1.0)]
    together = play(networks, pairs, [7, 7, 8], explore=explore)
    alone = [
        play(networks, pair, [seed], explore=share)
        for pair, seed, share in zip(pairs, (7, 7, 8), explore, strict=True)
    ]
    assert together.results.tolist() == [one.results[0] for one in alone]
    assert together.lengths.tolist() == [one.lengths[0] for one in alone]


@pytest.mark.parametrize("game", GAMES, ids=repr)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32 - 1))
def test_it_chooses_as_a_player_with_the_same_network(game, seed):
    """The kernel leaves out the last sigmoid, and adds bit by bit: the moves are the same."""
    shape = NetworkShape(game, 3, worths_of(game))
    weights = two(shape, seed)
    played = play(
        shape.stack(weights), (0, 1), [seed], longest=12, opening=3, captures=False, record=True
    )
    judges = [NetworkEvaluator(shape, row) for row in weights]
    bits = np.unpackbits(played.boards, axis=1, bitorder="little", count=len(game.bits()))
    boards, search = [game.start()], load_search("full_width", depth=1)
    for row in bits[1:]:
        if len(boards) > 3:
            side = game.colours.index(boards[-1].to_move)
            found = boards[-1].play(search.find(boards[-1], judges[side]).move)
        else:
            after = [boards[-1].play(move) for move in boards[-1].moves()]
            rows = game.encode(after, view="mover")
            found = after[int(np.argmax((rows == row).all(axis=1)))]
        assert game.encode([found], view="mover")[0].tolist() == row.tolist()
        boards.append(found)


@settings(max_examples=5)
@given(seed=st.integers(0, 2**32 - 1))
def test_captures_are_played_out_as_alpha_beta_does(seed):
    """One move ahead, the board that it goes to is worth what the search says; to its rounding."""
    game = load_game("checkers")
    shape = NetworkShape(game, 3, worths_of(game))
    weights = two(shape, seed)
    played = play(shape.stack(weights), (0, 1), [seed], longest=30, opening=3, record=True)
    judges = [NetworkEvaluator(shape, row) for row in weights]
    bits = np.unpackbits(played.boards, axis=1, bitorder="little", count=len(game.bits()))
    position, search = game.start(), load_search("alpha_beta", depth=1, endgames=False)
    before = []
    for ply, row in enumerate(bits[1:]):
        before.append(position)
        after = [position.play(move) for move in position.moves()]
        found = after[int(np.argmax((game.encode(after, view="mover") == row).all(axis=1)))]
        if ply >= 3 and len(after) > 1:
            side = game.colours.index(position.to_move)
            best = search.find(position, judges[side]).value
            settings = (position.to_move, weights[side], 3, dict(shape.worth), before, True)
            assert naive.worth_after(found, *settings) == pytest.approx(best, abs=2e-6)
        position = found


@pytest.mark.skipif(JIT_DISABLED, reason="minutes without the compiler")
def test_who_counts_pieces_gains_by_playing_captures_out():
    """One move ahead no piece is lost yet: without captures such a network sees nothing."""
    shape = NetworkShape(load_game("checkers"), 1, worths_of(load_game("checkers")))
    counts = np.concatenate([np.full(32, 0.1), [0.0, 4.0, -2.0]])  # the more, the better
    network = shape.stack(counts)
    blind = wins_against_chance(network, 0, 100, seed=1, captures=False)
    seeing = wins_against_chance(network, 0, 100, seed=1)
    assert seeing[0] > 0.95 > 0.85 > blind[0]


@pytest.mark.skipif(JIT_DISABLED, reason="minutes without the compiler")
def test_with_captures_played_out_it_is_enough_to_fear_being_on_move():
    """What a swarm would find first, and why its networks are balanced: see the docs."""
    shape = NetworkShape(load_game("checkers"), 1)
    weights = np.zeros((2, shape.size))
    weights[:, -1] = (-2.0, 2.0)  # the side to move always loses, or always wins
    constant = shape.stack(weights)
    assert wins_against_chance(constant, 0, 100, seed=1)[0] > 0.95
    assert wins_against_chance(constant, 1, 100, seed=1)[0] < 0.1
    assert wins_against_chance(constant, 0, 100, seed=1, captures=False)[0] < 0.65
    balanced = dataclasses.replace(shape, balanced=True).stack(weights)
    assert wins_against_chance(balanced, 0, 100, seed=1)[0] < 0.75


def test_a_win_at_hand_is_taken_whatever_the_network_says():
    game = load_game("hex", size=2)
    # With no opinion at all the first side wins on a board of 2 × 2, whenever it can do so at once.
    played = play(no_opinion(game), (0, 0), range(50))
    assert played.lengths.max() <= 4
    assert set(played.results.tolist()) <= {0, 1}
    assert played.scores(0, 1.0, -2.0).tolist() == [
        1.0 if winner == 0 else -2.0 for winner in played.results
    ]


def test_moves_that_are_alike_are_chosen_equally_often():
    game = load_game("hex", size=2)
    played = play(no_opinion(game), (0, 0), range(4000), longest=2, record=True)
    second = played.boards.reshape(4000, 2, -1)[:, 1]
    counts = np.unique(second, axis=0, return_counts=True)[1]
    assert len(counts) == 4
    assert abs(counts - 1000).max() < 150  # five standard deviations of a fair draw


@pytest.mark.parametrize("times", [2, 3, None])
def test_a_board_that_comes_up_again_and_again_makes_a_draw(times):
    game = load_game("checkers", repetitions=times)
    played = play(
        no_opinion(game), (0, 0), range(100), longest=400, explore=(1.0, 1.0), record=True
    )
    most = [0]
    for boards in np.split(played.boards, np.cumsum(played.lengths)[:-1]):
        # The board at which a game is over is not kept.
        for same_side in (boards[::2], boards[1::2]):
            if len(same_side):
                most.append(np.unique(same_side, axis=0, return_counts=True)[1].max())
    assert max(most) == times - 1 if times else max(most) > 2


def test_a_game_that_is_too_long_is_a_draw():
    game = load_game("checkers")
    played = play(no_opinion(game), (0, 0), range(5), longest=3)
    assert played.results.tolist() == [DRAW] * 5
    assert played.scores(1).tolist() == [0.0] * 5


def test_shares_against_chance_add_up():
    game = load_game("hex", size=3)
    shares = wins_against_chance(no_opinion(game), 0, 30, seed=1)
    assert sum(shares) == pytest.approx(1.0)
    assert shares == wins_against_chance(no_opinion(game), 0, 30, seed=1)
    assert shares != wins_against_chance(no_opinion(game), 0, 31, seed=2)


def test_a_game_without_kernels_is_refused():
    @dataclasses.dataclass(frozen=True)
    class Other:
        name = "other"

    with pytest.raises(ValueError, match="other has no module `compiled_rules`"):
        searchable(Other())
