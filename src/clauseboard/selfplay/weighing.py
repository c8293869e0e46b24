"""What clauses are worth: weights under which they tell the chances of a win best.

A Tsetlin Machine finds clauses, each by itself. What they should weigh beside each other is a
problem with one solution: of all weights those under which `sum of weights of the clauses that
fire` is the best logarithm of the odds (logistic regression, found by Newton's method). Clauses
that hardly count are dropped, the others are weighed again, and the weights are rounded to whole
hundredths, so that what is left is a machine like any other: short, quick, and exact in its sums.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.tsetlin.classifier import Calibration, TsetlinMachineClassifier
from clauseboard.tsetlin.packing import View
from clauseboard.tsetlin.training import Banks

UNIT = 100
"""Votes for a factor of e in the odds."""

SIEVE = 2
"""How many clauses are weighed together for each one that is to be kept; others are sieved out."""

ROWS = 1 << 15
"""Boards that are looked at together."""

Literals = NDArray[np.bool_]
"""A clause a row, a literal a column: the bits of a board, then the same bits negated."""


def weigh(
    boards: NDArray[np.uint8],
    values: NDArray[np.float64],
    clauses: Literals,
    *,
    most: int = 1000,
    penalty: float = 1.0,
    steps: int = 6,
    device: str = "cpu",
) -> tuple[Literals, NDArray[np.int64]]:
    """The clauses that count most, at most `most` of them, and their weights in `UNIT`.

    Clauses of one literal come before all others.

    `values` from -1 to 1 are taken as chances of a win, (1 + value) / 2. `penalty` is what a weight
    costs: it is as if each clause had been seen that often on boards that tell nothing. On a GPU
    (`device` as of the machines) it takes seconds where a processor takes minutes.

    >>> boards = np.array([[0, 0], [1, 0], [0, 1], [1, 1]] * 50, np.uint8)
    >>> values = np.array([-0.5, 0.5, -0.5, 0.5] * 50)
    >>> clauses, weights = weigh(boards, values, single_literals(2)[:1])
    >>> weights.tolist()
    [104]
    """
    xp = _arrays(device)
    shown, goal = xp.asarray(boards), xp.asarray(chances_of(values), np.float32)
    if len(clauses) > SIEVE * most:
        clauses = _sieved(xp, shown, goal, clauses, SIEVE * most, penalty, steps)
    weights, spread = _fitted(xp, shown, goal, clauses, penalty, steps)
    # A first cut, half of the way, keeps clauses that only count once others are gone.
    for keep in ((most + len(clauses)) // 2, most):
        if len(clauses) > keep:
            # Single bits stay: without them nothing says what a piece is worth by itself.
            counts = np.where(single(clauses), np.inf, np.abs(weights) * spread)
            clauses = clauses[largest(counts, keep)]
            weights, spread = _fitted(xp, shown, goal, clauses, penalty, steps)
    votes = np.rint(weights * UNIT).astype(np.int64)
    return clauses[votes != 0], votes[votes != 0]


def single_literals(n_bits: int) -> Literals:
    """A clause for every bit and for every bit that is not set."""
    return np.eye(2 * n_bits, dtype=np.bool_)


def single(clauses: Literals) -> NDArray[np.bool_]:
    """Which clauses are of one literal."""
    return clauses.sum(axis=1) == 1


def largest(counts: NDArray[np.float64], n: int) -> NDArray[np.intp]:
    """Where the `n` largest are, in ascending order of places; of equals the first.

    >>> largest(np.array([3.0, 1.0, 7.0, 3.0]), 2).tolist()
    [0, 2]
    """
    return np.sort(np.argsort(-counts, kind="stable")[:n])


def chances_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values from -1 to 1 as chances of a win."""
    return (1 + np.clip(values, -1, 1)) / 2


def fires(boards: Any, clauses: Any) -> Any:
    """Which clauses fire on which boards, as 0 and 1: boards by clauses, NumPy's or CuPy's."""
    n_bits = boards.shape[1]
    needed, forbidden = clauses[:, :n_bits], clauses[:, n_bits:]
    # A literal that is not met counts one; a clause fires if none is.
    change = (forbidden.astype(np.float32) - needed.astype(np.float32)).T
    missing = boards.astype(np.float32) @ change + needed.sum(axis=1, dtype=np.float32)
    return (missing < 0.5).astype(np.float32)


def machine_of(
    clauses: Literals,
    weights: NDArray[np.int64],
    bit_names: list[str],
    worth_one: float,
) -> TsetlinMachineClassifier:
    """A machine of these clauses: those with a weight above 0 vote for a win, others for a loss.

    `worth_one` is the lead, as a logarithm of the odds, that a value of 1 means.
    """
    owners = (weights > 0).astype(np.intp)
    made = voting_machine(clauses, np.abs(weights), owners, np.array(["loss", "win"]), bit_names)
    made.threshold = max(1.0, worth_one * UNIT / 2)
    return made


