"""Endgame tables, held against the slow twin, a search, play to the end, and themselves."""

import contextlib
import errno
import functools
import io
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
from checkers_boards import ENDLESS, as_naive, from_naive
from checkers_endings import NO_BOARD, SUMS, check_play, random_ending, summed
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.games.checkers import Checkers, CheckersPosition, endgame_kernels, kernels
from clauseboard.games.checkers import endgame_tables as endgames
from clauseboard.games.checkers.endgame_tables import (
    TableError,
    TableVerdict,
    build_tables,
    open_tables,
    table_path,
)
from clauseboard.games.checkers.rules import BLACK, SQUARES, WHITE, turned
from clauseboard.kernels.compiler import JIT_DISABLED
from naive import checkers as naive

PIECES = 2 if JIT_DISABLED else 3

# Boards of n pieces with any colours, one side to move, as they are published.
PUBLISHED = {1: 120, 2: 6972, 3: 261224, 4: 7092774, 5: 148688232}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    return build_tables(PIECES, tmp_path_factory.mktemp("tables"))


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    return build_tables(4, tmp_path_factory.mktemp("four"))


# ------------------------------------------------------------------ numbers of boards


@pytest.mark.parametrize("pieces", PUBLISHED)
def test_there_are_as_many_boards_as_published(pieces):
    """The published numbers have the boards with pieces of one side only, which need no table."""
    boards = endgame_kernels.count_boards(pieces) if pieces > 1 else 0
    assert boards + endgame_kernels.count_boards_of_one_side(pieces) == PUBLISHED[pieces]


def test_the_boards_in_the_table_are_as_many(tables):
    for pieces in range(2, PIECES + 1):
        found = int((tables.of(pieces) != NO_BOARD).sum())
        assert found == endgame_kernels.count_boards(pieces) == SUMS[pieces][0]


def naive_number(groups):
    """The number of a board by the list of all its groups of squares, in order."""
    number = 0
    for squares, last in groups:
        every = sorted(
            itertools.combinations(range(1, last + 1), len(squares)), key=lambda g: g[::-1]
        )
        number = number * len(every) + every.index(tuple(sorted(squares)))
    return number


def naive_groups(position):
    """Own men, the other's men, own kings, the other's kings: places as each sees them.

    Kings count only squares that no man, and no king before them, stands on.
    """
    other = position.game.other(position.to_move)
    taken, groups = set(), []
    for kind, last in (("man", 28), ("king", 32)):
        before = set(taken)
        for colour in (position.to_move, other):
            own_order = SQUARES if colour == BLACK else SQUARES[::-1]
            left_out = before if kind == "man" else taken
            seen = [square for square in own_order if square not in left_out]
            squares = [s for s in SQUARES if position.piece_on(s) == f"{colour} {kind}"]
            groups.append(([seen.index(s) + 1 for s in squares], last - len(left_out)))
            taken |= set(squares)
    return groups


@pytest.mark.parametrize("pieces", [2, 3, 4, 5])
def test_a_board_is_found_at_its_number(pieces):
    """In a table of random bytes, so that a board looked up elsewhere is noticed."""
    total = sum(endgame_kernels.table_size(n) for n in range(2, pieces + 1))
    values = np.random.default_rng(pieces).integers(256, size=total, dtype=np.uint8)
    offsets = endgame_kernels.offsets(pieces)
    tables = endgames.EndgameTables(pieces, values, offsets)
    rng = random.Random(pieces)
    for _ in range(20 if JIT_DISABLED else 100):
        position = random_ending(rng, pieces)
        groups = naive_groups(position)
        men, other_men, crowned, other_crowned = (len(squares) for squares, _ in groups)
        material = endgame_kernels.Material(men, crowned, other_men, other_crowned)
        value = values[offsets[material.code] + naive_number(groups)]
        assert tables.probe(position) == endgames.verdict(int(value))
        board, side = np.array([position.board], np.uint64), position.to_move == WHITE
        assert tables.look_up(board, np.array([side], np.int64)) == [value]


@pytest.mark.parametrize("pieces", [2, 3, 4, 5])
def test_each_material_comes_after_what_it_leads_to(pieces):
    found = endgame_kernels.materials(pieces)
    assert len(found) == len(set(found))
    assert all(one.turned in found and one.pieces == pieces for one in found)
    men = [one.men + one.other_men for one in found]
    assert men == sorted(men)
    assert min(one.men + one.kings for one in found) == 1


