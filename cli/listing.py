"""What the line mode says of turns: lists of them, how a chain goes on, why a stone has none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fanorona_core import Position, Side, Turn

from . import words
from .i18n import _
from .sentences import side_name

__all__ = ["no_point", "standing", "turn_lines", "ways_on", "why_none"]

# Positions may have thousands of turns: more are not printed, but may be played by number.
LISTED: Final = 200


def turn_lines(position: Position, turns: Sequence[Turn]) -> list[str]:
    """Turns with their numbers and what they take, a line each."""
    width = max(len(str(turn)) for turn in turns)
    digits = len(str(len(turns)))
    lines = [
        f"{number:{digits}}  {turn!s:{width}}  {words.taken_points_text(position, turn)}"
        for number, turn in enumerate(turns[:LISTED], 1)
    ]
    if len(turns) > LISTED:
        more = _("... {count} turns in all: moves POINT lists those of one stone.")
        lines.append(more.format(count=len(turns)))
    return lines


def standing(position: Position, turn: Turn) -> int:
    """Where the stone of a legal turn stands now."""
    return turn.start if position.chain is None else position.chain.end


def no_point(position: Position, text: str) -> str:
    """That a text names no point of the board."""
    last = position.geometry.name(position.geometry.points - 1)
    refusal = _("no point {text} on a {columns}x{rows} board: points are a1 to {last}")
    return refusal.format(text=repr(text), columns=position.columns, rows=position.rows, last=last)


def why_none(position: Position, point: int) -> str:
    """Why no turn begins at a point."""
    name = position.geometry.name(point)
    if position.chain is not None:
        own = position.geometry.name(position.chain.end)
        return _("only the stone on {point} can go on").format(point=own)
    for side in Side:
        if position.stones(side) >> point & 1:
            if side is not position.side:
                text = _("the stone on {point} belongs to {side}")
            elif position.must_capture:
                text = _("the stone on {point} cannot capture, and others can: moves lists them")
            else:
                text = _("the stone on {point} cannot move")
            return text.format(point=name, side=side_name(side))
    return _("no stone on {point}").format(point=name)


def ways_on(position: Position) -> str:
    """How the chain in progress can go on."""
    ways = ", ".join(
        _("{step} (takes {count})").format(
            step=str(step).partition("-")[2], count=step.captured.bit_count()
        )
        for step in position.steps()
    )
    text = _("{chain} so far. Go on to {ways}.")
    if position.can_stop:
        text = _("{chain} so far. Go on to {ways}, or stop.")
    return text.format(chain=position.chain, ways=ways)
