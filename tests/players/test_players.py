"""What holds for every player in every game: a new one gets these tests by being there."""

import pytest

from clauseboard.evaluation import Limit
from clauseboard.explanation import Explanation
from clauseboard.game import game_names, load_game
from clauseboard.games.checkers import endgame_tables
from clauseboard.players import load_player, player_names
from naive.machines import GAMES, small_machine

ASKED = {"person", "engine"}
"""Players that need somebody else; they have tests of their own."""

NEVER_REFUSE = {"always-win", "random", "rollouts", "tsetlin"}
"""Players that play every game."""

MOST_PLIES = 12


def options_of(name, game):
    """The options that some players need, or that make them quick enough here."""
    quick = {"depth": 2} if game.name == "checkers" else {"depth": 1}
    return {
        "always-win": [{"depth": 1}, {"search": "full-width", "depth": 1}],
        "material": [{"depth": 3}, {"search": "breadth_first", "confidence": True, "depth": 1}],
        "rollouts": [{"simulations": 30, "rollouts": 2}, {"simulations": 10, "keep": False}],
        "solver": [{"otherwise": "material:depth=2"}, {"resign": True, "otherwise": "random"}],
        "tsetlin": [
            {"machine": small_machine(game), "depth": 1},
            {"machine": small_machine(game), "depth": 1, "confidence": True},
            {"machine": small_machine(game), "search": "alpha-beta", **quick},
            {"machine": small_machine(game), "search": "mcts", "simulations": 40},
            {"machine": small_machine(game), "search": "width-depth", "width": 2, "depth": 2},
            {"machine": small_machine(game, "mover"), "view": "mover", "depth": 1},
            {"machine": small_machine(game), "zero": True, "search": "mcts", "simulations": 20},
            dict(
                zip(game.colours, [small_machine(game, seed=k) for k in (1, 2)], strict=True),
                search="full-width",
                depth=1,
            ),
            dict(
                zip(game.colours, [small_machine(game, seed=k) for k in (1, 2)], strict=True),
                by="player",
                inverted=True,
                depth=1,
            ),
        ],
    }.get(name, [{}])


def all_cases():
    games = [load_game(name, **GAMES.get(name, {})) for name in game_names()]
    games.append(load_game("hex", size=3, swap=True))
    return [
        pytest.param(game, player, number, id=f"{game!r}-{player}-{number}")
        for game in games
        for player in player_names()
        if player not in ASKED
        for number in range(len(options_of(player, game)))
    ]


@pytest.fixture(autouse=True)
def _tables(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.getbasetemp() / "tables"
    monkeypatch.setattr(endgame_tables, "tables_folder", lambda: folder)
    monkeypatch.setattr("clauseboard.games.checkers.endgames.SMALL", 3)


def play(player, game, seed):
    """The first moves of a game that a player plays against itself."""
    for colour in game.colours:
        player.begin(game, colour, seed)
    position, choices = game.start(), []
    while position.outcome() is None and len(choices) < MOST_PLIES:
        choice = player.choose(position)
        assert choice.move in position.moves()
        choices.append((position, choice))
        position = position.play(choice.move)
    return choices


@pytest.mark.parametrize(("game", "player", "number"), all_cases())
def test_moves_are_legal_told_of_and_drawn_from_the_seed(game, player, number):
    try:
        one = load_player(player, game, **options_of(player, game)[number])
    except ValueError as error:
        # A player that cannot play this game, or not without options that are not known here.
        assert player not in NEVER_REFUSE
        pytest.skip(str(error))
    choices = play(one, game, seed=1)
    for position, choice in choices:
        assert choice.value is not None
        assert -1 <= choice.value <= 1
        assert choice.cost.seconds > 0
        explained = choice.explanation
        assert isinstance(explained, Explanation)
        assert explained.judge
        assert explained.line[0] == choice.move
        for move in explained.line:
            position = position.play(move)
        assert explained.position == position
        sums = dict.fromkeys(explained.votes, 0)
        for reason in explained.reasons:
            sums[reason.about] += reason.votes
        assert sums == explained.votes
    again = load_player(player, game, **options_of(player, game)[number])
    assert [c.move for _, c in play(again, game, seed=1)] == [c.move for _, c in choices]
    # Nothing is left of the game before.
    assert [c.move for _, c in play(one, game, seed=1)] == [c.move for _, c in choices]
    one.close()


@pytest.mark.parametrize("name", ["always-win", "random", "rollouts", "tsetlin"])
def test_another_seed_is_another_game(name):
    game = load_game("hex", **GAMES["hex"])
    player = load_player(name, game, **options_of(name, game)[0])
    games = {tuple(c.move for _, c in play(player, game, seed)) for seed in range(6)}
    assert len(games) > 1


def test_chance_is_even_handed():
    game = load_game("hex", size=2, swap=True)
    player = load_player("random", game)
    player.begin(game, "blue", 7)
    position = game.start().play(game.start().moves()[0])
    counts = dict.fromkeys(position.moves(), 0)
    for _ in range(4000):
        counts[player.choose(position).move] += 1
    # Four moves, the swap among them: 1,000 each, with a standard deviation of 27.
    assert all(abs(count - 1000) < 130 for count in counts.values())
    assert player.plays_at_random


def test_a_random_player_refuses_what_others_do():
    game = load_game("hex", size=1)
    player = load_player("random", game)
    with pytest.raises(ValueError, match="no move to choose"):
        player.choose(game.start().play(game.start().moves()[0]))
    with pytest.raises(ValueError, match="was made for"):
        player.begin(load_game("go"), "black", 0)


def test_rollouts_tell_their_counts():
    game = load_game("hex", **GAMES["hex"])
    choice = load_player("rollouts", game, simulations=50, rollouts=3).choose(game.start())
    assert choice.cost.simulations == 50
    assert choice.explanation.judge == "50 simulations with 3 random games at the end of each"
    assert choice.explanation.value == -choice.value
    few = load_player("rollouts", game).choose(game.start(), Limit(simulations=7))
    assert few.cost.simulations == 7
