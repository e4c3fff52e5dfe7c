"""Only ASCII on the screen: frames, arrows and signs that are not letters are replaced."""

from __future__ import annotations

from typing import Final

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

__all__ = ["AsciiFilter", "plain"]

_PLAIN: Final = str.maketrans(
    {
        **dict.fromkeys("─━═╌╍┄┅", "-"),
        **dict.fromkeys("│┃║┆┇▏▎▕", "|"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝", "+"),
        **dict.fromkeys("█▉▊▋▌▍▐▀▄▂▃▅▆▇▁▔", "#"),
        **dict.fromkeys("·•∙", "-"),
        "‹": "<",
        "›": ">",
        "…": "~",
        "–": "-",
        "—": "-",
        "×": "x",
        "○": "o",
        "●": "*",
        "◆": "*",
        "▲": "^",
        "▼": "v",
        "½": "=",
        "−": "-",
        "’": "'",
    }
)


def plain(text: str) -> str:
    """A text of the same width without drawing characters; letters of any language stay.

    Examples:
        >>> plain("│ ‹ Back · 1–2 … │")
        '| < Back - 1-2 ~ |'
    """
    return text if text.isascii() else text.translate(_PLAIN)


class AsciiFilter(LineFilter):
    """Makes every line plain on its way to the terminal."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Replace the characters; colours and controls stay."""
        return [Segment(plain(text), style, control) for text, style, control in segments]
