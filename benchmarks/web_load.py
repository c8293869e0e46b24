"""Two hundred games at once on the page's server: how long an answer takes, and what goes wrong.

The server is a program of its own, asked over the network of this machine as a page asks it: each
game has a stream of events and moves by itself, against a player that looks one move ahead, until
it is over or so many moves are made. The same is measured for one game alone, and for one while
other games think for long, so that what many games cost is a ratio of the same run.

    python benchmarks/web_load.py --out benchmarks/results/web-load.json
"""

from __future__ import annotations

import asyncio
import collections
import importlib.metadata
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

import httpx

from stamp import keep, new_parser, stamp

GAMES = 200
MOVES = 20
"""Moves of the person in each game."""
WISH = {"game": "checkers", "opponent": "shallow", "seconds": 1.0}
THINKERS = 4
"""Games that think for long beside the one that is measured."""
HEADERS = {"X-Clauseboard": "1"}


class Server:
    """The server as a program, with a folder that goes with it."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        command = [sys.executable, "-m", "clauseboard.web", "--port", "0", "--no-browser"]
        self.process = subprocess.Popen(
            [*command, "--data", self.folder.name], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        found = re.search(r"http://[^/\s]+", self.process.stdout.readline())
        assert found is not None
        self.address = found[0]

    def memory_mb(self) -> float:
        """What it and the processes that it has started hold, shared memory counted once each."""
        import psutil

        server = psutil.Process(self.process.pid)
        everyone = [server, *server.children(recursive=True)]
        return sum(one.memory_full_info().pss for one in everyone) / 2**20

    def close(self) -> None:
        """End it as its page does."""
        httpx.post(f"{self.address}/api/quit", headers=HEADERS)
        self.process.wait(60)
        self.folder.cleanup()


async def play_game(
    client: httpx.AsyncClient, seed: int, moves: int, marks: bool, errors: collections.Counter[str]
) -> list[float]:
    """One game; the seconds from each move to the state with its answer."""
    draw, taken = random.Random(seed), []
    answer = await client.post("/api/games", json={**WISH, "marks": marks})
    if answer.status_code != 201:
        errors[f"{answer.status_code} at the start"] += 1
        return []
    url = f"/api/games/{answer.json()['id']}"
    async with client.stream("GET", f"{url}/events") as stream:
        states = _states(stream)
        state = await anext(states)
        for _ in range(moves):
            while not state["your_turn"] and state["outcome"] is None:
                state = await anext(states)
            if state["outcome"] is not None:
                break
            move = draw.choice(state["legal"])["text"]
            began = time.perf_counter()
            wish = {"move": move, "version": state["version"]}
            answer = await client.post(f"{url}/moves", json=wish)
            if answer.status_code != 200:
                errors[f"{answer.status_code} at a move"] += 1
                return taken
            ply = answer.json()["ply"]
            while state["ply"] <= ply and state["outcome"] is None:
                state = await anext(states)
            if state["error"]:
                errors[state["error"]] += 1
                return taken
            taken.append(time.perf_counter() - began)
    return taken


async def _states(stream: httpx.Response) -> Any:
    """The states of a stream of events."""
    kind = ""
    async for line in stream.aiter_lines():
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        elif line.startswith("data: ") and kind == "state":
            yield json.loads(line.removeprefix("data: "))


async def play(address: str, games: int, moves: int, marks: bool) -> dict[str, Any]:
    """So many games at once."""
    errors: collections.Counter[str] = collections.Counter()
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    began = time.perf_counter()
    async with httpx.AsyncClient(
        base_url=address, headers=HEADERS, timeout=600, limits=limits
    ) as client:
        work = (play_game(client, seed, moves, marks, errors) for seed in range(games))
        found = await asyncio.gather(*work, return_exceptions=True)
    seconds = time.perf_counter() - began
    for one in found:
        if isinstance(one, BaseException):
            errors[type(one).__name__] += 1
    taken = sorted(t for one in found if isinstance(one, list) for t in one)
    return {
        "games": games,
        "moves_answered": len(taken),
        "errors": dict(errors),
        "seconds": seconds,
        "moves_a_second": len(taken) / seconds,
        "answer_median_s": statistics.median(taken),
        "answer_95_percent_s": taken[int(0.95 * (len(taken) - 1))],
        "answer_slowest_s": taken[-1],
    }


def think_long(address: str) -> None:
    """Begin games whose opponents think for half a minute."""
    with httpx.Client(base_url=address, headers=HEADERS, timeout=60) as client:
        wish = {"game": "checkers", "opponent": "material", "colour": "second", "seconds": 30}
        for _ in range(THINKERS):
            client.post("/api/games", json=wish).raise_for_status()


def measure(moves: int, games: int) -> tuple[dict[str, Any], float]:
    """All rows, and the memory that the server held with all games."""
    server = Server()
    try:
        # Kernels are compiled, and players made, before the clock starts.
        asyncio.run(play(server.address, 6, 3, True))
        rows = {"one game alone": asyncio.run(play(server.address, 1, 2 * moves, False))}
        many = f"{games} games at once"
        rows[many] = asyncio.run(play(server.address, games, moves, False))
        rows[f"{many}, mistakes marked"] = asyncio.run(play(server.address, games, moves, True))
        memory = server.memory_mb()
        think_long(server.address)
        beside = f"one game beside {THINKERS} that think for 30 s"
        rows[beside] = asyncio.run(play(server.address, 1, 2 * moves, False))
    finally:
        server.close()
    return rows, memory


def main() -> int:
    """Measure, print and perhaps keep it."""
    options = new_parser(__doc__, quick="few games and moves").parse_args()
    rows, memory = measure(5 if options.quick else MOVES, 20 if options.quick else GAMES)
    versions = {
        name: importlib.metadata.version(name) for name in ("clauseboard", "fastapi", "uvicorn")
    }
    result = {
        "what": "games at once on the page's server, against a player that looks one move ahead",
        **stamp(),
        "versions": versions,
        "rows": rows,
        "server_memory_mb": memory,
    }
    print(page(result))
    if options.out:
        keep(result, options.out, page(result))
    return 1 if any(row["errors"] for row in rows.values()) else 0


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    rows = result["rows"]
    alone = rows["one game alone"]["answer_median_s"]
    lines = [
        "# The page's server with many games at once",
        "",
        f"{result['machine']['cpu']}, {result['machine']['cores']} cores, {result['date'][:10]}, "
        f"load before {result['load_before'][0]:.1f}; the client runs on the same cores. "
        "Checkers against a player that counts pieces one move ahead. An answer is complete when "
        "the state with the opponent's move has come.",
        "",
        "| | moves answered | errors | moves a second | answer, median | 95 % | slowest "
        "| median, times one game's |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in rows.items():
        taken = [row[f"answer_{which}_s"] for which in ("median", "95_percent", "slowest")]
        lines.append(
            f"| {name} | {row['moves_answered']:,} | {sum(row['errors'].values())} | "
            f"{row['moves_a_second']:.0f} | {' | '.join(f'{1000 * t:.0f} ms' for t in taken)} | "
            f"{taken[0] / alone:.1f} |"
        )
    lines += [
        "",
        f"The server and its processes held {result['server_memory_mb']:.0f} MB with all these "
        f"games. Made by `{result['command']}`.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
