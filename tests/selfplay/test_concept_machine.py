"""Machines over concepts: clauses that people can follow, weights that agree with them."""

import copy

import numpy as np
import pytest
from small_runs import small_run

from clauseboard.game import load_game
from clauseboard.games import plugins
from clauseboard.games.concepts import LEAD, THEY, WE, Concept, bits_of_counts, concept_bits
from clauseboard.learners.tsetlin.concept_evaluator import ConceptEvaluator
from clauseboard.selfplay.concept_machine import (
    SINGLE,
    ConceptData,
    calibrated,
    candidates,
    concept_machine,
    directions,
    distinct,
    log_loss,
    machine_clauses,
    tree_clauses,
    weigh_sides,
)
from clauseboard.selfplay.fit_weights import win_loss_machine
from clauseboard.selfplay.running import run
from clauseboard.selfplay.settings import MachineSettings
from clauseboard.tsetlin import TsetlinMachineClassifier

CONCEPTS = (
    Concept("board", "material", "", shared="{n} pieces", levels=(5,), context=True),
    Concept("kings", "material", "has {n} {king|kings}", "has no king", levels=(1, 2), leads=(1,),
            good=1, context=True),
    Concept("hanging", "hanging", "has {n} {piece|pieces} hanging", levels=(1,), good=-1),
    Concept("edges", "edges", "has {n} {man|men} on the edge", levels=(1, 2)),
)  # fmt: skip
BITS = concept_bits(CONCEPTS)
NAMES = [bit.name for bit in BITS]
SETTINGS = MachineSettings(
    n_clauses=40, epochs=2, kept=12, max_literals=3, specificity=3.0, penalty=1.0, trees=6,
    worth_one=12.0,
)  # fmt: skip


def data(n=3000, seed=1):
    """Games that a king more wins, unless a piece hangs; the edge says nothing."""
    rng = np.random.default_rng(seed)
    ours, theirs = (rng.integers(0, 3, (n, 4)) for _ in range(2))
    theirs[:, 0] = ours[:, 0] = rng.integers(2, 9, n)
    odds = 1.5 * np.sign(ours[:, 1] - theirs[:, 1]) - 1.0 * (
        (ours[:, 2] > 0) * 1.0 - (theirs[:, 2] > 0)
    )
    won = rng.random(n) < 1 / (1 + np.exp(-odds))
    return ConceptData(
        bits_of_counts(BITS, ours, theirs), bits_of_counts(BITS, theirs, ours), 2.0 * won - 1
    )


def literal(name, holds=True):
    return NAMES.index(name) + (0 if holds else len(NAMES))


def clause(*literals):
    row = np.zeros(2 * len(BITS), np.bool_)
    row[list(literals)] = True
    return row


def test_the_weights_are_those_that_the_games_were_made_with():
    machine = concept_machine(data(8000), BITS, SETTINGS)
    assert isinstance(machine, TsetlinMachineClassifier)
    votes = {
        (*c.required, *(f"no {n}" for n in c.forbidden)): c.votes for c in machine.clauses_of("win")
    }
    against = {c.required: c.votes for c in machine.clauses_of("loss")}
    lead = sum(v for names, v in votes.items() if "we lead: kings >= 1" in names)
    assert 110 <= lead <= 190
    assert 70 <= against[("we: hanging >= 1",)] <= 130
    assert log_loss(machine, data(seed=2)) < 0.6


def test_no_weight_contradicts_what_its_conditions_say():
    machine = concept_machine(data(), BITS, SETTINGS)
    for label, sign in (("win", 1), ("loss", -1)):
        for found in machine.clauses_of(label):
            row = clause(
                *(literal(n) for n in found.required), *(literal(n, False) for n in found.forbidden)
            )
            assert directions(row[None], BITS)[0] * sign * found.votes >= 0


def test_both_finders_find_the_lead():
    for rows in (machine_clauses(data(), SETTINGS), tree_clauses(data(), 4, 1)):
        assert rows.shape[1] == 2 * len(BITS)
        assert rows[:, literal("we lead: kings >= 1")].any()


def test_candidates_are_what_people_say():
    rows = np.array([
        clause(literal("we: kings >= 1"), literal("we: kings >= 2"), literal("we: edges >= 1")),
        clause(literal("they: edges >= 2")),
        clause(literal("we: edges >= 2")),
        clause(literal("we: edges >= 2", False)),
        clause(literal("we lead: kings >= 1", False)),
        clause(literal("we lead: kings >= 1"), literal("we: edges >= 1")),
        clause(literal("we: edges >= 1"), literal("they: hanging >= 1")),
        clause(literal("we: hanging >= 1"), literal("they: hanging >= 1")),
        clause(literal("they: kings >= 1", False), literal("we lead: kings >= 1")),
        clause(literal("we: board >= 5", False), literal("we: hanging >= 1")),
        clause(literal("we: board >= 5")),
    ])  # fmt: skip
    kept = {
        tuple((NAMES * 2)[n] + ("" if n < len(NAMES) else " not") for n in np.flatnonzero(row))
        for row in distinct(rows, BITS)
    }
    assert kept == {
        ("we: kings >= 2", "we: edges >= 1"),
        ("we: edges >= 2",),
        ("we: hanging >= 1", "they: edges >= 1"),  # as the other side says it
        ("we lead: kings >= 1", "they: kings >= 1 not"),
        ("we: hanging >= 1", "we: board >= 5 not"),
    }


