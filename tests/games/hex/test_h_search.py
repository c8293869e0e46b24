"""H-search against plain sets, against each plan played out, and against the solver."""

import random

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.games.hex import h_search
from clauseboard.games.hex.chains import (
    EDGES,
    Workspace,
    find_connections,
    must_play,
    numbers_in,
)
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.rules import HexMove
from clauseboard.games.hex.solving import Solver
from clauseboard.kernels.compiler import JIT_DISABLED
from hex_positions import random_position
from naive import hex_connections as naive


def pairs(cells):
    return {(cell.row, cell.column) for cell in cells}


def stones(position):
    size = position.game.size
    return tuple(
        {(n // size, n % size) for n in range(size * size) if word >> n & 1}
        for word in (position.red, position.blue)
    )


@pytest.mark.parametrize(("size", "count"), [(2, 20), (3, 60), (5, 60), (9, 5)])
def test_dead_and_captured_cells_are_those_of_the_slow_twin(size, count):
    rng = random.Random(size)
    for _ in range(count // 10 if JIT_DISABLED else count):
        position = random_position(rng, size)
        red, blue, captured = naive.filled(*stones(position), size)
        sides = find_connections(position)
        assert pairs(sides["red"].filled) == red, repr(position)
        assert pairs(sides["blue"].filled) == blue
        assert pairs(sides["red"].captured) == captured[0]
        assert pairs(sides["blue"].captured) == captured[1]


@pytest.mark.parametrize(("size", "count"), [(2, 40), (3, 120), (4, 25)])
def test_sides_win_by_plans_where_the_slow_twin_says_so(size, count):
    """Its lists have no bounds; on these boards those of the kernel are long enough."""
    rng = random.Random(100 + size)
    for _ in range(count // 10 if JIT_DISABLED else count):
        position = random_position(rng, size, least=size)
        red, blue, _ = naive.filled(*stones(position), size)
        for side, colour in enumerate(("red", "blue")):
            own, other = (red, blue) if side == 0 else (blue, red)
            plans = naive.Plans(own, other, side, size)
            found = find_connections(position)[colour]
            assert (found.is_won, found.wins_by_moving) == plans.wins, repr(position)


@pytest.mark.parametrize(("size", "count"), [(3, 40), (4, 60), (6, 25), (11, 2)])
def test_every_plan_works_when_it_is_played_out(size, count):
    rng = random.Random(200 + size)
    played = 0
    for _ in range(count // 10 if JIT_DISABLED else count):
        position = random_position(rng, size, least=size)
        room = Workspace(size)
        connected = room.find(boards_of(position.game, [position])[0])
        places = room.board.reshape(size + 2, -1)[1:-1, 1:-1].ravel()
        for side in range(2):
            if connected[side]:
                continue
            own = {divmod(n, size) for n in range(size * size) if places[n] == 1 << side}
            for one, two, carrier, half in plans_of(room, side):
                if len(carrier) > 8:
                    continue
                ends = [end(room, side, point) for point in (one, two)]
                stones_in = own | {c for e in ends if len(e) == 1 for c in e if c != "first"}
                ends = [e if isinstance(e, str) else frozenset(e) for e in ends]
                assert naive.holds(stones_in, carrier, ends, side, size, half), (position, ends)
                played += 1
    assert played or JIT_DISABLED


def plans_of(room, side):
    """All plans: the points of both ends, the carrier, and whether a move comes first."""
    memory, size = room.sides[side], room.size
    for index in range(memory[h_search.N_ANCHORS][0]):
        anchor = int(memory[h_search.ANCHORS][index])
        for point in range(size * size + 2):
            for n in range(memory[h_search.FULL_COUNTS][index, point]):
                carrier = numbers_in(memory[h_search.FULL][index, point, n])
                yield anchor, point, {divmod(c, size) for c in carrier}, False
    last = int(memory[h_search.ANCHORS][memory[h_search.N_ANCHORS][0] - 1])
    for point in range(size * size + 2):
        for n in range(memory[h_search.HALF_COUNTS][point]):
            carrier = numbers_in(memory[h_search.HALF][point, n])
            yield last, point, {divmod(c, size) for c in carrier}, True


def end(room, side, point):
    """A point as one end of a plan: the cells of a chain, one empty cell, or an edge."""
    size = room.size
    if point >= size * size:
        return ("first", "second")[point - size * size]
    point_of = room.sides[side][h_search.POINT_OF]
    return {divmod(n, size) for n in range(size * size) if point_of[n] == point}


def check_against_solver(size, count, seed, least=4):
    """No proof may be wrong; return how many positions were decided."""
    rng, solver, game = random.Random(seed), Solver(size, 2**21), load_game("hex", size=size)
    positions = [random_position(rng, size, least, size * size // 2 + 3) for _ in range(count)]
    boards = boards_of(game, positions)
    movers = np.array([p.to_move == "blue" for p in positions], np.int8)
    winners = solver.label(game, boards, movers)
    room, decided = Workspace(size), 0
    for position, board, mover, winner in zip(positions, boards, movers, winners, strict=True):
        connected = room.find(board)
        full = [connected[side] or len(room.full_plans(side, 1, size * size)) for side in range(2)]
        assert not full[1 - winner], repr(position)
        half = [not connected[side] and len(room.half_wins(side)) for side in range(2)]
        assert winner == mover or not half[mover], repr(position)
        decided += bool(full[winner] or (winner == mover and half[mover]))
    return decided


@pytest.mark.skipif(JIT_DISABLED, reason="the solver takes too long without the compiler")
@pytest.mark.parametrize(("size", "count", "least"), [(5, 2000, 4), (6, 800, 6), (7, 60, 16)])
def test_no_connection_is_false_by_the_solver(size, count, least):
    assert check_against_solver(size, count, 300 + size, least) > count / 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "count", "least"), [(5, 70_000, 0), (6, 27_000, 4), (7, 3_000, 10)]
)
def test_no_connection_is_false_in_a_hundred_thousand_positions(size, count, least):
    assert check_against_solver(size, count, 400 + size, least) > count / 2


@pytest.mark.skipif(JIT_DISABLED, reason="the solver takes too long without the compiler")
@pytest.mark.parametrize(("size", "count"), [(3, 100), (5, 150), (6, 60)])
def test_some_winning_move_is_in_the_must_play(size, count):
    rng, solver = random.Random(500 + size), Solver(size)
    fewer = 0
    for _ in range(count):
        position = random_position(rng, size, least=size)
        won, left = solver.winning_moves(position), must_play(position)
        assert not won or set(won) & set(left), repr(position)
        fewer += len(left) < len(position.moves())
    assert fewer > count / 4


def test_a_bridge_and_a_template_are_found():
    """A stone on the third row of an empty side is connected to it (the ziggurat)."""
    position = load_game("hex", size=7).read_position(
        "......./......./......./......./...R.../......./....... blue"
    )
    chain = find_connections(position)["red"].chains[0]
    assert [str(cell) for cell in chain.cells] == ["d5"]
    assert set(chain.joined) == {"bottom"}
    assert len(chain.joined["bottom"]) <= 10


def test_an_intrusion_into_both_bridges_at_once_cuts():
    game = load_game("hex", size=3)
    held = game.read_position(".../.R./... blue")
    assert find_connections(held)["red"].is_won
    cut = game.read_position("BB./.R./R.. red")
    assert "top" in find_connections(cut)["red"].chains[0].joined or must_play(cut)


def test_a_side_with_a_chain_has_won():
    game = load_game("hex", size=2)
    position = game.start()
    for text in ("a1", "b1", "a2"):
        position = position.play(position.read_move(text))
    red = find_connections(position)["red"]
    assert red.has_chain
    assert red.is_won
    assert red.full == ()


def test_a_board_that_is_too_large_is_refused():
    with pytest.raises(ValueError, match="size=16 must be an integer from 1 to 15"):
        find_connections(load_game("hex", size=16).start())


@pytest.mark.parametrize("size", [13, 14, 15])
def test_large_boards(size):
    position = load_game("hex", size=size).start().play(HexMove(size // 2, size // 2))
    sides = find_connections(position)
    assert not sides["blue"].chains
    assert EDGES["red"] == ("top", "bottom")
    assert [len(chain.cells) for chain in sides["red"].chains] == [1]
    near = load_game("hex", size=size).start().play(HexMove(2, size // 2))
    assert set(find_connections(near)["red"].chains[0].joined) == {"top"}
