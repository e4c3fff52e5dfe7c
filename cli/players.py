"""The two players of a match: this engine, or another program that speaks UGI."""

from __future__ import annotations

import re
import shlex
import time
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from fanorona_core import Board, FanoronaError, RuleSet, Turn
from fanorona_core.clock import Clock
from fanorona_core.engine import MAX_CONTEMPT, Engine, Info, Limit
from fanorona_core.proofbook import ProofBook
from fanorona_core.score import Score
from fanorona_core.tablebase import Tables

from .paths import named_folder

__all__ = [
    "Clocks",
    "EnginePlayer",
    "Player",
    "PlayerError",
    "PlayerFailure",
    "PlayerSpec",
    "Reply",
]


# What both sides have left, White's first.
Clocks = tuple[Clock, Clock]


class PlayerError(Exception):
    """A text that names no player, or a program that cannot be started."""


class PlayerFailure(Exception):
    """A player that did not give a legal turn, and so has lost; the text says how."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A turn, and what its player said of it from its own view; None where it said nothing."""

    turn: Turn
    score: Score | None = None
    depth_plies: int | None = None
    nodes: int | None = None


class Player(Protocol):
    """Somebody who plays games."""

    def prepare(self, rules: RuleSet) -> None:
        """Read what takes long before games under these rules, so that no clock counts it."""

    def new_game(self, seed: int) -> None:
        """Begin a game; ``seed`` makes the player's choices repeatable if it can."""

    def choose(self, board: Board, limit: Limit | None, clocks: Clocks | None) -> Reply:
        """Choose a turn within a limit, or with both sides' clocks, White's first.

        Raises:
            PlayerFailure: no legal turn came.
        """

    def close(self) -> None:
        """End; a program is told to."""


_NUMBERS: Final = {"nodes": "nodes", "depth": "depth_plies"}
# The least and the most of a setting.
_SETTINGS: Final = {
    "hash": (1, 1 << 30),
    "threads": (1, 1024),
    "seed": (0, 10**12),
    "contempt": (0, MAX_CONTEMPT),
}
_FOLDERS: Final = ("tables", "proofs")
_TIME: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]+)?)(ms|s|m|)")
_UNITS: Final = {"ms": 1, "": 1, "s": 1000, "m": 60_000}


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """What a text says of a player: ``level:5``, ``nodes=5000,hash=32`` or ``cmd:PROGRAM``.

    ``limit`` and ``clock`` are None where the match says them, ``limit`` also where a level does.
    ``options`` go to a program as its UGI options. With a folder of ``tables`` or ``proofs`` the
    engine plays by what they prove.

    Examples:
        >>> PlayerSpec.parse("level:3").level
        3
        >>> PlayerSpec.parse("time=250,hash=64").limit.time_ms
        250
        >>> PlayerSpec.parse("name=other,Hash=64,cmd:./other --ugi").command
        ('./other', '--ugi')
    """

    name: str
    level: int | None = None
    limit: Limit | None = None
    clock: Clock | None = None
    hash_mib: int = 16
    threads: int = 1
    seed: int | None = None
    contempt: int = 0
    command: tuple[str, ...] = ()
    tables: str | None = None
    proofs: str | None = None
    options: tuple[tuple[str, str], ...] = field(default=())

    @classmethod
    def parse(cls, text: str) -> PlayerSpec:
        """Read the text of a player.

        Raises:
            PlayerError: it cannot be read.
        """
        front, _, command = text.partition("cmd:")
        spec = cls(name=text.strip() or "engine", command=tuple(_split(command)))
        numbers: dict[str, int] = {}
        for part in filter(None, (part.strip() for part in front.split(","))):
            key, equals, value = part.partition("=")
            if part.startswith("level:") and not command:
                spec = replace(spec, level=_whole(part, part.removeprefix("level:"), 1, 10))
            elif part == "engine" and not command:
                pass
            elif not equals:
                raise PlayerError(
                    f"player {text!r}: {part!r} is not level:N, engine, NAME=VALUE or cmd:PROGRAM"
                )
            elif key == "name":
                spec = replace(spec, name=value)
            elif key == "clock":
                spec = replace(spec, clock=parse_clock(value))
            elif key == "time":
                numbers["time_ms"] = parse_time(value)
            elif key in _NUMBERS:
                numbers[_NUMBERS[key]] = _whole(part, value, 1)
            elif command:
                spec = replace(spec, options=(*spec.options, (key, value)))
            elif key in _SETTINGS:
                spec = _with_setting(spec, key, _whole(part, value, *_SETTINGS[key]))
            elif key in _FOLDERS:
                spec = (
                    replace(spec, tables=value) if key == "tables" else replace(spec, proofs=value)
                )
            else:
                raise PlayerError(
                    f"player {text!r}: no setting {key!r}; expected name, time, depth, nodes, "
                    "clock, hash, threads, seed, contempt, tables or proofs"
                )
        if "cmd:" in text and not spec.command:
            raise PlayerError(f"player {text!r}: expected a program after cmd:")
        return replace(spec, limit=Limit(**numbers)) if numbers else spec

    def open(self) -> Player:
        """Make the player, ready for its first game.

        Raises:
            PlayerError: the program cannot be started.
        """
        if self.command:
            from .ugi_player import UgiPlayer

            return UgiPlayer(self.command, self.options)
        return EnginePlayer(self)

    def book(self) -> ProofBook | None:
        """Open the book that this engine plays by, if it has one.

        Raises:
            CorruptProofError: a file is no certificate.
            OSError: a folder cannot be read.
        """
        if self.tables is None and self.proofs is None:
            return None
        tables = None if self.tables is None else named_folder(self.tables)
        proofs = () if self.proofs is None else named_folder(self.proofs)
        return ProofBook(proofs, Tables(tables))

    def pace(self, limit: Limit | None, clock: Clock | None) -> tuple[Limit | None, Clock | None]:
        """Return the limit and the clock that hold for this player in a match with its own."""
        if self.clock is not None or self.limit is not None or self.level is not None:
            return self.limit, self.clock
        return limit, clock


