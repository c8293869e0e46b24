"""The expected score in words: parts of the board that add up to it."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.evaluation import Limit
from clauseboard.explaining.questions import explain_choice
from clauseboard.explanation import UNIT
from clauseboard.game import load_game
from clauseboard.games.go.rules import playouts
from clauseboard.games.go.territory import owner_shares, territory_lines
from clauseboard.players import read_player
from naive import go

GAME = load_game("go", size=9)

CORNER = GAME.read_position(
    "........./........./..bbb..../..bwwb.../..bwwb.../"
    "..b.bb.../........./......www/......w.w white"
)


def played(game, seed, n_moves):
    """A position after random moves."""
    draws, position = random.Random(seed), game.start()
    for _ in range(n_moves):
        stones = [move for move in position.moves() if not move.is_pass]
        if not stones:
            break
        position = position.play(draws.choice(stones))
    return position


def owners_of(position, games, seed):
    """The owners of all points in random games."""
    _, owned = playouts(position, games, seed)
    return (*(owned[:, 0] - owned[:, 1]).tolist(), games)


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from((2, 5, 9)),
    st.integers(0, 10**6),
    st.integers(0, 80),
    st.sampled_from((1, 7, 50)),
    st.sampled_from((0, 6.5, 7)),
)
def test_lines_add_up_to_the_mean_score(size, seed, n_moves, games, komi):
    game = load_game("go", size=size, komi=komi)
    position = played(game, seed, n_moves)
    owners = owners_of(position, games, seed)
    scores, _ = playouts(position, games, seed)
    assert sum(owners[:-1]) == scores.sum()
    for sign, colour in ((1, "black"), (-1, "white")):
        lines = territory_lines(position, owners, colour)
        total = round(sign * UNIT * scores.sum() / games) - round(sign * UNIT * komi)
        assert sum(line.votes for line in lines) == total
        assert all(line.votes == sum(c.votes for c in line.clauses) for line in lines if line.cells)
        cells = [cell for line in lines for cell in line.cells]
        assert len(cells) == len(set(cells)) == size * size
        shares = owner_shares(position, owners, colour)
        assert np.isclose(sum(shares.values()), sign * scores.mean())


def test_dead_stones_are_named_with_their_number():
    lines = territory_lines(CORNER, owners_of(CORNER, 500, 3), "black")
    texts = {line.concept: line.text for line in lines}
    assert texts["dead stones"] == "White's four stones at D6 die"
    assert texts["komi"] == "White gets 7 points of komi"
    dead = next(line for line in lines if line.concept == "dead stones")
    assert dead.votes > 2 * UNIT
    assert set(dead.cells) == {"D6", "E6", "D5", "E5"}


@pytest.mark.parametrize(("board", "place"), [
    ("bb..w/bb..w/....w/wwwww/wwwww", "the upper left"),
    ("..b../.bbb./..b../...../.....", "the upper side"),
])  # fmt: skip
def test_areas_are_named_by_where_they_lie(board, place):
    game = load_game("go", size=5, komi=0)
    position = game.read_position(f"{board} black")
    owners = [{0: 0, 1: 10, 2: -10}[stone] for stone in position.board]
    texts = [line.text for line in territory_lines(position, [*owners, 10], "black")]
    assert f"Black holds {place} ({position.board.count(1)} points)" in texts


def test_open_fights_tell_how_often_stones_live():
    game = load_game("go", size=5, komi=0)
    position = game.read_position("bbb../...../...../...../w.... black")
    owners = [-2, -2, -2, *(0 for _ in range(22)), 10]
    texts = [line.text for line in territory_lines(position, owners, "black")]
    assert texts == [
        "Black's three stones at B5 live in 40 % of the games",
        "the rest of the board",
    ]


def test_the_wrong_number_of_points_is_refused():
    with pytest.raises(ValueError, match="80 points in 5 games are not those of"):
        territory_lines(GAME.start(), [*(0 for _ in range(80)), 5], "black")


# ---- in the search


@pytest.mark.parametrize("line", ["rollouts:rollouts=2", "shipped"])
def test_an_account_tells_the_expected_score_of_the_search(line):
    game = load_game("go", size=9)
    player = read_player(line, game)
    position = played(game, 4, 30)
    choice = player.choose(position, Limit(simulations=300))
    owners = choice.candidates[0].owners
    games = owners[-1]
    rollouts = 2 if line.startswith("rollouts") else 1
    assert 0 < games <= rollouts * choice.candidates[0].visits
    assert all(abs(count) <= games for count in owners[:-1])
    account = explain_choice(player, position, choice)
    assert account.verdict.unit == "points"
    mean = sum(owners[:-1]) / games - game.points_for_white
    sign = 1 if position.to_move == "black" else -1
    assert round(UNIT * account.verdict.total) == round(sign * UNIT * mean)
    assert sum(line.votes for line in account.lines) == round(UNIT * account.verdict.total)
    assert len(account.lines) <= 12
    # The picture shows whose each point is.
    colour = position.to_move
    assert account.heat == {
        cell: share for cell, share in owner_shares(position, owners, colour).items() if share
    }
    assert "points ahead" in str(account) or "points behind" in str(account)


def test_a_finished_board_is_owned_as_it_is_counted():
    """Where nothing can change any more, random games own what the rules count."""
    game = load_game("go", size=5, komi=0.5)
    position = game.read_position(".bbw./bbbww/.bbw./bbbww/.bbw. black")
    owners = owners_of(position, 20, 1)
    black, white = go.area(go.from_bytes(position.board, 5))
    assert sum(owners[:-1]) == 20 * (black - white)
