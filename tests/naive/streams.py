"""What the tests of the training kernels share: the same draws once more, and arrays both ways.

A stream of random numbers is a counter, so whoever knows where it starts knows every draw. The
draws are made again here in Python's integers; blocks and automata are laid out as the kernels
want them, and read back.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.kernels.simd import LANES
from clauseboard.tsetlin import feedback, kernels, random_masks
from clauseboard.tsetlin.feedback import BY_COLUMNS, BY_ROWS, BY_TABLES, BY_WORDS
from clauseboard.tsetlin.packing import View
from naive import tsetlin as naive

FEW = settings(max_examples=8 if JIT_DISABLED else 50)
SEED = st.integers(0, 2**64 - 1)
STATE_BITS = [4, 8, 16]
N_FEATURES = [5, 130]
"""10 literals are mostly padding; 260 are two lanes of words and a little padding."""

either_size = pytest.mark.parametrize("n_features", N_FEATURES)
all_state_bits = pytest.mark.parametrize("state_bits", STATE_BITS)
with_and_without_boost = pytest.mark.parametrize("boost", [False, True])
with_and_without_weights = pytest.mark.parametrize("weighted", [False, True])


# ------------------------------------------------------------------ the same draws once more


STEP = 0x9E3779B97F4A7C15


@dataclass
class Stream:
    """SplitMix64 in plain integers."""

    counter: int

    def next(self) -> int:
        mask = 2**64 - 1
        self.counter = (self.counter + STEP) & mask
        z = ((self.counter ^ (self.counter >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def key(self) -> int:
        """The stream's present counter, mixed; it stays where it is."""
        return Stream(self.counter - STEP).next()

    def branch(self, number: int) -> int:
        """Where a numbered stream begins that branches off this one."""
        return Stream(self.key() + (number - 1) * STEP).next()

    def choices(self, probability: float) -> list[bool]:
        """Yes or no for each set of boards: the digits of random numbers against those of the
        probability."""
        most = 2**random_masks.CHANCE_DIGITS
        chance = min(int(probability * most), most - 1)
        answers = []
        for n in range(random_masks.CHOICES):
            stream, answer = Stream(self.branch(n)), False
            for digit in reversed(range(random_masks.CHANCE_DIGITS)):
                ours, drawn = chance >> digit & 1, stream.next() & 1
                if ours != drawn:
                    answer = ours > drawn
                    break
            answers.append(answer)
        self.next()
        return answers


@dataclass
class Draws:
    """The draws of one clause in one block, and what the kernels make of them."""

    state: int

    def next(self) -> int:
        self.state = (self.state * 747796405 + 2891336453) % 2**32
        return self.state

    def pick(self, n: int) -> int:
        """One of n things met one after the other: the k-th is kept with probability 1/k."""
        kept = 0
        for k in range(1, n):
            if self.next() * (k + 1) < 2**32:
                kept = k
        return kept

    def forgets(self, pool: np.ndarray, times: int, n_literals: int) -> np.ndarray:
        """How often each literal is forgotten in `times` forgets, as the pool has it."""
        counts: list[int] = []
        while len(counts) < n_literals:
            draw = self.next() >> 19
            place, turn = draw % 256, draw >> 8
            planes = []
            for plane in pool[times - 1]:
                halves = plane[place : place + LANES].view(np.uint32).tolist()
                # Turned to the left, bit k is what was bit k - turn.
                planes.append([n >> (k - turn) % 32 & 1 for n in halves for k in range(32)])
            counts += [
                sum(digit << p for p, digit in enumerate(ds)) for ds in zip(*planes, strict=True)
            ]
        return np.array(counts[:n_literals])


