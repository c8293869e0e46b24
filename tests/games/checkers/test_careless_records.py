"""Files of games that are broken or careless in ways that once lost other games."""

import random
import re
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import Outcome
from clauseboard.games.checkers.pdn_games import MOST_OPEN, MOST_PARTS, tokens
from clauseboard.games.checkers.records import AS_PLAYED, Archive, Record, write_record

GOOD = "1. 11-15 23-19 1-0\n"
MOVES = ["11-15", "23-19"]


def read(text, **options):
    archive = Archive(text.splitlines(keepends=True), **options)
    return list(archive), archive.report


def texts(record):
    return [p.write_move(m) for p, m in zip(record.positions(), record.moves, strict=False)]


def one(text, **options):
    records, report = read(text, **options)
    assert report.read == report.kept == 1, str(report.drops)
    return records[0]


# ------------------------------------------------------------------ never closed


@pytest.mark.parametrize("sign", ["(", "{", "({", "((", "( {1-0} "])
@pytest.mark.parametrize(
    ("head", "good"),
    [
        ("", GOOD),
        ("", f"\n{GOOD}"),
        ("", "11-15 23-19 1-0\n"),
        ('[Title "z"]\n', f'[Number "1"]\n{GOOD}'),
        ('[Title "z"]\n', f'[Title "x"]\n\n{GOOD}\n'),
        ("", f'\n[ Odd "x"]{GOOD}'),
    ],
)
def test_what_is_never_closed_costs_one_game(sign, head, good):
    records, report = read(f"{head}1. 11-15 {sign}23-18 1-0\n" + 5 * good)
    assert (report.read, report.kept) == (6, 5)
    assert all(texts(record) == MOVES for record in records)
    assert report.drops[0].reason in ("a comment not closed", "a variation not closed")
    assert report.drops[0].line == 1 + head.count("\n")


def test_a_result_in_a_comment_is_no_end():
    record = one("1. 11-15 {as in the game\nthat ended 1-0\nlong ago} 23-19 (1. 9-13\n1-0) *\n")
    assert texts(record) == MOVES
    assert record.comments == ((1, "as in the game that ended 1-0 long ago"),)
    assert record.variations == ((2, "1. 9-13 1-0"),)


@pytest.mark.parametrize("sign", ["()", "{}"])
def test_a_long_comment_costs_its_game_and_no_memory(sign):
    lines = 3 * MOST_OPEN // 80

    def source(times):
        yield f"1. 11-15 {sign[0]}\n"
        for _ in range(times * lines):
            yield 79 * "z" + "\n"
        yield f"{sign[1]} 23-19 1-0\n"
        yield GOOD

    def peak(times):
        tracemalloc.start()
        archive = Archive(source(times))
        assert [texts(record) for record in archive] == [MOVES]
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert archive.report.read == 2
        assert archive.report.drops[0].reason.endswith(" too long")
        return most

    peak(1)
    assert peak(8) < 1.2 * peak(1) + 20_000


def test_a_comment_of_just_the_length_allowed():
    text = "z" * (MOST_OPEN - 10)
    assert one(f"1. 11-15 {{{text}}} 23-19 1-0").comments == ((1, text),)


def test_endless_words_cost_one_game():
    records, report = read(GOOD + "1. 11-15 " + "and\n" * (MOST_PARTS + 1) + "\n1-0\n" + GOOD)
    assert [texts(record) for record in records] == [MOVES, MOVES]
    assert report.reasons == {"a game too long": 1}


@pytest.mark.parametrize(
    "line",
    [
        "11" + 200_000 * " " + "x",
        "1" + 100_000 * "-" + "a",
        100_000 * "1-",
        50_000 * "11-15 ",
        100_000 * "( ",
        100_000 * "1 ",
        "[A" + 100_000 * " ",
        100_000 * "* ",
    ],
)
def test_a_long_line_takes_no_more_than_its_length(line):
    """Patterns that try again and again would take hours here, not a second."""
    assert read(line)[1].kept == 0
    assert read(f"1. 11-15 {{{line}\n\n{GOOD}")[1].kept == 1


