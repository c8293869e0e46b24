"""Readers of ladders, nets, eyes and life: known shapes, and slow readers from the rules."""

import random
import runpy
from pathlib import Path

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.games.go import tactics
from clauseboard.games.go.board import names, numbers
from clauseboard.games.go.rules import state_of
from naive import go, go_tactics

STATUS = {tactics.DEAD: "dead", tactics.UNSETTLED: "unsettled", tactics.ALIVE: "alive"}


def place_of(position, point):
    size = position.game.size
    return point + point // size + size + 2


def point_of(position, place):
    size = position.game.size
    return place - place // (size + 1) - size - 1


def ladder(position, point):
    room = tactics.new_room(position.game.size)
    return int(tactics.read_ladder(state_of(position), place_of(position, point), room))


def net(position, point):
    """The point of a net, or None."""
    room = tactics.new_room(position.game.size)
    place = int(tactics.read_net(state_of(position), place_of(position, point), room))
    return point_of(position, place) if place else None


def life(position, point, nodes=tactics.LIFE_NODES):
    room = tactics.new_room(position.game.size)
    return int(tactics.read_life(state_of(position), place_of(position, point), nodes, room))


def read(rows, to_move="black", size=9):
    """A board whose upper lines are empty."""
    rows = rows.split("/")
    rows = ["." * size] * (size - len(rows)) + rows
    return load_game("go", size=size).read_position(f"{'/'.join(rows)} {to_move}")


def random_positions(size, seed, count):
    """Positions of random games, with stones taken and kos on the way."""
    draws, game = random.Random(seed), load_game("go", size=size)
    position = game.start()
    while count:
        stones = [move for move in position.moves() if not move.is_pass]
        if not stones or position.moves_played > 3 * size * size:
            position = game.start()
            continue
        position = position.play(draws.choice(stones))
        if position.moves_played > size and draws.random() < 0.2:
            count -= 1
            yield position


def side_of(position):
    return position.to_move[0]


def lines_of(position):
    return go.from_bytes(position.board, position.game.size)


def ko_of(position):
    return None if position.ko is None else divmod(position.ko, position.game.size)


# ---- ladders and nets

RUNNER = "...w...../..wb...../..w....../........./........./........./........."


@pytest.mark.parametrize(
    ("rows", "to_move", "captured"),
    [
        (RUNNER, "white", True),
        ("...w...../..wb...../..w....../........./........./......b../.........", "white", False),
        ("...w...../..wbw..../..w....../........./........./......b../.........", "black", False),
        ("...w...../..wbw..../..w....../........./........./........./.........", "black", True),
    ],
)
def test_ladders_that_work_and_that_are_broken(rows, to_move, captured):
    told = ladder(read(rows, to_move), numbers(9)["D6"])
    assert told == (tactics.CAPTURED if captured else tactics.ESCAPES)


@pytest.mark.parametrize(("size", "seed"), [(5, 1), (6, 2), (7, 3)])
def test_ladders_are_read_as_by_the_slow_reader(size, seed):
    seen = set()
    for position in random_positions(size, seed, 30):
        lines = lines_of(position)
        for chain in dict.fromkeys(position.chains.values()):
            stone = min(chain.stones)
            y, x = divmod(stone, size)
            told = ladder(position, stone)
            if told == tactics.UNKNOWN:
                continue
            wanted = go_tactics.is_laddered(lines, y, x, side_of(position), ko_of(position))
            assert told == wanted, (position, names(size)[stone])
            seen.add((told, len(chain.liberties) < 3))
    assert {(0, True), (1, True), (0, False)} <= seen


def test_a_net_of_one_move():
    position = read(
        "........./...ww..../..wb...../..w....../........./........./.........", "white"
    )
    stone = numbers(9)["D5"]
    found = net(position, stone)
    assert found is not None
    assert go_tactics.catches(lines_of(position), *divmod(stone, 9), divmod(found, 9))
    assert go_tactics.catches(lines_of(position), *divmod(stone, 9), divmod(numbers(9)["E4"], 9))


@pytest.mark.parametrize("seed", [1, 2])
def test_nets_hold_by_the_slow_reader(seed):
    size, caught, open_ = 6, 0, 0
    for position in random_positions(size, seed, 25):
        lines = lines_of(position)
        for chain in dict.fromkeys(position.chains.values()):
            stone = min(chain.stones)
            y, x = divmod(stone, size)
            if position.board[stone] == position.colour or len(chain.liberties) not in (2, 3):
                continue
            found = net(position, stone)
            if found is not None:
                assert found not in chain.liberties
                assert go_tactics.catches(lines, y, x, divmod(found, size), ko_of(position))
                caught += 1
            else:
                near = {
                    point
                    for free in chain.liberties
                    for step in go.around(lines, *divmod(free, size))
                    for point in (step, *go.around(lines, *step))
                    if lines[step[0]][step[1]] == "." and lines[point[0]][point[1]] == "."
                } - {divmod(free, size) for free in chain.liberties}
                assert not any(go_tactics.catches(lines, y, x, p, ko_of(position)) for p in near)
                open_ += 1
    assert caught > 2
    assert open_ > 2


