"""Machines on disk: what is kept, what goes on from there, and what is refused in which words."""

from __future__ import annotations

import io
import json
import pickle
import zipfile

import numpy as np
import pandas as pd
import pytest

from clauseboard import array_file
from clauseboard.tsetlin import (
    TsetlinMachineClassifier,
    TsetlinMachineRegressor,
    files,
)
from naive.problems import multiclass_xor, noisy_xor, planted_boards, stepped_values

X, Y = noisy_xor(np.random.default_rng(0), 200, noise=0.1)
X_NEW, Y_NEW = noisy_xor(np.random.default_rng(1), 300)
NAMES = [f"square {k}" for k in range(12)]


def machine(**changes):
    plain = {"n_clauses": 10, "specificity": 3.9, "epochs": 3, "random_state": 0}
    return TsetlinMachineClassifier(**(plain | changes))


def same(one, other, X=X_NEW, *, seconds=True):
    """Are two machines equal in all that can be seen of them, but perhaps the time it took?"""
    return (
        type(one) is type(other)
        and one.get_params() == other.get_params()
        and one.banks_.view == other.banks_.view
        and np.array_equal(one.banks_.automata, other.banks_.automata)
        and np.array_equal(one.banks_.weights, other.banks_.weights)
        and np.array_equal(one.banks_.streams, other.banks_.streams)
        and one.banks_.shuffler.bit_generator.state == other.banks_.shuffler.bit_generator.state
        and (not seconds or one.history_ == other.history_)
        and [e.score for e in one.history_] == [e.score for e in other.history_]
        and one.bit_names_ == other.bit_names_
        and one.n_features_in_ == other.n_features_in_
        and one._facts() == other._facts()
        and np.array_equal(one.votes(X), other.votes(X))
    )


def kept(original, tmp_path, **how):
    """The machine after a way to disk and back."""
    original.save(tmp_path / "kept.tm", **how)
    return type(original).load(tmp_path / "kept.tm")


# ------------------------------------------------------------------ what is kept


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"weighted": False, "threshold": 5.5, "state_bits": 4, "max_literals": 3, "n_jobs": 2},
        {"state_bits": 16, "n_clauses": np.int64(33), "specificity": np.float32(2.5)},
        {"random_state": None, "block_size": 1},
        {"board_shape": (3, 4, 1), "window": (2, 3)},
        {"board_shape": (3, 2, 2)},
    ],
    ids=str,
)
def test_a_classifier_comes_back_as_it_was(settings, tmp_path):
    original = machine(**settings).fit(X, Y, validation=(X_NEW, Y_NEW), bit_names=NAMES)
    copy = kept(original, tmp_path)
    assert same(copy, original)
    assert np.array_equal(copy.predict_proba(X_NEW), original.predict_proba(X_NEW))
    assert copy.rules() == original.rules()
    assert copy.explain(X_NEW[0]) == original.explain(X_NEW[0])


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["loss", "win"]),
        np.array(["loss", "win"], object),
        np.array(["weiß", '♚\n"|']),
        np.array([False, True]),
        np.array([-(10**15), 10**15]),
        np.array([3, 2**64 - 1], np.uint64),
        np.array([1, 2], np.int8),
        np.array([0.0, 3.0]),
        np.array([-2.0, 5.0], np.float32),
    ],
    ids=lambda labels: str(labels.dtype),
)
def test_classes_of_all_types_come_back(labels, tmp_path):
    original = machine().fit(X, labels[Y])
    copy = kept(original, tmp_path)
    assert copy.classes_.dtype == original.classes_.dtype
    assert copy.classes_.tolist() == original.classes_.tolist()
    assert list(map(type, copy.classes_.tolist())) == list(map(type, original.classes_.tolist()))
    assert np.array_equal(copy.predict(X_NEW), original.predict(X_NEW))
    copy.partial_fit(X, labels[Y])
    assert same(copy, original.partial_fit(X, labels[Y]), seconds=False)


def test_a_regressor_comes_back_as_it_was(tmp_path):
    boards, values = stepped_values(np.random.default_rng(0), 200, noise=1.0)
    original = TsetlinMachineRegressor(n_clauses=50, epochs=3, random_state=0)
    original.fit(boards, values, validation=(boards, values))
    copy = kept(original, tmp_path)
    assert same(copy, original, boards)
    assert np.array_equal(copy.predict(boards), original.predict(boards))
    assert (copy.lowest_, copy.highest_) == (original.lowest_, original.highest_)
    copy.partial_fit(boards, values)
    assert same(copy, original.partial_fit(boards, values), boards, seconds=False)