# ------------------------------------------------------------------ where games begin


def test_tags_without_moves_are_a_game():
    records, report = read('[Event "x"]\n[FEN "B:W6:B1"]\n\n[Event "y"]\n[Black "B"]\n1. 11-15 1-0')
    assert (report.read, report.kept) == (2, 1)
    assert report.reasons == {"no moves": 1}
    assert dict(records[0].tags) == {"Event": "y", "Black": "B"}
    assert records[0].line == 4


@pytest.mark.parametrize("between", ['\n[Black "B"]\n', '[Event "y"]\n', '\n \n[Event "y"]\n'])
def test_tags_that_begin_a_game(between):
    records, report = read(f'[Event "x"]\n{between}1. 11-15 1-0')
    assert (report.read, report.kept) == (2, 1)
    assert len(records[0].tags) == 1


def test_an_empty_line_after_the_tags_or_in_the_moves_begins_none():
    record = one('\n[Event "x"]\n[Site "y"]\n\n\n1. 11-15\n\n23-19\n\n1-0\n')
    assert dict(record.tags) == {"Event": "x", "Site": "y"}
    assert texts(record) == MOVES


@pytest.mark.parametrize(
    "words",
    [
        "as in game 1. 2. 8-11",
        "as in game 1. 2. 8-11 22-17",
        "as in game\n1. 2. 8-11",
        "played 12-10-1841 2. 8-11",
        "Better is 9-14 here 2. 8-11",
        "he said 1. 2. 8-11",
    ],
)
def test_numbers_and_moves_in_plain_words(words):
    assert texts(one(f"1. 11-15 23-19 {words} 1-0\n"))[:3] == [*MOVES, "8-11"]


def test_a_move_among_words_is_one_if_the_game_goes_on_from_there():
    record = one("1. 11-15 oh well 23-19 good grief 2. 8-11 1-0")
    assert texts(record) == [*MOVES, "8-11"]
    assert record.comments == ((1, "oh"), (1, "well"), (2, "good"), (2, "grief"))


def test_a_move_among_words_is_a_word_if_not():
    record = one("1. 11-15 here 22-18 is bad 23-19 2. 8-11 1-0")
    assert texts(record) == [*MOVES, "8-11"]
    assert record.comments == ((1, "here"), (1, "22-18"), (1, "is"), (1, "bad"))


def test_a_move_among_words_that_cannot_be_told():
    records, report = read(f"1. 11-15 23-19 Better is 9-14 here 1-0\n{GOOD}")
    assert [texts(record) for record in records] == [MOVES]
    assert report.reasons == {"a move among plain words": 1}
    assert "'9-14' may be a move, or part of the words" in report.drops[0].detail


def test_comments_after_a_chain_that_is_written_jump_by_jump():
    record = one('[FEN "B:W6,15,32:B1"]\n1. 1x10 {a} 10x19 {b} (x) 32-27 {c} 1-0')
    assert texts(record) == ["1x19", "32-27"]
    assert record.comments == ((1, "a"), (1, "b"), (2, "c"))
    assert record.variations == ((1, "x"),)
    assert one(write_record(record)).comments == record.comments


@pytest.mark.parametrize("head", ["Games of 12-15 May", "Games of 12-15", "Games 11-15 23-19"])
def test_a_heading_is_no_game(head):
    records, report = read(f'{head}\n\n[Event "x"]\n{GOOD}\n{head} {GOOD}')
    assert (report.read, report.kept) == (2, 2)
    assert [texts(record) for record in records] == [MOVES, MOVES]
    assert records[0].tags == {"Event": "x"}


def test_a_broken_first_move_costs_its_own_game_only():
    _, report = read("1. 11-15 23-19\n1. 111-15 23-19\n1. 11-15 23-19\n")
    assert (report.read, report.kept) == (3, 2)
    assert report.drops[0].line == 2


# ------------------------------------------------------------------ moves


@pytest.mark.parametrize("broken", ["1. 1x10x\n19", "1. 1x10\nx19", "1. 1x10 x\n 19", "1\nx10x19"])
def test_a_chain_over_two_lines(broken):
    assert texts(one(f'[FEN "B:W6,15,32:B1"]\n{broken} 32-27 1-0')) == ["1x19", "32-27"]


