"""Training: n and the memory, the failure of the seed found and undone, going on after a kill."""

import json

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.learners.temporal import heuristic
from clauseboard.learners.temporal import trainer as trainer_module
from clauseboard.learners.temporal.memory import Memory, read_export
from clauseboard.learners.temporal.trainer import TemporalOptions, TemporalTrainer
from naive.machines import small_game

GAME = load_game("checkers")
QUICK = {"depth": 1, "longest": 40, "games": 4, "check_games": 0}


def begun(**changes):
    return TemporalTrainer.begin(GAME, TemporalOptions(**{**QUICK, **changes}))


def trained(**changes):
    trainer = begun(**changes)
    told = list(trainer.steps())
    return trainer, told


def test_it_begins_with_equal_weights():
    assert begun().weights.tolist() == [1.0, 1.0, 1.0]
    assert begun(features="full").weights.tolist() == [1.0] * 10


def test_progress_tells_the_weights():
    trainer, told = trained()
    last = told[-1].figures
    names = ["piece difference", "kings", "side"]
    assert [last[name] for name in names] == trainer.weights.tolist()
    assert last["boards seen"] == trainer.n > 100
    assert last["a"] == 50 / (49 + trainer.n)
    assert trainer.history.shape == (5, 3)
    assert trainer.history[0].tolist() == [1.0, 1.0, 1.0]
    assert np.array_equal(trainer.history[1], trainer.first_game[-1])
    assert np.array_equal(trainer.history[4], trainer.last_game[-1])
    assert np.array_equal(trainer.history[3], trainer.last_game[0])


def test_n_counts_the_boards_that_the_memory_knows(tmp_path):
    path = str(tmp_path / "boards")
    first, _ = trained(memory=path)
    with Memory(path, GAME) as memory:
        assert memory.boards_seen() == first.n
        assert 0 < len(memory) < first.n  # all games begin with the same board
    second, told = trained(memory=path, games=1)
    assert second.n_before == first.n
    assert told[0].figures["a"] == 50 / (49 + second.n)
    with Memory(path, GAME) as memory:
        assert memory.boards_seen() == second.n > first.n
    # The more was seen the less is learned from the same game.
    alone, _ = trained(games=1)
    assert np.abs(second.weights - 1).max() < np.abs(alone.weights - 1).max() / 2


def test_a_game_that_is_played_again_counts_once(tmp_path):
    """Killed after the memory was written, and before the weights were."""
    path, model = str(tmp_path / "boards"), tmp_path / "w.json"
    trainer = begun(memory=path)
    steps = trainer.steps()
    next(steps)
    trainer.save(model)
    next(steps)
    again = TemporalTrainer.load(model)
    list(again.steps())
    with Memory(path, GAME) as memory:
        assert memory.boards_seen() == again.n
    whole, _ = trained(memory=str(tmp_path / "other"))
    assert np.array_equal(whole.weights, again.weights)
    assert whole.n == again.n


def test_the_boards_as_text(tmp_path):
    text = tmp_path / "boards.txt"
    trainer, _ = trained(memory=str(tmp_path / "boards"), board_list=str(text))
    trainer.save(tmp_path / "w.json")
    lines = dict(read_export(text))
    start = "1" * 12 + "0" * 8 + "3" * 12
    assert 1 <= len(lines[start]) <= 7
    assert all(len(board) == 32 for line in lines.items() for board in (line[0], *line[1]))


# ---- the failure of the seed


def test_weights_that_turn_by_themselves_are_undone():
    """Steps that are far too long: the first game ends with a piece worth less than none."""
    trainer, told = trained(lead=0.5, longest=80, games=3, seed=1)
    (note,) = told[0].notes
    assert "the weight of piece difference has fallen to -" in note
    assert "Undone: the weights are those of the beginning again." in note
    assert trainer.undone == {1: note}
    assert trainer.first_game[-1, 0] < 0  # so it was
    assert trainer.history[1].tolist() == [1.0, 1.0, 1.0]
    assert trainer.weights[0] > 0  # and it goes on to learn
    assert trainer.weights.tolist() != [1.0, 1.0, 1.0]
    assert trainer.good_since == 3


@pytest.mark.parametrize("feature", [0, 1])
def test_what_is_good_must_not_turn(feature):
    trainer = begun(depth=2)
    steps = trainer.steps()
    next(steps)
    good = trainer.weights
    # n is so large by now that one game does not turn it back.
    trainer.n = 100_000
    trainer.weights = good.copy()
    trainer.weights[feature] = -1.0
    told = next(steps)
    assert f"weight of {['piece difference', 'kings'][feature]} has fallen to -" in told.notes[0]
    assert "those after game 1 again" in told.notes[0]
    assert np.array_equal(trainer.weights, good)
    assert np.array_equal(trainer.history[2], good)
    assert next(steps).notes == ()


