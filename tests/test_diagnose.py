"""What is said about a turn that is not legal: the rule that it breaks, in words."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import any_position

from fanorona_core import IllegalTurnError, Position, RuleSet, Turn
from fanorona_core.diagnose import breach_of_path, breach_of_stone, why_illegal
from fanorona_core.notation import parse_turn

START = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w"
MANY = "bb2bbbbb/b1b4bb/bw3b1bw/4b2ww/wwww1w1ww w"
TELO = "bbb/b1w/www w"
LONE = "8b/9/9/9/w8 w"


@pytest.mark.parametrize(
    ("position", "turn", "message"),
    [
        # The stone
        (START, "e3-e4", "no stone on e3"),
        (START, "e4-e3", "the stone on e4 belongs to Black"),
        # The point
        (TELO, "a4-a3", "no such point on a 3x3 board"),
        (TELO, "a2-a3A-c15W", "no such point on a 3x3 board"),
        (START, "a2-a3", "a3 is occupied"),
        (START, "a1-c3", "no line joins a1 and c3"),
        (LONE, "a1-a1", "no line joins a1 and a1"),
        ("8b/9/9/9/1w7 w", "b1-c2", "no line joins b1 and c2"),  # b1 is weak
        ("8b/9/9/9/1w7 w", "b1-a2", "no line joins b1 and a2"),
        # The capture
        ("8b/9/bw2b4/9/9 w", "b3-b4", "capture is compulsory: b3-c3W"),
        ("8b/9/bw2b4/9/8w w", "i1-h1", "capture is compulsory: b3-c3W"),
        ("8b/9/bw2b4/9/9 w", "b3-c3A", "b3-c3 captures: b3-c3W"),
        ("8b/9/bw2b4/9/9 w", "b3-c3", "b3-c3 captures: b3-c3W"),
        ("8b/9/bw2b4/9/9 w", "b3-b4A", "b3-b4 takes nothing by approach"),
        ("8b/9/bw2b4/9/9 w", "b3-b4W", "b3-b4 takes nothing by withdrawal"),
        (LONE, "a1-a2A", "a1-a2 takes nothing by approach"),
        (LONE, "a1-a2W", "a1-a2 takes nothing by withdrawal"),
        # The chain
        ("8b/9/bw2b4/9/9 w", "b3-c3W-d3A", "c3-d3 would repeat the direction east"),
        ("9/7b1/9/5w3/4b4 w", "f2-g3A-f2A", "f2 was visited in this turn"),
        (MANY, "b3-c3W-b3W", "b3 was visited in this turn"),
        (MANY, "b3-c3W-d3W", "c3-d3 would repeat the direction east"),
        (MANY, "b3-c3W-c4A", "c4 is occupied"),
        (MANY, "b3-c3W-f3A", "no line joins c3 and f3"),
    ],
)
def test_the_rule_is_named(position, turn, message):
    board = Position.parse(position)
    with pytest.raises(IllegalTurnError) as caught:
        board.play(Turn.from_text(turn, board.columns))
    assert str(caught.value) == f"{turn}: {message}"


@pytest.mark.parametrize("text", ["a1-a2-a3", "a1 a2 a3 a4"])
def test_a_paika_is_one_step(text):
    with pytest.raises(IllegalTurnError, match="a move without capture is a whole turn"):
        parse_turn(Position.parse(LONE), text)


def test_a_chain_that_must_go_on():
    compulsory = Position.parse(MANY, RuleSet.parse("tsivy-compulsory"))
    with pytest.raises(IllegalTurnError, match="b3-c3W: the chain must go on while it can: c3-"):
        compulsory.play(Turn.from_text("b3-c3W"))


def test_a_chain_of_another_stone():
    start = Position.parse(MANY)
    middle = start.play_step(next(step for step in start.steps() if str(step) == "b3-c3W"))
    for text in ("f1-f2A", "b3-c3A", "b3-b4A"):
        with pytest.raises(IllegalTurnError, match="the chain b3-c3W is in progress"):
            middle.play(Turn.from_text(text))


def test_the_first_turn_restriction():
    position = Position.parse(MANY, RuleSet.parse("first-turn=white-single"))
    with pytest.raises(IllegalTurnError, match="the first turn may have one capture only"):
        position.play(Turn.from_text("b3-c3W-b4A"))


@pytest.mark.parametrize("text", ["9/4w4/9/9/9 b", "9/9/9/bb7/wb7 w"])
def test_after_the_end(text):
    with pytest.raises(IllegalTurnError, match="the game is over, no turn is possible"):
        Position.parse(text).play(Turn.from_text("a1-a2"))


def test_a_turn_of_another_board():
    with pytest.raises(IllegalTurnError, match="another board"):
        Position.start().play(Turn.from_text("a1-a2", columns=5))


def test_captures_that_there_are_many_of_are_cut_short():
    position = Position.parse("1bbbbbbbb/9/1wwwwwwww/w8/8b w")
    assert len(position.steps()) > 5
    with pytest.raises(IllegalTurnError, match=r"capture is compulsory: .*, .* and [0-9]+ more$"):
        position.play(Turn.from_text("a2-a1"))


@given(any_position, st.data())
def test_there_is_always_a_reason(position, data):
    """Change one part of a legal turn: if that makes it illegal, some rule is named."""
    turns = position.legal_turns()
    assume(turns)
    parts = str(data.draw(st.sampled_from(turns))).split("-")
    index = data.draw(st.integers(1, len(parts) - 1))
    points = range(position.geometry.points)
    point = position.geometry.name(data.draw(st.sampled_from(points)))
    letter = parts[index].lstrip("abcdefghijklmno0123456789")
    change = data.draw(st.sampled_from(["point", "letter", "cut", "start"]))
    if change == "point":
        parts[index] = point + letter
    elif change == "letter":
        parts[index] = parts[index].translate(str.maketrans("AW", "WA"))
    elif change == "cut":
        parts = parts[: index + 1]
    else:
        parts[0] = point
    turn = Turn.from_text("-".join(parts), position.columns)
    assume(not position.is_legal(turn))
    reason = why_illegal(position, turn)
    assert reason.startswith(f"{turn}: ") and "\n" not in reason
    assert reason != f"{turn}: not a legal turn"
    with pytest.raises(IllegalTurnError) as caught:
        position.play(turn)
    assert str(caught.value) == reason


@pytest.mark.parametrize("point", [-1, 45])
def test_points_that_the_board_has_not(point):
    with pytest.raises(IndexError, match=f"point {point} is not on a 9x5 board"):
        breach_of_stone(Position.start(), point)
    with pytest.raises(IndexError, match=f"point {point} is not on a 9x5 board"):
        breach_of_path(Position.start(), [point, 0], [None])


def test_a_path_has_a_kind_for_each_step():
    with pytest.raises(ValueError, match="2 kinds, expected one for each step of 2 points"):
        breach_of_path(Position.start(), [12, 22], ["A", "W"])
