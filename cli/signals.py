"""Ctrl-C and SIGTERM: when they come, and to whom."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["block_interrupts", "ended_by_sigterm", "interrupts_blocked"]

_INTERRUPTS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM, as at the shutdown of a machine, end what is done here like Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def block_interrupts(blocked: bool) -> None:
    """Let both wait, or come, in this thread; a process begins as its parent is. Not on Windows."""
    if hasattr(signal, "pthread_sigmask"):
        how = signal.SIG_BLOCK if blocked else signal.SIG_UNBLOCK
        signal.pthread_sigmask(how, _INTERRUPTS)


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """While a process is started: it needs the whole of it, and can deal with neither as yet.

    What comes meanwhile, to any thread, comes again at the end.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = [signal.signal(each, lambda number, _: came.append(number)) for each in _INTERRUPTS]
    block_interrupts(True)
    try:
        yield
    finally:
        block_interrupts(False)
        for each, handler in zip(_INTERRUPTS, before, strict=True):
            signal.signal(each, handler)
        for number in came:
            signal.raise_signal(number)