# ------------------------------------------------------------------ right values


def check_all_by_the_twin(tables, pieces):
    expected = naive.endings(pieces)
    counts = [endgame_kernels.count_boards(n) for n in range(2, pieces + 1)]
    assert len(expected) == 2 * sum(counts)
    for (board, side), (value, plies) in expected.items():
        position = from_naive(dict(board), side)
        assert tables.probe(position) == TableVerdict(value, plies)


def test_all_boards_of_two_pieces_by_the_twin(tables):
    check_all_by_the_twin(tables, 2)


@pytest.mark.long
def test_all_boards_of_three_pieces_by_the_twin(four):
    check_all_by_the_twin(four, 3)


def test_every_value_follows_from_the_values_after_it(tables):
    assert tables.count_faults() == 0


def test_a_wrong_value_is_found(tables):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        values = tables.values.copy()
        at = rng.choice(np.flatnonzero(values != NO_BOARD))
        values[at] = values[at] + 2 if values[at] else 6
        wrong = endgames.EndgameTables(PIECES, values, tables.offsets)
        assert wrong.count_faults() >= 1


def test_wins_draws_and_losses_are_as_many_as_ever(tables):
    for pieces in range(2, PIECES + 1):
        assert summed(tables, pieces) == SUMS[pieces]


@functools.cache
def forced(board, side, depth):
    """1 or -1 where the side to move wins or loses within so many moves, else 0: by trying all."""
    boards = np.zeros((kernels.MOST_MOVES, 3), np.uint64)
    n = kernels.successors(*(np.uint64(word) for word in board), side, boards)
    if n == 0:
        return -1
    if depth == 0:
        return 0
    after = [forced(tuple(map(int, b)), 1 - side, depth - 1) for b in boards[:n]]
    return -min(after)


def check_by_search(tables, pieces, count, depth):
    """The search knows the result within its depth, and not one move earlier."""
    rng = random.Random(pieces)
    seen = set()
    for _ in range(count):
        position = random_ending(rng, pieces)
        verdict = tables.probe(position)
        side = int(position.to_move == WHITE)
        near = verdict.plies is not None and verdict.plies <= depth
        assert forced(position.board, side, depth) == (verdict.value if near else 0)
        if near and verdict.plies > 0:
            assert forced(position.board, side, verdict.plies) == verdict.value
            assert forced(position.board, side, verdict.plies - 1) == 0
        seen.add((verdict.value, near))
    forced.cache_clear()
    return seen


def test_a_search_finds_the_same(tables):
    count, depth = (20, 3) if JIT_DISABLED else (150, 6)
    seen = check_by_search(tables, PIECES, count, depth)
    assert JIT_DISABLED or seen == {(1, True), (1, False), (0, False), (-1, True), (-1, False)}


@pytest.mark.long
def test_a_search_finds_the_same_with_four_pieces(four):
    check_by_search(four, 4, 300, 7)


def test_wins_are_won_in_exactly_so_many_moves(tables):
    longest = check_play(tables, PIECES, 10 if JIT_DISABLED else 200)
    assert JIT_DISABLED or longest > 30


@pytest.mark.long
def test_wins_of_four_pieces_are_won_in_exactly_so_many_moves(four):
    assert check_play(four, 4, 2000) > 60


@pytest.mark.long
def test_tables_of_four_pieces(four):
    assert four.count_faults() == 0
    assert summed(four, 4) == SUMS[4]


def test_draws_are_held(tables):
    """Who follows the table from a draw never loses, whatever the other does."""
    rng = random.Random(5)
    draws = 0
    while draws < (3 if JIT_DISABLED else 30):
        position = random_ending(rng, PIECES)
        if tables.probe(position).value != 0:
            continue
        draws += 1
        holder = rng.choice((BLACK, WHITE))
        for _ in range(60):
            if position.outcome() is not None:
                assert position.outcome().winner == holder
                break
            ours = position.to_move == holder
            moves = tables.best_moves(position) if ours else position.moves()
            position = position.play(rng.choice(moves))
            assert tables.probe(position).value * (1 if position.to_move == holder else -1) >= 0


