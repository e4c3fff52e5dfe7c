"""Why a typed turn cannot be played, in the reader's language."""

from __future__ import annotations

from fanorona_core import FanoronaError, IllegalTurnError, NotationError, Position
from fanorona_core.diagnose import Breach, breach_of_path

from .entry import read_path
from .i18n import _, language
from .sentences import breach_text

__all__ = ["breach_of_text", "refusal_text", "unreadable_text"]


def breach_of_text(position: Position, text: str) -> Breach | None:
    """The rule that a typed turn breaks, None if it cannot be read as one path of points."""
    try:
        points, kinds = read_path(position, text)
    except NotationError:
        return None
    return breach_of_path(position, points, kinds)


def unreadable_text(position: Position, text: str) -> str:
    """Why a text is no turn: it has two meanings, or none."""
    try:
        read_path(position, text)
        sentence = _("{text} can be played in more than one way: add A or W.")
    except NotationError:
        sentence = _("{text} is not a turn: write its points, such as d3-e3A.")
    return sentence.format(text=_shown(text))


def _shown(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def refusal_text(position: Position, text: str, error: FanoronaError) -> str:
    """One line for the line mode; in English the error's own words, which tell more."""
    if language() == "en":
        return str(error)
    if isinstance(error, IllegalTurnError):
        breach = breach_of_text(position, text)
        if breach is not None:
            return f"{_shown(text)}: {breach_text(breach)}"
    if isinstance(error, NotationError):
        return unreadable_text(position, text)
    return str(error)
