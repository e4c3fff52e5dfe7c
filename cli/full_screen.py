"""From the options of ``fanorona play`` to the full-screen board, which is loaded only here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fanorona_core import Board

from .game_clock import Clock, ClockState
from .opponent import PlayerSpec
from .store import Kept, Store
from .terminal import detect

if TYPE_CHECKING:
    from fanorona_core.proofbook import ProofBook

__all__ = ["open_board"]


def open_board(
    store: Store,
    *,
    kept: Kept | None,
    board: Board | None,
    players: tuple[PlayerSpec, PlayerSpec],
    seed: int | None,
    clock: ClockState | None,
    flip: bool,
    unicode: bool | None,
    language: str | None,
    book: ProofBook | None,
) -> None:
    """Open a kept game, a game on ``board``, or the start screen, until the player leaves.

    Raises:
        KeyboardInterrupt: by Ctrl-C.
    """
    from .tui.app import FanoronaApp
    from .tui.match import Match

    match = None
    if kept is not None:
        match = Match.from_kept(kept)
    elif board is not None:
        times = None if clock is None else Clock.from_state(clock)
        match = Match(board, players, seed=seed, clock=times)
    if unicode is None and not detect(sys.stdout).unicode:
        unicode = False
    app = FanoronaApp(
        store.folder,
        match,
        ascii_only=None if unicode is None else not unicode,
        language=language,
        flip=flip,
        book=book,
    )
    if app.run():
        raise KeyboardInterrupt
