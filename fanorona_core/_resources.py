"""Memory: how much there is, and sizes as people read them."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

__all__ = ["available_memory", "size_text"]


def size_text(count: int) -> str:
    """A number of bytes for people.

    Examples:
        >>> size_text(10_700_000_000), size_text(900)
        ('10.7 GB', '900 B')
    """
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"


def available_memory() -> int | None:
    """The bytes of memory that can be had without swapping, if the system tells."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with contextlib.suppress(AttributeError, OSError, ValueError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return None
