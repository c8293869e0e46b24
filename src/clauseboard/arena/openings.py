"""The openings of a match: first moves that both players get, once on either side.

A game with openings of its own has a function `deck(game)` in `games/<game>/selfplay.py`, which
gives the moves of each as one text.
"""

from __future__ import annotations

import random
from pathlib import Path

from clauseboard.game import Game, NotationError
from clauseboard.games.plugins import OPENINGS

Opening = tuple[str, ...]

NO_OPENINGS: tuple[Opening, ...] = ((),)
"""Every game begins at the start."""


def read_openings(game: Game, which: str, seed: int = 0) -> tuple[Opening, ...]:
    """The openings that a word stands for: "none", "all", a number of them, or a file.

    A number draws so many of the game's openings by the seed. A file has an opening a line: moves
    with spaces between them; lines that start with # are passed over.

    >>> from clauseboard.game import load_game
    >>> read_openings(load_game("hex", size=2), "all")
    (('a1',), ('b1',), ('a2',), ('b2',))
    """
    if which == "none":
        return NO_OPENINGS
    if which == "all" or which.isdecimal():
        deck = deck_of(game)
        if which == "all":
            return deck
        if not 1 <= int(which) <= len(deck):
            raise ValueError(f"{game!r} has 1 to {len(deck)} openings to draw from, not {which}.")
        return tuple(random.Random(seed).sample(deck, int(which)))
    path = Path(which)
    if not path.is_file():
        raise ValueError(
            f"Openings are 'none', 'all', a number, or a file with one a line; {which!r} is none."
        )
    return _read_file(game, path)


def deck_of(game: Game) -> tuple[Opening, ...]:
    """All the openings that a game has."""
    offered = OPENINGS.find(game)
    if offered is None:
        raise ValueError(
            f"{game.name} has no openings of its own; choose 'none', or a file with one a line."
        )
    return tuple(tuple(str(o).split()) for o in offered.deck(game))


def _read_file(game: Game, path: Path) -> tuple[Opening, ...]:
    """The openings of a file, each one tried on the board."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text in UTF-8, so that it has no openings.") from None
    openings = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        position, texts = game.start(), []
        try:
            for text in line.split():
                move = position.read_move(text)
                texts.append(position.write_move(move))
                position = position.play(move)
        except NotationError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        if position.outcome() is not None:
            raise ValueError(f"{path}, line {number}: the game is over ({position.outcome()}).")
        openings.append(tuple(texts))
    if not openings:
        raise ValueError(f"{path} has no opening in it; write the moves of one a line.")
    return tuple(openings)
