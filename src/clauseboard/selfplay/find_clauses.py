"""Machines for playing and predicting: clauses that Tsetlin Machines find, weighed together.

A Tsetlin Machine learns which boards are won, which move is good, or how a game ends; its clauses,
each once, and every single bit are the candidates. `fit_weights` selects and weighs them. What is
left is one machine of clauses with integer weights.

    >>> boards = np.random.default_rng(0).integers(2, size=(900, 4)).astype(np.uint8)
    >>> results = np.array(["loss", "draw", "win"])[boards[:, 0] + (boards[:, 1] & boards[:, 2])]
    >>> from clauseboard.selfplay.settings import ClauseSearch
    >>> search = ClauseSearch(20, max_literals=3, specificity=3.0)
    >>> settings = ResultSettings((search,), penalty=0.1)
    >>> machine = result_machine(boards, results, ["king", "free", "near", "noise"], settings)
    >>> machine.score(boards, results)
    1.0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from clauseboard.selfplay.fit_weights import (
    Labels,
    Literals,
    class_machine,
    single,
    single_literals,
    weigh,
    weigh_moves,
    weigh_results,
    win_loss_machine,
)
from clauseboard.selfplay.settings import MachineSettings, ResultSettings
from clauseboard.selfplay.training_set import NO_MOVE, TrainingSet
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.inference import can_fire
from clauseboard.tsetlin.packing import View


def clause_finder(
    settings: MachineSettings, n_clauses: int, threshold: float, max_literals: int, epochs: int
) -> TsetlinMachineClassifier:
    """A machine that is trained for its clauses."""
    return TsetlinMachineClassifier(
        n_clauses=n_clauses,
        threshold=max(1.0, threshold),
        specificity=settings.specificity,
        max_literals=max_literals,
        epochs=epochs,
        random_state=settings.seed,
        device=settings.device,
        n_jobs=settings.n_jobs,
    )


def clauses_of(machine: TsetlinMachineClassifier, n_bits: int) -> Literals:
    """The clauses of all classes that can fire, and those of single literals; each once."""
    banks = machine.banks_
    learned = _literals(banks.include.reshape(-1, banks.include.shape[-1]), banks.view)
    return np.unique(np.concatenate([single_literals(n_bits), learned]), axis=0)


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
        both = [single_literals(n_bits)[:n_bits], _literals(banks.include[bank], banks.view)]
        own = np.unique(np.concatenate(both), axis=0)
        clauses.append(own)
        codes.append(np.full(len(own), code, np.int64))
    return np.concatenate(clauses), np.concatenate(codes)


# ---- results: win, loss, draw, or any other classes


def result_machine(
    boards: NDArray[np.uint8],
    results: Labels,
    names: Sequence[str],
    settings: ResultSettings | None = None,
    seed: int = 1,
) -> TsetlinMachineClassifier:
    """A machine that predicts the results of boards from clauses over named bits."""
    settings = settings or ResultSettings()
    clauses = find_result_clauses(boards, results, settings, seed)
    clauses, weights = weigh_results(boards, results, clauses, settings, seed)
    return result_machine_of(clauses, weights, np.unique(results), names)


def find_result_clauses(
    boards: NDArray[np.uint8], results: Labels, settings: ResultSettings, seed: int = 1
) -> Literals:
    """The clauses that the machines of the settings find, and every single bit; each once."""
    n_bits = boards.shape[1]
    clauses = [single_literals(n_bits)]
    for n, search in enumerate(settings.searches):
        machine = TsetlinMachineClassifier(
            n_clauses=search.n_clauses,
            specificity=search.specificity,
            max_literals=search.max_literals,
            epochs=search.epochs,
            random_state=seed + n,
        )
        clauses.append(clauses_of(machine.fit(boards, results, progress=False), n_bits))
    together = np.unique(np.concatenate(clauses), axis=0)
    # A negated bit says nothing that the bit itself does not say the other way round.
    negated = single(together) & together[:, n_bits:].any(axis=1)
    return together[~negated]


def result_machine_of(
    clauses: Literals, weights: NDArray[np.int64], classes: Labels, names: Sequence[str]
) -> TsetlinMachineClassifier:
    """A machine in which each clause votes for or against each class with its weight."""
    rows, columns = np.nonzero(weights)
    return class_machine(clauses[rows], weights[rows, columns], classes[columns], list(names))


def _literals(include: NDArray[np.uint64], view: View) -> Literals:
    """Packed clauses that can fire, unpacked."""
    include = include[can_fire(include, view)]
    bits = np.unpackbits(
        include.view(np.uint8), axis=1, count=2 * view.n_features, bitorder="little"
    )
    return bits.astype(np.bool_)
