"""Questions, menus and lines to type, over the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from ..i18n import _
from ..wrapping import cell_width, filled_lines
from .room import RoomScreen

__all__ = ["Ask", "Link", "Menu", "TypeLine", "links_width"]


class Link(Static):
    """A word to click or to focus and press."""

    DEFAULT_CSS = """
    Link { width: auto; height: 1; padding: 0 1; color: $primary; text-style: bold; }
    Link:hover { text-style: bold reverse; }
    Link:focus { background: $primary; color: $background; }
    """
    can_focus = True

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "follow", show=False)]

    def __init__(self, text: str, action: str, **options: Any) -> None:
        super().__init__(text, markup=False, **options)
        self.action = action

    async def action_follow(self) -> None:
        """Do what the link is for."""
        await self.run_action(self.action)

    async def on_click(self, event: events.Click) -> None:
        """Do what the link is for."""
        event.stop()
        await self.run_action(self.action)


def links_width(parent: Widget) -> int:
    """The cells that all links of a row take, their margins included."""
    return sum(cell_width(str(link.content)) + 2 for link in parent.query(Link))


class _Dialog(RoomScreen[Any], ModalScreen[Any]):
    DEFAULT_CSS = """
    _Dialog { align: center middle; background: $background 60%; }
    _Dialog > Vertical {
        width: auto; max-width: 100%; height: auto; max-height: 100%;
        background: $surface; border: round $primary; padding: 0 1;
    }
    _Dialog Label { width: auto; max-width: 100%; }
    _Dialog Horizontal { height: auto; width: auto; margin-top: 1; }
    _Dialog.narrow Horizontal { layout: vertical; margin-top: 0; }
    _Dialog Input { width: 46; max-width: 100%; border: none; height: 1; background: $background; }
    _Dialog OptionList {
        width: 40; max-width: 100%; height: auto; max-height: 20; border: none; padding: 0;
        background: $surface;
    }
    _Dialog OptionList:focus, _Dialog Input:focus { border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    # What else has to be seen between the title and the links.
    LEAST_WIDTH: ClassVar[int] = 16
    BODY_ROWS: ClassVar[int] = 0
    # Border and padding on both sides, border above and below.
    FRAME: ClassVar[tuple[int, int]] = (4, 2)

    def action_leave(self) -> None:
        """Close without an answer."""
        self.dismiss(None)

    def on_resize(self, event: events.Resize) -> None:
        """Put the links below each other where there is no room for a row."""
        row = links_width(self) + self.FRAME[0]
        self.set_class(event.size.width < row, "narrow")

    def needed_size(self) -> Size:
        """The title, the widest link, and as many rows as that takes in a window this wide."""
        links = [cell_width(str(link.content)) + 2 for link in self.query(Link)]
        titles = [str(label.content) for label in self.query(Label)]
        width = max([*links, self.LEAST_WIDTH]) + self.FRAME[0]
        room = max(self.size.width, width) - self.FRAME[0]
        rows = sum(len(filled_lines(title, room)) for title in titles)
        rows += 2 if sum(links) <= room else len(links)
        return Size(width, rows + self.BODY_ROWS + self.FRAME[1])


class Ask(_Dialog):
    """A question with answers to choose from; the result is the answer's key, None without one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, question: str, answers: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._question = question
        self._answers = answers

    def compose(self) -> ComposeResult:
        """The question and its answers in a row."""
        with Vertical():
            yield Label(self._question, markup=False)
            with Horizontal():
                for key, text in self._answers:
                    yield Link(f"[{key}] {text}", f"screen.answer('{key}')", id=f"answer-{key}")

    def action_answer(self, key: str) -> None:
        """Close with an answer."""
        self.dismiss(key)

    def on_key(self, event: events.Key) -> None:
        """The first letter of an answer gives it."""
        for key, _text in self._answers:
            if event.character == key:
                event.stop()
                self.dismiss(key)


class Menu(_Dialog):
    """A list to choose from; the result is the choice's name."""

    LEAST_WIDTH = 24
    BODY_ROWS = 3
    BINDINGS: ClassVar[list[BindingType]] = [Binding("m,f10,q", "leave", show=False)]

    def __init__(self, title: str, entries: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._title = title
        self._entries = entries

    def compose(self) -> ComposeResult:
        """The title, the list, and a way out for the mouse."""
        with Vertical():
            yield Label(self._title, markup=False)
            yield OptionList(*(Option(text, id=name) for name, text in self._entries), markup=False)
            yield Link(_("Close"), "screen.leave")

    def on_resize(self, event: events.Resize) -> None:
        """Let the list scroll, so that the title and the way out stay."""
        rows = event.size.height - self.FRAME[1] - 2
        self.query_one(OptionList).styles.max_height = max(min(rows, 20), 1)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the entry chosen."""
        self.dismiss(event.option.id)


class TypeLine(_Dialog):
    """A line to type; the result is the text, None without one."""

    LEAST_WIDTH = 20
    BODY_ROWS = 1

    def __init__(self, question: str, value: str = "") -> None:
        super().__init__()
        self._question = question
        self._value = value

    def compose(self) -> ComposeResult:
        """The question, the line, and its two ends for the mouse."""
        with Vertical():
            yield Label(self._question, markup=False)
            yield Input(self._value, select_on_focus=False)
            with Horizontal():
                yield Link(_("OK"), "screen.accept", id="ok")
                yield Link(_("Cancel"), "screen.leave")

    def action_accept(self) -> None:
        """Close with what was typed."""
        self.dismiss(self.query_one(Input).value)

    def on_input_submitted(self) -> None:
        """Enter closes with what was typed."""
        self.action_accept()
