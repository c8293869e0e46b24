"""The links of a connection: each holds when it is played out, and together they lead through."""

import random
import re

import pytest

from clauseboard.game import load_game
from clauseboard.games.hex import concepts
from clauseboard.games.hex.chains import EDGES, find_connections
from clauseboard.games.hex.links import around, at_edge, links_text, winning_links
from clauseboard.games.hex.rules import HexMove, cells_of
from clauseboard.kernels.compiler import JIT_DISABLED
from hex_positions import random_position
from naive import hex_connections as naive

SIDES = tuple(EDGES)
LARGEST_PLAYED = 7
"""Carriers of more cells take long to play out."""


def stones_of(position, side):
    stones = (position.red, position.blue)[side]
    return {
        (c.row, c.column) for n, c in enumerate(cells_of(position.game.size)) if stones >> n & 1
    }


def end_of(link_end, chains, colour, size):
    """An end as `naive.holds` has it: which edge it is or touches, or the chain of a stone."""
    if not isinstance(link_end, HexMove):
        return ("first", "second")[EDGES[colour].index(link_end)]
    chain = next(chain for chain in chains if (link_end.row, link_end.column) in chain)
    along = {cell[SIDES.index(colour)] for cell in chain}
    return "first" if 0 in along else "second" if size - 1 in along else chain


def check_link(link, stones, captured, side, size):
    """Play a link out: in its carrier, or with the captured cells that join stones to it."""
    both = ends_of(link, stones, side, size)
    carrier = {(c.row, c.column) for c in link.carrier}

    def holds(own, cells, ends=both):
        few = len(cells) <= LARGEST_PLAYED
        return few and naive.holds(own, cells, ends, side, size, own_first=False)

    for way in link.ways:
        if not way.several:
            grown = stones | {(way.cell.row, way.cell.column)}
            check_row(way.links, both, grown, captured, side, size)
    if len(carrier) > LARGEST_PLAYED:
        return
    assert not link.template or holds(stones, carrier), link  # it needs nothing else
    if not holds(stones, carrier):
        assert captured
        assert len(carrier | captured) > LARGEST_PLAYED or holds(stones, carrier | captured), link
        return
    for key in link.keys:
        stone = (key.row, key.column)
        assert holds(stones | {stone}, carrier - {stone}), link
    if link.template:
        stone = next(end for end in (link.first, link.second) if isinstance(end, HexMove))
        alone = {(stone.row, stone.column)}
        edge = next(end for end in (link.first, link.second) if isinstance(end, str))
        edge = ("first", "second")[EDGES[SIDES[side]].index(edge)]
        assert holds(alone, carrier, (alone, edge)), link


def ends_of(link, stones, side, size):
    chains = naive.chains_of(stones)
    return tuple(end_of(end, chains, SIDES[side], size) for end in (link.first, link.second))


def check_row(links, both, stones, captured, side, size):
    """Links lead from the one end to the other, and each holds; None: nothing is told of them."""
    if links is None:
        return
    chains = naive.chains_of(stones)
    if any({0, size - 1} <= {cell[side] for cell in chain} for chain in chains):
        assert not links
        return

    def grown(end):
        """An end with the stones that touch it now."""
        if isinstance(end, str):
            return end
        chain = next(chain for chain in chains if set(end) <= set(chain))
        along = {cell[side] for cell in chain}
        return "first" if 0 in along else "second" if size - 1 in along else chain

    ends = [ends_of(link, stones, side, size) for link in links]
    ways = [grown(both[0]), *(end for pair in ends for end in pair), grown(both[1])]
    for before, after in zip(ways[::2], ways[1::2], strict=True):
        assert before == after, links
    for link in links:
        check_link(link, stones, captured, side, size)


