"""The swap: who may take over the other side's move, and who has to expect that."""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Callable
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.player import Candidate, Choice, Cost, Listener

LOOKED_AT = 16
"""First moves of which the fairest is taken. They are drawn by chance: a few are always fair, each
can be looked at for long enough, and games do not all begin in the same way."""


def swaps(position: Any) -> set[Any]:
    """The moves that one has only where one may swap."""
    unswapped = position.unswapped()
    return set() if unswapped is None else set(position.moves()) - set(unswapped.moves())


def swap_or_not(position: Any, choice: Choice) -> Choice:
    """What to do where one may swap, by what was found for one who does not.

    Who swaps gets the other side's game, which is worth what this one is worth to the other side.
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
    position: Any,
    look: Callable[[Any, Limit], Choice],
    limit: Limit,
    draw: random.Random,
    told: Listener | None = None,
) -> Choice | None:
    """A move that is neither good nor bad, for the other side takes over what is good.

    Some moves are looked at briefly, the fairer half of them for twice as long, and so on until one
    is left; all that within the limit. None if `look` does not tell what a board is worth.
    """
    started = time.perf_counter()
    moves = position.moves()
    rest = draw.sample(moves, min(LOOKED_AT, len(moves)))
    stages = len(rest).bit_length()
    known: dict[Any, Candidate] = {}
    nodes = simulations = 0
    while True:
        share = _share(limit, stages * len(rest))
        for move in rest:
            after = position.play(move)
            found = look(after.unswapped(), share)
            if found.value is None:
                return None
            known[move] = _candidate(move, after, found)
            nodes += found.cost.nodes
            simulations += found.cost.simulations
        rest.sort(key=lambda move: -known[move].value)
        # Those that were looked at for longer come first.
        known = {move: known[move] for move in (*rest, *(m for m in known if m not in rest))}
        best = known[rest[0]]
        cost = Cost(time.perf_counter() - started, nodes, simulations)
        choice = Choice(best.move, best.value, best.line, tuple(known.values()), cost)
        if len(rest) == 1:
            return choice
        if told is not None:
            told(choice)
        rest = rest[: len(rest) // 2]


def _candidate(move: Any, after: Any, found: Choice) -> Candidate:
    """What a move is worth if the other side swaps where that is better for it."""
    reply = swap_or_not(after, found)
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
