"""Games kept between two calls: those still being played, and the records of finished ones."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fanorona_core import Board, FanoronaError, Outcome, Position, Reason, Side, Turn

from .game_clock import ClockState, TimeControl
from .opponent import PlayerSpec
from .options import LEVELS
from .output import write_file
from .paths import user_path
from .records import game_of

__all__ = ["Kept", "Store", "data_folder"]

SCHEMA: Final = "fanorona/kept-game/1"


def data_folder(chosen: str | None = None) -> Path:
    """Where games are kept: what was chosen, ``FANORONA_DATA_DIR``, or the user's data folder."""
    folder = chosen or os.environ.get("FANORONA_DATA_DIR")
    if folder:
        return user_path(folder)
    from platformdirs import user_data_path

    return user_data_path("fanorona", appauthor=False)


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as it is kept: the board, who plays, the engine's seed, clocks, and lines left.

    ``lines`` are lines of play that were left for another, from the first turn on.
    """

    name: str
    board: Board
    players: tuple[PlayerSpec, PlayerSpec]
    seed: int | None = None
    clock: ClockState | None = None
    lines: tuple[tuple[Turn, ...], ...] = ()

    def text(self) -> str:
        """The game as JSON; ``parse`` reads back an equal one."""
        board = self.board
        chain = board.position.chain
        ended = board.outcome()
        return json.dumps(
            {
                "schema": SCHEMA,
                "start": board.root.text(),
                "turns": [str(turn) for turn in board.turns],
                "chain": None if chain is None else str(chain),
                "result": None if ended is None else [_letter(ended.winner), ended.reason.value],
                "players": [
                    {"engine": player.is_engine, "level": player.level, "time_ms": player.time_ms}
                    for player in self.players
                ],
                "seed": self.seed,
                "clock": None if self.clock is None else _clock_values(self.clock),
                "lines": [[str(turn) for turn in line] for line in self.lines],
                "left": [
                    [self.clock.after.get(line[: n + 1]) for n in range(len(line))]
                    for line in (board.turns, *self.lines)
                ]
                if self.clock is not None
                else [],
            },
            indent=1,
        )

    @classmethod
    def parse(cls, name: str, text: str) -> Kept:
        """Read what ``text`` has written.

        Raises:
            FanoronaError: it is no kept game, or a broken one.
        """
        try:
            data: dict[str, Any] = json.loads(text)
            if data["schema"] != SCHEMA:
                raise ValueError("made by another version of fanorona")
            start = Position.parse(data["start"])
            board = Board.replay(start, data["turns"], data["chain"])
            if data["result"] is not None and board.outcome() is None:
                winner, reason = data["result"]
                ended = Outcome(
                    None if winner is None else Side.from_letter(winner), Reason(reason)
                )
                board = Board.replay(start, data["turns"], data["chain"], ended)
            white, black = map(_player, data["players"])
            lines = tuple(Board.replay(start, line).turns for line in data.get("lines", []))
            clock = data.get("clock")
            if clock is not None:
                base, added, white_ms, black_ms = (int(value) for value in clock)
                control = TimeControl(base, added)
                after = _after((board.turns, *lines), data.get("left", []))
                clock = ClockState(control, (white_ms, black_ms), after)
            seed = _whole(data, "seed", 0)
            return cls(name, board, (white, black), seed, clock, lines)
        except (FanoronaError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise FanoronaError(f"kept game {name} is damaged: {error}") from error


def _player(data: dict[str, Any]) -> PlayerSpec:
    level, time_ms = _whole(data, "level", 1, LEVELS), _whole(data, "time_ms", 1)
    return PlayerSpec(bool(data["engine"]), level, time_ms)


def _whole(data: dict[str, Any], name: str, least: int, most: int | None = None) -> int | None:
    """A whole number of a kept game, or None if it has none."""
    value = data[name]
    if value is None:
        return None
    if not isinstance(value, int) or value < least or (most is not None and value > most):
        raise ValueError(f"{name} {value!r}")
    return value


def _clock_values(clock: ClockState) -> tuple[int, int, int, int]:
    return clock.control.base_ms, clock.control.increment_ms, *clock.left_ms


def _after(
    lines: tuple[tuple[Turn, ...], ...], left: list[list[int | None]]
) -> dict[tuple[Turn, ...], int]:
    """What was left after each turn, from a list of times for each line."""
    return {
        line[: n + 1]: int(ms)
        for line, times in zip(lines, left, strict=False)
        for n, ms in enumerate(times)
        if ms is not None
    }


def _letter(side: Side | None) -> str | None:
    return None if side is None else side.letter


class Store:
    """A folder with ``unfinished/``, a file a game, and ``games/``, a file of records a month.

    Each game that is being played has a file of its own, so that two at a time do not meet.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def new_name(self) -> str:
        """A name for a game that begins now; names sort by time."""
        return time.strftime("%Y%m%d-%H%M%S-", time.gmtime()) + secrets.token_hex(3)

    def keep(self, kept: Kept) -> None:
        """Keep a game as it stands now.

        Raises:
            OSError: the folder cannot be written to.
        """
        path = self._path(kept.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, kept.text())

    def forget(self, name: str) -> None:
        """Drop a kept game, if it is there.

        Raises:
            OSError: it cannot be removed.
        """
        self._path(name).unlink(missing_ok=True)

    def names(self) -> list[str]:
        """The kept games, the one played last first."""
        dated = []
        with suppress(OSError):
            for path in (self.folder / "unfinished").glob("*.json"):
                with suppress(OSError):
                    dated.append((path.stat().st_mtime_ns, path.stem))
        return [name for _, name in sorted(dated, reverse=True)]

    def load(self, name: str) -> Kept:
        """Read a kept game.

        Raises:
            FanoronaError: it is damaged.
            OSError: it cannot be read.
        """
        return Kept.parse(name, self._path(name).read_text("utf-8", errors="replace"))

    def latest(self, tell: Callable[[FanoronaError, Path], None] | None = None) -> Kept | None:
        """The unfinished game that was played last.

        On the way finished ones are filed, and damaged ones moved out of the way: ``tell`` is
        called with the fault and the new place. What cannot be read, filed or moved now is left
        for another time.
        """
        for name in self.names():
            with suppress(OSError):
                try:
                    kept = self.load(name)
                except FanoronaError as error:
                    place = self._set_aside(name)
                    if tell is not None:
                        tell(error, place)
                    continue
                if kept.board.outcome() is None:
                    return kept
                self.file(kept)
        return None

    def file(self, kept: Kept) -> Path:
        """Append the record of a game to the games of this month, and keep it no longer.

        Raises:
            OSError: it cannot be written.
        """
        from fanorona_core.fgn import format_game  # takes time, and starting a game needs it not

        path = self.folder / "games" / time.strftime("%Y-%m.fgn")
        path.parent.mkdir(parents=True, exist_ok=True)
        text = format_game(game_of(kept.board, kept.players, kept.lines, kept.clock))
        with path.open("a", encoding="utf-8", newline="\n") as file:
            # One call, so that two games that end together do not mix.
            file.write(f"\n{text}" if file.tell() else text)
        self.forget(kept.name)
        return path

    def _set_aside(self, name: str) -> Path:
        """Move a damaged file out of the way, without losing it."""
        path = self._path(name)
        return path.rename(path.with_suffix(".damaged"))

    def _path(self, name: str) -> Path:
        return self.folder / "unfinished" / f"{name}.json"
