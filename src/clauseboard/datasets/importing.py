"""Data that others publish: archives of games, and the folds of the checkers thesis.

Archives are downloaded from their authors, checked, and put in place. No hash of these files is
known to us, so that a file is checked by what it holds: it has to be readable, with about as many
games as the archive is known to have. Its hash is reported, and can be demanded by those who know
it.

The author of the thesis publishes a folder for each composition, with a text file for each test
fold, such as `0teststatickfold.data`: a line for each board, its bits and then its result (0 black
has lost, 1 black has won, 2 a draw), separated by commas. The training boards of a fold are the
test boards of the others, so that `…train…` files are not read. The same rows may also be given as
one file of NumPy arrays `boards` (packed, the first bit highest), `result` and `fold`.

    data = import_folds("data/NoDupeCheck/StandardEnd", "standard-end")
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import tempfile
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from clauseboard.array_file import read_arrays
from clauseboard.checks import known_name
from clauseboard.datasets.dataset import MOST_FOLDS, DataSet, boards_page, head_page
from clauseboard.files import check_readable
from clauseboard.game import Bit
from clauseboard.games.checkers.encoding import MEASURES
from clauseboard.games.datasets import load_composition
from clauseboard.games.solving import Progress

GAME = "checkers"
COMPOSITIONS = ("standard-end", "end-second-third", "end-to-eight", "metadata")
ARRAYS = ("boards", "result", "fold")
LARGEST = 1 << 30
"""Bytes of all text files of a folder together."""

_FOLD_FILE = re.compile(r"(\d+)test.*\.data")
_LABELS = np.array([1, 0, 2], np.uint8)
"""The label of a result: who wins, by the order of the colours; 2 is a draw in both."""

_DIGITS = tuple(Bit(f"{name}: digit {d}", None, name) for name, _ in MEASURES for d in (8, 4, 2, 1))
_VALUES = tuple(Bit(f"{name}: {n}", None, name) for n in (1, 2, 3, 4) for name, _ in MEASURES)


def import_folds(
    source: str | os.PathLike[str], composition: str, *, unique: bool = False, command: str = ""
) -> DataSet:
    """The data set in a folder of text files, one a fold, or in a file of arrays.

    Rows and folds stay as they are. `unique` says that the author removed duplicates before he
    wrote the files; it removes none. The files do not tell games apart, nor how many moves were
    made: every row counts as a game of its own, with black to move, as the thesis says.
    """
    path = Path(source)
    known_name("Such files have no composition", composition, COMPOSITIONS)
    kind = load_composition(GAME, composition)
    n_bits = len(kind.bits())
    rows, results, folds = (
        _read_folder(path, n_bits) if path.is_dir() else _read_arrays(path, n_bits)
    )
    bits = _metadata_bits(rows) if composition == "metadata" else kind.bits()
    packed = np.packbits(rows, axis=1, bitorder="little")
    labels = _LABELS[results]
    n_folds = int(folds.max()) + 1
    settings = {"unique": unique, "n_folds": n_folds}
    manifest = {
        **head_page(kind, [path], settings, command),
        "options": {},  # those of reading game records
        "boards": boards_page(packed, labels, folds, (*kind.game.colours, "draw")),
    }
    n = len(rows)
    return DataSet(
        kind.game, bits, packed, labels, np.arange(n, dtype=np.int64), np.zeros(n, np.int32),
        np.zeros(n, np.uint8), folds, n_folds, kind.view, manifest,
    )  # fmt: skip


def has_arrays(path: Path) -> bool:
    """Whether a file is a zip with the arrays `boards`, `result` and `fold`."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {f"{name}.npy" for name in ARRAYS} <= set(archive.namelist())
    except (zipfile.BadZipFile, OSError):
        return False


