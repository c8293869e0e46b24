"""Games played for data: openings, sound records, going on, and the command with its errors."""

import json
import sys
from collections import Counter

import pytest
from typer.testing import CliRunner

from clauseboard.arena.match import Match, MatchResult
from clauseboard.arena.playing import GameRecord
from clauseboard.cli.main import app
from clauseboard.datasets.dataset import load_dataset
from clauseboard.datasets.generating import (
    random_openings,
    unsound,
    usual_player,
    write_records,
)
from clauseboard.game import Ending, load_game
from clauseboard.games.go.records import read_archive as read_go
from clauseboard.games.hex.records import read_archive as read_hex

HEX = load_game("hex", size=4)


def run(*arguments):
    return CliRunner().invoke(app, ["data", "generate", *map(str, arguments)])


def failed(*arguments):
    """What a command that is refused says."""
    done = run(*arguments)
    assert done.exit_code != 0
    assert isinstance(done.exception, ValueError | OSError), done.exception
    return str(done.exception)


# ---------------------------------------------------------------------------- openings


@pytest.mark.parametrize("name", ["checkers", "go", "hex"])
@pytest.mark.parametrize("n_moves", [0, 1, 4])
def test_random_openings_are_legal_and_differ(name, n_moves):
    game = load_game(name)
    openings = random_openings(game, n_moves, seed=3, most=40)
    assert len(set(openings)) == len(openings)
    assert len(openings) == (40 if n_moves == 4 else len(openings)) <= 40
    for opening in openings:
        assert len(opening) == n_moves
        position = game.start()
        for text in opening:
            position = position.play(position.read_move(text))
        assert position.outcome() is None
    assert openings == random_openings(game, n_moves, seed=3, most=40)
    if n_moves == 4:
        assert openings != random_openings(game, n_moves, seed=4, most=40)


def test_every_opening_is_found_where_there_are_few():
    assert len(random_openings(HEX, 1, seed=1)) == 16
    assert random_openings(HEX, 0, seed=1) == [()]


def test_openings_that_end_every_game():
    with pytest.raises(ValueError, match="goes on after 4 random moves; ask for fewer"):
        random_openings(load_game("hex", size=2), 4, seed=1)
    for wrong in (-1, 1.5, True):
        with pytest.raises(ValueError, match=f"n_moves={wrong}"):
            random_openings(HEX, wrong, seed=1)


def test_usual_players_play_their_game():
    assert usual_player(load_game("checkers")).startswith("material")
    assert usual_player(load_game("go")).startswith("rollouts")
    assert usual_player(HEX).startswith("rollouts")


# ---------------------------------------------------------------------------- records


def record(number, moves, winner, reason, ending):
    return GameRecord(
        number, ("ann", "bob"), 1, tuple(moves.split()), winner, reason, ending=ending
    )


def test_only_sound_games_are_written(tmp_path):
    ends = {
        ("red connected top and bottom", Ending.CONNECTED): "",
        ("blue gave up", Ending.RESIGNATION): "",
        ("blue failed with EngineError: it died", Ending.FAILURE): "a player failed",
        ("red offered an illegal move, a1: taken", Ending.ILLEGAL_MOVE): "an illegal move",
        ("2000 moves played, and no end", Ending.UNFINISHED): "no end",
    }
    for end, why in ends.items():
        assert unsound(record(0, "a1", "red", *end)) == why
    moves = "b1 a1 b2 a2 b3 a3 b4"
    games = [record(n, moves, "red", *end) for n, end in enumerate(ends)]
    result = MatchResult(Match(HEX, ("random", "random")), tuple(games))
    written = write_records(result, tmp_path / "games.sgf")
    assert written.games == 2
    assert written.repeats == 1
    assert written.left_out == Counter({"a player failed": 1, "an illegal move": 1, "no end": 1})
    found = list(read_hex(tmp_path / "games.sgf"))
    assert [" ".join(map(str, game.moves)) for game in found] == [moves, moves]
    assert [game.outcome.winner for game in found] == ["red", "red"]
    with pytest.raises(ValueError, match=r"Games of hex go to a file named \*\.sgf or \*\.hsgf"):
        write_records(result, tmp_path / "games.pdn")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.sgf"]


# ---------------------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("words", "records", "data"),
    [
        (["checkers"], "games.pdn", "standard-end.npz"),
        (["go", "--set", "size=5"], "games.sgf", "end.npz"),
        (["hex", "--set", "size=4", "--opening-moves", "2"], "games.sgf", "games.npz"),
    ],
)
def test_games_of_every_kind(tmp_path, words, records, data):
    done = run(
        words[0], "random", *words[1:], "--games", 12, "--folds", 3, "--out", tmp_path, "--json"
    )
    assert done.exit_code == 0, done.output
    page = json.loads(done.stdout)
    assert page["games"] == 12
    assert page["left_out"] == page["dropped"] == {}
    assert (tmp_path / records).is_file()
    made = load_dataset(tmp_path / data)
    assert len(made) == page["boards"] >= 12
    assert len(set(made.games.tolist())) == 12
    assert made.n_folds == 3
    assert made.manifest["command"].startswith(f"clauseboard data build {words[0]} ")