@pytest.mark.parametrize("broken", ["11\n-15", "11-\n15", "11 -\r\n15", "11-\n\n15"])
def test_a_step_over_two_lines(broken):
    assert texts(one(f"1. {broken} 23-19 1-0")) == MOVES


def test_a_line_that_ends_in_a_number_or_a_move():
    assert texts(one("1. 11-15\n23-19\n2.\n8-11\n3\n")) == [*MOVES, "8-11"]


@pytest.mark.parametrize(
    "broken", ["111-16", "23_19", "223-19", "23-199", "23x", "23-19-188", "23_19!", "23-\n\n("]
)
def test_what_must_have_been_meant_as_a_move(broken):
    _, report = read(f'{GOOD}[A "b"]\n1. 11-15 {broken}) 2. 8-11 1-0\n{GOOD}')
    assert (report.read, report.kept) == (3, 2)
    assert report.reasons == {"a move that cannot be read": 1}
    assert report.drops[0].line == 3
    assert repr(broken.split("\n")[0]) in report.drops[0].detail
    assert "The position is 'W:W21" in report.drops[0].detail


# ------------------------------------------------------------------ results


@pytest.mark.parametrize("tag", ["?", "", "1/2", "Draw", "*", "0-0", "white"])
@pytest.mark.parametrize(("result", "winner"), [("1-0", "black"), ("0-1", "white"), ("1-1", None)])
def test_a_tag_that_says_nothing(tag, result, winner):
    records, report = read(f'[Result "{tag}"]\n1. 11-15 23-19 {result}')
    assert records[0].outcome == Outcome(winner, "as recorded")
    assert not report.notes


@pytest.mark.parametrize(
    "result",
    ["1-0", "0-1", "1-1", "2-0", "0-2", "1/2-1/2", "½-½", "1 - 0", "1\u20130", "1/2 - 1/2"],
)
@pytest.mark.parametrize("after", ["{}", "*", ""])
def test_tags_and_texts_that_say_the_same(result, after):
    records, report = read(f'[Result "{result}"]\n1. 11-15 23-19 {after.format(result)}')
    assert records[0].outcome is not None
    assert not report.notes


def test_half_a_point_in_the_tag_alone():
    assert one('[Result "1/2"]\n1. 11-15 23-19 *').outcome == Outcome(None, "as recorded")


@pytest.mark.parametrize(
    ("result", "winner"),
    [
        ("1 - 0", "black"),
        ("1\u20130", "black"),
        ("0 \u2014 1", "white"),
        ("1/2 - 1/2", None),
        ("1/2\u20131/2", None),
        ("1/2", None),
        ("½", None),
        ("1 -\n0", "black"),
    ],
)
def test_results_with_spaces_and_real_dashes(result, winner):
    records, report = read(2 * f"1. 11-15 23-19 {result}\n")
    assert report.kept == 2
    assert [record.outcome for record in records] == 2 * [Outcome(winner, "as recorded")]
    assert texts(records[1]) == MOVES


@pytest.mark.parametrize(
    "moves", ["1. 11-15 * 23-19", "1. 11-15 23-19 *\n2. 8-11", "11-15 * 23-19"]
)
def test_praise_is_no_result(moves):
    record = one(f"{moves} 1-0\n")
    assert texts(record)[:2] == MOVES
    assert record.outcome.winner == "black"


def test_games_that_end_with_an_asterisk():
    assert read("11-15 23-19 *\n11-15 23-19 *\n")[1].kept == 2
    assert read("1. 11-15 23-19 * 1. 11-15 23-19 *")[1].kept == 2


# ------------------------------------------------------------------ written and read again


def record_with(**parts):
    start = AS_PLAYED.start()
    first = start.read_move("11-15")
    return Record(start, (first, start.play(first).read_move("23-19")), **parts)


VARIATION = "1. 9-13 (9-14 {a ) here} [ 22-17) 2. 6-9! 1/2-1/2"


