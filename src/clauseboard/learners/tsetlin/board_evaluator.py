"""Tsetlin Machines as evaluators: a board's bits in, votes for each end of the game out.

One machine judges every board, or there is one for each side to move. Labels say what
classes mean: a colour's name or "draw", or "win", "loss" and "draw", or numbers for these.

A board's value is the votes for a win less those for a loss, divided by a scale and clipped to -1
and 1. Each class strives for `threshold` votes on its own boards and for as many against it on
others, so that the scale is twice the threshold by default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import flag, one_of, positive_number
from clauseboard.evaluation import VIEWS, BitEvaluator, Compiled, Judgements
from clauseboard.explanation import Explanation, Reason
from clauseboard.game import Bit, Game, Position
from clauseboard.games.squares import mover_source
from clauseboard.learners.tsetlin.move_votes import (
    MoveVotes,
    PatternVotes,
    compiled_clauses,
    is_patterns,
)
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.clauses import CastVote, plain
from clauseboard.tsetlin.inference import VoteTable, compile_votes
from clauseboard.tsetlin.machine import BaseTsetlinMachine
from clauseboard.tsetlin.regressor import TsetlinMachineRegressor

WORDS = ("win", "loss", "draw")

NUMBERS: dict[tuple[int, ...], tuple[str, ...]] = {
    (0, 1): ("loss", "win"),
    (-1, 1): ("loss", "win"),
    (0, 1, 2): ("loss", "win", "draw"),
    (-1, 0, 1): ("loss", "draw", "win"),
}
"""What classes that are numbers mean by default."""

FIRST, SECOND, DRAW = 0, 1, 2
"""Ends of a game, as columns of votes: a win of the first colour, of the second, a draw."""

Machine = TsetlinMachineClassifier | TsetlinMachineRegressor
Source = Machine | str | Path
"""A machine, or the file of one."""


@dataclass(frozen=True, eq=False)
class VoteMeaning:
    """A machine, and what its votes mean.

    `ends[class]` is the end of the game that a class speaks of, as the machine sees the board; all
    that a regressor votes speaks of one colour's win. The value for the first colour that is seen
    is (sum - offset) / scale, where votes for its win count and those for a loss count against it.
    """

    machine: Machine
    ends: tuple[int, ...]
    scale: float
    offset: float
    order: NDArray[np.intp] | None
    """The game's bits in the order of the machine's, where it is another one."""

    @property
    def table(self) -> VoteTable:
        """The machine's clauses, laid out for counting."""
        return self.machine.vote_table()

    def count(self, bits: NDArray[np.uint8], n_bits: int) -> NDArray[np.int64]:
        """The votes of the machine's own classes on packed rows of the game's bits."""
        table = self.table
        votes = np.zeros((len(bits), table.n_classes), np.int64)
        if self.order is None and table.view.window is None:
            features = np.require(bits[:, None, :], np.uint8, ["C", "W"])
        else:
            rows = np.unpackbits(bits, axis=1, count=n_bits, bitorder="little")
            order = slice(None) if self.order is None else self.order
            features = table.view.pack_features(np.ascontiguousarray(rows[:, order]))
        table.add_votes(features, votes)
        return votes

    def signs(self) -> NDArray[np.int64]:
        """How each class counts in the sum for the first colour: 1, -1, or 0 for a draw."""
        return np.array([{FIRST: 1, SECOND: -1, DRAW: 0}[end] for end in self.ends], np.int64)


