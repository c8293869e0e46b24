"""The clauses of a machine as the page shows them: sorted, filtered, a page at a time.

This runs in the workers: counting what thousands of clauses do takes a moment.
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
from clauseboard.explaining.reasons import on_board, pattern_text, reason_picture, votes_text
from clauseboard.game import Game
from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator
from clauseboard.learners.tsetlin.concept_evaluator import ConceptEvaluator
from clauseboard.players.levels import LEVELS
from clauseboard.players.shipped import TITLE
from clauseboard.web.lab.training import JUDGED
from clauseboard.web.models import ClauseCard, Gallery, Machine
from clauseboard.web.opponents import shipped

PAGE_SIZE = 12
GAMES, RANDOM_GAMES = 60, 200
"""Games whose boards are counted on, where a machine has none of its own: those of the shipped
player, for machines learn from games of players, or random ones where there is no such player."""
BOARDS = 150
SIMULATIONS = 100
"""Boards on which a player chooses a move, and how long it may search, to count clauses."""
DRAWN = "draw"
MOVE = "move"

SORTS: dict[str, Callable[[ClauseCount], Any]] = {
    "weight": lambda count: count.reason.weight,
    "votes": lambda count: count.reason.weight * count.fired,
    "right": lambda count: (count.fired > 0, count.precision or 0.0, count.fired),
    "wrong": lambda count: (count.fired > 0, 1 - (count.precision or 0.0), count.fired),
    "support": lambda count: count.fired,
    "short": lambda count: -len(count.reason.needed) - len(count.reason.forbidden),
}
"""The values that clauses are sorted by, the largest first."""


def gallery(
    player: Any,
    game: Game,
    machine: Machine,
    own_boards: str | None,
    folder: str,
    asked: dict[str, Any],
) -> Gallery:
    """A page of a player's clauses; `asked` has sort, about, favours, cell and page."""
    judges = list(
        {
            id(evaluator): evaluator for evaluator in getattr(player, "evaluators", {}).values()
        }.values()
    )
    if judges and all(getattr(judge, "patterns", None) is not None for judge in judges):
        return _pattern_gallery(player, game, machine, judges[0].patterns, asked)
    by_clauses = (MachineEvaluator, ConceptEvaluator)
    if not judges or not all(isinstance(judge, by_clauses) for judge in judges):
        raise ValueError(f"{player} has no clauses to show; it judges in another way.")
    boards = _boards(game, own_boards, folder, judges[0].view)
    counts = _counted(tuple(judges), boards)
    mover_view = judges[0].view == "mover"
    line, n_games = counted_games(game)
    played = "random games" if line == "random" else f"games of {TITLE} against itself"
    origin = "that it did not learn from" if own_boards else f"of {n_games:,} {played}"
    return Gallery(
        machine=machine,
        **_page(game, counts, asked),
        boards=len(boards),
        about_boards=f"Counted on {len(boards):,} boards {origin}.",
        seen_by=f"Boards are shown as if {game.colours[0]} were to move." if mover_view else "",
        abouts=sorted({count.reason.about or DRAWN for count in counts}),
    )


def _pattern_gallery(
    player: Any, game: Game, machine: Machine, votes: Any, asked: dict[str, Any]
) -> Gallery:
    """A page of the clauses of a machine of patterns, shown around a move in the middle."""
    start = game.start()
    moves = {start.write_move(move): move for move in start.moves()}
    cells = list(dict.fromkeys(bit.cell for bit in game.bits() if bit.cell in moves))
    middle = cells[len(cells) // 2]
    rows, chosen = _moves_made(player, game, votes)
    counts = count_patterns(votes, start, moves[middle], rows, chosen)
    return Gallery(
        machine=machine,
        **_page(game, counts, asked, middle),
        boards=len(rows),
        about_boards=f"Counted on {len(rows):,} moves; the player made every other of them.",
        seen_by=f"They are shown for the move {middle} (ringed), and hold for any other as well; "
        f"{start.to_move} is to move.",
        abouts=[],
    )


def _page(
    game: Game, counts: list[ClauseCount], asked: dict[str, Any], move: str | None = None
) -> dict[str, Any]:
    """The clauses that were asked for; `move` is the cell of the move that they are about."""
    chosen = [count for count in counts if _fits(count, asked)]
    chosen.sort(key=SORTS[asked["sort"]], reverse=True)
    pages = max(1, -(-len(chosen) // PAGE_SIZE))
    page = min(asked["page"], pages)
    shown = chosen[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    return {
        "total": len(counts),
        "found": len(chosen),
        "page": page,
        "pages": pages,
        "clauses": [clause_card(game, count, move) for count in shown],
    }


def _fits(count: ClauseCount, asked: dict[str, Any]) -> bool:
    reason, cell = count.reason, asked["cell"]
    return (
        (asked["about"] is None or (reason.about or DRAWN) == asked["about"])
        and (asked["favours"] is None or reason.favours == (asked["favours"] == "for"))
        and (cell is None or any(bit.cell == cell for bit in (*reason.needed, *reason.forbidden)))
    )


def clause_card(game: Game, count: ClauseCount, move: str | None = None) -> ClauseCard:
    """A clause with its picture, its sentence, and what it did; `move` as in `_page`."""
    reason = count.reason
    needed, forbidden = on_board(game, reason)
    # A clause about no cell has no picture, wherever its move is.
    ringed = [move] if move is not None and (needed or forbidden) else []
    return ClauseCard(
        about=MOVE if move is not None else reason.about or DRAWN,
        favours=reason.favours,
        number=count.index,
        weight=reason.weight,
        sentence=pattern_text(reason, game),
        votes_text=votes_text(reason, None if move is None else "the move"),
        fired=count.fired,
        right=count.right,
        wrong=count.wrong,
        support=count.support,
        precision=count.precision,
        cells=list(dict.fromkeys(bit.cell for bit in (*needed, *forbidden) if bit.cell)),
        svg=reason_picture(game, reason, ringed),
    )


@functools.lru_cache(maxsize=4)
def _moves_made(player: Any, game: Game, votes: Any) -> tuple[Any, Any]:
    """The surroundings of the player's moves in random games, each followed by those of another
    legal move, drawn at random; and which are the player's."""
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


@functools.lru_cache(maxsize=8)
def _counted(judges: Sequence[Any], boards: DataSet) -> list[ClauseCount]:
    """What all clauses did; cached, for the next page needs it again."""
    return [
        count
        for judge in judges
        for count in count_clauses(judge, boards.packed, boards.to_move, boards.labels)
    ]


def counted_games(game: Game) -> tuple[str, int]:
    """The player whose games against itself are counted on, and how many."""
    able = shipped(game) and game.name in LEVELS
    return (JUDGED, GAMES) if able else ("random", RANDOM_GAMES)


@functools.lru_cache(maxsize=8)
def _boards(game: Game, own: str | None, folder: str, view: str) -> DataSet:
    """A machine's own boards, or those of other games, which are saved for the next time."""
    if own is not None:
        boards = load_dataset(own)
        if boards.view == view:
            return boards
    from clauseboard.web.lab.training_process import played_boards

    games = counted_games(game)
    key = hashlib.sha256(repr((game, game.version, view, games)).encode()).hexdigest()[:16]
    path = Path(folder) / "boards" / f"{game.name}-{key}.npz"
    if path.is_file():
        return load_dataset(path)
    boards = played_boards(game, *games, view=view)
    path.parent.mkdir(parents=True, exist_ok=True)
    boards.save(path)
    return boards
