"""Trains a Tsetlin Machine on boards whose results are known: `clauseboard train tsetlin`."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from clauseboard.array_file import read_arrays
from clauseboard.game import Game
from clauseboard.learners.training import StepReport, Trainer, changed_options, option
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.training import Epoch

LARGEST_DATA = 1 << 34
"""Bytes of data that are read at the most."""
SHOWN = 2000
"""Boards of the data on which progress is measured; they are learned from, too."""


@dataclass(frozen=True)
class MachineOptions:
    """What can be set of a machine here; `TsetlinMachineClassifier` tells more of each."""

    epochs: int = option(20, "passes through the data")
    n_clauses: int = option(2000, "clauses per class")
    threshold: float | None = option(None, "votes that a class strives for (T); None: by n_clauses")
    specificity: float = option(9.0, "how fine the patterns are (s)")
    weighted: bool = option(True, "clauses have weights")
    boost_true_positive: bool = option(True, "clauses that fire rightly remember all literals")
    max_literals: int | None = option(None, "the most literals of a clause; None: no limit")
    block_size: int = option(64, "boards between two counts of the votes")
    seed: int = option(1, "random seed: the same seed gives the same machine, whatever n_jobs")
    n_jobs: int = option(1, "threads; -1 is one a core")

    def __post_init__(self) -> None:
        self.machine()._check_parameters()

    def machine(self) -> TsetlinMachineClassifier:
        """A machine with these parameters, that has learned nothing."""
        settings = {name: value for name, value in vars(self).items() if name != "seed"}
        if self.threshold is None and self.weighted and isinstance(self.n_clauses, int):
            settings["threshold"] = 2.0 * max(1, self.n_clauses)  # what suits boards
        return TsetlinMachineClassifier(random_state=self.seed, **settings)


class MachineTrainer(Trainer):
    """A machine, epoch by epoch; the file is one of `TsetlinMachineClassifier.save`."""

    Options = MachineOptions
    changeable = ("epochs", "n_jobs")
    data_help = (
        "a .npz file with `X`, the boards as the bits of `game.encode` (0 and 1, a board a row; or "
        "packed by np.packbits(..., axis=1, bitorder='little')), and `y`, a label for each, such "
        "as 'win', 'loss' and 'draw' of the first colour"
    )
    small: ClassVar = {"n_clauses": 20}
    step_name = "epoch"

    def __init__(
        self,
        game: Game | None,
        options: MachineOptions,
        machine: TsetlinMachineClassifier,
        data: tuple[NDArray[np.uint8], NDArray[Any]],
    ) -> None:
        if game is not None:
            self.game = game
        self.options = options
        self.machine = machine
        self.X, self.y = data

    @classmethod
    def begin(cls, game: Game, options: MachineOptions, data: Path | None = None) -> Self:
        """A machine that has learned nothing."""
        return cls(game, options, options.machine(), read_data(data, len(game.bits())))

    @classmethod
    def load(cls, path: Path, data: Path | None = None, **changes: Any) -> Self:
        """A machine that was saved; it takes the data once more."""
        if not path.is_file():
            raise ValueError(f"There is no file {str(path)!r} to read a Tsetlin Machine from.")
        machine = TsetlinMachineClassifier.load(path)
        names = [name for name in vars(MachineOptions()) if name not in ("seed", "n_jobs")]
        known = {name: getattr(machine, name) for name in names}
        seed = machine.random_state if isinstance(machine.random_state, int) else 1
        options = changed_options(cls, MachineOptions(seed=seed, **known), changes)
        machine.set_params(**{name: getattr(options, name) for name in cls.changeable})
        return cls(None, options, machine, read_data(data, machine.n_features_in_))

    def steps(self) -> Iterator[StepReport]:
        """Learn, epoch by epoch."""
        machine, epochs = self.machine, self.options.epochs
        names = None
        if not hasattr(machine, "banks_"):
            names = [bit.name for bit in self.game.bits()]
        done = len(machine.history_) if names is None else 0
        watched = slice(0, SHOWN)
        for step in range(done + 1, epochs + 1):
            machine.partial_fit(self.X, self.y, bit_names=names)
            names = None
            accuracy = float((machine.predict(self.X[watched]) == self.y[watched]).mean())
            yield StepReport(step, epochs, {"accuracy on boards learned": accuracy})

    def save(self, path: Path) -> None:
        """Keep the machine."""
        if not hasattr(self.machine, "banks_"):
            raise ValueError("Nothing was learned yet, so that there is nothing to save.")
        kept = copy.copy(self.machine)
        # How long it took, and by how many threads, is no part of what was learned.
        kept.history_ = [Epoch(epoch.number, 0.0, epoch.score) for epoch in kept.history_]
        kept.n_jobs = None
        kept.save(path)


def read_data(path: Path | None, n_bits: int) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """The boards and labels of a file of data; see `MachineTrainer.data_help`."""
    if path is None:
        raise ValueError(
            f"A Tsetlin Machine learns from data: --data FILE, {MachineTrainer.data_help}."
        )
    if not path.is_file():
        raise ValueError(f"There is no file {str(path)!r} to read data from.")
    arrays = read_arrays(path, LARGEST_DATA)
    if not {"X", "y"} <= arrays.keys():
        raise ValueError(f"{path}: it has to have X and y, and has {', '.join(arrays)}.")
    X, y = arrays["X"], arrays["y"]
    if X.ndim != 2 or y.shape != X.shape[:1]:
        raise ValueError(
            f"{path}: X has a board a row and y has a label a board; here they have "
            f"the shapes {X.shape} and {y.shape}."
        )
    n_bytes = -(-n_bits // 8)
    if X.shape[1] == n_bytes and X.dtype == np.uint8 and n_bytes != n_bits:
        X = np.unpackbits(X, axis=1, bitorder="little", count=n_bits)
    if X.shape[1] != n_bits:
        raise ValueError(
            f"{path}: boards have {n_bits} bits, or {n_bytes} bytes packed, not {X.shape[1]}."
        )
    return X, y
