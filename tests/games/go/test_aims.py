"""What a move is for and what stands after it: findings of the fourth reading, on its positions."""

import pytest

from clauseboard.explaining.account import Account
from clauseboard.explanation import Explanation
from clauseboard.game import load_game
from clauseboard.games.go import concepts
from clauseboard.games.go.aims import aim
from clauseboard.games.go.board import names
from clauseboard.games.go.concepts import nearest_sides
from clauseboard.games.go.line_facts import line_fact
from clauseboard.games.go.territory import contrast, territory_lines

GAME = load_game("go", size=9)

FRESH = {
    1: ".......b./...w..w.w/b...bw..w/.w.wwb.../..bwbbb../..bbw.b../..bw....b/w....b.w./........."
       " white moves=27",
    3: "........w/.....wb../.w..wb.../..wwbbb../b..wwb.../.wbbwb.../b.w.b...w/........./b....w..b"
       " black moves=28 prisoners=1,0",
    4: ".ww.ww.../w..w.w.../.w..wb.../wwwww.b../bwbbbb.../.bbw..b../b..b...w./.....b.../....w...."
       " white moves=39 prisoners=1,7",
    5: "........./........./........./...bw..../....wb..w/..b.w..../........./........w/....bb..."
       " black moves=10",
    6: "..b.w..../bb...w.b./bwbbw.w../..wbbwwb./.w.ww.bw./..wbwwwb./...b.b.../w......../.wbb....."
       " white moves=41 prisoners=2,4",
    7: "..b.b..../..b.b.b../..b..b.w./w.bb.b.../wwbwbww../..wwbbw../.wwbwbw.b/wwbb.bwbw/........."
       " white moves=47 prisoners=5,3",
    9: "........./...b...../..bwwb..b/..bwb.b../.bww...../..bw..w../........./........./.w......w"
       " black moves=18",
    10: ".b......./b...b..../...wbww../bbbbw..w./.bwbww..w/bwwwwwww./.bbw.wbb./.wbw.w.../.bbbww.b."
        " white moves=51 prisoners=2,6",
    13: "..w..w..b/ww..b..b./wbb...bw./.wbw...b./wwwbbb.../.bwbwb.../.wbwwb.w./..b.bwb../........."
        " white moves=37",
    14: "...w...w./.b..wb.../.bww.www./wbbw.wbb./..bwwbb../.b.bbb.b./wb.b....w/wwb....../.b..w...."
        " white moves=41 prisoners=2,2",
    17: "..b....../........./......w../....wbw../..bwbww../.w...b..w/b.b....../........./........b"
        " black moves=16",
    20: "..b....../..w....../....w..../.w......./.bb.b.bb./.w...wbw./.....bwb./w.....w../........."
        " black moves=18",
}  # fmt: skip
"""Positions of the fourth reading, by the numbers of its accounts."""


def asked(number, move):
    """The position of an account, and a move there."""
    position = GAME.read_position(FRESH[number])
    return position, position.read_move(move)


def shares_of(changed):
    """Whose the points are in the end, in hundredths: those that are named, and nobody's else."""
    return [*(changed.get(name, 0) for name in names(9)), 100]


# ---- 1: a stone that dies and threatens nothing

NOT_AFTER_A2 = ("B3", "C3", "C2", "B1", "C1", "D1")


def test_a_stone_that_dies_presses_nothing():
    """Black takes A2 and B2 from A1 or A3; White cannot take the six stones, nor after a pass."""
    position, move = asked(10, "A2")
    after = shares_of({"A2": 82, "B2": 82, **dict.fromkeys(NOT_AFTER_A2, 82)})
    other = shares_of({"A2": 100, "B2": 100, **dict.fromkeys(NOT_AFTER_A2, 100)})
    told = aim(position, move, after, other, "A3")
    assert "presses" not in told
    assert told == "extends the stone at B2, but dies in 91 % of the games and threatens nothing"


def test_a_stone_that_dies_in_a_won_game_tells_the_lead():
    position, move = asked(10, "A2")
    dead = {"A2": 82, "B2": 82}
    after = [*(dead.get(name, -40) for name in names(9)), 100]
    told = aim(position, move, after, after, "A3")
    assert told.endswith(" and threatens nothing; White is 37 points ahead anyway")


@pytest.mark.parametrize(("move", "verb"), [("E9", "presses"), ("J1", "leaves")])
def test_stones_near_the_move_that_the_next_one_takes_are_pressed(move, verb):
    """E7 can be taken and saved; a move on the other side of the board does not press it."""
    position, played = asked(1, move)
    told = aim(position, played, shares_of({"E7": -60}), shares_of({"E7": 60}))
    assert f"{verb} Black's stone at E7" in told


# ---- what is gained


@pytest.mark.parametrize(("after", "elsewhere", "verb"), [
    (60, 30, "secures the lower left"), (60, 0, "takes the lower left"),
    (40, 20, "improves its prospects in the lower left"),
    (40, 0, "gets the better prospects in the lower left"), (10, -10, "fights for the lower left"),
    (-20, -60, "reduces the lower left"),
])  # fmt: skip
def test_what_only_leans_to_a_side_is_not_taken(after, elsewhere, verb):
    position = GAME.start()
    corner = ("A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3")
    move = position.read_move("D3")
    now, then = (shares_of(dict.fromkeys(corner, share)) for share in (after, elsewhere))
    assert aim(position, move, now, then).split(":")[0] == verb


