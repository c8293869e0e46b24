"""Alpha-beta with its own stack, which can be stopped at any node and taken up again.

Scores are whole numbers for the side to move: a judgement is `ONE_POINT` times its value, a win
`WIN` less the moves to it, counted from the root, so that the shortest win is the best one. Every
board after the first move of a node is searched with an empty window (does it beat the best so
far?), and once more with the full one if it does (principal variation search).

Everything the search has to remember lies in arrays that Python keeps: `control`, and those of
`SearchPath`, `SearchRoot` and `SearchMemory`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from clauseboard.kernels.clause_table import TILE_WORDS
from clauseboard.kernels.compiler import helper, kernel, tuple_of
from clauseboard.kernels.evaluators import (
    COMPILED,
    CONCEPTS,
    KIND,
    N_OUTPUTS,
    VIEW,
    concept_value,
    value_of,
)
from clauseboard.search.alpha_beta import (
    INFINITE,
    ONE_POINT,
    SURE,
    WIN,
    SearchJudges,
    SearchMemory,
    SearchPath,
    SearchRoot,
)
from clauseboard.search.compiled_rules import DRAW, WITHOUT_CONCEPTS, stack_of

# ruff: noqa: F821 (`rules` is put here when the kernels are compiled for a game)
rules: Any
without: str
"""`WITHOUT_CONCEPTS` for evaluators that count none: with the code for it the search is slower."""

(
    DEPTH, ALPHA, BETA, FIRST_ALPHA, BEST, BEST_MOVE, N_MOVES, NEXT, EMPTY, REDUCED, WHOLE, CALM,
) = range(12)  # fmt: skip
FRAME = 12
"""A board on the path: depth left, window, the best so far, moves; whether the window of the board
below is the empty one, by how much it is searched less deep, whether it must be searched in full
depth; and whether moves here may be searched less deep at all."""

(
    PLY, ENTERING, NODES, STOP_AT, JUDGED, QUIESCENCE, ENDGAMES, EVERY_MOVE, DRAWN, TIMES, AGE,
    GRAIN, SELECTIVE, MARGIN,
) = range(14)  # fmt: skip
CONTROL = 14
"""Where the search stands, and what it was asked for."""

UPPER, LOWER, EXACT = 1, 2, 3
"""What a score in the table or of a move at the root is: a bound from above or below, or exact."""

KILLER = 1 << 58
"""The promise of a move that refuted a board beside this one; from there on a move is promising."""

LEAST_DEPTH, FULL_MOVES, MORE_AT, MORE_DEPTH = 3, 2, 5, 6
"""Selective: where moves are searched less deep at first, and from which move on."""

CLEAR_DEPTH, CLEAR_MOVES = 4, 2
"""A board that is clearly above or below what is asked is searched less deep, from a depth on."""

MARKS = 4096
"""Places that mark, by the last bits of their keys, boards on the path and before it."""

_MARK = np.uint64(MARKS - 1)
_0, _16, _24, _30, _32 = (np.uint64(n) for n in (0, 16, 24, 30, 32))
_BYTE, _PAIR, _CODE = np.uint64(0xFF), np.uint64(3), np.uint64(0xFFFF)

REPEATS = rules.REPEATS
MUST_CAPTURE = getattr(rules, "MUST_CAPTURE", False)
"""Only where captures must be made does the search go on with them: otherwise it would not end."""


STATES, SCRATCHES = stack_of(rules.STATE), stack_of(rules.SCRATCH)
FLAT = rules.STATE.partition("[")[0] + "[:,::1]"


_ROWS, _WORDS = "int64[:,::1]", "uint64[:,::1]"
PATH = tuple_of(SearchPath, _ROWS, _WORDS, _ROWS, STATES, FLAT, SCRATCHES, _ROWS, _ROWS)
ROOT = tuple_of(SearchRoot, "int64[::1]", _ROWS, _ROWS, "uint64[::1]", "int64[::1]")
MEMORY = tuple_of(SearchMemory, _ROWS, _ROWS, _WORDS, _WORDS)


if hasattr(rules, "table_key"):
    table_key = rules.table_key
else:

    @helper
    def table_key(state, settings):
        """A hash of all that the value of a state hangs on."""
        return rules.key(state)


HAS_CONCEPTS = hasattr(rules, "count_concepts") and without != WITHOUT_CONCEPTS
N_COUNTS = 2 * getattr(rules, "N_CONCEPTS", 1)


# ---- the table: a key, and a word of score, depth, kind of score, age and move; in pairs


@helper
def find_entry(table, key):
    """The row of a key; -1 if it has none."""
    row = np.int64(key & np.uint64(table.shape[0] - 2))
    if table[row, 0] == key:
        return row
    if table[row + 1, 0] == key:
        return row + 1
    return -1


@helper
def from_root(score, ply: int):
    """A score of the table, where wins are counted from the board itself, as one of the search."""
    if score > SURE:
        return score - ply
    if score < -SURE:
        return score + ply
    return score


@helper
def store(table, key, depth: int, kind: int, score: int, code: int, age: int) -> None:
    """Keep a score: in place of the same board, of one of an earlier search, or of less depth."""
    row = np.int64(key & np.uint64(table.shape[0] - 2))
    if table[row, 0] != key:
        old, other = table[row, 1], table[row + 1, 1]
        worth = np.int64((old >> _16) & _BYTE) + (256 if np.int64(old >> _24) & 63 == age else 0)
        beside = np.int64((other >> _16) & _BYTE)
        beside += 256 if np.int64(other >> _24) & 63 == age else 0
        if table[row + 1, 0] == key or beside < worth:
            row += 1
    table[row, 0] = key
    table[row, 1] = (
        (np.uint64(score + INFINITE) << _32)
        | (np.uint64(kind) << _30)
        | (np.uint64(age) << _24)
        | (np.uint64(depth) << _16)
        | np.uint64(code)
    )


# ---- one board


@helper
def judge(state, settings, key, judged, judges, grain: int):
    """The score of a board by the evaluator; `judged` remembers some, if it has room."""
    row = np.int64(key & np.uint64(judged.shape[0] - 1))
    if judged.shape[0] > 1 and judged[row, 0] == key:
        return np.int64(judged[row, 1]) - INFINITE
    side = rules.side_to_move(state)
    evaluator = judges.first if side == 0 else judges.second
    if HAS_CONCEPTS and evaluator[KIND] == CONCEPTS:
        rules.count_concepts(state, judges.counts)
        value = concept_value(evaluator, side, judges.counts)
    else:
        rules.write_bits(state, settings, evaluator[VIEW], judges.features)
        value = value_of(evaluator, side, judges.features, judges.fired, judges.votes)
    score = np.int64(math.floor(value * ONE_POINT / grain + 0.5)) * grain
    if judged.shape[0] > 1:
        judged[row, 0] = key
        judged[row, 1] = np.uint64(score + INFINITE)
    return score


@helper
def times_before(key, keys, ply: int, before, marks) -> int:
    """How often a board was on the path or in the game before."""
    times = 0
    if marks[np.int64(key & _MARK)] > 0:
        for earlier in range(ply - 2, -1, -2):
            times += keys[earlier, 0] == key
        for i in range(before.shape[0]):
            times += before[i] == key
    return times


@helper
def bring_up(codes, order, ply: int, at: int, n: int) -> int:
    """Bring the most promising move that is left to the place `at`; its code."""
    best = at
    for i in range(at + 1, n):
        if order[ply, i] > order[ply, best]:
            best = i
    code = codes[ply, best]
    # Those before it move up by one, so that equals stay in their order.
    promise = order[ply, best]
    for i in range(best, at, -1):
        codes[ply, i], order[ply, i] = codes[ply, i - 1], order[ply, i - 1]
    codes[ply, at], order[ply, at] = code, promise
    return code


@helper
def give_order(codes, order, ply: int, n: int, favourite: int, killers, history, side: int) -> None:
    """How promising moves are: the table's, then those that refuted boards beside this one."""
    for i in range(n):
        code = codes[ply, i]
        if code == favourite:
            order[ply, i] = 1 << 60
        elif code == killers[ply, 0]:
            order[ply, i] = 1 << 59
        elif code == killers[ply, 1]:
            order[ply, i] = KILLER
        else:
            order[ply, i] = history[side, code]


