"""Reasons as the page shows them: an `Account` and a `Comparison` in the models' words.

This runs in the processes that think, for pictures and sentences take a while, too.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.explaining import Account, Argument, compare
from clauseboard.explaining.asking import explain_choice, explain_move
from clauseboard.explaining.writing_html import clause_picture
from clauseboard.player import Choice, Player
from clauseboard.players.searcher import SearchPlayer
from clauseboard.web.boards import candidates_of, on_cells, paths_of

MOST = 8
"""Reasons of a side that are listed; the others are summed up."""
MOST_TERMS = 40


def why(
    player: Player, position: Any, move: Any, choice: Choice | None, limit: Limit
) -> dict[str, Any]:
    """Why a player thinks of a move as it does, or, without one, what it would play and why.

    `choice` is what the player itself chose in the position, if it did.
    """
    own = _choice(player, position, choice, limit)
    if own.resigns:
        raise ValueError("The judge would give up here, so that there is no move to explain.")
    asked = own.move if move is None else move
    account = explain_move(player, position, asked, own, limit)
    return {
        "said_by": account.explanation.judge,
        "value_before": own.value,
        "value_after": own.value if asked == own.move else _worth(own, asked, account),
        "better": None if asked == own.move else position.write_move(own.move),
        "line": list(account.line),
        "line_paths": paths_of(position, account.explanation.line),
        "line_said": f"{account.heading()}.",
        "board": {"pieces": on_cells(account.explanation.position), "svg": account.draw()},
        "votes": [{"winner": end, "votes": n} for end, n in account.explanation.votes.items()],
        **_sides(account),
        "shares": account.heat,
        "candidates": candidates_of(position, own),
        "terms": [
            {"text": str(term), "amount": term.amount, "cell": term.cell}
            for term in account.terms[:MOST_TERMS]
        ],
        "about_terms": account.about_terms() if account.terms else "",
    }


def why_not(
    player: Player, position: Any, move: Any, choice: Choice | None, limit: Limit
) -> dict[str, Any]:
    """What speaks for the player's own move, and not for this one."""
    own = _choice(player, position, choice, limit)
    if own.resigns:
        raise ValueError("The judge would give up here, so that no move is better.")
    if move == own.move:
        text = position.write_move(move)
        raise ValueError(f"{text} is what the judge would play, too; ask why instead.")
    found = compare(
        explain_choice(player, position, own), explain_move(player, position, move, own, limit)
    )
    parts = found.parts()
    better, yours = found.names
    return {
        "better": _side(position, found.first, float(own.value or 0.0)),
        "yours": _side(position, found.second, _worth(own, move, found.second)),
        "colour": found.colour,
        "lead": found.lead,
        "differences": [
            {
                "sentence": found.first.pattern(one),
                "votes": effect,
                "votes_text": found.first.votes(one),
                "where": where,
                "svg": clause_picture(found.first, one),
                "cells": _cells(one),
            }
            for effect, where, one in parts[: 2 * MOST]
        ],
        "terms": [
            {"text": text, "there": there, "here": here}
            for text, there, here in found.terms[:MOST_TERMS]
        ],
        "text": _compared(better, yours, found.lead, len(parts), bool(found.terms)),
    }


def _choice(player: Player, position: Any, choice: Choice | None, limit: Limit) -> Choice:
    """The player's choice with its reasons: the one it made, or one that it makes now."""
    if choice is not None and isinstance(player, SearchPlayer):
        explain = functools.partial(player.explain, position, choice)
        return dataclasses.replace(choice, explain=explain)
    found = player.choose(position, limit)
    value = None if found.value is None else float(found.value)
    return dataclasses.replace(found, value=value)


def _worth(own: Choice, move: Any, account: Account) -> float:
    """What a move is worth: by the search, where it looked as far; else by the end of its line."""
    looked_at = next((one for one in own.candidates if one.move == move), None)
    if looked_at is not None and len(looked_at.line) >= len(own.line):
        return float(looked_at.value)
    return float(account.value)


def _sides(account: Account) -> dict[str, Any]:
    """The arguments by what they speak for: the strongest, and the others in numbers."""
    kinds = {"for": True, "against": False, "draw": None}
    listed: dict[str, Any] = {}
    weaker = {}
    for name, way in kinds.items():
        found = [one for one in account.arguments if account.speaks_for(one) is way]
        listed[name] = [_reason(account, one) for one in found[:MOST]]
        rest = [_votes(account, one) for one in found[MOST:]]
        weaker[name] = {"count": len(rest), "votes": sum(rest)}
    return {**listed, "weaker": weaker}


def _votes(account: Account, argument: Argument) -> int:
    """The votes of an argument as the colour asked about sees them."""
    way = account.speaks_for(argument)
    return argument.votes if way is None else abs(argument.votes) * (1 if way else -1)


def _reason(account: Account, argument: Argument) -> dict[str, Any]:
    first = argument.first
    return {
        "votes": _votes(account, argument),
        "votes_text": account.votes(argument),
        "sentence": account.pattern(argument),
        "needed": _placed(first.needed),
        "forbidden": _placed(first.forbidden),
        "cells": _cells(argument),
        "svg": clause_picture(account, argument),
    }


def _placed(bits: Sequence[Any]) -> list[dict[str, str]]:
    return [{"cell": bit.cell, "piece": bit.piece} for bit in bits if bit.cell is not None]


def _cells(argument: Argument) -> list[str]:
    cells = dict.fromkeys(cell for reason in argument.reasons for cell in reason.cells)
    return [cell for cell in cells if cell is not None]


def _side(position: Any, account: Account, value: float) -> dict[str, Any]:
    return {
        "move": account.line[0],
        "value": value,
        "line": list(account.line),
        "line_paths": paths_of(position, account.explanation.line),
        "line_said": f"{account.heading()}.",
        "svg": account.draw(),
    }


def _compared(better: str, yours: str, lead: int, reasons: int, terms: bool) -> str:
    if reasons and lead < 0:
        return (
            f"By the votes at the ends of these lines alone, {yours} leads by {-lead:,}; "
            f"the search prefers {better}."
        )
    if reasons:
        return f"After {better} the lead is {lead:,} votes greater than after {yours}."
    if terms:
        return f"After {better} and after {yours} these terms differ."
    return f"The judge prefers {better} to {yours}, but gives no reasons."
