"""Servers for the tests of the page; also makes `from web_doubles import ...` work."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from web_doubles import Program, Seat, client_of, engine_player

from clauseboard.web.settings import Settings


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("web")


@pytest.fixture(scope="session")
def client(data_folder):
    """A client that many tests share; each plays games of its own."""
    with client_of(Settings(data=data_folder / "shared", workers=2)) as client:
        yield client


@pytest.fixture
def seat(client):
    return lambda **wish: Seat(client, **wish)


@pytest.fixture
def program(tmp_path):
    """Starts servers as programs; all are ended after the test."""
    started = []

    def start(*words, folder=None, **environment):
        started.append(Program(folder or tmp_path / "data", *words, **environment))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()
        one.client.close()


@pytest.fixture
def engine(tmp_path):
    """Players that are programs, whose answer to `genmove` is what a line of Python makes it."""
    return lambda genmove: engine_player(tmp_path, genmove)
