"""Turns as they are typed: whole, step by step, and what is wrong with others."""

import pytest

from fanorona_cli.entry import looks_like_turn, read_entry, turn_of
from fanorona_core import PROFILES, FanoronaError, Position

# b3-c3W can go on to b2; d2 has many chains.
MANY = Position.parse("9/1b1b5/bw2b4/3w5/4b2b1 w")


def after(position: Position, *steps: str) -> Position:
    for text in steps:
        position = position.play_step(next(step for step in position.steps() if str(step) == text))
    return position


def read(position: Position, text: str) -> str:
    entry = read_entry(position, text)
    return str(turn_of(entry.steps)) + ("." if entry.stop else "")


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("f2-e3A", "f2-e3A"),
        ("F2 E3", "f2-e3A"),
        ("f2e3a", "f2-e3A"),
        ("f2>e3", "f2-e3A"),
        ("  f2,e3.", "f2-e3A."),
        ("d3-e3w", "d3-e3W"),
        ("d3xe3 A", "d3-e3A"),
    ],
)
def test_lenient(text, turn):
    assert looks_like_turn(text.strip())
    assert read(Position.start(), text) == turn


def test_whole_chains():
    assert read(MANY, "d2-c3A-b2W-c1W-d1A") == "d2-c3A-b2W-c1W-d1A"
    # The last step decides the kind of the first: after W no b2 is left to go to d3.
    assert read(MANY, "d2 d3 c3") == "d2-d3A-c3W"


@pytest.mark.parametrize("text", ["b2", "b2w", "c3-b2", "c3b2W", "b3-c3-b2", "b3-c3W-b2W"])
def test_the_chain_goes_on(text):
    assert read(after(MANY, "b3-c3W"), text) == "c3-b2W"


def test_two_more_steps():
    assert read(after(MANY, "d2-c3A"), "b2 c1") == "c3-b2W-c1W"


@pytest.mark.parametrize(
    ("position", "text", "message"),
    [
        (Position.start(), "d3e3", "d3e3 may be d3-e3A or d3-e3W: add A or W"),
        (Position.start(), "a1-b2", "a1-b2: b2 is occupied"),
        (Position.start(), "e4-e3", "e4-e3: the stone on e4 belongs to Black"),
        (Position.start(), "e3-e4", "e3-e4: no stone on e3"),
        (Position.start(), "e1-e3", "e1-e3: no line joins e1 and e3"),
        (Position.start(), "d2-e3W", "d2-e3W: d2-e3 captures: d2-e3A"),
        (Position.start(), "d3-e3A-f3", "d3-e3A-f3: e3-f3 would repeat the direction east"),
        (
            Position.parse("8b/9/bw2b4/9/9 w"),
            "b3-b4",
            "b3-b4: capture is compulsory: b3-c3W",
        ),
        (
            Position.parse("8b/9/bw2b4/9/9 w"),
            "b3-c3-d3",
            "c3-d3 would repeat the direction east",
        ),
        (after(MANY, "b3-c3W"), "d3", "d3: c3-d3 would repeat the direction east"),
        (after(MANY, "b3-c3W"), "b3", "b3: b3 was visited in this turn"),
        (after(MANY, "b3-c3W"), "c3", "c3: the stone stands on c3 already"),
        (after(MANY, "b3-c3W"), "b3-c3W", "can only go on from there (c3-b2W)"),
        (after(MANY, "b3-c3W"), "b3-b2W", "can only go on from there (c3-b2W)"),
        (after(MANY, "b3-c3W"), "d2-d3A", "can only go on from there (c3-b2W)"),
        (Position.start(), "j1-j2", "'j1' on a 9x5 board"),
        (Position.start(), "a1-a99999999999", "on a 9x5 board"),
        (Position.start(PROFILES["telo"]), "d1-c1", "on a 3x3 board"),
    ],
)
def test_refused(position, text, message):
    with pytest.raises(FanoronaError) as error:
        read_entry(position, text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["draw", "e", "", "3", "help a1", "a1 to b2", "undo", "9x5"])
def test_not_turns(text):
    assert not looks_like_turn(text)


@pytest.mark.parametrize("text", ["b2a3", "B2-A3a", "b2 a3 a"])
def test_the_letter_a_is_a_column_too(text):
    position = Position.parse("9/b8/9/1w7/9 w")
    assert read(Position.parse("b8/9/9/1w7/9 w"), text.rstrip("aA")) == "b2-a3"
    with pytest.raises(FanoronaError):
        read_entry(position, "b2a")
