"""One clause and a block of samples: on which of them it fires, and the feedback that it takes.

`kernels.py` describes how automata and samples are laid out. All functions here take the automata
of a bank and the number of the clause in it, and change nothing of the other clauses.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from clauseboard.kernels.bits import ALL, ONE, ZERO, count_ones, lowest_one, nth_one
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

_4, _15, _32 = np.uint64(4), np.uint64(15), np.uint64(32)

ROW, GROUP, WORD, PATCHES = range(4)
"""What `places` tells of each sample of a block with a window, see `kernels.place_samples`."""


BY_ROWS, BY_WORDS, BY_COLUMNS, BY_TABLES = range(4)
"""How clauses are evaluated on the samples of a block. Those of one patch: sample by sample, four
samples at a time, or literal by literal (`kernels.load_block`). Those of several: literal by
literal, or four literals at a time (`kernels.place_samples`)."""


TYPE_ONE, SILENT, ASLEEP, EVENTS, DRAWS, OWED, WAITING = range(7)
"""What `feed_back_together` notes of each clause, and last the clauses that are left."""


class Block(NamedTuple):
    """The samples of a block in the forms in which clauses are evaluated on them.

    Those of one patch have `rows`, and `columns` as the layout wants them (`kernels.load_block`).
    Those of several have columns and their `places` there (`kernels.place_samples`), and the rest
    is for them: `packed` has all samples of the training, `rows` is room for a patch, `valid` has a
    bit set for each patch of a sample, and `room` is as large. Of up to 64 patches, each word of
    `valid` has those of one sample of several that share a word.

    Where literals may fail, `misses` has room for how many do on each sample, and `counts` for the
    digits of how many do at each patch, and last for the patches where they do not suffice.
    """

    packed: Any
    rows: Any
    columns: Any
    places: Any
    valid: Any
    room: Any
    misses: Any
    counts: Any


class Kind(NamedTuple):
    """How clauses look at samples: at how many patches, in which layout, and what makes them fire.

    A clause fires while fewer than `most` of its literals fail, with a window those at the patch
    where fewest do.
    """

    n_patches: int
    layout: int
    most: int


class Rules(NamedTuple):
    """How clauses learn; `literals` has the bits of real literals set, not those of padding."""

    literals: Any
    pool: Any
    both_signs: bool
    boost: bool
    weighted: bool
    most_literals: int


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
def samples_of(alive, valid, group: int):
    """The samples of at most 64 patches to which any of some patches of a group belongs."""
    samples = ZERO
    for above in range(valid.shape[2]):
        there = empty_lanes(alive & every_lane(valid[0, 0, above])) ^ _15
        samples |= there << np.uint64(LANES * (valid.shape[2] * group + above))
    return samples


@helper
def evaluate_patches(automata, clause: int, block, samples):
    """The ones among some samples of up to 64 patches on which a clause fires at any of these."""
    columns, valid = block.columns, block.valid
    fired = ZERO
    for group in range(columns.shape[0]):
        here = samples_of(every_lane(ALL), valid, group) & samples
        if here != ZERO:
            alive = firing_patches(automata, clause, columns, group, every_lane(ALL))
            fired |= here & samples_of(alive, valid, group)
    return fired


@helper
def evaluate_many_patches(automata, clause: int, block, samples):
    """The ones among some samples of more than 64 patches on which a clause fires at any."""
    fired = ZERO
    while samples != ZERO:
        sample = lowest_one(samples)
        group = np.int64(block.places[GROUP, sample])
        for more in range(block.valid.shape[2] // LANES):
            alive = every_lane(ALL)
            if any_lane(firing_patches(automata, clause, block.columns, group + more, alive)):
                fired |= ONE << np.uint64(sample)
                break
        samples &= samples - ONE
    return fired


@helper
def firing_in_tables(automata, clause: int, tables, group: int):
    """The patches of four samples on which a clause of at most 64 literals fires.

    The literals are looked up four at a time: where any may be included, to ask for each of them
    whether it is would be a coin toss for the processor.
    """
    literals = automata[clause, automata.shape[1] - 1, 0]
    alive = every_lane(ALL)
    for k in range(0, tables.shape[2], 16 * LANES):
        alive &= load_lanes(tables, 0, group, k + LANES * np.int64(literals & _15))
        literals >>= _4
    return alive


@helper
def evaluate_by_tables(automata, clause: int, block, samples):
    """What `evaluate_patches` tells, by tables."""
    fired = ZERO
    for group in range(block.columns.shape[1]):
        alive = firing_in_tables(automata, clause, block.columns, group)
        fired |= samples_of(alive, block.valid, group)
    return fired & samples


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
def evaluate_rows(automata, clause: int, block, samples, most: int):
    """What `evaluate` tells, sample by sample; fewer than `most` literals may fail.

    Where they may, it is noted in the block how many do on each sample.
    """
    rows = block.rows
    fired = ZERO
    strength = clause_strength(automata, clause, most) if most > 1 else 1
    while samples != ZERO:
        sample = lowest_one(samples)
        if most > 1:
            block.misses[sample] = count_misses(automata, clause, rows, sample)
            fires = block.misses[sample] < strength
        else:
            fires = fires_on(automata, clause, rows, sample)
        if fires:
            fired |= ONE << np.uint64(sample)
        samples &= samples - ONE
    return fired


@helper
def count_failing(automata, clause: int, block, sample: int) -> None:
    """Count at each patch of a sample, and of others in its group, how many literals fail.

    The patches are counted for all at once, digit by digit (see `Block.counts`).
    """
    columns, counts = block.columns, block.counts
    group, last = np.int64(block.places[GROUP, sample]), counts.shape[0] - 1
    for k in range(0, counts.shape[2], LANES):
        for digit in range(last):
            store_lanes(counts, digit, 0, k, no_lanes())
        too_many = no_lanes()
        for word in range((columns.shape[1] + 63) // 64):
            literals = automata[clause, automata.shape[1] - 1, word]
            while literals != ZERO:
                literal = 64 * word + lowest_one(literals)
                carry = ~load_lanes(columns, group + k // LANES, literal, 0)
                for digit in range(last):
                    before = load_lanes(counts, digit, 0, k)
                    store_lanes(counts, digit, 0, k, before ^ carry)
                    carry &= before
                too_many |= carry
                literals &= literals - ONE
        store_lanes(counts, last, 0, k, too_many)


@helper
def fewest_failing(block, n_patches: int, sample: int) -> int:
    """How many literals fail at the best patches of a sample; the room tells which these are.

    For a sample that `count_failing` was asked about. Where too many fail at all patches, the
    number is higher than may.
    """
    places, room, counts = block.places, block.room, block.counts
    last = counts.shape[0] - 1
    # The words of a sample of at most 64 patches are one, at a place of its own.
    lane = 0 if n_patches > 64 else np.int64(places[WORD, sample])
    n_words = room.shape[2] if n_patches > 64 else 1
    anywhere = ZERO
    for k in range(n_words):
        patches = block.valid[0, 0, k] if n_patches > 64 else places[PATCHES, sample]
        room[0, 0, k] = patches & ~counts[last, 0, lane + k]
        anywhere |= room[0, 0, k]
    if anywhere == ZERO:
        return 1 << last
    fewest = 0
    for digit in range(last - 1, -1, -1):
        better = ZERO
        for k in range(n_words):
            better |= room[0, 0, k] & ~counts[digit, 0, lane + k]
        if better == ZERO:
            fewest += 1 << digit
            continue
        for k in range(n_words):
            room[0, 0, k] &= ~counts[digit, 0, lane + k]
    return fewest


@helper
def evaluate_fuzzy_patches(automata, clause: int, block, kind, samples):
    """What `evaluate_patches` tells where literals may fail; it notes how many do."""
    strength = clause_strength(automata, clause, kind.most)
    fired = ZERO
    counted = -1
    while samples != ZERO:
        sample = lowest_one(samples)
        samples &= samples - ONE
        if counted < 0 or block.places[GROUP, counted] != block.places[GROUP, sample]:
            count_failing(automata, clause, block, sample)
            counted = sample
        block.misses[sample] = fewest_failing(block, kind.n_patches, sample)
        if block.misses[sample] < strength:
            fired |= ONE << np.uint64(sample)
    return fired


@helper
def evaluate_block(automata, clause: int, block, kind, samples):
    """The ones among some samples of a block on which a clause fires, however they are laid out."""
    if kind.n_patches > 1:
        if kind.most > 1:
            return evaluate_fuzzy_patches(automata, clause, block, kind, samples)
        if kind.layout == BY_TABLES:
            return evaluate_by_tables(automata, clause, block, samples)
        if kind.n_patches > 64:
            return evaluate_many_patches(automata, clause, block, samples)
        return evaluate_patches(automata, clause, block, samples)
    if kind.layout == BY_ROWS:
        return evaluate_rows(automata, clause, block, samples, kind.most)
    if kind.layout == BY_WORDS:
        return evaluate_words(automata, clause, block.columns, samples)
    return evaluate(automata, clause, block.columns, samples)


@helper
def patches_of(automata, clause: int, block, layout: int, sample: int):
    """The patches of one sample, of up to 64, on which a clause fires."""
    columns = block.columns
    group, lane = block.places[GROUP, sample], block.places[WORD, sample]
    found = block.places[PATCHES, sample]
    if layout == BY_TABLES:
        literals = automata[clause, automata.shape[1] - 1, 0]
        for k in range(0, columns.shape[2], 16 * LANES):
            found &= columns[ZERO, group, np.uint64(k) + _4 * (literals & _15) + lane]
            literals >>= _4
        return found
    for word in range((columns.shape[1] + 63) // 64):
        literals = automata[clause, automata.shape[1] - 1, word]
        while literals != ZERO and found != ZERO:
            found &= columns[group, np.uint64(64 * word + lowest_one(literals)), lane]
            literals &= literals - ONE
    return found


@helper
def firing_patch(automata, clause: int, block, kind, sample: int, draws) -> tuple[Any, int]:
    """One of the patches on which the clause fires, each as likely as the others; -1: none.

    Where literals may fail it is one of those at which fewest do.
    """
    columns, places, room = block.columns, block.places, block.room
    shift, n_words = 0, room.shape[2]
    if kind.n_patches <= 64:
        shift, n_words = lowest_one(places[PATCHES, sample]), 1
    if kind.most > 1:
        count_failing(automata, clause, block, sample)
        fewest = fewest_failing(block, kind.n_patches, sample)
        if fewest >= clause_strength(automata, clause, kind.most):
            return draws, -1
    elif kind.n_patches > 64:
        group = np.int64(places[GROUP, sample])
        for k in range(0, n_words, LANES):
            alive = load_lanes(block.valid, 0, 0, k)
            alive = firing_patches(automata, clause, columns, group + k // LANES, alive)
            store_lanes(room, 0, 0, k, alive)
    else:
        room[0, 0, 0] = patches_of(automata, clause, block, kind.layout, sample)
    count = 0
    for k in range(n_words):
        count += count_ones(room[0, 0, k])
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
    return draws, 64 * k + nth_one(room[0, 0, k], taken) - shift


@helper
def gather_word(block, n_patches: int, sample: int, patch: int, first: int):
    """The literals [first, first + 64) of one patch of a sample."""
    packed, places = block.packed, block.places
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
        row = np.int64(places[ROW, sample])
        there = every_lane(ONE << place)
        for i in range(0, min(64, packed.shape[2] - first), LANES):
            missing = empty_lanes(load_lanes(packed, row, 0, first + i) & there)
            gathered |= (missing ^ _15) << np.uint64(i)
    return gathered


@helper
def gather_row(block, n_patches: int, sample: int, patch: int) -> None:
    """Write all literals of one patch of a sample to the block's rows[0, 0]."""
    rows = block.rows
    for word in range(0, rows.shape[2], LANES):
        # Stored together, since they are soon loaded together.
        lanes = no_lanes()
        for k in range(LANES):
            gathered = gather_word(block, n_patches, sample, patch, 64 * (word + k))
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
    top = automata.shape[1] - 1
    at_risk = load_lanes(automata, clause, top, word)
    for plane in range(COUNT_PLANES, top):
        at_risk &= ~load_lanes(automata, clause, plane, word)
    first = load_lanes(automata, clause, 0, word)
    second = load_lanes(automata, clause, 1, word)
    third = load_lanes(automata, clause, 2, word)
    # With four state bits the fourth is "included" itself.
    fourth = load_lanes(automata, clause, 3, word) if top > 3 else no_lanes()
    before = no_lanes()
    for probe in range(1, times):
        # Each forget that comes changes the lowest digit of its literal's count.
        count = load_lanes(pool, probe - 1, 0, place)
        borrow = turned_lanes(count ^ before, turn)
        before = count
        first, borrow = first ^ borrow, borrow & ~first
        second, borrow = second ^ borrow, borrow & ~second
        third, borrow = third ^ borrow, borrow & ~third
        fourth, borrow = fourth ^ borrow, borrow & ~fourth
        if any_lane(borrow & at_risk):
            return probe
    return times


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
def respond(automata, clause: int, rows, sample: int, type_one, rules, draws):
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
        forgotten = turned_lanes(load_lanes(rules.pool, 0, 0, place), turn)
        true = load_lanes(rows, sample, 0, word)
        excluded = ~load_lanes(automata, clause, top, word)
        recognised = true if rules.boost else true & ~forgotten
        blocking = ~true & excluded & load_lanes(rules.literals, 0, 0, word)
        up = (recognised & first_type) | (blocking & ~first_type)
        step_automata(automata, clause, word, up, ~true & forgotten & first_type)
    return draws


