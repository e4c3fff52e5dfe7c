"""The small types that everything else is made of: the two sides and the kinds of step."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

from fanorona_core._checks import check_kind
from fanorona_core.errors import NotationError

__all__ = ["Side", "StepKind"]

# "A" approach, "W" withdrawal, "" paika: the letters that turns are written with.
StepKind = Literal["A", "W", ""]


class Side(IntEnum):
    """One of the two players: White starts on the lower rows, Black on the upper ones.

    The numbers 0 and 1 index pairs of masks and counters.

    Examples:
        >>> Side.WHITE.other
        <Side.BLACK: 1>
        >>> str(Side.BLACK), Side.BLACK.letter
        ('Black', 'b')
    """

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> Side:
        """The opponent.

        Examples:
            >>> Side.BLACK.other is Side.WHITE
            True
        """
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    @property
    def letter(self) -> Literal["w", "b"]:
        """The letter of this side's stones in position texts.

        Examples:
            >>> Side.WHITE.letter
            'w'
        """
        return "w" if self is Side.WHITE else "b"

    @classmethod
    def from_letter(cls, letter: str) -> Side:
        """Read ``w`` or ``b``, in any case.

        Raises:
            NotationError: any other text.

        Examples:
            >>> Side.from_letter("B")
            <Side.BLACK: 1>
            >>> Side.from_letter("red")
            Traceback (most recent call last):
            ...
            fanorona_core.errors.NotationError: side 'red': expected w or b
        """
        check_kind("side", letter, str)
        for side in cls:
            if letter.lower() == side.letter:
                return side
        raise NotationError(f"side {letter!r}: expected w or b")

    def __str__(self) -> str:
        return self.name.capitalize()
