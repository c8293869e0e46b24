"""One clause and a block of samples: on which of them it fires, and the feedback that it takes.

`kernels.py` describes how automata and samples are laid out. All functions here take the automata
of a bank and the number of the clause in it, and change nothing of the other clauses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.kernels.bits import ONE, ZERO, count_ones, lowest_one
from clauseboard.kernels.compiler import helper
from clauseboard.kernels.simd import (
    LANES,
    any_lane,
    every_lane,
    load_lanes,
    no_lanes,
    store_lanes,
    turned_lanes,
)
from clauseboard.tsetlin.random_masks import (
    COUNT_PLANES,
    MOST_FORGETS,
    draw_place,
    next_draw,
)

_32 = np.uint64(32)


@helper
def evaluate(automata: Any, clause: int, columns: Any, samples: Any) -> Any:
    """The ones among some samples of a block on which a clause fires; an empty one on all."""
    top = automata.shape[1] - 1
    fired = ZERO
    for patch in range(columns.shape[0]):
        alive = samples
        for word in range(automata.shape[2]):
            literals = automata[clause, top, word]
            # Literals that are bits come before their negations: a piece is rarer than its
            # absence, so that many clauses are done after a few columns.
            while literals != ZERO and alive != ZERO:
                alive &= columns[patch, 64 * word + lowest_one(literals)]
                literals &= literals - ONE
            if alive == ZERO:
                break
        fired |= alive
        if fired == samples:
            break
    return fired


@helper
def fires_on(automata: Any, clause: int, rows: Any, sample: int) -> bool:
    """Whether a clause fires on one sample; an empty one does."""
    top = automata.shape[1] - 1
    for patch in range(rows.shape[1]):
        missing = no_lanes()
        for word in range(0, automata.shape[2], LANES):
            included = load_lanes(automata, clause, top, word)
            missing |= included & ~load_lanes(rows, sample, patch, word)
        if not any_lane(missing):
            return True
    return False


@helper
def count_literals(automata: Any, clause: int) -> int:
    """How many literals a clause includes."""
    total = 0
    for word in range(automata.shape[2]):
        total += count_ones(automata[clause, automata.shape[1] - 1, word])
    return total


@helper
def clause_strength(automata: Any, clause: int, most: int) -> int:
    """How strongly a clause votes where all its literals hold: as many of them count as may fail.

    `most` is one more than the literals that may fail. A clause of fewer has no more to lose than
    all of them, and an empty one, which fires while training, has a strength of one.
    """
    return max(1, min(most, count_literals(automata, clause)))


@helper
def count_misses(automata: Any, clause: int, rows: Any, sample: int) -> int:
    """How many of a clause's literals fail on a sample; for a view without a window."""
    top = automata.shape[1] - 1
    misses = 0
    for word in range(automata.shape[2]):
        misses += count_ones(automata[clause, top, word] & ~rows[sample, 0, word])
    return misses


@helper
def evaluate_rows(automata: Any, clause: int, rows: Any, samples: Any, most: int) -> Any:
    """What `evaluate` tells, sample by sample; fewer than `most` literals may fail."""
    strength = clause_strength(automata, clause, most)
    fired = ZERO
    while samples != ZERO:
        sample = lowest_one(samples)
        if most > 1:
            fires = count_misses(automata, clause, rows, sample) < strength
        else:
            fires = fires_on(automata, clause, rows, sample)
        if fires:
            fired |= ONE << np.uint64(sample)
        samples &= samples - ONE
    return fired


@helper
def firing_patch(
    automata: Any, clause: int, rows: Any, sample: int, most: int, draws: Any
) -> tuple[Any, int]:
    """One of the patches on which the clause fires, each as likely as the others; -1: none."""
    if most > 1:
        strength = clause_strength(automata, clause, most)
        return draws, 0 if count_misses(automata, clause, rows, sample) < strength else -1
    top = automata.shape[1] - 1
    count = 0
    found = -1
    for patch in range(rows.shape[1]):
        missing = no_lanes()
        for word in range(0, automata.shape[2], LANES):
            included = load_lanes(automata, clause, top, word)
            missing |= included & ~load_lanes(rows, sample, patch, word)
        if not any_lane(missing):
            # Keep the n-th one found with probability 1/n.
            count += 1
            if count > 1:
                draws = next_draw(draws)
                if (draws * np.uint64(count)) >> _32 != ZERO:
                    continue
            found = patch
    return draws, found


