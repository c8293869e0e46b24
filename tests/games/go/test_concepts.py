"""The concepts of Go: the kernel against the slow twin, and sentences that say what is so."""

import random
from dataclasses import replace
from html import escape

import numpy as np
import pytest

from clauseboard.explaining import Account, explain
from clauseboard.explaining.account import LINES_ALONE
from clauseboard.explaining.html_writer import account_section
from clauseboard.explaining.writers import account_markdown, account_page, account_text
from clauseboard.explanation import Explanation, votes_of
from clauseboard.game import load_game
from clauseboard.games.concepts import concept_bits
from clauseboard.games.go import concept_kernels, concepts, kernels, tactics
from clauseboard.games.go.board import numbers
from clauseboard.games.go.concept_kernels import (
    LIFE_NODES,
    LIFE_POINTS,
    NAMES,
    QUICK_LIFE_NODES,
)
from clauseboard.games.go.rules import state_of
from clauseboard.games.plugins import CONCEPTS
from clauseboard.learners.tsetlin.concept_evaluator import ConceptEvaluator
from clauseboard.players import read_player
from clauseboard.players.searcher import with_playouts
from clauseboard.search.mcts import MonteCarlo
from clauseboard.search.mcts_trees import PositionTree, start_of
from clauseboard.selfplay.fit_weights import win_loss_machine
from naive import go, go_concepts, go_tactics

COLOURS = ("black", "white")


def random_positions(size, seed, count, komi=7):
    draws, game = random.Random(seed), load_game("go", size=size, komi=komi)
    position = game.start()
    while count:
        stones = [move for move in position.moves() if not move.is_pass]
        if not stones or position.moves_played > 2 * size * size:
            position = game.start()
            continue
        position = position.play(draws.choice(stones))
        if draws.random() < 0.1:
            count -= 1
            yield position


def status_of(position, chain, nodes):
    """What becomes of a chain: ladders by the slow reader, life by the kernel's (which has a
    twin of its own), with the bounds that concepts have."""
    size, stone = position.game.size, min(chain.stones)
    lines, (y, x) = go.from_bytes(position.board, size), divmod(stone, size)
    own, mover = lines[y][x], position.to_move[0]
    ko = None if position.ko is None else divmod(position.ko, size)

    def laddered(side):
        return go_tactics.is_laddered(lines, y, x, side, ko if side == mover else None)

    if len(chain.liberties) == 1 and laddered(own):
        return "lost"
    state, place = state_of(position), stone + stone // size + size + 2
    life = tactics.OPEN
    if len(go_tactics.local_points(lines, y, x)) <= LIFE_POINTS:
        life = int(tactics.read_life(state, place, nodes, tactics.new_room(size)))
    if life == tactics.DEAD:
        return "dead"
    if life == tactics.ALIVE:
        return "alive"
    if life == tactics.UNSETTLED or (len(chain.liberties) <= 2 and laddered(go.OTHER[own])):
        return "threatened" if own == mover else "lost"
    return ""


@pytest.mark.parametrize(("size", "seed", "komi"), [(4, 1, 0), (5, 2, 3), (6, 3, -2), (7, 4, 7)])
@pytest.mark.parametrize("nodes", [LIFE_NODES, QUICK_LIFE_NODES, 4])
def test_the_kernel_counts_what_the_slow_twin_counts(size, seed, komi, nodes):
    for position in random_positions(size, seed, 12, komi):
        lines, status = go.from_bytes(position.board, size), {}
        for chain in dict.fromkeys(position.chains.values()):
            told = status_of(position, chain, nodes)
            status |= {divmod(stone, size): told for stone in chain.stones}
        status = go_concepts.with_races(lines, status, position.to_move[0])
        states = state_of(position)[None]
        counted = concept_kernels.counted(states, 2 * komi, size, nodes)[0]
        for colour, numbers_ in zip(COLOURS, counted.tolist(), strict=True):
            given = max(komi, 0) if colour == "white" else max(-komi, 0)
            wanted = go_concepts.counts(lines, status, colour[0], position.to_move[0], given)
            assert dict(zip(NAMES, numbers_, strict=True)) == wanted, repr(position)


