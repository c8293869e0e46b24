"""A server for tests: in this process, or as a program of its own; and who plays at it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
from fastapi.testclient import TestClient

from clauseboard.web.server import create_app

ADDRESS = "http://127.0.0.1:8765"
HEADERS = {"X-Clauseboard": "1"}
PATIENCE = 300  # seconds; only a program that hangs, or compiles kernels, takes so long


def run_apart(coroutine):
    """What a coroutine gives, run in a loop and a thread of its own.

    After browser tests, this thread has a loop already.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


@contextlib.contextmanager
def client_of(settings, **more):
    """A client of an application in this process."""
    app = create_app(settings, **more)
    headers = {**HEADERS, "authorization": f"Bearer {settings.token}"}
    with TestClient(app, base_url=ADDRESS, headers=headers) as client:
        yield client


class Seat:
    """A person at a game: begins it, moves, and waits for the answer."""

    def __init__(self, client, **wish):
        self.client = client
        wish = {
            "game": "hex",
            "settings": {"size": 4},
            "opponent": "random",
            "marks": False,
            **wish,
        }
        answer = client.post("/api/games", json=wish)
        assert answer.status_code == 201, answer.text
        self.state = answer.json()
        self.wait()

    @property
    def url(self):
        return f"/api/games/{self.state['id']}"

    def wait(self):
        """The state once nobody thinks any more."""
        ends = time.monotonic() + PATIENCE
        while True:
            self.state = self.client.get(self.url).json()
            if not self.state["thinking"]:
                return self.state
            assert time.monotonic() < ends, "it thinks for ever"
            time.sleep(0.01)

    def ask(self, what, **body):
        return self.client.post(f"{self.url}/{what}", json=body)

    def play(self, move=None):
        """Play a move, the first legal one if none is named, and wait for the answer."""
        text = self.state["legal"][0]["text"] if move is None else move
        answer = self.ask("moves", move=text, version=self.state["version"])
        assert answer.status_code == 200, answer.text
        return self.wait()

    def settle(self, of):
        """Wait until something is true of the state."""
        ends = time.monotonic() + PATIENCE
        while not of(self.state):
            assert time.monotonic() < ends, self.state
            time.sleep(0.02)
            self.state = self.client.get(self.url).json()
        return self.state


class Program:
    """The server as a program, at a port of its own."""

    def __init__(self, folder, *words, **environment):
        command = [
            sys.executable,
            "-m",
            "clauseboard.web",
            "--port",
            "0",
            "--no-browser",
            "--workers=2",
        ]
        self.process = subprocess.Popen(
            [*command, "--data", str(folder), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **environment},
            start_new_session=True,
        )
        self.lines = []
        self._first = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()
        assert self._first.wait(PATIENCE), "it does not start"
        found = re.search(r"http://\S+", "".join(self.lines))
        assert found is not None, self.lines
        self.address, _, token = found[0].partition("?token=")
        headers = {**HEADERS, "authorization": f"Bearer {token}"}
        self.link = found[0]
        base = re.match(r"http://[^/]+", self.address)[0]
        self.client = httpx.Client(base_url=base, headers=headers, timeout=PATIENCE)
        ends = time.monotonic() + PATIENCE
        while True:
            try:
                self.client.get("/api/about")
                break
            except httpx.TransportError:
                assert time.monotonic() < ends, self.lines
                assert self.process.poll() is None, self.lines
                time.sleep(0.05)

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line)
            self._first.set()
        self._first.set()

    def children(self):
        """The numbers of the processes that it has started, and of theirs."""
        import psutil

        try:
            return psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def end(self, by=signal.SIGINT):
        """End it, and wait; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(by)
        status = self.process.wait(PATIENCE)
        self.client.close()
        return status


ENGINE = """
import sys, time
for line in sys.stdin:
    number, command, *words = line.split()
    if command == "genmove":
        {genmove}
    print(f"={{number}} {{answer if command == 'genmove' else 'false'}}\\n", flush=True)
"""


def engine_player(folder, genmove, first=""):
    """The line of a player that is a program; `genmove` is Python that makes its `answer`."""
    path = folder / f"engine{len(list(folder.iterdir()))}.py"
    path.write_text(f"{first}{ENGINE.format(genmove=genmove)}")
    return f"engine:command='{sys.executable} {path}'"


def events_of(response):
    """The events of a stream, one by one, as kind and content."""
    kind = "message"
    for line in response.iter_lines():
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield kind, json.loads(line.removeprefix("data: "))
