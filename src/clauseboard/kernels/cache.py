"""Where compiled kernels are kept, and the fingerprint they are found by.

Numba notices a change only in the file that a kernel is written in, not in a function that it
calls from another file. So each kernel is kept under a fingerprint: a hash of all that its
machine code is made from. That is its bytecode, the values of the constants that it uses, the
helpers that it calls with all of theirs, and the versions of Numba and NumPy. Where the source
lies, its comments and everything that the kernel does not use make no difference, so that copies
of the package share one cache and an edit recompiles only what it changes.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from clauseboard.files import is_private, make_private, wait_for_lock

STALE_AFTER_DAYS = 30
STABLE_MODULES = ("builtins", "math", "numpy")
"""What these hold depends on their versions alone, which are part of every fingerprint."""

NAMED = (type, BuiltinFunctionType, FunctionType)
INTRINSIC_SOURCES = ("intrinsics.py", "simd.py")
"""The files that build machine code by hand."""


class CompiledFunction:
    """A function that compiled code calls: a kernel, a helper or an intrinsic.

    `settings` are those that matter for what calls it.
    """

    is_intrinsic = False

    def __init__(self, function: Callable[..., Any], settings: object = ()) -> None:
        self.function, self.settings = cast(FunctionType, function), settings
        functools.update_wrapper(cast(Any, self), function)

    @functools.cached_property
    def fingerprint(self) -> str:
        """What names the compiled function in the cache, and for the functions that call it."""
        from clauseboard.kernels import backend

        return fingerprint(self.function, *backend.SETTINGS, self.settings)

    @functools.cached_property
    def folder(self) -> Path | None:
        """Where the compiled function is kept, if there is room for it."""
        parent = cache_folder()
        if parent is None:
            return None
        module = self.function.__module__.partition(":")[0].rpartition(".")[2]
        return parent / f"{module}.{self.function.__name__}-{self.fingerprint}"


# ------------------------------------------------------------------ folders


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


@functools.cache
def cache_folder() -> Path | None:
    """The folder that holds a folder for each kernel; those long unused are removed.

    Numba's index files are pickles, so that whoever can write them decides what code is run. Where
    the user's cache folder cannot be written to, or others can write to it, a private folder for
    temporary files is used, and None is returned where there is none of these either.
    """
    for parent in (user_cache(), _private_temporary_folder()):
        if parent is None:
            continue
        folder = parent / "kernels"
        try:
            make_private(folder)
            if not is_private(folder):
                continue
            folder.chmod(0o700)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            remove_stale(folder.glob("*"))
            remove_stale(parent.glob("kernels-*"))  # the layout of versions before 0.13
            return folder
    return None


@contextlib.contextmanager
def locked(folder: Path | None) -> Iterator[None]:
    """Hold a folder alone; another process waits until it is let go, or the holder has ended.

    Nothing is held where the folder cannot be written to.
    """
    with contextlib.ExitStack() as held:
        if folder is not None:
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                wait_for_lock(held.enter_context(open(folder / "lock", "ab")))
        yield


def _private_temporary_folder() -> Path | None:
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


def remove_stale(folders: Iterator[Path]) -> None:
    """Remove folders that nothing was loaded from for long."""
    oldest = time.time() - STALE_AFTER_DAYS * 24 * 3600
    for folder in folders:
        if folder.is_dir() and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


# ------------------------------------------------------------------ fingerprints


def fingerprint(function: FunctionType, *settings: object) -> str:
    """Twenty hex digits that change with anything that the compiled function is made from.

    `settings` are the signatures, options and versions that it is compiled with. A `TypeError` is
    raised if the function uses a value of a kind that is not known to be described completely.
    """
    digest = hashlib.sha256(repr(settings).encode())
    digest.update(_described(function)[0])
    for each in functions_called(function):
        digest.update(_described(each.function)[0])
    return digest.hexdigest()[:20]


def functions_called(function: FunctionType) -> list[CompiledFunction]:
    """The compiled functions that a function may call, and those that they may call."""
    called = list(_described(function)[1])
    seen = {function, *(each.function for each in called)}
    for each in called:  # grows while it is walked
        for other in _described(each.function)[1]:
            if other.function not in seen:
                seen.add(other.function)
                called.append(other)
    return called


@functools.cache
def _described(function: FunctionType) -> tuple[bytes, tuple[CompiledFunction, ...]]:
    """A function's own code and constants as bytes, and the other functions that it calls."""
    called: list[CompiledFunction] = []
    place = f"{function.__module__}.{function.__qualname__}"
    parts = [place, *_describe_code(function.__code__, called, function.__doc__)]
    defaults = function.__defaults__, tuple((function.__kwdefaults__ or {}).items())
    enclosed = tuple(cell.cell_contents for cell in function.__closure__ or ())
    parts += _describe((defaults, enclosed), called)
    for name, value in _globals_used(function.__code__, function.__globals__):
        try:
            parts += [name, *_describe(value, called)]
        except TypeError as error:
            raise TypeError(f"{place} uses {name}, but {error}") from None
    return "\0".join(parts).encode(), tuple({each.function: each for each in called}.values())


