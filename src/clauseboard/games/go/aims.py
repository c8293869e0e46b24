"""What a move of Go is for, in a sentence: what it does on the board, and in random games.

The move is held against the next best one, on the board and by the random games after both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from clauseboard.explanation import percent
from clauseboard.games.concepts import number_word
from clauseboard.games.go.board import names, neighbours
from clauseboard.games.go.line_facts import caught_chains, chains_named, line_fact, saved_chains
from clauseboard.games.go.parts import (
    at_place,
    connected,
    groups,
    is_small,
    place_name,
    side_name,
    stones_name,
    whose,
)
from clauseboard.games.go.reading import DEAD, HANGS, LIVES, Fate, Reading, read_out
from clauseboard.games.go.rules import BLACK, Chain, GoMove, GoPosition, score
from clauseboard.games.go.settling import clear_dead, is_settled

ENOUGH = 100
"""Random games without which nothing is said of a move."""
CHANGED = 0.16
"""How much more, from -1 to 1, points must end as the mover's: eight games in a hundred."""
HELD, LEANING, DIES = 0.5, 0.15, -0.4
"""With this much an area is a side's, or leans to it; with this much the stone that is played
dies."""
QUIET = ("extends ", "attaches ", "joins ", "jumps ", "makes a knight's move ")
"""How facts begin that say little of what a move is for."""
GAIN, BESIDE = 1.0, 4.0
"""Points that a move must gain in an area; and to be told beside what it does at once."""
AHEAD = 10
"""So many points ahead are told of a side whose stone dies for nothing."""
FEWEST_NEARER = 3
"""Points that must come nearer to a side to be told."""
MOST_LETTERS = 150
"""What is said at most, so that a headline has room for the name of the move."""
OTHERS = "other moves"
"""What a move is held against where no other was looked at enough."""


def aim(
    position: GoPosition,
    move: GoMove,
    owners: Sequence[int],
    others: Sequence[int],
    rival: str = OTHERS,
) -> str:
    """What a move is for, as the rest of a sentence: what it does, and random games come to.

    They are held against those after `others`, the other moves that were looked at, or the `rival`
    alone. They say nothing where they are few, and little beside what the stone does at once.
    """
    if move.point is None:
        return _pass_aim(position, move, owners)
    if not others or min(owners[-1], others[-1]) < ENOUGH:
        return ""
    after, elsewhere = ([count / all_[-1] for count in all_[:-1]] for all_ in (owners, others))
    own = after[move.point] if position.colour == BLACK else -after[move.point]
    end = f", but dies in {percent((1 - own) / 2)} of the games" if own <= DIES else ""
    fact = _shortest(position, move, MOST_LETTERS - len(end), after)
    is_quiet = not fact or fact.startswith(QUIET)
    if end and is_quiet and _is_in_vain(position, move):
        return _in_vain(position, fact, end, after)
    said, gain, stones = _gain(position, move, after, elsewhere, rival)
    if stones and ("gives up" in fact or (stones in fact and not is_quiet)):
        said = ""
    if is_quiet:
        what = " and ".join(filter(None, (fact, "" if said else _nearer(position, move))))
        alike = f"is worth as much as {rival}" if abs(sum(after) - sum(elsewhere)) < GAIN else ""
        both = ", and ".join(filter(None, (what, said or alike)))
        fits = [text for text in (both, said) if len(text + end) <= MOST_LETTERS]
        parts = [next(iter(fits), what)]
    else:
        parts = [fact, f", and {said}"] if said and gain >= BESIDE else [fact]
    told = parts[0] if not parts[0] or "can be taken" in parts[0] else parts[0] + end
    if rival != OTHERS:
        parts += _against(position, move, rival, " and " in told or ", but" in told)
    for part in parts[1:]:
        if told and len(told + part) <= MOST_LETTERS:
            told += part
    return told


def _shortest(position: GoPosition, move: GoMove, room: int, after: Sequence[float]) -> str:
    """What a move does on the board: two facts, or one if they are too long."""
    sign = 1 if position.colour == BLACK else -1
    doomed = [point for point, share in enumerate(after) if sign * share < 0]
    fact = line_fact(position, [move], doomed=doomed) or ""
    return fact if len(fact) <= room else line_fact(position, [move], 1, doomed) or ""


