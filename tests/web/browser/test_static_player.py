"""The exported player in a real browser, from a file address: rules, votes and a game."""

from __future__ import annotations

import dataclasses
import math
import random

import numpy as np
import pytest

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.kernels import bits
from clauseboard.kernels.bits import count_ones, lowest_one
from clauseboard.kernels.compiler import helper
from clauseboard.kernels.javascript import javascript
from clauseboard.players import load_player
from clauseboard.web.static_export import evaluator_of, export_player

CHECKERS, HEX = load_game("checkers"), load_game("hex", size=6)
SWAPPING = load_game("hex", size=6, swap=True)


@pytest.fixture(scope="module")
def opened(browser, tmp_path_factory):
    """Opens the page of a game without a server; any error on it fails the test that made it."""
    pages, troubles = {}, []

    def open_page(game):
        if game not in pages:
            folder = tmp_path_factory.mktemp("exported player")
            export_player(game, load_player("shipped", game), folder)
            page = pages[game] = browser.new_page(viewport={"width": 1100, "height": 900})
            page.on("pageerror", lambda error: troubles.append(str(error)))
            page.on(
                "console", lambda said: troubles.append(said.text) if said.type == "error" else None
            )
            page.goto((folder / "index.html").as_uri())
        return pages[game]

    yield open_page
    for page in pages.values():
        page.close()
    assert troubles == []


def positions(game, n, seed=1):
    """Positions of games played at random, without those that are over."""
    rng, found = random.Random(seed), []
    while len(found) < n:
        position = game.start()
        while position.outcome() is None and len(found) < n:
            found.append(position)
            position = position.play(rng.choice(position.moves()))
    return found


def written(found):
    return [position.game.write_position(position) for position in found]


@pytest.mark.parametrize(("game", "depth"), [(CHECKERS, 5), (HEX, 3), (SWAPPING, 3)])
def test_there_are_as_many_games(opened, game, depth):
    counted = f"[...Array({depth}).keys()].map((n) => perft(start(), n + 1))"
    ours = [game.perft(game.start(), n + 1) for n in range(depth)]
    assert opened(game).evaluate(counted) == ours


def test_the_moves_of_checkers_are_the_same(opened):
    found = positions(CHECKERS, 300)
    theirs = opened(CHECKERS).evaluate(
        "(all) => all.map((text) => movesOf(read(text)).map("
        "(m) => [m.path[0], m.path[m.path.length - 1], ...m.captured].join(' ')).sort())",
        written(found),
    )
    for position, moves in zip(found, theirs, strict=True):
        ours = [(m.start, m.end, *sorted(m.captured)) for m in position.moves()]
        assert moves == sorted(" ".join(map(str, move)) for move in ours)


def test_the_moves_of_hex_are_the_same(opened):
    found = positions(HEX, 300)
    theirs = opened(HEX).evaluate(
        "(all) => all.map((text) => movesOf(read(text)).map(written))", written(found)
    )
    assert theirs == [[str(move) for move in position.moves()] for position in found]


@pytest.mark.parametrize(
    ("game", "n"),
    [
        (CHECKERS, 1_000),
        (HEX, 300),
        pytest.param(CHECKERS, 10_000, marks=pytest.mark.long),
        pytest.param(HEX, 10_000, marks=pytest.mark.long),
    ],
)
def test_the_votes_are_the_same(opened, game, n):
    found = positions(game, n, seed=n)
    evaluator = evaluator_of(game, load_player("shipped", game))
    ours = np.rint(evaluator.judge(found).values * evaluator.scale)
    theirs = np.array(
        opened(game).evaluate("(all) => all.map((text) => votesOf(read(text)))", written(found))
    )
    # Here a judgement goes no further than its scale.
    assert np.array_equal(np.clip(theirs, -evaluator.scale, evaluator.scale), ours)
    assert len(set(theirs.tolist())) > 100


