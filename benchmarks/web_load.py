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
from collections.abc import AsyncIterator
from typing import Any

import httpx
import psutil

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
        found = re.search(r"(http://[^/\s]+)/\?token=(\S+)", self.process.stdout.readline())
        assert found is not None
        self.address = found[1]
        HEADERS["Authorization"] = f"Bearer {found[2]}"

    def everyone(self) -> list[psutil.Process]:
        """It and the processes that it has started."""
        server = psutil.Process(self.process.pid)
        return [server, *server.children(recursive=True)]

    def memory_mb(self) -> float:
        """What they hold; memory that they share is counted once."""
        return sum(one.memory_full_info().pss for one in self.everyone()) / 2**20

    def processor_s(self) -> float:
        """The time of the processor that they have used."""
        return sum(sum(one.cpu_times()[:2]) for one in self.everyone())

    def close(self) -> None:
        """End it as its page does."""
        httpx.post(f"{self.address}/api/quit", headers=HEADERS)
        self.process.wait(60)
        self.folder.cleanup()


class Line:
    """One connection to the server, asked again and again; plain, so that it costs little."""

    def __init__(self, address: str) -> None:
        self.host, _, port = address.removeprefix("http://").partition(":")
        self.port = int(port)

    async def open(self) -> None:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection(
            self.host, self.port, limit=1 << 22
        )

    async def ask(self, method: str, path: str, content: Any = None) -> tuple[int, bytes]:
        """The status of an answer, and its body; for a stream only its beginning is read."""
        body = b"" if content is None else json.dumps(content).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: {self.host}:{self.port}\r\nx-clauseboard: 1\r\n"
            f"authorization: {HEADERS['Authorization']}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        status = int((await self.reader.readline()).split()[1])
        length = 0
        while (line := (await self.reader.readline()).strip()) != b"":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return status, await self.reader.readexactly(length)

    async def states(self) -> AsyncIterator[dict[str, Any]]:
        """The states of a stream of events; an event is never cut in two."""
        kind = b""
        while line := await self.reader.readline():
            if line.startswith(b"event: "):
                kind = line.removeprefix(b"event: ").strip()
            elif line.startswith(b"data: ") and kind == b"state":
                yield json.loads(line.removeprefix(b"data: "))


async def play_game(
    address: str, seed: int, moves: int, marks: bool, errors: collections.Counter[str]
) -> list[float]:
    """One game; the seconds from each move to the state with its answer."""
    draw, taken = random.Random(seed), []
    asking, listening = Line(address), Line(address)
    await asking.open()
    await listening.open()
    try:
        status, body = await asking.ask("POST", "/api/games", {**WISH, "marks": marks})
        if status != 201:
            errors[f"{status} at the start"] += 1
            return []
        url = f"/api/games/{json.loads(body)['id']}"
        await listening.ask("GET", f"{url}/events")
        states = listening.states()
        state = await anext(states)
        for _ in range(moves):
            while not state["your_turn"] and state["outcome"] is None:
                state = await anext(states)
            if state["outcome"] is not None:
                break
            move = draw.choice(state["legal"])["text"]
            began = time.perf_counter()
            wish = {"move": move, "version": state["version"]}
            status, body = await asking.ask("POST", f"{url}/moves", wish)
            if status != 200:
                errors[f"{status} at a move"] += 1
                break
            ply = json.loads(body)["ply"]
            while state["ply"] <= ply and state["outcome"] is None and not state["error"]:
                state = await anext(states)
            if state["error"]:
                errors[state["error"]] += 1
                break
            taken.append(time.perf_counter() - began)
    finally:
        asking.writer.close()
        listening.writer.close()
    return taken


async def play(address: str, games: int, moves: int, marks: bool) -> dict[str, Any]:
    """So many games at once."""
    errors: collections.Counter[str] = collections.Counter()
    began = time.perf_counter()
    work = (play_game(address, seed, moves, marks, errors) for seed in range(games))
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
    rows: dict[str, Any] = {}

    def row(name: str, games: int, moves: int, marks: bool) -> None:
        before = server.processor_s()
        rows[name] = asyncio.run(play(server.address, games, moves, marks))
        used = server.processor_s() - before
        rows[name]["server_processor_ms_a_move"] = 1000 * used / rows[name]["moves_answered"]

    try:
        # Kernels are compiled, and players made, before the clock starts.
        asyncio.run(play(server.address, 6, 3, True))
        row("one game alone", 1, 2 * moves, False)
        row(f"{games} games at once", games, moves, False)
        row(f"{games} games at once, mistakes marked", games, moves, True)
        memory = server.memory_mb()
        think_long(server.address)
        row(f"one game beside {THINKERS} that think for 30 s", 1, 2 * moves, False)
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
        "| median, times one game's | server's processor time a move |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, row in rows.items():
        taken = [row[f"answer_{which}_s"] for which in ("median", "95_percent", "slowest")]
        lines.append(
            f"| {name} | {row['moves_answered']:,} | {sum(row['errors'].values())} | "
            f"{row['moves_a_second']:.0f} | {' | '.join(f'{1000 * t:.0f} ms' for t in taken)} | "
            f"{taken[0] / alone:.1f} | {row['server_processor_ms_a_move']:.1f} ms |"
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
