"""Screens to read: the help and the guide, a page at a time with a board beside it."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from ..i18n import N_, _
from .board_widget import BoardView
from .dialogs import Link, links_width
from .guide_pages import GUIDE
from .layout import smallest
from .pages import HELP, Page
from .room import RoomScreen

__all__ = ["GuideScreen", "HelpScreen", "ReaderScreen"]


NARROW: Final = 60
BARS: Final = 2  # the title and the links
BOARD_ABOVE: Final = 7
TEXT_ROWS: Final = 4


class ReaderScreen(RoomScreen[None]):
    """Pages to turn."""

    DEFAULT_CSS = """
    ReaderScreen #title { height: 1; background: $surface; padding: 0 1; text-style: bold; }
    ReaderScreen #page { height: 1fr; }
    ReaderScreen VerticalScroll { width: 1fr; padding: 1 2; }
    ReaderScreen BoardView { width: 45%; }
    ReaderScreen BoardView.none { display: none; }
    ReaderScreen #links { height: 1; background: $surface; }
    ReaderScreen.narrow #page { layout: vertical; }
    ReaderScreen.narrow BoardView { width: 100%; height: 7; }
    ReaderScreen.narrow VerticalScroll { height: 1fr; width: 100%; padding: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,pagedown,space,enter,n", "turn(1)", show=False),
        Binding("left,pageup,backspace,p", "turn(-1)", show=False),
        Binding("escape,q,question_mark", "close", show=False),
    ]

    NAME: ClassVar[str] = ""
    PAGES: ClassVar[tuple[Page, ...]] = ()

    def __init__(self, index: int = 0) -> None:
        super().__init__()
        self.index = index

    def compose(self) -> ComposeResult:
        """Title, page, links."""
        yield Static(id="title", markup=False)
        with Horizontal(id="page"):
            yield BoardView()
            with VerticalScroll():
                yield Static(id="text", markup=False)
        with Horizontal(id="links"):
            yield Link("‹ " + _("Back"), "screen.turn(-1)", id="page-back")
            yield Link(_("Next") + " ›", "screen.turn(1)", id="page-next")
            yield Link(_("Close") + " (Esc)", "screen.close", id="page-close")

    def on_mount(self) -> None:
        """Open the first page."""
        self.query_one(VerticalScroll).focus()
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Put the board above the text where there is no room beside it."""
        self.set_class(event.size.width < NARROW, "narrow")

    def needed_size(self) -> Size:
        """The links, the board of any page, and a few lines of text, which can be scrolled."""
        views = [page.view() for page in self.PAGES]
        boards = [smallest(v.position.columns, v.position.rows) for v in views if v is not None]
        board_width = max((width for width, _ in boards), default=0)
        board_height = max((height for _, height in boards), default=0)
        width = max(links_width(self), board_width)
        if self.size.width < NARROW:
            return Size(width, BARS + BOARD_ABOVE + TEXT_ROWS)
        return Size(width, BARS + max(board_height, TEXT_ROWS + 2))

    def _show(self) -> None:
        page = self.PAGES[self.index]
        text = f"{_(self.NAME)} · {self.index + 1}/{len(self.PAGES)}"
        self.query_one("#title", Static).update(text)
        body = Content.assemble((_(page.title), "bold $primary"))
        for paragraph in page.paragraphs:
            body = Content.assemble(body, "\n\n", _(paragraph))
        self.query_one("#text", Static).update(body)
        board, view = self.query_one(BoardView), page.view()
        board.set_class(view is None, "none")
        if view is not None:
            board.show(view)
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def action_turn(self, by: int) -> None:
        """Turn pages; after the last one the book is closed."""
        index = self.index + by
        if index >= len(self.PAGES):
            self.action_close()
            return
        self.index = max(index, 0)
        self._show()

    def action_close(self) -> None:
        """Go back to where this was opened."""
        self.dismiss(None)


class HelpScreen(ReaderScreen):
    """The rules and the keys."""

    NAME = N_("Help")
    PAGES = HELP


class GuideScreen(ReaderScreen):
    """First game, strategy, usual mistakes, history."""

    NAME = N_("Guide")
    PAGES = GUIDE
