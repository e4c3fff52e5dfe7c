"""The board on the screen: paints a picture, and turns clicks and keys into calls."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, cast

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from .controller import Controller, Direction
from .drawing import Picture, View, draw
from .glyphs import ASCII, UNICODE
from .layout import Layout, fit
from .themes import PALETTES

if TYPE_CHECKING:
    from .app import FanoronaApp

__all__ = ["BoardView", "BoardWidget"]


class BoardView(Widget):
    """A picture of a position, as large as there is room, that only shows."""

    DEFAULT_CSS = """
    BoardView { width: 1fr; height: 1fr; background: $board; }
    """

    def __init__(self, view: View | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._view = view
        self._picture: Picture | None = None
        self._origin = (0, 0)
        self.flip = False

    @property
    def host(self) -> FanoronaApp:
        """The application, for its look."""
        return cast("FanoronaApp", self.app)

    def view(self) -> View | None:
        """What to draw now."""
        return self._view

    def show(self, view: View) -> None:
        """Draw another view from now on."""
        self._view = view
        self.redraw()

    def redraw(self) -> None:
        """Draw again, after something has changed."""
        self._picture = None
        self.refresh()

    def notify_style_update(self) -> None:
        """Draw again with the colours of a new theme."""
        super().notify_style_update()
        self._picture = None

    def layout_for(self, size: Size) -> Layout | None:
        """The largest layout for a room of this size."""
        view = self.view()
        if view is None:
            return None
        position = view.position
        return fit(position.columns, position.rows, size.width, size.height, self.flip)

    @property
    def picture(self) -> Picture | None:
        """The picture shown, None if there is no room for one."""
        view = self.view()
        if self._picture is None and view is not None:
            layout = self.layout_for(self.size)
            if layout is not None:
                glyphs = ASCII if self.host.ascii else UNICODE
                self._picture = draw(view, layout, glyphs)
                self._origin = (
                    (self.size.width - layout.width) // 2,
                    (self.size.height - layout.height) // 2,
                )
        return self._picture

    def on_resize(self, event: events.Resize) -> None:
        """Draw again at the new size."""
        self._picture = None

    def point_at(self, x: int, y: int) -> int | None:
        """The point drawn at a place of this widget."""
        picture = self.picture
        if picture is None:
            return None
        return picture.layout.point_at(x - self._origin[0], y - self._origin[1])

    def place_of(self, point: int) -> tuple[int, int]:
        """The place of a point in this widget, where a click would mean it."""
        picture = self.picture
        assert picture is not None
        x, y = picture.layout.cell(point)
        return x + self._origin[0], y + self._origin[1]

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        theme = self.host.theme_key
        palette = PALETTES[theme]
        width = self.size.width
        blank = Style(bgcolor=palette["board"], color=palette["label"])
        picture = self.picture
        if picture is None:
            return Strip([Segment(" " * width, blank)], width)
        row = y - self._origin[1]
        if not 0 <= row < len(picture.rows):
            return Strip([Segment(" " * width, blank)], width)
        segments = [Segment(" " * self._origin[0], blank)]
        run, last = "", None
        for cell in picture.rows[row]:
            look = cell[1:]
            if look != last and run and last is not None:
                segments.append(Segment(run, _style(theme, last)))
                run = ""
            run, last = run + cell.char, look
        if run and last is not None:
            segments.append(Segment(run, _style(theme, last)))
        rest = width - self._origin[0] - picture.layout.width
        segments.append(Segment(" " * max(rest, 0), blank))
        return Strip(segments, width)


@lru_cache(maxsize=1024)
def _style(theme: str, look: tuple[str, str, bool]) -> Style:
    ink, ground, bold = look
    palette = PALETTES[theme]
    return Style(color=palette[ink], bgcolor=palette[ground], bold=bold)


class BoardWidget(BoardView):
    """The board that is played on, by mouse and by keyboard."""

    can_focus = True

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move('left')", show=False),
        Binding("right", "move('right')", show=False),
        Binding("up", "move('up')", show=False),
        Binding("down", "move('down')", show=False),
        Binding("enter,space", "press", show=False),
        Binding("greater_than_sign", "next", show=False),
        Binding("less_than_sign", "next(True)", show=False),
    ]

    class Acted(Message):
        """Something was done on the board; what there is to say stands in the notice."""

    def __init__(self, controller: Controller, **options: Any) -> None:
        super().__init__(**options)
        self.controller = controller

    def view(self) -> View | None:
        """What the controller has to show."""
        return self.controller.view()

    def redraw(self) -> None:
        """Draw again, the way round that the controller has."""
        self.flip = self.controller.flip
        super().redraw()

    def _acted(self) -> None:
        self.redraw()
        self.post_message(self.Acted())

    def action_move(self, direction: Direction) -> None:
        """Move the focus along the board."""
        self.controller.move_focus(direction)
        self.redraw()

    def action_next(self, back: bool = False) -> None:
        """Move the focus to the next point that something can be done with."""
        self.controller.focus_next(back)
        self.redraw()

    def action_press(self) -> None:
        """Act on the point in focus."""
        self.controller.press(self.controller.focus)
        self._acted()

    def on_click(self, event: events.Click) -> None:
        """Act on the point under the pointer."""
        point = self.point_at(event.x, event.y)
        if point is None or event.button != 1:
            if self.controller.back():
                self._acted()
            return
        self.controller.press(point)
        self._acted()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Preview what is under the pointer."""
        if self.controller.hover(self.point_at(event.x, event.y)):
            self.redraw()

    def on_leave(self, event: events.Leave) -> None:
        """End the preview."""
        if self.controller.hover(None):
            self.redraw()
