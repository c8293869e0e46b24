"""The commands `match` and `tournament`: what they print, as text and JSON, and bad input."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from clauseboard.arena.playing import MatchStore
from clauseboard.cli import common
from clauseboard.cli.main import app
from clauseboard.player import Choice, Player


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def match(*arguments):
    return run("match", *arguments)


def test_random_checkers_in_words():
    done = match("checkers", "random", "random", "--games", "20")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("20 games of checkers: random (1) against random (2)\n")
    assert re.search(r"Time taken: \d+\.\d\d seconds\.", done.stdout)
    counts = re.findall(r"(Black won|White won|Drawn) +(\d+) times = +([\d.]+) %", done.stdout)
    assert sum(int(count) for _, count, _ in counts) == 20
    assert sum(float(share) for *_, share in counts) == pytest.approx(100)
    assert "No game was played twice." in done.stdout


def test_json_says_the_same_and_more():
    done = match("hex", "random", "random", "--games", "10", "--set", "size=3", "--json")
    page = json.loads(done.stdout)
    assert page["game"] == "load_game('hex', size=3)"
    assert page["games"] == 10
    assert sum(page["reasons"].values()) == 10
    one, two = page["results"]
    assert one["wins"] == two["losses"]
    assert page["score"]["score"] == one["wins"] / 10
    assert page["score"]["low"] < page["score"]["score"] < page["score"]["high"]


def result_of(*arguments):
    page = json.loads(match(*arguments, "--json").stdout)
    return {name: page[name] for name in page if name not in ("seconds", "match")}


def test_one_seed_one_result():
    plain = ("go", "random", "random", "--set", "size=3", "--set", "max_moves=20", "--games", "6")
    assert result_of(*plain) == result_of(*plain) == result_of(*plain, "--jobs", "2")
    averages = {result_of(*plain, "--seed", str(seed))["average_length"] for seed in (1, 2, 3)}
    assert len(averages) > 1


def test_json_is_all_there_is_on_standard_output():
    arguments = ["match", "hex", "person", "random", "--games", "2", "--set", "size=2", "--json"]
    done = CliRunner().invoke(app, arguments, input="a1\n")
    assert json.loads(done.stdout)["games"] == 2
    assert "You play red." in done.stderr


@pytest.mark.parametrize("value", ["true", "True"])
def test_a_parameter_that_is_true(value):
    arguments = ("hex", "random", "random", "--games", "2", "--set", "size=3")
    assert result_of(*arguments, "--set", f"swap={value}")["game"].endswith("swap=True)")


@pytest.mark.parametrize("games", ["1", "2", "5"])
def test_so_many_games(games):
    assert result_of("hex", "random", "random", "--games", games)["games"] == int(games)


@pytest.mark.parametrize(("openings", "count"), [("all", 9), ("4", 4), ("none", 1)])
def test_openings(openings, count):
    page = result_of(
        "hex", "random", "random", "--set", "size=3", "--openings", openings, "--games", "4"
    )
    assert len(page["openings"]) == count


def test_limits_are_noted():
    page = result_of(
        *("hex", "random", "random", "--games", "2", "--seconds", "2.5", "--depth", "3"),
        *("--nodes", "1000", "--simulations", "7"),
    )
    assert page["limit"] == {"seconds": 2.5, "depth": 3, "nodes": 1000, "simulations": 7}


def test_files(tmp_path):
    files = [tmp_path / name for name in ("games.sqlite", "games.pdn", "result.md")]
    options = [
        *("--save", str(files[0]), "--games-to", str(files[1]), "--report", str(files[2])),
    ]
    done = match("checkers", "random", "random", "--games", "4", *options)
    assert done.exit_code == 0, done.output
    more = match("checkers", "random", "random", "--games", "6", *options)
    assert more.exit_code == 0, more.output
    with MatchStore(files[0]) as store:
        ((name, settings),) = store.matches().items()
        assert [game.number for game in store.games(name)] == list(range(6))
        assert settings["players"] == ["random", "random"]
    assert files[1].read_text().count("[Event ") == 6
    assert "| random (1) |" in files[2].read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chess", "random", "random"), "There is no game 'chess'"),
        (("hex", "random", "nobody"), "There is no player 'nobody'"),
        (("hex", "random", "random", "--set", "size"), "'size' is not a parameter"),
        (("hex", "random", "random", "--openings", "some"), "'some' is none"),
        (("go", "random", "random", "--openings", "all"), "go has no openings of its own"),
        (("hex", "random", "random", "--seconds", "0"), "seconds=0.0 must be a number > 0"),
        (("hex", "random", "random", "--depth", "0"), "depth=0 must be an integer"),
        (("hex", "random", "random", "--games-to", "x.pdn"), "go to a file named *.sgf or .hsgf"),
        (("hex", "random", "random", "--save", "no/x.sqlite"), "there is no folder no"),
        (("hex", "random", "random", "--report", "no/x.md"), "no folder no for the report"),
        (("hex", "random", "random", "--report", "."), "is a folder; give a file name"),
    ],
)
@pytest.mark.parametrize("command", ["match", "tournament"])
def test_bad_input_is_a_sentence(command, arguments, told):
    game, one, two, *options = arguments
    # In a tournament everyone is there once.
    one = "always-win" if command == "tournament" else one
    done = run(command, game, one, two, *options)
    assert isinstance(done.exception, ValueError | OSError)
    assert told in str(done.exception)


@pytest.mark.parametrize("option", ["--games", "--jobs"])
def test_numbers_from_one_on(option):
    done = match("hex", "random", "random", option, "0")
    assert done.exit_code == 2


def test_bad_input_has_exit_status_2_and_no_traceback():
    command = [sys.executable, "-m", "clauseboard", "match", "hex"]
    done = subprocess.run([*command, "random", "nobody"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("clauseboard: There is no player 'nobody'")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("place", [0, 1])
def test_an_engine_that_is_not_there_is_told_before_any_game(place, tmp_path):
    players = ["random", "random"]
    players[place] = "engine:command='no-such-program --gtp'"
    saved = tmp_path / "games.sqlite"
    done = match("go", *players, "--games", "2", "--set", "size=5", "--save", str(saved))
    assert isinstance(done.exception, ValueError)
    assert "'no-such-program' cannot be started: there is no such program" in str(done.exception)
    assert done.output == ""


NOTED = """
import pathlib, sys
from clauseboard.cli import main, match

