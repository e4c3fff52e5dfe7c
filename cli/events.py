"""What happens in a game that is being played, for whatever shows it."""

from __future__ import annotations

from dataclasses import dataclass

from fanorona_core import Outcome, Side, Turn

__all__ = ["Event", "Finish", "Load", "Play", "Quit", "Refuse", "Restart", "Save", "Say", "Show"]


@dataclass(frozen=True, slots=True)
class Say:
    """Lines to read, such as a hint or a list."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refuse:
    """Why a line that was typed did nothing."""

    text: str


@dataclass(frozen=True, slots=True)
class Play:
    """A turn that was played."""

    side: Side
    turn: Turn
    text: str
    by_engine: bool = False


@dataclass(frozen=True, slots=True)
class Show:
    """The board has changed, or is asked for."""

    asked: bool = False


@dataclass(frozen=True, slots=True)
class Finish:
    """The game is over."""

    outcome: Outcome
    text: str


@dataclass(frozen=True, slots=True)
class Save:
    """The game is to be written to a file, over an older one if ``replace`` is set."""

    path: str
    replace: bool = False


@dataclass(frozen=True, slots=True)
class Load:
    """A game is to be read from a file; then call ``Session.replace``."""

    path: str


@dataclass(frozen=True, slots=True)
class Restart:
    """Another game has taken the place of the one before."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The player leaves."""


Event = Say | Refuse | Play | Show | Finish | Restart | Save | Load | Quit
