"""Scenario files: YAML that is checked before it is unfolded, so that no file can hold the judge up or mean two things."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import yaml

from rules.errors import BadInput
from rules.fields import shown

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MOST_REPEATED = 100_000
"""Values that aliases (`*name`) may add to those that are written."""

LONGEST_NUMBER = 40
DEEPEST = 64
NUMBER_TAGS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


def read_yaml(path: Path) -> Any:
    """The document of a file; BadInput when it is missing, not YAML, says one key twice, or is longer unfolded than any scenario."""
    try:
        return _unfolded(path.read_text(encoding="utf-8"))
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    except OSError as error:
        raise BadInput(f"expected a scenario file, found {path}: {error.strerror}; give a file that can be read") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"expected UTF-8 text in {path}, found other bytes at {error.start}; save it as UTF-8") from None
    except RecursionError:
        raise BadInput(f"expected YAML in {path}, found values nested too deep; correct it") from None
    except (yaml.YAMLError, ValueError) as error:
        raise BadInput(f"expected YAML in {path}, found {' '.join(str(error).split()):.200}; correct it") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError):  # what PyYAML lets through of `!!bool abc` and its like
        raise BadInput(f"expected YAML in {path}, found a value that its tag does not allow; write it without the tag") from None


def _unfolded(text: str) -> Any:
    loader = Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        sizes: dict[int, _Size | None] = {}
        if _measure(node, sizes).values > len(sizes) + MOST_REPEATED:
            raise BadInput(f"expected aliases for at most {MOST_REPEATED} values, found more; write them out")
        return loader.construct_document(node)
    finally:
        loader.dispose()


class _Size(NamedTuple):
    """How many values a node has with every alias unfolded, and how deep they lie."""

    values: int
    depth: int


def _measure(node: yaml.Node, sizes: dict[int, _Size | None]) -> _Size:
    """Checks each node once and adds up what it unfolds to; `sizes` has None for the nodes that this one lies in."""
    known = sizes.setdefault(id(node), None)
    if known is not None:
        return known
    _check(node)
    children = []
    for child in _children(node):
        if sizes.get(id(child), child) is None:
            raise BadInput(f"expected values that end, found one within itself in {_place(child)}; correct it")
        children.append(_measure(child, sizes))
    size = _Size(1 + sum(child.values for child in children), 1 + max((child.depth for child in children), default=0))
    if size.depth > DEEPEST:
        raise BadInput(f"expected values at most {DEEPEST} deep, found deeper ones in {_place(node)}; correct it")
    sizes[id(node)] = size
    return size


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []


def _check(node: yaml.Node) -> None:
    """A number that a person could have meant; a mapping that says each key once (YAML takes the last one without a word)."""
    if isinstance(node, yaml.ScalarNode) and node.tag in NUMBER_TAGS and len(node.value) > LONGEST_NUMBER:
        raise BadInput(
            f"expected numbers of at most {LONGEST_NUMBER} characters, found a longer one in {_place(node)}; correct it"
        )
    keys = set()
    for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(key, yaml.ScalarNode) and (key.tag, key.value) in keys:
            raise BadInput(f"expected each key once, found {shown(key.value)} again in {_place(key)}; keep one")
        keys.add((key.tag, key.value if isinstance(key, yaml.ScalarNode) else id(key)))


def _place(node: yaml.Node) -> str:
    return f"line {node.start_mark.line + 1}"
