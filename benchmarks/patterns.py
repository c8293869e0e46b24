"""What a simulation costs with moves by what is around them, beside one with a random game alone.

One core, by the processor's time; the ways take turns, and the best of several runs counts for
each. The first move of a game, one random game at each leaf: by plain UCT; with all moves alike
(PUCT without votes); with the patterns of the player that comes with the package; with RAVE; and,
in Go, with answers in the random games, and with tactics in them.

    python benchmarks/patterns.py --out benchmarks/results/patterns.json
"""

from __future__ import annotations

from typing import Any

from clauseboard.game import load_game
from clauseboard.learners.tsetlin.board_evaluator import loaded
from clauseboard.learners.tsetlin.move_votes import PatternEvaluator
from clauseboard.players.shipped import FOLDER, card_for
from clauseboard.search.mcts import Rollouts
from turns import Work, best_seconds, first_move, how_measured, measure_and_keep

BOARDS = (("Hex 11x11", "hex", 11), ("Go 9x9", "go", 9))
PLAIN = "plain UCT"


def works_of(name: str, size: int, simulations: int) -> dict[str, Work]:
    """The searches of one board, by what they do."""
    game = load_game(name, size=size)
    machine = loaded(FOLDER / str(card_for(game).moves))
    voting, silent = (PatternEvaluator(game, machine, zero=zero) for zero in (False, True))
    ways: dict[str, tuple[Any, dict[str, float]]] = {
        PLAIN: (Rollouts(game), {}),
        "no votes": (silent, {}),
        "patterns": (voting, {}),
        "patterns, RAVE": (voting, {"rave": 1000.0}),
    }
    if name == "go":
        answers = {"rave": 1000.0, "answers": 1.0}
        ways["patterns, RAVE, answers"] = (voting, answers)
        ways["patterns, RAVE, answers, tactics"] = (voting, {**answers, "tactics": True})
    return {
        label: first_move(game, judge, simulations, rollouts=1, **options)
        for label, (judge, options) in ways.items()
    }


def measure(simulations: int, repeats: int) -> dict[str, Any]:
    """Microseconds a simulation of everything, in turns."""
    found = {}
    for label, name, size in BOARDS:
        best = best_seconds(works_of(name, size, simulations), repeats)
        found[label] = {way: 1e6 * seconds / simulations for way, seconds in best.items()}
    return {"microseconds": found}


def report(result: dict[str, Any]) -> str:
    """The costs as a page of Markdown."""
    lines = [
        how_measured(result),
        "",
        "| | µs a simulation | times plain UCT |",
        "|---|---:|---:|",
    ]
    for label, costs in result["microseconds"].items():
        for way, cost in costs.items():
            lines.append(f"| {label}, {way} | {cost:.2f} | {cost / costs[PLAIN]:.2f} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    measure_and_keep(__doc__, measure, report)
