"""Where compiled kernels are kept, tried out with whole processes on a small package."""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from types import FunctionType, ModuleType
from typing import NamedTuple

import numpy as np
import pytest

import clauseboard
from clauseboard import files
from clauseboard.files import try_lock
from clauseboard.kernels import compiler
from clauseboard.kernels.compiler import (
    JIT_DISABLED,
    Helper,
    Intrinsic,
    Kernel,
    cache_folder,
    fingerprint,
    kernel,
    specialised,
)

compiled_only = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")

# ------------------------------------------------------------------ whole processes

TOY = {
    "constants.py": "STEP = 3\nUNUSED = 1\n",
    "steps.py": """
        from clauseboard.kernels.bits import count_ones
        from clauseboard.kernels.compiler import helper
        from toy.constants import STEP

        @helper
        def step(x):
            return x + STEP * count_ones(x)
    """,
    "running.py": """
        from clauseboard.kernels.compiler import kernel
        from toy.steps import step

        @kernel("int64(int64)")
        def walk(x):
            return step(step(x))

        @kernel("uint64(uint64)")
        def doubled(x):
            "Twice."
            return x + x

        @kernel("int64(int64)")
        def walk_on(x):
            return walk(walk(x)) if x < 6 else walk_on(x - 1)
    """,
    "shared_template.py": """
        from clauseboard.kernels.compiler import helper, kernel

        @helper
        def twice(x):
            return rules.change(rules.change(x))

        @kernel(f"{rules.NUMBER}({rules.NUMBER})")
        def run(x):
            return twice(x)
    """,
    "adding.py": """
        from clauseboard.kernels.compiler import helper
        NUMBER = "int64"

        @helper
        def change(x):
            return x + 1
    """,
    "doubling.py": """
        from clauseboard.kernels.compiler import helper
        NUMBER = "int64"

        @helper
        def change(x):
            return 2 * x
    """,
    "__init__.py": "",
    "__main__.py": """
        import json, os, sys
        import numpy as np
        from toy import adding, doubling, running
        from clauseboard.kernels.compiler import (
            compile_elsewhere, on_compile, prepare, specialised
        )
        from clauseboard.kernels.compiler_process import end_compiler_processes

        made = [specialised("toy.shared_template", rules) for rules in (adding, doubling)]
        early = "numba" in sys.modules
        from numba.core import config, event
        reports = []
        on_compile_before = on_compile(lambda each: (reports.append(each), on_compile_before(each)))
        if "ELSEWHERE" in os.environ:
            compile_elsewhere()
        with event.install_recorder("numba:compile") as recorder:
            if "PREPARE" in os.environ:
                prepare([running.walk, running.doubled, *(module.run for module in made)])
            results = [int(running.walk(5)), int(running.doubled(np.uint64(2**63 + 1)))]
            results += [int(module.run(5)) for module in made]
            if "CALL" in os.environ:
                results = [int(running.walk_on(7))]
        end_compiler_processes()
        print(json.dumps({
            "results": results,
            "compiled": sorted({
                each.data["dispatcher"].py_func.__name__ for _, each in recorder.buffer
            }),
            "early": early,
            "once": specialised("toy.shared_template", adding) is made[0],
            "numba_cache": config.CACHE_DIR,
            "reports": [(each.done, each.expected) for each in reports],
        }))
    """,
}
NOTICE = "clauseboard: compiling its kernels; this takes up to a minute and happens once.\n"
RESULTS = [20, 2, 7, 20]  # 5 has two bits set, and 11 has three
NOTHING: dict[str, list] = {"compiled": [], "reports": []}
ALL = ["change", "doubled", "run", "step", "twice", "walk"]