def _read_folder(
    folder: Path, n_bits: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """The rows of all test files of a folder, in the order of the folds."""
    files: dict[int, Path] = {}
    for path in sorted(folder.iterdir()):
        if match := _FOLD_FILE.fullmatch(path.name):
            fold = int(match[1])
            if fold in files:
                raise ValueError(
                    f"{folder} has two files for fold {fold}: {files[fold].name} and {path.name}. "
                    "Put the files of one set into a folder of their own."
                )
            files[fold] = path
    n_folds = len(files)
    missing = sorted(set(range(n_folds)) - set(files))
    if n_folds < 2 or missing or n_folds > MOST_FOLDS:
        there = f"{n_folds} there are" if n_folds else "there is none"
        raise ValueError(
            f"{folder} must hold a file for each test fold, from 0test….data on; {there}"
            + (f", and fold {missing[0]} is missing." if missing else ".")
        )
    if sum(path.stat().st_size for path in files.values()) > LARGEST:
        raise ValueError(f"The files of {folder} have more than {LARGEST:,} bytes.")
    parts = [_read_text(files[fold], n_bits) for fold in range(n_folds)]
    rows = np.concatenate(parts)
    sizes = [len(part) for part in parts]
    return rows[:, :-1], rows[:, -1], np.repeat(np.arange(n_folds, dtype=np.uint8), sizes)


def _read_text(path: Path, n_bits: int) -> NDArray[np.uint8]:
    """The rows of a text file: bits and, last, the result."""
    check_readable(path)
    text = path.read_bytes().replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
    width = 2 * (n_bits + 1)
    characters = np.frombuffer(text, np.uint8)
    if len(characters) % width == 0:
        table = characters.reshape(-1, width)
        values = table[:, ::2] - ord("0")
        in_place = (table[:, 1:-1:2] == ord(",")).all() and (table[:, -1] == ord("\n")).all()
        if in_place and (values[:, :-1] <= 1).all() and (values[:, -1] <= 2).all():
            return values
    _refuse(path, text.splitlines(), n_bits)
    raise AssertionError("a table that is not as it should be has a line that is not")


def _refuse(path: Path, lines: Sequence[bytes], n_bits: int) -> None:
    """Raise an error for the first line that is not as it should be."""
    good = re.compile(rb"(?:[01],){%d}[012]" % n_bits)
    for number, line in enumerate(lines, 1):
        if not good.fullmatch(line):
            raise ValueError(
                f"{path}, line {number}: a row must be {n_bits} bits (0 or 1) and a result (0, 1 "
                f"or 2), separated by commas; this one has {len(line.split(b','))} columns."
            )


def _read_arrays(
    path: Path, n_bits: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """The rows of a file of arrays `boards`, `result` and `fold`."""
    if path.exists() and not has_arrays(path):
        raise ValueError(
            f"{path} is neither a folder of text files, one for each fold, nor an .npz file of the "
            "arrays boards, result and fold."
        )
    arrays = read_arrays(path)
    boards = arrays["boards"]
    n, width = len(boards), -(-n_bits // 8)
    if boards.dtype != np.uint8 or boards.shape != (n, width) or not n:
        raise ValueError(
            f"{path}: boards must be rows of {width} bytes ({n_bits} bits), not "
            f"{boards.shape} of {boards.dtype}."
        )
    results = _whole(path, arrays, "result", n, 2)
    folds = _whole(path, arrays, "fold", n, MOST_FOLDS - 1)
    if int(folds.max()) < 1 or len(np.unique(folds)) != int(folds.max()) + 1:
        raise ValueError(f"{path}: there must be two or more folds, numbered from 0 without gaps.")
    return np.unpackbits(boards, axis=1)[:, :n_bits], results, folds


def _whole(
    path: Path, arrays: dict[str, NDArray[Any]], name: str, n: int, most: int
) -> NDArray[np.uint8]:
    """An array of a file, if it has an integer from 0 to `most` for each board."""
    values = arrays[name]
    whole = values.shape == (n,) and values.dtype.kind in "iu"
    if not whole or values.min() < 0 or values.max() > most:
        raise ValueError(f"{path}: {name} must be an array of {n} integers from 0 to {most}.")
    return values.astype(np.uint8)


def _metadata_bits(rows: NDArray[np.uint8]) -> tuple[Bit, ...]:
    """What the 28 bits of metadata mean, of which the author publishes two kinds.

    With duplicates removed they are the seven numbers in binary digits, the highest first. Without,
    they say which numbers are 1, then which are 2, 3 and 4; a larger number has no bit. No number
    has two of those values at once, which tells the two kinds apart.
    """
    values = rows.reshape(len(rows), 4, len(MEASURES)).sum(axis=1)
    return _VALUES if (values <= 1).all() else _DIGITS


# ---- archives that others publish


MOST_BYTES = 1 << 28
"""What a download, or the file in it, may hold at most."""

SECONDS = 60.0
"""How long the other side may be silent."""

_CHUNK = 1 << 16


@dataclass(frozen=True)
class Published:
    """An archive: where its author has it, and what is known of it."""

    title: str
    address: str
    page: str
    """Where a person finds it."""
    file: str
    """How the file of games is called; in a zip its ending tells which one it is."""
    games: int
    """About how many games it has."""
    reader: str
    """The module with the class `Archive` that reads it."""

    @property
    def ending(self) -> str:
        """How the name of the file of games ends."""
        return Path(self.file).suffix


PUBLISHED = {
    "oca": Published(
        title="Open Checkers Archive 2.0",
        address="https://www.fierz.ch/OCA_2.0.zip",
        page="https://www.fierz.ch/download.php",
        file="OCA_2.0.pdn",
        games=22_621,
        reader="clauseboard.games.checkers.records",
    ),
}
"""The archives there are, by name."""


@dataclass(frozen=True)
class Fetched:
    """A file of games in its place: its games, those that can be replayed, and its hash."""

    path: Path
    games: int
    kept: int
    sha256: str
    downloaded: bool


def published(name: str) -> Published:
    """An archive by its name."""
    known_name("There is no archive", name, PUBLISHED)
    return PUBLISHED[name]


def fetch(
    name: str,
    path: Path | None = None,
    *,
    address: str | None = None,
    sha256: str | None = None,
    progress: Progress | None = None,
) -> Fetched:
    """Download an archive to `path`, or check the one that lies there already.

    `path` is the file of games, in this folder without it; `address` another place to download it
    from. With `sha256` the file of games must have this hash.
    """
    archive = published(name)
    path = Path(archive.file) if path is None else path
    if not path.parent.is_dir():
        raise ValueError(f"{path} cannot be written: there is no folder {path.parent}.")
    if path.exists():
        return _checked(path, path, archive, sha256, downloaded=False)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        raw, games = Path(folder, "download"), Path(folder, "games")
        try:
            with raw.open("wb") as file:
                _download(address or archive.address, file, progress)
        except OSError as error:
            raise OSError(
                f"{archive.title} could not be downloaded ({error}). Fetch it by hand from "
                f"{archive.page}, unpack it, and put {archive.file} to {path}; then run this "
                "again, and it will be checked."
            ) from error
        _unpack(raw, games, archive)
        fetched = _checked(games, path, archive, sha256, downloaded=True)
        os.replace(games, path)
    return fetched


def _download(address: str, file: IO[bytes], progress: Progress | None) -> None:
    """Copy what is at an address; an `OSError` if it cannot be had as a whole."""
    if not address.lower().startswith(("http://", "https://")):
        raise ValueError(f"An address begins with https:// or http://, which {address!r} does not.")
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as answer:
            length = answer.headers.get("Content-Length", "")
            total = int(length) if length.isdecimal() else None
            done = 0
            while chunk := answer.read(_CHUNK):
                done += len(chunk)
                if done > MOST_BYTES:
                    raise OSError(f"it is larger than {MOST_BYTES:,} bytes")
                file.write(chunk)
                if progress is not None and total:
                    progress(min(done / total, 1.0))
            if total is not None and done < total:
                raise OSError(f"it ended after {done:,} of {total:,} bytes")
    except urllib.error.URLError as error:
        reason = f"{error.code} {error.reason}" if isinstance(error, urllib.error.HTTPError) else ""
        raise OSError(reason or str(error.reason)) from error
    except ValueError as error:
        raise OSError(f"{address!r} is not an address: {error}") from error
    except Exception as error:
        if isinstance(error, OSError):
            raise
        # What http.client raises for nonsense is of many kinds.
        raise OSError(f"the answer was no web page: {error!r:.200}") from error


def _unpack(raw: Path, games: Path, archive: Published) -> None:
    """Copy the file of games, out of the zip if it is one; names in a zip are never followed."""
    try:
        if not zipfile.is_zipfile(raw):
            os.replace(raw, games)
            return
        with zipfile.ZipFile(raw) as packed:
            named = [entry for entry in packed.infolist() if not entry.is_dir()]
            files = [entry for entry in named if entry.filename.lower().endswith(archive.ending)]
            if len(files) != 1:
                raise ValueError(
                    f"The download has {len(files)} files named *{archive.ending} among its "
                    f"{len(named)}, where one is expected; {archive.title} is not that."
                )
            with packed.open(files[0]) as inside, games.open("wb") as file:
                _copy(inside, file)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"The download is a zip that cannot be unpacked: {error}.") from error


def _copy(inside: IO[bytes], file: BinaryIO) -> None:
    done = 0
    while chunk := inside.read(_CHUNK):
        done += len(chunk)
        if done > MOST_BYTES:
            raise ValueError(f"The file in the download is larger than {MOST_BYTES:,} bytes.")
        file.write(chunk)


def _checked(
    file: Path, path: Path, archive: Published, sha256: str | None, *, downloaded: bool
) -> Fetched:
    """Read the whole file of games; a `ValueError` if it is not the archive."""
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    where = "What was downloaded" if downloaded else f"What lies at {path}"
    if sha256 is not None and digest != sha256.lower():
        raise ValueError(f"{where} has the SHA-256 {digest}, not {sha256}.")
    if file.stat().st_size > MOST_BYTES:
        raise ValueError(f"{where} is larger than {MOST_BYTES:,} bytes.")
    games: Any = importlib.import_module(archive.reader).Archive(file)
    for _ in games:
        pass
    report = games.report
    if abs(report.read - archive.games) > archive.games // 100:
        raise ValueError(
            f"{where} has {report.read:,} games, and {archive.title} has about "
            f"{archive.games:,}: it is another file, or a part of it."
        )
    return Fetched(path, report.read, report.kept, digest, downloaded)
