"""What is learned from games: boards as the side to move sees them, their values, and best moves.

A board's value is a mixture of how the game ended, what the search said of it, and, where a solver
or an endgame table knows it, the truth. Boards on which something has to be captured are left out
where captures must be made, since a search never judges them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Game
from clauseboard.games.solving import truths
from clauseboard.games.symmetries import bit_sources, code_targets, mover_codes
from clauseboard.search.board import compiled_rules_of
from clauseboard.selfplay.self_play import OwnGame

NO_MOVE = -1


@dataclass(frozen=True, eq=False)
class Lessons:
    """Boards in the view "mover", one row each.

    `values` are for the side to move. `moves` are codes in the mover's view, or `NO_MOVE`.
    `games` tells of which game a board is, so that no game is on both sides of a split. `good` has
    a column for each code: whether that move is as good as the one in `moves`; nothing of `good`
    is known where there are no columns.
    """

    boards: NDArray[np.uint8]
    values: NDArray[np.float64]
    moves: NDArray[np.int64]
    games: NDArray[np.int64]
    good: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.boards)

    def where(self, rows: Any) -> Lessons:
        """Some of the boards."""
        return Lessons(*(part[rows] for part in self.parts()))

    def parts(self) -> tuple[NDArray[Any], ...]:
        """The arrays, in the order of the fields."""
        return self.boards, self.values, self.moves, self.games, self.good


def lessons_of(
    game: Game,
    games: Iterable[OwnGame],
    *,
    result_share: float = 0.5,
    odds: float = 0.0,
    by_solver: bool = False,
    with_moves: bool = False,
    asides: int = 0,
    seed: int = 0,
) -> Lessons:
    """The boards of some games on which the player chose a move.

    `result_share` is how much the end of the game counts beside the value that the search found.
    With `odds` such a value is taken for odds and not for a chance: this is the logarithm of those
    that a value of 1 means.
    With `by_solver` the truth counts alone where it is known; where the move does not win, or was
    drawn instead of chosen, all that win are good. Else a drawn move is no lesson. `asides` are
    boards beside each game, of which the truth is known, see `boards_beside`; `seed` draws them.
    """
    if asides and not by_solver:
        raise ValueError(f"asides={asides!r} are boards whose truth is told: set by_solver=True.")
    positions: list[Any] = []
    values: list[float] = []
    best: list[tuple[Any, ...]] = []
    of: list[int] = []
    rules = compiled_rules_of(game)
    quiet = _Quiet(game, rules) if getattr(rules, "MUST_CAPTURE", False) else None
    for number, played in enumerate(games):
        position = game.start()
        for n, text in enumerate(played.moves):
            move = position.read_move(text)
            if n >= played.n_given and (quiet is None or quiet(position)):
                positions.append(position)
                said = _chance(played.values[n - played.n_given], odds)
                ended = _result(played.winner, position.to_move)
                values.append(result_share * ended + (1 - result_share) * said)
                best.append(() if n - played.n_given in played.astray else (move,))
                of.append(number)
            position = position.play(move)
        for aside in boards_beside(game, played, asides, random.Random(f"{seed} {number}")):
            if quiet is None or quiet(aside):
                positions.append(aside)
                values.append(np.nan)
                best.append(())
                of.append(number)
    if by_solver:
        _correct(game, positions, values, best)
    codes = np.full(len(positions), NO_MOVE, np.int64)
    good = np.zeros((len(positions), 0), np.bool_)
    if with_moves and rules is not None and positions:
        good = np.zeros((len(positions), rules.n_codes(game)), np.bool_)
        for row, (position, moves) in enumerate(zip(positions, best, strict=True)):
            found = [rules.code_of(position, move) for move in moves]
            if found:
                codes[row], good[row, found] = found[0], True
        seen = mover_codes(game, rules.n_codes(game))
        seconds = np.array([p.to_move == game.colours[1] for p in positions])
        good[seconds] = good[seconds][:, np.argsort(seen)]
        seconds &= codes != NO_MOVE
        codes[seconds] = seen[codes[seconds]]
    boards = game.encode(positions, view="mover")
    lessons = Lessons(boards, np.array(values), codes, np.array(of, np.int64), good)
    return lessons.where(~np.isnan(lessons.values)) if asides else lessons


def boards_beside(game: Game, played: OwnGame, n: int, draws: random.Random) -> Iterator[Any]:
    """Some boards that a search may have looked at: a move or two off the way of a game.

    They are drawn from the later two thirds of a game, whose boards a solver knows at once; the
    first move is one that was weighed there as often as not.
    """
    way = [game.start()]
    for text in played.moves:
        way.append(way[-1].play(way[-1].read_move(text)))
    first = max(played.n_given, len(played.moves) // 3)
    for _ in range(n if first < len(played.moves) else 0):
        turn = draws.randrange(first, len(played.moves))
        position, counts = way[turn], played.counts[turn - played.n_given]
        move = draws.choice(position.moves())
        if counts and draws.random() < 0.5:
            move = position.moves()[draws.choice(counts)[0]]
        position = position.play(move)
        if draws.random() < 0.5 and position.outcome() is None:
            position = position.play(draws.choice(position.moves()))
        if position.outcome() is None:
            yield position


def with_symmetries(game: Game, lessons: Lessons) -> Lessons:
    """The lessons, and the same for every way in which a board may lie."""
    sources = bit_sources(game)
    if len(sources) == 1:
        return lessons
    rules = compiled_rules_of(game)
    n_codes = 0 if rules is None else rules.n_codes(game)
    targets = code_targets(game, n_codes)
    known = lessons.moves != NO_MOVE
    boards, moves, good = [], [], []
    for source, target in zip(sources, targets, strict=True):
        boards.append(lessons.boards[:, source])
        turned = lessons.moves.copy()
        turned[known] = target[turned[known]]
        moves.append(turned)
        good.append(lessons.good[:, np.argsort(target)] if lessons.good.size else lessons.good)
    times = len(sources)
    return Lessons(
        np.concatenate(boards),
        np.tile(lessons.values, times),
        np.concatenate(moves),
        np.tile(lessons.games, times),
        np.concatenate(good),
    )


def with_fewer_draws(lessons: Lessons, share: float, seed: int) -> Lessons:
    """The lessons, but of those that are worth exactly 0 only some, drawn at random."""
    drawn = np.random.default_rng(seed).random(len(lessons)) < share
    return lessons.where((lessons.values != 0) | drawn)


def held_back(lessons: Lessons, share: float, seed: int) -> tuple[Lessons, Lessons]:
    """Lessons to learn from, and those of some other games to be tested on."""
    names = np.unique(lessons.games)
    drawn = np.random.default_rng(seed).permutation(names)
    held = np.isin(lessons.games, drawn[: int(share * len(drawn))])
    return lessons.where(~held), lessons.where(held)


def _correct(
    game: Game, positions: list[Any], values: list[float], best: list[tuple[Any, ...]]
) -> None:
    """Put the truth in the place of values, and all good moves in that of one that is not good.

    One that is good stays by itself: who chose it had reasons to prefer it. Of several the first is
    drawn by the number of the board.
    """
    for n, truth in enumerate(truths(game, positions)):
        if truth is None:
            continue
        mover = positions[n].to_move
        values[n] = _result(truth.winner, mover)
        moves = truth.good_moves
        if moves and not set(best[n]) & set(moves):
            first = (n * 7919) % len(moves)
            best[n] = (*moves[first:], *moves[:first])


def _chance(value: float, odds: float) -> float:
    """What a search said of a board, as twice the chance of a win less one."""
    return math.tanh(odds * value / 2) if odds else value


def _result(winner: str | None, mover: str) -> float:
    """What an end is worth to the side to move."""
    return 0.0 if winner is None else 1.0 if winner == mover else -1.0


class _Quiet:
    """Whether nothing has to be captured on a board."""

    def __init__(self, game: Game, rules: Any) -> None:
        from clauseboard.kernels import compiler

        self._board: Any = compiler.specialised("clauseboard.search.board_template", rules)
        self._rules = rules
        self._settings, self._scratch = rules.settings_of(game), rules.new_scratch(game)
        self._codes = np.zeros(rules.most_moves(game), np.int64)

    def __call__(self, position: Any) -> bool:
        state = self._rules.state_of(position)
        return bool(self._board.is_quiet(state, self._settings, self._scratch, self._codes))


def joined(parts: Sequence[Lessons]) -> Lessons:
    """Lessons of several runs of games; a game's number stays its own."""
    shift, games = 0, []
    for part in parts:
        games.append(part.games + shift)
        shift += int(part.games.max(initial=-1)) + 1
    return Lessons(
        np.concatenate([part.boards for part in parts]),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.moves for part in parts]),
        np.concatenate(games),
        np.concatenate([part.good for part in parts]),
    )
