"""What learners keep: one zip file of a JSON page and plain arrays, without pickle.

The page says what the file is (`format`, `version`); the arrays are NumPy's own `.npy`. The same
content gives the same bytes. A file is written beside its place and moved there when whole, so
that whoever is interrupted leaves the old file. Nothing in a file is believed before it is looked
at: neither the sizes that it claims nor the types.
"""

from __future__ import annotations

import io
import json
import lzma
import math
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.files import replaced

PAGE = "page.json"
LARGEST = 1 << 28
"""Bytes of all that a file may hold, unpacked, unless told otherwise."""
SMALL = 1 << 25
MOST_TIMES = 60
"""A file that would unpack to more than `SMALL` bytes and to so many times its size is refused."""

_FIXED_DATE = (1980, 1, 1, 0, 0, 0)
_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, KeyError, TypeError,
    IndexError, OverflowError, RuntimeError, NotImplementedError, RecursionError, ValueError,
    SyntaxError, TokenError, MemoryError,
)  # fmt: skip


def write(
    path: Path,
    format_: str,
    version: int,
    page: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    page_name: str = PAGE,
) -> None:
    """Write a page and arrays to a file of a format."""
    text = json.dumps({"format": format_, "version": version, **page}, indent=1)
    with replaced(path) as file, zipfile.ZipFile(file, "w") as archive:
        _add(archive, page_name, text.encode())
        for name, array in arrays.items():
            buffer = io.BytesIO()
            np.save(buffer, np.ascontiguousarray(array), allow_pickle=False)
            _add(archive, f"{name}.npy", buffer.getvalue())


def read(
    path: Path, format_: str, version: int, largest: int = LARGEST, page_name: str = PAGE
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The page and the arrays of a file; a `ValueError` that says what is wrong with it."""
    path = Path(path)
    with _opened(path, format_, largest) as archive:
        if page_name not in archive.namelist():
            raise ValueError(f"{path} is a zip file of another kind, not a {format_}.")
        try:
            page = json.loads(_content(archive, page_name))
        except _BROKEN as error:
            raise ValueError(f"{path} is damaged: {_said(error)}.") from error
        if not isinstance(page, dict) or page.get("format") != format_:
            kind = page.get("format") if isinstance(page, dict) else None
            raise ValueError(
                f"{path} is of another kind: it holds {kind or 'something else'}, not a {format_}."
            )
        if not isinstance(page.get("version"), int):
            raise ValueError(f"{path} is damaged: it does not say of which version it is.")
        if page["version"] > version:
            raise ValueError(
                f"{path} has format version {page['version']}, which is newer than this "
                f"program's ({version}). A newer clauseboard reads it."
            )
        try:
            return page, _arrays(archive, page_name)
        except _BROKEN as error:
            raise ValueError(f"{path} is damaged: {_said(error)}.") from error


def read_arrays(path: Path, largest: int = LARGEST) -> dict[str, NDArray[Any]]:
    """The arrays of a file of `np.savez`, with the same checks as `read`."""
    with _opened(path, "file of arrays (np.savez)", largest) as archive:
        try:
            return _arrays(archive)
        except _BROKEN as error:
            raise ValueError(f"{path} is damaged: {_said(error)}.") from error


def _opened(path: Path, format_: str, largest: int) -> zipfile.ZipFile:
    """A zip file that would not unpack to more than it should."""
    if not path.is_file():
        raise ValueError(f"There is no file {str(path)!r} to read a {format_} from.")
    with path.open("rb") as file:
        start = file.read(4)
    if start != b"PK\x03\x04":
        what = "is empty" if not start else "is a file of another kind"
        raise ValueError(f"{path} {what}, not a {format_}.")
    try:
        archive = zipfile.ZipFile(path)
    except _BROKEN as error:
        raise ValueError(f"{path} is cut short: the end of the file is missing.") from error
    unpacked = sum(part.file_size for part in archive.infolist())
    most = min(largest, max(SMALL, MOST_TIMES * path.stat().st_size))
    if unpacked > most:
        archive.close()
        raise ValueError(
            f"{path} would unpack to {unpacked:,} bytes; a {format_} of its size has {most:,} at "
            "the most."
        )
    return archive


def expect(
    path: Path, arrays: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...], dtype: Any
) -> NDArray[Any]:
    """An array of a file, if it is there and of this shape and type; numbers must be finite."""
    found = arrays.get(name)
    if found is None:
        raise ValueError(f"{path} is damaged: it has no {name}.")
    if found.shape != shape or found.dtype != dtype:
        raise ValueError(
            f"{path} is damaged: {name} has shape {found.shape} and type {found.dtype}, "
            f"not {shape} and {np.dtype(dtype)}."
        )
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        raise ValueError(f"{path} is damaged: {name} has numbers that are not finite.")
    return found


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _FIXED_DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content)


def _content(archive: zipfile.ZipFile, name: str) -> bytes:
    """A part of the file, if it is as long as it claims to be, and no longer."""
    size = archive.getinfo(name).file_size
    with archive.open(name) as part:
        content = part.read(size + 1)
    if len(content) != size:
        raise ValueError(f"{name} has the wrong length")
    return content


def _arrays(archive: zipfile.ZipFile, page_name: str = "") -> dict[str, NDArray[Any]]:
    """All arrays of a file, by name."""
    names = [name for name in archive.namelist() if name != page_name]
    return {name.removesuffix(".npy"): _array(archive, name) for name in names}


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """An array of a file; its size is checked before any room is made for it."""
    reader = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    with archive.open(name) as part:
        version = np.lib.format.read_magic(part)
        shape, in_columns, dtype = reader[version](part)
        if dtype.hasobject or not dtype.itemsize:
            raise ValueError("an array has a type that is never written")
        n_bytes = math.prod(shape) * dtype.itemsize
        if n_bytes != archive.getinfo(name).file_size - part.tell():
            raise ValueError("an array is not as long as it claims to be")
        content = np.empty(n_bytes, np.uint8)
        stream: Any = part
        left = content.data
        while left and (n_read := stream.readinto(left)):
            left = left[n_read:]
        if left or part.read(1):
            raise ValueError(f"{name} has the wrong length")
    return content.view(dtype).reshape(shape, order="F" if in_columns else "C")


def _said(error: BaseException) -> str:
    return str(error).rstrip(".") or type(error).__name__
