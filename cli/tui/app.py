"""The full-screen application: which screen is open, the look, and what is remembered."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter

from ..i18n import _, use_language
from ..store import Store
from .ascii_filter import AsciiFilter
from .match import Match
from .replay_model import Shelf
from .saving import Keeper
from .settings import Settings, load_settings, save_settings
from .themes import PALETTES, THEME_NAMES, textual_theme

if TYPE_CHECKING:
    from fanorona_core.proofbook import ProofBook

__all__ = ["FanoronaApp"]


class FanoronaApp(App[bool]):
    """Fanorona on the whole terminal.

    ``folder`` is where games and settings are kept. With a ``match`` that is opened at once, with
    ``replay`` a game of a file (the file, the game's index, the file's name), else the start
    screen. ``flip`` turns the first board round; ``ascii_only`` and ``language`` go before what
    was remembered. ``book`` is what the engine plays by at full strength and in hints.
    """

    TITLE = "Fanorona"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(
        self,
        folder: Path,
        match: Match | None = None,
        *,
        replay: tuple[Shelf, int, str] | None = None,
        ascii_only: bool | None = None,
        language: str | None = None,
        flip: bool = False,
        book: ProofBook | None = None,
    ) -> None:
        super().__init__()
        self.folder = folder
        self.keeper = Keeper(Store(folder))
        self.settings: Settings = load_settings(folder)
        self._first_match = match
        self._replay = replay
        self._book = book
        self.flip_first = flip
        self.ascii = self.settings.ascii if ascii_only is None else ascii_only
        use_language(language or self.settings.language or None)
        for name in PALETTES:
            self.register_theme(textual_theme(name))
        self.theme = f"fanorona-{self.settings.theme}"

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What lines pass on their way to the terminal."""
        filters = super().get_line_filters()
        return [*filters, AsciiFilter()] if self.ascii else filters

    @property
    def theme_key(self) -> str:
        """The set of colours in use."""
        return self.settings.theme

    def on_mount(self) -> None:
        """Open the first screen."""
        if self._first_match is not None:
            self.open_match(self._first_match)
        elif self._replay is not None:
            from .replay import ReplayScreen

            self._open(ReplayScreen(*self._replay))
        else:
            self.open_start()

    def action_interrupt(self) -> None:
        """Leave at once: the result of the application is then True."""
        self.exit(True)

    # Screens.

    def open_match(self, match: Match) -> None:
        """Play a match."""
        from .game_screen import GameScreen

        self._open(GameScreen(match, self.keeper, self._book))

    def open_start(self) -> None:
        """Go to the start screen."""
        from .start import StartScreen

        self._open(StartScreen())

    def open_help(self) -> None:
        """Explain the rules and the keys, over the screen that is open."""
        from .reader import HelpScreen

        self.push_screen(HelpScreen())

    def _open(self, screen: object) -> None:
        if len(self.screen_stack) > 1:
            self.switch_screen(screen)  # type: ignore[arg-type]
        else:
            self.push_screen(screen)  # type: ignore[call-overload]

    # The look.

    def set_theme(self, name: str) -> None:
        """Use a set of colours from now on."""
        self.settings.theme = name
        self.theme = f"fanorona-{name}"
        self.keep_settings()

    def next_theme(self) -> str:
        """Use the next set of colours; its name."""
        names = list(PALETTES)
        name = names[(names.index(self.theme_key) + 1) % len(names)]
        self.set_theme(name)
        return _(THEME_NAMES[name])

    def set_ascii(self, ascii_only: bool) -> None:
        """Draw with ASCII characters only, or with all."""
        self.ascii = self.settings.ascii = ascii_only
        for screen in self.screen_stack:
            for widget in screen.walk_children(with_self=True):
                widget.refresh()  # each keeps the lines that it has drawn
        self.keep_settings()

    def keep_settings(self) -> None:
        """Remember the choices."""
        save_settings(self.folder, self.settings)

    def record_name(self) -> str:
        """A name for the file of a game that is saved now."""
        return str(Path.cwd() / time.strftime("fanorona-%Y%m%d-%H%M.fgn"))
