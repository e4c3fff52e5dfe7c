"""The full-screen board driven by keys and by the mouse, to the end of games."""

import random
import re
import time

import pytest
from textual.widgets import Input, OptionList
from tui_driver import board_of, drive, people, steps_of, text_of

from fanorona_cli.game_clock import Clock, TimeControl
from fanorona_cli.opponent import PlayerSpec
from fanorona_cli.store import Store
from fanorona_cli.tui.actions import offered
from fanorona_cli.tui.app import FanoronaApp
from fanorona_cli.tui.bars import ActionBar, Choice
from fanorona_cli.tui.controller import Controller
from fanorona_cli.tui.game_screen import GameScreen
from fanorona_cli.tui.lesson import LessonScreen
from fanorona_cli.tui.match import Match
from fanorona_cli.tui.reader import GuideScreen, HelpScreen
from fanorona_cli.tui.start import StartScreen
from fanorona_core import PROFILES, Board, Reason, RuleSet, Side

TELO = PROFILES["telo"]
CHAIN = "1b1b1/1bw2/1b3 w"


def chosen(board: Board, chance: random.Random):
    """A turn, the long ones more often: they have more to press."""
    turns = list(board.legal_turns)
    return max(chance.sample(turns, min(3, len(turns))), key=len)


async def go_to(app, pilot, point: int) -> None:
    """Move the focus with the arrows."""
    controller = board_of(app).controller
    columns = controller.match.position.columns
    while controller.focus != point:
        row, column = divmod(controller.focus, columns)
        to_row, to_column = divmod(point, columns)
        if column != to_column:
            await pilot.press("right" if to_column > column else "left")
        else:
            await pilot.press("up" if to_row > row else "down")


async def click_point(app, pilot, point: int) -> None:
    await pilot.click(board_of(app), offset=board_of(app).place_of(point))


async def click_action(app, pilot, name: str) -> None:
    bar = app.screen.query_one(ActionBar)
    place = bar.place_of(name)
    assert place is not None, f"{name} is not offered"
    await pilot.click(bar, offset=place)


def test_a_game_by_keyboard_alone(tmp_path):
    """From the start screen to the end, a rematch, and out."""
    chance = random.Random(4)

    async def script(app, pilot):
        assert isinstance(app.screen, StartScreen)
        # Two people on the smallest board, chosen with the arrows.
        while app.focused.id != "black":
            await pilot.press("down")
        await pilot.press("left")
        while app.focused.id != "profile":
            await pilot.press("down")
        while app.focused.value != "telo":
            await pilot.press("right")
        await pilot.press("n")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, GameScreen)
        match = screen.match
        assert match.rules == TELO
        while match.outcome is None:
            for step in steps_of(match.board, chosen(match.board, chance)):
                if screen.controller.selected != step.start:
                    await go_to(app, pilot, step.start)
                    await pilot.press("enter")
                await go_to(app, pilot, step.end)
                await pilot.press("space")
                if screen.controller.choice is not None:
                    await pilot.press(step.kind.lower())
            if match.board.position.chain is not None:
                await pilot.press("enter")
            assert match.board.position.chain is None
        assert "wins" in text_of(app) or "draw" in text_of(app)
        await pilot.press("g")
        await pilot.pause()
        assert screen.match is not match and screen.match.outcome is None
        await pilot.press("q")

    drive(FanoronaApp(tmp_path), script, (70, 20))
    assert len(list((tmp_path / "games").glob("*.fgn"))) == 1


