"""Proofs that a side holds at least a draw, whatever the other side does, or that it does not.

What is proved holds under the ``theory`` rules, where nothing but the stones ends a game. Why it
follows is argued in docs/proof.md.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from fanorona_core._checkpoint import read_checkpoint, write_checkpoint
from fanorona_core._checks import check_kind, check_whole
from fanorona_core._limits import deadline_us, node_limit
from fanorona_core._pairs import most_of_a_side, pairs_up_to
from fanorona_core._proofhash import ProofTable
from fanorona_core._prove import Prover
from fanorona_core._strategy import Strategy
from fanorona_core._tablebase import LoadedTables
from fanorona_core.errors import ProofError
from fanorona_core.findings import Findings
from fanorona_core.position import Position
from fanorona_core.prooffile import Certificate, check_tables
from fanorona_core.rules import RuleSet
from fanorona_core.types import Side
from fanorona_core.weights import evaluation_network

__all__ = ["Findings", "ProofProgress", "Proofs", "check_provable", "stones_covered"]

_FIRST_NODES: Final = 50_000
_GROWTH: Final = 4


@dataclass(frozen=True, slots=True)
class ProofProgress:
    """How far a search is: the numbers of its root say how much is missing, very roughly.

    ``proof`` estimates the positions that are still to be settled for "yes", ``disproof`` for
    "no"; ``used`` is the part of the hash table that is in use.

    Examples:
        >>> from fanorona_core.tablebase import Tables
        >>> rules = RuleSet.parse("theory,board=5x5")
        >>> seen = []
        >>> proofs = Proofs(rules, Tables().load(rules, 4), hash_mib=16)
        >>> proofs.holds(Position.start(rules), Side.BLACK, report=seen.append)
        True
        >>> all(progress.side is Side.BLACK and 0 <= progress.used <= 1 for progress in seen)
        True
    """

    side: Side
    proof: int
    disproof: int
    nodes: int
    seconds: float
    used: float
    deepest: int


def check_provable(position: Position) -> None:
    """Refuse what a proof knows nothing of.

    Raises:
        ProofError: a chain is in progress, the rules restrict the first turn, or a side has more
            stones than there are tables for.

    Examples:
        >>> check_provable(Position.start().with_rules(RuleSet.parse("first-turn=white-single")))
        Traceback (most recent call last):
        ...
        fanorona_core.errors.ProofError
    """
    check_kind("position", position, Position)
    if position.chain is not None:
        raise ProofError(f"a chain is in progress in {position.text()}: end it first")
    if position.rules.first_turn != "none":
        raise ProofError(
            f"rules {position.rules}: a proof knows nothing of restrictions of the first turn"
        )
    most = most_of_a_side(position.columns, position.rows)
    for side in Side:
        count = position.stones(side).bit_count()
        if count > most:
            raise ProofError(
                f"{side} has {count} stones in {position.stones_text()}: a proof knows of {most} "
                f"at most on {position.columns}x{position.rows}"
            )


def stones_covered(tables: LoadedTables, columns: int, rows: int, most: int = 44) -> int:
    """Up to how many stones all tables with results are there, 0 to ``most``.

    Examples:
        >>> from fanorona_core.tablebase import Tables
        >>> stones_covered(Tables().load(RuleSet.parse("board=3x3"), 5), 3, 3)
        5
    """
    for stones in range(2, most + 1):
        for pair in pairs_up_to(columns, rows, stones):
            if not all(tables.has(own, enemy, False) for own, enemy in pair.tables):
                return stones - 1 if stones > 2 else 0
    return most


class Proofs:
    """Answers questions about positions of one board, and remembers what it has learnt.

    ``tables`` end a proof: all of up to ``stones`` stones, by default as many as are there. The
    hash table takes ``hash_mib`` MiB. So many ``threads`` search for the answer to a question; with
    one, the same questions take the same positions. Questions may also be asked from several
    threads at once. It cannot be pickled or copied; ``save`` and ``load`` take it elsewhere.

    Raises:
        ValueError: the hash size or the number of threads is not positive, ``stones`` is negative,
            or the tables are those of another board or other rules.
        MemoryError: the hash table does not fit into memory.

    Examples:
        >>> from fanorona_core.tablebase import Tables
        >>> start = Position.start(RuleSet.parse("theory,board=3x5"))
        >>> proofs = Proofs(start.rules, Tables().load(start.rules, 4), hash_mib=1)
        >>> proofs.holds(start, Side.BLACK), str(proofs.settle(start))
        (False, 'White wins')
    """

    def __init__(
        self,
        rules: RuleSet,
        tables: LoadedTables,
        *,
        stones: int | None = None,
        hash_mib: int = 256,
        threads: int = 1,
    ) -> None:
        check_kind("rules", rules, RuleSet)
        check_whole(stones=stones, hash_mib=hash_mib, threads=threads)
        if threads < 1:
            raise ValueError(f"threads {threads}: expected 1 or more")
        if stones is not None and stones < 0:
            raise ValueError(f"stones {stones}: expected 0 or more")
        check_tables(tables, rules)
        covered = stones_covered(tables, rules.columns, rules.rows, rules.columns * rules.rows - 1)
        self.rules, self.tables, self.threads = rules, tables, threads
        self.stones = covered if stones is None else min(stones, covered)
        self.hash_table = ProofTable(hash_mib)
        self.nodes = 0
        self._running: set[Prover] = set()
        self._stopped = False

    def __reduce__(self) -> Any:
        raise TypeError("a search for proofs cannot be pickled or copied: save it and load it")

    def holds(
        self,
        position: Position,
        side: Side,
        *,
        nodes: int | None = None,
        time_ms: int | None = None,
        report: Callable[[ProofProgress], object] | None = None,
    ) -> bool | None:
        """Whether a side holds at least a draw; None if a limit or ``stop`` came first.

        ``nodes`` and ``time_ms`` limit this call. Asked again, it goes on about where it was.
        ``report`` is called several times a second.

        Raises:
            ProofError: the position is of another board or rule, or cannot be proved; or the search
                has become too deep.
            KeyboardInterrupt: what was found until then is kept.
        """
        self._check(position)
        return self._ask(position, side, nodes, time_ms, report)

    def stretches(
        self,
        position: Position,
        side: Side | None = None,
        *,
        nodes: int | None = None,
        time_ms: int | None = None,
        longest_ms: int | None = None,
        report: Callable[[ProofProgress], object] | None = None,
    ) -> Iterator[Findings]:
        """Look for the exact value: both questions, turn and turn about, each time for longer.

        With a ``side`` only whether it holds is asked, in one stretch. No stretch takes more than
        ``longest_ms``. Yields what is known after each; ends when all is, or at a limit.

        Raises:
            ProofError: as ``holds``.
            KeyboardInterrupt: what was found until then is kept.
        """
        self._check(position)
        found = Findings()
        sides = (position.side, position.side.other) if side is None else (side,)
        stretch = _FIRST_NODES if side is None else None
        end_ms = None if time_ms is None else _now_ms() + time_ms
        first = self.nodes
        while any(found.holds(asked) is None for asked in sides) and not self._stopped:
            for asked in sides:
                if found.holds(asked) is not None:
                    continue
                left = _least(stretch, None if nodes is None else nodes - (self.nodes - first))
                left_ms = _least(longest_ms, None if end_ms is None else end_ms - _now_ms())
                if (left is not None and left <= 0) or (left_ms is not None and left_ms <= 0):
                    return
                answer = self.holds(position, asked, nodes=left, time_ms=left_ms, report=report)
                if answer is not None and asked is Side.WHITE:
                    found = Findings(answer, found.black_holds)
                elif answer is not None:
                    found = Findings(found.white_holds, answer)
                yield found
            if stretch is not None:
                stretch *= _GROWTH

    def settle(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        time_ms: int | None = None,
        report: Callable[[ProofProgress], object] | None = None,
    ) -> Findings:
        """Find the exact value, or what can be found of it within the limits; see ``stretches``.

        Raises:
            ProofError: as ``holds``.
            KeyboardInterrupt: what was found until then is kept.
        """
        found = Findings()
        for latest in self.stretches(position, nodes=nodes, time_ms=time_ms, report=report):
            found = latest
        return found

    def certificate(
        self,
        position: Position,
        side: Side,
        *,
        nodes: int | None = None,
        time_ms: int | None = None,
        report: Callable[[ProofProgress], object] | None = None,
    ) -> Certificate | None:
        """The positions that show what ``holds`` answers: that a side holds, or the other wins.

        If the question has not been answered yet it is asked first; None if a limit came first.

        Raises:
            ProofError: as ``holds``; or the game is over; or the hash table was too small to keep
                the proof together.
            MemoryError: the positions do not fit into memory.
        """
        self._check(position)
        if not all(position.stones(each) for each in Side):
            raise ProofError(
                f"the game is over in {position.stones_text()}: it needs no certificate"
            )
        answer = self._ask(position, side, nodes, time_ms, report)
        if answer is None:
            return None
        prover_side = side if answer else side.other
        with self._prover() as prover:
            strategy = Strategy(prover, answer)
            try:
                whole = strategy.collect(
                    position.stones(position.side),
                    position.stones(position.side.other),
                    position.side is prover_side,
                    node_limit(nodes),
                    deadline_us(time_ms),
                    self._reporter([prover], position, side, report),
                )
            except LookupError:
                raise ProofError(
                    f"no proof could be put together for {position.text()}: a hash table of "
                    f"{self.hash_table.size_mib} MiB has lost too much of it; expected a larger one"
                ) from None
        if not whole:
            return None
        strategy.positions.sort()
        return Certificate(position, prover_side, answer, self.stones, strategy.positions)

    def stop(self) -> None:
        """End what is running, from another thread; what was found is kept.

        What is asked later ends at once, too: for more, make other `Proofs`.
        """
        self._stopped = True
        for prover in tuple(self._running):
            prover.stop()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the hash table to a file, to go on later; the file is whole or not there.

        Raises:
            OSError: the file cannot be written; ``filename`` is its path.
        """
        write_checkpoint(path, self.hash_table, self._purpose())

    def load(self, path: str | os.PathLike[str]) -> None:
        """Read what ``save`` has written, for the same board, rules and hash size.

        Raises:
            CorruptProofError: the file is not what it should be; the hash table is then empty.
            OSError: the file cannot be read.
        """
        read_checkpoint(path, self.hash_table, self._purpose())

    def _purpose(self) -> str:
        """What a checkpoint is good for: the same search only."""
        rules = self.rules
        played = RuleSet.parse("theory").replace(
            columns=rules.columns,
            rows=rules.rows,
            compulsory=rules.compulsory,
            no_move_draw=rules.no_move_draw,
        )
        return f"{played} {self.stones} {self.hash_table.size_mib}"

    def _check(self, position: Position) -> None:
        check_provable(position)
        mine, rules = self.rules, position.rules
        if (rules.columns, rules.rows, rules.compulsory, rules.no_move_draw) != (
            mine.columns,
            mine.rows,
            mine.compulsory,
            mine.no_move_draw,
        ):
            raise ProofError(f"{position.text()} is not played under {mine}")

    @contextlib.contextmanager
    def _prover(self, number: int = 0) -> Iterator[Prover]:
        rules = self.rules
        prover = Prover(
            self.tables,
            self.hash_table,
            rules.compulsory,
            rules.no_move_draw,
            self.stones,
            evaluation_network(),
            number,
        )
        self._running.add(prover)
        if self._stopped:
            prover.stop()
        try:
            yield prover
        finally:
            self._running.discard(prover)
            self.nodes += prover.nodes

    def _ask(
        self,
        position: Position,
        side: Side,
        nodes: int | None,
        time_ms: int | None,
        report: Callable[[ProofProgress], object] | None,
    ) -> bool | None:
        check_kind("side", side, Side)
        check_whole(nodes=nodes, time_ms=time_ms)
        own, enemy = position.stones(position.side), position.stones(position.side.other)
        if not own or not enemy:
            return bool(position.stones(side))
        if nodes is not None and nodes < 1:
            return None
        holder = position.side is side
        limits = -(-node_limit(nodes) // self.threads), deadline_us(time_ms)
        with contextlib.ExitStack() as stack:
            numbers = range(1, self.threads + 1) if self.threads > 1 else (0,)
            provers = [stack.enter_context(self._prover(number)) for number in numbers]
            first, *helpers = provers
            answers: list[bool] = []

            def help_with(helper: Prover) -> None:
                # What goes wrong here goes wrong in the first thread too.
                with contextlib.suppress(RecursionError, MemoryError):
                    answer = helper.prove(own, enemy, holder, *limits, None)
                    if answer is not None:
                        answers.append(answer)
                        first.stop()

            threads = [
                threading.Thread(target=help_with, args=(helper,), daemon=True)
                for helper in helpers
            ]
            try:
                for thread in threads:
                    thread.start()
                call = self._reporter(provers, position, side, report)
                answer = first.prove(own, enemy, holder, *limits, call)
            except RecursionError as error:
                raise ProofError(f"{position.text()} cannot be settled: {error}") from None
            finally:
                for helper in helpers:
                    helper.stop()
                for thread in threads:
                    if thread.ident is not None:
                        thread.join()
        if answer is None and answers:
            answer = answers[0]
        return None if answer is None else answer == holder

    def _reporter(
        self,
        provers: list[Prover],
        position: Position,
        side: Side,
        report: Callable[[ProofProgress], object] | None,
    ) -> Callable[[], object] | None:
        if report is None:
            return None
        began, wanted = time.monotonic(), report

        def call() -> object:
            proof, disproof = provers[0].numbers
            if position.side is not side:
                proof, disproof = disproof, proof
            return wanted(
                ProofProgress(
                    side,
                    proof,
                    disproof,
                    self.nodes + sum(prover.nodes for prover in provers),
                    time.monotonic() - began,
                    self.hash_table.used(),
                    max(prover.deepest for prover in provers),
                )
            )

        return call


def _least(one: int | None, other: int | None) -> int | None:
    """The lower of two limits; None is no limit."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
