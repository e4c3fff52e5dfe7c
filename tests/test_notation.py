"""Reading turns as people type them, and writing them back."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import any_position, positions

from fanorona_core import (
    IllegalTurnError,
    InvalidPositionError,
    NotationError,
    Position,
    RulesError,
    Turn,
    format_position,
    format_turn,
    parse_position,
    parse_turn,
)
from fanorona_core.notation import parse_path

MANY = "bb2bbbbb/b1b4bb/bw3b1bw/4b2ww/wwww1w1ww w"
LONGEST = "f1-f2A-g3A-f3W-f4A-e3W-e4W-d4A-c3W-b4A-c5W-d5W"


# Round trips


@given(any_position, st.data())
def test_every_legal_turn_is_read_back(position, data):
    turns = position.legal_turns()
    assume(turns)
    turn = data.draw(st.sampled_from(turns))
    assert parse_turn(position, format_turn(turn)) == turn
    assert Turn.from_text(str(turn), position.columns) == turn
    assert eval(repr(turn)) == turn


@given(any_position, st.data())
def test_spelling_does_not_matter(position, data):
    """Any case and any separators between the parts of the canonical text."""
    turns = position.legal_turns()
    assume(turns)
    turn = data.draw(st.sampled_from(turns))
    separator = st.sampled_from(["-", " ", ",", ">", "x", "", ", ", " -> ", "\t", "–", " X "])
    parts = re.findall(r"[a-o][0-9]+|[AW]", str(turn))
    text = parts[0]
    for part in parts[1:]:
        gap = data.draw(separator)
        text += gap + (part.lower() if data.draw(st.booleans()) else part.upper())
    assert parse_turn(position, f"  {text} ") == turn


@given(any_position)
def test_position_text_is_read_back(position):
    assert parse_position(format_position(position)) == position


@given(positions(), st.text(max_size=40))
def test_no_text_breaks_the_reader(position, text):
    try:
        turn = parse_turn(position, text)
    except (NotationError, IllegalTurnError) as error:
        assert "\n" not in str(error)
    else:
        assert position.is_legal(turn)


@given(positions(), st.text("abcdefghio0123456789AWx- ,>", max_size=16))
def test_no_path_breaks_the_reader(position, text):
    try:
        turn = parse_turn(position, text)
    except (NotationError, IllegalTurnError) as error:
        assert "\n" not in str(error)
    else:
        assert position.is_legal(turn)


@given(st.text(max_size=60))
def test_no_text_breaks_the_position_reader(text):
    try:
        assert parse_position(text).text()
    except (InvalidPositionError, RulesError) as error:
        assert "\n" not in str(error)


@given(st.text("wbWB0123456789/ -", max_size=60))
def test_no_row_breaks_the_position_reader(text):
    try:
        position = parse_position(text)
    except (InvalidPositionError, RulesError) as error:
        assert "\n" not in str(error)
    else:
        assert parse_position(position.text()) == position


# Lenient spellings


@pytest.mark.parametrize(
    "text",
    [
        "d2-e3A",
        "d2e3",
        "D2E3",
        "d2 e3",
        "d2,e3a",
        "d2>e3",
        "d2->e3",
        "d2 – e3",
        "d2—e3",
        "d2→e3",
        "d2xe3",
        "D2XE3A",
        "d2 x e3 A",
        "  d2-e3  ",
        "d2--e3",
    ],
)
def test_spellings_of_one_turn(text):
    assert str(parse_turn(Position.start(), text)) == "d2-e3A"


@pytest.mark.parametrize("text", ["b2a3A", "B2-A3a", "b2 a3 a", "b2a3a", "B2A3A", "b2,A3,A"])
def test_a_is_a_column_and_a_letter(text):
    position = Position.parse("9/9/9/1w7/2b6 w")
    assert "b2-a3W" in {str(turn) for turn in position.legal_turns()}
    with pytest.raises(IllegalTurnError, match="b2-a3 captures: b2-a3W"):
        parse_turn(position, text)
    points, kinds = parse_path(position, text)
    assert ([position.geometry.name(p) for p in points], kinds) == (["b2", "a3"], ["A"])


@pytest.mark.parametrize("text", ["a2a3", "a2a3a", "A2A3A", "a2-A3-a", "a2 a3 a", "A2xA3A"])
def test_column_a_all_the_way(text):
    assert str(parse_turn(Position.parse("9/b8/9/w8/9 w"), text)) == "a2-a3A"


@pytest.mark.parametrize("text", ["b2a", "b2 a", "b2-A", "b2W", "a", "W", "b2", "", "   ", "-"])
def test_a_turn_has_two_points(text):
    with pytest.raises(NotationError):
        parse_turn(Position.start(), text)


@pytest.mark.parametrize(
    ("text", "points", "kinds"),
    [
        ("a1a2", ["a1", "a2"], [None]),
        ("a1a2a", ["a1", "a2"], ["A"]),
        ("a1a2aa3w", ["a1", "a2", "a3"], ["A", "W"]),
        ("a1a2a3", ["a1", "a2", "a3"], [None, None]),
        ("a1 a2 a a3", ["a1", "a2", "a3"], ["A", None]),
        ("d2e3Af4W", ["d2", "e3", "f4"], ["A", "W"]),
        ("d2e3f4W", ["d2", "e3", "f4"], [None, "W"]),
    ],
)
def test_paths(text, points, kinds):
    position = Position.start()
    found, letters = parse_path(position, text)
    assert ([position.geometry.name(point) for point in found], letters) == (points, kinds)


def test_rows_of_two_digits():
    text = "/".join(["3"] * 3 + ["w2"] + ["3"] * 10 + ["2b"]) + " w"
    position = Position.parse(text)
    assert str(parse_turn(position, "a12a11")) == "a12-a11"
    assert str(parse_turn(position, "A12 B12")) == "a12-b12"


# Letters left out


def test_a_missing_letter_is_filled_in_where_one_turn_is_left():
    assert str(parse_turn(Position.start(), "d2e3")) == "d2-e3A"
    path = "f1 f2 g3 f3 f4 e3 e4 d4 c3 b4 c5 d5"
    assert str(parse_turn(Position.parse(MANY), path)) == LONGEST


def test_an_ambiguous_turn_lists_its_candidates():
    with pytest.raises(NotationError) as caught:
        parse_turn(Position.start(), "d3e3")
    assert str(caught.value) == "turn 'd3e3' may be d3-e3A or d3-e3W: say which"


def test_letters_in_the_middle_may_decide():
    """f2-g3 captures both ways: the same points, two turns."""
    position = Position.parse("9/7b1/9/5w3/4b4 w")
    with pytest.raises(NotationError, match="f2-g3A or f2-g3W"):
        parse_turn(position, "f2 g3")
    assert str(parse_turn(position, "f2 g3 w")) == "f2-g3W"


def test_many_candidates_are_cut_short():
    position = Position.parse("2w1b2bb/1bbb1bb2/ww3b2b/b3b2bb/bbbbb1bbb w")
    groups = {}
    for turn in position.legal_turns():
        groups.setdefault(turn.points, []).append(turn)
    points, turns = max(groups.items(), key=lambda item: len(item[1]))
    if len(turns) > 8:
        with pytest.raises(NotationError, match="others: say which"):
            parse_turn(position, " ".join(position.geometry.name(point) for point in points))


# In the middle of a chain


def test_the_rest_of_a_chain_is_enough():
    start = Position.parse(MANY)
    middle = start.play_step(next(step for step in start.steps() if str(step) == "b3-c3W"))
    assert str(parse_turn(middle, "b3-c3W-b4A")) == "b3-c3W-b4A"
    assert str(parse_turn(middle, "c3b4")) == "b3-c3W-b4A"
    assert str(parse_turn(middle, "b3c3")) == "b3-c3W"
    with pytest.raises(IllegalTurnError, match="the chain b3-c3W is in progress"):
        parse_turn(middle, "f1f2")


# Malformed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("e9-e8", "no point 'e9' on a 9x5 board"),
        ("j1-i1", "no point 'j1' on a 9x5 board"),
        ("e0-e1", "no point 'e0'"),
        ("e3-e33333333333333", "no point 'e333'"),
        ("castle", "cannot read 'castle'"),
        ("d3*e3", "cannot read '*e3'"),
        ("d3-e3B", "cannot read 'b'"),
        ("A d3-e3", "the letter a must follow"),
        ("d3A-e3", "the letter a must follow"),
        ("d3-e3AA", "the letter a must follow"),
        ("d3-e3AW", "the letter w must follow"),
        ("d3", "expected two points or more"),
        ("", "expected two points or more"),
        ("1. d3-e3A", "cannot read '1. d3"),
        ("x" * 100_000, "cannot read"),
        ("d3" * 100_000, ""),
    ],
)
def test_malformed_turns(text, message):
    with pytest.raises((NotationError, IllegalTurnError)) as caught:
        parse_turn(Position.start(), text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text",
    [
        "",
        "d3e3A",
        "D3-e3A",
        "d3-e3a",
        " d3-e3A",
        "d3-e3A ",
        "d3-e3A\n",
        "d3-e3-f4A",
        "d3-e3A-f4",
        "d3",
        "d3-",
        "d03-e3A",
        "d3-e03",
        "d0-e3",
        "p1-o1",
        "j1-i1",
        "d3-e99",
        "d3–e3",
    ],
)
def test_only_canonical_text_makes_a_turn(text):
    with pytest.raises(ValueError):
        Turn.from_text(text)


def test_canonical_text_of_other_boards():
    turn = Turn.from_text("o3-n3A", columns=15)
    assert repr(turn) == "Turn.from_text('o3-n3A', columns=15)"
    assert Turn.from_text("a1-b1", columns=3) != Turn.from_text("a1-b1", columns=5)
    for columns in (1, 4, 17):
        with pytest.raises(ValueError, match=f"{columns} columns"):
            Turn.from_text("a1-b1", columns)


def test_what_is_no_point_or_turn_is_a_notation_error():
    board = Position.start().geometry
    for read, text in ((board.point, "z9"), (Turn.from_text, "z9"), (Turn.from_text, "i1-j1")):
        with pytest.raises(NotationError):
            read(text)