def test_the_side_may_turn():
    trainer = begun()
    trainer.n = 100_000
    trainer.weights = np.array([1.0, 1.0, -0.2])
    assert next(trainer.steps()).notes == ()
    assert trainer.weights[2] < 0


def test_weights_that_lose_are_undone():
    """Nothing has turned, but to stand on the side is all that counts: the trial finds it."""
    trainer = begun(check=2, check_games=6, depth=2, longest=100)
    steps = trainer.steps()
    trainer.n = 100_000
    trainer.weights = np.array([0.01, 0.01, 5.0])
    assert next(steps).notes == ()  # no trial yet
    assert trainer.good_since == 0
    (note,) = next(steps).notes
    assert "in 6 games against those they come from" in note
    assert trainer.weights.tolist() == [1.0, 1.0, 1.0]
    assert trainer.undone == {2: note}


def test_weights_that_hold_are_good():
    trainer, told = trained(check=2, check_games=2)
    assert all(not progress.notes for progress in told)
    assert trainer.good_since == 4
    assert np.array_equal(trainer.good, trainer.weights)


def test_weights_beyond_all_bounds_are_undone(monkeypatch):
    trainer = begun()
    wild = trainer_module.LearnedGame((GAME.start(),), None, np.array([[1.0] * 3, [np.nan] * 3]))
    monkeypatch.setattr(trainer_module.LearningGames, "play", lambda *_: wild)
    (note,) = next(trainer.steps()).notes
    assert "beyond all bounds" in note
    assert trainer.weights.tolist() == [1.0, 1.0, 1.0]


def test_by_the_plain_rule_what_is_good_turns_negative_as_the_report_tells():
    trainer, told = trained(rule="linear", undo=False, check_games=0, games=8, longest=200)
    assert any("has fallen to -" in note for progress in told for note in progress.notes)
    assert trainer.history[1:, :2].min() < 0
    assert not trainer.good_since or trainer.history[trainer.good_since, :2].min() > 0


def test_a_training_whose_weights_run_away_ends_before_they_do():
    trainer = begun(rule="linear", undo=False, check_games=0, games=8, longest=200)
    trainer.weights = np.full(3, 9e8)
    told = list(trainer.steps())
    assert len(told) < 8
    assert told[-1].notes == (f"Game {len(told)}: the weights grow beyond all bounds.",)
    assert (np.abs(trainer.history) < 1e9).all()
    assert trainer.heuristic.weights is trainer.weights  # it can be played with


def test_without_undo_what_has_turned_stays():
    trainer = begun(undo=False)
    trainer.n = 100_000
    trainer.weights = np.array([-1.0, 1.0, 1.0])
    (note,) = next(trainer.steps()).notes
    assert "has fallen to -" in note
    assert "Undone" not in note
    assert trainer.weights[0] < 0


def test_options_that_came_later_do_not_rename_older_trainings():
    assert begun().training == begun(rule="tanh", undo=True).training
    assert len({begun(**o).training for o in ({}, {"rule": "linear"}, {"undo": False})}) == 3


def test_what_was_undone_is_kept(tmp_path):
    trainer, _ = trained(lead=0.5, longest=80, games=3, seed=1)
    trainer.save(tmp_path / "w.json")
    assert TemporalTrainer.load(tmp_path / "w.json").undone == trainer.undone


# ---- options and files


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("depth", [1, 2, 3]),
        ("lead", [1.0, 3.0, 12.0]),
        ("opening", [0, 3, 9]),
        ("explore", [0.0, 0.2, 0.5]),
        ("longest", [10, 25, 40]),
        ("seed", [0, 1, 2**40]),
    ],
)
def test_every_option_counts(option, values):
    found = [trained(**{**QUICK, "games": 2, option: value})[0] for value in values]
    courses = {trainer.history.tobytes() for trainer in found}
    assert len(courses) == len(values)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"games": 0}, "games=0"),
        ({"depth": 21}, "depth=21 must be an integer from 1 to 20"),
        ({"depth": True}, "depth=True"),
        ({"opening": -1}, "opening=-1"),
        ({"longest": 0}, "longest=0"),
        ({"check": 0}, "check=0"),
        ({"check_games": -1}, "check_games=-1"),
        ({"seed": -1}, "seed=-1"),
        ({"lead": 0}, "lead=0"),
        ({"lead": "x"}, "lead='x'"),
        ({"explore": 1.1}, "explore=1.1"),
        ({"rule": "cubic"}, "rule='cubic' must be one of 'tanh', 'linear'"),
        ({"undo": 1}, "undo=1"),
        ({"features": 3}, "features=3 is no name of a set of features"),
        ({"memory": 3}, "memory=3 is no name of a file"),
        ({"board_list": "b.txt"}, "name a file for the memory, too"),
    ],
)
def test_wrong_options_are_refused(options, told):
    with pytest.raises(ValueError, match=told):
        TemporalOptions(**options)


