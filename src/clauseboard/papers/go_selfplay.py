"""Clauses and self-play of chapter 8 of the Go thesis.

The clauses of the figures are those that weigh or vote most, in the tree search or in a game.

The thesis plays ten games a pairing and does not say what makes them differ. Here each game has
its own machines: those that were trained without the first fold play the first game, and so on.
A game ends after 70 moves and is scored by area.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from clauseboard.arena.playing import play_game
from clauseboard.game import load_game
from clauseboard.games.drawing import clause_signs
from clauseboard.games.go.drawing import LETTER, clause_text
from clauseboard.games.go.rules import Go, GoPosition, score
from clauseboard.papers import (
    BoardDrawing,
    Contents,
    Figure,
    JsonObject,
    ReadValues,
    ResultLookup,
    Task,
    TaskResult,
    one_by_one,
)
from clauseboard.papers.boards import Run
from clauseboard.papers.go_boards import GAME
from clauseboard.papers.go_search import (
    SEARCHER,
    NoPassRandomPlayer,
    NoPassSearch,
    clause_rows,
    evaluator_of,
    machine_task,
    search_tasks,
)
from clauseboard.papers.matches import match_figures
from clauseboard.papers.shapes import MachineRow
from clauseboard.players.searcher import SearchPlayer

if TYPE_CHECKING:
    from clauseboard.evaluation import Evaluator
    from clauseboard.explaining.clause_statistics import ClauseCount
    from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator

# ---- clauses

FOR, AGAINST = "for", "against"
HOW = {
    "TP": "votes for it, rightly",
    "FP": "votes for it, wrongly",
    "TN": "votes against it, rightly",
    "FN": "votes against it, wrongly",
    FOR: "votes for it",
    AGAINST: "votes against it",
}
"""Ways to count the votes of a clause; the last two whether they are right or not."""


@dataclass(frozen=True)
class ClauseFigure:
    """A clause that a figure shows: whose win it is about, and how it was chosen."""

    figure: str
    colour: str
    how: str
    """One of `HOW`."""
    place: int = 0
    """0 is the first one."""
    by_weight: bool = False
    """Whether the weight counts, and not the votes that were cast."""
    signs: int | None = None
    """The number of signs of the published clause."""
    absent: int | None = None
    """How many of these say what must not be there."""

    @property
    def row(self) -> str:
        """The name of its row."""
        most = "highest weight" if self.by_weight else f"number {self.place + 1}"
        return f"figure {self.figure}: {self.colour}'s win, {HOW[self.how]}, {most}"

    def chosen(self, counts: Sequence[ClauseCount]) -> ClauseCount | None:
        """Our clause in its place; None if there are too few."""
        clauses = [count for count in counts if count.reason.about == self.colour]
        if self.by_weight:
            clauses = [c for c in clauses if c.reason.favours == (self.how == FOR)]
            clauses.sort(key=lambda count: -count.reason.weight)
        else:
            clauses = [count for count in clauses if self.votes(count)]
            clauses.sort(key=lambda count: -self.votes(count))
        return clauses[self.place] if self.place < len(clauses) else None

    def votes(self, count: ClauseCount) -> int:
        """The votes of a clause, counted as `how` says: boards times its weight."""
        if self.how in (FOR, AGAINST):
            return count.reason.weight * count.fired * (count.reason.favours == (self.how == FOR))
        return count.weighted[self.how]

    def drawing(self, counts: Sequence[ClauseCount]) -> list[BoardDrawing]:
        """The clause on a board, with its votes; nothing if there is none."""
        count = self.chosen(counts)
        if count is None:
            return []
        title = (
            f"Figure {self.figure}: clause {count.index} on {self.colour}'s win, {HOW[self.how]}; "
            f"weight {count.reason.weight:,}, {self.votes(count):,} such votes"
        )
        needed, forbidden = count.reason.needed, count.reason.forbidden
        picture = GAME.draw(needed=needed, forbidden=forbidden)
        return [BoardDrawing(title, clause_text(GAME, needed, forbidden), picture)]


def added(evaluator: MachineEvaluator, results: Iterable[JsonObject]) -> list[ClauseCount]:
    """All clauses of a machine, with their counts added up over some tasks."""
    from clauseboard.explaining.clause_statistics import count_clauses

    fired: Counter[tuple[str | None, int]] = Counter()
    right: Counter[tuple[str | None, int]] = Counter()
    for result in results:
        for colour, index, times, rightly in result["clauses"]:
            fired[colour, index] += times
            right[colour, index] += rightly
    nothing = np.zeros((0, -(-len(GAME.bits()) // 8)), np.uint8)
    blank = count_clauses(evaluator, nothing, np.zeros(0), np.zeros(0))
    keys = [(count.reason.about, count.index) for count in blank]
    return [
        replace(count, fired=fired[key], right=right[key])
        for count, key in zip(blank, keys, strict=True)
    ]


def signs_of(count: ClauseCount | None) -> list[str]:
    """The signs that a clause has on the board."""
    if count is None:
        return []
    return list(clause_signs(count.reason.needed, count.reason.forbidden, LETTER).values())


def absences(signs: Sequence[str]) -> int:
    """How many signs say what must not be there."""
    return sum(sign.startswith("-") for sign in signs)


@dataclass(frozen=True)
class SearchClauseTable(Contents):
    """The clauses that weigh and vote most in the tree search."""

    clauses: tuple[ClauseFigure, ...]

    def tasks(self, run: Run) -> tuple[Task, ...]:
        """The machine first, then the searches."""
        return (machine_task(run), *search_tasks(run))

    def figures(self, run: Run) -> list[Figure]:
        """Two figures for each clause: its signs, and those of absence."""
        tasks, settings, counts = self.tasks(run), str(SEARCHER.at(run.size)), _Adding()
        return [
            Figure(clause.row, name, published, tasks, counts.read(clause, count),
                   settings=settings, digits=0)
            for clause in self.clauses
            for name, published, count in (
                ("signs", clause.signs, len),
                ("of absence", clause.absent, absences),
            )
        ]  # fmt: skip

    def drawings(self, run: Run, results: ResultLookup) -> list[BoardDrawing]:
        """Our clauses in the place of the published ones."""
        counts = _Adding()([results(task) for task in self.tasks(run)])
        return [drawing for clause in self.clauses for drawing in clause.drawing(counts)]


class _Adding:
    """Adds clauses up, and remembers the last sum: all figures ask for the same."""

    def __init__(self) -> None:
        self._last: tuple[Sequence[TaskResult], list[ClauseCount]] | None = None

    def __call__(self, done: Sequence[TaskResult]) -> list[ClauseCount]:
        if self._last is None or self._last[0] != done:
            machine, *searches = (task.result for task in done)
            self._last = done, added(evaluator_of(machine), searches)
        return self._last[1]

    def read(self, clause: ClauseFigure, count: Callable[[Sequence[str]], int]) -> ReadValues:
        return lambda done: [count(signs_of(clause.chosen(self(done))))]


# ---- self-play

RANDOM = "Random"
GAMES = 10
MOVES = {"quick": 16, "default": 70, "full": 70}
"""The length of a game, by size: a quick one only shows that it can be played."""

WIDTH, DEPTH = 3, 3
WATCHED = ("TM4", "TM3")
"""Black and white of the pairing whose clauses and boards the thesis shows; its first game here."""

SHOWN_TURNS = (1, 16, 60, 61, 69, 70)
"""The turns of figures 8.28 to 8.33."""


@one_by_one("go_playing.play")
def play(task: Task) -> JsonObject:
    """Play a game: winner, reason and length; of a watched one also turns and clauses."""
    from clauseboard.explaining.clause_statistics import Counting

    settings, machines = task.settings, iter(task.given)
    game = _game(settings["rules"])
    evaluators: list[Evaluator | None] = [
        None if name == RANDOM else evaluator_of(next(machines), game)
        for name in settings["players"]
    ]
    watched = None
    if settings["watched"]:
        evaluators[0] = watched = Counting(evaluators[0])  # type: ignore[arg-type]
    search = NoPassSearch(settings["width"], settings["depth"])
    players = [
        NoPassRandomPlayer(game) if judge is None else SearchPlayer(judge, replace(search))
        for judge in evaluators
    ]
    record = play_game(game, players, seed=settings["seed"])
    winner = None if record.winner is None else game.colours.index(record.winner)
    result = {"winner": winner, "reason": record.reason, "moves": len(record.moves)}
    if watched is None:
        return {"games": [result]}
    watched.ended(record.winner)
    return {
        "games": [result],
        "turns": turns_of(game, record.moves, [watched.inner, evaluators[1]]),
        "clauses": clause_rows(watched.counts()),
    }


def _game(rules: JsonObject) -> Go:
    game = load_game("go", **rules)
    assert isinstance(game, Go)
    return game


def turns_of(
    game: Go, moves: Sequence[str], evaluators: Sequence[Evaluator | None]
) -> list[dict[str, object]]:
    """Each move of a game, and the prediction of the board after it by its player's machine."""
    position, turns = game.start(), []
    for number, name in enumerate(moves):
        mover, evaluator = position.to_move, evaluators[number % 2]
        assert evaluator is not None
        position = position.play(position.read_move(name))
        turns.append({"mover": mover, "move": name, **prediction(position, evaluator)})
    return turns


