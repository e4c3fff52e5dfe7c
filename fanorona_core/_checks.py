"""Checks of the arguments of public functions, where Python itself would say something unclear."""

from __future__ import annotations

__all__ = ["check_kind"]


def check_kind(name: str, value: object, *kinds: type) -> None:
    """Refuse an argument that is of none of these kinds.

    Raises:
        TypeError: it is of another kind.

    Examples:
        >>> check_kind("text", 5, str)
        Traceback (most recent call last):
        ...
        TypeError: text: int, expected str
    """
    if not isinstance(value, kinds):
        expected = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"{name}: {type(value).__name__}, expected {expected}")
