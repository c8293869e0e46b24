"""Whole games by clicks, and what else a person does at a board."""

from __future__ import annotations

import re

import pytest
from browser_person import Held
from playwright.sync_api import expect


def play_to_the_end(person):
    """Click the first cells that can be chosen, until the game is over."""
    while not person.is_over:
        before = person.plies
        while not person.is_over and person.plies == before:
            person.click(person.open_cells[0])
            person.ready()
    return person.see(".said--over").inner_text()


@pytest.mark.long
def test_a_game_of_checkers(person):
    me = person().start("checkers")
    assert me.board["11"] == "11, black man"
    said = play_to_the_end(me)
    assert said.startswith(("Black wins: ", "White wins: ", "Draw: "))
    expect(me.see(".move").first).to_be_visible()


def test_the_end_of_a_game_of_checkers(person):
    me = person().start("checkers")
    assert me.board["11"] == "11, black man"
    me.play("11", "15")
    set_up(me, "B:W5,18:B1,14")
    assert play_to_the_end(me).startswith("Black wins: ")
    expect(me.see(".move").first).to_be_visible()


def test_a_game_of_hex_with_the_other_colour(person):
    me = person().start("hex", colour="second", Board="4 by 4")
    assert me.plies == 1
    said = play_to_the_end(me)
    assert said.startswith(("Red wins: red connected", "Blue wins: blue connected"))


def test_a_game_of_go_with_dead_stones(person):
    me = person().start("go", opponent="person", Board="5 by 5")
    for cell in ["C3", "C2", "B2", "D2", "B1", "D3", "C4", "D4", "C5", "D5", "E1"]:
        me.play(cell)
    me.press("p")
    expect(me.see(".game[data-ply='12'][data-busy='false']")).to_be_visible()
    me.press("p")
    expect(me.see(".said--over")).to_be_visible()
    # The program finds the lone stone dead; a click says that it is not, and another that it is.
    dead = me.see(".pieces .dead")
    expect(dead).to_have_count(1)
    expect(me.see(".said")).to_contain_text("1 dead stone taken off")
    me.ready()
    me.click("E1")
    expect(dead).to_have_count(0)
    expect(me.see(".said")).not_to_contain_text("dead")
    me.ready()
    me.click("E1")
    expect(dead).to_have_count(1)
    expect(me.see(".said")).to_contain_text("1 dead stone taken off")
    expect(me.see(".owner").first).to_be_visible()


def test_two_people_at_one_board(person):
    me = person().begin("hex", opponent="person", size=3)
    for cell in ["a1", "b1", "a2", "b2", "a3"]:
        me.play(cell)
    expect(me.see(".said--over")).to_contain_text("Red wins: red connected top and bottom")
    me.click("c3")
    expect(me.see(".wrong").first).to_contain_text("The game is over")


def test_a_move_that_is_not_legal_says_why(person):
    me = person().begin("checkers", opponent="person")
    me.forgiven = "422"
    before = me.board
    me.click("9", "18")
    expect(me.see(".status .wrong")).to_contain_text("'9-18' is not legal")
    me.click("22")
    expect(me.see(".status .wrong")).not_to_be_empty()
    me.click("1")
    expect(me.see(".status .wrong")).to_have_text("There is no legal move from 1.")
    assert me.board == before
    me.press("Escape")
    me.play("9", "13")
    expect(me.see(".status .wrong")).to_be_empty()


def test_a_stone_on_a_stone(person):
    me = person().begin("hex", opponent="person", size=3)
    me.forgiven = "422"
    me.play("b2").click("b2")
    expect(me.see(".status .wrong")).to_contain_text("b2")
    assert me.plies == 1


def test_taking_back(person):
    me = person().begin("hex", size=5)
    start = me.board
    me.play("c3")
    assert me.plies == 2
    me.see("button.action:has-text('Undo')").click()
    expect(me.see(".game[data-ply='0']")).to_be_visible()
    assert me.board == start
    me.press("u")
    expect(me.see(".status .wrong")).to_have_text("There is no move of yours to take back.")


def test_a_piece_can_be_let_go_of(person):
    me = person().begin("checkers", opponent="person")
    me.click("9")
    assert set(me.open_cells) == {"13", "14"}
    me.click("10")
    assert set(me.open_cells) == {"14", "15"}
    me.click("10")
    assert set(me.open_cells) == {"9", "10", "11", "12"}
    me.click("12").press("Escape")
    assert set(me.open_cells) == {"9", "10", "11", "12"}


