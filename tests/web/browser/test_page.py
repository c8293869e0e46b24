"""The page as a page: keyboard, phones, labels, themes, quitting; and what a click means."""

from __future__ import annotations

import pytest
from browser_person import Held, SlowAnswers
from playwright.sync_api import expect

PHONE = {"width": 360, "height": 740}
KINDS = [("checkers", {}), ("go", {"size": 9}), ("hex", {"size": 11})]


def test_a_game_with_the_keyboard_alone(person):
    """From the start screen to the end of a game without a pointer."""
    me = person().visit()
    me.see("input[name=game][value=hex]").focus()
    me.press("Space")
    me.see(".more > summary").focus()
    me.press("Enter")
    me.see(".settings select").focus()
    me.page.keyboard.type("3 by 3")
    expect(me.see(".settings select")).to_have_value("3 by 3")
    me.see("input[name=opponent][value=person]").focus()
    me.press("Space")
    me.see(".start-button").focus()
    me.press("Enter")
    me.ready()
    me.press("b", "Enter")
    expect(me.see(".game[data-ply='1']")).to_be_visible()
    for n, keys in enumerate([["ArrowRight"], ["ArrowLeft", "ArrowDown"], ["ArrowRight"]], 2):
        me.press(*keys, "Enter")
        expect(me.see(f".game[data-ply='{n}']")).to_be_visible()
    me.press("ArrowLeft", "ArrowDown", "Enter")
    expect(me.see(".said--over")).to_contain_text("Red wins: red connected top and bottom")
    focused = me.page.evaluate("document.activeElement.dataset.cell")
    assert focused == "a3"


def test_a_move_is_played_before_the_last_one_is_answered(person):
    """The new position comes as an event, often before the answer to the move that led to it."""
    me = person().begin("hex", opponent="person", size=3)
    answers = SlowAnswers(me, "**/moves")
    for n, cell in enumerate(["a1", "b1", "a2"], 1):
        me.cell(cell).focus()
        me.press("Enter")
        expect(me.see(f".game[data-ply='{n}'][data-busy='true']")).to_be_visible()
    for n in range(3):
        answers.let_go(n)
    me.ready()
    assert me.plies == 3


def test_a_key_that_is_hit_twice_plays_once(person):
    me = person().begin("hex", opponent="person", size=3)
    questions = Held(me, "**/moves")
    me.cell("a1").focus()
    me.press("Enter", "Enter")
    me.cell("b1").focus()
    me.press("Enter")
    questions.wait_for(1)
    questions.let_go(0)
    me.ready()
    assert me.plies == 1
    assert len(questions.held) == 1


def _in_a_hurry(person, *sizes):
    """A person at the start screen who asked for boards of Hex whose opponents are not told yet."""
    me = person().visit()
    me.see("input[name=game][value=hex]").focus()
    me.press("Space")
    me.more()
    expect(me.see(".settings select")).to_be_visible()
    expect(me.see("input[name=opponent][value=own-1]")).to_be_visible()
    held = Held(me, "**/api/opponents?*")
    for n, size in enumerate(sizes, 1):
        me.see(".settings select").select_option(label=size)
        held.wait_for(n)
    return me, held


def _drawn_again(me):
    """Wait until the opponents are others than those that were marked."""
    expect(me.see(".opponents .marked")).to_have_count(0)


def _mark(me):
    me.see(".opponent").evaluate_all("all => all.forEach((each) => each.classList.add('marked'))")


def test_a_key_that_is_down_while_the_opponents_come_still_chooses(person):
    me, held = _in_a_hurry(person, "3 by 3")
    me.see("input[name=opponent][value=person]").focus()
    _mark(me)
    me.page.keyboard.down("Space")
    held.let_go(0)
    me.page.wait_for_timeout(300)  # what would be drawn now is drawn when the key is up
    me.page.keyboard.up("Space")
    _drawn_again(me)
    expect(me.see("input[name=opponent][value=person]")).to_be_checked()


def test_the_keyboard_stays_where_it_was_when_the_opponents_are_told(person):
    me, held = _in_a_hurry(person, "3 by 3")
    me.see("input[name=opponent][value=person]").focus()
    _mark(me)
    held.let_go(0)
    _drawn_again(me)
    me.press("Space")
    expect(me.see("input[name=opponent][value=person]")).to_be_checked()
    me.see(".start-button").focus()
    me.press("Enter")
    me.ready().play("a1").play("b1")
    assert me.plies == 2, "both colours are the person's"


