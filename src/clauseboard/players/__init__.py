"""Players: an evaluator plus a search, and the simple ones: random, a person, a solver, an engine.

>>> from clauseboard.game import load_game
>>> game = load_game("hex", size=3)
>>> player = load_player("random", game)
>>> player.begin(game, "red", seed=1)
>>> player.choose(game.start()).move in game.start().moves()
True

Here they are found by name. A player is in the module of its name in this folder (`PlayerModule`),
or among the simple ones (`simple`), or it is a learner (`learners.Learner`).
"""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, cast

from clauseboard.checks import known_name
from clauseboard.game import Game, modules_in
from clauseboard.learners import Learner, learner_names, load_learner
from clauseboard.player import Player
from clauseboard.players.searcher import SearchPlayer, searching_player

__all__ = [
    "PlayerKind",
    "SearchPlayer",
    "can_play",
    "describe_players",
    "is_learner",
    "load_player",
    "player_names",
    "read_player",
]

PlayerFactory = Callable[..., Player]
"""Takes the game and, by keyword, the player's options. A factory that takes any keyword also takes
the options of a search."""

GameCheck = Callable[[Game], object]
"""Raises a `ValueError` for a game that a player cannot play."""


class PlayerModule(Protocol):
    """A module in `players` that offers players, by name.

    Where the players cannot play every game, the module also has a `check`, a `GameCheck`.
    """

    @property
    def PLAYERS(self) -> Mapping[str, PlayerFactory]:  # noqa: N802
        ...


@dataclass(frozen=True)
class PlayerKind:
    """A player before it is made: its name, a line about it, and the names of its options."""

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
    """The names of all players."""
    return tuple(sorted(_sources()))


def load_player(name: str, /, game: Game, **options: object) -> Player:
    """A player of a game by its name, with options; `-` and `_` are alike.

    >>> from clauseboard.game import load_game
    >>> load_player("nobody", load_game("hex"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: There is no player 'nobody'; there are 'always-win', ...
    """
    written = name.replace("_", "-")
    source = _source(written)
    if source is None:
        listed = ", ".join(map(repr, player_names()))
        raise ValueError(f"There is no player {name!r}; there are {listed}.")
    if not isinstance(game, Game):
        raise ValueError(f"A player needs its game, such as load_game('hex'); not {game!r}.")
    for option in () if source.searches else options:
        known_name(f"{written} has no option", option, source.options)
    player = source.make(game, **options)
    player.name = write_spec(written, options)
    return player


def read_player(text: str, game: Game) -> Player:
    """A player from one line, such as "tsetlin:machine=black.tm,search=mcts,simulations=1000"."""
    name, options = read_spec(text)
    return load_player(name, game, **options)


def describe_players(game: Game | None = None) -> tuple[PlayerKind, ...]:
    """All players, with a line about each; with a game, whether they can play it."""
    return tuple(
        PlayerKind(
            name,
            source.text.partition("\n")[0],
            source.options if game is None else _named(source.options, game),
            source.searches,
            "" if game is None else source.refusal(game),
        )
        for name, source in sorted(_sources().items())
    )


def is_learner(name: str) -> bool:
    """Whether a player is a trained evaluator with a search."""
    return name.replace("-", "_") in learner_names()


def can_play(name: str, game: Game) -> bool:
    """Whether a player can play a game, as far as can be said without making the player."""
    source = None if is_learner(name) else _source(name)
    return source is None or not source.refusal(game)


# ---- where players come from


@dataclass(frozen=True)
class _Source:
    """What makes a player, and what is known of it before."""

    make: PlayerFactory
    text: str
    options: tuple[str, ...]
    searches: bool
    check: GameCheck | None = None

    def refusal(self, game: Game) -> str:
        """Why the player cannot play a game; empty if it can."""
        try:
            if self.check is not None:
                self.check(game)
        except ValueError as error:
            return str(error)
        return ""


def _sources() -> dict[str, _Source]:
    names = {name for module in _modules() for name in getattr(_module(module), "PLAYERS", {})}
    names |= {name.replace("_", "-") for name in learner_names()}
    return {name: source for name in names if (source := _source(name)) is not None}


def _source(name: str) -> _Source | None:
    """Where one player comes from; nothing else is imported for it."""
    own = name.replace("-", "_")
    module = _module(own if own in _modules() else "simple")
    make = getattr(module, "PLAYERS", {}).get(name)
    if make is None:
        return _learner(load_learner(own)) if own in learner_names() else None
    parameters = list(inspect.signature(make).parameters.values())[1:]
    options = tuple(p.name for p in parameters if p.kind is not inspect.Parameter.VAR_KEYWORD)
    text = inspect.getdoc(make) or ""
    check = getattr(module, "check", None)
    return _Source(make, text, options, len(options) < len(parameters), check)


