"""Another program as a player: a process that is spoken to in UGI."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
from collections import deque
from contextlib import suppress
from itertools import pairwise
from typing import IO, Final

from fanorona_core import Board, FanoronaError, Position, RuleSet, Turn
from fanorona_core.engine import Limit
from fanorona_core.score import Score

from .players import Clocks, PlayerError, PlayerFailure, Reply, monotonic_ms

__all__ = ["UgiPlayer"]

START_MS: Final = 20_000  # for a program to begin, read its tables and get ready
# What a program may take beyond its time before it counts as hanging.
GRACE_MS: Final = 5_000
# Without a time a program may think long, but not for ever.
UNTIMED_MS: Final = 600_000
# What is kept of a program that says more than anybody reads.
MOST_LINES: Final = 1000
MOST_LETTERS: Final = 1 << 20
_TOLD: Final = frozenset(("multipv", "depth", "nodes", "cp", "mate"))


class UgiPlayer:
    """A program that speaks UGI.

    One that crashes, hangs or answers what is no legal turn loses the game; it is started anew
    for the next one.
    """

    def __init__(self, command: tuple[str, ...], options: tuple[tuple[str, str], ...] = ()) -> None:
        self._command = command
        self._options = options
        self._process: subprocess.Popen[str] | None = None
        self._lines = _Lines()
        self._start()

    def prepare(self, rules: RuleSet) -> None:
        """A program has read what it needs before it said that it is ready."""

    def new_game(self, seed: int) -> None:
        """Begin a game, in a new process if the old one has ended.

        Raises:
            PlayerError: the program cannot be started again.
        """
        if self._process is not None:
            try:
                self._send("uginewgame")
                self._send("isready")
                self._wait_for("readyok", START_MS)
                return
            except PlayerFailure:
                self._kill()
        self._start()
        with suppress(PlayerFailure):
            self._send("uginewgame")

    def choose(self, board: Board, limit: Limit | None, clocks: Clocks | None) -> Reply:
        """Let the program choose, and read its turn leniently.

        Raises:
            PlayerFailure: it crashed, did not answer in time, or its turn is not legal.
        """
        if self._process is None:
            raise PlayerFailure("crash: the program has ended")
        go, wait_ms = _go_text(limit, clocks, board)
        try:
            self._send(_position_text(board))
            self._send(go)
            said = self._wait_for("bestmove", wait_ms + GRACE_MS)
        except PlayerFailure:
            self._kill()
            raise
        words = said[-1].split()
        text = words[1] if len(words) > 1 else ""
        try:
            turn = board.parse_turn(text)
        except FanoronaError as error:
            raise PlayerFailure(f"illegal turn: {error}") from None
        return _reply(turn, said)

    def close(self) -> None:
        """Tell the program to quit, and end it if it does not."""
        if self._process is None:
            return
        with suppress(PlayerFailure):
            self._send("quit")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        self._kill()

    def _start(self) -> None:
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                # Ctrl-C is for us; we end the program ourselves.
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            raise PlayerError(f"cannot start {self._command[0]!r}: {error.strerror}") from None
        assert process.stdout is not None
        self._process = process
        self._lines = _Lines()
        threading.Thread(target=self._lines.read, args=(process.stdout,), daemon=True).start()
        try:
            self._send("ugi")
            self._wait_for("ugiok", START_MS)
            for name, value in self._options:
                self._send(f"setoption name {name} value {value}")
            self._send("isready")
            self._wait_for("readyok", START_MS)
        except PlayerFailure as failure:
            self._kill()
            raise PlayerError(
                f"{' '.join(self._command)!r} does not speak UGI: {failure}"
            ) from None

    def _send(self, line: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise PlayerFailure("crash: the program has ended") from None

    def _wait_for(self, word: str, wait_ms: float) -> list[str]:
        """The last lines up to the one that begins with a word."""
        said: deque[str] = deque(maxlen=MOST_LINES)
        end = monotonic_ms() + wait_ms
        while (left_ms := end - monotonic_ms()) > 0:
            try:
                line = self._lines.get(left_ms / 1000)
            except queue.Empty:
                break
            if line is None:
                raise PlayerFailure("crash: the program has ended")
            said.append(line)
            if line.split()[:1] == [word]:
                return list(said)
        raise PlayerFailure(f"no answer: no {word} in {wait_ms / 1000:g} s")

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        self._lines.end()
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)  # with what it has started
        process.kill()
        process.wait()
        if process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()


class _Lines:
    """The lines of a program, read by a thread of their own; it waits while too many are unread."""

    def __init__(self) -> None:
        self._queue: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._ended = threading.Event()

    def read(self, stream: IO[str]) -> None:
        """Pass on what a program says, None at its end, and close it."""
        with suppress(OSError, ValueError), stream:
            while line := stream.readline(MOST_LETTERS):
                self._put(line)
        self._put(None)

    def _put(self, line: str | None) -> None:
        while not self._ended.is_set():
            with suppress(queue.Full):
                self._queue.put(line, timeout=0.5)
                return

    def get(self, seconds: float) -> str | None:
        """The next line, None when the program has ended.

        Raises:
            queue.Empty: none comes in time.
        """
        return self._queue.get(timeout=seconds)

    def end(self) -> None:
        """Nobody will read any more."""
        self._ended.set()


def _position_text(board: Board) -> str:
    start = board.root == Position.start()
    moves = " ".join(map(str, board.turns))
    where = "startpos" if start else f"fen {board.root.text()}"
    return f"position {where} moves {moves}" if moves else f"position {where}"


def _go_text(limit: Limit | None, clocks: Clocks | None, board: Board) -> tuple[str, float]:
    """The go command and the milliseconds that it may take."""
    words = ["go"]
    wait_ms: float = UNTIMED_MS
    if clocks is not None:
        for player, clock in zip(("p1", "p2"), clocks, strict=True):
            words.append(f"{player}time {clock.remaining_ms}")
            words.append(f"{player}inc {clock.increment_ms}")
        wait_ms = clocks[board.side].remaining_ms
    limit = limit or Limit()
    if limit.time_ms is not None:
        words.append(f"movetime {limit.time_ms}")
        wait_ms = min(wait_ms, limit.time_ms)
    if limit.depth_plies is not None:
        words.append(f"depth {limit.depth_plies}")
    if limit.nodes is not None:
        words.append(f"nodes {limit.nodes}")
    return " ".join(words), wait_ms


def _reply(turn: Turn, said: list[str]) -> Reply:
    """The turn with what the last words about the best line say."""
    known: dict[str, int] = {}
    for line in said:
        words = line.partition(" pv ")[0].split()
        if words[:1] != ["info"] or words[1:2] == ["string"]:
            continue
        said_now = {
            name: number
            for name, text in pairwise(words)
            if name in _TOLD and (number := _integer(text)) is not None
        }
        if said_now.get("multipv", 1) != 1:
            continue
        if said_now.keys() & {"cp", "mate"}:  # one takes the place of the other
            known.pop("cp", None)
            known.pop("mate", None)
        known |= said_now
    score = None
    if "cp" in known:
        score = Score(known["cp"])
    elif known.get("mate"):
        score = Score(None, abs(known["mate"]), known["mate"] > 0)
    return Reply(turn, score, known.get("depth"), known.get("nodes"))


def _integer(text: str) -> int | None:
    try:
        return int(text) if len(text) <= 18 else None
    except ValueError:
        return None
