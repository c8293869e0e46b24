"""Players and programs that the tests of engines need."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from clauseboard.evaluation import Limit
from clauseboard.player import Choice, Player


class Listed(Player):
    """Plays the n-th legal move, notes what it was asked, and can be made to fail."""

    def __init__(self, n: int = 0) -> None:
        self.name, self.n = "listed", n
        self.begun: list[tuple[Any, str, int]] = []
        self.limits: list[Limit | None] = []
        self.closed = 0
        self.resigns = self.gives_up = False
        self.resumed = 0
        self.fault: Exception | None = None

    def begin(self, game: Any, colour: str, seed: int) -> None:
        self.begun.append((game, colour, seed))

    def choose(self, position: Any, limit: Limit | None = None) -> Choice:
        self.limits.append(limit)
        if self.fault is not None:
            raise self.fault
        moves = position.moves()
        move = moves[self.n % len(moves)]
        return Choice(move, resigns=self.resigns, gives_up=self.gives_up)

    def resume(self) -> None:
        self.resumed += 1

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def listed() -> type[Listed]:
    return Listed


@pytest.fixture
def ours() -> Any:
    """How to start our own engine."""

    def command(game: str, *words: str) -> list[str]:
        return [sys.executable, "-m", "clauseboard", "engine", game, *words]

    return command


@pytest.fixture
def program(tmp_path: Path) -> Any:
    """Makes an engine out of a few lines of Python, in which `say` replies to a command."""

    def make(body: str) -> list[str]:
        path = tmp_path / "made_engine.py"
        path.write_text(f"{HEAD}\n{body}\n")
        return [sys.executable, "-u", str(path)]

    return make


HEAD = """
import os, subprocess, sys, time
def say(number, text="", sign="="):
    sys.stdout.write(f"{sign}{number} {text}\\n\\n")
    sys.stdout.flush()
def commands():
    for line in sys.stdin:
        number, name, *rest = line.split() if line.split()[0].isdigit() else ("", *line.split())
        yield number, name, rest
"""
