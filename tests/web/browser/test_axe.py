"""axe-core finds no fault with any screen, light or dark, wide or narrow."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

PDN = '[Black "Ann"]\n[White "Bo"]\n1. 11-15 23-19 {Sharp} 2. 8-11 22-17 (26-23) *'
VIEWS = {
    "light": {"viewport": {"width": 1440, "height": 900}},
    "dark": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}


def faults(me):
    found = axe.Axe().run(me.page).response["violations"]
    return [(one["id"], node["html"][:200]) for one in found for node in one["nodes"]]


@pytest.mark.parametrize("colours", VIEWS)
def test_no_screen_has_a_fault(person, colours):
    me = person(**VIEWS[colours]).visit().more()
    assert faults(me) == []
    me.press("?")
    assert faults(me) == []
    me.press("Escape")
    me.begin("checkers", "shallow").click("11", "15").ready().press("w")
    expect(me.see(".verdict")).to_be_visible()
    assert faults(me) == []
    me.see("button.action:has-text('Record')").click()
    assert faults(me) == []
    me.press("Escape")
    me.begin_from(None, "checkers", "person", record=PDN, judge="shallow")
    expect(me.see(".study[data-analysed='true']")).to_be_visible()
    me.press(",")
    expect(me.see(".verdict")).to_be_visible()
    assert faults(me) == []
    me.press("r")
    expect(me.see(".said")).to_contain_text("Try again")
    assert faults(me) == []


@pytest.mark.parametrize("colours", VIEWS)
def test_no_screen_of_the_lab_has_a_fault(person, colours):
    me = person(**VIEWS[colours])
    for place, there in (("", ".clause"), ("/training", "form"), ("/shelf", "table")):
        me.visit(f"/#/lab{place}")
        if place == "/shelf":
            me.page.get_by_role("button", name="games.sqlite").click()
        expect(me.see(f"main {there}").first).to_be_visible()
        assert faults(me) == []


def test_a_fault_would_be_found(person):
    me = person().visit()
    me.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [fault for fault, _ in faults(me)] == ["button-name"]
