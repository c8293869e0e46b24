"""Numba itself: the one module that imports it, when the first kernel is called."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numba.core.caching
import numba.core.registry
import numba.core.typeinfer
import numpy as np

from clauseboard.kernels import intrinsics

KERNEL_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
HELPER_OPTIONS: dict[str, Any] = KERNEL_OPTIONS | {"forceinline": True, "_nrt": False}
# A third of the time of compiling went into what Python would need to call a helper.
NO_WRAPPERS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
SETTINGS = (numba.__version__, np.__version__, KERNEL_OPTIONS, HELPER_OPTIONS, NO_WRAPPERS)
"""What all kernels are compiled with, for their fingerprints."""


def kernel_dispatcher(function: FunctionType, options: dict[str, Any], folder: Path | None) -> Any:
    """Numba's dispatcher of a kernel, with nothing compiled yet."""
    dispatcher = numba.njit(**KERNEL_OPTIONS, **options)(function)
    if folder is not None:
        vars(function)["cache_folder"] = folder
        dispatcher._cache = _KernelCache(function)
    return dispatcher


def compile_kernel(dispatcher: Any, signatures: Iterable[str]) -> None:
    """Compile a kernel for these types only, or load it from its folder."""
    with numba.core.typeinfer.register_dispatcher(dispatcher), _without_garbage_collection():
        for signature in signatures:
            dispatcher.compile(signature)
    dispatcher.disable_compile()


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """The compiler makes millions of objects that stay; to look through them took a tenth of it."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def compile_helper(function: FunctionType, for_python: bool = False) -> Any:
    """Numba's dispatcher of a helper, which kernels call; or one that Python can call, too."""
    return numba.njit(**HELPER_OPTIONS, **({} if for_python else NO_WRAPPERS))(function)


def intrinsic_type(name: str) -> Any:
    """Numba's type of an intrinsic of this name."""
    context = numba.core.registry.cpu_target.typing_context
    context.refresh()  # the caller may be compiling since before they were imported
    return context.resolve_value_type(getattr(intrinsics, name))


class _Locator(numba.core.caching._CacheLocator):
    """The folder of one kernel, whose name has its fingerprint: nothing in it is out of date."""

    def __init__(self, folder: Path, file: str) -> None:
        self._folder, self._py_file = folder, file

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func.cache_folder, py_file)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._folder.name

    def get_disambiguator(self) -> str:
        return "kernel"


class _CacheImplementation(numba.core.caching.CompileResultCacheImpl):
    _locator_classes: list[type[object]] = [_Locator]  # noqa: RUF012 (as Numba declares it)


class _KernelCache(numba.core.caching.FunctionCache):
    """Numba's cache of a function in the folder of a kernel.

    A disk that is full, or a folder that cannot be written to any more, does not stop the work.
    """

    _impl_class = _CacheImplementation

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        loaded = super()._load_overload(sig, target_context)
        if loaded is not None:
            with contextlib.suppress(OSError):
                os.utime(self.cache_path)  # it is in use, and not to be removed as stale
        return loaded

    def _save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            super()._save_overload(sig, data)