def test_of_two_chains_that_must_take_each_other_the_one_with_more_liberties_stands():
    """Both have two liberties, and are dead where the other stands: who is to move is first."""
    rows = ["........."] * 6 + ["bbbbwwwww", "bwwwbbbbw", "b..wb..ww"]
    for mover, other in (("black", "white"), ("white", "black")):
        position = load_game("go", size=9).read_position(f"{'/'.join(rows)} {mover}")
        assert concepts.cells(position, "lost", mover) == ()
        chain = {"white": ("B2", "C2", "D2", "D1"), "black": ("E2", "F2", "G2", "H2", "E1")}[other]
        assert concepts.cells(position, "lost", other) == chain


def test_concepts_do_not_hang_on_how_a_board_came_about():
    """A search plays on one state, whose chains are listed in another order than those of a board
    that is set up; what is read of them within a bound must be the same."""
    size, draws = 5, random.Random(1)
    for _ in range(12):
        position = load_game("go", size=size).start()
        state = state_of(position)
        for _ in range(25):
            stones = [move for move in position.moves() if not move.is_pass]
            if not stones:
                break
            move = draws.choice(stones)
            kernels.put_stone(state, move.point + move.point // size + size + 2)
            position = position.play(move)
            counted = concept_kernels.counted(state[None], 14, size)
            assert (counted == concepts.count([position])).all(), repr(position)


def test_influence_and_likely_area_have_no_say_on_an_empty_board():
    counted = concepts.count([load_game("go", size=9, komi=0).start()])[0]
    for name in ("influence", "likely area"):
        assert counted[:, NAMES.index(name)].tolist() == [0, 0]


def test_turned_boards_have_the_same_concepts():
    """But for what a bounded search finds, which may end sooner on one of them."""
    game = load_game("go", size=7)
    plain = ("open", "stones", "atari", "two liberties", "three liberties", "eyes", "cuts", "turn")
    kept = [NAMES.index(name) for name in plain]
    for position in random_positions(7, 8, 8):
        board = np.frombuffer(position.board, np.uint8).reshape(7, 7)
        counted = concepts.count([position])[0]
        for turned in (board[::-1], board.T, np.rot90(board)):
            other = game.position(np.ascontiguousarray(turned).tobytes(), position.to_move)
            assert (concepts.count([other])[0] == counted)[:, kept].all()


def test_every_concept_has_bits_and_is_offered():
    assert CONCEPTS.of("go").CONCEPTS is concepts.CONCEPTS
    told = {bit.concept.name for bit in concept_bits(concepts.CONCEPTS)}
    assert told == set(NAMES)
    assert concepts.count([]).shape == (0, 2, len(NAMES))


@pytest.mark.parametrize("size", [5, 7])
def test_cells_are_as_many_as_the_numbers(size):
    of_stones = (
        "atari", "two liberties", "three liberties", "no room", "little room", "lost",
        "threatened", "alive", "eyes", "cuts", "attacked", "sente", "first line",
    )  # fmt: skip
    for position in random_positions(size, size, 10):
        for colour, counts in zip(COLOURS, concepts.count([position])[0], strict=True):
            for name in of_stones:
                cells = concepts.cells(position, name, colour)
                assert len(cells) == len(set(cells)) == counts[NAMES.index(name)], name
                assert set(cells) <= set(numbers(size))
            assert concepts.cells(position, "turn", colour) == ()


def test_sentences_name_threats_and_the_largest_move_at_a_border():
    rows = "../.wb.b..../.wb.bwwww/wbbbwwbb./.wbbbwwbb/.wb..bb.b/.bwb.b.b./.wwb.bw.b/..wbbb..."
    position = load_game("go", size=9).read_position(f"..b.b..{rows} black")
    black, white = concepts.count([position])[0]

    def without_threats(counts):
        return counts * (np.arange(len(NAMES)) != NAMES.index("sente"))

    def told(line, n=black, m=white):
        return concepts.line_text(position, line, "black", n, m)

    largest = (
        "Black's largest move near its own stones (G9 and G8) changes the difference in nearer "
        "points by five, White's by three"
    )
    # At A4 and at A2 the stone itself is taken: neither is an atari to give.
    assert told("borders") == largest
    assert told("borders", without_threats(black), without_threats(white)) == largest
    assert told("area") == (
        "counting each point for the nearer side, Black leads by 7 with komi, and by 21 by what "
        "groups are likely to keep; two stones at B3 and G2 taken off"
    )
    assert told("area", black, black - (np.arange(len(NAMES)) == NAMES.index("area"))) == (
        "counting each point for the nearer side, Black leads by 1 with komi; two stones at B3 and "
        "G2 taken off"
    )
    assert concepts.cells(position, "sente", "black") == ("A4", "A2")


def test_lost_stones_are_said_to_be_taken_off_only_where_there_are_some():
    position = load_game("go", size=5, komi=0).read_position("...../.b.../..b../...../....w white")
    black, white = concepts.count([position])[0]
    assert not black[NAMES.index("lost")]
    assert not white[NAMES.index("lost")]
    told = concepts.line_text(position, "area", "black", black, white)
    assert told.startswith("counting each point for the nearer side, Black leads by ")
    assert "taken off" not in told


def test_stones_of_several_chains_are_not_said_to_be_around_one_of_them():
    chain = load_game("go", size=5).read_position("bbbb./wwww./...../...../..... black")
    black, white = concepts.count([chain])[0]
    told = concepts.line_text(chain, "liberties", "white", white, black)
    assert told == "Black's four stones at A5 are in atari"
    apart = load_game("go", size=5).read_position("b.w.b/ww.ww/...../.w.w./bw.wb black")
    black, white = concepts.count([apart])[0]
    told = concepts.line_text(apart, "liberties", "white", white, black)
    assert told == "Black's four stones at A5, E5, A1 and E1 are in atari"


@pytest.mark.parametrize(("value", "is_other"), [(0.6, True), (-0.6, False)])
def test_it_is_said_where_what_is_counted_and_the_search_differ(value, is_other):
    position = load_game("go", size=5).read_position("bw.../bw.../...../...../..... white")
    alone = Explanation(position, value, "", chance=0.5 + value / 2)
    found = replace(Explanation(position, -0.4, "", chance=0.3), alone=alone)
    said = Account(found).alone_text()
    assert said.endswith("; what makes the difference is not known.") == is_other
    assert ("sees it the other way round" in said) == is_other


def test_sentences_speak_for_the_side_they_are_asked_for():
    position = load_game("go", size=5).read_position("bw.../bw.../...../...../..... white")
    black, white = concepts.count([position])[0]
    told = concepts.line_text(position, "liberties", "white", white, black)
    assert told == "Black's two stones at A5 are in atari"
    assert concepts.line_text(position, "liberties", "black", black, white) == ""
    assert concepts.line_text(position, "turn", "white", white, black) == "it is white's turn"
    told = concepts.line_text(position, "life", "white", white, black)
    assert told == "Black's two stones at A5 are dead"
    for line in {concept.line for concept in concepts.CONCEPTS}:
        texts = [
            concepts.line_text(position, line, "white", white, black),
            concepts.line_text(position, line, "black", black, white),
        ]
        assert not all(texts), texts


# ---- clauses over them


def judge_of(game):
    """Judges by area, stones and atari."""
    votes = {
        "we lead: sure area >= 1": 60, "we lead: area >= 4": 50, "we lead: stones >= 2": 40,
        "they: atari >= 1": 30,
    }  # fmt: skip
    names = [bit.name for bit in concept_bits(concepts.CONCEPTS)]
    clauses = np.zeros((len(votes), 2 * len(names)), np.uint8)
    for row, name in enumerate(votes):
        clauses[row, names.index(name)] = 1
    machine = win_loss_machine(clauses, np.array(list(votes.values())), names, 4.0)
    return ConceptEvaluator(game, machine)


def test_a_judge_of_boards_explains_what_it_says():
    game = load_game("go", size=5)
    judge = judge_of(game)
    for position in random_positions(5, 11, 10):
        explanation = judge.explain(position)
        assert explanation.value == pytest.approx(judge.judge([position]).values[0])
        votes = sum(line.votes for line in explanation.lines)
        assert explanation.value == pytest.approx(max(min(votes / judge.scale, 1), -1))


def test_a_judge_of_boards_has_its_own_lines_beside_those_of_random_games():
    """They are about the board after the move, and add up to its value for the side that moved."""
    game, told = load_game("go", size=5), 0
    player = read_player("shipped", game)
    player.board_judge = judge_of(game)
    for position in random_positions(5, 21, 6):
        account = explain(player, position, simulations=30)
        after = position.play(position.read_move(account.move))
        if after.outcome() is not None:
            assert account.alone is None
            continue
        value = player.board_judge.judge([after]).values[0]
        lines = account.alone.lines
        assert account.alone.value == pytest.approx(-value)
        assert len(lines) <= LINES_ALONE
        total = account.alone.verdict.total
        assert sum(line.points for line in lines) == pytest.approx(total)
        assert total * 100 == pytest.approx(-value * player.board_judge.scale, abs=0.51)
        said = account.alone_text()
        assert account.alone.verdict.sentence(position.to_move) in said
        written = [account_text(account), account_markdown(account), account_page(account)]
        for line in lines:
            told += 1
            assert line.text in written[0]
            assert line.text in " ".join(written[1].replace(chr(92), "").split())
            assert line.text in [one["text"] for one in written[2]["alone"]["lines"]]
        assert escape(said) in "".join(account_section(account))
    assert told > 5


@pytest.mark.parametrize(("share", "value"), [(0.25, 0.3), (0.5, -0.2), (0.9, 0.0)])
def test_random_games_have_a_line_with_what_is_theirs(share, value):
    game = load_game("go", size=5)
    judge, told = judge_of(game), 0
    for position in random_positions(5, 12, 8):
        explanation = judge.explain(position)
        if not explanation.lines:
            continue
        chance = judge.chance(value)
        mixed = with_playouts(explanation, value, chance, share)
        own, playouts = mixed.lines[:-1], mixed.lines[-1]
        assert sum(line.votes for line in mixed.lines) == round(votes_of(chance))
        for line, before in zip(own, explanation.lines, strict=True):
            assert abs(line.votes - (1 - share) * before.votes) <= 1
            assert line.votes == sum(clause.votes for clause in line.clauses)
        assert playouts.concept == "random games"
        assert Account(mixed).verdict.chance == chance
        told += 1
    assert told > 3


@pytest.mark.long
def test_the_search_counts_what_the_judge_counts():
    """Compiled and by positions, a search by concepts alone finds the same values."""
    game = load_game("go", size=5, max_moves=40)
    judge = judge_of(game)
    for position in random_positions(5, 13, 3):
        position = game.position(position.board, position.to_move)
        found = MonteCarlo(simulations=60, keep=False).find(position, judge, seed=3)
        plain = PositionTree(position, MonteCarlo()._judge(judge, position.game), 5000)
        plain.counter = start_of(3)
        plain.simulate(60, 10**6, 100)
        told = {child.move: child.value for child in plain.children()}
        assert all(c.value == pytest.approx(told[c.move]) for c in found.candidates)
