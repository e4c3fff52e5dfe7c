"""What is marked on a board: the last turn, what landing takes, where a chain may not go on."""

from __future__ import annotations

from collections.abc import Sequence

from fanorona_core import Position, Step

from ..marks import taken_by
from .match import Match

__all__ = ["forbidden_line", "label", "marks_of"]


def marks_of(match: Match) -> tuple[tuple[int, ...], int]:
    """The path and the captures to mark: the chain in progress, else the last turn shown."""
    board, shown = match.board, match.shown_turns
    chain = board.position.chain if match.view is None else None
    if chain is not None:
        before = board.position_before(len(board.turns))
        other = board.side.other
        return chain.points, before.stones(other) & ~board.position.stones(other)
    if not shown:
        return (), 0
    before, turn = board.position_before(shown - 1), board.turns[shown - 1]
    return turn.points, taken_by(before, turn)


def label(steps: Sequence[Step]) -> str:
    """What landing somewhere takes: a number, two for approach and withdrawal, or + for nothing."""
    counts = [str(step.captured.bit_count()) for step in sorted(steps, key=lambda step: step.kind)]
    return "/".join(counts) if steps[0].kind else "+"


def forbidden_line(position: Position, path: Sequence[int]) -> tuple[int, int] | None:
    """The line that would go on in the direction of the last step of a path, if there is one."""
    board = position.geometry
    before, now = path[-2:]
    heading = board.direction_name(before, now)
    for point in board.neighbors(now):
        if board.direction_name(now, point) == heading:
            return now, point
    return None