def test_who_was_chosen_in_a_hurry_is_played(person):
    me, held = _in_a_hurry(person, "3 by 3")
    me.see("input[name=opponent][value=person]").check()
    me.see(".start-button").click()
    held.let_go(0)
    me.ready().play("a1").play("b1")
    assert me.plies == 2
    assert len(me.board) == 9


def test_an_answer_that_was_overtaken_is_not_shown(person):
    me, held = _in_a_hurry(person, "6 by 6", "3 by 3")
    _mark(me)
    held.let_go(1)
    _drawn_again(me)
    told = me.see(".levels").inner_text()
    _mark(me)
    held.let_go(0)
    me.page.wait_for_timeout(200)
    assert me.see(".levels").inner_text() == told
    assert me.see(".opponents .marked").count(), "nothing was drawn again"


def test_the_first_link_leads_to_the_board(person):
    me = person().begin("hex", opponent="person", size=3)
    me.press("Tab", "Enter")
    assert me.page.evaluate("document.activeElement.dataset.cell") == "a1"
    assert me.see(".game").count() == 1


def test_arrows_follow_a_board_that_is_turned(person):
    me = person().begin("checkers", opponent="person")
    me.press("b")
    me.cell("11").focus()
    me.press("ArrowDown")
    assert me.page.evaluate("document.activeElement.dataset.cell") == "15"
    me.press("f", "ArrowDown")
    assert me.page.evaluate("document.activeElement.dataset.cell") == "11"


def test_a_person_sits_below_their_pieces(person):
    me = person().begin("checkers")

    def height(cell):
        return me.cell(cell).bounding_box()["y"]

    assert height("1") > height("32")
    me.press("f")
    assert height("1") < height("32")


@pytest.mark.parametrize(("game", "settings"), KINDS)
def test_on_a_phone_nothing_scrolls_sideways(person, game, settings):
    me = person(viewport=PHONE, has_touch=True)
    me.visit()
    assert not me.scrolls_sideways()
    me.begin(game, opponent="person", **settings)
    assert not me.scrolls_sideways()
    board = me.see(".frame").bounding_box()
    assert board["width"] > 320
    me.see(f".frame .cell.open[data-cell='{me.open_cells[0]}']").tap()
    me.see(".action:has-text('Set up')").click()
    assert not me.scrolls_sideways()
    dialog = me.see("dialog").bounding_box()
    assert dialog["x"] >= 0
    assert dialog["x"] + dialog["width"] <= 360


def test_why_on_a_phone(person):
    me = person(viewport=PHONE).begin("hex", opponent="own-1", size=4)
    me.play(me.open_cells[-1])
    me.see(".action:has-text('Why?')").click()
    expect(me.see(".why .concept").first).to_be_visible()
    assert not me.scrolls_sideways()


@pytest.mark.parametrize(
    "width",
    [900, pytest.param(1400, marks=pytest.mark.long), pytest.param(2560, marks=pytest.mark.long)],
)
def test_wide_screens(person, width):
    me = person(viewport={"width": width, "height": 1000}).begin("go", opponent="person")
    assert not me.scrolls_sideways()
    board = me.see(".frame").bounding_box()
    assert board["y"] + board["height"] < 1000, "the whole board is to be seen"


def test_everything_has_a_name(person):
    me = person().begin("hex", opponent="own-1", size=4)
    me.play(me.open_cells[-1]).press("w")
    expect(me.see(".why .concept").first).to_be_visible()
    nameless = me.see("button, a, input, select, textarea, [role=button], [role=img]").evaluate_all(
        """elements => elements.filter((element) => !(
            element.getAttribute("aria-label") || element.textContent.trim() ||
            element.title || (element.labels && element.labels.length)
        )).map((element) => element.outerHTML)"""
    )
    assert nameless == []
    assert all(label.startswith(f"{cell}, ") for cell, label in me.board.items())
    assert me.see("h1").count() == 1


def test_the_state_is_said(person):
    me = person().begin("hex", size=4)
    assert me.see(".status [role=status]").inner_text().endswith("you are red.")
    assert me.see(".status [role=alert]").count() == 1


def test_dark_and_light(person):
    me = person(color_scheme="dark").visit()

    def paper():
        return me.page.evaluate("getComputedStyle(document.body).backgroundColor")

    dark = paper()
    me.see("button[aria-label='Change to light colours']").click()
    light = paper()
    assert light != dark
    me.page.reload()
    expect(me.see("main > *").first).to_be_visible()
    assert paper() == light


