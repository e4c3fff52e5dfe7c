"""What is known for certain of a position's value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fanorona_core._checks import check_kind
from fanorona_core.types import Side

__all__ = ["NOTHING", "Findings"]


@dataclass(frozen=True, slots=True)
class Findings:
    """What is known of a position's value: which sides hold at least a draw; None is not settled.

    Examples:
        >>> str(Findings(True, True))
        'drawn'
        >>> str(Findings(True, None))
        'not settled: White at least draws'
        >>> str(Findings(None, False))
        'White wins'
    """

    white_holds: bool | None = None
    black_holds: bool | None = None

    @property
    def is_settled(self) -> bool:
        """Whether the exact value is known."""
        return False in (self.white_holds, self.black_holds) or (
            self.white_holds is not None and self.black_holds is not None
        )

    def holds(self, side: Side) -> bool | None:
        """Whether a side holds, as far as it is known; a side that wins does."""
        check_kind("side", side, Side)
        mine, other = self.white_holds, self.black_holds
        if side is Side.BLACK:
            mine, other = other, mine
        return True if other is False else mine

    def wins(self, side: Side) -> bool:
        """Whether it is known that a side wins."""
        check_kind("side", side, Side)
        return self.holds(side.other) is False

    def word(self, side: Side) -> str:
        """What a side gets, as far as it is known; an empty text where nothing is.

        Examples:
            >>> known = Findings(True, None)
            >>> known.word(Side.WHITE), known.word(Side.BLACK)
            ('at least drawn', 'at most drawn')
            >>> Findings(None, False).word(Side.BLACK)
            'lost'
        """
        if self.is_settled:
            return "won" if self.wins(side) else "lost" if self.wins(side.other) else "drawn"
        if self.holds(side):
            return "at least drawn"
        return "at most drawn" if self.holds(side.other) else ""

    def __str__(self) -> str:
        for side in Side:
            if self.wins(side):
                return f"{side} wins"
        if self.is_settled:
            return "drawn"
        for side in Side:
            if self.holds(side):
                return f"not settled: {side} at least draws"
        return "not settled"


NOTHING: Final = Findings()
