"""Votes counted by table, held against a plain count over clauses and patches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.tsetlin.inference import TILE_WORDS, can_fire, compile_votes
from clauseboard.tsetlin.packing import View
from naive import tsetlin as naive

LARGEST = 2**31 - 1
N_BOARDS = 6 if JIT_DISABLED else 40
FEW = settings(max_examples=10 if JIT_DISABLED else 40)

whole_board_sizes = pytest.mark.parametrize("n_bits", [1, 5, 64, 72, 128, 130])


def pack_clauses(view: View, literals: np.ndarray) -> np.ndarray:
    """Literals as booleans, classes × clauses × 2 features, as words."""
    bits = np.zeros((*literals.shape[:-1], 64 * view.n_words), np.uint8)
    bits[..., : literals.shape[-1]] = literals
    return np.packbits(bits, axis=-1, bitorder="little").view(np.uint64)


def naive_votes(
    view: View, literals: np.ndarray, weights: np.ndarray, boards: np.ndarray
) -> list[list[int]]:
    """The votes in Python's own integers, which do not overflow."""
    counted = []
    for board in boards:
        if view.board_shape is None or view.window is None:
            seen = naive.literals_of(board[np.newaxis])
        else:
            seen = naive.literals_of(naive.patches(board, view.board_shape, view.window))
        # A state of one bit is just "included or not".
        fires = [
            [
                bool(naive.firing_patches(clause, seen, predicting=True, state_bits=1))
                for clause in bank
            ]
            for bank in literals.astype(int)
        ]
        counted.append(
            [
                sum(int(weight) for weight, fired in zip(bank_weights, bank, strict=True) if fired)
                for bank_weights, bank in zip(weights, fires, strict=True)
            ]
        )
    return counted


def fast_votes(
    view: View, literals: np.ndarray, weights: np.ndarray, boards: np.ndarray
) -> list[list[int]]:
    table = compile_votes(view, pack_clauses(view, literals), weights.astype(np.int32))
    votes = np.zeros((len(boards), len(literals)), np.int64)
    table.add_votes(view.pack_features(boards), votes)
    return votes.tolist()


def check(view: View, literals: np.ndarray, weights: np.ndarray, boards: np.ndarray) -> None:
    assert fast_votes(view, literals, weights, boards) == naive_votes(
        view, literals, weights, boards
    )


def random_boards(rng: np.random.Generator, view: View, n: int = N_BOARDS) -> np.ndarray:
    return rng.integers(2, size=(n, view.n_bits), dtype=np.uint8)


def random_clauses(
    rng: np.random.Generator, view: View, n_classes: int, n_clauses: int
) -> np.ndarray:
    """Clauses of 0 to 3 literals, so that many fire, some are empty, equal or contradictory."""
    literals = np.zeros((n_classes, n_clauses, 2 * view.n_features), bool)
    for class_ in range(n_classes):
        for clause in range(n_clauses):
            chosen = rng.integers(2 * view.n_features, size=rng.integers(4))
            literals[class_, clause, chosen] = True
    return literals


def random_weights(rng: np.random.Generator, n_classes: int, n_clauses: int) -> np.ndarray:
    return rng.integers(-9, 10, (n_classes, n_clauses))


# ------------------------------------------------------------------ random machines


@pytest.mark.parametrize("span", [0, 1, 40, LARGEST])
def test_where_many_fire_weights_are_counted_by_digits(span):
    """Clauses that all fire, those that never do, and one board on which but a few fire."""
    rng = np.random.default_rng(span % 1000)
    view = View.of(128, None, None)
    literals = np.zeros((2, 100, 256), bool)
    literals[:, np.arange(100), 128 + np.arange(100)] = True
    weights = rng.integers(-span, span + 1, (2, 100)) - (span == 0)
    boards = np.zeros((3, 128), np.uint8)
    boards[1, 3:100] = 1
    boards[2] = 1
    check(view, literals, weights, boards)


@FEW
@given(st.lists(st.integers(-LARGEST, LARGEST), min_size=1, max_size=130))
def test_digits_and_the_least_make_the_weight(weights):
    view = View.of(len(weights), None, None)
    literals = np.eye(len(weights), 2 * len(weights), dtype=bool)[None]
    table = compile_votes(
        view, pack_clauses(view, literals), np.array([weights], np.int64).astype(np.int32)
    )
    kept = [weight for weight in sorted(weights) if weight]
    assert table.weights[: len(kept)].tolist() == kept
    for n, weight in enumerate(kept):
        word, bit = divmod(n, 64)
        tile, k = divmod(word, TILE_WORDS)
        digits = [int(table.planes[tile, p, k]) >> bit & 1 for p in range(table.planes.shape[1])]
        more = sum(digit << p for p, digit in enumerate(digits))
        assert table.weights[64 * word] + more == weight
        assert not any(digits[table.n_planes[word] :])


