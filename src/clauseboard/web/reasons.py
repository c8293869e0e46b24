"""Reasons as the page shows them: an `Account` or a `Comparison` as models.

This runs in the workers, for pictures and sentences take time, too.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.explaining import Account, Argument, Comparison, compare
from clauseboard.explaining.html_writer import clause_picture
from clauseboard.explaining.lines import Verdict
from clauseboard.explaining.questions import explain_choice, explain_move, explain_reply
from clauseboard.explanation import UNIT, Line, LineClause
from clauseboard.game import Move, Position
from clauseboard.games.solving import exact_words, solved_end
from clauseboard.player import Choice, Player
from clauseboard.players.searcher import SearchPlayer
from clauseboard.web import models
from clauseboard.web.board_view import (
    candidates_of,
    is_bound,
    looked_as_far,
    path_of,
    paths_of,
    pieces_on,
    ranked,
)

MOST = 8
"""Reasons of a side that are listed; the others are summed up."""
MOST_TERMS = 40


def why(
    player: Player,
    position: Position,
    judge: models.PlayerSummary,
    ply: int,
    move: Move,
    limit: Limit,
    choice: Choice | None = None,
    reply: Choice | None = None,
) -> models.Why:
    """Why a player judges a move as it does, or, without one, what it would play and why.

    `choice` is what the player itself chose in the position, and `reply` what it chose after the
    move, if known: so the value of a move is the same wherever it is shown.
    """
    own = _choice(player, position, choice, limit)
    if own.resigns:
        raise ValueError("The judge would give up here, so that there is no move to explain.")
    explained = own.move if move is None else move
    account, value = _judged(player, position, explained, own, reply, limit)
    candidates = candidates_of(position, own)
    for candidate in candidates:
        if candidate.move == position.write_move(explained):
            candidate.value, candidate.at_most = value, False
            candidate.chance = _chance(player, position.to_move, value)
    listed, weaker = _sides(account)
    explanation, colour = account.explanation, position.to_move
    before, after = (_chance(player, colour, worth) for worth in (own.value, value))
    stands = "" if after is None else account.below_headline(Verdict(after, 0.0).standing(colour))
    return models.Why(
        judge=judge,
        said_by=explanation.judge,
        about=models.AboutMove(
            ply=ply,
            move=None if move is None else position.write_move(move),
            path=[] if move is None else path_of(position.game, move),
            colour=colour,
        ),
        headline=account.headline,
        details=list(account.details),
        verdict=models.VerdictLine(
            chance=account.verdict.chance,
            total=account.verdict.total,
            words=account.verdict.words,
            text=account.standing_text,
        ),
        lines=[_line(line) for line in account.lines],
        alone=None
        if account.alone is None
        else models.BoardAlone(
            text=account.alone_text(), lines=[_line(line) for line in account.alone.lines]
        ),
        value_before=own.value,
        value_after=value,
        chance_before=before,
        chance_after=after,
        stands=stands,
        exact=_exact(position, move, own, reply),
        better=None if explained == own.move else position.write_move(own.move),
        line=list(account.expected),
        line_paths=paths_of(position, (*explanation.line, *explanation.ahead)),
        line_said=f"{account.heading()}.",
        board=models.EndBoard(pieces=pieces_on(explanation.position), svg=account.draw()),
        votes=[models.Votes(winner=end, votes=n) for end, n in explanation.votes.items()],
        votes_for=account.move if explanation.move is not None else None,
        **listed,
        weaker=weaker,
        shares=account.heat,
        candidates=ranked(candidates),
        terms=[
            models.TermLine(text=str(term), amount=term.amount, cell=term.cell)
            for term in account.terms[:MOST_TERMS]
        ],
        about_terms=account.about_terms() if account.terms else "",
    )


def _exact(position: Position, move: Move, own: Choice, reply: Choice | None) -> str | None:
    """How the game ends with best play, here or after a move, if that is known."""
    there = position if move is None else position.play(move)
    if there.outcome() is not None:
        return None
    judged = own if move in (None, own.move) else reply
    end = solved_end(there) or (None if judged is None else judged.end)
    return exact_words(there) or (None if end is None else end.reason)


def why_not(
    player: Player,
    position: Position,
    move: Move,
    limit: Limit,
    choice: Choice | None = None,
    reply: Choice | None = None,
) -> models.WhyNot:
    """The reasons for the player's own move that do not hold for this one."""
    own = _choice(player, position, choice, limit)
    if own.resigns:
        raise ValueError("The judge would give up here, so that no move is better.")
    if move == own.move:
        text = position.write_move(move)
        raise ValueError(f"{text} is what the judge would play, too; ask why instead.")
    account, value = _judged(player, position, move, own, reply, limit)
    comparison = compare(explain_choice(player, position, own), account)
    parts = comparison.parts()
    return models.WhyNot(
        better=_compared_move(player, position, comparison.first, float(own.value or 0.0)),
        yours=_compared_move(player, position, comparison.second, float(value or 0.0)),
        colour=comparison.colour,
        lead=comparison.lead,
        lines=[
            models.ConceptDifference(
                concept=line.concept,
                better=line.first,
                yours=line.second,
                points=line.points,
                cells=list(line.cells),
            )
            for line in comparison.lines
        ],
        differences=[
            models.Difference(
                sentence=comparison.first.pattern(argument),
                votes=effect,
                votes_text=comparison.account_of(argument).votes(argument),
                where=where,
                svg=clause_picture(comparison.account_of(argument), argument),
                cells=_cells(argument),
            )
            for effect, where, argument in parts[: 2 * MOST]
        ],
        terms=[
            models.TermDifference(text=text, there=there, here=here)
            for text, there, here in comparison.terms[:MOST_TERMS]
        ],
        text=_compared(comparison),
    )


