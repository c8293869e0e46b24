"""Files of games: whole ones, careless ones and broken ones."""

import gc
import random
import tracemalloc

import pytest
from checkers_boards import ENDLESS
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import Outcome
from clauseboard.games.checkers.pdn_games import tokens
from clauseboard.games.checkers.records import AS_PLAYED, Archive, Record, write_record

HEAD = '[Event "A match"]\n[Black "Jordan, A."]\n[White "Stewart, R."]\n'


def read(text, **options):
    archive = Archive(text.splitlines(keepends=True), **options)
    return list(archive), archive.report


def one(text, **options):
    records, report = read(text, **options)
    assert report.read == report.kept == 1, str(report)
    return records[0]


def texts(record):
    return [p.write_move(m) for p, m in zip(record.positions(), record.moves, strict=False)]


def test_a_plain_game():
    record = one(HEAD + '[Result "1-0"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0\n')
    assert texts(record) == ["11-15", "23-19", "8-11", "22-17"]
    assert record.tags["White"] == "Stewart, R."
    assert record.outcome == Outcome("black", "as recorded")
    assert record.line == 1
    assert len(list(record.positions())) == 5


@pytest.mark.parametrize(
    ("result", "winner"),
    [("1-0", "black"), ("0-1", "white"), ("2-0", "black"), ("0-2", "white")],
)
def test_who_won(result, winner):
    text = f"1. 11-15 23-19 {result}"
    assert one(text).outcome.winner == winner
    other = "white" if winner == "black" else "black"
    assert one(text, one_zero="white").outcome.winner == other


@pytest.mark.parametrize("result", ["1/2-1/2", "1-1", "½-½"])
def test_a_draw(result):
    assert one(f"1. 11-15 23-19 {result}").outcome == Outcome(None, "as recorded")


@pytest.mark.parametrize("tag", ["2-0", " 1-0 ", "1-0"])
def test_who_won_by_the_tag(tag):
    assert one(f'[Result "{tag}"]\n1. 11-15 23-19').outcome.winner == "black"


def test_a_game_that_stops_early_has_no_result():
    for text in (
        "1. 11-15 23-19 *",
        "1. 11-15 23-19",
        '[Result "*"]\n1. 11-15 23-19 *',
        "1. 11-15 23-19 0-0",
    ):
        record = one(text)
        assert record.outcome is None
        assert len(record.moves) == 2


def test_the_tag_counts_where_the_text_says_something_else():
    records, report = read('[Result "1-0"]\n1. 11-15 23-19 0-1')
    assert records[0].outcome.winner == "black"
    assert report.notes == {"a result that its tag contradicts": 1}
    records, report = read('[Result "*"]\n1. 11-15 23-19 0-1')
    assert records[0].outcome.winner == "white"


def test_a_result_that_the_board_contradicts_is_noted():
    text = '[FEN "B:W6:B1"]\n1. 1x10 {}\n'
    assert read(text.format("0-1"))[1].notes == {"a result that the board contradicts": 1}
    assert not read(text.format("1-0"))[1].notes


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1. 11-15! 23-19?? 2. 8-11!? 22-17*", 4),
        ("1.11-15 23-19 2.8-11 22-17", 4),
        ("1. 11-15\r\n23-19\r\n2. 8-11\r\n22-17\r\n", 4),
        ("1. 11-15 $1 23-19 $14 2. 8-11", 3),
        ("1. 11-15 23-19 8-11 2. 22-17", 4),
        ("11-15 23-19 8-11 22-17", 4),
        ("1. 11x15 23x19 2. 8- 11 22 -17", 4),
        ("1. 11-15 23-19 2. 8-\n11 22-17", 4),
        ("1. 11-15 1... 23-19 2. 8-11 2... 22-17", 4),
        ("1. 11-15 (1. 9-13 22-18 (22-17) 2. 6-9) 23-19", 2),
        ("1. 11-15 {a {nested looking} 23-19", 2),
        ("1. 11-15 ; the rest is 9-13 comment\n23-19", 2),
        ("% 9-13 is not read\n1. 11-15 23-19", 2),
        ("1. 11-15 23-19 and black was tired here 2. 8-11", 3),
        ("1. 11-15 24-20 2. 8-11 28-24 3. 4-8 23-19 4. 15-18 22x15 5. 11x18", 9),
    ],
)
def test_careless_texts(text, moves):
    assert len(one(text).moves) == moves


