"""The rules, held against the slow twin and by hand."""

import dataclasses
import random

import numpy as np
import pytest
from checkers_boards import ENDLESS, as_naive, random_position, random_positions
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import Ending, Game, IllegalMoveError, Outcome, load_game
from clauseboard.games.checkers import GAME, Checkers, CheckersMove, CheckersPosition
from clauseboard.games.checkers.rules import BLACK, SQUARES, WHITE, WORD, fault, turned
from naive import checkers as naive

FEW = settings(max_examples=60)
SEED = st.integers(0, 2**32)


def position(text, game=ENDLESS):
    return game.read_position(text)


def written(text):
    here = position(text)
    return [here.write_move(move) for move in here.moves()]


def as_pairs(moves):
    return [(move.path, move.captured) for move in moves]


# ------------------------------------------------------------------ against the twin


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"blocked": "draw"},
        {"quiet_moves": 1},
        {"quiet_moves": 3},
        {"quiet_moves": None, "repetitions": None, "max_moves": 300},
        {"repetitions": 2},
        {"repetitions": 4, "quiet_moves": None},
        {"max_moves": 1},
        {"max_moves": 100},
    ],
    ids=str,
)
def test_random_games_go_as_the_twin_says(parameters):
    game = load_game("checkers", **parameters)
    for seed in range(40):
        rng = random.Random(seed)
        here, referee = game.start(), naive.Referee(**parameters)
        while True:
            assert as_naive(here) == referee.board
            assert here.to_move == referee.side
            outcome = here.outcome()
            result = referee.result()
            if outcome is not None:
                assert (outcome.winner or "draw") == result
                break
            assert result is None
            assert as_pairs(here.moves()) == naive.moves(referee.board, referee.side)
            move = rng.choice(here.moves())
            here = here.play(move)
            referee.play((move.path, move.captured))


def test_boards_full_of_kings_have_the_twins_moves():
    for here in random_positions(1, 1500):
        board = as_naive(here)
        assert as_pairs(here.possible_moves) == naive.moves(board, here.to_move)
        every = sorted(as_pairs(here.jumps()))
        if every:
            paths = [(path, tuple(sorted(s))) for path, s in naive.all_moves(board, here.to_move)]
            assert every == sorted(paths)


# ------------------------------------------------------------------ by hand


def test_the_start():
    start = Checkers().start()
    assert GAME is Checkers
    assert start.to_move == BLACK
    assert [start.write_move(move) for move in start.moves()] == [
        "9-13",
        "9-14",
        "10-14",
        "10-15",
        "11-15",
        "11-16",
        "12-16",
    ]


def test_a_jump_must_be_made_but_any_one_will_do():
    # A jump over one man and one over three are both allowed; the step 5-9 is not.
    assert written("B:W6,8,15,24:B1,3,5") == ["1x28", "3x12"]
    assert written("B:W15,16:B11,12,1") == ["11x18", "11x20", "12x19"]


def test_a_chain_is_finished():
    assert written("B:W6,15,24:B1") == ["1x28"]
    assert position("B:W6,15,24:B1").moves()[0] == CheckersMove((1, 10, 19, 28), (6, 15, 24))


def test_a_man_that_is_crowned_stops():
    # From 31 a king could jump on over 27; the man that has just come may not.
    assert written("B:W26,27:B22") == ["22x31"]
    after = position("B:W26,27:B22").play(CheckersMove((22, 31), (26,)))
    assert after.piece_on(31) == "black king"
    assert written("B:W26,27:BK22") == ["22x24"]


def test_kings_go_both_ways_and_men_do_not():
    assert written("B:WK1:B18") == ["18-22", "18-23"]
    assert written("B:WK1:BK18") == ["18-14", "18-15", "18-22", "18-23"]
    assert written("W:W18:BK32") == ["18-14", "18-15"]
    assert written("W:WK18:BK32") == ["18-14", "18-15", "18-22", "18-23"]
    assert written("B:W14:B18") == ["18-22", "18-23"]
    assert written("B:W14:BK18") == ["18x9"]


