"""What a data set holds, counted; the small tables of the checkers thesis that tell it."""

from __future__ import annotations

import numpy as np
import pytest

from clauseboard.papers import SIZES, TaskResult
from clauseboard.papers.boards import Run
from clauseboard.papers.checkers_thesis import composition_table
from clauseboard.papers.shapes import (
    count,
    count_task,
    ratio_of_tested,
    share,
    total,
)


class OneSet(Run):
    """Gives the same boards for every set."""

    def __init__(self, size, boards):
        super().__init__(size)
        self.few = boards

    def boards(self, kind):
        return self.few


def counted(boards):
    (result,) = count([count_task(boards)], lambda *_: None, "cpu")
    return TaskResult(result)


def test_counts_are_those_of_the_boards(boards):
    done = counted(boards)
    assert total([done]) == [400]
    for place, name in enumerate(("loss", "win", "draw")):
        assert share(name)([done]) == [pytest.approx(100 * np.mean(boards.results == place))]
    assert done.result["folds"] == [40] * 10


@pytest.mark.parametrize("n_folds", [2, 5, 10])
def test_the_ratio_is_of_test_boards_to_learned_ones(boards, n_folds):
    from dataclasses import replace

    split = replace(boards, folds=(np.arange(400) % n_folds).astype(np.uint8), n_folds=n_folds)
    assert ratio_of_tested([counted(split)]) == [pytest.approx(100 / (n_folds - 1))]


def test_folds_of_different_sizes_by_hand(boards):
    from dataclasses import replace

    folds = np.zeros(400, np.uint8)
    folds[:100] = 1
    uneven = replace(boards, folds=folds, n_folds=2)
    assert ratio_of_tested([counted(uneven)]) == [pytest.approx(100 * (300 / 100 + 100 / 300) / 2)]


def test_figures_stand_beside_the_published_ones(boards):
    published = (22_578, 11.11, 21.2, 16.0, 62.8)
    table = composition_table("4.1", "4.3", "standard-end", False, published)
    figures = table.contents.figures(OneSet(SIZES["full"], boards))
    assert tuple(figure.published for figure in figures) == published
    assert [figure.name for figure in figures] == [
        "total data", "avg. train/test ratio", "loss ratio", "win ratio", "draw ratio",
    ]  # fmt: skip
    assert [figure.digits for figure in figures] == [0, 2, 2, 2, 2]
    assert len({task.key for figure in figures for task in figure.tasks}) == 1
    assert {figure.settings for figure in figures} == {f"boards: {boards.kind}"}
    shares = [figure.values([counted(boards)])[0] for figure in figures[2:]]
    assert sum(shares) == pytest.approx(100)
