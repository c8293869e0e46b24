"""One clause and a block of samples: on which of them it fires, and the feedback that it takes.

`kernels.py` describes how automata and samples are laid out. All functions here take the automata
of a bank and the number of the clause in it, and change nothing of the other clauses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.kernels.bits import ALL, ONE, ZERO, count_ones, lowest_one
from clauseboard.kernels.compiler import helper
from clauseboard.kernels.simd import (
    LANES,
    any_lane,
    empty_lanes,
    every_lane,
    load_lanes,
    no_lanes,
    store_lanes,
    turned_lanes,
    with_lane,
)
from clauseboard.tsetlin.random_masks import (
    COUNT_PLANES,
    MOST_FORGETS,
    draw_place,
    next_draw,
)

_32 = np.uint64(32)

ROW, GROUP, WORD, SHIFT, PATCHES, COMPANY = range(6)
"""What `places` tells of each sample of a block with a window, see `kernels.place_samples`."""


BY_ROWS, BY_WORDS, BY_COLUMNS = range(3)
"""How clauses are evaluated on the samples of a block, each of one patch: sample by sample, four
samples at a time, or literal by literal. See `kernels.load_block`."""


@helper
def evaluate_words(automata, clause: int, words, samples):
    """The ones among some samples of a block on which a clause fires; an empty one on all."""
    top = automata.shape[1] - 1
    fired = ZERO
    for first in range(0, words.shape[2], LANES):
        missing = no_lanes()
        for word in range(automata.shape[2]):
            included = every_lane(automata[clause, top, word])
            missing |= included & ~load_lanes(words, word, 0, first)
        fired |= empty_lanes(missing) << np.uint64(first)
    return fired & samples


@helper
def evaluate(automata, clause: int, columns, samples):
    """The ones among some samples of a block on which a clause fires; an empty one on all."""
    top = automata.shape[1] - 1
    alive = samples
    for word in range(automata.shape[2]):
        literals = automata[clause, top, word]
        # Literals that are bits come before their negations: a piece is rarer than its
        # absence, so that many clauses are done after a few columns.
        while literals != ZERO and alive != ZERO:
            alive &= columns[0, 64 * word + lowest_one(literals), 0]
            literals &= literals - ONE
        if alive == ZERO:
            break
    return alive


@helper
def firing_patches(automata, clause: int, columns, group: int, patches):
    """The ones among the patches of a group, four words of them, on which a clause fires."""
    top = automata.shape[1] - 1
    for word in range((columns.shape[1] + 63) // 64):
        literals = automata[clause, top, word]
        while literals != ZERO:
            patches &= load_lanes(columns, group, 64 * word + lowest_one(literals), 0)
            if not any_lane(patches):
                return patches
            literals &= literals - ONE
    return patches


@helper
def evaluate_patches(automata, clause: int, n_patches: int, columns, places, room, samples):
    """The ones among some samples of several patches on which a clause fires at any patch."""
    fired = ZERO
    while samples != ZERO:
        first = lowest_one(samples)
        group = np.int64(places[GROUP, first])
        alive = firing_patches(automata, clause, columns, group, every_lane(ALL))
        if n_patches > 64:
            # A sample has one or more groups.
            for more in range(1, room.shape[2] // LANES):
                if any_lane(alive):
                    break
                alive = firing_patches(automata, clause, columns, group + more, every_lane(ALL))
            if any_lane(alive):
                fired |= ONE << np.uint64(first)
            samples &= samples - ONE
            continue
        # A group has one or more samples.
        here = samples & places[COMPANY, first]
        samples &= ~here
        if any_lane(alive):
            store_lanes(room, 0, 0, 0, alive)
            while here != ZERO:
                sample = lowest_one(here)
                here &= here - ONE
                found = room[0, 0, np.int64(places[WORD, sample])] & places[PATCHES, sample]
                if found != ZERO:
                    fired |= ONE << np.uint64(sample)
    return fired


@helper
def fires_on(automata, clause: int, rows, sample: int) -> bool:
    """Whether a clause fires on one sample, of one patch; an empty one does."""
    top = automata.shape[1] - 1
    missing = no_lanes()
    for word in range(0, automata.shape[2], LANES):
        included = load_lanes(automata, clause, top, word)
        missing |= included & ~load_lanes(rows, sample, 0, word)
    return not any_lane(missing)


@helper
def count_literals(automata, clause: int) -> int:
    """How many literals a clause includes."""
    total = 0
    for word in range(automata.shape[2]):
        total += count_ones(automata[clause, automata.shape[1] - 1, word])
    return total


@helper
def clause_strength(automata, clause: int, most: int) -> int:
    """How strongly a clause votes where all its literals hold: as many of them count as may fail.

    `most` is one more than the literals that may fail. A clause of fewer has no more to lose than
    all of them, and an empty one, which fires while training, has a strength of one.
    """
    return max(1, min(most, count_literals(automata, clause)))


@helper
def count_misses(automata, clause: int, rows, sample: int) -> int:
    """How many of a clause's literals fail on a sample; for a view without a window."""
    top = automata.shape[1] - 1
    misses = 0
    for word in range(automata.shape[2]):
        misses += count_ones(automata[clause, top, word] & ~rows[sample, 0, word])
    return misses