@pytest.mark.parametrize(("size", "count"), [(4, 40), (6, 40), (7, 30)])
def test_links_lead_from_edge_to_edge_and_each_holds(size, count):
    rng, won, told = random.Random(70 + size), 0, 0
    for _ in range(count // 20 if JIT_DISABLED else count):
        position = random_position(rng, size, 2 * size)
        for side, colour in enumerate(EDGES):
            own, stones = find_connections(position)[colour], stones_of(position, side)
            links = winning_links(position, colour)
            assert own.is_won or not links
            lines = [{cell[side] for cell in chain} for chain in naive.chains_of(stones)]
            if not own.is_won or any({0, size - 1} <= line for line in lines):
                continue
            won, told = won + 1, told + bool(links)
            used = [cell for link in links for cell in link.carrier]
            assert len(used) == len(set(used)), links  # no two links need the same cell
            assert set(used) <= {move for move in position.moves() if isinstance(move, HexMove)}
            captured = {(c.row, c.column) for c in own.captured}
            if links:
                check_row(links, ("first", "second"), stones, captured, side, size)
    assert JIT_DISABLED or (won > count / 5 and told > 0.9 * won), (won, told)


def test_brackets_are_short_and_never_within_brackets():
    rng, longest = random.Random(71), 0
    for _ in range(4 if JIT_DISABLED else 60):
        position = random_position(rng, 7, 14)
        for colour in EDGES:
            text, depth = links_text(winning_links(position, colour)), 0
            for letter in text:
                depth += {"(": 1, ")": -1}.get(letter, 0)
                assert 0 <= depth <= 1, text
            brackets = re.findall(r"\(([^)]*)\)", text)
            assert all(" to " not in some and len(some.split()) <= 5 for some in brackets), text
            longest = max(longest, text.count("; with "))
    assert JIT_DISABLED or longest > 1


def test_what_is_said_of_a_connection():
    position = load_game("hex", size=11).read_position(
        ".........../.........../........R../......BBR../....B.RBR../....BR.RB../....R..BR../"
        ".....R.BR../......RR.../...B..R.B../....BRB..B. blue"
    )
    assert concepts.proof(position)[:2] == (
        "red",
        "red is connected from top to bottom: the top to i3 by the edge template of i3, "
        "h6 to f8 by g7 or g6 (bridge f7/e8), f8 to g9 by the bridge g8/f9",
    )


def test_captured_cells_are_links_like_others():
    position = load_game("hex", size=11).read_position(
        "....R....../...BR....../.R..B....../..R..B...../...R......./....R.R..../.....R....R/"
        "...BBRB..../..BRRB..B../.BR.B....../.BB.R...... blue"
    )
    after = position.play(position.read_move("j9"))
    assert concepts.proof(after)[1] == (
        "blue is connected from left to right: the left to b10 by the bridge a10/a11, c11 to e10 "
        "by the bridge d10/d11, g8 to the right by g10 or i7"
    )
    assert links_text(winning_links(after, "blue"), "blue") == (
        "the left to b10 by the bridge a10/a11, c11 to e10 "
        "by the bridge d10/d11, g8 to the right by g10 or i7; with blue on g10, f9 to g10 by the "
        "bridge g9/f10, g10 to i9 by the bridge h9/h10, j9 to the right by the bridge k8/k9; with "
        "blue on i7, g8 to i7 by the bridge h7/h8, i7 to the right by j6 (bridge k5/k6) or i8 "
        "(bridge k8/k9)"
    )


def test_captured_cells_that_join_both_edges_have_no_links_between_them():
    game = load_game("hex", size=6)
    position = game.read_position("....BR/.B..BR/..BRB./R.BR../.RBR../...... red")
    for move in position.moves():
        after = position.play(move)
        for colour in game.colours:
            assert all(link.carrier for link in winning_links(after, colour))


@pytest.mark.parametrize(
    ("size", "board", "side", "said"),
    [
        # a ladder and its escape; an independent reader missed it in "by a6 or b6"
        (11, ".........../.........../..RB.....B./..B.B.....R/RBR..B..B../...R..BBR../....RBRBR../"
         ".....BRBR../..RB.R...../.BR..R...../........... red", "blue",
         "the left to b5 by a6 or the ladder b6-b9 (bridge a10/a11), d3 to e4"),
        # the bridge behind each move, and what is behind moves of which there is more to tell
        (11, ".........../.....R...../....B.BR.../...RB...R../...RRBB.B../..RBRRBBR../.BBB.RRB.../"
         "....B.RR.../...R.BRB.../....RR...../...RBB..... blue", "red",
         "the top to d4 by d3 or f4; with red on d3, the top to d3 by d2 (bridge d1/e1) or e2 "
         "(bridge f1/g1); with red on f4, the top to f4 by f3 (bridge f1/g1) or g4; "),
        # nothing but captured cells
        (6, "....BR/.B..BR/..BRBR/R.BR../.RBR../...... blue", "red",
         # f4 answers blue's e4, so that no link after it may need e4
         "f3 to the bottom by e4 (bridge c6/d6) or f4; with red on f4, f4 to the bottom by e5 "
         "(bridge c6/d6) or f5 (bridge e6/f6)"),
        (6, ".B..../..B.R./R.B..R/.RB.../.RB.B./..R... red", "blue",
         "c5 to the right by d5 (bridge f4/f5) or e3; with blue on e3, c4 to e3 by the bridge "
         "d3/d4, e3 to the right by f2 or e4 (bridge f4/f5)"),
    ],
)  # fmt: skip
def test_links_behind_a_move_are_told(size, board, side, said):
    position = load_game("hex", size=size).read_position(board)
    assert said in links_text(winning_links(position, side), side)


def test_what_is_behind_a_move_names_all_stones_that_are_there_by_then():
    """ "With blue on h4" was said twice, once after j3 and once after i4."""
    position = load_game("hex", size=11).read_position(
        ".........../.BR......../.BBR......./R.BB......./.R.B......./..RBRBRRBR./..RBBBBB.../"
        "..R.R.RR.../...R......./.B........./........... red"
    )
    text = links_text(winning_links(position, "blue"), "blue")
    assert "; with blue on j3, d5 to j3 by j4 (bridge i5/j5) or h4, " in text
    assert "; with blue on j3 and h4, d5 to h4 by g5 or g4, h4 to j3 by the bridge i3/i4" in text
    assert "; with blue on i4 and h4, d5 to h4 by g5 or g4" in text


def after(written, moves):
    position = load_game("hex", size=6).read_position(written)
    for move in moves.split():
        position = position.play(position.read_move(move))
    return position


def uses_of_lost_cells(link):
    """Links after one of two moves that need the cell of the other, which is lost then."""
    for way in link.ways:
        for inner in way.links or ():
            others = set(link.keys) - {way.cell} if len(link.ways) == 2 else set()
            if inner.cells & others:
                yield way.cell, str(inner)
            yield from uses_of_lost_cells(inner)


@pytest.mark.parametrize(
    ("written", "moves", "text"),
    [
        (
            "B...../....../.B..../.....R/....../...R.. red",
            "d2",
            "f4 to the bottom by e5 (beside d6) or f5 (bridge e6/f6)",
        ),
        (
            "....../....../..RB../..B.../...RB./...R.. red",
            "a5 c1 a2 b4 a4 a3 b3",
            "b5 to the bottom by c5 (beside d5) or b6",
        ),
    ],
)
def test_a_move_does_not_lean_on_the_cell_whose_loss_it_answers(written, moves, text):
    links = winning_links(after(written, moves), "red")
    assert text in links_text(links, "red")
    assert [use for link in links for use in uses_of_lost_cells(link)] == []


@pytest.mark.parametrize(
    ("written", "moves", "side", "told", "never"),
    [
        # e5 goes to the right edge, and not to e3
        (
            "....../.....R/.BB.../....../RB..../RB..R. red",
            "e4 f1 d2 e3 e2 f3",
            "blue",
            "d5 to the right by d4 (beside e3) or e5 (bridge f4/f5)",
            "d5 to e3 by d4 or e5",
        ),
        # e2 is no cell of the top: it joins f2 to d2
        (
            "B...../....../.B..../.....R/....../...R.. red",
            "d2",
            "red",
            "with red on f2, the top to f2 by f1 or e2 (bridge d1/e1), f2 to the bottom by f3",
            "f1/e2",
        ),
    ],
)
def test_a_link_is_told_to_the_end_that_it_reaches(written, moves, side, told, never):
    text = links_text(winning_links(after(written, moves), side), side)
    assert never not in text
    assert told in text


def test_both_cells_of_a_bridge_touch_both_ends():
    rng, bridges = random.Random(12), 0
    for _ in range(4 if JIT_DISABLED else 60):
        position = random_position(rng, 6, 8, 20)
        for side, colour in enumerate(SIDES):
            chains = naive.chains_of(stones_of(position, side))
            for link in winning_links(position, colour):
                for end in (link.first, link.second) if link.is_bridge else ():
                    bridges += 1
                    for cell in link.carrier:
                        if isinstance(end, str):
                            assert at_edge(cell, end, 6)
                        else:
                            chain = next(c for c in chains if (end.row, end.column) in c)
                            assert any((c.row, c.column) in chain for c in around(cell))
    assert JIT_DISABLED or bridges > 20


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes without the compiler")
def test_no_connection_leans_on_cells_that_are_lost():
    rng, told = random.Random(11), 0
    while told < 40:
        position = random_position(rng, 6, 8, 20)
        for colour in SIDES:
            links = winning_links(position, colour)
            told += bool(links)
            assert [use for link in links for use in uses_of_lost_cells(link)] == []
