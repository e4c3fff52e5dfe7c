from fanorona_core._position import RawPosition

POLICIES: tuple[str, ...]

def perft(position: RawPosition, depth: int, policy: str = "distinct") -> int: ...
