"""What a move does in Go, checked on the board: it captures, kills, saves, cuts, connects, ...

Ladders, nets and the life of closed groups are read out (`tactics`); the other facts are those of
the chains beside the move, before it and after it.

>>> from clauseboard.game import load_game
>>> position = load_game("go", size=5).read_position("bw.../bw.../...../...../..... white")
>>> line_fact(position, [position.read_move("A3")])
'captures two stones at A5'
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.concepts import listed
from clauseboard.games.go import captures, tactics
from clauseboard.games.go.board import names, neighbours
from clauseboard.games.go.parts import stones_name
from clauseboard.games.go.reading import DEAD, HANGS, read_out
from clauseboard.games.go.rules import Chain, GoMove, GoPosition, score, state_of
from clauseboard.games.vocabulary import in_words

MOST_FACTS = 2
"""So many facts make a sentence."""

DEAR = 2
"""So many stones that a move gives up are its price."""

LONG = 3
"""A chain that runs so many steps before it is captured is in a ladder."""

MOST_COUNTED = 2
"""So many chains are told with the number of stones of each."""

THREATENS = "threatens"
"""How a fact begins that others go before."""

NEAR_STEPS = 3
"""Chains of the other side that are so near to a move are looked at."""

Fact = tuple[float, str]
"""How many stones a fact is about, and the fact; an atari counts half, a threat an eighth, an eye
as half a stone."""


def line_fact(
    position: GoPosition,
    line: Sequence[GoMove],
    most: int = MOST_FACTS,
    doomed: Collection[int] = (),
) -> str | None:
    """What the first move of a line does, as the rest of a sentence; None if it is quiet.

    The `doomed` points have stones that die later on, more often than not.
    """
    after = position.play(line[0])
    if after.outcome() is not None:
        return f"ends the game: {score(after)}"
    if line[0].point is None:
        return None
    deed = _deed(position, line[0].point)
    deed.told, deed.doomed = set(), frozenset(doomed)
    taken = list(_captures(deed))
    facts = [fact for find in _FACTS for fact in find(deed)]
    facts.sort(key=lambda fact: -fact[0])
    told = [*taken, *facts][:most]
    told = told or next(filter(None, (list(find(deed)) for find in _QUIET_FACTS)), [])
    # What is about most stones comes first, and last what has something to add.
    told.sort(key=lambda fact: (", but" in fact[1], fact[1].startswith(THREATENS), -fact[0]))
    said = " and ".join(text for _, text in told)
    return f"{said}{_price(deed)}" or None


def saved_chains(position: GoPosition, move: GoMove) -> list[Chain]:
    """The chains of the side to move that would fall if the other side played, but for the move."""
    return [] if move.point is None else _deed(position, move.point).saved


def caught_chains(position: GoPosition, move: GoMove) -> list[Chain]:
    """The chains of the other side near a move that are lost by it."""
    return [] if move.point is None else _deed(position, move.point).caught


def chains_named(position: GoPosition, chains: Sequence[Chain]) -> str:
    """Chains in words, by the first stone of each: "three stones at C3 and the stone at E5"; more
    than two with their stones counted together."""
    if len(chains) > MOST_COUNTED:
        return stones_name(position, sorted(stone for chain in chains for stone in chain.stones))
    told = []
    for chain in chains:
        n, at = len(chain.stones), names(position.game.size)[min(chain.stones)]
        told.append(f"the stone at {at}" if n == 1 else f"{in_words(n)} stones at {at}")
    return listed(told)


class _Deed:
    """A stone, with the board before it and after it, and the chains that were told of."""

    def __init__(self, before: GoPosition, point: int, after: GoPosition) -> None:
        self.before, self.point, self.after = before, point, after
        self.size = before.game.size
        self.told: set[int] = set()
        self.doomed: frozenset[int] = frozenset()
        beside = neighbours(self.size)[point]
        self.friends = self._chains(beside, before.colour)
        self.enemies = self._chains(beside, 3 - before.colour)
        self.room = tactics.new_room(self.size)
        # A capture in a ko may be taken back after a move elsewhere: nothing is settled by it.
        self.reading, self.reading_after = read_out(before), read_out(replace(after, ko=None))

    def _chains(self, points: Sequence[int], colour: int) -> list[Chain]:
        chains = {self.before.chains[p] for p in points if self.before.board[p] == colour}
        return sorted(chains, key=lambda chain: min(chain.stones))

    def fresh(self, chains: Sequence[Chain]) -> list[Chain]:
        """The chains that were not told of yet; they are from now on."""
        new = [chain for chain in chains if min(chain.stones) not in self.told]
        self.told |= {min(chain.stones) for chain in new}
        return new

    def stones(self, chains: Sequence[Chain]) -> str:
        """Chains in words."""
        return chains_named(self.before, chains)

    def left(self, chain: Chain) -> Chain | None:
        """The chain that stones belong to after the move; None if they were taken."""
        stone = min(chain.stones)
        is_there = self.after.board[stone] == self.before.board[stone]
        return self.after.chains[stone] if is_there else None

    # ---- what is saved, and what is lost by the move

    @cached_property
    def saved(self) -> list[Chain]:
        """Own chains that would fall, or be taken in a ko, if the other side played, and do not
        after the move, whatever the other side answers."""
        found = []
        for chain in self.own:
            fate = self.reading.fate(chain).kind
            in_ko = len(chain.liberties) == 1 and fate not in (DEAD, HANGS)
            if fate != HANGS and not in_ko:
                continue
            left = self.left(chain)
            if left is None or len(chain.liberties) == len(left.liberties) == 1:
                continue
            if not self.reading_after.falls(left, captures.DEEP):
                found.append(chain)
        return found

    @cached_property
    def caught(self) -> list[Chain]:
        """Chains of the other side that could have been saved, and are dead after the move."""
        found = []
        for chain in (*self.enemies, *self.near(3 - self.before.colour)):
            left = self.left(chain)
            in_ko = left is not None and left.liberties == {self.after.ko}
            if left is None or in_ko or self.reading.fate(chain).kind == DEAD:
                continue
            if self.reading_after.fate(left).kind == DEAD:
                found.append(chain)
        return found

    @property
    def own(self) -> list[Chain]:
        """The chains of the side that moves, before the move."""
        chains = dict.fromkeys(self.before.chains.values())
        return [chain for chain in chains if self.reading.colour(chain) == self.before.colour]

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
        """What takes the worth of a threat: the stone is taken, whatever is answered."""
        own = self.after.chains[self.point]
        if not self.reading_after.falls(own):
            return ""
        taken_at = self.reading_after.fate(own).taken_at
        at = "" if taken_at is None else f" at {names(self.size)[taken_at]}"
        return f", but can be taken{at}"

    def is_net(self, chain: Chain) -> bool:
        """Whether a chain of the other side is caught in a net after the move."""
        place = self._place(min(chain.stones))
        return bool(tactics.is_caught(self.state_after, place, self.room))

    def life(self, state: NDArray[np.int16], chain: Chain) -> int:
        """What becomes of a chain that is closed in."""
        place = self._place(min(chain.stones))
        return int(tactics.read_life(state, place, tactics.LIFE_NODES, self.room))

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
            and any(
                abs(s // self.size - y) + abs(s % self.size - x) <= NEAR_STEPS for s in chain.stones
            )
        ]


@lru_cache(maxsize=4)
def _deed(position: GoPosition, point: int) -> _Deed:
    """The latest are remembered: accounts ask several times."""
    return _Deed(position, point, position.play(GoMove(point)))


# ---- facts; a chain that one tells of is not told of again


def _size(chains: Sequence[Chain]) -> int:
    return sum(len(chain.stones) for chain in chains)


def _captures(deed: _Deed) -> Iterator[Fact]:
    if taken := deed.fresh([chain for chain in deed.enemies if len(chain.liberties) == 1]):
        ko = " in a ko" if deed.after.ko is not None else ""
        yield _size(taken), f"captures {deed.stones(taken)}{ko}"


def _catches(deed: _Deed) -> Iterator[Fact]:
    """Chains that are lost by the move: killed, in a ladder, in a net, or with no way out."""
    by_verb: dict[str, list[Chain]] = {}
    for chain in deed.fresh(deed.caught):
        by_verb.setdefault(_how_caught(deed, chain), []).append(chain)
    if _TRAPS in by_verb and _CATCHES in by_verb:  # two words for one thing in a sentence
        by_verb[_CATCHES] = by_verb.pop(_TRAPS) + by_verb[_CATCHES]
    for words, chains in by_verb.items():
        yield _size(chains), words.format(deed.stones(chains))


_TRAPS, _CATCHES = "traps {}", "catches {}"


def _how_caught(deed: _Deed, chain: Chain) -> str:
    """The words around the stones."""
    left = deed.after.chains[min(chain.stones)]
    if deed.reading_after.life(left) == tactics.DEAD and len(left.liberties) > 1:
        return "kills {}"
    if len(left.liberties) == 1 and deed.ladder(deed.state_after, left):
        if not deed.may_run(chain):
            return _TRAPS
        return "captures {} in a ladder" if deed.is_long(deed.after, chain) else _TRAPS
    alone = not any(
        other is not chain and other.liberties & chain.liberties for other in deed.caught
    )
    if alone and chain not in deed.enemies and deed.is_net(chain):
        return "catches {} in a net"
    return _CATCHES


def _saves(deed: _Deed) -> Iterator[Fact]:
    """Chains that would have fallen, in words: from atari, from a ladder, from capture."""
    by_words: dict[str, list[Chain]] = {}
    for chain in deed.fresh(deed.saved):
        moment = " for the moment" if min(chain.stones) in deed.doomed else ""
        by_words.setdefault(_how_saved(deed, chain) + moment, []).append(chain)
    for words, chains in by_words.items():
        yield _size(chains), words.format(deed.stones(chains))


def _how_saved(deed: _Deed, chain: Chain) -> str:
    """The words around the stones."""
    if len(chain.liberties) == 1:
        return "saves {} from atari"
    if deed.reading.life(chain) == tactics.UNSETTLED:
        return "makes {} live"
    if deed.ladder(deed.state_passed, chain) and deed.is_long(deed.passed, chain):
        return "saves {} from a ladder" if chain in deed.friends else "breaks the ladder on {}"
    return "saves {} from capture"


def _ataris(deed: _Deed) -> Iterator[Fact]:
    """Chains of the other side that are in atari and can get out, or whose stones take back."""
    told = deed.told
    in_atari = [
        chain
        for chain in deed.enemies
        if min(chain.stones) not in told and len(chain.liberties) == 2
    ]
    # What was dead before is no threat.
    open_ones = [chain for chain in in_atari if deed.reading.fate(chain).kind != DEAD]
    if left := deed.fresh(open_ones):
        yield _size(left) / 2, f"puts {deed.stones(left)} in atari{deed.but_lost}"


def _threats(deed: _Deed) -> Iterator[Fact]:
    """The largest chain that one more move wins, and did not win before this one, with others that
    fall by the same move."""
    mine = deed.before.colour
    if deed.but_lost:
        return
    threatened: list[tuple[Chain, int]] = []
    for chain in (*deed.enemies, *deed.near(3 - mine)):
        left = deed.left(chain)
        if left is None or min(chain.stones) in deed.told or len(left.liberties) == 1:
            continue
        if deed.reading.captured(chain, mine) or deed.reading_after.fate(left).kind != HANGS:
            continue
        if (next_ := deed.reading_after.won_at(left)) is not None:
            threatened.append((chain, next_))
    if threatened:
        _, at = max(threatened, key=lambda one: (len(one[0].stones), -len(one[0].liberties)))
        new = deed.fresh([chain for chain, next_ in threatened if next_ == at])
        yield _size(new) / 8, f"{THREATENS} {deed.stones(new)} ({names(deed.size)[at]} next)"


def _cuts(deed: _Deed) -> Iterator[Fact]:
    """Chains of the other side that could have been joined at the point, and nowhere else."""
    if len(deed.after.chains[deed.point].liberties) < 2 or deed.but_lost:
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


def _shapes(deed: _Deed) -> Iterator[Fact]:
    """A step from own stones over empty points: diagonal, a jump, a knight's move."""
    y, x = divmod(deed.point, deed.size)
    for words, dy, dx in (("joins {} by a diagonal step", 1, 1), ("jumps from {}", 2, 0),
                          ("makes a knight's move from {}", 2, 1)):  # fmt: skip
        steps = {(s * v, r * u) for v, u in ((dy, dx), (dx, dy)) for s in (1, -1) for r in (1, -1)}
        for v, u in sorted(steps):
            if not (0 <= y + v < deed.size and 0 <= x + u < deed.size):
                continue
            stone = (y + v) * deed.size + x + u
            lo, hi = sorted((y, y + v)), sorted((x, x + u))
            between = {
                row * deed.size + column
                for row in range(lo[0], lo[1] + 1)
                for column in range(hi[0], hi[1] + 1)
            } - {deed.point, stone}
            is_open = not any(deed.before.board[point] for point in between)
            if deed.before.board[stone] == deed.before.colour and is_open:
                yield 0.5, words.format(deed.stones([deed.before.chains[stone]]))
                return


