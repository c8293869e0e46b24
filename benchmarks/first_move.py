"""The time from starting the page's server to the first move of the player that is shipped.

For each game the server is started as `clauseboard play` starts it, once with an empty folder for
compiled kernels and once with what that has left there. The machine moves first and thinks for a
second. Seconds are of the clock and depend on what else the machine does; the processor's seconds
(of the server and its processes, all cores together) do so less. In checkers they include those
of a process of low priority that begins to make endgame tables of five pieces.

    python benchmarks/first_move.py --out benchmarks/results/first-move.json
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from stamp import keep, new_parser, stamp

GAMES: tuple[tuple[str, dict[str, int]], ...] = (
    ("checkers", {}),
    ("go", {"size": 9}),
    ("hex", {"size": 11}),
)
THINKING = 1.0
PATIENCE = 600.0
GOAL = 15.0


class Server:
    """The page's server as a program, with folders of its own."""

    def __init__(self, folder: Path) -> None:
        words = ["-m", "clauseboard", "play", "--no-browser", "--port", "0"]
        self.process = subprocess.Popen(
            [sys.executable, *words, "--data", str(folder / "data")],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"CLAUSEBOARD_CACHE": str(folder / "cache")},
        )
        assert self.process.stdout is not None
        address = re.search(r"(http://[^/\s]+)/\?token=(\S+)", self.process.stdout.readline())
        if address is None:
            raise RuntimeError("The server did not start.")
        self.address, self.token = address[1], address[2]

    def ask(self, path: str, content: dict[str, Any] | None = None) -> Any:
        """What the server answers; it is asked again until it listens."""
        data = None if content is None else json.dumps(content).encode()
        headers = {"Content-Type": "application/json", "X-Clauseboard": "1"}
        headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(f"{self.address}{path}", data, headers)
        ends = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError:
                raise
            except urllib.error.URLError:
                if time.monotonic() > ends or self.process.poll() is not None:
                    raise
                time.sleep(0.02)

    def close(self) -> None:
        """End the server and its processes."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)


def first_move(game: str, settings: dict[str, int], folder: Path) -> dict[str, float]:
    """Seconds until the server listens, and until the player has moved."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    server = Server(folder)
    try:
        wish = {"game": game, "settings": settings, "opponent": "shipped", "colour": "second"}
        url = f"/api/games/{server.ask('/api/games', wish | {'seconds': THINKING})['id']}"
        begun = time.perf_counter() - start
        while server.ask(url)["ply"] == 0:
            time.sleep(0.05)
        moved = time.perf_counter() - start
        time.sleep(1)  # the processes that compiled end now; their time counts only then
    finally:
        server.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    return {"game_begun": begun, "first_move": moved, "processor": processor}


def measure(rounds: int) -> list[dict[str, Any]]:
    """The best of some rounds for each game, with an empty and with a filled cache."""
    found = []
    for game, settings in GAMES:
        runs: dict[str, list[dict[str, float]]] = {"empty": [], "filled": []}
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as folder:
                for each in runs.values():
                    each.append(first_move(game, settings, Path(folder)))
        best = {cache: min(each, key=lambda run: run["first_move"]) for cache, each in runs.items()}
        found.append({"game": game, "settings": settings, **best})
        print(json.dumps(found[-1]), flush=True)
    return found


def markdown(result: dict[str, Any]) -> str:
    """The figures as a table."""
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    machine = result["machine"]
    lines = [
        f"Measured {result['date'][:10]} on {machine['cpu']}, {machine['cores']} cores, by "
        f"`{result['command']}`; Python {machine['python']}, {versions}; load before "
        f"{result['load_before'][0]:.1f}; the best of {result['rounds']}. The player thinks for "
        f"{THINKING:g} s, which is part of the time. The goal is {GOAL:g} s from an empty cache.",
        "",
        "| game | empty cache, s | of the processor | filled cache, s | of the processor |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in result["games"]:
        size = f" of size {row['settings']['size']}" if row["settings"] else ""
        figures = [row[c][f] for c in ("empty", "filled") for f in ("first_move", "processor")]
        lines.append(f"| {row['game']}{size} | " + " | ".join(f"{n:.1f}" for n in figures) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print and keep."""
    parser = new_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="the best of so many is kept")
    given = parser.parse_args()
    result = stamp()
    result["versions"] = {name: importlib.metadata.version(name) for name in ("numba", "numpy")}
    result |= {"rounds": given.rounds, "games": measure(given.rounds)}
    result["load_after"] = os.getloadavg()
    print(markdown(result))
    keep(result, given.out, markdown(result))


if __name__ == "__main__":
    main()
