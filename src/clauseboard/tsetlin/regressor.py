"""The regression Tsetlin Machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d

from clauseboard.tsetlin.batches import EpochBatch, value_batch
from clauseboard.tsetlin.clauses import Clause
from clauseboard.tsetlin.machine import BaseTsetlinMachine
from clauseboard.tsetlin.packing import Bits, Samples, as_bits
from clauseboard.tsetlin.stopping import AdaptiveEpochs


@dataclass(eq=False, repr=False)
class TsetlinMachineRegressor(RegressorMixin, BaseTsetlinMachine):
    """A Tsetlin Machine for values: the more clauses fire, the higher the value.

    All clauses vote for (Abeyrathna et al. 2019). No votes mean the lowest value of the training
    data, `threshold` votes the highest, and in between it is a straight line. A clause learns
    the more often the farther the votes are off, and in the direction that is wanted.

    The parameters are those of `TsetlinMachineClassifier`, with `n_clauses` in all, except that
    `threshold` is also the number of steps between the lowest value and the highest (None: five
    times n_clauses with weights, and n_clauses without), and that by default `n_clauses` is 2,000,
    `specificity` 3 and `max_literals` 4: many short clauses add up to a value. They did best on ten
    public data sets.

    Attributes
    ----------
    lowest_, highest_ : float
        The values that no votes and `threshold` votes mean.
    banks_, history_, bit_names_, n_features_in_
        As of the classifier; the score of an epoch is R².

    Examples
    --------
    >>> X = np.random.default_rng(0).integers(2, size=(1000, 4))
    >>> y = 3.0 * X[:, 0] + X[:, 1]
    >>> machine = TsetlinMachineRegressor(n_clauses=200, specificity=2.0, random_state=0)
    >>> machine.fit(X, y).score(X, y) > 0.9
    True
    """

    both_signs: ClassVar[bool] = False
    score_name: ClassVar[str] = "R²"

    n_clauses: int = 2000
    specificity: float = 3.0
    max_literals: int | None = 4

    lowest_: float = field(init=False)
    highest_: float = field(init=False)

    def _default_threshold(self) -> int:
        return 5 * self.n_clauses if self.weighted else self.n_clauses

    def partial_fit(
        self,
        X: Samples,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        value_range: tuple[float, float] | None = None,
        bit_names: Sequence[str] | None = None,
    ) -> Self:
        """Learn one more epoch, on top of what is known.

        The first call fixes the lowest and highest value: those of `y`, unless `value_range`
        gives them. Later values outside of it count as its ends.
        """
        with self._restored_on_error():
            self._check_parameters()
            first = not hasattr(self, "banks_")
            bits, y = self._check_training(X, y, reset=first)
            weights = self._check_weights(sample_weight, bits, y)
            self._check_only_first(first, bit_names=bit_names, value_range=value_range)
            if first:
                ends = (y.min(), y.max()) if value_range is None else tuple(value_range)
                if len(ends) != 2 or not -np.inf < ends[0] <= ends[1] < np.inf:
                    raise ValueError(
                        f"value_range must be (lowest, highest); it is {value_range!r}."
                    )
                self.lowest_, self.highest_ = float(ends[0]), float(ends[1])
                self._begin(bit_names)
        self._train(self._job(bits, y, weights))
        return self

    def votes(self, X: Samples) -> NDArray[np.int64]:
        """The votes on each sample: whole numbers, exact sums."""
        return self._votes(X)[:, 0]

    def predict(self, X: Samples) -> NDArray[np.float64]:
        """The value of each sample, between the lowest and the highest of the training data."""
        return self._values(self._votes(X))

    def clauses(self, bit_names: Sequence[str] | None = None) -> list[Clause]:
        """The clauses that can fire, in the order of their numbers."""
        check_is_fitted(self, "banks_")
        return self._read(0, bit_names)

    def _labels(self) -> list[Any]:
        return [None]

    def _values(self, votes: NDArray[np.int64]) -> NDArray[np.float64]:
        share = votes[:, 0].clip(0, self._threshold()) / self._threshold()
        # Two half steps, because the whole one may be larger than a float holds.
        half = share * (self.highest_ / 2 - self.lowest_ / 2)
        return self.lowest_ + half + half

    def _goals(self, y: NDArray[np.float64]) -> NDArray[np.float64]:
        # Halves, because the span of two large numbers may be larger than a float holds.
        span = self.highest_ / 2 - self.lowest_ / 2
        if span == 0.0:
            return np.zeros(len(y))
        return ((y / 2 - self.lowest_ / 2) / span).clip(0, 1) * self._threshold()

    def _check_targets(self, y: Any) -> NDArray[np.float64]:
        values: NDArray[np.float64] = check_array(
            column_or_1d(y, warn=True), ensure_2d=False, dtype=np.float64, input_name="y"
        )
        return values

    def _learn_targets(self, y: NDArray[np.float64]) -> NDArray[np.float64]:
        self.lowest_, self.highest_ = float(y.min()), float(y.max())
        return y

    def _check_stop(self, stop: AdaptiveEpochs | None, validation: Any) -> None:
        if stop is not None:
            raise ValueError("stop goes by accuracy, which a regressor does not have.")

    def _check_pair(self, X: Any, y: Any) -> tuple[Bits, NDArray[Any]]:
        bits, values = as_bits(self, X, reset=False), column_or_1d(y)
        if bits.shape[0] != len(values):
            raise ValueError(f"validation has {bits.shape[0]} samples, but {len(values)} values.")
        return bits, values

    def _batches(
        self, targets: NDArray[np.float64], weights: NDArray[np.float64] | None
    ) -> list[EpochBatch]:
        return value_batch(self._goals(targets), weights, self.banks_.shuffler)

    def _score(self, votes: NDArray[np.int64], targets: NDArray[Any]) -> float:
        from sklearn.metrics import r2_score  # slow to import

        return float(r2_score(targets, self._values(votes)))

    def _facts(self) -> dict[str, Any]:
        return {"lowest": self.lowest_, "highest": self.highest_}

    def _take_facts(self, facts: dict[str, Any]) -> None:
        self.lowest_, self.highest_ = float(facts["lowest"]), float(facts["highest"])
