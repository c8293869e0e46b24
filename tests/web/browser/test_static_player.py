"""The exported player in a real browser, from a file address: rules, votes and a game."""

from __future__ import annotations

import random

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.players import load_player
from clauseboard.web.static_export import evaluator_of, export_player

CHECKERS = load_game("checkers")


@pytest.fixture(scope="module")
def shipped():
    return load_player("shipped", CHECKERS)


@pytest.fixture(scope="module")
def exported(browser, shipped, tmp_path_factory):
    """The page, opened without a server; any error on it fails the test that made it."""
    folder = tmp_path_factory.mktemp("exported player")
    export_player(CHECKERS, shipped, folder)
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    troubles = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.goto((folder / "index.html").as_uri())
    yield page
    page.close()
    assert troubles == []


def positions(n, seed=1):
    """Positions of games played at random, without those that are over."""
    rng, found = random.Random(seed), []
    while len(found) < n:
        position = CHECKERS.start()
        while position.outcome() is None and len(found) < n:
            found.append(position)
            position = position.play(rng.choice(position.moves()))
    return found


def written(found):
    return [CHECKERS.write_position(position) for position in found]


def test_the_rules_are_the_same(exported):
    assert exported.evaluate("[1, 2, 3, 4, 5].map((n) => perft(start(), n))") == [
        CHECKERS.perft(CHECKERS.start(), n) for n in range(1, 6)
    ]
    found = positions(300)
    theirs = exported.evaluate(
        "(all) => all.map((text) => movesOf(read(text)).map("
        "(m) => [m.path[0], m.path[m.path.length - 1], ...m.captured].join(' ')).sort())",
        written(found),
    )
    for position, moves in zip(found, theirs, strict=True):
        ours = [(m.start, m.end, *sorted(m.captured)) for m in position.moves()]
        assert moves == sorted(" ".join(map(str, move)) for move in ours)


@pytest.mark.parametrize("n", [1_000, pytest.param(10_000, marks=pytest.mark.long)])
def test_the_votes_are_the_same(exported, shipped, n):
    found = positions(n, seed=n)
    evaluator = evaluator_of(CHECKERS, shipped)
    ours = np.rint(evaluator.judge(found).values * evaluator.scale)
    theirs = np.array(
        exported.evaluate("(all) => all.map((text) => votesOf(read(text)))", written(found))
    )
    # Here a judgement goes no further than its scale.
    assert np.array_equal(np.clip(theirs, -evaluator.scale, evaluator.scale), ours)
    assert len(set(theirs.tolist())) > 100


def test_the_lines_are_the_same(exported, shipped):
    found = positions(100, seed=3)
    evaluator = evaluator_of(CHECKERS, shipped)
    told = exported.evaluate(
        "(all) => all.map((text) => linesOf(read(text), read(text).side)"
        ".map((line) => [line.concept, line.votes, line.clauses.length]).sort())",
        written(found),
    )
    for position, lines in zip(found, told, strict=True):
        ours = [(x.concept, x.votes, len(x.clauses)) for x in evaluator.explain(position).lines]
        assert [tuple(line) for line in lines] == sorted(ours)


def moves_shown(page):
    return page.locator("#moves li").all_inner_texts()


def wait_for_moves(page, n):
    page.wait_for_function(f"document.querySelectorAll('#moves li').length === {n}")


def points(text):
    return round(100 * float(text.replace("\N{MINUS SIGN}", "-").strip("()")))


def test_a_game_against_it(exported):
    page = exported
    page.click("#new-black")
    page.select_option("#depth", "2")
    page.click('[data-square="1"]')
    assert page.inner_text("#status") == "1 cannot move now."
    page.click('[data-square="11"]')
    page.click('[data-square="15"]')
    wait_for_moves(page, 2)
    reply = moves_shown(page)[1]
    assert page.inner_text("#headline") == f"Why {reply}?"
    assert f"expected line {reply}" in page.inner_text("#line")
    verdict = page.inner_text("#verdict")
    assert "for white" in verdict or verdict.startswith("White is ")
    lines = page.locator("#lines .points").all_inner_texts()
    assert sum(map(points, lines)) == points(verdict.split()[-1])
    page.locator("#lines details").first.click()
    clauses = page.locator("#lines details").first.locator("li").all_inner_texts()
    assert sum(points(text.split()[0]) for text in clauses) == points(lines[0])
    page.click("#undo")
    wait_for_moves(page, 0)
    page.click("#new-white")
    wait_for_moves(page, 1)
    assert page.inner_text("#status") == "Your move: you play white."


def test_it_plays_to_the_end(exported):
    """The machine against itself at the smallest depth, by its own functions."""
    ended = exported.evaluate(
        "() => { let position = start(), n = 0;"
        " while (movesOf(position).length && position.quiet < MOST_QUIET && n++ < 400)"
        " position = play(position, search(position, 1).line[0]);"
        " return [n, movesOf(position).length]; }"
    )
    assert ended[0] > 20
