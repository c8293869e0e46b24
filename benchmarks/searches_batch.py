"""How fast the searches are that judge in batches, on one core, beside themselves without kernels.

Each search looks for a move with states that kernels expand and with positions, as for an evaluator
that is no data; both in turn, three times, of which the best counts. The machine for Hex
is of the size that the thesis used (6,400 clauses a class, threshold 12,000, specificity 40),
trained on 17,000 boards whose winner is that of most random games from there. What is judged are
all 42,840 boards three moves from the empty board, for which the thesis names 2 seconds.

    python benchmarks/searches_batch.py --out benchmarks/results/searches-batch.json
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from clauseboard.evaluation import Evaluator, Judgements
from clauseboard.game import load_game
from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator
from clauseboard.player import Choice
from clauseboard.search import load_search
from clauseboard.tsetlin import TsetlinMachineClassifier
from stamp import keep, new_parser, stamp

TRIALS = 3
THESIS_SECONDS = 2.0


class ByPositions(Evaluator):
    """The same evaluator, as if it could see positions only."""

    def __init__(self, inner: Evaluator) -> None:
        self.inner, self.game = inner, inner.game

    def judge(self, positions: Sequence[Any]) -> Judgements:
        """Judge positions, all at once."""
        return self.inner.judge(positions)


def random_positions(game: Any, n: int, most: int, seed: int) -> list[Any]:
    """Positions after 1 to `most` random moves."""
    rng = np.random.default_rng(seed)
    found: list[Any] = []
    while len(found) < n:
        position = game.start()
        for _ in range(rng.integers(1, most + 1)):
            moves = position.moves()
            if not moves:
                break
            position = position.play(moves[rng.integers(len(moves))])
        if position.moves():
            found.append(position)
    return found


def hex_machine(game: Any, clauses: int, boards: int) -> MachineEvaluator:
    """A machine that tells who wins most random games."""
    from clauseboard.games.hex.encoding import play_out

    positions = random_positions(game, boards, 30, seed=1)
    red = [play_out(position, 50, n)[0] for n, position in enumerate(positions)]
    return trained(game, positions, np.array(red) >= 25, clauses)


def trained(game: Any, positions: list[Any], first_wins: Any, clauses: int) -> MachineEvaluator:
    """A machine trained on these positions, to name the winner."""
    machine = TsetlinMachineClassifier(
        n_clauses=clauses, threshold=12_000, specificity=40.0, epochs=5, random_state=1, n_jobs=1
    )
    labels = np.where(first_wins, *game.colours)
    machine.fit(game.encode(positions), labels)
    return MachineEvaluator(game, machine)


def material_machine(game: Any, clauses: int, boards: int) -> MachineEvaluator:
    """A machine that tells which side has more bits set on a board: more stones, or men."""
    positions = random_positions(game, boards, 60, seed=2)
    half = len(game.bits()) // 2
    rows = game.encode(positions).astype(np.int64)
    return trained(game, positions, rows[:, :half].sum(1) > rows[:, half:].sum(1), clauses)


def different(evaluator: MachineEvaluator) -> int:
    """How many clauses are left of both classes, once equal ones are counted together."""
    return int(np.count_nonzero(evaluator.judges[0].table.weights))


def timed(search: Any, position: Any, evaluators: list[Evaluator]) -> tuple[list[float], Choice]:
    """The best time with each evaluator, which have to agree; the first run does not count."""
    best = [np.inf] * len(evaluators)
    choices = [search.find(position, evaluator) for evaluator in evaluators]
    if any(choice != choices[0] for choice in choices):
        raise RuntimeError(f"{search} chooses otherwise without kernels.")
    for _ in range(TRIALS):
        for n, evaluator in enumerate(evaluators):
            start = time.perf_counter()
            search.find(position, evaluator)
            best[n] = min(best[n], time.perf_counter() - start)
    return best, choices[0]


def main() -> int:
    """Measure, print and perhaps keep it."""
    options = arguments()
    clauses, boards = (200, 500) if options.quick else (6400, 17_000)
    hex_game, go, checkers = load_game("hex", size=6), load_game("go"), load_game("checkers")
    on_hex = hex_machine(hex_game, clauses, boards)
    on_go = material_machine(go, clauses, boards // 4)
    on_checkers = material_machine(checkers, clauses, boards // 4)
    rows = []
    for what, name, settings, evaluator in (
        ("Hex 6x6, all boards", "full_width", {}, on_hex),
        ("Hex 6x6, all boards", "breadth_first", {}, on_hex),
        ("Hex 6x6", "width_depth", {"width": 3, "depth": 7}, on_hex),
        ("Go 9x9", "width_depth", {"width": 3, "depth": 5}, on_go),
        ("checkers, all boards", "breadth_first", {}, on_checkers),
        ("checkers, all boards", "breadth_first", {"depth": 5}, on_checkers),
    ):
        search, position = load_search(name, **settings), evaluator.game.start()
        evaluators = [evaluator, ByPositions(evaluator)]
        (seconds, slow), choice = timed(search, position, evaluators)
        rows.append(
            {
                "what": what,
                "search": repr(search),
                "depth": choice.cost.depth,
                "boards": choice.cost.nodes,
                "seconds": seconds,
                "seconds_by_positions": slow,
            }
        )
        print(line(rows[-1]), flush=True)
    result = {
        "what": "speed of the searches by batches",
        **stamp(),
        "clauses": clauses,
        "different_clauses": {e.game.name: different(e) for e in (on_hex, on_go, on_checkers)},
        "versions": {"clauseboard": importlib.metadata.version("clauseboard")},
        "thesis_seconds": THESIS_SECONDS,
        "rows": rows,
    }
    keep(result, options.out, page(result))
    return 0


def line(row: dict[str, Any]) -> str:
    """A row of the table."""
    name = row["search"].split("(")[0]
    return (
        f"| {row['what']} | {name}, depth {row['depth']} | {row['boards']:,} "
        f"| {row['seconds']:.3f} | {row['boards'] / row['seconds']:,.0f} "
        f"| {row['seconds_by_positions'] / row['seconds']:.1f} |"
    )


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    first = result["rows"][0]
    return "\n".join(
        [
            f"Measured {result['date'][:10]} on {result['machine']['cpu']}, one core, Python "
            f"{result['machine']['python']}, by `{result['command']}`, with machines of "
            f"{result['clauses']:,} clauses a class. All boards on the third level of Hex 6x6 take "
            f"{first['seconds']:.2f} s; the thesis needed {result['thesis_seconds']:.0f} s.",
            "",
            "| from the start | search | boards judged | seconds | boards a second "
            "| times as fast as by positions |",
            "|---|---|---:|---:|---:|---:|",
            *(line(row) for row in result["rows"]),
            "",
        ]
    )


def arguments() -> argparse.Namespace:
    """Read the command line."""
    return new_parser(__doc__, "small machines, to try it").parse_args()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
