"""Figures 5.17 to 5.21 of the Hex thesis: patterns that clauses have learned, drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clauseboard.game import load_game
from clauseboard.papers.experiment import (
    BoardDrawing,
    EpochCallback,
    Figure,
    PaperTable,
    ResultLookup,
    RunSize,
    Task,
    TaskResult,
)
from clauseboard.papers.hex_boards import PERFECT, side_of
from clauseboard.papers.hex_players import MACHINE_PLAYERS, sizes
from clauseboard.papers.hex_tables import COLOURS, MADE, SOURCE
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.training import loaded

LOSS, WIN = 0, 1
"""Classes of a machine."""


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
        """What the row is called."""
        word = "win" if self.class_ == WIN else "loss"
        return f"figure {self.number}: {self.player}, {word}{', bridge' if self.bridge else ''}"

    def task(self, size: RunSize, source: BoardSource) -> Task:
        """The task that looks for the clause in the machine for red."""
        player = next(one for one in MACHINE_PLAYERS if one.name == self.player)
        red, _ = player.tasks(size, source)
        side = side_of(source.boards(PERFECT))
        settings = {"class": self.class_, "bridge": self.bridge, "size": side}
        return Task(find, settings, needs=(red,))


PATTERNS = (
    PatternFigure("5.17", "TM1", WIN, 291),
    PatternFigure("5.18", "TM1", LOSS, 244),
    PatternFigure("5.19", "TM3", WIN, 247),
    PatternFigure("5.20", "TM3", WIN, 164, bridge=True),
    PatternFigure("5.21", "TM3", LOSS, 223),
)


def find(tasks: Sequence[Task], told: EpochCallback, device: str) -> list[Mapping[str, Any]]:
    """The heaviest clause that votes for a class, with the names of the bits that it looks at."""
    return [_found(task) for task in tasks]


def _found(task: Task) -> dict[str, Any]:
    from clauseboard.tsetlin import TsetlinMachineClassifier

    settings, (given,) = task.settings, task.given
    game: Any = load_game("hex", size=settings["size"])
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


BRIDGES = ((1, 1), (2, -1), (-1, 2), (-1, -1), (-2, 1), (1, -2))
"""From a cell to those with which it makes a bridge: columns, then rows."""


def has_bridge(cells: Iterable[str | None]) -> bool:
    """Whether two of some cells are a bridge.

    >>> has_bridge(["a1", "b2"]), has_bridge(["c1", "b3"]), has_bridge(["a1", "b1"])
    (True, True, False)
    """
    places = {(ord(cell[0]), int(cell[1:])) for cell in cells if cell is not None}
    return any((x + right, y + down) in places for x, y in places for right, down in BRIDGES)


def weight(done: Sequence[TaskResult]) -> list[float]:
    """The weight of the clause; 0 if there is none."""
    return [one.result["weight"] for one in done]


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """The weights; the patterns themselves are drawn."""
    return [
        Figure(one.name, "weight", one.weight, (one.task(size, source),), weight, digits=0)
        for one in PATTERNS
    ]


def drawings(size: RunSize, source: BoardSource, look: ResultLookup) -> list[BoardDrawing]:
    """The clauses on the board."""
    return [_drawn(one, one.task(size, source), look) for one in PATTERNS]


def _drawn(pattern: PatternFigure, task: Task, look: ResultLookup) -> BoardDrawing:
    from clauseboard.games.hex.drawing import clause_text

    game: Any = load_game("hex", size=task.settings["size"])
    found = look(task).result
    bits = {bit.name: bit for bit in game.bits()}
    needed, forbidden = ([bits[name] for name in found[key]] for key in ("required", "forbidden"))
    return BoardDrawing(
        f"{pattern.name}, weight {found['weight']}",
        clause_text(game, needed, forbidden),
        game.draw(needed=needed, forbidden=forbidden),
    )


TABLE = PaperTable(
    source=SOURCE,
    number="figure 5.17",
    where="section 5.5, figures 5.17 to 5.21: winning and losing clause patterns",
    title="clause patterns, with figures 5.18 to 5.21",
    plan=plan,
    headline=(PATTERNS[0].name, "weight"),
    notes=(
        "Of the clauses of the machine for red that vote for a class, the heaviest one; for figure "
        "5.20, which shows a bridge, the heaviest that asks for one. 0: there is none. The thesis "
        "chose clauses that are easy to read. Weights grow with epochs and boards.",
        "+R: red has a stone here. -r, -b: no red one, no blue one. -#: none.",
        MADE,
        COLOURS,
    ),
    drawings=drawings,
    sizes=sizes(),
)
