"""Checks of the arguments of public functions, where Python itself would say something unclear."""

from __future__ import annotations

__all__ = ["check_kind", "check_whole"]


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


def check_whole(**values: object) -> None:
    """Refuse arguments that are no whole numbers, of Python or of another library; None passes.

    Raises:
        TypeError: one of them is of another kind.

    Examples:
        >>> check_whole(nodes=1e6)
        Traceback (most recent call last):
        ...
        TypeError: nodes: float, expected int
    """
    for name, value in values.items():
        if value is not None and not hasattr(value, "__index__"):
            raise TypeError(f"{name}: {type(value).__name__}, expected int")
