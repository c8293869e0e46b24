"""Where clauses come from: Tsetlin Machines that learn who wins, and which move is good."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.selfplay import downhill, weighing
from clauseboard.selfplay.lessons import NO_MOVE, Lessons
from clauseboard.selfplay.weighing import (
    Literals,
    machine_of,
    move_machine_of,
    single_literals,
)
from clauseboard.tsetlin import gpu
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.inference import can_fire
from clauseboard.tsetlin.packing import View


@dataclass(frozen=True)
class Taste:
    """What machines are made: how many clauses, how long, how fine, and how they learn.

    `n_clauses` is for the machine that finds clauses, `kept` for the one that plays. `move_clauses`
    is a number for each move, 0 for no machine for moves; `moves_kept` is for all of them. With
    `local_moves` that machine sees what is around a move instead of the whole board, and both
    numbers are for all moves together; then `kept` may be 0, and random games alone tell values.
    `only_there` is for that machine: its clauses say what is there, never what is not.
    `worth_one` is the logarithm of the odds that a value of 1 means. With `second_literals` another
    machine looks for clauses of up to so many literals, and both are weighed together.
    """

    n_clauses: int = 2000
    kept: int = 1000
    max_literals: int = 6
    specificity: float = 5.0
    second_literals: int = 0
    second_specificity: float = 9.0
    epochs: int = 10
    penalty: float = 3.0
    worth_one: float = 4.0
    move_clauses: int = 0
    moves_kept: int = 6000
    move_epochs: int = 10
    move_literals: int = 8
    local_moves: bool = False
    only_there: bool = True
    seed: int = 1
    device: str = "cpu"
    n_jobs: int = 1

    def changed(self, **changes: Any) -> Taste:
        """The same, but for some settings."""
        return replace(self, **changes)

    def finder(
        self, n_clauses: int, threshold: float, max_literals: int, epochs: int
    ) -> TsetlinMachineClassifier:
        """A machine that is to look for clauses."""
        return TsetlinMachineClassifier(
            n_clauses=n_clauses,
            threshold=max(1.0, threshold),
            specificity=self.specificity,
            max_literals=max_literals,
            epochs=epochs,
            random_state=self.seed,
            device=self.device,
            n_jobs=self.n_jobs,
        )


def find_clauses(lessons: Lessons, taste: Taste) -> Literals:
    """Clauses that a Tsetlin Machine learns from who wins; each once, and single bits with them.

    A value is a chance: a board is shown as won with that chance, and else as lost.
    """
    draws = np.random.default_rng(taste.seed)
    won = draws.random(len(lessons)) < (1 + lessons.values) / 2
    machine = taste.finder(taste.n_clauses, taste.n_clauses / 4, taste.max_literals, taste.epochs)
    machine.fit(lessons.boards, won.astype(np.int64), progress=False)
    return clauses_of(machine, lessons.boards.shape[1])


def clauses_of(machine: TsetlinMachineClassifier, n_bits: int) -> Literals:
    """The clauses of all classes that can fire, and those of single literals; each once."""
    banks = machine.banks_
    found = _literals(banks.include.reshape(-1, banks.include.shape[-1]), banks.view)
    return np.unique(np.concatenate([single_literals(n_bits), found]), axis=0)


def value_machine(lessons: Lessons, names: list[str], taste: Taste) -> TsetlinMachineClassifier:
    """A machine that judges boards: clauses that were found, weighed together."""
    found = find_clauses(lessons, taste)
    if taste.second_literals:
        other = taste.changed(
            max_literals=taste.second_literals,
            specificity=taste.second_specificity,
            seed=taste.seed + 1,
        )
        found = np.unique(np.concatenate([found, find_clauses(lessons, other)]), axis=0)
    shown = lessons.boards, lessons.values, found
    if gpu.chosen(taste.device):
        clauses, weights = weighing.weigh(
            *shown, most=taste.kept, penalty=taste.penalty, device=taste.device
        )
    else:
        clauses, weights = downhill.weigh(*shown, most=taste.kept, penalty=taste.penalty)
    return machine_of(clauses, weights, names, taste.worth_one)


def move_machine(
    lessons: Lessons, names: list[str], taste: Taste
) -> TsetlinMachineClassifier | None:
    """A machine that votes for moves, if one is wanted."""
    known = lessons.moves != NO_MOVE
    if not taste.move_clauses or not known.any():
        return None
    machine = taste.finder(
        taste.move_clauses, 2.0 * taste.move_clauses, taste.move_literals, taste.move_epochs
    )
    lessons = lessons.where(known)
    boards, moves = lessons.boards, lessons.moves
    machine.fit(boards, moves, progress=False)
    clauses, codes = _move_clauses(machine, boards.shape[1])
    most = taste.moves_kept
    if gpu.chosen(taste.device):
        clauses, weights, codes = weighing.weigh_moves(
            boards, moves, clauses, codes, most=most, seed=taste.seed, device=taste.device
        )
    else:
        clauses, weights, codes = downhill.weigh_moves(
            boards, lessons.good, clauses, codes, most=most, penalty=taste.penalty
        )
    return move_machine_of(clauses, weights, codes, names)


def _move_clauses(
    machine: TsetlinMachineClassifier, n_bits: int
) -> tuple[Literals, NDArray[np.int64]]:
    """The clauses of each class, and every bit for every class; each once, with its class."""
    banks = machine.banks_
    clauses, codes = [], []
    for bank, code in enumerate(machine.classes_):
        both = [single_literals(n_bits)[:n_bits], _literals(banks.include[bank], banks.view)]
        found = np.unique(np.concatenate(both), axis=0)
        clauses.append(found)
        codes.append(np.full(len(found), code, np.int64))
    return np.concatenate(clauses), np.concatenate(codes)


def _literals(include: NDArray[np.uint64], view: View) -> Literals:
    """Packed clauses that can fire, unpacked."""
    include = include[can_fire(include, view)]
    bits = np.unpackbits(
        include.view(np.uint8), axis=1, count=2 * view.n_features, bitorder="little"
    )
    return bits.astype(np.bool_)