@pytest.mark.parametrize("game", [CHECKERS, HEX])
def test_the_lines_are_the_same(opened, game):
    found = positions(game, 100, seed=3)
    evaluator = evaluator_of(game, load_player("shipped", game))
    told = opened(game).evaluate(
        "(all) => all.map(read).map((position) => certain(position) || "
        "linesOf(position, position.side)"
        ".map((line) => [line.concept, line.votes, line.clauses.length]).sort())",
        written(found),
    )
    sure = 0
    for position, lines in zip(found, told, strict=True):
        explained = evaluator.explain(position)
        if isinstance(lines, dict):  # what is certain is told in one line, here and there
            [line] = explained.lines
            winner = game.colours[lines["winner"]]
            assert line.concept == "connection"
            assert lines["why"].startswith(f"{winner} ")  # here the sentence may say more
            assert explained.value == (1 if winner == position.to_move else -1)
            sure += 1
        else:
            ours = [(x.concept, x.votes, len(x.clauses)) for x in explained.lines]
            assert [tuple(line) for line in lines] == sorted(ours)
    assert sure < 100
    assert (sure > 0) == (game is HEX)


def test_hex_is_searched_by_the_same_tree(opened):
    """The same visits of every move, the same proofs, and the same expected line."""
    found = [p for p in positions(HEX, 400, seed=5) if len(p.moves()) > 20][::12]
    found = [HEX.read_position(text) for text in written(found)]  # the last move is not told
    player = load_player("shipped", HEX)
    evaluator, simulations = evaluator_of(HEX, player), 60
    told = opened(HEX).evaluate(
        "async ([all, n]) => { const found = []; for (const text of all) {"
        " const tree = await grown(read(text), n), nodes = tree.below(0);"
        " const [best] = tree.ranked(nodes);"
        " found.push([Object.fromEntries(nodes.filter((k) => tree.visits[k])"
        ".map((k) => [written(tree.codes[k]), tree.visits[k]])), tree.value(best)]);"
        "} return found; }",
        [written(found), simulations],
    )
    proven = 0
    for position, (visits, value) in zip(found, told, strict=True):
        search = dataclasses.replace(player.search, keep=False)
        choice = search.find(position, evaluator, Limit(simulations=simulations))
        if choice.proven and choice.value == -1:
            continue  # then our search looks once more for the move that holds out longest
        ours = {str(one.move): one.visits for one in choice.candidates if one.visits}
        assert visits == ours
        assert value == pytest.approx(choice.value)
        proven += choice.proven
    assert 0 < proven < len(found)


def moves_shown(page):
    return page.locator("#moves li").all_inner_texts()


def wait_for_moves(page, n):
    page.wait_for_function(f"document.querySelectorAll('#moves li').length === {n}")


def points(text):
    return round(100 * float(text.replace("\N{MINUS SIGN}", "-").strip("()")))


def test_a_game_of_checkers(opened):
    page = opened(CHECKERS)
    assert page.title() == "Checkers: a player that explains itself"
    page.click("#new-first")
    page.select_option("#level", "2")
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
    check_sums(page, verdict)
    page.click("#undo")
    wait_for_moves(page, 0)
    page.click("#new-second")
    wait_for_moves(page, 1)
    assert page.inner_text("#status") == "Your move: you play white."


def check_sums(page, verdict):
    """The lines add up to the verdict, and the clauses of a line to its points."""
    lines = page.locator("#lines .points").all_inner_texts()
    assert sum(map(points, lines)) == points(verdict.split()[-1])
    page.locator("#lines details").first.click()
    clauses = page.locator("#lines details").first.locator("li").all_inner_texts()
    assert sum(points(text.split()[0]) for text in clauses) == points(lines[0])


