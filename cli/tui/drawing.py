"""A board as a grid of characters with named colours; the screen only has to paint it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from fanorona_core import Position, Side

from .glyphs import UNICODE, GlyphSet, braille, stone_rows
from .layout import COMPACT, Layout

__all__ = ["Cell", "Picture", "View", "draw", "points_of"]

_LETTERS: Final = "abcdefghijklmno"
# Lines to the left 1, right 2, up 4, down 8 that meet in an empty weak point.
_JUNCTIONS: Final = {15: "┼", 11: "┬", 7: "┴", 14: "├", 13: "┤", 10: "┌", 9: "┐", 6: "└", 5: "┘"}


class Cell(NamedTuple):
    """A character and the names of its colours in the palette of a theme."""

    char: str = " "
    ink: str = "line"
    ground: str = "board"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A position and everything to be marked on it; stone sets are masks.

    ``targets`` are landing points with a short label. ``approach`` and ``withdrawal`` are the
    stones that a choice would take. ``path`` and ``taken`` show the turn played last, or the
    chain so far. ``forbidden`` is the line a chain may not go on along. ``wrong`` are the points
    of a refused attempt, ``hint`` is the path of a turn proposed.
    """

    position: Position
    focus: int | None = None
    selected: int | None = None
    movable: int = 0
    targets: Mapping[int, str] = field(default_factory=dict)
    approach: int = 0
    withdrawal: int = 0
    path: tuple[int, ...] = ()
    taken: int = 0
    visited: int = 0
    forbidden: tuple[int, int] | None = None
    wrong: tuple[int, ...] = ()
    hint: tuple[int, ...] = ()


class Picture:
    """The cells of a drawn board."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.rows = [[Cell()] * layout.width for _ in range(layout.height)]

    def put(self, x: int, y: int, cell: Cell) -> None:
        """Set one cell, if it is inside."""
        if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]):
            self.rows[y][x] = cell

    def text(self) -> str:
        """The characters alone."""
        return "\n".join("".join(cell.char for cell in row).rstrip() for row in self.rows)


def points_of(mask: int) -> Iterator[int]:
    """The points of a mask, lowest first."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def draw(view: View, layout: Layout, glyphs: GlyphSet = UNICODE) -> Picture:
    """Draw a board with its lines, coordinates, stones and marks.

    Examples:
        >>> print(draw(View(Position.parse("bbb/b1w/www w")), Layout(3, 3, 1)).text())
        3 ●─●─●
        2 ●─◆─○
        1 ○─○─○
          a b c
    """
    return _Drawing(view, layout, glyphs).picture


