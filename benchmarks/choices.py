"""What pays in learning patterns: symmetric copies, bits, lengths, numbers of clauses, ensembles.

From the games of a life with patterns (`clauseboard learn`, docs/patterns.md) machines are made in
several ways, each with one thing changed, and asked on games that none of them has seen: how often
the move that the search went to most is their first guess, how often it is among the first five,
and how far their chances are off (the mean logarithmic loss, in nats; chance is what it is if all
moves are alike).

    python benchmarks/choices.py go9.learn --game go --size 9 --rounds 3 4 --out benchmarks/results/choices.json
"""  # noqa: E501

from __future__ import annotations

import dataclasses
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Game, load_game
from clauseboard.games.hex import Hex
from clauseboard.search.compiled_rules import MoveFeatures, move_features_of, unpacked
from clauseboard.selfplay.find_clauses import find_patterns, vote_accuracy
from clauseboard.selfplay.fit_weights import weigh_patterns
from clauseboard.selfplay.games import LearningStore, SelfPlayGame
from clauseboard.selfplay.settings import MachineSettings
from clauseboard.selfplay.training_set import MoveTrainingSet, move_training_set
from clauseboard.tsetlin.joint_weights import fires, single
from edge_templates import edges_seen
from stamp import keep, new_parser, stamp

TEST = 0.2
"""The share of the games that is held back."""

SEEDS = (1, 2, 3)

USUAL = MachineSettings(
    move_clauses=500, moves_kept=800, move_epochs=12, move_literals=5, specificity=3.0, seed=1
)
"""As for the players that come with the package."""

DENYING = dataclasses.replace(USUAL, only_there=False)
"""Clauses may say what is not there, as is usual for Tsetlin Machines."""


