"""A board as text: lines and circles, or letters where the terminal has no better."""

from __future__ import annotations

from typing import Final

import click

from fanorona_core import Position, Side

from .i18n import _, ngettext
from .marks import Marks, points_in
from .terminal import Look

__all__ = ["board_text", "legend_text", "stone_signs", "stones_text"]

_LETTERS: Final = "abcdefghijklmno"

# White, Black, a point that the last turn left, one where it took a stone, one to choose.
_UNICODE: Final = ("○", "●", "·", "×", "*")
_ASCII: Final = ("W", "B", ".", "x", "*")
# Lines to the left 1, right 2, up 4, down 8 that meet in an empty point.
_JUNCTIONS: Final = {
    1 | 2 | 4 | 8: "┼",
    1 | 2 | 8: "┬",
    1 | 2 | 4: "┴",
    2 | 4 | 8: "├",
    1 | 4 | 8: "┤",
    2 | 8: "┌",
    1 | 8: "┐",
    2 | 4: "└",
    1 | 4: "┘",
}

# Columns from one point to the next, widest first, that a board may be drawn with.
_SPACINGS: Final = (4, 2, 1)


def stone_signs(look: Look) -> tuple[str, str]:
    """How the stones of White and Black are drawn."""
    signs = _UNICODE if look.unicode else _ASCII
    return signs[0], signs[1]


def legend_text(look: Look) -> str:
    """One line that says which stone is whose."""
    white, black = stone_signs(look)
    if not look.unicode:
        empty = _("empty")
        return f"{white} = {_('White')}   {black} = {_('Black')}   + = {empty}"
    return f"{white} {_('White')}   {black} {_('Black')}"


def stones_text(position: Position, side: Side) -> str:
    """The points of one side's stones in words, row by row from that side's own edge."""
    name = _("White") if side is Side.WHITE else _("Black")
    points = list(points_in(position.stones(side)))
    if not points:
        return _("{side} has no stones.").format(side=name)
    if side is Side.BLACK:
        points.sort(key=lambda point: (-(point // position.columns), point))
    names = ", ".join(position.geometry.name(point) for point in points)
    return ngettext(
        "{side} has {count} stone: {points}.",
        "{side} has {count} stones: {points}.",
        len(points),
        side=name,
        points=names,
    )


def board_text(
    position: Position, look: Look, marks: Marks | None = None, *, flip: bool = False
) -> str:
    """Draw a position with its lines and coordinates, as wide as the terminal allows.

    ``flip`` puts Black's edge at the bottom. The stone of the marked turn stands in brackets.
    """
    return _Drawing(position, look, marks or Marks(), flip).text()


class _Drawing:
    """One drawing of a board: rows and columns in the order in which they are seen."""

    def __init__(self, position: Position, look: Look, marks: Marks, flip: bool) -> None:
        self.position = position
        self.look = look
        self.marks = marks
        self.columns = list(range(position.columns))
        self.rows = list(range(position.rows - 1, -1, -1))
        if flip:
            self.columns.reverse()
            self.rows.reverse()
        self.label = len(str(position.rows))
        self.spacing = next((s for s in _SPACINGS if self._width(s) <= look.width), _SPACINGS[-1])
        self.signs = _UNICODE if look.unicode else _ASCII

    def _margin(self, spacing: int) -> int:
        """Columns between the row's number and the first point."""
        return {4: 2, 2: 1, 1: 0}[spacing]

    def _width(self, spacing: int) -> int:
        # One more on the right, for a bracket.
        right = 1 if spacing > 1 else 0
        points = spacing * (self.position.columns - 1) + 1
        return self.label + self._margin(spacing) + points + right

    def text(self) -> str:
        margin = " " * self._margin(self.spacing)
        lines = []
        for index, row in enumerate(self.rows):
            lines.append(f"{row + 1:{self.label}}{self._row(row, margin)}".rstrip())
            if index + 1 < len(self.rows) and self.spacing > 1:
                between = self._between(row)
                lines.append(f"{' ' * self.label}{margin}{self._dim(between)}")
        gap = " " * (self.spacing - 1)
        letters = gap.join(_LETTERS[column] for column in self.columns)
        return "\n".join([*lines, f"{' ' * self.label}{margin}{letters}"])

    def _row(self, row: int, margin: str) -> str:
        """The points of a row, with the lines between them and the brackets."""
        across = "─" if self.look.unicode else "-"
        between = across * (self.spacing - 1)
        gaps = [margin, *[self._dim(between)] * (len(self.columns) - 1), ""]
        stone = self.marks.stone
        if stone is not None and stone // self.position.columns == row and self.spacing > 1:
            index = self.columns.index(stone % self.position.columns)
            opening, closing = (self._style(sign, fg="green", bold=True) for sign in "[]")
            gaps[index] = (self._dim(between[:-1]) if index else margin[:-1]) + opening
            last = index + 1 == len(self.columns)
            rest = self._dim(between[1:])
            # In the narrow drawing one column lies between two points: it is this bracket then.
            gaps[index + 1] = closing + ("" if last else rest)
        parts = [gaps[0]]
        for column, gap in zip(self.columns, gaps[1:], strict=True):
            parts += [self._point(column, row), gap]
        return "".join(parts)

    def _point(self, column: int, row: int) -> str:
        point = row * self.position.columns + column
        white, black, left, taken, target = self.signs
        if self.position.white >> point & 1:
            return self._style(white, bold=True)
        if self.position.black >> point & 1:
            return self._style(black, fg="magenta", bold=True)
        if self.marks.targets >> point & 1:
            return self._style(target, fg="green", bold=True)
        if self.marks.taken >> point & 1:
            return self._style(taken, fg="red")
        if point in self.marks.path:
            return self._style(left, fg="green", bold=True)
        if not self.look.unicode:
            return self._dim("+")
        if self.spacing == 1:
            return self._dim("·")
        return self._dim(self._junction(column, row))

    def _junction(self, column: int, row: int) -> str:
        lines = 0
        if column != self.columns[0]:
            lines |= 1
        if column != self.columns[-1]:
            lines |= 2
        if row != self.rows[0]:
            lines |= 4
        if row != self.rows[-1]:
            lines |= 8
        return _JUNCTIONS[lines]

    def _between(self, upper: int) -> str:
        """The vertical and diagonal lines below a row: each square has one diagonal."""
        down = "│" if self.look.unicode else "|"
        falling, rising = ("╲", "╱") if self.look.unicode else ("\\", "/")
        pad = " " * (self.spacing // 2 - 1)
        parts = [down]
        for column in self.columns[:-1]:
            # A diagonal leaves its strong points; the upper left one is strong, or the two others.
            strong = self.position.geometry.is_strong(upper * self.position.columns + column)
            parts += [pad, falling if strong else rising, pad, down]
        return "".join(parts)

    def _dim(self, text: str) -> str:
        return self._style(text, dim=True) if text else text

    def _style(
        self, text: str, *, fg: str | None = None, bold: bool | None = None, dim: bool | None = None
    ) -> str:
        return click.style(text, fg=fg, bold=bold, dim=dim) if self.look.color else text
