"""This project's own machine."""

import numpy as np

from peers.adapter import Library, Machine, Settings


class ClauseboardMachine(Machine):
    """`TsetlinMachineClassifier`, trained one epoch at a time."""

    def __init__(self, settings: Settings) -> None:
        from clauseboard.tsetlin import TsetlinMachineClassifier

        self._classes = np.arange(settings.classes)
        self._machine = TsetlinMachineClassifier(
            n_clauses=settings.clauses,
            threshold=settings.threshold,
            specificity=settings.specificity,
            weighted=True,
            boost_true_positive=True,
            random_state=settings.seed,
            n_jobs=settings.threads,
        )

    def fit_epoch(self, X: np.ndarray, y: np.ndarray) -> None:
        """Train one epoch more."""
        self._machine.partial_fit(X, y, classes=self._classes)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class of each board."""
        return self._machine.predict(X)

    def kernel_microseconds(self, X: np.ndarray, boards: int) -> float | None:
        """Return the time of one board as a compiled search pays for it."""
        try:
            from clauseboard.tsetlin.inference import time_one_board
        except ImportError:
            return None
        return float(time_one_board(self._machine, X, boards))


LIBRARIES = (
    Library(
        name="clauseboard",
        distribution="clauseboard",
        imports="clauseboard.tsetlin",
        machine=ClauseboardMachine,
        clauses="n_clauses is a class's own; half for, half against",
        has_threads=True,
    ),
)
