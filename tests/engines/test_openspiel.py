"""Games with OpenSpiel's bots, both ways: ours among theirs, and theirs among ours."""

from __future__ import annotations

import random

import pytest

from clauseboard.engines import EngineError
from clauseboard.game import game_names, load_game
from clauseboard.games.plugins import OPENSPIEL
from clauseboard.players import read_player

pyspiel = pytest.importorskip("pyspiel")

from clauseboard.engines.openspiel import (  # noqa: E402
    OpenSpielBot,
    OpenSpielPlayer,
    our_game,
    spiel_game,
)

THEIRS = {
    "go": "go(board_size=5,komi=6.5)",
    "hex": "hex(board_size=4,swap=True)",
    "checkers": "checkers",
}


def random_bot(spiel, side, seed):
    return pyspiel.make_uniform_random_bot(side, seed)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", game_names())
def test_our_player_is_a_bot(name, side):
    spiel = pyspiel.load_game(THEIRS[name])
    ours = OpenSpielBot(spiel, side, read_player("random", our_game(spiel)))
    assert not ours.provides_policy()
    results = set()
    for seed in range(12):
        bots = [pyspiel.make_uniform_random_bot(0, seed), pyspiel.make_uniform_random_bot(1, seed)]
        bots[side] = ours
        results.add(tuple(pyspiel.evaluate_bots(spiel.new_initial_state(), bots, seed)))
    assert len(results) > 1


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", game_names())
def test_a_bot_is_our_player(name, side):
    game = load_game(name, **({} if name == "checkers" else {"size": 4}))
    player = OpenSpielPlayer(random_bot, name="spiel")
    assert str(player) == "spiel"
    ended_there, lengths = [], []
    for seed in range(12):
        rng = random.Random(seed)
        player.begin(game, game.colours[side], seed)
        position, length = game.start(), 0
        while position.outcome() is None:
            if position.to_move != game.colours[side]:
                position = position.play(rng.choice(position.moves()))
                continue
            try:
                choice = player.choose(position)
            except EngineError as error:
                ended_there.append(str(error))
                break
            assert position.play(choice.move) is not None
            position = position.play(choice.move)
            length += 1
        lengths.append(length)
    assert min(lengths) >= 1
    # Only where its rules for draws are not ours.
    assert set(ended_there) <= {"spiel: OpenSpiel has ended this game, [0.0, 0.0]"}
    assert not ended_there or name != "hex"


@pytest.mark.parametrize("name", game_names())
def test_bots_among_themselves_through_our_hands(name):
    """Bot around player around bot: what comes out is what the bot says."""
    spiel = pyspiel.load_game(THEIRS[name])
    inner = OpenSpielPlayer(random_bot)
    outer = OpenSpielBot(spiel, 0, inner, seed=5)
    bots = [outer, pyspiel.make_uniform_random_bot(1, 9)]
    through = pyspiel.evaluate_bots(spiel.new_initial_state(), bots, 1)
    assert sum(through) == 0


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("go", {"size": 5}),
        ("go", {"size": 9, "komi": 0.5}),
        ("go", {"size": 19, "handicap": 4}),
        ("hex", {"size": 3}),
        ("hex", {"size": 5, "swap": True}),
        ("checkers", {}),
    ],
)
def test_games_there_and_back(name, parameters):
    game = load_game(name, **parameters)
    back = our_game(spiel_game(game))
    assert back.name == name
    if name == "hex":
        assert back == game
    if name == "go":
        assert (back.size, back.points_for_white) == (game.size, game.points_for_white)
        assert back.start().board == game.start().board
    if name == "checkers":
        assert (back.quiet_moves, back.repetitions) == (None, None)


@pytest.mark.parametrize(
    ("name", "parameters", "why"),
    [
        ("go", {"superko": True}, "neither suicide nor superko"),
        ("go", {"suicide": True}, "neither suicide nor superko"),
        ("go", {"handicap": 2}, "size 19 only"),
        ("hex", {"size": 1}, "never end"),
        ("checkers", {"blocked": "draw"}, "set blocked='loss'"),
    ],
)
def test_games_that_are_not_there(name, parameters, why):
    with pytest.raises(ValueError, match=why):
        spiel_game(load_game(name, **parameters))


@pytest.mark.parametrize(
    ("spiel", "why"),
    [
        ("tic_tac_toe", "We do not play OpenSpiel's 'tic_tac_toe'"),
        ("hex(num_cols=3,num_rows=4)", "as wide as high"),
        ("checkers(rows=10,columns=10)", "8x8"),
    ],
)
def test_games_that_are_not_here(spiel, why):
    with pytest.raises(ValueError, match=why):
        our_game(pyspiel.load_game(spiel))


