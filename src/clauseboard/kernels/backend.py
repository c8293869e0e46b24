"""Numba itself: the one module that imports it, when the first kernel is called."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, ClassVar, cast

import numba
import numba.core.bytecode
import numba.core.caching
import numba.core.compiler
import numba.core.funcdesc
import numba.core.registry
import numba.core.typeinfer
import numba.core.typing.templates
import numba.extending
import numpy as np
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import PassManager

from clauseboard.kernels import intrinsics
from clauseboard.kernels.compiler import CompiledFunction, Kernel, functions_called, named_tuples

KERNEL_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
# Numba would take these two from what calls the kernel, if that is compiled at the time.
KERNEL_OPTIONS |= {"forceinline": False, "_nrt": True}
HELPER_OPTIONS: dict[str, Any] = KERNEL_OPTIONS | {"forceinline": True, "_nrt": False}
# A third of the time of compiling went into what Python would need to call a helper.
NO_WRAPPERS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
SETTINGS = (numba.__version__, np.__version__, KERNEL_OPTIONS, HELPER_OPTIONS, NO_WRAPPERS, 4)
"""What all kernels are compiled with, for their fingerprints; the number is of this module."""


def kernel_dispatcher(compiled: CompiledFunction, options: dict[str, Any]) -> Any:
    """Numba's dispatcher of a kernel, which keeps what it compiles and looks there first."""
    function = compiled.function
    vars(function)["compiled_function"] = compiled
    dispatcher = numba.njit(pipeline_class=_KernelCompiler, **KERNEL_OPTIONS | options)(function)
    if compiled.folder is not None:
        dispatcher._cache = _KernelCache(function)
    return dispatcher


def compile_kernel(dispatcher: Any, signatures: Iterable[str]) -> None:
    """Compile a kernel for these types only, or load it from its folder."""
    with numba.core.typeinfer.register_dispatcher(dispatcher), _without_garbage_collection():
        for signature in signatures:
            dispatcher.compile(_parsed(signature))
    dispatcher.disable_compile()


def _parsed(signature: str) -> Any:
    """The types of a signature, as Numba reads it, but with our names."""
    return eval(signature, {}, {**vars(numba.core.types), **named_tuples})


def kernel_type(kernel: Kernel) -> Any:
    """Numba's type of a kernel, for functions that call it.

    These need its name and its types, but not its code, which they are linked to when they are
    loaded. So it may be compiled after them, or meanwhile by another process.
    """
    target = numba.core.registry.cpu_target.target_context
    identity = numba.core.bytecode.FunctionIdentity.from_function(kernel.function)
    signatures = [_parsed(signature) for signature in kernel.signatures]
    for each in signatures:
        descriptor = numba.core.funcdesc.FunctionDescriptor(
            native=True,
            modname=identity.modname,
            qualname=identity.func_qualname,
            unique_name=identity.unique_name,
            doc=None,
            typemap=None,
            restype=each.return_type,
            calltypes=None,
            args=identity.arg_names,
            kws=(),
            mangler=target.mangler,
            argtypes=each.args,
            abi_tags=[_SharedFlags.NAME],
            uid=kernel.fingerprint,
        )
        target.insert_user_function(kernel, descriptor, [kernel])
    template = numba.core.typing.templates.make_concrete_template(
        kernel.function.__name__, kernel, signatures
    )
    return numba.types.Function(template)


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


def compile_helper(function: FunctionType) -> Any:
    """Numba's dispatcher of a helper, which kernels call."""
    return numba.njit(pipeline_class=_HelperCompiler, **HELPER_OPTIONS, **NO_WRAPPERS)(function)


def helper_for_python(helper: CompiledFunction) -> Any:
    """Numba's dispatcher of a helper that Python calls."""
    return kernel_dispatcher(helper, HELPER_OPTIONS)


class _HelperType(numba.types.Dispatcher):
    """Numba's type of a helper, which is compiled once for numbers, and not for each constant.

    LLVM puts constants where they are used in any case, since helpers become parts of kernels.
    """

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The types of a call with these arguments."""
        general = tuple(numba.types.unliteral(each) for each in args)
        named = {name: numba.types.unliteral(each) for name, each in dict(kws).items()}
        return super().get_call_type(context, general, named)


numba.extending.register_model(_HelperType)(numba.extending.models.OpaqueModel)


def helper_type(dispatcher: Any) -> Any:
    """Numba's type of a helper with this dispatcher."""
    return _HelperType(dispatcher)


def intrinsic_type(name: str) -> Any:
    """Numba's type of an intrinsic of this name."""
    context = numba.core.registry.cpu_target.typing_context
    context.refresh()  # the caller may be compiling since before they were imported
    return context.resolve_value_type(getattr(intrinsics, name))


# ------------------------------------------------------------------ less work for the compiler


