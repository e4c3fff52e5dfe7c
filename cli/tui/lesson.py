"""The first lesson: five boards to play on, for somebody who has never played."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from fanorona_core import Board, Turn

from ..i18n import _
from ..opponent import PlayerSpec
from ..wrapping import filled_lines
from .board_widget import BoardWidget
from .controller import Controller, Notice
from .dialogs import Link, links_width
from .layout import smallest
from .lesson_steps import FIRST_TURNS, STEPS, LessonStep
from .match import Match
from .room import RoomScreen

if TYPE_CHECKING:
    from .app import FanoronaApp

__all__ = ["LessonScreen"]


NARROW: Final = 78
TEXT_WIDTH: Final = 36
BARS: Final = 4  # the title, the notice, and the links


class LessonScreen(RoomScreen[None]):
    """One step after the other; each board can be tried again."""

    DEFAULT_CSS = """
    LessonScreen #title { height: 1; background: $surface; padding: 0 1; text-style: bold; }
    LessonScreen #page { height: 1fr; }
    LessonScreen VerticalScroll { width: 36; padding: 1 2; }
    LessonScreen #notice { height: 2; padding: 0 1; }
    LessonScreen #notice.wrong { color: $error; text-style: bold; }
    LessonScreen #notice.good { color: $success; text-style: bold; }
    LessonScreen #links { height: 1; background: $surface; }
    LessonScreen.narrow #page { layout: vertical; }
    LessonScreen.narrow VerticalScroll {
        width: 100%; height: auto; padding: 0 1; scrollbar-size-vertical: 1;
    }
    LessonScreen.narrow #notice { height: auto; min-height: 1; max-height: 2; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,pagedown", "turn(1)", show=False),
        Binding("p,pageup", "turn(-1)", show=False),
        Binding("r", "again", show=False),
        Binding("full_stop", "end_turn", show=False),
        Binding("backspace", "back", show=False),
        Binding("a", "choose('A')", show=False),
        Binding("w", "choose('W')", show=False),
        Binding("question_mark", "help", show=False),
        Binding("escape,q", "close", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.index = 0
        self.tried: set[str] = set()
        self.controller = self._new_controller()

    @property
    def step(self) -> LessonStep:
        """The step that is open."""
        return STEPS[self.index]

    def _new_controller(self) -> Controller:
        # Nobody answers for Black: the step ends with White's turn.
        match = Match(Board.parse(self.step.position), (PlayerSpec(), PlayerSpec(True, 1)))
        idle = _("This step is done: r sets the board up again, n goes on.")
        return Controller(match, on_turn=self._played, idle_text=idle)

    def compose(self) -> ComposeResult:
        """Title, the task beside the board, a notice, links."""
        yield Static(id="title", markup=False)
        with Horizontal(id="page"):
            with VerticalScroll(can_focus=False):
                yield Static(id="text", markup=False)
            yield BoardWidget(self.controller)
        yield Static(id="notice", markup=False)
        with Horizontal(id="links"):
            for name, text, action in (
                ("back", "p ‹ " + _("Back"), "screen.turn(-1)"),
                ("again", "r " + _("Again"), "screen.again"),
                ("next", "n " + _("Next") + " ›", "screen.turn(1)"),
                ("close", "Esc " + _("Close"), "screen.close"),
            ):
                link = Link(text, action, id=f"lesson-{name}")
                link.can_focus = False
                yield link

    def on_mount(self) -> None:
        """Begin with the first step."""
        self.query_one(BoardWidget).focus()
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Put the text above the board where there is no room beside it."""
        self._show(event.size)

    def needed_size(self) -> Size:
        """The links, the board of this step, and its whole text."""
        rules = self.controller.match.rules
        width, height = smallest(rules.columns, rules.rows)
        width = max(width, links_width(self))
        room = max(self.size.width, width) - 2
        lines = len(filled_lines(self._body(narrow=True).plain, room))
        return Size(width, BARS + min(lines + height, self._beside(height)))

    def _beside(self, board_height: int) -> int:
        """The rows for the text beside the board, more than any window has if that is narrow."""
        if self.size.width < NARROW:
            return 1000
        lines = filled_lines(self._body(narrow=False).plain, TEXT_WIDTH - 4)
        return max(len(lines) + 2, board_height)

    def _show(self, size: Size | None = None) -> None:
        size = size or self.size
        rules = self.controller.match.rules
        height = smallest(rules.columns, rules.rows)[1]
        narrow = size.width < NARROW or size.height < BARS + self._beside(height)
        self.set_class(narrow, "narrow")
        text = f"{_('First lesson')} · {self.index + 1}/{len(STEPS)}"
        self.query_one("#title", Static).update(text)
        self.query_one("#text", Static).update(self._body(narrow))
        scroll = self.query_one(VerticalScroll)
        scroll.styles.max_height = max(size.height - BARS - height, 1) if narrow else None
        self._show_notice()
        self.check_room(size)

    def _body(self, narrow: bool) -> Content:
        """What to do in this step, closer together where there is little room."""
        step = self.step
        gap = "\n" if narrow else "\n\n"
        body = Content.assemble((_(step.title), "bold $primary"), gap, _(step.task))
        if self.index == len(STEPS) - 1:
            names = [
                f"{'*' if turn in self.tried else ' '} {turn}  {name}"
                for turn, name in FIRST_TURNS.items()
            ]
            if narrow:
                names = [" · ".join(f"{turn} {name}" for turn, name in FIRST_TURNS.items())]
            body = Content.assemble(body, gap, "\n".join(names))
        return body

    def _show_notice(self) -> None:
        notice = self.controller.notice
        line = self.query_one("#notice", Static)
        line.update(notice.text)
        line.set_class(notice.kind == "wrong", "wrong")
        line.set_class(notice.kind == "good", "good")
        self.query_one(BoardWidget).redraw()

    def _played(self, turn: Turn) -> None:
        """A turn was finished: praise it, or say what was wanted."""
        step = self.step
        if step.is_done(turn):
            name = FIRST_TURNS.get(str(turn), "")
            self.tried.add(str(turn))
            text = _(step.praise).format(name=name)
            if self.index < len(STEPS) - 1:
                text += " " + _("n: next step.")
            else:
                text += " " + _("r: try another one.")
            self.controller.notice = Notice(text, "good")
        else:
            self.controller.notice = Notice(_(step.other) + " (r)", "wrong")
        self._show()

    def on_board_widget_acted(self) -> None:
        """Something was done on the board."""
        self._show_notice()

    def _restart(self) -> None:
        self.controller = self._new_controller()
        self.query_one(BoardWidget).controller = self.controller
        self._show()

    def action_turn(self, by: int) -> None:
        """Go to the next step or the one before; after the last one the lesson ends."""
        index = self.index + by
        if index >= len(STEPS):
            self.action_close()
        elif index >= 0:
            self.index = index
            self._restart()

    def action_again(self) -> None:
        """Set up the board of this step anew."""
        self._restart()

    def action_end_turn(self) -> None:
        """End the chain."""
        self.controller.end_turn()
        self._show_notice()

    def action_back(self) -> None:
        """Take back the last step of a chain."""
        self.controller.back()
        self._show_notice()

    def action_choose(self, kind: str) -> None:
        """Settle the choice of capture."""
        self.controller.choose(kind)
        self._show_notice()

    def action_help(self) -> None:
        """Explain the rules."""
        cast("FanoronaApp", self.app).open_help()

    def action_close(self) -> None:
        """Go back to where the lesson was opened."""
        self.dismiss(None)
