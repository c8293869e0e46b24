"""The expected score in words: parts of the board that add up to it."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.evaluation import Limit
from clauseboard.explaining.questions import explain_choice
from clauseboard.explanation import UNIT
from clauseboard.game import load_game
from clauseboard.games.go.board import names
from clauseboard.games.go.concepts import nearest_sides
from clauseboard.games.go.races import race_told
from clauseboard.games.go.rules import playouts
from clauseboard.games.go.territory import (
    aim,
    contrast,
    final_owners,
    owner_shares,
    territory_lines,
)
from clauseboard.players import read_player
from naive import go

GAME = load_game("go", size=9)

CORNER = GAME.read_position(
    "........./........./..bbb..../..bwwb.../..bwwb.../"
    "..b.bb.../........./......www/......w.w white"
)


def played(game, seed, n_moves):
    """A position after random moves."""
    draws, position = random.Random(seed), game.start()
    for _ in range(n_moves):
        stones = [move for move in position.moves() if not move.is_pass]
        if not stones:
            break
        position = position.play(draws.choice(stones))
    return position


def owners_of(position, games, seed):
    """The owners of all points in random games."""
    _, owned = playouts(position, games, seed)
    return (*(owned[:, 0] - owned[:, 1]).tolist(), games)


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from((2, 5, 9)),
    st.integers(0, 10**6),
    st.integers(0, 80),
    st.sampled_from((1, 7, 50)),
    st.sampled_from((0, 6.5, 7)),
)
def test_lines_add_up_to_the_mean_score(size, seed, n_moves, games, komi):
    game = load_game("go", size=size, komi=komi)
    position = played(game, seed, n_moves)
    owners = owners_of(position, games, seed)
    scores, _ = playouts(position, games, seed)
    assert sum(owners[:-1]) == scores.sum()
    for sign, colour in ((1, "black"), (-1, "white")):
        lines = territory_lines(position, owners, colour)
        total = round(sign * UNIT * scores.sum() / games) - round(sign * UNIT * komi)
        assert sum(line.votes for line in lines) == total
        assert all(line.votes == sum(c.votes for c in line.clauses) for line in lines if line.cells)
        cells = [cell for line in lines for cell in line.cells]
        assert len(cells) == len(set(cells)) == size * size
        shares = owner_shares(position, owners, colour)
        assert np.isclose(sum(shares.values()), sign * scores.mean())


def test_dead_stones_are_named_with_their_number():
    lines = territory_lines(CORNER, owners_of(CORNER, 500, 3), "black")
    texts = {line.concept: line.text for line in lines}
    dead = next(line for line in lines if line.concept == "dead stones")
    assert texts["dead stones"] == "White's four stones at D6 are dead"
    assert texts["komi"] == "White gets 7 points of komi"
    assert dead.votes > 2 * UNIT
    assert set(dead.cells) == {"D6", "E6", "D5", "E5"}


@pytest.mark.parametrize(("board", "place"), [
    ("bbb.w/bbb.w/....w/wwwww/wwwww", "the upper left"),
    ("..b../.bbb./..b../...../.....", "the upper side"),
    ("bbbbb/bbbbb/...../wwwww/wwwww", "the upper half"),
    ("b...b/bb..b/bb..b/b...b/bbbbb", "most of the board"),
    ("b.b../bbb../b.b../bbb../.....", "the left half"),
])  # fmt: skip
def test_areas_are_named_by_where_they_lie(board, place):
    game = load_game("go", size=5, komi=0)
    position = game.read_position(f"{board} black")
    owners = [{0: 0, 1: 10, 2: -10}[stone] for stone in position.board]
    texts = [line.text for line in territory_lines(position, [*owners, 10], "black")]
    assert f"Black holds {place} ({position.board.count(1)} points)" in texts


def test_open_fights_tell_how_often_stones_live():
    game = load_game("go", size=5, komi=0)
    position = game.read_position("bbb../...../...../...../w.... black")
    owners = [-2, -2, -2, *(0 for _ in range(22)), 10]
    texts = [line.text for line in territory_lines(position, owners, "black")]
    assert texts == [
        "Black's three stones at A5 survive in 40 % of the games",
        "everything else on the board",
    ]


def test_areas_tell_their_points_and_how_often_they_are_held():
    game = load_game("go", size=5, komi=0)
    position = game.read_position("bbb../bbb../...../...../..... black")
    owners = [*[6, 6, 6, 0, 0] * 2, *(0 for _ in range(15)), 10]
    line, *_ = territory_lines(position, owners, "black")
    assert (line.text, line.points) == (
        "Black holds the upper left (6 points) in 80 % of the games", 3.6
    )  # fmt: skip


def test_areas_are_joined_by_dead_stones_only():
    """Black's wall lies between White's two areas, and dead stones between two parts of one."""
    game = load_game("go", size=5, komi=0)
    position = game.read_position("..b../..b../...bb/..b../..b.. black")
    owners = [10 if point % 5 == 2 else -10 for point in range(25)]
    owners[12] = 0
    lines = territory_lines(position, [*owners, 10], "black")
    assert [line.text for line in lines] == [
        "White holds the left half (10 points)",
        "White holds the right half (8 points)",
        "everything else on the board",
        "Black's two stones at D3 die",
    ]


def test_what_leans_must_be_wide_and_areas_have_three_points():
    game = load_game("go", size=5, komi=0)
    position = game.read_position("b..../...../...../...../..... black")
    owners = [10, 10, *(0 for _ in range(8)), 3, 3, 3, 3, *(0 for _ in range(11)), 10]
    assert [line.text for line in territory_lines(position, owners, "black")] == [
        "everything else on the board"
    ]


def aimed(board, changed, colour="black", size=5):
    """What a move at C3 is for, where points changed hands, by 200 games each."""
    game = load_game("go", size=size, komi=0)
    position = game.read_position(f"{board} {colour}")
    others = [0] * size**2
    owners = [changed.get(name, 0) for name in names(size)]
    return aim(position, position.read_move("C3"), [*owners, 200], [*others, 200])


@pytest.mark.parametrize(("colour", "change", "text"), [
    ("black", 100, "jumps from three stones at A5, and helps Black's three stones at A5, which "
                   "survive in 75 % of the games, and in 50 % after other moves"),
    ("white", 100, "brings twelve points in the lower half nearer to White than to Black"),
    ("white", -100, "leaves Black's three stones at A5 surviving in 25 % of the games, and in 50 % "
                    "after other moves"),
    ("black", 10, "jumps from three stones at A5, and is worth as much as other moves"),
])  # fmt: skip
def test_a_move_is_for_stones_that_live_more_often_than_after_others(colour, change, text):
    found = aimed(
        "bbb../...../...../...../.....", dict.fromkeys(("A5", "B5", "C5"), change), colour
    )
    assert found == text


def test_a_move_is_for_points_where_no_stones_are_concerned():
    corner = dict.fromkeys(("A1", "B1", "C1", "A2", "B2", "C2"), 100)
    assert aimed("...../...../...../...../.....", corner) == (
        "takes the lower left: 3 points more than after other moves"
    )


def test_what_stones_gain_is_told_beside_what_the_move_does():
    """Account 15: the capture of a stone is the small thing, the life of the others the large."""
    game = load_game("go", size=9, komi=0)
    position = game.read_position(
        "........./..wb...../.wbw...../........./bbbbbb.../........./........./........./........."
        " "
        "white"
    )
    owners = [0] * 81
    for name in ("A5", "B5", "C5", "D5", "E5", "F5"):
        owners[names(9).index(name)] = -150
    found = aim(position, position.read_move("C6"), [*owners, 200], [*[0] * 81, 200], "D4")
    assert found == (
        "captures the stone at C7, and leaves Black's six stones at A5 surviving in 12 % of the "
        "games, and in 50 % after D4, the next best move"
    )


def test_a_move_whose_stone_dies_says_so():
    found = aimed("...../...../...../...../.....", {"C3": -180, "A1": 200, "B1": 200, "A2": 200})
    assert found == (
        "takes the lower left: 3 points more than after other moves, but dies in 95 % of the games"
    )


# ---- findings of the third reading, on its own positions

SECOND = GAME.read_position(
    "..w....b./......www/.bbw..bb./...bbbw../...wbw..w/..bbw..../...w...../....b..../........."
    " white"
)
FIFTH = GAME.read_position(
    "..w..ww.w/...ww.ww./....bwbw./wb....bw./bwbbbb.b./.wwbw..../ww.wbbb../w.wwwww.b/.wbbbbb.."
    " "
    "black moves=58 prisoners=3,9"
)
NINTH = GAME.read_position(
    "....w..w./.bwwbw.../.bbb.bbb./.bwbb.ww./wbwwbbbw./.wwb.bw../w.wbwbww./.bwbwbw../.wbb....."
    " "
    "white moves=51 prisoners=1,2"
)
EIGHTEENTH = GAME.read_position(
    "....b..../.w......./........./...b...../........./.b.b...../..ww...../...b...w./......w.."
    " black"
)
TWELFTH = GAME.read_position(
    "..b....b./...b.bbw./.w.b..b../bbwbb.b../wwbbbbww./.b..bw..w/.bbbwwww./.bwwbb.w./.w.wwb..."
    " black"
)
SIXTEENTH = GAME.read_position(
    "..w....ww/.....bbb./...www.../..bbwb.../.bww.ww../..bww.w../..bwwwb../...bb..../........b"
    " black"
)


def aimed_at(position, move, rival):
    """What a move is for, held against a rival, where random games say nothing."""
    owners = [0] * 81 + [200]
    return aim(position, position.read_move(move), owners, owners, rival)


def test_a_double_atari_is_the_price_of_what_a_move_does():
    """Account 2: Black's E7 puts F7 and D7 in atari, and D7 is not saved."""
    told = aimed_at(SECOND, "F7", "D8")
    assert "saves" not in told
    assert "but Black's E7 puts the stone at F7 and the stone at D7 in atari together" in told


