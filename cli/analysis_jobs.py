"""Analyses games, in this process or in several at a time."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Final

from fanorona_core import Engine, Limit
from fanorona_core.analysis import (
    Evaluated,
    GameAnalysis,
    analyse_game,
    assembled,
    evaluated,
    segments,
)
from fanorona_core.game import Game

from .book_options import BookSource
from .progress import Bar
from .sources import Found

__all__ = ["analyses"]

# Games read ahead, so that the bar knows what is to come; a file may have very many.
_AHEAD: Final = 256

_engine: Engine | None = None


@dataclass(slots=True)
class _Pending:
    """A game whose positions are being evaluated elsewhere."""

    found: Found
    parts: list[Future[list[Evaluated]]]


def analyses(
    games: Iterable[Found], limit: Limit, jobs: int, bar: Bar, book: BookSource
) -> Iterator[tuple[Found, GameAnalysis]]:
    """Analyse games in their order; the numbers do not depend on how many jobs there are.

    (With a limit in time they depend on how busy the machine is.)
    """
    if jobs == 1:
        engine = Engine(book=book.open())
        for found in _counted(games, bar):
            yield found, analyse_game(found.game, engine, limit, bar.advance)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(book,))
    try:
        pending: deque[_Pending] = deque()
        for found in _counted(games, bar):
            pending.append(_submitted(pool, found, limit, bar))
            # Enough for everybody to work on, and not the whole file.
            while sum(len(each.parts) for each in pending) > 8 * jobs:
                yield _finished(pending.popleft())
        while pending:
            yield _finished(pending.popleft())
        pool.shutdown()
    finally:
        # After an interruption: nobody waits for what the others are still searching.
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()


def _counted(games: Iterable[Found], bar: Bar) -> Iterator[Found]:
    """Read some games ahead and tell the bar how many positions they have."""
    ahead: deque[Found] = deque()
    for found in games:
        bar.expect(len(found.game) + 1)
        ahead.append(found)
        if len(ahead) > _AHEAD:
            yield ahead.popleft()
    yield from ahead


def _submitted(pool: ProcessPoolExecutor, found: Found, limit: Limit, bar: Bar) -> _Pending:
    parts = []
    for first, last in segments(found.game):
        future = pool.submit(_evaluate, found.game, limit, first, last)
        future.add_done_callback(lambda _, count=last - first: bar.advance(count))  # type: ignore[misc]
        parts.append(future)
    return _Pending(found, parts)


def _finished(pending: _Pending) -> tuple[Found, GameAnalysis]:
    found = [value for part in pending.parts for value in part.result()]
    return pending.found, assembled(pending.found.game, found)


def _begin(book: BookSource) -> None:
    """Prepare a process of the pool: Ctrl-C is for the one that it works for."""
    global _engine
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _engine = Engine(book=book.open())


def _evaluate(game: Game, limit: Limit, first: int, last: int) -> list[Evaluated]:
    assert _engine is not None
    return evaluated(game, _engine, limit, first, last)
