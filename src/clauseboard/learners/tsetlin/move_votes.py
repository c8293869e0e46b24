"""Machines that vote for moves, so that a search looks at likely ones first, and more often.

Votes divided by the temperature of the machine's calibration become shares of 1 over the legal
moves (softmax). There are two kinds, and one machine of either serves both sides:

- `MoveVotes`: the classes are codes of moves (`search.compiled_rules`), and the bits are the whole
  board, as the side to move sees it.
- `PatternVotes`: the bits are what is seen around a move (`search.compiled_rules`), and two classes
  say whether that move is likely to be the best; the votes for it less those against it count.
  Such a machine does not depend on the size of the board.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from clauseboard.checks import positive_number
from clauseboard.evaluation import Compiled, Evaluator, Judgements
from clauseboard.explanation import Explanation, Reason
from clauseboard.game import Bit, Game, Move, Position
from clauseboard.games.plugins import SHAPE_PLAYOUTS
from clauseboard.games.squares import mover_codes
from clauseboard.search.compiled_rules import compiled_rules_of, move_features_of, unpacked
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.clauses import Clause
from clauseboard.tsetlin.inference import VoteTable, compile_votes
from clauseboard.tsetlin.machine import BaseTsetlinMachine

CLASSES = ("likely", "unlikely")
"""The classes of a machine of patterns."""


def compiled_clauses(table: VoteTable, kind: int = Compiled.CLAUSES, **settings: Any) -> Compiled:
    """The clauses of a machine as the data that compiled searches read."""
    return Compiled(
        kind,
        table=table.table,
        out=table.out,
        weights=table.weights,
        owners=table.owners,
        planes=table.planes,
        n_planes=table.n_planes,
        **settings,
    )


class MoveMachine(ABC):
    """Priors of moves by the votes of a machine that was found to fit.

    `sharpness` divides the temperature: with 0.5, votes count half as much. With `zero` all moves
    are alike.
    """

    compiled: tuple[Compiled, Compiled]
    """The same as tables of clauses, one for each side to move."""

    def __init__(
        self, game: Game, machine: BaseTsetlinMachine, sharpness: float = 1.0, zero: bool = False
    ) -> None:
        self.game, self._zero = game, zero
        self.machine = self._fitting(machine)
        self._scale = sharpened(self.machine, sharpness)
        self.compiled = self._tables()

    @abstractmethod
    def _fitting(self, machine: BaseTsetlinMachine) -> TsetlinMachineClassifier:
        """The machine, or a `ValueError` if it is none for moves of the game."""

    @abstractmethod
    def _tables(self) -> tuple[Compiled, Compiled]:
        """`compiled`."""

    @abstractmethod
    def priors(self, positions: Sequence[Position]) -> list[NDArray[np.float64]]:
        """For each position the shares of its moves."""


class MoveVotes(MoveMachine):
    """Priors of moves by the votes of a machine on the whole board."""

    def _fitting(self, machine: BaseTsetlinMachine) -> TsetlinMachineClassifier:
        rules = compiled_rules_of(self.game)
        if rules is None:
            raise ValueError(
                f"The moves of {self.game.name} have no codes, so that no machine knows them."
            )
        self._rules, self._n_codes = rules, rules.n_codes(self.game)
        return _move_machine(machine, self.game, self._n_codes)

    def _tables(self) -> tuple[Compiled, Compiled]:
        seen = mover_codes(self.game, self._n_codes)
        # What the second colour sees as a code is, on the board as it is, another one.
        self._codes = (np.arange(self._n_codes), np.argsort(seen))
        return self._table(self._codes[0]), self._table(self._codes[1])

    def priors(self, positions: Sequence[Position]) -> list[NDArray[np.float64]]:
        """For each position the shares of its moves."""
        rows = self.game.encode(positions, view="mover")
        votes = np.zeros((len(positions), self._n_codes))
        if not self._zero:
            counted = self.machine.votes(rows)
            votes[:, self.machine.classes_.astype(np.intp)] = counted
        shares = []
        for position, row in zip(positions, votes, strict=True):
            codes = self._codes[self.game.colours.index(position.to_move)]
            on_board = np.empty(self._n_codes)
            on_board[codes] = row
            legal = [self._rules.code_of(position, move) for move in position.moves()]
            shares.append(softmax(on_board[legal] / self._scale))
        return shares

    def _table(self, codes: NDArray[np.intp]) -> Compiled:
        banks = self.machine.banks_
        room = slice(0) if self._zero else slice(None)
        signed = banks.signed_weights(self.machine.both_signs)
        # Outputs without a class of their own have no clauses, and no votes.
        include = np.zeros((self._n_codes, *banks.include[:, room].shape[1:]), np.uint64)
        weights = np.zeros(include.shape[:2], np.int32)
        to = codes[self.machine.classes_.astype(np.intp)]
        include[to], weights[to] = banks.include[:, room], signed[:, room]
        table = compile_votes(banks.view, include, weights)
        return compiled_clauses(table, view="mover", scale=self._scale, n_outputs=self._n_codes)


def sharpened(machine: TsetlinMachineClassifier, sharpness: float) -> float:
    """The temperature of a machine's votes, divided by `sharpness`."""
    return float(machine.calibration_.temperature / positive_number("sharpness", sharpness))