def prediction(position: GoPosition, evaluator: Evaluator) -> dict[str, object]:
    """The predicted winner of a board, with its votes; its area, and the board itself."""
    judged = evaluator.judge([position])
    assert judged.votes is not None
    place = int(judged.predicted()[0])
    return {
        "predicted": judged.winners[place] or "draw",
        "votes": int(judged.votes[0, place]),
        "area": score(position).margin,
        "position": position.game.write_position(position),
    }


@dataclass(frozen=True)
class SelfPlayTable(Contents):
    """Wins of black and white in each pairing, draws; and the size of the top clauses."""

    machines: tuple[MachineRow, ...]
    pairings: tuple[tuple[str, int, int, str], ...]
    """Black machine, black wins, white wins, white machine."""
    clauses: tuple[ClauseFigure, ...]
    clause_row: str

    def machine(self, name: str) -> MachineRow | None:
        """The machine with a name; None for random moves."""
        return next((row for row in self.machines if row.name == name), None)

    def game_tasks(self, black: str, white: str, run: Run) -> tuple[Task, ...]:
        """The games of a pairing, one a task; the first of the watched pairing says more."""
        rows = filter(None, map(self.machine, (black, white)))
        trained = [row.tasks(run, stop=None) for row in rows]
        settings = {
            "players": [black, white],
            "rules": {"size": 9, "max_moves": MOVES[run.size.name]},
            "width": WIDTH,
            "depth": DEPTH,
            "passes": False,
        }
        return tuple(
            Task(
                play,
                {**settings, "seed": game + 1, "watched": (black, white) == WATCHED and game == 0},
                needs=tuple(by_fold[game % len(by_fold)] for by_fold in trained),
            )
            for game in range(run.size.games_of(GAMES))
        )

    def clause_tasks(self, run: Run) -> tuple[Task, ...]:
        """The watched machine as it was trained for the first game, and that game."""
        game = self.game_tasks(*WATCHED, run)[0]
        return game.needs[0], game

    def figures(self, run: Run) -> list[Figure]:
        """Three figures for each pairing, and one of the clauses."""
        figures = []
        for black, black_wins, white_wins, white in self.pairings:
            rows = filter(None, map(self.machine, (black, white)))
            settings = "; ".join(f"{row.name}: {row.machine.at(run.size)}" for row in rows)
            figures += match_figures(
                f"{black} against {white}", ("black wins", "white wins"),
                (black_wins, white_wins, 0), self.game_tasks(black, white, run), settings,
            )  # fmt: skip
        tasks, watched = self.clause_tasks(run), self.machine(WATCHED[0])
        assert watched is not None
        settings = f"{watched.name}: {watched.machine.at(run.size)}"
        signs = Figure(
            self.clause_row, "signs a clause", None, tasks, self.mean_signs, settings=settings
        )
        return [*figures, signs]

    def mean_signs(self, done: Sequence[TaskResult]) -> list[float]:
        """The mean number of signs of the clauses."""
        counts = added(evaluator_of(done[0].result), [done[1].result])
        chosen = [clause.chosen(counts) for clause in self.clauses]
        sizes = [len(signs_of(count)) for count in chosen if count is not None]
        return [statistics.fmean(sizes) if sizes else 0.0]

    def drawings(self, run: Run, results: ResultLookup) -> list[BoardDrawing]:
        """Turns of a game as in figures 8.28 to 8.33, and the clauses of 8.34 to 8.45."""
        machine, game = (results(task).result for task in self.clause_tasks(run))
        counts = added(evaluator_of(machine), [game])
        turns = [
            _turn_drawing(f"8.{28 + place}", number, game["turns"][number - 1])
            for place, number in enumerate(SHOWN_TURNS)
            if number <= len(game["turns"])
        ]
        return [*turns, *(d for clause in self.clauses for d in clause.drawing(counts))]


def _turn_drawing(figure: str, number: int, turn: JsonObject) -> BoardDrawing:
    game = _game({"size": 9, "max_moves": MOVES["full"]})
    position = game.read_position(turn["position"])
    title = (
        f"Figure {figure}: {' vs '.join(WATCHED)} turn {number}, {turn['mover']} {turn['move']}; "
        f"predicted {turn['predicted']}, votes {turn['votes']:,}, area {turn['area']:+g}"
    )
    return BoardDrawing(title, str(position), game.draw(position))