def test_comments_and_variations_are_kept():
    text = "{first} 1. 11-15 {second\nline} 23-19 (23-18 {why not} 8-11) oh dear 2. 8-11 ; third"
    record, report = read(text)
    assert record[0].comments == (
        (0, "first"),
        (1, "second line"),
        (2, "oh"),
        (2, "dear"),
        (3, "third"),
    )
    assert record[0].variations == ((2, "23-18 {why not} 8-11"),)
    assert report.notes["comments without braces"] == 1


def test_a_chain_written_jump_by_jump_is_one_move():
    setup = '[FEN "B:W6,15,32:B1"]\n'
    assert texts(one(setup + "1. 1x10 10x19 32-27")) == ["1x19", "32-27"]
    assert texts(one(setup + "1. 1x19 32-27")) == ["1x19", "32-27"]
    assert texts(one(setup + "1. 1x10x19 32-27")) == ["1x19", "32-27"]


def test_games_begin_with_tags_after_results_and_at_move_one():
    game = "1. 11-15 23-19"
    many = [
        f"{HEAD}{game} 1-0\n\n{HEAD}{game} 0-1\n",
        f"{HEAD}{game}\n\n{HEAD}{game}\n",
        f"{game} 1-0 {game} 0-1\n",
        f"{game}\n{game}\n",
        f"{game} 1-0 {{so it ended}} {game}\n",
    ]
    for text in many:
        records, report = read(text)
        assert (report.read, report.kept) == (2, 2), text
        assert [len(record.moves) for record in records] == [2, 2]


def test_setups():
    record = one('[SetUp "1"]\n[FEN "W:W18,24,K27:B1,2,K3"]\n1... 24-19 2. 3-7 *')
    assert record.start.to_move == "white"
    assert texts(record) == ["24-19", "3-7"]


@pytest.mark.parametrize("kind", ["21", "21,B,8,8,N1,0"])
def test_game_types_that_are_read(kind):
    assert one(f'[GameType "{kind}"]\n1. 11-15 *').tags["GameType"] == kind


@pytest.mark.parametrize(
    ("text", "line", "reason", "message"),
    [
        ('[GameType "20"]\n1. 32-28 *', 1, "another kind of draughts", "'20'"),
        (HEAD + "1-0", 1, "no moves", ""),
        ('[FEN "B:W:B"]\n1. 11-15 *', 1, "a set-up that cannot be", "no piece on the board"),
        ("1. 11-15 23-19\n2. 8-12 *", 2, "a move that is not legal", "move 3: '8-12' is not legal"),
        ("1. 11-45 *", 1, "a move that cannot be read", "squares are 1 to 32, not 45"),
        ('[FEN "B:W14,15,22,23:B10"]\n10x26', 2, "a move that is ambiguous", "10x17x26 or 10x19"),
        ("1. 11-15\n{never closed 23-19 1-0", 2, "a comment not closed", ""),
        ("1. 11-15 (23-19 *", 1, "a variation not closed", ""),
        ('[FEN "B:W6:B1"]\n1. 1x10 32-27', 2, "a move that is not legal", "the game is over"),
    ],
)
def test_broken_games_are_left_out_and_the_rest_is_read(text, line, reason, message):
    good = f"{HEAD}1. 11-15 23-19 1-0\n\n"
    before = good.count("\n")
    records, report = read(good + text + "\n\n" + good)
    assert (report.read, report.kept, len(records)) == (3, 2, 2)
    drop = report.drops[0]
    assert (drop.line, drop.reason) == (line + before, reason)
    assert message in drop.detail
    assert bool(message) == bool(drop.detail)  # nothing is said twice
    assert report.reasons == {reason: 1}
    more = f": {drop.detail}" if drop.detail else ""
    assert str(drop) == f"line {drop.line}: {reason}{more}"
    assert "3 games read, 2 kept, 1 dropped" in str(report)


