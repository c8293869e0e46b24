"""What clauses did, counted by columns of bits and, slowly, board by board."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from explained import GAMES, MANY, judge_of

from clauseboard.evaluation import sides_of
from clauseboard.explaining import Counting, count_clauses
from clauseboard.explaining.clause_statistics import (
    KINDS,
    counts_page,
    gallery_markdown,
    gallery_page,
    gallery_text,
    strongest,
)  # fmt: skip
from clauseboard.games.hex.encoding import as_layers
from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator
from clauseboard.players import SearchPlayer, load_player
from clauseboard.search import load_search
from clauseboard.tsetlin import TsetlinMachineClassifier
from naive.machines import names_on, played, small_game, small_machine, small_regressor

every = pytest.mark.parametrize("name", GAMES)
views = pytest.mark.parametrize("view", ["board", "mover"])


def sample(name, n=MANY // 4 + 3):
    boards = played(small_game(name))
    return boards[:: max(1, len(boards) // n)]


def counted(judge, boards):
    positions = [position for position, _ in boards]
    packed = np.packbits(judge.game.encode(positions, view=judge.view), axis=1, bitorder="little")
    colours = (*judge.game.colours, None)
    ends = np.array([colours.index(winner) for _, winner in boards])
    return count_clauses(judge, packed, sides_of(judge.game, positions), ends)


@every
@views
def test_counts_are_those_of_a_slow_count(name, view):
    judge, boards = judge_of(name, view), sample(name)
    game = judge.game
    counts = counted(judge, boards)
    shown = []
    for position, winner in boards:
        if view == "mover" and position.to_move == game.colours[1] and winner is not None:
            winner = game.other(winner)
        shown.append((names_on(game, position, view), winner))
    assert len(counts) > 20
    for one in counts:
        reason = one.reason
        fired = [
            winner
            for names, winner in shown
            if all(bit.name in names for bit in reason.needed)
            and not any(bit.name in names for bit in reason.forbidden)
        ]
        right = sum((winner == reason.about) == reason.favours for winner in fired)
        assert (one.boards, one.fired, one.right) == (len(boards), len(fired), right)
        assert one.fired == sum(one.kinds.values())
        assert sum(one.weighted.values()) == reason.weight * one.fired
        assert one.wrong == one.fired - one.right
        assert one.support == len(fired) / len(boards)
        assert one.precision == (right / len(fired) if fired else None)


@every
def test_votes_by_counting_are_the_votes_of_the_judge(name):
    judge, boards = judge_of(name), sample(name)
    judged = judge.judge([position for position, _ in boards]).votes.sum(axis=0)
    sums = dict.fromkeys((*judge.game.colours, None), 0)
    for one in counted(judge, boards):
        sums[one.reason.about] += one.reason.votes * one.fired
    assert [sums[winner] for winner in judge.winners] == judged.tolist()


def test_two_machines_are_counted_on_their_own_boards():
    game = small_game("hex")
    machines = small_machine(game), small_machine(game, seed=1)
    judge = MachineEvaluator(game, machines)
    boards = sample("hex")
    sides = sides_of(game, [position for position, _ in boards])
    counts = counted(judge, boards)
    assert {one.boards for one in counts} == {int((sides == 0).sum()), int((sides == 1).sum())}
    votes = judge.judge([position for position, _ in boards]).votes.sum(axis=0)
    assert sum(o.reason.votes * o.fired for o in counts if o.reason.about == "red") == votes[0]


def test_machines_with_a_window_and_regressors_are_counted():
    game = small_game("hex")
    boards = sample("hex")
    positions = [position for position, _ in boards]
    names = as_layers(game, np.arange(32)[None]).reshape(-1)
    rows = as_layers(game, game.encode(positions)).reshape(len(positions), -1)
    machine = TsetlinMachineClassifier(
        n_clauses=20, threshold=20, specificity=3.0, epochs=2, random_state=0,
        board_shape=(4, 4, 2), window=(2, 2),
    )  # fmt: skip
    bit_names = [game.bits()[n].name for n in names]
    machine.fit(rows, [winner for _, winner in boards], bit_names=bit_names)
    judge = MachineEvaluator(game, machine)
    votes = judge.judge(positions).votes.sum(axis=0)
    counts = counted(judge, boards)
    assert sum(o.reason.votes * o.fired for o in counts if o.reason.about == "red") == votes[0]
    assert "patch" in gallery_text(game, counts, 100) or "cell (" in gallery_text(game, counts, 100)
    gallery_page(game, counts, "x")
    regressor = MachineEvaluator(game, small_regressor(game))
    totals = [sum(regressor.explain(p).votes.values()) for p in positions]
    assert sum(o.reason.votes * o.fired for o in counted(regressor, boards)) == sum(totals)


@every
def test_searches_are_counted_board_by_board(name):
    judge = judge_of(name)
    counting = Counting(judge)
    plain = SearchPlayer(judge, load_search("breadth_first", depth=1))
    player = SearchPlayer(counting, load_search("breadth_first", depth=1))
    position = small_game(name).start()
    with pytest.raises(ValueError, match="search first"):
        counting.counts()
    for _ in range(2):
        choice = player.choose(position)
        same = plain.choose(position)
        assert choice.move == same.move
        assert choice.explanation == same.explanation
        position = position.play(choice.move)
    asked = sum(len(sides) for _, sides in counting._new)
    assert asked > 2
    counting.ended(judge.game.colours[0])
    counts = counting.counts()
    assert {one.boards for one in counts} == {asked}
    for one in counts:
        says_so = (one.reason.about == judge.game.colours[0]) == one.reason.favours
        assert one.right == (one.fired if says_so else 0)
    player.choose(position)
    counting.ended(None)
    assert counting.counts()[0].boards > asked
    with pytest.raises(ValueError, match="winner='nobody' must be one of"):
        counting.ended("nobody")
    assert str(counting) == str(judge)


def test_what_cannot_be_counted_is_refused():
    judge = judge_of("hex")
    boards = np.zeros((2, 4), np.uint8)
    with pytest.raises(ValueError, match="2 boards need as many"):
        count_clauses(judge, boards, np.zeros(2), np.zeros(1))
    with pytest.raises(ValueError, match="An end is 0 or 1"):
        count_clauses(judge, boards, np.zeros(2), np.array([0, 3]))
    material = load_player("material", small_game("checkers"))
    with pytest.raises(ValueError, match="has no clauses to count"):
        Counting(material.evaluators["black"])


@every
def test_the_gallery_shows_the_strongest(name):
    judge = judge_of(name)
    counts = counted(judge, sample(name))
    for kind in KINDS:
        for most in (1, 3, 1000):
            chosen = strongest(counts, kind, most)
            votes = [one.weighted[kind] for one in chosen]
            assert votes == sorted(votes, reverse=True)
            assert len(chosen) <= most
            left = [one.weighted[kind] for one in counts if one not in chosen]
            assert not left or not votes or max(left) <= votes[-1]
    with pytest.raises(ValueError, match="kind='XX' must be one of"):
        strongest(counts, "XX")
    html = gallery_page(judge.game, counts, "Clauses <of> a & b", 2)
    root = ElementTree.fromstring(html.removeprefix("<!DOCTYPE html>"))
    assert root.find("head/title").text == "Clauses <of> a & b"
    cards = [e for e in root.iter("div") if e.get("class") == "card"]
    assert len(cards) == sum(len(strongest(counts, kind, 2)) for kind in KINDS)
    assert gallery_text(judge.game, counts, 2).count("fired on") == len(cards)
    assert "| votes | clause |" in gallery_markdown(judge.game, counts, 2)
    rows = json.loads(json.dumps(counts_page(counts)))
    assert [row["fired"] for row in rows] == [one.fired for one in counts]
