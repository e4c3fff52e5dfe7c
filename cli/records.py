"""Game records in files: one game of a file, and the record of a game that is being played."""

from __future__ import annotations

import datetime
import io
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fanorona_core import Board, FanoronaError, RecordError, RuleSet, Turn
from fanorona_core.game import Game
from fanorona_core.node import Node

from .game_clock import ClockState, TimeControl, recorded
from .opponent import PlayerSpec
from .output import write_file
from .paths import user_path

if TYPE_CHECKING:
    from fanorona_core.records import ReadResult

__all__ = ["board_of", "clock_of", "game_of", "games_of", "read_game", "write_game"]

EVENT = "Game on the command line"
_HEAD = 4096  # characters that show the format


def games_of(path: str, rules: RuleSet | None = None) -> Iterator[ReadResult]:
    """Read the games of a file in any format; ``-`` is standard input.

    What does not show its format is read as FGN; ``rules`` are those of formats that have no
    place for rules.

    Raises:
        RecordError: standard input is wanted, and there is none.
        OSError: the file cannot be read.
    """
    from fanorona_core.formats import guess_format, read_games
    from fanorona_core.records import open_text

    from .sources import opened

    source = opened(path)
    data = user_path(path).read_bytes() if isinstance(source, Path) else source.read()
    with open_text(data) as text:
        head = text.read(_HEAD)
    return read_games(io.BytesIO(data), guess_format(head, path) or "fgn", rules=rules)


def read_game(path: str, number: int | None = None) -> Game:
    """Read one game of a file in any format; ``-`` is standard input.

    ``number`` counts from 1, or from the end if it is negative; without it the file must hold one
    game only.

    Raises:
        RecordError: there is no such game, or it is broken.
        OSError: the file cannot be read.
    """
    results = games_of(path)
    try:
        if number is None:
            first = next(results, None)
            if first is None:
                raise RecordError("no game found, expected a game record")
            game = first.unwrap()
            if next(results, None) is not None:
                raise RecordError(
                    "there is more than one game: say which, by --game N or, in a game, load FILE N"
                )
            return game
        if number < 0:
            last = deque(results, maxlen=min(-number, sys.maxsize))
            if len(last) < -number:
                raise RecordError(f"there is no game {number}, only {len(last)} in all")
            return last[0].unwrap()
        count = 0
        for count, result in enumerate(results, 1):
            if count == number:
                return result.unwrap()
        raise RecordError(f"there is no game {number}, only {count} in all")
    except RecordError as error:
        from .sources import name_of

        raise RecordError(f"{name_of(path)}: {error}") from error


def board_of(game: Game, turns: int | None = None) -> Board:
    """A board after so many turns of the main line, by default all of them.

    At the end of the record the board also has the end that the record names, if it can be.

    Raises:
        FanoronaError: the record has fewer turns.
    """
    line = list(game.turns)
    if turns is not None:
        if not 0 <= turns <= len(line):
            raise FanoronaError(f"turn {turns}: the game has turns 0 (the start) to {len(line)}")
        if turns < len(line):
            return Board.replay(game.initial, line[:turns])
    board = Board.replay(game.initial, line)
    if board.outcome() is None and game.outcome is not None:
        return Board.replay(game.initial, line, declared=game.outcome)
    return board


def clock_of(game: Game, node: Node | None = None) -> ClockState | None:
    """The clocks after a turn of a record, by default its last one; None if it has none."""
    control = TimeControl.parse(game.tags.get("TimeControl", ""))
    path = (node or game.end()).path()[1:]
    if control is None or not any(step.clock is not None for step in path):
        return None
    left = [control.base_ms, control.base_ms]
    after = {}
    turns: tuple[Turn, ...] = ()
    for step in path:
        assert step.turn is not None
        turns = (*turns, step.turn)
        if step.clock is not None:
            left[step.side] = after[turns] = max(round(step.clock.total_seconds() * 1000), 0)
    return ClockState(control, (left[0], left[1]), after)


def game_of(
    board: Board,
    players: tuple[PlayerSpec, PlayerSpec],
    lines: Iterable[Iterable[Turn]] = (),
    clock: ClockState | None = None,
) -> Game:
    """The record of a game that is being played or has ended.

    ``lines`` are lines of play that were left for another; they become variations. With a
    ``clock`` each turn has what it left to the mover.
    """
    game = Game.from_board(board)
    for line in lines:
        node = game.root
        for turn in line:
            same = [child for child in node.variations if child.turn == turn]
            node = same[0] if same else node.add_variation(turn)
    game.tags["Event"] = EVENT
    game.tags["Date"] = datetime.date.today().strftime("%Y.%m.%d")
    if clock is not None:
        game.tags["TimeControl"] = str(clock.control)
        _write_clocks(game.root, clock)
    game.tags["White"], game.tags["Black"] = (player.name for player in players)
    return game


def _write_clocks(root: Node, clock: ClockState) -> None:
    """Write what was left after each turn, in every line."""
    stack: list[tuple[Node, tuple[Turn, ...]]] = [(root, ())]
    while stack:
        node, turns = stack.pop()
        if turns in clock.after:
            node.clock = recorded(clock.after[turns])
        for child in node.variations:
            assert child.turn is not None
            stack.append((child, (*turns, child.turn)))


def write_game(path: str, games: Iterable[Game]) -> None:
    """Write a file of games.

    Raises:
        OSError: the file cannot be written.
    """
    from fanorona_core.fgn import format_game

    write_file(user_path(path), "\n".join(format_game(game) for game in games))
