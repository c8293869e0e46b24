"""Whole games judged: curves, turning points, and files of PDN and SGF."""

import dataclasses
import json
import random
import re
from xml.etree import ElementTree

import pytest
from explained import GAMES, judge_of

from clauseboard.explaining import report_game
from clauseboard.explaining.game_report import curve, game_page, report_page
from clauseboard.game import Outcome, game_names, load_game
from clauseboard.games.plugins import RECORDS, VOCABULARY
from clauseboard.games.records import Recorded, read_recorded
from clauseboard.html_parts import STYLE
from clauseboard.player import Candidate, Choice, Player
from clauseboard.players import SearchPlayer, load_player
from clauseboard.search import load_search
from naive.machines import small_game

every = pytest.mark.parametrize("name", GAMES)
SUFFIX = {"checkers": ".pdn", "go": ".sgf", "hex": ".sgf"}


def random_game(game, seed=3, most=12):
    draw, positions, moves = random.Random(seed), [game.start()], []
    while positions[-1].outcome() is None and len(moves) < most:
        moves.append(draw.choice(positions[-1].moves()))
        positions.append(positions[-1].play(moves[-1]))
    names = dict(zip(game.colours, ("Ann & <b>", "Bob"), strict=True))
    return Recorded(game, tuple(positions), tuple(moves), positions[-1].outcome(), names)


def written(recorded, path, number=1):

    outcome = recorded.outcome or Outcome(recorded.game.colours[0], "the other gave up")
    text = RECORDS.of(recorded.game).write_game(
        recorded.game, recorded.moves, outcome, recorded.players, "test", number
    )
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


def player_of(name, depth=1):
    return SearchPlayer(judge_of(name), load_search("breadth_first", depth=1, confidence=True))


class Scripted(Player):
    """Plays the last legal move, and says what it is told to of every position."""

    name = "scripted"

    def __init__(self, chances, points=None):
        self.chances, self.score = chances, points or {}

    def choose(self, position, limit=None):
        n, first = position.moves_played, position.to_move == position.game.colours[0]
        chance = self.chances[min(n, len(self.chances) - 1)]
        move = position.moves()[-2]
        points = self.score.get(n)
        candidates = (Candidate(move, 0.0, points=points),)
        value = 2 * (chance if first else 1 - chance) - 1
        return Choice(move, value=value, candidates=candidates)