@pytest.mark.parametrize("n_classes", [1, 12])
def test_one_class_and_many(n_classes, tmp_path):
    original = machine().fit(X, np.arange(200) % n_classes)
    assert same(kept(original, tmp_path), original)


@pytest.mark.parametrize("window", [None, (2, 2)])
def test_training_goes_on_as_if_it_had_never_stopped(window, tmp_path):
    boards, classes = planted_boards(np.random.default_rng(0), 200)
    original = machine(board_shape=(4, 4, 1), window=window, n_clauses=40).fit(boards, classes)
    copy = kept(original, tmp_path)
    for _ in range(3):
        original.partial_fit(boards, classes)
        copy.partial_fit(boards, classes)
        assert np.array_equal(original.votes(boards), copy.votes(boards))
    assert np.array_equal(original.banks_.automata, copy.banks_.automata)
    assert np.array_equal(original.banks_.streams, copy.banks_.streams)
    assert [epoch.number for epoch in copy.history_] == [1, 2, 3, 4, 5, 6]
    assert copy.fit(boards, classes).history_[0].number == 1


def test_a_random_state_object_is_kept_as_what_it_gave(tmp_path):
    original = machine(random_state=np.random.RandomState(3)).fit(X, Y)
    copy = kept(original, tmp_path)
    assert copy.random_state is None
    assert np.array_equal(copy.votes(X), original.votes(X))
    original.partial_fit(X, Y)
    copy.partial_fit(X, Y)
    assert np.array_equal(original.banks_.automata, copy.banks_.automata)


def test_names_of_columns_are_checked_after_loading_too(tmp_path):
    frame = pd.DataFrame(X, columns=NAMES)
    copy = kept(machine().fit(frame, Y), tmp_path)
    assert copy.bit_names_ == NAMES
    assert copy.feature_names_in_.tolist() == NAMES
    copy.predict(frame)
    with pytest.raises(ValueError, match="feature names"):
        copy.predict(frame[NAMES[::-1]])
    assert not hasattr(kept(machine().fit(X, Y), tmp_path), "feature_names_in_")


def test_columns_with_other_bit_names_come_back(tmp_path):
    frame = pd.DataFrame(X, columns=NAMES)
    original = machine().fit(frame, Y, bit_names=[f"b{k}" for k in range(12)])
    copy = kept(original, tmp_path)
    assert np.array_equal(copy.predict(frame), original.predict(frame))


def test_a_board_shape_of_numpy_numbers_can_be_saved(tmp_path):
    shape = tuple(np.array([3, 4, 1]))
    original = machine(board_shape=shape, window=(2, 2)).fit(X, Y)
    assert same(kept(original, tmp_path), original)


def test_odd_names_come_back(tmp_path):
    names = ["", " ", "ä", "♚", "a\nb", '"', "|", "\\", "x > 0.5", "\x00", "日本", "not x"]
    assert kept(machine().fit(X, Y, bit_names=names), tmp_path).bit_names_ == names


def test_the_same_machine_gives_the_same_bytes(tmp_path):
    for name in ("one", "other"):
        fitted = machine().fit(X, Y)
        fitted.history_.clear()  # it has the seconds of each epoch
        fitted.save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_saving_changes_nothing(tmp_path):
    saved, quiet = machine().fit(X, Y), machine().fit(X, Y)
    saved.save(tmp_path / "file")
    saved.save(tmp_path / "file", inference_only=True)
    saved.partial_fit(X, Y)
    quiet.partial_fit(X, Y)
    assert np.array_equal(saved.banks_.automata, quiet.banks_.automata)


def test_a_path_may_be_text_and_the_file_may_be_moved(tmp_path):
    original = machine().fit(X, Y)
    original.save(str(tmp_path / "no suffix"))
    (tmp_path / "no suffix").rename(tmp_path / "ü.zip")
    assert same(TsetlinMachineClassifier.load(str(tmp_path / "ü.zip")), original)


def test_nothing_is_pickled(tmp_path):
    machine().fit(X, np.where(Y, "win", "loss").astype(object)).save(tmp_path / "file")
    with zipfile.ZipFile(tmp_path / "file") as archive:
        names = archive.namelist()
        assert "machine.json" in names
        assert json.loads(archive.read("machine.json"))["version"] == 1
        for name in names:
            if name != "machine.json":
                array = np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
                assert array.dtype.kind in "ui"


# ------------------------------------------------------------------ inference_only


