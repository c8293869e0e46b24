"""How long requests wait while many games think on one core, and what memory the server holds.

    python benchmarks/reliability.py [--quick] [--out RESULT.json]

200 games of checkers against the usual player, which thinks a second a move, on one core: so far
more thinking is asked for than can be done. Meanwhile states are read and moves are made, for a set
time. The server runs on loopback, and is ended afterwards. docs/reliability.md shows the result.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from typing import Any

import psutil

from stamp import keep, new_parser, stamp
from web_load import Line, Server

GAMES, SECONDS = 200, 120.0
WISH = {"game": "checkers", "seconds": 1.0, "marks": False}


def share(times: list[float], part: float) -> float:
    """The time that this part of the requests do not exceed."""
    return sorted(times)[min(int(part * len(times)), len(times) - 1)]


async def follow(
    address: str, seed: int, ends: float, reads: list[float], moves: list[float]
) -> int:
    """One game: read its state every two seconds, and move when it is one's turn; the errors."""
    draw, errors = random.Random(seed), 0
    line = Line(address)
    await line.open()
    try:
        status, body = await line.ask("POST", "/api/games", WISH)
        url = f"/api/games/{json.loads(body)['id']}" if status == 201 else ""
        errors += status != 201
        while url and time.perf_counter() < ends:
            began = time.perf_counter()
            status, body = await line.ask("GET", url)
            reads.append(time.perf_counter() - began)
            state = json.loads(body)
            errors += status != 200
            if state["your_turn"]:
                move = draw.choice(state["legal"])["text"]
                began = time.perf_counter()
                status, _ = await line.ask("POST", f"{url}/moves", {"move": move})
                moves.append(time.perf_counter() - began)
                errors += status != 200
            await asyncio.sleep(draw.uniform(1.0, 3.0))
    finally:
        line.writer.close()
    return errors


async def load(server: Server, games: int, seconds: float) -> dict[str, Any]:
    """So many games at once, and the memory of the server and of its largest worker."""
    reads: list[float] = []
    moves: list[float] = []
    memory: list[float] = []
    workers: list[float] = []
    ends = time.perf_counter() + seconds
    work = [
        asyncio.ensure_future(follow(server.address, seed, ends, reads, moves))
        for seed in range(games)
    ]
    own = psutil.Process(server.process.pid)
    while time.perf_counter() < ends:
        await asyncio.sleep(seconds / 24)
        memory.append(own.memory_info().rss / 2**20)
        workers.append(max(each.memory_info().rss for each in own.children()) / 2**20)
    errors = sum(await asyncio.gather(*work))
    return {
        "games": games,
        "seconds": seconds,
        "states_read": len(reads),
        "moves_made": len(moves),
        "errors": errors,
        "state_median_s": share(reads, 0.5),
        "state_99_percent_s": share(reads, 0.99),
        "move_median_s": share(moves, 0.5),
        "move_99_percent_s": share(moves, 0.99),
        "server_memory_mb": memory,
        "largest_worker_mb": max(workers),
        "load_of_the_machine": os.getloadavg()[1],
    }


def main() -> int:
    """Measure, print and perhaps keep it."""
    options = new_parser(__doc__, quick="few games, for a short time").parse_args()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})  # the server and its workers share one core
    server = Server()
    os.sched_setaffinity(0, cores)
    try:
        asyncio.run(load(server, 2, 15.0))  # kernels are compiled, and players made
        rows = asyncio.run(load(server, *((20, 20.0) if options.quick else (GAMES, SECONDS))))
    finally:
        server.close()
    result = {"what": "requests while many games think on one core", **stamp(), "rows": rows}
    text = json.dumps(rows, indent=1)
    print(text)
    if options.out:
        keep(result, options.out, text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