def test_what_cannot_be_learned_is_refused():
    with pytest.raises(ValueError, match="hex has no features"):
        TemporalTrainer.begin(small_game("hex"), TemporalOptions())
    with pytest.raises(ValueError, match="no set of features 'half'"):
        begun(features="half")


def test_a_file_can_be_read_by_people(tmp_path):
    trainer, _ = trained()
    trainer.save(tmp_path / "w.json")
    page = json.loads((tmp_path / "w.json").read_text())
    assert page["weights"] == dict(zip(trainer.features.names, trainer.weights, strict=True))
    assert page["boards_seen"] == trainer.n
    assert not list(tmp_path.glob("*.part"))


def changed(path, **changes):
    page = json.loads(path.read_text())
    page.update(changes)
    bad = path.with_name("bad.json")
    bad.write_text(json.dumps({k: v for k, v in page.items() if v is not ...}))
    return bad


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"format": "other"}, "holds other, not clauseboard weights of features"),
        ({"format": None}, "holds something else"),
        ({"version": 2}, "format version 2; this program reads up to 1"),
        ({"version": "1"}, "format version 1"),
        ({"game": ...}, "damaged: 'game'"),
        ({"game": {"name": "chess", "parameters": {}, "version": 1}}, "no game 'chess'"),
        ({"game": {"name": "checkers", "parameters": {}, "version": 9}}, "version 9 of checkers"),
        ({"features": "half"}, "no set of features"),
        ({"features": []}, "damaged"),
        ({"weights": {"kings": 1.0}}, "not those of piece difference, kings, side"),
        ({"weights": {"piece difference": 1, "kings": "1", "side": 1}}, "no number"),
        ({"weights": {"piece difference": 1e99, "kings": 1, "side": 1}}, "not all numbers"),
        ({"lead": 0}, "no number"),
        ({"options": ...}, "no training to go on with"),
        ({"options": {"colour": 1}}, "damaged"),
        ({"options": {"depth": 0}}, "depth=0"),
        ({"history": [[1, 2]]}, "history are not rows of 3 numbers"),
        ({"history": "x"}, "history are not rows"),
        ({"last_game": [[1, 2, float("nan")]]}, "last_game are not rows"),
        ({"boards_seen": -1}, "boards_seen is -1"),
        ({"boards_before": 1.5}, "boards_before is 1.5"),
        ({"good_since": 99}, "good_since is 99"),
        ({"undone": ["x"]}, "undone are not sentences"),
        ({"undone": {"x": "y"}}, "undone are not sentences"),
    ],
)
def test_damaged_files_are_refused(tmp_path, changes, told):
    begun().save(tmp_path / "w.json")
    bad = changed(tmp_path / "w.json", **changes)
    with pytest.raises(ValueError, match=told) as caught:
        TemporalTrainer.load(bad)
    assert str(bad) in str(caught.value)


def test_files_that_are_none_are_refused(tmp_path, monkeypatch):
    for content, told in ((b"", "is empty"), (b"PK", "another kind"), (b'{"a": ', "cut short")):
        (tmp_path / "bad").write_bytes(content)
        with pytest.raises(ValueError, match=told):
            heuristic.load_heuristic(tmp_path / "bad")
    (tmp_path / "deep").write_bytes(b'{"a":' + b"[" * 200_000)
    with pytest.raises(ValueError, match="damaged"):
        heuristic.load_heuristic(tmp_path / "deep")
    monkeypatch.setattr(heuristic, "LARGEST", 10)
    with pytest.raises(ValueError, match="200,005 bytes"):
        heuristic.load_heuristic(tmp_path / "deep")


def test_weights_of_another_game_are_refused(tmp_path):
    """A file of checkers for a game with other boards."""
    from clauseboard.learners import temporal

    begun().save(tmp_path / "w.json")
    with pytest.raises(ValueError, match="was trained on load_game\\('checkers'\\), not on"):
        temporal.make_evaluator(load_game("hex"), weights=tmp_path / "w.json")
