"""H(s) = c0 F0(s) + c1 F1(s) + ...: features, a weight for each, and the sum over the bits.

H counts for the first colour. U(s) = tanh(H(s) / lead) is what it predicts: the result of the game,
from -1 to 1; so that a lead of `lead` points means 0.76.

A saved heuristic is JSON that people can read, the same bytes for the same training. A file is
written beside its place and moved there when whole, and all of it is checked when it is read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import BitEvaluator, Compiled, Judgements, linear, sides_of
from clauseboard.explanation import Explanation, Term
from clauseboard.files import replaced
from clauseboard.game import Game, Position
from clauseboard.games.concepts import Feature, features_of
from clauseboard.kernels.evaluators import values_of
from clauseboard.learners import (
    check_same_boards,
    check_version,
    game_of_page,
    game_to_page,
)
from clauseboard.learners.temporal.memory import Memory, Numbering

Numbers = NDArray[np.float64]

USUAL_LEAD = 3.0
"""Points of H that predict 0.76 of a win, by default."""

USUAL_TRUST = 10.0
"""How often a board must have been seen to count half by its results."""

MOST = 1e9
"""No weight is as great as this."""

FORMAT = "clauseboard weights of features"
VERSION = 1
LARGEST = 1 << 27
"""Bytes of the largest file that is read."""


class FeatureSet:
    """The features of a game, as numbers over its bits."""

    def __init__(self, game: Game, name: str = "three") -> None:
        self.game = game
        self.name = name
        self.features: tuple[Feature, ...] = features_of(game, name)
        self.over_bits: Numbers = np.stack([f.over_bits(game) for f in self.features])

    def __len__(self) -> int:
        return len(self.features)

    @property
    def names(self) -> list[str]:
        """What the features are called."""
        return [feature.name for feature in self.features]

    def of(self, positions: Sequence[Position]) -> Numbers:
        """The features of positions for the first colour, positions × features."""
        return self.game.encode(positions) @ self.over_bits.T

    def equal_weights(self) -> Numbers:
        """1.0 for each: how learning begins."""
        return np.ones(len(self))

    @cached_property
    def most_pieces(self) -> int:
        """Pieces that a side has at the start, and so at the most."""
        board = self.game.encode([self.game.start()])[0]
        first = self.game.colours[0]
        return sum(
            int(there)
            for bit, there in zip(self.game.bits(), board, strict=True)
            if bit.piece.startswith(first)
        )


@dataclass(frozen=True, eq=False)
class Heuristic:
    """Features and their weights."""

    features: FeatureSet
    weights: Numbers
    lead: float

    def __post_init__(self) -> None:
        if self.weights.shape != (len(self.features),):
            raise ValueError(
                f"There are {len(self.features)} features, which need as many weights; not "
                f"{self.weights.shape}."
            )
        if not (np.abs(self.weights) < MOST).all():
            raise ValueError(f"The weights {self.weights.tolist()} are not all numbers to add.")

    def on(self, game: Game, path: Path | str) -> Heuristic:
        """The same weights for a game with the same boards; else a `ValueError` names the file."""
        if game == self.features.game:
            return self
        check_same_boards(path, self.features.game, game)
        return Heuristic(FeatureSet(game, self.features.name), self.weights, self.lead)

    def sums(self, positions: Sequence[Position]) -> Numbers:
        """H of positions, for the first colour."""
        return self.features.of(positions) @ self.weights

    def predictions(self, positions: Sequence[Position]) -> Numbers:
        """U of positions, for the first colour."""
        return np.tanh(self.sums(positions) / self.lead)

    @cached_property
    def most(self) -> float:
        """More than H ever is: as many pieces as a side may have, each where it is worth most."""
        each = np.sort(np.abs(self.weights @ self.features.over_bits))[::-1]
        bound = float(each[: self.features.most_pieces].sum())
        return bound if bound > 0 and math.isfinite(bound) else 1.0

    @cached_property
    def compiled(self) -> Compiled:
        """H / `most` as data; in parts of the most, so that no value is clipped."""
        return linear(self.weights @ self.features.over_bits, scale=self.most)


@dataclass(frozen=True)
class HeuristicFile:
    """A saved heuristic, and what its trainer needs to go on."""

    path: Path
    heuristic: Heuristic
    page: Mapping[str, Any]

    def rows(self, name: str) -> Numbers:
        """Some rows of weights that the trainer saved."""
        n = len(self.heuristic.features)
        rows = self.page.get(name)
        if not isinstance(rows, list) or not all(_is_numbers(row, n) for row in rows):
            raise ValueError(f"{self.path} is damaged: {name} are not rows of {n} numbers.")
        return np.array(rows, np.float64).reshape(-1, n)

    def sentences(self, name: str) -> dict[int, str]:
        """Sentences by the numbers of the games that they tell of."""
        notes = self.page.get(name)
        if not isinstance(notes, dict) or not all(
            number.isdecimal() and isinstance(text, str) for number, text in notes.items()
        ):
            raise ValueError(f"{self.path} is damaged: {name} are not sentences about games.")
        return {int(number): text for number, text in notes.items()}

    def whole(self, name: str, most: int | None = None) -> int:
        """A whole number from 0 on that the trainer kept."""
        value = self.page.get(name)
        if type(value) is not int or value < 0 or (most is not None and value > most):
            raise ValueError(f"{self.path} is damaged: {name} is {value!r}.")
        return value


def save_heuristic(path: Path, heuristic: Heuristic, extra: Mapping[str, Any]) -> None:
    """Write a heuristic, and what else is to be kept."""
    features = heuristic.features
    page = {
        "format": FORMAT,
        "version": VERSION,
        "game": game_to_page(features.game),
        "features": features.name,
        "lead": heuristic.lead,
        "weights": dict(zip(features.names, heuristic.weights.tolist(), strict=True)),
        **extra,
    }
    # One row of numbers a line, not one number a line.
    parts = [f"{json.dumps(name)}: {_written(value)}" for name, value in page.items()]
    with replaced(Path(path)) as file:
        file.write(("{\n" + ",\n".join(parts) + "\n}\n").encode())


def _written(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], list):
        return "[\n" + ",\n".join(f" {json.dumps(row)}" for row in value) + "\n]"
    return json.dumps(value)


def load_heuristic(path: Path | str) -> HeuristicFile:
    """Read a file; a `ValueError` that says what is wrong with it."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"There is no file {str(path)!r} to read {FORMAT} from.")
    size = path.stat().st_size
    if size > LARGEST:
        raise ValueError(f"{path} has {size:,} bytes; {FORMAT} have {LARGEST:,} at the most.")
    content = path.read_bytes()
    if not content.lstrip().startswith(b"{"):
        what = "is empty" if not content.strip() else "is a file of another kind"
        raise ValueError(f"{path} {what}, not {FORMAT}.")
    try:
        page = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is damaged or cut short: {error}.") from error
    if page.get("format") != FORMAT:
        kind = page.get("format")
        raise ValueError(f"{path} holds {kind or 'something else'}, not {FORMAT}.")
    if type(page.get("version")) is not int or not 1 <= page["version"] <= VERSION:
        raise ValueError(
            f"{path} has format version {page.get('version')}; this program reads up to {VERSION}."
        )
    try:
        game = game_of_page(page["game"])
        features = FeatureSet(game, page["features"])
        weights, lead = page["weights"], page["lead"]
        if not isinstance(weights, dict) or list(weights) != features.names:
            raise ValueError(f"the weights are not those of {', '.join(features.names)}")
        if not _is_numbers([lead, *weights.values()], 1 + len(features)) or lead <= 0:
            raise ValueError("a weight is no number")
        heuristic = Heuristic(features, np.array(list(weights.values()), np.float64), lead)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is damaged: {str(error).rstrip('.')}.") from error
    check_version(path, game, page["game"])
    return HeuristicFile(path, heuristic, page)


