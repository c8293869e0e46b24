"""Tables of matches: machines that are trained first, games that are counted, sides that swap."""

from __future__ import annotations

import copy
import itertools
from dataclasses import replace

import pytest

from clauseboard.papers import (
    Computed,
    Figure,
    PaperTable,
    Task,
    TaskResult,
    experiment_names,
    load_experiment,
    matches,
)
from clauseboard.papers.boards import Run
from clauseboard.papers.checkers_thesis import (
    MATCH_SIZES,
    PLAYER,
    PUBLISHED_RULE,
    SELF_PLAY,
    blocked,
    match_table,
    predictors,
    won_unless_blocked,
)
from clauseboard.papers.matches import (
    OUR_RULE,
    MatchSide,
    Pairing,
    games_of,
    match_figures,
    percent_of,
    won_by,
)
from clauseboard.papers.runner import perform, run_table
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_task, kept_machine
from clauseboard.tsetlin import TsetlinMachineClassifier
from quick_tables import some_long

QUICK = MATCH_SIZES["quick"]


def result(task):
    return perform([task], None, "cpu")[0][1].result


def done(*winners):
    return TaskResult({"games": [{"winner": w, "reason": "", "moves": 9} for w in winners]})


# ---- machines that are kept -------------------------------------------------------------------


def test_a_kept_machine_is_the_one_that_was_trained(boards, tmp_path):
    plain = fold_task(boards, 2, MachineParameters(20, 40, 9), TrainingSchedule(3))
    kept = fold_task(boards, 2, MachineParameters(20, 40, 9), TrainingSchedule(3), keep=True)
    found = result(kept)
    assert {k: v for k, v in found.items() if k != "machine"} == result(plain)
    assert plain.key != kept.key
    machine = TsetlinMachineClassifier.load(kept_machine(found, tmp_path / "m.tm"))
    test = boards.folds == 2
    assert machine.score(boards.X[test], boards.results[test]) == found["accuracy"]


def test_what_a_task_needs_is_done_first_and_given_to_it(tmp_path):
    def first(tasks, told, device):
        order.append("first")
        return [{"accuracy": 0.5, "seen": task.settings["n"]} for task in tasks]

    def second(tasks, told, device):
        order.append("second")
        return [{"accuracy": sum(given["seen"] for given in task.given) / 100} for task in tasks]

    order = []
    needs = tuple(Task(first, {"n": n}) for n in (3, 4))
    task = Task(second, {}, needs=needs)
    other = Task(second, {}, needs=needs[:1])
    assert len({task.key, other.key, Task(second, {}).key}) == 3
    figures = [Figure("a", "b", None, (task,)), Figure("a", "c", None, (other,))]
    table = PaperTable("x", "1", "nowhere", "test", Computed(lambda run: figures), ("a", "b"))
    page = run_table(table, Run(QUICK), tmp_path / "r")
    assert [figure["ours"]["mean"] for figure in page["figures"]] == [7.0, 3.0]
    assert order == ["first", "first", "second", "second"]
    assert page["tasks"] == 4
    again = run_table(table, Run(QUICK), tmp_path / "r")
    assert again["figures"] == page["figures"]
    assert len(order) == 4, "nothing was done again"


