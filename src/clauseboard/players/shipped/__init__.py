"""The players that come with the package: machines that learned by themselves, each with a card.

A card, `<name>.json`, says which game it is for, which files its machines are, how they search, how
they were made and from what, how strong they are against whom, and what they are bad at. Beside it
lie the machines. `docs/learning.md` tells how they came about.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clauseboard.game import Game
from clauseboard.players.searcher import SearchPlayer, searching_player

FOLDER = Path(__file__).parent
TITLE = "Clauses"
"""What the player is called where it is not written as a line."""


@dataclass(frozen=True)
class Card:
    """What is said of a player that comes with the package.

    `parameters` are those that a game must have for it; it also plays on boards of the `sizes`.
    `search` is its search and `usual` that search's parameters, unless told otherwise. `machine`
    judges boards and `moves` tells likely moves, with so many `clauses` and `move_clauses`; without
    the first, random games judge. `strength` has a line for each opponent.
    """

    name: str
    game: str
    parameters: dict[str, Any]
    machine: str | None
    moves: str | None
    search: str
    usual: dict[str, Any]
    clauses: int
    move_clauses: int
    made: str
    command: str
    data: str
    strength: tuple[str, ...]
    bad_at: str
    sizes: tuple[int, ...] = ()

    def fits(self, game: Game) -> bool:
        """Whether it plays this game, with these parameters."""
        return game.name == self.game and all(
            getattr(game, name, None) in ((value, *self.sizes) if name == "size" else (value,))
            for name, value in self.parameters.items()
        )

    @property
    def n_clauses(self) -> int:
        """The clauses of both machines."""
        return self.clauses + self.move_clauses

    @property
    def board(self) -> str:
        """The game and the size of its board, such as "hex 6x6"."""
        size = self.parameters.get("size")
        if size is None:
            return self.game
        others = f" (and {min(self.sizes)} to {max(self.sizes)})" if self.sizes else ""
        return f"{self.game} {size}x{size}{others}"

    def __str__(self) -> str:
        return f"{self.board}: {self.n_clauses:,} clauses; {self.strength[0]}"


def cards() -> tuple[Card, ...]:
    """The cards of all players that come with the package, by their names.

    >>> [card.name for card in cards()][:1]
    ['checkers']
    """
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.json")))


def card_for(game: Game) -> Card:
    """The card of the player for a game; a `ValueError` says for which games there are some."""
    for card in cards():
        if card.fits(game):
            return card
    listed = ", ".join(card.board for card in cards())
    raise ValueError(f"No player for {game!r} comes with the package; there are some for {listed}.")


def check(game: Game) -> None:
    """Refuse a game for which there is none."""
    card_for(game)


def shipped(game: Game, *, zero: bool = False, **options: Any) -> SearchPlayer:
    """Has learned by itself, and comes with the package; `zero=true` leaves only its search."""
    from clauseboard.learners.tsetlin.playing import OPTIONS, evaluator

    card = card_for(game)
    own: dict[str, Any] = {"view": "mover", "zero": zero}
    for name, file in (("machine", card.machine), ("moves", card.moves)):
        if file is not None:
            own[name] = str(FOLDER / file)
    return searching_player(
        game,
        evaluator,
        search=card.search,
        own=tuple(OPTIONS),
        options={**own, **options},
        usual=card.usual,
    )


PLAYER = shipped


def _read(path: Path) -> Card:
    page = json.loads(path.read_text("utf-8"))
    for name in ("strength", "sizes"):
        page[name] = tuple(page.get(name, ()))
    return Card(name=path.stem, **page)
