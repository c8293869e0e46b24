"""Counting: area, territory, dead stones by hand and by playouts."""

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.games.go.rules import GoScore, dead_by_playouts, playouts, score

# Black holds the left, white the right; a white stone is caught at A4 and a black one at E1.
FINISHED = "..bw./wbbw./.bbww/bbbw./..bwb black moves=30 prisoners=2,1"


def finished(**parameters):
    return load_game("go", size=5, **parameters).read_position(FINISHED)


def test_area_counts_stones_and_what_they_surround():
    counted = score(finished())
    assert counted.stones == (10, 7)
    # The regions beside the caught stones touch both colours.
    assert counted.territory == (2, 2)
    assert counted.area == (12, 9)
    assert counted.prisoners == (2, 1)
    assert counted.margin == 12 - 9 - 7
    assert counted.winner == "white"
    assert str(counted) == "12 to 9 and komi 7"


def test_dead_stones_are_taken_off_and_counted_as_prisoners():
    counted = score(finished(komi=0.5), dead=["A4", "E1"])
    assert counted.stones == (9, 6)
    assert counted.area == (15, 10)
    assert counted.prisoners == (3, 2)
    assert counted.margin == 4.5
    assert counted.territory_margin == (6 + 3) - (4 + 2) - 0.5
    assert counted.winner == "black"


def test_a_dead_chain_is_named_by_any_of_its_stones():
    position = load_game("go", size=3).read_position("bb./.../..w black")
    assert score(position, ["A3"]) == score(position, ["B3"]) == score(position, ["A3", "B3"])
    assert score(position, ["A3"]).prisoners == (0, 2)


@pytest.mark.parametrize("cell", ["A1", "Z9", "a1", ""])
def test_dead_must_be_a_stone(cell):
    with pytest.raises(ValueError, match="There is no stone at") as caught:
        score(finished(), dead=[cell])
    assert repr(cell) in str(caught.value)
    assert FINISHED in str(caught.value)


@pytest.mark.parametrize(
    ("text", "area"),
    [
        (".../.../... black", (0, 0)),
        ("b../.../... black", (9, 0)),
        ("b../.../..w black", (1, 1)),
        (".b./bbb/ww. black", (6, 2)),
    ],
)
def test_small_areas(text, area):
    assert score(load_game("go", size=3).read_position(text)).area == area


@pytest.mark.parametrize(("komi", "winner"), [(2.5, "black"), (3, None), (3.5, "white")])
def test_a_whole_komi_allows_a_draw(komi, winner):
    assert GoScore((10, 7), (2, 2), (0, 0), komi).winner == winner


def test_playouts_find_the_dead_stones():
    assert dead_by_playouts(finished(), n=300, seed=1) == ("A4", "E1")
    assert dead_by_playouts(finished(), n=300, seed=1) == dead_by_playouts(finished(), 300, 1)


def test_playouts_leave_living_stones_alone():
    alive = load_game("go", size=5).read_position(".b.bw/bbbbw/wwwww/ww.ww/w.www black")
    assert dead_by_playouts(alive, n=100) == ()


def test_playouts_begin_anew_after_passes():
    position = load_game("go", size=5).read_position(
        "...../...../..b../...../..... white passes=1 moves=2"
    )
    scores, owned = playouts(position, n=50, seed=3)
    assert scores.shape == (50,)
    assert owned.shape == (25, 2)
    assert len(np.unique(scores)) > 3
    again, _ = playouts(position, n=50, seed=4)
    assert not np.array_equal(scores, again)


@pytest.mark.parametrize("n", [0, -5])
def test_playouts_need_a_number(n):
    with pytest.raises(ValueError, match=r"n=.* must be an integer >= 1"):
        playouts(finished(), n=n)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5])
def test_a_seed_is_a_word(seed):
    with pytest.raises(ValueError, match="must be an integer from 0"):
        playouts(finished(), seed=seed)


def test_dead_stones_may_be_named_in_small_letters():
    position = load_game("go", size=3).read_position(".b./bb./..w black")
    assert score(position, dead=["c1"]) == score(position, dead=["C1"])
