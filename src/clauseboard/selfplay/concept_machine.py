"""Machines over concepts: clauses of a few conditions for either side, weighed against each other.

Candidates are found by a Tsetlin Machine and by the paths of small boosted trees, both of which
look at every board twice: as the side to move sees it, and as the other side does. A clause is then
weighed by its difference on the two views, so that what both sides have counts for nothing, and no
weight contradicts what its conditions say: to be ahead never counts against a side.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clauseboard.explanation import UNIT
from clauseboard.game import Game, Position
from clauseboard.games.concepts import LEAD, THEY, WE, ConceptBit, concept_bits, listed
from clauseboard.games.plugins import CONCEPTS
from clauseboard.selfplay.find_clauses import clause_finder, clauses_of
from clauseboard.selfplay.fit_weights import some_boards, win_loss_machine
from clauseboard.selfplay.settings import MachineSettings
from clauseboard.selfplay.training_set import TrainingSet, concept_views, quiet_test
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.joint_weights import (
    Floats,
    Literals,
    firing,
    largest,
    scaled_minimum,
    single_literals,
)

if TYPE_CHECKING:
    from clauseboard.tsetlin.joint_weights import SparseTable

Rows = NDArray[np.uint8]

MOST_CONDITIONS = 3
"""People do not follow a sentence of more conditions."""

KEPT_EACH_TIME = 0.7
"""The share of the clauses that stays each time some are dropped: some count only then."""

MATERIAL = "material"
"""The line that leads in pieces belong to."""

FACTORS = (1, 2, 3, 4, 5, 6)
"""What votes may be multiplied by, so that they tell the chances of games."""

FEWEST_VOTES = 4
"""A clause with fewer votes is no reason."""

RARE = 30
"""Boards on which a clause must tell the two sides apart, at least."""

TREE_DEPTH, TREE_RATE, ROWS_OF_TREES = 3, 0.2, 60_000


@dataclass(frozen=True, eq=False)
class ConceptData:
    """Boards as bits of concepts, seen by the side to move and by the other one, and values."""

    ours: Rows
    theirs: Rows
    values: Floats

    def both(self) -> tuple[Rows, Floats]:
        """All views as rows, with the chances of the side that looks."""
        chances = (1 + np.clip(self.values, -1, 1)) / 2
        return np.concatenate([self.ours, self.theirs]), np.concatenate([chances, 1 - chances])


def concept_machine(
    data: ConceptData, bits: Sequence[ConceptBit], settings: MachineSettings
) -> TsetlinMachineClassifier:
    """A machine over concepts with at most `settings.kept` clauses."""
    found = candidates(data, bits, settings)
    clauses = distinct(np.concatenate(list(found.values())), bits)
    clauses, votes = weigh_sides(data, clauses, bits, settings.kept, settings.penalty)
    names = [bit.name for bit in bits]
    return win_loss_machine(clauses, votes, names, settings.worth_one, sources(clauses, found))


def concept_machine_of(
    game: Game, training: TrainingSet, test: TrainingSet, settings: MachineSettings
) -> tuple[TsetlinMachineClassifier, dict[str, float]]:
    """A machine from the games of a game that has concepts, and its figures on other games."""
    bits = concept_bits(CONCEPTS.of(game).CONCEPTS)
    machine = concept_machine(_data(training), bits, settings)
    figures = {"clauses": float(sum(len(machine.clauses_of(label)) for label in machine.classes_))}
    if len(test):
        figures["loss"] = log_loss(machine, _data(test))
    return machine, figures


def calibrated(
    machine: TsetlinMachineClassifier, data: ConceptData
) -> tuple[TsetlinMachineClassifier, int]:
    """The machine with votes that tell the chances of games which it has not seen, and the factor.

    Games to learn from have random moves in them, and so tell too little of an advantage. All votes
    are multiplied by a whole number, and so is what a value of 1 means: it plays as before.
    """
    losses = [log_loss(machine, data, factor) for factor in FACTORS]
    factor = FACTORS[int(np.argmin(losses))]
    scaled = copy.deepcopy(machine)
    scaled.banks_.weights *= factor
    scaled.threshold = scaled._threshold() * factor
    return scaled, factor


def boards_of_games(
    game: Game, games: Iterable[tuple[Sequence[str], str | None]]
) -> tuple[list[Position], list[float]]:
    """The quiet positions of games, given as moves and winner, and their values for the mover."""
    quiet, positions, values = quiet_test(game, concepts=True), [], []
    for moves, winner in games:
        position = game.start()
        for text in moves:
            if quiet is None or quiet(position):
                positions.append(position)
                values.append(
                    0.0 if winner is None else 1.0 if winner == position.to_move else -1.0
                )
            position = position.play(position.read_move(text))
    return positions, values


def calibrated_on_games(
    machine: TsetlinMachineClassifier,
    game: Game,
    games: Iterable[tuple[Sequence[str], str | None]],
) -> TsetlinMachineClassifier:
    """The machine with the votes that suit some games best; see `calibrated`."""
    positions, values = boards_of_games(game, games)
    if not positions:
        return machine
    ours, theirs = concept_views(game, positions)
    return calibrated(machine, ConceptData(ours, theirs, np.array(values)))[0]


def _data(training: TrainingSet) -> ConceptData:
    if training.others is None:
        raise ValueError("These boards have no concepts; make them with concepts=True.")
    return ConceptData(training.boards, training.others, training.values)


def log_loss(machine: TsetlinMachineClassifier, data: ConceptData, factor: int = 1) -> float:
    """The mean log loss of a machine's chances on boards, with votes that count so many times."""
    votes = machine.votes(data.ours) - machine.votes(data.theirs)
    sums = factor * (votes[:, 1] - votes[:, 0]) / UNIT
    chances = (1 + np.clip(data.values, -1, 1)) / 2
    return float((np.logaddexp(0.0, sums) - chances * sums).mean())