def _move_machine(
    machine: BaseTsetlinMachine, game: Game, n_codes: int
) -> TsetlinMachineClassifier:
    if not isinstance(machine, TsetlinMachineClassifier) or machine.window is not None:
        raise ValueError("A machine for moves is a classifier without a window.")
    codes = machine.classes_
    if codes.dtype.kind not in "iu" or codes.min() < 0 or codes.max() >= n_codes:
        raise ValueError(
            f"The classes of a machine for moves of {game!r} are codes from 0 to {n_codes - 1}; "
            f"this one has {list(codes[:3])} and so on."
        )
    if machine.n_features_in_ != len(game.bits()):
        raise ValueError(
            f"The machine for moves sees boards of {machine.n_features_in_} bits, but those of "
            f"{game!r} have {len(game.bits())}."
        )
    return machine


class PatternVotes(MoveMachine):
    """Priors of moves by the votes of a machine on what is around them."""

    def _fitting(self, machine: BaseTsetlinMachine) -> TsetlinMachineClassifier:
        self._seen = move_features_of(self.game)
        self._answers: dict[float, NDArray[np.uint16]] = {}
        return _pattern_machine(machine, self.game, self._seen.names)

    def _tables(self) -> tuple[Compiled, Compiled]:
        signs = np.array([1 if label == CLASSES[0] else -1 for label in self.machine.classes_])
        banks = self.machine.banks_
        room = slice(0) if self._zero else slice(None)
        signed = banks.signed_weights(self.machine.both_signs).astype(np.int64) * signs[:, None]
        include = np.concatenate(list(banks.include[:, room]))
        table = compile_votes(banks.view, include[None], signed[:, room].reshape(1, -1))
        both = compiled_clauses(table, Compiled.MOVE_FEATURES, view="mover", scale=self._scale)
        return both, both

    def votes(self, position: Position) -> NDArray[np.int64]:
        """For each of the position's moves the votes for it, less those against it."""
        rows = self.rows(position)
        if self._zero:
            return np.zeros(len(rows), np.int64)
        return likely_votes(self.machine, rows)

    def priors(self, positions: Sequence[Position]) -> list[NDArray[np.float64]]:
        """For each position the shares of its moves."""
        return [softmax(self.votes(position) / self._scale) for position in positions]

    def answers(self, sharpness: float) -> NDArray[np.uint16] | None:
        """What answers weigh in random games, by the same clauses; None if the game knows none.

        Without votes nothing weighs, so that random games are as they were.
        """
        shapes = SHAPE_PLAYOUTS.find(self.game)
        if shapes is None:
            return None
        if self._zero:
            return np.zeros(shapes.N_WEIGHTS, np.uint16)
        if sharpness not in self._answers:
            logs = likely_votes(self.machine, shapes.shape_bits()) * (sharpness / self._scale)
            [far] = likely_votes(self.machine, shapes.elsewhere_bits())
            self._answers[sharpness] = shapes.weights_of(logs, far * (sharpness / self._scale))
        return self._answers[sharpness]

    def reasons(self, position: Position, move: Move) -> tuple[Reason, ...]:
        """The clauses that fire around a move; what they vote adds up to its votes, exactly."""
        if self._zero:
            return ()
        moves = position.moves()
        bits = self._seen.bits(position, move)
        row = unpacked(self._seen.rows(position)[moves.index(move)], len(bits))
        tally = self.machine.explain(row, list(self._seen.names))
        of = dict(zip(self._seen.names, bits, strict=True))
        return tuple(_reason(cast.clause, of, position.to_move) for cast in tally.cast)

    def clauses(self, position: Position, move: Move) -> list[tuple[Clause, Reason]]:
        """All clauses, whether they fire or not, each with what it says of a move."""
        names = list(self._seen.names)
        of = dict(zip(names, self._seen.bits(position, move), strict=True))
        clauses = [c for label in CLASSES for c in self.machine.clauses_of(label, names)]
        return [(clause, _reason(clause, of, position.to_move)) for clause in clauses]

    def rows(self, position: Position) -> NDArray[np.uint8]:
        """What is seen around each of the position's moves, a bit a column."""
        return unpacked(self._seen.rows(position), len(self._seen.names))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of these columns."""
        return self._seen.names


class PatternEvaluator(Evaluator):
    """Tells likely moves by a machine of patterns, and leaves values to random games."""

    def __init__(
        self,
        game: Game,
        machine: BaseTsetlinMachine,
        *,
        sharpness: float = 1.0,
        zero: bool = False,
    ) -> None:
        self.game = game
        self.patterns = PatternVotes(game, machine, sharpness, zero)

    def judge(self, positions: Sequence[Position]) -> Judgements:
        """Nothing is better than anything else."""
        return Judgements(np.zeros(len(positions)))

    def compiled(self) -> tuple[Compiled, Compiled]:
        """The same, as data."""
        return Compiled(Compiled.NOTHING), Compiled(Compiled.NOTHING)

    def priors(self, positions: Sequence[Position]) -> list[NDArray[np.float64]]:
        """How likely each move is to be the best."""
        return self.patterns.priors(positions)

    def compiled_priors(self) -> tuple[Compiled, Compiled]:
        """The same as a table of clauses."""
        return self.patterns.compiled

    def compiled_answers(self, sharpness: float) -> NDArray[np.uint16] | None:
        """What answers weigh in random games."""
        return self.patterns.answers(sharpness)

    def explain_move(self, position: Position, move: Move) -> Explanation:
        """Why a move is likely: the clauses that fire around it."""
        return move_explained(self.patterns, position, move, str(self))

    def __str__(self) -> str:
        return "patterns around moves"


def move_explained(votes: PatternVotes, position: Position, move: Move, judge: str) -> Explanation:
    """The clauses that fire around a move of a position."""
    reasons = votes.reasons(position, move)
    counted: dict[str | None, int] = {position.to_move: sum(reason.votes for reason in reasons)}
    return Explanation(
        position=position, value=0.0, judge=judge, votes=counted, reasons=reasons, move=move
    )


def _reason(clause: Clause, of: Mapping[str, Bit], mover: str) -> Reason:
    """A clause as a reason for a move, or against it; `of` has the bits around that move."""
    words = [of[name].name for name in clause.required]
    words += [_denied(of[name]) for name in clause.forbidden]
    return Reason(
        needed=tuple(of[name] for name in clause.required),
        forbidden=tuple(of[name] for name in clause.forbidden),
        weight=clause.weight,
        favours=clause.favours == (clause.class_ == CLASSES[0]),
        about=mover,
        text=", ".join(filter(None, dict.fromkeys(words))),
    )


def _denied(bit: Bit) -> str:
    """That a bit is not set, in words; empty where it goes without saying."""
    return f"no {bit.name}" if bit.denied is None else bit.denied


def likely_votes(machine: TsetlinMachineClassifier, rows: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The votes of a machine of patterns on rows of bits: those for a move less those against."""
    counted = machine.votes(rows)
    for_it = int(np.flatnonzero(machine.classes_ == CLASSES[0])[0])
    return counted[:, for_it] - counted[:, 1 - for_it]


def is_patterns(machine: BaseTsetlinMachine) -> bool:
    """Whether a machine votes by what is around a move, and not by codes of moves."""
    return sorted(map(str, getattr(machine, "classes_", ()))) == sorted(CLASSES)


def _pattern_machine(
    machine: BaseTsetlinMachine, game: Game, names: tuple[str, ...]
) -> TsetlinMachineClassifier:
    if not isinstance(machine, TsetlinMachineClassifier) or not is_patterns(machine):
        raise ValueError(
            f"A machine for patterns has the classes {CLASSES[0]!r} and {CLASSES[1]!r}."
        )
    if tuple(machine.bit_names_) != names:
        raise ValueError(
            f"The machine's bits are not those that are seen around a move of {game.name}, such as "
            f"{names[0]!r}; it has {len(machine.bit_names_)}, such as {machine.bit_names_[0]!r}."
        )
    return machine