class MachineEvaluator(BitEvaluator):
    """Judges positions by the votes of one Tsetlin Machine, or of one for each side to move.

    Parameters
    ----------
    game : Game
        The game. The machine's bits are those of `game.bits()`, by their names in any order.
    machine : machine, path or (machine or path, machine or path)
        A classifier, or a regressor of values from -1 to 1; or the file of one. Two of them judge
        the boards with the first and with the second colour to move.
    classes : mapping from label to "win", "loss", "draw" or a colour, default=None
        What the classes mean, where their labels do not say it: colours, the three words, the
        numbers 0 and 1 (or -1 and 1) for loss and win, 0, 1, 2 for loss, win and draw, or -1, 0, 1
        for loss, draw and win.
    wins_of : colour or (colour, colour), default=None
        Whose win a "win" is: by default the first colour's.
    inverted : bool, default=False
        Take every win for a loss, and every loss for a win.
    view : {"board", "mover"}, default="board"
        How the machine sees a board. In "mover" it is as if the first colour were to move, so that
        a "win" is one of the side to move.
    scale : float, default=None
        The lead in votes that is worth 1; None is twice the threshold. The thesis on
        Hex had 100,000.
    zero : bool, default=False
        Count no vote at all: what is left of a player then is its search.
    moves : machine or path, default=None
        A classifier whose classes are codes of moves (`search.compiled_rules`) as the side to move
        sees the board, or one that votes by what is around a move; its votes become priors.
        `sharpness` is how much they count: 1 is as the machine's calibration has it.
    """

    def __init__(
        self,
        game: Game,
        machine: Source | tuple[Source, Source],
        *,
        classes: Mapping[Any, str | None] | None = None,
        wins_of: str | tuple[str, str] | None = None,
        inverted: bool = False,
        view: str = "board",
        scale: float | None = None,
        zero: bool = False,
        moves: Source | None = None,
        sharpness: float = 1.0,
    ) -> None:
        one_of("view", view, VIEWS)
        flag("inverted", inverted)
        self.game, self.view, self.zero = game, view, flag("zero", zero)
        self._bits = game.bits()
        self._cells = {bit.name: bit for bit in self._bits}
        sources = machine if isinstance(machine, tuple) else (machine,)
        owners = wins_of if isinstance(wins_of, tuple) else (wins_of,) * len(sources)
        if len(sources) not in (1, 2) or len(owners) != len(sources):
            raise ValueError(
                f"One machine or two are wanted, and `wins_of` for each; not {len(sources)} "
                f"and {len(owners)}."
            )
        judges = [
            self._judge(source, classes, self._owner(owner), inverted, scale)
            for source, owner in zip(sources, owners, strict=True)
        ]
        self.judges = (judges[0], judges[-1])
        winners = {_winners(judge, game) for judge in judges}
        if len(winners) > 1:
            raise ValueError("The two machines differ in their classes, so that votes do, too.")
        (self.winners,) = winners
        self._kept: tuple[tuple[VoteTable, VoteTable], tuple[Compiled, Compiled]] | None = None
        self._moves = None if moves is None else _move_votes(game, loaded(moves), sharpness, zero)

    def priors(self, positions: Sequence[Position]) -> list[NDArray[np.float64]] | None:
        """How likely each move is to be the best, where there is a machine for moves."""
        return None if self._moves is None else self._moves.priors(positions)

    def compiled_priors(self) -> tuple[Compiled, Compiled] | None:
        """The same as a clause table for each side."""
        return None if self._moves is None else self._moves.compiled

    def compiled_answers(self, sharpness: float) -> NDArray[np.uint16] | None:
        """What answers weigh in random games, where there is a machine of patterns."""
        return self._moves.answers(sharpness) if isinstance(self._moves, PatternVotes) else None

    def judge_bits(self, bits: NDArray[np.uint8], sides: NDArray[np.int64]) -> Judgements:
        """Judge packed rows of bits, each by the machine for the side to move."""
        first, second = self.judges
        values = np.zeros(len(bits))
        votes = np.zeros((len(bits), len(self.winners)), np.int64) if self.winners else None
        parts = [(first, np.ones(len(bits), np.bool_))]
        if first is not second:
            parts = [(first, sides == 0), (second, sides == 1)]
        for judge, rows in parts:
            if self.zero or not rows.any():
                continue
            counted = judge.count(bits[rows], len(self._bits))
            sums = counted @ judge.signs()
            values[rows] = ((sums - judge.offset) / judge.scale).clip(-1.0, 1.0)
            if votes is not None:
                votes[rows] = _by_end(counted, judge.ends, len(self.winners))
        turned = sides == 1
        if self.view == "board":
            values[turned] = -values[turned]
        elif votes is not None:
            votes[turned, :2] = votes[turned, 1::-1]
        return Judgements(values, votes, self.winners)

    def explain(self, position: Position) -> Explanation:
        """The clauses that fire on a position; what they vote adds up to `votes`, exactly."""
        judgements = self.judge([position])
        value = float(judgements.values[0])
        if self.zero:
            return Explanation(position=position, value=value, judge=str(self))
        side = self.game.colours.index(position.to_move)
        judge = self.judges[side]
        order: Any = slice(None) if judge.order is None else judge.order
        source, colours = np.arange(len(self._bits)), (*self.game.colours, None)
        if self.view == "mover" and side == 1:
            # The machine saw the board reversed; the reasons name the cells of the board as it is.
            source, colours = mover_source(self.game), (*self.game.colours[::-1], None)
        names = [self._bits[k].name for k in source[order]]
        row = self.game.encode([position], view=self.view)[0]
        tally = judge.machine.explain(row[order], names)
        ends = dict(zip(map(plain, judge.machine._labels()), judge.ends, strict=True))
        view = judge.table.view
        seen = cache(lambda place: view.names_at(place, names))
        reasons = tuple(
            self._reason(
                cast,
                colours[ends[cast.clause.class_]],
                seen(cast.patches[0]) if view.window else None,
            )
            for cast in tally.cast
        )
        votes = dict.fromkeys(self.winners or (colours[judge.ends[0]],), 0)
        for class_, total in tally.votes.items():
            votes[colours[ends[class_]]] += total
        return Explanation(
            position=position, value=value, judge=str(self), votes=votes, reasons=reasons
        )

    def compiled(self) -> tuple[Compiled, Compiled] | None:
        """The machines as one clause table each; None if one has a window, or bits in its order."""
        if any(j.order is not None or j.table.view.window is not None for j in self.judges):
            return None
        first, second = self.judges
        # A machine that learns on has another table, and is to be compiled again.
        tables = (first.table, second.table)
        if self._kept is None or any(
            a is not b for a, b in zip(self._kept[0], tables, strict=True)
        ):
            one = self._compiled(first)
            self._kept = tables, (one, one if first is second else self._compiled(second))
        return self._kept[1]

    def __str__(self) -> str:
        return "Tsetlin Machine" if self.judges[0] is self.judges[1] else "two Tsetlin Machines"

    # ---- inside

    def _owner(self, colour: str | None) -> int:
        if colour is None:
            return FIRST
        one_of("wins_of", colour, self.game.colours)
        if self.view == "mover":
            raise ValueError(
                "A machine that judges for one colour sees the board as it is: view='board'."
            )
        return self.game.colours.index(colour)

    def _judge(
        self,
        source: Source,
        classes: Mapping[Any, str | None] | None,
        owner: int,
        inverted: bool,
        scale: float | None,
    ) -> VoteMeaning:
        machine = loaded(source)
        if scale is not None:
            positive_number("scale", scale)
        order = _order(machine, self.game.name, [bit.name for bit in self._bits])
        if isinstance(machine, TsetlinMachineRegressor):
            if classes is not None or scale is not None:
                raise ValueError("A regressor has a value of its own: no `classes`, no `scale`.")
            worth_one, worth_zero = _line(machine)
            ends: tuple[int, ...] = (SECOND,) if owner ^ inverted else (FIRST,)
            offset = -worth_zero if owner ^ inverted else worth_zero
            return VoteMeaning(machine, ends, worth_one, offset, order)
        ends = _ends(machine, self.game, classes, owner)
        if inverted:
            ends = tuple({FIRST: SECOND, SECOND: FIRST, DRAW: DRAW}[end] for end in ends)
        return VoteMeaning(machine, ends, float(scale or 2 * machine._threshold()), 0.0, order)

    def _compiled(self, judge: VoteMeaning) -> Compiled:
        banks = judge.machine.banks_
        signed = banks.signed_weights(judge.machine.both_signs)
        signs = judge.signs()
        counting = np.flatnonzero(signs)
        room = slice(0) if self.zero else slice(None)
        include = np.concatenate([banks.include[k, room] for k in counting])
        weights = np.concatenate([signs[k] * signed[k, room].astype(np.int64) for k in counting])
        table = compile_votes(banks.view, include[None], weights[None])
        return compiled_clauses(table, view=self.view, scale=judge.scale, offset=judge.offset)

    def _reason(self, cast: CastVote, about: str | None, seen: Mapping[str, str] | None) -> Reason:
        """A vote as a reason; with a window, at the first place where the clause fires.

        What the clause asks of the place itself is true there, and is left to the text.
        """
        clause = cast.clause

        def bits(names: tuple[str, ...]) -> tuple[Bit, ...]:
            on_board = names if seen is None else [seen[name] for name in names if name in seen]
            return tuple(self._cells.get(name) or Bit(name, None, "") for name in on_board)

        return Reason(
            needed=bits(clause.required),
            forbidden=bits(clause.forbidden),
            weight=clause.weight,
            favours=clause.favours,
            about=about,
            text=", ".join(clause.literals) + _places(cast),
            note="" if seen is None else _elsewhere(len(cast.patches) - 1),
        )