# ---- candidates


SINGLE, BY_MACHINE, BY_TREES = "one condition", "the Tsetlin Machine", "trees"
"""What finds clauses: every bit is one, and two finders join several."""


def candidates(
    data: ConceptData, bits: Sequence[ConceptBit], settings: MachineSettings
) -> dict[str, Literals]:
    """Clauses that a person can follow, by what found them; some are found more than once."""
    found = {
        SINGLE: single_literals(len(bits))[: len(bits)],
        BY_MACHINE: machine_clauses(data, settings),
    }
    if settings.trees:
        found[BY_TREES] = tree_clauses(data, settings.trees, settings.seed)
    return {finder: distinct(clauses, bits) for finder, clauses in found.items()}


def sources(clauses: Literals, found: Mapping[str, Literals]) -> list[str]:
    """What found each clause: a finder, or some; clauses of one condition need none."""
    known = {finder: {row.tobytes() for row in rows} for finder, rows in found.items()}
    named = []
    for clause in clauses:
        finders = [finder for finder, rows in known.items() if clause.tobytes() in rows]
        named.append(SINGLE if SINGLE in finders else listed(finders))
    return named


def machine_clauses(data: ConceptData, settings: MachineSettings) -> Literals:
    """The clauses that a Tsetlin Machine finds: a board is shown as won with its chance."""
    rows, chances = data.both()
    won = np.random.default_rng(settings.seed).random(len(rows)) < chances
    n = settings.n_clauses
    most = min(settings.max_literals, MOST_CONDITIONS)
    machine = clause_finder(settings, n, n / 4, most, settings.epochs)
    machine.fit(rows, won.astype(np.int64), progress=False)
    return clauses_of(machine, rows.shape[1])


def tree_clauses(data: ConceptData, n_trees: int, seed: int) -> Literals:
    """The paths from the roots to the leaves of boosted trees."""
    from sklearn.tree import DecisionTreeRegressor

    rows, chances = data.both()
    some = np.random.default_rng(seed).permutation(len(rows))[:ROWS_OF_TREES]
    rows, chances = rows[some].astype(np.float32), chances[some]
    sums = np.zeros(len(rows))
    n_bits, paths = rows.shape[1], []
    for n in range(n_trees):
        tree = DecisionTreeRegressor(
            max_depth=TREE_DEPTH, min_samples_leaf=RARE, max_features=0.5, random_state=seed + n
        )
        share = 1 / (1 + np.exp(-sums))
        tree.fit(rows, (chances - share) / np.maximum(share * (1 - share), 0.05))
        sums += TREE_RATE * tree.predict(rows)
        paths += _paths(tree.tree_, n_bits)
    return np.array(paths, np.bool_).reshape(-1, 2 * n_bits)


