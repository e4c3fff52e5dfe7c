"""Ctrl-C and SIGTERM: when they come, and to whom."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["block_interrupts", "ended_by_sigterm", "interrupts_blocked"]


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM, as at the shutdown of a machine, end what is done here like Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def block_interrupts(blocked: bool) -> None:
    """Let Ctrl-C wait, or come; a process begins as its parent is. Not known to Windows."""
    if hasattr(signal, "pthread_sigmask"):
        how = signal.SIG_BLOCK if blocked else signal.SIG_UNBLOCK
        signal.pthread_sigmask(how, {signal.SIGINT})


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """While a process is started: Ctrl-C is not for it, even before it can say so."""
    block_interrupts(True)
    try:
        yield
    finally:
        block_interrupts(False)
