from collections.abc import Callable
from typing import final

from fanorona_core._network import NetworkFile
from fanorona_core._proofhash import ProofTable
from fanorona_core._tablebase import LoadedTables

@final
class Prover:
    def __init__(
        self,
        tables: LoadedTables,
        hash_table: ProofTable,
        compulsory: bool,
        no_move_draw: bool,
        most_stones: int,
        network: NetworkFile | None = None,
        number: int = 0,
    ) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def numbers(self) -> tuple[int, int]: ...
    @property
    def deepest(self) -> int: ...
    def stop(self) -> None: ...
    def prove(
        self,
        own: int,
        enemy: int,
        holder: bool,
        node_limit: int,
        deadline_us: int,
        report: Callable[[], object] | None,
    ) -> bool | None: ...
    def known(self, own: int, enemy: int, holder: bool) -> bool | None: ...
