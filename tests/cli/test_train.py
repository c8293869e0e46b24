"""`clauseboard train`: what it says, what it keeps, how it goes on, and how it refuses."""

import dataclasses
import json
import signal
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from clauseboard.array_file import read, write
from clauseboard.cli import train as module
from clauseboard.cli.common import ProgressBar
from clauseboard.cli.main import app, run
from clauseboard.learners import StepReport, load_trainer, trainer_names

SMALL = "--set size=3 --set particles=3 --set games=2 --set hidden=2 --set rounds=2"


def clauseboard(*words):
    return CliRunner().invoke(app, [part for word in words for part in str(word).split()])


def refused(monkeypatch, capsys, *words):
    """What the whole program says of wrong input; it has to end with status 2."""
    monkeypatch.setattr(sys, "argv", ["clauseboard", *(p for w in words for p in str(w).split())])
    with pytest.raises(SystemExit) as end:
        run()
    said = capsys.readouterr().err
    assert end.value.code == 2
    assert "Traceback" not in said
    return said


def test_it_trains_and_says_so(tmp_path):
    done = clauseboard("train swarm hex", SMALL, "--out", tmp_path / "net")
    assert done.exit_code == 0, done.output
    assert "2 of 2 rounds" in done.stdout
    assert "fitness" in done.stdout
    assert f"Saved to {tmp_path / 'net'}" in done.stdout
    assert "--resume" not in done.stdout
    assert load_trainer("swarm").load(tmp_path / "net").options.rounds == 2


def test_json_is_all_that_is_printed(tmp_path):
    done = clauseboard("train swarm hex --json", SMALL, "--out", tmp_path / "net")
    page = json.loads(done.stdout)
    assert (page["step"], page["of"], page["stopped"]) == (2, 2, False)
    assert page["file"] == str(tmp_path / "net")
    assert set(page["figures"]) >= {"fitness", "against chance"}


def test_it_goes_on_from_a_file(tmp_path):
    one, whole = tmp_path / "one", tmp_path / "whole"
    clauseboard("train swarm hex", SMALL, "--out", one)
    clauseboard("train swarm hex", SMALL, "--set rounds=4 --out", whole)
    done = clauseboard("train swarm --resume", one, "--set rounds=4")
    assert "4 of 4 rounds" in done.stdout
    assert one.read_bytes() == whole.read_bytes()
    again = clauseboard("train swarm --resume", one)
    assert "Training was already complete" in again.stdout