def _globals_used(code: CodeType, names: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The globals that code may use, and what it may use of the modules among them.

    Code lists the names of globals and of attributes together, so that this may be too many, but
    never too few.
    """
    for name in code.co_names:
        if name not in names:
            continue
        value = names[name]
        yield name, value
        if isinstance(value, ModuleType) and not _is_stable(value.__name__):
            for attribute in code.co_names:
                if hasattr(value, attribute):
                    yield f"{name}.{attribute}", getattr(value, attribute)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _globals_used(constant, names)


def _is_stable(module: str) -> bool:
    return module.partition(".")[0] in STABLE_MODULES


def _describe(value: Any, called: list[CompiledFunction]) -> Iterator[str]:
    """A value as text that differs whenever code compiled with it might; functions are noted."""
    kind = type(value)
    if value is None or value is ... or kind in (bool, int, float, complex, str, bytes):
        yield f"{kind.__name__} {value!r}"
    elif isinstance(value, np.generic | np.ndarray):
        content = hashlib.sha256(np.asarray(value).tobytes("A")).hexdigest()
        yield f"{kind.__name__} {value.dtype.descr} {value.shape} {value.strides} {content}"
    elif isinstance(value, tuple):
        yield f"{kind.__module__}.{kind.__qualname__} of {len(value)}"
        for item in value:
            yield from _describe(item, called)
    elif isinstance(value, slice):  # Python 3.14 has x[1:3] in code as one constant
        yield "slice"
        yield from _describe((value.start, value.stop, value.step), called)
    elif isinstance(value, CodeType):
        yield from _describe_code(value, called)
    elif isinstance(value, CompiledFunction):
        yield f"calls {value.function.__module__}.{value.function.__qualname__} {value.settings!r}"
        if value.is_intrinsic:
            yield _intrinsics_hash()
        else:
            called.append(value)
    elif isinstance(value, ModuleType):
        yield f"module {value.__name__}"
    elif isinstance(value, np.ufunc):
        yield f"ufunc {value.__name__}"
    elif isinstance(value, NAMED) and _is_stable(value.__module__ or ""):
        yield f"{value.__module__}.{value.__qualname__}"
    elif isinstance(value, type) and issubclass(value, tuple):
        yield f"class {value.__module__}.{value.__qualname__} {value.__annotations__}"
    else:
        raise TypeError(f"the cache of kernels cannot tell whether a {kind.__qualname__} changed.")


def _describe_code(
    code: CodeType, called: list[CompiledFunction], doc: str | None = None
) -> list[str]:
    """Code without its docstring and line numbers."""
    constants = code.co_consts
    if doc is not None and constants[0] == doc:
        constants = (None, *constants[1:])
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    head = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags, names)
    machine = code.co_code.hex(), code.co_exceptiontable.hex()
    return [repr(head), *machine, *_describe(constants, called)]


@functools.cache
def _intrinsics_hash() -> str:
    sources = [Path(__file__).with_name(name).read_bytes() for name in INTRINSIC_SOURCES]
    return hashlib.sha256(b"\0".join(sources)).hexdigest()