# ---- life and death


@pytest.mark.parametrize(
    ("rows", "stone", "status"),
    [
        (".wwwwww../.wbbbbw../.wb..bw..", "C2", "dead"),
        (".wwwwwww./.wbbbbbw./.wb...bw.", "C2", "unsettled"),
        ("wwwwwwww./wbbbbbbw./wb....bw.", "C2", "alive"),
        (".wwwwww../.wbbbbw../.wb..bw../.wb..bw..", "C2", "dead"),
        (".wwwwwww./.wbbbbbw./.wb.bbbw./.wb...bw.", "C2", "alive"),
        (".wwwwwww./.wbbbbbw./.wb.w.bw.", "C2", "dead"),
        ("wwwwww.../bbbbbw.../.b.b.w...", "B2", "alive"),
        ("wwwww..../bbbbw..../.b.bw..../bbbbw....", "B2", "alive"),
    ],
)
def test_the_status_of_known_shapes(rows, stone, status):
    position = read(rows)
    point = numbers(9)[stone]
    assert position.board[point] == 1
    assert STATUS[life(position, point)] == status


def test_what_is_not_closed_in_or_takes_too_long_is_open():
    position = read("........./....b..../.........")
    assert life(position, numbers(9)["E2"]) == tactics.OPEN
    closed = read("wwwwwwww./wbbbbbbw./wb....bw.")
    assert life(closed, numbers(9)["C2"], nodes=3) == tactics.OPEN


@pytest.mark.parametrize(
    ("size", "seed", "most"), [(4, 1, 4), (5, 3, 4), pytest.param(5, 2, 5, marks=pytest.mark.long)]
)
def test_life_is_read_as_by_the_slow_reader(size, seed, most):
    seen = set()
    for position in random_positions(size, seed, 60):
        lines = lines_of(position)
        for chain in dict.fromkeys(position.chains.values()):
            stone = min(chain.stones)
            y, x = divmod(stone, size)
            if position.ko is not None or len(go_tactics.local_points(lines, y, x)) > most:
                continue
            told = life(position, stone)
            assert STATUS.get(told) == go_tactics.life(lines, y, x), (position, names(size)[stone])
            seen.add(told)
    assert {tactics.DEAD, tactics.ALIVE} <= seen


@pytest.mark.parametrize(("nodes", "least"), [(100, 60), (6, 20)])
def test_life_read_within_a_small_bound_is_right_or_left_open(nodes, least):
    """What is found in few positions is what the slow reader finds; the rest is not told."""
    found, left = 0, 0
    for position in random_positions(5, 4, 60):
        lines = lines_of(position)
        for chain in dict.fromkeys(position.chains.values()):
            stone = min(chain.stones)
            y, x = divmod(stone, 5)
            if position.ko is not None or len(go_tactics.local_points(lines, y, x)) > 4:
                continue
            told = life(position, stone, nodes)
            if told == tactics.OPEN:
                left += STATUS.get(life(position, stone)) is not None
            else:
                assert STATUS[told] == go_tactics.life(lines, y, x), names(5)[stone]
                found += 1
    assert found > least
    assert left > 0 or nodes == 100


# ---- eyes


@pytest.mark.parametrize(("size", "seed"), [(5, 1), (9, 2)])
def test_eyes_are_real_or_false(size, seed):
    seen = set()
    for position in random_positions(size, seed, 60):
        eyes = np.empty(size * size, np.int8)
        tactics.mark_eyes(state_of(position), eyes)
        for point, told in enumerate(eyes.tolist()):
            eye = go_tactics.eye_of(lines_of(position), *divmod(point, size))
            wanted = 0 if eye is None else "bw".index(eye[0]) + 1
            assert told == (wanted if eye is None or eye[1] else -wanted)
            seen.add(told)
    assert seen == {-2, -1, 0, 1, 2}


def test_made_positions_are_read_rightly(monkeypatch):
    """Some of those that the benchmark has, with answers from how they were made."""
    folder = Path(__file__).parents[3] / "benchmarks"
    monkeypatch.syspath_prepend(str(folder))
    script = runpy.run_path(str(folder / "go_reading.py"))
    result = script["measured"](20, seed=5)
    assert result["ladders"]["wrong"] == result["life"]["wrong"] == []
