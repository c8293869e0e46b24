"""The memory of boards: counts as in dictionaries, kept whatever happens, exported, read back."""

import random
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.learners.temporal.memory import Memory, Numbering, read_export
from naive import temporal as naive
from naive.machines import played, small_game

GAME = load_game("checkers")

BOARDS = ["0" * 32, "1" + "0" * 31, "0" * 31 + "4", "2" * 32, "3" * 32]
keys = st.tuples(st.sampled_from(BOARDS), st.integers(0, 1))
games = st.tuples(
    st.sampled_from(["a", "b"]),
    st.integers(1, 4),
    st.lists(keys, min_size=1, max_size=8),
    st.sampled_from(["black", "white", None]),
)


def random_game(seed):
    """The keys of the boards of a game, and who won it."""
    draw, position = random.Random(seed), GAME.start()
    line = [position]
    while position.outcome() is None:
        position = position.play(draw.choice(position.moves()))
        line.append(position)
    return Numbering(GAME).keys(line), position.outcome().winner


def test_numbers_are_those_of_the_squares():
    some = [position for position, _ in played(small_game("checkers"))][:800]
    numbering = Numbering(GAME)
    assert numbering.base == 5
    for position, number in zip(some, numbering.of(some), strict=True):
        assert number == naive.number(naive.board_of(position))
    sides = [int(position.to_move == "white") for position in some]
    assert numbering.keys(some) == list(zip(numbering.of(some), sides, strict=True))


def test_numbers_by_hand():
    position = GAME.read_position("W:W30,K32:B1,K3")
    assert Numbering(GAME).of([position]) == ["102" + "0" * 26 + "304"]
    # Another game, another base.
    board = load_game("hex", size=3)
    position = board.start().play(board.start().read_move("b1"))
    assert Numbering(board).base == 3
    assert Numbering(board).of([position]) == ["010000000"]


@settings(max_examples=25)
@given(st.lists(games, max_size=8))
def test_it_counts_as_dictionaries_do(tmp_path_factory, some):
    path = tmp_path_factory.mktemp("memory") / "boards"
    twin = naive.DictionaryMemory(GAME.colours)
    for game in some:
        with Memory(path, GAME) as memory:  # opened anew for each: all of it is on the disk
            assert memory.add_game(*game) == twin.add_game(*game)
    with Memory(path, GAME) as memory:
        every = [(board, side) for board in BOARDS for side in (0, 1)]
        assert memory.look_up(every) == [twin.look_up(key) for key in every]
        for key in every:
            assert memory.reached(key) == sorted(twin.after[key])
        assert memory.boards_seen() == twin.seen.total()
        assert len(memory) == sum(n > 0 for n in twin.seen.values())
        # The text knows no sides.
        assert memory.export(path.with_suffix(".txt")) == len({b for b, _ in +twin.seen})
    expected = {board: set() for board, _ in +twin.seen}
    for (board, _), after in twin.after.items():
        if board in expected:
            expected[board] |= after
    read = dict(read_export(path.with_suffix(".txt")))
    assert read == {board: tuple(sorted(after)) for board, after in expected.items()}


def test_the_text_of_a_whole_game(tmp_path):
    boards, winner = random_game(1)
    with Memory(tmp_path / "m", GAME) as memory:
        assert memory.add_game("t", 1, boards, winner)
        memory.export(tmp_path / "boards.txt")
    lines = (tmp_path / "boards.txt").read_text().splitlines()
    assert "1" * 12 + "0" * 8 + "3" * 12 + f": {boards[1][0]}" in lines
    assert f"{boards[-1][0]}:" in lines
    assert len(lines) == len({number for number, _ in boards})
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("line", ["", "12", "12: ", "12: 3,4", "x: 12", "12: 3, ", "1:2"])
def test_a_text_that_is_none_is_refused(tmp_path, line):
    (tmp_path / "bad.txt").write_text(f"12: 3, 4\n5:\n{line}\n")
    with pytest.raises(ValueError, match=r"bad.txt, line 3: .*number: number, number"):
        list(read_export(tmp_path / "bad.txt"))