def _move_votes(
    game: Game, machine: Machine, sharpness: float, zero: bool
) -> MoveVotes | PatternVotes:
    """Votes for moves, by the whole board or by what is around each."""
    kind = PatternVotes if is_patterns(machine) else MoveVotes
    return kind(game, machine, sharpness, zero)


def _winners(judge: VoteMeaning, game: Game) -> tuple[str | None, ...]:
    """What the columns of votes stand for; none for a regressor, which has a value only."""
    if isinstance(judge.machine, TsetlinMachineRegressor):
        return ()
    return (*game.colours, None) if DRAW in judge.ends else game.colours


def loaded(source: Source) -> Machine:
    """A fitted machine, from a file if it is the name of one."""
    if isinstance(source, BaseTsetlinMachine):
        if not hasattr(source, "banks_"):
            raise ValueError(f"{source!r} has learned nothing yet; fit it first.")
        return source
    if isinstance(source, str | Path):
        if not Path(source).is_file():
            raise ValueError(f"There is no file {str(source)!r} to read a Tsetlin Machine from.")
        return BaseTsetlinMachine.load(source)
    raise ValueError(f"A machine, or the name of its file, is wanted; not {source!r}.")


def _order(machine: Machine, game: str, names: list[str]) -> NDArray[np.intp] | None:
    """Which of the game's bits are the machine's, in its order; None if they are the same."""
    known = machine.bit_names_
    if len(known) != len(names):
        raise ValueError(
            f"The machine sees boards of {len(known)} bits, but those of this game ({game}) have "
            f"{len(names)}. Train it on `game.encode(positions)`, on a board of the same size."
        )
    unnamed = known == [f"x{k}" for k in range(len(known))]
    if machine.window is not None and unnamed:
        raise ValueError(
            "A machine with a window has to know how its bits lie: train it with bit_names=..., "
            "the names of `game.bits()` in the order of its rows."
        )
    if unnamed or known == names:
        return None
    places = {name: k for k, name in enumerate(names)}
    strange = next((name for name in known if name not in places), None)
    if strange is not None:
        raise ValueError(
            f"The machine knows a bit {strange!r}, which {game} has not; it has bits such as "
            f"{names[0]!r}. Train it on `game.encode(positions)`."
        )
    return np.array([places[name] for name in known], np.intp)


