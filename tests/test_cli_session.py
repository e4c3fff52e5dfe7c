"""The controller of a game: lines in, events out."""

import pytest

from fanorona_cli.events import Event, Finish, Load, Play, Quit, Refuse, Restart, Save, Say, Show
from fanorona_cli.explain import GAME_COMMANDS
from fanorona_cli.game_clock import Clock, TimeControl
from fanorona_cli.opponent import Opinion, PlayerSpec
from fanorona_cli.sentences import EARLIEST_DRAW
from fanorona_cli.session import Session
from fanorona_cli.tui.guide_pages import GUIDE
from fanorona_core import PROFILES, Board, Position, Reason, RuleSet, Score, Side, Turn

HUMAN, ENGINE = PlayerSpec(), PlayerSpec(is_engine=True, level=1)
MANY = Position.parse("9/1b1b5/bw2b4/3w5/4b2b1 w")


class First:
    """An engine that plays the first legal turn and has one opinion."""

    def __init__(self, score: Score | None = None) -> None:
        self.score = Score(0) if score is None else score

    def choose(self, board: Board, longest_ms: int | None = None) -> Opinion:
        return Opinion(board.legal_turns[0], self.score)

    advise = choose


def session(
    start: Position | RuleSet | None = None,
    white: PlayerSpec = HUMAN,
    black: PlayerSpec = HUMAN,
    score: Score | None = None,
) -> Session:
    return Session(Board(start), (white, black), engines=(First(score), First(score)))


def play(game: Session, *lines: str) -> list[Event]:
    events: list[Event] = []
    for line in lines:
        events = game.command(line)
        while game.engine_to_move:
            events += game.engine_turn()
    return events


def refusal(events: list[Event]) -> str:
    (event,) = events
    assert isinstance(event, Refuse)
    assert "\n" not in event.text
    return event.text


def said(events: list[Event]) -> str:
    return "\n".join(line for event in events if isinstance(event, Say) for line in event.lines)


def turns(game: Session) -> list[str]:
    return [str(turn) for turn in game.board.turns]


def test_a_turn():
    game = session()
    assert game.command("f2-e3A") == [
        Play(Side.WHITE, Turn.from_text("f2-e3A"), "White plays f2-e3A (takes 2)."),
        Show(),
    ]
    assert game.prompt == "Black"


def test_an_empty_line_does_nothing():
    assert session().command("  ") == []


def test_step_by_step():
    game = session(MANY)
    events = game.command("d2c3a")
    assert events[0] == Show()
    assert said(events) == "d2-c3A so far. Go on to b2W (takes 1), d3A (takes 1), or stop."
    assert game.prompt == "White on c3"
    game.command("b2")
    events = game.command("stop")
    assert isinstance(events[0], Play)
    assert turns(game) == ["d2-c3A-b2W"]


def test_a_chain_that_ends_by_itself():
    game = session(MANY)
    play(game, "b3-c3", "b2")
    assert turns(game) == ["b3-c3W-b2W"]


def test_a_full_stop_ends_a_chain():
    game = session(MANY)
    play(game, "d2-c3A.")
    assert turns(game) == ["d2-c3A"]