def test_resume_can_keep_its_file_elsewhere(tmp_path):
    clauseboard("train swarm hex", SMALL, "--out", tmp_path / "one")
    before = (tmp_path / "one").read_bytes()
    clauseboard("train swarm --resume", tmp_path / "one", "--set rounds=3 --out", tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == before
    assert load_trainer("swarm").load(tmp_path / "two").options.rounds == 3


def test_learners_and_their_options_are_listed():
    assert all(name in clauseboard("train").stdout for name in trainer_names())
    said = clauseboard("train swarm --options").stdout
    assert "particles=20" in said
    assert "rounds=40" in said
    assert "can be changed with --resume" in said
    assert "--data FILE" in clauseboard("train tsetlin --options").stdout


def data_file(path, rows=200, packed=False, **arrays):
    rng = np.random.default_rng(2)
    X = rng.integers(0, 2, (rows, 18)).astype(np.uint8)
    y = np.where(X[:, 4] == 1, "win", "loss")
    if packed:
        X = np.packbits(X, axis=1, bitorder="little")
    np.savez(path, **({"X": X, "y": y} | arrays))
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_a_machine_learns_from_data(tmp_path, packed):
    data = data_file(tmp_path / "boards.npz", packed=packed)
    words = "--set size=3 --set n_clauses=40 --set specificity=3.0 --set epochs=15"
    done = clauseboard("train tsetlin hex", words, "--data", data, "--out", tmp_path / "tm")
    assert done.exit_code == 0, done.output
    from clauseboard.tsetlin import TsetlinMachineClassifier

    machine = TsetlinMachineClassifier.load(tmp_path / "tm")
    assert machine.bit_names_[0] == "red stone at a1"
    with np.load(data_file(tmp_path / "plain.npz")) as file:
        assert machine.score(file["X"], file["y"]) > 0.95


@pytest.fixture(scope="module")
def perfect(tmp_path_factory):
    """A data set of ours: perfect games of Hex on a small board."""
    from clauseboard.datasets import build
    from clauseboard.games.datasets import load_composition

    path = tmp_path_factory.mktemp("data") / "hex.npz"
    build(load_composition("hex", "perfect", size=3)).save(path)
    return path


def test_a_machine_learns_from_a_data_set(tmp_path, perfect):
    from clauseboard.datasets import load_dataset
    from clauseboard.tsetlin import TsetlinMachineClassifier

    few = "--set n_clauses=40 --set specificity=3.0 --set epochs=3"
    done = clauseboard("train tsetlin hex", few, "--data", perfect, "--out", tmp_path / "tm")
    assert done.exit_code == 0, done.output
    machine, boards = TsetlinMachineClassifier.load(tmp_path / "tm"), load_dataset(perfect)
    assert machine.bit_names_ == list(boards.bit_names)
    assert list(machine.classes_) == sorted(set(boards.y))
    assert machine.score(boards.X, boards.y) > 0.8
    again = ["train tsetlin --resume", tmp_path / "tm", "--set epochs=4 --data", perfect]
    assert "4 of 4 epochs" in clauseboard(*again).stdout


def test_boards_as_the_side_to_move_sees_them_have_its_results(perfect):
    from clauseboard.datasets import load_dataset

    boards = load_dataset(perfect)
    seen = module._labels(dataclasses.replace(boards, view="mover"))
    for said, winner, side in zip(seen, boards.y, boards.to_move, strict=True):
        assert said == ("win" if winner == boards.game.colours[side] else "loss")
    drawn = dataclasses.replace(boards, view="mover", labels=np.full(len(boards), 2, np.uint8))
    assert set(module._labels(drawn)) == {"draw"}


def test_a_data_set_of_another_game_is_refused(tmp_path, monkeypatch, capsys, perfect):
    for words, said in (
        ("train tsetlin checkers", "has boards of load_game('hex', size=3), not of checkers"),
        ("train tsetlin hex --set size=4", "which are not those of load_game('hex', size=4)"),
    ):
        told = refused(monkeypatch, capsys, words, "--data", perfect, "--out", tmp_path / "t")
        assert said in told
    machine = tmp_path / "other"
    data = data_file(tmp_path / "plain.npz")
    few = "--set size=3 --set n_clauses=4 --set epochs=1 --out"
    clauseboard("train tsetlin hex --data", data, few, machine)
    from clauseboard.datasets import build
    from clauseboard.games.datasets import load_composition

    wide = tmp_path / "wide.npz"
    build(load_composition("hex", "perfect", size=2)).save(wide)
    told = refused(monkeypatch, capsys, "train tsetlin --resume", machine, "--data", wide)
    assert f"{wide}: boards have 18 bits" in told


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"X": np.zeros((200, 17), np.uint8)}, "boards have 18 bits, or 3 bytes packed, not 17"),
        ({"X": np.zeros(200, np.uint8)}, "X has a board a row"),
        ({"y": np.zeros(5)}, "X has a board a row"),
        ({"y": np.array([{}] * 200, object)}, "an array has a type that is never written"),
    ],
)
def test_wrong_data_are_refused(tmp_path, monkeypatch, capsys, arrays, said):
    data = data_file(tmp_path / "boards.npz", **arrays)
    told = refused(
        monkeypatch, capsys, "train tsetlin hex --set size=3 --data", data, "--out", tmp_path / "t"
    )
    assert said in told
    assert not (tmp_path / "t").exists()


