"""What was worked out once: solved games in the user's cache folder, one file each, read through a memory map.

A file is written beside its place and then moved there, so that whoever reads or writes at the same time sees a whole
one. It can be deleted at any time; a file of another version, or a damaged one, is not used.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import tempfile
from pathlib import Path
from zlib import crc32

# The number counts up when other values are found. Four bytes follow with the CRC-32 of the rest.
HEAD = b"dicecli solved 2\n".ljust(60)
MOST = 1 << 30  # bytes in all; what was used longest ago goes first


def folder() -> Path:
    """The folder of solved games, whether it is there or not."""
    from platformdirs import user_cache_path

    return user_cache_path("dicecli", appauthor=False) / "solved"


def recall(key: str) -> memoryview | None:
    """What is kept under `key`, or None if nothing is, or nothing that this version can use."""
    path = folder() / key
    try:
        with path.open("rb") as file:
            if file.read(len(HEAD)) != HEAD:
                return None
            check = file.read(4)
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            content = memoryview(mapped)[len(HEAD) + 4 :]
            if check != crc32(content).to_bytes(4, "big"):
                return None
    except (OSError, ValueError):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return content


def keep(key: str, content: bytes) -> None:
    """Keep bytes under `key`; raises `OSError` where they can't be written."""
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    handle, written = tempfile.mkstemp(prefix=".", dir=place)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(HEAD)
            file.write(crc32(content).to_bytes(4, "big"))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(written).replace(place / key)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(written).unlink()
        raise
    _clear(place, key)


def _clear(place: Path, but: str) -> None:
    """Delete what was used longest ago until there is no more than `MOST`, and what a killed process left behind."""
    with contextlib.suppress(OSError):
        files = sorted(((path.stat(), path) for path in place.iterdir()), key=lambda each: -each[0].st_mtime)
        newest = files[0][0].st_mtime
        size = 0
        for said, path in files:
            size += said.st_size
            left_behind = path.name.startswith(".") and said.st_mtime < newest - 3600
            if path.name != but and (size > MOST or left_behind):
                path.unlink()
