"""Boards for experiments: files of both layouts, what is made of them, and what is generated."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from clauseboard.datasets import build
from clauseboard.game import load_game
from clauseboard.games.checkers.encoding import digits, measures
from clauseboard.games.datasets import load_composition
from clauseboard.papers import SIZES
from clauseboard.papers.boards import BoardSet, Run, read_boards
from clauseboard.papers.checkers_boards import ROUNDS, SEED, generated, in_numbers, random_games

ENDS = BoardSet("checkers", "standard-end", False)


def random_records(n_games, seed):
    """The random games in PDN, their moves found by the rules."""
    for boards, result in random_games(n_games, seed):
        position, moves = load_game("checkers").start(), []
        for board in boards:
            (move,) = [move for move in position.moves() if position.play(move).board == board]
            moves.append(position.write_move(move))
            position = position.play(move)
        words = [f"{n // 2 + 1}. {move}" if n % 2 == 0 else move for n, move in enumerate(moves)]
        score = ("0-1", "1-0", "1/2-1/2")[result]
        yield f'[Result "{score}"]\n\n{" ".join([*words, score])}\n'


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    path = tmp_path_factory.mktemp("pdn") / "games.pdn"
    path.write_text("\n".join(random_records(80, seed=2)))
    return path


@pytest.fixture(scope="module")
def data(records):
    return build(load_composition("checkers", "standard-end"), [records])


def test_plain_arrays(plain_file, boards):
    read = read_boards(plain_file)
    assert read.kind == ENDS
    assert np.array_equal(read.X, boards.X)
    assert np.array_equal(read.results, boards.results)
    assert (read.n_folds, read.n_bits, read.generated) == (10, 128, False)
    assert read.digest == boards.digest


def test_our_own_files(tmp_path, data):
    data.save(tmp_path / "ours.npz")
    read = read_boards(tmp_path / "ours.npz")
    assert (read.kind, read.source) == (ENDS, "ours.npz")
    assert np.array_equal(read.X, data.X)
    assert np.array_equal(read.results, data.results("black"))
    assert np.array_equal(read.folds, data.folds)


def test_unique_files_are_told_from_others(tmp_path, records):
    made = build(load_composition("checkers", "end-second-third"), [records], unique=True)
    made.save(tmp_path / "u.npz")
    assert read_boards(tmp_path / "u.npz").kind == BoardSet("checkers", "end-second-third", True)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"boards": np.zeros((4, 15), np.uint8)}, "boards must be rows of 16 bytes"),
        ({"boards": np.zeros((4, 16), np.int64)}, "boards must be rows of 16 bytes"),
        ({"boards": np.zeros((0, 16), np.uint8)}, "boards must be rows of 16 bytes"),
        ({"result": np.full(4, 3, np.uint8)}, "result must be an array of 4 integers from 0 to 2"),
        ({"result": np.zeros(4)}, "result must be an array of 4 integers"),
        ({"fold": np.zeros(3, np.uint8)}, "fold must be an array of 4 integers"),
        ({"fold": np.array([-1, 0, 0, 0])}, "fold must be an array of 4 integers"),
        ({"fold": np.array([{}] * 4)}, "is damaged"),
    ],
)
def test_wrong_arrays(tmp_path, changes, said):
    arrays = {
        "boards": np.zeros((4, 16), np.uint8),
        "result": np.zeros(4, np.uint8),
        "fold": np.zeros(4, np.uint8),
    }
    np.savez(tmp_path / "wrong.npz", **{**arrays, **changes})
    with pytest.raises(ValueError, match=said):
        read_boards(tmp_path / "wrong.npz")


def test_no_file_and_no_boards(tmp_path):
    with pytest.raises(ValueError, match="There is no file"):
        read_boards(tmp_path / "missing.npz")
    (tmp_path / "notes.npz").write_text("nothing")
    with pytest.raises(ValueError, match="is a file of another kind"):
        read_boards(tmp_path / "notes.npz")


@pytest.mark.parametrize("most", [10, 95, 400, None])
def test_fewer_boards_come_evenly_from_the_folds(boards, most):
    few = boards.at_most(most)
    assert len(few) == (400 if most is None else most // 10 * 10)
    counts = np.bincount(few.folds, minlength=10)
    assert counts.min() == counts.max()


def test_unique_boards_keep_their_first_place(boards):
    twice = boards.take(np.concatenate([np.arange(400), np.arange(50)]))
    unique = twice.only_unique()
    assert len(unique) == 400
    assert np.array_equal(unique.packed, boards.packed)
    assert unique.kind.unique


def test_the_seven_numbers_are_those_of_the_positions(tmp_path, data):
    data.save(tmp_path / "ends.npz")
    numbers = in_numbers(read_boards(tmp_path / "ends.npz"))
    positions = [data.position(row) for row in range(len(data))]
    words = np.array([position.board for position in positions], np.uint64)
    assert np.array_equal(numbers.X, digits(measures(words)))


def test_what_is_at_hand_is_taken_and_the_rest_made_or_generated(tmp_path, data):
    data.save(tmp_path / "ends.npz")
    run = Run(replace(SIZES["full"], boards=60), [tmp_path / "ends.npz"])
    given = run.boards(ENDS)
    assert (len(given), given.generated) == (60, False)
    for kind in (
        BoardSet("checkers", "metadata", True),
        BoardSet("checkers", "standard-end", True),
    ):
        assert not run.boards(kind).generated
        assert run.boards(kind).kind == kind
    other = run.boards(BoardSet("checkers", "end-to-eight", False))
    assert other.generated
    assert "random games" in other.source
    assert run.used()[0] is given
    assert run.unused() == []
    assert Run(SIZES["full"], [tmp_path / "ends.npz"]).unused() == [tmp_path / "ends.npz"]


def test_the_same_kind_twice(plain_file):
    with pytest.raises(ValueError, match="given twice; leave one out"):
        Run(SIZES["full"], [plain_file, plain_file])


def test_generated_boards_are_the_same_each_time_and_of_all_results():
    one, two = (Run(replace(SIZES["full"], boards=100)).boards(ENDS) for _ in range(2))
    assert one.digest == two.digest
    assert set(one.results) == {0, 1, 2}
    page = one.page()
    assert page["generated"]
    assert sum(page["share"].values()) == pytest.approx(100, abs=0.05)


@pytest.fixture(scope="module")
def generated_records(tmp_path_factory):
    path = tmp_path_factory.mktemp("pdn") / "generated.pdn"
    path.write_text("\n".join(random_records(120, SEED)))
    return path


@pytest.mark.parametrize("unique", [False, True])
@pytest.mark.parametrize("composition", ROUNDS)
def test_generated_boards_are_those_of_a_data_set_of_the_games(
    generated_records, composition, unique
):
    boards = generated(BoardSet("checkers", composition, unique), 120)
    data = build(load_composition("checkers", composition), [generated_records], unique=unique)
    assert (boards.n_bits, boards.n_folds) == (len(data.bits), data.n_folds)
    assert np.array_equal(boards.packed, data.packed)
    assert np.array_equal(boards.results, data.results("black"))
    assert np.array_equal(boards.folds, data.folds)
    assert boards.kind == BoardSet("checkers", composition, unique)


def test_random_games_are_those_of_the_rules():
    """Each game over again by the rules, with the same choices."""
    rng = random.Random(4)
    for boards, result in random_games(20, seed=4):
        position, seen = load_game("checkers", max_moves=70).start(), []
        while position.outcome() is None:
            moves = position.moves()
            position = position.play(moves[rng.randrange(len(moves))])
            seen.append(position.board)
        winner = position.outcome().winner
        assert result == {"white": 0, "black": 1, None: 2}[winner]
        assert list(boards) == seen[: max(1, len(seen) - rng.randint(4, 24))]


def test_other_boards_cannot_be_generated():
    with pytest.raises(ValueError, match="checkers every-ply boards cannot be generated"):
        generated(BoardSet("checkers", "every-ply"), 10)


def test_random_records_are_games():
    from clauseboard.games.checkers.records import Archive

    archive = Archive(list(random_records(30, seed=4)))
    games = list(archive)
    assert len(games) == 30
    assert {g.outcome.winner if g.outcome else None for g in games} == {"black", "white", None}
    start = load_game("checkers").start()
    assert all(game.start.board == start.board and game.moves for game in games)
