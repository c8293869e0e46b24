"""The search for good settings as the theses do it by hand: one parameter at a time.

From a guess, one parameter is varied while the others stay: from a third of it to three times as
much (the checkers thesis), or its half and its double (the Go and the Hex thesis). If the best
value is the lowest or the highest, the search moves on that way for as long as it gets better. Then
the next parameter is varied. It ends when a whole round has changed nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from clauseboard.checks import whole_number

WAYS: dict[str, tuple[float, ...]] = {
    "thirds": (1 / 3, 1 / 2, 1, 2, 3),
    "doubling": (1 / 2, 1, 2),
}
"""The factors of a value; the last one is also the step by which the search moves on."""

ROUNDS = 3

Settings = Mapping[str, float]
Scorer = Callable[[Sequence[Settings]], Sequence[float]]
"""Scores some settings; they may be tried side by side."""


@dataclass(frozen=True)
class Parameter:
    """A parameter that can be varied, and its range."""

    name: str
    least: float
    most: float = math.inf
    even: bool = False
    """Whether only even integers are allowed."""
    whole: bool = True

    def rounded(self, value: float) -> float:
        """The nearest allowed value.

        >>> Parameter("clauses", 2, 500, even=True).rounded(333.3)
        334
        >>> Parameter("s", 1, whole=False).rounded(9 / 3.5)
        2.57
        """
        value = min(max(value, self.least), self.most)
        if self.even:
            return 2 * round(value / 2)
        # Three digits are more than an s needs.
        return round(value) if self.whole else float(f"{value:.3g}")


@dataclass(frozen=True)
class Trial:
    """Settings that were tried, the parameter that was varied, and their score."""

    settings: Settings
    focus: str
    """The parameter that was varied; empty for the guess."""
    score: float


@dataclass
class OneAtATimeSearch:
    """A search from a guess; `tried` has all settings that were scored, in order."""

    scorer: Scorer
    parameters: Sequence[Parameter]
    way: str = "thirds"
    rounds: int = ROUNDS
    tried: list[Trial] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.way not in WAYS:
            raise ValueError(f"way={self.way!r} is none of {', '.join(map(repr, WAYS))}.")
        whole_number("rounds", self.rounds, 1)
        self._score_of: dict[tuple[tuple[str, float], ...], float] = {}

    def run(self, guess: Settings) -> Settings:
        """The best settings found."""
        rounded = {p.name: p.rounded(guess[p.name]) for p in self.parameters}
        best: Settings = {**guess, **rounded}
        self._scores([best], "")
        for _ in range(self.rounds):
            before = best
            for parameter in self.parameters:
                best = self._varied(best, parameter)
            if best == before:
                break
        return best

    def score(self, settings: Settings) -> float:
        """The score of settings that have been tried."""
        return self._score_of[_key(settings)]

    def _varied(self, best: Settings, parameter: Parameter) -> Settings:
        """The best settings in which only one parameter is changed."""
        name = parameter.name
        values = sorted({parameter.rounded(best[name] * factor) for factor in WAYS[self.way]})
        best = self._best(best, parameter, values)
        step = WAYS[self.way][-1]
        for edge, factor in ((values[0], 1 / step), (values[-1], step)):
            # While the best is at the edge of the values that were tried, look beyond it.
            while best[name] == edge:
                beyond = parameter.rounded(edge * factor)
                if beyond == edge:
                    break
                best, edge = self._best(best, parameter, [beyond]), beyond
        return best

    def _best(self, best: Settings, parameter: Parameter, values: Sequence[float]) -> Settings:
        """The best of the settings with these values; `best` stays unless one is better."""
        others = [{**best, parameter.name: value} for value in values]
        scores = self._scores(others, parameter.name)
        top = max(range(len(scores)), key=scores.__getitem__)
        return others[top] if scores[top] > self.score(best) else best

    def _scores(self, several: Sequence[Settings], focus: str) -> list[float]:
        """Scores of settings; nothing is scored twice."""
        new = [settings for settings in several if _key(settings) not in self._score_of]
        if new:
            for settings, score in zip(new, self.scorer(new), strict=True):
                self._score_of[_key(settings)] = score
                self.tried.append(Trial(settings, focus, score))
        return [self._score_of[_key(settings)] for settings in several]


def _key(settings: Settings) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(settings.items()))