def _price(deed: _Deed) -> str:
    """What the move costs: a double atari, or else own chains that could have been saved, and fall
    now."""
    if fork := _fork(deed):
        return fork
    given_up = []
    for chain in deed.own:
        left = deed.left(chain)
        if left is None or left.stones != chain.stones or len(chain.stones) < DEAR:
            continue
        if deed.reading.fate(chain).kind == HANGS and deed.reading_after.falls(left):
            given_up.append(chain)
    return f", but gives up {deed.stones(given_up)}" if given_up else ""


def _fork(deed: _Deed) -> str:
    """An answer that puts the stone and another own chain in atari, of which only one can be
    saved."""
    after, own = deed.after, deed.after.chains[deed.point]
    if len(own.liberties) != 2:
        return ""
    for other in dict.fromkeys(after.chains.values()):
        is_mine = after.board[min(other.stones)] == deed.before.colour
        if not is_mine or other is own or len(other.liberties) != 2:
            continue
        for point in sorted(own.liberties & other.liberties):
            if after.why_not(GoMove(point)) is None and _loses_one(
                after.play(GoMove(point)), own, other
            ):
                both, who = chains_named(after, [own, other]), after.to_move.capitalize()
                return f", but {who}'s {names(deed.size)[point]} puts {both} in atari together"
    return ""


def _loses_one(position: GoPosition, first: Chain, second: Chain) -> bool:
    """Whether the side to move cannot save both of two chains that are in atari."""
    stones = (min(first.stones), min(second.stones))
    reading = read_out(position)
    for point in reading.saves(*(position.chains[stone] for stone in stones)):
        after = read_out(position.play(GoMove(point)))
        left = [after.position.chains[stone] for stone in stones]
        if not any(after.falls(chain) for chain in left):
            return False
    return True


_FACTS: tuple[Callable[[_Deed], Iterator[Fact]], ...] = (
    _catches, _saves, _ataris, _cuts, _connects, _eyes, _threats,
)  # fmt: skip

_QUIET_FACTS = (_extends, _attaches, _shapes)
"""What is told where nothing else happens: the first that has something to say."""