class Toy(NamedTuple):
    """A package of four kernels, to be changed at will, and the folder for what is compiled."""

    home: Path
    cache: Path

    @classmethod
    def under(cls, home: Path, cache: Path | None = None) -> Toy:
        (home / "toy").mkdir(parents=True)
        for name, text in TOY.items():
            (home / "toy" / name).write_text(textwrap.dedent(text))
        return cls(home, cache or home / "cache")

    def run(self, **environment: str) -> tuple[dict, str]:
        """Call the kernels in a process of their own: what it reports, and its error output."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
        ours = {
            "CLAUSEBOARD_CACHE": str(self.cache),
            "PYTHONPATH": os.pathsep.join(sys.path),
            # Bytecode of a file is taken for that of one as long from the same second.
            "PYTHONDONTWRITEBYTECODE": "1",
            "TMPDIR": str(self.home),
        }
        done = subprocess.run(
            [sys.executable, "-m", "toy"],
            env=inherited | ours | environment,
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout), done.stderr

    def replace(self, name: str, old: str, new: str) -> None:
        path = self.home / "toy" / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    return Toy.under(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="module")
def first(toy):
    return toy.run()


@compiled_only
def test_the_first_process_compiles_and_says_so_once(toy, first):
    report, errors = first
    assert errors == NOTICE
    assert report == {
        "results": RESULTS,
        "compiled": ALL,
        "early": False,
        "once": True,
        "numba_cache": "",
        "reports": [[0, 1], [1, 1]] * 4,
    }
    names = sorted(path.name.rpartition("-")[0] for path in (toy.cache / "kernels").iterdir())
    assert names == ["running.doubled", "running.walk", *2 * ["shared_template.run"]]


@compiled_only
def test_a_kernel_that_another_one_calls_is_compiled_once(tmp_path):
    toy = Toy.under(tmp_path)
    toy.replace("__main__.py", "results = [int(running.walk(5)),", "results = [")
    report, errors = toy.run(CALL="1")
    assert report["results"] == [35]  # 5, 11, 20, 26 have 2, 3, 2, 3 bits set
    assert (report["compiled"], errors) == (sorted([*ALL, "walk_on"]), NOTICE)
    report, _ = toy.run(CALL="1")
    assert (report["results"], report["compiled"]) == ([35], [])
    # One that is missing is compiled anew, and not those that call it.
    shutil.rmtree(next((toy.cache / "kernels").glob("running.walk-*")))
    report, _ = toy.run(CALL="1")
    assert (report["results"], report["compiled"]) == ([35], ["step", "walk"])


@compiled_only
def test_a_copy_elsewhere_compiles_nothing_and_says_nothing(toy, first, tmp_path):
    """Neither the place of the source, nor its age, comments and line numbers matter."""
    copy = Toy.under(tmp_path / "copy", toy.cache)
    copy.replace("steps.py", "\n@helper", "\n\n# Twice as many lines.\n\n@helper")
    copy.replace("running.py", "Twice.", "Twice as much, without the carry.")
    report, errors = copy.run()
    assert (report, errors) == (first[0] | NOTHING, "")


@compiled_only
def test_kernels_that_are_prepared_are_compiled_in_two_processes(tmp_path):
    report, errors = Toy.under(tmp_path).run(PREPARE="1")
    assert (report["results"], errors) == (RESULTS, NOTICE)
    here = ALL if os.cpu_count() == 1 else ["step", "walk"]
    assert report["compiled"] == here
    assert report["reports"][:2] == [[0, 4], [1, 4]]
    assert report["reports"][-1] == [4, 4]


@compiled_only
@pytest.mark.parametrize("prepared", [{}, pytest.param({"PREPARE": "1"}, marks=pytest.mark.long)])
def test_a_process_that_is_to_stay_small_compiles_nothing_itself(tmp_path, prepared):
    report, errors = Toy.under(tmp_path).run(ELSEWHERE="1", **prepared)
    assert (report["results"], report["compiled"], errors) == (RESULTS, [], NOTICE)
    assert report["reports"][-1] == ([4, 4] if prepared else [1, 1])


@compiled_only
def test_what_cannot_be_compiled_elsewhere_is_compiled_here(tmp_path):
    toy = Toy.under(tmp_path)
    toy.replace("__main__.py", "import json", "sys = __import__('sys'); import json")
    toy.replace("__main__.py", "early =", "sys.executable = '/bin/false'; early =")
    report, _ = toy.run(ELSEWHERE="1")
    assert (report["results"], report["compiled"]) == (RESULTS, ALL)


@compiled_only
def test_a_change_in_a_file_that_kernels_import_is_not_missed(toy, first):
    toy.replace("constants.py", "STEP = 3", "STEP = 4")
    toy.replace("constants.py", "UNUSED = 1", "UNUSED = 2")
    toy.replace("doubling.py", "2 * x", "3 * x")
    report, errors = toy.run()
    # Those that the change does not concern are found in the cache.
    assert report["results"] == [25, 2, 7, 45]
    assert report["compiled"] == ["change", "run", "step", "twice", "walk"]
    assert errors == NOTICE

    toy.replace("constants.py", "STEP = 4", "STEP = 3")
    toy.replace("doubling.py", "3 * x", "2 * x")
    assert toy.run() == (first[0] | NOTHING, "")


def test_compiled_and_plain_kernels_give_the_same(toy):
    report, errors = toy.run(NUMBA_DISABLE_JIT="1")
    assert (report["results"], report["compiled"], errors) == (RESULTS, [], "")


@compiled_only
def test_where_nothing_can_be_written_the_work_goes_on(tmp_path):
    # A cache below a file stops even root, as the permissions of a folder do not.
    toy = Toy.under(tmp_path, tmp_path / "file" / "cache")
    for name in ("file", f"clauseboard-{os.getuid()}"):
        (tmp_path / name).write_text("")
    report, errors = toy.run()
    assert (report["results"], report["compiled"]) == (RESULTS, ALL)
    assert errors == NOTICE.replace("once", "each time: no folder to keep them")


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
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == 1
    assert done.stderr.count("Numba is missing") == 1


# ------------------------------------------------------------------ which folder


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUSEBOARD_CACHE", str(tmp_path))
    return tmp_path


def found_folder() -> Path | None:
    """The folder as a new process would find it."""
    return cache_folder.__wrapped__()


def days_old(path: Path, days: float) -> Path:
    then = time.time() - days * 24 * 3600
    os.utime(path, (then, then))
    return path


def test_folders_long_unused_are_removed(cache):
    (cache / "kernels").mkdir()
    for name, days in [("old", 31), ("older", 400), ("young", 29), ("new", 0)]:
        for folder in (cache / "kernels" / name, cache / f"kernels-{name}"):
            folder.mkdir()
            (folder / "kernel.nbi").write_text("")
            days_old(folder, days)
    # Neither is ours.
    (cache / "notes").mkdir()
    days_old(cache / "notes", 400)
    (cache / "kernels-file").write_text("")
    days_old(cache / "kernels-file", 400)
    assert found_folder() == cache / "kernels"
    assert sorted(path.name for path in cache.iterdir()) == [
        "kernels", "kernels-file", "kernels-new", "kernels-young", "notes",
    ]  # fmt: skip
    assert sorted(path.name for path in (cache / "kernels").iterdir()) == ["new", "young"]


@compiled_only
def test_a_folder_that_is_loaded_from_stays_young(tmp_path, monkeypatch):
    monkeypatch.setattr(compiler, "cache_folder", lambda: tmp_path)

    def tripled(number):
        return 3 * number

    for _ in range(2):
        assert compiler.kernel("int64(int64)")(tripled)(5) == 15
        (folder,) = tmp_path.iterdir()
        age = time.time() - folder.stat().st_mtime
        assert age < 3600
        days_old(folder, 29)


def test_a_folder_is_held_by_one_at_a_time(tmp_path):
    with compiler.locked(tmp_path / "kernel"), open(tmp_path / "kernel" / "lock", "ab") as file:
        assert not try_lock(file)
    with open(tmp_path / "kernel" / "lock", "ab") as file:
        assert try_lock(file)


def test_a_folder_that_cannot_be_made_is_not_held(tmp_path):
    (tmp_path / "file").touch()
    with compiler.locked(tmp_path / "file" / "kernel"), compiler.locked(None):
        assert list(tmp_path.iterdir()) == [tmp_path / "file"]


@compiled_only
def test_what_another_process_compiled_meanwhile_is_loaded(tmp_path, monkeypatch):
    from numba.core import event

    def tripled(number):
        return 3 * number

    class OwnKernel(Kernel):
        """Its `__call__` becomes its own."""

    elsewhere = OwnKernel(tripled, ("int64(int64)",), {})

    @contextlib.contextmanager
    def held_before(folder):
        monkeypatch.undo()
        elsewhere.folder = folder
        elsewhere.compile()
        yield

    here = kernel("int64(int64)")(tripled)
    here.folder = tmp_path / "kernel"
    monkeypatch.setattr("clauseboard.kernels.compiler.locked", held_before)
    with event.install_recorder("numba:compile") as recorder:
        assert here(2) == 6
    assert len(recorder.buffer) == 2  # the beginning and the end of one


def test_the_folder_is_made_with_those_above_it(tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUSEBOARD_CACHE", str(tmp_path / "a" / "b"))
    folder = found_folder()
    assert folder == tmp_path / "a" / "b" / "kernels"
    assert folder.is_dir()


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
    assert found_folder() == tmp_path / used / "kernels"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders are private there")
class TestFoldersOfOthers:
    """Numba's index files are pickles: whoever can write them decides what code is run."""

    @pytest.fixture(autouse=True)
    def no_temporary_folder(self, tmp_path, monkeypatch):
        (tmp_path / "file").write_text("")
        monkeypatch.setattr(files.tempfile, "gettempdir", lambda: str(tmp_path / "file"))

    @pytest.fixture
    def named(self, tmp_path, monkeypatch):
        monkeypatch.setenv("CLAUSEBOARD_CACHE", str(tmp_path / "above" / "cache"))
        return tmp_path / "above" / "cache"

    def test_a_new_folder_is_closed_to_others(self, named):
        before = os.umask(0)
        try:
            assert found_folder() == named / "kernels"
        finally:
            os.umask(before)
        for folder in (named / "kernels", named, named.parent):
            assert folder.stat().st_mode & 0o777 == 0o700

    @pytest.mark.parametrize("mode", [0o757, 0o777])
    @pytest.mark.parametrize("below", ["kernels", "", ".."])
    def test_not_where_others_can_write(self, named, below, mode):
        (named / "kernels").mkdir(parents=True)
        (named / below).chmod(mode)
        assert found_folder() is None

    def test_a_folder_that_others_could_read_is_closed(self, named):
        (named / "kernels").mkdir(parents=True)
        (named / "kernels").chmod(0o755)
        assert found_folder() == named / "kernels"
        assert (named / "kernels").stat().st_mode & 0o777 == 0o700

    def test_others_may_write_where_only_owners_delete(self, named):
        (named / "kernels").mkdir(parents=True)
        named.parent.chmod(0o1777)
        assert found_folder() == named / "kernels"

    def test_no_link_is_followed(self, named, tmp_path):
        named.mkdir(parents=True)
        (tmp_path / "other").mkdir()
        (named / "kernels").symlink_to(tmp_path / "other")
        assert found_folder() is None

    @pytest.mark.parametrize("below", ["kernels", "", ".."])
    @pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can give away")
    def test_not_in_a_folder_of_another_user(self, named, below):
        (named / "kernels").mkdir(parents=True)
        os.chown(named / below, 65534, 65534)
        assert found_folder() is None


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder that is used where the user's cache cannot be written to."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CLAUSEBOARD_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(files.tempfile, "gettempdir", lambda: str(tmp_path))
    return tmp_path / f"clauseboard-{os.getuid()}"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="temporary folders are private there")