@helper
def forget_silent(
    automata, clause: int, silent, asleep, events, block, kind, rules, draws
) -> tuple[Any, Any]:
    """Type I feedback from samples on which a clause is silent; return the events and the draws.

    Where a literal is dropped, the samples that follow, among them those `asleep` (of type II),
    meet a wider clause: where it now fires they are events, too.
    """
    while silent != ZERO:
        count = count_ones(silent)
        times = min(count, MOST_FORGETS)
        draws, times, dropped = forget_until_drop(automata, clause, times, rules.pool, draws)
        if not dropped and times == count:
            break
        later = (ALL << np.uint64(nth_one(silent, times))) << ONE
        silent &= later
        if dropped:
            asleep &= later
            if silent | asleep != ZERO:
                woken = evaluate_block(automata, clause, block, kind, silent | asleep)
                events |= woken
                silent &= ~woken
                asleep &= ~woken
    return events, draws


@helper
def learn_from_events(
    automata, weights, clause: int, events, type_one, block, kind, rules, draws
) -> tuple[int, Any]:
    """Feedback from samples on which a clause fires; return how often it is yet to forget.

    One event may end that it fires on the next. Returns the draws, too.
    """
    owed = 0
    while events != ZERO:
        sample = lowest_one(events)
        events &= events - ONE
        is_one = (type_one >> np.uint64(sample)) & ONE
        if kind.n_patches > 1:
            draws, patch = firing_patch(automata, clause, block, kind, sample, draws)
        elif kind.most > 1:
            strength = clause_strength(automata, clause, kind.most)
            patch = 0 if count_misses(automata, clause, block.rows, sample) < strength else -1
        else:
            patch = 0 if fires_on(automata, clause, block.rows, sample) else -1
        if patch < 0:
            owed += int(is_one)
        elif is_one and 0 <= rules.most_literals < count_literals(automata, clause):
            owed += 1
        else:
            if rules.weighted:
                weights[clause] = max(weights[clause] + 2 * np.int64(is_one) - 1, 1)
            row = sample
            if kind.n_patches > 1:
                row = 0
                gather_row(block, kind.n_patches, sample, patch)
            draws = respond(automata, clause, block.rows, row, is_one, rules, draws)
    return owed, draws


