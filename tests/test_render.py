"""Boards as text: the two alphabets, three widths, marks, colours, turned round."""

import io
import re
from itertools import product

import pytest

from fanorona_cli.marks import Marks, marks_on, points_in
from fanorona_cli.render import board_text, legend_text, stones_text
from fanorona_cli.svg import board_svg
from fanorona_cli.terminal import Look, detect
from fanorona_cli.wrapping import wrapped
from fanorona_core import PROFILES, Board, Position, RuleSet, Side

START = Position.start()
SIZES = [(9, 5), (5, 5), (3, 3), (3, 5), (15, 3), (3, 15), (7, 5)]


def start(columns: int, rows: int) -> Position:
    return Position.start(RuleSet(columns=columns, rows=rows))


def played(*turns: str) -> Board:
    return Board.replay(Position.start(PROFILES["dimy"]), turns)


def test_unicode():
    assert board_text(start(5, 5), Look()) == (
        "5  ●───●───●───●───●\n"
        "   │ ╲ │ ╱ │ ╲ │ ╱ │\n"
        "4  ●───●───●───●───●\n"
        "   │ ╱ │ ╲ │ ╱ │ ╲ │\n"
        "3  ●───○───┼───●───○\n"
        "   │ ╲ │ ╱ │ ╲ │ ╱ │\n"
        "2  ○───○───○───○───○\n"
        "   │ ╱ │ ╲ │ ╱ │ ╲ │\n"
        "1  ○───○───○───○───○\n"
        "   a   b   c   d   e"
    )


def test_ascii():
    assert board_text(start(3, 3), Look(unicode=False)) == (
        "3  B---B---B\n   | \\ | / |\n2  B---+---W\n   | / | \\ |\n1  W---W---W\n   a   b   c"
    )


def test_narrow():
    assert board_text(start(3, 3), Look(width=8)) == (
        "3 ●─●─●\n  │╲│╱│\n2 ●─┼─○\n  │╱│╲│\n1 ○─○─○\n  a b c"
    )


def test_narrowest():
    text = board_text(START, Look(width=10))
    assert text == "5●●●●●●●●●\n4●●●●●●●●●\n3●○●○·●○●○\n2○○○○○○○○○\n1○○○○○○○○○\n abcdefghi"
    assert board_text(START, Look(width=1)) == text


def test_the_edge_of_an_empty_board():
    text = board_text(Position.parse("b2/3/2w w"), Look())
    assert [line[3:] for line in text.splitlines()[:5:2]] == ["●───┬───┐", "├───┼───┤", "└───┴───○"]


def test_flipped():
    lines = board_text(start(5, 5), Look(), flip=True).splitlines()
    assert lines[0] == "1  ○───○───○───○───○"
    assert lines[4] == "3  ○───●───┼───○───●"
    assert lines[-1] == "   e   d   c   b   a"


def test_diagonals_are_where_the_lines_are():
    for columns, rows in SIZES:
        position = start(columns, rows)
        lines = board_text(position, Look()).splitlines()
        found = set()
        for row, column in product(range(rows - 1), range(columns - 1)):
            sign = lines[2 * (rows - 2 - row) + 1][len(str(rows)) + 2 + 4 * column + 2]
            low, high = row * columns + column, (row + 1) * columns + column
            assert sign in "╲╱"
            found.add((low, high + 1) if sign == "╱" else (low + 1, high))
        drawn = {
            tuple(sorted(line))
            for line in position.geometry.lines()
            if abs(line[0] - line[1]) not in (1, columns)
        }
        assert {tuple(sorted(line)) for line in found} == drawn


@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_no_wider_than_the_terminal(size, unicode):
    for width in range(12, 90):
        text = board_text(start(*size), Look(unicode=unicode, width=width), Marks((0, 1, 2)))
        if size != (15, 3) or width >= 16:
            assert max(map(len, text.splitlines())) <= width


def test_marks_of_the_last_turn():
    board = played("b2-c3A", "e4-e5W-d4A")
    rows = board_text(board.position, Look(), marks_on(board)).splitlines()[:9:2]
    assert rows == [
        "5  ●───●───●───●───·",
        "4  ●───●───●──[●]──·",
        "3  ●───○───×───●───×",
        "2  ○───┼───○───○───×",
        "1  ○───○───○───○───×",
    ]
    narrow = board_text(board.position, Look(width=12), marks_on(board)).splitlines()
    assert narrow[2] == "4 ●─●─●[●]·"


