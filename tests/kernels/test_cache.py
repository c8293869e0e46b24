"""Where compiled kernels are kept, tried out with whole processes on a copy of the package.

A process that has to compile takes some ten seconds, so the tests share what they can.
"""

import json
import os
import shutil
import subprocess
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from clauseboard.kernels import compiler as compiled

PROGRAM = """
import json, sys
from numba.core import config, dispatcher, event

with event.install_recorder("numba:compile") as recorder:
    import numpy as np
    from clauseboard.tsetlin import TsetlinMachineClassifier

    X = np.random.default_rng(0).integers(2, size=(60, 6))
    machine = TsetlinMachineClassifier(n_clauses=6, specificity=3.0, epochs=2, random_state=0)
    votes = machine.fit(X, X[:, 0] ^ X[:, 1]).votes(X)

modules = [module for name, module in sys.modules.items() if name.startswith("clauseboard")]
dispatchers = {
    f"{value.__module__}.{value.__name__}": value
    for module in modules
    for value in vars(module).values()
    if isinstance(value, dispatcher.Dispatcher)
}
print(json.dumps({
    "package": sys.modules["clauseboard"].__file__,
    "votes": votes.tolist(),
    "compilations": len(recorder.buffer),
    "hits": {name: sum(d.stats.cache_hits.values()) for name, d in dispatchers.items()},
    "misses": {name: sum(d.stats.cache_misses.values()) for name, d in dispatchers.items()},
    "numba_cache": config.CACHE_DIR,
}))
"""
NOTICE = "clauseboard: compiling its kernels; this takes up to a minute and happens once.\n"
KERNELS = {
    "clauseboard.tsetlin.kernels.train_blocks",
    "clauseboard.tsetlin.random_masks.fill_pool",
    "clauseboard.kernels.clause_table.count_votes",
    "clauseboard.kernels.clause_table.fill_table",
}
STEP, OTHER_STEP = "0x9E37_79B9_7F4A_7C15", "0xD1B5_4A32_D192_ED03"


