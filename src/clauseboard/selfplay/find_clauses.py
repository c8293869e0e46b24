"""Machines for playing: clauses that Tsetlin Machines find, weighed together.

A Tsetlin Machine learns which boards are won, or which move is good; its clauses, each once, and
every single bit are the candidates. `fit_weights` selects and weighs them. What is left is one
machine of clauses with integer weights.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from clauseboard.selfplay.fit_weights import (
    class_machine,
    weigh,
    weigh_moves,
    win_loss_machine,
)
from clauseboard.selfplay.settings import MachineSettings
from clauseboard.selfplay.training_set import NO_MOVE, TrainingSet
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.clause_finders import learned_clauses, unpacked_clauses
from clauseboard.tsetlin.joint_weights import Literals, single_literals


def clause_finder(
    settings: MachineSettings, n_clauses: int, threshold: float, max_literals: int, epochs: int
) -> TsetlinMachineClassifier:
    """A machine that is trained for its clauses."""
    return TsetlinMachineClassifier(
        n_clauses=n_clauses,
        threshold=max(1.0, threshold),
        specificity=settings.specificity,
        max_literals=max_literals,
        block_size=64,
        epochs=epochs,
        random_state=settings.seed,
        device=settings.device,
        n_jobs=settings.n_jobs,
    )


def clauses_of(machine: TsetlinMachineClassifier, n_bits: int) -> Literals:
    """The clauses of all classes that can fire, and those of single literals; each once."""
    return np.unique(np.concatenate([single_literals(n_bits), learned_clauses(machine)]), axis=0)


# ---- values of boards


def find_clauses(data: TrainingSet, settings: MachineSettings) -> Literals:
    """Clauses that a Tsetlin Machine learns from wins and losses; each once, with single bits.

    A value is a chance: a board is shown as won with that chance, and otherwise as lost.
    """
    draws = np.random.default_rng(settings.seed)
    won = draws.random(len(data)) < (1 + data.values) / 2
    n_clauses = settings.n_clauses
    machine = clause_finder(
        settings, n_clauses, n_clauses / 4, settings.max_literals, settings.epochs
    )
    machine.fit(data.boards, won.astype(np.int64), progress=False)
    return clauses_of(machine, data.boards.shape[1])


def value_machine(
    data: TrainingSet, names: list[str], settings: MachineSettings
) -> TsetlinMachineClassifier:
    """A machine that evaluates boards."""
    clauses = find_clauses(data, settings)
    if settings.second_literals:
        second = replace(
            settings,
            max_literals=settings.second_literals,
            specificity=settings.second_specificity,
            seed=settings.seed + 1,
        )
        clauses = np.unique(np.concatenate([clauses, find_clauses(data, second)]), axis=0)
    clauses, weights = weigh(
        data.boards, data.values, clauses, most=settings.kept, penalty=settings.penalty
    )
    return win_loss_machine(clauses, weights, names, settings.worth_one)


# ---- moves


def move_machine(
    data: TrainingSet, names: list[str], settings: MachineSettings
) -> TsetlinMachineClassifier | None:
    """A machine that votes for moves; None if the settings want none, or no move is known."""
    known = data.moves != NO_MOVE
    if not settings.move_clauses or not known.any():
        return None
    n_clauses = settings.move_clauses
    machine = clause_finder(
        settings, n_clauses, 2.0 * n_clauses, settings.move_literals, settings.move_epochs
    )
    data = data.where(known)
    machine.fit(data.boards, data.moves, progress=False)
    clauses, codes = _move_clauses(machine, data.boards.shape[1])
    clauses, weights, codes = weigh_moves(
        data.boards,
        data.good,
        clauses,
        codes,
        most=settings.moves_kept,
        penalty=settings.penalty,
    )
    return class_machine(clauses, weights, codes, names)


def _move_clauses(
    machine: TsetlinMachineClassifier, n_bits: int
) -> tuple[Literals, NDArray[np.int64]]:
    """The clauses of each class, and every bit for every class; each once, with its class."""
    banks = machine.banks_
    clauses, codes = [], []
    for bank, code in enumerate(machine.classes_):
        both = [single_literals(n_bits)[:n_bits], unpacked_clauses(banks.include[bank], banks.view)]
        own = np.unique(np.concatenate(both), axis=0)
        clauses.append(own)
        codes.append(np.full(len(own), code, np.int64))
    return np.concatenate(clauses), np.concatenate(codes)
