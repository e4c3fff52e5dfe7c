"""What is marked on a board: the last turn, and points to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fanorona_core import Board, Position, Turn

__all__ = ["Marks", "marks_of", "marks_on", "points_in", "taken_by"]


@dataclass(frozen=True, slots=True)
class Marks:
    """Points to mark: a turn's path, what it took (a mask), and targets (a mask).

    ``path`` begins where the stone came from and ends where it stands.
    """

    path: tuple[int, ...] = ()
    taken: int = 0
    targets: int = 0

    @property
    def stone(self) -> int | None:
        """The point that the marked turn ended on."""
        return self.path[-1] if self.path else None


def points_in(mask: int) -> Iterator[int]:
    """The points of a mask, lowest first."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def taken_by(position: Position, turn: Turn) -> int:
    """A mask of all stones that a turn takes.

    Raises:
        IllegalTurnError: the turn is not legal in the position.
    """
    taken = 0
    for mask in position.captured(turn):
        taken |= mask
    return taken


def marks_of(position: Position, turn: Turn) -> Marks:
    """The marks of a turn played in a position."""
    return Marks(path=turn.points, taken=taken_by(position, turn))


def marks_on(board: Board) -> Marks:
    """The marks of the chain in progress, else of the last turn."""
    count = len(board.turns)
    position = board.position
    if position.chain is not None:
        before = board.position_before(count)
        other = position.side.other
        return Marks(
            path=position.chain.points, taken=before.stones(other) & ~position.stones(other)
        )
    if not count:
        return Marks()
    return marks_of(board.position_before(count - 1), board.turns[-1])
