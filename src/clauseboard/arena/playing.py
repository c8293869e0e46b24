"""One game between two players, whatever they do: break the rules, fail, give up or dawdle."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from clauseboard.arena.game_record import GameRecord, Thought
from clauseboard.evaluation import Limit
from clauseboard.game import Ending, Game, NotationError, Outcome
from clauseboard.games.plugins import RANDOM_GAMES
from clauseboard.player import Choice, Player

MOST_MOVES = 2000
"""Moves after which a game that the rules do not end is called a draw."""

_STEP, _MIX_1, _MIX_2 = 0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB
_WORD = (1 << 64) - 1


def derived_seed(seed: int, n: int) -> int:
    """The n-th seed below a seed: 63 bits, and of a few thousand hardly two the same (SplitMix64).

    The numbers 0, 1, 2 of one seed and those of the next have nothing in common.

    >>> derived_seed(1, 0), derived_seed(1, 1)
    (6915206964022700985, 3434723083292333347)
    """
    return _mixed(_mixed(seed & _WORD) + (n + 1) * _STEP) >> 1


def _mixed(word: int) -> int:
    word &= _WORD
    word = (word ^ word >> 30) * _MIX_1 & _WORD
    word = (word ^ word >> 27) * _MIX_2 & _WORD
    return word ^ word >> 31


def play_game(
    game: Game,
    players: Sequence[Any],
    seed: int = 0,
    limit: Limit | None = None,
    opening: Sequence[str] = (),
    number: int = 0,
    swapped: bool = False,
    most_moves: int = MOST_MOVES,
) -> GameRecord:
    """Play a game; the first player has the game's first colour.

    The players go on after the moves of `opening`. Who offers an illegal move, raises an error or
    gives up has lost, with that for a reason. Two players that play at random are not asked move
    by move if the game knows a faster way to the same game.
    """
    position = game.start()
    try:
        for text in opening:
            position = position.play(position.read_move(text))
    except NotationError as error:
        raise ValueError(f"The opening {' '.join(opening)!r} cannot be played: {error}") from None
    table = _Table(game, players, limit)
    ended = table.begin(seed)
    moves: list[str] = list(opening)
    # A player that `plays_at_random` does nothing but to take what its `picker(colour)` draws.
    at_random = all(getattr(player, "plays_at_random", False) for player in players)
    fast = RANDOM_GAMES.find(game) if at_random else None
    if ended is None and fast is not None:
        pickers = [p.picker(c) for p, c in zip(players, game.colours, strict=True)]
        chosen, ended = fast.random_game(position, pickers, max(most_moves - len(moves), 0))
        moves += chosen
    elif ended is None:
        ended = table.play(position, moves, most_moves)
    if ended is None:
        ended = Outcome(None, f"{most_moves} moves played, and no end", Ending.UNFINISHED)
    return GameRecord(
        number=number,
        players=(players[0].name, players[1].name),
        seed=seed,
        moves=tuple(moves),
        winner=ended.winner,
        reason=ended.reason,
        ending=ended.ending,
        n_given=len(opening),
        swapped=swapped,
        thoughts=tuple(table.thoughts),
        late=(table.late[0], table.late[1]),
    )


class _Table:
    """Two players at a game, and what is noted down meanwhile."""

    def __init__(self, game: Game, players: Sequence[Player], limit: Limit | None) -> None:
        self.game, self.players, self.limit = game, players, limit
        self.thoughts: list[Thought] = []
        self.late = [0, 0]

    def begin(self, seed: int) -> Outcome | None:
        """Tell both players that a game begins; how it ends at once, if one of them fails."""
        for side, colour in enumerate(self.game.colours):
            try:
                self.players[side].begin(self.game, colour, derived_seed(seed, side))
            except Exception as error:
                return self._lost(colour, _failed(error), Ending.FAILURE)
        return None

    def play(self, position: Any, moves: list[str], most_moves: int) -> Outcome | None:
        """Play to the end, and append the moves; None if there is no end by then."""
        while (ended := position.outcome()) is None and len(moves) < most_moves:
            colour = position.to_move
            side = self.game.colours.index(colour)
            started = time.perf_counter()
            try:
                choice = self.players[side].choose(position, self.limit)
                seconds = time.perf_counter() - started
                if choice.resigns:
                    return self._lost(colour, "gave up", Ending.RESIGNATION)
                move = choice.move
            except Exception as error:
                return self._lost(colour, _failed(error), Ending.FAILURE)
            try:
                text, after = position.write_move(move), position.play(move)
            except Exception as error:
                why = error if isinstance(error, NotationError) else _failed(error)
                offered = f"offered an illegal move, {move!s:.80}: {why}"
                return self._lost(colour, offered, Ending.ILLEGAL_MOVE)
            self.thoughts.append(_thought(choice, seconds))
            if self.limit and self.limit.seconds and seconds > _far_over(self.limit.seconds):
                self.late[side] += 1
            moves.append(text)
            position = after
        return ended

    def _lost(self, colour: str, how: str, ending: Ending) -> Outcome:
        return Outcome(self.game.other(colour), f"{colour} {how}", ending)


def _far_over(seconds: float) -> float:
    """More than this is no longer a matter of a busy machine."""
    return 2 * seconds + 0.5


def _failed(error: Exception) -> str:
    return f"failed with {type(error).__name__}: {error!s:.200}"


def _thought(choice: Choice, seconds: float) -> Thought:
    cost = choice.cost
    value = None if choice.value is None else float(choice.value)
    return Thought(
        value, round(seconds, 6), int(cost.nodes), int(cost.simulations), int(cost.depth)
    )
