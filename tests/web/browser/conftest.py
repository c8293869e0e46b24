"""A server, a real browser, and a person before it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from browser_person import Person
from web_doubles import Program, Seat

from clauseboard.arena.match import Match, run_matches
from clauseboard.arena.playing import MatchStore
from clauseboard.game import load_game
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
    """The page as a program, with one more opponent in Hex of size 4, which gives reasons.

    Its folder has games and reports, for the lab.
    """
    folder = tmp_path_factory.mktemp("folder")
    (folder / "report.md").write_text("# What came of it\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    (folder / "page.html").write_text("<h1>Page</h1><script>document.title = 'x'</script>")
    with MatchStore(folder / "games.sqlite") as store:
        run_matches([Match(load_game("hex", size=3), ("random", "random"), 4)], store=store)
    line = f"tsetlin:machine={str(machine)!r},depth=1"
    games = tmp_path_factory.mktemp("games")
    program = Program(games, "--player", line, "--folder", str(folder))
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


@pytest.fixture(scope="session")
def pages(browser):
    """Empty pages by the options of their context.

    Tests share contexts and pages, and with them files already loaded.
    """
    return {}


@pytest.fixture
def person(browser, server, pages):
    """Somebody at a page without a past, who minds every error that the page reports."""
    people = []

    def sit_down(**options):
        options = {"viewport": {"width": 1280, "height": 800}, **options}
        key = repr(sorted(options.items()))
        if key not in pages:
            pages[key] = [browser.new_context(reduced_motion="reduce", **options).new_page()]
        # A test has few people with the same options; each has a page of their own.
        taken = [one.page for one in people]
        free = [page for page in pages[key] if page not in taken]
        if not free:
            free = [pages[key][0].context.new_page()]
            pages[key] += free
        people.append(Person(free[0], server.link))
        return people[-1]

    yield sit_down
    for one in people:
        troubles = one.troubles
        one.leave()
        assert troubles == []
