"""Runs of matches: any number of processes, runs that are killed and go on, files of games."""

import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from arena_doubles import make

from clauseboard.arena import playing
from clauseboard.arena.match import Match, run_matches
from clauseboard.arena.playing import MatchStore
from clauseboard.game import load_game
from clauseboard.games.checkers.records import Archive as CheckersArchive
from clauseboard.games.records import Report
from clauseboard.players import read_player
from clusters import cluster

HEX = load_game("hex", size=3)
PLAN = Match(HEX, ("seeded:1", "seeded:2"), 12, seed=4)


def plain(results):
    """GameCounts without the times that they took."""
    return [[dataclasses.replace(game, thoughts=()) for game in result.games] for result in results]


def test_one_process_or_two_play_the_same_games():
    plans = [PLAN, dataclasses.replace(PLAN, players=("seeded:1", "last"))]
    told = []
    one = run_matches(plans, make=make)
    two = run_matches(plans, jobs=2, make=make, on_game=lambda place, game: told.append(place))
    assert plain(one) == plain(two)
    assert sorted(told) == [0] * 12 + [1] * 12


def test_random_players_in_two_processes():
    plan = Match(load_game("checkers"), ("random", "random"), 6)
    assert plain(run_matches([plan])) == plain(run_matches([plan], jobs=2))


@pytest.mark.long
def test_a_cluster_plays_the_same_games(tmp_path, clauseboard):
    pytest.importorskip("distributed")
    plan = Match(load_game("checkers"), ("random", "random"), 6)
    with cluster(tmp_path, 1) as (address, _):
        there = run_matches([plan], cluster=address)
        words = ("match", "checkers", "random", "random", "--games", "6", "--json")
        told = clauseboard(*words, "--cluster", address)
    assert plain(there) == plain(run_matches([plan]))
    here = json.loads(clauseboard(*words).stdout)
    assert json.loads(told.stdout)["results"] == here["results"]


@pytest.mark.parametrize("jobs", [0, -1, 1.5, True])
def test_no_number_of_jobs(jobs):
    with pytest.raises(ValueError, match="must be an integer >= 1"):
        run_matches([PLAN], jobs=jobs, make=make)


def test_a_person_plays_in_this_process_only():
    plan = Match(load_game("hex", size=3), ("random", "person"), 2)
    for where in ({"jobs": 2}, {"cluster": "tcp://127.0.0.1:9"}):
        with pytest.raises(ValueError, match="leave out --jobs and --cluster"):
            run_matches([plan], **where)


def test_players_are_closed_whatever_happens():
    made = []

    def kept(text, game):
        made.append(make(text, game))
        return made[-1]

    run_matches([PLAN], make=kept)
    with pytest.raises(KeyboardInterrupt):
        run_matches([Match(HEX, ("first", "impatient"), 2)], make=kept)
    with pytest.raises(KeyError):
        run_matches([Match(HEX, ("first", "nobody"), 2)], make=kept)
    assert len(made) == 5
    assert all(player.closed for player in made)


def test_a_wrong_player_leaves_no_files(tmp_path):
    with pytest.raises(ValueError, match="nobody"):
        run_matches([Match(HEX, ("random", "nobody"), 2)], games_to=tmp_path / "games.sgf")
    assert list(tmp_path.iterdir()) == []


def test_a_worker_that_is_killed_is_told_of(tmp_path):
    # Only in the workers: this process makes the players, too, to see whether it can.
    parent = os.getpid()

    def deadly(text, game):
        if os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return make(text, game)

    with pytest.raises(OSError, match="was killed"):
        run_matches([PLAN], jobs=2, make=deadly)
    assert plain(run_matches([PLAN], jobs=2, make=make)) == plain(run_matches([PLAN], make=make))


# ---- going on


def test_a_run_goes_on_where_it_was(tmp_path):
    told = []
    with MatchStore(tmp_path / "games.sqlite") as store:
        run_matches([dataclasses.replace(PLAN, n_games=5)], store=store, make=make)
        found = run_matches(
            [PLAN], store=store, make=make, on_game=lambda place, game: told.append(game.number)
        )
        assert told == list(range(5, 12))
        again = run_matches(
            [PLAN], store=store, make=make, on_game=lambda *_: pytest.fail("played")
        )
        fewer = run_matches([dataclasses.replace(PLAN, n_games=3)], store=store, make=make)
    assert plain(found) == plain(again) == plain(run_matches([PLAN], make=make))
    assert [game.number for game in fewer[0].games] == [0, 1, 2]


