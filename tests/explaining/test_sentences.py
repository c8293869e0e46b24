"""What a sentence says is what the clause says: an independent reader reads it again."""

import random

import pytest
from explained import GAMES, boards_of, explanations_of, judge_of
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.explaining import conditions, join, sentence
from clauseboard.explaining.reasons import ALWAYS, IMPOSSIBLE, pattern_text, votes_text
from clauseboard.explanation import Reason
from clauseboard.game import Bit, load_game
from clauseboard.games.vocabulary import vocabulary_of
from naive.english import true_of
from naive.machines import names_on, small_game

every = pytest.mark.parametrize("name", GAMES)


def made(game, needed, forbidden, votes=31, about=None):
    bits = {bit.name: bit for bit in game.bits()}
    return Reason(
        tuple(bits[name] for name in needed),
        tuple(bits[name] for name in forbidden),
        abs(votes),
        votes > 0,
        about,
    )


def fires(reason, names):
    return all(b.name in names for b in reason.needed) and not any(
        b.name in names for b in reason.forbidden
    )


CHECKERS = [
    (
        ("white man on 28", "white man on 32"),
        ("black man on 21",),
        "white has men on its double corner (28 and 32)",
        "black has no man on 21",
    ),
    (("white king on 28", "white king on 32"), (), "white has kings on its double corner",),
    (("black king on 28", "black king on 32"), (), "black has kings on white's double corner",),
    (("black man on 14",), ("white man on 14", "black king on 14"), "black has a man on 14"),
    ((), ("black man on 5", "black king on 5"), "black has nothing on 5"),
    ((), tuple(f"{p} on 5" for p in ("black man", "black king", "white man", "white king")),
     "5 is empty"),
    # A black man on 29 would be a king, so that this is all that black can have there.
    ((), ("black king on 29",), "black has no king on 29"),
    ((), ("black king on 29", "white man on 29", "white king on 29"), "29 is empty"),
    ((), ("black man on 30",), ALWAYS),
    ((), (), ALWAYS),
    (("black man on 30",), (), IMPOSSIBLE),
    (("black man on 14", "white man on 14"), (), IMPOSSIBLE),
    (("black man on 14",), ("black man on 14",), IMPOSSIBLE),
    ((), ("white man on 21", "white man on 22"), "white has no man on 21 or 22"),
]  # fmt: skip


@pytest.mark.parametrize("row", CHECKERS)
def test_sentences_of_checkers(row):
    needed, forbidden, *parts = row
    text = pattern_text(made(load_game("checkers"), needed, forbidden), load_game("checkers"))
    for part in parts:
        assert part in text
    if len(parts) == 1 and not part.endswith("corner"):
        assert text == parts[0]


def test_the_whole_sentence():
    game = load_game("checkers")
    reason = made(
        game, ["white man on 28", "white man on 32"], ["black man on 21"], 31, about="white"
    )
    assert sentence(reason, game) == (
        "black has no man on 21, and white has men on its double corner (28 and 32): "
        "31 votes for white"
    )
    assert votes_text(made(game, [], [], -1, None)) == "1 vote against a draw"
    assert votes_text(made(game, [], [], 1234, "black")) == "1,234 votes for black"


def test_sentences_of_go_and_hex():
    go, hexes = load_game("go", size=5), load_game("hex", size=3)
    corner = made(go, ["black stone at A5"], ["white stone at C3", "black stone at C3"])
    assert pattern_text(corner, go) == "black has a stone at the corner A5, and C3 is empty"
    top = made(hexes, [f"blue stone at {c}1" for c in "abc"], ["red stone at b2"])
    assert pattern_text(top, hexes) == (
        "red has no stone at the centre b2, and blue has stones at red's top edge (a1, b1 and c1)"
    )


def test_bits_that_are_on_no_cell_are_called_by_their_names():
    game = load_game("hex", size=3)
    bits = Bit("own men: 3 or more", None, "own men"), Bit("patch row > 1", None, "")
    reason = Reason((bits[0],), (bits[1],), 2, True, "red")
    assert pattern_text(reason, game) == "own men: 3 or more, and not patch row > 1"
    assert [c.holds({"own men: 3 or more"}) for c in conditions(reason, game)] == [True, True]
    assert [c.holds({"patch row > 1"}) for c in conditions(reason, game)] == [False, False]


@every
@settings(max_examples=100)
@given(data=st.data())
def test_a_sentence_is_true_where_the_clause_fires_and_nowhere_else(name, data):
    game, boards = small_game(name), boards_of(name)
    names = [bit.name for bit in game.bits()]
    # A clause that some board fulfils, so that both cases come up; perhaps changed a little.
    chosen = boards[data.draw(st.integers(0, len(boards) - 1))]
    shown = names_on(game, chosen)
    draw = random.Random(data.draw(st.integers(0, 2**32)))
    there, missing = sorted(shown), sorted(set(names) - shown)
    needed = draw.sample(there, min(len(there), draw.randrange(4)))
    forbidden = draw.sample(missing, draw.randrange(12))
    if draw.random() < 0.3:
        forbidden += [draw.choice(names)]
    reason = made(game, needed, dict.fromkeys(forbidden))
    check(game, reason, [chosen, *boards[:: max(1, len(boards) // 40)]])


@every
def test_sentences_of_learned_clauses_are_true(name):
    game, boards = small_game(name), boards_of(name)
    seen = set()
    for explanation in explanations_of(name)[::10]:
        for reason in explanation.reasons:
            key = (reason.needed, reason.forbidden)
            if key not in seen:
                seen.add(key)
                check(game, reason, boards[::20])
                text = pattern_text(reason, game)
                assert true_of(text, game, explanation.position), text
    assert len(seen) > 20


def check(game, reason, boards):
    text, found = pattern_text(reason, game), conditions(reason, game)
    for position in boards:
        names = names_on(game, position)
        fired = fires(reason, names)
        assert true_of(text, game, position) == fired, (text, str(position))
        assert (found is not None and all(c.holds(names) for c in found)) == fired


@every
def test_nothing_is_ever_on_a_board_that_never_is(name):
    game = small_game(name)
    for position in boards_of(name):
        assert not names_on(game, position) & vocabulary_of(game).never


@every
def test_words_know_every_bit_and_cell(name):
    game = small_game(name)
    words = vocabulary_of(game)
    assert {bit.piece for bit in game.bits()} == set(words.pieces)
    cells = {bit.cell for bit in game.bits()}
    for region in words.regions:
        assert region.cells <= cells
        assert region.owner in (None, *game.colours)
    assert words.never <= {bit.name for bit in game.bits()}


@every
def test_every_argument_has_a_sentence(name):
    game = judge_of(name).game
    for explanation in explanations_of(name)[::20]:
        for argument in join(explanation.reasons, game):
            assert sentence(argument, game).endswith(votes_text(argument))
