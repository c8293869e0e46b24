"""Training a Tsetlin Machine clause by clause, in blocks of up to 64 boards.

The usual way goes through all clauses for every board, so that the whole machine streams
through the cache each time. Here the loops are turned round. A block of boards is stored as
one 64-bit *column* a literal (bit i: is the literal true on board i?), and a clause fires on
the boards that are left when the columns of its included literals are ANDed. The automata of a
clause then stay close while it takes the feedback of the whole block.

What that changes: the votes of a block are those from before the block ("stale votes"), while
a clause always acts on its own newest automata ("fresh clauses"). With blocks of one board it
is the textbook algorithm.

Automata are bit-sliced: bit l of `automata[clause, plane, word]` is a digit of the counter of
literal 64 * word + l, lowest plane first. The top plane is "included". Literals are the bits of
a board and then their negations; words are padded to whole lanes (see `clauseboard.lanes`).

Each class is a machine of its own that votes for or against it, so it is trained on its own,
and only on the boards that concern it: its own boards (goal: +threshold votes) and those for
which it was drawn as the wrong class (goal: -threshold). For regression, all clauses vote for,
and the goal lies between 0 and the threshold. One rule serves both: feedback comes with
probability |goal - votes| / (high - low), and it pushes the votes up where the goal is higher.
(`chances_of_block` takes it down where a block of boards much alike would overshoot.)

Random numbers come from one counter for each bank, from which every clause takes a stream of its
own for every block (`branch`), never one for each thread; and votes are whole numbers. So one seed
gives one machine on any number of threads. `kernels.cu` draws the same numbers on a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.compiled import helper, kernel
from clauseboard.lanes import (
    LANES,
    any_lane,
    every_lane,
    load_lanes,
    no_lanes,
    store_lanes,
    turned_lanes,
)
from clauseboard.words import (
    ALL,
    ONE,
    STREAM_STEP,
    ZERO,
    count_ones,
    look,
    lowest_one,
    mixed,
    publish,
    step_aside,
    transpose,
)

CHANCE_DIGITS = 24
"""Binary digits of the probability with which a clause gets feedback."""

CROWD = 1 << 32
"""Parts the two counts of a crowd."""

CHOICES = 64
"""Sets of boards drawn for each block, of which each clause mixes two."""

COUNT_PLANES = 4
"""Binary digits of a number of forgets."""

MOST_FORGETS = 2**COUNT_PLANES - 1
"""Forgets that are added up before they are taken off at one go."""

FORGET_DIGITS = 20
"""Binary digits of the probability of one forget, 1/specificity."""

POOL_WORDS = 256
"""Words in the pool of forgets at which a draw may start."""

_CHOICES_MASK = np.uint64(CHOICES - 1)
_CHOICES_BITS = np.uint64(6)
_POOL_MASK = np.uint64(POOL_WORDS - 1)
_19, _27, _32 = np.uint64(19), np.uint64(27), np.uint64(32)
_LOW_32 = np.uint64(0xFFFF_FFFF)
_DRAW_FACTOR = np.uint64(747_796_405)
_DRAW_STEP = np.uint64(2_891_336_453)


@helper
def load_block(rows: Any, order: Any, first: int, size: int, block_rows: Any, columns: Any) -> None:
    """Copy boards order[first : first + size] side by side, and turned into columns.

    Bit i of columns[patch, literal] tells whether the literal is true on board i.
    """
    for patch in range(rows.shape[1]):
        for word in range(rows.shape[2]):
            square = columns[patch, 64 * word : 64 * (word + 1)]
            for i in range(size):
                square[i] = rows[order[first + i], patch, word]
                block_rows[i, patch, word] = square[i]
            square[size:] = ZERO
            transpose(square)


@helper
def evaluate(automata: Any, clause: int, columns: Any, boards: Any) -> Any:
    """The ones among some boards of a block on which a clause fires; an empty one on all."""
    top = automata.shape[1] - 1
    fired = ZERO
    for patch in range(columns.shape[0]):
        alive = boards
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
        if fired == boards:
            break
    return fired


@helper
def cast_votes(votes: Any, crowds: Any, fired: Any, weight: int) -> None:
    """Add a clause's weight to the votes of the boards on which it fired.

    `crowds` counts for each board the clauses that fire on it (above `CROWD`) and the boards on
    which these fire in all (below): together how much the boards of a block are alike.
    """
    company = CROWD + count_ones(fired)
    while fired != ZERO:
        board = lowest_one(fired)
        votes[board] += weight
        crowds[board] += company
        fired &= fired - ONE


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
def branch(key: Any, number: int) -> Any:
    """Where a numbered stream begins that branches off another one, of which `key` is mixed."""
    return mixed(key + STREAM_STEP * np.uint64(number))


@helper
def next_draw(draws: Any) -> Any:
    """The next of a clause's draws in a block: 32 bits, of which the upper ones are the better.

    A clause draws but a few times a block, and each time only a place in a pool of random
    numbers. That needs no more than this, and `mixed` is ten times the work on a GPU.
    """
    return (draws * _DRAW_FACTOR + _DRAW_STEP) & _LOW_32


@helper
def draw_place(draws: Any) -> tuple[Any, Any, Any]:
    """A place in the pool of forgets and a turn, so that no two draws look alike.

    Without the turn, each literal would always meet the same few bits of the pool and share
    their bias with the same literal of every other clause.
    """
    draws = next_draw(draws)
    return draws, np.int64((draws >> _19) & _POOL_MASK), draws >> _27


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
    board: int,
    patch: int,
    type_one: Any,
    boost: bool,
    literals: Any,
    pool: Any,
    draws: Any,
) -> Any:
    """Feedback to a clause that fired on a patch of a board; return the draws.

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
        true = load_lanes(rows, board, patch, word)
        excluded = ~load_lanes(automata, clause, top, word)
        recognised = true if boost else true & ~forgotten
        blocking = ~true & excluded & load_lanes(literals, 0, 0, word)
        up = (recognised & first_type) | (blocking & ~first_type)
        step_automata(automata, clause, word, up, ~true & forgotten & first_type)
    return draws


