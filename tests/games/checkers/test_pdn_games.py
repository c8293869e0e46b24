"""Lines of plain moves are taken at once; that gives the tokens that word by word gives."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.games.checkers import pdn_games as module
from clauseboard.games.checkers.pdn_games import tokens

WORDS = [
    "1.", "12.", "100.", "3", "11-15", "11x18x25", "1-10", "0-12", "1-0", "0-1", "1-1", "1-01",
    "0-1x5", "111-2", "11-", "x22", "- 5", "-", ".", "..", "11-15!", "*", "½", "1/2", "word",
    "(", ")", "{", "}", ";", "%", "[", "]",
]  # fmt: skip
SPACES = [" ", " ", "  ", "", "\t"]
PAIRS = st.tuples(st.sampled_from(WORDS), st.sampled_from(SPACES)).map("".join)
LINES = st.lists(st.lists(PAIRS, max_size=9).map("".join), max_size=5)


@given(LINES)
@settings(max_examples=300)
def test_plain_lines_are_no_special_case(lines):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PLAIN", re.compile("(?!)"))
        expected = list(tokens(lines))
    assert list(tokens(lines)) == expected


def test_most_of_a_plain_line_is_taken_at_once():
    line = "1. 11-15 23-19 2. 8-11 22-17 3. 4-8 1-0"
    assert module.PLAIN.match(line)[0] == "1. 11-15 23-19 2. 8-11 22-17 3. 4-8 "


@pytest.mark.parametrize(
    "line", ["11-15 x22 1. 8-11", "1. ... 22-17", "1-0 11-15", "11-15", "11-15 "]
)
def test_what_goes_on_is_not(line):
    assert module.PLAIN.match(line) is None
