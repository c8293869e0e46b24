"""How strong a machine of the machine room is: a short match at the end of its training."""

from __future__ import annotations

import re

import pytest

from clauseboard.game import load_game
from clauseboard.web.lab import training_process, training_queue
from clauseboard.web.lab.training import TrainingPlan
from clauseboard.web.models import MeasuredStep


@pytest.mark.parametrize(("seconds", "n_games"), [(1000, 20), (0, 1)])
def test_a_player_is_measured_by_a_short_match(monkeypatch, seconds, n_games):
    monkeypatch.setattr(training_process, "MATCH_SECONDS", seconds)
    shares = []
    said = training_process.measure(load_game("hex", size=3), "solver", shares.append)
    won = re.fullmatch(
        rf"(\d+) of {n_games} games won against the random mover, looking one move ahead", said
    )
    # Who begins and plays perfectly wins; as the second it may meet with a lucky opponent.
    assert (n_games + 1) // 2 <= int(won[1]) <= n_games
    assert shares == [n / 20 for n in range(n_games + 1)]


def test_whoever_looks_on_may_end_the_measuring():
    def told(share):
        if share:
            raise training_process.TrainingStoppedError

    with pytest.raises(training_process.TrainingStoppedError):
        training_process.measure(load_game("hex", size=3), "random", told)


def test_the_measuring_is_a_phase_that_can_be_stopped(tmp_path, monkeypatch):
    """In this process: what the process that trains says, in its order."""
    said = []
    plan = TrainingPlan(**{
        "game": "checkers", "settings": {}, "learner": "temporal", "folder": str(tmp_path),
        "options": {"games": 1, "depth": 1}, "source": None, "games": 20, "seed": 1,
    })  # fmt: skip
    training = training_process.TrainingRun(
        plan, lambda kind, **content: said.append((kind, content))
    )

    def stopped_at_once(game, line, told):
        training.stopped = True
        told(0.0)

    monkeypatch.setattr(training_process, "measure", stopped_at_once)
    training.run()
    assert [kind for kind, _ in said] == ["phase", "step", "phase", "done"]
    assert said[2][1] == {
        "phase": "measuring",
        "text": "It plays 20 games against the random mover.",
    }
    assert said[3][1] == {"stopped": False}  # the training itself was not stopped


def test_a_machine_without_games_says_so():
    training = training_queue.Training("x", load_game("hex"), None, "", "epoch", None)
    assert training.strength == "not measured"
    training.steps.append(
        MeasuredStep(step=1, figures={"accuracy on boards never seen": 0.5}, notes=[])
    )
    assert training.strength == "no games measured; accuracy on boards never seen 50.0 %"
    training.measured = "9 of 20 games won"
    assert training.strength == "9 of 20 games won; accuracy on boards never seen 50.0 %"
    training.steps.append(MeasuredStep(step=2, figures={}, notes=[]))
    assert training.strength == "9 of 20 games won"
