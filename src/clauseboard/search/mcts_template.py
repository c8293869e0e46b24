"""The kernels of Monte-Carlo tree search, compiled for each game; `mcts` tells what they do.

A tree is flat arrays with a place for each node; the root is at 0, and the children of a node lie
side by side. For each node:

- `VISITS`: how many simulations went through it;
- `TOTALS`: the sum of their values, each for the side that moved *to* the node;
- `CODES`: the move that leads to it;
- `FIRST`, `COUNTS`: where its children are (0: it has none yet), and how many;
- `TRIED`: how many of them have been visited. These come first; the others are in any order;
- `PROOFS`: its value if that is certain, for the side that moved to it, or `OPEN`;
- `PRIORS`: how likely its move was to be the best, or an array of one number if nobody tells;
- `LATER_VISITS`, `LATER_TOTALS`: in how many random games the side that may move to it made this
  move at any time later, and the sum of their values (RAVE); arrays of one number if not asked for;
- `BONUSES`: what points and a judge of boards, beside who won, have added to `TOTALS`; one number
  if neither counts;
- `SAID`: what a judge of boards says of it, for the side that moved to it, or `UNREAD`; one number
  if there is no such judge.

The sides take turns in every game, so that a value changes its sign at every step.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from clauseboard.explanation import UNIT
from clauseboard.kernels.bits import STREAM_STEP, copy_into, mixed
from clauseboard.kernels.clause_table import TILE_WORDS
from clauseboard.kernels.compiler import helper, kernel
from clauseboard.kernels.evaluators import (
    COMPILED,
    CONCEPTS,
    KIND,
    MOVE_FEATURES,
    N_OUTPUTS,
    SCALE,
    VIEW,
    add_up_clauses,
    concept_value,
    concept_votes,
    value_of,
)

# ruff: noqa: F821 (`rules` is put here when the kernels are compiled for a game)
rules: Any
without: str
"""`compiled_rules.WITHOUT_CONCEPTS` for evaluators that count none: these take long to compile."""

TREE = (
    "Tuple((int32[::1], float64[::1], int32[::1], int32[::1], int32[::1], int32[::1], int8[::1],"
    " float64[::1], int32[::1], float64[::1], float32[::1], float32[::1]))"
)
VISITS, TOTALS, CODES, FIRST, COUNTS, TRIED, PROOFS, PRIORS = range(8)
LATER_VISITS, LATER_TOTALS, BONUSES, SAID = 8, 9, 10, 11

OPEN = 2
"""The proof of a node whose value is not certain; others are -1, 0, 1."""

UNREAD = 2.0
"""What is said of a node that the judge has not looked at."""

USED, NEW_ROOT, SIMULATIONS, POSITIONS, DEEPEST = range(5)
TALLY = 5
"""The tally: places of the tree in use, whether the moves of the root have no priors yet;
simulations, positions walked through, and the longest walk."""

_32 = np.uint64(32)


@helper
def _no_move_features(state, settings, scratch, code: int, features) -> None:
    """For a game that does not tell what is around a move."""


@helper
def _no_noting(state, settings, scratch, counter, noted):
    """For a game that does not note who played where in a random game."""
    return 0, counter


@helper
def _no_answering(state, settings, scratch, counter, noted, answers):
    """For a game whose random games do not answer by shapes."""
    return 0, counter


@helper
def _no_counts(state, settings, room, counts) -> None:
    """For a game whose concepts are not counted here."""


@helper
def _not_settled(state, settings, counts) -> int:
    """For a game in which concepts prove nothing."""
    return OPEN


@helper
def _all_moves(state, settings, room, codes, count: int) -> int:
    """For a game in which every move is worth a try."""
    return count


@helper
def _no_margin(state, settings) -> float:
    """For a game that is won or lost, but not by points."""
    return 0.0


@helper
def _drawn(settings) -> int:
    """For a game in which a board that comes up again is a draw."""
    return 0


@helper
def _no_owners(state, settings, owned) -> None:
    """For a game in which points are not owned in the end."""


HAS_CONCEPTS = hasattr(rules, "count_state") and without != "concepts"
N_COUNTS = 2 * getattr(rules, "N_CONCEPTS", 1) if HAS_CONCEPTS else 2
CONCEPT_ROOM = getattr(rules, "CONCEPT_ROOM", "int64[::1]") if HAS_CONCEPTS else "int64[::1]"
count_state = getattr(rules, "count_state", _no_counts) if HAS_CONCEPTS else _no_counts
settled = getattr(rules, "settled", _not_settled) if HAS_CONCEPTS else _not_settled
worth_trying = getattr(rules, "worth_trying", _all_moves) if HAS_CONCEPTS else _all_moves

MOVE_FEATURE_BYTES = getattr(rules, "MOVE_FEATURE_BYTES", 1)
write_move_features = getattr(rules, "write_move_features", _no_move_features)
play_out_noting = getattr(rules, "play_out_noting", _no_noting)
play_out_answering = getattr(rules, "play_out_answering", _no_answering)
note_owners = getattr(rules, "note_owners", _no_owners)
margin_share = getattr(rules, "margin_share", _no_margin)
repeating = getattr(rules, "repeating", _drawn)


@helper
def add_children(tree, tally, node: int, codes, count: int) -> bool:
    """Give a node its children; whether there was room for them."""
    first = tally[USED]
    if first + count > tree[VISITS].shape[0]:
        return False
    for n in range(count):
        child = first + n
        tree[VISITS][child] = 0
        tree[TOTALS][child] = 0.0
        tree[CODES][child] = codes[n]
        tree[FIRST][child] = 0
        tree[COUNTS][child] = 0
        tree[TRIED][child] = 0
        tree[PROOFS][child] = OPEN
        if tree[LATER_VISITS].shape[0] > 1:
            tree[LATER_VISITS][child] = 0
            tree[LATER_TOTALS][child] = 0.0
        if tree[BONUSES].shape[0] > 1:
            tree[BONUSES][child] = 0.0
        if tree[SAID].shape[0] > 1:
            tree[SAID][child] = UNREAD
    tree[FIRST][node] = first
    tree[COUNTS][node] = count
    tally[USED] = first + count
    return True


@helper
def judged(
    first, second, state, settings, features, fired, votes,
    room, counts, counted: bool,
) -> float:  # fmt: skip
    """What the evaluator of the side to move says, for that side.

    `counted`: its concepts are in `counts` already.
    """
    side = rules.side_to_move(state)
    judge = first if side == 0 else second
    if HAS_CONCEPTS and judge[KIND] == CONCEPTS:
        if not counted:
            count_state(state, settings, room, counts)
        return concept_value(judge, side, counts)
    rules.write_bits(state, settings, judge[VIEW], features)
    return value_of(judge, side, features, fired, votes)


@helper
def give_priors(
    tree, node: int, first_judge, second_judge, state, settings,
    scratch, features, move_bits, fired, votes,
) -> None:  # fmt: skip
    """Turn the votes for each child's code into shares of 1 (softmax).

    A table has an output for each code, or one for what is seen around a move (`MOVE_FEATURES`).
    """
    judge = first_judge if rules.side_to_move(state) == 0 else second_judge
    first = tree[FIRST][node]
    last = first + tree[COUNTS][node]
    priors = tree[PRIORS]
    if judge[KIND] == MOVE_FEATURES:
        for child in range(first, last):
            write_move_features(state, settings, scratch, np.int64(tree[CODES][child]), move_bits)
            add_up_clauses(judge, move_bits, fired, votes)
            priors[child] = np.float64(votes[0, 0])
    else:
        rules.write_bits(state, settings, judge[VIEW], features)
        add_up_clauses(judge, features, fired, votes)
        for child in range(first, last):
            priors[child] = np.float64(votes[0, tree[CODES][child]])
    most = priors[first]
    for child in range(first, last):
        most = max(most, priors[child])
    total = 0.0
    for child in range(first, last):
        share = math.exp((priors[child] - most) / judge[SCALE])
        priors[child] = share
        total += share
    for child in range(first, last):
        priors[child] /= total


@helper
def try_another(tree, node: int, counter):
    """Draw one of the children that were not visited yet; it is moved to the end of those tried."""
    tried = tree[TRIED][node]
    left = np.uint64(tree[COUNTS][node] - tried)
    counter += STREAM_STEP
    child = np.int64(tree[FIRST][node] + tried)
    drawn = child + np.int64(((mixed(counter) >> _32) * left) >> _32)
    codes = tree[CODES]
    codes[child], codes[drawn] = codes[drawn], codes[child]
    tree[TRIED][node] = tried + 1
    return child, counter


@helper
def best_by_bound(tree, node: int, exploration: float):
    """The child with the highest upper bound (UCT): its mean value, more if it was seldom tried."""
    visits, totals, proofs = tree[VISITS], tree[TOTALS], tree[PROOFS]
    first: Any = np.int64(tree[FIRST][node])
    width = exploration * math.sqrt(math.log(np.float64(visits[node])))
    best, highest = first, -np.inf
    for child in range(first, first + tree[COUNTS][node]):
        if proofs[child] != -1:
            times = np.float64(visits[child])
            bound = totals[child] / times + width / math.sqrt(times)
            if bound > highest:
                best, highest = child, bound
    return best


@helper
def best_by_prior(tree, node: int, weight: float, rave: float):
    """The child with the highest bound by its prior (PUCT); untried, it has its parent's mean.

    With `rave`, what followed where its move was made later counts as well, the less the more often
    the child itself was visited: at `rave` visits both count alike.
    """
    visits, totals, proofs = tree[VISITS], tree[TOTALS], tree[PROOFS]
    first: Any = np.int64(tree[FIRST][node])
    times = np.float64(visits[node])
    width = weight * math.sqrt(max(times, 1.0))
    mean = -totals[node] / times if times > 0.0 else 0.0
    best, highest = first, -np.inf
    for child in range(first, first + tree[COUNTS][node]):
        if proofs[child] != -1:
            value, bonus = mean, width * tree[PRIORS][child]
            later = 0.0
            if rave > 0.0 and tree[LATER_VISITS][child] > 0:
                later = tree[LATER_TOTALS][child] / np.float64(tree[LATER_VISITS][child])
            # Most children are untried: they need no root and no other quotient.
            if visits[child] > 0:
                tried = np.float64(visits[child])
                value = totals[child] / tried
                bonus /= 1.0 + tried
                if rave > 0.0 and tree[LATER_VISITS][child] > 0:
                    value += math.sqrt(rave / (3.0 * tried + rave)) * (later - value)
            elif rave > 0.0 and tree[LATER_VISITS][child] > 0:
                value += later - value
            bound = value + bonus
            if bound > highest:
                best, highest = child, bound
    return best


@helper
def note_later(tree, path, depth: int, side: int, value: float, noted) -> None:
    """Count a random game for every child, on the way, whose move was made by its side later on.

    `noted[code]` is the side that played there first in the random game, or -1; moves made on the
    way are added. `side` is to move at the end of the way, and `value` is for the other one.
    """
    while depth >= 0:
        node = path[depth]
        first = np.int64(tree[FIRST][node])
        if first != 0:
            for child in range(first, first + tree[COUNTS][node]):
                # Without a branch: half of the moves are the side's, and nobody can guess which.
                is_made = noted[tree[CODES][child]] == side
                tree[LATER_VISITS][child] += is_made
                tree[LATER_TOTALS][child] -= value if is_made else 0.0
        side, value = 1 - side, -value
        if depth > 0:
            noted[tree[CODES][node]] = side
        depth -= 1


@helper
def has_come_up(keys, depth: int, before) -> bool:
    """Whether the last board of a walk was there before, in the walk or in the game."""
    for n in range(depth):
        if keys[n] == keys[depth]:
            return True
    for n in range(before.shape[0]):  # noqa: SIM110 (kernels have no generators)
        if before[n] == keys[depth]:
            return True
    return False


@helper
def proof_of(
    state, settings, scratch, knowledge, codes, keys, depth: int,
    before,
) -> int:  # fmt: skip
    """What is certain about a new node, for the side that moved to it; or `OPEN`."""
    side = rules.side_to_move(state)
    if rules.list_moves(state, settings, scratch, codes) == 0:
        winner = rules.result(state, settings, scratch)
        if winner == side:
            return -1
        return 1 if winner == 1 - side else 0
    if rules.REPEATS and has_come_up(keys, depth, before):
        return repeating(settings)
    sure, value, _ = rules.exact_value(state, settings, knowledge)
    return -value if sure else OPEN


@helper
def prove(tree, path, depth: int) -> None:
    """Pass a proof up: a move that wins proves its node, and so do moves that are all proven."""
    proofs = tree[PROOFS]
    while depth > 0 and proofs[path[depth]] != OPEN:
        parent = path[depth - 1]
        best = np.int64(proofs[path[depth]])
        if best != 1:
            first = np.int64(tree[FIRST][parent])
            for child in range(first, first + tree[COUNTS][parent]):
                if proofs[child] == OPEN:
                    return
                best = max(best, np.int64(proofs[child]))
        proofs[parent] = -best
        depth -= 1


@kernel(
    f"uint64({rules.STATE}, int64[::1], {rules.SCRATCH}, {rules.KNOWLEDGE}, {COMPILED},"
    f" {COMPILED}, {COMPILED}, {COMPILED}, {COMPILED}, {TREE}, int64[::1], uint64[::1], int64,"
    f" int64, int64, int64, float64, float64, float64, float64, int64, int64, float64, float64,"
    f" int64, uint16[::1], int64, {CONCEPT_ROOM}, boolean, int32[:, ::1], uint64)"
)
def simulate(
    root,
    settings,
    scratch,
    knowledge,
    first,
    second,
    first_priors,
    second_priors,
    judge,
    tree,
    tally,
    before,
    most_moves: int,
    n_bytes: int,
    simulations: int,
    most_positions: int,
    exploration: float,
    prior_weight: float,
    rave: float,
    judged_share: float,
    judged_from: int,
    expand_from: int,
    mix: float,
    score: float,
    rollouts: int,
    answers,
    most_depth: int,
    room,
    settles: bool,
    owned,
    counter,
):
    """Walk down the tree so many times, each time to a new node; the counter of random numbers.

    Stops early when the root is proven, or when so many positions were walked through in all.
    If it `settles`, and the evaluator counts concepts, these also prove nodes; the root is never
    proven by itself, since one of its moves is wanted.
    Row `code` of `owned` counts for every point how many random games after that move of the root
    ended with it as the first side's, less those of the second side; and these games, at its end.
    Without rows nothing is counted. `score` is the share of the points in the worth of a random
    game, beside who won it. `judged_share` is that of what the judge of boards says of the last
    node on the way that was visited `judged_from` times or more. A node gets its children when it
    is visited for the `expand_from`th time, from 2 on.
    """
    visits, totals, proofs = tree[VISITS], tree[TOTALS], tree[PROOFS]
    uses_priors = prior_weight > 0.0
    state, rolled = np.empty_like(root), np.empty_like(root)
    codes = np.empty(most_moves, np.int64)
    path = np.empty(most_depth + 1, np.int64)
    keys = np.empty(most_depth + 1, np.uint64)
    features = np.empty((1, 1, n_bytes), np.uint8)
    move_bits = np.empty((1, 1, MOVE_FEATURE_BYTES), np.uint8)
    noted = np.empty(most_moves, np.int8)
    fired = np.empty((1, 1, TILE_WORDS), np.uint64)
    outputs = max(max(first[N_OUTPUTS], second[N_OUTPUTS]), first_priors[N_OUTPUTS])
    votes = np.zeros((1, max(outputs, second_priors[N_OUTPUTS])), np.int64)
    counts = np.zeros(N_COUNTS, np.int64)
    has_concepts = HAS_CONCEPTS and mix < 1.0 and first[KIND] == CONCEPTS
    if has_concepts and visits[0] == 0:
        for n in range(tree[COUNTS][0]):
            codes[n] = tree[CODES][tree[FIRST][0] + n]
        tree[COUNTS][0] = worth_trying(root, settings, room, codes, np.int64(tree[COUNTS][0]))
        for n in range(tree[COUNTS][0]):
            tree[CODES][tree[FIRST][0] + n] = codes[n]

    for _ in range(simulations):
        if proofs[0] != OPEN or tally[POSITIONS] >= most_positions:
            break
        copy_into(state, root)
        node, depth = 0, 0
        path[0] = 0
        if rules.REPEATS:
            keys[0] = rules.key(state)
        # Down, as long as there are children.
        read_at = 0
        while depth < most_depth and proofs[node] == OPEN:
            listed = False
            if HAS_CONCEPTS and judged_share > 0.0 and depth > 0 and visits[node] >= judged_from:
                if tree[SAID][node] == UNREAD:
                    count_state(state, settings, room, counts)
                    said = concept_votes(judge, rules.side_to_move(state), counts)
                    tree[SAID][node] = -math.tanh(said / (2 * UNIT))
                read_at = depth
            if tree[FIRST][node] == 0:
                if visits[node] + 1 < expand_from:
                    break
                count = rules.list_moves(state, settings, scratch, codes)
                listed = True
                if has_concepts:
                    count = worth_trying(state, settings, room, codes, count)
                if not add_children(tree, tally, node, codes, count):
                    break
            if uses_priors:
                if listed or (node == 0 and tally[NEW_ROOT] != 0):
                    give_priors(
                        tree, node, first_priors, second_priors, state, settings, scratch,
                        features, move_bits, fired, votes,
                    )  # fmt: skip
                    if node == 0:
                        tally[NEW_ROOT] = 0
                node = best_by_prior(tree, node, prior_weight, rave)
            elif tree[TRIED][node] < tree[COUNTS][node]:
                node, counter = try_another(tree, node, counter)
            else:
                node = best_by_bound(tree, node, exploration)
            if rules.PLAY_NEEDS_MOVES and not listed:
                rules.list_moves(state, settings, scratch, codes)
            rules.play(state, settings, scratch, np.int64(tree[CODES][node]))
            depth += 1
            path[depth] = node
            if rules.REPEATS:
                keys[depth] = rules.key(state)

        # What the position there is worth, for the side that moved to it.
        value, added = 0.0, 0.0
        counted = False
        if visits[node] == 0:
            proofs[node] = proof_of(state, settings, scratch, knowledge, codes, keys, depth, before)
            if has_concepts and settles and depth > 0 and proofs[node] == OPEN:
                count_state(state, settings, room, counts)
                counted = True
                known = settled(state, settings, counts)
                proofs[node] = OPEN if known == OPEN else -known
            prove(tree, path, depth)
        if proofs[node] == OPEN:
            side = rules.side_to_move(state)
            if mix < 1.0:
                value = -judged(
                    first, second, state, settings, features, fired, votes, room, counts, counted
                )
            if mix > 0.0:
                won = 0.0
                bonuses = 0.0
                for _ in range(rollouts):
                    copy_into(rolled, state)
                    if answers.shape[0] > 0:
                        noted[:] = -1
                        winner, counter = play_out_answering(
                            rolled, settings, scratch, counter, noted, answers
                        )
                    elif rave > 0.0:
                        noted[:] = -1
                        winner, counter = play_out_noting(rolled, settings, scratch, counter, noted)
                    else:
                        winner, counter = rules.play_out(rolled, settings, scratch, counter)
                    end = 0.0
                    if winner == side:
                        end = -1.0
                    elif winner == 1 - side:
                        end = 1.0
                    if score > 0.0:
                        margin = margin_share(rolled, settings)
                        bonus = score * ((margin if side == 1 else -margin) - end)
                        bonuses += bonus
                        end += bonus
                    won += end
                    if owned.shape[0] > 0 and depth > 0:
                        note_owners(rolled, settings, owned[tree[CODES][path[1]]])
                    if rave > 0.0:
                        note_later(tree, path, depth, side, end, noted)
                value += mix * (won / np.float64(rollouts) - value)
                added = mix * bonuses / np.float64(rollouts)
                if read_at > 0:
                    said = np.float64(tree[SAID][path[read_at]])
                    more = judged_share * ((said if (depth - read_at) % 2 == 0 else -said) - value)
                    value += more
                    added += more

        # Up again.
        tally[SIMULATIONS] += 1
        tally[POSITIONS] += depth
        tally[DEEPEST] = max(tally[DEEPEST], depth)
        while depth >= 0:
            node = path[depth]
            if proofs[node] != OPEN:
                value, added = np.float64(proofs[node]), 0.0
            visits[node] += 1
            totals[node] += value
            if tree[BONUSES].shape[0] > 1:
                tree[BONUSES][node] += np.float32(added)
            value, added = -value, -added
            depth -= 1
    return counter


@kernel(
    f"void({rules.STATE}, int64[::1], {rules.SCRATCH}, {COMPILED}, {COMPILED}, {TREE}, int64[::1],"
    " int64)"
)
def give_root_priors(
    root, settings, scratch, first_priors, second_priors, tree, tally, n_bytes: int
) -> None:
    """Give the moves of a new root their priors before the first simulation, which would do it."""
    features = np.empty((1, 1, n_bytes), np.uint8)
    fired = np.empty((1, 1, TILE_WORDS), np.uint64)
    votes = np.zeros((1, max(first_priors[N_OUTPUTS], second_priors[N_OUTPUTS])), np.int64)
    move_bits = np.empty((1, 1, MOVE_FEATURE_BYTES), np.uint8)
    give_priors(
        tree, 0, first_priors, second_priors, root, settings, scratch, features, move_bits,
        fired, votes,
    )  # fmt: skip
    tally[NEW_ROOT] = 0


@kernel(f"int64({TREE}, int64, {TREE}, int32[::1])")
def replant(tree, node: int, other, source) -> int:
    """Copy a node and all below it to the front of another tree; how many nodes these are."""
    source[0] = node
    used = 1
    n = 0
    while n < used:
        old = source[n]
        other[VISITS][n] = tree[VISITS][old]
        other[TOTALS][n] = tree[TOTALS][old]
        other[CODES][n] = tree[CODES][old]
        other[COUNTS][n] = tree[COUNTS][old]
        other[TRIED][n] = tree[TRIED][old]
        other[PROOFS][n] = tree[PROOFS][old]
        if tree[PRIORS].shape[0] > 1:
            other[PRIORS][n] = tree[PRIORS][old]
        if tree[LATER_VISITS].shape[0] > 1:
            other[LATER_VISITS][n] = tree[LATER_VISITS][old]
            other[LATER_TOTALS][n] = tree[LATER_TOTALS][old]
        if tree[BONUSES].shape[0] > 1:
            other[BONUSES][n] = tree[BONUSES][old]
        if tree[SAID].shape[0] > 1:
            other[SAID][n] = tree[SAID][old]
        other[FIRST][n] = 0
        if tree[FIRST][old] != 0:
            other[FIRST][n] = used
            for child in range(tree[FIRST][old], tree[FIRST][old] + tree[COUNTS][old]):
                source[used] = child
                used += 1
        n += 1
    return used
