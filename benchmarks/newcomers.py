"""Rule players that stand for a person who knows only the rules and plays sensible moves.

They do not search: each looks at the moves of one turn, and for danger one reply ahead.

- checkers: plays the move after which, by the best reply and all captures that follow, it has most;
  leaves its back row only when twelve pieces are left, and goes after the nearest piece with kings.
- go: makes the part of the board largest that is nearer to its stones than to the other side's,
  where its chains in atari count as lost and those with two liberties as half lost; so it takes,
  saves and attacks stones where that counts most. It fills no own eye, and passes where no stone
  helps.
- hex: completes a bridge that is cut into, and else plays where its own shortest way becomes
  shortest compared with the other side's.

Of moves that are equally good by its rule it draws one.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.game import Game, Move, Position
from clauseboard.games.checkers.rules import CROWNS, WORD, column, row, squares
from clauseboard.games.go.board import neighbours
from clauseboard.games.go.rules import PASS, chains
from clauseboard.player import Choice, Player
from clauseboard.players import read_player

NAME = "newcomer"
CELLS_BESIDE = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""The six neighbours of a cell of Hex, in the order round it."""


class Newcomer(Player):
    """Plays by the rule of a game."""

    def __init__(self, game: Game) -> None:
        self.game, self.name = game, NAME
        self._draws = random.Random(0)

    def begin(self, game: Game, colour: str, seed: int) -> None:
        """Draw from this seed."""
        self._draws = random.Random(f"{seed} {colour}")

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """One of the moves that are best by the rule."""
        return Choice(self._draws.choice(RULES[self.game.name](position)))


def make(line: str, game: Game) -> Player:
    """A newcomer, or any other player by its line."""
    return Newcomer(game) if line == NAME else read_player(line, game)


def best_of(moves: Sequence[Move], value: Callable[[Any], float]) -> list[Move]:
    """The moves of the highest value."""
    values = [value(move) for move in moves]
    most = max(values)
    return [move for move, each in zip(moves, values, strict=True) if each == most]


# ---- checkers


def checkers_moves(position: Any) -> list[Move]:
    """Loses the least by the reply; keeps its back row for long, and goes after men with kings."""
    colour = position.to_move
    best = best_of(position.moves(), lambda move: _after_reply(position.after(move), colour))
    n_pieces = sum(position.pieces(each).bit_count() for each in position.game.colours)
    home = CROWNS[position.game.other(colour)] & ~position.kings
    staying = [move for move in best if n_pieces <= 12 or not WORD[move.start] & home]
    return best_of(staying or best, lambda move: -_far(position.after(move), colour))


def material_lost(position: Any, move: Any) -> float:
    """What a move gives away in sight: men less than after the best one, captures played out."""
    colour = position.to_move
    return max(
        _played_out(position.after(each), colour) for each in position.moves()
    ) - _played_out(position.after(move), colour)


def _after_reply(position: Any, colour: str) -> float:
    """The material of a side after the other one's best reply."""
    replies = position.possible_moves
    return min((_played_out(position.after(reply), colour) for reply in replies), default=99)


def _played_out(position: Any, colour: str, most: int = 8) -> float:
    """By how many men a side is ahead after the captures that follow; a king is one and a half."""
    moves = position.possible_moves
    if not most or not moves or not moves[0].captured:
        own, others = (position.pieces(each) for each in (colour, position.game.other(colour)))
        counted = [
            word.bit_count() + (word & position.kings).bit_count() / 2 for word in (own, others)
        ]
        return counted[0] - counted[1]
    values = [_played_out(position.after(move), colour, most - 1) for move in moves]
    return max(values) if position.to_move == colour else min(values)


def _far(position: Any, colour: str) -> int:
    """How far the kings of a side are from the nearest piece of the other one, together."""
    others = [*squares(position.pieces(position.game.other(colour)))]
    return sum(
        min((max(abs(row(a) - row(b)), abs(column(a) - column(b))) for b in others), default=0)
        for a in squares(position.pieces(colour) & position.kings)
    )


# ---- Go


def go_moves(position: Any) -> list[Move]:
    """The moves after which it stands best; a pass where no stone makes it stand better."""
    beside = neighbours(position.game.size)
    worth = {
        move: _area(position.after(move.point)[0], position.game.size, position.colour)
        for move in position.moves()
        if not move.is_pass
        and any(position.board[other] != position.colour for other in beside[move.point])
    }
    now = _area(position.board, position.game.size, position.colour)
    if not worth or max(worth.values()) <= now:
        return [PASS]
    return best_of(list(worth), worth.__getitem__)


