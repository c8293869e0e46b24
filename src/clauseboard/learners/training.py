"""Training as the command sees it: Trainer, the Progress it tells, and trainers by name.

A learner that can be trained has a module `trainer` in its folder, with a `TRAINER`: a class of
the kind below. That is all; the command `train` and the conformance tests find it there. Another
way to train what the same learner plays by is a module `x_trainer`: the trainer "learner-x".
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar, Self

from clauseboard.game import Game


@dataclass(frozen=True)
class Progress:
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
        """Refuse a game that it cannot learn, with a `ValueError`; unless told otherwise, none."""

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
    def steps(self) -> Iterator[Progress]:
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


def option(default: Any, text: str) -> Any:
    """A field of `Trainer.Options`: its default, and a line about it."""
    return field(default=default, metadata={"help": text})


def trainer_names() -> tuple[str, ...]:
    """The trainers there are: `learners/<name>/trainer.py`, and `<way>_trainer.py` beside it."""
    return tuple(sorted(_modules()))


def load_trainer(name: str) -> type[Trainer]:
    """The class of a trainer, by its name; `_` and `-` are alike.

    >>> load_trainer("parrot")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: There is no learner 'parrot' to train; there are 'swarm', ...
    """
    modules = _modules()
    known = name.replace("_", "-")
    if known not in modules:
        listed = ", ".join(map(repr, trainer_names()))
        raise ValueError(f"There is no learner {name!r} to train; there are {listed}.")
    return importlib.import_module(modules[known]).TRAINER


def _modules() -> dict[str, str]:
    found = {}
    learners = importlib.import_module("clauseboard.learners")
    for folder in pkgutil.iter_modules(learners.__path__, "clauseboard.learners."):
        if not folder.ispkg:
            continue
        learner = folder.name.rpartition(".")[2]
        # Looked for without importing the learner, which may take a second.
        places = [f"{place}/{learner}" for place in learners.__path__]
        for module in pkgutil.iter_modules(places):
            way, is_trainer, rest = module.name.rpartition("trainer")
            if is_trainer and not rest and (not way or way.endswith("_")):
                name = "-".join(filter(None, [learner, way.removesuffix("_")]))
                found[name.replace("_", "-")] = f"{folder.name}.{module.name}"
    return found


def make_options(trainer: type[Trainer], values: Mapping[str, Any]) -> Any:
    """A trainer's options with some values set; a sentence for a name that it does not have."""
    known = [field.name for field in dataclasses.fields(trainer.Options)]
    for name in values:
        if name not in known:
            listed = ", ".join(map(repr, known))
            raise ValueError(f"There is no option {name!r}; there are {listed}.")
    return trainer.Options(**values)


def changed_options(trainer: type[Trainer], options: Any, changes: Mapping[str, Any]) -> Any:
    """Options with new values for going on; a sentence where one may not be changed."""
    for name, value in changes.items():
        if name not in trainer.changeable:
            make_options(trainer, {name: value})  # it may not exist at all, which is told first
            listed = ", ".join(map(repr, trainer.changeable)) or "none"
            raise ValueError(
                f"{name!r} cannot be changed in the midst of training; what can be is {listed}."
            )
    return dataclasses.replace(options, **changes)


def check_whole(name: str, value: Any, least: int, most: int | None = None) -> None:
    """Refuse what is no whole number from `least` to `most`."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        span = f"from {least} on" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name}={value!r} is no whole number {span}.")


def check_number(name: str, value: Any, least: float, most: float) -> None:
    """Refuse what is no number from `least` to `most`."""
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not least <= value <= most:
        raise ValueError(f"{name}={value!r} is no number from {least:g} to {most:g}.")


def check_word(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Refuse what is none of some words."""
    if value not in allowed:
        raise ValueError(f"{name}={value!r} is none of {', '.join(map(repr, allowed))}.")
