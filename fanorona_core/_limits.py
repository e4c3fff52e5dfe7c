"""Limits of searches as the core takes them: 0 for none, and no more than its integers hold."""

from __future__ import annotations

import time
from typing import Final

__all__ = ["deadline_us", "node_limit"]

# No search comes near.
_MOST_NODES: Final = 1 << 62
_LONGEST_MS: Final = 1 << 48


def node_limit(nodes: int | None) -> int:
    """A number of nodes.

    Examples:
        >>> node_limit(None), node_limit(5), node_limit(10**99) == 2**62
        (0, 5, True)
    """
    return min(nodes or 0, _MOST_NODES)


def deadline_us(time_ms: int | None) -> int:
    """When so many ms from now are over, in microseconds of the monotonic clock."""
    if time_ms is None:
        return 0
    return time.monotonic_ns() // 1000 + 1000 * min(max(time_ms, 1), _LONGEST_MS)