@whole_board_sizes
@pytest.mark.parametrize(("n_classes", "n_clauses"), [(1, 1), (2, 10), (3, 67)])
def test_whole_boards(n_bits, n_classes, n_clauses):
    rng = np.random.default_rng(n_bits + n_clauses)
    view = View.of(n_bits, None, None)
    check(
        view,
        random_clauses(rng, view, n_classes, n_clauses),
        random_weights(rng, n_classes, n_clauses),
        random_boards(rng, view),
    )


@pytest.mark.parametrize(
    ("board_shape", "window"),
    [
        ((3, 3, 2), (2, 2)),
        ((2, 5, 3), (1, 2)),
        ((4, 4, 1), (4, 4)),
        ((3, 2, 1), (1, 1)),
        ((5, 4, 5), (4, 4)),
    ],
)
def test_boards_through_a_window(board_shape, window):
    rng = np.random.default_rng(sum(board_shape))
    view = View.of(int(np.prod(board_shape)), board_shape, window)
    check(
        view, random_clauses(rng, view, 2, 30), random_weights(rng, 2, 30), random_boards(rng, view)
    )


def test_more_clauses_than_fit_a_tile():
    # Three tiles; the second class starts in the middle of one.
    n_clauses = 64 * TILE_WORDS + 70
    rng = np.random.default_rng(5)
    view = View.of(40, None, None)
    literals = rng.random((2, n_clauses, 80)) < 0.03
    check(view, literals, random_weights(rng, 2, n_clauses), random_boards(rng, view, 5))


def test_more_boards_than_are_taken_at_a_time():
    rng = np.random.default_rng(6)
    view = View.of(9, None, None)
    boards = random_boards(rng, view, 300)
    check(view, random_clauses(rng, view, 2, 5), random_weights(rng, 2, 5), boards)


@FEW
@given(st.integers(1, 12), st.integers(1, 3), st.integers(1, 6), st.data())
def test_any_clauses_on_every_board(n_bits, n_classes, n_clauses, data):
    masks = st.sets(st.integers(0, 2 * n_bits - 1), max_size=4)
    literals = np.zeros((n_classes, n_clauses, 2 * n_bits), bool)
    weights = np.zeros((n_classes, n_clauses), np.int64)
    for place in np.ndindex(n_classes, n_clauses):
        literals[place][list(data.draw(masks))] = True
        weights[place] = data.draw(st.integers(-3, 3))
    numbers = data.draw(st.lists(st.integers(0, 2**n_bits - 1), min_size=1, max_size=5))
    boards = np.array([[number >> k & 1 for k in range(n_bits)] for number in numbers], np.uint8)
    check(View.of(n_bits, None, None), literals, weights, boards)


# ------------------------------------------------------------------ clauses made by hand


def clause_of(n_bits: int, *literals: int) -> np.ndarray:
    """A clause that needs bit k for k and forbids it for ~k."""
    row = np.zeros(2 * n_bits, bool)
    for literal in literals:
        row[literal if literal >= 0 else n_bits + ~literal] = True
    return row


ALL_BOARDS_OF_3 = np.array([[i >> k & 1 for k in range(3)] for i in range(8)], np.uint8)


def votes_of_one_class(clauses: list[np.ndarray], weights: list[int]) -> list[int]:
    """The votes on the eight boards of three bits, bit 0 changing fastest."""
    answer = fast_votes(
        View.of(3, None, None), np.array([clauses]), np.array([weights]), ALL_BOARDS_OF_3
    )
    return [votes for (votes,) in answer]


def test_needed_and_forbidden_bits():
    assert votes_of_one_class([clause_of(3, 0, ~2)], [5]) == [0, 5, 0, 5, 0, 0, 0, 0]


def test_empty_clauses_have_nothing_to_say():
    assert votes_of_one_class([clause_of(3), clause_of(3, 1)], [7, 2]) == [0, 0, 2, 2] * 2


