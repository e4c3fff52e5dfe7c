"""The value of a position with perfect play: by tables if they hold it, else by proof search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fanorona_core._pairs import pairs_up_to, slots_of
from fanorona_core._tablebase import LoadedTables
from fanorona_core._tablepack import pack_results
from fanorona_core.errors import FanoronaError, ProofError
from fanorona_core.position import Position
from fanorona_core.proof import Proofs, check_provable
from fanorona_core.tablebase import Wdl
from fanorona_core.tablebuild import Builder
from fanorona_core.types import Side

__all__ = ["Claim", "ProofSearch", "SolveError", "Step", "proof_tables", "stones_within"]

_FIRST_NODES: Final = 50_000


class SolveError(FanoronaError, ValueError):
    """A position that this way of solving cannot take."""


@dataclass(frozen=True, slots=True)
class Claim:
    """That a side can force at least a result.

    Examples:
        >>> str(Claim(Side.WHITE, Wdl.DRAW))
        'White at least draws'
    """

    side: Side
    goal: Wdl

    def __str__(self) -> str:
        return f"{self.side} {'wins' if self.goal is Wdl.WIN else 'at least draws'}"


@dataclass(frozen=True, slots=True)
class Step:
    """What one stretch of a search has brought: the claim, whether it is proved, all its nodes.

    ``proved`` is None while the claim is open, and False if it is wrong.

    Examples:
        >>> str(Step(Claim(Side.WHITE, Wdl.DRAW), True, 50).claim)
        'White at least draws'
    """

    claim: Claim
    proved: bool | None
    nodes: int


class ProofSearch:
    """Searches for proofs of what White and Black can force from a position.

    No counter ends the game: what is proved holds under the ``theory`` rules.

    Raises:
        SolveError: a chain is in progress, or the first turn is restricted.
        MemoryError: ``hash_mib`` do not fit into memory.

    Examples:
        >>> from fanorona_core import RuleSet, Tables
        >>> rules = RuleSet.parse("theory,board=5x5")
        >>> search = ProofSearch(Position.start(rules), Tables().load(rules, 4), hash_mib=16)
        >>> _ = list(search.run(1_000_000))
        >>> search.value
        <Wdl.DRAW: 0>
    """

    lower: Wdl
    upper: Wdl

    def __init__(self, position: Position, tables: LoadedTables, hash_mib: int = 256) -> None:
        try:
            check_provable(position)
        except ProofError as error:
            raise SolveError(str(error)) from None
        self.position, self.tables, self.hash_mib = position, tables, hash_mib
        # What White is known to get at least and at most.
        self.lower, self.upper = Wdl.LOSS, Wdl.WIN
        self._proofs = Proofs(position.rules, tables, hash_mib=hash_mib)
        self._nodes = dict.fromkeys(Side, 0)

    @property
    def value(self) -> Wdl | None:
        """White's result, once it is known."""
        return self.lower if self.lower is self.upper else None

    @property
    def nodes(self) -> int:
        """The positions searched, of all claims."""
        return self._proofs.nodes

    def run(self, nodes: int) -> Iterator[Step]:
        """Search on, turn and turn about for the open claims, each time twice as long.

        Ends when the value is known, or after about ``nodes`` positions.

        Raises:
            KeyboardInterrupt: what was found until then is kept.
        """
        stretch = _FIRST_NODES
        end = self.nodes + nodes
        while self.value is None and self.nodes < end:
            for side in Side:
                if self._is_open(side) and self.nodes < end:
                    yield self._search(side, min(stretch, end - self.nodes))
            stretch *= 2

    def _is_open(self, side: Side) -> bool:
        if self.value is not None:
            return False
        return self.lower is Wdl.LOSS if side is Side.WHITE else self.upper is Wdl.WIN

    def _search(self, side: Side, nodes: int) -> Step:
        before = self.nodes
        proved = self._proofs.holds(self.position, side, nodes=nodes)
        self._nodes[side] += self.nodes - before
        if proved is not None:
            if side is Side.WHITE:
                self.lower, self.upper = (Wdl.DRAW, self.upper) if proved else (Wdl.LOSS, Wdl.LOSS)
            else:
                self.lower, self.upper = (self.lower, Wdl.DRAW) if proved else (Wdl.WIN, Wdl.WIN)
        if proved is False:
            return Step(Claim(side.other, Wdl.WIN), True, self._nodes[side])
        return Step(Claim(side, Wdl.DRAW), proved, self._nodes[side])


def stones_within(columns: int, rows: int, slots: int) -> int:
    """The largest number of stones whose tables, all together, have no more slots.

    Examples:
        >>> stones_within(3, 3, 1_000_000)
        8
    """
    builder = Builder(columns, rows)
    stones, total, most = 2, 0, columns * rows - 1
    while stones < most:
        new = set(pairs_up_to(columns, rows, stones + 1)) - set(pairs_up_to(columns, rows, stones))
        total += sum(2 * slots_of(builder.index, pair) for pair in new)
        if total > slots:
            break
        stones += 1
    return stones


def proof_tables(builder: Builder, stones: int) -> LoadedTables:
    """Make all tables of up to ``stones`` stones in memory, for a proof to end in.

    Raises:
        MemoryError: they do not fit into memory.
    """
    index = builder.index
    builder.build(pairs_up_to(index.columns, index.rows, stones))
    tables = LoadedTables(index, builder.compulsory, builder.no_move_draw)
    for table in list(builder.values):
        tables.add(*table, pack_results(builder.values.pop(table)), True, False)
    return tables
