"""Levels of a player that searches: from beginner to strongest, and one that adapts.

A weaker level searches less and draws its move: each move that the search looked at is the likelier
the better it is, and none is drawn that loses far more than the best one. So it plays weaker moves,
but sensible ones. The beginners of checkers and Go draw none that their look says loses a man, or
eight points. `LEVELS` has the settings of each game, tuned by short matches so that each level
wins about three quarters of the points against the one below; benchmarks/levels.py measures that
and writes levels.json. By those matches the beginner is 1,300 to 1,600 Elo below the strongest:
five levels would be too far from each other, so there are eight in Go and Hex and nine in checkers.

    >>> LEVELS["checkers"]["easy"].limit
    Limit(depth=2)
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clauseboard.evaluation import Evaluator, Limit
from clauseboard.explanation import UNIT, votes_of
from clauseboard.game import Game, Move, Position
from clauseboard.player import Candidate, Choice, chance_of
from clauseboard.players.searcher import SearchPlayer, check_going_on, swaps
from clauseboard.search import Search

STRONGEST, ADAPTIVE = "strongest", "adaptive"
AROUND = "medium"
"""The level around which the player that adapts plays somebody whom it does not know."""
JUDGE = "hard"
"""The level whose search tells it how a game stands."""
EVEN = 0.1
"""A game is even while a side's chance is no further than this from a half."""
MEASURED = Path(__file__).with_name("levels.json")
"""How the levels played against each other; benchmarks/levels.py writes it."""


@dataclass(frozen=True)
class Level:
    """How a player is made weaker.

    `limit` is how much it may search at most, whatever a match allows, and `search` has further
    parameters of the search. A move is drawn with a weight of exp(-loss / temperature), where its
    loss is how much less its chance of winning is than that of the best move; in a tree search
    times its visits. Moves that lose more than `most_loss` are not drawn, nor those that lose more
    than `most_points`: points of the score where the search counts some, or else those of accounts,
    of which a man has about 1.5.

    With `looks` it judges so many moves, taken at random, by a search of the board after each
    within `look`, and plays the worst that loses no more than that: it wastes moves, but loses
    nothing that it sees.
    """

    limit: Limit = field(default_factory=Limit)
    temperature: float = 0.0
    most_loss: float = 0.0
    search: Mapping[str, object] = field(default_factory=dict)
    most_points: float = math.inf
    looks: int = 0
    look: Limit = field(default_factory=Limit)


def _ahead(
    depth: int, temperature: float, most_loss: float, most_points: float = math.inf
) -> Level:
    """A level of a player that searches by alpha-beta."""
    search = {"every_move": True, "selective": False, "margin": 0.0, "endgames": False}
    return Level(Limit(depth=depth), temperature, most_loss, search, most_points)


def _tree(simulations: int, temperature: float, most_loss: float, **search: object) -> Level:
    """A level of a player that searches by Monte-Carlo."""
    settings = {"keep": False, "judged": 0.0, "expand_from": 2, **search}
    return Level(Limit(simulations=simulations), temperature, most_loss, settings)


def _noisy(simulations: int, noise: float, temperature: float, most_loss: float) -> Level:
    """A tree search that starts from what was learned about moves, mixed with noise."""
    return _tree(simulations, temperature, most_loss, noise=noise, noise_shape=1.0)


def _few_moves(moves: int, temperature: float, most_loss: float) -> Level:
    """Looks at some moves only, drawn at random, and judges each by the board after it."""
    return _tree(moves, temperature, most_loss, prior_weight=0.0, exploration=10.0)


def _slack(simulations: int, looks: int, each: int, most_points: float) -> Level:
    """Plays the worst of some moves that loses no more than so many points."""
    level = _tree(simulations, 0.0, 1.0)
    look = Limit(simulations=each)
    return dataclasses.replace(level, most_points=most_points, looks=looks, look=look)


LEVELS: dict[str, dict[str, Level]] = {
    "checkers": {
        "beginner": _ahead(1, math.inf, 1.0, most_points=1.0),
        "easy": _ahead(2, 0.09, 0.18),
        "casual": _ahead(2, 0.034, 0.115),
        "medium": _ahead(3, 0.045, 0.13),
        "skilled": _ahead(4, 0.03, 0.095),
        "advanced": _ahead(5, 0.021, 0.075),
        "hard": _ahead(6, 0.016, 0.06),
        "expert": _ahead(8, 0.0075, 0.04),
    },
    "go": {
        "beginner": _slack(60, looks=6, each=30, most_points=8.0),
        "easy": _noisy(27, 0.2, 0.3, 0.31),
        "medium": _tree(62, 0.165, 0.215),
        "skilled": _tree(145, 0.098, 0.145),
        "advanced": _tree(315, 0.052, 0.092),
        "hard": _tree(650, 0.031, 0.06),
        "expert": _tree(1300, 0.01, 0.03, keep=True),
    },
    "hex": {
        "beginner": _few_moves(4, 0.35, 0.37),
        "easy": _few_moves(10, 0.13, 0.22),
        "casual": _few_moves(20, 0.07, 0.15),
        "medium": _few_moves(60, 0.035, 0.09),
        "skilled": _tree(14, 0.13, 0.19),
        "hard": _tree(72, 0.037, 0.075),
        "expert": _tree(180, 0.012, 0.035),
    },
}
"""The levels of each game from the weakest on; `STRONGEST` needs no settings."""