class TestTemporaryFolder:
    def test_stands_in_for_the_users(self, temporary):
        assert found_folder() == temporary / "kernels"
        assert temporary.stat().st_mode & 0o777 == 0o700
        assert found_folder() == temporary / "kernels"  # and is found again

    @pytest.mark.parametrize("mode", [0o777, 0o755, 0o770, 0o500])
    def test_is_not_used_if_its_mode_is_another(self, temporary, mode):
        temporary.mkdir()
        temporary.chmod(mode)
        assert found_folder() is None

    def test_is_not_used_if_it_is_somebody_elses(self, temporary, monkeypatch):
        temporary.mkdir(mode=0o700)
        before = os.getuid()
        temporary.rename(temporary.with_name(f"clauseboard-{before + 1}"))
        monkeypatch.setattr(os, "getuid", lambda: before + 1)
        assert found_folder() is None

    def test_is_not_used_if_it_is_a_link(self, temporary):
        target = temporary.with_name("target")
        target.mkdir(mode=0o700)
        temporary.symlink_to(target)
        assert found_folder() is None

    def test_there_may_be_none(self, temporary, monkeypatch):
        nowhere = str(temporary.with_name("file") / "tmp")
        monkeypatch.setattr(files.tempfile, "gettempdir", lambda: nowhere)
        assert found_folder() is None


