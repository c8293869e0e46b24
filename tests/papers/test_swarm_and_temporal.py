"""The tables of the swarm thesis and of the temporal report: learners that teach themselves."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.learners.swarm.network import load_network
from clauseboard.learners.swarm.swarm import SwarmOptions
from clauseboard.papers import (
    Task,
    TaskResult,
    experiment_names,
    load_experiment,
    swarm_thesis,
    temporal_report,
)
from clauseboard.papers.boards import Run
from clauseboard.papers.matches import curve, figure_after, learn, learning_task
from clauseboard.papers.report import as_html, as_text
from clauseboard.papers.runner import run_table
from clauseboard.papers.swarm_thesis import (
    RESULTS,
    SIZES,
    THESIS,
    player_line,
    seconds,
    swarm_options,
)
from clauseboard.papers.temporal_report import training_tasks
from clauseboard.papers.training import kept_machine
from clauseboard.players import read_player
from quick_tables import some_long

TABLES = [n for n in experiment_names() if n.startswith(("swarm_", "temporal_"))]
PLOTTED = ("swarm_section_10_3", "temporal_section_4", "temporal_section_5")
SMALL = {"rounds": 2, "particles": 4, "games": 4, "hidden": 2}


def nobody(*_):
    """Hears of epochs, and does nothing."""


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    return tmp_path_factory.mktemp("runs") / "runs.sqlite"


FAST = ("swarm_figure_1", "swarm_section_10_3", "temporal_section_5")


@pytest.mark.parametrize("name", some_long(TABLES, FAST))
def test_quick_tables(record, name):
    table = load_experiment(name)
    page = run_table(table, Run(table.sizes["quick"]), record)
    text = as_text(page)
    assert text.startswith("No data set was needed.\nSize: quick, not as published: ")
    assert "boards" not in text.splitlines()[1]
    assert page["headline"]["ours"] is not None
    assert table.document in as_html(page)
    assert len(page["pictures"]) == (name in PLOTTED)
    assert all(all(picture["curves"].values()) for picture in page["pictures"])


# ---- what is learned --------------------------------------------------------------------------


def test_a_trainer_gives_its_figures_and_its_file(tmp_path):
    task = learning_task("swarm", "checkers", SMALL)
    (result,) = learn([task], nobody, "cpu")
    assert result == learn([task], nobody, "cpu")[0]
    assert len(result["steps"]) == 2
    done = TaskResult(result)
    assert figure_after("mean fitness", -1, 10)([done]) == [10 * result["steps"][1]["mean fitness"]]
    assert curve(done, "mean fitness") == [step["mean fitness"] for step in result["steps"]]
    kept = load_network(kept_machine(result, tmp_path / "network"))
    assert kept.shape.hidden == 2
    json.dumps(result)


def test_what_has_learned_nothing(tmp_path):
    before, after = (
        learn([learning_task("swarm", "checkers", SMALL, untrained=untrained)], nobody, "cpu")[0]
        for untrained in (True, False)
    )
    assert before["steps"] == []
    networks = [
        load_network(kept_machine(result, tmp_path / str(n)))
        for n, result in enumerate((before, after))
    ]
    assert networks[0].shape == networks[1].shape
    assert not np.array_equal(networks[0].weights, networks[1].weights)


@pytest.mark.parametrize("size", ["quick", "default", "full"])
def test_options_of_swarms(size):
    for changes in ({}, THESIS):
        SwarmOptions(**swarm_options(SIZES[size], 1, changes))
    if size == "full":
        assert swarm_options(SIZES[size], 3, {}) == {"seed": 3, "rounds": 100, "games": 200}


def test_players_look_as_far_as_they_were_trained_to():
    assert player_line({}) == "swarm:network={0}"
    assert "quiescence=false" in player_line(THESIS)


def test_players_can_be_made(tmp_path):
    (result,) = learn([learning_task("swarm", "checkers", SMALL)], nobody, "cpu")
    path = kept_machine(result, tmp_path / "network")
    game = load_game("checkers")
    for options in ({}, THESIS):
        player = read_player(player_line(options).format(path), game)
        assert player.choose(game.start()).move in game.start().moves()
        player.close()


# ---- the swarm thesis -------------------------------------------------------------------------


def test_random_games_add_up_to_a_thousand():
    assert sum(RESULTS) == 1000
    done = [
        TaskResult({"games": [{}] * 10}, seconds=0.5),
        TaskResult({"games": [{}] * 30}, seconds=1.5),
    ]
    assert seconds(done) == pytest.approx([50])


def test_two_networks_are_compared_from_both_sides():
    """A network against itself wins with one colour what it loses with the other."""
    (result,) = learn([learning_task("swarm", "checkers", SMALL)], nobody, "cpu")
    needs = (learning_task("swarm", "checkers", SMALL),) * 2
    task = Task(swarm_thesis.compare, {"games": 40, "seed": 1}, needs=needs, given=(result, result))
    (one,) = swarm_thesis.compare([task], nobody, "cpu")
    assert sum(one.values()) == 40
    (other,) = learn([learning_task("swarm", "checkers", {**SMALL, "seed": 2})], nobody, "cpu")
    there = replace(task, given=(result, other))
    (forth,) = swarm_thesis.compare([there], nobody, "cpu")
    assert forth != one
    assert swarm_thesis.share("wins")([TaskResult(forth)]) == [100 * forth["wins"] / 40]


def test_networks_of_different_shapes_are_compared():
    given = tuple(
        learn([learning_task("swarm", "checkers", {**SMALL, "hidden": n})], nobody, "cpu")[0]
        for n in (2, 3)
    )
    task = Task(swarm_thesis.compare, {"games": 4, "seed": 1}, needs=(), given=given)
    (found,) = swarm_thesis.compare([task], nobody, "cpu")
    assert sum(found.values()) == 4


# ---- the temporal report ----------------------------------------------------------------------


def test_weights_are_read_off_their_course():
    done = TaskResult({"first_game": [[1.0, 1.0, 1.0], [1.5, 0.9, 0.5], [1.2, 0.8, 0.4]]})
    figures = temporal_report.plan_game(temporal_report.Run(SIZES["quick"]))
    values = [figure.values([done])[0] for figure in figures]
    assert values[:9] == [1.0, 1.5, 1.2, 1.0, 1.0, 0.8, 1.0, 1.0, 0.4]
    assert [figure.published for figure in figures] == [1.0, None, None] * 3 + [None] * 6
    assert values[9:] == [1.5, 1.2, 1.0, 0.8, 1.0, 0.4]  # by the plain rule
    assert {figure.tasks[0].settings["options"].get("rule") for figure in figures[9:]} == {"linear"}


def test_failures_of_the_plain_rule_are_counted():
    rows = ([[1, 1, 1], [2, -1, 0], [3, 1, 0]], [[1, 1, 1], [2, 2, -5], [2, 2, 0]], [[1, 1, 1]])
    done = [TaskResult({"history": history, "options": {"games": 2}}) for history in rows]
    assert temporal_report.number_that(temporal_report.turned)(done) == [1]
    assert temporal_report.number_that(temporal_report.ran_away)(done) == [1]
    assert temporal_report.first_failure(done) == [1]  # after 1, never (2) and 0 games


@pytest.mark.parametrize(
    ("history", "game"),
    [
        ([[1.0], [1.0]], 0),
        ([[1.0], [1.2], [1.21], [1.2]], 1),
        ([[1.0, 1.0], [1.0, 1.01], [1.0, 1.2], [1.01, 1.2]], 2),
        ([[1.0], [0.9], [0.8]], 2),
    ],
)
def test_when_weights_have_settled(history, game):
    assert temporal_report.settled([TaskResult({"history": history})]) == [game]


def test_sizes_on_disk_are_per_board():
    done = TaskResult({"boards": 4, "memory_bytes": 6000, "weights_bytes": 550})
    assert temporal_report.per_board("memory_bytes")([done]) == [1.5]
    assert temporal_report.weights_kilobytes([done]) == [0.55]


def test_trainings_differ_by_their_seeds_only():
    first, second, *_ = training_tasks(temporal_report.SIZES["full"])
    assert first.settings["options"] == {**second.settings["options"], "seed": 1}
    assert first.settings["options"]["games"] == 40
    assert len({task.key for task in training_tasks(temporal_report.SIZES["full"])}) == 10
