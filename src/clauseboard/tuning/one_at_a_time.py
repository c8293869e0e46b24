"""The search for good settings as the theses do it by hand: one at a time.

From a guess, one setting is varied while the others stay: from a third of it to three times as
much (the checkers thesis), or its half and its double (the Go and the Hex thesis). If the best
value is the lowest or the highest, the search moves on that way for as long as it gets better.
Then it is the next setting's turn. It ends when a whole round has changed nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

WAYS: dict[str, tuple[float, ...]] = {
    "thirds": (1 / 3, 1 / 2, 1, 2, 3),
    "doubling": (1 / 2, 1, 2),
}
"""What a value is multiplied by; the last number is also by how much the search moves on."""

ROUNDS = 3

Settings = Mapping[str, float]
Ask = Callable[[Sequence[Settings]], Sequence[float]]
"""Tells how good each of some settings is; they may be tried side by side."""


@dataclass(frozen=True)
class Parameter:
    """A setting that can be varied, and between which values."""

    name: str
    least: float
    most: float = math.inf
    even: bool = False
    """Whether only even whole numbers will do."""
    whole: bool = True

    def rounded(self, value: float) -> float:
        """The allowed value next to a value.

        >>> Knob("clauses", 2, 500, even=True).rounded(333.3)
        334
        >>> Knob("s", 1, whole=False).rounded(9 / 3.5)
        2.57
        """
        value = min(max(value, self.least), self.most)
        if self.even:
            return 2 * round(value / 2)
        # Three digits are more than an s needs.
        return round(value) if self.whole else float(f"{value:.3g}")


@dataclass(frozen=True)
class Trial:
    """Settings that were tried, which of them was in focus, and how good they were."""

    settings: Settings
    focus: str
    """The setting that was varied; empty for the guess."""
    score: float


@dataclass
class OneAtATimeSearch:
    """A search from a guess; `tried` has all that was asked for, in order."""

    ask: Ask
    parameters: Sequence[Parameter]
    way: str = "thirds"
    rounds: int = ROUNDS
    tried: list[Trial] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.way not in WAYS:
            raise ValueError(f"way={self.way!r} is none of {', '.join(map(repr, WAYS))}.")
        if isinstance(self.rounds, bool) or not isinstance(self.rounds, int) or self.rounds < 1:
            raise ValueError(f"rounds={self.rounds!r} is no whole number from 1 on.")
        self._known: dict[tuple[tuple[str, float], ...], float] = {}

    def run(self, guess: Settings) -> Settings:
        """The best settings found."""
        best: Settings = {
            **guess,
            **{parameter.name: parameter.rounded(guess[parameter.name]) for parameter in self.parameters},
        }
        self._scores([best], "")
        for _ in range(self.rounds):
            before = best
            for parameter in self.parameters:
                best = self._varied(best, parameter)
            if best == before:
                break
        return best

    def score(self, settings: Settings) -> float:
        """How good settings were that have been tried."""
        return self._known[_key(settings)]

    def _varied(self, best: Settings, parameter: Parameter) -> Settings:
        """The best settings in which only one is another."""
        values = sorted({parameter.rounded(best[parameter.name] * factor) for factor in WAYS[self.way]})
        best = self._best(best, parameter, values)
        step = WAYS[self.way][-1]
        for edge, factor in ((values[0], 1 / step), (values[-1], step)):
            # While the best is at the edge of what was tried, look beyond it.
            while best[parameter.name] == edge:
                beyond = parameter.rounded(edge * factor)
                if beyond == edge:
                    break
                best, edge = self._best(best, parameter, [beyond]), beyond
        return best

    def _best(self, best: Settings, parameter: Parameter, values: Sequence[float]) -> Settings:
        """The best of the settings with these values; what is no better does not change them."""
        others = [{**best, parameter.name: value} for value in values]
        scores = self._scores(others, parameter.name)
        top = max(range(len(scores)), key=scores.__getitem__)
        return others[top] if scores[top] > self.score(best) else best

    def _scores(self, settings: Sequence[Settings], focus: str) -> list[float]:
        """Scores of settings; those that are known already are not asked for again."""
        new = [one for one in settings if _key(one) not in self._known]
        if new:
            for one, score in zip(new, self.ask(new), strict=True):
                self._known[_key(one)] = score
                self.tried.append(Trial(one, focus, score))
        return [self._known[_key(one)] for one in settings]


def _key(settings: Settings) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(settings.items()))
