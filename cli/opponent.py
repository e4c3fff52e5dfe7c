"""The engine as a player: it chooses turns, gives hints and judges draw offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from fanorona_core import Board, Engine, Limit, Score, Turn
from fanorona_core.openingbook import OpeningBook

from .i18n import _

if TYPE_CHECKING:
    from fanorona_core.findings import Findings
    from fanorona_core.proofbook import ProofBook

__all__ = ["DEFAULT_LEVEL", "Advisor", "EnginePlayer", "Opinion", "PlayerSpec"]

DEFAULT_LEVEL: Final = 3
# A hint and a draw offer get this much thought, whatever the engine's level is.
ADVICE_MS: Final = 500


@dataclass(frozen=True, slots=True)
class Opinion:
    """A turn, the score that it leads to for the side to move, and what is proved before it."""

    turn: Turn
    score: Score
    findings: Findings | None = None


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """Who plays a side: a person, or the engine at a level or with a time per turn."""

    is_engine: bool = False
    level: int | None = None
    time_ms: int | None = None

    @property
    def name(self) -> str:
        """The player's name, as records have it.

        Examples:
            >>> PlayerSpec().name, PlayerSpec(True, 3).name, PlayerSpec(True, None, 1500).name
            ('Player', 'fanorona level 3', 'fanorona 1.5 s a turn')
        """
        if not self.is_engine:
            return "Player"
        level = "" if self.level is None else f" level {self.level}"
        time = "" if self.time_ms is None else f" {self.time_ms / 1000:g} s a turn"
        return f"fanorona{level}{time}"

    @property
    def title(self) -> str:
        """The player in a sentence.

        Examples:
            >>> PlayerSpec(True, 3).title
            'the engine (level 3)'
        """
        if not self.is_engine:
            return _("a person")
        parts = []
        if self.level is not None:
            parts.append(_("level {level}").format(level=self.level))
        if self.time_ms is not None:
            parts.append(_("{seconds} s a turn").format(seconds=f"{self.time_ms / 1000:g}"))
        return _("the engine ({how})").format(how=", ".join(parts))

    @property
    def is_slow(self) -> bool:
        """Whether a turn may take so long that somebody wonders."""
        return self.is_engine and ((self.time_ms or 0) >= 1000 or (self.level or 0) >= 9)


class Advisor(Protocol):
    """What the controller needs of an engine."""

    def choose(self, board: Board, longest_ms: int | None = None) -> Opinion:
        """Choose a turn to play, in no more time than that."""

    def advise(self, board: Board) -> Opinion:
        """Find the best turn, at full strength."""


class EnginePlayer:
    """The engine behind one side, made when it is first asked.

    ``book`` is what it may play by; with one it knows openings, too.
    """

    def __init__(
        self, spec: PlayerSpec, seed: int | None = None, book: ProofBook | None = None
    ) -> None:
        self._spec = spec
        self._book = book
        self._seed = seed
        self._player: Engine | None = None
        self._adviser: Engine | None = None

    def choose(self, board: Board, longest_ms: int | None = None) -> Opinion:
        """Choose a turn as the level and the time say, or sooner."""
        if self._player is None:
            self._player = Engine(
                level=self._spec.level,
                seed=self._seed,
                book=self._book,
                openings=None if self._book is None else OpeningBook.standard(),
            )
        return _asked(self._player, board, self._limit(longest_ms))

    def advise(self, board: Board) -> Opinion:
        """Find the best turn within half a second."""
        if self._adviser is None:
            self._adviser = Engine(book=self._book)
        return _asked(self._adviser, board, Limit(time_ms=ADVICE_MS))

    def _limit(self, longest_ms: int | None) -> Limit | None:
        times = [ms for ms in (self._spec.time_ms, longest_ms) if ms is not None]
        time_ms = min(times, default=None)
        return None if time_ms is None else Limit(time_ms=time_ms)


def _asked(engine: Engine, board: Board, limit: Limit | None) -> Opinion:
    info = engine.best(board, limit)
    return Opinion(info.turn, info.score, info.findings)
