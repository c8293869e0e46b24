"""Questions to a player: why this move, why not another, and how it judges a position."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from clauseboard.evaluation import Limit
from clauseboard.explaining.account import Account
from clauseboard.explaining.lines import lines_for
from clauseboard.explaining.reasons import Argument, join, key_of, merge, with_votes
from clauseboard.explanation import UNIT, Explanation, Line, Reason
from clauseboard.game import Move, Position
from clauseboard.html_parts import notebook_part
from clauseboard.player import Choice, Player
from clauseboard.players.searcher import (
    SearchPlayer,
    check_going_on,
    end_of,
    explain_end,
    owners_of,
)
from clauseboard.players.solver import SolverPlayer
from clauseboard.search.alpha_beta import AlphaBeta


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
    lost = _is_lost(player, choice, explanation)
    won = choice.proven and choice.value == 1.0
    return Account(explanation, position, chosen=True, lost=lost, won=won)


def _is_lost(player: Player, choice: Choice, explanation: Explanation) -> bool:
    """Whether a search is certain that the best of all moves loses.

    Its value alone may be that of a judge; so it must be proven, or, where the search misses no
    move, the line must end where the result is certain.
    """
    if choice.proven and choice.value == -1.0:
        return True
    complete = isinstance(player, SolverPlayer) or (
        isinstance(player, SearchPlayer) and isinstance(player.search, AlphaBeta)
    )
    return complete and choice.value == -1.0 and explanation.is_settled


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
        explanation = player.explain_move(position, move, worth, owners_of(reply, reply.move))
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
    return Account(player.explain_board(position))


# Why not this move? Two boards compared, reason by reason, for the side that had the choice.


@dataclass(frozen=True)
class LineDifference:
    """A concept that counts differently on two boards: what is said of it, empty where nothing is.

    `votes` are those on the first board less those on the second, for the side that had the choice.
    """

    concept: str
    first: str
    second: str
    votes: int
    cells: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        """The votes in points."""
        return self.votes / UNIT

    def text(self, names: tuple[str, str]) -> str:
        """The difference in words; the names are those of the two moves."""
        if self.first == self.second:
            return f"{self.first}, on both boards"
        said = zip(names, (self.first, self.second), strict=True)
        return "; ".join(f"after {name} {text}" for name, text in said if text)


@dataclass(frozen=True)
class Comparison:
    """What speaks on one board and not on the other.

    The votes of `only_first`, less those of `only_second`, and the votes of `changed`, are the
    difference of the votes of the two boards, for each end of the game. `changed` has what holds
    on both and counts differently (by whose turn it is, or because two machines judge them): the
    difference of the votes. If the result is certain on one of the boards, there is nothing to set
    side by side. The votes of `lines`, of judges that have concepts, add up to the difference of
    the totals.
    """

    first: Account
    second: Account
    only_first: list[Argument]
    only_second: list[Argument]
    changed: list[Argument]
    terms: list[tuple[str, float, float]]
    """For judges whose terms are no sum, those that differ: their amounts on the two boards."""
    lines: list[LineDifference] = field(default_factory=list)

    def _repr_html_(self) -> str:
        """Both boards and what differs, for notebooks."""
        from clauseboard.explaining.html_writer import comparison_section

        return notebook_part(comparison_section(self))

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

    @property
    def votes(self) -> int:
        """By how many votes of lines the first board is better, in hundredths of a point."""
        return sum(line.votes for line in self.lines)

    @property
    def is_silent(self) -> bool:
        """Whether there is nothing to set side by side."""
        return not self.lines and not self.terms and not self.parts()

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
        parts += [(self.effect(one), "on both, counted differently", one) for one in self.changed]
        return sorted(parts, key=lambda part: -abs(part[0]))

    def account_of(self, argument: Argument) -> Account:
        """The one of the two that an argument belongs to; the first, if it is on both boards."""
        return self.second if any(one is argument for one in self.only_second) else self.first

    @property
    def settled(self) -> tuple[Account, ...]:
        """Those of the two on whose board the result is certain."""
        both = (self.first, self.second)
        return tuple(account for account in both if account.explanation.is_settled)

    def silence(self) -> str:
        """Why there is nothing to set side by side, where there is not."""
        if not self.settled:
            return "The judge gives no reasons, or the same ones for both."
        results = [f"after {one.move}, {one.explanation.judge}" for one in self.settled]
        return f"There are no reasons where the result is certain: {' and '.join(results)}."

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
    there, here = _bits_on(first), _bits_on(second)
    only_first, only_second, changed = [], [], []
    for key in mine | theirs:
        one, two = mine.get(key), theirs.get(key)
        votes = (0 if one is None else one.votes) - (0 if two is None else two.votes)
        if two is None and one is not None and not _holds(one, here):
            only_first.append(one)
        elif one is None and two is not None and not _holds(two, there):
            only_second.append(two)
        elif votes:
            changed.append(with_votes(cast(Reason, one or two), votes))
    return Comparison(
        first,
        second,
        join(only_first, first.game),
        join(only_second, first.game),
        join(changed, first.game),
        [] if _has_concepts(first.explanation) else _terms(first, second),
        _lines(first, second),
    )


def _bits_on(account: Account) -> set[str] | None:
    """The names of the bits of a board that are 1; None for a judge of what is around a move."""
    if account.explanation.move is not None:
        return None
    game, row = account.game, account.game.encode([account.explanation.position])[0]
    return {bit.name for bit, there in zip(game.bits(), row, strict=True) if there}


def _holds(reason: Reason, names: set[str] | None) -> bool:
    """Whether what a reason says is so on a board, whichever side is to move there."""
    if names is None:
        return False
    needed = all(bit.name in names for bit in reason.needed)
    return needed and not any(bit.name in names for bit in reason.forbidden)


def _lines(first: Account, second: Account) -> list[LineDifference]:
    """What differs by concepts, the greatest difference first; nothing if a judge has none."""
    if not all(_has_concepts(account.explanation) for account in (first, second)):
        return []
    one, two = _by_concept(first), _by_concept(second)
    differences = []
    for concept in dict.fromkeys([*one, *two]):
        mine, theirs = one.get(concept, []), two.get(concept, [])
        same = {(line.text, line.votes) for line in mine}
        same &= {(line.text, line.votes) for line in theirs}
        mine, theirs = (
            [line for line in lines if (line.text, line.votes) not in same]
            for lines in (mine, theirs)
        )
        votes = sum(line.votes for line in mine) - sum(line.votes for line in theirs)
        if votes:
            there, here = ("; ".join(line.text for line in lines) for lines in (mine, theirs))
            cells = tuple(dict.fromkeys(cell for line in (*mine, *theirs) for cell in line.cells))
            differences.append(LineDifference(concept, there, here, votes, cells))
    return sorted(differences, key=lambda difference: -abs(difference.votes))


def _has_concepts(explanation: Explanation) -> bool:
    """Whether lines of two boards can be set side by side: those of clauses cannot."""
    return bool(explanation.lines or (explanation.terms and explanation.terms_add_up))


def _by_concept(account: Account) -> dict[str, list[Line]]:
    """The lines of an account for the side that had the choice, none folded into others."""
    concepts: dict[str, list[Line]] = {}
    for line in lines_for(account.explanation, account.value_for):
        concepts.setdefault(line.concept, []).append(line)
    return concepts


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
