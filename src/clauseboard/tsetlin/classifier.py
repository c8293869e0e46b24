"""The multi-class Tsetlin Machine, and how its votes become probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, softmax
from sklearn.base import ClassifierMixin
from sklearn.utils import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, check_is_fitted, column_or_1d

from clauseboard.checks import whole_number
from clauseboard.tsetlin.batches import EpochBatch, class_batches
from clauseboard.tsetlin.clauses import Clause, Label, plain
from clauseboard.tsetlin.machine import BaseTsetlinMachine
from clauseboard.tsetlin.packing import Bits, Samples, as_bits

CALIBRATION_SAMPLES = 2000
"""The most samples to which probabilities are fitted."""

ENOUGH_HELD_OUT = 1000
"""Samples of inner folds to which probabilities are fitted; more folds are then not needed."""

MOST_DOUBT = 0.999
"""However little the votes are worth, the order of the classes stays theirs."""


@dataclass(frozen=True)
class Calibration:
    """How votes become probabilities: softmax(votes / temperature), and a doubt that never goes.

    The temperature says how many votes make a difference. The doubt is a share of all cases in
    which anything may happen, each class alike, however clear the votes are: without it no
    temperature suits a problem in which one of five answers is wrong whatever the sample.
    """

    temperature: float = 1.0
    doubt: float = 0.0

    def probabilities(self, votes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Probabilities of the classes, row by row; more votes never mean less."""
        sure = softmax(votes / self.temperature, axis=1)
        return (1.0 - self.doubt) * sure + self.doubt / votes.shape[1]


def fitted_calibration(votes: NDArray[np.int64], labels: NDArray[np.int64]) -> Calibration:
    """The calibration that gives the right classes most probability.

    >>> votes = np.array([[10, 0], [10, 0], [10, 0], [10, 0]])
    >>> calibration = fitted_calibration(votes, np.array([0, 0, 0, 1]))
    >>> calibration.probabilities(votes[:1]).round(2).tolist()
    [[0.75, 0.25]]
    """
    # Labels of -1 are classes that the machine never met; nothing helps with them.
    votes, labels = votes[labels >= 0], labels[labels >= 0]
    leads = np.abs(votes - votes.mean(axis=1, keepdims=True)) if votes.size else np.zeros(1)
    spread = float(leads.max())
    if votes.shape[1] < 2 or spread == 0.0:
        return Calibration()
    from scipy.optimize import minimize  # slow to import, and seldom needed

    rows = np.arange(len(labels))

    def calibration_at(point: NDArray[np.float64]) -> Calibration:
        # A machine that is always right would like to be infinitely sure; the bounds forbid it.
        log_temperature = np.clip(point[0], np.log(spread / 20), np.log(spread * 1000))
        return Calibration(float(np.exp(log_temperature)), min(float(expit(point[1])), MOST_DOUBT))

    def loss(point: NDArray[np.float64]) -> float:
        right = calibration_at(point).probabilities(votes)[rows, labels]
        return -float(np.log(np.maximum(right, 1e-12)).mean())

    start = np.log(max(float(leads.mean()), spread / 20))
    options = {"xatol": 1e-3, "fatol": 1e-7, "maxiter": 400}
    tries = [
        minimize(loss, [start, doubt], method="Nelder-Mead", options=options)
        for doubt in (-6.0, -1.0)
    ]
    return calibration_at(min(tries, key=lambda result: result.fun).x)


def check_inner_folds(inner_folds: int) -> None:
    """Refuse a number of folds that leaves nothing to train on."""
    whole_number("inner_folds", inner_folds, 0)
    if inner_folds == 1:
        raise ValueError("inner_folds=1 leaves nothing to train on; use 0, or 2 or more.")