@settings(max_examples=20 if JIT_DISABLED else 200)
@given(seed=st.integers(0, 2**32))
def test_the_board_turned_round_has_the_same_verdict(tables, seed):
    rng = random.Random(seed)
    position = random_ending(rng, rng.randint(2, PIECES))
    other = CheckersPosition(
        ENDLESS,
        turned(position.white),
        turned(position.black),
        turned(position.kings),
        ENDLESS.other(position.to_move),
    )
    assert as_naive(other) != as_naive(position) or position.to_move != other.to_move
    assert tables.probe(other) == tables.probe(position)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("B:W6:BK1", "win in 1 move"),  # 1x10
        ("W:W5:B1", "loss in 0 moves"),  # white is blocked
        ("B:W5:BK6", "win in 1 move"),  # 6-1 blocks it
        ("W:W12:B3", "loss in 2 moves"),  # 12-8 3x12
        ("B:W12:BK7", "win in 3 moves"),  # 7-3 12-8 3x12
        ("B:WK32:BK1", "draw"),  # each has a double corner to sit in
    ],
)
def test_endings_that_can_be_seen(tables, text, verdict):
    assert str(tables.probe(ENDLESS.read_position(text))) == verdict


# ------------------------------------------------------------------ what can be asked


def test_a_side_without_pieces_has_lost(tables):
    for text, verdict in (
        ("B:W:B1", TableVerdict(1, 0)),
        ("W:W:B1", TableVerdict(-1, 0)),
        ("W:W:B1,2,3,4,5,6,7", TableVerdict(-1, 0)),
    ):
        position = ENDLESS.read_position(text)
        assert tables.probe(position) == verdict
        assert tables.best_moves(position) == ()


@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_a_verdict_names_the_winner(side):
    position = Checkers().read_position(f"{side[0].upper()}:WK32:BK1")
    other = BLACK if side == WHITE else WHITE
    assert TableVerdict(1, 3).winner(position) == side
    assert TableVerdict(-1, 4).winner(position) == other
    assert TableVerdict(0, None).winner(position) is None


def test_too_many_pieces_are_not_known(tables):
    assert tables.probe(ENDLESS.start()) is None
    assert tables.best_moves(ENDLESS.start()) == ()


def test_games_in_which_the_blocked_player_draws_are_refused(tables):
    position = Checkers(blocked="draw").read_position("B:WK32:BK1")
    with pytest.raises(ValueError, match=r"blocked='draw'; they serve games with blocked='loss'"):
        tables.probe(position)


