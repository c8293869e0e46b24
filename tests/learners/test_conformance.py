"""What every learner that can be trained has to do, whichever folder it lies in."""

import dataclasses
import json
import signal
import subprocess
import sys
import time
import zipfile

import numpy as np
import pytest

from clauseboard.game import game_names, load_game
from clauseboard.learners import (
    Trainer,
    changed_options,
    learner_of_trainer,
    load_trainer,
    make_options,
    trainer_names,
)

NAMES = trainer_names()


# The first of these that a learner takes is the one it is tried on.
GAMES = (load_game("hex", size=3), load_game("checkers"))


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


@pytest.fixture
def data(name, tmp_path):
    """Boards filled at random; red wins if it has more stones on the middle row."""
    if load_trainer(name).data_help is None:
        return None
    rng = np.random.default_rng(1)
    stones = rng.integers(0, 3, (300, 9))
    X = np.concatenate([stones == 1, stones == 2], axis=1).astype(np.uint8)
    lead = (stones[:, 3:6] == 1).sum(axis=1) - (stones[:, 3:6] == 2).sum(axis=1)
    np.savez(tmp_path / "data.npz", X=X, y=np.where(lead > 0, "win", "loss"))
    return tmp_path / "data.npz"


def game_for(name, data):
    """The game that a learner is tried on."""
    kind = load_trainer(name)
    for game in GAMES:
        try:
            kind.begin(game, make_options(kind, kind.small), data)
        except ValueError:
            continue
        return game
    return pytest.fail(f"{name} takes none of {GAMES}")


def steps_option(name, steps):
    """The option that says how many steps there are."""
    return {load_trainer(name).changeable[0]: steps}


def begun(name, data, steps, **changes):
    kind = load_trainer(name)
    options = make_options(kind, {**kind.small, **steps_option(name, steps), **changes})
    return kind.begin(game_for(name, data), options, data)


def trained(name, data, path, steps, **changes):
    trainer = begun(name, data, steps, **changes)
    last = None
    for progress in trainer.steps():
        last = progress
    trainer.save(path)
    return last


def test_there_are_learners():
    assert {"swarm", "swarm-descent", "tsetlin"} <= set(NAMES)


def test_its_options_can_be_read(name):
    kind = load_trainer(name)
    assert issubclass(kind, Trainer)
    for field in dataclasses.fields(kind.Options):
        assert field.metadata.get("help"), f"{field.name} says nothing about itself"
        assert field.default is not dataclasses.MISSING
    assert set(kind.changeable) <= {field.name for field in dataclasses.fields(kind.Options)}
    assert "seed" in {field.name for field in dataclasses.fields(kind.Options)}


def test_its_options_are_no_parameters_of_games(name):
    """Since `--set` is for both."""
    options = {field.name for field in dataclasses.fields(load_trainer(name).Options)}
    for game in game_names():
        parameters = {field.name for field in dataclasses.fields(load_game(game))}
        assert not options & parameters


def test_steps_are_counted_and_told(name, data):
    told = list(begun(name, data, 3).steps())
    assert [progress.step for progress in told] == [1, 2, 3]
    assert {progress.of for progress in told} == {3}
    assert all(progress.figures for progress in told)
    assert all(np.isfinite(list(progress.figures.values())).all() for progress in told)


def values(name, game, path):
    """What a player with this file thinks of some boards; the file is its first option."""
    learner = learner_of_trainer(name)
    judge = learner.make_evaluator(game, **{next(iter(learner.OPTIONS)): str(path)})
    start = game.start()
    return judge.judge([start.play(move) for move in start.moves()]).values


def test_what_it_learns_changes_how_it_plays(name, data, tmp_path):
    """How much better it gets is for each learner's own tests."""
    game = game_for(name, data)
    trainer = begun(name, data, 4)
    steps = trainer.steps()
    next(steps)
    trainer.save(tmp_path / "one")
    assert len(list(steps)) == 3
    trainer.save(tmp_path / "four")
    before, after = (values(name, game, tmp_path / path) for path in ("one", "four"))
    assert np.isfinite(after).all()
    assert before.tolist() != after.tolist()


def test_same_seed_same_bytes(name, data, tmp_path):
    for path, seed in (("a", 1), ("b", 1), ("c", 2)):
        trained(name, data, tmp_path / path, 2, seed=seed)
    a, b, c = ((tmp_path / path).read_bytes() for path in "abc")
    assert a == b
    assert a != c


