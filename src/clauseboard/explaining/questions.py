"""Questions to a player: why this move, why not another, and how it judges a position."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from clauseboard.evaluation import Limit
from clauseboard.explaining.account import Account
from clauseboard.explaining.reasons import Argument, join, key_of, merge, with_votes
from clauseboard.game import Move, Position
from clauseboard.player import Choice, Player
from clauseboard.players.searcher import SearchPlayer, check_going_on, end_of, explain_end


def explain_choice(player: Player, position: Position, choice: Choice) -> Account:
    """Why a player chose a move; a `ValueError` if it cannot say."""
    if choice.resigns:
        raise ValueError(f"The player {player} resigns here; there is no move to explain.")
    explanation = choice.explanation
    if explanation is None:
        raise ValueError(
            f"The player {player} chooses {position.write_move(choice.move)} and cannot explain "
            "it; use a player with an evaluator, such as 'shipped'."
        )
    return Account(explanation, position)


def explain(
    player: Player,
    position: Position,
    move: Move | None = None,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    simulations: int | None = None,
) -> Account:
    """Explain why a player makes its move here, or what it thinks of another legal `move`.

    `move` may be written as the game writes moves. The limits are those of the search; the default
    is the player's own. Print the account, or draw it with `account.draw()`.

    >>> import clauseboard as cb
    >>> game = cb.load_game("checkers")
    >>> account = cb.explain(cb.load_player("material", game), game.start(), "9-14", depth=1)
    >>> account.heading(), account.value
    ('The board after 9-14', 0.0)
    """
    check_going_on(position)
    limit = Limit(seconds, depth, nodes, simulations)
    choice = player.choose(position, limit)
    if move is None:
        return explain_choice(player, position, choice)
    if isinstance(move, str):
        move = position.read_move(move)
    return explain_move(player, position, move, choice, limit)


def explain_move(
    player: Player, position: Position, move: Move, choice: Choice, limit: Limit | None = None
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


def explain_reply(player: Player, position: Position, move: Move, reply: Choice) -> Account:
    """What a player makes of a move, by its reply to it.

    A judge of moves has reasons for the move itself; the reply tells what it is worth.
    """
    after = position.play(move)
    if isinstance(player, SearchPlayer) and reply.value is not None:
        worth = reply.value if after.to_move == position.to_move else -reply.value
        explanation = player.explain_move(position, move, worth)
        if explanation is not None:
            return Account(explanation, position)
    explanation = explain_choice(player, after, reply).explanation
    return Account(dataclasses.replace(explanation, line=(move, *explanation.line)), position)


def explain_board(player: Player, position: Position) -> Account:
    """What the judge of a player says of a board as it is, without a search."""
    if not isinstance(player, SearchPlayer):
        raise ValueError(
            f"The player {player} has no evaluator of positions; ask it to explain a move instead."
        )
    return Account(player.evaluators[position.to_move].explain(position))


# Why not this move? Two boards compared, reason by reason, for the side that had the choice.


@dataclass(frozen=True)
class Comparison:
    """What speaks on one board and not on the other.

    The votes of `only_first`, less those of `only_second`, and the votes of `changed`, are the
    difference of the votes of the two boards, for each end of the game. `changed` has what speaks
    on both, with different votes (two machines may judge them): the difference of these. If the
    game is over on one of the boards, the rules judge it, and there is nothing to set side by side.
    """

    first: Account
    second: Account
    only_first: list[Argument]
    only_second: list[Argument]
    changed: list[Argument]
    terms: list[tuple[str, float, float]]
    """For judges without clauses, the terms that differ: their amounts on the two boards."""

    @property
    def colour(self) -> str:
        """The side that had the choice."""
        return self.first.value_for

    @property
    def lead(self) -> int:
        """By how many votes its lead is greater on the first board; 0 if the rules judge one."""
        if self.settled:
            return 0
        colour = self.colour
        return self.first.explanation.lead(colour) - self.second.explanation.lead(colour)

    def effect(self, argument: Argument, sign: int = 1) -> int:
        """What an argument adds to that difference; `sign` is -1 for those of `only_second`."""
        if argument.about is None:
            return 0
        return sign * argument.votes * (1 if argument.about == self.colour else -1)

    def parts(self) -> list[tuple[int, str, Argument]]:
        """What each argument adds to the difference, and on which board; the greatest first."""
        first, second = self.names
        # A judge of moves speaks of what is around each; others, of the boards after them.
        where = "only after" if self.first.explanation.move is None else "around"
        parts = [(self.effect(one), f"{where} {first}", one) for one in self.only_first]
        parts += [(self.effect(one, -1), f"{where} {second}", one) for one in self.only_second]
        parts += [(self.effect(one), "more or less, on both", one) for one in self.changed]
        return sorted(parts, key=lambda part: -abs(part[0]))

    def account_of(self, argument: Argument) -> Account:
        """The one of the two that an argument belongs to; the first, if it is on both boards."""
        return self.second if any(one is argument for one in self.only_second) else self.first

    @property
    def settled(self) -> tuple[Account, ...]:
        """Those of the two on whose board the game is over."""
        both = (self.first, self.second)
        return tuple(one for one in both if one.explanation.position.outcome() is not None)

    def silence(self) -> str:
        """Why there is nothing to set side by side, where there is not."""
        if not self.settled:
            return "The judge gives no reasons, or the same ones for both."
        told = " and ".join(f"after {one.line[0]}, {one.explanation.judge}" for one in self.settled)
        return f"There are no reasons where the game is over: {told}."

    @property
    def names(self) -> tuple[str, str]:
        """The two moves."""
        return self.first.move, self.second.move


def compare(first: Account, second: Account) -> Comparison:
    """Compare what two moves lead to; both have been asked about in one position."""
    if first.asked is None or first.asked != second.asked:
        raise ValueError("Two moves are compared in one position, which both were asked about in.")
    if not first.move or not second.move:
        raise ValueError("Two moves are compared, but one of the two boards has none before it.")
    blank = Comparison(first, second, [], [], [], [])
    if blank.settled:
        return blank
    mine, theirs = (
        {key_of(reason): reason for reason in merge(account.explanation.reasons)}
        for account in (first, second)
    )
    game = first.game
    changed = [
        with_votes(reason, reason.votes - theirs[key].votes)
        for key, reason in mine.items()
        if key in theirs and theirs[key].votes != reason.votes
    ]
    return Comparison(
        first,
        second,
        join((reason for key, reason in mine.items() if key not in theirs), game),
        join((reason for key, reason in theirs.items() if key not in mine), game),
        join(changed, game),
        _terms(first, second),
    )


def _terms(first: Account, second: Account) -> list[tuple[str, float, float]]:
    colour = first.value_for

    def amounts(account: Account) -> dict[str, float]:
        sign = 1 if account.explanation.position.to_move == colour else -1
        return _summed((t.text, sign * t.amount) for t in account.explanation.terms)

    one, two = amounts(first), amounts(second)
    rows = [(text, one.get(text, 0.0), two.get(text, 0.0)) for text in one | two]
    return sorted((row for row in rows if row[1] != row[2]), key=lambda row: -abs(row[1] - row[2]))


def _summed(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    totals: dict[str, float] = {}
    for text, amount in pairs:
        totals[text] = totals.get(text, 0.0) + amount
    return totals
