"""The pages of the help: the rules with a small board each, and the keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fanorona_core import Position, Turn

from ..i18n import N_
from .drawing import View
from .marking import forbidden_line, label

__all__ = ["HELP", "Page", "demonstration"]


@dataclass(frozen=True, slots=True)
class Page:
    """A title and paragraphs, both to be translated, and a board if there is one.

    ``position`` is position text; ``turn`` is shown on it as if its stone had been taken up and
    its first step were being chosen, ``played`` as a turn that has been played up to there.
    """

    title: str
    paragraphs: tuple[str, ...]
    position: str = ""
    turn: str = ""
    played: str = ""

    def view(self) -> View | None:
        """The board of the page."""
        if not self.position:
            return None
        return demonstration(self.position, self.turn, self.played)


def demonstration(text: str, turn: str = "", played: str = "") -> View:
    """A position with a turn proposed, or with a chain that has been played so far."""
    position = Position.parse(text)
    columns = position.columns
    if played:
        return _chain_view(position, Turn.from_text(played, columns))
    movable = 0
    for step in position.steps():
        movable |= 1 << step.start
    if not turn:
        return View(position, movable=movable)
    proposed = Turn.from_text(turn, columns)
    steps = [
        step
        for step in position.steps()
        if (step.start, step.end) == (proposed.start, proposed.points[1])
    ]
    return View(
        position,
        selected=proposed.start,
        targets={proposed.points[1]: label(steps)},
        approach=sum(step.captured for step in steps if step.kind == "A"),
        withdrawal=sum(step.captured for step in steps if step.kind == "W"),
    )


def _chain_view(position: Position, chain: Turn) -> View:
    """The chain as it stands before its last step, which is the one to choose."""
    after = position
    for index in range(len(chain) - 1):
        start, end = chain.points[index : index + 2]
        after = after.play_step(
            next(
                s
                for s in after.steps()
                if (s.start, s.end, s.kind) == (start, end, chain.kinds[index])
            )
        )
    other = position.side.other
    now = chain.points[-2]
    step = next(s for s in after.steps() if s.end == chain.end and s.kind == chain.kinds[-1])
    return View(
        after,
        selected=now,
        targets={step.end: str(step.captured.bit_count())},
        approach=step.captured if step.kind == "A" else 0,
        withdrawal=step.captured if step.kind == "W" else 0,
        path=chain.points[:-1],
        taken=position.stones(other) & ~after.stones(other),
        visited=sum(1 << point for point in chain.points[:-2]),
        forbidden=forbidden_line(after, chain.points[:-1]),
    )


HELP: Final = (
    Page(
        N_("The board"),
        (
            N_(
                "Stones stand on the points and move along the lines. At strong points (marked) "
                "diagonal lines meet; weak points have none."
            ),
            N_("White begins. Whoever takes all stones of the other side wins."),
            N_(
                "A side that has stones but no legal turn has lost as well, unless the rules "
                "chosen make that a draw."
            ),
        ),
        position="5/1w3/3b1 w",
    ),
    Page(
        N_("Approach"),
        (
            N_(
                "Move one step towards the enemy: if the next point straight ahead holds an "
                "enemy stone, it is taken, and with it the unbroken row of enemy stones behind it."
            ),
            N_("The stones marked A would be taken; the number tells how many they are."),
        ),
        position="5/1w1bb/5 w",
        turn="b2-c2A",
    ),
    Page(
        N_("Withdrawal"),
        (
            N_(
                "Move one step away from the enemy: if the point straight behind holds an enemy "
                "stone, it is taken, and with it the unbroken row behind it."
            ),
            N_("The stones marked W would be taken."),
        ),
        position="5/bbw2/5 w",
        turn="c2-d2W",
    ),
    Page(
        N_("The choice"),
        (
            N_(
                "If one step captures both ways, you take one group, never both, and the choice "
                "is yours: it need not be the larger one."
            ),
            N_("Press a or w, or click one of the stones that you want to take."),
        ),
        position="5/bbw1b/5 w",
        turn="c2-d2W",
    ),
    Page(
        N_("Chains"),
        (
            N_(
                "After a capture the same stone may capture again, and again. It may not return "
                "to a point that it has been on in this turn, nor go on in the direction it has "
                "just moved in (crossed out)."
            ),
            N_("You may stop after any capture, unless the rules chosen say otherwise."),
        ),
        position="1b1b1/1bw2/1b3 w",
        played="c2-d2W-d1W",
    ),
    Page(
        N_("Capture is compulsory"),
        (
            N_(
                "While any of your stones can capture, only captures are legal, and only stones "
                "that can capture light up. Which capture you make is up to you."
            ),
            N_("If nothing can be captured, you move one stone to an empty neighbouring point."),
        ),
        position="4b/5/ww2w w",
    ),
    Page(
        N_("Draws"),
        (
            N_(
                "A game is drawn if the same position with the same side to move comes back for "
                "the third time, or if the limit of turns is reached; the rules chosen may change "
                "both numbers. The players may agree to a draw at any time."
            ),
            N_("The title line names the rules of the game."),
        ),
    ),
    Page(
        N_("Keys on the board"),
        (
            N_("Arrows: move the focus. Tab: to the list of turns and back."),
            N_("Enter or Space: take up a stone, land it, pick a stone of a group."),
            N_("< and >: jump to the next stone or landing point that you can choose."),
            N_("a, w: capture by approach, by withdrawal. Backspace: take back the last step."),
            N_("Enter on the capturing stone, or full stop: end the turn."),
            N_("[ and ]: look back and on. Home, End: to the start, back to the game."),
            N_("m: everything else, with its keys. The mouse does all of it too."),
        ),
    ),
    Page(
        N_("Keys in a record"),
        (
            N_("Right or Space: on. Left or Backspace: back. Home, End: to the start, to the end."),
            N_("v: another line. a: run by itself. c or Enter: play on from here."),
            N_("PgDn, PgUp: the next game of the file, the game before."),
        ),
    ),
)
