"""Players by their names.

A player is a module in this folder that has a `PLAYER`: a class or function whose first parameter
is the game and whose others, by keyword, are the player's options. If it takes any keyword, it
also takes those of a search. A module may have a function `check(game)` that raises a `ValueError`
for a game that the player cannot play. A learner (`learners.training.Learner`) is a player, too.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from clauseboard.game import Game
from clauseboard.learners.training import Learner, learner_names, load_learner
from clauseboard.player import Player
from clauseboard.players.searcher import searching_player
from clauseboard.players.spec import read_spec, write_spec

Factory = Callable[..., Player]


@dataclass(frozen=True)
class PlayerKind:
    """What can be said of a player before it is made: its name, a line about it, its options."""

    name: str
    text: str
    options: tuple[str, ...]
    searches: bool = False
    """Whether it also takes `search`, that search's parameters, and limits."""
    refuses: str = ""
    """Why it cannot play the game that was asked about."""

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


def player_names() -> tuple[str, ...]:
    """The players there are."""
    return tuple(sorted(_factories()))


def load_player(name: str, /, game: Game, **options: Any) -> Player:
    """A player of a game by its name, with options; `-` and `_` are alike.

    >>> from clauseboard.game import load_game
    >>> load_player("nobody", load_game("hex"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: There is no player 'nobody'; there are 'always-win', ...
    """
    known = name.replace("_", "-")
    make = _factory(known)
    if make is None:
        listed = ", ".join(map(repr, player_names()))
        raise ValueError(f"There is no player {name!r}; there are {listed}.")
    if not isinstance(game, Game):
        raise ValueError(f"A player needs its game, such as load_game('hex'); not {game!r}.")
    allowed, others = _options(make)
    if not others:
        for option in options:
            if option not in allowed:
                listed = ", ".join(map(repr, allowed)) or "none"
                raise ValueError(f"{known} has no option {option!r}; it has {listed}.")
    player = make(game, **options)
    player.name = write_spec(known, options)
    return player


def read_player(text: str, game: Game) -> Player:
    """A player from one line, such as "tsetlin:machine=black.tm,search=mcts,simulations=1000"."""
    name, options = read_spec(text)
    return load_player(name, game, **options)


def describe_players(game: Game | None = None) -> tuple[PlayerKind, ...]:
    """The players there are, with a line about each; with a game, whether they can play it."""
    kinds = []
    for name, make in sorted(_factories().items()):
        own, searches = _options(make)
        refuses = "" if game is None else _refusal(make, game)
        if game is not None:
            own = _named(own, game)
        kinds.append(PlayerKind(name, _line(make), own, searches, refuses))
    return tuple(kinds)


def _refusal(make: Factory, game: Game) -> str:
    check = getattr(inspect.getmodule(make), "check", None)
    try:
        if check is not None:
            check(game)
    except ValueError as error:
        return str(error)
    return ""


def _named(options: Iterable[str], game: Game) -> tuple[str, ...]:
    """Options with the game's colours in the place of "<colour>"."""
    each = ((game.colours if name == "<colour>" else (name,)) for name in options)
    return tuple(name for names in each for name in names)


def _factories() -> dict[str, Factory]:
    """What makes each of the players."""
    names = (name.replace("_", "-") for name in (*_modules(), *learner_names()))
    return {name: make for name in names if (make := _factory(name)) is not None}


def _factory(name: str) -> Factory | None:
    """What makes one player; nothing else is imported for it."""
    module = name.replace("-", "_")
    if module in learner_names():
        return _LearnerPlayers(load_learner(module))
    if module in _modules():
        return getattr(importlib.import_module(f"clauseboard.players.{module}"), "PLAYER", None)
    return None


def _modules() -> list[str]:
    folder = importlib.import_module("clauseboard.players").__path__
    return [found.name for found in pkgutil.iter_modules(folder)]


@dataclass(frozen=True)
class _LearnerPlayers:
    """Makes players of a learner."""

    learner: Learner

    def __call__(self, game: Game, **options: Any) -> Player:
        learner = self.learner
        if "search" not in options:
            options = {**learner.USUAL, **options}
        return searching_player(
            game,
            learner.make_evaluator,
            search=learner.SEARCH,
            own=_named(learner.OPTIONS, game),
            options=options,
        )


def _options(make: Factory) -> tuple[tuple[str, ...], bool]:
    """The names of a player's options, and whether it takes those of a search, too."""
    if isinstance(make, _LearnerPlayers):
        return tuple(make.learner.OPTIONS), True
    parameters = list(inspect.signature(make).parameters.values())[1:]
    names = tuple(p.name for p in parameters if p.kind is not inspect.Parameter.VAR_KEYWORD)
    return names, len(names) < len(parameters)


def _line(make: Factory) -> str:
    """The first line of what is said of a player."""
    text = make.learner.__doc__ if isinstance(make, _LearnerPlayers) else inspect.getdoc(make)
    return (text or "").partition("\n")[0]