def test_a_ring_is_one_move_whichever_way_round():
    ring = position("B:W7,8,15,16:BK3")
    assert sorted(jump.path for jump in ring.jumps()) == [(3, 10, 19, 12, 3), (3, 12, 19, 10, 3)]
    assert ring.moves() == (CheckersMove((3, 10, 19, 12, 3), (7, 8, 15, 16)),)
    after = ring.play(ring.moves()[0])
    assert (after.black, after.white, after.kings) == (WORD[3], 0, WORD[3])


def test_the_other_way_round_a_ring_can_be_played():
    for text, square in (("B:W6,7,14,15:BK2", 2), ("W:WK31:BK26,K27,K18,K19", 31)):
        ring = position(text)
        (move,) = ring.moves()
        back = CheckersMove(move.path[::-1], move.captured)
        assert move.path != back.path
        assert back.start == back.end == square
        assert ring.canonical(back) == ring.canonical(move) == move
        assert ring.play(back) == ring.play(move)
        assert ring.write_move(back) == ring.write_move(move)
        for wrong in (
            CheckersMove(back.path, move.captured[1:]),
            CheckersMove(back.path),
            CheckersMove(back.path[:-1], move.captured),
        ):
            assert ring.canonical(wrong) is None
            with pytest.raises(IllegalMoveError):
                ring.play(wrong)


def test_two_ways_with_the_same_ends_are_two_moves():
    two = position("B:W14,15,22,23:B10")
    assert two.moves() == (
        CheckersMove((10, 17, 26), (14, 22)),
        CheckersMove((10, 19, 26), (15, 23)),
    )
    assert [two.write_move(move) for move in two.moves()] == ["10x17x26", "10x19x26"]


@pytest.mark.parametrize(
    ("parameters", "text", "outcome"),
    [
        ({}, "W:W:B1", Outcome("black", "white has no men left", Ending.NO_PIECES)),
        ({}, "B:W:B1", Outcome("black", "white has no men left", Ending.NO_PIECES)),
        ({}, "B:WK1,K32:B", Outcome("white", "black has no men left", Ending.NO_PIECES)),
        ({}, "W:W12:B8,3", Outcome("black", "white cannot move", Ending.BLOCKED)),
        ({"blocked": "draw"}, "W:W12:B8,3", Outcome(None, "white cannot move", Ending.BLOCKED)),
        (
            {"blocked": "draw"},
            "W:W:B1",
            Outcome("black", "white has no men left", Ending.NO_PIECES),
        ),
        ({}, "W:W12:B8", None),
    ],
)
def test_the_end_on_the_board(parameters, text, outcome):
    assert load_game("checkers", **parameters).read_position(text).outcome() == outcome


def shuffled(game, moves):
    """Two kings that step to and fro."""
    here = game.read_position("B:WK29:BK4")
    there_and_back = ["4-8", "29-25", "8-4", "25-29"]
    for n in range(moves):
        assert here.outcome() is None
        here = here.play(here.read_move(there_and_back[n % 4]))
    return here


@pytest.mark.parametrize("repetitions", [2, 3, 5])
def test_a_position_that_comes_back_is_a_draw(repetitions):
    here = shuffled(Checkers(repetitions=repetitions), 4 * (repetitions - 1))
    assert here.outcome() == Outcome(
        None, f"the same position {repetitions} times", Ending.REPETITION
    )
    assert str(here.outcome()) == f"draw: the same position {repetitions} times"


@pytest.mark.parametrize("quiet_moves", [1, 7, 40])
def test_without_progress_it_is_a_draw(quiet_moves):
    here = shuffled(Checkers(repetitions=None, quiet_moves=quiet_moves), 2 * quiet_moves)
    assert str(here.outcome()) == f"draw: {quiet_moves} moves each without progress"


