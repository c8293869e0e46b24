"""`clauseboard demo`: watch a small machine learn from generated boards.

The boards are noughts and crosses, filled at random; the question is whether X has three in a
row. Some of the answers that the machine is told are wrong. It is told nothing of rows,
columns or diagonals: those are what its clauses should turn out to be.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console

from clauseboard.tsetlin import Clause, TsetlinMachineClassifier

CELLS = [f"{column}{row}" for row in (3, 2, 1) for column in "abc"]
LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip
BIT_NAMES = [f"{stone} on {cell}" for stone in "XO" for cell in CELLS]


def demo(
    boards: Annotated[int, typer.Option(min=100, help="Boards to learn from.")] = 5000,
    clauses: Annotated[int, typer.Option(min=2, help="Clauses per class.")] = 200,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the boards.")] = 15,
    noise: Annotated[
        float, typer.Option(min=0.0, max=0.4, help="Share of wrong labels in the training data.")
    ] = 0.1,
    seed: Annotated[
        int, typer.Option(min=0, help="Random seed: the same seed gives the same machine.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the clauses as JSON.")] = False,
) -> None:
    """Train a small Tsetlin Machine on generated boards and print its clauses.

    Example: clauseboard demo --boards 2000 --noise 0.2
    """
    console = Console(stderr=as_json, highlight=False)
    rng = np.random.default_rng(seed)
    X, y = made_up_boards(rng, boards)
    labels = np.where(rng.random(boards) < noise, np.where(y == "line", "none", "line"), y)
    unseen = made_up_boards(rng, 2000)

    console.print(
        f"\n{boards:,} boards of noughts and crosses, {100 * noise:.0f} % of the answers wrong. "
        "Does X have three in a row?\n"
    )
    console.print(_pictures([_board(row) for row in X[:6]], list(labels[:6])))
    machine = TsetlinMachineClassifier(
        n_clauses=clauses,
        threshold=20 * clauses,
        specificity=15.0,
        max_literals=6,
        block_size=64,
        epochs=epochs,
        random_state=seed,
    )

    def show(epoch: Any) -> None:
        bar = "█" * round(40 * epoch.score)
        console.print(
            f"epoch {epoch.number:3d}  {bar:40s} {100 * epoch.score:5.1f} % of unseen boards"
        )

    machine.fit(X, labels, validation=unseen, callback=show, progress=False, bit_names=BIT_NAMES)
    rules = machine.rules()
    if as_json:
        sys.stdout.write(rules.to_json() + "\n")
        return
    for class_, title in (("line", "X has three in a row"), ("none", "X has not")):
        best = [rule for rule in rules if rule.class_ == class_ and rule.favours][:6]
        console.print(f"\nThe strongest clauses that say: {title}  (votes below)\n")
        console.print(_pictures([_drawn(rule) for rule in best], [f"{r.votes:+d}" for r in best]))
    console.print("X O  must be there     -x -o  must not be there     ·  does not matter\n")
    index = int(np.flatnonzero(unseen[1] == "line")[0])
    tally = machine.explain(unseen[0][index])
    console.print("One unseen board, and the votes on it:\n")
    console.print(_pictures([_board(unseen[0][index])], [""]))
    for label, total in tally.votes.items():
        cast = tally.of(label)
        console.print(
            f"{total:+5d} votes for '{label}', cast by {len(cast)} clauses; the strongest:"
        )
        for vote in cast[:3]:
            console.print(f"        {vote.clause}", soft_wrap=True)
    console.print("\nThe same in Python: see the README.")


def made_up_boards(
    rng: np.random.Generator, n_boards: int
) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Random boards as 18 bits, X first, and whether X has a line; about half of them do."""
    stones = rng.choice(3, size=(8 * n_boards, 9), p=[0.3, 0.4, 0.3])
    cross, nought = stones == 1, stones == 2
    line = np.any([cross[:, list(cells)].all(axis=1) for cells in LINES], axis=0)
    half = n_boards // 2
    chosen = np.concatenate([np.flatnonzero(line)[:half], np.flatnonzero(~line)[: n_boards - half]])
    chosen = rng.permutation(chosen)
    X = np.concatenate([cross, nought], axis=1).astype(np.uint8)
    return X[chosen], np.where(line[chosen], "line", "none")


def _board(bits: NDArray[np.uint8]) -> list[str]:
    return [" X" if bits[k] else " O" if bits[9 + k] else " ·" for k in range(9)]


def _drawn(clause: Clause) -> list[str]:
    cells = []
    for cell in CELLS:
        signs = [stone for stone in "XO" if f"{stone} on {cell}" in clause.required]
        nots = [stone.lower() for stone in "XO" if f"{stone} on {cell}" in clause.forbidden]
        if signs:
            cells.append(" " + signs[0])
        elif len(nots) == 2:
            cells.append("-#")
        else:
            cells.append("-" + nots[0] if nots else " ·")
    return cells


def _pictures(boards: list[list[str]], captions: list[str]) -> str:
    """Boards side by side, each with a caption below."""
    lines = [
        "     ".join(" ".join(board[3 * row : 3 * row + 3]) for board in boards) for row in range(3)
    ]
    lines.append("     ".join(f"{caption:^8s}" for caption in captions))
    return "\n".join("   " + line.rstrip() for line in lines) + "\n"
