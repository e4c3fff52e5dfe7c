from typing import final

from fanorona_core._network import NetworkFile
from fanorona_core._position import RawPosition
from fanorona_core._tablebase import LoadedTables
from fanorona_core._transposition import HashTable

MAX_DEPTH: int
WIN_SCORE: int
DECIDED_SCORE: int

@final
class Search:
    def __init__(
        self,
        position: RawPosition,
        hash_table: HashTable,
        history: list[int],
        draws: tuple[bool, int, int, int],
        network: NetworkFile | None = None,
        endings: LoadedTables | None = None,
        ranks: int = 1,
        kept: set[tuple[int, int]] | None = None,
        contempt: int = 0,
        result_stones: int = 0,
    ) -> None: ...
    @property
    def ranks(self) -> int: ...
    @property
    def looked_at(self) -> int: ...
    @property
    def count(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    def stop(self) -> None: ...
    def deepen(
        self, depth: int, rank: int, node_limit: int, deadline_us: int, poll_signals: bool
    ) -> bool: ...
    def find_win(
        self, depth: int, node_limit: int, deadline_us: int, poll_signals: bool
    ) -> bool: ...
    def narrow(self) -> None: ...
    def sort_ranks(self) -> None: ...
    def score(self, rank: int) -> int: ...
    def line(self, rank: int) -> list[tuple[int, int, int]]: ...