def test_marks_at_the_edges():
    position = Position.parse("w1w/3/b1b w")
    for point, line in ((6, "3 [○]──·───○"), (8, "3  ○───·──[○]")):
        assert board_text(position, Look(), Marks((7, point))).splitlines()[0] == line


def test_marks_of_a_chain_in_progress():
    board = Board.parse("9/1b1b5/bw2b4/3w5/4b4 w")
    assert marks_on(board) == Marks()
    step = next(step for step in board.steps() if str(step) == "b3-c3W")
    board.push_step(step)
    marks = marks_on(board)
    assert marks.stone == board.position.geometry.point("c3")
    assert [board.position.geometry.name(point) for point in points_in(marks.taken)] == ["a3"]


def test_targets():
    assert "●───*───○" in board_text(start(3, 3), Look(), Marks(targets=1 << 4))


def test_colours_only_add():
    board = played("b2-c3A")
    plain = board_text(board.position, Look(), marks_on(board))
    colored = board_text(board.position, Look(color=True), marks_on(board))
    assert "\x1b[" in colored and "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


def test_stones_in_words():
    position = Position.parse("b2/3/ww1 w")
    assert stones_text(position, Side.WHITE) == "White has 2 stones: a1, b1."
    assert stones_text(position, Side.BLACK) == "Black has 1 stone: a3."
    assert stones_text(Position.parse("b2/3/3 w"), Side.WHITE) == "White has no stones."


def test_legend():
    assert legend_text(Look()) == "○ White   ● Black"
    assert "W = White" in legend_text(Look(unicode=False))


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Latin(Terminal):
    encoding = "iso-8859-1"


@pytest.fixture(autouse=True)
def _clean(monkeypatch):
    for name in ("NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def test_a_terminal_has_everything():
    look = detect(Terminal())
    assert (look.unicode, look.color) == (True, True)


@pytest.mark.parametrize("value", ["1", "0", "yes"])
def test_no_color(monkeypatch, value):
    monkeypatch.setenv("NO_COLOR", value)
    look = detect(Terminal())
    assert (look.unicode, look.color) == (True, False)


def test_empty_no_color_means_nothing(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "")
    assert detect(Terminal()).color


@pytest.mark.parametrize("term", ["dumb", "linux"])
def test_poor_terminals(monkeypatch, term):
    monkeypatch.setenv("TERM", term)
    look = detect(Terminal())
    assert (look.unicode, look.color) == (False, False)
    assert detect(Terminal(), unicode=True).unicode


def test_encodings_go_before_wishes():
    assert not detect(Latin(), unicode=True).unicode
    assert not detect(Terminal(), unicode=False).unicode


def test_no_terminal():
    look = detect(None)
    assert (look.unicode, look.color) == (False, False)


@pytest.mark.parametrize(("columns", "width"), [("10", 10), ("300", 300), ("0", 80), ("x", 80)])
def test_columns(monkeypatch, columns, width):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr("os.get_terminal_size", lambda *_: (_ for _ in ()).throw(OSError()))
    assert detect(Terminal()).width == width


def test_text_is_filled():
    assert wrapped(["  name   some words that go on"], 22) == (
        "  name   some words\n         that go on"
    )
    assert max(map(len, wrapped(["word " * 99], 10).splitlines())) <= 10
    assert max(map(len, wrapped(["word " * 99], 300).splitlines())) <= 80


def test_svg():
    import xml.etree.ElementTree as tree

    board = played("b2-c3A", "e4-e5W-d4A")
    root = tree.fromstring(board_svg(board.position, marks_on(board)))
    space = "{http://www.w3.org/2000/svg}"

    def count(name: str, kind: str) -> int:
        return sum(node.get("class") == kind for node in root.iter(f"{space}{name}"))

    assert count("circle", "white") == board.position.white.bit_count()
    assert count("circle", "black") == board.position.black.bit_count()
    assert count("line", "line") == len(board.position.geometry.lines())
    assert count("polyline", "path") == count("polygon", "head") == 1
    assert count("path", "taken") == 4
    assert "White has 8 stones" in root.findtext(f"{space}desc", "")


def test_svg_flipped_and_targets():
    text = board_svg(start(3, 3), Marks(targets=0b10000), flip=True)
    assert text.count('class="target"') == 1
    assert text != board_svg(start(3, 3), Marks(targets=0b10000))
