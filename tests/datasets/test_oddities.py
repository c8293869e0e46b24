"""Which games are odd: every rule with words that it means, and words that it does not."""

import pytest

from clauseboard.games.checkers import pdn_games
from clauseboard.games.checkers.pdn_games import drafts, oddity, tokens


def odd(text):
    (draft,) = drafts(tokens(text.splitlines()))
    return oddity(draft)


def reason_for(comment):
    found = odd(f"1. 11-15 23-19\n2. 8-11 {{{comment}}} 1-0")
    return found and found[1]


@pytest.mark.parametrize(
    "comment",
    [
        "White forfeited.",
        "forfeit",
        "Black won by default",
        "lost on time",
        "White loses on time here",
        "Black's time ran out.",
        "his opponent did not appear",
        "failed to show",
    ],
)
def test_forfeits(comment):
    assert reason_for(comment) == pdn_games.FORFEIT


@pytest.mark.parametrize(
    "comment",
    [
        "wrong result",
        "The result is wrong.",
        "Result given in the book is incorrect",
        "should be a draw",
        "should have been 0-1",
        "actual result 1/2-1/2",
        "result should be 0-1",
        "wrongly recorded as a win",
        "scored incorrectly",
    ],
)
def test_wrong_results(comment):
    assert reason_for(comment) == pdn_games.WRONG_RESULT


@pytest.mark.parametrize(
    "comment",
    [
        "both overlooked the jump",
        "the jump was overlooked by both",
        "Black missed a jump",
        "White should have jumped",
        "must jump",
        "did not capture",
        "illegal move",
        "against the rules",
        "White moved out of turn",
        "huffed",
        "black moved twice",
    ],
)
def test_overlooked_rules(comment):
    assert reason_for(comment) == pdn_games.OVERLOOKED_RULE


@pytest.mark.parametrize(
    "comment",
    [
        "",
        "a fine win",
        "White overlooked a win here",
        "should be played at once",
        "15-18 draws",
        "in good time",
        "the usual exchange",
        "this jump wins",
        "a drawn result",
        "black wins: white has no men left",
        "draw: 40 moves without progress",
        "white wins: black cannot move",
    ],
)
def test_plain_comments_are_not_odd(comment):
    assert reason_for(comment) is None


def test_words_without_braces_are_read_together():
    line, reason, detail = odd("1. 11-15 23-19\n2. 8-11\nthe wrong result 1-0")
    assert (line, reason) == (2, pdn_games.WRONG_RESULT)
    assert "the wrong result" in detail


def test_the_first_reason_counts():
    text = '[FEN "B:W32:B1"]\n1. 1-6 {an illegal move, so white forfeited} 1-0'
    assert odd(text)[1] == pdn_games.FORFEIT


def test_where_a_comment_stands():
    assert odd("{forfeit}\n1. 11-15 1-0")[0] == 2
    assert odd('[Event "x"]\n1. 11-15\n23-19 {forfeit}\n2. 8-11 1-0')[0] == 3


def test_long_comments_are_quoted_in_part():
    _, _, detail = odd(f"1. 11-15 {{{'a ' * 100}forfeit{' b' * 100}}} 1-0")
    assert "forfeit" in detail
    assert len(detail) < 110
    assert detail.count("...") == 2


def test_two_results():
    line, reason, detail = odd('[Result "1-0"]\n1. 11-15 0-1')
    assert (line, reason) == (1, pdn_games.TWO_RESULTS)
    assert detail == "its tag says '1-0', and the moves end in '0-1'"


@pytest.mark.parametrize("text", ['[Result "1-0"]\n1. 11-15 2-0', '[Result "*"]\n1. 11-15 0-1'])
def test_results_that_do_not_differ(text):
    assert odd(text) is None


def test_set_up():
    assert odd('[FEN "B:W32:B1"]\n1. 1-6 1-0')[1:] == (
        pdn_games.SET_UP,
        "it begins at 'B:W32:B1'",
    )


def test_words_between_the_moves():
    assert odd("1. 11-15 23-19\nhm\n2. 8-11 1-0")[1] == pdn_games.WORDS
    assert odd("1. 11-15 {hm} 23-19 1-0") is None


@pytest.mark.parametrize("text", ["Game one\n1. 11-15 1-0", "1. 11-15 1-0\nNext game"])
def test_headings_are_not_between_the_moves(text):
    assert odd(text) is None
