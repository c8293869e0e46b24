"""Build the wheel and the source archive, check them, and try them in empty environments.

    python tests/release.py [--out FOLDER] [PYTHON ...]

Both are built and checked by the usual tools (build, twine) in a venv of their own. Then, for each
Python from 3.11 to 3.14 that is at hand, the wheel is installed into an empty venv, where no
dependency may be compiled, and the command is tried in a folder outside the checkout; once also
the source archive. Nothing is uploaded.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from lowest_versions import PYTHONS, ROOT, SMOKE, works

SAMPLE = (
    "import clauseboard as cb; assert 'site-packages' in cb.__file__; "
    "g = cb.load_game('checkers'); "
    "print(cb.explain(cb.load_player('shipped', g), g.start(), depth=3))"
)
TYPED = (
    "import clauseboard as cb\n"
    "reveal_type(cb.load_game('hex'))\n"
    "reveal_type(cb.play_match)\n"
)  # fmt: skip


def venv(python: str, folder: Path) -> str:
    """A new environment; its Python."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    return str(folder / ("Scripts" if sys.platform == "win32" else "bin") / "python")


def install(python: str, *what: str) -> None:
    """Install into an environment."""
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *what], check=True)


def build(out: Path, folder: Path) -> tuple[Path, Path]:
    """The wheel and the source archive, built from a copy of what git knows, and checked."""
    tools = venv(sys.executable, folder / "tools")
    install(tools, "build", "twine")
    copy = folder / "checkout"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    subprocess.run([tools, "-m", "build", "--outdir", out, copy], check=True, capture_output=True)
    (wheel,), (source,) = out.glob("*.whl"), out.glob("*.tar.gz")
    subprocess.run([tools, "-m", "twine", "check", "--strict", wheel, source], check=True)
    check_contents(wheel, source)
    return wheel, source


def check_contents(wheel: Path, source: Path) -> None:
    """Every file of the package is in both."""
    package = ROOT / "src"
    ours = {
        path.relative_to(package).as_posix()
        for path in (package / "clauseboard").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        missing = ours - set(archive.namelist())
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2].removeprefix("src/") for name in archive.getnames()}
        missing |= ours - names
    if missing:
        sys.exit(f"Not in the wheel or not in the source archive: {', '.join(sorted(missing))}")


def tried(python: str, archive: Path, folder: Path) -> bool:
    """Install an archive into an empty environment and run it elsewhere; whether all went well."""
    run = venv(python, folder / "venv")
    # Nothing but the archive itself is built: an environment without a compiler must do.
    extras = f"clauseboard[web] @ {archive.as_uri()}"
    if archive.suffix == ".whl":
        install(run, "--only-binary", ":all:", extras)
    else:
        install(run, "--only-binary", ":all:", "--no-binary", "clauseboard", extras)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    commands = [(run, "-m", "clauseboard", *words) for words in (("doctor",), *SMOKE)]
    commands.append((run, "-c", SAMPLE))
    failed = []
    for line in commands:
        done = subprocess.run(line, cwd=elsewhere, capture_output=True, text=True)
        if done.returncode:
            failed.append(" ".join(line[1:]))
            print(failed[-1], done.stderr.strip().splitlines()[-1:], sep=": ")
    install(run, "mypy")
    (elsewhere / "typed.py").write_text(TYPED)
    told = subprocess.run(
        [run, "-m", "mypy", "typed.py"], cwd=elsewhere, capture_output=True, text=True
    ).stdout
    if "MatchResult" not in told or "import-untyped" in told:
        failed.append("the types")
        print(told)
    n_all = len(commands) + 1
    print(f"{python}, {archive.name}: {n_all - len(failed)} of {n_all} work.", flush=True)
    return not failed


def main() -> None:
    """Build, check and try with the Pythons that are named, or every one at hand."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, help="keep the archives in this folder")
    parser.add_argument("pythons", nargs="*", help="default: every one at hand")
    options = parser.parse_args()
    os.environ.pop("PYTHONPATH", None)  # it may lead into the checkout
    found = [path for version in PYTHONS if (path := shutil.which(f"python{version}"))]
    pythons = options.pythons or [path for path in found if works(path)]
    with tempfile.TemporaryDirectory(prefix="clauseboard-release-") as name:
        folder = Path(name)
        out = options.out or folder / "dist"
        wheel, source = (path.absolute() for path in build(out, folder))
        trials = [(pythons[0], source), *((python, wheel) for python in pythons)]
        results = [
            tried(python, archive, folder / f"trial-{number}")
            for number, (python, archive) in enumerate(trials)
        ]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
