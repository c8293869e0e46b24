"""Concepts: the kernel counts what a slow twin counts, and sentences say what is so."""

import random

import numpy as np
import pytest
from checkers_boards import ENDLESS, as_naive, random_position
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.games.checkers import concepts
from clauseboard.games.checkers.concept_kernels import N_CONCEPTS, NAMES
from clauseboard.games.concepts import concept_bits
from clauseboard.games.plugins import CONCEPTS
from clauseboard.kernels.compiler import JIT_DISABLED
from naive import checkers_concepts as naive

FEW = settings(max_examples=5 if JIT_DISABLED else 60)
SEED = st.integers(0, 2**32)
GAME = load_game("checkers")


def check(position):
    counted = concepts.count([position])[0]
    board = as_naive(position)
    for colour, numbers in zip(GAME.colours, counted, strict=True):
        wanted = naive.counts(board, colour, position.to_move == colour)
        assert dict(zip(NAMES, numbers.tolist(), strict=True)) == wanted, f"{colour}\n{position}"


@FEW
@given(SEED)
def test_the_kernel_counts_what_the_twin_counts_on_random_boards(seed):
    check(random_position(random.Random(seed)))


@FEW
@given(SEED, st.integers(0, 120))
def test_the_kernel_counts_what_the_twin_counts_in_random_games(seed, n_moves):
    rng, position = random.Random(seed), ENDLESS.start()
    for _ in range(n_moves):
        if position.outcome() is not None:
            break
        position = position.play(rng.choice(position.moves()))
    check(position)


WHOLE_BOARD = {"board", "move", "tempo", "lopsided", "turn"}
"""Concepts that speak of no squares in particular."""

NOT_A_NUMBER_OF_SQUARES = {"safe moves", "bridge", "triangle", "runaway"}
"""A piece may have several moves, a bridge needs two men, and a man runs several rows."""


@FEW
@given(SEED)
def test_cells_are_those_that_were_counted(seed):
    position = random_position(random.Random(seed))
    counted = concepts.count([position])[0]
    for colour, numbers in zip(GAME.colours, counted, strict=True):
        for name, number in zip(NAMES, numbers, strict=True):
            squares = concepts.cells(position, name, colour)
            if name in WHOLE_BOARD:
                assert squares == ()
            elif name in NOT_A_NUMBER_OF_SQUARES:
                assert bool(squares) == bool(number), name
            else:
                assert len(squares) == number, name


def test_both_sides_are_counted_alike():
    """A board turned round, with the other side to move, has the numbers of the sides exchanged."""
    start = GAME.read_position("W:W22,25,K6:B3,8,K28")
    turned = GAME.read_position("B:B11,8,K27:W30,25,K5")
    first, second = concepts.count([start])[0], concepts.count([turned])[0]
    assert np.array_equal(first[0], second[1])
    assert np.array_equal(first[1], second[0])


def test_every_concept_has_a_line_and_words_without_negations():
    assert len(concepts.CONCEPTS) == N_CONCEPTS
    for bit in concept_bits(concepts.CONCEPTS):
        for holds in (True, False):
            sentence = bit.sentence("black", "white", holds)
            assert not {"not", "own", "never"} & set(sentence.split()), sentence
            assert "{" not in sentence, sentence
            assert "  " not in sentence, sentence
        assert bit.sentence("black", "white", True)
        assert bit.concept.line


MANY = "21,22,23,24,25,26,27,29,30,31,32"


@pytest.mark.parametrize(
    ("position", "line", "side", "text"),
    [
        ("W:W17,21,22,25,29,30:B5,6,10", "material", "white", "white is three men ahead"),
        ("W:W17,21,22:BK5,6,10", "material", "black", "black has a king more, with equal pieces"),
        ("W:W17,21:BK5,10", "material", "white", "white has a man more, black a king more"),
        ("W:WK17,21,22:B10", "material", "white", "white is two pieces ahead, and has a king more"),
        ("W:WK18:B1", "mobility", "white", "white has four safe moves, black two"),
        ("B:WK18:B1", "mobility", "black", "it is black's turn"),
        ("W:WK18:B1", "mobility", "black", "black has two safe moves, white four"),
        (
            "B:WK15,K32,31:BK18,3",
            "kings",
            "white",
            "white has one king in the centre, black one",
        ),
        ("B:W13,14,22:B5,6", "mobility", "white", "black is out of safe moves, white has two"),
        (
            "B:W31,32:BK18,2,3",
            "back row",
            "black",
            "black has a king, and keeps two men on the back row, white two",
        ),
        (
            "B:W7,32:B17,1",
            "runaway man",
            "black",
            "black's man on 17 crowns in three, white's in one",
        ),
        ("W:W11,12:BK29", "runaway man", "white", "white's man on 11 crowns in two"),
        ("B:W30,32:B13", "bridge", "white", "white holds the bridge on 30 and 32"),
        ("B:W26,30,31:B13", "triangle", "white", "white holds the triangle 26, 30 and 31"),
        ("B:W5,32:B13", "dog hole", "black", "white has a man in the dog hole, 5"),
        ("B:W32:B13", "back row", "white", "white keeps one man on the back row"),
        ("W:W29:BK22,K25", "blocked men", "black", "white has one blocked man"),
        ("B:W32:B13", "mobility", "white", "white has two safe moves, black one"),
        # It counts for one side only, whoever has it.
        ("B:W32:B13", "back row", "black", ""),
        ("B:W26,30,31:B14", "triangle", "black", ""),
        ("B:W21,29:B14", "edges", "white", ""),
        ("B:W21,29:B14", "edges", "black", "white has two men on the edge, with one way to go"),
        (f"B:W28,{MANY}:B13", "tempo", "black", "white's men have made nine more steps"),
        (
            "B:W18,21,22,26,30,31,32:B1,2,3,4,6,7,10",
            "tempo",
            "black",
            "black has four more steps in hand",
        ),
        (
            "B:W21,28,32:B12",
            "edges",
            "black",
            "white has two men on the edge, with one way to go; black has one",
        ),
        (f"B:W28,{MANY}:B13", "tempo", "white", ""),
        ("B:W31:B13", "tempo", "white", ""),  # few pieces are left
    ],
)
def test_lines_say_what_players_say(position, line, side, text):
    position = GAME.read_position(position)
    counted = concepts.count([position])[0]
    side_first = GAME.colours.index(side)
    ours, theirs = counted[side_first], counted[1 - side_first]
    assert concepts.line_text(position, line, side, ours, theirs) == text


def test_checkers_and_hex_have_concepts():
    assert CONCEPTS.find("checkers") is concepts
    assert CONCEPTS.games() == ("checkers", "go", "hex")
