"""The player that knows: it wins what is won, swaps what wins, and says when it does not know."""

import random

import pytest

from clauseboard.game import load_game
from clauseboard.games.checkers import endgame_tables
from clauseboard.games.solving import best_move, check_solvable, solve
from clauseboard.players import load_player


@pytest.fixture(autouse=True)
def _tables(tmp_path_factory, monkeypatch):
    """Tables of this run's own, made once."""
    folder = tmp_path_factory.getbasetemp() / "tables"
    monkeypatch.setattr(endgame_tables, "tables_folder", lambda: folder)
    monkeypatch.setattr("clauseboard.games.checkers.endgames.SMALL", 3)


@pytest.mark.parametrize("colour", ["red", "blue"])
@pytest.mark.parametrize("seed", range(5))
def test_a_won_game_of_hex_is_won(colour, seed):
    game = load_game("hex", size=4)
    solver, other = load_player("solver", game), random.Random(seed)
    solver.begin(game, colour, seed)
    position = game.start()
    # Let the solver begin, or find a first move that loses.
    if colour == "blue":
        position = position.play(position.read_move("a1"))
    assert solve(position).winner == colour
    while position.outcome() is None:
        if position.to_move == colour:
            choice = solver.choose(position)
            assert choice.value == 1.0
            assert f"{colour} wins" in choice.explanation.judge
            assert choice.explanation.value == -1.0
            assert choice.explanation.position == position.play(choice.move)
            position = position.play(choice.move)
        else:
            position = position.play(other.choice(position.moves()))
    assert position.outcome().winner == colour


@pytest.mark.parametrize("opening", [f"{c}{r}" for c in "abc" for r in "123"])
def test_it_swaps_if_and_only_if_the_first_move_wins(opening):
    game = load_game("hex", size=3, swap=True)
    plain = load_game("hex", size=3)
    red_wins = solve(plain.start().play(plain.start().read_move(opening))).winner == "red"
    position = game.start().play(game.start().read_move(opening))
    choice = load_player("solver", game).choose(position)
    assert (str(choice.move) == "swap") == red_wins
    assert choice.value == 1.0


def test_the_seed_decides_between_equal_moves():
    game = load_game("hex", size=3, swap=True)
    player = load_player("solver", game)
    found = []
    for seed in range(12):
        player.begin(game, "red", seed)
        found.append(player.choose(game.start()).move)
        player.begin(game, "red", seed)
        assert player.choose(game.start()).move == found[-1]
    assert len(set(found)) > 1


@pytest.mark.parametrize(("resign", "gives_up"), [(False, False), (True, True)])
def test_resigning_what_is_lost(resign, gives_up):
    game = load_game("hex", size=3)
    lost = game.start().play(game.start().read_move("b2"))
    player = load_player("solver", game, resign=resign)
    choice = player.choose(lost)
    assert (choice.resigns, choice.value) == (gives_up, -1.0)
    assert choice.move in lost.moves()
    assert not player.choose(game.start()).resigns


def test_checkers_endings_are_won_in_as_many_moves_as_the_tables_say():
    game = load_game("checkers")
    position = game.read_position("W:WK32,K31:BK1")
    players = {colour: load_player("solver", game) for colour in game.colours}
    moves = 0
    while position.outcome() is None:
        choice = players[position.to_move].choose(position)
        assert choice.value == (1.0 if position.to_move == "white" else -1.0)
        position, moves = position.play(choice.move), moves + 1
    assert position.outcome().winner == "white"
    assert moves == 33


def test_a_draw_is_kept():
    game = load_game("checkers")
    position = game.read_position("B:WK32:BK1")
    choice = load_player("solver", game).choose(position)
    assert choice.value == 0.0
    assert "a draw" in choice.explanation.judge
    assert choice.move in solve(position).good_moves


def test_where_the_tables_end_another_player_plays_and_says_so():
    game = load_game("checkers")
    player = load_player("solver", game, otherwise="random")
    player.begin(game, "black", 3)
    choice = player.choose(game.start())
    assert choice.move in game.start().moves()
    assert choice.explanation.judge == (
        "random: chance, which had 7 moves to choose from (the solver does not know this board)"
    )
    player.begin(game, "black", 3)
    assert player.choose(game.start()).move == choice.move
    player.close()
    with pytest.raises(ValueError, match="There is no player 'nobody'"):
        load_player("solver", game, otherwise="nobody")
    with pytest.raises(ValueError, match="otherwise=5 must be a player"):
        load_player("solver", game, otherwise=5)


def test_best_moves_by_themselves():
    game = load_game("checkers")
    assert best_move(game.start()) is None
    won = game.read_position("W:WK32,K31:BK1")
    assert best_move(won)[1] == "white"
    lost = game.read_position("B:WK32,K31:BK1")
    assert best_move(lost)[1] == "white"
    for name, parameters in (("go", {}), ("hex", {"size": 9}), ("checkers", {"blocked": "draw"})):
        rules = load_game(name, **parameters)
        with pytest.raises(ValueError, match=r"no solver|size 1 to 8|blocked='loss'"):
            check_solvable(rules)
    with pytest.raises(ValueError, match="size 1 to 8"):
        best_move(load_game("hex", size=9).start())
