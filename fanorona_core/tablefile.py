"""Files that hold one endgame table: a header, compressed blocks, and where the blocks lie.

The format is described in docs/tables.md. A file is written under another name and renamed when
it is whole; a file that is not what it should be is refused with its name and the reason.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from fanorona_core._files import replaced
from fanorona_core._memory import Memory, zeros
from fanorona_core._tablepack import unpack_results
from fanorona_core.errors import CorruptTableError, MissingTableError

if TYPE_CHECKING:
    import hashlib

__all__ = ["BLOCK_SLOTS", "Kind", "TableFile", "TableInfo", "TableKey", "write_table"]

Kind = Literal["wdl", "distance"]

_MAGIC: Final = b"FNTABLE\n"
_VERSION: Final = 1
# Magic, version; kind, content, columns, rows, flags, own, enemy, spare; slots of a block, blocks;
# slots, win, draw, loss, slots of examples, bytes of blocks; longest win and loss; SHA-256 of the
# blocks and of everything else.
_HEADER: Final = struct.Struct("<8sH8BIIQQQQQQQHH32s32s")
_KINDS: Final[tuple[Kind, ...]] = ("wdl", "distance")
_SUFFIXES: Final = {"wdl": ".wdl", "distance": ".dtw"}
_COMPULSORY: Final = 1
_NO_MOVE_DRAW: Final = 2
_UNKNOWN: Final = 0xFFFF
_NO_SLOT: Final = 0xFFFF_FFFF_FFFF_FFFF
# 4096 bytes of results: a block is read in the time of a few reads of memory's slowest kind, and
# larger ones pack hardly better.
BLOCK_SLOTS: Final[dict[Kind, int]] = {"wdl": 20480, "distance": 8192}
_LEVEL: Final = 6


@dataclass(frozen=True, slots=True)
class TableKey:
    """What a table is for: board, rules, stone counts from the mover's side, and what it holds.

    Examples:
        >>> TableKey(9, 5, False, False, 3, 2, "wdl").file_name
        '9x5-optional-3v2.wdl'
    """

    columns: int
    rows: int
    compulsory: bool
    no_move_draw: bool
    own: int
    enemy: int
    kind: Kind

    @property
    def file_name(self) -> str:
        """The name of its file in a folder of tables."""
        continuation = "compulsory" if self.compulsory else "optional"
        draw = "-nomovedraw" if self.no_move_draw else ""
        board = f"{self.columns}x{self.rows}"
        suffix = _SUFFIXES[self.kind]
        return f"{board}-{continuation}{draw}-{self.own}v{self.enemy}{suffix}"


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table's header: its key, its size and what was counted when it was made.

    ``win``, ``draw`` and ``loss`` count placements, those included that symmetries make equal.
    ``longest_win`` and ``longest_loss`` are in turns of both sides, 0 if there is none, and None
    if the table was made without distances; the slots are those of an example.
    ``complete`` is false if only positions without a capture are held.
    """

    key: TableKey
    complete: bool
    slots: int
    win: int
    draw: int
    loss: int
    longest_win: int | None = None
    longest_loss: int | None = None
    longest_win_slot: int | None = None
    longest_loss_slot: int | None = None
    block_slots: int = 0
    blocks: int = 0
    data_size: int = 0

    @property
    def positions(self) -> int:
        """The number of placements."""
        return self.win + self.draw + self.loss

    @property
    def folded(self) -> int:
        """The number of placements when those that symmetries make equal are one.

        By Burnside's lemma: the mean, over the symmetries, of the placements that each keeps.
        """
        key = self.key
        points = key.columns * key.rows
        # The points that no symmetry moves, a mirror, a mirror, a half turn.
        kept = (points, key.rows, key.columns, 1)
        return sum(_kept_placements(points, fixed, key.own, key.enemy) for fixed in kept) // 4

    def _packed(self, body: bytes, own: bytes) -> bytes:
        key = self.key
        return _HEADER.pack(
            _MAGIC,
            _VERSION,
            _KINDS.index(key.kind),
            self.complete,
            key.columns,
            key.rows,
            _COMPULSORY * key.compulsory + _NO_MOVE_DRAW * key.no_move_draw,
            key.own,
            key.enemy,
            0,
            self.block_slots,
            self.blocks,
            self.slots,
            self.win,
            self.draw,
            self.loss,
            _NO_SLOT if self.longest_win_slot is None else self.longest_win_slot,
            _NO_SLOT if self.longest_loss_slot is None else self.longest_loss_slot,
            self.data_size,
            _UNKNOWN if self.longest_win is None else self.longest_win,
            _UNKNOWN if self.longest_loss is None else self.longest_loss,
            body,
            own,
        )

    @classmethod
    def _unpacked(cls, header: bytes) -> tuple[TableInfo, bytes, bytes]:
        (
            _magic,
            _version,
            kind,
            complete,
            columns,
            rows,
            flags,
            own,
            enemy,
            _spare,
            block_slots,
            blocks,
            slots,
            win,
            draw,
            loss,
            win_slot,
            loss_slot,
            data_size,
            longest_win,
            longest_loss,
            body_hash,
            own_hash,
        ) = _HEADER.unpack(header)
        key = TableKey(
            columns,
            rows,
            bool(flags & _COMPULSORY),
            bool(flags & _NO_MOVE_DRAW),
            own,
            enemy,
            _KINDS[kind],
        )
        info = cls(
            key,
            bool(complete),
            slots,
            win,
            draw,
            loss,
            None if longest_win == _UNKNOWN else longest_win,
            None if longest_loss == _UNKNOWN else longest_loss,
            None if win_slot == _NO_SLOT else win_slot,
            None if loss_slot == _NO_SLOT else loss_slot,
            block_slots,
            blocks,
            data_size,
        )
        return info, body_hash, own_hash


