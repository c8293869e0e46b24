"""Levels: weaker by less search and a softened choice, but never by a gross mistake."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import Counter

import pytest

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.player import Candidate, Choice, chance_of
from clauseboard.players import describe_players, levels, load_player, read_player
from clauseboard.players.levels import (
    ADAPTIVE,
    AROUND,
    JUDGE,
    LEVELS,
    STRONGEST,
    LevelPlayer,
    level_names,
    level_of,
    level_text,
    measured_levels,
    next_around,
    points_of,
)
from clauseboard.players.shipped import cards

GAMES = [load_game("checkers"), load_game("go", size=9), load_game("hex", size=11)]


def each_level():
    return [
        pytest.param(game, name, id=f"{game.name}-{name}")
        for game in GAMES
        for name in LEVELS[game.name]
    ]


def test_every_shipped_player_has_all_levels():
    assert set(LEVELS) == {card.game for card in cards()}
    for game in GAMES:
        names = level_names(game)
        assert (names[0], names[-1]) == ("beginner", STRONGEST)
        assert {"easy", "medium", "hard"} < set(names)
        assert [*LEVELS[game.name]] == [*names[:-1]]
        assert {AROUND, JUDGE} < set(names)


def test_a_level_that_is_none_is_refused():
    with pytest.raises(
        ValueError, match=r"level='grandmaster' is not a level of checkers; .*'beginner'"
    ):
        read_player("shipped:level=grandmaster", GAMES[0])
    assert level_of(GAMES[0], None) is None
    assert level_of(GAMES[0], STRONGEST) is None


def test_levels_are_options_of_the_shipped_player():
    (kind,) = [kind for kind in describe_players(GAMES[0]) if kind.name == "shipped"]
    assert "level" in kind.options
    assert "level=easy" in kind.text
    player = read_player("shipped:level=easy", GAMES[0])
    assert isinstance(player, LevelPlayer)
    assert str(player) == "shipped:level=easy"
    assert not isinstance(read_player("shipped:level=strongest", GAMES[0]), LevelPlayer)


@pytest.mark.parametrize(("game", "name"), each_level())
def test_a_level_searches_no_more_than_it_may_and_never_blunders(game, name):
    level = LEVELS[game.name][name]
    player = load_player("shipped", game, level=name)
    for colour in game.colours:
        player.begin(game, colour, 5)
    position = game.start()
    for _ in range(8):
        choice = player.choose(position, Limit(seconds=60, depth=30, simulations=3000))
        assert choice.cost.depth <= (level.limit.depth or 1000)
        assert choice.cost.simulations <= (level.limit.simulations or 0)
        assert choice.move in position.moves()
        assert choice.line[0] == choice.candidates[0].move == choice.move
        looked_at = [one for one in choice.candidates if one.visits or level.limit.depth]
        most_visited = max(looked_at, key=lambda one: (one.visits, chance_of(one)))
        assert chance_of(choice) >= chance_of(most_visited) - level.most_loss - 1e-9
        points = [points_of(one) for one in choice.candidates]
        assert points[0] >= max(points) - level.most_points
        position = position.play(choice.move)


def test_the_same_seed_draws_the_same_moves():
    game = GAMES[0]

    def played(seed):
        player = load_player("shipped", game, level="beginner")
        for colour in game.colours:
            player.begin(game, colour, seed)
        position, moves = game.start(), []
        for _ in range(6):
            moves.append(player.choose(position).move)
            position = position.play(moves[-1])
        return tuple(moves)

    assert played(1) == played(1)
    assert len({played(seed) for seed in range(5)}) > 1


def drawn(position, candidates, move=None, n=2000, **settings):
    """How often a level draws each of some candidates, given as (move, chance, visits)."""
    player = load_player("shipped", position.game, level="beginner")
    player.level = dataclasses.replace(player.level, **settings)
    made = tuple(Candidate(m, 2 * c - 1, (m,), v, c) for m, c, v in candidates)
    best = next(one for one in made if one.move == (move or made[0].move))
    choice = Choice(best.move, best.value, best.line, made, chance=best.chance)
    found = [player._drawn(position, choice) for _ in range(n)]
    return Counter(None if one is None else one.move for one in found)


def test_a_better_move_is_likelier_and_a_gross_mistake_is_never_drawn():
    position = GAMES[0].start()
    a, b, c = position.moves()[:3]
    counts = drawn(
        position, [(a, 0.6, 0), (b, 0.5, 0), (c, 0.3, 0)], temperature=0.1, most_loss=0.2
    )
    assert set(counts) == {a, b}
    assert counts[a] / counts[b] == pytest.approx(2.718, rel=0.2)


def test_a_move_that_loses_too_many_points_is_never_drawn():
    """Points of accounts: where much is lost already, a man costs little of the chance."""
    position = GAMES[0].start()
    a, b, c = position.moves()[:3]
    candidates = [(a, 0.1, 0), (b, 0.05, 0), (c, 0.02, 0)]
    settings = {"temperature": math.inf, "most_loss": 1.0}
    assert set(drawn(position, candidates, most_points=1.0, **settings)) == {a, b}
    assert set(drawn(position, candidates, most_points=2.0, **settings)) == {a, b, c}


def test_the_beginner_of_checkers_gives_no_man_away():
    game = GAMES[0]
    position = game.read_position("B:W21,22,30:B1,2,14")
    player, moves = load_player("shipped", game, level="beginner"), set()
    for seed in range(30):
        player.begin(game, "black", seed)
        moves.add(position.write_move(player.choose(position).move))
    assert len(moves) > 1
    assert "14-17" not in moves


def test_the_beginner_of_go_hardly_ever_lets_five_stones_die():
    """Of any six moves none costs as little as the one that saves them, but its look is short."""
    game = GAMES[1]
    position = game.start()
    black, white = "C5 D5 E5 F5 G5 D3 F3 G3 H3 C3 H7", "C6 D6 E6 F6 G6 B5 H5 C4 E4 F4 G4"
    for pair in zip(black.split(), white.split(), strict=True):
        for point in pair:
            position = position.play(position.read_move(point))
    player, moves = load_player("shipped", game, level="beginner"), Counter()
    for seed in range(20):
        player.begin(game, "black", seed)
        moves[position.write_move(player.choose(position).move)] += 1
    assert moves["D4"] >= 16


def test_in_a_tree_visits_count_and_moves_without_any_are_left_out():
    position = load_game("hex", size=6).start()
    a, b, c, d = position.moves()[:4]
    candidates = [(a, 0.5, 30), (b, 0.9, 10), (c, 0.5, 0), (d, 0.1, 5)]
    counts = drawn(position, candidates, temperature=0.1, most_loss=0.2)
    assert set(counts) == {a, b}  # b is no better than the move that the search trusts
    assert counts[a] / counts[b] == pytest.approx(3, rel=0.25)


def test_a_pass_is_played_where_the_search_passes_and_nowhere_else():
    position = GAMES[1].start()
    stone, pass_ = position.moves()[0], position.moves()[-1]
    assert pass_.is_pass
    candidates = [(stone, 0.5, 10), (pass_, 0.5, 10)]
    assert set(drawn(position, candidates, n=200)) == {stone}
    assert set(drawn(position, candidates, move=pass_, n=20)) == {None}


@pytest.mark.parametrize(
    ("chance", "around", "level"),
    [
        (0.5, "medium", "medium"),
        (0.61, "medium", "casual"),
        (0.39, "medium", "skilled"),
        (0.9, "beginner", "beginner"),
        (0.1, STRONGEST, STRONGEST),
    ],
)
def test_the_level_that_adapts_steps_up_while_behind_and_down_while_ahead(
    monkeypatch, chance, around, level
):
    game = GAMES[0]
    player = load_player("shipped", game, level=ADAPTIVE, around=around)
    player.begin(game, "black", 4)

    def judged(self, position, limit=None):
        assert limit == LEVELS["checkers"][JUDGE].limit
        return Choice(position.moves()[0], chance=chance)

    monkeypatch.setattr(levels.SearchPlayer, "choose", judged)
    assert player.level_for(game.start()) == level


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_level_that_adapts_plays_the_moves_of_a_level(game):
    """It forgets the last game, and the same seed gives the same moves."""
    player = load_player("shipped", game, level=ADAPTIVE, around="easy")
    begun = []
    for _ in range(2):
        for colour in game.colours:
            player.begin(game, colour, 3)
        position, moves = game.start(), []
        for _ in range(4):
            choice = player.choose(position)
            assert choice.explanation is not None
            assert choice.chance is not None
            moves.append(choice.move)
            position = position.play(choice.move)
        begun.append(moves)
        player.release()
    assert begun[0] == begun[1]


def test_a_fair_first_move_is_that_of_the_level_around():
    game = load_game("hex", size=6, swap=True)
    player = load_player("shipped", game, level=ADAPTIVE, around="easy")
    player.begin(game, "red", 3)
    assert player.level_for(game.start()) == "easy"
    assert player.choose(game.start()).move in game.start().moves()


@pytest.mark.parametrize(
    ("around", "points", "then"),
    [("medium", 0, "skilled"), ("medium", 0.5, "medium"), ("medium", 1, "casual"),
     ("beginner", 1, "beginner"), (STRONGEST, 0, STRONGEST)],
)  # fmt: skip
def test_from_one_game_to_the_next_it_goes_by_the_result(around, points, then):
    assert next_around(GAMES[0], around, points) == then


def test_a_level_to_play_around_must_be_one():
    with pytest.raises(ValueError, match=r"level='grandmaster' is not a level of checkers"):
        read_player("shipped:level=adaptive,around=grandmaster", GAMES[0])


def test_what_was_measured_of_a_level_in_a_sentence(monkeypatch):
    easy = {"board": "checkers", "elo": 210, "below": "beginner", "games": [70, 14, 16]}
    scores = [["easy", 55], ["hard", 45]]
    measured = {
        "beginner": {"board": "checkers", "elo": 0},
        "easy": easy,
        ADAPTIVE: {"board": "checkers", "scores": scores},
    }
    monkeypatch.setattr(levels, "measured_levels", lambda: {"checkers": measured})
    said = [level_text(GAMES[0], name) for name in ("beginner", "easy", ADAPTIVE, "hard")]
    assert said == [
        "The weakest level",
        "210 Elo above beginner; against beginner 70 of 100 games won, 14 drawn",
        "Scores 55 % against easy, 45 % against hard",
        "",
    ]
    assert level_text(GAMES[2], "easy") == ""


def test_a_drawn_move_is_explained():
    game = GAMES[0]
    player = load_player("shipped", game, level="beginner")
    player.begin(game, game.colours[0], 3)
    choice = player.choose(game.start())
    assert choice.explanation is not None
    assert choice.explanation.line[: len(choice.line)] == choice.line


@pytest.mark.parametrize("game", [one for one in GAMES if one.name in measured_levels()], ids=repr)
def test_each_level_beats_the_one_below(game):
    """What was measured, as it is stored: benchmarks/levels.py plays the games."""
    measured = measured_levels()[game.name]
    names = level_names(game)
    for below, name in itertools.pairwise(names):
        won, drawn_, lost = measured[name]["games"]
        assert measured[name]["below"] == below
        assert won + drawn_ + lost == 100
        assert 65 <= won + drawn_ / 2 <= 85
        assert measured[name]["elo"] > measured[below]["elo"]
        assert f"against {below} {won} of 100 games won" in level_text(game, name)
    assert measured[names[0]]["elo"] == 0
    assert level_text(game, names[0]) == "The weakest level"
    assert " % against " in level_text(game, ADAPTIVE)