@pytest.mark.parametrize("pieces", [1, 0, 6, -2, True, 2.0, "4", None])
@pytest.mark.parametrize("function", [build_tables, open_tables])
def test_other_numbers_of_pieces_are_refused(function, pieces, tmp_path):
    message = f"pieces={pieces!r} must be an integer from 2 to 5."
    with pytest.raises(ValueError, match=re.escape(message)):
        function(pieces, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_they_say_what_they_are(tables):
    assert repr(tables) == f"<endgame tables of checkers, up to {PIECES} pieces>"
    assert [str(endgames.verdict(v)) for v in (0, 1, 2, 3)] == [
        "draw",
        "loss in 0 moves",
        "win in 1 move",
        "loss in 2 moves",
    ]


# ------------------------------------------------------------------ making them


def test_a_build_that_was_interrupted_is_continued(tmp_path, tables, monkeypatch):
    """What was solved before is not solved again, and the end is the same."""

    class PowerCutError(Exception):
        pass

    solve, solved = endgames._solve, []

    def until_half(tables, pair):
        if len(solved) == 2:
            raise PowerCutError
        solved.append(pair)
        yield from solve(tables, pair)

    monkeypatch.setattr(endgames, "_solve", until_half)
    with pytest.raises(PowerCutError):
        open_tables(2, tmp_path)
    assert not table_path(tmp_path, 2).exists()
    assert 0 < endgames.share_made(2, tmp_path) < 1

    def noting(tables, pair):
        solved.append(pair)
        yield from solve(tables, pair)

    monkeypatch.setattr(endgames, "_solve", noting)
    opened = open_tables(2, tmp_path)
    assert solved == endgames._pairs(2)
    assert np.array_equal(opened.values, tables.of(2))
    assert endgames.share_made(2, tmp_path) == 1
    assert {path.suffix for path in tmp_path.iterdir()} == {".table", ".lock"}


@pytest.mark.parametrize(
    "begun", [b"", b"junk" * 9000, endgames.MAGIC + b'{"version": 2, "solved": 3}\n']
)
def test_a_beginning_that_cannot_be_continued_is_begun_anew(begun, tmp_path, tables):
    table_path(tmp_path, 2).with_suffix(".unfinished").write_bytes(begun)
    assert endgames.share_made(2, tmp_path) == 0
    assert np.array_equal(open_tables(2, tmp_path).values, tables.of(2))


def test_one_process_makes_them_and_the_other_waits(tmp_path):
    """Of two that begin at once, each ends with whole tables, and one has made them."""
    program = (
        "import sys\n"
        "from clauseboard.games.checkers import endgame_tables as t\n"
        "solve = t._solve\n"
        "t._solve = lambda *a: print('solves') or solve(*a)\n"
        "print(t.open_tables(2, sys.argv[1]).count_faults(), 'faults')\n"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    printed = [process.communicate()[0] for process in started]
    assert [process.returncode for process in started] == [0, 0]
    assert all(text.endswith("0 faults\n") for text in printed)
    assert sorted(text.count("solves") for text in printed) == [0, len(endgames._pairs(2))]


def test_whoever_waits_hears_how_far_the_other_is(tmp_path, tables):
    heard = []

    def done_meanwhile(done, total):
        heard.append((done, total))
        if not table_path(tmp_path, 2).exists():
            built = table_path(build_tables(2, elsewhere) and elsewhere, 2)
            table_path(tmp_path, 2).write_bytes(built.read_bytes())
            release.set()

    elsewhere = tmp_path / "elsewhere"
    held, release = threading.Event(), threading.Event()

    def hold():
        with endgames.locked(table_path(tmp_path, 2), lambda: None):
            held.set()
            release.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    opened = open_tables(2, tmp_path, done_meanwhile)
    holder.join()
    assert heard[0] == (0, endgames.n_values(2))
    assert np.array_equal(opened.values, tables.of(2))


def test_too_little_disk_is_told_before_the_work(tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)._replace(free=10_000_000)
    monkeypatch.setattr(endgames.shutil, "disk_usage", lambda _: usage)
    message = r"need 67 MB of disk; .* has 10 MB free\."
    with pytest.raises(endgames.RoomError, match=message):
        open_tables(2, tmp_path)
    assert {path.suffix for path in tmp_path.iterdir()} == {".lock"}


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="the system takes room later")
def test_a_disk_that_is_full_meanwhile_keeps_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match="No space left"):
        open_tables(2, tmp_path)
    assert {path.suffix for path in tmp_path.iterdir()} == {".lock"}
    monkeypatch.undo()
    assert open_tables(2, tmp_path).pieces == 2


def test_too_little_memory_is_told_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr(endgames, "_available_memory", lambda: 50_000_000)
    message = r"takes 268 MB of memory; 50 MB are free\."
    with pytest.raises(endgames.RoomError, match=message):
        open_tables(2, tmp_path)
    monkeypatch.setattr(endgames, "_available_memory", lambda: None)
    assert open_tables(2, tmp_path).pieces == 2


# ------------------------------------------------------------------ files


@pytest.fixture
def folder(tmp_path, tables):
    """A folder with tables of two pieces, and those of `PIECES`, in it."""
    build_tables(2, tmp_path)
    build_tables(PIECES, tmp_path)
    return tmp_path


def changed_head(text, **changes):
    magic, head, rest = text.split(b"\n", 2)
    new = json.dumps(json.loads(head) | changes).encode()
    return b"\n".join([magic, new, rest[len(new) - len(head) :]])


def incomplete(text):
    magic, head, rest = text.split(b"\n", 2)
    whole = json.loads(head)
    new = json.dumps({name: whole[name] for name in ("version", "pieces", "values")}).encode()
    return b"\n".join([magic, new, b"\n" * (len(head) - len(new)) + rest])


