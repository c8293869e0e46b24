"""One game: honest players, and those who break the rules, fail, give up or dawdle."""

import dataclasses

import pytest
from arena_doubles import Counting, make
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.arena import playing
from clauseboard.arena.playing import GameRecord, Thought, derived_seed, play_game
from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.games.plugins import RANDOM_GAMES
from clauseboard.players import read_player

GAMES = [load_game("hex", size=3), load_game("checkers"), load_game("go", size=3, max_moves=30)]
HEX = GAMES[0]


def pair(first, second, game=HEX):
    return [make(first, game), make(second, game)]


def replayed(game, record):
    position = game.start()
    for text in record.moves:
        position = position.play(position.read_move(text))
    return position


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("names", [("first", "last"), ("seeded", "seeded"), ("last", "seeded")])
def test_the_record_can_be_replayed(game, names):
    record = play_game(game, pair(*names, game=game), seed=5)
    assert replayed(game, record).outcome() == record.outcome
    assert record.players == names
    assert len(record.thoughts) == len(record.moves)
    assert record.seed == 5


def test_players_are_told_game_colour_and_seeds_of_their_own():
    players = pair("first", "last")
    play_game(HEX, players, seed=9)
    assert players[0].begun == [(HEX, "red", derived_seed(9, 0))]
    assert players[1].begun == [(HEX, "blue", derived_seed(9, 1))]


def test_thoughts_are_noted():
    record = play_game(HEX, pair("first", "last"))
    assert [thought.value for thought in record.thoughts[:2]] == [0.25, None]
    assert all(thought.seconds >= 0 for thought in record.thoughts)


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("nonsense", "offered an illegal move, nonsense: "),
        ("nothing", "failed with AttributeError: "),
        ("crashing", "failed with RuntimeError: no idea"),
        ("unready", "failed with RuntimeError: not ready"),
        ("resigning", "gave up"),
        ("hopeless", "gave up"),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_who_does_not_play_by_the_rules_has_lost(game, bad, told, side):
    names = (bad, "first") if side == 0 else ("first", bad)
    record = play_game(game, pair(*names, game=game))
    assert record.winner == game.colours[1 - side]
    assert record.reason.startswith(f"{game.colours[side]} {told}")
    assert len(record.moves) <= side


def test_an_illegal_move_is_quoted_with_its_reason():
    record = play_game(HEX, pair("illegal", "last"))
    assert record.moves == ("a1", "c3")
    assert record.reason.startswith("red offered an illegal move, a1: a1 has a red stone already")


def test_ctrl_c_is_nobodys_loss():
    with pytest.raises(KeyboardInterrupt):
        play_game(HEX, pair("first", "impatient"))


def test_openings_are_played_and_counted():
    record = play_game(HEX, pair("first", "last"), opening=("b2", "a1"))
    assert record.moves[:2] == ("b2", "a1")
    assert record.n_given == 2
    assert len(record.thoughts) == len(record.moves) - 2


def test_an_opening_that_cannot_be_played():
    with pytest.raises(ValueError, match="The opening 'b2 b2' cannot be played: 'b2' is not legal"):
        play_game(HEX, pair("first", "last"), opening=("b2", "b2"))


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_game_without_end_is_a_draw(most):
    record = play_game(HEX, pair("first", "last"), most_moves=most)
    assert (record.winner, len(record.moves)) == (None, most)
    assert record.reason == f"{most} moves played, and no end"


def test_slow_moves_are_noted(monkeypatch):
    quick = play_game(HEX, pair("slow", "first"), limit=Limit(seconds=0.001))
    assert quick.late == (0, 0)  # a hundredth of a second may well be the machine's fault
    monkeypatch.setattr(playing, "_far_over", lambda seconds: 5 * seconds)
    record = play_game(HEX, pair("slow", "first"), limit=Limit(seconds=0.001))
    assert record.late[0] == (len(record.moves) + 1) // 2


@pytest.mark.parametrize(("seconds", "allowed"), [(0.1, 0.7), (1, 2.5), (10, 20.5)])
def test_how_long_is_far_too_long(seconds, allowed):
    assert playing._far_over(seconds) == pytest.approx(allowed)


@pytest.mark.parametrize(
    "parameters", [{}, {"quiet_moves": 5}, {"repetitions": 2}, {"max_moves": 40}]
)
@pytest.mark.parametrize("opening", [(), ("11-15",), ("9-13", "24-20", "5-9")])
def test_random_games_at_once_are_those_move_by_move(monkeypatch, parameters, opening):
    game = load_game("checkers", **parameters)
    players = [read_player("random", game), read_player("random", game)]
    for seed in range(12):
        at_once = play_game(game, players, seed, opening=opening)
        assert at_once.thoughts == ()
        monkeypatch.setattr(RANDOM_GAMES, "find", lambda game: None)
        by_move = play_game(game, players, seed, opening=opening)
        monkeypatch.undo()
        assert by_move.thoughts != ()
        assert dataclasses.replace(by_move, thoughts=()) == at_once


def test_one_random_player_on_both_sides():
    game = load_game("checkers")
    player, other = read_player("random", game), read_player("random", game)
    assert play_game(game, [player, player], 3) == play_game(game, [player, other], 3)


