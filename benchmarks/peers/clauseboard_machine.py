"""This project's own machine."""

import time

import numpy as np

from clauseboard.kernels.clause_table import TILE_WORDS, add_board_votes
from clauseboard.kernels.compiler import kernel
from peers.adapter import Library, Machine, Settings


@kernel(
    "int64(uint8[:,:,::1], uint64[:,:,::1], uint64[:,:,::1], int64[::1], int64[::1],"
    " uint64[:,:,::1], int64[::1], int64[:,::1], int64)"
)
def count_one_by_one(
    features,
    table,
    out,
    weights,
    owners,
    planes,
    n_planes,
    votes,
    repeats,
):
    """Count votes as a search does, board by board; the result keeps the work alive."""
    fired = np.empty((1, 1, TILE_WORDS), np.uint64)
    total = 0
    for repeat in range(repeats):
        board = repeat % features.shape[0]
        votes[board] = 0
        for tile in range(table.shape[0]):
            add_board_votes(
                features, board, tile, table, out, weights, owners, planes, n_planes, fired, votes
            )
        total += votes[board, 0]
    return total


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