@pytest.mark.parametrize("max_moves", [1, 7, 100])
def test_after_the_last_move_it_is_a_draw(max_moves):
    here = shuffled(Checkers(repetitions=None, max_moves=max_moves, quiet_moves=None), max_moves)
    assert here.outcome() == Outcome(None, f"{max_moves} moves played", Ending.MOVE_LIMIT)


def test_never_is_never():
    assert shuffled(ENDLESS, 500).outcome() is None


def test_a_man_that_moves_begins_the_count_anew():
    game = Checkers(quiet_moves=2)
    here = game.read_position("B:WK29:BK4,1")
    for text in ("4-8", "29-25", "8-4"):
        here = here.play(here.read_move(text))
    assert here.quiet == 3
    here = here.play(here.read_move("25-29"))
    assert here.outcome() == Outcome(None, "2 moves each without progress", Ending.NO_PROGRESS)
    here = game.read_position("B:WK29:BK4,1")
    for text in ("4-8", "29-25", "1-6"):
        here = here.play(here.read_move(text))
    assert (here.quiet, here.history) == (0, ())


def test_a_loss_comes_before_a_draw():
    game = Checkers(max_moves=1)
    here = game.read_position("B:W6:B1")
    assert here.play(here.moves()[0]).outcome() == Outcome(
        "black", "white has no men left", Ending.NO_PIECES
    )


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"blocked": "win"}, "blocked='win' must be one of 'loss', 'draw'."),
        ({"quiet_moves": 0}, "quiet_moves=0 must be an integer >= 1."),
        ({"quiet_moves": True}, "quiet_moves=True must be an integer"),
        ({"quiet_moves": 2.5}, "quiet_moves=2.5 must be an integer"),
        ({"repetitions": 1}, "repetitions=1 must be an integer >= 2"),
        ({"max_moves": 0}, "max_moves=0 must be an integer >= 1"),
        ({"max_moves": "7"}, "max_moves='7' must be an integer >= 1"),
    ],
)
def test_wrong_parameters(parameters, message):
    with pytest.raises(ValueError, match=message.replace(".", r"\.")):
        Checkers(**parameters)


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("B:W32:B1", (), "a path is made of squares from 1 to 32."),
        (
            "B:W32:B1",
            (1, 33),
            "'1-33' is not legal: a path is made of squares from 1 to 32. The position is 'B:W",
        ),
        (
            "B:W32:B1",
            (2, 6),
            "'2-6' is not legal: there is no piece on 2. The position is 'B:W32",
        ),
        ("B:W32:B1", (32, 28), "the piece on 32 is a white man, and it is black's turn."),
        ("B:W32:B1", (1, 9), "the black man on 1 may play 1-5, 1-6."),
        ("B:W32:B1,2,5,6", (1, 5), "the black man on 1 cannot move; black may play 2-7, 5-9, 6-9"),
        ("B:W6,32:B1,3", (3, 7), "black must jump; 1x10 would do."),
        ("B:W6,15:B1", (1, 10), "the jump must go on; black may play 1x19."),
    ],
)
def test_a_move_that_is_not_legal_says_why(text, path, message):
    with pytest.raises(IllegalMoveError) as caught:
        position(text).play(CheckersMove(path))
    assert message in str(caught.value)


def test_what_is_no_move_at_all():
    with pytest.raises(IllegalMoveError, match=r"not a `CheckersMove`\. The position is 'B:W21"):
        Checkers().start().play("11-15")


def test_a_move_after_the_end():
    with pytest.raises(
        IllegalMoveError, match=r"the game is over \(black wins: white has no"
    ) as it:
        position("W:W:B1").play(CheckersMove((1, 5)))
    assert "'1-5' cannot be played: the game is over" in str(it.value)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ((1 << 8, 1, 0), "off the board"),
        ((WORD[5], WORD[5], 0), "5 cannot hold a black and a white piece"),
        ((WORD[5], WORD[6], WORD[7]), "7 cannot hold a king and no piece"),
        ((0, 0, 0), "no piece on the board"),
        ((sum(WORD[s] for s in range(1, 14)), 0, 0), "black has 13 pieces"),
        ((0, WORD[1] | WORD[2], 0), "a white man cannot stand on 1 and 2"),
        ((WORD[32], 0, 0), "a black man cannot stand on 32"),
        ((WORD[32], 0, WORD[32]), None),
    ],
)
def test_boards_that_cannot_be(board, message):
    found = fault(*board)
    assert (found is None) if message is None else (message in found)


