"""A classifier of a given number of clauses, from any finder, with weights fitted together.

>>> X = np.random.default_rng(0).integers(2, size=(900, 4))
>>> y = np.array(["loss", "draw", "win"])[X[:, 0] + (X[:, 1] & X[:, 2])]
>>> classifier = ClauseClassifier(max_clauses=8, random_state=0)
>>> classifier.fit(X, y, bit_names=["king", "free", "near", "noise"]).score(X, y)
1.0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from clauseboard.checks import real_number, whole_number
from clauseboard.tsetlin.classifier import (
    TsetlinMachineClassifier,
    check_inner_folds,
    fitted_calibration,
)
from clauseboard.tsetlin.clause_finders import (
    MACHINES,
    TreeSearch,
    WrittenClause,
    machine_clauses,
    single_bits,
    tree_clauses,
    written_clauses,
)
from clauseboard.tsetlin.clauses import Clause, Label, RuleBook, ShowsRules, Tally
from clauseboard.tsetlin.joint_weights import (
    UNIT,
    Floats,
    Literals,
    class_weights,
    distinct,
    fires,
    machine_of_votes,
    most_useful,
    shortened,
    whole_votes,
)
from clauseboard.tsetlin.packing import Samples, dense

Finder = Callable[[NDArray[np.uint8], NDArray[np.intp]], Literals]
"""A function that finds clauses: bits and numbers of classes in, clauses by literals out."""

FINDERS = ("machines", "trees", "both")

PENALTIES = (1.0, 3.0, 10.0, 30.0, 100.0)
"""What weights may cost, to choose from."""

FIRST_PENALTY = 10.0
"""What weights cost while it is not known what is best."""

RARE = 10
"""A clause fires on so many samples at least, and is silent on as many, where there are many."""

ENOUGH_ROWS = 12_000
"""Samples by which clauses are selected; the weights of those that are kept come from all."""

FEW = 500
"""So few clauses are compared on all samples."""

FEWEST_CLAUSES = 3
"""One that tells something, and two for what is true of all samples."""


@dataclass(frozen=True, eq=False)
class Lessons:
    """Samples to learn from: bits, numbers of classes, and weights or None."""

    bits: NDArray[np.uint8]
    labels: NDArray[np.intp]
    each: Floats | None
    n_classes: int

    def at(self, rows: NDArray[np.intp]) -> Lessons:
        """Some of the samples."""
        each = None if self.each is None else self.each[rows]
        return replace(self, bits=self.bits[rows], labels=self.labels[rows], each=each)

    def weights(self, clauses: Literals, penalty: float) -> Floats:
        """The best weights of clauses on these samples."""
        fired = fires(self.bits, clauses)
        return class_weights(fired, self.labels, self.n_classes, penalty, sample_weight=self.each)

    def most_useful(self, clauses: Literals, penalty: float, most: int) -> Literals:
        """The clauses that are missed most on these samples, at most so many."""
        if len(clauses) <= most:
            return clauses
        fired = fires(self.bits, clauses)
        kept = most_useful(fired, self.labels, self.n_classes, penalty, most, self.each)
        return clauses[kept]

    def sums(self, clauses: Literals, weights: Floats) -> Floats:
        """The sums of classes on these samples."""
        return np.asarray(fires(self.bits, clauses) @ weights[:-1] + weights[-1])

    def loss(self, sums: Floats) -> float:
        """The softmax loss of sums on these samples."""
        right = sums[np.arange(len(sums)), self.labels]
        losses = np.logaddexp.reduce(sums, axis=1) - right
        return float(losses.sum() if self.each is None else losses @ self.each)


@dataclass(eq=False, repr=False)
class ClauseClassifier(ShowsRules, ClassifierMixin, BaseEstimator):
    """A classifier of few clauses that can be read, with votes that are best next to each other.

    Clauses come from Tsetlin Machines, from the paths of boosted trees, or from people. The loss of
    all clauses together (softmax, with a penalty on weights) says which are needed least; these are
    dropped until `max_clauses` are left. Weights become whole numbers of votes, a hundred for a
    factor of e in the odds, and the result, `machine_`, is a Tsetlin Machine like any other.

    Parameters
    ----------
    max_clauses : int, default=100
        Clauses of all classes together, at most, 3 or more. A clause may have votes on each class.
    max_literals : int, default=None
        Literals of a clause, at most. None: as many as the finder gives (8 or so).
    finder : {"both", "trees", "machines"}, function or None, default="both"
        Where clauses come from: the paths of boosted trees, two Tsetlin Machines, or both. A
        function gets bits and the numbers of the classes, and returns clauses × literals (bits,
        then negated bits). None: from `clauses` alone. But for None, every single bit is a
        candidate, too.
    clauses : list of clauses, default=None
        More candidates: sequences of literals such as ("rain", "not wind"), or `Clause` objects.
    penalty : float, default=None
        What weights cost: penalty / 2 times the sum of their squares, beside the sum of the
        samples' losses. None: chosen from 1, 3, 10, 30 and 100 by the loss on inner folds.
    inner_folds : int, default=3
        Folds of the training data, 2 or more, for the penalty and for calibrated probabilities;
        0 for none, which is three times as fast: the penalty is then 10 unless it is given.
    shorten : float, default=0.0
        Clauses lose literals if they then fire on no more than this share of the samples on which
        they did not fire before. 0: only literals without which they fire on the same samples.
    class_weight : dict, "balanced" or None, default=None
        Weights of classes, as in scikit-learn.
    random_state : int, RandomState or None, default=None
        One number gives one classifier, whatever `n_jobs` is.
    n_jobs : int, default=None
        Threads for Tsetlin Machines that find clauses.
    device : {"cpu", "gpu", "auto"}, default="cpu"
        Where Tsetlin Machines are trained and votes are counted.

    Attributes
    ----------
    machine_ : TsetlinMachineClassifier
        The clauses and their votes.
    penalty_ : float
        The penalty that was given or chosen.
    classes_, n_features_in_, bit_names_
        As of `TsetlinMachineClassifier`.
    """

    max_clauses: int = 100
    max_literals: int | None = None
    finder: str | Finder | None = "both"
    clauses: Sequence[WrittenClause] | None = None
    penalty: float | None = None
    inner_folds: int = 3
    shorten: float = 0.0
    class_weight: Mapping[Label, float] | str | None = None
    random_state: int | np.random.RandomState | None = None
    n_jobs: int | None = None
    device: str = "cpu"

    machine_: TsetlinMachineClassifier = field(init=False)
    classes_: NDArray[Any] = field(init=False)
    n_features_in_: int = field(init=False)

    # ---- training -------------------------------------------------------------------------

    def fit(
        self,
        X: Samples,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        bit_names: Sequence[str] | None = None,
    ) -> Self:
        """Find clauses and weigh them.

        Samples of one group, such as copies of one board, are never on both sides of an inner fold.
        `bit_names` are the names of the bits; None: the columns of a DataFrame, or x0, x1, ...
        """
        self._check_parameters()
        from threadpoolctl import threadpool_limits  # comes with scikit-learn

        # Threads of BLAS gain nothing on matrices of this size, and wait for each other.
        with threadpool_limits(1, user_api="blas"):
            return self._fit(X, y, sample_weight, groups, bit_names)

    def _fit(
        self,
        X: Samples,
        y: ArrayLike,
        sample_weight: ArrayLike | None,
        groups: ArrayLike | None,
        bit_names: Sequence[str] | None,
    ) -> Self:
        # A machine checks samples, classes, weights and names as any other does.
        form = TsetlinMachineClassifier(
            n_jobs=self.n_jobs, device=self.device, class_weight=self.class_weight
        )
        form._check_parameters()
        samples, y = form._check_training(X, y, reset=True)
        bits = dense(samples)
        labels = form._learn_targets(y).astype(np.intp)
        names = form._check_names(bit_names)
        each = form._check_weights(sample_weight, bits, y)
        lessons = Lessons(bits, labels, each, len(form.classes_))
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        inner = [
            (lessons.at(train), lessons.at(test))
            for train, test in self._inner_folds(labels, groups, seed)
        ]
        penalty = FIRST_PENALTY if self.penalty is None else float(self.penalty)
        chosen = [self._chosen(train, names, penalty, seed) for train, _ in inner]
        # What machines made from the other folds say of each inner fold, for each penalty.
        sums = {
            penalty: [
                test.sums(clauses, train.weights(clauses, penalty))
                for (train, test), clauses in zip(inner, chosen, strict=True)
            ]
            for penalty in (PENALTIES if inner and self.penalty is None else (penalty,))
        }
        tests = [test for _, test in inner]
        losses = {
            penalty: sum(map(Lessons.loss, tests, of_folds)) for penalty, of_folds in sums.items()
        }
        self.penalty_ = min(losses, key=lambda penalty: losses[penalty])
        clauses = self._chosen(lessons, names, self.penalty_, seed)
        clauses, votes = whole_votes(clauses, lessons.weights(clauses, self.penalty_))
        machine = machine_of_votes(clauses, votes, form.classes_, names)
        machine.set_params(n_jobs=self.n_jobs, device=self.device)
        if inner:
            machine._calibration = fitted_calibration(
                np.rint(UNIT * np.concatenate(sums[self.penalty_])).astype(np.int64),
                np.concatenate([test.labels for test in tests]),
            )
        self.machine_, self.classes_ = machine, form.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(form, name):
                setattr(self, name, getattr(form, name))
                setattr(machine, name, getattr(form, name))
            elif hasattr(self, name):
                delattr(self, name)
        return self

    def _chosen(self, lessons: Lessons, names: list[str], penalty: float, seed: int) -> Literals:
        """Find clauses, and keep those that are needed most."""
        bits = lessons.bits
        rows = np.random.default_rng(seed).permutation(len(bits))[:ENOUGH_ROWS]
        some = lessons.at(np.sort(rows))
        rare = max(1, min(RARE, len(some.bits) // 100))
        clauses = self._candidates(lessons, names, 3 * rare, seed)
        if self.max_literals is not None:
            long = clauses.sum(axis=1) > self.max_literals
            clauses = np.concatenate([clauses[~long], shortened(some.bits, clauses[long])])
            clauses = clauses[clauses.sum(axis=1) <= self.max_literals]
        clauses = clauses[np.argsort(clauses.sum(axis=1), kind="stable")]
        clauses = clauses[distinct(fires(some.bits, clauses), rare)]
        # Many clauses are compared on some samples, few on all.
        most = self.max_clauses - 2
        clauses = some.most_useful(clauses, penalty * len(some.bits) / len(bits), max(most, FEW))
        clauses = lessons.most_useful(clauses, penalty, most)
        return shortened(bits, clauses, self.shorten)

    def _candidates(self, lessons: Lessons, names: list[str], fewest: int, seed: int) -> Literals:
        """All clauses to choose from, each once."""
        bits, labels, each = lessons.bits, lessons.labels, lessons.each
        most = self.max_literals or 2 * bits.shape[1]
        clauses = [written_clauses(self.clauses or (), names)]
        if self.finder is not None:
            clauses.append(single_bits(bits.shape[1]))
        if callable(self.finder):
            own = np.asarray(self.finder(bits, labels))
            if own.ndim != 2 or own.shape[1] != 2 * bits.shape[1] or own.dtype != np.bool_:
                raise ValueError(
                    f"finder must return booleans, clauses by {2 * bits.shape[1]} literals; it "
                    f"returned {own.dtype} of shape {own.shape}."
                )
            clauses.append(own)
        if self.finder in ("trees", "both"):
            search = TreeSearch(fewest=fewest)
            search = replace(search, depth=min(search.depth, most))
            clauses.append(tree_clauses(bits, labels, search, each, seed=seed))
        if self.finder in ("machines", "both"):
            for n, of_machine in enumerate(MACHINES):
                limited = replace(
                    of_machine, max_literals=min(of_machine.max_literals or most, most)
                )
                clauses.append(
                    machine_clauses(
                        bits,
                        labels,
                        limited,
                        each,
                        seed=(seed + n) % 2**31,
                        n_jobs=self.n_jobs,
                        device=self.device,
                    )
                )
        together = np.unique(np.concatenate(clauses), axis=0)
        n_bits = bits.shape[1]
        return together[
            together.any(axis=1) & ~(together[:, :n_bits] & together[:, n_bits:]).any(axis=1)
        ]

    def _inner_folds(
        self, labels: NDArray[np.intp], groups: ArrayLike | None, seed: int
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Training and test rows of the inner folds; none where there are too few samples."""
        n_folds, counts = int(self.inner_folds), np.bincount(labels)
        if groups is not None:
            groups = np.asarray(groups)
            if groups.shape != labels.shape:
                raise ValueError(
                    f"groups has shape {groups.shape}; there are {len(labels)} samples."
                )
            n_units = len(np.unique(groups))
        else:
            n_units = len(labels)
        if not n_folds or n_units < 2 * n_folds or len(counts) < 2:
            return
        from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold  # slow to import

        if groups is not None:
            yield from GroupKFold(n_folds).split(labels, groups=groups)
        elif counts.min() >= n_folds:
            yield from StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(
                labels, labels
            )
        else:
            yield from KFold(n_folds, shuffle=True, random_state=seed).split(labels)

    def _check_parameters(self) -> None:
        whole_number("max_clauses", self.max_clauses, FEWEST_CLAUSES)
        if self.max_literals is not None:
            whole_number("max_literals", self.max_literals, 1)
        check_inner_folds(self.inner_folds)
        if self.penalty is not None:
            real_number("penalty", self.penalty, 1e-6, 1e9)
        real_number("shorten", self.shorten, 0, 1)
        if self.finder is not None and not callable(self.finder) and self.finder not in FINDERS:
            names = ", ".join(map(repr, FINDERS))
            raise ValueError(f"finder={self.finder!r} must be one of {names}, a function, or None.")
        if self.finder is None and not self.clauses:
            raise ValueError("finder=None needs clauses to choose from; give some.")

    # ---- answers, as of any machine -------------------------------------------------------

    def _fitted(self) -> TsetlinMachineClassifier:
        check_is_fitted(self, "machine_")
        return self.machine_

    @property
    def bit_names_(self) -> list[str]:
        """Names of the bits of a sample."""
        return self._fitted().bit_names_

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much the votes depend on each bit; see `TsetlinMachineClassifier`."""
        return self._fitted().feature_importances_

    def votes(self, X: Samples) -> NDArray[np.int64]:
        """The votes for each class: whole numbers, exact sums, samples × classes."""
        return self._fitted().votes(X)

    def decision_function(self, X: Samples) -> NDArray[np.float64]:
        """The votes; for two classes the second's lead on the first."""
        return self._fitted().decision_function(X)

    def predict(self, X: Samples) -> NDArray[Any]:
        """The class with most votes; the first of them if there are several."""
        return self._fitted().predict(X)

    def predict_proba(self, X: Samples) -> NDArray[np.float64]:
        """Probabilities of the classes, calibrated on the inner folds."""
        return self._fitted().predict_proba(X)

    def clauses_of(self, class_: Label, bit_names: Sequence[str] | None = None) -> list[Clause]:
        """The clauses that vote on one class."""
        return self._fitted().clauses_of(class_, bit_names)

    def rules(
        self,
        bit_names: Sequence[str] | None = None,
        X: Samples | None = None,
        y: ArrayLike | None = None,
    ) -> RuleBook:
        """All clauses, strongest first; see `TsetlinMachineClassifier.rules`."""
        return self._fitted().rules(bit_names, X, y)

    def explain(self, x: Samples, bit_names: Sequence[str] | None = None) -> Tally:
        """The votes on one sample and the clauses that cast them; they add up exactly."""
        return self._fitted().explain(x, bit_names)

    def export(self, language: str = "python") -> str:
        """Source code, in "python" or "c", of a function `votes(sample)`."""
        return self._fitted().export(language)

    def save(self, path: str | Path) -> None:
        """Write the machine to a file, which `TsetlinMachineClassifier.load` reads."""
        self._fitted().save(path, inference_only=True)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.non_deterministic = False
        return tags