def test_data_that_are_none(tmp_path, monkeypatch, capsys):
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    np.save(tmp_path / "one.npy", np.zeros(3))
    (tmp_path / "text").write_text("boards")
    for path, said in (
        ("other.npz", "it has to have X and y, and has a"),
        ("one.npy", "is a file of another kind, not a file of arrays (np.savez)"),
        ("text", "is a file of another kind"),
        ("missing", "There is no file"),
    ):
        words = ["train tsetlin hex --out", tmp_path / "t", "--data", tmp_path / path]
        assert said in refused(monkeypatch, capsys, *words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("train parrot hex --out x", "There is no learner 'parrot' to train; there are 'swarm'"),
        ("train swarm chess --out x", "There is no game 'chess'"),
        ("train swarm --out x", "Give a game"),
        ("train swarm hex", "--out FILE"),
        ("train swarm hex --out x --set wings=2", "There is no option 'wings'; there are 'rounds'"),
        ("train swarm hex --out x --set rounds=0", "rounds=0 must be an integer"),
        ("train swarm hex --out x --set size=99", "size"),
        ("train swarm hex --out x --data y", "learns from its own games and takes no --data"),
        ("train swarm hex --out /no/such/folder/x", "There is no folder"),
        ("train swarm hex --resume x --out y", "leave the game out with --resume"),
        ("train swarm --resume missing", "There is no file 'missing'"),
        ("train tsetlin hex --out x", "learns from data: --data FILE"),
        ("train tsetlin hex --out x --set n_clauses=0", "n_clauses"),
    ],
)
def test_wrong_input_is_one_sentence(words, said, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert said in refused(monkeypatch, capsys, words)
    assert list(tmp_path.iterdir()) == []


class Steps:
    """A trainer that only counts; it may be interrupted at a step."""

    step_name = "step"

    def __init__(self, of=5, interrupted=()):
        self.of, self.interrupted, self.done, self.saved = of, interrupted, 0, []

    def steps(self):
        while self.done < self.of:
            for _ in range(self.interrupted.count(self.done + 1)):
                signal.raise_signal(signal.SIGINT)
            self.done += 1
            yield StepReport(self.done, self.of, {"a": 1.0})

    def save(self, path):
        self.saved.append(self.done)


def test_ctrl_c_lets_the_step_end_and_saves(tmp_path, capsys):
    trainer = Steps(interrupted=[2])
    with module._Stop() as stop:
        last = module.run(trainer, tmp_path / "x", stop, lambda progress: None)
    assert last.step == 2
    assert trainer.saved == [2]
    assert stop.asked
    assert "Stopping after this step" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_ends_at_once(tmp_path):
    trainer = Steps(interrupted=[2, 2])
    with pytest.raises(KeyboardInterrupt), module._Stop() as stop:
        module.run(trainer, tmp_path / "x", stop, lambda progress: None)
    assert trainer.saved == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_it_is_saved_now_and_then(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "KEEP_EVERY", -1.0)
    trainer = Steps()
    with module._Stop() as stop:
        module.run(trainer, tmp_path / "x", stop, lambda progress: None)
    assert trainer.saved == [1, 2, 3, 4, 5, 5]


def test_nothing_to_do_saves_nothing(tmp_path):
    trainer = Steps(of=0)
    with module._Stop() as stop:
        assert module.run(trainer, tmp_path / "x", stop, lambda progress: None) is None
    assert trainer.saved == []


def test_the_bar_shows_steps_and_figures(monkeypatch, capsys):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with ProgressBar("round", counted=True, patience=0) as bar:
        module._tell(bar, StepReport(1, 4, {"fitness": 12.5}, notes=("something was undone",)))
    shown = capsys.readouterr().err
    for part in ("round", "1/4", "fitness 12.5", "something was undone"):
        assert part in shown


# ---- files of learners


def test_a_file_holds_what_was_written(tmp_path):
    arrays = {"a": np.arange(6.0).reshape(2, 3), "b": np.zeros((0, 4), np.uint8)}
    write(tmp_path / "f", "thing", 1, {"x": [1, None]}, arrays)
    page, found = read(tmp_path / "f", "thing", 1)
    assert page["x"] == [1, None]
    assert found["a"].tolist() == arrays["a"].tolist()
    assert found["b"].shape == (0, 4)
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


def test_a_file_of_a_newer_version_is_refused(tmp_path):
    write(tmp_path / "f", "thing", 3, {}, {})
    with pytest.raises(ValueError, match=r"version 3, which is newer than this program's \(2\)"):
        read(tmp_path / "f", "thing", 2)


def test_a_file_that_claims_too_much_is_refused(tmp_path):
    write(tmp_path / "f", "thing", 1, {}, {"a": np.zeros(10_000)})
    with pytest.raises(ValueError, match="would unpack to"):
        read(tmp_path / "f", "thing", 1, largest=1000)


def test_an_array_that_claims_too_much_is_refused(tmp_path):
    import zipfile

    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }"
    header += b" " * (63 - (len(header) + 10) % 64) + b"\n"
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(8)
    write(tmp_path / "f", "thing", 1, {}, {})
    with zipfile.ZipFile(tmp_path / "f", "a") as archive:
        archive.writestr("a.npy", content)
    with pytest.raises(ValueError, match="an array is not as long as it claims"):
        read(tmp_path / "f", "thing", 1)


def test_objects_are_never_read(tmp_path):
    import io
    import zipfile

    buffer = io.BytesIO()
    np.save(buffer, np.array([{"a": 1}], object), allow_pickle=True)
    write(tmp_path / "f", "thing", 1, {}, {})
    with zipfile.ZipFile(tmp_path / "f", "a") as archive:
        archive.writestr("a.npy", buffer.getvalue())
    with pytest.raises(ValueError, match="never written"):
        read(tmp_path / "f", "thing", 1)


def test_an_interrupted_write_leaves_the_old_file(tmp_path):
    write(tmp_path / "f", "thing", 1, {"x": 1}, {})
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        write(tmp_path / "f", "thing", 1, {"x": 2}, {"a": np.array([{}], object)})
    assert read(tmp_path / "f", "thing", 1)[0]["x"] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["f"]