@pytest.mark.parametrize("opening", ["(", "{", "( 11-15 {", "{ ( ["])
def test_a_bracket_at_the_start_does_not_swallow_the_file(opening):
    good = f"{HEAD}1. 11-15 23-19 1-0\n\n"
    records, report = read(f"{opening}\n{good}{good}")
    assert (report.read, report.kept) == (3, 2)
    assert report.drops[0].line == 1
    assert [record.tags["Event"] for record in records] == ["A match", "A match"]


def test_what_is_written_before_the_first_game_is_no_game():
    records, report = read(f"Games collected by hand\n\n{HEAD}1. 11-15 23-19 1-0\n")
    assert (report.read, report.kept) == (1, 1)
    assert records[0].line == 3


def test_what_is_accepted_when_not_strict():
    # 15x24 is a jump that black overlooks by playing 8-11.
    text = "1. 11-15 22-18 2. 8-11 18x8 *"
    assert read(text)[1].reasons == {"a move that is not legal": 1}
    loose, report = read("1. 11-15 22-18 2. 8-11 *", strict=False)
    assert report.kept == 1
    assert len(loose[0].moves) == 3
    # What the piece cannot do at all is refused all the same.
    for wrong in ("1. 11-19 *", "1. 23-19 *", "1. 15-19 *", "1. 11-15 23-19 2. 15-11 *"):
        assert read(wrong, strict=False)[1].kept == 0


def test_encodings_and_line_ends(tmp_path):
    file = tmp_path / "games.pdn"
    game = '[White "{}"]\r\n[Result "1-0"]\r\n\r\n1. 11-15 23-19 1-0\r\n\r\n'
    file.write_bytes(
        b"\xef\xbb\xbf"
        + game.format("L'Hoëst").encode()
        + game.format("Möller").encode("latin-1")
        + game.replace("\r\n", "\r").format("Mac").encode()
    )
    archive = Archive(file)
    assert [record.tags["White"] for record in archive] == ["L'Hoëst", "Möller", "Mac"]
    assert [record.line for record in Archive(str(file))] == [1, 6, 11]


MANCHESTER = """\
[Event "Manchester 1841"]
[Date "1841-??-??"]
[Black "Moorhead, W."]
[White "Wyllie, J."]
[Site "Manchester"]
[Result "0-1"]
1. 11-15 24-20 2. 8-11 28-24 3. 9-13 22-18 4. 15x22 25x18 5. 4-8 26-22 6. 10-14
18x9 7. 5x 14 22-18 8. 1-5 18x9 9. 5x14 29-25 10. 11-15 24-19 11. 15x24 25-22 12.
24-28 22-18 13. 6-9 27-24 14. 8-11 24-19 15. 7-10 20-16 16. 11x20 18-15 17. 2-6
15-11 18. 12-16 19x12 19. 10-15 11-8 20. 15-18 21-17 21. 13x22 30-26 22. 18x27
26x17x10x1 0-1
"""


def test_a_game_of_1841_which_white_won():
    """From the Open Checkers Archive: there 0-1 is a win for white, so 1-0 is one for black."""
    record = one(MANCHESTER)
    assert record.outcome.winner == "white"
    assert len(record.moves) == 44
    assert record.moves[-1].path == (26, 17, 10, 1)
    last = list(record.positions())[-1]
    assert ENDLESS.write_position(last) == "B:WK1,8,12,31,32:B3,9,20,27,28"


@settings(max_examples=200)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(MANCHESTER.split()),
            st.sampled_from([*"{}();[]*!$%", "1.", "1-0", "\n", '[Event "x"]\n', "1x", "9-13"]),
            st.text(max_size=5),
        ),
        max_size=60,
    ),
    st.booleans(),
)
def test_nothing_stops_the_reader(words, strict):
    records, report = read(" ".join(words), strict=strict)
    assert report.read == report.kept + report.dropped
    assert len(records) == report.kept
    for record in records:
        assert read(write_record(record), strict=strict)[0][0].moves == record.moves


