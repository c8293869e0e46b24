"""The swap: first moves that are worth none, and what a swap is worth."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.player import Choice, Cost
from clauseboard.players import load_player, read_player
from clauseboard.players.searcher import LOOKED_AT, fair_move, swaps
from clauseboard.players.shipped import FOLDER

HEX = load_game("hex", size=5, swap=True)


def played(position, *texts):
    for text in texts:
        position = position.play(position.read_move(text))
    return position


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_what_may_be_swapped(size, swap):
    """The move of a board may be taken over if, and only if, there is a swap after it."""
    boards = [load_game("hex", size=size, swap=swap).start()]
    for _ in range(3):
        after = [board.play(move) for board in boards for move in board.moves()]
        for board in boards:
            following = [board.play(move) for move in board.moves()]
            can = {one.unswapped() is not None for one in following}
            assert can <= {board.may_be_swapped}
        boards = after
    assert (size > 1 and swap) == load_game("hex", size=size, swap=swap).start().may_be_swapped


@pytest.mark.parametrize("name", ["checkers", "go"])
def test_elsewhere_nothing_is_swapped(name):
    start = load_game(name).start()
    assert not start.may_be_swapped
    assert swaps(start) == set()


class Looks:
    """Knows what every first move is worth to the other side, and counts what it was asked."""

    def __init__(self, worth):
        self.worth, self.asked = worth, []

    def __call__(self, board, limit):
        assert board.unswapped() is None, "nobody swaps where the other moves are judged"
        (cell,) = (c for c, m in NAMES.items() if board.red == HEX.start().play(m).red)
        self.asked.append((cell, limit))
        value = self.worth[cell]
        reply = board.moves()[0]
        cost = Cost(nodes=2, simulations=3)
        return Choice(reply, value, None if value is None else (reply,), cost=cost)


NAMES = {str(move): move for move in HEX.start().moves()}
VALUES = st.floats(-1, 1, allow_nan=False)


@given(st.lists(VALUES, min_size=25, max_size=25), st.integers(0, 99))
def test_the_fairest_of_those_that_are_looked_at(values, seed):
    look = Looks(dict(zip(NAMES, values, strict=True)))
    told = []
    limit = Limit(seconds=2.0, nodes=10_000, simulations=5000, depth=4)
    choice = fair_move(HEX.start(), look, limit, random.Random(seed), told.append)
    seen = {cell for cell, _ in look.asked}
    assert len(seen) == LOOKED_AT
    best = min(abs(look.worth[cell]) for cell in seen)
    assert choice.value == -best == -abs(look.worth[str(choice.move)])
    assert choice.candidates[0].move == choice.move
    assert {str(one.move) for one in choice.candidates} == seen
    for one in choice.candidates:
        value = look.worth[str(one.move)]
        assert one.value == -abs(value)
        assert (str(one.line[1]) == "swap") == (value < 0)
        played(HEX.start(), *map(str, one.line))
    # Sixteen, eight, four, two, one; each time as much work as before.
    assert len(look.asked) == 31
    assert choice.cost.nodes == 62
    assert choice.cost.simulations == 93
    assert sum(share.seconds for _, share in look.asked) == pytest.approx(2.0)
    assert sum(share.simulations for _, share in look.asked) <= 5000
    assert sum(share.nodes for _, share in look.asked) <= 10_000
    assert {share.depth for _, share in look.asked} == {3}
    assert len(told) == 4


def test_who_gives_no_values_is_not_asked_further():
    look = Looks(dict.fromkeys(NAMES))
    assert fair_move(HEX.start(), look, Limit(), random.Random(0)) is None
    assert len(look.asked) == 1


@pytest.mark.parametrize(
    "line",
    [
        "rollouts:simulations=400",
        "always-win:depth=1",
        "always-win:search=alpha-beta,nodes=500",
        "always-win:search=width_depth,width=2,depth=2",
    ],
)
def test_every_search_begins_a_game_with_a_swap(line):
    player = read_player(line, HEX)
    player.begin(HEX, "red", seed=1)
    first = player.choose(HEX.start())
    assert first.move in HEX.start().moves()
    player.begin(HEX, "red", seed=1)
    assert player.choose(HEX.start()).move == first.move


@pytest.mark.parametrize("size", [6, pytest.param(11, marks=pytest.mark.long)])
def test_the_shipped_player_begins_fairly(size):
    game = load_game("hex", size=size, swap=True)
    player = load_player("shipped", game, simulations=6000)
    begun = set()
    for seed in range(3):
        player.begin(game, "red", seed)
        choice = player.choose(game.start())
        # On a small board the search may see that who may swap wins, whatever is played.
        assert -0.15 < choice.value <= 0 or (size == 6 and choice.value == -1)
        assert choice.explanation is not None
        begun.add(choice.move)
    assert len(begun) > 1, "not the same game every time"
    without = load_game("hex", size=size)
    best = load_player("shipped", without, simulations=6000).choose(without.start())
    assert best.value > -choice.value or best.value == 1, (
        "without the swap it begins with something better"
    )


def test_reasons_for_a_fair_move_are_what_the_board_is_worth():
    game = load_game("hex", size=11, swap=True)
    patterns = str(FOLDER / "hex-11-moves.tm")
    player = load_player(
        "tsetlin", game, moves=patterns, search="mcts", rollouts=4, simulations=1000
    )
    choice = player.choose(game.start())
    assert "the other side may swap" in choice.explanation.lines[0].text
    assert choice.explanation.value == choice.value
