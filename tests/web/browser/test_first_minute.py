"""The first minute at the page: a screen to start from, a level, a move, and why it was played."""

from __future__ import annotations

import pytest
from browser_person import Held
from playwright.sync_api import expect

LONG_REASONS = "(;GM[11]SZ[11];B[f6];W[f5];B[d8];W[d9];B[g3];W[g5];B[e7];W[d6])"
SIZES = [(1440, 900), (1280, 720), (390, 844)]


def view(size):
    return {"width": size[0], "height": size[1]}


def is_in_view(me, locator):
    """Whether a whole element is in the window."""
    box, window = locator.bounding_box(), me.page.viewport_size
    return box["y"] >= -0.5 and box["y"] + box["height"] <= window["height"] + 0.5


@pytest.mark.parametrize("game", ["checkers", "go"])  # Go has most levels
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_everything_to_start_with_is_above_the_fold(person, size, game):
    me = person(viewport=view(size)).visit()
    me.see(f".game-choice:has(input[value='{game}'])").click()
    expect(me.see(".levels .chip b").last).to_have_text("Adapts to me")
    for part in (".games", ".levels", "fieldset:has-text('Your colour')", ".start-button"):
        expect(me.see(part).first).to_be_visible()
        assert is_in_view(me, me.see(part).first), part
    # The rules are the usual ones, and nobody is asked for others.
    expect(me.see(".settings")).to_be_hidden()
    expect(me.see(".levels input:checked")).to_have_count(1)
    assert not me.scrolls_sideways()


def test_levels_have_stars_and_figures_one_click_away(person):
    me = person().visit()
    me.see(".game-choice:has(input[value='checkers'])").click()
    names = me.see(".levels .chip b")
    expect(names.first).to_have_text("Beginner")
    shown = names.all_inner_texts()
    assert shown[-2:] == ["Strongest", "Adapts to me"]
    stars = me.see(".levels .stars").all_inner_texts()[:-1]
    assert stars == ["★" * n for n in range(1, len(stars) + 1)]
    expect(me.see(".strength dl")).to_be_hidden()
    me.see(".strength summary").click()
    expect(me.see(".strength dl")).to_contain_text("Elo")


def test_a_board_without_levels_has_its_opponents_in_front(person):
    me = person().visit()
    me.see(".game-choice:has(input[value='hex'])").click()
    me.more().see(".settings select").select_option(label="3 by 3")
    expect(me.see(".levels input[value=person]")).to_be_visible()
    assert me.see(".levels .stars").count() == 0


@pytest.mark.parametrize("size", SIZES[1:], ids=str)
def test_the_game_begins_at_the_board_with_the_keyboard_on_it(person, size):
    me = person(viewport=view(size)).visit()
    me.page.evaluate("document.body.style.minHeight = '3000px', window.scrollTo(0, 900)")
    me.see(".start-button").evaluate("button => button.click()")
    me.ready()
    expect(me.see(".seat-name:has-text('Clauseboard (beginner)')")).to_be_visible()
    assert me.page.evaluate("window.scrollY") == 0
    assert is_in_view(me, me.see(".frame"))
    assert me.page.evaluate("document.activeElement.id") == "main"


def test_why_explains_the_move_of_the_machine(person):
    me = person().begin("hex", opponent="own-1", size=4)
    me.play(me.open_cells[-1]).press("w")
    expect(me.see(".why .verdict h3")).to_contain_text("Blue played")
    me.see(".options summary").click()
    me.see(".options .check:has-text('only after')").click()
    me.press("w")  # keys work with the keyboard on a box to tick
    expect(me.see(".why .verdict h3")).to_contain_text("You played")
    me.page.reload()  # the choice is remembered
    me.ready().press("w")
    expect(me.see(".why .verdict h3")).to_contain_text("You played")


def test_verdict_and_reasons_are_in_view_beside_the_board(person):
    me = person(viewport=view((1280, 720))).begin("checkers", opponent="shallow")
    me.play("11", "15").press("w")
    expect(me.see(".why .concept").first).to_be_visible()
    for part in (".frame", ".verdict", ".why .concept >> nth=0"):
        assert is_in_view(me, me.see(part)), part
    assert me.page.evaluate("document.documentElement.scrollHeight") <= 720


def test_three_reasons_of_hex_are_in_view_on_a_laptop(person):
    """Its sentences are long: they end after three lines, and are whole with the keyboard there."""
    me = person(viewport=view((1280, 720))).begin_from(
        None, "hex", "shipped", settings={"size": 11}, record=LONG_REASONS
    )
    me.press("w")
    reasons = me.see(".why .concept")
    expect(reasons.nth(2)).to_be_visible()
    for part in (me.see(".frame"), me.see(".verdict"), *(reasons.nth(n) for n in range(3))):
        assert is_in_view(me, part), part
    texts = me.see(".why .line-text")
    heights = "texts => texts.map((text) => text.scrollHeight - text.clientHeight)"
    cut = [n for n, more in enumerate(texts.evaluate_all(heights)) if more > 2]
    for n in cut[:1]:
        reasons.nth(n).focus()
        me.press("Shift+Tab", "Tab")
        assert texts.evaluate_all(heights)[n] <= 2


