"""Exported source gives the same votes, in Python and, through a real C compiler, in C."""

from __future__ import annotations

import ctypes
import subprocess

import numpy as np
import pytest

from clauseboard.tsetlin import TsetlinMachineClassifier, TsetlinMachineRegressor
from programs import need

BITS = (3, 64, 70)


FUZZY = (0, 2)


def trained(n_bits: int, max_misses: int) -> tuple[TsetlinMachineClassifier, np.ndarray]:
    rng = np.random.default_rng(n_bits)
    X = rng.integers(2, size=(300, n_bits), dtype=np.uint8)
    y = X[:, 0] + X[:, 1] * X[:, 2]
    machine = TsetlinMachineClassifier(
        n_clauses=20, specificity=4.0, epochs=3, random_state=1, max_misses=max_misses
    )
    return machine.fit(X, y), X


@pytest.mark.parametrize("max_misses", FUZZY)
@pytest.mark.parametrize("n_bits", BITS)
def test_python_source_votes_as_the_machine_does(n_bits, max_misses):
    machine, X = trained(n_bits, max_misses)
    scope: dict = {}
    exec(machine.export("python"), scope)
    assert scope["CLASSES"] == [0, 1, 2]
    assert len(scope["BITS"]) == n_bits
    assert [scope["votes"](row) for row in X] == machine.votes(X).tolist()


@pytest.mark.parametrize("max_misses", FUZZY)
@pytest.mark.parametrize("n_bits", BITS)
def test_c_source_compiles_and_votes_as_the_machine_does(n_bits, max_misses, tmp_path):
    machine, X = trained(n_bits, max_misses)
    source, library = tmp_path / "votes.c", tmp_path / "votes.so"
    source.write_text(machine.export("c"))
    flags = ["-std=c99", "-Wall", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run([need("cc"), *flags, "-o", library, source], check=True)
    votes = ctypes.CDLL(str(library)).votes
    counted = []
    for row in X:
        totals = (ctypes.c_int64 * 3)()
        votes(row.ctypes.data_as(ctypes.c_char_p), totals)
        counted.append(list(totals))
    assert counted == machine.votes(X).tolist()


def test_a_regressor_is_exported_too():
    X = np.random.default_rng(0).integers(2, size=(200, 4))
    machine = TsetlinMachineRegressor(n_clauses=20, epochs=3, random_state=0).fit(X, X.sum(axis=1))
    scope: dict = {}
    exec(machine.export(), scope)
    assert [scope["votes"](row)[0] for row in X] == machine.votes(X).tolist()
    assert [scope["value"](row) for row in X] == machine.predict(X).tolist()


def test_a_regressor_in_c_gives_values(tmp_path):
    X = np.random.default_rng(0).integers(2, size=(200, 4)).astype(np.uint8)
    y = -3.0 + X.sum(axis=1)
    machine = TsetlinMachineRegressor(n_clauses=20, epochs=3, random_state=0).fit(X, y)
    source, library = tmp_path / "value.c", tmp_path / "value.so"
    source.write_text(machine.export("c"))
    flags = ["-std=c99", "-Wall", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run([need("cc"), *flags, "-o", library, source], check=True)
    value = ctypes.CDLL(str(library)).value
    value.restype = ctypes.c_double
    values = [value(row.ctypes.data_as(ctypes.c_char_p)) for row in X]
    assert values == pytest.approx(machine.predict(X))


def test_what_cannot_be_exported_is_said():
    X = np.random.default_rng(0).integers(2, size=(50, 9))
    machine = TsetlinMachineClassifier(n_clauses=4, epochs=1, random_state=0)
    with pytest.raises(ValueError, match="language must be one of python, c; it is 'rust'"):
        machine.fit(X, X[:, 0]).export("rust")
    machine.set_params(board_shape=(3, 3, 1), window=(2, 2))
    with pytest.raises(ValueError, match="window"):
        machine.fit(X, X[:, 0]).export("c")
