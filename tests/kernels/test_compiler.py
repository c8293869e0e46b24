"""Templates of kernels: compiled once for each game, and found in the cache again."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from clauseboard.kernels import compiler as compiled

TEMPLATE = """
from typing import Any
from clauseboard.kernels.compiler import helper, kernel

rules: Any


@helper
def twice(x):
    return rules.step(rules.step(x))


@kernel(f"{rules.NUMBER}({rules.NUMBER})")
def run(x):
    return twice(x)
"""
RULES = """
from clauseboard.kernels.compiler import helper

NUMBER = "int64"


@helper
def step(x):
    return {step}
"""
PROGRAM = """
import json, sys
from clauseboard.kernels.compiler import specialised
import adding, doubling

made = [specialised("shared_template", rules) for rules in (adding, doubling)]
again = specialised("shared_template", adding) is made[0]
stats = [getattr(m.run, "stats", None) for m in made]
hits = [sum(s.cache_hits.values()) if s else None for s in stats]
print(json.dumps([[m.run(5) for m in made], hits, again]))
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "shared_template.py").write_text(TEMPLATE)
    (tmp_path / "adding.py").write_text(RULES.format(step="x + 1"))
    (tmp_path / "doubling.py").write_text(RULES.format(step="2 * x"))
    return tmp_path


def run(folder, **environment):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=folder,
        env=os.environ | {"CLAUSEBOARD_CACHE": str(folder / "cache")} | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.skipif(compiled.JIT_DISABLED, reason="nothing is compiled")
def test_each_game_has_its_kernels_and_finds_them_again(folder):
    assert run(folder) == [[7, 20], [0, 0], True]
    assert run(folder) == [[7, 20], [1, 1], True]


def test_templates_work_without_the_compiler(folder):
    assert run(folder, NUMBA_DISABLE_JIT="1") == [[7, 20], [None, None], True]


def test_a_template_that_is_not_there_is_told():
    with pytest.raises(ValueError, match="no module 'no_such_template'"):
        compiled.specialised("no_such_template", compiled)


def test_a_template_that_fails_can_be_tried_again(folder, monkeypatch):
    (folder / "broken_template.py").write_text("rules.nothing")
    monkeypatch.syspath_prepend(folder)
    for _ in range(2):
        with pytest.raises(AttributeError):
            compiled.specialised("broken_template", compiled)
