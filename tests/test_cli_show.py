"""fanorona show: positions and recorded games as text, SVG and JSON."""

import json
import tracemalloc
import xml.etree.ElementTree as tree
from pathlib import Path

import pytest
from cli_runs import invoke
from perft_data import DATA

ONE = "8b/9/bw2b4/9/9 w"


@pytest.fixture
def game(tmp_path, monkeypatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("game.fgn").write_text("1. f2-e3A d5-d4A 1-0\n")
    return "game.fgn"


def show(*args: str, text: str | None = None) -> str:
    result = invoke("show", *args, text=text)
    assert result.exit_code == 0, result.output
    return result.output


def report(*args: str) -> dict:
    return json.loads(show("--json", *args))


def test_a_position():
    assert show("-p", "bbb/b1w/www w") == (
        "3  ●───●───●\n"
        "   │ ╲ │ ╱ │\n"
        "2  ●───┼───○\n"
        "   │ ╱ │ ╲ │\n"
        "1  ○───○───○\n"
        "   a   b   c\n"
        "○ White   ● Black\n"
        "\n"
        "Turn 1: White ○ to move, and must capture. Stones: White ○ 4, Black ● 4.\n"
        "telo rules on 3x3: bbb/b1w/www w - 0 1 telo\n"
    )


def test_moves():
    output = show("-p", ONE, "--moves", "all")
    assert "b3-c3W  takes 1 by withdrawal: a3\n" in output
    assert "●───○───*───┼" in output
    assert "White has no legal turn from a1." in show("-p", ONE, "--moves", "a1")


def test_a_game(game):
    output = show(game)
    assert "Black plays d5-d4A (takes 3).\n" in output
    assert "4  ●───●───●──[●]──●" in output
    assert "[○]" in show(game, "--turn", "1")
    assert "White plays f2-e3A" in show(game, "--turn", "1")
    assert show(game, "--turn", "0").splitlines()[:9] == show().splitlines()[:9]


def test_a_game_that_was_ended(game):
    Path(game).write_text('[Termination "resignation"]\n\n1. f2-e3A 1-0\n')
    assert "White wins: Black has resigned. (1-0, 1 turn)" in show(game)
    assert "wins" not in show(game, "--turn", "0")


def test_standard_input(game):
    assert show("-", text=Path(game).read_text()) == show(game)


@pytest.mark.parametrize("turn", ["-1", "3"])
def test_no_such_turn(game, turn):
    result = invoke("show", game, "--turn", turn)
    assert (result.exit_code, result.stderr) == (
        1,
        f"Error: turn {turn}: the game has turns 0 (the start) to 2\n",
    )


def test_several_games(game):
    Path(game).write_text("1. f2-e3A *\n\n1. d3-e3W *\n")
    assert "f2-e3A" in show(game, "--game", "1")
    assert "d3-e3W" in show(game, "--game", "-1")
    assert "say which, by --game N" in invoke("show", game).stderr
    assert "only 2 in all" in invoke("show", game, "--game", "3").stderr


def test_a_broken_game(game):
    Path(game).write_text("1. f2-e3A a1-a2 *\n")
    result = invoke("show", game)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: game.fgn: line 1, game 1, turn 2: ")


@pytest.mark.parametrize(
    "args",
    [
        ["--turn", "1"],
        ["--game", "1"],
        ["game.fgn", "-p", ONE],
        ["game.fgn", "--rules", "youzai"],
        ["--moves", "z9"],
        ["-p", "9/9 w"],
    ],
)
def test_wrong_usage(game, args):
    assert invoke("show", *args).exit_code == 2


@pytest.mark.parametrize("name", ["none.fgn", "."])
def test_no_such_file(game, name):
    result = invoke("show", name)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {name}: ")
    assert result.stderr.count("\n") == 1


def test_svg(game):
    text = show(game, "--svg")
    assert tree.fromstring(text).tag.endswith("svg")
    show(game, "-o", "board.svg")
    assert Path("board.svg").read_text() == text
    assert "●" not in text


def test_output_as_text(game):
    assert invoke("show", game, "-o", "board.txt").output == ""
    assert Path("board.txt").read_text("utf-8") == show(game)
    kept = invoke("show", game, "-o", "board.txt", "--ascii")
    assert kept.exit_code == 1
    assert kept.stderr == "Error: board.txt exists already: --force replaces it\n"
    show(game, "-o", "board.txt", "--ascii", "--force")
    assert Path("board.txt").read_text("utf-8").isascii()


def test_output_that_cannot_be(game):
    result = invoke("show", game, "-o", "no/folder/board.svg")
    assert result.exit_code == 1
    assert result.stderr == "Error: no/folder/board.svg: No such file or directory\n"


@pytest.mark.parametrize("other", [["-o", "board.txt"], ["-o", "board.svg"], ["--svg"]])
def test_json_is_no_picture_and_no_file(game, other):
    result = invoke("show", game, "--json", *other)
    assert result.exit_code == 2
    assert "--json reports on standard output" in result.stderr
    assert not Path(other[-1]).exists()
    assert invoke("show", game, "--json", "-o", "-").exit_code == 0


def test_json(game):
    data = report(game, "--turn", "1")
    assert data["schema"] == "fanorona/show/1"
    assert data["turns"] == ["f2-e3A"]
    assert data["side"] == "black" and data["turn_number"] == 2
    assert len(data["white"]) == 22 and len(data["black"]) == 20
    assert data["result"] is None and data["reason"] is None
    assert "legal_turns" not in data
    data = report("-p", ONE, "-m", "all")
    assert data["legal_turns"] == [{"turn": "b3-c3W", "taken": [["a3"]]}]
    data = report("-p", "9/4w4/9/9/9 b")
    assert (data["result"], data["reason"]) == ("1-0", "no stones")


def test_every_key_is_documented(game):
    page = (Path(__file__).parents[1] / "docs" / "cli-json.md").read_text("utf-8")
    for key in report("-m", "all"):
        assert f"`{key}`" in page


def test_stones_in_words():
    assert show("-p", ONE, "--stones").startswith(
        "White has 1 stone: b3.\nBlack has 3 stones: i5, a3, e3.\n"
    )


def test_flip():
    assert show("--flip").startswith("1  ○")


def test_a_chain_in_progress():
    text = "9/1b1b5/2w1b4/3w5/4b2b1 w b3-c3W 0 1 tsivy"
    output = show("-p", text, "-m", "c3")
    assert "White ○ goes on from c3 or stops" in output
    assert "b3-c3W-b2W  takes 1 by withdrawal: d4" in output
    assert text in output


def test_a_position_may_stand_in_the_place_of_a_file():
    assert "8b/9/bw2b4/9/9 w - 0 1 tsivy" in show(ONE)


def test_records_of_other_programs_are_shown():
    file = DATA / "games" / "boardspace-robot-2008.sgf"
    assert "White plays g3-f2W (takes 2)." in show(str(file), "--turn", "3")


def test_the_result_of_a_record_whatever_its_end_is_called(game):
    Path(game).write_text('[Result "1-0"]\n[Termination "Black left"]\n\n1. f2-e3A d5-d4A 1-0\n')
    assert "The record ends with 1-0 (Black left).\n" in show(game)
    data = json.loads(show(game, "--json"))
    assert (data["result"], data["reason"]) == ("1-0", "Black left")
    assert "The record ends" not in show(game, "--turn", "1")
    Path(game).write_text("1. f2-e3A 0-1\n")
    data = json.loads(show(game, "--json"))
    assert (data["result"], data["reason"]) == ("0-1", None)


def test_the_last_game_of_many_needs_no_memory_for_the_others(game):
    text = (DATA / "games/boardspace-robot-2008.txt").read_text()
    Path(game).write_text(f'[Round "1"]\n\n{text}\n' * 400 + '[Round "2"]\n\n1. d3-e3W *\n')
    tracemalloc.start()
    try:
        assert report(game, "--game", "-1")["turns"] == ["d3-e3W"]
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
    result = invoke("show", game, "--game", f"-{10**30}")
    assert result.stderr == f"Error: {game}: there is no game -{10**30}, only 401 in all\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_records_in_other_encodings(game, encoding):
    record = {"format": "fanorona-game", "version": 1, "rules": "telo", "turns": ["b1-b2A"]}
    Path(game).write_text(json.dumps(record), encoding)
    assert "White plays b1-b2A" in show(game)