def test_what_both_sides_have_counts_for_nothing():
    few = data(500)
    same = ConceptData(few.ours, few.ours, few.values)
    clauses, votes = weigh_sides(same, np.eye(2 * len(BITS), dtype=np.bool_), BITS, 5, 1.0)
    assert len(clauses) == len(votes) == 0


def test_kinds_of_bits():
    assert {bit.kind for bit in BITS} == {WE, THEY, LEAD}
    assert sum(bit.concept.shared != "" for bit in BITS) == 1


def test_calibration_finds_the_factor_and_changes_no_choice():
    made = concept_machine(data(8000), BITS, SETTINGS)
    shy = copy.deepcopy(made)
    shy.banks_.weights //= 3
    scaled, factor = calibrated(shy, data(8000, seed=3))
    assert factor == 3
    assert scaled.threshold == 3 * shy.threshold
    fresh = data(seed=4)
    assert np.array_equal(scaled.votes(fresh.ours), 3 * shy.votes(fresh.ours))
    assert log_loss(scaled, fresh) < log_loss(shy, fresh)


def test_self_play_over_concepts_from_nothing(tmp_path):
    game = load_game("checkers")
    settings = {
        "begin": "material:depth=1", "search": "alpha_beta,depth=1", "games": 12, "match_games": 2,
        "most_moves": 60, "kept": 20, "n_clauses": 20, "epochs": 1, "trees": 2, "concepts": True,
        "move_clauses": 0, "by_solver": False, "max_literals": 3,
    }  # fmt: skip
    learning = small_run(tmp_path / "checkers.learn", game, **settings)
    run(learning, rounds=1)
    made = learning.store.generation(1)
    assert made is not None
    assert made.figures["clauses"] <= 20
    assert made.figures["loss"] > 0
    player = learning.player_spec(1).player(game)
    assert isinstance(player.evaluators["black"], ConceptEvaluator)
    choice = player.choose(game.start())
    assert choice.move in game.start().moves()


def test_games_without_concepts_say_so(tmp_path, monkeypatch):
    monkeypatch.setattr(plugins.CONCEPTS, "find", lambda game: None)
    go = load_game("go", size=5)
    learning = small_run(tmp_path / "go.learn", go, concepts=True, move_clauses=0)
    with pytest.raises(ValueError, match="go has no concepts; games that have: checkers, go, hex"):
        run(learning, rounds=1)


def test_hex_is_learned_from_nothing_by_concepts_and_patterns(tmp_path):
    """The machine judges boards, and patterns say where to look."""
    game = load_game("hex", size=4)
    small = {
        "begin": "random", "search": "mcts,simulations=5,rollouts=0,prior_weight=0.5", "games": 12,
        "match_games": 2, "n_clauses": 20, "epochs": 1, "trees": 5, "move_clauses": 10,
        "move_epochs": 1,
    }  # fmt: skip
    learning = small_run(tmp_path / "hex.learn", game, **small, concepts=True, local_moves=True)
    run(learning, rounds=1)
    made = learning.store.generation(1)
    assert made.machine
    assert made.moves


def test_a_machine_keeps_what_found_each_clause(tmp_path):
    made = concept_machine(data(8000), BITS, SETTINGS)
    found = candidates(data(8000), BITS, SETTINGS)
    known = {finder: {row.tobytes() for row in rows} for finder, rows in found.items()}
    made.save(tmp_path / "made.tm")
    read = TsetlinMachineClassifier.load(tmp_path / "made.tm")
    clauses = [c for label in read.classes_ for c in read.clauses_of(label)]
    assert {len(c.literals) == 1 for c in clauses} == {True, False}
    for each in clauses:
        row = clause(
            *(literal(n) for n in each.required), *(literal(n, False) for n in each.forbidden)
        )
        finders = [finder for finder, rows in known.items() if row.tobytes() in rows]
        assert each.source == (SINGLE if SINGLE in finders else " and ".join(finders))
    assert all(rule.source and f"source: {rule.source}" in str(rule) for rule in read.rules())
    assert [c.source for c in calibrated(read, data())[0].clauses_of("win")] == [
        c.source for c in read.clauses_of("win")
    ]


def test_a_machine_of_which_that_was_not_kept(tmp_path):
    rows = np.array([clause(literal("we lead: kings >= 1"))])
    made = win_loss_machine(rows, np.array([100]), NAMES, 12.0)
    made.save(tmp_path / "made.tm")
    (rule,) = TsetlinMachineClassifier.load(tmp_path / "made.tm").rules()
    assert rule.source is None
    assert "source" not in rule.to_dict()
