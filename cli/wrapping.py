"""Text filled to the width of the terminal."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable
from typing import Final

__all__ = ["cell_width", "filled_lines", "wrapped"]

WIDEST: Final = 80
NARROWEST: Final = 10


def cell_width(text: str) -> int:
    """How many cells a text takes on the screen.

    Examples:
        >>> cell_width("point"), cell_width("棋子")
        (5, 4)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # takes time, and English needs it not

    return cell_len(text)


def filled_lines(text: str, width: int) -> list[str]:
    """A text broken into lines of so many cells; wide characters count twice.

    Examples:
        >>> filled_lines("The window is too small.", 10)
        ['The window', 'is too', 'small.']
        >>> filled_lines("窗口太小了。", 6)
        ['窗口太', '小了。']
    """
    from rich.console import Console
    from rich.text import Text

    lines = Text(text).wrap(Console(color_system=None), max(width, 1))
    return [line.plain.rstrip() for line in lines]


def wrapped(lines: Iterable[str], width: int | None = None) -> str:
    """Fill each line to the width of the terminal, at most 80 columns.

    A numbered line, an item of a list or a line of two columns goes on under its text.

    Examples:
        >>> print(wrapped(["1. one two three four five", "- six seven eight nine"], 20))
        1. one two three
           four five
        - six seven eight
          nine
    """
    if width is None:
        width = shutil.get_terminal_size().columns
    width = max(min(width, WIDEST), NARROWEST)
    return "\n".join(_filled(line, width) for line in lines)


def _filled(line: str, width: int) -> str:
    if cell_width(line) <= width:
        return line
    found = re.match(r"\s*(?:[0-9]+\. |- |\S.*?  +(?=\S))", line)
    indent = len(found[0]) if found else 0
    if indent > width // 2:
        indent = len(line) - len(line.lstrip()) + 2
    if cell_width(line) > len(line):
        # Wide characters, and between them no blanks to break at.
        head, body = (line[:indent], line[indent:]) if found else ("", line)
        rows = filled_lines(body, width - cell_width(head))
        return "\n".join(
            head + row if not n else " " * cell_width(head) + row for n, row in enumerate(rows)
        )
    return textwrap.fill(
        line,
        width,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