def test_a_game_by_mouse_alone(tmp_path):
    chance = random.Random(9)

    async def script(app, pilot):
        for name, value in (("black", "person"), ("profile", "telo")):
            choice = app.screen.query_one(f"#{name}", Choice)
            while choice.value != value:
                await pilot.click(choice, offset=(30, 0))
        await pilot.click("#begin")
        await pilot.pause()
        screen = app.screen
        match = screen.match
        while match.outcome is None:
            for step in steps_of(match.board, chosen(match.board, chance)):
                if screen.controller.selected != step.start:
                    await click_point(app, pilot, step.start)
                await click_point(app, pilot, step.end)
                if screen.controller.choice is not None:
                    await click_point(app, pilot, step.captured.bit_length() - 1)
            if match.board.position.chain is not None:
                await click_action(app, pilot, "end_turn")
            assert match.board.position.chain is None
        await click_action(app, pilot, "rematch")
        await pilot.pause()
        assert screen.match.outcome is None
        await click_action(app, pilot, "quit")

    drive(FanoronaApp(tmp_path), script, (80, 24))
    assert len(list((tmp_path / "games").glob("*.fgn"))) == 1


def test_a_game_against_the_engine(tmp_path):
    async def script(app, pilot):
        match = app.screen.match
        deadline = time.monotonic() + 20
        while match.outcome is None and time.monotonic() < deadline:
            if match.person_to_move:
                turn = match.board.legal_turns[0]
                await pilot.press("t")
                await pilot.pause()
                app.screen.query_one(Input).value = f"{turn}."
                await pilot.press("enter")
            await pilot.pause(0.02)
        assert match.outcome is not None
        assert len(match.board.turns) > 2

    match = Match(Board(TELO), (PlayerSpec(), PlayerSpec(True, 1)))
    drive(FanoronaApp(tmp_path, match), script)


def test_the_interface_answers_while_the_engine_thinks(tmp_path):
    async def script(app, pilot):
        screen = app.screen
        await pilot.pause(0.05)
        assert screen.match.engine_to_move
        focus = screen.controller.focus
        started = time.monotonic()
        await pilot.press("left", "u", "h")
        assert time.monotonic() - started < 30  # the engine has a minute
        # Black is at the bottom, so the board is seen from the other side.
        assert screen.controller.focus == focus + 1
        await pilot.press("exclamation_mark")
        deadline = time.monotonic() + 10
        while not screen.match.board.turns and time.monotonic() < deadline:
            await pilot.pause(0.05)
            await pilot.press("exclamation_mark")
        assert screen.match.board.turns

    match = Match(Board(), (PlayerSpec(True, None, 60_000), PlayerSpec()))
    drive(FanoronaApp(tmp_path, match), script)


def test_a_killed_game_goes_on(tmp_path):
    """Nothing is said to the application before its end: what counts is on the disk."""

    async def first(app, pilot):
        point = app.screen.match.position.geometry.point
        await click_point(app, pilot, point("c2"))
        await click_point(app, pilot, point("d2"))
        kept = Store(tmp_path).latest()
        assert str(kept.board.position.chain) == "c2-d2W"

    async def second(app, pilot):
        assert "Go on: turn 1" in text_of(app)
        await pilot.press("c")
        await pilot.pause()
        assert str(app.screen.match.board.position.chain) == "c2-d2W"
        assert "Capture on from here, or end the turn with Enter." in text_of(app)
        await pilot.press("enter")
        assert [str(turn) for turn in app.screen.match.board.turns] == ["c2-d2W"]

    drive(FanoronaApp(tmp_path, people(Board.parse(CHAIN))), first)
    drive(FanoronaApp(tmp_path), second)


def test_a_new_game_from_the_start_screen_asks_first(tmp_path):
    board = Board()
    board.push_text("f2-e3A")

    async def first(app, pilot):
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        await pilot.press("n", "n")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        await pilot.press("n", "y")
        await pilot.pause()
        assert isinstance(app.screen, GameScreen)

    drive(FanoronaApp(tmp_path, people(board)), first)
    assert len(list((tmp_path / "games").glob("*.fgn"))) == 1


