"""Positions: text, checks, symmetries, steps and the traps of the rules."""

import copy
import itertools
import pickle

import pytest
from hypothesis import given
from perft_data import DATA
from strategies import any_position, positions, positions_with_chains

from fanorona_core import (
    PROFILES,
    FanoronaError,
    IllegalTurnError,
    InvalidPositionError,
    Position,
    RuleSet,
    Side,
    Turn,
    geometry,
)

MANY = "bb2bbbbb/b1b4bb/bw3b1bw/4b2ww/wwww1w1ww w"
LONGEST = "f1-f2A-g3A-f3W-f4A-e3W-e4W-d4A-c3W-b4A-c5W-d5W"


def turns(text, rules=None):
    position = Position.parse(text, None if rules is None else RuleSet.parse(rules))
    return sorted(str(turn) for turn in position.legal_turns())


def step_named(position, text):
    return next(step for step in position.steps() if str(step) == text)


# Values


@given(any_position)
def test_text_gives_an_equal_position(position):
    again = Position.parse(position.text())
    assert again == position and hash(again) == hash(position)
    assert again.text() == position.text()
    assert again.chain == position.chain and again.rules == position.rules


@given(any_position)
def test_copies_are_equal(position):
    assert pickle.loads(pickle.dumps(position)) == position
    assert copy.copy(position) == copy.deepcopy(position) == position
    assert eval(repr(position)) == position


@given(positions())
def test_upper_case_stones_mean_the_same(position):
    stones, rest = position.text().split(" ", 1)
    assert Position.parse(f"{stones.upper()} {rest}") == position


@given(positions())
def test_a_position_is_its_parts(position):
    again = Position(
        position.white,
        position.black,
        position.side,
        position.rules,
        quiet=position.quiet,
        turn_number=position.turn_number,
    )
    assert again == position
    assert position.stones(Side.WHITE) == position.white
    assert position.stones(Side.BLACK) == position.black
    assert position.geometry is geometry(position.columns, position.rows)


@pytest.mark.parametrize(
    ("changes", "equal"),
    [
        ({}, True),
        ({"quiet": 1}, False),
        ({"turn_number": 2}, False),
        ({"side": Side.BLACK}, False),
        ({"white": 2}, False),
        ({"rules": PROFILES["youzai"]}, False),
    ],
)
def test_equality_takes_in_every_part(changes, equal):
    parts = {"white": 1, "black": 1 << 44, "side": Side.WHITE, "rules": PROFILES["tsivy"]}
    assert (Position(**parts) == Position(**{**parts, **changes})) is equal
    assert Position(**parts) != "another type"


def test_the_picture_shows_lines_and_side():
    assert str(Position.parse("8b/9/4w4/9/w8 w")).splitlines() == [
        " 5 .-.-.-.-.-.-.-.-b",
        "   |\\|/|\\|/|\\|/|\\|/|",
        " 4 .-.-.-.-.-.-.-.-.",
        "   |/|\\|/|\\|/|\\|/|\\|",
        " 3 .-.-.-.-w-.-.-.-.",
        "   |\\|/|\\|/|\\|/|\\|/|",
        " 2 .-.-.-.-.-.-.-.-.",
        "   |/|\\|/|\\|/|\\|/|\\|",
        " 1 w-.-.-.-.-.-.-.-.",
        "   a b c d e f g h i  White to move",
    ]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("9/9/4w4/9/8b w", "tsivy"),
        ("5/5/2w2/5/4b w", "dimy"),
        ("3/1w1/2b b", "telo"),
        ("5/1w3/4b b", "board=5x3"),
        ("9/9/4w4/9/8b w - 0 1 youzai", "youzai"),
        ("9/9/4w4/9/8b w - 0 1 dimy,board=9x5", "tsivy"),
    ],
)
def test_rules_follow_from_the_text_or_the_size(text, rules):
    assert Position.parse(text).rules == RuleSet.parse(rules)


def test_rules_in_the_text_go_before_the_argument():
    theory = PROFILES["theory"]
    assert Position.parse("9/9/4w4/9/8b w", theory).rules == theory
    assert Position.parse("9/9/4w4/9/8b w - 0 1 youzai", theory).rules == PROFILES["youzai"]


