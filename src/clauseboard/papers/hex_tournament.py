"""The players of the tournament of the Hex thesis: their games, first moves and clauses."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clauseboard.game import load_game
from clauseboard.games.hex import HexMove
from clauseboard.games.hex.drawing import clause_text
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.rules import Hex
from clauseboard.games.hex.solving import Solver
from clauseboard.papers import (
    BoardDrawing,
    Contents,
    Figure,
    JsonObject,
    ReadValues,
    ResultLookup,
    RunSize,
    Task,
    TaskResult,
    of_each,
    one_by_one,
)
from clauseboard.papers.boards import BoardSet, Run
from clauseboard.papers.hex_boards import PERFECT, SEARCHED, half, side_of
from clauseboard.papers.matches import Pairing, games_of
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_task, loaded

GAMES = 10
"""Of each pairing."""

SCALE = 100_000
"""The lead in votes that the thesis takes for a sure win."""

SIMULATIONS, ROLLOUT_SIMULATIONS, ROLLOUTS = 10_000, 1_000, 20

SMALL_EPOCHS, FULL_EPOCHS = 10, 50
"""Epochs that the machines learn at less than full size, and as published."""

SIDES = {"red": "black", "blue": "white"}
"""`TrainingSchedule.side` of a colour: the first colour is black there, whatever the game."""

MONTE_CARLO, TREE = "MCTS", "tree search"
DATA_NAMES = {PERFECT: "17k", SEARCHED: "287k"}


@dataclass(frozen=True)
class TournamentPlayer:
    """A player of table 5.8: its machines, the boards they learned from, and its search."""

    name: str
    machine: MachineParameters
    kind: BoardSet
    search: str

    @property
    def row(self) -> str:
        """The name of its row in table 5.8."""
        return f"{self.name}: {self.search} on {DATA_NAMES[self.kind]}"

    def tasks(self, run: Run) -> tuple[Task, ...]:
        """The tasks that train its machines, red's and blue's, each on nine folds of ten."""
        boards, machine = run.boards(self.kind), self.machine.at(run.size)
        epochs = min(run.size.epochs, FULL_EPOCHS if run.size.name == "full" else SMALL_EPOCHS)
        return tuple(
            fold_task(
                half(boards, colour), 0, machine,
                TrainingSchedule(epochs, stop=None, side=side), keep=True,
            )
            for colour, side in SIDES.items()
        )  # fmt: skip

    def line(self, size: RunSize, first: int) -> str:
        """The player in a line; its machines are the two from number `first` on."""
        machine = self.machine.at(size)
        machines = f"tsetlin:red={{{first}}},blue={{{first + 1}}}"
        if self.search == TREE:
            return f"{machines},search=full_width,depth=3,sees_end=false"
        scale = SCALE * machine.T / self.machine.T
        return f"{machines},search=mcts,simulations={simulations(size)},scale={scale:g}"


MACHINE_PLAYERS = {
    player.name: player
    for player in (
        TournamentPlayer("TM1", MachineParameters(500, 6_000, 10), PERFECT, MONTE_CARLO),
        TournamentPlayer("TM2", MachineParameters(500, 12_000, 40), SEARCHED, MONTE_CARLO),
        TournamentPlayer("TM3", MachineParameters(9_600, 12_000, 40), SEARCHED, MONTE_CARLO),
        TournamentPlayer("TM4", MachineParameters(500, 6_000, 10), PERFECT, TREE),
        TournamentPlayer("TM5", MachineParameters(9_600, 12_000, 40), SEARCHED, TREE),
    )
}
"""Table 5.8."""

PLAYERS = ("Rand.", "RR", *MACHINE_PLAYERS)
"""In the order of tables 5.9 and 5.10."""


def simulations(size: RunSize, of: int = SIMULATIONS) -> int:
    """The number of simulations for a move: fewer with fewer clauses."""
    return max(20, round(of * min(1.0, 4 * size.share)))


def pairing(first: str, second: str, run: Run) -> tuple[Task, ...]:
    """The games in which one player is red, and another one is blue."""
    machines: list[Task] = []
    lines = []
    for name in (first, second):
        lines.append(_line(name, run.size, len(machines)))
        if name in MACHINE_PLAYERS:
            machines += MACHINE_PLAYERS[name].tasks(run)
    side = side_of(run.boards(PERFECT))
    played = Pairing("hex", lines[0], lines[1], machines=tuple(machines), parameters={"size": side})
    return played.tasks(run.size.games_of(GAMES))


def _line(name: str, size: RunSize, first: int) -> str:
    """A player in a line, by its name in the thesis."""
    if name == "Rand.":
        return "random"
    if name == "RR":
        few = simulations(size, ROLLOUT_SIMULATIONS)
        return f"rollouts:simulations={few},rollouts={ROLLOUTS}"
    return MACHINE_PLAYERS[name].line(size, first)


def pairs() -> list[tuple[str, str]]:
    """All pairings, red first; the two without a machine do not play themselves."""
    return [(a, b) for a in PLAYERS for b in PLAYERS if a != b or a in MACHINE_PLAYERS]


@dataclass(frozen=True)
class TournamentTable(Contents):
    """A figure for each pairing."""

    published: Mapping[str, Sequence[float | None]]
    """By the player of the row, who is red; against each of `PLAYERS`, who is blue."""
    values: ReadValues
    unit: str
    """What the figures are, as it stands in their names."""
    games: int | None = None
    """Games of which the published numbers count some; ours are a percentage then."""

    def figures(self, run: Run) -> list[Figure]:
        """A figure for each pairing."""
        figures = []
        for red, blue in pairs():
            published = self.published[red][PLAYERS.index(blue)]
            if published is not None and self.games is not None:
                published = 100 * published / self.games
            figures.append(
                Figure(
                    f"{red} as red", f"against {blue}, {self.unit}", published,
                    pairing(red, blue, run), self.values, digits=1, published_games=self.games,
                )
            )  # fmt: skip
        return figures


def stones(done: Sequence[TaskResult]) -> list[float]:
    """The mean number of stones at the end of games; every move puts one on the board."""
    return [statistics.fmean(game["moves"] for game in games_of(done))]


def plan_players(run: Run) -> list[Figure]:
    """Table 5.8: the players' settings, and how well their machines predict unseen boards."""
    figures = []
    for player in MACHINE_PLAYERS.values():
        tasks, row = player.tasks(run), player.row
        whole, machine = player.machine, player.machine.at(run.size)
        for name, published, ours in (
            ("clauses", whole.clauses, machine.clauses),
            ("threshold", whole.T, machine.T),
            ("s", whole.s, machine.s),
        ):
            figures.append(Figure(row, name, published, tasks, _constant(ours),
                                  settings=str(machine), digits=0))  # fmt: skip
        for colour, task in zip(SIDES, tasks, strict=True):
            figures.append(Figure(row, f"accuracy, {colour}", None, (task,), settings=str(machine)))
    return figures