# ---- games ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_games", [1, 10, 25])
def test_a_match_is_as_long_as_told_whatever_the_tasks(n_games):
    tasks = Pairing("checkers", "random", "random").tasks(n_games)
    assert len(tasks) == -(-n_games // matches.GAMES_PER_TASK)
    games = games_of([TaskResult(result(task)) for task in tasks])
    assert len(games) == n_games
    assert len({game["moves"] for game in games}) > 1 or n_games == 1
    assert all(game["winner"] in (0, 1, None) and game["reason"] for game in games)


def test_a_longer_match_begins_with_the_games_of_a_shorter_one():
    short, long = (Pairing("checkers", "random", "random").tasks(n) for n in (20, 30))
    assert [task.key for task in short] == [task.key for task in long[:2]]
    seeds = [Pairing("checkers", "random", "random", seed=n).tasks(5)[0] for n in (1, 2, 3)]
    assert len({str(result(task)) for task in seeds}) == 3


def test_games_count_for_the_player_not_for_the_colour():
    # Who counts pieces three moves deep beats random moves with either colour.
    for lines, winner in (
        (("material:depth=3", "random"), 0),
        (("random", "material:depth=3"), 1),
    ):
        (task,) = Pairing("checkers", *lines, swap=True).tasks(4)
        assert [game["winner"] for game in result(task)["games"]] == [winner] * 4


@pytest.mark.parametrize("parameters", [{"max_moves": 1}, {"max_moves": 6}, {"max_moves": 11}])
def test_parameters_of_the_game_hold(parameters):
    (task,) = Pairing("checkers", "random", "random", parameters=parameters).tasks(3)
    games = result(task)["games"]
    assert {game["moves"] for game in games} == {parameters["max_moves"]}
    assert {game["winner"] for game in games} == {None}


@pytest.mark.parametrize("most", [1, 5, 8])
def test_endless_games_are_drawn(most):
    (task,) = Pairing("checkers", "random", "random", most_moves=most).tasks(2)
    assert all(game["moves"] == most for game in result(task)["games"])


def test_counting_games():
    some = [done(0, 0, 1), done(None, 0)]
    assert percent_of(won_by(0))(some) == [60]
    assert percent_of(won_by(1))(some) == percent_of(won_by(None))(some) == [20]
    pairs = [done(0, 0, 1, None), done(1), done(0, 0), done(0, None, None)]
    assert percent_of(won_by(0), 2)(pairs) == [40, 60]
    figures = match_figures("row", ("a", "b"), (14, 4, 2), ())
    assert [(figure.name, figure.published) for figure in figures] == [
        ("a, %", 70), ("b, %", 20), ("draws, %", 10),
    ]  # fmt: skip
    assert [figure.values(some)[0] for figure in figures] == [60, 20, 20]
    assert [figure.published_games for figure in figures] == [20] * 3
    nothing = match_figures("row", ("a", "b"), None, (), groups=2)
    assert [figure.published for figure in nothing] == [None] * 3
    assert nothing[0].values(pairs) == [40, 60]


def test_blocked_games_are_told_from_others():
    games = [
        {"winner": 0, "reason": "white cannot move"},
        {"winner": 1, "reason": "black has no men left"},
        {"winner": None, "reason": "the same position 3 times"},
    ]
    assert [blocked(game) for game in games] == [True, False, False]
    assert [won_unless_blocked(0)(game) for game in games] == [False, False, False]
    assert [won_unless_blocked(None)(game) for game in games] == [True, False, True]
    assert [won_by(0)(game) for game in games] == [True, False, False]


# ---- the tables of the checkers thesis --------------------------------------------------------


@pytest.fixture(scope="module")
def few():
    """Makes runs of any size, all with the same few boards."""
    known = Run(replace(QUICK, boards=QUICK.boards))

    def run(size=QUICK):
        other = copy.copy(known)
        other.size = replace(size, boards=QUICK.boards)
        return other

    return run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("record")


SMALL = [name for name in experiment_names() if name.startswith(("checkers_4_", "checkers_6_"))]


FAST = ("checkers_4_2", "checkers_4_11", "checkers_6_1", "checkers_6_6", "checkers_6_9")


@pytest.mark.parametrize("name", some_long(SMALL, FAST))
def test_quick_tables(few, folder, name):
    table = load_experiment(name)
    page = run_table(table, few(table.sizes["quick"]), folder / "runs.sqlite")
    rows = {}
    for figure in page["figures"]:
        rows.setdefault(figure["row"], []).append(figure)
    for figures in rows.values():
        assert len({figure["ours"] is None for figure in figures}) == 1
        if name.startswith("checkers_6_") and figures[0]["ours"] and len(figures) == 3:
            assert sum(figure["ours"]["mean"] for figure in figures) == pytest.approx(100)
    assert page["headline"]["ours"] is not None


def test_machines_are_trained_once_for_all_tables(few):
    ((one, two),) = predictors(few())
    assert one.settings["course"]["side"] == "black"
    assert two.settings["course"]["side"] == "white"
    needed = {
        need.key
        for name in SMALL
        for figure in load_experiment(name).contents.figures(few())
        for task in figure.tasks
        for need in task.needs
    }
    assert needed == {one.key, two.key}
    assert all(task.settings["fold"] == 2 and task.settings["keep"] for task in (one, two))


def test_sizes_have_their_games_and_pairs_of_predictors(few):
    for size, n_pairs, n_games in (("quick", 1, 2), ("default", 1, 100), ("full", 10, 1000)):
        groups, tasks, _ = SELF_PLAY.played(few(MATCH_SIZES[size]), (PLAYER, PLAYER), OUR_RULE)
        assert groups == n_pairs
        assert sum(b - a for a, b in (task.settings["numbers"] for task in tasks)) == n_games
        pairs = [tuple(need.key for need in task.needs) for task in tasks]
        assert len(set(pairs)) == n_pairs
        # The games of a pair stand together: a figure has one value for each.
        assert len(list(itertools.groupby(pairs))) == n_pairs


def test_games_are_drawn_by_the_rule_of_the_author_and_by_ours(few):
    figures = load_experiment("checkers_6_2").contents.figures(few())
    assert [figure.row for figure in figures[::3]] == [
        "Player 1 against Player 2", "Player 1 against Player 2, by our draw rule",
    ]  # fmt: skip
    assert [figure.published for figure in figures] == [70, 13, 17, None, None, None]
    published, ours = (figure.tasks[0].settings for figure in figures[::3])
    assert published["parameters"] == {"repetitions": None, "quiet_moves": None}
    assert (published["most_moves"], ours["most_moves"], ours["parameters"]) == (500, 2000, {})
    (task,) = Pairing(
        "checkers", "random", "random", parameters=PUBLISHED_RULE.parameters,
        most_moves=PUBLISHED_RULE.most_moves,
    ).tasks(3)  # fmt: skip
    assert all(game["moves"] <= 500 for game in result(task)["games"])


def test_who_is_not_at_hand_has_no_figure(few, tmp_path):
    table = match_table(
        "9.9", "nowhere", "a test", (MatchSide("nobody", None), MatchSide("random", "random")),
        (1, 2, 0),
        stand_ins={"instead": (MatchSide("some", "random"), MatchSide("random", "random"))},
        swap=True,
    )  # fmt: skip
    page = run_table(table, few(), tmp_path / "r")
    assert [figure["ours"] is None for figure in page["figures"]] == [True] * 3 + [False] * 3
    published = [figure["published"] for figure in page["figures"]]
    assert published == [pytest.approx(100 / 3), pytest.approx(200 / 3), 0, None, None, None]
    assert [figure["difference"] for figure in page["figures"]] == [None] * 6
    assert table.headline == ("instead", "some, %")
    assert page["data"] == [], "no machine plays, so that none was trained"
    from clauseboard.papers.report import as_text

    assert "  none\n" in as_text(page)


def test_a_player_can_be_given_in_the_place_of_who_is_not_at_hand(few, tmp_path):
    run = few()
    run.opponent = "material:depth=1"
    sides = MatchSide("some", "random"), MatchSide("nobody", None)
    instead = MatchSide("some", "random"), MatchSide("random", "random")
    table = match_table(
        "9.9", "nowhere", "a test", sides, (1, 2, 0), stand_ins={"instead": instead}
    )
    page = run_table(table, run, tmp_path / "r")
    assert page["rows"] == {
        "some against nobody": True, "instead": False, "in its place: material:depth=1": False,
    }  # fmt: skip
    given = page["figures"][-3:]
    assert [figure["name"] for figure in given] == ["some, %", "material:depth=1, %", "draws, %"]
    assert [figure["published"] for figure in given] == [None] * 3
    assert all(figure["ours"] for figure in given)
    both = load_experiment("checkers_6_9").contents
    assert both.with_opponent("random") == both.rows, "one player cannot take two places"