@pytest.mark.parametrize(
    ("stones", "message"),
    [
        ("8/9/9/9/w7b", "row 5 has 8 points, expected 9"),
        ("333b5/9/9/9/w7b", "row 5 has 339 points, expected 9"),
        ("/9/9/9/9/w7b", "row 6 has 0 points, expected 9"),
        ("x8/9/9/9/w7b", "row 5 has 'x', expected w, b or a number of empty points"),
        (
            "0b/9/9/8/w7b",
            "row 5 has '0', expected w, b or a number of empty points; row 2 has 8 points, "
            "expected 9",
        ),
    ],
)
def test_only_the_rows_that_are_wrong_are_named(stones, message):
    with pytest.raises(InvalidPositionError) as error:
        Position.parse(f"{stones} w")
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "0 fields"),
        ("9/9/9/9/w7b", "does not say whose turn it is: expected w or b"),
        ("9/9/9/9/w7b w - 0 1 tsivy more", "7 fields"),
        ("9/9/9/w7b w", "no board of 9x4"),
        ("4/4/2wb w", "no board of 4x3"),
        ("9/9/9/9/9/9/w7b w", "no board of 9x7"),
        ("9/9/9/9/w7b w - 0 1 dimy", "row 1 has 9 points, expected 5"),
        ("9/9/9/9/w8b w", "row 1 has 10 points, expected 9"),
        ("9/9/9/9/w6b w", "row 1 has 8 points, expected 9"),
        ("9/8/9/9/w7b w", "row 4 has 8 points, expected 9"),
        ("9/9/9//w7b w", "row 2 has 0 points, expected 9"),
        ("9/9/9/9/w7x w", "row 1 has 'x'"),
        ("9/9/9/9/w07b w", "row 1 has '07'"),
        ("9/9/9/9/²w7b w", "row 1 has '²'"),
        ("9/9/9/9/٣w5b w", "row 1 has '٣'"),
        ("9/9/9/9/w7b x", "side 'x': expected w or b"),
        ("9/9/9/9/w7b W - -1 1", "quiet counter '-1': expected a number"),
        ("9/9/9/9/w7b w - 1.5 1", "quiet counter '1.5'"),
        ("9/9/9/9/w7b w - ２ 1", "quiet counter '２'"),
        ("9/9/9/9/w7b w - 0 0", "turn number 0: expected 1"),
        ("9/9/9/9/w7b w - 0 1234567890", "turn number '1234567890'"),
        ("9/9/9/9/9 w", "no stones on the board"),
        ("9/9/9/9/w7b w a1", "chain 'a1'"),
        ("9/9/9/9/w7b w a1-b2", "chain a1-b2 cannot have led"),
        ("9/9/9/9/w7b w d3-e3A", "chain d3-e3A cannot have led"),
        ("bbb/b1w/www w a4-a1A", "chain a4-a1A cannot have led"),
        ("bbb/b1w/www w a2-a1A-c15W", "chain a2-a1A-c15W cannot have led"),
        ("9/9/9/9/w7b w a01-b1A", "chain 'a01-b1A'"),
        ("9/9/9/9/w7b w - 0 1 unknown", "'unknown'"),
        ("9/9/9/9/w7b w - 0 1 tsivy,turns=none,", ""),
    ],
)
def test_malformed_text_is_refused(text, message):
    with pytest.raises(FanoronaError) as caught:
        Position.parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("text", ["9" * 100_000 + "/9 w", "b" * 100_000 + " w", "/" * 9999 + " w"])
def test_a_very_long_text_is_refused(text):
    with pytest.raises(InvalidPositionError):
        Position.parse(text)


def test_counters_stay_at_the_largest_that_is_read_back():
    position = Position.parse("8b/9/9/9/w8 w - 999999999 999999999")
    after = position.play(position.legal_turns()[0])
    assert (after.quiet, after.turn_number) == (999_999_999, 999_999_999)
    assert Position.parse(after.text()) == after


def test_another_side_is_a_fault():
    with pytest.raises(InvalidPositionError, match=r"side 2: expected Side\.WHITE"):
        Position(1, 2, 2)