@pytest.mark.parametrize("shape", [{}, {"board_shape": (3, 4, 1), "window": (2, 2)}])
def test_an_inference_only_file_is_smaller_and_says_the_same(shape, tmp_path):
    original = machine(n_clauses=200, **shape).fit(X, np.where(Y, "win", "loss"), bit_names=NAMES)
    original.save(tmp_path / "whole")
    small = kept(original, tmp_path, inference_only=True)
    assert (tmp_path / "kept.tm").stat().st_size < 0.5 * (tmp_path / "whole").stat().st_size
    assert np.array_equal(small.votes(X_NEW), original.votes(X_NEW))
    assert np.array_equal(small.predict(X_NEW), original.predict(X_NEW))
    assert np.array_equal(small.predict_proba(X_NEW), original.predict_proba(X_NEW))
    assert small.rules() == original.rules()
    assert small.clauses_of("win") == original.clauses_of("win")
    assert all(small.explain(x) == original.explain(x) for x in X_NEW[:50])
    assert small.history_ == original.history_
    with pytest.raises(ValueError, match=r"inference_only.*fit to start afresh"):
        small.partial_fit(X, np.where(Y, "win", "loss"))
    assert np.array_equal(small.votes(X_NEW), original.votes(X_NEW))
    small.fit(X, Y)
    assert np.array_equal(
        small.banks_.automata, machine(n_clauses=200, **shape).fit(X, Y).banks_.automata
    )


def test_an_inference_only_machine_can_be_kept_so_again(tmp_path):
    small = kept(machine().fit(X, Y), tmp_path, inference_only=True)
    again = kept(small, tmp_path, inference_only=True)
    assert np.array_equal(again.votes(X), small.votes(X))
    assert np.array_equal(pickle.loads(pickle.dumps(small)).votes(X), small.votes(X))


def test_an_inference_only_machine_can_be_saved_plainly(tmp_path):
    small = kept(machine().fit(X, Y), tmp_path, inference_only=True)
    assert np.array_equal(kept(small, tmp_path).votes(X), small.votes(X))


# ------------------------------------------------------------------ parameters changed after fit


@pytest.mark.parametrize(
    "change", [{"n_clauses": 12}, {"state_bits": 10}, {"window": None}], ids=str
)
def test_a_machine_whose_parameters_were_changed_comes_back(change, tmp_path):
    original = machine(board_shape=(3, 4, 1), window=(2, 2)).fit(X, Y)
    votes = original.votes(X)
    original.set_params(**change)
    assert np.array_equal(original.votes(X), votes)
    # A refusal to save would do as well; a file that is then called damaged does not.
    try:
        original.save(tmp_path / "changed")
    except ValueError:
        return
    assert np.array_equal(TsetlinMachineClassifier.load(tmp_path / "changed").votes(X), votes)


# ------------------------------------------------------------------ damage


@pytest.fixture(scope="module")
def small_file(tmp_path_factory):
    """A machine, its file's bytes, and where the zip's directory starts in them."""
    path = tmp_path_factory.mktemp("damage") / "machine.tm"
    original = machine(n_clauses=4).fit(X, Y)
    original.save(path)
    with zipfile.ZipFile(path) as archive:
        return original, path.read_bytes(), archive.start_dir


def fate(content, original, path):
    """What comes of loading a file: None if it is the same machine or refused as it should be."""
    path.write_bytes(content)
    try:
        copy = TsetlinMachineClassifier.load(path)
    except ValueError as refused:
        return None if str(path) in str(refused) else f"refused without its name: {refused}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return None if same(copy, original, X[:20]) else "another machine"


def test_cut_short_at_any_length(small_file, tmp_path):
    original, content, _ = small_file
    for length in [
        *range(40),
        *range(40, len(content), 13),
        *range(len(content) - 40, len(content)),
    ]:
        assert fate(content[:length], original, tmp_path / "cut") is None, length
        with pytest.raises(ValueError, match=r"empty|another kind|cut short"):
            TsetlinMachineClassifier.load(tmp_path / "cut")


def test_more_bytes_than_there_should_be(small_file, tmp_path):
    original, content, _ = small_file
    for junk in (b"\0", b"junk" * 100, content):
        assert fate(content + junk, original, tmp_path / "long") is None


def flips(content, first, end, n):
    """Some places and what to flip there, spread over a part of a file."""
    rng = np.random.default_rng(first)
    for place in np.unique(np.linspace(first, end - 1, n).astype(int)):
        for mask in (1 << int(rng.integers(8)), int(rng.integers(1, 256))):
            flipped = bytearray(content)
            flipped[place] ^= mask
            yield place, mask, bytes(flipped)


