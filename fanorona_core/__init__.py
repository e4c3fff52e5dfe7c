"""The board game Fanorona: rules, records, search and endgame tables."""

from fanorona_core._version import __version__

__all__ = ["__version__"]