def test_a_chain_of_jumps_step_by_step_and_at_once(person):
    me = person().begin_from("B:W6,14,23,32:B2,12", "checkers")
    me.click("2")
    assert me.open_cells == ["9"]
    me.click("9")
    assert me.open_cells == ["18"]
    assert me.board["2"] == "2, empty"
    assert me.board["9"] == "9, black man"
    me.play("18", "27")
    assert me.see(".move").first.inner_text() == "2x27"
    assert sorted(cell for cell, label in me.board.items() if "empty" not in label) == [
        "12",
        "27",
        "32",
    ]
    me.press("u")
    expect(me.see(".game[data-ply='0']")).to_be_visible()
    me.play("2", "27")
    assert me.see(".move").first.inner_text() == "2x27"


def set_up(me, text):
    """Set up a position as text."""
    me.see("button.action:has-text('Set up')").click()
    me.see("dialog summary").click()
    me.see("dialog input[type=text]").fill(text)
    me.see("dialog button:has-text('Use this text')").click()
    expect(me.see("dialog")).to_have_count(0)
    me.ready()


def test_dragging(person):
    me = person().begin("checkers", opponent="person")
    me.cell("11").drag_to(me.cell("15"))
    expect(me.see(".game[data-ply='1']")).to_be_visible()
    assert me.board["15"] == "15, black man"
    me.forgiven = "422"
    me.cell("22").drag_to(me.cell("15"))
    expect(me.see(".status .wrong")).to_contain_text("22-15")
    assert me.plies == 1


def test_a_reload_in_the_middle_goes_on(person):
    me = person().begin("hex", size=5)
    me.play("c3")
    me.play(me.open_cells[0])
    board, plies = me.board, me.plies
    me.page.reload()
    me.ready()
    assert (me.board, me.plies) == (board, plies)
    place = me.page.url.partition("#")[2]  # opponents in games of other tests may move meanwhile
    me.visit()
    me.see(f".before a[href$='{place}']").click()
    me.ready()
    assert me.board == board


def test_clicking_through_the_moves(person):
    me = person().begin("hex", opponent="person", size=4)
    me.play("a1").play("b2").play("c3")
    now = me.board
    me.see(".move").first.click()
    expect(me.see(".said")).to_contain_text("after move 1 of 3")
    assert [cell for cell, label in me.board.items() if "empty" not in label] == ["a1"]
    me.press(".")
    expect(me.see(".said")).to_contain_text("after move 2 of 3")
    me.press(",", ",")
    expect(me.see(".said")).to_contain_text("after move 0 of 3")
    me.press("Escape")
    expect(me.see(".said")).not_to_contain_text("after move")
    assert me.board == now


def test_resigning(person):
    me = person().begin("hex", size=4)
    me.see("button.action:has-text('Resign')").click()
    me.see("dialog button:has-text('Cancel')").click()
    assert not me.is_over
    me.see("button.action:has-text('Resign')").click()
    me.see("dialog .button--main").click()
    expect(me.see(".said--over")).to_contain_text("Blue wins")


def test_swapping(person):
    me = person().visit()
    me.see(".game-choice:has(input[value='hex'])").click()
    me.more().see(".settings .check input").check()  # if it is not the rule already
    me.see(".opponent:has(input[value='person'])").click()
    me.see(".start-button").click()
    me.ready()
    assert me.see(".action:has-text('Swap')").count() == 0
    me.play("d4")
    me.see(".action:has-text('Swap')").click()
    expect(me.see(".game[data-ply='2']")).to_be_visible()
    assert me.see(".move").last.inner_text() == "swap"


def test_a_pale_stone_does_not_stay_where_a_stone_was_put(person):
    me = person().begin("hex", opponent="person", size=4)
    cell = me.see("[data-cell='b3']")
    cell.hover()
    expect(me.see(".ghost")).to_have_count(1)
    cell.click()
    expect(me.see(".game[data-ply='1'][data-busy='false']")).to_be_visible()
    expect(me.see(".ghost")).to_have_count(0)


def test_clocks(person):
    me = person().visit()
    me.see(".game-choice:has(input[value='hex'])").click()
    me.more().see(".opponent:has(input[value='person'])").click()
    me.see(".check:has-text('clocks')").click()
    me.see(".field:has-text('Minutes each') input").fill("3")
    me.see(".start-button").click()
    me.ready()
    assert me.see(".clock").count() == 2
    me.play("a1")
    expect(me.see(".clock").first).to_contain_text(":")