def test_undo_redo_look_back_and_a_new_line(tmp_path):
    board = Board()
    for turn in ("f2-e3A", "d5-d4A"):
        board.push_text(turn)

    async def script(app, pilot):
        match = app.screen.match
        await pilot.press("u")
        assert len(match.board.turns) == 1
        await pilot.press("r")
        assert len(match.board.turns) == 2
        await pilot.press("home")
        assert match.view == 0
        assert "Looking back" in text_of(app)
        await pilot.press("right_square_bracket")
        assert match.view == 1
        await pilot.press("end")
        assert match.view is None
        turns = app.screen.query_one(OptionList)
        await pilot.click(turns, offset=(4, 1))
        assert match.view == 1
        await click_action(app, pilot, "go_on_here")
        assert len(match.board.turns) == 1

    drive(FanoronaApp(tmp_path, people(board)), script)


def test_hint_score_flip_colours_and_ascii(tmp_path):
    async def script(app, pilot):
        screen = app.screen
        await pilot.press("h")
        deadline = time.monotonic() + 10
        while not screen.controller.hint and time.monotonic() < deadline:
            await pilot.pause(0.05)
        assert "take back" in screen.controller.notice.text
        await pilot.press("e")
        assert app.settings.show_score
        await pilot.press("f")
        assert board_of(app).picture.layout.flip
        theme = app.theme_key
        await pilot.press("k")
        assert app.theme_key != theme
        await pilot.press("i")
        await pilot.pause()
        assert text_of(app).isascii()
        assert "#B#" in text_of(app) or "#b#" in text_of(app)

    drive(FanoronaApp(tmp_path, people()), script)


@pytest.mark.parametrize("then", ["step", "look back"])
def test_a_hint_that_comes_too_late_is_dropped(tmp_path, then):
    """It was about a position that is no longer shown: in a chain it is no turn at all."""
    board = Board.parse("bb2bbbbb/b1b4bb/bw3b1bw/4b2ww/wwww1w1ww w")

    async def script(app, pilot):
        screen = app.screen
        screen.do_hint()
        if then == "step":
            for name in ("b3", "c3"):
                screen.controller.press(board.position.geometry.point(name))
            assert board.position.chain is not None
        else:
            screen.do_look_first()
        said = screen.controller.notice
        await pilot.pause(0.1)
        while screen._adviser.is_thinking:
            await pilot.pause(0.05)
        await pilot.pause()
        assert screen.controller.hint == ()
        assert screen.controller.notice == said

    if then == "look back":
        board.push(board.legal_turns[0])
    drive(FanoronaApp(tmp_path, people(board)), script)


def test_resign_and_draw_between_people(tmp_path):
    async def script(app, pilot):
        match = app.screen.match
        await pilot.press("o", "n")
        await pilot.pause()
        assert match.outcome is None
        await pilot.press("o", "y")
        await pilot.pause()
        assert match.outcome.reason is Reason.AGREEMENT
        await pilot.press("u", "x", "y")
        await pilot.pause()
        assert match.outcome.reason is Reason.RESIGNATION
        assert match.outcome.winner is Side.BLACK

    drive(FanoronaApp(tmp_path, people()), script)


def test_the_engine_answers_a_draw_offer(tmp_path):
    """One stone against five: the engine with five declines."""

    async def script(app, pilot):
        await pilot.press("o")
        deadline = time.monotonic() + 10
        while "declines" not in text_of(app) and time.monotonic() < deadline:
            await pilot.pause(0.05)
        assert app.screen.match.outcome is None
        assert "Black declines the draw: Black hopes to win." in text_of(app)

    board = Board.parse("bbb6/bb7/9/9/8w w - 0 60 tsivy")
    match = Match(board, (PlayerSpec(), PlayerSpec(True, 1)))
    drive(FanoronaApp(tmp_path, match), script)


def test_two_engines_with_pause_and_speed(tmp_path):
    async def script(app, pilot):
        match = app.screen.match
        await pilot.press("plus", "plus", "plus")
        await pilot.press("p")
        assert match.paused
        count = len(match.board.turns)
        await pilot.pause(0.3)
        assert len(match.board.turns) == count
        await pilot.press("p")
        deadline = time.monotonic() + 20
        while len(match.board.turns) < count + 2 and time.monotonic() < deadline:
            await pilot.pause(0.05)
        assert len(match.board.turns) >= count + 2

    engine = PlayerSpec(True, 1)
    drive(FanoronaApp(tmp_path, Match(Board(), (engine, engine), seed=1)), script)