@helper
def firing_patch(automata: Any, clause: int, rows: Any, board: int, draws: Any) -> tuple[Any, int]:
    """One of the patches on which the clause fires, each as likely as the others; -1: none."""
    top = automata.shape[1] - 1
    count = 0
    found = -1
    for patch in range(rows.shape[1]):
        missing = no_lanes()
        for word in range(0, automata.shape[2], LANES):
            included = load_lanes(automata, clause, top, word)
            missing |= included & ~load_lanes(rows, board, patch, word)
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
def count_literals(automata: Any, clause: int) -> int:
    """How many literals a clause includes."""
    total = 0
    for word in range(automata.shape[2]):
        total += count_ones(automata[clause, automata.shape[1] - 1, word])
    return total


@helper
def draw_choice(chances: Any, boards: Any, stream: Any) -> Any:
    """Draw a set of boards that give feedback.

    Bit i of chances[k] is the k-th binary digit of board i's probability. A random number is
    compared with it digit by digit; the first digit in which they differ decides, so that some
    seven random words are enough for 64 boards.
    """
    chosen = ZERO
    undecided = boards
    for digit in range(CHANCE_DIGITS):
        stream += STREAM_STEP
        random = mixed(stream)
        chance = chances[digit]
        chosen |= undecided & chance & ~random
        undecided &= ~(chance ^ random)
        if undecided == ZERO:
            break
    return chosen


@helper
def choose_boards(choices: Any, begin: Any) -> tuple[Any, Any]:
    """Choose the boards that give feedback to one clause: board by board from one of two sets.

    Each board keeps its own probability, and hardly two clauses ever meet the same choice.
    `begin` is where the clause's stream begins; returns its draws for this block, too.
    """
    one = choices[np.int64(begin & _CHOICES_MASK)]
    other = choices[np.int64((begin >> _CHOICES_BITS) & _CHOICES_MASK)]
    return begin >> _32, other ^ ((one ^ other) & mixed(begin + STREAM_STEP))


