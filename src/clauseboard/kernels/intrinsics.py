"""The machine code of the functions in `bits` and `simd` that are marked as intrinsic."""

from __future__ import annotations

import operator
import os
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model

from clauseboard.kernels.simd import LANES

# ------------------------------------------------------------------ bits


@intrinsic
def count_ones(typing_context: Any, word: Any) -> Any:
    """The number of set bits."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build


@intrinsic
def lowest_one(typing_context: Any, word: Any) -> Any:
    """The place of the lowest set bit; the word must not be zero."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zero_is_undefined = context.get_constant(types.boolean, True)
        return builder.cttz(arguments[0], zero_is_undefined)

    return types.int64(types.uint64), build


@intrinsic
def nth_one(typing_context: Any, word: Any, n: Any) -> Any:
    """The place of the n-th lowest set bit, counted from 1."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, n = arguments
        kind = word.type
        one, zero_is_undefined = ir.Constant(kind, 1), context.get_constant(types.boolean, True)
        if "+bmi2" not in context.codegen().magic_tuple()[2]:
            return context.compile_internal(builder, _nth_one, signature, arguments)
        # One step puts the n-th bit of a word to the place of the n-th one of another.
        which = builder.shl(one, builder.sub(n, one))
        function = builder.module.globals.get("llvm.x86.bmi.pdep.64") or ir.Function(
            builder.module, ir.FunctionType(kind, [kind, kind]), "llvm.x86.bmi.pdep.64"
        )
        return builder.cttz(builder.call(function, [which, word]), zero_is_undefined)

    return types.int64(types.uint64, types.int64), build


def _nth_one(word: Any, n: Any) -> Any:
    """The same where the processor has no instruction for it."""
    for _ in range(n - 1):
        word &= word - np.uint64(1)
    place = 0
    while not (word >> np.uint64(place)) & np.uint64(1):
        place += 1
    return place


def _element(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    view = context.make_array(array_type)(context, builder, array)
    return builder.gep(view.data, [index])


@intrinsic
def publish(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """Store a value so that other threads see it after all that was stored before."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _element(context, builder, signature.args[0], arguments[0], arguments[1])
        builder.store_atomic(arguments[2], place, ordering="release", align=8)
        return context.get_dummy_value()

    return types.void(types.int64[::1], types.int64, types.int64), build


@intrinsic
def look(typing_context: Any, array: Any, index: Any) -> Any:
    """Load a value that another thread may be about to publish."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _element(context, builder, signature.args[0], arguments[0], arguments[1])
        return builder.load_atomic(place, ordering="acquire", align=8)

    return types.int64(types.int64[::1], types.int64), build


@intrinsic
def step_aside(typing_context: Any) -> Any:
    """Let another thread run, where the system has a call for it."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if hasattr(os, "sched_yield"):
            kind = ir.FunctionType(ir.IntType(32), [])
            name = "sched_yield"
            declared = builder.module.globals.get(name)
            builder.call(declared or ir.Function(builder.module, kind, name), [])
        return context.get_dummy_value()

    return types.void(), build


@intrinsic
def copy_into(typing_context: Any, target: Any, source: Any) -> Any:
    """Copy all items of an array into another one of the same type and size."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])
        to, of = (view(context, builder, each) for each in arguments)
        cgutils.raw_memcpy(builder, to.data, of.data, of.nitems, of.itemsize)
        return context.get_dummy_value()

    return types.void(target, target), build


# ------------------------------------------------------------------ SIMD


class LanesType(types.Type):
    """Numba's type of a lanes value."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


LANES_TYPE = LanesType()
_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, LANES)


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, _VECTOR)


def _place(context: Any, builder: Any, array_type: Any, array: Any, indices: Any) -> Any:
    """Where array[i, j, k] lies, as a pointer to four words."""
    view = context.make_array(array_type)(context, builder, array)
    shape = cgutils.unpack_tuple(builder, view.shape, 3)
    strides = cgutils.unpack_tuple(builder, view.strides, 3)
    pointer = cgutils.get_item_pointer2(
        context, builder, view.data, shape, strides, "C", indices, wraparound=False
    )
    return builder.bitcast(pointer, _VECTOR.as_pointer())


@intrinsic
def load_lanes(typing_context: Any, array: Any, i: Any, j: Any, k: Any) -> Any:
    """The words array[i, j, k : k + 4]."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], arguments[0], arguments[1:4])
        return builder.load(place, align=8)

    return LANES_TYPE(array, types.intp, types.intp, types.intp), build


@intrinsic
def store_lanes(typing_context: Any, array: Any, i: Any, j: Any, k: Any, lanes: Any) -> Any:
    """Store into array[i, j, k : k + 4]."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], arguments[0], arguments[1:4])
        builder.store(arguments[4], place, align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp, types.intp, LANES_TYPE), build


