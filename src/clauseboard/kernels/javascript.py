"""Kernels as JavaScript, so that a page in a browser counts what Python counts.

A helper is read from its source, with all helpers and constants that it uses. Words of 64 bits
become BigInt, which are cut to 64 bits where an operation could leave them; other numbers stay
numbers. Only what helpers over words need is understood; anything else is refused.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from clauseboard.kernels.cache import CompiledFunction

RUNTIME = """
const cut = (x) => (typeof x === "bigint" ? BigInt.asUintN(64, x) : x);
const ones32 = (x) => {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return (((x + (x >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};
const count_ones = (x) =>
  ones32(Number(x & 0xffffffffn)) + ones32(Number((x >> 32n) & 0xffffffffn));
""".strip()
"""What the functions need; intrinsics have no source that could be read."""

INTRINSICS = ("count_ones",)
BUILTINS = {"abs": "Math.abs", "min": "Math.min", "max": "Math.max"}
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>", ast.Mod: "%",
    ast.Eq: "===", ast.NotEq: "!==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.And: "&&", ast.Or: "||",
}  # fmt: skip
CUT = (ast.Add, ast.Sub, ast.Mult, ast.LShift)
"""Operations whose results may need more than 64 bits."""


def javascript(*wanted: Any) -> str:
    """The functions of some helpers, and all that they use, as JavaScript.

    >>> from clauseboard.games.checkers.kernels import jumpers
    >>> "function jumpers(rising, falling, theirs, empty) {" in javascript(jumpers)
    True
    """
    functions: dict[str, str] = {}
    waiting = list(wanted)
    while waiting:
        name = waiting[0].function.__name__
        helper = waiting.pop(0)
        if name not in functions:
            writer = _Writer(helper.function)
            functions[name] = writer.written()
            waiting += writer.called
    return "\n\n".join([RUNTIME, *functions.values()]) + "\n"


class _Writer:
    """Writes one function; `called` are the helpers that it calls."""

    def __init__(self, function: FunctionType) -> None:
        self.function, self.called = function, list[Any]()
        [self.tree] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
        assert isinstance(self.tree, ast.FunctionDef)
        self.arguments = [argument.arg for argument in self.tree.args.args]
        self.locals = {
            node.id
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }

    def written(self) -> str:
        """The function."""
        assert isinstance(self.tree, ast.FunctionDef)
        body = [line for node in self.tree.body for line in self.statement(node)]
        own = sorted(self.locals - set(self.arguments))
        declared = [f"let {', '.join(own)};"] if own else []
        lines = textwrap.indent("\n".join([*declared, *body]), "  ")
        return f"function {self.tree.name}({', '.join(self.arguments)}) {{\n{lines}\n}}"

    def refused(self, node: ast.AST) -> ValueError:
        """What cannot be written."""
        return ValueError(
            f"{self.function.__name__} cannot become JavaScript: {ast.unparse(node)!r} is not "
            "understood."
        )

    # ---- statements

    def statement(self, node: ast.stmt) -> list[str]:
        """The lines of a statement."""
        write: Callable[[Any], list[str]] | None = getattr(self, f"_{type(node).__name__}", None)
        if write is None:
            raise self.refused(node)
        return write(node)

    def _block(self, head: str, body: list[ast.stmt]) -> list[str]:
        lines = [line for node in body for line in self.statement(node)]
        return [f"{head} {{", *(f"  {line}" for line in lines), "}"]

    def _Expr(self, node: ast.Expr) -> list[str]:  # noqa: N802 (named as the node is)
        constant = isinstance(node.value, ast.Constant)
        return [] if constant else [f"{self.expression(node.value)};"]

    def _Assign(self, node: ast.Assign) -> list[str]:  # noqa: N802
        [target] = node.targets
        return [f"{self.target(target)} = {self.expression(node.value)};"]

    def _AugAssign(self, node: ast.AugAssign) -> list[str]:  # noqa: N802
        changed = ast.BinOp(_loaded(node.target), node.op, node.value)
        return [f"{self.target(node.target)} = {self.expression(changed)};"]

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
        if isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and of.func.id == "range":
            bounds = [self.expression(argument) for argument in of.args]
            if len(bounds) > 2 or not isinstance(node.target, ast.Name):
                raise self.refused(node)
            start, end = bounds if len(bounds) == 2 else ("0", bounds[0])
            k = node.target.id
            return self._block(f"for ({k} = {start}; {k} < {end}; {k}++)", node.body)
        return self._block(f"for ({self.target(node.target)} of {self.expression(of)})", node.body)

    # ---- expressions

    def target(self, node: ast.expr) -> str:
        """What is assigned to."""
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Tuple):
            return f"[{', '.join(self.target(part) for part in node.elts)}]"
        return self.expression(node)

    def expression(self, node: ast.expr) -> str:
        """An expression, in brackets where it could be misread: precedence differs."""
        match node:
            case ast.Name():
                return self.name(node)
            case ast.Constant():
                return _literal(node.value)
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
            case ast.Compare(left, [op], [right]) if type(op) in OPERATORS:
                compared = OPERATORS[type(op)]
                return f"({self.expression(left)} {compared} {self.expression(right)})"
            case ast.IfExp(test, body, orelse):
                chosen = f"{self.expression(body)} : {self.expression(orelse)}"
                return f"({self.expression(test)} ? {chosen})"
            case ast.Subscript(value, ast.Tuple(elts=places)):
                return self.expression(value) + "".join(f"[{self.expression(p)}]" for p in places)
            case ast.Subscript(value, place):
                return f"{self.expression(value)}[{self.expression(place)}]"
            case ast.Call(func=ast.Name() as called, args=arguments, keywords=[]):
                name = BUILTINS.get(called.id) or self.name(called)
                return f"{name}({', '.join(map(self.expression, arguments))})"
        raise self.refused(node)

    def name(self, node: ast.Name) -> str:
        """A name: a local, another helper, or the value of a constant."""
        if node.id in self.locals or node.id in self.arguments:
            return node.id
        if node.id not in self.function.__globals__:
            raise self.refused(node)
        value = self.function.__globals__[node.id]
        if isinstance(value, CompiledFunction):
            if not value.is_intrinsic:
                self.called.append(value)
            elif value.function.__name__ not in INTRINSICS:
                raise self.refused(node)
            return value.function.__name__
        return _literal(value)


def _loaded(target: ast.expr) -> ast.expr:
    """What is assigned to, as an expression."""
    loaded = ast.parse(ast.unparse(target), mode="eval").body
    return loaded


def _literal(value: object) -> str:
    """A constant; words of 64 bits are BigInt.

    >>> _literal((np.uint64(7), 2, True))
    '[7n, 2, true]'
    """
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, np.uint64):
        return f"{int(value)}n"
    if isinstance(value, int | float | np.integer):
        return repr(value if isinstance(value, int | float) else int(value))
    if isinstance(value, tuple | list | np.ndarray):
        return f"[{', '.join(_literal(part) for part in value)}]"
    raise ValueError(f"{value!r} cannot become JavaScript: it is neither a number nor a tuple.")
