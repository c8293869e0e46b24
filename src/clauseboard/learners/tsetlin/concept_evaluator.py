"""A Tsetlin Machine over concepts as an evaluator: clauses that exist for both sides.

A clause such as "we are two men ahead, and they have no king" is looked at twice on every board:
once with the side to move as "we", once with the other side. What it votes for the one it votes
against the other, so that whatever both sides have cancels. The sum of the votes, in hundredths,
is the logarithm of the odds of winning, and so tells a chance.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import Compiled, Evaluator, Judgements, sides_of
from clauseboard.explanation import CONNECTION, UNIT, Explanation, Line, LineClause, settled
from clauseboard.game import Game, Position
from clauseboard.games.concepts import LEAD, ConceptBit, concept_bits
from clauseboard.games.plugins import CONCEPTS, ConceptsPlugin
from clauseboard.kernels.evaluators import CONCEPT_BITS, COUNTS, judge_counts
from clauseboard.learners.tsetlin.move_votes import PatternVotes
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.machine import BaseTsetlinMachine

CLASSES = ("loss", "win")


def is_conceptual(machine: BaseTsetlinMachine, game: Game) -> bool:
    """Whether a machine's bits are concepts of a game; it need not know all of them."""
    offered = CONCEPTS.find(game)
    if offered is None:
        return False
    return {bit.name for bit in concept_bits(offered.CONCEPTS)}.issuperset(machine.bit_names_)


