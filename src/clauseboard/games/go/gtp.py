"""Go in the Go Text Protocol: colours, handicaps, komi, counting; see `clauseboard.engines`."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from clauseboard.games.go.board import handicap_points, names, neighbours, numbers, star_lines
from clauseboard.games.go.records import read_sgf
from clauseboard.games.go.rules import Go, GoMove, GoPosition, dead_by_playouts, playouts, score
from clauseboard.player import Choice

FEWEST_MOVES = 8
"""A side is taken to have so many moves to make, however full the board is."""

COLOURS = {"black": "black", "white": "white", "b": "black", "w": "white"}


def read_move(position: GoPosition, word: str) -> GoMove:
    """The move that "D5" or "pass" means."""
    return position.read_move(word)


def write_move(position: GoPosition, move: GoMove) -> str:
    """A move as "D5" or "pass"."""
    return position.write_move(move)


def turned(position: GoPosition, colour: str) -> GoPosition:
    """The position with this colour to move: any may, and also after two passes."""
    if colour == position.to_move and position.passes < 2:
        return position
    # The ko rule forbids to take back at once, not to take after another move.
    ko = position.ko if colour == position.to_move else None
    passes = position.passes if position.passes < 2 else 0
    return dataclasses.replace(position, to_move=colour, ko=ko, passes=passes)


def emptied(game: Go) -> Go:
    """The game without a handicap; the komi stays."""
    return dataclasses.replace(game, handicap=0, komi=game.points_for_white)


def final_score(position: GoPosition) -> str:
    """The count by area, without the stones that playouts find dead."""
    return score(position, dead_by_playouts(position)).result


def moves_to_go(position: GoPosition) -> int:
    """How many moves a side still has to make, roughly: each takes a third of the empty points."""
    return max(FEWEST_MOVES, position.board.count(0) // 3)


def commands_to(position: GoPosition) -> list[str]:
    """Commands that put every stone on an empty board, and a ko as it was.

    No stone is taken on the way, in whatever order they come: a chain whose neighbours are all
    there already would have no liberty in the end, either.
    """
    game, size = position.game, position.game.size
    commands = [f"boardsize {size}", "clear_board", f"komi {game.points_for_white:g}"]
    board, last = bytearray(position.board), None
    if position.ko is not None:
        # What took the stone comes last, and the stone that it took is there again before.
        last = next(
            point
            for point in neighbours(size)[position.ko]
            if position.chains[point].liberties == {position.ko}
            and len(position.chains[point].stones) == 1
        )
        board[last], board[position.ko] = 0, position.colour
    for point, stone in enumerate(board):
        if stone:
            commands.append(f"play {game.colours[stone - 1]} {names(size)[point]}")
    if last is not None:
        commands.append(f"play {game.other(position.to_move)} {names(size)[last]}")
    return commands


# ---- commands


def _boardsize(session: Any, size: str) -> str:
    try:
        # Star points differ with the size; a handicap is given anew.
        session.begin(dataclasses.replace(emptied(session.game), size=session.whole(size)))
    except ValueError as error:
        raise ValueError(f"unacceptable size: {error}") from None
    return ""


def _komi(session: Any, komi: str) -> str:
    try:
        points = float(komi)
    except ValueError:
        points = math.nan
    if not math.isfinite(points):
        raise ValueError(f"syntax error: {komi!r} is not a number of points")
    game = dataclasses.replace(session.game, komi=points)
    session.use(game)
    session.positions = [dataclasses.replace(p, game=game) for p in session.positions]
    return ""


def _begin_with(session: Any, points: list[int]) -> str:
    """Begin with black stones at these points, and white to move."""
    game = emptied(session.game)
    board = bytearray(game.size**2)
    for point in points:
        board[point] = 1
    session.begin(game, game.position(bytes(board), "white"))
    return " ".join(names(game.size)[point] for point in points)


def _check_empty(session: Any) -> None:
    if len(session.positions) > 1 or any(session.position.board):
        raise ValueError("board not empty")


def _fixed_handicap(session: Any, stones: str) -> str:
    _check_empty(session)
    number = session.whole(stones)
    if number < 2:
        raise ValueError(f"invalid number of stones: {number} is fewer than 2")
    try:
        points = handicap_points(session.game.size, number)
    except ValueError as error:
        raise ValueError(f"invalid number of stones: {error}") from None
    return _begin_with(session, list(points))


def _place_free_handicap(session: Any, stones: str) -> str:
    """As many of the stones as there are star points for, which the standard allows."""
    number = session.whole(stones)
    most = {0: 0, 2: 4, 3: 9}[len(star_lines(session.game.size))]
    return _fixed_handicap(session, str(min(number, most) if most else number))


def _set_free_handicap(session: Any, *vertices: str) -> str:
    _check_empty(session)
    size = session.game.size
    points = [numbers(size).get(vertex.upper()) for vertex in vertices]
    on_board = [point for point in points if point is not None]
    if not 2 <= len(set(on_board)) == len(points) < size * size:
        raise ValueError("bad vertex list: it must be 2 points or more, each only once")
    _begin_with(session, on_board)
    return ""


def _final_status_list(session: Any, status: str) -> str:
    """The stones that are alive or dead, a chain a line; nothing is ever found to be in seki."""
    position = session.position
    dead = set(dead_by_playouts(position))
    if status not in ("alive", "dead", "seki"):
        raise ValueError(f"syntax error: {status!r} is not alive, dead or seki")
    lines = []
    for chain in dict.fromkeys(position.chains.values()):
        stones = [names(position.game.size)[stone] for stone in sorted(chain.stones)]
        if status == ("dead" if stones[0] in dead else "alive"):
            lines.append(" ".join(stones))
    return "\n".join(lines)


def _genmove_cleanup(session: Any, colour: str) -> str:
    """A move where what is dead has to be taken, since every stone will count as alive."""
    session.player.resume()
    return cast("str", session.commands["genmove"](session, colour))


def _loadsgf(session: Any, file: str, move: str | None = None) -> str:
    def read(data: bytes) -> tuple[GoPosition, tuple[GoMove, ...]]:
        game = session.game
        record = read_sgf(data, superko=game.superko, suicide=game.suicide)
        return record.start, record.moves

    return session.load(file, move, read)


def _pairs(words: Sequence[str]) -> list[tuple[str, str]]:
    """Colours and points in turn, as GoGui sends them."""
    if len(words) % 2:
        raise ValueError(
            f"syntax error: colours and points come in pairs, and {words[-1]!r} is left"
        )
    return list(zip(words[::2], words[1::2], strict=True))


def _play_sequence(session: Any, *words: str) -> str:
    """Play moves one after another; if one cannot be played, none is."""
    before = list(session.positions)
    try:
        for colour, point in _pairs(words):
            session.play(session.colour(colour), point)
    except ValueError:
        session.positions = before
        raise
    return ""


def _setup(session: Any, *words: str) -> str:
    """Begin with these stones on the board; black is to move, unless `gogui-setup_player` comes."""
    game = emptied(session.game)
    board = bytearray(game.size**2)
    for colour, vertex in _pairs(words):
        point = numbers(game.size).get(vertex.upper())
        if point is None:
            raise ValueError(f"syntax error: there is no point {vertex!r} on this board")
        board[point] = 1 + game.colours.index(session.colour(colour))
    position = game.position(bytes(board), "black")
    if any(not chain.liberties for chain in position.chains.values()):
        raise ValueError("illegal position: a chain has no liberty")
    session.begin(game, position)
    return ""


def _setup_player(session: Any, colour: str) -> str:
    session.positions[-1] = turned(session.position, session.colour(colour))
    return ""


def _kgs_time_settings(session: Any, kind: str, *words: str) -> str:
    """The time as KGS tells it: none, absolute, canadian or byoyomi."""
    counts = {"none": 0, "absolute": 1, "canadian": 3, "byoyomi": 3}
    if counts.get(kind) != len(words):
        raise ValueError(
            "syntax error: it is written none, absolute MAIN, canadian MAIN PERIOD STONES or "
            "byoyomi MAIN PERIOD PERIODS"
        )
    if kind == "none":
        session.time = None
    else:
        main, period = (session.seconds(word) for word in (*words[:2], "0")[:2])
        # In byo-yomi every move has a period of its own; that there are several is a reserve.
        moves = session.whole(words[2]) if kind == "canadian" else int(kind == "byoyomi")
        session.time = main, period, moves
    session.set_clocks()
    return ""


def ownership(position: GoPosition, choice: Choice) -> list[float]:
    """How much each point will be the mover's, from -1 to 1, line by line.

    It is told by the random games after the best move, where the search made some, or by others.
    """
    counted = next((one.owners for one in choice.candidates if one.owners), ())
    if counted and counted[-1]:
        black = np.array(counted[:-1]) / counted[-1]
    else:
        _, owned = playouts(position, PLAYOUTS)
        black = (owned[:, 0] - owned[:, 1]) / PLAYOUTS
    return [float(value) for value in (black if position.to_move == "black" else -black)]


def _territory(session: Any) -> str:
    """Whose each point will be by random games, as influence for GoGui, and the expected score."""
    position = session.position
    scores, owned = playouts(position, PLAYOUTS)
    values = (owned[:, 0] - owned[:, 1]) / PLAYOUTS
    shown = [
        f"{name} {value:.2f}" for name, value in zip(names(position.game.size), values, strict=True)
    ]
    lead = float(scores.mean()) - position.game.points_for_white
    ahead = "nobody" if round(lead, 1) == 0 else "black" if lead > 0 else "white"
    text = f"random games: {ahead} ahead by {abs(lead):.1f} points"
    return f"INFLUENCE {' '.join(shown)}\nTEXT {text}"


ANALYSIS = (
    "string/Why/clauseboard-explain %c",
    "gfx/Reasons on the board/clauseboard-colours %c",
    "gfx/Chances of moves/clauseboard-labels %c",
    "varc/Expected line/clauseboard-line %c",
    "gfx/Territory/clauseboard-territory",
    "plist/Dead stones/final_status_list dead",
    "string/Score/final_score",
)
"""What GoGui lists for analysis: how a reply is shown, a name, the command (%c: a colour)."""
PLAYOUTS = 400
"""Random games that territory is estimated by."""

COMMANDS: dict[str, Callable[..., str]] = {
    "boardsize": _boardsize,
    "komi": _komi,
    "fixed_handicap": _fixed_handicap,
    "place_free_handicap": _place_free_handicap,
    "set_free_handicap": _set_free_handicap,
    "final_status_list": _final_status_list,
    "kgs-genmove_cleanup": _genmove_cleanup,
    "loadsgf": _loadsgf,
    "gogui-analyze_commands": lambda session: "\n".join(ANALYSIS),
    "gogui-interrupt": lambda session: "",
    "gogui-play_sequence": _play_sequence,
    "gogui-setup": _setup,
    "gogui-setup_player": _setup_player,
    "kgs-time_settings": _kgs_time_settings,
    "kgs-game_over": lambda session: "",
    "clauseboard-territory": _territory,
}


# ---- Go as OpenSpiel knows it; see `engines.openspiel`
# It plays with the simple ko rule and without suicide, ends every game after some number of
# moves, and calls it a draw as soon as a stone repeats an earlier board.

OPENSPIEL_NAME = "go"


def openspiel_parameters(game: Go) -> dict[str, Any]:
    """OpenSpiel's parameters for a game."""
    if game.handicap and game.size != 19:
        raise ValueError("OpenSpiel's Go has handicaps on boards of size 19 only.")
    if game.suicide or game.superko:
        raise ValueError("OpenSpiel's Go has neither suicide nor superko: leave both out.")
    # There is no game without an end there; this one is hardly ever reached.
    most = 10 * game.size**2 if game.max_moves is None else game.max_moves
    return {
        "board_size": game.size,
        "komi": game.points_for_white,
        "handicap": game.handicap,
        "max_game_length": most,
    }


def openspiel_game(parameters: Mapping[str, Any]) -> Go:
    """The game that OpenSpiel's parameters mean."""
    return Go(
        size=parameters["board_size"],
        komi=parameters["komi"],
        handicap=parameters["handicap"],
        max_moves=parameters["max_game_length"],
    )


def openspiel_turns(position: GoPosition, move: GoMove) -> tuple[str, ...]:
    """What OpenSpiel calls a move: "B d5", "W PASS"."""
    name = "PASS" if move.is_pass else position.write_move(move).lower()
    return (f"{position.to_move[0].upper()} {name}",)


def openspiel_moves(position: GoPosition) -> tuple[GoMove, ...]:
    """The moves, each one way to play it."""
    return position.moves()
