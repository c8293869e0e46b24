"""What a move does: known positions, and random ones by the slow rules and readers."""

import random

import pytest

from clauseboard.game import load_game
from clauseboard.games.go.line_facts import line_fact
from clauseboard.games.go.rules import GoMove
from naive import go, go_tactics


def fact(rows, move, to_move="black", size=9):
    """The fact of a move on a board whose upper lines are empty."""
    rows = rows.split("/")
    rows = ["." * size] * (size - len(rows)) + rows
    position = load_game("go", size=size).read_position(f"{'/'.join(rows)} {to_move}")
    return line_fact(position, [position.read_move(move)])


@pytest.mark.parametrize(
    ("rows", "move", "to_move", "told"),
    [
        (".bb....../bwwb...../.b.......", "C1", "black", "captures two stones at B2"),
        ("........./..b....../........./.........", "D3", "black", "extends the stone at C3"),
        ("........./..b....../........./.........", "G3", "black", None),
        # A stone in atari runs to where it has three liberties.
        (
            "........./..w....../.wb....../..w......",
            "D2",
            "black",
            "saves the stone at C2 from atari and threatens the stone at C1 (B1 next)",
        ),
        (
            "........./...b...../..bw...../...b.....",
            "E2",
            "white",
            "saves the stone at D2 from atari",
        ),
        ("........./........./..bw...../...b.....", "E2", "black", "puts the stone at D2 in atari"),
    ],
)
def test_stones_beside_the_move(rows, move, to_move, told):
    assert fact(rows, move, to_move) == told


RUNNER = "...w...../..wb...../..w....../........./........./........./........."
BROKEN = "...w...../..wb...../..w....../........./........./......b../........."


def test_ladders_that_work_and_that_are_broken():
    assert fact(RUNNER, "E6", "white") == "captures the stone at D6 in a ladder"
    assert fact(BROKEN, "E6", "white") == "puts the stone at D6 in atari"
    assert fact(RUNNER, "G3", "black") == "breaks the ladder on the stone at D6"
    assert fact(RUNNER, "D5", "black") == "saves the stone at D6 from a ladder"


def test_a_chain_that_cannot_run_is_trapped_and_in_no_ladder():
    """Two moves along the edge are no ladder that a player would see."""
    edge = "ww......./b......../..b....../........."
    assert fact(edge, "B3", "white") == "traps the stone at A3"
    assert fact(edge, "B3", "black") == "saves the stone at A3 from capture"


def test_the_fact_about_most_stones_comes_first():
    """Account 1 of the independent reading: ten stones are saved, fewer are caught."""
    position = load_game("go", size=9).read_position(
        ".wbbbbbb./..wb.bbbw/..wbbwbw./bwwwwwbw./.bbbwwbw./..wwbbbbw/..wb.bbw./...b.bb../....bw... "
        "white moves=59 prisoners=8,0"
    )
    told = line_fact(position, [position.read_move("A7")])
    assert told == (
        "saves ten stones at C8 from capture and catches the stone at A6 and three stones at B5"
    )


def test_an_atari_by_a_stone_that_is_taken_says_so():
    """Account 20: White takes the stone at B1, and both ataris are over."""
    position = load_game("go", size=9).read_position(
        ".....w.../.wbww.w../w.wwbwb../.wbwbw.b./wwbwb..b./wbbbb.b../bwwb.w.w./..wbw..../w..w..... "
        "black moves=48 prisoners=0,7"
    )
    told = line_fact(position, [position.read_move("C1")])
    assert told == "puts three stones at B3 and the stone at D1 in atari, but can be taken at B1"


def test_a_stone_that_is_lost_takes_no_eye():
    """Account 19: the stone at C2 is captured, and Black needs no eye at D3."""
    position = load_game("go", size=9).read_position(
        ".bw.wwww./.bw.wbw../.bw.wbwww/.bbwwbwbb/.b.bbbbw./.b.bw.b../.wb.b..b./...b.b.b./.....b.b. "
        "white moves=59 prisoners=10,4"
    )
    assert "eye" not in (line_fact(position, [position.read_move("C2")]) or "")


def test_stones_in_atari_that_are_joined_are_saved():
    """Account 13: A4, A3 and B3 are in atari; nothing else is wrong with them."""
    position = load_game("go", size=9).read_position(
        "...w..w../..bbwww../.b.bbwbbb/.b..bwb../wbbbwwwbb/b.bww.b.b/bbw..b..b/www.wwbb./......wb. "
        "black moves=60 prisoners=10,3"
    )
    told = line_fact(position, [position.read_move("B4")])
    assert told.startswith("saves three stones at A4 from atari")


def test_a_stone_taken_in_a_ko_is_said_to_be():
    """Account 12 of the second reading: White may not take back at A7."""
    position = load_game("go", size=9).read_position(
        "..w.wb.w./b.bwwwww./wbbbbwb.w/.wwwbwb../wwbbwwb../wbbbbbww./.bwbbbbw./....bwwb./....b.w.. "
        "black moves=58 prisoners=2,3"
    )
    told = line_fact(position, [position.read_move("A6")])
    assert told.startswith("traps six stones at B6 and captures the stone at A7 in a ko")


