"""The dual machines of the Hex thesis: one for the boards after red's moves, one for blue's."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from clauseboard.papers.boards import LabelledBoards
from clauseboard.papers.experiment import RunSize, Task
from clauseboard.papers.hex_boards import SEARCHED
from clauseboard.papers.hex_searching import after
from clauseboard.papers.hex_tables import Learn
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_tasks

SIDES = {"red": "black", "blue": "white"}
"""Whose wins a machine of a colour speaks of, as `Course.side` has it: the first colour is black
there, whatever the game."""


@functools.lru_cache(maxsize=8)
def half(boards: LabelledBoards, colour: str) -> LabelledBoards:
    """The boards right after the moves of a colour."""
    return boards.part(after(boards.X, colour))


def one_by_one(boards: LabelledBoards) -> LabelledBoards:
    """The same boards, put into the folds as if they had nothing to do with each other."""
    return replace(boards, folds=np.random.default_rng(1).permutation(boards.folds))


def learning_red(
    epochs: int, fold: Callable[[LabelledBoards], LabelledBoards] | None = None
) -> Learn:
    """Trains the machine for red on its half of the searched boards; `epochs` of hundred.

    `fold` puts the boards into other folds.
    """

    def tasks(size: RunSize, source: BoardSource, machine: MachineParameters) -> tuple[Task, ...]:
        course = TrainingSchedule(max(2, round(size.epochs * epochs / 100)), stop=None)
        boards = half(source.boards(SEARCHED), "red")
        boards = boards if fold is None else fold(boards)
        return fold_tasks(boards, size, machine.at(size), course)

    return tasks
