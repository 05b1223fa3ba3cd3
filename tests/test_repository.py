"""What holds for the repository as a whole: who may import whom, whose packages these are, what the documentation names."""

from __future__ import annotations

import ast
import importlib
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.main import COMMANDS

ROOT = Path(__file__).parent.parent
TEXT_SUFFIXES = (".py", ".md", ".toml", ".yaml", ".yml", ".js", ".html", "")
PACKAGES = ("rules", "calibration", "vision", "models", "table", "display", "scripts")

# folder: our packages that it may import
MAY_IMPORT = {
    "rules": set(),
    "calibration": {"rules.errors"},
    "vision": {"rules", "calibration"},
    "models": {"rules", "vision", "calibration"},
    "table": {"rules", "calibration", "vision", "models"},
    "display": {"rules.errors", "rules.texts", "rules.ruleset"},
    "scripts": set(PACKAGES),
}
ONLY_IN_TRAINING = {"torch", "torchvision", "ultralytics", "onnx"}
ONLY_ONE_FILE = {"paho": "table/mqtt_link.py"}
RULES_MAY_NOT = {"time", "random", "logging", "os", "pathlib", "io", "datetime", "secrets", "socket", "sqlite3"}


def _imports(file: Path) -> Iterator[tuple[str, bool]]:
    """Modules that a file imports, each with whether that happens when the file is loaded."""
    tree = ast.parse(file.read_text())
    inside = {
        node
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node not in inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{file}: relative import"
            yield node.module, node not in inside


def _files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_only_what_lies_below_them(package: str) -> None:
    """rules knows nobody, vision knows rules and calibration, and so on up to scripts."""
    allowed = MAY_IMPORT[package] | {package}
    for file in _files(package):
        for module, _ in _imports(file):
            if module.split(".")[0] in PACKAGES:
                assert any(module == a or module.startswith(a + ".") for a in allowed), (
                    f"{file.relative_to(ROOT)} imports {module}"
                )


@pytest.mark.parametrize("package", PACKAGES)
def test_torch_stays_in_training(package: str) -> None:
    """Only models/training imports torch and ultralytics, and only inside functions (the benchmark's yardstick too)."""
    for file in _files(package):
        for module, at_load in _imports(file):
            if module.split(".")[0] in ONLY_IN_TRAINING:
                name = str(file.relative_to(ROOT))
                assert name.startswith("models/training/"), f"{name} imports {module}"
                assert not at_load, f"{name} imports {module} when it is loaded"


def test_one_file_imports_paho() -> None:
    """The network library of MQTT is known to one file."""
    for package in PACKAGES:
        for file in _files(package):
            for module, _ in _imports(file):
                owner = ONLY_ONE_FILE.get(module.split(".")[0])
                assert owner is None or str(file.relative_to(ROOT)) == owner, f"{file} imports {module}"


def test_rules_are_pure() -> None:
    """rules/ imports the standard library only, and nothing that reads a clock, a file, chance or the network."""
    import sys

    for file in _files("rules"):
        for module, _ in _imports(file):
            top = module.split(".")[0]
            assert top in sys.stdlib_module_names or top == "rules", f"{file.name} imports {module}"
            assert top not in RULES_MAY_NOT, f"{file.name} imports {module}"


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_come_from_this_repository(package: str) -> None:
    """The names rules, models, vision … exist on the public index too: what is imported here is ours."""
    module = importlib.import_module(package)
    assert module.__file__ is not None
    assert Path(module.__file__).resolve().is_relative_to(ROOT)


def test_file_names_that_old_pickles_import_are_avoided() -> None:
    """models/yolo.py, common.py and experimental.py would be imported by old checkpoints; tests/rules would shadow rules."""
    for name in ("models/yolo.py", "models/common.py", "models/experimental.py", "tests/rules/__init__.py"):
        assert not (ROOT / name).exists()


def test_the_distribution_cannot_be_uploaded_by_mistake() -> None:
    """The classifier that the public index refuses is set."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "Private :: Do Not Upload" in project["classifiers"]
    assert {"train", "ncnn", "dev"} <= set(project["optional-dependencies"])


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_loads_and_is_documented(name: str) -> None:
    """Each command of `miron` has a module with a function `command`, and docs/commands.md names it."""
    assert callable(importlib.import_module(COMMANDS[name]).command)
    assert f"miron {name}" in (ROOT / "docs" / "commands.md").read_text()


def test_nothing_of_a_workplace_is_in_the_repository() -> None:
    """No text file names folders outside the project or an address of a package index."""
    words = ("/" + "work/", "../" + "shared", "pypi" + ".org", "files.python" + "hosted")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in listed:
        file = ROOT / name
        if file.is_file() and file.suffix in TEXT_SUFFIXES:
            text = file.read_text(errors="ignore")
            assert not any(w in text for w in words), f"{name} names a place outside the project"