# ------------------------------------------------------------------ what a fingerprint sees

SOURCE = """
def work(x, least=1):
    "Say what."
    return deeper(x) + CONSTANT + sums.total(x) + np.int64(x) + abs(TABLE[0])

@Helper
def deeper(x):
    return deepest(x) + (lambda y: y + INNER)(x)

@Helper
def deepest(x):
    return x << SHIFT if x > 2 else built(x)

@Intrinsic
def built(x):
    return x
"""


def fingerprint_of(source: str = SOURCE, *settings: object, **changes: object) -> str:
    """The fingerprint of `work` in a module of this source with these globals."""
    sums = ModuleType("sums")
    exec("def total(x):\n    return x + 1", vars(sums))
    vars(sums)["total"] = Helper(vars(sums)["total"])
    module = ModuleType("module")
    names: dict[str, object] = {"np": np, "Helper": Helper, "Intrinsic": Intrinsic, "sums": sums}
    names |= {"CONSTANT": 3, "INNER": 4, "SHIFT": np.uint64(5), "TABLE": np.arange(4), "UNUSED": 0}
    vars(module).update(names | changes)
    exec(source, vars(module))
    return fingerprint(vars(module)["work"], *settings)


def test_a_fingerprint_is_the_same_for_the_same_source():
    assert fingerprint_of() == fingerprint_of()
    assert fingerprint_of(SOURCE, "int64") == fingerprint_of(SOURCE, "int64")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("least=1", "least=2"),
        ("CONSTANT + sums", "CONSTANT - sums"),
        ("y + INNER", "y * INNER"),
        ("x > 2", "x > 3"),
        ("np.int64", "np.int32"),
        ("abs(", "bool("),
    ],
)
def test_code_gives_another_fingerprint_however_deep(old, new):
    assert old in SOURCE
    assert fingerprint_of(SOURCE.replace(old, new)) != fingerprint_of()


