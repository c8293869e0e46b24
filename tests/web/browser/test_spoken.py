"""What a screen reader is told of the page: Chromium's own accessibility tree, screen by screen."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

HANDLED = {
    "button", "checkbox", "combobox", "link", "menuitem", "option", "radio", "searchbox", "slider",
    "spinbutton", "switch", "tab", "textbox", "DisclosureTriangle", "Date", "listbox",
}  # fmt: skip
"""Roles of things that a person does something with."""
PICTURES = {"image", "img", "graphics-document", "graphics-object", "graphics-symbol", "SvgRoot"}
REACHED = {"RootWebArea", "main", "dialog", "alertdialog"}
"""Roles of things that the keyboard may be on without there being something to do."""


@dataclass(frozen=True)
class Node:
    """What is told of one thing."""

    role: str
    name: str
    told: dict

    def __str__(self):
        return f"{self.role} {self.name!r}"


def spoken(me):
    """All that is told, in the order in which it is read out."""
    session = me.context.new_cdp_session(me.page)
    nodes = {one["nodeId"]: one for one in session.send("Accessibility.getFullAXTree")["nodes"]}
    session.detach()
    (root,) = [one for one in nodes.values() if "parentId" not in one]
    found = []

    def walk(node):
        if not node.get("ignored"):
            told = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
            name = node.get("name", {}).get("value", "")
            found.append(Node(node["role"]["value"], name.strip(), told))
        for child in node.get("childIds", []):
            if child in nodes:
                walk(nodes[child])

    walk(root)
    return found


def faults(nodes):
    """What a person who listens could make nothing of."""
    wrong = []
    for one in nodes:
        focusable = one.told.get("focusable") and one.role not in REACHED
        if one.role in HANDLED and not one.name:
            wrong.append(f"{one.role} without a name")
        if focusable and one.role not in HANDLED:
            wrong.append(f"{one} takes the keyboard, but does nothing")
        if one.role in PICTURES and not one.name:
            wrong.append(f"{one.role} without words")
    levels = [one.told["level"] for one in nodes if one.role == "heading"]
    roles = [one.role for one in nodes]
    window = "dialog" in roles  # while one is open, nothing else is told
    if not window and (levels.count(1) != 1 or levels[0] != 1):
        wrong.append(f"headings begin with {levels[:3]}")
    wrong += [
        f"heading {after} follows {before}"
        for before, after in itertools.pairwise(levels)
        if after > before + 1
    ]
    wrong += ["a heading without words" for one in nodes if one.role == "heading" and not one.name]
    if not window:
        parts = {role: roles.count(role) for role in ("main", "banner")}
        wrong += [f"{n} {role}" for role, n in parts.items() if n != 1]
    return sorted(set(wrong))


# ---- the screens


def start(me):
    me.visit()
    expect(me.see(".opponent").first).to_be_visible()


def start_with_all_open(me):
    start(me)
    for one in me.see("details > summary").all():
        one.click()


def hex_game(me):
    me.begin("hex", size=4).play("b2")


def go_game(me):
    me.begin("go", size=5).play("C3")


def checkers_game(me):
    me.begin("checkers").play("11", "15")


def why_clauses(me):
    me.begin("hex", "own-1", size=4).play("b2").press("w")
    expect(me.see(".verdict")).to_be_visible()
    me.see(".below > summary").click()
    expect(me.see(".why .reason").first).to_be_visible()


def why_terms(me):
    me.begin("checkers", "shallow").play("11", "15").press("w")
    expect(me.see(".verdict")).to_be_visible()
    me.see(".below > summary").click()
    expect(me.see(".terms")).to_be_visible()


def why_not(me):
    why_terms(me)
    me.see(".candidate").last.click()
    expect(me.see(".versus")).to_be_visible()


def finished(me):
    me.begin("go", "person", size=5).press("p")
    expect(me.see(".game[data-ply='1'][data-busy='false']")).to_be_visible()
    me.press("p")
    expect(me.see(".said--over")).to_be_visible()


def keys(me):
    start(me)
    me.press("?")
    expect(me.see("dialog")).to_be_visible()


def clauses(me):
    me.visit("/#/lab")
    me.see(".game-choice, select").first.wait_for()


def training(me):
    me.visit("/#/lab/training")
    expect(me.see(".training-fields select").first).to_be_visible()


def shelf(me):
    me.visit("/#/lab/shelf")


SCREENS = [
    start, start_with_all_open, hex_game, go_game, checkers_game, why_clauses, why_terms, why_not,
    finished, keys, clauses, training, shelf,
]  # fmt: skip


@pytest.mark.parametrize("screen", SCREENS, ids=lambda one: one.__name__)
def test_everything_has_a_name_and_a_role(person, screen):
    me = person()
    screen(me)
    assert faults(spoken(me)) == []


def test_faults_are_found(person):
    """The test itself: each fault that it looks for is one that it finds."""
    me = person()
    me.visit()
    me.page.evaluate(
        """() => {
        document.querySelector("main").insertAdjacentHTML("beforeend", `
          <h2>There</h2><h4>Below</h4><h1>Again</h1><h2></h2>
          <button></button><input><p tabindex="0">A word</p>
          <svg role="img" width="9" height="9"></svg><img src="icon.svg" width="9">`);
        document.querySelector("header").remove();
        }"""
    )
    assert faults(spoken(me)) == [
        "0 banner",
        "a heading without words",
        "button without a name",
        "heading 4 follows 2",
        "headings begin with [1, 2, 2]",
        "image without words",
        "paragraph '' takes the keyboard, but does nothing",
        "textbox without a name",
    ]


# ---- what is read out by itself


def live(me):
    """The words of what is read out when it changes, politely or at once."""
    found = me.see("[role='status'], [role='alert'], [aria-live]")
    return " ".join(found.all_inner_texts())


@pytest.mark.parametrize(
    ("game", "cells", "settings", "said"),
    [
        ("checkers", ("11", "15"), {}, "White played "),
        ("go", ("C3",), {"size": 5}, "White played "),
        pytest.param("hex", ("b2",), {"size": 4}, "Blue played ", marks=pytest.mark.long),
    ],
)
def test_moves_are_read_out(person, game, cells, settings, said):
    me = person()
    me.begin(game, **settings)
    me.play(*cells)
    assert said in live(me)
    assert "Your turn" in live(me)
    regions = [one for one in spoken(me) if one.told.get("live") == "polite"]
    assert regions


def test_what_is_not_legal_is_read_out_at_once(person):
    me = person()
    me.forgiven = "422"
    me.begin("checkers").click("11", "20")
    expect(me.see("[role='alert']")).not_to_be_empty()
    (alert,) = [one for one in spoken(me) if one.role == "alert"]
    assert alert.told["live"] == "assertive"


def test_the_verdict_is_read_out(person):
    me = person()
    why_clauses(me)
    expect(me.see(".why [role='status']")).not_to_be_empty()


def test_cells_say_what_is_on_them_and_what_can_be_done(person):
    me = person()
    me.begin("checkers")
    cells = [one for one in spoken(me) if one.role == "button" and one.name.split(",")[0].isdigit()]
    assert len(cells) == 32
    assert {"11, black man, can be chosen", "22, white man", "14, empty"} <= {
        one.name for one in cells
    }
    assert all(one.told.get("focusable") for one in cells)
