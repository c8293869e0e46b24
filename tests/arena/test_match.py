"""Matches: who begins, which seeds, what the counts come to; tournaments and their tables."""

import dataclasses
import json

import numpy as np
import pytest
from arena_doubles import make

from clauseboard.arena.match import (
    Match,
    MatchResult,
    ScoreCounts,
    round_robin,
    run_matches,
    standings,
)
from clauseboard.arena.playing import GameRecord, derived_seed
from clauseboard.arena.reporting import (
    match_page,
    match_text,
    tournament_notes,
    tournament_page,
    tournament_tables,
)
from clauseboard.evaluation import Limit
from clauseboard.game import Ending, load_game

HEX = load_game("hex", size=3)
PLAN = Match(HEX, ("first", "last"), 6)


def record(number, winner, moves=("a1",), reason="so", late=(0, 0), ending=Ending.CONNECTED):
    """A game of PLAN by hand; odd numbers have the colours swapped."""
    swapped = number % 2 == 1
    players = ("last", "first") if swapped else ("first", "last")
    return GameRecord(
        number, players, 1, moves, winner, reason, swapped=swapped, late=late, ending=ending
    )


BY_HAND = MatchResult(
    PLAN,
    (
        record(0, "red", ("a1", "b1")),
        record(1, "red", ("a1", "b1")),
        record(2, "blue", ("a1",)),
        record(3, None, ("a1", "b2"), late=(2, 1)),
        record(4, "red", ("a1", "b1"), late=(0, 5)),
    ),
)


def test_counts_by_hand():
    assert BY_HAND.counts(0) == ScoreCounts(2, 1, 2)
    assert BY_HAND.counts(1) == ScoreCounts(2, 1, 2)
    assert BY_HAND.counts(0, "red") == ScoreCounts(2, 0, 1)
    assert BY_HAND.counts(0, "blue") == ScoreCounts(0, 1, 1)
    assert BY_HAND.counts(1, "red") == ScoreCounts(1, 1, 0)
    assert BY_HAND.counts(1, "blue") == ScoreCounts(1, 0, 2)
    assert BY_HAND.wins_by_colour == {"red": 3, "blue": 1}
    assert BY_HAND.score.score == 0.5
    assert BY_HAND.elo.elo == 0
    assert BY_HAND.average_length == 9 / 5
    assert BY_HAND.late == (1, 7)
    assert BY_HAND.reasons == {"red wins: so": 3, "blue wins: so": 1, "draw: so": 1}


def test_numbers_may_be_those_of_numpy():
    plan = Match(HEX, ("first", "last"), np.int64(6), seed=np.int64(1))
    assert (plan, plan.id) == (PLAN, PLAN.id)


def test_counted_games_end_alike_whatever_their_scores():
    failed = "blue failed with ValueError: one, two"
    games = (
        record(0, "red", reason="two passes, 5 to 4 and komi 0", ending=Ending.SCORE),
        record(1, "red", reason="two passes, 9 to 0 and komi 0", ending=Ending.SCORE),
        record(2, None, reason="9 moves were played, 4 to 4", ending=Ending.MOVE_LIMIT),
        record(3, "red", reason=failed, ending=Ending.FAILURE),
    )
    assert MatchResult(PLAN, games).reasons == {
        "red wins by score": 2,
        "draw by move limit": 1,
        f"broken off: {failed}": 1,
    }
    # Files of older versions have only the sentence.
    older = GameRecord.read(games[0].write().replace('"score"', "null"))
    assert older.ending is Ending.SCORE


def test_games_that_were_played_before_are_noticed():
    # 0 and 4 are the same; 1 has the same moves, but the players have changed places.
    assert BY_HAND.repeats == 1


def test_two_players_without_randomness_play_two_games():
    (result,) = run_matches([dataclasses.replace(PLAN, n_games=10)], make=make)
    assert result.repeats == 8
    text = match_text(result)
    assert "8 of the 10 games are move by move the same as another one" in text
    (itself,) = run_matches([Match(HEX, ("first", "first"), 10)], make=make)
    assert itself.repeats == 9


def test_the_colours_are_swapped_and_openings_come_in_pairs():
    openings = (("b2",), ("a1", "c3"), ())
    plan = Match(HEX, ("seeded", "last"), 8, openings=openings)
    (result,) = run_matches([plan], make=make)
    for number, game in enumerate(result.games):
        assert game.number == number
        assert game.swapped == (number % 2 == 1)
        assert game.players == (("last", "seeded") if game.swapped else ("seeded", "last"))
        opening = openings[number // 2 % 3]
        assert game.moves[: len(opening)] == opening
        assert game.seed == derived_seed(1, number)


def test_the_same_limit_for_both():
    seen = []

    def watched(text, game):
        player = make(text, game)
        choose = player.choose

        def note(position, limit=None):
            seen.append((text, limit))
            return choose(position, limit)

        player.choose = note
        return player

    limit = Limit(depth=3, seconds=20.0)
    run_matches([Match(HEX, ("first", "last"), 2, limit=limit)], make=watched)
    assert set(seen) == {("first", limit), ("last", limit)}


@pytest.mark.parametrize(
    "change",
    [
        {"game": load_game("hex", size=4)},
        {"players": ("last", "first")},
        {"seed": 2},
        {"limit": Limit(depth=1)},
        {"openings": (("a1",),)},
        {"most_moves": 7},
    ],
)
def test_another_match_has_another_id(change):
    assert dataclasses.replace(PLAN, **change).id != PLAN.id


def test_more_games_are_the_same_match():
    assert dataclasses.replace(PLAN, n_games=1000).id == PLAN.id
    assert len(PLAN.id) == 16


def test_another_machine_under_the_same_name_plays_another_match(tmp_path):
    path = tmp_path / "machine.tm"
    path.write_bytes(b"what was learned")

    def plan():
        return dataclasses.replace(PLAN, players=(f"tsetlin:machine={path}", "random"))

    before = plan()
    assert list(before.settings()["files"]) == [str(path)]
    assert plan().id == before.id
    path.write_bytes(b"what was learned since")
    assert plan().id != before.id
    assert PLAN.settings()["files"] == {}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"n_games": 0}, "n_games=0 must be an integer >= 1"),
        ({"n_games": True}, "n_games=True"),
        ({"most_moves": 1.5}, "most_moves=1.5"),
        ({"seed": -1}, "seed=-1 must be an integer >= 0"),
        ({"seed": None}, "seed=None"),
        ({"players": ("one",)}, "two players, not 1"),
        ({"openings": ()}, "A match needs an opening"),
    ],
)
def test_no_match(change, told):
    with pytest.raises(ValueError, match=told):
        dataclasses.replace(PLAN, **change)