def move_machine_of(
    clauses: Literals,
    weights: NDArray[np.int64],
    codes: NDArray[np.int64],
    bit_names: list[str],
) -> TsetlinMachineClassifier:
    """A machine of clauses that vote for or against moves; `codes` tells of which each speaks."""
    classes, owners = np.unique(codes, return_inverse=True)
    return voting_machine(clauses, weights, owners.astype(np.intp), classes, bit_names)


def voting_machine(
    clauses: Literals,
    weights: NDArray[np.int64],
    owners: NDArray[np.intp],
    classes: NDArray[Any],
    bit_names: list[str],
) -> TsetlinMachineClassifier:
    """A machine that votes as it is told; clauses with even numbers vote for, odd ones against."""
    groups = [
        [np.flatnonzero((owners == k) & (np.sign(weights) == sign)) for sign in (1, -1)]
        for k in range(len(classes))
    ]
    n_clauses = 2 * max(1, max(len(chosen) for pair in groups for chosen in pair))
    n_bits = len(bit_names)
    view = View.of(n_bits, None, None)
    # A place that is left over holds a clause without literals, which never fires.
    automata = np.zeros((len(classes), n_clauses, 1, view.n_words), np.uint64)
    votes = np.ones((len(classes), n_clauses), np.int32)
    for bank, pair in enumerate(groups):
        for parity, chosen in enumerate(pair):
            places = slice(parity, 2 * len(chosen) + parity, 2)
            packed = np.zeros((len(chosen), 8 * view.n_words), np.uint8)
            bits = np.packbits(clauses[chosen], axis=1, bitorder="little")
            packed[:, : bits.shape[1]] = bits
            automata[bank, places, 0] = packed.view(np.uint64)
            votes[bank, places] = np.abs(weights[chosen])
    machine = TsetlinMachineClassifier(n_clauses=n_clauses, random_state=0)
    machine.n_features_in_ = n_bits
    machine.bit_names_ = list(bit_names)
    machine.classes_ = classes
    machine._calibration = Calibration(temperature=float(UNIT))
    machine.history_ = []
    streams = np.zeros(len(classes), np.uint64)
    machine.banks_ = Banks(view, automata, votes, streams, np.random.default_rng(0))
    machine._forget_tables()
    return machine


def lack(
    boards: NDArray[np.uint8],
    values: NDArray[np.float64],
    clauses: Literals,
    weights: NDArray[np.int64],
) -> float:
    """How far off the chances are: the mean logarithmic loss, in nats."""
    chances = chances_of(values)
    total = 0.0
    for part in _parts(len(boards)):
        sums = fires(boards[part], clauses) @ weights.astype(np.float32) / UNIT
        total += float(_loss(sums.astype(np.float64), chances[part]).sum())
    return total / max(len(boards), 1)


def weigh_moves(
    boards: NDArray[np.uint8],
    moves: NDArray[np.int64],
    clauses: Literals,
    codes: NDArray[np.int64],
    *,
    most: int = 6000,
    rounds: int = 6,
    rate: float = 0.02,
    penalty: float = 1e-6,
    seed: int = 0,
    device: str = "cpu",
) -> tuple[Literals, NDArray[np.int64], NDArray[np.int64]]:
    """The clauses that tell most about moves, at most `most`; their weights, and their codes.

    The chance of a move is its share after softmax of the sums of the clauses that speak of it.
    Weights are found by going downhill with steps of Adam's, `rounds` times through the boards.
    """
    xp = _arrays(device)
    shown, wanted = xp.asarray(boards), xp.asarray(moves)
    settings = (rounds, rate, penalty, seed)
    weights, spread = _descended(xp, shown, wanted, clauses, codes, *settings)
    if len(clauses) > most:
        kept = largest(np.abs(weights) * spread, most)
        clauses, codes = clauses[kept], codes[kept]
        weights, _ = _descended(xp, shown, wanted, clauses, codes, *settings)
    votes = np.rint(weights * UNIT).astype(np.int64)
    left = votes != 0
    return clauses[left], votes[left], codes[left]


# ---- inside


def _arrays(device: str) -> Any:
    """NumPy, or CuPy where a GPU is to be used."""
    from clauseboard.tsetlin import gpu

    if not gpu.chosen(device):
        return np
    import cupy

    return cupy


def _here(xp: Any, array: Any) -> NDArray[Any]:
    """An array as NumPy's."""
    return array if xp is np else array.get()


