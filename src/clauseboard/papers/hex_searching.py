"""How the Hex thesis made more data: machines search, the solver says who wins, and they learn it.

In each iteration two machines, one for the boards after red's moves and one for those after
blue's, learn from the perfect games and from all that was found before. From random boards the
one of the side to move scores every board three moves on; the highest hundred are kept, with
who wins them in truth. How many of those it calls wins are wins (precision), and how many of the
wins it calls so (recall), is counted over the first k of every search.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Game, load_game
from clauseboard.papers.boards import Boards
from clauseboard.papers.hex_boards import side_of
from clauseboard.papers.machines import Machine
from clauseboard.papers.table import SIZES, Task, Told

if TYPE_CHECKING:
    from clauseboard.games.hex.searched import Line

FEWEST, MOST, DEPTH = 2, 15, 3
"""Stones of a random board, and moves that are searched."""

MACHINE = Machine(6_400, 12_000, 40)
"""What searches in the thesis."""

SHOWN = (1, 2, 10, 27)
"""Iterations whose recall and precision the thesis draws."""


@dataclass(frozen=True)
class Searches:
    """How many iterations there are, what is searched in each, and by which machines."""

    iterations: int = 27
    boards: int = 100
    """Random boards of an iteration."""
    top: int = 100
    """Boards that are kept from each search."""
    machine: Machine = MACHINE
    epochs: int = 50
    learned: int = 100
    """Of the boards that are kept from a search, those that machines learn from."""
    seed: int = 1


def searches_at(n_boards: int | None) -> Searches:
    """As published, or so that about so many boards are found, by machines that are smaller."""
    whole = Searches()
    if n_boards is None:
        return whole
    share = min(1.0, n_boards / (whole.iterations * whole.boards * whole.top))
    # Machines are trained 27 times: these are smaller by half as much again.
    machine = whole.machine.at(replace(SIZES["default"], share=min(1.0, share / 2)))
    if share < 0.01:
        return Searches(4, 15, 20, machine, epochs=3, learned=10)
    # Fewer boards of as many searches tell more than as many boards of fewer.
    return Searches(machine=machine, epochs=6, learned=max(1, int(whole.top * share)))


@dataclass(frozen=True)
class Search:
    """What one search of a side found, best first."""

    colour: str
    lines: tuple[Line, ...]

    def some(self, n: int) -> list[Line]:
        """So many of the lines, evenly spread; all of them, if there are no more."""
        places = np.linspace(0, len(self.lines) - 1, min(n, len(self.lines)))
        return [self.lines[round(place)] for place in places]

    @property
    def called_wins(self) -> NDArray[np.bool_]:
        """Which boards the machine holds for wins of the side that searched."""
        return np.array([line.predicted == self.colour for line in self.lines])

    @property
    def wins(self) -> NDArray[np.bool_]:
        """Which of them are."""
        return np.array([line.winner == self.colour for line in self.lines])


def game_of(boards: Boards) -> Game:
    """The rules of boards, whose size shows in their bits."""
    return load_game("hex", size=side_of(boards))


def after(X: NDArray[np.uint8], colour: str) -> NDArray[np.bool_]:
    """Which boards are those right after a move of a colour: red, who begins, has a stone more."""
    red, blue = np.split(X, 2, axis=1)
    more = red.sum(axis=1, dtype=np.int64) > blue.sum(axis=1, dtype=np.int64)
    return more if colour == "red" else ~more


def iterations(perfect: Boards, plan: Searches) -> Iterator[list[Search]]:
    """The searches of each iteration; the machines are trained anew before each."""
    from clauseboard.datasets import searching
    from clauseboard.games.hex.solver import Solver
    from clauseboard.learners.tsetlin import make_evaluator

    game: Any = game_of(perfect)
    cells = game.size**2
    search = searching.Plan(
        game, "", fewest=FEWEST, most=min(MOST, cells // 2), depth=DEPTH, top=plan.top
    )
    solver = Solver(game.size)
    X, results = perfect.X, perfect.results
    for number in range(1, plan.iterations + 1):
        machines = {c: _trained(X, results, c, plan, game) for c in game.colours}
        judge: Any = make_evaluator(game, **machines)
        judges = dict.fromkeys(game.colours, judge)
        found = []
        for board in range(plan.boards):
            draws = random.Random(f"{plan.seed} {number} {board}")
            root = searching.random_board(game, search.fewest, search.most, draws)
            lines = tuple(searching.found_from(root, board, judges, search, solver))
            found.append(Search(root.to_move, lines))
        yield found
        fresh = [line for one in found for line in one.some(plan.learned)]
        X = np.concatenate([X, game.encode([line.position for line in fresh])])
        won = np.array([line.winner == game.colours[0] for line in fresh], np.uint8)
        results = np.concatenate([results, won])


def _trained(X: Any, results: Any, colour: str, plan: Searches, game: Game) -> Any:
    """A machine for the boards after one side's moves; class 1 is a win of that side."""
    rows = after(X, colour)
    won = results[rows] == (1 if colour == game.colours[0] else 0)
    machine = plan.machine.classifier(epochs=plan.epochs, random_state=plan.seed)
    return machine.fit(
        X[rows], won.astype(np.uint8), bit_names=[bit.name for bit in game.bits()], progress=False
    )


def write_iterations(perfect: Boards, plan: Searches, folder: Path) -> None:
    """Write what the machines are to learn into files, one an iteration."""
    from clauseboard.games.hex.searched import ENDING, write_line

    for number, found in enumerate(iterations(perfect, plan), 1):
        lines = [write_line(line) for one in found for line in one.some(plan.learned)]
        (folder / f"iteration-{number:04}{ENDING}").write_text("".join(lines), "utf-8")


def top_scores(found: Sequence[Search], top: int) -> dict[str, list[float | None]]:
    """Recall and precision over the first 1, 2, ... boards of every search, in percent.

    None where there is nothing to divide by: no win, or nothing that is called one.
    """
    called = np.zeros((len(found), top), np.bool_)
    wins, there = called.copy(), called.copy()
    for row, one in enumerate(found):
        n = len(one.lines)
        called[row, :n], wins[row, :n], there[row, :n] = one.called_wins, one.wins, True

    def upto(chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.cumsum((chosen & there).sum(axis=0))

    right, all_wins, all_called = upto(called & wins), upto(wins), upto(called)

    def percent(of: NDArray[np.int64]) -> list[float | None]:
        return [100 * int(r) / int(n) if n else None for r, n in zip(right, of, strict=True)]

    return {"recall": percent(all_wins), "precision": percent(all_called)}


def search_task(perfect: Boards, plan: Searches) -> Task:
    """All iterations, one after the other: each needs what the last one found."""
    return Task(search_all, {"searches": asdict(plan), "seed": plan.seed}, perfect)


def search_all(tasks: Sequence[Task], told: Told, device: str) -> list[Mapping[str, Any]]:
    """Do such tasks."""
    return [_searched(task) for task in tasks]


def _searched(task: Task) -> dict[str, Any]:
    assert task.boards is not None
    settings = task.settings["searches"]
    plan = Searches(**{**settings, "machine": Machine(**settings["machine"])})
    numbered = enumerate(iterations(task.boards, plan), 1)
    last = min(plan.iterations, max(SHOWN))
    return {
        str(number): top_scores(found, plan.top)
        for number, found in numbered
        if number in SHOWN or number == last
    }
