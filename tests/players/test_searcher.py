"""A judge and a search as a player: seeds, limits, one search for each colour, explanations."""

import dataclasses
import re
from dataclasses import dataclass, field

import numpy as np
import pytest

from clauseboard.evaluation import BitEvaluator, Evaluator, Judgements, Limit
from clauseboard.explanation import CERTAIN, TABLE, Explanation, votes_of
from clauseboard.game import load_game
from clauseboard.kernels.evaluators import values_of
from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator
from clauseboard.player import Choice
from clauseboard.players import SearchPlayer, load_player
from clauseboard.players.searcher import searching_player
from clauseboard.players.simple import AlwaysWin
from clauseboard.search import Search, load_search
from clauseboard.search.mcts import Rollouts
from naive.machines import small_game, small_machine

HEX = load_game("hex", size=3)


@dataclass
class Told(Search):
    """Plays the first move, and keeps what it was asked; `line` is how many moves it expects."""

    uses = "either"
    expected: int = 1
    asked: list = field(default_factory=list, init=False)
    begun: int = field(default=0, init=False)

    def find(self, position, evaluator, limit=None, seed=0):
        self.asked.append((position, evaluator, limit, seed))
        line = []
        for _ in range(self.expected):
            if position.outcome() is None:
                line.append(position.moves()[0])
                position = position.play(line[-1])
        return Choice(line[0], 0.5, tuple(line) if self.expected > 1 else ())

    def begin(self):
        self.begun += 1


def searches_of(player):
    return player._searches


def test_each_colour_has_its_own_search_and_seeds():
    player = SearchPlayer(Rollouts(HEX), Told(), "p")
    for colour in HEX.colours:
        player.begin(HEX, colour, 5)
    start = HEX.start()
    reply = start.play(start.moves()[0])
    for position in (start, reply, start, reply):
        player.choose(position)
    red, blue = searches_of(player)["red"], searches_of(player)["blue"]
    assert red is not blue
    assert player.search.asked == []
    assert [p.to_move for p, *_ in red.asked] == ["red", "red"]
    seeds = [seed for *_, seed in red.asked + blue.asked]
    assert len(set(seeds)) == 4
    player.begin(HEX, "red", 5)
    assert (red.begun, blue.begun) == (1, 0)
    player.choose(start)
    assert red.asked[-1][-1] == seeds[0]
    player.begin(HEX, "red", 6)
    player.choose(start)
    assert red.asked[-1][-1] not in seeds


@pytest.mark.parametrize(
    ("own", "given", "within"),
    [
        (None, None, Limit()),
        (Limit(nodes=5), None, Limit(nodes=5)),
        (Limit(nodes=5), Limit(nodes=3), Limit(nodes=3)),
        (Limit(nodes=5), Limit(seconds=1.0), Limit(seconds=1.0, nodes=5)),
    ],
)
def test_a_match_goes_before_the_limit_of_a_player(own, given, within):
    player = SearchPlayer(Rollouts(HEX), Told(), "p", own)
    player.choose(HEX.start(), given)
    assert searches_of(player)["red"].asked[0][2] == within


def test_options_of_a_search_are_its_parameters_and_others_limits():
    player = searching_player(
        HEX, Rollouts, search="breadth_first", options={"depth": 5, "nodes": 7, "seconds": 2}
    )
    assert player.search == load_search("breadth_first", depth=5)
    assert player.limit == Limit(seconds=2, depth=5, nodes=7)
    other = searching_player(
        HEX, Rollouts, search="mcts", options={"search": "full-width"}, usual={"rollouts": 3}
    )
    assert other.search == load_search("full_width")


@pytest.mark.parametrize(
    ("options", "simulations", "rollouts", "limit"),
    [
        ({}, 1000, 20, Limit()),
        ({"simulations": 5}, 5, 20, Limit(simulations=5)),
        ({"search": "mcts", "rollouts": 1, "seconds": 9.0}, 1000, 1, Limit(seconds=9.0)),
    ],
)
def test_what_is_usual_is_no_limit(options, simulations, rollouts, limit):
    player = load_player("rollouts", HEX, **options)
    assert (player.search.simulations, player.search.rollouts) == (simulations, rollouts)
    assert player.limit == limit


def test_an_evaluator_for_each_colour():
    judges = {colour: AlwaysWin(HEX, colour) for colour in HEX.colours}
    player = SearchPlayer(judges, Told(), "p")
    start = HEX.start()
    player.choose(start)
    player.choose(start.play(start.moves()[0]))
    assert searches_of(player)["red"].asked[0][1] is judges["red"]
    assert searches_of(player)["blue"].asked[0][1] is judges["blue"]
    with pytest.raises(ValueError, match="'red' and 'blue'"):
        SearchPlayer({"red": judges["red"]}, Told(), "p")


