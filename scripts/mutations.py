"""Small changes to a source text, each of which a test should notice.

`mutants(source)` gives the text once for every change: a comparison, an operator, a condition, a
number one off, a value returned, a statement left out. Types, declared fields and sentences (texts
and what f-strings hold) stay as they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

COMPARISONS = {
    ast.Lt: ("<", "<=", ">="),
    ast.LtE: ("<=", "<", ">"),
    ast.Gt: (">", ">=", "<="),
    ast.GtE: (">=", ">", "<"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
OPERATORS = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.Div: ("/", "*"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
}
FUNCTIONS = {"min": "max", "max": "min", "all": "any", "any": "all"}
FIELDS = ("number", "row", "grid")  # what declares a field of a state: a type, not a rule

Change = tuple[int, int, str]  # from, to (in bytes), and what stands there instead


class Mutant(NamedTuple):
    """A changed source: the function, the lines that the change is in, before and after it."""

    function: str  # with its class; "" outside of functions
    before: str
    after: str
    line: int
    source: bytes


def mutants(source: bytes) -> list[Mutant]:
    """Every changed text that this source gives, in its order; none comes twice."""
    text = Text(source)
    changes = [(change, name) for node, name in nodes(text.tree) for change in text.changes(node)]
    found = {m.source: m for m in (text.mutant(change, name) for change, name in sorted(changes))}
    found.pop(source, None)
    return list(found.values())


def nodes(tree: ast.AST, name: str = "") -> Iterator[tuple[ast.AST, str]]:
    """The nodes that may be changed, each with the function it stands in."""
    for child in parts(tree):
        inner = name
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inner = f"{name}.{child.name}".lstrip(".")
        yield child, inner
        yield from nodes(child, inner)


def parts(node: ast.AST) -> Iterator[ast.AST]:
    """The children of a node without types, decorators, declared fields and sentences."""
    skipped = {"annotation", "returns", "decorator_list", "bases", "keywords"}
    for field, value in ast.iter_fields(node):
        if field in skipped and not isinstance(node, ast.Call):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not is_left_alone(child):
                yield child


def is_left_alone(node: ast.AST) -> bool:
    if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call):
        return isinstance(node.value.func, ast.Name) and node.value.func.id in FIELDS
    return isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom)


class Text:
    """A source text and what can be changed in it."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.tree = ast.parse(source)
        self.lines = [0]
        for line in source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.negated = {id(n.operand) for n in ast.walk(self.tree) if isinstance(n, ast.UnaryOp)}

    def start(self, node: ast.AST) -> int:
        assert isinstance(node, ast.expr | ast.stmt)
        return self.lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.AST) -> int:
        assert isinstance(node, ast.expr | ast.stmt)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.lines[node.end_lineno - 1] + node.end_col_offset

    def mutant(self, change: Change, name: str) -> Mutant:
        start, end, new = change
        changed = self.source[:start] + new.encode() + self.source[end:]
        first = self.source.rfind(b"\n", 0, start) + 1
        rest = len(self.source) - (self.source + b"\n").find(b"\n", end)
        before = one_line(self.source[first : len(self.source) - rest])
        after = one_line(changed[first : len(changed) - rest])
        return Mutant(name, before, after, self.source.count(b"\n", 0, start) + 1, changed)

    def changes(self, node: ast.AST) -> Iterator[Change]:
        yield from self.changed_operators(node)
        yield from self.changed_value(node)
        yield from self.changed_conditions(node)
        yield from self.changed_statement(node)
        if isinstance(node, ast.FunctionDef):
            yield from self.changed_returns(node)

    def changed_operators(self, node: ast.AST) -> Iterator[Change]:
        match node:
            case ast.Compare(left=left, ops=ops, comparators=others):
                for one, op, other in zip([left, *others], ops, others, strict=False):
                    yield from self.between(one, other, *COMPARISONS[type(op)])
            case ast.BinOp(left=left, op=op, right=right):
                yield from self.between(left, right, *OPERATORS[type(op)])
            case ast.AugAssign(target=target, op=op, value=value):
                yield from self.between(target, value, *OPERATORS[type(op)])
            case ast.BoolOp(op=op, values=values):
                words = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
                for one, other in pairwise(values):
                    yield from self.between(one, other, *words)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield self.start(node), self.start(operand), ""

    def between(self, one: ast.AST, other: ast.AST, old: str, *news: str) -> Iterator[Change]:
        """Change the operator between two operands, where else only brackets stand."""
        start = self.end(one)
        gap = self.source[start : self.start(other)].decode()
        found = re.search(re.escape(old).replace(r"\ ", r"\s+"), gap)
        assert found is not None, f"{old} is not in {gap!r}"
        for new in news:
            yield start + found.start(), start + found.end(), new

    def changed_value(self, node: ast.AST) -> Iterator[Change]:
        match node:
            case ast.Constant(value=bool(value)):
                yield self.start(node), self.end(node), str(not value)
            case ast.Constant(value=int(value)) if id(node) not in self.negated:
                yield from self.one_off(node, value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                yield from self.one_off(node, -value)
            case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
                yield self.start(node.func), self.end(node.func), FUNCTIONS[name]

    def one_off(self, node: ast.AST, value: int) -> Iterator[Change]:
        for other in (value + 1, value - 1):
            yield self.start(node), self.end(node), str(other)

    def changed_conditions(self, node: ast.AST) -> Iterator[Change]:
        """Turn round what is asked by name or by a call; comparisons have changes of their own."""
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                asked = [test]
            case ast.comprehension(ifs=asked) | ast.BoolOp(values=asked):
                pass
            case _:
                return
        for condition in asked:
            if is_simple(condition):
                yield self.turned_round(condition)

    def turned_round(self, condition: ast.AST) -> Change:
        start, end = self.start(condition), self.end(condition)
        return start, end, f"(not {self.source[start:end].decode()})"

    def changed_statement(self, node: ast.AST) -> Iterator[Change]:
        """Leave a statement out; what a local name is set to has changes of its own."""
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Assign(targets=[ast.Name(), *_]):
                return
            case ast.Continue():
                yield self.start(node), self.end(node), "break"
            case ast.Break():
                yield self.start(node), self.end(node), "continue"
            case ast.Assign() if self.sets_only_names(node):
                return
            case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Raise() | ast.Delete():
                yield self.start(node), self.end(node), "pass"
            case ast.Return(value=None):
                yield self.start(node), self.end(node), "pass"

    @staticmethod
    def sets_only_names(node: ast.Assign) -> bool:
        targets = [t for target in node.targets for t in getattr(target, "elts", [target])]
        return all(isinstance(target, ast.Name) for target in targets)

    def changed_returns(self, function: ast.FunctionDef) -> Iterator[Change]:
        kind = ast.unparse(function.returns) if function.returns is not None else ""
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and is_simple(node.value):
                assert node.value is not None
                start, end = self.start(node.value), self.end(node.value)
                if kind == "bool":
                    yield self.turned_round(node.value)
                elif kind == "int":
                    yield end, end, " + 1"
                else:
                    yield start, end, "None"


def is_simple(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)


def one_line(text: bytes) -> str:
    """These lines as one, without their comments."""
    lines = (line.split("  # ")[0].strip() for line in text.decode().splitlines())
    return " ".join(line for line in lines if not line.startswith("#"))
