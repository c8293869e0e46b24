"""When to stop training: the adaptive epochs of Bråten (2020)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral

VERSIONS = (1, 2)


@dataclass(frozen=True)
class AdaptiveEpochs:
    """Stop when recent epochs are less accurate than those before them.

    Martin Bråten, *The Application of the Tsetlin Machine in Checkers*, University of
    Agder 2020, section 5.2, gives two rules. Both look at the accuracies of the epochs
    run so far, and an epoch not run yet counts as accuracy 0:

    - version 1 stops if the mean of the last 20 epochs is higher than the mean of the
      last 10 (the 10 are among the 20);
    - version 2, which he found better by one or two points, stops if the mean of the last
      10 epochs is lower than the mean of the 11 epochs before those.

    Higher and lower are strict: epochs that are all equal go on. Means are compared
    exactly, so the rounding of sums never stops a flat run.

    Since missing epochs are 0, the sums are always divided by 20 and 10 (version 1) or 10
    and 11 (version 2), however few epochs there are. Until 20 (21) epochs have been run
    at least one 0 pulls down the mean of the older ones; so training runs for at least 20
    (21) epochs unless the accuracy falls far below that of the first epochs.

    Accuracies may be shares or percentages: only their order and ratio matter.

    Parameters
    ----------
    version : {1, 2}, default=2
        Which of the two rules.
    max_epochs : int, default=500
        Stop after this many epochs in any case, as in the thesis; 1 or more.

    Examples
    --------
    The accuracy falls by one point after ten epochs. Both rules stop as soon as no missing
    epoch is left in the older ones:

    >>> accuracies = [0.70] * 10 + [0.69] * 20
    >>> AdaptiveEpochs(version=1).epochs_run(accuracies)
    20
    >>> AdaptiveEpochs(version=2).epochs_run(accuracies)
    21
    """

    version: int = 2
    max_epochs: int = 500

    def __post_init__(self) -> None:
        if self.version not in VERSIONS:
            raise ValueError(f"version is {self.version!r}; it must be 1 or 2.")
        if not isinstance(self.max_epochs, Integral) or self.max_epochs < 1:
            raise ValueError(
                f"max_epochs is {self.max_epochs!r}; it must be a whole number, 1 or more."
            )

    def should_stop(self, accuracies: Sequence[float]) -> bool:
        """Say whether training stops after the epochs whose accuracies are given, in order.

        >>> AdaptiveEpochs().should_stop([0.7] * 11 + [0.6] * 10)
        True
        >>> AdaptiveEpochs().should_stop([0.7] * 21)
        False
        """
        return self._stops_after(accuracies, len(accuracies))

    def epochs_run(self, accuracies: Sequence[float]) -> int:
        """Say after how many epochs of a longer run training would have stopped.

        If it would not have stopped within the run, that is the length of the run.

        >>> AdaptiveEpochs(max_epochs=5).epochs_run([0.7] * 200)
        5
        """
        for epochs in range(1, len(accuracies) + 1):
            if self._stops_after(accuracies, epochs):
                return epochs
        return len(accuracies)

    def _stops_after(self, accuracies: Sequence[float], epochs: int) -> bool:
        if epochs >= self.max_epochs:
            return True
        last_10 = _mean(accuracies, epochs - 10, epochs)
        if self.version == 1:
            return _mean(accuracies, epochs - 20, epochs) > last_10
        return last_10 < _mean(accuracies, epochs - 21, epochs - 10)


def _mean(accuracies: Sequence[float], start: int, stop: int) -> Fraction:
    """Return the exact mean of epochs start..stop - 1, those before the first being 0."""
    total = Fraction(0)
    for epoch in range(max(start, 0), stop):
        accuracy = float(accuracies[epoch])
        if not (math.isfinite(accuracy) and accuracy >= 0):
            raise ValueError(
                f"the accuracy of epoch {epoch + 1} is {accuracy}; it must be finite, 0 or more."
            )
        total += Fraction(accuracy)
    return total / (stop - start)
