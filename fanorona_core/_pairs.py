"""Which endgame tables there are: pairs of stone counts, their sizes, and what they lead to."""

from __future__ import annotations

from dataclasses import dataclass

from fanorona_core._index import SetIndex

__all__ = ["Pair", "most_of_a_side", "pair_of", "pairs_up_to", "slots_of", "sources_of"]


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Two stone counts, the larger first; its two tables have the one or the other to move.

    Examples:
        >>> Pair(3, 2).tables
        ((3, 2), (2, 3))
    """

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major} against {self.minor}"

    @property
    def tables(self) -> tuple[tuple[int, int], ...]:
        """The tables of the pair, as (mover's stones, other side's stones)."""
        if self.major == self.minor:
            return ((self.major, self.minor),)
        return (self.major, self.minor), (self.minor, self.major)


def most_of_a_side(columns: int, rows: int) -> int:
    """How many stones a side has in tables at most: as many as the standard start gives it.

    Examples:
        >>> most_of_a_side(9, 5)
        22
    """
    return (columns * rows - 1) // 2


def pairs_up_to(columns: int, rows: int, stones: int) -> list[Pair]:
    """Every pair with at most ``stones`` stones, in an order in which they can be made.

    No side has more stones than the standard start gives it.

    Examples:
        >>> [str(pair) for pair in pairs_up_to(9, 5, 4)]
        ['1 against 1', '2 against 1', '2 against 2', '3 against 1']
    """
    most = most_of_a_side(columns, rows)
    return [
        Pair(major, total - major)
        for total in range(2, stones + 1)
        for major in range((total + 1) // 2, min(total - 1, most) + 1)
        if total - major <= most
    ]


def sources_of(pair: Pair) -> set[tuple[int, int]]:
    """The tables, as (mover's stones, other side's), that captures of a pair lead to.

    Examples:
        >>> sorted(sources_of(Pair(3, 2)))
        [(1, 2), (1, 3), (2, 2)]
    """
    found = {(left, pair.major) for left in range(1, pair.minor)}
    if pair.major > pair.minor:
        found |= {(left, pair.minor) for left in range(1, pair.major)}
    return found


def slots_of(index: SetIndex, pair: Pair) -> int:
    """The number of slots of each table of a pair.

    Examples:
        >>> slots_of(SetIndex(3, 3), Pair(2, 1))
        91
    """
    return index.size(pair.major, pair.minor)


def pair_of(table: tuple[int, int]) -> Pair:
    """The pair that a table, as (mover's stones, other side's), is of."""
    return Pair(max(table), min(table))
