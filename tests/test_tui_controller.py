"""What clicks and keys mean, without a screen."""

import re

import pytest
from tui_driver import PEOPLE, people, steps_of

from fanorona_cli.opponent import PlayerSpec
from fanorona_cli.sentences import hint_text
from fanorona_cli.tui.controller import Controller
from fanorona_cli.tui.drawing import points_of
from fanorona_cli.tui.match import Match
from fanorona_core import Board, RuleSet, Score

CHAIN = "1b1b1/1bw2/1b3 w"
FORK = "2b6/9/bw7/2b6/8b w"
MANY = "bb2bbbbb/b1b4bb/bw3b1bw/4b2ww/wwww1w1ww w"


def hand(text: str | None = None, rules: str | None = None) -> Controller:
    parsed = None if rules is None else RuleSet.parse(rules)
    return Controller(people(Board() if text is None else Board.parse(text, parsed)))


def press(controller: Controller, *names: str) -> None:
    for name in names:
        controller.press(controller.match.position.geometry.point(name))


def names(controller: Controller, mask: int) -> list[str]:
    return [controller.match.position.geometry.name(point) for point in points_of(mask)]


def turns(controller: Controller) -> list[str]:
    return [str(turn) for turn in controller.match.board.turns]


def test_only_stones_that_may_move_light_up():
    controller = hand()
    assert names(controller, controller.movable()) == ["d2", "e2", "f2", "d3"]


def test_two_presses_play_a_turn():
    controller = hand()
    press(controller, "f2", "e3")
    assert turns(controller) == ["f2-e3A"]
    assert controller.selected is None
    assert "approach" in controller.notice.text


def test_a_second_press_puts_the_stone_down():
    controller = hand()
    press(controller, "f2", "f2")
    assert controller.selected is None
    press(controller, "f2", "e2")  # another stone is taken up instead
    assert controller.selected == controller.match.position.geometry.point("e2")


def test_landing_points_say_what_they_take():
    controller = hand("5/bbw1b/5 w")
    press(controller, "c2")
    view = controller.view()
    assert view.targets == {controller.match.position.geometry.point("d2"): "1/2"}
    assert (view.approach, view.withdrawal) == (0, 0)
    controller.move_focus("right")
    view = controller.view()
    assert names(controller, view.approach) == ["e2"]
    assert names(controller, view.withdrawal) == ["a2", "b2"]


def test_the_pointer_previews_too():
    controller = hand("5/bbw1b/5 w")
    press(controller, "c2")
    assert controller.hover(controller.match.position.geometry.point("d2"))
    assert names(controller, controller.view().approach) == ["e2"]
    assert controller.hover(None)
    assert controller.view().approach == 0


@pytest.mark.parametrize(
    ("answer", "turn"),
    [("e2", "c2-d2A"), ("a2", "c2-d2W"), ("b2", "c2-d2W"), ("A", "c2-d2A"), ("W", "c2-d2W")],
)
def test_the_choice_of_capture(answer, turn):
    controller = hand("5/bbw1b/5 w")
    press(controller, "c2", "d2")
    assert controller.choice is not None
    assert turns(controller) == []
    if answer in "AW":
        controller.choose(answer)
    else:
        press(controller, answer)
    assert turns(controller) == [turn]


def test_a_choice_can_be_left():
    controller = hand("5/bbw1b/5 w")
    press(controller, "c2", "d2")
    assert controller.back()
    assert controller.choice is None and controller.selected is not None
    press(controller, "d2", "d2")
    assert controller.choice is None
    controller.choose("W")  # the focus is on the landing point: the key alone says enough
    assert turns(controller) == ["c2-d2W"]


def test_a_key_without_a_choice_says_so():
    controller = hand()
    controller.choose("A")
    assert turns(controller) == []
    assert "no choice" in controller.notice.text


