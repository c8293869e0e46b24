"""Verdicts and lines: points add up exactly, for every judge, whichever side asks."""

import dataclasses
import functools
import math
import random
from pathlib import Path

import numpy as np
import pytest
from explained import GAMES, boards_of, judge_of, regressor_of
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.evaluation import Evaluator, Judgements, Limit
from clauseboard.explaining import Account, compare, explain, explain_move
from clauseboard.explaining.lines import MOST_LINES, OTHER, Verdict, folded, split
from clauseboard.explaining.questions import explain_board, explain_choice
from clauseboard.explaining.writers import account_page, account_text, comparison_page
from clauseboard.explanation import (
    CERTAIN,
    UNIT,
    Explanation,
    Line,
    LineClause,
    Reason,
    Term,
    votes_of,
)
from clauseboard.game import load_game
from clauseboard.games.concepts import concept_bits
from clauseboard.games.hex import line_facts
from clauseboard.games.plugins import CONCEPTS
from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator
from clauseboard.learners.tsetlin.concept_evaluator import ConceptEvaluator
from clauseboard.players import SearchPlayer, load_player, searcher
from clauseboard.players.searcher import with_search
from clauseboard.search import load_search
from clauseboard.selfplay.fit_weights import win_loss_machine

every = pytest.mark.parametrize("name", GAMES)
CHECKERS = load_game("checkers")
FREE = CHECKERS.read_position("B:W14,22,23,26,27,28,30,31,32:B2,3,4,5,7,8,12,13")


class Counted(Evaluator):
    """A judge with three concepts, whose clauses add up to its lines, and those to its value."""

    def __init__(self, game=CHECKERS):
        self.game = game

    def explain(self, position):
        mine, theirs = (position.pieces(c) for c in (position.to_move, self._other(position)))
        ahead = mine.bit_count() - theirs.bit_count()
        colour = position.to_move if ahead > 0 else self._other(position)
        lines = [Line("turn", f"{position.to_move} is to move", 7)]
        if ahead:
            clauses = (LineClause("a piece ahead", 60 * ahead), LineClause("and more", 20 * ahead))
            text = f"{colour} is {abs(ahead)} ahead"
            lines.append(Line("material", text, 80 * ahead, ("1", "5"), clauses))
        steps = len(position.moves())
        lines.append(Line("mobility", f"{steps} moves", 3 * steps, ("9",)))
        total = sum(line.votes for line in lines) / UNIT
        chance = 1 / (1 + math.exp(-total))
        return Explanation(position, 2 * chance - 1, "counting", lines=lines, chance=chance)

    def _other(self, position):
        return self.game.other(position.to_move)

    def judge(self, positions):
        return Judgements([self.explain(position).value for position in positions])


def counting_player(depth=2):
    return SearchPlayer(Counted(), load_search("alpha_beta", depth=depth), "counting")


@pytest.fixture
def short_look(monkeypatch):
    """Look ahead a little only: what compiled judges do at once takes one in Python seconds."""
    monkeypatch.setattr(searcher, "LOOK", Limit(nodes=200))


def check_sums(account):
    """What is so of every account, and of its JSON."""
    page = account_page(account)
    verdict, lines = page["verdict"], page["lines"]
    assert round(sum(line["points"] for line in lines), 2) == verdict["total"]
    assert sum(line.votes for line in account.lines) == round(UNIT * verdict["total"])
    assert 0 <= verdict["chance"] <= 1
    assert 1 <= len(lines) <= MOST_LINES
    assert len({line["text"] for line in lines}) == len(lines)
    sizes = [line.weight for line in account.lines]
    assert sizes == sorted(sizes, reverse=True)
    for line in lines:
        assert set(line) == {"concept", "text", "points", "cells", "clauses"}
        if line["clauses"]:
            summed = sum(clause["points"] for clause in line["clauses"])
            assert round(summed, 2) == line["points"]
    if not account.verdict.unit:
        # The total is the logarithm of the odds, as exactly as hundredths can be.
        assert verdict["chance"] == pytest.approx(1 / (1 + math.exp(-verdict["total"])), abs=0.0051)
    assert verdict["words"] == Verdict(verdict["chance"], 0.0).words
    return verdict