@helper
def has_refuted(code: int, ply: int, depth: int, killers, history, side: int) -> None:
    """Remember a move that was too good to be allowed."""
    if killers[ply, 0] != code:
        killers[ply, 1] = killers[ply, 0]
        killers[ply, 0] = code
    history[side, code] += max(depth, 1) ** 2


@helper
def less_deep(frame, promise: int) -> int:
    """By how much the board after the next move is searched less deep at first.

    Moves that nothing speaks for are seldom the best: they are looked at in full depth only if the
    shorter look likes them.
    """
    if frame[CALM] == 0 or frame[EMPTY] == 0 or frame[WHOLE] != 0 or promise >= KILLER:
        return 0
    if frame[NEXT] < FULL_MOVES:
        return 0
    return 1 + (1 if frame[NEXT] >= MORE_AT and frame[DEPTH] >= MORE_DEPTH else 0)


# ---- the search


@helper
def advance(control, path, start, memory, judges, settings, knowledge) -> bool:
    """Search on; whether the search is finished, and not only stopped.

    A helper, and not a part of `search`, since it does not count references to arrays, which would
    cost a fifth of the speed.
    """
    frames, keys, lines, states, flat, scratches, codes, order = path
    root, found, root_lines, before, marks = start
    killers, history, table, judged = memory
    ply, entering, nodes = control[PLY], control[ENTERING] != 0, control[NODES]
    has_table = table.shape[0] > 1
    needs_key = REPEATS or judged.shape[0] > 1
    last = frames.shape[0] - 1
    score: Any = 0
    while True:
        frame = frames[ply]
        settled = True
        if entering:
            if nodes >= control[STOP_AT]:
                control[PLY], control[ENTERING], control[NODES] = ply, 1, nodes
                return False
            nodes += 1
            entering = False
            state, scratch, depth = states[ply], scratches[ply], frame[DEPTH]
            drawn = -control[DRAWN] if ply & 1 == 1 else control[DRAWN]
            key = _0
            times = 0
            if needs_key:
                key = rules.key(state)
                keys[ply, 0] = key
            if REPEATS and ply > 0:
                times = times_before(key, keys, ply, before, marks)
            sure, sign, distance = False, 0, 0
            if ply > 0 and control[ENDGAMES] != 0 and times < control[TIMES]:
                sure, sign, distance = rules.exact_value(state, settings, knowledge)
            rests = False
            if depth <= 0 and times == 0 and not sure:
                rests = rules.at_rest(state, settings)
            n = 0
            if not sure and not rests:
                n = rules.list_moves(state, settings, scratch, codes[ply])
            if sure:
                score = drawn if sign == 0 else sign * (WIN - ply - distance)
            elif not rests and n == 0:
                winner = rules.result(state, settings, scratch)
                if winner == DRAW:
                    score = drawn
                else:
                    score = WIN - ply if winner == rules.side_to_move(state) else ply - WIN
            elif times > 0:
                score = drawn
            elif (
                rests
                or ply == last
                or (
                    depth <= 0
                    and (
                        not MUST_CAPTURE
                        or control[QUIESCENCE] == 0
                        or rules.is_quiet(state, settings, scratch)
                    )
                )
            ):
                control[JUDGED] += 1
                score = judge(state, settings, key, judged, judges, control[GRAIN])
            else:
                settled = False
                favourite: Any = -1
                if ply == 0:
                    n = root.shape[0]
                    for i in range(n):
                        codes[0, i] = root[i]
                        order[0, i] = n - i
                else:
                    if (
                        control[MARGIN] > 0
                        and depth >= CLEAR_DEPTH
                        and frame[BETA] - frame[ALPHA] == 1
                        and abs(frame[ALPHA]) < SURE
                        and (not MUST_CAPTURE or rules.is_quiet(state, settings, scratch))
                    ):
                        control[JUDGED] += 1
                        static = judge(state, settings, key, judged, judges, control[GRAIN])
                        if abs(static - frame[ALPHA]) > control[MARGIN]:
                            depth -= CLEAR_MOVES
                            frame[DEPTH] = depth
                    if has_table and depth > 0:
                        wanted = table_key(state, settings)
                        keys[ply, 1] = wanted
                        row = find_entry(table, wanted)
                        if row >= 0:
                            word = table[row, 1]
                            favourite = np.int64(word & _CODE)
                            # Other depths tell of another search, and an exact score tells no
                            # line, which boards with an open window have to have.
                            searched = np.int64((word >> _16) & _BYTE)
                            if frame[BETA] - frame[ALPHA] == 1 and (
                                searched == depth or (control[SELECTIVE] != 0 and searched > depth)
                            ):
                                kept = from_root(np.int64(word >> _32) - INFINITE, ply)
                                kind = np.int64((word >> _30) & _PAIR)
                                if (kept >= frame[BETA] and kind & LOWER != 0) or (
                                    kept <= frame[ALPHA] and kind & UPPER != 0
                                ):
                                    settled = True
                                    score = kept
                    if not settled:
                        side = rules.side_to_move(state)
                        give_order(codes, order, ply, n, favourite, killers, history, side)
                if not settled:
                    frame[FIRST_ALPHA] = frame[ALPHA]
                    frame[BEST] = -INFINITE
                    frame[BEST_MOVE] = -1
                    frame[N_MOVES] = n
                    frame[NEXT] = 0
                    frame[EMPTY] = 0
                    frame[WHOLE] = 0
                    frame[CALM] = (
                        control[SELECTIVE] != 0
                        and ply > 0
                        and depth >= LEAST_DEPTH
                        and (not MUST_CAPTURE or rules.is_quiet(state, settings, scratch))
                    )
                    if REPEATS:
                        marks[np.int64(key & _MARK)] += 1
            if settled:
                lines[ply, ply] = -1
        else:
            # The board below has its score.
            value = -score
            at = frame[NEXT]
            code = codes[ply, at]
            alpha = frame[ALPHA]
            settled = False
            if frame[REDUCED] != 0 and value > alpha:
                frame[WHOLE] = 1  # once more, in full depth
            elif frame[EMPTY] != 0 and alpha < value < frame[BETA]:
                frame[EMPTY] = 0  # once more, with the full window
                frame[WHOLE] = 1
            else:
                if ply == 0:
                    found[at, 0] = value
                    # The full window, too, may give a bound only, if the table has lost meanwhile
                    # what made the move look better; then there is no line to it.
                    bounds = frame[EMPTY] != 0 or (value <= alpha and control[EVERY_MOVE] == 0)
                    found[at, 1] = UPPER if bounds else EXACT
                if value > frame[BEST]:
                    frame[BEST] = value
                    frame[BEST_MOVE] = code
                    if value > alpha or ply == 0:
                        lines[ply, ply] = code
                        i = ply + 1
                        while i < last and lines[ply + 1, i] >= 0:
                            lines[ply, i] = lines[ply + 1, i]
                            i += 1
                        lines[ply, i] = -1
                    if value > alpha:
                        frame[ALPHA] = value
                if ply == 0 and found[at, 1] == EXACT:
                    root_lines[at, 0] = code
                    i = 1
                    while i < last and lines[1, i] >= 0:
                        root_lines[at, i] = lines[1, i]
                        i += 1
                    root_lines[at, i] = -1
                frame[NEXT] = at + 1
                frame[WHOLE] = 0
                # With all moves of the root to be told exactly, each is searched as if it were
                # the first one.
                frame[EMPTY] = 0 if ply == 0 and control[EVERY_MOVE] != 0 else 1
                refuted = frame[BEST] >= frame[BETA]
                if refuted or at + 1 == frame[N_MOVES]:
                    settled = True
                    score = frame[BEST]
                    if REPEATS:
                        marks[np.int64(keys[ply, 0] & _MARK)] -= 1
                    if refuted:
                        side = rules.side_to_move(states[ply])
                        has_refuted(code, ply, frame[DEPTH], killers, history, side)
                    if has_table and ply > 0 and frame[DEPTH] > 0:
                        low = score <= frame[FIRST_ALPHA]
                        bound = LOWER if refuted else UPPER if low else EXACT
                        kept = from_root(score, -ply)
                        store(
                            table, keys[ply, 1], frame[DEPTH], bound, kept, frame[BEST_MOVE],
                            control[AGE],
                        )  # fmt: skip
        if settled:
            if ply == 0:
                control[PLY], control[ENTERING], control[NODES] = 0, 1, nodes
                return True
            ply -= 1
            continue
        # Go down to the next board.
        code = bring_up(codes, order, ply, frame[NEXT], frame[N_MOVES])
        for i in range(flat.shape[1]):
            flat[ply + 1, i] = flat[ply, i]
        rules.play(states[ply + 1], settings, scratches[ply], code)
        below = frames[ply + 1]
        frame[REDUCED] = less_deep(frame, order[ply, frame[NEXT]])
        below[DEPTH] = frame[DEPTH] - 1 - frame[REDUCED]
        alpha, beta = frame[ALPHA], frame[BETA]
        if ply == 0 and control[EVERY_MOVE] != 0:
            alpha = -INFINITE
        below[ALPHA] = -(alpha + 1) if frame[EMPTY] != 0 else -beta
        below[BETA] = -alpha
        ply += 1
        entering = True


@kernel(
    f"boolean(int64[::1], {PATH}, {ROOT}, {MEMORY}, int64[::1], {COMPILED}, {COMPILED},"
    f" {rules.KNOWLEDGE}, int64)"
)
def search(
    control, path, root, memory, settings, first, second,
    knowledge, n_bytes: int,
) -> bool:  # fmt: skip
    """Search on until the iteration is finished (True) or `control[STOP_AT]` nodes are visited.

    `path.states` begins with the root; `path.lines[0]` becomes the best line.
    """
    judges = SearchJudges(
        first,
        second,
        np.zeros((1, 1, n_bytes), np.uint8),
        np.zeros((1, 1, TILE_WORDS), np.uint64),
        np.zeros((1, max(first[N_OUTPUTS], second[N_OUTPUTS])), np.int64),
        np.zeros(N_COUNTS, np.int64),
    )
    return advance(control, path, root, memory, judges, settings, knowledge)
