"""The screen of a record: step, jump, lines, comments, a graph, and playing on from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, cast

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from fanorona_core import FanoronaError, Outcome, Reason

from ..i18n import _
from ..marks import taken_by
from ..opponent import DEFAULT_LEVEL, PlayerSpec
from . import words
from .bars import clipped
from .board_widget import BoardView
from .dialogs import Ask, Link
from .drawing import View
from .match import Match
from .panel import stone_sign
from .replay_model import Reading, Shelf, marks_text, unwrapped

if TYPE_CHECKING:
    from .app import FanoronaApp

__all__ = ["ReplayScreen"]

AUTO_S: Final = 1.2
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


class ReplayScreen(Screen[None]):
    """One game of a file after the other."""

    DEFAULT_CSS = """
    ReplayScreen #title { height: 1; background: $surface; padding: 0 1; }
    ReplayScreen #main { height: 1fr; }
    ReplayScreen #side { width: 21; }
    ReplayScreen.wide #side { width: 34; }
    ReplayScreen.compact #side { display: none; }
    ReplayScreen OptionList {
        height: 1fr; border: none; padding: 0; background: $background; scrollbar-size-vertical: 1;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    ReplayScreen #notice { height: 3; padding: 0 1; }
    ReplayScreen.compact #notice { height: 2; }
    ReplayScreen #links { height: 1; background: $surface; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,right_square_bracket", "go('on')", show=False),
        Binding("left,backspace,left_square_bracket", "go('back')", show=False),
        Binding("home", "go('first')", show=False),
        Binding("end", "go('last')", show=False),
        Binding("down,v", "other(1)", show=False),
        Binding("up", "other(-1)", show=False),
        Binding("pagedown,greater_than_sign", "game(1)", show=False),
        Binding("pageup,less_than_sign", "game(-1)", show=False),
        Binding("a", "auto", show=False),
        Binding("f", "flip", show=False),
        Binding("k", "theme", show=False),
        Binding("c,enter", "go_on_here", show=False),
        Binding("question_mark", "help", show=False),
        Binding("q,escape", "close", show=False),
    ]

    def __init__(self, shelf: Shelf, index: int = 0, name: str = "") -> None:
        super().__init__()
        self.shelf = shelf
        self.number = index
        self.file = name
        self.reading = self._open(index)
        self.flip = False
        self._auto: Timer | None = None
        self._message = ""

    @property
    def host(self) -> FanoronaApp:
        """The application, for its look and screens."""
        return cast("FanoronaApp", self.app)

    def _open(self, index: int) -> Reading:
        result = self.shelf.get(index)
        assert result is not None
        self._message = "" if result.error is None else str(result.error)
        return Reading(unwrapped(result))

    def compose(self) -> ComposeResult:
        """Title, board beside the turns, what is said, graph, links."""
        yield Static(id="title", markup=False)
        with Horizontal(id="main"):
            yield BoardView()
            with Vertical(id="side"):
                turns = OptionList(markup=False)
                turns.can_focus = False
                yield turns
        yield Static(id="notice", markup=False)
        yield Graph()
        with Horizontal(id="links"):
            for text, action in (
                ("|<", "screen.go('first')"),
                ("<", "screen.go('back')"),
                (">", "screen.go('on')"),
                (">|", "screen.go('last')"),
                ("v " + _("Other line"), "screen.other(1)"),
                ("a " + _("Run"), "screen.auto"),
                ("c " + _("Play on"), "screen.go_on_here"),
                ("f " + _("Flip"), "screen.flip"),
                ("PgDn " + _("Next game"), "screen.game(1)"),
                ("q " + _("Quit"), "screen.close"),
            ):
                link = Link(text, action)
                link.can_focus = False
                yield link

    def on_mount(self) -> None:
        """Show the start of the game."""
        self._fill()

    def on_resize(self, event: events.Resize) -> None:
        """Leave out the turns where there is no room."""
        self.set_class(event.size.width < 60 or event.size.height < 18, "compact")
        self.set_class(event.size.width >= 110, "wide")

    def _fill(self) -> None:
        turns = self.query_one(OptionList)
        turns.clear_options()
        turns.add_option(Option(_("Start"), id="row--1"))
        for number, (depth, node) in enumerate(self.reading.rows):
            sign = stone_sign(node.side, self.host.ascii)
            note = "" if not (node.comment or node.comment_before) else " ..."
            text = f"{'  ' * depth}{node.round:>3} {sign} {node.turn}{marks_text(node)}{note}"
            turns.add_option(Option(text, id=f"row-{number}"))
        self._show()

    def _show(self) -> None:
        reading, game = self.reading, self.reading.game
        node = reading.node
        who = f"{game.tags['White']} - {game.tags['Black']}  {game.result}"
        about = f"{self.file} {self.number + 1}: {who} · {game.rules}"
        self.query_one("#title", Static).update(clipped(about, max(self.size.width - 2, 10)))
        taken = 0
        path: tuple[int, ...] = ()
        if node.turn is not None and node.parent is not None:
            path, taken = node.turn.points, taken_by(node.parent.position, node.turn)
        board = self.query_one(BoardView)
        board.flip = self.flip
        board.show(View(node.position, path=path, taken=taken))
        self.query_one(OptionList).highlighted = reading.row + 1
        self.query_one("#notice", Static).update("\n".join(self._said()))
        played = len(node.path()) - 1
        self.query_one(Graph).show(reading.shares(), played)

    def _said(self) -> list[str]:
        node = self.reading.node
        lines = []
        if node.turn is None or node.parent is None:
            lines.append(_("The start of the game."))
        else:
            text = words.played_text(node.parent.position, node.turn)
            if node.eval is not None:
                text += f"  [{node.eval}]"
            others = len(node.parent.variations) - 1
            if others:
                text += "  · " + _("v: another line")
            lines.append(text)
        if self._message:
            lines.append(self._message)
        comment = self.reading.comment()
        if comment:
            lines.append(comment)
        elif node.next is None:
            lines.append(self._end())
        return lines

    def _end(self) -> str:
        game = self.reading.game
        if not self.reading.node.is_main:
            return _("The end of this line.")
        if isinstance(game.termination, Reason) and game.result != "*":
            return words.outcome_text(Outcome(game.winner, game.termination))
        return _("The end of the record: {result}").format(result=game.result)

    # Stepping.

    def action_go(self, where: str) -> None:
        """Step on or back, or jump to an end."""
        getattr(self.reading, where)()
        self._show()

    def action_other(self, by: int) -> None:
        """Go to another line at this place."""
        if not self.reading.other(by):
            self.notify_line(_("There is no other line here."))
            return
        self._show()

    def notify_line(self, text: str) -> None:
        """Say one thing below the board."""
        self.query_one("#notice", Static).update(text)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A turn of the list was clicked."""
        number = int((event.option.id or "row--1").partition("-")[2])
        rows = self.reading.rows
        self.reading.go(self.reading.game.root if number < 0 else rows[number][1])
        self._show()

    def on_graph_picked(self, message: Graph.Picked) -> None:
        """A column of the graph was clicked."""
        line = self.reading.line()
        if 0 < message.turns <= len(line):
            self.reading.go(line[message.turns - 1])
            self._show()

    def action_game(self, by: int) -> None:
        """Open the next game of the file, or the one before."""
        index = self.number + by
        result = self.shelf.get(index) if index >= 0 else None
        if result is None:
            self.notify_line(_("There is no other game in this direction."))
            return
        try:
            reading = self._open(index)
        except FanoronaError as error:
            self.number = index
            self.notify_line(str(error))
            return
        self.number, self.reading = index, reading
        self._fill()

    def action_auto(self) -> None:
        """Let the game run, or halt it."""
        if self._auto is not None:
            self._auto.stop()
            self._auto = None
            self.notify_line(_("Halted."))
        else:
            self._auto = self.set_interval(AUTO_S, self._run)

    def _run(self) -> None:
        if self.reading.on():
            self._show()
        elif self._auto is not None:
            self._auto.stop()
            self._auto = None

    # The rest.

    def action_flip(self) -> None:
        """Turn the board round."""
        self.flip = not self.flip
        self._show()

    def action_theme(self) -> None:
        """Take the next set of colours."""
        self.notify_line(self.host.next_theme())
        self.query_one(BoardView).redraw()

    def action_help(self) -> None:
        """Explain the rules."""
        self.host.open_help()

    def action_go_on_here(self) -> None:
        """Play on from this position."""
        answers = [
            ("2", _("Two people")),
            ("w", _("I play White")),
            ("b", _("I play Black")),
            ("c", _("Cancel")),
        ]
        self.app.push_screen(Ask(_("Play on from this position?"), answers), self._play_on)

    def _play_on(self, answer: str | None) -> None:
        if answer not in ("2", "w", "b"):
            return
        person, engine = PlayerSpec(), PlayerSpec(True, self.host.settings.level or DEFAULT_LEVEL)
        players = {"2": (person, person), "w": (person, engine), "b": (engine, person)}[answer]
        board = self.reading.game.board_at(self.reading.node)
        self.host.open_match(Match(board, players))

    def action_close(self) -> None:
        """Leave."""
        self.host.exit()
