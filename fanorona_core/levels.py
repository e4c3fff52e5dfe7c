"""Ten levels of play, from a beginner to full strength."""

from __future__ import annotations

import random
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fanorona_core.board import Board
    from fanorona_core.engine import Engine, Info, Limit
    from fanorona_core.position import Position

__all__ = ["LEVELS", "Level"]


@dataclass(frozen=True, slots=True)
class Level:
    """How far a level sees, and how far from the best it lets itself stray.

    ``nodes`` positions are searched a turn, at most ``depth_plies`` deep. Of the turns within
    ``slack`` centipawns of the best it plays any, the better the more often: a player who sees
    less also judges less finely.
    """

    number: int
    depth_plies: int
    nodes: int
    slack: int

    def choose(
        self, engine: Engine, board: Board | Position, limit: Limit | None, chance: random.Random
    ) -> Info:
        """Search as this level does and pick a turn; a limit given is kept as well."""
        from fanorona_core.engine import Limit

        own = Limit(
            time_ms=limit.time_ms if limit else None,
            depth_plies=min(self.depth_plies, (limit and limit.depth_plies) or self.depth_plies),
            nodes=min(self.nodes, (limit and limit.nodes) or self.nodes),
        )
        ranked: dict[int, Info] = {}
        for info in engine.analyse(board, own, multipv=_CANDIDATES if self.slack else 1):
            ranked[info.rank] = info
        best = ranked[1]
        if best.score.is_decided or not self.slack:
            return best
        near: list[Info] = []
        weights: list[float] = []
        for info in ranked.values():
            if info.score.is_decided:
                continue
            behind = (best.score.centipawns or 0) - (info.score.centipawns or 0)
            if behind <= self.slack:
                near.append(info)
                weights.append(1 + self.slack - behind)
        return chance.choices(near, weights)[0]


_CANDIDATES: Final = 8

LEVELS: Final[Mapping[int, Level]] = MappingProxyType(
    {
        level.number: level
        for level in (
            Level(1, 1, 1_000, 150),
            Level(2, 1, 1_000, 60),
            Level(3, 2, 2_000, 60),
            Level(4, 2, 2_000, 25),
            Level(5, 3, 4_000, 20),
            Level(6, 4, 10_000, 15),
            Level(7, 6, 30_000, 10),
            Level(8, 8, 150_000, 5),
            Level(9, 11, 1_000_000, 0),
            Level(10, 128, 8_000_000, 0),
        )
    }
)
