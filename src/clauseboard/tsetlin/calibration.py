"""Probabilities from votes, fitted to what really happened."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, softmax

MOST_DOUBT = 0.999
"""However little the votes are worth, the order of the classes stays theirs."""


@dataclass(frozen=True)
class Calibration:
    """How votes become probabilities: softmax(votes / temperature), and a doubt that never goes.

    The temperature says how many votes make a difference. The doubt is a share of all cases in
    which anything may happen, each class alike, however clear the votes are: without it no
    temperature suits a problem in which one of five answers is wrong whatever the board.
    """

    temperature: float = 1.0
    doubt: float = 0.0

    def probabilities(self, votes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Probabilities of the classes, row by row; more votes never mean less."""
        sure = softmax(votes / self.temperature, axis=1)
        return (1.0 - self.doubt) * sure + self.doubt / votes.shape[1]


def fitted_calibration(votes: NDArray[np.int64], labels: NDArray[np.int64]) -> Calibration:
    """The calibration that gives the right classes most probability.

    >>> votes = np.array([[10, 0], [10, 0], [10, 0], [10, 0]])
    >>> calibration = fitted_calibration(votes, np.array([0, 0, 0, 1]))
    >>> calibration.probabilities(votes[:1]).round(2).tolist()
    [[0.75, 0.25]]
    """
    # Labels of -1 are classes that the machine never met; nothing helps with them.
    votes, labels = votes[labels >= 0], labels[labels >= 0]
    leads = np.abs(votes - votes.mean(axis=1, keepdims=True)) if votes.size else np.zeros(1)
    spread = float(leads.max())
    if votes.shape[1] < 2 or spread == 0.0:
        return Calibration()
    rows = np.arange(len(labels))

    def meant(point: NDArray[np.float64]) -> Calibration:
        # A machine that is always right would like to be infinitely sure; the bounds forbid it.
        log_temperature = np.clip(point[0], np.log(spread / 20), np.log(spread * 1000))
        return Calibration(float(np.exp(log_temperature)), min(float(expit(point[1])), MOST_DOUBT))

    def loss(point: NDArray[np.float64]) -> float:
        right = meant(point).probabilities(votes)[rows, labels]
        return -float(np.log(np.maximum(right, 1e-12)).mean())

    start = np.log(max(float(leads.mean()), spread / 20))
    options = {"xatol": 1e-3, "fatol": 1e-7, "maxiter": 400}
    tries = [
        minimize(loss, [start, doubt], method="Nelder-Mead", options=options)
        for doubt in (-6.0, -1.0)
    ]
    return meant(min(tries, key=lambda result: result.fun).x)