def test_loaded_and_saved_again_it_is_the_same(name, data, tmp_path):
    trained(name, data, tmp_path / "a", 2)
    trainer = load_trainer(name).load(tmp_path / "a", data)
    assert list(trainer.steps()) == []
    trainer.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_going_on_is_as_never_having_stopped(name, data, tmp_path):
    trained(name, data, tmp_path / "whole", 4)
    trainer = begun(name, data, 4)
    steps = trainer.steps()
    next(steps)
    next(steps)
    trainer.save(tmp_path / "half")
    trainer = load_trainer(name).load(tmp_path / "half", data)
    assert [progress.step for progress in trainer.steps()] == [3, 4]
    trainer.save(tmp_path / "rest")
    assert (tmp_path / "rest").read_bytes() == (tmp_path / "whole").read_bytes()
    # The same by asking for more steps than there were to be.
    trained(name, data, tmp_path / "short", 2)
    trainer = load_trainer(name).load(tmp_path / "short", data, **steps_option(name, 4))
    assert len(list(trainer.steps())) == 2
    trainer.save(tmp_path / "more")
    assert (tmp_path / "more").read_bytes() == (tmp_path / "whole").read_bytes()


def test_what_may_not_be_changed_is_not(name, data, tmp_path):
    trained(name, data, tmp_path / "a", 1)
    with pytest.raises(ValueError, match="'seed' cannot be changed in the midst of training"):
        load_trainer(name).load(tmp_path / "a", data, seed=5)
    with pytest.raises(ValueError, match="no option 'colour'"):
        load_trainer(name).load(tmp_path / "a", data, colour="red")
    kind = load_trainer(name)
    with pytest.raises(ValueError, match="no option 'colour'"):
        changed_options(kind, kind.Options(), {"colour": "red"})


def bad_files(good, other, folder):
    """Files that are none of a learner's, each with a word about it."""
    content = good.read_bytes()
    yield "missing", folder / "missing"
    yield "a folder", folder
    for what, bad in {
        "empty": b"",
        "text": b"this is no such file\n",
        "half": content[: len(content) // 2],
        "nearly whole": content[:-10],
        "another learner's": other,
    }.items():
        path = folder / f"bad-{what.replace(' ', '-')}"
        path.write_bytes(bad)
        yield what, path
    if zipfile.is_zipfile(good):
        with zipfile.ZipFile(good) as source:
            parts = [part for part in source.namelist() if part.endswith(".npy")]
        for swollen in ("more.npy", parts[0]):
            path = folder / f"bad-bomb-{swollen}"
            deflated = {"compression": zipfile.ZIP_DEFLATED, "compresslevel": 1}
            with (
                zipfile.ZipFile(good) as source,
                zipfile.ZipFile(path, "w", **deflated) as target,
            ):
                for part in source.namelist():
                    if part != swollen:
                        target.writestr(part, source.read(part), zipfile.ZIP_STORED)
                with target.open(swollen, "w") as file:
                    for _ in range(300):
                        file.write(bytes(1 << 20))
            yield f"300 MB of zeros in {swollen}", path
        path = folder / "bad-arrays"
        with zipfile.ZipFile(good) as source, zipfile.ZipFile(path, "w") as target:
            for part in source.namelist():
                if part.endswith(".json"):
                    target.writestr(part, source.read(part))
        yield "without its arrays", path


def test_bad_files_are_refused(name, data, tmp_path):
    good = tmp_path / "good"
    trained(name, data, good, 1)
    other = json.dumps({"format": "something else", "version": 1}).encode()
    if name != "swarm":
        trained("swarm", None, tmp_path / "other", 1)
        other = (tmp_path / "other").read_bytes()
    for what, path in bad_files(good, other, tmp_path):
        with pytest.raises((ValueError, OSError)) as caught:
            load_trainer(name).load(path, data)
        assert str(path) in str(caught.value), what


def command(name, data, path, steps):
    """The command that trains a learner, as arguments of a process."""
    game = game_for(name, data)
    fields = dataclasses.fields(game)
    unusual = [field.name for field in fields if getattr(game, field.name) != field.default]
    settings = {key: getattr(game, key) for key in unusual}
    settings |= {**load_trainer(name).small, **steps_option(name, steps)}
    arguments = ["train", name, game.name, "--out", str(path)]
    arguments += [part for key in settings for part in ("--set", f"{key}={settings[key]}")]
    arguments += ["--data", str(data)] if data is not None else []
    return [sys.executable, "-m", "clauseboard", *arguments]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_what_was_learned(name, data, tmp_path):
    path = tmp_path / "kept"
    process = subprocess.Popen(
        command(name, data, path, 1_000_000),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        said = ""
        while "Training" not in said:  # the command says so once Ctrl-C is heard
            line = process.stderr.readline()
            assert line, said
            said += line
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, rest = process.communicate(timeout=600)
    finally:
        process.kill()
    assert process.returncode == 0, said + rest
    assert "Stopping after this step" in rest
    assert f"clauseboard train {name} --resume {path}" in out
    done = int(out.split(" of ")[0])
    trainer = load_trainer(name).load(path, data, **steps_option(name, done + 1))
    assert [progress.step for progress in trainer.steps()] == [done + 1]
