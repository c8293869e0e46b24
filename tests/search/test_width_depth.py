"""From every board the few best moves, some moves deep."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.search import batch, load_search, search_names
from clauseboard.search.width_depth import WidthDepth
from naive import search as naive

FEW = settings(max_examples=5 if JIT_DISABLED else 25)

positions = st.builds(
    naive.position_of, st.sampled_from(sorted(naive.GAMES)), st.integers(0, 10**6)
)
views = st.sampled_from(["board", "mover"])
winners = st.sampled_from([(0, None, 1), (1, 0), (None, 1, 0)])


def test_it_is_found_by_its_name():
    assert "width_depth" in search_names()
    assert load_search("width-depth", width=2) == WidthDepth(width=2, depth=7)


# ---- worked out by hand; numbers are votes for us, a draw, them


def us(votes):
    return (votes, -9000, -9000)


def draw(votes):
    return (-9000, votes, -9000)


def them(votes):
    return (-9000, -9000, votes)


@pytest.mark.parametrize(
    ("boards", "order"),
    [
        ([us(5), us(7), us(6)], [1, 2, 0]),
        # No win is predicted: draws, by their votes.
        ([them(1), draw(3), them(2), draw(4)], [3, 1, 0, 2]),
        # Nor a draw: the smallest score of those that the other side is predicted to win.
        ([them(300), them(20), them(100)], [1, 2, 0]),
        # The class counts first, then the votes.
        ([them(-50), draw(-20), us(-30), us(10)], [3, 2, 1, 0]),
        # Finished games: a win is best, a loss worst, a draw better than a predicted one.
        ([us(5), "them", "us", them(5), "draw", draw(99)], [2, 0, 4, 5, 3, 1]),
    ],
)
def test_the_order_of_boards_by_hand(boards, order):
    tree = naive.Node(boards)
    for width in (1, 2, 3, 9):
        choice = WidthDepth(width=width, depth=1).find(tree, naive.Written())
        assert [c.move for c in choice.candidates] == order[:width]
        assert (
            naive.preferred(
                [tree.play(move) for move in tree.moves()], naive.Written(), "us", width
            )
            == order[:width]
        )


class WrittenBefore(naive.Written):
    """Says of a list what stands in front of it: (votes, what follows)."""

    def judge(self, positions):
        return super().judge(
            [naive.Node(p.said, p.to_move) if hasattr(p, "said") else p for p in positions]
        )


class Said(naive.Node):
    """A node of which something is said: {"says": votes, "then": what follows}."""

    def __init__(self, what, to_move="us"):
        if isinstance(what, dict):
            self.said = what["says"]
            what = what["then"]
        super().__init__(what, to_move)

    def play(self, move):
        plain = super().play(move)
        return Said(plain.what, plain.to_move)


def test_width_two_and_depth_three_by_hand():
    """Both sides' best two moves each time; the best board at the end gives the first move."""

    def line(says, *then):
        return {"says": says, "then": list(then)}

    tree = Said(
        [
            line(us(1), line(them(1), us(1000))),  # the third best of our moves: not looked at
            line(
                us(10),
                line(them(3), us(40), us(30), us(20)),
                line(us(500), us(900)),  # the third best of their moves: not looked at
                line(them(2), us(50)),
            ),
            line(us(20), line(them(7), us(44)), line(draw(5), draw(5)), line(draw(6), us(45))),
        ]
    )
    choice = WidthDepth(width=2, depth=3).find(tree, WrittenBefore())
    assert (choice.move, choice.line) == (1, (1, 2, 0))
    assert [(c.move, c.line) for c in choice.candidates] == [(1, (1, 2, 0)), (2, (2, 2, 0))]
    # Boards kept: the move, two replies, and two and one, or one and one, at the end.
    assert [c.visits for c in choice.candidates] == [6, 5]
    # Judged: 3 moves, 3 replies each, and the ends of those kept: 3 + 1 and 1 + 1.
    assert (choice.cost.nodes, choice.cost.depth) == (3 + 6 + 6, 3)


# ---- the numbers of figure 8.2 of the thesis


@pytest.mark.parametrize(
    ("width", "depth", "boards"),
    [
        (1, 1, 1), (1, 7, 7), (2, 3, 14), (2, 6, 126), (3, 2, 12), (3, 5, 363), (3, 7, 3279),
        (4, 4, 340), (5, 3, 155), (5, 5, 3905),
    ],
)  # fmt: skip
def test_how_many_boards_the_tree_has(width, depth, boards):
    if JIT_DISABLED and boards > 50:
        pytest.skip("too many boards without the compiler")
    game = load_game("hex", size=6)
    choice = WidthDepth(width, depth).find(game.start(), naive.MadeUp(game))
    assert sum(candidate.visits for candidate in choice.candidates) == boards
    assert len(choice.candidates) == width
    assert choice.cost.depth == len(choice.line) == depth