DAMAGE = {
    "nothing left": (lambda text: b"", "is not an endgame table"),
    "another file": (lambda text: b"GIF89a" + text, "is not an endgame table"),
    "first line only": (lambda text: text[: text.index(b"\n") + 1], "second line cannot be read"),
    "no head": (lambda text: text.split(b"\n")[0] + b"\n[1]\n", "second line cannot be read"),
    "no checksum": (incomplete, "its second line is incomplete"),
    "cut short": (lambda text: text[:-1], "its length is wrong"),
    "cut in half": (lambda text: text[: len(text) // 2], "its length is wrong"),
    "longer": (lambda text: text + b"\0", "its length is wrong"),
    "a bit changed": (lambda text: text[:-9] + bytes([text[-9] ^ 4]) + text[-8:], "its checksum"),
    "old": (lambda text: changed_head(text, version=1), "has version 1; this program needs 2"),
    "new": (lambda text: changed_head(text, version="3"), "has version '3'; this program needs 2"),
    "other pieces": (lambda text: changed_head(text, pieces=3), "is not the table of 2 pieces"),
    "other size": (lambda text: changed_head(text, values=9), "is not the table of 2 pieces"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_noticed_and_mended(damage, folder, tables):
    change, message = DAMAGE[damage]
    path = table_path(folder, 2)
    whole = path.read_bytes()
    path.write_bytes(change(whole))
    with pytest.raises(TableError, match=message) as error:
        open_tables(2, folder, rebuild=False)
    assert repr(str(path)) in str(error.value)
    with pytest.warns(UserWarning, match=rf"{message}.*It is made again\."):
        opened = open_tables(2, folder)
    assert path.read_bytes() == whole
    assert np.array_equal(opened.values, tables.of(2))


def test_what_is_there_is_not_made_again(folder, tables, monkeypatch):
    monkeypatch.setattr(endgames, "_solve", lambda *_: pytest.fail("made again"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        opened = open_tables(PIECES, folder)
    assert np.array_equal(opened.values, tables.values)
    assert {path.name for path in folder.iterdir()} == {
        f"up-to-{pieces}-pieces.{kind}" for pieces in (2, PIECES) for kind in ("table", "lock")
    }


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="the system does not tell it")
def test_tables_that_nobody_looked_into_take_no_memory(folder):
    def resident():
        """The kilobytes of the file that this process has in memory."""
        lines = iter(Path("/proc/self/smaps").read_text().splitlines())
        next(line for line in lines if line.endswith(str(table_path(folder, PIECES))))
        return next(int(line.split()[1]) for line in lines if line.startswith("Rss:"))

    opened = open_tables(PIECES, folder)
    assert resident() == 0
    assert opened.values[-1] >= 0
    assert resident() > 0
    opened.release()
    assert resident() == 0
    assert opened.count_faults() == 0


def test_what_is_missing_is_made_or_asked_for(tmp_path, tables):
    with pytest.raises(FileNotFoundError, match=r"2-pieces.*build_tables makes it"):
        open_tables(2, tmp_path / "new", rebuild=False)
    assert not (tmp_path / "new").exists()
    opened = open_tables(2, tmp_path / "new")
    assert np.array_equal(opened.values, tables.of(2))
    assert open_tables(2, tmp_path / "new", rebuild=False).pieces == 2


def test_building_makes_all_anew_and_tells_how_far_it_is(folder):
    heard = []
    path = table_path(folder, PIECES)
    path.write_bytes(b"")
    build_tables(PIECES, folder, lambda done, total: heard.append((done, total)))
    total = sum(endgame_kernels.table_size(n) for n in range(2, PIECES + 1))
    assert heard == sorted(heard)
    assert heard[0][0] > 0
    assert heard[-1] == (total, total)
    assert {whole for _, whole in heard} == {total}
    assert open_tables(PIECES, folder, rebuild=False).pieces == PIECES


def test_the_usual_folder_is_in_the_users_cache(tmp_path, tables, monkeypatch):
    monkeypatch.setenv("CLAUSEBOARD_CACHE", str(tmp_path))
    assert endgames.tables_folder() == tmp_path / "checkers-endgames"
    open_tables(2)
    assert table_path(tmp_path / "checkers-endgames", 2).exists()


def test_a_folder_that_cannot_be_is_known_at_once(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        build_tables(2, tmp_path / "file" / "tables")


def test_the_example_on_the_page(tmp_path, tables, monkeypatch):
    page = Path(__file__).parents[3] / "docs" / "games" / "checkers.md"
    if not page.exists():
        pytest.skip("the pages are not here")
    monkeypatch.setenv("CLAUSEBOARD_CACHE", str(tmp_path))
    section = page.read_text("utf-8").split("## Endgame tables")[1]
    program, expected = re.findall(r"```(?:python)?\n(.*?)```", section, re.DOTALL)[:2]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program.replace("open_tables(4)", f"open_tables({PIECES})"), {})
    assert printed.getvalue() == expected
