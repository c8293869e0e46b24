"""Which endgame tables are used: small ones at first, large ones when they are ready."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from checkers_endings import wait_until

from clauseboard.games.checkers import Checkers, compiled_rules, endgame_tables, endgames
from clauseboard.games.checkers.endgame_tables import build_tables, open_tables, table_path
from clauseboard.games.solving import (
    exact_words,
    make_tables_ready,
    start_tables,
    stop_tables,
    tables_status,
)
from clauseboard.kernels.compiler import JIT_DISABLED

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="large tables need the compiler")

GAME = Checkers()
SETTING = endgames.SETTING


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder; two pieces are small tables here, three are large ones."""
    monkeypatch.setattr(endgame_tables, "tables_folder", lambda: tmp_path)
    monkeypatch.setattr(endgames, "SMALL", 2)
    monkeypatch.setattr(endgames, "LARGE", 3)
    monkeypatch.setenv(SETTING, "5")
    yield tmp_path
    endgames._large.forget()


def position(text, **parameters):
    return Checkers(**parameters).read_position(text)


def test_small_tables_are_used_until_large_ones_are_asked_for(folder):
    assert endgames.tables_in_use().pieces == 2
    assert tables_status(GAME).ready is False
    assert compiled_rules.knowledge_of(GAME) is compiled_rules.knowledge_of(GAME)
    before = compiled_rules.knowledge_of(GAME)
    shares = []
    assert make_tables_ready(GAME, shares.append) is None
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert endgames.tables_in_use().pieces == 3
    assert tables_status(GAME).ready is True
    assert compiled_rules.knowledge_of(GAME)[0] == 3
    assert compiled_rules.knowledge_of(GAME) is not before
    assert endgames.tables_in_use().count_faults() == 0


def test_a_search_looks_into_them_from_its_next_move_on(folder):
    from clauseboard.players import load_player

    there = position("W:WK32,K31:BK1")
    player = load_player("material", GAME)
    for colour in GAME.colours:
        player.begin(GAME, colour, 1)
    assert abs(player.choose(there).value) < 1
    make_tables_ready(GAME)
    assert player.choose(there).value == 1.0


def test_they_are_made_in_the_background(folder):
    start_tables(GAME)
    assert tables_status(GAME).text.startswith("Endgame tables of five pieces: ")
    assert 0 <= tables_status(GAME).share <= 1
    wait_until(lambda: tables_status(GAME).ready)
    assert endgames.tables_in_use().pieces == 3
    assert tables_status(GAME).text == ""
    assert np.array_equal(endgames.tables_in_use().values, open_tables(3, folder).values)


def test_a_process_that_does_not_build_waits_for_another(folder, monkeypatch):
    monkeypatch.setattr(endgames, "LOOK_AGAIN", 0.02)
    start_tables(GAME, build=False)
    time.sleep(0.1)
    assert not table_path(folder, 3).exists()
    assert endgames.tables_in_use().pieces == 2
    build_tables(3, folder)
    wait_until(lambda: tables_status(GAME).ready)
    assert endgames.tables_in_use().pieces == 3


