"""Training a Tsetlin Machine clause by clause, in blocks of up to 64 samples.

The usual way goes through all clauses for every sample, so that the whole machine streams
through the cache each time. Here the loops are turned round: the automata of a clause stay close
while it takes the feedback of a whole block of samples. On which of them it fires is worked out for
four samples at a time, word by word. Where there are many words, a block is stored as one 64-bit
*column* a literal instead (bit i: is the literal true on sample i?), and a clause fires on the
samples that are left when the columns of its included literals are ANDed.

What that changes: the votes of a block are those from before the block ("stale votes"), while
a clause always acts on its own newest automata ("fresh clauses"). With blocks of one sample it
is the textbook algorithm.

With a window, a sample has many patches, and a clause fires on it if it does on any of them. The
bits of a column are then not samples but patches, those of as many samples as there is room for in
a word, and four words are ANDed at a time. For clauses of up to 64 literals there are tables of the
columns of four literals together, so that a clause is a look-up for each four.

Automata are bit-sliced: bit l of `automata[clause, plane, word]` is a digit of the counter of
literal 64 * word + l, lowest plane first. The top plane is "included". Literals are the bits of
a sample and then their negations; words are padded to whole lanes (see `clauseboard.kernels.simd`).

Each class is a machine of its own that votes for or against it, so it is trained on its own,
and only on the samples that concern it: its own samples (goal: +threshold votes) and those for
which it was drawn as the wrong class (goal: -threshold). For regression, all clauses vote for,
and the goal lies between 0 and the threshold. One rule serves both: feedback comes with
probability |goal - votes| / (high - low), and it pushes the votes up where the goal is higher.
(`chances_of_block` takes it down where a block of samples much alike would overshoot.)

Random numbers come from one counter for each bank, from which every clause takes a stream of its
own for every block (`branch`), never one for each thread; and votes are whole numbers. So one seed
gives one machine on any number of threads. `kernels.cu` draws the same numbers on a GPU.

Here are a block's votes and the loop over blocks; what happens to one clause is in `feedback.py`,
and the random numbers are in `random_masks.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from clauseboard.kernels.bits import (
    ALL,
    ONE,
    STREAM_STEP,
    ZERO,
    count_ones,
    look,
    lowest_one,
    lowest_ones,
    mixed,
    publish,
    step_aside,
    transpose,
)
from clauseboard.kernels.compiler import helper, kernel
from clauseboard.kernels.simd import (
    LANES,
    empty_lanes,
    every_lane,
    load_lanes,
    raised_lanes,
    store_lanes,
    with_lane,
)
from clauseboard.tsetlin.feedback import (
    BY_COLUMNS,
    BY_ROWS,
    BY_TABLES,
    BY_WORDS,
    GROUP,
    PATCHES,
    ROW,
    WORD,
    Block,
    Kind,
    Rules,
    clause_strength,
    evaluate_block,
    feed_back,
    feed_back_together,
)
from clauseboard.tsetlin.random_masks import (
    CHANCE_DIGITS,
    CHOICES,
    choose_samples,
    draw_choices,
)

MOST_BY_WORDS = 256
"""Words of a block up to which clauses are evaluated four samples at a time."""

CLAUSES_AT_A_TIME = 32
"""That get their feedback before they vote: two short loops are faster than one long one."""

FEWEST_TOGETHER = 8
"""Samples of a block from which on clauses take their feedback step by step together."""

CROWD = 1 << 32
"""Parts the two counts of a crowd."""

_15 = np.uint64(15)


@helper
def load_block(rows, order, first: int, size: int, layout: int, block_rows, columns) -> None:
    """Copy samples order[first : first + size] side by side, and to `columns` as the layout wants.

    For samples of one patch. By columns, bit i of columns[0, literal, 0] tells whether the literal
    is true on sample i. By words, columns[word, 0, i] is a word of sample i. By rows, there are no
    columns.
    """
    for word in range(rows.shape[2]):
        for i in range(size):
            block_rows[i, 0, word] = rows[order[first + i], 0, word]
        if layout == BY_WORDS:
            for i in range(size):
                columns[word, 0, i] = block_rows[i, 0, word]
        elif layout == BY_COLUMNS:
            square = columns[0, 64 * word : 64 * (word + 1), 0]
            for i in range(size):
                square[i] = block_rows[i, 0, word]
            square[size:] = ZERO
            transpose(square)


@helper
def place_samples(block, order, first: int, size: int, kind) -> None:
    """Lay out samples order[first : first + size] of several patches, and tell where they are.

    A bit of a column is a patch here, and four words of columns are a group. A sample of more than
    64 patches has its groups in `packed` (`View.pack_columns`). Of smaller samples, four are copied
    to `columns`, a word each, and the next four above them while there is room. By tables, there is
    a column for any of four literals that are true together (`tabulate`).

    places[..., i] are of sample i: its ROW of `packed` and its first GROUP; the WORD of the group
    in which its patches are, and these PATCHES.
    """
    packed, places, columns = block.packed, block.places, block.columns
    if kind.n_patches > 64:
        for i in range(size):
            places[GROUP, i] = np.uint64(order[first + i] * groups_of(kind.n_patches))
        return
    for begin in range(0, size, LANES):
        n_above = block.valid.shape[2]
        group, above = begin // LANES // n_above, begin // LANES % n_above
        for i in range(begin, min(begin + LANES, size)):
            places[ROW, i] = np.uint64(order[first + i])
            places[GROUP, i] = np.uint64(group)
            places[WORD, i] = np.uint64(i - begin)
            places[PATCHES, i] = block.valid[0, 0, above]
        # In place of samples that are not there the last one comes again.
        row_0, row_1 = places[ROW, begin], places[ROW, min(begin + 1, size - 1)]
        row_2 = places[ROW, min(begin + 2, size - 1)]
        row_3 = places[ROW, min(begin + 3, size - 1)]
        shift = np.uint64(above * kind.n_patches)
        for literal in range(packed.shape[2]):
            # Unsigned, for an index that might be negative would be looked at each time.
            k = np.uint64(literal)
            column = every_lane(packed[row_0, ZERO, k] << shift)
            column = with_lane(column, 1, packed[row_1, ZERO, k] << shift)
            column = with_lane(column, 2, packed[row_2, ZERO, k] << shift)
            column = with_lane(column, 3, packed[row_3, ZERO, k] << shift)
            i, j, place = group, literal, 0
            if kind.layout == BY_TABLES:
                i, j, place = 0, group, LANES * (16 * (literal // 4) + (1 << literal % 4))
            if above > 0:
                column |= load_lanes(columns, i, j, place)
            store_lanes(columns, i, j, place, column)
    if kind.layout == BY_TABLES:
        tabulate(columns)


@helper
def tabulate(tables) -> None:
    """Complete tables, in which the columns of single literals are.

    Four words of tables[0, group] from 4 * (16 * k + which) on are the patches on which all those
    of literals [4 * k, 4 * k + 4) are true that are set in `which`.
    """
    for group in range(tables.shape[1]):
        for first in range(0, tables.shape[2], 16 * LANES):
            store_lanes(tables, 0, group, first, every_lane(ALL))
            for literal in range(1, 4):
                half = LANES << literal
                column = load_lanes(tables, 0, group, first + half)
                for which in range(first + LANES, first + half, LANES):
                    both = load_lanes(tables, 0, group, which) & column
                    store_lanes(tables, 0, group, which + half, both)


@helper
def groups_of(n_patches: int) -> int:
    """Groups of four words that have a bit for each patch."""
    return (n_patches + 64 * LANES - 1) // (64 * LANES)


@helper
def fill_block(block, order, first: int, size: int, kind) -> None:
    """Fill a block with samples order[first : first + size]."""
    if kind.n_patches == 1:
        load_block(block.packed, order, first, size, kind.layout, block.rows, block.columns)
    else:
        place_samples(block, order, first, size, kind)


@helper
def cast_votes(votes, member: int, size: int, fired, weight: int) -> None:
    """Add a clause's weight to the votes of the samples on which it fired.

    votes[member] has for each sample of a block the votes, and the crowds: the clauses that fire on
    it (above `CROWD`) and the samples on which these fire in all (below), which is together how
    much the samples of a block are alike.
    """
    company = CROWD + count_ones(fired)
    for first in range(0, size, LANES):
        where = fired >> np.uint64(first)
        lanes = raised_lanes(load_lanes(votes, member, 0, first), weight, where)
        store_lanes(votes, member, 0, first, lanes)
        lanes = raised_lanes(load_lanes(votes, member, 1, first), company, where)
        store_lanes(votes, member, 1, first, lanes)


@helper
def cast_fuzzy_votes(votes, member: int, strength: int, misses, fired, weight: int) -> None:
    """The same for a clause that votes with its weight for each literal that may yet fail."""
    company = CROWD + count_ones(fired)
    while fired != ZERO:
        sample = lowest_one(fired)
        votes[member, 0, sample] += weight * (strength - misses[sample])
        votes[member, 1, sample] += company
        fired &= fired - ONE


@helper
def chances_of_block(
    votes, crowds, goals, first: int, size: int, low: float, high: float, most: int, chances, parts
):
    """Write the digits of each sample's feedback probability; return the samples to push up.

    Feedback moves a clause's votes by about one (`most`, if literals may fail). If so many clauses
    fire on so many samples of the block together that its feedback could carry the votes more than
    halfway to a goal at the other end, which a count after every sample would notice, the
    probability is taken down by as much; but a sample never counts for less than its share of the
    samples that are like it. `parts` is room for a word a sample.
    """
    chances[:] = ZERO
    parts[:] = ZERO
    upward = ZERO
    halfway = (high - low) / 2 / most
    for i in range(size):
        held = min(max(float(votes[i]), low), high)
        error = goals[first + i] - held
        probability = abs(error) / (high - low)
        firing, together = crowds[i] // CROWD, crowds[i] % CROWD
        if together > halfway:
            probability *= max(halfway, float(firing)) / together
        chance = min(int(probability * (1 << CHANCE_DIGITS)), (1 << CHANCE_DIGITS) - 1)
        upward |= np.uint64(error > 0) << np.uint64(i)
        parts[0, 0, i] = np.uint64(chance)
    for begin in range(0, size, LANES):
        four = load_lanes(parts, 0, 0, begin)
        for digit in range(CHANCE_DIGITS):
            unset = empty_lanes(four & every_lane(ONE << np.uint64(CHANCE_DIGITS - 1 - digit)))
            chances[digit] |= (unset ^ _15) << np.uint64(begin)
    return upward


class Clauses(NamedTuple):
    """Clauses [first, end) of a bank, and on which samples of a block each of the bank fires."""

    automata: Any
    weights: Any
    fires: Any
    first: int
    end: int


class Step(NamedTuple):
    """From one block to the next: who gives feedback, and where votes on the next are counted.

    chosen[0, k] has the draws of the k-th clause, and chosen[1, k] the samples that give feedback
    to it; `upward` are those that push the votes up. `work` is for `feed_back_together`.
    """

    chosen: Any
    upward: Any
    next_size: int
    votes: Any
    member: int
    work: Any


@helper
def vote(
    clauses, first: int, end: int, block, size: int, kind, both_signs: bool, votes, member: int
) -> None:
    """Let clauses [first, end) vote on a block of samples, and note on which of them each fires."""
    samples = lowest_ones(size)
    for clause in range(first, end):
        fired = evaluate_block(clauses.automata, clause, block, kind, samples)
        clauses.fires[np.uint64(clause)] = fired
        weight = np.int64(clauses.weights[np.uint64(clause)])
        if both_signs and clause % 2 == 1:
            weight = -weight
        if kind.most > 1:
            strength = clause_strength(clauses.automata, clause, kind.most)
            cast_fuzzy_votes(votes, member, strength, block.misses, fired, weight)
        else:
            cast_votes(votes, member, size, fired, weight)


@helper
def train_clauses(clauses, step, block, next_block, kind, rules, together: bool) -> None:
    """Give clauses the feedback of a block, and let them vote on the next soon after."""
    automata, weights, fires = clauses.automata, clauses.weights, clauses.fires
    chosen, upward = step.chosen, step.upward
    for first in range(clauses.first, clauses.end, CLAUSES_AT_A_TIME):
        end = min(first + CLAUSES_AT_A_TIME, clauses.end)
        if together:
            feed_back_together(
                automata,
                weights,
                first,
                end,
                fires,
                chosen,
                upward,
                block,
                kind,
                rules,
                clauses.first,
                step.work,
            )
        else:
            for clause in range(first, end):
                against = rules.both_signs and clause % 2 == 1
                rewarded = ~upward if against else upward
                # Unsigned, for an index that might be negative would be looked at each time.
                k = np.uint64(clause - clauses.first)
                feed_back(
                    automata,
                    weights,
                    clause,
                    fires[np.uint64(clause)],
                    chosen[1, k] & rewarded,
                    chosen[1, k] & ~rewarded,
                    block,
                    kind,
                    rules,
                    chosen[0, k],
                )
        if step.next_size > 0:
            signs, size = rules.both_signs, step.next_size
            vote(clauses, first, end, next_block, size, kind, signs, step.votes, step.member)


@kernel(
    "void(uint64[:,:,::1], int32[::1], uint64[::1], uint64[::1], int64,"
    " uint64[:,:,::1], int64, int64[::1], float64[::1], int64, int64, int64,"
    " uint64[:,:,::1], uint64[:,:,::1], float64, float64, boolean, boolean, boolean, int64, int64,"
    " int64, int64, int64, int64[:,:,:,::1], int64[::1])"
)
def train_blocks(
    automata,
    weights,
    fires,
    streams,
    bank: int,
    packed,
    n_patches: int,
    order,
    goals,
    block_size: int,
    first_block: int,
    end_block: int,
    literals,
    pool,
    low: float,
    high: float,
    both_signs: bool,
    boost: bool,
    weighted: bool,
    most_literals: int,
    most: int,
    first_clause: int,
    end_clause: int,
    member: int,
    votes,
    published,
) -> None:
    """Train clauses [first_clause, end_clause) of one bank on some blocks of its samples.

    Sample order[i] of `packed` (`View.pack_for_training`) has the goal goals[i]. Several threads
    run this at once, each on its own clauses. They meet once a block, to exchange votes:
    `votes[block % 2, member]` holds what this thread's clauses vote on a block and the crowds (see
    `cast_votes`), and `published[8 * member]` counts the blocks voted on (eight apart, so that no
    two threads write to one cache line). `literals` has the bits of real literals set, not the
    padding; `fires` is room for a word a clause. A clause fires while fewer than `most` of its
    literals fail, 1 for a clause as in the textbook.
    """
    n_words = automata.shape[2]
    if most > 1 or (block_size <= 2 and n_words > LANES):
        # What the others do does not pay for few samples, and does not tell how many literals fail.
        layout = BY_ROWS
    elif n_words * block_size <= MOST_BY_WORDS:
        layout = BY_WORDS
    else:
        layout = BY_COLUMNS
    n_fours = (block_size + LANES - 1) // LANES
    if 1 < n_patches <= 64:
        layout = BY_TABLES if packed.shape[2] <= 64 and most == 1 else BY_COLUMNS
        valid = np.empty((1, 1, min(64 // n_patches, n_fours)), np.uint64)
        for above in range(valid.shape[2]):
            valid[0, 0, above] = lowest_ones(n_patches) << np.uint64(above * n_patches)
    else:
        valid = np.empty((1, 1, LANES * groups_of(n_patches)), np.uint64)
        for word in range(valid.shape[2]):
            valid[0, 0, word] = lowest_ones(max(0, min(64, n_patches - 64 * word)))
    room = np.empty_like(valid)
    places = np.empty((4, 64), np.uint64)
    rows = np.zeros((64 if n_patches == 1 else 1, 1, n_words), np.uint64)
    if n_patches > 64:
        columns = next_columns = packed
    else:
        shape = (1, 64 * n_words, 1)
        if n_patches > 1:
            n_groups = (n_fours - 1) // valid.shape[2] + 1
            shape = (n_groups, packed.shape[2], LANES)
            if layout == BY_TABLES:
                shape = (1, n_groups, 4 * LANES * packed.shape[2])
        elif layout == BY_WORDS:
            shape = (n_words, 1, LANES * n_fours)
        columns = np.empty(shape, np.uint64)
        next_columns = np.empty_like(columns)
    misses = np.zeros(64, np.int64)
    n_digits = 0
    while 1 << n_digits < most:
        n_digits += 1
    counts = np.empty((n_digits + 1, 1, LANES * groups_of(n_patches)), np.uint64)
    block = Block(packed, rows, columns, places, valid, room, misses, counts)
    next_block = Block(
        packed,
        np.zeros_like(rows),
        next_columns,
        np.empty_like(places),
        valid,
        room,
        misses,
        counts,
    )
    kind = Kind(n_patches, layout, most)
    rules = Rules(literals, pool, both_signs, boost, weighted, most_literals)
    chances = np.empty(CHANCE_DIGITS, np.uint64)
    parts = np.empty((1, 1, 64), np.uint64)
    choices = np.empty((3, CHOICES), np.uint64)
    total = np.empty((2, 64), np.int64)
    chosen = np.empty((2, end_clause - first_clause), np.uint64)
    work = np.empty((7, CLAUSES_AT_A_TIME), np.uint64)
    together = block_size >= FEWEST_TOGETHER
    stream = streams[bank]

    first = first_block * block_size
    size = min(block_size, order.size - first)
    fill_block(block, order, first, size, kind)
    votes[first_block % 2, member] = 0
    clauses = Clauses(automata, weights, fires, first_clause, end_clause)
    first_votes = votes[first_block % 2]
    vote(clauses, first_clause, end_clause, block, size, kind, both_signs, first_votes, member)
    publish(published, 8 * member, first_block + 1)

    for number in range(first_block, end_block):
        total[:, :size] = 0
        for other in range(votes.shape[1]):
            while look(published, 8 * other) <= number:
                step_aside()
            for i in range(size):
                total[0, i] += votes[number % 2, other, 0, i]
                total[1, i] += votes[number % 2, other, 1, i]
        upward = chances_of_block(
            total[0], total[1], goals, first, size, low, high, most, chances, parts
        )
        draw_choices(chances, lowest_ones(size), mixed(stream), choices)
        choose_samples(choices, mixed(stream + STREAM_STEP), first_clause, chosen)
        stream += STREAM_STEP + STREAM_STEP

        # The clauses are voted with on the next block as soon as they have had the feedback of
        # this one, so that they are looked at once a block.
        next_first = first + size
        next_size = min(block_size, order.size - next_first) if number + 1 < end_block else 0
        if next_size > 0:
            fill_block(next_block, order, next_first, next_size, kind)
        next_votes = votes[(number + 1) % 2]
        next_votes[member] = 0
        step = Step(chosen, upward, next_size, next_votes, member, work)

        # The same three times: where the compiler knows how many planes and words there are, it
        # unrolls the loops over them, and what is never asked for it leaves out.
        usual = automata.shape[1] == 8 and automata.shape[2] == LANES
        if usual and n_patches == 1 and layout == BY_WORDS and most == 1:
            train_clauses(clauses, step, block, next_block, Kind(1, BY_WORDS, 1), rules, together)
        elif usual and layout == BY_TABLES:
            train_clauses(clauses, step, block, next_block, Kind(2, BY_TABLES, 1), rules, together)
        elif usual:
            train_clauses(clauses, step, block, next_block, kind, rules, False)
        else:
            train_clauses(clauses, step, block, next_block, kind, rules, False)
        publish(published, 8 * member, number + 2)
        block, next_block = next_block, block
        first, size = next_first, next_size
    if member == 0:
        # The others have read it long since: they could not have voted otherwise.
        streams[bank] = stream