def test_stones_that_fall_after_the_best_answer_are_not_saved():
    """Account 9: Black answers at E4, and A5 falls as well."""
    told = aimed_at(NINTH, "E1", "pass")
    assert told == "puts five stones at D4 in atari, but can be taken at E4"


def test_what_falls_after_the_next_best_move_is_the_reason():
    """Account 18: White's E2 catches D2, also after E4."""
    told = aimed_at(EIGHTEENTH, "E3", "E4")
    assert told.startswith("saves the stone at D2 from capture")
    assert told.endswith("; after E4, E2 would catch the stone at D2")


def test_what_the_next_best_move_does_not_save_is_the_reason():
    """Account 5: the five stones in atari at H1 are caught after H1, too."""
    assert aimed_at(FIFTH, "H2", "H1").endswith("; H1 does not save five stones at C1")


def told_at(position, move, *stones):
    """The lines after a move where stones end as their own side's in 65 games of 100, and these
    chains in 50."""
    after = position.play(position.read_move(move))
    owners = [{0: 0, 1: 30, 2: -30}[stone] for stone in after.board]
    for name in stones:
        for point in after.chains[names(9).index(name)].stones:
            owners[point] = 0
    return territory_lines(after, [*owners, 100], position.to_move)


def test_reading_goes_before_the_random_games():
    """Account 16: H9 and J9 are dead, whatever the games say; C6 and F6 can still be saved."""
    told = {line.text for line in told_at(SIXTEENTH, "F2")}
    assert "White's two stones at H9 are dead, though they survive in 65 % of the games" in told
    assert (
        "Black's two stones at C6 fall if White plays B6, and are saved if Black plays B6" in told
    )


