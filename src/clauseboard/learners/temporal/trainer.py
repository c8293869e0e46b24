"""Trains the weights of features by games against oneself: `clauseboard train temporal`.

Temporal differences: after every move the weights go a step towards what the next board says.

    U(s) <- U(s) + a (R(s) + U(s') - U(s)),    a = 50 / (49 + n)

R is the result when the game ends (1 if the first colour has won, -1 if the second, 0 for a draw),
and n the number of boards seen so far: over all games, the same board counted as often as it comes.
U of a board is that of the board at the end of the line which the search expects: what minimax
says of it. A board in the midst of an exchange would otherwise be taken for a lost one. Only the
weights can change, and they do so along the gradient of U:

    c <- c + a (R(s) + U(s') - U(s)) (1 - U(s)^2) F / lead

With `rule=linear` U is the sum of the weighted features itself, as in the report this comes from:

    c <- c + a (R(s) + U(s') - U(s)) F

Nothing holds those weights: a few pieces ahead, every step is larger than the one before.

Learning can go wrong: once the weight of something good is negative, the player tries to lose, and
its own games confirm it. So after every game the weights of what is surely good are checked, and
every few games the weights play against the last ones that were found good. If they have turned, or
lose, a note says so, and the last good weights are taken again; n stays, so that the steps from
there are smaller ones. With `undo=False` the note stays and the weights, too.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from clauseboard.checks import one_of
from clauseboard.evaluation import BitEvaluator
from clauseboard.game import Game, Move, Outcome, Position
from clauseboard.learners import (
    StepReport,
    Trainer,
    changed_options,
    check_options,
    option,
)
from clauseboard.learners.temporal.heuristic import (
    MOST,
    USUAL_LEAD,
    FeatureSet,
    Heuristic,
    HeuristicEvaluator,
    Numbers,
    load_heuristic,
    save_heuristic,
)
from clauseboard.learners.temporal.memory import Memory, Numbering
from clauseboard.search import Search, load_search

SLOWNESS = 49


def rate(n: int) -> float:
    """The learning coefficient a, when n boards have been seen.

    >>> [rate(n) for n in (1, 51, 951)]
    [1.0, 0.5, 0.05]
    """
    return (SLOWNESS + 1) / (SLOWNESS + n)


RULES = ("tanh", "linear")


def stepped(
    weights: Numbers, features: Numbers, target: float, a: float, lead: float, rule: str = "tanh"
) -> Numbers:
    """The weights after one temporal difference; `target` is R(s) + U(s')."""
    total = weights @ features
    if rule == "linear":
        return weights + a * (target - total) * features
    predicted = np.tanh(total / lead)
    slope = (1 - predicted**2) / lead
    return weights + a * (target - predicted) * slope * features


def bounded(weights: Numbers) -> bool:
    """Whether all weights are numbers to play with."""
    return bool((np.abs(weights) < MOST).all())


def result_of(game: Game, outcome: Outcome | None) -> float:
    """What a game brought the first colour: 1, -1, or 0 for a draw and for no end."""
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner == game.colours[0] else -1.0


@dataclass(frozen=True)
class LearnedGame:
    """A game that was played to learn from it.

    `boards` are all of it, the last one too; `weights_by_move` has the weights before the game and
    after each change. If they `ran_away`, the next change would have left all bounds.
    """

    boards: tuple[Any, ...]
    outcome: Outcome | None
    weights_by_move: Numbers
    ran_away: bool = False

    @property
    def weights(self) -> Numbers:
        """What was learned."""
        return self.weights_by_move[-1]


@dataclass(frozen=True)
class LearningGames:
    """How games to learn from are played: their search and their openings.

    `opening`: up to so many moves at the start are drawn at random. `explore`: the chance of a move
    at random later on, from which nothing is learned. `longest`: moves after which it is a draw.
    A game in which the weights grow beyond all bounds ends before they do.
    """

    features: FeatureSet
    depth: int
    lead: float
    opening: int
    explore: float
    longest: int
    rule: str = "tanh"

    def play(self, weights: Numbers, n: int, rng: random.Random) -> LearnedGame:
        """Play a game against oneself and learn after every move; n boards were seen before."""
        game = self.features.game
        position, boards = opened(game, rng.randrange(self.opening + 1), rng)
        search = quick_search(self.depth)
        by_move = [weights]
        before: Numbers | None = None
        while (outcome := position.outcome()) is None and len(boards) <= self.longest:
            heuristic = Heuristic(self.features, weights, self.lead)
            evaluator = HeuristicEvaluator(heuristic)
            choice = search.find(position, evaluator, seed=rng.getrandbits(63))
            features, predicted = self._expected(heuristic, position, choice.line)
            if before is not None:
                after = self._stepped(weights, before, predicted, n + len(boards))
                if not bounded(after):
                    return LearnedGame(tuple(boards), None, np.stack(by_move), ran_away=True)
                weights = after
                by_move.append(weights)
            before, move = features, choice.move
            if rng.random() < self.explore:
                before, move = None, rng.choice(position.moves())
            position = position.play(move)
            boards.append(position)
        if before is not None:
            result = result_of(game, outcome)
            after = self._stepped(weights, before, result, n + len(boards))
            if not bounded(after):
                return LearnedGame(tuple(boards), outcome, np.stack(by_move), ran_away=True)
            by_move.append(after)
        return LearnedGame(tuple(boards), outcome, np.stack(by_move))

    def _stepped(self, weights: Numbers, features: Numbers, target: float, n: int) -> Numbers:
        return stepped(weights, features, target, rate(n), self.lead, self.rule)

    def _expected(
        self, heuristic: Heuristic, position: Position, line: Sequence[Move]
    ) -> tuple[Numbers | None, float]:
        """The features at the end of a line, and U; if the game is over there, only its result."""
        for move in line:
            position = position.play(move)
        outcome = position.outcome()
        if outcome is not None:
            return None, result_of(heuristic.features.game, outcome)
        read = heuristic.sums if self.rule == "linear" else heuristic.predictions
        return self.features.of([position])[0], float(read([position])[0])


def quick_search(depth: int) -> Search:
    """Alpha-beta for weights that change with every move, so that a table would be in vain."""
    return load_search("alpha_beta", depth=depth, table_bits=0, endgames=False)


def opened(game: Game, moves: int, rng: random.Random) -> tuple[Any, list[Any]]:
    """A position after some random moves in which the game goes on, and all boards up to it."""
    while True:
        position = game.start()
        boards = [position]
        for _ in range(moves):
            if position.outcome() is None:
                position = position.play(rng.choice(position.moves()))
                boards.append(position)
        if position.outcome() is None:
            return position, boards


def share_of_points(
    first: BitEvaluator,
    second: BitEvaluator,
    games: int,
    depth: int,
    seed: int,
    opening: int = 4,
    longest: int = 200,
) -> float:
    """What one judge scores against another, from 0 to 1; a draw is half a point.

    Games come in pairs from the same random opening, once with either colour.
    """
    game = first.game
    rng = random.Random(seed)
    points = 0.0
    for number in range(games):
        if number % 2 == 0:
            start, _ = opened(game, opening, rng)
        position, moves = start, 0
        judges = (first, second) if number % 2 == 0 else (second, first)
        searches = [quick_search(depth) for _ in judges]
        while (outcome := position.outcome()) is None and moves < longest:
            side = game.colours.index(position.to_move)
            choice = searches[side].find(position, judges[side], seed=rng.getrandbits(63))
            position, moves = position.play(choice.move), moves + 1
        result = result_of(game, outcome)
        points += (1 + (result if number % 2 == 0 else -result)) / 2
    return points / games


WORSE = 0.4
"""Weights that score less against the last good ones have got worse."""


@dataclass(frozen=True)
class TemporalOptions:
    """What can be set."""

    games: int = option(20, "number of self-play games", 1)
    features: str = option("three", "features that are weighed: 'three', or the 'full' set")
    depth: int = option(3, "search depth in moves", 1, 20)
    lead: float = option(USUAL_LEAD, "lead in points for which the prediction is 0.76", 1e-3, 1e6)
    opening: int = option(6, "up to this many random moves at the start of a game", 0, 100)
    explore: float = option(0.0, "probability of a random move after the opening", 0, 1)
    longest: int = option(
        200, "number of moves, of both sides, after which a game is a draw", 1, 10_000
    )
    check: int = option(5, "test the weights against the last good ones after this many games", 1)
    check_games: int = option(10, "games per test; 0: no tests", 0, 10_000)
    rule: str = option("tanh", "update rule: 'tanh', or 'linear' as in the report")
    undo: bool = option(True, "restore the last good weights after a failure; the report has False")
    memory: str | None = option(
        None, "SQLite file of all boards seen, used again by later trainings"
    )
    board_list: str | None = option(None, "text file of the same boards, written at the end")
    seed: int = option(1, "random seed", 0)

    def __post_init__(self) -> None:
        check_options(self)
        one_of("rule", self.rule, RULES)
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
        kept = load_heuristic(path)
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

    def steps(self) -> Iterator[StepReport]:
        """Play games and learn from them."""
        options = self.options
        games = LearningGames(
            self.features, options.depth, options.lead, options.opening, options.explore,
            options.longest, options.rule,
        )  # fmt: skip
        for number in range(len(self.history), options.games + 1):
            rng = random.Random(f"{options.seed} {number}")
            learned = games.play(self.weights, self.n, rng)
            self.n += len(learned.boards)
            self.weights, self.last_game = learned.weights, learned.weights_by_move
            if number == 1:
                self.first_game = learned.weights_by_move
            self._remember(number, learned)
            note = self._look_for_failure(number, learned.ran_away)
            self.history = np.concatenate([self.history, self.weights[None]])
            if note is not None:
                self.undone[number] = note
            yield StepReport(number, options.games, self._figures(), (note,) if note else ())
            if learned.ran_away and not options.undo:
                return

    def _figures(self) -> dict[str, float]:
        weights = dict(zip(self.features.names, self.weights.tolist(), strict=True))
        return {**weights, "a": rate(self.n), "boards seen": float(self.n)}

    def _remember(self, number: int, learned: LearnedGame) -> None:
        """Take the boards of a game into the memory."""
        if self.options.memory is None:
            return
        winner = None if learned.outcome is None else learned.outcome.winner
        with Memory(self.options.memory, self.game) as memory:
            keys = self._numbering.keys(learned.boards)
            memory.add_game(self.training, number, keys, winner)

    @property
    def training(self) -> str:
        """Sixteen hex digits that differ if anything differs on which the games depend."""
        # Options that came later count only where they are used: older trainings keep their name.
        settings = {
            k: v
            for k, v in asdict(self.options).items()
            if k not in self.changeable and (k, v) not in (("rule", "tanh"), ("undo", True))
        }
        text = json.dumps([repr(self.game), settings, self.n_before], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def _look_for_failure(self, number: int, ran_away: bool) -> str | None:
        """Undo what was learned if it has gone wrong, and say so; else note that it is good.

        With trials, weights are good once they have not lost one; without, if they have not turned.
        """
        options = self.options
        wrong = "the weights grow beyond all bounds" if ran_away else self._turned()
        if wrong is None and options.check_games and number % options.check:
            return None
        if wrong is None and options.check_games:
            wrong = self._lost_trial(number)
        if wrong is None:
            self.good, self.good_since = self.weights, number
            return None
        if not options.undo:
            return f"Game {number}: {wrong}."
        self.weights = self.good
        since = f"after game {self.good_since}" if self.good_since else "of the beginning"
        return f"Game {number}: {wrong}. Undone: the weights are those {since} again."

    def _turned(self) -> str | None:
        """What is wrong with the weights as they stand."""
        if not bounded(self.weights):
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
        save_heuristic(path, self.heuristic, extra)
        if self.options.board_list is not None:
            with Memory(self.options.memory, self.game) as memory:
                memory.export(self.options.board_list)


def plot_game(model: Path | str, out: Path | str, which: str = "first") -> None:
    """Draw how the weights changed in the "first" or the "last" game of a training."""
    one_of("which", which, ("first", "last"))
    kept = load_heuristic(model)
    rows = kept.rows(f"{which}_game")
    _draw(rows, kept.heuristic.features.names, "changes of the weights, one a move", out)


def plot_games(model: Path | str, out: Path | str) -> None:
    """Draw the weights before the first game and after each one; what was undone is marked."""
    kept = load_heuristic(model)
    undone = list(kept.sentences("undone"))
    _draw(kept.rows("history"), kept.heuristic.features.names, "games", out, undone)


def _draw(
    rows: Numbers, names: Sequence[str], what: str, out: Path | str, marks: Sequence[int] = ()
) -> None:
    """A line for each weight, in a picture whose kind the name of the file tells."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ValueError(
            "Drawing needs matplotlib; install it with clauseboard's extra `plots`."
        ) from error
    # The same numbers give the same bytes: no date, and names that are not drawn by chance.
    with matplotlib.rc_context({"svg.hashsalt": "clauseboard", "svg.fonttype": "none"}):
        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        axes: Any = figure.subplots()
        for name, weights in zip(names, rows.T, strict=True):
            axes.plot(range(len(rows)), weights, label=name, linewidth=1.4)
        for mark in marks:
            axes.axvline(mark, color="grey", linewidth=0.8, linestyle=":")
        axes.axhline(0, color="grey", linewidth=0.6)
        axes.set_xlabel(what)
        axes.set_ylabel("weight")
        axes.set_xlim(0, max(len(rows) - 1, 1))
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(alpha=0.25)
        axes.legend(frameon=False, fontsize="small", ncols=1 if len(names) < 5 else 2)
        kind = Path(out).suffix.lstrip(".").lower()
        if kind not in figure.canvas.get_supported_filetypes():
            raise ValueError(f"{str(out)!r} names no kind of picture; end it in .svg or .png.")
        figure.savefig(out, metadata={"Date": None} if kind == "svg" else None)
