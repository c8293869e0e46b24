"""Players and their choices: Player, Choice, Candidate, Cost."""

from __future__ import annotations

import functools
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from clauseboard.evaluation import Limit
from clauseboard.explanation import Explanation, percent
from clauseboard.game import Game, Move, Outcome, Position, line_texts
from clauseboard.html_parts import notebook_part, sized, table

MOST_CANDIDATES = 8
"""Candidates that a notebook shows."""


@dataclass(frozen=True)
class Cost:
    """What a choice took."""

    seconds: float = 0.0
    nodes: int = 0
    simulations: int = 0
    depth: int = 0


@dataclass(frozen=True)
class Candidate:
    """A move that was considered: its value for the mover, the expected line, its visits.

    `chance` is the chance of winning that the player takes the value for, where it says so.
    `owners` has, for every point of the board, in how many random games after the move it ended as
    the first colour's, less those in which it ended as the second's; and how many games these were.
    `points` is the score that the mover may expect of these games.
    """

    move: Move
    value: float
    line: tuple[Move, ...] = ()
    visits: int = 0
    chance: float | None = None
    owners: tuple[int, ...] = field(default=(), repr=False, compare=False)
    points: float | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Choice:
    """A move, its value from -1 to 1 for the mover, and how it came about.

    `line` begins with the move. `candidates` are the moves considered, best first. The explanation
    is made on demand; None if the player has none. `resigns`: the player resigns instead.
    `gives_up`: in a game it would resign here, and the move is what it would play otherwise.
    `chance` is as in a `Candidate`. `proven`: the value is certain. `position` is where it was
    made, as far as the player says so. `end` is how the game ends with best play, where that is
    known beside the value; its reason is a sentence.
    """

    move: Move
    value: float | None = None
    line: tuple[Move, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    cost: Cost = field(default_factory=Cost, compare=False)
    resigns: bool = False
    gives_up: bool = False
    explain: Callable[[], Explanation] | None = field(default=None, repr=False, compare=False)
    chance: float | None = None
    proven: bool = False
    end: Outcome | None = field(default=None, repr=False, compare=False)
    position: Position | None = field(default=None, repr=False, compare=False)

    @property
    def ends_game(self) -> bool:
        """Whether whoever plays a game is to resign instead of making the move."""
        return self.resigns or self.gives_up

    @functools.cached_property
    def explanation(self) -> Explanation | None:
        """Why this move."""
        return None if self.explain is None else self.explain()

    @property
    def points(self) -> float | None:
        """The score that the mover may expect; None where games have none, or nobody counted."""
        return next((one.points for one in self.candidates if one.move == self.move), None)

    def _repr_html_(self) -> str | None:
        """For notebooks: the move on its board, and the best candidates in a table."""
        position = self.position
        if position is None:
            return None
        cells = [] if self.resigns else position.game.path(self.move)
        arrows = tuple(itertools.pairwise(cells))
        ringed = () if arrows else tuple(cells)
        drawn = sized(position.game.draw(position, arrows=arrows, ringed=ringed))
        rows = [
            [written[0], f"{one.value:+.3f}", percent(chance), " ".join(written)]
            for one in self.candidates[:MOST_CANDIDATES]
            for written in [line_texts(position, one.line or (one.move,))]
            for chance in [chance_of(one) or 0.0]
        ]
        heads = ("= move", "# value", "# chance", "expected line")
        return notebook_part([drawn, *([table(heads, rows)] if rows else [])])


def chance_of(judged: Choice | Candidate) -> float | None:
    """The chance of winning with a move; by default its value is taken for the average result."""
    if judged.chance is not None or judged.value is None:
        return judged.chance
    return (1 + judged.value) / 2


def expectation(judged: Choice | Candidate) -> float | None:
    """The chance as a result from -1 to 1, which can be compared between players."""
    chance = chance_of(judged)
    return None if chance is None else 2 * chance - 1


Listener = Callable[[Choice], None]
"""Called with the best choice so far, again and again, while a player chooses."""


class Player(ABC):
    """Chooses moves. `name` is its name in reports.

    A `listener` is called with its best choice so far; not every player does so. `is_stopped` is
    asked again and again while it thinks: once it is true, the best choice so far has to do.
    """

    name: str
    listener: Listener | None = None
    is_stopped: Callable[[], bool] | None = None

    @property
    def uses_tables(self) -> bool:
        """Whether it looks into endgame tables, in a game that has some."""
        return False

    def begin(self, game: Game, colour: str, seed: int) -> None:  # noqa: B027
        """Get ready for a game: forget the last one, and draw random numbers from this seed.

        A player that plays both sides is told so for each of them.
        """

    @abstractmethod
    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """Choose a move in a position in which the game goes on."""

    def priors(self, position: Position) -> Mapping[Move, float] | None:
        """How likely each move is to be the best before any search; None if it has no opinion."""
        return None

    def chance(self, colour: str, value: float) -> float:
        """The chance of winning of this colour, a draw being half a win, if it found this value."""
        return (1 + value) / 2

    def dead_stones(self, position: Position) -> Sequence[str] | None:
        """The stones that it calls dead where a game is to be counted; None: all count as alive."""
        return None

    def resume(self) -> None:  # noqa: B027
        """Be told that the players disagree about dead stones, so that their passes are taken back.

        What is on the board when both pass again counts as alive.
        """

    def close(self) -> None:  # noqa: B027
        """Release what the player holds: a process, a file."""

    def __str__(self) -> str:
        return self.name
