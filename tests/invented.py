"""Small rulesets that use what the shipped ones leave out, each part of the vocabulary at least once."""

from __future__ import annotations

INVENTED = {
    "bank-all": """
name: Everything that banks
family: bank
source: invented for the tests
dice:
  count: 4
  faces: [A, B, C, D, E, "*"]
  weights: [3, 2, 2, 2, 2, 1]
  wild: ["*"]
  classes: {low: [A, B], high: [C, D]}
players: {min: 2, max: 4}
combinations:
  a: {dice: [A], score: 10}
  pair: {of_a_kind: 2, score: 20}
  run: {straight: 3, wrap: true, score: 50}
  all_low: {groups: [2, 2], class: same, score: 80}
  four: {of_a_kind: 4, score: 200, wins: true}
  nothing: {nothing: true, score: 5}
targets: {options: [300], default: 300}
turn:
  keep: all
  bank_at_least: 20
  opening: {at_least: 40, below: lost}
  hot_dice: {then: must_roll, bonus: 10, multiplier: 1}
  must_roll_after: [run]
bust: {in_a_row: {times: 2, score: -50, floor: 0}, first_throw: {score: -5}}
carry: {needs: opened}
end: {last_round: equal_turns, exact: given_away, rounds: 30}
computer: {bank_at: 50, dice_left: {1: -10}}
""",
    "bank-some": """
name: Dice that differ
family: bank
source: invented for the tests
dice: {count: 3, faces: 4, each: [[1, 1, 1, 1], [5, 1, 0, 1], [0, 0, 3, 1]], values: {2: 20}}
players: {min: 1, max: 3}
combinations:
  one: {dice: [1], score: 10}
  three: {dice: [3], score: matched}
  any_pair: {any_of: [{of_a_kind: 2}, {dice: [4]}], score: 5 * face, except: {2: 100}}
targets: {options: [150], default: 150}
turn: {hot_dice: stop, opening: {at_least: 20}}
bust: {in_a_row: {times: 3, score: -30, floor: null}}
carry: {}
end: {last_round: others_one_throw, exact: back}
computer: {bank_at: 30}
""",
    "accumulate-all": """
name: Snakes
family: accumulate
source: invented for the tests
dice: {count: 2, faces: [0, 1, 2, 3, 4, 5]}
players: {min: 1, max: 3}
outcomes:
  snakes: {dice: [0, 0], lose: all}
  snake: {dice: [0], lose: turn}
  double: {of_a_kind: 2, score: 4 * face, except: {5: 50}}
  others: {any: true, score: sum}
targets: {options: [60], default: 60}
turn: {bank_at_least: 5, opening: {at_least: 15, below: continue}}
end: {last_round: others_once, exact: bust, rounds: 40}
computer: {bank_at: 15, behind: {for_each: 10, add: 2, most: 10}}
""",
    "sheet-columns": """
name: Columns
family: sheet
source: invented for the tests
dice: {count: 4, faces: 6}
players: {min: 1, max: 2}
rolls: 3
keep: locked
save_unused_rolls: true
use: 3
cells:
  ones: {section: upper, face: 1}
  sixes: {section: upper, face: 6}
  run: {section: lower, straight: 3, by_roll: [60, 50, 40]}
  three: {section: lower, of_a_kind: 3, score: sum + 10 * roll, first_roll: 7}
  most: {section: lower, any: true, score: sum}
bonuses:
  upper: {section: upper, steps: [{at_least: 4, score: 5}, {at_least: 12, score: 20}]}
extras:
  again: {of_a_kind: 4, needs: {cell: three, state: scored, columns: all}, score: 30}
joker:
  when: {of_a_kind: 4}
  needs: {cell: three, state: filled}
  upper: free
  scores: {run: 40}
columns:
  - {id: down, order: down}
  - {id: up, order: up, multiplier: 2}
  - {id: middle, order: from_middle}
  - {id: ends, order: from_ends}
  - {id: named, announce: true, multiplier: 3}
  - {id: quick, rolls: 1}
derived: {gap: (ones - sixes) * 2}
end: {win: highest}
""",
    "sheet-points": """
name: Points
family: sheet
source: invented for the tests
dice: {count: 3, faces: 4}
players: {min: 2, max: 3}
rolls: 2
cells:
  pair: {section: all, of_a_kind: 2, score: sum, times: 3}
  again: {section: all, of_a_kind: 3, score: 10 * face, repeat: true}
  even: {section: all, all: [{not: {dice: [1]}}, {not: {dice: [3]}}], score: sum}
  best: {section: all, of_a_kind: 3, score: 1, wins: first_roll}
  rest: {section: all, sum: {min: 6}, score: count}
points:
  pair: {cell: pair, steps: [{at_least: 10, score: 2}, {at_least: 20, score: 4}]}
  each: {each: 1}
  whole: {steps: [{at_least: 0, score: -1}, {at_least: 30, score: 3}]}
zero: only_when_nothing_scores
end: {win: points}
""",
    "sheet-lowest": """
name: Little
family: sheet
source: invented for the tests
dice: {count: 3, faces: 4, values: {3: 0}}
players: {min: 1, max: 2}
rolls: 2
cells:
  first: {section: all, any: true, score: sum}
  second: {section: all, any: true, score: sum}
order: down
end: {win: lowest}
""",
}