def main() -> None:
    """Make the machines, and tell how they do."""
    parser = new_parser(__doc__, quick="a tenth of the games")
    parser.add_argument("file", type=Path, help="the file of `clauseboard learn`")
    parser.add_argument("--game", default="go", help="go or hex")
    parser.add_argument("--size", type=int, default=9, help="of the board")
    parser.add_argument("--rounds", type=int, nargs=2, default=(1, 1), help="first and last")
    parser.add_argument("--games", type=int, default=250, help="games that are taken")
    told = parser.parse_args()
    game = load_game(told.game, size=told.size)
    with LearningStore(told.file) as store:
        games = store.games(*told.rounds)[: told.games // (10 if told.quick else 1)]
    moves, test = divided(game, games)
    result: dict[str, Any] = {
        "what": "choices in learning patterns", **stamp(), "game": repr(game),
        "games": len(games), "boards": len(moves), "held_back": len(test), "rows": [],
    }  # fmt: skip
    print(f"{len(moves)} boards, {len(test)} held back", flush=True)

    def report(name: str, votes: NDArray[Any], clauses: int, seconds: float) -> None:
        row = {"name": name, "clauses": clauses, "seconds": seconds, **vote_accuracy(votes, test)}
        result["rows"].append(row)
        print(line(row), flush=True)
        keep(result, told.out, page_of(result))

    report("all moves alike", np.zeros(len(test.rows)), 0, 0.0)
    tried(game, moves, test, report)
    if isinstance(game, Hex):
        # Other bits are seen on the same boards, so that the same moves are right.
        seen = edges_seen(game)
        moves, shown = divided(game, games, seen)
        for seed in SEEDS:
            settings = dataclasses.replace(USUAL, seed=seed)
            report(
                f"with bits for edge templates, seed {seed}", *made(moves, shown, seen, settings)
            )


def divided(
    game: Game, games: list[SelfPlayGame], seen: MoveFeatures | None = None
) -> tuple[MoveTrainingSet, MoveTrainingSet]:
    """TrainingSet of most games, and all moves of those held back."""
    n_test = int(TEST * len(games))
    test = move_training_set(game, games[:n_test], others=None, seen=seen)
    return move_training_set(game, games[n_test:], seen=seen), test


def tried(game: Game, moves: MoveTrainingSet, test: MoveTrainingSet, report: Any) -> None:
    """One machine for each choice."""
    seen = move_features_of(game)

    def told(
        name: str, settings: MachineSettings = USUAL, seen: MoveFeatures = seen, **changed: Any
    ) -> Any:
        one = made(changed.get("moves", moves), test, seen, settings, changed.get("only"))
        report(name, *one)
        return one

    base = told("only what is there: pairs, and what a machine finds")
    for kept in (100, 300, 1600):
        told(f"at most {kept:,} clauses kept", dataclasses.replace(USUAL, moves_kept=kept))
    told("every literal: what is there, and what is not", DENYING)
    told("no symmetric copies", seen=dataclasses.replace(seen, ways=seen.ways[:1]))
    for most in (2, 3, 8):
        told(f"every literal, up to {most}", dataclasses.replace(DENYING, move_literals=most))
    for kept in (100, 300, 1600):
        told(
            f"every literal, at most {kept:,} clauses kept",
            dataclasses.replace(DENYING, moves_kept=kept),
        )
    told("single bits only", only=single)
    n_cells, n_bits = 2 * seen._around.N_CELLS, len(seen.names)
    named = np.zeros(2 * n_bits, np.bool_)
    named[n_cells:n_bits] = named[n_bits + n_cells :] = True
    told("stones around the move only", only=lambda c: ~c[:, named].any(axis=1))
    chosen = dataclasses.replace(moves, shares=best_only(moves))
    told("the most visited move only, not shares", moves=chosen)
    others = [told(f"seed {seed}", dataclasses.replace(USUAL, seed=seed)) for seed in SEEDS[1:]]
    together = [base, *others]
    votes = np.mean([one[0] for one in together], axis=0)
    counts, seconds = (sum(one[k] for one in together) for k in (1, 2))
    report("three machines, the mean of their votes", votes, counts, seconds)


def made(
    moves: MoveTrainingSet,
    test: MoveTrainingSet,
    seen: MoveFeatures,
    settings: MachineSettings,
    only: Any = None,
) -> tuple[NDArray[np.float64], int, float]:
    """A machine's votes on the boards held back, its number of clauses, and the seconds it took.

    With `only`, a clause is taken if that says so.
    """
    start = time.perf_counter()
    found = find_patterns(moves, seen, settings)
    if only is not None:
        found = found[only(found)]
    clauses, weights = weigh_patterns(
        moves,
        found,
        seen,
        most=settings.moves_kept,
        epochs=settings.move_epochs,
        seed=settings.seed,
    )
    shown = unpacked(test.rows, len(seen.names))
    votes = np.zeros(len(shown))
    for part in range(0, len(shown), 1 << 15):
        rows = slice(part, part + (1 << 15))
        votes[rows] = fires(shown[rows], clauses) @ weights
    return votes, len(clauses), time.perf_counter() - start


def best_only(moves: MoveTrainingSet) -> NDArray[np.float64]:
    """All of a board's share for its best move."""
    shares = np.zeros_like(moves.shares)
    for start, end in zip(moves.first[:-1], moves.first[1:], strict=True):
        shares[start + moves.shares[start:end].argmax()] = 1.0
    return shares


def line(row: dict[str, Any]) -> str:
    """A row of the table."""
    return (
        f"| {row['name']} | {row['clauses']:,} | {row['first']:.1%} | {row['in five']:.1%} | "
        f"{row['loss']:.3f} |"
    )


def page_of(result: dict[str, Any]) -> str:
    """The table."""
    head = [
        f"Measured {result['date'][:10]} by `{result['command']}`: {result['games']} games, "
        f"{result['boards']:,} boards learned from, {result['held_back']:,} of other games asked.",
        "",
        "| | clauses | first guess | in five | loss |",
        "|---|---:|---:|---:|---:|",
    ]
    return "\n".join([*head, *map(line, result["rows"])]) + "\n"


if __name__ == "__main__":
    main()