@pytest.mark.parametrize("expected", [1, 2, 3])
def test_the_end_of_the_expected_line_is_explained(expected):
    game = small_game("hex")
    judge = MachineEvaluator(game, small_machine(game))
    choice = SearchPlayer(judge, Told(expected), "p").choose(game.start())
    assert len(choice.line) == expected
    end = game.start()
    for move in choice.line:
        end = end.play(move)
    explained = choice.explanation
    assert (explained.position, explained.line) == (end, choice.line)
    assert explained.votes == judge.explain(end).votes
    assert choice.explanation is explained


@pytest.mark.parametrize(
    ("value", "over"), [(1.0, True), (0.9, False), (-0.2, False), (-1.0, False), (None, True)]
)
def test_an_end_that_the_search_is_not_sure_of_is_not_what_is_explained(value, over):
    game = load_game("hex", size=4)
    judge = MachineEvaluator(game, small_machine(game))
    position = game.read_position("R.../R..B/R.B./..B. red")
    line = tuple(map(position.read_move, ("b2",)))
    line += (position.play(line[0]).read_move("d1"),)
    line += (position.play(line[0]).play(line[1]).read_move("a4"),)
    choice = Choice(line[0], value, line)
    told = SearchPlayer(judge, Told(), "p").explain(position, choice)
    assert (told.position.outcome() is not None) == over
    assert told.line == (line if over else line[:-1])
    assert bool(told.votes) != over


def test_the_explanation_is_made_when_it_is_asked_for():
    class Counting(Evaluator):
        game = HEX
        asked = 0

        def judge(self, positions):
            return Judgements(np.zeros(len(positions)))

        def explain(self, position):
            self.asked += 1
            return Explanation(position, 0.0, "counting")

    judge = Counting()
    choice = SearchPlayer(judge, Told(), "p").choose(HEX.start())
    assert judge.asked == 0
    assert choice.explanation.judge == "counting"
    assert choice.explanation.line == (choice.move,)
    assert judge.asked == 1


def test_a_finished_game_is_explained_by_the_rules():
    position = load_game("hex", size=2).read_position("R./.B red")
    line = (position.read_move("a2"),)
    judge = Rollouts(position.game)
    explained = SearchPlayer(judge, load_search("alpha_beta")).explain_board(position, line)
    assert explained.value == -1.0  # for blue, who would be to move
    assert "red connected top and bottom" in explained.judge
    assert explained.line == line
    assert explained.is_settled
    assert [line.votes for line in explained.lines] == [-CERTAIN]
    drawn = load_game("checkers", max_moves=1).start()
    player = SearchPlayer(Rollouts(drawn.game), load_search("alpha_beta"))
    assert player.explain_board(drawn, drawn.moves()[:1]).value == 0.0


def test_a_known_ending_is_explained_by_the_table_if_the_search_looks_into_it():
    game = load_game("checkers")
    won, drawn = (game.read_position(text) for text in ("W:WK18,K19:BK1", "W:WK18:BK1"))
    player = load_player("material", game, depth=2)
    choice = player.choose(won)
    account = choice.explanation
    assert choice.value == 1.0
    assert account.value_for("white") == 1.0
    [line] = account.lines
    assert line.concept == TABLE
    assert re.fullmatch(r"White wins in \d+ moves?", line.text)
    assert player.choose(drawn).explanation.lines[0].text == "Drawn with best play"
    without = load_player("material", game, depth=2, endgames=False)
    assert without.choose(won).explanation.lines == ()


def test_what_is_refused():
    player = load_player("always-win", HEX, depth=1)
    with pytest.raises(ValueError, match=r"made for load_game.'hex', size=3., not for"):
        player.begin(load_game("hex", size=4), "red", 0)
    over = load_game("hex", size=1)
    position = over.start().play(over.start().moves()[0])
    with pytest.raises(ValueError, match="no move to choose any more: red wins"):
        load_player("always-win", over, depth=1).choose(position)


class LikesStones(BitEvaluator):
    """The more stones a side has in the middle cells, the better for it."""

    def __init__(self, game, cells):
        self.game = game
        names = {bit.name: k for k, bit in enumerate(game.bits())}
        self.columns = [[names[f"{c} stone at {cell}"] for cell in cells] for c in game.colours]

    def judge_bits(self, bits, sides):
        rows = np.unpackbits(bits, axis=1, bitorder="little").astype(float)
        red, blue = (rows[:, columns].sum(axis=1) for columns in self.columns)
        value = (red - blue) / 5
        return Judgements(np.where(sides == 0, value, -value))


