"""What the package rules offers says what it is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "rules"
FILES = sorted(PACKAGE.rglob("*.py"))
DEFINED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
TYPE_MAKERS = ("Literal", "Callable", "Mapping", "Sequence", "tuple", "list", "dict", "set", "frozenset", "type")


def undocumented(body: Sequence[ast.stmt], inside: str = "") -> Iterator[str]:
    """Public classes, functions, methods, properties and type aliases without a docstring.

    The members of an enum and the fields of a class are told by the docstring of their class, and constants by their names;
    a type variable is no name of its own.
    """
    for statement, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(statement, DEFINED) and not statement.name.startswith("_"):
            if not (ast.get_docstring(statement) or "").strip():
                yield inside + statement.name
            if isinstance(statement, ast.ClassDef):
                yield from undocumented(statement.body, f"{inside}{statement.name}.")
        if not inside and isinstance(statement, ast.Assign) and _makes_type(statement.value) and not _is_text(after):
            yield from (name.id for name in statement.targets if isinstance(name, ast.Name) and not name.id.startswith("_"))


def _makes_type(value: ast.expr) -> bool:
    """`Literal["A", "B"]`, `tuple[int, int]`, `Seat | None`: a value that names a type."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
        return all(isinstance(side, ast.Name | ast.Constant) or _makes_type(side) for side in (value.left, value.right))
    return isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id in TYPE_MAKERS


def _is_text(statement: ast.stmt | None) -> bool:
    return (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)
    )


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(PACKAGE)) for file in FILES])
def test_every_public_name_has_a_docstring(file: Path) -> None:
    """Modules, classes, functions, methods, properties and type aliases: one sentence at least for each."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assert (ast.get_docstring(tree) or "").strip(), "the module"
    assert list(undocumented(tree.body)) == []


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(PACKAGE)) for file in FILES])
def test_errors_are_told(file: Path) -> None:
    """A public function that raises something itself names it in its docstring."""
    assert list(untold_errors(ast.parse(file.read_text(encoding="utf-8")).body)) == []


def untold_errors(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Exceptions that a public function or method raises and its docstring does not name."""
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            yield from untold_errors(statement.body)
        elif isinstance(statement, ast.FunctionDef) and not statement.name.startswith("_"):
            raised = {_name(node.exc) for node in ast.walk(statement) if isinstance(node, ast.Raise) and node.exc is not None}
            words = ast.get_docstring(statement) or ""
            yield from (f"{statement.name}: {name}" for name in sorted(raised) if name and name not in words)


def _name(raised: ast.expr) -> str:
    """`BadInput(...)` by its name; empty for what is not made on the spot."""
    return raised.func.id if isinstance(raised, ast.Call) and isinstance(raised.func, ast.Name) else ""


def test_the_walk_finds_errors_that_are_not_told() -> None:
    """Of two functions that raise, the one whose docstring says so is left out."""
    source = """
def told():
    'BadInput for anything else.'
    raise BadInput("x")
class Seat:
    def parse(self):
        'Read a seat.'
        raise BadInput("x")
"""
    assert list(untold_errors(ast.parse(source).body)) == ["parse: BadInput"]


def test_the_walk_finds_what_has_none() -> None:
    """A class, its method and its property, a function and three kinds of alias are found; private names, fields, enum members are not."""
    source = '''
Pair = Literal["A", "B"]
Told = tuple[int, ...]
"""Told."""
Either = Seat | None
_Hidden = list[int]
LIMIT = 3
class Open(Enum):
    S = 0
    def method(self): ...
    @property
    def share(self): ...
    def _own(self): ...
class Told:
    "Told."
    field: int = 0
def function(): ...
def _hidden(): ...
'''
    assert list(undocumented(ast.parse(source).body)) == ["Pair", "Either", "Open", "Open.method", "Open.share", "function"]
