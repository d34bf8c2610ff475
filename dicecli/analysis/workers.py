"""Two processes at one task: memory that they share, and steps that they take together."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable

Wait = Callable[[], None]
Work = Callable[[int, int, Wait], None]  # number of the worker, how many there are, what waits for the others


def shared(size: int) -> mmap.mmap:
    """So many bytes that processes forked from this one see too."""
    return mmap.mmap(-1, max(size, 1))


def in_step(work: Work, count: int) -> None:
    """Run `work` in `count` processes (in this one alone where processes can't fork) and wait for all of them.

    Each calls `wait` equally often, and goes on when all have come there. Raises `ChildProcessError` if one fails.
    """
    if count < 2 or not hasattr(os, "fork"):
        work(0, 1, lambda: None)
        return
    to_child: list[int] = []
    from_child: list[int] = []
    children: list[int] = []
    for worker in range(1, count):
        (ours, mine), (yours, theirs) = os.pipe(), os.pipe()
        child = os.fork()
        if child == 0:
            for end in (mine, yours, *to_child, *from_child):
                os.close(end)
            _child(work, worker, count, ours, theirs)
        os.close(ours)
        os.close(theirs)
        to_child.append(mine)
        from_child.append(yours)
        children.append(child)

    def wait() -> None:
        for end in from_child:
            if os.read(end, 1) != b".":
                raise ChildProcessError
        for end in to_child:
            os.write(end, b".")

    try:
        work(0, count, wait)
    finally:
        for end in (*to_child, *from_child):
            os.close(end)
        failed = [os.waitpid(child, 0)[1] for child in children]
    if any(failed):
        raise ChildProcessError


def _child(work: Work, worker: int, count: int, ours: int, theirs: int) -> None:
    """What a forked process does; it leaves without running anything of its parent's."""

    def wait() -> None:
        os.write(theirs, b".")
        if os.read(ours, 1) != b".":
            os._exit(1)  # the parent has gone

    try:
        work(worker, count, wait)
        os._exit(0)
    finally:
        os._exit(1)