def test_points_that_stay_the_other_sides_are_not_taken():
    """Account 13: of the upper side only the left is White's in the end."""
    position = GAME.start().play(GAME.start().read_move("J1"))
    move, upper = position.read_move("D7"), [f"{x}{y}" for x in "ABCDEFGHJ" for y in "987"]
    now = shares_of({name: -60 if name[0] in "ABC" else 20 for name in upper})
    told = aim(position, move, now, shares_of(dict.fromkeys(upper, 60)))
    assert told == "takes the upper left: 11 points more than after other moves"


def test_two_words_for_one_thing_are_not_in_one_sentence():
    """Account 7: J3 is in atari and cannot run, H2 cannot get away."""
    position, move = asked(7, "H3")
    assert line_fact(position, [move]) == "catches the stone at J3 and the stone at H2"


def test_a_stone_in_atari_is_captured():
    """Account 6: H5 is in atari when Black plays G3."""
    position, move = asked(6, "F5")
    told = aim(position, move, shares_of({}), shares_of({}), "G3")
    assert told.endswith("; after G3, J5 would capture the stone at H5")


# ---- 5: threats


@pytest.mark.parametrize(("number", "move", "threat"), [
    (17, "E4", "threatens the stone at D5 (D6 next)"),
    (20, "B3", "threatens the stone at B4 (C4 next)"),
])  # fmt: skip
def test_only_what_the_next_move_wins_is_threatened(number, move, threat):
    """B4 has four liberties in 17, and A2 cannot be taken in 20."""
    position, played = asked(number, move)
    assert (line_fact(position, [played]) or "").endswith(threat)


# ---- 3: moves at a border


def test_what_a_border_move_changes_is_a_difference():
    position, move = asked(5, "E7")
    after = position.play(move)
    black, white = concepts.count([after])[0]
    counted = concepts.line_text(after, "borders", "white", white, black)
    assert counted == (
        "White's largest move near its own stones (C5) changes the difference in nearer points by "
        "18, Black's by ten"
    )


# ---- 4: the two verdicts


@pytest.mark.parametrize(("search", "alone", "said"), [
    (0.48, 0.53, False), (0.43, 0.54, False), (0.43, 0.87, True), (0.30, 0.70, True),
])  # fmt: skip
def test_two_verdicts_differ_by_a_large_margin(search, alone, said):
    position = GAME.start()
    board = Explanation(position, 2 * alone - 1, "", chance=alone)
    found = Explanation(position, 2 * search - 1, "", chance=search, alone=board)
    text = Account(found).alone_text()
    assert ("sees it the other way round; what makes the difference is not known." in text) == said
    assert ("the other way round" in text) == said


def test_two_verdicts_for_one_side_differ_by_a_large_margin():
    position = GAME.start()
    board = Explanation(position, 0.9, "", chance=0.95)
    found = Explanation(position, 0.2, "", chance=0.6, alone=board)
    text = Account(found).alone_text()
    assert text.endswith(
        "The search, which chooses the move, gives 60 %; what makes the difference is not known."
    )


def test_a_single_stone_does_not_account_for_twenty_points():
    position, move = asked(4, "J6")
    after = position.play(move)
    owners = [100 * side for side in nearest_sides(after)]
    owners[names(9).index("E1")] = 60
    assert contrast(after, [*owners, 100], "black").startswith("in its games White's stone at E1")
    for name in ("H9", "J9", "H8", "J8", "J7", "A4", "F1", "G1", "J3", "J4", "J2", "H2"):
        owners[names(9).index(name)] += 40
    assert "E1" not in contrast(after, [*owners, 100], "black")


def test_most_of_the_board_is_no_cause():
    position, move = asked(5, "E7")
    after = position.play(move)
    owners = [100 * side - 60 for side in nearest_sides(after)]
    assert contrast(after, [*owners, 100], "white") == ""


# ---- 6: saved for the moment


def test_stones_that_die_more_often_than_not_are_saved_for_the_moment():
    position, move = asked(14, "H3")
    told = aim(position, move, shares_of({"J3": 24, "H3": 24}), shares_of({"J3": 90}), "G3")
    assert told.startswith("saves the stone at J3 from capture for the moment")
    told = aim(position, move, shares_of({"J3": -24, "H3": -24}), shares_of({"J3": 90}), "G3")
    assert "for the moment" not in told


# ---- 7 and 8: the centre, and ataris


@pytest.mark.parametrize(("number", "move", "held", "told"), [
    (3, "D3", ("C6", "D6", "C5", "B5", "D5", "E5", "E4"),
     "White's five stones at C6 stand (7 points)"),
    (9, "E8", ("D7", "E7", "D6", "C5", "D5", "D4"), "White's six stones at D7 stand"),
])  # fmt: skip
def test_stones_in_the_middle_hold_no_centre(number, move, held, told):
    position, played = asked(number, move)
    after = position.play(played)
    owners = shares_of(dict.fromkeys(held, -58))
    texts = [line.text for line in territory_lines(after, owners, position.to_move)]
    assert f"{told} in 79 % of the games" in texts


def test_whoever_has_most_of_the_centre_holds_it():
    position = GAME.read_position(f"{'........./' * 4}...bbb.../{'........./' * 3}......... white")
    held = ("D6", "E6", "F6", "D5", "E5", "F5", "D4", "E4", "F4")
    owners = shares_of(dict.fromkeys(held, 100))
    texts = [line.text for line in territory_lines(position, owners, "black")]
    assert "Black holds the centre (9 points)" in texts


def test_ataris_on_stones_that_are_dead_are_none():
    """After D7 Black has three ataris and White four, and with dead stones off none and two."""
    position, move = asked(13, "D7")
    after = position.play(move)
    black, white = concepts.count([after])[0]
    told = concepts.line_text(after, "borders", "black", black, white)
    assert "more ataris" not in told