def test_every_fault_is_named():
    with pytest.raises(InvalidPositionError) as caught:
        Position.parse("9/8/9/9/w7x q a1 x y tsivy")
    assert len(caught.value.reasons) == 2  # the stones first: without a board nothing else is read
    with pytest.raises(InvalidPositionError) as caught:
        Position.parse("9/9/9/9/w7b q a1 x y tsivy")
    assert len(caught.value.reasons) == 4
    with pytest.raises(InvalidPositionError) as caught:
        Position(1 << 45 | 1, 1, Side.WHITE, quiet=-1, turn_number=0)
    assert len(caught.value.reasons) == 4


@pytest.mark.parametrize("count", [-1, 10**9, 2**31, 2**70])
def test_counters_have_limits(count):
    with pytest.raises(InvalidPositionError):
        Position(1, 2, Side.WHITE, quiet=count)
    with pytest.raises(InvalidPositionError):
        Position(1, 2, Side.WHITE, turn_number=count)


# The positions of the rules


def test_the_five_first_steps():
    start = Position.start()
    taken = {
        str(turn): {start.geometry.name(p) for p in range(45) if start.captured(turn)[0] >> p & 1}
        for turn in start.legal_turns()
    }
    assert taken == {
        "d2-e3A": {"f4", "g5"},
        "d3-e3A": {"f3"},
        "d3-e3W": {"c3"},
        "e2-e3A": {"e4", "e5"},
        "f2-e3A": {"d4", "c5"},
    }
    assert sorted(map(str, start.steps())) == sorted(taken)


def test_the_board_of_tsivy():
    board = Position.start().geometry
    assert len(board.lines()) == 108
    assert all(board.is_strong(board.point(name)) for name in ("a1", "c1", "e3"))
    assert not board.is_strong(board.point("b1"))
    for p, q in board.lines():
        if board.direction_name(p, q) not in ("east", "north"):
            assert board.is_strong(p) and board.is_strong(q)


def test_a_second_step_may_not_repeat_the_direction():
    assert turns("8b/9/bw2b4/9/9 w") == ["b3-c3W"]


def test_a_chain_may_not_return_to_its_start():
    assert turns("9/7b1/9/5w3/4b4 w") == ["f2-g3A", "f2-g3W"]


def test_a_direction_may_come_back_after_another():
    assert "f3-e3A-d2A-c2A" in turns("9/9/3b1w3/1b7/2b6 w")


@pytest.mark.parametrize("rules", ["tsivy", "tsivy-compulsory"])
def test_forty_seven_turns(rules):
    lines = (DATA / "forty_seven_turns.txt").read_text(encoding="utf-8").splitlines()
    expected = [line for line in lines if not line.startswith("#")]
    assert len(expected) == 47
    if rules == "tsivy-compulsory":  # only the turns that no other turn goes on from
        expected = [t for t in expected if not any(o.startswith(t + "-") for o in expected)]
    found = turns(MANY, rules)
    assert found == sorted(expected)
    assert max(found, key=len) == LONGEST


def test_no_legal_turn():
    position = Position.parse("9/9/9/bb7/wb7 w")
    assert position.legal_turns() == position.steps() == []
    assert not position.has_turn() and position.count_turns() == 0


@pytest.mark.parametrize("side", "wb")
def test_without_stones_nobody_has_a_turn(side):
    position = Position.parse(f"9/4w4/9/9/9 {side}")
    assert not position.has_turn() and position.legal_turns() == position.steps() == []
    assert not position.is_legal(Turn.from_text("e4-e5"))


def test_lone_stones_only_have_paikas():
    assert turns("8b/9/9/9/w8 w") == ["a1-a2", "a1-b1", "a1-b2"]
    assert turns("8b/9/9/9/1w7 w") == ["b1-a1", "b1-b2", "b1-c1"]  # b1 is weak


def test_a_position_with_very_many_turns_is_listed_completely():
    position = Position.parse("2w1b2bb/1bbb1bb2/ww3b2b/b3b2bb/bbbbb1bbb w")
    found = position.legal_turns()
    assert len(found) == len(set(found)) == position.count_turns() == 14213
    assert len({position.play(turn) for turn in found}) <= position.perft(1, "merged") == 13835
    assert all(position.is_legal(turn) for turn in found)


