"""Hints, marks and reasons: what the judge says, to whom, and when."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import time

import pytest
from web_doubles import Seat, client_of, run_apart

from clauseboard.explaining.questions import explain_move
from clauseboard.explanation import Explanation
from clauseboard.game import load_game
from clauseboard.games.solving import exact_words
from clauseboard.play import Mistake
from clauseboard.player import Candidate, Choice
from clauseboard.players import read_player
from clauseboard.web import models
from clauseboard.web.board_view import candidates_of
from clauseboard.web.judging import MOST_QUESTIONS, GameJudge
from clauseboard.web.opponents import TWO_PEOPLE, Opponent
from clauseboard.web.settings import Settings
from clauseboard.web.web_game import Analysis, WebGame
from naive.machines import GAMES, small_game, small_machine


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """Files of small machines, one a game."""
    folder = tmp_path_factory.mktemp("machines")
    for name in GAMES:
        small_machine(small_game(name)).save(folder / f"{name}.tm")
    return {name: f"tsetlin:machine={folder / name}.tm,depth=1" for name in GAMES}


@pytest.fixture(scope="module")
def client(machines, data_folder):
    settings = Settings(data=data_folder / "judging", workers=2, players=tuple(machines.values()))
    with client_of(settings) as client:
        yield client


def seat_of(client, name, **wish):
    own = {name: f"own-{n}" for n, name in enumerate(GAMES, 1)}
    wish = {"opponent": own[name], "seconds": 0.2, **wish}
    return Seat(client, game=name, settings=GAMES[name], **wish)


def told(answer, status):
    assert answer.status_code == status, answer.text
    return answer.json()["detail"]


@pytest.mark.parametrize("name", GAMES)
def test_reasons_add_up(client, name):
    seat = seat_of(client, name)
    seat.play()
    seat.play()
    for about in ("own", "opponent", "position"):
        answer = seat.ask("why", about=about, study=True)
        assert answer.status_code == 200, answer.text
        why = models.Why.model_validate(answer.json())
        colour = why.about.colour
        listed = sum(one.votes for one in (*why.for_, *why.against))
        rest = why.weaker.for_.votes + why.weaker.against.votes
        votes = {one.winner: one.votes for one in why.votes}
        (other,) = {*seat.state["colours"]} - {colour}
        assert listed + rest == votes.get(colour, 0) - votes.get(other, 0)
        assert all(one.votes > 0 for one in why.for_)
        assert all(one.votes < 0 for one in why.against)
        cells = {cell["id"] for cell in client.get("/api/board", params={
            "game": name, **GAMES[name]}).json()["cells"]}  # fmt: skip
        for reason in (*why.for_, *why.against, *why.draw):
            assert {one.cell for one in (*reason.needed, *reason.forbidden)} <= cells
            assert reason.sentence
            assert set(reason.cells) <= cells
        assert set(why.shares) <= cells
        assert all(-1 <= share <= 1 for share in why.shares.values())
        assert round(sum(line.points for line in why.lines), 2) == why.verdict.total
        for line in why.lines:
            if line.clauses:
                assert round(sum(clause.points for clause in line.clauses), 2) == line.points
            assert set(line.cells) <= cells
        assert why.headline.endswith(".")
        assert 0 <= why.chance_after <= 1
        assert why.stands
        assert why.judge.readable
        assert why.line_said.endswith(f"{' '.join(why.line)}.")


def test_why_is_what_the_player_itself_says(client, machines):
    seat = seat_of(client, "checkers")
    seat.play("11-15")
    why = models.Why.model_validate(seat.ask("why", about="own", ply=0).json())
    game = small_game("checkers")
    player = read_player(machines["checkers"], game)
    start = game.start()
    choice = player.choose(start)
    account = explain_move(player, start, start.read_move("11-15"), choice)
    found: Explanation = account.explanation
    assert why.line == list(account.line)
    assert why.value_before == pytest.approx(choice.value)
    assert {one.winner: one.votes for one in why.votes} == found.votes
    assert why.shares == pytest.approx(account.heat)
    expected = [account.pattern(one) for one in account.arguments if account.speaks_for(one)]
    assert [one.sentence for one in why.for_] == expected[:8]
    assert why.weaker.for_.count == max(0, len(expected) - 8)


def test_the_machine_is_judged_only_after_the_answer(client):
    seat = seat_of(client, "hex", colour="second")
    said = told(seat.ask("why", about="opponent"), 409)
    assert said == "Answer first: in play, a move is explained when you have answered it."
    assert seat.ask("why", about="opponent", study=True).status_code == 200
    assert told(seat.ask("why", about="position", ply=0), 409) == said
    assert told(seat.ask("why-not", ply=0, move="a1"), 409) == said
    assert seat.ask("why", about="position").status_code == 200
    seat.play()
    assert seat.ask("why", about="opponent", ply=0).status_code == 200
    assert told(seat.ask("why", about="opponent", ply=2), 409) == said
    seat.ask("resign")
    assert seat.ask("why", about="opponent", ply=2).status_code == 200


def test_questions_about_moves_that_are_none(client):
    seat = seat_of(client, "hex")
    assert "no move of yours yet" in told(seat.ask("why", about="own"), 409)
    assert "no move of tsetlin" in told(seat.ask("why", about="opponent"), 409)
    assert "no position 3" in told(seat.ask("why", about="position", ply=3), 404)
    assert "no position 3" in told(seat.ask("why-not", ply=3, move="a1"), 404)
    seat.play()
    assert "is not a move of yours" in told(seat.ask("why", about="own", ply=1), 404)
    assert "is not a move" in told(seat.ask("why", about="opponent", ply=0, study=True), 404)
    assert told(seat.ask("why", about="nothing"), 422).startswith("about: ")
    assert told(seat.ask("why", ply=-1), 422).startswith("ply: ")


def test_of_many_questions_at_once_the_newest_are_answered():
    rules = load_game("hex", size=3)
    judge = Opponent("judge", "Judge", "", line="random")
    game = WebGame("x", rules, TWO_PEOPLE, "red", judge=judge)
    move = rules.start().moves()[0]

    class Slow:
        async def ask(self, *_):
            await self.all_asked.wait()
            return Choice(move, 0.0)

    async def ask_often():
        client = Slow()
        client.all_asked = asyncio.Event()
        asked = GameJudge(client, None)
        questions = [asyncio.ensure_future(asked.hint(game)) for _ in range(MOST_QUESTIONS + 3)]
        await asyncio.sleep(0)
        client.all_asked.set()
        answers = await asyncio.gather(*questions, return_exceptions=True)
        assert asked.questions == {}
        return answers

    answers = run_apart(ask_often())
    assert [getattr(answer, "status", 200) for answer in answers] == [503] * 3 + [200] * 4
    assert "Newer questions" in str(answers[0])


@pytest.fixture
def taken_back():
    """A judge, and a game of one move that is taken back while the judge thinks about it."""
    rules = load_game("hex", size=3)
    game = WebGame("x", rules, TWO_PEOPLE, "red", judge=Opponent("judge", "Judge", "", "random"))
    game.play("b2")

    class Undoing:
        async def ask(self, task, arguments, *_):
            if game.ply:
                game.undo()
            return Choice(arguments["position"].moves()[0], 0.0)

    return GameJudge(Undoing(), lambda game: None), game


def test_a_move_that_is_taken_back_while_another_is_tried(taken_back):
    judge, game = taken_back
    answer = run_apart(judge.try_move(game, models.TryRequest(ply=0, move="c3")))
    assert (answer.tried.move, answer.played.move) == ("c3", "b2")


def test_an_analysis_of_moves_that_are_taken_back_ends(taken_back):
    judge, game = taken_back
    game.analysis = Analysis(done=1)
    run_apart(judge.analyse(game, game.analysis))
    assert not game.analysis.running


def test_why_not(client):
    seat = seat_of(client, "checkers")
    hint = models.Hint.model_validate(seat.ask("hint").json())
    assert hint.path
    assert hint.move in hint.text
    assert hint.move in [move["text"] for move in seat.state["legal"]]
    assert hint.line[0] == hint.move
    assert len(hint.line) == len(hint.line_paths)
    assert "is what the judge would play" in told(seat.ask("why-not", move=hint.move), 422)
    other = next(m["text"] for m in seat.state["legal"] if m["text"] != hint.move)
    found = models.WhyNot.model_validate(seat.ask("why-not", move=other).json())
    assert (found.better.move, found.yours.move) == (hint.move, other)
    assert sum(one.votes for one in found.differences) == found.lead or len(found.differences) == 16
    assert found.colour == "black"
    assert hint.move in found.text
    assert other in found.text
    assert "not legal" in told(seat.ask("why-not", move="1-32"), 422)


def test_a_hint_is_the_judges(client):
    seat = seat_of(client, "checkers", judge="shallow", opponent="random")
    assert seat.state["judge"]["id"] == "shallow"
    hint = models.Hint.model_validate(seat.ask("hint").json())
    assert hint.judge.id == "shallow"
    assert hint.candidates
    assert "One move ahead would play" in hint.text


def test_who_judges_if_nobody_is_named(client):
    assert seat_of(client, "checkers").state["judge"]["id"] == "own-1"
    listed = client.get("/api/opponents", params={"game": "checkers", **GAMES["checkers"]}).json()
    first = next(one["id"] for one in listed if one["judges"])
    for opponent in ("person", "random"):
        assert seat_of(client, "checkers", opponent=opponent).state["judge"]["id"] == first


def test_a_judge_without_reasons_says_so(client):
    seat = seat_of(client, "hex", judge="random", opponent="random")
    why = seat.ask("why", about="position")
    assert why.status_code == 200
    found = models.Why.model_validate(why.json())
    assert found.said_by.startswith("chance")
    assert not found.for_
    assert not found.judge.readable


def test_a_mistake_is_marked(client):
    # Black gives a man away: white takes it, and is not taken back.
    board = {"text": "B:W21,22,30:B1,2,14"}
    seat = seat_of(
        client, "checkers", opponent="person", judge="material", marks=True, position=board
    )
    legal = [move["text"] for move in seat.state["legal"]]
    assert "14-17" in legal
    seat.play("14-17")
    state = seat.settle(lambda state: state["moves"][0]["mark"] is not None)
    mark = Mistake(**state["moves"][0]["mark"])
    assert mark.better != "14-17"
    assert mark.loss > 0
    better = f"Material counter would have played {mark.better}, whose chance is "
    assert mark.text.startswith(better)
    # A move that is as good as any bears no mark, and a mark is no reason to refuse a move.
    seat.play()


def test_the_best_move_bears_no_mark(client):
    seat = seat_of(client, "checkers", opponent="random", judge="shallow", marks=True)
    hint = seat.ask("hint").json()
    seat.play(hint["move"])
    seat.play()
    assert seat.state["moves"][0]["mark"] is None


def test_an_answer_that_the_judge_would_have_played_too_is_the_best_move(client):
    """No mark by what it lost stands beside it, whatever a later look makes of the board."""
    board = {"text": "B:W21,30:B1,2,14"}
    seat = seat_of(
        client, "checkers", opponent="random", judge="material", marks=True, position=board
    )
    seat.play("14-17")  # white can only take the man
    seat.settle(lambda state: state["chances"][1:] and None not in state["chances"])
    assert [move["best"] for move in seat.state["moves"]] == [False, True]


def test_marks_that_nobody_wants(client):
    board = {"text": "B:W21,22,30:B1,2,14"}
    seat = seat_of(client, "checkers", opponent="person", judge="shallow", position=board)
    seat.play("14-17")
    seat.play()
    assert [move["mark"] for move in seat.state["moves"]] == [None, None]


def test_a_pass_that_ends_the_game_bears_no_mark(client):
    """What it is worth hangs on which stones both sides call dead, and not on the rules alone."""
    seat = Seat(
        client,
        game="go",
        settings={"size": 4, "komi": 0.5},
        opponent="person",
        judge="rollouts",
        seconds=0.2,
        marks=True,
    )
    for move in ("B2", "C3", "A1", "pass", "D1", "B3", "pass", "pass"):
        seat.play(move)
    # Dead stones are named a little after the end.
    seat.settle(lambda state: state["outcome"]["winner"] == "black")
    why = models.Why.model_validate(seat.ask("why", about="own", ply=7, study=True).json())
    assert why.value_after < why.value_before - 0.25, "by the rules alone it is a mistake"
    time.sleep(0.5)  # a mark is made of the same answers
    assert seat.wait()["moves"][7]["mark"] is None


@pytest.mark.parametrize(("name", "judge"), [("checkers", "material"), ("hex", "rollouts")])
def test_a_move_is_worth_the_same_wherever_that_is_told(client, name, judge):
    seat = seat_of(client, name, opponent="person", judge=judge, marks=True)
    best = seat.ask("hint").json()["move"]
    for move in [one["text"] for one in reversed(seat.state["legal"]) if one["text"] != best]:
        seat.play(move)
        why = models.Why.model_validate(seat.ask("why", about="own", ply=0).json())
        candidates = {one.move: one for one in why.candidates}
        if move in candidates:
            assert candidates[move].value == why.value_after
            assert not candidates[move].at_most
        not_it = models.WhyNot.model_validate(seat.ask("why-not", ply=0, move=move).json())
        assert (not_it.yours.value, not_it.better.value) == (why.value_after, why.value_before)
        again = models.Why.model_validate(seat.ask("why", about="own", ply=0).json())
        assert again.candidates == why.candidates
        assert (again.value_before, again.value_after) == (why.value_before, why.value_after)
        if why.value_before - why.value_after > 0.25:
            mark = seat.settle(lambda state: state["moves"][0]["mark"])["moves"][0]["mark"]
            assert mark["loss"] == pytest.approx(why.value_before - why.value_after, abs=0.001)
            assert mark["better"] == why.better
            break
        seat.ask("undo")
        seat.wait()


def test_moves_are_listed_by_their_chances(client):
    """Also once the value of the move that was played is known better than when it was listed."""
    position = {"text": "B:W21,22,26,30,31,32:B1,2,3,4,13,14"}
    wish = {"opponent": "person", "judge": "material", "marks": False, "position": position}
    seat = seat_of(client, "checkers", **wish)
    seat.play("14-18")  # gives a man away
    why = models.Why.model_validate(seat.ask("why", about="own", ply=0).json())
    chances = [one.chance for one in why.candidates]
    assert "14-18" in [one.move for one in why.candidates]
    assert min(chances) < max(chances)
    assert chances == sorted(chances, reverse=True)
    assert why.candidates[0].move == why.better


def test_a_tree_search_lists_by_visits_and_other_searches_by_chance():
    start = load_game("hex", size=4).start()
    moves = start.moves()[:4]

    def listed(visits):
        worth = zip(moves, (0.2, -0.4, 0.1, 0.15), visits, strict=True)
        made = tuple(Candidate(move, value, (move,), n) for move, value, n in worth)
        choice = Choice(made[0].move, 0.2, made[0].line, made)
        return [one.value for one in candidates_of(start, choice)]

    assert listed([50, 40, 30, 20]) == [0.2, -0.4, 0.1, 0.15]
    assert listed([0] * 4) == [0.2, 0.15, 0.1, -0.4]


def test_values_that_are_bounds_say_so():
    game = load_game("checkers")
    start = game.start()
    choice = read_player("material:depth=5", game).choose(start)
    exact = read_player("material:depth=5,every_move=true", game).choose(start)
    values = {start.write_move(one.move): one.value for one in exact.candidates}
    told_of = candidates_of(start, choice)
    assert not told_of[0].at_most
    assert any(one.at_most for one in told_of)
    for one in told_of:
        if one.at_most:
            assert values[one.move] <= one.value + 1e-9
        else:
            assert len(one.line) > 1
    assert not any(one.at_most for one in candidates_of(start, exact))


# ------------------------------------------------------------------ endgame tables


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("W:WK32,K31:BK1", "White wins in 17 moves."),
        ("W:W12:B3", "Black wins in 1 move."),
        ("W:WK32:BK1", "Drawn with best play."),
    ],
)
def test_where_the_tables_know_the_end_hints_and_reasons_say_it(client, position, words):
    seat = Seat(
        client, game="checkers", settings={}, position={"text": position}, colour="white",
        opponent="material", seconds=0.2,
    )  # fmt: skip
    hint = models.Hint.model_validate(seat.ask("hint").json())
    assert hint.text.endswith(f" would play {hint.move}. {words}")
    why = models.Why.model_validate(seat.ask("why", about="position").json())
    assert why.exact == words


def test_a_verdict_on_a_move_is_about_the_board_after_it(client):
    seat = Seat(
        client, game="checkers", settings={}, position={"text": "W:WK7:B12"}, colour="white",
        opponent="material", seconds=0.2,
    )  # fmt: skip
    seat.ask("hint")
    seat.play("7-2")  # 7-3 and 7-11 would have won
    why = models.Why.model_validate(seat.ask("why", about="own", ply=0, study=True).json())
    rules = load_game("checkers")
    after = rules.read_position("W:WK7:B12")
    after = after.play(after.read_move("7-2"))
    assert why.exact == exact_words(after)
    assert why.exact in ("Drawn with best play.", "White wins in 3 moves.")


CONNECTED = "......../...R..../......../..R...../......../.R....../......../B.....BB red"


@pytest.mark.parametrize(
    ("settings", "position", "judge", "words"),
    [
        ({"size": 3}, ".../.R./... blue", "rollouts", "Red wins in 2 moves."),
        ({"size": 4}, "..R./..../.B../.... red", "rollouts", "Blue wins in 4 moves."),
        ({"size": 8}, CONNECTED, "shipped", "Red wins with best play."),
    ],
)
def test_who_wins_in_hex_is_told_by_the_solver_or_a_proof(client, settings, position, judge, words):
    seat = Seat(
        client, game="hex", settings=settings, position={"text": position}, opponent="random",
        colour=position.split()[1], judge=judge, seconds=0.2, marks=True,
    )  # fmt: skip
    hint = models.Hint.model_validate(seat.ask("hint").json())
    assert hint.text.endswith(f" would play {hint.move}. {words}")
    why = models.Why.model_validate(seat.ask("why", about="position").json())
    assert why.exact == words
    assert client.get(f"{seat.url}/at/0").json()["exact"] == words
    seat.play(hint.move)
    seat.settle(lambda state: None not in state["chances"])
    assert seat.state["chances"][0] == words.startswith("Red")
    assert seat.settle(lambda state: state["exact"])["exact"].endswith(("move.", "moves.", "play."))


def test_on_a_solved_board_every_chance_is_certain_and_marks_are_right(client):
    """No chance is guessed beside others that are known: the graph would show mistakes."""
    seat = Seat(
        client, game="hex", settings={"size": 4}, opponent="rollouts", seconds=0.1, marks=True,
    )  # fmt: skip
    for _ in range(3):
        seat.play()
    state = seat.settle(lambda state: state["outcome"] or None not in state["chances"][:-1])
    known = [chance for chance in state["chances"] if chance is not None]
    assert set(known) <= {0.0, 1.0}
    assert len(known) >= 6
    for move, before, after in zip(state["moves"], known, known[1:], strict=False):
        assert move["mark"] is None or before != after


def test_the_only_move_is_the_best_one(client):
    """Whatever the judge thinks of the board after it, nothing was lost by it."""
    seat = Seat(
        client, game="checkers", settings={}, position={"text": "B:W15,32,31,30,29:B11,1,2,3,4"},
        colour="black", opponent="shallow", seconds=0.1, marks=True,
    )  # fmt: skip
    seat.play("11x18")
    state = seat.settle(lambda state: state["moves"][0]["best"])
    assert state["moves"][0]["mark"] is None


def test_where_no_table_tells_there_are_no_exact_words(client):
    seat = seat_of(client, "checkers")
    hint = models.Hint.model_validate(seat.ask("hint").json())
    assert re.search(r": \d+ % for \w+\.", hint.text)
    why = models.Why.model_validate(seat.ask("why", about="position").json())
    assert why.exact is None


def test_chances_are_found_while_the_person_thinks(client):
    seat = Seat(client, game="checkers", settings={}, opponent="shallow", seconds=0.1, marks=True)
    seat.play()
    state = seat.settle(lambda state: None not in state["chances"])
    assert len(state["chances"]) == 3
    assert all(0 <= chance <= 1 for chance in state["chances"])
    # The answer to a hint is there already.
    assert seat.ask("hint").json()["chance"] == pytest.approx(state["chances"][2], abs=1e-4)


def test_the_end_of_a_game_is_certain(client):
    seat = Seat(client, settings={"size": 3}, opponent="person")
    for move in ("a1", "b1", "a2", "b2", "a3"):
        seat.play(move)
    assert seat.state["chances"] == [None] * 5 + [1.0]


def test_moves_that_a_tree_search_hardly_looked_at_are_not_listed():
    start = load_game("hex", size=4).start()
    visits = [100, 40, 2, 1, 0]
    made = [
        Candidate(move, 0.1, (move,), n) for move, n in zip(start.moves(), visits, strict=False)
    ]
    choice = Choice(made[0].move, 0.1, made[0].line, tuple(made))
    assert [one.visits for one in candidates_of(start, choice)] == [100, 40, 2]
    plain = [dataclasses.replace(one, visits=0) for one in made]  # a search that counts none
    choice = dataclasses.replace(choice, candidates=tuple(plain))
    assert len(candidates_of(start, choice)) == 5


@pytest.mark.parametrize(
    ("game", "position", "moves", "captured"),
    [
        ("checkers", "B:W6,14,23,32:B2,12", ["2x27"], {"black": 3, "white": 0}),
        ("go", "wb.../...../...../...../..... black", ["A4"], {"black": 1, "white": 0}),
        ("hex", None, ["a1"], {}),
    ],
)
def test_captured_pieces(client, game, position, moves, captured):
    wish = {"position": {"text": position}} if position else {}
    size = {"go": {"size": 5}, "hex": {"size": 4}}.get(game, {})
    seat = Seat(client, game=game, settings=size, opponent="person", **wish)
    for move in moves:
        seat.play(move)
    assert seat.state["captured"] == captured
