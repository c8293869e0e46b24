"""Experiments by their names: the files of this folder that end in a number."""

from __future__ import annotations

import importlib
import pkgutil
import re

from clauseboard import papers
from clauseboard.papers.experiment import PaperTable

_NAMED = re.compile(r"[a-z]+(_[a-z]+)*(_\d+)+")


def experiment_names() -> tuple[str, ...]:
    """The experiments there are, in the order of games and numbers."""
    found = [m.name for m in pkgutil.iter_modules(papers.__path__)]
    return tuple(sorted((name for name in found if _NAMED.fullmatch(name)), key=_order))


def experiment_name(name: str) -> str:
    """The name as it is written here, for one that may be written otherwise.

    >>> experiment_name("checkers-5.6")
    'checkers_5_6'
    """
    known = name.replace("-", "_").replace(".", "_")
    if known not in experiment_names():
        listed = ", ".join(experiment_names())
        raise ValueError(f"There is no experiment {name!r}; there are {listed}.")
    return known


def load_experiment(name: str) -> PaperTable:
    """The table of a name."""
    return importlib.import_module(f"clauseboard.papers.{experiment_name(name)}").TABLE


def _order(name: str) -> tuple[str, list[int]]:
    """Table 5.10 comes after 5.9."""
    words = name.split("_")
    return " ".join(w for w in words if not w.isdigit()), [int(w) for w in words if w.isdigit()]
