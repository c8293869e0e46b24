"""Judging positions: Evaluator, its Judgements, the Limit of a search, and Compiled evaluators.

An evaluator takes positions in batches, and tells of each a *value* from -1 (lost) to 1 (won) for
the side to move. One that votes also tells the votes for each way that the game may end. A search
says which of the two it uses.

    >>> Limit(seconds=0.5).or_else(Limit(seconds=3, depth=5))
    Limit(seconds=0.5, depth=5)
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import positive_number, whole_number
from clauseboard.game import Game, Move, Position

if TYPE_CHECKING:
    from clauseboard.explanation import Explanation

VIEWS = ("board", "mover")
"""How an encoded board is seen: as it is, or as if the side to move were the first colour."""


@dataclass(frozen=True, repr=False)
class Limit:
    """How much a search may do for one move; what is None is not limited by it.

    `nodes` are positions visited, `simulations` the walks down a Monte-Carlo tree. A search may
    know nothing of some of them; one that ends by none of them uses its own default.
    """

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    simulations: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            positive_number("seconds", self.seconds)
        for name in ("depth", "nodes", "simulations"):
            if getattr(self, name) is not None:
                whole_number(name, getattr(self, name), 1)

    def or_else(self, other: Limit) -> Limit:
        """This limit, and what it leaves open from another one."""
        ours, theirs = dataclasses.asdict(self), dataclasses.asdict(other)
        return Limit(**{k: theirs[k] if ours[k] is None else ours[k] for k in ours})

    def __repr__(self) -> str:
        given = [(k, v) for k, v in dataclasses.asdict(self).items() if v is not None]
        return f"Limit({', '.join(f'{name}={value!r}' for name, value in given)})"


_clock: ContextVar[Callable[[], float]] = ContextVar("clock", default=time.perf_counter)


def seconds_now() -> float:
    """The time by which the seconds of a `Limit` are counted; only differences mean something."""
    return _clock.get()()


@contextlib.contextmanager
def processor_time() -> Iterator[None]:
    """Count the seconds of limits by what the processor did for this thread, not by the clock.

    On a machine that is busy with other things, a search then sees as much as on an idle one.
    """
    token = _clock.set(time.thread_time)
    try:
        yield
    finally:
        _clock.reset(token)


@dataclass(frozen=True)
class Judgements:
    """What an evaluator says of some positions, one row each.

    `winners` tells what each column of `votes` stands for: a win of this colour, None for a draw.
    """

    values: NDArray[np.float64]
    votes: NDArray[np.int64] | None = None
    winners: tuple[str | None, ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    def margins(self, colour: str) -> NDArray[np.int64]:
        """The votes for a win of this colour, less those for a win of the other one."""
        votes = self._need_votes()
        margins = np.zeros(len(votes), np.int64)
        for column, winner in enumerate(self.winners):
            if winner is not None:
                margins += votes[:, column] if winner == colour else -votes[:, column]
        return margins

    def predicted(self) -> NDArray[np.intp]:
        """The column with most votes in each row; the first of them if there are several."""
        return np.argmax(self._need_votes(), axis=1)

    def _need_votes(self) -> NDArray[np.int64]:
        if self.votes is None:
            raise ValueError("This evaluator gives values and no votes; choose one that votes.")
        return self.votes


class Evaluator(ABC):
    """Judges positions of one game."""

    game: Game

    @abstractmethod
    def judge(self, positions: Sequence[Position]) -> Judgements:
        """Judge positions, all at once. Finished games are judged like any other board."""

    def explain(self, position: Position) -> Explanation:
        """Why a position is judged as it is: by default the bare value, which is no reason."""
        from clauseboard.explanation import Explanation

        value = float(self.judge([position]).values[0])
        return Explanation(position=position, value=value, judge=str(self))

    def explain_move(self, position: Position, move: Move) -> Explanation | None:
        """Why a move is likely, where that is all that the evaluator can tell; else None."""
        return None

    def chance(self, value: float) -> float:
        """The chance of winning, a draw being half a win, of a side for which a value was found.

        By default a value is taken as what the game will bring, on average.
        """
        return (1 + value) / 2

    def compiled(self) -> tuple[Compiled, Compiled] | None:
        """The evaluator as data for compiled searches: with the first, the second side to move.

        None if it is no such thing, and searches are to call `judge`.
        """
        return None

    def priors(self, positions: Sequence[Position]) -> list[NDArray[np.float64]] | None:
        """For each position how likely each of its `moves()` is to be the best; adds up to 1.

        None if the evaluator has no opinion about moves.
        """
        return None

    def compiled_priors(self) -> tuple[Compiled, Compiled] | None:
        """The priors as data: a clause table with one output for each code of a move, or with one
        for what is seen around a move.

        See `search.compiled_rules` for the codes. None if they are no such thing.
        """
        return None

    def compiled_answers(self, sharpness: float) -> NDArray[np.uint16] | None:
        """What answers to a move weigh in random games, for games that know them; else None.

        `sharpness` is how much more likely moves are preferred: 1 is as they were calibrated.
        """
        return None


class BitEvaluator(Evaluator):
    """An evaluator that sees no more of a position than its bits, and whose turn it is."""

    view: str = "board"

    @abstractmethod
    def judge_bits(self, bits: NDArray[np.uint8], sides: NDArray[np.int64]) -> Judgements:
        """Judge packed rows of bits (`np.packbits(..., axis=1, bitorder="little")`).

        `sides` tells whose turn it is: 0 for the game's first colour, 1 for the second.
        """

    def judge(self, positions: Sequence[Position]) -> Judgements:
        """Judge positions, all at once."""
        rows = self.game.encode(positions, view=self.view)
        return self.judge_bits(
            np.packbits(rows, axis=1, bitorder="little"), sides_of(self.game, positions)
        )


def sides_of(game: Game, positions: Sequence[Position]) -> NDArray[np.int64]:
    """Whose turn it is in each position: 0 for the game's first colour, 1 for the second."""
    second = game.colours[1]
    return np.array([int(position.to_move == second) for position in positions], np.int64)