# ---- against the twin


@FEW
@given(positions, views, winners, st.sampled_from([1, 2, 4]), st.sampled_from([1, 2, 3, 4]))
def test_choices_are_those_of_the_twin(position, view, winners, width, depth):
    evaluator = naive.MadeUp(position.game, view, winners, spread=3)
    expected = naive.widths_and_depths(position, evaluator, width, depth)
    search = WidthDepth(width, depth)
    choice = search.find(position, evaluator)
    assert choice == search.find(position, naive.ByPositions(evaluator))
    assert {c.move: c.visits for c in choice.candidates} == {
        move: count for move, (_, count) in expected.items()
    }
    ranked = [expected[candidate.move][0] for candidate in choice.candidates]
    assert ranked == sorted((entry for entry, _ in expected.values()), reverse=True)
    mover = position.to_move
    for candidate, (kind, number) in zip(choice.candidates, ranked, strict=True):
        end = naive.replayed(position, candidate.line)
        if kind == naive.OPEN:
            assert candidate.value == pytest.approx(naive.value_for(evaluator, end, mover))
            if end.outcome() is None:
                predicted, votes = naive.votes_on(evaluator, end)
                assert abs(number[2]) == abs(votes)
                assert number[0] == (0 if predicted is None else 1 if predicted == mover else -1)
        else:
            assert candidate.value == kind
            assert (end.outcome().winner == mover) == (kind == naive.WON)


@FEW
@given(positions, views, st.sampled_from([1, 2, 4]), st.integers(0, 100))
def test_values_are_enough(position, view, width, seed):
    judge = naive.ValuesOnly(naive.MadeUp(position.game, view))
    choice = WidthDepth(width, 3).find(position, judge, seed=seed)
    assert choice == WidthDepth(width, 3).find(position, naive.ByPositions(judge), seed=seed)
    one = WidthDepth(1, 1).find(position, judge)
    after = [position.play(move) for move in position.moves()]
    if all(board.outcome() is None for board in after):
        values = [naive.value_for(judge, board, position.to_move) for board in after]
        assert one.value == pytest.approx(max(values))


def test_small_batches_make_no_difference(monkeypatch):
    game = load_game("hex", size=3)
    evaluator = naive.MadeUp(game)
    whole = WidthDepth(3, 5).find(game.start(), evaluator)
    for size in (1, 7, 50):
        monkeypatch.setattr(batch, "AT_A_TIME", size)
        assert WidthDepth(3, 5).find(game.start(), evaluator) == whole


# ---- chance, limits, what is wrong


def test_ties_between_the_best_boards_are_broken_by_the_seed():
    tie = naive.Node([us(5), us(5), us(4), us(5)])
    search = WidthDepth(width=4, depth=1)
    chosen = [search.find(tie, naive.Written(), seed=seed) for seed in range(60)]
    assert {choice.move for choice in chosen} == {0, 1, 3}
    assert chosen == [search.find(tie, naive.Written(), seed=seed) for seed in range(60)]


@pytest.mark.parametrize(
    ("limit", "depth", "nodes"),
    [
        (None, 3, 9 + 2 * 8 + 4 * 7),
        (Limit(depth=2), 2, 9 + 2 * 8),
        (Limit(depth=9), 3, 9 + 2 * 8 + 4 * 7),
        # With a limit it begins anew for every depth: 9, 25 and 53 boards.
        (Limit(nodes=1), 1, 9),
        (Limit(nodes=34), 2, 34),
        (Limit(nodes=87), 3, 87),
        (Limit(seconds=1e-9), 1, 9),
        (Limit(seconds=1000), 3, 87),
    ],
)
def test_limits(limit, depth, nodes):
    game = load_game("hex", size=3)
    cost = WidthDepth(width=2, depth=3).find(game.start(), naive.MadeUp(game), limit).cost
    assert (cost.depth, cost.nodes) == (depth, nodes)


@pytest.mark.parametrize("depth", [0, -1, 2.5, True, "3", None])
def test_depths_that_are_none(depth):
    with pytest.raises(ValueError, match="must be an integer >= 1"):
        WidthDepth(depth=depth)


@pytest.mark.parametrize("width", [0, -1, 2.5, True, "3", None])
def test_widths_that_are_none(width):
    with pytest.raises(ValueError, match="width="):
        WidthDepth(width=width)


def test_a_finished_game_has_no_move():
    over = load_game("hex", size=2).read_position("RB/R. blue")
    with pytest.raises(ValueError, match="game is over, red wins"):
        WidthDepth().find(over, naive.MadeUp(over.game))
