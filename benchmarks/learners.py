"""How strong the networks of `learners.swarm` become: by a swarm, and by gradient descent.

Each way trains networks for checkers with its usual options, from several seeds. Each network then
plays against a player of random moves, as many games with either colour: as it plays by default,
which is one move ahead with captures played out, as in training; without that; and three moves
ahead. The two ways also meet each other. And the speed: games a second of the training kernel,
beside the same games played move by move through positions, in the same run.

    python benchmarks/learners.py --out benchmarks/results/learners.json
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from clauseboard.arena.match import Match, ScoreCounts, read_openings, run_matches
from clauseboard.game import load_game
from clauseboard.learners import load_trainer, make_options
from clauseboard.learners.swarm.network import load_network, play
from clauseboard.parallel import spread
from clauseboard.players import write_spec
from stamp import keep, new_parser, stamp

CHECKERS = load_game("checkers")
WAYS = ("swarm", "swarm-descent")
AHEAD = {
    "by default": {},
    "captures not played out": {"quiescence": False},
    "three moves ahead": {"depth": 3},
}


def train(way: str, seed: int, path: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """Train a network and save it; its figures after every round, and the seconds it took."""
    kind = load_trainer(way)
    trainer = kind.begin(CHECKERS, make_options(kind, {"seed": seed, **settings}))
    started = time.perf_counter()
    figures = [dict(progress.figures) for progress in trainer.steps()]
    seconds = time.perf_counter() - started
    trainer.save(path)
    ends = (*(f"{colour} won" for colour in CHECKERS.colours), "drawn")
    games = sum(one[end] for one in figures for end in ends)
    return {"seconds": round(seconds, 1), "games": int(games), "rounds": figures}


def player(path: Path, ahead: str) -> str:
    """The description of a player with a network, by what it looks at."""
    return write_spec("swarm", {"network": str(path), **AHEAD[ahead]})


def meet(first: str, second: str, games: int, seed: int, openings: Any = ((),)) -> dict[str, Any]:
    """How the first player fares against the second, in all and with each colour."""
    match = Match(CHECKERS, (first, second), n_games=games, seed=seed, openings=openings)
    (result,) = run_matches([match])
    found = {"both": result.counts(0)}
    found |= {colour: result.counts(0, colour) for colour in CHECKERS.colours}
    return {who: {"wins": c.wins, "draws": c.draws, "losses": c.losses} for who, c in found.items()}


def measure(
    way: str, seed: int, path: Path, settings: dict[str, Any], far: list[str], games: int
) -> tuple[str, int, dict[str, Any]]:
    """Train a network in one way from one seed, and have it play against chance."""
    run: dict[str, Any] = {"training": train(way, seed, path, settings)}
    run["against chance"] = {
        ahead: meet(player(path, ahead), "random", games, seed) for ahead in far
    }
    return way, seed, run


def speed(path: Path) -> dict[str, float]:
    """Games a second of the kernel, and of the same network through positions; best of three."""
    kept = load_network(path)
    network = kept.shape.stack(kept.weights)
    kernel = positions = 0.0
    play(network, (0, 0), [0])
    for attempt in range(3):
        started = time.perf_counter()
        play(network, (0, 0), range(500), opening=4)
        kernel = max(kernel, 500 / (time.perf_counter() - started))
        openings = read_openings(CHECKERS, "4", attempt)
        both = (player(path, "by default"),) * 2
        match = Match(CHECKERS, both, n_games=8, most_moves=100, openings=openings)
        started = time.perf_counter()
        run_matches([match])
        positions = max(positions, 8 / (time.perf_counter() - started))
    return {"kernel": round(kernel, 1), "positions": round(positions, 2)}


def draw(result: dict[str, Any], path: Path) -> None:
    """The share of wins against chance after each round of training, a line for each seed."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.2), layout="constrained")
    axes = figure.subplots(1, len(result["ways"]), sharey=True, squeeze=False)[0]
    for axis, way in zip(axes, result["ways"], strict=True):
        for seed, run in result["ways"][way].items():
            shares = [100 * one["against chance"] for one in run["training"]["rounds"]]
            axis.plot(range(1, len(shares) + 1), shares, label=f"seed {seed}", linewidth=1)
        axis.set_title(way)
        axis.set_xlabel("round")
        axis.grid(alpha=0.3)
        axis.axhline(90, color="grey", linewidth=0.8, linestyle="--")
    axes[0].set_ylabel("% of 40 games won against chance")
    axes[0].legend(frameon=False)
    figure.savefig(path, format="svg", metadata={"Date": None})


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    far = list(next(iter(next(iter(result["ways"].values())).values()))["against chance"])
    lines = [
        "# Networks by swarm and by gradient descent",
        "",
        f"{result['command']}, {result['date']}, {result['machine']['cpu']}, "
        f"{result['machine']['cores']} cores; load before {result['load_before'][0]:.1f}.",
        "",
        f"Checkers, usual options, {result['games']} games each against a player of random moves, "
        "half of them with either colour; won, drawn, lost.",
        "",
        "| way | seed | rounds | games learned from | seconds | " + " | ".join(far) + " |",
        "|---|---|---|---|---|" + "---|" * len(far),
    ]
    for way, runs in result["ways"].items():
        for seed, run in runs.items():
            training = run["training"]
            cells = [written(run["against chance"][ahead]) for ahead in far]
            lines.append(
                f"| {way} | {seed} | {len(training['rounds'])} | {training['games']:,} | "
                f"{training['seconds']} | " + " | ".join(cells) + " |"
            )
    if result["against each other"]:
        lines += ["", "Swarm against gradient descent, from openings drawn at random:", ""]
    for ahead, counts in result["against each other"].items():
        lines.append(f"- {ahead}: {written(counts)}")
    fast = result["speed"]
    lines += [
        "",
        f"Games a second on one core: {fast['kernel']:,} by the kernel, {fast['positions']:,} "
        f"move by move through positions: {fast['kernel'] / fast['positions']:.0f} times as many.",
        "",
    ]
    return "\n".join(lines)


