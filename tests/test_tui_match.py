"""A match behind the screen: taking back, lines, clocks, ends, and what is kept of it."""

from datetime import timedelta

import pytest
from tui_driver import PEOPLE, people

from fanorona_cli.game_clock import Clock, TimeControl
from fanorona_cli.opponent import PlayerSpec
from fanorona_cli.records import clock_of
from fanorona_cli.store import Kept, Store
from fanorona_cli.tui.match import Match
from fanorona_cli.tui.saving import Keeper
from fanorona_cli.tui.settings import Settings, load_settings, save_settings
from fanorona_core import Board, Reason, Side, Turn
from fanorona_core.fgn import format_game, parse_game, read

ENGINE_BLACK = (PlayerSpec(), PlayerSpec(True, 1))


class Now:
    """A clock to be set by hand."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def played(*turns: str, players=PEOPLE, **options) -> Match:
    match = Match(Board(), players, **options)
    for turn in turns:
        match.play(Turn.from_text(turn))
    return match


def texts(match: Match) -> list[str]:
    return [str(turn) for turn in match.board.turns]


def test_undo_and_redo_between_people():
    match = played("f2-e3A", "d5-d4A")
    assert match.undo()
    assert texts(match) == ["f2-e3A"]
    assert match.redo()
    assert texts(match) == ["f2-e3A", "d5-d4A"]
    assert not match.redo()


def test_undo_against_the_engine_takes_its_answer_too():
    match = played("f2-e3A", "d5-d4A", players=ENGINE_BLACK)
    assert match.undo()
    assert texts(match) == []
    assert not match.can_undo
    assert match.redo()
    assert texts(match) == ["f2-e3A", "d5-d4A"]


def test_undo_while_the_engine_thinks():
    match = played("f2-e3A", players=ENGINE_BLACK)
    assert match.undo()
    assert texts(match) == []


def test_the_first_turn_of_an_engine_stays():
    match = played("f2-e3A", players=(PlayerSpec(True, 1), PlayerSpec()))
    assert not match.can_undo
    assert not match.undo()
    assert texts(match) == ["f2-e3A"]


def test_another_turn_keeps_the_old_line():
    match = played("f2-e3A", "d5-d4A")
    match.undo()
    match.play(match.board.parse_turn("d5d4a"))
    assert match.lines == []
    match.undo()
    other = next(t for t in match.board.legal_turns if str(t) != "d5-d4A")
    match.play(other)
    assert [[str(t) for t in line] for line in match.lines] == [["f2-e3A", "d5-d4A"]]
    record = match.record()
    assert [str(turn) for turn in record.turns] == ["f2-e3A", str(other)]
    assert [str(n.turn) for n in record.root.next.variations] == [str(other), "d5-d4A"]


def test_looking_back_and_playing_on():
    match = played("f2-e3A", "d5-d4A")
    match.look(1)
    assert match.position.side is Side.BLACK
    assert texts(match) == ["f2-e3A", "d5-d4A"]
    match.look(9)
    assert match.view is None
    assert not match.play_on_here()
    match.look(0)
    assert match.play_on_here()
    assert texts(match) == []
    match.play(Turn.from_text("e2-e3A"))
    assert len(match.lines) == 1


def test_resignation_can_be_taken_back():
    match = played("f2-e3A")
    match.resign(Side.WHITE)
    assert match.outcome.winner is Side.BLACK
    assert match.undo()
    assert match.outcome is None
    assert texts(match) == ["f2-e3A"]


def test_clocks_run_for_one_side_at_a_time():
    now = Now()
    clock = Clock(TimeControl(60_000, 2000), now=now)
    match = played(clock=clock)
    now.seconds = 5  # nobody's time runs before the first turn
    match.play(Turn.from_text("f2-e3A"))
    assert clock.running is Side.BLACK
    assert clock.left_ms(Side.WHITE) == 62_000
    now.seconds = 15
    assert clock.left_ms(Side.BLACK) == 50_000
    match.play(Turn.from_text("d5-d4A"))
    assert clock.left_ms(Side.BLACK) == 52_000
    assert not match.check_time()
    now.seconds = 200
    assert match.check_time()
    assert (match.outcome.winner, match.outcome.reason) == (Side.BLACK, Reason.TIME)
    assert clock.running is None
    # Whoever takes the end back gets the time back as well.
    assert match.undo()
    assert (clock.left_ms(Side.WHITE), clock.left_ms(Side.BLACK)) == (62_000, 52_000)
    assert clock.running is Side.WHITE


def test_the_clock_of_a_halted_game_stands():
    now = Now()
    clock = Clock(TimeControl(60_000, 0), now=now)
    engine = PlayerSpec(True, 1)
    match = played("f2-e3A", "d5-d4A", players=(engine, engine), clock=clock)
    match.paused = True
    clock.pause()
    assert match.undo()
    assert clock.running is None
    assert match.redo()
    assert clock.running is None
    now.seconds = 100
    assert not match.check_time()
    assert {side: clock.left_ms(side) for side in Side} == {Side.WHITE: 60_000, Side.BLACK: 60_000}


def test_turns_taken_back_give_their_time_back():
    now = Now()
    clock = Clock(TimeControl(60_000, 1000), now=now)
    match = played("f2-e3A", clock=clock)
    for seconds, text in ((10, "d5-d4A"), (30, "e1-d2A"), (70, None)):
        now.seconds = seconds
        if text is not None:
            match.play(Turn.from_text(text))
    times = {Side.WHITE: 42_000, Side.BLACK: 11_000}
    assert {side: clock.left_ms(side) for side in Side} == times
    assert match.undo()
    assert {side: clock.left_ms(side) for side in Side} == {Side.WHITE: 61_000, Side.BLACK: 51_000}
    assert match.undo()
    assert {side: clock.left_ms(side) for side in Side} == {Side.WHITE: 61_000, Side.BLACK: 60_000}
    assert match.undo()
    assert {side: clock.left_ms(side) for side in Side} == {Side.WHITE: 60_000, Side.BLACK: 60_000}
    assert clock.running is None


def test_records_have_what_was_left_after_each_turn(tmp_path):
    now = Now()
    clock = Clock(TimeControl(60_000, 2000), now=now)
    match = played("f2-e3A", clock=clock)
    now.seconds = 10.25
    match.play(Turn.from_text("d5-d4A"))
    match.undo()
    now.seconds = 53
    match.play(match.board.parse_turn("f3-f2A"))
    text = format_game(match.record())
    assert '[TimeControl "60+2"]' in text
    line = " ".join(text.split("\n\n")[1].split())
    assert line == (
        "1. f2-e3A {[%clk 0:01:02]} 1... f3-f2A {[%clk 0:00:19.2]} "
        "( 1... d5-d4A {[%clk 0:00:52]} ) *"
    )
    again = parse_game(text)
    assert again.root.next.clock == timedelta(seconds=62)
    # On with it from the record, and from the kept game.
    state = clock_of(again)
    assert (state.control, state.left_ms) == (TimeControl(60_000, 2000), (62_000, 19_200))
    keeper = Keeper(Store(tmp_path))
    keeper.keep(match)
    kept = Match.from_kept(keeper.latest())
    assert format_game(kept.record()) == text
    assert kept.clock.running is None


def test_time_runs_out_in_a_chain():
    now = Now()
    clock = Clock(TimeControl(5000), now=now)
    match = people(Board.parse("1b1b1/1bw2/1b3 w"), clock=clock)
    clock.start(Side.WHITE)
    match.play_step(match.board.steps()[0])
    now.seconds = 6
    assert match.check_time()
    game = parse_game(format_game(match.record()))
    assert (game.result, game.termination) == ("0-1", Reason.TIME)


def test_what_is_kept_is_all_of_it(tmp_path):
    clock = Clock(TimeControl(60_000, 2000), (50_000, 40_000))
    match = played("f2-e3A", "d5-d4A", clock=clock, seed=7, name="one")
    clock.pause()
    match.undo()
    match.play(next(t for t in match.board.legal_turns if str(t) != "d5-d4A"))
    clock.pause()
    keeper = Keeper(Store(tmp_path))
    assert keeper.keep(match) == ""
    again = Match.from_kept(keeper.latest())
    assert again.board == match.board
    assert (again.players, again.seed, again.lines) == (match.players, 7, match.lines)
    assert again.clock.control == clock.control
    assert again.clock.left_ms(Side.WHITE) == clock.left_ms(Side.WHITE)
    assert again.clock.state() == clock.state()
    assert len(clock.state().after) == 3
    assert again.clock.running is None


def test_a_chain_in_progress_is_kept(tmp_path):
    match = people(Board.parse("1b1b1/1bw2/1b3 w"))
    match.play_step(match.board.steps()[0])
    keeper = Keeper(Store(tmp_path))
    keeper.keep(match)
    assert keeper.latest().board.position.chain == match.board.position.chain


def test_games_kept_by_the_line_mode_can_be_read():
    kept = Kept("one", Board(), PEOPLE, 3)
    text = kept.text().replace('"clock": null,\n', "").replace(',\n "lines": []', "")
    assert "clock" not in text
    assert Kept.parse("one", text.replace('"seed": 3,\n}', '"seed": 3\n}')).clock is None


def test_finished_games_are_filed(tmp_path):
    keeper = Keeper(Store(tmp_path))
    match = played("f2-e3A")
    match.agree_draw()
    keeper.keep(match)
    keeper.leave(match, for_good=False)
    (path,) = (tmp_path / "games").glob("*.fgn")
    game = parse_game(path.read_text("utf-8"))
    assert (game.result, game.termination) == ("1/2-1/2", Reason.AGREEMENT)
    assert keeper.latest() is None


def test_a_game_left_for_good_is_not_lost(tmp_path):
    keeper = Keeper(Store(tmp_path))
    for turn in ("f2-e3A", "d2-e3A"):
        match = played(turn)
        keeper.keep(match)
        keeper.leave(match, for_good=True)
    (path,) = (tmp_path / "games").glob("*.fgn")
    assert len([result.unwrap() for result in read(path)]) == 2


def test_an_empty_game_leaves_nothing(tmp_path):
    keeper = Keeper(Store(tmp_path))
    match = played("f2-e3A")
    keeper.keep(match)
    match.undo()
    keeper.keep(match)
    assert keeper.latest() is None
    keeper.leave(match, for_good=True)
    assert list(tmp_path.rglob("*.fgn")) == []
    assert keeper.latest() is None


def test_a_folder_that_cannot_be_written_is_told_once(tmp_path):
    (tmp_path / "unfinished").write_text("in the way")
    keeper = Keeper(Store(tmp_path))
    match = played("f2-e3A")
    assert "cannot be kept" in keeper.keep(match)
    assert keeper.keep(match) == ""
    assert keeper.problem


def test_settings_are_remembered(tmp_path):
    settings = Settings(rules="dimy", white="engine", level=7, theme="contrast", clock_ms=60_000)
    save_settings(tmp_path, settings)
    assert load_settings(tmp_path) == settings


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "nonsense", '{"rules": "vela", "level": 99, "theme": 3, "white": "x"}']
)
def test_damaged_settings_do_no_harm(tmp_path, text):
    (tmp_path / "settings.json").write_text(text)
    settings = load_settings(tmp_path)
    assert settings.rules == "tsivy"
    assert 1 <= settings.level <= 10
    assert settings.theme == "dark"
