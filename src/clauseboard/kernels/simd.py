"""Four 64-bit words side by side as one value in a kernel.

Most of what a Tsetlin Machine does to its automata is the same few word operations on a whole
row of words. Numba leaves it to the compiler to find that out, and mostly it does not. A *lanes*
value says it outright: in compiled code it is one vector of four words, which takes `& | ^ ~`
like a word does, and LLVM turns it into whatever the processor has for it.

With `NUMBA_DISABLE_JIT=1` lanes are NumPy arrays of four words, and the same code runs.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from clauseboard.kernels.compiler import JIT_DISABLED

LANES = 4
"""Words in a lanes value; rows of words are padded to a multiple of it."""

if JIT_DISABLED:

    def load_lanes(array: Any, i: int, j: int, k: int) -> Any:
        """The words array[i, j, k : k + 4]."""
        return array[i, j, k : k + LANES].copy()

    def store_lanes(array: Any, i: int, j: int, k: int, lanes: Any) -> None:
        """Store into array[i, j, k : k + 4]."""
        array[i, j, k : k + LANES] = lanes

    def turned_lanes(lanes: Any, places: Any) -> Any:
        """Either half of every word rotated to the left by the same number of places."""
        halves = lanes.view(np.uint32)
        left = np.uint32(int(places) % 32)
        turned = (halves << left) | (halves >> (np.uint32(32 - left) % np.uint32(32)))
        return turned.view(np.uint64)

    def any_lane(lanes: Any) -> bool:
        """Whether any bit is set."""
        return bool(np.any(lanes))

    def no_lanes() -> Any:
        """Lanes without a bit set."""
        return np.zeros(LANES, np.uint64)

    def every_lane(word: Any) -> Any:
        """The same word four times."""
        return np.full(LANES, word, np.uint64)

else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, models, overload, register_model

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
