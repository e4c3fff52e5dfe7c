"""The engine: a limit goes in, better and better results come out."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from fanorona_core._checks import check_kind, check_whole
from fanorona_core._limits import deadline_us, node_limit
from fanorona_core._search import DECIDED_SCORE, MAX_DEPTH, WIN_SCORE, Search
from fanorona_core._tablebase import LoadedTables
from fanorona_core._transposition import HashTable
from fanorona_core._turn import Turn
from fanorona_core.board import Board
from fanorona_core.errors import EngineError
from fanorona_core.levels import LEVELS
from fanorona_core.position import Position
from fanorona_core.rules import MAX_POINTS, RuleSet
from fanorona_core.score import Score
from fanorona_core.tablebase import Tables
from fanorona_core.types import Side
from fanorona_core.weights import evaluation_network

if TYPE_CHECKING:
    from fanorona_core.findings import Findings
    from fanorona_core.openingbook import OpeningBook
    from fanorona_core.proofbook import ProofBook

__all__ = ["Engine", "Info", "Limit"]


MAX_CONTEMPT: Final = 1000
_LARGEST_LIMIT: Final = 1 << 30  # what the core's integers hold; no game comes near


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search ends: at the first of these that is reached; without any, when stopped.

    ``time_ms`` milliseconds, ``depth_plies`` whole turns of both sides, ``nodes`` positions, a
    share of them for each thread; ``end_in``: a proved win or loss in at most so many turns of
    both sides. With a clock, ``Clock.time_for_turn`` says how many milliseconds.

    Raises:
        TypeError: a limit that is no whole number.
        ValueError: a limit that is not positive.

    Examples:
        >>> Limit(depth_plies=6)
        Limit(time_ms=None, depth_plies=6, nodes=None, end_in=None)
    """

    time_ms: int | None = None
    depth_plies: int | None = None
    nodes: int | None = None
    end_in: int | None = None

    def __post_init__(self) -> None:
        for name in ("time_ms", "depth_plies", "nodes", "end_in"):
            value = getattr(self, name)
            check_whole(**{name: value})
            if value is not None and value < 1:
                raise ValueError(f"limit {name}={value}: expected 1 or more")


@dataclass(frozen=True, slots=True)
class Info:
    """What a search knows: a score and the line of turns that leads to it.

    ``score`` is that of the side to move; ``nodes`` and ``time_ms`` are all since the search began;
    ``hash_permille`` is the part of the hash table in use, in thousandths. ``rank`` is 1 for the
    best turn, 2 for the second best and so on. ``findings`` is what the book proves of the
    position, None without a book.

    Examples:
        >>> position = Position.parse("9/9/4bw3/9/9 w")
        >>> *_, info = Engine(hash_mib=1).analyse(position, Limit(depth_plies=3))
        >>> str(info.score), [str(turn) for turn in info.line], info.rank
        ('win in 1', ['f3-g3W'], 1)
    """

    depth_plies: int
    score: Score
    nodes: int
    time_ms: int
    line: tuple[Turn, ...]
    rank: int = 1
    hash_permille: int = 0
    findings: Findings | None = None

    @property
    def turn(self) -> Turn:
        """The turn that this line begins with."""
        return self.line[0]

    @property
    def nodes_per_second(self) -> int:
        """Nodes searched in a second of wall time."""
        return self.nodes * 1000 // max(self.time_ms, 1)


