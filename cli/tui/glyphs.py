"""The characters that boards are drawn with: Unicode, or ASCII only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from fanorona_core import Side

__all__ = ["ASCII", "UNICODE", "GlyphSet", "braille", "stone_rows"]

# Bits of two columns and two rows of a cell, upper left first, to the block that fills them.
_BLOCKS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
# The dots of a braille cell by column and row.
_DOTS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))


@dataclass(frozen=True, slots=True)
class GlyphSet:
    """One set of characters.

    ``white`` and ``black`` are stones one cell wide; the letter in ``strong`` and ``weak`` marks
    an empty point; ``falling`` and ``rising`` draw diagonals where braille is not used.
    """

    white: str
    black: str
    strong: str
    weak: str
    across: str
    down: str
    falling: str
    rising: str
    taken: str
    visited: str
    forbidden: str
    is_ascii: bool


UNICODE: Final = GlyphSet("○", "●", "◆", "·", "─", "│", "╲", "╱", "×", "•", "╳", False)
ASCII: Final = GlyphSet("W", "B", "*", "+", "-", "|", "\\", "/", "x", "o", "X", True)


def braille(dots: Iterable[tuple[int, int]]) -> str:
    """The braille character with dots at (column 0-1, row 0-3)."""
    return chr(0x2800 + sum(_DOTS[x][y] for x, y in dots))


@lru_cache(maxsize=64)
def stone_rows(glyphs: GlyphSet, side: Side, width: int, height: int) -> tuple[str, ...]:
    """A stone as rows of text: White hollow, Black solid, told apart without colours too.

    A blank is a cell of the stone that shows what is behind it.

    Examples:
        >>> stone_rows(UNICODE, Side.WHITE, 3, 1), stone_rows(UNICODE, Side.BLACK, 3, 1)
        (('(○)',), ('▐█▌',))
        >>> print(*stone_rows(ASCII, Side.BLACK, 5, 3), sep="\\n")
         ###
        #####
         ###
    """
    white = side is Side.WHITE
    if (width, height) == (1, 1):
        return (glyphs.white if white else glyphs.black,)
    if height == 1:
        if glyphs.is_ascii:
            return ("(W)" if white else "#B#",)
        return ("(○)" if white else "▐█▌",)
    rows = []
    for y in range(height):
        row = ""
        for x in range(width):
            bits = 0
            for bit in range(4):
                at = (
                    (2 * x + bit % 2 + 0.5 - width) / width,
                    (2 * y + bit // 2 + 0.5 - height) / height,
                )
                if _is_in(at, 1.0) and not (white and _is_in(at, _inner(width, height))):
                    bits |= 1 << bit
            row += _cell(glyphs, bits, white)
        rows.append(row)
    return tuple(rows)


def _inner(width: int, height: int) -> float:
    """The share of the radius that is hollow in a white stone."""
    return 0.62 if height > 3 else 0.6


def _is_in(at: tuple[float, float], radius: float) -> bool:
    return at[0] ** 2 + at[1] ** 2 <= radius**2


def _cell(glyphs: GlyphSet, bits: int, white: bool) -> str:
    if not glyphs.is_ascii:
        return _BLOCKS[bits]
    return ("O" if white else "#") if bits.bit_count() >= 2 else " "