@helper
def chances_of_block(
    votes: Any,
    crowds: Any,
    goals: Any,
    first: int,
    size: int,
    low: float,
    high: float,
    chances: Any,
) -> Any:
    """Write the digits of each board's feedback probability; return the boards to push up.

    Feedback moves a clause's votes by about one. If so many clauses fire on so many boards of
    the block together that its feedback could carry the votes more than halfway to a goal at
    the other end, which a count after every board would notice, the probability is taken down by
    as much; but a board never counts for less than its share of the boards that are like it.
    """
    chances[:] = ZERO
    upward = ZERO
    halfway = (high - low) / 2
    for i in range(size):
        held = min(max(float(votes[i]), low), high)
        error = goals[first + i] - held
        probability = abs(error) / (high - low)
        firing, together = crowds[i] // CROWD, crowds[i] % CROWD
        if together > halfway:
            probability *= max(halfway, float(firing)) / together
        chance = min(int(probability * (1 << CHANCE_DIGITS)), (1 << CHANCE_DIGITS) - 1)
        board = ONE << np.uint64(i)
        if error > 0:
            upward |= board
        for digit in range(CHANCE_DIGITS):
            if (chance >> (CHANCE_DIGITS - 1 - digit)) & 1:
                chances[digit] |= board
    return upward


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
    literals: Any,
    pool: Any,
    boost: bool,
    weighted: bool,
    most_literals: int,
    draws: Any,
) -> Any:
    """Give one clause the feedback of a block; return the draws.

    Since the votes are those from before the block, a clause may take the boards in an order of
    its own: first those on which it is silent, then the others. So its forgetting is done at
    one go, and only the boards on which it fires are looked at again. Among these, the two types
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
            # The boards that follow meet a wider clause, and where it now fires they are events.
            asleep &= later
            if silent | asleep != ZERO:
                woken = evaluate(automata, clause, columns, silent | asleep)
                events |= woken
                silent &= ~woken
                asleep &= ~woken
    owed = 0
    while events != ZERO:
        board = lowest_one(events)
        events &= events - ONE
        is_one = (type_one >> np.uint64(board)) & ONE
        draws, patch = firing_patch(automata, clause, rows, board, draws)
        if patch < 0:
            owed += int(is_one)
        elif is_one and 0 <= most_literals < count_literals(automata, clause):
            owed += 1
        else:
            if weighted:
                weights[clause] = max(weights[clause] + 2 * np.int64(is_one) - 1, 1)
            draws = respond(
                automata, clause, rows, board, patch, is_one, boost, literals, pool, draws
            )
    while owed > 0:
        times = min(owed, MOST_FORGETS)
        draws = forget(automata, clause, times, pool, draws)
        owed -= times
    return draws


@helper
def lowest_ones(size: int) -> Any:
    """A word with the lowest `size` bits set."""
    return ALL if size >= 64 else (ONE << np.uint64(size)) - ONE


@kernel(
    "void(uint64[:,:,::1], int32[::1], uint64[::1], uint64[::1], int64,"
    " uint64[:,:,::1], int64[::1], float64[::1], int64, int64, int64,"
    " uint64[:,:,::1], uint64[:,:,::1], float64, float64, boolean, boolean, boolean, int64,"
    " int64, int64, int64, int64[:,:,:,::1], int64[::1])"
)
def train_blocks(
    automata: Any,
    weights: Any,
    fires: Any,
    streams: Any,
    bank: int,
    rows: Any,
    order: Any,
    goals: Any,
    block_size: int,
    first_block: int,
    end_block: int,
    literals: Any,
    pool: Any,
    low: float,
    high: float,
    both_signs: bool,
    boost: bool,
    weighted: bool,
    most_literals: int,
    first_clause: int,
    end_clause: int,
    member: int,
    votes: Any,
    published: Any,
) -> None:
    """Train clauses [first_clause, end_clause) of one bank on some blocks of its boards.

    Board order[i] of `rows` (boards × patches × words) has the goal goals[i]. Several threads
    run this at once, each on its own clauses. They meet once a block, to exchange votes:
    `votes[block % 2, member]` holds what this thread's clauses vote on a block and the crowds (see
    `cast_votes`), and `published[8 * member]` counts the blocks voted on (eight apart, so that no
    two threads write to one cache line). `literals` has the bits of real literals set, not the
    padding; `fires` is room for a word a clause.
    """
    columns = np.empty((rows.shape[1], 64 * rows.shape[2]), np.uint64)
    next_columns = np.empty_like(columns)
    block_rows = np.empty((64, rows.shape[1], rows.shape[2]), np.uint64)
    next_rows = np.empty_like(block_rows)
    chances = np.empty(CHANCE_DIGITS, np.uint64)
    choices = np.empty(CHOICES, np.uint64)
    total = np.empty((2, 64), np.int64)
    stream = streams[bank]

    first = first_block * block_size
    size = min(block_size, order.size - first)
    boards = lowest_ones(size)
    load_block(rows, order, first, size, block_rows, columns)
    my_votes, my_crowds = votes[first_block % 2, member, 0], votes[first_block % 2, member, 1]
    my_votes[:] = 0
    my_crowds[:] = 0
    for clause in range(first_clause, end_clause):
        fired = evaluate(automata, clause, columns, boards)
        fires[clause] = fired
        against = both_signs and clause % 2 == 1
        cast_votes(my_votes, my_crowds, fired, -weights[clause] if against else weights[clause])
    publish(published, 8 * member, first_block + 1)

    for block in range(first_block, end_block):
        total[:] = 0
        for other in range(votes.shape[1]):
            while look(published, 8 * other) <= block:
                step_aside()
            total += votes[block % 2, other]
        upward = chances_of_block(total[0], total[1], goals, first, size, low, high, chances)
        key = mixed(stream)
        for n in range(CHOICES):
            choices[n] = draw_choice(chances, boards, branch(key, n))
        key = mixed(stream + STREAM_STEP)
        stream += STREAM_STEP + STREAM_STEP

        # The clauses are voted with on the next block as soon as they have had the feedback of
        # this one, so that they are looked at once a block.
        next_first = first + size
        next_size = min(block_size, order.size - next_first) if block + 1 < end_block else 0
        next_boards = lowest_ones(next_size)
        if next_size > 0:
            load_block(rows, order, next_first, next_size, next_rows, next_columns)
        my_votes, my_crowds = votes[(block + 1) % 2, member, 0], votes[(block + 1) % 2, member, 1]
        my_votes[:] = 0
        my_crowds[:] = 0

        for clause in range(first_clause, end_clause):
            against = both_signs and clause % 2 == 1
            rewarded = ~upward if against else upward
            draws, chosen = choose_boards(choices, branch(key, clause))
            feed_back(
                automata,
                weights,
                clause,
                fires[clause],
                chosen & rewarded,
                chosen & ~rewarded,
                block_rows,
                columns,
                literals,
                pool,
                boost,
                weighted,
                most_literals,
                draws,
            )
            if next_size > 0:
                fired = evaluate(automata, clause, next_columns, next_boards)
                fires[clause] = fired
                cast_votes(
                    my_votes, my_crowds, fired, -weights[clause] if against else weights[clause]
                )
        publish(published, 8 * member, block + 2)
        columns, next_columns = next_columns, columns
        block_rows, next_rows = next_rows, block_rows
        first, size, boards = next_first, next_size, next_boards
    if member == 0:
        # The others have read it long since: they could not have voted otherwise.
        streams[bank] = stream


@kernel("void(uint64[:,:,::1], float64, uint64[::1], int64)")
def fill_pool(pool: Any, chance: float, streams: Any, bank: int) -> None:
    """Fill pool[times - 1, plane] with binary digits of how often `times` forgets come.

    Each bit of a mask is set with probability `chance`, drawn digit by digit from the lowest
    one on; the numbers are running sums of the masks.
    """
    digits = np.int64(chance * (1 << FORGET_DIGITS) + 0.5)
    key = mixed(streams[bank])
    for word in range(pool.shape[2]):
        stream = branch(key, word)
        for plane in range(COUNT_PLANES):
            pool[0, plane, word] = ZERO
        for times in range(pool.shape[0]):
            carry = ALL if digits >> FORGET_DIGITS else ZERO
            for digit in range(FORGET_DIGITS):
                stream += STREAM_STEP
                if (digits >> digit) & 1 or digits >> FORGET_DIGITS:
                    carry |= mixed(stream)
                else:
                    carry &= mixed(stream)
            for plane in range(COUNT_PLANES):
                before = pool[max(times - 1, 0), plane, word]
                pool[times, plane, word] = before ^ carry
                carry &= before
    streams[bank] += STREAM_STEP
