"""Objects draw themselves in notebooks, and the notebooks of docs run."""

import json
import re
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import clauseboard as cb
from clauseboard.arena.match import standings
from clauseboard.arena.reporting import ReportTable
from clauseboard.evaluation import Limit
from clauseboard.explaining import compare
from clauseboard.html_parts import STYLE, notebook_part
from clauseboard.papers.report import TablePage
from clauseboard.papers.stored_results import stored_pages
from clauseboard.player import Choice
from clauseboard.tsetlin import TsetlinMachineClassifier

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs"))
import run_notebooks  # noqa: E402

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


class Tags(HTMLParser):
    """Checks that every tag is closed."""

    VOID = frozenset({"meta", "br", "img", "link", "hr"})

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def tags_of(html):
    tags = Tags()
    tags.feed(html)
    tags.close()
    assert tags.open == []
    assert html.startswith('<div class="clauseboard">')
    return tags.seen


@pytest.mark.parametrize(
    ("name", "parameters"), [("checkers", {}), ("go", {"size": 9}), ("hex", {"size": 5})]
)
def test_a_position_is_its_board(name, parameters):
    position = cb.load_game(name, **parameters).start()
    picture = ET.fromstring(position._repr_svg_())
    assert picture.tag.endswith("svg")
    assert picture.get("width") == "360"


def test_a_move_is_an_arrow_on_its_board_above_the_candidates():
    game = cb.load_game("checkers")
    choice = cb.load_player("material", game).choose(game.start(), Limit(depth=2))
    tags = tags_of(choice._repr_html_())
    assert tags.count("polygon") == 1  # the head of the arrow
    assert tags.count("tr") == 1 + len(choice.candidates)


def test_a_move_on_a_cell_is_a_ring():
    game = cb.load_game("hex", size=3)
    choice = cb.load_player("random", game).choose(game.start())
    assert choice._repr_html_() != notebook_part([])
    assert "polygon" in tags_of(choice._repr_html_())  # the cells


def test_a_choice_without_its_position_shows_nothing():
    assert Choice("a1")._repr_html_() is None


@pytest.fixture(scope="module")
def account():
    game = cb.load_game("checkers")
    position = game.read_position("B:W14,22,23,26,27,28,30,31,32:B2,3,4,5,7,8,12,13")
    return cb.explain(cb.load_player("shipped", game), position, depth=2)


def test_an_account_is_its_board_beside_its_lines(account):
    shown = account._repr_html_()
    assert {"svg", "table", "strong"} <= set(tags_of(shown))
    for line in account.lines:
        assert line.concept in shown


def test_an_explanation_is_its_board_and_its_concepts(account):
    shown = account.explanation._repr_html_()
    assert account.explanation.lines
    assert tags_of(shown).count("tr") == 1 + len(account.explanation.lines)


def test_a_comparison_is_two_boards():
    game = cb.load_game("checkers")
    player = cb.load_player("shipped", game, depth=1)
    first, second = (cb.explain(player, game.start(), move) for move in ("11-15", "12-16"))
    assert tags_of(compare(first, second)._repr_html_()).count("svg") == 2


def test_a_match_and_a_tournament_are_tables():
    game = cb.load_game("hex", size=3)
    result = cb.play_match(game, "solver", "random", games=4)
    shown = result._repr_html_()
    assert tags_of(shown).count("table") == 2
    assert "4 games of hex, size=3 against random" in shown
    assert tags_of(standings(("solver", "random"), [result])._repr_html_()).count("table") >= 2


def test_a_table_of_a_report_is_a_table():
    shown = ReportTable("A & B", ("", "games"), [["<x>", "3"]])._repr_html_()
    assert tags_of(shown).count("td") == 2
    assert "A &amp; B" in shown
    assert "&lt;x&gt;" in shown


def test_a_published_table_is_a_table():
    page = next(iter(stored_pages(ROOT / "docs", "checkers_thesis").values()))
    shown = TablePage(page)._repr_html_()
    assert tags_of(shown).count("tr") == 1 + len(page["figures"])
    assert page["title"] in shown


@pytest.fixture(scope="module")
def machine():
    X = np.random.default_rng(0).integers(2, size=(200, 4))
    machine = TsetlinMachineClassifier(6, epochs=3, random_state=0)
    return machine.fit(X, X[:, 0], bit_names=["a<b", "b", "c", "d"])


def test_rules_and_votes_are_tables(machine):
    shown = machine.rules()._repr_html_()
    assert "a&lt;b" in shown
    assert tags_of(shown).count("table") == 1
    assert tags_of(machine.explain(np.array([1, 0, 0, 1]))._repr_html_()).count("table") == 2


def test_a_machine_is_its_diagram_and_its_rules(machine):
    bundle = machine._repr_mimebundle_()
    assert bundle["text/html"].count('class="clauseboard"') == 1
    assert machine._repr_html_().count('class="clauseboard"') == 1
    fresh = TsetlinMachineClassifier(6)
    assert 'class="clauseboard"' not in fresh._repr_html_()


def test_the_style_of_a_part_holds_only_there():
    style = re.search(r"<style>(.*?)</style>", notebook_part([]), re.DOTALL)[1]
    rules = re.findall(r"^([^{}]+)\{", style, re.MULTILINE)
    assert len(rules) > STYLE.count("\n") / 2
    for selectors in rules:
        if not selectors.startswith("@"):
            assert all(each.strip().startswith(".clauseboard") for each in selectors.split(","))


# ---- the notebooks of docs


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.long] * (path.stem == "self-play"))
        for path in NOTEBOOKS
    ],
)
def test_a_notebook_runs(path):
    stored = json.loads(path.read_text("utf-8"))
    assert run_notebooks.kinds_of(run_notebooks.run_notebook(path)) == run_notebooks.kinds_of(
        stored
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_as_it_ran(path):
    stored = json.loads(path.read_text("utf-8"))
    code = [cell for cell in stored["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert sum("text/html" in kinds for kinds in run_notebooks.kinds_of(stored)) >= 2


def test_there_are_three_notebooks():
    assert len(NOTEBOOKS) == 3
