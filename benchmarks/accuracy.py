"""How often one readable machine is right about the end of a game of checkers, over ten folds.

Final boards and their results, in three classes. For every fold a `ClauseClassifier` is made from
the other nine: clauses over named bits are found and weighed together. The penalty is chosen on
inner folds of the nine. The test fold is looked at once, at the end. Boards turned round, with the
colours exchanged, are learned from, too; a board and its copy are on the same side of inner folds.

    python benchmarks/accuracy.py --data boards.npz --out results/accuracy.json

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
from clauseboard.games.checkers.concept_kernels import N_CONCEPTS, count_boards
from clauseboard.games.checkers.concepts import CONCEPTS
from clauseboard.games.checkers.encoding import Words, packed_squares, unpacked, words_of_rows
from clauseboard.games.concepts import bits_of_counts, concept_bits
from clauseboard.tsetlin import ClauseClassifier
from clauseboard.tsetlin.clause_classifier import FINDERS
from stamp import keep, new_parser, stamp
from tsetlin_data import DataError, read_or_make

UNTOUCHED = 2
"""Folds, the first ones, that had no part in any choice of bits or settings."""

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


def concepts(boards: Words, turn: bool) -> np.ndarray:
    """What is counted at a glance, and the concepts of the game."""
    counts = np.empty((len(boards), 2 * N_CONCEPTS), np.int64)
    # It is not known which side is to move; here it is the one that looks.
    sides = np.full(len(boards), int(turn), np.int64)
    count_boards(np.require(boards, None, ["C", "W"]), sides, counts)
    black, white = counts[:, :N_CONCEPTS], counts[:, N_CONCEPTS:]
    seen = bits_of_counts(CONCEPT_BITS, *((white, black) if turn else (black, white)))
    return np.concatenate([glance(boards, turn), seen], axis=1)


CONCEPT_BITS = [bit for bit in concept_bits(CONCEPTS) if bit.concept.name != "turn"]
SQUARE_NAMES = [bit.name for bit in load_game("checkers").bits()]
GLANCE_NAMES = SQUARE_NAMES + board_features.names(load_game("checkers"))
SETS: dict[str, tuple[Callable[[Words, bool], np.ndarray], list[str]]] = {
    "squares": (squares, SQUARE_NAMES),
    "glance": (glance, GLANCE_NAMES),
    "concepts": (concepts, GLANCE_NAMES + [bit.name for bit in CONCEPT_BITS]),
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

    def lessons(self, without: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The boards that are not of this fold, with their copies; their results; their folds."""
        left = self.folds != without
        results = self.results[left]
        return (
            np.concatenate([self.rows[left], self.turned[left]]),
            np.concatenate([results, EXCHANGED[results]]),
            np.tile(self.folds[left], 2),
        )


def measured(boards: Boards, fold: int, size: int, options: dict[str, Any]) -> dict[str, Any]:
    """A classifier made from the other folds, and what it gets right on this one."""
    start = time.process_time()
    rows, results, groups = boards.lessons(fold)
    # The penalty that is chosen for a fold holds for all sizes and seeds.
    classifier = ClauseClassifier(size, **options, inner_folds=0 if options["penalty"] else 3)
    classifier.fit(rows, results, groups=groups, bit_names=boards.names)
    clauses = {rule.literals for rule in classifier.rules()}
    here = boards.folds == fold
    return {
        "accuracy": classifier.score(boards.rows[here], boards.results[here]),
        "clauses": len(clauses),
        "literals": float(np.mean([len(literals) for literals in clauses])),
        "penalty": classifier.penalty_,
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
    recipe = {"finder": options.finder, "shorten": options.shorten}
    result = before or {
        "what": "accuracy of one readable classifier over folds",
        **stamp(),
        "data": source,
        "rows": [],
    }
    rows: list[dict[str, Any]] = result["rows"]
    known: dict[str, Boards] = {}
    folds = options.folds or sorted(set(data["fold"].tolist()))
    for seed, bits, fold, size in itertools.product(
        options.seeds, options.bits, folds, options.clauses
    ):
        chosen = {"bits": bits, **recipe, "fold": fold}
        where = {**chosen, "size": size, "seed": seed}
        if any(where.items() <= row.items() for row in rows):
            continue
        if bits not in known:
            known[bits] = Boards.of(data, bits)
        before_this = [row["penalty"] for row in rows if chosen.items() <= row.items()]
        settings = {
            **recipe,
            "penalty": before_this[0] if before_this else None,
            "random_state": seed,
        }
        rows.append({**where, **measured(known[bits], fold, size, settings)})
        print(line(rows[-1]), flush=True)
        keep(result, options.out, page(result))
    print("\n".join(table(rows)))
    return 0


def earlier(path: Path | None, source: str) -> dict[str, Any] | None:
    """What was measured before, with the same data."""
    if path is None or not path.is_file():
        return None
    before: dict[str, Any] = json.loads(path.read_text())
    if before["data"] != source:
        raise DataError(f"{path.name} has results of other boards; name another file.")
    return before


def line(row: dict[str, Any]) -> str:
    """One measurement."""
    return (
        f"{row['bits']}, {row['finder']}, fold {row['fold']}, seed {row['seed']}: "
        f"{100 * row['accuracy']:.2f} %, "
        f"{row['clauses']} clauses of {row['literals']:.1f} literals, penalty {row['penalty']:g}, "
        f"{row['seconds']} s"
    )


def table(rows: list[dict[str, Any]]) -> list[str]:
    """Means over folds and seeds for each set of bits and each size; the spreads of both."""
    lines = [
        "| bits | clauses of | clauses, at most | accuracy | folds 0 and 1 | folds | seeds "
        "| between folds | between seeds | literals |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    kinds = [(row["bits"], row["finder"], row["shorten"], row["size"]) for row in rows]
    for kind in sorted(set(kinds), key=lambda kind: (list(SETS).index(kind[0]), kind[1:])):
        here = [row for row, its in zip(rows, kinds, strict=True) if its == kind]
        by_fold, by_seed = (
            [
                np.mean([100 * row["accuracy"] for row in here if row[key] == value])
                for value in sorted({row[key] for row in here})
            ]
            for key in ("fold", "seed")
        )
        bits, finder, shorten, size = kind
        if shorten:
            finder += f", `--shorten {shorten:g}`"
        mean = np.mean([100 * row["accuracy"] for row in here])
        apart = [100 * row["accuracy"] for row in here if row["fold"] < UNTOUCHED]
        lines.append(
            f"| {bits} | {finder} | {size:,} | {mean:.2f} % "
            f"| {f'{np.mean(apart):.2f} %' if apart else ''} | {len(by_fold)} | {len(by_seed)} "
            f"| {spread(by_fold)} | {spread(by_seed)} "
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
    add("--seeds", type=int, nargs="+", default=[1], help="default: 1")
    add("--folds", type=int, nargs="+", help="only these folds")
    add("--bits", nargs="+", choices=SETS, default=["concepts"], help="sets of bits")
    add("--clauses", type=int, nargs="+", default=[100, 1000, 300, 30], help="how many, at most")
    add("--finder", choices=FINDERS, default=ClauseClassifier().finder, help="where from")
    add("--shorten", type=float, default=0.0, help="as of `ClauseClassifier` (default: 0)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
