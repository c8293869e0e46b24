"""Plain games of Go read quickly: one node after the other, each with a move and maybe a comment.

Archives of games that programs played hold millions of such texts. Here they are read by one
regular expression and the kernels, many times faster than by a parser of all that SGF can
be. Whatever is not plain (variations, handicaps, escapes, anything wrong) is None here, and left
to `records.read_sgf`, which also says what is wrong. What is read here is read the same there.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.go.board import LARGEST, SMALLEST
from clauseboard.games.go.records import TEXTS
from clauseboard.games.go.rules import Go
from clauseboard.games.go.scoring import state_of

_VALUE = rb"\[[^\]\\]*+\]\s*+"
_PLAIN = re.compile(
    rb"\s*+\(\s*+;\s*+(?P<root>(?:[A-Z]{2}%b)*+)"
    rb"(?P<nodes>(?:;\s*+[BW]\[(?:[a-z]{2})?\]\s*+(?:C\[[^\[\]\\]*+\]\s*+)?)*+)\)\s*+" % _VALUE
)
_PROPERTY = re.compile(rb"([A-Z]{2})\[([^\]\\]*+)\]")
_MOVE = re.compile(rb"[BW]\[[a-z]*+\]")
_KOMI = re.compile(r"-?[0-9]{1,3}(\.[0-9]{1,9})?")

_HARMLESS = frozenset(TEXTS) - {"HA"} | {"FF", "GM", "SZ", "KM", "RE", "CA", "AP", "ST", "TM"}
"""Properties of a root that leave the board empty, black to begin and all else as it is."""

_A, _PASS = ord("a"), b"[tt]"


@dataclass(frozen=True)
class QuickGame:
    """A game from the empty board, black first: its points (-1 for a pass), its noted result."""

    size: int
    komi: float
    result: str
    points: NDArray[np.int16]


def read_quickly(text: bytes) -> QuickGame | None:
    """A plain and legal game; None if it is anything else.

    >>> read_quickly(b"(;GM[1]SZ[9]KM[7]RE[W+R];B[ee]C[ 0.02, 1];W[])").points
    array([40, -1], dtype=int16)
    >>> read_quickly(b"(;SZ[9](;B[aa])(;B[bb]))") is None
    True
    """
    plain = _PLAIN.fullmatch(text) if text.isascii() else None
    if plain is None:
        return None
    found = _PROPERTY.findall(plain["root"])
    root = {name.decode(): value.decode() for name, value in found}
    if len(root) < len(found) or not root.keys() <= _HARMLESS:
        return None
    size, komi = root.get("SZ", str(LARGEST)), root.get("KM", "0")
    if (
        root.get("GM", "1") != "1"
        or root.get("CA", "UTF-8") != "UTF-8"
        or not _KOMI.fullmatch(komi)
        or size not in _SIZES
    ):
        return None
    points = _points(plain["nodes"], int(size))
    if points is None or not _is_legal(points, int(size)):
        return None
    # As a parser has it: white space becomes blanks.
    result = re.sub(r"\s", " ", root.get("RE", ""))
    return QuickGame(int(size), float(komi), result, points)


_SIZES = frozenset(map(str, range(SMALLEST, LARGEST + 1)))


def _points(nodes: bytes, size: int) -> NDArray[np.int16] | None:
    """The points of the moves, if black and white take turns on the board."""
    # Each is five letters now, "B[dd]"; slices take one letter of all of them.
    moves = b"".join(_MOVE.findall(nodes)).replace(b"[]", _PASS)
    turns, columns, lines = moves[::5], moves[2::5], moves[3::5]
    if turns != (b"BW" * len(turns))[: len(turns)]:
        return None
    points = np.frombuffer(lines, np.uint8) * np.int16(size) + np.frombuffer(columns, np.uint8)
    points -= np.int16(_A * size + _A)
    beyond = max(max(columns, default=0), max(lines, default=0)) >= _A + size
    if _PASS in moves:
        places = np.frombuffer(columns + lines, np.uint8).reshape(2, -1)
        passes = (places == ord("t")).all(axis=0)
        if passes[-3:].sum() == 3:
            return None  # one that is too many, which is left out elsewhere
        points[passes] = -1
        beyond = bool((places[:, ~passes] >= _A + size).any())
    return None if beyond else points


def _is_legal(points: NDArray[np.int16], size: int) -> bool:
    from clauseboard.games.go import kernels

    return kernels.replay(empty_state(size), points, False) == len(points)


def empty_state(size: int) -> Any:
    """The state of an empty board with black to move, to be played on."""
    return _empty_state(size).copy()


@functools.cache
def _empty_state(size: int) -> Any:
    return state_of(Go(size=size).start())
