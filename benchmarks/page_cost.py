"""What the page costs: memory after a dozen games of all kinds, and how long a person waits.

    python benchmarks/page_cost.py [--out RESULT.json]

A server with its usual workers plays a dozen games of checkers, Go and Hex against Clauseboard,
with marks and questions; then Chromium opens its start screen some times and begins a game in
which the opponent moves first. A page of plain text from the same server shows what of its times
is the browser's and the machine's load. "together" is the memory of the server and its workers,
what they share counted once; resident sets count it for each of them. (Proportional sets would be
less: other programs on this machine may share it, too.) Processes that compile or make endgame
tables end by themselves and are not counted. "fresh" is the first move of each game on a machine
that has no compiled kernels: seconds by the clock, and of the processor, which do not hang on the
load of the machine. docs/page.md shows the result.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import tempfile
import time
from typing import Any

import httpx
import psutil
from playwright.sync_api import sync_playwright

from reliability import GENTLE, workers_of
from stamp import keep, new_parser, stamp
from web_load import HEADERS, Server

GAMES, MOVES, SECONDS = 12, 4, 0.5
LOADS = 7
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
PAINTED = "performance.getEntriesByName('first-contentful-paint').length > 0"
MEASURED = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return { load_s: page.loadEventEnd / 1000, first_paint_s: paint.startTime / 1000 };
}"""


def play_games(client: httpx.Client) -> None:
    """A dozen games of all kinds, a few moves each."""
    draw = random.Random(1)
    for number in range(GAMES):
        wish = {**GENTLE[number % len(GENTLE)], "seconds": SECONDS, "marks": True}
        url = f"/api/games/{client.post('/api/games', json=wish).json()['id']}"
        for _ in range(MOVES):
            while (state := client.get(url).json())["thinking"]:
                time.sleep(0.05)
            if state["outcome"] is not None:
                break
            move = draw.choice(state["legal"])["text"]
            client.post(f"{url}/moves", json={"move": move})
        client.post(f"{url}/why", json={"about": "position"})


def memory(server: Server) -> dict[str, Any]:
    """What the server and its workers hold, in MB."""
    own = psutil.Process(server.process.pid)
    everyone = [each.memory_full_info() for each in (own, *workers_of(own))]
    shared = max(each.rss - each.uss for each in everyone)
    return {
        "workers": len(everyone) - 1,
        "server_mb": everyone[0].rss / 2**20,
        "together_resident_mb": sum(each.rss for each in everyone) / 2**20,
        "together_mb": (sum(each.uss for each in everyone) + shared) / 2**20,
    }


def waits(server: Server) -> dict[str, float]:
    """How long the start screen and a first move take; medians, in seconds."""
    token = HEADERS["Authorization"].removeprefix("Bearer ")
    with sync_playwright() as playwright:
        names = ("chromium", "chromium-browser", "chromium-headless-shell")
        chromium = next(filter(None, map(shutil.which, names)), None)
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(120_000)
        page.request.get(f"{server.address}/?token={token}")  # a cookie has the token from now on
        loads = []
        for _ in range(LOADS):
            page.goto("about:blank")
            page.goto(f"{server.address}/#/")
            page.wait_for_selector("main[data-shown='#/'] .start-button")
            page.wait_for_function(PAINTED)
            loads.append(page.evaluate(MEASURED))
        plain = []
        for _ in range(LOADS):
            page.goto("about:blank")
            page.goto(f"{server.address}/api/about")
            page.wait_for_function(PAINTED)
            plain.append(page.evaluate(MEASURED))
        first_moves = []
        for _ in range(LOADS):
            page.goto("about:blank")
            page.goto(f"{server.address}/#/")
            page.wait_for_selector("main[data-shown='#/'] .start-button")
            page.locator("fieldset:has-text('Your colour') input[value='second']").check(force=True)
            began = time.perf_counter()
            page.locator(".start-button").click()
            page.wait_for_selector(".game[data-ply='1']")
            first_moves.append(time.perf_counter() - began)
        browser.close()
    found = {name: statistics.median(each[name] for each in loads) for name in loads[0]}
    found["plain_text_first_paint_s"] = statistics.median(each["first_paint_s"] for each in plain)
    return {**found, "start_to_first_move_s": statistics.median(first_moves)}


def first_move_on_a_fresh_machine(wish: dict[str, Any]) -> dict[str, float]:
    """How long the opponent's first move takes where nothing is compiled yet."""
    with tempfile.TemporaryDirectory() as cache:
        before = os.environ.get("CLAUSEBOARD_CACHE")
        os.environ["CLAUSEBOARD_CACHE"] = cache
        server = Server()
        try:
            with httpx.Client(base_url=server.address, headers=HEADERS, timeout=600) as client:
                began, used = time.perf_counter(), server.processor_s()
                asked = {**wish, "seconds": SECONDS, "colour": "second", "opponent": "level-easy"}
                url = f"/api/games/{client.post('/api/games', json=asked).json()['id']}"
                while client.get(url).json()["ply"] == 0:
                    time.sleep(0.02)
                return {
                    "fresh_first_move_s": time.perf_counter() - began,
                    "fresh_processor_s": server.processor_s() - used,
                }
        finally:
            server.close()
            if before is None:
                del os.environ["CLAUSEBOARD_CACHE"]
            else:
                os.environ["CLAUSEBOARD_CACHE"] = before


def main() -> int:
    """Measure, print and perhaps keep it."""
    options = new_parser(__doc__).parse_args()
    server = Server()
    try:
        with httpx.Client(base_url=server.address, headers=HEADERS, timeout=600) as client:
            play_games(client)
            rows: dict[str, Any] = {"games": GAMES, **memory(server)}
        print(json.dumps(rows), flush=True)
        rows |= waits(server)
    finally:
        server.close()
    for wish in GENTLE:
        for name, seconds in first_move_on_a_fresh_machine(wish).items():
            rows[f"{name}_{wish['game']}"] = seconds
    rows["load_of_the_machine"] = os.getloadavg()[1]
    text = json.dumps(rows, indent=1)
    print(text)
    keep({"what": "what the page costs", **stamp(), "rows": rows}, options.out, text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