def _paths(tree: object, n_bits: int) -> list[NDArray[np.bool_]]:
    """The conditions on the way to each node: a bit of 0 goes to the left."""
    left, right = tree.children_left, tree.children_right  # type: ignore[attr-defined]
    split = tree.feature  # type: ignore[attr-defined]
    found: list[NDArray[np.bool_]] = []

    def walk(node: int, path: NDArray[np.bool_]) -> None:
        if path.any():
            found.append(path)
        if left[node] < 0:
            return
        for child, place in ((left[node], split[node] + n_bits), (right[node], split[node])):
            longer = path.copy()
            longer[place] = True
            walk(child, longer)

    walk(0, np.zeros(2 * n_bits, np.bool_))
    return found


def distinct(clauses: Literals, bits: Sequence[ConceptBit]) -> Literals:
    """The clauses that a person can follow, each once.

    Conditions go that nobody says ("is not ahead", "has three kings at most") and that follow from
    others ("one king or more" beside "two kings or more"). A clause is about one matter or two,
    which speak for the same side; `context` may be added. Leads in material stand alone: they
    decide so much that a clause with another matter would hide them. Of a clause and its mirror
    image one is enough.
    """
    n_bits = len(bits)
    clauses = clauses.copy()
    for n, bit in enumerate(bits):
        if not bit.sentence("we", "they", False):
            clauses[:, n_bits + n] = False
    for weaker, n in _weaker(bits):
        clauses[:, weaker] &= ~clauses[:, n]
    clauses = np.unique(clauses, axis=0)
    size = clauses.sum(axis=1)
    possible = ~(clauses[:, :n_bits] & clauses[:, n_bits:]).any(axis=1)
    # A single bit that is not set says what the bit says, the other way round.
    possible &= (size > 1) | clauses[:, :n_bits].any(axis=1)
    clauses = clauses[(size > 0) & (size <= MOST_CONDITIONS) & possible]
    held = clauses[:, :n_bits] | clauses[:, n_bits:]
    matters = [
        (held & np.array([bit.index == k and not bit.is_context for bit in bits])).any(axis=1)
        for k in range(max(bit.index for bit in bits) + 1)
    ]
    material = held & np.array([bit.kind == LEAD and bit.concept.line == MATERIAL for bit in bits])
    others = held & np.array([not bit.is_context and bit.concept.line != MATERIAL for bit in bits])
    n_matters = np.sum(matters, axis=0)
    clear = (n_matters >= 1) & (n_matters <= 2)
    clear &= ~(material.any(axis=1) & others.any(axis=1))
    for_us, for_them = speaks_for(clauses, bits)
    return _without_mirrors(clauses[clear & ~(for_us & for_them)], bits)


def _without_mirrors(clauses: Literals, bits: Sequence[ConceptBit]) -> Literals:
    """Of each clause and the same one for the other side, the one that says more of us."""
    place = {(bit.index, bit.kind, bit.level): n for n, bit in enumerate(bits)}
    swapped = {WE: THEY, THEY: WE}
    mirror = np.array([
        place.get(
            (bit.index, bit.kind, -bit.level)
            if bit.kind == LEAD
            else (bit.index, swapped[bit.kind], bit.level),
            n,
        )
        for n, bit in enumerate(bits)
    ])  # fmt: skip
    mirror = np.concatenate([mirror, mirror + len(bits)])
    kept: dict[bytes, NDArray[np.bool_]] = {}
    ours = np.array([bit.is_ours and not bit.is_context for bit in bits] * 2)
    for clause in clauses:
        other = np.zeros_like(clause)
        other[mirror[np.flatnonzero(clause)]] = True
        if (clause == other).all():
            continue
        first = max(clause, other, key=lambda c: (int((c & ours).sum()), c.tobytes()))
        kept[first.tobytes()] = first
    return np.array(list(kept.values()), np.bool_).reshape(-1, clauses.shape[1])


