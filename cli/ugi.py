"""``fanorona ugi``: the engine as a process that speaks the Universal Game Interface."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from typing import IO, Any, Final

import click

from fanorona_core import (
    DEFAULT_RULES,
    Board,
    FanoronaError,
    RuleSet,
    Side,
    Turn,
    __version__,
)
from fanorona_core.clock import Clock
from fanorona_core.engine import Engine, Info, Limit
from fanorona_core.findings import Findings
from fanorona_core.openingbook import OpeningBook
from fanorona_core.proofbook import PROOFS_VARIABLE, ProofBook
from fanorona_core.tablebase import DIRECTORY_VARIABLE, Tables

from .paths import named_folder
from .ugi_text import (
    CLOCK_NUMBERS,
    EMPTY,
    ENGINE_SPINS,
    FOLDERS,
    SETTING,
    SPINS,
    ProtocolError,
    at_least_1,
    info_text,
    name_in,
    position_under,
    push,
    read_go,
    read_number,
    shortened,
)

__all__ = ["UgiSession", "command"]

MAX_LINE: Final = 1 << 20  # bytes; a game of thousands of turns takes less
# What stands for a turn where there is none.
NO_TURN: Final = "0000"


class UgiSession:
    """The protocol: takes lines, calls ``emit`` with lines; reads and prints nothing itself.

    Searches run in a thread of their own, which calls ``emit`` too; calls never overlap.
    """

    def __init__(self, emit: Callable[[str], None]) -> None:
        self._emit_line = emit
        self._lock = threading.Lock()
        self._spins = {name: spin.default for name, spin in SPINS.items()}
        self._folders: dict[str, str | None] = dict.fromkeys(FOLDERS)
        self._switches = {"book": True, "openings": False}
        self._rules = DEFAULT_RULES
        self._board = Board()
        self._engine = self._new_engine()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._commands: dict[str, Callable[[str], None]] = {
            "ugi": self._ugi,
            "isready": self._isready,
            "setoption": self._setoption,
            "uginewgame": self._uginewgame,
            "position": self._position,
            "go": self._go,
            "stop": lambda text: self.stop(),
            "query": self._query,
        }

    def refuse_long(self) -> None:
        """Say that a line was too long to be followed."""
        self._complain(f"a line of more than {MAX_LINE} bytes: not followed")

    def handle(self, line: str) -> bool:
        """Follow one command; return False once it is ``quit``, else True, whatever it was."""
        words = line.split(maxsplit=1)
        if not words:
            return True
        name, text = words[0], words[1] if len(words) == 2 else ""
        if name == "quit":
            return False
        try:
            if name not in self._commands:
                raise ProtocolError(f"unknown command {shortened(name)}")
            self._commands[name](text)
        except (ProtocolError, FanoronaError, MemoryError) as error:
            self._complain(str(error) or "out of memory")
        return True

    def stop(self) -> None:
        """End the running search, if there is one, and wait until its turn is told."""
        thread = self._thread
        if thread is None:
            return
        self._stopping.set()
        while thread.is_alive():
            # A search that is only about to begin would not hear it the first time.
            self._engine.stop()
            thread.join(0.002)
        self._thread = None

    # Commands.

    def _ugi(self, text: str) -> None:
        self._emit(f"id name fanorona {__version__}")
        self._emit("id author the fanorona developers")
        for name, spin in SPINS.items():
            self._emit(f"option name {name} {spin.describe()}")
        for name in FOLDERS:
            self._emit(f"option name {name} type string default {EMPTY}")
        self._emit("option name Book type check default true")
        self._emit("option name Openings type check default false")
        self._emit(f"option name Rules type string default {DEFAULT_RULES}")
        self._emit("option name Clear Hash type button")
        self._emit("ugiok")

    def _isready(self, text: str) -> None:
        # What is read takes time that a clock should not count. A search reads it anyway.
        if self._thread is None or not self._thread.is_alive():
            try:
                self._engine.load(self._rules)
            except (FanoronaError, MemoryError) as error:
                self._complain(str(error) or "out of memory")
        self._emit("readyok")

    def _setoption(self, text: str) -> None:
        setting = SETTING.fullmatch(text)
        if setting is None:
            raise ProtocolError("setoption: expected name NAME value VALUE")
        # Blanks within a value belong to it: it may be the name of a folder.
        name, value = " ".join(setting[1].lower().split()), setting[2] or ""
        self.stop()
        if name == "clear hash":
            self._engine.new_game()
        elif name == "rules":
            rules = RuleSet.parse(value)
            if rules != self._rules:
                self._rules, self._board = rules, Board(rules)
        elif name in ("book", "openings"):
            if value.lower() not in ("true", "false"):
                raise ProtocolError(
                    f"option {name.capitalize()}: expected true or false, not {shortened(value)}"
                )
            self._change(self._switches, name, value.lower() == "true", name.capitalize(), value)
        elif (folder := name_in(FOLDERS, name)) is not None:
            chosen = None if value in ("", EMPTY) else value
            self._change(self._folders, folder, chosen, folder, value)
        else:
            self._set_spin(name, value)

    def _change(
        self, settings: dict[str, Any], key: str, new: object, name: str, value: object
    ) -> None:
        """Set what the engine is made with, and make it anew; if that fails all stays as it was."""
        before = settings[key]
        settings[key] = new
        try:
            self._engine = self._new_engine()
        except (MemoryError, OverflowError):
            settings[key] = before
            raise ProtocolError(f"option {name}: no memory for {value}") from None
        except (FanoronaError, OSError) as error:
            settings[key] = before
            reason = getattr(error, "strerror", None) or error
            raise ProtocolError(f"option {name}: {shortened(str(value))}: {reason}") from None

    def _set_spin(self, wanted: str, value: str) -> None:
        name = name_in(SPINS, wanted)
        if name is None:
            raise ProtocolError(f"setoption: no option {shortened(wanted)}")
        spin = SPINS[name]
        number = read_number(f"option {name}", value)
        if not spin.least <= number <= spin.most:
            raise ProtocolError(
                f"option {name}: {number} is not one of {spin.least} to {spin.most}"
            )
        if name in ENGINE_SPINS and number != self._spins[name]:
            self._change(self._spins, name, number, name, number)
        self._spins[name] = number

    def _new_engine(self) -> Engine:
        tables, proofs = (
            None if (folder := self._folders[name]) is None else named_folder(folder)
            for name in FOLDERS
        )
        book = None
        if tables or proofs or os.environ.keys() & {DIRECTORY_VARIABLE, PROOFS_VARIABLE}:
            book = ProofBook(proofs, Tables(tables))
        return Engine(
            hash_mib=self._spins["Hash"],
            threads=self._spins["Threads"],
            level=self._spins["Level"] or None,
            seed=self._spins["Seed"] or None,
            contempt=self._spins["Contempt"],
            book=book if self._switches["book"] else None,
            openings=OpeningBook.standard() if self._switches["openings"] else None,
        )

    def _uginewgame(self, text: str) -> None:
        self.stop()
        self._engine.new_game()
        self._board = Board(self._rules)

    def _position(self, text: str) -> None:
        words = text.split()
        at = words.index("moves") if "moves" in words else len(words)
        kind, fields, turns = words[:1], words[1:at], words[at + 1 :]
        if kind == ["startpos"] and not fields:
            board = Board(self._rules)
        elif kind == ["fen"]:
            board = Board(position_under(" ".join(fields), self._rules))
        else:
            raise ProtocolError("position: expected startpos or fen TEXT, then moves TURN ...")
        for turn in turns:
            push(board, turn)
        self._board = board

    def _go(self, text: str) -> None:
        words = text.split()
        self.stop()
        numbers, infinite = read_go(words)
        limit = self._limit(numbers)
        board = self._board.copy()
        self._stopping.clear()
        endless = infinite or not (words or self._spins["Level"])
        arguments = (board, limit, endless)
        self._thread = threading.Thread(target=self._search, args=arguments, daemon=True)
        self._thread.start()

    def _limit(self, numbers: dict[str, int]) -> Limit:
        times = [numbers["movetime"]] if "movetime" in numbers else []
        if numbers.keys() & CLOCK_NUMBERS:
            player = "p1" if self._board.side is Side.WHITE else "p2"
            clock = Clock(
                numbers.get(f"{player}time", 0),
                max(numbers.get(f"{player}inc", 0), 0),
                at_least_1(numbers.get("movestogo")),
            )
            times.append(clock.time_for_turn())
        return Limit(
            # A runner that is behind sends 0 or less: then a turn must come at once.
            time_ms=max(min(times), 1) if times else None,
            depth_plies=at_least_1(numbers.get("depth")),
            nodes=at_least_1(numbers.get("nodes")),
            end_in=at_least_1(numbers.get("mate")),
        )

    def _query(self, text: str) -> None:
        words = text.split()
        outcome = self._board.outcome()
        answers = {
            "gameover": "false" if outcome is None else "true",
            "p1turn": "true" if self._board.side is Side.WHITE else "false",
            "result": "none"
            if outcome is None
            else "draw"
            if outcome.winner is None
            else "p1win"
            if outcome.winner is Side.WHITE
            else "p2win",
        }
        if len(words) != 1 or words[0] not in answers:
            raise ProtocolError("query: expected gameover, p1turn or result")
        self._emit(f"response {answers[words[0]]}")

    # The search, in its own thread.

    def _search(self, board: Board, limit: Limit, infinite: bool) -> None:
        best: Turn | None = None
        try:
            with closing(self._infos(board, limit)) as infos:
                for number, info in enumerate(infos):
                    if not number and info.findings is not None:
                        self._tell_proved(info.findings, board.side)
                    if info.line:  # a search stopped at once has none
                        if info.rank == 1 or best is None:
                            best = info.turn
                        self._emit(info_text(info))
                    if self._stopping.is_set():
                        break
        except MemoryError:
            self._complain("out of memory")
        except Exception as error:  # whatever happens, a runner waits for its turn
            self._complain(str(error) or repr(error))
        if infinite:
            self._stopping.wait()
        best = best or next(iter(board.legal_turns), None)
        self._emit(f"bestmove {best or NO_TURN}")

    def _infos(self, board: Board, limit: Limit) -> Generator[Info, None, None]:
        if self._spins["Level"]:
            # What a level considered and rejected says nothing about its turn.
            yield self._engine.best(board, limit)
            return
        known = self._engine.opening(board)
        if known is not None:
            yield known
            return
        yield from self._engine.analyse(board, limit, self._spins["MultiPV"])

    def _tell_proved(self, findings: Findings, side: Side) -> None:
        word = findings.word(side)
        if word:
            self._emit(f"info string {word} (proved)")

    # Output.

    def _emit(self, line: str) -> None:
        with self._lock:
            self._emit_line(line)

    def _complain(self, message: str) -> None:
        self._emit(f"info string {' '.join(message.split())}")


def _lines(stream: IO[bytes]) -> Iterator[str | None]:
    """The lines of a stream; None for one that is too long, so that memory ends."""
    while line := stream.readline(MAX_LINE):
        is_whole = line.endswith(b"\n") or len(line) < MAX_LINE
        yield line.decode("utf-8", "replace") if is_whole else None
        while not line.endswith(b"\n") and (line := stream.readline(MAX_LINE)):
            pass


@click.command(
    "ugi",
    short_help="Run the engine for another program, by UGI.",
    epilog="""\b
Example:
  printf 'position startpos moves f2-e3A\\nquery p1turn\\n' | fanorona ugi
""",
)
def command() -> None:
    """Run the engine for another program, as a process that speaks UGI.

    Reads commands of the Universal Game Interface from standard input and answers on standard
    output until it reads quit or the input ends. docs/ugi.md describes them.
    """

    def emit(line: str) -> None:
        if sys.stdout is None:
            return
        with suppress(OSError, ValueError):  # nobody reads any more: the input ends soon as well
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

    session = UgiSession(emit)
    try:
        for line in () if sys.stdin is None else _lines(sys.stdin.buffer):
            if line is None:
                session.refuse_long()
            elif not session.handle(line):
                break
    finally:
        session.stop()
