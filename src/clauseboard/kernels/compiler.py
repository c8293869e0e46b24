"""How functions become kernels: compiled by Numba when they are first called.

    >>> @kernel("int64(int64)")
    ... def doubled(number):
    ...     return 2 * number
    >>> int(doubled(21))
    42

A kernel is called from Python, a helper by kernels only. Numba itself is imported when the first
kernel is called. `cache` says where compiled kernels are kept.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from clauseboard.kernels import cache
from clauseboard.kernels.cache import CompiledFunction, locked

NUMBA_MISSING = importlib.util.find_spec("numba") is None
JIT_DISABLED = NUMBA_MISSING or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether kernels are plain Python: asked for by `NUMBA_DISABLE_JIT=1`, or for want of Numba.

Numba is a dependency like others, but a machine with a GPU may well have none.
"""

_lock = threading.RLock()


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
            other.begin([self])
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
    other = _other_process(1) if len(missing) > 2 else None
    if other is not None:
        other.begin(missing[1:])
    for done, each in enumerate(missing):
        with _reported(each, done, len(missing)):
            each.compile()
        if other is not None:
            other.wait()
    if not _always_elsewhere:
        end_other_processes()


def compile_elsewhere() -> None:
    """Compile nothing in this process from now on, if there is a cache to find it in.

    The compiler keeps hundreds of megabytes. `end_other_processes` gives back what those hold that
    compile instead.
    """
    global _always_elsewhere
    _always_elsewhere = True


def end_other_processes() -> None:
    """End the processes that compile for this one."""
    with _lock:
        while _others:
            _others.popitem()[1].end()


class _CompilerProcess:
    """Another process, which compiles kernels into the cache; it ends with this one."""

    def __init__(self) -> None:
        code = "from clauseboard.kernels.compiler import compile_for_parent as c; c()"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._waiting = 0

    def begin(self, kernels: Iterable[Kernel]) -> None:
        """Have kernels compiled."""
        names = [f"{each.__module__}/{each.function.__qualname__}\n" for each in kernels]
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it has ended
            self._process.stdin.write("".join(names).encode())
            self._process.stdin.flush()
        self._waiting += len(names)

    def wait(self) -> None:
        """Wait until all are done, or it has failed: then they are compiled here, or fail here."""
        assert self._process.stdout is not None
        while self._waiting and self._process.stdout.readline():
            self._waiting -= 1

    @property
    def has_ended(self) -> bool:
        """Whether it has ended by itself, having failed."""
        return self._process.poll() is not None

    def end(self) -> None:
        """End it."""
        self._process.kill()
        # This closes its pipes, with an error if something was not read, and waits.
        with contextlib.suppress(OSError), self._process:
            pass


_always_elsewhere = False
_others: dict[int, _CompilerProcess] = {}


def _other_process(number: int) -> _CompilerProcess | None:
    """The process of this number that compiles kernels into the cache, if there is room for it."""
    if cache.cache_folder() is None or ((os.cpu_count() or 1) < 2 and not _always_elsewhere):
        return None
    if number in _others and _others[number].has_ended:
        _others.pop(number).end()
    if number not in _others:
        try:
            _others[number] = _CompilerProcess()
        except OSError:
            return None
    return _others[number]


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
    """The kernel of a name such as `module/kernel` or `template:rules/kernel`."""
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
        how_often = "once" if cache.cache_folder() else "each time: no folder to keep them"
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
