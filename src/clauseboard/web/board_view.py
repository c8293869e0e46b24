"""Boards, pieces and moves of any game as the page knows them, from the game's `page.py`."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from clauseboard.game import Game, load_game
from clauseboard.games.page import piece_title
from clauseboard.games.plugins import PAGE
from clauseboard.games.vocabulary import vocabulary_of
from clauseboard.player import Candidate, Choice
from clauseboard.players.spec import read_value

MOST_CANDIDATES = 12
"""Moves that were looked at, of which the page is told."""

_VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def game_of(name: str, settings: Mapping[str, Any]) -> Any:
    """A game with settings from a request, be they numbers or text."""
    if name not in PAGE.games():
        listed = ", ".join(map(repr, PAGE.games()))
        raise ValueError(f"There is no game {name!r} on this page; there are {listed}.")
    if "name" in settings:
        raise ValueError(f"{name} has no parameter 'name': that is what it is called.")
    given = {key: read_value(v) if isinstance(v, str) else v for key, v in settings.items()}
    try:
        return load_game(name, **given)
    except TypeError as error:
        raise ValueError(f"{name} cannot be played with these settings: {error}.") from None


def settings_of(game: Game) -> dict[str, Any]:
    """The parameters of a game, which make it again."""
    return {field.name: getattr(game, field.name) for field in dataclasses.fields(game)}  # type: ignore[arg-type]


@functools.lru_cache(maxsize=64)
def shape_of(game: Any) -> dict[str, Any]:
    """The geometry of a game's board."""
    page = PAGE.of(game)
    background = game.draw()
    size = _VIEW_BOX.search(background)
    assert size is not None
    return {
        "game": game.name,
        "settings": settings_of(game),
        "width": float(size[1]),
        "height": float(size[2]),
        "background": background,
        "cells": [{**dataclasses.asdict(cell), "label": cell.id} for cell in page.cells(game)],
        "pieces": {
            piece: {
                "svg": svg,
                "title": piece_title(game, piece),
                "colour": vocabulary_of(game).pieces[piece][0],
            }
            for piece, svg in page.pieces(game).items()
        },
    }


def on_cells(position: Any) -> list[dict[str, str]]:
    """What stands where, and how it is read out."""
    game = position.game
    return [
        {"cell": cell, "piece": piece, "label": f"{cell}, {piece_title(game, piece)}"}
        for cell, piece in PAGE.of(game).pieces_on(position).items()
    ]


def path_of(game: Game, move: Any) -> list[str]:
    """The cells to be clicked for a move; none for a pass or a swap."""
    path: list[str] = PAGE.of(game).path(game, move)
    return path


def kind_of(text: str, path: list[str]) -> str:
    """What a move is: one on the board, or else what its text says ("pass", "swap")."""
    return "move" if path else text.lower()


def set_up(
    game: Any,
    text: str | None,
    pieces: Iterable[tuple[str, str]] | None,
    to_move: str | None,
) -> Any:
    """A position from text, or piece by piece; a `ValueError` if it cannot be."""
    if text is not None:
        position = game.read_position(text)
    elif pieces is None:
        raise ValueError("A position is a text, or pieces and the side to move.")
    else:
        side = to_move if to_move is not None else game.colours[0]
        if side not in game.colours:
            listed = " or ".join(map(repr, game.colours))
            raise ValueError(f"It is the turn of {listed}, not of {side!r}.")
        position = _decoded(game, pieces, side)
    # The rules of reading say what no board can be.
    return game.read_position(game.write_position(position))


def _decoded(game: Any, pieces: Iterable[tuple[str, str]], to_move: str) -> Any:
    numbers = {(bit.cell, bit.piece): n for n, bit in enumerate(game.bits())}
    row, taken = np.zeros(len(numbers), np.uint8), set()
    for cell, piece in pieces:
        if (cell, piece) not in numbers:
            raise ValueError(f"A {piece!r} at {cell!r} is nothing that {game.name} has.")
        if cell in taken:
            raise ValueError(f"There are two pieces at {cell!r}; there can be one.")
        taken.add(cell)
        row[numbers[cell, piece]] = 1
    return game.decode(row, to_move)


def candidates_of(position: Any, choice: Choice) -> list[dict[str, Any]]:
    """The moves that were looked at, best first."""
    return [
        {
            "move": position.write_move(one.move),
            "path": path_of(position.game, one.move),
            "value": float(one.value),
            "at_most": is_bound(one, choice),
            "line": texts_of(position, one.line or (one.move,)),
            "line_paths": paths_of(position, one.line or (one.move,)),
        }
        for one in choice.candidates[:MOST_CANDIDATES]
    ]


def is_bound(one: Candidate, choice: Choice) -> bool:
    """Whether the value of a candidate is only what it cannot be better than.

    A search that counts no visits breaks off where a move is refuted, and has no line to tell.
    """
    return not one.visits and len(one.line) < len(choice.line) and len(one.line) <= 1


def looked_as_far(choice: Choice, move: Any) -> Candidate | None:
    """A move as a candidate, if the search has looked as far after it as after its own."""
    found = (one for one in choice.candidates if one.move == move)
    return next((one for one in found if len(one.line) >= len(choice.line)), None)


def texts_of(position: Any, line: Sequence[Any]) -> list[str]:
    """The moves of a line as text."""
    texts = []
    for move in line:
        texts.append(position.write_move(move))
        position = position.play(move)
    return texts


def paths_of(position: Any, line: Sequence[Any]) -> list[list[str]]:
    """The cells of the moves of a line."""
    return [path_of(position.game, move) for move in line]