def test_compulsory_continuation():
    game = session(Position.parse(MANY.stones_text(), PROFILES["tsivy-compulsory"]))
    events = game.command("d2-c3A.")
    assert any(isinstance(e, Refuse) and "must go on" in e.text for e in events)
    assert "or stop" not in said(events)
    assert "must go on" in refusal(game.command("stop"))
    game.command("d3")
    assert turns(game) == ["d2-c3A-d3A"]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("a1-a2", "a1-a2: a2 is occupied"),
        ("d3e3", "d3e3 may be d3-e3A or d3-e3W: add A or W"),
        ("xyz", "'xyz' is neither a turn, such as d2-e3A, nor a command: help lists them"),
        ("d3", "d3: a turn needs the point it goes to as well, as in d2-e3A"),
        ("7", "7 is a number of the list of moves: type moves first"),
        ("stop", "you have not begun one"),
        ("undo", "there is no turn of yours to take back"),
        ("redo", "there is nothing to play again"),
        ("save", "save needs the name of a file"),
        ("undo 3", "undo stands alone, without '3'"),
        ("moves k9", "no point 'k9'"),
        ("moves e3", "no stone on e3"),
        ("moves a1", "the stone on a1 cannot capture, and others can"),
        ("moves a5", "the stone on a5 belongs to Black"),
        ("x" * 5000, "..."),
        ("\0\x1b[2J", "neither a turn"),
        ("d2-e3A-f4W", "e3-f4 would repeat the direction north-east"),
    ],
)
def test_refusals(line, text):
    game = session()
    assert text in refusal(game.command(line))
    assert len(refusal(game.command(line))) < 200
    assert not game.board.turns


def test_moves_and_numbers():
    game = session()
    assert said(game.command("moves")).splitlines() == [
        "1  d2-e3A  takes 2 by approach: f4 g5",
        "2  e2-e3A  takes 2 by approach: e4 e5",
        "3  f2-e3A  takes 2 by approach: d4 c5",
        "4  d3-e3A  takes 1 by approach: f3",
        "5  d3-e3W  takes 1 by withdrawal: c3",
        "Type a turn, or its number in this list.",
    ]
    assert "from 1 to 5" in refusal(game.command("6"))
    game.command("moves d3")
    play(game, "2")
    assert turns(game) == ["d3-e3W"]
    assert "type moves first" in refusal(game.command("1"))


def test_moves_within_a_chain():
    game = session(MANY)
    game.command("d2-c3A")
    assert "d2-c3A-d3A" in said(game.command("moves c3"))
    assert "only the stone on c3" in refusal(game.command("moves b3"))
    play(game, "1")
    assert len(turns(game)) == 1


def test_a_paika():
    game = session(Position.parse("8b/9/9/9/w8 w"))
    assert "takes nothing" in said(game.command("moves"))
    assert play(game, "a1 b1")[0] == Play(
        Side.WHITE, Turn.from_text("a1-b1"), "White plays a1-b1 (takes nothing)."
    )


def test_undo_and_redo_between_people():
    game = session()
    play(game, "f2-e3A", "d5-d4A.")
    assert "Taken back: d5-d4A" in said(game.command("undo"))
    game.command("undo")
    assert turns(game) == []
    game.command("redo")
    game.command("redo")
    assert turns(game) == ["f2-e3A", "d5-d4A"]
    game.command("undo")
    play(game, "f3-f2A")
    assert "nothing" in refusal(game.command("redo"))


def test_undo_against_the_engine_takes_its_answer_too():
    game = session(black=ENGINE)
    play(game, "f2-e3A")
    first = turns(game)
    assert len(first) == 2
    game.command("undo")
    assert turns(game) == []
    events = game.command("redo")
    assert turns(game) == first
    assert [event.by_engine for event in events if isinstance(event, Play)] == [False, True]


def test_the_engine_s_own_turn_is_not_taken_back():
    game = session(white=ENGINE)
    game.engine_turn()
    assert "no turn of yours" in refusal(game.command("undo"))
    assert len(turns(game)) == 1
    assert game.flip


def test_undo_takes_steps_back_first():
    game = session(MANY)
    play(game, "d2-c3A", "b2")
    game.command("undo")
    assert game.prompt == "White on c3"
    game.command("undo")
    assert game.prompt == "White"
    assert game.board.position == MANY


def test_a_start_within_a_chain():
    start = MANY.play_step(next(step for step in MANY.steps() if str(step) == "b3-c3W"))
    game = session(start)
    assert "no turn of yours" in refusal(game.command("undo"))
    play(game, "stop")
    assert turns(game) == ["b3-c3W"]


