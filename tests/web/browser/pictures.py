"""Make the pictures of the page: python tests/web/browser/pictures.py [FOLDER [NAME ...]].

It starts a server with an empty folder of games, plays a few moves in Chromium, and writes PNGs.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from browser_person import Person
from playwright.sync_api import TimeoutError, expect, sync_playwright
from web_doubles import Program

from programs import PROGRAMS

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WIDE = {"width": 1440, "height": 900}
LAPTOP = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}
COLUMNS = "ABCDEFGHJ"


def main(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (chromium,) = [one.path() for one in PROGRAMS if one.name == "chromium"]
    with tempfile.TemporaryDirectory() as games, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        program = Program(Path(games))

        try:
            for name in names or SHOWN:
                view, scheme, act = SHOWN[name]
                context = browser.new_context(
                    viewport=view,
                    color_scheme=scheme,
                    device_scale_factor=2 if view is PHONE else 1,
                    reduced_motion="reduce",
                )
                me = Person(context.new_page(), program.link, patience=300_000)
                act(me)
                me.page.evaluate("document.activeElement.blur()")
                me.page.wait_for_timeout(400)
                me.page.screenshot(path=folder / f"{name}.png")
                context.close()
        finally:
            program.end()
            browser.close()


def opponent(me, game, **settings):
    """The usual opponent of a game."""
    found = me.page.request.get(f"{me.address}/api/opponents", params={"game": game, **settings})
    return found.json()[0]["id"]


def played(me, game, moves, **settings):
    """A game against the usual opponent, with these moves where they can be played."""
    me.begin(game, opponent(me, game, **settings), **settings)
    for move in moves:
        if move[0] in me.open_cells:
            me.click(*move).ready()
    return me.press("Escape")


def checkers_with_reasons(me):
    played(me, "checkers", [("11", "15"), ("8", "11"), ("4", "8")]).press("w")
    return light_up(me)


def hex_with_reasons(me):
    played(me, "hex", [["f6"], ["d8"], ["g3"], ["e7"]], size=11).press("w")
    return light_up(me)


def go_with_reasons(me):
    played(me, "go", [["E5"], ["C6"]], size=9)
    stones = [cell for cell, told in me.board.items() if "white stone" in told]
    me.play(next(cell for cell in beside(stones[-1]) if cell in me.open_cells)).press("w")
    return light_up(me)


def beside(cell):
    """The points beside one, those towards the centre first."""
    column, line = COLUMNS.index(cell[0]), int(cell[1:])
    steps = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    near = [(column + x, line + y) for x, y in steps]
    near = [(x, y) for x, y in near if 0 <= x < 9 and 1 <= y <= 9]
    return [f"{COLUMNS[x]}{y}" for x, y in sorted(near, key=lambda at: abs(at[0] - 4))]


def light_up(me):
    """Point at the first reason, or at the first line where there are no reasons below."""
    expect(me.see(".why .concept").first).to_be_visible()
    below = me.see(".why .below > summary")
    if below.count():
        below.click()
    reasons = me.see(".why .reason")
    (reasons if reasons.count() else me.see(".why .concept")).first.hover()
    return me


def hex_in_study(me):
    played(me, "hex", [["c4"], ["d3"], ["e2"], ["b5"]], size=6).press("s")
    expect(me.see(".verdict")).to_be_visible()
    return me.press("a")


PDN = """[Event "Example"]
[Black "Player A"]
[White "Player B"]
[Result "0-1"]
1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16-23 27-11 5. 7-16 20-11 6. 3-7 28-24 7. 7-16 24-20
8. 16-19 25-22 9. 4-8 29-25 10. 9-14 22-18 0-1
"""


def a_loaded_game(me):
    me.begin_from(None, "checkers", record=PDN)
    expect(me.see(".study[data-analysed='true']")).to_be_visible()
    me.press("m")
    expect(me.see(".verdict > h3")).to_contain_text("Black played 11-16")
    return me


def hex_on_a_phone(me):
    return played(me, "hex", [["f6"], ["d8"], ["g3"]], size=11)


def checkers_with_a_hint(me):
    played(me, "checkers", [("11", "15"), ("8", "11")]).press("h")
    expect(me.see(".verdict")).to_be_visible()
    me.page.evaluate("window.scrollTo(0, 0)")
    return me


def go_counted(me):
    me.begin("go", "person", size=9)
    black = ["E5", "D6", "D7", "D8", "D9", "E4", "E3", "E2", "E1", "H8"]
    white = ["F5", "E6", "E7", "E8", "E9", "F4", "F3", "F2", "F1", "G7"]
    for pair in zip(black, white, strict=True):
        for cell in pair:
            me.play(cell)
    for n in (21, 22):
        me.press("p")
        expect(me.see(f".game[data-ply='{n}'][data-busy='false']")).to_be_visible()
    try:  # what is dead is suggested after a while, or told by a click
        me.see(".pieces .dead").first.wait_for(timeout=20_000)
    except TimeoutError:
        me.click("H8")
        expect(me.see(".pieces .dead").first).to_be_visible()
    me.page.mouse.move(2, 2)
    return me


def lab(me):
    me.visit("/#/lab")
    expect(me.see(".clause").first).to_be_visible()


SHOWN = {
    "hex-why": (WIDE, "light", hex_with_reasons),
    "hex-study": (WIDE, "dark", hex_in_study),
    "study": (WIDE, "light", a_loaded_game),
    "hex-phone": (PHONE, "light", hex_on_a_phone),
    "checkers-why": (WIDE, "light", checkers_with_reasons),
    "go-why": (WIDE, "light", go_with_reasons),
    "go-score": (WIDE, "light", go_counted),
    "start": (WIDE, "light", Person.visit),
    "start-phone": (PHONE, "light", Person.visit),
    "laptop": (LAPTOP, "dark", checkers_with_reasons),
    "phone": (PHONE, "dark", checkers_with_a_hint),
    "lab": (LAPTOP, "light", lab),
}
"""Each picture: its window, light or dark, and what is done before it is taken."""


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES, sys.argv[2:])
