"""Another program as a player: our own engine at the other end, for all three games."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.engines import EngineError, Reply, dialect_of, read_reply
from clauseboard.engines.server import GtpSession
from clauseboard.evaluation import Limit
from clauseboard.game import game_names, load_game
from clauseboard.players import read_player
from clauseboard.players.engine import EnginePlayer, moves_between, taken_back

PARAMETERS = {"go": {"size": 5}, "hex": {"size": 5, "swap": True}, "checkers": {}}


def random_line(game, seed, n_moves):
    """The positions of a random game, as far as it goes."""
    rng = random.Random(seed)
    positions = [game.start()]
    while len(positions) <= n_moves and positions[-1].outcome() is None:
        positions.append(positions[-1].play(rng.choice(positions[-1].moves())))
    return positions


@pytest.mark.parametrize("name", game_names())
def test_games_between_server_and_client(name, ours):
    game = load_game(name, **PARAMETERS.get(name, {}))
    rng = random.Random(5)
    words = [
        part for key, value in PARAMETERS[name].items() for part in ("--set", f"{key}={value}")
    ]
    with EnginePlayer(ours(name, *words), timeout=300) as player:
        for number, colour in enumerate(game.colours):
            player.begin(game, colour, number)
            position = game.start()
            while position.outcome() is None:
                if position.to_move == colour:
                    choice = player.choose(position, Limit(seconds=0.1))
                    assert choice.move in position.moves()
                    assert choice.cost.seconds > 0
                    position = position.play(choice.move)
                    there = player.ask("clauseboard-position")
                    assert there.split()[0] == game.write_position(player._there()).split()[0]
                else:
                    position = position.play(rng.choice(position.moves()))


class Wired:
    """Stands in for `Process`: the engine is a session in this process."""

    def __init__(self, session):
        self.session, self.asked = session, []

    def ask(self, command, seconds):
        self.asked.append(command)
        return read_reply(self.session.answer(command)[:-2].split("\n"))

    def close(self):
        pass


@pytest.fixture
def wired(listed):
    def make(name, **parameters):
        game = load_game(name, **parameters)
        player = EnginePlayer("nothing")
        player._process = Wired(GtpSession(game, lambda game: listed()))
        return game, player

    return make


@pytest.mark.parametrize("name", game_names())
def test_the_engine_follows_moves_undo_and_leaps(name, wired):
    game, player = wired(name, **PARAMETERS[name])
    session = player._process.session
    for seed in range(6):
        rng = random.Random(seed)
        positions = random_line(game, seed, 24)
        going_on = [position for position in positions if position.outcome() is None]
        for position in [*going_on, *reversed(going_on), *rng.choices(going_on, k=5)]:
            player._follow(position)
            there = player._there()
            theirs = session.dialect.turned(session.position, there.to_move)
            assert game.encode([theirs]).tolist() == game.encode([there]).tolist()
            assert set(theirs.moves()) == set(there.moves())
            assert there.outcome() is None


def test_one_move_of_the_opponent_is_one_command(wired):
    game, player = wired("go", size=5)
    player.begin(game, "white", 0)
    asked = player._process.asked
    assert asked == ["boardsize 5", "clear_board", "komi 7"]
    position = game.start().play(game.start().read_move("C3"))
    choice = player.choose(position)
    assert asked[3:] == ["play black C3", "genmove white"]
    position = position.play(choice.move)
    player._follow(position)
    assert len(asked) == 5
    player._follow(game.start())
    assert asked[5:] == ["undo", "undo"]


def test_time_is_told_once_and_only_to_those_who_want_it(wired):
    game, player = wired("go", size=5)
    position = game.start()
    for seconds in (0.5, 0.9, 2.5):
        choice = player.choose(position, Limit(seconds=seconds))
        position = position.play(choice.move)
    asked = [command for command in player._process.asked if "time" in command]
    known = "known_command time_settings"
    assert asked == [known, "time_settings 0 1 1", known, "time_settings 0 3 1"]
    game, player = wired("go", size=5)
    del player._process.session.commands["time_settings"]
    player.choose(game.start(), Limit(seconds=1))
    assert [command for command in player._process.asked if "time" in command] == [known]


def test_a_limit_of_its_own_holds_where_none_is_given(wired):
    game, player = wired("go", size=5)
    player.limit = Limit(seconds=7)
    player.choose(game.start())
    assert "time_settings 0 7 1" in player._process.asked


def test_an_engine_may_resign(wired):
    game, player = wired("hex", size=3)
    player._process.session.player.resigns = True
    choice = player.choose(game.start())
    assert choice.resigns
    assert choice.move is None


def test_a_swap_is_told_as_mohex_and_hexgui_know_it(wired):
    """There the stone stays, the players change colours, and white is to move."""
    game, player = wired("hex", size=4, swap=True)
    player.begin(game, "red", 0)
    position = game.start()
    for word in ("b3", "swap", "d1", "a1"):
        position = position.play(position.read_move(word))
        player._follow(position)
    asked = player._process.asked[3:]
    assert asked == ["play black b3", "play white swap-pieces", "play white a4", "play black a1"]
    assert player._process.session.position == dialect_of(game).exchanged(position)
    choice = player.choose(position)
    # The first free cell there is b1, which here is a2.
    assert (player._process.asked[-1], str(choice.move)) == ("genmove white", "a2")
    player._follow(game.start())
    assert player._process.session.position == game.start()


def test_an_engine_may_swap(wired):
    game, player = wired("hex", size=4, swap=True)
    player.begin(game, "blue", 0)
    position = game.start().play(game.start().read_move("b3"))
    player._process.session.player.n = -1
    choice = player.choose(position)
    assert str(choice.move) == "swap"
    position = position.play(choice.move)
    position = position.play(position.read_move("d1"))
    player._process.session.player.n = 0
    assert str(player.choose(position).move) == "a1"
    assert player._process.asked[-2:] == ["play white a4", "genmove black"]


def test_setup_is_sent_before_every_game(wired):
    game, player = wired("hex", size=3)
    player.setup = ("param_game allow_swap 0", "time_settings 0 9 1")
    player.begin(game, "red", 0)
    player.begin(game, "red", 1)
    assert player._process.asked.count("time_settings 0 9 1") == 2


@pytest.mark.parametrize("seed", range(20))
def test_a_position_of_go_can_be_set_up_from_nothing(seed, listed):
    game = load_game("go", size=4)
    for position in random_line(game, seed, 60):
        if position.outcome() is None:
            session = GtpSession(load_game("go"), lambda game: listed())
            for command in dialect_of(game).commands_to(position):
                assert session.answer(command).startswith("=")
            there = session.dialect.turned(session.position, position.to_move)
            assert (there.board, there.ko) == (position.board, position.ko)


def test_moves_between_positions():
    start = load_game("hex", size=3).start()
    line = [start]
    for word in ("a1", "b2", "c3"):
        line.append(line[-1].play(line[-1].read_move(word)))
    assert moves_between(start, start) == []
    assert list(map(str, moves_between(start, line[1]))) == ["a1"]
    assert moves_between(start, line[2]) is None
    assert moves_between(start, line[3], most=3) is not None
    assert taken_back(line, line[1]) == (2, [])
    assert taken_back([], start) is None
    other = line[1].play(line[1].read_move("c1"))
    undone, moves = taken_back(line, other)
    assert (undone, list(map(str, moves))) == (2, ["c1"])


def test_the_search_for_moves_gives_up():
    game = load_game("hex", size=11)
    far = random_line(game, 1, 30)[-1]
    assert moves_between(game.start(), far, most=9) is None


WORDS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["A1", "c3", "pass", "resign", "swap-pieces", "swap", "11-15", "9x18", "a 1"]),
)


@given(name=st.sampled_from(game_names()), said=WORDS, succeeded=st.booleans())
def test_whatever_is_said_is_a_legal_move_or_an_error(name, said, succeeded):
    class Saying:
        def ask(self, command, seconds):
            return Reply(succeeded or not command.startswith("genmove"), "", said)

        def close(self):
            pass

    player = EnginePlayer("nothing")
    player._process = Saying()
    start = load_game(name, **PARAMETERS[name]).start()
    fault, choice = "", None
    try:
        choice = player.choose(start)
    except EngineError as error:
        fault = str(error)
    if choice is None:
        assert fault.startswith("nothing: it ")
    else:
        assert succeeded
        assert choice.resigns or choice.move in start.moves()


# ---- the player by its name


def test_the_player_is_found_by_its_name():
    spec = "engine:command='python3 --mode gtp --level 1',setup='a 1;b 2',timeout=5,seconds=2"
    player = read_player(spec, load_game("go"))
    assert isinstance(player, EnginePlayer)
    assert player.command == ["python3", "--mode", "gtp", "--level", "1"]
    assert player.setup == ("a 1", "b 2")
    assert (player.timeout, player.limit) == (5, Limit(seconds=2))


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("engine", "needs a command"),
        ("engine:command=''", "needs a command"),
        ("engine:command='a \"b'", "cannot be read as in a shell"),
        ("engine:command='gnugo',timeout=0", "timeout=0 must be a number > 0"),
        ("engine:command='gnugo',timeout=x", "timeout='x' must be a number"),
        ("engine:command='gnugo',seconds=-1", "seconds=-1"),
        ("engine:command='no-such-program'", "'no-such-program' cannot be started: there is no"),
        ("engine:command='/etc/passwd'", "or it may not be run"),
    ],
)
def test_bad_options(spec, why):
    with pytest.raises(ValueError, match=why):
        read_player(spec, load_game("go"))


def test_an_empty_command():
    with pytest.raises(ValueError, match="command is empty"):
        EnginePlayer([])


def test_a_program_that_is_not_there():
    player = EnginePlayer("no-such-program --gtp")
    with pytest.raises(EngineError, match=r"no-such-program.*cannot be started: No such file"):
        player.begin(load_game("go"), "black", 0)


def test_the_dead_stones_that_a_program_names(wired):
    game, player = wired("go", size=5)
    process = player._process
    position = game.read_position("bbb../bwb../b.b../bbb../..... white")
    assert player.dead_stones(position) == ["B4"]
    assert process.asked[-2:] == ["known_command final_status_list", "final_status_list dead"]


def test_a_program_that_names_none_has_no_view(wired):
    game, player = wired("go", size=5)
    del player._process.session.commands["final_status_list"]
    assert player.dead_stones(game.start()) is None


def test_a_program_takes_what_is_dead_once_the_game_goes_on(wired):
    game, player = wired("go", size=5)
    process = player._process
    player.begin(game, "black", 0)
    player.resume()
    player.choose(game.start())
    assert process.asked[-1] == "kgs-genmove_cleanup black"
    del process.session.commands["kgs-genmove_cleanup"]
    player.resume()
    player.choose(game.start())
    assert process.asked[-1] == "genmove black"
    player.begin(game, "black", 0)
    player.choose(game.start())
    assert process.asked[-1] == "genmove black"
