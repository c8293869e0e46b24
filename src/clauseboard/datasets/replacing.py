"""Files that are there as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """A file to write that takes its place when it is whole, and never if something fails."""
    begun = path.with_name(f".{path.name}.new")
    try:
        with begun.open("wb") as file:
            yield file
        os.replace(begun, path)
    finally:
        begun.unlink(missing_ok=True)
