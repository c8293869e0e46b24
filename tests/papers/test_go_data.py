"""Games of Go that are played for experiments, and the boards that are made of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.arena.playing import derived_seed
from clauseboard.datasets import build
from clauseboard.games.go.records import GoRecord, read_sgf
from clauseboard.papers import SIZES, RunSize, TaskResult, load_experiment
from clauseboard.papers import go_boards as go_games
from clauseboard.papers.boards import BoardSet, Run, read_boards
from clauseboard.papers.go_boards import (
    GAMES,
    LENGTHS,
    RANDOM,
    GameStyle,
    composition_name,
    composition_of,
    derived,
    games_file,
    games_task,
    generated,
    lengths_of,
    measure_games,
    planes,
    play_one,
    play_some,
)
from clauseboard.papers.go_thesis import ALL

TINY = RunSize("tiny", boards=12, folds=2, share=1.0, epochs=1)
STYLES = (RANDOM, GameStyle(2, 3), GameStyle(3, 2))


def judged_by_sgfmill(record):
    """The area at the end, less komi, by another program."""
    from sgfmill.boards import Board

    board, size = Board(9), 9
    for number, move in enumerate(record.moves):
        if move.point is not None:
            row, column = divmod(move.point, size)
            board.play(size - 1 - row, column, "bw"[number % 2])
    return board.area_score() - 7


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_games_are_whole_and_say_who_won(style, number):
    (record,) = play_one(number, style)
    *_, last = record.positions()  # legal, or this would raise
    assert last.passes == 2
    assert last.outcome().winner == record.outcome.winner
    margin = judged_by_sgfmill(record)
    expected = "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin)}"
    assert record.result == expected


def test_of_its_candidates_a_player_takes_the_first_of_the_best():
    """Each move over again: candidates and playouts drawn as there, wins counted one by one."""
    from clauseboard.games.go import kernels
    from clauseboard.games.go.rules import state_of

    style = GameStyle(3, 4)
    (record,) = play_one(7, style)
    counter = np.uint64(derived_seed(go_games.SEED, 7))
    state, position = state_of(record.start), record.start
    for move in record.moves:
        wins, states = [], []
        for _ in range(style.candidates):
            tried = state.copy()
            counter = kernels.playout(tried, 1, counter)
            margins = np.empty(style.playouts, np.int16)
            kernels.playouts(tried, 243, counter, margins, np.zeros((0, 2), np.int32))
            won = [(m > 7) - (m < 7) for m in margins.tolist()]
            wins.append(sum(won) if position.to_move == "black" else -sum(won))
            states.append(tried)
        state, position = states[wins.index(max(wins))], position.play(move)
        board = np.empty(81, np.uint8)
        kernels.read_board(state, board)
        assert board.tobytes() == position.board


def test_an_endless_game_is_left_out(monkeypatch):
    monkeypatch.setattr(go_games, "MOST_MOVES", 20)
    assert list(play_one(0, RANDOM)) == []
    assert play_some(range(2), RANDOM) == (0, [])


@pytest.mark.parametrize("jobs", [1, 2])
def test_games_are_the_same_for_any_number_of_jobs(tmp_path, monkeypatch, jobs):
    monkeypatch.setattr(go_games, "GAMES_PER_JOB", 2)
    style = GameStyle(2, 2)
    text = games_file(5, style, tmp_path, jobs).read_text("utf-8")
    alone = "".join(text for n in range(5) for text in play_some(range(n, n + 1), style)[1])
    assert text == alone


def test_an_interrupted_run_plays_only_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(go_games, "GAMES_PER_JOB", 2)
    style, played = GameStyle(2, 2), []

    def play(numbers, style):
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(numbers.start)
        return play_some(numbers, style)

    monkeypatch.setattr(go_games, "play_some", play)
    with pytest.raises(KeyboardInterrupt):
        games_file(5, style, tmp_path)
    assert played == [0, 2]
    played.clear()
    text = games_file(5, style, tmp_path).read_text("utf-8")
    assert played == [4]
    assert text == "".join(play_some(range(5), style)[1])
    assert [one.name for one in tmp_path.iterdir()] == ["go-5-games-2x2.sgf"]


def test_games_are_played_once(tmp_path):
    path = games_file(3, RANDOM, tmp_path)
    path.write_text("kept", "utf-8")
    assert games_file(3, RANDOM, tmp_path).read_text("utf-8") == "kept"
    assert games_file(4, RANDOM, tmp_path) != path
    assert [one.name for one in tmp_path.glob(".*")] == []


def test_styles_say_what_they_are():
    assert str(RANDOM) == "random games"
    assert "best of 6 random moves by 8 playouts" in str(go_games.USUAL)


# ---- boards


@given(moves=st.integers(1, 200), more=st.integers(0, 50))
def test_compositions_are_named_both_ways(moves, more):
    at_least = moves + more if more else 0
    name = composition_name("after", {"moves": moves, "at_least": at_least})
    made_of = composition_of(BoardSet("go", name, False))
    assert (made_of.moves, max(made_of.at_least, made_of.moves)) == (moves, moves + more)
    assert composition_name(made_of.name, made_of.options()) == name


@pytest.mark.parametrize("composition", ["end", "after 60", "after 60 of 90"])
def test_boards_are_those_of_the_games(tmp_path, composition):
    boards = generated(BoardSet("go", composition, False), 30, tmp_path)
    assert boards.generated
    assert boards.source == "30 random games"
    (path,) = tmp_path.glob("*.sgf")
    records = [read_sgf(f"({text}") for text in path.read_text("utf-8").split("(")[1:]]
    words = composition.replace(" of ", " ").split()
    moves = int(words[1]) if len(words) > 1 else None
    least = int(words[-1]) if len(words) > 1 else 0
    expected = set()
    for record in records:
        if len(record.moves) >= least:
            *_, last = GoRecord(record.start, record.moves[:moves]).positions()
            row = [stone == colour for colour in (1, 2) for stone in last.board]
            winner = record.outcome.winner
            expected.add((tuple(row), 2 if winner is None else int(winner == "black")))
    found = {
        (tuple(map(bool, row)), int(r)) for row, r in zip(boards.X, boards.results, strict=True)
    }
    assert found == expected


def test_kinds_of_files(tmp_path):
    """A data set of a file is known by its moves, too."""
    file = games_file(30, RANDOM, tmp_path)
    for composition in ("end", "after 60", "after 60 of 90"):
        kind = BoardSet("go", composition, False)
        path = tmp_path / f"{composition}.npz"
        build(composition_of(kind), [file]).save(path)
        assert read_boards(path).kind == kind
        assert not Run(SIZES["full"], [path]).boards(kind).generated


def test_games_are_kept_beside_the_record(tmp_path):
    run = Run(replace(SIZES["full"], boards=30), folder=tmp_path)
    for composition in ("end", "after 60"):
        run.boards(BoardSet("go", composition, False))
    assert [path.name for path in tmp_path.iterdir()] == ["go-30-games-1x0.sgf"]


def test_no_more_games_are_played_than_asked_for():
    assert GAMES < 2_340_000
    assert derived(BoardSet("go", "end", False), {}) is None
    assert len(generated(BoardSet("go", "end", False), 12)) == 12


def test_planes_have_both_colours_of_a_point():
    X = np.random.default_rng(1).integers(2, size=(3, 162), dtype=np.uint8)
    seen, shape = planes(X)
    assert shape == (9, 9, 2)
    for row, column, colour in ((0, 0, 0), (3, 7, 1), (8, 8, 0)):
        expected = X[:, 81 * colour + 9 * row + column]
        assert np.array_equal(seen.reshape(3, *shape)[:, row, column, colour], expected)


# ---- how long games are -----------------------------------------------------------------------


def test_lengths_are_those_of_the_games(tmp_path):
    task = games_task(Run(TINY, folder=tmp_path))
    (result,) = measure_games([task], lambda *_: None, "cpu")
    records = [record for n in range(12) for record in play_one(n, RANDOM)]
    lengths = [len(record.moves) - 2 for record in records]
    done = [TaskResult(result)]
    assert lengths_of(done).tolist() == sorted(lengths)
    assert [read(done) for read, _ in LENGTHS.values()] == [
        [min(lengths)], [max(lengths)],
        [pytest.approx(100 * sum(n <= 94 for n in lengths) / len(lengths))],
    ]  # fmt: skip
    moves = [-1 if move.is_pass else move.point for move in records[0].moves]
    assert result["first"] == moves[:-2]


def test_a_game_is_drawn_at_three_moments_with_its_score(tmp_path):
    run = Run(TINY, folder=tmp_path)
    contents = load_experiment("go_4_1").contents
    (result,) = measure_games([games_task(run)], lambda *_: None, "cpu")
    drawings = contents.drawings(run, lambda task: TaskResult(result))
    record = next(play_one(0, RANDOM))
    area = judged_by_sgfmill(record) + 7
    assert drawings[2].text == str(list(record.positions())[-3])
    assert f"{'B' if area > 0 else 'W'} + {abs(area):g}" in drawings[2].title
    assert [d.title.split(" % ")[0] for d in drawings] == [
        f"Figure 4.3: after {part}" for part in (50, 75, 100)
    ]


def test_lengths_of_games_that_are_not_at_hand(tmp_path):
    run = Run(TINY, folder=tmp_path)
    given = replace(run.boards(ALL), generated=False)
    run._used[ALL] = given
    contents = load_experiment("go_4_1").contents
    figures = [f for f in contents.figures(run) if f.row == "moves of a game"]
    assert [figure.tasks for figure in figures] == [(), (), ()]
    assert contents.plots(run, None) == contents.drawings(run, None) == []
