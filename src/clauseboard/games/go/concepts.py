"""The concepts of Go: what players of this game count, and how they say it.

`concept_kernels` counts them for searches; `cells` says which points they are about. Chains are
read out (`tactics`), as far as a small search goes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.concepts import Concept, line_sentence, listed, number_word
from clauseboard.games.go import concept_kernels, tactics
from clauseboard.games.go.board import names, neighbours, numbers
from clauseboard.games.go.concept_kernels import (
    BLACK_DISTANCE,
    IS_LOST,
    IS_SAFE,
    IS_THREATENED,
    LEAST_NEAR,
    LITTLE_ROOM_POINTS,
    LIVING,
    NAMES,
    NO_ROOM_POINTS,
    PLACES,
    REGION,
    STATUS,
    STRENGTH,
    WEAK,
    WHITE_DISTANCE,
)
from clauseboard.games.go.parts import stones_name
from clauseboard.games.go.reading import DEAD, Reading, read_out
from clauseboard.games.go.rules import Chain, GoMove, GoPosition, regions, state_of

_LEADS = (1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 25, 30)
_STONES = (1, 2, 3, 4, 6, 8, 12, 16)

CONCEPTS: tuple[Concept, ...] = (
    Concept(
        "open", "board", "has {n} tenths of the board left",
        shared="{n} {tenth|tenths} of the board", levels=(2, 3, 4, 5, 6, 7, 8), context=True,
    ),
    Concept(
        "area", "area", "is nearest to {n} {point|points}, the komi counted",
        ahead="is nearest to {n} more {point|points}, the komi counted", leads=_LEADS, good=1,
    ),
    Concept(
        "influence", "area", "has influence on {n} {point|points}, the komi counted",
        ahead="has influence on {n} more {point|points}, the komi counted", leads=_LEADS, good=1,
    ),
    Concept(
        "likely area", "area", "is likely to keep {n} {point|points}, the komi counted",
        ahead="is likely to keep {n} more {point|points}, the komi counted", leads=_LEADS, good=1,
    ),
    Concept(
        "sure area", "area", "has {n} {point|points} of sure area, the komi counted",
        ahead="has {n} more {point|points} of sure area, the komi counted", leads=_LEADS, good=1,
    ),
    Concept(
        "stones", "stones", "has {n} {stone|stones}", ahead="is {n} {stone|stones} ahead",
        leads=(1, 2, 3, 4, 6, 8, 12), good=1,
    ),
    Concept(
        "atari", "liberties", "has {n} {stone|stones} in atari", none="has no stone in atari",
        levels=_STONES, leads=(1, 2, 4, 8), good=-1,
    ),
    Concept(
        "two liberties", "liberties", "has {n} {stone|stones} with two liberties or fewer",
        none="has no stone with two liberties or fewer", levels=_STONES, leads=(1, 2, 4, 8),
        good=-1,
    ),
    Concept(
        "three liberties", "liberties", "has {n} {stone|stones} with three liberties or fewer",
        levels=_STONES, leads=(1, 2, 4, 8), good=-1,
    ),
    Concept(
        "groups", "groups", "has {n} {group|groups}", ahead="has {n} {group|groups} more",
        levels=(1, 2, 3, 4), leads=(1, 2, 3), good=-1,
    ),
    Concept(
        "no room", "groups", "has {n} {stone|stones} without room for an eye", levels=_STONES,
        leads=(1, 2, 4, 8), good=-1,
    ),
    Concept(
        "little room", "groups", "has {n} {stone|stones} with little room for eyes", levels=_STONES,
        leads=(1, 2, 4, 8), good=-1,
    ),
    Concept(
        "lost", "life", "has {n} lost {stone|stones}", levels=_STONES, leads=(1, 2, 4, 8), good=-1,
    ),
    Concept("threatened", "life", "must save {n} {stone|stones}", levels=(1, 2, 3, 4, 8), good=-1),
    Concept(
        "alive", "life", "has {n} living {stone|stones}", levels=(1, 4, 8, 16), leads=(1, 4, 8, 16),
        good=1,
    ),
    Concept("eyes", "life", "has {n} {eye|eyes}", levels=(1, 2, 3, 4), leads=(1, 2, 3), good=1),
    Concept(
        "cuts", "cuts", "can be cut at {n} {point|points}", levels=(1, 2, 3, 4, 6),
        leads=(1, 2, 3, 4), good=-1,
    ),
    Concept(
        "strong area", "area",
        "is nearest to {n} {point|points} without weak groups, the komi counted",
        ahead="is nearest to {n} more {point|points} without weak groups, the komi counted",
        leads=_LEADS, good=1,
    ),
    Concept(
        "attacked", "groups", "has {n} {stone|stones} in groups weaker than those around them",
        levels=_STONES, leads=(1, 2, 4, 8), good=-1,
    ),
    Concept(
        "sente", "borders", "has {n} sente {threat|threats}",
        ahead="has {n} more sente {threat|threats}", levels=(1, 2, 3, 4, 6), leads=(1, 2, 3, 4),
        good=1,
    ),
    Concept(
        "endgame", "borders", "can gain {n} {point|points} at a border",
        ahead="can gain {n} more {point|points} at a border", levels=(2, 3, 4, 6, 8, 10, 14),
        leads=(1, 2, 3, 4, 6), good=1,
    ),
    Concept(
        "first line", "borders", "has {n} {stone|stones} on the first line",
        ahead="has {n} more {stone|stones} on the first line", levels=(1, 2, 3, 4, 6),
        leads=(1, 2, 3, 4), good=-1,
    ),
    Concept(
        "turn", "turn", "is to move", none="has just moved", fact="it is {side}'s turn",
        context=True, levels=(1,), exact=True, good=1,
    ),
)  # fmt: skip
"""In the order of `concept_kernels.NAMES`.