def _is_in_vain(position: GoPosition, move: GoMove) -> bool:
    """Whether a stone can be taken, and its side wins nothing by it though it plays once more."""
    before, after = read_out(position), read_out(position.play(move))
    if not after.falls(after.position.chains[move.point or 0]):
        return False
    return not any(
        _can_be_won(after, chain) and not _can_be_won(before, position.chains[min(chain.stones)])
        for chain in dict.fromkeys(after.position.chains.values())
        if after.colour(chain) != position.colour
    )


def _can_be_won(reading: Reading, chain: Chain) -> bool:
    """Whether the other side takes or kills a chain, if it plays first."""
    taken = reading.captured(chain, 3 - reading.colour(chain))
    return taken or reading.fate(chain).kind in (DEAD, HANGS)


def _in_vain(position: GoPosition, fact: str, end: str, after: Sequence[float]) -> str:
    """What is said of a stone that dies and threatens nothing."""
    white = position.game.points_for_white
    lead = sum(after) - white if position.colour == BLACK else white - sum(after)
    told = f"{fact}{end if fact else end.removeprefix(', but ')} and threatens nothing"
    if lead < AHEAD:
        return told
    return f"{told}; {side_name(position, position.colour)} is {round(lead)} points ahead anyway"


def _gain(
    position: GoPosition,
    move: GoMove,
    after: Sequence[float],
    elsewhere: Sequence[float],
    rival: str,
) -> tuple[str, float, str]:
    """Where a move gains most, and how much; and the stones, if it gains by them."""
    sign = 1 if position.colour == BLACK else -1
    gained = [sign * (first - second) for first, second in zip(after, elsewhere, strict=True)]
    reading = read_out(position.play(move))
    board = reading.position

    def gain(points: Collection[int]) -> float:
        return sum(gained[point] for point in points)

    def kind(chain: Chain) -> bool | None:
        """Chains that live more often, or less, and of which nothing is certain."""
        settled = reading.fate(chain).kind in (DEAD, LIVES) or move.point in chain.stones
        return None if settled or gain(chain.stones) < CHANGED * len(chain.stones) else True

    size, named = position.game.size, rival if rival == OTHERS else f"{rival}, the next best move"
    if found := [group for group, _ in groups(board, kind) if gain(group) >= GAIN]:
        group = max(found, key=gain)
        side = 1 if board.board[group[0]] == BLACK else -1
        verb, living = "helps", "which survives" if len(group) == 1 else "which survive"
        if board.board[group[0]] != position.colour:
            chains = {board.chains[stone] for stone in group}
            near = [chain for chain in chains if move.point in _beside(position, chain)]
            verb = "presses" if any(_can_be_won(reading, chain) for chain in near) else "leaves"
            living = living if verb == "presses" else "surviving"
        now, then = (
            percent((1 + side * sum(shares[p] for p in group) / len(group)) / 2)
            for shares in (after, elsewhere)
        )
        comma = "" if living == "surviving" else ","
        said = f"{verb} {whose(board, group)}{comma} {living} in {now} of the games, and in {then}"
        return f"{said} after {named}", gain(group), stones_name(board, group)
    better = {point for point, more in enumerate(gained) if more >= CHANGED}
    mine = {point for point in better if sign * after[point] >= LEANING}
    # Where the move gains points that end as its side's, they are named; else all that it gains.
    for points in (mine, better):
        area = max(connected(points, size), key=gain, default=())
        if gain(area) >= GAIN:
            break
    else:
        return "", 0.0, ""
    now_, then_ = (sign * sum(shares[p] for p in area) / len(area) for shares in (after, elsewhere))
    verb = _verb_for(now_, then_)
    place = f"{'the points ' * is_small(area, size)}{place_name(area, size)}"
    if verb.endswith("prospects"):
        place = at_place(place_name(area, size))
    n = round(gain(area))
    more = f"{n} {'point' if n == 1 else 'points'} more than after {named}"
    return f"{verb} {place}: {more}", gain(area), ""


def _verb_for(now: float, then: float) -> str:
    """What a move does with an area, of which so much is its side's after it, and after others."""
    if now >= HELD:
        return "secures" if then >= LEANING else "takes"
    if now >= LEANING:
        return "improves its prospects" if then >= LEANING else "gets the better prospects"
    return "reduces" if now < 0 and then <= -LEANING else "fights for"


# ---- on the board


