"""What every measured library is reduced to: a description and a machine with four verbs.

The same worker drives each library through this interface, inside that library's own
environment, so this file needs NumPy and nothing else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np


@dataclass(frozen=True)
class Settings:
    """What one machine is to be like; the same for every library."""

    clauses: int  # a class
    threshold: int
    specificity: float
    classes: int
    threads: int
    seed: int  # at least 1: some libraries take 0 for "no seed"
    weighted: bool = True
    boost: bool = True
    block_size: int | str = "auto"  # of this project's machine
    grid: tuple[int, int] | None = None  # rows and columns of a board
    window: tuple[int, int] | None = None  # of a convolutional machine; it needs a grid


class Machine:
    """A Tsetlin Machine of one library, as the worker sees it.

    A library's adapter overrides what differs. `prepare` is not timed: it gives the
    boards the number type that the library wants, which its users do once.
    """

    board_dtype: type = np.uint8
    shape: tuple[int, ...] | None = None
    """Of the boards, where a library wants them as grids; see `shaped`."""

    def shaped(self, X: np.ndarray) -> np.ndarray:
        """Return the boards as grids, if this machine has a window."""
        return X if self.shape is None else X.reshape(self.shape)

    @classmethod
    def prepare(cls, X: np.ndarray) -> np.ndarray:
        """Return the boards in the type and layout the library takes."""
        return np.ascontiguousarray(X, dtype=cls.board_dtype)

    def train_epoch(self, X: np.ndarray, y: np.ndarray) -> float:
        """Train one epoch more and return its seconds."""
        start = perf_counter()
        self.fit_epoch(X, y)
        return perf_counter() - start

    def fit_epoch(self, X: np.ndarray, y: np.ndarray) -> None:
        """Train one epoch more."""
        raise NotImplementedError

    def fit_epochs(self, X: np.ndarray, y: np.ndarray, epochs: int) -> None:
        """Train for some epochs, by one call where the library has one for that."""
        for _ in range(epochs):
            self.train_epoch(X, y)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class of each board."""
        raise NotImplementedError

    def predict_one(self, X: np.ndarray, row: int) -> None:
        """Judge one board with the call a user of the library would make."""
        self.predict(X[row : row + 1])

    def kernel_microseconds(self, X: np.ndarray, boards: int) -> float | None:
        """Return the time of one board inside compiled code, where the library offers it."""
        return None


@dataclass(frozen=True)
class Library:
    """One library, or one way of using it, that the benchmark can measure."""

    name: str
    distribution: str  # as the package index spells it
    imports: str  # the module whose import loads all of it
    machine: Callable[[Settings], Machine]
    clauses: str  # how "clauses a class" became this library's own number
    has_threads: bool
    has_windows: bool = True
    # What is installed into the library's own environment; empty for this project, which
    # is measured where the benchmark itself runs.
    requirements: tuple[str, ...] = ()

    @property
    def is_ours(self) -> bool:
        """Whether this is the machine of this project rather than a peer."""
        return not self.requirements