PROGRAM = """
import sys
sys.path.insert(0, {here!r})
from arena_doubles import make
from clauseboard.arena.match import Match
from clauseboard.arena.match import run_matches
from clauseboard.arena.playing import MatchStore
from clauseboard.game import load_game

plan = Match(load_game("hex", size=3), ("seeded:1", "slow"), 12, seed=4)
with MatchStore({path!r}) as store:
    run_matches([plan], {jobs}, store, {games!r}, make, lambda *_: print("game", flush=True))
"""


def start(folder, jobs=1, games="games.sgf"):
    program = PROGRAM.format(
        here=str(Path(__file__).parent),
        path=str(folder / "games.sqlite"),
        games=games and str(folder / games),
        jobs=jobs,
    )
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize(("after", "jobs"), [(0, 1), (1, 1), (4, 1), (4, 2), (11, 1)])
def test_a_killed_run_goes_on_and_counts_no_game_twice(tmp_path, after, jobs):
    process = start(tmp_path, jobs)
    for _ in range(after):
        assert process.stdout.readline() == "game\n"
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=300)
    process.stdout.close()
    plan = Match(HEX, ("seeded:1", "slow"), 12, seed=4)
    played = []
    with MatchStore(tmp_path / "games.sqlite") as store:
        before = [game.number for game in store.games(plan.id)]
        assert len(before) >= after
        results = run_matches(
            [plan], 1, store, tmp_path / "games.sgf", make, lambda _, game: played.append(game)
        )
        kept = store.games(plan.id)
    assert sorted(before + [game.number for game in played]) == list(range(12))
    assert tuple(kept) == results[0].games
    assert plain(results) == plain(run_matches([plan], make=make))
    # The file of games, too, has each of them once, whatever was half written.
    text = (tmp_path / "games.sgf").read_text()
    assert sorted(int(part.split("]")[0]) for part in text.split("RO[")[1:]) == list(range(1, 13))


def test_two_runs_at_once_count_no_game_twice(tmp_path):
    MatchStore(tmp_path / "games.sqlite").close()
    both = [start(tmp_path, games=None) for _ in range(2)]
    for process in both:
        process.communicate(timeout=300)
        assert process.returncode == 0
    plan = Match(HEX, ("seeded:1", "slow"), 12, seed=4)
    with MatchStore(tmp_path / "games.sqlite") as store:
        assert [game.number for game in store.games(plan.id)] == list(range(12))


# ---- files of games


@pytest.mark.parametrize("parameters", [{}, {"swap": True}])
def test_hex_games_are_read_back(tmp_path, parameters):
    from clauseboard.games.hex.records import read_archive

    game = load_game("hex", size=3, **parameters)
    plan = Match(game, ("seeded:[1]", "resigning"), 6, openings=(("b2", "a1"), ("c1",)))
    (result,) = run_matches([plan], games_to=tmp_path / "games.sgf", make=make)
    report = Report()
    found = list(read_archive(tmp_path / "games.sgf", report))
    assert report.dropped == 0
    check(found, result)
    assert [record.players["red"] for record in found] == [g.players[0] for g in result.games]


def test_go_games_are_read_back(tmp_path):
    from clauseboard.games.go.records import read_archive

    plan = Match(load_game("go", size=3, max_moves=40), ("seeded:1", "seeded:2"), 6)
    (result,) = run_matches([plan], games_to=tmp_path / "games.sgf", make=make)
    found = list(read_archive(tmp_path / "games.sgf"))
    check(found, result)
    assert [record.texts["RO"] for record in found] == ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize(("bad", "result"), [("resigning", "B+R"), ("crashing", "")])
def test_go_games_that_ended_otherwise(tmp_path, bad, result):
    from clauseboard.games.go.records import read_archive

    plan = Match(load_game("go", size=3), ("first", bad), 1)
    run_matches([plan], games_to=tmp_path / "games.sgf", make=make)
    (record,) = read_archive(tmp_path / "games.sgf")
    assert record.result == result


