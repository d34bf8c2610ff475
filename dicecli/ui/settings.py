"""The user's settings: `config.toml` in the user's configuration folder."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, ValidationError

from dicecli.errors import BadFile, Place, Problem


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What can be set: whether the clock of games that have one runs."""

    clock: bool = True


def file() -> Path:
    """Where the settings stand, whether they are there or not."""
    from platformdirs import user_config_path

    return user_config_path("dicecli", appauthor=False) / "config.toml"


def read() -> Settings:
    """The settings; raises `BadFile` if the file can't be read or says what can't be set."""
    import tomllib

    from msgspec import convert

    path = file()
    place = Place(file=str(path))
    try:
        return convert(tomllib.loads(path.read_text(encoding="utf-8")), Settings)
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError, ValidationError) as error:
        raise BadFile(Problem("bad_settings", {"reason": str(error)}, place)) from None