# Chains, step by step


def test_steps_lead_to_the_whole_turn():
    position = Position.parse(MANY)
    middle = position
    parts = LONGEST.split("-")
    for start, landing in itertools.pairwise(parts):
        middle = middle.play_step(step_named(middle, f"{start.rstrip('AW')}-{landing}"))
    assert middle == position.play(Turn.from_text(LONGEST))
    assert middle.chain is None and middle.side is Side.BLACK and middle.turn_number == 2


def test_a_chain_in_progress():
    position = Position.parse(MANY)
    middle = position.play_step(step_named(position, "b3-c3W"))
    assert str(middle.chain) == "b3-c3W" and middle.side is Side.WHITE
    assert middle.can_stop and middle.must_capture and middle.has_turn()
    assert not position.can_stop
    expected = [turn for turn in turns(MANY) if turn.startswith("b3-c3W")]
    assert turns(middle.text()) == expected
    assert middle.stop() == position.play(Turn.from_text("b3-c3W"))
    assert middle.captured(Turn.from_text("b3-c3W")) == (0,)
    assert not middle.is_legal(Turn.from_text("f1-f2A"))


def test_a_compulsory_chain_may_not_stop():
    position = Position.parse(MANY, PROFILES["tsivy-compulsory"])
    middle = position.play_step(step_named(position, "b3-c3W"))
    assert not middle.can_stop
    with pytest.raises(IllegalTurnError, match="must go on"):
        middle.stop()
    with pytest.raises(IllegalTurnError, match="must go on"):
        middle.play(Turn.from_text("b3-c3W"))


def test_there_is_nothing_to_stop_before_a_step():
    with pytest.raises(IllegalTurnError, match="no chain to stop"):
        Position.start().stop()


def test_an_impossible_step_is_refused():
    start = Position.start()
    other = Position.parse("8b/9/9/9/w8 w").steps()[0]
    with pytest.raises(IllegalTurnError, match="a1-b1"):
        start.play_step(other)


@given(positions_with_chains())
def test_steps_and_turns_agree(position):
    """Every first step begins a legal turn, and every legal turn begins with a step."""
    played = 0 if position.chain is None else len(position.chain)
    begins = {
        (turn.points[played], turn.points[played + 1], turn.kinds[played : played + 1])
        for turn in position.legal_turns()
        if len(turn) > played
    }
    assert begins == {(step.start, step.end, step.kind) for step in position.steps()}


@pytest.mark.parametrize(
    "chain",
    [
        "b3-c3W-b3W",  # back to its start
        "c4-c3A",  # from an occupied point
        "a3-b3W",  # another stone
        "b3-c3W-d3W",  # the same direction twice
    ],
)
def test_an_impossible_chain_is_refused(chain):
    middle = Position.parse(MANY)
    middle = middle.play_step(step_named(middle, "b3-c3W"))
    text = middle.text().replace("b3-c3W", chain)
    with pytest.raises(InvalidPositionError, match="cannot have led"):
        Position.parse(text)


def test_a_finished_chain_is_no_chain_in_progress():
    with pytest.raises(InvalidPositionError, match="with more to capture"):
        Position.parse("8b/9/2w1b4/9/9 w b3-c3W")


# First-turn restriction


@pytest.mark.parametrize("continuation", ["optional", "compulsory"])
def test_white_single(continuation):
    options = f"first-turn=white-single,continuation={continuation}"
    singles = ["a1-a2A", "b3-b4A", "b3-c3W", "c1-b2A", "f1-f2A"]
    text = MANY.removesuffix(" w")
    assert turns(f"{text} w", options) == singles
    assert turns(f"{text} w - 0 2", options) == singles  # Black began: White's first turn
    free = turns(f"{text} w", f"continuation={continuation}")
    assert turns(f"{text} w - 0 3", options) == free
    black = turns(f"{text} b", f"continuation={continuation}")
    assert turns(f"{text} b", options) == black