def test_a_chain_step_by_step():
    controller = hand(CHAIN)
    press(controller, "c2", "d2")
    point = controller.match.position.geometry.point
    assert controller.selected == controller.focus == point("d2")
    view = controller.view()
    assert names(controller, view.visited) == ["c2"]
    assert view.forbidden == (point("d2"), point("e2"))
    assert set(view.targets) == {point("d1")}
    press(controller, "d1", "c1")
    assert turns(controller) == ["c2-d2W-d1W-c1A"]


def test_enter_on_the_stone_ends_a_chain():
    controller = hand(CHAIN)
    press(controller, "c2", "d2")
    assert controller.can_end_turn
    controller.press(controller.focus)
    assert turns(controller) == ["c2-d2W"]


def test_back_takes_one_step():
    controller = hand(CHAIN)
    press(controller, "c2", "d2", "d1")
    point = controller.match.position.geometry.point
    controller.back()
    assert controller.selected == point("d2")
    controller.back()
    assert controller.match.board.position.chain is None
    assert not controller.back()


def test_a_chain_that_must_go_on():
    controller = hand(CHAIN, "board=5x3,continuation=compulsory")
    press(controller, "c2", "d2")
    assert not controller.can_end_turn
    controller.end_turn()
    assert turns(controller) == []
    assert controller.notice.kind == "wrong"
    assert "must go on" in controller.notice.text


def test_end_turn_without_a_chain():
    controller = hand()
    controller.end_turn()
    assert "no chain" in controller.notice.text


@pytest.mark.parametrize(
    ("text", "pressed", "says", "shown"),
    [
        (None, ["a1"], "Capture is compulsory", ["d2", "e2", "f2", "d3"]),
        (None, ["e5"], "belongs to Black", ["e5"]),
        (None, ["e3"], "no stone on e3", ["e3"]),
        (None, ["f2", "e5"], "No line joins f2 and e5", ["f2", "e5"]),
        (CHAIN, ["c2", "d2", "e2"], "may not repeat the direction", ["c2", "d2", "e2"]),
        (CHAIN, ["c2", "d2", "c2"], "may not come back", ["c2"]),
        ("8b/9/9/9/wwww4w w", ["i1", "h2"], "takes nothing", None),
        ("9/9/9/9/ww6b w", ["a1", "b1"], None, None),
    ],
)
def test_a_wrong_attempt_names_the_rule_and_shows_it(text, pressed, says, shown):
    controller = hand(text)
    press(controller, *pressed)
    if says is None:
        assert controller.notice.kind == "info"
    elif shown is not None:
        assert controller.notice.kind == "wrong"
        assert says in controller.notice.text
        point = controller.match.position.geometry.point
        assert sorted(controller.view().wrong) == sorted(point(name) for name in shown)


def test_every_refusal_has_words():
    from fanorona_cli.sentences import BREACHES
    from fanorona_core.diagnose import SENTENCES

    assert set(BREACHES) == set(SENTENCES)
    fields = {key: set(re.findall(r"\{(\w+)\}", text)) for key, text in SENTENCES.items()}
    for key, text in BREACHES.items():
        used = set(re.findall(r"\{(\w+)\}", text))
        assert used <= fields[key], key


def test_focus_moves_along_the_board_and_stays_on_it():
    controller = hand()
    point = controller.match.position.geometry.point
    controller.focus = point("a1")
    for direction, name in (("left", "a1"), ("down", "a1"), ("right", "b1"), ("up", "b2")):
        controller.move_focus(direction)
        assert controller.focus == point(name)
    controller.flip = True
    controller.move_focus("up")
    assert controller.focus == point("b1")


def test_jumping_between_what_can_be_chosen():
    controller = hand("5/bbw1b/5 w")
    point = controller.match.position.geometry.point
    controller.focus = 0
    controller.focus_next()
    assert controller.focus == point("c2")
    press(controller, "c2")
    controller.focus_next()
    assert controller.focus == point("d2")
    press(controller, "d2")
    controller.focus_next()
    assert controller.focus == point("e2")
    controller.focus_next(back=True)
    assert controller.focus == point("b2")


