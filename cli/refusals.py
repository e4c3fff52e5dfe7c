"""Why a typed turn cannot be played, in the reader's language."""

from __future__ import annotations

from fanorona_core import FanoronaError, IllegalTurnError, NotationError, Position
from fanorona_core.diagnose import Breach, breach_of_path
from fanorona_core.notation import parse_path

from .i18n import _, language
from .sentences import breach_text

__all__ = ["breach_of_text", "refusal_text", "unreadable_text"]


def breach_of_text(position: Position, text: str) -> Breach | None:
    """The rule that a typed turn breaks, None if it cannot be read as one path of points.

    In a chain a single point means the next one.
    """
    try:
        points, kinds = parse_path(position, text)
    except NotationError:
        if position.chain is None:
            return None
        try:
            point = position.geometry.point(text.strip(" .-").lower())
        except ValueError:
            return None
        chain = position.chain
        return breach_of_path(position, (*chain.points, point), [*chain.kinds, None])
    return breach_of_path(position, points, kinds)


def unreadable_text(position: Position, text: str) -> str:
    """Why a text is no turn: it has two meanings, or none."""
    if len(text) > 3 and _is_path(position, text):
        return _("{text} can be played in more than one way: add A or W.").format(text=text)
    return _("{text} is not a turn: write its points, such as d3-e3A.").format(text=text)


def _is_path(position: Position, text: str) -> bool:
    try:
        parse_path(position, text)
    except NotationError:
        return False
    return True


def refusal_text(position: Position, text: str, error: FanoronaError) -> str:
    """One line for the line mode; in English the error's own words, which tell more."""
    shown = text if len(text) <= 40 else text[:37] + "..."
    if language() == "en":
        return str(error)
    if isinstance(error, IllegalTurnError):
        breach = breach_of_text(position, text)
        if breach is not None:
            return f"{shown}: {breach_text(breach)}"
    if isinstance(error, NotationError):
        return unreadable_text(position, shown)
    return str(error)