def _is_numbers(row: Any, n: int) -> bool:
    return (
        isinstance(row, list)
        and len(row) == n
        and all(type(x) in (int, float) and math.isfinite(x) for x in row)
    )


class HeuristicEvaluator(BitEvaluator):
    """Judges boards by weighted features, and by experience if there is a memory.

    Without memory the value is H in parts of the most that it can be: a linear sum over bits, which
    compiled searches read. With memory a board that was seen is judged by its results, too:

        value = U + seen / (seen + trust) (mean result - U)

    so that a board seen `trust` times counts half by its heuristic and half by the games in which
    it came up. Values are then in the unit of results, U, so that both can be compared; and since
    the memory is no array, searches look the boards up one by one.
    """

    def __init__(
        self, heuristic: Heuristic, memory: Memory | None = None, trust: float = USUAL_TRUST
    ) -> None:
        self.heuristic = heuristic
        self.game = heuristic.features.game
        self.memory = memory
        self.trust = trust
        self._numbering = None if memory is None else Numbering(self.game)

    def judge_bits(self, bits: NDArray[np.uint8], sides: NDArray[np.int64]) -> Judgements:
        """Judge packed rows of bits."""
        if self.memory is None:
            compiled = self.heuristic.compiled
            return Judgements(values_of((compiled, compiled), bits, sides))
        n_bits = len(self.game.bits())
        rows = np.unpackbits(bits, axis=1, count=n_bits, bitorder="little")
        return Judgements(self._remembered(rows, sides)[1])

    def _remembered(
        self, rows: NDArray[np.uint8], sides: NDArray[np.int64]
    ) -> tuple[Numbers, Numbers, list[tuple[int, int, int]]]:
        """H and the values of boards, for the side to move; how often seen, won by either side."""
        assert self.memory is not None
        assert self._numbering is not None
        signs = np.where(sides == 0, 1.0, -1.0)
        heuristic = self.heuristic
        sums = signs * (rows @ (heuristic.weights @ heuristic.features.over_bits))
        values = np.tanh(sums / heuristic.lead)
        numbers = self._numbering.of_rows(rows)
        results = self.memory.look_up(list(zip(numbers, map(int, sides), strict=True)))
        for k, (seen, first, second) in enumerate(results):
            if seen:
                mean = signs[k] * (first - second) / seen
                values[k] += seen / (seen + self.trust) * (mean - values[k])
        return sums, values, results

    def compiled(self) -> tuple[Compiled, Compiled] | None:
        """A linear sum over bits; None with a memory, which is no array."""
        compiled = self.heuristic.compiled
        return None if self.memory is not None else (compiled, compiled)

    def explain(self, position: Position) -> Explanation:
        """Each feature times its weight; they add up to H, for the side to move.

        With a memory, what it adds stands as the last term, in points of H: all of them together
        are the H whose U is the value.
        """
        sides = sides_of(self.game, [position])
        features = self.heuristic.features
        sign = 1.0 if sides[0] == 0 else -1.0
        counts = sign * features.of([position])[0] + 0.0  # no -0
        terms = [
            Term(feature.name, float(count * weight), None, f"{count:+.4g} at {weight:.3f} each")
            for feature, count, weight in zip(
                features.features, counts, self.heuristic.weights, strict=True
            )
        ]
        if self.memory is None:
            value = float(self.judge([position]).values[0])
        else:
            sums, values, results = self._remembered(self.game.encode([position]), sides)
            value = float(values[0])
            seen, *won = results[0]
            if seen:
                mine, theirs = won if sides[0] == 0 else won[::-1]
                ends = f"{mine} won, {seen - mine - theirs} drawn, {theirs} lost"
                near = float(np.clip(value, -1 + 1e-12, 1 - 1e-12))
                amount = float(np.arctanh(near) * self.heuristic.lead - sums[0])
                terms.append(Term("memory", amount, None, f"seen {seen} times: {ends}"))
        points = sum(term.amount for term in terms)
        return Explanation(
            position=position,
            value=value,
            judge=str(self),
            terms=tuple(terms),
            about_terms=f"Features times their weights, for {position.to_move}: together "
            f"{points:+.3f} points, which is a value of {value:+.3f}.",
        )

    def __str__(self) -> str:
        what = f"{len(self.heuristic.features)} weighted features"
        return what if self.memory is None else f"{what} and the memory of boards seen"
