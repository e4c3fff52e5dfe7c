"""Openings from a file of games, for matches."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

from fanorona_core import Board, FanoronaError, RecordError, RuleSet
from fanorona_core.game import Game

from .records import games_of
from .sources import name_of

__all__ = ["digest", "read_openings", "shuffled"]


def read_openings(file: str, rules: RuleSet) -> list[Board]:
    """The main lines of all games of a file, under the rules of a match; ``-`` is standard input.

    Raises:
        RecordError: a game that cannot be read, is over, or is none under these rules; or there
            is no game.
        OSError: the file cannot be read.
    """
    boards = []
    results = games_of(file, rules)
    try:
        for result in results:
            try:
                boards.append(_board(result.unwrap(), rules))
            except RecordError:
                raise
            except FanoronaError as error:
                raise RecordError(str(error), game=result.number) from error
    except RecordError as error:
        raise RecordError(f"{name_of(file)}: {error}") from error
    if not boards:
        raise RecordError(f"{name_of(file)}: there is no game in it, expected openings")
    return boards


def _board(game: Game, rules: RuleSet) -> Board:
    if game.initial.chain is not None:
        raise FanoronaError("it begins within a chain, expected the beginning of a turn")
    board = Board.replay(game.initial.with_rules(rules), game.turns)
    if board.outcome() is not None:
        raise FanoronaError("the game is over, expected an opening")
    return board


def digest(openings: list[Board]) -> str:
    """A short text that another list of openings does not have."""
    lines = (" ".join((board.root.text(), *map(str, board.turns))) for board in openings)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def shuffled(openings: list[Board], seed: int) -> Iterator[Board]:
    """Go through openings again and again, each time in another order that the seed decides."""
    chance = random.Random(seed)
    order = list(openings)
    while True:
        chance.shuffle(order)
        yield from order
