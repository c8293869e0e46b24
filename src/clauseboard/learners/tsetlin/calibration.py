"""Probabilities from votes: a softmax whose temperature fits what really happened."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax


def fitted_temperature(votes: NDArray[np.int64], labels: NDArray[np.int64]) -> float:
    """The temperature at which softmax(votes / temperature) gives the labels most probability.

    >>> votes = np.array([[10, 0], [10, 0], [10, 0], [10, 0]])
    >>> temperature = fitted_temperature(votes, np.array([0, 0, 0, 1]))
    >>> probabilities(votes[:1], temperature).round(2).tolist()
    [[0.75, 0.25]]
    """
    # Labels of -1 are classes that the machine never met; no temperature helps with them.
    known = labels >= 0
    votes, labels = votes[known], labels[known]
    spread = float(np.abs(votes - votes.mean(axis=1, keepdims=True)).max()) if votes.size else 0.0
    if votes.shape[1] < 2 or spread == 0.0:
        return 1.0
    rows = np.arange(len(labels))

    def loss(log_temperature: float) -> float:
        return -float(log_softmax(votes / np.exp(log_temperature), axis=1)[rows, labels].mean())

    # A machine that is always right would like to be infinitely sure; the bounds keep it human.
    best = minimize_scalar(
        loss, bounds=(np.log(spread / 20), np.log(spread * 1000)), method="bounded"
    )
    return float(np.exp(best.x))


def probabilities(votes: NDArray[np.int64], temperature: float) -> NDArray[np.float64]:
    """The softmax of the votes, row by row."""
    return softmax(votes / temperature, axis=1)