OTHER_TOTAL = ModuleType("sums")
exec("def total(x):\n    return x + 2", vars(OTHER_TOTAL))
vars(OTHER_TOTAL)["total"] = Helper(vars(OTHER_TOTAL)["total"])


@pytest.mark.parametrize(
    "change",
    [
        {"CONSTANT": 4},
        {"CONSTANT": 3.0},
        {"CONSTANT": True},
        {"CONSTANT": (3, 3)},
        {"INNER": 5},
        {"SHIFT": np.uint64(6)},
        {"SHIFT": np.int64(5)},
        {"SHIFT": 5},
        {"TABLE": np.arange(1, 5)},
        {"TABLE": np.arange(4, dtype=np.uint64)},
        {"TABLE": np.arange(4).reshape(2, 2)},
        {"TABLE": np.repeat(np.arange(4), 2)[::2]},
        {"sums": OTHER_TOTAL},
        {"np": OTHER_TOTAL},
    ],
)
def test_a_value_that_is_used_gives_another_fingerprint(change):
    assert fingerprint_of(**change) != fingerprint_of()


def test_signatures_give_another_fingerprint():
    found = {fingerprint_of(SOURCE, *s) for s in [(), ("int64",), ("int32",), ("int64", "int32")]}
    assert len(found) == 4


