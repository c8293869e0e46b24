"""What a move does in Go, checked on the board: it captures, kills, saves, cuts, connects, ...

Ladders, nets and the life of closed groups are read out (`tactics`); the other facts are those of
the chains beside the move, before it and after it.

>>> from clauseboard.game import load_game
>>> position = load_game("go", size=5).read_position("bw.../bw.../...../...../..... white")
>>> line_fact(position, [position.read_move("A3")])
'captures two stones at A5'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.concepts import listed
from clauseboard.games.go import tactics
from clauseboard.games.go.board import names, neighbours
from clauseboard.games.go.rules import Chain, GoMove, GoPosition, score, state_of
from clauseboard.games.vocabulary import in_words

MOST_FACTS = 2
"""So many facts make a sentence."""

DEAR = 2
"""So many stones that a move gives up are its price."""

LONG = 3
"""A chain that runs so many steps before it is captured is in a ladder."""

Fact = tuple[float, str]
"""How many stones a fact is about, and the fact; a threat counts half, an eye as half a stone."""


def line_fact(position: GoPosition, line: Sequence[GoMove]) -> str | None:
    """What the first move of a line does, as the rest of a sentence; None if it is quiet."""
    after = position.play(line[0])
    if after.outcome() is not None:
        return f"ends the game: {score(after)}"
    if line[0].point is None:
        return None
    deed = _Deed(position, line[0].point, after)
    taken = list(_captures(deed))
    facts = [fact for find in _FACTS for fact in find(deed)]
    facts.sort(key=lambda fact: -fact[0])
    told = [*taken, *facts][:MOST_FACTS] or list(_extends(deed)) or list(_attaches(deed))
    # What is about most stones comes first, and last what has something to add.
    told.sort(key=lambda fact: ("," in fact[1], -fact[0]))
    said = " and ".join(text for _, text in told)
    return f"{said}{_price(deed)}" or None


class _Deed:
    """A stone, with the board before it and after it, and the chains that were told of."""

    def __init__(self, before: GoPosition, point: int, after: GoPosition) -> None:
        self.before, self.point, self.after = before, point, after
        self.size = before.game.size
        self.told: set[int] = set()
        beside = neighbours(self.size)[point]
        self.friends = self._chains(beside, before.colour)
        self.enemies = self._chains(beside, 3 - before.colour)
        self.room = tactics.new_room(self.size)

    def _chains(self, points: Sequence[int], colour: int) -> list[Chain]:
        chains = {self.before.chains[p] for p in points if self.before.board[p] == colour}
        return sorted(chains, key=lambda chain: min(chain.stones))

    def fresh(self, chains: Sequence[Chain]) -> list[Chain]:
        """The chains that were not told of yet; they are from now on."""
        new = [chain for chain in chains if min(chain.stones) not in self.told]
        self.told |= {min(chain.stones) for chain in new}
        return new

    def stones(self, chains: Sequence[Chain]) -> str:
        """Chains in words, by the first stone of each: "three stones at C3 and the stone at E5"."""
        told = []
        for chain in chains:
            n, at = len(chain.stones), names(self.size)[min(chain.stones)]
            told.append(f"the stone at {at}" if n == 1 else f"{in_words(n)} stones at {at}")
        return listed(told)

    @cached_property
    def state_before(self) -> NDArray[np.int16]:
        """The board before the move, for readers."""
        return state_of(self.before)

    @cached_property
    def state_after(self) -> NDArray[np.int16]:
        """The board after the move, with the other side to move."""
        return state_of(self.after)

    @cached_property
    def state_passed(self) -> NDArray[np.int16]:
        """The board before the move, with the other side to move."""
        state = self.state_before.copy()
        state[tactics.INFO, tactics.SIDE] = 3 - self.before.colour
        state[tactics.INFO, tactics.KO] = 0
        return state

    @property
    def passed(self) -> GoPosition:
        """The same as a position."""
        return replace(self.before, to_move=self.after.to_move, ko=None)

    def _place(self, point: int) -> int:
        return point + point // self.size + self.size + 2

    def ladder(self, state: NDArray[np.int16], chain: Chain) -> bool:
        """Whether a chain is captured in a ladder."""
        place = self._place(min(chain.stones))
        return int(tactics.read_ladder(state, place, self.room)) == tactics.CAPTURED

    def may_run(self, chain: Chain) -> bool:
        """Whether a chain that is in atari after the move can get a second liberty by a stone."""
        [last] = self.after.chains[min(chain.stones)].liberties
        if self.after.why_not(GoMove(last)) is not None:
            return False
        return len(self.after.play(GoMove(last)).chains[last].liberties) > 1

    def could_be_saved(self, chain: Chain) -> bool:
        """Whether a stone at a liberty would have kept a chain out of a ladder."""
        moves = [GoMove(p) for p in chain.liberties if self.before.why_not(GoMove(p)) is None]
        stone = min(chain.stones)
        saved = [self.before.play(move) for move in moves]
        return any(not self.ladder(state_of(one), one.chains[stone]) for one in saved)

    def is_long(self, position: GoPosition, chain: Chain) -> bool:
        """Whether a chain that is captured in a ladder runs some steps before that."""
        stone = min(chain.stones)
        for _ in range(LONG):
            if position.board[stone] != position.colour:
                ataris = [position.play(GoMove(p)) for p in sorted(position.chains[stone].liberties)
                          if position.why_not(GoMove(p)) is None]  # fmt: skip
                left = [one for one in ataris if self.ladder(state_of(one), one.chains[stone])]
                if not left:
                    return False
                position = left[0]
            [last] = position.chains[stone].liberties
            if position.why_not(GoMove(last)) is not None:
                return False
            position = position.play(GoMove(last))
            if len(position.chains[stone].liberties) < 2:
                return False
        return True

    @cached_property
    def but_lost(self) -> str:
        """What takes the worth of a threat: the stone is taken at once, or in a ladder."""
        own = self.after.chains[self.point]
        if not self.ladder(self.state_after, own):
            return ""
        at = "".join(f" at {names(self.size)[p]}" for p in own.liberties)
        return f", but can be taken{at if len(own.liberties) == 1 else ''}"

    def caught(self, chain: Chain) -> bool:
        """Whether a chain of the other side is caught in a net after the move."""
        place = self._place(min(chain.stones))
        return bool(tactics.is_caught(self.state_after, place, self.room))

    def life(self, state: NDArray[np.int16], chain: Chain) -> int:
        """What becomes of a chain that is closed in."""
        place = self._place(min(chain.stones))
        return int(tactics.read_life(state, place, tactics.LIFE_NODES, self.room))

    def dies(self, chain: Chain) -> bool:
        """Whether a chain that is closed in after the move is dead, or can be killed, and wins no
        race: no chain around it has as few liberties."""
        position = self.after
        beside = {b for stone in chain.stones for b in neighbours(self.size)[stone]}
        enemies = [position.chains[b] for b in beside if position.board[b] == position.colour]
        if any(len(enemy.liberties) <= len(chain.liberties) for enemy in enemies):
            return False
        return self.life(self.state_after, chain) in (tactics.DEAD, tactics.UNSETTLED)

    def settled(self, chains: Sequence[Chain], status: int) -> list[Chain]:
        """The chains, not told of yet, whose life was open and has this status after the move."""
        return [
            chain
            for chain in chains
            if min(chain.stones) not in self.told
            and self.life(self.state_before, chain) == tactics.UNSETTLED
            and self.life(self.state_after, chain) == status
        ]

    def eyes(self, state: NDArray[np.int16]) -> NDArray[np.int8]:
        """Whose real or false eye every point is; see `tactics.mark_eyes`."""
        eyes = np.empty(self.size**2, np.int8)
        tactics.mark_eyes(state, eyes)
        return eyes

    def near(self, colour: int) -> list[Chain]:
        """The chains of a colour that are at most three steps away, and not beside the move."""
        y, x = divmod(self.point, self.size)
        beside = {min(chain.stones) for chain in (*self.friends, *self.enemies)}
        return [
            chain
            for chain in dict.fromkeys(self.before.chains.values())
            if self.before.board[min(chain.stones)] == colour
            and min(chain.stones) not in beside
            and any(abs(s // self.size - y) + abs(s % self.size - x) <= 3 for s in chain.stones)
        ]


# ---- facts; a chain that one tells of is not told of again


def _size(chains: Sequence[Chain]) -> int:
    return sum(len(chain.stones) for chain in chains)


def _captures(deed: _Deed) -> Iterator[Fact]:
    if taken := deed.fresh([chain for chain in deed.enemies if len(chain.liberties) == 1]):
        ko = " in a ko" if deed.after.ko is not None else ""
        yield _size(taken), f"captures {deed.stones(taken)}{ko}"


def _kills(deed: _Deed) -> Iterator[Fact]:
    """Groups whose life was open, and that are dead now."""
    if killed := deed.fresh(deed.settled(deed.enemies, tactics.DEAD)):
        yield _size(killed), f"kills {deed.stones(killed)}"


def _lives(deed: _Deed) -> Iterator[Fact]:
    """Groups whose life was open, and that live now; those in atari are saved from it."""
    free = [chain for chain in deed.friends if len(chain.liberties) > 1]
    if alive := deed.fresh(deed.settled(free, tactics.ALIVE)):
        yield _size(alive), f"makes {deed.stones(alive)} live"


def _saves(deed: _Deed) -> Iterator[Fact]:
    """Chains in atari, or in a ladder, that are in neither after the move, and not dead either."""
    own = deed.after.chains[deed.point]
    if len(own.liberties) < 2 or deed.ladder(deed.state_after, own) or deed.dies(own):
        return
    if saved := deed.fresh([chain for chain in deed.friends if len(chain.liberties) == 1]):
        yield _size(saved), f"saves {deed.stones(saved)} from atari"
    two = [chain for chain in deed.friends if len(chain.liberties) == 2]
    for chain in deed.fresh([chain for chain in two if deed.ladder(deed.state_passed, chain)]):
        what = "a ladder" if deed.is_long(deed.passed, chain) else "capture"
        yield len(chain.stones), f"saves {deed.stones([chain])} from {what}"


def _ataris(deed: _Deed) -> Iterator[Fact]:
    """Chains of the other side in atari; whether they can run, or the stone itself is lost."""
    told = deed.told
    enemies = [chain for chain in deed.enemies if min(chain.stones) not in told]
    in_atari = [chain for chain in enemies if len(chain.liberties) == 2]
    for chain in in_atari:
        if deed.may_run(chain) and deed.ladder(deed.state_after, chain):
            stones = deed.stones(deed.fresh([chain]))
            long = deed.is_long(deed.after, chain)
            yield len(chain.stones), f"captures {stones} in a ladder" if long else f"traps {stones}"
    if left := deed.fresh(in_atari):
        yield _size(left) / 2, f"puts {deed.stones(left)} in atari{deed.but_lost}"


def _nets(deed: _Deed) -> Iterator[Fact]:
    for chain in deed.near(3 - deed.before.colour):
        if min(chain.stones) not in deed.after.chains:
            continue
        may_run = len(chain.liberties) in (2, 3) and not deed.ladder(deed.state_before, chain)
        if may_run and deed.caught(chain):
            yield len(chain.stones), f"catches {deed.stones(deed.fresh([chain]))} in a net"


def _breaks(deed: _Deed) -> Iterator[Fact]:
    """Ladders on own chains that work without the move, and do not with it."""
    mine = deed.before.colour
    for chain in dict.fromkeys(deed.before.chains.values()):
        stone = min(chain.stones)
        if deed.before.board[stone] != mine or len(chain.liberties) != 2:
            continue
        if chain in deed.friends or not deed.ladder(deed.state_passed, chain):
            continue
        if not deed.ladder(deed.state_after, chain) and not deed.dies(deed.after.chains[stone]):
            stones = deed.stones(deed.fresh([chain]))
            long = deed.is_long(deed.passed, chain)
            said = f"breaks the ladder on {stones}" if long else f"saves {stones} from capture"
            yield len(chain.stones), said


def _cuts(deed: _Deed) -> Iterator[Fact]:
    """Chains of the other side that could have been joined at the point, and nowhere else."""
    if len(deed.after.chains[deed.point].liberties) < 2:
        return
    for n, first in enumerate(deed.enemies):
        for second in deed.enemies[n + 1 :]:
            told = deed.told & {min(first.stones), min(second.stones)}
            if first.liberties & second.liberties == {deed.point} and not told:
                deed.fresh([first, second])
                weight = min(_size([first]), _size([second])) / 2
                yield weight, f"cuts {deed.stones([first])} from {deed.stones([second])}"


def _connects(deed: _Deed) -> Iterator[Fact]:
    if len(deed.friends) > 1:
        first, *others = deed.friends
        if len(deed.fresh(deed.friends)) == len(deed.friends):
            weight = min(_size([first]), _size(others)) / 2
            yield weight, f"connects {deed.stones([first])} with {deed.stones(others)}"


def _eyes(deed: _Deed) -> Iterator[Fact]:
    """Real eyes that come up, or that go, beside the move; a stone that is lost takes none."""
    before, after = deed.eyes(deed.state_before), deed.eyes(deed.state_after)
    mine = deed.before.colour
    empty = [p for p in neighbours(deed.size)[deed.point] if not deed.before.board[p]]
    made = [p for p in empty if before[p] != mine == after[p]]
    if made:
        yield 0.5, f"makes an eye at {names(deed.size)[made[0]]}"
    lost = [p for p in range(deed.size**2) if before[p] == 3 - mine and after[p] < 0]
    if lost and not deed.but_lost:
        yield 0.5, f"takes the eye at {names(deed.size)[lost[0]]}"


def _extends(deed: _Deed) -> Iterator[Fact]:
    """A chain that has more liberties with the stone than without it."""
    after = len(deed.after.chains[deed.point].liberties)
    grown = [chain for chain in deed.friends if len(chain.liberties) < after]
    if len(deed.friends) == 1 and grown and (new := deed.fresh(grown)):
        yield 0.5, f"extends {deed.stones(new)}"


def _attaches(deed: _Deed) -> Iterator[Fact]:
    """A stone beside one of the other side, and beside none of its own."""
    if deed.enemies and not deed.friends:
        yield 0.5, f"attaches to {deed.stones(deed.fresh(deed.enemies))}"


def _price(deed: _Deed) -> str:
    """What the move gives up: own chains that could have been saved, and are captured now."""
    mine = deed.before.colour
    given_up = [
        chain
        for chain in dict.fromkeys(deed.before.chains.values())
        if len(chain.stones) >= DEAR
        and deed.before.board[min(chain.stones)] == mine
        and deed.after.chains[min(chain.stones)].stones == chain.stones
        and deed.ladder(deed.state_after, chain)
        and deed.could_be_saved(chain)
    ]
    return f", but gives up {deed.stones(given_up)}" if given_up else ""


_FACTS: tuple[Callable[[_Deed], Iterator[Fact]], ...] = (
    _kills, _lives, _saves, _ataris, _nets, _breaks, _cuts, _connects, _eyes,
)  # fmt: skip
