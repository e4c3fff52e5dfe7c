"""How boards are laid out and drawn, without a screen."""

import pytest

from fanorona_cli.tui.drawing import Picture, View, draw
from fanorona_cli.tui.glyphs import ASCII, UNICODE, stone_rows
from fanorona_cli.tui.layout import MAX_SCALE, Layout, fit
from fanorona_core import PROFILES, Position, RuleSet, Side

SIZES = [(9, 5), (5, 5), (3, 3), (3, 15), (15, 3), (5, 9)]


def picture(view: View, scale: int, flip: bool = False, glyphs=UNICODE) -> Picture:
    return draw(view, Layout(view.position.columns, view.position.rows, scale, flip), glyphs)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scale", range(1, MAX_SCALE + 1))
@pytest.mark.parametrize("flip", [False, True])
def test_each_point_is_where_it_is_clicked(size, scale, flip):
    layout = Layout(*size, scale, flip)
    seen = set()
    for point in range(size[0] * size[1]):
        x, y = layout.cell(point)
        assert 0 <= x < layout.width and 0 <= y < layout.height
        assert layout.point_at(x, y) == point
        seen.add((x, y))
    assert len(seen) == size[0] * size[1]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scale", range(1, MAX_SCALE + 1))
def test_everything_fits_into_the_layout(size, scale):
    rules = RuleSet(columns=size[0], rows=size[1])
    position = Position.start(rules)
    for point in (0, position.geometry.points - 1):
        drawn = picture(View(position, focus=point), scale)
        text = [cell.char for row in drawn.rows for cell in row]
        # Both halves of the focus are inside, so nothing was cut off.
        marks = [c for c in text if c in "[]┏┓┗┛"]
        assert len(marks) == (2 if drawn.layout.stone[1] == 1 else 4)


def test_the_board_at_60_by_20_has_room_beside_a_panel():
    assert fit(9, 5, 39, 15) is not None
    assert fit(9, 5, 39, 15).scale == 2


def test_larger_rooms_have_larger_boards():
    scales = [fit(9, 5, width, width // 3).scale for width in range(30, 300, 10)]
    assert scales == sorted(scales)
    assert (scales[0], scales[-1]) == (1, MAX_SCALE)
    assert fit(9, 5, 1000, 1000).scale == MAX_SCALE


def test_no_board_where_there_is_no_room():
    assert fit(9, 5, 19, 5) is None


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("scale", range(1, MAX_SCALE + 1))
def test_stones_differ_in_shape(glyphs, scale):
    width, height = Layout(9, 5, scale).stone
    white, black = (stone_rows(glyphs, side, width, height) for side in Side)
    assert white != black
    assert {len(row) for row in white + black} == {width}
    assert (len(white), len(black)) == (height, height)


@pytest.mark.parametrize("scale", range(1, MAX_SCALE + 1))
def test_the_ascii_set_is_ascii(scale):
    view = View(
        Position.start(),
        focus=0,
        selected=12,
        movable=1 << 13,
        targets={22: "1/2"},
        approach=1 << 30,
    )
    assert picture(view, scale, glyphs=ASCII).text().isascii()


def test_strong_and_weak_points_are_told_apart():
    position = Position.parse("5/5/w3b w")
    for scale in range(1, 6):
        drawn = picture(View(position), scale)
        layout = drawn.layout
        chars = {True: set(), False: set()}
        for point in range(15):
            if not (position.white | position.black) >> point & 1:
                x, y = layout.cell(point)
                chars[position.geometry.is_strong(point)].add(drawn.rows[y][x].char)
        assert chars[True] == {"◆"}
        assert "◆" not in chars[False]


def test_diagonals_only_join_strong_points():
    drawn = picture(View(Position.parse("3/3/wb1 w")), 2, glyphs=ASCII)
    assert drawn.text().splitlines() == [
        "3   *---+---*",
        "    | \\ | / |",
        "2   +---*---+",
        "    | / | \\ |",
        "1  (W)-#B#--*",
        "    a   b   c",
    ]


def test_flipped_boards_are_turned_by_half():
    position = Position.start(PROFILES["telo"])
    assert picture(View(position), 1).text().splitlines()[0].startswith("3 ●")
    flipped = picture(View(position), 1, flip=True).text().splitlines()
    assert flipped[0].startswith("1 ○")
    assert flipped[-1].split() == ["c", "b", "a"]


def test_marks_of_a_choice():
    position = Position.parse("5/bbw1b/5 w")
    name = position.geometry.point
    view = View(
        position,
        selected=name("c2"),
        targets={name("d2"): "1/2"},
        approach=1 << name("e2"),
        withdrawal=1 << name("a2") | 1 << name("b2"),
    )
    drawn = picture(view, 3)
    layout = drawn.layout

    def at(point: str):
        x, y = layout.cell(name(point))
        return drawn.rows[y][x]

    assert (at("e2").char, at("e2").ground) == ("A", "approach")
    assert (at("a2").char, at("a2").ground) == ("W", "withdrawal")
    assert at("c2").ground == "selected"
    assert "1/2" in drawn.text()
    # In a small drawing two numbers have no room.
    assert picture(view, 1).text().splitlines()[1] == "2 W─W─○─?─A"
