"""Faulty rulesets: each kind of mistake is found at its place and said in words."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import ROOT, SHIPPED

from dicecli.errors import BadRuleset, Place, Problem
from dicecli.rules.ruleset import load, place_of
from dicecli.rules.source import Mapping, read
from dicecli.rules.vocabulary import AccumulateRuleset, BankRuleset, SheetRuleset
from dicecli.store.rulesets import find
from dicecli.ui import messages
from dicecli.ui.messages import located, message

BANK = """\
name: Short
family: bank
source: made up
dice: {count: 3, faces: 6}
combinations:
  one: {dice: [1], score: 100}
  three: {of_a_kind: 3, score: 100 * face, except: {1: 1000}}
targets: {options: [100, 200], default: 100}
computer: {bank_at: 30}
examples:
  - {dice: [1, 2, 3], keeps: {"1": 100}}
  - {keep: [1, 1], score: 200}
"""

SHEET = """\
name: Little
family: sheet
source: made up
dice: {count: 3, faces: 6}
rolls: 2
cells:
  ones: {section: upper, face: 1}
  run: {section: lower, straight: 3, score: 30}
  all: {section: lower, any: true, score: sum}
  alike: {section: lower, of_a_kind: 3, score: 50}
bonuses:
  upper: {section: upper, steps: [{at_least: 2, score: 5}, {at_least: 3, score: 9}]}
extras:
  more: {of_a_kind: 3, needs: {cell: alike, state: scored}, score: 10}
joker:
  when: {of_a_kind: 3}
  needs: {cell: alike, state: filled}
  upper: forced
  scores: {run: 30}
computer: {strength: normal}
examples:
  - {dice: [1, 2, 3], cell: run, score: 30}
"""

PIG = """\
name: Small pig
family: accumulate
source: made up
dice: {count: 1, faces: 6}
outcomes:
  one: {dice: [1], lose: turn}
  other: {any: true, score: sum}