@lru_cache(maxsize=256)
def _dotted(
    x0: int, y0: int, y1: int
) -> tuple[tuple[tuple[int, int], frozenset[tuple[int, int]]], ...]:
    """The cells that a diagonal from (x0, y0) to the right goes through, with their dots.

    A dot for each quarter of a row, so that the line is smooth at any scale.
    """
    down = 1 if y1 > y0 else -1
    cells: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for step in range(4 * abs(y1 - y0) + 1):
        dot_x = 2 * x0 + 1 + step
        # Rising lines keep to the upper half of a cell's border, falling ones to the lower.
        dot_y = 4 * y0 + 2 + down * step - (1 if down < 0 else 0)
        cells.setdefault((dot_x // 2, dot_y // 4), set()).add((dot_x % 2, dot_y % 4))
    return tuple((at, frozenset(dots)) for at, dots in cells.items())


class _Drawing:
    def __init__(self, view: View, layout: Layout, glyphs: GlyphSet) -> None:
        self.view, self.layout, self.glyphs = view, layout, glyphs
        self.picture = Picture(layout)
        self.position = view.position
        self._coordinates()
        marked = {frozenset(pair): "last" for pair in pairwise(view.path)}
        marked |= {frozenset(pair): "hint" for pair in pairwise(view.hint)}
        if view.forbidden is not None:
            marked[frozenset(view.forbidden)] = "wrong"
        self._diagonals(marked)
        for start, end in self.position.geometry.lines():
            self._straight(start, end, marked.get(frozenset((start, end)), "line"))
        if view.forbidden is not None:
            self._cross(*view.forbidden)
        for point in range(self.position.geometry.points):
            self._point(point)
        if view.focus is not None:
            self._brackets(view.focus)

    def _coordinates(self) -> None:
        layout = self.layout
        for row in range(layout.rows):
            y = layout.cell(row * layout.columns)[1]
            for x, char in enumerate(str(row + 1)):
                self.picture.put(x, y, Cell(char, "label"))
        for column in range(layout.columns):
            x = layout.cell(column)[0]
            self.picture.put(x, layout.letters_row, Cell(_LETTERS[column], "label"))

    def _straight(self, start: int, end: int, ink: str) -> None:
        """A line along a row or column, its two points left out."""
        (x0, y0), (x1, y1) = sorted((self.layout.cell(start), self.layout.cell(end)))
        bold = ink != "line"
        if y0 == y1:
            for x in range(x0 + 1, x1):
                self.picture.put(x, y0, Cell(self.glyphs.across, ink, bold=bold))
        elif x0 == x1:
            for y in range(min(y0, y1) + 1, max(y0, y1)):
                self.picture.put(x0, y, Cell(self.glyphs.down, ink, bold=bold))

    def _diagonals(self, marked: Mapping[frozenset[int], str]) -> None:
        if self.layout.scale == COMPACT:
            return
        dots: dict[tuple[int, int], frozenset[tuple[int, int]]] = {}
        inks: dict[tuple[int, int], str] = {}
        for start, end in self.position.geometry.lines():
            (x0, y0), (x1, y1) = sorted((self.layout.cell(start), self.layout.cell(end)))
            if x0 == x1 or y0 == y1:
                continue
            ink = marked.get(frozenset((start, end)), "diagonal")
            down = 1 if y1 > y0 else -1
            if self.glyphs.is_ascii:
                char = self.glyphs.falling if down > 0 else self.glyphs.rising
                for step in range(1, abs(y1 - y0)):
                    cell = Cell(char, ink, bold=ink != "diagonal")
                    self.picture.put(x0 + 2 * step, y0 + down * step, cell)
                continue
            for at, places in _dotted(x0, y0, y1):
                dots[at] = dots.get(at, frozenset()) | places
                if inks.get(at, "diagonal") == "diagonal":
                    inks[at] = ink
        for (x, y), places in dots.items():
            ink = inks[x, y]
            self.picture.put(x, y, Cell(braille(places), ink, bold=ink != "diagonal"))

    def _cross(self, start: int, end: int) -> None:
        (x0, y0), (x1, y1) = self.layout.cell(start), self.layout.cell(end)
        middle = (x0 + x1) // 2, (y0 + y1) // 2
        if self.layout.scale == COMPACT and y0 != y1:
            middle = x1, y1
        self.picture.put(*middle, Cell(self.glyphs.forbidden, "wrong", bold=True))

    # Points.

    def _point(self, point: int) -> None:
        view = self.view
        for side in Side:
            if self.position.stones(side) >> point & 1:
                self._stone(point, side)
                return
        if point in view.targets:
            self._label(point, view.targets[point], "target")
        elif view.taken >> point & 1:
            self._spot(point, self.glyphs.taken, "taken")
        elif point in view.hint:
            self._spot(point, self.glyphs.visited, "hint")
        elif view.visited >> point & 1 or point in view.path:
            self._spot(point, self.glyphs.visited, "last")
        elif point in view.wrong:
            self._spot(point, self.glyphs.forbidden, "wrong")
        else:
            self._empty(point)

    def _empty(self, point: int) -> None:
        """A strong point stands out from a weak one, which only joins its lines."""
        glyphs = self.glyphs
        if self.position.geometry.is_strong(point):
            self._spot(point, glyphs.strong, "strong", bold=False)
            return
        char = glyphs.weak
        if not glyphs.is_ascii and self.layout.scale != COMPACT:
            x, y = self.layout.cell(point)
            left, right = self.layout.left, self.layout.cell(self.layout.columns - 1)[0]
            right = max(right, self.layout.cell(0)[0])
            bottom = self.layout.top + (self.layout.rows - 1) * self.layout.scale
            lines = (x > left) + 2 * (x < right) + 4 * (y > self.layout.top) + 8 * (y < bottom)
            char = _JUNCTIONS[lines]
        self._spot(point, char, "line", bold=False)

    def _spot(self, point: int, char: str, ink: str, bold: bool = True) -> None:
        self.picture.put(*self.layout.cell(point), Cell(char, ink, bold=bold))

    def _label(self, point: int, text: str, ground: str) -> None:
        """A landing point with what it takes: of two numbers, approach comes first."""
        x, y = self.layout.cell(point)
        width, height = self.layout.stone
        if width == 1:
            self.picture.put(
                x, y, Cell(text if len(text) == 1 else "?", "on-" + ground, ground, True)
            )
            return
        for row in range(y - height // 2, y + height // 2 + 1):
            line = text.center(width) if row == y else " " * width
            for index, char in enumerate(line[:width]):
                self.picture.put(
                    x - width // 2 + index, row, Cell(char, "on-" + ground, ground, True)
                )

    def _stone(self, point: int, side: Side) -> None:
        x, y = self.layout.cell(point)
        width, height = self.layout.stone
        ink = "white" if side is Side.WHITE else "black"
        ground, letter = self._state(point)
        rows = stone_rows(self.glyphs, side, width, height)
        movable = self.view.movable >> point & 1
        if ground != "board":
            self._glow(x, y, ground)
        for row, line in enumerate(rows):
            for column, char in enumerate(line):
                cell_x, cell_y = x - width // 2 + column, y - height // 2 + row
                if char == " " and height > 1 and not self._is_inside(column, row) and not letter:
                    if ground != "board":
                        self.picture.put(cell_x, cell_y, Cell(" ", ink, ground))
                    continue
                bold = bool(movable) or ground != "board"
                self.picture.put(cell_x, cell_y, Cell(self._case(char, point), ink, ground, bold))
        if letter:
            self.picture.put(x, y, Cell(letter, f"on-{ground}", ground, True))
        elif height > 1 and side is Side.WHITE and point == self.view.selected:
            self.picture.put(x, y, Cell(self.glyphs.visited, "on-selected", ground, True))

    def _glow(self, x: int, y: int, ground: str) -> None:
        """Let the ground of a stone show at its sides too: a solid stone hides the rest."""
        width, height = self.layout.stone
        if width == 1:
            return
        for row in range(y - height // 2, y + height // 2 + 1):
            for side in (x - width // 2 - 1, x + width // 2 + 1):
                cell = self.picture.rows[row][side]
                self.picture.put(side, row, cell._replace(ground=ground))

    def _is_inside(self, column: int, row: int) -> bool:
        """Whether a blank of a stone is its hollow middle rather than outside of its round."""
        width, height = self.layout.stone
        return abs(column - width // 2) <= width // 4 and abs(row - height // 2) <= height // 4

    def _case(self, char: str, point: int) -> str:
        """In ASCII, stones that may not move are small letters while others may."""
        if self.glyphs.is_ascii and self.view.movable and char in "WB":
            return char if self.view.movable >> point & 1 else char.lower()
        return char

    def _state(self, point: int) -> tuple[str, str]:
        """The ground behind a stone, and the letter written on it."""
        view = self.view
        if view.approach >> point & 1:
            return "approach", "A"
        if view.withdrawal >> point & 1:
            return "withdrawal", "W"
        if point == view.selected:
            return "selected", ""
        if point in view.wrong:
            return "bad", ""
        if view.hint and point == view.hint[0]:
            return "selected", ""
        if view.movable >> point & 1:
            return "movable", ""
        if view.path and point == view.path[-1]:
            return "moved", ""
        return "board", ""

    def _brackets(self, point: int) -> None:
        """The focus: brackets on both sides of a point, corners round a large one."""
        x, y = self.layout.cell(point)
        width, height = self.layout.stone
        half = width // 2 + 1
        above, below = y - height // 2, y + height // 2
        if height == 1:
            ends = {(x - half, y): "[", (x + half, y): "]"}
        elif self.glyphs.is_ascii:
            ends = {
                (x + d * half, row): "[" if d < 0 else "]"
                for d in (-1, 1)
                for row in (above, below)
            }
        else:
            ends = {
                (x - half, above): "┏",
                (x + half, above): "┓",
                (x - half, below): "┗",
                (x + half, below): "┛",
            }
        for (cell_x, cell_y), char in ends.items():
            self.picture.put(cell_x, cell_y, Cell(char, "focus", "focus-ground", True))