@pytest.mark.parametrize(("opening", "swaps"), [("c3", True), ("a1", False), ("e5", False)])
def test_who_searches_swaps_what_looks_good(opening, swaps):
    """A swap is worth what the board is worth to the other side."""
    game = load_game("hex", size=5, swap=True)
    position = game.start().play(game.start().read_move(opening))
    # All else is worth nothing, so that a strong stone is worth taking over.
    judge = LikesStones(game, ["c3"])
    player = SearchPlayer(judge, load_search("breadth_first", depth=1, confidence=True), "p")
    choice = player.choose(position)
    assert (str(choice.move) == "swap") == swaps
    if not swaps:
        assert str(choice.move) == "c3"
    values = {str(one.move): one.value for one in choice.candidates}
    on = max(value for move, value in values.items() if move != "swap")
    assert values["swap"] == -on
    assert choice.value == max(values.values())
    assert choice.line[0] == choice.move
    assert choice.explanation.value_for("blue") == pytest.approx(choice.value)


@pytest.mark.parametrize("colour", HEX.colours)
def test_always_win_as_data_says_the_same(colour):
    start = HEX.start()
    positions = [start, start.play(start.moves()[0])]
    bits = np.packbits(HEX.encode(positions), axis=1, bitorder="little")
    judge = AlwaysWin(HEX, colour)
    judgements = judge.judge(positions)
    assert judgements.values.tolist() == ([1, -1] if colour == "red" else [-1, 1])
    assert [judgements.winners[k] for k in judgements.predicted()] == [colour, colour]
    by_kernel = values_of(judge.compiled(), bits, np.array([0, 1]))
    assert np.array_equal(by_kernel, judgements.values)


class Counting(Evaluator):
    """Finds every board even, and counts how often it is asked."""

    def __init__(self, game):
        self.game, self.asked = game, 0

    def judge(self, positions):
        self.asked += 1
        return Judgements(np.zeros(len(positions)))


@pytest.mark.parametrize("search", ["alpha_beta", "breadth_first", "mcts"])
def test_a_player_has_searched_before_its_clock_runs(search):
    player = searching_player(HEX, Counting, search=search, options={})
    assert player.evaluators["red"].asked > 0
    assert searches_of(player) == {}


def test_each_evaluator_is_tried():
    player = searching_player(
        HEX, lambda game: {c: Counting(game) for c in game.colours}, search="mcts", options={}
    )
    assert all(player.evaluators[colour].asked for colour in HEX.colours)


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("rollouts", {"rollouts": 0}, "set rollouts to 1 or more"),
        ("rollouts", {"noise": 0.5}, "noise=0.5 is mixed into priors"),
        ("always-win", {"search": "mcts", "scale": 10}, "scale=10 divides votes"),
    ],
)
def test_options_that_do_not_go_together_are_refused_at_once(name, options, told):
    with pytest.raises(ValueError, match=told):
        load_player(name, HEX, **options)


SHOTS = [  # boards of games on which the search of depth 6 ends its line before a shot
    "W:W13,19,21,22,23,25,26,28,30,31,32:B1,2,3,6,7,10,11,12,14,16,24",
    "B:W14,17,20,22,28,29,30,31,32:B1,2,3,4,8,10,11,13,19",
    "B:W14,20,22,24,25,26,28,30:B1,7,9,12,13,15,18",
]


@pytest.mark.parametrize("text", SHOTS)
@pytest.mark.parametrize("depth", [4, 6, 12])
def test_a_board_is_explained_on_which_a_look_ahead_agrees_with_the_judge(text, depth):
    game = load_game("checkers")
    player = load_player("shipped", game)
    position = game.read_position(text)
    choice = player.choose(position, Limit(depth=depth))
    told = choice.explanation
    board, votes = told.position, sum(line.votes for line in told.lines)
    assert told.line == choice.line[: len(told.line)]
    assert told.line + told.ahead == choice.line
    turned = board.to_move != position.to_move
    assert votes == pytest.approx((-1 if turned else 1) * votes_of(choice.chance), abs=1)
    if told.ahead:
        assert not any(move.captured for move in board.moves())
        judged = sum(line.votes for line in told.lines if line.concept != "search")
        judge = player.evaluators[board.to_move]
        look = dataclasses.replace(player.search).find(board, judge, Limit(nodes=50_000))
        assert votes_of(judge.chance(look.value)) == pytest.approx(judged, abs=50 + 1)


def test_a_line_that_ends_before_a_shot_is_not_explained_at_its_end():
    game = load_game("checkers")
    player = load_player("shipped", game)
    cut = [
        bool(player.choose(game.read_position(text), Limit(depth=12)).explanation.ahead)
        for text in SHOTS
    ]
    assert any(cut)
