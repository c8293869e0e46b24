"""Random games in numbers; move by move they are tested with the kernels."""

import pytest

from clauseboard.games.checkers import Checkers
from clauseboard.games.checkers.selfplay import playouts
from clauseboard.kernels.compiler import JIT_DISABLED

N = 3 if JIT_DISABLED else 2000


def test_every_game_is_counted_and_a_seed_gives_the_same_ones():
    start = Checkers().start()
    found = playouts(start, N, seed=5)
    assert sum(found.values()) == N
    assert found == playouts(start, N, seed=5)
    assert list(found) == ["black", "white", None]
    assert playouts(start, 0) == {"black": 0, "white": 0, None: 0}
    if not JIT_DISABLED:
        assert found != playouts(start, N, seed=6)
        # The sides are nearly alike, and few random games are drawn.
        assert 0.4 * N < found["black"] < 0.6 * N
        assert found[None] < 0.1 * N


@pytest.mark.parametrize(
    ("parameters", "text", "expected"),
    [
        ({"max_moves": 1}, "B:W32:B1", None),
        ({"quiet_moves": 1}, "B:WK29:BK4", None),
        ({"repetitions": 2}, "W:W12:B8,3", "black"),
        ({"blocked": "draw"}, "W:W12:B8,3", None),
    ],
)
def test_the_rules_of_the_game_are_kept(parameters, text, expected):
    assert playouts(Checkers(**parameters).read_position(text), 5)[expected] == 5


def test_what_is_refused():
    with pytest.raises(ValueError, match="A random game may never end without quiet_moves"):
        playouts(Checkers(quiet_moves=None, repetitions=None).start(), 1)
    for n_games in (-1, 1.5, True):
        with pytest.raises(ValueError, match=f"n_games={n_games!r} must be an integer >= 0"):
            playouts(Checkers().start(), n_games)
    for seed in (-1, 2**64, 0.5, None):
        with pytest.raises(
            ValueError, match=f"seed={seed!r} must be an integer from 0 to 18446744"
        ):
            playouts(Checkers().start(), 1, seed)
    assert sum(playouts(Checkers().start(), 1, 2**64 - 1).values()) == 1
