"""The compositions of checkers against the published steps, done slowly; and reading in parts."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.datasets import build
from clauseboard.games.checkers import datasets as extracting
from clauseboard.games.checkers.datasets import Part, Wanted, extract, parts
from clauseboard.games.checkers.encoding import MEASURES
from clauseboard.games.checkers.records import Archive
from clauseboard.games.datasets import compositions, load_composition
from clauseboard.games.records import Report
from naive import datasets as naive

CLASSES = ("black", "white", "draw")


def written(folder, text, name="games.pdn"):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def rows_of(data):
    """(bits, winner, game, moves made) of each row."""
    return list(
        zip(map(tuple, data.X.tolist()), data.y.tolist(), data.games.tolist(), data.plies.tolist(),
            strict=True)
    )  # fmt: skip


@pytest.mark.parametrize("unique", [False, True])
@pytest.mark.parametrize(
    ("name", "rounds"), [("standard-end", 0), ("end-second-third", 2), ("end-to-eight", 8)]
)
@pytest.mark.parametrize("most_moves", [4, 60])
def test_boards_are_those_of_the_published_steps(tmp_path, name, rounds, unique, most_moves):
    # Games of four moves at most are often the same.
    games = naive.random_games(seed=rounds, n_games=150 if most_moves == 4 else 40,
                               most_moves=most_moves)  # fmt: skip
    path = written(tmp_path, naive.as_pdn(games))
    data = build(load_composition("checkers", name), [path], unique=unique)
    assert rows_of(data) == naive.composed(games, rounds, unique)
    counts = data.manifest["boards"]
    assert counts["rows"] == len(data)
    assert counts["distinct"] == len({row[0] for row in rows_of(data)})
    assert counts["distinct_with_result"] == len({row[:2] for row in rows_of(data)})
    if unique:
        assert counts["distinct_with_result"] == len(data)
        assert sum(data.manifest["removed"].values()) == len(
            naive.composed(games, rounds, False)
        ) - len(data)


def test_boards_in_several_folds_are_counted(tmp_path):
    games = naive.random_games(seed=1, n_games=150, most_moves=3)
    data = build(
        load_composition("checkers", "standard-end"), [written(tmp_path, naive.as_pdn(games))]
    )
    where = {}
    for row, fold in zip(rows_of(data), data.folds.tolist(), strict=True):
        where.setdefault(row[0], []).append(fold)
    shared = [folds for folds in where.values() if len(set(folds)) > 1]
    assert shared
    told = data.manifest["boards"]["in_several_folds"]
    assert told == {"distinct": len(shared), "rows": sum(map(len, shared))}


def test_every_ply_has_the_turn_as_a_bit(tmp_path):
    games = naive.random_games(seed=5, n_games=12)
    path = written(tmp_path, naive.as_pdn(games))
    data = build(load_composition("checkers", "every-ply"), [path])
    expected = [
        (*naive.bits(naive.board_after(moves[:n])), n % 2)
        for moves, _ in games
        for n in range(len(moves), 0, -1)
    ]
    assert list(map(tuple, data.X.tolist())) == expected
    assert data.to_move.tolist() == [row[-1] for row in expected]
    assert data.bit_names[-1] == "white to move"
    assert data.position(0).to_move == ("white" if len(games[0][0]) % 2 else "black")


@pytest.mark.parametrize("levels", [False, True])
def test_metadata(tmp_path, levels):
    games = naive.random_games(seed=6, n_games=30)
    path = written(tmp_path, naive.as_pdn(games))
    data = build(load_composition("checkers", "metadata", levels=levels), [path])
    for row, (moves, _) in zip(data.X.tolist(), games, strict=True):
        said = dict.fromkeys((name for name, _ in MEASURES), 0)
        for bit, value in zip(data.bits, row, strict=True):
            worth = 1 if levels else int(bit.name.rsplit(" ", 1)[1])
            said[bit.piece] += value * worth
        assert tuple(said.values()) == naive.measures(naive.board_after(moves))
    with pytest.raises(ValueError, match="not boards that can be shown"):
        data.position(0)


def test_without_draws(tmp_path):
    games = naive.random_games(seed=7, n_games=60)
    path = written(tmp_path, naive.as_pdn(games))
    data = build(load_composition("checkers", "standard-end"), [path], draws=False, n_folds=5)
    won = [winner for _, winner in games if winner != "draw"]
    assert data.y.tolist() == won
    assert data.manifest["removed"] == {"draws": 60 - len(won)}


def test_who_has_won_by_1_0(tmp_path):
    games = naive.random_games(seed=8, n_games=30)
    path = written(tmp_path, naive.as_pdn(games))
    plain, other = (
        build(load_composition("checkers", "standard-end", one_zero=side), [path])
        for side in ("black", "white")
    )
    assert plain.results("black").tolist() == other.results("white").tolist()


OVERLOOKED = '[Result "1-0"]\n1. 11-15 22-18 2. 8-11 18-14 1-0\n\n'
FORFEITED = '[Result "1-0"]\n1. 11-15 22-17 {White forfeited.} 1-0\n\n'
IMPOSSIBLE = '[Result "1-0"]\n1. 11-15 22-4 1-0\n\n'
NO_RESULT = "1. 11-15 22-17 *\n\n"
NO_MOVES = '[Event "none"]\n[Result "1-0"]\n1-0\n\n'
BOTH = '[Result "1-0"]\n1. 11-15 22-4 {White forfeited.} 1-0\n\n'


def test_games_are_left_out_for_one_reason_each(tmp_path):
    games = naive.random_games(seed=9, n_games=20)
    odd = [OVERLOOKED, FORFEITED, IMPOSSIBLE, NO_RESULT, NO_MOVES, BOTH]
    path = written(tmp_path, "".join(odd) + naive.as_pdn(games))
    report = Report()
    data = build(load_composition("checkers", "standard-end"), [path], report=report)
    told = data.manifest["games"]
    assert told["read"] == 26
    assert told["kept"] == 20 == len(data)
    # A game with a comment and an illegal move is left out for the comment, which comes first.
    assert list(told["dropped"].items()) == [
        ("no moves", 1),
        ("no result", 1),
        ("a comment about a forfeit", 2),
        ("a move that is not legal", 2),
    ]
    assert [(drop.line, drop.reason.split()[-1]) for drop in report.drops] == [
        (2, "legal"), (5, "forfeit"), (8, "legal"), (10, "result"), (12, "moves"), (17, "forfeit"),
    ]  # fmt: skip
    assert data.games.min() == 6


@pytest.mark.parametrize(("options", "kept"), [({}, 1), ({"strict": False}, 2), ({"odd": True}, 2)])
def test_what_else_may_be_taken(tmp_path, options, kept):
    text = naive.as_pdn(naive.random_games(seed=2, n_games=1))
    path = written(tmp_path, OVERLOOKED + FORFEITED + text)
    report = Report()
    list(load_composition("checkers", "standard-end", **options).rows([path], report))
    assert report.kept == kept
    assert report.read == 3


def test_a_game_from_a_set_up_position(tmp_path):
    text = '[Result "0-1"]\n[FEN "W:W21,32:B1,2"]\n1... 21-17 2. 1-6 0-1\n'
    path = written(tmp_path, text)
    (rows,) = load_composition("checkers", "every-ply", odd=True).rows([path], Report())
    assert rows.to_move.tolist() == [1, 0]
    assert rows.plies.tolist() == [2, 1]
    assert rows.labels.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"strict": 1}, "strict=1 must be True or False"),
        ({"odd": "yes"}, "odd='yes' must be True or False"),
        ({"one_zero": "red"}, "one_zero='red' must be one of 'black', 'white'"),
        ({"colour": 1}, "standard-end of checkers has no option 'colour'; it has 'strict', 'odd'"),
    ],
)
def test_wrong_options(options, told):
    with pytest.raises(ValueError, match=told):
        load_composition("checkers", "standard-end", **options)


def test_levels_is_yes_or_no():
    with pytest.raises(ValueError, match="levels=3 must be True or False"):
        load_composition("checkers", "metadata", levels=3)


def test_games_and_compositions_that_are_not_there():
    with pytest.raises(ValueError, match="chess has no data sets"):
        compositions("chess")


# ---- parts


def same(one, other):
    """Whether two lists of rows are the same, however they are cut."""
    return all(
        np.concatenate([getattr(rows, name) for rows in one]).tolist()
        == np.concatenate([getattr(rows, name) for rows in other]).tolist()
        for name in ("packed", "labels", "games", "plies", "to_move", "keys")
    )


def cut_rows(path, size, monkeypatch, **options):
    report = Report()
    with monkeypatch.context() as patch:
        patch.setattr(extracting, "parts", functools.partial(parts, size=size))
        composition = load_composition("checkers", "end-second-third", **options)
        return list(composition.rows([path], report)), report


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [100, 1000, 5000])
def test_a_file_in_parts_is_the_file(tmp_path, monkeypatch, size, ends):
    games = naive.random_games(seed=11, n_games=40)
    text = NO_RESULT + naive.as_pdn(games) + FORFEITED + naive.as_pdn(games) + IMPOSSIBLE
    path = tmp_path / "games.pdn"
    path.write_bytes(text.replace("\n", ends).encode())
    assert len(list(parts(path, size))) > 2
    found, report = cut_rows(path, size, monkeypatch)
    whole, expected = cut_rows(path, 1 << 30, monkeypatch)
    assert len(found) > 2
    assert len(whole) == 1
    assert same(found, whole)
    assert report == expected


def test_a_false_border_is_seen(tmp_path, monkeypatch):
    games = naive.as_pdn(naive.random_games(seed=12, n_games=20))
    # A tag after a comment that follows a tag is one more tag of the same game.
    head = '[Event "x"]\n{Some words}\n'
    text = games + head + '[Result "1-0"]\n1. 11-15 1-0\n\n' + games
    path = written(tmp_path, text)
    at, lines = len(games + head), (games + head).count("\n")
    cut = [Part(path, 0, at, 0, '[Result "1-0"]'), Part(path, at, None, lines)]
    assert at in [part.end for part in parts(path, len(games) + 5)]
    assert not extract(cut[0], Wanted()).whole
    monkeypatch.setattr(extracting, "parts", lambda path: iter(cut))
    report = Report()
    found = list(load_composition("checkers", "standard-end").rows([path], report))
    monkeypatch.undo()
    expected = Report()
    assert same(found, list(load_composition("checkers", "standard-end").rows([path], expected)))
    assert report == expected


def test_jobs_make_no_difference(tmp_path, monkeypatch):
    monkeypatch.setattr(extracting, "parts", functools.partial(parts, size=4000))
    path = written(tmp_path, naive.as_pdn(naive.random_games(seed=13, n_games=60)) + FORFEITED)
    made = []
    for jobs in (1, 2, 3):
        data = build(load_composition("checkers", "end-to-eight"), [path], jobs=jobs)
        data.save(tmp_path / "data.npz")
        made.append((tmp_path / "data.npz").read_bytes())
    assert made[0] == made[1] == made[2]


def test_progress_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(extracting, "parts", functools.partial(parts, size=1000))
    text = naive.as_pdn(naive.random_games(seed=14, n_games=30))
    paths = [written(tmp_path, text, name) for name in ("one.pdn", "two.pdn")]
    told = []
    build(load_composition("checkers", "standard-end"), paths, progress=told.append)
    assert told == sorted(told)
    assert len(told) > 4
    assert told[-1] == 1


def test_several_files_and_folders(tmp_path):
    games = naive.random_games(seed=15, n_games=30)
    below = tmp_path / "more" / "deep"
    below.mkdir(parents=True)
    first = written(tmp_path, naive.as_pdn(games[:10]))
    written(below, naive.as_pdn(games[10:20]), "a.PDN")
    written(tmp_path / "more", naive.as_pdn(games[20:]), "z.pdn")
    written(below, "no games here", "readme.txt")
    data = build(load_composition("checkers", "standard-end"), [first, tmp_path / "more"])
    assert data.games.tolist() == list(range(30))
    assert [source["name"] for source in data.manifest["sources"]] == ["games.pdn", "more"]
    assert data.manifest["sources"][1]["files"] == 3
    assert [row[0] for row in rows_of(data)] == [row[0] for row in naive.composed(games, 0, False)]


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_the_archive_says_the_same(tmp_path_factory, seed):
    games = naive.random_games(seed, n_games=5)
    path = written(tmp_path_factory.mktemp("pdn"), naive.as_pdn(games))
    found = extract(Part(path), Wanted(rounds=None))
    boards = [
        position.board for record in Archive(path) for position in list(record.positions())[:0:-1]
    ]
    assert [tuple(board) for board in found.boards.tolist()] == boards