def _area(stones: bytes, size: int, mine: int) -> float:
    """How a side stands that has just moved: the points nearer to its stones than to the others'.

    Its own chains in atari are lost, and those with two liberties half so; of the other side's
    chains in atari it counts a part, and of those with two liberties a smaller one.
    """
    board, danger = bytearray(stones), 0.0
    for chain in set(chains(stones, size).values()):
        liberties, n = len(chain.liberties), len(chain.stones)
        if stones[min(chain.stones)] != mine:
            danger += n * {1: 1.2, 2: 0.6}.get(liberties, 0.0)
        elif liberties == 1:
            for stone in chain.stones:
                board[stone] = 3 - mine
        elif liberties == 2:
            danger -= n
    own, others = (_distances(board, size, colour) for colour in (mine, 3 - mine))
    return danger + sum((a < b) - (a > b) for a, b in zip(own, others, strict=True))


def _distances(board: bytes, size: int, colour: int) -> list[int]:
    """How many steps over empty points each point is from a stone of a colour."""
    beside = neighbours(size)
    distances = [0 if stone == colour else len(board) for stone in board]
    queue = deque(point for point, stone in enumerate(board) if stone == colour)
    while queue:
        point = queue.popleft()
        for other in beside[point]:
            if not board[other] and distances[other] == len(board):
                distances[other] = distances[point] + 1
                queue.append(other)
    return distances


# ---- Hex


def hex_moves(position: Any) -> list[Move]:
    """Completes a bridge, or shortens its own way and lengthens the other side's."""
    moves = [move for move in position.moves() if hasattr(move, "row")]
    completing = [move for move in moves if _completes(position, move)]
    if completing:
        return completing
    mine, theirs = position.to_move, position.game.other(position.to_move)

    def value(move: Any) -> float:
        after = position.play(move)
        return _way(after, theirs) - _way(after, mine)

    return best_of(moves, value)


def _stones(position: Any, colour: str) -> int:
    return position.red if colour == "red" else position.blue


def _completes(position: Any, move: Any) -> bool:
    """Whether two stones of the side to move would be cut by the last stone next to this cell."""
    size, last = position.game.size, position.last
    if last is None:
        return False
    own = _stones(position, position.to_move)
    row, column = divmod(last, size)
    steps = [*CELLS_BESIDE, *CELLS_BESIDE[:2]]
    for before, between, behind in zip(steps, steps[1:], steps[2:], strict=False):
        if (move.row, move.column) == (row + between[0], column + between[1]):
            ends = [(row + step[0], column + step[1]) for step in (before, behind)]
            return all(_has(own, cell, size) for cell in ends)
    return False


def _has(stones: int, cell: tuple[int, int], size: int) -> bool:
    row, column = cell
    inside = 0 <= row < size and 0 <= column < size
    return inside and bool(stones >> (row * size + column) & 1)


def _way(position: Any, colour: str) -> float:
    """How many stones a side needs at least to join its sides, if the other one passes."""
    size = position.game.size
    own, others = (_stones(position, each) for each in (colour, position.game.other(colour)))
    starts = [(0, n) if colour == "red" else (n, 0) for n in range(size)]
    reached: dict[tuple[int, int], int] = {}
    queue = deque((cell, 0 if _has(own, cell, size) else 1) for cell in starts)
    while queue:
        (row, column), cost = queue.popleft()
        cell = row, column
        inside = 0 <= row < size and 0 <= column < size
        if not inside or _has(others, cell, size) or reached.get(cell, size * size) <= cost:
            continue
        reached[cell] = cost
        for step in CELLS_BESIDE:
            beside = row + step[0], column + step[1]
            if _has(own, beside, size):
                queue.appendleft((beside, cost))
            else:
                queue.append((beside, cost + 1))
    ends = [(size - 1, n) if colour == "red" else (n, size - 1) for n in range(size)]
    return min((reached[cell] for cell in ends if cell in reached), default=size * size)


RULES: dict[str, Callable[[Any], list[Move]]] = {
    "checkers": checkers_moves,
    "go": go_moves,
    "hex": hex_moves,
}
