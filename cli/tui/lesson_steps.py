"""The five steps of the first lesson."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from fanorona_core import Position, Turn

from ..i18n import N_

__all__ = ["FIRST_TURNS", "STEPS", "LessonStep"]


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A position, what to do in it, and whether a turn does that."""

    title: str
    task: str
    praise: str
    position: str
    is_done: Callable[[Turn], bool]
    # Said of a legal turn that is not what the step is about.
    other: str = ""


# White's five first turns and their traditional names, as far as they are known; the two named
# after right and left have not been verified by a native speaker.
FIRST_TURNS: Final = {
    "e2-e3A": "vaky loha",
    "d3-e3A": "fohy",
    "d3-e3W": "kobana",
    "f2-e3A": "havanana",
    "d2-e3A": "havia",
}

STEPS: Final = (
    LessonStep(
        N_("Take by approach"),
        N_(
            "Your stone is the white ring. Take it up (click it, or move the focus with the arrows "
            "and press Enter), then let it land next to the black stones: moving towards them "
            "takes the whole row."
        ),
        N_("Two stones by approach. Nothing was jumped over: the move itself took them."),
        "5/1w1bb/5 w",
        lambda turn: turn.kinds == "A",
    ),
    LessonStep(
        N_("Take by withdrawal"),
        N_(
            "Now the black stones stand right next to yours. Move straight away from them: that "
            "takes the row behind you."
        ),
        N_("Taken by withdrawal. These are the two ways to capture; there is no third."),
        "5/bbw2/5 w",
        lambda turn: turn.kinds == "W",
    ),
    LessonStep(
        N_("Choose"),
        N_(
            "From c2 to d2 your stone would take e2 by approach or two stones by withdrawal. You "
            "must choose one: press a or w, or click a stone of the group. Take the two."
        ),
        N_("Two stones. The larger group is not compulsory, it just was better here."),
        "5/bbw1b/5 w",
        lambda turn: turn.kinds == "W",
        N_("That took one stone, which is legal too. Try again and take the two."),
    ),
    LessonStep(
        N_("Capture in a chain"),
        N_(
            "After a capture the same stone may capture on, in another direction and to a point "
            "it has not visited. Take three stones in one turn: first to d2, then to d1, then to "
            "c1. Backspace takes the last step back."
        ),
        N_("Three stones in one turn. You could have stopped earlier with Enter."),
        "1b1b1/1bw2/1b3 w",
        lambda turn: len(turn) == 3,
        N_("The chain could go on. Try again and take three stones."),
    ),
    LessonStep(
        N_("The five first turns"),
        N_(
            "This is the start of a game. White has exactly five first turns, all to e3, and each "
            "has a name. Play one; then try the others, or end the lesson."
        ),
        N_("This turn is called {name}."),
        Position.start().stones_text(),
        lambda turn: True,
    ),
)