def chosen(begin: int, choices: list[bool]) -> bool:
    """Does a clause whose stream begins there get feedback from the first board of the block?"""
    one, other = choices[begin % 64], choices[begin // 64 % 64]
    return one if Stream(begin).next() & 1 else other


def random_pool(seed: int, chance: float = 0.3) -> np.ndarray:
    """A pool of forgets that does not come from `fill_pool`."""
    shape = (random_masks.MOST_FORGETS, 64 * (random_masks.POOL_WORDS + LANES))
    drawn = np.random.default_rng(seed).random(shape) < chance
    counts = drawn.cumsum(axis=0)
    planes = [counts >> plane & 1 for plane in range(random_masks.COUNT_PLANES)]
    return words_of(np.stack(planes, axis=1))


# ------------------------------------------------------------------ arrays of the kernels


def words_of(bits: np.ndarray) -> np.ndarray:
    """Bits of the last axis, lowest first, as words; their number is a multiple of 64."""
    return np.packbits(np.asarray(bits, np.uint8), axis=-1, bitorder="little").view(np.uint64)


def bits_of(words: np.ndarray) -> np.ndarray:
    packed = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(packed, axis=-1, bitorder="little").astype(np.int64)


def automata_of(states: np.ndarray, state_bits: int) -> np.ndarray:
    """States, clauses × literals, as bit planes; padding at the bottom."""
    n_clauses, n_literals = states.shape
    padded = np.zeros((n_clauses, -(-n_literals // (64 * LANES)) * 64 * LANES), np.int64)
    padded[:, :n_literals] = states
    return words_of(np.stack([padded >> plane & 1 for plane in range(state_bits)], axis=1))


def states_of(automata: np.ndarray, n_literals: int) -> np.ndarray:
    """The other way round; padding must still be at the bottom."""
    bits = bits_of(automata)
    states = (bits << np.arange(bits.shape[1])[:, np.newaxis]).sum(axis=1)
    assert not states[:, n_literals:].any()
    return states[:, :n_literals]


def random_states(rng: np.random.Generator, shape: tuple[int, ...], state_bits: int) -> np.ndarray:
    """States of which many are at an end or next to the border of the two actions."""
    middle, last = 2 ** (state_bits - 1), 2**state_bits - 1
    anywhere = rng.integers(last + 1, size=shape)
    special = rng.choice([0, 1, 2, 7, middle - 1, middle, middle + 1, last - 1, last], size=shape)
    return np.where(rng.random(shape) < 0.5, anywhere, special)


def sparse_states(rng: np.random.Generator, shape: tuple[int, ...], state_bits: int) -> np.ndarray:
    """States of clauses that include so few literals that they fire now and then."""
    middle = 2 ** (state_bits - 1)
    states = np.minimum(random_states(rng, shape, state_bits), middle - 1)
    return np.where(
        rng.random(shape) < 1.5 / shape[-1], middle + rng.integers(3, size=shape), states
    )


def random_boards(rng: np.random.Generator, view: View, n: int) -> np.ndarray:
    return rng.integers(2, size=(n, view.n_bits), dtype=np.uint8)


def seen_literals(view: View, board: np.ndarray) -> np.ndarray:
    """The textbook's literals of each patch."""
    if view.board_shape is None or view.window is None:
        return naive.literals_of(board[np.newaxis])
    return naive.literals_of(naive.patches(board, view.board_shape, view.window))


def view_of(n_features: int) -> View:
    return View.of(n_features, None, None)


WINDOWED = View.of(3 * 4 * 2, (3, 4, 2), (2, 2))


MANY_PATCHES = View.of(11 * 9, (11, 9, 1), (2, 2))
"""80 patches: two words, in one group of four."""

MOST_PATCHES = View.of(17 * 17, (17, 17, 1), (1, 2))
"""272 patches: two groups; with 34 features."""


def rules_of(view: View, pool: np.ndarray, **changes: bool | int) -> feedback.Rules:
    """How clauses learn: without boost and weights unless that is changed."""
    plain = {"both_signs": True, "boost": False, "weighted": False, "most_literals": -1}
    literals = view.real_literals()[np.newaxis, np.newaxis]
    return feedback.Rules(literals, pool, **(plain | changes))


def layouts_of(view: View) -> list[int]:
    """In which ways the kernels can lay out boards."""
    if view.n_patches == 1:
        return [BY_ROWS, BY_WORDS, BY_COLUMNS]
    few = view.n_patches <= 64 and 2 * view.n_features <= 64
    return [BY_COLUMNS, BY_TABLES] if few else [BY_COLUMNS]


@dataclass
class Block:
    """Some boards as the kernels lay them out, and as the textbook sees them."""

    n_patches: int
    packed: np.ndarray
    rows: np.ndarray
    columns: dict[int, np.ndarray]
    places: np.ndarray
    valid: np.ndarray
    room: np.ndarray
    seen: list[np.ndarray]
    boards: np.uint64

    @classmethod
    def of(cls, view: View, boards: np.ndarray) -> "Block":
        n_patches, size, order = view.n_patches, len(boards), np.arange(len(boards))
        packed = view.pack_for_training(boards)
        places = np.full((4, 64), 77, np.uint64)
        n_fours = -(-size // 4)
        if 1 < n_patches <= 64:
            together = min(64 // n_patches, n_fours)
            patches = np.array([[2**n_patches - 1 << k * n_patches for k in range(together)]])
            valid = patches.astype(np.uint64)[np.newaxis]
        else:
            n_words = 4 * -(-n_patches // 256)
            valid = words_of(np.arange(64 * n_words)[np.newaxis] < n_patches)[np.newaxis]
        rows = np.zeros((64 if n_patches == 1 else 1, 1, view.n_words), np.uint64)
        columns = {}
        for layout in layouts_of(view):
            if layout == BY_WORDS:
                shape = (view.n_words, 1, 4 * n_fours)
            elif n_patches == 1:
                shape = (1, 64 * view.n_words, 1)
            else:
                n_groups = -(-n_fours // valid.shape[2])
                shape = (n_groups, packed.shape[2], 4)
                if layout == BY_TABLES:
                    shape = (1, n_groups, 16 * packed.shape[2])
            columns[layout] = np.full(shape, 77, np.uint64) if n_patches <= 64 else packed
        seen = [seen_literals(view, board) for board in boards]
        room = np.full_like(valid, 77)
        boards_of = np.uint64(2**size - 1)
        laid = cls(n_patches, packed, rows, columns, places, valid, room, seen, boards_of)
        for layout in columns:
            kernels.fill_block(
                laid.laid_out(layout), order, 0, size, feedback.Kind(n_patches, layout, 1)
            )
        return laid

    def laid_out(self, layout: int) -> feedback.Block:
        """The boards as a kernel has them."""
        # Where literals may fail, up to seven of them.
        n_words = 4 * -(-self.n_patches // 256)
        misses, counts = np.zeros(64, np.int64), np.full((4, 1, n_words), 77, np.uint64)
        return feedback.Block(
            self.packed,
            self.rows,
            self.columns[layout],
            self.places,
            self.valid,
            self.room,
            misses,
            counts,
        )

    def evaluate(self, automata: np.ndarray, clause: int, layout: int, boards: int) -> int:
        """The ones among some boards on which a clause fires."""
        kind = feedback.Kind(self.n_patches, layout, 1)
        fired = feedback.evaluate_block(
            automata, clause, self.laid_out(layout), kind, np.uint64(boards)
        )
        return int(fired)


@dataclass
class Lone:
    """One clause in the textbook's terms, with the rules it is trained by."""

    states: np.ndarray
    weight: int
    state_bits: int
    boost: bool
    weighted: bool
    budget: int | None
    pool: np.ndarray
    draws: Draws

    def firing(self, seen: np.ndarray) -> list[int]:
        return naive.firing_patches(self.states, seen, False, self.state_bits)

    def forget(self, times: int) -> None:
        """Forget `times` times."""
        counts = self.draws.forgets(self.pool, times, self.states.size)
        for time in range(times):
            self.states = naive.type_one_silent(self.states, counts > time)

    def forget_until_drop(self, times: int) -> tuple[int, bool]:
        """Forget time after time, up to the first that drops an included literal."""
        included = naive.included(self.states, self.state_bits)
        begin, before = self.draws.state, np.zeros(self.states.size, int)
        for time in range(1, times + 1):
            # The numbers of all times are read at one place of the pool.
            self.draws.state = begin
            counts = self.draws.forgets(self.pool, time, self.states.size)
            self.states = naive.type_one_silent(self.states, counts > before)
            before = counts
            if (included & ~naive.included(self.states, self.state_bits)).any():
                return time, True
        return times, False

    def respond(self, kind: int, literals: np.ndarray) -> None:
        mask = self.draws.forgets(self.pool, 1, self.states.size)
        if kind == 1:
            self.states = naive.type_one(
                self.states, literals, 1, mask, self.boost, self.state_bits
            )
        else:
            self.states = naive.type_two(self.states, literals, self.state_bits)
        if self.weighted:
            changed = naive.weight_after_type_one if kind == 1 else naive.weight_after_type_two
            self.weight = changed(self.weight, 1)

    def take_block(self, kinds: list[int], fired: list[bool], seen: list[np.ndarray]) -> None:
        """The feedback of a block, board after board; kinds are 0 (none), 1 and 2.

        First the boards on which the clause is silent. Where an included literal is dropped, the
        boards that follow are looked at again. Then the boards on which the clause fires; where
        it no longer does, it forgets in the end.
        """
        silent = [b for b, kind in enumerate(kinds) if kind == 1 and not fired[b]]
        asleep = [b for b, kind in enumerate(kinds) if kind == 2 and not fired[b]]
        events = {b for b, kind in enumerate(kinds) if kind and fired[b]}
        while silent:
            done, dropped = self.forget_until_drop(min(len(silent), 15))
            last = silent[done - 1]
            silent = silent[done:]
            if dropped:
                asleep = [b for b in asleep if b > last]
                events |= {b for b in silent + asleep if self.firing(seen[b])}
                silent = [b for b in silent if b not in events]
                asleep = [b for b in asleep if b not in events]
        owed = 0
        for board in sorted(events):
            firing = self.firing(seen[board])
            patch = self.draws.pick(len(firing)) if firing else -1
            short = naive.within_budget(self.states, self.budget, self.state_bits)
            if firing and (short or kinds[board] == 2):
                self.respond(kinds[board], seen[board][firing[patch]])
            elif kinds[board] == 1:
                owed += 1
        for times in [15] * (owed // 15) + [owed % 15] * (owed % 15 > 0):
            self.forget(times)


def lone_clause(rng: np.random.Generator, view: View, **changes) -> Lone:
    plain = {
        "states": sparse_states(rng, (1, 2 * view.n_features), 8)[0],
        "weight": int(rng.integers(1, 4)),
        "state_bits": 8,
        "boost": False,
        "weighted": True,
        "budget": None,
        "pool": random_pool(4),
        "draws": Draws(int(rng.integers(2**32))),
    }
    return Lone(**(plain | changes))
