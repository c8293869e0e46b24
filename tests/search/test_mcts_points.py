"""Points in Monte-Carlo search: what they add, where they are refused, and superko."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.games.go import compiled_rules
from clauseboard.games.go.rules import PASS, GoMove, score
from clauseboard.kernels.compiler import kernel
from clauseboard.players import load_player, read_player
from clauseboard.search.mcts import MonteCarlo, Rollouts


@kernel("float64(int16[:,::1], int64[::1], int64[::1])")
def margin_share(state, game_settings, scratch):
    """The share of the points of a finished state."""
    compiled_rules.result(state, game_settings, scratch)
    return compiled_rules.margin_share(state, game_settings)


@given(draws=st.data(), size=st.integers(2, 6), komi=st.integers(-20, 20), n=st.integers(0, 30))
@settings(max_examples=20)
def test_the_share_of_points_is_that_of_the_count(draws, size, komi, n):
    game = load_game("go", size=size, komi=komi)
    position = game.start()
    for _ in range(n):
        after = position.play(draws.draw(st.sampled_from(position.moves())))
        position = position if after.outcome() is not None else after
    told = margin_share(
        compiled_rules.state_of(position),
        compiled_rules.settings_of(game),
        compiled_rules.new_scratch(game),
    )
    assert told == pytest.approx(np.clip(score(position).margin / size**2, -1, 1))


@pytest.mark.parametrize("rollouts", [1, 2])
def test_points_guide_the_search_but_are_not_in_its_values(rollouts):
    game = load_game("go", size=5)
    search = MonteCarlo(simulations=40, rollouts=rollouts, score=0.4)
    choice = search.find(game.start(), Rollouts(game), seed=4)
    bonuses = search._tree._arrays[10]
    seen = 0
    for child in search._tree.children():
        if child.visits == 1:
            assert child.value in [n / rollouts for n in range(-rollouts, rollouts + 1)]
            seen += 1
    assert seen
    assert np.abs(bonuses[: search._tree.n_nodes]).max() > 0
    assert choice.value is not None


def test_a_won_game_is_won_by_more():
    """White wins whatever it does; with points it takes the three stones that it can take."""
    game = load_game("go", size=7, komi=24.5)
    position = game.read_position("bbb.w../wwwww../......./....b../......./......./....... white")
    plain = MonteCarlo(simulations=600, rollouts=1, exploration=0.2, keep=False)
    counting = dataclasses.replace(plain, score=0.5)
    taking = position.read_move("D7")
    points = [
        sum(one.visits for one in search.find(position, Rollouts(game), seed=n).candidates
            if one.move == taking)
        for search in (plain, counting)
        for n in range(3)
    ]  # fmt: skip
    assert sum(points[3:]) > 2 * sum(points[:3])


@pytest.mark.parametrize(
    ("name", "options"),
    [("hex", {"rollouts": 1, "score": 0.1}), ("hex", {"rollouts": 1, "settle": True})],
)
def test_points_are_for_games_that_have_some(name, options):
    game = load_game(name, size=4)
    with pytest.raises(ValueError, match=r"such as Go|as in Go"):
        MonteCarlo(**options).find(game.start(), Rollouts(game), Limit(simulations=5))


@pytest.mark.parametrize("superko", [False, True])
def test_a_board_that_superko_forbids_is_no_move_of_the_tree(superko):
    """After a pass black would bring an earlier board back."""
    game = load_game("go", size=3, superko=superko)
    position = game.read_position(".../.../..w white")
    again = position.play(PASS).play(GoMove(0)).board
    position = dataclasses.replace(position, earlier=frozenset({again, position.board}))
    search = MonteCarlo(simulations=3000, rollouts=1)
    search.find(position, Rollouts(game), seed=1)
    tree = search._tree
    codes, proofs = tree._arrays[2], tree._arrays[6]
    [passing] = [n for n in tree._below(0) if codes[n] == 9]
    [forbidden] = [n for n in tree._below(passing) if codes[n] == 0]
    assert proofs[forbidden] == (-1 if superko else 0)


# ---- resigning


LOST = (
    "wwwwwwwww/w.w.w.w.w/wwwwwwwww/w.w.w.w.w/wwwwwwwww/.......ww/bbbbb..w./.b.b.b.ww/b.b.bb.w. "
    "black"
)


@pytest.fixture(scope="module")
def lost():
    """The shipped player, and a position that black has lost."""
    game = load_game("go", size=9)
    return load_player("shipped", game), game.read_position(LOST)


def test_a_hopeless_game_is_given_up_but_its_move_is_known(lost):
    player, position = lost
    player.begin(player.game, "black", 1)
    choice = player.choose(position, Limit(simulations=1000))
    assert choice.chance < 0.02
    assert choice.gives_up == (not choice.move.is_pass)
    assert choice.ends_game == choice.gives_up
    assert not choice.resigns
    assert choice.move in position.moves()
    assert choice.explanation is not None


def test_too_few_simulations_give_nothing_up(lost):
    player, position = lost
    player.begin(player.game, "black", 1)
    assert not player.choose(position, Limit(simulations=100)).gives_up


def test_without_a_threshold_nobody_resigns():
    game = load_game("go", size=9)
    player = load_player("shipped", game, resign=0.0)
    assert not player.choose(game.read_position(LOST), Limit(simulations=1000)).gives_up


def test_what_a_judge_says_chooses_where_to_search_and_is_not_in_values():
    """Nodes visited often enough carry the judge's word; values stay means of random games."""
    game = load_game("go", size=9)
    player = read_player("shipped:judged=0.5,judged_from=3,score=0,keep=true,settle=false", game)
    player.choose(game.start(), Limit(simulations=400))
    tree = player._searches["black"]._tree
    kernels, said = tree._kernels, tree._arrays[tree._kernels.SAID]
    visits, codes = tree._arrays[kernels.VISITS], tree._arrays[kernels.CODES]
    read = 0
    for child, node in zip(tree.children(), tree._below(0), strict=True):
        assert child.value * child.visits == pytest.approx(
            round(child.value * child.visits), abs=1e-3
        )
        if visits[node] <= 3:
            assert said[node] == kernels.UNREAD
        elif abs(value := player.board_judge.judge([game.start().play(child.move)]).values[0]) < 1:
            assert compiled_rules.code_of(game.start(), child.move) == codes[node]
            chance = player.board_judge.chance(value)
            assert said[node] == pytest.approx(1 - 2 * chance, abs=1e-5)
            read += 1
    assert read > 3