class Engine:
    """A player and analyst with a memory of its own.

    ``hash_mib`` is the memory for searched positions in MiB, ``threads`` how many threads
    search one position, ``level`` 1 to 10 weakens its play (see ``levels``), ``seed`` makes its
    choices repeatable. ``tables`` gives exact values of up to ``table_stones`` stones, as far as
    there are tables with distances, and tells wins, draws and losses of up to ``result_stones``;
    both are read into memory when a search first needs them, a byte for each position with its
    distance and a fifth for a result: 0.4 GB for those of up to 7 stones on 9x5. ``contempt`` is
    what a draw costs the side that searches, in centipawns: more than 0 against a weaker opponent.
    With a ``book`` only turns are played that keep the best result that certificates and tables
    prove, or that the search shows to win by force; its tables serve if there are no others. From
    ``openings`` the full engine and the highest level play at random, as far as the book's results
    are kept.

    One call at a time: only ``stop`` may come from another thread. With one thread, the same
    calls with the same seed and limits in nodes or plies give the same results. An engine cannot be
    pickled or copied; its tables and books can be pickled.

    Raises:
        ValueError: a number out of range.
        MemoryError: the hash table does not fit into memory.

    Examples:
        >>> engine = Engine(hash_mib=1)
        >>> info = engine.best(Board.parse("9/9/4bw3/9/9 w"), Limit(depth_plies=3))
        >>> str(info.turn), str(info.score)
        ('f3-g3W', 'win in 1')
    """

    def __init__(
        self,
        hash_mib: int = 16,
        level: int | None = None,
        seed: int | None = None,
        threads: int = 1,
        tables: Tables | None = None,
        table_stones: int = 5,
        book: ProofBook | None = None,
        openings: OpeningBook | None = None,
        contempt: int = 0,
        result_stones: int = 7,
    ) -> None:
        check_whole(
            hash_mib=hash_mib,
            level=level,
            threads=threads,
            table_stones=table_stones,
            contempt=contempt,
            result_stones=result_stones,
        )
        check_kind("tables", tables, Tables, NoneType)
        if book is not None:
            from fanorona_core.proofbook import ProofBook

            check_kind("book", book, ProofBook)
        if openings is not None:
            from fanorona_core.openingbook import OpeningBook

            check_kind("openings", openings, OpeningBook)
        if level is not None and level not in LEVELS:
            raise ValueError(f"level {level}: expected {min(LEVELS)} to {max(LEVELS)}")
        if threads < 1:
            raise ValueError(f"threads {threads}: expected 1 or more")
        if abs(contempt) > MAX_CONTEMPT:
            raise ValueError(
                f"contempt {contempt}: expected {-MAX_CONTEMPT} to {MAX_CONTEMPT} centipawns"
            )
        for name, stones in (("table_stones", table_stones), ("result_stones", result_stones)):
            if not 0 <= stones <= MAX_POINTS:
                raise ValueError(f"{name} {stones}: expected 0 to {MAX_POINTS}")
        self._hash = HashTable(hash_mib)
        self._level = None if level is None else LEVELS[level]
        self._random = random.Random(seed)
        self._threads = threads
        self._tables = tables
        self._table_stones = table_stones
        self._book = book
        self._openings = openings
        self._contempt = contempt
        self._result_stones = result_stones
        self._running: list[Search] = []
        self._stopped = False

    def __reduce__(self) -> Any:
        raise TypeError("an engine cannot be pickled or copied: make one in each process")

    def _endings(self, rules: RuleSet, book: ProofBook | None) -> LoadedTables | None:
        """The tables to search with: loaded at the first search on a board."""
        tables = self._tables if book is None else self._tables or book.tables
        # Tables know nothing of a restriction that may still come.
        if tables is None or rules.first_turn != "none":
            return None
        tables.load(rules, self._table_stones, "distance")
        return tables.load(rules, self._result_stones)

    def load(self, rules: RuleSet) -> None:
        """Read now the tables and certificates that the first search under these rules would read.

        Raises:
            CorruptProofError: a certificate of the book is broken.
            CorruptTableError: a table is broken.
        """
        check_kind("rules", rules, RuleSet)
        self._endings(rules, self._book)
        if self._book is not None:
            self._book.load(rules)

    def new_game(self) -> None:
        """Forget the positions searched so far."""
        self._hash.clear()

    def stop(self) -> None:
        """End the running search soon, from another thread; it keeps what it has found.

        A search that begins later, as ``analyse`` does with its first result, is not stopped.
        """
        self._stopped = True
        for search in self._running:
            search.stop()

    def best(self, board: Board | Position, limit: Limit | None = None) -> Info:
        """Search, and return the last word on the best turn.

        Without a limit the level's own holds. A level may choose a turn that is not the best. A
        turn from the openings comes with a depth of 0.

        Raises:
            EngineError: there is no legal turn.
            ValueError: neither a limit nor a level is given.
        """
        if limit is None and self._level is None:
            raise ValueError("the engine needs a limit or a level")
        known = self.opening(board)
        if known is not None:
            return known
        if self._level is None:
            assert limit is not None
            *_, info = self.analyse(board, limit)
            return info
        return self._level.choose(self, board, limit, self._random)

    def opening(self, board: Board | Position) -> Info | None:
        """One of the openings' turns, chosen at random; None if they or the level have none."""
        if self._openings is None or self._level not in (None, LEVELS[max(LEVELS)]):
            return None
        position, _ = _root(board)
        known = self._openings.turns(position)
        findings = None
        if known and self._book is not None:
            findings, kept = self._book.findings(board), self._book.keeping(board)
            known = tuple(one for one in known if kept is None or one.turn in kept)
        if not known:
            return None
        chosen = self._random.choice(known)
        return Info(0, chosen.score, 0, 0, (chosen.turn,), findings=findings)

    def analyse(
        self, board: Board | Position, limit: Limit, multipv: int = 1, by_book: bool = True
    ) -> Iterator[Info]:
        """Search deeper and deeper; yield each depth's results, the best turn first.

        ``multipv`` is the number of turns to rank. Ends at the limit, at a proved end of the game
        or with ``stop``; closing the iterator ends it too. Of a depth that is cut short only the
        ranks searched come. At least one result comes, however small the limit. Levels do not
        apply. Without ``by_book`` all turns are searched, and nothing is said of proofs.

        Raises:
            EngineError: there is no legal turn.
            ValueError: a number of turns to rank below 1.
            CorruptProofError: a certificate of the book is broken.
        """
        check_kind("limit", limit, Limit)
        check_whole(multipv=multipv)
        if multipv < 1:
            raise ValueError(f"multipv {multipv}: expected 1 or more")
        position, history = _root(board)
        book = self._book if by_book else None
        # What is read from files serves all searches to come, and takes no time of this one.
        endings = self._endings(position.rules, book)
        if book is not None:
            book.load(position.rules)
        started = time.monotonic_ns()
        deadline = deadline_us(limit.time_ms)
        findings = None if book is None else book.findings(board)
        keeping = None if book is None else book.keeping(board)
        kept = None if keeping is None else _stones_after(position, keeping)
        self._hash.new_search()
        self._stopped = False
        common = (
            position,
            self._hash,
            history,
            _draw_rules(position),
            evaluation_network(),
            endings,
        )
        tuning = self._contempt, self._result_stones
        search = Search(*common, multipv, kept, *tuning)
        if not search.count:
            raise EngineError(f"no legal turn to search in {position.text()}")
        mine = [search]
        rivals = None
        if kept is not None and findings is not None and _may_win(findings, position.side):
            others = _stones_after(position, position.legal_turns()) - kept
            rivals = Search(*common, 1, others, *tuning)
            mine.append(rivals)
        nodes = node_limit(limit.nodes)
        share = nodes and max(nodes // self._threads, 1)
        helpers = [Search(*common, 1, kept, *tuning) for _ in range(self._threads - 1)]
        self._running = running = [*mine, *helpers]
        threads: list[threading.Thread] = []
        main = threading.current_thread() is threading.main_thread()
        try:
            for depth in range(1, min(limit.depth_plies or MAX_DEPTH, MAX_DEPTH) + 1):
                if depth == 2:
                    _start(helpers, share, deadline, threads)
                searched = 0  # ranks whose search of this depth is complete
                while searched < search.ranks:
                    # The first result must come, however little time there is.
                    bounds = (_left(share, search, mine), deadline)
                    if depth == 1 and not searched:
                        bounds = 0, 0
                    if not search.deepen(depth, searched, *bounds, main):
                        break
                    searched += 1
                complete = searched == search.ranks
                if complete and rivals is not None:
                    left = _left(share, rivals, mine)
                    if rivals.find_win(depth, left, deadline, main):
                        # The book keeps a draw, but this wins by force.
                        rivals.narrow()
                        search, rivals, searched = rivals, None, 1
                if complete:
                    search.sort_ranks()
                # Of a depth that was not finished the rest is told already; the best turn is told
                # again, with all nodes.
                told = searched if complete or not search.looked_at else searched + 1
                for rank in range(max(told, 1)):
                    yield Info(
                        depth_plies=depth if rank < told else depth - 1,
                        score=_score(search.score(rank)),
                        nodes=sum(each.nodes for each in running),
                        time_ms=(time.monotonic_ns() - started) // 1_000_000,
                        line=tuple(_turns(position, search.line(rank))),
                        rank=rank + 1,
                        hash_permille=self._hash.permille_used(),
                        findings=findings,
                    )
                if not complete or self._stopped or _is_settled(search, depth):
                    break
                if share and sum(each.nodes for each in mine) >= share:
                    break
                if limit.end_in is not None and _ends_within(search, limit.end_in):
                    break
                if deadline and time.monotonic_ns() // 1000 >= deadline:
                    break
        finally:
            for helper in helpers:
                helper.stop()
            for thread in threads:
                thread.join()
            self._running = []


def _start(
    helpers: list[Search], nodes: int, deadline: int, threads: list[threading.Thread]
) -> None:
    """Start the helpers' threads, as far as the system has any, and add them to ``threads``."""
    for number, helper in enumerate(helpers):
        arguments = helper, number, nodes, deadline
        thread = threading.Thread(target=_help, args=arguments, daemon=True)
        try:
            thread.start()
        except RuntimeError:  # fewer threads search as well
            return
        threads.append(thread)


def _help(search: Search, number: int, nodes: int, deadline: int) -> None:
    """Search along, at other depths than the main thread, to fill the shared table."""
    for depth in range(1 + number % 2, MAX_DEPTH + 1):
        if not search.deepen(depth, 0, nodes, deadline, False):
            return


def _root(board: Board | Position) -> tuple[Position, list[int]]:
    """The position to search and the keys before it that a repetition could meet."""
    if isinstance(board, Position):
        return board, []
    check_kind("board", board, Board, Position)
    return board.position, board.keys_since_capture()


def _may_win(findings: Findings, side: Side) -> bool:
    """Whether a side is proved to hold, and may yet win."""
    return findings.holds(side) is True and findings.holds(side.other) is None


def _left(share: int, search: Search, mine: list[Search]) -> int:
    """What of a limit in nodes is left to one of several searches, its own nodes included."""
    return share and max(search.nodes + share - sum(each.nodes for each in mine), 1)


def _stones_after(position: Position, turns: Iterable[Turn]) -> set[tuple[int, int]]:
    """The stones after each turn, those of the side that plays it first."""
    side = position.side
    children = map(position.play, turns)
    return {(child.stones(side), child.stones(side.other)) for child in children}


def _draw_rules(position: Position) -> tuple[bool, int, int, int]:
    """The draw rules as numbers: 0 where there is none."""
    rules = position.rules
    repetition, quiet, turns = (
        min(limit or 0, _LARGEST_LIMIT)
        for limit in (rules.repetition, rules.quiet_limit, rules.turn_limit)
    )
    return rules.no_move_draw, repetition, quiet, turns


def _score(value: int) -> Score:
    if value > DECIDED_SCORE:
        return Score.win(WIN_SCORE - value)
    if value < -DECIDED_SCORE:
        return Score.loss(WIN_SCORE + value)
    return Score(value)


def _is_settled(search: Search, depth: int) -> bool:
    """Whether a deeper search could change nothing: all ranked lines end within the depth."""
    ends = [WIN_SCORE - abs(search.score(rank)) for rank in range(search.ranks)]
    return all(end <= depth for end in ends)


def _ends_within(search: Search, turns: int) -> bool:
    """Whether the best turn is proved to win or lose in so many turns."""
    return WIN_SCORE - abs(search.score(0)) <= turns


def _turns(position: Position, line: list[tuple[int, int, int]]) -> Iterator[Turn]:
    """The turns of a line of results; of several ways to one result, the shortest."""
    for result in line:
        turn = position.turn_with_result(*result)
        if turn is None:
            return
        yield turn
        position = position.play(turn)
