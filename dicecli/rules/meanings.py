"""What each key of the vocabulary means, in a line, for the reference and for editors.

By record and key; a record that builds on another has its keys too.
"""

from __future__ import annotations

MEANINGS: dict[str, dict[str, str]] = {
    "Head": {
        "name": "What people call the game; also one for each language: {en: Dice, ru: Кости}.",
        "source": "Where these rules come from, and what in them is an assumption.",
        "dice": "The dice of the game.",
        "players": "How many may play.",
        "family": "What kind of game this is.",
        "examples": "Dice and what they must score; `dicecli rules check` tries them all.",
    },
    "BankRuleset": {
        "combinations": "What scores, by a name of your choice. Kept dice must split completely into these; the best"
        " split counts.",
        "targets": "What the game is played to.",
        "turn": "How a turn goes.",
        "bust": "What a throw without scoring dice costs.",
        "carry": "Lets the next player go on with the dice that are left.",
        "end": "How the game ends.",
        "computer": "How the computer plays.",
    },
    "SheetRuleset": {
        "rolls": "How many throws a turn has.",
        "keep": "free: a kept die may be thrown again later; locked: it stays, and each throw adds one at least.",
        "save_unused_rolls": "Throws that are not used may be used in the next turn.",
        "use": "Only so many of the dice count, the best ones.",
        "cells": "The rows of the sheet, by a name of your choice, in the sheet's order.",
        "bonuses": "Points for what a section adds up to.",
        "extras": "Points on top of whichever cell is written.",
        "joker": "When dice may stand for what they don't show.",
        "order": "The order in which the cells are filled: any; from the top; from the bottom; from the middle to both"
        " ends; from both ends.",
        "columns": "Several columns, each with all cells.",
        "derived": "Further points by a formula of cells: (maximum - minimum) * ones.",
        "points": "Game points, for `win: points`.",
        "zero": "any_cell: a cell may be filled with nothing at any time; only_when_nothing_scores: only then.",
        "after_last_roll": "What happens to who doesn't choose.",
        "end": "How the game ends.",
        "computer": "How the computer plays.",
    },
    "AccumulateRuleset": {
        "outcomes": "What throws mean, by a name of your choice; the first that a throw shows counts.",
        "targets": "What the game is played to.",
        "turn": "How a turn goes.",
        "end": "How the game ends.",
        "computer": "How the computer plays.",
    },
    "DiceSet": {
        "count": "How many dice.",
        "faces": "6: the faces 1 to 6; or a list of numbers or words.",
        "weights": "How often each face falls, against the others: [1, 1, 1, 1, 1, 2]; 0 is never.",
        "each": "The weights of every single die, where they differ.",
        "wild": "Faces that stand for any face that another of the dice shows.",
        "values": "What faces count in sums, where that isn't their number.",
        "classes": "Names for kinds of faces, for `class: same`: {red: [1, 2], black: [3, 4]}.",
    },
    "Players": {
        "min": "How many at least.",
        "max": "How many at most.",
        "humans": "How many of them may be people.",
        "computers": "How many computers join a person who plays alone.",
    },
    "Targets": {"options": "The points that the game can be played to.", "default": "Those if nothing is said."},
    "Look": {
        "any": "Whatever the dice show.",
        "face": "Dice of this face, any number of them; they score their sum unless `score` says otherwise.",
        "dice": "These faces are all there; [5, 5] wants two fives.",
        "of_a_kind": "So many dice of one face.",
        "groups": "Groups of equal dice, each of another face: [3, 2] is a full house.",
        "straight": "So many faces in a row.",
        "sum": "The dice add up to it; or {min: ..., max: ...}.",
        "all": "Each of these patterns is there; the first one scores.",
        "any_of": "One of these patterns is there.",
        "not": "This pattern is not there.",
        "nothing": "Bank games: a throw of all dice in which no other combination is there.",
        "exactly": "With of_a_kind: no further die shows the face.",
        "distinct": "With groups: each has another face; false lets one face fill several.",
        "from": "With straight: the face that it begins with.",
        "wrap": "With straight: the first face follows the last.",
        "class": "With another pattern: all its dice are of one class.",
    },
    "Part": {
        "label": "What people call it; else its name.",
        "score": "Points, or a formula with sum, matched, face, count and roll: 100 * face. If left out: matched, the"
        " sum of the dice that match.",
        "except": "Other points for some faces: {1: 1000}.",
        "by_roll": "The score at the first throw of a turn, the second, ...; the last one for all later ones.",
        "first_roll": "Points more at the first throw of a turn.",
        "wins": "It wins the game at once; first_roll: only at the first throw of a turn.",
    },
    "Cell": {
        "section": "The part of the sheet that it stands in, as for a bonus.",
        "times": "How often the row is filled.",
        "repeat": "A row that has scored may be scored again.",
        "counts": "false: its points are in no sum; derived points may use them.",
    },
    "Needs": {
        "cell": "The cell that is looked at.",
        "state": "scored: it holds points; filled: it holds anything, also 0.",
        "columns": "Where there are several: in the column that is written, or in all.",
    },
    "Extra": {"needs": "What the player's sheet must hold for it."},
    "Step": {"at_least": "From so many on.", "score": "The points that it earns."},
    "Bonus": {
        "section": "The section whose points are added up.",
        "steps": "What is earned from which sum on; the highest step that is reached counts, alone.",
        "label": "What people call it; else its name.",
    },
    "Joker": {
        "when": "The dice that are a joker.",
        "needs": "What the player's sheet must hold for it.",
        "upper": "Where the face's own cell is free: forced: it is taken; free: any cell may be; never: no upper cell.",
        "scores": "What lower cells score for a joker.",
    },
    "Column": {
        "id": "Its name, in front of a cell's: down ones.",
        "label": "What people call it.",
        "order": "The order in which its cells are filled.",
        "multiplier": "What its points are multiplied by.",
        "announce": "Its cells are named after the first throw, before the second.",
        "rolls": "It takes throws up to this one of a turn only.",
    },
    "PointsRule": {
        "cell": "The cell whose rows are looked at; none: all.",
        "of": "sum: what they add up to; scored: how many of them hold points.",
        "steps": "The game points from which amount on; the highest step that is reached counts, alone.",
        "each": "Game points for each row that holds points.",
    },
    "AfterLastRoll": {"choose_for_me_after": "After so many seconds the computer's choice is written; none: it waits."},
    "SheetComputer": {"strength": "How well it plays."},
    "BankComputer": {
        "bank_at": "It banks from so many points of a turn on.",
        "behind": "More, where it is behind.",
        "dice_left": "What is added with so many dice left to throw: {1: -150, 2: -100}.",
    },
    "Behind": {
        "for_each": "For each so many points behind the leader.",
        "add": "So many are added.",
        "most": "So many altogether at most.",
    },
    "BankTurn": {
        "keep": "any: at least one scoring die is set aside; all: every one that scores.",
        "bank_at_least": "The points that a turn must have to be banked.",
        "opening": "What the first turn that is banked must have.",
        "hot_dice": "When all dice are set aside: may_roll: throw all again or bank; must_roll: throw; stop: bank.",
        "must_roll_after": "Combinations after which one has to throw again.",
    },
    "AccumulateTurn": {
        "bank_at_least": "The points that a turn must have to be banked.",
        "opening": "What the first turn that is banked must have.",
    },
    "Opening": {
        "at_least": "So many points.",
        "below": "continue: with less one has to throw on; lost: one may stop, for nothing.",
    },
    "HotDice": {
        "then": "may_roll: throw all again or bank; must_roll: throw; stop: bank.",
        "bonus": "Points for setting all dice aside.",
        "multiplier": "How many more times all that is set aside later in the turn counts, for each time.",
    },
    "Bust": {
        "lose": "What is lost: the points of the turn.",
        "in_a_row": "What lost turns in a row cost.",
        "first_throw": "What a turn that is lost at its first throw costs.",
    },
    "InARow": {
        "times": "So many lost turns in a row.",
        "score": "What they cost: -500.",
        "floor": "No total falls below it by this; none: it may.",
    },
    "FirstThrow": {"score": "What it costs: -1000.", "floor": "No total falls below it by this; none: it may."},
    "Carry": {"needs": "Who may take over: anyone (nothing), or who has banked before (opened)."},
    "BankEnd": {
        "last_round": "After the target is reached: none: the game is over; others_once: each other player has one more"
        " turn; equal_turns: all have had equally many; others_one_throw: each other player has one throw.",
        "rounds": "The game is over after so many rounds.",
        "exact": "The target has to be hit: beyond it the turn is lost (bust), the rest leads back from it (back), or"
        " the points go to the player with the fewest (given_away).",
        "tie": "Equal totals share the win.",
        "win": "Who has won.",
    },
    "SheetEnd": {"tie": "Equal totals share the win.", "win": "Who has won: by the total, or by game points."},
    "BankExample": {
        "dice": "A throw.",
        "keeps": "Everything that may be kept of it, with its points: {1 5: 150, 1: 100, 5: 50}.",
        "bust": "Nothing of it scores.",
        "keep": "Dice that are kept.",
        "score": "What they score.",
        "legal": "They may not be kept.",
    },
    "SheetExample": {
        "dice": "The dice.",
        "roll": "Which throw of the turn it is.",
        "filled": "What the sheet holds.",
        "cell": "One cell,",
        "score": "and what it scores.",
        "scoring": "All cells that score, with their points.",
        "legal": "All cells that may be written, with their points.",
        "extra": "What is paid on top.",
        "section": "A section,",
        "total": "what it adds up to,",
        "bonus": "and what bonus that earns.",
    },
    "ThrowExample": {"dice": "A throw.", "score": "What it scores.", "lose": "What it loses."},
    "Outcome": {"lose": "It scores nothing: the turn's points are lost, or all the player has."},
    "Between": {"min": "At least; none: no limit.", "max": "At most; none: no limit."},
}


def meaning_of(kind: type, key: str) -> str:
    """What a key of a record means; raises `KeyError` for one that has no meaning here."""
    for each in kind.__mro__:
        found = MEANINGS.get(each.__name__, {}).get(key)
        if found:
            return found
    raise KeyError(kind.__name__, key)