def test_other_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"There is no memory '.*nowhere'"):
        Memory(tmp_path / "nowhere", GAME, create=False)
    assert not (tmp_path / "nowhere").exists()
    with pytest.raises(ValueError, match="there is no folder"):
        Memory(tmp_path / "no" / "where", GAME)
    with pytest.raises(ValueError, match="cannot be written"):
        Memory(tmp_path, GAME)
    (tmp_path / "text").write_text("this is no database, although it is as long as one" * 100)
    with pytest.raises(ValueError, match="not an SQLite database, or it is damaged"):
        Memory(tmp_path / "text", GAME)
    other = sqlite3.connect(tmp_path / "other")
    other.execute("CREATE TABLE things (name TEXT)")
    other.close()
    with pytest.raises(ValueError, match="a database of another program"):
        Memory(tmp_path / "other", GAME)


def test_other_games_and_versions_are_refused(tmp_path):
    Memory(tmp_path / "m", load_game("hex", size=3)).close()
    with pytest.raises(ValueError, match=r"boards of hex \(9 cells\), version 1; not of checkers"):
        Memory(tmp_path / "m", GAME)
    with pytest.raises(ValueError, match=r"hex \(9 cells\), version 1; not of hex \(16 cells\)"):
        Memory(tmp_path / "m", load_game("hex", size=4))
    # Rules that only differ in what makes a draw have the same boards.
    Memory(tmp_path / "c", GAME).close()
    Memory(tmp_path / "c", load_game("checkers", quiet_moves=20)).close()
    file = sqlite3.connect(tmp_path / "c")
    file.execute("PRAGMA user_version = 9")
    file.close()
    with pytest.raises(ValueError, match="as version 9 kept them"):
        Memory(tmp_path / "c", GAME)


def test_a_damaged_file_is_told_of(tmp_path):
    path = tmp_path / "m"
    with Memory(path, GAME) as memory:
        for seed in range(30):
            boards, winner = random_game(seed)
            memory.add_game("t", seed, boards, winner)
    content = bytearray(path.read_bytes())
    for place in range(4096, len(content), 512):
        content[place : place + 64] = b"\xff" * 64
    path.write_bytes(content)
    with pytest.raises(ValueError, match="damaged"):  # noqa: PT012 (which of them finds it is open)
        memory = Memory(path, GAME)
        memory.boards_seen()
        memory.export(tmp_path / "out.txt")


WRITER = """
import sys
sys.path.insert(0, sys.argv[4])
from clauseboard.game import load_game
from clauseboard.learners.temporal.memory import Memory
GAME = load_game("checkers")
keys = [(format(n, "032d"), n % 2) for n in range(40)]
memory = Memory(sys.argv[1], GAME)
print("ready", flush=True)
for number in range(int(sys.argv[3])):
    memory.add_game(sys.argv[2], number, keys, "black")
"""


def writer(path, training, n):
    tests = str(Path(__file__).parents[2])
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), training, str(n), tests],
        stdout=subprocess.PIPE,
        text=True,
    )


def test_two_processes_write_into_one_file(tmp_path):
    both = [writer(tmp_path / "m", training, 60) for training in ("one", "other")]
    assert [process.wait(timeout=300) for process in both] == [0, 0]
    for process in both:
        process.stdout.close()
    with Memory(tmp_path / "m", GAME) as memory:
        assert memory.boards_seen() == 2 * 60 * 40
        assert memory.look_up([(format(3, "032d"), 1)]) == [(120, 120, 0)]


def test_who_is_killed_leaves_whole_games(tmp_path):
    process = writer(tmp_path / "m", "t", 1_000_000)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    with Memory(tmp_path / "m", GAME) as memory:
        seen = memory.boards_seen()
        assert seen % 40 == 0
        every = memory.look_up([(format(n, "032d"), n % 2) for n in range(40)])
        assert set(every) == {(seen // 40, seen // 40, 0)}
        # The next one with the same games adds only what is missing.
        done = seen // 40
        again = [memory.add_game("t", n, [("0" * 32, 0)], None) for n in range(done + 2)]
        assert again == [False] * done + [True] * 2


def test_threads_may_share_a_memory(tmp_path):
    boards, winner = random_game(4)
    with Memory(tmp_path / "m", GAME) as memory:
        threads = [
            threading.Thread(target=memory.add_game, args=("t", n, boards, winner))
            for n in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert memory.boards_seen() == 8 * len(boards)