targets: {options: [20], default: 20}
computer: {bank_at: 10}
examples: [{dice: [6], score: 6}, {dice: [1], lose: turn}]
"""


class Case(NamedTuple):
    """A change to a ruleset (`old => new` a line, each `old` there once) and the problem at the mark `@` of it."""

    code: str
    base: str
    change: str
    params: dict[str, object] = {}  # noqa: RUF012 - not changed


def changed(base: str, change: str) -> tuple[str, int, int]:
    """The changed text, and line and column of its mark."""
    for line in change.splitlines():
        old, _, new = (side.replace("\\n", "\n") for side in line.partition(" => "))
        assert base.count(old) == 1, old
        base = base.replace(old, new)
    assert base.count("@") == 1
    before, after = base.split("@")
    return before + after, before.count("\n") + 1, len(before) - before.rfind("\n")


CASES = [
    # the shape of the file
    Case("missing_key", BANK, "name: Short => @name: Short\nfamily: bank\\n => ", {"key": "family"}),
    Case(
        "expected_one_of",
        BANK,
        "family: bank => family: @dice",
        {"found": "dice", "options": "bank, sheet, accumulate"},
    ),
    Case("expected_one_of", SHEET, "family: sheet => family: @shet", {"near": "sheet"}),
    Case("expected_one_of", BANK, "family: bank => family: @[bank]"),
    Case("expected_one_of", BANK, "family: bank => family: @null", {"found": "nothing"}),
    Case("missing_key", BANK, "name: Short => @name: Short\nsource: made up\\n => ", {"key": "source"}),
    Case("missing_key", BANK, "{count: 3, faces: 6} => @{faces: 6}", {"key": "count"}),
    Case("missing_key", SHEET, "{section: upper, face: 1} => @{face: 1}", {"key": "section"}),
    Case("missing_key", SHEET, "needs: {cell: alike, state: scored} => needs: @{cell: alike}", {"key": "state"}),
    Case("unknown_key", BANK, "name: Short => @nam: Short\\nname: Short", {"key": "nam", "near": "name"}),
    Case("unknown_key", BANK, "{dice: [1], score: 100} => {dice: [1], @scroe: 1, score: 100}", {"near": "score"}),
    Case("unknown_key", SHEET, "rolls: 2 => rolls: 2\\n@targets: {options: [1], default: 1}", {"key": "targets"}),
    Case("unknown_key", BANK, "targets: => @zzz: 1\\ntargets:", {"key": "zzz"}),
    # the kinds of values
    Case("expected_mapping", BANK, "{bank_at: 30} => @30"),
    Case("expected_mapping", BANK, "{dice: [1], score: 100} => @[1]"),
    Case("expected_mapping", SHEET, "  scores: {run: 30} =>   scores: @[run]"),
    Case("expected_mapping", BANK, "targets: {options: [100, 200], default: 100} => targets:@"),
    Case("expected_list", BANK, "{dice: [1], score => {dice: @1, score", {"found": "1"}),
    Case("expected_list", BANK, "[100, 200] => @{a: 1}", {"found": "{…}"}),
    Case("expected_text", BANK, "source: made up => source: @12", {"found": "12"}),
    Case("expected_text", BANK, "source: made up => source: @null", {"found": "nothing"}),
    Case("expected_text", BANK, "name: Short => name: @true", {"found": "true"}),
    Case("expected_text", BANK, "name: Short => name: {en: Short, pl: @1.5}", {"found": "1.5"}),
    Case("expected_text", SHEET, "needs: {cell: alike, state: scored} => needs: {cell: @7, state: scored}"),
    Case("wrong_text_length", BANK, "name: Short => name: @''", {"most": 60}),
    Case("wrong_text_length", BANK, f"name: Short => name: @{'x' * 61}", {"most": 60}),
    Case("wrong_text_length", BANK, f"source: made up => source: @{'x' * 2001}", {"most": 2000}),
    Case("wrong_text_length", BANK, f"100 * face => @{'1+' * 100}1", {"most": 200}),
    Case("expected_integer", BANK, "count: 3 => count: @0", {"least": 1, "most": 10, "found": "0"}),
    Case("expected_integer", BANK, "count: 3 => count: @11", {"least": 1, "most": 10}),
    Case("expected_integer", BANK, "faces: 6 => faces: @101", {"least": 1, "most": 100}),
    Case("expected_integer", BANK, "faces: 6 => faces: @-6", {"found": "-6"}),
    Case("expected_integer", BANK, "count: 3 => count: @'3'", {"found": "3"}),
    Case("expected_integer", BANK, "count: 3 => count: @3.0", {"found": "3.0"}),
    Case("expected_integer", BANK, "count: 3 => count: @true", {"found": "true"}),
    Case("expected_integer", BANK, "count: 3 => count: @[3]", {"found": "[…]"}),
    Case("expected_integer", BANK, "bank_at: 30 => bank_at: @1000001", {"least": -1_000_000, "most": 1_000_000}),
    Case("expected_integer", BANK, "bank_at: 30 => bank_at: @99999999999999999999", {"found": "99999999999999999999"}),
    Case("expected_integer", BANK, "score: 200 => score: @1.5"),
    Case("expected_integer", BANK, "default: 100 => default: @0"),
    Case("unknown_face", BANK, "except: {1: 1000} => except: {@one: 1000}", {"face": "one", "faces": "1 to 6"}),
    Case("unknown_face", BANK, "except: {1: 1000} => except: {@-1: 1000}", {"face": "-1"}),
    Case("unknown_face", BANK, "except: {1: 1000} => except: {@'01': 1000}", {"face": "01"}),
    Case("expected_integer", BANK, "{bank_at: 30} => {bank_at: 30, dice_left: {@one: 5}}", {"found": "one"}),
    Case("expected_integer", BANK, "{bank_at: 30} => {bank_at: 30, dice_left: {@-1: 5}}", {"found": "-1"}),
    Case("expected_integer", BANK, "{bank_at: 30} => {bank_at: 30, dice_left: {@'01': 5}}", {"found": "01"}),
    Case("expected_integer", SHEET, "rolls: 2 => rolls: @0", {"least": 1, "most": 20}),
    Case("expected_integer", SHEET, "rolls: 2 => rolls: 2\\nafter_last_roll: {choose_for_me_after: @0}"),
    Case("expected_boolean", BANK, "{of_a_kind: 3, => {of_a_kind: 3, exactly: @1,", {"found": "1"}),
    Case("expected_boolean", BANK, "{of_a_kind: 3, => {of_a_kind: 3, exactly: @'true',", {"found": "true"}),
    Case("expected_one_of", SHEET, "any: true => any: @false", {"options": "true", "found": "false"}),
    Case("expected_one_of", SHEET, "upper: forced => upper: @fre", {"options": "forced, free, never", "near": "free"}),
    Case("expected_one_of", SHEET, "strength: normal => strength: @nromal", {"near": "normal"}),
    Case("wrong_length", BANK, "{dice: [1], score => {dice: @[], score", {"count": 0, "least": 1, "most": 10}),
    Case("wrong_length", BANK, "{dice: [1], score => {dice: @[1,1,1,1,1,1,1,1,1,1,1], score", {"count": 11}),
    Case("wrong_length", BANK, "[100, 200] => @[]", {"count": 0}),
    Case(
        "wrong_length", SHEET, "steps: [{at_least: 2, score: 5}, {at_least: 3, score: 9}] => steps: @[]", {"count": 0}
    ),
    # dice and patterns
    Case("bad_name", BANK, "  one: {dice =>   @One: {dice", {"name": "One"}),
    Case("bad_name", BANK, "  one: {dice =>   @1: {dice", {"name": "1"}),
    Case("bad_name", BANK, "  one: {dice =>   @two words: {dice"),
    Case("bad_name", BANK, "  one: {dice =>   @\u017c\u00f3\u0142\u0107: {dice"),
    Case("bad_name", BANK, f"  one: {{dice =>   @{'x' * 41}: {{dice"),
    Case("bad_name", SHEET, "extras:\\n  more: => extras:\\n  @More!:", {"name": "More!"}),
    Case("bad_name", SHEET, "bonuses:\\n  upper: => bonuses:\\n  @Upper bonus:", {"name": "Upper bonus"}),
    Case("no_pattern", BANK, "  one: {dice: [1], score =>   @one: {score"),
    Case("no_pattern", SHEET, "  when: {of_a_kind: 3} =>   @when: {}"),
    Case(
        "two_patterns", BANK, "  one: {dice: [1], =>   @one: {dice: [1], straight: 3,", {"patterns": "dice, straight"}
    ),
    Case("modifier_without", BANK, "{dice: [1], => {dice: [1], @exactly: true,", {"key": "exactly"}),
    Case("modifier_without", BANK, "{dice: [1], => {dice: [1], @from: 1,", {"key": "from", "pattern": "straight"}),
    Case(
        "more_dice_than_there_are", BANK, "{dice: [1], score => {@dice: [1, 1, 1, 1], score", {"needed": 4, "count": 3}
    ),
    Case("more_dice_than_there_are", BANK, "{of_a_kind: 3, => {@of_a_kind: 4,", {"needed": 4}),
    Case("more_dice_than_there_are", BANK, "{dice: [1], score => {@groups: [2, 2], score", {"needed": 4}),
    Case("more_dice_than_there_are", BANK, "{dice: [1], score => {@straight: 4, score", {"needed": 4}),
    Case("more_dice_than_there_are", BANK, "{keep: [1, 1], => @{keep: [1, 1, 1, 1],", {"needed": 4, "count": 3}),
    Case("more_dice_than_there_are", BANK, "{dice: [1, 2, 3], => @{dice: [1, 2, 3, 4],", {"needed": 4, "count": 3}),
    Case("straight_too_long", SHEET, "faces: 6} => faces: 2}\nstraight: 3 => @straight: 3\n[1, 2, 3] => [1, 2, 2]"),
    Case("straight_too_long", SHEET, "straight: 3, => @straight: 3, from: 5,", {"faces": 6}),
    Case(
        "more_groups_than_faces",
        BANK,
        "faces: 6} => faces: 1}\n{dice: [1], score => {@groups: [1, 1, 1], score\n[1, 2, 3] => [1, 1, 1]",
        {"groups": 3, "faces": 1},
    ),
    Case("unknown_face", BANK, "{dice: [1], score => {dice: [@7], score", {"face": 7, "faces": "1 to 6"}),
    Case("unknown_face", SHEET, "face: 1} => @face: 7}", {"face": 7}),
    Case("unknown_face", BANK, "{dice: [1, 2, 3] => {dice: [1, 2, @9]", {"face": 9}),
    Case("unknown_face", BANK, "{keep: [1, 1] => {keep: [1, @7]", {"face": 7}),
    Case("unknown_face", BANK, "except: {1: 1000} => except: {@7: 1000}", {"face": "7"}),
    Case("expected_integer", SHEET, "at_least: 2, => at_least: @-1,", {"found": "-1", "least": 0}),
    Case("bonus_from_nothing", SHEET, "steps: [{at_least: 2, => steps: [@{at_least: 0,"),
    Case("several_lines", BANK, 'name: Short => name: @"Sh\tort"'),
    Case("more_dice_left", BANK, "{bank_at: 30} => {bank_at: 30, dice_left: {@4: 50}}", {"left": 4, "count": 3}),
    Case(
        "nothing_ever_scores",
        BANK,
        "combinations: => @combinations:\n  one: {dice: [1], score: 100} =>   one: {dice: [1], score: 0}\n"
        "score: 100 * face, except: {1: 1000} => score: 0 - face",
    ),
    Case("unknown_key", SHEET, "  when: {of_a_kind: 3} =>   when: {of_a_kind: 3, @score: 5}", {"key": "score"}),
    # scores
    Case("missing_key", BANK, "  one: {dice: [1], score: 100} =>   @one: {dice: [1]}", {"key": "score"}),
    Case("except_without_face", BANK, "{dice: [1], => {dice: [1, 2], @except: {1: 5},"),
    Case("formula_without_face", BANK, "{dice: [1], score: 100 => {dice: [1, 2], @score: 100 * face"),
    Case("unknown_name", BANK, "100 * face => 100 * @fase", {"near": "face"}),
    Case("unknown_name", BANK, "100 * face => '100 * @fase'"),
    Case("unknown_name", BANK, "100 * face => &a 100 * @fase"),
    Case("unknown_name", BANK, "except: {1: 1000} => except: {1: 2 * @fase}"),
    Case("unexpected_text", BANK, "100 * face => 100 *@/ face"),
    Case("unexpected_end", BANK, "100 * face => 100 *@\n, except: {1: 1000} => "),
    Case("missing_bracket", BANK, "100 * face => min(face@\n, except: {1: 1000} => "),
    Case("missing_arguments", BANK, "100 * face => min @* face"),
    Case("leading_zero", BANK, "100 * face => @0100 * face"),
    Case("number_too_large", BANK, "100 * face => @1000001 * face"),
    Case("bad_divisor", BANK, "100 * face => 100 //@(face)"),
    # the dice
    Case("bad_face", BANK, "faces: 6 => faces: [1, 2, 3, 4, 5, @'a b']", {"face": "a b"}),
    Case("bad_face", BANK, "faces: 6 => faces: [1, 2, 3, 4, 5, @None]", {"face": "None"}),
    Case("bad_face", BANK, "faces: 6 => faces: [1, 2, 3, 4, 5, @'a#']"),
    Case("face_twice", BANK, "faces: 6 => faces: [1, 2, 3, 4, 5, @5]", {"face": 5}),
    Case("face_twice", BANK, "faces: 6 => faces: [1, 2, 3, 4, 5, @'5']", {"face": "5"}),
    Case("face_twice", BANK, "faces: 6} => faces: 6, classes: {a: [1, 2], @b: [2, 3]}}", {"face": "2"}),
    Case("unknown_face", BANK, "faces: 6} => faces: 6, classes: {a: [1, @7]}}", {"face": 7}),
    Case("unknown_face", BANK, "faces: 6} => faces: 6, wild: [@7]}", {"face": 7}),
    Case("unknown_face", BANK, "faces: 6} => faces: 6, values: {@7: 1}}", {"face": "7"}),
    Case(
        "unknown_face",
        BANK,
        "faces: 6} => faces: [1, 2, 3, A, B]}\n{dice: [1], => {dice: [@a],",
        {"faces": "1 2 3 A B"},
    ),
    Case("unknown_face", SHEET, "straight: 3, => straight: 3, @from: 7,", {"face": 7}),
    Case("wrong_weights", BANK, "faces: 6} => faces: 6, @weights: [1, 2]}", {"count": 6}),
    Case("wrong_weights", BANK, "faces: 6} => faces: 6, @weights: [0, 0, 0, 0, 0, 0]}"),
    Case(
        "wrong_weights",
        BANK,
        "faces: 6} => faces: 6, @each: [[1, 1, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 1]]}",
    ),
    Case("wrong_number_of_dice", BANK, "faces: 6} => faces: 6, @each: [[1, 1, 1, 1, 1, 1]]}", {"found": 1}),
    Case("expected_integer", BANK, "faces: 6} => faces: 6, weights: [1, 1, 1, 1, 1, @-1]}", {"least": 0}),
    # looks
    Case("no_classes", BANK, "{of_a_kind: 3, => {of_a_kind: 3, @class: same,"),
    Case("modifier_without", BANK, "{dice: [1], => {dice: [1], @wrap: true,", {"pattern": "straight"}),
    Case("modifier_without", BANK, "{dice: [1], => {dice: [1], @distinct: false,", {"pattern": "groups"}),
    Case(
        "straight_too_long",
        SHEET,
        "faces: 6} => faces: 2}\nstraight: 3, => @straight: 3, wrap: true,\n[1, 2, 3] => [1, 2, 2]",
    ),
    Case("no_pattern", SHEET, "any: true => any_of: [@{}]"),
    Case("two_patterns", SHEET, "any: true => all: [@{face: 1, of_a_kind: 2}]", {"patterns": "face, of_a_kind"}),
    Case("more_dice_than_there_are", SHEET, "any: true => not: {@of_a_kind: 4}", {"needed": 4}),
    Case("more_dice_than_there_are", SHEET, "rolls: 2 => rolls: 2\\n@use: 4", {"needed": 4, "count": 3}),
    Case("nothing_scores_a_number", BANK, "combinations: => combinations:\\n  @zip: {nothing: true, score: 2 * 3}"),
    Case("nothing_scores_a_number", BANK, "combinations: => combinations:\\n  @zip: {nothing: true}"),
    Case("nothing_scores_a_number", SHEET, "cells: => cells:\\n  @zip: {section: lower, nothing: true, score: 1}"),
    Case("except_without_face", SHEET, "any: true, score: sum => any: true, score: sum, @except: {1: 5}"),
    # scores by the throw
    Case(
        "only_in_sheets",
        BANK,
        "{dice: [1], score: 100} => {dice: [1], score: 100, @first_roll: 5}",
        {"key": "first_roll"},
    ),
    Case("only_in_sheets", BANK, "{dice: [1], score: 100} => {dice: [1], @by_roll: [100, 50]}", {"key": "by_roll"}),
    Case("unknown_name", BANK, "100 * face => 100 * @roll", {"name": "roll"}),
    Case(
        "score_or_by_roll",
        SHEET,
        "  run: {section =>   @run: {section\nstraight: 3, score: 30} => straight: 3, score: 30, by_roll: [40]}",
    ),
    # turns
    Case(
        "unknown_combination", BANK, "targets: => turn: {must_roll_after: [three, @ones]}\\ntargets:", {"near": "one"}
    ),
    Case("expected_one_of", BANK, "targets: => turn: {keep: @most}\\ntargets:", {"options": "any, all"}),
    Case("expected_one_of", BANK, "targets: => end: {exact: @true}\\ntargets:"),
    Case("expected_one_of", BANK, "targets: => end: {last_round: @once}\\ntargets:"),
    Case("missing_key", BANK, "targets: => turn: {opening: @{below: lost}}\\ntargets:", {"key": "at_least"}),
    # columns, derived cells, game points
    Case(
        "same_column",
        SHEET,
        "rolls: 2 => rolls: 2\\ncolumns: [{id: a}, {@id: a}]\ncell: run, => cell: a run,",
        {"id": "a"},
    ),
    Case(
        "bad_name",
        SHEET,
        "rolls: 2 => rolls: 2\\ncolumns: [{id: a}, @{id: B}]\ncell: run, => cell: a run,",
        {"name": "B"},
    ),
    Case(
        "unknown_column",
        SHEET,
        "rolls: 2 => rolls: 2\\ncolumns: [{id: down}]\ncell: run, => @cell: dwn run,",
        {"near": "down"},
    ),
    Case("unknown_column", SHEET, "cell: run, => @cell: down run,", {"column": "down"}),
    Case(
        "which_column",
        SHEET,
        "rolls: 2 => rolls: 2\\ncolumns: [{id: a}, {id: b}]\ncell: run, => @cell: run,",
        {"cell": "run", "columns": "a, b"},
    ),
    Case("unknown_name", SHEET, "rolls: 2 => rolls: 2\\nderived: {gap: ones - @tens}", {"name": "tens"}),
    Case("bad_name", SHEET, "rolls: 2 => rolls: 2\\nderived: {@Gap: ones - run}", {"name": "Gap"}),
    Case("no_points", SHEET, "rolls: 2 => rolls: 2\\nend: {@win: points}"),
    Case("steps_or_each", SHEET, "rolls: 2 => rolls: 2\\npoints: {@one: {cell: run}}"),
    Case("steps_or_each", SHEET, "rolls: 2 => rolls: 2\\npoints: {@one: {each: 1, steps: [{at_least: 0, score: 1}]}}"),
    Case("unknown_cell", SHEET, "rolls: 2 => rolls: 2\\npoints: {one: {@cell: rum, each: 1}}", {"near": "run"}),
    Case(
        "steps_not_rising",
        SHEET,
        "rolls: 2 => rolls: 2\\npoints: {one: {@steps: [{at_least: 5, score: 1}, {at_least: 5, score: 2}]}}",
    ),
    # accumulate
    Case("missing_key", PIG, "  other: {any: true, score: sum} =>   @other: {any: true}", {"key": "score"}),
    Case(
        "expected_one_of",
        PIG,
        "one: {dice: [1], lose: turn} => one: {dice: [1], lose: @half}",
        {"options": "turn, all"},
    ),
    Case("nothing_ever_scores", PIG, "outcomes: => @outcomes:\nscore: sum => score: 0"),
    Case("wrong_number_of_dice", PIG, "{dice: [1], lose: turn}] => {@dice: [1, 2], lose: turn}]", {"found": 2}),
    Case("example_form", PIG, "{dice: [1], lose: turn}] => @{dice: [1], lose: turn, score: 0}]"),
    Case("only_in_sheets", PIG, "score: sum} => score: sum, @first_roll: 5}"),
    # what belongs together
    Case("default_not_an_option", BANK, "default: 100 => @default: 150", {"value": 150}),
    Case("players_min_over_max", BANK, "targets: => players: {@min: 3, max: 2, humans: 1}\\ntargets:", {"min": 3}),
    Case("humans_over_max", BANK, "targets: => players: {max: 2, @humans: 3}\\ntargets:", {"humans": 3, "max": 2}),
    Case("unknown_section", SHEET, "{section: upper, steps => {@section: uper, steps", {"near": "upper"}),
    Case("steps_not_rising", SHEET, "steps: [{at_least: 2 => @steps: [{at_least: 4"),
    Case("steps_not_rising", SHEET, "steps: [{at_least: 2 => @steps: [{at_least: 3"),
    Case("unknown_cell", SHEET, "{cell: alike, state: scored} => {@cell: alke, state: scored}", {"near": "alike"}),
    Case("unknown_cell", SHEET, "{cell: alike, state: filled} => {@cell: penta, state: filled}", {"cell": "penta"}),
    Case("unknown_cell", SHEET, "scores: {run: 30} => scores: {@rum: 30}", {"near": "run"}),
    Case("unknown_cell", SHEET, "cell: run, score: 30 => @cell: rum, score: 30"),
    Case("unknown_cell", SHEET, "cell: run, score: 30 => legal: {@rum: 30}"),
    Case("unknown_cell", SHEET, "cell: run, score: 30 => scoring: {@rum: 30}"),
    Case("unknown_cell", SHEET, "cell: run, score: 30 => cell: run, score: 30, filled: {@rum: 30}"),
    Case("unknown_section", SHEET, "dice: [1, 2, 3], cell: run, score: 30 => @section: uper, total: 3, bonus: 9"),
    Case("example_form", SHEET, "{dice: [1, 2, 3], cell: run, score: 30} => @{dice: [1, 2, 3]}"),
    Case("example_form", BANK, "{keep: [1, 1], score: 200} => @{keep: [1, 1], score: 200, legal: false}"),
    Case("example_form", BANK, "{keep: [1, 1], score: 200} => @{}"),
    Case("wrong_number_of_dice", SHEET, "{dice: [1, 2, 3] => {@dice: [1, 2]", {"found": 2, "count": 3}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.change.splitlines()[0][:60]}")
def test_a_mistake_is_found_at_its_place(case: Case) -> None:
    text, line, column = changed(case.base, case.change)
    with pytest.raises(BadRuleset) as refused:
        load(text, "f.yaml")
    (problem,) = refused.value.problems
    assert (problem.code, str(problem.at)) == (case.code, f"f.yaml:{line}:{column}")
    given = {key: messages._shown(problem.params.get(key)) for key in case.params}
    assert given == {key: messages._shown(value) for key, value in case.params.items()}
    assert located(problem) == f"f.yaml:{line}:{column}: {message(problem)}"
    assert "{" not in message(problem).replace(str(problem.params.get("text", "")), "").replace("{…}", "")


@pytest.mark.parametrize(("text", "record"), [(BANK, BankRuleset), (SHEET, SheetRuleset), (PIG, AccumulateRuleset)])
def test_without_a_mistake_it_is_a_ruleset(text: str, record: type) -> None:
    assert isinstance(load(text, "f.yaml"), record)
    assert load(text.encode(), "f.yaml") == load(text, "f.yaml")


@pytest.mark.parametrize("text", ["[1, 2]", "word", "null", "12"])
def test_a_file_that_is_no_mapping_is_no_ruleset(text: str) -> None:
    with pytest.raises(BadRuleset) as refused:
        load(text, "f.yaml")
    assert [located(problem) for problem in refused.value.problems] == [
        "f.yaml:1:1: expected keys with values, such as 'name: Farkle'"
    ]


def test_six_mistakes_of_different_kinds_are_six_located_problems_in_order() -> None:
    text = (
        "name: Six mistakes\n"
        "family: sheet\n"
        "source: made up\n"
        "dice: {count: 11, faces: 6}\n"
        "rols: 3\n"
        "rolls: 3\n"
        "cells:\n"
        "  ones: {section: upper, face: 1}\n"
        "  Run: {section: lower, straight: 4, score: 30}\n"
        "  chance: {section: lower, any: true, score: sun}\n"
        "bonuses:\n"
        "  upper: {section: uper, steps: [{at_least: 63, score: 35}]}\n"
        "computer: {strength: 5}\n"
    )
    with pytest.raises(BadRuleset) as refused:
        load(text, "my.yaml")
    assert [located(problem) for problem in refused.value.problems] == [
        "my.yaml:4:15: expected a whole number from 1 to 10, found 11",
        "my.yaml:5:1: unknown key 'rols' (did you mean 'rolls'?)",
        "my.yaml:9:3: 'Run' is no name: use small letters, digits and _",
        "my.yaml:10:46: 'sun' is not known in a score; there are: sum, matched, face, count, roll, min, "
        "max (did you mean 'sum'?)",
        "my.yaml:12:11: no cell is in a section 'uper' (did you mean 'upper'?)",
        "my.yaml:13:22: expected one of: normal; found 5",
    ]


def test_the_near_miss_of_a_key_is_said() -> None:
    with pytest.raises(BadRuleset) as refused:
        load(BANK.replace("{dice: [1], score:", "{dice: [1], scroe:"), "f.yaml")
    assert [located(problem) for problem in refused.value.problems] == [
        "f.yaml:6:20: unknown key 'scroe' (did you mean 'score'?)"
    ]


def test_more_than_ten_dice_and_more_than_a_hundred_faces_are_refused_together() -> None:
    with pytest.raises(BadRuleset) as refused:
        load(BANK.replace("{count: 3, faces: 6}", "{count: 11, faces: 101}"), "f.yaml")
    assert [located(problem) for problem in refused.value.problems] == [
        "f.yaml:4:15: expected a whole number from 1 to 10, found 11",
        "f.yaml:4:26: expected a whole number from 1 to 100, found 101",
    ]


def test_ten_dice_of_a_hundred_faces_are_allowed() -> None:
    ruleset = load(BANK.replace("{count: 3, faces: 6}", "{count: 10, faces: 100}"), "f.yaml")
    assert (ruleset.dice.count, ruleset.dice.faces) == (10, 100)


def test_a_default_is_no_mistake_of_the_writer() -> None:
    assert load(BANK.replace("targets:", "players: {min: 2, max: 4}\ntargets:"), "f.yaml").players.max == 4


def test_an_example_may_say_that_nothing_scores() -> None:
    upper_only = SHEET.replace("  all: {section: lower, any: true, score: sum}\n", "")
    text = upper_only.replace("{dice: [1, 2, 3], cell: run, score: 30}", "{dice: [2, 2, 3], scoring: {}}")
    assert isinstance(load(text, "f.yaml"), SheetRuleset)


@pytest.mark.parametrize("key", ["0", "4", "7"])
def test_the_computer_counts_no_more_dice_than_there_are(key: str) -> None:
    with pytest.raises(BadRuleset) as refused:
        load(BANK.replace("{bank_at: 30}", f"{{bank_at: 30, dice_left: {{{key}: 5}}}}"), "f.yaml")
    (problem,) = refused.value.problems
    assert problem.at is not None
    assert problem.at.line == 9
    assert "face" not in message(problem)


def test_a_message_is_one_line_of_moderate_length() -> None:
    with pytest.raises(BadRuleset) as refused:
        load(BANK + '"a\\nb": 1\n' + "x" * 1000 + ": 1\n", "f.yaml")
    for problem in refused.value.problems:
        assert len(located(problem).splitlines()) == 1
        assert len(located(problem)) < 300


@pytest.mark.parametrize("game", SHIPPED)
def test_every_key_of_a_shipped_ruleset_has_a_place(game: str) -> None:
    node = read(find(game).text, "f.yaml")
    assert isinstance(node, Mapping)
    for key in node.items:
        place = Place(file="f.yaml", line=1 + _line(game, f"{key}:"), column=1)
        assert place_of(node, key) == place_of(node, key, "no such key") == place
    if "dice: {count:" in find(game).text.decode():
        assert place_of(node, "dice", "count") == Place(file="f.yaml", line=1 + _line(game, "dice:"), column=8)


def _line(game: str, start: str) -> int:
    lines = find(game).text.decode().splitlines()
    return next(number for number, line in enumerate(lines) if line.startswith(start))


# --- codes and their words


class Raised(NamedTuple):
    """A code that a source raises, and the names of the values it gives; None if that can't be seen."""

    code: str
    params: frozenset[str] | None
    where: str