def written(counts: dict[str, Any]) -> str:
    """Won, drawn, lost; and the share of wins with each colour."""
    total = ScoreCounts(**counts["both"])
    shares = [
        f"{colour} {100 * part['wins'] / max(1, sum(part.values())):.1f} %"
        for colour, part in counts.items()
        if colour != "both"
    ]
    won = 100 * total.wins / total.games
    return f"{total.wins}, {total.draws}, {total.losses}: {won:.1f} % won ({', '.join(shares)})"


def main() -> None:
    """Measure and keep the result."""
    parser = new_parser(__doc__)
    parser.add_argument("--figure", type=Path, help="an SVG file for the curves of training")
    parser.add_argument("--seeds", type=int, nargs="+", default=[41, 42, 43, 1, 2])
    parser.add_argument("--games", type=int, default=400, help="half with either colour")
    parser.add_argument("--rounds", type=int, help="instead of the usual number")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--ahead", nargs="+", choices=list(AHEAD), default=list(AHEAD))
    parser.add_argument("--jobs", type=int, default=1, help="networks at a time")
    chosen = parser.parse_args()
    settings = {} if chosen.rounds is None else {"rounds": chosen.rounds}
    result: dict[str, Any] = {**stamp(), "games": chosen.games, "ways": {}}
    with tempfile.TemporaryDirectory() as folder:
        tasks = [
            (way, seed, Path(folder) / f"{way}-{seed}.npz", settings, chosen.ahead, chosen.games)
            for way in chosen.ways
            for seed in chosen.seeds
        ]
        found = {}
        for way, seed, run in spread(measure, tasks, chosen.jobs):
            found[way, seed] = run
            for ahead, counts in run["against chance"].items():
                seconds = run["training"]["seconds"]
                print(way, seed, f"{seconds} s,", f"{ahead}:", written(counts), flush=True)
        files = {(way, seed): path for way, seed, path, *_ in tasks}
        for way in chosen.ways:
            result["ways"][way] = {str(seed): found[way, seed] for seed in chosen.seeds}
        seed = chosen.seeds[0]
        openings = read_openings(CHECKERS, str(min(100, chosen.games // 2)), 1)
        result["against each other"] = {
            ahead: meet(
                *(player(files[way, seed], ahead) for way in WAYS),
                chosen.games, 1, openings,
            )
            for ahead in chosen.ahead
            if len(chosen.ways) == len(WAYS)
        }  # fmt: skip
        result["speed"] = speed(files[chosen.ways[0], seed])
    print(page(result))
    if chosen.figure is not None:
        draw(result, chosen.figure)
    keep(result, chosen.out, page(result))


if __name__ == "__main__":
    main()
