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
from clauseboard.explaining.html_writer import clause_picture
from clauseboard.explaining.questions import explain_choice, explain_move, explain_reply
from clauseboard.player import Choice, Player
from clauseboard.players.searcher import SearchPlayer
from clauseboard.web.board_view import candidates_of, is_bound, looked_as_far, on_cells, paths_of

MOST = 8
"""Reasons of a side that are listed; the others are summed up."""
MOST_TERMS = 40


def why(
    player: Player,
    position: Any,
    move: Any,
    choice: Choice | None,
    limit: Limit,
    reply: Choice | None = None,
) -> dict[str, Any]:
    """Why a player thinks of a move as it does, or, without one, what it would play and why.

    `choice` is what the player itself chose in the position, if it did, and `reply` what it chose
    after the move: what a move is worth is told by one judgement only, wherever it is told.
    """
    own = _choice(player, position, choice, limit)
    if own.resigns:
        raise ValueError("The judge would give up here, so that there is no move to explain.")
    asked = own.move if move is None else move
    account, worth = _judged(player, position, asked, own, reply, limit)
    candidates = candidates_of(position, own)
    for one in candidates:
        if one["move"] == position.write_move(asked):
            one |= {"value": worth, "at_most": False}
    return {
        "said_by": account.explanation.judge,
        "value_before": own.value,
        "value_after": worth,
        "better": None if asked == own.move else position.write_move(own.move),
        "line": list(account.line),
        "line_paths": paths_of(position, account.explanation.line),
        "line_said": f"{account.heading()}.",
        "board": {"pieces": on_cells(account.explanation.position), "svg": account.draw()},
        "votes": [{"winner": end, "votes": n} for end, n in account.explanation.votes.items()],
        "votes_for": account.move if account.explanation.move is not None else None,
        **_sides(account),
        "shares": account.heat,
        "candidates": candidates,
        "terms": [
            {"text": str(term), "amount": term.amount, "cell": term.cell}
            for term in account.terms[:MOST_TERMS]
        ],
        "about_terms": account.about_terms() if account.terms else "",
    }


def why_not(
    player: Player,
    position: Any,
    move: Any,
    choice: Choice | None,
    limit: Limit,
    reply: Choice | None = None,
) -> dict[str, Any]:
    """What speaks for the player's own move, and not for this one."""
    own = _choice(player, position, choice, limit)
    if own.resigns:
        raise ValueError("The judge would give up here, so that no move is better.")
    if move == own.move:
        text = position.write_move(move)
        raise ValueError(f"{text} is what the judge would play, too; ask why instead.")
    account, worth = _judged(player, position, move, own, reply, limit)
    found = compare(explain_choice(player, position, own), account)
    parts = found.parts()
    better, yours = found.names
    return {
        "better": _side(position, found.first, float(own.value or 0.0)),
        "yours": _side(position, found.second, float(worth or 0.0)),
        "colour": found.colour,
        "lead": found.lead,
        "differences": [
            {
                "sentence": found.first.pattern(one),
                "votes": effect,
                "votes_text": found.account_of(one).votes(one),
                "where": where,
                "svg": clause_picture(found.account_of(one), one),
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


def _judged(
    player: Player, position: Any, move: Any, own: Choice, reply: Choice | None, limit: Limit
) -> tuple[Account, float | None]:
    """What a player makes of a move, and what the move is worth to it.

    The value is that of the search that made the choice, where it looked as far after this move;
    else that of the reply, from the other side; where that is not known, what the search made of
    the move all the same; and else the value of the end of the line that is explained.
    """
    if move == own.move:
        return explain_choice(player, position, own), own.value
    as_far = looked_as_far(own, move)
    if as_far is not None:
        return explain_move(player, position, move, own, limit), float(as_far.value)
    if reply is not None and reply.value is not None and not reply.resigns:
        after = position.play(move)
        worth = reply.value if after.to_move == position.to_move else -reply.value
        if isinstance(player, SearchPlayer):
            known = _choice(player, after, reply, limit)
            return explain_reply(player, position, move, known), worth
        return explain_move(player, position, move, own, limit), worth
    account = explain_move(player, position, move, own, limit)
    looked_at = next((one for one in own.candidates if one.move == move), None)
    if looked_at is not None and not is_bound(looked_at, own):
        return account, float(looked_at.value)
    return account, float(account.value)


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
        "move": account.move,
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
