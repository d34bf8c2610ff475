"""What people type, read: dice and faces."""

from __future__ import annotations

from collections.abc import Iterable

from dicecli.errors import BadUsage, Place, Problem
from dicecli.rules.patterns import Dice
from dicecli.rules.ruleset import DiceSet


def read_dice(words: Iterable[str], dice: DiceSet, argument: str = "DICE") -> Dice:
    """The faces in `words`, in their order; faces of one digit may stand together, as in `153362`.

    Raises `BadUsage` with the first word that is no face.
    """
    faces: list[int] = []
    for word in " ".join(words).replace(",", " ").split():
        for piece in word if dice.faces <= 9 else (word,):
            face = int(piece) if piece.isascii() and piece.isdigit() and len(piece) <= 3 else 0
            if not 1 <= face <= dice.faces:
                raise BadUsage(Problem("not_a_face", {"word": word[:40], "most": dice.faces}, Place(argument=argument)))
            faces.append(face)
    return tuple(faces)