@dataclass
class Copy:
    """A copy of the package's source, to be changed at will, and its folder of kernels."""

    home: Path
    cache: Path

    @classmethod
    def under(cls, home: Path, cache: Path | None = None) -> "Copy":
        shutil.copytree(
            compiled.PACKAGE,
            home / "src" / "clauseboard",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        return cls(home, home / "cache" if cache is None else cache)

    def run(self, **environment: str) -> tuple[dict, str]:
        """Train a tiny machine in a process of its own; what it reports, and its error output."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
        ours = {
            "CLAUSEBOARD_CACHE": str(self.cache),
            "PYTHONPATH": str(self.home / "src"),
            "TMPDIR": str(self.home),
        }
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=inherited | ours | environment,
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        assert Path(report["package"]).is_relative_to(self.home)
        return report, done.stderr

    def replace(self, old: str, new: str) -> None:
        """Change `words.py`, which no kernel that Python calls is written in."""
        path = self.home / "src" / "clauseboard" / "words.py"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def folders(self) -> set[str]:
        return {path.name for path in self.cache.iterdir()}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return Copy.under(tmp_path_factory.mktemp("copy"))


@pytest.fixture(scope="module")
def first(copy):
    return copy.run()


@pytest.fixture(scope="module")
def second(copy, first):
    return copy.run()


# ------------------------------------------------------------------ compiled once


def test_the_first_process_compiles_and_says_so_once(copy, first):
    report, errors = first
    assert errors == NOTICE
    assert report["compilations"] > 0
    assert {name for name, misses in report["misses"].items() if misses} >= KERNELS
    assert copy.folders() == {f"kernels-{compiled.source_hash(copy.home / 'src/clauseboard')}"}


def test_the_second_process_compiles_nothing_and_says_nothing(first, second):
    report, errors = second
    assert errors == ""
    assert report["compilations"] == 0
    assert not any(report["misses"].values())
    assert {name for name, hits in report["hits"].items() if hits} >= KERNELS
    assert report["votes"] == first[0]["votes"]


def test_numbas_own_folder_is_left_as_it_was(first, second):
    assert first[0]["numba_cache"] == second[0]["numba_cache"] == ""


def test_compiled_and_not_compiled_kernels_give_the_same_machine(copy, first):
    plain, errors = copy.run(NUMBA_DISABLE_JIT="1")
    assert errors == ""
    assert plain["compilations"] == 0
    assert plain["votes"] == first[0]["votes"]


def test_a_change_in_a_file_that_kernels_import_is_not_missed(copy, first, second):
    before = copy.folders()
    copy.replace(STEP, OTHER_STEP)
    changed, errors = copy.run()
    # What the changed source says, without anything kept from before.
    truth, _ = copy.run(NUMBA_DISABLE_JIT="1")
    assert errors == NOTICE
    assert changed["votes"] == truth["votes"] != first[0]["votes"]
    assert before < copy.folders()
    assert len(copy.folders()) == 2

    copy.replace(OTHER_STEP, STEP)
    back, errors = copy.run()
    assert (back["votes"], back["compilations"], errors) == (first[0]["votes"], 0, "")


# ------------------------------------------------------------------ folders that cannot be written


@pytest.fixture(scope="module")
def unwritable(tmp_path_factory):
    """A copy whose cache would lie below a file; that stops even root, as chmod does not."""
    home = tmp_path_factory.mktemp("unwritable")
    (home / "file").write_text("")
    return Copy.under(home, home / "file" / "cache")


@pytest.fixture(scope="module")
def run_unwritable(unwritable):
    return unwritable.run()


def test_a_cache_that_cannot_be_written_does_not_stop_the_work(run_unwritable, first):
    assert run_unwritable[0]["votes"] == first[0]["votes"]


def test_without_a_cache_a_change_is_not_missed_either(unwritable, run_unwritable):
    unwritable.replace(STEP, OTHER_STEP)
    changed, _ = unwritable.run()
    truth, _ = unwritable.run(NUMBA_DISABLE_JIT="1")
    assert changed["votes"] == truth["votes"] != run_unwritable[0]["votes"]


def test_where_nothing_can_be_written_the_work_goes_on(tmp_path, first):
    (tmp_path / "file").write_text("")
    copy = Copy.under(tmp_path, tmp_path / "file" / "cache")
    for folder in [path.parent for path in (tmp_path / "src").rglob("*.py")]:
        (folder / "__pycache__").touch()
    nowhere = str(tmp_path / "file" / "home")
    report, _ = copy.run(HOME=nowhere, XDG_CACHE_HOME=nowhere, LOCALAPPDATA=nowhere)
    assert report["votes"] == first[0]["votes"]


# ------------------------------------------------------------------ which folder


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUSEBOARD_CACHE", str(tmp_path))
    return tmp_path


def found_folder() -> Path:
    """The folder as a new process would find it."""
    return compiled.cache_folder.__wrapped__()


def days_old(path: Path, days: float) -> Path:
    then = time.time() - days * 24 * 3600
    os.utime(path, (then, then))
    return path


def test_folders_long_unused_are_removed(cache):
    for name, days in [("old", 31), ("older", 400), ("young", 29), ("new", 0)]:
        (cache / f"kernels-{name}").mkdir()
        (cache / f"kernels-{name}" / "kernel.nbi").write_text("")
        days_old(cache / f"kernels-{name}", days)
    # Neither is ours.
    (cache / "notes").mkdir()
    days_old(cache / "notes", 400)
    (cache / "kernels-file").write_text("")
    days_old(cache / "kernels-file", 400)
    own = found_folder()
    assert {path.name for path in cache.iterdir()} == {
        "kernels-young",
        "kernels-new",
        "kernels-file",
        "notes",
        own.name,
    }


def test_the_folder_in_use_stays_young(cache):
    own = found_folder()
    (own / "kernel.nbi").write_text("")
    days_old(own, 400)
    assert found_folder() == own
    assert (own / "kernel.nbi").exists()
    assert time.time() - own.stat().st_mtime < 3600


def test_the_folder_is_made_with_those_above_it(tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUSEBOARD_CACHE", str(tmp_path / "a" / "b"))
    own = found_folder()
    assert own.parent == tmp_path / "a" / "b"
    assert own.is_dir()


@pytest.mark.parametrize(
    ("named", "used"),
    [
        ({"CLAUSEBOARD_CACHE": "ours", "NUMBA_CACHE_DIR": "numbas", "XDG_CACHE_HOME": "x"}, "ours"),
        ({"NUMBA_CACHE_DIR": "numbas", "XDG_CACHE_HOME": "x"}, "numbas"),
        ({"CLAUSEBOARD_CACHE": "", "XDG_CACHE_HOME": "x"}, "x/clauseboard"),
        ({"XDG_CACHE_HOME": "", "HOME": "home"}, "home/.cache/clauseboard"),
    ],
)
@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="other folders there")
def test_the_folder_is_the_first_that_is_named(named, used, tmp_path, monkeypatch):
    for name in ("CLAUSEBOARD_CACHE", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in named.items():
        monkeypatch.setenv(name, str(tmp_path / value) if value else "")
    assert found_folder().parent == tmp_path / used


# ------------------------------------------------------------------ what the hash sees


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "words.py").write_text("import numba\nSTEP = 1\n")
    (tmp_path / "deep" / "kernels.py").write_text(
        "from clauseboard.kernels.compiler import kernel\n"
    )
    (tmp_path / "deep" / "plain.py").write_text("STEP = 1\n")
    return tmp_path


@pytest.mark.parametrize("name", ["words.py", "deep/kernels.py"])
def test_a_byte_of_a_kernel_source_gives_another_hash(sources, name):
    before = compiled.source_hash(sources)
    with (sources / name).open("a") as file:
        file.write("\n")
    assert compiled.source_hash(sources) != before


def test_a_kernel_source_of_another_name_gives_another_hash(sources):
    before = compiled.source_hash(sources)
    (sources / "words.py").rename(sources / "other.py")
    assert compiled.source_hash(sources) != before


def test_a_file_without_kernels_does_not_matter(sources):
    before = compiled.source_hash(sources)
    (sources / "deep" / "plain.py").write_text("STEP = 2\n")
    assert compiled.source_hash(sources) == before


def test_every_file_that_the_kernels_take_something_from_is_in_the_hash(tmp_path):
    copy = Copy.under(tmp_path).home / "src" / "clauseboard"
    for name in ["words.py", "lanes.py", "compiled.py"] + [
        f"tsetlin/{file}.py" for file in ("kernels", "inference")
    ]:
        before = compiled.source_hash(copy)
        with (copy / name).open("a") as file:
            file.write("\n")
        assert compiled.source_hash(copy) != before, name


# ------------------------------------------------------------------ without the compiler


def test_without_the_compiler_a_kernel_is_its_function(monkeypatch):
    monkeypatch.setattr(compiled, "JIT_DISABLED", True)

    @compiled.kernel("uint64(uint64)")
    def doubled(word):
        """Twice the word, without the carry."""
        return word + word

    assert doubled.__doc__ == "Twice the word, without the carry."
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert doubled(np.uint64(2**63 + 1)) == 2


def test_without_numba_the_package_works_slowly_and_says_so():
    code = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
import numpy as np
from clauseboard.tsetlin import TsetlinMachineClassifier
X = np.tile([[0, 1], [1, 0]], (8, 1))
machine = TsetlinMachineClassifier(4, random_state=0, epochs=2).fit(X, X[:, 0])
print(machine.score(X, X[:, 0]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == 1
    assert done.stderr.count("Numba is missing") == 1


def test_without_any_folder_kernels_are_compiled_each_time(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CLAUSEBOARD_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(compiled.tempfile, "gettempdir", lambda: str(tmp_path / "file" / "tmp"))
    assert found_folder() is None
    monkeypatch.setattr(compiled, "cache_folder", lambda: None)
    monkeypatch.setattr(compiled, "_said", set())
    assert compiled.kernel("int64(int64)")(lambda number: number + 1)(3) == 4
    if not compiled.JIT_DISABLED:
        assert "happens each time" in capsys.readouterr().err


def test_a_temporary_folder_stands_in_for_the_users(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CLAUSEBOARD_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(compiled.tempfile, "gettempdir", lambda: str(tmp_path))
    folder = found_folder()
    assert folder is not None
    assert folder.parent.parent == tmp_path