def test_two_groups_that_hang_on_each_other_are_not_both_dead():
    """Account 12: White to move takes A6 and B6 by A7, which saves A5 and B5."""
    told = {line.text for line in told_at(TWELFTH, "C1")}
    saved = "White's two stones at A5 are saved if White plays A7, and fall if Black plays A4"
    assert saved in told


def test_open_fights_stand_by_what_hangs_on_them():
    """Account 6: eight stones that survive in half of the games count nothing on average."""
    position = GAME.read_position(
        "w...b..../...bwwww./..b.bwbww/.b.b.bbbw/.bwbb.bbb/.bwb.b.ww/.w.wb.w.w/.wwwbbbw./.w.wb.bw."
        " "
        "black"
    )
    lines = {line.text: line for line in told_at(position, "G4", "E8")}
    line = lines[
        "White's eight stones at E8 are saved if White plays F9, and fall if Black plays F9: at "
        "least 16 points"
    ]
    assert (line.votes, line.stake) == (0, 16 * UNIT)


def test_the_group_on_which_count_and_games_differ_is_named():
    """Account 19: the count has the three stones at E4 standing."""
    position = GAME.read_position(
        "..bb.w.../bbbbw.bw./..bbwb.b./..bbw..../.bbbww.../bwbwbwb../.wwwbw..b/....b.w../........."
        " "
        "white"
    )
    after = position.play(position.read_move("G5"))
    owners = [100 * side for side in nearest_sides(after)]
    for name in ("E4", "E3", "E2"):
        owners[names(9).index(name)] = -40
    assert contrast(after, [*owners, 100], "white") == (
        "in its games Black's three stones at E4 survive in 30 %, and the count has them standing"
    )
    assert contrast(after, [*owners, 100], "black") == ""


