"""`clauseboard doctor`: what is installed, what is missing, how fast this machine is."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import re
import shutil
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from clauseboard import __version__
from clauseboard.cli.common import AsJson
from clauseboard.engines.process import find_program
from clauseboard.evaluation import Limit
from clauseboard.files import user_cache
from clauseboard.game import load_game
from clauseboard.games.checkers.endgame_tables import share_made, tables_folder
from clauseboard.games.checkers.endgames import LARGE, SETTING, most_pieces
from clauseboard.kernels.compiler import cache_folder
from clauseboard.players import load_player
from clauseboard.players.shipped import cards
from clauseboard.tsetlin import TsetlinMachineClassifier
from clauseboard.tsetlin.gpu import problem

PURPOSES = {
    "": "everything",
    "web": "the page: clauseboard play",
    "plots": "diagrams: --plot",
    "search": "tuning with Optuna",
    "cluster": "work on a cluster: --cluster",
    "openspiel": "matches with OpenSpiel's players",
}
"""What each group of packages is for; that for GPUs and those for developers are left out."""
PROGRAMS = {"gnugo": "a Go opponent", "mohex": "a Hex opponent"}
SECONDS = 0.5
"""How long one speed is measured."""


@dataclass(frozen=True)
class Finding:
    """One line of the report: `ok` or not, and then what to do about it.

    A finding that is `needed` and not ok keeps Clauseboard from working.
    """

    name: str
    ok: bool
    text: str
    todo: str = ""
    needed: bool = False


def doctor(
    speed: Annotated[
        bool, typer.Option(help="Measure the speed, which takes a few seconds.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Show what is installed, what is missing, how fast this machine is, and what to do.

    The exit status is 1 if something that everything needs is missing.

    Example: clauseboard doctor --no-speed
    """
    findings = [*packages(), compiler(), kernel_cache(), gpu(), tables(), *players(), *programs()]
    if as_json:
        rates = {name: rate for name, rate, _ in speeds()} if speed else {}
        print(json.dumps({"version": __version__, **_machine(), "speeds": rates,
                          "findings": [asdict(each) for each in findings]}))  # fmt: skip
    else:
        machine = _machine()
        print(
            f"Clauseboard {__version__} in {Path(__file__).parents[1]}\n"
            f"Python {machine['python']} on {machine['system']}, {machine['cores']} cores\n"
        )
        width = max(len(each.name) for each in findings)
        for each in findings:
            sign = "ok" if each.ok else "NO" if each.needed else "--"
            print(f"  {sign}  {each.name:<{width}}  {each.text}")
        if speed:
            print("\nSpeed:", flush=True)
            for _, rate, what in speeds():
                print(f"  {rate:>13,.0f}  {what}", flush=True)
        todo = [each for each in findings if each.todo]
        print("\nWhat you can do:" if todo else "\nNothing needs to be done.")
        for each in todo:
            print(f"  {each.name}: {each.todo}")
    if any(each.needed and not each.ok for each in findings):
        raise typer.Exit(1)


def _machine() -> dict[str, str | int]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": cores or 1,
    }


# ---- what is there


def packages() -> list[Finding]:
    """The packages that the installed distribution asks for, group by group."""
    try:
        asked = importlib.metadata.requires("clauseboard") or []
    except importlib.metadata.PackageNotFoundError:
        text = "cannot be checked: Clauseboard runs from a folder and is not installed"
        return [Finding("packages", False, text, "pip install -e . in that folder")]
    findings = []
    for group, purpose in PURPOSES.items():
        wanted = [name_and_version(line) for line in asked if extra_of(line) == group]
        states = [_state(name, least) for name, least in wanted]
        missing = [text for ok, text in states if not ok]
        ok = not missing
        text = ", ".join(missing if missing else (text for _, text in states))
        todo = "" if ok else f"pip install 'clauseboard{f'[{group}]' if group else ''}'"
        findings.append(Finding(group or "packages", ok, f"{text} ({purpose})", todo, not group))
    return findings


def name_and_version(requirement: str) -> tuple[str, str]:
    """The name and the lowest version of a requirement.

    >>> name_and_version("dask[distributed]>=2024.8; extra == 'cluster'")
    ('dask', '2024.8')
    """
    found = re.match(r"([\w.-]+)(?:\[[^\]]*\])?\s*(?:>=\s*([\w.]+))?", requirement)
    if found is None:
        raise ValueError(f"{requirement!r} is not a requirement.")
    return found[1], found[2] or "0"


def extra_of(requirement: str) -> str:
    """The extra that a requirement belongs to; nothing if it is always needed.

    >>> extra_of('fastapi>=0.135; extra == "web"'), extra_of("numpy>=1.26")
    ('web', '')
    """
    found = re.search(r"extra\s*==\s*['\"](\w+)['\"]", requirement)
    return "" if found is None else found[1]


