"""Certificates as a book: what they and the tables prove of a position, and which turns keep it.

Reading a certificate checks its checksum, its header and the order of its positions. Whether the
proof is right is another question, which ``Certificate.check`` answers, and on the command line
``fanorona prove --verify``.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import NoneType
from typing import Any, Final

from fanorona_core._book import BookReader
from fanorona_core._checks import check_kind
from fanorona_core._index import SetIndex
from fanorona_core._proofset import PositionSet
from fanorona_core._turn import Turn
from fanorona_core.board import Board
from fanorona_core.errors import MissingTableError
from fanorona_core.findings import NOTHING, Findings
from fanorona_core.position import Position
from fanorona_core.prooffile import Certificate, Heading
from fanorona_core.rules import RuleSet
from fanorona_core.tablebase import Tables
from fanorona_core.types import Side

__all__ = ["PROOFS_VARIABLE", "SUFFIX", "ProofBook", "TurnFindings"]

PROOFS_VARIABLE: Final = "FANORONA_PROOFS_DIR"
SUFFIX: Final = ".proof"


@dataclass(frozen=True, slots=True)
class TurnFindings:
    """A legal turn and what is proved of the position that it leads to.

    Examples:
        >>> found = ProofBook().turns(Position.parse("3/1bw/3 w"))
        >>> [(str(each.turn), str(each.findings)) for each in found]
        [('c2-c1', 'Black wins'), ('c2-c3', 'Black wins')]
    """

    turn: Turn
    findings: Findings


# What is known of a side, worse to better; where one side wins the other is unknown. A win is sure
# if no counter of the rules can make a draw of it.
_UNKNOWN: Final = 0
_HOLDS: Final = 1
_WINS: Final = 2
_WINS_SURELY: Final = 3

# That of the side to move, and that of the other one.
_Levels = tuple[int, int]


class ProofBook:
    """What certificates and endgame tables prove, for every position of their boards.

    ``source`` is a folder, of which all files ``*.proof`` count, or several files; without it the
    environment variable ``FANORONA_PROOFS_DIR`` names the folder, and without either there are only
    the tables. A certificate is read when its board first comes up, and so are the tables of
    results that it leans on; where one is missing less is known. Asking is safe from many threads.
    Pickled and copied, it opens the same files again.

    Only what follows under the rules of a position is said: that a side holds, under all rules of
    the same board and continuation; that one wins, where no draw rule can come first.

    Raises:
        CorruptProofError: a file is no certificate.
        OSError: a folder or file cannot be read.

    Examples:
        >>> book = ProofBook(())
        >>> str(book.findings(Position.parse("9/9/9/9/w1b6 w")))
        'White wins'
        >>> position = Position.parse("9/9/9/b8/w3w4 w")
        >>> [str(turn) for turn in book.keeping(position)]
        ['a1-b2']
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
        tables: Tables | None = None,
    ) -> None:
        if source is None:
            source = os.environ.get(PROOFS_VARIABLE) or ()
        check_kind("tables", tables, Tables, NoneType)
        self.tables = tables or Tables()
        self.headings = {path: Heading.read(path) for path in _files(source)}
        self._readers: dict[RuleSet, BookReader | None] = {}
        self._lock = threading.Lock()

    def __reduce__(self) -> Any:
        return ProofBook, (list(self.headings), self.tables)

    def load(self, rules: RuleSet) -> None:
        """Read now what the first question about a board would read.

        Raises:
            CorruptProofError: a certificate is broken.
            CorruptTableError: a table is broken.
        """
        check_kind("rules", rules, RuleSet)
        self._reader(rules)

    def findings(self, at: Position | Board) -> Findings:
        """What is proved of a position: by tables, by a list, or by what its turns lead to.

        Raises:
            CorruptProofError: a certificate is broken.
            CorruptTableError: a table is broken.
        """
        position, earlier = _root(at)
        if not _is_free(position):
            return NOTHING
        mover, other = self._known(position)
        if max(mover, other) < _WINS and min(mover, other) < _HOLDS:
            # What no list has may still follow from the turns.
            by_turns = self._by_turns(position)
            mover, other = max(mover, by_turns[0]), max(other, by_turns[1])
        return _judged(position, (mover, other), earlier)

    def turns(self, at: Position | Board) -> list[TurnFindings]:
        """Every legal turn with what is proved of the position after it.

        Raises:
            CorruptProofError: as ``findings``; so the other errors.
        """
        position, earlier = _root(at)
        found = []
        for turn in position.legal_turns():
            child = position.play(turn)
            levels = self._known(child) if _is_free(position) else (_UNKNOWN, _UNKNOWN)
            before = [*earlier, position.key] if child.quiet else []
            found.append(TurnFindings(turn, _judged(child, levels, before)))
        return found

    def keeping(self, at: Position | Board) -> list[Turn] | None:
        """The turns that keep the best result proved, one to each position; None: all are as good.

        Where a win is listed, only those that bring it nearer. Where nothing is proved of any turn
        but that some lose, the others.

        Raises:
            CorruptProofError: as ``findings``; so the other errors.
        """
        position, _ = _root(at)
        if not _is_free(position):
            return None
        reader = self._reader(position.rules)
        own, enemy = position.stones(position.side), position.stones(position.side.other)
        bound = 0 if reader is None or position.chain is not None else reader.rank(own, enemy)
        classes: dict[int, dict[int, Turn]] = {}
        for turn in position.legal_turns():
            child = position.play(turn)
            theirs, ours = self._known(child, bound)
            value = -1 if theirs >= _WINS else ours
            classes.setdefault(value, {}).setdefault(child.key, turn)
        if len(classes) < 2:
            return None
        return list(classes[max(classes)].values())

    def _known(self, position: Position, bound: int = 0) -> _Levels:
        """What tables and lists say; of a position with a chain in progress what its turns do."""
        if position.chain is not None:
            return self._by_turns(position)
        rules = position.rules
        try:
            value = self.tables.probe(position)
        except MissingTableError:
            reader = self._reader(rules)
            if reader is None:
                return _UNKNOWN, _UNKNOWN
            own, enemy = position.stones(position.side), position.stones(position.side.other)
            mover, other = reader.look(own, enemy, bound)
            sure = rules.quiet_limit is None and rules.turn_limit is None
        else:
            mover, other = 1 + value.wdl, 1 - value.wdl
            sure = value.sure
        return mover + (sure and mover == _WINS), other + (sure and other == _WINS)

    def _by_turns(self, position: Position) -> _Levels:
        """What follows from what is known after each turn."""
        after = [self._known(child) for child in _children(position)]
        if not after:
            return _UNKNOWN, _UNKNOWN
        return max(other for _, other in after), min(mover for mover, _ in after)

    def _reader(self, rules: RuleSet) -> BookReader | None:
        """What is read of a board, at the first question; None if there is no certificate of it."""
        played = _board_rules(rules)
        with self._lock:
            if played not in self._readers:
                self._readers[played] = self._read(played)
            return self._readers[played]

    def _read(self, played: RuleSet) -> BookReader | None:
        chosen = [path for path, heading in self.headings.items() if _applies(heading, played)]
        if not chosen:
            return None
        index = SetIndex(played.columns, played.rows)
        lists = {holds: PositionSet(index, not holds) for holds in (True, False)}
        for path in chosen:
            certificate = Certificate.read(path)
            lists[certificate.holds].update(certificate.positions)
        stones = max(self.headings[path].stones for path in chosen)
        tables = self.tables.load(played, max(stones, 2))
        return BookReader(tables, lists[True], lists[False])