@every
@pytest.mark.parametrize("kind", ["board", "mover", "two machines", "inverted"])
def test_the_lines_of_a_machine_add_up_for_either_side(name, kind):
    judge, draw = judge_of(name, kind), random.Random(1)
    for position in draw.sample(boards_of(name), min(60, len(boards_of(name)))):
        explanation = judge.explain(position)
        mine = check_sums(Account(explanation))
        other = next((p for p in boards_of(name) if p.to_move != position.to_move), None)
        theirs = check_sums(Account(explanation, other))
        assert theirs["total"] == -mine["total"]
        assert theirs["chance"] == pytest.approx(1 - mine["chance"])


@every
def test_and_those_of_a_regressor(name):
    for position in boards_of(name)[:20]:
        check_sums(Account(regressor_of(name).explain(position)))


PLAYERS = [
    ("checkers", {}, "shipped", {"depth": 3}),
    ("checkers", {}, "material", {"depth": 3}),
    ("checkers", {}, "solver", {"depth": 2}),
    ("checkers", {}, "random", {}),
    ("hex", {"size": 6}, "shipped", {"simulations": 60}),
    ("hex", {"size": 4}, "solver", {}),
    ("hex", {"size": 4}, "rollouts", {"simulations": 40}),
    ("hex", {"size": 11}, "shipped", {"simulations": 60}),
    ("go", {"size": 9}, "shipped", {"simulations": 60}),
    ("go", {"size": 5}, "always-win", {"depth": 1}),
]


@pytest.mark.parametrize(("name", "rules", "player", "limit"), PLAYERS)
def test_accounts_of_every_kind_of_player_add_up(name, rules, player, limit):
    game = load_game(name, **rules)
    asked, draw, position = load_player(player, game), random.Random(3), game.start()
    for _ in range(4):
        account = explain(asked, position, **limit)
        check_sums(account)
        assert account.headline.endswith(".")
        for _ in range(5):
            if position.outcome() is None:
                position = position.play(draw.choice(position.moves()))
        if position.outcome() is not None:
            break


amounts = st.lists(st.floats(-500, 500), min_size=1, max_size=40)


@given(amounts)
def test_rounded_amounts_add_up_and_stay_near(found):
    total = round(sum(found))
    whole = split(total, found)
    assert sum(whole) == total
    assert all(abs(n - amount) <= 1 for n, amount in zip(whole, found, strict=True))


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abcdefghijklmnopqrstuvw"), st.integers(-300, 300)),
             min_size=1, max_size=30),
    st.booleans(),
)  # fmt: skip
def test_many_lines_are_folded_and_still_add_up(found, turned):
    lines = tuple(
        Line(text, text, votes, (), (LineClause("x", votes - 1), LineClause("y", 1)))
        for text, votes in found
    )
    explanation = Explanation(FREE, 0.0, "", lines=lines)
    asked = FREE.play(FREE.moves()[0]) if turned else FREE
    account = Account(explanation, asked)
    total = sum(votes for _, votes in found)
    assert sum(line.votes for line in account.lines) == (-total if turned else total)
    assert len(account.lines) <= MOST_LINES
    assert len({line.text for line in account.lines}) == len(account.lines)
    for line in account.lines:
        assert sum(clause.votes for clause in line.clauses) == line.votes
    if len({text for text, _ in found}) <= MOST_LINES:
        assert all(line.concept != OTHER for line in account.lines)


def test_the_smallest_of_many_lines_are_one():
    lines = tuple(Line(f"c{n}", f"thing {n}", 10 * n) for n in range(1, 16))
    account = Account(Explanation(FREE, 0.0, "", lines=lines))
    other = next(line for line in account.lines if line.concept == OTHER)
    assert other.text == "four small things"
    assert other.votes == 10 + 20 + 30 + 40
    assert [line.votes for line in account.lines][:2] == [150, 140]


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0.0, "losing"), (0.044, "losing"), (0.046, "clearly worse"), (0.294, "clearly worse"),
        (0.31, "slightly worse"), (0.444, "slightly worse"), (0.46, "even"), (0.54, "even"),
        (0.556, "slightly better"), (0.70, "slightly better"), (0.706, "clearly better"),
        (0.95, "clearly better"), (0.954, "clearly better"), (0.956, "winning"), (1.0, "winning"),
    ],
)  # fmt: skip
def test_words_are_defined_by_chances(chance, words):
    assert Verdict(chance, 0.0).words == words


