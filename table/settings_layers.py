"""Settings from their layers: defaults < `table.toml` < environment < options; and which layer each value came from."""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, EnvSettingsSource, InitSettingsSource, PydanticBaseSettingsSource

from rules.errors import BadInput
from table.settings import MASK, PREFIX, TableSettings, checked, without_password

Origin = Literal["default", "file", "environment", "option"]
Tree = dict[str, Any]
FILE = "table.toml"
SECRETS = ("mqtt.password", "pages.password")


class Setting(NamedTuple):
    """One value in force: its dotted key, the value as people may see it, and the layer that it came from."""

    key: str
    value: Any
    origin: Origin


class Loaded(NamedTuple):
    """The settings with the layers that made them; `file` is None when there was none."""

    settings: TableSettings
    layers: dict[Origin, Tree]
    file: Path | None

    def rows(self) -> Iterator[Setting]:
        """Every value in force, in the order of the documentation, secrets masked."""
        for key, value in leaves(self.settings):
            yield Setting(key, _shown(value), self._origin(key))

    def _origin(self, key: str) -> Origin:
        found: Origin = "default"
        for origin, tree in self.layers.items():
            if has(tree, key):
                found = origin
        return found


def load_settings(file: Path | None = None, options: Iterable[str] = ()) -> Loaded:
    """Settings from a file (`table.toml` of this folder where there is one and none is named), the environment and options `KEY=VALUE`.

    Paths in the file count from its folder. BadInput, one line, names the first key that is wrong and the layer that it stands in.
    """
    found = file if file is not None else Path(FILE) if Path(FILE).is_file() else None
    layers: dict[Origin, Tree] = {
        "file": {} if found is None else _from_file(found),
        "environment": _from_environment(),
        "option": _from_options(options),
    }

    class Layered(TableSettings):
        """The settings of these layers, the strongest first."""

        @classmethod
        def settings_customise_sources(
            cls, settings_cls: type[BaseSettings], *_: PydanticBaseSettingsSource, **__: PydanticBaseSettingsSource
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return tuple(InitSettingsSource(settings_cls, tree) for tree in reversed(layers.values()))

    try:
        return Loaded(checked(Layered()), layers, found)
    except ValidationError as error:
        raise _refusal(error, layers, found) from None


def leaves(model: BaseModel) -> Iterator[tuple[str, Any]]:
    """Every key of a model with its value, dotted, in order; an empty table of switches is one value."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            yield from ((f"{name}.{key}", inner) for key, inner in leaves(value))
        elif isinstance(value, dict) and value:
            yield from ((f"{name}.{key}", inner) for key, inner in value.items())
        else:
            yield name, value


def fields(model: type[BaseModel] = TableSettings) -> Iterator[tuple[str, FieldInfo]]:
    """Every key that there is, dotted, with its field."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from ((f"{name}.{key}", of) for key, of in fields(field.annotation))
        else:
            yield name, field


def is_table(field: FieldInfo) -> bool:
    """Whether a field holds keys of its own."""
    held = get_origin(field.annotation) or field.annotation
    return isinstance(held, type) and issubclass(held, (BaseModel, dict))


def ignored_variables() -> list[str]:
    """Variables of the environment that begin as ours do and name no key."""
    heads = tuple(variable(name) for name in TableSettings.model_fields)
    ours = (name for name in os.environ if name.startswith(PREFIX))
    return sorted(name for name in ours if not any(name == head or name.startswith(f"{head}_") for head in heads))


def variable(key: str) -> str:
    """The environment variable of a key."""
    return PREFIX + key.replace(".", "_").upper()


def has(tree: Mapping[str, Any], key: str) -> bool:
    """Whether a layer says something about a key."""
    head, _, rest = key.partition(".")
    return head in tree and (not rest or (isinstance(tree[head], Mapping) and has(tree[head], rest)))


def _shown(value: object) -> object:
    if isinstance(value, SecretStr):
        return MASK
    return without_password(str(value)) if isinstance(value, str | Path) else value


def _from_file(file: Path) -> Tree:
    try:
        tree = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"expected settings in {file}, found: {error.strerror}; check the path of --config") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"expected TOML in {file}, found: {error}; correct it there") from None
    for key in SECRETS:
        if has(tree, key):
            raise BadInput(f"expected no password in {file}, which people pass on, found {key}; put it into {key}_file")
    for key, field in fields():
        if Path in (field.annotation, *get_args(field.annotation)) and has(tree, key):
            _set_beside(tree, key.split("."), file.parent)
    return tree


