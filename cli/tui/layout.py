"""Where the points of a board lie on a grid of character cells, at every size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["COMPACT", "Layout", "fit", "smallest"]

COMPACT: Final = 1  # rows from one point to the next where lines between rows have no room
MAX_SCALE: Final = 14

# Rows from point to point -> width and height of a stone; larger scales use the last one.
_STONES: Final = {
    1: (1, 1),
    2: (3, 1),
    3: (3, 1),
    4: (5, 3),
    5: (7, 3),
    6: (7, 3),
    7: (11, 5),
    8: (11, 5),
    9: (11, 5),
    10: (15, 7),
    11: (15, 7),
    12: (15, 7),
    13: (19, 9),
    14: (19, 9),
}


@dataclass(frozen=True, slots=True)
class Layout:
    """A board of ``columns`` x ``rows`` points drawn ``scale`` rows from point to point.

    Cells are twice as high as wide, so points lie two columns apart for each row between them,
    and diagonals are real ones. ``flip`` puts Black's edge at the bottom.
    """

    columns: int
    rows: int
    scale: int
    flip: bool = False

    @property
    def stone(self) -> tuple[int, int]:
        """Width and height of a stone in cells, both odd."""
        return _STONES[self.scale]

    @property
    def across(self) -> int:
        """Cells from one point to its right neighbour."""
        return 2 * self.scale

    @property
    def left(self) -> int:
        """The column of the points at the left edge."""
        return 2 if self.scale == COMPACT else 3 + self.stone[0] // 2

    @property
    def top(self) -> int:
        """The row of the points at the top edge."""
        return 0 if self.stone[1] == 1 else self.stone[1] // 2

    @property
    def width(self) -> int:
        """The width of the whole drawing, coordinates and room for a bracket included."""
        right = 2 if self.scale == COMPACT else 2 + self.stone[0] // 2
        return self.left + (self.columns - 1) * self.across + right

    @property
    def height(self) -> int:
        """The height of the whole drawing, coordinates included."""
        return self.letters_row + 1

    @property
    def letters_row(self) -> int:
        """The row of the column letters."""
        return self.top + (self.rows - 1) * self.scale + self.stone[1] // 2 + 1

    def cell(self, point: int) -> tuple[int, int]:
        """The cell (x, y) in the middle of a point."""
        row, column = divmod(point, self.columns)
        if self.flip:
            column = self.columns - 1 - column
        else:
            row = self.rows - 1 - row
        return self.left + column * self.across, self.top + row * self.scale

    def point_at(self, x: int, y: int) -> int | None:
        """The point that a click on a cell means, None outside of the board.

        Examples:
            >>> layout = Layout(9, 5, 2)
            >>> layout.point_at(*layout.cell(22)), layout.point_at(0, 0)
            (22, None)
        """
        half = self.stone[0] // 2 + 1
        column = round((x - self.left) / self.across)
        row = round((y - self.top) / self.scale)
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            return None
        if abs(x - self.left - column * self.across) > max(half, self.across // 3):
            return None
        if self.flip:
            return row * self.columns + self.columns - 1 - column
        return (self.rows - 1 - row) * self.columns + column


def smallest(columns: int, rows: int) -> tuple[int, int]:
    """Width and height of the smallest drawing of a board.

    Examples:
        >>> smallest(9, 5)
        (20, 6)
    """
    layout = Layout(columns, rows, COMPACT)
    return layout.width, layout.height


def fit(columns: int, rows: int, width: int, height: int, flip: bool = False) -> Layout | None:
    """The largest layout that fits into a room, None if not even the compact one does.

    Examples:
        >>> fit(9, 5, 40, 16).scale, fit(9, 5, 24, 8).scale, fit(9, 5, 15, 8)
        (2, 1, None)
    """
    for scale in range(MAX_SCALE, 0, -1):
        layout = Layout(columns, rows, scale, flip)
        if layout.width <= width and layout.height <= height:
            return layout
    return None