def _repeat(builder: Any, word: Any) -> Any:
    one = builder.insert_element(
        ir.Constant(_VECTOR, ir.Undefined), word, ir.Constant(ir.IntType(32), 0)
    )
    first_lane = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, one, first_lane)


@intrinsic
def every_lane(typing_context: Any, word: Any) -> Any:
    """The same word four times."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _repeat(builder, arguments[0])

    return LANES_TYPE(types.uint64), build


@intrinsic
def with_lane(typing_context: Any, lanes: Any, k: Any, word: Any) -> Any:
    """The same lanes, but for lane k."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes, k, word = arguments
        return builder.insert_element(lanes, word, k)

    return LANES_TYPE(LANES_TYPE, types.int64, types.uint64), build


@intrinsic
def turned_lanes(typing_context: Any, lanes: Any, places: Any) -> Any:
    """Either half of every word rotated to the left by the same number of places."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes, places = arguments
        halves = ir.VectorType(ir.IntType(32), 2 * LANES)
        funnel = builder.module.declare_intrinsic(
            f"llvm.fshl.v{2 * LANES}i32", fnty=ir.FunctionType(halves, [halves] * 3)
        )
        value = builder.bitcast(lanes, halves)
        once = builder.and_(places, ir.Constant(_WORD, 31))
        twice = builder.or_(once, builder.shl(once, ir.Constant(_WORD, 32)))
        left = builder.bitcast(_repeat(builder, twice), halves)
        turned = builder.call(funnel, [value, value, left])
        return builder.bitcast(turned, _VECTOR)

    return LANES_TYPE(LANES_TYPE, types.uint64), build


@intrinsic
def any_lane(typing_context: Any, lanes: Any) -> Any:
    """Whether any bit is set."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = ir.IntType(64 * LANES)
        return builder.icmp_unsigned(
            "!=", builder.bitcast(arguments[0], whole), ir.Constant(whole, 0)
        )

    return types.boolean(LANES_TYPE), build


@intrinsic
def empty_lanes(typing_context: Any, lanes: Any) -> Any:
    """Which words are zero, a bit for each, the first one lowest."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        empty = builder.icmp_unsigned("==", arguments[0], ir.Constant(_VECTOR, [0] * LANES))
        return builder.zext(builder.bitcast(empty, ir.IntType(LANES)), _WORD)

    return types.uint64(LANES_TYPE), build


@intrinsic
def raised_lanes(typing_context: Any, lanes: Any, amount: Any, where: Any) -> Any:
    """The same lanes, but with an amount added to those whose bits are set in a word."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes, amount, where = arguments
        few = builder.trunc(where, ir.IntType(LANES))
        bits = builder.bitcast(few, ir.VectorType(ir.IntType(1), LANES))
        return builder.select(bits, builder.add(lanes, _repeat(builder, amount)), lanes)

    return LANES_TYPE(LANES_TYPE, types.int64, types.uint64), build


@intrinsic
def no_lanes(typing_context: Any) -> Any:
    """Lanes without a bit set."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return ir.Constant(_VECTOR, [0] * LANES)

    return LANES_TYPE(), build


def _define(symbol: Any, instruction: str) -> None:
    def apply(typing_context: Any, left: Any, right: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*arguments)

        return LANES_TYPE(LANES_TYPE, LANES_TYPE), build

    operation: Any = intrinsic(apply)

    def choose(left: Any, right: Any) -> Any:
        if isinstance(left, LanesType) and isinstance(right, LanesType):
            return lambda left, right: operation(left, right)
        return None

    overload(symbol, inline="always", strict=False)(choose)


for _symbol, _instruction in (
    (operator.and_, "and_"),
    (operator.iand, "and_"),
    (operator.or_, "or_"),
    (operator.ior, "or_"),
    (operator.xor, "xor"),
    (operator.ixor, "xor"),
):
    _define(_symbol, _instruction)


def _build_inverted(typing_context: Any, lanes: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.not_(arguments[0])

    return LANES_TYPE(LANES_TYPE), build


_inverted: Any = intrinsic(_build_inverted)


@overload(operator.invert, inline="always", strict=False)
def _invert(lanes: Any) -> Any:
    if isinstance(lanes, LanesType):
        return lambda lanes: _inverted(lanes)
    return None