def test_both_single_counts_captures_not_turns():
    rules = RuleSet.parse("dimy,first-turn=both-single")
    position = Position.start(rules)
    assert all(len(turn) == 1 for turn in position.legal_turns())
    while position.turn_number < 3:
        assert max(len(turn) for turn in position.legal_turns()) == 1
        position = position.play(position.legal_turns()[0])


def test_a_single_capture_ends_the_turn_by_itself():
    position = Position.parse(MANY, RuleSet.parse("first-turn=white-single"))
    after = position.play_step(step_named(position, "b3-c3W"))
    assert after.chain is None and after.side is Side.BLACK
    assert not position.is_legal(Turn.from_text("b3-c3W-b4A"))


def test_the_restriction_is_over_in_the_middle_of_a_chain():
    """The chain has taken one stone; what is left is as many as the start had."""
    rules = RuleSet.parse("first-turn=both-single,start=9/9/4w4/9/8b:w")
    position = Position.parse("9/9/4w4/3b5/4b4 w", rules)
    middle = position.play_step(step_named(position, "e3-e2A"))
    assert turns(middle.text()) == ["e3-e2A", "e3-e2A-f2W"]
    assert [str(step) for step in middle.steps()] == ["e2-f2W"]
    assert Position.parse(middle.text()) == middle


def test_a_chain_of_more_stones_than_the_start_has():
    """Had it taken one stone only, the turn would have been restricted to it; it took two."""
    rules = RuleSet.parse("board=7x5,first-turn=both-single")
    start = Position.parse("wwwwwww/wwwwwww/b2wwww/bbbbbbb/bbbbbbb b", rules)
    assert start.white.bit_count() > rules.start_count(Side.WHITE)
    middle = start.play_step(step_named(start, "b2-b3A"))
    assert str(middle.chain) == "b2-b3A"
    assert Position.parse(middle.text()) == middle


@pytest.mark.parametrize("first_turn", ["white-single", "both-single"])
def test_no_chain_follows_a_single_capture(first_turn):
    rules = RuleSet.parse(f"first-turn={first_turn},start={MANY.replace(' ', ':')}")
    free = Position.parse(MANY)
    stones = free.play_step(step_named(free, "b3-c3W")).text().split()[:5]
    assert Position.parse(" ".join(stones)).chain is not None
    with pytest.raises(InvalidPositionError, match="cannot have led"):
        Position.parse(" ".join(stones), rules)


# Symmetries


@given(positions())
def test_symmetries_are_a_group(position):
    for symmetry in range(4):
        assert position.transformed(symmetry).transformed(symmetry) == position
    assert position.transformed(1).transformed(2) == position.transformed(3)
    assert position.swapped().swapped() == position
    assert position.transformed(0) == position


def test_symmetries_want_whole_turns():
    middle = Position.parse(MANY)
    middle = middle.play_step(step_named(middle, "b3-c3W"))
    with pytest.raises(ValueError, match="chain is in progress"):
        middle.transformed(1)
    with pytest.raises(ValueError, match="symmetry 4"):
        Position.start().transformed(4)


# Counters


def test_quiet_counter_and_turn_number():
    quiet = Position.parse("8b/9/9/9/w8 w - 7 20")
    after = quiet.play(Turn.from_text("a1-b2"))
    assert (after.quiet, after.turn_number, after.side) == (8, 21, Side.BLACK)
    capture = Position.parse("9/3b5/9/1w7/9 w - 7 20")
    after = capture.play(Turn.from_text("b2-c3A"))
    assert (after.quiet, after.turn_number, after.side) == (0, 21, Side.BLACK)


def test_with_other_rules():
    theory = RuleSet.parse("theory")
    position = Position.parse("8b/9/9/9/W8 b - 3 9 tsivy")
    assert position.with_rules(theory).text() == "8b/9/9/9/w8 b - 3 9 theory"
    assert position.with_rules(position.rules) == position
    with pytest.raises(
        InvalidPositionError, match="a board of 9x5, expected 5x5 for the rules dimy"
    ):
        position.with_rules(RuleSet.parse("dimy"))


@given(positions_with_chains())
def test_a_chain_under_other_rules(position):
    other = position.with_rules(position.rules.replace(turn_limit=123))
    assert other != position
    assert (other.chain, other.steps()) == (position.chain, position.steps())
