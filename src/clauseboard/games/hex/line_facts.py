"""What a move brings in Hex at once: a connection, a sure one, or the other side's prevented."""

from __future__ import annotations

from collections.abc import Sequence

from clauseboard.games.hex.rules import SIDES, HexMove, HexPosition, Swap, cells_of, connected


def line_fact(position: HexPosition, line: Sequence[HexMove | Swap]) -> str | None:
    """What the first move of a line does, as the rest of a sentence; None if it is quiet.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=3).read_position(".RB/.../... red")
    >>> line_fact(position, [position.read_move("b2")])
    'makes the connection sure: a3 and b3 both complete it'
    """
    move, mover = line[0], position.to_move
    if isinstance(move, Swap):
        return "takes over the first move"
    after, other = position.play(move), position.game.other(mover)
    if after.winner is not None:
        return f"connects {SIDES[mover]}"
    theirs = completing(after, other)
    mine = completing(after, mover)
    if not theirs and len(mine) > 1:
        return f"makes the connection sure: {mine[0]} and {mine[1]} both complete it"
    if theirs:
        return f"lets {other.capitalize()} connect at {theirs[0]}"
    if completing(position, other):
        return f"keeps {other.capitalize()} from connecting"
    if mine:
        return f"threatens to connect at {mine[0]}"
    return None


def completing(position: HexPosition, colour: str) -> list[HexMove]:
    """The empty cells at which one more stone of a colour connects its sides."""
    size, stones = position.game.size, position.red if colour == "red" else position.blue
    taken = position.red | position.blue
    return [
        cell
        for n, cell in enumerate(cells_of(size))
        if not taken >> n & 1 and connected(stones | 1 << n, colour, size)
    ]