# ------------------------------------------------------------------ always true


@FEW
@given(SEED)
def test_exchanged_colours_have_exchanged_moves(seed):
    here = random_position(random.Random(seed))
    there = CheckersPosition(
        ENDLESS,
        turned(here.white),
        turned(here.black),
        turned(here.kings),
        WHITE if here.to_move == BLACK else BLACK,
    )
    ours = {(m.start, m.end, frozenset(m.captured)) for m in here.moves()}
    theirs = {
        (33 - m.start, 33 - m.end, frozenset(33 - s for s in m.captured)) for m in there.moves()
    }
    assert ours == theirs


@FEW
@given(SEED)
def test_a_move_keeps_the_board_in_order(seed):
    here = random_position(random.Random(seed))
    for move in here.moves():
        after = here.play(move)
        assert fault(*after.board) is None
        assert after.pieces(here.to_move).bit_count() == here.pieces(here.to_move).bit_count()
        other = after.to_move
        lost = here.pieces(other).bit_count() - after.pieces(other).bit_count()
        assert lost == len(move.captured) == (len(move.path) - 1 if move.captured else 0)
        assert bool(move.captured) == bool(here.moves()[0].captured)
        if move.captured:
            # The piece that jumped has no jump left, unless it has just been crowned.
            same = dataclasses.replace(after, to_move=here.to_move)
            crowned = after.kings & WORD[move.end] and not here.kings & WORD[move.start]
            assert crowned or not [jump for jump in same.jumps() if jump.start == move.end]


def test_turning_twice_is_nothing():
    for square in SQUARES:
        assert turned(WORD[square]) == WORD[33 - square]
        assert turned(turned(WORD[square])) == WORD[square]


def test_perft_of_the_game_is_the_kernels():
    game = Checkers()
    assert [game.perft(game.start(), depth) for depth in range(6)] == [1, 7, 49, 302, 1469, 7361]
    ring = game.read_position("W:WK19:B7,8,15,16")
    for depth in (1, 2, 3):
        assert game.perft(ring, depth) >= Game.perft(game, ring, depth)


@pytest.mark.parametrize("depth", [-1, -(2**40), 2.5, 2.0, "2", None, True])
@pytest.mark.parametrize("perft", [Checkers.perft, Game.perft])
def test_depths_that_are_no_number_of_moves(perft, depth):
    game = Checkers()
    with pytest.raises(ValueError, match=f"depth={depth!r} must be an integer >= 0"):
        perft(game, game.start(), depth)


def test_depths_of_numpy():
    game = Checkers()
    assert (
        game.perft(game.start(), np.int32(2)) == Game.perft(game, game.start(), np.uint8(2)) == 49
    )


@pytest.mark.parametrize("text", ["B:W:B1", "W:W:B1", "B:W32:B", "W:WK32:B", "B:W:BK1,2"])
def test_perft_of_a_game_that_is_over(text):
    game = Checkers()
    here = game.read_position(text)
    assert [game.perft(here, depth) for depth in range(4)] == [1, 0, 0, 0]
    assert [Game.perft(game, here, depth) for depth in range(4)] == [1, 0, 0, 0]


@FEW
@given(SEED)
def test_perft_is_that_of_every_game(seed):
    here = random_position(random.Random(seed), most=2)
    rings = any(len(jump.captured) > 3 for jump in here.jumps())
    if not rings:
        assert ENDLESS.perft(here, 2) == Game.perft(ENDLESS, here, 2)
