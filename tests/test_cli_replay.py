"""``fanorona replay`` and the full-screen ``fanorona play``, as commands and on the screen."""

import os
import select
import struct
import sys
import time

import pytest
from cli_runs import COMMAND, environment, invoke
from tui_driver import check_picture, drive, text_of

from fanorona_cli.tui.app import FanoronaApp
from fanorona_cli.tui.game_screen import GameScreen
from fanorona_cli.tui.replay_model import Reading, Shelf
from fanorona_core import Side
from fanorona_core.fgn import read
from fanorona_core.formats import read_games

RECORD = """\
[Event "Club evening"]
[White "Ravao"]
[Black "Rabe"]
[Result "1-0"]
[Rules "tsivy"]
[Termination "resignation"]

1. f2-e3A! {[%eval 0.43] The strongest first turn.} ( 1. d3-e3W {Kobana.}
1... b4-c3A ) 1... d5-d4A {[%eval 0.60,8]} 2. e1-d2A {[%eval #7]} 1-0

[Result "*"]

1. e2-e3A *
"""
needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "club.fgn"
    path.write_text(RECORD, "utf-8")
    return path


def app_for(path, index=0):
    shelf = Shelf(read_games(path))
    return FanoronaApp(path.parent / "data", replay=(shelf, index, path.name), language="en")


def test_help_shows_examples():
    result = invoke("replay", "--help")
    assert result.exit_code == 0
    assert "fanorona replay game.fgn" in result.output


def test_away_from_a_terminal(path):
    result = invoke("replay", str(path))
    assert result.exit_code == 2
    assert "needs a terminal" in result.output


def test_a_file_that_is_not_there():
    result = invoke("replay", "nowhere.fgn")
    assert result.exit_code == 2
    assert "nowhere.fgn" in result.output


@pytest.mark.parametrize("text", ["0", "x", "5+", "5+3+1", "-5"])
def test_clocks_that_cannot_be(text):
    result = invoke("play", "--clock", text)
    assert result.exit_code == 2
    assert "such as 5+3" in result.output


def test_reading_through_lines():
    game = next(read(RECORD)).unwrap()
    reading = Reading(game)
    rows = [(depth, str(node.turn)) for depth, node in reading.rows]
    assert rows == [
        (0, "f2-e3A"),
        (1, "d3-e3W"),
        (1, "b4-c3A"),
        (0, "d5-d4A"),
        (0, "e1-d2A"),
    ]
    assert reading.row == -1
    assert not reading.back()
    assert reading.on()
    assert reading.comment() == "The strongest first turn."
    assert reading.other(1)
    assert str(reading.node.turn) == "d3-e3W"
    assert reading.shares() == [None, None]
    reading.other(1)
    reading.last()
    assert str(reading.node.turn) == "e1-d2A"
    assert not reading.on()
    assert not reading.other(1)
    shares = reading.shares()
    assert 0.5 < shares[0] < shares[1] < 1
    assert shares[2] == 1.0
    reading.first()
    assert reading.node is game.root


def test_stepping_with_keys(path):
    async def script(app, pilot):
        reading = app.screen.reading
        await pilot.press("right")
        assert str(reading.node.turn) == "f2-e3A"
        assert "The strongest first turn." in text_of(app)
        check_picture(app, "replay")
        await pilot.press("down")
        assert "Kobana." in text_of(app)
        await pilot.press("end", "right")
        assert "The end of this line." in text_of(app)
        await pilot.press("home", "right", "end")
        assert "White wins: Black has resigned." in text_of(app)
        await pilot.press("f", "k")
        await pilot.press("pagedown")
        assert app.screen.number == 1
        await pilot.press("pagedown")
        assert "no other game" in text_of(app)
        await pilot.press("pageup")
        assert app.screen.number == 0

    drive(app_for(path), script, (90, 28))