def test_verdicts_in_a_sentence():
    assert Verdict(0.858, 1.8).sentence("white") == "White is clearly better: 86 % (+1.80)"
    assert Verdict(0.042, -3.1).sentence("black") == "Black is losing: 4 % (-3.10)"
    assert Verdict(0.5, -0.0).sentence("red") == "Even: 50 % for red (+0.00)"


def test_pieces_are_lines_by_their_kind():
    player = load_player("material", CHECKERS)
    position = CHECKERS.read_position("B:WK1,K2,30:B3,4,5,7")
    account = explain_board(player, position)
    check_sums(account)
    assert {line.concept: line.text for line in account.lines} == {
        "men": "black is three men ahead",
        "kings": "white is two kings ahead",
    }
    men = next(line for line in account.lines if line.concept == "men")
    assert (men.votes > 0, set(men.cells)) == (True, {"3", "4", "5", "7"})
    even = explain_board(player, CHECKERS.start())
    assert [(line.text, line.votes) for line in even.lines] == [("twelve men each", 0)]


def test_features_are_lines():
    terms = (Term("pieces", 0.4, None, "+1 at 0.4 each"), Term("tempo", -0.1, None, "-1 at 0.1"))
    account = Account(Explanation(FREE, math.tanh(0.3), "sum", terms=terms))
    check_sums(account)
    assert [line.text for line in account.lines] == ["pieces (+1 at 0.4 each)", "tempo (-1 at 0.1)"]
    assert [line.votes for line in account.lines] == [80, -20]
    network = Account(Explanation(FREE, 0.2, "a network", terms=terms, terms_add_up=False))
    assert [line.text for line in network.lines] == ["a network: 60 % for black"]


def test_where_reasons_cancel_out_there_is_one_line():
    bits = CHECKERS.bits()
    reasons = (Reason(bits[:1], (), 5, True, "black"), Reason(bits[1:2], (), 5, True, "white"))
    account = Account(Explanation(FREE, 0.0, "", {"black": 5, "white": 5}, reasons))
    assert [(line.text, line.votes) for line in account.lines] == [
        ("the reasons for both sides cancel out", 0)
    ]


def test_a_judge_with_concepts_is_written_in_three_levels(short_look):
    account = explain(counting_player(), FREE)
    check_sums(account)
    text = account_text(account)
    assert text.splitlines()[:2] == [
        account.headline, f"{account.verdict.sentence('black')}."
    ]  # fmt: skip
    for line in account.lines:
        assert f"{line.points:+.2f}" in text
        assert line.text in text
    assert "a piece ahead" not in text
    below = account_text(account, 1)
    assert "a piece ahead" in below
    assert "in 1 more" in below


def test_clauses_are_listed_with_what_found_them():
    known = LineClause("black has the move", 10, source="trees")
    line = Line("the move", "black has the move", 30, clauses=(known, LineClause("more", 20)))
    account = Account(Explanation(load_game("checkers").start(), 0.1, "", lines=(line,)))
    assert "+0.10  black has the move (source: trees)" in account.text(most=8)
    page = account_page(account)["lines"][0]["clauses"]
    assert [clause.get("source") for clause in page] == ["trees", None]


def test_its_cells_are_marked(short_look):
    account = explain(counting_player(), FREE)
    assert set(account.heat) <= {"1", "5", "9"}
    drawn = account.draw()
    assert drawn != CHECKERS.draw(account.explanation.position)


# ---- why not


