"""A board as an SVG picture."""

from __future__ import annotations

from fanorona_core import Position, Side

from .marks import Marks, points_in
from .render import stones_text

__all__ = ["board_svg"]

_CELL = 60
_MARGIN = 50
_RADIUS = 20

_STYLE = """\
    .board { fill: #f3e3c3 }
    .line { stroke: #6b5535; stroke-width: 2; stroke-linecap: round }
    .label { fill: #4a3a22; font: 18px sans-serif; text-anchor: middle }
    .white { fill: #ffffff; stroke: #222222; stroke-width: 2 }
    .white-ring { fill: none; stroke: #999999; stroke-width: 1.5 }
    .black { fill: #222222; stroke: #000000; stroke-width: 2 }
    .black-core { fill: #777777 }
    .path { fill: none; stroke: #1769aa; stroke-width: 5; stroke-linejoin: round; opacity: .8 }
    .head { fill: #1769aa }
    .taken { stroke: #c62828; stroke-width: 4; stroke-linecap: round }
    .target { fill: #2e7d32; fill-opacity: .85 }"""


def board_svg(position: Position, marks: Marks | None = None, *, flip: bool = False) -> str:
    """Draw a position: White's stones with a ring, Black's dark with a light core.

    A marked turn is an arrow along its path, a cross where it took a stone; targets are dots.
    """
    return _Picture(position, marks or Marks(), flip).text()


class _Picture:
    def __init__(self, position: Position, marks: Marks, flip: bool) -> None:
        self.position = position
        self.marks = marks
        self.flip = flip
        self.width = 2 * _MARGIN + (position.columns - 1) * _CELL
        self.height = 2 * _MARGIN + (position.rows - 1) * _CELL

    def at(self, point: int) -> tuple[int, int]:
        """Where a point lies in the picture."""
        row, column = divmod(point, self.position.columns)
        if self.flip:
            column = self.position.columns - 1 - column
        else:
            row = self.position.rows - 1 - row
        return _MARGIN + column * _CELL, _MARGIN + row * _CELL

    def text(self) -> str:
        """The whole picture."""
        position = self.position
        said = " ".join(stones_text(position, side) for side in Side)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img">',
            f"  <title>Fanorona, {position.side} to move</title>",
            f"  <desc>{said}</desc>",
            f"  <style>\n{_STYLE}\n  </style>",
            f'  <rect class="board" width="{self.width}" height="{self.height}" rx="8"/>',
            *self._lines(),
            *self._labels(),
            *self._taken(),
            *self._stones(),
            *self._path(),
            *self._targets(),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _lines(self) -> list[str]:
        parts = []
        for start, end in self.position.geometry.lines():
            (x1, y1), (x2, y2) = self.at(start), self.at(end)
            parts.append(f'  <line class="line" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')
        return parts

    def _labels(self) -> list[str]:
        position = self.position
        parts = []
        for column in range(position.columns):
            x, _ = self.at(column)
            letter = position.geometry.name(column)[0]
            parts.append(f'  <text class="label" x="{x}" y="{self.height - 10}">{letter}</text>')
        for row in range(position.rows):
            _, y = self.at(row * position.columns)
            parts.append(f'  <text class="label" x="14" y="{y + 6}">{row + 1}</text>')
        return parts

    def _stones(self) -> list[str]:
        parts = []
        for point in points_in(self.position.white):
            x, y = self.at(point)
            parts.append(f'  <circle class="white" cx="{x}" cy="{y}" r="{_RADIUS}"/>')
            parts.append(f'  <circle class="white-ring" cx="{x}" cy="{y}" r="{_RADIUS - 7}"/>')
        for point in points_in(self.position.black):
            x, y = self.at(point)
            parts.append(f'  <circle class="black" cx="{x}" cy="{y}" r="{_RADIUS}"/>')
            parts.append(f'  <circle class="black-core" cx="{x}" cy="{y}" r="5"/>')
        return parts

    def _taken(self) -> list[str]:
        parts = []
        occupied = self.position.white | self.position.black
        for point in points_in(self.marks.taken & ~occupied):
            x, y = self.at(point)
            parts.append(
                f'  <path class="taken" d="M{x - 9} {y - 9}l18 18m0 -18l-18 18" fill="none"/>'
            )
        return parts

    def _path(self) -> list[str]:
        """An arrow along the turn, which ends at the edge of the stone."""
        if len(self.marks.path) < 2:
            return []
        places = [self.at(point) for point in self.marks.path]
        (x1, y1), (x2, y2) = places[-2:]
        dx, dy = (x2 - x1) // _CELL, (y2 - y1) // _CELL
        length = (dx * dx + dy * dy) ** 0.5
        ux, uy = dx / length, dy / length
        tip = (x2 - ux * _RADIUS, y2 - uy * _RADIUS)
        base = (tip[0] - ux * 14, tip[1] - uy * 14)
        line = " ".join(f"{x},{y}" for x, y in places[:-1]) + f" {base[0]:.1f},{base[1]:.1f}"
        left = f"{base[0] - uy * 8:.1f},{base[1] + ux * 8:.1f}"
        right = f"{base[0] + uy * 8:.1f},{base[1] - ux * 8:.1f}"
        return [
            f'  <polyline class="path" points="{line}"/>',
            f'  <polygon class="head" points="{tip[0]:.1f},{tip[1]:.1f} {left} {right}"/>',
        ]

    def _targets(self) -> list[str]:
        parts = []
        for point in points_in(self.marks.targets):
            x, y = self.at(point)
            parts.append(f'  <circle class="target" cx="{x}" cy="{y}" r="9"/>')
        return parts
