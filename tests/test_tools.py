"""What people who write rules use: house rules, new files, the editor, differences, the linter, fingerprints."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import ROOT, SHIPPED, Run, table

from dicecli.errors import BadRuleset
from dicecli.rules.compare import different_rolls, different_rules, lint
from dicecli.rules.fingerprint import fingerprint
from dicecli.rules.meanings import MEANINGS
from dicecli.rules.ruleset import load
from dicecli.rules.schema import schema
from dicecli.rules.source import read
from dicecli.rules.table import compile_table
from dicecli.store.rulesets import find

FARKLE = (ROOT / "rulesets" / "farkle.yaml").read_text(encoding="utf-8")
PENTA = (ROOT / "rulesets" / "penta.yaml").read_text(encoding="utf-8")


# --set


@pytest.mark.parametrize(
    "words",
    [
        ["score", "farkle", "1"],
        ["play", "farkle"],
        ["roll", "farkle"],
        ["rules", "show", "farkle"],
        ["rules", "check", "farkle"],
        ["rules", "diff", "farkle", "farkle"],
    ],
)
def test_house_rules_are_checked_like_the_file_on_every_command(dicecli: Run, words: list[str]) -> None:
    done = dicecli(*words, "--set", "turn.bank_at_least=many")
    assert done.returncode == 1
    said = "--set turn.bank_at_least: expected a whole number from 0 to 1000000, found many\n"
    assert said in (done.stdout, done.stderr)
    assert dicecli(*words, "--set", "turn.bank_at_laest=1").returncode == 1
    assert dicecli(*words, "--set", "turn").returncode in (1, 2)
    assert dicecli(*words, "--set", "turn.bank_at_least=300").returncode == 0


def test_house_rules_change_remove_and_add() -> None:
    def best(*changes: str) -> int:
        found = find("farkle", changes).table()
        return found.best((1, 1, 2, 2, 3, 3))  # type: ignore[union-attr]

    assert best() == 1500
    assert best("combinations.three_pairs.score=750") == 750
    assert best("combinations.three_pairs=null") == 200
    assert best("combinations.three_pairs=null", "combinations.two={dice: [2], score: 7}") == 214
    assert best("combinations.one.score=10 * count") == 1500
    assert best("combinations.three_pairs=", "combinations.one.score=10 * count") == 20


def test_house_rules_are_not_for_dice_notation(dicecli: Run) -> None:
    assert dicecli("roll", "2d6", "--set", "a=1").returncode == 2


def test_a_game_is_played_by_its_house_rules(dicecli: Run) -> None:
    done = dicecli("play", "farkle", "--seed", "42", "--set", "turn.bank_at_least=300", input="keep 1 5\nbank\n")
    assert "150 points are too few to bank: 300 are needed." in done.stdout


# rules new and edit


def test_a_new_file_extends_another_and_is_good_as_it_is(dicecli: Run) -> None:
    for name in ("house", "my-penta"):
        base = "farkle" if name == "house" else "penta"
        file = Path(dicecli("rules", "new", name, "--from", base).stdout.strip())
        text = file.read_text(encoding="utf-8")
        assert text.startswith("# yaml-language-server: $schema=dicecli.schema.json\n")
        assert f"extends: {base}\n" in text
        assert json.loads((file.parent / "dicecli.schema.json").read_text(encoding="utf-8"))["title"]
        assert dicecli("rules", "check", name).stdout == f"{name}: good, 0 examples hold\n"
        assert dicecli("rules", "diff", base, name).stdout == f"{base} and {name} have the same rules.\n"
        uncommented = text.replace("\n# ", "\n").replace("\n#\n", "\n\n")
        file.write_text("\n".join(line for line in uncommented.splitlines() if line[:5] not in ("exten", "name:")))
        assert dicecli("rules", "check", name).returncode == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["new", "farkle"], "name_taken"),
        (["new", "../x"], "bad_game_name"),
        (["new", "House"], "bad_game_name"),
        (["new", "x", "--from", "frakle"], "unknown_game"),
        (["edit", "farkle"], "shipped_game"),
        (["edit", "nothing"], "unknown_game"),
    ],
)
def test_what_can_not_be_made_or_edited_is_refused(dicecli: Run, words: list[str], code: str) -> None:
    from dicecli.ui.messages import _TEXTS

    done = dicecli("rules", *words)
    assert (done.returncode, done.stdout) == (2, "")
    text = _TEXTS[code]
    assert isinstance(text, str)
    assert text.split("{")[0].split("'")[0] in done.stderr


def test_edit_opens_the_editor_and_checks_what_was_written(dicecli: Run, tmp_path: Path) -> None:
    dicecli("rules", "new", "house")
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "turn: {kepe: all}" >> "$1"\n')
    editor.chmod(0o755)
    assert dicecli("rules", "edit", "house", env={"EDITOR": "", "VISUAL": ""}).returncode == 2
    done = dicecli("rules", "edit", "house", env={"EDITOR": str(editor), "VISUAL": ""})
    assert done.returncode == 1
    assert "unknown key 'kepe' (did you mean 'keep'?)" in done.stdout


# differences


def test_differences_are_exact_fractions_of_all_rolls() -> None:
    house = find("farkle", ["combinations.three_pairs.score=750", "turn.bank_at_least=300"]).table()
    (only,) = different_rolls(table("farkle"), house)
    assert (only.first, only.second, only.share) == (1500, 750, Fraction(1800, 46656))
    rules = different_rules(table("farkle"), house)
    assert [rule for rule, _before, _after in rules] == ["combinations.three_pairs.score", "turn.bank_at_least"]


def test_differences_of_cells() -> None:
    wide = find("penta", ["cells.full_house.groups=[2, 2]"]).table()
    found = different_rolls(table("penta"), wide)
    assert {each.about for each in found} == {"full_house"}
    assert sum(each.share for each in found) == Fraction(1800, 7776)  # the two pairs


def test_differences_of_later_throws_are_told_where_they_are_others() -> None:
    found = different_rolls(table("jamb"), find("jamb", ["cells.kenta.by_roll=[66, 50, 50]"]).table())
    assert [(each.about, each.throw, each.first, each.second) for each in found] == [
        ("kenta", 2, 56, 50),
        ("kenta", 3, 46, 50),
    ]


@pytest.mark.parametrize(
    "change", ["columns=[{id: a}, {id: b}]", "dice.count=6", "cells.chance=null", "order=down", "rolls=1"]
)
def test_house_rules_that_the_games_own_examples_do_not_fit_are_played(dicecli: Run, change: str) -> None:
    done = dicecli("play", "penta", "--set", change)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Game left in" in done.stdout


def test_examples_of_house_rules_are_run(dicecli: Run) -> None:
    good, bad = (f"examples=[{{keep: [1, 1], score: {score}}}]" for score in (200, 300))
    assert dicecli("rules", "check", "farkle", "--set", good).stdout == "farkle: good, 1 example holds\n"
    assert "expected 300, but the rules give 200" in dicecli("rules", "check", "farkle", "--set", bad).stdout


def test_loaded_dice_differ_from_fair_ones(dicecli: Run) -> None:
    done = dicecli("rules", "diff", "kingdom-come", "kingdom-come-loaded")
    assert done.returncode == 2
    assert "not played with the same dice" in done.stderr
    assert dicecli("rules", "diff", "farkle", "penta").returncode == 2


def test_differences_for_scripts(dicecli: Run) -> None:
    done = dicecli("rules", "diff", "farkle", "farkle", "--set", "combinations.straight=null", "--json")
    found = json.loads(done.stdout)
    assert found["rulesets"] == ["farkle", "farkle"]
    assert found["rules"][0]["rule"] == "combinations.straight"
    assert found["rolls"] == [
        {"cell": None, "throw": 1, "scores": [1500, 150], "share": [5, 324], "roll": [1, 2, 3, 4, 5, 6]}
    ]


# the linter


def warnings(text: str) -> list[tuple[str, int | None]]:
    found = compile_table("x", load(text, "x.yaml"))
    return [(problem.code, problem.at.line if problem.at else None) for problem in lint(found, read(text, "x.yaml"))]


def line_of(text: str, wanted: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith(wanted))


@pytest.mark.parametrize(
    ("text", "old", "new", "code", "at"),
    [
        (FARKLE, "combinations:\n", "combinations:\n  ones: {dice: [1, 1], score: 150}\n", "never_best", "ones:"),
        (PENTA, "cells:\n", "cells:\n  odd: {section: lower, sum: 31, score: 1}\n", "never_filled", "odd:"),
        (FARKLE, "turn: {", "turn: {opening: {at_least: 6000}, ", "opening_above_target", "turn:"),
        (FARKLE, "default: 10000}", "default: 10001}\n", "target_never_hit", "targets:"),
    ],
)
def test_the_linter_finds_what_can_hardly_be_meant(text: str, old: str, new: str, code: str, at: str) -> None:
    assert warnings(text) == []
    changed = text.replace(old, new)
    if code == "target_never_hit":
        changed = changed.replace("options: [5000, ", "options: [5000, 10001, ").replace(
            "end: {", "end: {exact: bust, "
        )
    (found,) = warnings(changed)
    assert found == (code, line_of(changed, at))


def test_warnings_are_shown_and_do_not_fail_the_check(dicecli: Run, tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(FARKLE.replace("turn: {", "turn: {opening: {at_least: 6000}, "), encoding="utf-8")
    done = dicecli("rules", "check", str(file))
    assert done.returncode == 0
    assert "warning: the first turn needs 6000 points, which is more than the target 5000" in done.stdout
    (warning,) = json.loads(dicecli("rules", "check", str(file), "--json").stdout)["warnings"]
    assert warning["code"] == "opening_above_target"


def test_every_key_has_a_meaning_and_every_meaning_a_key() -> None:
    defined = schema()["$defs"]
    for name, record in defined.items():
        assert all(value["description"] for value in record["properties"].values()), name
    keys = {key for record in defined.values() for key in record["properties"]}
    assert {key for record in MEANINGS.values() for key in record} == keys - {"extends"}
    assert set(MEANINGS) - {"Head"} <= defined.keys()
    assert defined["BankTurn"]["properties"]["keep"]["default"] == "any"
    assert (
        "rounds" in defined["BankEndChange"]["properties"]
        and defined["BankEnd"]["properties"]["exact"]["default"] is False
    )


# fingerprints

CHANGES: list[tuple[Callable[[str], str], bool]] = [
    (
        lambda text: "# a comment\n" + text.replace("one: {dice: [1], score: 100}", "one:   {score: 100, dice: [1]}"),
        True,
    ),
    (lambda text: text.replace("100 * face", "100*face"), True),
    (lambda text: text.replace("name: Farkle", "name: {en: Farkle, ru: Фаркл}"), True),
    (lambda text: text.replace("label: Three alike, ", ""), True),
    (lambda text: text.replace("bank_at: 300", "bank_at: 350"), True),
    (lambda text: text.replace("turn: {keep: any, hot_dice: may_roll}\n", ""), True),
    (lambda text: text.replace("one: {dice: [1], score: 100}", "one: {dice: [1], score: 101}"), False),
    (lambda text: text.replace("hot_dice: may_roll", "hot_dice: must_roll"), False),
    (lambda text: text.replace("  straight: {straight: 6, score: 1500}\n", ""), False),
]


@pytest.mark.parametrize(("change", "same"), CHANGES)
def test_a_fingerprint_is_of_the_meaning(change: Callable[[str], str], same: bool) -> None:
    text = change(FARKLE)
    text = text.split("\nexamples:")[0] + "\n"
    assert change(FARKLE) != FARKLE
    assert (fingerprint(load(text, "x")) == fingerprint(load(FARKLE, "x"))) is same


def test_the_order_of_cells_is_a_rule_only_where_they_are_filled_in_order() -> None:
    ones, twos = "  ones: {section: upper, face: 1}\n", "  twos: {section: upper, face: 2}\n"
    turned = PENTA.replace(ones + twos, twos + ones)
    assert fingerprint(load(turned, "x")) == fingerprint(load(PENTA, "x"))
    down = PENTA.replace("order: free", "order: down"), turned.replace("order: free", "order: down")
    assert fingerprint(load(down[0], "x")) != fingerprint(load(down[1], "x"))


def test_the_order_of_outcomes_is_a_rule() -> None:
    """The first that a throw shows counts."""
    pig = (ROOT / "rulesets" / "two-dice-pig.yaml").read_text(encoding="utf-8").split("\nexamples:")[0] + "\n"
    one, ones = "  one: {dice: [1], lose: turn}\n", "  two_ones: {dice: [1, 1], lose: all}\n"
    assert ones + one in pig
    assert fingerprint(load(pig.replace(ones + one, one + ones), "x")) != fingerprint(load(pig, "x"))


def test_the_order_of_combinations_is_a_rule_where_one_makes_throw_on() -> None:
    """Of equal ways to count the same dice the first is taken."""
    one, five = "  one: {dice: [1], score: 100}\n", "  five: {dice: [5], score: 50}\n"
    turned = FARKLE.replace(one + five, five + one)
    assert turned != FARKLE and fingerprint(load(turned, "x")) == fingerprint(load(FARKLE, "x"))
    both = (text.replace("turn: {", "turn: {must_roll_after: [five], ") for text in (FARKLE, turned))
    first, second = (fingerprint(load(text.split("\nexamples:")[0] + "\n", "x")) for text in both)
    assert first != second


def test_every_shipped_ruleset_has_a_fingerprint_of_its_own(dicecli: Run) -> None:
    prints = {name: fingerprint(table(name).ruleset) for name in SHIPPED}
    assert len(set(prints.values())) == len(prints)
    shown = json.loads(dicecli("rules", "show", "farkle", "--json").stdout)
    assert shown["fingerprint"] == prints["farkle"]


def test_a_label_speaks_the_language_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    from dicecli.ui import i18n

    labels = {"en": "Ones", "ru": "Единицы"}
    assert i18n.label(labels, "ones") == "Ones"
    monkeypatch.setattr(i18n, "_language", "ru")
    assert i18n.label(labels, "ones") == "Единицы"
    monkeypatch.setattr(i18n, "_language", "pl")
    assert i18n.label(labels, "ones") == "Ones"
    assert i18n.label({"de": "Einser"}, "ones") == "Einser"
    assert i18n.label(None, "full_house") == "Full house"


def test_extending_in_a_circle_is_refused_with_the_place(dicecli: Run, tmp_path: Path) -> None:
    for name, base in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.yaml").write_text(f"extends: ./{base}.yaml\n")
    done = dicecli("rules", "check", str(tmp_path / "a.yaml"))
    assert done.returncode == 1
    assert "rulesets extend each other, or in a circle" in done.stdout
    with pytest.raises(BadRuleset):
        find(str(tmp_path / "b.yaml")).table()


def test_the_program_runs_as_a_module_from_anywhere(tmp_path: Path) -> None:
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "dicecli", "rules", "list"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert len(done.stdout.splitlines()) >= 40
