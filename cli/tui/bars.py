"""Small widgets: a bar of actions to click, and one-line choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ..i18n import _
from ..wrapping import cell_width
from .actions import ACTIONS, Action

__all__ = ["ActionBar", "Choice", "clipped"]


def clipped(text: str, width: int) -> str:
    """A text cut or filled to a width in cells."""
    from rich.cells import set_cell_size

    if cell_width(text) > width:
        return set_cell_size(text, max(width - 1, 0)) + ("…" if width else "")
    return set_cell_size(text, width)


class ActionBar(Widget):
    """Actions with their keys, as many as two lines hold; a click does what the key does.

    ``last`` is the one that stands at the end whatever has no room before it.
    """

    DEFAULT_CSS = """
    ActionBar { height: 2; width: 1fr; background: $surface; color: $foreground; }
    """

    class Chosen(Message):
        """An action was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(
        self, actions: Mapping[str, Action] = ACTIONS, last: str = "menu", **options: Any
    ) -> None:
        super().__init__(**options)
        self._actions = actions
        self._last = last
        self._names: list[str] = []
        self._hovered: str | None = None

    def offer(self, names: Sequence[str]) -> None:
        """Show these actions, the first ones surely; ``last`` comes after them."""
        if list(names) != self._names:
            self._names = list(names)
            self.refresh()

    def _rows(self) -> list[list[tuple[int, int, str]]]:
        """For each line, where each action begins and ends."""
        width, height = self.size
        rows: list[list[tuple[int, int, str]]] = [[] for _ in range(height)]
        ending = self._length(self._last)
        x, y = 0, 0
        for name in self._names:
            length = self._length(name)
            last = y == height - 1
            if x + length > (width - ending if last else width):
                if last:
                    break
                x, y = 0, y + 1
                if x + length > (width - ending if y == height - 1 else width):
                    break
            rows[y].append((x, x + length, name))
            x += length
        if height:
            rows[y].append((x, x + ending, self._last))
        return rows

    def _length(self, name: str) -> int:
        action = self._actions[name]
        return cell_width(action.shown) + cell_width(_(action.name)) + 3

    def render_line(self, y: int) -> Strip:
        """Paint one line of actions."""
        rows = self._rows()
        base = self.rich_style
        theme = self.app.current_theme
        key = base + Style(color=theme.primary, bold=True)
        hot = base + Style(reverse=True)
        segments = []
        x = 0
        for _start, end, name in rows[y] if y < len(rows) else []:
            action = self._actions[name]
            hovered = name == self._hovered
            segments.append(Segment(f" {action.shown}", hot if hovered else key))
            segments.append(Segment(f" {_(action.name)} ", hot if hovered else base))
            x = end
        segments.append(Segment(" " * max(self.size.width - x, 0), base))
        return Strip(segments).crop(0, self.size.width)

    def _action_at(self, x: int, y: int) -> str | None:
        rows = self._rows()
        for start, end, name in rows[y] if 0 <= y < len(rows) else []:
            if start <= x < end:
                return name
        return None

    def place_of(self, name: str) -> tuple[int, int] | None:
        """Where an action is shown, None if it is not."""
        for y, row in enumerate(self._rows()):
            for start, _end, shown in row:
                if shown == name:
                    return start + 1, y
        return None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show what a click would do."""
        name = self._action_at(event.x, event.y)
        if name != self._hovered:
            self._hovered = name
            self.refresh()

    def on_leave(self, event: events.Leave) -> None:
        """The pointer has gone."""
        self._hovered = None
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Do the action under the pointer."""
        name = self._action_at(event.x, event.y)
        if name is not None:
            self.post_message(self.Chosen(name))


class Choice(Widget):
    """One line to choose from a few values: left and right, or a click on either arrow."""

    DEFAULT_CSS = """
    Choice { height: 1; width: 1fr; color: $foreground; }
    Choice:focus { background: $primary; color: $background; text-style: bold; }
    Choice:disabled { color: $text-disabled; }
    """
    can_focus = True

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "change(-1)", show=False),
        Binding("right,enter,space", "change(1)", show=False),
    ]

    class Changed(Message):
        """Another value was chosen."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    def __init__(
        self, label: str, values: Sequence[tuple[str, Any]], value: Any, **options: Any
    ) -> None:
        super().__init__(**options)
        self.label = label
        self.values = list(values)
        self.index = next((i for i, (_, v) in enumerate(self.values) if v == value), 0)

    @property
    def value(self) -> Any:
        """The value chosen."""
        return self.values[self.index][1]

    def set_values(self, values: Sequence[tuple[str, Any]], value: Any) -> None:
        """Offer other values from now on."""
        self.values = list(values)
        self.index = next((i for i, (_, v) in enumerate(self.values) if v == value), 0)
        self.refresh()

    def render(self) -> Content:
        """The label and the value between arrows."""
        left = clipped(self.label, self._label_width())
        left_arrow, right_arrow = ("<", ">") if getattr(self.app, "ascii", False) else ("‹", "›")
        text = f" {left} {left_arrow} {self.values[self.index][0]} {right_arrow}"
        return Content(clipped(text, self.size.width))

    def _label_width(self) -> int:
        return min(22, max(8, self.size.width * 2 // 5))

    def action_change(self, by: int) -> None:
        """Take the next value, or the one before."""
        self.index = (self.index + by) % len(self.values)
        self.refresh()
        self.post_message(self.Changed(self))

    def on_click(self, event: events.Click) -> None:
        """The left arrow goes back, everything right of it forward."""
        self.focus()
        arrow = self._label_width() + 2
        self.action_change(-1 if arrow - 1 <= event.x <= arrow + 1 else 1)