def _sha256(data: bytes = b"") -> hashlib._Hash:
    # Imported late: it costs as much as everything else here, and most programs open no table.
    import hashlib

    return hashlib.sha256(data)


def _kept_placements(points: int, fixed: int, own: int, enemy: int) -> int:
    """How many placements a symmetry keeps that moves all points but ``fixed``, in pairs."""
    moved = (points - fixed) // 2
    return sum(
        comb(moved, i)
        * comb(fixed, own - 2 * i)
        * comb(moved - i, j)
        * comb(fixed - own + 2 * i, enemy - 2 * j)
        for i in range(min(moved, own // 2) + 1)
        if own - 2 * i <= fixed
        for j in range(min(moved - i, enemy // 2) + 1)
    )


def write_table(directory: Path, info: TableInfo, blocks: Iterable[bytes]) -> Path:
    """Write a table whole or not at all, and return the file.

    ``blocks`` are compressed, as ``compress_block`` makes them.

    Raises:
        OSError: the folder cannot be written to, or is full.
    """
    target = directory / info.key.file_name
    with replaced(target) as file:
        file.write(bytes(_HEADER.size))
        body, sizes = _sha256(), []
        for block in blocks:
            file.write(block)
            body.update(block)
            sizes.append(len(block))
        places = struct.pack(f"<{len(sizes)}I", *sizes)
        file.write(places)
        info = replace(
            info,
            block_slots=BLOCK_SLOTS[info.key.kind],
            blocks=len(sizes),
            data_size=sum(sizes),
        )
        unsigned = info._packed(body.digest(), bytes(32))
        own = _sha256(unsigned + places).digest()
        file.seek(0)
        file.write(info._packed(body.digest(), own))
    return target


def compress_block(data: bytes) -> bytes:
    """Compress one block of packed results or values."""
    return zlib.compress(data, _LEVEL)


class TableFile:
    """An open table file, mapped into memory; reading is safe from many threads.

    Opening checks the header, the file's size and where the blocks lie, and needs no time that
    grows with the table. Each block has a checksum of its own (Adler-32, by zlib) that is checked
    whenever it is read; ``check`` looks at the SHA-256 of all.

    Raises:
        MissingTableError: there is no such file.
        CorruptTableError: it is not a table, not this one, truncated or altered.
    """

    info: TableInfo
    path: Path

    def __init__(self, path: Path, key: TableKey | None = None) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                header = file.read(_HEADER.size)
                if header[:8] != _MAGIC or len(header) < _HEADER.size:
                    raise self.fault("it is not a table")
                version = int.from_bytes(header[8:10], "little")
                if version != _VERSION:
                    raise self.fault(f"its format is {version}, this program reads {_VERSION}")
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError:
            raise MissingTableError(f"no table {path}") from None
        except OSError as error:
            if isinstance(error, CorruptTableError):
                raise
            raise CorruptTableError(f"table {path}: it cannot be read: {error}") from error
        try:
            self.info, self._body_hash, own_hash = TableInfo._unpacked(header)
        except (IndexError, struct.error):
            raise self.fault("its header is altered") from None
        info = self.info
        if info.block_slots != BLOCK_SLOTS[info.key.kind]:
            raise self.fault(f"its blocks have {info.block_slots} slots")
        if info.blocks != -(-info.slots // info.block_slots):
            raise self.fault(f"it has {info.blocks} blocks for {info.slots} slots")
        places_at = _HEADER.size + self.info.data_size
        expected = places_at + 4 * self.info.blocks
        if size != expected:
            raise self.fault(f"it has {size} bytes, expected {expected}")
        places = self._map[places_at:expected]
        unsigned = header[:-32] + bytes(32)
        if _sha256(unsigned + places).digest() != own_hash:
            raise self.fault("its header is altered")
        if key is not None and self.info.key != key:
            raise self.fault(f"it holds another table, {self.info.key.file_name}")
        sizes = struct.unpack(f"<{self.info.blocks}I", places)
        self._places = list(accumulate(sizes, initial=_HEADER.size))
        if self._places[-1] != places_at:
            raise self.fault("its blocks do not fill it")

    def fault(self, reason: str) -> CorruptTableError:
        """An error that names the file and the reason."""
        return CorruptTableError(f"table {self.path}: {reason}")

    def _damaged(self, reason: str) -> CorruptTableError:
        """A fault of the blocks, which a build does not notice."""
        return self.fault(f"{reason}: delete it and build it again")

    def block(self, number: int) -> bytes:
        """Return one block, uncompressed.

        Raises:
            CorruptTableError: the block is altered.
        """
        first, last = self._places[number], self._places[number + 1]
        slots = min(self.info.block_slots, self.info.slots - number * self.info.block_slots)
        size = slots if self.info.key.kind == "distance" else -(-slots // 5)
        try:
            # One byte more than there may be: a block that unpacks to gigabytes never does.
            unpacker = zlib.decompressobj()
            block = unpacker.decompress(self._map[first:last], size + 1)
        except zlib.error as error:
            raise self._damaged(f"block {number} is altered ({error})") from None
        if len(block) != size or not unpacker.eof:
            raise self._damaged(f"block {number} is not of {size} bytes")
        return block

    def packed(self) -> Memory:
        """Return all blocks one after the other: packed results, or values.

        Raises:
            CorruptTableError: a block is altered.
            MemoryError: they do not fit into memory.
        """
        info = self.info
        a_byte = 5 if info.key.kind == "wdl" else 1
        data = zeros(-(-info.slots // a_byte))
        at = 0
        for number in range(info.blocks):
            block = self.block(number)
            if at + len(block) > len(data):
                raise self._damaged("it holds more than its header says")
            data[at : at + len(block)] = block
            at += len(block)
        if at != len(data):
            raise self._damaged("it holds less than its header says")
        return data

    def values(self) -> Memory:
        """Return a value for each slot; without distances 1 is a win, 2 a loss, 255 a draw.

        Raises:
            CorruptTableError: a block is altered.
            MemoryError: they do not fit into memory.
        """
        if self.info.key.kind == "distance":
            return self.packed()
        values = zeros(self.info.slots)
        for first, block in self._chunks():
            try:
                unpack_results(block, memoryview(values)[first : first + 5 * len(block)])
            except ValueError as error:
                raise self._damaged(str(error)) from None
        return values

    def _chunks(self) -> Iterator[tuple[int, bytes]]:
        for number in range(self.info.blocks):
            yield number * self.info.block_slots, self.block(number)

    def value(self, slot: int) -> int:
        """Return the value of one slot, as ``values`` has it. The caller keeps blocks, if any."""
        number, rest = divmod(slot, self.info.block_slots)
        return self.value_in(self.block(number), rest)

    def value_in(self, block: bytes, rest: int) -> int:
        """Return the value of a slot of a block."""
        if self.info.key.kind == "distance":
            return block[rest]
        return (2, 255, 1)[block[rest // 5] // 3 ** (rest % 5) % 3]

    def check(self) -> None:
        """Read everything and compare with the checksum.

        Raises:
            CorruptTableError: the file is altered.
        """
        body = _sha256()
        for first, last in pairwise(self._places):
            body.update(self._map[first:last])
        if body.digest() != self._body_hash:
            raise self._damaged("its blocks are altered")

    def close(self) -> None:
        """Close the file; blocks cannot be read any more."""
        self._map.close()