def level_names(game: Game) -> tuple[str, ...]:
    """The levels of a game, from the weakest to the strongest, which is the player as it is."""
    return (*LEVELS.get(game.name, {}), STRONGEST)


def level_of(game: Game, name: object) -> Level | None:
    """A level by its name; None for the strongest, and for no level."""
    if name is None or name == STRONGEST:
        return None
    levels = LEVELS.get(game.name, {})
    if name not in levels:
        listed = ", ".join(map(repr, (*level_names(game), *([ADAPTIVE] if levels else []))))
        raise ValueError(f"level={name!r} is not a level of {game.name}; there are {listed}.")
    return levels[str(name)]


def next_around(game: Game, around: str, points: float) -> str:
    """The level around which to play the next game, after one that gave the player these points.

    >>> from clauseboard.game import load_game
    >>> next_around(load_game("checkers"), "medium", points=0)
    'skilled'
    """
    return step_of(game, around, (points < 0.5) - (points > 0.5))


def step_of(game: Game, name: str, step: int) -> str:
    """The level that is so many above another one, or below; the last one where there is none."""
    names = level_names(game)
    return names[min(max(names.index(name) + step, 0), len(names) - 1)]


class LevelPlayer(SearchPlayer):
    """A player that searches less and chooses less strictly."""

    def __init__(
        self,
        evaluator: Evaluator | Mapping[str, Evaluator],
        search: Search,
        name: str = "level",
        limit: Limit | None = None,
        board_judge: Evaluator | None = None,
        *,
        level: Level,
    ) -> None:
        super().__init__(evaluator, search, name, limit, board_judge)
        self.level = level

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """A move that is drawn from those found, the better the likelier."""
        within = self.level.limit.or_else(limit or Limit())
        choice = super().choose(position, within)
        if self.level.looks:
            choice = self._with_looks(position, choice)
        chosen = self._drawn(position, choice)
        if chosen is None or chosen.move == choice.move:
            return choice
        line = chosen.line or (chosen.move,)
        others = (one for one in choice.candidates if one.move != chosen.move)
        choice = dataclasses.replace(
            choice,
            move=chosen.move,
            value=chosen.value,
            chance=chosen.chance,
            line=line,
            candidates=(chosen, *others),
        )
        evaluator = self.evaluators[position.to_move]
        return dataclasses.replace(
            choice, explain=functools.partial(self._explain, evaluator, position, choice)
        )

    def _with_looks(self, position: Position, choice: Choice) -> Choice:
        """The choice between the best move and others that are drawn and looked at."""
        others = [
            move
            for move in position.moves()
            if move != choice.move and not getattr(move, "is_pass", False)
        ]
        drawn = self._draws[position.to_move].sample(others, min(self.level.looks, len(others)))
        best = [one for one in choice.candidates if one.move == choice.move]
        looked_at = filter(None, (self._looked_at(position, move) for move in drawn))
        return dataclasses.replace(choice, candidates=(*best, *looked_at))

    def _looked_at(self, position: Position, move: Move) -> Candidate | None:
        """A move judged by a short search of the board after it; None if that ends the game."""
        after = position.play(move)
        if after.outcome() is not None:
            return None
        colour, search = after.to_move, self._fresh_search()
        search.is_stopped = self.is_stopped
        seed = self._draws[position.to_move].getrandbits(63)
        reply = search.find(after, self.evaluators[colour], self.level.look, seed)
        reply = self._with_chances(reply, colour)
        if reply.value is None or reply.chance is None:
            return None
        return Candidate(
            move,
            -reply.value,
            (move, *reply.line),
            reply.cost.simulations,
            1 - reply.chance,
            reply.candidates[0].owners,
            None if reply.points is None else -reply.points,
        )

    def _drawn(self, position: Position, choice: Choice) -> Candidate | None:
        """The candidate to play instead; None to play the search's own move.

        A pass or a swap is played only where the search would: either may end or turn the game.
        """
        best = chance_of(choice)
        special = {move for move in position.moves() if getattr(move, "is_pass", False)}
        special |= swaps(position)
        if best is None or choice.move in special or position.may_be_swapped:
            return None
        most_points = max(map(points_of, choice.candidates))
        losses = [
            (one, max(best - (chance_of(one) or 0.0), 0.0))
            for one in choice.candidates
            if one.move not in special
            and (one.visits or not choice.candidates[0].visits)
            and most_points - points_of(one) <= self.level.most_points
        ]
        sound = [(one, loss) for one, loss in losses if loss <= self.level.most_loss]
        if not sound:
            return None
        if self.level.looks:
            return min((one for one, _ in sound), key=points_of)
        weights = [
            max(one.visits, 1) * math.exp(-loss / max(self.level.temperature, 1e-9))
            for one, loss in sound
        ]
        draws = self._draws[position.to_move]
        return draws.choices([one for one, _ in sound], weights)[0]


