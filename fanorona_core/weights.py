"""The evaluation network that ships with the package."""

from __future__ import annotations

from functools import cache
from importlib import resources

from fanorona_core._network import NetworkFile

__all__ = ["evaluation_network"]


@cache
def evaluation_network() -> NetworkFile:
    """The network for the 9x5 board, read once.

    Raises:
        FileNotFoundError: the package was installed without its data.
        ValueError: the file is damaged.

    Examples:
        >>> evaluation_network() is evaluation_network()
        True
    """
    file = resources.files("fanorona_core") / "data" / "evaluation.net"
    return NetworkFile(file.read_bytes())
