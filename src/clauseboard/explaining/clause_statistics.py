"""What each clause of a machine did: over a data set, or over the boards that a search judged.

The loops are turned round, as in training: a literal is one column of bits over all boards, so that
a clause is the AND of the columns it includes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import one_of
from clauseboard.evaluation import BitEvaluator, Evaluator, Judgements
from clauseboard.explaining.reasons import Argument, pattern_text, reason_picture, votes_text
from clauseboard.explaining.writers import table
from clauseboard.explanation import Reason
from clauseboard.game import Bit, Game, Move, Position
from clauseboard.html_parts import page

if TYPE_CHECKING:  # scikit-learn, which it imports, takes a second
    from clauseboard.learners.tsetlin.concept_evaluator import ConceptEvaluator

ENDS = 3
"""Ends of a game: a win of the first colour, of the second, a draw."""

_ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.int64)


@dataclass(frozen=True)
class ClauseCount:
    """A clause, and the boards on which it fired: right if they ended as it says.

    A clause *for* an end is right on boards that ended so, one *against* it on the others.
    """

    reason: Reason
    index: int
    """Its number among the clauses of its class."""
    boards: int
    fired: int
    right: int

    @property
    def wrong(self) -> int:
        """Boards on which it fired and should not have."""
        return self.fired - self.right

    @property
    def support(self) -> float:
        """The share of the boards on which it fired."""
        return self.fired / self.boards if self.boards else 0.0

    @property
    def precision(self) -> float | None:
        """The share of its votes that were right; None if it cast none."""
        return self.right / self.fired if self.fired else None

    @property
    def kinds(self) -> dict[str, int]:
        """Its boards as true and false positives (it votes for) and negatives (against)."""
        if self.reason.favours:
            return {"TP": self.right, "FP": self.wrong, "TN": 0, "FN": 0}
        return {"TP": 0, "FP": 0, "TN": self.right, "FN": self.wrong}

    @property
    def weighted(self) -> dict[str, int]:
        """The same in votes: each board counts as often as the clause weighs."""
        return {kind: self.reason.weight * n for kind, n in self.kinds.items()}


def count_clauses(
    evaluator: Evaluator,
    packed: NDArray[np.uint8],
    sides: NDArray[Any],
    ends: NDArray[Any],
) -> list[ClauseCount]:
    """What every clause did on boards, those with the most right votes first.

    `packed` are the boards as the evaluator sees them (`np.packbits`, the first bit lowest),
    `sides` whose turn it is (0 for the first colour), `ends` how the games ended: 0 and 1 for a win
    of the first and of the second colour, 2 for a draw. A data set's `packed`, `to_move` and
    `labels` are these. In the view "mover" clauses speak of the board as if the first colour were
    to move, and so do the counts.
    """
    inner = _need_clauses(evaluator)
    sides, ends = np.asarray(sides), np.asarray(ends)
    if not len(packed) == len(sides) == len(ends):
        raise ValueError(
            f"{len(packed)} boards need as many sides to move and ends, not {len(sides)} and "
            f"{len(ends)}."
        )
    if len(ends) and not np.isin(ends, range(ENDS)).all():
        raise ValueError("An end is 0 or 1 for a win of the first or second colour, 2 for a draw.")
    rows = np.unpackbits(packed, axis=1, count=len(inner.game.bits()), bitorder="little")
    if inner.view == "mover":
        ends = np.where((sides == 1) & (ends < 2), 1 - ends, ends)
    if _is_over_concepts(inner):
        return _of_concepts(inner, rows, ends)
    first, second = inner.judges
    parts = [(first, np.ones(len(rows), np.bool_))]
    if first is not second:
        parts = [(first, sides == 0), (second, sides == 1)]
    counts = [
        count
        for judge, chosen in parts
        for count in _of_judge(inner, judge, rows[chosen], ends[chosen])
    ]
    return sorted(counts, key=lambda one: -one.reason.weight * one.right)


def count_patterns(
    votes: Any, position: Position, move: Move, rows: NDArray[np.uint8], chosen: NDArray[np.bool_]
) -> list[ClauseCount]:
    """What every clause of a machine of patterns did on moves.

    `rows` is what is seen around some moves, `chosen` which of them a player made. A clause for a
    move is right where it was made, one against it where it was not. The clauses are told as of
    this move of this position.
    """
    set_, place = rows.astype(np.bool_), {name: n for n, name in enumerate(votes.names)}
    counts = []
    for clause, reason in votes.clauses(position, move):
        fired = set_[:, [place[name] for name in clause.required]].all(axis=1)
        fired &= ~set_[:, [place[name] for name in clause.forbidden]].any(axis=1)
        right = fired & (chosen == reason.favours)
        index = -1 if clause.index is None else clause.index
        counts.append(ClauseCount(reason, index, len(rows), int(fired.sum()), int(right.sum())))
    return sorted(counts, key=lambda one: -one.reason.weight * one.right)


def _of_judge(evaluator: Any, judge: Any, rows: Any, ends: Any) -> list[ClauseCount]:
    """The counts of one machine."""
    from clauseboard.tsetlin.inference import can_fire

    machine, banks = judge.machine, judge.machine.banks_
    if judge.order is not None:
        rows = rows[:, judge.order]
    bits = {bit.name: bit for bit in evaluator.game.bits()}
    names = (
        evaluator.game.bits()
        if judge.order is None
        else [evaluator.game.bits()[k] for k in judge.order]
    )
    features = [
        bits.get(name) or Bit(name, None, "")
        for name in banks.view.feature_names([bit.name for bit in names])
    ]
    columns = _columns(banks.view, rows)
    masks = [np.packbits(ends == end) for end in range(ENDS)]
    colours = (*evaluator.game.colours, None)
    signed = banks.signed_weights(machine.both_signs)
    counts = []
    for bank, include in enumerate(banks.include):
        literals = np.unpackbits(include.view(np.uint8), axis=1, bitorder="little")
        for index in np.flatnonzero(can_fire(include, banks.view)):
            chosen = np.flatnonzero(literals[index])
            fired = np.bitwise_or.reduce(np.bitwise_and.reduce(columns[chosen], axis=0), axis=0)
            fired_by_end = [int(_ONES[fired & mask].sum()) for mask in masks]
            end, favours = judge.ends[bank], bool(signed[bank, index] > 0)
            reason = Reason(
                needed=tuple(features[k] for k in chosen if k < len(features)),
                forbidden=tuple(features[k - len(features)] for k in chosen if k >= len(features)),
                weight=abs(int(signed[bank, index])),
                favours=favours,
                about=colours[end],
            )
            right = fired_by_end[end] if favours else sum(fired_by_end) - fired_by_end[end]
            counts.append(ClauseCount(reason, int(index), len(rows), sum(fired_by_end), right))
    return counts


def _columns(view: Any, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Literals × patches × boards, eight boards to a byte, the last one filled up with zeros."""
    features = view.patches(rows).transpose(2, 1, 0)
    return np.concatenate(
        [np.packbits(features, axis=2), np.packbits(features ^ 1, axis=2)], axis=0
    )


