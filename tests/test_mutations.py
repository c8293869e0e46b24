"""Files of every kind, damaged at random: each is read, or refused in one sentence."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sqlite3

import pytest

from clauseboard.arena.match import Match, run_matches
from clauseboard.arena.playing import MatchStore
from clauseboard.datasets import build, load_dataset
from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.games.datasets import load_composition
from clauseboard.games.records import read_recorded
from clauseboard.learners.tsetlin.trainer import read_data
from clauseboard.papers.boards import read_boards
from clauseboard.papers.runner import TaskStore
from clauseboard.selfplay.games import LearningStore
from clauseboard.selfplay.running import open_run
from clauseboard.selfplay.training_set import training_set_of
from clauseboard.tsetlin import TsetlinMachineClassifier
from clauseboard.web.game_service import GameStore
from clauseboard.web.lab.reports import ReportFile, tournament

HEX = load_game("hex", size=3)
SMALL = {"begin": "random", "search": "mcts,simulations=20", "games": 6, "match_games": 4,
         "n_clauses": 10, "kept": 20, "epochs": 1, "random_moves": 2, "move_clauses": 4,
         "move_epochs": 1, "moves_kept": 50}  # fmt: skip
VALUES = (
    None, 0, -1, 2**62, 1e300, "", "x", "null", "{}", "[]", "[" * 100_000, '{"a":' * 5000,
    b"\xff\0", '{"moves": 5}', '{"game": "chess"}', "é" * 1000, "1" * 5000,
)  # fmt: skip
LEAVES = (
    None, True, -1, 0, 2**62, 1e308, float("nan"), "", "x", "hex", "size=9999", [], {}, [[]], "é",
)  # fmt: skip


def in_store(kind, *readers):
    def read(path):
        with kind(path) as store:
            for reader in readers:
                reader(store)

    return read


def read_matches(store):
    for match in store.matches():
        store.games(match)


def read_life(store):
    store.generations(), store.games(0, 9), store.match_games(1), store.best()
    open_run(store, HEX, {}).ratings()
    training_set_of(HEX, store.games(0, 9))


def read_tournament(path):
    tournament.__wrapped__(ReportFile("id", path.name, "tournament", path, 0.0))


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """A whole file of each kind, and what reads it."""
    import numpy as np

    folder = tmp_path_factory.mktemp("samples")
    match = Match(HEX, ("random", "random"), 4, limit=Limit(depth=1))
    with MatchStore(folder / "match.sqlite") as store:
        run_matches([match], store=store)
    with LearningStore(folder / "life.sqlite") as store:
        list(open_run(store, HEX, SMALL).steps(1))
    with TaskStore(folder / "runs.sqlite") as store:
        row = "INSERT INTO tasks VALUES ('a', 'work', '{}', 1, 'x', '{\"accuracy\": 1}', 0.5, 2.0)"
        store._run(row)
        store._run("INSERT INTO epochs VALUES ('a', 1, 0.5, 1.0)")
    with GameStore(folder / "games.sqlite") as store:
        store.save("a", {"game": "hex"}, {"game": "hex", "title": "Hex", "opponent": "x", "ply": 1,
                                          "outcome": None, "text": "x"})  # fmt: skip
    boards = build(load_composition("hex", "perfect", size=2), n_folds=2)
    boards.save(folder / "boards.npz")
    np.savez(folder / "data.npz", X=boards.X, y=boards.y)
    machine = TsetlinMachineClassifier(4, epochs=1, random_state=1).fit(boards.X, boards.y)
    machine.save(folder / "machine.tm")
    (folder / "game.pdn").write_text(
        '[Event "x"]\n[Result "1-0"]\n1. 11-15 23-19 {a} 2. 8-11 1-0\n'
    )
    (folder / "game.sgf").write_text("(;GM[11]SZ[3]PB[a]PW[b];B[a1];W[b2](;B[c3])(;B[c1]))")
    return {
        folder / "match.sqlite": in_store(MatchStore, read_matches),
        folder / "life.sqlite": in_store(LearningStore, read_life),
        folder / "runs.sqlite": in_store(TaskStore, lambda store: store.done(["a"])),
        folder / "games.sqlite": in_store(
            GameStore, lambda store: store.newest(9), lambda store: store.load("a")
        ),
        folder / "boards.npz": load_dataset,
        folder / "data.npz": lambda path: read_data(path, boards.X.shape[1]),
        folder / "machine.tm": TsetlinMachineClassifier.load,
        folder / "game.pdn": read_recorded,
        folder / "game.sgf": read_recorded,
    }


def changed_inside(page, draw):
    """JSON in which one value is another, or is missing."""
    places = []

    def walk(part):
        keys = part if isinstance(part, dict) else range(len(part))
        for key in keys if isinstance(part, dict | list) else ():
            places.append((part, key))
            if isinstance(part[key], dict | list):
                walk(part[key])

    walk(page if isinstance(page, dict | list) else [])
    if not places:
        return json.dumps(draw.choice(LEAVES))
    part, key = draw.choice(places)
    if draw.random() < 0.2:
        del part[key]
    else:
        part[key] = draw.choice(LEAVES)
    return json.dumps(page)


def damaged(path, draw):
    """Change a file at random: some bytes, a piece of it, or a cell of a table."""
    if path.suffix == ".sqlite" and draw.random() < 0.7:
        with contextlib.closing(sqlite3.connect(path)) as file:
            file.execute("PRAGMA ignore_check_constraints = 1")
            tables = [
                name
                for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type='table'")
            ]
            table = draw.choice(tables)
            columns = [row[1] for row in file.execute(f"PRAGMA table_info({table})")]
            column, value = draw.choice(columns), draw.choice(VALUES)
            (text,) = file.execute(f"SELECT {column} FROM {table}").fetchone() or (None,)
            with contextlib.suppress(sqlite3.Error, ValueError, TypeError):
                if draw.random() < 0.5:
                    value = changed_inside(json.loads(text), draw)
                file.execute(f"UPDATE {table} SET {column} = ?", (value,))
            file.commit()
        return
    content = bytearray(path.read_bytes())
    how = draw.randrange(4)
    if how == 0:
        for _ in range(draw.choice((1, 3, 30))):
            content[draw.randrange(len(content))] = draw.randrange(256)
    elif how == 1:
        del content[draw.randrange(len(content)) :]
    elif how == 2:
        at, size = draw.randrange(len(content)), draw.randrange(200)
        content[at : at + size] = content[at // 2 : at // 2 + size]
    else:
        at = draw.randrange(len(content))
        content[at:at] = bytes(draw.randrange(256) for _ in range(draw.randrange(1, 50)))
    path.write_bytes(content)


@pytest.mark.parametrize("n_files", [200, pytest.param(10_000, marks=pytest.mark.long)])
def test_no_damaged_file_is_a_traceback(samples, tmp_path, n_files):
    draw = random.Random(7)
    surprises = {}
    for n in range(n_files):
        sample = draw.choice(list(samples))
        path = tmp_path / f"{n}{sample.suffix}"
        shutil.copyfile(sample, path)
        damaged(path, draw)
        try:
            samples[sample](path)
            if sample.name == "match.sqlite":
                read_tournament(path)
            if sample.name == "boards.npz":
                read_boards(path)
        except (ValueError, OSError) as error:
            if "\n" in str(error).strip() and "+" not in str(error):
                surprises[sample.name, "lines", str(error)[:80]] = n
        except Exception as error:
            surprises[sample.name, type(error).__name__, str(error)[:80]] = n
        for file in tmp_path.glob(f"{n}.*"):
            file.unlink()
    assert surprises == {}
