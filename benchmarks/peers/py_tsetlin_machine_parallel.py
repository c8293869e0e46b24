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
        from pyTsetlinMachineParallel.tm import MultiClassTsetlinMachine

        self._machine = MultiClassTsetlinMachine(
            settings.clauses,
            settings.threshold,
            float(settings.specificity),
            boost_true_positive_feedback=1,
            number_of_state_bits=8,
            weighted_clauses=True,
        )

    def fit_epoch(self, X: np.ndarray, y: np.ndarray) -> None:
        """Train one epoch more (`incremental` keeps what was learned)."""
        self._machine.fit(X, y, epochs=1, incremental=True)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class of each board."""
        return self._machine.predict(X)


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
