"""Time control: how much of a clock to spend on one turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fanorona_core._checks import check_whole

__all__ = ["Clock"]

# Turns of one side that a game is taken to have before it, whatever was played.
TURNS_EXPECTED: Final = 25
# Kept back for what the clock counts and the search does not: pipes, processes, a busy machine.
OVERHEAD_MS: Final = 20


@dataclass(frozen=True, slots=True)
class Clock:
    """What one side's clock shows before its turn, in milliseconds.

    ``increment_ms`` is added after each turn; ``turns_to_go`` is the number of turns until time is
    added, None if the time is for the rest of the game.

    Raises:
        TypeError: a number that is not whole.
        ValueError: a number out of range.

    Examples:
        >>> Clock(60_000, increment_ms=600).time_for_turn()
        2830
        >>> Clock(15).time_for_turn()
        1
    """

    remaining_ms: int
    increment_ms: int = 0
    turns_to_go: int | None = None

    def __post_init__(self) -> None:
        check_whole(
            remaining_ms=self.remaining_ms,
            increment_ms=self.increment_ms,
            turns_to_go=self.turns_to_go,
        )
        if self.increment_ms < 0:
            raise ValueError(f"increment {self.increment_ms} ms: expected 0 or more")
        if self.turns_to_go is not None and self.turns_to_go < 1:
            raise ValueError(f"turns to go {self.turns_to_go}: expected 1 or more")

    def time_for_turn(self) -> int:
        """Return the milliseconds to spend: 1, or more if more are left after the turn.

        An equal share of the time for each turn still expected and three quarters of the
        increment, so that the clock recovers slowly; never more than a third of what remains.
        """
        usable = self.remaining_ms - OVERHEAD_MS
        share = self.remaining_ms / min(self.turns_to_go or TURNS_EXPECTED, TURNS_EXPECTED)
        longest = usable if self.turns_to_go == 1 else usable / 3
        wanted = share + self.increment_ms * 3 / 4 - OVERHEAD_MS
        return max(int(min(wanted, longest)), 1)

    def after(self, spent_ms: int) -> Clock:
        """Return the clock after a turn that took ``spent_ms``; what remains may be negative.

        ``turns_to_go`` counts down to 1 and stays there: only the rules know what is added then.

        Examples:
            >>> Clock(1000, increment_ms=100).after(300)
            Clock(remaining_ms=800, increment_ms=100, turns_to_go=None)
        """
        remaining = self.remaining_ms - spent_ms
        if remaining >= 0:
            remaining += self.increment_ms
        to_go = None if self.turns_to_go is None else max(self.turns_to_go - 1, 1)
        return Clock(remaining, self.increment_ms, to_go)