@helper
def step_automata(automata: Any, clause: int, word: int, up: Any, down: Any) -> None:
    """Add one to the automata in `up`, take one from those in `down`; both stop at the ends."""
    n_planes = automata.shape[1]
    not_at_bottom = no_lanes()
    for plane in range(n_planes):
        not_at_bottom |= load_lanes(automata, clause, plane, word)
    down &= not_at_bottom
    for plane in range(n_planes):
        before = load_lanes(automata, clause, plane, word)
        store_lanes(automata, clause, plane, word, before ^ (up | down))
        up &= before
        down &= ~before
    # Few automata ever come to the top, so that this is put right afterwards.
    if any_lane(up):
        for plane in range(n_planes):
            after = load_lanes(automata, clause, plane, word)
            store_lanes(automata, clause, plane, word, after | up)


@helper
def times_until_drop(
    automata: Any, clause: int, times: int, pool: Any, draws: Any
) -> tuple[int, bool]:
    """The first of the next `times` forgets that would take an included literal away, and if any.

    The pool's numbers for t forgets are part of those for more, read at the same place. So a
    group of literals that keeps all of them after `times` keeps them before, and in another the
    first forget to drop one is found by halving. It stays within the four lowest digits: a
    literal with more than these is out of reach.
    """
    n_planes = automata.shape[1]
    dropped = False
    for word in range(0, automata.shape[2], LANES):
        draws, place, turn = draw_place(draws)
        at_risk = load_lanes(automata, clause, n_planes - 1, word)
        for plane in range(COUNT_PLANES, n_planes - 1):
            at_risk &= ~load_lanes(automata, clause, plane, word)
        if not any_lane(at_risk):
            continue
        if n_planes > COUNT_PLANES:
            digit_3 = load_lanes(automata, clause, 3, word)
        else:
            # With four state bits the fourth is "included" itself, which eight forgets outweigh.
            digit_3 = no_lanes()
        digit_0 = load_lanes(automata, clause, 0, word)
        digit_1 = load_lanes(automata, clause, 1, word)
        digit_2 = load_lanes(automata, clause, 2, word)
        kept = 0
        probe = times
        while True:
            count = turned_lanes(load_lanes(pool, probe - 1, 0, place), turn)
            borrow = ~digit_0 & count
            count = turned_lanes(load_lanes(pool, probe - 1, 1, place), turn)
            borrow = (~digit_1 & (count | borrow)) | (count & borrow)
            count = turned_lanes(load_lanes(pool, probe - 1, 2, place), turn)
            borrow = (~digit_2 & (count | borrow)) | (count & borrow)
            count = turned_lanes(load_lanes(pool, probe - 1, 3, place), turn)
            borrow = (~digit_3 & (count | borrow)) | (count & borrow)
            drops = any_lane(borrow & at_risk)
            if probe == times and not drops:
                break
            dropped = True
            times = probe if drops else times
            kept = kept if drops else probe
            if times - kept <= 1:
                break
            probe = (kept + times) // 2
    return times, dropped


@helper
def forget(automata: Any, clause: int, times: int, pool: Any, draws: Any) -> Any:
    """Type I feedback to a clause that did not fire, `times` times; return the draws.

    Each time, each automaton goes down with probability 1/specificity; how often that comes to
    is read from the pool.
    """
    n_planes = automata.shape[1]
    for word in range(0, automata.shape[2], LANES):
        draws, place, turn = draw_place(draws)
        borrow = no_lanes()
        for plane in range(COUNT_PLANES):
            count = turned_lanes(load_lanes(pool, times - 1, plane, place), turn)
            before = load_lanes(automata, clause, plane, word)
            store_lanes(automata, clause, plane, word, before ^ count ^ borrow)
            borrow = (~before & (count | borrow)) | (count & borrow)
        for plane in range(COUNT_PLANES, n_planes):
            before = load_lanes(automata, clause, plane, word)
            store_lanes(automata, clause, plane, word, before ^ borrow)
            borrow &= ~before
        if any_lane(borrow):
            for plane in range(n_planes):
                after = load_lanes(automata, clause, plane, word)
                store_lanes(automata, clause, plane, word, after & ~borrow)
    return draws