@pytest.mark.parametrize("text", ["d2e3", "D2 E3 A", "d2-e3A"])
def test_typed_turns(text):
    controller = hand()
    assert controller.type_turn(text)
    assert turns(controller) == ["d2-e3A"]


def test_typed_nonsense():
    controller = hand()
    assert not controller.type_turn("hello")
    assert controller.notice.kind == "wrong"
    assert not controller.type_turn("d3e3")
    assert "add A or W" in controller.notice.text
    assert not controller.type_turn("a1a2")
    assert controller.notice.text == "a2 is occupied."


@pytest.mark.parametrize(
    ("position", "first", "text", "said"),
    [
        (None, None, "d2-e3-f4.", "A step may not repeat the direction of the step before"),
        (None, None, "d3e3.", "d3e3. can be played in more than one way"),
        (FORK, "b3-c3W", "c4", "c4 can be played in more than one way"),
        (FORK, "b3-c3W", "c2A", "c2 is occupied."),
        (FORK, "b3-c3W", "c3-d3", "A step may not repeat the direction"),
        (MANY, None, "f1-f2A-g3A-f3W-f4A-e3W-e4W-d4A-c3W-b4A-c5W-d5A", "captures: c5-d5W."),
    ],
)
def test_what_is_said_of_a_typed_turn(position, first, text, said):
    """Also of one with a full stop, of the rest of a chain, and of a long one to its end."""
    controller = hand(position)
    assert first is None or controller.type_turn(first)
    assert not controller.type_turn(text)
    assert said in controller.notice.text


def test_typed_steps_leave_the_chain_open():
    controller = hand(CHAIN)
    controller.type_turn("c2d2")
    assert controller.match.board.position.chain is not None
    controller.type_turn("d1.")
    assert turns(controller) == ["c2-d2W-d1W"]


def test_nobody_plays_for_the_engine():
    match = Match(Board(), (PlayerSpec(True, 1), PlayerSpec()))
    controller = Controller(match)
    assert controller.movable() == 0
    press(controller, "d2")
    assert controller.selected is None
    assert "thinking" in controller.notice.text
    controller.move_focus("left")  # looking about is always possible


def test_nobody_plays_while_looking_back():
    controller = hand()
    press(controller, "f2", "e3")
    controller.match.look(0)
    press(controller, "d2")
    assert controller.selected is None
    assert "looking back" in controller.notice.text


def test_the_end_is_told():
    controller = hand("5/1w1bb/5 w")
    press(controller, "b2", "c2")
    assert controller.notice.text == "White wins: Black has no stones left."
    press(controller, "c2")
    assert controller.notice.text == "The game is over."


def test_every_legal_turn_can_be_played_by_hand():
    board = Board.parse(MANY)
    longest = sorted(board.legal_turns, key=len)[-8:]
    for turn in [*list(board.legal_turns)[:12], *longest]:
        controller = Controller(Match(Board.parse(MANY), PEOPLE))
        for step in steps_of(controller.match.board, turn):
            if controller.selected != step.start:
                controller.press(step.start)
            controller.press(step.end)
            if controller.choice is not None:
                controller.choose(step.kind)
        if controller.match.board.position.chain is not None:
            controller.end_turn()
        assert turns(controller) == [str(turn)]


def test_hints_in_a_chain_tell_of_the_rest_only():
    board = Board.parse("1b1b1/1bw2/1b3 w")
    board.push_step(next(step for step in board.steps() if str(step) == "c2-d2W"))
    position, score = board.position, Score(0)
    turns = {str(turn): hint_text(position, turn, score) for turn in position.legal_turns()}
    assert turns["c2-d2W"].startswith("c2-d2W: end the turn here, ")
    assert turns["c2-d2W-d1W"].startswith("c2-d2W-d1W: takes 1 by withdrawal, ")
