"""Every single byte of a saved machine damaged in turn: it is refused, or nothing has changed."""

from __future__ import annotations

import numpy as np
import pytest

from clauseboard.tsetlin import TsetlinMachineClassifier


@pytest.mark.long
def test_every_byte_of_a_file_damaged(tmp_path):
    X = np.random.default_rng(0).integers(2, size=(200, 5), dtype=np.uint8)
    machine = TsetlinMachineClassifier(n_clauses=4, epochs=2, random_state=0).fit(X, X[:, 0])
    path = tmp_path / "machine"
    machine.save(path)
    content = path.read_bytes()
    votes = machine.votes(X)
    refused = 0
    for place in range(len(content)):
        for mask in (0x01, 0x80, 0xFF):
            damaged = bytearray(content)
            damaged[place] ^= mask
            path.write_bytes(bytes(damaged))
            try:
                loaded = TsetlinMachineClassifier.load(path)
            except ValueError:
                refused += 1
            else:
                assert np.array_equal(loaded.votes(X), votes), (place, mask)
    assert refused > len(content)