def _set_beside(tree: Tree, key: list[str], folder: Path) -> None:
    """Make a relative path of the file count from the file's folder."""
    for part in key[:-1]:
        tree = tree[part]
    if isinstance(tree[key[-1]], str):
        tree[key[-1]] = str(folder / tree[key[-1]])


def _from_environment() -> Tree:
    tables = {variable(name) for name, field in TableSettings.model_fields.items() if is_table(field)}
    for name in tables & set(os.environ):  # would be read as JSON, which is no form of ours
        raise BadInput(f"expected a variable for each key, such as {variable('mqtt.host')}, found {name}; name a key")
    return EnvSettingsSource(TableSettings)()


def _from_options(options: Iterable[str]) -> Tree:
    tree: Tree = {}
    for option in options:
        key, sign, value = option.partition("=")
        *tables, last = key.strip().split(".")
        here: Any = tree
        for table in tables:
            here = here.setdefault(table, {}) if isinstance(here, dict) else None
        if not sign or not last or not isinstance(here, dict):
            raise BadInput(f"expected an option as KEY=VALUE such as mqtt.host=10.0.0.5, found {option!r}; correct it")
        here[last] = value
    return tree


def _refusal(error: ValidationError, layers: dict[Origin, Tree], file: Path | None) -> BadInput:
    """The first thing that is wrong, in one line: the key, the layer, what it should be."""
    first = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in first["loc"])
    origin = next((name for name in reversed(layers) if has(layers[name], key)), "default")
    where = {"file": f"in {file}", "environment": f"in {variable(key)}", "option": "in --set"}.get(origin, "")
    if first["type"] == "extra_forbidden":
        near = difflib.get_close_matches(key, [name for name, _ in fields()], 1)
        return BadInput(f"expected a key of docs/configuration.md, found {key} {where}; {_instead(near)}")
    found = "a value that is not shown" if key in SECRETS else repr(first["input"])
    return BadInput(f"expected {key} {_wanted(first)}, found {found} {where}; correct it")


def _instead(near: list[str]) -> str:
    return f"did you mean {near[0]}?" if near else "`miron config show` lists them all"


def _wanted(first: Any) -> str:
    text = str(first["msg"]).removeprefix("Value error, ").removeprefix("Assertion failed, ")
    text = text.removeprefix("Input should be ")
    return "as a table of keys" if "dictionary" in text else f"as {text}"


def example() -> str:
    """A `table.toml` with every key, its default and its meaning; what has no default stands there as a comment."""
    lines, table = ["# Settings of one table's monitor. Every key may be left out.", ""], ""
    for key, field in fields():
        head, _, last = key.rpartition(".")
        if head != table:
            lines, table = [*lines, "", f"[{head}]"], head
        if is_table(field) or key in SECRETS:
            continue  # free keys stand at the end
        default = field.get_default()
        lines.append(f"# {_plain(field.description)}")
        lines.append(f"# {last} = " if default is None else f"{last} = {_toml(default)}")
    return "\n".join([*lines, "", "[switches]", "# target = 150", ""])


def _plain(text: str | None) -> str:
    return (text or "").replace("`", "")


def _toml(value: object) -> str:
    return json.dumps(str(value) if isinstance(value, Path) else value, ensure_ascii=False)
