"""The value of a position with perfect play: by tables if they hold it, else by proof search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fanorona_core._prove import Prover
from fanorona_core._tablebase import LoadedTables
from fanorona_core._tablepack import pack_results
from fanorona_core.errors import FanoronaError
from fanorona_core.position import Position
from fanorona_core.tablebase import Wdl
from fanorona_core.tablebuild import Builder, pairs_up_to, slots_of
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


_CLAIMS: Final = tuple(Claim(side, goal) for goal in (Wdl.WIN, Wdl.DRAW) for side in Side)


@dataclass(frozen=True, slots=True)
class Step:
    """What one stretch of a search has brought: the claim, whether it is proved, all its nodes.

    ``proved`` is None while the claim is open, and False if it cannot be proved in this way, in
    which a repeated position is a failure of the side that claims: that does not make it wrong.
    """

    claim: Claim
    proved: bool | None
    nodes: int


class ProofSearch:
    """Searches for proofs of what White and Black can force from a position.

    Repetitions never count for the side that claims, and no counter ends the game, so that what
    is proved holds under the ``theory`` rules, whatever has been played before.

    Raises:
        SolveError: a chain is in progress, or the first turn is restricted.
        MemoryError: ``hash_mib`` for each of up to four claims do not fit into memory.
    """

    lower: Wdl
    upper: Wdl

    def __init__(self, position: Position, tables: LoadedTables, hash_mib: int = 256) -> None:
        if position.chain is not None:
            raise SolveError(f"a chain is in progress in {position.text()}: end it first")
        if position.rules.first_turn != "none":
            raise SolveError("a proof knows nothing of restrictions of the first turn")
        self.position, self.tables, self.hash_mib = position, tables, hash_mib
        # What White is known to get at least and at most.
        self.lower, self.upper = Wdl.LOSS, Wdl.WIN
        self.failed: set[Claim] = set()
        self._provers: dict[Claim, Prover] = {}

    @property
    def value(self) -> Wdl | None:
        """White's result, once it is known."""
        return self.lower if self.lower is self.upper else None

    @property
    def nodes(self) -> int:
        """The positions searched, of all claims."""
        return sum(prover.nodes for prover in self._provers.values())

    def run(self, nodes: int) -> Iterator[Step]:
        """Search on, turn and turn about for all open claims, each time twice as long.

        Ends when the value is known, every claim has failed, or after about ``nodes`` positions.

        Raises:
            KeyboardInterrupt: what was found until then is kept.
        """
        stretch = _FIRST_NODES
        end = self.nodes + nodes
        while self.value is None and self.nodes < end:
            claims = [claim for claim in _CLAIMS if self._is_open(claim)]
            if not claims:
                return
            for claim in claims:
                if self._is_open(claim) and self.nodes < end:
                    yield self._search(claim, min(stretch, end - self.nodes))
            stretch *= 2

    def _is_open(self, claim: Claim) -> bool:
        if claim in self.failed:
            return False
        if claim.side is Side.WHITE:
            return self.lower < claim.goal <= self.upper
        return self.lower <= -claim.goal < self.upper

    def _search(self, claim: Claim, nodes: int) -> Step:
        prover = self._provers.get(claim)
        if prover is None:
            prover = self._provers[claim] = Prover(self.tables, int(claim.goal), self.hash_mib)
        position = self.position
        proved = prover.search(
            position.stones(position.side),
            position.stones(position.side.other),
            claim.side is position.side,
            nodes,
        )
        if proved is False:
            self.failed.add(claim)
        elif proved and claim.side is Side.WHITE:
            self.lower = max(self.lower, claim.goal)
        elif proved:
            self.upper = min(self.upper, -claim.goal)
        return Step(claim, proved, prover.nodes)


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