@helper
def fires_row(automata, clause: int, rows, sample: int, most: int) -> bool:
    """Whether a clause fires on one sample of one patch; fewer than `most` literals may fail."""
    if most == 1:
        return fires_on(automata, clause, rows, sample)
    strength = clause_strength(automata, clause, most)
    return count_misses(automata, clause, rows, sample) < strength


@helper
def evaluate_rows(automata, clause: int, rows, samples, most: int):
    """What `evaluate` tells, sample by sample; fewer than `most` literals may fail."""
    fired = ZERO
    while samples != ZERO:
        sample = lowest_one(samples)
        if fires_row(automata, clause, rows, sample, most):
            fired |= ONE << np.uint64(sample)
        samples &= samples - ONE
    return fired


@helper
def evaluate_block(
    automata, clause: int, n_patches: int, block, room, layout: int, samples, most: int
):
    """The ones among some samples of a block on which a clause fires, however they are laid out."""
    rows, columns, places = block
    if n_patches > 1:
        return evaluate_patches(automata, clause, n_patches, columns, places, room, samples)
    if layout == BY_ROWS:
        return evaluate_rows(automata, clause, rows, samples, most)
    if layout == BY_WORDS:
        return evaluate_words(automata, clause, columns, samples)
    return evaluate(automata, clause, columns, samples)


