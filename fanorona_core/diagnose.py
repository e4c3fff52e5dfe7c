"""Why a turn is not legal, in one line that names the rule it breaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fanorona_core._turn import Step, Turn

if TYPE_CHECKING:
    from fanorona_core.position import Position

__all__ = ["why_illegal", "why_illegal_path"]

_LISTED = 5  # examples in one message


def why_illegal(position: Position, turn: Turn) -> str:
    """Say which rule a turn breaks; only for turns that are not legal.

    Examples:
        >>> from fanorona_core.position import Position
        >>> why_illegal(Position.start(), Turn.from_text("a2-a3"))
        'a2-a3: a3 is occupied'
        >>> why_illegal(Position.parse("8b/9/bw2b4/9/9 w"), Turn.from_text("b3-b4"))
        'b3-b4: capture is compulsory: b3-c3W'
    """
    if turn.columns != position.columns:
        return f"{turn} is for another board"
    kinds = list(turn.kinds) if turn.is_capture else [""]
    return f"{turn}: {why_illegal_path(position, turn.points, kinds)}"


def why_illegal_path(position: Position, points: Sequence[int], kinds: Sequence[str | None]) -> str:
    """Say which rule a path breaks.

    ``kinds`` has one entry a step: "A", "W", "" for a paika, or None where it was not said.
    """
    if not position.has_turn():
        return "the game is over, no turn is possible"
    name = position.geometry.name
    done = 0
    if position.chain is not None:
        chain = position.chain
        is_other = any(k not in (None, own) for k, own in zip(kinds, chain.kinds, strict=False))
        if is_other or tuple(points[: len(chain) + 1]) != chain.points:
            return f"the chain {chain} is in progress, and only its stone may go on"
        done = len(chain)
    elif not position.stones(position.side) >> points[0] & 1:
        if position.stones(position.side.other) >> points[0] & 1:
            return f"the stone on {name(points[0])} belongs to {position.side.other}"
        return f"no stone on {name(points[0])}"
    for index in range(done, len(kinds)):
        start, end, kind = points[index], points[index + 1], kinds[index]
        steps = [step for step in position.steps() if step.start == start and step.end == end]
        found = [step for step in steps if kind is None or step.kind == kind]
        if not found:
            return _why_no_step(position, points[: index + 1], end, kind, steps)
        position = position.play_step(found[0])
        if index + 1 < len(kinds) and position.chain is None:
            return _why_ended(position, name(end), found[0], points[: index + 2], points[index + 2])
    if position.chain is not None and not position.can_stop:
        return f"the chain must go on while it can: {_listed(position.steps())}"
    return "not a legal turn"


def _why_no_step(
    position: Position, path: Sequence[int], end: int, kind: str | None, steps: list[Step]
) -> str:
    """Why no step leads from the end of a path to a point."""
    board, start = position.geometry, path[-1]
    if end not in board.neighbors(start):
        return f"no line joins {board.name(start)} and {board.name(end)}"
    if end in path:
        return f"{board.name(end)} was visited in this turn"
    if (position.white | position.black) >> end & 1:
        return f"{board.name(end)} is occupied"
    if steps and steps[0].kind:
        return f"{board.name(start)}-{board.name(end)} captures: {_listed(steps)}"
    if len(path) > 1:
        direction = board.direction_name(start, end)
        if direction == board.direction_name(path[-2], start):
            return f"{board.name(start)}-{board.name(end)} would repeat the direction {direction}"
    by = {"A": " by approach", "W": " by withdrawal"}.get(kind or "", "")
    if position.must_capture and kind in ("", None) and len(path) == 1:
        return f"capture is compulsory: {_listed(position.steps())}"
    return f"{board.name(start)}-{board.name(end)} takes nothing{by}"


def _why_ended(
    position: Position, stopped: str, last: Step, path: Sequence[int], wanted: int
) -> str:
    """Why a turn whose stone stands on ``stopped`` has no further step."""
    board = position.geometry
    if not last.kind:
        return "a move without capture is a whole turn"
    if position.rules.first_turn != "none" and len(path) == 2:
        return "the first turn may have one capture only"
    if wanted in path:
        return f"{board.name(wanted)} was visited in this turn"
    if wanted not in board.neighbors(path[-1]):
        return f"no line joins {stopped} and {board.name(wanted)}"
    if (position.white | position.black) >> wanted & 1:
        return f"{board.name(wanted)} is occupied"
    direction = board.direction_name(path[-1], wanted)
    if direction == board.direction_name(path[-2], path[-1]):
        return f"{stopped}-{board.name(wanted)} would repeat the direction {direction}"
    return f"no capture is possible from {stopped}, the turn is over"


def _listed(steps: list[Step]) -> str:
    texts = [str(step) for step in steps]
    more = f" and {len(texts) - _LISTED} more" if len(texts) > _LISTED else ""
    return ", ".join(texts[:_LISTED]) + more