@pytest.mark.parametrize("strict", [True, False])
def test_a_game_whose_moves_are_all_words_has_none(strict):
    records, report = read('* [Event 22-18 "Manchester', strict=strict)
    assert (records, report.reasons) == ([], {"no moves": 1})


def test_an_archive_can_be_read_twice(tmp_path):
    file = tmp_path / "games.pdn"
    file.write_text("1. 11-15 23-19 1-0\n1. 11-16 1-0\n")
    archive = Archive(file)
    assert list(archive) == list(archive)
    assert archive.report.read == 2


def test_nothing_in_nothing_out():
    assert read("") == ([], Archive([]).report)
    assert read("\n \n")[1].read == 0


def test_wrong_options():
    with pytest.raises(ValueError, match="one_zero='red' must be one of 'black', 'white'"):
        Archive([], one_zero="red")


def test_tags_with_quotes():
    record = one('[Event "The \\"big\\" one"]\n[Site "a "careless" one"]\n1. 11-15 *')
    assert record.tags["Event"] == 'The "big" one'
    assert record.tags["Site"] == 'a "careless" one'


def test_tokens_know_their_lines():
    found = list(tokens(['[A "b"]\n', "1. 11-15 {x\n", "y} 23-\n", "19 hm [ 8-11"]))
    assert [(token.line, token.kind, token.text) for token in found] == [
        (1, "tag", "A"),
        (2, "number", "1"),
        (2, "move", "11-15"),
        (2, "comment", "x y"),
        (4, "move", "23- 19"),
        (4, "word", "hm"),
        (4, "word", "["),
        (4, "move", "8-11"),
    ]


# ------------------------------------------------------------------ written


def random_record(seed, start=None):
    rng = random.Random(seed)
    here = start or AS_PLAYED.start()
    first, moves = here, []
    while here.moves() and len(moves) < 120:
        moves.append(rng.choice(here.moves()))
        here = here.play(moves[-1])
    ended = here.outcome()
    outcome = None if ended is None else Outcome(ended.winner, "as recorded")
    comments = ((0, "to begin with"), (3, "three {moves")) if len(moves) > 3 else ()
    tags = {"Event": 'A "random" game', "Black": "one", "White": "two \\"}
    return Record(first, tuple(moves), outcome, tags, comments, ((2, "9-13 22-17"),))


@pytest.mark.parametrize("one_zero", ["black", "white"])
def test_what_is_written_is_read_back(one_zero):
    for seed in range(30):
        start = None if seed % 3 else ENDLESS.read_position("W:W18,24,K27:B1,2,K3")
        record = random_record(seed, start)
        text = write_record(record, one_zero)
        assert max(map(len, text.splitlines())) <= 79
        again = one(text, one_zero=one_zero)
        assert again.start == record.start
        assert again.moves == record.moves
        assert again.outcome == record.outcome
        assert again.comments == record.comments
        assert again.variations == record.variations
        assert dict(record.tags).items() <= dict(again.tags).items()
        assert again.tags["GameType"] == "21"
        assert write_record(again, one_zero) == text


def test_a_careless_game_is_written_as_it_was():
    record = one("1. 11-15 22-18 2. 8-11 *", strict=False)
    assert one(write_record(record), strict=False).moves == record.moves


@pytest.mark.parametrize("times", [12, pytest.param(40, marks=pytest.mark.long)])
def test_memory_does_not_grow_with_the_file(times):
    text = "".join(write_record(random_record(seed)) + "\n" for seed in range(3))

    def lines(times):
        for _ in range(times):
            yield from text.splitlines(keepends=True)

    def peak(times):
        tracemalloc.start()
        kept = 0
        for _ in Archive(lines(times)):
            kept += 1
            if kept % 6 == 0:
                gc.collect()  # Python keeps freed tuples for later, which is not ours to count
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert kept == 3 * times
        return most

    peak(1)
    bound = 1.2 * peak(4) + 20_000
    # Other threads of a test process allocate now and then; an archive that grows does each time.
    assert any(peak(times) < bound for _ in range(3))
