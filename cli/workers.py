"""Processes that play the pairs of a match side by side."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, Generic, Protocol, TypeVar

from .signals import block_interrupts, interrupts_blocked

__all__ = ["Worker", "WorkerError", "run"]

T = TypeVar("T")
R = TypeVar("R")
T_contra = TypeVar("T_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)

_STOP_SECONDS: Final = 5


class WorkerError(Exception):
    """A process that ended in the middle of its work."""


class Worker(Protocol[T_contra, R_co]):
    """Does one task after the other, with what it keeps between them."""

    def work(self, task: T_contra) -> R_co:
        """Do a task."""

    def close(self) -> None:
        """End."""


def run(
    make: Callable[[], Worker[T, R]],
    tasks: Iterable[T],
    jobs: int,
    errors: tuple[type[Exception], ...],
) -> Generator[R, None, None]:
    """Do tasks in ``jobs`` processes, each with a worker of its own; yield results as they come.

    Tasks are taken one by one when a process is free. With one job the work is done here. Closing
    the iterator ends everything. What is pickled: ``make``, the tasks and the results.

    Raises:
        WorkerError: a process died; and those of ``errors`` that a worker raises.
    """
    if jobs == 1:
        worker = make()
        try:
            for task in tasks:
                yield worker.work(task)
        finally:
            worker.close()
        return
    processes = [_Process(make, errors) for _ in range(jobs)]
    try:
        yield from _spread(processes, iter(tasks))
    finally:
        for process in processes:
            process.stop()


def _spread(processes: list[_Process[T, R]], tasks: Iterator[T]) -> Iterator[R]:
    busy: dict[Any, _Process[T, R]] = {}
    idle = list(processes)
    while True:
        while idle:
            try:
                task = next(tasks)
            except StopIteration:
                break
            process = idle.pop()
            process.give(task)
            busy[process.connection] = process
        if not busy:
            return
        for connection in wait(list(busy)):
            process = busy.pop(connection)
            result = process.take()
            idle.append(process)
            yield result


class _Process(Generic[T, R]):
    def __init__(
        self, make: Callable[[], Worker[T, R]], errors: tuple[type[Exception], ...]
    ) -> None:
        # Not forked: the parent has threads, and forked locks may never open.
        context = multiprocessing.get_context("spawn")
        self.connection: Connection[Any, Any]
        self.connection, other = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=_serve, args=(other, make, errors), daemon=True
        )
        with interrupts_blocked():
            self._process.start()
        other.close()

    def give(self, task: T) -> None:
        try:
            self.connection.send(task)
        except OSError:
            raise self._death() from None

    def take(self) -> R:
        try:
            done, value = self.connection.recv()
        except (EOFError, OSError):
            raise self._death() from None
        if not done:
            assert isinstance(value, Exception)
            raise value
        result: R = value
        return result

    def _death(self) -> WorkerError:
        self._process.join(_STOP_SECONDS)
        return WorkerError(
            f"a process of the match ended by itself, status {self._process.exitcode}"
        )

    def stop(self) -> None:
        self.connection.close()
        self._process.terminate()
        self._process.join(_STOP_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


def _serve(
    connection: Connection[Any, Any],
    make: Callable[[], Worker[Any, Any]],
    errors: tuple[type[Exception], ...],
) -> None:
    """What a process does: tasks, until the connection or the process is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it and ends us
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that workers are closed
    block_interrupts(False)
    worker: Worker[Any, Any] | None = None
    try:
        while True:
            try:
                task = connection.recv()
            except (EOFError, OSError):
                return
            try:
                if worker is None:
                    worker = make()
                answer = True, worker.work(task)
            except errors as error:
                answer = False, error
            try:
                connection.send(answer)
            except OSError:  # nobody waits for it any more
                return
    finally:
        if worker is not None:
            worker.close()
