"""Clauses over concepts: the kernel adds up what a slow twin does, and lines add up to it."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.evaluation import Limit
from clauseboard.explaining import count_clauses
from clauseboard.game import load_game
from clauseboard.games.checkers import concepts
from clauseboard.games.concepts import LEAD, concept_bits
from clauseboard.games.hex import concepts as hex_concepts
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.learners.tsetlin.concept_evaluator import (
    ConceptClause,
    ConceptEvaluator,
    is_conceptual,
)
from clauseboard.players import read_player
from clauseboard.search import load_search
from clauseboard.search.alpha_beta import AlphaBeta
from clauseboard.selfplay.fit_weights import win_loss_machine

FEW = settings(max_examples=5 if JIT_DISABLED else 40)
SEED = st.integers(0, 2**32)
GAME = load_game("checkers")
BITS = concept_bits(concepts.CONCEPTS)
SAID = [
    n + (0 if holds else len(BITS))
    for holds in (True, False)
    for n, bit in enumerate(BITS)
    if bit.sentence("we", "they", holds)
]
"""The literals that there is a sentence for."""


def random_machine(seed, n_clauses=90):
    """Clauses of one to three conditions with votes from -50 to 50."""
    rng = np.random.default_rng(seed)
    clauses = np.zeros((n_clauses, 2 * len(BITS)), np.bool_)
    for clause in clauses:
        clause[rng.choice(SAID, rng.integers(1, 4), replace=False)] = True
    clauses = np.unique(clauses, axis=0)
    votes = rng.choice([-1, 1], len(clauses)) * rng.integers(1, 50, len(clauses))
    return win_loss_machine(clauses, votes, [bit.name for bit in BITS], 12.0)


def random_games_position(rng):
    position = GAME.start()
    for _ in range(rng.randint(0, 80)):
        following = position.play(rng.choice(position.moves()))
        if following.outcome() is not None:
            break
        position = following
    return position


def holds(name, ours, theirs):
    """Whether the sentence of a bit's name is true, read from the name."""
    who, rest = name.split(": ")
    concept, level = rest.split(" >= ")
    place = [c.name for c in concepts.CONCEPTS].index(concept)
    number = {
        "we": ours[place],
        "they": theirs[place],
        "we lead": ours[place] - theirs[place],
        "they lead": theirs[place] - ours[place],
    }[who]
    return number >= int(level)


def slow_votes(machine, ours, theirs):
    """The votes of a machine for "us", clause by clause, less those for "them"."""
    total = 0
    for label, sign in (("win", 1), ("loss", -1)):
        for clause in machine.clauses_of(label):
            for we, they, side in ((ours, theirs, 1), (theirs, ours, -1)):
                needed = all(holds(name, we, they) for name in clause.required)
                refused = any(holds(name, we, they) for name in clause.forbidden)
                total += sign * side * clause.votes * (needed and not refused)
    return total


@FEW
@given(SEED, st.sampled_from((90, 300)))
def test_the_kernel_adds_up_what_the_twin_adds_up(seed, n_clauses):
    machine = random_machine(seed, n_clauses)
    evaluator = ConceptEvaluator(GAME, machine)
    position = random_games_position(random.Random(seed))
    counted = concepts.count([position])[0]
    first = GAME.colours.index(position.to_move)
    votes = slow_votes(machine, counted[first], counted[1 - first])
    value = evaluator.judge([position]).values[0]
    assert value == pytest.approx(min(max(votes / evaluator.scale, -1), 1))


@FEW
@given(SEED)
def test_lines_and_their_clauses_add_up_to_the_judgement(seed):
    evaluator = ConceptEvaluator(GAME, random_machine(seed))
    position = random_games_position(random.Random(seed))
    explanation = evaluator.explain(position)
    total = sum(line.votes for line in explanation.lines)
    assert explanation.value == evaluator.judge([position]).values[0]
    assert explanation.value == min(max(total / evaluator.scale, -1), 1)
    assert explanation.chance == pytest.approx(1 / (1 + math.exp(-total / 100)))
    assert len({line.concept for line in explanation.lines}) == len(explanation.lines)
    for line in explanation.lines:
        assert line.text
        assert line.votes
        assert sum(clause.votes for clause in line.clauses) == line.votes


@FEW
@given(SEED)
def test_what_is_good_for_one_side_is_as_bad_for_the_other(seed):
    """The same board with the other side to move, and no clause about what depends on the turn."""
    rng = random.Random(seed)
    machine = random_machine(seed)
    evaluator = ConceptEvaluator(GAME, machine)
    about_turn = ("turn", "move", "runaway", "runaway men")
    if any(b.concept.name in about_turn for c in evaluator.clauses for b, _ in c.conditions):
        kept = [
            c
            for c in evaluator.clauses
            if all(bit.concept.name not in about_turn for bit, _ in c.conditions)
        ]
        evaluator.__dict__["clauses"] = tuple(kept)
    position = random_games_position(rng)
    black, white, kings = position.board
    other = type(position)(GAME, black, white, kings, GAME.other(position.to_move))
    values = evaluator.judge([position, other]).values
    assert values[0] == pytest.approx(-values[1])