@helper
def firing_patch(
    automata, clause: int, n_patches: int, columns, places, valid, room, sample: int, draws
) -> tuple[Any, int]:
    """One of the patches on which the clause fires, each as likely as the others; -1: none."""
    group = np.int64(places[GROUP, sample])
    shift, count = np.int64(0), 0
    if n_patches > 64:
        for k in range(0, room.shape[2], LANES):
            alive = load_lanes(valid, 0, 0, k)
            alive = firing_patches(automata, clause, columns, group + k // LANES, alive)
            store_lanes(room, 0, 0, k, alive)
        for k in range(room.shape[2]):
            count += count_ones(room[0, 0, k])
    else:
        shift = np.int64(places[SHIFT, sample])
        lane = np.int64(places[WORD, sample])
        found = places[PATCHES, sample]
        for word in range((columns.shape[1] + 63) // 64):
            literals = automata[clause, automata.shape[1] - 1, word]
            while literals != ZERO and found != ZERO:
                found &= columns[group, 64 * word + lowest_one(literals), lane]
                literals &= literals - ONE
        room[0, 0, 0] = found
        count = count_ones(found)
    if count == 0:
        return draws, -1
    # The n-th one takes the place of those before it with probability 1/n.
    taken = 1
    for n in range(2, count + 1):
        draws = next_draw(draws)
        if (draws * np.uint64(n)) >> _32 == ZERO:
            taken = n
    k = 0
    while count_ones(room[0, 0, k]) < taken:
        taken -= count_ones(room[0, 0, k])
        k += 1
    left = room[0, 0, k]
    for _ in range(taken - 1):
        left &= left - ONE
    return draws, 64 * k + lowest_one(left) - shift


@helper
def gather_word(packed, n_patches: int, places, sample: int, patch: int, first: int):
    """The literals [first, first + 64) of one patch of a sample."""
    place = np.uint64(patch % 64)
    gathered = ZERO
    # Unsigned, for an index that might be negative would be looked at each time.
    begin = np.uint64(first)
    if n_patches > 64:
        group = np.int64(places[GROUP, sample]) + patch // (64 * LANES)
        lane = patch // 64 % LANES
        for i in range(min(64, packed.shape[1] - first)):
            bit = np.uint64(i)
            gathered |= ((packed[group, begin + bit, lane] >> place) & ONE) << bit
    else:
        row = places[ROW, sample]
        for i in range(min(64, packed.shape[2] - first)):
            bit = np.uint64(i)
            gathered |= ((packed[row, ZERO, begin + bit] >> place) & ONE) << bit
    return gathered


@helper
def gather_row(packed, n_patches: int, places, sample: int, patch: int, rows) -> None:
    """Write all literals of one patch of a sample to rows[0, 0]."""
    for word in range(0, rows.shape[2], LANES):
        # Stored together, since they are soon loaded together.
        lanes = no_lanes()
        for k in range(LANES):
            gathered = gather_word(packed, n_patches, places, sample, patch, 64 * (word + k))
            lanes = with_lane(lanes, k, gathered)
        store_lanes(rows, 0, 0, word, lanes)


@helper
def step_automata(automata, clause: int, word: int, up, down) -> None:
    """Add one to the automata in `up`, take one from those in `down`; both stop at the ends."""
    n_planes = automata.shape[1]
    not_at_bottom, at_top = no_lanes(), every_lane(ALL)
    for plane in range(n_planes):
        before = load_lanes(automata, clause, plane, word)
        not_at_bottom |= before
        at_top &= before
    up &= ~at_top
    down &= not_at_bottom
    for plane in range(n_planes):
        before = load_lanes(automata, clause, plane, word)
        store_lanes(automata, clause, plane, word, before ^ (up | down))
        up &= before
        down &= ~before


@helper
def counts_at(pool, times: int, place: int, turn) -> tuple[Any, Any, Any, Any]:
    """How often each literal of four words is forgotten in so many times, in binary digits."""
    return (
        turned_lanes(load_lanes(pool, times - 1, 0, place), turn),
        turned_lanes(load_lanes(pool, times - 1, 1, place), turn),
        turned_lanes(load_lanes(pool, times - 1, 2, place), turn),
        turned_lanes(load_lanes(pool, times - 1, 3, place), turn),
    )


@helper
def falls(automata, clause: int, word: int, counts) -> tuple[Any, Any]:
    """What would come of taking counts from four words of automata.

    Returns the literals that would be dropped, and those that would fall below the bottom.
    """
    top = automata.shape[1] - 1
    borrow = no_lanes()
    for plane in range(COUNT_PLANES):
        count = counts[plane]
        before = load_lanes(automata, clause, plane, word)
        if plane == top:
            # With four state bits the fourth is "included" itself, which eight forgets outweigh.
            return before & (count | borrow), (~before & (count | borrow)) | (count & borrow)
        borrow = (~before & (count | borrow)) | (count & borrow)
    for plane in range(COUNT_PLANES, top):
        borrow &= ~load_lanes(automata, clause, plane, word)
    included = load_lanes(automata, clause, top, word)
    return borrow & included, borrow & ~included


@helper
def first_drop(automata, clause: int, word: int, times: int, pool, place: int, turn) -> int:
    """The first of `times` forgets, of which one drops a literal of four words, that does so.

    The pool's numbers for t forgets are part of those for more, read at the same place. So the
    words keep all their literals up to some forget and never after it.
    """
    # One after the other: a processor has all of them in hand at once, and halving would have it
    # guess each time which half comes next.
    first = 1
    for probe in range(1, times):
        drops, _ = falls(automata, clause, word, counts_at(pool, probe, place, turn))
        first += 0 if any_lane(drops) else 1
    return first


@helper
def take_off(automata, clause: int, word: int, counts, below) -> None:
    """Take counts from four words of automata; those in `below` end up at 0."""
    borrow = no_lanes()
    for plane in range(COUNT_PLANES):
        count = counts[plane]
        before = load_lanes(automata, clause, plane, word)
        store_lanes(automata, clause, plane, word, (before ^ count ^ borrow) & ~below)
        borrow = (~before & (count | borrow)) | (count & borrow)
    for plane in range(COUNT_PLANES, automata.shape[1]):
        before = load_lanes(automata, clause, plane, word)
        store_lanes(automata, clause, plane, word, (before ^ borrow) & ~below)
        borrow &= ~before


@helper
def forget(automata, clause: int, times: int, pool, draws):
    """Type I feedback to a clause that did not fire, `times` times; return the draws.

    Each time, each automaton goes down with probability 1/specificity; how often that comes to
    is read from the pool.
    """
    for word in range(0, automata.shape[2], LANES):
        draws, place, turn = draw_place(draws)
        counts = counts_at(pool, times, place, turn)
        _, below = falls(automata, clause, word, counts)
        take_off(automata, clause, word, counts, below)
    return draws


@helper
def forget_until_drop(automata, clause: int, times: int, pool, draws) -> tuple[Any, int, bool]:
    """Forget up to `times` times, but no further than the first that drops a literal.

    Returns the draws, how often the clause forgot, and whether a literal was dropped.
    """
    begin = draws
    dropped = False
    # Of all words but the last four only a drop is looked for, since it may come in these.
    last = automata.shape[2] - LANES
    for word in range(0, last, LANES):
        draws, place, turn = draw_place(draws)
        drops, _ = falls(automata, clause, word, counts_at(pool, times, place, turn))
        if any_lane(drops):
            dropped = True
            times = first_drop(automata, clause, word, times, pool, place, turn)
    draws, place, turn = draw_place(draws)
    counts = counts_at(pool, times, place, turn)
    drops, below = falls(automata, clause, last, counts)
    if any_lane(drops):
        dropped = True
        times = first_drop(automata, clause, last, times, pool, place, turn)
        counts = counts_at(pool, times, place, turn)
        _, below = falls(automata, clause, last, counts)
    take_off(automata, clause, last, counts, below)
    for word in range(0, last, LANES):
        begin, place, turn = draw_place(begin)
        counts = counts_at(pool, times, place, turn)
        _, below = falls(automata, clause, word, counts)
        take_off(automata, clause, word, counts, below)
    return draws, times, dropped


@helper
def respond(automata, clause: int, rows, sample: int, type_one, boost: bool, literals, pool, draws):
    """Feedback to a clause that fired on a sample, or on a patch; return the draws.

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
        true = load_lanes(rows, sample, 0, word)
        excluded = ~load_lanes(automata, clause, top, word)
        recognised = true if boost else true & ~forgotten
        blocking = ~true & excluded & load_lanes(literals, 0, 0, word)
        up = (recognised & first_type) | (blocking & ~first_type)
        step_automata(automata, clause, word, up, ~true & forgotten & first_type)
    return draws


@helper
def feed_back(
    automata, weights, clause: int, fired, type_one, type_two, n_patches: int, packed, block,
    valid, room, layout: int, rules, most: int, draws,
):  # fmt: skip
    """Give one clause the feedback of a block; return the draws.

    `most` is one more than the literals that may fail while it still fires. Samples of one patch
    have `rows`, and columns as the `layout` wants them. Those of several have columns and places
    (`kernels.place_samples`), and `rows` is room for a patch; `valid` has a bit set for each patch,
    and `room` is as large. A `block` is rows, columns and places; `rules` are the real literals,
    the pool, and the settings `boost`, `weighted` and `most_literals`.

    Since the votes are those from before the block, a clause may take the samples in an order of
    its own: first those on which it is silent, then the others. So its forgetting is done at
    one go, and only the samples on which it fires are looked at again. Among these, the two types
    must stay mixed: all of type I first costs accuracy.
    """
    rows, columns, places = block
    literals, pool, boost, weighted, most_literals = rules
    silent = type_one & ~fired
    asleep = type_two & ~fired
    events = (type_one | type_two) & fired
    while silent != ZERO:
        count = count_ones(silent)
        times = min(count, MOST_FORGETS)
        draws, times, dropped = forget_until_drop(automata, clause, times, pool, draws)
        if not dropped and times == count:
            break
        last = silent
        for _ in range(times - 1):
            last &= last - ONE
        later = ~(last ^ (last - ONE))
        silent &= later
        if dropped:
            # The samples that follow meet a wider clause, and where it now fires they are events.
            asleep &= later
            if silent | asleep != ZERO:
                woken = evaluate_block(
                    automata, clause, n_patches, block, room, layout, silent | asleep, most
                )
                events |= woken
                silent &= ~woken
                asleep &= ~woken
    owed = 0
    while events != ZERO:
        sample = lowest_one(events)
        events &= events - ONE
        is_one = (type_one >> np.uint64(sample)) & ONE
        if n_patches > 1:
            draws, patch = firing_patch(
                automata, clause, n_patches, columns, places, valid, room, sample, draws
            )
        else:
            patch = 0 if fires_row(automata, clause, rows, sample, most) else -1
        if patch < 0:
            owed += int(is_one)
        elif is_one and 0 <= most_literals < count_literals(automata, clause):
            owed += 1
        else:
            if weighted:
                weights[clause] = max(weights[clause] + 2 * np.int64(is_one) - 1, 1)
            row = sample
            if n_patches > 1:
                row = 0
                gather_row(packed, n_patches, places, sample, patch, rows)
            draws = respond(automata, clause, rows, row, is_one, boost, literals, pool, draws)
    while owed > 0:
        times = min(owed, MOST_FORGETS)
        draws = forget(automata, clause, times, pool, draws)
        owed -= times
    return draws
