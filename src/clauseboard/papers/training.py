"""The work of most tables: a learner is trained on nine folds and tested on the tenth.

The theses look at the test boards after every epoch, stop by their accuracy, and report it. The
honest way is beside it: the fold after the test fold is left out of training, training stops by
the accuracy on that one, and the test boards are looked at once.

Table 7.1 of the checkers thesis compares with other learners, which scikit-learn has.
"""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clauseboard.papers import (
    EpochCallback,
    EpochResult,
    JsonObject,
    RunSize,
    Task,
    one_by_one,
    recorded_as,
)
from clauseboard.papers.boards import RESULTS, LabelledBoards, maker_of

if TYPE_CHECKING:
    from clauseboard.tsetlin import Fit, TsetlinMachineClassifier
    from clauseboard.tsetlin.training import Epoch, FitJob

FEWEST_CLAUSES = 10
LOWEST_THRESHOLD = 10

Loaded = TypeVar("Loaded")


@dataclass(frozen=True)
class MachineParameters:
    """The settings of a machine, named as in the papers where those have a letter."""

    clauses: int
    T: int
    s: float
    weighted: bool = True
    boost: bool = True
    window: int = 0
    """Lines of the square window that clauses look through; 0: they see the whole board."""
    block_size: int = 64

    def at(self, size: RunSize) -> MachineParameters:
        """The same with fewer clauses, and a threshold that is lower by the same factor."""
        if size.share == 1.0:
            return self
        clauses = max(FEWEST_CLAUSES, 2 * round(self.clauses * size.share / 2))
        threshold = max(LOWEST_THRESHOLD, round(self.T * clauses / self.clauses))
        return replace(self, clauses=clauses, T=threshold)

    def classifier(self, **options: object) -> TsetlinMachineClassifier:
        """An untrained machine with these settings and other options of a classifier."""
        from clauseboard.tsetlin import TsetlinMachineClassifier

        return TsetlinMachineClassifier(
            n_clauses=self.clauses,
            threshold=self.T,
            specificity=self.s,
            weighted=self.weighted,
            boost_true_positive=self.boost,
            block_size=self.block_size,
            **options,  # type: ignore[arg-type]
        )

    def __str__(self) -> str:
        kind = [
            "weighted" if self.weighted else "not weighted",
            "boosted" if self.boost else "not boosted",
            *([f"window {self.window} by {self.window}"] if self.window else []),
            f"blocks of {self.block_size}" if self.block_size > 1 else "one board at a time",
        ]
        return f"{self.clauses:,} clauses, T {self.T:,}, s {self.s:g}, {', '.join(kind)}"


@dataclass(frozen=True)
class TrainingSchedule:
    """How long a machine is trained, and what stops it."""

    epochs: int
    """At most."""
    stop: int | None = 2
    """The version of adaptive epochs; None: all epochs."""
    hold_out: bool = False
    """Whether the fold after the test fold is kept from training."""
    watch: str = "test"
    """The fold whose accuracy is measured after every epoch: "test" or "next".

    "both" is the next one; the accuracies on the test fold are in the result.
    """
    side: str = "black"
    """The side whose wins are predicted: white's results are black's inverted."""

    @property
    def honest(self) -> TrainingSchedule:
        """The same, stopped by the fold after the test fold."""
        return replace(self, hold_out=True, watch="next")


def fold_task(
    boards: LabelledBoards,
    fold: int,
    machine: MachineParameters,
    schedule: TrainingSchedule,
    run: int = 0,
    keep: bool = False,
) -> Task:
    """Train a machine and test it on a fold, from 0 on; each run and fold has its own seed.

    With `keep` the machine itself is in the result, for tasks that need it (see `kept_machine`).
    """
    settings = {
        "fold": fold,
        "seed": 1000 * run + fold + 1,
        "machine": asdict(machine),
        "course": asdict(schedule),
        **({"keep": True} if keep else {}),
    }
    return Task(train, settings, boards, on_gpu=True)


def fold_tasks(
    boards: LabelledBoards,
    size: RunSize,
    machine: MachineParameters,
    schedule: TrainingSchedule,
    run: int = 0,
    keep: bool = False,
) -> tuple[Task, ...]:
    """`fold_task` for as many folds as the size has."""
    folds = range(min(size.folds, boards.n_folds))
    return tuple(fold_task(boards, fold, machine, schedule, run, keep) for fold in folds)


