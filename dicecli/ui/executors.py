"""Where many chunks of work are done: in this process, in several, or on a Dask cluster; the same way everywhere."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from dicecli.errors import Place, Problem, Refused

AHEAD = 3  # chunks for each core that are under way or wait their turn: enough to keep it busy, and few to remember
TIMEOUT = 5  # seconds that a cluster has to answer

Job = TypeVar("Job")
Result = TypeVar("Result")


class Workers(NamedTuple):
    """An executor, and how many chunks it is given at a time."""

    executor: Executor
    window: int


def spread(workers: Workers, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
    """The results of `work` for all jobs, as they come in; only a few jobs are under way at any time."""
    waiting = iter(jobs)
    pending: set[Future[Result]] = set()
    while True:
        for job in islice(waiting, workers.window - len(pending)):
            pending.add(workers.executor.submit(work, job))
        if not pending:
            return
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


class _Here(Executor):
    """Does the work at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@contextmanager
def local(count: int) -> Iterator[Workers]:
    """So many processes; with 1 this one. Whatever goes wrong in the block stops them at once.

    Raises `Refused` if one of them is killed.
    """
    if count == 1:
        yield Workers(_Here(), 1)
        return
    pool = ProcessPoolExecutor(count, initializer=_follow)
    try:
        pool.submit(int).result()  # the processes are there before the progress bar has a thread: forking is safe
        yield Workers(pool, count * AHEAD)
    except BaseException as wrong:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
        if isinstance(wrong, BrokenProcessPool):
            raise Refused(Problem("process_killed")) from None
        raise
    pool.shutdown()


def _follow() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the one that started this one; end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent

    def wait_for_parent() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait_for_parent, daemon=True).start()


@contextmanager
def dask(address: str) -> Iterator[Workers]:
    """The workers of the Dask scheduler at an address such as `tcp://127.0.0.1:8786`.

    Raises `Refused` if distributed isn't installed, nobody answers, there are no workers, or they fail.
    """
    at = Place(argument="--dask")
    try:
        import distributed
        from distributed.comm.addressing import resolve_address
    except ImportError:
        raise Refused(Problem("no_distributed", at=at)) from None
    import logging

    logging.disable()  # what goes wrong is told in our own words
    # A client that finds nobody tries to close itself in vain when it is forgotten; ours is closed by `with`.
    connect: Any = type("Client", (distributed.Client,), {"__del__": lambda self: None})
    try:
        resolve_address(address)
        client = connect(address, timeout=TIMEOUT, set_as_default=False)
    except Exception as failed:  # there are many ways to write an address
        raise Refused(Problem("no_scheduler", {"address": address, "reason": _reason(failed)}, at)) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=TIMEOUT)
        except TimeoutError:
            raise Refused(Problem("no_workers", {"address": address, "seconds": TIMEOUT}, at)) from None
        executor = client.get_executor(pure=False)
        try:
            yield Workers(executor, AHEAD * sum(client.nthreads().values()))
        except Refused:
            raise
        except Exception as failed:  # whatever a machine of the cluster may raise
            raise Refused(Problem("cluster_failed", {"reason": _reason(failed)}, at)) from None
        finally:
            executor.shutdown(wait=False)


def _reason(failed: Exception) -> str:
    """What an exception says in one line."""
    return str(failed).partition("\n")[0] or type(failed).__name__