def test_the_page_of_a_match():
    page = match_page(BY_HAND, 1.5)
    assert json.loads(json.dumps(page)) == page
    assert page["colours"]["red"] == {"wins": 3, "share": 0.6}
    assert page["results"][0]["by_colour"]["red"] == {"wins": 2, "draws": 0, "losses": 1}
    text = match_text(BY_HAND, 1.5)
    assert "Time taken: 1.50 seconds." in text
    assert "Red won            3 times =  60.00 %" in text
    assert "Drawn              1 times =  20.00 %" in text
    assert "last took far longer than allowed for 7 moves." in text


@pytest.mark.parametrize(
    ("winner", "told"),
    [("red", "since every game was won; more than"), ("blue", "since every game was lost; less")],
)
def test_who_won_or_lost_everything(winner, told):
    result = MatchResult(PLAN, (record(0, winner), record(2, winner)))
    page = match_page(result)
    assert page["elo"]["elo"] is None
    assert told in match_text(result)
    assert json.dumps(page, allow_nan=False)


def test_many_reasons_are_cut_short():
    games = tuple(record(2 * n, "red", reason=f"way {n}") for n in range(12))
    assert "in 4 other ways" in match_text(MatchResult(PLAN, games))


# ---- tournaments


def test_everyone_plays_everyone():
    names = ["first", "last", "seeded"]
    plans = round_robin(PLAN, names)
    pairs = [("first", "last"), ("first", "seeded"), ("last", "seeded")]
    assert [plan.players for plan in plans] == pairs
    assert len({plan.seed for plan in plans}) == 3
    more = round_robin(PLAN, [*names, "slow"])
    assert {plan.id for plan in plans} < {plan.id for plan in more}
    itself = round_robin(PLAN, names, itself=True)
    assert [plan.players for plan in itself].count(("last", "last")) == 1
    assert len(itself) == 6


@pytest.mark.parametrize(
    ("names", "told"), [(["a", "b", "a"], "'a' is there twice"), (["a"], "two players or more")]
)
def test_no_tournament(names, told):
    with pytest.raises(ValueError, match=told):
        round_robin(PLAN, names)


def test_the_tables_of_a_tournament():
    names = ["first", "resigning", "resigning:1", "resigning:2"]
    plans = round_robin(dataclasses.replace(PLAN, n_games=4), names, itself=True)
    found = standings(names, run_matches(plans, make=make))
    # Whoever resigns on his first move loses: red against anyone, blue only if red has moved.
    assert found.counts[0][1] == ScoreCounts(2, 0, 0)
    assert found.counts[1][0] == ScoreCounts(0, 0, 2)
    assert found.counts[1][1] == ScoreCounts(0, 0, 4)
    assert found.counts[2][3] == ScoreCounts(0, 0, 2)
    assert found.counts[3][2] == ScoreCounts(0, 0, 2)
    assert found.counts[0][0].games == 4
    assert found.lengths[0][1] == 1
    assert found.lengths[1][0] == 0
    assert found.total(0) == ScoreCounts(12, 0, 0)
    assert found.total(2) == ScoreCounts(4, 0, 8)
    assert found.ratings[0].elo > 200
    assert found.ratings[1].elo == pytest.approx(found.ratings[2].elo)
    page = tournament_page(found, 2.0)
    assert json.loads(json.dumps(page, allow_nan=False)) == page
    assert page["ratings"][0]["player"] == "first"
    tables = tournament_tables(found)
    assert tables[0].rows[0][0] == tables[1].rows[0][0] == tables[2].rows[0][0] == "1 first"
    assert tables[1].rows[0][1:] == ["4-0", "2-0", "2-0", "2-0"]
    assert tables[2].rows[1][1:] == ["0.0"] * 4
    assert "| 1 first | 4-0 | 2-0 | 2-0 | 2-0 |" in tables[1].as_markdown()
    assert any("gave up" in line for line in tournament_notes(found))


def test_players_that_do_not_meet_themselves_have_a_dash():
    names = ["first", "last"]
    found = standings(names, run_matches(round_robin(PLAN, names), make=make))
    tables = tournament_tables(found)
    assert tables[1].rows[0][1] == tables[2].rows[1][2] == "—"


def test_draws_and_slow_players_are_told():
    found = standings(["first", "last"], [BY_HAND])
    assert tournament_tables(found)[1].rows[0][2] == "2-0-1"
    assert tournament_tables(found)[1].rows[1][1] == "1-1-0"
    assert "first against last: last was far too slow for 7 moves." in tournament_notes(found)