def test_contradictory_clauses_never_fire():
    assert votes_of_one_class([clause_of(3, 0, ~0), clause_of(3, 0, 1, ~1)], [7, 9]) == [0] * 8


def test_equal_clauses_count_together():
    same = [clause_of(3, 0)] * 3
    assert votes_of_one_class(same, [4, 3, -1]) == [0, 6] * 4
    assert votes_of_one_class(same, [4, -3, -1]) == [0] * 8


def test_equal_clauses_of_two_classes_stay_apart():
    literals = np.array([[clause_of(3, 0)], [clause_of(3, 0)]])
    votes = fast_votes(View.of(3, None, None), literals, np.array([[2], [-3]]), ALL_BOARDS_OF_3[:2])
    assert votes == [[0, 0], [2, -3]]


def test_a_class_whose_clauses_cannot_fire_gets_no_votes():
    literals = np.array([[clause_of(3)], [clause_of(3, 0)], [clause_of(3, 0, ~0)]])
    weights = np.array([[2], [3], [4]])
    votes = fast_votes(View.of(3, None, None), literals, weights, ALL_BOARDS_OF_3[:2])
    assert votes == [[0, 0, 0], [0, 3, 0]]


def test_a_clause_fires_on_a_board_once_however_many_patches_fit():
    view = View.of(4, (1, 4, 1), (1, 1))
    needs_stone = np.zeros((1, 1, 2 * view.n_features), bool)
    needs_stone[0, 0, view.n_features - 1] = True
    boards = np.array([[0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1]], np.uint8)
    assert fast_votes(view, needs_stone, np.array([[3]]), boards) == [[0], [3], [3]]


def test_literals_in_different_patches_do_not_make_a_clause_true():
    view = View.of(4, (1, 4, 1), (1, 2))
    two_stones = np.zeros((1, 1, 2 * view.n_features), bool)
    two_stones[0, 0, view.n_features - 2 : view.n_features] = True
    boards = np.array([[1, 0, 1, 0], [0, 1, 1, 0]], np.uint8)
    assert fast_votes(view, two_stones, np.array([[1]]), boards) == [[0], [1]]


@pytest.mark.parametrize("weight", [LARGEST, -LARGEST, -LARGEST - 1])
def test_votes_beyond_32_bits_are_exact(weight):
    different = [clause_of(3, 0), clause_of(3, 0, 1), clause_of(3, 0, 2), clause_of(3, 1)]
    votes = votes_of_one_class(different, [weight] * 4)
    assert votes == [k * weight for k in (0, 1, 1, 3, 0, 2, 1, 4)]


@pytest.mark.parametrize("weight", [LARGEST, -LARGEST, -LARGEST - 1])
def test_equal_clauses_whose_weights_pass_32_bits_are_exact(weight):
    assert votes_of_one_class([clause_of(3, 0)] * 3, [weight] * 3) == [0, 3 * weight] * 4


def test_votes_are_added_to_what_is_there():
    view = View.of(3, None, None)
    table = compile_votes(
        view, pack_clauses(view, np.array([[clause_of(3, 0)]])), np.array([[2]], np.int32)
    )
    votes = np.array([[10], [20]], np.int64)
    table.add_votes(view.pack_features(ALL_BOARDS_OF_3[:2]), votes)
    assert votes.tolist() == [[10], [22]]


def test_no_boards_get_no_votes():
    view = View.of(3, None, None)
    clauses = np.array([[clause_of(3, 0)]])
    assert fast_votes(view, clauses, np.array([[1]]), np.zeros((0, 3), np.uint8)) == []


def test_compiling_leaves_the_machine_as_it_was():
    rng = np.random.default_rng(7)
    view = View.of(20, None, None)
    include = pack_clauses(view, random_clauses(rng, view, 2, 10))
    weights = random_weights(rng, 2, 10).astype(np.int32)
    before = include.copy(), weights.copy()
    compile_votes(view, include, weights)
    assert np.array_equal(include, before[0])
    assert np.array_equal(weights, before[1])


def test_can_fire_knows_the_empty_and_the_contradictory():
    view = View.of(70, None, None)
    clauses = np.array(
        [
            clause_of(70),
            clause_of(70, 0),
            clause_of(70, ~69),
            clause_of(70, 69, ~69),
            clause_of(70, 3, ~4),
            clause_of(70, 1, 2, 3, ~2),
        ]
    )
    able = can_fire(pack_clauses(view, clauses), view)
    assert able.tolist() == [False, True, True, False, True, False]