RACE = GAME.read_position(
    ".......w./...bbb.ww/.b.b..bbw/wwwwbbwwb/bbbbbw.wb/bwwwwwwwb/ww..bwbbb/..wwbwb.b/...b.bbw."
    " "
    "black moves=58 prisoners=3,1"
)
"""Account 10 after White's move: Black is first, G8 takes the four stones in the corner."""


@pytest.mark.parametrize(("stone", "text"), [
    ("J6", "but win the race with White's four stones at H9, black to move"),
    ("H9", "and lose the race with Black's ten stones at J6, black to move"),
    # Two stones that live if the ten do are not called dead.
    ("E3", ""),
])  # fmt: skip
def test_who_wins_a_race_is_read_out(stone, text):
    stones = sorted(RACE.chains[names(9).index(stone)].stones)
    assert race_told(RACE, stones) == text


def test_a_race_is_read_past_the_capture():
    """Account 1 of the second reading: G1 takes a stone, and White takes three back at G2."""
    position = GAME.read_position(
        ".ww.w..../.bwbwbb.w/.bwwb.b../bbbwb.b../.b.bbb.../bbbwbwwwb/.bwwbbbw./bww.w.wbw/.b.w.w.b."
        " "
        "white moves=59 prisoners=6,1"
    )
    after = position.play(position.read_move("J3"))
    stones = sorted(after.chains[names(9).index("H2")].stones)
    assert race_told(after, stones) == "and lose the race with White's stone at G2, black to move"


def test_of_stones_in_several_chains_the_largest_is_read():
    chains = [RACE.chains[names(9).index(stone)] for stone in ("J6", "E3", "D1")]
    stones = sorted(stone for chain in chains for stone in chain.stones)
    told = "but ten of them win the race with White's four stones at H9, black to move"
    assert race_told(RACE, stones) == told


