"""Large buffers of zeros."""

from __future__ import annotations

import mmap
from contextlib import suppress

__all__ = ["Memory", "zeros"]

Memory = bytearray | mmap.mmap

_LARGE = 1 << 22


def zeros(size: int) -> Memory:
    """A writable buffer of zeros; a large one in large pages, if the system has them.

    Tables are read all over the place: with small pages half of the time goes into finding them.

    Raises:
        MemoryError: there is not so much memory.
    """
    if size < _LARGE:
        return bytearray(size)
    # Large pages are for private memory only; Windows knows no other.
    private = (
        {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    )
    try:
        memory = mmap.mmap(-1, size, **private)
    except (OSError, OverflowError, ValueError):
        raise MemoryError(f"{size} bytes for a table do not fit into memory") from None
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a kernel without them
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
