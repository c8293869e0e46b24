"""A person at the terminal: moves, mistakes, questions, and ways to end."""

import io

import pytest

from clauseboard.game import load_game
from clauseboard.players import load_player

GAME = load_game("checkers")


def ask(text, game=GAME):
    player = load_player("person", game)
    player.input, player.output = io.StringIO(text), io.StringIO()
    player.begin(game, game.colours[0], 0)
    return player.choose(game.start()), player.output.getvalue()


def test_a_move_is_read():
    choice, shown = ask("11-15\n")
    assert choice.move == GAME.start().read_move("11-15")
    assert (choice.value, choice.explanation, choice.resigns) == (None, None, False)
    assert choice.cost.seconds > 0
    assert "You play black" in shown
    assert str(GAME.start()) in shown
    assert shown.endswith("black> ")


@pytest.mark.parametrize("wrong", ["11-14", "oops", "99", "1-5", "\x00"])
def test_a_mistake_is_told_and_asked_again(wrong):
    choice, shown = ask(f"{wrong}\n\n  11-15  \n")
    assert str(choice.move) == "11-15"
    assert "Invalid move. " in shown
    assert shown.count("black> ") == 3


@pytest.mark.parametrize("text", ["resign\n", "RESIGN", "", "oops\n"])
def test_resigning_and_the_end_of_the_input(text):
    choice, _ = ask(text)
    assert choice.resigns
    assert choice.move is None


def test_questions():
    _, shown = ask("help\n?\nmoves\n")
    assert shown.count("A move is written like 9-13") == 2
    assert "9-13, 9-14, 10-14" in shown


def test_the_standard_input_is_the_usual_one(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("b2\n"))
    game = load_game("hex", size=3)
    assert str(load_player("person", game).choose(game.start()).move) == "b2"
    assert "red> " in capsys.readouterr().out


def test_a_finished_game_is_refused():
    game = load_game("hex", size=1)
    with pytest.raises(ValueError, match="no move to choose"):
        load_player("person", game).choose(game.start().play(game.start().moves()[0]))