@recorded_as("machines.train")
def train(tasks: Sequence[Task], epoch_done: EpochCallback, device: str) -> list[JsonObject]:
    """Train machines; on a GPU all of them side by side."""
    from clauseboard.tsetlin import fit_many

    jobs = [_TrainingJob(task, epoch_done, device) for task in tasks]
    fit_many([job.fit for job in jobs], n_jobs=1, progress=False)
    return [job.result() for job in jobs]


class _TrainingJob:
    """A task unpacked: the machine, and the boards to learn, to watch and to test."""

    def __init__(self, task: Task, epoch_done: EpochCallback, device: str) -> None:
        from clauseboard.tsetlin import AdaptiveEpochs, Fit

        assert task.boards is not None
        settings, boards = task.settings, task.boards
        machine = MachineParameters(**settings["machine"])
        schedule = TrainingSchedule(**settings["course"])
        X, y = boards.X, boards.results
        if schedule.side == "white":
            y = np.array([1, 0, 2], np.uint8)[y]
        shape = None
        if machine.window:
            X, shape = maker_of(boards.kind).planes(X)
        fold, n_folds = settings["fold"], boards.n_folds
        test, following = boards.folds == fold, boards.folds == (fold + 1) % n_folds
        learned = ~test & ~following if schedule.hold_out else ~test
        watched = test if schedule.watch == "test" else following
        self.test = X[test], y[test]
        self.tested: list[float] = []
        self.keep = settings.get("keep", False)
        self.machine = machine.classifier(
            board_shape=shape,
            window=None if shape is None else (machine.window, machine.window),
            epochs=schedule.epochs,
            random_state=settings["seed"],
            device=device,
        )
        stop = None
        if schedule.stop is not None:
            stop = AdaptiveEpochs(schedule.stop, max_epochs=schedule.epochs, keep="last")

        def report_epoch(epoch: Epoch) -> None:
            assert epoch.score is not None
            epoch_done(task, EpochResult(epoch.number, epoch.score, epoch.seconds))

        self.fit = Fit(
            self.machine,
            X[learned],
            y[learned],
            validation=(X[watched], y[watched]),
            stop=stop,
            callback=report_epoch,
        )
        if schedule.watch == "both":
            self.fit = _watching_two(self.fit, self.test, self.tested)

    def result(self) -> JsonObject:
        X, y = self.test
        scores = accuracy_and_confusion(y, self.machine.predict(X))
        if self.tested:
            scores = {**scores, "tested": self.tested}
        if not self.keep:
            return scores
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "machine.tm"
            # It is never trained further: the state of its automata is left out.
            self.machine.save(path, inference_only=True)
            return {**scores, "machine": as_text(path)}


def _watching_two(
    fit: Fit, test: tuple[NDArray[np.uint8], NDArray[np.uint8]], accuracies: list[float]
) -> Fit:
    """The same training, with the accuracy on the test boards after each epoch in a list.

    Boards are sent to a GPU once, and votes counted there after every epoch; so both folds are
    watched as one, and their votes told apart here.
    """
    from clauseboard.tsetlin import Fit

    assert fit.validation is not None
    X, y = np.asarray(fit.validation[0]), np.asarray(fit.validation[1])
    both = np.concatenate([X, test[0]]), np.concatenate([y, test[1]])
    n_watched = len(y)

    class FitOnTwoFolds(Fit):
        def job(self) -> FitJob:
            job = super().job()
            _, known = job.machine._check_pair(*both)

            def score(votes: NDArray[np.int64]) -> float:
                first, second = np.split(votes, [n_watched]), np.split(known, [n_watched])
                watched, tested = map(job.machine._score, first, second)
                accuracies.append(tested)
                return watched

            job.score = score
            return job

    return FitOnTwoFolds(**{**vars(fit), "validation": both})


def as_text(path: Path) -> str:
    """A file as text that JSON can hold; `kept_machine` is the way back."""
    return base64.b64encode(path.read_bytes()).decode()


def kept_machine(result: JsonObject, path: Path) -> Path:
    """Write the machine in a task's result to a file."""
    path.write_bytes(base64.b64decode(result["machine"]))
    return path


