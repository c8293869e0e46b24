"""pyTsetlinMachineParallel: C with OpenMP; its threads come from OMP_NUM_THREADS.

It never shuffles the boards and always starts from the same random state, so the seed
of the settings has nothing to act on.
"""

import numpy as np

from peers.adapter import Library, Machine, Settings


class ParallelMachine(Machine):
    """`MultiClassTsetlinMachine` of pyTsetlinMachineParallel."""

    board_dtype = np.uint32

    def __init__(self, settings: Settings) -> None:
        from pyTsetlinMachineParallel import tm

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
            self._machine = tm.MultiClassTsetlinMachine(*sizes, **same)

    def fit_epoch(self, X: np.ndarray, y: np.ndarray) -> None:
        """Train one epoch more (`incremental` keeps what was learned)."""
        self._machine.fit(self.shaped(X), y, epochs=1, incremental=True)

    def fit_epochs(self, X: np.ndarray, y: np.ndarray, epochs: int) -> None:
        """Train for some epochs."""
        self._machine.fit(self.shaped(X), y, epochs=epochs)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class of each board."""
        return self._machine.predict(self.shaped(X))


LIBRARIES = (
    Library(
        name="pyTsetlinMachineParallel",
        distribution="pyTsetlinMachineParallel",
        imports="pyTsetlinMachineParallel.tm",
        machine=ParallelMachine,
        clauses="number_of_clauses is a class's own; half for, half against",
        has_threads=True,
        # It does not say that it needs NumPy.
        requirements=("pyTsetlinMachineParallel==0.2.1", "numpy"),
    ),
)
