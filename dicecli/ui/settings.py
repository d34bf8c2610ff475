"""The user's settings: `config.toml` in the user's configuration folder."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from dicecli.errors import BadFile, Place, Problem, near


class Settings(Struct, frozen=True):
    """What can be set: whether the clock of games that have one runs."""

    clock: bool = True


def file() -> Path:
    """Where the settings stand, whether they are there or not."""
    from platformdirs import user_config_path

    return user_config_path("dicecli", appauthor=False) / "config.toml"


def read() -> Settings:
    """The settings; raises `BadFile` if the file can't be read or says what can't be set."""
    import tomllib

    path = file()
    place = Place(file=str(path))
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:
        raise BadFile(Problem("bad_settings", {"reason": str(error)}, place)) from None
    known = Settings.__struct_fields__
    problems = [
        Problem("unknown_setting", {"key": key, **near(key, known)}, place) for key in found if key not in known
    ]
    problems += [
        Problem("setting_true_or_false", {"key": key}, place)
        for key, value in found.items()
        if key in known and not isinstance(value, bool)
    ]
    if problems:
        raise BadFile(*problems)
    return Settings(**found)