def test_resign_and_think_better_of_it():
    game = session()
    events = game.command("resign")
    (finish,) = events
    assert isinstance(finish, Finish)
    assert finish.text == "Black wins: White has resigned. (0-1, 0 turns)"
    assert game.prompt == "Game over"
    for line in ("f2-e3A", "1", "moves", "hint", "draw", "resign"):
        assert "the game is over" in refusal(game.command(line))
    assert "goes on" in said(game.command("undo"))
    assert not game.is_over


def test_resign_within_a_chain_and_think_better_of_it():
    game = session(MANY)
    play(game, "d2-c3A")
    position = game.board.position
    game.command("resign")
    assert game.is_over
    assert "The game goes on." in said(game.command("undo"))
    assert not game.is_over
    assert game.board.position == position
    assert game.prompt == "White on c3"


def test_a_win_on_the_board():
    game = session(Position.parse("9/9/4bw3/9/9 w"))
    events = play(game, "f3-g3W")
    assert isinstance(events[-1], Finish)
    assert events[-1].text == "White wins: Black has no stones left. (1-0, 1 turn)"
    game.command("undo")
    assert not game.is_over


def test_a_position_that_is_over():
    events = session(Position.parse("9/9/9/bb7/wb7 w")).opening_events()
    assert isinstance(events[-1], Finish)


def test_repetition_ends_the_game():
    game = session(Position.parse("8b/9/9/9/w8 w"))
    events = play(game, *["a1-b1", "i5-h5", "b1-a1", "h5-i5"] * 2)
    assert isinstance(events[-1], Finish)
    assert events[-1].outcome.reason is Reason.REPETITION


def test_draw_between_people():
    game = session()
    assert game.command("draw") == []
    assert game.prompt == "White offers a draw. Black, do you agree? (yes or no)"
    assert "yes or no" in refusal(game.command("perhaps"))
    assert "declined" in said(game.command("NO"))
    game.command("draw")
    (finish,) = game.command("y")
    assert isinstance(finish, Finish)
    assert finish.outcome.result == "1/2-1/2"


def test_leaving_a_question():
    game = session()
    game.command("draw")
    assert game.command("quit") == [Quit()]


@pytest.mark.parametrize(
    ("score", "turn_number", "accepted"),
    [
        (Score(0), 1, False),
        (Score(0), EARLIEST_DRAW, True),
        (Score(900), EARLIEST_DRAW, True),  # the person is better
        (Score(-900), EARLIEST_DRAW, False),
        (Score.win(5), 1, True),
        (Score.loss(5), EARLIEST_DRAW, False),
    ],
)
def test_draw_with_the_engine(score, turn_number, accepted):
    position = Position.start()
    start = Position(
        position.white, position.black, Side.WHITE, position.rules, turn_number=turn_number
    )
    game = session(start, black=ENGINE, score=score)
    events = game.command("draw")
    assert ("accepts" in said(events)) is accepted
    assert ("declines" in said(events)) is not accepted
    assert game.is_over is accepted


def test_hint():
    text = said(session(score=Score(5000)).command("hint"))
    assert text == (
        "Hint: d2-e3A: takes 2 by approach, Black can take back 6. White stands much better."
    )
    text = said(session(Position.parse("9/9/4bw3/9/9 w"), score=Score.win(1)).command("hint"))
    assert text == (
        "Hint: f3-g3W: takes 1 by withdrawal, Black has no answer. White wins in 1 turn."
    )
    text = said(session(Position.parse("8b/9/9/9/w8 w"), score=Score.loss(6)).command("hint"))
    assert text.endswith("takes nothing, Black can take nothing. Black wins in 6 turns.")
    game = session(MANY)
    game.command("d2-c3A")
    # The chain may stop here, and what it has taken is not taken again.
    assert said(game.command("hint")).startswith("Hint: d2-c3A: end the turn here, Black can take")
    assert said(game.command("moves")).split("\n")[0].split()[2:] == ["end", "the", "turn", "here"]


