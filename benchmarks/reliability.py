"""How long requests wait while many games think on one core, and what memory the server holds.

    python benchmarks/reliability.py [--quick] [--minutes MINUTES | --worker] [--out RESULT.json]

200 games of checkers against the usual player, which thinks a second a move, on one core: so far
more thinking is asked for than can be done. Meanwhile states are read and moves are made, for a set
time. The server runs on loopback, and is ended afterwards. docs/reliability.md shows the result.

With --minutes it is a gentle load for so long instead, a fifth of a core: six people play
games of all kinds, ask why, follow events, take moves back and delete games; memory is looked at
every minute. A worker's memory is its resident set; what it shares with others counts in full, but
not in its proportional set.

With --worker one worker thinks in all three games until its trees are full, and the most memory
that it had is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import time
from typing import Any

import psutil

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.web.worker_pool import Job, WorkerPool
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


GENTLE: tuple[dict[str, Any], ...] = (
    {"game": "checkers"},
    {"game": "go", "settings": {"size": 9}},
    {"game": "hex", "settings": {"size": 11}},
)


async def play_gently(address: str, seed: int, ends: float, counts: dict[str, int]) -> None:
    """One person: a game after the other, a request every few seconds."""
    draw = random.Random(seed)
    line = Line(address)
    await line.open()

    async def ask(method: str, path: str, content: Any = None) -> tuple[int, Any]:
        status, body = await line.ask(method, path, content)
        name = f"{method} {path.rpartition('/')[2] if path.count('/') > 3 else 'game'} {status}"
        counts[name] = counts.get(name, 0) + 1
        await asyncio.sleep(draw.uniform(0.5, 3.0))
        return status, json.loads(body) if body[:1] == b"{" else None

    while time.perf_counter() < ends:
        wish = {**GENTLE[seed % len(GENTLE)], "seconds": 0.2, "marks": seed >= len(GENTLE)}
        url = f"/api/games/{(await ask('POST', '/api/games', wish))[1]['id']}"
        follower = Line(address)
        await follower.open()
        await follower.ask("GET", f"{url}/events")
        following = asyncio.ensure_future(follower.reader.read(-1))  # until it is closed
        for n in range(40):
            state = (await ask("GET", url))[1]
            if state["outcome"] is not None or time.perf_counter() > ends:
                break
            if state["your_turn"]:
                await ask("POST", f"{url}/moves", {"move": draw.choice(state["legal"])["text"]})
            if n % 6 == 5:
                await ask("POST", f"{url}/why", {"about": "position"})
            if n % 10 == 9:
                await ask("POST", f"{url}/undo", {})
                await ask("GET", f"{url}/record")
        following.cancel()
        follower.writer.close()
        if draw.random() < 0.5:
            await ask("DELETE", url)
    line.writer.close()


async def load_gently(server: Server, minutes: float) -> dict[str, Any]:
    """A gentle load for long, and the memory of all processes minute by minute."""
    ends = time.perf_counter() + 60 * minutes
    counts: dict[str, int] = {}
    people = [
        asyncio.ensure_future(play_gently(server.address, seed, ends, counts)) for seed in range(6)
    ]
    rows: list[dict[str, Any]] = []
    while time.perf_counter() < ends:
        await asyncio.sleep(60)
        own = psutil.Process(server.process.pid)
        workers = [each.memory_full_info() for each in workers_of(own)]
        rows.append(
            {
                "server_mb": own.memory_info().rss / 2**20,
                "largest_worker_mb": max(each.rss for each in workers) / 2**20,
                "largest_worker_proportional_mb": max(each.pss for each in workers) / 2**20,
                "workers": len(workers),
                "together_proportional_mb": server.memory_mb(),
                "open_files": own.num_fds(),
                "threads": own.num_threads(),
                "processor_s": server.processor_s(),
                "requests": sum(counts.values()),
            }
        )
        print(json.dumps(rows[-1]), flush=True)
    await asyncio.gather(*people)
    return {"minutes": minutes, "answers": dict(sorted(counts.items())), "every_minute": rows}


def workers_of(server: psutil.Process) -> list[psutil.Process]:
    """The processes in which players think, without those that compile or make tables."""
    found = []
    for each in server.children():
        with contextlib.suppress(psutil.Error):  # it may end meanwhile
            if "clauseboard.web.worker" in each.cmdline():
                found.append(each)
    return found


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
        workers.append(max(each.memory_info().rss for each in workers_of(own)) / 2**20)
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


THOUGHTS = (
    ("go", {"size": 9}, Limit(simulations=150_000)),
    ("hex", {"size": 11}, Limit(simulations=25_000)),
    ("checkers", {}, Limit(seconds=8.0)),
    ("go", {"size": 9}, Limit(simulations=150_000)),
)
"""What a worker thinks about, one after the other; the trees are full long before the end."""


def watch_worker() -> list[dict[str, Any]]:
    """The memory of a worker at rest and the most that it had, thought by thought."""
    pool = WorkerPool(1)
    rows = []
    try:
        for name, size, limit in THOUGHTS:
            game = load_game(name, **size)
            asked = {"line": "shipped", "position": game.start(), "limit": limit}
            job = Job("choose", asked, 600.0)
            thought, most = pool.submit(job), 0.0
            while not thought.done():
                time.sleep(0.05)
                most = max(most, *map(resident_mb, pool.process_ids()))
            cost = thought.result().cost
            time.sleep(1.0)  # it gives memory back after its answer
            rows.append(
                {
                    "game": name,
                    "simulations": cost.simulations,
                    "boards": cost.nodes,
                    "most_mb": most,
                    "at_rest_mb": max(map(resident_mb, pool.process_ids())),
                }
            )
            print(json.dumps(rows[-1]), flush=True)
    finally:
        pool.close()
    return rows


def resident_mb(process: int) -> float:
    """The resident memory of a process."""
    return psutil.Process(process).memory_info().rss / 2**20


def main() -> int:
    """Measure, print and perhaps keep it."""
    parser = new_parser(__doc__, quick="few games, for a short time")
    parser.add_argument("--minutes", type=float, help="a gentle load for so long instead")
    parser.add_argument("--worker", action="store_true", help="the memory of a worker instead")
    options = parser.parse_args()
    if options.worker:
        return told("memory of a worker", watch_worker(), options.out)
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})  # the server and its workers share one core
    server = Server()
    os.sched_setaffinity(0, cores)
    try:
        if options.minutes:
            what, rows = "memory over time", asyncio.run(load_gently(server, options.minutes))
        else:
            what = "requests while many games think on one core"
            asyncio.run(load(server, 2, 15.0))  # kernels are compiled, and players made
            rows = asyncio.run(load(server, *((20, 20.0) if options.quick else (GAMES, SECONDS))))
    finally:
        server.close()
    return told(what, rows, options.out)


def told(what: str, rows: Any, out: Any) -> int:
    """Print what was measured, and perhaps keep it."""
    text = json.dumps(rows, indent=1)
    print(text)
    if out:
        keep({"what": what, **stamp(), "rows": rows}, out, text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
