"""fanorona rules: the rules in short and the options of profiles."""

import json
from pathlib import Path

import pytest
from cli_runs import invoke

from fanorona_core import PROFILES, RuleSet


def rules(*args: str) -> str:
    result = invoke("rules", *args, COLUMNS="80")
    assert result.exit_code == 0
    return result.output


def words(*args: str) -> str:
    return " ".join(rules(*args).split())


def test_the_rules_in_short():
    text = words()
    for part in ("approach", "withdrawal", "you must", "same direction", "9 x 5", "third time"):
        assert part in text
    for name in PROFILES:
        assert f"\n{name} " in rules()


def test_they_follow_the_options():
    assert "You may stop after any capture." in words("tsivy")
    assert "must go on as long as it can." in words("tsivy-compulsory")
    assert "50 turns in a row without a capture" in words("youzai")
    assert "a turn without a capture is a draw" in words("quiet=1")
    assert "White begins, from the lower rows." in words("tsivy")
    other = words("board=3x3,start=w1b/3/b1w:b")
    assert "Black to move." in other and "White begins" not in other
    assert "no legal turn draws." in words("no-move=draw")
    assert "White's first turn may have one capture only." in words("first-turn=white-single")
    assert "first capturing turn of each side" in words("first-turn=both-single")
    assert "Draw: by agreement." in words("theory")
    assert "start=9/9/4w4/9/8b:w" in words("start=9/9/4w4/9/8b:w")


@pytest.mark.parametrize(
    ("number", "said"), [(3, "third"), (12, "12th"), (21, "21st"), (22, "22nd"), (111, "111th")]
)
def test_repetitions_are_counted_in_words(number, said):
    assert f"the {said} time a position occurs" in words(f"repetition={number}")


def test_several_profiles():
    text = rules("youzai", "dimy")
    assert "Options of youzai:\n" in text and "Options of dimy:\n" in text
    assert "profile " not in text


@pytest.mark.parametrize("name", PROFILES)
def test_the_options_can_be_typed_again(name):
    lines = rules(name).split(f"Options of {name}:\n")[1].splitlines()
    text = ",".join(line.split()[0] for line in lines if line.startswith("  ") and "=" in line)
    assert RuleSet.parse(text) == PROFILES[name]


def test_json():
    data = json.loads(rules("--json"))
    assert [entry["name"] for entry in data["rules"]] == list(PROFILES)
    for entry in data["rules"]:
        assert RuleSet.parse(entry["text"]) == PROFILES[entry["name"]]
    (entry,) = json.loads(rules("tsivy,quiet=40", "--json"))["rules"]
    assert entry["name"] is None and entry["quiet_limit"] == 40
    page = (Path(__file__).parents[1] / "docs" / "cli-json.md").read_text("utf-8")
    for key in entry:
        assert f"`rules[].{key}`" in page


@pytest.mark.parametrize("text", ["vela", "nothing", "board=4x4", "tsivy,tsivy", ""])
def test_wrong_rules(text):
    result = invoke("rules", text)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("Error: ")


def test_narrow():
    assert max(map(len, invoke("rules", "tsivy", COLUMNS="30").output.splitlines())) <= 30
