"""Rows of stones in position text, as positions and the start of rule sets have them."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from fanorona_core.errors import InvalidPositionError

__all__ = ["Rows", "parse_rows"]


class Rows(NamedTuple):
    """The size of a board and a mask of each side's stones."""

    columns: int
    rows: int
    white: int
    black: int


def parse_rows(text: str, size: tuple[int, int] | None = None) -> Rows:
    """Read rows, the top one first; without a size the text says it, any at all.

    Raises:
        InvalidPositionError: the text is malformed, or not of this size; every reason is given.

    Examples:
        >>> parse_rows("bbb/b1w/www")
        Rows(columns=3, rows=3, white=39, black=456)
    """
    lines = text.lower().split("/")
    # No board needs three digits; cut there, or a very long number would be slow to read.
    parts = [re.findall(r"[0-9]{1,3}|.", line) for line in lines]
    widths = [sum(int(p) if p.isascii() and p.isdigit() else 1 for p in row) for row in parts]
    # Where rows differ, the width that most have is what the others should have.
    columns, rows = size or (Counter(widths).most_common(1)[0][0], len(lines))
    reasons = []
    if len(lines) != rows:
        reasons.append(f"{len(lines)} rows, expected {rows}")
    for row, line, width in zip(range(len(lines), 0, -1), parts, widths, strict=True):
        for part in line:
            if part not in ("w", "b") and not re.fullmatch(r"[1-9][0-9]*", part):
                reasons.append(f"row {row} has {part!r}, expected w, b or a number of empty points")
                break
        else:
            if width != columns:
                reasons.append(f"row {row} has {width} points, expected {columns}")
    if reasons:
        raise InvalidPositionError(reasons)
    masks = {"w": 0, "b": 0}
    point = 0
    for line in reversed(parts):
        for part in line:
            if part in masks:
                masks[part] |= 1 << point
                point += 1
            else:
                point += int(part)
    return Rows(columns, rows, masks["w"], masks["b"])