def test_the_keys_are_told(person):
    me = person().visit().press("?")
    expect(me.see("dialog .keys")).to_contain_text("take back")
    me.press("Escape")
    expect(me.see("dialog")).to_have_count(0)


def test_a_game_that_is_not_there(person):
    me = person()
    me.forgiven = "404"
    me.visit("/#/game/nothing")
    expect(me.see("[role=alert]")).not_to_be_empty()
    me.see("a:has-text('Back to the start')").click()
    expect(me.see(".start-button")).to_be_visible()


def test_choices_are_remembered(person):
    me = person().start("hex", opponent="random", colour="second", Board="5 by 5")
    me.visit()
    expect(me.see("input[value=hex]")).to_be_checked()
    expect(me.see("input[value=random][name=opponent]")).to_be_checked()
    expect(me.see("input[value=second]")).to_be_checked()
    assert me.see(".settings select").evaluate("list => list.value") == "5 by 5"


def test_a_game_can_be_named_in_the_address(person):
    me = person()
    for game in ("hex", "go"):
        me.page.goto(f"{me.address}/?game={game}")
        expect(me.see(f"input[value={game}]")).to_be_checked()
        assert "?" not in me.page.url


def test_a_game_can_be_forgotten(person):
    me = person().begin("hex", size=3)
    me.visit()
    games = me.see(".before li")
    there = games.first.locator("a").get_attribute("href")
    games.first.locator("button").click()
    me.see("dialog .button--main").click()
    expect(me.see(f".before a[href='{there}']")).to_have_count(0)


def test_nothing_comes_from_elsewhere(person, server):
    me = person()
    asked = []
    me.page.on("request", lambda request: asked.append(request.url))
    me.start("checkers")
    assert asked
    assert all(url.startswith(me.address) for url in asked)


def test_the_lab_is_a_tab(person):
    me = person().visit()
    me.see(".tabs a:has-text('Lab')").click()
    expect(me.see("main h1")).to_have_text("Lab")
    assert me.see(".tabs a[aria-current]").inner_text() == "Lab"


def test_quitting(person, program):
    other = program()
    me = person()
    me.arrive(other.link)
    me.visit()
    me.see("button[aria-label=Quit]").click()
    me.see("dialog .button--main").click()
    expect(me.see("main h1")).to_have_text("Goodbye")
    assert other.process.wait(60) == 0


PATHS = """async ([legal, prefix, cell]) => {
    const {click, nextCells, starts} = await import("/board.js");
    return [click(legal, prefix, cell), [...nextCells(legal, prefix)], [...starts(legal)]];
}"""


def moves(*paths):
    return [{"text": "-".join(path), "path": list(path), "kind": "move"} for path in paths]


CLICKS = [
    (["a", "b"], "", "a", "play a"),
    (["a", "b"], "", "c", "wrong c"),
    (["ab", "ac", "de"], "", "a", "select a"),
    (["ab", "ac", "de"], "a", "b", "play ab"),
    (["ab", "ac", "de"], "a", "d", "select d"),  # another piece
    (["ab", "ac", "de"], "a", "a", "select "),  # let go
    (["ab", "ac", "de"], "a", "e", "wrong ae"),
    (["abc", "abd"], "a", "b", "select ab"),
    (["abc", "abd"], "ab", "d", "play abd"),
    (["abc", "abd"], "a", "d", "play abd"),  # only one ends there
    (["abd", "acd"], "a", "d", "wrong ad"),  # two do
    (["ab", "abc"], "a", "b", "select ab"),
    (["ab", "abc"], "ab", "b", "play ab"),  # the shorter one, by a second click
    (["abca"], "a", "b", "select ab"),
    (["abca"], "abc", "a", "play abca"),  # round and home again
]


def test_what_a_click_means(person):
    me = person().visit()
    for paths, prefix, cell, means in CLICKS:
        asked = [moves(*paths), list(prefix), cell]
        meant, following, starting = me.page.evaluate(PATHS, asked)
        kind, _, said = means.partition(" ")
        found = "".join(meant[kind]["path"] if kind == "play" else meant[kind])
        assert found == said, (paths, prefix, cell)
        assert set(following) == {path[len(prefix)] for path in paths if goes_on(path, prefix)}
        assert set(starting) == {path[0] for path in paths if len(path) > 1}


def goes_on(path, prefix):
    return path.startswith(prefix) and len(path) > len(prefix)
