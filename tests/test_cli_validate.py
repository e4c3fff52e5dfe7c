"""``fanorona validate``."""

import json

import pytest
from cli_runs import invoke, run
from perft_data import DATA

SGF = DATA / "games" / "boardspace-robot-2008.sgf"
GOOD = '[White "Ravao"]\n\n1. f2-e3A d5-d4A *\n\n'
ILLEGAL = '[White "Rabe"]\n\n1. f2-e3A\n1... a1-a2 *\n\n'
WON = '[FEN "9/9/4bw3/9/9 w"]\n[SetUp "1"]\n[Result "0-1"]\n\n1. f3-g3W 0-1\n\n'


def validate(*args, text=None):
    return invoke("validate", *map(str, args), text=text)


def test_a_real_game():
    result = validate(SGF)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "1 game with 38 turns checked, 445 legal turns compared: 0 errors.\n"


def test_several_files_and_standard_input():
    result = validate(SGF, "-", SGF, text=GOOD)
    assert result.exit_code == 0
    assert result.stdout.startswith("3 games with 78 turns checked")


def test_an_illegal_turn():
    result = validate("-", "--from", "fgn", text=GOOD + ILLEGAL + GOOD)
    assert result.exit_code == 1
    assert "game 2, turn 2: " in result.stderr and "a1" in result.stderr
    assert result.stdout.startswith("2 games with 4 turns checked")
    assert result.stdout.endswith("1 error.\n")


def test_a_wrong_result():
    result = validate("-", "--from", "fgn", text=GOOD + WON)
    assert result.exit_code == 1
    assert "game 2: result 0-1, but the board says 1-0" in result.stderr


def test_json():
    result = validate(SGF, "-", "--json", text=WON)
    report = json.loads(result.stdout)
    assert result.exit_code == 1 and report["valid"] is False
    assert report["schema"] == "fanorona/validate/1"
    assert report["games"] == [
        {
            "file": str(SGF),
            "number": 1,
            "line": 1,
            "turns": 38,
            "positions": 39,
            "legal_turns": 445,
            "valid": True,
        },
        {
            "file": "-",
            "number": 1,
            "line": 1,
            "turns": 1,
            "positions": 2,
            "legal_turns": 1,
            "valid": False,
        },
    ]
    (error,) = report["errors"]
    assert (error["file"], error["game"]) == ("-", 1) and error["reason"].startswith("result 0-1")


# Positions


def test_positions():
    result = validate("-p", "9/9/4bw3/9/9 w", "--position", "8b/9/9/9/w8 w")
    assert result.exit_code == 0
    assert result.stdout == "2 positions checked, 4 legal turns compared: 0 errors.\n"


def test_a_malformed_position():
    result = validate("-p", "9/9/9/9/w8b w", "-p", "8b/9/9/9/w8 w")
    assert result.exit_code == 1
    assert "Error: --position: 9/9/9/9/w8b w: row 1 has 10 points" in result.stderr
    assert result.stdout == "1 position checked, 3 legal turns compared: 1 error.\n"


def test_a_list_of_positions(tmp_path):
    file = tmp_path / "positions.txt"
    file.write_text("# two\n\n8b/9/9/9/w8 w\n9/9/9/9/x8 w\n9/9/4bw3/9/9 w - 0 1 youzai  # one\n")
    result = validate(file, "--from", "positions", "--json")
    report = json.loads(result.stdout)
    assert [entry["line"] for entry in report["positions"]] == [3, 5]
    assert [error["line"] for error in report["errors"]] == [4]
    assert result.exit_code == 1


def test_the_rules_of_positions():
    result = validate("-p", "8b/9/9/9/w8 w", "--rules", "theory", "--json")
    assert json.loads(result.stdout)["positions"][0]["line"] is None


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        ([], 2, "nothing to check"),
        (["missing.fgn"], 1, "missing.fgn: No such file"),
        (["missing.txt", "--from", "positions"], 1, "missing.txt: No such file"),
        ([SGF, "--rules", "chess"], 2, "chess"),
        ([SGF, "--from", "x"], 2, "is not one of"),
    ],
)
def test_wrong_usage(args, status, message):
    result = validate(*args)
    assert result.exit_code == status
    assert message in result.stderr and "Traceback" not in result.output


def test_a_missing_file_does_not_stop_the_others():
    result = validate("missing.fgn", SGF)
    assert result.exit_code == 1 and result.stdout.startswith("1 game with 38 turns checked")


def test_as_a_process():
    done = run(["validate", "-"], GOOD)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"1 game with 2 turns checked")


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n\n"])
def test_a_list_without_a_position_is_an_error(text):
    result = invoke("validate", "-", "--from", "positions", text=text)
    assert result.exit_code == 1
    assert result.stderr == "Error: standard input: there is no position in it\n"