def test_any_byte_of_the_contents_flipped(small_file, tmp_path):
    original, content, directory = small_file
    for place, mask, flipped in flips(content, 0, directory, 250):
        assert fate(flipped, original, tmp_path / "flipped") is None, (place, mask)


def test_any_byte_of_the_directory_flipped(small_file, tmp_path):
    original, content, directory = small_file
    fates = {
        (int(place), mask): fate(flipped, original, tmp_path / "flipped")
        for place, mask, flipped in flips(content, directory, len(content), 10**4)
    }
    assert {key: what for key, what in fates.items() if what} == {}


@pytest.mark.parametrize(
    ("offset", "mask"),
    [(6, 64), (8, 1), (10, 4), (10, 6), (42, 255), (24, 255), (28, 1), (30, 1)],
    ids=["version", "encrypted", "bzip2", "lzma", "place", "size", "name", "extra"],
)
def test_chosen_bytes_of_the_directory_flipped(small_file, tmp_path, offset, mask):
    original, content, directory = small_file
    flipped = bytearray(content)
    flipped[directory + offset] ^= mask
    assert fate(bytes(flipped), original, tmp_path / "flipped") is None


# ------------------------------------------------------------------ files of another kind


def zipped(**files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return buffer.getvalue()


def arrays_file():
    buffer = io.BytesIO()
    np.savez(buffer, automata=np.zeros(3), weights=np.ones(3))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"some text\n", "another kind"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "another kind"),
        (pickle.dumps({"a": 1}), "another kind"),
        (zipped(readme_txt="hello"), "zip file of another kind"),
        (arrays_file(), "zip file of another kind"),
        (zipped(machine_json="{}"), "another kind"),
        (zipped(machine_json="[1, 2]"), "another kind"),
        (zipped(machine_json='{"format": "something else", "version": 1}'), "another kind"),
        (zipped(machine_json="not JSON"), "damaged"),
        (zipped(machine_json=b"\xff\xfe"), "damaged"),
        (zipped(), "cut short|another kind"),
    ],
    ids=[
        "empty",
        "text",
        "png",
        "pickle",
        "zip",
        "npz",
        "empty page",
        "list",
        "other format",
        "no JSON",
        "no text",
        "empty zip",
    ],
)
def test_foreign_files_are_refused_in_words_that_say_which(content, words, tmp_path):
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=words) as caught:
        TsetlinMachineClassifier.load(path)
    assert str(path) in str(caught.value)


def rewritten(content, path, change=None, **arrays):
    """Write a file with its page changed by a function, or some of its arrays."""
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "machine.json" and change is not None:
                page = json.loads(data)
                change(page)
                data = json.dumps(page).encode()
            elif name.removesuffix(".npy") in arrays:
                buffer = io.BytesIO()
                np.save(buffer, arrays[name.removesuffix(".npy")])
                data = buffer.getvalue()
            new.writestr(name, data)


def test_a_newer_version_is_refused_as_such(small_file, tmp_path):
    rewritten(small_file[1], tmp_path / "new", lambda page: page.update(version=2))
    with pytest.raises(ValueError, match=r"version 2.*newer.*\(1\)"):
        TsetlinMachineClassifier.load(tmp_path / "new")


@pytest.mark.parametrize(
    "change",
    [
        lambda page: page.pop("version"),
        lambda page: page.update(version="one"),
        lambda page: page.pop("facts"),
        lambda page: page.pop("parameters"),
        lambda page: page["parameters"].update(n_clauses=-4),
        lambda page: page["parameters"].update(n_clauses=5),
        lambda page: page["parameters"].update(unheard_of=1),
        lambda page: page["parameters"].update(window=[2, 2]),
        lambda page: page.update(n_bits=13),
        lambda page: page.update(n_bits="many"),
        lambda page: page.update(bit_names=["a"]),
        lambda page: page.update(bit_names=None, n_bits=400),
        lambda page: page["facts"].update(classes=[1]),
        lambda page: page["facts"].update(class_type="nonsense"),
        lambda page: page["facts"].update(temperature=None),
        lambda page: page.update(history=[[1]]),
        lambda page: page.update(shuffler={}),
        lambda page: page["shuffler"].update(bit_generator="MT19937"),
    ],
)
def test_pages_that_contradict_themselves_are_refused(change, small_file, tmp_path):
    rewritten(small_file[1], tmp_path / "odd", change)
    with pytest.raises(ValueError, match="odd is damaged"):
        TsetlinMachineClassifier.load(tmp_path / "odd")


@pytest.mark.parametrize(
    "change", [lambda page: page.pop("kind"), lambda page: page.update(kind=[])]
)
def test_a_page_without_a_kind_is_refused(change, small_file, tmp_path):
    rewritten(small_file[1], tmp_path / "odd", change)
    with pytest.raises(ValueError, match="odd is damaged"):
        TsetlinMachineClassifier.load(tmp_path / "odd")