def differences_of(first, second):
    """By hand: the points of each concept on one board less those on the other."""
    found = {}
    for account, sign in ((first, 1), (second, -1)):
        side = 1 if account.explanation.position.to_move == first.value_for else -1
        for line in account.explanation.lines:
            found[line.concept] = found.get(line.concept, 0) + sign * side * line.votes
    return {concept: votes for concept, votes in found.items() if votes}


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_two_moves_are_compared_by_what_differs(depth, short_look):
    player = counting_player(depth)
    choice = player.choose(FREE)
    first = explain_move(player, FREE, choice.move, choice)
    for move in FREE.moves():
        if move == choice.move:
            continue
        second = explain_move(player, FREE, move, choice)
        comparison = compare(first, second)
        found = {line.concept: line.votes for line in comparison.lines}
        assert found == differences_of(first, second)
        assert comparison.votes == round(UNIT * (first.verdict.total - second.verdict.total))
        page = comparison_page(comparison)
        total = sum(line["points"] for line in page["lines"])
        assert round(total, 2) == round(first.verdict.total - second.verdict.total, 2)


def test_what_holds_on_both_boards_is_no_reason():
    start = CHECKERS.start()
    one, two = start.moves()[:2]
    same = Line("material", "white is a man ahead", 80)
    first = Explanation(start.play(one), 0.0, "", line=(one,), lines=(same, Line("x", "good", -5)))
    second = Explanation(start.play(two), 0.0, "", line=(two,), lines=(same, Line("y", "bad", 7)))
    comparison = compare(Account(first, start), Account(second, start))
    assert [(d.concept, d.first, d.second, d.votes) for d in comparison.lines] == [
        ("y", "", "bad", 7), ("x", "good", "", 5),
    ]  # fmt: skip
    assert comparison.lines[0].text(("9-13", "9-14")) == "after 9-14 bad"


@functools.cache
def bits_on(position):
    row = position.game.encode([position])[0]
    return {bit.name for bit, there in zip(position.game.bits(), row, strict=True) if there}


def holds(reason, position):
    names = bits_on(position)
    needed = all(bit.name in names for bit in reason.needed)
    return needed and not any(bit.name in names for bit in reason.forbidden)


@pytest.mark.parametrize("ends", [(1, 2), (2, 1), (2, 2)])
def test_only_after_a_move_is_true_whichever_side_is_to_move(ends):
    """Two lines may end with different sides to move, which a machine sees turned round."""
    squares = Path(__file__).parents[1] / "machines" / "checkers-squares.tm"
    judge = MachineEvaluator(CHECKERS, squares, view="mover")
    accounts = []
    for text, moves in zip(("12-16", "13-17"), ends, strict=True):
        line = [FREE.read_move(text)]
        position = FREE.play(line[0])
        while len(line) < moves:
            line.append(position.moves()[0])
            position = position.play(line[-1])
        explanation = judge.explain(position)
        accounts.append(Account(dataclasses.replace(explanation, line=tuple(line)), FREE))
    comparison = compare(*accounts)
    boards = [account.explanation.position for account in accounts]
    for argument in comparison.only_first:
        assert not any(holds(reason, boards[1]) for reason in argument.reasons)
    for argument in comparison.only_second:
        assert not any(holds(reason, boards[0]) for reason in argument.reasons)
    for argument in comparison.changed:
        assert all(holds(reason, board) for reason in argument.reasons for board in boards)
    assert comparison.only_first
    assert sum(effect for effect, _, _ in comparison.parts()) == comparison.lead
    assert bool(comparison.changed) == (ends[0] != ends[1])


def test_certain_results():
    position = CHECKERS.read_position("B:W30:B21,22,23")
    account = explain(load_player("material", CHECKERS, depth=5), position)
    assert account.verdict.chance == 1.0
    assert account.verdict.total == CERTAIN / UNIT
    [line] = account.lines
    assert line.concept in ("rules", "endgame table")


# ---- a machine over concepts


@functools.cache
def concept_player():
    """A player of random clauses over the concepts of checkers."""
    bits = concept_bits(CONCEPTS.of(CHECKERS).CONCEPTS)
    said = [n for n, bit in enumerate(bits) if bit.sentence("we", "they", True)]
    rng = np.random.default_rng(4)
    clauses = np.zeros((70, 2 * len(bits)), np.bool_)
    for clause in clauses:
        clause[rng.choice(said, rng.integers(1, 3), replace=False)] = True
    clauses = np.unique(clauses, axis=0)
    votes = rng.choice([-1, 1], len(clauses)) * rng.integers(1, 50, len(clauses))
    machine = win_loss_machine(clauses, votes, [bit.name for bit in bits], 12.0)
    search = load_search("alpha_beta", depth=3)
    return SearchPlayer(ConceptEvaluator(CHECKERS, machine), search, "concepts")


