"""The settings of self-play and of the machines that are trained.

A game may have defaults of its own in `games/<game>/selfplay.py`: `usual(game)` gives those that
differ. A file keeps the settings with which it was begun.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clauseboard.checks import flag, real_number, whole_number
from clauseboard.game import Game
from clauseboard.games.plugins import SELFPLAY
from clauseboard.learners import option

_NOT_KEPT = ("device", "n_jobs")
"""Settings of the machines that make no difference to what is learned."""

_STORED_NAMES = {"random_moves": "drawn", "openings": "deck", "off_path_positions": "asides"}
"""Settings that have other names in files, where they stay; both names are read."""

_NAMES_OF_STORED = {stored: name for name, stored in _STORED_NAMES.items()}


@dataclass(frozen=True)
class MachineSettings:
    """How machines are trained.

    `n_clauses` is for the machine that finds clauses, `kept` for the one that plays. `move_clauses`
    is a number for each move, 0 for no machine for moves; `moves_kept` is for all moves together.
    With `local_moves` that machine sees what is around a move instead of the whole board, and both
    numbers are for all moves together; then `kept` may be 0, and random games alone give values.
    `only_there` is for that machine: its clauses say what is there, never what is not. `worth_one`
    is the logarithm of the odds that a value of 1 means. With `second_literals` another machine
    finds clauses of up to so many literals, and both are weighed together. With `concepts` the
    machine sees the game's concepts instead of its cells, and `trees` boosted trees suggest clauses
    as well.
    """

    n_clauses: int = 2000
    kept: int = 1000
    max_literals: int = 6
    specificity: float = 5.0
    second_literals: int = 0
    second_specificity: float = 9.0
    epochs: int = 10
    penalty: float = 3.0
    worth_one: float = 4.0
    move_clauses: int = 0
    moves_kept: int = 6000
    move_epochs: int = 10
    move_literals: int = 8
    local_moves: bool = False
    only_there: bool = True
    concepts: bool = False
    trees: int = 60
    seed: int = 1
    device: str = "cpu"
    n_jobs: int = 1


@dataclass(frozen=True)
class SelfPlaySettings:
    """The settings of a run of self-play."""

    begin: str = option("random", "the player of the first round, in one line")
    search: str = option("mcts", "how the learned player searches, with options, in one line")
    play_search: str = option(
        "", "the same in games to learn from, by random games instead of the judge; or as search"
    )
    games: int = option(500, "games a round")
    window: int = option(4, "rounds whose games are learned from")
    match_games: int = option(100, "games of the match between the new player and the old one")
    gate: float = option(0.52, "the share of the points that the new player has to score")
    random_moves: int = option(6, "moves at random at the beginning of a game, at most")
    noise: float = option(0.0, "the share of later moves that are drawn instead of chosen")
    sparring: str = option("", "a player, in one line, that takes a side in some games, or nobody")
    sparring_share: float = option(0.25, "the share of the games with the sparring partner")
    openings: bool = option(False, "begin with the game's own openings")
    most_moves: int = option(400, "moves after which a game is called a draw")
    result_share: float = option(0.7, "how much the end of a game counts beside the search")
    odds: bool = option(False, "the values of the search are odds (`worth_one`), as votes are")
    draws: float = option(1.0, "the share of boards of drawn games that is learned from")
    by_solver: bool = option(False, "learn the truth where a solver or a table knows it")
    off_path_positions: int = option(0, "solved positions beside each game that are learned from")
    symmetric: bool = option(True, "learn from rotated and reflected boards as well")
    seed: int = option(1, "random seed; same seed, same run")
    machine: MachineSettings = field(default_factory=MachineSettings)

    def __post_init__(self) -> None:
        least = {"games": 1, "window": 1, "match_games": 2, "most_moves": 1}
        least |= {"random_moves": 0, "off_path_positions": 0, "seed": 0}
        for name, number in least.items():
            whole_number(name, getattr(self, name), number)
        for name in ("gate", "result_share", "draws", "noise", "sparring_share"):
            real_number(name, getattr(self, name), 0, 1)
        machine = self.machine
        switches = {n: getattr(self, n) for n in ("openings", "by_solver", "symmetric", "odds")}
        switches |= {n: getattr(machine, n) for n in ("local_moves", "only_there", "concepts")}
        for name, value in switches.items():
            flag(name, value)
        if not machine.kept and not machine.local_moves:
            raise ValueError(
                "kept=0 leaves nothing to play by; set local_moves=true, or keep some."
            )
        if machine.local_moves and not machine.move_clauses:
            raise ValueError("local_moves=true needs clauses: set move_clauses to 1 or more.")
        for name in ("begin", "search"):
            if not isinstance(getattr(self, name), str) or not getattr(self, name).strip():
                raise ValueError(f"{name}={getattr(self, name)!r} must be text.")
        check_off_path(self.off_path_positions, self.by_solver)
        if not isinstance(self.sparring, str):
            raise ValueError(f"sparring={self.sparring!r} must be a player in one line, or empty.")
        if not isinstance(self.play_search, str):
            raise ValueError(f"play_search={self.play_search!r} must be text, or empty.")
        if self.play_search and not machine.local_moves:
            raise ValueError(
                f"play_search={self.play_search!r} needs patterns: set local_moves=true."
            )

    def named(self) -> dict[str, object]:
        """All settings by name, but for where machines are trained."""
        own = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        machine = dataclasses.asdict(own.pop("machine"))
        return {**own, **{name: machine[name] for name in machine if name not in _NOT_KEPT}}

    def stored(self) -> dict[str, object]:
        """The settings as a file keeps them, for JSON."""
        return {_STORED_NAMES.get(name, name): value for name, value in self.named().items()}


def check_off_path(off_path_positions: int, by_solver: bool) -> None:
    """Refuse positions without a game that ends, if no solver tells their values."""
    if off_path_positions and not by_solver:
        raise ValueError(
            f"off_path_positions={off_path_positions!r} need a solver: set by_solver=True."
        )


def settings_for(game: Game, options: Mapping[str, object] | None = None) -> SelfPlaySettings:
    """The game's default settings, with some changed.

    >>> from clauseboard.game import load_game
    >>> settings_for(load_game("hex", size=5), {"games": 20, "kept": 50}).machine.kept
    50
    """
    own = {f.name for f in dataclasses.fields(SelfPlaySettings)} - {"machine"}
    of_machines = {f.name for f in dataclasses.fields(MachineSettings)}
    defaults = SELFPLAY.find(game)
    given: dict[str, Any] = {
        **({} if defaults is None else defaults.usual(game)),
        **(options or {}),
    }
    settings = {_NAMES_OF_STORED.get(name, name): value for name, value in given.items()}
    for name in settings:
        if name not in own | of_machines:
            listed = ", ".join(sorted((own | of_machines) - set(_NOT_KEPT)))
            raise ValueError(f"There is no setting {name!r}; there are {listed}.")
    machine = MachineSettings(**{n: value for n, value in settings.items() if n in of_machines})
    return SelfPlaySettings(
        machine=machine, **{name: value for name, value in settings.items() if name in own}
    )
