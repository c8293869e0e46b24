"""Games of Go as SGF: read and written with sgfmill, and checked against the rules.

`read_sgf` reads all that SGF can be; of a game with variations it reads the main line, the first
branch everywhere. `read_plain` reads plain games, many times faster. `read_archive` reads files,
folders and tars of games. Errors have a `fault`, by which the dropped games are counted.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Ending, IllegalMoveError, Outcome, UnreadableError
from clauseboard.games import sgf_files
from clauseboard.games.go import kernels
from clauseboard.games.go.board import LARGEST, SMALLEST, handicap_points, names
from clauseboard.games.go.rules import PASS, Go, GoMove, GoPosition, chains, score, state_of
from clauseboard.games.records import Recorded, RecordNotes, Report, decoded

_KEPT = "PB PW BR WR BT WT DT EV RO PC GN GC RU ON OT SO AN US CP C HA"
TEXTS = frozenset(_KEPT.split())
"""The properties of the root that are kept as they are: names, ranks, teams, dates, comments; and
HA, where the handicap stones are not on the usual points."""

FEW_MOVES = 10
"""Moves that are checked without a kernel, which takes a second and 120 MB to load."""
_COLOURS = {"b": "black", "w": "white"}
_WAYS = {"R": Ending.RESIGNATION, "T": Ending.TIME, "F": Ending.FORFEIT}


@dataclass(frozen=True)
class _Noted:
    """A move as it stands in a record, such as "B[dd]"; a point of -1 is none of the board."""

    colour: str
    point: int | None
    text: str


@dataclass(frozen=True)
class GoRecord:
    """A game that was played: its first position, its moves, and its result.

    `result` is as SGF writes it ("B+3.5", "W+R", "0"), or empty if there is none; `texts` are
    other properties of the record by their SGF names, such as "PB", black's name.
    """

    start: GoPosition
    moves: tuple[GoMove, ...]
    result: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def game(self) -> Go:
        """The rules that the game was played by."""
        return self.start.game

    @property
    def outcome(self) -> Outcome | None:
        """The result that was noted, or None if it is unknown or void."""
        return noted_outcome(self.result)

    def positions(self) -> Iterator[GoPosition]:
        """The positions of the game, the first one included."""
        position = self.start
        yield position
        for move in self.moves:
            position = position.play(move)
            yield position

    def boards(self) -> NDArray[np.uint8]:
        """The boards of the game, moves + 1 × points: what `encoding.pack` takes."""
        boards = np.empty((len(self.moves) + 1, self.game.size**2), np.uint8)
        state = state_of(self.start)
        kernels.read_board(state, boards[0])
        for point, board in zip(codes_of(self.moves), boards[1:], strict=True):
            kernels.play(state, point)
            kernels.read_board(state, board)
        return boards


def codes_of(moves: Iterable[GoMove]) -> NDArray[np.int16]:
    """Moves as the kernels take them: points, -1 for a pass."""
    return np.array([-1 if move.point is None else move.point for move in moves], np.int16)


def noted_outcome(result: str) -> Outcome | None:
    """What a result as SGF writes it means; None if it is unknown or void."""
    noted = result.strip()
    if noted.lower() in ("0", "draw", "jigo"):
        return Outcome(None, f"noted as {noted}", Ending.SCORE)
    match = re.fullmatch(r"([BW])\+(.*)", noted, re.IGNORECASE)
    if match is None:
        return None
    winner, way = _COLOURS[match[1].lower()], match[2].strip()
    if not way:
        return Outcome(winner, "noted without a reason")
    ending = _WAYS.get(way[0].upper(), Ending.SCORE)
    return Outcome(
        winner, f"by {f'{way} points' if ending is Ending.SCORE else ending}", ending, joined=True
    )


def read_sgf(data: bytes | str, *, superko: bool = False, suicide: bool = False) -> GoRecord:
    """The first game of an SGF text; bytes are UTF-8, or else Latin-1.

    >>> record = read_sgf("(;GM[1]SZ[9]KM[7]RE[W+R];B[ee];W[])")
    >>> record.moves, record.outcome
    ((GoMove(point=40), GoMove(point=None)), Outcome(winner='white', reason='by resignation', \
ending=<Ending.RESIGNATION: 'resignation'>))
    """
    from sgfmill import sgf

    try:
        text = data if isinstance(data, str) else decoded(data)
        tree = sgf.Sgf_game.from_string(text.lstrip("\ufeff"))
        nodes = list(tree.main_sequence_iter())
    except ValueError as error:
        raise UnreadableError(f"{error}.", fault="not SGF") from error
    root = nodes[0]
    if root.has_property("GM") and root.get_raw("GM").strip() != b"1":
        raise UnreadableError(f"GM is 1 for Go, not {_raw(root, 'GM')!r}.", fault="another game")
    size = tree.get_size()
    if not SMALLEST <= size <= LARGEST:
        raise UnreadableError(f"SZ is {SMALLEST} to {LARGEST}, not {size}.", fault="board size")
    moves = _read_moves(nodes, size)
    start = _read_start(root, size, moves, {"superko": superko, "suicide": suicide})
    noted = TEXTS & set(root.properties())
    if start.game.handicap:
        noted -= {"HA"}
    return GoRecord(
        start=start,
        moves=_checked(start, moves),
        result=_text(root, "RE"),
        texts={name: _text(root, name) for name in sorted(noted)},
    )


def _raw(node: Any, name: str) -> str:
    return node.get_raw(name).decode("utf-8")


def _text(node: Any, name: str) -> str:
    if not node.has_property(name):
        return ""
    try:
        return str(node.get(name))
    except ValueError as error:
        raise UnreadableError(f"{name} of the root: {error}.", fault="property") from error


def _read_moves(nodes: list[Any], size: int) -> list[_Noted]:
    """The moves of the main line; passes after the two that end the game are left out."""
    moves: list[_Noted] = []
    for node in nodes:
        number = len(moves) + 1
        if node is not nodes[0] and node.has_setup_stones():
            raise UnreadableError(f"stones are set up before move {number}.", fault="setup later")
        if node.has_property("B") and node.has_property("W"):
            raise UnreadableError(
                f"black and white share move {number}.", fault="two moves at once"
            )
        colour, raw = node.get_raw_move()
        if colour is None:
            continue
        try:
            _, place = node.get_move()
        except ValueError:
            point: int | None = -1
        else:
            # sgfmill counts lines from the bottom.
            point = None if place is None else (size - 1 - place[0]) * size + place[1]
        written = f"{colour.upper()}[{raw.decode('utf-8')}]"
        moves.append(_Noted(_COLOURS[colour], point, written))
    while len(moves) > 2 and all(move.point is None for move in moves[-3:]):
        moves.pop()
    return moves


def _read_start(root: Any, size: int, moves: list[_Noted], options: dict[str, bool]) -> GoPosition:
    """The position in which a record begins, with its game."""
    try:
        komi = root.get("KM") if root.has_property("KM") else 0.0
        handicap = root.get("HA") if root.has_property("HA") else 0
        black, white, empty = root.get_setup_stones()
        side = _COLOURS[root.get("PL")] if root.has_property("PL") else None
        plain = Go(size=size, komi=komi, **options)
    except ValueError as error:
        raise UnreadableError(
            f"KM, HA, AB, AW, AE or PL of the root: {error}.", fault="property"
        ) from error
    if len(black | white) < len(black) + len(white) or empty:
        raise UnreadableError(
            "a point of the root is set up twice, or set up as empty.", fault="setup"
        )
    board = bytearray(size * size)
    for stones, colour in ((black, 1), (white, 2)):
        for y, x in stones:
            board[(size - 1 - y) * size + x] = colour
    for point, chain in chains(bytes(board), size).items():
        if not chain.liberties:
            raise UnreadableError(
                f"the stone at {names(size)[point]} has no liberty.", fault="setup"
            )
    if handicap >= 2 and not black:
        raise UnreadableError(
            f"HA[{handicap}] has no stones in AB, so that their points are unknown.",
            fault="handicap",
        )
    game = plain
    if black and not white and _is_usual_handicap(bytes(board), size, handicap):
        game = dataclasses.replace(plain, handicap=handicap)
    if side is None:
        side = moves[0].colour if moves else ("white" if handicap >= 2 else "black")
    return game.position(bytes(board), side)


def _is_usual_handicap(board: bytes, size: int, stones: int) -> bool:
    try:
        usual = handicap_points(size, stones)
    except ValueError:
        return False
    return {point for point, stone in enumerate(board) if stone} == set(usual)


def _checked(start: GoPosition, moves: list[_Noted]) -> tuple[GoMove, ...]:
    """The moves, if the sides take turns and every move is legal."""
    good, fault, problem = _first_fault(start, moves)
    played = tuple(PASS if move.point is None else GoMove(move.point) for move in moves[:good])
    legal = 0
    if not start.game.superko and len(played) > FEW_MOVES:
        legal = kernels.replay(state_of(start), codes_of(played), start.game.suicide)
        if legal == len(moves):
            return played
    # Now slowly: few moves, with superko, or to say what is wrong.
    position = start
    for number, stone in enumerate(played, 1):
        reason = position.why_not(stone) if number > legal else None
        if reason is not None:
            cell = start.game.write_move(position, stone)
            raise IllegalMoveError(
                f"move {number}, {cell} by {position.to_move}: {reason}.",
                fault="illegal move",
                position=start.game.write_position(position),
            )
        position = position.play(stone)
    if fault:
        kind = UnreadableError if moves[good].point == -1 else IllegalMoveError
        raise kind(f"{problem}.", fault=fault, position=start.game.write_position(position))
    return played


def _first_fault(start: GoPosition, moves: list[_Noted]) -> tuple[int, str, str]:
    """How many moves are on the board and in turn; and the fault of the next one, if any."""
    size, side = start.game.size, start.to_move
    for number, move in enumerate(moves):
        said = f"move {number + 1}, {move.text}, is"
        if move.point == -1:
            return number, "no point", f"{said} no point of a {size}x{size} board"
        if move.colour != side:
            return number, "out of turn", f"{said} {move.colour}'s, but {side} is to move"
        side = start.game.other(side)
    return len(moves), "", ""


def write_sgf(record: GoRecord) -> str:
    """A record as SGF, that `read_sgf` takes back.

    >>> print(write_sgf(read_sgf("(;GM[1]SZ[9]KM[7.0]PB[Ann];B[ee];W[tt])")).strip())
    (;FF[4]CA[UTF-8]GM[1]KM[7]PB[Ann]SZ[9];B[ee];W[tt])
    """
    from sgfmill import sgf

    game, size = record.game, record.game.size
    tree = sgf.Sgf_game(size)
    root = tree.get_root()
    for name, text in record.texts.items():
        if name not in TEXTS:
            raise ValueError(f"texts are {', '.join(sorted(TEXTS))}, not {name!r}.")
        if name == "HA" and not text.isdecimal():
            raise ValueError(f"HA is a number of stones, not {text!r}.")
        root.set(name, int(text) if name == "HA" else text)
    # All digits, so that the same number is read back.
    root.set_raw("KM", repr(game.points_for_white).removesuffix(".0").encode())
    if record.result:
        root.set("RE", record.result)
    stones: tuple[set[tuple[int, int]], ...] = (set(), set(), set())
    for point, stone in enumerate(record.start.board):
        stones[stone].add((size - 1 - point // size, point % size))
    root.set_setup_stones(stones[1], stones[2])
    if game.handicap:
        root.set("HA", game.handicap)
    if record.start.to_move != game.first_to_move or (not game.handicap and any(stones[1:])):
        root.set("PL", record.start.to_move[0])
    side = record.start.to_move
    for move in record.moves:
        place = None if move.point is None else divmod(move.point, size)
        where = None if place is None else (size - 1 - place[0], place[1])
        tree.extend_main_sequence().set_move(side[0], where)
        side = game.other(side)
    return tree.serialise().decode("utf-8")


def result_text(position: GoPosition) -> str:
    """The result of a finished game as SGF writes it, or an empty text while it goes on.

    >>> game = Go(size=3, komi=2.5)
    >>> result_text(game.read_position(".../.b./... black passes=2 moves=3"))
    'B+6.5'
    """
    return "" if position.outcome() is None else score(position).result


# ---- files


def read_archive(
    path: str | os.PathLike[str],
    report: Report | None = None,
    *,
    superko: bool = False,
    suicide: bool = False,
) -> Iterator[GoRecord]:
    """The games of an archive one by one; the report grows with them.

    `path` is a folder (its .sgf files, also in folders below, in the order of their names), a tar,
    compressed or not, or else a file of one or more games.
    """
    counts = Report() if report is None else report
    yield from sgf_files.read_games(
        path, counts, functools.partial(read_sgf, superko=superko, suicide=suicide)
    )


SUFFIXES: tuple[str, ...] = (".sgf",)


def write_game(
    game: Go,
    moves: Sequence[GoMove],
    outcome: Outcome | None,
    players: Mapping[str, str],
    event: str,
    number: int,
    start: GoPosition | None = None,
    notes: RecordNotes | None = None,
) -> str:
    """A game as SGF; see `games.plugins.RecordsPlugin`."""
    start = start or game.start()
    *_, last = GoRecord(start, tuple(moves)).positions()
    result = result_text(last)
    if outcome is not None and outcome.margin is not None:
        result = _margin_text(outcome)
    elif not result and outcome is not None:
        how = next((way for way, ending in _WAYS.items() if ending == outcome.ending), "")
        result = "0" if outcome.winner is None else f"{outcome.winner[0].upper()}+{how}"
    texts = {"EV": event, "RO": str(number)} if event else {}
    texts |= {"GC": str(outcome)} if event and outcome is not None else {}
    texts |= {f"P{colour[0].upper()}": name for colour, name in players.items()}
    return sgf_files.with_notes(write_sgf(GoRecord(start, tuple(moves), result, texts)), notes)


def _margin_text(outcome: Outcome) -> str:
    """A counted result as SGF writes it: "B+3.5"."""
    return "0" if outcome.winner is None else f"{outcome.winner[0].upper()}+{outcome.margin:g}"


def read_games(path: Path, report: Report) -> Iterator[Recorded]:
    """The games of a file that can be replayed."""
    yield from sgf_files.read_games(path, report, _read)


def _read(text: bytes) -> Recorded:
    """A game; with suicide allowed if it happens there, for SGF has no property for that rule."""
    try:
        record = read_sgf(text)
    except IllegalMoveError:
        record = read_sgf(text, suicide=True)
    names = {c: record.texts.get(f"P{c[0].upper()}", "?") for c in record.game.colours}
    notes = sgf_files.read_notes(text, len(record.moves))
    positions = tuple(record.positions())
    return Recorded(record.game, positions, record.moves, record.outcome, names, notes)


# ---- plain games, fast
# Archives of games that programs played hold millions of plain games: one node after the other,
# each with a move and maybe a comment. One regular expression and the kernels read them. Anything
# else (variations, handicaps, escapes, faults) is left to `read_sgf`, which says what is wrong.
# Both read a plain game alike.

_VALUE = rb"\[[^\]\\]*+\]\s*+"
_PLAIN = re.compile(
    rb"\s*+\(\s*+;\s*+(?P<root>(?:[A-Z]{2}%b)*+)"
    rb"(?P<nodes>(?:;\s*+[BW]\[(?:[a-z]{2})?\]\s*+(?:C\[[^\[\]\\]*+\]\s*+)?)*+)\)\s*+" % _VALUE
)
_PROPERTY = re.compile(rb"([A-Z]{2})\[([^\]\\]*+)\]")
_MOVE = re.compile(rb"[BW]\[[a-z]*+\]")
_KOMI = re.compile(r"-?[0-9]{1,3}(\.[0-9]{1,9})?")

_HARMLESS = TEXTS - {"HA"} | {"FF", "GM", "SZ", "KM", "RE", "CA", "AP", "ST", "TM"}
"""Properties of a root that leave the board empty, black to begin and all else as it is."""

_A, _PASS = ord("a"), b"[tt]"


@dataclass(frozen=True)
class PlainGame:
    """A game from the empty board, black first: its moves as `codes_of`, and its result."""

    size: int
    komi: float
    result: str
    points: NDArray[np.int16]


def read_plain(text: bytes) -> PlainGame | None:
    """A plain and legal game; None if it is anything else.

    >>> read_plain(b"(;GM[1]SZ[9]KM[7]RE[W+R];B[ee]C[ 0.02, 1];W[])").points
    array([40, -1], dtype=int16)
    >>> read_plain(b"(;SZ[9](;B[aa])(;B[bb]))") is None
    True
    """
    plain = _PLAIN.fullmatch(text) if text.isascii() else None
    if plain is None:
        return None
    properties = _PROPERTY.findall(plain["root"])
    root = {name.decode(): value.decode() for name, value in properties}
    if len(root) < len(properties) or not root.keys() <= _HARMLESS:
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
    if points is None or kernels.replay(empty_state(int(size)), points, False) < len(points):
        return None
    # As in `read_sgf`, white space becomes blanks.
    result = re.sub(r"\s", " ", root.get("RE", ""))
    return PlainGame(int(size), float(komi), result, points)


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
            return None  # one pass too many, which `read_sgf` leaves out
        points[passes] = -1
        beyond = bool((places[:, ~passes] >= _A + size).any())
    return None if beyond else points


def empty_state(size: int) -> Any:
    """The state of an empty board with black to move, to be played on."""
    return _empty_state(size).copy()


@functools.cache
def _empty_state(size: int) -> Any:
    return state_of(Go(size=size).start())
