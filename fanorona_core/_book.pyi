from typing import final

from fanorona_core._proofset import PositionSet
from fanorona_core._tablebase import LoadedTables

@final
class BookReader:
    def __init__(self, tables: LoadedTables, holds: PositionSet, wins: PositionSet) -> None: ...
    def look(self, own: int, enemy: int, bound: int = 0) -> tuple[int, int]: ...
    def rank(self, own: int, enemy: int) -> int: ...
