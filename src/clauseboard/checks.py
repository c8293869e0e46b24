"""Checks of arguments, so that their errors have one wording.

>>> whole_number("depth", 0, least=1)
Traceback (most recent call last):
    ...
ValueError: depth=0 must be an integer >= 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import TypeVar

T = TypeVar("T")


def whole_number(name: str, value: object, least: int = 0, most: int | None = None) -> int:
    """The value as an `int`; an error unless it is an integer within the bounds."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if number >= least and (most is None or number <= most):
            return number
    span = f">= {least}" if most is None else f"from {least} to {most}"
    raise ValueError(f"{name}={value!r} must be an integer {span}.")


def real_number(
    name: str, value: object, least: float = -math.inf, most: float = math.inf
) -> float:
    """The value as a `float`; an error unless it is a finite number within the bounds."""
    number = _finite(value)
    if number is not None and least <= number <= most:
        return number
    span = f" >= {least:g}" if most == math.inf else f" from {least:g} to {most:g}"
    raise ValueError(f"{name}={value!r} must be a number{'' if least == -math.inf else span}.")


def positive_number(name: str, value: object) -> float:
    """The value as a `float`; an error unless it is a finite number above 0."""
    number = _finite(value)
    if number is not None and number > 0:
        return number
    raise ValueError(f"{name}={value!r} must be a number > 0.")


def one_of(name: str, value: T, allowed: Iterable[object]) -> T:
    """The value; an error unless it is one of those allowed.

    >>> one_of("kind", "XX", ("TP", "FP"))
    Traceback (most recent call last):
        ...
    ValueError: kind='XX' must be one of 'TP', 'FP'.
    """
    allowed = tuple(allowed)
    if value not in allowed:
        raise ValueError(f"{name}={value!r} must be one of {', '.join(map(repr, allowed))}.")
    return value


def known_name(problem: str, name: object, names: Iterable[object]) -> None:
    """An error that lists the names there are, unless this is one of them.

    >>> known_name("There is no search", "best", ["alpha_beta", "mcts"])
    Traceback (most recent call last):
        ...
    ValueError: There is no search 'best'; there are 'alpha_beta', 'mcts'.
    """
    names = tuple(names)
    if name not in names:
        raise ValueError(f"{problem} {name!r}; there are {', '.join(map(repr, names)) or 'none'}.")


def flag(name: str, value: object) -> bool:
    """The value; an error unless it is True or False."""
    if isinstance(value, bool):
        return value
    raise ValueError(f"{name}={value!r} must be True or False.")


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:  # an integer that is too large
        return None
    return number if math.isfinite(number) else None
