"""What is learned from games: boards as the side to move sees them, their values, and best moves.

A board's value is a mixture of how the game ended, what the search said of it, and, where a solver
or an endgame table knows it, the truth. Boards on which something has to be captured are left out
where captures must be made, since a search never judges them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Game
from clauseboard.games.symmetries import bit_sources, code_targets, mover_codes
from clauseboard.games.truths import truths
from clauseboard.learning.self_play import OwnGame
from clauseboard.search.board import searching_of

NO_MOVE = -1


@dataclass(frozen=True, eq=False)
class Lessons:
    """Boards in the view "mover", one row each.

    `values` are for the side to move. `moves` are codes in the mover's view, or `NO_MOVE`.
    `games` tells of which game a board is, so that no game is on both sides of a split.
    """

    boards: NDArray[np.uint8]
    values: NDArray[np.float64]
    moves: NDArray[np.int64]
    games: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.boards)

    def where(self, rows: Any) -> Lessons:
        """Some of the boards."""
        return Lessons(self.boards[rows], self.values[rows], self.moves[rows], self.games[rows])


def lessons_of(
    game: Game,
    games: Iterable[OwnGame],
    *,
    result_share: float = 0.5,
    by_solver: bool = False,
    with_moves: bool = False,
) -> Lessons:
    """The boards of some games on which the player chose a move.

    `result_share` is how much the end of the game counts beside the value that the search found.
    With `by_solver` the truth counts alone where it is known, and the best move is the solver's.
    """
    positions: list[Any] = []
    values: list[float] = []
    best: list[Any] = []
    of: list[int] = []
    rules = searching_of(game)
    quiet = _Quiet(game, rules) if getattr(rules, "MUST_CAPTURE", False) else None
    for number, played in enumerate(games):
        position = game.start()
        for n, text in enumerate(played.moves):
            move = position.read_move(text)
            if n >= played.n_given and (quiet is None or quiet(position)):
                positions.append(position)
                values.append(_value(played, position.to_move, n - played.n_given, result_share))
                best.append(move)
                of.append(number)
            position = position.play(move)
    if by_solver:
        _correct(game, positions, values, best)
    codes = np.full(len(positions), NO_MOVE, np.int64)
    if with_moves and rules is not None and positions:
        codes[:] = [rules.code_of(p, move) for p, move in zip(positions, best, strict=True)]
        seconds = np.array([p.to_move == game.colours[1] for p in positions])
        codes[seconds] = mover_codes(game, rules.n_codes(game))[codes[seconds]]
    boards = game.encode(positions, view="mover")
    return Lessons(boards, np.array(values), codes, np.array(of, np.int64))


def with_symmetries(game: Game, lessons: Lessons) -> Lessons:
    """The lessons, and the same for every way in which a board may lie."""
    sources = bit_sources(game)
    if len(sources) == 1:
        return lessons
    rules = searching_of(game)
    n_codes = 0 if rules is None else rules.n_codes(game)
    targets = code_targets(game, n_codes)
    known = lessons.moves != NO_MOVE
    boards, moves = [], []
    for source, target in zip(sources, targets, strict=True):
        boards.append(lessons.boards[:, source])
        turned = lessons.moves.copy()
        turned[known] = target[turned[known]]
        moves.append(turned)
    times = len(sources)
    return Lessons(
        np.concatenate(boards),
        np.tile(lessons.values, times),
        np.concatenate(moves),
        np.tile(lessons.games, times),
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


def _correct(game: Game, positions: list[Any], values: list[float], best: list[Any]) -> None:
    """Put the truth in the place of values, and a good move in that of one that is none."""
    for n, truth in enumerate(truths(game, positions)):
        if truth is None:
            continue
        mover = positions[n].to_move
        values[n] = _result(truth.winner, mover)
        if truth.good_moves and best[n] not in truth.good_moves:
            best[n] = truth.good_moves[(n * 7919) % len(truth.good_moves)]


def _value(played: OwnGame, mover: str, turn: int, result_share: float) -> float:
    result = _result(played.winner, mover)
    return result_share * result + (1 - result_share) * played.values[turn]


def _result(winner: str | None, mover: str) -> float:
    """What an end is worth to the side to move."""
    return 0.0 if winner is None else 1.0 if winner == mover else -1.0


class _Quiet:
    """Whether nothing has to be captured on a board."""

    def __init__(self, game: Game, rules: Any) -> None:
        from clauseboard import compiled  # no kernel is written here, so its cache need not know

        self._board: Any = compiled.specialised("clauseboard.search.board_template", rules)
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
    )