class _KernelLibrary(JITCodeLibrary):
    """The code of a kernel."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.calls: dict[str, Kernel] = {}
        """The other kernels that it calls, by their fingerprints."""

    def add_linking_library(self, library: Any) -> None:
        """Make the code of a helper a part of this, and remember a kernel."""
        if isinstance(library, CompiledFunction):
            self.calls[library.fingerprint] = cast(Kernel, library)
        else:
            super().add_linking_library(library)
            self.calls |= getattr(library, "calls", {})

    def _optimize_functions(self, ll_module: Any) -> None:
        """Make functions small before they become parts of others; the rest comes after that."""
        ll_module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager(
            opt=2, loop_vectorize=False, slp_vectorize=False
        )
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _finalize_final_module(self) -> None:
        """Make the code ready; it is linked to the kernels that it calls."""
        for each in self.calls.values():
            each.compile()
        super()._finalize_final_module()

    def serialize_using_object_code(self) -> tuple[Any, ...]:
        """The machine code, the names in it and the kernels that it calls.

        Numba would keep its LLVM representation as well, for kernels that have this one as a part.
        """
        names = [each.name for each in self.get_defined_functions()]
        return self.name, self._get_compiled_object(), names, list(self.calls)

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, code, names, calls = state
        library = cls(codegen, name)
        library.calls = {each: _within_reach[each] for each in calls}
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._finalize_final_module()
        codegen._engine._defined_symbols.update(names)
        return library


_within_reach: dict[str, Kernel] = {}
"""The kernels that loaded ones may call, by their fingerprints."""


class _PartLibrary(_KernelLibrary):
    """The code of a function that is compiled only as a part of the kernels that call it.

    Numba would optimise and compile every function by itself, and then each that calls it with
    the same code inside once more: half of the time that LLVM took.
    """

    def _optimize_final_module(self) -> None:
        """It is optimised where it is used."""

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None: Python does not call it."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> _PartLibrary:
        """What Numba asks to set the environment of the function, which `compile_kernel` does."""
        return self

    def set_env(self, name: str, environment: object) -> None:
        """There is no code yet that could have one."""


@contextlib.contextmanager
def _libraries(kind: type[JITCodeLibrary]) -> Iterator[None]:
    """Let Numba put what it compiles, or loads, into libraries of this kind."""
    codegen = numba.core.registry.cpu_target.target_context.codegen()
    before, codegen._library_class = codegen._library_class, kind
    try:
        yield
    finally:
        codegen._library_class = before


class _SharedFlags(numba.core.compiler.Flags):
    """Numba's flags, one object for all functions that are compiled with the same.

    Numba compares them for each operator of a function, option by option unless they are one.
    """

    NAME = ""
    made: ClassVar[list[_SharedFlags]] = []

    def __init__(self, flags: Any) -> None:
        super().__init__(flags)
        self._hash = super().__hash__()

    @classmethod
    def of(cls, flags: Any) -> _SharedFlags:
        """The shared ones that are equal to these."""
        for each in cls.made:
            if each.values() == flags.values():
                return each
        cls.made.append(cls(flags))
        return cls.made[-1]

    def copy(self) -> _SharedFlags:
        """Themselves, since nobody changes them from here on."""
        return self

    def __hash__(self) -> int:
        return self._hash

    def get_mangle_string(self) -> str:
        """Nothing: the names of compiled functions differ without them."""
        return self.NAME


class _HelperCompiler(numba.core.compiler.CompilerBase):
    """Numba's compiler without what helpers have none of.

    These are closures, generators, object mode, and what is done for arrays as a whole.
    """

    PASSES: tuple[tuple[Any, str], ...] = (
        (untyped_passes.TranslateByteCode, "analyze the bytecode"),
        (untyped_passes.FixupArgs, "fix up arguments"),
        (untyped_passes.IRProcessing, "process the representation"),
        (untyped_passes.RewriteSemanticConstants, "rewrite constants"),
        (untyped_passes.DeadBranchPrune, "remove branches that are never taken"),
        (untyped_passes.GenericRewrites, "rewrite static items"),
        (untyped_passes.ReconstructSSA, "assign each variable once"),
        (typed_passes.NopythonTypeInference, "infer types"),
        (typed_passes.PreLowerStripPhis, "remove phi nodes"),
        (typed_passes.InlineOverloads, "inline the operators of lanes"),
        (typed_passes.NoPythonSupportedFeatureValidation, "refuse what is not supported"),
        (typed_passes.IRLegalization, "check the representation"),
        (typed_passes.AnnotateTypes, "annotate types"),
        (typed_passes.NativeLowering, "lower to LLVM"),
        (typed_passes.NoPythonBackend, "collect the result"),
    )

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state.flags = _SharedFlags.of(self.state.flags)

    def define_pipelines(self) -> list[PassManager]:
        """The one list of passes that is tried."""
        passes = PassManager("kernels")
        for each, name in self.PASSES:
            passes.add_pass(each, name)
        passes.finalize()
        return [passes]


class _KernelCompiler(numba.core.compiler.Compiler):
    """Numba's compiler; what the kernel calls becomes a part of it."""

    def compile_extra(self, func: Any) -> Any:
        """Compile the kernel, all that it calls being parts of it."""
        codegen = self.state.targetctx.codegen()
        self.state.library = _KernelLibrary(codegen, func.__qualname__)
        self.state.library.enable_object_caching()
        self.state.flags = _SharedFlags.of(self.state.flags)
        with _libraries(_PartLibrary):
            result = super().compile_extra(func)
        for environment in result._find_referenced_environments():
            codegen.set_env(environment.env_name, environment)
        return result

    def _compile_bytecode(self) -> Any:
        """Compile the kernel under a name that is the same in every process."""
        identity = self.state.func_id
        identity.unique_id = vars(identity.func)["compiled_function"].fingerprint
        return super()._compile_bytecode()


class _Locator(numba.core.caching._CacheLocator):
    """The folder of one kernel, whose name has its fingerprint: nothing in it is out of date."""

    def __init__(self, folder: Path, file: str) -> None:
        self._folder, self._py_file = folder, file

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func.compiled_function.folder, py_file)

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
        for each in functions_called(self._py_func):
            if isinstance(each, Kernel):
                _within_reach[each.fingerprint] = each
        with _libraries(_KernelLibrary):
            loaded = super()._load_overload(sig, target_context)
        if loaded is not None:
            with contextlib.suppress(OSError):
                os.utime(self.cache_path)  # it is in use, and not to be removed as stale
        return loaded

    def _save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            super()._save_overload(sig, data)
