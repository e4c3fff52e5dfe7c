"""The clocks of a game: time for each side, an increment a turn, and who has run out."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from fanorona_core import Side, Turn
from fanorona_core.clock import Clock as TurnClock

__all__ = ["Clock", "ClockState", "TimeControl", "clock_text", "recorded"]


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Milliseconds for the whole game and those added after each turn."""

    base_ms: int
    increment_ms: int = 0

    def __str__(self) -> str:
        """The tag of records, in seconds.

        Examples:
            >>> str(TimeControl(300_000, 3000)), str(TimeControl(90_000))
            ('300+3', '90')
        """
        added = f"+{self.increment_ms / 1000:g}" if self.increment_ms else ""
        return f"{self.base_ms / 1000:g}{added}"

    @classmethod
    def parse(cls, tag: str) -> TimeControl | None:
        """Read the tag of records; None if it says something else.

        Examples:
            >>> TimeControl.parse("300+3"), TimeControl.parse("40/7200")
            (TimeControl(base_ms=300000, increment_ms=3000), None)
        """
        number = r"[0-9]{1,6}(?:\.[0-9]{1,3})?"
        found = re.fullmatch(rf"({number})(?:\+({number}))?", tag.strip())
        if found is None:
            return None
        return cls(round(float(found[1]) * 1000), round(float(found[2] or 0) * 1000))


@dataclass(frozen=True, slots=True)
class ClockState:
    """Clocks that stand: what White and Black have left, and what their movers had before.

    ``after`` tells what was left to whoever played the last of so many turns from the first one
    on. All in milliseconds.
    """

    control: TimeControl
    left_ms: tuple[int, int]
    after: Mapping[tuple[Turn, ...], int] = field(default_factory=dict)


class Clock:
    """Two clocks, at most one of them running, and what was left after each turn."""

    def __init__(
        self,
        control: TimeControl,
        left_ms: tuple[int, int] | None = None,
        now: Callable[[], float] = time.monotonic,
        after: Mapping[tuple[Turn, ...], int] | None = None,
    ) -> None:
        self.control = control
        self._after = dict(after or {})
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

    def turn_played(self, side: Side, turns: tuple[Turn, ...], *, is_over: bool = False) -> None:
        """A side has played the last of these turns: add its increment, let the other's clock run.

        If the game is over nothing is added and both stand.
        """
        self.pause()
        if self._left[side] > 0 and not is_over:
            self._left[side] += self.control.increment_ms
        self._after[turns] = self.left_ms(side)
        if not is_over:
            self.start(side.other)

    def return_to(self, turns: tuple[Turn, ...], first: Side) -> None:
        """Set both clocks to what they were after these turns, ``first`` being the first mover.

        Both stand then. What was never told stays as it is.
        """
        self.pause()
        for side in Side:
            own = 1 if side is first else 2
            count = len(turns) - (len(turns) - own) % 2
            if count < own:
                self._left[side] = self.control.base_ms
            elif turns[:count] in self._after:
                self._left[side] = self._after[turns[:count]]

    def share_ms(self, side: Side) -> int:
        """What a side should spend on its turn, never more than a third of what it has."""
        return TurnClock(self.left_ms(side), self.control.increment_ms).time_for_turn()

    def state(self) -> ClockState:
        """Everything there is to keep."""
        left = self.left_ms(Side.WHITE), self.left_ms(Side.BLACK)
        return ClockState(self.control, left, dict(self._after))

    @classmethod
    def from_state(cls, state: ClockState) -> Clock:
        """Clocks as they were kept; both stand."""
        return cls(state.control, state.left_ms, after=state.after)

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


def recorded(left_ms: int) -> timedelta:
    """A time as records have it: as exactly as ``clock_text`` shows it.

    Examples:
        >>> str(recorded(754_300)), str(recorded(9_870))
        ('0:12:35', '0:00:09.800000')
    """
    if left_ms < 20_000:
        return timedelta(milliseconds=left_ms // 100 * 100)
    return timedelta(seconds=-(-left_ms // 1000))
