"""How often one readable machine is right about the end of a game of checkers, over ten folds.

Final boards and their results, in three classes. For every fold the machine is made from the other
nine: Tsetlin Machines find clauses over named bits, and these are weighed together (see
`clauseboard.selfplay.find_clauses`). The penalty is chosen on inner folds: two of the nine are
watched by machines made from the other seven. The test fold is looked at once, at the end. Boards
turned round, with the colours exchanged, are learned from, too.

    python benchmarks/accuracy.py --data boards.npz --seeds 1 2 3 --out results/accuracy.json

Each measurement is written to the file as it comes; the same command goes on where it was.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from clauseboard.game import load_game
from clauseboard.games.checkers import board_features
from clauseboard.games.checkers.encoding import Words, packed_squares, unpacked, words_of_rows
from clauseboard.selfplay.find_clauses import find_result_clauses, result_machine_of
from clauseboard.selfplay.fit_weights import weigh_results
from clauseboard.selfplay.settings import ResultSettings
from stamp import keep, new_parser, stamp
from tsetlin_data import DataError, read_or_make

PENALTIES = (100.0, 30.0)
"""What weights may cost; the first of those that do equally well on the inner folds is taken."""

WATCHED = 2
"""Inner folds that are watched: the next ones after the test fold."""

EXCHANGED = np.array([1, 0, 2])
"""The result of a board whose colours are exchanged: a loss is a win, a draw is a draw."""


def glance(boards: Words, turn: bool) -> np.ndarray:
    """The squares, and what is counted at a glance."""
    return np.concatenate([squares(boards, turn), board_features.columns(boards, turn)], axis=1)


def ahead(boards: Words, turn: bool) -> np.ndarray:
    """The same, and what comes of the board within six moves."""
    return np.concatenate(
        [glance(boards, turn), board_features.lookahead_columns(boards, turn)], axis=1
    )


def squares(boards: Words, turn: bool) -> np.ndarray:
    """A bit for each piece on each square."""
    return unpacked(packed_squares(boards, turn))


SQUARE_NAMES = [bit.name for bit in load_game("checkers").bits()]
GLANCE_NAMES = SQUARE_NAMES + board_features.names(load_game("checkers"))
SETS: dict[str, tuple[Callable[[Words, bool], np.ndarray], list[str]]] = {
    "squares": (squares, SQUARE_NAMES),
    "glance": (glance, GLANCE_NAMES),
    "foresight": (ahead, GLANCE_NAMES + board_features.lookahead_names()),
}


@dataclasses.dataclass(frozen=True)
class Boards:
    """Boards as rows of bits, as they are and turned; their results and folds."""

    rows: np.ndarray
    turned: np.ndarray
    results: np.ndarray
    folds: np.ndarray
    names: list[str]

    @classmethod
    def of(cls, data: dict[str, np.ndarray], bits: str) -> Boards:
        """The boards of a file, with bits of a set."""
        columns, names = SETS[bits]
        words = words_of_rows(np.unpackbits(data["boards"], axis=1))
        results = data["result"].astype(np.int64)
        return cls(columns(words, False), columns(words, True), results, data["fold"], names)

    def lessons(self, without: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """The boards that are not of these folds, with their copies, and their results."""
        left = ~np.isin(self.folds, without)
        results = self.results[left]
        return (
            np.concatenate([self.rows[left], self.turned[left]]),
            np.concatenate([results, EXCHANGED[results]]),
        )

    def right(self, machine: Any, folds: list[int]) -> float:
        """The share of the boards of these folds that a machine is right about."""
        here = np.isin(self.folds, folds)
        return float(machine.score(self.rows[here], self.results[here]))


def chosen(boards: Boards, fold: int, recipe: ResultSettings, seed: int) -> dict[str, float]:
    """What machines with each penalty get right on the inner folds."""
    order = sorted(set(boards.folds.tolist()))
    after = [order[(order.index(fold) + 1 + k) % len(order)] for k in range(WATCHED)]
    rows, results = boards.lessons([fold, *after])
    clauses = find_result_clauses(rows, results, recipe, seed)
    found = {}
    for penalty in PENALTIES:
        tried = dataclasses.replace(recipe, penalty=penalty)
        weighed = weigh_results(rows, results, clauses, tried, seed)
        machine = result_machine_of(*weighed, np.unique(results), boards.names)
        found[f"{penalty:g}"] = boards.right(machine, after)
    return found


def measured(
    boards: Boards, fold: int, recipe: ResultSettings, seed: int, inner: dict[str, float]
) -> dict[str, Any]:
    """A machine made from the other folds, and what it gets right on this one."""
    start = time.process_time()
    penalty = max(inner, key=lambda one: inner[one])
    recipe = dataclasses.replace(recipe, penalty=float(penalty))
    rows, results = boards.lessons([fold])
    clauses = find_result_clauses(rows, results, recipe, seed)
    clauses, weights = weigh_results(rows, results, clauses, recipe, seed)
    machine = result_machine_of(clauses, weights, np.unique(results), boards.names)
    return {
        "accuracy": boards.right(machine, [fold]),
        "clauses": len(clauses),
        "literals": float(clauses.sum(axis=1).mean()),
        "penalty": float(penalty),
        "inner": inner,
        "seconds": round(time.process_time() - start, 1),
    }


def main() -> int:
    """Measure what is not measured yet, and write the page."""
    options = arguments()
    try:
        data, source = read_or_make(options.data)
        before = earlier(options.out, source)
    except DataError as error:
        print(f"accuracy.py: {error}", file=sys.stderr)
        return 2
    result = before or {
        "what": "accuracy of one readable machine over folds",
        **stamp(),
        "data": source,
        "recipe": dataclasses.asdict(ResultSettings()),
        "rows": [],
    }
    rows: list[dict[str, Any]] = result["rows"]
    known: dict[str, Boards] = {}
    folds = options.folds or sorted(set(data["fold"].tolist()))
    for seed, bits, kept, fold in itertools.product(
        options.seeds, options.bits, options.kept, folds
    ):
        size = {"kept": kept, "shorter": options.shorter}
        where = {"bits": bits, **size, "fold": fold, "seed": seed}
        if any(where.items() <= row.items() for row in rows):
            continue
        if bits not in known:
            known[bits] = Boards.of(data, bits)
        boards = known[bits]
        # What is chosen for a fold with the first seed holds for the others, and for other sizes.
        watched = [row["inner"] for row in rows if (row["bits"], row["fold"]) == (bits, fold)]
        recipe = dataclasses.replace(ResultSettings(), **size)
        inner = watched[0] if watched else chosen(boards, fold, recipe, seed)
        rows.append({**where, **measured(boards, fold, recipe, seed, inner)})
        print(line(rows[-1]), flush=True)
        if options.out:
            keep(result, options.out, page(result))
    print("\n".join(table(rows)))
    return 0


def earlier(path: Path | None, source: str) -> dict[str, Any] | None:
    """What was measured before, with the same data and in the same way."""
    if path is None or not path.is_file():
        return None
    found: dict[str, Any] = json.loads(path.read_text())
    recipe = json.loads(json.dumps(dataclasses.asdict(ResultSettings())))
    if (found["data"], found["recipe"]) != (source, recipe):
        raise DataError(f"{path.name} has results of other boards or another recipe; name another.")
    return found


def line(row: dict[str, Any]) -> str:
    """One measurement."""
    return (
        f"{row['bits']}, fold {row['fold']}, seed {row['seed']}: {100 * row['accuracy']:.2f} %, "
        f"{row['clauses']} clauses of {row['literals']:.1f} literals, penalty {row['penalty']:g}, "
        f"{row['seconds']} s"
    )


def table(rows: list[dict[str, Any]]) -> list[str]:
    """Mean over folds and seeds for each set of bits; the spreads of both."""
    lines = [
        "| bits | accuracy | folds | seeds | between folds | between seeds | clauses | literals |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    kinds = [(row["bits"], row["kept"], row["shorter"]) for row in rows]
    for kind in dict.fromkeys(kinds):
        here = [row for row, its in zip(rows, kinds, strict=True) if its == kind]
        by_fold, by_seed = (
            [
                np.mean([100 * row["accuracy"] for row in here if row[key] == value])
                for value in sorted({row[key] for row in here})
            ]
            for key in ("fold", "seed")
        )
        mean = np.mean([100 * row["accuracy"] for row in here])
        bits, kept, shorter = kind
        if (kept, shorter) != (ResultSettings().kept, ResultSettings().shorter):
            bits += f", `--kept {kept} --shorter {shorter:g}`"
        lines.append(
            f"| {bits} | {mean:.2f} % | {len(by_fold)} | {len(by_seed)} "
            f"| {spread(by_fold)} | {spread(by_seed)} "
            f"| {np.mean([row['clauses'] for row in here]):,.0f} "
            f"| {np.mean([row['literals'] for row in here]):.1f} |"
        )
    return lines


def spread(means: list[float]) -> str:
    """The standard deviation of some means, if there are several."""
    return f"± {np.std(means):.2f}" if len(means) > 1 else ""


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    machine = result["machine"]
    return "\n".join(
        [
            f"Measured {result['date'][:10]} on {machine['cpu']}, one core, Python "
            f"{machine['python']}, by `{result['command']}`, on {result['data']}.",
            "",
            *table(result["rows"]),
            "",
        ]
    )


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("--data", type=Path, help="boards, results and folds; without it made-up boards are used")
    add("--seeds", type=int, nargs="+", default=[1, 2, 3], help="default: 1 2 3")
    add("--folds", type=int, nargs="+", help="only these folds")
    add("--bits", nargs="+", choices=SETS, default=["glance", "foresight"], help="sets of bits")
    add(
        "--kept",
        type=int,
        nargs="+",
        default=[ResultSettings().kept],
        help="clauses (default: 1000)",
    )
    add(
        "--shorter",
        type=float,
        default=0.0,
        help="as in `ResultSettings` (default: 0, as they are)",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
