"""What twenty games teach: weights learned by temporal differences against equal weights.

For some seeds: a training of twenty games, then matches of 200 games against the player that has
learned nothing (all weights 1.0), both with the same search; a hundred openings of three moves,
each played with either colour. Then the fuller set of features in the same way, and the memory of
boards: what it costs and what it changes.

    python benchmarks/temporal.py --out benchmarks/results/temporal.json
"""

from __future__ import annotations

import dataclasses
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clauseboard.arena.match import Match, read_openings, run_matches
from clauseboard.game import load_game
from clauseboard.learners.temporal.memory import Memory
from clauseboard.learners.temporal.trainer import TemporalOptions, TemporalTrainer
from stamp import keep, new_parser, stamp

GAMES = 200


def trained(folder: Path, **settings: Any) -> dict[str, Any]:
    """Train afresh, keep the weights in a file; what was learned and how long it took."""
    started = time.perf_counter()
    trainer = TemporalTrainer.begin(load_game("checkers"), TemporalOptions(**settings))
    for _ in trainer.steps():
        pass
    seconds = time.perf_counter() - started
    path = folder / f"{settings.get('features', 'three')}-{settings['seed']}.json"
    trainer.save(path)
    return {
        "settings": settings,
        "file": path,
        "weights": dict(zip(trainer.features.names, trainer.weights.tolist(), strict=True)),
        "boards_seen": trainer.n,
        "undone": trainer.undone,
        "seconds": round(seconds, 1),
    }


def compared(first: str, second: str, games: int, seed: int) -> dict[str, Any]:
    """A match between two players, told from the first one's side."""
    game = load_game("checkers")
    openings = read_openings(game, str(max(games // 2, 1)), seed)
    match = Match(game, (first, second), n_games=games, seed=seed, openings=openings)
    started = time.perf_counter()
    (result,) = run_matches([match])
    seconds = time.perf_counter() - started
    counts = result.counts(0)
    return {
        **dataclasses.asdict(counts),
        "games": counts.games,
        "won": round(counts.wins / counts.games, 4),
        "points": round(counts.points / counts.games, 4),
        "by_colour": {c: dataclasses.asdict(result.counts(0, c)) for c in game.colours},
        "repeats": result.repeats,
        "seconds": round(seconds, 1),
    }


def strength(
    folder: Path, features: str, seeds: int, games: int, depths: list[int], rows: list[Any]
) -> Iterator[None]:
    """Trainings from several seeds, each against equal weights at several depths.

    The rows grow from match to match.
    """
    for seed in range(1, seeds + 1):
        row = trained(folder, features=features, seed=seed)
        path = row.pop("file")
        row["against_equal_weights"] = {}
        rows.append(row)
        for depth in depths:
            found = compared(
                f"temporal:weights={path},depth={depth}",
                f"temporal:features={features},depth={depth}",
                games,
                seed,
            )
            row["against_equal_weights"][depth] = found
            told(f"{features}, seed {seed}, depth {depth}: {shown(found)}")
            yield


def memory(folder: Path, games: int, lessons: int, depth: int) -> dict[str, Any]:
    """A memory of many games: its size, and a match with it against the same player without."""
    path = folder / "boards.sqlite"
    row = trained(folder, seed=1001, games=lessons, memory=str(path))
    with Memory(path, load_game("checkers")) as kept:
        different, seen = len(kept), kept.boards_seen()
    plain = f"temporal:weights={row['file']},depth={depth}"
    with_memory = compared(f"{plain},memory={path}", plain, games, 1)
    told(f"with {different} boards remembered, depth {depth}: {shown(with_memory)}")
    return {
        "lessons": lessons,
        "depth": depth,
        "different_boards": different,
        "boards_seen": seen,
        "bytes_a_board": round(path.stat().st_size / different, 1),
        "against_no_memory": with_memory,
        "seconds_a_game_without": compared(plain, plain, 10, 1)["seconds"] / 10,
        "seconds_a_game_half_with": with_memory["seconds"] / games,
    }


def shown(found: dict[str, Any]) -> str:
    """A match in a few words."""
    wins, draws, losses = found["wins"], found["draws"], found["losses"]
    return f"{wins} won, {draws} drawn, {losses} lost ({found['won']:.1%} won)"


def told(line: str) -> None:
    """Say how far it is."""
    print(line, file=sys.stderr, flush=True)


def page(result: dict[str, Any]) -> str:
    """The results as Markdown."""
    lines = [
        "# Weights learned in twenty games, against equal weights",
        "",
        f"`{result['command']}`, {result['date']}; {result['machine']['cpu']}.",
        "Won, drawn, lost of the player that has learned; the same search on both sides.",
        "",
    ]
    for features, rows in result["strength"].items():
        if not rows:
            continue
        depths = list(rows[0]["against_equal_weights"])
        lines += [
            f"## Features: {features}",
            "",
            "| seed | weights | " + " | ".join(f"depth {d}" for d in depths) + " |",
            "|---" * (2 + len(depths)) + "|",
        ]
        for row in rows:
            weights = ", ".join(f"{name} {value:.2f}" for name, value in row["weights"].items())
            matches = row["against_equal_weights"]
            found = [matches[depth] for depth in depths if depth in matches]
            cells = [f"{f['wins']}/{f['draws']}/{f['losses']} ({f['won']:.1%} won)" for f in found]
            lines.append(f"| {row['settings']['seed']} | {weights} | {' | '.join(cells)} |")
        lines.append("")
    if "memory" in result:
        kept = result["memory"]
        lines += [
            "## Rote memory",
            "",
            f"After {kept['lessons']} games: {kept['different_boards']:,} different boards, "
            f"{kept['bytes_a_board']:.0f} bytes each on disk. At depth {kept['depth']}, with the "
            f"memory against without: {shown(kept['against_no_memory'])}. A game takes "
            f"{kept['seconds_a_game_without']:.2f} s without, and "
            f"{kept['seconds_a_game_half_with']:.2f} s if one side uses it.",
            "",
        ]
    return "\n".join(lines)


def main() -> None:
    """Measure, and keep the result."""
    parser = new_parser(__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--depths", type=int, nargs="+", default=[8, 3])
    parser.add_argument("--full-seeds", type=int, default=2)
    parser.add_argument("--lessons", type=int, default=200, help="games for the memory; 0: none")
    parser.add_argument("--memory-games", type=int, default=100)
    options = parser.parse_args()
    result = stamp()
    result |= {"finished": False, "strength": {}}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for features, seeds in (("three", options.seeds), ("full", options.full_seeds)):
            rows = result["strength"].setdefault(features, [])
            for _ in strength(folder, features, seeds, options.games, options.depths, rows):
                if options.out:  # it takes long, and may be stopped
                    keep(result, options.out, page(result))
        if options.lessons:
            result["memory"] = memory(folder, options.memory_games, options.lessons, 3)
    result["finished"] = True
    print(page(result))
    keep(result, options.out, page(result))


if __name__ == "__main__":
    main()
