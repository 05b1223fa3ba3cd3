"""docs/rules.md as tests read it: its tables, and the functions that its cells name."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
NONE = "–"


def rows(first: str) -> list[list[str]]:
    """The rows of the table whose header begins with this cell."""
    found = re.search(rf"^\| {re.escape(first)} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert found is not None, f"docs/rules.md has no table that begins with {first}"
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()]


def table(first: str) -> dict[str, list[str]]:
    """The same by their first cell, which must name each row once."""
    found = rows(first)
    by_name = {row[0].strip("`"): row[1:] for row in found}
    assert len(by_name) == len(found), f"a row of the table {first} stands there twice"
    return by_name


def named(cell: str) -> list[str]:
    """What a cell names in code type."""
    return re.findall(r"`([^`]+)`", cell)


@cache
def _tree(module: str) -> ast.Module:
    path = ROOT / "rules" / (module.replace(".", "/") + ".py")
    assert path.is_file(), f"docs/rules.md names rules/{module}.py, which does not exist"
    return ast.parse(path.read_text(encoding="utf-8"))


def function(name: str) -> ast.FunctionDef:
    """`plays._close` or `ruleset.Ruleset.with_switches` in rules/; it must exist."""
    *path, last = name.split(".")
    holder = path.pop() if path[-1][0].isupper() else None
    node: ast.AST = _tree(".".join(path))
    for step in (holder, last) if holder else (last,):
        inside = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == step]
        assert inside, f"docs/rules.md names {name}, which does not exist"
        node = inside[0]
    assert isinstance(node, ast.FunctionDef)
    return node


def mentions(name: str, code: str) -> bool:
    """Whether the function has the code as a text, or by a name that stands for it in its module."""
    module = name.rpartition(".")[0]
    assigned = (n for n in _tree(module).body if isinstance(n, ast.Assign) and isinstance(n.value, ast.Constant))
    alias = {t.id for n in assigned if n.value.value == code for t in n.targets if isinstance(t, ast.Name)}  # type: ignore[attr-defined]
    inside = list(ast.walk(function(name)))
    written = any(isinstance(n, ast.Constant) and n.value == code for n in inside)
    return written or any(isinstance(n, ast.Name) and n.id in alias for n in inside)


def enters_any_code(name: str) -> bool:
    """Whether the function puts an infraction of whatever code it is given on the list."""
    return any(isinstance(n, ast.Attribute) and n.attr == "enter" for n in ast.walk(function(name)))


def calls(name: str) -> set[str]:
    """The functions that a function calls or passes on, by their bare names."""
    inside = list(ast.walk(function(name)))
    return {n.id for n in inside if isinstance(n, ast.Name)} | {n.attr for n in inside if isinstance(n, ast.Attribute)}
