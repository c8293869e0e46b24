"""Duplicates merged, symmetrical reasons joined; nothing else is."""

import numpy as np
import pytest
from explained import GAMES, explanations_of
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.explaining import join, merge, sentence
from clauseboard.explanation import Reason
from clauseboard.game import Bit, load_game
from clauseboard.games.vocabulary import vocabulary_of
from naive.machines import small_game

every = pytest.mark.parametrize("name", GAMES)


def reason(game, needed, forbidden=(), weight=1, favours=True, about=None):
    bits = game.bits()
    return Reason(
        tuple(bits[n] for n in needed), tuple(bits[n] for n in forbidden), weight, favours, about
    )


def by_name(game, *names):
    bits = {bit.name: n for n, bit in enumerate(game.bits())}
    return [bits[name] for name in names]


def test_equal_reasons_are_one_and_what_cancels_is_none():
    game = load_game("hex", size=3)
    one, other = (
        reason(game, [1, 0], [5], 3, True, "red"),
        reason(game, [0, 1], [5], 4, True, "red"),
    )
    (merged,) = merge([one, other])
    assert (merged.votes, merged.favours) == (7, True)
    assert merge([one, reason(game, [0, 1], [5], 3, False, "red")]) == []
    about_other = reason(game, [0, 1], [5], 3, False, "blue")
    assert [r.votes for r in merge([one, about_other])] == [3, -3]


def test_half_turned_ones_are_joined_in_hex():
    game = load_game("hex", size=3)
    one = reason(game, by_name(game, "red stone at a1"), weight=5, favours=True, about="red")
    turned = reason(game, by_name(game, "red stone at c3"), weight=9, favours=True, about="red")
    reflected = reason(game, by_name(game, "red stone at c1"), weight=1, favours=True, about="red")
    joined, alone = join([one, turned, reflected], game)
    assert joined.votes == 14
    assert joined.first == turned
    assert joined.pictures == ("the same half turned",)
    assert alone.reasons == (reflected,)
    assert sentence(joined, game) == (
        "red has a stone at the acute corner c3, and the same half turned: 14 votes for red"
    )


def test_only_those_that_vote_alike_are_joined():
    game = load_game("hex", size=3)
    a1, c3 = by_name(game, "red stone at a1"), by_name(game, "red stone at c3")
    for other in (
        reason(game, c3, weight=2, favours=False, about="red"),
        reason(game, c3, weight=2, favours=True, about="blue"),
        reason(game, [], c3, weight=2, favours=True, about="red"),
    ):
        assert len(join([reason(game, a1, weight=5, favours=True, about="red"), other], game)) == 2


def test_a_mirror_image_in_go():
    game = load_game("go", size=5)
    left = reason(game, by_name(game, "black stone at B4"), [], 3, True, "black")
    right = reason(game, by_name(game, "black stone at D4"), [], 3, True, "black")
    (joined,) = join([left, right], game)
    assert joined.votes == 6
    assert len(joined.pictures) == 1


def test_checkers_has_no_symmetry_that_keeps_the_colours():
    game = load_game("checkers")
    one = reason(game, by_name(game, "black man on 1"), weight=3, favours=True, about="black")
    two = reason(game, by_name(game, "white man on 32"), weight=3, favours=True, about="white")
    assert len(join([one, two], game)) == 2


def test_reasons_of_other_bits_are_joined_with_nothing():
    game = load_game("hex", size=3)
    strange = Bit("patch row > 0", None, "")
    one = Reason((strange,), (), 2, True, "red", "patch row > 0 at (1, 1)")
    assert [a.votes for a in join([one, one], game)] == [4]


@every
@given(data=st.data())
def test_all_pictures_of_a_pattern_become_one_argument(name, data):
    game = small_game(name)
    n_bits = len(game.bits())
    needed = data.draw(st.sets(st.integers(0, n_bits - 1), max_size=3))
    forbidden = data.draw(st.sets(st.integers(0, n_bits - 1), max_size=3)) - needed
    ways = [np.arange(n_bits)] + [p.source for p in vocabulary_of(game).pictures if not p.exchanges]
    row = np.zeros((2, n_bits), bool)
    row[0, list(needed)], row[1, list(forbidden)] = True, True
    pictures = [
        reason(game, np.flatnonzero(row[0, way]), np.flatnonzero(row[1, way]), 2, True, None)
        for way in ways
    ]
    (argument,) = join(pictures, game)
    assert argument.votes == 2 * len(ways)
    assert len(argument.pictures) == len(argument.reasons) - 1
    assert set(argument.pictures) <= {p.name for p in vocabulary_of(game).pictures}


@every
def test_pictures_are_symmetries_of_the_rules(name):
    """A board shown otherwise has as many moves, and as many pieces of each kind or its other."""
    game = small_game(name)
    for explanation in explanations_of(name)[:40]:
        position = explanation.position
        row = game.encode([position])[0]
        for picture in vocabulary_of(game).pictures:
            mover = game.other(position.to_move) if picture.exchanges else position.to_move
            shown = game.decode(row[picture.source], mover)
            assert len(shown.moves()) == len(game.decode(row, position.to_move).moves())


@every
def test_pictures_and_the_board_itself_are_a_group(name):
    game = small_game(name)
    ways = {tuple(range(len(game.bits())))}
    ways |= {tuple(p.source.tolist()) for p in vocabulary_of(game).pictures}
    assert len(ways) == 1 + len(vocabulary_of(game).pictures)
    assert {tuple(np.array(a)[list(b)].tolist()) for a in ways for b in ways} == ways
