"""The tables of the Hex thesis: its boards, its searches, its players and its patterns."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from clauseboard.datasets import build
from clauseboard.game import load_game
from clauseboard.games.datasets import load_composition
from clauseboard.games.hex.datasets import SearchedBoard
from clauseboard.papers import (
    SIZES,
    EpochResult,
    TaskResult,
    experiment_names,
    load_experiment,
)
from clauseboard.papers.boards import BoardSet, Run, read_boards
from clauseboard.papers.hex_boards import (
    DOUBLED,
    EXCHANGED,
    PERFECT,
    SEARCHED,
    SearchResult,
    after_move_of,
    composition_name,
    derived,
    doubled,
    game_of,
    generated,
    half,
    iterations,
    perfect_games,
    search_all,
    search_task,
    searched,
    searches_at,
    shuffled_folds,
    top_scores,
    write_iterations,
)
from clauseboard.papers.hex_thesis import (
    CLAUSES_35K,
    PATTERNS,
    RED_WINS,
    STONES,
    StonesTable,
    hex_sizes,
)
from clauseboard.papers.hex_tournament import (
    BRIDGES,
    MACHINE_PLAYERS,
    PLAYERS,
    find_clause,
    has_bridge,
    pairing,
    pairs,
)
from clauseboard.papers.report import as_html, as_markdown, as_text
from clauseboard.papers.runner import run_table
from clauseboard.papers.shapes import halfway
from clauseboard.papers.training import train
from quick_tables import some_long

FEW = 400
PLOTTED = ("hex_figure_5_1", "hex_figure_5_2")
DRAWN = ("hex_figure_5_16", "hex_figure_5_17")
TABLES = [name for name in experiment_names() if name.startswith("hex_")]


@pytest.fixture(scope="module")
def perfect():
    return generated(PERFECT, FEW)


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    return tmp_path_factory.mktemp("hex") / "runs.sqlite"


def pairs_of(boards, results):
    return sorted((row.tobytes(), int(won)) for row, won in zip(boards, results, strict=True))


# ---- boards -----------------------------------------------------------------------------------


def test_a_few_boards_are_of_a_smaller_board(perfect):
    assert game_of(perfect) == load_game("hex", size=4)
    assert perfect.generated
    assert perfect.alike
    assert len(perfect) > FEW


@pytest.mark.parametrize(("kind", "as_published"), [(DOUBLED, False), (EXCHANGED, True)])
def test_doubled_boards_are_those_of_the_data_set(kind, as_published):
    perfect = perfect_games(3)
    ours = doubled(perfect, kind)
    data = build(load_composition("hex", "doubled", size=3, as_published=as_published))
    assert pairs_of(ours.packed, ours.results) == pairs_of(data.packed, data.results("red"))
    # A board and its copy are side by side, and in one fold.
    assert np.array_equal(ours.folds[::2], ours.folds[1::2])
    assert np.array_equal(ours.X[::2], perfect.X)
    assert ours.kind == kind
    assert derived(kind, {PERFECT: perfect}).digest == ours.digest
    assert derived(kind, {}) is None


def test_boards_that_are_reflected_have_the_winner_they_say(perfect):
    """The winner of a full board is known without a solver: by the rules."""
    game, right = game_of(perfect), {}
    ended = [n for n, row in enumerate(perfect.X) if _winner(game, row) is not None]
    for kind in (DOUBLED, EXCHANGED):
        copies = doubled(perfect.take(np.array(ended)), kind)
        said = [_winner(game, row) for row in copies.X[1::2]]
        right[kind] = np.mean([s == won for s, won in zip(said, copies.results[1::2], strict=True)])
    assert right[DOUBLED] == 1.0
    assert right[EXCHANGED] < 1.0


def _winner(game, row):
    """1 if red has connected, 0 if blue has; None if nobody has, or both: searched cell by cell."""
    red, blue = row.reshape(2, game.size, game.size)
    ends = [_crosses(red), _crosses(blue.T)]
    return None if sum(ends) != 1 else int(ends[0])


def _crosses(stones):
    size = len(stones)
    seen, left = set(), [(0, column) for column in range(size) if stones[0, column]]
    while left:
        row, column = left.pop()
        if (row, column) in seen:
            continue
        seen.add((row, column))
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
            r, c = row + down, column + right
            if 0 <= r < size and 0 <= c < size and stones[r, c]:
                left.append((r, c))
    return any(row == size - 1 for row, _ in seen)


def test_searched_boards():
    boards = generated(SEARCHED, FEW)
    assert boards.kind == SEARCHED
    assert boards.alike
    assert len(boards) >= FEW
    assert generated(SEARCHED, FEW) is boards
    # All of them are boards after a move of the side that searched; the solver's word is theirs.
    assert set(np.unique(boards.results)) == {0, 1}


def test_other_boards_cannot_be_generated():
    with pytest.raises(ValueError, match="hex games boards cannot be generated; give a file"):
        generated(BoardSet("hex", "games", False), FEW)


@pytest.mark.parametrize(
    ("composition", "options", "name"),
    [
        ("doubled", {"as_published": True}, EXCHANGED.composition),
        ("doubled", {"as_published": False}, "doubled"),
        ("searched", {"with_perfect": True}, "searched, with perfect games"),
        ("searched", {"with_perfect": False}, "searched"),
        ("perfect", {"last": "red"}, "perfect, last=red"),
        ("perfect", {"last": "both"}, "perfect"),
    ],
)
def test_files_are_told_apart_by_their_options(composition, options, name):
    assert composition_name(composition, options) == name


def test_files_count_as_made_in_the_same_way(tmp_path):
    path = tmp_path / "perfect.npz"
    build(load_composition("hex", "perfect", size=3)).save(path)
    read = read_boards(path)
    assert (read.kind, read.generated, read.alike) == (PERFECT, True, True)
    assert read.digest == perfect_games(3).digest
    run = Run(SIZES["full"], [path])
    assert run.boards(EXCHANGED).digest == doubled(read, EXCHANGED).digest


# ---- dual machines ----------------------------------------------------------------------------


def test_each_machine_has_the_boards_after_its_moves(perfect):
    red, blue = half(perfect, "red"), half(perfect, "blue")
    assert len(red) + len(blue) == len(perfect)
    assert red.origin == blue.origin == perfect.digest
    for row in red.X:
        assert row[:16].sum() == row[16:].sum() + 1
    for row in blue.X:
        assert row[:16].sum() == row[16:].sum()


def test_boards_can_be_split_one_by_one(perfect):
    split = shuffled_folds(perfect)
    assert np.array_equal(np.bincount(split.folds), np.bincount(perfect.folds))
    assert not np.array_equal(split.folds, perfect.folds)
    assert split.packed is perfect.packed
    assert shuffled_folds(perfect).digest == split.digest


def test_after_counts_many_stones():
    X = np.ones((1, 1024), np.uint8)  # a sum in bytes would be 0 on both sides
    X[0, 1000:] = 0
    assert after_move_of(X, "red")[0]
    assert not after_move_of(X, "blue")[0]


def test_the_table_of_epochs_has_the_half_beside_the_whole():
    done = TaskResult({}, tuple(EpochResult(n, n / 10, 0.0) for n in range(1, 9)))
    assert halfway([done]) == pytest.approx([40])


# ---- searches ---------------------------------------------------------------------------------


def line(predicted, winner):
    return SearchedBoard(0, 1.0, predicted, winner, None)


def test_recall_and_precision_by_hand():
    """The example of the thesis, table 4.3: 13 wins found, 1 found wrongly, 3 not found."""

    def found(*pairs):
        lines = (line("red" if p else "blue", "red" if w else "blue") for p, w in pairs)
        return SearchResult("red", tuple(lines))

    files = [
        found(*[(1, 1)] * 5),
        found(*[(1, 1)] * 5),
        found((1, 1), (1, 1), (1, 0), (1, 1), (0, 1)),
        found((0, 0), (0, 0), (0, 1), (0, 0), (0, 1)),
    ]
    scores = top_scores(files, 5)
    assert scores["recall"][4] == pytest.approx(81.25)
    assert scores["precision"][4] == pytest.approx(100 * 13 / 14)
    assert scores["recall"][0] == 100
    assert scores["precision"][2] == pytest.approx(100 * 8 / 9)


def test_a_search_may_find_fewer_boards_than_asked_for_and_nothing_to_divide_by():
    scores = top_scores([SearchResult("blue", (line("red", "red"),))], 3)
    assert scores == {"recall": [None] * 3, "precision": [None] * 3}
    scores = top_scores([SearchResult("blue", (line("blue", "blue"),))], 2)
    assert scores == {"recall": [100.0, 100.0], "precision": [100.0, 100.0]}


@pytest.mark.parametrize(
    ("n", "places"), [(1, [0]), (2, [0, 9]), (4, [0, 3, 6, 9]), (99, range(10))]
)
def test_some_of_the_lines_are_spread_evenly(n, places):
    lines = tuple(replace(line("red", "red"), score=float(place)) for place in range(10))
    assert [one.score for one in SearchResult("red", lines).some(n)] == list(places)


def test_what_is_found_is_told_truly(perfect):
    plan = replace(searches_at(FEW), iterations=2, boards=3)
    game = game_of(perfect)
    from clauseboard.games.solving import best_move

    first, second = iterations(perfect, plan)
    assert len(first) == len(second) == 3
    for one in itertools.chain(first, second):
        assert one.colour in game.colours
        scores = [found.score for found in one.lines]
        assert scores == sorted(scores, reverse=True)
        for found in one.lines[:3]:
            outcome = found.position.outcome()
            truth = outcome.winner if outcome else best_move(found.position, 1)[1]
            assert found.winner == truth
            assert (found.predicted == one.colour) == (found.score > 0)


def test_searching_is_the_same_each_time(perfect):
    task = search_task(perfect, searches_at(FEW))
    (result,) = search_all([task], lambda *_: None, "cpu")
    assert result == search_all([task], lambda *_: None, "cpu")[0]
    assert list(result) == ["1", "2", "4"]
    for scores in result.values():
        assert len(scores["recall"]) == len(scores["precision"]) == 20


def test_interrupted_searches_go_on_where_they_were(perfect, tmp_path):
    plan = replace(searches_at(FEW), iterations=3, boards=3)
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    whole.mkdir()
    cut.mkdir()
    scores = write_iterations(perfect, plan, whole)
    files = sorted(whole.iterdir())
    assert len(scores) == 3
    assert len(files) == 6
    for file in files[:2]:
        (cut / file.name).write_bytes(file.read_bytes())
    marked = files[0].stat().st_mtime_ns
    assert write_iterations(perfect, plan, whole) == scores  # nothing is left to do
    assert write_iterations(perfect, plan, cut, jobs=2) == scores
    assert [file.read_bytes() for file in sorted(cut.iterdir())] == [f.read_bytes() for f in files]
    assert files[0].stat().st_mtime_ns == marked


def test_a_table_of_searches_finds_those_that_were_made_for_the_boards(tmp_path, monkeypatch):
    assert len(searched(FEW, tmp_path)) >= FEW
    perfect, settings = perfect_games(4, tmp_path), searches_at(FEW)
    there, alone = search_task(perfect, settings, tmp_path), search_task(perfect, settings)
    assert there.key == alone.key
    expected = search_all([alone], lambda *_: None, "cpu")
    monkeypatch.setattr("clauseboard.papers.hex_boards.iterations", lambda *_: iter(()))
    assert search_all([there], lambda *_: None, "cpu") == expected


def test_boards_that_take_long_stay_in_the_folder(perfect, tmp_path, monkeypatch):
    monkeypatch.setattr("clauseboard.papers.hex_boards.SIZE", 4)
    made = perfect_games(4, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["hex-4x4-perfect-games.npz"]
    perfect_games.cache_clear()
    monkeypatch.setattr("clauseboard.papers.hex_boards.build", None)  # not made again
    assert perfect_games(4, tmp_path).digest == made.digest == perfect.digest
    perfect_games.cache_clear()


def test_sizes_of_searches():
    whole = searches_at(None)
    assert (whole.iterations, whole.boards, whole.top, whole.epochs) == (27, 100, 100, 50)
    assert (whole.machine.clauses, whole.machine.T, whole.machine.s) == (6_400, 12_000, 40)
    some = searches_at(45_000)
    assert (some.iterations, some.boards, some.top) == (27, 100, 100)
    assert 40_000 < some.iterations * some.boards * some.learned <= 45_000
    ratio = whole.machine.T / whole.machine.clauses
    assert some.machine.T / some.machine.clauses == pytest.approx(ratio, 0.01)


# ---- the tournament ---------------------------------------------------------------------------


def test_everybody_plays_everybody():
    assert len(pairs()) == 47
    assert ("TM1", "TM1") in pairs()
    assert ("RR", "RR") not in pairs()
    for published in (RED_WINS, STONES):
        assert list(published) == list(PLAYERS)
        for name, row in published.items():
            gaps = [other for other, number in zip(PLAYERS, row, strict=True) if number is None]
            assert gaps == [name] * (name in ("Rand.", "RR"))


def test_players_are_as_published_at_full_size():
    size = hex_sizes({})["full"]
    assert MACHINE_PLAYERS["TM1"].line(size, 0) == (
        "tsetlin:red={0},blue={1},search=mcts,simulations=10000,scale=100000"
    )
    assert MACHINE_PLAYERS["TM5"].line(size, 2) == (
        "tsetlin:red={2},blue={3},search=full_width,depth=3,sees_end=false"
    )


def test_games_need_the_machines_of_both_players():
    run = Run(load_experiment("hex_5_9").sizes["quick"])
    (task,) = pairing("TM1", "TM5", run)
    assert len(task.needs) == 4
    assert task.settings["players"][0].startswith("tsetlin:red={0},blue={1}")
    assert task.settings["players"][1].startswith("tsetlin:red={2},blue={3}")
    (alone,) = pairing("RR", "Rand.", run)
    assert alone.needs == ()
    assert alone.settings["players"] == ["rollouts:simulations=20,rollouts=20", "random"]
    # The two players of table 5.8 that share their machines share the tasks that train them.
    keys = [[t.key for t in MACHINE_PLAYERS[name].tasks(run)] for name in ("TM3", "TM5")]
    assert keys[0] == keys[1]


# ---- patterns ---------------------------------------------------------------------------------


def test_bridges():
    """A bridge has two empty cells in common that both touch both of its ends."""
    around = {(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)}
    far = [
        (x, y)
        for x, y in itertools.product(range(-3, 4), repeat=2)
        if (x, y) not in around | {(0, 0)}
        and sum((x - right, y - down) in around for right, down in around) == 2
    ]
    assert sorted(far) == sorted(BRIDGES)
    assert has_bridge(["c3", "a1", "b5"])
    assert not has_bridge(["c3", None, "c4", "d3"])
    assert not has_bridge([])


def test_the_heaviest_clause_is_found(perfect):
    run = Run(hex_sizes({})["quick"])
    pattern = PATTERNS[0]
    task = pattern.task(run)
    given = tuple(train(task.needs, lambda *_: None, "cpu"))
    (found,) = find_clause([replace(task, given=given)], lambda *_: None, "cpu")
    assert found["weight"] >= 1
    names = {bit.name for bit in game_of(perfect).bits()}
    assert set(found["required"]) | set(found["forbidden"]) <= names
    bridged = replace(task, settings={**task.settings, "bridge": True}, given=given)
    (other,) = find_clause([bridged], lambda *_: None, "cpu")
    assert other["weight"] <= found["weight"]


# ---- all of them ------------------------------------------------------------------------------


FAST = ("hex_4_2", "hex_5_2", "hex_5_6", "hex_figure_5_1", "hex_figure_5_2", "hex_figure_5_17")


@pytest.mark.parametrize("name", some_long(TABLES, FAST))
def test_quick_tables(record, name):
    table = load_experiment(name)
    size = table.sizes["quick"]
    page = run_table(table, Run(size), record)
    assert page["headline"]["ours"] is not None
    assert page["data"]
    assert as_text(page).startswith("GENERATED DATA, made in the same way as the published")
    for told in (as_text(page), as_markdown(page), as_html(page)):
        for drawing in page["drawings"]:
            assert drawing["title"] in told
    assert bool(page["pictures"]) == (name in PLOTTED)
    assert bool(page["drawings"]) == (name in DRAWN)
    assert all(any(picture["curves"].values()) for picture in page["pictures"])


@pytest.mark.parametrize(
    ("name", "n_figures", "total"),
    [
        # Sums of the published numbers, added up from the printed tables.
        ("hex_4_1", 5, 2 * 17_880 + 100),
        ("hex_4_2", 5, 2 * 287_794 + 100),
        ("hex_5_1", 18, 5.88 + 5.97 + 585.16),
        ("hex_5_2", 9, 873.48),
        ("hex_5_3", 19, 5.68 + 5.70 + 564.16),
        ("hex_5_4", 9, 870.72),
        ("hex_5_5", 10, 2 * 138_662 + 2 * 131_252 + 200),
        ("hex_5_6", 25, 5.46 + 5.56 + 528.54 + 535.76),
        ("hex_5_7", 16, 1379.94),
        ("hex_5_9", 47, 10 * (0 + 1 + 8 + 6 + 60 + 55 + 60 + 59 + 5 + 25)),
        ("hex_figure_5_2", 24, 87.5 + 50 + 97.8 + 94.7),
        ("hex_figure_5_17", 5, 291 + 244 + 247 + 164 + 223),
    ],
)
def test_published_numbers_add_up(name, n_figures, total):
    table = load_experiment(name)
    figures = table.contents.figures(Run(table.sizes["quick"]))
    assert len(figures) == n_figures
    published = [figure.published for figure in figures if figure.published is not None]
    assert sum(published) == pytest.approx(total, abs=0.03)


@pytest.mark.parametrize(
    ("clauses", "balanced"),
    [(500, True), (1000, True), (1500, False), (1600, False), (1700, False), (2000, False)],
)
def test_some_rows_of_table_5_3_cannot_be_of_balanced_boards(clauses, balanced):
    """As its note says: worked out from precision and recall, whatever they were rounded from."""
    precision, recall, published = CLAUSES_35K[clauses]

    def accuracies(red_wins):
        for p, r in itertools.product((-0.005, 0.0, 0.005), repeat=2):
            found = min(1.0, recall + r) * red_wins
            wrong = found * (1 / (precision + p) - 1)
            yield 100 * (1 - (red_wins - found) - wrong)

    def fits(red_wins):
        return min(accuracies(red_wins)) <= published <= max(accuracies(red_wins))

    assert fits(0.5) is balanced
    assert fits(16_586 / 17_880) is not balanced


def test_stones_are_parted(perfect):
    figures = StonesTable().figures(Run(hex_sizes({})["quick"]))
    for figure in figures:
        boards = figure.tasks[0].boards
        stones = {int(row.sum()) for row in boards.X}
        assert stones == {int(figure.row.split()[0])}
