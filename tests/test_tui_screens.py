"""Pictures of the screens, as text, compared with kept ones; and the colours of themes.

FANORONA_UPDATE_SCREENS=1 pytest tests/test_tui_screens.py keeps new pictures: look at the
difference before you commit it.
"""

import pytest
from tui_driver import check_picture, drive, people

from fanorona_cli.tui.app import FanoronaApp
from fanorona_cli.tui.themes import PALETTES
from fanorona_core import Board

CHAIN = "1b1b1/1bw2/1b3 w"


def shown(tmp_path, name, match, keys=(), size=(80, 24), **options):
    async def script(app, pilot):
        for key in keys:
            await pilot.press(key)
        await pilot.pause()
        check_picture(app, name)

    drive(FanoronaApp(tmp_path, match, **options), script, size)


def test_start_screen(tmp_path):
    shown(tmp_path, "start", None, language="en")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (160, 50)])
def test_sizes(tmp_path, size):
    shown(tmp_path, f"game-{size[0]}x{size[1]}", people(), size=size)


@pytest.mark.parametrize("size", [(59, 20), (40, 14), (24, 9), (22, 7)])
def test_compact_sizes(tmp_path, size):
    shown(tmp_path, f"compact-{size[0]}x{size[1]}", people(), size=size)


def test_ascii(tmp_path):
    shown(tmp_path, "ascii", people(), ["left", "enter"], ascii_only=True)


def test_choice_of_capture(tmp_path):
    shown(tmp_path, "choice", people(), ["left", "enter", "right", "enter"])


def test_chain(tmp_path):
    shown(tmp_path, "chain", people(Board.parse(CHAIN)), ["enter", "right", "enter"])


def test_refusal(tmp_path):
    shown(tmp_path, "refusal", people(), ["down", "down", "enter"])


def test_end(tmp_path):
    keys = ["left", "enter", "right", "enter"]
    shown(tmp_path, "end", people(Board.parse("5/1w1bb/5 w")), keys)


def test_looking_back(tmp_path):
    board = Board()
    for turn in ("f2-e3A", "d5-d4A"):
        board.push_text(turn)
    shown(tmp_path, "looking-back", people(board), ["left_square_bracket"])


def test_help(tmp_path):
    shown(tmp_path, "help-chains", people(), ["question_mark"] + ["right"] * 4)


def test_lesson(tmp_path):
    shown(tmp_path, "lesson", None, ["l", "n", "n", "n", "n"], size=(60, 20), language="en")


@pytest.mark.parametrize("theme", list(PALETTES))
def test_every_theme_has_every_colour(theme):
    assert set(PALETTES[theme]) == set(PALETTES["dark"])
    assert all(len(color) == 7 and color[0] == "#" for color in PALETTES[theme].values())


def luminance(color: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", list(PALETTES))
def test_colours_stand_out(theme):
    """At least 3:1, what WCAG asks of graphics, for everything that must be seen."""
    palette = PALETTES[theme]
    for ink in ("black", "label", "last", "taken", "wrong", "focus", "hint"):
        ground = "focus-ground" if ink == "focus" else "board"
        assert contrast(palette[ink], palette[ground]) >= 3, ink
    assert contrast(palette["white"], palette["board"]) >= 2
    for ground in ("target", "approach", "withdrawal", "selected"):
        assert contrast(palette[f"on-{ground}"], palette[ground]) >= 4, ground


def test_the_theme_changes_the_board(tmp_path):
    async def script(app, pilot):
        seen = set()
        for theme in PALETTES:
            app.set_theme(theme)
            app.screen.show()
            await pilot.pause()
            picture = app.export_screenshot().lower()
            assert PALETTES[theme]["board"] in picture
            seen.add(PALETTES[theme]["board"])
        assert len(seen) == len(PALETTES)

    drive(FanoronaApp(tmp_path, people()), script)
