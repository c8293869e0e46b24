"""Weights for clauses, all fitted together.

A Tsetlin Machine finds clauses one by one. The weights they should have next to each other minimise
one convex loss: logistic for the values of boards, softmax for moves and for classes. It is
minimised by L-BFGS with an L2 penalty. Clauses that contribute little are dropped, the others are
fitted again, and weights are rounded to hundredths, so that the result is an ordinary machine:
short, fast, and exact in its sums. Local patterns of moves have many more rows and are fitted by
Adam.

All of it runs on the CPU, in one thread and in a fixed order of sums: the device on which clauses
are found, and the number of jobs, make no difference to the weights.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clauseboard.explanation import UNIT
from clauseboard.search.move_features import MoveFeatures, unpacked
from clauseboard.tsetlin.classifier import Calibration, TsetlinMachineClassifier
from clauseboard.tsetlin.packing import View
from clauseboard.tsetlin.training import Banks

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from clauseboard.selfplay.settings import ResultSettings
    from clauseboard.selfplay.training_set import MoveTrainingSet

    SparseTable: TypeAlias = csr_array[np.float64]

Floats = NDArray[np.float64]
Literals = NDArray[np.bool_]
"""A clause a row, a literal a column: the bits of a board, then the same bits negated."""

Labels = NDArray[np.generic]
"""The class of each board; or the classes that there are."""

Objective = Callable[[Floats], tuple[float, Floats]]
"""The loss for some weights, and its gradient."""

Bounds = Sequence[tuple[float | None, float | None]]
"""The least and the most that each weight may be."""

ROWS = 1 << 12
"""Boards that are evaluated at a time."""

ITERATIONS = 100
"""L-BFGS iterations, at most."""

MEMORY = 20
"""Gradients that L-BFGS remembers."""

ENOUGH_BOARDS = 30_000
"""Boards on which clauses are selected; the weights of those that are kept come from all boards."""

ENOUGH_FOR_RESULTS = 12_000
"""The same for results, whose table of what fires is dense."""

KEEP_AT_LEAST = 3
"""One clause of this many stays each time that clauses of results are dropped."""

CACHED_NUMBERS = 1 << 18
"""Numbers of a dense table that fit in the cache: three times as fast as all at once."""

ENOUGH_FOR_PATTERNS = 16384
"""Boards on which patterns are selected: what fires on them, a byte for every move and clause, fits
into the memory of a small machine."""

BATCH = 256
"""Boards between two steps of Adam."""


# ---- clauses


def single_literals(n_bits: int) -> Literals:
    """A clause for every bit and for every negated bit."""
    return np.eye(2 * n_bits, dtype=np.bool_)


def single(clauses: Literals) -> NDArray[np.bool_]:
    """Which clauses have one literal."""
    return clauses.sum(axis=1) == 1


def fires(boards: NDArray[np.uint8], clauses: Literals) -> NDArray[np.float32]:
    """Which clauses fire on which boards, as 0 and 1: boards by clauses."""
    n_bits = boards.shape[1]
    needed, forbidden = clauses[:, :n_bits], clauses[:, n_bits:]
    # Each literal that does not hold counts one; a clause fires if there is none.
    change = (forbidden.astype(np.float32) - needed.astype(np.float32)).T
    missing = boards.astype(np.float32) @ change + needed.sum(axis=1, dtype=np.float32)
    return (missing < 0.5).astype(np.float32)


def firing(boards: NDArray[np.uint8], clauses: Literals) -> SparseTable:
    """Which clauses fire on which boards, as a sparse table: most are silent on most boards.

    >>> boards = np.array([[0, 1], [1, 1]], np.uint8)
    >>> firing(boards, np.array([[1, 0, 0, 0], [0, 1, 1, 0]], np.bool_)).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    from scipy.sparse import csr_array

    places, counts = [], [np.zeros(1, np.int64)]
    for part in _slices(len(boards), ROWS):
        fired = fires(boards[part], clauses) > 0
        places.append(np.nonzero(fired)[1].astype(np.int32))
        counts.append(fired.sum(axis=1))
    indices = np.concatenate([*places, np.zeros(0, np.int32)])
    starts = np.cumsum(np.concatenate(counts)).astype(np.int32)
    return csr_array((np.ones(len(indices)), indices, starts), (len(boards), len(clauses)))