def test_a_go_game_without_end_is_written_as_a_draw(tmp_path):
    from clauseboard.games.go.records import read_archive

    plan = Match(load_game("go", size=3), ("first", "first"), 1, most_moves=3)
    run_matches([plan], games_to=tmp_path / "games.sgf", make=make)
    (record,) = read_archive(tmp_path / "games.sgf")
    assert record.outcome.winner is None


def test_checkers_games_are_read_back(tmp_path):
    plan = Match(load_game("checkers"), ("random", "random"), 6, openings=(("11-15", "23-19"),))
    (result,) = run_matches([plan], games_to=tmp_path / "games.pdn", make=read_player)
    found = CheckersArchive(tmp_path / "games.pdn")
    records = list(found)
    check(records, result)
    assert found.report.dropped == 0
    assert [dict(record.tags)["Round"] for record in records] == ["1", "2", "3", "4", "5", "6"]
    assert records[0].comments == ((len(records[0].moves), str(result.games[0].outcome)),)


def check(records, result):
    """What was read is what was played."""
    assert len(records) == len(result.games)
    for record, game in zip(records, result.games, strict=True):
        *_, last = record.positions()
        assert len(record.moves) == len(game.moves)
        assert record.outcome.winner == game.winner
        position = result.match.game.start()
        for text in game.moves:
            position = position.play(position.read_move(text))
        assert str(last) == str(position)


def test_a_file_is_begun_anew_with_the_games_that_are_known(tmp_path):
    path = tmp_path / "games.sgf"
    with MatchStore(tmp_path / "games.sqlite") as store:
        run_matches([dataclasses.replace(PLAN, n_games=4)], 1, store, path, make)
        path.write_text(path.read_text()[:-30])  # as if the run had been killed while writing
        run_matches([PLAN], 1, store, path, make)
    assert path.read_text().count("(;") == 12


@pytest.mark.parametrize("text", ["(;GM[11]SZ[3];B[a1])", "my notes"])
def test_a_file_with_other_games_is_left_alone(tmp_path, text):
    path = tmp_path / "games.sgf"
    path.write_text(text)
    with pytest.raises(ValueError, match="has other games than those of this match"):
        run_matches([PLAN], games_to=path, make=make)
    assert path.read_text() == text


def test_a_file_with_more_than_our_games_is_left_alone(tmp_path):
    path = tmp_path / "games.sgf"
    run_matches([PLAN], games_to=path, make=make)
    path.write_text(path.read_text() + "(;GM[11]SZ[3];B[a1])")
    with pytest.raises(ValueError, match="has other games than those of this match"):
        run_matches([PLAN], games_to=path, make=make)


@pytest.mark.parametrize(
    ("name", "ending"), [("hex", "sgf or .hsgf"), ("go", "sgf"), ("checkers", "pdn")]
)
def test_the_name_of_the_file_tells_its_kind(tmp_path, name, ending):
    plan = Match(load_game(name), ("first", "last"), 1)
    with pytest.raises(ValueError, match=f"go to a file named \\*.{ending}"):
        run_matches([plan], games_to=tmp_path / "games.txt", make=make)


def test_every_game_can_be_kept():
    from clauseboard.game import game_names

    for name in game_names():
        plan = Match(load_game(name), ("first", "resigning"), 1)
        (result,) = run_matches([plan], make=make)
        assert plan.id in playing.written_game(plan, result.games[0])


def test_processes_end_with_a_killed_parent(tmp_path):
    import psutil

    # A game takes minutes.
    words = "match hex rollouts rollouts --set size=9 --games 8 --jobs 2 --simulations 50000"
    parent = subprocess.Popen([sys.executable, "-m", "clauseboard", *words.split()])
    ours, ends = psutil.Process(parent.pid), time.monotonic() + 300

    def have_begun():
        """Whether two processes have worked for a while."""
        found = []
        for child in ours.children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):  # it may end while it is looked at
                found.append(sum(child.cpu_times()[:2]) > 2)
        return sum(found) >= 2

    while not have_begun():
        assert time.monotonic() < ends
        time.sleep(0.1)
    children = ours.children(recursive=True)
    parent.kill()
    parent.wait()
    assert psutil.wait_procs(children, timeout=300)[1] == []