def _spread(xp: Any, fired: Any, n_boards: int) -> NDArray[np.float64]:
    """How much each clause's firing varies, from how often it fired."""
    share = fired / max(n_boards, 1)
    return _here(xp, xp.sqrt(share * (1 - share)))


def _sieved(
    xp: Any, boards: Any, chances: Any, clauses: Literals, most: int, penalty: float, steps: int
) -> Literals:
    """The clauses that promise most: what single bits leave unexplained where a clause fires.

    The work of weighing grows with the square of the number of clauses; this is a line.
    """
    alone = single(clauses)
    simplest = clauses[alone] if alone.any() else clauses[:1]
    weights, _ = _fitted(xp, boards, chances, simplest, penalty, steps)
    simple, literals = xp.asarray(simplest), xp.asarray(clauses)
    known = xp.asarray(weights, np.float32)
    left, doubt = xp.zeros(len(clauses)), xp.zeros(len(clauses))
    for part in _parts(len(boards)):
        guess = 1 / (1 + xp.exp(-(fires(boards[part], simple) @ known)))
        rows = fires(boards[part], literals)
        left += (chances[part] - guess) @ rows
        doubt += (guess * (1 - guess)) @ rows
    promise = _here(xp, xp.abs(left) / xp.sqrt(doubt + penalty))
    return clauses[largest(np.where(alone, np.inf, promise), most)]


def _fitted(
    xp: Any, boards: Any, chances: Any, clauses: Literals, penalty: float, steps: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights by Newton's method, and how much each clause's firing varies over the boards."""
    n = len(clauses)
    literals = xp.asarray(clauses)
    weights, fired = xp.zeros(n), xp.zeros(n)
    for step in range(steps):
        slope, bend = -penalty * weights, penalty * xp.eye(n)
        for part in _parts(len(boards)):
            rows = fires(boards[part], literals)
            guess = 1 / (1 + xp.exp(-(rows @ weights.astype(np.float32))))
            slope += rows.T @ (chances[part] - guess)
            bend += rows.T @ (rows * (guess * (1 - guess))[:, None])
            if step == 0:
                fired += rows.sum(axis=0)
        change = xp.linalg.solve(bend, slope)
        weights += change
        if float(xp.abs(change).max()) < 0.5 / UNIT:
            break
    return _here(xp, weights), _spread(xp, fired, len(boards))


STEPS = 100
"""Steps downhill a round, or more where there are so many boards that they would be too long."""

BATCH = 4096
"""Boards between two steps, at most."""


def _descended(
    xp: Any,
    boards: Any,
    moves: Any,
    clauses: Literals,
    codes: NDArray[np.int64],
    rounds: int,
    rate: float,
    penalty: float,
    seed: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights of clauses that speak of moves, and how much each clause's firing varies."""
    n, n_codes = len(clauses), int(max(codes.max(initial=0), int(moves.max()))) + 1
    literals, owners = xp.asarray(clauses), xp.asarray(codes)
    gather = xp.zeros((n, n_codes), np.float32)
    gather[xp.arange(n), owners] = 1
    weights, first, second = (xp.zeros(n, np.float32) for _ in range(3))
    fired, draws, step = xp.zeros(n), np.random.default_rng(seed), 0
    size = min(BATCH, max(1, len(boards) // STEPS))
    for turn in range(rounds):
        # The steps get smaller towards the end, so that the last boards do not count most.
        pace = rate * (1 - turn / rounds)
        order = xp.asarray(draws.permutation(len(boards)))
        for start in range(0, len(boards), size):
            batch = order[start : start + size]
            rows = fires(boards[batch], literals)
            sums = (rows * weights) @ gather
            sums -= sums.max(axis=1, keepdims=True)
            off = xp.exp(sums)
            off /= off.sum(axis=1, keepdims=True)
            off[xp.arange(len(batch)), moves[batch]] -= 1
            slope = ((off @ gather.T) * rows).mean(axis=0) + penalty * weights
            step += 1
            first += 0.1 * (slope - first)
            second += 0.01 * (slope * slope - second)
            usual = xp.sqrt(second / (1 - 0.99**step)) + 1e-8
            weights -= pace * first / (1 - 0.9**step) / usual
            if turn == 0:
                fired += rows.sum(axis=0)
    return _here(xp, weights).astype(np.float64), _spread(xp, fired, len(boards))


def _loss(sums: NDArray[np.float64], chances: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.logaddexp(0.0, sums) - chances * sums


def _parts(n_boards: int) -> list[slice]:
    return [slice(first, first + ROWS) for first in range(0, n_boards, ROWS)]
