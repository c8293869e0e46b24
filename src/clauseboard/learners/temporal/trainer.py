"""Trains the weights of features by games against oneself: `clauseboard train temporal`.

Learning can go wrong: once the weight of something good is negative, the player tries to lose, and
its own games tell it that it is right. So after every game the weights of what is surely good are
looked at, and every few games the weights play against the last ones that were found good. If they
have turned, or lose, this is told, and the last good weights are taken again; n stays, so that the
steps from there are smaller ones.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from clauseboard.game import Game
from clauseboard.learners.temporal import files
from clauseboard.learners.temporal.evaluator import HeuristicEvaluator
from clauseboard.learners.temporal.heuristic import (
    MOST,
    USUAL_LEAD,
    FeatureSet,
    Heuristic,
    Numbers,
)
from clauseboard.learners.temporal.learning import Lesson, Schooling, rate, share_of_points
from clauseboard.learners.temporal.memory import Memory, Numbering
from clauseboard.learners.training import (
    Progress,
    Trainer,
    changed_options,
    check_number,
    check_whole,
    option,
)

WORSE = 0.4
"""Who scores less against the last good weights has got worse."""


@dataclass(frozen=True)
class TemporalOptions:
    """What can be set."""

    games: int = option(20, "games against oneself")
    features: str = option("three", "what is counted: 'three' features or the 'full' set")
    depth: int = option(3, "moves that the search looks ahead")
    lead: float = option(USUAL_LEAD, "points of H that predict 0.76 of a win")
    opening: int = option(6, "up to so many moves at the start of a game are drawn at random")
    explore: float = option(0.0, "the chance of a random move later on")
    longest: int = option(200, "moves of both sides after which a game is a draw")
    check: int = option(5, "games after which the weights must not lose to the last good ones")
    check_games: int = option(10, "games of such a trial; 0 is no trial")
    memory: str | None = option(None, "a file for the boards seen (SQLite), kept between trainings")
    board_list: str | None = option(None, "a file for the same boards as text, written at the end")
    seed: int = option(1, "one number, one training")

    def __post_init__(self) -> None:
        for name, least, most in (
            ("games", 1, None), ("depth", 1, 20), ("opening", 0, 100), ("longest", 1, 10_000),
            ("check", 1, None), ("check_games", 0, 10_000), ("seed", 0, None),
        ):  # fmt: skip
            check_whole(name, getattr(self, name), least, most)
        check_number("lead", self.lead, 1e-3, 1e6)
        check_number("explore", self.explore, 0, 1)
        for name in ("features", "memory", "board_list"):
            value = getattr(self, name)
            if not isinstance(value, str) and (value is not None or name == "features"):
                what = "name of a set of features" if name == "features" else "name of a file"
                raise ValueError(f"{name}={value!r} is no {what}.")
        if self.board_list is not None and self.memory is None:
            raise ValueError("board_list is the memory as text; name a file for the memory, too.")


class TemporalTrainer(Trainer):
    """Weights of features, game by game.

    `history` has the weights before the first game and after each one; `undone` what was said after
    the games whose lessons were undone.
    """

    Options = TemporalOptions
    changeable = ("games", "memory", "board_list")
    step_name = "game"
    small: ClassVar[Mapping[str, Any]] = {"depth": 1, "longest": 40, "check": 2, "check_games": 2}

    def __init__(self, features: FeatureSet, options: TemporalOptions) -> None:
        self.game, self.options, self.features = features.game, options, features
        self.weights = self.good = features.equal_weights()
        self.good_since = 0
        self.history = self.weights[None]
        self.first_game = self.last_game = self.weights[None]
        self.n = self.n_before = 0
        self.undone: dict[int, str] = {}
        self._numbering = Numbering(self.game)

    @classmethod
    def check(cls, game: Game) -> None:
        """Refuse a game that has no features."""
        FeatureSet(game)

    @classmethod
    def begin(cls, game: Game, options: TemporalOptions, data: Path | None = None) -> Self:
        """All weights 1.0; n begins with the boards that the memory knows."""
        trainer = cls(FeatureSet(game, options.features), options)
        if options.memory is not None:
            with Memory(options.memory, game) as memory:
                trainer.n = trainer.n_before = memory.boards_seen()
        return trainer

    @classmethod
    def load(cls, path: Path, data: Path | None = None, **changes: Any) -> Self:
        """What was saved."""
        kept = files.load(path)
        if "options" not in kept.page:
            raise ValueError(f"{path} has weights, but no training to go on with.")
        try:
            options = TemporalOptions(**kept.page["options"])
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path} is damaged: {error}") from error
        trainer = cls(kept.heuristic.features, changed_options(cls, options, changes))
        trainer.weights = kept.heuristic.weights
        trainer.history = kept.rows("history")
        trainer.first_game, trainer.last_game = kept.rows("first_game"), kept.rows("last_game")
        trainer.n, trainer.n_before = kept.whole("boards_seen"), kept.whole("boards_before")
        trainer.good_since = kept.whole("good_since", len(trainer.history) - 1)
        trainer.good = trainer.history[trainer.good_since]
        trainer.undone = kept.sentences("undone")
        return trainer

    @property
    def heuristic(self) -> Heuristic:
        """What is learned so far."""
        return self._judging(self.weights)

    def steps(self) -> Iterator[Progress]:
        """Play games and learn from them."""
        options = self.options
        schooling = Schooling(
            self.features, options.depth, options.lead, options.opening, options.explore,
            options.longest,
        )  # fmt: skip
        for number in range(len(self.history), options.games + 1):
            rng = random.Random(f"{options.seed} {number}")
            lesson = schooling.play(self.weights, self.n, rng)
            self.n += len(lesson.boards)
            self.weights, self.last_game = lesson.weights, lesson.course
            if number == 1:
                self.first_game = lesson.course
            self._remember(number, lesson)
            note = self._look_for_failure(number)
            self.history = np.concatenate([self.history, self.weights[None]])
            if note is not None:
                self.undone[number] = note
            yield Progress(number, options.games, self._figures(), (note,) if note else ())

    def _figures(self) -> dict[str, float]:
        weights = dict(zip(self.features.names, self.weights.tolist(), strict=True))
        return {**weights, "a": rate(self.n), "boards seen": float(self.n)}

    def _remember(self, number: int, lesson: Lesson) -> None:
        """Take the boards of a game into the memory."""
        if self.options.memory is None:
            return
        winner = None if lesson.outcome is None else lesson.outcome.winner
        with Memory(self.options.memory, self.game) as memory:
            keys = self._numbering.keys(lesson.boards)
            memory.add_game(self.training, number, keys, winner)

    @property
    def training(self) -> str:
        """Sixteen hex digits that differ if anything differs on which the games depend."""
        settings = {k: v for k, v in asdict(self.options).items() if k not in self.changeable}
        text = json.dumps([repr(self.game), settings, self.n_before], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def _look_for_failure(self, number: int) -> str | None:
        """Undo what was learned if it has gone wrong, and say so; else note that it is good.

        With trials, weights are good once they have not lost one; without, if they have not turned.
        """
        options = self.options
        wrong = self._turned()
        if wrong is None and options.check_games and number % options.check:
            return None
        if wrong is None and options.check_games:
            wrong = self._lost_trial(number)
        if wrong is None:
            self.good, self.good_since = self.weights, number
            return None
        self.weights = self.good
        since = f"after game {self.good_since}" if self.good_since else "of the beginning"
        return f"Game {number}: {wrong}. Undone: the weights are those {since} again."

    def _turned(self) -> str | None:
        """What is wrong with the weights as they stand."""
        if not (np.abs(self.weights) < MOST).all():
            return "the weights have grown beyond all bounds"
        for feature, weight in zip(self.features.features, self.weights, strict=True):
            if feature.good and weight <= 0:
                return (
                    f"the weight of {feature.name} has fallen to {weight:.3f}, so that the player "
                    f"would rather have fewer {feature.text}"
                )
        return None

    def _lost_trial(self, number: int) -> str | None:
        """Whether the weights lose to the last good ones."""
        options = self.options
        share = share_of_points(
            HeuristicEvaluator(self.heuristic),
            HeuristicEvaluator(self._judging(self.good)),
            options.check_games,
            options.depth,
            seed=(options.seed << 32) + number,
            longest=options.longest,
        )
        if share >= WORSE:
            return None
        return (
            f"the weights score {share:.0%} in {options.check_games} games against those they "
            "come from"
        )

    def _judging(self, weights: Numbers) -> Heuristic:
        return Heuristic(self.features, weights, self.options.lead)

    def save(self, path: Path) -> None:
        """Keep the weights and their history; the memory has a file of its own."""
        extra = {
            "options": asdict(self.options),
            "boards_before": self.n_before,
            "boards_seen": self.n,
            "good_since": self.good_since,
            "undone": {str(number): note for number, note in self.undone.items()},
            "history": self.history.tolist(),
            "first_game": self.first_game.tolist(),
            "last_game": self.last_game.tolist(),
        }
        files.save(path, self.heuristic, extra)
        if self.options.board_list is not None:
            with Memory(self.options.memory, self.game) as memory:
                memory.export(self.options.board_list)


TRAINER = TemporalTrainer
