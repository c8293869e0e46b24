"""Hex in the dialect of the Go Text Protocol that MoHex and HexGui speak; see `engines`.

Black begins and connects top and bottom there: it is our red, and white is our blue. Cells have
the same names. The swap is called `swap-pieces`, and `param_game allow_swap 1` allows it. With it
the players take each other's colour there, the stone stays where it is, and white is to move: as a
game this is our swap, seen in a mirror.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from clauseboard.games.hex.records import SWAPS, read_sgf
from clauseboard.games.hex.rules import BLUE, RED, Hex, HexMove, HexPosition, Swap, cells_of

COLOURS = {"black": RED, "white": BLUE, "b": RED, "w": BLUE, "red": RED, "blue": BLUE}
_LETTERS = {RED: "B", BLUE: "W"}
_YES_OR_NO = {"1": True, "0": False, "true": True, "false": False}


def read_move(position: HexPosition, word: str) -> HexMove | Swap:
    """The move that "c2" or "swap-pieces" means."""
    return position.read_move("swap" if word.lower() in SWAPS else word)


def write_move(position: HexPosition, move: HexMove | Swap) -> str:
    """A move as "c2" or "swap-pieces"."""
    return "swap-pieces" if isinstance(move, Swap) else str(move)


def turned(position: HexPosition, colour: str) -> HexPosition:
    """The position with this colour to move; once somebody has won it stays as it is."""
    if colour == position.to_move or position.outcome() is not None:
        return position
    return dataclasses.replace(position, to_move=colour)


def exchanges(move: HexMove | Swap) -> bool:
    """Whether the players take each other's colour: with a swap."""
    return isinstance(move, Swap)


def exchanged(position: HexPosition) -> HexPosition:
    """A position after a swap as it is seen there; nobody can swap again."""
    game = dataclasses.replace(position.game, swap=False)
    return dataclasses.replace(position.reversed(), game=game)


def exchanged_move(move: HexMove | Swap) -> HexMove | Swap:
    """A move after a swap as it is seen there."""
    return move if isinstance(move, Swap) else HexMove(row=move.column, column=move.row)


def emptied(game: Hex) -> Hex:
    """The same game: nothing of it stays on the board."""
    return game


def final_score(position: HexPosition) -> str:
    """Who has won, as "B+" or "W+"."""
    if position.winner is None:
        raise ValueError("cannot score: nobody has connected yet")
    return f"{_LETTERS[position.winner]}+"


def commands_to(position: HexPosition) -> list[str]:
    """Commands that put every stone on an empty board; the order does not matter in Hex."""
    game = position.game
    commands = [f"boardsize {game.size} {game.size}", "clear_board"]
    if game.swap:
        # Only where it is needed: not every engine has it.
        commands.append("param_game allow_swap 1")
    for number, cell in enumerate(cells_of(game.size)):
        if (position.red | position.blue) >> number & 1:
            word = "black" if position.red >> number & 1 else "white"
            commands.append(f"play {word} {cell}")
    return commands


# ---- commands


def _boardsize(session: Any, width: str, height: str | None = None) -> str:
    if height is not None and height != width:
        raise ValueError(f"unacceptable size: {width}x{height} is not square")
    try:
        session.begin(dataclasses.replace(session.game, size=session.whole(width)))
    except ValueError as error:
        raise ValueError(f"unacceptable size: {error}") from None
    return ""


def _param_game(session: Any, name: str | None = None, value: str | None = None) -> str:
    """Tell the parameters, or set one."""
    if name is None:
        return f"\n[bool] allow_swap {int(session.game.swap)}"
    if name != "allow_swap" or value not in _YES_OR_NO:
        raise ValueError("syntax error: it is written 'param_game allow_swap 1', or 0")
    if len(session.positions) > 2:
        raise ValueError("cannot change allow_swap: it is set before the second move")
    game = dataclasses.replace(session.game, swap=_YES_OR_NO[value])
    session.use(game)
    session.positions = [dataclasses.replace(p, game=game) for p in session.positions]
    return ""


def _time_left(
    session: Any, colour: str | None = None, left: str | None = None, moves: str = "0"
) -> str:
    """Set the time of a colour; without a time tell it, of one colour or of both."""
    if colour is not None and left is not None:
        return session.set_time_left(session.colour(colour), left, moves)
    sides = (RED, BLUE) if colour is None else (session.colour(colour),)
    words = {RED: "Black", BLUE: "White"}
    left_of = {side: session.clocks[side].left for side in sides if side in session.clocks}
    return ", ".join(
        f"{words[side]}: {f'{left_of[side]:.0f} s' if side in left_of else 'no limit'}"
        for side in sides
    )


def _loadsgf(session: Any, file: str, move: str | None = None) -> str:
    def read(data: bytes) -> tuple[HexPosition, tuple[HexMove | Swap, ...]]:
        record = read_sgf(data)
        return record.game.start(), record.moves

    return session.load(file, move, read)


def _all_legal_moves(session: Any) -> str:
    position = session.position
    return " ".join(write_move(position, move) for move in position.moves())


ANALYSIS = (
    "string/Why/clauseboard-explain %m",
    "pspairs/Chances of moves/clauseboard-candidates %m",
    "var/Expected line/clauseboard-line %m",
    "gfx/Reasons on the board/clauseboard-influence %m",
    "plist/Legal moves/all_legal_moves",
    "param/Game/param_game",
)
"""What HexGui lists for analysis: how a reply is shown, a name, the command (%m: who moves)."""

COMMANDS: dict[str, Callable[..., str]] = {
    "boardsize": _boardsize,
    "param_game": _param_game,
    "time_left": _time_left,
    "all_legal_moves": _all_legal_moves,
    "loadsgf": _loadsgf,
    "hexgui-analyze_commands": lambda session: "\n".join(ANALYSIS),
}


# ---- Hex as OpenSpiel knows it; see `engines.openspiel`
# Its rules and its names are ours.

OPENSPIEL_NAME = "hex"


def openspiel_parameters(game: Hex) -> dict[str, Any]:
    """OpenSpiel's parameters for a game."""
    if game.size == 1:
        raise ValueError("OpenSpiel's games of Hex on a board of one cell never end.")
    return {"board_size": game.size, "swap": game.swap}


def openspiel_game(parameters: Mapping[str, Any]) -> Hex:
    """The game that OpenSpiel's parameters mean."""
    rows, columns = parameters["num_rows"], parameters["num_cols"]
    if rows != columns:
        raise ValueError(f"Our Hex boards are as wide as high, not {columns}x{rows}.")
    return Hex(size=rows, swap=parameters["swap"])


def openspiel_turns(position: HexPosition, move: HexMove | Swap) -> tuple[str, ...]:
    """What OpenSpiel calls a move: "c2", "swap"."""
    return (str(move),)


def openspiel_moves(position: HexPosition) -> tuple[HexMove | Swap, ...]:
    """The moves, each one way to play it."""
    return position.moves()
