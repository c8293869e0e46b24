"""One seed gives one machine, in this version and in every earlier one.

The hashes are those of machines that version 0.1.0 trained. Whoever changes one of them changes
what saved settings mean to their users.
"""

import hashlib

import numpy as np
import pytest

from clauseboard.tsetlin import TsetlinMachineClassifier, TsetlinMachineRegressor

MACHINES = {
    "blocks of 1": ("406f68ab90c605ba", {"block_size": 1}),
    "blocks of 2": ("574a0588376b2a71", {"block_size": 2}),
    "blocks of 7": ("02f18377786634c1", {"block_size": 7, "n_jobs": 2, "n_clauses": 70}),
    "blocks of 64": ("cc3bc60cd3832c6e", {"block_size": 64}),
    "without weights": (
        "5bd732b7abdc4f93",
        {"block_size": 1, "weighted": False, "boost_true_positive": False},
    ),
    "short clauses": ("be3acdbe6a1a4036", {"block_size": 16, "max_literals": 3}),
    "four state bits": (
        "1be1c8f1e6dff752",
        {"block_size": 64, "state_bits": 4, "specificity": 2.0},
    ),
    "window, blocks of 1": (
        "c241829e43402486",
        {"block_size": 1, "board_shape": (6, 5, 2), "window": (2, 3)},
    ),
    "window, blocks of 5": (
        "8546f9875b8cd06f",
        {"block_size": 5, "board_shape": (6, 5, 2), "window": (2, 2), "max_literals": 4},
    ),
    "window, blocks of 64": (
        "d5ad2d84823c7213",
        {"block_size": 64, "board_shape": (6, 5, 2), "window": (3, 1), "n_jobs": 2},
    ),
    "many patches": (
        "eb7e39f10721a60f",
        {"block_size": 32, "board_shape": (12, 5, 1), "window": (2, 1), "weighted": False},
    ),
    "patches in two words": (
        "f271e5379555e0f0",
        {"block_size": 64, "board_shape": (10, 9, 1), "window": (1, 1), "n_jobs": 2},
    ),
    "patches in five words": (
        "2a72eabce7284809",
        {"block_size": 5, "board_shape": (18, 17, 1), "window": (1, 2), "max_literals": 5},
    ),
    "regressor": (
        "fabcff81fa12e18e",
        {"block_size": 8, "threshold": 300, "max_literals": None},
    ),
    "regressor with a window": (
        "e1563908c65ad24e",
        {
            "block_size": 64,
            "board_shape": (10, 6, 1),
            "window": (1, 2),
            "threshold": 300,
            "max_literals": None,
        },
    ),
}


def trained(name):
    rng = np.random.default_rng(5)
    n_bits = int(np.prod(MACHINES[name][1].get("board_shape", 60)))
    X = (rng.random((300, n_bits)) < 0.4).astype(np.uint8)
    y = X[:, 0] + (X[:, 7] & ~X[:, 20] & 1)
    settings = {"n_clauses": 30, "threshold": 40, "specificity": 4.0, **MACHINES[name][1]}
    kind = TsetlinMachineRegressor if name.startswith("regressor") else TsetlinMachineClassifier
    return kind(**settings, epochs=2, random_state=3).fit(X, y)


def hash_of(machine):
    banks = machine.banks_
    parts = (banks.automata, banks.weights, banks.streams)
    return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()[:16]


@pytest.mark.parametrize("name", MACHINES)
def test_the_machine_is_that_of_earlier_versions(name):
    assert hash_of(trained(name)) == MACHINES[name][0]


if __name__ == "__main__":
    for each in MACHINES:
        print(each, hash_of(trained(each)))
