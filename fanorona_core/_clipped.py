"""How messages show a text or value that may be long."""

from __future__ import annotations

import reprlib

__all__ = ["clipped"]


def clipped(value: object, length: int = 40) -> str:
    """Show a text or value of a file in a message: quoted as in Python, and not too long.

    Examples:
        >>> clipped("d2-e3A" * 100, 12)
        "'d2-e3Ad2-...'"
        >>> clipped([256] * 100)
        '[256, 256, 256, 256, 256, 256, ...]'
    """
    if isinstance(value, str):
        return repr(value if len(value) <= length else value[: length - 3] + "...")
    return reprlib.repr(value)
