"""A server, a real browser, and a person before it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from browser_person import Person
from web_doubles import Program, Seat

from naive.machines import small_game, small_machine
from programs import need

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def machine(tmp_path_factory):
    """A small machine that can be read, for Hex of size 4."""
    path = tmp_path_factory.mktemp("machine") / "small.tm"
    small_machine(small_game("hex")).save(path)
    return path


@pytest.fixture(scope="session")
def server(tmp_path_factory, machine):
    """The page as a program; with one more opponent in Hex of size 4, which gives reasons."""
    line = f"tsetlin:machine={str(machine)!r},depth=1"
    program = Program(tmp_path_factory.mktemp("games"), "--player", line)
    # The first time on a machine kernels are compiled, which takes longer than a page may wait.
    for game, settings, opponent in (("hex", {"size": 4}, "own-1"), ("checkers", {}, "shallow")):
        seat = Seat(program.client, game=game, settings=settings, opponent=opponent)
        seat.play()
        assert seat.ask("why", about="own").status_code == 200
    yield program
    program.end()


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    chromium = need("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def person(browser, server):
    """Somebody with a fresh browser, who minds every error that the page reports."""
    people = []

    def sit_down(**options):
        options = {"viewport": {"width": 1280, "height": 800}, **options}
        context = browser.new_context(reduced_motion="reduce", **options)
        people.append(Person(context, server.address.rstrip("/")))
        return people[-1]

    yield sit_down
    for one in people:
        troubles = one.troubles
        one.context.close()
        assert troubles == []
