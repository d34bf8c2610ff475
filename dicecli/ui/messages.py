"""What each problem code means, in words."""

from __future__ import annotations

from dicecli.errors import Problem
from dicecli.rules.source import CONTROL
from dicecli.ui.i18n import N_, _, plural

MAX_SHOWN = 100  # characters of a value

# A text, or its form for one and for many with the value that decides between them.
_TEXTS: dict[str, str | tuple[str, str, str]] = {
    # files and YAML
    "file_too_large": N_("the file is larger than {most} KiB"),
    "not_utf8": N_("this is not UTF-8 text"),
    "not_yaml": N_("this is not YAML: {reason}"),
    "empty_file": N_("the file is empty"),
    "unreadable": N_("can't be read: {reason}"),
    "control_character": N_("a text may not hold control characters"),
    "second_document": N_("a ruleset is one document: remove the second"),
    "unknown_anchor": N_("there is no anchor '&{anchor}' before this"),
    "tag": N_("tags such as '{tag}' are not understood"),
    "nested_too_deep": N_("nested deeper than {most} levels"),
    "too_many_nodes": N_("more than {most} values, those repeated by '*' included"),
    "bad_key": N_("a key must be a word or a whole number"),
    "duplicate_key": N_("'{key}' is already given in line {line}"),
    "ambiguous": N_(
        "'{text}' is read differently by different programs: put it in quotes, or write a plain number, true or false"
    ),
    # the shape of a ruleset
    "unknown_key": N_("unknown key '{key}'"),
    "missing_key": N_("'{key}' is missing"),
    "expected_mapping": N_("expected keys with values, such as 'name: Farkle'"),
    "expected_list": N_("expected a list, such as [1, 2, 3], found {found}"),
    "expected_text": N_("expected a text, found {found} (quotes make anything a text)"),
    "expected_boolean": N_("expected true or false, found {found}"),
    "expected_integer": N_("expected a whole number from {least} to {most}, found {found}"),
    "expected_one_of": N_("expected one of: {options}; found {found}"),
    "wrong_length": N_("expected from {least} to {most} entries, found {count}"),
    "several_lines": N_("expected a text of one line"),
    "wrong_text_length": N_("expected a text of at most {most} characters, and not an empty one"),
    # what a ruleset means
    "bad_name": N_("'{name}' is no name: use small letters, digits and _"),
    "no_pattern": N_("says nothing about the dice: give one of {patterns}"),
    "two_patterns": N_("says two things about the dice: keep one of {patterns}"),
    "modifier_without": N_("'{key}' goes with '{pattern}' only"),
    "more_dice_than_there_are": N_("needs more dice ({needed}) than the game has ({count})"),
    "straight_too_long": N_("a straight of {length} does not fit on faces 1 to {faces}"),
    "more_groups_than_faces": N_("{groups} groups of different faces, but a die has {faces} faces"),
    "unknown_face": N_("there is no face '{face}': the dice show {faces}"),
    "face_twice": N_("'{face}' is there twice"),
    "bad_face": N_("'{face}' is no face: use a word without blanks, commas, # and =, and not 'none' or 'all'"),
    "wrong_weights": N_("expected {count} weights, one for each face, and not all of them 0"),
    "no_classes": N_("'class' needs 'classes' under 'dice'"),
    "unknown_combination": N_("there is no combination '{name}'"),
    "only_in_sheets": N_("'{key}' is for sheet games only"),
    "nothing_scores_a_number": N_("'nothing' is for combinations of bank games, and scores a plain number"),
    "score_or_by_roll": N_("give 'score' or 'by_roll', not both"),
    "same_column": N_("the column '{id}' is there twice"),
    "unknown_column": N_("there is no column '{column}'"),
    "which_column": N_("'{cell}' of which column? There are: {columns}"),
    "steps_or_each": N_("give 'steps' or 'each', and not both"),
    "no_points": N_("who wins by points needs a table of 'points'"),
    "bonus_from_nothing": N_("a bonus starts from at least 1 point"),
    "extends_too_often": N_("more than {most} rulesets extend each other, or in a circle"),
    "more_dice_left": N_("there are never {left} dice left: the game has {count}"),
    "nothing_ever_scores": N_("no combination can score more than 0, so the game would never end"),
    "no_score_here": N_("this only says when; it takes no score"),
    "except_without_face": N_("'except' needs a pattern of one face: 'face' or 'of_a_kind'"),
    "formula_without_face": N_("'face' in a score needs a pattern of one face: 'face' or 'of_a_kind'"),
    "default_not_an_option": N_("the default {value} is not among the options"),
    "players_min_over_max": N_("at least {min} players, but at most {max}"),
    "humans_over_max": N_("{humans} people, but at most {max} players"),
    "unknown_section": N_("no cell is in a section '{section}'"),
    "steps_not_rising": N_("the steps must rise from one to the next"),
    "never_best": N_("'{name}' is never the best choice: other combinations score its dice as high"),
    "never_filled": N_("no roll scores in the cell '{cell}'"),
    "opening_above_target": N_("the first turn needs {opening} points, which is more than the target {target}"),
    "target_never_hit": N_("scores are multiples of {step}, so {target} can't be hit exactly"),
    "not_comparable": N_("{first} and {second} are not played with the same dice in the same way"),
    "too_many_rolls": N_("these dice have more than {most} different rolls: too many to compare"),
    "bad_game_name": N_("'{name}' is no name for a game: use small letters, digits, - and _"),
    "name_taken": N_("'{name}' is taken: choose another name"),
    "no_editor": N_("no editor: set EDITOR to the one that you use"),
    "shipped_game": N_("'{game}' comes with dicecli: make your own from it with: dicecli rules new NAME --from {game}"),
    "not_written": N_("can't be written: {reason}"),
    "example_form": N_("an example has one of these forms: {forms}"),
    "example_fails": N_("example {about}: expected {expected}, but the rules give {actual}"),
    "example_fails_as_read": N_("example {about}: expected {expected}, but the rules give {actual} ({reading})"),
    # formulas and dice notation
    "text_too_long": N_("longer than {most} characters"),
    "too_deep": N_("nested deeper than {most} brackets"),
    "leading_zero": N_("write '{number}' without the leading zero"),
    "number_too_large": N_("numbers go up to {most}"),
    "bad_divisor": N_("behind // a number from 1 is needed"),
    "missing_bracket": N_("a closing bracket ')' is missing here"),
    "missing_arguments": N_("'{function}' needs its values in brackets"),
    "unknown_name": N_("'{name}' is not known in a score; there are: {known}"),
    "unexpected_end": N_("something is missing at the end of '{text}'"),
    "unexpected_text": N_("'{found}' is not understood here in '{text}'"),
    "bad_dice_count": N_("the number of dice goes from 1 to {most}, altogether"),
    "missing_faces": N_("how many faces? For example d6 or d%"),
    "bad_faces": N_("a die has from 1 to {most} faces"),
    "explodes_twice": N_("one ! is enough"),
    "explodes_for_ever": N_("a die with one face would explode for ever"),
    "two_keeps": N_("dice can be kept or dropped in one way only"),
    "bad_keep_count": (
        N_("of {count} die, {number} can't be kept or dropped: one must count"),
        N_("of {count} dice, {number} can't be kept or dropped: at least one must count"),
        "count",
    ),
    "comparison": N_("a throw gives a total and compares nothing; for the chance: dicecli odds '{text}'"),
    "too_many_totals": N_("{number} different totals are too many: {most} can be listed"),
    "too_many_digits": N_("the chances would have {number} digits: {most} can be shown"),
    "too_long_a_list": N_("the list of all chances would have {number} digits: {most} can be written"),
    "too_many_steps": N_("too big to be exact: it would take {number} steps, {most} at most"),
    # chances of a game
    "too_many_throws": N_("these dice have {number} different throws; in this game {most} can be looked at"),
    "too_many_ways": N_("there are {number} ways to lock these dice; {most} can be looked at"),
    # arguments
    "unknown_game": N_("there is no game '{game}': 'dicecli rules list' shows all"),
    "not_game_nor_notation": N_("'{what}' is neither a game nor dice such as 2d6"),
    "unknown_language": N_("no language '{language}'; there are: {languages}"),
    "no_dice": N_("which dice? For example: 1 5 3 3 6 2"),
    "not_a_face": N_("'{word}' is no face of these dice: they show {faces}"),
    "wrong_number_of_dice": (
        N_("{count} die is needed, not {found}"),
        N_("{count} dice are needed, not {found}"),
        "count",
    ),
    "too_many_dice": (
        N_("the game has {count} die, not {found}"),
        N_("the game has {count} dice, not {found}"),
        "count",
    ),
    "filled_form": N_("'{word}' is not of the form cell=points, such as penta=50"),
    "filled_twice": N_("the cell '{cell}' is given twice"),
    "never_scores": N_("{cell} never has {points} points: no throw gives them, but {found}"),
    "sheet_is_full": N_("every cell is filled: none is left for these dice"),
    "no_sheet": N_("{game} has no sheet, so nothing can be filled"),
    "which_game": N_("which game? There are: {games}"),
    "game_from_stdin": N_("the moves come from stdin, so the ruleset can't: give a file"),
    "set_form": N_("'{text}' is not of the form KEY=VALUE, such as turn.bank_at_least=300"),
    "no_house_rules": N_("house rules are for games, not for dice notation"),
    "picture_of_game": N_("a picture shows the totals of dice such as 4d6dl1, not a game"),
    "picture_or_json": N_("either a picture or JSON"),
    "line_too_long": N_("a line may have at most {most} characters"),
    "two_stdins": N_("only one of GAME and DICE can come from stdin"),
    "bad_times": N_("from 1 to {most} throws"),
    "seed_characters": N_("a seed may not hold control characters"),
    "bad_number": N_("expected a whole number from {least} to {most}, found '{found}'"),
    "unknown_setting": N_("there is no setting '{key}'"),
    "setting_true_or_false": N_("'{key}' must be true or false"),
    "bad_player_name": N_("a player's name has 1 to {most} characters that can be printed"),
    "same_player_name": N_("two players are called '{name}'"),
    "bad_settings": N_("these settings can't be used: {reason}"),
    # simulations
    "unknown_player": N_("'{text}' is no player; there are: {players}"),
    "no_banking": N_("'{text}' can't play: nothing is banked in {game}"),
    "bad_bank_at": N_("'{text}' is not of the form bank_at:POINTS, with 0 to {most} points"),
    "no_expert": N_("no expert can play {game} between these players: how it is played best is not known"),
    "expert_unsolved": N_("no expert can play {game} before it is solved: dicecli solve {game}"),
    "endless_play": N_("after {turns} turns of each player nobody had won: so played, the game may never end"),
    "two_stdouts": N_("only one of --json and --csv can go to stdout"),
    "jobs_or_dask": N_("with --dask the cluster's own cores do the work: leave out --jobs"),
    "process_killed": N_("a process at work was killed; was there too little memory?"),
    "no_distributed": N_("this needs Dask: install it with: pip install 'dicecli[cluster]'"),
    "no_scheduler": N_("no Dask scheduler answers at {address}: {reason}"),
    "no_workers": N_("the Dask scheduler at {address} has had no workers for {seconds} seconds"),
    "cluster_failed": N_("the cluster failed: {reason}"),
    # a game's start and moves
    "wrong_number_of_players": N_("this game is for {least} to {most} players, not {count}"),
    "too_many_people": (
        N_("this game takes at most {most} person"),
        N_("this game takes at most {most} people"),
        "most",
    ),
    "target_too_small": N_("the target must be at least 1"),
    "unknown_strength": N_("computers play easy, normal or expert, not '{found}'"),
    "endless_game": N_("{game} need never end: a cell that may be scored again takes every throw"),
    "too_much_to_look": N_("{game} has {count} ways to keep dice, more than the {most} that are looked through"),
    "for_bank_games": N_("{game} is a sheet game: this is for bank games"),
    "for_sheet_games": N_("{game} is no sheet game: this is for sheet games"),
    "no_choice": N_("there is nothing to choose with these dice"),
    "nothing_is_locked": N_("in {game} no die has to stay"),
    "not_in_steps": N_("in {game} points go in steps of {step}: nobody has {found}"),
    "nothing_held_yet": N_("before the first throw no dice are held: give --roll too"),
    "needs_other": N_("give --other too: how much the other player has"),
    "locked_not_there": N_("the dice that were held must be among those of the throw"),
    "locked_too_few": (
        N_("at throw {roll} at least {least} die is held, and never all: give --locked"),
        N_("at throw {roll} at least {least} dice are held, and never all: give --locked"),
        "least",
    ),
    "nothing_scores": N_("these dice lose the turn: there is nothing to choose"),
    "already_there": N_("who has {target} points has reached the target"),
    "no_target": N_("{game} is not played to a target"),
    "hint_stopped": N_("the hint was not waited for"),
    "game_over": N_("the game is over"),
    "throw_first": N_("the dice have to be thrown first"),
    "no_throw_now": N_("no dice are to be thrown now"),
    "dice_thrown_before": N_("these dice were thrown before"),
    "no_such_die": (N_("the throw has {count} die"), N_("the throw has {count} dice, each can be named once"), "count"),
    "not_thrown": N_("the throw does not hold {wanted}: the dice are {dice}"),
    "keep_first": N_("set aside at least one scoring die first"),
    "keep_one": N_("set aside at least one scoring die"),
    "does_not_score": N_("{kept} does not score completely"),
    "already_kept": N_("the dice of this throw are set aside: roll or bank"),
    "not_in_this_game": N_("that is not done in this game"),
    "no_rolls_left": (
        N_("the one throw is used: write a cell"),
        N_("all {rolls} throws are used: write a cell"),
        "rolls",
    ),
    "all_kept": N_("all dice are kept: keep fewer, or write a cell"),
    "unknown_cell": N_("there is no cell '{cell}'"),
    "cell_taken": N_("the cell '{cell}' is filled already"),
    "cell_not_allowed": N_("with this roll the cell '{cell}' is not allowed"),
    "out_of_order": N_("the cell '{cell}' is not the next in its column"),
    "announce_before": N_("the cell '{cell}' has to be announced after the first throw"),
    "announce_after_first": N_("a cell is announced right after the first throw"),
    "not_announced": N_("the cell '{cell}' needs no announcement: write it"),
    "named_another": N_("the cell '{cell}' was announced: this turn is written there"),
    "nothing_to_write_later": N_("after another throw no cell could be written: write or announce one now"),
    "locked": N_("{dice} was kept before and stays"),
    "keep_one_more": N_("keep at least one more die first"),
    "face_not_on_die": N_("a die can't show face number {face}"),
    "take_or_roll": N_("take the dice that were left, or roll all"),
    "nothing_to_take": N_("there are no dice to take over"),
    "must_bank": N_("the turn has to be banked now"),
    "must_roll": N_("the dice have to be thrown again now"),
    "bank_more": N_("{points} points are too few to bank: {needed} are needed"),
    "keep_all": N_("all scoring dice have to be set aside, and only those"),
    "unknown_command": N_("'{word}' is not understood"),
    "command_alone": N_("'{word}' stands alone"),
    "which_cell": N_("which cell?"),
}


def message(problem: Problem) -> str:
    """What is wrong, in a sentence without its place; with the near miss, if there is one."""
    text = _TEXTS[problem.code]
    params = {name: _shown(value) for name, value in problem.params.items()}
    if isinstance(text, tuple):
        one, many, by = text
        count = problem.params[by]
        assert isinstance(count, int)
        said = plural(one, many, count).format_map(params)
    else:
        said = _(text).format_map(params)
    if "near" in params:
        said += " " + _("(did you mean '{near}'?)").format_map(params)
    return said


def located(problem: Problem) -> str:
    """`place: what is wrong`."""
    at = str(problem.at) if problem.at else ""
    return f"{at}: {message(problem)}" if at else message(problem)


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} = {points}" for key, points in value.items()) or _("nothing")
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_shown, value)) if value and not isinstance(value[0], int) else " ".join(map(str, value))
    if value is None:
        return _("nothing")
    if isinstance(value, bool):
        return "true" if value else "false"
    text = CONTROL.sub("?", str(value)).replace("\n", " ")
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"
