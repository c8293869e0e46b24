"""The page about accuracy: its code runs, its table is the stored result, its numbers are right."""

import re
from pathlib import Path

import numpy as np
import pytest

from clauseboard.games.checkers import Checkers, board_features
from clauseboard.tsetlin import TsetlinMachineClassifier

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "accuracy.md").read_text("utf-8")


def write_ends(path, n=150):
    """Boards from random games, called won by who has more pieces."""
    rng = np.random.default_rng(0)
    rows, results = [], []
    while len(rows) < n:
        position = Checkers().start()
        for _ in range(rng.integers(20, 60)):
            if moves := position.moves():
                position = position.play(moves[rng.integers(len(moves))])
        bits = Checkers().encode([position])[0]
        lead = int(bits[:64].sum()) - int(bits[64:].sum())
        rows.append(bits)
        results.append(1 if lead > 0 else 0 if lead < 0 else 2)
    np.savez(
        path,
        boards=np.packbits(np.array(rows), axis=1),
        result=np.array(results, np.uint8),
        fold=(np.arange(n) % 10).astype(np.uint8),
    )


def test_the_code_makes_a_machine_that_can_be_read(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_ends(tmp_path / "ends.npz")
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    exec(code, {})
    told = capsys.readouterr().out
    assert float(told.split()[0]) > 0.6
    assert "votes for win" in told
    machine = TsetlinMachineClassifier.load("ends.tm")
    assert set(board_features.names(Checkers())) & set(machine.bit_names_)
    assert any(" ahead in pieces" in str(clause) for clause in machine.rules())


@pytest.mark.parametrize("path", re.findall(r"<!-- from (\S+) -->", PAGE))
def test_tables_are_the_stored_results(path):
    block = re.search(rf"<!-- from {re.escape(path)} -->\n(.*?)<!-- end -->", PAGE, re.DOTALL)
    assert block[1].strip() == (ROOT / path).read_text().strip()


def test_numbers_of_bits_are_told_as_they_are():
    assert f"board_features.py`, {len(board_features.BITS)} bits" in PAGE
    assert f"board_features.py`, {len(board_features.lookahead_names())} bits" in PAGE


def test_files_that_are_named_are_there():
    for name in re.findall(r"`((?:games|learning|benchmarks)/[\w/]+\.py)`", PAGE):
        folder = ROOT if name.startswith("benchmarks") else ROOT / "src" / "clauseboard"
        assert (folder / name).is_file()
