"""green-tsetlin: C++ with AVX2; one pool of clauses, each with a weight for every class.

Nothing in it is "a class's own" clause, so it is measured with a pool as large as all the
others' clauses together, and with a pool of as many clauses as they have for one class.
Votes and weights are 16-bit: a threshold above 32,767 cannot be reached and they wrap.
"""

from functools import partial

import numpy as np

from peers.adapter import Library, Machine, Settings


class GreenMachine(Machine):
    """`TsetlinMachine`, trained by one-epoch `Trainer`s that go on from its state."""

    def __init__(self, settings: Settings, pool_of_all_classes: bool) -> None:
        self._settings = settings
        self._pool = settings.clauses * (settings.classes if pool_of_all_classes else 1)
        self._machine = None
        self._predictor = None
        self._epoch = 0

    def train_epoch(self, X: np.ndarray, y: np.ndarray) -> float:
        """Train one epoch more; the seconds are the library's own, of the epoch alone."""
        import green_tsetlin

        if self._machine is None:
            self._machine = green_tsetlin.TsetlinMachine(
                n_literals=X.shape[1],
                n_clauses=self._pool,
                n_classes=self._settings.classes,
                s=float(self._settings.specificity),  # an integer is refused
                threshold=self._settings.threshold,
                boost_true_positives=self._settings.boost,
            )
        trainer = green_tsetlin.Trainer(
            self._machine,
            n_jobs=self._settings.threads,
            n_epochs=1,
            seed=self._settings.seed + 1000 * self._epoch,
            load_best_state=False,
            progress_bar=False,
            copy_training_data=False,
        )
        trainer.set_train_data(X, y)
        trainer.set_eval_data(X[:1], y[:1])  # it insists on some; the worker measures accuracy
        trainer.train()
        self._epoch += 1
        self._predictor = self._machine.get_predictor()
        return trainer.results["train_time_of_epochs"][0]

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class of each board, one by one: the library has no batches."""
        predict = self._predictor.predict
        return np.array([predict(board) for board in X])

    def predict_one(self, X: np.ndarray, row: int) -> None:
        """Judge one board."""
        self._predictor.predict(X[row])


def _library(name: str, pool_of_all_classes: bool, how: str) -> Library:
    return Library(
        name=name,
        distribution="green-tsetlin",
        imports="green_tsetlin",
        machine=partial(GreenMachine, pool_of_all_classes=pool_of_all_classes),
        clauses=f"one pool, every clause votes on every class; {how}; always weighted",
        has_threads=True,
        has_windows=False,  # its convolutional machine is refused by its own trainer
        requirements=("green-tsetlin==1.1.0",),
    )


LIBRARIES = (
    _library("green-tsetlin", True, "n_clauses = clauses * classes, so as many in all"),
    _library("green-tsetlin-small", False, "n_clauses = clauses, so one class's number in all"),
)