def _weaker(bits: Sequence[ConceptBit]) -> list[tuple[int, int]]:
    """Pairs of literals of which the first follows from the second."""
    n_bits, pairs = len(bits), []
    for n, bit in enumerate(bits):
        for k, other in enumerate(bits):
            alike = (bit.index, bit.kind, bit.level > 0) == (
                other.index,
                other.kind,
                other.level > 0,
            )
            if alike and abs(other.level) > abs(bit.level):
                pairs.append((n, k))
                pairs.append((n_bits + k, n_bits + n))
    return pairs


# ---- weights


def speaks_for(
    clauses: Literals, bits: Sequence[ConceptBit]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which clauses have a condition that speaks for us, and which have one for them."""
    good = np.array([0 if bit.is_context else bit.good for bit in bits])
    good = np.concatenate([good, -good])
    for_us, for_them = (np.asarray((clauses & (sign * good > 0)).any(axis=1)) for sign in (1, -1))
    return for_us, for_them


def directions(clauses: Literals, bits: Sequence[ConceptBit]) -> NDArray[np.int64]:
    """What the conditions of each clause speak for: 1 for us, -1 for them, 0 if that is open."""
    for_us, for_them = speaks_for(clauses, bits)
    return for_us.astype(np.int64) - for_them.astype(np.int64)


def difference(data: ConceptData, clauses: Literals, rows: NDArray[np.intp]) -> SparseTable:
    """Which clauses fire for us (1) or for them (-1) and not for both: boards × clauses."""
    table: SparseTable = firing(data.ours[rows], clauses) - firing(data.theirs[rows], clauses)
    table.eliminate_zeros()
    return table


def weigh_sides(
    data: ConceptData, clauses: Literals, bits: Sequence[ConceptBit], most: int, penalty: float
) -> tuple[Literals, NDArray[np.int64]]:
    """The clauses that count most, at most `most`, and their votes for the side that meets them."""
    chances = (1 + np.clip(data.values, -1, 1)) / 2
    some, everything = some_boards(len(chances)), np.arange(len(chances))
    table = difference(data, clauses, some)
    left = np.flatnonzero(abs(table).sum(axis=0) >= RARE)
    clauses, table, weights = clauses[left], table[:, left], np.zeros(len(left))
    while len(clauses) > most:
        weights = side_weights(table, chances[some], penalty, clauses, bits, weights)
        counts = np.abs(weights) * np.sqrt(abs(table).sum(axis=0) / table.shape[0])
        # Of two clauses that tell the same, the shorter one is easier to read.
        counts *= 1.0 - 0.1 * (clauses.sum(axis=1) - 1)
        wanted = max(most, int(KEPT_EACH_TIME * int(np.count_nonzero(weights))))
        kept = largest(counts, wanted)
        clauses, table, weights = clauses[kept], table[:, kept], weights[kept]
    table = difference(data, clauses, everything)
    weights = side_weights(table, chances, penalty, clauses, bits, weights)
    heard = np.abs(weights) * UNIT >= FEWEST_VOTES
    clauses, table, weights = clauses[heard], table[:, heard], weights[heard]
    weights = side_weights(table, chances, penalty, clauses, bits, weights)
    votes = np.rint(weights * UNIT).astype(np.int64)
    return clauses[votes != 0], votes[votes != 0]


def side_weights(
    table: SparseTable,
    chances: Floats,
    penalty: float,
    clauses: Literals,
    bits: Sequence[ConceptBit],
    start: Floats,
) -> Floats:
    """Weights whose sum is the best logarithm of the odds, each with the sign that it may have.

    Longer clauses cost more, so that a short one explains what it can.
    """
    if not len(clauses):
        return start

    def objective(weights: Floats) -> tuple[float, Floats]:
        sums = table @ weights
        loss = float((np.logaddexp(0.0, sums) - chances * sums).sum())
        return loss, table.T @ (1 / (1 + np.exp(-sums)) - chances)

    signs = directions(clauses, bits)
    bounds = [(0.0 if sign > 0 else None, 0.0 if sign < 0 else None) for sign in signs]
    costs = penalty * clauses.sum(axis=1).astype(np.float64) ** 3
    curvature = costs + abs(table).sum(axis=0) / 4
    return scaled_minimum(objective, costs, curvature, start, bounds)
