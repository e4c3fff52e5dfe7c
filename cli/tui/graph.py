"""A graph of the chances over a game."""

from __future__ import annotations

from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

__all__ = ["Graph"]

_BARS: Final = " ▁▂▃▄▅▆▇█"
_ASCII_BARS: Final = " .:-=+*#@"


class Graph(Widget):
    """White's chances over the game, a column a turn; a click jumps there."""

    DEFAULT_CSS = """
    Graph { height: 2; width: 1fr; display: none; }
    Graph.shown { display: block; }
    """

    class Picked(Message):
        """A column was clicked: the number of turns played there."""

        def __init__(self, turns: int) -> None:
            super().__init__()
            self.turns = turns

    def __init__(self) -> None:
        super().__init__()
        self.shares: list[float | None] = []
        self.now = 0

    def show(self, shares: list[float | None], now: int) -> None:
        """Show these chances, with the place after ``now`` turns marked."""
        self.shares, self.now = shares, now
        self.set_class(any(share is not None for share in shares), "shown")
        self.refresh()

    def _turn_at(self, x: int) -> int:
        """The number of turns played at a column, if there are more turns than columns or less."""
        count, width = len(self.shares), max(self.size.width, 1)
        return x if count <= width else x * count // width

    def render_line(self, y: int) -> Strip:
        """Paint the upper or the lower half."""
        ascii_only = getattr(self.app, "ascii", False)
        bars = _ASCII_BARS if ascii_only else _BARS
        light, dark = Style(color="#f4efe4", bgcolor="#2a2420"), Style(bgcolor="#2a2420")
        marked = Style(color="#2a2420", bgcolor="#e8c34a")
        segments = []
        columns = min(len(self.shares), self.size.width)
        for x in range(columns):
            index = self._turn_at(x)
            share = self.shares[index]
            level = 0 if share is None else round(share * 16)
            part = max(0, min(level - 8 if y == 0 else level, 8))
            here = index == self.now - 1
            segments.append(Segment(bars[part], marked if here else light))
        segments.append(Segment(" " * (self.size.width - columns), dark))
        return Strip(segments)

    def on_click(self, event: events.Click) -> None:
        """Jump to a turn."""
        if event.x < len(self.shares):
            self.post_message(self.Picked(self._turn_at(event.x) + 1))
