"""Files that are made to do harm: each is read or refused within bounds of memory and time."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest

MEGABYTE = 1 << 20
MOST_MEMORY = 300 * MEGABYTE
"""Bytes over the size of the file."""
MOST_SECONDS = 10
"""Seconds of a processor."""

PDN = {
    "unclosed tags": b'[Event "x',
    "one line": b"1. 11-15 ",
    "brackets": b"[",
    "comments": b"{",
    "empty lines": b"\n",
    "tiny games": b'[Event "x"]\n1. 11-15 *\n\n',
}
SGF = {
    "beginnings": b"(;",
    "values": b"(;C[",
    "escapes": b"(;C[\\",
    "games within": b"(;GM[1]",
    "tiny games": b"(;GM[11]SZ[3];B[a1])",
}


def repeated(path, text, size):
    chunk = text * (MEGABYTE // len(text))
    with path.open("wb") as file:
        while file.tell() < size:
            file.write(chunk[: size - file.tell()])
    return path


def bomb(path, page, **shapes):
    """A small zip of arrays of zeros, which would need far more memory than is allowed."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        if page is not None:
            archive.writestr("page.json", json.dumps(page))
        for name, shape in shapes.items():
            header = io.BytesIO()
            kind = {"descr": "|u1", "fortran_order": False, "shape": shape}
            np.lib.format.write_array_header_1_0(header, kind)
            with archive.open(f"{name}.npy", "w", force_zip64=True) as part:
                part.write(header.getvalue())
                for _ in range(int(np.prod(shape)) // MEGABYTE):
                    part.write(bytes(MEGABYTE))
    return path


LAUNCHER = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stderr=subprocess.STDOUT)
_, status, used = os.wait4(process.pid, 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss, os.waitstatus_to_exitcode(status),
      file=sys.stderr)
"""
"""Runs a command, and says what it took. A process counts as large as the one that started it, and
that of the tests has grown large by others; this one is small."""


def measured(words, size, written=b""):
    """The output of a command, which must end in time and in little memory; and its status."""
    command = [sys.executable, "-m", "clauseboard", *map(str, words)]
    done = subprocess.run(
        [sys.executable, "-c", LAUNCHER, *command], input=written, capture_output=True, check=True
    )
    output, (seconds, kilobytes, status) = done.stdout.decode(), done.stderr.split()[-3:]
    assert float(seconds) < MOST_SECONDS
    assert int(kilobytes) * 1024 < size + MOST_MEMORY
    assert "Traceback" not in output
    return output, int(status)


@pytest.fixture(
    scope="module",
    params=[pytest.param(1, id="1 MB"), pytest.param(50, id="50 MB", marks=pytest.mark.long)],
)
def size(request):
    return request.param * MEGABYTE


@pytest.mark.parametrize("name", PDN)
def test_pdn_is_refused_soon(tmp_path, size, name):
    path = repeated(tmp_path / "games.pdn", PDN[name], size)
    words = ("data", "build", "checkers", "standard-end", path, "--out", tmp_path / "out.npz")
    output, status = measured(words, size)
    assert status == 2, output
    assert any(text in output for text in ("is no PDN", "is not an archive", "No board is left"))


@pytest.mark.parametrize(
    ("game", "name"),
    [("go", name) for name in SGF]
    + [pytest.param("hex", name, marks=pytest.mark.long) for name in SGF],
)
def test_sgf_is_refused_soon(tmp_path, size, name, game):
    path = repeated(tmp_path / "games.sgf", SGF[name], size)
    composition = {"hex": "games", "go": "end"}[game]
    words = ("data", "build", game, composition, path, "--out", tmp_path / "out.npz")
    output, status = measured(words, size)
    assert status == 2, output
    assert any(text in output for text in ("is not an archive", "No board is left"))


@pytest.mark.parametrize("game", ["go", "hex"])
@pytest.mark.parametrize("file", ["/dev/zero", "games.sgf"])
def test_an_engine_loads_small_files_only(tmp_path, size, game, file):
    if file == "games.sgf":
        file = repeated(tmp_path / file, b"(;", size)
    output, status = measured(("engine", game), size, f"loadsgf {file}\nname\n".encode())
    assert status == 0
    assert output.startswith("? cannot load file")
    assert "= " in output.split("\n\n")[1]


def test_an_engine_reads_short_lines_only(size):
    output, status = measured(("engine", "go"), 0, b"a" * size + b"\nname\n")
    assert status == 0
    assert output.startswith("? unknown command\n\n= ")


DATA_SET = {"format": "clauseboard data set", "version": 1}


@pytest.mark.parametrize(
    ("page", "shapes", "words"),
    [
        (DATA_SET, {"packed": (600 * MEGABYTE,)}, ("data", "show", "{}")),
        (DATA_SET, {"packed": (600 * MEGABYTE,)}, ("tune", "{}")),
        (None, dict.fromkeys(("boards", "result", "fold"), (200 * MEGABYTE,)),
         ("experiment", "run", "checkers_5_6", "--quick", "--data", "{}")),
        (None, {"X": (300 * MEGABYTE,), "y": (300 * MEGABYTE,)},
         ("train", "tsetlin", "hex", "--set", "size=3", "--out", "{}.tm", "--data", "{}")),
    ],
)  # fmt: skip
def test_a_file_that_would_unpack_to_twice_the_bound(tmp_path, page, shapes, words):
    path = bomb(tmp_path / "bomb.npz", page, **shapes)
    output, status = measured([word.format(path) for word in words], path.stat().st_size)
    assert status == 2
    assert f"{path} would unpack to" in output


@pytest.mark.parametrize("file", ["/dev/zero", "pipe"])
@pytest.mark.parametrize(
    "words",
    [
        ("data", "show", "{}"),
        ("data", "build", "checkers", "standard-end", "{}", "--out", "x.npz"),
        ("data", "build", "hex", "games", "{}", "--out", "x.npz"),
        ("explain", "--game", "{}"),
        ("tune", "{}"),
        ("train", "tsetlin", "hex", "--out", "x.tm", "--data", "{}"),
        ("play", "hex", "--terminal", "--load", "{}"),
    ],
)
def test_only_regular_files_are_read(tmp_path, clauseboard, words, file):
    if file == "pipe":
        file = tmp_path / "pipe"
        os.mkfifo(file)
    done = clauseboard(*(word.format(file) for word in words))
    assert done.returncode == 2
    assert str(file) in done.stderr
