from collections.abc import Callable
from typing import final

from fanorona_core._proofset import PositionSet
from fanorona_core._prove import Prover

@final
class Strategy:
    def __init__(self, prover: Prover, holding: bool) -> None: ...
    @property
    def positions(self) -> PositionSet: ...
    @property
    def holding(self) -> bool: ...
    def collect(
        self,
        own: int,
        enemy: int,
        to_move: bool,
        node_limit: int,
        deadline_us: int,
        report: Callable[[], object] | None,
    ) -> bool: ...
