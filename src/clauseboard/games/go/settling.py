"""When a game of Go is over for a player: no point is open, so that a pass loses nothing.

Who owns the points at the end of random games tells which stones live, and which are dead. A board
is settled if that is clear for every stone and every empty point, and if no empty point lies
between both colours once the dead stones are taken off: such a point is worth a move.

>>> from clauseboard.game import load_game
>>> position = load_game("go", size=3, komi=0.5).read_position(".b./bb./..w white")
>>> owners = [10, 10, 10, 10, 10, 10, 10, 10, 9, 10]  # nearly all points are black's in ten games
>>> clear_dead(position, owners)
('C1',)
>>> passing_is_right(position, owners, value=-1), passing_is_right(position, owners, value=-0.5)
(True, False)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from clauseboard.games.go.board import names
from clauseboard.games.go.rules import EMPTY, GoPosition, playouts, regions, score

CLEAR = 0.5
"""Whose a point is, from -1 to 1, is clear from here on: in three games of four it is that side's,
or more. Random games take living stones now and then."""

OPEN = 0.4
"""Between -OPEN and OPEN, from -1 dead to 1 alive, the life of a chain is open."""
HOPELESS = -0.9
"""What the best move of a game is worth, or less, if there is nothing to fight for."""
EVEN = 0.05
"""The same where a pass draws the game."""


def clear_dead(position: GoPosition, owners: Sequence[int]) -> tuple[str, ...] | None:
    """The stones that are dead beyond doubt; None where the life of some chain is open.

    `owners` are those of a `Candidate`: for each point the games in which it ended as black's, less
    those in which it ended as white's, and the number of games.
    """
    *counts, games = owners
    dead: list[int] = []
    for chain in dict.fromkeys(position.chains.values()):
        stones = sorted(chain.stones)
        sign = 1 if position.board[stones[0]] == 1 else -1
        share = sign * sum(counts[stone] for stone in stones) / (len(stones) * games)
        if abs(share) < CLEAR:
            return None
        if share < 0:
            dead += stones
    return tuple(names(position.game.size)[stone] for stone in sorted(dead))


def open_chains(position: GoPosition, n: int = 400, seed: int = 0) -> tuple[str, ...]:
    """A stone of each chain of which `n` random games do not tell whether it lives."""
    _, owned = playouts(position, n, seed)
    counts = owned[:, 0] - owned[:, 1]
    found = []
    for chain in dict.fromkeys(position.chains.values()):
        stones = sorted(chain.stones)
        if abs(counts[stones].mean()) < OPEN * n:
            found.append(names(position.game.size)[stones[0]])
    return tuple(found)


def is_settled(position: GoPosition, owners: Sequence[int]) -> bool:
    """Whether no side can gain a point: every stone is alive or dead, every border is closed."""
    dead = clear_dead(position, owners)
    if dead is None:
        return False
    *counts, games = owners
    at = {name: point for point, name in enumerate(names(position.game.size))}
    board = bytearray(position.board)
    for name in dead:
        board[at[name]] = EMPTY
    for owner, region in regions(bytes(board), position.game.size):
        sign = {0: 0, 1: 1, 2: -1}[owner]
        if any(sign * counts[point] < CLEAR * games for point in region):
            return False
    return True


def loses_nothing(
    position: GoPosition, owners: Sequence[int], after: GoPosition, owners_after: Sequence[int]
) -> bool:
    """Whether a pass leaves a settled board as it is: after it no chain dies that lived before.

    The other side may play on; a board on which it has taken everything is settled, too.
    """
    dead = clear_dead(position, owners)
    return is_settled(after, owners_after) and clear_dead(after, owners_after) == dead


def played_on(position: GoPosition) -> GoPosition:
    """The position as if the other side had not passed just before.

    A pass would end the game and leave all stones on the board, so that a search that knows nothing
    of dead stones would win by its own ones.
    """
    return dataclasses.replace(position, passes=0) if position.passes == 1 else position


def passing_is_right(position: GoPosition, owners: Sequence[int], value: float) -> bool:
    """Whether the side to move loses nothing by a pass, dead stones being taken off at the end.

    All is settled; or the other side has passed, and a pass wins the game: to play on would tell
    that the stones that are left are not agreed upon. Whoever is behind fights on as long as there
    is a chance: `value`, from -1 to 1, is what the best move is worth. A draw is taken where no
    move promises more; to play on, a side would have to fill its own eyes.
    """
    dead = clear_dead(position, owners)
    if dead is None:
        return False
    winner = score(position, dead).winner
    enough = winner == position.to_move or (winner is None and value <= EVEN)
    if position.passes == 1 and enough:
        return True
    return (enough or value <= HOPELESS) and is_settled(position, owners)