def _ends(
    machine: TsetlinMachineClassifier,
    game: Game,
    classes: Mapping[Any, str | None] | None,
    owner: int,
) -> tuple[int, ...]:
    """The end of the game that each class means."""
    labels = [plain(label) for label in machine.classes_]
    meant = dict(classes) if classes is not None else _meanings(labels, game)
    missing = [label for label in labels if label not in meant]
    if missing:
        raise ValueError(f"`classes` does not say what {missing[0]!r} means; it has {meant!r}.")
    first, second = game.colours
    known: dict[str | None, int] = {
        "win": owner, "loss": 1 - owner, "draw": DRAW, None: DRAW, first: FIRST, second: SECOND,
    }  # fmt: skip
    for label in labels:
        if meant[label] not in known:
            allowed = ", ".join(repr(word) for word in (*WORDS, first, second))
            raise ValueError(f"The class {label!r} cannot mean {meant[label]!r}: one of {allowed}.")
    ends = tuple(known[meant[label]] for label in labels)
    if not {FIRST, SECOND} <= set(ends):
        raise ValueError(
            f"The machine has the classes {labels!r}; it takes one for a win and one for a loss."
        )
    return ends


def _meanings(labels: list[Any], game: Game) -> dict[Any, str | None]:
    if set(labels) <= {*WORDS, *game.colours}:
        return {label: label for label in labels}
    numbers = all(isinstance(label, int | float) for label in labels)
    words = NUMBERS.get(tuple(labels)) if numbers else None
    if words is None:
        raise ValueError(
            f"It is not known what the classes {labels!r} mean. Say it by classes={{label: word}}, "
            f"where a word is one of {', '.join(map(repr, (*WORDS, *game.colours)))}."
        )
    return dict(zip(labels, words, strict=True))


def _line(machine: TsetlinMachineRegressor) -> tuple[float, float]:
    """The votes that are worth 1, and those that are worth 0.

    Votes beyond the threshold go on along the line, up to 1, where `predict` stops at the highest
    value that was learned.
    """
    low, high = machine.lowest_, machine.highest_
    if not -1 <= low < high <= 1:
        raise ValueError(
            f"The regressor learned values from {low:g} to {high:g}; a value of a board goes from "
            "-1 (lost) to 1 (won)."
        )
    scale = machine._threshold() / (high - low)
    return scale, -low * scale


def _by_end(votes: NDArray[np.int64], ends: tuple[int, ...], n_ends: int) -> NDArray[np.int64]:
    """Votes by class as votes by end of the game; classes that mean the same are added up."""
    summed = np.zeros((len(votes), n_ends), np.int64)
    for column, end in enumerate(ends):
        summed[:, end] += votes[:, column]
    return summed


def _elsewhere(more: int) -> str:
    others = f", as at {more} other place{'s' * (more > 1)}" if more else ""
    return f"seen through its window{others}"


def _places(cast: CastVote) -> str:
    return f" at {', '.join(map(str, cast.patches))}" if cast.patches else ""
