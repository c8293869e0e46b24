"""Archives that others publish: downloaded from their authors, checked, and put in place.

No hash of these files is known to us, so that a file is checked by what it holds: it has to be
readable, with about as many games as the archive is known to have. Its hash is reported, and can
be demanded by those who know it.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import tempfile
import urllib.error
import urllib.request
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO

from clauseboard.games.solving import Progress

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
    if name not in PUBLISHED:
        listed = ", ".join(map(repr, PUBLISHED))
        raise ValueError(f"There is no archive {name!r} to fetch; there is {listed}.")
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
        raise OSError(f"{address!r} is no address: {error}") from error
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