def test_a_finished_game_is_counted():
    """Account 12: after two passes there is nothing left to estimate."""
    game = load_game("go", size=5, komi=0.5)
    board = game.read_position("..b../bbbbb/wwwww/..b../..... black").board
    over = game.position(board, "black", passes=2)
    owners = [*[80] * 10, *[-70] * 15, 100]
    assert final_owners(over, owners) == (*[100] * 10, *[-100] * 15, 100)
    assert final_owners(game.position(board, "black", passes=1), owners) == tuple(owners)
    player = read_player("shipped", load_game("go", size=5, komi=0.5))
    asked = game.position(board, "white", passes=1)
    choice = player.choose(asked, Limit(simulations=200))
    account = explain_choice(player, asked, choice)
    assert choice.move.is_pass
    assert (account.verdict.chance, account.verdict.total) == (1.0, 5.5)


def test_areas_of_one_name_are_one_line_and_small_ones_lie_around_a_point():
    board = "/".join(["bbbbbb...", ".........", "bbbbbb...", *["........."] * 3, "........b",
                      "........b", "........b"])  # fmt: skip
    position = GAME.read_position(f"{board} black")
    owners = [10 if stone else 0 for stone in position.board]
    texts = [line.text for line in territory_lines(position, [*owners, 10], "black")]
    assert "Black holds the upper left (12 points)" in texts
    assert "Black holds three points around J2" in texts


def test_a_few_games_say_nothing_of_a_move():
    position = load_game("go", size=5).start()
    move = position.read_move("C3")
    assert aim(position, move, [5] * 25 + [5], [0] * 25 + [200]) == ""


def test_a_pass_tells_the_score_without_dead_stones():
    game = load_game("go", size=5, komi=0.5)
    position = game.position(
        game.read_position("..b../bbbbb/wwwww/..b../..... black").board, "white", passes=1
    )
    owners = [*[100] * 10, *[-100] * 15, 100]
    passing = position.read_move("pass")
    assert aim(position, passing, owners, ()) == (
        "ends the game: White wins by 5.5 points, one dead stone taken off"
    )


def test_the_wrong_number_of_points_is_refused():
    with pytest.raises(ValueError, match="80 points in 5 games are not those of"):
        territory_lines(GAME.start(), [*(0 for _ in range(80)), 5], "black")


# ---- in the search


@pytest.mark.parametrize("line", ["rollouts:rollouts=2", "shipped"])
def test_an_account_tells_the_expected_score_of_the_search(line):
    game = load_game("go", size=9)
    player = read_player(line, game)
    position = played(game, 4, 30)
    choice = player.choose(position, Limit(simulations=300))
    owners = choice.candidates[0].owners
    games = owners[-1]
    rollouts = 2 if line.startswith("rollouts") else 1
    assert 0 < games <= rollouts * choice.candidates[0].visits
    assert all(abs(count) <= games for count in owners[:-1])
    account = explain_choice(player, position, choice)
    assert account.verdict.unit == "points"
    mean = sum(owners[:-1]) / games - game.points_for_white
    sign = 1 if position.to_move == "black" else -1
    assert round(UNIT * account.verdict.total) == round(sign * UNIT * mean)
    assert sum(line.votes for line in account.lines) == round(UNIT * account.verdict.total)
    assert len(account.lines) <= 12
    # The picture shows whose each point is.
    colour = position.to_move
    assert account.heat == {
        cell: share for cell, share in owner_shares(position, owners, colour).items() if share
    }
    assert "points ahead" in str(account) or "points behind" in str(account)


def test_a_finished_board_is_owned_as_it_is_counted():
    """Where nothing can change any more, random games own what the rules count."""
    game = load_game("go", size=5, komi=0.5)
    position = game.read_position(".bbw./bbbww/.bbw./bbbww/.bbw. black")
    owners = owners_of(position, 20, 1)
    black, white = go.area(go.from_bytes(position.board, 5))
    assert sum(owners[:-1]) == 20 * (black - white)
