"""When to stop training: the adaptive epochs of Bråten (2020), and a third version of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from clauseboard.checks import one_of, whole_number

VERSIONS = (1, 2, 3)
KEPT = ("best", "last")

WINDOW = 10
"""Epochs whose mean version 3 looks at."""

PATIENCE = 15
"""Epochs for which version 3 waits for a better mean."""


@dataclass(frozen=True)
class AdaptiveEpochs:
    """Stop when recent epochs are less accurate than those before them.

    Martin Bråten, *The Application of the Tsetlin Machine in Checkers*, University of
    Agder 2020, section 5.2, gives two rules, and section 8.2 asks for a better one. All look
    at the accuracies of the epochs run so far; for the first two, an epoch not run yet counts
    as accuracy 0:

    - version 1 stops if the mean of the last 20 epochs is higher than the mean of the
      last 10 (the 10 are among the 20);
    - version 2, which he found better by one or two points, stops if the mean of the last
      10 epochs is lower than the mean of the 11 epochs before those;
    - version 3, ours, stops if the best mean of 10 epochs in a row so far is 15 epochs old.
      Accuracies go up and down by chance, and one dip is enough for version 2 while the
      machine still learns; a dip must last for version 3. It runs 25 epochs at least.

    Higher and lower are strict: epochs that are all equal go on. Means are compared
    exactly, so the rounding of sums never stops a flat run.

    Since missing epochs are 0, the sums are always divided by 20 and 10 (version 1) or 10
    and 11 (version 2), however few epochs there are. Until 20 (21) epochs have been run
    at least one 0 pulls down the mean of the older ones; so training runs for at least 20
    (21) epochs unless the accuracy falls far below that of the first epochs.

    Accuracies may be shares or percentages: only their order and ratio matter.

    Parameters
    ----------
    version : {1, 2, 3}, default=2
        Which of the rules.
    max_epochs : int, default=500
        Stop after this many epochs in any case, as in the thesis; 1 or more.
    keep : {"best", "last"}, default="best"
        Which machine is kept: that of the epoch with the highest accuracy, the first of equals, or
        that of the last epoch, as in the thesis.

    Examples
    --------
    The accuracy falls by one point after ten epochs. The first two rules stop as soon as no
    missing epoch is left in the older ones, the third when it has waited long enough:

    >>> accuracies = [0.70] * 10 + [0.69] * 20
    >>> AdaptiveEpochs(version=1).epochs_run(accuracies)
    20
    >>> AdaptiveEpochs(version=2).epochs_run(accuracies)
    21
    >>> AdaptiveEpochs(version=3).epochs_run(accuracies)
    25
    """

    version: int = 2
    max_epochs: int = 500
    keep: str = "best"

    def __post_init__(self) -> None:
        one_of("version", self.version, VERSIONS)
        whole_number("max_epochs", self.max_epochs, 1)
        one_of("keep", self.keep, KEPT)

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
        if self.version == 3:
            return _epochs_since_best(accuracies, epochs) >= PATIENCE
        last_10 = _mean(accuracies, epochs - 10, epochs)
        if self.version == 1:
            return _mean(accuracies, epochs - 20, epochs) > last_10
        return last_10 < _mean(accuracies, epochs - 21, epochs - 10)


def _mean(accuracies: Sequence[float], start: int, stop: int) -> Fraction:
    """Return the exact mean of epochs start..stop - 1, those before the first being 0."""
    known = range(max(start, 0), stop)
    return sum((Fraction(_checked(accuracies, epoch)) for epoch in known), Fraction(0)) / (
        stop - start
    )


def _epochs_since_best(accuracies: Sequence[float], epochs: int) -> int:
    """Return how many epochs ago the best mean of `WINDOW` epochs ended; of equals the last."""
    known = [_checked(accuracies, epoch) for epoch in range(epochs)]
    # Equal accuracies in another order have the same sum: fsum rounds once.
    sums = [math.fsum(known[end - WINDOW : end]) for end in range(WINDOW, epochs + 1)]
    if not sums:
        return 0
    best = max(range(len(sums)), key=lambda place: (sums[place], place))
    return len(sums) - 1 - best


def _checked(accuracies: Sequence[float], epoch: int) -> float:
    accuracy = float(accuracies[epoch])
    if not (math.isfinite(accuracy) and accuracy >= 0):
        raise ValueError(
            f"the accuracy of epoch {epoch + 1} is {accuracy}; it must be finite, 0 or more."
        )
    return accuracy
