"""The textbook Tsetlin Machine: one sample, one clause, one automaton at a time.

This is the slow twin of the fast kernels. It is written from the papers, without the fast
code, and is meant to be read next to them:

- Granmo 2018: *The Tsetlin Machine*, arXiv:1804.01508. Clauses, votes, Type I and Type II.
- Granmo et al. 2019: *The Convolutional Tsetlin Machine*, arXiv:1905.09688. Patches.
- Phoulady et al. 2019: *The Weighted Tsetlin Machine*, arXiv:1911.12607, and
  Abeyrathna et al. 2020: integer-weighted clauses, arXiv:2005.05131. Weights.
- Abeyrathna et al. 2019: *The Regression Tsetlin Machine*, doi:10.1098/rsta.2019.0165.
- Abeyrathna et al. 2023: clauses of constrained size, arXiv:2301.08190. The literal budget.

The first half holds the single rules, as functions that take plain arrays and return new
ones, so that a fast kernel can be held against each of them. The second half puts them
together. T of the papers is `threshold`, s is `specificity`; `draws_mask` is one
Bernoulli(1/s) draw a literal.

Every random number comes from a `Draws`, which a test can replace by numbers of its own.
"""

from collections.abc import Iterable
from typing import Any, Protocol, Self

import numpy as np

# ---------------------------------------------------------------------------
# Randomness
# ---------------------------------------------------------------------------


class Draws(Protocol):
    """Where the machine's random numbers come from."""

    def feedback(self, probability: float) -> bool:
        """Does this clause get feedback? Asked once a clause, even where the answer is sure."""

    def bernoulli_literals(self, n: int, probability: float) -> np.ndarray:
        """One independent yes or no a literal; asked once for each Type I feedback."""

    def pick(self, n: int) -> int:
        """One of 0 .. n - 1, all equally likely. With n = 1 nothing is drawn."""


