"""Who may import what: imports go down only, and the rules and the game know nothing of the world outside."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

PACKAGE = ROOT / "dicecli"
BELOW = {
    "errors": set(),
    "rules": {"errors"},
    "game": {"rules", "errors"},
    "analysis": {"game", "rules", "errors"},
    "players": {"analysis", "game", "rules", "errors"},
    "store": {"analysis", "game", "rules", "errors"},
    "ui": {"store", "players", "analysis", "game", "rules", "errors"},
}
PURE = ("errors", "rules", "game", "analysis", "players")
ALLOWED = {
    "inspect",
    "__future__",
    "collections",
    "difflib",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "itertools",
    "math",
    "msgspec",
    "re",
    "typing",
    "unicodedata",
    "yaml",
}
OUTSIDE = {"open", "print", "input", "eval", "exec", "compile", "breakpoint", "exit", "quit", "__import__"}


def modules(part: str) -> list[Path]:
    """The modules of a part of the package."""
    alone = PACKAGE / f"{part}.py"
    return [alone] if alone.is_file() else sorted((PACKAGE / part).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """The full names of all modules that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module is not None
            for alias in node.names:
                yield f"{node.module}.{alias.name}" if node.module == "dicecli" else node.module


def test_every_part_has_its_place() -> None:
    parts = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    assert parts - {"__init__", "__main__"} == set(BELOW)


@pytest.mark.parametrize("part", BELOW)
def test_imports_go_down_only(part: str) -> None:
    assert modules(part)
    for path in modules(part):
        for name in imports(path):
            if name.split(".")[0] == "dicecli":
                assert name.split(".")[1] in BELOW[part] | {part}, f"{path.relative_to(ROOT)} imports {name}"


def test_numbers_are_crunched_in_one_place() -> None:
    for path in PACKAGE.rglob("*.py"):
        if "numpy" in {name.split(".")[0] for name in imports(path)}:
            assert path.parent.name == "analysis", path


@pytest.mark.parametrize("part", PURE)
def test_pure_parts_import_nothing_of_the_world_outside(part: str) -> None:
    for path in modules(part):
        outside = {name.split(".")[0] for name in imports(path)} - {"dicecli"} - ALLOWED
        if part == "analysis":
            outside -= {"numpy", "bisect", "heapq", "threading"}
        if path.name == "workers.py":
            outside -= {"os", "mmap"}  # the one place that forks
        assert not outside, f"{path.relative_to(ROOT)} imports {', '.join(sorted(outside))}"


@pytest.mark.parametrize("part", PURE)
def test_pure_parts_read_print_and_evaluate_nothing(part: str) -> None:
    for path in modules(part):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in OUTSIDE, f"{path.relative_to(ROOT)}:{node.lineno}"


def test_yaml_is_read_in_one_place() -> None:
    readers = {path.name for path in PACKAGE.rglob("*.py") for name in imports(path) if name.split(".")[0] == "yaml"}
    assert readers == {"source.py"}
