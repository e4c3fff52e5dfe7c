"""The value that a search gives a position."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import total_ordering
from typing import Final

from fanorona_core._checks import check_whole

__all__ = ["Score"]

# Of the logistic curve through the results of 30,000 self-played games (tools/selfplay.py).
LOGISTIC_SCALE: Final = 600
# Centipawns that only a win known without its distance goes beyond, as in _alphabeta.pxd.
_FAR: Final = 15_000


@total_ordering
@dataclass(frozen=True, slots=True)
class Score:
    """A value for the side to move: centipawns, or a win or loss in a number of turns.

    A centipawn is a hundredth of one stone of 23, so that being one stone up with twelve against
    eleven is worth 100. Turns of both sides are counted, the winning one included. Wins compare
    higher the sooner they come, losses the later.

    Raises:
        TypeError: a number that is not whole.
        ValueError: neither or both of the two are given, or a number of turns below 0.

    Examples:
        >>> str(Score(34)), str(Score.win(7)), str(-Score.win(7))
        ('+0.34', 'win in 7', 'loss in 7')
        >>> Score.loss(4) < Score(-900) < Score(0) < Score.win(9) < Score.win(3)
        True
    """

    centipawns: int | None
    end_in: int | None = None
    is_winning: bool | None = None

    def __post_init__(self) -> None:
        check_whole(centipawns=self.centipawns, end_in=self.end_in)
        if (self.centipawns is None) == (self.end_in is None):
            raise ValueError("a score is either centipawns or end_in, one of them")
        if (self.end_in is None) != (self.is_winning is None):
            raise ValueError("a score has end_in and is_winning together, or none of them")
        if self.end_in is not None and self.end_in < 0:
            raise ValueError(f"end_in={self.end_in}: expected 0 or more turns")

    @classmethod
    def win(cls, turns: int) -> Score:
        """A win in a number of turns."""
        return cls(None, turns, True)

    @classmethod
    def loss(cls, turns: int) -> Score:
        """A loss in a number of turns, 0 if the game is lost already."""
        return cls(None, turns, False)

    @property
    def is_decided(self) -> bool:
        """Whether this is a proved win or loss."""
        return self.centipawns is None

    @property
    def is_by_tables(self) -> bool:
        """Whether tables call it won or lost that do not know in how many turns.

        Examples:
            >>> Score(20_140).is_by_tables, Score(900).is_by_tables, Score.win(7).is_by_tables
            (True, False, False)
            >>> str(Score(20_140)), str(Score(-20_140))
            ('win', 'loss')
        """
        return self.centipawns is not None and abs(self.centipawns) > _FAR

    @property
    def expected(self) -> float:
        """The expected result, from 0 for a loss to 1 for a win.

        Examples:
            >>> Score(0).expected, Score.loss(4).expected
            (0.5, 0.0)
        """
        if self.centipawns is None:
            return 1.0 if self.is_winning else 0.0
        if self.centipawns < -100_000:
            return 0.0  # the exponential would not fit a float
        return 1 / (1 + math.exp(-self.centipawns / LOGISTIC_SCALE))

    def __neg__(self) -> Score:
        if self.centipawns is None:
            return Score(None, self.end_in, not self.is_winning)
        return Score(-self.centipawns)

    def _order(self) -> tuple[int, int]:
        if self.centipawns is not None:
            return (0, self.centipawns)
        assert self.end_in is not None
        return (1, -self.end_in) if self.is_winning else (-1, self.end_in)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self._order() < other._order()

    def __str__(self) -> str:
        if self.centipawns is None:
            return f"{'win' if self.is_winning else 'loss'} in {self.end_in}"
        if self.is_by_tables:
            return "win" if self.centipawns > 0 else "loss"
        return f"{self.centipawns / 100:+.2f}"
