"""fanorona play: games that are kept, recorded, saved and loaded, and files that cannot be."""

import json
import os
from pathlib import Path

import pytest
from cli_runs import invoke
from play_runs import filed, kept, play

from fanorona_core.fgn import parse_game

pytestmark = pytest.mark.usefixtures("data")
POSIX = pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")


def test_the_game_is_kept_and_resumed(data):
    output = play("--two", "--no-board", text="f2-e3A\nd5-d4A\n")
    assert output.endswith("The game is kept. Go on with it by: fanorona play --resume\n")
    (path,) = kept(data)
    assert json.loads(path.read_text())["schema"] == "fanorona/kept-game/1"
    output = play("--resume", text="undo\nmoves\n")
    assert "Two people play." in output and "Black on d4>" in output
    assert "[●]" in output
    assert kept(data) == [path]


def test_a_game_that_has_not_begun_is_not_kept(data):
    play(text="moves\nquit\n")
    assert kept(data) == []
    play("--two", text="f2-e3A\nundo\nquit\n")
    assert kept(data) == []


def test_a_chain_in_progress_is_kept(data):
    start = "9/1b1b5/bw2b4/3w5/4b2b1 w"
    play("--two", "-p", start, text="d2-c3A\n")
    output = play("--resume", text="b2\nstop\n")
    assert "White on c3> b2" in output and "White plays d2-c3A-b2W" in output


def test_without_a_terminal_nothing_is_asked(data):
    play("--two", text="f2-e3A\n")
    output = play("--two", text="f2-e3A\n")
    assert "A game is kept: 1 turn, Black to move. --resume goes on with it." in output
    assert len(kept(data)) == 2


def test_new_files_the_old_game(data):
    play("--two", text="f2-e3A\n")
    play("--new", "--two", text="quit\n")
    assert kept(data) == []
    assert [game.result for game in filed(data)] == ["*"]


def test_a_game_is_given_up_only_when_the_new_one_begins(tmp_path):
    play("--two", text="f2-e3A\n")
    (tmp_path / "bad.fgn").write_text("junk")
    assert invoke("play", "--new", "--load", str(tmp_path / "bad.fgn")).exit_code == 1
    assert "Black> quit" in play("--resume", text="quit\n")


def test_clocks_begin_a_game_of_their_own(data):
    play("--two", text="f2-e3A\n")
    assert "5:00" in play("--two", "--clock", "5+3", text="quit\n")
    assert len(kept(data)) == 1


def test_new_within_a_game_files_the_old_one(data):
    play("--two", text="f2-e3A\nresign\nnew\nd3-e3W\n")
    assert len(kept(data)) == 1
    assert [(game.result, len(game)) for game in filed(data)] == [("1-0", 1)]


def test_resume_needs_a_game(data):
    result = invoke("play", "--resume")
    assert result.exit_code == 1
    assert result.stderr == f"Error: no unfinished game is kept in {data}\n"


def test_resume_with_another_player():
    play("--two", text="f2-e3A\n")
    assert "You are White; Black is the engine (level 1)" in play(
        "--resume", "-l", "1", "--no-board"
    )


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": "fanorona/kept-game/9"}', "\xff"])
def test_a_damaged_game_is_moved_away(data, text):
    (data / "unfinished").mkdir(parents=True)
    (data / "unfinished" / "a.json").write_text(text, "latin-1")
    result = invoke("play", text="quit\n")
    assert result.exit_code == 0
    assert result.stderr.startswith("Warning: kept game a")
    assert [path.name for path in kept(data)] == ["a.damaged"]


@pytest.mark.parametrize(
    ("name", "value"), [("level", 77), ("level", "3"), ("time_ms", 0), ("seed", -1)]
)
def test_a_damaged_number(data, name, value):
    play("-l", "1", "--seed", "3", text="f2-e3A\n")
    (path,) = kept(data)
    game = json.loads(path.read_text())
    (game if name == "seed" else game["players"][1])[name] = value
    path.write_text(json.dumps(game))
    result = invoke("play", text="quit\n")
    assert result.exit_code == 0
    assert f"is damaged: {name} {value!r}" in result.stderr


def test_the_damaged_game_is_the_one_that_is_moved(data):
    play("--two", text="f2-e3A\n")
    (damaged,) = kept(data)
    damaged.write_text("{")
    (data / "unfinished" / "z.json").mkdir()  # cannot be read, and is the newest
    assert "moved to" in invoke("play", text="quit\n").stderr
    assert sorted(path.name for path in kept(data)) == [f"{damaged.stem}.damaged", "z.json"]


def test_what_cannot_be_filed_does_not_keep_one_from_playing(data):
    play("--two", text="f2-e3A\nquit\n")
    (data / "games").write_text("")
    assert "cannot be recorded" in play("--resume", text="resign\nquit\n")
    for args in ((), ("--new",), ("--board", "5x5")):
        assert "You are White" in play(*args, text="quit\n")
    assert len(kept(data)) == 1


