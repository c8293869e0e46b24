"""Players in one line: what is read, what is written, and that one gives the other back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.players import named_files, read_spec, read_value, write_spec


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("random", "random", {}),
        (" random ", "random", {}),
        ("solver:resign=true", "solver", {"resign": True}),
        ("tsetlin:zero=False,scale=1e5", "tsetlin", {"zero": False, "scale": 1e5}),
        ("a:b=none, c = 3 ,d=x", "a", {"b": None, "c": 3, "d": "x"}),
        ("a:b='x,y',c=\"it's\"", "a", {"b": "x,y", "c": "it's"}),
        ("a:classes={0: 'win', 1: 'loss'},b=1", "a", {"classes": {0: "win", 1: "loss"}, "b": 1}),
        ("a:forced_score=(1,0),depth=3", "a", {"forced_score": (1, 0), "depth": 3}),
        ("a:forced-score=[9, -9]", "a", {"forced_score": [9, -9]}),
        ("a:path=C:/games/black.tm", "a", {"path": "C:/games/black.tm"}),
        ("a:b=", "a", {"b": ""}),
        ("a:otherwise='material:depth=3'", "a", {"otherwise": "material:depth=3"}),
        ("a:otherwise=material:depth=3", "a", {"otherwise": "material:depth=3"}),
    ],
)
def test_reading(text, name, options):
    assert read_spec(text) == (name, options)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is not a player"),
        (":a=1", "is not a player"),
        ("random:", "is not a player"),
        ("7up", "is not a player"),
        ("a b", "is not a player"),
        ("a:b", "'b' is not an option"),
        ("a:b=1,2", "'2' is not an option"),
        ("a:b=1,,c=2", "',c=2' is not an option"),
        ("a:b='x'y", "is not an option"),
        ("a:b=1,b=2", "'b' twice"),
        ("a:b-c=1,b_c=2", "'b_c' twice"),
    ],
)
def test_what_is_refused(text, told):
    with pytest.raises(ValueError, match=told):
        read_spec(text)


NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
VALUES = st.one_of(
    st.booleans(),
    st.none(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
    st.tuples(st.integers(), st.integers()),
    st.dictionaries(st.integers(), st.sampled_from(["win", "loss", "draw"])),
)


@given(NAMES, st.dictionaries(NAMES, VALUES, max_size=5))
def test_what_is_written_is_read_back(name, options):
    assert read_spec(write_spec(name, options)) == (name, options)


@pytest.mark.parametrize(
    ("value", "written"),
    [("a", "a"), ("a,b", "'a,b'"), ("1", "'1'"), ("true", "'true'"), (True, "True"), ("", "''")],
)
def test_text_is_quoted_where_it_has_to_be(value, written):
    assert write_spec("p", {"k": value}) == f"p:k={written}"


def test_things_without_a_text_are_named():
    assert write_spec("p", {"k": object()}) == "p:k=<object>"


@pytest.mark.parametrize(
    ("text", "value"),
    [("TRUE", True), ("false", False), ("none", None), ("0.5", 0.5), ("draw", "draw"), ("", "")],
)
def test_values(text, value):
    assert read_value(text) == value


def test_the_files_that_options_name(tmp_path):
    one, two = tmp_path / "one.tm", tmp_path / "two, three.tm"
    for path in (one, two):
        path.write_bytes(b"")
    player = write_spec("tsetlin", {"red": str(one), "blue": str(two), "search": "mcts"})
    assert named_files(player) == (str(one), str(two))
    assert named_files(write_spec("solver", {"otherwise": player})) == (str(one), str(two))
    assert named_files(f"tsetlin:machine={tmp_path}/missing.tm") == ()
    assert named_files("no player at all") == ()