def test_the_name_of_a_module_gives_another_fingerprint():
    # Compiled code is loaded together with the module of this name.
    assert fingerprint_of(__name__="other") != fingerprint_of()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@Helper", "\n# a comment\n@Helper"),
        ("Say what.", "Say why."),
        ("def work(x, least=1):", "def work(x: 'Any', least: int = 1) -> None:"),
        ("@Intrinsic", "def another(x):\n    return UNUSED\n\n@Intrinsic"),
    ],
)
def test_what_is_not_compiled_does_not_matter(old, new):
    assert old in SOURCE
    assert fingerprint_of(SOURCE.replace(old, new)) == fingerprint_of()


def test_a_value_that_is_not_used_does_not_matter():
    assert fingerprint_of(UNUSED=1) == fingerprint_of()


def test_the_code_of_intrinsics_counts(monkeypatch):
    before = fingerprint_of()
    compiler._intrinsics_hash.cache_clear()
    monkeypatch.setattr(compiler, "INTRINSIC_SOURCES", ("intrinsics.py",))
    after = fingerprint_of()
    compiler._intrinsics_hash.cache_clear()
    assert after != before


def test_what_a_function_encloses_counts():
    def adder(number):
        return lambda x: x + number

    assert fingerprint(adder(1)) == fingerprint(adder(1)) != fingerprint(adder(2))


def test_a_slice_among_the_constants_of_code_counts():
    # Python 3.14 has x[1:3] as one constant; earlier versions build it from two.
    def part(x):
        return x[0]

    def with_constant(value):
        code = part.__code__
        return FunctionType(code.replace(co_consts=(*code.co_consts, value)), {}, "part")

    found = [fingerprint(with_constant(value)) for value in (slice(1, 3), slice(1, 3), slice(1, 4))]
    assert found[0] == found[1] != found[2]


def test_functions_may_call_each_other():
    names = {}
    source = "def left(x):\n    return right(x)\ndef right(x):\n    return left(x)"
    exec(source, names)
    names["left"], names["right"] = Helper(names["left"]), Helper(names["right"])
    assert fingerprint(names["left"].function) != fingerprint(names["right"].function)


@pytest.mark.parametrize("value", [[1], {1: 2}, {1}, object(), ast.parse, lambda: 1])
def test_values_that_cannot_be_described_are_refused(value):
    with pytest.raises(TypeError, match=r"work uses CONSTANT, but the cache of kernels cannot"):
        fingerprint_of(CONSTANT=value)


@compiled_only
def test_every_kernel_has_a_fingerprint(cache, monkeypatch):
    root = Path(clauseboard.__file__).parent
    games = [path.parent.name for path in root.glob("games/*/compiled_rules.py")]
    kernels = []
    for path in sorted(root.rglob("*.py")):
        if "\n@kernel(" not in path.read_text("utf-8"):
            continue
        name = ".".join(("clauseboard", *path.relative_to(root).with_suffix("").parts))
        modules = [importlib.import_module(name)] if not name.endswith("_template") else []
        if not modules:
            rules = [
                importlib.import_module(f"clauseboard.games.{game}.compiled_rules")
                for game in games
            ]
            modules = [specialised(name, each) for each in rules]
        kernels += [
            each
            for module in modules
            for each in vars(module).values()
            if isinstance(each, Kernel) and each.__module__ == module.__name__
        ]
    assert len(kernels) > 90
    names = [fingerprint(each.function, each.signatures) for each in kernels]
    assert len(set(names)) == len(kernels)
