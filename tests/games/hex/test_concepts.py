"""The concepts of Hex: the kernel against plain graphs, and sentences that say what is so."""

import random
from dataclasses import replace

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.games.concepts import concept_bits, number_word
from clauseboard.games.hex import concepts, h_search, side_view
from clauseboard.games.hex.chains import Workspace, find_connections, numbers_in
from clauseboard.games.hex.concept_kernels import FAR, N_CONCEPTS, NAMES
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.rules import cells_of
from clauseboard.games.hex.solving import solver_for
from clauseboard.games.plugins import CONCEPTS
from clauseboard.kernels.compiler import JIT_DISABLED
from hex_positions import random_position
from naive import hex_concepts as naive

SIDES = ("red", "blue")


def number(counts, name):
    return int(counts[NAMES.index(name)])


def graph(room, side):
    """The points, empty cells and joined pairs of a side, as H-search left them."""
    memory, n_cells = room.sides[side], room.size**2
    board = room.board.reshape(room.size + 2, -1)[1:-1, 1:-1].ravel()

    def name(point):
        return ("first", "second")[point - n_cells] if point >= n_cells else int(point)

    points = {name(int(p)) for p in memory[h_search.POINT_OF] if p >= 0} | {"first", "second"}
    joined = set()
    for point in range(n_cells + 2):
        for other in memory[h_search.LINK_TO][point, : memory[h_search.N_LINKS][point]]:
            joined.add((name(point), name(int(other))))
    for index in range(memory[h_search.N_ANCHORS][0]):
        for point in np.flatnonzero(memory[h_search.FULL_COUNTS][index]):
            joined.add((name(int(memory[h_search.ANCHORS][index])), name(int(point))))
    free = {n for n in range(n_cells) if board[n] == h_search.FREE}
    return points, free, {pair for pair in joined if pair[0] != pair[1]}


