from typing_extensions import Buffer

from fanorona_core._index import SetIndex

def pack_results(values: Buffer) -> bytes: ...
def unpack_results(packed: Buffer, values: Buffer) -> None: ...
def count_values(
    index: SetIndex,
    own_stones: int,
    enemy_stones: int,
    values: Buffer,
    first_block: int,
    last_block: int,
) -> list[int]: ...