def test_on_a_phone_board_and_headline_are_seen_together(person):
    me = person(viewport=view((390, 844))).begin("checkers", opponent="shallow")
    me.play("11", "15")
    me.see(".action:has-text('Why?')").click()
    expect(me.see(".headline")).to_be_visible()
    assert is_in_view(me, me.see(".headline"))
    assert is_in_view(me, me.see(".frame"))


def test_on_a_phone_the_end_of_a_game_is_told_to_the_end(person):
    record = "(;GM[1]SZ[9]KM[7];B[ee];W[fe];B[hb];W[];B[])"
    me = person(viewport=view((280, 700))).begin_from(
        None, "go", settings={"size": 9}, record=record
    )
    said = me.see(".said--over")
    expect(said).to_contain_text("komi 7")
    me.click("H8")
    expect(said).to_contain_text("taken off")
    assert said.evaluate("said => said.scrollHeight - said.clientHeight") <= 1


def test_pointing_at_a_move_shifts_nothing_on_a_phone(person):
    """The words under the board change; a button that moved away under the finger is not hit."""
    me = person(viewport=view((340, 844))).begin("checkers", opponent="shallow")
    me.play("11", "15").press("s")
    expect(me.see(".alternatives")).to_be_visible()
    last = me.see(".alternatives button").last
    expect(me.see(".said")).to_contain_text("Your turn: you are black.")
    before = last.bounding_box()["y"] - me.see(".frame").bounding_box()["y"]
    last.hover()
    expect(me.see(".said")).to_contain_text("Expected: ")
    assert last.bounding_box()["y"] - me.see(".frame").bounding_box()["y"] == before
    last.click()
    expect(me.see(".versus")).to_be_visible()


def test_arrows_and_the_wheel_walk_through_the_moves(person):
    me = person().begin("hex", opponent="person", size=4)
    me.play("a1").play("b2").play("c3")
    said = me.see(".said")
    me.press("ArrowLeft")
    expect(said).to_contain_text("after move 2 of 3")
    me.press("ArrowLeft")
    expect(said).to_contain_text("after move 1 of 3")
    me.press("ArrowRight")
    expect(said).to_contain_text("after move 2 of 3")
    me.see(".frame").hover()
    me.page.mouse.wheel(0, -100)
    expect(said).to_contain_text("after move 1 of 3")
    me.page.mouse.wheel(0, 100)
    expect(said).to_contain_text("after move 2 of 3")
    # With the keyboard on the board the arrows go from cell to cell.
    me.press("End", "b", "ArrowRight")
    assert me.page.evaluate("document.activeElement.dataset.cell")
    expect(said).not_to_contain_text("after move")


def test_no_cell_glows_after_a_click_and_a_key(person):
    me = person().begin("hex", opponent="person", size=4)
    me.play("b2").press("f")
    assert me.see(".frame .cell:focus").count() == 0
    me.press("b")
    assert me.see(".frame .cell:focus").count() == 1


def test_chances_beside_the_board_and_under_the_moves(person):
    me = person().begin("checkers", opponent="shallow")
    me.play("11", "15")
    graph = me.see(".graph")
    expect(graph).to_be_visible()
    bar = me.see(".evaluation")
    said = bar.get_attribute("aria-label")
    assert said.startswith("Chance of black: ")
    assert said.endswith(" %")
    me.press("f")
    assert me.see(".evaluation").get_attribute("aria-label").startswith("Chance of white: ")
    box = graph.locator("svg").bounding_box()
    me.page.mouse.click(box["x"] + 1, box["y"] + 20)
    expect(me.see(".said")).to_contain_text("after move 0 of 2")
    me.see(".options summary").click()
    me.see(".options .check:has-text('chances')").click()
    expect(bar).to_be_hidden()
    expect(graph).to_be_hidden()


def test_captured_pieces_are_counted(person):
    me = person().begin_from("B:W6,14,23,32:B2,12", "checkers")
    me.click("2").click("9").click("18").play("27")
    expect(me.see(".captured")).to_have_count(1)
    expect(me.see(".captured")).to_contain_text("taken: 3")


def test_a_screen_that_is_long_in_coming_says_so(person):
    me = person().begin("hex", opponent="person", size=3)
    held = Held(me, "**/api/board?*")
    me.see(".brand").click()
    expect(me.see("main.loading")).to_be_visible()
    for n in range(4):  # the boards of three games, and the board of the one that is chosen
        held.wait_for(n + 1)
        held.let_go(n)
    expect(me.see(".start-button")).to_be_visible()
    expect(me.see("main.loading")).to_have_count(0)


LOSSES = """async (state) => {
    const { losses, sizeOfLoss } = await import("/chances.js");
    return losses(state).map((loss) => [loss, sizeOfLoss(loss)]);
}"""


def test_what_a_move_lost(person):
    me = person().visit()
    colours = ["black", "white"]
    moves = [{"colour": colours[n % 2]} for n in range(4)]
    state = {"chances": [0.5, 0.4, 0.8, 0.4, None], "moves": moves, "colours": colours}
    found = me.page.evaluate(LOSSES, state)
    assert [size for _, size in found] == ["small", "large", "large", None]
    assert [loss and round(loss, 2) for loss, _ in found] == [0.1, 0.4, 0.4, None]
