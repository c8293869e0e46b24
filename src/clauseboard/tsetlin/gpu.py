"""Training and voting on a GPU, through CuPy; the kernels are in `kernels.cu`.

What is on the device is what is in a machine's banks, in the same layout. Machines that look at
their samples alike (same view, same state bits) are trained together, all banks of all of
them in every launch: one machine alone cannot keep a GPU busy. Every array is made before
training begins, so that too little memory shows then and not in the middle.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.kernels.simd import LANES
from clauseboard.tsetlin.packing import Bits, View, dense
from clauseboard.tsetlin.random_masks import (
    CHANCE_DIGITS,
    CHOICES,
    COUNT_PLANES,
    FORGET_DIGITS,
    MOST_FORGETS,
    POOL_WORDS,
)
from clauseboard.tsetlin.training import SAMPLES_A_CALL, Banks, FitJob, TrainingProgress

DEVICES = ("cpu", "gpu", "auto")
DEVICES_IN_WORDS = '"cpu", "gpu" or "auto"'

SOURCE = Path(__file__).with_name("kernels.cu")

THREADS = 256
"""In a block of threads: eight warps, each with four clauses at a time."""

LARGEST_CHUNK, SMALLEST_CHUNK = 128, 32
"""Clauses of a block of threads: many, unless so much of the device would have no work."""

TRAIN_BLOCKS = 6
"""Blocks of threads that should have room on a multiprocessor; the more, the fewer registers."""

POOL_THREADS = 288

PLACES = 33
"""Blocks of samples loaded at a time, and one more: each step looks at the next one, too."""

VOTE_THREADS = 256
SAMPLES_AT_A_TIME = 1 << 18
"""Samples that are on the device at a time when votes are counted."""

CLAUSES_A_POLL = 2048
"""The most that a block of threads may have when votes are counted: its sums have 32 bits."""

BANK = np.dtype(
    [(name, np.uint64) for name in ("automata", "clauses", "rows", "batch")]
    + [(name, np.float64) for name in ("low", "high", "forget_chance")]
    + [
        (name, np.int32)
        for name in (
            "n_clauses",
            "n_samples",
            "block_size",
            "most_literals",
            "boost",
            "weighted",
            "both_signs",
            "blocks_a_pool",
            "most",
        )
    ],
    align=True,
)
"""A bank as `struct Bank` in `kernels.cu` has it."""


# ---- is there one? ------------------------------------------------------------------------


@functools.cache
def problem() -> str | None:
    """Why no GPU can be used; None if one can."""
    try:
        import cupy
    except ImportError:
        return "CuPy is not installed; try: pip install 'clauseboard[gpu]'"
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"CUDA finds no GPU ({error})"
    return None if count else "CUDA finds no GPU"


def chosen(device: str) -> bool:
    """Whether a machine with this `device` uses a GPU; an error if it must but cannot."""
    if device == "cpu":
        return False
    if device == "gpu" and problem() is not None:
        raise RuntimeError(
            f'device="gpu" cannot be had: {problem()}. Use device="cpu", or "auto" to take '
            "a GPU only where there is one."
        )
    return problem() is None


@functools.cache
def _module(planes: int, words: int, patches: int, fuzzy: bool) -> Any:
    """The kernels compiled for machines of one kind; CuPy keeps them on disk."""
    import cupy

    constants = {
        "PLANES": planes,
        "WORDS": words,
        "PATCHES": patches,
        "FUZZY": int(fuzzy),
        "CHANCE_DIGITS": CHANCE_DIGITS,
        "CHOICES": CHOICES,
        "MOST_FORGETS": MOST_FORGETS,
        "COUNT_PLANES": COUNT_PLANES,
        "POOL_WORDS": POOL_WORDS,
        "FORGET_DIGITS": FORGET_DIGITS,
        "TRAIN_THREADS": THREADS,
        "TRAIN_BLOCKS": TRAIN_BLOCKS,
    }
    return cupy.RawModule(
        code=SOURCE.read_text(),
        # A product and a sum must not become one operation: the CPU rounds twice.
        options=("--std=c++17", "--fmad=false", *(f"-D{n}={v}" for n, v in constants.items())),
    )


# ---- training -----------------------------------------------------------------------------


def train(jobs: Sequence[FitJob], progress: bool | None = None) -> None:
    """Run jobs side by side, as many at a time as fit into the memory of the device."""
    import cupy

    by_kind: dict[tuple[int, View, bool], list[FitJob]] = {}
    for job in jobs:
        banks = job.machine.banks_
        kind = (banks.automata.shape[2], banks.view, job.rules.max_misses > 0)
        by_kind.setdefault(kind, []).append(job)
    epochs = max((job.epochs for job in jobs), default=0)
    samples = sum(job.samples_an_epoch for job in jobs)
    with TrainingProgress(progress, epochs, round(samples)) as bar:
        for (planes, view, fuzzy), waiting in by_kind.items():
            at_a_time = len(waiting)
            while waiting:
                group = waiting[:at_a_time]
                try:
                    training = GpuTrainer(planes, view, fuzzy, group)
                except cupy.cuda.memory.OutOfMemoryError:
                    _release_memory()
                    if at_a_time == 1:
                        raise MemoryError(
                            "The GPU's memory is too small for this machine and its samples."
                        ) from None
                    at_a_time = -(-at_a_time // 2)
                    print(
                        f"clauseboard: the GPU's memory is too small for {len(group)} machines "
                        f"at once; trying {at_a_time}.",
                        file=sys.stderr,
                        flush=True,
                    )
                    continue
                waiting = waiting[at_a_time:]
                training.run(bar)
                del training
                _release_memory()


def _release_memory() -> None:
    import cupy

    cupy.get_default_memory_pool().free_all_blocks()


@dataclass
class EpochPlan:
    """The batches of an epoch for all banks of all machines, as the device wants them.

    `machines` has for each machine its banks, its shuffler and the state that it was in before.
    """

    order: NDArray[np.int32]
    goals: NDArray[np.float64]
    n_samples: NDArray[np.int32]
    machines: dict[int, tuple[slice, Any, Any]]

    def take_back(self, k: int) -> None:
        """Undo the drawing for machine k, if it was drawn for: it needs no further batch."""
        if k in self.machines:
            banks, shuffler, before = self.machines.pop(k)
            shuffler.state = before
            self.n_samples[banks] = 0


class GpuTrainer:
    """Some machines of one kind on the device, with their samples and all that training needs."""

    def __init__(self, planes: int, view: View, fuzzy: bool, jobs: Sequence[FitJob]) -> None:
        import cupy

        words, patches = view.n_words, view.n_patches
        module = _module(planes, words, patches, fuzzy)
        self.view = view
        self.kernels = {
            n: module.get_function(n) for n in ("load_blocks", "fill_pools", "prepare", "train")
        }
        self.jobs = list(jobs)
        self.machine_banks = [job.machine.banks_ for job in jobs]
        ends = np.cumsum([len(banks.weights) for banks in self.machine_banks]).tolist()
        self.slices = [slice(a, b) for a, b in zip([0, *ends], ends, strict=False)]
        n_banks = ends[-1]
        self.banks = np.zeros(n_banks, BANK)
        automata, weights, streams = [], [], []
        at = dict.fromkeys(("automata", "clauses", "rows", "batch"), 0)
        bank = 0
        for job, mine in zip(jobs, self.machine_banks, strict=True):
            rules = job.rules
            for _ in range(len(mine.weights)):
                entry = self.banks[bank]
                for name, place in at.items():
                    entry[name] = place
                entry["low"], entry["high"] = rules.low, rules.high
                entry["forget_chance"] = 1.0 / rules.specificity
                entry["n_clauses"] = mine.weights.shape[1]
                entry["most_literals"] = -1 if rules.most_literals is None else rules.most_literals
                entry["boost"], entry["weighted"] = rules.boost, rules.weighted
                entry["both_signs"] = rules.both_signs
                entry["most"] = rules.max_misses + 1
                at["automata"] += mine.weights.shape[1] * planes * 2 * words
                at["clauses"] += mine.weights.shape[1]
                at["batch"] += job.most_samples
                bank += 1
            at["rows"] += job.bits.shape[0] * patches * 2 * words
            automata.append(mine.automata.view(np.uint32).ravel())
            weights.append(mine.weights.ravel())
            streams.append(mine.streams)

        self.chunks = cupy.asarray(self._cut_into_chunks())
        self.device_banks = cupy.zeros(self.banks.nbytes, np.uint8)
        self.rows = cupy.empty(at["rows"], np.uint32)
        self._pack_rows(module.get_function("pack_samples"))
        self.automata = _upload(automata)
        self.weights = _upload(weights)
        self.streams = _upload(streams)
        self.fires = cupy.zeros(at["clauses"], np.uint64)
        self.order = cupy.zeros(at["batch"], np.int32)
        self.goals = cupy.zeros(at["batch"], np.float64)
        self.literals = cupy.asarray(view.real_literals().view(np.uint32))
        shared = 2 * 64 + 2 * 64 + CHOICES + 2
        self.shared = cupy.zeros((n_banks, shared), np.uint64)
        block = patches * (64 * words * 8 + 64 * 2 * words * 4)
        self.blocks = cupy.zeros((n_banks, PLACES, block), np.uint8)
        pool = MOST_FORGETS * COUNT_PLANES * (POOL_WORDS + LANES)
        self.pools = cupy.zeros((n_banks, pool), np.uint64)
        self.watched = [
            None
            if job.watched is None
            else GpuSamples(view, planes, job.watched, job.rules.max_misses)
            for job in jobs
        ]

    def _cut_into_chunks(self) -> NDArray[np.int32]:
        """What each block of threads has: a bank, its first clause and its end."""
        import cupy

        places = TRAIN_BLOCKS * cupy.cuda.Device().attributes["MultiProcessorCount"]
        fair = int(self.banks["n_clauses"].sum()) // places
        chunk = min(max(fair, SMALLEST_CHUNK), LARGEST_CHUNK)
        return np.array(
            [
                (bank, first, min(first + chunk, count), 0)
                for bank, count in enumerate(self.banks["n_clauses"].tolist())
                for first in range(0, count, chunk)
            ],
            np.int32,
        )

    def _pack_rows(self, pack_samples: Any) -> None:
        """Send the samples to the device and pack them there."""
        import cupy

        at = 0
        view = self.view
        for job in self.jobs:
            size = job.bits.shape[0] * view.n_patches * 2 * view.n_words
            pack_samples(
                (-(-size // VOTE_THREADS),),
                (VOTE_THREADS,),
                (
                    cupy.asarray(np.ascontiguousarray(dense(job.bits))),
                    np.int64(job.bits.shape[0]),
                    np.int32(view.n_bits),
                    cupy.asarray(_sources(view)),
                    np.int32(view.n_features),
                    self.rows[at : at + size],
                ),
            )
            at += size

    def run(self, bar: TrainingProgress) -> None:
        """Run all jobs to their ends; the machines get back what was learned in any case."""
        active = list(range(len(self.jobs)))
        with ThreadPoolExecutor() as executor:
            plan = self._plan(active, executor)
            try:
                while active:
                    start = time.perf_counter()
                    self._launch(plan)
                    # While the device is at work, the next batches are drawn.
                    plan = self._plan(active, executor)
                    self.streams.sum().get()
                    seconds = time.perf_counter() - start
                    bar.advance(int(self.banks["n_samples"].sum()))
                    self._end_epoch(active, seconds, bar)
                    for k in active:
                        if self.jobs[k].ended:
                            plan.take_back(k)
                    active = [k for k in active if not self.jobs[k].ended]
            finally:
                for k in active:
                    plan.take_back(k)
                self._bring_back()

    def _plan(self, active: list[int], executor: ThreadPoolExecutor) -> EpochPlan:
        """Draw the batches of one more epoch for these machines."""
        plan = EpochPlan(
            order=np.zeros(self.order.size, np.int32),
            goals=np.zeros(self.goals.size, np.float64),
            n_samples=np.zeros(len(self.banks), np.int32),
            machines={},
        )

        def draw(k: int) -> None:
            shuffler = self.machine_banks[k].shuffler.bit_generator
            plan.machines[k] = (self.slices[k], shuffler, shuffler.state)
            for bank, (samples, goals) in enumerate(self.jobs[k].batches(), self.slices[k].start):
                first = int(self.banks[bank]["batch"])
                plan.order[first : first + samples.size] = samples
                plan.goals[first : first + samples.size] = goals
                plan.n_samples[bank] = samples.size

        list(executor.map(draw, active))
        return plan

    def _end_epoch(self, active: list[int], seconds: float, bar: TrainingProgress) -> None:
        """Score the machines and enter the epoch into their histories."""
        votes = [self._votes(k) for k in active]
        scores = []
        for k, counted in zip(active, votes, strict=True):
            job = self.jobs[k]
            job.machine._forget_tables()
            score = job.epoch_done(seconds, None if counted is None else counted.get())
            if score is not None:
                scores.append(score)
            if job.is_best(score):
                self._bring_back()
                job.remember()
        mean = float(np.mean(scores)) if scores else None
        bar.epoch_done(mean, self.jobs[active[0]].machine.score_name)

    def _launch(self, plan: EpochPlan) -> None:
        """Send an epoch to the device, without waiting for it."""
        self.banks["n_samples"] = plan.n_samples
        for job, banks in zip(self.jobs, self.slices, strict=True):
            block_size = job.block_size()
            self.banks["block_size"][banks] = block_size
            self.banks["blocks_a_pool"][banks] = max(1, SAMPLES_A_CALL // block_size)
        self.order.set(plan.order)
        self.goals.set(plan.goals)
        self.device_banks.set(self.banks.view(np.uint8))
        self.shared.fill(0)
        steps = -(-self.banks["n_samples"] // self.banks["block_size"])
        pool_steps = np.gcd.reduce(self.banks["blocks_a_pool"])
        n_banks = len(self.banks)
        for step in range(-1, int(steps.max())):
            number = np.int32(step)
            if step % (PLACES - 1) == 0 or step < 0:
                # The next ones, and the one after them; in the beginning just the first.
                first, count = (step + 1, PLACES - 1) if step >= 0 else (0, 1)
                self.kernels["load_blocks"](
                    (n_banks, count),
                    (THREADS,),
                    (
                        self.device_banks,
                        self.blocks,
                        np.int32(PLACES),
                        self.rows,
                        self.order,
                        np.int32(first),
                    ),
                )
            if step >= 0 and step % pool_steps == 0:
                self.kernels["fill_pools"](
                    (n_banks,),
                    (POOL_THREADS,),
                    (self.device_banks, self.streams, self.pools, number),
                )
            self.kernels["prepare"](
                (n_banks,),
                (64,),
                (
                    self.device_banks,
                    self.shared,
                    self.streams,
                    self.goals,
                    number,
                ),
            )
            self.kernels["train"](
                (len(self.chunks),),
                (THREADS,),
                (
                    self.device_banks,
                    self.chunks,
                    self.shared,
                    self.blocks,
                    np.int32(PLACES),
                    self.pools,
                    self.automata,
                    self.weights,
                    self.fires,
                    self.literals,
                    number,
                ),
            )

    def _votes(self, k: int) -> Any:
        """The votes of machine k on the samples watched, on the device; None if there are none."""
        samples = self.watched[k]
        if samples is None:
            return None
        mine, bank = self.machine_banks[k], self.slices[k].start
        n_banks, n_clauses, planes, words = mine.automata.shape
        automata = self.automata[int(self.banks[bank]["automata"]) :]
        weights = self.weights[int(self.banks[bank]["clauses"]) :]
        include = automata[: mine.automata.size * 2].reshape(n_banks, n_clauses, planes, 2 * words)
        return samples.votes(
            include[:, :, -1],
            planes * 2 * words,
            weights[: n_banks * n_clauses].reshape(n_banks, n_clauses),
            self.jobs[k].rules.both_signs,
        )

    def _bring_back(self) -> None:
        """Copy what was learned into the machines."""
        automata, weights, streams = (a.get() for a in (self.automata, self.weights, self.streams))
        at = bank = clause = 0
        for mine in self.machine_banks:
            size, count = 2 * mine.automata.size, mine.weights.size
            mine.automata.view(np.uint32).ravel()[:] = automata[at : at + size]
            mine.weights.ravel()[:] = weights[clause : clause + count]
            mine.streams[:] = streams[bank : bank + len(mine.streams)]
            at, clause, bank = at + size, clause + count, bank + len(mine.streams)


def _upload(parts: list[NDArray[Any]]) -> Any:
    """Arrays one after the other in one array on the device."""
    import cupy

    whole = cupy.empty(sum(part.size for part in parts), parts[0].dtype)
    at = 0
    for part in parts:
        whole[at : at + part.size].set(np.ascontiguousarray(part))
        at += part.size
    return whole


# ---- votes --------------------------------------------------------------------------------


class GpuSamples:
    """Samples on the device: columns of 64, or rows where literals of a clause may fail."""

    def __init__(self, view: View, planes: int, samples: Bits, max_misses: int) -> None:
        import cupy

        bits = dense(samples)

        self.max_misses = max_misses
        self.module = _module(planes, view.n_words, view.n_patches, max_misses > 0)
        self.n_samples = len(bits)
        self.n_blocks = -(-len(bits) // 64)
        sent = cupy.empty(bits.shape, np.uint8)
        sent.set(np.ascontiguousarray(bits, np.uint8))
        known = (np.int32(view.n_bits), cupy.asarray(_sources(view)), np.int32(view.n_features))
        if max_misses > 0:
            shape = (self.n_samples, view.n_patches, 2 * view.n_words)
            self.packed = cupy.empty(shape, np.uint32)
            self.module.get_function("pack_samples")(
                (-(-self.packed.size // VOTE_THREADS),),
                (VOTE_THREADS,),
                (sent, np.int64(self.n_samples), *known, self.packed),
            )
        else:
            shape = (self.n_blocks, view.n_patches, 64 * view.n_words)
            self.packed = cupy.empty(shape, np.uint64)
            self.module.get_function("turn_samples")(
                (self.n_blocks,),
                (VOTE_THREADS,),
                (sent, np.int32(self.n_samples), *known, self.packed),
            )

    def votes(self, include: Any, stride: int, weights: Any, both_signs: bool) -> Any:
        """Votes, samples × banks; clauses of a bank are `stride` 32-bit pieces apart."""
        import cupy

        n_banks, n_clauses = weights.shape
        votes = cupy.zeros((self.n_samples, n_banks), np.int64)
        parts = -(-n_clauses // CLAUSES_A_POLL)
        # Few samples: cut the clauses into more parts, so that all of the device has work.
        parts = max(parts, min(-(-n_clauses // 64), 512 // max(1, self.n_blocks)))
        most = (np.int32(self.max_misses + 1),) if self.max_misses > 0 else ()
        count = self.module.get_function("count_fuzzy_votes" if most else "count_votes")
        for bank in range(n_banks):
            count(
                (self.n_blocks, parts),
                (VOTE_THREADS,),
                (
                    self.packed,
                    np.int32(self.n_samples),
                    include[bank],
                    np.uint64(stride),
                    weights[bank],
                    np.int32(n_clauses),
                    np.int32(both_signs),
                    *most,
                    votes,
                    np.int32(n_banks),
                    np.int32(bank),
                ),
            )
        return votes


@functools.cache
def _sources(view: View) -> NDArray[np.int32]:
    """For each patch and feature the bit it shows; -1: never set, -2: always set."""
    sources = view.patches(np.arange(view.n_bits)[None])[0].astype(np.int32)
    if view.board_shape is not None and view.window is not None:
        (rows, columns, _), (high, wide) = view.board_shape, view.window
        n_places = (rows - high) + (columns - wide)
        sources[:, :n_places] = -1 - sources[:, :n_places]
    return np.ascontiguousarray(sources)


class GpuVotes:
    """The clauses of a machine on the device, for counting votes."""

    def __init__(self, banks: Banks, both_signs: bool, max_misses: int) -> None:
        import cupy

        self.view, self.both_signs, self.max_misses = banks.view, both_signs, max_misses
        self.include = cupy.asarray(banks.include.view(np.uint32))
        self.weights = cupy.asarray(banks.weights)

    def count(self, bits: Bits) -> NDArray[np.int64]:
        """Votes, samples × banks.

        Some samples are on their way to the device while others are judged.
        """
        n_samples = bits.shape[0]
        votes = np.empty((n_samples, len(self.weights)), np.int64)
        size = min(n_samples, SAMPLES_AT_A_TIME)
        count = min(2, -(-n_samples // size)) if size else 0
        transfers = [Transfer(self, size) for _ in range(count)]
        for number, first in enumerate(range(0, n_samples, SAMPLES_AT_A_TIME)):
            transfer = transfers[number % 2]
            transfer.unload()
            transfer.load(dense(bits[first : first + size]), votes[first : first + size])
        for transfer in transfers:
            transfer.unload()
        return votes


class Transfer:
    """Takes samples to the device and votes back, through memory from which it can read itself."""

    def __init__(self, machine: GpuVotes, size: int) -> None:
        import cupy

        self.machine = machine
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self.samples = _pinned((size, machine.view.n_bits), np.uint8)
        self.votes = _pinned((size, len(machine.weights)), np.int64)
        self.target: NDArray[np.int64] | None = None

    def load(self, bits: NDArray[np.uint8], target: NDArray[np.int64]) -> None:
        """Send samples off, whose votes `unload` will put into `target`."""
        machine, self.target = self.machine, target
        self.samples[: len(bits)] = bits
        with self.stream:
            samples = GpuSamples(
                machine.view, COUNT_PLANES, self.samples[: len(bits)], machine.max_misses
            )
            stride = 2 * machine.view.n_words
            counted = samples.votes(machine.include, stride, machine.weights, machine.both_signs)
            counted.get(out=self.votes[: len(bits)], blocking=False)

    def unload(self) -> None:
        """Wait for the votes and put them where they belong."""
        if self.target is not None:
            self.stream.synchronize()
            self.target[:] = self.votes[: len(self.target)]
            self.target = None


def _pinned(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """An array in memory that the system may not move."""
    import cupy

    size = int(np.prod(shape))
    memory = cupy.cuda.alloc_pinned_memory(max(1, size * np.dtype(dtype).itemsize))
    return np.frombuffer(memory, dtype, size).reshape(shape)
