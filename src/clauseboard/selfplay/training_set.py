"""What is learned from games: boards as the side to move sees them, their values, and best moves.

The value of a board mixes how the game ended, the value that the search found, and, where a solver
or an endgame table knows it, the truth. Boards on which something has to be captured are left out
where captures are compulsory, since a search never evaluates them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import sides_of
from clauseboard.game import Game, Move, Position
from clauseboard.games.concepts import bits_of_counts, concept_bits
from clauseboard.games.plugins import CONCEPTS, CompiledRulesPlugin
from clauseboard.games.solving import truths
from clauseboard.games.squares import bit_sources, code_targets, mover_codes
from clauseboard.learners.tsetlin.concept_evaluator import known_winner
from clauseboard.search.compiled_rules import MoveFeatures, compiled_rules_of, move_features_of
from clauseboard.selfplay.games import SelfPlayGame, VisitCounts
from clauseboard.selfplay.settings import check_off_path

CompiledRules = CompiledRulesPlugin[Game, Position, Move]

NO_MOVE = -1

OTHER_MOVES = 15
"""Moves of a board, besides those that a search visited, that are learned from."""

DECIDED = 0.95
"""Moves are not learned on boards whose value is beyond this, either way: where every move wins or
loses, the chosen one says nothing."""


# ---- boards


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """Boards in the view "mover", one row each.

    `values` are for the side to move. `moves` are codes in the mover's view, or `NO_MOVE`. `games`
    has the number of each board's game, so that no game is on both sides of a split. `good` has a
    column for each code: whether that move is as good as the one in `moves`; without columns
    nothing is known of other good moves. Machines over concepts see each board twice: `boards` has
    the bits of its concepts for the side to move, and `others` for the other side.
    """

    boards: NDArray[np.uint8]
    values: NDArray[np.float64]
    moves: NDArray[np.int64]
    games: NDArray[np.int64]
    good: NDArray[np.bool_]
    others: NDArray[np.uint8] | None = None

    def __len__(self) -> int:
        return len(self.boards)

    def where(self, rows: NDArray[np.bool_]) -> TrainingSet:
        """Some of the boards."""
        return TrainingSet(
            self.boards[rows],
            self.values[rows],
            self.moves[rows],
            self.games[rows],
            self.good[rows],
            None if self.others is None else self.others[rows],
        )


def training_set_of(
    game: Game,
    games: Iterable[SelfPlayGame],
    *,
    result_share: float = 0.5,
    odds: float = 0.0,
    by_solver: bool = False,
    with_moves: bool = False,
    off_path: int = 0,
    concepts: bool = False,
    seed: int = 0,
) -> TrainingSet:
    """The boards of some games on which the player chose a move.

    `result_share` is the weight of the result beside the value of the search. With `odds` such a
    value is a logarithm of odds, in this unit, and not a chance. With `by_solver` the truth
    replaces both where it is known; where the move does not win, or was random, all that win are
    good. Otherwise a random move is not learned from. `off_path` is a number of solved positions
    beside each game, see `off_path_positions`; `seed` draws them. With `concepts` boards are
    bits of the game's concepts.
    """
    check_off_path(off_path, by_solver)
    positions: list[Position] = []
    values: list[float] = []
    best: list[tuple[Move, ...]] = []
    numbers: list[int] = []
    rules = compiled_rules_of(game)
    quiet = quiet_test(game, concepts)
    for number, played in enumerate(games):
        position = game.start()
        for n, text in enumerate(played.moves):
            move = position.read_move(text)
            turn = n - played.n_given
            if turn >= 0 and (quiet is None or quiet(position)):
                positions.append(position)
                searched = _chance(played.values[turn], odds)
                ended = _result(played.winner, position.to_move)
                values.append(result_share * ended + (1 - result_share) * searched)
                best.append(() if turn in played.astray else (move,))
                numbers.append(number)
            position = position.play(move)
        for aside in off_path_positions(game, played, off_path, random.Random(f"{seed} {number}")):
            if quiet is None or quiet(aside):
                positions.append(aside)
                values.append(np.nan)
                best.append(())
                numbers.append(number)
    if by_solver:
        _correct(game, positions, values, best)
    codes = np.full(len(positions), NO_MOVE, np.int64)
    good = np.zeros((len(positions), 0), np.bool_)
    if with_moves and rules is not None and positions:
        n_codes = rules.n_codes(game)
        good = np.zeros((len(positions), n_codes), np.bool_)
        for row, (position, moves) in enumerate(zip(positions, best, strict=True)):
            if moves:
                good_codes = [rules.code_of(position, move) for move in moves]
                codes[row], good[row, good_codes] = good_codes[0], True
        seen = mover_codes(game, n_codes)
        seconds = np.array([p.to_move == game.colours[1] for p in positions])
        good[seconds] = good[seconds][:, np.argsort(seen)]
        seconds &= codes != NO_MOVE
        codes[seconds] = seen[codes[seconds]]
    boards, others = game.encode(positions, view="mover") if not concepts else None, None
    if boards is None:
        boards, others = concept_views(game, positions)
    data = TrainingSet(boards, np.array(values), codes, np.array(numbers, np.int64), good, others)
    return data.where(~np.isnan(data.values)) if off_path else data


def concept_views(
    game: Game, positions: Sequence[Position]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The bits of the game's concepts, as the side to move sees them and as the other side does."""
    plugin = CONCEPTS.of(game)
    counts, bits = plugin.count(positions), concept_bits(plugin.CONCEPTS)
    sides, rows = sides_of(game, positions), np.arange(len(positions))
    ours, theirs = counts[rows, sides], counts[rows, 1 - sides]
    return bits_of_counts(bits, ours, theirs), bits_of_counts(bits, theirs, ours)