def test_chances_that_are_lost_bit_by_bit_are_told():
    """Black's chance falls by 4 % with each of its moves: none of them is a turning point."""
    recorded = random_game(load_game("go", size=5), most=16)
    chances = [0.6 - 0.04 * ((n + 1) // 2) for n in range(17)]
    report = report_game(recorded, Scripted(chances), least=0.2)
    assert report.turning_points == ()
    [(slide, turn)] = report.slides
    assert (slide.first, slide.last) == (0, 9)
    assert (slide.before, slide.now) == pytest.approx((0.6, 0.4))
    assert turn.colour == "black"
    assert "black's chance of winning fell from 60 % to 40 %" in report.summary()
    assert report_page(report)["slides"][0]["costliest"] == turn.number + 1
    assert "fell from 60 % to 40 %" in game_page(report)


def test_a_turning_point_is_no_slide():
    recorded = random_game(load_game("go", size=5), most=6)
    report = report_game(recorded, Scripted([0.7, 0.7, 0.7, 0.3, 0.3, 0.3, 0.3]), least=0.2)
    assert [turn.number for turn, _ in report.turning_points] == [2]
    assert report.slides == ()


def test_chances_that_fall_by_the_best_moves_are_no_slide():
    """Every move played is the one that the player would make: only its opinion has changed."""
    positions, moves = [load_game("go", size=5).start()], []
    for _ in range(16):
        moves.append(positions[-1].moves()[-2])
        positions.append(positions[-1].play(moves[-1]))
    recorded = Recorded(positions[0].game, tuple(positions), tuple(moves))
    chances = [0.6 - 0.04 * ((n + 1) // 2) for n in range(17)]
    assert report_game(recorded, Scripted(chances), least=0.2).slides == ()


def test_points_that_are_given_away_are_a_turning_point():
    """The third move costs 3 % of the chance, and eight points."""
    recorded = random_game(load_game("go", size=5), most=6)
    points = {2: 3.0, 3: 5.0, 4: -5.0, 5: 5.0}
    chances = [0.5, 0.5, 0.5, 0.47, 0.47, 0.47, 0.47]
    report = report_game(recorded, Scripted(chances, points), least=0.2)
    assert [turn.number for turn, _ in report.turning_points] == [2]
    assert "and 8.0 points more)" in report.summary()
    assert report_page(report)["moves"][2]["points"] == 8.0


@every
def test_a_report_of_every_game(name):
    recorded = random_game(small_game(name))
    told = []
    report = report_game(recorded, player_of(name), least=0.0, progress=told.append)
    assert len(report.values) == len(recorded.positions)
    assert len(report.turns) == len(recorded.moves)
    assert told[-1] == 1.0
    first = recorded.game.colours[0]
    for n, turn in enumerate(report.turns):
        sign = 1 if turn.colour == first else -1
        assert turn.value_best == sign * report.values[n]
        assert turn.value_played == sign * report.values[n + 1]
        assert turn.cost == (
            0.0 if turn.best == turn.played else max(0.0, turn.value_best - turn.value_played)
        )
    assert report.turning_points
    numbers = [turn.number for turn, _ in report.turning_points]
    assert numbers == sorted(numbers)
    least = min(turn.cost for turn, _ in report.turning_points)
    others = [turn.cost for turn in report.turns if turn.number not in numbers]
    assert len(numbers) < 5 or all(cost <= least for cost in others)
    for turn, comparison in report.turning_points:
        assert comparison.names == (turn.best_text, turn.text)
        assert comparison.colour == turn.colour
        assert sum(effect for effect, _, _ in comparison.parts()) == comparison.lead


def test_colours_of_reports_differ_for_every_kind_of_colour_vision():
    """Who cannot tell red from green still sees how blue a colour is."""
    for style in re.findall(r"--good: #(\w{6}); --bad: #(\w{6})", STYLE):
        good, bad = (int(colour[4:], 16) for colour in style)
        assert good - bad > 100
    assert len(re.findall("--good", STYLE)) == 2 + STYLE.count("var(--good)")


@every
def test_pages_of_reports_are_well_formed_and_escaped(name):
    report = report_game(random_game(small_game(name)), player_of(name), least=0.0)
    html = game_page(report)
    root = ElementTree.fromstring(html.removeprefix("<!DOCTYPE html>"))
    assert "Ann & <b>" in root.find("body/h1").text
    links = {element.get("href") for element in root.iter("a")}
    assert links == {f"#m{turn.number + 1}" for turn, _ in report.turning_points}
    ids = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}
    assert links <= ids
    assert "<script" not in html
    listed = [item for item in root.iter("li") if item.find("small") is not None]
    assert [item.text.endswith("? ") for item in listed] == [t.cost >= 0.1 for t in report.turns]
    drawing = ElementTree.fromstring(curve(report))
    (line,) = [element for element in drawing.iter() if element.tag.endswith("polyline")]
    assert len(line.get("points").split()) == len(report.values)
    circles = [element for element in drawing.iter() if element.tag.endswith("circle")]
    assert len(circles) == len(report.turning_points)
    page = json.loads(json.dumps(report_page(report)))
    assert page["values"] == list(report.values)
    assert [m["move"] for m in page["moves"]] == [turn.text for turn in report.turns]
    assert len(page["turning_points"]) == len(report.turning_points)
    assert report.summary().count("better was") == len(report.turning_points)


@pytest.mark.parametrize(("most", "least"), [(0, 0.0), (1, 0.0), (50, 0.0), (5, 3.0)])
def test_how_many_turning_points_there_are(most, least):
    recorded = random_game(small_game("hex"), most=8)
    report = report_game(recorded, player_of("hex"), most=most, least=least)
    costly = [turn for turn in report.turns if turn.cost > 0 and turn.cost >= least]
    assert len(report.turning_points) == min(most, len(costly))
    if not report.turning_points:
        assert "No move cost enough" in game_page(report)


def test_a_finished_game_ends_with_its_result():
    recorded = random_game(load_game("hex", size=3), most=99)
    report = report_game(recorded, load_player("solver", recorded.game))
    assert abs(report.values[-1]) == 1.0
    assert (report.values[-1] > 0) == (recorded.outcome.winner == "red")
    # A solver knows: its costs are 0, or 2 for a win thrown away.
    assert {turn.cost for turn in report.turns} <= {0.0, 2.0}


def test_a_player_that_says_no_values_is_refused():
    class Silent(Player):
        name = "silent"

        def choose(self, position, limit=None):
            return Choice(position.moves()[0])

    recorded = random_game(load_game("hex", size=3))
    with pytest.raises(ValueError, match="silent gives no values"):
        report_game(recorded, Silent())
    empty = dataclasses.replace(recorded, moves=(), positions=recorded.positions[:1])
    with pytest.raises(ValueError, match="no moves to judge"):
        report_game(empty, load_player("random", recorded.game))
    with pytest.raises(ValueError, match="must be >= 0"):
        report_game(recorded, load_player("random", recorded.game), most=-1)


def test_a_player_with_values_and_no_reasons_is_reported_too():
    class Guess(Player):
        name = "guess"

        def choose(self, position, limit=None):
            return Choice(position.moves()[-1], value=0.5)

    recorded = random_game(load_game("hex", size=3), most=5)
    report = report_game(recorded, Guess())
    assert report.turning_points
    assert all(comparison is None for _, comparison in report.turning_points)
    assert "The judge gives no reasons" in game_page(report)
    assert report_page(report)["turning_points"][0]["comparison"] is None


# ---- files


@every
def test_games_are_read_from_files_whatever_the_game(name, tmp_path):
    path = tmp_path / f"games{SUFFIX[name]}"
    games = [random_game(load_game(name, **({} if name == "checkers" else {"size": 4})), seed)
             for seed in (1, 2)]  # fmt: skip
    for number, recorded in enumerate(games, 1):
        written(dataclasses.replace(recorded, players=dict.fromkeys(recorded.game.colours, "Ann")),
                path, number)  # fmt: skip
    for number, recorded in enumerate(games, 1):
        found = read_recorded(path, number)
        assert found.game.name == name
        assert found.moves == recorded.moves
        assert len(found.positions) == len(found.moves) + 1
        encoded = found.game.encode(found.positions).tolist()
        assert encoded == recorded.game.encode(recorded.positions).tolist()
        assert set(found.players.values()) == {"Ann"}
    with pytest.raises(ValueError, match="has 2 games that can be replayed, not 3"):
        read_recorded(path, 3)
    assert read_recorded(path, 1, game=name).game.name == name


def test_files_that_are_none(tmp_path):
    with pytest.raises(ValueError, match="There is no file"):
        read_recorded(tmp_path / "none.pdn")
    strange = tmp_path / "game.txt"
    strange.write_text("1. e4")
    with pytest.raises(ValueError, match=r"its name ends in \.hsgf or \.pdn or \.sgf"):
        read_recorded(strange)
    broken = tmp_path / "broken.sgf"
    broken.write_text("nonsense")
    with pytest.raises(ValueError, match="no game that can be replayed"):
        read_recorded(broken)
    for name, suffix in (("checkers", "pdn"), ("go", "sgf")):
        example = tmp_path / f"example.{suffix}"
        example.write_text("")
        with pytest.raises(ValueError, match=r"Games are written like “.*”") as told:
            read_recorded(example)
        example.write_text(str(told.value).partition("“")[2].partition("”")[0])
        assert len(read_recorded(example).moves) == len(read_recorded(example, game=name).moves) > 0
    with pytest.raises(ValueError, match="numbered from 1; there is no game 0"):
        read_recorded(broken, 0)


def test_every_game_can_be_read():

    for name in game_names():
        assert name in RECORDS.games()
        assert name in VOCABULARY.games()
