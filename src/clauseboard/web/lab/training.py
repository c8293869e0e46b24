"""What can be trained on the page: the learners with the bounds of their options, the boards to
learn from, and the plan that the training process gets."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from clauseboard.game import Game
from clauseboard.players import levels
from clauseboard.players.shipped import TITLE
from clauseboard.web.board_view import settings_of
from clauseboard.web.models import (
    LEAST_GAMES,
    MOST_GAMES,
    USUAL_GAMES,
    Choices,
    LearnerOption,
    OfferedLearner,
    TrainingRequest,
    TrainingSource,
)
from clauseboard.web.opponents import Opponent, shipped


@dataclass(frozen=True)
class OptionBounds:
    """An option that can be set on the page: its title, and its bounds."""

    title: str
    least: float
    most: float
    usual: float


OPTION_BOUNDS = {
    "epochs": OptionBounds("Epochs", 1, 200, 20),
    "n_clauses": OptionBounds("Clauses per class", 2, 4000, 300),
    "specificity": OptionBounds("Specificity s", 1, 50, 9),
    "max_literals": OptionBounds("Literals per clause, at most", 1, 64, 6),
    "rounds": OptionBounds("Rounds", 1, 500, 20),
    "particles": OptionBounds("Particles", 2, 40, 10),
    "hidden": OptionBounds("Hidden units", 1, 40, 10),
    "games": OptionBounds("Games", 1, 500, 20),
    "depth": OptionBounds("Search depth", 1, 4, 2),
    "seed": OptionBounds("Seed", 0, 1_000_000, 1),
}
"""The options that are offered, of whichever learner; all others keep their defaults."""
FIXED: dict[str, dict[str, Any]] = {"tsetlin": {"weighted": False}}
"""Options that are set here for all trainings: on so few boards a machine without weights gets
better from epoch to epoch, while one with weights goes up and down."""
JUDGED = "shipped:level=easy"
"""The player whose games and judgements a machine can learn from."""


@dataclass(frozen=True)
class BoardsFrom:
    """Where boards come from: games of the player `line` against itself, or a `composition`.

    `judged`: what is learned is not how the games ended, but which side the player likes better.
    """

    id: str
    title: str
    about: str
    line: str = ""
    composition: str | None = None
    judged: bool = False

    @property
    def games(self) -> bool:
        """Whether a number of games can be chosen."""
        return bool(self.line)


class TrainingPlan(BaseModel):
    """What the training process gets, as JSON."""

    game: str
    settings: dict[str, Any]
    learner: str
    options: dict[str, bool | int | float]
    source: BoardsFrom | None
    games: int
    seed: int
    folder: str = ""


def choices(game: Game, opponents: Iterable[Opponent]) -> Choices:
    """The options of a training of a game."""
    kinds = _trainers(game)
    # Learners from boards come first: their clauses can be read.
    ordered = sorted(kinds, key=lambda name: (kinds[name].data_help is None, name))
    return Choices(
        learners=[learner_of(name, kinds[name]) for name in ordered],
        sources=[TrainingSource.model_validate(source) for source in sources(game, opponents)],
        least_games=LEAST_GAMES,
        most_games=MOST_GAMES,
        usual_games=USUAL_GAMES,
    )


def plan(
    game: Game, request: TrainingRequest, opponents: Iterable[Opponent]
) -> tuple[TrainingPlan, str, str]:
    """The plan of a training, its title, and the name of a step; a `ValueError` if impossible."""
    from clauseboard.learners import load_trainer, make_options

    kind = load_trainer(request.learner)
    kind.check(game)
    options = {**usual_options(kind), **request.options}
    for name, value in options.items():
        options[name] = bounded(kind, name, value)
    options |= FIXED.get(request.learner, {})
    make_options(kind, options)
    source = None if kind.data_help is None else _source(game, request.source, opponents)
    taught_by = "its own games" if source is None else source.title
    made = TrainingPlan(
        game=game.name,
        settings=settings_of(game),
        learner=request.learner,
        options=options,
        source=source,
        games=request.games,
        seed=int(options.get("seed", 1)),
    )
    return made, f"{title_of(request.learner)}, {taught_by}", kind.step_name


def sources(game: Game, opponents: Iterable[Opponent]) -> list[BoardsFrom]:
    """Where boards of a game can come from, the usual one first."""
    from clauseboard.web.lab.training_process import solved

    players = [opponent for opponent in opponents if opponent.line]
    # Random games come first: a thousand take no longer than one of another player.
    players.sort(key=lambda opponent: opponent.line != "random")
    return [
        *(
            BoardsFrom(
                id=f"solved-{composition.name}",
                title=f"Solved games: {composition.name}",
                about=composition.text,
                composition=composition.name,
            )
            for composition in solved(game)
        ),
        *(
            BoardsFrom(
                id="judged",
                title=f"{TITLE}'s own games",
                about="The side that it prefers, on boards of its own games, in which it looks "
                "only a little ahead and varies its moves.",
                line=JUDGED,
                judged=True,
            )
            for _ in levels.LEVELS.get(game.name, {}) and shipped(game)[:1]
        ),
        *(
            BoardsFrom(
                opponent.id, f"{opponent.title} against itself", opponent.about, opponent.line
            )
            for opponent in players
        ),
    ]


def _source(game: Game, id: str | None, opponents: Iterable[Opponent]) -> BoardsFrom:
    offered = sources(game, opponents)
    for source in offered:
        if id is None or source.id == id:
            return source
    listed = ", ".join(repr(source.id) for source in offered)
    raise ValueError(f"There are no boards from {id!r}; there are {listed}.")


def _trainers(game: Game) -> dict[str, Any]:
    """The trainers that can learn a game, by name."""
    from clauseboard.learners import load_trainer, trainer_names

    kinds = {}
    for name in trainer_names():
        kind = load_trainer(name)
        with contextlib.suppress(ValueError):
            kind.check(game)
            kinds[name] = kind
    return kinds


def title_of(learner: str) -> str:
    """The name of a learner as a title."""
    return learner.replace("-", ", ").capitalize()


def usual_options(kind: Any) -> dict[str, float]:
    """The options of a learner that are offered, with their defaults."""
    names = [field.name for field in dataclasses.fields(kind.Options)]
    return {name: OPTION_BOUNDS[name].usual for name in names if name in OPTION_BOUNDS}


def bounded(kind: Any, name: str, value: float) -> float:
    """A value of an option, if it is within the bounds."""
    offered = usual_options(kind)
    if name not in offered:
        listed = ", ".join(map(repr, offered))
        raise ValueError(f"There is no option {name!r} to set here; there are {listed}.")
    bounds = OPTION_BOUNDS[name]
    if not bounds.least <= value <= bounds.most:
        raise ValueError(f"{name}={value:g} must be from {bounds.least:g} to {bounds.most:g} here.")
    if is_whole(kind, name):
        if value != int(value):
            raise ValueError(f"{name}={value:g} must be an integer.")
        return int(value)
    return float(value)


def is_whole(kind: Any, name: str) -> bool:
    """Whether an option is an integer; so is one whose default is None."""
    default = next(f.default for f in dataclasses.fields(kind.Options) if f.name == name)
    return not isinstance(default, float)


def learner_of(name: str, kind: Any) -> OfferedLearner:
    """A learner as the page offers it."""
    helps = {f.name: f.metadata.get("help", "") for f in dataclasses.fields(kind.Options)}
    # The first line of the trainer's module, up to the command that it names.
    line = (sys.modules[kind.__module__].__doc__ or "").partition("\n")[0]
    return OfferedLearner(
        name=name,
        title=title_of(name),
        about=f"{line.partition(':')[0].rstrip('.')}.",
        step_name=kind.step_name,
        needs_boards=kind.data_help is not None,
        options=[
            LearnerOption(
                name=option,
                title=OPTION_BOUNDS[option].title,
                help=helps[option],
                least=OPTION_BOUNDS[option].least,
                most=OPTION_BOUNDS[option].most,
                default=usual,
                whole=is_whole(kind, option),
            )
            for option, usual in usual_options(kind).items()
        ],
    )