@pytest.mark.parametrize("game", ["checkers", "go", pytest.param("hex", marks=pytest.mark.long)])
def test_saving_and_loading_by_paste(person, game):
    me = person().begin(game, opponent="person")
    for _ in range(3):
        before = me.plies
        while me.plies == before:
            me.click(me.open_cells[0]).ready()
    board = me.board
    me.see("button.action:has-text('Record')").click()
    text = me.see("dialog textarea").first.input_value()
    with me.page.expect_download() as saving:
        me.see("dialog a[download]").click()
    assert saving.value.path().read_text() == text
    me.press("Escape")
    me.begin(game, opponent="person")
    me.see("button.action:has-text('Record')").click()
    me.see("dialog textarea").nth(1).fill(text)
    me.see("dialog button:has-text('Load the pasted text')").click()
    expect(me.see(".game[data-ply='3']")).to_be_visible()
    assert me.board == board


def test_a_record_of_another_board(person):
    me = person().begin("go", opponent="person", size=9)
    me.forgiven = "422"  # the judge is this server's machine for Hex, which refuses Go
    me.see("button.action:has-text('Record')").click()
    me.see("dialog textarea").nth(1).fill("(;GM[1]FF[4]SZ[5];B[cc];W[bb])")
    me.see("dialog button:has-text('Load the pasted text')").click()
    expect(me.see(".frame .cell")).to_have_count(25)
    expect(me.see("dialog")).to_have_count(0)
    assert me.board["C3"] == "C3, black stone"
    me.play("D4")
    assert me.plies == 3


def test_a_record_that_is_none(person):
    me = person().visit()
    me.forgiven = "422"
    me.see(".other button:has-text('Load')").click()
    expect(me.see(".record .wrong")).to_contain_text("Paste a record")
    me.see(".other textarea").fill("this is no game at all")
    me.see(".other button:has-text('Load')").click()
    expect(me.see(".record .wrong")).not_to_contain_text("Paste a record")
    expect(me.see(".record .wrong")).not_to_be_empty()


def test_setting_up_a_position_by_clicks(person):
    me = person().visit()
    me.see(".game-choice:has(input[value='checkers'])").click()
    me.more().see(".opponent:has(input[value='person'])").click()
    me.see("button:has-text('Set up a position')").click()
    board = me.see("dialog .board")
    board.locator("[data-cell='11']").click()
    me.see("dialog label:has-text('White king')").click()
    board.locator("[data-cell='18']").click()
    board.locator("[data-cell='32']").click()
    board.locator("[data-cell='32']").click()  # and away again
    me.see("dialog label:has-text('White'):has(input[value='white'])").click()
    me.see("dialog button:has-text('Start from here')").click()
    me.ready()
    there = {cell: label for cell, label in me.board.items() if "empty" not in label}
    assert there == {"11": "11, black man", "18": "18, white king"}
    expect(me.see(".said")).to_contain_text("hite")


def told_at_a_seat(person, *thoughts):
    """The text and the title at a seat after each of some calls of `thinking`, in this order."""
    return (
        person()
        .visit()
        .page.evaluate(
            """async (thoughts) => {
            const { Seats } = await import("/seats.js");
            const seats = new Seats({}, () => {});
            seats.doing = document.createElement("span");
            seats.state = { thinking: true, title: "Hex" };
            const told = thoughts.map((thought) => {
                seats.thinking(...thought);
                return [seats.doing.textContent, seats.doing.title];
            });
            seats.leave();
            return told;
        }""",
            thoughts,
        )
    )


COMPILING = {"kernel": "search: alpha_beta", "done": 2, "expected": 7}
ALONE = {"kernel": "simulate", "done": 0, "expected": 1}


def test_what_is_said_while_an_opponent_gets_ready(person):
    told = told_at_a_seat(
        person,
        [{"seconds": 0.5, "limit": 1, "preparing": True}],
        [{"seconds": 9, "limit": 1, "preparing": True, "compiling": COMPILING}],
        [{"seconds": 12.7, "limit": 1, "preparing": True, "compiling": ALONE}],
        [{"seconds": 0.5, "limit": 1, "preparing": False}],
    )
    assert told == [
        ["getting ready · 0 s", ""],
        ["Preparing Hex, once: compiling 3 of 7 · 9 s", "search: alpha_beta"],
        ["Preparing Hex, once: compiling · 12 s", "simulate"],
        ["thinks 0.5 s of 1", ""],
    ]


THOUGHT = {"seconds": 1.2, "limit": 3, "preparing": False, "nodes": 9, "simulations": 0}


