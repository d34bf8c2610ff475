"""What people type, read: dice and faces."""

from __future__ import annotations

from collections.abc import Iterable

from dicecli.errors import BadUsage, Place, Problem, near
from dicecli.rules.faces import Faces
from dicecli.rules.patterns import Dice
from dicecli.rules.ruleset import faces_text


def read_dice(words: Iterable[str], faces: Faces, argument: str | None = "DICE") -> Dice:
    """The faces in `words`, in their order; faces of one character may stand together, as in `153362`.

    Raises `BadUsage` with the first word that is no face.
    """
    read: list[int] = []
    for word in " ".join(words).replace(",", " ").split():
        for piece in word if faces.short else (word,):
            face = faces.number(piece)
            if not face:
                params = {"word": word[:40], "faces": faces_text(faces), **near(word[:40], map(str, faces.shown))}
                raise BadUsage(Problem("not_a_face", params, Place(argument=argument) if argument else None))
            read.append(face)
    return tuple(read)
