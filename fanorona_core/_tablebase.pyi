from typing import final

from typing_extensions import Buffer

from fanorona_core._index import SetIndex

@final
class LoadedTables:
    def __init__(self, index: SetIndex, compulsory: bool, no_move_draw: bool) -> None: ...
    def add(
        self,
        own_stones: int,
        enemy_stones: int,
        data: Buffer,
        complete: bool,
        values: bool,
    ) -> None: ...
    def has(self, own_stones: int, enemy_stones: int, values: bool) -> bool: ...
    def result(self, own: int, enemy: int) -> int | None: ...
    def value(self, own: int, enemy: int) -> int | None: ...
    def resolved(self, own: int, enemy: int, values: bool) -> int | None: ...
    def has_capture(self, own: int, enemy: int) -> bool: ...
    def count_results(self, own: Buffer, enemy: Buffer) -> tuple[int, int, int, int]: ...
    def first_fault(
        self,
        own_stones: int,
        enemy_stones: int,
        values: bool,
        first: int,
        last: int,
        step: int,
    ) -> int | None: ...
