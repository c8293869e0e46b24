"""The player that plays perfectly by a solver, and by another player where the truth is unknown."""

from __future__ import annotations

import dataclasses
import functools
import random

from clauseboard.checks import flag
from clauseboard.evaluation import Limit, seconds_now
from clauseboard.explanation import SOLVER, Explanation, settled
from clauseboard.game import Game, Move, Position
from clauseboard.games.solving import best_move, check_solvable, exact_words
from clauseboard.player import Choice, Cost, Player
from clauseboard.players.searcher import check_game, check_going_on


class SolverPlayer(Player):
    """Plays perfectly where a solver knows the truth (Hex up to 8 × 8, checkers endgames).

    It wins as soon as it can and loses as late as it can; in Hex it swaps if the first move wins.
    With `resign` it resigns where it is lost. `otherwise` names the player, in one line, that plays
    where the truth is not known; by default `material`.
    """

    def __init__(self, game: Game, *, resign: bool = False, otherwise: str | None = None) -> None:
        check_solvable(game)
        self.name = "solver"
        self.game = game
        self.resign = flag("resign", resign)
        self.otherwise = "material" if otherwise is None else otherwise
        self._draws = {colour: random.Random(f"0 {colour}") for colour in game.colours}
        self._seeds = dict.fromkeys(game.colours, 0)
        # One that is named is made now, so that a wrong name is reported before there is a game.
        self._other = None if otherwise is None else self._made_other()

    @property
    def uses_tables(self) -> bool:
        """They are what it plays by, in a game that has some."""
        return True

    def begin(self, game: Game, colour: str, seed: int) -> None:
        """Between moves that are as good as each other, the seed decides."""
        check_game(self, self.game, game)
        self._draws[colour] = random.Random(f"{seed} {colour}")
        self._seeds[colour] = seed
        if self._other is not None:
            self._other.begin(game, colour, seed)

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """A best move; or another player's choice, which says so."""
        check_going_on(position)
        start = seconds_now()
        solved = best_move(position, self._draws[position.to_move].getrandbits(63))
        if solved is None:
            return self._guess(position, limit)
        move, winner = solved
        value = 0.0
        if winner is not None:
            value = 1.0 if winner == position.to_move else -1.0
        return Choice(
            move,
            value=value,
            line=(move,),
            cost=Cost(seconds=seconds_now() - start),
            resigns=self.resign and value < 0,
            explain=functools.partial(_explain, position, move, winner),
            position=position,
        )

    def close(self) -> None:
        """Let go of the other player."""
        if self._other is not None:
            self._other.close()

    def _made_other(self) -> Player:
        from clauseboard.players import read_player

        if not isinstance(self.otherwise, str):
            raise ValueError(f"otherwise={self.otherwise!r} must be a player, such as 'material'.")
        return read_player(self.otherwise, self.game)

    def _guess(self, position: Position, limit: Limit | None) -> Choice:
        if self._other is None:
            self._other = self._made_other()
            for colour, seed in self._seeds.items():
                self._other.begin(self.game, colour, seed)
        self._other.listener, self._other.is_stopped = self.listener, self.is_stopped
        choice = self._other.choose(position, limit)

        def explain() -> Explanation:
            explanation = choice.explanation or Explanation(position, choice.value or 0.0, "")
            judge = f"{self._other}: {explanation.judge}" if explanation.judge else f"{self._other}"
            return dataclasses.replace(
                explanation, judge=f"{judge} (the solver does not know this board)"
            )

        return dataclasses.replace(choice, explain=explain)


check = check_solvable


def _explain(position: Position, move: Move, winner: str | None) -> Explanation:
    truth = "a draw" if winner is None else f"{winner} wins"
    judge, text = f"the solver: {truth} with best play", f"{truth} with best play"
    after = position.play(move)
    words = exact_words(after)
    return settled(after, winner, judge, SOLVER, words.rstrip(".") if words else text, (move,))


PLAYERS = {"solver": SolverPlayer}