@helper
def forget_owed(automata, clause: int, owed: int, pool, draws):
    """Forget so often; return the draws."""
    while owed > 0:
        times = min(owed, MOST_FORGETS)
        draws = forget(automata, clause, times, pool, draws)
        owed -= times
    return draws


@helper
def feed_back(automata, weights, clause: int, fired, type_one, type_two, block, kind, rules, draws):
    """Give one clause the feedback of a block; return the draws.

    Since the votes are those from before the block, a clause may take the samples in an order of
    its own: first those on which it is silent, then the others. So its forgetting is done at
    one go, and only the samples on which it fires are looked at again. Among these, the two types
    must stay mixed: all of type I first costs accuracy.
    """
    silent, asleep = type_one & ~fired, type_two & ~fired
    events = (type_one | type_two) & fired
    events, draws = forget_silent(
        automata, clause, silent, asleep, events, block, kind, rules, draws
    )
    owed, draws = learn_from_events(
        automata, weights, clause, events, type_one, block, kind, rules, draws
    )
    return forget_owed(automata, clause, owed, rules.pool, draws)


@helper
def forget_unless_drop(automata, clause: int, times: int, pool, draws) -> tuple[Any, bool]:
    """Forget, where automata have four words; not at all if that would drop a literal.

    Returns the draws, and whether it would.
    """
    after, place, turn = draw_place(draws)
    counts = counts_at(pool, times, place, turn)
    drops, below = falls(automata, clause, 0, counts)
    dropped = any_lane(drops)
    kept = every_lane(np.uint64(dropped) - ONE)
    counts = (counts[0] & kept, counts[1] & kept, counts[2] & kept, counts[3] & kept)
    take_off(automata, clause, 0, counts, below & kept)
    return draws if dropped else after, dropped


