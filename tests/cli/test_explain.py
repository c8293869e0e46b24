"""The `explain` command: positions, why not, whole games, clauses; every format, and bad input."""

import json
import random
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

from clauseboard.cli.main import app
from clauseboard.game import Outcome
from clauseboard.games.plugins import RECORDS
from naive.machines import played, small_game, small_machine

GAMES = ("checkers", "go", "hex")
every = pytest.mark.parametrize("name", GAMES)
SIZES = {"checkers": [], "go": ["--set", "size=4"], "hex": ["--set", "size=4"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Machines of all games in files, and a game of each."""
    found = tmp_path_factory.mktemp("explain")
    for name in GAMES:
        game = small_game(name)
        small_machine(game).save(found / f"{name}.tm")
        draw, position, moves = random.Random(1), game.start(), []
        while position.outcome() is None and len(moves) < 8:
            moves.append(draw.choice(position.moves()))
            position = position.play(moves[-1])
        records = RECORDS.of(game)
        players = dict(zip(game.colours, ("A&B", "C"), strict=True))
        text = records.write_game(
            game, moves, Outcome(game.colours[1], "given up"), players, "test", 1
        )
        (found / f"{name}{records.SUFFIXES[0]}").write_text(text)
    return found


def run(*arguments):
    return CliRunner().invoke(app, ["explain", *map(str, arguments)])


def asked(folder, name, *more):
    player = f"tsetlin:machine={folder / name}.tm,depth=1"
    return run(name, *SIZES[name], "--player", player, *more)


def well_formed(html):
    return ElementTree.fromstring(html.strip().removeprefix("<!DOCTYPE html>"))


@every
def test_every_format_tells_of_the_same_board(folder, name, tmp_path):
    page = json.loads(asked(folder, name, "--json").stdout)
    text = asked(folder, name, "--clauses").stdout
    assert f"The board after {page['line'][0]}, judged by Tsetlin Machine" in text
    brief = asked(folder, name).stdout
    assert text.startswith(brief.rstrip())
    assert brief.startswith(f"{page['headline']}\n")
    assert round(sum(line["points"] for line in page["lines"]), 2) == page["verdict"]["total"]
    assert page["move"] == page["line"][0]
    for line in page["lines"]:
        assert line["text"] in brief
    for row in page["votes"]:
        assert f"{row['votes']:+,} for {row['winner'] or 'a draw'}" in text
        reasons = [one["votes"] for one in page["reasons"] if one["winner"] == row["winner"]]
        assert sum(reasons) == row["votes"]
    assert page["reasons"][0]["text"] in asked(folder, name, "--most", 1).stdout
    assert (
        f"## The board after {page['line'][0]}"
        in asked(folder, name, "--format", "markdown").stdout
    )
    assert well_formed(asked(folder, name, "--format", "svg").stdout).tag.endswith("svg")
    out = tmp_path / "why.html"
    done = asked(folder, name, "--out", out)
    assert (done.exit_code, done.stdout) == (0, "")
    assert well_formed(out.read_text("utf-8")).find("body/h1").text == f"Why {page['line'][0]}?"


@every
def test_why_not_compares_moves(folder, name):
    page = json.loads(asked(folder, name, "--json").stdout)
    start = small_game(name).start()
    others = [text for m in start.moves() if (text := start.write_move(m)) != page["line"][0]][:2]
    more = [word for text in others for word in ("--why-not", text)]
    found = json.loads(asked(folder, name, "--json", *more).stdout)["why_not"]
    assert [one["second"]["line"][0] for one in found] == others
    for one in found:
        lead = sum(
            sign * r["votes"] * (1 if r["winner"] == one["colour"] else -1)
            for key, sign in (("only_first", 1), ("changed", 1), ("only_second", -1))
            for r in one[key]
            if r["winner"] is not None
        )
        assert lead == one["lead"]
    text = asked(folder, name, *more).stdout
    for other in others:
        assert f"\n{page['line'][0]} or {other}? " in text
    assert asked(folder, name, "--format", "markdown", *more).stdout.count("## ") >= 3
    html = well_formed(asked(folder, name, "--format", "html", *more).stdout)
    assert len([e for e in html.iter("h2") if " or " in (e.text or "")]) == 2


def test_positions_and_boards(folder):
    done = asked(folder, "hex", "--position", ".R../.B../..../.... red", "--board")
    assert done.exit_code == 0
    assert "This board, judged by" in done.stdout
    assert "R" in done.stdout
    assert "After" not in done.stdout


def test_a_player_that_counts_pieces_has_terms_and_no_clauses():
    done = run("checkers", "--player", "material", "--depth", 2, "--clauses", "--why-not", "11-16")
    assert done.exit_code == 0, done.output
    assert "They add up to the value for" in done.stdout
    assert "votes for" not in done.stdout


@every
def test_whole_games(folder, name, tmp_path):
    path = next(p for p in folder.iterdir() if p.stem == name and p.suffix in (".pdn", ".sgf"))
    player = f"tsetlin:machine={folder / name}.tm,depth=1,confidence=true"
    text = run("--game", path, "--player", player).stdout
    assert re.match(r"\d+ moves, judged by tsetlin", text)
    out = tmp_path / "game.html"
    assert run("--game", path, "--player", player, "--out", out).exit_code == 0
    assert "A&B" in well_formed(out.read_text("utf-8")).find("body/h1").text
    page = json.loads(run("--game", path, "--player", player, "--json").stdout)
    assert len(page["values"]) == len(page["moves"]) + 1
    drawn = run("--game", path, "--player", player, "--format", "svg").stdout
    assert well_formed(drawn).tag.endswith("svg")
    markdown = run("--game", path, "--player", player, "--format", "markdown").stdout
    points = [(turn["move"], turn["comparison"]) for turn in page["turning_points"]]
    assert len(points) > 0
    for number, comparison in points:
        move, better = (page["moves"][number - 1][key] for key in ("move", "best"))
        told = f"Move {number}: {better} or {move}?"
        assert f"\n\n{told}" in text
        assert f"## {told}" in markdown
        assert comparison["second"]["line"][0] == move
        strongest = max(
            (r for key in ("only_first", "only_second", "changed") for r in comparison[key]),
            key=lambda reason: abs(reason["votes"]) * (reason["winner"] is not None),
            default=None,
        )
        if strongest is not None:
            assert strongest["text"] in text


@pytest.fixture(scope="module")
def data(folder):
    """A data set of Hex boards in a file."""
    from clauseboard.datasets.dataset import DataSet

    game = small_game("hex")
    boards = played(game)[::7]
    positions = [position for position, _ in boards]
    n = len(boards)
    dataset = DataSet(
        game=game,
        bits=game.bits(),
        packed=np.packbits(game.encode(positions), axis=1, bitorder="little"),
        labels=np.array([game.colours.index(winner) for _, winner in boards], np.uint8),
        games=np.arange(n, dtype=np.int64),
        plies=np.zeros(n, np.int32),
        to_move=np.array([game.colours.index(p.to_move) for p in positions], np.uint8),
        folds=np.zeros(n, np.uint8),
        n_folds=2,
        view="board",
        manifest={},
    )
    dataset.save(folder / "hex.npz")
    return folder / "hex.npz", n


@every
def test_clauses_are_counted_while_searching(folder, name):
    path = next(p for p in folder.iterdir() if p.stem == name and p.suffix in (".pdn", ".sgf"))
    player = f"tsetlin:machine={folder / name}.tm,depth=1"
    rows = json.loads(run("--game", path, "--player", player, "--searched", "--json").stdout)
    assert len({row["boards"] for row in rows}) == 1
    assert rows[0]["boards"] >= 8 * 2
    for row in rows:
        right = (row["winner"] == small_game(name).colours[1]) == (row["votes"] > 0)
        assert row["TP"] + row["TN"] == (row["fired"] if right else 0)
    assert "votes for" in run("--game", path, "--player", player, "--searched").stdout
    unknown = folder / f"unknown-{name}{path.suffix}"
    unknown.write_text(
        re.sub(r"RE\[[^]]*\]|1-0|0-1", "*" * (path.suffix == ".pdn"), path.read_text())
    )
    said = run(name, "--game", unknown, "--player", player, "--searched")
    assert "does not say who won" in str(said.exception)


def test_both_machines_of_a_player_are_counted(folder, data):
    path, n = data
    file = folder / "hex.tm"
    by_player = f"tsetlin:red={file},blue={file},by=player"
    rows = json.loads(
        run("hex", *SIZES["hex"], "--player", by_player, "--data", path, "--json").stdout
    )
    one = json.loads(asked(folder, "hex", "--data", path, "--json").stdout)
    assert len(rows) == 2 * len(one)
    assert {row["boards"] for row in rows} == {n}


def test_without_a_player_the_usual_one_is_asked():
    done = run("hex", "--set", "size=3", "--simulations", 20)
    assert done.exit_code == 0, done.output
    assert "judged by 20 simulations" in done.stdout
    # The shipped player, where there is one.
    assert "clauses over concepts" in run("checkers", "--depth", 1).stdout


def test_clauses_are_counted_over_a_data_set(folder, data):
    path, n = data
    rows = json.loads(asked(folder, "hex", "--data", path, "--json").stdout)
    assert {row["boards"] for row in rows} == {n}
    for row in rows:
        assert row["TP"] + row["FP"] + row["TN"] + row["FN"] == row["fired"]
    assert "Votes for, rightly (TP):" in asked(folder, "hex", "--data", path).stdout
    html = asked(folder, "hex", "--data", path, "--format", "html", "--most", 3).stdout
    assert len([e for e in well_formed(html).iter("div") if e.get("class") == "card"]) == 12
    markdown = asked(folder, "hex", "--data", path, "--format", "markdown").stdout
    assert "| votes | clause |" in markdown


def _with(word, files):
    for name, path in files.items():
        word = word.replace(name, str(path))
    return word


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "Give a game (checkers, go, hex)"),
        (("chess",), "There is no game 'chess'"),
        (("hex", "--player", "nobody"), "There is no player 'nobody'"),
        (("hex", "--player", "material"), "no material to count in hex"),
        (("chess", "--game", "PDN"), "There is no game 'chess'; there are 'checkers'"),
        (("checkers", "--player", "person"), "person resigns here"),
        (("checkers", "--out", "FOLDER"), "is a folder; give a file name"),
        (("checkers", "--out", "FOLDER/none/why.html"), "There is no folder"),
        (("checkers", "--out", "why.docx"), "the ending .docx tells no format; there are .txt"),
        (("checkers", "--format", "svg", "--why-not", "12-16"), "--why-not cannot be drawn"),
        (("hex", "--searched"), "--searched needs a game"),
        (("--game", "PDN", "--searched", "--format", "svg"), "A count of clauses cannot be drawn"),
        (("--game", "PDN", "--player", "random", "--searched"), "no clauses to count"),
        (("--game", "EMPTY"), "has no game that can be replayed."),
        (
            ("--game", "BROKEN"),
            "has no game that can be replayed: a move that is not legal, move 1:",
        ),
        (("checkers", "--position", "nonsense"), "nonsense"),
        (("checkers", "--why-not", "1-32"), "1-32"),
        (("checkers", "--position", "B:W:B1"), "no move to choose any more"),
        (("checkers", "--depth", "1", "--why-not", "CHOSEN"), "give another one"),
        (("checkers", "--format", "pdf"), "--format must be one of text, svg, html"),
        (("checkers", "--board", "--why-not", "12-16"), "--why-not cannot be used"),
        (("checkers", "--player", "random", "--board"), "has no evaluator of positions"),
        (("--game", "none.pdn"), "There is no file 'none.pdn'"),
        (("--game", "x.pdn", "--position", "B:W1:B2"), "--position is for one position"),
        (("--game", "x.pdn", "--board"), "--board is for one position"),
        (("--game", "x.pdn", "--data", "y.npz"), "either --game or --data"),
        (("--game", "x.pdn", "--set", "size=3"), "Leave out --set"),
        (("hex", "--player", "random", "--data", "none.npz"), "There is no file 'none.npz'"),
        (("hex", "--data", "x.npz", "--format", "svg"), "cannot be drawn"),
    ],
)
def test_bad_input_is_one_sentence(arguments, told, folder, tmp_path):
    (tmp_path / "broken.pdn").write_text('[Event "x"]\n\n1. 1-2 *\n')
    files = {"PDN": folder / "checkers.pdn", "FOLDER": tmp_path}
    files |= {"EMPTY": tmp_path / "empty.pdn", "BROKEN": tmp_path / "broken.pdn"}
    (tmp_path / "empty.pdn").write_text("")
    arguments = [_with(str(word), files) for word in arguments]
    if "CHOSEN" in arguments:
        page = json.loads(run("checkers", "--depth", 1, "--json").stdout)
        arguments = [page["line"][0] if word == "CHOSEN" else word for word in arguments]
    done = run(*arguments)
    assert isinstance(done.exception, ValueError)
    assert told in str(done.exception)
    assert "\n" not in str(done.exception)


def test_data_of_another_game_or_view_is_refused(folder, data):
    path, _ = data
    player = f"tsetlin:machine={folder / 'hex.tm'}"
    assert "no clauses to count" in str(
        run("hex", *SIZES["hex"], "--player", "random", "--data", path).exception
    )
    wrong = run(
        "go", *SIZES["go"], "--player", f"tsetlin:machine={folder / 'go.tm'}", "--data", path
    )
    assert "has boards of load_game('hex', size=4)" in str(wrong.exception)
    mover = run("hex", *SIZES["hex"], "--player", f"{player},view=mover", "--data", path)
    assert "sees them as 'mover'" in str(mover.exception)
    by_side = run("checkers", "--data", path)
    assert "has boards of" in str(by_side.exception)


def test_it_is_light_to_start():
    """The help needs nothing that takes long to import."""
    done = run("--help")
    assert done.exit_code == 0
    assert "Example: clauseboard explain checkers" in done.output