def test_alpha_beta_uses_this_very_sum():
    """The value of a searched move is that of the board at the end of its line, to the vote."""
    evaluator = ConceptEvaluator(GAME, random_machine(7))
    position = GAME.read_position("B:W18,22,23,26,27,28,30,31,32:B1,2,3,5,7,8,10,11,12")
    for depth in (1, 2, 3):
        choice = AlphaBeta(endgames=False).find(position, evaluator, Limit(depth=depth))
        end = position
        for move in choice.line:
            end = end.play(move)
        worth = evaluator.explain(end).value_for(position.to_move)
        assert choice.value == pytest.approx(worth, abs=1e-6)


def test_other_searches_ask_the_evaluator():
    evaluator = ConceptEvaluator(GAME, random_machine(3))
    search = load_search("mcts", simulations=20)
    assert search.find(GAME.start(), evaluator).move in GAME.start().moves()


def test_a_file_of_a_machine_over_concepts_makes_a_player(tmp_path):
    machine = random_machine(5)
    machine.save(tmp_path / "concepts.tm")
    assert is_conceptual(machine, GAME)
    assert not is_conceptual(machine, load_game("hex"))
    player = read_player(f"tsetlin:machine={tmp_path}/concepts.tm,search=alpha_beta,depth=2", GAME)
    choice = player.choose(GAME.start())
    assert choice.explanation is not None
    assert choice.explanation.lines
    with pytest.raises(ValueError, match="scale is for machines over cells"):
        read_player(f"tsetlin:machine={tmp_path}/concepts.tm,scale=3,search=alpha_beta", GAME)


def test_a_machine_without_votes_says_nothing():
    evaluator = ConceptEvaluator(GAME, random_machine(5), zero=True)
    assert evaluator.judge([GAME.start()]).values.tolist() == [0.0]
    assert evaluator.explain(GAME.start()).lines == ()
    assert str(evaluator) == "no clauses"


def test_leads_are_told_for_both_sides():
    leads = [bit for bit in BITS if bit.kind == LEAD]
    assert {bit.is_ours for bit in leads} == {True, False}


def test_clauses_are_counted_for_the_side_that_they_fire_for():
    """A clause for a side is right where that side won; what both sides have is not counted."""
    evaluator = ConceptEvaluator(GAME, random_machine(9))
    rng = random.Random(4)
    positions = [random_games_position(rng) for _ in range(60)]
    sides = np.array([int(p.to_move == "white") for p in positions])
    ends = np.array([rng.randrange(3) for _ in positions])
    rows = GAME.encode(positions, view="mover")
    counts = count_clauses(evaluator, np.packbits(rows, axis=1, bitorder="little"), sides, ends)
    assert {count.index for count in counts} == set(range(len(evaluator.clauses)))
    for count in counts:
        clause = evaluator.clauses[count.index]
        fired = right = 0
        for position, end in zip(positions, ends, strict=True):
            numbers = concepts.count([position])[0]
            for_black = bool(clause.fires(numbers[0], numbers[1]))
            for_white = bool(clause.fires(numbers[1], numbers[0]))
            if for_black != for_white:
                fired += 1
                right += (end == (0 if for_black else 1)) == (clause.votes > 0)
        assert (count.fired, count.right) == (fired, right)
        assert count.reason.votes == clause.votes


@pytest.mark.parametrize(
    ("conditions", "votes", "about"),
    [
        ({"we: needs >= 3": True, "we: edges >= 1": True}, -15, "we: needs >= 3"),
        ({"we: needs >= 3": True, "we: edges >= 1": True}, 15, "we: edges >= 1"),
        ({"we: span >= 3": True, "we: turn >= 1": False}, -17, "we: turn >= 1"),
        ({"we: span >= 3": True, "we: turn >= 1": False}, 17, "we: span >= 3"),
        ({"we: open >= 5": True, "they: needs >= 2": True}, 9, "they: needs >= 2"),
    ],
)
def test_a_clause_is_about_the_condition_that_agrees_with_its_votes(conditions, votes, about):
    bits = {bit.name: bit for bit in concept_bits(hex_concepts.CONCEPTS)}
    clause = ConceptClause(tuple((bits[name], held) for name, held in conditions.items()), votes)
    assert clause.subject.name == about


@pytest.mark.parametrize(
    ("names", "votes", "about"),
    [
        (("we: advanced men >= 1", "they: lone men >= 1"), 14, "we: advanced men >= 1"),
        (("we: safe moves >= 6", "they: held men >= 1"), 12, "we: safe moves >= 6"),
        (("we lead: edges >= 3", "they: centre kings >= 1"), -36, "they: centre kings >= 1"),
    ],
)
def test_a_clause_is_about_what_a_side_has_before_what_the_other_suffers_from(names, votes, about):
    bits = {bit.name: bit for bit in concept_bits(concepts.CONCEPTS)}
    assert ConceptClause(tuple((bits[name], True) for name in names), votes).subject.name == about
