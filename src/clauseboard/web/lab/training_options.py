"""How large a training on the page may be: the options that can be set, and their bounds."""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class OptionBounds:
    """An option that can be set on the page: what it is called, and its bounds."""

    title: str
    least: float
    most: float
    usual: float


OPTION_BOUNDS = {
    "epochs": OptionBounds("Epochs", 1, 200, 20),
    "n_clauses": OptionBounds("Clauses for each result", 2, 4000, 300),
    "specificity": OptionBounds("Fineness (s)", 1, 50, 9),
    "max_literals": OptionBounds("Most conditions of a clause", 1, 64, 6),
    "rounds": OptionBounds("Rounds", 1, 500, 20),
    "particles": OptionBounds("Particles", 2, 40, 10),
    "hidden": OptionBounds("Hidden nodes", 1, 40, 10),
    "games": OptionBounds("Games", 1, 500, 20),
    "depth": OptionBounds("Moves ahead", 1, 4, 2),
    "seed": OptionBounds("Seed", 0, 1_000_000, 1),
}
"""The options of learners that are offered, whosever they are; all others stay as they are."""


def title_of(learner: str) -> str:
    """What a learner is called: its name, as a heading."""
    return learner.replace("-", ", ").capitalize()


def usual_options(kind: Any) -> dict[str, float]:
    """The options of a learner that are offered, as they are unless told otherwise."""
    names = [field.name for field in dataclasses.fields(kind.Options)]
    return {name: OPTION_BOUNDS[name].usual for name in names if name in OPTION_BOUNDS}


def bounded(kind: Any, name: str, value: float) -> Any:
    """A value of an option, if it may be set to it."""
    known = usual_options(kind)
    if name not in known:
        listed = ", ".join(map(repr, known))
        raise ValueError(f"There is no option {name!r} to set here; there are {listed}.")
    size = OPTION_BOUNDS[name]
    if not size.least <= value <= size.most:
        raise ValueError(
            f"{name}={value:g} is too much or too little; it goes from {size.least:g} to "
            f"{size.most:g} here."
        )
    if is_whole(kind, name):
        if value != int(value):
            raise ValueError(f"{name}={value:g} is no whole number.")
        return int(value)
    return float(value)


def is_whole(kind: Any, name: str) -> bool:
    """Whether an option is a whole number; one that may be none (its default) is, too."""
    default = next(f.default for f in dataclasses.fields(kind.Options) if f.name == name)
    return not isinstance(default, float)


def described(name: str, kind: Any) -> dict[str, Any]:
    """A learner as the page offers it."""
    helps = {
        field.name: field.metadata.get("help", "") for field in dataclasses.fields(kind.Options)
    }
    return {
        "name": name,
        "title": title_of(name),
        "about": about_of(kind),
        "step_name": kind.step_name,
        "needs_boards": kind.data_help is not None,
        "options": [
            {
                "name": option,
                "title": OPTION_BOUNDS[option].title,
                "help": helps[option],
                "least": OPTION_BOUNDS[option].least,
                "most": OPTION_BOUNDS[option].most,
                "default": usual,
                "whole": is_whole(kind, option),
            }
            for option, usual in usual_options(kind).items()
        ],
    }


def about_of(kind: Any) -> str:
    """What a trainer is: the first line of its module, up to the command that it names."""
    line = (sys.modules[kind.__module__].__doc__ or "").partition("\n")[0]
    return f"{line.partition(':')[0].rstrip('.')}."
