"""What becomes of chains: captures by the slow twin, and positions that players have read."""

import random

import pytest

from clauseboard.game import load_game
from clauseboard.games.go import captures, tactics
from clauseboard.games.go.board import numbers
from clauseboard.games.go.reading import DEAD, HANGS, LIVES, STANDS, Reading
from clauseboard.games.go.rules import state_of
from naive import go, go_tactics

GAME = load_game("go", size=9)


@pytest.mark.parametrize(("size", "seed", "depth"), [(4, 1, 5), (5, 2, 3), (5, 3, 5)])
def test_captures_are_those_of_the_slow_twin(size, seed, depth):
    draws, game, told = random.Random(seed), load_game("go", size=size), []
    room, position = tactics.new_room(size), game.start()
    for _ in range(60):
        stones = [move for move in position.moves() if not move.is_pass]
        if not stones or position.passes:
            position = game.start()
            continue
        position = position.play(draws.choice(stones))
        lines = go.from_bytes(position.board, size)
        ko = None if position.ko is None else divmod(position.ko, size)
        for chain in dict.fromkeys(position.chains.values()):
            stone = min(chain.stones)
            state, place = state_of(position), stone + stone // size + size + 2
            found = captures.read_capture(state, place, room, depth, 10**6) == tactics.CAPTURED
            y, x = divmod(stone, size)
            side = position.to_move[0]
            more = side == lines[y][x]
            wanted = any(
                go_tactics.is_captured(lines, y, x, side, left + more, ko)
                for left in range(1, depth + 1, 2)
            )
            assert found == wanted, (position, stone)
            told.append(found)
    assert any(told)
    assert not all(told)


def fate(text, stone, move=None):
    """What becomes of the chain of a stone, after a move if there is one."""
    position = GAME.read_position(text)
    if move is not None:
        position = position.play(position.read_move(move))
    return Reading(position).fate(position.chains[numbers(9)[stone]])


READ = {
    2: "..w....b./......www/.bbw..bb./...bbbw../...wbw..w/..bbw..../...w...../....b..../........."
       " white",
    6: "w...b..../...bwwww./..b.bwbww/.b.b.bbbw/.bwbb.bbb/.bwb.b.ww/.w.wb.w.w/.wwwbbbw./.w.wb.bw."
       " black",
    8: "........./........w/.......b./.w.....w./...bbbbw./bw....wb./..b...w../........w/........."
       " black",
    11: "..bwwwb../bbbw.b.b./..bwbbbw./bbbwwbww./bbwbbbbw./www.wb.w./w.w.wb.../.w..wb..b/w..wb.b.."
        " black",
    12: "..b....b./...b.bbw./.w.b..b../bbwbb.b../wwbbbbww./.b..bw..w/.bbbwwww./.bwwbb.w./.w.wwb..."
        " black",
    16: "..w....ww/.....bbb./...www.../..bbwb.../.bww.ww../..bww.w../..bwwwb../...bb..../........b"
        " black",
    20: ".......b./..ww...b./....b.w.b/........./..wbbb.../bwbwwbww./..b..wb../......b../........."
        " white",
}  # fmt: skip
"""Positions of the third reading, by the numbers of its accounts."""


@pytest.mark.parametrize(("number", "move", "stone", "kind"), [
    (2, "F7", "H9", DEAD), (2, "F7", "D5", DEAD), (6, "G4", "H4", DEAD), (6, "G4", "E8", HANGS),
    (8, "G7", "H4", DEAD), (8, "H3", "H4", HANGS), (11, "F1", "D9", DEAD), (11, "F1", "C9", LIVES),
    (12, "C1", "A5", HANGS), (12, "C1", "A6", HANGS), (16, "F2", "H9", DEAD),
    (16, "F2", "C6", HANGS), (16, "F2", "F6", HANGS), (20, "E8", "D4", DEAD),
    (20, "E8", "F3", DEAD), (20, "E8", "C8", STANDS),
])  # fmt: skip
def test_stones_are_dead_only_if_their_side_cannot_save_them(number, move, stone, kind):
    """In 12 White saves A5 and B5 by taking A6 and B6: both pairs cannot be dead."""
    assert fate(READ[number], stone, move).kind == kind


@pytest.mark.parametrize(("number", "move", "stone", "taken_at", "saved_at"), [
    (12, "C1", "A5", "A4", "A7"), (16, "F2", "F6", "G6", "G6"), (6, "G4", "E8", "F9", "F9"),
])  # fmt: skip
def test_the_points_that_take_and_save_stones_are_named(number, move, stone, taken_at, saved_at):
    found = fate(READ[number], stone, move)
    assert (found.taken_at, found.saved_at) == (numbers(9)[taken_at], numbers(9)[saved_at])


def test_closed_groups_live_or_are_dead():
    rows = ["........."] * 6 + [".wwwwwww.", ".wbbbbbw.", ".wb.b.bw."]
    assert fate(f"{'/'.join(rows)} black", "C2").kind == LIVES
    rows[-1] = ".wb.bbbw."
    assert fate(f"{'/'.join(rows)} black", "C2").kind == DEAD
