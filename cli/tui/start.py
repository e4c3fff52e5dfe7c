"""The start screen: go on with a game, or choose who plays what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.geometry import Size
from textual.widgets import Static

from fanorona_core import PROFILES, Board, Position, RuleSet

from .. import sentences
from ..game_clock import Clock, TimeControl
from ..i18n import LANGUAGES, REVIEWED, _, language, use_language
from ..opponent import PlayerSpec
from ..store import Kept
from .bars import Choice
from .board_widget import BoardView
from .dialogs import Ask, Link
from .drawing import View
from .match import Match
from .room import RoomScreen
from .settings import Settings
from .themes import THEME_NAMES

if TYPE_CHECKING:
    from .app import FanoronaApp

__all__ = ["StartScreen", "match_from"]

OWN: Final = "own"
_SIZES: Final = ("9x5", "5x5", "3x3", "7x5", "5x7", "9x3", "7x3", "3x7", "5x3", "3x5")
_TIMES_MS: Final = (0, 500, 1000, 3000, 10_000, 30_000)
_CLOCKS_MIN: Final = (0, 1, 3, 5, 10, 15, 30, 60)
_INCREMENTS_S: Final = (0, 1, 2, 5, 10, 30)


def match_from(settings: Settings) -> Match:
    """A new match as the settings have it."""

    def player(kind: str) -> PlayerSpec:
        if kind == "person":
            return PlayerSpec()
        if settings.time_ms:
            return PlayerSpec(True, None, settings.time_ms)
        return PlayerSpec(True, settings.level)

    clock = None
    if settings.clock_ms:
        clock = Clock(TimeControl(settings.clock_ms, settings.increment_ms))
    board = Board(RuleSet.parse(settings.rules))
    return Match(board, (player(settings.white), player(settings.black)), clock=clock)


class StartScreen(RoomScreen[None]):
    """What to play, with what was chosen last time."""

    DEFAULT_CSS = """
    StartScreen #title { height: 1; background: $surface; padding: 0 1; text-style: bold; }
    StartScreen #middle { height: 1fr; }
    StartScreen #choices { width: 1fr; min-width: 40; padding: 0 1; }
    StartScreen BoardView { width: 1fr; }
    StartScreen.narrow BoardView { display: none; }
    StartScreen .row { height: 1; }
    StartScreen .gap { height: 1; color: $foreground 70%; padding: 0 1; }
    StartScreen.low .gap { display: none; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("n", "begin", show=False),
        Binding("c", "go_on", show=False),
        Binding("l", "lesson", show=False),
        Binding("g", "guide", show=False),
        Binding("question_mark", "help", show=False),
        Binding("q,escape", "quit", show=False),
    ]

    @property
    def host(self) -> FanoronaApp:
        """The application, for its settings and screens."""
        return cast("FanoronaApp", self.app)

    def compose(self) -> ComposeResult:
        """Links above, choices below, the board beside them if there is room."""
        settings = self.host.settings
        self._kept: Kept | None = self.host.keeper.latest()
        self._base = _base_of(RuleSet.parse(settings.rules))
        yield Static(_("Fanorona"), id="title", markup=False)
        with Horizontal(id="middle"):
            with VerticalScroll(id="choices", can_focus=False):
                if self._kept is not None:
                    yield Link(f"c  {_go_on_text(self._kept)}", "screen.go_on", id="go-on")
                yield Link("n  " + _("New game"), "screen.begin", id="begin")
                yield Static(_("as chosen here:"), classes="gap", markup=False)
                yield from self._choices(settings)
                hint = _("Never played? The lesson takes three minutes.")
                yield Static("" if settings.has_played else hint, classes="gap", markup=False)
                with Horizontal(classes="row"):
                    yield Link("l  " + _("First lesson"), "screen.lesson", id="lesson")
                    yield Link("g  " + _("Guide"), "screen.guide", id="guide")
                with Horizontal(classes="row"):
                    yield Link("?  " + _("Help"), "screen.help", id="help")
                    yield Link("q  " + _("Quit"), "screen.quit", id="quit")
            yield BoardView()

    def _choices(self, settings: Settings) -> ComposeResult:
        rules = RuleSet.parse(settings.rules)
        kinds = [(_("Person"), "person"), (_("Engine"), "engine")]
        yield Choice(_("White"), kinds, settings.white, id="white")
        yield Choice(_("Black"), kinds, settings.black, id="black")
        levels = [(_("Level {level}").format(level=level), level) for level in range(1, 11)]
        yield Choice(_("Engine"), levels, settings.level, id="level")
        times = [(_("as the level says"), 0)] + [
            (_("{seconds} s a turn").format(seconds=f"{time_ms / 1000:g}"), time_ms)
            for time_ms in _TIMES_MS[1:]
        ]
        yield Choice(_("Engine's time"), times, settings.time_ms, id="time_ms")
        names = [(name, name) for name in PROFILES if name != "sivy-v1"]
        if self._base == OWN:
            names.append((_("own rules"), OWN))
        yield Choice(_("Rules"), names, self._base, id="profile")
        size = f"{rules.columns}x{rules.rows}"
        sizes = [*_SIZES] + ([size] if size not in _SIZES else [])
        yield Choice(_("Board"), [(s, s) for s in sizes], size, id="size")
        chains = [(_("may stop"), False), (_("must go on"), True)]
        yield Choice(_("Chains"), chains, rules.compulsory, id="compulsory")
        clocks = [(_("none"), 0)] + [
            (_("{minutes} min").format(minutes=minutes), minutes * 60_000)
            for minutes in _CLOCKS_MIN[1:]
        ]
        yield Choice(_("Clock"), clocks, settings.clock_ms, id="clock_ms")
        increments = [
            (_("{seconds} s").format(seconds=seconds), seconds * 1000) for seconds in _INCREMENTS_S
        ]
        yield Choice(_("Added each turn"), increments, settings.increment_ms, id="increment_ms")
        themes = [(_(name), key) for key, name in THEME_NAMES.items()]
        yield Choice(_("Colours"), themes, settings.theme, id="theme")
        raw = _("not reviewed by a native speaker")
        languages = [
            (name if code in REVIEWED else f"{name} · {raw}", code)
            for code, name in LANGUAGES.items()
        ]
        yield Choice(_("Language"), languages, language(), id="language")

    def on_mount(self) -> None:
        """Show the board chosen, and begin where most people want to."""
        self.query_one("#go-on" if self._kept is not None else "#begin").focus()
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Leave out the board, then the spaces, where there is no room."""
        self.set_class(event.size.width < 90, "narrow")
        self.set_class(event.size.height < 24, "low")

    def needed_size(self) -> Size:
        """The width of the choices, which can be scrolled, with the title and a few of them."""
        return Size(40, 6)

    def _value(self, name: str) -> Any:
        return self.query_one(f"#{name}", Choice).value

    def rules(self) -> RuleSet:
        """The rules chosen."""
        if self._value("profile") == OWN:
            rules = RuleSet.parse(self.host.settings.rules)
        else:
            rules = PROFILES[self._value("profile")]
        columns, rows = (int(part) for part in self._value("size").split("x"))
        if (columns, rows) != (rules.columns, rules.rows):
            rules = rules.replace(columns=columns, rows=rows, start=None)
        return rules.replace(compulsory=self._value("compulsory"))

    def _show(self) -> None:
        self.query_one(BoardView).show(View(Position.start(self.rules())))
        both = self._value("white") == self._value("black") == "person"
        for name in ("level", "time_ms"):
            self.query_one(f"#{name}", Choice).disabled = both
        self.query_one("#level", Choice).disabled = both or self._value("time_ms") > 0
        self.query_one("#increment_ms", Choice).disabled = not self._value("clock_ms")

    def on_choice_changed(self, message: Choice.Changed) -> None:
        """A choice was made: others may follow from it."""
        name = message.choice.id
        if name == "profile" and self._value("profile") != OWN:
            rules = PROFILES[self._value("profile")]
            for other, value in (
                ("size", f"{rules.columns}x{rules.rows}"),
                ("compulsory", rules.compulsory),
            ):
                choice = self.query_one(f"#{other}", Choice)
                choice.set_values(choice.values, value)
        self._keep()
        if name == "theme":
            self.host.set_theme(self._value("theme"))
            self.query_one(BoardView).redraw()
        elif name == "language":
            use_language(self._value("language"))
            self.host.open_start()
            return
        self._show()

    def _keep(self) -> None:
        settings = self.host.settings
        for name in ("white", "black", "level", "time_ms", "clock_ms", "increment_ms"):
            setattr(settings, name, self._value(name))
        settings.rules = str(self.rules())
        if self._value("language") != language():
            settings.language = self._value("language")
        self.host.keep_settings()

    # Links and keys.

    def action_begin(self) -> None:
        """Play a new game; if another is unfinished, after a question."""
        if self._kept is None:
            self._begin("y")
            return
        question = _("A game is in progress. Begin a new one? It goes to your records.")
        self.host.push_screen(Ask(question, [("y", _("Yes")), ("n", _("No"))]), self._begin)

    def _begin(self, answer: str | None) -> None:
        if answer != "y":
            return
        self._keep()
        if self._kept is not None:
            self.host.keeper.leave(Match.from_kept(self._kept), for_good=True)
        self.host.settings.has_played = True
        self.host.keep_settings()
        self.host.open_match(match_from(self.host.settings))

    def action_go_on(self) -> None:
        """Go on with the game that was kept."""
        if self._kept is not None:
            self.host.open_match(Match.from_kept(self._kept))

    def action_lesson(self) -> None:
        """Open the first lesson."""
        from .lesson import LessonScreen

        self.host.push_screen(LessonScreen())

    def action_guide(self) -> None:
        """Open the guide."""
        from .reader import GuideScreen

        self.host.push_screen(GuideScreen())

    def action_help(self) -> None:
        """Explain the rules and the keys."""
        self.host.open_help()

    def action_quit(self) -> None:
        """Leave."""
        self.host.exit()


def _go_on_text(kept: Kept) -> str:
    text = _("Go on: turn {number}, {side}").format(
        number=kept.board.position.turn_number, side=sentences.side_to_move(kept.board.side)
    )
    return text


def _base_of(rules: RuleSet) -> str:
    """The profile that rules differ from only in what this screen lets one choose."""
    chosen = {"columns": rules.columns, "rows": rules.rows, "compulsory": rules.compulsory}
    exact = [name for name, profile in PROFILES.items() if profile == rules and name != "sivy-v1"]
    near = [
        name
        for name, profile in PROFILES.items()
        if name != "sivy-v1" and profile.replace(**chosen, start=None) == rules
    ]
    # Of several, the one for this size: dimy rather than tsivy on 5x5.
    near.sort(key=lambda name: PROFILES[name].columns != rules.columns)
    return (exact or near or [OWN])[0]