ALWAYS = {"fault": {"text"}, "wrong": {"found"}, "report": set[str](), "refuse": set[str](), "Problem": set[str]()}


def raised(path: Path) -> Iterator[Raised]:
    """Every problem that a source file raises under a code written there."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in ALWAYS or not node.args:
            continue
        # the code stands first, except that `wrong` has the node before it
        code = node.args[1] if name == "wrong" else node.args[0]
        params: set[str] | None = {word.arg for word in node.keywords if word.arg} | ALWAYS[name]
        if name == "Problem":
            given = node.args[1] if len(node.args) > 1 else ast.Dict([], [])
            given = named.get(given.id, given) if isinstance(given, ast.Name) else given
            keys = given.keys if isinstance(given, ast.Dict) else None
            params = None if keys is None else {key.value for key in keys if isinstance(key, ast.Constant)}  # type: ignore[misc]
        for each in (code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                where = f"{path.name}:{node.lineno}"
                yield Raised(each.value, None if params is None else frozenset(params), where)


SOURCES = [path for folder in ("rules", "game") for path in sorted((ROOT / "dicecli" / folder).glob("*.py"))]
RAISED = [each for path in SOURCES for each in raised(path)]


def test_the_codes_are_found() -> None:
    assert len({each.code for each in RAISED}) > 60
    assert {"duplicate_key", "unknown_name", "unknown_key", "expected_list", "keep_first"} <= {
        each.code for each in RAISED
    }


@pytest.mark.parametrize("each", RAISED, ids=lambda each: f"{each.where} {each.code}")
def test_a_code_has_a_text_that_needs_no_other_values_than_it_gives(each: Raised) -> None:
    text = messages._TEXTS[each.code]
    forms = (text,) if isinstance(text, str) else text[:2]
    needed = {name for form in forms for _, name, _, _ in string.Formatter().parse(form) if name is not None}
    if not isinstance(text, str):
        needed.add(text[2])
    assert each.params is not None
    assert needed <= each.params
    said = message(Problem(each.code, dict.fromkeys(each.params, 2)))
    assert said
    assert "{" not in said


def test_every_code_of_the_loader_has_a_case_here() -> None:
    (loader,) = [path for path in SOURCES if path.name == "ruleset.py"]
    formulas = [path for path in SOURCES if path.name == "formulas.py"]
    codes = {each.code for path in (loader, *formulas) for each in raised(path)}
    elsewhere = {"extends_too_often"}  # test_vocabulary.py
    assert codes - {case.code for case in CASES} == elsewhere
