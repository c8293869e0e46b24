"""What is in the wheel; `make release` builds it and tries it in empty environments."""

import fnmatch
import re
import tomllib
from pathlib import Path

import clauseboard

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "clauseboard"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_every_file_of_the_package_is_in_the_wheel():
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["clauseboard"]
    for path in PACKAGE.rglob("*"):
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts:
            name = path.relative_to(PACKAGE).as_posix()
            matching = [
                pattern
                for pattern in patterns
                if fnmatch.fnmatch(name, pattern) and name.count("/") == pattern.count("/")
            ]
            assert matching, f"{name} is not among the package-data of pyproject.toml"


def test_every_folder_of_modules_is_a_package():
    for folder in {path.parent for path in PACKAGE.rglob("*.py")}:
        assert (folder / "__init__.py").exists(), folder


def test_types_are_shipped():
    assert (PACKAGE / "py.typed").exists()


def test_the_version_is_written_once():
    assert "version" not in PROJECT["project"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {
        "attr": "clauseboard.__version__"
    }
    assert re.fullmatch(r"\d+\.\d+\.\d+", clauseboard.__version__)


def test_no_module_reads_files_of_the_checkout():
    """A path up from the package leads out of it in an installation."""
    for path in PACKAGE.rglob("*.py"):
        depth = len(path.relative_to(PACKAGE).parts)
        for levels in re.findall(
            r"__file__\)(?:\.resolve\(\))?\.parents\[(\d+)\]", path.read_text()
        ):
            assert int(levels) < depth, path