def test_a_game_of_ours_that_openspiel_does_not_know(monkeypatch):
    monkeypatch.setattr(OPENSPIEL, "find", lambda game: None)
    with pytest.raises(ValueError, match="hex has no part in OpenSpiel"):
        spiel_game(load_game("hex"))


def test_a_chain_of_jumps_is_one_choice_and_several_turns():
    """Random games of checkers, with a player that notes when it is asked."""
    spiel = pyspiel.load_game("checkers")
    game = our_game(spiel)
    inner = read_player("random", game)
    asked = []

    class Noting(type(inner)):
        def choose(self, position, limit=None):
            choice = super().choose(position, limit)
            asked.append(choice.move)
            return choice

    bot = OpenSpielBot(spiel, 0, Noting(game))
    rng, turns = random.Random(2), 0
    for _ in range(30):
        bot.restart()
        state = spiel.new_initial_state()
        while not state.is_terminal():
            ours = state.current_player() == 0
            turns += ours
            state.apply_action(bot.step(state) if ours else rng.choice(state.legal_actions()))
    assert turns == sum(len(move.path) - 1 for move in asked)
    assert any(len(move.path) > 2 for move in asked)


def test_a_bot_looks_at_the_state_it_is_shown(listed):
    spiel = pyspiel.load_game("hex(board_size=3)")
    bot = OpenSpielBot(spiel, 1, listed())
    for first in (0, 4, 8):
        state = spiel.new_initial_state()
        state.apply_action(first)
        bot.inform_action(state, 0, first)
        assert bot.step(state) in state.legal_actions()
    bot.restart_at(state)
    assert bot.provides_force_action()
    bot.force_action(state, 2)
    assert bot.step(state) == 0


def test_a_jump_that_somebody_else_began_goes_on(listed):
    spiel = pyspiel.load_game("checkers")
    bot = OpenSpielBot(spiel, 0, listed())
    rng = random.Random(0)
    for _ in range(50):
        state = spiel.new_initial_state()
        while not state.is_terminal():
            before = state.current_player()
            state.apply_action(rng.choice(state.legal_actions()))
            if not state.is_terminal() and state.current_player() == before == 0:
                assert bot.step(state) in state.legal_actions()
                return
    pytest.fail("no game had a chain of jumps")


def test_a_player_that_resigns_plays_on_there(listed):
    spiel = pyspiel.load_game("hex(board_size=3)")
    player = listed(3)
    player.resigns = True
    assert OpenSpielBot(spiel, 0, player).step(spiel.new_initial_state()) == 0


def test_openings_are_found_and_unknown_pasts_told():
    game = load_game("checkers")
    player = OpenSpielPlayer(random_bot)
    position = game.start()
    for word in ("11-15", "22-18", "15x22"):
        position = position.play(position.read_move(word))
    player.begin(game, "white", 1)
    assert player.choose(position).move in position.moves()
    elsewhere = game.read_position("B:W18,24,K27:B1,2,K3")
    with pytest.raises(EngineError, match="cannot take a position without its moves"):
        player.choose(elsewhere)
    # Without `begin`, the first position tells the game.
    assert OpenSpielPlayer(random_bot).choose(position).move in position.moves()


def test_moves_may_be_taken_back():
    game = load_game("hex", size=4)
    player = OpenSpielPlayer(random_bot)
    player.begin(game, "red", 3)
    start = game.start()
    first = start.play(player.choose(start).move)
    second = first.play(first.moves()[0])
    player.choose(second)
    assert player.choose(start).move in start.moves()


def test_a_bot_that_breaks_the_rules():
    class Odd(pyspiel.Bot):
        def __init__(self):
            pyspiel.Bot.__init__(self)

        def restart(self):
            pass

        def step(self, state):
            return 999

    player = OpenSpielPlayer(lambda spiel, side, seed: Odd())
    game = load_game("hex", size=3)
    player.begin(game, "red", 0)
    with pytest.raises(EngineError, match="the bot took turn 999, which is not legal"):
        player.choose(game.start())


def test_a_search_of_theirs_plays_whole_games_of_ours():
    def mcts(spiel, side, seed):
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(spiel, evaluator, 2.0, 200, 100, True, seed, False)

    game = load_game("hex", size=5)
    wins = 0
    for seed in range(10):
        player = OpenSpielPlayer(mcts)
        player.begin(game, "red", seed)
        opponent = read_player("random", game)
        opponent.begin(game, "blue", seed)
        position = game.start()
        while position.outcome() is None:
            chooser = player if position.to_move == "red" else opponent
            position = position.play(chooser.choose(position).move)
        wins += position.outcome().winner == "red"
    assert wins >= 9