def test_clocks_are_shown_and_gone_on_with(path):
    clocked = '[TimeControl "300+3"]\n\n1. f2-e3A {[%clk 0:04:58]} d5-d4A {[%clk 0:01:00.5]} *'
    path.write_text(clocked, "utf-8")

    async def script(app, pilot):
        await pilot.press("right")
        assert "0:04:58 left" in text_of(app)
        await pilot.press("right")
        assert "0:01:00.5 left" in text_of(app)
        await pilot.press("c", "2")
        await pilot.pause()
        clock = app.screen.match.clock
        assert clock.left_ms(Side.BLACK) == 60_500
        assert 290_000 < clock.left_ms(Side.WHITE) <= 298_000

    drive(app_for(path), script)


def test_long_comments_can_be_read_whole(path):
    words = " ".join(f"word{number}" for number in range(200))
    path.write_text(f"1. f2-e3A {{{words}}} *", "utf-8")

    async def script(app, pilot):
        await pilot.press("right")
        await pilot.pause()
        seen = set()
        for _ in range(40):
            seen |= set(text_of(app).split())
            await pilot.press("shift+down")
        assert set(words.split()) <= seen
        await pilot.press("home")
        assert app.screen.query_one("BoardView").picture is not None

    drive(app_for(path), script)


def test_a_broken_record_says_so(path):
    path.write_text("1. f2-e3A d5-d4A 2. a1-a5 *", "utf-8")

    async def script(app, pilot):
        assert "game 1, turn 3: turn 'a1-a5'" in text_of(app)
        await pilot.press("end")
        assert str(app.screen.reading.node.turn) == "d5-d4A"
        assert "a1-a5" in text_of(app)

    drive(app_for(path), script)


def test_stepping_with_the_mouse(path):
    async def script(app, pilot):
        screen = app.screen
        turns = screen.query_one("OptionList")
        await pilot.click(turns, offset=(5, 4))
        assert str(screen.reading.node.turn) == "d5-d4A"
        await pilot.click("Graph", offset=(2, 0))
        assert str(screen.reading.node.turn) == "e1-d2A"
        await pilot.click("Graph", offset=(0, 1))
        assert str(screen.reading.node.turn) == "f2-e3A"

    drive(app_for(path), script, (90, 28))


def test_playing_on_from_a_position(path):
    async def script(app, pilot):
        await pilot.press("right", "right", "c", "2")
        await pilot.pause()
        assert isinstance(app.screen, GameScreen)
        match = app.screen.match
        assert [str(turn) for turn in match.board.turns] == ["f2-e3A", "d5-d4A"]
        assert len(match.people) == 2

    drive(app_for(path), script)


class Terminal:
    """A command at a terminal of its own."""

    def __init__(self, *args: str, **env: str) -> None:
        import fcntl
        import pty
        import termios

        self.pid, self.handle = pty.fork()
        if self.pid == 0:
            os.execve(COMMAND[0], [*COMMAND, *args], environment(TERM="xterm-256color", **env))
        fcntl.ioctl(self.handle, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.output = b""

    def wait_for(self, text: str, seconds: float = 30) -> bool:
        deadline = time.monotonic() + seconds
        while text.encode() not in self.output and time.monotonic() < deadline:
            if select.select([self.handle], [], [], 0.2)[0]:
                try:
                    self.output += os.read(self.handle, 65536)
                except OSError:
                    break
        return text.encode() in self.output

    def type(self, text: str) -> None:
        os.write(self.handle, text.encode())

    def end(self) -> int:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if select.select([self.handle], [], [], 0.1)[0]:
                try:
                    self.output += os.read(self.handle, 65536)
                except OSError:
                    break
        os.close(self.handle)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@needs_terminal
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_play_and_replay_at_a_real_terminal(path, tmp_path):
    terminal = Terminal("play", FANORONA_DATA_DIR=str(tmp_path / "data"), LANG="C.UTF-8")
    assert terminal.wait_for("New game")
    terminal.type("q")
    assert terminal.end() == 0
    terminal = Terminal("play", "--two", "--lang", "de", FANORONA_DATA_DIR=str(tmp_path / "data"))
    assert terminal.wait_for("Wähle einen hellen Stein")
    terminal.type("q")
    assert terminal.end() == 0
    terminal = Terminal("replay", str(path), FANORONA_DATA_DIR=str(tmp_path / "data"))
    assert terminal.wait_for("Ravao - Rabe")
    terminal.type("q")
    assert terminal.end() == 0
