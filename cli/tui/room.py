"""Screens that say so, all in one way, while the window is too small for them."""

from __future__ import annotations

from typing import TypeVar

from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from ..i18n import _
from ..wrapping import filled_lines

__all__ = ["RoomScreen", "TooSmall"]

Result = TypeVar("Result")


class TooSmall(Widget):
    """What covers a screen that has no room: that the window is too small, and what is needed."""

    DEFAULT_CSS = """
    TooSmall {
        layer: too-small; width: 100%; height: 100%; display: none;
        background: $background; color: $foreground;
    }
    TooSmall.shown { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.needed = Size()

    def lines(self) -> list[str]:
        """The message, as long as there is room for."""
        width, height = self.size
        full = _("The window is too small: {width}x{height} are needed.")
        lines = filled_lines(full.format(width=self.needed.width, height=self.needed.height), width)
        if len(lines) > height:
            lines = filled_lines(_("The window is too small."), width)
        return lines[:height]

    def render_line(self, y: int) -> Strip:
        """Paint one line of the message."""
        lines = self.lines()
        text = lines[y] if y < len(lines) else ""
        strip = Strip([Segment(text, self.rich_style)])
        return strip.adjust_cell_length(self.size.width, self.rich_style)


class RoomScreen(Screen[Result]):
    """A screen that needs room: ``needed_size`` says how much, and the rest follows from it."""

    DEFAULT_CSS = """
    RoomScreen { layers: default too-small; overflow: hidden; }
    """

    def needed_size(self) -> Size:
        """The smallest window that shows everything that has to be seen."""
        raise NotImplementedError

    @property
    def is_too_small(self) -> bool:
        """Whether the message covers this screen."""
        return any(cover.has_class("shown") for cover in self.query(TooSmall))

    def on_mount(self) -> None:
        """Bring the message along."""
        self.mount(TooSmall())
        self.check_room()

    def on_resize(self, event: events.Resize) -> None:
        """The window has another size."""
        self.check_room(event.size)

    def check_room(self, size: Size | None = None) -> None:
        """Cover the screen, or not; call when ``needed_size`` may have changed."""
        size = size or self.size
        if not size:
            return  # not on the terminal yet
        needed = self.needed_size()
        for cover in self.query(TooSmall):
            cover.needed = needed
            cover.set_class(size.width < needed.width or size.height < needed.height, "shown")
            cover.refresh()