def test_loss_on_time(tmp_path):
    async def script(app, pilot):
        match = app.screen.match
        deadline = time.monotonic() + 10
        while match.outcome is None and time.monotonic() < deadline:
            await pilot.pause(0.1)
        assert (match.outcome.winner, match.outcome.reason) == (Side.BLACK, Reason.TIME)
        assert "run out of time" in text_of(app)

    board = Board()
    for turn in ("f2-e3A", "d5-d4A"):
        board.push_text(turn)
    clock = Clock(TimeControl(60_000), (150, 60_000))
    drive(FanoronaApp(tmp_path, people(board, clock=clock)), script)


def test_a_new_game_asks_first_and_loses_nothing(tmp_path):
    async def script(app, pilot):
        first = app.screen.match
        await pilot.press("t")
        await pilot.pause()
        await pilot.press(*"f2e3", "enter")
        await pilot.pause()
        await pilot.press("n", "c")
        await pilot.pause()
        assert app.screen.match is first
        await pilot.press("n", "n")
        await pilot.pause()
        assert app.screen.match is not first
        assert not app.screen.match.board.turns

    drive(FanoronaApp(tmp_path, people()), script)
    assert len(list((tmp_path / "games").glob("*.fgn"))) == 1


def test_saving_a_record(tmp_path):
    path, other = tmp_path / "mine.fgn", tmp_path / "other.fgn"
    other.write_text("precious", "utf-8")

    async def script(app, pilot):
        await pilot.press("s")
        await pilot.pause()
        app.screen.query_one(Input).value = str(path)
        await pilot.click("#ok")
        await pilot.pause()
        assert "Saved" in text_of(app)
        # Its own file is written again, another one only after a question.
        for name, answer, said in ((path, "", "Saved"), (other, "n", ""), (other, "y", "Saved")):
            app.screen.say("")
            await pilot.press("s")
            await pilot.pause()
            app.screen.query_one(Input).value = str(name)
            await pilot.press("enter")
            await pilot.pause()
            assert ("Replace it?" in text_of(app)) == bool(answer)
            if answer:
                await pilot.press(answer)
                await pilot.pause()
            assert app.screen.controller.notice.text.startswith(said)
            assert (other.read_text("utf-8") == "precious") == (said == "" or name is path)

    board = Board()
    board.push_text("f2-e3A")
    drive(FanoronaApp(tmp_path / "data", people(board)), script)
    assert "f2-e3A" in path.read_text("utf-8")


def test_names_of_files_that_cannot_be(tmp_path):
    async def script(app, pilot):
        for name in ("a" * 300, "~no-such-user/a.fgn", "a\0b", str(tmp_path)):
            await pilot.press("s")
            await pilot.pause()
            app.screen.query_one(Input).value = name
            await pilot.press("enter")
            await pilot.pause()
            assert app.screen.controller.notice.kind == "wrong", name

    drive(FanoronaApp(tmp_path / "data", people(Board())), script)


def test_a_refused_turn_can_be_put_right(tmp_path):
    async def script(app, pilot):
        await pilot.press("t")
        await pilot.pause()
        app.screen.query_one(Input).value = "d3-e3"
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("t")
        await pilot.pause()
        assert app.screen.query_one(Input).value == "d3-e3"
        await pilot.press("A", "enter")
        await pilot.pause()
        assert [str(turn) for turn in app.screen.match.board.turns] == ["d3-e3A"]

    drive(FanoronaApp(tmp_path / "data", people(Board())), script)


def test_ctrl_c_leaves_with_the_result_of_an_interruption(tmp_path):
    async def script(app, pilot):
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert app.return_value is True

    drive(FanoronaApp(tmp_path / "data", people(Board())), script)


