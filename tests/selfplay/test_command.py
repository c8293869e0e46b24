"""The `learn` command: a short life, the same command again, and bad input."""

import json

import pytest
from typer.testing import CliRunner

from clauseboard.cli.main import app
from clauseboard.selfplay.games import LearningStore

SMALL = [
    f"--set={text}"
    for text in (
        "size=3", "begin=random", "games=6", "match_games=4", "n_clauses=10", "epochs=1",
        "kept=40", "move_clauses=0",
    )
]  # fmt: skip


def run(*arguments):
    return CliRunner().invoke(app, ["learn", *arguments], catch_exceptions=True)


def test_a_short_life_and_its_second_part(tmp_path):
    out, plot = tmp_path / "life", tmp_path / "life.svg"
    done = run("hex", *SMALL, "--out", str(out), "--rounds", "1", "--plot", str(plot))
    assert done.exit_code == 0, done.output
    assert "round 1:" in done.stdout
    assert plot.read_text("utf-8").startswith("<svg")
    again = run("hex", *SMALL, "--out", str(out), "--rounds", "1", "--json")
    page = json.loads(again.stdout)
    assert [one["round"] for one in page["rounds"]] == [1, 2]
    assert page["player"] == "random" or page["player"].startswith("tsetlin:machine=")


def test_other_settings_are_refused(tmp_path):
    out = tmp_path / "life"
    assert run("hex", *SMALL, "--out", str(out), "--hours", "0").exit_code == 0
    other = run("hex", *SMALL, "--set=window=2", "--out", str(out))
    assert isinstance(other.exception, ValueError)
    assert "was begun with window=4, not 2" in str(other.exception)


def test_settings_that_are_not_named_are_those_of_the_file(tmp_path):
    out = tmp_path / "life"
    assert run("hex", *SMALL, "--out", str(out), "--hours", "0").exit_code == 0
    again = run("hex", "--set=size=3", "--out", str(out), "--rounds", "1")
    assert again.exit_code == 0, again.output
    with LearningStore(out) as store:
        assert len(store.match_games(1)) == 4


def test_a_life_goes_on_with_other_settings(tmp_path):
    out = tmp_path / "life"
    assert run("hex", *SMALL, "--out", str(out), "--rounds", "1").exit_code == 0
    with LearningStore(out) as store:
        first = store.generation(1), store.match_games(1)
    fewer = ("--set=size=3", "--set=match_games=2", "--out", str(out))
    refused = run("hex", *fewer, "--rounds", "1")
    assert "was begun with match_games=4, not 2" in str(refused.exception)
    assert "--change" in str(refused.exception)
    done = run("hex", *fewer, "--rounds", "1", "--change", "--json")
    page = json.loads(done.stdout)
    assert page["changes"] == {"2": {"match_games": 2}}
    with LearningStore(out) as store:
        assert (store.generation(1), store.match_games(1)) == first
        assert len(store.match_games(2)) == 2
    told = run("hex", *fewer, "--hours", "0", "--change").stdout
    assert "from round 2 on: match_games=2" in told
    other_game = run("hex", "--set=size=4", "--out", str(out), "--change")
    assert "was begun with load_game('hex', size=3)" in str(other_game.exception)


def test_a_file_from_before_there_was_a_setting(tmp_path):
    out = tmp_path / "life"
    assert run("hex", *SMALL, "--out", str(out), "--hours", "0").exit_code == 0
    with LearningStore(out) as store:
        kept = store.plans()[1]
        del kept["only_there"]
        store.set_plan(kept)
    refused = run("hex", "--set=size=3", "--out", str(out))
    assert "begun when there was no setting only_there" in str(refused.exception)
    done = run("hex", "--set=size=3", "--out", str(out), "--rounds", "1", "--change")
    assert done.exit_code == 0, done.output


def test_a_file_that_is_not_named_is_in_this_folder_and_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("hex", *SMALL, "--hours", "0")
    assert done.exit_code == 0, done.output
    assert "Games and machines are kept in hex-size3.learn." in done.stderr
    refused = run("hex", "--set=size=4", "--set=dance=3", "--hours", "0")
    assert "There is no setting 'dance'" in str(refused.exception)
    assert "are kept in" not in refused.stderr
    with LearningStore(tmp_path / "hex-size3.learn") as store:
        assert store.plans()[1]["game"] == "load_game('hex', size=3)"
    # The same command goes on in the same file; another size has another one.
    assert run("hex", *SMALL, "--rounds", "1").exit_code == 0
    with LearningStore(tmp_path / "hex-size3.learn") as store:
        assert store.decided() == 1
    assert run("hex", *SMALL, "--set=size=2", "--hours", "0").exit_code == 0
    assert (tmp_path / "hex-size2.learn").exists()


def test_settings_have_other_names_in_files_and_both_are_read(tmp_path):
    out = tmp_path / "life"
    assert (
        run("hex", *SMALL, "--set=random_moves=3", "--out", str(out), "--hours", "0").exit_code == 0
    )
    with LearningStore(out) as store:
        kept = store.plans()[1]
    assert kept["drawn"] == 3
    assert {"deck", "asides"} <= set(kept)
    assert not {"random_moves", "openings", "off_path_positions"} & set(kept)
    again = run("hex", "--set=size=3", "--set=drawn=3", "--out", str(out), "--hours", "0")
    assert again.exit_code == 0, again.output
    assert "random_moves=3" in run("hex", "--set=drawn=3", "--settings").stdout


def test_wrong_settings_leave_no_file(tmp_path):
    out = tmp_path / "life"
    assert isinstance(run("hex", "--set=window=0", "--out", str(out)).exception, ValueError)
    assert not out.exists()


def test_settings_are_listed():
    shown = run("checkers", "--settings").stdout
    assert "begin=material:depth=6" in shown


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chess", "--out", "x"), "There is no game 'chess'"),
        (("hex", "--set", "wit=3", "--out", "x"), "no setting 'wit'"),
    ],
)
def test_bad_input(arguments, told):
    done = run(*arguments)
    assert isinstance(done.exception, ValueError)
    assert told in str(done.exception)
