"""Precision, recall and F of a result, out of how often each was taken for which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clauseboard.papers.boards import RESULTS
from clauseboard.papers.experiment import ReadValues, TaskResult

SCORES = ("precision", "recall", "F")


def scores(confusion: Sequence[Sequence[int]], result: str) -> dict[str, float]:
    """The three scores of a result, in percent; 0 where there is nothing to divide by.

    >>> scores([[3, 1, 0], [1, 4, 0], [0, 0, 9]], "loss")
    {'precision': 75.0, 'recall': 75.0, 'F': 75.0}
    """
    place = RESULTS.index(result)
    right = confusion[place][place]
    predicted, there = sum(row[place] for row in confusion), sum(confusion[place])
    precision = 100 * right / predicted if predicted else 0.0
    recall = 100 * right / there if there else 0.0
    both = precision + recall
    return {
        "precision": precision,
        "recall": recall,
        "F": 2 * precision * recall / both if both else 0.0,
    }


def score(result: str, name: str) -> ReadValues:
    """A function that reads one of the scores out of each task."""

    def values(done: Sequence[TaskResult]) -> list[float]:
        found: list[dict[str, Any]] = [scores(one.result["confusion"], result) for one in done]
        return [one[name] for one in found]

    return values
