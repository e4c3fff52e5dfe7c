"""Rule sets: values, texts and refusals."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanorona_core.errors import RulesError
from fanorona_core.rules import DEFAULT_RULES, PROFILES, RuleSet, other_game
from fanorona_core.types import Side

SIZES = [(c, r) for c in range(3, 16, 2) for r in range(3, 16, 2) if c * r <= 45]
COUNTS = st.none() | st.integers(2, 10**6)


@st.composite
def rule_sets(draw):
    columns, rows = draw(st.sampled_from(SIZES))
    start = None
    if draw(st.booleans()):
        line = st.sampled_from(["w" * columns, "b" * columns, str(columns), f"b{columns - 1}"])
        lines = draw(st.lists(line, min_size=rows, max_size=rows))
        if set(lines) != {str(columns)}:  # no stones at all
            start = f"{'/'.join(lines)} {draw(st.sampled_from('wb'))}"
    return RuleSet(
        columns,
        rows,
        draw(st.booleans()),
        draw(st.booleans()),
        draw(COUNTS),
        draw(COUNTS),
        draw(COUNTS),
        draw(st.sampled_from(["none", "white-single", "both-single"])),
        start,
    )


@given(rule_sets())
def test_text_round_trip(rules):
    text = str(rules)
    assert RuleSet.parse(text) == rules
    assert str(RuleSet.parse(text)) == text
    assert " " not in text
    assert eval(repr(rules)) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules


@pytest.mark.parametrize("name", PROFILES)
def test_profiles(name):
    rules = PROFILES[name]
    assert RuleSet.parse(name) == RuleSet.parse(name.upper()) == rules
    assert rules.first_turn == "none" and rules.start is None
    # Two names, one set of rules: the name of the value is that of tables and proofs.
    assert rules.name == str(rules) == ("theory" if name == "sivy-v1" else name)


def test_the_table_of_profiles():
    rows = {
        name: (f"{r.columns}x{r.rows}", r.compulsory, r.repetition, r.quiet_limit, r.turn_limit)
        for name, r in PROFILES.items()
    }
    assert rows == {
        "tsivy": ("9x5", False, 3, None, 400),
        "tsivy-compulsory": ("9x5", True, 3, None, 400),
        "youzai": ("9x5", False, None, 50, None),
        "sivy-v1": ("9x5", False, None, None, None),
        "theory": ("9x5", False, None, None, None),
        "dimy": ("5x5", False, 3, None, 400),
        "telo": ("3x3", False, 3, None, 400),
    }
    assert not any(rules.no_move_draw for rules in PROFILES.values())
    assert RuleSet() == DEFAULT_RULES == PROFILES["tsivy"]


def test_profiles_cannot_be_changed():
    with pytest.raises(TypeError):
        PROFILES["tsivy"] = RuleSet(turn_limit=1)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("continuation=compulsory", {"compulsory": True}),
        ("board=3x5", {"columns": 3, "rows": 5}),
        (" Board=5x3 , No-Move=Draw ", {"columns": 5, "rows": 3, "no_move_draw": True}),
        (
            "repetition=none,quiet=50,turns=none",
            {"quiet_limit": 50, "repetition": None, "turn_limit": None},
        ),
        ("first-turn=both-single", {"first_turn": "both-single"}),
        ("start=9/9/4W4/9/8B:w", {"start": "9/9/4w4/9/8b w"}),
    ],
)
def test_parse_changes_the_default(text, changes):
    assert RuleSet.parse(text) == RuleSet().replace(**changes)


def test_options_change_the_profile_before_them():
    assert RuleSet.parse("dimy,continuation=compulsory") == RuleSet(5, 5, compulsory=True)
    assert RuleSet.parse("theory,repetition=3,turns=400").name == "tsivy"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not one of the profiles tsivy, tsivy-compulsory, youzai,"),
        ("chess", "theory, dimy or telo, or one of the options board=, continuation=,"),
        ("continuation=compulsory,dimy", "'dimy' is not one of the options board=,"),
        ("bord=9x5", "no option 'bord'; try board, continuation,"),
        ("board=9", "expected columns and rows, such as 9x5"),
        ("board=4x5", "columns=4: expected an odd number, 3 or more"),
        ("board=1x5", "columns=1: expected an odd number, 3 or more"),
        ("board=7x7", "board 7x7 has 49 points: expected at most 45"),
        ("continuation=maybe", "expected optional or compulsory"),
        ("no-move=win", "expected loss or draw"),
        ("repetition=1", "expected a number, 2 to 999999999, or none"),
        ("quiet=0", "expected a number, 1 to 999999999, or none"),
        ("turns=many", "turns=many: expected a number up to 999999999, or none"),
        ("first-turn=single", "expected none, white-single or both-single"),
        ("turns=5,turns=6", "option 'turns' is given twice"),
        ("start=9/9/4w4/9/8b", "expected stones and side"),
        ("start=9/9/4w4/9/8b:x", "expected stones and the side to move"),
        ("start=9/9/4w4/8b:w", "4 rows, expected 5"),
        ("start=9/9/4w3/9/8b:w", "row 3 has 8 points, expected 9"),
        ("start=9/9/4q4/9/8b:w", "row 3 has 'q'"),
        ("start=9/9/4w04/9/8b:w", "row 3 has '04'"),
        ("board=5x5,start=9/9/4w4/9/8b:w", "row 5 has 9 points, expected 5"),
        ("start=9/9/9/9/9:w", "no stones on the board"),
        ("vela", "the vela return game is another game"),
        ("Fanorona Vela", "the vela return game is another game"),
        ("telo-alignment", "the three-in-a-row Fanoron-Telo is another game"),
        ("variant=three-in-a-row", "the three-in-a-row Fanoron-Telo is another game"),
    ],
)
def test_refusals_say_what_would_be_right(text, says):
    with pytest.raises(RulesError) as caught:
        RuleSet.parse(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("row", ["9" * 5000, "٣" * 5000, "b" * 5000])
def test_a_start_with_a_very_long_row_is_refused(row):
    with pytest.raises(RulesError, match="row 5 has"):
        RuleSet.parse(f"start={row}/9/9/9/8w:w")


def test_the_largest_limits_are_read_back():
    rules = RuleSet(repetition=999_999_999, quiet_limit=999_999_999, turn_limit=999_999_999)
    assert RuleSet.parse(str(rules)) == rules


@pytest.mark.parametrize(
    "changes",
    [
        {"columns": 9.0},
        {"columns": True},
        {"rows": "5"},
        {"compulsory": 1},
        {"repetition": 2.5},
        {"turn_limit": -1},
        {"first_turn": None},
        {"start": "w"},
        {"start": 5},
        {"turn_limit": 1_000_000_000},
        {"colour": "red"},
    ],
)
def test_values_of_the_wrong_kind(changes):
    with pytest.raises(RulesError):
        RuleSet().replace(**changes)


@pytest.mark.parametrize(
    ("columns", "rows", "start", "stones"),
    [
        (9, 5, "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w", 22),
        (5, 5, "bbbbb/bbbbb/bw1bw/wwwww/wwwww w", 12),
        (3, 3, "bbb/b1w/www w", 4),
        (7, 3, "bbbbbbb/bwb1wbw/wwwwwww w", 10),
        (3, 5, "bbb/bbb/b1w/www/www w", 7),
    ],
)
def test_standard_starts(columns, rows, start, stones):
    rules = RuleSet(columns, rows)
    assert rules.standard_start == rules.start_text == start
    assert rules.start_count(Side.WHITE) == rules.start_count(Side.BLACK) == stones


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_half_turn_with_colours_swapped_keeps_the_start(columns, rows):
    stones, side = RuleSet(columns, rows).standard_start.split()
    assert stones[::-1].translate(str.maketrans("wb", "bw")) == stones
    assert side == "w"


def test_the_standard_start_written_out_is_no_other_start():
    assert RuleSet(start=RuleSet().standard_start.upper()) == RuleSet()


def test_variants_are_board_sizes():
    assert RuleSet(compulsory=True).variant == "Fanoron-Tsivy"
    assert RuleSet(5, 5).variant == "Fanoron-Dimy"
    assert RuleSet(3, 3).variant == "Fanoron-Telo"
    assert RuleSet(5, 7).variant is None


@pytest.mark.parametrize("name", [*PROFILES, "Fanoron-Tsivy", "Fanoron-Dimy", "Fanoron-Telo"])
def test_our_own_names_are_no_other_games(name):
    assert other_game(name) is None
