"""This project's own machine.

Other libraries' environments read this file, too, and do not have the project: it is imported only
where it is used.
"""

import time

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
            weighted=settings.weighted,
            boost_true_positive=settings.boost,
            block_size=settings.block_size,
            board_shape=None if settings.grid is None else (*settings.grid, 1),
            window=None if settings.window is None else tuple(settings.window),
            random_state=settings.seed,
            n_jobs=settings.threads,
        )

    def fit_epoch(self, X: np.ndarray, y: np.ndarray) -> None:
        """Train one epoch more."""
        first = not hasattr(self._machine, "classes_")
        self._machine.partial_fit(X, y, classes=self._classes if first else None)

    def fit_epochs(self, X: np.ndarray, y: np.ndarray, epochs: int) -> None:
        """Train for some epochs."""
        self._machine.set_params(epochs=epochs).fit(X, y)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class of each board."""
        return self._machine.predict(X)

    def kernel_microseconds(self, X: np.ndarray, boards: int) -> float | None:
        """Return the time of one board as a compiled search pays for it."""
        from peers.one_by_one import count_one_by_one

        table = self._machine.vote_table()
        features = table.view.pack_features(np.ascontiguousarray(X, np.uint8))
        votes = np.zeros((len(features), table.n_classes), np.int64)
        arrays = (features, *table.arrays(), votes)
        count_one_by_one(*arrays, boards)
        best = np.inf
        for _ in range(5):
            start = time.perf_counter()
            count_one_by_one(*arrays, boards)
            best = min(best, time.perf_counter() - start)
        return 1e6 * best / boards


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
