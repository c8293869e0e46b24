"""Boards, pieces and moves of any game as the page shows them, from the game's `page.py`."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from clauseboard.game import Game, Move, Position, line_texts, load_game
from clauseboard.games.plugins import PAGE
from clauseboard.games.vocabulary import piece_title, vocabulary_of
from clauseboard.player import Candidate, Choice, chance_of
from clauseboard.players import read_value
from clauseboard.players.searcher import swaps
from clauseboard.web.models import (
    BoardShape,
    CandidateLine,
    CellShape,
    PieceOnCell,
    PieceShape,
)

MOST_CANDIDATES = 12
"""Candidate moves that the page lists."""
SELDOM = 0.02
"""A move that a tree search visited less than this share of the most visited one is not listed."""

_VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def game_of(name: str, settings: Mapping[str, Any]) -> Any:
    """A game with settings from a request, given as numbers or text."""
    if name not in PAGE.games():
        listed = ", ".join(map(repr, PAGE.games()))
        raise ValueError(f"There is no game {name!r} on this page; there are {listed}.")
    if "name" in settings:
        raise ValueError(f"{name} has no parameter 'name'.")
    values = {key: read_value(v) if isinstance(v, str) else v for key, v in settings.items()}
    try:
        return load_game(name, **values)
    except TypeError as error:
        raise ValueError(f"{name} cannot be played with these settings: {error}.") from None


def settings_of(game: Game) -> dict[str, Any]:
    """The parameters of a game, by name."""
    return {field.name: getattr(game, field.name) for field in dataclasses.fields(game)}  # type: ignore[arg-type]


@functools.lru_cache(maxsize=64)
def shape_of(game: Game) -> BoardShape:
    """The geometry of a game's board."""
    page = PAGE.of(game)
    background = game.draw()
    size = _VIEW_BOX.search(background)
    assert size is not None
    return BoardShape(
        game=game.name,
        settings=settings_of(game),
        width=float(size[1]),
        height=float(size[2]),
        background=background,
        cells=[CellShape(**dataclasses.asdict(cell), label=cell.id) for cell in page.cells(game)],
        pieces={
            piece: PieceShape(
                svg=svg, title=piece_title(game, piece), colour=vocabulary_of(game).pieces[piece][0]
            )
            for piece, svg in page.pieces(game).items()
        },
    )


def winning_cells(position: Position) -> list[str]:
    """The cells by which the game was won, in a game that is won by cells."""
    told = getattr(PAGE.of(position.game), "winning_cells", None)
    return [] if told is None else list(told(position))


def openings_of(game: Game) -> dict[str, str]:
    """The openings of a game that have names, by their moves."""
    return dict(getattr(PAGE.of(game), "OPENING_NAMES", {}))


def opening_of(game: Game, moves: Sequence[str]) -> str | None:
    """The name of a game's opening: that of the longest line that it begins with."""
    names = openings_of(game)
    longest = max((line.count(" ") + 1 for line in names), default=0)
    lines = (" ".join(moves[:n]) for n in range(min(longest, len(moves)), 0, -1))
    return next((names[line] for line in lines if line in names), None)


def pieces_on(position: Position) -> list[PieceOnCell]:
    """The pieces of a position."""
    game = position.game
    return [
        PieceOnCell(cell=cell, piece=piece, label=f"{cell}, {piece_title(game, piece)}")
        for cell, piece in PAGE.of(game).pieces_on(position).items()
    ]


def path_of(game: Game, move: Move) -> list[str]:
    """The cells to click for a move; none for a pass or a swap."""
    path: list[str] = PAGE.of(game).path(game, move)
    return path


def kind_of(text: str, path: list[str]) -> str:
    """The kind of a move: "move" on the board, or else its text ("pass", "swap")."""
    return "move" if path else text.lower()


def read_position(
    game: Game,
    text: str | None,
    pieces: Iterable[tuple[str, str]] | None,
    to_move: str | None,
) -> Any:
    """A position from text, or piece by piece; a `ValueError` if it is impossible."""
    if text is not None:
        position = game.read_position(text)
    elif pieces is None:
        raise ValueError("A position needs a text, or pieces and the side to move.")
    else:
        side = to_move if to_move is not None else game.colours[0]
        if side not in game.colours:
            listed = " or ".join(map(repr, game.colours))
            raise ValueError(f"The side to move is {listed}, not {side!r}.")
        position = _decoded(game, pieces, side)
    # Reading checks that the position is possible.
    return game.read_position(game.write_position(position))


def _decoded(game: Game, pieces: Iterable[tuple[str, str]], to_move: str) -> Any:
    numbers = {(bit.cell, bit.piece): n for n, bit in enumerate(game.bits())}
    row, taken = np.zeros(len(numbers), np.uint8), set()
    for cell, piece in pieces:
        if (cell, piece) not in numbers:
            raise ValueError(f"{game.name} has no {piece!r} at {cell!r}.")
        if cell in taken:
            raise ValueError(f"There are two pieces at {cell!r}; there can be one.")
        taken.add(cell)
        row[numbers[cell, piece]] = 1
    return game.decode(row, to_move)


def candidates_of(position: Position, choice: Choice) -> list[CandidateLine]:
    """The moves that a search considered, its choice first; see `ranked`.

    Those that a tree search hardly visited have no value to speak of, and are left out.
    """
    least = SELDOM * max((candidate.visits for candidate in choice.candidates), default=0)
    kept = {choice.move, *swaps(position)}  # a swap is judged without visits
    looked_at = [one for one in choice.candidates if one.visits >= least or one.move in kept]
    best = chance_of(choice)

    def chance(candidate: Candidate) -> float | None:
        """A bound is from a search that only showed that the move is not better than the best."""
        found = chance_of(candidate)
        if found is None or best is None or not is_bound(candidate, choice):
            return found
        return min(found, best)

    lines = [
        CandidateLine(
            move=position.write_move(candidate.move),
            path=path_of(position.game, candidate.move),
            value=float(candidate.value),
            chance=chance(candidate),
            at_most=is_bound(candidate, choice),
            line=line_texts(position, candidate.line or (candidate.move,)),
            line_paths=paths_of(position, candidate.line or (candidate.move,)),
            visits=candidate.visits,
        )
        for candidate in looked_at
    ]
    return ranked(lines)[:MOST_CANDIDATES]


def ranked(candidates: list[CandidateLine]) -> list[CandidateLine]:
    """Moves by what decides: the choice, then by visits in a tree search, and else by chance."""
    if any(one.visits for one in candidates):
        return candidates
    return candidates[:1] + sorted(candidates[1:], key=lambda one: -(one.chance or 0.0))


def is_bound(candidate: Candidate, choice: Choice) -> bool:
    """Whether the value of a candidate is only an upper bound.

    A search that counts no visits breaks off where a move is refuted, and has no line for it.
    """
    short = len(candidate.line) < len(choice.line) and len(candidate.line) <= 1
    return short and not candidate.visits


def looked_as_far(choice: Choice, move: Move) -> Candidate | None:
    """A move as a candidate, if the search looked as far after it as after its own choice."""
    for candidate in choice.candidates:
        if candidate.move == move and len(candidate.line) >= len(choice.line):
            return candidate
    return None


def paths_of(position: Position, line: Sequence[Move]) -> list[list[str]]:
    """The cells of the moves of a line."""
    return [path_of(position.game, move) for move in line]
