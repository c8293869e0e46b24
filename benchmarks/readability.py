"""How readable machines are: long clauses or short ones, and what a few reasons explain.

Machines that differ in `max_literals` only are trained on the same boards, and asked about boards
they have not seen: how often they are right; how many literals their clauses have, each counted
once and each counted by its votes; how many reasons speak on a board before and after they are
merged and joined; and what the five strongest reasons make up: of the lead in votes (more than all
of it, if weaker ones speak against it), and of all votes for the side that leads.

The Hex boards are made here: random ones of size 5, and who wins them with best play, by the
solver. With --data, boards of checkers from a file (see tsetlin_data.py) are taken, too.

    python benchmarks/readability.py --out benchmarks/results/readability.json
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from clauseboard.explaining import join, sentence
from clauseboard.game import load_game
from clauseboard.games.solving import solve
from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator
from clauseboard.tsetlin import TsetlinMachineClassifier
from stamp import keep, new_parser, stamp
from tsetlin_data import read

LIMITS = (4, 8, 16, None)
STRONGEST = 5
SEED = 1


def hex_boards(n: int) -> tuple[Any, np.ndarray, np.ndarray, list[str]]:
    """Random boards of Hex 5 × 5 with 6 to 14 stones, and who wins: the game, bits, labels."""
    game = load_game("hex", size=5)
    draw = np.random.default_rng(SEED)
    positions, labels = [], []
    seen = set()
    while len(positions) < n:
        stones = int(draw.integers(6, 15))
        position = game.start()
        for _ in range(stones):
            moves = position.moves()
            if not moves:
                break
            position = position.play(moves[int(draw.integers(len(moves)))])
        key = game.write_position(position)
        if position.outcome() is None and key not in seen:
            seen.add(key)
            positions.append(position)
            labels.append(solve(position).winner)
    return game, game.encode(positions), np.array(labels), [p.to_move for p in positions]


def file_boards(path: Path, n: int) -> tuple[Any, np.ndarray, np.ndarray, list[str]]:
    """Boards of checkers from a file; its results are 0 loss, 1 win, 2 draw, for black."""
    game = load_game("checkers")
    data = read(path)
    chosen = np.random.default_rng(SEED).permutation(len(data["result"]))[:n]
    rows = np.unpackbits(data["boards"][chosen], axis=1)
    return game, rows, data["result"][chosen], ["black"] * len(chosen)


def measure(
    data: tuple[Any, np.ndarray, np.ndarray, list[str]], limit: int | None, options: Any
) -> dict[str, Any]:
    """Train with a limit of literals, and read."""
    game, rows, labels, movers = data
    cut = len(rows) * 4 // 5
    machine = TsetlinMachineClassifier(
        n_clauses=options.clauses, threshold=2 * options.clauses, specificity=9.0,
        max_literals=limit, epochs=options.epochs, random_state=SEED,
    )  # fmt: skip
    machine.fit(rows[:cut], labels[:cut], bit_names=[bit.name for bit in game.bits()])
    judge = MachineEvaluator(game, machine)
    rules = machine.rules()
    lengths = np.array([len(rule.literals) for rule in rules])
    weights = np.array([rule.weight for rule in rules])
    told = [
        read_board(game, judge, rows[k], movers[k])
        for k in range(cut, min(len(rows), cut + options.read))
    ]
    told = [one for one in told if one is not None]
    return {
        "max_literals": limit,
        "accuracy": float(machine.score(rows[cut:], labels[cut:])),
        "rules": len(rules),
        "literals": float(lengths.mean()),
        "literals_by_votes": float((lengths * weights).sum() / weights.sum()),
        "boards_read": len(told),
        "reasons": float(np.mean([one["reasons"] for one in told])),
        "arguments": float(np.mean([one["arguments"] for one in told])),
        "share_of_lead": float(np.median([one["margin"] for one in told])),
        "share_of_votes_for": float(np.mean([one["share"] for one in told])),
        "words": float(np.mean([one["words"] for one in told])),
    }


def read_board(game: Any, judge: MachineEvaluator, row: Any, mover: str) -> dict[str, Any] | None:
    """What one board's reasons are; None if neither side leads.

    `margin` is what the five strongest reasons of either side add up to, in parts of the lead;
    `share` that of the five strongest for the leading side in all votes for it.
    """
    try:
        position = game.decode(row, mover)
    except ValueError:
        return None
    explanation = judge.explain(position)
    first, second = game.colours
    lead = explanation.lead(first)
    if lead == 0:
        return None
    leader = first if lead > 0 else second
    arguments = join(explanation.reasons, game)
    effects = [
        one.votes if one.about == leader else -one.votes
        for one in arguments
        if one.about is not None
    ]
    speaking = [effect for effect in effects if effect > 0]
    five = arguments[:STRONGEST]
    return {
        "reasons": len(explanation.reasons),
        "arguments": len(arguments),
        "margin": sum(effects[:STRONGEST]) / abs(lead),
        "share": sum(speaking[:STRONGEST]) / sum(speaking),
        "words": float(np.mean([len(sentence(one, game).split()) for one in five])),
    }


def main() -> int:
    """Measure, print and perhaps keep it."""
    options = arguments()
    if options.quick:
        options.boards, options.epochs, options.read = 300, 3, 40
    sources = {"Hex 5x5, random boards, labelled by the solver": hex_boards(options.boards)}
    if options.data:
        sources[f"checkers, {options.data.name}"] = file_boards(options.data, options.boards)
    result: dict[str, Any] = {
        "what": "how readable machines are",
        **stamp(),
        "versions": {n: importlib.metadata.version(n) for n in ("clauseboard", "numpy")},
        "seed": SEED,
        "clauses": options.clauses,
        "epochs": options.epochs,
        "data": {},
    }
    for name, data in sources.items():
        commonest = np.unique(data[2], return_counts=True)[1].max() / len(data[2])
        rows = [measure(data, limit, options) for limit in LIMITS]
        result["data"][name] = {
            "boards": len(data[1]),
            "commonest_class": float(commonest),
            "rows": rows,
        }
    print(page(result))
    keep(result, options.out, page(result))
    return 0


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    lines = [
        f"Measured {result['date'][:10]} on {result['machine']['cpu']}, Python "
        f"{result['machine']['python']}, by `{result['command']}` (seed {result['seed']}); "
        f"{versions}. {result['clauses']:,} clauses a class, threshold "
        f"{2 * result['clauses']:,}, specificity 9, {result['epochs']} epochs; four fifths of the "
        "boards to learn from, the rest to test.",
    ]
    for name, data in result["data"].items():
        lines += [
            "",
            f"**{name}**: {data['boards']:,} boards; the commonest class alone would be right in "
            f"{data['commonest_class']:.1%}. One split: accuracies within three points of each "
            "other are as good as equal.",
            "",
            "| max_literals | accuracy | literals a clause | by votes | reasons a board | "
            "merged and joined | 5 strongest: of the lead (median) | "
            "of the votes for the leader | words a sentence |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        ]
        for row in data["rows"]:
            limit = "none" if row["max_literals"] is None else row["max_literals"]
            lines.append(
                f"| {limit} | {row['accuracy']:.1%} | {row['literals']:.1f} | "
                f"{row['literals_by_votes']:.1f} | {row['reasons']:.0f} | {row['arguments']:.0f} | "
                f"{row['share_of_lead']:.0%} | {row['share_of_votes_for']:.0%} | "
                f"{row['words']:.0f} |"
            )
    return "\n".join([*lines, ""])


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__, "few boards, to try it")
    parser.add_argument(
        "--data", type=Path, help="boards of checkers, as tsetlin_data.py reads them"
    )
    parser.add_argument("--boards", type=int, default=6000, help="boards of each kind")
    parser.add_argument("--clauses", type=int, default=400, help="clauses a class")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--read", type=int, default=400, help="boards whose reasons are read")
    return parser.parse_args()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
