"""fanorona play: a sitting at the terminal, kept games, interruptions, odd terminals."""

import json
import os
import re
import signal
import subprocess
import time
from contextlib import suppress

import pytest
from cli_runs import COMMAND, TESTS, environment, invoke, run
from play_runs import filed, kept, play

from fanorona_cli.wrapping import cell_width
from fanorona_core.fgn import parse_game

pytestmark = pytest.mark.usefixtures("data")
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals and terminals of POSIX")
DUEL = "9/9/4bw3/9/9 w"  # White wins at once
ENGINES = ("--white", "engine", "--black", "engine")


def test_the_first_lines_help_a_newcomer():
    output = play(text="quit\n")
    first = output.split("\n\n")[0]
    assert "You are White; Black is the engine (level 3)." in first
    for word in ("d2-e3A", "moves", "help", "rules", "quit"):
        assert word in first
    assert "○ White   ● Black" in output
    assert "Turn 1: White ○ to move, and must capture." in output
    assert output.endswith("White> quit\n")


def test_a_game_to_its_end(data):
    output = play("-p", DUEL, "--two", text="f3 g3\n")
    assert "White plays f3-g3W (takes 1).\n" in output
    assert "White wins: Black has no stones left. (1-0, 1 turn)\n" in output
    assert "Type undo, save FILE, new or quit.\nGame over> \n" in output
    assert kept(data) == []
    (game,) = filed(data)
    assert (game.result, [str(turn) for turn in game.turns]) == ("1-0", ["f3-g3W"])
    assert game.initial.stones_text() == DUEL
    assert re.sub(r"\s", "", str(data)) in re.sub(r"\s", "", output)


def test_against_the_engine():
    output = play("--no-board", "--seed", "1", text="f2-e3A\n")
    assert re.search(r"^Black plays \S+ \(takes \d+\)\.$", output, re.M)


def test_a_seed_repeats_the_game():
    def moves() -> list[str]:
        output = play(*ENGINES, "-b", "5x5", "-l", "2", "--seed", "5", "--new", "--no-board")
        return re.findall(r"plays (\S+)", output)

    assert moves() == moves()


def test_engine_against_engine(data):
    output = play(*ENGINES, "-b", "3x3", "--level", "2")
    assert "White is the engine (level 2), Black is the engine\n(level 2)." in output
    assert ">" not in output
    assert filed(data)[0].tags["White"] == "fanorona level 2"


def test_the_other_side():
    output = play("--white", "engine:1", "--no-board", "--seed", "1")
    assert "You are Black; White is the engine (level 1)." in output
    assert "White plays" in output
    board = play("--white", "engine:1", "--seed", "1", "--new")
    assert re.search(r"^   i   h   g", board, re.M)  # Black's edge at the bottom


@pytest.mark.parametrize(
    ("args", "who"),
    [
        ([], "You are White; Black is the engine (level 3)."),
        (["--white", "human"], "You are White;"),
        (["--white", "engine"], "You are Black;"),
        (["--black", "human"], "You are Black;"),
        (["--black", "engine:7"], "Black is the engine (level 7)."),
        (["--two"], "Two people play."),
        (["--white", "human", "--black", "human"], "Two people play."),
        (["--time", "500ms"], "Black is the engine (0.5 s a turn)."),
        (["--time", "2", "--level", "4"], "Black is the engine (level 4, 2 s a turn)."),
    ],
)
def test_who_plays(args, who):
    # A position in which nobody moves: no engine needs to think.
    assert who in play(*args, "-p", "9/9/9/bb7/wb7 w", text="quit\n").replace("\n", " ")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--white", "robot"], "expected human, engine or engine:LEVEL"),
        (["--white", "engine:11"], "levels go from 1 to 10"),
        (["--white", "human:3"], "expected human"),
        (["--level", "0"], "--level"),
        (["--time", "soon"], "expected seconds"),
        (["--time", "0"], "at least 1ms"),
        (["--two", "--black", "engine"], "leave out --white and --black"),
        (["--two", "--level", "3"], "two people play"),
        (["--resume", "--new"], "--resume goes on with a kept game"),
        (["--resume", "--board", "5x5"], "--resume goes on with a kept game"),
        (["--resume", "--clock", "5+3"], "--resume goes on with a kept game and its clocks"),
        (["--load", __file__, "--board", "5x5"], "leave out --rules, --board, --continuation"),
        (["--load", __file__, "--position", DUEL], "leave out --rules, --board, --continuation"),
        (["--game", "2"], "--load FILE"),
        (["--load", "nothing.fgn"], "nothing.fgn"),
        (["--board", "4x4"], "expected an odd number"),
        (["--rules", "vela"], "vela return game"),
        (["-p", "9/9 w"], "'--position'"),
    ],
)
def test_wrong_usage(args, message):
    result = invoke("play", *args)
    assert result.exit_code == 2
    assert message in result.stderr.splitlines()[-1]