@pytest.mark.parametrize(
    "arrays",
    [
        {"weights": np.ones((2, 4))},
        {"weights": np.ones((2, 5), np.int32)},
        {"automata": np.zeros((2, 4, 8, 4), np.int64)},
        {"automata": np.zeros((2, 4, 8, 8), np.uint64)},
        {"streams": np.zeros((2, 1), np.uint64)},
    ],
    ids=lambda arrays: next(iter(arrays)),
)
def test_arrays_that_do_not_fit_are_refused(arrays, small_file, tmp_path):
    rewritten(small_file[1], tmp_path / "odd", **arrays)
    with pytest.raises(ValueError, match=rf"odd is damaged.*{next(iter(arrays))}"):
        TsetlinMachineClassifier.load(tmp_path / "odd")


def test_an_array_of_pickled_objects_is_refused(small_file, tmp_path):
    rewritten(small_file[1], tmp_path / "odd", weights=np.array([[print]], object))
    with pytest.raises(ValueError, match="pickle"):
        TsetlinMachineClassifier.load(tmp_path / "odd")


def test_the_wrong_kind_of_machine_is_refused(tmp_path):
    boards, values = stepped_values(np.random.default_rng(0), 50)
    TsetlinMachineRegressor(n_clauses=4, epochs=1).fit(boards, values).save(tmp_path / "values")
    machine().fit(X, Y).save(tmp_path / "classes")
    with pytest.raises(ValueError, match=r"holds a TsetlinMachineRegressor, not a .*Classifier"):
        TsetlinMachineClassifier.load(tmp_path / "values")
    with pytest.raises(ValueError, match=r"holds a TsetlinMachineClassifier, not a .*Regressor"):
        TsetlinMachineRegressor.load(tmp_path / "classes")


def test_no_file_and_a_folder_are_errors_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        TsetlinMachineClassifier.load(tmp_path / "nothing")
    with pytest.raises(OSError, match=tmp_path.name):
        TsetlinMachineClassifier.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        machine().fit(X, Y).save(tmp_path / "no folder" / "file")


# ------------------------------------------------------------------ interrupted saves


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError("no space left")])
@pytest.mark.parametrize("after", [0, 1, 3])
def test_an_interrupted_save_leaves_the_old_file(error, after, tmp_path, monkeypatch):
    path = tmp_path / "machine.tm"
    old = machine().fit(X, Y)
    old.save(path)
    written = []
    whole = zipfile.ZipFile.writestr

    def interrupted(self, *arguments, **more):
        if len(written) == after:
            raise error
        written.append(arguments[0])
        return whole(self, *arguments, **more)

    boards, classes = multiclass_xor(np.random.default_rng(0), 100)
    with monkeypatch.context() as patched:
        patched.setattr(zipfile.ZipFile, "writestr", interrupted)
        with pytest.raises(type(error) if isinstance(error, Exception) else error):
            machine().fit(boards, classes).save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["machine.tm"]
    assert same(TsetlinMachineClassifier.load(path), old)


def test_a_save_over_an_old_file_replaces_it(tmp_path):
    machine(n_clauses=100).fit(X, Y).save(tmp_path / "machine.tm")
    newer = machine(random_state=1).fit(X, Y)
    newer.save(tmp_path / "machine.tm")
    assert same(TsetlinMachineClassifier.load(tmp_path / "machine.tm"), newer)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("kind", "weighted", "meant"),
    [
        (TsetlinMachineClassifier, True, 60),
        (TsetlinMachineClassifier, False, 5),
        (TsetlinMachineRegressor, True, 150),
        (TsetlinMachineRegressor, False, 30),
    ],
)
def test_a_file_of_the_first_version_keeps_its_default_threshold(tmp_path, kind, weighted, meant):
    X = np.random.default_rng(0).integers(2, size=(60, 5))
    machine = kind(30, weighted=weighted, epochs=1, random_state=0).fit(X, X[:, 0])
    path = tmp_path / "machine.tm"
    machine.save(path)
    assert kind.load(path).threshold is None
    page, arrays = array_file.read(path, files.FORMAT, files.VERSION, files.LARGEST, files.PAGE)
    del page["threshold"]
    own = ("format", "version")
    page = {name: value for name, value in page.items() if name not in own}
    array_file.write(path, files.FORMAT, files.VERSION, page, arrays, files.PAGE)
    assert kind.load(path)._threshold() == meant
