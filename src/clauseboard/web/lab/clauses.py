"""The clauses of a machine as the page shows them: sorted, filtered, a page at a time.

This runs in the processes that think: counting what thousands of clauses do takes a moment.
"""

from __future__ import annotations

import functools
import hashlib
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from clauseboard.datasets import DataSet, load_dataset
from clauseboard.evaluation import Limit
from clauseboard.explaining.clause_statistics import ClauseCount, count_clauses, count_patterns
from clauseboard.explaining.sentences import on_board, pattern_text, reason_picture, votes_text
from clauseboard.game import Game

A_PAGE = 12
"""Clauses on a page."""
GAMES = 200
"""Random games whose boards are counted on, where a machine has none of its own."""
BOARDS = 150
SIMULATIONS = 100
"""Boards on which a player is asked for its move, and how long it may search, to count clauses."""
DRAWN = "draw"
MOVE = "move"

SORTS: dict[str, Callable[[ClauseCount], Any]] = {
    "weight": lambda one: one.reason.weight,
    "votes": lambda one: one.reason.weight * one.fired,
    "right": lambda one: (one.fired > 0, one.precision or 0.0, one.fired),
    "wrong": lambda one: (one.fired > 0, 1 - (one.precision or 0.0), one.fired),
    "support": lambda one: one.fired,
    "short": lambda one: -len(one.reason.needed) - len(one.reason.forbidden),
}
"""What clauses are sorted by, the largest first."""


def gallery(
    player: Any, game: Game, own_boards: str | None, folder: str, wish: dict[str, Any]
) -> dict[str, Any]:
    """A page of a player's clauses; `wish` has what was asked: sort, about, favours, cell, page."""
    judges = list({id(one): one for one in getattr(player, "evaluators", {}).values()}.values())
    if judges and all(hasattr(one, "patterns") for one in judges):
        return _pattern_gallery(player, game, judges[0].patterns, wish)
    if not judges or not all(hasattr(one, "judges") for one in judges):
        raise ValueError(f"{player} has no clauses to show; it judges in another way.")
    boards = _boards(game, own_boards, folder, judges[0].view)
    counts = _counted(tuple(judges), boards)
    seen = judges[0].view == "mover"
    return {
        **_page(game, counts, wish),
        "boards": len(boards),
        "about_boards": _about(len(boards), own_boards is not None),
        "seen_by": f"Boards are shown as if {game.colours[0]} were to move." if seen else "",
        "abouts": sorted({one.reason.about or DRAWN for one in counts}),
    }


def _page(
    game: Game, counts: list[ClauseCount], wish: dict[str, Any], move: str | None = None
) -> dict[str, Any]:
    """The clauses that were asked for, on one page; `move` is the cell of the move they are about,
    if that is what they are about."""
    chosen = [one for one in counts if _fits(one, wish)]
    chosen.sort(key=SORTS[wish["sort"]], reverse=True)
    pages = max(1, -(-len(chosen) // A_PAGE))
    page = min(wish["page"], pages)
    shown = chosen[(page - 1) * A_PAGE : page * A_PAGE]
    return {
        "total": len(counts),
        "found": len(chosen),
        "page": page,
        "pages": pages,
        "clauses": [card(game, one, move) for one in shown],
    }


def _pattern_gallery(player: Any, game: Game, votes: Any, wish: dict[str, Any]) -> dict[str, Any]:
    """A page of the clauses of a machine of patterns, told as of a move in the middle."""
    start = game.start()
    moves = {start.write_move(move): move for move in start.moves()}
    cells = list(dict.fromkeys(bit.cell for bit in game.bits() if bit.cell in moves))
    middle = cells[len(cells) // 2]
    rows, chosen = _moves_made(player, game, votes)
    counts = count_patterns(votes, start, moves[middle], rows, chosen)
    return {
        **_page(game, counts, wish, middle),
        "boards": len(rows),
        "about_boards": f"Counted on {len(rows):,} moves; the player made every other of them.",
        "seen_by": f"They are told of the move {middle} (ringed), and are for any other as well; "
        f"{start.to_move} is to move.",
        "abouts": [],
    }


@functools.lru_cache(maxsize=4)
def _moves_made(player: Any, game: Game, votes: Any) -> tuple[Any, Any]:
    """What is around moves that the player makes on boards of random games, each followed by
    another move of the same board, drawn at random; and which are the player's."""
    draws, rows = random.Random(1), []
    for _ in range(BOARDS):
        position = game.start()
        for _ in range(draws.randint(2, len(game.bits()) // 4)):
            after = position.play(draws.choice(position.moves()))
            if after.outcome() is not None:
                break
            position = after
        moves, seen = list(position.moves()), votes.rows(position)
        made = moves.index(player.choose(position, Limit(simulations=SIMULATIONS)).move)
        others = [n for n in range(len(moves)) if n != made]
        if others:
            rows += [seen[made], seen[draws.choice(others)]]
    return np.array(rows), np.arange(len(rows)) % 2 == 0


def card(game: Game, one: ClauseCount, move: str | None = None) -> dict[str, Any]:
    """A clause with its picture, its sentence, and what it did; `move` as in `_page`."""
    reason = one.reason
    needed, forbidden = on_board(game, reason)
    # A clause that is on no cell has no picture, wherever its move is.
    ringed = [move] if move is not None and (needed or forbidden) else []
    return {
        "about": MOVE if move is not None else reason.about or DRAWN,
        "favours": reason.favours,
        "number": one.index,
        "weight": reason.weight,
        "sentence": pattern_text(reason, game),
        "votes_text": votes_text(reason, None if move is None else "the move"),
        "fired": one.fired,
        "right": one.right,
        "wrong": one.wrong,
        "support": one.support,
        "precision": one.precision,
        "cells": list(dict.fromkeys(bit.cell for bit in (*needed, *forbidden) if bit.cell)),
        "svg": reason_picture(game, reason, ringed),
    }


def _fits(one: ClauseCount, wish: dict[str, Any]) -> bool:
    reason, cell = one.reason, wish["cell"]
    return (
        (wish["about"] is None or (reason.about or DRAWN) == wish["about"])
        and (wish["favours"] is None or reason.favours == (wish["favours"] == "for"))
        and (cell is None or any(bit.cell == cell for bit in (*reason.needed, *reason.forbidden)))
    )


def _about(boards: int, own: bool) -> str:
    source = "that it did not learn from" if own else f"of {GAMES:,} random games"
    return f"Counted on {boards:,} boards {source}."


@functools.lru_cache(maxsize=8)
def _counted(judges: Sequence[Any], boards: DataSet) -> list[ClauseCount]:
    """What all clauses did; kept, for the next page asks again."""
    return [
        count
        for judge in judges
        for count in count_clauses(judge, boards.packed, boards.to_move, boards.labels)
    ]


@functools.lru_cache(maxsize=8)
def _boards(game: Game, own: str | None, folder: str, view: str) -> DataSet:
    """A machine's own boards, or those of random games, which are kept for the next time."""
    if own is not None:
        boards = load_dataset(own)
        if boards.view == view:
            return boards
    from clauseboard.web.lab.training_boards import played_boards

    told = hashlib.sha256(repr((game, game.version, view, GAMES)).encode()).hexdigest()[:16]
    path = Path(folder) / "boards" / f"{game.name}-{told}.npz"
    if path.is_file():
        return load_dataset(path)
    boards = played_boards(game, "random", GAMES, view=view)
    path.parent.mkdir(parents=True, exist_ok=True)
    boards.save(path)
    return boards
