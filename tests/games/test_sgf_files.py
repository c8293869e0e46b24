"""Where one game of a file ends and the next begins, whatever is broken."""

import io
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.games import sgf_files
from clauseboard.games.go.records import read_sgf
from clauseboard.games.records import Report
from clauseboard.games.sgf_files import read_games, split_games

GOOD = "(;GM[1]SZ[9]KM[7]PB[{}];B[ee];W[cc](;B[dd])(;B[ff]))"


def good(name):
    return GOOD.format(name)


def split(text, chunk=None):
    stream = io.BytesIO(text.encode())
    if chunk is not None:
        whole = stream.read
        stream.read = lambda _size: whole(chunk)
    return list(split_games(stream))


@settings(max_examples=60)
@given(st.integers(1, 40), st.text("()[];\\\n abGMSZ19", max_size=60), st.booleans())
def test_chunks_do_not_matter(chunk, junk, cut):
    text = f"{junk}\n{good('a')}{junk}{good('b') if cut else good('b')[:-2]}\n{good('c')}"
    assert split(text, chunk) == split(text)


def test_a_beginning_may_be_wide():
    text = "(" + " " * 200 + ";GM[1]SZ[9])"
    for chunk in (1, 7, 100, 1000):
        assert split(text, chunk) == [(1, text.encode())]


def test_lines_are_those_of_the_file():
    text = "\n\n(;GM[1]SZ[9]\n;B[ee]\n)\n junk \n(;GM[1]SZ[9];B[aa]"
    games = split(text)
    assert [line for line, _ in games] == [3, 7]
    assert games[0][1] == b"(;GM[1]SZ[9]\n;B[ee]\n)"


@pytest.mark.parametrize(
    "game",
    [
        "(;SZ[9];B[ee](;AB[aa]C[what if];W[bb])(;C[or]B[cc])(;PL[W]))",
        "(;SZ[9]C[as in (;PB[x\\] of old];B[ee])",
        "(;SZ[9]C[as in (;PB[x\\]SZ[9\\];B[aa\\])];B[ee])",
        "(;SZ[9]C[ends in a backslash \\\\];B[ee])",
        "(;SZ[9]C[;GM \\[1\\] ( (; ))) ];B[ee])",
    ],
)
def test_a_whole_game_is_never_cut(game):
    assert split(f"{game}\n{game}{game}") == [(1, game.encode())] + [(2, game.encode())] * 2


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("X;GM[1]SZ[9];B[aa])\n(;SZ[9])", [1, 2]),
        ("(;SZ[9])\n(XGM[1]SZ[9];B[aa])\n(;SZ[9])", [1, 2, 3]),
        ("(;SZ[9])\n\nGM[1]SZ[9];B[aa])", [1, 3]),
        ("(;SZ[9]))))\nwords; and [more] words\n(;SZ[9])", [1, 3]),
    ],
)
def test_a_game_whose_beginning_is_lost_is_counted(text, lines):
    assert [line for line, _ in split(text)] == lines


# Two ways to write a game: with every property, and beginning with one of the game's.
WAYS = [
    "(;GM[1]FF[4]SZ[9]PB[a{}]PW[b]KM[7];B[ee]C[good];W[cc];B[dd];W[fc])",
    "(;PB[a{}]SZ[9];B[ee];W[cc](;B[dd]C[or this])(;B[ff]))",
]


def read_all(text):
    """The names of black in the games that are kept, and how many games were found."""
    kept = []
    games = split(text)
    for _, game in games:
        try:
            kept.append(read_sgf(game).texts.get("PB"))
        except ValueError:
            kept.append(None)
    return kept, len(games)


@settings(max_examples=500)
@given(
    st.sampled_from(WAYS),
    st.integers(0, 5),
    st.integers(0, 10**6),
    st.sampled_from(["cut", "lose", "change"]),
    st.sampled_from("()[];\\\nxA"),
)
def test_a_damaged_game_costs_no_intact_neighbour(way, which, place, damage, letter):
    games = [way.format(n) for n in range(6)]
    # The letters of the first property are left alone: without them nothing tells a beginning.
    place = 6 + place % (len(games[which]) - 6)
    before, after = games[which][:place], games[which][place + 1 :]
    middle = {"cut": "", "lose": "", "change": letter}[damage]
    games[which] = before + middle + ("" if damage == "cut" else after)
    names, count = read_all("\n".join(games))
    assert [n for n in range(6) if n != which and f"a{n}" not in names] == []
    # An end in the middle leaves a rest that may have variations, and they look like games.
    outside = re.sub(r"\[(?:[^\\\]]|\\.)*\]", "", games[which], flags=re.DOTALL)
    ends_early = outside.count(")") > outside.count("(")
    assert count == 6 or (count > 6 and ends_early)


def test_a_value_that_is_not_closed_ends_where_a_game_begins():
    open_ended = "(;GM[1]SZ[9];B[ee]C[never closed"
    assert [text for _, text in split(f"{open_ended}\n{good('a')}")] == [
        f"{open_ended}\n".encode(),
        good("a").encode(),
    ]


def test_games_on_one_line_come_one_by_one():
    stream = io.BytesIO(b"(;B[a1];W[b2])" * 100_000)
    games = split_games(stream)
    assert next(games) == (1, b"(;B[a1];W[b2])")
    assert stream.tell() < 100_000
    assert sum(1 for _ in games) == 99_999


def test_long_text_that_is_no_game_is_passed_over(monkeypatch):
    monkeypatch.setattr(sgf_files, "MOST_BYTES", 100_000)
    text = "words \n" * 100_000 + good("a")
    assert split(text) == [(100_001, good("a").encode())]


@pytest.mark.parametrize("seed", range(3))
def test_reading_gives_records_and_counts_the_rest(tmp_path, seed):
    rng = random.Random(seed)
    broken = [rng.random() < 0.4 for _ in range(50)]
    path = tmp_path / "games.sgf"
    path.write_text("\n".join(good(n)[: -1 if b else None] for n, b in enumerate(broken)))
    report = Report()
    names = [record.texts["PB"] for record in read_games(path, report, read_sgf)]
    assert names == [str(n) for n, b in enumerate(broken) if not b]
    assert [drop.line for drop in report.drops] == [n + 1 for n, b in enumerate(broken) if b]