def _files(source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[Path]:
    if not isinstance(source, str | os.PathLike):
        return [Path(path) for path in source]
    return sorted(path for path in Path(source).iterdir() if path.suffix == SUFFIX)


@lru_cache
def _board_rules(rules: RuleSet) -> RuleSet:
    """The rules that tables and proofs tell apart, and no others."""
    return RuleSet.parse("theory").replace(
        columns=rules.columns,
        rows=rules.rows,
        compulsory=rules.compulsory,
        no_move_draw=rules.no_move_draw,
    )


def _applies(heading: Heading, played: RuleSet) -> bool:
    """Whether a certificate's claim follows under rules as ``_board_rules`` makes them."""
    if heading.rules == played:
        return True
    # What never loses does not lose either where having no turn is a draw.
    return heading.holds and heading.rules.replace(no_move_draw=True) == played


def _root(at: Position | Board) -> tuple[Position, list[int]]:
    """The position, and the keys of those before it that could still come back."""
    if isinstance(at, Position):
        return at, []
    check_kind("position", at, Position, Board)
    return at.position, at.keys_since_capture()


def _is_free(position: Position) -> bool:
    """Whether no restriction of a first turn could change what proofs say."""
    return position.rules.first_turn == "none"


def _children(position: Position) -> list[Position]:
    """The positions after all turns, each once."""
    children = (position.play(turn) for turn in position.legal_turns())
    return list({child.key: child for child in children}.values())


def _judged(position: Position, levels: _Levels, earlier: list[int]) -> Findings:
    """The levels as they hold under the rules; ``earlier`` are the keys of positions before."""
    mover, other = levels
    sure = not _may_repeat(position.rules, earlier)
    mine = _holds(mover, other, sure)
    theirs = _holds(other, mover, sure)
    return Findings(mine, theirs) if position.side is Side.WHITE else Findings(theirs, mine)


def _holds(level: int, against: int, sure: bool) -> bool | None:
    if sure and against == _WINS_SURELY:
        return False
    return True if level else None


def _may_repeat(rules: RuleSet, earlier: list[int]) -> bool:
    """Whether a way to win, on which no position comes twice, could meet a draw by repetition."""
    if rules.repetition is None:
        return False
    return max(Counter(earlier).values(), default=0) > rules.repetition - 2