def largest(counts: Floats, n: int) -> NDArray[np.intp]:
    """Where the `n` largest are, in ascending order of places; of equals the first.

    >>> largest(np.array([3.0, 1.0, 7.0, 3.0]), 2).tolist()
    [0, 2]
    """
    return np.sort(np.argsort(-counts, kind="stable")[:n])


# ---- values of boards


def weigh(
    boards: NDArray[np.uint8],
    values: Floats,
    clauses: Literals,
    *,
    most: int = 1000,
    penalty: float = 1.0,
) -> tuple[Literals, NDArray[np.int64]]:
    """The clauses that count most, at most `most` of them, and their weights in `UNIT`.

    `values` from -1 to 1 are chances of a win, (1 + value) / 2. `penalty` is what a weight costs:
    as if each clause had been seen that often on boards that tell nothing. Clauses of one literal
    are kept before all others: without them nothing says what a piece is worth by itself.

    >>> boards = np.array([[0, 0], [1, 0], [0, 1], [1, 1]] * 50, np.uint8)
    >>> weigh(boards, np.array([-0.5, 0.5, -0.5, 0.5] * 50), np.eye(4, dtype=bool)[:1])[1].tolist()
    [104]
    """
    chances = (1 + np.clip(values, -1, 1)) / 2
    some, weights = some_boards(len(boards)), np.zeros(len(clauses))
    # A first cut, half of the way, keeps clauses that only count once others are gone.
    for keep in ((most + len(clauses)) // 2, most):
        if len(clauses) > keep:
            table = firing(boards[some], clauses)
            weights = value_weights(table, chances[some], penalty, weights)
            counts = np.where(single(clauses), np.inf, np.abs(weights) * _spread(table))
            kept = largest(counts, keep)
            clauses, weights = clauses[kept], weights[kept]
    weights = value_weights(firing(boards, clauses), chances, penalty, weights)
    votes = np.rint(weights * UNIT).astype(np.int64)
    return clauses[votes != 0], votes[votes != 0]


def value_weights(table: SparseTable, chances: Floats, penalty: float, start: Floats) -> Floats:
    """Weights under which the sum of the clauses that fire is the best logarithm of the odds.

    The minimum is unique, so `start` matters only for the time it takes.
    """

    def objective(weights: Floats) -> tuple[float, Floats]:
        sums = table @ weights
        loss = float((np.logaddexp(0.0, sums) - chances * sums).sum())
        error = 1 / (1 + np.exp(-sums)) - chances
        return loss, table.T @ error

    return scaled_minimum(objective, penalty, penalty + table.sum(axis=0) / 4, start)


# ---- moves, by what is on the whole board


def weigh_moves(
    boards: NDArray[np.uint8],
    good: NDArray[np.bool_],
    clauses: Literals,
    codes: NDArray[np.int64],
    *,
    most: int = 6000,
    penalty: float = 1.0,
) -> tuple[Literals, NDArray[np.int64], NDArray[np.int64]]:
    """The clauses that tell most about moves, at most `most`; their weights, and their codes."""
    order = np.argsort(codes, kind="stable")
    clauses, codes = clauses[order], codes[order]
    weights = np.zeros(len(clauses))
    if len(clauses) > most:
        some = some_boards(len(boards))
        table = firing(boards[some], clauses)
        weights = move_weights(table, codes, good[some], penalty, weights)
        kept = largest(np.abs(weights) * _spread(table), most)
        clauses, codes, weights = clauses[kept], codes[kept], weights[kept]
    weights = move_weights(firing(boards, clauses), codes, good, penalty, weights)
    votes = np.rint(weights * UNIT).astype(np.int64)
    left = votes != 0
    return clauses[left], votes[left], codes[left]


def move_weights(
    table: SparseTable,
    codes: NDArray[np.int64],
    good: NDArray[np.bool_],
    penalty: float,
    start: Floats,
) -> Floats:
    """Weights under which the good moves together get the largest share after softmax.

    `codes` has the move that each clause is about, in ascending order; `good` has a row for each
    board and a column for each code, with at least one good move in a row.
    """
    n_codes = good.shape[1]
    ends = np.searchsorted(codes, np.arange(n_codes + 1))
    spans = [slice(*both) for both in itertools.pairwise(ends)]
    columns = table.tocsc()
    parts = [columns[:, span].tocsr() for span in spans]

    def objective(weights: Floats) -> tuple[float, Floats]:
        sums = np.stack([part @ weights[span] for part, span in zip(parts, spans, strict=True)], 1)
        sums -= sums.max(axis=1, keepdims=True)
        all_, best = np.exp(sums), np.exp(sums) * good
        whole, wanted = all_.sum(axis=1), np.maximum(best.sum(axis=1), 1e-300)
        loss = float((np.log(whole) - np.log(wanted)).sum())
        error = all_ / whole[:, None] - best / wanted[:, None]
        slopes = [part.T @ error[:, code] for code, part in enumerate(parts)]
        return loss, np.concatenate(slopes)

    return scaled_minimum(objective, penalty, penalty + table.sum(axis=0) / n_codes, start)


# ---- results: win, loss, draw, or any other classes


def weigh_results(
    boards: NDArray[np.uint8],
    results: Labels,
    clauses: Literals,
    settings: ResultSettings,
    seed: int = 1,
) -> tuple[Literals, NDArray[np.int64]]:
    """The clauses that count most, at most `settings.kept`, and a weight of each for each class.

    Of clauses that fire on the same boards only the shortest is considered. The weights of a clause
    are in `UNIT`, with the middle one at 0, since only their differences count.
    """
    most, penalty, iterations = settings.kept, settings.penalty, settings.steps
    classes, labels = np.unique(results, return_inverse=True)
    some = np.random.default_rng(seed).permutation(len(boards))[:ENOUGH_FOR_RESULTS]
    clauses = clauses[np.argsort(clauses.sum(axis=1), kind="stable")]
    rows = fires(boards[some], clauses)
    left = _distinct(rows, settings.rare)
    clauses, rows = clauses[left], np.ascontiguousarray(rows[:, left])
    start, penalty_of_some = None, penalty * len(some) / len(boards)
    while len(clauses) > most:
        start = class_weights(rows, labels[some], len(classes), penalty_of_some, iterations, start)
        counts = np.ptp(start[:-1], axis=1) * rows.std(axis=0)
        # Not all at once: some clauses count only when others are gone.
        kept = largest(counts, max(most, len(clauses) // KEEP_AT_LEAST))
        clauses, start = clauses[kept], start[[*kept, -1]]
        rows = np.ascontiguousarray(rows[:, kept])
    if settings.shorter:
        clauses, start = shortened(boards, clauses, settings.shorter), None
    weights = class_weights(
        fires(boards, clauses), labels, len(classes), penalty, iterations, start
    )
    clauses, weights = _intercept_as_clauses(clauses, weights)
    votes = np.rint(UNIT * (weights - np.median(weights, axis=1, keepdims=True))).astype(np.int64)
    speak = votes.any(axis=1)
    return clauses[speak], votes[speak]


def class_weights(
    rows: NDArray[np.float32],
    labels: NDArray[np.intp],
    n_classes: int,
    penalty: float,
    iterations: int,
    start: Floats | None = None,
) -> Floats:
    """Softmax weights of clauses (columns of `rows`) for classes; the last row is the intercept,
    which has no penalty."""
    shape = (rows.shape[1] + 1, n_classes)
    wanted = np.eye(n_classes, dtype=np.float32)[labels]
    parts = list(_slices(len(rows), max(1, CACHED_NUMBERS // shape[0])))

    def objective(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        by_clause, always = weights[:-1].astype(np.float32), weights[-1].astype(np.float32)
        loss = penalty / 2 * float(np.square(weights[:-1]).sum())
        slope = penalty * weights
        slope[-1] = 0
        for part in parts:
            sums = rows[part] @ by_clause + always
            sums -= sums.max(axis=1, keepdims=True)
            shares = np.exp(sums)
            total = shares.sum(axis=1, keepdims=True)
            loss += float(np.log(total).sum() - (sums * wanted[part]).sum())
            error = shares / total - wanted[part]
            slope[:-1] += (error.T @ rows[part]).T
            slope[-1] += error.sum(axis=0)
        return loss, slope.ravel()

    begin = np.zeros(shape) if start is None else start
    return _minimum(objective, begin.ravel(), maxiter=iterations).reshape(shape)


def shortened(boards: NDArray[np.uint8], clauses: Literals, spare: float = 0.0) -> Literals:
    """Clauses without the literals that hardly matter; each once.

    Machines find "9 men or more, 8 men or more", where one follows from the other, and ask for what
    is nearly always so. A clause loses literals, those first that matter least, as long as it fires
    on no more than a share `spare` of the boards on which it did not fire before.

    >>> boards = np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1]], np.uint8)
    >>> both = np.array([[True, True, True, False, False, False]])
    >>> np.flatnonzero(shortened(boards, both)).tolist()
    [1]
    """
    true = np.ascontiguousarray(np.concatenate([boards, 1 - boards], axis=1).T.astype(np.bool_))
    shorter = np.zeros_like(clauses)
    for clause, short in zip(clauses, shorter, strict=True):
        needed = np.flatnonzero(clause)
        allowed = true[needed].all(axis=0).sum() + spare * len(boards)
        while len(needed) > 1:
            fired = [true[needed[needed != literal]].all(axis=0).sum() for literal in needed]
            # Of those that matter equally the last goes: rather a negated literal than a plain one.
            least = len(fired) - 1 - int(np.argmin(fired[::-1]))
            if fired[least] > allowed:
                break
            needed = np.delete(needed, least)
        short[needed] = True
    return np.unique(shorter, axis=0)


def _distinct(rows: NDArray[np.float32], rare: int) -> NDArray[np.intp]:
    """The clauses that are not rare, and of those that fire alike the first."""
    fired = rows.sum(axis=0)
    common = np.flatnonzero((fired >= rare) & (fired <= len(rows) - rare))
    columns = np.packbits(rows[:, common] > 0, axis=0).T
    return common[np.sort(np.unique(columns, axis=0, return_index=True)[1])]


def _intercept_as_clauses(clauses: Literals, weights: Floats) -> tuple[Literals, Floats]:
    """The intercept (the last weights) given to a bit and to its negation, one of which fires.

    A clause without literals would never fire.
    """
    n_bits = clauses.shape[1] // 2
    either = np.zeros((2, 2 * n_bits), np.bool_)
    either[0, 0] = either[1, n_bits] = True
    always = weights[-1]
    same = (clauses == either[0]).all(axis=1)
    own = weights[:-1][same].sum(axis=0)
    return (
        np.concatenate([clauses[~same], either]),
        np.concatenate([weights[:-1][~same], [always + own, always]]),
    )


# ---- moves, by what is around them


def weigh_patterns(
    moves: MoveTrainingSet,
    clauses: Literals,
    seen: MoveFeatures,
    *,
    most: int = 600,
    epochs: int = 10,
    rate: float = 0.03,
    penalty: float = 1e-5,
    seed: int = 0,
) -> tuple[Literals, NDArray[np.int64]]:
    """The clauses that tell most about moves, at most `most`, and their weights in `UNIT`.

    Every board is rotated or reflected in a way drawn at random. The weights are those under which
    the shares of the moves are likeliest, fitted by `epochs` passes of Adam.
    """
    draws = np.random.default_rng(seed)
    bits = unpacked(moves.rows, len(seen.names))
    ways = np.repeat(draws.integers(len(seen.ways), size=len(moves)), np.diff(moves.first))
    bits = np.take_along_axis(bits, seen.ways[ways], axis=1)
    if len(clauses) > most:
        boards = np.arange(len(moves))
        if len(boards) > ENOUGH_FOR_PATTERNS:
            boards = np.sort(draws.choice(boards, ENOUGH_FOR_PATTERNS, replace=False))
        fired = _fired(bits[moves.rows_of(boards)[0]], clauses)
        weights = share_weights(moves.of(boards), fired, epochs, rate, penalty, draws)
        share = fired.mean(axis=0)
        clauses = clauses[largest(np.abs(weights) * np.sqrt(share * (1 - share)), most)]
    weights = share_weights(moves, _fired(bits, clauses), epochs, rate, penalty, draws)
    votes = np.rint(weights * UNIT).astype(np.int64)
    return clauses[votes != 0], votes[votes != 0]


def share_weights(
    moves: MoveTrainingSet,
    fired: NDArray[np.uint8],
    epochs: int,
    rate: float,
    penalty: float,
    draws: np.random.Generator,
) -> Floats:
    """Weights under which the shares of the moves, after softmax over a board, are likeliest."""
    weights, mean, square = (np.zeros(fired.shape[1], np.float32) for _ in range(3))
    step = 0
    for epoch in range(epochs):
        # The steps get smaller towards the end, so that the last boards do not count most.
        pace = rate * (1 - epoch / epochs)
        order = draws.permutation(len(moves))
        for part in _slices(len(order), BATCH):
            boards = np.sort(order[part])
            rows, first_rows = moves.rows_of(boards)
            starts = first_rows[:-1]
            shown = fired[rows].astype(np.float32)
            sums = shown @ weights + moves.extra[rows]
            highest = np.maximum.reduceat(sums, starts)
            board_of = np.repeat(np.arange(len(boards)), np.diff(first_rows))
            chance = np.exp(sums - highest[board_of])
            chance /= np.add.reduceat(chance, starts)[board_of]
            error = (chance - moves.shares[rows]).astype(np.float32)
            slope = error @ shown / len(boards) + penalty * weights
            step += 1
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope * slope - square)
            usual = np.sqrt(square / (1 - 0.99**step)) + 1e-8
            weights -= pace * mean / (1 - 0.9**step) / usual
    return weights.astype(np.float64)


def _fired(bits: NDArray[np.uint8], clauses: Literals) -> NDArray[np.uint8]:
    """Which clauses fire on which rows, a byte each: looked at many times, found once."""
    fired = np.empty((len(bits), len(clauses)), np.uint8)
    for part in _slices(len(bits), 2 * ROWS):
        fired[part] = fires(bits[part], clauses)
    return fired


# ---- machines of clauses and weights


def win_loss_machine(
    clauses: Literals, weights: NDArray[np.int64], bit_names: list[str], worth_one: float
) -> TsetlinMachineClassifier:
    """A machine of clauses: those with a weight above 0 vote for a win, the others for a loss.

    `worth_one` is the lead, as a logarithm of the odds, that a value of 1 means.
    """
    owners = (weights > 0).astype(np.intp)
    machine = voting_machine(clauses, np.abs(weights), owners, np.array(["loss", "win"]), bit_names)
    machine.threshold = max(1.0, worth_one * UNIT / 2)
    return machine


def class_machine(
    clauses: Literals, weights: NDArray[np.int64], labels: Labels, bit_names: list[str]
) -> TsetlinMachineClassifier:
    """A machine of clauses that vote for or against classes; `labels` has the class of each."""
    classes, owners = np.unique(labels, return_inverse=True)
    return voting_machine(clauses, weights, owners.astype(np.intp), classes, bit_names)


def voting_machine(
    clauses: Literals,
    weights: NDArray[np.int64],
    owners: NDArray[np.intp],
    classes: Labels,
    bit_names: list[str],
) -> TsetlinMachineClassifier:
    """A machine of given clauses and weights; even places vote for a class, odd ones against it."""
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


# ---- inside


def _slices(n: int, size: int) -> Iterator[slice]:
    return (slice(first, first + size) for first in range(0, n, size))


def some_boards(n_boards: int) -> NDArray[np.intp]:
    """Every board, or enough of them, spread evenly."""
    return np.unique(np.linspace(0, n_boards - 1, min(n_boards, ENOUGH_BOARDS)).astype(np.intp))


def _spread(table: SparseTable) -> Floats:
    """How much each clause's firing varies over the boards."""
    share = table.sum(axis=0) / max(table.shape[0], 1)
    spread: Floats = np.sqrt(share * (1 - share))
    return spread


def scaled_minimum(
    loss: Objective,
    penalty: float | Floats,
    curvature: Floats,
    start: Floats,
    bounds: Bounds | None = None,
) -> Floats:
    """The minimum of a loss plus the L2 penalty, on a scale on which all weights curve it alike.

    `bounds` may keep weights from one side of 0.
    """
    scale = 1 / np.sqrt(curvature)

    def scaled(at: Floats) -> tuple[float, Floats]:
        weights = at * scale
        value, slope = loss(weights)
        cost = float((penalty * weights) @ weights) / 2
        return value + cost, (slope + penalty * weights) * scale

    limits = {"maxiter": ITERATIONS, "maxfun": 2 * ITERATIONS, "gtol": 1e-2, "ftol": 1e-9}
    return _minimum(scaled, start / scale, bounds, **limits) * scale


def _minimum(
    loss: Objective, start: Floats, bounds: Bounds | None = None, **options: float
) -> Floats:
    from scipy.optimize import minimize

    options = {"maxcor": MEMORY, **options}
    found: Floats = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options
    ).x
    return found