def _with_setting(spec: PlayerSpec, name: str, value: int) -> PlayerSpec:
    if name == "hash":
        return replace(spec, hash_mib=value)
    if name == "contempt":
        return replace(spec, contempt=value)
    return replace(spec, threads=value) if name == "threads" else replace(spec, seed=value)


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise PlayerError(f"command {command!r}: {error}") from None


def _whole(part: str, value: str, least: int, most: int = 10**12) -> int:
    if not (re.fullmatch(r"[0-9]{1,15}", value) and least <= int(value) <= most):
        raise PlayerError(f"{part!r}: expected a number, {least} to {most}")
    return int(value)


def parse_time(text: str) -> int:
    """Read a time in milliseconds, or with a unit: ``100``, ``0.5s``, ``2m``.

    Raises:
        PlayerError: any other text, or less than a millisecond.
    """
    found = _TIME.fullmatch(text.strip().lower())
    time_ms = round(float(found[1]) * _UNITS[found[2]]) if found else 0
    if time_ms < 1:
        raise PlayerError(f"time {text!r}: expected milliseconds, such as 100, or 0.5s")
    return time_ms


def parse_clock(text: str) -> Clock:
    """Read a time control in seconds, with an increment if there is one: ``60`` or ``10+0.1``.

    Raises:
        PlayerError: any other text.
    """
    found = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]+)?)(?:\+([0-9]{1,6}(?:\.[0-9]+)?))?", text.strip())
    remaining = round(float(found[1]) * 1000) if found else 0
    if found is None or not remaining:
        raise PlayerError(f"clock {text!r}: expected seconds and increment, such as 10+0.1")
    return Clock(remaining, round(float(found[2] or 0) * 1000))


class EnginePlayer:
    """An engine in this process; each game is played by a new one that knows nothing yet."""

    def __init__(self, spec: PlayerSpec) -> None:
        self._spec = spec
        try:
            self._book = spec.book()
        except OSError as error:
            raise PlayerError(f"player {spec.name}: {error}") from None
        self._engine = self._made(spec.seed)

    def _made(self, seed: int | None) -> Engine:
        spec = self._spec
        try:
            return Engine(
                spec.hash_mib,
                spec.level,
                seed,
                spec.threads,
                book=self._book,
                contempt=spec.contempt,
            )
        except (MemoryError, OverflowError, ValueError) as error:
            raise PlayerError(str(error)) from None

    def prepare(self, rules: RuleSet) -> None:
        """Read tables and certificates, which the engines of all games share.

        Raises:
            CorruptProofError: a certificate is broken.
            CorruptTableError: a table is broken.
        """
        self._engine.load(rules)

    def new_game(self, seed: int) -> None:
        """Begin a game with an empty memory."""
        own = self._spec.seed
        self._engine = self._made(seed if own is None else own + seed)

    def choose(self, board: Board, limit: Limit | None, clocks: Clocks | None) -> Reply:
        """Search; a level without a limit plays as it does."""
        if clocks is not None:
            given = limit or Limit()
            limit = replace(given, time_ms=clocks[board.side].time_for_turn())
        try:
            info: Info = self._engine.best(board, limit)
        except FanoronaError as error:
            raise PlayerFailure(str(error)) from None
        return Reply(info.turn, info.score, info.depth_plies, info.nodes)

    def close(self) -> None:
        """There is nothing to end."""


def monotonic_ms() -> float:
    """Return a time that never goes back, in milliseconds."""
    return time.monotonic() * 1000
