"""What the tests share."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from invented import INVENTED

from dicecli.rules.ruleset import load
from dicecli.rules.table import BankTable, SheetTable, Table, compile_table
from dicecli.store.rulesets import find, names, shipped_folder

ROOT = Path(__file__).parent.parent
SHIPPED = names(shipped_folder())
FIRST = ("farkle", "penta", "poker")  # the games that are looked at most closely


@functools.cache
def table(game: str) -> Table:
    """The table of a shipped ruleset, or of one that is invented for the tests."""
    if game in INVENTED:
        return compile_table(game, load(INVENTED[game], f"{game}.yaml"))
    return find(game).table()


def bank_table(game: str = "farkle") -> BankTable:
    found = table(game)
    assert isinstance(found, BankTable)
    return found


def sheet_table(game: str) -> SheetTable:
    found = table(game)
    assert isinstance(found, SheetTable)
    return found


def facts(name: str) -> Any:
    """A file of tests/facts."""
    return yaml.safe_load((ROOT / "tests" / "facts" / f"{name}.yaml").read_text(encoding="utf-8"))


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def dicecli(tmp_path: Path) -> Run:
    """Runs `dicecli` as a process of its own, with an empty home: `dicecli("score", "farkle", "1", input=…, env=…)`."""

    def run(*arguments: str, input: str = "", env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        import os

        home = {
            "HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path / "data"),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
        }
        base = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "ACCESSIBLE", "TERM")}
        return subprocess.run(
            [sys.executable, "-m", "dicecli", *arguments],
            input=input,
            env={**base, **home, "PYTHONUTF8": "1", **(env or {})},
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=60,
            check=False,
        )

    return run
