"""Kernels as JavaScript, so that a page in a browser counts and searches as Python does.

A kernel is read from its source, with all helpers and constants that it uses. Words of 64 bits
become BigInt, which are cut to 64 bits where an operation could leave them; other numbers stay
numbers, arrays become arrays of arrays, and tuples arrays. Only what kernels over words need is
understood; anything else is refused.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from clauseboard.kernels import bits
from clauseboard.kernels.compiler import CompiledFunction

RUNTIME = """
const cut = (x) => (typeof x === "bigint" ? BigInt.asUintN(64, x) : x);
const ones32 = (x) => {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return (((x + (x >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};
const count_ones = (x) => {
  if (x === 0n) return 0;
  return ones32(Number(x & 0xffffffffn)) + ones32(Number(x >> 32n));
};
const lowest_one = (x) => {
  const low = Number(x & 0xffffffffn);
  if (low) return 31 - Math.clz32(low & -low);
  const high = Number(x >> 32n);
  return 63 - Math.clz32(high & -high);
};
const ARRAYS = {
  int8: Int32Array, int16: Int32Array, int32: Int32Array, int64: Float64Array,
  float64: Float64Array, uint8: Uint8Array, uint16: Uint16Array, bool: Uint8Array,
};
const zeros = (shape, kind) => {
  const [length, ...inner] = typeof shape === "number" ? [shape] : shape;
  if (inner.length) return Array.from({ length }, () => zeros(inner, kind));
  return kind === "uint64" ? new Array(length).fill(0n) : new ARRAYS[kind](length);
};
const isArray = (x) => typeof x === "object";
const alike = (x) => (isArray(x[0]) ? x.map(alike) : x.slice());
const sizeOf = (x) => (isArray(x[0]) ? x.length * sizeOf(x[0]) : x.length);
const fill = (x, value) => {
  for (let n = 0; n < x.length; n++) {
    if (isArray(x[n])) fill(x[n], value);
    else x[n] = value;
  }
};
const copy_into = (target, source) => {
  for (let n = 0; n < source.length; n++) {
    if (isArray(source[n])) copy_into(target[n], source[n]);
    else target[n] = source[n];
  }
};
""".strip()
"""What the functions need; intrinsics have no source that could be read."""


def _is_helper(value: object) -> bool:
    """Whether kernels may call it; where nothing is compiled, these are plain functions."""
    return isinstance(value, CompiledFunction | FunctionType)


def _function(helper: Any) -> FunctionType:
    """What a helper or a kernel is written as."""
    function = inspect.unwrap(helper.function if isinstance(helper, CompiledFunction) else helper)
    assert isinstance(function, FunctionType)
    return function


INTRINSICS = tuple(map(_function, (bits.count_ones, bits.lowest_one, bits.copy_into)))
BUILTINS: dict[Any, str] = {abs: "Math.abs", min: "Math.min", max: "Math.max"}
CONVERSIONS: dict[Any, str] = {
    int: "Number({})", float: "Number({})", np.int64: "Number({})", np.float64: "Number({})",
    np.float32: "Math.fround(Number({}))",
    np.uint8: "(Number({}) & 255)", np.uint64: "BigInt({})", np.empty_like: "alike({})",
}  # fmt: skip
"""Functions of one argument; a copy will do for an empty array."""
WORDS = """
arguments await case catch class const debugger default delete do enum eval export extends false
function implements in instanceof interface let new null package private protected public static
super switch this throw true typeof var void with yield
"""
TAKEN = frozenset((*WORDS.split(), *re.findall(r"^const (\w+) =", RUNTIME, re.MULTILINE)))
"""Names that mean something else in JavaScript, or here."""
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>", ast.Mod: "%", ast.Div: "/",
    ast.Eq: "===", ast.NotEq: "!==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.And: "&&", ast.Or: "||",
}  # fmt: skip
CUT = (ast.Add, ast.Sub, ast.Mult, ast.LShift)
"""Operations whose results may need more than 64 bits."""


def javascript(*wanted: Any, given: Mapping[Any, str] | None = None) -> str:
    """The functions of some kernels, and all that they use, as JavaScript.

    `given` has helpers that are written by hand.

    >>> from clauseboard.games.checkers.kernels import jumpers
    >>> "function jumpers(rising, falling, theirs, empty) {" in javascript(jumpers)
    True
    """
    script = _Script({_function(helper): text for helper, text in (given or {}).items()})
    for helper in wanted:
        script.name_of_function(_function(helper))
    functions = script.functions()
    return "\n\n".join([RUNTIME, *script.constants.values(), *functions]) + "\n"


class _Script:
    """The names of all that is used, and what is still to be written."""

    def __init__(self, given: dict[FunctionType, str]) -> None:
        self.given = given
        self.constants: dict[str, str] = {}
        self._names: dict[int, str] = {}
        self._waiting: list[tuple[str, FunctionType]] = []

    def _name(self, thing: Any, wanted: str) -> tuple[str, bool]:
        """A name that nothing else has, and whether it is new."""
        if id(thing) in self._names:
            return self._names[id(thing)], False
        name, n = wanted, 2
        while name in TAKEN or name in self._names.values():
            name, n = f"{wanted}_{n}", n + 1
        self._names[id(thing)] = name
        return name, True

    def name_of_function(self, function: FunctionType) -> str:
        """The name of a function, which is written later on."""
        name, new = self._name(function, function.__name__)
        if new:
            self._waiting.append((name, function))
        return name

    def name_of_array(self, array: Any, wanted: str) -> str:
        """The name of an array that stays as it is."""
        name, new = self._name(array, wanted)
        if new:
            self.constants[name] = f"const {name} = {literal(array)};"
        return name

    def functions(self) -> list[str]:
        """All functions; each may name further ones."""
        written = []
        while self._waiting:
            name, function = self._waiting.pop(0)
            given = self.given.get(function)
            written.append(_Writer(self, function).written(name) if given is None else given)
        return written


class _Writer:
    """Writes one function."""

    def __init__(self, script: _Script, function: FunctionType) -> None:
        self.script, self.function = script, function
        [self.tree] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
        assert isinstance(self.tree, ast.FunctionDef)
        self.arguments = [argument.arg for argument in self.tree.args.args]
        names = [node for node in ast.walk(self.tree) if isinstance(node, ast.Name)]
        self.locals = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        self.locals |= set(self.arguments)
        # A local must not hide a function of a module that is called beside it.
        self.hidden = {n.attr for n in ast.walk(self.tree) if isinstance(n, ast.Attribute)}
        self.parts = 0

    def written(self, name: str) -> str:
        """The function."""
        assert isinstance(self.tree, ast.FunctionDef)
        body = [line for node in self.tree.body for line in self.statement(node)]
        own = [self.local(one) for one in sorted(self.locals - set(self.arguments))]
        own += [f"$part{n}" for n in range(self.parts)]
        declared = [f"let {', '.join(own)};"] if own else []
        lines = textwrap.indent("\n".join([*declared, *body]), "  ")
        arguments = ", ".join(map(self.local, self.arguments))
        return f"function {name}({arguments}) {{\n{lines}\n}}"

    def refused(self, node: ast.AST) -> ValueError:
        """What cannot be written."""
        return ValueError(
            f"{self.function.__name__} cannot become JavaScript: {ast.unparse(node)!r} is not "
            "understood."
        )

    def local(self, name: str) -> str:
        """A local name, changed where JavaScript or the script uses it for something else."""
        return f"{name}_" if name in TAKEN or name in self.hidden else name

    # ---- statements

    def statement(self, node: ast.stmt) -> list[str]:
        """The lines of a statement."""
        write: Callable[[Any], list[str]] | None = getattr(self, f"_{type(node).__name__}", None)
        if write is None:
            raise self.refused(node)
        return write(node)

    def _block(self, head: str, body: list[ast.stmt], first: str = "") -> list[str]:
        lines = [line for node in body for line in self.statement(node)]
        lines = [first, *lines] if first else lines
        return [f"{head} {{", *(f"  {line}" for line in lines), "}"]

    def _Expr(self, node: ast.Expr) -> list[str]:  # noqa: N802 (named as the node is)
        constant = isinstance(node.value, ast.Constant)
        return [] if constant else [f"{self.expression(node.value)};"]

    def _Pass(self, node: ast.Pass) -> list[str]:  # noqa: N802
        return []

    def _Break(self, node: ast.Break) -> list[str]:  # noqa: N802
        return ["break;"]

    def _Continue(self, node: ast.Continue) -> list[str]:  # noqa: N802
        return ["continue;"]

    def _Assign(self, node: ast.Assign) -> list[str]:  # noqa: N802
        if len(node.targets) > 1 and not all(isinstance(t, ast.Name) for t in node.targets):
            raise self.refused(node)
        target = node.targets[0]
        if isinstance(target, ast.Tuple):
            return self._unpacked(target, node.value)
        if isinstance(target, ast.Subscript) and _is_all(target.slice):
            return [f"fill({self.expression(target.value)}, {self.expression(node.value)});"]
        targets = " = ".join(self.expression(one) for one in node.targets)
        return [f"{targets} = {self.expression(node.value)};"]

    def _unpacked(self, target: ast.Tuple, value: ast.expr) -> list[str]:
        """An assignment to several at once, by parts: patterns of JavaScript are slow."""
        if not isinstance(value, ast.Tuple):
            self.parts = max(self.parts, 1)
            taken = [f"$part0 = {self.expression(value)};"]
            parts = [f"$part0[{n}]" for n in range(len(target.elts))]
        elif len(value.elts) == len(target.elts):
            self.parts = max(self.parts, len(target.elts))
            parts = [f"$part{n}" for n in range(len(target.elts))]
            values = map(self.expression, value.elts)
            taken = [f"{part} = {one};" for part, one in zip(parts, values, strict=True)]
        else:
            raise self.refused(target)
        given = zip(target.elts, parts, strict=True)
        return [*taken, *(f"{self.expression(one)} = {part};" for one, part in given)]

    def _AnnAssign(self, node: ast.AnnAssign) -> list[str]:  # noqa: N802
        if node.value is None:
            return []
        return [f"{self.expression(node.target)} = {self.expression(node.value)};"]

    def _AugAssign(self, node: ast.AugAssign) -> list[str]:  # noqa: N802
        changed = ast.BinOp(_loaded(node.target), node.op, node.value)
        return [f"{self.expression(node.target)} = {self.expression(changed)};"]

    def _Return(self, node: ast.Return) -> list[str]:  # noqa: N802
        return ["return;" if node.value is None else f"return {self.expression(node.value)};"]

    def _While(self, node: ast.While) -> list[str]:  # noqa: N802
        return self._block(f"while ({self.expression(node.test)})", node.body)

    def _If(self, node: ast.If) -> list[str]:  # noqa: N802
        lines = self._block(f"if ({self.expression(node.test)})", node.body)
        if node.orelse:
            lines[-1:] = self._block("} else", node.orelse)
        return lines

    def _For(self, node: ast.For) -> list[str]:  # noqa: N802
        of = node.iter
        if not (isinstance(of, ast.Call) and self.found(of.func) is range):
            each = f"for ({self.expression(node.target)} of {self.expression(of)})"
            return self._block(each, node.body)
        if not isinstance(node.target, ast.Name) or node.orelse:
            raise self.refused(node)
        k = self.local(node.target.id)
        bounds = [self.expression(argument) for argument in of.args]
        start, end = ("0", bounds[0]) if len(bounds) == 1 else bounds[:2]
        step = "{0}++"
        if len(bounds) == 3:
            if not bounds[2].isdecimal():
                raise self.refused(node)
            step = f"{{0}} += {bounds[2]}"
        # As in Python, the end is worked out once, and the counter is the loop's own.
        counter = f"${k}" if self._lives_on(node.target.id) else k
        begin, first = f"{counter} = {start}", f"{k} = ${k};" if counter != k else ""
        declared = "let " if counter != k else ""
        if not isinstance(of.args[-1 if len(bounds) < 3 else 1], ast.Constant | ast.Name):
            begin, end, declared = f"${k} = {start}, $end = {end}", "$end", "let "
            counter, first = f"${k}", f"{k} = ${k};"
        head = f"for ({declared}{begin}; {counter} < {end}; {step.format(counter)})"
        return self._block(head, node.body, first)

    def _lives_on(self, name: str) -> bool:
        """Whether a counter is also used, or changed, other than by its loops."""
        loops = [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.For)
            and isinstance(node.target, ast.Name)
            and node.target.id == name
        ]
        inside = [one for loop in loops for node in loop.body for one in ast.walk(node)]
        within = {id(loop.target) for loop in loops}
        within |= {id(n) for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        named = [n for n in ast.walk(self.tree) if isinstance(n, ast.Name) and n.id == name]
        return any(id(node) not in within for node in named)

    # ---- expressions

    def expression(self, node: ast.expr) -> str:
        """An expression, in brackets where it could be misread: precedence differs."""
        match node:
            case ast.Name():
                return self.value(node)
            case ast.Constant():
                return literal(node.value)
            case ast.Tuple():
                return f"[{', '.join(self.expression(part) for part in node.elts)}]"
            case ast.BinOp(left, op, right) if type(op) in OPERATORS:
                text = f"{self.expression(left)} {OPERATORS[type(op)]} {self.expression(right)}"
                return f"cut({text})" if isinstance(op, CUT) else f"({text})"
            case ast.BinOp(left, ast.FloorDiv(), right):
                return f"Math.floor({self.expression(left)} / {self.expression(right)})"
            case ast.UnaryOp(ast.Invert(), operand):
                return f"cut(~{self.expression(operand)})"
            case ast.UnaryOp(ast.Not(), operand):
                return f"!{self.expression(operand)}"
            case ast.UnaryOp(ast.USub(), operand):
                return f"(-{self.expression(operand)})"
            case ast.BoolOp(op, values):
                return f"({f' {OPERATORS[type(op)]} '.join(map(self.expression, values))})"
            case ast.Compare():
                return self.compared(node)
            case ast.IfExp(test, body, orelse):
                chosen = f"{self.expression(body)} : {self.expression(orelse)}"
                return f"({self.expression(test)} ? {chosen})"
            case ast.Subscript(ast.Attribute(value, "shape"), ast.Constant(int(number))):
                return self.expression(value) + number * "[0]" + ".length"
            case ast.Subscript(value, ast.Tuple(elts=places)):
                return self.expression(value) + "".join(f"[{self.expression(p)}]" for p in places)
            case ast.Subscript(value, place):
                return f"{self.expression(value)}[{self.expression(place)}]"
            case ast.Attribute(ast.Name(id=name), "size") if name in self.locals:
                return f"sizeOf({self.local(name)})"
            case ast.Attribute():
                return self.value(node)
            case ast.Call(func=called, args=arguments, keywords=[]):
                return self.call(called, arguments)
        raise self.refused(node)

    def compared(self, node: ast.Compare) -> str:
        """One comparison, or several in a row."""
        places = [node.left, *node.comparators]
        parts = []
        for op, left, right in zip(node.ops, places, places[1:], strict=False):
            if isinstance(op, ast.In) and isinstance(right, ast.Tuple):
                parts += [f"{self.expression(right)}.includes({self.expression(left)})"]
            elif type(op) in OPERATORS:
                compared = OPERATORS[type(op)]
                parts += [f"{self.expression(left)} {compared} {self.expression(right)}"]
            else:
                raise self.refused(node)
        return f"({' && '.join(parts)})"

    def call(self, called: ast.expr, arguments: list[ast.expr]) -> str:
        """A call of a helper, or of a function of Python or NumPy that is known."""
        if not isinstance(called, ast.Name | ast.Attribute):
            raise self.refused(called)
        function = self.found(called)
        told = [self.expression(argument) for argument in arguments if not self._is_type(argument)]
        if function in CONVERSIONS and len(told) == 1:
            return CONVERSIONS[function].format(*told)
        if function in (np.empty, np.zeros) and len(arguments) == 2:
            kind = self.found(arguments[1])
            return f'zeros({told[0]}, "{np.dtype(kind).name}")'
        if isinstance(function, BuiltinFunctionType) and function.__module__ == "math":
            return f"Math.{function.__name__}({', '.join(told)})"
        if function in BUILTINS:
            return f"{BUILTINS[function]}({', '.join(told)})"
        if _is_helper(function):
            return f"{self.value(called)}({', '.join(told)})"
        raise self.refused(called)

    def _is_type(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Attribute) and isinstance(self.found(node), type)

    def found(self, node: ast.expr) -> Any:
        """What a name of the module, or of a module that it knows, stands for; None if nothing."""
        if isinstance(node, ast.Name):
            builtins: Any = __builtins__
            known = builtins if isinstance(builtins, dict) else vars(builtins)
            return self.function.__globals__.get(node.id, known.get(node.id))
        if isinstance(node, ast.Attribute):
            of = self.found(node.value)
            return getattr(of, node.attr, None) if isinstance(of, ModuleType) else None
        return None

    def value(self, node: ast.Name | ast.Attribute) -> str:
        """A name: a local, another helper, or the value of a constant."""
        if isinstance(node, ast.Name) and node.id in self.locals:
            return self.local(node.id)
        value = self.found(node)
        if value is None:
            raise self.refused(node)
        if _is_helper(value):
            function = _function(value)
            if function in INTRINSICS:
                return function.__name__
            if getattr(value, "is_intrinsic", False):
                raise self.refused(node)
            return self.script.name_of_function(function)
        if isinstance(value, np.ndarray):
            wanted = node.id if isinstance(node, ast.Name) else node.attr
            return self.script.name_of_array(value, wanted)
        try:
            return literal(value)
        except ValueError:
            raise self.refused(node) from None


def _is_all(place: ast.expr) -> bool:
    """Whether this is `:`, all of an array."""
    return isinstance(place, ast.Slice) and not (place.lower or place.upper or place.step)


def _loaded(target: ast.expr) -> ast.expr:
    """What is assigned to, as an expression."""
    loaded = ast.parse(ast.unparse(target), mode="eval").body
    return loaded


def literal(value: object) -> str:
    """A constant; words of 64 bits are BigInt.

    >>> literal((np.uint64(7), 2, True))
    '[7n, 2, true]'
    """
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, np.uint64):
        return f"{int(value)}n"
    if isinstance(value, float | np.floating):
        return {np.inf: "Infinity", -np.inf: "-Infinity"}.get(float(value), repr(float(value)))
    if isinstance(value, int | np.integer):
        return repr(int(value))
    if isinstance(value, tuple | list | np.ndarray):
        return f"[{', '.join(literal(part) for part in value)}]"
    raise ValueError(f"{value!r} cannot become JavaScript: it is neither a number nor a tuple.")
