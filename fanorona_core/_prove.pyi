from typing import final

from fanorona_core._tablebase import LoadedTables

@final
class Prover:
    def __init__(self, tables: LoadedTables, goal: int, hash_mib: int) -> None: ...
    @property
    def nodes(self) -> int: ...
    def search(self, own: int, enemy: int, claimant: bool, more_nodes: int) -> bool | None: ...