def test_the_menu_does_everything(tmp_path):
    async def script(app, pilot):
        await click_action(app, pilot, "menu")
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        await pilot.press("m")
        await pilot.pause()
        listed = app.screen.query_one(OptionList)
        index = next(i for i in range(listed.option_count) if listed.options[i].id == "flip")
        listed.highlighted = index
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen.controller.flip

    drive(FanoronaApp(tmp_path, people()), script)


def test_the_lesson_by_keyboard(tmp_path):
    async def script(app, pilot):
        await pilot.press("l")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, LessonScreen)
        for turn in ("b2-c2A", "c2-d2W", "c2-d2W", "c2-d2W-d1W-c1A", "d3-e3W"):
            board = screen.controller.match.board
            for step in steps_of(board, board.parse_turn(turn)):
                if screen.controller.selected != step.start:
                    await go_to(app, pilot, step.start)
                    await pilot.press("enter")
                await go_to(app, pilot, step.end)
                await pilot.press("enter")
                if screen.controller.choice is not None:
                    await pilot.press(step.kind.lower())
            assert screen.controller.notice.kind == "good", turn
            if turn != "d3-e3W":
                await pilot.press("n")
        assert "kobana" in screen.controller.notice.text
        await pilot.press("n")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)

    drive(FanoronaApp(tmp_path), script)


def test_the_lesson_says_what_was_wanted(tmp_path):
    async def script(app, pilot):
        await pilot.press("l", "n", "n")
        await pilot.pause()
        screen = app.screen
        point = screen.controller.match.position.geometry.point
        for name in ("c2", "d2", "e2"):
            await click_point(app, pilot, point(name))
        assert screen.controller.notice.kind == "wrong"
        await pilot.click("#lesson-again")
        assert not screen.controller.match.board.turns

    drive(FanoronaApp(tmp_path), script)


def test_help_and_guide_page_by_page(tmp_path):
    async def script(app, pilot):
        for key, kind in (("question_mark", HelpScreen), ("g", GuideScreen)):
            await pilot.press(key)
            await pilot.pause()
            assert isinstance(app.screen, kind)
            for index in range(len(kind.PAGES)):
                assert app.screen.index == index
                if index % 2:
                    await pilot.press("right")
                else:
                    await pilot.click("#page-next")
            await pilot.pause()
            assert isinstance(app.screen, StartScreen)

    drive(FanoronaApp(tmp_path), script)


def test_in_ascii_every_screen_is_ascii(tmp_path):
    async def look(app, pilot):
        for key in ("?", "escape", "l", "escape", "g", "escape", "enter"):
            await pilot.press(key)
            await pilot.pause()
            assert text_of(app).isascii(), text_of(app)

    drive(FanoronaApp(tmp_path, ascii_only=True, language="en"), look)


def test_a_clock_leaves_room_for_whole_names(tmp_path):
    async def look(app, pilot):
        for width, names in (
            (60, (">○ Person", " ● Level 3")),
            (100, (">○ White: Person", " ● Black: Level 3")),
        ):
            await pilot.resize_terminal(width, 30)
            await pilot.pause()
            for name in names:
                assert re.search(rf"{name} +5:00", text_of(app))

    players = PlayerSpec(), PlayerSpec(True, 3)
    match = Match(Board(), players, clock=Clock(TimeControl(300_000)))
    drive(FanoronaApp(tmp_path, match, language="en"), look, (60, 30))


def test_the_title_names_the_rules_on_every_board(tmp_path):
    async def look(app, pilot):
        await pilot.pause()
        assert "youzai · 9x3 · turn 1" in text_of(app)

    match = people(Board(RuleSet.parse("youzai,board=9x3")))
    drive(FanoronaApp(tmp_path, match, language="en"), look)


def test_what_two_engines_do_not_need_is_not_offered(tmp_path):
    match = Match(Board(), (PlayerSpec(True, 1), PlayerSpec(True, 1)))
    names = offered(Controller(match))
    assert not {"hint", "draw", "resign", "type"} & set(names)
    assert {"pause", "faster", "slower"} <= set(names)