@pytest.mark.parametrize("name", GAME_COMMANDS)
def test_help_lists_each_command_and_each_is_obeyed(name):
    game = session()
    assert f"  {name} " in said(game.command("help")) + " "
    events = game.command(f"{name} x" if GAME_COMMANDS[name][0] == "FILE" else name)
    assert not any(isinstance(event, Refuse) and "neither" in event.text for event in events)


def test_the_guide_is_the_one_of_the_full_screen_board():
    text = said(session().command("guide"))
    for page in GUIDE:
        assert page.title in text
        assert all(f"- {paragraph}" in text for paragraph in page.paragraphs)


def test_events_for_the_surface():
    game = session()
    assert game.command("quit") == [Quit()]
    assert game.command("SAVE my game.fgn") == [Save("my game.fgn")]
    assert game.command("load a.fgn") == [Load("a.fgn")]
    assert game.command("board") == [Show(asked=True)]
    assert game.command("flip") == [Show(asked=True)]
    assert game.flip
    assert "White has 22 stones" in said(game.command("stones"))
    assert "approach" in said(game.command("rules"))


def test_a_question_of_the_surface():
    game = session()
    assert game.ask("Sure?", Save("a", True)) == []
    assert game.prompt == "Sure? (yes or no)"
    assert game.command("yes") == [Save("a", True)]
    game.ask("Sure?", Save("a", True))
    assert game.command("no") == []


def test_new():
    game = session()
    play(game, "f2-e3A")
    assert game.command("new") == [Restart(), Show()]
    assert turns(game) == []
    assert "nothing" in refusal(game.command("redo"))


def test_engines_play_to_an_end():
    game = session(PROFILES["telo"], ENGINE, ENGINE)
    while game.engine_to_move:
        game.engine_turn()
    assert game.is_over


class Now:
    """A clock to be set by hand."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def with_clock(black: PlayerSpec = HUMAN) -> tuple[Session, Now]:
    now = Now()
    clock = Clock(TimeControl(60_000, 1000), now=now)
    return Session(Board(), (HUMAN, black), engines=(First(), First()), clock=clock), now


def test_clocks_run_between_the_lines():
    game, now = with_clock()
    game.opening_events()
    now.seconds = 100  # nobody's time runs before the first turn
    game.command("f2-e3A")
    assert game.clock.running is Side.BLACK
    now.seconds = 110
    game.command("d5-d4A.")
    assert game.clock.left_ms(Side.BLACK) == 51_000
    game.command("undo")
    assert game.clock.left_ms(Side.BLACK) == 60_000
    assert game.clock.running is Side.BLACK


def test_a_line_typed_too_late_loses_on_time():
    game, now = with_clock()
    play(game, "f2-e3A")
    now.seconds = 61
    events = game.command("d5-d4A.")
    assert [type(event) for event in events] == [Show, Finish]
    assert events[1].outcome.winner is Side.WHITE
    assert events[1].outcome.reason is Reason.TIME
    assert turns(game) == ["f2-e3A"]
    assert game.clock.running is None
    play(game, "undo")
    assert not game.is_over
    assert game.clock.left_ms(Side.BLACK) == 60_000


def test_the_engine_spends_a_share_of_its_clock():
    class Noting(First):
        longest: int | None = None

        def choose(self, board: Board, longest_ms: int | None = None) -> Opinion:
            self.longest = longest_ms
            return super().choose(board)

    engine = Noting()
    clock = Clock(TimeControl(60_000))
    game = Session(Board(), (HUMAN, ENGINE), engines=(First(), engine), clock=clock)
    play(game, "f2-e3A")
    assert 0 < engine.longest < 20_000


def test_a_new_game_has_full_clocks():
    game, now = with_clock()
    play(game, "f2-e3A")
    now.seconds = 30
    play(game, "new")
    assert game.clock.left_ms(Side.BLACK) == 60_000
    assert game.clock.running is None
