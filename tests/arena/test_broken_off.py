"""Games in which a player fails or breaks the rules: decided, played again, or counted apart."""

import json

import pytest
from arena_doubles import Double, make

from clauseboard.arena.match import MOST_REPLAYS, Match, adjudicated, run_matches, standings
from clauseboard.arena.playing import GameRecord, MatchStore, derived_seed, play_game, written_game
from clauseboard.arena.reporting import broken_off_texts, match_page, match_text, tournament_notes
from clauseboard.game import Ending, load_game
from clauseboard.games.solving import truths

HEX = load_game("hex", size=3)
GO = load_game("go", size=3)


class Stumbling(Double):
    """Fails in the first games that it plays, and then no more."""

    def __init__(self, name, game, games=1):
        super().__init__(name, game)
        self.games = games

    def choose(self, position, limit=None):
        if len(self.begun) <= self.games:
            raise RuntimeError("not yet")
        return super().choose(position, limit)


def stumbling(games):
    def made(text, game):
        return Stumbling(text, game, games) if text == "stumbling" else make(text, game)

    return made


def lost_opening():
    """Two moves in Hex after which red, whose turn it is, has lost."""
    start = HEX.start()
    for first in start.moves():
        for second in start.play(first).moves():
            position = start.play(first).play(second)
            if truths(HEX, [position])[0].winner == "blue":
                return (str(first), str(second))
    raise AssertionError


@pytest.mark.parametrize("kind", ["crashing", "nonsense", "nothing", "unready"])
def test_a_player_that_always_fails_wins_and_loses_nothing(kind):
    (result,) = run_matches([Match(GO, (kind, "last"), 4)], make=make)
    assert result.counts(0).games == result.counts(1).games == 0
    assert result.broken_off == (4, 0)
    assert result.replayed == result.adjudicated == 0
    assert {game.replays for game in result.games} == {MOST_REPLAYS}
    assert result.wins_by_colour == {"black": 0, "white": 0}
    assert (result.score.low, result.score.high) == (0, 1)
    told = (
        f"4 games were broken off, since {kind} failed or broke the rules, and counted for nobody."
    )
    assert told in match_text(result)
    assert all(reason.startswith("broken off: ") for reason in result.reasons)
    page = match_page(result)
    assert json.loads(json.dumps(page, allow_nan=False)) == page
    assert [side["broken_off"] for side in page["results"]] == [4, 0]
    notes = tournament_notes(standings((kind, "last"), [result]))
    assert f"{kind} against last: {told}" in notes


def test_who_fails_where_it_was_lost_has_lost():
    plan = Match(HEX, ("crashing", "last"), 1, openings=(lost_opening(),))
    (result,) = run_matches([plan], make=make)
    (game,) = result.games
    assert game.ending is Ending.SOLVED
    assert game.replays == 0
    assert game.reason.endswith("; with best play blue wins")
    assert result.counts(1).wins == 1
    assert result.broken_off == (0, 0)
    assert broken_off_texts(result) == [
        "1 game was broken off where best play loses, and counted as lost."
    ]


def test_who_fails_where_it_was_won_wins_nothing():
    """On the empty board red wins with best play; but it has not done so yet."""
    (result,) = run_matches([Match(HEX, ("crashing", "last"), 1)], make=make)
    assert result.counts(0).games == 0
    assert result.broken_off == (1, 0)


def test_a_game_that_was_broken_off_is_played_again():
    (result,) = run_matches([Match(GO, ("stumbling", "last"), 3)], make=stumbling(2))
    first, second, third = result.games
    assert (first.replays, second.replays, third.replays) == (2, 0, 0)
    assert not first.is_broken_off
    assert first.seed == derived_seed(derived_seed(1, 0), 2)
    assert result.counts(0).games == 3
    assert broken_off_texts(result) == ["1 game was broken off and played again."]


def test_the_second_player_fails_too():
    (result,) = run_matches([Match(GO, ("last", "crashing"), 3)], make=make)
    assert result.broken_off == (0, 3)


def test_it_is_stored(tmp_path):
    plan = Match(GO, ("stumbling", "last"), 1)
    with MatchStore(tmp_path / "games.sqlite") as store:
        run_matches([plan], store=store, make=stumbling(1))
        (kept,) = store.games(plan.id)
    assert kept.replays == 1
    older = json.loads(kept.write())
    del older["replays"]
    assert GameRecord.read(json.dumps(older)).replays == 0


def test_in_a_file_of_games_it_has_no_result():
    plan = Match(GO, ("crashing", "last"), 1)
    (result,) = run_matches([plan], make=make)
    assert "RE[" not in written_game(plan, result.games[0])


def test_other_games_are_left_as_they_are():
    record = play_game(HEX, [make("first", HEX), make("resigning", HEX)])
    assert adjudicated(HEX, record) is record
