"""The screen of a record: step, jump, lines, comments, a graph, and playing on from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Size
from textual.timer import Timer
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from fanorona_core import FanoronaError
from fanorona_core.annotation import format_duration

from .. import sentences
from ..game_clock import Clock
from ..i18n import _
from ..marks import taken_by
from ..opponent import DEFAULT_LEVEL, PlayerSpec
from ..records import clock_of
from .actions import REPLAY_ACTIONS
from .bars import ActionBar, clipped
from .board_widget import BoardView
from .dialogs import Ask
from .drawing import View
from .graph import Graph
from .layout import smallest
from .match import Match
from .panel import stone_sign
from .replay_model import Reading, Shelf, marks_text, unwrapped
from .room import RoomScreen

if TYPE_CHECKING:
    from .app import FanoronaApp

__all__ = ["ReplayScreen"]

AUTO_S: Final = 1.2
# What stands around the board, in cells.
SIDE_WIDTH: Final = 21
NOTICE_ROWS: Final = 3
GRAPH_ROWS: Final = 2
BAR_ROWS: Final = 2


class ReplayScreen(RoomScreen[None]):
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
    ReplayScreen #said {
        height: auto; min-height: 3; max-height: 40%; padding: 0 1; scrollbar-size-vertical: 1;
    }
    ReplayScreen #notice { height: auto; }
    ReplayScreen.compact #said { min-height: 2; }
    ReplayScreen.low #said { max-height: 2; }
    ReplayScreen.low Graph { display: none; }
    ReplayScreen.low ActionBar { height: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "other(-1)", show=False),
        Binding("shift+down", "read(1)", show=False),
        Binding("shift+up", "read(-1)", show=False),
        *(
            Binding(action.key, f"do('{name}')", show=False)
            for name, action in REPLAY_ACTIONS.items()
        ),
    ]

    def __init__(self, shelf: Shelf, index: int = 0, name: str = "") -> None:
        super().__init__()
        self.shelf = shelf
        self.number = index
        self.file = name
        self.flip = False
        self._auto: Timer | None = None
        self._message = ""
        self.reading = self._open(index)

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
        with VerticalScroll(id="said", can_focus=False):
            yield Static(id="notice", markup=False)
        yield Graph()
        yield ActionBar(REPLAY_ACTIONS, "quit")

    def on_mount(self) -> None:
        """Show the start of the game."""
        self.query_one(ActionBar).offer([name for name in REPLAY_ACTIONS if name != "quit"])
        self._fill()

    def on_resize(self, event: events.Resize) -> None:
        """Leave out the turns where there is no room, then the graph and half of the rest."""
        width, height = event.size
        needed = self.needed_size()
        beside, around = SIDE_WIDTH, 1 + NOTICE_ROWS + GRAPH_ROWS + BAR_ROWS
        self.set_class(
            width < max(60, needed.width + beside)
            or height < max(18, self._board_size().height + around),
            "compact",
        )
        self.set_class(height < needed.height + GRAPH_ROWS + 1, "low")
        self.set_class(width >= 110, "wide")

    def _board_size(self) -> Size:
        rules = self.reading.game.rules
        return Size(*smallest(rules.columns, rules.rows))

    def needed_size(self) -> Size:
        """The board with the title, two lines on the turn, and one of actions."""
        width, height = self._board_size()
        return Size(max(width, 24), height + 4)

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
        size = f"{game.rules.columns}x{game.rules.rows}"
        rules = f"{sentences.rules_name(game.rules)} · {size}"
        about = f"{self.file} {self.number + 1}: {who} · {rules}"
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
        self.query_one("#said", VerticalScroll).scroll_home(animate=False)
        played = len(node.path()) - 1
        self.query_one(Graph).show(reading.shares(), played)

    def _said(self) -> list[str]:
        node = self.reading.node
        lines = []
        if node.turn is None or node.parent is None:
            lines.append(_("The start of the game."))
        else:
            text = sentences.played_text(node.parent.position, node.turn)
            if node.eval is not None:
                text += f"  [{node.eval}]"
            if node.clock is not None:
                text += "  " + _("{clock} left").format(clock=format_duration(node.clock))
            others = len(node.parent.variations) - 1
            if others:
                text += "  · " + _("v: another line")
            lines.append(text)
        if self._message:
            lines.append(self._message)
        comment = self.reading.comment()
        if comment:
            lines.append(comment)
        if node.next is None:
            lines.append(self._end())
        return lines

    def _end(self) -> str:
        game = self.reading.game
        if not self.reading.node.is_main:
            return _("The end of this line.")
        if game.outcome is not None:
            return sentences.outcome_text(game.outcome)
        if game.result == "*":
            return _("The record ends here; the game has no result.")
        return _("The end of the record: {result}").format(result=game.result)

    # Stepping.

    def action_do(self, name: str) -> None:
        """Do one of the actions."""
        getattr(self, f"do_{name}")()

    def on_action_bar_chosen(self, message: ActionBar.Chosen) -> None:
        """An action was clicked."""
        self.action_do(message.name)

    def do_on(self) -> None:
        """Go to the next turn of this line."""
        self.reading.on()
        self._show()

    def do_back(self) -> None:
        """Go one turn back."""
        self.reading.back()
        self._show()

    def do_first(self) -> None:
        """Go to the start."""
        self.reading.first()
        self._show()

    def do_last(self) -> None:
        """Go to the end of this line."""
        self.reading.last()
        self._show()

    def do_other(self) -> None:
        """Go to the next line at this place."""
        self.action_other(1)

    def action_other(self, by: int) -> None:
        """Go to the next line at this place, or the one before."""
        if not self.reading.other(by):
            self.notify_line(_("There is no other line here."))
            return
        self._show()

    def action_read(self, by: int) -> None:
        """Scroll a long comment."""
        self.query_one("#said", VerticalScroll).scroll_relative(y=by, animate=False)

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

    def do_next_game(self) -> None:
        """Open the next game of the file."""
        self._turn_to(1)

    def do_former_game(self) -> None:
        """Open the game before."""
        self._turn_to(-1)

    def _turn_to(self, by: int) -> None:
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
        self.check_room()

    def do_auto(self) -> None:
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

    def do_flip(self) -> None:
        """Turn the board round."""
        self.flip = not self.flip
        self._show()

    def do_theme(self) -> None:
        """Take the next set of colours."""
        self.notify_line(self.host.next_theme())
        self.query_one(BoardView).redraw()

    def do_help(self) -> None:
        """Explain the rules."""
        self.host.open_help()

    def do_go_on_here(self) -> None:
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
        game, node = self.reading.game, self.reading.node
        state = clock_of(game, node)
        clock = None if state is None else Clock.from_state(state)
        self.host.open_match(Match(game.board_at(node), players, clock=clock))

    def do_quit(self) -> None:
        """Leave."""
        self.host.exit()