def off_path_positions(
    game: Game, played: SelfPlayGame, n: int, draws: random.Random
) -> Iterator[Position]:
    """Some positions that a search may have visited: a move or two beside a game.

    They are drawn from the later two thirds of a game, which a solver knows at once; the first move
    is half of the time one that the search visited there.
    """
    path = [game.start()]
    for text in played.moves:
        path.append(path[-1].play(path[-1].read_move(text)))
    first = max(played.n_given, len(played.moves) // 3)
    for _ in range(n if first < len(played.moves) else 0):
        turn = draws.randrange(first, len(played.moves))
        position, counts = path[turn], played.counts[turn - played.n_given]
        move = draws.choice(position.moves())
        if counts and draws.random() < 0.5:
            move = position.moves()[draws.choice(counts)[0]]
        position = position.play(move)
        if draws.random() < 0.5 and position.outcome() is None:
            position = position.play(draws.choice(position.moves()))
        if position.outcome() is None:
            yield position


def with_symmetries(game: Game, data: TrainingSet) -> TrainingSet:
    """The boards, rotated and reflected in every way that the game allows."""
    sources = bit_sources(game)
    if len(sources) == 1:
        return data
    rules = compiled_rules_of(game)
    targets = code_targets(game, 0 if rules is None else rules.n_codes(game))
    known = data.moves != NO_MOVE
    boards, moves, good = [], [], []
    for source, target in zip(sources, targets, strict=True):
        boards.append(data.boards[:, source])
        turned = data.moves.copy()
        turned[known] = target[turned[known]]
        moves.append(turned)
        good.append(data.good[:, np.argsort(target)] if data.good.size else data.good)
    times = len(sources)
    return TrainingSet(
        np.concatenate(boards),
        np.tile(data.values, times),
        np.concatenate(moves),
        np.tile(data.games, times),
        np.concatenate(good),
    )


def with_fewer_draws(data: TrainingSet, share: float, seed: int) -> TrainingSet:
    """The boards, but only a random share of those with a value of exactly 0."""
    kept = np.random.default_rng(seed).random(len(data)) < share
    return data.where((data.values != 0) | kept)


def held_back(data: TrainingSet, share: float, seed: int) -> tuple[TrainingSet, TrainingSet]:
    """The boards to learn from, and those of some other games for a test."""
    shuffled = np.random.default_rng(seed).permutation(np.unique(data.games))
    held = np.isin(data.games, shuffled[: int(share * len(shuffled))])
    return data.where(~held), data.where(held)


def _correct(
    game: Game, positions: list[Position], values: list[float], best: list[tuple[Move, ...]]
) -> None:
    """Replace values by the truth, and a move that is not good by all good ones.

    A good move stays alone: the player had reasons to prefer it. Of several good ones the first is
    drawn by the number of the board.
    """
    for n, truth in enumerate(truths(game, positions)):
        if truth is None:
            continue
        values[n] = _result(truth.winner, positions[n].to_move)
        moves = truth.good_moves
        if moves and not set(best[n]) & set(moves):
            first = (n * 7919) % len(moves)
            best[n] = (*moves[first:], *moves[:first])


def _chance(value: float, odds: float) -> float:
    """The value of a search, as twice the chance of a win less one."""
    return math.tanh(odds * value / 2) if odds else value


def _result(winner: str | None, mover: str) -> float:
    """The value of a result for the side to move."""
    return 0.0 if winner is None else 1.0 if winner == mover else -1.0


def quiet_test(game: Game, concepts: bool = False) -> Callable[[Position], bool] | None:
    """Whether an evaluator is ever asked about a board; None where it is asked about all.

    It is not where something has to be captured, nor where the game's concepts, if these are what
    it judges by, prove who wins.
    """
    rules = compiled_rules_of(game)
    if rules and getattr(rules, "MUST_CAPTURE", False):
        return _Quiet(game, rules)
    plugin = CONCEPTS.find(game) if concepts else None
    if plugin is None or not hasattr(plugin, "decided"):
        return None
    return lambda position: known_winner(plugin, position) is None


class _Quiet:
    """Whether nothing has to be captured on a board."""

    def __init__(self, game: Game, rules: CompiledRules) -> None:
        from clauseboard.kernels import compiler

        self._rules = rules
        self._board = compiler.specialised("clauseboard.search.board_template", rules)
        self._settings, self._scratch = rules.settings_of(game), rules.new_scratch(game)
        self._codes = np.zeros(rules.most_moves(game), np.int64)

    def __call__(self, position: Position) -> bool:
        state = self._rules.state_of(position)
        return bool(self._board.is_quiet(state, self._settings, self._scratch, self._codes))


# ---- moves, by what is around them


@dataclass(frozen=True, eq=False)
class MoveTrainingSet:
    """Moves of many boards, a row each; the rows of a board are consecutive.

    `rows` are packed bits (`search.compiled_rules`). `shares` says how good a move is: its
    visits, squared, adding up to 1 for a board. `extra` is the logarithm of how many moves a
    row stands for. `first` is the first row of each board, with the number of rows at its end,
    and `games` the game of each board.
    """

    rows: NDArray[np.uint8]
    shares: NDArray[np.float64]
    extra: NDArray[np.float64]
    first: NDArray[np.int64]
    games: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.games)

    def of(self, boards: NDArray[np.int64]) -> MoveTrainingSet:
        """Some of the boards, in this order."""
        rows, first = self.rows_of(boards)
        return MoveTrainingSet(
            self.rows[rows], self.shares[rows], self.extra[rows], first, self.games[boards]
        )

    def rows_of(self, boards: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows of some boards, one board after the other; and, among them, the first of each
        board, with their number at the end."""
        sizes = np.diff(self.first)[boards]
        first = np.concatenate([[0], np.cumsum(sizes)])
        return np.repeat(self.first[boards] - first[:-1], sizes) + np.arange(first[-1]), first


def move_training_set(
    game: Game,
    games: Iterable[SelfPlayGame],
    others: int | None = OTHER_MOVES,
    seed: int = 0,
    seen: MoveFeatures | None = None,
) -> MoveTrainingSet:
    """The boards of some games on which the player chose a move; `others` None takes all moves.

    The bits around a move are the game's, unless `seen` gives others.
    """
    seen = seen or move_features_of(game)
    draws = np.random.default_rng(seed)
    rows, shares, extra, sizes, numbers = [], [], [], [], []
    for number, played in enumerate(games):
        position = game.start()
        for n, text in enumerate(played.moves):
            move = position.read_move(text)
            turn = n - played.n_given
            if turn >= 0 and abs(played.values[turn]) <= DECIDED:
                share = _shares(position, move, played.counts[turn])
                kept, many = _learned_from(share, others, draws)
                rows.append(seen.rows(position)[kept])
                shares.append(share[kept])
                extra.append(np.log(many))
                sizes.append(len(kept))
                numbers.append(number)
            position = position.play(move)
    if not rows:
        raise ValueError("The games have no board to learn from; play longer or more of them.")
    return MoveTrainingSet(
        np.concatenate(rows),
        np.concatenate(shares),
        np.concatenate(extra),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.array(numbers, np.int64),
    )


def _shares(position: Position, move: Move, counts: VisitCounts) -> NDArray[np.float64]:
    """How good each move is, by its visits; the one that was made is among the best."""
    moves = position.moves()
    share = np.zeros(len(moves))
    for place, visits in counts:
        share[place] = float(visits) ** 2
    share[moves.index(move)] = max(share.max(), 1.0)
    return share / share.sum()


def _learned_from(
    share: NDArray[np.float64], others: int | None, draws: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The moves of a board to learn from, and how many moves each stands for."""
    rest = np.flatnonzero(share == 0)
    if others is None or len(rest) <= others:
        return np.arange(len(share)), np.ones(len(share))
    good, chosen = np.flatnonzero(share), draws.choice(rest, others, replace=False)
    many = np.repeat([1.0, len(rest) / others], [len(good), len(chosen)])
    return np.concatenate([good, chosen]), many
