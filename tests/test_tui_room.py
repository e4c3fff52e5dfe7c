"""Every screen in windows too small for it, and in the smallest that it takes."""

import pytest
from tui_driver import check_picture, drive, people, text_of

from fanorona_cli.i18n import LANGUAGES
from fanorona_cli.tui.app import FanoronaApp
from fanorona_cli.tui.board_widget import BoardView
from fanorona_cli.tui.dialogs import Ask, Link, Menu, TypeLine
from fanorona_cli.tui.lesson import LessonScreen
from fanorona_cli.tui.lesson_steps import STEPS
from fanorona_cli.tui.reader import GuideScreen, HelpScreen
from fanorona_cli.tui.replay import ReplayScreen
from fanorona_cli.tui.replay_model import Shelf
from fanorona_cli.tui.start import StartScreen
from fanorona_core import Board, RuleSet
from fanorona_core.fgn import read

RECORD = "1. f2-e3A {[%eval 0.43]} d5-d4A *"
ANSWERS = [("y", "Yes, by all means"), ("n", "No"), ("c", "Cancel")]
SCREENS = {
    "start": StartScreen,
    "help": HelpScreen,
    "guide": GuideScreen,
    "lesson": LessonScreen,
    "ask": lambda: Ask("A game is in progress. Begin a new one?", ANSWERS),
    "menu": lambda: Menu("Menu", [(str(n), f"Entry {n}") for n in range(30)]),
    "type": lambda: TypeLine("A turn, such as d3-e3A", "d3-e3A"),
    "replay": lambda: ReplayScreen(Shelf(read(RECORD)), 0, "club.fgn"),
}
TINY = [(10, 3), (15, 4), (20, 5), (12, 40), (70, 3)]


def opened(tmp_path, name, look, size, language="en"):
    """Open a screen over a game and look at it."""

    async def script(app, pilot):
        if name != "game":
            await app.push_screen(SCREENS[name]())
        await pilot.pause()
        await look(app, pilot)

    drive(FanoronaApp(tmp_path, people(), language=language), script, size)


@pytest.mark.parametrize("name", [*SCREENS, "game"])
def test_a_window_too_small_says_so_and_nothing_else(tmp_path, name):
    async def look(app, pilot):
        for size in TINY:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            words = " ".join(text_of(app).split())
            needed = app.screen.needed_size()
            full = f"The window is too small: {needed.width}x{needed.height} are needed."
            assert words in (full, "The window is too small."), size
        await pilot.resize_terminal(100, 40)
        await pilot.pause()
        assert "too small" not in text_of(app)

    opened(tmp_path, name, look, TINY[0])


@pytest.mark.parametrize("size", [(10, 3), (15, 4), (30, 9)])
def test_pictures(tmp_path, size):
    async def look(app, pilot):
        check_picture(app, f"too-small-{size[0]}x{size[1]}")

    opened(tmp_path, "lesson", look, size)


def cut_off(screen):
    """The widgets that are not on the window in full, of those that must be."""
    found = []
    for kind in (BoardView, Link, "Input", "ActionBar", "Label", "#notice", "#title"):
        for widget in screen.query(kind):
            shown = all(part.display for part in (widget, *widget.ancestors))
            # The links of the start screen scroll, its board is an extra.
            if not shown or (isinstance(screen, StartScreen) and kind != "#title"):
                continue
            inside = screen.region.contains_region(widget.region)
            drawn = not isinstance(widget, BoardView) or widget.picture is not None
            if not inside or not drawn or not widget.region:
                found.append(widget)
    return found


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", [*SCREENS, "game"])
def test_the_smallest_window_shows_all_that_has_to_be_seen(tmp_path, name, language):
    async def look(app, pilot):
        for width in (0, 40, 60, 78, 100):
            # What is needed depends on the width, so this comes to rest at the second time.
            await pilot.resize_terminal(max(width, 10), 60)
            await pilot.pause()
            width = max(width, app.screen.needed_size().width)
            await pilot.resize_terminal(width, 60)
            await pilot.pause()
            height = app.screen.needed_size().height
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            assert not app.screen.is_too_small, (width, height)
            assert cut_off(app.screen) == [], (width, height, text_of(app))
            await pilot.resize_terminal(width, height - 1)
            await pilot.pause()
            assert app.screen.is_too_small, (width, height)

    opened(tmp_path, name, look, (100, 60), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lesson_fits_in_every_usual_window(tmp_path, language):
    async def look(app, pilot):
        for size in ((60, 20), (80, 24), (100, 30), (300, 100)):
            await pilot.resize_terminal(*size)
            for _ in STEPS[1:]:
                await pilot.pause()
                assert not app.screen.is_too_small
                assert cut_off(app.screen) == []
                scroll = app.screen.query_one("VerticalScroll")
                assert scroll.max_scroll_y == 0, (size, app.screen.index, text_of(app))
                await pilot.press("n")
            app.screen.index = 0

    opened(tmp_path, "lesson", look, (60, 20), language)


@pytest.mark.parametrize("board", ["3x3", "9x3", "3x9", "5x9", "3x15", "15x3", "9x5", "5x5"])
def test_every_board_is_drawn_in_every_usual_window(tmp_path, board):
    async def script(app, pilot):
        for size in ((60, 20), (80, 24), (300, 100)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert not app.screen.is_too_small
            assert cut_off(app.screen) == [], text_of(app)

    match = people(Board(RuleSet.parse(f"board={board}")))
    drive(FanoronaApp(tmp_path, match), script, (60, 20))
