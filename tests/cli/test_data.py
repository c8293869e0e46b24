"""The command `data`: building and showing data sets, as text and JSON, and bad input."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from clauseboard.cli.main import app
from clauseboard.datasets import load_dataset
from naive import datasets as naive


def run(*arguments):
    return CliRunner().invoke(app, ["data", *map(str, arguments)])


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.pdn"
    odd = '[Result "1-0"]\n1. 11-15 22-17 {White forfeited.} 1-0\n\n'
    path.write_text(naive.as_pdn(naive.random_games(seed=1, n_games=40)) + odd)
    return path


@pytest.fixture
def made(games, tmp_path):
    out = tmp_path / "made.npz"
    done = run("build", "checkers", "end-second-third", games, "--out", out)
    assert done.exit_code == 0, done.output
    return out


def test_build_in_words(games, tmp_path):
    out = tmp_path / "made.npz"
    done = run("build", "checkers", "standard-end", games, "--unique", "--out", out)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].startswith("standard-end of load_game('checkers'")
    assert lines[0].endswith(f"{len(load_dataset(out)):,} boards of 128 bits")
    command = "clauseboard data build checkers standard-end games.pdn --unique --out made.npz"
    assert f"Command: {command}" in lines
    assert any(line.split() == ["games", "read", "41"] for line in lines)
    assert any(line.split()[-3:] == ["forfeit", "-1", "40"] for line in lines)
    assert lines[-1] == f"Written to {out}."


def test_the_same_command_gives_the_same_bytes(games, tmp_path, made):
    first = made.read_bytes()
    for jobs in ("1", "2"):
        done = run(*("build", "checkers", "end-second-third", games, "--out", made, "--jobs", jobs))
        assert done.exit_code == 0, done.output
        assert made.read_bytes() == first


def test_what_is_true_or_false_has_a_switch(tmp_path):
    out = tmp_path / "made.npz"
    made = {}
    for name, words in {
        "set": ["doubled", "--set", "as_published=true"],
        "switch": ["doubled", "--as-published"],
        "before": ["--as-published", "doubled"],
        "both": ["doubled", "--as-published", "--set", "as_published=true"],
        "without": ["doubled"],
    }.items():
        done = run("build", "hex", *words, "--set", "size=3", "--out", out)
        assert done.exit_code == 0, done.output
        made[name] = load_dataset(out)
    for name in ("switch", "before", "both"):
        assert made[name].manifest["options"] == made["set"].manifest["options"]
        assert made[name].packed.tobytes() == made["set"].packed.tobytes()
    assert made["without"].packed.tobytes() != made["set"].packed.tobytes()
    command = "clauseboard data build hex doubled --as-published --set=size=3 --out made.npz"
    assert made["switch"].manifest["command"] == command


def test_a_switch_turns_off_what_is_usually_on(games, tmp_path):
    out = tmp_path / "made.npz"
    done = run("build", "checkers", "standard-end", games, "--no-strict", "--odd", "--out", out)
    assert done.exit_code == 0, done.output
    options = load_dataset(out).manifest["options"]
    assert (options["strict"], options["odd"]) == (False, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["doubled", "--as-publish"], "no option --as-publish; doubled has --as-publi"),
        (["doubled", "--size"], "no option --size; doubled has --as-published"),
        (["doubled", "--as-published=true"], "There is no option --as-published=true"),
        (["perfect", "--as-published"], "There is no option --as-published; perfect"),
        (["nothing", "--as-published"], "hex has no composition 'nothing'"),
    ],
)
def test_an_unknown_switch_is_refused(words, said, tmp_path):
    done = run("build", "hex", *words, "--out", tmp_path / "made.npz")
    assert isinstance(done.exception, ValueError)
    assert said in str(done.exception)


def test_switches_are_listed():
    done = run("build", "hex")
    assert done.exit_code == 0
    (line,) = [line for line in done.stdout.splitlines() if "doubled" in line]
    assert line.endswith("; --as-published")


def test_a_word_behind_two_dashes_is_a_file(tmp_path):
    done = run("build", "checkers", "standard-end", "--out", tmp_path / "a.npz", "--", "--odd")
    assert done.exit_code != 0
    assert "--odd" in str(done.exception)
    assert "option" not in str(done.exception)


def test_every_option_is_kept(games, tmp_path):
    out, drops = tmp_path / "made.npz", tmp_path / "drops.txt"
    done = run(
        *("build", "checkers", "every-ply", games, "--out", out, "--no-draws", "--folds", "4"),
        *("--seed", "7", "--set", "strict=False", "--drops", drops, "--json"),
    )
    assert done.exit_code == 0, done.output
    page = json.loads(done.stdout)
    manifest = page["manifest"]
    assert manifest == load_dataset(out).manifest
    assert manifest["settings"] == {"unique": False, "draws": False, "n_folds": 4, "seed": 7}
    assert manifest["options"] == {"strict": False, "odd": False, "one_zero": "black"}
    assert manifest["command"].endswith(
        "games.pdn --no-draws --folds=4 --seed=7 --set=strict=False --out made.npz"
    )
    assert page["results"]["draw"] == 0
    assert len(page["folds"]) == 4
    assert "a comment about a forfeit: it says 'White forfeited.'" in drops.read_text()


def test_show(made):
    done = run("show", made, "--boards", "2")
    assert done.exit_code == 0, done.output
    data = load_dataset(made)
    assert "Avg. train/test ratio" in done.stdout
    assert done.stdout.count("to move") == 2
    assert f"fold {data.folds[-1]}" in done.stdout
    assert str(data.position(len(data) - 1)) in done.stdout
    assert run("show", made, "--boards", "0").stdout.count("to move") == 0


def test_show_as_the_other_side_sees_it(made):
    black = json.loads(run("show", made, "--json").stdout)
    white = json.loads(run("show", made, "--json", "--side", "white").stdout)
    assert black["side"] == "black"
    assert black["results"]["win"] == white["results"]["loss"]
    assert black["results"]["draw"] == white["results"]["draw"]
    data = load_dataset(made)
    assert black["results"]["win"] == data.manifest["boards"]["classes"]["black"]
    assert sum(fold["boards"] for fold in black["folds"]) == len(data)
    assert sum(fold["games"] for fold in black["folds"]) == black["games"] == 40
    ratios = [fold["boards"] / (len(data) - fold["boards"]) for fold in black["folds"]]
    assert black["mean_test_to_train"] == pytest.approx(sum(ratios) / 10)


def test_show_the_table_as_it_was_published(tmp_path):
    path, out = tmp_path / "games.pdn", tmp_path / "made.npz"
    results = ["0-1"] * 42 + ["1-0"] * 32 + ["1/2-1/2"] * 126
    moves = "1. 11-15 22-17"
    path.write_text("".join(f"{moves} {result}\n\n" for result in results))
    done = run("build", "checkers", "standard-end", path, "--out", out)
    assert ["200", "11.11%", "21.0%", "16.0%", "63.0%"] in [
        line.split() for line in done.stdout.splitlines()
    ]
    assert ["Win", "32", "16.00", "%"] in [line.split() for line in done.stdout.splitlines()]
    assert "199 boards are duplicates of others, 197 of others with the same result." in done.stdout
    assert "1 boards are in several folds, in 200 rows." in done.stdout


def test_metadata_is_shown_by_its_bits(games, tmp_path):
    out = tmp_path / "made.npz"
    assert run("build", "checkers", "metadata", games, "--out", out).exit_code == 0
    assert "  own men: digit " in run("show", out).stdout


def test_a_game_alone_lists_its_compositions():
    done = run("build", "checkers")
    assert done.exit_code == 0
    for name in ("standard-end", "end-second-third", "end-to-eight", "metadata", "every-ply"):
        assert f"  {name} " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chess",), "chess has no data sets; games that have: checkers"),
        (("checkers", "middle"), "checkers has no composition 'middle'"),
        (("checkers", "standard-end", "FILE"), "--out FILE.npz"),
        (("checkers", "standard-end", "FILE", "--out", "x.csv"), "ends in .npz"),
        (("checkers", "standard-end", "FILE", "--out", "no/x.npz"), "there is no folder no"),
        (("checkers", "standard-end", "FILE", "--out", "x.npz", "--drops", "no/x"), "no folder no"),
        (("checkers", "standard-end", "--out", "x.npz"), "made from files of games"),
        (
            ("checkers", "standard-end", "none.pdn", "--out", "x.npz"),
            "no file or folder 'none.pdn'",
        ),
        (("checkers", "standard-end", "FILE", "--out", "x.npz", "--set", "a"), "not a parameter"),
        (("checkers", "standard-end", "FILE", "--out", "x.npz", "--set", "a=1"), "no option 'a'"),
        (("checkers", "standard-end", "FILE", "--out", "x.npz", "--folds", "1"), "n_folds=1"),
    ],
)
def test_bad_input_is_a_sentence(arguments, told, games, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("build", *(str(games) if word == "FILE" else word for word in arguments))
    with pytest.raises((ValueError, OSError), match=told):
        raise done.exception
    assert not (tmp_path / "x.npz").exists()


def test_what_was_dropped_is_told_even_if_nothing_is_left(tmp_path):
    path, drops = tmp_path / "games.pdn", tmp_path / "drops.txt"
    path.write_text("1. 11-15 22-4 1-0\n")
    done = run(
        *("build", "checkers", "standard-end", path, "--out", tmp_path / "x.npz"),
        *("--drops", drops),
    )
    assert "No board is left" in str(done.exception)
    assert "line 1: a move that is not legal" in drops.read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("no.npz",), "There is no file 'no.npz'"),
        (("FILE", "--side", "red"), "'red' is not a colour"),
    ],
)
def test_what_cannot_be_shown(arguments, told, made):
    done = run("show", *(made if word == "FILE" else word for word in arguments))
    assert told in str(done.exception)


def test_bad_input_has_exit_status_2_and_no_traceback(games):
    command = [sys.executable, "-m", "clauseboard", "data", "show"]
    done = subprocess.run([*command, str(games)], capture_output=True, text=True)
    assert done.returncode == 2
    assert (
        done.stderr
        == f"clauseboard: {games} is a file of another kind, not a clauseboard data set.\n"
    )


@pytest.mark.parametrize("command", ["build", "show"])
def test_help_has_an_example(command):
    done = run(command, "--help")
    assert f"Example: clauseboard data {command} " in done.output
