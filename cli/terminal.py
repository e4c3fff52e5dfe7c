"""What the terminal can show: its letters, colours and width."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import IO, Any, Final

from .output import is_utf8

__all__ = ["Look", "can_fill_screen", "detect"]

# Terminals whose fonts or programs cannot be trusted with lines and circles: the console of
# Linux has 512 letters, and "dumb" says that nothing is known.
_PLAIN_TERMINALS: Final = frozenset({"dumb", "linux", "unknown", "vt52", "vt100"})
# Terminals that a full-screen program cannot be drawn on.
_LINE_TERMINALS: Final = frozenset({"dumb", "unknown", "vt52"})


@dataclass(frozen=True, slots=True)
class Look:
    """How to draw: with Unicode or ASCII, with colours or not, in how many columns."""

    unicode: bool = True
    color: bool = False
    width: int = 80


def detect(stream: IO[Any] | None, unicode: bool | None = None) -> Look:
    """Find out what a stream can show; ``unicode`` says it instead of the terminal.

    A stream that cannot encode the letters gets ASCII whatever ``unicode`` says. Colours need a
    terminal, and neither ``NO_COLOR`` nor ``TERM=dumb``. ``COLUMNS`` goes before what the
    terminal says of its width; away from a terminal it is 80.
    """
    is_terminal = stream is not None and not stream.closed and stream.isatty()
    name = os.environ.get("TERM", "" if os.name == "nt" else "unknown")
    plain = name in _PLAIN_TERMINALS
    if unicode is None:
        unicode = not (is_terminal and plain) and name != "dumb"
    color = is_terminal and not plain and not os.environ.get("NO_COLOR")
    width = shutil.get_terminal_size().columns
    return Look(unicode=unicode and is_utf8(stream), color=color, width=max(width, 1))


def can_fill_screen() -> bool:
    """Whether there is a terminal on all three standard streams that can be drawn on.

    It must take every letter: the screen library writes lines and names outside of ASCII.
    """
    name = os.environ.get("TERM", "" if os.name == "nt" else "unknown")
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return (
        name not in _LINE_TERMINALS
        and is_utf8(sys.stdout)
        and all(stream is not None and not stream.closed and stream.isatty() for stream in streams)
    )
