"""How fast boards of Go come out of an archive, and how much memory that takes.

The archive is made here, of random games written as programs write them. It is read by one process
and by two, and, for comparison, in the way of the thesis: a parser of all of SGF, and a board in
Python on which the moves are played (sgfmill's, which follows the gomill of the thesis).

    python benchmarks/datasets_go.py --out benchmarks/results/datasets-go.json
"""

import argparse
import io
import json
import random
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

import stamp

sys.path.append(str(Path(__file__).parents[1] / "tests"))

MOVES, AT_LEAST = 80, 90


def make(path, games, different=200):
    """A tar.gz with a file for each game; the games repeat after so many."""
    from naive.go_games import RESULTS, random_moves, written

    draws = random.Random(1)
    texts = [
        written(random_moves(draws, 9, draws.randint(68, 130)), 9, draws.choice(RESULTS)).encode()
        for _ in range(different)
    ]
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for number in range(games):
            info = tarfile.TarInfo(f"{number // 1000}/{number}.sgf")
            info.size = len(texts[number % different])
            archive.addfile(info, io.BytesIO(texts[number % different]))


def read_ours(path, jobs):
    """Seconds for all games, boards, and the largest memory in MB."""
    from clauseboard.games.datasets import load_composition
    from clauseboard.games.records import Report

    composition = load_composition("go", "after", moves=MOVES, at_least=AT_LEAST)
    warm = Path(path).with_name("warm.sgf")
    warm.write_text("(;SZ[9]KM[7]RE[0];B[aa])")
    list(composition.rows([warm], Report()))
    started, worked = time.perf_counter(), time.process_time()
    report = Report()
    boards = sum(len(rows) for rows in composition.rows([Path(path)], report, jobs=jobs))
    return {
        "seconds": time.perf_counter() - started,
        "processor": time.process_time() - worked,
        "games": report.read,
        "boards": boards,
        "mb": memory(),
    }


def read_thesis(path, most):
    """The same for the first so many games, by sgfmill alone."""
    from sgfmill import sgf, sgf_moves

    started, worked, boards, games = time.perf_counter(), time.process_time(), 0, 0
    with tarfile.open(path, "r|*") as archive:
        for member in archive:
            if games == most:
                break
            games += 1
            game = sgf.Sgf_game.from_bytes(archive.extractfile(member).read())
            board, plays = sgf_moves.get_setup_and_moves(game)
            if len(plays) < AT_LEAST:
                continue
            for colour, place in plays[:MOVES]:
                if place is not None:
                    board.play(*place, colour)
            [board.get(y, x) for y in range(9) for x in range(9)]
            boards += 1
    return {
        "seconds": time.perf_counter() - started,
        "processor": time.process_time() - worked,
        "games": games,
        "boards": boards,
    }


def memory():
    """The largest memory of this process so far, in MB."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def alone(*words):
    """What a process of its own measures."""
    done = subprocess.run(
        [sys.executable, __file__, *map(str, words)], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


def main():
    """Measure, and keep the result."""
    parser = stamp.new_parser(__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=1, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.read is not None:
        print(json.dumps(read_ours(asked.read, asked.jobs)))
        return
    result = stamp.stamp()
    with tempfile.TemporaryDirectory() as folder:
        path, tenth = Path(folder, "games.tar.gz"), Path(folder, "tenth.tar.gz")
        make(path, asked.games)
        make(tenth, asked.games // 10)
        runs = {"one process": [], "two processes": [], "a tenth of the games": [], "thesis": []}
        for _ in range(asked.repeats):
            runs["thesis"].append(read_thesis(path, min(asked.games, 1000)))
            runs["one process"].append(alone("--read", path))
            runs["two processes"].append(alone("--read", path, "--jobs", 2))
            runs["a tenth of the games"].append(alone("--read", tenth))
    best = {
        name: min(some, key=lambda run: run["seconds"] / run["games"])
        for name, some in runs.items()
    }
    result |= {"games": asked.games, "repeats": asked.repeats, "best": best, "runs": runs}
    thesis = best["thesis"]
    lines = [
        "# Boards of Go from an archive",
        "",
        f"{asked.games:,} random games of 68 to 130 moves in a tar.gz, the board after {MOVES} "
        f"moves of those with {AT_LEAST}; the best of {asked.repeats} runs, with other work on the "
        f"machine (load {result['load_before'][0]:.1f} on {result['machine']['cores']} cores). "
        "Processor time is that of the first process alone.",
        "",
        "| way | games a second | games a second of processor time | to the thesis's | memory |",
        "|---|---|---|---|---|",
    ]
    for name, run in best.items():
        rate, worked = run["games"] / run["seconds"], run["games"] / run["processor"]
        ratio = worked * thesis["processor"] / thesis["games"]
        held = f"{run['mb']} MB" if "mb" in run else ""
        told = ("", "") if name == "two processes" else (f"{worked:,.0f}", f"{ratio:.1f}")
        lines.append(f"| {name} | {rate:,.0f} | {told[0]} | {told[1]} | {held} |")
    page = "\n".join(lines) + "\n"
    print(page)
    if asked.out:
        stamp.keep(result, asked.out, page)


if __name__ == "__main__":
    main()
