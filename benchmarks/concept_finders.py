"""Where the clauses over concepts come from, and what each finder of clauses is worth.

    python benchmarks/concept_finders.py checkers.learn \\
        --out benchmarks/results/concept-finders.json

Takes the last games of a file of `clauseboard learn checkers` and fits machines with the settings
of that command, which differ only in their candidates: single conditions alone, these and the
clauses of a Tsetlin Machine, these and the paths of boosted trees, and all of them. A tenth of the
games is held back for the log loss. A clause that is kept has one condition, or was found by the
machine, by the trees, or by both.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from clauseboard.game import load_game
from clauseboard.games.concepts import concept_bits
from clauseboard.games.plugins import CONCEPTS
from clauseboard.selfplay import concept_machine as concepts
from clauseboard.selfplay.concept_machine import BY_MACHINE, BY_TREES, SINGLE
from clauseboard.selfplay.fit_weights import win_loss_machine
from clauseboard.selfplay.games import LearningStore
from clauseboard.selfplay.running import HELD_BACK
from clauseboard.selfplay.settings import MachineSettings, settings_for
from clauseboard.selfplay.training_set import TrainingSet, held_back, training_set_of
from stamp import keep, new_parser, stamp

HEADS = "candidates", "found", "kept", "one condition", "machine", "trees", "both", "log loss"


def boards_of(path: Path, n_games: int) -> tuple[TrainingSet, TrainingSet, MachineSettings]:
    """The boards of the last games, those held back apart, and the settings they are learned by."""
    game, store = load_game("checkers"), LearningStore(path)
    plan = settings_for(game)
    data = training_set_of(
        game,
        store.games(1, store.decided())[-n_games:],
        result_share=plan.result_share,
        odds=plan.machine.worth_one if plan.odds else 0.0,
        by_solver=plan.by_solver,
        concepts=True,
        seed=plan.seed,
    )
    return *held_back(data, HELD_BACK, plan.seed), plan.machine


def measured(path: Path, n_games: int) -> list[dict[str, Any]]:
    """A row for each choice of candidates."""
    training, test, settings = boards_of(path, n_games)
    data, unseen = (
        concepts.ConceptData(part.boards, part.others, part.values) for part in (training, test)
    )
    bits = concept_bits(CONCEPTS.of(load_game("checkers")).CONCEPTS)
    found = concepts.candidates(data, bits, settings)
    sets = {
        "single conditions": (SINGLE,),
        "and the Tsetlin Machine's clauses": (SINGLE, BY_MACHINE),
        "and the trees' paths": (SINGLE, BY_TREES),
        "all of them": (SINGLE, BY_MACHINE, BY_TREES),
    }
    rows = []
    for name, finders in sets.items():
        clauses = concepts.distinct(np.concatenate([found[finder] for finder in finders]), bits)
        kept, votes = concepts.weigh_sides(data, clauses, bits, settings.kept, settings.penalty)
        machine = win_loss_machine(kept, votes, [bit.name for bit in bits], settings.worth_one)
        sources = concepts.sources(kept, found)
        both = f"{BY_MACHINE} and {BY_TREES}"
        counts = [sources.count(each) for each in (SINGLE, BY_MACHINE, BY_TREES, both)]
        loss = concepts.log_loss(machine, unseen)
        rows.append(dict(zip(HEADS, (name, len(clauses), len(kept), *counts, loss), strict=True)))
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


def page(rows: list[dict[str, Any]]) -> str:
    """The rows as a table."""
    lines = [f"| {' | '.join(HEADS)} |", f"|---{'|---:' * (len(HEADS) - 1)}|"]
    for row in rows:
        name, *counts, loss = row.values()
        cells = [name, *(f"{count:,}" for count in counts), f"{loss:.4f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print and keep."""
    parser = new_parser(__doc__)
    parser.add_argument("learned", type=Path, help="a file of `clauseboard learn checkers`")
    parser.add_argument("--games", type=int, default=1000, help="how many of its last games")
    options = parser.parse_args()
    rows = measured(options.learned, options.games)
    print(page(rows), end="")
    keep({**stamp(), "games": options.games, "rows": rows}, options.out, page(rows))


if __name__ == "__main__":
    main()