@pytest.mark.parametrize(("size", "count"), [(3, 30), (5, 40), (8, 20), (11, 10)])
def test_the_kernel_counts_what_the_slow_twin_counts(size, count):
    rng = random.Random(size)
    for _ in range(count // 10 if JIT_DISABLED else count):
        position = random_position(rng, size)
        counted = concepts.count([position])[0]
        room = Workspace(size)
        connected = room.find(boards_of(position.game, [position])[0])
        for side, counts in enumerate(counted):
            if connected[side] or len(room.full_plans(side, 1, size * size)):
                assert number(counts, "needs") == 0
                assert number(counts, "edges") == 2
                continue
            points, free, joined = graph(room, side)
            wanted = naive.counts(joined, points, free, len(room.half_wins(side)))
            assert abs(wanted.pop("flow") - number(counts, "flow")) <= 1.0
            assert wanted == {name: number(counts, name) for name in wanted}, repr(position)


def ladders(room, side):
    """What the slow twin finds at both edges of a side."""
    size, memory = room.size, room.sides[side]
    board = room.board.reshape(size + 2, -1)[1:-1, 1:-1]
    own, other, free = (
        {(int(r), int(c)) for r, c in np.argwhere(board == colour)}
        for colour in (1 << side, 2 >> side, h_search.FREE)
    )
    found = []
    for edge in range(2):

        def line_of(cell, edge=edge):
            return size - 1 - cell[side] if edge else cell[side]

        def plans_of(cell, edge=edge):
            point = int(memory[h_search.POINT_OF][cell[0] * size + cell[1]])
            if point == size * size + edge:
                return None
            return [
                {divmod(n, size) for n in numbers_in(row)}
                for row in room.full_plans(side, edge, point)
            ]

        found += naive.ladder_steps(own, other, free, line_of, plans_of)
    return [(steps, escaped) for steps, escaped in found if steps >= 2]


@pytest.mark.parametrize(("size", "count"), [(5, 60), (8, 60), (11, 20)])
def test_ladders_and_escapes_are_those_of_the_slow_twin(size, count):
    rng = random.Random(20 + size)
    seen_ladders = seen_escapes = 0
    for _ in range(count // 10 if JIT_DISABLED else count):
        position = random_position(rng, size, least=size)
        counted = concepts.count([position])[0]
        room = Workspace(size)
        connected = room.find(boards_of(position.game, [position])[0])
        for side, counts in enumerate(counted):
            if connected[side] or len(room.full_plans(side, 1, size * size)):
                assert number(counts, "ladder") == number(counts, "escape") == 0
                continue
            found = ladders(room, side)
            assert number(counts, "ladder") == max((n for n, _ in found), default=0), position
            assert (number(counts, "escape") > 0) == any(escaped for _, escaped in found)
            seen_ladders += bool(found)
            seen_escapes += number(counts, "escape") > 0
    assert JIT_DISABLED or (seen_ladders and seen_escapes)


@pytest.mark.parametrize(("size", "count"), [(7, 300), (9, 200)])
def test_a_ladder_with_an_escape_reaches_the_edge(size, count):
    """Run it with the answers that are forced: a move then connects its stones to the edge."""
    rng, tested = random.Random(30 + size), 0
    for _ in range(count // 30 if JIT_DISABLED else count):
        position = random_position(rng, size, size, size * size // 3)
        for colour in SIDES:
            ladder = side_view.seen(position, colour).ladder
            if ladder is None or ladder.escape is None:
                continue
            turn = 1 if colour == "red" else -1
            own, other = (position.red, position.blue)[::turn]
            forward = ladder.cells[1] > ladder.cells[0]
            for cell in ladder.cells:
                line, along = (cell.row, cell.column)[::turn]
                shift = (1 if forward else 0) if line == 1 else (0 if forward else -1)
                row, column = (0 if line == 1 else size - 1, along + shift)[::turn]
                own |= 1 << cell.row * size + cell.column
                other |= 1 << row * size + column
            if own & other:
                continue  # the escape is a stone at the edge itself
            tested += 1
            last, reached = ladder.cells[-1], False
            for n in range(size * size):
                if not (own | other) >> n & 1 and not reached:
                    red, blue = (own | 1 << n, other)[::turn]
                    chains = find_connections(replace(position, red=red, blue=blue))[colour]
                    reached = chains.is_won or any(
                        last in chain.cells and ladder.edge in chain.joined
                        for chain in chains.chains
                    )
            assert reached, (position, ladder)
    assert JIT_DISABLED or tested > 3


@pytest.mark.parametrize(
    ("third", "second", "ladder"),
    [
        ("..RR.....R.", ".BBB.......", ("e9 f9", "f9")),  # reaches the template of j9
        ("..RR......R", ".BBB.......", ("e9 f9 g9 h9 i9 j9", None)),  # k9 is cut off
        ("..RR.......", ".BB........", None),  # no ladder: d10 is free
        ("..RR.....R.", "..BB......B", None),  # b10 connects at the other end
    ],
)
def test_a_ladder_on_the_third_line(third, second, ladder):
    rows = [*["..........."] * 8, third, second, "..........."]
    stones = [sum(row.count(colour) for row in rows) for colour in "RB"]
    if stones[0] > stones[1]:
        rows[0] = "B" * (stones[0] - stones[1]) + "." * (11 - stones[0] + stones[1])
    position = load_game("hex", size=11).read_position("/".join(rows) + " red")
    found = side_view.third_line_ladder(position, "red", position.read_move("e9"))
    if ladder is None:
        assert found is None
        return
    assert (" ".join(map(str, found.cells)), found.edge) == (ladder[0], "bottom")
    assert (found.escape and str(found.escape)) == ladder[1]
    own, other = position.red, position.blue
    for cell in found.cells:
        own |= 1 << 11 * cell.row + cell.column
        below = 1 << 11 * (cell.row + 1) + cell.column
        # Each step threatens the cell below it; the last one may be connected without it.
        board = replace(position, red=own | below, blue=other)
        assert any(
            cell in chain.cells and "bottom" in chain.joined
            for chain in find_connections(board)["red"].chains
        )
        if cell != found.escape:
            other |= below
    joined = [
        "bottom" in chain.joined
        for chain in find_connections(replace(position, red=own, blue=other))["red"].chains
        if found.cells[-1] in chain.cells
    ]
    assert joined == [ladder[1] is not None]


@pytest.mark.parametrize(("size", "count"), [(4, 40), (7, 40), (11, 10)])
def test_the_cells_that_both_need_are_on_shortest_paths_of_both(size, count):
    rng = random.Random(40 + size)
    for _ in range(count // 10 if JIT_DISABLED else count):
        position = random_position(rng, size)
        room = Workspace(size)
        connected = room.find(boards_of(position.game, [position])[0])
        paths = []
        for side in range(2):
            if connected[side] or len(room.full_plans(side, 1, size * size)):
                paths.append(set())
                continue
            points, free, joined = graph(room, side)
            near = naive.neighbours(joined, points)
            one = naive.distances("first", "second", near, free)
            two = naive.distances("second", "first", near, free)
            lengths = {
                p: one[p] + two[p] - (p in free)
                for p in points
                if p in one and p in two and not isinstance(p, str)
            }
            least = min(lengths.values(), default=None)
            paths.append({p for p in free if lengths.get(p) == least})
        wanted = paths[0] & paths[1]
        for colour, counts in zip(SIDES, concepts.count([position])[0], strict=True):
            assert number(counts, "both need") == min(len(wanted), 24)
            named = concepts.cells(position, "both need", colour)
            assert set(named) == {str(cells_of(size)[n]) for n in wanted}


@pytest.mark.parametrize(("size", "count"), [(5, 40), (9, 10)])
def test_edges_answers_and_threats_are_those_of_the_connections(size, count):
    rng = random.Random(50 + size)
    for _ in range(count // 10 if JIT_DISABLED else count):
        position = random_position(rng, size)
        sides = find_connections(position)
        for colour, counts in zip(SIDES, concepts.count([position])[0], strict=True):
            own, other = sides[colour], sides[position.game.other(colour)]
            if not own.is_won:
                assert number(counts, "threats") == len(own.half)
                joined = [len(chain.joined) for chain in own.chains]
                assert number(counts, "edges") >= max(joined, default=0)
            if other.is_won:
                assert number(counts, "answers") == 0
            elif other.half:
                common = frozenset.intersection(*other.half)
                assert number(counts, "answers") == len(common)
                assert set(concepts.cells(position, "answers", colour)) == set(map(str, common))
            else:
                assert number(counts, "answers") == FAR
            assert number(counts, "free") == (number(counts, "answers") == FAR)
            assert number(counts, "turn") == (position.to_move == colour)


@pytest.mark.parametrize(("size", "count"), [(4, 20), (7, 20), (11, 5)])
def test_cells_are_there_where_something_is_counted(size, count):
    rng = random.Random(70 + size)
    for _ in range(count // size**2 if JIT_DISABLED else count):
        position = random_position(rng, size, least=2)
        for colour, counts in zip(SIDES, concepts.count([position])[0], strict=True):
            board = {str(move) for move in position.moves()}
            stones = set(
                map(str, (c for s in [find_connections(position)[colour]] for c in s.filled))
            )
            for name in NAMES:
                cells = concepts.cells(position, name, colour)
                assert len(set(cells)) == len(cells)
                if name in ("open", "free", "turn"):
                    assert cells == ()
                elif name in ("edges", "span"):
                    assert bool(cells) == bool(number(counts, name)), (name, position)
                    assert set(cells) <= stones
                elif name == "threats":
                    assert bool(cells) == bool(number(counts, name))
                elif name in ("needs", "ways", "flow") and 0 < number(counts, "needs") < FAR:
                    assert cells, (name, position)
                    assert set(cells) <= board


def test_both_sides_are_counted_alike():
    """A board reflected, with the colours exchanged, has the numbers of the sides exchanged.

    Lists of plans are bounded and found in the order of the board, so that a few may differ.
    """
    rng = random.Random(90)
    same = total = 0
    for _ in range(3 if JIT_DISABLED else 40):
        position = random_position(rng, 6)
        first = concepts.count([position])[0]
        second = concepts.count([position.reversed()])[0]
        same += int((np.abs(first - second[::-1]) <= 1).sum())
        total += first.size
    assert same > 0.98 * total


def test_every_concept_has_a_line_and_words_without_negations():
    assert len(concepts.CONCEPTS) == N_CONCEPTS
    assert CONCEPTS.find("hex") is concepts
    for bit in concept_bits(concepts.CONCEPTS):
        for holds in (True, False):
            sentence = bit.sentence("red", "blue", holds)
            assert not {"not", "own", "never"} & set(sentence.split()), sentence
            assert "{" not in sentence, sentence
            assert "  " not in sentence, sentence
        assert bit.sentence("red", "blue", True)
        assert bit.concept.line


@pytest.mark.parametrize(
    ("text", "line", "side", "words"),
    [
        ("...../...../..R../...../..... blue", "moves needed", "red",
         "red is connected from top to bottom"),
        ("...../...../..R../...../..... blue", "must-play", "red", "blue has no answer left"),
        ("...../...../..R../...../..... blue", "all paths", "red",
         "nothing is in red's way any more"),
        ("...../...../..R../...../..... blue", "moves needed", "blue", ""),
        ("/".join(["." * 9, "...R.....", *["." * 9] * 2, "....B....", *["." * 9] * 4]) + " red",
         "edges", "red",
         "red is joined from the top to d2, two rows of 9; d2 to the top by the bridge d1/e1"),
        ("...../BR.../...../.RBR./.B..R blue", "must-play", "red",
         "red connects after each answer of blue"),
        # d10, e10 and e11 only break into the template of e9
        ("....R....BR/.B.......BR/.......BRBR/.....B.BR../....BBR..../...BRBR..../...R.RB..../"
         ".B..RBR..../....R..R.../.........../........... blue", "must-play", "red",
         "blue must answer at j4 or h5"),
        (".....B/.....R/.BB..R/R.B.RB/.RR..R/..BBR. blue", "must-play", "red",
         "blue must answer at d2, if need be after an intrusion at a6 or b6"),
        ("...../.B.R./...R./R..../.B... blue", "threats", "red",
         "red threatens to connect at ten cells or more, such as d4, e4 or c4"),
        ("...../.B.R./...R./R..../.B... blue", "moves needed", "red",
         "red needs one more move (such as d4, e4 or c4), blue up to two (bridges and other sure "
         "links count as joined)"),
        ("/".join([*["." * 11] * 7, "...R.......", "..BR...R...", "..BR.......", "..BB......."])
         + " red", "ladder", "red",
         "red has a ladder along the bottom from e10 to f10, with an escape at h9"),
        ("/".join([*["." * 11] * 7, "...R.......", "..BR...R...", "..BR.......", "..BB......."])
         + " red", "key cell", "red", "both need g8, f9 or e10, and it is red's turn"),
        ("....../....../....../....../....../...... red", "turn", "red",
         "both need up to two, and red is to move"),
        ("...../.B.R./...R./R..../.B... blue", "turn", "blue",
         "it is blue's turn, so it can answer before red connects"),
    ],
)  # fmt: skip
def test_lines_say_what_players_say(text, line, side, words):
    game = load_game("hex", size=text.index("/"))
    position = game.read_position(text)
    counted = concepts.count([position])[0]
    first = SIDES.index(side)
    said = concepts.line_text(position, line, side, counted[first], counted[1 - first])
    assert said == words


ACROSS = (
    ".....B...BR/...R..BRBBR/..R.B..BRBR/..RRBRBRRR./.BBB....B../......RRBR./.R..B.....R/"
    "..R....BBBR/.....B..RB./...R..B..../........... red"
)


def said_on(position, line, side):
    counted, first = concepts.count([position])[0], SIDES.index(side)
    return concepts.line_text(position, line, side, counted[first], counted[1 - first])


def test_span_and_edges_tell_a_reach_in_the_same_words():
    """ "g6-g6 one row" and the same edge in two lines were hard to read."""
    position = load_game("hex", size=11).read_position(ACROSS)
    told = said_on(position, "span", "blue")
    assert told == (
        "blue is joined from the left to g2, seven columns of 11; red is joined from the top to "
        "g6, six rows of 11; g2 to e3 by the bridge f2/f3, b5 to the left by the bridge a5/a6"
    )
    assert said_on(position, "edges", "blue") == told


def test_how_stones_are_joined_to_an_edge_is_told_with_the_ladder_that_it_may_need():
    """ "k8 holds, as far as I see, only because a second-row ladder runs to c10"."""
    position = load_game("hex", size=11).read_position(
        ".......B.../........R../......R..../.........../.........../.........../.........../"
        "...B......R/.R..B....../..R......../B.......... blue"
    )
    assert said_on(position, "span", "red") == (
        "red is joined from the bottom to k8, four rows of 11; blue's stones from d8 to e9 are "
        "joined, two columns; k8 to the bottom by j10 (bridge j9/k9 and bridge i11/j11), i9 "
        "(bridge j8/j9 and edge template), j9 (edge template) or k9, if need be by the ladder "
        "i10-e10 to its escape c10"
    )
    assert {"k8", "j10", "e10", "d11"} <= set(concepts.line_cells(position, "span", "red"))


@pytest.mark.skipif(JIT_DISABLED, reason="a stone on every cell takes too long")
def test_ways_tell_the_cells_that_are_marked():
    position = load_game("hex", size=11).read_position(ACROSS)
    marked = concepts.cells(position, "ways", "red")
    said = f"red has at least {number_word(len(marked))} cells that bring it a move nearer"
    assert said_on(position, "ways", "red").startswith(said)
    for cell in marked:
        after = replace(
            position, red=position.red | 1 << cells_of(11).index(position.read_move(cell))
        )
        assert number(concepts.count([after])[0][0], "needs") < 2


@pytest.mark.skipif(JIT_DISABLED, reason="a stone on every cell takes too long")
def test_what_still_lacks_speaks_for_the_other_side():
    """A line is about what is short where it counts for the side that is not ahead."""
    position = load_game("hex", size=11).read_position(ACROSS)
    assert said_on(position, "moves needed", "blue") == (
        "blue needs as few moves as red, up to two each; the turn is a line by itself (bridges "
        "and other sure links count as joined)"
    )


@pytest.mark.skipif(JIT_DISABLED, reason="a stone on every cell takes too long")
def test_words_carry_the_sign_of_their_line():
    """Five cells to five, and "only 1.8 times as easily", counted for one side without a word."""
    position = load_game("hex", size=11).read_position(
        ".......B.../........R../......R..../.........../.........../.........../.........../"
        "...B......R/.R..B....../..R......../B.......... blue"
    )
    assert said_on(position, "ways", "red") == (
        "red has at least five cells that bring it a move nearer, blue has at least five cells "
        "that bring it a move nearer: for each move that is needed red has more (2.5 to 1.7)"
    )
    told = said_on(position, "all paths", "blue")
    assert "blue still gets through, though red does more easily" in told
    assert "only" not in told


@pytest.mark.skipif(JIT_DISABLED, reason="the solver takes too long without the compiler")
@pytest.mark.parametrize(("size", "count"), [(5, 60), (6, 80)])
def test_what_is_tried_on_every_cell_agrees_with_the_solver(size, count):
    """A side connects at these cells, with the other one to move."""
    rng, solver, beyond = random.Random(60 + size), solver_for(size), 0
    for _ in range(count):
        position = random_position(rng, size, least=4, most=size * size // 2)
        for side, colour in enumerate(SIDES):
            view = side_view.seen(position, colour)
            theirs = replace(position, to_move=SIDES[1 - side])
            for cell in view.connecting:
                bit = 1 << size * cell.row + cell.column
                red, blue = (bit, 0) if side == 0 else (0, bit)
                after = replace(theirs, red=theirs.red | red, blue=theirs.blue | blue)
                assert solver.solve(after).winner == colour, (position, cell)
            beyond += bool(view.connecting) and not view.own.half
            assert view.needs <= number(view.counts, "needs")
            assert (view.needs == 0) == view.own.is_won
    assert beyond > 0


def test_a_connection_by_a_move_has_its_links_and_their_cells():
    game = load_game("hex", size=6)
    position = game.read_position("....BR/....BR/.BBRB./.RR.../..B.../R..... red")
    side, said, cells = concepts.proof(position)
    assert (side, said) == (
        "red",
        "red connects at f3: f3 to the bottom by e4 (in several ways) or f4 (in several ways)",
    )
    assert set(cells) >= {"f3", "e4", "f4"}


def test_boards_that_are_too_large_are_refused():
    with pytest.raises(ValueError, match="15 at most"):
        concepts.count([load_game("hex", size=17).start()])
    assert concepts.count([]).shape == (0, 2, N_CONCEPTS)
