from typing import final

@final
class NetworkFile:
    def __init__(self, data: bytes) -> None: ...
