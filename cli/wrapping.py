"""Text filled to the width of the terminal."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable
from typing import Final

__all__ = ["wrapped"]

WIDEST: Final = 80
NARROWEST: Final = 10


def wrapped(lines: Iterable[str], width: int | None = None) -> str:
    """Fill each line to the width of the terminal, at most 80 columns.

    A numbered line or one of two columns goes on under its text.

    Examples:
        >>> print(wrapped(["1. one two three four five"], 20))
        1. one two three
           four five
    """
    if width is None:
        width = shutil.get_terminal_size().columns
    width = max(min(width, WIDEST), NARROWEST)
    return "\n".join(_filled(line, width) for line in lines)


def _filled(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    found = re.match(r"\s*(?:[0-9]+\. |\S.*?  +(?=\S))", line)
    indent = len(found[0]) if found else 0
    if indent > width // 2:
        indent = len(line) - len(line.lstrip()) + 2
    return textwrap.fill(
        line,
        width,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