_NO_WORDS = np.zeros((1, 1, 1), np.uint64)
_NO_WEIGHTS = np.zeros(1, np.int64)
_NO_NUMBERS = np.zeros((1, 1), np.float64)

ONE_BY_ONE = 64
"""In the place of a number of planes: the weights of a word are only added up one by one."""


@dataclass(frozen=True, eq=False)
class Compiled:
    """An evaluator as data: arrays that one shared kernel reads (`kernels.evaluators.value_of`).

    It has one of these forms, each over the packed bits of a board:

    - `NOTHING`: every value is 0;
    - `CLAUSES`: the signed weights of the clauses that fire, added up (`kernels.clause_table`),
      where `planes` may hold them by binary digits as well;
    - `LINEAR`: a number for each bit that is set, added up: `numbers[256 * byte + pattern, 0]` is
      the sum for one byte of bits;
    - `NETWORK`: a hidden layer and one output, both sigmoid: `numbers[256 * byte + pattern]` are
      the sums for the hidden units, `top[0]` their biases and `top[1]` what leads to the output;
    - `MOVE_FEATURES`, for priors only: clauses over what is seen around a move
      (`search.compiled_rules`), whose sum is for that move;
    - `CONCEPTS`: clauses over what either side has of the game's concepts
      (`kernels.evaluators.concept_votes`), each for both sides, with opposite votes.

    The value is (sum - offset) / scale, clipped to -1 and 1; for a network it is
    2 sigmoid(sum - offset) - 1. In the view "board" it is for the first colour, and in "mover" for
    the side to move.
    """

    NOTHING: ClassVar[int] = 0
    CLAUSES: ClassVar[int] = 1
    LINEAR: ClassVar[int] = 2
    NETWORK: ClassVar[int] = 3
    MOVE_FEATURES: ClassVar[int] = 4
    CONCEPTS: ClassVar[int] = 5

    kind: int
    view: str = "board"
    scale: float = 1.0
    offset: float = 0.0
    table: NDArray[np.uint64] = field(default_factory=lambda: _NO_WORDS)
    out: NDArray[np.uint64] = field(default_factory=lambda: _NO_WORDS)
    weights: NDArray[np.int64] = field(default_factory=lambda: _NO_WEIGHTS)
    owners: NDArray[np.int64] = field(default_factory=lambda: _NO_WEIGHTS)
    planes: NDArray[np.uint64] = field(default_factory=lambda: _NO_WORDS)
    n_planes: NDArray[np.int64] | None = None
    n_outputs: int = 1
    numbers: NDArray[np.float64] = field(default_factory=lambda: _NO_NUMBERS)
    top: NDArray[np.float64] = field(default_factory=lambda: _NO_NUMBERS)

    def arguments(self) -> tuple[object, ...]:
        """What a kernel takes: a tuple of the type `kernels.evaluators.COMPILED`."""
        n_planes = self.n_planes
        if n_planes is None:
            n_planes = np.full(len(self.owners), ONE_BY_ONE, np.int64)
        return (
            self.kind,
            VIEWS.index(self.view),
            float(self.scale),
            float(self.offset),
            self.n_outputs,
            self.table,
            self.out,
            self.weights,
            self.owners,
            self.planes,
            n_planes,
            self.numbers,
            self.top,
        )


def linear(
    weights: Sequence[float] | NDArray[np.float64],
    *,
    view: str = "board",
    scale: float = 1.0,
    offset: float = 0.0,
) -> Compiled:
    """A linear sum over bits as data.

    >>> linear([1.0, -1.0]).numbers[:4, 0].tolist()
    [0.0, 1.0, -1.0, 0.0]
    """
    numbers = byte_sums(np.asarray(weights)[:, None])
    return Compiled(Compiled.LINEAR, view, scale, offset, numbers=numbers)


def network(
    hidden: NDArray[np.float64],
    hidden_bias: NDArray[np.float64],
    output: NDArray[np.float64],
    output_bias: float,
    view: str = "board",
) -> Compiled:
    """A network of one hidden layer as data; `hidden` is bits × hidden units."""
    top = np.ascontiguousarray(np.stack([hidden_bias, output]), np.float64)
    numbers = byte_sums(np.asarray(hidden))
    return Compiled(Compiled.NETWORK, offset=-output_bias, numbers=numbers, top=top, view=view)


def byte_sums(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each byte of bits and each of its 256 patterns, the sums of the weights of its bits."""
    n_bytes = -(-len(weights) // 8)
    padded = np.zeros((8 * n_bytes, weights.shape[1]))
    padded[: len(weights)] = weights
    patterns = (np.arange(256)[:, None] >> np.arange(8)) & 1
    sums = patterns.astype(np.float64) @ padded.reshape(n_bytes, 8, -1)
    return np.ascontiguousarray(sums.reshape(256 * n_bytes, -1))
