"""How many simulations a second Monte-Carlo tree search makes, beside OpenSpiel's bot in C++.

One core, 10,000 simulations for the first move of a game, by the processor's time, so that other
work on the machine counts less; the two take turns, and the best of several runs counts for each.
Random games at the leaves: one a leaf, in both. And our search with a Tsetlin Machine of 500
clauses a class as its judge, which has been trained on random games.

    python benchmarks/searches_mcts.py --out benchmarks/results/searches-mcts.json
"""

from __future__ import annotations

import importlib.metadata
import math
from typing import Any

import numpy as np

from clauseboard.game import load_game
from clauseboard.games.hex import encoding as hex_encoding
from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator
from clauseboard.search.mcts import Rollouts
from clauseboard.tsetlin import TsetlinMachineClassifier
from turns import Work, best_seconds, first_move, how_measured, measure_and_keep

BOARDS = (
    ("Hex 6x6", "hex", {"size": 6}, "hex(board_size=6)"),
    ("Hex 11x11", "hex", {"size": 11}, "hex(board_size=11)"),
    ("Go 9x9", "go", {"size": 9}, "go(board_size=9)"),
)
CLAUSES = 500
MACHINE = f"Hex 6x6, a machine of {CLAUSES} clauses a class"


def ours(name: str, parameters: dict[str, Any], simulations: int) -> Work:
    """Our search with one random game a leaf."""
    game = load_game(name, **parameters)
    return first_move(game, Rollouts(game), simulations, rollouts=1)


def spiel(name: str, simulations: int) -> Work:
    """OpenSpiel's bot with one random game a leaf, and its solver, as ours has one."""
    import pyspiel

    game = pyspiel.load_game(name)

    def search(seed: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
        bot = pyspiel.MCTSBot(
            game, evaluator, math.sqrt(2), simulations, 1000, True, seed, False
        )  # uct_c, simulations, memory in MB, solver, seed, verbose
        return bot.step(game.new_initial_state())

    return search


def machine_search(simulations: int) -> Work:
    """Our search with a machine as its judge, on Hex 6x6."""
    game = load_game("hex", size=6)
    played = hex_encoding.random_games(game, 20_000, 1)
    rng = np.random.default_rng(0)
    boards = np.zeros_like(played.boards)
    for i, (cells, length) in enumerate(zip(played.cells, played.lengths, strict=True)):
        for n, cell in enumerate(cells[: rng.integers(10, length)]):
            boards[i, n % 2, 0] |= np.uint64(1) << np.uint64(cell)
    rows = np.unpackbits(
        hex_encoding.pack(game, boards), axis=1, count=len(game.bits()), bitorder="little"
    )
    labels = np.array(["red", "blue"])[played.winners]
    machine = TsetlinMachineClassifier(
        n_clauses=CLAUSES, threshold=6000, specificity=10.0, epochs=5, random_state=0
    )
    machine.fit(rows, labels)
    evaluator = MachineEvaluator(game, machine, scale=100_000)
    print(f"machine: {machine.score(rows, labels):.3f} of its own boards right", flush=True)
    return first_move(game, evaluator, simulations)


def measure(simulations: int, repeats: int) -> dict[str, Any]:
    """Simulations a second of everything, in turns."""
    version = importlib.metadata.version("open_spiel")
    works: dict[str, Work] = {}
    for label, name, parameters, theirs in BOARDS:
        works[f"{label}, ours"] = ours(name, parameters, simulations)
        works[f"{label}, OpenSpiel"] = spiel(theirs, simulations)
    works[MACHINE] = machine_search(simulations)
    best = best_seconds(works, repeats)
    rates = {label: simulations / seconds for label, seconds in best.items()}
    return {"open_spiel": version, "simulations a second": rates}


def report(result: dict[str, Any]) -> str:
    """The rates as a page of Markdown."""
    rates = result["simulations a second"]
    lines = [
        how_measured(result, beside=f"; OpenSpiel {result['open_spiel']}"),
        "",
        "| simulations a second | clauseboard | OpenSpiel, C++ | times |",
        "|---|---:|---:|---:|",
    ]
    for label, *_ in BOARDS:
        fast, slow = rates[f"{label}, ours"], rates[f"{label}, OpenSpiel"]
        lines.append(f"| {label}, random games | {fast:,.0f} | {slow:,.0f} | {fast / slow:.1f} |")
    lines += [f"| {MACHINE} | {rates[MACHINE]:,.0f} | | |", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    measure_and_keep(__doc__, measure, report)