@pytest.mark.parametrize(
    ("thought", "in_play", "in_study"),
    [
        ({}, "", "thinks 1.2 s of 3"),
        (
            {
                "depth": 9,
                "value": 0.321,
                "chance": 0.614,
                "line": ["11-15", "23-19", "8-11", "22-17"],
            },
            " · depth 9",
            "depth 9: 11-15, 61 %, then 23-19 8-11",
        ),
        (
            {"depth": 12, "simulations": 12345, "value": -0.5, "chance": 0.25, "line": ["c3"]},
            " · 12,345 simulations",
            "12,345 simulations: c3, 25 %",
        ),
        ({"depth": 0, "value": None, "chance": None, "line": ["D4"]}, "", "D4"),
        (
            {"depth": 3, "value": -1, "chance": 0, "line": []},
            " · depth 3",
            "thinks 1.2 s of 3 · depth 3",
        ),
    ],
)
def test_how_a_thought_is_told(person, thought, in_play, in_study):
    arrived = {**THOUGHT, **thought}
    said = told_at_a_seat(person, [arrived, False], [arrived, True])
    line = " ".join(thought.get("line", []))
    assert said == [[f"thinks 1.2 s of 3{in_play}", ""], [in_study, line]]


@pytest.mark.parametrize("study", [False, True])
def test_what_the_opponent_thinks_is_shown_in_study_only(person, study):
    me = person()
    me.begin_from(None, "checkers", "material", seconds=1, marks=False)
    if study:
        me.press("s")
    # All that the seat says, for it is gone when the move is there.
    me.page.evaluate(
        """() => {
        window.told = [];
        const look = () => {
            window.told.push(document.querySelector(".seat-doing:not(:empty)")?.textContent ?? "");
        };
        new MutationObserver(look).observe(document.querySelector(".stage"), {
            childList: true, subtree: true, characterData: true,
        });
        }"""
    )
    me.play("11", "15")
    told = [one for one in me.page.evaluate("window.told") if "depth" in one]
    assert told
    shown = r"thinks [\d.]+ s of 1 · depth \d+"
    if study:
        shown = r"depth \d+: \d+-\d+, \d+ %(, then( \d+[-x]\d+)+)?"
    for one in told:
        assert re.fullmatch(shown, one), told


def test_a_move_planned_while_the_opponent_thinks(person):
    """It is played as soon as it is the person's turn."""
    me = person()
    held = Held(me, "**/events")  # so the page does not hear of the answer yet
    me.begin_from("B:W32:B1,5", "checkers", opponent="random")
    me.click("1", "6")
    expect(me.see(".seat-doing:has-text('thinks')")).to_be_visible()
    me.click("5", "9")
    expect(me.see(".planned")).to_have_count(2)
    expect(me.see(".said")).to_have_text("You will play 5-9, if you can. Click 9 again to cancel.")
    me.press("Escape")
    expect(me.see(".planned")).to_have_count(0)
    me.press("b")
    me.cell("5").focus()
    me.press("Enter")
    me.cell("9").focus()
    me.press("Enter")
    expect(me.see(".planned")).to_have_count(2)
    held.let_go(0)
    expect(me.see(".move").nth(2)).to_have_text("5-9")
    expect(me.see(".planned")).to_have_count(0)


def test_a_planned_move_that_cannot_be_played(person):
    me = person()
    held = Held(me, "**/events")
    me.begin_from("B:W22:B14,1", "checkers", opponent="random")
    me.click("14", "17")
    expect(me.see(".seat-doing:has-text('thinks')")).to_be_visible()
    me.cell("17").drag_to(me.cell("21"))
    expect(me.see(".planned")).to_have_count(2)
    held.let_go(0)
    expect(me.see(".move").nth(1)).to_have_text("22x13")
    expect(me.see(".wrong").first).to_have_text("17-21 cannot be played now.")
    assert me.ready().plies == 2


def test_a_stone_planned_while_the_opponent_thinks(person):
    me = person()
    held = Held(me, "**/events")
    me.begin("hex", size=4)
    me.click("b2")
    expect(me.see(".seat-doing:has-text('thinks')")).to_be_visible()
    me.click("a1")
    expect(me.see(".planned")).to_have_count(1)
    me.click("a1")
    expect(me.see(".planned")).to_have_count(0)
    me.click("d4")
    held.let_go(0)
    me.ready()
    expect(me.see(".planned")).to_have_count(0)
    answer = me.see(".move").nth(1).inner_text()
    assert me.plies == (2 if answer == "d4" else 4)
