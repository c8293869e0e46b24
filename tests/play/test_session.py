"""The game at the terminal without a terminal: moves, undo, hints, reasons, files."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.evaluation import Limit
from clauseboard.game import IllegalMoveError, NotationError, load_game
from clauseboard.play import (
    GameSession,
    free_name,
    is_ours,
    read_game,
    rules_in,
    usual_player,
)
from clauseboard.player import Candidate, Choice, Player
from clauseboard.players import load_player
from clauseboard.terminal.game import TerminalGame

GAMES = [
    load_game("checkers"),
    load_game("checkers", quiet_moves=20, max_moves=60),
    load_game("go", size=5, superko=True, max_moves=40),
    load_game("go", size=9, komi=5.5, handicap=2),
    load_game("go", size=3, suicide=True, max_moves=40),
    load_game("hex", size=4),
    load_game("hex", size=5, swap=True),
]


class First(Player):
    """Plays the first move, and notes what it is asked."""

    name = "first"

    def __init__(self, resigns_at=None, move=None, gives_up=False):
        self.begun, self.asked, self.closed = [], [], 0
        self.resigns_at, self.move, self.gives_up = resigns_at, move, gives_up

    def begin(self, game, colour, seed):
        self.begun.append((colour, seed))

    def choose(self, position, limit=None):
        self.asked.append((position, limit))
        if len(self.asked) == self.resigns_at:
            return Choice(None, resigns=True)
        return Choice(self.move or position.moves()[0], value=0.25, gives_up=self.gives_up)

    def close(self):
        self.closed += 1


def playing(game, moves, seed=1, opponent=None, colour=None):
    """A session after so many moves drawn at random, of both sides."""
    session, draws = TerminalGame(game, opponent, colour), random.Random(seed)
    while len(session.moves) < moves and session.outcome is None:
        session.play_move(draws.choice(session.position.moves()))
    return session


def reply(session):
    choice = session.opponent.choose(session.position, session.limit)
    session.accept(choice)
    return choice


def test_turns():
    opponent = First()
    session = TerminalGame(load_game("hex", size=3), opponent, limit=Limit(depth=3), seed=4)
    assert [colour for colour, _ in opponent.begun] == ["red", "blue"]
    assert len({seed for _, seed in opponent.begun}) == 2
    assert not session.opponents_turn
    assert session.before is None
    session.play("b2")
    assert session.opponents_turn
    assert reply(session).move == session.moves[-1]
    assert opponent.asked[0][1] == Limit(depth=3)
    assert not session.opponents_turn
    assert session.before.to_move == "blue"
    other = TerminalGame(load_game("hex", size=3), First(), "blue")
    assert other.opponents_turn
    assert TerminalGame(load_game("hex", size=3), None).people == ("red", "blue")


@pytest.mark.parametrize("seed", [0, 1, 2**40])
def test_the_seed_reaches_the_players(seed):
    found = [First(), First()]
    for opponent in found:
        TerminalGame(load_game("hex", size=3), opponent, seed=seed)
    assert found[0].begun == found[1].begun


def test_a_colour_that_is_none():
    with pytest.raises(ValueError, match="A person plays 'red' or 'blue' in hex, not 'black'"):
        TerminalGame(load_game("hex"), None, "black")


@pytest.mark.parametrize("text", ["", "zz", "b9", "pass", "swap", "b2 b3"])
def test_a_bad_move_changes_nothing(text):
    session = TerminalGame(load_game("hex", size=3), None)
    session.play("b2")
    with pytest.raises(NotationError):
        session.play(text)
    assert len(session.moves) == len(session.positions) - 1 == 1


def test_an_illegal_reply_changes_nothing():
    session = TerminalGame(
        load_game("hex", size=3), First(move=load_game("hex").start().moves()[30])
    )
    session.play("b2")
    with pytest.raises(IllegalMoveError):
        reply(session)
    assert len(session.moves) == 1
    assert session.choices == {}


def test_a_game_that_is_over():
    session = TerminalGame(load_game("hex", size=1), None)
    session.play("a1")
    assert session.outcome.winner == "red"
    for refused in (lambda: session.play("a1"), session.resign, session.hint):
        with pytest.raises(ValueError, match="is over"):
            refused()


# ---- undo


def test_undo_goes_back_to_the_turn_of_the_person():
    session = TerminalGame(load_game("hex", size=4), First())
    session.play("b2")
    reply(session)
    session.play("c3")
    assert [str(move) for move in session.undo()] == ["c3"]
    assert not session.opponents_turn
    assert [str(move) for move in session.undo()] == ["b2", "a1"]
    assert session.choices == {}
    with pytest.raises(ValueError, match="no move of yours to take back"):
        session.undo()


def test_the_opponents_first_move_is_not_taken_back():
    session = TerminalGame(load_game("hex", size=4), First(), "blue")
    reply(session)
    with pytest.raises(ValueError, match="no move of yours"):
        session.undo()
    assert len(session.moves) == 1


def test_an_opponent_that_gives_up_plays_no_move():
    session = TerminalGame(load_game("hex", size=4), First(gives_up=True))
    session.play("b2")
    assert reply(session).move is not None
    assert str(session.outcome) == "red wins: blue gave up"
    assert len(session.moves) == 1


def test_giving_up_is_taken_back():
    session = TerminalGame(load_game("hex", size=4), First(resigns_at=1))
    assert str(session.resign()) == "blue wins: red gave up"
    assert session.undo() == []
    assert session.outcome is None
    session.play("b2")
    assert reply(session).resigns
    assert str(session.outcome) == "red wins: blue gave up"
    assert [str(move) for move in session.undo()] == ["b2"]
    assert session.outcome is None
    session.play("b2")
    session.resign()
    assert session.undo() == []
    assert session.opponents_turn
    both = TerminalGame(load_game("hex", size=4), None)
    both.play("a1")
    assert both.resign().winner == "red"


@settings(max_examples=40)
@given(st.sampled_from(GAMES), st.integers(0, 30), st.integers(1, 40), st.integers(0, 9))
def test_undo_and_the_same_moves_again(game, moves, back, seed):
    session = playing(game, moves, seed)
    whole = list(session.positions)
    taken = []
    for _ in range(min(back, len(session.moves))):
        taken = session.undo() + taken
    assert session.positions == whole[: len(whole) - len(taken)]
    for move in taken:
        session.play_move(move)
    assert session.positions == whole


# ---- hints and reasons


def test_a_hint_is_asked_once_a_board_and_not_of_one_who_guesses():
    adviser = First()
    game = load_game("hex", size=4)
    session = TerminalGame(game, load_player("random", game), adviser=adviser)
    assert session.hint() is session.hint()
    assert len(adviser.asked) == 1
    assert [colour for colour, _ in adviser.begun] == ["red", "blue"]
    assert session.question().choice is session.hint()
    session.play("b2")
    assert session.question() is None
    session.undo()
    assert session.question().choice is session.hint()
    session.restart()
    assert session.question() is None
    assert len(adviser.begun) == 4


def test_the_opponent_gives_hints_if_it_can_judge():
    opponent = First()
    session = TerminalGame(load_game("hex", size=4), opponent)
    assert session.adviser is opponent
    guessing = TerminalGame(load_game("checkers"), load_player("random", load_game("checkers")))
    assert guessing.adviser.name == "shipped"
    assert TerminalGame(load_game("hex", size=4), None).adviser.name == "rollouts"


def test_a_hint_that_comes_late_is_not_kept_for_another_board():
    session = TerminalGame(load_game("hex", size=4), None, adviser=First())

    class Late(First):
        def choose(self, position, limit=None):
            session.undo()
            session.play("c3")
            return super().choose(position, limit)

    session._adviser = Late()
    session.play("b2")
    session.hint()
    assert session.judged == {}


def go_session(n_moves, chances=()):
    """A game of Go between two people, with chances of black after each move."""
    session = GameSession(load_game("go", size=5), two_people=True)
    for _ in range(n_moves):
        session.play_move(session.position.moves()[0])
    session.chances = dict(enumerate(chances))
    return session


def best_of(session, ply, value, points=None):
    """A judge's choice of the second legal move."""
    move = session.positions[ply].moves()[1]
    return Choice(move, value=value, candidates=(Candidate(move, value, points=points),))


