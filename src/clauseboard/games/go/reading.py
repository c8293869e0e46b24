"""What becomes of the chains of a position, read out on the board.

A chain is dead if it falls though its own side moves first; it hangs if it falls when the other
side moves first, and can be saved; it lives if it cannot be taken where it is closed in. Captures
are read by `captures`, closed-in chains by `tactics`. A chain that is dead in its own space, but
whose side can take stones around it, is not dead: it is saved by that, or a race decides.

>>> from clauseboard.game import load_game
>>> position = load_game("go", size=5).read_position("bw.../bw.../...../...../..... white")
>>> Reading(position).fate(position.chains[0]) == Fate(DEAD)
True
>>> rows = f"{'........./' * 5}...w...../..wb...../...w...../........."
>>> position = load_game("go", size=9).read_position(f"{rows} black")
>>> Reading(position).fate(position.chains[57]) == Fate(HANGS, taken_at=58, saved_at=58)
True
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from clauseboard.games.go import captures, tactics
from clauseboard.games.go.board import neighbours
from clauseboard.games.go.kernels import INFO, KO, SIDE
from clauseboard.games.go.rules import Chain, GoMove, GoPosition, state_of

STANDS, HANGS, DEAD, LIVES = range(4)
"""What becomes of a chain; nothing was found of one that stands."""

LIFE_NODES = 6000
"""Positions that are looked at for the life of one chain."""

MOST_LIBERTIES = 4
"""Chains of more liberties are not captured by few moves."""


SOON = 7
"""So many moves after the first are few."""


@dataclass(frozen=True)
class Fate:
    """What becomes of a chain; for one that hangs, a point that takes it, and one that saves it."""

    kind: int
    taken_at: int | None = None
    saved_at: int | None = None


class Reading:
    """The chains of a position as they are read out, each once."""

    def __init__(self, position: GoPosition) -> None:
        self.position, self.size = position, position.game.size
        self._state = state_of(position, passes=0)
        self._room = tactics.new_room(self.size)
        self._fates: dict[int, Fate] = {}

    def _place(self, chain: Chain) -> int:
        point = min(chain.stones)
        return point + point // self.size + self.size + 2

    def captured(self, chain: Chain, side: int, depth: int = captures.MOST_DEPTH) -> bool:
        """Whether a chain is captured if a side moves first."""
        if len(chain.liberties) > MOST_LIBERTIES:
            return False
        state = self._state
        if state[INFO, SIDE] != side:
            state = state.copy()
            state[INFO, SIDE] = side
            state[INFO, KO] = 0
        found = captures.read_capture(
            state, self._place(chain), self._room, depth, captures.CAPTURE_NODES
        )
        return int(found) == tactics.CAPTURED

    def life(self, chain: Chain, nodes: int = LIFE_NODES) -> int:
        """What becomes of a chain that is closed in (`tactics.read_life`)."""
        return int(tactics.read_life(self._state, self._place(chain), nodes, self._room))

    def sure_life(self, chain: Chain) -> int:
        """The same, but open where its side can take stones around it, or races with dead ones."""
        life, owner = self.life(chain), self.colour(chain)
        if life in (tactics.DEAD, tactics.UNSETTLED):
            for enemy in self.around(self.joined(chain)):
                if self.captured(enemy, owner) or self.life(enemy) == tactics.DEAD:
                    return tactics.OPEN
        return life

    def colour(self, chain: Chain) -> int:
        """Whose a chain is."""
        return self.position.board[min(chain.stones)]

    def fate(self, chain: Chain) -> Fate:
        """What becomes of a chain of the position."""
        stone = min(chain.stones)
        if stone not in self._fates:
            self._fates[stone] = Fate(STANDS)  # while those around it are read
            self._fates[stone] = self._read(chain)
        return self._fates[stone]

    def won_at(self, chain: Chain) -> int | None:
        """The point by which the other side takes a chain in few moves, or kills it, if it plays
        first; by the fewest, and at the liberty that is farthest from the edge."""
        owner, stone = self.colour(chain), min(chain.stones)
        near = sorted(chain.liberties, key=lambda p: (-self._line(p), p)) + self._near(chain)
        boards = [(p, self._after(p, 3 - owner)) for p in self._legal(near, 3 - owner)]
        for depth in range(1, SOON + 1, 2):
            for point, after in boards:
                left = after.position.chains.get(stone)
                if left is None or after.captured(left, owner, depth):
                    return point
        kills = self.sure_life(chain) == tactics.UNSETTLED
        return self.fate(chain).taken_at if kills else None

    def _line(self, point: int) -> int:
        """How many steps a point is from the edge."""
        y, x = divmod(point, self.size)
        return min(y, x, self.size - 1 - y, self.size - 1 - x)

    def falls(self, chain: Chain, depth: int = captures.MOST_DEPTH) -> bool:
        """Whether a chain is dead, or the side to move can take it or kill it."""
        owner = self.colour(chain)
        if owner != self.position.colour and self.captured(chain, 3 - owner, depth):
            return True
        fate = self.fate(chain)
        return fate.kind == DEAD or (fate.kind == HANGS and owner != self.position.colour)

    def _read(self, chain: Chain) -> Fate:
        owner = self.colour(chain)
        falls = self.captured(chain, 3 - owner)
        if falls and self.captured(chain, owner):
            return Fate(DEAD)
        life = self.sure_life(chain)
        if not falls and life in (tactics.OPEN, tactics.ALIVE):
            return Fate(LIVES if life == tactics.ALIVE else STANDS)
        if life == tactics.DEAD:
            return Fate(DEAD)
        taken_at = next((p for p in self._attacks(chain) if self._taken_by(chain, p)), None)
        saved_at = next((p for p in self._saves(chain, taken_at) if self._saved_by(chain, p)), None)
        if saved_at is None:
            return Fate(DEAD) if falls else Fate(STANDS)
        return Fate(STANDS) if taken_at is None else Fate(HANGS, taken_at, saved_at)

    def joined(self, chain: Chain) -> list[Chain]:
        """A chain with those that it may be joined to at a liberty, and so on."""
        found, owner = [chain], self.colour(chain)
        for own in found:
            found += {
                other
                for stone, other in self.position.chains.items()
                if self.position.board[stone] == owner
                and other not in found
                and other.liberties & own.liberties
            }
        return found

    def around(self, chains: Iterable[Chain]) -> list[Chain]:
        """The chains of the other side beside chains."""
        position, enemies = self.position, set[Chain]()
        for chain in chains:
            beside = {b for stone in chain.stones for b in neighbours(self.size)[stone]}
            enemy = 3 - self.colour(chain)
            enemies |= {position.chains[b] for b in beside if position.board[b] == enemy}
        return sorted(enemies, key=lambda chain: min(chain.stones))

    # ---- moves that take a chain or save it

    def _attacks(self, chain: Chain) -> Iterator[int]:
        """Points near the chain, and what gets chains of the attack out of atari."""
        enemy = 3 - self.colour(chain)
        found = self._near(chain)
        for other in dict.fromkeys(self.position.chains.values()):
            if self.colour(other) == enemy and len(other.liberties) == 1:
                found += other.liberties
        return self._legal(found, enemy)

    def saves(self, *chains: Chain) -> list[int]:
        """The moves of the owner that may save chains, captures first."""
        return list(dict.fromkeys(point for chain in chains for point in self._saves(chain)))

    def _saves(self, chain: Chain, first: int | None = None) -> Iterator[int]:
        """A first point, what takes chains beside it, its liberties and points beside them, and
        what takes or threatens chains around all that it may join."""
        takes = [p for e in self.around([chain]) if len(e.liberties) == 1 for p in e.liberties]
        around = [e for e in self.around(self.joined(chain)) if len(e.liberties) <= 2]
        around.sort(key=lambda enemy: len(enemy.liberties))
        threats = [point for enemy in around for point in sorted(enemy.liberties)]
        begin = [] if first is None else [first]
        return self._legal([*begin, *takes, *self._near(chain), *threats], self.colour(chain))

    def _near(self, chain: Chain) -> list[int]:
        """The liberties of a chain, the points beside these, and those beside these."""
        found = sorted(chain.liberties)
        for _ in range(2):
            beside = {b for point in found for b in neighbours(self.size)[point]}
            found += sorted(b for b in beside - set(found) if not self.position.board[b])
        return found

    def _legal(self, points: Iterable[int], side: int) -> Iterator[int]:
        position = self._turned(side)
        for point in dict.fromkeys(points):
            if position.why_not(GoMove(point)) is None:
                yield point

    def _turned(self, side: int) -> GoPosition:
        """The position with a side to move."""
        if self.position.colour == side:
            return replace(self.position, passes=0)
        return replace(
            self.position, to_move=self.position.game.colours[side - 1], ko=None, passes=0
        )

    def _after(self, point: int, side: int) -> Reading:
        return Reading(self._turned(side).play(GoMove(point)))

    def _taken_by(self, chain: Chain, point: int) -> bool:
        owner, stone = self.colour(chain), min(chain.stones)
        after = self._after(point, 3 - owner)
        if after.position.board[stone] != owner:
            return True
        left = after.position.chains[stone]
        return after.captured(left, owner) or after.sure_life(left) == tactics.DEAD

    def _saved_by(self, chain: Chain, point: int) -> bool:
        """Whether a chain is neither captured after a move of its side, nor to be killed."""
        owner, stone = self.colour(chain), min(chain.stones)
        after = self._after(point, owner)
        left = after.position.chains[stone]
        if after.captured(left, 3 - owner):
            return False
        return after.sure_life(left) not in (tactics.DEAD, tactics.UNSETTLED)


@functools.lru_cache(maxsize=16)
def read_out(position: GoPosition) -> Reading:
    """The reading of a position; the latest are remembered."""
    return Reading(position)