A chain is lost if it is captured in a ladder, or dead where it is closed in, whoever plays first;
or if the other side, whose turn it is, can bring that about. It is threatened if its own side is to
move and must prevent that. It lives if it cannot be taken though the other side plays first. All is
read by a small search; what is not read stands. Of two chains that touch and are lost unless they
take each other, the one with more liberties stands, or that of the side to move. A point is nearest
to the side whose standing stones are fewer steps away; sure area are standing stones, and points
without any that only one side touches. A group is standing stones joined by each other and by empty
points nearer to them; these points are its room. A side has influence where its standing stones,
halved with each step, outweigh those of the other. The likely area of a group are its points times
how likely it lives: by its strength, its room and the points beside it that are as near to the
other side. Groups of little strength without a living chain are weak; strong area is counted once
they are taken off, the weakest first. A group is attacked if it is weaker than every group of the
other side near it. A sente threat is an empty point at which a stone puts a standing chain in atari
and is not in danger itself. The endgame of a side are the points by which its largest move at a
border moves it, counted by the nearest stone.
"""

assert tuple(concept.name for concept in CONCEPTS) == NAMES


def count(positions: Sequence[GoPosition]) -> NDArray[np.int64]:
    """The numbers of both sides: positions × colours × concepts.

    >>> from clauseboard.game import load_game
    >>> position = load_game("go", size=5).read_position("bw.../bw.../...../...../..... white")
    >>> count([position])[0, :, NAMES.index("atari")].tolist()
    [2, 0]
    """
    if not positions:
        return np.zeros((0, 2, len(NAMES)), np.int64)
    game = positions[0].game
    states = np.stack([state_of(position) for position in positions])
    return concept_kernels.counted(states, round(2 * game.points_for_white), game.size)


# ---- which points a concept speaks of


class _Board:
    """A position as the kernel reads it: what becomes of its chains, and distances."""

    def __init__(self, position: GoPosition) -> None:
        size = position.game.size
        scratch = concept_kernels.new_scratch(size)
        state, counts = state_of(position), np.zeros(2 * len(NAMES), np.int64)
        komi = round(2 * position.game.points_for_white)
        concept_kernels.count_concepts(state, komi, scratch, counts)
        at = [point + point // size + size + 2 for point in range(size * size)]
        rows = scratch[PLACES]
        self.position, self.size = position, size
        self.status = [int(rows[STATUS, place]) for place in at]
        self.distances = [
            [int(rows[row, place]) for place in at] for row in (BLACK_DISTANCE, WHITE_DISTANCE)
        ]
        self.board = bytes(
            0 if status == IS_LOST else stone
            for stone, status in zip(position.board, self.status, strict=True)
        )
        eyes = np.empty(size * size, np.int8)
        tactics.mark_eyes(state, eyes)
        self.eyes = eyes.tolist()
        group = rows[REGION]
        weaker = rows[STRENGTH] < np.minimum(rows[LEAST_NEAR], LIVING)
        self.attacked = [bool(group[place] and weaker[group[place]]) for place in at]
        self.weak = [bool(rows[WEAK, place]) for place in at]
        sides = range(1, 3)
        self.sente = [[concept_kernels.is_sente(state, scratch, p, c) for p in at] for c in sides]
        self.gains = [
            [
                concept_kernels.gain_of(state, scratch, place, colour)
                if concept_kernels.is_border_move(state, scratch, place, colour)
                else 0
                for place in at
            ]
            for colour in sides
        ]

    def with_status(self, status: int, colour: int) -> list[int]:
        """The stones of a colour of which this becomes."""
        stones = enumerate(self.position.board)
        return [p for p, stone in stones if stone == colour and self.status[p] == status]

    def with_liberties(self, most: int, colour: int) -> list[int]:
        """The stones of a colour whose chain has at most so many liberties."""
        chains = self.position.chains
        stones = enumerate(self.position.board)
        return [p for p, s in stones if s == colour and len(chains[p].liberties) <= most]

    def nearest(self, colour: int) -> list[int]:
        """The points without stones that are nearest to a colour."""
        own, other = self.distances[colour - 1], self.distances[2 - colour]
        return [p for p, stone in enumerate(self.board) if not stone and own[p] < other[p]]

    def enclosed(self, colour: int) -> list[int]:
        """The points without standing stones that only a colour touches."""
        areas = [area for owner, area in regions(self.board, self.size) if owner == colour]
        return [point for area in areas for point in area]

    def cramped(self, most: int, colour: int) -> list[int]:
        """The stones of groups that have at most so many points of room, and no living stone."""
        joined = set(self.nearest(colour)) | {p for p, s in enumerate(self.board) if s == colour}
        found: list[int] = []
        while joined:
            group, waiting = set(), [joined.pop()]
            while waiting:
                point = waiting.pop()
                group.add(point)
                for beside in neighbours(self.size)[point]:
                    if beside in joined:
                        joined.remove(beside)
                        waiting.append(beside)
            stones = [p for p in group if self.board[p] == colour]
            if len(group) - len(stones) <= most and all(self.status[p] != IS_SAFE for p in stones):
                found += stones
        return found

    def standing(self, marked: Sequence[bool], colour: int) -> list[int]:
        """The standing stones of a colour that are marked."""
        return [p for p, stone in enumerate(self.board) if stone == colour and marked[p]]

    def first_line(self, colour: int) -> list[int]:
        """The standing stones of a colour on the first line."""
        last = self.size - 1
        edge = [bool({0, last} & set(divmod(p, self.size))) for p in range(self.size**2)]
        return self.standing(edge, colour)

    def largest_moves(self, colour: int) -> list[int]:
        """The points at borders where a move of a colour gains most."""
        gains = self.gains[colour - 1]
        return [p for p, gain in enumerate(gains) if gain == max(gains) > 0]

    def cuts(self, colour: int) -> list[int]:
        """The empty points beside two chains of a colour."""
        chains = self.position.chains
        return [
            p
            for p, stone in enumerate(self.position.board)
            if not stone
            and len({
                chains[b] for b in neighbours(self.size)[p] if self.position.board[b] == colour
            }) > 1
        ]  # fmt: skip


_POINTS: dict[str, Callable[[_Board, int], Iterable[int]]] = {
    "area": _Board.nearest,
    "sure area": _Board.enclosed,
    "atari": lambda board, colour: board.with_liberties(1, colour),
    "two liberties": lambda board, colour: board.with_liberties(2, colour),
    "three liberties": lambda board, colour: board.with_liberties(3, colour),
    "no room": lambda board, colour: board.cramped(NO_ROOM_POINTS, colour),
    "little room": lambda board, colour: board.cramped(LITTLE_ROOM_POINTS, colour),
    "lost": lambda board, colour: board.with_status(IS_LOST, colour),
    "threatened": lambda board, colour: board.with_status(IS_THREATENED, colour),
    "alive": lambda board, colour: board.with_status(IS_SAFE, colour),
    "eyes": lambda board, colour: [p for p, eye in enumerate(board.eyes) if eye == colour],
    "cuts": _Board.cuts,
    "strong area": lambda board, colour: board.standing(board.weak, 3 - colour),
    "attacked": lambda board, colour: board.standing(board.attacked, colour),
    "sente": lambda board, colour: [p for p, is_so in enumerate(board.sente[colour - 1]) if is_so],
    "endgame": _Board.largest_moves,
    "first line": _Board.first_line,
}


@functools.lru_cache(maxsize=8)
def _seen(position: GoPosition) -> _Board:
    return _Board(position)


def cells(position: GoPosition, concept: str, colour: str) -> tuple[str, ...]:
    """The points that a concept speaks of on a position, for one side.

    >>> from clauseboard.game import load_game
    >>> position = load_game("go", size=5).read_position("bw.../bw.../...../...../..... white")
    >>> cells(position, "atari", "black")
    ('A5', 'A4')
    """
    speaks_of = _POINTS.get(concept)
    if speaks_of is None:  # the turn, the number of stones or groups, how much is open
        return ()
    number = position.game.colours.index(colour) + 1
    points = speaks_of(_seen(position), number)
    return tuple(names(position.game.size)[point] for point in sorted(points))


def nearest_sides(position: GoPosition) -> list[int]:
    """Whose each point is by the nearest stone, lost stones taken off: 1 black's, -1 white's."""
    black, white = _seen(position).distances
    return [(b < w) - (w < b) for b, w in zip(black, white, strict=True)]


# ---- sentences

_PLACE = {name: n for n, name in enumerate(NAMES)}
_MOST_NAMED = 3
"""Points that are named; of more, the first is."""


def line_text(
    position: GoPosition,
    line: str,
    side: str,
    ours: NDArray[np.int64],
    theirs: NDArray[np.int64],
) -> str:
    """The sentence of a line that speaks for a side; empty where its numbers do not.

    `ours` and `theirs` have the counts of that side and of the other one.
    """
    other = position.game.other(side)
    if line == "turn":
        return f"it is {side}'s turn" if ours[_PLACE["turn"]] else ""

    def told(concept: Concept, more: str, less: str, n: int, m: int) -> str:
        words, ataris = _SENTENCES.get(concept.name, ""), ""
        if concept.name == "sente":
            wins, stand = (_ataris(position, who) for who in (more, less))
            if len(wins) <= len(stand):
                return ""
            ataris = wins[0]
        more_side, less_side = more.capitalize(), less.capitalize()
        return words.format(
            side=more_side,
            other=less_side,
            n=number_word(n),
            m=number_word(m) if m else "none",
            lead=_lead(more_side, ours, theirs) if "{lead}" in words else "",
            stones=_stones(position, concept.name, more, n) if "{stones}" in words else "",
            is_="is" if n == 1 else "are",
            has="has" if n == 1 else "have",
            where=_where(position, concept.name, more) if "{where}" in words else "",
            atari=ataris,
            lost=_lost_text(position, more) if "{lost}" in words else "",
            off=_taken_off(position) if "{off}" in words else "",
        )

    return line_sentence(CONCEPTS, line, side, other, ours, theirs, told)


_SENTENCES = {
    "atari": "{side}'s {stones} {is_} in atari",
    "two liberties": "{side}'s {stones} {has} two liberties or fewer",
    "three liberties": "{side}'s {stones} {has} three liberties or fewer",
    "groups": "{side} has more groups, counting stones near each other as one: {n}, {other} {m}",
    "no room": "{side}'s {stones} {has} no room for an eye",
    "little room": "{side}'s {stones} {has} little room for eyes",
    "lost": "{lost}",
    "threatened": "{lost}",
    "cuts": "{side} can be cut at more points: {n}, {other} at {m}",
    "area": "{lead}{off}",
    "influence": "{lead}{off}",
    "likely area": "{lead}{off}",
    "sure area": "{lead}{off}",
    "strong area": "{lead}{off}",
    "attacked": "{side}'s {stones} {is_} in groups weaker than those around them",
    "sente": "{side} has more ataris to give{atari}",
    "endgame": (
        "{side}'s largest move near its own stones{where} changes the difference in nearer points "
        "by {n}, {other}'s by {m}"
    ),
    "first line": "{side} has more standing stones on the first line: {n}, {other} {m}",
    "stones": "{side} has {n} stones, {other} {m}",
    "alive": "{side} has {n} living stones, {other} {m}",
    "eyes": "{side} has {n} eyes, {other} {m}",
}
"""What is said of the side that has more of a concept."""

_MEASURES = {
    "area": "counting each point for the nearer side",
    "influence": "by influence",
    "likely area": "by what groups are likely to keep",
    "sure area": "by sure points",
    "strong area": "without weak groups",
}
"""The ways of counting area; several stand behind the votes of one line."""


def _lead(side: str, ours: NDArray[np.int64], theirs: NDArray[np.int64]) -> str:
    """By how many points a side leads: by the nearest stone, if it leads so, and by the way of
    counting in which it leads most."""
    leads = {name: int(ours[_PLACE[name]] - theirs[_PLACE[name]]) for name in _MEASURES}
    ahead = [name for name in _MEASURES if leads[name] > 0]
    first, most = ahead[0], max(ahead, key=leads.__getitem__)
    text = f"{_MEASURES[first]}, {side} leads by {leads[first]} with komi"
    if leads[most] == leads[first]:
        return text
    return f"{text}, and by {leads[most]} {_MEASURES[most]}"


def _taken_off(position: GoPosition) -> str:
    """Which stones the counts of area take off."""
    lost = [name for colour in position.game.colours for name in cells(position, "lost", colour)]
    return f"; {_stones_text(position, lost)} taken off" if lost else ""


def _lost_text(position: GoPosition, colour: str) -> str:
    """The stones of a side that are lost or threatened, told apart by who has to move first."""
    side = colour.capitalize()
    stones = [*cells(position, "lost", colour), *cells(position, "threatened", colour)]
    reading, point = read_out(position), numbers(position.game.size)
    chains = dict.fromkeys(position.chains[point[name]] for name in stones)
    dead: list[str] = []
    open_: list[str] = []
    for chain in chains:
        members = [names(position.game.size)[stone] for stone in chain.stones]
        (dead if reading.fate(chain).kind == DEAD else open_).extend(members)
    told = []
    if dead:
        told.append(f"{side}'s {_bare(position, dead)} {'is' if len(dead) == 1 else 'are'} dead")
    if open_:
        who = _stones_text(position, open_) if told else f"{side}'s {_bare(position, open_)}"
        next_ = "must be saved" if position.to_move == colour else "can be taken next"
        taken_at = {reading.fate(position.chains[point[name]]).taken_at for name in open_}
        told.append(f"{who} {next_}{', one group a move' if len(taken_at) > 1 else ''}")
    return ", and ".join(told)


def _ataris(position: GoPosition, colour: str) -> list[str]:
    """The ataris of a side by stones that stand, on stones that are not dead, in words; those that
    win stones when read out first."""
    size, side = position.game.size, position.game.colours.index(colour) + 1
    turned = position
    if position.colour != side:
        turned = replace(position, to_move=colour, ko=None)
    turned = replace(turned, passes=0)
    now, wins, others = read_out(position), list[str](), list[str]()
    for name in cells(position, "sente", colour):
        point = numbers(size)[name]
        if turned.why_not(GoMove(point)) is not None:
            continue
        after = read_out(turned.play(GoMove(point)))
        targets = {
            position.chains[beside]
            for beside in neighbours(size)[point]
            if position.board[beside] == 3 - side
        }
        targets = {chain for chain in targets if _may_be_in_atari(now, chain)}
        if not targets or after.falls(after.position.chains[point]):
            continue
        taken = [chain for chain in targets if _is_gone(after, chain)]
        if taken:
            chain = max(taken, key=lambda one: (len(one.stones), -min(one.stones)))
            members = [names(size)[stone] for stone in sorted(chain.stones)]
            wins.append(f"; {name} would win {_stones_text(position, members)}")
        else:
            others.append(f", such as {name}")
    return wins + others


def _may_be_in_atari(now: Reading, chain: Chain) -> bool:
    """Whether a chain that is not dead has two liberties, stones beside it that are dead or taken
    off counted as such."""
    if len(chain.liberties) != 2 or now.fate(chain).kind == DEAD:
        return False
    owner = now.position.game.colours[2 - now.colour(chain)]
    off = {numbers(now.size)[name] for name in cells(now.position, "lost", owner)}
    beside = now.around([chain])
    return not any(now.fate(one).kind == DEAD or off & one.stones for one in beside)


def _is_gone(after: Reading, chain: Chain) -> bool:
    """Whether a chain of an earlier board was taken, or is dead."""
    left = after.position.chains.get(min(chain.stones))
    return left is None or after.fate(left).kind == DEAD


def _where(position: GoPosition, concept: str, colour: str) -> str:
    """The points of a concept in brackets, after a space: " (C3 and C4)", " (such as C3)"."""
    where = cells(position, concept, colour)
    if not where:
        return ""
    return f" ({listed(where) if len(where) <= _MOST_NAMED else f'such as {where[0]}'})"


def _stones(position: GoPosition, concept: str, colour: str, n: int) -> str:
    """The stones of a concept in words."""
    where = cells(position, concept, colour)
    return _bare(position, where) if where else "stones"


def _bare(position: GoPosition, where: Iterable[str]) -> str:
    """Stones in words, by the first one of each chain: "nine stones at C3 and E5"."""
    point = numbers(position.game.size)
    return stones_name(position, sorted(point[name] for name in where))


def _stones_text(position: GoPosition, where: Iterable[str]) -> str:
    """The same as the object of a sentence: "the stone at C3"."""
    text = _bare(position, where)
    return f"the {text}" if text.startswith("stone at") else text