def test_points_make_a_mistake_in_a_game_that_is_open():
    session = go_session(2)
    session.note_value(0, best_of(session, 0, 0.2, 4.0), 0.14, "Judge", 0.3, -2.5)
    assert session.mistakes[0].kind == "mistake"
    assert session.mistakes[0].text == (
        "Judge would have played B5: 6.5 points more, and a chance that is 3 % better."
    )
    session.note_value(1, best_of(session, 1, 0.95, 40.0), 0.93, "Judge", 0.3, 20.0)
    assert 1 not in session.mistakes, "the game is decided"


def test_a_slow_collapse_is_marked_at_its_costliest_move():
    """Every move of black costs little; together they cost 20 % of the chance."""
    chances = [0.65, 0.65, 0.6, 0.6, 0.52, 0.52, 0.48, 0.45]
    session = go_session(7, chances)
    losses = [0.05, 0, 0.09, 0, 0.08, 0, 0.06]
    for ply in range(0, 7, 2):
        best = best_of(session, ply, 0.2)
        session.note_value(ply, best, 0.2 - losses[ply], "Judge", 0.3)
        session.note_slide(ply, "Judge")
    assert list(session.mistakes) == [2]
    assert session.mistakes[2].text.startswith(
        "Between moves 2 and 7 black's chance of winning fell from 65 % to 45 %. Judge would "
    )
    session.note_slide(6, "Judge")
    assert list(session.mistakes) == [2]
    while session.ply > 2:
        session.undo()
    assert list(session.losses) == [0]


