"""Asking a player why: why this move, why not that one, and what it makes of a board."""

from __future__ import annotations

import dataclasses
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.explaining.account import Account
from clauseboard.explanation import Explanation
from clauseboard.player import Choice, Player
from clauseboard.players.searcher import SearchPlayer, check_going_on, end_of, explain_end


def explain_choice(player: Player, position: Any, choice: Choice) -> Account:
    """Why a player chose a move; a `ValueError` if it cannot say."""
    if choice.resigns:
        raise ValueError(f"The player {player} gives up here; there is no move to explain.")
    found = choice.explanation
    if found is None:
        raise ValueError(
            f"The player {player} chooses {position.write_move(choice.move)} and cannot say why; "
            "ask one that judges, such as a Tsetlin Machine."
        )
    return Account(found, position)


def explain_position(player: Player, position: Any, limit: Limit | None = None) -> Account:
    """Why a player would make its move here: the board at the end of the line it expects."""
    check_going_on(position)
    return explain_choice(player, position, player.choose(position, limit))


def explain_move(
    player: Player, position: Any, move: Any, choice: Choice, limit: Limit | None = None
) -> Account:
    """What a player makes of any legal move, beside the choice that it made in the position.

    If its search looked as far after this move, the line found there is explained; else the player
    is asked for its reply, and that line is. (Alpha-beta breaks off where a move is refuted.) By a
    limit of depth it then looks one move less far, so that both lines end equally deep.
    """
    if move == choice.move:
        return explain_choice(player, position, choice)
    after = position.play(move)
    if after.outcome() is not None:
        return Account(explain_end(after, (move,)), position)
    if not isinstance(player, SearchPlayer):
        return explain_reply(player, position, move, player.choose(after, limit))
    limit = (limit or Limit()).or_else(player.limit)
    depth = limit.depth or getattr(player.search, "depth", None)
    looked_at = next((one for one in choice.candidates if one.move == move), None)
    ended = end_of(position, choice.line).outcome() is not None
    enough = depth if ended and depth is not None else len(choice.line)
    if looked_at is not None and len(looked_at.line) >= enough:
        instead = dataclasses.replace(choice, move=move, value=looked_at.value, line=looked_at.line)
        return Account(player.explain(position, instead), position)
    if depth == 1:
        instead = dataclasses.replace(choice, move=move, line=(move,))
        return Account(player.explain(position, instead), position)
    if depth is not None:
        limit = dataclasses.replace(limit, depth=depth - 1)
    return explain_reply(player, position, move, player.choose(after, limit))


def explain_reply(player: Player, position: Any, move: Any, reply: Choice) -> Account:
    """What a player makes of a move, by its reply to it.

    A judge of moves has reasons for the move itself; the reply tells what it is worth.
    """
    after = position.play(move)
    if isinstance(player, SearchPlayer) and reply.value is not None:
        worth = reply.value if after.to_move == position.to_move else -reply.value
        told = player.explain_move(position, move, worth)
        if told is not None:
            return Account(told, position)
    found = explain_choice(player, after, reply).explanation
    return Account(dataclasses.replace(found, line=(move, *found.line)), position)


def explain_board(player: Player, position: Any) -> Account:
    """What the judge of a player says of a board as it is, without a search."""
    if not isinstance(player, SearchPlayer):
        raise ValueError(f"The player {player} has no judge of boards; ask it for a move instead.")
    found: Explanation = player.evaluators[position.to_move].explain(position)
    return Account(found)