def _modules() -> tuple[str, ...]:
    return modules_in("clauseboard.players")


def _module(name: str) -> PlayerModule:
    return cast(PlayerModule, importlib.import_module(f"clauseboard.players.{name}"))


def _learner(learner: Learner) -> _Source:
    def make(game: Game, **given: object) -> Player:
        options = given if "search" in given else {**learner.USUAL, **given}
        own = _named(learner.OPTIONS, game)
        return searching_player(
            game, learner.make_evaluator, search=learner.SEARCH, own=own, options=options
        )

    return _Source(make, learner.__doc__ or "", tuple(learner.OPTIONS), True)


def _named(options: Iterable[str], game: Game) -> tuple[str, ...]:
    """Options with the game's colours in the place of "<colour>"."""
    each = ((game.colours if name == "<colour>" else (name,)) for name in options)
    return tuple(name for names in each for name in names)


# ---- players in one line of text: "tsetlin:machine=black.tm,search=mcts,simulations=1000"


_NAME = r"[A-Za-z][\w-]*"
# A value is quoted as Python does it, or in brackets without others inside, or has no comma.
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_BRACKETED = r"\{[^{}]*\}|\([^()]*\)|\[[^\[\]]*\]"
_VALUE = rf"{_QUOTED}|{_BRACKETED}|(?:[^,'\"({{\[][^,]*)?"
_OPTION = re.compile(rf"\s*({_NAME})\s*=\s*({_VALUE})\s*(?:,|$)")
_WORDS = {"true": True, "false": False, "none": None}
_PLAIN = re.compile(r"[^\s,'\"(){}\[\]]+")


def read_spec(text: str) -> tuple[str, dict[str, object]]:
    """The name and the options of a player, from "name" or "name:key=value,key=value".

    Values are numbers, true, false and none, or text, which stands in quotes if it holds a comma.

    >>> read_spec("engine:command='gnugo --mode gtp', seconds=0.5")
    ('engine', {'command': 'gnugo --mode gtp', 'seconds': 0.5})
    """
    name, colon, rest = text.partition(":")
    name = name.strip()
    if not re.fullmatch(_NAME, name) or (colon and not rest.strip()):
        raise ValueError(f"{text!r} is not a player; write it as {_EXAMPLE}.")
    options: dict[str, object] = {}
    place = 0
    while place < len(rest):
        option = _OPTION.match(rest, place)
        if option is None:
            raise ValueError(
                f"In the player {text!r}, {rest[place:].strip()!r} is not an option; write them "
                f"as {_EXAMPLE}, and values with a comma in quotes."
            )
        key = option[1].replace("-", "_")
        if key in options:
            raise ValueError(f"The player {text!r} has the option {option[1]!r} twice.")
        options[key] = read_value(option[2].strip())
        place = option.end()
    return name, options


def write_spec(name: str, options: Mapping[str, object]) -> str:
    """The line that `read_spec` reads back, if every option can be written in a line.

    >>> write_spec("random", {})
    'random'
    >>> write_spec("tsetlin", {"machine": "a,b.tm", "zero": True})
    "tsetlin:machine='a,b.tm',zero=True"
    """
    written = ",".join(f"{key}={_written(value)}" for key, value in options.items())
    return f"{name}:{written}" if written else name


def named_files(text: str) -> tuple[str, ...]:
    """The files that a player's options name, also where an option describes a player itself.

    >>> named_files("tsetlin:machine=there-is-no-such-file.tm")
    ()
    """
    try:
        _, options = read_spec(text)
    except ValueError:
        return ()
    files: list[str] = []
    for value in options.values():
        if isinstance(value, str):
            files += [value] if os.path.isfile(value) else named_files(value)
    return tuple(files)


_EXAMPLE = "name:key=value,key=value"


def read_value(text: str) -> object:
    """A value as Python writes it, or true, false or none; all else is text.

    >>> read_value("7"), read_value("true"), read_value("(9, -9)"), read_value("draw")
    (7, True, (9, -9), 'draw')
    """
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return text


def _written(value: object) -> str:
    if isinstance(value, str):
        # Text that would be read as something else, or not as one value, is quoted.
        plain = _PLAIN.fullmatch(value) is not None and read_value(value) == value
        return value if plain else repr(value)
    if value is None or isinstance(value, bool | int | float | dict | list | tuple):
        return repr(value)
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else f"<{type(value).__name__}>"
