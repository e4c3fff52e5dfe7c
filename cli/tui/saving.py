"""Keeping the game of the screen after every change, so that it outlives a kill."""

from __future__ import annotations

from contextlib import suppress

from ..i18n import _
from ..store import Kept, Store
from .match import Match

__all__ = ["Keeper"]


class Keeper:
    """The store, and whether it could be written to last time."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.problem = ""

    def keep(self, match: Match) -> str:
        """Keep a match; return what went wrong the first time that it does, else nothing."""
        if not match.name:
            match.name = self.store.new_name()
        try:
            if match.is_begun:
                self.store.keep(match.kept())
            else:
                self.store.forget(match.name)
        except OSError as error:
            first, self.problem = not self.problem, str(error)
            text = _("The game cannot be kept: {error}").format(error=error.strerror or error)
            return text if first else ""
        self.problem = ""
        return ""

    def leave(self, match: Match, *, for_good: bool) -> None:
        """Leave a match: file the record of one that ended or is left for good."""
        if not match.board.turns:
            with suppress(OSError):
                self.store.forget(match.name)
        elif match.outcome is not None or for_good:
            with suppress(OSError):
                self.store.file(match.kept())

    def latest(self) -> Kept | None:
        """The unfinished game to go on with; damaged ones are moved out of the way."""
        return self.store.latest()
