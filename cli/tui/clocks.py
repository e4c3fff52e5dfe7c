"""The clocks of a game: time for each side, an increment a turn, and who has run out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from fanorona_core import Side

__all__ = ["Clock", "TimeControl", "clock_text"]


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Milliseconds for the whole game and those added after each turn."""

    base_ms: int
    increment_ms: int = 0


class Clock:
    """Two clocks, at most one of them running."""

    def __init__(
        self,
        control: TimeControl,
        left_ms: tuple[int, int] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.control = control
        self._left: list[float] = list(left_ms or (control.base_ms, control.base_ms))
        self._now = now
        self._running: Side | None = None
        self._since = 0.0

    @property
    def running(self) -> Side | None:
        """Whose clock runs, None while both stand."""
        return self._running

    def start(self, side: Side) -> None:
        """Let the clock of one side run, and only that one."""
        if self._running is side:
            return
        self.pause()
        self._running, self._since = side, self._now()

    def pause(self) -> None:
        """Stop both clocks."""
        if self._running is not None:
            self._left[self._running] = self._exact(self._running)
            self._running = None

    def turn_played(self, side: Side) -> None:
        """Add the increment to a side that has played, and let the other's clock run."""
        self.pause()
        if self._left[side] > 0:
            self._left[side] += self.control.increment_ms
        self.start(side.other)

    def left_ms(self, side: Side) -> int:
        """The time that a side has left, 0 if none."""
        return max(0, round(self._exact(side)))

    def flagged(self) -> Side | None:
        """The side that has run out of time, None if neither."""
        for side in Side:
            if self._exact(side) <= 0:
                return side
        return None

    def _exact(self, side: Side) -> float:
        left = self._left[side]
        if self._running is side:
            left -= (self._now() - self._since) * 1000
        return left


def clock_text(left_ms: int) -> str:
    """A time as clocks show it: with tenths in the last twenty seconds.

    Examples:
        >>> clock_text(754_300), clock_text(9_870), clock_text(4_000_000)
        ('12:35', '0:09.8', '1:06:40')
    """
    if left_ms < 20_000:
        return f"0:{left_ms // 1000:02}.{left_ms % 1000 // 100}"
    seconds = -(-left_ms // 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
