"""Learners as plug-ins, and training as the command `train` sees it.

A learner is a package in this folder that offers what `Learner` says; that is all. Players, the
command `train` and the conformance tests find it by `load_learner`. Listing learners is cheap,
since their packages import what is heavy only to make an evaluator or a trainer.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from clauseboard.checks import flag, known_name, real_number, whole_number
from clauseboard.game import Game, load_game, modules_in

if TYPE_CHECKING:
    from clauseboard.evaluation import Evaluator


class Learner(Protocol):
    """What a learner's package offers; the first line of its docstring is shown in lists."""

    __name__: str
    __doc__: str | None

    OPTIONS: Mapping[str, str]
    """A line about each option of its player; the first one is the file that training makes.
    "<colour>" stands for the names of the game's colours."""

    SEARCH: str
    """The search of its player unless another one is named."""

    USUAL: Mapping[str, object]
    """The parameters of that search."""

    TRAINERS: Sequence[str]
    """The names of its trainers."""

    @property
    def make_evaluator(self) -> Callable[..., Evaluator | Mapping[str, Evaluator]]:
        """Makes the evaluator for a game and its player's options, as keywords.

        Several evaluators, by colour, are for a player that judges otherwise with each colour.
        """

    def load_trainer(self, name: str) -> type[Trainer]:
        """One of its trainers."""


@dataclass(frozen=True)
class StepReport:
    """What is known after a step: its number from 1 on, how many there will be, and figures.

    The most telling figures come first; a progress bar has room for two. `notes` are
    sentences for people, such as a failure that was found and undone.
    """

    step: int
    of: int
    figures: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Trainer(ABC):
    """Learns step by step; can be saved between any two steps, and then goes on from there.

    A run that was saved and taken up again ends with the same bytes as one that was not. So all
    that is random comes from a seed among the options and the number of the step, or is saved.
    """

    Options: ClassVar[type]
    """A frozen dataclass: what can be set. Each field has a default and `metadata["help"]`, a line
    about it (see `option`); `__post_init__` refuses wrong values."""

    changeable: ClassVar[tuple[str, ...]] = ()
    """The options that may have another value when training goes on: how many steps there are,
    which comes first, and such as the number of threads."""

    small: ClassVar[Mapping[str, Any]] = {}
    """Options that make a step short, to try things out; the conformance tests use them."""

    data_help: ClassVar[str | None] = None
    """What is in the file of data that it needs; None if it learns from its own games."""

    step_name: ClassVar[str] = "step"
    """What one step is called: a game, an epoch."""

    game: Game
    options: Any

    @classmethod  # noqa: B027
    def check(cls, game: Game) -> None:
        """Refuse a game that it cannot learn, with a `ValueError`; by default none."""

    @classmethod
    @abstractmethod
    def begin(cls, game: Game, options: Any, data: Path | None = None) -> Self:
        """Begin afresh; a `ValueError` if this game, or this data, cannot be learned."""

    @classmethod
    @abstractmethod
    def load(cls, path: Path, data: Path | None = None, **changes: Any) -> Self:
        """What was saved, ready to go on; `changes` are new values of `changeable` options.

        A `ValueError` that names the file and says what is wrong, if it is none of this trainer's.
        """

    @abstractmethod
    def steps(self) -> Iterator[StepReport]:
        """Train: each step that is still to do, when the iterator is asked for it.

        Between two of them the trainer can be saved. If an exception comes in the midst of a step,
        as Ctrl-C pressed twice does, nothing is promised.
        """

    @abstractmethod
    def save(self, path: Path) -> None:
        """Keep what was learned, and all that is needed to go on, in one file.

        The same file is what a player of this learner reads. It replaces an older one only when it
        is written whole; the same training gives the same bytes.
        """


def option(default: Any, text: str, least: float | None = None, most: float | None = None) -> Any:
    """A field of `Trainer.Options`: its default, a line about it, and the bounds of a number."""
    return field(default=default, metadata={"help": text, "least": least, "most": most})


