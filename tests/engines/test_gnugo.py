"""GNU Go: an opponent for whole games, and a judge of our rules, captures and scores."""

from __future__ import annotations

import random

import pytest

from clauseboard.arena.playing import play_game
from clauseboard.engines.server import GtpSession
from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.games.go.board import names
from clauseboard.games.go.rules import PASS, score
from clauseboard.player import Choice, Player
from clauseboard.players import read_player
from clauseboard.players.engine import EnginePlayer
from programs import need


@pytest.fixture
def gnugo():
    with EnginePlayer(
        [need("gnugo"), "--mode", "gtp", "--level", "1", "--chinese-rules"], timeout=300
    ) as player:
        yield player


def margin(text):
    """A score as points of black's lead."""
    return 0.0 if text == "0" else float(text[2:]) * (1 if text[0] == "B" else -1)


def agree_about(position, gnugo):
    """Whether stones, legal moves, prisoners are the same."""
    size = position.game.size
    for number, colour in enumerate(("black", "white"), 1):
        stones = {names(size)[point] for point, s in enumerate(position.board) if s == number}
        assert set(gnugo.ask(f"list_stones {colour}").split()) == stones
        # GNU Go's captures count the stones that a colour has taken.
        assert int(gnugo.ask(f"captures {colour}")) == position.prisoners[number - 1]
    ours = {position.write_move(move) for move in position.moves() if not move.is_pass}
    assert set(gnugo.ask(f"all_legal {position.to_move}").split()) == ours


@pytest.mark.parametrize(("size", "seed"), [(5, 1), (5, 2), (7, 3), (9, 4)])
def test_random_games_are_judged_alike(gnugo, size, seed):
    game = load_game("go", size=size)
    rng = random.Random(seed)
    gnugo.begin(game, "black", 0)
    position, taken = game.start(), 0
    for _ in range(2 * size * size):
        stones = [move for move in position.moves() if not move.is_pass]
        if not stones:
            break
        position = position.play(rng.choice(stones))
        gnugo._follow(position)
        agree_about(position, gnugo)
        taken = sum(position.prisoners)
    assert taken > 0


@pytest.mark.parametrize(("colour", "size"), [("black", 9), ("white", 7)])
def test_a_whole_game_against_a_random_player(gnugo, colour, size):
    game = load_game("go", size=size, komi=5.5)
    opponent = read_player("random", game)
    opponent.begin(game, game.other(colour), 3)
    gnugo.begin(game, colour, 0)
    position = game.start()
    while position.outcome() is None and position.moves_played < 300:
        player = gnugo if position.to_move == colour else opponent
        choice = player.choose(position, Limit(seconds=1))
        if choice.resigns:
            break
        position = position.play(choice.move)
    gnugo._follow(position)
    # GNU Go says which stones are dead; with these taken off, the count must be the same.
    dead = gnugo.ask("final_status_list dead").split()
    lead = margin(gnugo.ask("final_score"))
    assert score(position, dead).margin == lead
    assert (lead > 0) == (colour == "black")


@pytest.mark.parametrize("seed", [1, 2])
def test_gnugo_against_itself_and_the_count_of_our_session(gnugo, seed, listed):
    """Finished games: also the dead stones that our playouts find must be right."""
    game = load_game("go", size=7, komi=3.5)
    gnugo.setup = (f"set_random_seed {seed}",)
    gnugo.begin(game, "black", 0)
    session = GtpSession(game, lambda game: listed())
    position = game.start()
    while position.outcome() is None and position.moves_played < 150:
        colour = position.to_move
        choice = gnugo.choose(position)
        assert not choice.resigns
        session.play(colour, position.write_move(choice.move))
        position = position.play(choice.move)
    assert position.passes == 2
    assert session.position == position
    ours = session.answer("final_score").split()[1]
    assert margin(ours) == margin(gnugo.ask("final_score"))


def test_what_gnugo_writes_as_sgf_our_session_loads(gnugo, listed, tmp_path):
    game = load_game("go", size=9)
    gnugo.begin(game, "black", 0)
    position = game.start()
    for _ in range(12):
        position = position.play(gnugo.choose(position).move)
    gnugo.ask(f"printsgf {tmp_path}/board.sgf")
    session = GtpSession(game, lambda game: listed())
    assert session.answer(f"loadsgf {tmp_path}/board.sgf").startswith("=")
    assert session.position.board == position.board
    assert session.position.to_move == position.to_move


def test_a_handicap_lies_where_gnugo_puts_it(gnugo, listed):
    for size, stones in ((9, 4), (13, 5), (19, 9)):
        gnugo.begin(load_game("go", size=size), "black", 0)
        session = GtpSession(load_game("go", size=size), lambda game: listed())
        ours = session.answer(f"fixed_handicap {stones}").split()[1:]
        assert set(gnugo.ask(f"fixed_handicap {stones}").split()) == set(ours)


def test_a_position_in_the_midst_of_a_ko(gnugo):
    game = load_game("go", size=4)
    position = game.read_position(".bw./b.bw/.bw./.... white ko=B3 moves=7 prisoners=1,0")
    gnugo._follow(position)
    assert "B3" not in gnugo.ask("all_legal white").split()
    assert "B3" in gnugo.ask("all_legal black").split()
    choice = gnugo.choose(position)
    assert choice.move in position.moves()


class Passing(Player):
    name = "passing"

    def choose(self, position, limit=None):
        return Choice(PASS)


def test_nobody_wins_with_dead_stones_on_the_board():
    """White's stones below black's wall count as alive by the rules, and white has the komi."""
    game = load_game("go", size=5, komi=16.5)
    opening = ("A3", "A1", "B3", "E1", "C3", "pass", "D3", "C1", "E3")
    command = [need("gnugo"), "--mode", "gtp", "--level", "1", "--chinese-rules"]
    with EnginePlayer(command, timeout=300) as black:
        record = play_game(game, [black, Passing()], opening=opening, limit=Limit(seconds=1))
    position = game.start()
    for text in (*opening, "pass", "pass"):
        position = position.play(position.read_move(text))
    assert position.outcome().winner == "white"
    assert record.winner == "black"
    assert "25 to 0" in record.reason
