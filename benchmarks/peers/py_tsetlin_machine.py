"""pyTsetlinMachine: C, one thread, with and without its index of clauses by literal.

The index is the library's default. It is rebuilt in every call of `predict`, which makes
a single board dear, so the library is measured both ways.
"""

from functools import partial

import numpy as np

from peers.adapter import Library, Machine, Settings


class SequentialMachine(Machine):
    """`MultiClassTsetlinMachine` of pyTsetlinMachine."""

    board_dtype = np.uint32

    def __init__(self, settings: Settings, indexed: bool) -> None:
        from pyTsetlinMachine import tm

        self.shape = None if settings.window is None else (-1, *settings.grid)
        same = {
            "boost_true_positive_feedback": int(settings.boost),
            "number_of_state_bits": 8,
            "weighted_clauses": settings.weighted,
        }
        sizes = (settings.clauses, settings.threshold, float(settings.specificity))
        if settings.window is not None:
            self._machine = tm.MultiClassConvolutionalTsetlinMachine2D(
                *sizes, settings.window, **same
            )
        else:
            self._machine = tm.MultiClassTsetlinMachine(*sizes, indexed=indexed, **same)

    def fit_epoch(self, X: np.ndarray, y: np.ndarray) -> None:
        """Train one epoch more (`incremental` keeps what was learned)."""
        self._machine.fit(self.shaped(X), y, epochs=1, incremental=True)

    def fit_epochs(self, X: np.ndarray, y: np.ndarray, epochs: int) -> None:
        """Train for some epochs."""
        self._machine.fit(self.shaped(X), y, epochs=epochs)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class of each board."""
        return self._machine.predict(self.shaped(X))


def _library(name: str, indexed: bool, how: str) -> Library:
    return Library(
        name=name,
        distribution="pyTsetlinMachine",
        imports="pyTsetlinMachine.tm",
        machine=partial(SequentialMachine, indexed=indexed),
        clauses=f"number_of_clauses is a class's own; half for, half against; {how}",
        has_threads=False,
        # It does not say that it needs NumPy.
        requirements=("pyTsetlinMachine==0.6.6", "numpy"),
    )


LIBRARIES = (
    _library("pyTsetlinMachine", True, "with its index, the default"),
    _library("pyTsetlinMachine-plain", False, "indexed=False"),
)