def test_the_sum_that_is_shown_is_the_sum_that_the_search_used():
    player, draw = concept_player(), random.Random(2)
    for _ in range(20):
        position = CHECKERS.start()
        for _ in range(draw.randint(3, 40)):
            following = position.play(draw.choice(position.moves()))
            position = position if following.outcome() is not None else following
        choice = player.choose(position)
        account = explain_choice(player, position, choice)
        verdict = check_sums(account)
        assert account.value == pytest.approx(choice.value, abs=2e-6)
        if not account.explanation.is_settled:
            assert verdict["chance"] == pytest.approx(choice.chance, abs=1e-4)
        other = next((move for move in position.moves() if move != choice.move), None)
        if other is not None:
            comparison = compare(account, explain_move(player, position, other, choice))
            if not comparison.settled:
                second = comparison.second.verdict.total
                assert comparison.votes == round(UNIT * (verdict["total"] - second))


@pytest.mark.parametrize(
    ("chance", "rise"),
    [(0.3, "red from 38 % to 70 %"), (0.9, "blue from 62 % to 90 %"), (0.624, "blue by less than")],
)
def test_the_line_of_the_search_says_how_the_chance_changes(chance, rise):
    """ "Looking ahead finds more for blue" stood beside counts that said the opposite."""
    board = load_game("hex", size=5).read_position("....R/...B./..B../...../R.... blue")
    ahead = [board.read_move(cell) for cell in ("d3", "e3", "d4", "e4")]
    judged = Explanation(board, 0.0, "", lines=(Line("turn", "it is blue's turn", 49),))
    told = with_search(judged, 0.0, chance, ahead)
    assert sum(one.votes for one in told.lines) == round(votes_of(chance))
    (line,) = (line for line in told.lines if line.concept == "search")
    assert line.text.startswith(f"looking ahead raises {rise}")
    # Where the line shows why, it is told as far as that; else its first moves.
    why = ": after d3 red connects by a move" if chance < 0.5 else "; it looked most at d3 e3 d4 e4"
    assert line.text.endswith(why)


@pytest.mark.parametrize(
    ("moves", "ahead", "better", "told"),
    [
        ("f5", "f4 g4 g3 i3 j1 k1 j2 k2 j3", "blue",
         (9, "blue needs one more move, red up to four, with blue's ladder j1-j2 along the right")),
        ("f5", "f4 g4 g3 i3 j1 k1 j2 k2 j3", "red", None),
        ("f5", "", "red", None),
    ],
)  # fmt: skip
def test_a_line_is_told_as_far_as_it_shows_who_comes_out_ahead(moves, ahead, better, told):
    """ "A row of nine moves; why Blue comes out ahead is not said"."""
    position = load_game("hex", size=11).read_position(
        "R........../....R..B.../.........../.B........./..B.B....../R..BR....../.R.R...B.../"
        ".........../.........../.........../........... red"
    )
    for move in moves.split():
        position = position.play(position.read_move(move))
    line, end = [], position
    for move in ahead.split():
        line.append(end.read_move(move))
        end = end.play(line[-1])
    assert line_facts.stands(position, line, better) == told


def test_small_things_that_count_most_are_told_apart():
    lines = [Line("one", f"line {n}", 50 - n) for n in range(6)]
    assert [line.votes for line in folded(lines, 4)] == [50, 49, 48, 47, 46, 45]
    few = [Line("one", f"line {n}", votes) for n, votes in enumerate((90, 80, 70, 10, 10))]
    assert [line.text for line in folded(few, 4)][-1] == "two small things"


def test_lines_stand_by_what_hangs_on_them():
    lines = [Line("area", "held", 30), Line("fight", "open", 0, stake=40), Line("rest", "", 0)]
    assert [line.text for line in folded(lines)] == ["open", "held"]
