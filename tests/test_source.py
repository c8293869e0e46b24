"""The source as a whole is formatted, free of lint, and typed, and reads no sentence back."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CHECKS = {
    "formatter": ["ruff", "format", "--check", "."],
    "linter": ["ruff", "check", "."],
    "type checker": ["mypy"],
}


@pytest.mark.parametrize("check", CHECKS)
def test_the_source_passes_the(check):
    name, *words = CHECKS[check]
    program = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert program, f"{name} is not installed; `make test` installs it"
    done = subprocess.run([program, *words], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        command = " ".join(CHECKS[check])
        pytest.fail(f"{command} says:\n{done.stdout}{done.stderr}", pytrace=False)


SENTENCES = r"(reason|outcome|str\((outcome|error|caught)\)|error\.args\[0\])"
CUTTING = [
    rf"{SENTENCES}\)?\.(endswith|startswith|removesuffix|removeprefix)\(",
    rf"\bre\.(sub|search|match|fullmatch|split|findall)\(.*\b{SENTENCES}",
]
"""Code that reads the sentence of an outcome or of an error."""


def test_no_code_reads_sentences_back():
    """`Outcome.ending` and the fields of `NotationError` say the same as data."""
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if any(re.search(pattern, line) for pattern in CUTTING)
    ]
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        'how = "R" if outcome.reason.endswith("gave up") else "F"',
        'return game["reason"].endswith("cannot move")'.replace('["reason"]', ".reason"),
        'said = re.sub(r"in .*$", "", str(error))',
        'if str(error).startswith("no"):',
    ],
)
def test_lines_that_read_sentences_are_noticed(line):
    assert any(re.search(pattern, line) for pattern in CUTTING)


COMPILED = ("kernel", "helper", "intrinsic")


def untyped_functions(source):
    """The functions that lack a type, and are not compiled: those have the types of a signature."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if {ast.unparse(each).partition("(")[0] for each in node.decorator_list} & {*COMPILED}:
                continue
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            others = [each for each in (node.args.vararg, node.args.kwarg) if each]
            named = [each for each in arguments if each.arg not in ("self", "cls")] + others
            untyped = [each.arg for each in named if each.annotation is None]
            if untyped or (node.returns is None and (named or node.name != "__init__")):
                yield node.name


def test_functions_have_types():
    found = {
        path.relative_to(ROOT): names
        for path in sorted((ROOT / "src").rglob("*.py"))
        if (names := list(untyped_functions(path.read_text("utf-8"))))
    }
    assert not found


@pytest.mark.parametrize(
    "source",
    ["def f(a) -> int: ...", "def f(*a) -> int: ...", "def f(a: int): ...", "def f(): ..."],
)
def test_functions_without_types_are_noticed(source):
    assert list(untyped_functions(source)) == ["f"]
    assert not list(untyped_functions(f"@kernel('int64(int64)')\n{source}"))
