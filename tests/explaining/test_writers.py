"""What is written: the numbers add up, HTML is well-formed and escaped, JSON can be read again."""

import dataclasses
import itertools
import json
import math
import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from explained import GAMES, boards_of, judge_of

from clauseboard.explaining import Account, compare
from clauseboard.explaining.html_writer import account_page as html_page
from clauseboard.explaining.questions import explain_choice, explain_move
from clauseboard.explaining.writers import (
    account_markdown,
    account_page,
    account_text,
    comparison_markdown,
    comparison_page,
    comparison_text,
)
from clauseboard.explanation import Explanation, Reason, Term
from clauseboard.game import Bit
from clauseboard.html_parts import STYLE, page
from clauseboard.players import SearchPlayer
from clauseboard.search import load_search

every = pytest.mark.parametrize("name", GAMES)
few = pytest.mark.parametrize("most", [0, 1, 3, 1000])


def accounts(name):
    player = SearchPlayer(judge_of(name), load_search("breadth_first", depth=1))
    going_on = [p for p in boards_of(name) if p.outcome() is None and len(p.moves()) > 1]
    position = next(p for p in going_on[len(going_on) // 2 :] if len(p.moves()) > 6)
    choice = player.choose(position)
    account = explain_choice(player, position, choice)
    other = next(move for move in position.moves() if move != choice.move)
    return account, compare(account, explain_move(player, position, other, choice))


def parsed(html):
    assert html.startswith("<!DOCTYPE html>")
    return ElementTree.fromstring(html.removeprefix("<!DOCTYPE html>"))


@every
@few
def test_text_lists_so_many_and_sums_up_the_rest(name, most):
    account, _ = accounts(name)
    text = account_text(account, most)
    for head, arguments in account.sides():
        section = text.split(f"{head}, ")[1].split("\n\n")[0].splitlines()
        listed = [line for line in section[1:] if not line.startswith("  and ")]
        assert len(listed) == min(most, len(arguments))
        votes = [int(re.search(r": ([\d,]+) votes? ", line)[1].replace(",", "")) for line in listed]
        for line in section[1:]:
            if line.startswith("  and "):
                votes.append(int(re.search(r": ([\d,]+) vote", line)[1].replace(",", "")))
        assert sum(votes) == int(section[0].split()[0].replace(",", ""))
    leading = re.search(rf"Lead of {account.value_for}: ([+-][\d,]+)\.", text)[1]
    sums = {head: sum(abs(a.votes) for a in ones) for head, ones in account.sides()}
    side = account.value_for
    assert int(leading.replace(",", "")) == sums.get(f"For {side}", 0) - sums.get(
        f"Against {side}", 0
    )


@every
@few
def test_comparisons_as_text_add_up(name, most):
    _, comparison = accounts(name)
    text = comparison_text(comparison, most)
    effects = [
        int(found.replace(",", "")) for found in re.findall(r"^ +([+-][\d,]+)  ", text, re.M)
    ]
    assert sum(effects) == comparison.lead
    assert all(f"{move}" in text.splitlines()[0] for move in comparison.names)


@every
@few
def test_markdown_is_tables_with_as_many_cells_in_each_row(name, most):
    account, comparison = accounts(name)
    for text in (account_markdown(account, most), comparison_markdown(comparison, most)):
        widths = [len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines()]
        rows = [line for line in text.splitlines() if line.startswith("|")]
        assert rows
        for before, after in itertools.pairwise(widths):
            assert before == after or 0 in (before, after)
    total = int(re.findall(r"\| ([+-][\d,]+) \|  \| in all", comparison_markdown(comparison))[0])
    assert total == comparison.lead


@every
@few
def test_html_is_well_formed_and_needs_nothing_else(name, most):
    account, comparison = accounts(name)
    html = html_page(account, most, [comparison])
    root = parsed(html)
    assert root.find("head/title").text == f"Why {account.line[0]}?"
    assert "prefers-color-scheme: dark" in html
    assert 'name="viewport"' in html
    tags = {element.tag.split("}")[-1] for element in root.iter()}
    assert not tags & {"script", "link", "img", "iframe"}
    assert "@import" not in html
    assert not re.search(r"(src|href)=\"(?!#)", html)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", html)
    if most == 1000:
        text = "".join(root.itertext())
        for argument in account.arguments:
            assert account.pattern(argument) in text


def test_html_escapes_whatever_it_is_told():
    position = boards_of("hex")[0]
    nasty = "<script>alert('x')</script> & \"quoted\""
    bit = Bit(nasty, None, "")
    explanation = Explanation(
        position, 0.1, nasty, {"red": 3},
        (Reason((bit,), (), 3, True, "red", nasty),), (Term(nasty, 1.0),), about_terms=nasty,
    )  # fmt: skip
    html = html_page(Account(explanation))
    assert "<script" not in html
    assert nasty in "".join(parsed(html).itertext())
    assert parsed(page(nasty, [])).find("body/h1").text == nasty
    text = account_markdown(Account(explanation))
    assert "\\<script>" in text
    assert re.search(r"(?<!\\)<script", text) is None


def test_a_judge_without_reasons_is_written_as_one():
    account = Account(Explanation(boards_of("go")[0], 0.25, "chance"))
    for text in (html_page(account), account_text(account), account_markdown(account)):
        assert f"chance: 62 % for {account.value_for}" in text
        assert "+0.51" in text
        assert "Votes" not in text
    assert account_page(account)["reasons"] == []


def test_terms_are_never_dressed_up_as_clauses():
    position = boards_of("checkers")[0]
    terms = tuple(Term(f"feature {n}", n / 10 - 0.3, None) for n in range(6))
    account = Account(Explanation(position, sum(t.amount for t in terms), "features", terms=terms))
    for text in (
        account_text(account, 2), account_markdown(account, 2), html_page(account, 2),
    ):  # fmt: skip
        assert " votes for " not in text
        assert "feature 0" in text
        assert "feature 5" in text
        assert "feature 3" not in text
        assert "4 more" in text
    apart = Account(dataclasses.replace(account.explanation, terms_add_up=False))
    assert "-0.200" in account_text(account, 2)
    for text in (account_text(apart, 2), account_markdown(apart, 2), html_page(apart, 2)):
        assert "4 more" in text
        assert "-0.200" not in text
    amounts = re.findall(r"^ +([+-]\d+\.\d+)  ", account_text(account, 2), re.M)
    assert sum(map(float, amounts)) == pytest.approx(account.explanation.value, abs=1e-2)


@every
def test_json_has_everything_and_is_exact(name):
    account, comparison = accounts(name)
    read = json.loads(json.dumps(account_page(account)))
    votes = {row["winner"]: row["votes"] for row in read["votes"]}
    assert votes == account.explanation.votes
    for end, total in votes.items():
        clauses = [r for r in read["reasons"] if r["winner"] == end]
        assert sum(r["votes"] for r in clauses) == total
        assert sum(c["votes"] for r in clauses for c in r["clauses"]) == total
        (cells,) = [row["cells"] for row in read["shares"] if row["winner"] == end]
        assert sum(Fraction(cell["share"]) for cell in cells) == total
    game = account.game
    assert (
        game.encode([game.read_position(read["position"])]).tolist()
        == game.encode([account.explanation.position]).tolist()
    )
    both = json.loads(json.dumps(comparison_page(comparison)))
    assert both["lead"] == comparison.lead
    assert both["first"] == read
    assert both["second"]["line"][0] == comparison.names[1]


@every
def test_pictures_show_the_board_explained_with_heat(name):
    account, _ = accounts(name)
    drawn = account.draw()
    ElementTree.fromstring(drawn)
    assert account.heat
    assert max(map(abs, account.heat.values())) == 1.0
    without = Account(dataclasses.replace(account.explanation, reasons=()), account.asked)
    assert without.draw() != drawn


@every
def test_colours_change_nothing_but_colours(name):
    account, _ = accounts(name)
    coloured = account_text(account, colour=True)
    assert "\x1b[" in coloured
    assert "\x1b[" not in account_text(account)


# How people without green cones (deuteranopia) or red ones (protanopia) see linear light;
# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency", 2009.
EYES = {
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
}


def seen(colour, eyes):
    """A colour such as "#1f5fae" as these eyes see it: red, green and blue from 0 to 1."""
    light = [(int(colour[n : n + 2], 16) / 255) ** 2.2 for n in (1, 3, 5)]
    mixed = [sum(a * b for a, b in zip(row, light, strict=True)) for row in EYES[eyes]]
    return [max(0.0, min(1.0, part)) ** (1 / 2.2) for part in mixed]


def apart(one, other, eyes):
    """How far two colours are from each other, apart from how light they are."""
    pair = [seen(colour, eyes) for colour in (one, other)]
    hues = [(red - green, (red + green) / 2 - blue) for red, green, blue in pair]
    return math.dist(*hues)


@pytest.mark.parametrize("eyes", EYES)
def test_reports_are_not_told_by_red_and_green(eyes):
    colours = re.findall(r"--good: (#\w+); --bad: (#\w+)", STYLE)
    assert len(colours) == 2, "light and dark"
    for good, bad in colours:
        assert apart(good, bad, eyes) > 0.4
    assert apart("#2e7d32", "#c62828", eyes) < 0.2
