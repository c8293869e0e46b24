"""The multi-class Tsetlin Machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, check_is_fitted, column_or_1d

from clauseboard.tsetlin.bits import as_bits
from clauseboard.tsetlin.calibration import Calibration, fitted_calibration
from clauseboard.tsetlin.clauses import Clause, plain
from clauseboard.tsetlin.fit_job import Course, Epoch
from clauseboard.tsetlin.machine import BaseTsetlinMachine, check_validation
from clauseboard.tsetlin.stopping import AdaptiveEpochs
from clauseboard.tsetlin.training import class_lessons, most_repeats

CALIBRATION_BOARDS = 2000


class TsetlinMachineClassifier(ClassifierMixin, BaseTsetlinMachine):
    """A Tsetlin Machine: clauses that vote for and against classes, and can be read.

    A clause is a pattern over bits, such as "black king on 3 and no white man on 9". Every class
    has `n_clauses` of them; those with even numbers vote for it, those with odd numbers against
    it, each with its weight if it fires on the board. The class with most votes is predicted.

    Parameters
    ----------
    n_clauses : int, default=2000
        Clauses a class, half for and half against.
    threshold : float, default=None
        The votes that a class strives for on its own boards, and below zero on others (T in the
        papers). The nearer the votes are to it, the fewer clauses still learn; so it says how
        many clauses share a pattern. None: 2 * n_clauses with weights, as the settings that did
        best on checkers have it, and the square root of n_clauses without.
    specificity : float, default=9.0
        How fine the patterns are (s in the papers), 1 or more: a clause forgets a literal with
        probability 1/specificity, so that patterns found in fewer than about 1 in `specificity`
        boards do not last.
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
        How the bits of a board lie, needed with `window`. They are read row by row, in a row
        column by column, in a cell plane by plane: bit
        ``(row * columns + column) * planes + plane``, which is C order of that shape.
    window : (rows, columns), default=None
        Make the machine convolutional (Granmo et al. 2019): clauses look through a window of
        this size, and fire on a board if they do at any place of it. They may also ask where
        the window is, by bits "patch row > t" and "patch column > t". Learning takes one of the
        places at which they fire, at random. None: clauses see the whole board.
    block_size : int, default=64
        Boards, 1 to 64, between two counts of the votes. 1 is the textbook algorithm; 64 is many
        times as fast, and as accurate where thresholds are in the hundreds or more. With a low
        threshold, as machines without weights have it, try 8.
    epochs : int, default=20
        Passes through the training data in `fit`.
    random_state : int, RandomState or None, default=None
        One number gives one machine, bit for bit, whatever `n_jobs` is.
    n_jobs : int, default=None
        Threads, as everywhere in scikit-learn: None is 1, -1 all cores.
    device : {"cpu", "gpu", "auto"}, default="cpu"
        Where to train and to count votes. "gpu" needs an NVIDIA GPU and CuPy (the extra `gpu`);
        "auto" takes it if it is there. The machine that comes out is the same on either, bit for
        bit. Single boards are judged faster on the CPU. See also `fit_many`.

    Attributes
    ----------
    classes_ : array
        The classes, sorted.
    banks_ : Banks
        The automata and weights.
    history_ : list of Epoch
        For each epoch its number, seconds and accuracy on the validation data.
    bit_names_ : list of str
        Names of the bits of a board.
    calibration_ : Calibration
        See `predict_proba`.
    n_features_in_ : int
        Bits of a board.

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

    classes_: NDArray[Any]
    _calibration: Calibration | None
    _watched: tuple[NDArray[np.int64], NDArray[np.int64]]

    def _default_threshold(self) -> int:
        return 2 * self.n_clauses if self.weighted else round(self.n_clauses**0.5)

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        validation: tuple[Any, Any] | None = None,
        stop: AdaptiveEpochs | None = None,
        callback: Callable[[Epoch], bool | None] | None = None,
        progress: bool | None = None,
        bit_names: Sequence[str] | None = None,
    ) -> Self:
        """Learn from boards X and their classes y, from the beginning.

        Parameters
        ----------
        X : array or sparse matrix, boards × bits
            Booleans, or 0 and 1 of any numeric type.
        y : array
            The classes: numbers or texts.
        sample_weight : array, default=None
            A board of weight 2 comes twice an epoch, one of weight 0 never, one of weight 1.25
            once and in one of four epochs twice.
        validation : (X, y), default=None
            Boards on which the accuracy is measured after every epoch (see `history_`) and on
            which `predict_proba` is calibrated.
        stop : AdaptiveEpochs, default=None
            Stop by the accuracy on the validation data; its `max_epochs` then counts, not
            `epochs`.
        callback : function, default=None
            Called after every epoch with an `Epoch`; training ends if it returns true.
        progress : bool, default=None
            A progress bar on the standard error; None: on a terminal, after a second.
        bit_names : list of str, default=None
            Names of the bits; None: the columns of a DataFrame, or x0, x1, ...
        """
        course = self._whole_course(
            X,
            y,
            sample_weight,
            validation=validation,
            stop=stop,
            callback=callback,
            bit_names=bit_names,
        )
        self._train(course, progress)
        return self

    def _whole_course(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        validation: tuple[Any, Any] | None = None,
        stop: AdaptiveEpochs | None = None,
        callback: Callable[[Epoch], bool | None] | None = None,
        bit_names: Sequence[str] | None = None,
    ) -> Course:
        """Check what `fit` is given and begin afresh with it."""
        with self._kept_if_refused():
            self._check_parameters()
            bits, y = self._check_training(X, y, reset=True)
            if stop is not None and not isinstance(stop, AdaptiveEpochs):
                raise ValueError(f"stop must be an AdaptiveEpochs or None; it is {stop!r}.")
            if stop is not None and validation is None:
                raise ValueError("stop needs validation=(X, y): it goes by the accuracy on that.")
            self.classes_, labels = np.unique(y, return_inverse=True)
            weights = self._check_weights(sample_weight, bits)
            checked = None
            if validation is not None:
                checked = self._check_pair(*check_validation(validation))
            self._begin(len(self.classes_), bit_names)
        watched, known = (None, labels) if checked is None else checked

        return self._course(
            bits,
            lambda: self._lessons(labels, weights),
            epochs=self.epochs if stop is None else stop.max_epochs,
            boards_an_epoch=self._boards_an_epoch(labels, weights),
            most_boards=most_repeats(weights, len(bits)),
            watched=watched,
            score=lambda votes: float((votes.argmax(axis=1) == known).mean()),
            stop=stop,
            callback=callback,
            finish=lambda: self._watch(bits if watched is None else watched, known),
        )

    def partial_fit(
        self,
        X: Any,
        y: Any,
        classes: Any = None,
        sample_weight: Any = None,
        *,
        bit_names: Sequence[str] | None = None,
    ) -> Self:
        """Learn one more epoch from boards X and their classes y, on top of what is known.

        The first call needs all `classes`, unless `y` holds every one of them.
        """
        with self._kept_if_refused():
            self._check_parameters()
            first = not hasattr(self, "banks_")
            bits, y = self._check_training(X, y, reset=first)
            if first:
                self.classes_ = np.unique(y if classes is None else classes)
            elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
                raise ValueError(
                    f"classes={list(classes)!r} are not those of the first call: "
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
            weights = self._check_weights(sample_weight, bits)
            if first:
                self._begin(len(self.classes_), bit_names)
        self._train(
            self._course(
                bits,
                lambda: self._lessons(labels, weights),
                epochs=1,
                boards_an_epoch=self._boards_an_epoch(labels, weights),
                most_boards=most_repeats(weights, len(bits)),
                finish=lambda: self._watch(bits, labels),
            )
        )
        return self

    def votes(self, X: Any) -> NDArray[np.int64]:
        """The votes for each class: whole numbers, exact sums, boards × classes."""
        return self._votes(X)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The votes as scikit-learn wants them; for two classes the second's lead on the first."""
        votes = self._votes(X).astype(np.float64)
        return votes[:, 1] - votes[:, 0] if votes.shape[1] == 2 else votes

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with most votes; the first of them if there are several."""
        votes = self._votes(X)
        return self.classes_[votes.argmax(axis=1)]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the classes: a softmax of the votes and a share of doubt.

        ``(1 - doubt) * softmax(votes / temperature) + doubt / n_classes``, with the temperature
        and the doubt (see `calibration_`) that give the right classes most probability: on the
        validation data, if `fit` had any, or on the boards given to `calibrate`. Otherwise on
        (up to 2,000 of) the training boards, on which a machine does better than on new ones:
        then the probabilities are somewhat too sure of themselves.
        """
        votes = self._votes(X)
        return self.calibration_.probabilities(votes)

    @property
    def calibration_(self) -> Calibration:
        """The temperature and the doubt of `predict_proba`; fitted when first asked for."""
        self._need_fit()
        if self._calibration is None:
            self._calibration = fitted_calibration(*self._watched)
        return self._calibration

    def calibrate(self, X: Any, y: Any) -> Self:
        """Fit `predict_proba` to boards that were not trained on."""
        self._need_fit()
        self._watch(*self._check_pair(X, y))
        return self

    def clauses_of(self, class_: Any, bit_names: Sequence[str] | None = None) -> list[Clause]:
        """The clauses of one class that can fire, in the order of their numbers.

        `bit_names` overrides the names kept from training, for instance with those that an
        encoder gives: ``pipeline[:-1].get_feature_names_out()``.
        """
        check_is_fitted(self, "banks_")
        found = np.flatnonzero(self.classes_ == class_)
        if found.size == 0:
            raise ValueError(
                f"There is no class {plain(class_)!r}; there are {self.classes_.tolist()!r}."
            )
        return self._read(int(found[0]), bit_names)

    def _labels(self) -> list[Any]:
        return list(self.classes_)

    def _check_training(self, X: Any, y: Any, reset: bool) -> tuple[Any, NDArray[Any]]:
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        bits = as_bits(self, X, reset=reset)
        y = column_or_1d(y, warn=True)
        if y.dtype.kind == "f":
            assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        if len(y) != len(bits):
            raise ValueError(f"X has {len(bits)} boards, but y has {len(y)} classes.")
        return bits, y

    def _check_pair(self, X: Any, y: Any) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Boards and the indices of their classes, -1 for a class that is not known."""
        bits = as_bits(self, X, reset=False)
        labels = self._indices(column_or_1d(y))
        if len(labels) != len(bits):
            raise ValueError(f"There are {len(bits)} boards, but {len(labels)} classes of them.")
        return bits, labels

    def _indices(self, y: NDArray[Any]) -> NDArray[np.int64]:
        places = np.searchsorted(self.classes_, y).clip(max=len(self.classes_) - 1)
        return np.where(self.classes_[places] == y, places, -1)

    def _lessons(self, labels: NDArray[np.int64], weights: Any) -> Any:
        return class_lessons(
            labels, len(self.classes_), self._threshold(), weights, self.banks_.shuffler
        )

    def _boards_an_epoch(self, labels: NDArray[np.int64], weights: Any) -> float:
        """How many boards the banks see together: every board concerns two classes."""
        boards = labels.size if weights is None else weights.sum()
        return boards * min(2, len(self.classes_))

    def _watch(self, bits: NDArray[np.uint8], labels: NDArray[np.int64]) -> None:
        """Keep the votes on (some of) these boards, for when probabilities are asked for."""
        few = slice(None, None, max(1, -(-len(bits) // CALIBRATION_BOARDS)))
        self._watched = (self._votes_of_bits(bits[few]), labels[few])
        self._calibration = None

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
        }

    def _take_facts(self, facts: dict[str, Any]) -> None:
        self.classes_ = np.array(facts["classes"], np.dtype(facts["class_type"]))
        self._calibration = Calibration(float(facts["temperature"]), float(facts["doubt"]))
