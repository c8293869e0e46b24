"""Rule players that stand for a person who knows only the rules and plays sensible moves.

They do not search: each looks at the moves of one turn, and for danger one reply ahead.

- checkers: plays the move after which, by the best reply and all captures that follow, it has most;
  leaves its back row only when twelve pieces are left, and goes after the nearest piece with kings.
- go: takes stones, saves stones in atari by extending, attacks stones with two liberties next to
  its own, and else plays near the last stone, where the new stone is not in atari; no own eye.
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
from clauseboard.games.checkers.board import CROWNS, WORD, column, row, squares
from clauseboard.games.go.board import neighbours, star_points
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
    """The first of its rules by which there is a move."""
    stones = [move for move in position.moves() if not move.is_pass]
    safe = [move for move in stones if _is_safe(position, move.point)]
    for rule in (_taking, _saving, _attacking):
        found = rule(position, safe)
        if found:
            return found
    if position.last[0] in (None, position.game.size**2) or position.moves_played < 4:
        stars = {
            row * position.game.size + column for row, column in star_points(position.game.size)
        }
        at_stars = [move for move in safe if move.point in stars]
        if at_stars:
            return at_stars
    near = [move for move in safe if _distance(position, move.point) <= 2]
    return near or safe or [PASS]


def _is_safe(position: Any, point: int) -> bool:
    """Whether a stone has two liberties, and the point is no eye of its side."""
    beside = neighbours(position.game.size)[point]
    if all(position.board[other] == position.colour for other in beside):
        return False
    board = position.after(point)[0]
    return len(chains(board, position.game.size)[point].liberties) >= 2


def _chains_with(position: Any, colour: int, liberties: int) -> set[Any]:
    return {
        chain
        for point, chain in position.chains.items()
        if position.board[point] == colour and len(chain.liberties) == liberties
    }


def _taking(position: Any, safe: list[Move]) -> list[Move]:
    in_atari = _chains_with(position, 3 - position.colour, 1)
    takes = {
        move: sum(len(chain.stones) for chain in in_atari if move.point in chain.liberties)
        for move in position.moves()
        if not move.is_pass
    }
    moves = [move for move, taken in takes.items() if taken]
    return best_of(moves, lambda move: takes[move]) if moves else []


def _saving(position: Any, safe: list[Move]) -> list[Move]:
    in_atari = _chains_with(position, position.colour, 1)
    return [move for move in safe if any(move.point in chain.liberties for chain in in_atari)]


def _attacking(position: Any, safe: list[Move]) -> list[Move]:
    weak = _chains_with(position, 3 - position.colour, 2)
    return [move for move in safe if any(move.point in chain.liberties for chain in weak)]


def _distance(position: Any, point: int) -> int:
    size, last = position.game.size, position.last[0]
    if last is None or last >= size * size:
        return 0
    return abs(point // size - last // size) + abs(point % size - last % size)


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
