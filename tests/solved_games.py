"""Rulesets whose best play is known to many digits from elsewhere."""

from __future__ import annotations

from dicecli.rules.ruleset import load
from dicecli.rules.table import BankTable, compile_table

_HEAD = """
family: bank
source: solved elsewhere
dice: {count: 6, faces: 6}
players: {min: 1, max: 2}
targets: {options: [10000], default: 10000}
computer: {bank_at: 300}
"""

SOLVED = {
    # Ones, fives and three alike; nothing for four or more alike but what they split into.
    "singles-and-triples": """
combinations:
  one: {dice: [1], score: 100}
  five: {dice: [5], score: 50}
  three: {of_a_kind: 3, score: 100 * face, except: {1: 1000}}
""",
    # Set values for four, five and six alike; three ones are 300; three pairs, four and a pair and two triplets are of
    # different faces.
    "set-values": """
combinations:
  one: {dice: [1], score: 100}
  five: {dice: [5], score: 50}
  three: {of_a_kind: 3, score: 100 * face, except: {1: 300}}
  four: {of_a_kind: 4, score: 1000}
  five_alike: {of_a_kind: 5, score: 2000}
  six: {of_a_kind: 6, score: 3000}
  straight: {straight: 6, score: 1500}
  three_pairs: {groups: [2, 2, 2], score: 1500}
  four_and_pair: {groups: [4, 2], score: 1500}
  two_triplets: {groups: [3, 3], score: 2500}
""",
    # Zilch without its penalty: each die alike past three doubles, four and a pair are three pairs, six dice of which
    # none scores are worth 500.
    "zilch": """
combinations:
  one: {dice: [1], score: 100}
  five: {dice: [5], score: 50}
  three: {of_a_kind: 3, score: 100 * face, except: {1: 1000}}
  four: {of_a_kind: 4, score: 200 * face, except: {1: 2000}}
  five_alike: {of_a_kind: 5, score: 400 * face, except: {1: 4000}}
  six: {of_a_kind: 6, score: 800 * face, except: {1: 8000}}
  straight: {straight: 6, score: 1500}
  three_pairs: {groups: [2, 2, 2], score: 1500}
  four_and_pair: {groups: [4, 2], score: 1500}
  nothing: {nothing: true, score: 500}
turn: {bank_at_least: 300}
""",
}


def solved_table(name: str) -> BankTable:
    """The table of one of the games."""
    found = compile_table(name, load(f"name: {name}{_HEAD}{SOLVED[name]}", f"{name}.yaml"))
    assert isinstance(found, BankTable)
    return found
