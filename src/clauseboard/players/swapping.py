"""The swap rule of Hex, for players that search: when to swap, and a fair first move."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable

from clauseboard.evaluation import Limit, seconds_now
from clauseboard.game import Move, Position
from clauseboard.player import Candidate, Choice, Cost, Listener

LOOKED_AT = 16
"""First moves, drawn at random, of which the fairest is played: a few are always fair, each can be
searched for long enough, and games begin in different ways."""


def swaps(position: Position) -> set[Move]:
    """The moves that are legal only because of the swap rule."""
    unswapped = position.unswapped()
    return set() if unswapped is None else set(position.moves()) - set(unswapped.moves())


def swap_or_not(position: Position, choice: Choice) -> Choice:
    """The choice where a swap is legal, from the choice of a player that does not swap.

    A swap is worth what the position is worth to the other side.
    """
    if choice.value is None:
        return choice
    (swap,) = swaps(position)
    instead = Candidate(swap, -choice.value, (swap,))
    if choice.value >= 0:
        return dataclasses.replace(choice, candidates=(*choice.candidates, instead))
    return dataclasses.replace(
        choice,
        move=swap,
        value=instead.value,
        line=instead.line,
        candidates=(instead, *choice.candidates),
    )


def fair_move(
    position: Position,
    look: Callable[[Position, Limit], Choice],
    limit: Limit,
    draws: random.Random,
    listener: Listener | None = None,
) -> Choice | None:
    """A move that is neither good nor bad, since the other side would take over a good one.

    Some moves are searched briefly, the fairer half of them for twice as long, and so on until one
    is left; all within the limit. None if `look` finds no values.
    """
    started = seconds_now()
    moves = position.moves()
    rest = draws.sample(moves, min(LOOKED_AT, len(moves)))
    stages = len(rest).bit_length()
    candidates: dict[Move, Candidate] = {}
    nodes = simulations = 0
    while True:
        share = _share(limit, stages * len(rest))
        for move in rest:
            after = position.play(move)
            found = look(after.unswapped() or after, share)
            if found.value is None:
                return None
            candidates[move] = _candidate(move, after, found)
            nodes += found.cost.nodes
            simulations += found.cost.simulations
        rest.sort(key=lambda move: -candidates[move].value)
        # Those that were looked at for longer come first.
        candidates = {
            move: candidates[move] for move in (*rest, *(m for m in candidates if m not in rest))
        }
        best = candidates[rest[0]]
        cost = Cost(seconds_now() - started, nodes, simulations)
        choice = Choice(best.move, best.value, best.line, tuple(candidates.values()), cost)
        if len(rest) == 1:
            return choice
        if listener is not None:
            listener(choice)
        rest = rest[: len(rest) // 2]


def _candidate(move: Move, after: Position, choice: Choice) -> Candidate:
    """A move's value if the other side swaps whenever that is better for it."""
    reply = swap_or_not(after, choice)
    assert reply.value is not None
    return Candidate(move, -reply.value, (move, *(reply.line or (reply.move,))))


def _share(limit: Limit, parts: int) -> Limit:
    """One of so many equal parts of a limit; a look from one move further on is less deep."""
    return Limit(
        seconds=None if limit.seconds is None else limit.seconds / parts,
        depth=None if limit.depth is None else max(1, limit.depth - 1),
        nodes=None if limit.nodes is None else max(1, limit.nodes // parts),
        simulations=None if limit.simulations is None else max(1, limit.simulations // parts),
    )