def _choice(player: Player, position: Position, choice: Choice | None, limit: Limit) -> Choice:
    """The player's choice with its reasons: the one it made, or else a new one."""
    if choice is not None and isinstance(player, SearchPlayer):
        explain = functools.partial(player.explain, position, choice)
        return dataclasses.replace(choice, explain=explain)
    made = player.choose(position, limit)
    value = None if made.value is None else float(made.value)
    return dataclasses.replace(made, value=value)


def _judged(
    player: Player, position: Position, move: Move, own: Choice, reply: Choice | None, limit: Limit
) -> tuple[Account, float | None]:
    """A player's account of a move, and the move's value for the mover.

    The value is that of the search that made the choice, where it looked as far after this move;
    else that of the reply, from the other side; else what the search found for the move all the
    same; and else the value of the position at the end of the line that is explained.
    """
    if move == own.move:
        return explain_choice(player, position, own), own.value
    as_far = looked_as_far(own, move)
    if as_far is not None:
        return explain_move(player, position, move, own, limit), float(as_far.value)
    if reply is not None and reply.value is not None and not reply.resigns:
        after = position.play(move)
        value = reply.value if after.to_move == position.to_move else -reply.value
        if isinstance(player, SearchPlayer):
            answer = _choice(player, after, reply, limit)
            return explain_reply(player, position, move, answer), value
        return explain_move(player, position, move, own, limit), value
    account = explain_move(player, position, move, own, limit)
    looked_at = next((candidate for candidate in own.candidates if candidate.move == move), None)
    if looked_at is not None and not is_bound(looked_at, own):
        return account, float(looked_at.value)
    return account, float(account.value)


def _sides(account: Account) -> tuple[dict[str, Any], models.Weaker]:
    """The arguments by the side that they speak for: the strongest, and the sum of the others."""
    listed, weaker = {}, {}
    for name, side in {"for": True, "against": False, "draw": None}.items():
        arguments = [one for one in account.arguments if account.speaks_for(one) is side]
        listed[name] = [_reason(account, argument) for argument in arguments[:MOST]]
        rest = [_votes(account, argument) for argument in arguments[MOST:]]
        weaker[name] = models.Rest(count=len(rest), votes=sum(rest))
    return listed, models.Weaker.model_validate(weaker)


def _votes(account: Account, argument: Argument) -> int:
    """The votes of an argument from the point of view of the colour asked about."""
    side = account.speaks_for(argument)
    return argument.votes if side is None else abs(argument.votes) * (1 if side else -1)


def _reason(account: Account, argument: Argument) -> models.ReasonLine:
    return models.ReasonLine(
        votes=_votes(account, argument),
        votes_text=account.votes(argument),
        sentence=account.pattern(argument),
        needed=_placed(argument.first.needed),
        forbidden=_placed(argument.first.forbidden),
        cells=_cells(argument),
        svg=clause_picture(account, argument),
    )


def _placed(bits: Sequence[Any]) -> list[models.Placed]:
    return [models.Placed(cell=bit.cell, piece=bit.piece) for bit in bits if bit.cell is not None]


def _cells(argument: Argument) -> list[str]:
    cells = dict.fromkeys(cell for reason in argument.reasons for cell in reason.cells)
    return [cell for cell in cells if cell is not None]


def _line(line: Line) -> models.ConceptLine:
    """A line with its strongest clauses, and the sum of the others."""
    clauses = sorted(line.clauses, key=lambda clause: -abs(clause.votes))
    shown = [_clause(clause) for clause in clauses[:MOST]]
    if left := clauses[MOST:]:
        votes = sum(clause.votes for clause in left)
        shown.append(_clause(LineClause(f"{len(left):,} more", votes)))
    return models.ConceptLine(
        concept=line.concept,
        text=line.text,
        points=line.points,
        cells=list(line.cells),
        clauses=shown,
    )


def _clause(clause: LineClause) -> models.ClauseLine:
    return models.ClauseLine(text=clause.text, points=clause.votes / UNIT, cells=list(clause.cells))


def _chance(player: Player, colour: str, value: float | None) -> float | None:
    return None if value is None else player.chance(colour, float(value))


def _compared_move(
    player: Player, position: Position, account: Account, value: float
) -> models.ComparedMove:
    shown = account.explanation
    return models.ComparedMove(
        move=account.move,
        value=value,
        chance=player.chance(position.to_move, value),
        headline=account.headline,
        line=list(account.expected),
        line_paths=paths_of(position, (*shown.line, *shown.ahead)),
        line_said=f"{account.heading()}.",
        svg=account.draw(),
    )


def _compared(comparison: Comparison) -> str:
    """What makes the difference, in a sentence."""
    better, yours = comparison.names
    lead, total = comparison.lead, comparison.votes / UNIT
    if comparison.is_silent:
        return f"The judge prefers {better} to {yours}. {comparison.silence()}"
    if comparison.lines and total > 0:
        return f"The board that {better} leads to is {total:.2f} points better."
    if comparison.parts() and lead >= 0:
        return f"After {better} the lead is {lead:,} votes greater than after {yours}."
    if comparison.lines or comparison.parts():
        return (
            f"At the ends of these lines alone, {yours} counts for more; the search prefers "
            f"{better}."
        )
    return f"After {better} and after {yours} these terms differ."
