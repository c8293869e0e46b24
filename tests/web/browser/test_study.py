"""Studying, being taught, and drawing on the board, as a person does it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

GAMES = """[Event "Manchester"]
[Date "1841.02.03"]
[Black "Anderson, A."]
[White "Wyllie, J."]
[Result "0-1"]
1. 11-15 23-19 2. 8-11 22-17 {Now it is a Glasgow.} 3. 11-16 24-20 4. 16-23 27-11 5. 7-16 20-11
(21-14 6-10) 6. 3-7 0-1

[Event "Leeds"]
[Date "1902.??.??"]
[Black "Jordan, A."]
[White "Stewart, R."]
[Result "1/2-1/2"]
1. 10-14 22-18 2. 11-15 18-11 1/2-1/2
"""


def open_games(me, text=GAMES):
    me.visit()
    me.see(".game-choice:has(input[value='checkers'])").click()
    me.see(".other textarea").fill(text)
    me.see(".other button:has-text('Load')").click()
    return me


def test_a_file_of_many_games_is_searched(person):
    me = open_games(person())
    listed = me.see(".collection-game")
    expect(listed).to_have_count(2)
    expect(listed.first).to_contain_text("Anderson, A.")
    expect(listed.first).to_contain_text("Manchester · 1841 · white wins · Glasgow")
    for asked, title in (("stewart", "Jordan"), ("1841", "Anderson"), ("denny draw", "Jordan")):
        me.see("dialog input[type=search]").fill(asked)
        expect(listed).to_have_count(1)
        expect(listed).to_contain_text(title)
    me.see("dialog input[type=search]").fill("nobody")
    expect(listed).to_have_count(0)
    expect(me.see("dialog [role=status]")).to_have_text("0 games.")
    me.see("dialog input[type=search]").fill("jordan")
    listed.click()
    expect(me.see(".seat").last).to_contain_text("Jordan, A.")
    expect(me.see(".about-game")).to_contain_text("Leeds · 1902.??.?? · Denny")
    assert me.plies == 4


def test_a_game_is_studied_by_keyboard(person):
    first = GAMES.partition("\n\n")[0]
    me = person()
    me.page.set_viewport_size({"width": 1440, "height": 900})
    me.begin_from(None, "checkers", record=first, judge="shallow")
    assert me.see("input[value=study]").is_checked()
    expect(me.see(".study[data-analysed='true']")).to_be_visible()
    expect(me.see(".verdict")).to_be_visible()
    assert 1 <= me.see(".alternatives button").count() <= 3
    # Comments and variations stand where they were said.
    me.press("Home", *"....")
    expect(me.see(".comment")).to_have_text("Now it is a Glasgow.")
    me.press(*"......")
    expect(me.see(".comment")).to_have_text("Variation: 21-14 6-10")
    # The third move again, otherwise.
    me.press("Home", *".....", "r")
    expect(me.see(".said")).to_have_text(
        "Try again: what would you play as black instead of 11-16?"
    )
    expect(me.see(".verdict")).to_have_count(0)
    me.press("b")
    me.cell("4").focus()
    me.press("Enter")
    me.cell("8").focus()
    me.press("Enter")
    expect(me.see(".why .versus")).to_contain_text("4-8")
    expect(me.see(".why .versus")).to_contain_text("11-16")
    assert me.board["8"] == "8, black man"
    me.see("button:has-text('Back to the game')").click()
    expect(me.see(".move[aria-current]")).to_contain_text("11-16")
    assert me.plies == 11


def test_from_mistake_to_mistake(person):
    game = '[SetUp "1"]\n[FEN "B:W18,22,23:B1,2,14"]\n1. 2-7 18x9 2. 1-5 *'
    me = person().begin_from(None, "checkers", record=game, judge="shallow")
    expect(me.see(".study[data-analysed='true']")).to_be_visible()
    expect(me.see(".study button").first).to_have_text(re.compile(r"Next of \d mistakes?"))
    me.press("m")
    expect(me.see(".said")).to_contain_text("The board after move 1 of 3.")
    expect(me.see(".said")).to_contain_text("would have played")
    me.press("Shift+M")
    expect(me.see(".said")).not_to_contain_text("after move 2")


def test_why_not_is_asked_of_any_earlier_move(person):
    game = '[SetUp "1"]\n[FEN "B:W18,22,23:B1,2,14"]\n1. 2-7 18x9 2. 1-5 *'
    me = person().begin_from(None, "checkers", record=game, judge="shallow")
    me.press("Home", ".")
    expect(me.see(".verdict h3")).to_have_text("Black played 2-7")
    me.see("button:has-text('Why not another?')").click()
    expect(me.see(".said")).to_have_text("Click the move that you want to ask about.")
    me.click("1", "6")  # which loses the man on 14 as well
    expect(me.see(".verdict h3")).to_have_text("Why not 1-6?")
    me.press("Escape")
    assert me.plies == 3


def test_a_mistake_can_be_taken_back(person):
    me = person().begin_from("B:W18,22,23:B1,2,14", "checkers", "shallow", judge="shallow")
    me.press("t").click("2", "7").ready()  # 18x9 takes the man
    expect(me.see(".lesson")).to_contain_text("2-7 was a")
    better = me.see(".move").first.get_attribute("aria-label")
    assert "would have played" not in better
    me.see("button:has-text('What did I miss?')").click()
    expect(me.see(".verdict h3")).to_have_text("What 2-7 misses")
    expect(me.see(".verdict .headline")).not_to_be_empty()
    me.see("button:has-text('Show the better move')").click()
    expect(me.see(".verdict h3")).to_have_text("Why not 2-7?")
    me.see("button:has-text('Take it back')").click()
    expect(me.see(".game[data-ply='0']")).to_be_visible()
    expect(me.see(".lesson")).to_be_hidden()
    me.press("h")
    expect(me.see(".verdict h3")).to_have_text("A hint")
    expect(me.see(".verdict .headline")).to_have_text("The best move exchanges a man.")
    me.press("h")
    expect(me.see(".verdict h3")).to_contain_text("Hint: ")


def test_arrows_and_rings_by_the_right_button(person):
    me = person().begin("checkers", opponent="person")

    def drag(start, end):
        for place, act in ((start, me.page.mouse.down), (end, me.page.mouse.up)):
            box = me.cell(place).bounding_box()
            me.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            act(button="right")

    drag("11", "15")
    drag("22", "22")
    drawn = me.see(".frame .drawn > *")
    expect(drawn).to_have_count(2)
    drag("11", "15")  # the same again takes it away
    expect(drawn).to_have_count(1)
    me.click("11")
    expect(drawn).to_have_count(0)
    assert me.plies == 0


@pytest.mark.parametrize("flipped", [False, True])
def test_hex_fills_a_phone(person, flipped):
    me = person(viewport={"width": 390, "height": 844}).begin("hex", opponent="person", size=11)
    if flipped:
        me.press("f")
    box = me.see(".frame").bounding_box()
    assert box["height"] > 1.3 * box["width"] > 1.3 * 340
    sides = me.see(".frame .cell").evaluate_all(
        "cells => cells.map((cell) => cell.getBoundingClientRect()).map((at) => "
        "Math.min(at.width, at.height))"
    )
    assert min(sides) >= 32
    assert not me.scrolls_sideways()
    # The keys go where the person sees the next cell.
    me.cell("e5").focus()
    before = me.cell("e5").bounding_box()
    me.press("ArrowDown")
    after = me.see(".cell:focus").bounding_box()
    assert after["y"] > before["y"]
    me.press("ArrowRight")
    assert me.see(".cell:focus").bounding_box()["x"] > after["x"]
    me.play("c3")
    assert me.board["c3"] == "c3, red stone"


def test_sounds_can_be_switched_off(person):
    me = person().begin("hex", opponent="person", size=4)
    me.see(".options summary").click()
    sounds = me.see(".options label:has-text('Sounds') input")
    assert sounds.is_checked()
    sounds.uncheck()
    assert me.page.evaluate("localStorage.getItem('clauseboard.sounds')") == "false"
    phone = person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone.begin("hex", opponent="person", size=4)
    phone.see(".options summary").click()
    assert not phone.see(".options label:has-text('Sounds') input").is_checked()


def test_verdicts_in_a_saved_record(person):
    me = person().begin_from(None, "checkers", record="1. 11-15 23-19 *", judge="shallow")
    expect(me.see(".study[data-analysed='true']")).to_be_visible()
    me.see("button.action:has-text('Record')").click()
    box = me.see("dialog textarea").first
    expect(box).not_to_have_value(re.compile(r"black \d+ %"))
    me.see("dialog label:has-text('verdicts')").click()
    expect(box).to_have_value(re.compile(r"black \d+ %"))
    assert me.see("dialog a[download]").get_attribute("href").endswith("?verdicts=true")


def test_the_best_move_lost_nothing(person):
    """Where the chance falls after it, the judge only saw more: the move is no mistake."""
    me = person().visit()
    lost = me.page.evaluate(
        """import("/chances.js").then(({ losses }) => losses({
             chances: [0.6, 0.2, 0.6], colours: ["black", "white"],
             moves: [{ colour: "black", best: true }, { colour: "white", best: false }],
           }))"""
    )
    assert lost[0] == 0
    assert round(lost[1], 3) == 0.4
