"""Small Tsetlin Machines and boards that several tests of the classifier share."""

from __future__ import annotations

import numpy as np

from clauseboard.tsetlin import TsetlinMachineClassifier
from naive.problems import noisy_xor

WINDOW = {"board_shape": (4, 4, 1), "window": (2, 2)}
X, Y = noisy_xor(np.random.default_rng(0), 300, noise=0.05)
X_NEW, Y_NEW = noisy_xor(np.random.default_rng(1), 500)


def machine(**changes):
    """A small machine that learns `X, Y` well within a few milliseconds."""
    plain = {"n_clauses": 40, "specificity": 3.9, "epochs": 15, "random_state": 0}
    n_clauses = changes.get("n_clauses", 40)
    if changes.get("weighted", True) and isinstance(n_clauses, int):
        plain["threshold"] = max(1, 2 * n_clauses)
    return TsetlinMachineClassifier(**(plain | changes))


def same(one, other):
    """Are two machines equal bit for bit?"""
    return (
        np.array_equal(one.banks_.automata, other.banks_.automata)
        and np.array_equal(one.banks_.weights, other.banks_.weights)
        and np.array_equal(one.banks_.streams, other.banks_.streams)
        and one.banks_.shuffler.bit_generator.state == other.banks_.shuffler.bit_generator.state
    )


def lengths(fitted):
    """How many literals each clause includes."""
    return np.bitwise_count(fitted.banks_.include).sum(axis=-1)
