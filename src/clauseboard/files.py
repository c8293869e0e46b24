"""Files written whole, files read up to a bound, locks, and folders that nobody else can change."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO

# ------------------------------------------------------------------ writing


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """A file to write that takes its place when it is whole, and never if something fails."""
    beside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        with beside.open("wb") as file:
            yield file
        os.replace(beside, path)
    except OSError as error:
        # A full disk is reported without the name of the file.
        error.filename = error.filename or str(path)
        raise
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file; an older one stays as it is if that fails."""
    if path.exists() and not path.is_file():
        path.write_text(text, "utf-8")  # such as /dev/stdout, which cannot be replaced
        return
    with replaced(path) as file:
        file.write(text.encode())


# ------------------------------------------------------------------ reading


def check_readable(path: Path, most: int | None = None) -> None:
    """Refuse what is no regular file, which may never end, and a file of more than `most` bytes."""
    try:
        status = path.stat()
    except FileNotFoundError:
        raise ValueError(f"There is no file {str(path)!r}.") from None
    if not stat.S_ISREG(status.st_mode):
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "a pipe, a device or the like"
        raise ValueError(f"{path} is {what}, not a file.")
    if most is not None and status.st_size > most:
        raise ValueError(f"{path} has {status.st_size:,} bytes; {most:,} is the most.")


def read_bytes(path: Path, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes; a `ValueError` for any other."""
    check_readable(path, most)
    with path.open("rb") as file:
        return file.read(most)  # it may have grown since


# ------------------------------------------------------------------ private folders


def make_private(folder: Path) -> None:
    """Make a folder, and those above it, that only this user can enter."""
    for above in reversed((folder, *folder.parents)):
        if not above.is_dir():
            above.mkdir(mode=0o700, exist_ok=True)


def is_private(folder: Path) -> bool:
    """Whether only this user can change what is in a folder, or put another one in its place."""
    if not hasattr(os, "getuid"):
        return True  # the folders of a user are the user's own on such systems
    if folder.is_symlink() or folder.stat().st_uid != os.getuid() or _others_write(folder.stat()):
        return False
    above = [parent.stat() for parent in folder.resolve().parents]
    return all(
        status.st_uid in (0, os.getuid())
        and (not _others_write(status) or status.st_mode & stat.S_ISVTX)
        for status in above
    )


def _others_write(status: os.stat_result) -> bool:
    """Whether other users can write; where a group has the number of its user it has no others."""
    group_writes = status.st_mode & stat.S_IWGRP and status.st_gid != status.st_uid
    return bool(group_writes or status.st_mode & stat.S_IWOTH)


# ------------------------------------------------------------------ what can be made again


def user_cache() -> Path:
    """The folder for what can be made again: `CLAUSEBOARD_CACHE`, Numba's own, or the user's.

    It may not exist yet.
    """
    named = os.environ.get("CLAUSEBOARD_CACHE") or os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "clauseboard"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "clauseboard"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "clauseboard"


def private_temporary_folder() -> Path | None:
    """A folder for temporary files that nobody else can enter."""
    if not hasattr(os, "getuid"):
        return Path(tempfile.gettempdir()) / "clauseboard"  # the user's own on such systems
    folder = Path(tempfile.gettempdir()) / f"clauseboard-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return None
    private = status.st_uid == os.getuid() and status.st_mode & 0o777 == 0o700
    return folder if private and not folder.is_symlink() else None


# ------------------------------------------------------------------ locks

if sys.platform == "win32":
    import msvcrt

    def try_lock(file: IO[bytes]) -> bool:
        """Lock a file, unless another process has; the lock ends with the process."""
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def wait_for_lock(file: IO[bytes]) -> None:
        """Lock a file as soon as no other process has; an `OSError` after ten seconds."""
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)

else:
    import fcntl

    def try_lock(file: IO[bytes]) -> bool:
        """Lock a file, unless another process has; the lock ends with the process."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def wait_for_lock(file: IO[bytes]) -> None:
        """Lock a file as soon as no other process has."""
        fcntl.flock(file, fcntl.LOCK_EX)


class ProcessFolder:
    """A temporary folder of this process; folders that killed processes have left are removed."""

    LOCK = "in-use"

    def __init__(self, prefix: str) -> None:
        for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
            self._remove_unused(left)
        self.path = Path(tempfile.mkdtemp(prefix=prefix))
        lock = self.path / f"{self.LOCK}.new"
        self._lock = lock.open("wb")
        try_lock(self._lock)
        lock.rename(self.path / self.LOCK)  # once it has its name, it is locked

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)

    def _remove_unused(self, folder: Path) -> None:
        with contextlib.suppress(OSError):
            if hasattr(os, "getuid") and folder.lstat().st_uid != os.getuid():
                return
            with (folder / self.LOCK).open("r+b") as file:
                unused = try_lock(file)
            if unused:
                shutil.rmtree(folder)
