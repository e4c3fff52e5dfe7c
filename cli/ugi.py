"""``fanorona ugi``: the engine as a process that speaks the Universal Game Interface."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import IO, Any, Final

import click

from fanorona_core import (
    DEFAULT_RULES,
    Board,
    FanoronaError,
    Position,
    RuleSet,
    Side,
    Turn,
    __version__,
)
from fanorona_core.clock import Clock
from fanorona_core.engine import MAX_CONTEMPT, Engine, Info, Limit
from fanorona_core.findings import Findings
from fanorona_core.levels import LEVELS
from fanorona_core.openingbook import OpeningBook
from fanorona_core.proofbook import PROOFS_VARIABLE, ProofBook
from fanorona_core.score import Score
from fanorona_core.tablebase import DIRECTORY_VARIABLE, Tables

from .paths import named_folder

__all__ = ["UgiSession", "command"]

MAX_LINE: Final = 1 << 20  # bytes; a game of thousands of turns takes less
# What stands for a turn where there is none.
NO_TURN: Final = "0000"


@dataclass(frozen=True, slots=True)
class Spin:
    """An option that is a number."""

    default: int
    least: int
    most: int

    def describe(self) -> str:
        """What the engine says of it."""
        return f"type spin default {self.default} min {self.least} max {self.most}"


SPINS: Final = {
    "Hash": Spin(16, 1, 1 << 20),
    "Threads": Spin(1, 1, 1024),
    "Level": Spin(0, 0, max(LEVELS)),
    "Seed": Spin(0, 0, (1 << 31) - 1),
    "MultiPV": Spin(1, 1, 500),
    "Contempt": Spin(0, -MAX_CONTEMPT, MAX_CONTEMPT),
}
# The folders of endgame tables and of certificates; without one, what the environment names.
FOLDERS: Final = ("TablesDir", "ProofsDir")
EMPTY: Final = "<empty>"
_SETTING: Final = re.compile(r"name\s+(.*?)(?:\s+value(?:\s+(.*?))?)?\s*", re.DOTALL)
# Those that the engine is made with; a change of one makes a new engine.
_ENGINE_SPINS: Final = ("Hash", "Threads", "Level", "Seed", "Contempt")
# What go may be told of the clocks.
_CLOCK_NUMBERS: Final = frozenset(("p1time", "p2time", "p1inc", "p2inc", "movestogo"))
_GO_NUMBERS: Final = _CLOCK_NUMBERS | {"movetime", "depth", "nodes", "mate"}


class ProtocolError(Exception):
    """A command that cannot be followed; the text says why."""


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
                raise ProtocolError(f"unknown command {_shortened(name)}")
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
        setting = _SETTING.fullmatch(text)
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
                    f"option {name.capitalize()}: expected true or false, not {_shortened(value)}"
                )
            self._change(self._switches, name, value.lower() == "true", name.capitalize(), value)
        elif (folder := _name_in(FOLDERS, name)) is not None:
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
            raise ProtocolError(f"option {name}: {_shortened(str(value))}: {reason}") from None

    def _set_spin(self, wanted: str, value: str) -> None:
        name = _name_in(SPINS, wanted)
        if name is None:
            raise ProtocolError(f"setoption: no option {_shortened(wanted)}")
        spin = SPINS[name]
        number = _number(f"option {name}", value)
        if not spin.least <= number <= spin.most:
            raise ProtocolError(
                f"option {name}: {number} is not one of {spin.least} to {spin.most}"
            )
        if name in _ENGINE_SPINS and number != self._spins[name]:
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
            board = Board(_position_under(" ".join(fields), self._rules))
        else:
            raise ProtocolError("position: expected startpos or fen TEXT, then moves TURN ...")
        for turn in turns:
            _push(board, turn)
        self._board = board

    def _go(self, text: str) -> None:
        words = text.split()
        self.stop()
        numbers, infinite = _read_go(words)
        limit = self._limit(numbers)
        board = self._board.copy()
        self._stopping.clear()
        endless = infinite or not (words or self._spins["Level"])
        arguments = (board, limit, endless)
        self._thread = threading.Thread(target=self._search, args=arguments, daemon=True)
        self._thread.start()

    def _limit(self, numbers: dict[str, int]) -> Limit:
        times = [numbers["movetime"]] if "movetime" in numbers else []
        if numbers.keys() & _CLOCK_NUMBERS:
            player = "p1" if self._board.side is Side.WHITE else "p2"
            clock = Clock(
                numbers.get(f"{player}time", 0),
                max(numbers.get(f"{player}inc", 0), 0),
                _at_least_1(numbers.get("movestogo")),
            )
            times.append(clock.time_for_turn())
        return Limit(
            # A runner that is behind sends 0 or less: then a turn must come at once.
            time_ms=max(min(times), 1) if times else None,
            depth_plies=_at_least_1(numbers.get("depth")),
            nodes=_at_least_1(numbers.get("nodes")),
            end_in=_at_least_1(numbers.get("mate")),
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
                        self._emit(_info_text(info))
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


def _info_text(info: Info) -> str:
    return (
        f"info depth {info.depth_plies} multipv {info.rank} score {_score_text(info.score)} "
        f"nodes {info.nodes} nps {info.nodes_per_second} hashfull {info.hash_permille} "
        f"time {info.time_ms} pv {' '.join(map(str, info.line))}"
    )


def _name_in(names: Iterable[str], wanted: str) -> str | None:
    """The one of the names that is so in small letters."""
    return next((name for name in names if name.lower() == wanted), None)


def _score_text(score: Score) -> str:
    if score.is_decided:
        return f"mate {'' if score.is_winning else '-'}{score.end_in}"
    return f"cp {score.centipawns}"


def _read_go(words: list[str]) -> tuple[dict[str, int], bool]:
    """The numbers of a go command, and whether it says infinite."""
    numbers: dict[str, int] = {}
    infinite = False
    rest = iter(words)
    for word in rest:
        if word == "infinite":
            infinite = True
        elif word in _GO_NUMBERS:
            numbers[word] = _number(f"go {word}", next(rest, ""))
        else:
            raise ProtocolError(f"go: unknown word {_shortened(word)}")
    return numbers, infinite


def _number(what: str, text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 15):
        raise ProtocolError(f"{what}: expected a number, not {_shortened(text)}")
    return int(text)


def _at_least_1(number: int | None) -> int | None:
    return None if number is None else max(number, 1)


def _position_under(text: str, rules: RuleSet) -> Position:
    """The position of a text; where it names no rules, those of the option if the board fits."""
    position = Position.parse(text)
    named = len(text.split()) == 6
    if named or (position.columns, position.rows) != (rules.columns, rules.rows):
        return position
    return Position.parse(text, rules)


def _push(board: Board, text: str) -> None:
    """Play a turn as a runner writes it, or in any other spelling."""
    with suppress(ValueError):  # not canonical, or not legal: the lenient reader knows or says why
        board.push(Turn.from_text(text, board.position.columns))
        return
    board.push_text(text)


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _lines(stream: IO[bytes]) -> Iterator[str | None]:
    """The lines of a stream; None for one that is too long, so that memory ends."""
    while line := stream.readline(MAX_LINE):
        is_whole = line.endswith(b"\n") or len(line) < MAX_LINE
        yield line.decode("utf-8", "replace") if is_whole else None
        while not line.endswith(b"\n") and (line := stream.readline(MAX_LINE)):
            pass


@click.command(
    "ugi",
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