def check_options(options: Any) -> None:
    """Refuse a switch that is none, and a number of another kind than its default or out of bounds.

    Numbers without a least value are left to the options themselves.
    """
    for each in dataclasses.fields(options):
        value, least, most = getattr(options, each.name), *map(each.metadata.get, ("least", "most"))
        if isinstance(each.default, bool):
            flag(each.name, value)
        elif isinstance(each.default, int) and least is not None:
            whole_number(each.name, value, least, most)
        elif least is not None and (value is not None or each.default is not None):
            real_number(each.name, value, least, math.inf if most is None else most)


def learner_names() -> tuple[str, ...]:
    """The learners there are: the packages below `clauseboard.learners`."""
    return modules_in("clauseboard.learners", packages=True)


def load_learner(name: str) -> Learner:
    """A learner by its name.

    >>> load_learner("swarm").SEARCH
    'alpha_beta'
    """
    known_name("There is no learner", name, learner_names())
    learner: Learner = importlib.import_module(f"clauseboard.learners.{name}")
    return learner


def learner_of_trainer(name: str) -> Learner:
    """The learner that a trainer trains; `_` and `-` are alike."""
    for learner in map(load_learner, learner_names()):
        if name.replace("_", "-") in learner.TRAINERS:
            return learner
    listed = ", ".join(map(repr, trainer_names()))
    raise ValueError(f"There is no learner {name!r} to train; there are {listed}.")


def trainer_names() -> tuple[str, ...]:
    """The trainers of all learners."""
    return tuple(sorted(name for each in learner_names() for name in load_learner(each).TRAINERS))


def load_trainer(name: str) -> type[Trainer]:
    """The class of a trainer, by its name; `_` and `-` are alike.

    >>> load_trainer("parrot")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: There is no learner 'parrot' to train; there are 'swarm', ...
    """
    return learner_of_trainer(name).load_trainer(name.replace("_", "-"))


def make_options(trainer: type[Trainer], values: Mapping[str, Any]) -> Any:
    """A trainer's options with some values set; a sentence for a name that it does not have."""
    known = [field.name for field in dataclasses.fields(trainer.Options)]
    for name in values:
        known_name("There is no option", name, known)
    return trainer.Options(**values)


def changed_options(trainer: type[Trainer], options: Any, changes: Mapping[str, Any]) -> Any:
    """Options with new values for going on; a sentence where one may not be changed."""
    for name, value in changes.items():
        if name not in trainer.changeable:
            make_options(trainer, {name: value})  # one that does not exist is refused as such
            listed = ", ".join(map(repr, trainer.changeable)) or "none"
            raise ValueError(
                f"{name!r} cannot be changed in the midst of training; what can be is {listed}."
            )
    return dataclasses.replace(options, **changes)


def check_threads(n_jobs: object) -> None:
    """Refuse a number of threads that there cannot be."""
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or n_jobs == 0:
        raise ValueError(
            f"n_jobs={n_jobs!r} must be an integer other than 0; -1 means one thread per core."
        )


def game_to_page(game: Game) -> dict[str, Any]:
    """A game as files of learners name it, in JSON's types."""
    parameters = dataclasses.asdict(game)  # type: ignore[call-overload]
    return {"name": game.name, "version": game.version, "parameters": parameters}


def game_of_page(page: Mapping[str, Any]) -> Game:
    """The game of such a page; a `ValueError` or `KeyError` if there is none."""
    return load_game(page["name"], **page["parameters"])


def check_version(path: Path, game: Game, page: Mapping[str, Any]) -> None:
    """Refuse a file that was made by another version of its game."""
    if page["version"] != game.version:
        raise ValueError(
            f"{path} was trained on version {page['version']} of {game.name}; this is version "
            f"{game.version}, whose boards may be other ones. Train it again."
        )


def check_same_boards(path: Path | str, trained_on: Game, game: Game) -> None:
    """Refuse another game; the rules may differ in what makes a draw, but not the boards."""
    if game.name != trained_on.name or game.bits() != trained_on.bits():
        raise ValueError(f"{path} was trained on {trained_on!r}, not on {game!r}.")


if TYPE_CHECKING:  # so that types are checked against the protocol
    from clauseboard.learners import swarm, temporal, tsetlin

    LEARNERS: tuple[Learner, ...] = (swarm, temporal, tsetlin)