def test_boards_can_be_left_out():
    output = play("--two", "--no-board", text="f2-e3A\nboard\n")
    assert output.count("───") and output.count("5  ") == 1


def test_ascii():
    output = play("--ascii", "--two", text="help\nmoves\nrules\nhint\n")
    assert output.isascii()
    assert "W = White" in output


def test_other_rules():
    output = play("--rules", "youzai", "--two", text="rules\n")
    assert "youzai rules on 9x5" in output
    assert "50 turns in a row" in " ".join(output.split())


# Terminals and processes.


@pytest.mark.parametrize("columns", ["1", "10", "40", "300"])
def test_any_width(columns):
    output = play("--two", text="help\nmoves\nf2-e3A\n", COLUMNS=columns)
    assert "f2-e3A" in output


@pytest.mark.parametrize(
    "env", [{"TERM": "dumb"}, {"NO_COLOR": "1"}, {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": None}]
)
def test_poor_surroundings(env):
    done = run(["play", "--two"], "f2-e3A\nhelp\n", **env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout
    if "NO_COLOR" not in env:
        assert done.stdout.isascii()


def test_odd_bytes():
    done = run(["play", "--two"], b"\xff\xfe\x00\n\x1b[A\nf2-e3A\r\n\x80\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"White plays f2-e3A" in done.stdout


@POSIX
def test_no_input_at_all(data):
    line = " ".join([*COMMAND, "play", "--two", "<&-"])
    done = subprocess.run(["sh", "-c", line], capture_output=True, env=environment(), cwd=TESTS)
    assert (done.returncode, done.stderr) == (0, b"")


class Running:
    """A game in a process of its own, which is read as far as it has written."""

    def __init__(self, *args: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "play", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            cwd=TESTS,
        )

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def wait_for(self, text: bytes) -> None:
        assert self.process.stdout is not None
        seen = b""
        while text not in seen:
            letter = self.process.stdout.read(1)
            assert letter, seen
            seen += letter

    def interrupt(self) -> tuple[bytes, bytes]:
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=30)


@POSIX
def test_sigint_at_the_prompt(data):
    game = Running("--two", "--no-board")
    game.type("f2-e3A")
    game.wait_for(b"Black> ")
    _, errors = game.interrupt()
    assert game.process.returncode == 130
    assert errors.decode() == "\nThe game is kept. Go on with it by: fanorona play --resume\n"
    assert len(kept(data)) == 1


@POSIX
def test_sigint_while_the_engine_thinks(data):
    game = Running("--time", "1m", "--no-board", "--no-book")
    game.type("f2-e3A")
    game.wait_for(b"Black is thinking ...\n")
    time.sleep(0.3)
    started = time.monotonic()
    _, errors = game.interrupt()
    assert time.monotonic() - started < 30  # the engine has a minute
    assert game.process.returncode == 130
    assert b"Traceback" not in errors and b"--resume" in errors
    (path,) = kept(data)
    assert json.loads(path.read_text())["turns"] == ["f2-e3A"]


@POSIX
def test_a_killed_process_loses_nothing(data):
    game = Running("--two", "--no-board")
    game.type("f2-e3A")
    game.wait_for(b"Black> ")
    game.process.kill()
    game.process.communicate()
    assert "Turn 2: Black" in play("--resume", "--no-board")


@POSIX
def test_a_reader_that_goes_does_not_lose_the_game(data):
    game = Running("--two", "--no-board")
    game.type("f2-e3A")
    game.wait_for(b"Black> ")
    assert game.process.stdout is not None and game.process.stderr is not None
    game.process.stdout.close()
    game.type("d5-d4A.")
    errors = game.process.stderr.read()
    assert game.process.wait(30) == 141
    game.process.stderr.close()
    assert game.process.stdin is not None
    with suppress(BrokenPipeError):
        game.process.stdin.close()
    assert errors == b""
    (path,) = kept(data)
    assert json.loads(path.read_text())["turns"] == ["f2-e3A"]


def at_a_terminal(*args: str, typed: str, **env: str) -> str:
    """Run the command at a terminal of its own; returns what it has written."""
    import pty

    pid, handle = pty.fork()
    if pid == 0:
        os.chdir(TESTS)
        os.execve(COMMAND[0], [*COMMAND, *args], environment(TERM="xterm-256color", **env))
    output = b""
    lines = typed.splitlines()
    try:
        while True:
            output += os.read(handle, 4096)
            if lines and output.endswith(b"> "):
                time.sleep(0.05)
                os.write(handle, f"{lines.pop(0)}\n".encode())
                output += b"\0"  # asked once
    except OSError:
        pass
    finally:
        os.close(handle)
        _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, output
    return output.replace(b"\0", b"").decode()


@POSIX
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_at_a_terminal():
    output = at_a_terminal("play", "--plain", "--two", typed="f2-e3A\nquit\n")
    assert "\x1b[" in output and "●" in output
    output = at_a_terminal("play", "--plain", typed="maybe\nyes\nquit\n")
    assert "A game is kept: 1 turn, Black to move." in output
    assert "Type yes or no." in output
    assert "Turn 2: Black" in output
    assert "Turn" not in at_a_terminal("play", "--plain", typed="\x04")
    output = at_a_terminal("play", "--plain", typed="no\nquit\n", NO_COLOR="1")
    assert "Turn 1: White" in output
    assert "\x1b[1m" not in output and "\x1b[2m" not in output


def test_a_game_with_clocks_is_recorded_and_resumed_with_them(data, tmp_path):
    output = play("--two", "--clock", "5+3", text="f2-e3A\nd5-d4A.\nquit\n")
    assert "Clocks: White 5:00, Black 5:00.\n" in output
    assert "Clocks: White 5:03, Black 5:00.\n" in output
    record = tmp_path / "game.fgn"
    output = play("--resume", text=f"f3-f2A\nsave {record}\nquit\n")
    assert "Clocks: White 5:03, Black 5:03.\n" in output
    game = parse_game(record.read_text("utf-8"))
    assert game.tags["TimeControl"] == "300+3"
    assert [round(node.clock.total_seconds()) for node in game.root.mainline()] == [303, 303]
    # On with the record, clocks and all.
    for args, line in ((("--load", str(record)), ""), ((), f"load {record}\n")):
        output = play(*args, "--two", "--new", text=f"{line}quit\n")
        assert "Clocks: White 5:03, Black 5:03.\n" in output


def test_without_clocks_nothing_is_said_of_them():
    assert "Clocks" not in play("--two", text="f2-e3A\nquit\n")


def test_other_languages_line_by_line(data):
    text = "a1-b2\nf2-e3A\nhint\ndraw\nja\nquit\n"
    output = play("--two", "--plain", "--lang", "de", "--no-board", text=text)
    for line in (
        "Fanorona, Regeln tsivy auf 9x5. Zwei Menschen spielen.",
        "a1-b2: b2 ist besetzt.",
        "Weiß spielt f2-e3A (schlägt 2).",
        "Zug 2: am Zug ist Schwarz ● und muss schlagen.",
        "Remis durch Übereinkunft. (1/2-1/2, 1 Zug)",
    ):
        assert line in output
    assert "White" not in output
    assert "draw" not in output.replace("> draw", "")


def test_every_language_has_every_command(data):
    words = "help\nrules\nmoves\nmoves k9\nstones\nhint\nxyz\nundo\nredo\nstop\n9\n"
    words += "d3\nf2-f9\nflip\nquit\n"
    for code in ("es", "fr", "mg", "ru", "vi", "zh"):
        output = play("--new", "--plain", "--lang", code, text=words)
        assert "White" not in output, code
        assert "no point" not in output, code
        assert "  redo " in output, code


def test_the_locale_chooses_the_language(data):
    output = play("--two", "--plain", text="quit\n", LANGUAGE="", LC_ALL="ru_RU.UTF-8")
    assert "Играют два человека." in output
    # The other commands are English whatever was spoken before.
    output = invoke("show", LANGUAGE="", LC_ALL="ru_RU.UTF-8").output
    assert "White ○ to move" in output
    assert "Белые" not in output


def test_chinese_lines_are_no_wider_than_the_terminal(data):
    output = play("--two", "--plain", "--no-board", "--lang", "zh", text="rules\nhelp\nquit\n")
    assert max(cell_width(line) for line in output.splitlines()) <= 80


def test_a_wrong_step_of_a_chain_in_another_language(data):
    text = "c2-d2W\na1\nc2\nd1A.\nquit\n"
    output = play("-p", "1b1b1/1bw2/1b3 w", "--two", "--plain", "--lang", "de", text=text)
    assert "a1: Keine Linie verbindet d2 und a1." in output
    assert "c2: " in output
    assert "has been" not in output
    assert "d1A.: d2-d1 schlägt: d2-d1W." in output
