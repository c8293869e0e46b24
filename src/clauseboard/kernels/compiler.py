"""How functions become kernels: compiled by Numba when they are first called.

    >>> @kernel("int64(int64)")
    ... def doubled(number):
    ...     return 2 * number
    >>> int(doubled(21))
    42

A kernel is called from Python, a helper by kernels only. Numba itself is imported when the first
kernel is called.

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
import importlib
import importlib.util
import os
import queue
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Protocol, cast

import numpy as np

from clauseboard.files import (
    is_private,
    make_private,
    private_temporary_folder,
    user_cache,
    wait_for_lock,
)
from clauseboard.kernels.compiler_process import (
    CompilerProcess,
    compiler_process,
    end_compiler_processes,
)

NUMBA_MISSING = importlib.util.find_spec("numba") is None
JIT_DISABLED = NUMBA_MISSING or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether kernels are plain Python: asked for by `NUMBA_DISABLE_JIT=1`, or for want of Numba.

Numba is a dependency like others, but a machine with a GPU may well have none.
"""

_lock = threading.RLock()


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


def kernel(*signatures: str, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make a function a kernel, to be compiled for these types only, free of the GIL.

    Where kernels are plain Python (`JIT_DISABLED`) the function stays as it is, but that the
    wrap-around of 64-bit words, which is meant, brings no warning.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        if JIT_DISABLED:
            return _without_overflow_warnings(function)
        own_class = type("Kernel", (Kernel,), {})  # so that its __call__ can be its own, too
        return own_class(function, signatures, options)

    return decorate


named_tuples: dict[str, type[tuple[Any, ...]]] = {}
"""Classes that signatures name."""


def tuple_of(kind: type[tuple[Any, ...]], *types: str) -> str:
    """The type of a `NamedTuple` with fields of these types, for the signatures of kernels.

    Numba tells such classes apart by their names alone, so that a template, which is loaded for
    each game, may not define them.
    """
    if named_tuples.setdefault(kind.__name__, kind) is not kind:
        raise ValueError(f"Another class is called {kind.__name__}, too; Numba would mix them up.")
    return f"NamedTuple(({', '.join(types)}), {kind.__name__})"


class Kernel(CompiledFunction):
    """A function that is compiled, or loaded from the cache, when it is first called.

    Kernels that call it find it by its name: it is compiled once, and not as a part of them.
    """

    def __init__(
        self, function: Callable[..., Any], signatures: tuple[str, ...], options: dict[str, Any]
    ) -> None:
        super().__init__(function, (signatures, sorted(options.items())))
        self.signatures, self.options = signatures, options
        self._dispatcher: Any = None
        self._compiling = False

    @property
    def path(self) -> str:
        """Where another process finds it."""
        return f"{self.__module__}/{self.function.__qualname__}"

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel; from the second time on this is Numba's dispatcher itself."""
        return self.compile()(*arguments)

    def compile(self) -> Any:
        """Compile or load the kernel, unless that has been done; Numba's object for it."""
        with _lock:
            if self._dispatcher is None and not self._compiling:  # it is if it calls itself
                self._compiling = True
                try:
                    with _reported(self):
                        self._compile()
                finally:
                    self._compiling = False
        return self._dispatcher

    def _compile(self) -> None:
        from clauseboard.kernels import backend

        if _always_elsewhere and not self.is_ready() and (other := _other_process(0)) is not None:
            other.begin([self.path])
            other.wait()
        dispatcher = backend.kernel_dispatcher(self, self.options)
        # Of processes that want it at the same time one compiles it, and the others load it.
        held = contextlib.nullcontext() if self.is_ready() else locked(self.folder)
        with held:
            backend.compile_kernel(dispatcher, self.signatures)
        self._dispatcher = dispatcher
        # A method that passes calls on takes half as long as a small kernel does.
        setattr(type(self), "__call__", staticmethod(self._dispatcher))  # noqa: B010

    def is_ready(self) -> bool:
        """Whether it has been compiled before, by this process or another one."""
        if self._dispatcher is not None:
            return True
        return self.folder is not None and any(self.folder.glob("*.nbc"))

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """What Numba asks for where a kernel, another one or this one itself, calls it."""
        from clauseboard.kernels import backend

        return backend.kernel_type(self)


def helper(function: Callable[..., Any]) -> Any:
    """Make a function one that only kernels call; it becomes part of each of them.

    It may not make arrays: a kernel makes them and hands them over. So a helper needs not count
    the references to the arrays it is given, which Numba would do with a locked instruction for
    each of them at every call (a third of the time of training went there).
    """
    return function if JIT_DISABLED else Helper(function)


class Helper(CompiledFunction):
    """A function that is compiled into the kernels that call it."""

    @functools.cached_property
    def _dispatcher(self) -> Any:
        from clauseboard.kernels import backend

        return backend.compile_helper(self.function)

    @functools.cached_property
    def _dispatcher_for_python(self) -> Any:
        from clauseboard.kernels import backend

        return backend.helper_for_python(self)

    def __call__(self, *arguments: Any) -> Any:
        """Run the helper, compiled for the types of these arguments; for tests."""
        return self._dispatcher_for_python(*arguments)

    @functools.cached_property
    def _numba_type_(self) -> Any:
        from clauseboard.kernels import backend

        return backend.helper_type(self._dispatcher)


def intrinsic(function: Callable[..., Any]) -> Any:
    """Make a function one that `intrinsics` has the machine code of, under the same name.

    The function itself is what plain Python runs.
    """
    return function if JIT_DISABLED else Intrinsic(function)


class Intrinsic(CompiledFunction):
    """A function that kernels call and that is built by hand."""

    is_intrinsic = True

    def __call__(self, *arguments: Any) -> Any:
        """Run the plain function."""
        return self.function(*arguments)

    @property
    def _numba_type_(self) -> Any:
        from clauseboard.kernels import backend

        return backend.intrinsic_type(self.function.__name__)


class RulesModule(Protocol):
    """A module of functions that the kernels of a template call."""

    __name__: str


def specialised(template: str, rules: RulesModule, *, without: str = "") -> ModuleType:
    """A module of kernels that are the same for every game, compiled for one of them.

    A template is a module that uses the name `rules` without importing it: the functions of a
    game that its kernels call. For each game it is loaded once more under a name of its own, so
    that its kernels are compiled with that game's functions inside them; a kernel that were given
    them as arguments would never be found in the cache. A template may leave out a part, which then
    need not be compiled: it looks at the name `without`.
    """
    name = f"{template}:{rules.__name__}"
    if without:
        name += f" without {without}"
    if name not in sys.modules:
        source = importlib.util.find_spec(template)
        if source is None or source.origin is None:
            raise ValueError(f"There is no module {template!r} to specialise.")
        spec = importlib.util.spec_from_file_location(name, source.origin)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        vars(module)["rules"] = rules
        vars(module)["without"] = without
        sys.modules[name] = module  # compiled code names the module that it belongs to
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


# ------------------------------------------------------------------ where they are kept

STALE_AFTER_DAYS = 30


@functools.cache
def cache_folder() -> Path | None:
    """The folder that holds a folder for each kernel; those long unused are removed.

    Numba's index files are pickles, so that whoever can write them decides what code is run. Where
    the user's cache folder cannot be written to, or others can write to it, a private folder for
    temporary files is used, and None is returned where there is none of these either.
    """
    for parent in (user_cache(), private_temporary_folder()):
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


def remove_stale(folders: Iterator[Path]) -> None:
    """Remove folders that nothing was loaded from for long."""
    oldest = time.time() - STALE_AFTER_DAYS * 24 * 3600
    for folder in folders:
        if folder.is_dir() and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


# ------------------------------------------------------------------ fingerprints

STABLE_MODULES = ("builtins", "math", "numpy")
"""What these hold depends on their versions alone, which are part of every fingerprint."""

NAMED = (type, BuiltinFunctionType, FunctionType)
INTRINSIC_SOURCES = ("intrinsics.py", "simd.py")
"""The files that build machine code by hand."""


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


# ------------------------------------------------------------------ progress


@dataclass(frozen=True)
class Progress:
    """A kernel is being compiled, and so many of those expected are done.

    It is reported once more for the last one, when all are done.
    """

    kernel: str
    done: int
    expected: int

    def __str__(self) -> str:
        if self.done >= self.expected:
            return f"compiled {self.kernel} ({self.expected} of {self.expected})"
        return f"compiling {self.kernel} ({self.done + 1} of {self.expected})"


def prepare(kernels: Iterable[Any]) -> None:
    """Compile the kernels that are not in the cache, and report how many there are.

    Numba compiles one kernel at a time, so that of three or more a second process, which takes a
    second to start, compiles all but the first: name the one that takes longest first.
    """
    missing = [each for each in kernels if isinstance(each, Kernel) and not each.is_ready()]
    if not missing:
        return
    other = _other_process(1) if len(missing) > 2 else None
    if other is not None:
        other.begin(each.path for each in missing[1:])
    for done, each in enumerate(missing):
        with _reported(each, done, len(missing)):
            each.compile()
        if other is not None:
            other.wait()
    if not _always_elsewhere:
        end_compiler_processes()


_always_elsewhere = False


def compile_elsewhere() -> None:
    """Compile nothing in this process from now on, if there is a cache to find it in.

    The compiler keeps hundreds of megabytes. `end_compiler_processes` gives back what those hold
    that compile instead.
    """
    global _always_elsewhere
    _always_elsewhere = True


def _other_process(number: int) -> CompilerProcess | None:
    """The process of this number that compiles kernels into the cache, if there is room for it."""
    if cache_folder() is None or ((os.cpu_count() or 1) < 2 and not _always_elsewhere):
        return None
    return compiler_process(number)


def compile_for_parent() -> None:
    """Compile the kernels that another process names, a line for each; end as soon as it ends."""
    names: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            names.put(line.strip())
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    try:
        while True:
            _named(names.get()).compile()
            print(flush=True)
    finally:
        os._exit(1)  # while a thread reads, Python could not end


def _named(name: str) -> Kernel:
    """The kernel of a path such as `module/kernel` or `template:rules/kernel`."""
    module, _, function = name.partition("/")
    template, _, rules = module.partition(":")
    if rules:
        rules, _, without = rules.partition(" without ")
        found = specialised(template, importlib.import_module(rules), without=without)
    else:
        found = importlib.import_module(module)
    return vars(found)[function]


def on_compile(listener: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """Report progress to this function instead of on the error output; the one before it."""
    global _listener
    before, _listener = _listener, listener
    return before


@contextlib.contextmanager
def _reported(kernel: Kernel, done: int = 0, expected: int = 1) -> Iterator[None]:
    """Report that a kernel is compiled, unless it is in the cache or part of another one."""
    global _reporting
    if _reporting or (expected == 1 and kernel.is_ready()):
        yield
        return
    _reporting = True
    try:
        _report(kernel, done, expected)
        yield
        if done + 1 == expected:
            _report(kernel, expected, expected)
    finally:
        _reporting = False


def _report(kernel: Kernel, done: int, expected: int) -> None:
    template, _, rules = kernel.__module__.removeprefix("clauseboard.").partition(":")
    place = (
        f"{template.removesuffix('_template')} for {rules.split('.')[-2]}" if rules else template
    )
    _listener(Progress(f"{place}: {kernel.function.__name__}", done, expected))


def _print_progress(progress: Progress) -> None:
    """One line that is written over and over in a terminal; elsewhere one notice."""
    if not sys.stderr.isatty():
        how_often = "once" if cache_folder() else "each time: no folder to keep them"
        _say(f"compiling its kernels; this takes up to a minute and happens {how_often}.")
    elif progress.done < progress.expected:
        print(f"\r\x1b[Kclauseboard: {progress}…", end="", file=sys.stderr, flush=True)
    else:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


_listener: Callable[[Progress], None] = _print_progress
_reporting = False
_said: set[str] = set()


def _say(sentence: str) -> None:
    """Tell the user something about the kernels, once."""
    if sentence not in _said:
        _said.add(sentence)
        print(f"clauseboard: {sentence}", file=sys.stderr, flush=True)


# ------------------------------------------------------------------ without the compiler


def _without_overflow_warnings(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def run(*arguments: Any) -> Any:
        if NUMBA_MISSING:
            _say("Numba is missing, so that this takes a thousand times as long. Install numba.")
        with np.errstate(over="ignore"):
            return function(*arguments)

    return run
