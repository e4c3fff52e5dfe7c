"""Ten levels of play, from a beginner to full strength."""

from __future__ import annotations

import random
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from fanorona_core.position import Position

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fanorona_core.board import Board
    from fanorona_core.engine import Engine, Info, Limit

__all__ = ["LEVELS", "Level"]


@dataclass(frozen=True, slots=True)
class Level:
    """How far a level sees, and how finely it judges.

    It searches ``depth_plies`` plies and at most ``nodes`` positions, overlooks chains of its own
    with more than ``steps`` captures while it sees any other turn, and judges each turn with an
    error of ``noise`` centipawns (standard deviation of a normal distribution). So a weak level
    misses what lies far ahead and long chains, and mistakes small differences; it does not throw
    stones away at random. In the first turns of a game every level is a little undecided, so that
    games differ. Only the highest level plays by a book of proofs.

    Examples:
        >>> LEVELS[1].depth_plies < LEVELS[9].depth_plies
        True
        >>> LEVELS[10].noise
        0
    """

    number: int
    depth_plies: int
    nodes: int
    steps: int
    noise: int

    def choose(
        self, engine: Engine, board: Board | Position, limit: Limit | None, chance: random.Random
    ) -> Info:
        """Search as this level does and pick a turn; a limit given is kept as well."""
        from fanorona_core.engine import Limit

        own = Limit(
            time_ms=limit.time_ms if limit else None,
            depth_plies=min(self.depth_plies, (limit and limit.depth_plies) or self.depth_plies),
            nodes=min(self.nodes, (limit and limit.nodes) or self.nodes),
            end_in=limit.end_in if limit else None,
        )
        position = board if isinstance(board, Position) else board.position
        opening = position.turn_number <= _OPENING_TURNS
        noise = max(self.noise, _OPENING_NOISE) if opening else self.noise
        width = 1 if not noise else _OPENING_WIDTH if noise == _OPENING_NOISE else _WIDTH
        ranked: list[Info] = []  # of one depth, the last that was finished
        searched: list[Info] = []
        full = self.number == max(LEVELS)
        for info in engine.analyse(board, own, multipv=width, by_book=full):
            if info.rank == 1:
                searched = []
            searched.append(info)
            if len(searched) >= len(ranked):
                ranked = searched
        candidates = [info for info in ranked if len(info.turn) <= self.steps] or ranked
        return max(candidates, key=lambda info: _judged(info) + chance.gauss(0, noise))


def _judged(info: Info) -> float:
    """A score as one number, with wins and losses beyond all centipawns."""
    score = info.score
    if score.centipawns is not None:
        return max(-_MOST_JUDGED, min(_MOST_JUDGED, score.centipawns))
    assert score.end_in is not None
    return 3000 - score.end_in if score.is_winning else score.end_in - 3000


_MOST_JUDGED: Final = 2500  # tables without distances make far larger scores
_WIDTH: Final = 16
_OPENING_TURNS: Final = 8
_OPENING_NOISE: Final = 15
_OPENING_WIDTH: Final = 3

# Measured against each other: docs/levels.md.
LEVELS: Final[Mapping[int, Level]] = MappingProxyType(
    {
        level.number: level
        for level in (
            Level(1, 1, 1_000, 2, 500),
            Level(2, 1, 1_000, 2, 265),
            Level(3, 1, 1_000, 2, 102),
            Level(4, 2, 2_000, 3, 270),
            Level(5, 2, 2_000, 4, 150),
            Level(6, 2, 2_000, 45, 54),
            Level(7, 3, 5_000, 45, 48),
            Level(8, 4, 10_000, 45, 16),
            Level(9, 8, 300_000, 45, 47),
            Level(10, 128, 2_000_000, 45, 0),
        )
    }
)
