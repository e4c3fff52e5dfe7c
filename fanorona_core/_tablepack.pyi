from fanorona_core._index import SetIndex

_Buffer = bytes | bytearray | memoryview

def pack_results(values: _Buffer) -> bytes: ...
def unpack_results(packed: _Buffer, values: bytearray | memoryview) -> None: ...
def count_values(
    index: SetIndex,
    own_stones: int,
    enemy_stones: int,
    values: _Buffer,
    first_block: int,
    last_block: int,
) -> list[int]: ...