def test_a_move_that_gives_up_stones_names_its_price():
    """Account 19 of the second reading: H3 saves the four stones at E4, and D6 gives them up."""
    position = load_game("go", size=9).read_position(
        "........./......w../........b/.....b.../..wbwwww./..bwbbbb./..bwwww../...bbb.../...w..... "
        "black"
    )
    told = line_fact(position, [position.read_move("D6")])
    assert told.startswith("saves the stone at D5 from atari")
    assert told.endswith(", but gives up four stones at E4")
    assert "gives up" not in line_fact(position, [position.read_move("H3")])


def test_stones_that_are_dead_where_they_are_closed_in_are_not_saved():
    """C2 joins the stone at D2, but White kills all of them at B1."""
    closed_in = fact("wwwww..../bb.bw..../...ww....", "C2")
    assert closed_in == "connects two stones at A2 with the stone at D2"
    open_to_the_left = fact(".b.ww..../...bw..../...ww....", "C2")
    assert open_to_the_left == "saves the stone at D2 from atari"


def test_a_stone_beside_one_of_the_other_side_attaches_to_it():
    rows = "........./..w....../........./........."
    assert fact(rows, "D3") == "attaches to the stone at C3"
    assert fact(rows, "E3") is None


def test_nets():
    rows = "........./...ww..../..wb...../..w....../........./......b../........."
    assert fact(rows, "E4", "white") == "catches the stone at D5 in a net"


def test_a_chain_that_joins_a_stronger_one_is_in_no_net():
    """White plays B4, which gives the stones that A7 joins more liberties."""
    position = load_game("go", size=9).read_position(
        "...bbbb../bbbwwwww./wwbww.w../w.wbbbb../.wwwbw.../..wbbbb../.bbwwb.w./.bw..wb../.w.ww.... "
        "black moves=50"
    )
    assert "net" not in (line_fact(position, [position.read_move("A4")]) or "")


def test_chains_are_told_apart():
    told = fact(".ww....../wbb....../b.wb...../.ww....../.........", "B3", "white")
    assert told == "traps the stone at A3 and puts two stones at B4 in atari"


def test_groups_that_live_or_die():
    rows = ".wwwwwww./.wbbbbbw./.wb...bw."
    assert fact(rows, "E1", "white") == "kills seven stones at C2"
    assert fact(rows, "E1", "black").startswith("makes seven stones at C2 live")


def test_cuts_and_connections():
    rows = "........./..b.b..../...w...../........."
    assert fact(rows, "D3").startswith("connects the stone at C3 with the stone at E3")
    told = fact("........./..bw...../.w.b...../.........", "C2", "white")
    assert told == "cuts the stone at C3 from the stone at D2"


def test_eyes_made_and_taken():
    assert fact("........./.b......./.b.......", "A2", "black") == "makes an eye at A1"
    rows = "www....../wbbw...../wb.b...../w.bb....."
    assert fact(rows, "B1", "white") == "traps three stones at B3 and takes the eye at C2"


def test_the_end_of_the_game_is_told_with_its_score():
    position = load_game("go", size=5, komi=0.5).read_position(
        "..b../..b../..b../..b../..b.. white moves=9 passes=1"
    )
    told = line_fact(position, [position.read_move("pass")])
    assert told == "ends the game: 25 to 0 and komi 0.5"


@pytest.mark.parametrize("seed", range(4))
def test_facts_are_true_on_random_boards(seed):
    size, draws = 6, random.Random(seed)
    game = load_game("go", size=size)
    position, told = game.start(), set()
    for _ in range(60):
        stones = [move for move in position.moves() if not move.is_pass]
        if not stones or position.passes:
            break
        move = draws.choice(stones)
        text = line_fact(position, [move]) or ""
        told.add(text.split(" ")[0])
        check(position, move, text)
        position = position.play(move)
    assert len(told) > 3


def check(position, move, text):
    """Whether a fact is true by the slow rules."""
    size = position.game.size
    lines, side = go.from_bytes(position.board, size), position.to_move[0]
    y, x = divmod(move.point, size)
    after, taken, _ = go.put(lines, side, y, x)
    parts = [part for part in text.split(" and ") if part.startswith("captures")]
    assert any(not part.endswith("in a ladder") for part in parts) == (taken > 0)
    beside = list(go.around(lines, y, x))
    own = {frozenset(go.same(lines, v, u)) for v, u in beside if lines[v][u] == side}
    if "connects" in text:
        assert len(own) > 1
    other = go.OTHER[side]
    if "from atari" in text:
        mine = stones_of(lines, side)
        saved = [s for s in mine if len(go_tactics.liberties(lines, *s)) == 1]
        assert any(len(go_tactics.liberties(after, *stone)) > 1 for stone in saved)
    left = [s for s in stones_of(lines, other) if after[s[0]][s[1]] == other]
    if "in atari" in text.partition(", but")[0]:
        assert any(len(go_tactics.liberties(after, *stone)) == 1 for stone in left)
    if "in a ladder" in text or "traps" in text:
        ko = position.play(GoMove(move.point)).ko
        ko = None if ko is None else divmod(ko, size)
        assert any(go_tactics.is_laddered(after, *stone, other, ko) for stone in left)
    if "cuts" in text:
        assert len({frozenset(go.same(lines, *s)) for s in beside if s in left}) > 1
    if "extends" in text:
        [chain] = own
        before = go_tactics.liberties(lines, *min(chain))
        assert len(go_tactics.liberties(after, y, x)) > len(before)


def stones_of(lines, side):
    return [(v, u) for v, line in enumerate(lines) for u, what in enumerate(line) if what == side]