def test_usual_players():
    assert usual_player(load_game("checkers")).name == "shipped"
    assert usual_player(load_game("go", size=13)).name == "shipped"
    assert usual_player(load_game("go", size=4)).name == "rollouts"
    assert usual_player(load_game("checkers"), ["nobody", "material"]).name == "material"
    assert usual_player(load_game("go"), ["material", "nobody"]).name == "random"


@pytest.fixture(scope="module")
def judged():
    """A game against a player that counts pieces, after a move and its reply."""
    game = load_game("checkers")
    session = TerminalGame(game, load_player("material", game, depth=3))
    session.play("11-15")
    reply(session)
    return session


def test_why(judged):
    account = judged.why()
    assert account.asked is judged.positions[1]
    assert account.line[0] == judged.positions[1].write_move(judged.moves[1])
    judged.hint()
    assert judged.why().asked is judged.position
    judged.judged.clear()


def test_why_not_another_reply(judged):
    there = judged.positions[1]
    other = next(m for m in there.moves() if m != judged.moves[1])
    told = judged.why_not(there.write_move(other))
    assert told.names == (there.write_move(judged.moves[1]), there.write_move(other))
    assert told.colour == "white"


def test_why_not_a_move_of_mine(judged):
    there = judged.position
    told = (
        judged.why_not(there.write_move(there.moves()[0]))
        if judged.hint().move != (there.moves()[0])
        else judged.why_not(there.write_move(there.moves()[1]))
    )
    assert told.colour == "black"
    judged.judged.clear()


def test_no_reasons(judged):
    chosen = judged.positions[1].write_move(judged.moves[1])
    with pytest.raises(ValueError, match=f"{chosen} is the move that material:depth=3 chose"):
        judged.why_not(chosen)
    with pytest.raises(NotationError):
        judged.why_not("zz")
    with pytest.raises(ValueError, match="no move to explain yet"):
        TerminalGame(load_game("hex"), None).why()
    mute = TerminalGame(load_game("hex", size=4), First())
    mute.play("b2")
    reply(mute)
    with pytest.raises(ValueError, match="cannot explain it"):
        mute.why()


# ---- files


def test_a_suicide_is_saved_and_loaded(tmp_path):
    session = TerminalGame(load_game("go", size=3, suicide=True), None)
    for move in ("A2", "C3", "B1", "A1"):
        session.play(move)
    again = TerminalGame(load_game("go"), None)
    again.load(session.save(tmp_path / "a"))
    assert again.game == session.game
    assert again.positions == session.positions
    assert again.position.board == again.before.board


@settings(max_examples=40)
@given(st.sampled_from(GAMES), st.integers(1, 40), st.integers(0, 99), st.booleans())
def test_saved_and_loaded(tmp_path_factory, game, moves, seed, gives_up):
    folder = tmp_path_factory.mktemp("games")
    session = playing(game, moves, seed, First(), game.colours[seed % 2])
    if gives_up and session.outcome is None:
        session.resign()
    assert session.unsaved
    path = session.save(folder / "a")
    assert not session.unsaved
    saved = read_game(path)
    assert saved.game == game
    assert saved.opponent_and_colour == ("first", game.colours[seed % 2])
    again = TerminalGame(game, None)
    again.load(path)
    assert again.positions == session.positions
    assert (again.outcome is None) == (session.outcome is None)
    if session.outcome is not None:
        assert again.outcome.winner == session.outcome.winner
    assert not again.unsaved
    assert again.file == path


def test_saving_again_writes_over_its_own_file_only(tmp_path):
    session = playing(load_game("hex", size=4), 3)
    path = session.save(tmp_path / "a.sgf")
    before = path.read_text()
    session.play_move(session.position.moves()[0])
    assert session.save() == path
    assert path.read_text() != before
    assert [found.name for found in tmp_path.iterdir()] == ["a.sgf"]
    (tmp_path / "b.sgf").write_text("mine")
    with pytest.raises(ValueError, match=r"There is a file .*b\.sgf already"):
        session.save(tmp_path / "b.sgf")
    assert (tmp_path / "b.sgf").read_text() == "mine"