@helper
def forget_until_drop(
    automata: Any, clause: int, times: int, pool: Any, draws: Any
) -> tuple[Any, int, bool]:
    """Forget up to `times` times, but no further than the first that drops a literal.

    Returns the draws, how often the clause forgot, and whether a literal was dropped.
    """
    times, dropped = times_until_drop(automata, clause, times, pool, draws)
    return forget(automata, clause, times, pool, draws), times, dropped


@helper
def respond(
    automata: Any,
    clause: int,
    rows: Any,
    sample: int,
    patch: int,
    type_one: Any,
    boost: bool,
    literals: Any,
    pool: Any,
    draws: Any,
) -> Any:
    """Feedback to a clause that fired on a patch of a sample; return the draws.

    Type I (`type_one` is 1): true literals go up, always with boost, else with probability
    1 - 1/specificity; false ones go down with probability 1/specificity. Type II (0): false
    literals that are excluded go up. Both are worked out and a mask takes one of them, since
    a branch here would be a coin toss for the processor.
    """
    top = automata.shape[1] - 1
    first_type = every_lane(ZERO - type_one)
    for word in range(0, automata.shape[2], LANES):
        draws, place, turn = draw_place(draws)
        forgotten = turned_lanes(load_lanes(pool, 0, 0, place), turn)
        true = load_lanes(rows, sample, patch, word)
        excluded = ~load_lanes(automata, clause, top, word)
        recognised = true if boost else true & ~forgotten
        blocking = ~true & excluded & load_lanes(literals, 0, 0, word)
        up = (recognised & first_type) | (blocking & ~first_type)
        step_automata(automata, clause, word, up, ~true & forgotten & first_type)
    return draws


@helper
def feed_back(
    automata: Any,
    weights: Any,
    clause: int,
    fired: Any,
    type_one: Any,
    type_two: Any,
    rows: Any,
    columns: Any,
    by_rows: bool,
    literals: Any,
    pool: Any,
    boost: bool,
    weighted: bool,
    most_literals: int,
    most: int,
    draws: Any,
) -> Any:
    """Give one clause the feedback of a block; return the draws.

    `most` is one more than the literals that may fail while it still fires. There are columns
    unless it is `by_rows` that clauses are evaluated.

    Since the votes are those from before the block, a clause may take the samples in an order of
    its own: first those on which it is silent, then the others. So its forgetting is done at
    one go, and only the samples on which it fires are looked at again. Among these, the two types
    must stay mixed: all of type I first costs accuracy.
    """
    silent = type_one & ~fired
    asleep = type_two & ~fired
    events = (type_one | type_two) & fired
    while silent != ZERO:
        times = min(count_ones(silent), MOST_FORGETS)
        draws, times, dropped = forget_until_drop(automata, clause, times, pool, draws)
        last = silent
        for _ in range(times - 1):
            last &= last - ONE
        later = ~(last ^ (last - ONE))
        silent &= later
        if dropped:
            # The samples that follow meet a wider clause, and where it now fires they are events.
            asleep &= later
            if silent | asleep != ZERO:
                if by_rows:
                    woken = evaluate_rows(automata, clause, rows, silent | asleep, most)
                else:
                    woken = evaluate(automata, clause, columns, silent | asleep)
                events |= woken
                silent &= ~woken
                asleep &= ~woken
    owed = 0
    while events != ZERO:
        sample = lowest_one(events)
        events &= events - ONE
        is_one = (type_one >> np.uint64(sample)) & ONE
        draws, patch = firing_patch(automata, clause, rows, sample, most, draws)
        if patch < 0:
            owed += int(is_one)
        elif is_one and 0 <= most_literals < count_literals(automata, clause):
            owed += 1
        else:
            if weighted:
                weights[clause] = max(weights[clause] + 2 * np.int64(is_one) - 1, 1)
            draws = respond(
                automata, clause, rows, sample, patch, is_one, boost, literals, pool, draws
            )
    while owed > 0:
        times = min(owed, MOST_FORGETS)
        draws = forget(automata, clause, times, pool, draws)
        owed -= times
    return draws
