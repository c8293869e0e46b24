"""A machine that votes for a move by what is seen around it: one set of clauses for all moves.

Its bits are those of `search.around`, as the side to move sees them, and its two classes say
whether a move is likely to be the best. The votes for it less those against it, divided by the
temperature of the machine's calibration, become shares of 1 over the legal moves (softmax). Such a
machine knows nothing of the size of the board, and serves any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from clauseboard.evaluation import Compiled, Evaluator, Judgements
from clauseboard.explanation import Explanation, Reason
from clauseboard.game import Bit, Game
from clauseboard.games.parts import part_of
from clauseboard.learners.tsetlin.moves import sharpened
from clauseboard.search.around import surroundings_of, unpacked
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.clauses import Clause
from clauseboard.tsetlin.inference import compile_votes

CLASSES = ("likely", "unlikely")


class PatternVotes:
    """Priors of moves by the votes of a machine on what is around them.

    `sharpness` divides the temperature: with 0.5, votes count half as much. With `zero` all moves
    are alike.
    """

    def __init__(
        self, game: Game, machine: Any, sharpness: float = 1.0, zero: bool = False
    ) -> None:
        self.game, self.machine = game, machine
        self._seen = surroundings_of(game)
        _check(machine, game, self._seen.names)
        self._scale = sharpened(machine, sharpness)
        self._zero = zero
        self._answers: dict[float, NDArray[np.uint16]] = {}
        signs = np.array([1 if label == CLASSES[0] else -1 for label in machine.classes_])
        banks = machine.banks_
        room = slice(0) if zero else slice(None)
        signed = banks.signed_weights(machine.both_signs).astype(np.int64) * signs[:, None]
        include = np.concatenate(list(banks.include[:, room]))
        table = compile_votes(banks.view, include[None], signed[:, room].reshape(1, -1))
        both = table.compiled(Compiled.SURROUNDINGS, view="mover", scale=self._scale)
        self.compiled: tuple[Compiled, Compiled] = (both, both)

    def votes(self, position: Any) -> NDArray[np.int64]:
        """For each of the position's moves the votes for it, less those against it."""
        rows = self.rows(position)
        if self._zero:
            return np.zeros(len(rows), np.int64)
        return likely_votes(self.machine, rows)

    def priors(self, positions: Sequence[Any]) -> list[NDArray[np.float64]]:
        """For each position the shares of its moves."""
        return [softmax(self.votes(position) / self._scale) for position in positions]

    def answers(self, sharpness: float) -> NDArray[np.uint16] | None:
        """What answers weigh in random games, by the same clauses; None if the game knows none.

        Without votes nothing weighs, so that random games are as they were.
        """
        shapes = part_of(self.game, "answers")
        if shapes is None:
            return None
        if self._zero:
            return np.zeros(shapes.N_WEIGHTS, np.uint16)
        if sharpness not in self._answers:
            logs = likely_votes(self.machine, shapes.shape_bits()) * (sharpness / self._scale)
            [far] = likely_votes(self.machine, shapes.elsewhere_bits())
            self._answers[sharpness] = shapes.weights_of(logs, far * (sharpness / self._scale))
        return self._answers[sharpness]

    def reasons(self, position: Any, move: Any) -> tuple[Reason, ...]:
        """The clauses that fire around a move; what they vote adds up to its votes, exactly."""
        if self._zero:
            return ()
        moves = position.moves()
        bits = self._seen.bits(position, move)
        row = unpacked(self._seen.rows(position)[moves.index(move)], len(bits))
        tally = self.machine.explain(row, list(self._seen.names))
        of = dict(zip(self._seen.names, bits, strict=True))
        return tuple(_reason(cast.clause, of, position.to_move) for cast in tally.cast)

    def clauses(self, position: Any, move: Any) -> list[tuple[Clause, Reason]]:
        """All clauses, whether they fire or not, each with what it says of a move."""
        names = list(self._seen.names)
        of = dict(zip(names, self._seen.bits(position, move), strict=True))
        found = [one for label in CLASSES for one in self.machine.clauses_of(label, names)]
        return [(one, _reason(one, of, position.to_move)) for one in found]

    def rows(self, position: Any) -> NDArray[np.uint8]:
        """What is seen around each of the position's moves, a bit a column."""
        return unpacked(self._seen.rows(position), len(self._seen.names))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of these columns."""
        return self._seen.names


class PatternEvaluator(Evaluator):
    """Tells likely moves by a machine of patterns, and leaves values to random games."""

    def __init__(
        self, game: Game, machine: Any, *, sharpness: float = 1.0, zero: bool = False
    ) -> None:
        self.game = game
        self.patterns = PatternVotes(game, machine, sharpness, zero)

    def judge(self, positions: Sequence[Any]) -> Judgements:
        """Nothing is better than anything else."""
        return Judgements(np.zeros(len(positions)))

    def compiled(self) -> tuple[Compiled, Compiled]:
        """The same, as data."""
        return Compiled(Compiled.NOTHING), Compiled(Compiled.NOTHING)

    def priors(self, positions: Sequence[Any]) -> list[NDArray[np.float64]]:
        """How likely each move is to be the best."""
        return self.patterns.priors(positions)

    def compiled_priors(self) -> tuple[Compiled, Compiled]:
        """The same as a table of clauses."""
        return self.patterns.compiled

    def compiled_answers(self, sharpness: float) -> NDArray[np.uint16] | None:
        """What answers weigh in random games."""
        return self.patterns.answers(sharpness)

    def explain_move(self, position: Any, move: Any) -> Explanation:
        """Why a move is likely: the clauses that fire around it."""
        return move_explained(self.patterns, position, move, str(self))

    def __str__(self) -> str:
        return "patterns around moves"


def move_explained(votes: PatternVotes, position: Any, move: Any, judge: str) -> Explanation:
    """The clauses that fire around a move of a position."""
    reasons = votes.reasons(position, move)
    counted = {position.to_move: sum(reason.votes for reason in reasons)}
    return Explanation(
        position=position, value=0.0, judge=judge, votes=counted, reasons=reasons, move=move
    )


def _reason(clause: Clause, of: Mapping[str, Bit], mover: str) -> Reason:
    """A clause as a reason for a move, or against it; `of` has the bits around that move."""
    told = [of[name].name for name in clause.required]
    told += [_denied(of[name]) for name in clause.forbidden]
    return Reason(
        needed=tuple(of[name] for name in clause.required),
        forbidden=tuple(of[name] for name in clause.forbidden),
        weight=clause.weight,
        favours=clause.favours == (clause.class_ == CLASSES[0]),
        about=mover,
        text=", ".join(filter(None, dict.fromkeys(told))),
    )


def _denied(bit: Bit) -> str:
    """That a bit is not set, in words; empty where it goes without saying."""
    return f"no {bit.name}" if bit.denied is None else bit.denied


def likely_votes(machine: Any, rows: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The votes of a machine of patterns on rows of bits: those for a move less those against."""
    counted = machine._votes(rows)
    for_it = int(np.flatnonzero(machine.classes_ == CLASSES[0])[0])
    return counted[:, for_it] - counted[:, 1 - for_it]


def is_patterns(machine: Any) -> bool:
    """Whether a machine votes by what is around a move, and not by codes of moves."""
    return sorted(map(str, getattr(machine, "classes_", ()))) == sorted(CLASSES)


def _check(machine: Any, game: Game, names: tuple[str, ...]) -> None:
    if not isinstance(machine, TsetlinMachineClassifier) or not is_patterns(machine):
        raise ValueError(
            f"A machine for patterns has the classes {CLASSES[0]!r} and {CLASSES[1]!r}."
        )
    if tuple(machine.bit_names_) != names:
        raise ValueError(
            f"The machine's bits are not those that are seen around a move of {game.name}, such as "
            f"{names[0]!r}; it has {len(machine.bit_names_)}, such as {machine.bit_names_[0]!r}."
        )
