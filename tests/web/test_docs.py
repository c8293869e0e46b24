"""The page about the page says what is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner
from web_doubles import PATIENCE

import clauseboard.web
from clauseboard.cli.main import app, load_command
from clauseboard.web import server as serving

PAGE = (Path(__file__).parents[2] / "docs" / "web.md").read_text("utf-8")
FOR_PAGE = {"--opponent", "--host", "--port", "--no-browser", "--data", "--folder"}


def test_every_module_is_named():
    folder = Path(clauseboard.web.__file__).parent
    files = [path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py")]
    modules = {path.as_posix() for path in files if not path.name.startswith("__")}
    tables = [part.partition("\n\n")[0] for part in PAGE.split("| module |")[1:]]
    named = re.findall(r"^\| `([\w/]+)`", "\n".join(tables), re.MULTILINE)
    assert len(named) == len(set(named))
    assert modules == set(named)


def test_every_option_is_named():
    section = PAGE.partition("| option |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(--[\w-]+)`", section, re.MULTILINE)) == FOR_PAGE
    command = load_command("play")
    assert {name for option in command.params for name in option.opts} >= FOR_PAGE


@pytest.fixture
def served(monkeypatch):
    """What the command would have served."""
    asked = []
    monkeypatch.setattr(serving, "serve", lambda *words: asked.append(words))
    return asked


def test_the_command_serves_the_page(served, tmp_path):
    words = ["play", "go", "--port", "0", "--no-browser", "--data", str(tmp_path),
             "--opponent", "random", "--folder", str(tmp_path)]  # fmt: skip
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    ((settings, browser, start),) = served
    assert (settings.port, settings.data, settings.folder) == (0, tmp_path, tmp_path)
    assert (settings.players, settings.host) == (("random",), "127.0.0.1")
    assert settings.token == (tmp_path / "token").read_text()
    assert (browser, start) == (False, "/?game=go")


def test_the_command_alone(served):
    assert CliRunner().invoke(app, ["play"]).exit_code == 0
    ((settings, browser, start),) = served
    assert (settings.port, settings.players, browser, start) == (8765, (), True, "/")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess"], "There is no game 'chess'"),
        (["hex", "--seed", "1"], "--seed is for the terminal; add --terminal"),
        (["hex", "--set", "size=3"], "--set is for the terminal"),
        (["hex", "--load", "x.sgf"], "--load is for the terminal"),
        (["hex", "--input", "board"], "--input is for the terminal"),
    ],
)
def test_what_the_page_does_not_take(served, words, told):
    done = CliRunner().invoke(app, ["play", *words])
    assert isinstance(done.exception, ValueError)
    assert told in str(done.exception)
    assert not served


def test_without_the_extra_it_says_what_to_install():
    program = (
        "import sys; sys.modules['fastapi'] = None; from clauseboard.cli.main import run; run()"
    )
    command = [sys.executable, "-c", program, "play", "--no-browser"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2
    assert "install clauseboard[web], or play with --terminal" in done.stderr
    assert "Traceback" not in done.stderr