def _of_concepts(
    evaluator: ConceptEvaluator, rows: NDArray[np.uint8], ends: NDArray[Any]
) -> list[ClauseCount]:
    """The counts of clauses over concepts, which speak for either side; told for the first one."""
    first, second = evaluator.game.colours
    positions = [evaluator.game.decode(row, first) for row in rows]
    sides = evaluator.plugin.count(positions) if positions else np.zeros((0, 2, 0), np.int64)
    counts = []
    for index, clause in enumerate(evaluator.clauses):
        ours, theirs = np.zeros(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
        if positions:
            ours = clause.fires(sides[:, 0], sides[:, 1])
            theirs = clause.fires(sides[:, 1], sides[:, 0])
        fired, favours = ours ^ theirs, clause.votes > 0
        won = np.where(ours, ends == 0, ends == 1)
        said = Bit(clause.text(first, second), None, clause.subject.concept.line)
        reason = Reason((said,), (), abs(clause.votes), favours, first)
        right = int((fired & (won == favours)).sum())
        counts.append(ClauseCount(reason, index, len(rows), int(fired.sum()), right))
    return sorted(counts, key=lambda one: -one.reason.weight * one.right)


def _need_clauses(evaluator: Any) -> Any:
    inner = getattr(evaluator, "inner", evaluator)
    if not hasattr(inner, "judges") and not _is_over_concepts(inner):
        raise ValueError(
            f"{evaluator} has no clauses to count; ask a Tsetlin Machine, or read its terms."
        )
    return inner


def _is_over_concepts(evaluator: Any) -> bool:
    from clauseboard.learners.tsetlin.concept_evaluator import ConceptEvaluator

    return isinstance(evaluator, ConceptEvaluator)


class Counting(BitEvaluator):
    """Judges like another evaluator, and records the boards.

    When it is known how the game ended, `ended(winner)` says so of all boards since the last time,
    and `counts()` tells what each clause did on them, right or wrong. Searches ask it board by
    board, not as compiled data, so that they are slower.
    """

    def __init__(self, evaluator: BitEvaluator) -> None:
        if not isinstance(_need_clauses(evaluator), BitEvaluator):
            raise ValueError(
                f"{evaluator} cannot be counted while it searches; count its clauses on a data set."
            )
        self.inner = evaluator
        self.game, self.view = evaluator.game, evaluator.view
        self._new: list[tuple[NDArray[np.uint8], NDArray[np.int64]]] = []
        self._ended: list[tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]] = []

    def judge_bits(self, bits: NDArray[np.uint8], sides: NDArray[np.int64]) -> Judgements:
        """Judge packed rows of bits, and keep them."""
        self._new.append((np.array(bits), np.array(sides)))
        return self.inner.judge_bits(bits, sides)

    def explain(self, position: Position) -> Any:
        """As the other evaluator does; this board is not counted."""
        return self.inner.explain(position)

    def ended(self, winner: str | None) -> None:
        """The game that the boards since the last time belong to was won by this colour."""
        ends: Sequence[str | None] = (*self.game.colours, None)
        end = ends.index(one_of("winner", winner, ends))
        self._ended += [(bits, sides, np.full(len(sides), end)) for bits, sides in self._new]
        self._new = []

    def counts(self) -> list[ClauseCount]:
        """What every clause did on the boards whose game has ended."""
        if not self._ended:
            raise ValueError("No board is known to have ended; search first, then say `ended`.")
        bits, sides, ends = (np.concatenate(part) for part in zip(*self._ended, strict=True))
        return count_clauses(self.inner, bits, sides, ends)

    def __str__(self) -> str:
        return str(self.inner)


