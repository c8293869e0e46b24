"""Machines that find clauses: what they find helps, and one seed makes one machine."""

import dataclasses

import numpy as np
import pytest

from clauseboard.selfplay import find_clauses as find_clauses_module
from clauseboard.selfplay.find_clauses import (
    clauses_of,
    find_clauses,
    move_machine,
    value_machine,
)
from clauseboard.selfplay.settings import MachineSettings
from clauseboard.selfplay.training_set import NO_MOVE, TrainingSet
from clauseboard.tsetlin.joint_weights import fires, single_literals

NAMES = [f"bit {k}" for k in range(8)]
SMALL = MachineSettings(
    n_clauses=40, kept=60, max_literals=3, specificity=3.0, epochs=4, penalty=1.0
)


def xor_boards(n=1500, seed=0):
    """Boards that are won if just one of two bits is set, with two bits that name a move."""
    boards = np.random.default_rng(seed).integers(2, size=(n, 8)).astype(np.uint8)
    values = np.where(boards[:, 0] ^ boards[:, 1], 1.0, -1.0)
    moves = boards[:, 2] + 2 * boards[:, 3].astype(np.int64)
    return TrainingSet(boards, values, moves, np.arange(n), np.eye(4, dtype=bool)[moves])


def right(machine, data):
    votes = machine._votes(data.boards)
    return ((votes[:, 1] > votes[:, 0]) == (data.values > 0)).mean()


def test_clauses_tell_what_single_bits_cannot():
    data, other = xor_boards(), xor_boards(seed=1)
    assert right(value_machine(data, NAMES, SMALL), other) > 0.97
    alone = value_machine(data, NAMES, dataclasses.replace(SMALL, kept=16))
    assert right(alone, other) < 0.7


@pytest.mark.parametrize("most", [1, 2, 4])
def test_clauses_are_short_once_each_and_can_fire(most):
    found = find_clauses(xor_boards(), dataclasses.replace(SMALL, max_literals=most, epochs=8))
    assert len(np.unique(found, axis=0)) == len(found)
    assert not (found[:, :8] & found[:, 8:]).any()
    assert all((found == single).all(axis=1).any() for single in single_literals(8))
    assert np.median(found.sum(axis=1)) <= most + 1


def test_a_second_machine_adds_longer_clauses():
    settings = dataclasses.replace(SMALL, max_literals=1, epochs=8, kept=400)
    short = clauses_of(value_machine(xor_boards(), NAMES, settings), 8)
    both = clauses_of(
        value_machine(xor_boards(), NAMES, dataclasses.replace(settings, second_literals=4)), 8
    )
    assert (both.sum(axis=1) > 2).sum() > (short.sum(axis=1) > 2).sum()


def test_one_seed_one_machine():
    made = [
        value_machine(xor_boards(300), NAMES, dataclasses.replace(SMALL, seed=s)) for s in (1, 1, 2)
    ]
    same = [np.array_equal(made[0].banks_.automata, other.banks_.automata) for other in made[1:]]
    assert same[0]
    assert made[0].bit_names_ == NAMES


def test_moves_are_learned_where_they_are_known():
    data = xor_boards()
    settings = dataclasses.replace(SMALL, move_clauses=10, moves_kept=100, move_epochs=3)
    machine = move_machine(data, NAMES, settings)
    assert (machine.predict(data.boards) == data.moves).mean() > 0.97
    unknown = dataclasses.replace(data, moves=np.full(len(data), NO_MOVE))
    assert move_machine(unknown, NAMES, settings) is None
    assert move_machine(data, NAMES, SMALL) is None


def test_clauses_of_a_machine_fire_as_it_does():
    data = xor_boards(200)
    machine = value_machine(data, NAMES, SMALL)
    clauses = clauses_of(machine, 8)
    found = fires(data.boards, clauses)
    for row in range(5):
        tally = machine.explain(data.boards[row])
        assert len(tally.cast) <= found[row].sum()


@pytest.mark.parametrize("make", [value_machine, move_machine])
def test_weights_do_not_depend_on_device_or_jobs(make, monkeypatch):
    """Wherever clauses are found, they are weighed alike, with the penalty and all good moves."""
    settings = dataclasses.replace(SMALL, move_clauses=10, moves_kept=100, move_epochs=2)
    data = xor_boards(400)
    data.good[::3, 1] = True
    real = find_clauses_module.clause_finder

    def on_the_cpu(settings, *parameters):
        # A GPU finds the same clauses, bit for bit (tests/gpu); here is none.
        return real(dataclasses.replace(settings, device="cpu"), *parameters)

    monkeypatch.setattr(find_clauses_module, "clause_finder", on_the_cpu)

    def weights(**changes):
        banks = make(data, NAMES, dataclasses.replace(settings, **changes)).banks_
        return banks.automata.tobytes(), banks.weights.tobytes()

    here = weights()
    for place in ({"device": "gpu"}, {"device": "auto"}, {"n_jobs": 2}, {"n_jobs": 3}):
        assert weights(**place) == here
    assert weights(device="gpu", penalty=30.0) == weights(penalty=30.0) != here
