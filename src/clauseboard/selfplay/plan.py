"""What is to be learned and how: all that a player's life depends on, fixed when it begins.

A game may have settings of its own in `games/<game>/selfplay.py`: `usual(game)` gives those that
differ from `Plan`. What can be set of the machines (`finding.Taste`) is set beside the plan.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clauseboard.game import Game
from clauseboard.games.plugins import SELFPLAY
from clauseboard.learners.training import option
from clauseboard.selfplay.finding import Taste

_MACHINE_PLACES = ("device", "n_jobs")
"""Settings of the machines that change nothing about what is learned."""


@dataclass(frozen=True)
class Plan:
    """The settings of a loop of self-play."""

    begin: str = option("random", "the player of the first round, in one line")
    search: str = option("mcts", "how the learned player searches, with options, in one line")
    games: int = option(500, "games a round")
    window: int = option(4, "rounds whose games are learned from")
    match_games: int = option(100, "games of the match between the new player and the old one")
    gate: float = option(0.52, "the share of the points that the new player has to score")
    drawn: int = option(6, "moves at random at the beginning of a game, at most")
    noise: float = option(0.0, "the share of later moves that are drawn instead of chosen")
    sparring: str = option("", "a player, in one line, that takes a side in some games, or nobody")
    sparring_share: float = option(0.25, "the share of the games with the sparring partner")
    deck: bool = option(False, "begin with the game's own openings")
    most_moves: int = option(400, "moves after which a game is called a draw")
    result_share: float = option(0.7, "how much the end of a game counts beside the search")
    odds: bool = option(False, "what the search says are odds (`worth_one`), as votes are")
    draws: float = option(1.0, "the share of boards of drawn games that is learned from")
    by_solver: bool = option(False, "learn the truth where a solver or a table knows it")
    asides: int = option(0, "boards beside each game that are learned from, where truth is known")
    symmetric: bool = option(True, "learn from turned boards as well")
    seed: int = option(1, "one number, one life")
    taste: Taste = field(default_factory=Taste)

    def __post_init__(self) -> None:
        least = {"games": 1, "window": 1, "match_games": 2, "most_moves": 1}
        least |= {"drawn": 0, "asides": 0, "seed": 0}
        for name, number in least.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < number:
                raise ValueError(f"{name}={value!r} is no whole number from {number} on.")
        for name in ("gate", "result_share", "draws", "noise", "sparring_share"):
            value = getattr(self, name)
            real = isinstance(value, int | float) and not isinstance(value, bool)
            if not real or not 0 <= value <= 1:
                raise ValueError(f"{name}={value!r} is no number from 0 to 1.")
        for name in ("deck", "by_solver", "symmetric", "odds"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name}={getattr(self, name)!r} is neither True nor False.")
        taste = self.taste
        for name in ("local_moves", "only_there"):
            if not isinstance(getattr(taste, name), bool):
                raise ValueError(f"{name}={getattr(taste, name)!r} is neither True nor False.")
        if not taste.kept and not taste.local_moves:
            raise ValueError(
                "kept=0 leaves nothing to play by; set local_moves=true, or keep some."
            )
        if taste.local_moves and not taste.move_clauses:
            raise ValueError("local_moves=true needs clauses: set move_clauses to 1 or more.")
        for name in ("begin", "search"):
            if not isinstance(getattr(self, name), str) or not getattr(self, name).strip():
                raise ValueError(f"{name}={getattr(self, name)!r} is no text.")
        if self.asides and not self.by_solver:
            raise ValueError(
                f"asides={self.asides!r} are boards whose truth is told: set by_solver=True."
            )
        if not isinstance(self.sparring, str):
            raise ValueError(f"sparring={self.sparring!r} is no player in one line, nor empty.")

    def settings(self) -> dict[str, Any]:
        """All settings by name, for JSON; where machines are made is none of them."""
        own = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name != "taste"}
        taste = dataclasses.asdict(self.taste)
        return {**own, **{name: taste[name] for name in taste if name not in _MACHINE_PLACES}}


def plan_for(game: Game, options: Mapping[str, Any] | None = None) -> Plan:
    """The game's usual plan, with some settings changed.

    >>> from clauseboard.game import load_game
    >>> plan_for(load_game("hex", size=5), {"games": 20, "kept": 50}).taste.kept
    50
    """
    own = {f.name for f in dataclasses.fields(Plan)} - {"taste"}
    of_machines = {f.name for f in dataclasses.fields(Taste)}
    settings = {**_usual(game), **(options or {})}
    for name in settings:
        if name not in own | of_machines:
            listed = ", ".join(sorted((own | of_machines) - set(_MACHINE_PLACES)))
            raise ValueError(f"There is no setting {name!r}; there are {listed}.")
    taste = Taste(**{name: value for name, value in settings.items() if name in of_machines})
    return Plan(taste=taste, **{name: value for name, value in settings.items() if name in own})


def _usual(game: Game) -> dict[str, Any]:
    own = SELFPLAY.find(game)
    return {} if own is None else own.usual(game)
