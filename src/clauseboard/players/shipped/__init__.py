"""The shipped players: machines trained by self-play, each with a card.

A card, `<name>.json`, says which game it is for, which files its machines are, how they search, how
they were made and from what, how their matches ended, and what they are bad at. The machines lie
beside it. `docs/learning.md` says how they were trained.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from clauseboard.game import Game
from clauseboard.players.levels import ADAPTIVE, AROUND, AdaptivePlayer, LevelPlayer, level_of
from clauseboard.players.searcher import SearchPlayer, searching_player

FOLDER = Path(__file__).parent
TITLE = "Clauseboard"
"""The name of the player on the page."""


GameCounts = tuple[int, int, int]
"""GameCounts won, drawn and lost."""


@dataclass(frozen=True)
class MeasuredMatch:
    """A match of the player: against which player, how, and its games.

    `zero` has the games of the same search without votes, played in the same way. `size` is that of
    the board, where it is not the one that the player was trained on.
    """

    against: str
    how: str
    games: GameCounts
    zero: GameCounts | None = None
    size: int | None = None


@dataclass(frozen=True)
class PlayerCard:
    """The description of a shipped player.

    `parameters` are those that a game must have; it also plays on boards of the `sizes`. `search`
    is its default search and `usual` that search's parameters. `machine` evaluates boards and
    `moves` predicts moves, with so many `clauses` and `move_clauses`; without the first, random
    games evaluate, and accounts also tell what `board_judge` says of a board without a search, with
    `judge_clauses`, on the size that it was learned on. `measured` has its matches, the most
    telling first, and `also` other figures.
    """

    name: str
    game: str
    parameters: dict[str, object]
    machine: str | None
    moves: str | None
    search: str
    usual: dict[str, object]
    clauses: int
    move_clauses: int
    made: str
    command: str
    data: str
    measured: tuple[MeasuredMatch, ...]
    bad_at: str
    also: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    board_judge: str | None = None
    judge_clauses: int = 0

    def fits(self, game: Game) -> bool:
        """Whether it plays this game, with these parameters."""
        return game.name == self.game and all(
            getattr(game, name, None) in ((value, *self.sizes) if name == "size" else (value,))
            for name, value in self.parameters.items()
        )

    def trained_on(self, game: Game) -> bool:
        """Whether its machines were trained on boards of this size."""
        return self.parameters.get("size") in (None, getattr(game, "size", None))

    def match_on(self, game: Game) -> MeasuredMatch | None:
        """The most telling match on boards of this size; None if there was none."""
        size = None if self.trained_on(game) else getattr(game, "size", None)
        return next((match for match in self.measured if match.size == size), None)

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


@functools.cache
def cards() -> tuple[PlayerCard, ...]:
    """The cards of all players that come with the package, by their names.

    >>> [card.name for card in cards()][:1]
    ['checkers']
    """
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.json")))


def card_for(game: Game) -> PlayerCard:
    """The card of the player for a game; a `ValueError` says for which games there are some."""
    for card in cards():
        if card.fits(game):
            return card
    listed = ", ".join(card.board for card in cards())
    raise ValueError(f"No player for {game!r} comes with the package; there are some for {listed}.")


def check(game: Game) -> None:
    """Refuse a game for which there is none."""
    card_for(game)


def shipped(
    game: Game,
    *,
    zero: bool = False,
    level: str | None = None,
    around: str = AROUND,
    **options: object,
) -> SearchPlayer:
    """Was trained by self-play, and is part of the package; `level=easy` makes it weaker.

    `players.levels` has the levels. `level=adaptive,around=easy` begins as that level and keeps the
    game even. `zero=true` leaves only its search.
    """
    from clauseboard.learners.tsetlin import OPTIONS, make_evaluator
    from clauseboard.learners.tsetlin.board_evaluator import loaded
    from clauseboard.learners.tsetlin.concept_evaluator import ConceptEvaluator

    card = card_for(game)
    weaker = None if level in (None, ADAPTIVE) else level_of(game, level)
    own: dict[str, object] = {"view": "mover", "zero": zero}
    for name, file in (("machine", card.machine), ("moves", card.moves)):
        if file is not None:
            own[name] = str(FOLDER / file)
    usual = dict(card.usual)
    if zero and usual.get("rollouts") == 0:
        usual["rollouts"] = 1  # without votes only random games tell boards apart
    kind: Callable[..., SearchPlayer] = SearchPlayer
    if weaker is not None:
        usual |= weaker.search
        kind = functools.partial(LevelPlayer, level=weaker)
    elif level == ADAPTIVE:
        kind = functools.partial(AdaptivePlayer, around=around)
    if card.board_judge is not None and card.trained_on(game) and not zero:
        judge = ConceptEvaluator(game, loaded(FOLDER / card.board_judge))
        kind = functools.partial(kind, board_judge=judge)
    return searching_player(
        game,
        make_evaluator,
        search=card.search,
        own=tuple(OPTIONS),
        options={**own, **options},
        usual=usual,
        kind=kind,
    )


PLAYERS = {"shipped": shipped}


def _read(path: Path) -> PlayerCard:
    page = json.loads(path.read_text("utf-8"))
    for name in ("also", "sizes"):
        page[name] = tuple(page.get(name, ()))
    page["measured"] = tuple(_measured(**match) for match in page["measured"])
    return PlayerCard(name=path.stem, **page)


def _measured(
    games: list[int], zero: list[int] | None = None, size: int | None = None, **text: str
) -> MeasuredMatch:
    won, drawn, lost = games
    without = None if zero is None else (zero[0], zero[1], zero[2])
    return MeasuredMatch(games=(won, drawn, lost), zero=without, size=size, **text)