# A gallery of a machine's clauses: each drawn, said in a sentence, and with what it did.

KINDS = {
    "TP": "votes for, rightly",
    "FP": "votes for, wrongly",
    "TN": "votes against, rightly",
    "FN": "votes against, wrongly",
}


def strongest(counts: Sequence[ClauseCount], kind: str, most: int = 12) -> list[ClauseCount]:
    """The clauses with most weighted votes of a kind: TP, FP, TN or FN."""
    one_of("kind", kind, KINDS)
    voters = [one for one in counts if one.weighted[kind]]
    return sorted(voters, key=lambda one: -one.weighted[kind])[:most]


def gallery_page(game: Game, counts: Sequence[ClauseCount], title: str, most: int = 12) -> str:
    """The strongest clauses of each kind as an HTML file."""
    boards = max((one.boards for one in counts), default=0)
    body = [
        f'<p class="soft">{len(counts):,} clauses that can fire, on {boards:,} boards. Votes are '
        "boards times weight. A ring is a piece that must be there, a cross one that must not.</p>"
    ]
    for kind, meaning in KINDS.items():
        chosen = strongest(counts, kind, most)
        if not chosen:
            continue
        body += [f"<h2>{escape(meaning.capitalize())} ({kind})</h2>", '<div class="cards">']
        body += [_card(game, one, kind) for one in chosen]
        body.append("</div>")
    return page(title, body)


def gallery_text(game: Game, counts: Sequence[ClauseCount], most: int = 12) -> str:
    """The strongest clauses of each kind as text."""
    lines = []
    for kind, meaning in KINDS.items():
        lines.append(f"{meaning.capitalize()} ({kind}):")
        for one in strongest(counts, kind, most):
            lines.append(f"  {one.weighted[kind]:>9,} votes  {_summary(game, one)}")
    return "\n".join(lines)


def gallery_markdown(game: Game, counts: Sequence[ClauseCount], most: int = 12) -> str:
    """The strongest clauses of each kind as Markdown."""
    lines = []
    for kind, meaning in KINDS.items():
        rows = [
            (f"{one.weighted[kind]:,}", pattern_text(one.reason, game), votes_text(one.reason),
             _precision(one), f"{one.support:.1%}")
            for one in strongest(counts, kind, most)
        ]  # fmt: skip
        head = ("votes", "clause", "weight", "precision", "support")
        lines += [f"### {meaning.capitalize()} ({kind})", "", *table(head, rows), ""]
    return "\n".join(lines)


def counts_page(counts: Sequence[ClauseCount]) -> list[dict[str, Any]]:
    """What every clause did, in JSON's types."""
    return [
        {
            "winner": one.reason.about, "clause": one.index, "votes": one.reason.votes,
            "needed": [bit.name for bit in one.reason.needed],
            "forbidden": [bit.name for bit in one.reason.forbidden],
            "boards": one.boards, "fired": one.fired, **one.kinds,
            "precision": one.precision, "support": one.support,
        }
        for one in counts
    ]  # fmt: skip


def _card(game: Game, one: ClauseCount, kind: str) -> str:
    return (
        f'<div class="card">{reason_picture(game, one.reason)}<b>{one.weighted[kind]:,} votes</b>'
        f"{escape(_summary(game, one))}</div>"
    )


def _summary(game: Game, one: ClauseCount) -> str:
    text = votes_text(Argument((one.reason,)))
    return (
        f"{pattern_text(one.reason, game)}: {text}; fired on {one.fired:,} boards "
        f"({one.support:.1%}), right on {_precision(one)}"
    )


def _precision(one: ClauseCount) -> str:
    return "none" if one.precision is None else f"{one.precision:.1%}"