def test_a_random_player_against_another_one_is_asked_move_by_move():
    game = load_game("checkers")
    record = play_game(game, [read_player("random", game), make("first", game)], 1)
    assert len(record.thoughts) == len(record.moves)


def test_random_games_end_after_most_moves():
    game = load_game("checkers")
    players = [read_player("random", game), read_player("random", game)]
    record = play_game(game, players, 1, opening=("11-15",), most_moves=10)
    assert (len(record.moves), record.winner) == (10, None)
    assert record.reason == "10 moves played, and no end"


@given(st.integers(0, 2**70), st.integers(0, 2**64))
def test_derived_seeds_are_63_bits_and_differ(seed, n):
    assert 0 <= derived_seed(seed, n) < 2**63
    assert derived_seed(seed, n) != derived_seed(seed, n + 1)


def test_derived_seeds_of_neighbours_have_nothing_in_common():
    seeds = {derived_seed(seed, n) for seed in range(100) for n in range(100)}
    assert len(seeds) == 10_000


thoughts = st.builds(
    Thought,
    value=st.none() | st.floats(-1, 1),
    seconds=st.floats(0, 100),
    nodes=st.integers(0, 2**60),
    simulations=st.integers(0, 2**60),
    depth=st.integers(0, 99),
)
records = st.builds(
    GameRecord,
    number=st.integers(0, 2**40),
    players=st.tuples(st.text(), st.text()),
    seed=st.integers(0, 2**63 - 1),
    moves=st.lists(st.sampled_from(["a1", "11-15", "swap", "pass"])).map(tuple),
    winner=st.sampled_from(["red", None]),
    reason=st.text(),
    n_given=st.integers(0, 5),
    swapped=st.booleans(),
    thoughts=st.lists(thoughts, max_size=3).map(tuple),
    late=st.tuples(st.integers(0, 9), st.integers(0, 9)),
)


@settings(max_examples=50)
@given(records)
def test_a_record_is_read_as_it_was_written(record):
    assert GameRecord.read(record.write()) == record


@pytest.mark.parametrize(("winner", "points"), [("red", 1.0), ("blue", 0.0), (None, 0.5)])
def test_points(winner, points):
    record = GameRecord(0, ("a", "b"), 1, (), winner, "so")
    assert record.points(("red", "blue")) == points


# ---- dead stones

GO = load_game("go", size=5, komi=0.5)
WALL = ("B1", "A3", "B2", "B4", "B3", "A5", "C4", "C5", "D4", "E5", "E4", "D5")
"""Black's wall, white's stones above it, and black to move."""


def counted_game(first, second, opening=WALL):
    """A game of two players who pass; what each calls dead, every time it is asked."""
    players = [Counting("one", GO, *first), Counting("two", GO, *second)]
    return play_game(GO, players, opening=opening), players


def test_stones_that_both_call_dead_are_taken_off():
    plain = play_game(GO, pair("last", "last", game=GO), opening=WALL)
    record, players = counted_game([[["A3"]]], [[["A3"]]])
    assert [player.asked for player in players] == [1, 1]
    assert record.dead == ("A3",)
    assert record.ending == plain.ending == "score"
    assert "1 dead stone taken off" in record.reason
    assert record.moves == plain.moves
    assert GameRecord.read(record.write()) == record


def test_whole_chains_are_dead_whichever_stone_is_named():
    record, _ = counted_game([[["C5", "A3", "A5"]]], [[["E5", "A3", "A5", "D5"]]])
    assert set(record.dead) == {"A3", "A5", "C5", "D5", "E5"}
    assert record.winner == "black"


def test_players_who_disagree_play_on_once():
    record, players = counted_game([[["A3"], []], ["A2", "pass"]], [[[], []]])
    assert record.moves == (*WALL, "A2", "pass", "pass")
    assert len(record.thoughts) == 3
    assert [player.asked for player in players] == [2, 2]
    assert record.dead == ()


def test_after_that_only_what_both_call_dead_is_taken_off():
    record, _ = counted_game([[["A3", "A5"]]], [[["A3"]]])
    assert record.dead == ("A3",)


def test_who_has_no_view_takes_the_games_own():
    players = [Counting("one", GO, [[]]), make("last", GO)]
    opening = ("C3", "pass", "B3", "pass", "B4", "pass", "A4", "pass", "C5", "pass", "D4", "A5")
    record = play_game(GO, players, opening=opening)
    # Random games call white's stone at A5 dead; the player who does not is asked to play on.
    assert players[0].asked == 2
    assert record.dead == ()
    players = [Counting("one", GO, [["A5"]]), make("last", GO)]
    assert play_game(GO, players, opening=opening).dead == ("A5",)


def test_who_names_no_stone_at_all_has_lost():
    record, _ = counted_game([[["A1"]]], [[[]]])
    assert record.winner == "white"
    assert record.reason.startswith("black failed with ValueError: There is no stone at 'A1'")


def test_two_players_without_a_view_are_counted_by_the_rules():
    record = play_game(GO, pair("last", "last", game=GO), opening=WALL)
    assert replayed(GO, record).outcome() == record.outcome
    assert record.dead == ()