def test_a_damaged_turn(data):
    play("--two", text="f2-e3A\n")
    (path,) = kept(data)
    path.write_text(path.read_text().replace("f2-e3A", "a1-a2"))
    assert "a2 is occupied" in invoke("play", text="quit\n").stderr


@POSIX
@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(tmp_path):
    tmp_path.chmod(0o500)
    result = invoke("play", "--two", text="f2-e3A\nd5-d4A\nquit\n")
    assert result.exit_code == 0
    assert result.stderr.count("The game cannot be kept") == 1


def test_a_folder_that_is_a_file(data):
    data.write_text("")
    result = invoke("play", "--two", text="f2-e3A\nd5-d4A\nquit\n")
    assert result.exit_code == 0
    assert result.stderr.count("The game cannot be kept") == 1


def test_data_dir(tmp_path):
    other = tmp_path / "my games"
    output = play("--two", "--data-dir", str(other), text="f2-e3A\n")
    assert len(kept(other)) == 1
    assert "--data-dir" in output


# Files.


def test_save_and_load(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    output = play("--two", text="f2-e3A\nsave my game.fgn\nd5-d4A.\nsave my game.fgn\n")
    assert output.count("Saved in my game.fgn.") == 2
    game = parse_game(Path("my game.fgn").read_text())
    assert [str(turn) for turn in game.turns] == ["f2-e3A", "d5-d4A"]
    output = play("--two", "--load", "my game.fgn", text="undo\n")
    assert "Taken back: d5-d4A" in output
    assert "2 turns loaded from my game.fgn." in play("--two", "--new", text="load my game.fgn\n")


def test_save_asks_before_it_replaces(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.fgn").write_text("mine")
    output = play("--two", text="f2-e3A\nsave a.fgn\nno\n")
    assert "a.fgn exists. Replace it? (yes or no)> no" in output
    assert Path("a.fgn").read_text() == "mine"
    play("--two", text="f2-e3A\nsave a.fgn\nyes\n")
    assert "f2-e3A" in Path("a.fgn").read_text()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    "name", ["no/such/folder/a.fgn", "a" * 300, "~no-such-user/a.fgn", "a\0b", "."]
)
@pytest.mark.parametrize("command", ["save", "load"])
def test_files_that_cannot_be(command, name):
    output = play("--two", text=f"f2-e3A\n{command} {name}\nd5-d4A.\nquit\n")
    assert "cannot be" in output
    assert "Black plays d5-d4A" in output


@pytest.mark.parametrize("option", ["--data-dir", "--tables", "--proofs"])
def test_folders_that_cannot_be(option):
    result = invoke("play", "--two", option, "~no-such-user/a")
    assert (result.exit_code, result.stderr) == (
        1,
        "Error: ~no-such-user/a: there is no such user\n",
    )
    if option != "--data-dir":
        result = invoke("play", "--two", option, "/no/such")
        assert (result.exit_code, result.stderr) == (
            1,
            "Error: /no/such: No such file or directory\n",
        )


def test_a_begun_turn_is_not_dropped(data):
    lines = "save x.fgn\nload x.fgn\nnew\nredo\nquit\n"
    output = play("--two", text=f"f2-e3A\nd5-d4A\n{lines}")
    assert output.count("end the turn you have begun before") == 4
    assert json.loads(kept(data)[0].read_text())["chain"] == "d5-d4A"


def test_a_game_of_one_step_is_kept(data):
    output = play("--two", "-p", "8b/9/bw2b4/1b7/9 w", text="b3-c3W\nquit\n")
    assert "The game is kept." in output
    assert len(kept(data)) == 1


def test_load_what_is_no_game(tmp_path):
    path = tmp_path / "x.fgn"
    path.write_text("")
    assert "no game found" in " ".join(play("--two", text=f"load {path}\nquit\n").split())
    result = invoke("play", "--load", str(path))
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)


def test_load_one_of_several(tmp_path):
    path = tmp_path / "x.fgn"
    path.write_text("1. f2-e3A *\n\n1. d3-e3W *\n")
    assert "--game N" in invoke("play", "--load", str(path)).stderr
    for number, turn in (("1", "f2-e3A"), ("2", "d3-e3W"), ("-1", "d3-e3W"), ("-2", "f2-e3A")):
        output = play("--two", "--new", "--load", str(path), "--game", number, text="undo\n")
        assert f"Taken back: {turn}" in output
        if int(number) > 0:
            output = play("--two", "--new", text=f"load {path} {number}\nundo\n")
            assert f"Taken back: {turn}" in output
    for number in ("0", "3", "-3"):
        assert invoke("play", "--load", str(path), "--game", number).exit_code == 1
    assert "load FILE N" in " ".join(play("--two", text=f"load {path}\n").split())