count = match._Score.add
def count_and_note(self, place, game):
    count(self, place, game)
    note.touch()
match._Score.add = count_and_note
note = pathlib.Path(sys.argv.pop(1))
main.run()
"""
"""The program, which makes a file when the first game has ended."""


@pytest.mark.parametrize(
    ("jobs", "save"),
    [
        (2, True),
        (1, False),
        pytest.param(1, True, marks=pytest.mark.long),
        pytest.param(2, False, marks=pytest.mark.long),
    ],
)
def test_ctrl_c_leaves_things_whole_and_says_how_to_go_on(tmp_path, jobs, save):
    path, played = tmp_path / "games.sqlite", tmp_path / "played"
    command = [sys.executable, "-c", NOTED, str(played), "match"]
    command += ["checkers", "random", "random", "--games", "1000000", "--jobs", str(jobs)]
    command += ["--save", str(path)] if save else []
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 300
    while not played.exists() or (save and n_games(path) < 3):
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "Traceback" not in said
    if save:
        kept = re.search(
            r"([\d,]+) games of this run are kept in .*; the same command resumes", said
        )
        assert int(kept[1].replace(",", "")) in (n_games(path), n_games(path) - 1)
    else:
        assert re.search(r"[\d,]+ games were played and not kept; --save FILE.sqlite", said)


def n_games(path):
    """How many games are in a file, if it is one by now."""
    if not path.exists() or path.stat().st_size == 0:
        return 0
    with MatchStore(path) as store:
        return sum(len(store.games(name)) for name in store.matches())


# ---- tournaments


class Quitter(Player):
    """Gives up at once."""

    name = "quitter"

    def choose(self, position, limit=None):
        return Choice(None, resigns=True)


def test_a_tournament_in_words_and_json(tmp_path, monkeypatch):
    read_player = common.read_player

    def make(text, game):
        return Quitter() if text == "quitter" else read_player(text, game)

    monkeypatch.setattr(common, "read_player", make)
    report = tmp_path / "result.md"
    arguments = ["hex", "random", "quitter", "--set", "size=2", "--games", "4", "--itself"]
    done = run("tournament", *arguments, "--report", str(report))
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("12 games of hex, size=2 in ")
    for title in ("Ratings in Elo points", "Results, wins-losses", "Average number of moves"):
        assert title in done.stdout
    assert "| 1 random |" in report.read_text()
    page = json.loads(run("tournament", *arguments, "--json").stdout)
    assert page["players"] == ["random", "quitter"]
    assert page["results"][0][1] == {"wins": 2, "draws": 0, "losses": 0}
    assert page["results"][1][0] == {"wins": 0, "draws": 0, "losses": 2}
    assert [len(row) for row in page["lengths"]] == [2, 2]
    assert {row["player"] for row in page["ratings"]} == {"random", "quitter"}


def test_long_names_are_not_cut_off(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    one = "rollouts:simulations=2,rollouts=1,exploration=1.25"
    done = run("tournament", "hex", one, f"{one}0", "--set", "size=2", "--games", "2")
    assert done.exit_code == 0, done.output
    assert "…" not in done.stdout


@pytest.mark.parametrize(
    ("players", "told"),
    [(["random"], "two players or more"), (["random", "random"], "'random' is there twice")],
)
def test_no_tournament(players, told):
    done = run("tournament", "hex", *players)
    assert isinstance(done.exception, ValueError)
    assert told in str(done.exception)


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_help_has_an_example(command):
    done = run(command, "--help")
    assert f"Example: clauseboard {command} " in done.output


# ------------------------------------------------------------------ endgame tables


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """An empty folder for tables: of two pieces, and large ones of three."""
    from clauseboard.games.checkers import endgame_tables, endgames

    monkeypatch.setenv("CLAUSEBOARD_ENDGAME_PIECES", "5")
    monkeypatch.setattr(endgame_tables, "tables_folder", lambda: tmp_path)
    monkeypatch.setattr(endgames, "SMALL", 2)
    monkeypatch.setattr(endgames, "LARGE", 3)
    yield tmp_path
    endgames._large.forget()


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_a_match_makes_large_endgame_tables_before_its_games(tables, command):
    from clauseboard.games.checkers import endgames

    done = run(command, "checkers", "material:depth=1", "random", "--games", "2")
    assert done.exit_code == 0, done.output
    assert (tables / "up-to-3-pieces.table").exists()
    assert endgames.tables_in_use().pieces == 3


@pytest.mark.parametrize("player", ["random", "material:depth=1,endgames=false"])
def test_players_that_look_into_no_tables_need_none(tables, player):
    done = match("checkers", player, "random", "--games", "2")
    assert done.exit_code == 0, done.output
    assert list(tables.iterdir()) == []


def test_a_match_goes_on_where_tables_have_no_room(tables, monkeypatch, capsys):
    from clauseboard.cli import common
    from clauseboard.games.checkers import endgame_tables, endgames

    endgame_tables.build_tables(2, tables)
    monkeypatch.setattr(endgame_tables, "_available_memory", lambda: 1)
    common.say_once.cache_clear()
    done = match("checkers", "material:depth=1", "material:depth=1", "--games", "2")
    assert done.exit_code == 0, done.output
    told = done.output + done.stderr + capsys.readouterr().err
    assert told.count("0 MB are free. The endgame tables of four pieces are used instead.") >= 1
    assert endgames.tables_in_use().pieces == 2