def test_the_same_command_goes_on_and_jobs_change_nothing(tmp_path):
    words = ("hex", "random", "--set", "size=4", "--opening-moves", 1)
    for folder, counts in (("a", [(4, 1), (10, 1)]), ("b", [(10, 2)])):
        for games, jobs in counts:
            done = run(
                *words, "--games", games, "--jobs", jobs, "--out", tmp_path / folder, "--folds", 2
            )
            assert done.exit_code == 0, done.output
    one, other = (tmp_path / folder for folder in "ab")
    assert (one / "games.sgf").read_bytes() == (other / "games.sgf").read_bytes()
    assert (one / "games.npz").read_bytes() == (other / "games.npz").read_bytes()
    assert len(list(read_hex(one / "games.sgf"))) == 10


def test_a_composition_and_its_options(tmp_path):
    done = run(
        "go", "random", "--set", "size=5", "--games", 8, "--folds", 2, "--composition", "after",
        "--option", "moves=5", "--out", tmp_path,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "8 games of random against random, from 2,000 openings." in done.output
    assert "Data set:" in done.output
    made = load_dataset(tmp_path / "after.npz")
    assert set(made.plies.tolist()) == {5}
    assert made.game.size == 5
    assert len(list(read_go(tmp_path / "games.sgf"))) == 8


def engine(tmp_path, move="genmove"):
    """How to start a program that plays the first empty point, or breaks the rules."""
    source = tmp_path / "engine.py"
    source.write_text(
        "import sys\n"
        "taken = set()\n"
        "for line in sys.stdin:\n"
        "    number, name, *rest = (line.split() + ['', ''])\n"
        "    if name == 'clear_board': taken = set()\n"
        "    if name == 'play': taken.add(rest[1].lower())\n"
        "    if name == 'undo': taken = set()\n"
        "    answer = ''\n"
        "    if name == 'protocol_version': answer = '2'\n"
        "    if name == 'name': answer = 'first'\n"
        f"    if name == '{move}':\n"
        "        cells = [f'{c}{r}' for r in range(1, 5) for c in 'abcd']\n"
        "        answer = next(c for c in cells if c not in taken)\n"
        "        taken.add(answer)\n"
        "    elif name == 'genmove': answer = 'nonsense'\n"
        "    print(f'={number} {answer}\\n', flush=True)\n"
        "    if name == 'quit': break\n"
    )
    return f"{sys.executable} {source}"


def test_an_engine_plays(tmp_path):
    words = ("hex", "--set", "size=4", "--games", 4, "--folds", 2, "--opening-moves", 1)
    done = run(*words, "--engine", engine(tmp_path), "--out", tmp_path / "out", "--json")
    assert done.exit_code == 0, done.output
    page = json.loads(done.stdout)
    assert page["left_out"] == {}
    assert all(player.startswith("engine:command=") for player in page["players"])
    for game in read_hex(tmp_path / "out" / "games.sgf"):
        chosen = [str(move) for move in game.moves[1:]]
        assert chosen == sorted(chosen, key=lambda cell: (cell[1], cell[0]))
    mixed = run(
        *words, "random", "--engine", engine(tmp_path), "--out", tmp_path / "mixed", "--json"
    )
    assert json.loads(mixed.stdout)["players"][1] == "random"


def test_an_engine_that_talks_nonsense_leaves_no_games(tmp_path):
    words = ("hex", "--set", "size=4", "--games", 2, "--engine", engine(tmp_path, "never"))
    said = failed(*words, "--out", tmp_path / "out")
    assert said.startswith("None of 2 games is one to learn from; the first ended with: ")
    assert "nonsense" in said


def test_bad_input(tmp_path):
    assert "There is no game 'chess'" in failed("chess", "--out", tmp_path)
    assert "--out FOLDER" in failed("hex")
    assert "There is no player 'nobody'" in failed("hex", "nobody", "--out", tmp_path / "a")
    assert "hex has no composition 'x'" in failed("hex", "--composition", "x", "--out", tmp_path)
    assert "perfect generates its own games" in failed(
        "hex", "--composition", "perfect", "--set", "size=4", "--out", tmp_path
    )
    assert "at most one other player" in failed(
        "hex", "random", "random", "--engine", "x", "--out", tmp_path
    )
    assert "Openings are 'none', 'all'" in failed(
        "hex", "random", "--openings", "nowhere.txt", "--out", tmp_path
    )