def test_a_game_of_hex(opened):
    page = opened(HEX)
    page.select_option("#level", "100")
    page.click("#new-first")
    assert page.inner_text("#status") == "Your move: you play red, from top to bottom."
    assert page.locator("#swap").is_hidden()
    page.click('[data-cell="a1"]')
    wait_for_moves(page, 2)
    assert moves_shown(page)[0] == "a1"
    assert page.inner_text("#headline") == f"Why {moves_shown(page)[1]}?"
    page.click('[data-cell="a1"]')
    assert page.inner_text("#status") == "There is a stone on a1 already."
    page.click("#undo")
    wait_for_moves(page, 0)
    # By the keyboard, against what plays on to the end.
    page.click("#new-second")
    wait_for_moves(page, 1)
    while " wins: " not in page.inner_text("#status"):
        n = len(moves_shown(page))
        page.locator(".cell.can").first.press("Enter")
        page.wait_for_function(
            f"document.querySelectorAll('#moves li').length === {n + 2}"
            " || document.querySelector('#status').textContent.includes(' wins: ')"
        )
    assert page.inner_text("#status") == "Red wins: red is connected from top to bottom."
    assert page.inner_text("#verdict") == "Red wins by force."
    assert page.locator("#lines details").count() == 0


def test_the_swap_of_hex(opened):
    page = opened(SWAPPING)
    page.select_option("#level", "100")
    page.click("#new-first")
    page.click('[data-cell="c4"]')  # too strong to leave it to red
    wait_for_moves(page, 2)
    assert moves_shown(page) == ["c4", "swap"]
    assert page.get_attribute('[data-cell="d3"]', "aria-label") == "d3, blue"
    assert page.inner_text("#verdict").startswith("Blue is ")
    assert page.inner_text("#line") == "After swap:"
    check_sums(page, page.inner_text("#verdict"))
    page.click("#new-second")
    wait_for_moves(page, 1)
    page.click("#swap")
    wait_for_moves(page, 3)
    assert moves_shown(page)[1] == "swap"
    assert page.locator("#swap").is_hidden()


def test_checkers_is_played_to_the_end(opened):
    """The machine against itself at the smallest depth, by its own functions."""
    ended = opened(CHECKERS).evaluate(
        "() => { let position = start(), n = 0;"
        " while (movesOf(position).length && position.quiet < MOST_QUIET && n++ < 400)"
        " position = play(position, search(position, 1).line[0]);"
        " return [n, movesOf(position).length]; }"
    )
    assert ended[0] > 20


# ---- kernels as JavaScript

_WIRES = np.array([0.5, 2.0])


@helper
def fill(rows, value):
    """A name that the script has for something else."""
    rows[:] = value


@helper
def some_of_everything(words, rows, new):
    """Statements whose meaning differs between the two languages."""
    n, left = 5, words[0, 0]
    for n in range(rows.shape[0]):  # its last value is kept
        rows[n] = n if 0 <= n < 3 else -1
    for k in range(rows[1] + 2):  # the end is worked out once
        rows[1] += k
        if k in (7, 9):
            break
    for k in range(1, 6, 2):
        if k == 3:
            continue
        rows[2] += k
    first, second = rows[0], rows[1]
    first, second = second, first
    room = np.zeros((2, 3), np.int64)
    fill(room, np.int64(words[0, 1] >> np.uint64(60)))
    bits.copy_into(words, np.empty_like(words))
    low = high = lowest_one(left)
    new += math.sqrt(_WIRES[1] * 8) / 2 + math.floor(2.5) + room.size
    return n, first, second, room[1, 2], low + high, count_ones(left), new, -np.inf


def test_a_script_means_what_python_means(browser):
    page = browser.new_page()
    told = page.evaluate(
        f"() => {{ {javascript(some_of_everything)}"
        "return some_of_everything([[40n, 2n ** 63n + 1n]], [0, 1, 2, 3], 1).map(String); }"
    )
    page.close()
    assert [float(text) for text in told] == [3, 4, 0, 8, 6, 2, 11, -math.inf]