def _constant(value: float) -> ReadValues:
    return lambda done: [value]


# ---- figure 5.16: first moves

SOLVER = "solver"
"""In the place of MoHex 2.0, which plays perfectly on this board, too."""

WINS, CENTRE = "first moves that win", "first moves in the centre"


class FirstMovesTable(Contents):
    """The first moves of the players with machines, and of a solver."""

    def tasks(self, run: Run) -> dict[str, Task]:
        """By player, a task that looks at its games against itself."""
        side = side_of(run.boards(PERFECT))
        solver = Pairing("hex", SOLVER, SOLVER, parameters={"size": side})
        games = {
            SOLVER: solver.tasks(run.size.games_of(GAMES)),
            **{name: pairing(name, name, run) for name in MACHINE_PLAYERS},
        }
        return {
            name: Task(judge_first_moves, {"size": side}, needs=tasks)
            for name, tasks in games.items()
        }

    def figures(self, run: Run) -> list[Figure]:
        """How many of the first moves win, and how many are in the centre."""
        return [
            Figure(name, column, None, (task,), percent(key))
            for name, task in self.tasks(run).items()
            for column, key in ((WINS, "wins"), (CENTRE, "centre"))
        ]

    def drawings(self, run: Run, results: ResultLookup) -> list[BoardDrawing]:
        """The board after the first three moves of either side, in each player's first game."""
        drawings = []
        for name, task in self.tasks(run).items():
            game, moves = _hex(task), results(task).result["begins"][0]
            position = game.start()
            for move in moves:
                position = position.play(position.read_move(move))
            title = f"{name}: {' '.join(moves)}"
            drawings.append(BoardDrawing(title, game.text(position), game.draw(position)))
        return drawings


def _hex(task: Task) -> Hex:
    game = load_game("hex", size=task.settings["size"])
    assert isinstance(game, Hex)
    return game


