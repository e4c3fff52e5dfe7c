"""What can be done on the screen of a game: keys, names, and what is offered when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ..i18n import N_
from .controller import Controller

__all__ = ["ACTIONS", "REPLAY_ACTIONS", "Action", "offered"]


@dataclass(frozen=True, slots=True)
class Action:
    """A name to be translated, the key as the screen library calls it, and as people see it."""

    name: str
    key: str
    shown: str


ACTIONS: Final[Mapping[str, Action]] = MappingProxyType(
    {
        "end_turn": Action(N_("End turn"), "full_stop", "Enter"),
        "back": Action(N_("Step back"), "backspace", "Bksp"),
        "approach": Action(N_("Approach"), "a", "a"),
        "withdrawal": Action(N_("Withdrawal"), "w", "w"),
        "go_on_here": Action(N_("Play on from here"), "c", "c"),
        "look_end": Action(N_("Return"), "end", "End"),
        "rematch": Action(N_("Rematch"), "g", "g"),
        "pause": Action(N_("Pause"), "p", "p"),
        "faster": Action(N_("Faster"), "plus,equals_sign", "+"),
        "slower": Action(N_("Slower"), "minus", "-"),
        "move_now": Action(N_("Move now"), "exclamation_mark", "!"),
        "hint": Action(N_("Hint"), "h", "h"),
        "undo": Action(N_("Undo"), "u", "u"),
        "redo": Action(N_("Redo"), "r", "r"),
        "new": Action(N_("New"), "n", "n"),
        "flip": Action(N_("Flip"), "f", "f"),
        "score": Action(N_("Evaluation"), "e", "e"),
        "save": Action(N_("Save"), "s", "s"),
        "type": Action(N_("Type a turn"), "t,colon", "t"),
        "draw": Action(N_("Offer a draw"), "o", "o"),
        "resign": Action(N_("Resign"), "x", "x"),
        "look_first": Action(N_("To the start"), "home", "Home"),
        "look_back": Action(N_("Look back"), "left_square_bracket,pageup", "["),
        "look_on": Action(N_("Look on"), "right_square_bracket,pagedown", "]"),
        "theme": Action(N_("Colours"), "k", "k"),
        "ascii": Action(N_("ASCII"), "i", "i"),
        "start": Action(N_("Start screen"), "escape", "Esc"),
        "help": Action(N_("Help"), "question_mark", "?"),
        "quit": Action(N_("Quit"), "q", "q"),
        "menu": Action(N_("Menu"), "m,f10", "m"),
    }
)

# What can be done while a record is read; all of it, always.
REPLAY_ACTIONS: Final[Mapping[str, Action]] = MappingProxyType(
    {
        "back": Action(N_("Back"), "left,backspace,left_square_bracket", "<"),
        "on": Action(N_("On"), "right,space,right_square_bracket", ">"),
        "other": Action(N_("Other line"), "down,v", "v"),
        "auto": Action(N_("Run"), "a", "a"),
        "go_on_here": Action(N_("Play on"), "c,enter", "c"),
        "flip": Action(N_("Flip"), "f", "f"),
        "first": Action(N_("To the start"), "home", "Home"),
        "last": Action(N_("To the end"), "end", "End"),
        "next_game": Action(N_("Next game"), "pagedown,greater_than_sign", "PgDn"),
        "former_game": Action(N_("Game before"), "pageup,less_than_sign", "PgUp"),
        "theme": Action(N_("Colours"), "k", "k"),
        "help": Action(N_("Help"), "question_mark", "?"),
        "quit": Action(N_("Quit"), "q,escape", "q"),
    }
)

_ALWAYS: Final = (
    "hint",
    "undo",
    "redo",
    "help",
    "new",
    "flip",
    "score",
    "save",
    "type",
    "draw",
    "resign",
    "theme",
    "start",
    "quit",
    "look_first",
    "look_back",
    "look_on",
    "ascii",
)


def offered(controller: Controller, thinking: bool = False) -> list[str]:
    """The actions that make sense now, those that the moment asks for first."""
    match = controller.match
    first: list[str] = []
    if controller.choice is not None:
        first += ["approach", "withdrawal", "back"]
    elif match.board.position.chain is not None and controller.can_act:
        first += ["end_turn"] if controller.can_end_turn else []
        first += ["back"]
    elif controller.selected is not None:
        first += ["back"]
    if match.view is not None:
        first += ["go_on_here", "look_end"]
    if match.outcome is not None:
        first += ["rematch"]
    elif not match.people:
        first += ["pause", "faster", "slower"]
    elif thinking:
        first += ["move_now"]
    rest = list(_ALWAYS)
    if match.outcome is not None:
        for name in ("hint", "draw", "resign", "type"):
            rest.remove(name)
        rest.remove("new")
        first.append("new")
    elif not match.people:
        for name in ("hint", "draw", "resign", "type"):
            rest.remove(name)
    if not match.can_undo:
        rest.remove("undo")
    if not match.undone:
        rest.remove("redo")
    return first + rest