def _state(name: str, least: str) -> tuple[bool, str]:
    """Whether a package is there in this version or a later one, and how to say so."""
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False, f"{name} is missing"
    if _numbers(version) < _numbers(least):
        return False, f"{name} {version} is older than {least}"
    return True, f"{name} {version}"


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a release, by which versions are compared."""
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, found[0].split("."))) if found else (0,)


def compiler() -> Finding:
    """Whether kernels are compiled at all."""
    off = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    if off:
        text = "off: NUMBA_DISABLE_JIT is set, and everything is hundreds of times slower"
        return Finding("compiler", False, text, "unset NUMBA_DISABLE_JIT")
    return Finding("compiler", True, "Numba compiles kernels when they are first used")


def kernel_cache() -> Finding:
    """Where compiled kernels are kept."""
    folder = cache_folder()
    if folder is None:
        text = "cannot be kept: every start compiles them anew"
        return Finding(
            "kernels", False, text, "set CLAUSEBOARD_CACHE to a folder that only you can write to"
        )
    n_kernels = sum(1 for _ in folder.iterdir())
    n_bytes = sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
    text = f"{n_kernels} compiled kernels, {n_bytes / 1e6:.0f} MB, in {folder}"
    if folder.parent == user_cache():
        return Finding("kernels", True, text)
    todo = f"let only yourself write to {user_cache()}, so that they outlive temporary files"
    return Finding("kernels", True, text, todo)


def gpu() -> Finding:
    """Whether a GPU can be used."""
    trouble = problem()
    if trouble is None:
        return Finding("gpu", True, "ready: --device gpu")
    if shutil.which("nvidia-smi") is None:
        return Finding("gpu", False, "no NVIDIA GPU; training uses the processor")
    return Finding("gpu", False, trouble, "pip install 'clauseboard[gpu]'")


def tables() -> Finding:
    """How much of the endgame tables of checkers is made."""
    name, folder = "endgame tables", tables_folder()
    if most_pieces() < LARGE:
        text = f"those of checkers with {LARGE} pieces are switched off by {SETTING}"
        return Finding(name, False, text)
    share = share_made(LARGE, folder)
    if share == 1:
        return Finding(name, True, f"checkers up to {LARGE} pieces, in {folder}")
    text = f"{share:.0%} of those of checkers with {LARGE} pieces are made; a game makes them"
    return Finding(name, False, text)


def players() -> list[Finding]:
    """The shipped players, whose files must have come with the package."""
    boards = [card.board for card in cards()]
    if boards:
        return [Finding("players", True, f"shipped for {', '.join(boards)}", needed=True)]
    todo = "install Clauseboard again: the wheel has them"
    return [Finding("players", False, "the shipped ones are missing", todo, needed=True)]


def programs() -> list[Finding]:
    """Other programs that can be opponents, found where players of engines find them."""
    return [
        Finding(name, path is not None, f"{path or 'not found'} ({purpose})")
        for name, purpose in PROGRAMS.items()
        for path in [find_program(name)]
    ]


# ---- how fast it is


def speeds() -> list[tuple[str, float, str]]:
    """Some speeds on one core: a name, how many a second, and of what.

    What is measured is the same as in the tables of docs/speed.md.
    """
    print("measuring; the first time also compiles ...", file=sys.stderr, flush=True)
    return [
        ("checkers moves", _checkers_moves(), "checkers moves counted a second"),
        ("hex simulations", _simulations("hex", 11), "simulations a second, Hex 11x11 tree search"),
        ("go simulations", _simulations("go", 9), "simulations a second, Go 9x9 tree search"),
        ("samples", _samples(), "samples a second, training a Tsetlin Machine of 200 clauses"),
    ]


def _checkers_moves() -> float:
    game = load_game("checkers")
    start = game.start()
    game.perft(start, 1)
    for depth in range(6, 16):
        began = time.perf_counter()
        count = game.perft(start, depth)
        seconds = time.perf_counter() - began
        if seconds > SECONDS / 5:  # the next depth takes about five times as long
            break
    return count / max(seconds, 1e-9)


def _simulations(name: str, size: int) -> float:
    game = load_game(name, size=size)
    player = load_player("rollouts", game, rollouts=1)
    player.choose(game.start(), Limit(simulations=10))
    player.begin(game, game.colours[0], 1)
    cost = player.choose(game.start(), Limit(seconds=SECONDS)).cost
    return cost.simulations / max(cost.seconds, 1e-9)


def _samples() -> float:
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(5000, 100), dtype=np.uint8)
    y = X[:, 0] & X[:, 1]
    machine = TsetlinMachineClassifier(200, epochs=1, random_state=0, device="cpu", n_jobs=1)
    machine.fit(X[:64], y[:64], progress=False)
    began = time.perf_counter()
    machine.fit(X, y, progress=False)
    return len(X) / max(time.perf_counter() - began, 1e-9)