@one_by_one("hex_figure_5_16.look_at")
def judge_first_moves(task: Task) -> JsonObject:
    """How games begin, and whether their first moves win against any reply."""
    game = _hex(task)
    start = game.start()
    games = [played["begins"] for match in task.given for played in match["games"]]
    boards = boards_of(game, [start])
    winning = int(Solver(game.size).label_moves(game, boards, np.zeros(1, np.int8))[0])
    cells = [divmod(n, game.size) for n in range(game.size**2) if winning >> n & 1]
    begun = [start.read_move(moves[0]) for moves in games]
    first = [move for move in begun if isinstance(move, HexMove)]  # nobody can swap at once
    middle = {(game.size - 1) // 2, game.size // 2}
    return {
        "begins": games,
        "wins": [(move.row, move.column) in cells for move in first],
        "centre": [{move.row, move.column} <= middle for move in first],
    }


def percent(name: str) -> ReadValues:
    """The share of games of which something is true."""
    return of_each(lambda result: 100 * float(np.mean(result[name])))


# ---- figures 5.17 to 5.21: patterns that clauses have learned

LOSS, WIN = 0, 1
"""Classes of a machine."""

BRIDGES = ((1, 1), (2, -1), (-1, 2), (-1, -1), (-2, 1), (1, -2))
"""From a cell to those with which it makes a bridge: columns, then rows."""


@dataclass(frozen=True)
class PatternFigure:
    """A figure: whose machine, which class the clause votes for, and its published weight."""

    number: str
    player: str
    class_: int
    weight: int
    bridge: bool = False
    """Whether it has to have a bridge: two red stones that no single move can part."""

    @property
    def name(self) -> str:
        """The name of the row."""
        word = "win" if self.class_ == WIN else "loss"
        return f"figure {self.number}: {self.player}, {word}{', bridge' if self.bridge else ''}"

    def task(self, run: Run) -> Task:
        """The task that looks for the clause in the machine for red."""
        red, _ = MACHINE_PLAYERS[self.player].tasks(run)
        side = side_of(run.boards(PERFECT))
        settings = {"class": self.class_, "bridge": self.bridge, "size": side}
        return Task(find_clause, settings, needs=(red,))


@one_by_one("hex_figure_5_17.find")
def find_clause(task: Task) -> JsonObject:
    """The heaviest clause that votes for a class, with the names of the bits that it looks at."""
    from clauseboard.tsetlin import TsetlinMachineClassifier

    settings, (given,) = task.settings, task.given
    game = _hex(task)
    names = [bit.name for bit in game.bits()]
    machine = loaded(given, TsetlinMachineClassifier.load)
    cells = {bit.name: bit.cell for bit in game.bits() if bit.piece == game.colours[0]}
    clauses = [
        clause
        for clause in machine.clauses_of(settings["class"], names)
        if clause.favours
        and (not settings["bridge"] or has_bridge(cells[n] for n in clause.required if n in cells))
    ]
    if not clauses:
        return {"weight": 0, "required": [], "forbidden": []}
    heaviest = max(clauses, key=lambda clause: (clause.weight, -len(clause.literals)))
    return {
        "weight": heaviest.weight,
        "required": list(heaviest.required),
        "forbidden": list(heaviest.forbidden),
    }


def has_bridge(cells: Iterable[str | None]) -> bool:
    """Whether two of some cells are a bridge.

    >>> has_bridge(["a1", "b2"]), has_bridge(["c1", "b3"]), has_bridge(["a1", "b1"])
    (True, True, False)
    """
    places = {(ord(cell[0]), int(cell[1:])) for cell in cells if cell is not None}
    return any((x + right, y + down) in places for x, y in places for right, down in BRIDGES)


@dataclass(frozen=True)
class PatternTable(Contents):
    """The weights of the clauses that figures show; the patterns themselves are drawn."""

    patterns: tuple[PatternFigure, ...]

    def figures(self, run: Run) -> list[Figure]:
        """The weight of each clause; 0 if there is none."""
        weight = of_each(lambda result: result["weight"])
        return [
            Figure(p.name, "weight", p.weight, (p.task(run),), weight, digits=0)
            for p in self.patterns
        ]

    def drawings(self, run: Run, results: ResultLookup) -> list[BoardDrawing]:
        """The clauses on the board."""
        drawings = []
        for pattern in self.patterns:
            task = pattern.task(run)
            game, result = _hex(task), results(task).result
            bits = {bit.name: bit for bit in game.bits()}
            needed = [bits[name] for name in result["required"]]
            forbidden = [bits[name] for name in result["forbidden"]]
            drawings.append(
                BoardDrawing(
                    f"{pattern.name}, weight {result['weight']}",
                    clause_text(game, needed, forbidden),
                    game.draw(needed=needed, forbidden=forbidden),
                )
            )
        return drawings
