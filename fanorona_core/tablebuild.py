"""Making endgame tables: pair after pair of stone counts, each from those with fewer stones."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from fanorona_core._checks import check_whole
from fanorona_core._index import SetIndex
from fanorona_core._memory import Memory, zeros
from fanorona_core._pairs import Pair, most_of_a_side, pair_of, pairs_up_to, slots_of, sources_of
from fanorona_core._resources import available_memory, size_text
from fanorona_core._retrograde import Solver
from fanorona_core._tablepack import count_values, pack_results
from fanorona_core.errors import CorruptTableError, FanoronaError, MissingTableError
from fanorona_core.tablefile import (
    BLOCK_SLOTS,
    Kind,
    TableFile,
    TableInfo,
    TableKey,
    compress_block,
    write_table,
)

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

__all__ = [
    "Builder",
    "Pair",
    "TableBuildError",
    "available_memory",
    "most_of_a_side",
    "pairs_up_to",
    "slots_of",
    "sources_of",
]

# Tables of more slots leave positions with a capture out of their files. To fill them in again
# costs a look-up or a few for each; below this size it is simpler to store them.
_COMPLETE_SLOTS: Final = 1 << 26
# Bits that a slot takes in a file, by (kind, complete): the worst seen on 9x5, rounded up.
_FILE_BITS: Final = {
    ("wdl", True): 1.2,
    ("wdl", False): 0.5,
    ("distance", True): 4.5,
    ("distance", False): 2.0,
}
_BATCH_BLOCKS: Final = 64
_PART_AGE_SECONDS: Final = 24 * 3600

_T = TypeVar("_T")
# What is done of a pair, from 0 to 1.
Progress = Callable[[Pair, float], None]


class TableBuildError(FanoronaError, ValueError):
    """Tables that cannot be made here: too large for the memory or the disk, or for the format."""


class Builder:
    """Makes tables in memory and, if there is a folder, files of them.

    A pair whose files are there and open is not made again, so that an interrupted build goes on
    where it was. With ``distance`` the turns to the end are kept too. Tables of more than 2**26
    slots leave out positions with a capture, unless all are to be ``complete``.

    Raises:
        ValueError: no such board, or a number of threads that is not positive.

    Examples:
        >>> from fanorona_core import Position, Tables
        >>> builder = Builder(3, 3, directory="small", distance=True)
        >>> builder.build(list(pairs_up_to(3, 3, 5)))
        >>> str(Tables("small").probe(Position.parse("bb1/1w1/w1b w")))
        'loss in 4'
    """

    def __init__(
        self,
        columns: int,
        rows: int,
        *,
        compulsory: bool = False,
        no_move_draw: bool = False,
        directory: str | os.PathLike[str] | None = None,
        distance: bool = False,
        complete: bool = False,
        threads: int = 1,
        index: SetIndex | None = None,
    ) -> None:
        self.index = index or SetIndex(columns, rows)
        self.compulsory, self.no_move_draw = compulsory, no_move_draw
        check_whole(threads=threads)
        if threads < 1:
            raise ValueError(f"threads {threads}: expected 1 or more")
        self.directory = None if directory is None else Path(directory)
        self.distance, self.threads = distance, threads
        self.complete = complete
        self.values: dict[tuple[int, int], Memory] = {}
        self.written: list[Path] = []
        self._inexact: set[tuple[int, int]] = set()
        self._pool: ThreadPoolExecutor | None = None

    def key(self, own: int, enemy: int, kind: Kind) -> TableKey:
        """What the table of these counts is called."""
        index = self.index
        return TableKey(
            index.columns, index.rows, self.compulsory, self.no_move_draw, own, enemy, kind
        )

    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of files that are made."""
        return ("wdl", "distance") if self.distance else ("wdl",)

    def has(self, pair: Pair) -> bool:
        """Whether all files of a pair are there and open."""
        if self.directory is None:
            return False
        for own, enemy in pair.tables:
            for kind in self.kinds():
                key = self.key(own, enemy, kind)
                try:
                    file = TableFile(self.directory / key.file_name, key)
                except (MissingTableError, CorruptTableError):
                    return False
                file.close()
                if self.complete and not file.info.complete:
                    return False
        return True

    def weights(self, pairs: Sequence[Pair]) -> dict[Pair, int]:
        """The pairs that are not there yet, with their share of the work."""
        return {pair: slots_of(self.index, pair) for pair in pairs if not self.has(pair)}

    def memory_needed(self, pair: Pair) -> int:
        """About how many bytes it takes to make a pair, the tables it needs included."""
        index, slots = self.index, slots_of(self.index, pair)
        # Two bytes and two marks a slot; representatives, links and lists of the blocks; the slots
        # of one depth, at most about one in ten.
        own = slots * 2 + slots // 4 + index.classes(pair.major) * (40 + 20 * pair.major) + slots
        return own + sum(index.size(*table) for table in sources_of(pair)) + (1 << 24)

    def _is_complete(self, slots: int) -> bool:
        return self.complete or slots <= _COMPLETE_SLOTS

    def disk_needed(self, pairs: Sequence[Pair]) -> int:
        """About how many bytes the files of these pairs take."""
        bits = 0.0
        for pair in pairs:
            slots = slots_of(self.index, pair)
            for kind in self.kinds():
                bits += len(pair.tables) * slots * _FILE_BITS[kind, self._is_complete(slots)]
        return int(bits / 8)

    def check(self, pairs: Sequence[Pair], memory: int | None) -> None:
        """Refuse what memory or disk cannot hold.

        Raises:
            TableBuildError: with what would be needed.
        """
        for pair in pairs:
            needed = self.memory_needed(pair)
            if memory is not None and needed > memory:
                raise TableBuildError(
                    f"{pair} stones need about {size_text(needed)} of memory, and "
                    f"{size_text(memory)} are allowed"
                )
        if self.directory is not None:
            needed = self.disk_needed(pairs)
            import shutil

            free = shutil.disk_usage(self.directory).free
            if needed > free:
                raise TableBuildError(
                    f"the tables need about {size_text(needed)} in {self.directory}, where "
                    f"{size_text(free)} are free"
                )

    def build(
        self,
        pairs: Sequence[Pair],
        *,
        memory: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Make pairs, in the order given; with a folder, those that are not there yet.

        Raises:
            TableBuildError: they do not fit into ``memory`` bytes, on the disk or in the format.
            MemoryError: they do not fit into memory after all.
            OSError: the folder cannot be written to.
        """
        missing = [pair for pair in pairs if not self.has(pair)]
        if self.directory is not None:
            self.directory.mkdir(parents=True, exist_ok=True)
            self._remove_parts(self.directory)
        self.check(missing, memory)
        with self._threads():
            for i, pair in enumerate(missing):
                try:
                    self._make(pair, progress)
                except OverflowError as error:
                    raise TableBuildError(f"{pair} stones: {error}") from None
                if self.directory is not None:
                    # Keep what pairs to come need and forget the rest.
                    kept = set().union(*(sources_of(later) for later in missing[i + 1 :]))
                    for table in self.values.keys() - kept:
                        del self.values[table]

    @contextlib.contextmanager
    def _threads(self) -> Iterator[None]:
        if self.threads <= 1 or self._pool is not None:
            yield
            return
        # Imported late: it brings as much as all modules of this package.
        from concurrent.futures import ThreadPoolExecutor

        self._pool = ThreadPoolExecutor(self.threads, "tables")
        try:
            yield
        finally:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _all(self, work: Callable[[int], _T], chunks: int) -> Iterator[_T]:
        """Do the chunks of one pass, on all threads."""
        if self._pool is None or chunks == 1:
            return map(work, range(chunks))
        return self._pool.map(work, range(chunks))

    def _remove_parts(self, directory: Path) -> None:
        """Remove what builds that were killed have left behind, long ago."""
        for part in directory.glob("*.part"):
            with contextlib.suppress(OSError):
                if time.time() - part.stat().st_mtime > _PART_AGE_SECONDS:
                    part.unlink()

    def _solver(self, pair: Pair) -> tuple[Solver, list[Memory]]:
        """A solver with all captures resolved."""
        size = self.index.size(pair.major, pair.minor)
        values = [zeros(size), zeros(size)]
        solver = Solver(
            self.index, pair.major, pair.minor, self.compulsory, self.no_move_draw, *values
        )
        for table in sorted(sources_of(pair)):
            solver.use(*table, self.load(*table))
        return solver, values

    def _make(self, pair: Pair, progress: Progress | None) -> None:
        report = progress or (lambda _pair, _done: None)
        report(pair, 0.0)
        solver, values = self._solver(pair)
        chunks = solver.chunks
        for done, _ in enumerate(self._all(solver.resolve, chunks), 1):
            report(pair, 0.4 * done / chunks)
        if solver.is_mirrored:
            for _ in self._all(solver.mirror, chunks):
                pass
        due = 0
        for done, last in enumerate(self._all(solver.prepare, chunks), 1):
            due = max(due, last)
            report(pair, 0.4 + 0.2 * done / chunks)
        depth = 0
        while True:
            found = 0
            for count, last in self._all(partial(solver.advance, depth), chunks):
                found += count
                due = max(due, last)
            if not found and depth >= due:
                break
            depth += 1
            # Most of the slots are decided early; how many depths there are nobody knows.
            report(pair, 0.6 + 0.3 * (1 - 0.9**depth))
        for _ in self._all(solver.finish, chunks):
            pass
        exact = not any(table in self._inexact for table in sources_of(pair))
        for side, table in enumerate(pair.tables):
            self.values[table] = values[side]
            if not exact:
                self._inexact.add(table)
            if self.directory is not None:
                self._write(self.directory, solver, side, table, values[side], exact)
        report(pair, 1.0)

    def _write(
        self,
        directory: Path,
        solver: Solver,
        side: int,
        table: tuple[int, int],
        values: Memory,
        exact: bool,
    ) -> None:
        complete = self._is_complete(len(values))
        view = memoryview(values)
        for kind in self.kinds():
            info = self.describe(table, kind, values, exact)
            step = BLOCK_SLOTS[kind]

            def batch(number: int, kind: Kind = kind, step: int = step) -> list[bytes]:
                blocks = []
                start = number * step * _BATCH_BLOCKS
                for first in range(start, min(start + step * _BATCH_BLOCKS, len(values)), step):
                    count = min(step, len(values) - first)
                    if kind == "wdl":
                        if complete:
                            data = pack_results(view[first : first + count])
                        else:
                            data = solver.quiet_results(side, first, count)
                    elif complete:
                        data = bytes(view[first : first + count])
                    else:
                        data = solver.quiet_values(side, first, count)
                    blocks.append(compress_block(data))
                return blocks

            batches = -(-len(values) // (step * _BATCH_BLOCKS))
            blocks = (block for part in self._all(batch, batches) for block in part)
            self.written.append(write_table(directory, info, blocks))

    def describe(
        self, table: tuple[int, int], kind: Kind, values: Memory, exact: bool
    ) -> TableInfo:
        """Count a table that is in memory."""
        own, enemy = table
        index, slots = self.index, len(values)
        blocks = index.classes(max(table))
        size = slots // blocks
        step = max(1, (1 << 22) // size)
        view = memoryview(values)

        def count(number: int) -> list[int]:
            first, last = number * step, min((number + 1) * step, blocks)
            return count_values(index, own, enemy, view[first * size : last * size], first, last)

        counts = [0] * 256
        for part in self._all(count, -(-blocks // step)):
            counts = [x + y for x, y in zip(counts, part, strict=True)]
        longest = [max((v for v in range(p, 255, 2) if counts[v]), default=0) for p in (1, 0)]
        has_longest = longest[0] > 0, counts[longest[1]] > 0
        slot = [
            values.find(bytes([v])) if has else -1
            for v, has in zip(longest, has_longest, strict=True)
        ]
        return TableInfo(
            self.key(own, enemy, kind),
            self._is_complete(slots),
            slots,
            win=sum(counts[1:255:2]),
            draw=counts[255],
            loss=sum(counts[0:255:2]),
            longest_win=longest[0] if exact else None,
            longest_loss=longest[1] if exact else None,
            longest_win_slot=slot[0] if exact and slot[0] >= 0 else None,
            longest_loss_slot=slot[1] if exact and slot[1] >= 0 else None,
        )

    def load(self, own: int, enemy: int) -> Memory:
        """The values of a table, from memory, or from its file and those it leads to.

        With distances if there are any, else 1 for a win, 2 for a loss, 255 for a draw.

        Raises:
            MissingTableError: there is no file of it, or of a table that it leads to.
            CorruptTableError: a file is not what it should be.
        """
        found = self.values.get((own, enemy))
        if found is not None:
            return found
        pair = pair_of((own, enemy))
        files = [self._open(*table) for table in pair.tables]
        for table, file in zip(pair.tables, files, strict=True):
            if file.info.key.kind == "wdl":
                self._inexact.add(table)
        if all(file.info.complete for file in files):
            for table, file in zip(pair.tables, files, strict=True):
                self.values[table] = file.values()
        else:
            solver, values = self._solver(pair)
            for work in (solver.resolve, *([solver.mirror] if solver.is_mirrored else [])):
                for _ in self._all(work, solver.chunks):
                    pass
            for side, file in enumerate(files):
                solver.adopt(side, 0, file.values())
                self.values[pair.tables[side]] = values[side]
        for file in files:
            file.close()
        return self.values[own, enemy]

    def _open(self, own: int, enemy: int) -> TableFile:
        if self.directory is None:
            raise MissingTableError(f"no table for {own} against {enemy} stones in memory")
        with contextlib.suppress(MissingTableError):
            key = self.key(own, enemy, "distance")
            return TableFile(self.directory / key.file_name, key)
        if self.distance:
            raise MissingTableError(f"no table with distances for {own} against {enemy} stones")
        key = self.key(own, enemy, "wdl")
        return TableFile(self.directory / key.file_name, key)
