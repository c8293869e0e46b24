"""Searches: each finds a move for an evaluator. What they share, and searches by name."""

from __future__ import annotations

import dataclasses
import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from clauseboard.checks import known_name
from clauseboard.evaluation import Evaluator, Limit
from clauseboard.game import Game, Position, modules_in
from clauseboard.player import Choice, Listener


class Search(ABC):
    """A way to find a move; a dataclass whose fields are its parameters.

    It may remember things from one move of a game to the next (a tree, a table): `begin` makes it
    forget them.
    """

    uses: ClassVar[str]
    """What of an evaluator's judgements counts: "values", "votes"; or "either"."""

    averages: ClassVar[bool] = False
    """Whether the value of a move is a mean over many boards, and not that of one of them."""

    takes_less: ClassVar[bool] = False
    """Whether it does less where there are fewer seconds or nodes, or fewer simulations."""

    board_judge: Evaluator | None = None
    """A judge of boards beside the evaluator, for a search that may let it have a say."""

    listener: Listener | None = None
    """Told what the search would choose so far, by one that can tell before it ends."""

    is_stopped: Callable[[], bool] | None = None
    """Asked again and again by a search that can end early: whether to choose now."""

    @abstractmethod
    def find(
        self, position: Position, evaluator: Evaluator, limit: Limit | None = None, seed: int = 0
    ) -> Choice:
        """Find a move in a position in which the game goes on.

        The same position, evaluator, limit (but one on seconds) and seed give the same choice.
        """

    def kernels(self, game: Game, evaluator: Evaluator | None = None) -> Sequence[Any]:
        """The kernels that a first move needs, the one that takes longest to compile first."""
        return ()

    def begin(self) -> None:  # noqa: B027
        """Forget what is remembered from the game before."""

    def tell(self, so_far: Callable[[], Choice]) -> None:
        """Tell who listens, if anybody does; the choice is made for that only."""
        if self.listener is not None:
            self.listener(so_far())


def search_names() -> tuple[str, ...]:
    """The searches there are: every module in `clauseboard.search` that has a `SEARCH`."""
    names = modules_in("clauseboard.search")
    return tuple(name for name in names if _class_of(name) is not None)


def load_search(name: str, **parameters: Any) -> Search:
    """A search by its name, with parameters; `-` and `_` are alike."""
    name = name.replace("-", "_")
    known_name("There is no search", name, search_names())
    kind = _class_of(name)
    assert kind is not None
    known = [field.name for field in dataclasses.fields(kind) if field.init]  # type: ignore[arg-type]
    for parameter in parameters:
        known_name(f"{name} has no parameter", parameter, known)
    return kind(**parameters)


def _class_of(name: str) -> type[Search] | None:
    if name.endswith("_template"):  # kernels that are to be compiled for a game first
        return None
    return getattr(importlib.import_module(f"clauseboard.search.{name}"), "SEARCH", None)
