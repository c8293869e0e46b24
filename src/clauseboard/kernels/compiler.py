"""How kernels are compiled, and where the compiled code is kept.

Numba keeps compiled kernels on disk, but it looks only at the file a kernel is written in:
a change in a kernel that it *calls* from another file goes unseen, and the old code runs on.
So the cache folder carries the hash of every source file that takes part in kernels; change
any of them and another, empty folder is used.

`CLAUSEBOARD_CACHE`, or Numba's own `NUMBA_CACHE_DIR`, names the folder above; without them it
is the user's cache folder.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

numba: Any  # typed so, since its settings are made at run time, which hides them from types
try:
    import numba
    import numba.core.config
except ModuleNotFoundError:
    numba = None
PACKAGE = Path(__file__).parent
STALE_AFTER_DAYS = 30

JIT_DISABLED = numba is None or bool(numba.core.config.DISABLE_JIT)
"""Whether kernels are plain Python: asked for by `NUMBA_DISABLE_JIT=1`, or for want of Numba.

Numba is a dependency like others, but a machine with a GPU may well have none.
"""


@functools.cache
def cache_folder() -> Path | None:
    """The folder of this version of the kernels; folders of versions long unused are removed.

    Where the user's cache folder cannot be written to, a folder for temporary files is used,
    and None is returned where there is none of these either.
    """
    name = f"kernels-{source_hash(PACKAGE)}"
    for above in (user_cache(), Path(tempfile.gettempdir()) / f"clauseboard-{_user()}"):
        folder = above / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            _remove_stale(above, folder)
            return folder
    return None


def user_cache() -> Path:
    """The folder for what can be made again; it may not exist yet."""
    named = os.environ.get("CLAUSEBOARD_CACHE") or os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "clauseboard"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "clauseboard"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "clauseboard"


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _remove_stale(above: Path, current: Path) -> None:
    oldest = time.time() - STALE_AFTER_DAYS * 24 * 3600
    for other in above.glob("kernels-*"):
        if other != current and other.is_dir() and other.stat().st_mtime < oldest:
            shutil.rmtree(other, ignore_errors=True)


def source_hash(package: Path) -> str:
    """Sixteen hex digits over every source file in which compiled code may be written."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        text = path.read_bytes()
        if b"numba" in text or b"clauseboard.kernels.compiler" in text:
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + text + b"\0")
    return digest.hexdigest()[:16]


def kernel(*signatures: str, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a kernel that Python calls: for these types only, kept on disk, free of the GIL.

    Where kernels are plain Python (`JIT_DISABLED`) the function stays as it is, but that the
    wrap-around of 64-bit words, which is meant, brings no warning.
    """

    def compile_one(function: Callable[..., Any]) -> Any:
        if JIT_DISABLED:
            return _without_overflow_warnings(function)
        folder = _folder_for(function.__module__)
        _say_if_first_time(folder, function)
        compiler = numba.njit(
            list(signatures),
            cache=folder is not None,
            nogil=True,
            error_model="numpy",
            **options,
        )
        config = numba.core.config
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder or "")
        try:
            return compiler(function)
        finally:
            config.CACHE_DIR = before

    return compile_one


def specialised(template: str, rules: ModuleType) -> ModuleType:
    """A module of kernels that are the same for every game, compiled for one of them.

    A template is a module that uses the name `rules` without importing it: the functions of a
    game that its kernels call. For each game it is loaded once more under a name of its own, so
    that its kernels are compiled with that game's functions inside them; a kernel that were given
    them as arguments would never be found in the cache.
    """
    name = f"{template}:{rules.__name__}"
    if name not in sys.modules:
        source = importlib.util.find_spec(template)
        if source is None or source.origin is None:
            raise ValueError(f"There is no module {template!r} to specialise.")
        spec = importlib.util.spec_from_file_location(name, source.origin)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        vars(module)["rules"] = rules
        sys.modules[name] = module  # compiled code names the module that it belongs to
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _folder_for(module: str) -> Path | None:
    """Where the kernels of a module are kept: specialised ones apart, since they look alike."""
    folder = cache_folder()
    if folder is None or ":" not in module:
        return folder
    below = folder / module.partition(":")[2]
    below.mkdir(exist_ok=True)
    return below


def helper(function: Callable[..., Any]) -> Any:
    """Compile a function that only kernels call; it becomes part of each of them.

    It may not make arrays: a kernel makes them and hands them over. So a helper needs not count
    who holds the arrays it is given, which Numba would do with a locked instruction for each of
    them at every call (a third of the time of training went there).
    """
    if JIT_DISABLED:
        return function
    return numba.njit(nogil=True, error_model="numpy", forceinline=True, _nrt=False)(function)


_said: set[str] = set()


def _say(sentence: str) -> None:
    """Tell the user something about the kernels, once."""
    if sentence not in _said:
        _said.add(sentence)
        print(f"clauseboard: {sentence}", file=sys.stderr, flush=True)


def _say_if_first_time(folder: Path | None, function: Callable[..., Any]) -> None:
    """Say that compiling takes a while, before the first kernel that is not yet in the cache."""
    name = f"{Path(function.__code__.co_filename).stem}.{function.__qualname__}-"
    if folder is None or not any(folder.glob(f"*/{name}*.nbi")):
        often = "once" if folder is not None else "each time: no folder to keep them"
        _say(f"compiling its kernels; this takes up to a minute and happens {often}.")


def _without_overflow_warnings(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def run(*arguments: Any) -> Any:
        if numba is None:
            _say("Numba is missing, so that this takes a thousand times as long. Install numba.")
        with np.errstate(over="ignore"):
            return function(*arguments)

    return run