@dataclass(frozen=True, eq=False)
class InnerFolds:
    """What a machine learned from and how, so that others can learn from parts of it.

    A machine is surer of samples it learned from than of others, so probabilities are fitted to
    votes of machines on samples that they did not learn from.
    """

    settings: dict[str, Any]
    rows: Bits
    """Eight bits a byte, unless they are sparse."""
    labels: NDArray[np.int64]
    weights: NDArray[np.float64] | None
    epochs: int
    n_folds: int

    @classmethod
    def of(
        cls,
        machine: TsetlinMachineClassifier,
        bits: Bits,
        labels: NDArray[np.int64],
        weights: NDArray[np.float64] | None,
    ) -> InnerFolds:
        """What this machine just learned from, without samples of weight 0."""
        used = np.flatnonzero(np.ones(len(labels)) if weights is None else weights)
        rows = bits[used] if len(used) < len(labels) else bits
        settings = machine.get_params(deep=False) | {"class_weight": None, "inner_folds": 0}
        return cls(
            settings,
            np.packbits(rows, axis=1) if isinstance(rows, np.ndarray) else rows.copy(),
            labels[used],
            None if weights is None else weights[used],
            len(machine.history_),
            int(machine.inner_folds),
        )

    def held_out_votes(
        self, machine: TsetlinMachineClassifier
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Votes on samples of machines like this one that never saw them, and their classes."""
        # Every class is spread evenly over the folds.
        order = np.random.default_rng(0).permutation(len(self.labels))
        order = order[np.argsort(self.labels[order], kind="stable")]
        fold = np.empty(len(order), np.int64)
        fold[order] = np.arange(len(order)) % self.n_folds
        votes: list[NDArray[np.int64]] = []
        labels: list[NDArray[np.int64]] = []
        while sum(map(len, labels)) < min(ENOUGH_HELD_OUT, len(order)):
            held_out = fold == len(labels)
            settings = self.settings | {"random_state": len(labels)}
            inner = TsetlinMachineClassifier(**settings)
            inner.classes_, inner.n_features_in_ = machine.classes_, machine.n_features_in_
            inner._begin(None)
            weights = None if self.weights is None else self.weights[~held_out]
            job = inner._job(
                self._bits(~held_out, machine), self.labels[~held_out], weights, self.epochs
            )
            inner._train(job, progress=False)
            votes.append(inner._votes_of_bits(self._bits(held_out, machine)))
            labels.append(self.labels[held_out])
        return np.concatenate(votes), np.concatenate(labels)

    def _bits(self, chosen: NDArray[np.bool_], machine: TsetlinMachineClassifier) -> Bits:
        rows = self.rows[np.flatnonzero(chosen)]
        if isinstance(rows, np.ndarray):
            return np.unpackbits(rows, axis=1, count=machine.n_features_in_)
        return rows


@dataclass(eq=False, repr=False)
class TsetlinMachineClassifier(ClassifierMixin, BaseTsetlinMachine):
    """A Tsetlin Machine: clauses that vote for and against classes, and can be read.

    A clause is a pattern over bits, such as "rain and not wind". Every class
    has `n_clauses` of them; those with even numbers vote for it, those with odd numbers against
    it, each with its weight if it fires on the sample. The class with most votes is predicted.

    Parameters
    ----------
    n_clauses : int, default=600
        Clauses a class, half for and half against.
    threshold : float, default=None
        The votes that a class strives for on its own samples, and below zero on others (T in the
        papers). The nearer the votes are to it, the fewer clauses still learn; so it says how
        many clauses share a pattern. None: the square root of n_clauses, and with weights ten
        times as much, which suits ten public data sets.
    specificity : float, default=4.0
        How fine the patterns are (s in the papers), 1 or more: a clause forgets a literal with
        probability 1/specificity, so that patterns found in fewer than about 1 in `specificity`
        samples do not last.
    weighted : bool, default=True
        Clauses have integer weights that grow when they are right and shrink, down to 1, when
        they are wrong (Phoulady et al. 2019, Abeyrathna et al. 2020).
    boost_true_positive : bool, default=True
        A clause that fires as it should remembers all true literals, not only most of them.
    state_bits : int, default=8
        Bits of an automaton's memory, 4 to 16.
    max_literals : int, default=None
        A clause with more literals than this forgets instead of learning more: shorter clauses,
        easier to read (Abeyrathna et al. 2023). A clause may be a little longer until it has
        forgotten the rest. None: no limit.
    board_shape : (rows, columns, planes), default=None
        How the bits of a sample lie, needed with `window`. They are read row by row, in a row
        column by column, in a cell plane by plane: bit
        ``(row * columns + column) * planes + plane``, which is C order of that shape.
    window : (rows, columns), default=None
        Make the machine convolutional (Granmo et al. 2019): clauses look through a window of
        this size, and fire on a sample if they do at any place of it. They may also ask where
        the window is, by bits "patch row > t" and "patch column > t". Learning takes one of the
        places at which they fire, at random. None: clauses see the whole sample.
    block_size : int or "auto", default="auto"
        Samples, 1 to 64, between two counts of the votes. 1 is the textbook algorithm; the more,
        the faster. "auto" takes as many as cost no accuracy: about the root of the threshold, at
        most 16 in the first two epochs, 32 in the next eight and 64 afterwards, and fewer where
        there are few samples.
    epochs : int, default=20
        Passes through the training data in `fit`.
    random_state : int, RandomState or None, default=None
        One number gives one machine, bit for bit, whatever `n_jobs` is.
    n_jobs : int, default=None
        Threads, as everywhere in scikit-learn: None is 1, -1 all cores.
    device : {"cpu", "gpu", "auto"}, default="cpu"
        Where to train and to count votes. "gpu" needs an NVIDIA GPU and CuPy (the extra `gpu`);
        "auto" takes it if it is there. The machine that comes out is the same on either, bit for
        bit. Single samples are judged faster on the CPU. See also `fit_many`.
    class_weight : dict, "balanced" or None, default=None
        Weights of classes, as in scikit-learn; they multiply the `sample_weight` of `fit`.
    max_misses : int, default=0
        Fuzzy-pattern clauses (Hnilov 2025): a clause still votes where up to so many of its
        literals fail, but less for each of them. It casts its weight max_misses + 1 times if all
        literals hold, once less for each that fails (of a clause of few literals not all may
        fail). Few clauses then tell much, each of many literals; choose a threshold of some times
        max_misses. With a window, the patch where fewest fail counts. 0: all literals must hold.
    inner_folds : int, default=5
        Folds of the training data, 2 or more, to which `predict_proba` is fitted if there are no
        validation data; 0 for none: then to samples that the machine learned from, and it is too
        sure of itself. Nothing is done before probabilities are asked for.

    Attributes
    ----------
    classes_ : array
        The classes, sorted.
    banks_ : Banks
        The automata and weights.
    history_ : list of Epoch
        For each epoch its number, seconds and accuracy on the validation data.
    bit_names_ : list of str
        Names of the bits of a sample.
    calibration_ : Calibration
        See `predict_proba`.
    n_features_in_ : int
        Bits of a sample.

    Examples
    --------
    A class that depends on two bits of three, with names to read:

    >>> import numpy as np
    >>> X = np.random.default_rng(0).integers(2, size=(1000, 3))
    >>> y = np.where(X[:, 0] & ~X[:, 1] & 1, "win", "other")
    >>> machine = TsetlinMachineClassifier(n_clauses=10, specificity=3.0, random_state=0)
    >>> machine.fit(X, y, bit_names=["king", "threat", "noise"]).score(X, y)
    1.0
    >>> print(machine.predict([[1, 0, 1], [1, 1, 0]]))
    ['win' 'other']
    """

    both_signs: ClassVar[bool] = True
    score_name: ClassVar[str] = "accuracy"

    class_weight: Mapping[Label, float] | str | None = None
    inner_folds: int = field(default=5, kw_only=True)

    classes_: NDArray[Any] = field(init=False)
    _calibration: Calibration | None = field(init=False)
    _watched: tuple[Bits, NDArray[np.int64]] | InnerFolds = field(init=False)

    def _default_threshold(self) -> int:
        return round((10 if self.weighted else 1) * self.n_clauses**0.5)

    def partial_fit(
        self,
        X: Samples,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        bit_names: Sequence[str] | None = None,
    ) -> Self:
        """Learn one more epoch from samples X and their classes y, on top of what is known.

        The first call needs all `classes`, unless `y` holds every one of them.
        """
        with self._restored_on_error():
            self._check_parameters()
            first = not hasattr(self, "banks_")
            bits, y = self._check_training(X, y, reset=first)
            if first:
                self.classes_ = np.unique(y if classes is None else classes)
            elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
                raise ValueError(
                    f"classes={np.asarray(classes).tolist()!r} are not those of the first call: "
                    f"{self.classes_.tolist()!r}."
                )
            self._check_only_first(first, bit_names=bit_names)
            labels = self._indices(y)
            if (labels < 0).any():
                raise ValueError(
                    f"y has the class {plain(y[labels < 0][0])!r}, which is not among "
                    f"{self.classes_.tolist()!r}. Give all classes in the first call of "
                    "partial_fit."
                )
            weights = self._check_weights(sample_weight, bits, y)
            if first:
                self._begin(bit_names)
        self._train(self._job(bits, labels, weights))
        return self

    def votes(self, X: Samples) -> NDArray[np.int64]:
        """The votes for each class: whole numbers, exact sums, samples × classes."""
        return self._votes(X)

    def decision_function(self, X: Samples) -> NDArray[np.float64]:
        """The votes as scikit-learn wants them; for two classes the second's lead on the first."""
        votes = self._votes(X).astype(np.float64)
        return votes[:, 1] - votes[:, 0] if votes.shape[1] == 2 else votes

    def predict(self, X: Samples) -> NDArray[Any]:
        """The class with most votes; the first of them if there are several."""
        votes = self._votes(X)
        return self.classes_[votes.argmax(axis=1)]

    def predict_proba(self, X: Samples) -> NDArray[np.float64]:
        """Probabilities of the classes: a softmax of the votes and a share of doubt.

        ``(1 - doubt) * softmax(votes / temperature) + doubt / n_classes``, with the temperature
        and the doubt (see `calibration_`) that give the right classes most probability: on the
        validation data, if `fit` had any, or on the samples given to `calibrate`. Otherwise by
        inner folds: when probabilities are first asked for (or the machine is saved), machines with
        the same settings learn from all of the training data but a fold, and vote on that; one fold
        after the other, until 1,000 samples have got votes. With 5,000 samples or more that is one
        more training on four fifths of them. Until then the training data, eight bits a byte, are a
        part of the machine, and of a pickle of it; to look at `calibration_` lets go of them.

        After `partial_fit`, and with `inner_folds=0`, it is (up to 2,000 of) the last training
        samples, on which a machine does better than on new ones: then the probabilities are too
        sure of themselves.
        """
        votes = self._votes(X)
        return self.calibration_.probabilities(votes)

    @property
    def calibration_(self) -> Calibration:
        """The temperature and the doubt of `predict_proba`; fitted when first asked for."""
        self._need_fit()
        if self._calibration is None:
            if isinstance(self._watched, InnerFolds):
                votes, labels = self._watched.held_out_votes(self)
            else:
                bits, labels = self._watched
                votes = self._votes_of_bits(bits)
            self._calibration = fitted_calibration(votes, labels)
            del self._watched
        return self._calibration

    def calibrate(self, X: Samples, y: ArrayLike) -> Self:
        """Fit `predict_proba` to samples that were not trained on."""
        self._need_fit()
        self._finish(*self._check_pair(X, y))
        return self

    def clauses_of(self, class_: Label, bit_names: Sequence[str] | None = None) -> list[Clause]:
        """The clauses of one class that can fire, in the order of their numbers.

        `bit_names` overrides the names kept from training, for instance with those that an
        encoder gives: ``pipeline[:-1].get_feature_names_out()``.
        """
        check_is_fitted(self, "banks_")
        places = np.flatnonzero(self.classes_ == class_)
        if places.size == 0:
            raise ValueError(
                f"There is no class {plain(class_)!r}; there are {self.classes_.tolist()!r}."
            )
        return self._read(int(places[0]), bit_names)

    def _labels(self) -> list[Any]:
        return list(self.classes_)

    def _check_targets(self, y: Any) -> NDArray[Any]:
        if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuU":
            return y  # Single samples in a loop are spared half a millisecond of checks.
        labels: NDArray[Any] = column_or_1d(y, warn=True)
        if labels.dtype.kind == "f":
            assert_all_finite(labels, input_name="y")
        check_classification_targets(labels)
        return labels

    def _check_weights(
        self, sample_weight: Any, bits: Bits, y: NDArray[Any]
    ) -> NDArray[np.float64] | None:
        if self.class_weight is not None:
            of_class = compute_sample_weight(self.class_weight, y)
            given = super()._check_weights(sample_weight, bits, y)
            sample_weight = of_class if given is None else of_class * given
        return super()._check_weights(sample_weight, bits, y)

    def _learn_targets(self, y: NDArray[Any]) -> NDArray[np.int64]:
        self.classes_, labels = np.unique(y, return_inverse=True)
        return labels

    def _check_pair(self, X: Any, y: Any) -> tuple[Bits, NDArray[np.int64]]:
        """Samples and the indices of their classes, -1 for a class that is not known."""
        bits = as_bits(self, X, reset=False)
        labels = self._indices(column_or_1d(y))
        if len(labels) != bits.shape[0]:
            raise ValueError(f"There are {bits.shape[0]} samples, but {len(labels)} classes.")
        return bits, labels

    def _indices(self, y: NDArray[Any]) -> NDArray[np.int64]:
        places = np.searchsorted(self.classes_, y).clip(max=len(self.classes_) - 1)
        return np.where(self.classes_[places] == y, places, -1)

    def _batches(
        self, targets: NDArray[np.int64], weights: NDArray[np.float64] | None
    ) -> list[EpochBatch]:
        return class_batches(
            targets, len(self.classes_), self._threshold(), weights, self.banks_.shuffler
        )

    def _score(self, votes: NDArray[np.int64], targets: NDArray[np.int64]) -> float:
        return float((votes.argmax(axis=1) == targets).mean())

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_inner_folds(self.inner_folds)

    def _finish(
        self,
        bits: Bits,
        targets: NDArray[np.int64],
        weights: NDArray[np.float64] | None = None,
        *,
        learned: bool = False,
        whole: bool = False,
    ) -> None:
        """Keep these samples, or some, to fit probabilities to when they are asked for."""
        n_folds, n_classes = int(self.inner_folds), len(self.classes_)
        enough = n_classes > 1 and bits.shape[0] >= 2 * n_folds
        # Without history, the training was interrupted in its first epoch.
        if learned and whole and n_folds and enough and self.history_:
            self._watched = InnerFolds.of(self, bits, targets, weights)
            self._calibration = None
            return
        few = slice(None, None, max(1, -(-bits.shape[0] // CALIBRATION_SAMPLES)))
        self._watched = (bits[few].copy(), targets[few].copy())
        self._calibration = None

    def __dir__(self) -> list[str]:
        # As scikit-learn does, but a look at all attributes must not train machines.
        waiting = isinstance(self.__dict__.get("_watched"), InnerFolds)
        names = set(object.__dir__(self)) - ({"calibration_"} if waiting else set())
        return [name for name in names if hasattr(self, name)]

    def _facts(self) -> dict[str, Any]:
        if self.classes_.dtype.kind not in "OUSbiuf":
            raise ValueError(
                f"Classes of type {self.classes_.dtype} cannot be saved; use numbers or texts."
            )
        return {
            "classes": [plain(c) for c in self.classes_],
            "class_type": self.classes_.dtype.str,
            "temperature": self.calibration_.temperature,
            "doubt": self.calibration_.doubt,
            **({} if self._sources is None else {"sources": self._sources}),
        }

    def _take_facts(self, facts: dict[str, Any]) -> None:
        self.classes_ = np.array(facts["classes"], np.dtype(facts["class_type"]))
        self._calibration = Calibration(float(facts["temperature"]), float(facts["doubt"]))
        self._sources = facts.get("sources")  # older files have none