def loaded(result: JsonObject, load: Callable[[Path], Loaded]) -> Loaded:
    """Load the machine in a task's result by a function that reads a file."""
    with tempfile.TemporaryDirectory() as folder:
        return load(kept_machine(result, Path(folder) / "machine.tm"))


def accuracy_and_confusion(truth: ArrayLike, predicted: ArrayLike) -> JsonObject:
    """The accuracy, and how often each result (rows) was predicted as which (columns).

    >>> accuracy_and_confusion([0, 1, 1], [0, 1, 2])
    {'accuracy': 0.6666666666666666, 'confusion': [[1, 0, 0], [0, 1, 1], [0, 0, 0]]}
    """
    n = len(RESULTS)
    pairs = np.asarray(truth, np.int64) * n + np.asarray(predicted, np.int64)
    confusion = np.bincount(pairs, minlength=n * n).reshape(n, n)
    return {
        "accuracy": float(np.trace(confusion) / confusion.sum()),
        "confusion": confusion.tolist(),
    }


# ---- other learners

NETWORK = (512, 512)
"""Units of the hidden layers of the network at full size."""

ALPHA = 1.0
"""The network's penalty for large weights: far more than usual, since it has more than ten times
as many weights as there are boards."""

MODELS = {
    "Log Reg": "logistic regression, lbfgs, at most 1,000 steps",
    "DTC": "decision tree",
    "SGD": "linear support vectors by stochastic gradient descent",
    "GNB": "Gaussian naive Bayes",
    "MNB": "multinomial naive Bayes",
    "BNB": "Bernoulli naive Bayes",
    "gradient boosting": "by histograms, early stopping",
    "network": "hidden layers of {} and {} units, alpha 1, early stopping",
}
"""Six of the checkers thesis by its short names, with its parameters, and two of ours.

Their settings in words; the rest is scikit-learn's default."""


def model_tasks(boards: LabelledBoards, size: RunSize, model: str) -> tuple[Task, ...]:
    """Fit a model and test it, on as many folds as the size has."""
    if model not in MODELS:
        raise ValueError(f"There is no model {model!r}; there are {', '.join(map(repr, MODELS))}.")
    hidden = hidden_units(size)
    return tuple(
        Task(fit, {"model": model, "fold": fold, "seed": fold + 1, "hidden": hidden}, boards)
        for fold in range(min(size.folds, boards.n_folds))
    )


def hidden_units(size: RunSize) -> list[int]:
    """Units of the network's hidden layers at a size."""
    return [max(4, round(units * size.share**0.5)) for units in NETWORK]


def model_text(model: str, size: RunSize) -> str:
    """The settings of a model in words.

    >>> from clauseboard.papers import SIZES
    >>> model_text("network", SIZES["full"])
    'hidden layers of 512 and 512 units, alpha 1, early stopping'
    """
    return MODELS[model].format(*hidden_units(size))


@one_by_one("models.fit")
def fit(task: Task) -> JsonObject:
    """Fit a model of scikit-learn on all folds but one, and test it on that."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    assert task.boards is not None
    settings, X, y = task.settings, task.boards.X, task.boards.results
    test = task.boards.folds == settings["fold"]
    model = _model(settings["model"], settings["seed"], settings["hidden"])
    # One core for each task: threads that wait for each other do not help where others work, too.
    with warnings.catch_warnings(), threadpool_limits(1):
        # Small sizes stop early on purpose.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X[~test], y[~test])
    return accuracy_and_confusion(y[test], model.predict(X[test]))


def _model(name: str, seed: int, hidden: Sequence[int]) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression, SGDClassifier
    from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
    from sklearn.neural_network import MLPClassifier
    from sklearn.tree import DecisionTreeClassifier

    match name:
        case "Log Reg":
            return LogisticRegression(solver="lbfgs", max_iter=1000)
        case "DTC":
            return DecisionTreeClassifier(random_state=seed)
        case "SGD":
            return SGDClassifier(random_state=seed)
        case "GNB":
            return GaussianNB()
        case "MNB":
            return MultinomialNB()
        case "BNB":
            return BernoulliNB()
        case "gradient boosting":
            return HistGradientBoostingClassifier(random_state=seed, early_stopping=True)
        case _:
            # It stops by a tenth of its training boards: the test boards are looked at once.
            return MLPClassifier(
                tuple(hidden), random_state=seed, early_stopping=True, n_iter_no_change=5,
                alpha=ALPHA,
            )  # fmt: skip
