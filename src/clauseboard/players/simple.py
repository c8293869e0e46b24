"""The players that need no training: random moves, a person, random games, a constant claim."""

from __future__ import annotations

import dataclasses
import functools
import random
import sys
import time
from collections.abc import Callable, Mapping
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import (
    BitEvaluator,
    Compiled,
    Evaluator,
    Judgements,
    Limit,
    linear,
    seconds_now,
)
from clauseboard.explanation import Explanation, Line
from clauseboard.game import Game, Move, NotationError, Position
from clauseboard.player import Choice, Cost, Player
from clauseboard.players.searcher import (
    SearchPlayer,
    check_game,
    check_going_on,
    owners_of,
    playouts_line,
    searching_player,
    with_territory,
)


class RandomPlayer(Player):
    """Plays any legal move, each as likely as the others; in Hex a swap is one of them."""

    plays_at_random = True
    """Whether a match may draw from `picker` alone, and play whole games at once."""

    def __init__(self, game: Game) -> None:
        self.name = "random"
        self.game = game
        self._draws = {colour: random.Random(f"0 {colour}") for colour in game.colours}

    def begin(self, game: Game, colour: str, seed: int) -> None:
        """Draw the moves of this colour from a seed."""
        check_game(self, self.game, game)
        self._draws[colour] = random.Random(f"{seed} {colour}")

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """Any legal move; its value is 0, since the player has no opinion."""
        start = seconds_now()
        moves = position.moves()
        if not moves:
            check_going_on(position)
        move = moves[self.picker(position.to_move)(len(moves))]
        return Choice(
            move,
            value=0.0,
            line=(move,),
            cost=Cost(seconds=seconds_now() - start),
            explain=functools.partial(_explain, position, move, len(moves)),
            position=position,
        )

    def picker(self, colour: str) -> Callable[[int], int]:
        """Draws the moves of a colour: of n moves, the place of one in `position.moves()`."""
        draw = self._draws[colour].random
        return lambda n_moves: int(draw() * n_moves)


def _explain(position: Position, move: Move, n_moves: int) -> Explanation:
    judge = f"chance, which had {n_moves} moves to choose from"
    lines = (Line("chance", "every move is as good as another to this player", 0),)
    return Explanation(position.play(move), 0.0, judge, line=(move,), lines=lines)


class AlwaysWin(BitEvaluator):
    """Takes every board for won by one colour, with one vote (table 6.5 of the checkers thesis)."""

    def __init__(self, game: Game, colour: str) -> None:
        self.game = game
        self.colour = colour
        self._first = colour == game.colours[0]

    def judge_bits(self, bits: NDArray[np.uint8], sides: NDArray[np.int64]) -> Judgements:
        """A win for the colour, whoever is to move."""
        wins = (np.asarray(sides) == 0) == self._first
        votes = np.zeros((len(bits), 2), np.int64)
        votes[:, 0 if self._first else 1] = 1
        return Judgements(np.where(wins, 1.0, -1.0), votes, self.game.colours)

    def compiled(self) -> tuple[Compiled, Compiled]:
        """A sum over no bits, and the offset that makes it 1 or -1."""
        zeros = np.zeros(len(self.game.bits()))
        claim = linear(zeros, offset=-1.0 if self._first else 1.0)
        return claim, claim

    def __str__(self) -> str:
        return f"a claim that {self.colour} always wins"


def always_win(game: Game, **options: object) -> SearchPlayer:
    """Takes every board for won, so that only its search keeps it from losing at once."""
    return searching_player(
        game,
        lambda game: {colour: AlwaysWin(game, colour) for colour in game.colours},
        search="breadth_first",
        options=options,
    )


ROLLOUTS_USUAL = {"simulations": 1000, "rollouts": 20}
"""As in the thesis on Hex."""


class RolloutsPlayer(SearchPlayer):
    """Monte-Carlo tree search without an evaluator: it has no reasons but its counts."""

    def _explain(self, evaluator: Evaluator, position: Position, choice: Choice) -> Explanation:
        walks = f"{choice.cost.simulations:,} simulations"
        games = getattr(self.search, "rollouts", 0)
        value, after = choice.value or 0.0, position.play(choice.move)
        value = value if after.to_move == position.to_move else -value
        line = playouts_line(position.to_move, choice.value or 0.0)
        votes = line.votes if after.to_move == position.to_move else -line.votes
        explanation = Explanation(
            position=after,
            value=value,
            judge=f"{walks} with {games} random games at the end of each",
            line=(choice.move,),
            lines=(dataclasses.replace(line, votes=votes),),
            chance=(1 + value) / 2,
        )
        return with_territory(explanation, after, owners_of(choice, choice.move))


def rollouts(game: Game, **options: object) -> SearchPlayer:
    """Tries moves out by games played at random: 1,000 simulations of 20 games each."""
    from clauseboard.search.mcts import Rollouts

    return searching_player(
        game, Rollouts, search="mcts", options=options, usual=ROLLOUTS_USUAL, kind=RolloutsPlayer
    )


RESIGN, MOVES, HELP = "resign", "moves", "help"


class Person(Player):
    """A person at the terminal, who is asked for moves in the game's notation.

    Where the input ends the person resigns.
    """

    def __init__(self, game: Game) -> None:
        self.name = "person"
        self.game = game
        self.input: TextIO | None = None
        """Where moves are read from; None is the standard input."""
        self.output: TextIO | None = None
        """Where the board is shown; None is the standard output."""

    def begin(self, game: Game, colour: str, seed: int) -> None:
        """Tell the person which side is theirs."""
        check_game(self, self.game, game)
        self._say(f"You play {colour}. Type a move, or {HELP!r}.")

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """Ask until there is a legal move."""
        check_going_on(position)
        start = time.perf_counter()
        self._say(f"\n{position}")
        while True:
            self._say(f"{position.to_move}> ", end="")
            text = self._read()
            if text is None or text.lower() == RESIGN:
                self._say("" if text else f"\n{position.to_move} resigns.")
                return Choice(None, cost=Cost(time.perf_counter() - start), resigns=True)
            if text.lower() == MOVES:
                self._say(", ".join(position.write_move(move) for move in position.moves()))
            elif text.lower() in (HELP, "?"):
                example = position.write_move(position.moves()[0])
                self._say(f"A move is written like {example}; or type {MOVES!r} or {RESIGN!r}.")
            elif text:
                try:
                    move = position.read_move(text)
                except NotationError as error:
                    self._say(f"Invalid move. {error}")
                else:
                    return Choice(move, line=(move,), cost=Cost(time.perf_counter() - start))

    def _read(self) -> str | None:
        """A line; None where there are no more."""
        line = (self.input or sys.stdin).readline()
        return line.strip() if line else None

    def _say(self, text: str, end: str = "\n") -> None:
        print(text, end=end, file=self.output or sys.stdout, flush=True)


PLAYERS: Mapping[str, Callable[..., Player]] = {
    "always-win": always_win,
    "person": Person,
    "random": RandomPlayer,
    "rollouts": rollouts,
}