class GeneratorDraws:
    """Draws from a NumPy generator."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def feedback(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def bernoulli_literals(self, n: int, probability: float) -> np.ndarray:
        return self.rng.random(n) < probability

    def pick(self, n: int) -> int:
        return 0 if n == 1 else int(self.rng.integers(n))


class ForcedDraws:
    """Replays given lists, one for each kind of draw, and remembers what was asked.

    `feedback` holds uniform numbers: a clause gets feedback where the number is below the
    probability, so 0.0 is "yes, unless impossible" and 1.0 is "no". `literals` holds masks of
    0 and 1, `picks` the numbers picked.
    """

    def __init__(
        self,
        feedback: Iterable[float] = (),
        literals: Iterable[Iterable[int]] = (),
        picks: Iterable[int] = (),
    ) -> None:
        self._feedback = list(feedback)
        self._literals = [np.array(list(mask), dtype=bool) for mask in literals]
        self._picks = list(picks)
        self.feedback_asked: list[float] = []
        self.literals_asked: list[float] = []
        self.picks_asked: list[int] = []

    def feedback(self, probability: float) -> bool:
        self.feedback_asked.append(probability)
        return bool(self._next(self._feedback, "feedback") < probability)

    def bernoulli_literals(self, n: int, probability: float) -> np.ndarray:
        self.literals_asked.append(probability)
        mask = self._next(self._literals, "literals")
        if mask.shape != (n,):
            raise ValueError(f"the next forced mask has {mask.size} literals; {n} were asked for")
        return mask

    def pick(self, n: int) -> int:
        if n == 1:
            return 0
        self.picks_asked.append(n)
        picked = self._next(self._picks, "picks")
        if not 0 <= picked < n:
            raise ValueError(f"the next forced pick is {picked}; 0 to {n - 1} were on offer")
        return picked

    def used_up(self) -> bool:
        """Has every forced number been used?"""
        return not (self._feedback or self._literals or self._picks)

    @staticmethod
    def _next(left: list, kind: str) -> Any:
        if not left:
            raise ValueError(f"no forced draws are left in {kind!r}; give a longer list")
        return left.pop(0)


# ---------------------------------------------------------------------------
# Automata, literals and clauses (Granmo 2018)
# ---------------------------------------------------------------------------


def initial_state(state_bits: int) -> int:
    """An automaton starts just on the excluding side of the middle."""
    return 2 ** (state_bits - 1) - 1


def included(states: np.ndarray, state_bits: int) -> np.ndarray:
    """The action of each automaton: the upper half of its states includes the literal."""
    return np.asarray(states) >= 2 ** (state_bits - 1)


def raised(states: np.ndarray, where: np.ndarray, state_bits: int) -> np.ndarray:
    """One step towards "include", where asked; the last state is a wall."""
    return np.minimum(np.asarray(states, dtype=np.int64) + where, 2**state_bits - 1)


def lowered(states: np.ndarray, where: np.ndarray) -> np.ndarray:
    """One step towards "exclude", where asked; state 0 is a wall."""
    return np.maximum(np.asarray(states, dtype=np.int64) - where, 0)


def literals_of(features: np.ndarray) -> np.ndarray:
    """The n bits, then their n negations; also for rows of bits."""
    bits = np.asarray(features).astype(bool)
    return np.concatenate([bits, ~bits], axis=-1)


def clause_output(
    states: np.ndarray, literals: np.ndarray, predicting: bool, state_bits: int
) -> int:
    """The AND of the included literals.

    The AND of nothing is true. Granmo 2018 keeps that while training, so that an empty clause
    can learn its first literal; when predicting, an empty clause has nothing to say.
    """
    include = included(states, state_bits)
    if not include.any():
        return 0 if predicting else 1
    return int(np.asarray(literals)[include].all())


# ---------------------------------------------------------------------------
# Feedback to one clause
# ---------------------------------------------------------------------------


def type_one(
    states: np.ndarray,
    literals: np.ndarray,
    output: int,
    draws_mask: np.ndarray,
    boost: bool,
    state_bits: int,
) -> np.ndarray:
    """Type I feedback makes the clause look more like the sample (Granmo 2018).

    If the clause fired, a true literal moves towards "include" with probability (s-1)/s, or
    always with `boost` (boosted true positive feedback); a false one moves towards "exclude"
    with probability 1/s. If it did not fire, every literal is forgotten a little.
    """
    if not output:
        return type_one_silent(states, draws_mask)
    true = np.asarray(literals, dtype=bool)
    # One draw serves both kinds of literal: it comes up with 1/s, stays away with (s-1)/s.
    drawn = np.asarray(draws_mask, dtype=bool)
    reward = true if boost else true & ~drawn
    return lowered(raised(states, reward, state_bits), ~true & drawn)


def type_one_silent(states: np.ndarray, draws_mask: np.ndarray) -> np.ndarray:
    """Type I feedback to a clause that did not fire, or is over its literal budget.

    Whatever the literals are, each moves towards "exclude" with probability 1/s.
    """
    return lowered(states, np.asarray(draws_mask, dtype=bool))


def type_two(states: np.ndarray, literals: np.ndarray, state_bits: int) -> np.ndarray:
    """Type II feedback to a clause that fired and should not have (Granmo 2018).

    Including any literal that is false here would have kept the clause quiet, so all of these
    that are excluded move towards "include", for certain. A clause that did not fire learns
    nothing from Type II: then this is not called.
    """
    false = ~np.asarray(literals, dtype=bool)
    return raised(states, false & ~included(states, state_bits), state_bits)


def weight_after_type_one(weight: int, output: int) -> int:
    """A clause that was right to fire counts for one more (Abeyrathna 2020)."""
    return weight + 1 if output else weight


def weight_after_type_two(weight: int, output: int) -> int:
    """A clause that was wrong to fire counts for one less (Abeyrathna 2020).

    The paper lets a weight fall to 0. Ours stops at 1, so that a clause keeps its say.
    """
    return weight - 1 if output and weight > 1 else weight


def within_budget(states: np.ndarray, max_literals: int | None, state_bits: int) -> bool:
    """May the clause still grow? (Abeyrathna 2023.)

    The bound is soft: a clause may pass it by what one feedback adds, and then shrinks.
    """
    return max_literals is None or int(included(states, state_bits).sum()) <= max_literals


# ---------------------------------------------------------------------------
# Which clauses get feedback, and of which type
# ---------------------------------------------------------------------------


def polarity(clause: int) -> int:
    """Clauses with an even index vote for their class, those with an odd one against it."""
    return 1 if clause % 2 == 0 else -1


def feedback_probability(votes: int, threshold: int, target: int) -> float:
    """How likely each clause is to get feedback (Granmo 2018, the resource allocation).

    The further the votes are from T (target 1) or from -T (target 0), the likelier: clauses
    spread over the patterns instead of all learning the same one.
    """
    v = min(max(votes, -threshold), threshold)
    return (threshold - v if target == 1 else threshold + v) / (2 * threshold)


def gets_type_one(clause: int, target: int) -> bool:
    """Type I for the clauses that ought to fire: those for a class that is, against one not."""
    return (polarity(clause) == 1) == (target == 1)


def regression_target(y: float, y_min: float, y_max: float, threshold: int) -> float:
    """The value on the scale of the votes: y_min is 0 votes, y_max is T (Abeyrathna 2019)."""
    return (y - y_min) / (y_max - y_min) * threshold


def regression_error(votes: int, threshold: int, target: float) -> float:
    """Positive where more clauses should fire: they get Type I. Negative: Type II."""
    return target - min(max(votes, 0), threshold)


def regression_feedback_probability(error: float, threshold: int) -> float:
    """Feedback in proportion to the error (Abeyrathna 2019)."""
    return abs(error) / threshold


def regression_prediction(votes: int, y_min: float, y_max: float, threshold: int) -> float:
    """The votes on the scale of the values."""
    return y_min + min(max(votes, 0), threshold) / threshold * (y_max - y_min)


# ---------------------------------------------------------------------------
# Patches (Granmo 2019)
# ---------------------------------------------------------------------------


def patches(
    board: np.ndarray, board_shape: tuple[int, int, int], window: tuple[int, int]
) -> np.ndarray:
    """Every patch that the window sees, one row of features each.

    The patches go row by row of their top left corner. The features of one are where it is,
    as thresholds (row > 0, row > 1, ..., column > 0, ...), so that a clause can ask for "lower
    than" as well as "higher than"; then the bits in the window by row, column and plane.
    """
    rows, columns, _ = board_shape
    window_rows, window_columns = window
    cells = np.asarray(board).astype(bool).reshape(board_shape)
    seen = []
    for row in range(rows - window_rows + 1):
        for column in range(columns - window_columns + 1):
            below = [row > t for t in range(rows - window_rows)]
            right = [column > t for t in range(columns - window_columns)]
            content = cells[row : row + window_rows, column : column + window_columns]
            seen.append([*below, *right, *content.reshape(-1).tolist()])
    return np.array(seen, dtype=bool)


def fuzzy_degree(
    states: np.ndarray, literals: np.ndarray, predicting: bool, state_bits: int, max_misses: int
) -> int:
    """How often a clause casts its weight if up to `max_misses` of its literals may fail.

    Once more than literals may fail where all hold, once less for each that fails; of a clause of
    few literals all count (Hnilov 2025, with LF = max_misses + 1).
    """
    held = [
        bool(literal)
        for literal, there in zip(literals, included(states, state_bits), strict=True)
        if there
    ]
    if not held:
        return 0 if predicting else 1
    return max(0, min(max_misses + 1, len(held)) - held.count(False))


def firing_patches(
    states: np.ndarray, patch_literals: np.ndarray, predicting: bool, state_bits: int
) -> list[int]:
    """The patches on which the clause is true. It fires on the board if there is any."""
    return [
        p
        for p, literals in enumerate(patch_literals)
        if clause_output(states, literals, predicting, state_bits)
    ]


Firing = tuple[list[int], int]
"""The patches that a clause may learn from, and how often it casts its weight."""


def best_patches(
    states: np.ndarray,
    patch_literals: np.ndarray,
    predicting: bool,
    state_bits: int,
    max_misses: int,
) -> Firing:
    """The patches at which fewest literals fail; as these, so the clause votes on the board.

    None where too many fail at every patch. Without literals that may fail these are the patches
    on which the clause is true, of which Granmo 2019 takes any one.
    """
    degrees = [
        fuzzy_degree(states, literals, predicting, state_bits, max_misses)
        for literals in patch_literals
    ]
    most = max(degrees)
    return [p for p, degree in enumerate(degrees) if degree == most and most > 0], most


# ---------------------------------------------------------------------------
# The machines
# ---------------------------------------------------------------------------


class _Machine:
    """What classifier and regressor share: teams of clauses, and feedback to one clause.

    `states[team, clause, literal]` and `weights[team, clause]` are the whole memory. A machine
    without convolution sees one patch, the sample itself.
    """

    def __init__(
        self,
        *,
        n_teams: int,
        n_clauses: int,
        threshold: int,
        specificity: float,
        n_features: int,
        draws: Draws,
        weighted: bool = False,
        boost_true_positive: bool = False,
        state_bits: int = 8,
        max_literals: int | None = None,
        board_shape: tuple[int, int, int] | None = None,
        window: tuple[int, int] | None = None,
        max_misses: int = 0,
    ) -> None:
        self.max_misses = max_misses
        if (board_shape is None) != (window is None):
            raise ValueError(
                f"board_shape={board_shape} and window={window}: convolution needs both, "
                "a machine without convolution neither"
            )
        self.n_clauses = n_clauses
        self.threshold = threshold
        self.specificity = specificity
        self.weighted = weighted
        self.boost_true_positive = boost_true_positive
        self.state_bits = state_bits
        self.max_literals = max_literals
        self.board_shape = board_shape
        self.window = window
        self.draws = draws
        n_literals = self.patch_literals(np.zeros(n_features, dtype=bool)).shape[1]
        self.states = np.full((n_teams, n_clauses, n_literals), initial_state(state_bits))
        self.weights = np.ones((n_teams, n_clauses), dtype=np.int64)

    def update(self, x: np.ndarray, y: Any) -> None:
        """Learn from one sample."""
        raise NotImplementedError

    def fit(self, X: np.ndarray, y: np.ndarray, epochs: int) -> Self:
        """Learn from all samples, in the order given, `epochs` times; goes on from where it is."""
        for _ in range(epochs):
            for sample, answer in zip(X, y, strict=True):
                self.update(sample, answer)
        return self

    def patch_literals(self, x: np.ndarray) -> np.ndarray:
        """The literals of each patch of one sample."""
        if self.board_shape is None or self.window is None:
            return literals_of(np.asarray(x)[np.newaxis])
        return literals_of(patches(x, self.board_shape, self.window))

    def _firing(self, team: int, seen: np.ndarray, predicting: bool) -> list[Firing]:
        """For each clause of a team, the patches it fires on and how often it votes."""
        return [
            best_patches(states, seen, predicting, self.state_bits, self.max_misses)
            for states in self.states[team]
        ]

    def _feedback(
        self, team: int, clause: int, first_type: bool, seen: np.ndarray, firing: list[int]
    ) -> None:
        """Type I or Type II feedback to one clause that fired on the patches `firing`."""
        if first_type:
            self._type_one(team, clause, seen, firing)
        elif firing:
            self._type_two(team, clause, seen, firing)

    def _type_one(self, team: int, clause: int, seen: np.ndarray, firing: list[int]) -> None:
        states = self.states[team, clause]
        # Abeyrathna 2023: a clause that is too long is treated as if it had not fired; its
        # weight is not raised either, and no patch is drawn.
        output = int(bool(firing) and within_budget(states, self.max_literals, self.state_bits))
        # Granmo 2019: a clause learns from one of the patches it fires on. A clause that is
        # only to forget does not look at the literals, so any patch stands in.
        literals = seen[self._one_of(firing) if output else 0]
        mask = self.draws.bernoulli_literals(states.size, 1 / self.specificity)
        self.states[team, clause] = type_one(
            states, literals, output, mask, self.boost_true_positive, self.state_bits
        )
        if self.weighted:
            self.weights[team, clause] = weight_after_type_one(self.weights[team, clause], output)

    def _type_two(self, team: int, clause: int, seen: np.ndarray, firing: list[int]) -> None:
        literals = seen[self._one_of(firing)]
        self.states[team, clause] = type_two(self.states[team, clause], literals, self.state_bits)
        if self.weighted:
            self.weights[team, clause] = weight_after_type_two(self.weights[team, clause], 1)

    def _one_of(self, firing: list[int]) -> int:
        return firing[self.draws.pick(len(firing))]


class NaiveTsetlinMachine(_Machine):
    """The classifier: one team of clauses a class, each for or against its class.

    `settings` are those of `_Machine`, all by name.
    """

    def __init__(self, *, n_classes: int, **settings: Any) -> None:
        if n_classes < 2:
            raise ValueError(f"n_classes is {n_classes}; a classifier needs 2 or more")
        super().__init__(n_teams=n_classes, **settings)
        self.n_classes = n_classes

    def update(self, x: np.ndarray, y: int) -> None:
        """Learn from one sample: its own class first, then one other (Granmo 2018)."""
        seen = self.patch_literals(x)
        self._update_class(y, seen, target=1)
        other = self.draws.pick(self.n_classes - 1)
        self._update_class(other if other < y else other + 1, seen, target=0)

    def _update_class(self, klass: int, seen: np.ndarray, target: int) -> None:
        # The votes are counted before any clause of this class moves.
        firing = self._firing(klass, seen, predicting=False)
        probability = feedback_probability(self._count(klass, firing), self.threshold, target)
        for clause in range(self.n_clauses):
            if self.draws.feedback(probability):
                first_type = gets_type_one(clause, target)
                self._feedback(klass, clause, first_type, seen, firing[clause][0])

    def _count(self, klass: int, firing: list[Firing]) -> int:
        """The clauses' votes, for less against, not clipped."""
        return sum(
            polarity(clause) * int(self.weights[klass, clause]) * firing[clause][1]
            for clause in range(self.n_clauses)
        )

    def votes(self, X: np.ndarray) -> np.ndarray:
        """Votes by sample and class, as counted when predicting, not clipped."""
        counted = np.zeros((len(X), self.n_classes), dtype=np.int64)
        for i, x in enumerate(X):
            seen = self.patch_literals(x)
            for klass in range(self.n_classes):
                counted[i, klass] = self._count(klass, self._firing(klass, seen, predicting=True))
        return counted

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The class with the most votes; of equal ones the first."""
        return self.votes(X).argmax(axis=1)


class NaiveTsetlinRegressor(_Machine):
    """The regressor: one team whose clauses all vote for, from y_min (no votes) to y_max (T).

    `settings` are those of `_Machine`, all by name.
    """

    def __init__(self, *, y_min: float, y_max: float, **settings: Any) -> None:
        super().__init__(n_teams=1, **settings)
        self.y_min = y_min
        self.y_max = y_max

    def update(self, x: np.ndarray, y: float) -> None:
        """Learn from one sample (Abeyrathna 2019)."""
        seen = self.patch_literals(x)
        firing = self._firing(0, seen, predicting=False)
        target = regression_target(float(y), self.y_min, self.y_max, self.threshold)
        error = regression_error(self._count(firing), self.threshold, target)
        probability = regression_feedback_probability(error, self.threshold)
        for clause in range(self.n_clauses):
            if self.draws.feedback(probability):
                self._feedback(0, clause, error > 0, seen, firing[clause][0])

    def _count(self, firing: list[Firing]) -> int:
        return sum(int(self.weights[0, c]) * firing[c][1] for c in range(self.n_clauses))

    def votes(self, X: np.ndarray) -> np.ndarray:
        """The votes for each sample, as counted when predicting, not clipped."""
        counted = [self._count(self._firing(0, self.patch_literals(x), predicting=True)) for x in X]
        return np.array(counted, dtype=np.int64)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The value for each sample."""
        return np.array(
            [
                regression_prediction(int(v), self.y_min, self.y_max, self.threshold)
                for v in self.votes(X)
            ]
        )
