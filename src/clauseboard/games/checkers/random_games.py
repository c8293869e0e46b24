"""Whole random games of checkers, in plain Python on words.

They are the games that two random players play move by move, with the same choices and in the same
notation, but several times as fast: a thousand of them are over before kernels would be loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clauseboard.game import Outcome
from clauseboard.games.checkers.board import BLACK, CROWNS, EVERY, SQUARE, WHITE
from clauseboard.games.checkers.rules import CheckersPosition

Pick = Callable[[int], int]
"""Told how many moves there are, picks one by its place in `position.moves()`."""

Jump = tuple[int, int, int, tuple[int, ...]]
"""The words of the squares where a jump starts and ends and of what it takes, and its path."""

STEPS = {(a, b): f"{SQUARE[a]}-{SQUARE[b]}" for a in SQUARE for b in SQUARE}
"""Steps as text, by the words of their two squares."""


def random_game(
    position: CheckersPosition, picks: Sequence[Pick], most_moves: int
) -> tuple[list[str], Outcome | None]:
    """Play to the end: the moves as text, and how the game ended; None if `most_moves` are made.

    `picks` are black's and white's.

    >>> from clauseboard.game import load_game
    >>> random_game(load_game("checkers").start(), (lambda n: 0, lambda n: n - 1), 4)
    (['9-13', '24-20', '5-9', '28-24'], None)
    """
    game = position.game
    black, white, kings = position.board
    is_black, quiet, played = position.to_move == BLACK, position.quiet, position.played
    history = list(position.history)
    most_quiet, most_played, most_times = game.quiet_moves, game.max_moves, game.repetitions
    texts: list[str] = []
    while True:
        if is_black:
            colour, ours, theirs, rising, falling = BLACK, black, white, black, black & kings
        else:
            colour, ours, theirs, rising, falling = WHITE, white, black, white & kings, white
        empty = EVERY & ~(black | white)
        # What `board.jumpers` says, without the call: this is done for every move.
        jumping = (rising & ((theirs >> 4 & empty >> 8) | (theirs >> 5 & empty >> 10))) | (
            falling and falling & ((theirs << 4 & empty << 8) | (theirs << 5 & empty << 10))
        )
        if jumping:
            jumps = jumps_of(jumping, rising, falling, theirs, empty)
            n_moves = len(jumps)
        else:
            up_5, up_4 = falling & (empty << 5), falling & (empty << 4)
            down_4, down_5 = rising & (empty >> 4), rising & (empty >> 5)
            n_moves = up_5.bit_count() + up_4.bit_count() + down_4.bit_count() + down_5.bit_count()
        if (
            not n_moves
            or not theirs
            or len(texts) == most_moves
            or (most_quiet is not None and quiet >= 2 * most_quiet)
            or (most_played is not None and played >= most_played)
            or (
                history
                and most_times
                and history[-2::-2].count((black, white, kings)) + 1 >= most_times
            )
        ):
            last = CheckersPosition(
                game, black, white, kings, colour, quiet, played, tuple(history)
            )
            return texts, last.outcome()
        chosen = picks[not is_black](n_moves)
        if jumping:
            start, end, taken, _ = jumps[chosen]
            texts.append(_written(jumps, chosen))
        else:
            taken = 0
            start, end = _step(chosen, up_5, up_4, down_4, down_5)
            texts.append(STEPS[start, end])
        board = black, white, kings
        king = kings & start
        kings &= ~(start | taken)
        if king or end & CROWNS[colour]:
            kings |= end
        if taken or not king:
            quiet = 0
            history.clear()
        else:
            quiet += 1 if most_quiet is not None else 0
            if most_times is not None:
                history.append(board)
        ours, theirs = ours ^ start | end, theirs & ~taken
        black, white = (ours, theirs) if is_black else (theirs, ours)
        if most_played is not None:
            played += 1
        is_black = not is_black


def _step(chosen: int, up_5: int, up_4: int, down_4: int, down_5: int) -> tuple[int, int]:
    """The words of the start and the end of a step, by its place in the order of moves.

    The pieces that can go each of the four ways are given; moves are ordered by start, then end.
    """
    movers = up_5 | up_4 | down_4 | down_5
    while True:
        piece = movers & -movers
        movers ^= piece
        if piece & up_5:
            if not chosen:
                return piece, piece >> 5
            chosen -= 1
        if piece & up_4:
            if not chosen:
                return piece, piece >> 4
            chosen -= 1
        if piece & down_4:
            if not chosen:
                return piece, piece << 4
            chosen -= 1
        if piece & down_5:
            if not chosen:
                return piece, piece << 5
            chosen -= 1


def jumps_of(jumping: int, rising: int, falling: int, theirs: int, empty: int) -> list[Jump]:
    """The jumps in the order of moves: by their paths; of those round a ring, the first."""
    found: dict[tuple[int, int, int], Jump] = {}
    while jumping:
        start = jumping & -jumping
        jumping ^= start
        landings = empty | start
        down, up = start & rising, start & falling
        waiting: list[Jump] = [(start, start, 0, (start,))]
        while waiting:
            jump = waiting.pop()
            _, at, taken, path = jump
            left, before = theirs & ~taken, len(waiting)
            # The last to be put there is the first to be followed: the least square.
            if down:
                if (over := at << 5 & left) and (to := over << 5 & landings):
                    waiting.append((start, to, taken | over, (*path, to)))
                if (over := at << 4 & left) and (to := over << 4 & landings):
                    waiting.append((start, to, taken | over, (*path, to)))
            if up:
                if (over := at >> 4 & left) and (to := over >> 4 & landings):
                    waiting.append((start, to, taken | over, (*path, to)))
                if (over := at >> 5 & left) and (to := over >> 5 & landings):
                    waiting.append((start, to, taken | over, (*path, to)))
            if len(waiting) == before:
                found.setdefault((start, at, taken), jump)
    return list(found.values())


def _written(jumps: list[Jump], chosen: int) -> str:
    """A jump as text: its ends, or its whole path where another has the same ends."""
    start, end, _, path = jumps[chosen]
    alike = sum(jump[0] == start and jump[1] == end for jump in jumps)
    return "x".join(str(SQUARE[word]) for word in (path if alike > 1 else (start, end)))
