"""tmu: a Python loop over the boards around C for the clauses; one thread."""

import numpy as np

from peers.adapter import Library, Machine, Settings


class TmuMachine(Machine):
    """`TMClassifier` of tmu, on its CPU platform."""

    board_dtype = np.uint32

    def __init__(self, settings: Settings) -> None:
        from tmu.models.classification.vanilla_classifier import TMClassifier

        self._machine = TMClassifier(
            number_of_clauses=settings.clauses,
            T=settings.threshold,
            s=float(settings.specificity),
            platform="CPU",
            boost_true_positive_feedback=int(settings.boost),
            number_of_state_bits_ta=8,
            weighted_clauses=settings.weighted,
            patch_dim=None if settings.window is None else tuple(settings.window),
            seed=settings.seed,
        )

        self.shape = None if settings.window is None else (-1, *settings.grid)

    def fit_epoch(self, X: np.ndarray, y: np.ndarray) -> None:
        """Train one epoch more: a call of `fit` is one epoch."""
        self._machine.fit(self.shaped(X), y)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class of each board."""
        return self._machine.predict(self.shaped(X))


LIBRARIES = (
    Library(
        name="tmu",
        distribution="tmu",
        imports="tmu.models.classification.vanilla_classifier",
        machine=TmuMachine,
        clauses="number_of_clauses is a class's own; first half for, second half against",
        has_threads=False,
        # NumPy 2 refuses the ~0 that tmu stores as an unsigned number.
        requirements=("tmu==0.8.3", "numpy==1.26.4"),
    ),
)
