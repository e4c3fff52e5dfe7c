from fanorona_core._proofset import PositionSet
from fanorona_core._tablebase import LoadedTables

def first_fault(
    tables: LoadedTables,
    positions: PositionSet,
    most_stones: int,
    holding: bool,
    compulsory: bool,
    no_move_draw: bool,
    own: int,
    enemy: int,
    to_move: bool,
) -> int | None: ...
