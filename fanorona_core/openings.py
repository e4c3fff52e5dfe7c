"""Random openings that give neither side much: where games between engines begin."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fanorona_core.board import Board
from fanorona_core.engine import Engine, Limit
from fanorona_core.errors import EngineError
from fanorona_core.rules import DEFAULT_RULES, RuleSet

__all__ = ["Openings"]

_NODES: Final = 200_000  # what one position may cost to judge
_ATTEMPTS: Final = 1000  # random beginnings before a position without balance is given up on
_REPEATS: Final = 20  # attempts at an opening that was not there before


@dataclass(frozen=True, slots=True)
class Openings:
    """An endless sequence of openings: random turns, kept where a shallow search sees balance.

    ``plies`` random turns are played from the start of the rules; what is left after them is kept
    if the mean of the last two depths of a search ``depth_plies`` deep is at most ``window``
    centipawns for either side (two, since an even depth favours one side and an odd one the
    other). The same seed and the same engine give the same openings. No opening comes twice as
    long as there are others to be found.

    Raises:
        ValueError: a number out of range.

    Examples:
        >>> first = next(iter(Openings(seed=1, plies=2)))
        >>> len(first.turns), first.outcome()
        (2, None)
    """

    rules: RuleSet = DEFAULT_RULES
    seed: int = 0
    plies: int = 4
    window: int = 50
    depth_plies: int = 8

    def __post_init__(self) -> None:
        for name, least in (("plies", 0), ("window", 0), ("depth_plies", 2)):
            value = getattr(self, name)
            if value < least:
                raise ValueError(f"openings {name}={value}: expected {least} or more")

    def __iter__(self) -> Iterator[Board]:
        """Make them one after the other.

        Raises:
            EngineError: nothing balanced is found under these rules.
        """
        engine = Engine(hash_mib=1)
        chance = random.Random(self.seed)
        seen: set[int] = set()
        while True:
            for _ in range(_REPEATS):
                board = self._balanced(engine, chance)
                if board.position.key not in seen:
                    break
            seen.add(board.position.key)
            yield board

    def _balanced(self, engine: Engine, chance: random.Random) -> Board:
        for _ in range(_ATTEMPTS):
            board = self._random(chance)
            if board is not None and (not self.plies or self._is_balanced(engine, board)):
                return board
        raise EngineError(
            f"no balanced opening of {self.plies} turns found in {_ATTEMPTS} attempts: "
            "expected fewer turns or a wider window"
        )

    def _random(self, chance: random.Random) -> Board | None:
        board = Board(self.rules)
        for _ in range(self.plies):
            turns = board.legal_turns
            if not turns:
                return None
            board.push(chance.choice(turns))
        return board if board.outcome() is None else None

    def _is_balanced(self, engine: Engine, board: Board) -> bool:
        engine.new_game()
        scores = [
            info.score
            for info in engine.analyse(board, Limit(depth_plies=self.depth_plies, nodes=_NODES))
        ][-2:]
        if any(score.is_decided for score in scores):
            return False
        return abs(sum(score.centipawns or 0 for score in scores)) <= self.window * len(scores)
