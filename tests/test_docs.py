"""The tutorial works as written; the reference, the schema and the list of games are what the program says."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml
from conftest import ROOT, SHIPPED, Run

TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")


def test_the_tutorial_works_as_written(tmp_path: Path) -> None:
    shown = 0
    for kind, body in re.findall(r"```(yaml \S+|console)\n(.*?)```", TUTORIAL, re.S):
        if kind != "console":
            (tmp_path / kind.split()[1]).write_text(body, encoding="utf-8")
            continue
        for step in re.split(r"^\$ ", body, flags=re.M)[1:]:
            command, _newline, expected = step.partition("\n")
            words = shlex.split(command)
            done = subprocess.run(
                [sys.executable, "-m", *words],
                cwd=tmp_path,
                env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.stdout + done.stderr == expected.rstrip("\n") + "\n", command
            shown += 1
    assert shown >= 7


def test_the_reference_and_the_schema_are_as_the_program_makes_them(dicecli: Run) -> None:
    assert dicecli("generate", "reference").stdout == (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    assert dicecli("rules", "schema").stdout == (ROOT / "docs" / "ruleset.schema.json").read_text(encoding="utf-8")


def schema_says(text: str) -> list[str]:
    schema = json.loads((ROOT / "docs" / "ruleset.schema.json").read_text(encoding="utf-8"))
    data = json.loads(json.dumps(yaml.safe_load(text)))
    return [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(data)]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_ruleset_fits_the_schema(name: str) -> None:
    assert schema_says((ROOT / "rulesets" / f"{name}.yaml").read_text(encoding="utf-8")) == []


def test_the_schema_refuses_what_is_no_ruleset() -> None:
    farkle = (ROOT / "rulesets" / "farkle.yaml").read_text(encoding="utf-8")
    assert schema_says(farkle.replace("score: 100}", "scroe: 100}"))
    assert schema_says(farkle.replace("count: 6", "count: 11"))
    assert schema_says(farkle.replace("family: bank", "family: banc"))
    assert schema_says("extends: farkle\nturn: {bank_at_least: 300}\ncombinations: {three_pairs: null}\n") == []
    assert schema_says("extends: farkle\nturn: {bank_at_least: x}\n")


def test_the_readme_lists_every_game() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert not [name for name in SHIPPED if f"`{name}`" not in readme]
