"""Which part may know which: an import from a lower layer to a higher one is an error here."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import clauseboard

PACKAGE = Path(clauseboard.__file__).parent

sys.path.insert(0, str(PACKAGE.parents[1] / "docs"))
import draw_architecture  # noqa: E402

LAYERS = [set(parts) for _, parts in reversed(draw_architecture.LAYERS)]
LAYER_OF = {part: number for number, layer in enumerate(LAYERS) for part in layer}
# The front door imports everything, lazily, and `__main__` the command; nothing else imports them,
# but for the version.
LAYER_OF |= {"__init__": 0, "__main__": len(LAYERS)}
HEAVY = ("numba", "sklearn", "scipy", "matplotlib")


def part_of(path):
    """The file or folder of the package, by its name, in which a source file lies."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_parts(source, path):
    """The parts of the package that a source file imports, with the line of each."""
    package = ("clauseboard", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            # `from clauseboard import games` names a part behind the word import.
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            root, *rest = name.split(".")
            if root == "clauseboard":
                known = rest and (rest[0] in LAYER_OF or (PACKAGE / rest[0]).is_dir())
                yield (rest[0] if known else "__init__"), node.lineno


def wrong_imports(source, path):
    """What a source file imports from layers above its own. Neighbours may know each other."""
    for other, line in imported_parts(source, path):
        if LAYER_OF[other] > LAYER_OF[part_of(path)]:
            yield f"{path.relative_to(PACKAGE).as_posix()}:{line} imports {other}"


SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def test_every_part_has_its_layer():
    parts = {part_of(path) for path in SOURCES}
    assert parts - LAYER_OF.keys() == set(), "add these to LAYERS in docs/draw_architecture.py"


def test_imports_go_down_only():
    wrong = [text for path in SOURCES for text in wrong_imports(path.read_text("utf-8"), path)]
    assert wrong == []


@pytest.mark.parametrize(
    ("where", "source", "found"),
    [
        ("game.py", "import clauseboard.games.hex", ["game.py:1 imports games"]),
        ("game.py", "from clauseboard.kernels.bits import ONE", []),
        ("parallel.py", "from clauseboard import __version__", []),
        ("games/hex.py", "from clauseboard import learners", ["games/hex.py:1 imports learners"]),
        ("games/hex.py", "from ..learners import tsetlin", ["games/hex.py:1 imports learners"]),
        ("games/hex.py", "from . import go\nfrom .go import rules\nimport numpy", []),
        (
            "tsetlin/kernels.py",
            "def late():\n    from clauseboard.cli import train",
            ["tsetlin/kernels.py:2 imports cli"],
        ),
        ("learners/a.py", "import clauseboard.players", ["learners/a.py:1 imports players"]),
        (
            "arena/a.py",
            "import clauseboard.players, clauseboard.games, clauseboard.kernels.simd",
            [],
        ),
        ("cli/main.py", "from clauseboard.arena import match", []),
    ],
)
def test_the_test_finds_what_it_should(where, source, found):
    assert list(wrong_imports(source, PACKAGE / where)) == found


@pytest.mark.parametrize(
    ("modules", "heavy"),
    [
        # `clauseboard --help`, and every start before a command's own module is imported.
        ("clauseboard, clauseboard.cli.main", (*HEAVY, "numpy", "clauseboard.game")),
        # What the engine, the terminal and the page's server start with.
        (
            "clauseboard.explaining.writers, clauseboard.terminal.loop, clauseboard.web.server",
            ("sklearn", "scipy", "numba"),
        ),
        # What the commands start with that may need no machine.
        (
            ", ".join(
                f"clauseboard.cli.{name}"
                for name in ("data", "experiment", "explain", "match", "play", "players", "train")
            ),
            HEAVY,
        ),
    ],
)
def test_importing_is_light(modules, heavy):
    program = f"import sys, {modules}; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.strip() == "[]"


TSETLIN_KNOWS = {"tsetlin", "kernels", "array_file", "files", "checks", "html_parts", "__init__"}
"""The Tsetlin Machine is a library of its own, which could be installed without any game."""


def test_the_tsetlin_machine_imports_nothing_of_games():
    wrong = [
        f"{path.relative_to(PACKAGE).as_posix()}:{line} imports {other}"
        for path in sorted((PACKAGE / "tsetlin").rglob("*.py"))
        for other, line in imported_parts(path.read_text("utf-8"), path)
        if other not in TSETLIN_KNOWS
    ]
    assert wrong == []


def test_using_a_tsetlin_machine_loads_nothing_of_games():
    program = """
import sys
from clauseboard.tsetlin import TsetlinMachineClassifier
machine = TsetlinMachineClassifier(4, epochs=1, random_state=0).fit([[0, 1], [1, 0]], [0, 1])
machine.explain([0, 1]), machine.rules(), machine.export("c")
print(*{name.split(".")[1] for name in sys.modules if name.startswith("clauseboard.")})
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True
    )
    parts = set(done.stdout.split())
    assert "tsetlin" in parts
    assert parts <= TSETLIN_KNOWS


def test_the_picture_of_the_architecture_is_up_to_date():
    drawn = draw_architecture.PICTURE.read_text("utf-8")
    assert drawn == draw_architecture.draw(), "run: python docs/draw_architecture.py"


def test_the_files_that_the_architecture_page_names_exist():
    page = (PACKAGE.parents[1] / "docs" / "architecture.md").read_text("utf-8")
    files = set(re.findall(r"`([\w/]+\.py)`", page)) - {"tests/test_layers.py"}
    assert len(files) > 20
    for name in files:
        assert list(PACKAGE.glob(f"**/{name}")), name