def _against(position: GoPosition, move: GoMove, rival: str, names_stones: bool) -> Iterator[str]:
    """What the rival does not do: stones that fall, or get away, after it; stones that it tries to
    save in vain."""
    rivals_move = position.read_move(rival)
    if rivals_move.point is None:
        return
    before, other = read_out(position), read_out(position.play(rivals_move))
    tried = [
        chain
        for chain in dict.fromkeys(position.chains.values())
        if before.colour(chain) == position.colour
        and rivals_move.point in _beside(position, chain)
        and before.fate(chain).kind == DEAD
    ]
    if tried:
        yield f"; {rival} does not save {_largest(position, tried)}"
        return
    saved, caught = saved_chains(position, move), caught_chains(position, move)

    def named(chains: list[Chain], one: str, more: str) -> str:
        """A pronoun for the only chain that is told of, and else the stones of the largest."""
        if names_stones or len(saved) + len(caught) > 1:
            return _largest(position, chains)
        return one if len(chains[0].stones) == 1 else more

    lost = [chain for chain in saved if _fate_there(other, chain).kind == HANGS]
    if lost:
        them = named(lost, "it", "them")
        largest = max(lost, key=_size)
        point = _fate_there(other, largest).taken_at or 0
        takes = "capture" if _takes(other.position, largest, point) else "catch"
        yield f"; after {rival}, {names(position.game.size)[point]} would {takes} {them}"
        return
    free = [chain for chain in caught if _fate_there(other, chain).kind != DEAD]
    if free:
        they = named(free, "it", "they")
        yield f"; after {rival}, {they} could be saved"


def _size(chain: Chain) -> int:
    return len(chain.stones)


def _largest(position: GoPosition, chains: Sequence[Chain]) -> str:
    return chains_named(position, [max(chains, key=_size)])


def _fate_there(other: Reading, chain: Chain) -> Fate:
    """What becomes of a chain on another board; of one that was taken there, it is dead."""
    there = other.position.chains.get(min(chain.stones))
    return other.fate(there) if there is not None and chain.stones <= there.stones else Fate(DEAD)


def _takes(position: GoPosition, chain: Chain, point: int) -> bool:
    """Whether a point takes a chain of an earlier board off at once."""
    there = position.chains.get(min(chain.stones))
    return there is not None and there.liberties == {point}


def _beside(position: GoPosition, chain: Chain) -> set[int]:
    """The liberties of a chain, and the empty points beside them."""
    size = position.game.size
    near = {b for point in chain.liberties for b in neighbours(size)[point]}
    return {*chain.liberties, *(point for point in near if not position.board[point])}


def _nearer(position: GoPosition, move: GoMove) -> str:
    """How many points come nearer to the side that moves than to the other, in one area."""
    size, colour = position.game.size, position.colour
    board = bytearray(position.board)
    before = _distances(position.board, colour, size)
    board[move.point or 0] = colour
    after = _distances(bytes(board), colour, size)
    other = _distances(position.board, 3 - colour, size)
    gained = {
        p for p, stone in enumerate(position.board)
        if not stone and before[p] >= other[p] > after[p]
    }  # fmt: skip
    area = max(connected(gained, size), key=len, default=())
    if len(area) < FEWEST_NEARER:
        return ""
    where = at_place(place_name(area, size))
    mine, theirs = (side_name(position, side) for side in (colour, 3 - colour))
    return f"brings {number_word(len(area))} points {where} nearer to {mine} than to {theirs}"


def _distances(board: bytes, colour: int, size: int) -> list[int]:
    """How many steps over empty points every point is from the stones of a colour."""
    far = size * size
    steps = [0 if stone == colour else far for stone in board]
    waiting = [point for point, stone in enumerate(board) if stone == colour]
    for point in waiting:
        for beside in neighbours(size)[point]:
            if not board[beside] and steps[beside] == far:
                steps[beside] = steps[point] + 1
                waiting.append(beside)
    return steps


def _pass_aim(position: GoPosition, move: GoMove, owners: Sequence[int]) -> str:
    """What a pass says: how the game ends, dead stones taken off, or that nothing is open."""
    dead = clear_dead(position, owners)
    if dead is None:
        return ""
    if position.play(move).outcome() is None:
        settled = is_settled(position, owners)
        return "gives nothing away: every stone and every border is settled" if settled else ""
    count = score(position, dead)
    ends = "the game is drawn"
    if count.winner is not None:
        ends = f"{count.winner.capitalize()} wins by {abs(count.margin):g} points"
    off = f"{number_word(len(dead))} dead {'stone' if len(dead) == 1 else 'stones'} taken off"
    return f"ends the game: {ends}, {off}" if dead else f"ends the game: {ends}"
