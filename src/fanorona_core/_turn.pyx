"""Turns and steps as values."""

import re

cimport cython
from libc.stdint cimport uint8_t
from libc.string cimport memcmp, memcpy

from fanorona_core._bitboard cimport bitboard_t
from fanorona_core._movegen cimport MAX_STEPS, WITHDRAWAL
from fanorona_core.errors import NotationError

_NAME = "[a-o][1-9][0-9]?"
_TEXT = re.compile(f"({_NAME})((?:-{_NAME}[AW])+|-{_NAME})")
_STEP = re.compile(f"-({_NAME})([AW]?)")
_LETTERS = "abcdefghijklmno"


cdef str _name(int point, int columns):
    return f"{_LETTERS[point % columns]}{point // columns + 1}"


cdef int _point(str name, int columns, str text) except -1:
    cdef int column = _LETTERS.index(name[0])
    row = int(name[1:]) - 1
    if column >= columns or not 0 <= row * columns + column < MAX_STEPS or row < 0:
        raise NotationError(f"{text!r}: no point {name} on a board {columns} columns wide")
    return row * columns + column


cdef Turn new_turn(int columns, Turn prefix, int start, const uint8_t *steps, int length,
                   bint capture):
    """Make a turn from a chain already played (or None) and the steps after it."""
    cdef Turn turn = Turn.__new__(Turn)
    cdef int i
    turn.columns, turn.capture, turn.length, turn.withdrawals = columns, capture, 0, 0
    turn.path[0] = start
    if prefix is not None:
        memcpy(turn.path, prefix.path, prefix.length + 1)
        turn.length, turn.withdrawals = prefix.length, prefix.withdrawals
    for i in range(length):
        if steps[i] & WITHDRAWAL:
            turn.withdrawals |= 1ULL << turn.length
        turn.length += 1
        turn.path[turn.length] = steps[i] & (WITHDRAWAL - 1)
    return turn


@cython.final
cdef class Turn:
    """A whole turn: one paika, or a first capture and all its continuations.

    An immutable value: a path of points and the kind of each step.  It says
    nothing about which stones are taken; a position does that.

    Examples:
        >>> turn = Turn.from_text("d2-e3A-f4W")
        >>> turn.points, turn.kinds, turn.start, turn.end, len(turn)
        ((12, 22, 32), 'AW', 12, 32, 2)
    """

    def __cinit__(self):
        # What Turn.__new__ alone makes can be printed and compared, too.
        self.columns = 9

    def __init__(self):
        raise TypeError("turns come from a position, parse_turn or Turn.from_text")

    @staticmethod
    def from_text(str text not None, Py_ssize_t columns=9) -> Turn:
        """Make a turn from its canonical text, without asking whether it is legal anywhere.

        Raises:
            NotationError: the text is not canonical, or names a point that no board
                with so many columns has.
            ValueError: no board has so many columns.

        Examples:
            >>> Turn.from_text("d2-e3A-f4W").kinds
            'AW'
        """
        cdef uint8_t steps[MAX_STEPS]
        cdef int length = 0, start
        found = _TEXT.fullmatch(text)
        if found is None:
            raise NotationError(f"{text!r} is not a turn in canonical text, as d3-e3A or b2-c3")
        if columns % 2 == 0 or not 3 <= columns <= 15:
            raise ValueError(f"no board has {columns} columns")
        start = _point(found[1], columns, text)
        pairs = _STEP.findall(found[2])
        if len(pairs) >= MAX_STEPS:
            raise NotationError(f"{text!r}: no turn has {len(pairs)} steps")
        for name, kind in pairs:
            steps[length] = _point(name, columns, text) + (WITHDRAWAL if kind == "W" else 0)
            length += 1
        return new_turn(columns, None, start, steps, length, pairs[0][1] != "")

    @property
    def points(self) -> tuple:
        """The points the stone stands on, its start first."""
        return tuple([self.path[i] for i in range(self.length + 1)])

    @property
    def kinds(self) -> str:
        """One letter for each step, A for approach or W for withdrawal; empty for a paika."""
        if not self.capture:
            return ""
        return "".join(["W" if self.withdrawals >> i & 1 else "A" for i in range(self.length)])

    @property
    def start(self) -> int:
        """The point the stone leaves."""
        return self.path[0]

    @property
    def end(self) -> int:
        """The point the stone comes to rest on."""
        return self.path[self.length]

    @property
    def is_capture(self) -> bool:
        """Whether the turn captures; if not, it is a paika."""
        return self.capture

    def starts_with(self, Turn chain not None) -> bool:
        """Say whether `chain` is this turn or the beginning of it."""
        cdef uint64_t steps = (1ULL << chain.length) - 1
        return (
            self.columns == chain.columns
            and self.capture == chain.capture
            and self.length >= chain.length
            and memcmp(self.path, chain.path, chain.length + 1) == 0
            and (self.withdrawals & steps) == chain.withdrawals
        )

    def __len__(self):
        return self.length

    def __eq__(self, other):
        if not isinstance(other, Turn):
            return NotImplemented
        return self.length == (<Turn>other).length and self.starts_with(<Turn>other)

    def __hash__(self):
        return hash((self.path[:self.length + 1], self.withdrawals, self.capture))

    def __str__(self):
        cdef int i
        parts = [_name(self.path[0], self.columns)]
        for i in range(1, self.length + 1):
            name = _name(self.path[i], self.columns)
            if self.capture:
                name += "W" if self.withdrawals >> (i - 1) & 1 else "A"
            parts.append(name)
        return "-".join(parts)

    def __repr__(self):
        columns = "" if self.columns == 9 else f", columns={self.columns}"
        return f"Turn.from_text({str(self)!r}{columns})"

    def __reduce__(self):
        return Turn.from_text, (str(self), self.columns)


@cython.final
cdef class Step:
    """One step of a turn: where the stone goes, and which stones that takes.

    An immutable value.  `kind` is "A", "W" or, for a paika, "".  Positions
    make steps; the constructor does not ask whether one is possible anywhere.

    Raises:
        ValueError: a kind or a point that no board with so many columns has.

    Examples:
        >>> from fanorona_core import Position
        >>> step = Position.start().steps()[0]
        >>> str(step), step.start, step.end, step.kind, hex(step.captured)
        ('d2-e3A', 12, 22, 'A', '0x40100000000')
    """

    def __cinit__(self, Py_ssize_t start, Py_ssize_t end, str kind not None, bitboard_t captured,
                  Py_ssize_t columns=9):
        if kind not in ("A", "W", ""):
            raise ValueError(f"step kind {kind!r}: expected 'A', 'W' or ''")
        if columns % 2 == 0 or not 3 <= columns <= 15:
            raise ValueError(f"no board has {columns} columns")
        if not (0 <= start < MAX_STEPS and 0 <= end < MAX_STEPS):
            raise ValueError(f"a step from point {start} to {end}: no board has these points")
        self.start, self.end, self.kind, self.taken = start, end, kind, captured
        self.columns = columns

    @property
    def captured(self) -> int:
        """A mask of the stones that this step takes."""
        return self.taken

    def __eq__(self, other):
        if not isinstance(other, Step):
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self):
        return hash(self.__reduce__())

    def __str__(self):
        return f"{_name(self.start, self.columns)}-{_name(self.end, self.columns)}{self.kind}"

    def __repr__(self):
        return f"Step({self.start}, {self.end}, {self.kind!r}, {self.taken:#x}, {self.columns})"

    def __reduce__(self):
        return Step, (self.start, self.end, self.kind, self.taken, self.columns)
