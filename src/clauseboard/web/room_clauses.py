"""The clauses of a machine as the page shows them: sorted, filtered, a page at a time.

This runs in the processes that think: counting what thousands of clauses do takes a moment.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from clauseboard.datasets import DataSet, load_dataset
from clauseboard.explaining.sentences import pattern_text, votes_text
from clauseboard.explaining.statistics import ClauseCount, count_clauses
from clauseboard.game import Game

A_PAGE = 12
"""Clauses on a page."""
GAMES = 200
"""Random games whose boards are counted on, where a machine has none of its own."""
DRAWN = "draw"

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
    if not judges or not all(hasattr(one, "judges") for one in judges):
        raise ValueError(f"{player} has no clauses to show; it judges in another way.")
    boards = _boards(game, own_boards, folder, judges[0].view)
    counts = _counted(tuple(judges), boards)
    chosen = [one for one in counts if _fits(one, wish)]
    chosen.sort(key=SORTS[wish["sort"]], reverse=True)
    pages = max(1, -(-len(chosen) // A_PAGE))
    page = min(wish["page"], pages)
    shown = chosen[(page - 1) * A_PAGE : page * A_PAGE]
    seen = judges[0].view == "mover"
    return {
        "total": len(counts),
        "found": len(chosen),
        "page": page,
        "pages": pages,
        "boards": len(boards),
        "about_boards": _about(len(boards), own_boards is not None),
        "seen_by": f"Boards are shown as if {game.colours[0]} were to move." if seen else "",
        "abouts": sorted({one.reason.about or DRAWN for one in counts}),
        "clauses": [card(game, one) for one in shown],
    }


def card(game: Game, one: ClauseCount) -> dict[str, Any]:
    """A clause with its picture, its sentence, and what it did."""
    reason = one.reason
    known = set(game.bits())
    needed, forbidden = (
        [bit for bit in part if bit in known] for part in (reason.needed, reason.forbidden)
    )
    return {
        "about": reason.about or DRAWN,
        "favours": reason.favours,
        "number": one.index,
        "weight": reason.weight,
        "sentence": pattern_text(reason, game),
        "votes_text": votes_text(reason),
        "fired": one.fired,
        "right": one.right,
        "wrong": one.wrong,
        "support": one.support,
        "precision": one.precision,
        "cells": list(dict.fromkeys(bit.cell for bit in (*needed, *forbidden) if bit.cell)),
        "svg": game.draw(needed=needed, forbidden=forbidden) if needed or forbidden else "",
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
    from clauseboard.web.room_boards import played_boards

    told = hashlib.sha256(repr((game, game.version, view, GAMES)).encode()).hexdigest()[:16]
    path = Path(folder) / "boards" / f"{game.name}-{told}.npz"
    if path.is_file():
        return load_dataset(path)
    boards = played_boards(game, "random", GAMES, view=view)
    path.parent.mkdir(parents=True, exist_ok=True)
    boards.save(path)
    return boards
