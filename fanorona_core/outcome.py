"""How a game ended, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import NoneType
from typing import Final

from fanorona_core._checks import check_kind
from fanorona_core.types import Side

__all__ = ["Outcome", "Reason"]


class Reason(StrEnum):
    """Why a game ended; the values are what records write.

    Examples:
        >>> Reason("no turn") is Reason.NO_TURN
        True
    """

    NO_STONES = "no stones"
    NO_TURN = "no turn"
    REPETITION = "repetition"
    QUIET_LIMIT = "quiet limit"
    TURN_LIMIT = "turn limit"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    TIME = "time"
    ADJUDICATION = "adjudication"


_SENTENCES = {
    Reason.NO_STONES: "{loser} has no stones left",
    Reason.NO_TURN: "{loser} has no legal turn",
    Reason.RESIGNATION: "{loser} resigned",
    Reason.TIME: "{loser} ran out of time",
    Reason.ADJUDICATION: "adjudicated",
    Reason.REPETITION: "the position was repeated",
    Reason.QUIET_LIMIT: "too many turns without a capture",
    Reason.TURN_LIMIT: "the turn limit was reached",
    Reason.AGREEMENT: "draw agreed",
}


_NEVER_DRAWS: Final = (Reason.NO_STONES, Reason.RESIGNATION, Reason.TIME)
_ALWAYS_DRAWS: Final = (
    Reason.REPETITION,
    Reason.QUIET_LIMIT,
    Reason.TURN_LIMIT,
    Reason.AGREEMENT,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: its winner, None for a draw, and the reason.

    Raises:
        TypeError: a winner that is no `Side`.
        ValueError: a draw for a reason that always has a winner, or the other way round; or no
            reason at all.

    Examples:
        >>> outcome = Outcome(Side.WHITE, Reason.NO_STONES)
        >>> outcome.result, str(outcome)
        ('1-0', 'White wins: Black has no stones left')
        >>> str(Outcome(None, Reason.NO_TURN))
        'Draw: no legal turn'
    """

    winner: Side | None
    reason: Reason

    def __post_init__(self) -> None:
        check_kind("winner", self.winner, Side, NoneType)
        object.__setattr__(self, "reason", Reason(self.reason))  # its text will do
        if self.winner is None and self.reason in _NEVER_DRAWS:
            raise ValueError(f"a draw by {str(self.reason)!r}: expected a winner")
        if self.winner is not None and self.reason in _ALWAYS_DRAWS:
            raise ValueError(f"{self.winner} wins by {str(self.reason)!r}: expected a draw")

    @property
    def result(self) -> str:
        """The result as records write it: ``1-0``, ``0-1`` or ``1/2-1/2``."""
        return "1/2-1/2" if self.winner is None else "1-0" if self.winner is Side.WHITE else "0-1"

    def __repr__(self) -> str:
        winner = None if self.winner is None else f"Side.{self.winner.name}"
        return f"Outcome({winner}, Reason.{self.reason.name})"

    def __str__(self) -> str:
        if self.winner is not None:
            sentence = _SENTENCES[self.reason].format(loser=self.winner.other)
            return f"{self.winner} wins: {sentence}"
        if self.reason is Reason.NO_TURN:
            return "Draw: no legal turn"
        return f"Draw: {_SENTENCES[self.reason]}"