@dataclass(frozen=True)
class ConceptClause:
    """Conditions, each a bit and whether it must be set, and votes for the side that meets them."""

    conditions: tuple[tuple[ConceptBit, bool], ...]
    votes: int
    source: str | None = None
    """What found it, if the file of its machine says so."""

    def fires(self, ours: NDArray[np.int64], theirs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether it fires on each board, given the counts of "us" and of "them"."""
        fired = np.ones(ours.shape[:-1], np.bool_)
        for bit, wanted in self.conditions:
            fired &= bit.reached(ours[..., bit.index], theirs[..., bit.index]) == wanted
        return fired

    @property
    def subject(self) -> ConceptBit:
        """The condition that it is about: the last one that is more than context.

        It does not contradict the votes: "needs three moves, and is connected to an edge" is about
        the moves if it counts against a side. What a side has comes before what the other one
        suffers from, which both may. Where only the context agrees, it is about that.
        """
        last = self.conditions[::-1]
        agrees = {bit: self.votes * (bit.good if wanted else -bit.good) for bit, wanted in last}
        matters = [bit for bit, _ in last if not bit.is_context]
        matters.sort(key=lambda bit: bit.concept.good < 0)
        for bit in matters:
            if agrees[bit] >= 0:
                return bit
        deciding = [bit for bit, _ in last if bit.is_context and agrees[bit] > 0]
        return next(iter((*deciding, *matters)), last[0][0])

    def subject_text(self, we: str, they: str) -> str:
        """What it is about, in words; its other conditions say when that counts."""
        wanted = dict(self.conditions)
        return self.subject.sentence(we, they, wanted[self.subject]) or self.text(we, they)

    def text(self, we: str, they: str) -> str:
        """The conditions in words."""
        text = subject = ""
        for bit, wanted in self.conditions:
            part = bit.sentence(we, they, wanted)
            who = next((side for side in (we, they) if part.startswith(f"{side} ")), "")
            if text and who and who == subject:
                part = part.removeprefix(f"{who} ")
            text = f"{text}, and {part}" if text and part else text or part
            subject = who
        return text


class ConceptEvaluator(Evaluator):
    """Judges positions by a machine whose bits are the game's concepts.

    `patterns` tell likely moves by what is around them, so that a search looks at these first.
    """

    view = "mover"

    def __init__(
        self,
        game: Game,
        machine: TsetlinMachineClassifier,
        zero: bool = False,
        patterns: PatternVotes | None = None,
    ) -> None:
        self.game, self.machine, self.zero, self.patterns = game, machine, zero, patterns
        self.plugin: ConceptsPlugin[Position] = CONCEPTS.of(game)
        self.scale = 2.0 * machine._threshold()
        if tuple(map(str, machine.classes_)) != CLASSES:
            raise ValueError(
                f"A machine over concepts has the classes {CLASSES[0]!r} and {CLASSES[1]!r}, not "
                f"{', '.join(map(repr, machine.classes_))}."
            )

    @cached_property
    def clauses(self) -> tuple[ConceptClause, ...]:
        """The clauses that can fire, the strongest first."""
        bits = {bit.name: bit for bit in concept_bits(self.plugin.CONCEPTS)}
        found = []
        for label, sign in zip(CLASSES, (-1, 1), strict=True):
            for clause in self.machine.clauses_of(label):
                needed = [(bits[name], True) for name in clause.required]
                refused = [(bits[name], False) for name in clause.forbidden]
                votes = sign * clause.votes
                conditions = sorted(
                    needed + refused, key=lambda pair: (pair[0].index, pair[0].kind, pair[0].level)
                )
                if conditions and votes:
                    found.append(ConceptClause(tuple(conditions), votes, clause.source))
        return tuple(sorted(found, key=lambda clause: -abs(clause.votes)))

    # ---- judging

    @cached_property
    def _compiled(self) -> Compiled:
        if self.zero:
            return Compiled(Compiled.NOTHING)
        return compiled_concepts(self.clauses, self.scale)

    def compiled(self) -> tuple[Compiled, Compiled]:
        """Tables of what each count makes false."""
        return self._compiled, self._compiled

    def judge(self, positions: Sequence[Position]) -> Judgements:
        """Judge positions, all at once, by the kernel that searches use."""
        values = np.zeros(len(positions))
        if len(positions) and not self.zero:
            counts = self.plugin.count(positions).reshape(len(positions), -1)
            sides = sides_of(self.game, positions)
            judge_counts(self._compiled.arguments(), np.ascontiguousarray(counts), sides, values)
        return Judgements(values)

    def priors(self, positions: Sequence[Position]) -> list[NDArray[np.float64]] | None:
        """How likely each move is to be the best, by the patterns."""
        return None if self.patterns is None else self.patterns.priors(positions)

    def compiled_priors(self) -> tuple[Compiled, Compiled] | None:
        """The same as a table of clauses."""
        return None if self.patterns is None else self.patterns.compiled

    def compiled_answers(self, sharpness: float) -> NDArray[np.uint16] | None:
        """What answers weigh in random games, by the patterns."""
        return None if self.patterns is None else self.patterns.answers(sharpness)

    def chance(self, value: float) -> float:
        """The chance of winning: votes are the logarithm of the odds."""
        return 1 / (1 + math.exp(-value * self.scale / UNIT))

    # ---- explaining

    def explain(self, position: Position) -> Explanation:
        """The concepts that count on a position; their votes add up to the judgement."""
        mover, other = position.to_move, self.game.other(position.to_move)
        certain = None if self.zero else proven_winner(self.plugin, position)
        if certain is not None:
            winner, text, cells = certain
            return settled(position, winner, "its connections", CONNECTION, text, (), cells)
        counts = self.plugin.count([position])[0]
        first = 0 if mover == self.game.colours[0] else 1
        ours, theirs = counts[first], counts[1 - first]
        grouped: defaultdict[str, list[tuple[ConceptClause, str]]] = defaultdict(list)
        for clause in () if self.zero else self.clauses:
            for_us, for_them = clause.fires(ours, theirs), clause.fires(theirs, ours)
            if for_us != for_them:
                grouped[clause.subject.concept.line].append((clause, mover if for_us else other))
        lines = [
            self._line(position, name, clauses, ours, theirs) for name, clauses in grouped.items()
        ]
        lines = sorted((line for line in lines if line.votes), key=lambda line: -abs(line.votes))
        total = sum(line.votes for line in lines)
        value = min(max(total / self.scale, -1.0), 1.0)
        return Explanation(
            position, value, str(self), lines=tuple(lines), chance=self.chance(total / self.scale)
        )

    def _line(
        self,
        position: Position,
        name: str,
        clauses: list[tuple[ConceptClause, str]],
        ours: NDArray[np.int64],
        theirs: NDArray[np.int64],
    ) -> Line:
        """A line of an account: what clauses about one matter say together."""
        mover, other = position.to_move, self.game.other(position.to_move)

        def votes(clause: ConceptClause, side: str) -> int:
            return clause.votes if side == mover else -clause.votes

        total = sum(votes(clause, side) for clause, side in clauses)
        favoured = mover if total > 0 else other
        mine, yours = (ours, theirs) if favoured == mover else (theirs, ours)
        text = self.plugin.line_text(position, name, favoured, mine, yours)
        clauses = sorted(clauses, key=lambda pair: -abs(pair[0].votes))
        told = tuple(
            LineClause(
                clause.text(side, self.game.other(side)),
                votes(clause, side),
                self._cells(position, clause, side),
                clause.source,
            )
            for clause, side in clauses
        )
        speaking = [clause for clause in told if (clause.votes > 0) == (total > 0)]
        line_cells = getattr(self.plugin, "line_cells", None)
        if line_cells is None:
            cells = tuple(dict.fromkeys(cell for clause in speaking for cell in clause.cells))
        else:  # those of the sentence: clauses may be about what the other side lacks
            cells = line_cells(position, name, favoured)
        if not text:
            strongest, side = clauses[told.index((speaking or told)[0])]
            text = strongest.subject_text(side, self.game.other(side))
        return Line(name, text, total, cells, told)

    def _cells(self, position: Position, clause: ConceptClause, side: str) -> tuple[str, ...]:
        """The cells that the subject of a clause speaks of."""
        bit, other = clause.subject, self.game.other(side)
        whose = side if bit.is_ours else other
        return self.plugin.cells(position, bit.concept.name, whose)

    def __str__(self) -> str:
        return "no clauses" if self.zero else f"{len(self.clauses)} clauses over concepts"


def known_winner(plugin: ConceptsPlugin[Position], position: Position) -> tuple[str, str] | None:
    """Who has won by what the game's concepts prove, and a sentence; None if nothing is sure."""
    decided = getattr(plugin, "decided", None)
    return None if decided is None else decided(position)


def proven_winner(
    plugin: ConceptsPlugin[Position], position: Position
) -> tuple[str, str, tuple[str, ...]] | None:
    """The same with all that the game can say of the proof, and the cells that it needs."""
    proof = getattr(plugin, "proof", None)
    if proof is not None:
        return proof(position)
    known = known_winner(plugin, position)
    return None if known is None else (*known, ())


def compiled_concepts(clauses: Sequence[ConceptClause], scale: float) -> Compiled:
    """Clauses over concepts as data; see `kernels.evaluators.concept_votes`."""

    def row_of(bit: ConceptBit) -> int:
        return bit.kind << CONCEPT_BITS | bit.index

    rows = sorted({row_of(bit) for clause in clauses for bit, _ in clause.conditions}) or [0]
    place = {row: n for n, row in enumerate(rows)}
    joint = [c for c in clauses if len({row_of(bit) for bit, _ in c.conditions}) > 1]
    n_words = max(1, -(-len(joint) // 64))
    table = np.zeros((len(rows), COUNTS, n_words), np.uint64)
    alone = np.zeros((len(rows), COUNTS))
    weights = np.zeros(64 * n_words, np.int64)
    out = np.full((1, 1, n_words), np.iinfo(np.uint64).max, np.uint64)
    for n, clause in enumerate(joint):
        weights[n] = clause.votes
        out[0, 0, n // 64] &= ~np.uint64(1 << n % 64)
    number = {id(clause): n for n, clause in enumerate(joint)}
    for clause in clauses:
        true: dict[int, NDArray[np.bool_]] = {}
        for bit, wanted in clause.conditions:
            row = row_of(bit)
            held = _true_counts(bit, COUNTS) == wanted
            true[row] = true.get(row, np.ones(COUNTS, np.bool_)) & held
        for row, counts in true.items():
            if id(clause) in number:
                n = number[id(clause)]
                table[place[row], ~counts, n // 64] |= np.uint64(1 << n % 64)
            else:
                alone[place[row], counts] += clause.votes
    return Compiled(
        Compiled.CONCEPTS,
        "mover",
        scale,
        table=table,
        out=out,
        weights=weights,
        owners=np.array(rows, np.int64),
        numbers=alone,
    )


def _true_counts(bit: ConceptBit, n: int) -> NDArray[np.bool_]:
    """For which counts, or leads moved up to begin at 0, a bit is set."""
    if bit.kind != LEAD:
        return np.arange(n) >= bit.level
    leads = np.arange(n) - n // 2
    return leads >= bit.level if bit.level > 0 else leads <= bit.level