def test_an_archive_is_not_written_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "archive.sgf"
    playing(load_game("hex", size=4), 3).save(path)
    one = path.read_text()
    for text in (one + one, one.replace("[Clauseboard]", "[Cup]")):
        path.write_text(text)
        session = TerminalGame(load_game("hex", size=4), None)
        session.load(path)
        assert not is_ours(path)
        session.play_move(session.position.moves()[0])
        assert session.save() != path
        assert path.read_text() == text


def test_names_of_new_files(tmp_path, monkeypatch):
    import datetime

    day = datetime.date(2026, 3, 1)
    game = load_game("go")
    for name in ("go-2026-03-01.sgf", "go-2026-03-01-2.sgf", "go-2026-03-01-3.sgf"):
        path = free_name(game, tmp_path, day)
        assert path.name == name
        path.touch()
    monkeypatch.chdir(tmp_path)
    assert playing(load_game("checkers"), 2).save().suffix == ".pdn"


def test_files_that_cannot_be(tmp_path):
    session = TerminalGame(load_game("hex", size=4), None)
    with pytest.raises(ValueError, match="nothing to save yet"):
        session.save()
    session.play("b2")
    with pytest.raises(ValueError, match=r"go to a file named \*\.sgf or \*\.hsgf"):
        session.save(tmp_path / "a.pdn")
    with pytest.raises(OSError, match="No such file"):
        session.save(tmp_path / "nowhere" / "a.sgf")
    for text, told in [("", "no game"), ("(;GM[11]SZ[4];B[z9])", "no game")]:
        (tmp_path / "bad.sgf").write_text(text)
        with pytest.raises(ValueError, match=told):
            session.load(tmp_path / "bad.sgf")
    with pytest.raises(ValueError, match="There is no file"):
        session.load(tmp_path / "none.sgf")
    (tmp_path / "set.pdn").write_text('[SetUp "1"]\n[FEN "B:W30:B1"]\n\n1. 1-5 30-25 *\n')
    with pytest.raises(ValueError, match="begins from a set-up board"):
        TerminalGame(load_game("checkers"), None).load(tmp_path / "set.pdn")
    assert len(session.moves) == 1


def test_a_game_with_other_rules_makes_the_players_anew(tmp_path):
    path = playing(load_game("hex", size=5), 3).save(tmp_path / "five.sgf")
    game = load_game("hex", size=4)
    opponent, adviser = load_player("random", game), load_player("random", game)
    session = TerminalGame(game, opponent, adviser=adviser)
    session.load(path)
    assert session.game == session.opponent.game == session.adviser.game == load_game("hex", size=5)
    assert session.opponent is not opponent


def test_moves_after_the_end_are_told(tmp_path):
    path = playing(load_game("checkers"), 30).save(tmp_path / "long.pdn")
    text = path.read_text()
    path.write_text(text.replace("load_game('checkers')", "load_game('checkers', max_moves=10)"))
    session = TerminalGame(load_game("checkers"), None)
    with pytest.raises(ValueError, match=r"Move 11 of the game in .*long\.pdn: .*game is over"):
        session.load(path)
    assert session.moves == []


@pytest.mark.parametrize(
    "text",
    [
        "", "load_game('hex')", "Clauseboard, load_game('hex', size=99)]",
        "Clauseboard, load_game('chess')]", "Clauseboard, load_game(__import__('os'))]",
        "Clauseboard, load_game('hex', size=open('x'))]", "Clauseboard, load_game(1, 2)]",
        "Clauseboard, load_game(((]", "Clauseboard, load_game('hex', width=1)]",
    ],
)  # fmt: skip
def test_no_rules_in_a_file(text):
    assert rules_in(text) is None


def test_players_of_other_files(tmp_path):
    path = playing(load_game("hex", size=4), 3).save(tmp_path / "two.sgf")
    assert read_game(path).opponent_and_colour == (None, None)


def test_close_lets_go_of_everyone_once():
    one, two = First(), First()
    session = TerminalGame(load_game("hex", size=4), one, adviser=two)
    session.close()
    assert (one.closed, two.closed) == (1, 1)
    alone = TerminalGame(load_game("hex", size=4), one)
    assert alone.adviser is one
    alone.close()
    assert one.closed == 2


def test_chances_are_of_the_first_colour_and_go_back_with_the_moves():
    game = load_game("hex", size=3)
    session = GameSession(game)
    start = session.position
    session.note_chance(0, start, 0.6)
    session.play("a1")
    session.note_chance(1, session.position, 0.3)  # blue's
    session.note_chance(1, start, 0.9)  # of a board that is not there
    session.note_chance(0, start, None)
    assert session.chances == {0: 0.6, 1: 0.7}
    other = GameSession(game)
    other.resume(session.saved())
    assert other.chances == session.chances
    older = session.saved()
    del older["chances"]
    other.resume(older)
    assert other.chances == {}
    session.undo()
    assert session.chances == {0: 0.6}
