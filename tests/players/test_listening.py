"""What a player thinks is told to who listens, while it thinks."""

import pytest

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.players import load_player
from clauseboard.search import load_search, mcts

CHECKERS, HEX = load_game("checkers"), load_game("hex", size=5)


def heard(player, position, limit):
    """What is told of one choice, and the choice."""
    told = []
    player.listener = told.append
    return told, player.choose(position, limit)


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_alpha_beta_tells_what_each_depth_has_found(depth):
    position = CHECKERS.start()
    told, choice = heard(load_player("material", CHECKERS), position, Limit(depth=depth))
    assert [one.cost.depth for one in told] == list(range(1, depth + 1))
    assert told[-1].candidates == choice.candidates
    for one in [*told, choice]:
        there = load_player("material", CHECKERS).choose(position, Limit(depth=one.cost.depth))
        assert (one.move, one.value, one.line) == (there.move, there.value, there.line)


@pytest.mark.parametrize("game", [HEX, load_game("go", size=5)])
def test_monte_carlo_tells_between_its_looks_at_the_clock(game, monkeypatch):
    monkeypatch.setattr(mcts, "TELLING_SECONDS", 0.0)
    player = load_player("rollouts", game, rollouts=1)
    told, choice = heard(player, game.start(), Limit(seconds=100, simulations=300))
    counts = [one.cost.simulations for one in told]
    assert counts == sorted(set(counts))
    assert counts[-1] == choice.cost.simulations == 300
    for one in told:
        assert one.move == one.line[0]
        assert -1 <= one.value <= 1
        position = game.start()
        for move in one.line:
            position = position.play(move)
    assert (told[-1].move, told[-1].value, told[-1].line) == (
        choice.move,
        choice.value,
        choice.line,
    )


def test_monte_carlo_tells_no_more_often_than_it_should(monkeypatch):
    monkeypatch.setattr(mcts, "TELLING_SECONDS", 1000.0)
    player = load_player("rollouts", HEX, rollouts=1)
    assert heard(player, HEX.start(), Limit(seconds=100, simulations=300))[0] == []


def test_listening_changes_no_choice():
    quiet = load_player("material", CHECKERS).choose(CHECKERS.start(), Limit(depth=4))
    _, choice = heard(load_player("material", CHECKERS), CHECKERS.start(), Limit(depth=4))
    assert choice == quiet


def test_the_solver_tells_what_the_player_in_its_place_thinks():
    told, _ = heard(load_player("solver", CHECKERS), CHECKERS.start(), Limit(depth=3))
    assert [one.cost.depth for one in told] == [1, 2, 3]


def test_a_search_that_nobody_listens_to_makes_no_choice_for_it():
    search = load_search("alpha-beta")
    search.tell(lambda: pytest.fail("nobody listens"))
    told = []
    search.listener = told.append
    search.tell(lambda: "so far")
    assert told == ["so far"]