def test_variations_stay_as_they_were_written():
    record = one(f"1. 11-15 ({VARIATION}) 23-19 (23-18;\n 8-11) *")
    assert record.variations == ((1, VARIATION), (2, "23-18; 8-11"))
    assert one(write_record(record)).variations == record.variations


@pytest.mark.parametrize("comment", ["a } b", "}", "{", "{}", "", "; x", '[Event "x"] 1. 11-15'])
def test_comments_with_signs_in_them(comment):
    record = record_with(comments=((0, comment), (1, comment), (2, comment)))
    assert one(write_record(record)).comments == record.comments


def test_lines_in_a_comment_become_one():
    record = record_with(comments=((1, ' a\n\n1. b\r\n[C "d"]'),))
    assert one(write_record(record)).comments == ((1, 'a 1. b [C "d"]'),)


@pytest.mark.parametrize("text", ["9-13)", "(9-13", "{9-13", ")("])
def test_a_variation_that_could_not_be_read_again(text):
    with pytest.raises(ValueError, match="has brackets or braces that do not match") as caught:
        write_record(record_with(variations=((1, text),)))
    assert repr(text) in str(caught.value)


def test_the_longest_comment_and_variation():
    text = ("z " * MOST_OPEN)[: MOST_OPEN - 1]
    record = one(write_record(record_with(comments=((1, text),), variations=((2, text),))))
    assert record.comments == ((1, text),)
    assert record.variations == ((2, text),)
    for longer in ({"comments": ((1, text + "zz"),)}, {"variations": ((1, text + "zz"),)}):
        with pytest.raises(ValueError, match="65,537 characters; at most 65,536 can be read back"):
            write_record(record_with(**longer))


@pytest.mark.parametrize("n", [-1, 3])
def test_a_comment_where_there_is_no_move(n):
    with pytest.raises(ValueError, match=f"Something is said after move {n} of 2"):
        write_record(record_with(comments=((n, "x"),)))


@pytest.mark.parametrize("value", ["a\nb", "a\r", "\n[Event]"])
def test_a_tag_of_two_lines(value):
    with pytest.raises(ValueError, match=r"The tag Event cannot hold .* on one line"):
        write_record(record_with(tags={"Event": value}))


@pytest.mark.parametrize("name", ["", "a b", 'a"', "a]", "a\n"])
def test_an_odd_name_of_a_tag(name):
    with pytest.raises(ValueError, match=f"{re.escape(repr(name))} is not a tag name"):
        write_record(record_with(tags={name: "x"}))


PIECES = st.lists(
    st.sampled_from(
        ["1-0", "*", "1.", "1/2", "1 - 0", "11-15", '[Event "x"]', "[", "%", ";", "word", "z" * 30]
    ),
    max_size=40,
).map(" ".join)


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=3), PIECES, st.sampled_from(["", "}", "{"]))
def test_anything_said_is_read_again(variations, comment, brace):
    comments = ((0, comment), (1, f"{comment} {brace}".strip()))
    record = record_with(comments=comments, variations=tuple((2, text) for text in variations))
    records, report = read(f"{write_record(record)}\n{GOOD}")
    assert (report.read, report.kept) == (2, 2)
    assert records[0].comments == comments
    assert records[0].variations == record.variations
    assert records[0].moves == record.moves


@settings(max_examples=100)
@given(st.integers(0, 2**32))
def test_good_games_after_noise_are_kept(seed):
    """Whatever stands before it, a game with tags is read, and so are those after it."""
    rng = random.Random(seed)
    noise = " ".join(rng.choices([*"{}()[;*", "1.", "11-15", "1-0", "\n", "so", "8-", '"'], k=30))
    good = f'[Event "x"]\n{GOOD}'
    records, _ = read(f"{noise}\n{good}{good}")
    assert [texts(record) for record in records[-2:]] == [MOVES, MOVES]


def test_lines_of_tokens_that_go_on():
    found = list(tokens(["11\n", "% skipped\n", "-15 (a\n", "b) 8-\n"]))
    assert [(token.line, token.kind, token.text) for token in found] == [
        (3, "move", "11 -15"),
        (3, "variation", "a b"),
        (4, "move", "8-"),
    ]