@helper
def feed_back_together(
    automata,
    weights,
    first: int,
    end: int,
    fires,
    chosen,
    upward,
    block,
    kind,
    rules,
    first_of_all: int,
    work,
) -> None:
    """Do for clauses [first, end) of four words what `feed_back` does for one.

    They take each step together, and the next one takes those that are left. So a processor need
    not guess how it goes on after each clause. `work` has room for each clause; see
    `kernels.Step` for the others.
    """
    left = 0
    for clause in range(first, end):
        # Unsigned, for an index that might be negative would be looked at each time.
        k, here = np.uint64(clause - first_of_all), np.uint64(clause - first)
        fired, draws = fires[np.uint64(clause)], chosen[0, k]
        rewarded = ~upward if rules.both_signs and clause % 2 == 1 else upward
        type_one = chosen[1, k] & rewarded
        silent = type_one & ~fired
        count = count_ones(silent)
        waits = count > 0
        if 0 < count <= MOST_FORGETS:
            draws, waits = forget_unless_drop(automata, clause, count, rules.pool, draws)
        work[TYPE_ONE, here] = type_one
        work[SILENT, here] = silent
        work[ASLEEP, here] = chosen[1, k] & ~rewarded & ~fired
        work[EVENTS, here] = chosen[1, k] & fired
        work[DRAWS, here] = draws
        work[WAITING, left] = np.uint64(clause)
        left += 1 if waits else 0
    for n in range(left):
        waiting = np.int64(work[WAITING, n])
        here = np.uint64(waiting - first)
        work[EVENTS, here], work[DRAWS, here] = forget_silent(
            automata,
            waiting,
            work[SILENT, here],
            work[ASLEEP, here],
            work[EVENTS, here],
            block,
            kind,
            rules,
            work[DRAWS, here],
        )
    left = 0
    for clause in range(first, end):
        work[WAITING, left] = np.uint64(clause)
        left += 1 if work[EVENTS, np.uint64(clause - first)] != ZERO else 0
    owing = 0
    for n in range(left):
        waiting = np.int64(work[WAITING, n])
        here = np.uint64(waiting - first)
        owed, draws = learn_from_events(
            automata,
            weights,
            waiting,
            work[EVENTS, here],
            work[TYPE_ONE, here],
            block,
            kind,
            rules,
            work[DRAWS, here],
        )
        work[OWED, here], work[DRAWS, here] = np.uint64(owed), draws
        work[WAITING, owing] = np.uint64(waiting)
        owing += 1 if owed > 0 else 0
    for n in range(owing):
        waiting = np.int64(work[WAITING, n])
        here = np.uint64(waiting - first)
        debt = np.int64(work[OWED, here])
        forget_owed(automata, waiting, debt, rules.pool, work[DRAWS, here])
