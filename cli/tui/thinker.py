"""The engine in the background: one question at a time, and no answer that nobody waits for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from fanorona_core import Board, Engine, EngineError, Info, Limit

if TYPE_CHECKING:
    from fanorona_core.openingbook import OpeningBook
    from fanorona_core.proofbook import ProofBook

__all__ = ["Thinker"]


class Thinker:
    """An engine with threads of its own.

    ``ask`` and ``follow`` return at once and drop the question before. The answer comes by
    ``report``, called from another thread, and only while nobody has asked anew or said ``cancel``.
    ``failure`` says why there will be no answer.
    """

    def __init__(
        self,
        level: int | None = None,
        seed: int | None = None,
        hash_mib: int = 16,
        book: ProofBook | None = None,
        openings: OpeningBook | None = None,
    ) -> None:
        self._options = (hash_mib, level, seed)
        self._books = (book, openings)
        self._engine: Engine | None = None
        self._busy = threading.Lock()
        # Held while deciding whom a stop would hit, so that it never hits the next search.
        self._turnstile = threading.Lock()
        self._question = 0
        self._at_work = 0
        self.failure = ""

    @property
    def is_thinking(self) -> bool:
        """Whether an answer is still to come."""
        return self._at_work != 0 and self._at_work == self._question

    def ask(self, board: Board, limit: Limit | None, report: Callable[[Info], None]) -> None:
        """Ask for the turn to play."""
        self._start(board, lambda engine, copy: [engine.best(copy, limit)], report)

    def follow(self, board: Board, limit: Limit, report: Callable[[Info], None]) -> None:
        """Ask for better and better opinions on a position."""
        self._start(board, lambda engine, copy: engine.analyse(copy, limit), report)

    def cancel(self) -> None:
        """Drop the question; the search ends soon."""
        self._question += 1
        self.nudge()

    def play_now(self) -> None:
        """End the search; what it has found so far is the answer."""
        if self._engine is not None:
            self._engine.stop()

    def nudge(self) -> None:
        """Stop a search whose answer is not wanted; call now and then.

        A stop that comes just before a search begins is lost, so once is not enough.
        """
        with self._turnstile:
            if self._at_work not in (0, self._question) and self._engine is not None:
                self._engine.stop()

    def _start(
        self, board: Board, search: Callable[..., object], report: Callable[[Info], None]
    ) -> None:
        self.cancel()
        question, copy = self._question, board.copy()
        thread = threading.Thread(
            target=self._work, args=(question, copy, search, report), daemon=True
        )
        thread.start()

    def _work(
        self,
        question: int,
        board: Board,
        search: Callable[..., object],
        report: Callable[[Info], None],
    ) -> None:
        with self._busy:
            if question != self._question:
                return
            with self._turnstile:
                self._at_work = question
            try:
                if self._engine is None:
                    hash_mib, level, seed = self._options
                    book, openings = self._books
                    self._engine = Engine(
                        hash_mib=hash_mib, level=level, seed=seed, book=book, openings=openings
                    )
                answers = search(self._engine, board)
                for info in answers:  # type: ignore[attr-defined]
                    if question != self._question:
                        return
                    report(info)
            except EngineError:
                return  # no legal turn: the game is over, and whoever asked sees that
            except Exception as error:  # of another thread: it would go unseen
                self.failure = f"{type(error).__name__}: {error}"
            finally:
                with self._turnstile:
                    self._at_work = 0