def points_of(candidate: Candidate) -> float:
    """The points of a move: of the score, if these were counted, or else as accounts count them."""
    if candidate.points is not None:
        return candidate.points
    return votes_of(chance_of(candidate) or 0.0) / UNIT


class AdaptivePlayer(SearchPlayer):
    """Plays around a level: one level stronger while it is behind, one weaker while ahead.

    Before each move the level `JUDGE` says how the game stands. So what it plays is always a move
    of a level, and no lead is given back by worse ones. Around which level to play somebody is
    learned from game to game, by `next_around`.
    """

    def __init__(
        self,
        evaluator: Evaluator | Mapping[str, Evaluator],
        search: Search,
        name: str = "adaptive",
        limit: Limit | None = None,
        board_judge: Evaluator | None = None,
        *,
        around: str = AROUND,
    ) -> None:
        super().__init__(evaluator, search, name, limit, board_judge)
        level_of(self.game, around)
        self.around = around
        self._players: dict[str, SearchPlayer] = {}

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """A move of the level that the chance asks for."""
        check_going_on(position)
        player = self.player(self.level_for(position, limit))
        player.listener, player.is_stopped = self.listener, self.is_stopped
        return player.choose(position, limit)

    def level_for(self, position: Position, limit: Limit | None = None) -> str:
        """The name of the level that plays the next move."""
        level = level_of(self.game, JUDGE)
        if level is None or position.may_be_swapped:
            return self.around
        judge = self.player(JUDGE)
        judge.is_stopped = self.is_stopped
        within = level.limit.or_else(limit or Limit())
        chance = chance_of(SearchPlayer.choose(judge, position, within))
        if chance is None:
            return self.around
        return step_of(self.game, self.around, (chance < 0.5 - EVEN) - (chance > 0.5 + EVEN))

    def player(self, name: str) -> SearchPlayer:
        """The player of a level, which shares evaluators and draws with this one."""
        if name not in self._players:
            level = level_of(self.game, name)
            made: SearchPlayer
            if level is None:
                made = SearchPlayer(
                    self.evaluators, self.search, name, self.limit, self.board_judge
                )
            else:
                search = dataclasses.replace(self.search, **level.search)  # type: ignore[type-var]
                made = LevelPlayer(self.evaluators, search, name, self.limit, level=level)
            made._draws = self._draws
            self._players[name] = made
        return self._players[name]

    def begin(self, game: Game, colour: str, seed: int) -> None:
        """Forget the last game; each move's seed is drawn from this one."""
        super().begin(game, colour, seed)
        for player in self._players.values():
            player.begin(game, colour, seed)

    def resume(self) -> None:
        """Take what is dead before it passes again."""
        for player in self._players.values():
            player.resume()

    def release(self) -> None:
        """Free the memory of its searches."""
        for player in self._players.values():
            player.release()


@functools.cache
def measured_levels() -> dict[str, dict[str, Any]]:
    """How the levels of each game played, by the name of the level; see benchmarks/levels.py."""
    if not MEASURED.is_file():
        return {}
    return dict(json.loads(MEASURED.read_text("utf-8")))


def level_text(game: Game, name: str) -> str:
    """The measured strength of a level in a sentence; empty if it was not measured."""
    measured = measured_levels().get(game.name, {}).get(name)
    if measured is None:
        return ""
    # Boards of other sizes were not measured.
    size = measured["board"].removeprefix(game.name).replace(" x ", " by ")
    where = f", on{size}" if size else ""
    if name == ADAPTIVE:
        scores = ", ".join(f"{score} % against {other}" for other, score in measured["scores"])
        return f"Scores {scores}{where}"
    if "below" not in measured:
        return "The weakest level"
    won, drawn, lost = measured["games"]
    return (
        f"{measured['elo']:,} Elo above beginner; against {measured['below']} {won} of "
        f"{won + drawn + lost} games won{f', {drawn} drawn' if drawn else ''}{where}"
    )