def test_what_is_stopped_leaves_no_process(folder):
    start_tables(GAME)
    wait_until(lambda: endgames._large._builder is not None)
    builder = endgames._large._builder
    stop_tables(GAME)
    assert builder.poll() is not None
    assert not endgames._large.is_busy
    assert tables_status(GAME).text == ""
    start_tables(GAME)
    wait_until(lambda: tables_status(GAME).ready)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_builder_ends_with_its_parent(folder):
    """However that ends; and Ctrl-C, which is meant for the game, does not end it."""
    program = (
        "import time\n"
        "from pathlib import Path\n"
        "from clauseboard.games.checkers import endgames\n"
        "endgames._large._folder = Path(__import__('sys').argv[1])\n"
        "endgames.threading.Thread(target=endgames._large._build_elsewhere, daemon=True).start()\n"
        "while endgames._large._builder is None: time.sleep(0.01)\n"
        "print(endgames._large._builder.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with endgame_tables.locked(table_path(folder, 5), lambda: None):  # so that it waits
        parent = subprocess.Popen(
            [sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE, text=True
        )
        builder = int(parent.stdout.readline())

        def ignores_interrupts():
            status = Path(f"/proc/{builder}/status").read_text()
            mask = int(status.split("SigIgn:")[1].split()[0], 16)
            return bool(mask >> (signal.SIGINT - 1) & 1)

        if sys.platform == "linux":
            wait_until(ignores_interrupts)
        os.kill(builder, 0)
        parent.kill()
        parent.communicate()

        def has_ended():
            try:
                os.kill(builder, 0)
            except ProcessLookupError:
                return True
            with open(f"/proc/{builder}/stat") as file:
                return file.read().rpartition(")")[2].split()[0] == "Z"

        wait_until(has_ended)


def test_they_can_be_forbidden(folder, monkeypatch):
    monkeypatch.setenv(SETTING, "4")
    assert make_tables_ready(GAME) is None
    start_tables(GAME)
    assert tables_status(GAME) == endgames.TablesStatus(False, None, "")
    assert endgames.tables_in_use().pieces == 2
    assert not table_path(folder, 3).exists()
    monkeypatch.setenv(SETTING, "6")
    with pytest.raises(ValueError, match="ENDGAME_PIECES='6' must be 4 or 5"):
        make_tables_ready(GAME)


def test_a_game_in_which_the_blocked_player_draws_needs_none(folder):
    other = Checkers(blocked="draw")
    assert make_tables_ready(other) is None
    start_tables(other)
    assert list(folder.iterdir()) == []
    assert exact_words(position("W:WK32,K31:BK1", blocked="draw")) is None


def test_too_little_room_is_told_and_small_tables_are_used(folder, monkeypatch):
    monkeypatch.setattr(endgame_tables, "_available_memory", lambda: 1)
    sentence = make_tables_ready(GAME)
    assert sentence == (
        "To make the endgame tables takes 269 MB of memory; 0 MB are free. "
        "The endgame tables of four pieces are used instead."
    )
    assert tables_status(GAME).text == sentence
    monkeypatch.setattr(endgame_tables, "_available_memory", lambda: None)
    assert endgames.tables_in_use().pieces == 2


def test_trouble_of_the_other_process_is_told(folder):
    table_path(folder, 3).with_suffix(".lock").mkdir()  # where a file should be
    start_tables(GAME)
    wait_until(lambda: not endgames._large.is_busy)
    text = tables_status(GAME).text
    assert "Is a directory" in text
    assert text.endswith("The endgame tables of four pieces are used instead.")


# ------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("B:W6:BK1", "Black wins in 1 move."),
        ("W:W12:B3", "Black wins in 1 move."),
        ("B:W12:BK7", "Black wins in 2 moves."),
        ("W:WK32,K31:BK1", "White wins in 17 moves."),
        ("B:WK32,K31:BK1", "White wins in 15 moves."),
        ("B:WK32:BK1", "Drawn with best play."),
        ("W:W5:B1", None),  # white is blocked: the game is over
        ("W:WK32,K31,K30:BK1", None),  # more pieces than the tables have
        ("B:W21,22,23,24:B1,2,3,4", None),
    ],
)
def test_how_it_ends_in_words(text, sentence, folder):
    make_tables_ready(GAME)
    assert exact_words(position(text)) == sentence


def test_words_need_tables_that_are_there(folder):
    there = position("W:WK32,K31:BK1")
    assert exact_words(there) is None
    assert list(folder.iterdir()) == []
    build_tables(2, folder)
    assert exact_words(there) is None
    assert exact_words(position("B:W6:BK1")) == "Black wins in 1 move."
    build_tables(3, folder)
    assert exact_words(there) == "White wins in 17 moves."
    assert endgames.tables_in_use().pieces == 2  # a search has not asked for them


def test_a_game_without_tables_has_no_words():
    from clauseboard.game import load_game

    game = load_game("hex", size=3)
    assert exact_words(game.start()) is None
    assert tables_status(game) is None
    assert make_tables_ready(game) is None
    start_tables(game)
    stop_tables(game)


def test_words_know_the_draws_by_counting(folder):
    make_tables_ready(GAME)
    short = position("W:WK32,K31:BK1", quiet_moves=16)
    assert exact_words(short) == (
        "White wins in 17 moves, unless 16 moves without progress make it a draw before."
    )
    assert exact_words(position("W:WK32,K31:BK1", quiet_moves=17)) == "White wins in 17 moves."
    limited = position("W:WK32,K31:BK1", max_moves=20)
    assert exact_words(limited) == (
        "White wins in 17 moves, too late: the game is drawn after 20 moves."
    )
    assert exact_words(position("W:WK32,K31:BK1", max_moves=33)) == "White wins in 17 moves."
